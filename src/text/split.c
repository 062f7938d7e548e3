/* text/split.c - pre-tokenizers, which split text into words. The regular expressions of GPT-2,
   Llama 3 and Qwen are recognised by their spelling and written out here; regex.c handles
   others. */
#include "text/private.h"

#define NN__TEXT_NO_WORD (NN__TEXT_SPACE | NN__TEXT_LETTER | NN__TEXT_NUMBER)

/* Returns the kind of the character at `at` < end. *behind: the position after it. */
static uint32_t nn__text_look(const nn__text_scan *scan, size_t at, size_t *behind) {
    unsigned char c = (unsigned char)scan->text[at];
    size_t length = 1;
    uint32_t point = c < 0x80 ? c : nn__text_decode(scan->text, scan->end, at, &length);
    *behind = at + length;
    return nn__text_kind(scan->u, point);
}

/* Returns the position after all characters from `at` on whose kind has one of the bits (none: has
   none of them). */
static size_t nn__text_run(const nn__text_scan *scan, size_t at, uint32_t bits, bool none) {
    size_t behind;
    while (at < scan->end) {
        bool has = (nn__text_look(scan, at, &behind) & bits) != 0;
        if (has == none) break;
        at = behind;
    }
    return at;
}

/* \s+(?!\S)|\s+ : white space, without its last character if text follows and something is left. */
static size_t nn__text_spaces(const nn__text_scan *scan, size_t at) {
    size_t end = nn__text_run(scan, at, NN__TEXT_SPACE, false), last = end;
    if (end == scan->end) return end;
    do last--;
    while (((unsigned char)scan->text[last] & 0xc0) == 0x80);
    return last > at ? last : end;
}

/* Returns the position after 's 't 'm 'd 're 've 'll; `at` itself: none of them is there. */
static size_t nn__text_contraction(const nn__text_scan *scan, size_t at, bool any_case) {
    const unsigned char *c = (const unsigned char *)scan->text + at;
    size_t left = scan->end - at;
    unsigned char first, second;
    if (c[0] != '\'' || left < 2) return at;
    first = any_case && c[1] >= 'A' && c[1] <= 'Z' ? (unsigned char)(c[1] + 32) : c[1];
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
    if (left < 3) return at;
    if (any_case && c[1] == 0xc5 && c[2] == 0xbf) return at + 3; /* U+017F, a long s */
    second = any_case && c[2] >= 'A' && c[2] <= 'Z' ? (unsigned char)(c[2] + 32) : c[2];
    if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
        (first == 'l' && second == 'l'))
        return at + 3;
    return at;
}

static size_t nn__text_gpt2(const nn__text_scan *scan, size_t at) {
    size_t begin = nn__text_contraction(scan, at, false), behind;
    uint32_t kind;
    if (begin > at) return begin;
    begin = at + (scan->text[at] == ' ' && at + 1 < scan->end);
    kind = nn__text_look(scan, begin, &behind);
    if (kind & NN__TEXT_LETTER) return nn__text_run(scan, behind, NN__TEXT_LETTER, false);
    if (kind & NN__TEXT_NUMBER) return nn__text_run(scan, behind, NN__TEXT_NUMBER, false);
    if (!(kind & NN__TEXT_SPACE)) return nn__text_run(scan, behind, NN__TEXT_NO_WORD, true);
    return nn__text_spaces(scan, at);
}

/* Matches Llama 3's pattern, and with one digit Qwen's. */
static size_t nn__text_llama3(const nn__text_scan *scan, size_t at, int digits) {
    size_t begin = nn__text_contraction(scan, at, true), behind, next;
    uint32_t kind;
    bool line;
    if (begin > at) return begin;
    kind = nn__text_look(scan, at, &behind);
    line = scan->text[at] == '\n' || scan->text[at] == '\r';
    if (kind & NN__TEXT_LETTER) return nn__text_run(scan, behind, NN__TEXT_LETTER, false);
    if (kind & NN__TEXT_NUMBER) {
        for (int i = 1; i < digits && behind < scan->end; i++) {
            if (!(nn__text_look(scan, behind, &next) & NN__TEXT_NUMBER)) break;
            behind = next;
        }
        return behind;
    }
    if (!line && behind < scan->end && (nn__text_look(scan, behind, &next) & NN__TEXT_LETTER))
        return nn__text_run(scan, next, NN__TEXT_LETTER, false);
    begin = at + (scan->text[at] == ' ' && at + 1 < scan->end);
    if (!(nn__text_look(scan, begin, &next) & NN__TEXT_NO_WORD)) {
        begin = nn__text_run(scan, next, NN__TEXT_NO_WORD, true);
        while (begin < scan->end && (scan->text[begin] == '\n' || scan->text[begin] == '\r'))
            begin++;
        return begin;
    }
    /* \s*[\r\n]+ : up to the end of the last line */
    begin = nn__text_run(scan, at, NN__TEXT_SPACE, false);
    while (begin > at && scan->text[begin - 1] != '\n' && scan->text[begin - 1] != '\r') begin--;
    return begin > at ? begin : nn__text_spaces(scan, at);
}

