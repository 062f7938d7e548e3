/* language/gguf_weights.c - loads the weights of a GGUF file: shows its tensors to nn_load_weights
   as a safetensors file, whose bytes are made when they are read. So a load is checked and is all
   or nothing. Only a row of a tensor is unpacked at a time (all of it for the transposed weights of
   GPT-2 in floats). Weights of 4 bits go into those of nn_quantize without being unpacked. */
#include "language/gguf.h"

#ifndef NN_NO_FILES

/* Which form, or which part, of a GGUF tensor a shown tensor contains. */
typedef enum nn__gguf_what {
    NN__GGUF_STORED,  /* F32, F16 or BF16 as they are */
    NN__GGUF_FLOATS,  /* unpacked */
    NN__GGUF_TURNED,  /* unpacked and transposed */
    NN__GGUF_BYTES,   /* the weight of nn_quantize, its scales and its minimums */
    NN__GGUF_SCALES,
    NN__GGUF_MINIMUMS
} nn__gguf_what;

typedef struct nn__gguf_shown {
    const nn__gguf_tensor *from;
    char name[160];
    nn__gguf_what what;
    int32_t heads; /* rows of queries or keys that are in another order; 0: none */
    int64_t rows, row_bytes; /* as shown */
    uint64_t offset; /* of its data, after the header */
} nn__gguf_shown;

typedef struct nn__gguf_file {
    nn__gguf *g;
    nn__gguf_shown *shown;
    uint32_t count;
    nn__text_buffer shown_memory, header, row, packed, whole;
    uint64_t header_bytes, data_bytes;
    const nn__gguf_shown *row_of; /* what `row` holds: a row of it */
    int64_t row_at;
    const nn__gguf_tensor *whole_of; /* what `whole` holds */
    uint32_t last; /* read last */
} nn__gguf_file;

/* ---- names ----------------------------------------------------------------------------------- */

typedef struct nn__gguf_name {
    const char *from, *to;
} nn__gguf_name;

static const nn__gguf_name nn__gguf_llama_names[] = {
    {"attn_norm.", "input_layernorm."},       {"attn_q.", "self_attn.q_proj."},
    {"attn_k.", "self_attn.k_proj."},         {"attn_v.", "self_attn.v_proj."},
    {"attn_output.", "self_attn.o_proj."},    {"attn_q_norm.", "self_attn.q_norm."},
    {"attn_k_norm.", "self_attn.k_norm."},    {"ffn_norm.", "post_attention_layernorm."},
    {"ffn_gate.", "mlp.gate_proj."},          {"ffn_up.", "mlp.up_proj."},
    {"ffn_down.", "mlp.down_proj."},          {NULL, NULL}};
static const nn__gguf_name nn__gguf_gpt2_names[] = {
    {"attn_norm.", "ln_1."},        {"attn_qkv.", "attn.c_attn."}, {"attn_output.", "attn.c_proj."},
    {"ffn_norm.", "ln_2."},         {"ffn_up.", "mlp.c_fc."},      {"ffn_down.", "mlp.c_proj."},
    {NULL, NULL}};
static const nn__gguf_name nn__gguf_whole_names[2][5] = {
    {{"token_embd.", "transformer.wte."},
     {"position_embd.", "transformer.wpe."},
     {"output_norm.", "transformer.ln_f."},
     {"output.", "lm_head."},
     {NULL, NULL}},
    {{"token_embd.", "model.embed_tokens."},
     {"output_norm.", "model.norm."},
     {"output.", "lm_head."},
     {NULL, NULL},
     {NULL, NULL}}};

/* Appends text to a name; too long ones are cut, and then fit no tensor. */
static void nn__gguf_append(char *to, size_t size, const char *text, size_t length) {
    const size_t used = strlen(to);
    if (length > size - 1 - used) length = size - 1 - used;
    memcpy(to + used, text, length);
    to[used + length] = 0;
}

/* Appends the name after replacing its beginning: the first entry of `names` that fits counts.
   False: none fits. */
