/* audio/json.c - JSON (RFC 8259). The text is checked once, without recursion; afterwards values
   are visited in place, without checks. Positions are offsets + 1, so that 0 is none. */
#include "audio/private.h"

enum { NN__AUDIO_DEPTH = 64 };

static bool nn__audio_json_fail(nn__audio_file *file, size_t at, const char *what) {
    int64_t line = 1;
    for (size_t i = 0; i < at && i < file->size; i++) line += file->text[i] == '\n';
    return nn__audio_fail(file, NN_ERROR_FORMAT, "line %d is not JSON: %s", line, what);
}

static size_t nn__audio_blank(const nn__audio_file *file, size_t at) {
    while (at < file->size && (file->text[at] == ' ' || file->text[at] == '\n' ||
                               file->text[at] == '\r' || file->text[at] == '\t'))
        at++;
    return at;
}

/* Returns the character at an offset; 0 at the end. */
static char nn__audio_at(const nn__audio_file *file, size_t at) {
    return at < file->size ? file->text[at] : (char)0;
}
static bool nn__audio_digit(const nn__audio_file *file, size_t at) {
    return nn__audio_at(file, at) >= '0' && nn__audio_at(file, at) <= '9';
}

static size_t nn__audio_digits(const nn__audio_file *file, size_t at) {
    while (nn__audio_digit(file, at)) at++;
    return at;
}

static bool nn__audio_check_number(nn__audio_file *file, size_t *at) {
    size_t i = *at + (nn__audio_at(file, *at) == '-');
    const size_t whole = nn__audio_digits(file, i);
    if (whole == i || (whole > i + 1 && file->text[i] == '0'))
        return nn__audio_json_fail(file, *at, "a value is missing (JSON has no NaN or Infinity)");
    i = whole;
    if (nn__audio_at(file, i) == '.') {
        if (!nn__audio_digit(file, ++i))
            return nn__audio_json_fail(file, i, "a number is incomplete");
        i = nn__audio_digits(file, i);
    }
    if (nn__audio_at(file, i) == 'e' || nn__audio_at(file, i) == 'E') {
        i++;
        i += nn__audio_at(file, i) == '+' || nn__audio_at(file, i) == '-';
        if (!nn__audio_digit(file, i))
            return nn__audio_json_fail(file, i, "a number is incomplete");
        i = nn__audio_digits(file, i);
    }
    *at = i;
    return true;
}

static bool nn__audio_check_string(nn__audio_file *file, size_t *at) {
    size_t i = *at + 1;
    for (; i < file->size && file->text[i] != '"'; i++) {
        if ((unsigned char)file->text[i] < 32)
            return nn__audio_json_fail(file, i, "a string has a control character");
        if (file->text[i] != '\\') continue;
        if (++i >= file->size || !strchr("\"\\/bfnrtu", file->text[i]) || !file->text[i])
            return nn__audio_json_fail(file, i, "a string has an unknown escape");
        if (file->text[i] != 'u') continue;
        for (int digit = 0; digit < 4; digit++, i++)
            if (i + 1 >= file->size || !file->text[i + 1] ||
                !strchr("0123456789abcdefABCDEF", file->text[i + 1]))
                return nn__audio_json_fail(file, i,
                                           "\\u is not followed by four hexadecimal digits");
    }
    if (i >= file->size) return nn__audio_json_fail(file, *at, "a string does not end");
    *at = i + 1;
    return true;
}

static bool nn__audio_check_plain(nn__audio_file *file, size_t *at) {
    static const char *const words[3] = {"true", "false", "null"};
    if (nn__audio_at(file, *at) == '"') return nn__audio_check_string(file, at);
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(words[i]);
        if (*at >= file->size || file->size - *at < length ||
            memcmp(file->text + *at, words[i], length) != 0)
            continue;
        *at += length;
        return true;
    }
    return nn__audio_check_number(file, at);
}

static bool nn__audio_check_key(nn__audio_file *file, size_t *at) {
    *at = nn__audio_blank(file, *at);
    if (nn__audio_at(file, *at) != '"')
        return nn__audio_json_fail(file, *at, "an object lacks a key");
    if (!nn__audio_check_string(file, at)) return false;
    *at = nn__audio_blank(file, *at);
    if (nn__audio_at(file, *at) != ':')
        return nn__audio_json_fail(file, *at, "a colon is missing after a key");
    ++*at;
    return true;
}