/* By NN_PATTERN_: the kind of splitting, and the expression. GPT-4's cl100k is the same as Llama
   3's. */
static const struct {
    int kind;
    const char *regex;
} nn__text_patterns[] = {
    {NN__TEXT_SPLIT_GPT2,
     "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+"},
    {NN__TEXT_SPLIT_LLAMA3, "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
                            "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
    {NN__TEXT_SPLIT_QWEN2, "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
                           "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
    {NN__TEXT_SPLIT_WHOLE, NULL},
    {NN__TEXT_SPLIT_REGEX,
     "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+"
     "(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+"
     "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}"
     "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}};

/* Recognises patterns with written-out code, which is faster. */
NN__TEXT_PRIVATE void nn__text_know_pattern(nn__text_step *step) {
    for (size_t i = 0; i < sizeof nn__text_patterns / sizeof nn__text_patterns[0]; i++)
        if (nn__text_patterns[i].regex && strlen(nn__text_patterns[i].regex) == step->text_bytes &&
            memcmp(nn__text_patterns[i].regex, step->text, step->text_bytes) == 0)
            step->kind = nn__text_patterns[i].kind;
}

/* Makes a step that splits by a pattern. */
NN__TEXT_PRIVATE bool nn__text_by_pattern(nn__text_call *call, nn_tokenizer *t, nn__text_step *step,
                                          nn_pattern pattern) {
    const char *why;
    step->kind = nn__text_patterns[pattern].kind;
    step->text = nn__text_patterns[pattern].regex;
    step->text_bytes = step->text ? (uint32_t)strlen(step->text) : 0;
    if (step->kind != NN__TEXT_SPLIT_REGEX) return true;
    step->regex = nn__regex_read(call, t, step->text, step->text_bytes, &why);
    return step->regex != NULL;
}

static bool nn__text_begins(const nn__text_scan *scan, size_t at, const nn__text_step *step) {
    return scan->end - at >= step->text_bytes &&
           memcmp(scan->text + at, step->text, step->text_bytes) == 0;
}

NN__TEXT_PRIVATE size_t nn__text_next_piece(nn__text_scan *scan, const nn__text_step *step,
                                            size_t at, bool *found) {
    uint32_t bits, kind;
    size_t behind;
    *found = true;
    switch (step->kind) {
    case NN__TEXT_SPLIT_GPT2: return nn__text_gpt2(scan, at);
    case NN__TEXT_SPLIT_LLAMA3: return nn__text_llama3(scan, at, 3);
    case NN__TEXT_SPLIT_QWEN2: return nn__text_llama3(scan, at, 1);
    case NN__TEXT_SPLIT_REGEX:
        while ((behind = nn__regex_match(scan, step->regex, at)) == NN__TEXT_NOWHERE) {
            *found = false;
            nn__text_look(scan, at, &at);
            if (at == scan->end || scan->left <= 0) return at;
        }
        return *found ? behind : at;
    case NN__TEXT_SPLIT_WHITESPACE: /* words and punctuation are matches */
        kind = nn__text_look(scan, at, &behind);
        if (kind & NN__TEXT_WORD) return nn__text_run(scan, behind, NN__TEXT_WORD, false);
        bits = NN__TEXT_WORD | NN__TEXT_SPACE;
        if (!(kind & bits)) return nn__text_run(scan, behind, bits, true);
        *found = false;
        return nn__text_run(scan, behind, NN__TEXT_SPACE, false);
    case NN__TEXT_SPLIT_LITERAL:
    case NN__TEXT_SPLIT_METASPACE:
        if (nn__text_begins(scan, at, step)) return at + step->text_bytes;
        *found = false;
        do at++;
        while (at < scan->end && !nn__text_begins(scan, at, step));
        return at;
    case NN__TEXT_SPLIT_SPACES: bits = NN__TEXT_SPACE; break;
    case NN__TEXT_SPLIT_PUNCTUATION: bits = NN__TEXT_PUNCT; break;
    default: bits = NN__TEXT_NUMERIC;
    }
    *found = (nn__text_look(scan, at, &behind) & bits) != 0;
    return *found ? behind : nn__text_run(scan, behind, bits, true);
}

/* ---- what becomes of pieces ------------------------------------------------------------------ */

static bool nn__text_split_at(nn__text_sink *sink, const nn__text_string *s, size_t from, size_t to,
                              uint32_t step);

/* Drops white space and isolates punctuation, as BERT does. */
static bool nn__text_split_bert(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                size_t to, uint32_t step) {
    nn__text_scan scan;
    size_t behind;
    scan.u = sink->t->unicode;
    scan.text = s->text;
    scan.end = to;
    while (from < to) {
        uint32_t kind = nn__text_look(&scan, from, &behind);
        if (!(kind & (NN__TEXT_SPACE | NN__TEXT_PUNCT)))
            behind = nn__text_run(&scan, behind, NN__TEXT_SPACE | NN__TEXT_PUNCT, true);
        if (!(kind & NN__TEXT_SPACE) && !nn__text_split_at(sink, s, from, behind, step + 1))
            return false;
        from = behind;
    }
    return true;
}

/* Joins pieces to words. `open`: the start of a word that the next piece may still join. */
static bool nn__text_split_pieces(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                  size_t to, uint32_t number) {
    const nn__text_step *step = &sink->t->splitters[number];
    size_t open = from, at = from;
    bool is_open = false, was_found = false, found;
    nn__text_scan scan;
    scan.u = sink->t->unicode;
    scan.text = s->text;
    scan.end = to;
    scan.left = (1 << 20) + (int64_t)(to - from) * 256;
    while (at < to) {
        size_t behind = nn__text_next_piece(&scan, step, at, &found);
        bool joins = false;
        if (scan.left <= 0)
            return nn__text_fail(sink->call, NN_ERROR_UNSUPPORTED,
                                 "the regular expression %q of the tokenizer takes too long on a "
                                 "text of %d bytes, at %q",
                                 (size_t)step->text_bytes, step->text, (int64_t)(to - from),
                                 to - at, s->text + at);
        found = found != step->invert;
        if (is_open && step->behavior == NN__TEXT_CONTIGUOUS) joins = found == was_found;
        if (is_open && step->behavior == NN__TEXT_MERGED_WITH_PREVIOUS) joins = found && !was_found;
        if (is_open && step->behavior == NN__TEXT_MERGED_WITH_NEXT) joins = was_found && !found;
        if (!joins) {
            if (is_open && !nn__text_split_at(sink, s, open, at, number + 1)) return false;
            open = at;
            is_open = !(found && step->behavior == NN__TEXT_REMOVED);
        }
        was_found = found;
        at = behind;
    }
    return !is_open || nn__text_split_at(sink, s, open, to, number + 1);
}

/* Prepends `before` (with the position of the first character), and replaces each space by `blank`
   (NULL: keeps spaces). The result is in the tokenizer's buffer. */
static bool nn__text_respell(nn__text_sink *sink, const nn__text_string *s, size_t *from,
                             size_t *to, const char *before, const char *blank,
                             nn__text_string *spelled) {
    nn__text_room *room = &sink->t->spaced;
    size_t many = strlen(before), bytes = *to - *from, length, in = 0, each = 1;
    uint32_t *starts, *ends;
    char *text;
    if (blank) each = strlen(blank);
    if (!nn__text_grow(sink->call, &room->text, (uint64_t)bytes * each + many) ||
        !nn__text_grow(sink->call, &room->starts,
                       (bytes * (uint64_t)each + many) * sizeof *starts) ||
        !nn__text_grow(sink->call, &room->ends, (bytes * (uint64_t)each + many) * sizeof *ends))
        return false;
    text = (char *)room->text.data;
    starts = (uint32_t *)room->starts.data;
    ends = (uint32_t *)room->ends.data;
    memcpy(text, before, many);
    for (size_t at = *from, put; at < *to; at += length) {
        const char *letter = s->text + at;
        uint32_t start, end;
        nn__text_decode(s->text, *to, at, &length);
        start = s->starts ? s->starts[at] : s->base + (uint32_t)at;
        end = s->starts ? s->ends[at] : s->base + (uint32_t)(at + length);
        put = length;
        if (blank && *letter == ' ') {
            letter = blank;
            put = each;
        }
        if (at == *from)
            for (; in < many; in++) starts[in] = start, ends[in] = end;
        for (size_t i = 0; i < put; i++, in++) {
            text[in] = letter[i];
            starts[in] = start;
            ends[in] = end;
        }
    }
    spelled->text = text;
    spelled->bytes = in;
    spelled->starts = starts;
    spelled->ends = ends;
    spelled->base = s->base;
    *from = 0;
    *to = in;
    return true;
}

/* As SentencePiece does, replaces spaces by a sign. It is also prepended to words, always or only
   at the beginning of the text. */
static bool nn__text_metaspace(nn__text_sink *sink, const nn__text_step *step,
                               const nn__text_string *s, size_t *from, size_t *to,
                               nn__text_string *spelled) {
    bool begins =
        s->text[*from] == ' ' || (*to - *from >= step->text_bytes &&
                                  memcmp(s->text + *from, step->text, step->text_bytes) == 0);
    bool first = (s->starts ? s->starts[*from] : s->base + (uint32_t)*from) == 0;
    return nn__text_respell(sink, s, from, to,
                            !begins && (step->left || (step->right && first)) ? step->text : "",
                            step->text, spelled);
}

static bool nn__text_word(nn__text_sink *sink, const nn__text_string *s, size_t from, size_t to) {
    size_t length;
    switch (sink->t->model) {
    case NN__TEXT_BPE:
    case NN__TEXT_UNIGRAM: return nn__bpe_encode(sink, s, from, to);
    case NN__TEXT_WORDPIECE: return nn__wordpiece_encode(sink, s, from, to);
    case NN__TEXT_LEARNS: return nn__train_count(sink->t->train, s->text + from, to - from);
    case NN__TEXT_BYTES:
        for (; from < to; from++)
            if (!nn__text_push(sink, s, (unsigned char)s->text[from], from, from + 1)) return false;
        return true;
    default: break;
    }
    for (; from < to; from += length) {
        uint32_t point = nn__text_decode(s->text, to, from, &length);
        const nn__text_token *token = nn__text_find(sink->t, s->text + from, length);
        if (!token)
            return nn__text_fail(
                sink->call, NN_ERROR_INDEX,
                "the character %q (%x) is not in the text from which the tokenizer was made; make "
                "the tokenizer from a text that has all characters",
                length, s->text + from, point);
        if (!nn__text_push(sink, s, token->id, from, from + length)) return false;
    }
    return true;
}

static bool nn__text_split_at(nn__text_sink *sink, const nn__text_string *s, size_t from, size_t to,
                              uint32_t step) {
    const nn_tokenizer *t = sink->t;
    nn__text_string spaced;
    if (from >= to) return true;
    if (step == t->splitter_count) return nn__text_word(sink, s, from, to);
    if (t->splitters[step].left && t->splitters[step].kind != NN__TEXT_SPLIT_METASPACE &&
        s->text[from] != ' ') { /* ByteLevel, which is the last step */
        if (!nn__text_respell(sink, s, &from, &to, " ", NULL, &spaced)) return false;
        s = &spaced;
    }
    if (t->splitters[step].kind == NN__TEXT_SPLIT_METASPACE) {
        if (!nn__text_metaspace(sink, &t->splitters[step], s, &from, &to, &spaced)) return false;
        s = &spaced;
        if (t->splitters[step].invert) return nn__text_split_at(sink, s, from, to, step + 1);
    }
    if (t->splitters[step].kind == NN__TEXT_SPLIT_WHOLE) return nn__text_word(sink, s, from, to);
    if (t->splitters[step].kind == NN__TEXT_SPLIT_BERT)
        return nn__text_split_bert(sink, s, from, to, step);
    return nn__text_split_pieces(sink, s, from, to, step);
}

NN__TEXT_PRIVATE bool nn__text_split(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                     size_t to) {
    return nn__text_split_at(sink, s, from, to, 0);
}
