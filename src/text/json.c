/* text/json.c - JSON (RFC 8259) from other programs' files. The whole text is checked once, without
   recursion; afterwards values are visited without checks. Only strings are copied, on demand. */
#include "text/private.h"

enum { NN__JSON_DEPTH = 64 };

static size_t nn__json_blank(const nn__text_json *json, size_t at) {
    while (at < json->size && (json->text[at] == ' ' || json->text[at] == '\n' ||
                               json->text[at] == '\r' || json->text[at] == '\t'))
        at++;
    return at;
}

NN__TEXT_PRIVATE int64_t nn__json_line(const nn__text_json *json, size_t at) {
    int64_t line = 1;
    for (size_t i = 0; i < at && i < json->size; i++) line += json->text[i] == '\n';
    return line;
}

NN__TEXT_PRIVATE bool nn__json_fail(const nn__text_json *json, size_t at, const char *what,
                                    const char *wanted) {
    return nn__text_fail(json->call, NN_ERROR_FORMAT, "%s, line %d: %s%s%s", json->name,
                         nn__json_line(json, at), what, wanted ? "; wanted " : "",
                         wanted ? wanted : "");
}

/* ---- checking -------------------------------------------------------------------------------- */

static bool nn__json_digits(const nn__text_json *json, size_t *at) {
    size_t begin = *at;
    while (*at < json->size && json->text[*at] >= '0' && json->text[*at] <= '9') ++*at;
    return *at > begin;
}

static bool nn__json_check_number(nn__text_json *json, size_t *at) {
    size_t begin = *at;
    if (json->text[*at] == '-') ++*at;
    if (*at < json->size && json->text[*at] == '0')
        ++*at;
    else if (!nn__json_digits(json, at))
        return nn__json_fail(json, begin, "a value is missing", NULL);
    if (*at < json->size && json->text[*at] == '.') {
        ++*at;
        if (!nn__json_digits(json, at))
            return nn__json_fail(json, begin, "a number is incomplete", NULL);
    }
    if (*at < json->size && (json->text[*at] == 'e' || json->text[*at] == 'E')) {
        ++*at;
        if (*at < json->size && (json->text[*at] == '+' || json->text[*at] == '-')) ++*at;
        if (!nn__json_digits(json, at))
            return nn__json_fail(json, begin, "a number is incomplete", NULL);
    }
    return true;
}

/* Returns the value of the four hexadecimal digits at `at`; NN__TEXT_NONE: invalid. */
static uint32_t nn__json_hex(const nn__text_json *json, size_t at) {
    uint32_t value = 0;
    if (json->size - at < 4) return NN__TEXT_NONE;
    for (int i = 0; i < 4; i++) {
        char c = json->text[at + (size_t)i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                         : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
                                                : NN__TEXT_NONE;
        if (digit == NN__TEXT_NONE) return digit;
        value = value * 16 + digit;
    }
    return value;
}

static bool nn__json_check_escape(nn__text_json *json, size_t *at) {
    char c = *at + 1 < json->size ? json->text[*at + 1] : 0;
    uint32_t point;
    if (c != 'u') {
        if (!c || !strchr("\"\\/bfnrt", c))
            return nn__json_fail(json, *at, "a string has an unknown escape", NULL);
        *at += 2;
        return true;
    }
    point = nn__json_hex(json, *at + 2);
    if (point == NN__TEXT_NONE)
        return nn__json_fail(json, *at, "\\u is not followed by four hexadecimal digits", NULL);
    *at += 6;
    if (point - 0xd800 < 0x400) {
        uint32_t low =
            json->size - *at >= 6 && json->text[*at] == '\\' && json->text[*at + 1] == 'u'
                ? nn__json_hex(json, *at + 2)
                : NN__TEXT_NONE;
        if (low == NN__TEXT_NONE || low - 0xdc00 >= 0x400)
            return nn__json_fail(json, *at, "a surrogate pair is incomplete", NULL);
        *at += 6;
    } else if (point - 0xdc00 < 0x400)
        return nn__json_fail(json, *at, "a surrogate pair is incomplete", NULL);
    return true;
}

static bool nn__json_check_string(nn__text_json *json, size_t *at) {
    size_t begin = ++*at;
    while (*at < json->size && json->text[*at] != '"') {
        if ((unsigned char)json->text[*at] < 32)
            return nn__json_fail(json, *at, "a string has a control character", "an escape");
        if (json->text[*at] != '\\')
            ++*at;
        else if (!nn__json_check_escape(json, at))
            return false;
    }
    if (*at >= json->size) return nn__json_fail(json, begin, "a string does not end", NULL);
    if (!nn__text_is_utf8(json->text + begin, *at - begin))
        return nn__json_fail(json, begin, "a string is not UTF-8", NULL);
    ++*at;
    return true;
}

static bool nn__json_check_plain(nn__text_json *json, size_t *at) {
    static const char *const words[3] = {"true", "false", "null"};
    char c = json->text[*at];
    if (c == '"') return nn__json_check_string(json, at);
    if (c == '-' || (c >= '0' && c <= '9')) return nn__json_check_number(json, at);
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(words[i]);
        if (json->size - *at >= length && memcmp(json->text + *at, words[i], length) == 0) {
            *at += length;
            return true;
        }
    }
    return nn__json_fail(json, *at, "a value is missing", NULL);
}

