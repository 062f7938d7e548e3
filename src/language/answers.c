/* language/answers.c - writes prompts and answers into the rows of a batch, one or several texts in
   each row. The labels are those of the answers alone. */
#include "language/answers.h"
#include "text/private.h"

typedef struct nn__answers {
    nn_tokenizer *t;
    nn_fill_answers_desc desc;
    nn_tensor *tensors[3]; /* ids, labels, starts */
    int32_t *values[3];
    int32_t rows, length;
    int32_t row, at; /* where the next text begins */
    int32_t begin, end; /* ids of the tokens, or -1: none */
} nn__answers;

static bool nn__answers_check(nn__text_call *call, nn__answers *a) {
    static const char *const names[3] = {"ids", "labels", "starts"};
    for (int i = 0; i < 3; i++) {
        nn_shape shape;
        if (!a->tensors[i] && i == 2 && !a->desc.pack) continue;
        if (!a->tensors[i])
            return nn__text_fail(call, NN_ERROR_ARGUMENT, "%s is NULL%s", names[i],
                                 i < 2 ? "" : "; packed texts are separated by it");
        for (int j = 0; j < i; j++)
            if (a->tensors[j] == a->tensors[i])
                return nn__text_fail(call, NN_ERROR_ARGUMENT, "%s and %s are one tensor, \"%s\"",
                                     names[j], names[i], nn_tensor_name(a->tensors[i]));
        shape = nn_tensor_shape(a->tensors[i]);
        if (i == 0 && shape.rank == 2) {
            a->rows = shape.extent[0];
            a->length = shape.extent[1];
        }
        if (nn_tensor_dtype(a->tensors[i]) != NN_I32 || shape.rank != 2 ||
            shape.extent[0] != a->rows || shape.extent[1] != a->length)
            return nn__text_fail(call, NN_ERROR_SHAPE, "%s \"%s\" is %s of rank %d; wanted %s",
                                 names[i], nn_tensor_name(a->tensors[i]),
                                 nn_dtype_name(nn_tensor_dtype(a->tensors[i])),
                                 (int64_t)shape.rank,
                                 i ? "i32 of the shape of ids" : "i32 (rows, length)");
        if (nn_tensor_read_only(a->tensors[i]))
            return nn__text_fail(call, NN_ERROR_ARGUMENT, "%s \"%s\" is read-only", names[i],
                                 nn_tensor_name(a->tensors[i]));
    }
    return true;
}

static bool nn__answers_token(nn__text_call *call, const nn_tokenizer *t, const char *token,
                              int32_t *id) {
    *id = token ? nn_token_id(t, token) : -1;
    return !token || *id >= 0 ||
           nn__text_fail(call, NN_ERROR_ARGUMENT, "\"%s\" is not in the vocabulary", token);
}

/* Encodes a text without special tokens and returns their number; with `to` NULL it only counts.
   -1: an error. */
static int32_t nn__answers_encode(nn__text_call *call, nn__answers *a, const char *text,
                                  size_t bytes, int32_t *to, int32_t room) {
    nn_encode_desc desc;
    nn_tokens tokens;
    if (!text && bytes == 0) return 0;
    memset(&desc, 0, sizeof desc);
    memset(&tokens, 0, sizeof tokens);
    desc.no_special_tokens = true;
    desc.max_length = NN_NONE;
    tokens.ids = to;
    tokens.capacity = to ? room : 0;
    return nn__text_finish(call, a->t, text, bytes, &desc, &tokens) ? tokens.count : -1;
}

