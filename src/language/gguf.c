/* language/gguf.c - reads the header of a GGUF file: metadata and the table of tensors. Nothing in
   the file is trusted: every length, count, offset and type is checked before it is used. */
#include "language/gguf.h"

#ifndef NN_NO_FILES

#define NN__GGUF_FIRST   65536     /* bytes read at first; doubled until the header is complete */
#define NN__GGUF_HEADER  (1 << 28) /* bytes of a header, at most: a large vocabulary has 10 MB */
#define NN__GGUF_KEYS    65536     /* of the metadata, at most */
#define NN__GGUF_TENSORS 65536     /* at most; 512 layers have 12 each */
#define NN__GGUF_STRING  8
#define NN__GGUF_ARRAY   9

/* ---- types ----------------------------------------------------------------------------------- */

NN__TEXT_PRIVATE const nn__gguf_type *nn__gguf_type_of(uint32_t type) {
    static const nn__gguf_type types[] = {
        {"F32", 1, 4, true},      {"F16", 1, 2, true},      {"Q4_0", 32, 18, true},
        {"Q4_1", 32, 20, true},   {NULL, 1, 1, false},      {NULL, 1, 1, false},
        {"Q5_0", 32, 22, true},   {"Q5_1", 32, 24, true},   {"Q8_0", 32, 34, true},
        {"Q8_1", 32, 36, false},  {"Q2_K", 256, 84, false}, {"Q3_K", 256, 110, false},
        {"Q4_K", 256, 144, true}, {"Q5_K", 256, 176, true}, {"Q6_K", 256, 210, true},
        {"Q8_K", 256, 292, false}};
    static const nn__gguf_type bf16 = {"BF16", 1, 2, true}, other = {NULL, 1, 1, false};
    if (type == NN__GGUF_BF16) return &bf16;
    return type < sizeof types / sizeof types[0] ? &types[type] : &other;
}

/* Bytes of a value of the metadata; 0: a string, an array or no type. */
static size_t nn__gguf_value_bytes(uint32_t type) {
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    return type < sizeof bytes ? bytes[type] : 0;
}

NN__TEXT_PRIVATE uint64_t nn__gguf_word(const char *from, int bytes) {
    uint64_t word = 0;
    for (int i = bytes; i-- > 0;) word = word << 8 | (unsigned char)from[i];
    return word;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct nn__gguf_reader {
    nn__gguf *g;
    uint64_t at;
    uint64_t wanted; /* bytes of the file that the reader needs in `head` */
} nn__gguf_reader;

/* Reports that the file ends too early, or asks for more of it. Returns false. */
static bool nn__gguf_more(nn__gguf_reader *r, uint64_t bytes, const char *what) {
    nn__gguf *g = r->g;
    if (bytes > g->size - r->at)
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\" is cut off or damaged: %s at byte %d would end after the "
                             "file, which has %d bytes",
                             g->path, what, (int64_t)r->at, (int64_t)g->size);
    r->wanted = r->at + bytes;
    return false;
}

/* Returns `bytes` bytes; NULL: an error, or more of the file is wanted. */
static const char *nn__gguf_take(nn__gguf_reader *r, uint64_t bytes, const char *what) {
    if (bytes > r->g->head_bytes - r->at) {
        nn__gguf_more(r, bytes, what);
        return NULL;
    }
    r->at += bytes;
    return (const char *)r->g->head.data + (r->at - bytes);
}

static bool nn__gguf_take_word(nn__gguf_reader *r, int bytes, uint64_t *word, const char *what) {
    const char *from = nn__gguf_take(r, (uint64_t)bytes, what);
    if (from) *word = nn__gguf_word(from, bytes);
    return from != NULL;
}

static bool nn__gguf_take_text(nn__gguf_reader *r, const char **text, size_t *length,
                               const char *what) {
    uint64_t bytes;
    if (!nn__gguf_take_word(r, 8, &bytes, what)) return false;
    *text = nn__gguf_take(r, bytes, what);
    *length = (size_t)bytes;
    return *text != NULL;
}