/* Checks the key and the colon of a member. */
static bool nn__json_check_key(nn__text_json *json, size_t *at) {
    *at = nn__json_blank(json, *at);
    if (*at >= json->size || json->text[*at] != '"')
        return nn__json_fail(json, *at, "an object lacks a key", "a string");
    if (!nn__json_check_string(json, at)) return false;
    *at = nn__json_blank(json, *at);
    if (*at >= json->size || json->text[*at] != ':')
        return nn__json_fail(json, *at, "a colon is missing after a key", NULL);
    ++*at;
    return true;
}

NN__TEXT_PRIVATE bool nn__json_check(nn__text_json *json) {
    char open[NN__JSON_DEPTH];
    int depth = 0;
    size_t at = nn__json_blank(json, 0);
    if (at >= json->size || json->text[at] != '{')
        return nn__json_fail(json, at, "the file does not begin with an object", "{");
    do {
        bool empty = false;
        at = nn__json_blank(json, at);
        if (at >= json->size) return nn__json_fail(json, at, "the file ends too early", NULL);
        if (json->text[at] == '{' || json->text[at] == '[') {
            if (depth == NN__JSON_DEPTH)
                return nn__json_fail(json, at, "values are nested more than 64 deep", NULL);
            open[depth++] = json->text[at++];
            at = nn__json_blank(json, at);
            empty = at < json->size && json->text[at] == (open[depth - 1] == '{' ? '}' : ']');
            if (!empty) {
                if (open[depth - 1] == '{' && !nn__json_check_key(json, &at)) return false;
                continue;
            }
        } else if (!nn__json_check_plain(json, &at))
            return false;
        while (depth > 0) {
            at = nn__json_blank(json, at);
            if (at < json->size && json->text[at] == ',' && !empty) break;
            if (at >= json->size || json->text[at] != (open[depth - 1] == '{' ? '}' : ']'))
                return nn__json_fail(json, at, "a comma or a closing bracket is missing", NULL);
            at++;
            depth--;
            empty = false;
        }
        if (depth > 0) {
            at++;
            if (open[depth - 1] == '{' && !nn__json_check_key(json, &at)) return false;
        }
    } while (depth > 0);
    at = nn__json_blank(json, at);
    if (at < json->size) return nn__json_fail(json, at, "there is text after the last }", NULL);
    return true;
}

/* ---- walking --------------------------------------------------------------------------------- */

NN__TEXT_PRIVATE char nn__json_type(const nn__text_json *json, size_t at) {
    char c = json->text[at];
    return c == '-' || (c >= '0' && c <= '9') ? '0' : c;
}

static size_t nn__json_skip_string(const nn__text_json *json, size_t at) {
    for (at++; json->text[at] != '"'; at++) at += json->text[at] == '\\';
    return at + 1;
}

