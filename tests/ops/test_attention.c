/* test_attention.c - attention and rotary positions except for their values (the catalogue and
   kernels/attention/cases.h have these): error texts, the same bytes for any threads and slices,
   dropout, masked keys that are NaN, memory that grows only linearly with the length, and immediate
   calls compared with the builder. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_sequence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef nn_scaled_dot_product_attention_desc attention_desc;

static float number(uint32_t at) {
    uint32_t words[4];
    nn_random_words(7, 3, at, words);
    return nn_word_to_uniform(words[0]) * 2 - 1;
}
static float *data(const nn_tensor *t) { return (float *)nn_tensor_data(t); }
static nn_tensor *tensor(nn_context *nn, nn_shape shape, uint32_t seed) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.dtype = NN_F32, .shape = shape});
    for (uint64_t i = 0; i < nn_tensor_bytes(t) / 4; i++) data(t)[i] = number(seed + (uint32_t)i);
    return t;
}

/* ---- mistakes -------------------------------------------------------------------------------- */

typedef struct text {
    char buffer[2000];
    size_t length;
} text;

static void append(void *user, const char *from, size_t length) {
    text *to = (text *)user;
    if (length > sizeof to->buffer - 1 - to->length) length = sizeof to->buffer - 1 - to->length;
    memcpy(to->buffer + to->length, from, length);
    to->length += length;
}

#define FAULT(call, words)                                                                         \
    do {                                                                                           \
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});                        \
        nn_node *q = nn_input(net, "query", NN_F32, NN_SHAPE(NN_BATCH, 4, NN_TIME, 8)),            \
                *k = nn_input(net, "key", NN_F32, NN_SHAPE(NN_BATCH, 2, 9, 8)),                    \
                *odd = nn_input(net, "odd", NN_F32, NN_SHAPE(NN_BATCH, 3, 9, 8)),                  \
                *wide = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, 2, 9, 6)),                \
                *flat = nn_input(net, "flat", NN_F32, NN_SHAPE(NN_BATCH, 9)),                      \
                *rows = nn_input(net, "rows", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 8)),             \
                *count = nn_input(net, "count", NN_I32, NN_SHAPE(5));                              \
        text said = {{0}, 0};                                                                      \
        (void)odd, (void)wide, (void)flat, (void)count, (void)k, (void)rows, (void)q;              \
        nn_node *y = (call);                                                                       \
        ENSURE(y != NULL && nn_fault_count(net) == 1);                                             \
        nn_relu(net, y);                                                                           \
        ENSURE(nn_fault_count(net) == 1); /* no cascade */                                         \
        nn_write_faults(net, (nn_writer){append, &said});                                          \
        if (!strstr(said.buffer, words))                                                           \
            test_fail(__FILE__, __LINE__, "\"%s\" is not in \"%s\"", words, said.buffer);          \
        nn_free_model(net);                                                                        \
        nn_clear_error(nn);                                                                        \
    } while (0)
#define ATTEND(q, k, v, ...)                                                                       \
    nn_scaled_dot_product_attention(net, q, k, v, &(attention_desc){__VA_ARGS__})

static void mistakes_in_words(void) {
    nn_context *nn = nn_open(NULL);
    FAULT(ATTEND(q, flat, k, .scale = 1), "k has the shape (batch, 9); wanted (N, heads, L, E)");
    FAULT(ATTEND(q, odd, odd, .scale = 1), "the heads of q must be a multiple of those of k");
    FAULT(ATTEND(q, wide, wide, .scale = 1), "the last extents are multiplied and must be equal");
    FAULT(ATTEND(q, k, odd, .scale = 1), "they must have the same heads and length");
    FAULT(ATTEND(q, k, k, .dropout_p = 1.5f), "dropout_p is 1.5; it must be between 0 and 1");
    FAULT(ATTEND(q, k, k, .window = -1), "window is -1");
    FAULT(ATTEND(q, k, k, .attn_mask = flat), "attn_mask has the shape (batch, 9), which does not "
                                              "fit the scores' (N, H, L, S), (batch, 4, time, 9)");
    FAULT(ATTEND(q, k, k, .attn_mask = count), "attn_mask is i32; wanted f32, u8 or bool");
    FAULT(ATTEND(q, k, k, .lengths = flat), "lengths is f32; attention wants i32");
    FAULT(ATTEND(q, k, k, .lengths = count), "lengths has the shape (5); wanted (batch)");
    FAULT(ATTEND(q, k, k, .starts = count), "starts are given without is_causal; keys after the "
                                            "end of a text would be seen");
    FAULT(ATTEND(q, k, k, .starts = count, .is_causal = true),
          "starts has the shape (5); wanted (batch, time)");
    FAULT(ATTEND(q, k, k, .heads_inside = true), "extent 2 of q (batch, 4, time, 8)");
    FAULT(ATTEND(q, NULL, k, .scale = 1), "k is NULL");
    nn_close(nn);
}

