/* text/unicode.c - reads and writes UTF-8, and classifies code points. The tables of tables.h are
   unpacked once for each tokenizer. */
#include "text/tables_read.h"

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

NN__TEXT_PRIVATE uint32_t nn__text_decode(const char *text, size_t bytes, size_t at,
                                          size_t *length) {
    const unsigned char *c = (const unsigned char *)text + at;
    uint32_t point, low = 0x80, high = 0xbf;
    size_t more;
    *length = 1;
    if (c[0] < 0x80) return c[0];
    if (c[0] < 0xc2 || c[0] > 0xf4) return 0xfffd;
    more = c[0] < 0xe0 ? 1 : c[0] < 0xf0 ? 2 : 3;
    point = c[0] & (0x3fu >> more);
    /* The second byte excludes overlong forms, surrogates, and code points above U+10FFFF. */
    if (c[0] == 0xe0) low = 0xa0;
    if (c[0] == 0xed) high = 0x9f;
    if (c[0] == 0xf0) low = 0x90;
    if (c[0] == 0xf4) high = 0x8f;
    for (size_t i = 1; i <= more; i++) {
        if (at + i >= bytes || c[i] < low || c[i] > high) {
            *length = i;
            return 0xfffd;
        }
        point = point << 6 | (c[i] & 0x3fu);
        low = 0x80;
        high = 0xbf;
    }
    *length = more + 1;
    return point;
}

NN__TEXT_PRIVATE size_t nn__text_put(char *to, uint32_t point) {
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        to[0] = (char)(0xc0 | point >> 6);
        to[1] = (char)(0x80 | (point & 63));
        return 2;
    }
    if (point < 0x10000) {
        to[0] = (char)(0xe0 | point >> 12);
        to[1] = (char)(0x80 | (point >> 6 & 63));
        to[2] = (char)(0x80 | (point & 63));
        return 3;
    }
    to[0] = (char)(0xf0 | point >> 18);
    to[1] = (char)(0x80 | (point >> 12 & 63));
    to[2] = (char)(0x80 | (point >> 6 & 63));
    to[3] = (char)(0x80 | (point & 63));
    return 4;
}

NN__TEXT_PRIVATE bool nn__text_is_utf8(const char *text, size_t bytes) {
    size_t at = 0, length;
    while (at < bytes) {
        uint64_t word;
        if (bytes - at >= 8) {
            memcpy(&word, text + at, 8);
            if (!(word & 0x8080808080808080u)) {
                at += 8;
                continue;
            }
        }
        if ((unsigned char)text[at] < 0x80) {
            at++;
            continue;
        }
        /* U+FFFD itself has three bytes and this spelling; otherwise the sequence is broken */
        if (nn__text_decode(text, bytes, at, &length) == 0xfffd &&
            (length != 3 || memcmp(text + at, "\xef\xbf\xbd", 3) != 0))
            return false;
        at += length;
    }
    return true;
}

/* ---- kinds and lower case -------------------------------------------------------------------- */

/* Unpacks the kinds of all code points in pages, and stores equal neighbouring uniform pages once.
   kinds NULL: only counts them. */
static uint32_t nn__text_fill_kinds(uint16_t *pages, uint16_t *kinds) {
    nn__text_table table = nn__text_open_table(nn__text_runs);
    uint16_t page[256];
    uint32_t left = 0, count = 0;
    uint16_t kind = 0;
    uint64_t last_uniform = UINT64_MAX;
    for (uint32_t p = 0; p < 0x1100; p++) {
        bool uniform = true;
        uint32_t i = 0;
        if (left >= 256) { /* the usual case */
            if (last_uniform != kind || kinds)
                for (; i < 256; i++) page[i] = kind;
            page[0] = kind;
            left -= 256;
            i = 256;
        }
        for (; i < 256; i++) {
            if (left == 0) {
                uint32_t value = nn__text_next(&table);
                left = value / NN__TEXT_KINDS;
                kind = nn__text_kinds[value % NN__TEXT_KINDS];
            }
            page[i] = kind;
            uniform = uniform && page[i] == page[0];
            left--;
        }
        if (!uniform || last_uniform != page[0]) {
            if (kinds) memcpy(kinds + 256u * count, page, sizeof page);
            count++;
        }
        last_uniform = uniform ? page[0] : UINT64_MAX;
        if (pages) pages[p] = (uint16_t)(count - 1);
    }
    return count;
}

