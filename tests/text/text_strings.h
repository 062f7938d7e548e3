/* text_strings.h: the hard strings of tests/golden/text.py: a page of Unicode each, words, marks,
   signs, white space, and bytes that are not UTF-8. That script has the same generator. */
#ifndef NN_TEXT_STRINGS_H
#define NN_TEXT_STRINGS_H

#include <stdint.h>
#include <string.h>

#include "golden/text.h"

typedef struct text_string {
    uint32_t state;
    size_t bytes;
    char text[4096];
} text_string;

static uint32_t text_below(text_string *s, uint32_t n) {
    s->state = s->state * 1664525u + 1013904223u;
    return (s->state >> 8) % n;
}

static void text_put(text_string *s, uint32_t c) {
    char *to = s->text + s->bytes;
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(0x80 | (c & 63));
    } else {
        if (c < 0x10000) *to++ = (char)(0xe0 | c >> 12);
        else {
            *to++ = (char)(0xf0 | c >> 18);
            *to++ = (char)(0x80 | (c >> 12 & 63));
        }
        *to++ = (char)(0x80 | (c >> 6 & 63));
        *to++ = (char)(0x80 | (c & 63));
    }
    s->bytes = (size_t)(to - s->text);
}

static void text_point(text_string *s, uint32_t first, uint32_t count) {
    uint32_t c = first + text_below(s, count);
    text_put(s, c >= 0xd800 && c < 0xe000 ? 0xfffd : c);
}

static void text_add(text_string *s, const char *text) {
    size_t length = strlen(text);
    memcpy(s->text + s->bytes, text, length);
    s->bytes += length;
}

static void text_unit(text_string *s, uint32_t kind, uint32_t index) {
    static const uint32_t digits[8] = {0x30, 0x660, 0x966, 0x2160, 0xb2, 0xff10, 0x1d7ce, 0x2460};
    static const uint32_t asian[8] = {0x3040, 0x4e00, 0xac00, 0xff61, 0xf900, 0x1100, 0x20000, 0x3200};
    uint32_t count;
    switch (kind) {
        case 0: text_add(s, text_words[text_below(s, TEXT_WORDS)]); break;
        case 1: text_point(s, index % 0x1100 * 256, 256); break;
        case 2: text_point(s, 0, 0x110000); break;
        case 3: text_point(s, 0xa0, 0x3000 - 0xa0); break;
        case 4:
            if (text_below(s, 3)) text_point(s, 0x300, 0x70);
            else text_point(s, 0x591, 0x100);
            break;
        case 5: text_point(s, 0x1f300, 0x800); break;
        case 6: text_add(s, text_spaces[text_below(s, TEXT_SPACES)]); break;
        case 7: text_point(s, digits[text_below(s, 8)], 10); break;
        case 8: text_point(s, asian[text_below(s, 8)], 200); break;
        case 9:
            for (count = 1 + text_below(s, 3); count > 0; count--)
                s->text[s->bytes++] = (char)(128 + text_below(s, 128));
            break;
        case 10: text_add(s, text_specials[text_below(s, TEXT_SPECIALS)]); break;
        case 11: s->text[s->bytes++] = (char)(33 + text_below(s, 15)); break;
        default: {
            uint32_t letter = 97 + text_below(s, 26);
            s->text[s->bytes++] = (char)(letter - (text_below(s, 4) == 0 ? 32 : 0));
        }
    }
}

/* Makes string number `index`, zero-terminated although it may contain zeros. */
static void text_make(text_string *s, uint32_t index) {
    uint32_t theme, count;
    s->state = index * 2654435761u + 97;
    s->bytes = 0;
    for (int i = 0; i < 3; i++) text_below(s, 2);
    theme = text_below(s, 14);
    for (count = 1 + text_below(s, 20); count > 0; count--) {
        uint32_t pick = text_below(s, 4), kind, many;
        size_t begin = s->bytes, length;
        kind = pick == 0 && theme < 13 ? theme : pick == 1 ? text_below(s, 13) : pick == 2 ? 12 : 1;
        text_unit(s, kind, index);
        length = s->bytes - begin;
        many = text_below(s, 3);
        for (many = text_below(s, 6) == 0 ? many : 0; many > 0; many--) {
            memcpy(s->text + s->bytes, s->text + begin, length);
            s->bytes += length;
        }
    }
    s->text[s->bytes] = 0;
}

#endif