static bool nn__gguf_rename(char *to, size_t size, const char *name, size_t length,
                            const nn__gguf_name *names) {
    for (; names->from; names++) {
        const size_t begin = strlen(names->from);
        if (length < begin || memcmp(name, names->from, begin) != 0) continue;
        nn__gguf_append(to, size, names->to, strlen(names->to));
        nn__gguf_append(to, size, name + begin, length - begin);
        return true;
    }
    return false;
}

/* Sets the name in the net. Unknown names stay as they are and will be reported as unexpected. */
static void nn__gguf_set_name(const nn__gguf_tensor *t, bool llama, char *to, size_t size) {
    size_t at = 4;
    to[0] = 0;
    if (nn__gguf_rename(to, size, t->name, t->length, nn__gguf_whole_names[llama])) return;
    while (at < t->length && t->name[at] >= '0' && t->name[at] <= '9') at++;
    if (t->length > 4 && memcmp(t->name, "blk.", 4) == 0 && at > 4 && at < t->length &&
        t->name[at] == '.') {
        nn__gguf_append(to, size, llama ? "model.layers." : "transformer.h.",
                        llama ? (size_t)13 : (size_t)14);
        nn__gguf_append(to, size, t->name + 4, at - 3);
        if (nn__gguf_rename(to, size, t->name + at + 1, t->length - at - 1,
                            llama ? nn__gguf_llama_names : nn__gguf_gpt2_names))
            return;
    }
    to[0] = 0;
    nn__gguf_append(to, size, t->name, t->length);
}

static bool nn__gguf_ends(const char *name, const char *end) {
    const size_t length = strlen(name), bytes = strlen(end);
    return length >= bytes && strcmp(name + length - bytes, end) == 0;
}

/* ---- the tensors that are shown -------------------------------------------------------------- */

/* Returns the tensor of the net with the shown name and this end; NULL: there is none. */
static nn_tensor *nn__gguf_part(nn_model *net, const nn__gguf_shown *shown, const char *end) {
    char name[200] = "";
    nn__gguf_append(name, sizeof name, shown->name, strlen(shown->name));
    nn__gguf_append(name, sizeof name, end, strlen(end));
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(net, i);
        if (tensor && strcmp(nn_tensor_name(tensor), name) == 0) return tensor;
    }
    return NULL;
}

static void nn__gguf_add(nn__gguf_file *f, const nn__gguf_shown *like, const char *end,
                         nn__gguf_what what, int64_t row_bytes) {
    nn__gguf_shown *shown = &f->shown[f->count++];
    *shown = *like;
    nn__gguf_append(shown->name, sizeof shown->name, end, strlen(end));
    shown->what = what;
    shown->row_bytes = row_bytes;
    shown->offset = f->data_bytes;
    f->data_bytes += (uint64_t)shown->rows * (uint64_t)row_bytes;
}

/* Adds what the net needs of a tensor: groups of 4 bits for weights of nn_quantize with .bits = 4
   if the tensor has them, else floats. */
