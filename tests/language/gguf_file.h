/* gguf_file.h - writes small GGUF files in memory, for tests and fuzz targets. Blocks are filled
   with drawn bits, and gguf_value is a second, slow reading of them, number by number. */
#ifndef GGUF_FILE_H
#define GGUF_FILE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct gguf_file {
    unsigned char *bytes;
    size_t size, room;
    unsigned char *table; /* the tensors, which follow the metadata */
    size_t table_size, table_room;
    unsigned char *data;
    size_t data_size, data_room;
    uint64_t keys, tensors;
    uint32_t drawn;
} gguf_file;

static void gguf_put(unsigned char **to, size_t *size, size_t *room, const void *from, size_t n) {
    if (*size + n > *room) {
        *room = (*size + n) * 2 + 256;
        *to = (unsigned char *)realloc(*to, *room);
    }
    if (n) memcpy(*to + *size, from, n);
    *size += n;
}
static void gguf_number(unsigned char **to, size_t *size, size_t *room, uint64_t number, int n) {
    unsigned char bytes[8];
    for (int i = 0; i < n; i++) bytes[i] = (unsigned char)(number >> 8 * i);
    gguf_put(to, size, room, bytes, (size_t)n);
}
#define GGUF_HEAD(f)  &(f)->bytes, &(f)->size, &(f)->room
#define GGUF_TABLE(f) &(f)->table, &(f)->table_size, &(f)->table_room
#define GGUF_DATA(f)  &(f)->data, &(f)->data_size, &(f)->data_room

static void gguf_begin(gguf_file *f) {
    memset(f, 0, sizeof *f);
    f->drawn = 1;
    gguf_put(GGUF_HEAD(f), "GGUF\3\0\0\0", 8);
    gguf_number(GGUF_HEAD(f), 0, 8);
    gguf_number(GGUF_HEAD(f), 0, 8);
}
static void gguf_key(gguf_file *f, const char *name, uint32_t type) {
    f->keys++;
    gguf_number(GGUF_HEAD(f), strlen(name), 8);
    gguf_put(GGUF_HEAD(f), name, strlen(name));
    gguf_number(GGUF_HEAD(f), type, 4);
}
static void gguf_text(gguf_file *f, const char *name, const char *text) {
    gguf_key(f, name, 8);
    gguf_number(GGUF_HEAD(f), strlen(text), 8);
    gguf_put(GGUF_HEAD(f), text, strlen(text));
}
static void gguf_count(gguf_file *f, const char *name, uint32_t number) {
    gguf_key(f, name, 4);
    gguf_number(GGUF_HEAD(f), number, 4);
}
static void gguf_real(gguf_file *f, const char *name, float number) {
    uint32_t bits;
    memcpy(&bits, &number, 4);
    gguf_key(f, name, 6);
    gguf_number(GGUF_HEAD(f), bits, 4);
}

static uint32_t gguf_draw(gguf_file *f) {
    f->drawn = f->drawn * 1664525u + 1013904223u;
    return f->drawn >> 8;
}

typedef struct gguf_kind {
    const char *name;
    uint32_t type;
    int block, bytes;
    int halves[4]; /* places of numbers of f16 in a block; -1: no more */
    int top; /* upper byte of the least of them, so that weights are about 1 / 8 */
} gguf_kind;
static const gguf_kind gguf_kinds[] = {
    {"F32", 0, 1, 4, {-1}, 0},
    {"F16", 1, 1, 2, {0, -1}, 0x28},
    {"BF16", 30, 1, 2, {-1}, 0},
    {"Q4_0", 2, 32, 18, {0, -1}, 0x1e},
    {"Q4_1", 3, 32, 20, {0, 2, -1}, 0x1e},
    {"Q5_0", 6, 32, 22, {0, -1}, 0x1a},
    {"Q5_1", 7, 32, 24, {0, 2, -1}, 0x1a},
    {"Q8_0", 8, 32, 34, {0, -1}, 0x10},
    {"Q4_K", 12, 256, 144, {0, 2, -1}, 0x0a},
    {"Q5_K", 13, 256, 176, {0, 2, -1}, 0x08},
    {"Q6_K", 14, 256, 210, {208, -1}, 0x02}};