static void mistakes_of_rotary_positions(void) {
    nn_context *nn = nn_open(NULL);
    FAULT(nn_rotary_embedding(net, flat, NULL), "\"flat\" is (batch, 9); rotary_embedding wants "
                                                "(N, H, L, E)");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.rotary_dim = 10}),
          "rotary_dim is 10; for \"query\" (batch, 4, time, 8) it must be even and at most 8");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.rotary_dim = 3}),
          "rotary_dim is 3");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.offset = -1}), "offset is -1");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.base = -2}), "base is -2");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.low_freq_factor = 5}),
          "low_freq_factor is 5 and high_freq_factor 4; the first must be less");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.positions = count}),
          "positions has the shape (5); wanted (batch)");
    FAULT(nn_rotary_embedding(net, q, &(nn_rotary_embedding_desc){.positions = count, .offset = 1}),
          "offset is 1 and positions are given");
    nn_close(nn);
}

/* Compares with the paper's formula in double: any length of one plan, an offset, positions of each
   sample, and sines before cosines. */
static void sinusoidal_positions(void) {
    enum { N = 2, L = 9, E = 6 };
    static const int32_t where[N] = {4, 1000};
    nn_context *nn = nn_open(NULL);
    for (int way = 0; way < 4; way++) {
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, E)),
                *at = nn_input(net, "at", NN_I32, NN_SHAPE(NN_BATCH));
        nn_sinusoidal_desc desc = {.offset = way == 1 ? 7 : 0, .halves = way == 2,
                                   .positions = way == 3 ? at : NULL};
        nn_node *y = nn_sinusoidal_positions(net, x, way ? &desc : NULL), *sum = nn_add(net, x, y);
        nn_plan *plan = nn_make_plan(
            net, &(nn_plan_desc){.outputs = NN_NODES(y, sum), .batch = N, .time = L});
        float words[N * L * E], got[N * L * E], added[N * L * E];
        ENSURE(plan && nn_node_shape(y).extent[0] == (way == 3 ? NN_BATCH : 1));
        for (int length = L; length > 4; length -= 2) {
            const size_t row = sizeof(float) * (size_t)(length * E);
            for (int i = 0; i < N * length * E; i++) words[i] = i == 0 ? NAN : number((uint32_t)i);
            nn_set_time(plan, length);
            nn_upload(plan, x, words, N * row);
            if (way == 3) nn_upload(plan, at, where, sizeof where);
            ENSURE(nn_run(plan) == NN_OK);
            ENSURE(nn_download(plan, y, got, (way == 3 ? N : 1) * row) == NN_OK);
            ENSURE(nn_download(plan, sum, added, N * row) == NN_OK);
            for (int n = 0; n < N; n++)
                for (int i = 0; i < length * E; i++) {
                    const int c = i % E, e = way == 2 ? c % (E / 2) : c / 2;
                    const double p = i / E + (way == 1 ? 7 : way == 3 ? where[n] : 0),
                                 angle = p / pow(10000, 2.0 * e / E),
                                 want = (way == 2 ? c >= E / 2 : c % 2) ? cos(angle) : sin(angle);
                    ENSURE_CLOSE(got[(way == 3 ? n * length * E : 0) + i], want, 1e-6);
                    ENSURE_CLOSE_OR_NAN(added[n * length * E + i], words[n * length * E + i] + want, 1e-6);
                }
        }
        nn_free_model(net);
    }
    FAULT(nn_sinusoidal_positions(net, flat, NULL), "\"flat\" is (batch, 9); sinusoidal_positions "
                                                    "wants (N, L, E)");
    FAULT(nn_sinusoidal_positions(net, rows, &(nn_sinusoidal_desc){.base = -1}), "base is -1");
    FAULT(nn_sinusoidal_positions(net, rows, &(nn_sinusoidal_desc){.offset = -1}), "offset is -1");
    FAULT(nn_sinusoidal_positions(net, rows, &(nn_sinusoidal_desc){.positions = count}),
          "positions has the shape (5); wanted (batch)");
    nn_close(nn);
}

static void mistakes_of_layers(void) {
    nn_context *nn = nn_open(NULL);
    FAULT(nn_multihead_attention(net, "a", flat, NULL, NULL, NULL), "desc is NULL");
    FAULT(nn_multihead_attention(net, "a", flat, NULL, NULL,
                                 &(nn_multihead_attention_desc){.num_heads = 2}),
          "query is (batch, 9); wanted (N, L, features)");
    FAULT(nn_multihead_attention(net, "a", rows, NULL, NULL,
                                 &(nn_multihead_attention_desc){.num_heads = 3}),
          "num_heads is 3; the query's 8 features must be a multiple of it");
    FAULT(nn_multihead_attention(net, "a", nn_input(net, "x", NN_F32, NN_SHAPE(1, 1, 1610612736)),
                                 NULL, NULL, &(nn_multihead_attention_desc){.num_heads = 2}),
          "query has 1610612736 features; in_proj_weight has three times as many rows");
    FAULT(nn_multihead_attention(
              net, "a", rows, NULL, NULL,
              &(nn_multihead_attention_desc){.num_heads = 2, .key_padding_mask = flat}),
          "attn_mask has the shape (batch, 1, 1, 9), which does not fit the scores' (N, H, L, S), "
          "(batch, 2, time, time)");
    FAULT(nn_transformer_encoder_layer(net, "t", rows,
                                       &(nn_transformer_encoder_layer_desc){.dropout = 0.5f}),
          "nhead is 0");
    FAULT(nn_transformer_encoder_layer(
              net, "t", rows,
              &(nn_transformer_encoder_layer_desc){.nhead = 2, .activation = NN_ACTIVATION_TANH}),
          "activation is 3; it must be NN_ACTIVATION_RELU or NN_ACTIVATION_GELU");
    nn_close(nn);
}