static bool nn__gguf_show(nn__gguf_file *f, nn_model *net, const nn_config *config, bool permuted,
                          const nn__gguf_tensor *t) {
    const bool llama = config->family == NN_FAMILY_LLAMA;
    const nn__gguf_type *type = nn__gguf_type_of(t->type);
    nn__gguf_shown like;
    if (t->length == 17 && memcmp(t->name, "rope_freqs.weight", 17) == 0)
        return true; /* a part of the config */
    if (!type->read)
        return nn__text_fail(f->g->call, NN_ERROR_UNSUPPORTED,
                             "\"%s\": the tensor %q is of type %s, which is not read; convert the "
                             "file to Q4_K_M, Q4_0, Q8_0 or F16 with llama-quantize",
                             f->g->path, t->length, t->name, type->name);
    memset(&like, 0, sizeof like);
    like.from = t;
    like.rows = t->rows;
    nn__gguf_set_name(t, llama, like.name, sizeof like.name);
    if (permuted && (nn__gguf_ends(like.name, "self_attn.q_proj.weight") ||
                     nn__gguf_ends(like.name, "self_attn.q_proj.bias")))
        like.heads = config->num_attention_heads;
    if (permuted && (nn__gguf_ends(like.name, "self_attn.k_proj.weight") ||
                     nn__gguf_ends(like.name, "self_attn.k_proj.bias")))
        like.heads = config->num_key_value_heads;
    if (like.heads && t->rank == 1) like.rows = t->columns; /* a bias: its numbers are rows */
    if (like.heads && (like.rows % (2 * like.heads) || (t->rank == 1 && type->block > 1)))
        return nn__text_fail(f->g->call, NN_ERROR_FORMAT,
                             "\"%s\": the tensor %q has %d rows, which are no whole heads",
                             f->g->path, t->length, t->name, like.rows);
    nn_tensor *own = t->rank == 2 ? nn__gguf_part(net, &like, "") : NULL;
    if (own && nn_tensor_dtype(own) == NN_U8 && nn__gguf_is_nibbles(t->type)) {
        const bool minimums = nn__gguf_part(net, &like, "_min") != NULL;
        if (minimums || t->type == NN__GGUF_Q4_0) {
            nn__gguf_add(f, &like, "", NN__GGUF_BYTES, t->columns / 2);
            nn__gguf_add(f, &like, "_scale", NN__GGUF_SCALES, t->columns / 32 * 2);
            if (minimums)
                nn__gguf_add(f, &like, "_min", NN__GGUF_MINIMUMS, t->columns / 32 * 2);
            return true;
        }
    }
    if (!llama && t->rank == 2 &&
        (nn__gguf_ends(like.name, ".c_attn.weight") || nn__gguf_ends(like.name, ".c_proj.weight") ||
         nn__gguf_ends(like.name, ".c_fc.weight"))) {
        like.rows = t->columns;
        nn__gguf_add(f, &like, "", NN__GGUF_TURNED, t->rows * 4);
    } else if (type->block == 1) {
        nn__gguf_add(f, &like, "", NN__GGUF_STORED,
                     (t->rank == 1 && like.heads ? 1 : t->columns) * type->bytes);
    } else {
        nn__gguf_add(f, &like, "", NN__GGUF_FLOATS, t->columns * 4);
    }
    return true;
}

/* ---- the header ------------------------------------------------------------------------------ */

typedef struct nn__gguf_writing {
    nn__text_call *call;
    nn__text_buffer *to;
    size_t used;
} nn__gguf_writing;

static void nn__gguf_write(nn__gguf_writing *w, const char *text, size_t length) {
    if (!nn__text_grow(w->call, w->to, w->used + length + 16)) return;
    memcpy((char *)w->to->data + w->used, text, length);
    w->used += length;
}
static void nn__gguf_words(nn__gguf_writing *w, const char *text) {
    nn__gguf_write(w, text, strlen(text));
}
static void nn__gguf_digits(nn__gguf_writing *w, uint64_t number) {
    char digits[24];
    int at = (int)sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    nn__gguf_write(w, digits + at, sizeof digits - (size_t)at);
}

/* Writes a name as JSON. Quotes, backslashes and characters that are not printable ASCII
   become question marks. */
static void nn__gguf_quoted(nn__gguf_writing *w, const char *name) {
    nn__gguf_words(w, "\"");
    for (; *name; name++)
        nn__gguf_write(w, *name < 32 || *name > 126 || *name == '"' || *name == '\\' ? "?" : name,
                       1);
    nn__gguf_words(w, "\":{\"dtype\":\"");
}

static const char *nn__gguf_dtype(const nn__gguf_shown *s) {
    if (s->what == NN__GGUF_BYTES) return "U8";
    if (s->what == NN__GGUF_SCALES || s->what == NN__GGUF_MINIMUMS) return "F16";
    return s->what != NN__GGUF_STORED ? "F32" : nn__gguf_type_of(s->from->type)->name;
}