/* Writes the text of one pair where it has room. False: an error, or no row is left (*full). */
static bool nn__answers_put(nn__text_call *call, nn__answers *a, const nn_answer *pair,
                            bool *full) {
    const int32_t prompt =
        nn__answers_encode(call, a, pair->prompt, pair->prompt_bytes, NULL, 0);
    const int32_t answer =
        nn__answers_encode(call, a, pair->answer, pair->answer_bytes, NULL, 0);
    if (prompt < 0 || answer < 0) return false;
    const int64_t before = (int64_t)prompt + (a->begin >= 0),
                  all = before + answer + (a->end >= 0);
    if (all > a->length)
        return nn__text_fail(call, NN_ERROR_ARGUMENT,
                             "prompt and answer together have %d tokens, but a row has room for %d",
                             all, (int64_t)a->length);
    if (a->desc.pack ? a->at + all > a->length : call->item > a->row) {
        a->row++;
        a->at = 0;
    }
    *full = a->row >= a->rows;
    if (*full) return false;
    const size_t first = (size_t)a->row * (size_t)a->length + (size_t)a->at;
    int32_t *ids = a->values[0] + first, *labels = a->values[1] + first,
            *starts = a->values[2] + first;
    int32_t k = 0;
    if (a->begin >= 0) ids[k++] = a->begin;
    if (nn__answers_encode(call, a, pair->prompt, pair->prompt_bytes, ids + k, prompt) < 0)
        return false;
    k += prompt;
    if (nn__answers_encode(call, a, pair->answer, pair->answer_bytes, ids + k, answer) < 0)
        return false;
    if (a->end >= 0) ids[k + answer] = a->end;
    for (int32_t i = 0; i < (int32_t)all; i++) {
        const bool learned = i + 1 < (int32_t)all && (a->desc.whole || i + 1 >= (int32_t)before);
        if (learned && ids[i + 1] == a->desc.ignore_index)
            return nn__text_fail(call, NN_ERROR_ARGUMENT,
                                 "its token %d is the ignore_index, %d, and would not be learned; "
                                 "give an ignore_index that is not an id, such as -100",
                                 (int64_t)i + 1, (int64_t)a->desc.ignore_index);
        labels[i] = learned ? ids[i + 1] : a->desc.ignore_index;
        starts[i] = a->at;
    }
    a->at += (int32_t)all;
    return true;
}

static void nn__answers_clear(nn__answers *a) {
    const size_t all = (size_t)a->rows * (size_t)a->length;
    memset(a->values[0], 0, all * sizeof(int32_t));
    for (size_t i = 0; i < all; i++) {
        a->values[1][i] = a->desc.ignore_index;
        a->values[2][i] = -1;
    }
}
/* Fills the rest of each row, after its last text, with texts of one token: one longer text could
   need more positions than a model has. */
static void nn__answers_rest(nn__answers *a) {
    for (int32_t r = 0; r < a->rows; r++) {
        int32_t *starts = a->values[2] + (size_t)r * (size_t)a->length, from = 0;
        while (from < a->length && starts[from] >= 0) from++;
        for (int32_t i = from; i < a->length; i++) starts[i] = i;
    }
}

static bool nn__answers_fill(nn__text_call *call, nn__answers *a, const nn_answer *pairs,
                             int32_t count, int32_t *used) {
    const size_t all = (size_t)a->rows * (size_t)a->length;
    bool full = false;
    if (!nn__text_grow(call, &a->t->batch, (uint64_t)all * 3 * sizeof(int32_t))) return false;
    for (size_t i = 0; i < 3; i++) a->values[i] = (int32_t *)a->t->batch.data + i * all;
    nn__answers_clear(a);
    for (*used = 0; *used < count; ++*used) {
        call->item = *used;
        if (!nn__answers_put(call, a, &pairs[*used], &full) && !full) return false;
        if (full) break;
    }
    call->item = -1;
    if (full && !a->desc.pack)
        return nn__text_fail(
            call, NN_ERROR_ARGUMENT,
            "there are %d pairs and %d rows; give one row for each pair, or set .pack",
            (int64_t)count, (int64_t)a->rows);
    nn__answers_rest(a);
    return true;
}

NN_API nn_result nn_fill_answers_at(nn_site site, nn_tokenizer *tokenizer, const nn_answer *pairs,
                                    int32_t count, const nn_fill_answers_desc *desc, nn_tensor *ids,
                                    nn_tensor *labels, nn_tensor *starts, int32_t *used) {
    nn__text_call call;
    nn__answers a;
    int32_t taken = 0;
    if (!tokenizer) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(tokenizer->nn, site, "nn_fill_answers");
    memset(&a, 0, sizeof a);
    if (desc) a.desc = *desc;
    if (a.desc.ignore_index == 0) a.desc.ignore_index = -100;
    a.t = tokenizer;
    a.tensors[0] = ids;
    a.tensors[1] = labels;
    a.tensors[2] = starts;
    if (!pairs || count < 1)
        nn__text_fail(&call, NN_ERROR_ARGUMENT, "there are %d pairs%s; wanted at least one",
                      (int64_t)count, pairs ? "" : " at NULL");
    else if (nn__answers_check(&call, &a) &&
             nn__answers_token(&call, tokenizer, a.desc.begin, &a.begin) &&
             nn__answers_token(&call, tokenizer, a.desc.end, &a.end))
        nn__answers_fill(&call, &a, pairs, count, &taken);
    nn__text_store(&call, a.tensors, a.values, (uint64_t)a.rows * (uint64_t)a.length);
    if (call.code == NN_OK && used) *used = taken;
    return call.code;
}
