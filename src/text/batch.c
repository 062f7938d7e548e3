/* text/batch.c - encodes texts of different lengths into tensors of one length, with padding and
   mask. */
#include "text/private.h"

typedef struct nn__text_grid {
    nn_tensor *tensors[3]; /* ids, mask, type_ids */
    const char *names[3];
    int32_t *values[3];
    int32_t count, length;
} nn__text_grid;

static bool nn__text_check_grid(nn__text_call *call, nn__text_grid *grid) {
    static const char *const wanted[2] = {"an i32 tensor of (count, length)", "the shape of ids"};
    for (int i = 0; i < 3; i++) {
        nn_shape shape;
        if (!grid->tensors[i] && i > 0) continue;
        if (!grid->tensors[i]) return nn__text_fail(call, NN_ERROR_ARGUMENT, "ids is NULL");
        shape = nn_tensor_shape(grid->tensors[i]);
        if (nn_tensor_dtype(grid->tensors[i]) != NN_I32)
            return nn__text_fail(call, NN_ERROR_DTYPE, "%s \"%s\" is %s; wanted %s", grid->names[i],
                                 nn_tensor_name(grid->tensors[i]),
                                 nn_dtype_name(nn_tensor_dtype(grid->tensors[i])), wanted[0]);
        if (i == 0 && shape.rank == 2) grid->length = shape.extent[1];
        if (shape.rank != 2 || shape.extent[0] != grid->count || shape.extent[1] != grid->length)
            return nn__text_fail(call, NN_ERROR_SHAPE,
                                 "%s \"%s\" has rank %d and %d rows of %d; for %d texts wanted %s",
                                 grid->names[i], nn_tensor_name(grid->tensors[i]),
                                 (int64_t)shape.rank,
                                 (int64_t)(shape.rank > 0 ? shape.extent[0] : 0),
                                 (int64_t)(shape.rank > 1 ? shape.extent[1] : 0),
                                 (int64_t)grid->count, wanted[i > 0]);
        if (nn_tensor_read_only(grid->tensors[i]))
            return nn__text_fail(call, NN_ERROR_ARGUMENT, "%s \"%s\" is read-only", grid->names[i],
                                 nn_tensor_name(grid->tensors[i]));
    }
    return true;
}

static bool nn__text_pad_id(nn__text_call *call, const nn_tokenizer *t, const nn_encode_desc *desc,
                            int32_t *id) {
    static const char *const usual[2] = {"[PAD]", "<pad>"};
    *id = -1;
    if (desc->pad_token) {
        *id = nn_token_id(t, desc->pad_token);
        return *id >= 0 ||
               nn__text_fail(call, NN_ERROR_ARGUMENT, "pad_token \"%s\" is not in the vocabulary",
                             desc->pad_token);
    }
    if (t->pad_id != NN__TEXT_NONE) *id = (int32_t)t->pad_id;
    for (int i = 0; i < 2 && *id < 0; i++) *id = nn_token_id(t, usual[i]);
    return true;
}

/* Encodes one text into its row. */
static bool nn__text_fill_row(nn__text_call *call, nn_tokenizer *t, const nn__text_grid *grid,
                              const nn_batch_text *text, const nn_encode_desc *given, int32_t row,
                              int32_t pad) {
    nn_encode_desc desc = *given;
    bool left = desc.pad_left || t->pad_left;
    size_t length = (size_t)grid->length, used;
    int32_t *rows[3];
    nn_tokens tokens;
    for (int i = 0; i < 3; i++) rows[i] = grid->values[i] + (size_t)row * length;
    memset(&tokens, 0, sizeof tokens);
    tokens.ids = rows[0];
    tokens.type_ids = rows[2];
    tokens.capacity = grid->length;
    desc.pair = text->pair;
    desc.pair_bytes = text->pair_bytes;
    if (!nn__text_finish(call, t, text->text, text->bytes, &desc, &tokens)) return false;
    used = (size_t)tokens.count;
    if (used < length && pad < 0)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "a text has %d tokens, fewer than a row of %d, and the vocabulary has "
                             "neither [PAD] nor <pad>; name a token in .pad_token",
                             (int64_t)used, (int64_t)length);
    if (left)
        for (int i = 0; i < 3; i += 2)
            memmove(rows[i] + (length - used), rows[i], used * sizeof *rows[i]);
    for (size_t i = 0; i < length; i++) {
        bool is_token = left ? i >= length - used : i < used;
        rows[1][i] = is_token;
        if (is_token) continue;
        rows[0][i] = pad;
        rows[2][i] = 0;
    }
    return true;
}

static bool nn__text_fill_grid(nn__text_call *call, nn_tokenizer *t, nn__text_grid *grid,
                               const nn_batch_text *texts, const nn_encode_desc *desc) {
    size_t elements = (size_t)grid->count * (size_t)grid->length;
    int32_t pad;
    if (!nn__text_pad_id(call, t, desc, &pad)) return false;
    if (!nn__text_grow(call, &t->batch, (uint64_t)elements * 3 * sizeof(int32_t))) return false;
    for (size_t i = 0; i < 3; i++) grid->values[i] = (int32_t *)t->batch.data + i * elements;
    for (int32_t i = 0; i < grid->count; i++) {
        call->item = i;
        if (!nn__text_fill_row(call, t, grid, &texts[i], desc, i, pad)) return false;
    }
    call->item = -1;
    return true;
}

NN__TEXT_PRIVATE void nn__text_store(nn__text_call *call, nn_tensor *const tensors[3],
                                     int32_t *const values[3], uint64_t elements) {
    const size_t bytes = (size_t)elements * sizeof(int32_t);
    for (int i = 0; i < 3 && call->code == NN_OK; i++) {
        if (!tensors[i]) continue;
        if (nn_tensor_device(tensors[i]).kind == NN_CPU)
            memcpy(nn_tensor_data(tensors[i]), values[i], bytes);
        else
            call->code = nn_upload_tensor_at(call->site, tensors[i], values[i], bytes);
    }
}

NN_API nn_result nn_encode_batch_at(nn_site site, nn_tokenizer *tokenizer,
                                    const nn_batch_text *texts, int32_t count,
                                    const nn_encode_desc *desc, nn_tensor *ids, nn_tensor *mask,
                                    nn_tensor *type_ids) {
    nn__text_call call;
    nn__text_grid grid;
    nn_encode_desc defaults;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_encode_batch");
    memset(&grid, 0, sizeof grid);
    memset(&defaults, 0, sizeof defaults);
    if (!desc) desc = &defaults;
    grid.tensors[0] = ids;
    grid.tensors[1] = mask;
    grid.tensors[2] = type_ids;
    grid.names[0] = "ids";
    grid.names[1] = "mask";
    grid.names[2] = "type_ids";
    grid.count = count;
    if (!texts || count < 1)
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "there are %d texts%s; wanted at least one",
                      (int64_t)count, texts ? "" : " at NULL");
    else if (desc->pair)
        nn__text_fail(&call, NN_ERROR_ARGUMENT,
                      "desc->pair is set; give the second texts in texts[i].pair");
    else if (nn__text_check_grid(&call, &grid))
        nn__text_fill_grid(&call, tokenizer, &grid, texts, desc);
    nn__text_store(&call, grid.tensors, grid.values, (uint64_t)count * (uint64_t)grid.length);
    return call.code;
}
