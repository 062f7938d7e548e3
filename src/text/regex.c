/* text/regex.c - the regular expressions of tokenizer.json: alternatives of characters, classes and
   groups with repeats. Matches like Oniguruma: the first alternative that matches, the most repeats
   first. Unsupported syntax is an error (backreferences, look-behind, anchors). Matching gives up
   if it takes far longer than the length of the text suggests. */
#include "text/private.h"

enum {
    NN__REGEX_LONGEST = 4096,
    NN__REGEX_DEEP = 8,
    NN__REGEX_PARTS = 512,
    NN__REGEX_MOST = 0x7fffffff
};

/* ---- matching -------------------------------------------------------------------------------- */

/* What must match after a group. */
typedef struct nn__regex_behind {
    uint32_t node;
    const struct nn__regex_behind *more;
} nn__regex_behind;

/* True if the node's class contains the character, by its ranges. */
static bool nn__regex_in(const nn__regex *regex, const nn__regex_node *node, uint32_t point) {
    uint32_t kind = nn__text_kind(regex->unicode, point);
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const nn__regex_range *range = &regex->ranges[i];
        bool in = range->bits ? (kind & range->bits) && !(kind & range->without)
                              : point >= range->from && point <= range->to;
        if (in != range->none) return !node->negated;
    }
    return node->negated;
}

static size_t nn__regex_at(nn__text_scan *scan, const nn__regex *regex, uint32_t node, size_t at,
                           const nn__regex_behind *more);

/* Matches the first alternative of a group that matches. Returns the end of the match. */
static size_t nn__regex_any(nn__text_scan *scan, const nn__regex *regex,
                            const nn__regex_node *group, size_t at, const nn__regex_behind *more) {
    for (uint32_t i = group->first; i; i = regex->nodes[i].next) {
        size_t end = nn__regex_at(scan, regex, regex->nodes[i].first, at, more);
        if (end != NN__TEXT_NOWHERE) return end;
    }
    return NN__TEXT_NOWHERE;
}

/* Returns the end of the match of this node and everything after it, from `at` on. The recursion
   depth is limited by the length of the expression, not of the text. */
static size_t nn__regex_at(nn__text_scan *scan, const nn__regex *regex, uint32_t node, size_t at,
                           const nn__regex_behind *more) {
    while (--scan->left > 0) {
        const nn__regex_node *n = &regex->nodes[node];
        size_t length, end;
        uint32_t count = 0;
        if (node == 0) {
            if (!more) return at;
            node = more->node;
            more = more->more;
            continue;
        }
        if (n->kind == NN__REGEX_AHEAD) {
            if ((nn__regex_any(scan, regex, n, at, NULL) != NN__TEXT_NOWHERE) == n->negated) break;
        } else if (n->kind == NN__REGEX_GROUP) {
            nn__regex_behind behind;
            behind.node = n->next;
            behind.more = more;
            end = nn__regex_any(scan, regex, n, at, n->possessive ? NULL : &behind);
            if (end != NN__TEXT_NOWHERE && !n->possessive) return end;
            if (end == NN__TEXT_NOWHERE && n->least > 0) break;
            if (end != NN__TEXT_NOWHERE) at = end;
        } else {
            for (; count < n->most && at < scan->end; count++, at += length) {
                uint32_t point = nn__text_decode(scan->text, scan->end, at, &length);
                if (point < 128 ? !(n->ascii[point >> 5] >> (point & 31) & 1)
                                : !nn__regex_in(regex, n, point))
                    break;
            }
            scan->left -= count;
            if (count < n->least) break;
            while (!n->possessive && count > n->least) {
                end = nn__regex_at(scan, regex, n->next, at, more);
                if (end != NN__TEXT_NOWHERE) return end;
                do at--;
                while (((unsigned char)scan->text[at] & 0xc0) == 0x80);
                count--;
            }
        }
        node = n->next;
    }
    return NN__TEXT_NOWHERE;
}