/* Numbers of a shown row. */
static int64_t nn__gguf_columns(const nn__gguf_shown *s) {
    if (s->what == NN__GGUF_BYTES) return s->from->columns / 2;
    if (s->what == NN__GGUF_SCALES || s->what == NN__GGUF_MINIMUMS) return s->from->columns / 32;
    return s->what == NN__GGUF_TURNED ? s->from->rows : s->from->columns;
}

static bool nn__gguf_make_header(nn__gguf_file *f) {
    nn__gguf_writing w;
    w.call = f->g->call;
    w.to = &f->header;
    w.used = 0;
    nn__gguf_write(&w, "\0\0\0\0\0\0\0\0{", 9);
    for (uint32_t i = 0; i < f->count; i++) {
        const nn__gguf_shown *s = &f->shown[i];
        if (i) nn__gguf_words(&w, ",");
        nn__gguf_quoted(&w, s->name);
        nn__gguf_words(&w, nn__gguf_dtype(s));
        nn__gguf_words(&w, "\",\"shape\":[");
        if (s->from->rank > 1) {
            nn__gguf_digits(&w, (uint64_t)s->rows);
            nn__gguf_words(&w, ",");
        }
        nn__gguf_digits(&w, (uint64_t)nn__gguf_columns(s));
        nn__gguf_words(&w, "],\"data_offsets\":[");
        nn__gguf_digits(&w, s->offset);
        nn__gguf_words(&w, ",");
        nn__gguf_digits(&w, s->offset + (uint64_t)s->rows * (uint64_t)s->row_bytes);
        nn__gguf_words(&w, "]}");
    }
    nn__gguf_words(&w, "}");
    if (f->g->call->code != NN_OK) return false;
    f->header_bytes = w.used;
    for (int i = 0; i < 8; i++)
        ((char *)f->header.data)[i] = (char)((w.used - 8) >> 8 * i & 255);
    return true;
}

/* ---- the data -------------------------------------------------------------------------------- */

/* Reads row `row` of a tensor, packed. NULL: an error. */
static const uint8_t *nn__gguf_packed(nn__gguf_file *f, const nn__gguf_tensor *t, int64_t row) {
    nn__gguf *g = f->g;
    if (!nn__text_grow(g->call, &f->packed, t->row_bytes)) return NULL;
    if (g->files.read(g->files.user, g->file, t->offset + (uint64_t)row * t->row_bytes,
                      f->packed.data, (size_t)t->row_bytes))
        return (const uint8_t *)f->packed.data;
    nn__text_fail(g->call, NN_ERROR_FILE, "\"%s\": reading the tensor %q failed", g->path,
                  t->length, t->name);
    return NULL;
}

/* Makes n floats little-endian, as safetensors has them. */
static void nn__gguf_little(void *numbers, int64_t n) {
    const uint16_t one = 1;
    unsigned char *at = (unsigned char *)numbers;
    if (*(const unsigned char *)&one) return;
    for (int64_t i = 0; i < n; i++, at += 4) {
        const unsigned char a = at[0], b = at[1];
        at[0] = at[3], at[1] = at[2], at[2] = b, at[3] = a;
    }
}

/* Does the same for numbers of f16, which must be finite. */
static bool nn__gguf_finite(nn__gguf_file *f, const nn__gguf_tensor *t, uint16_t *halves,
                            int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        unsigned char *to = (unsigned char *)&halves[i];
        const uint16_t half = halves[i];
        if ((half & 0x7c00u) == 0x7c00u)
            return nn__text_fail(f->g->call, NN_ERROR_FORMAT,
                                 "\"%s\": the tensor %q has a scale that is not finite in f16",
                                 f->g->path, t->length, t->name);
        to[0] = (unsigned char)(half & 255);
        to[1] = (unsigned char)(half >> 8);
    }
    return true;
}