static bool nn__gguf_damaged(nn__gguf_reader *r, const char *why, const char *name, size_t length) {
    return nn__text_fail(r->g->call, NN_ERROR_FORMAT, "\"%s\": %q %s, at byte %d", r->g->path,
                         length, name, why, (int64_t)r->at);
}

/* Reads a key and its value. */
static bool nn__gguf_take_key(nn__gguf_reader *r, nn__gguf_key *key) {
    uint64_t type;
    if (!nn__gguf_take_text(r, &key->name, &key->length, "a key") ||
        !nn__gguf_take_word(r, 4, &type, "a type"))
        return false;
    key->count = 1;
    key->is_array = type == NN__GGUF_ARRAY;
    if (key->is_array && (!nn__gguf_take_word(r, 4, &type, "a type") ||
                          !nn__gguf_take_word(r, 8, &key->count, "a count")))
        return false;
    key->type = (uint32_t)type;
    key->value = (const char *)r->g->head.data + r->at;
    if (type == NN__GGUF_STRING) {
        const char *text;
        size_t length;
        for (uint64_t i = 0; i < key->count; i++)
            if (!nn__gguf_take_text(r, &text, &length, "a text")) return false;
        return true;
    }
    const size_t bytes = nn__gguf_value_bytes(key->type);
    if (!bytes)
        return nn__gguf_damaged(r,
                                type == NN__GGUF_ARRAY ? "has arrays in an array"
                                                       : "has a value of an unknown type",
                                key->name, key->length);
    if (key->count > r->g->size / bytes) key->count = r->g->size / bytes + 1; /* fails below */
    return nn__gguf_take(r, key->count * bytes, "an array") != NULL;
}

/* Reads a row of the table of tensors. Its offset is still relative to the end of the header. */
static bool nn__gguf_take_tensor(nn__gguf_reader *r, nn__gguf_tensor *t) {
    uint64_t rank, extent, type;
    const nn__gguf_type *of;
    if (!nn__gguf_take_text(r, &t->name, &t->length, "the name of a tensor") ||
        !nn__gguf_take_word(r, 4, &rank, "a number of axes"))
        return false;
    if (rank < 1 || rank > 4)
        return nn__gguf_damaged(r, "has not 1 to 4 axes", t->name, t->length);
    t->rank = (int32_t)rank;
    t->rows = 1;
    for (int i = 0; i < t->rank; i++) {
        if (!nn__gguf_take_word(r, 8, &extent, "an extent")) return false;
        if (extent < 1 || extent > INT32_MAX || (i > 0 && t->rows * (int64_t)extent > INT32_MAX))
            return nn__gguf_damaged(r, "has an extent of 0 or above 2^31", t->name, t->length);
        if (i == 0) t->columns = (int64_t)extent;
        else t->rows *= (int64_t)extent;
    }
    if (!nn__gguf_take_word(r, 4, &type, "a type") ||
        !nn__gguf_take_word(r, 8, &t->offset, "an offset"))
        return false;
    t->type = (uint32_t)type;
    of = nn__gguf_type_of(t->type);
    if (!of->name)
        return nn__text_fail(r->g->call, NN_ERROR_FORMAT,
                             "\"%s\": the tensor %q has the type %d, which is not known here; "
                             "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q4_K, Q5_K and Q6_K "
                             "are",
                             r->g->path, t->length, t->name, (int64_t)t->type);
    if (t->columns % of->block)
        return nn__gguf_damaged(r, "has rows that are no whole blocks of its type", t->name,
                                t->length);
    t->row_bytes = (uint64_t)(t->columns / of->block) * (uint64_t)of->bytes;
    return true;
}

/* ---- the header ------------------------------------------------------------------------------ */