/* Parameters under PyTorch's names, which start as PyTorch's: xavier_uniform_ of the projections,
   biases of 0, and nn.Linear's for out_proj. */
static void parameters_of_layers(void) {
    static const char *const names[] = {"t.self_attn.in_proj_weight",
                                        "t.self_attn.out_proj.weight",
                                        "t.self_attn.in_proj_bias",
                                        "t.self_attn.out_proj.bias",
                                        "t.linear1.weight",
                                        "t.norm1.weight",
                                        "t.linear2.bias",
                                        "t.norm2.bias"};
    static const float least[] = {0.24f, 0.34f, 0, 0}, most[] = {0.25f, 0.353554f, 0, 0};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 2});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 24));
    nn_transformer_encoder_layer(net, "t", x, &(nn_transformer_encoder_layer_desc){.nhead = 4});
    for (int i = 0; i < 8; i++) {
        const nn_tensor *t = nn_find_tensor(net, names[i]);
        float largest = 0;
        ENSURE(t != NULL);
        for (uint64_t k = 0; k < nn_tensor_bytes(t) / 4; k++)
            largest = fmaxf(largest, fabsf(data(t)[k]));
        if (i < 4) ENSURE(largest <= most[i] && largest >= (i < 2 ? least[i] * 0.5f : 0));
    }
    ENSURE(nn_tensor_shape(nn_find_tensor(net, names[0])).extent[0] == 72);
    ENSURE(nn_tensor_shape(nn_find_tensor(net, names[4])).extent[0] == 2048);
    ENSURE(nn_model_tensor_count(net) == 12);
    nn_close(nn);
}

/* A table of words that is the output's weight as well has the gradient of both uses. */
static void tied_weights(void) {
    nn_context *nn = nn_open(NULL);
    float first[2][12];
    for (int tied = 0; tied < 2; tied++) {
        static const int32_t words[2] = {1, 2};
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 2});
        nn_node *word = nn_input(net, "word", NN_I32, NN_SHAPE(2));
        nn_node *x = nn_embedding(net, "table", word,
                                  &(nn_embedding_desc){.num_embeddings = 4, .embedding_dim = 3});
        nn_node *y =
            tied ? nn_linear(net, "table", x,
                             &(nn_linear_desc){.out_features = 4, .no_bias = true, .shared = true})
                 : nn_matmul(net, x, nn_parameter(net, "table.weight2", NN_SHAPE(4, 3), -1, 1),
                             &(nn_matmul_desc){.transpose_b = true});
        nn_trainer *trainer =
            nn_make_trainer(net, nn_mean(net, nn_square(net, y)),
                            &(nn_trainer_desc){.batch = 1, .learning_rate = 0.5f});
        ENSURE(nn_error(nn) == NULL);
        nn_upload(nn_trainer_plan(trainer), word, words, sizeof words);
        ENSURE(nn_model_tensor_count(net) == (tied ? 1 : 2));
        nn_tensor *table = nn_find_tensor(net, "table.weight");
        float before[12];
        memcpy(before, data(table), sizeof before);
        if (!tied) nn_copy(nn_find_tensor(net, "table.weight2"), table);
        ENSURE(nn_train_on_inputs(trainer) == NN_OK);
        for (int i = 0; i < 12; i++) {
            first[tied][i] = data(table)[i] - before[i];
            if (!tied) first[0][i] += data(nn_find_tensor(net, "table.weight2"))[i] - before[i];
        }
    }
    for (int i = 0; i < 12; i++) ENSURE_CLOSE(first[0][i], first[1][i], 1e-6);
    nn_close(nn);
}

/* Rotating and then rotating back in place gives x again. */
static void rotary_positions_in_place(void) {
    nn_context *nn = nn_open(NULL);
    nn_tensor *x = tensor(nn, NN_SHAPE(2, 3, 5, 8), 1), *y = tensor(nn, NN_SHAPE(2, 3, 5, 8), 1);
    const nn_rotary_embedding_desc desc = {.offset = 3, .interleaved = true};
    ENSURE(nn_rotary_embedding_forward(x, x, NULL, &desc) == NN_OK);
    ENSURE(fabsf(data(x)[0] - data(y)[0]) > 0.01f);
    ENSURE(nn_rotary_embedding_backward(x, x, NULL, &desc) == NN_OK);
    for (int i = 0; i < 2 * 3 * 5 * 8; i++) ENSURE_CLOSE(data(x)[i], data(y)[i], 1e-6);
    nn_close(nn);
}

/* Compares the gradient of a learned bias with differences of the loss. The bias is broadcast in
   several ways, or read from a table by distance as in T5. */