/* Unpacks lower case. lower NULL: only counts. */
static uint32_t nn__text_fill_lower(uint32_t (*lower)[2]) {
    nn__text_table table = nn__text_open_table(nn__text_lower_runs);
    uint32_t first = 0, count = 0;
    while (nn__text_more(&table)) {
        uint32_t head = nn__text_next(&table), step = 1 + (head & 1);
        uint32_t many = nn__text_next(&table);
        int32_t shift = nn__text_signed(&table);
        first += head / 2;
        for (uint32_t i = 0; i < many; i++, count++) {
            if (!lower) continue;
            lower[count][0] = first + i * step;
            lower[count][1] = (uint32_t)((int32_t)(first + i * step) + shift);
        }
    }
    return count;
}

/* Sorts by insertion, since runs of step 2 interleave and the rest is in order. */
static void nn__text_sort_lower(uint32_t (*lower)[2], uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint32_t point = lower[i][0], to = lower[i][1], j = i;
        for (; j > 0 && lower[j - 1][0] > point; j--) {
            lower[j][0] = lower[j - 1][0];
            lower[j][1] = lower[j - 1][1];
        }
        lower[j][0] = point;
        lower[j][1] = to;
    }
}

NN__TEXT_PRIVATE bool nn__text_load_unicode(nn__text_call *call, nn_tokenizer *t) {
    nn__text_unicode *u;
    uint32_t pages, page = 0;
    if (t->unicode) return true;
    u = (nn__text_unicode *)nn__text_take(call, t, sizeof *u);
    if (!u) return false;
    pages = nn__text_fill_kinds(NULL, NULL);
    u->lower_count = nn__text_fill_lower(NULL);
    u->pages = (uint16_t *)nn__text_take(call, t, 0x1100 * sizeof *u->pages);
    u->kinds = (uint16_t *)nn__text_take(call, t, (uint64_t)pages * 256 * sizeof *u->kinds);
    u->lower = (uint32_t(*)[2])nn__text_take(call, t, u->lower_count * sizeof *u->lower);
    u->lower_at = (uint16_t *)nn__text_take(call, t, 0x1101 * sizeof *u->lower_at);
    if (!u->pages || !u->kinds || !u->lower || !u->lower_at) return false;
    nn__text_fill_kinds(u->pages, u->kinds);
    nn__text_fill_lower(u->lower);
    nn__text_sort_lower(u->lower, u->lower_count);
    for (uint32_t i = 0; i < u->lower_count; i++)
        for (; page <= u->lower[i][0] >> 8; page++) u->lower_at[page] = (uint16_t)i;
    for (; page <= 0x1100; page++) u->lower_at[page] = (uint16_t)u->lower_count;
    t->unicode = u;
    return true;
}

/* U+0130 has two lower-case letters, i and U+0307; nn__text_normalize handles it. */
NN__TEXT_PRIVATE uint32_t nn__text_lower(const nn__text_unicode *u, uint32_t point) {
    uint32_t first, last;
    if (point < 128) return point >= 'A' && point <= 'Z' ? point + 32 : point;
    first = u->lower_at[point >> 8];
    last = u->lower_at[(point >> 8) + 1];
    while (first < last) {
        uint32_t middle = (first + last) / 2;
        if (u->lower[middle][0] == point) return u->lower[middle][1];
        if (u->lower[middle][0] < point)
            first = middle + 1;
        else
            last = middle;
    }
    return point;
}