/* Adds a tensor of rows * columns numbers (rows 0: one axis) and returns where its data begins. */
static size_t gguf_tensor(gguf_file *f, const char *name, const gguf_kind *kind, int rows,
                          int columns) {
    const int all = (rows ? rows : 1) * columns;
    while (f->data_size % 32) gguf_number(GGUF_DATA(f), 0, 1);
    const size_t at = f->data_size;
    f->tensors++;
    gguf_number(GGUF_TABLE(f), strlen(name), 8);
    gguf_put(GGUF_TABLE(f), name, strlen(name));
    gguf_number(GGUF_TABLE(f), rows ? 2 : 1, 4);
    gguf_number(GGUF_TABLE(f), (uint64_t)columns, 8);
    if (rows) gguf_number(GGUF_TABLE(f), (uint64_t)rows, 8);
    gguf_number(GGUF_TABLE(f), kind->type, 4);
    gguf_number(GGUF_TABLE(f), at, 8);
    for (int b = 0; b < all / kind->block; b++) {
        unsigned char block[256];
        for (int i = 0; i < kind->bytes; i++) block[i] = (unsigned char)gguf_draw(f);
        for (int i = 0; kind->halves[i] >= 0; i++) /* mostly positive */
            block[kind->halves[i] + 1] = (unsigned char)(kind->top + (int)(gguf_draw(f) % 4) +
                                                         (gguf_draw(f) % 4 == 0 ? 0x80 : 0));
        if (kind->type == 0 || kind->type == 30) { /* about 1 / 8 */
            const float number = ((float)(gguf_draw(f) % 2001) - 1000.0f) / 8000.0f;
            uint32_t bits;
            memcpy(&bits, &number, 4);
            if (kind->type == 30) bits >>= 16;
            for (int i = 0; i < kind->bytes; i++) block[i] = (unsigned char)(bits >> 8 * i);
        }
        gguf_put(GGUF_DATA(f), block, (size_t)kind->bytes);
    }
    return at;
}

/* Joins the parts. Later calls add nothing. */
static void gguf_end(gguf_file *f) {
    gguf_put(GGUF_HEAD(f), f->table, f->table_size);
    while (f->size % 32) gguf_number(GGUF_HEAD(f), 0, 1);
    gguf_put(GGUF_HEAD(f), f->data, f->data_size);
    for (int i = 0; i < 8; i++) {
        f->bytes[8 + i] = (unsigned char)(f->tensors >> 8 * i);
        f->bytes[16 + i] = (unsigned char)(f->keys >> 8 * i);
    }
}
static void gguf_free(gguf_file *f) { free(f->bytes), free(f->table), free(f->data); }

static double gguf_half(const unsigned char *at) {
    const int bits = at[0] | at[1] << 8, exponent = bits >> 10 & 31, part = bits & 1023;
    const double size = exponent ? ldexp(1024 + part, exponent - 25) : ldexp(part, -24);
    return bits & 0x8000 ? -size : size;
}
static int gguf_bits(const unsigned char *from, int at, int count) { /* bit `at` is the lowest */
    int value = 0;
    for (int i = 0; i < count; i++) value |= (from[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return value;
}

/* Returns number i of a tensor whose data begins at `data`, by ggml's definitions. */
static double gguf_value(const gguf_kind *kind, const unsigned char *data, int i) {
    const unsigned char *b = data + (size_t)(i / kind->block) * (size_t)kind->bytes;
    const int at = i % kind->block, byte = at % 16, shift = at < 16 ? 0 : 4;
    float number;
    uint32_t bits;
    switch (kind->type) {
    case 1: return gguf_half(b);
    case 2: return gguf_half(b) * (gguf_bits(b + 2 + byte, shift, 4) - 8);
    case 3: return gguf_half(b) * gguf_bits(b + 4 + byte, shift, 4) + gguf_half(b + 2);
    case 6:
        return gguf_half(b) *
               (gguf_bits(b + 6 + byte, shift, 4) + 16 * gguf_bits(b + 2, at, 1) - 16);
    case 7:
        return gguf_half(b) * (gguf_bits(b + 8 + byte, shift, 4) + 16 * gguf_bits(b + 4, at, 1)) +
               gguf_half(b + 2);
    case 8: return gguf_half(b) * (signed char)b[2 + at];
    case 12:
    case 13: {
        const int g = at / 32, in = at % 32;
        const unsigned char *s = b + 4, *q = b + (kind->type == 12 ? 16 : 48);
        int scale = gguf_bits(s + g, 0, 6), least = gguf_bits(s + g + 4, 0, 6);
        if (g >= 4) {
            scale = gguf_bits(s + g + 4, 0, 4) + 16 * gguf_bits(s + g - 4, 6, 2);
            least = gguf_bits(s + g + 4, 4, 4) + 16 * gguf_bits(s + g, 6, 2);
        }
        int value = gguf_bits(q + g / 2 * 32 + in, g % 2 * 4, 4);
        if (kind->type == 13) value += 16 * gguf_bits(b + 16 + in, g, 1);
        return gguf_half(b) * scale * value - gguf_half(b + 2) * least;
    }
    case 14: {
        const int half = at / 128, run = at % 128 / 32, in = at % 32;
        const int low = gguf_bits(b + 64 * half + run % 2 * 32 + in, run / 2 * 4, 4),
                  high = gguf_bits(b + 128 + 32 * half + in, 2 * run, 2);
        return gguf_half(b + 208) * (signed char)b[192 + at / 16] * (low + 16 * high - 32);
    }
    default:
        bits = kind->type == 30 ? (uint32_t)(b[0] | b[1] << 8) << 16
                                : (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
                                      (uint32_t)b[3] << 24;
        memcpy(&number, &bits, 4);
        return (double)number;
    }
}
#endif