/* Unpacks a whole tensor, transposed. */
static bool nn__gguf_turn(nn__gguf_file *f, const nn__gguf_tensor *t) {
    const uint64_t bytes = (uint64_t)t->rows * (uint64_t)t->columns * 4;
    if (f->whole_of == t) return true;
    f->whole_of = NULL;
    if (!nn__text_grow(f->g->call, &f->whole, bytes + (uint64_t)t->columns * 4)) return false;
    float *whole = (float *)f->whole.data, *row = whole + t->rows * t->columns;
    for (int64_t i = 0; i < t->rows; i++) {
        const uint8_t *packed = nn__gguf_packed(f, t, i);
        if (!packed) return false;
        nn__gguf_floats(t->type, packed, t->columns, row);
        for (int64_t k = 0; k < t->columns; k++) whole[k * t->rows + i] = row[k];
    }
    nn__gguf_little(whole, t->rows * t->columns);
    f->whole_of = t;
    return true;
}

/* Returns the row of the GGUF file that is shown as row `row`. GGUF's converter for Llama puts the
   two numbers of a rotated pair side by side; transformers has all the first ones of a head, then
   all the second ones. */
static int64_t nn__gguf_row(const nn__gguf_shown *s, int64_t row) {
    if (!s->heads) return row;
    const int64_t width = s->rows / s->heads, head = row / width, at = row % width;
    return head * width + at % (width / 2) * 2 + at / (width / 2);
}

/* Makes row `at` of what is shown. NULL: an error. */
static const char *nn__gguf_make_row(nn__gguf_file *f, const nn__gguf_shown *s, int64_t at) {
    const nn__gguf_tensor *t = s->from;
    if (s->what == NN__GGUF_TURNED)
        return nn__gguf_turn(f, t) ? (const char *)f->whole.data + at * s->row_bytes : NULL;
    if (f->row_of == s && f->row_at == at) return (const char *)f->row.data;
    f->row_of = NULL;
    if (!nn__text_grow(f->g->call, &f->row, (uint64_t)s->row_bytes + 16)) return NULL;
    const int64_t from = nn__gguf_row(s, at);
    const bool bias = s->heads && t->rank == 1;
    const uint8_t *packed = nn__gguf_packed(f, t, bias ? 0 : from);
    uint16_t *halves = (uint16_t *)f->row.data;
    if (!packed) return NULL;
    switch (s->what) {
    case NN__GGUF_STORED:
        memcpy(f->row.data, packed + (bias ? from * s->row_bytes : 0), (size_t)s->row_bytes);
        break;
    case NN__GGUF_BYTES:
        nn__gguf_nibbles(t->type, packed, t->columns, (uint8_t *)f->row.data, NULL, NULL);
        break;
    case NN__GGUF_SCALES:
    case NN__GGUF_MINIMUMS:
        nn__gguf_nibbles(t->type, packed, t->columns, NULL,
                         s->what == NN__GGUF_SCALES ? halves : NULL,
                         s->what == NN__GGUF_MINIMUMS ? halves : NULL);
        if (!nn__gguf_finite(f, t, halves, t->columns / 32)) return NULL;
        break;
    default:
        nn__gguf_floats(t->type, packed, t->columns, (float *)f->row.data);
        nn__gguf_little(f->row.data, t->columns);
    }
    f->row_of = s;
    f->row_at = at;
    return (const char *)f->row.data;
}

