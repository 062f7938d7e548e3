/* text/compose.c - the normal forms NFC, NFD, NFKC and NFKD (Unicode Standard Annex 15). Records
   for each character which characters of the text it replaces. Hangul is computed. */
#include "text/tables_read.h"

enum {
    NN__HANGUL = 0xac00,
    NN__HANGUL_COUNT = 11172,
    NN__HANGUL_L = 0x1100,
    NN__HANGUL_V = 0x1161,
    NN__HANGUL_T = 0x11a7,
    NN__TEXT_PAIRS = 4096 /* slots of the hash of compositions, of which there are about 940 */
};

static uint32_t nn__text_pair_slot(uint32_t first, uint32_t second) {
    return (first * 0x9e3779b1u ^ second * 0x85ebca6bu) >> 16 & (NN__TEXT_PAIRS - 1);
}

/* Unpacks combining classes, for pages that have any. `to` NULL: only counts the pages. */
static uint32_t nn__text_fill_combining(uint8_t *pages, uint8_t *to) {
    nn__text_table table = nn__text_open_table(nn__text_combining);
    uint32_t point = 0, count = 0, last_page = NN__TEXT_NONE;
    while (nn__text_more(&table)) {
        uint32_t many = nn__text_next(&table), value = nn__text_next(&table);
        for (uint32_t i = 0; i < many; i++, point++) {
            if (value == 0) continue;
            if (point >> 8 != last_page) {
                last_page = point >> 8;
                count++;
                if (pages) pages[last_page] = (uint8_t)count;
            }
            if (to) to[(count - 1) * 256 + (point & 255)] = (uint8_t)value;
        }
    }
    return count;
}

/* Unpacks decompositions. parts NULL: only counts. *values: the total number of their code
   points. */
static uint32_t nn__text_fill_parts(nn__text_part *parts, uint32_t *to, uint32_t *values) {
    nn__text_table table = nn__text_open_table(nn__text_parts);
    uint32_t point = 0, count = 0, before[32];
    memset(before, 0, sizeof before);
    *values = 0;
    for (; nn__text_more(&table); count++) {
        uint32_t head = nn__text_next(&table), many = nn__text_next(&table);
        point += head / 3;
        if (parts) {
            parts[count].point = point;
            parts[count].kind = (uint8_t)(head % 3);
            parts[count].first = (uint16_t)*values;
            parts[count].count = (uint16_t)many;
        }
        for (uint32_t i = 0; i < many; i++, ++*values) {
            before[i] = (uint32_t)((int32_t)before[i] + nn__text_signed(&table));
            if (to) to[*values] = before[i];
        }
    }
    return count;
}

NN__TEXT_PRIVATE bool nn__text_load_forms(nn__text_call *call, nn_tokenizer *t) {
    nn__text_unicode *u;
    uint32_t values = 0, page = 0;
    if (!nn__text_load_unicode(call, t)) return false;
    u = t->unicode;
    if (u->pairs) return true;
    u->combining_pages = (uint8_t *)nn__text_take(call, t, 0x1100);
    u->combining =
        (uint8_t *)nn__text_take(call, t, (uint64_t)nn__text_fill_combining(NULL, NULL) * 256);
    u->part_count = nn__text_fill_parts(NULL, NULL, &values);
    u->parts = (nn__text_part *)nn__text_take(call, t, u->part_count * sizeof *u->parts);
    u->part_values = (uint32_t *)nn__text_take(call, t, values * sizeof *u->part_values);
    u->part_at = (uint16_t *)nn__text_take(call, t, 0x1101 * sizeof *u->part_at);
    if (!u->combining_pages || !u->combining || !u->parts || !u->part_values || !u->part_at)
        return false;
    u->pairs = (uint32_t(*)[3])nn__text_take(call, t, NN__TEXT_PAIRS * sizeof *u->pairs);
    if (!u->pairs) return false;
    nn__text_fill_combining(u->combining_pages, u->combining);
    nn__text_fill_parts(u->parts, u->part_values, &values);
    for (uint32_t i = 0; i < u->part_count; i++) {
        const nn__text_part *part = &u->parts[i];
        const uint32_t *of = u->part_values + part->first;
        uint32_t slot;
        for (; page <= part->point >> 8; page++) u->part_at[page] = (uint16_t)i;
        if (part->kind != 0) continue;
        slot = nn__text_pair_slot(of[0], of[1]);
        while (u->pairs[slot][2]) slot = (slot + 1) & (NN__TEXT_PAIRS - 1);
        u->pairs[slot][0] = of[0];
        u->pairs[slot][1] = of[1];
        u->pairs[slot][2] = part->point;
    }
    for (; page <= 0x1100; page++) u->part_at[page] = (uint16_t)u->part_count;
    return true;
}

/* ---- one character --------------------------------------------------------------------------- */

static uint32_t nn__text_class(const nn__text_unicode *u, uint32_t point) {
    uint32_t page = u->combining_pages[point >> 8];
    return page ? u->combining[(page - 1) * 256 + (point & 255)] : 0;
}

static const nn__text_part *nn__text_find_part(const nn__text_unicode *u, uint32_t point) {
    uint32_t first, last;
    if (point < 0xa0) return NULL;
    first = u->part_at[point >> 8];
    last = u->part_at[(point >> 8) + 1];
    while (first < last) {
        uint32_t middle = (first + last) / 2;
        if (u->parts[middle].point == point) return &u->parts[middle];
        if (u->parts[middle].point < point)
            first = middle + 1;
        else
            last = middle;
    }
    return NULL;
}

