/* tensor/safetensors_words.c - reads the words of a safetensors header: strings, numbers,
   punctuation. It accepts exactly the header's grammar and no other JSON. Strings are unescaped
   in place, and names point into the header's memory. */
#include "tensor/safetensors_words.h"

#ifndef NN_NO_FILES

NN_PRIVATE bool nn__safetensors_wrong(const nn__safetensors_reader *reader, size_t at,
                                      const char *format, ...) {
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    nn__vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    nn__fail_at(reader->file->nn, reader->site, NN_ERROR_FORMAT,
                "nn_open_safetensors: \"%s\": byte %llu: %s", reader->file->path,
                (unsigned long long)(at + reader->before), what);
    return false;
}

NN_PRIVATE char nn__safetensors_peek(nn__safetensors_reader *reader) {
    while (reader->at < reader->length) {
        char c = reader->text[reader->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return c;
        reader->at++;
    }
    return 0;
}

NN_PRIVATE bool nn__safetensors_expect(nn__safetensors_reader *reader, char wanted,
                                       const char *where) {
    char c = nn__safetensors_peek(reader);
    if (c == wanted && reader->at < reader->length) {
        reader->at++;
        return true;
    }
    if (reader->at >= reader->length) {
        return nn__safetensors_wrong(reader, reader->at, "the header ends, wanted '%c' %s", wanted,
                                     where);
    }
    return nn__safetensors_wrong(reader, reader->at, "0x%02x, wanted '%c' %s",
                                 (unsigned)(unsigned char)c, wanted, where);
}

static bool nn__safetensors_hex(const nn__safetensors_reader *reader, size_t at, uint32_t *value) {
    *value = 0;
    if (at > reader->length || reader->length - at < 4) return false;
    for (size_t i = 0; i < 4; i++) {
        char c = reader->text[at + i];
        uint32_t digit;
        if (c >= '0' && c <= '9') digit = (uint32_t)(c - '0');
        else if (c >= 'a' && c <= 'f') digit = (uint32_t)(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F') digit = (uint32_t)(c - 'A') + 10;
        else return false;
        *value = *value << 4 | digit;
    }
    return true;
}

static size_t nn__safetensors_put_utf8(char *to, uint32_t code) {
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 63));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 63));
        to[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 63));
    to[2] = (char)(0x80 | (code >> 6 & 63));
    to[3] = (char)(0x80 | (code & 63));
    return 4;
}

NN_PRIVATE bool nn__is_utf8(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        uint32_t code = *at, lowest;
        int more;
        if (code < 0x80) {
            at++;
            continue;
        }
        if (code >= 0xC2 && code <= 0xDF) more = 1, lowest = 0x80, code &= 31;
        else if (code >= 0xE0 && code <= 0xEF) more = 2, lowest = 0x800, code &= 15;
        else if (code >= 0xF0 && code <= 0xF4) more = 3, lowest = 0x10000, code &= 7;
        else return false;
        for (at++; more > 0; more--, at++) {
            if ((*at & 0xC0) != 0x80) return false;
            code = code << 6 | (*at & 63u);
        }
        if (code < lowest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
    }
    return true;
}

/* Decodes an escape; reader->at is after the backslash. The character goes to text[*end], never
   past what was read. */
static bool nn__safetensors_escape(nn__safetensors_reader *reader, size_t *end) {
    size_t at = reader->at - 1;
    const char *escapes = "\"\\/bfnrt", *found;
    char c = reader->at < reader->length ? reader->text[reader->at] : (char)0;
    uint32_t code, second;
    reader->at++;
    found = c ? strchr(escapes, c) : NULL;
    if (found) {
        reader->text[(*end)++] = "\"\\/\b\f\n\r\t"[found - escapes];
        return true;
    }
    if (c != 'u' || !nn__safetensors_hex(reader, reader->at, &code)) {
        return nn__safetensors_wrong(
            reader, at, "a wrong escape; wanted one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    }
    reader->at += 4;
    if (code >= 0xD800 && code <= 0xDBFF) {
        bool pair = reader->length - reader->at >= 6 && reader->text[reader->at] == '\\' &&
                    reader->text[reader->at + 1] == 'u' &&
                    nn__safetensors_hex(reader, reader->at + 2, &second) && second >= 0xDC00 &&
                    second <= 0xDFFF;
        if (!pair) return nn__safetensors_wrong(reader, at, "half of a surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
        reader->at += 6;
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
        return nn__safetensors_wrong(reader, at, "half of a surrogate pair");
    }
    if (code == 0) return nn__safetensors_wrong(reader, at, "\\u0000 inside a string");
    *end += nn__safetensors_put_utf8(reader->text + *end, code);
    return true;
}

NN_PRIVATE bool nn__safetensors_string(nn__safetensors_reader *reader, const char **string,
                                       const char *where) {
    size_t first, end;
    if (!nn__safetensors_expect(reader, '"', where)) return false;
    first = end = reader->at;
    while (reader->at < reader->length) {
        unsigned char c = (unsigned char)reader->text[reader->at];
        if (c < 0x20)
            return nn__safetensors_wrong(reader, reader->at, "0x%02x inside a string", (unsigned)c);
        reader->at++;
        if (c == '\\') {
            if (!nn__safetensors_escape(reader, &end)) return false;
            continue;
        }
        if (c != '"') {
            reader->text[end++] = (char)c;
            continue;
        }
        /* An unescaped string is never longer than the escaped one. So its end is at the closing
           quote or before it, and overwrites nothing that is still to be read. */
        reader->text[end] = 0;
        *string = reader->text + first;
        if (nn__is_utf8(*string)) return true;
        return nn__safetensors_wrong(reader, first, "the string is not UTF-8");
    }
    return nn__safetensors_wrong(reader, first - 1, "the string has no end");
}

NN_PRIVATE bool nn__safetensors_number(nn__safetensors_reader *reader, uint64_t *number,
                                       const char *where) {
    char c = nn__safetensors_peek(reader);
    size_t first = reader->at;
    *number = 0;
    if (c < '0' || c > '9')
        return nn__safetensors_wrong(reader, first, "wanted a number without a sign %s", where);
    while (reader->at < reader->length && reader->text[reader->at] >= '0' &&
           reader->text[reader->at] <= '9') {
        uint64_t digit = (uint64_t)(reader->text[reader->at] - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return nn__safetensors_wrong(reader, first, "the number does not fit 64 bits");
        *number = *number * 10 + digit;
        reader->at++;
    }
    if (c == '0' && reader->at > first + 1)
        return nn__safetensors_wrong(reader, first, "a number with a leading zero");
    c = reader->at < reader->length ? reader->text[reader->at] : (char)0;
    if (c == '.' || c == 'e' || c == 'E')
        return nn__safetensors_wrong(reader, first, "wanted a whole number %s", where);
    return true;
}

NN_PRIVATE bool nn__safetensors_next(nn__safetensors_reader *reader, char closing, bool *more,
                                 const char *where) {
    *more = nn__safetensors_peek(reader) == ',';
    if (*more) {
        reader->at++;
        return true;
    }
    return nn__safetensors_expect(reader, closing, where);
}

#endif

typedef int nn__safetensors_words_part; /* a part must not be empty under NN_NO_FILES */