NN__TEXT_PRIVATE size_t nn__regex_match(nn__text_scan *scan, const nn__regex *regex, size_t at) {
    return nn__regex_at(scan, regex, 1, at, NULL);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct nn__regex_parser {
    nn__regex *regex;
    const char *text;
    size_t bytes, at;
    int deep;
    bool any_case;
    char before; /* with (?i: the previous letter, because some pairs also exist as one letter */
    const char *why; /* the error; NULL: none */
} nn__regex_parser;

static uint32_t nn__regex_no(nn__regex_parser *p, const char *why) {
    if (!p->why) p->why = why;
    return 0;
}

static uint32_t nn__regex_node_of(nn__regex_parser *p, int kind) {
    nn__regex_node *node = &p->regex->nodes[++p->regex->node_count];
    if (p->regex->node_count > NN__REGEX_PARTS) /* limits the recursion depth */
        nn__regex_no(p, "it has more than 512 characters, classes and groups");
    node->kind = (uint8_t)kind;
    node->least = node->most = 1;
    node->first = p->regex->range_count;
    return p->regex->node_count;
}

static nn__regex_range *nn__regex_range_of(nn__regex_parser *p, nn__regex_node *node) {
    node->count++;
    return &p->regex->ranges[p->regex->range_count++];
}

static void nn__regex_points(nn__regex_parser *p, nn__regex_node *node, uint32_t from,
                             uint32_t to) {
    nn__regex_range *range = nn__regex_range_of(p, node);
    range->from = from;
    range->to = to;
}

/* Adds a letter; with (?i: also its other cases. s and k have a third one. */
static void nn__regex_letter(nn__regex_parser *p, nn__regex_node *node, uint32_t point) {
    uint32_t lower = point | 32;
    nn__regex_points(p, node, point, point);
    if (!p->any_case) return;
    if (point >= 128)
        nn__regex_no(p, "(?i: with a letter that is not ASCII");
    else if (lower >= 'a' && lower <= 'z')
        nn__regex_points(p, node, point ^ 32, point ^ 32);
    if (lower == 's') nn__regex_points(p, node, 0x17f, 0x17f);
    if (lower == 'k') nn__regex_points(p, node, 0x212a, 0x212a);
}

/* Reads \p{..}: one property, from the tables. */
static void nn__regex_property(nn__regex_parser *p, nn__regex_node *node, bool none) {
    static const struct {
        char name[4];
        uint16_t bits, without;
    } known[] = {{"L}", NN__TEXT_LETTER, 0},
                 {"N}", NN__TEXT_NUMBER, 0},
                 {"M}", NN__TEXT_MARK, 0},
                 {"Lu}", NN__TEXT_UPPER, 0},
                 {"Lt}", NN__TEXT_TITLE, 0},
                 {"Ll}", NN__TEXT_LOWER, 0},
                 {"Lm}", NN__TEXT_MODIFIER, 0},
                 {"P}", NN__TEXT_SIGN, 0},
                 {"S}", NN__TEXT_SYMBOL, 0},
                 {"Lo}", NN__TEXT_LETTER,
                  NN__TEXT_UPPER | NN__TEXT_TITLE | NN__TEXT_LOWER | NN__TEXT_MODIFIER}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t length = strlen(known[i].name);
        nn__regex_range *range;
        if (p->bytes - p->at <= length || p->text[p->at] != '{' ||
            memcmp(p->text + p->at + 1, known[i].name, length) != 0)
            continue;
        range = nn__regex_range_of(p, node);
        range->bits = known[i].bits;
        range->without = known[i].without;
        range->none = none;
        p->at += length + 1;
        return;
    }
    nn__regex_no(p, "\\p{...} with a property other than L, Lu, Ll, Lt, Lm, Lo, M, N, P, S");
}

/* Reads one character, possibly escaped. Returns UINT32_MAX if it was a class, which it adds to the
   node. */
static uint32_t nn__regex_one(nn__regex_parser *p, nn__regex_node *node) {
    static const char meant[] = "n\nr\rt\tf\fv\v";
    size_t length;
    uint32_t point = nn__text_decode(p->text, p->bytes, p->at, &length);
    nn__regex_range *range;
    p->at += length;
    if (point != '\\') return point;
    if (p->at >= p->bytes) return nn__regex_no(p, "a \\ at the end");
    point = (unsigned char)p->text[p->at++];
    for (int i = 0; i < 10; i += 2)
        if ((uint32_t)meant[i] == point) return (uint32_t)meant[i + 1];
    if (point == 'p' || point == 'P')
        nn__regex_property(p, node, point == 'P');
    else if (point == 's' || point == 'S') {
        range = nn__regex_range_of(p, node);
        range->bits = NN__TEXT_SPACE;
        range->none = point == 'S';
    } else if (point < 128 && !(point >= '0' && point <= '9') &&
               !((point | 32) >= 'a' && (point | 32) <= 'z'))
        return point;
    else
        nn__regex_no(p, "a letter after \\ that is not one of n r t f v s S p P");
    return UINT32_MAX;
}

static void nn__regex_class(nn__regex_parser *p, nn__regex_node *node) {
    if (p->at < p->bytes && p->text[p->at] == '^') {
        node->negated = true;
        p->at++;
    }
    if (p->at < p->bytes && p->text[p->at] == ']')
        nn__regex_no(p, "a character class that begins with ]");
    while (!p->why && p->at < p->bytes && p->text[p->at] != ']') {
        uint32_t from, to;
        if (p->text[p->at] == '[' ||
            (p->text[p->at] == '&' && p->at + 1 < p->bytes && p->text[p->at + 1] == '&')) {
            nn__regex_no(p, "a class in a class");
            return;
        }
        from = nn__regex_one(p, node);
        if (from == UINT32_MAX) continue;
        if (p->at + 1 >= p->bytes || p->text[p->at] != '-' || p->text[p->at + 1] == ']') {
            nn__regex_letter(p, node, from);
            continue;
        }
        p->at++;
        to = nn__regex_one(p, node);
        if (to == UINT32_MAX || to < from || p->any_case)
            nn__regex_no(p, p->any_case
                                ? "(?i: with a range of characters"
                                : "a range of characters whose end comes before its beginning");
        nn__regex_points(p, node, from, to);
    }
    if (p->at >= p->bytes) nn__regex_no(p, "a class without ]");
    p->at++;
}

/* Reads a repeat after a node: ? * + {n} {n,m} {n,}. A + after one of the first three makes it
   possessive. */
static void nn__regex_repeat(nn__regex_parser *p, nn__regex_node *node) {
    char c = p->at < p->bytes ? p->text[p->at] : 0;
    if (c == '{') {
        uint32_t numbers[2] = {0, NN__REGEX_MOST}, digits = 0, which = 0;
        for (p->at++; p->at < p->bytes && p->text[p->at] != '}'; p->at++) {
            c = p->text[p->at];
            if (c == ',' && which == 0 && digits > 0) {
                which = 1;
                digits = 0;
            } else if (c < '0' || c > '9' || ++digits > 4)
                nn__regex_no(p, "{...} other than {n}, {n,} or {n,m} with numbers below 10000");
            else
                numbers[which] = (digits == 1 ? 0 : numbers[which] * 10) + (uint32_t)(c - '0');
        }
        if (p->at++ >= p->bytes || (which == 0 && digits == 0))
            nn__regex_no(p, "{...} that does not end, or is empty");
        node->least = numbers[0];
        node->most = which ? numbers[1] : numbers[0];
        if (node->most < node->least || node->most == 0) nn__regex_no(p, "{n,m} that is empty");
    } else if (c == '?' || c == '*' || c == '+') {
        node->least = c == '+';
        node->most = c == '?' ? 1 : NN__REGEX_MOST;
        if (++p->at < p->bytes && p->text[p->at] == '+') {
            node->possessive = true;
            p->at++;
        }
    } else
        return;
    c = p->at < p->bytes ? p->text[p->at] : 0;
    if (c && strchr("?*+{", c)) nn__regex_no(p, "a repeat of a repeat, or a lazy repeat");
    if (node->kind != NN__REGEX_SET && (node->most > 1 || node->kind == NN__REGEX_AHEAD))
        nn__regex_no(p, "a group that repeats");
}

static uint32_t nn__regex_group(nn__regex_parser *p, int kind);

/* Reads a character, a class or a group, with its repeat. */
static uint32_t nn__regex_item(nn__regex_parser *p) {
    static const struct {
        const char *text;
        int kind, flag; /* 1: (?i:, 2: negative look-ahead, 3: atomic */
    } groups[] = {{"(?:", NN__REGEX_GROUP, 0}, {"(?i:", NN__REGEX_GROUP, 1},
                  {"(?!", NN__REGEX_AHEAD, 2}, {"(?=", NN__REGEX_AHEAD, 0},
                  {"(?>", NN__REGEX_GROUP, 3}, {"(", NN__REGEX_GROUP, 0}};
    uint32_t index;
    nn__regex_node *node;
    char c = p->text[p->at];
    if (c == '(') {
        int i = 0;
        bool any_case = p->any_case;
        size_t length;
        while ((length = strlen(groups[i].text)) > p->bytes - p->at ||
               memcmp(groups[i].text, p->text + p->at, length) != 0)
            i++;
        p->at += length;
        if (length == 1 && p->at < p->bytes && p->text[p->at] == '?')
            return nn__regex_no(p, "a group that is not (?: (?i: (?! (?= (?>");
        p->any_case = any_case || groups[i].flag == 1;
        index = nn__regex_group(p, groups[i].kind);
        p->any_case = any_case;
        if (p->why) return 0;
        if (p->at >= p->bytes) return nn__regex_no(p, "a group without )");
        p->at++;
        node = &p->regex->nodes[index];
        node->negated = groups[i].flag == 2;
        node->possessive = groups[i].flag == 3;
    } else {
        uint32_t point;
        if (strchr("?*+{^$.", c) && c)
            return nn__regex_no(p, "a sign that needs a \\ before it");
        index = nn__regex_node_of(p, NN__REGEX_SET);
        node = &p->regex->nodes[index];
        if (c == '[') {
            p->at++;
            nn__regex_class(p, node);
        } else if ((point = nn__regex_one(p, node)) != UINT32_MAX) {
            nn__regex_letter(p, node, point);
            if (p->any_case && ((p->before == 's' && strchr("st", (int)point | 32)) ||
                                (p->before == 'f' && strchr("fil", (int)point | 32))))
                nn__regex_no(p, "ss, st, ff, fi or fl under (?i:, which match the German sharp s "
                                "and ligatures too");
            p->before = (char)(point < 128 ? point | 32 : 0);
        }
        for (uint32_t i = 0; i < 128; i++)
            if (nn__regex_in(p->regex, node, i)) node->ascii[i >> 5] |= 1u << (i & 31);
    }
    nn__regex_repeat(p, node);
    return index;
}

/* Reads alternatives up to ) or the end. `count` becomes the least number of characters that they
   match. */
static uint32_t nn__regex_group(nn__regex_parser *p, int kind) {
    uint32_t group = nn__regex_node_of(p, kind), last = 0, least = NN__REGEX_MOST;
    nn__regex_node *nodes = p->regex->nodes;
    nodes[group].first = 0;
    if (++p->deep > NN__REGEX_DEEP) return nn__regex_no(p, "groups that are nested too deep");
    do {
        uint32_t way = nn__regex_node_of(p, NN__REGEX_WAY), *link = &nodes[way].first, taken = 0;
        *(last ? &nodes[last].next : &nodes[group].first) = way;
        last = way;
        *link = 0;
        p->before = 0;
        while (!p->why && p->at < p->bytes && p->text[p->at] != '|' && p->text[p->at] != ')') {
            uint32_t item = nn__regex_item(p);
            const nn__regex_node *node = &nodes[item];
            if (p->why) return 0;
            *link = item;
            link = &nodes[item].next;
            if (node->kind == NN__REGEX_SET) taken += node->least;
            if (node->kind == NN__REGEX_GROUP) taken += node->least * node->count;
        }
        if (taken < least) least = taken;
    } while (!p->why && p->at < p->bytes && p->text[p->at] == '|' && ++p->at);
    nodes[group].count = least;
    p->deep--;
    return group;
}

NN__TEXT_PRIVATE const nn__regex *nn__regex_read(nn__text_call *call, nn_tokenizer *t,
                                                 const char *text, size_t bytes, const char **why) {
    nn__regex_parser p;
    nn__regex *regex = (nn__regex *)nn__text_take(call, t, sizeof *regex);
    *why = NULL;
    memset(&p, 0, sizeof p);
    if (!regex) return NULL;
    if (bytes > NN__REGEX_LONGEST) {
        *why = "it is longer than 4096 bytes";
        return NULL;
    }
    /* Each node takes a byte of the expression, except alternatives. A letter has up to three
       ranges. */
    regex->nodes = (nn__regex_node *)nn__text_take(call, t, (bytes * 2 + 4) * sizeof *regex->nodes);
    regex->ranges =
        (nn__regex_range *)nn__text_take(call, t, (bytes * 3 + 4) * sizeof *regex->ranges);
    if (!regex->nodes || !regex->ranges) return NULL;
    regex->unicode = t->unicode;
    p.regex = regex;
    p.text = text;
    p.bytes = bytes;
    nn__regex_group(&p, NN__REGEX_GROUP);
    if (!p.why && p.at < bytes) nn__regex_no(&p, "a ) without its group");
    if (!p.why && regex->nodes[1].count == 0) nn__regex_no(&p, "it can match an empty text");
    *why = p.why;
    return p.why ? NULL : regex;
}