/* Closes lists and objects that end here, and goes over a comma to the next value. */
static bool nn__audio_check_after(nn__audio_file *file, const char *open, int *depth, size_t *at) {
    while (*depth > 0) {
        const char end = open[*depth - 1] == '{' ? '}' : ']';
        *at = nn__audio_blank(file, *at);
        if (nn__audio_at(file, *at) == ',') {
            ++*at;
            return open[*depth - 1] != '{' || nn__audio_check_key(file, at);
        }
        if (nn__audio_at(file, *at) != end)
            return nn__audio_json_fail(file, *at, "a comma or a closing bracket is missing");
        ++*at;
        --*depth;
    }
    return true;
}

NN__AUDIO_PRIVATE bool nn__audio_check_json(nn__audio_file *file, size_t *root) {
    char open[NN__AUDIO_DEPTH];
    int depth = 0;
    size_t at = nn__audio_blank(file, 0);
    if (nn__audio_at(file, at) != '{')
        return nn__audio_json_fail(file, at, "the file does not begin with an object");
    *root = at + 1;
    do {
        char c;
        at = nn__audio_blank(file, at);
        c = nn__audio_at(file, at);
        if (c == '{' || c == '[') {
            if (depth == NN__AUDIO_DEPTH)
                return nn__audio_json_fail(file, at, "values are nested more than 64 deep");
            open[depth++] = c;
            at = nn__audio_blank(file, at + 1);
            if (nn__audio_at(file, at) != (c == '{' ? '}' : ']')) {
                if (c == '{' && !nn__audio_check_key(file, &at)) return false;
                continue;
            }
            at++;
            depth--;
        } else if (!nn__audio_check_plain(file, &at)) {
            return false;
        }
        if (!nn__audio_check_after(file, open, &depth, &at)) return false;
    } while (depth > 0);
    at = nn__audio_blank(file, at);
    return at == file->size || nn__audio_json_fail(file, at, "there is text after the last }");
}

/* ---- visiting -------------------------------------------------------------------------------- */

NN__AUDIO_PRIVATE char nn__audio_kind(const nn__audio_file *file, size_t at) {
    const char c = at > 0 ? nn__audio_at(file, at - 1) : (char)0;
    return c == '-' || (c >= '0' && c <= '9') ? '0' : c;
}

static size_t nn__audio_skip_string(const nn__audio_file *file, size_t at) {
    for (at++; file->text[at] != '"'; at++) at += (size_t)(file->text[at] == '\\');
    return at + 1;
}