/* Decomposes a code point, into at most 32 (Unicode's maximum is 18). Returns their number. */
static uint32_t nn__text_decompose(const nn__text_unicode *u, uint32_t point, bool compatible,
                                   uint32_t *to) {
    uint32_t waiting[64], count = 0, done = 0;
    waiting[count++] = point;
    while (count > 0 && done < 32) {
        uint32_t c = waiting[--count];
        const nn__text_part *part;
        if (c - NN__HANGUL < NN__HANGUL_COUNT) {
            uint32_t s = c - NN__HANGUL;
            to[done++] = NN__HANGUL_L + s / 588;
            to[done++] = NN__HANGUL_V + s % 588 / 28;
            if (s % 28) to[done++] = NN__HANGUL_T + s % 28;
            continue;
        }
        part = nn__text_find_part(u, c);
        if (!part || (part->kind == 2 && !compatible) || count + part->count > 64) {
            to[done++] = c;
            continue;
        }
        for (uint32_t i = part->count; i-- > 0;) waiting[count++] = u->part_values[part->first + i];
    }
    return done;
}

/* Returns the composition; 0: they do not compose. */
static uint32_t nn__text_compose(const nn__text_unicode *u, uint32_t first, uint32_t second) {
    uint32_t slot;
    if (first - NN__HANGUL_L < 19 && second - NN__HANGUL_V < 21)
        return NN__HANGUL + ((first - NN__HANGUL_L) * 21 + (second - NN__HANGUL_V)) * 28;
    if (first - NN__HANGUL < NN__HANGUL_COUNT && (first - NN__HANGUL) % 28 == 0 &&
        second - NN__HANGUL_T - 1 < 27)
        return first + (second - NN__HANGUL_T);
    slot = nn__text_pair_slot(first, second);
    for (; u->pairs[slot][2]; slot = (slot + 1) & (NN__TEXT_PAIRS - 1))
        if (u->pairs[slot][0] == first && u->pairs[slot][1] == second) return u->pairs[slot][2];
    return 0;
}

/* ---- a text ---------------------------------------------------------------------------------- */

/* Sorts the characters of a cluster by combining class, stably: a few by insertion, many by
   counting. */
static bool nn__text_order(nn__text_call *call, nn_tokenizer *t, size_t from, size_t to) {
    const nn__text_unicode *u = t->unicode;
    nn__text_out *outs = (nn__text_out *)t->outs.data, *copy;
    size_t places[257];
    if (to - from > 24) {
        if (!nn__text_grow(call, &t->held, (to - from) * sizeof *copy)) return false;
        copy = (nn__text_out *)t->held.data;
        memcpy(copy, outs + from, (to - from) * sizeof *copy);
        memset(places, 0, sizeof places);
        for (size_t i = 0; i < to - from; i++) places[nn__text_class(u, copy[i].point) + 1]++;
        for (int i = 0; i < 256; i++) places[i + 1] += places[i];
        for (size_t i = 0; i < to - from; i++)
            outs[from + places[nn__text_class(u, copy[i].point)]++] = copy[i];
        return true;
    }
    for (size_t i = from + 1; i < to; i++) {
        nn__text_out moved = outs[i];
        uint32_t kind = nn__text_class(u, moved.point);
        size_t j = i;
        for (; j > from && nn__text_class(u, outs[j - 1].point) > kind; j--) outs[j] = outs[j - 1];
        outs[j] = moved;
    }
    return true;
}

/* Composes decomposed text in place. When a starter absorbs a character, it adds that
   character's change, less one, to its own. Characters between the two keep theirs. */
static size_t nn__text_recompose(const nn__text_unicode *u, nn__text_out *outs, size_t count) {
    size_t to = 0, starter = SIZE_MAX;
    uint32_t last = 0; /* class of the last character kept after the starter, plus 1; 0: none */
    for (size_t i = 0; i < count; i++) {
        nn__text_out out = outs[i];
        uint32_t kind = nn__text_class(u, out.point);
        if (starter != SIZE_MAX && (last == 0 || last - 1 < kind)) {
            uint32_t composed = nn__text_compose(u, outs[starter].point, out.point);
            if (composed) {
                outs[starter].point = composed;
                outs[starter].change += out.change - 1;
                continue;
            }
        }
        if (kind == 0) {
            starter = to;
            last = 0;
        } else if (starter != SIZE_MAX)
            last = kind + 1;
        outs[to++] = out;
    }
    return to;
}

NN__TEXT_PRIVATE bool nn__text_form(nn__text_call *call, nn_tokenizer *t,
                                    const nn__text_char *chars, size_t count, bool compatible,
                                    bool composed, size_t *out_count) {
    const nn__text_unicode *u = t->unicode;
    uint32_t parts[34];
    size_t cluster = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t many = 1;
        parts[0] = chars[i].point;
        if (parts[0] >= 0xa0) many = nn__text_decompose(u, chars[i].point, compatible, parts);
        for (uint32_t j = 0; j < many; j++) {
            if (nn__text_class(u, parts[j]) == 0) {
                if (*out_count > cluster + 1 && !nn__text_order(call, t, cluster, *out_count))
                    return false;
                cluster = *out_count + 1;
            }
            if (!nn__text_put_out(call, t, out_count, parts[j], j > 0)) return false;
        }
    }
    if (*out_count > cluster + 1 && !nn__text_order(call, t, cluster, *out_count)) return false;
    if (composed) *out_count = nn__text_recompose(u, (nn__text_out *)t->outs.data, *out_count);
    return true;
}