static bool nn__gguf_counts(nn__gguf_reader *r, uint64_t *tensors, uint64_t *keys) {
    nn__gguf *g = r->g;
    const char *magic = nn__gguf_take(r, 4, "the first word");
    uint64_t version;
    if (!magic) return false;
    if (memcmp(magic, "GGUF", 4) != 0)
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\" is no GGUF file: it does not begin with \"GGUF\"", g->path);
    if (!nn__gguf_take_word(r, 4, &version, "the version")) return false;
    if (version != 2 && version != 3)
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\" has version %d of GGUF; wanted 2 or 3, little-endian", g->path,
                             (int64_t)version);
    if (!nn__gguf_take_word(r, 8, tensors, "the number of tensors") ||
        !nn__gguf_take_word(r, 8, keys, "the number of keys"))
        return false;
    if (*tensors <= NN__GGUF_TENSORS && *keys <= NN__GGUF_KEYS) return true;
    return nn__text_fail(g->call, NN_ERROR_FORMAT,
                         "\"%s\" claims %d tensors and %d keys; at most 65,536 of each are read",
                         g->path, (int64_t)(*tensors & INT64_MAX), (int64_t)(*keys & INT64_MAX));
}

/* Checks the alignment and the places of the tensors. `end`: of the header. */
static bool nn__gguf_places(nn__gguf *g, uint64_t end) {
    const nn__gguf_key *key = nn__gguf_find(g, "general.alignment");
    double alignment = 32;
    if (key && (!nn__gguf_number(key, 0, &alignment) || alignment < 1 || alignment > 1 << 20))
        return nn__text_fail(g->call, NN_ERROR_FORMAT,
                             "\"%s\": general.alignment is no number from 1 to 2^20", g->path);
    const uint64_t step = (uint64_t)alignment, data = (end + step - 1) / step * step;
    for (uint32_t i = 0; i < g->tensor_count; i++) {
        nn__gguf_tensor *t = &g->tensors[i];
        const uint64_t left = data <= g->size ? g->size - data : 0;
        if (t->offset > left || t->row_bytes > (left - t->offset) / (uint64_t)t->rows)
            return nn__text_fail(g->call, NN_ERROR_FORMAT,
                                 "\"%s\" is cut off or damaged: the tensor %q would end after the "
                                 "file, which has %d bytes",
                                 g->path, t->length, t->name, (int64_t)g->size);
        t->offset += data;
        for (uint32_t k = 0; k < i && g->tensor_count < 4096; k++)
            if (g->tensors[k].length == t->length &&
                memcmp(g->tensors[k].name, t->name, t->length) == 0)
                return nn__text_fail(g->call, NN_ERROR_FORMAT, "\"%s\" has two tensors %q",
                                     g->path, t->length, t->name);
    }
    return true;
}

/* Parses what has been read. False: an error, or r->wanted says how much is needed. */
static bool nn__gguf_parse(nn__gguf_reader *r) {
    nn__gguf *g = r->g;
    uint64_t tensors = 0, keys = 0;
    r->at = 0;
    r->wanted = 0;
    g->key_count = g->tensor_count = 0;
    if (!nn__gguf_counts(r, &tensors, &keys) ||
        !nn__text_grow(g->call, &g->key_memory, sizeof *g->keys * (keys + 1)) ||
        !nn__text_grow(g->call, &g->tensor_memory, sizeof *g->tensors * (tensors + 1)))
        return false;
    g->keys = (nn__gguf_key *)g->key_memory.data;
    g->tensors = (nn__gguf_tensor *)g->tensor_memory.data;
    for (; g->key_count < keys; g->key_count++)
        if (!nn__gguf_take_key(r, &g->keys[g->key_count])) return false;
    for (; g->tensor_count < tensors; g->tensor_count++)
        if (!nn__gguf_take_tensor(r, &g->tensors[g->tensor_count])) return false;
    return nn__gguf_places(g, r->at);
}