/* Returns the offset after the value at an offset. */
static size_t nn__audio_skip(const nn__audio_file *file, size_t at) {
    int depth = 0;
    do {
        const char c = file->text[at];
        if (c == '"') {
            at = nn__audio_skip_string(file, at);
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        at++;
        if (depth == 0 && c != '}' && c != ']') /* the rest of a number or a word */
            while (at < file->size && !strchr(",]} \n\r\t", file->text[at])) at++;
    } while (depth > 0);
    return at;
}

NN__AUDIO_PRIVATE size_t nn__audio_first(const nn__audio_file *file, size_t list) {
    size_t at;
    if (nn__audio_kind(file, list) != '[') return 0;
    at = nn__audio_blank(file, list);
    return file->text[at] == ']' ? 0 : at + 1;
}

NN__AUDIO_PRIVATE size_t nn__audio_next(const nn__audio_file *file, size_t element) {
    size_t at;
    if (element == 0) return 0;
    at = nn__audio_blank(file, nn__audio_skip(file, element - 1));
    return file->text[at] == ',' ? nn__audio_blank(file, at + 1) + 1 : 0;
}

NN__AUDIO_PRIVATE int64_t nn__audio_length(const nn__audio_file *file, size_t list) {
    int64_t count = 0;
    for (size_t at = nn__audio_first(file, list); at; at = nn__audio_next(file, at)) count++;
    return count;
}

NN__AUDIO_PRIVATE size_t nn__audio_member(const nn__audio_file *file, size_t at, const char *key) {
    const size_t length = strlen(key);
    size_t i;
    if (nn__audio_kind(file, at) != '{') return 0;
    i = nn__audio_blank(file, at);
    while (file->text[i] == '"') {
        const size_t end = nn__audio_skip_string(file, i);
        const size_t value = nn__audio_blank(file, nn__audio_blank(file, end) + 1);
        if (end - i - 2 == length && memcmp(file->text + i + 1, key, length) == 0)
            return file->text[value] == 'n' ? 0 : value + 1;
        i = nn__audio_blank(file, nn__audio_skip(file, value));
        if (file->text[i] != ',') return 0;
        i = nn__audio_blank(file, i + 1);
    }
    return 0;
}

NN__AUDIO_PRIVATE double nn__audio_number(const nn__audio_file *file, size_t at) {
    bool negative, point = false;
    uint64_t digits = 0;
    int exponent = 0, given = 0, sign = 1;
    double value;
    if (nn__audio_kind(file, at) != '0') return 0;
    negative = file->text[--at] == '-';
    for (at += negative; nn__audio_digit(file, at) || nn__audio_at(file, at) == '.'; at++) {
        if (file->text[at] == '.') {
            point = true;
        } else if (digits < UINT64_MAX / 10 - 1) {
            digits = digits * 10 + (uint64_t)(file->text[at] - '0');
            exponent -= point;
        } else if (exponent < 100000) { /* more than 19 digits: only their number counts */
            exponent += !point;
        }
    }
    if (nn__audio_at(file, at) == 'e' || nn__audio_at(file, at) == 'E') {
        sign = nn__audio_at(file, at + 1) == '-' ? -1 : 1;
        at += nn__audio_at(file, at + 1) == '-' || nn__audio_at(file, at + 1) == '+' ? 2u : 1u;
        for (; nn__audio_digit(file, at); at++)
            if (given < 100000) given = given * 10 + (file->text[at] - '0');
    }
    exponent += sign * given;
    value = (double)digits;
    for (; exponent > 0 && value > 0 && value < 1e300; exponent--) value *= 10;
    if (exponent > 0 && value > 0) value = HUGE_VAL;
    for (; exponent <= -16 && value > 0; exponent += 16) value /= 1e16;
    for (; exponent < 0 && value > 0; exponent++) value /= 10;
    return negative ? -value : value;
}

NN__AUDIO_PRIVATE bool nn__audio_is(const nn__audio_file *file, size_t at, const char *text) {
    const size_t length = strlen(text);
    return nn__audio_kind(file, at) == '"' && file->size - at > length &&
           memcmp(file->text + at, text, length) == 0 && file->text[at + length] == '"';
}

NN__AUDIO_PRIVATE const char *nn__audio_string(const nn__audio_file *file, size_t at,
                                               char text[64]) {
    size_t length = 0;
    if (nn__audio_kind(file, at) == '"')
        for (; length < 60 && file->text[at] != '"' && file->text[at] != '\\'; at++)
            text[length++] = file->text[at];
    text[length] = 0;
    return text;
}

/* ---- fields ---------------------------------------------------------------------------------- */

static const char *nn__audio_kind_name(char kind) {
    return kind == '{'   ? "an object"
           : kind == '[' ? "a list"
           : kind == '"' ? "a string"
           : kind == '0' ? "a number"
                         : "true or false";
}

NN__AUDIO_PRIVATE size_t nn__audio_want(nn__audio_file *file, size_t at, const char *key,
                                        char kind) {
    const size_t value = nn__audio_member(file, at, key);
    if (value && nn__audio_kind(file, value) == kind) return value;
    nn__audio_fail(file, NN_ERROR_FORMAT, value ? "%q is not %s" : "%q is missing; wanted %s", key,
                   nn__audio_kind_name(kind));
    return 0;
}

NN__AUDIO_PRIVATE int32_t nn__audio_whole_at(nn__audio_file *file, size_t at, const char *key,
                                             int32_t least, int32_t most) {
    const double number = nn__audio_number(file, at);
    if (nn__audio_kind(file, at) == '0' && number == floor(number) && number >= least &&
        number <= most)
        return (int32_t)number;
    nn__audio_fail(file, NN_ERROR_FORMAT, "%q is not a whole number from %d to %d", key,
                   (int64_t)least, (int64_t)most);
    return least;
}

NN__AUDIO_PRIVATE int32_t nn__audio_whole(nn__audio_file *file, size_t at, const char *key,
                                          int32_t absent, int32_t least, int32_t most) {
    const size_t value = nn__audio_member(file, at, key);
    return value || absent < least ? nn__audio_whole_at(file, value, key, least, most) : absent;
}

NN__AUDIO_PRIVATE bool nn__audio_truth(nn__audio_file *file, size_t at, const char *key,
                                       bool absent) {
    const size_t value = nn__audio_member(file, at, key);
    const char kind = nn__audio_kind(file, value);
    if (!value) return absent;
    if (kind != 't' && kind != 'f')
        nn__audio_fail(file, NN_ERROR_FORMAT, "%q is neither true nor false", key);
    return kind == 't';
}