static void a_mask_that_learns(void) {
    enum { N = 2, H = 2, L = 5, S = 7, BUCKETS = 4 };
    static const nn_shape shapes[] = {{{N, H, L, S}, 4}, {{L, S}, 2}, {{N, 1, 1, S}, 4},
                                      {{H, 1, S}, 3},    {{1, L, 1}, 3}, {{BUCKETS, H}, 2}};
    for (int way = 0; way < 6; way++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 2});
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 4});
        nn_node *q = nn_parameter(net, "q", NN_SHAPE(N, H, L, 3), -1, 1),
                *k = nn_parameter(net, "k", NN_SHAPE(N, 1, S, 3), -1, 1), *far = NULL;
        nn_node *bias = nn_parameter(net, "bias", shapes[way], -1, 1);
        if (way == 5) {
            far = nn_input(net, "far", NN_I32, NN_SHAPE(L * S));
            bias = nn_reshape(net, nn_index_select(net, bias, 0, far), NN_SHAPE(L, S, H));
            bias = nn_permute(net, bias, NN_AXES(2, 0, 1));
        }
        nn_node *y = ATTEND(q, k, k, .attn_mask = bias, .is_causal = way % 2, .window = 6);
        nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, nn_square(net, y)),
                                              &(nn_trainer_desc){.batch = 1, .gradients = true});
        float gradient[N * H * L * S], *x = data(nn_find_tensor(net, "bias")), largest = 0;
        const int count = (int)(nn_tensor_bytes(nn_find_tensor(net, "bias")) / 4);
        int32_t distance[L * S];
        for (int i = 0; i < L * S; i++) distance[i] = abs(i / S - i % S) % BUCKETS;
        if (far) nn_upload(nn_trainer_plan(trainer), far, distance, sizeof distance);
        ENSURE(nn_backward(trainer) == NN_OK);
        ENSURE(nn_read_gradient(trainer, "bias", gradient, sizeof *x * (size_t)count) == NN_OK);
        for (int i = 0; i < count; i++) {
            const float before = x[i];
            float loss[2];
            for (int side = 0; side < 2; side++) {
                x[i] = before + (side ? 0.01f : -0.01f);
                ENSURE(nn_backward(trainer) == NN_OK);
                nn_read_loss(trainer, &loss[side]);
            }
            x[i] = before;
            ENSURE_CLOSE(gradient[i], (loss[1] - loss[0]) / 0.02, 3e-5);
            largest = fmaxf(largest, fabsf(gradient[i]));
        }
        /* adding the same number to all keys of a query changes nothing */
        ENSURE(way == 4 ? largest < 1e-6f : largest > 2e-3f);
        if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_close(nn);
    }
}

/* The weights that dropout keeps are the same forward and backward, even if a row's queries are
   not cut at a multiple of four. */
static void dropout_backward(void) {
    enum { L = 150 };
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 4});
    nn_node *v = nn_parameter(net, "v", NN_SHAPE(1, 1, L, 1), -1, 1);
    nn_node *q = nn_input(net, "q", NN_F32, NN_SHAPE(1, 1, L, 2));
    nn_node *y = ATTEND(q, q, v, .dropout_p = 0.5f), *loss = nn_sum(net, y, NN_ALL_AXES);
    nn_trainer *trainer =
        nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = 1, .gradients = true});
    float x[2 * L], gradient[L], total = 0, value;
    for (int i = 0; i < 2 * L; i++) x[i] = number((uint32_t)i);
    nn_upload(nn_trainer_plan(trainer), q, x, sizeof x);
    ENSURE(nn_backward(trainer) == NN_OK);
    nn_read_loss(trainer, &value);
    ENSURE(nn_read_gradient(trainer, "v", gradient, sizeof gradient) == NN_OK);
    /* y is linear in v */
    for (int i = 0; i < L; i++) total += gradient[i] * data(nn_find_tensor(net, "v"))[i];
    ENSURE_CLOSE(total, value, 1e-4);
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    nn_close(nn);
}