static bool nn__gguf_read(void *user, void *handle, uint64_t offset, void *data, size_t bytes) {
    nn__gguf_file *f = (nn__gguf_file *)user;
    char *to = (char *)data;
    (void)handle;
    while (bytes > 0) {
        size_t part = bytes;
        if (offset < f->header_bytes) {
            if (part > f->header_bytes - offset) part = (size_t)(f->header_bytes - offset);
            memcpy(to, (const char *)f->header.data + offset, part);
        } else {
            const uint64_t at = offset - f->header_bytes;
            if (at >= f->data_bytes) return false;
            if (at < f->shown[f->last].offset) f->last = 0;
            while (f->last + 1 < f->count && at >= f->shown[f->last + 1].offset) f->last++;
            const nn__gguf_shown *s = &f->shown[f->last];
            const uint64_t in = at - s->offset, begin = in % (uint64_t)s->row_bytes;
            const char *row = nn__gguf_make_row(f, s, (int64_t)(in / (uint64_t)s->row_bytes));
            if (!row) return false;
            if (part > (uint64_t)s->row_bytes - begin)
                part = (size_t)((uint64_t)s->row_bytes - begin);
            memcpy(to, row + begin, part);
        }
        to += part;
        offset += part;
        bytes -= part;
    }
    return true;
}

static void *nn__gguf_opened(void *user, const char *path, bool write) {
    (void)path;
    return write ? NULL : user;
}
static bool nn__gguf_sized(void *user, void *handle, uint64_t *bytes) {
    const nn__gguf_file *f = (const nn__gguf_file *)user;
    (void)handle;
    *bytes = f->header_bytes + f->data_bytes;
    return true;
}
static bool nn__gguf_closed(void *user, void *handle) {
    (void)user, (void)handle;
    return true;
}

/* ---- loading --------------------------------------------------------------------------------- */

static bool nn__gguf_fits(nn__gguf *g, const nn_config *config, bool *permuted) {
    nn_config own;
    memset(&own, 0, sizeof own);
    if (!nn__gguf_config(g, &own)) return false;
    *permuted = strcmp(own.model_type, "llama") == 0;
    if (own.family == config->family) return true;
    return nn__text_fail(g->call, NN_ERROR_ARGUMENT,
                         "\"%s\" is of the architecture %s, which is not config.family; fill the "
                         "config with nn_read_config from this file",
                         g->path, own.model_type);
}

NN__TEXT_PRIVATE nn_result nn__gguf_load(nn__text_call *call, nn_model *net,
                                         const nn_config *config, const char *path) {
    nn__gguf g;
    nn__gguf_file f;
    nn_files files;
    nn_load_weights_desc desc;
    bool permuted = false;
    nn_result result = NN_OK;
    memset(&f, 0, sizeof f);
    memset(&files, 0, sizeof files);
    memset(&desc, 0, sizeof desc);
    f.g = &g;
    /* this makes the tensors, whose dtypes decide what is shown */
    if (!nn_find_tensor_at(call->site, net,
                           config->family == NN_FAMILY_LLAMA ? "model.embed_tokens.weight"
                                                             : "transformer.wte.weight"))
        call->code = NN_ERROR_ARGUMENT;
    if (nn__gguf_open(call, path, &g) && nn__gguf_fits(&g, config, &permuted) &&
        nn__text_grow(call, &f.shown_memory,
                      sizeof *f.shown * 3 * ((uint64_t)g.tensor_count + 1))) {
        f.shown = (nn__gguf_shown *)f.shown_memory.data;
        for (uint32_t i = 0; i < g.tensor_count && call->code == NN_OK; i++)
            nn__gguf_show(&f, net, config, permuted, &g.tensors[i]);
        if (call->code == NN_OK) nn__gguf_make_header(&f);
    }
    if (call->code == NN_OK) {
        files.open = nn__gguf_opened;
        files.read = nn__gguf_read;
        files.size = nn__gguf_sized;
        files.close = nn__gguf_closed;
        files.user = &f;
        desc.files = &files;
        result = nn_load_weights_at(call->site, net, path, &desc);
    }
    nn__text_drop(call->nn, &f.shown_memory);
    nn__text_drop(call->nn, &f.header);
    nn__text_drop(call->nn, &f.row);
    nn__text_drop(call->nn, &f.packed);
    nn__text_drop(call->nn, &f.whole);
    nn__gguf_close(&g);
    return call->code != NN_OK ? call->code : result;
}
#endif

typedef int nn__gguf_part_4; /* a part must not be empty under NN_NO_FILES */