/* Returns the position after a value. */
static size_t nn__json_skip(const nn__text_json *json, size_t at) {
    int depth = 0;
    do {
        char c = json->text[at];
        if (c == '"') {
            at = nn__json_skip_string(json, at);
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        at++;
        if (depth == 0 && c != '}' && c != ']') /* skips to the end of a number or a word */
            while (at < json->size && !strchr(",]} \n\r\t", json->text[at])) at++;
    } while (depth > 0);
    return at;
}

/* Returns the position after the comma that follows a value; 0: there is none. */
static size_t nn__json_comma(const nn__text_json *json, size_t at) {
    at = nn__json_blank(json, at);
    return at < json->size && json->text[at] == ',' ? nn__json_blank(json, at + 1) : 0;
}

NN__TEXT_PRIVATE size_t nn__json_first(const nn__text_json *json, size_t at) {
    at = nn__json_blank(json, at + 1);
    return json->text[at] == '}' || json->text[at] == ']' ? 0 : at;
}

NN__TEXT_PRIVATE size_t nn__json_next(const nn__text_json *json, size_t at) {
    return nn__json_comma(json, nn__json_skip(json, at));
}

NN__TEXT_PRIVATE size_t nn__json_value(const nn__text_json *json, size_t key) {
    return nn__json_blank(json, nn__json_blank(json, nn__json_skip_string(json, key)) + 1);
}

NN__TEXT_PRIVATE size_t nn__json_after(const nn__text_json *json, size_t key) {
    return nn__json_next(json, nn__json_value(json, key));
}

NN__TEXT_PRIVATE size_t nn__json_find(const nn__text_json *json, size_t at, const char *key) {
    size_t member = json->text[at] == '{' ? nn__json_first(json, at) : 0;
    while (member && !nn__json_is(json, member, key)) member = nn__json_after(json, member);
    return member ? nn__json_value(json, member) : 0;
}

NN__TEXT_PRIVATE size_t nn__json_span(const nn__text_json *json, size_t at) {
    return nn__json_skip_string(json, at) - at - 2;
}

NN__TEXT_PRIVATE size_t nn__json_string(const nn__text_json *json, size_t at, char *to) {
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    size_t length = 0;
    for (at++; json->text[at] != '"'; at++) {
        uint32_t point;
        char c = json->text[at];
        if (c != '\\') {
            to[length++] = c;
            continue;
        }
        c = json->text[++at];
        if (c != 'u') {
            const char *letter = strchr(letters, c);
            to[length++] = letter ? meant[letter - letters] : c;
            continue;
        }
        point = nn__json_hex(json, at + 1);
        at += 4;
        if (point - 0xd800 < 0x400) {
            point = 0x10000 + ((point - 0xd800) << 10) + (nn__json_hex(json, at + 3) - 0xdc00);
            at += 6;
        }
        length += nn__text_put(to + length, point);
    }
    return length;
}

NN__TEXT_PRIVATE bool nn__json_is(const nn__text_json *json, size_t at, const char *text) {
    char word[64];
    size_t length = strlen(text);
    if (!at || json->text[at] != '"' || nn__json_span(json, at) >= sizeof word) return false;
    return nn__json_string(json, at, word) == length && memcmp(word, text, length) == 0;
}

NN__TEXT_PRIVATE bool nn__json_integer(const nn__text_json *json, size_t at, int64_t *value) {
    bool negative = at && json->text[at] == '-';
    *value = 0;
    if (!at || nn__json_type(json, at) != '0') return false;
    for (at += negative; at < json->size && json->text[at] >= '0' && json->text[at] <= '9'; at++) {
        if (*value > 1000000000000) return false;
        *value = *value * 10 + (json->text[at] - '0');
    }
    if (at < json->size && strchr(".eE", json->text[at])) return false;
    if (negative) *value = -*value;
    return true;
}

NN__TEXT_PRIVATE bool nn__json_keys(const nn__text_json *json, size_t at, const char *keys) {
    uint32_t seen = 0;
    for (size_t key = nn__json_first(json, at); key; key = nn__json_after(json, key)) {
        size_t span = nn__json_span(json, key), length = 0;
        const char *word = keys;
        uint32_t bit = 1;
        for (; *word; word += length + (word[length] == ' '), bit <<= 1) {
            length = strcspn(word, " ");
            if (length == span && memcmp(json->text + key + 1, word, span) == 0) break;
        }
        if (*word && !(seen & bit)) {
            seen |= bit;
            continue;
        }
        return nn__text_fail(json->call, *word ? NN_ERROR_FORMAT : NN_ERROR_UNSUPPORTED,
                             "%s, line %d: the key %q %s; supported keys: %s", json->name,
                             nn__json_line(json, key), span, json->text + key + 1,
                             *word ? "occurs twice" : "is not supported", keys);
    }
    return true;
}