/* Faults of a step, and mistakes of a call, which writes nothing. */
static void numbers_that_do_not_fit(void) {
    static const int32_t positions[][2] = {{0, 3}, {0, -1}, {4, 0}}, lengths[2] = {3, 4};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *q = nn_parameter(net, "q", NN_SHAPE(2, 1, 3, 4), -1, 1);
    nn_node *at = nn_input(net, "at", NN_I32, NN_SHAPE(2));
    nn_node *y = ATTEND(q, q, q, .positions = at, .is_causal = true);
    nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, y),
                                          &(nn_trainer_desc){.batch = 1, .learning_rate = 0.1f});
    for (int i = 0; i < 3; i++) {
        float loss;
        nn_upload(nn_trainer_plan(trainer), at, positions[i], sizeof positions[i]);
        nn_result result = nn_train_on_inputs(trainer);
        if (result == NN_OK) result = nn_read_loss(trainer, &loss);
        ENSURE(result == (i ? NN_ERROR_LABEL : NN_OK));
        ENSURE(!i || strstr(nn_error(nn), "a length is out of range: \"attention\" wants those of "
                                          "\"at\" to be in [0, 3]"));
        nn_clear_fault(trainer);
        nn_clear_error(nn);
    }
    /* one head of one sample, which is one unit of work */
    nn_node *short_q = nn_parameter(net, "short", NN_SHAPE(1, 1, 3, 4), -1, 1),
            *short_at = nn_input(net, "one_at", NN_I32, NN_SHAPE(1)),
            *alone = ATTEND(short_q, short_q, short_q, .positions = short_at, .is_causal = true);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(alone)});
    for (int i = 0; i < 2; i++) {
        const int32_t place = i ? 4 : 0;
        float numbers[12];
        nn_upload(plan, short_at, &place, sizeof place);
        nn_result ran = nn_run(plan);
        if (ran == NN_OK) ran = nn_download(plan, alone, numbers, sizeof numbers);
        ENSURE(ran == (i ? NN_ERROR_LABEL : NN_OK));
        nn_clear_error(nn);
    }
    nn_tensor *x = tensor(nn, NN_SHAPE(2, 1, 3, 4), 5),
              *result = tensor(nn, NN_SHAPE(2, 1, 3, 4), 9);
    nn_tensor *counts =
        nn_make_tensor(nn, &(nn_tensor_desc){.dtype = NN_I32, .shape = NN_SHAPE(2)});
    nn_tensor *begins =
        nn_make_tensor(nn, &(nn_tensor_desc){.dtype = NN_I32, .shape = NN_SHAPE(2, 3)});
    const int32_t starts[6] = {0, 0, 0, 0, -1, 0};
    const attention_desc causal = {.is_causal = true};
    const float before = data(result)[0];
    nn_upload_tensor(counts, lengths, sizeof lengths);
    nn_upload_tensor(begins, starts, sizeof starts);
    ENSURE(nn_scaled_dot_product_attention_forward(result, NULL, x, x, x,
                                                   &(nn_attention_masks){.starts = begins},
                                                   &causal) == NN_ERROR_LABEL);
    ENSURE(strstr(nn_error(nn), "a number of starts is outside [0, 3]") != NULL);
    ENSURE(data(result)[0] == before);
    nn_clear_error(nn);
    ENSURE(nn_scaled_dot_product_attention_forward(result, NULL, x, x, x,
                                                   &(nn_attention_masks){.lengths = counts},
                                                   NULL) == NN_ERROR_LABEL);
    ENSURE(strstr(nn_error(nn), "a number of lengths is outside [0, 3]") != NULL);
    ENSURE(data(result)[0] == before);
    nn_clear_error(nn);
    ENSURE(nn_scaled_dot_product_attention_forward(result, NULL, x, x, x, NULL,
                                                   &(attention_desc){.dropout_p = 0.5f}) ==
           NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_scaled_dot_product_attention_forward(
               result, NULL, x, x, x, NULL, &(attention_desc){.lengths = at}) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

/* The error of a step with a start out of range says which inputs may have it. */
static void a_start_that_does_not_fit(void) {
    static const int32_t starts[][6] = {{0, 0, 2, 0, 1, 1}, {0, 0, 2, 0, 1, 4}, {-1, 0, 0, 0, 0, 0}};
    const int32_t at[2] = {0, 0};
    float to[2 * 3 * 4];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
    nn_node *q = nn_parameter(net, "q", NN_SHAPE(2, 1, 3, 4), -1, 1);
    nn_node *first = nn_input(net, "first", NN_I32, NN_SHAPE(2, 3)),
            *place = nn_input(net, "place", NN_I32, NN_SHAPE(2));
    nn_node *y = ATTEND(q, q, q, .positions = place, .starts = first, .is_causal = true);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = 1});
    for (int i = 0; i < 3; i++) {
        nn_upload(plan, place, at, sizeof at);
        nn_upload(plan, first, starts[i], sizeof starts[i]);
        nn_result result = nn_run(plan);
        if (result == NN_OK) result = nn_download(plan, y, to, sizeof to);
        ENSURE(result == (i ? NN_ERROR_LABEL : NN_OK));
        ENSURE(!i || strstr(nn_error(nn), "\"attention\" wants those of \"place\" and \"first\" to "
                                          "be in [0, 3]"));
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Returns a hash of three training steps of an attention net on this number of threads. sliced:
   each step runs in the shortest slices. */
static uint64_t trained(int threads, bool sliced, float dropout) {
    nn_context *nn = nn_open(&(nn_desc){.threads = threads});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 3});
    nn_node *q = nn_parameter(net, "q", NN_SHAPE(2, 4, 150, 12), -1, 1),
            *k = nn_parameter(net, "k", NN_SHAPE(2, 2, 133, 12), -1, 1),
            *v = nn_parameter(net, "v", NN_SHAPE(2, 2, 133, 9), -1, 1);
    nn_node *y = ATTEND(q, k, v, .is_causal = true, .dropout_p = dropout);
    nn_node *loss = nn_mean(net, nn_square(net, y));
    nn_trainer *trainer =
        nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = 1, .learning_rate = 20.0f});
    uint64_t hash = 14695981039346656037u;
    for (int step = 0; step < 3; step++) {
        if (!sliced) nn_train_on_inputs(trainer);
        while (sliced && nn_train_step_for(trainer, NULL, 0) == NN_PENDING) continue;
    }
    for (int p = 0; p < 3; p++) {
        const nn_tensor *t = nn_find_tensor(net, p == 0 ? "q" : p == 1 ? "k" : "v");
        const unsigned char *bytes = (const unsigned char *)data(t);
        for (uint64_t i = 0; i < nn_tensor_bytes(t); i++) hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    if (nn_error(nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    nn_close(nn);
    return hash;
}

static void the_same_bytes(void) {
    for (int i = 0; i < 2; i++) {
        const uint64_t one = trained(1, false, i ? 0.25f : 0.0f);
        ENSURE(trained(3, false, i ? 0.25f : 0.0f) == one);
        ENSURE(trained(2, true, i ? 0.25f : 0.0f) == one);
    }
    ENSURE(trained(1, false, 0.0f) != trained(1, false, 0.25f)); /* dropout does something */
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* pytorch#101967: the numbers of a masked key must not leak. Also compares the call with plain
   loops in double. */
static void masked_keys_are_not_read(void) {
    enum { L = 70, S = 90, E = 5 };
    nn_context *nn = nn_open(NULL);
    nn_tensor *q = tensor(nn, NN_SHAPE(1, 1, L, E), 0), *k = tensor(nn, NN_SHAPE(1, 1, S, E), 999);
    nn_tensor *y = tensor(nn, NN_SHAPE(1, 1, L, E), 1), *mask = tensor(nn, NN_SHAPE(L, S), 44);
    nn_tensor *sum = tensor(nn, NN_SHAPE(1, 1, L), 1), *dq = tensor(nn, NN_SHAPE(1, 1, L, E), 1),
              *dk = tensor(nn, NN_SHAPE(1, 1, S, E), 1), *dv = tensor(nn, NN_SHAPE(1, 1, S, E), 1);
    nn_tensor *dmask = tensor(nn, NN_SHAPE(L, S), 3);
    const nn_attention_masks masks = {.attn_mask = mask, .dattn_mask = dmask};
    const attention_desc desc = {.scale = 0.5f};
    for (int j = 0; j < S; j++)
        for (int i = 0; i < L; i++)
            if (j % 9 == 4 || i == 3) data(mask)[i * S + j] = -INFINITY;
    for (int j = 4; j < S; j += 9)
        for (int e = 0; e < E; e++) data(k)[j * E + e] = e % 2 ? NAN : INFINITY;
    ENSURE(nn_scaled_dot_product_attention_forward(y, sum, q, k, k, &masks, &desc) == NN_OK);
    for (int i = 0; i < L; i++) {
        double weight[S], total = 0;
        for (int j = 0; j < S; j++) {
            double score = data(mask)[i * S + j];
            for (int e = 0; e < E && score != -INFINITY; e++)
                score += 0.5 * data(q)[i * E + e] * data(k)[j * E + e];
            total += weight[j] = score == -INFINITY ? 0 : exp(score);
        }
        for (int e = 0; e < E; e++) {
            double want = 0;
            for (int j = 0; j < S; j++)
                if (weight[j] > 0) want += weight[j] / total * data(k)[j * E + e];
            ENSURE_CLOSE(data(y)[i * E + e], want, 1e-5);
        }
    }
    ENSURE(data(y)[3 * E] == 0 && data(sum)[3] == INFINITY);
    ENSURE(nn_scaled_dot_product_attention_backward(dq, dk, dv, y, y, sum, q, k, k, &masks,
                                                    &desc) == NN_OK);
    for (int i = 0; i < L * S; i++) ENSURE(isfinite(data(dmask)[i]));
    for (int i = 0; i < L; i++) { /* the gradients of a query's keys add up to 0 */
        double all = 0;
        for (int j = 0; j < S; j++) {
            all += (double)data(dmask)[i * S + j];
            ENSURE((data(dmask)[i * S + j] == 0) == (data(mask)[i * S + j] == -INFINITY));
        }
        ENSURE_CLOSE(all, 0, 1e-6);
    }
    ENSURE(nn_scaled_dot_product_attention_backward(
               dq, dk, dv, y, y, sum, q, k, k, &(nn_attention_masks){.dattn_mask = dmask},
               &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "dattn_mask is given and attn_mask is NULL") != NULL);
    for (int i = 0; i < L * E; i++) ENSURE(isfinite(data(dq)[i]));
    for (int j = 0; j < S * E; j++) ENSURE(isfinite(data(dk)[j]));
    for (int e = 0; e < E; e++) { /* of a masked query and of a masked key */
        ENSURE(data(dq)[3 * E + e] == 0);
        ENSURE(data(dk)[4 * E + e] == 0 && data(dv)[4 * E + e] == 0);
    }
    nn_close(nn);
}

/* Few queries take their keys in blocks of 256. Here a mask hides every key after the first block,
   whose values are not finite. */
static void a_masked_block_is_not_read(void) {
    enum { L = 2, S = 300, SEEN = 256, E = 5 };
    nn_context *nn = nn_open(NULL);
    nn_tensor *q = tensor(nn, NN_SHAPE(1, 1, L, E), 0), *k = tensor(nn, NN_SHAPE(1, 1, S, E), 999),
              *v = tensor(nn, NN_SHAPE(1, 1, S, E), 5000), *y = tensor(nn, NN_SHAPE(1, 1, L, E), 1),
              *mask = tensor(nn, NN_SHAPE(L, S), 44), *sum = tensor(nn, NN_SHAPE(1, 1, L), 1);
    const nn_attention_masks masks = {.attn_mask = mask};
    const attention_desc desc = {.scale = 0.5f};
    for (int j = SEEN; j < S; j++) {
        for (int i = 0; i < L; i++) data(mask)[i * S + j] = -INFINITY;
        for (int e = 0; e < E; e++) data(v)[j * E + e] = (j + e) % 2 ? NAN : INFINITY;
    }
    ENSURE(nn_scaled_dot_product_attention_forward(y, sum, q, k, v, &masks, &desc) == NN_OK);
    for (int i = 0; i < L; i++) {
        double want[E] = {0}, total = 0;
        for (int j = 0; j < SEEN; j++) {
            double score = data(mask)[i * S + j];
            for (int e = 0; e < E; e++) score += 0.5 * data(q)[i * E + e] * data(k)[j * E + e];
            total += exp(score);
            for (int e = 0; e < E; e++) want[e] += exp(score) * data(v)[j * E + e];
        }
        for (int e = 0; e < E; e++) ENSURE_CLOSE(data(y)[i * E + e], want[e] / total, 1e-5);
    }
    nn_close(nn);
}

/* Texts that are packed into rows by their starts give the same result as an equivalent mask. */
static void starts_are_a_mask(void) {
    enum { N = 2, H = 4, K = 2, L = 200, E = 12, V = 7 };
    static const int32_t lengths[] = {1, 37, 64, 3, 95, 150, 50};
    nn_context *nn = nn_open(NULL);
    nn_tensor *mask =
        nn_make_tensor(nn, &(nn_tensor_desc){.dtype = NN_U8, .shape = NN_SHAPE(N, 1, L, L)});
    nn_tensor *starts =
        nn_make_tensor(nn, &(nn_tensor_desc){.dtype = NN_I32, .shape = NN_SHAPE(N, L)});
    int32_t *first = (int32_t *)nn_tensor_data(starts);
    for (int i = 0, t = 0, from = 0; i < N * L; i++) {
        if (i % L == 0) from = 0;
        if (i % L == from + lengths[t]) from = i % L, t++;
        first[i] = from;
        if (i % L == L - 1) t++;
        for (int j = 0; j < L; j++) ((uint8_t *)nn_tensor_data(mask))[i * L + j] = j >= from;
    }
    for (int inside = 0; inside < 2; inside++) {
        const nn_shape q = inside ? NN_SHAPE(N, L, H, E) : NN_SHAPE(N, H, L, E),
                       k = inside ? NN_SHAPE(N, L, K, E) : NN_SHAPE(N, K, L, E),
                       v = inside ? NN_SHAPE(N, L, K, V) : NN_SHAPE(N, K, L, V),
                       y = inside ? NN_SHAPE(N, L, H, V) : NN_SHAPE(N, H, L, V);
        const attention_desc desc = {.is_causal = true, .heads_inside = inside > 0};
        const nn_shape shapes[5] = {y, NN_SHAPE(N, H, L), q, k, v};
        nn_tensor *x[3] = {tensor(nn, q, 1), tensor(nn, k, 5000), tensor(nn, v, 9000)},
                  *dy = tensor(nn, y, 12000), *to[2][5];
        for (int way = 0; way < 2; way++) {
            const nn_attention_masks masks = {.attn_mask = way ? mask : NULL,
                                              .starts = way ? NULL : starts};
            nn_tensor **o = to[way];
            for (int i = 0; i < 5; i++) o[i] = tensor(nn, shapes[i], 77);
            ENSURE(nn_scaled_dot_product_attention_forward(o[0], o[1], x[0], x[1], x[2], &masks,
                                                           &desc) == NN_OK);
            ENSURE(nn_scaled_dot_product_attention_backward(o[2], o[3], o[4], dy, o[0], o[1], x[0],
                                                            x[1], x[2], &masks, &desc) == NN_OK);
        }
        for (int i = 0; i < 5; i++)
            for (uint64_t c = 0; c < nn_tensor_bytes(to[0][i]) / 4; c++)
                ENSURE_CLOSE(data(to[0][i])[c], data(to[1][i])[c], 2e-6);
    }
    nn_close(nn);
}

/* Without a mask, with one of u8 and with one of bool: the last two give the same bytes, of a net
   and of an immediate call. */
static void a_mask_of_bool(void) {
    enum { L = 3, S = 5, E = 4, BYTES = 2 * L * E * (int)sizeof(float) };
    nn_context *nn = nn_open(NULL);
    nn_tensor *q = tensor(nn, NN_SHAPE(1, 2, L, E), 7), *k = tensor(nn, NN_SHAPE(1, 2, S, E), 8);
    nn_tensor *y[3];
    const nn_dtype dtypes[3] = {NN_F32, NN_U8, NN_BOOL};
    for (int t = 0; t < 3; t++) {
        float ran[2 * L * E];
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
        nn_node *a = nn_input(net, "q", NN_F32, NN_SHAPE(1, 2, L, E));
        nn_node *b = nn_input(net, "k", NN_F32, NN_SHAPE(1, 2, S, E)), *m = NULL;
        nn_attention_masks masks = {0};
        if (t > 0) {
            nn_tensor *mask =
                nn_make_tensor(nn, &(nn_tensor_desc){.dtype = dtypes[t], .shape = NN_SHAPE(L, S)});
            for (int i = 0; i < L * S; i++) ((uint8_t *)nn_tensor_data(mask))[i] = i % 3 != 1;
            m = nn_input(net, "mask", dtypes[t], NN_SHAPE(L, S));
            masks.attn_mask = mask;
        }
        y[t] = tensor(nn, NN_SHAPE(1, 2, L, E), 1);
        ENSURE(nn_scaled_dot_product_attention_forward(y[t], NULL, q, k, k, &masks, NULL) ==
               NN_OK);
        nn_node *node = ATTEND(a, b, b, .attn_mask = m);
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(node), .batch = 1});
        ENSURE(plan != NULL);
        nn_upload(plan, a, data(q), nn_tensor_bytes(q));
        nn_upload(plan, b, data(k), nn_tensor_bytes(k));
        if (m) nn_upload(plan, m, nn_tensor_data(masks.attn_mask), L * S);
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, node, ran, sizeof ran) == NN_OK);
        ENSURE(memcmp(ran, data(y[t]), sizeof ran) == 0);
    }
    ENSURE(memcmp(data(y[1]), data(y[2]), BYTES) == 0);
    ENSURE(memcmp(data(y[0]), data(y[1]), BYTES) != 0);
    nn_close(nn);
}