NN__TEXT_PRIVATE bool nn__gguf_open(nn__text_call *call, const char *path, nn__gguf *g) {
    nn__gguf_reader reader;
    uint64_t wanted = NN__GGUF_FIRST;
    memset(g, 0, sizeof *g);
    g->call = call;
    g->path = path;
    g->files = nn_context_desc(call->nn)->files;
    if (!g->files.open || !g->files.read || !g->files.size || !g->files.close ||
        !(g->file = g->files.open(g->files.user, path, false)))
        return nn__text_fail(call, NN_ERROR_FILE, "\"%s\" cannot be opened", path);
    if (!g->files.size(g->files.user, g->file, &g->size))
        return nn__text_fail(call, NN_ERROR_FILE, "\"%s\": its size cannot be found", path);
    reader.g = g;
    for (;;) {
        if (wanted > NN__GGUF_HEADER)
            return nn__text_fail(call, NN_ERROR_FORMAT,
                                 "\"%s\" has a header of more than 2^28 bytes", path);
        if (wanted > g->size) wanted = g->size;
        if (!nn__text_grow(call, &g->head, wanted + 1)) return false;
        if (!g->files.read(g->files.user, g->file, 0, g->head.data, (size_t)wanted))
            return nn__text_fail(call, NN_ERROR_FILE, "\"%s\": reading its header failed", path);
        g->head_bytes = (size_t)wanted;
        if (nn__gguf_parse(&reader)) return true;
        if (call->code != NN_OK) return false;
        wanted = wanted * 2 > reader.wanted ? wanted * 2 : reader.wanted;
    }
}

NN__TEXT_PRIVATE void nn__gguf_close(nn__gguf *g) {
    if (g->file) g->files.close(g->files.user, g->file);
    g->file = NULL;
    nn__text_drop(g->call->nn, &g->head);
    nn__text_drop(g->call->nn, &g->key_memory);
    nn__text_drop(g->call->nn, &g->tensor_memory);
}

/* ---- looking things up ----------------------------------------------------------------------- */

NN__TEXT_PRIVATE bool nn__gguf_is(const char *path) {
    const size_t length = path ? strlen(path) : 0;
    return length > 5 && strcmp(path + length - 5, ".gguf") == 0;
}

static bool nn__gguf_same(const char *name, size_t length, const char *text) {
    return strlen(text) == length && memcmp(name, text, length) == 0;
}

NN__TEXT_PRIVATE const nn__gguf_key *nn__gguf_find(const nn__gguf *g, const char *name) {
    for (uint32_t i = 0; i < g->key_count; i++)
        if (nn__gguf_same(g->keys[i].name, g->keys[i].length, name)) return &g->keys[i];
    return NULL;
}

NN__TEXT_PRIVATE const nn__gguf_tensor *nn__gguf_tensor_of(const nn__gguf *g, const char *name) {
    for (uint32_t i = 0; i < g->tensor_count; i++)
        if (nn__gguf_same(g->tensors[i].name, g->tensors[i].length, name)) return &g->tensors[i];
    return NULL;
}

NN__TEXT_PRIVATE bool nn__gguf_number(const nn__gguf_key *key, uint64_t i, double *number) {
    const size_t bytes = nn__gguf_value_bytes(key->type);
    if (!bytes || i >= key->count) return false;
    const uint64_t word = nn__gguf_word(key->value + i * bytes, (int)bytes);
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    if (key->type == 6) {
        const uint32_t bits = (uint32_t)word;
        float value;
        memcpy(&value, &bits, sizeof value);
        *number = (double)value;
    } else if (key->type == 12) {
        memcpy(number, &word, sizeof *number);
    } else if (key->type == 1 || key->type == 3 || key->type == 5 || key->type == 11) {
        *number = word & sign ? -(double)(((sign - 1) & ~word) + 1) : (double)word;
    } else {
        *number = (double)word;
    }
    return true;
}

NN__TEXT_PRIVATE const char *nn__gguf_text(const nn__gguf_key *key, size_t *length) {
    if (!key || key->is_array || key->type != NN__GGUF_STRING) return NULL;
    *length = (size_t)nn__gguf_word(key->value, 8);
    return key->value + 8;
}
#undef NN__GGUF_FIRST
#undef NN__GGUF_HEADER
#undef NN__GGUF_KEYS
#undef NN__GGUF_TENSORS
#undef NN__GGUF_STRING
#undef NN__GGUF_ARRAY
#endif

typedef int nn__gguf_part_1; /* a part must not be empty under NN_NO_FILES */