/* Both masks of a layer may be u8 or bool. */
static void masks_of_bool_in_a_layer(void) {
    enum { N = 2, L = 3, C = 4 };
    const uint8_t padding[N * L] = {0, 0, 1, 0, 1, 0}, pairs[L * L] = {0, 0, 1, 1, 0, 0, 0, 0, 0};
    nn_context *nn = nn_open(NULL);
    nn_tensor *x = tensor(nn, NN_SHAPE(N, L, C), 3);
    float y[2][N * L * C];
    for (int t = 0; t < 2; t++) {
        const nn_dtype dtype = t ? NN_BOOL : NN_U8;
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 5});
        nn_node *in = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, L, C)),
                *p = nn_input(net, "padding", dtype, NN_SHAPE(NN_BATCH, L)),
                *m = nn_input(net, "pairs", dtype, NN_SHAPE(L, L));
        nn_node *node = nn_multihead_attention(
            net, "a", in, NULL, NULL,
            &(nn_multihead_attention_desc){.num_heads = 2, .key_padding_mask = p, .attn_mask = m});
        nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(node), .batch = N});
        ENSURE(plan != NULL);
        nn_upload(plan, in, data(x), nn_tensor_bytes(x));
        nn_upload(plan, p, padding, sizeof padding);
        nn_upload(plan, m, pairs, sizeof pairs);
        ENSURE(nn_run(plan) == NN_OK && nn_download(plan, node, y[t], sizeof y[t]) == NN_OK);
    }
    ENSURE(memcmp(y[0], y[1], sizeof y[0]) == 0);
    nn_close(nn);
}

/* A plan of four times the length has about four times the memory. */
static void memory_is_linear(void) {
    uint64_t bytes[2];
    for (int i = 0; i < 2; i++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net"});
        nn_node *q = nn_parameter(net, "q", NN_SHAPE(1, 2, i ? 4096 : 1024, 8), -1, 1);
        nn_node *starts = nn_input(net, "starts", NN_I32, NN_SHAPE(1, i ? 4096 : 1024));
        nn_node *loss = nn_mean(net, ATTEND(q, q, q, .is_causal = true, .starts = starts));
        nn_trainer *trainer =
            nn_make_trainer(net, loss, &(nn_trainer_desc){.batch = 1, .learning_rate = 0.1f});
        bytes[i] = nn_plan_allocated(nn_trainer_plan(trainer), nn_cpu());
        ENSURE(nn_error(nn) == NULL);
        nn_close(nn);
    }
    ENSURE(bytes[0] > 0 && bytes[1] < 4 * bytes[0] + 100000);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(mistakes_in_words);
    RUN(mistakes_of_rotary_positions);
    RUN(rotary_positions_in_place);
    RUN(sinusoidal_positions);
    RUN(mistakes_of_layers);
    RUN(parameters_of_layers);
    RUN(tied_weights);
    RUN(a_mask_that_learns);
    RUN(dropout_backward);
    RUN(numbers_that_do_not_fit);
    RUN(a_start_that_does_not_fit);
    RUN(the_same_bytes);
    RUN(masked_keys_are_not_read);
    RUN(a_masked_block_is_not_read);
    RUN(starts_are_a_mask);
    RUN(a_mask_of_bool);
    RUN(masks_of_bool_in_a_layer);
    RUN(memory_is_linear);
    return test_report();
}
