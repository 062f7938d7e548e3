/* tests/onnx/c_nets.h - the nets that test_onnx_c.c and test_onnx_plan_c.c print. Before including
   it, define print_these(net, name, outputs, file), printed_dtypes and printed_count. */
#pragma once

#include "nn_more.h"
#include "nn_quantize.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))
#define DESC(type, name, ...)                                                                      \
    static const type name##_values = {__VA_ARGS__};                                               \
    const type *name = &name##_values
#define PRINT(net, name, file, ...) print_these(net, name, NN_NODES(__VA_ARGS__), file)

static nn_context *nn;

/* Gives every buffer numbers above 0, as after training. */
static void fill_buffers(nn_model *net) {
    static float numbers[64];
    for (int i = 0; i < 64; i++) numbers[i] = 0.25f + 0.01f * (float)i;
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        if (nn_describe_node(node).kind != NN_NODE_BUFFER || nn_node_dtype(node) != NN_F32)
            continue;
        nn_tensor *tensor = nn_find_tensor(net, nn_node_name(node));
        if (nn_tensor_bytes(tensor) <= sizeof numbers)
            nn_upload_tensor(tensor, numbers, nn_tensor_bytes(tensor));
    }
}

/* ---- nets that this file describes ----------------------------------------------------------- */

static void of_images(nn_model *net) {
    DESC(nn_conv2d_desc, conv, .out_channels = 6, .kernel = 3, .kernel_w = 5, .padding = 1,
         .padding_w = 2, .stride = 2);
    DESC(nn_conv2d_desc, grouped, .out_channels = 6, .kernel = 3, .padding = 2, .dilation = 2,
         .groups = 3, .no_bias = true, .padding_bottom = 1, .padding_right = NN_NONE);
    DESC(nn_conv2d_desc, mirrored, .out_channels = 4, .kernel = 3, .padding = 1,
         .padding_mode = NN_PADDING_REFLECT);
    DESC(nn_conv_transpose2d_desc, wider, .out_channels = 4, .kernel = 3, .stride = 2,
         .output_padding = 1, .padding = 1);
    DESC(nn_pool2d_desc, halves, .kernel = 3, .stride = 2, .padding = 1, .ceil = true);
    DESC(nn_pool2d_desc, means, .kernel = 2, .stride = 1, .count_only_inside = true, .padding = 1);
    DESC(nn_resize_desc, larger, .size = 9, .size_w = 7, .mode = NN_RESIZE_LINEAR);
    DESC(nn_resize_desc, twice, .scale_factor = 2, .mode = NN_RESIZE_CUBIC);
    nn_node *x = nn_input(net, "a picture", NN_F32, NN_SHAPE(NN_BATCH, 3, 12, 10));
    nn_node *y = nn_relu(net, nn_batch_norm2d(net, "norm", nn_conv2d(net, "conv", x, conv), NULL));
    nn_node *pooled = nn_max_pool2d(net, y, halves);
    y = nn_conv2d(net, "grouped", nn_dropout(net, pooled, 0.5f), grouped);
    y = nn_conv2d(net, "mirrored", nn_resize(net, y, larger), mirrored);
    nn_node *big = nn_resize(net, nn_conv_transpose2d(net, "wider", y, wider), twice);
    nn_node *means_of = nn_avg_pool2d(net, nn_adaptive_avg_pool2d(net, big, 4, 3), means);
    nn_node *weight = nn_parameter(net, "own weight", NN_SHAPE(2, 4, 1, 1), -1, 1);
    nn_node *own = nn_functional_conv2d(net, means_of, nn_tanh(net, weight), NULL, NULL);
    nn_node *grid = nn_input(net, "grid", NN_F32, NN_SHAPE(NN_BATCH, 5, 4, 2));
    nn_node *flat = nn_flatten(net, own);
    PRINT(net, "images", NULL, flat, nn_output(pooled, 1), nn_grid_sample(net, y, grid, NULL), big);
}

static void of_steps(nn_model *net) {
    nn_lstm_desc both;
    nn_gru_desc keeps;
    nn_rnn_desc rectified;
    ZERO(both);
    ZERO(keeps);
    ZERO(rectified);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 4));
    both.hidden_size = 5;
    both.layers = 2;
    both.bidirectional = true;
    both.proj_size = 3;
    both.dropout = 0.25f;
    both.lengths = nn_input(net, "lengths", NN_I32, NN_SHAPE(NN_BATCH));
    both.h_0 = nn_input(net, "h", NN_F32, NN_SHAPE(4, NN_BATCH, 3));
    keeps.hidden_size = 4;
    keeps.layers = 2;
    keeps.stateful = true;
    rectified.hidden_size = 3;
    rectified.nonlinearity = NN_ACTIVATION_RELU;
    rectified.no_bias = true;
    nn_node *lstm = nn_lstm(net, "lstm", x, &both), *gru = nn_gru(net, "gru", lstm, &keeps);
    nn_node *rnn = nn_rnn(net, "deep.rnn", gru, &rectified);
    PRINT(net, "steps", NULL, rnn, lstm, nn_output(lstm, 1), nn_output(lstm, 2), nn_output(gru, 1),
          nn_output(rnn, 1));
}

static void of_streams(nn_model *net) {
    DESC(nn_conv1d_desc, conv, .out_channels = 4, .kernel = 3, .dilation = 2, .streaming = true);
    DESC(nn_pool1d_desc, pool, .kernel = 3, .stride = 1, .streaming = true);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME));
    nn_node *y = nn_max_pool1d(net, nn_conv1d(net, "causal", x, conv), pool);
    nn_node *h = nn_state(net, "mean", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *next = nn_add(net, nn_scale(net, h, 0.9f), nn_mean(net, y, NN_AXES(2)));
    nn_assign(net, h, next);
    PRINT(net, "streams", NULL, y, nn_tanh(net, h));
}

static void of_words_in(nn_model *net, const char *file) {
    DESC(nn_embedding_desc, table, .num_embeddings = 7, .embedding_dim = 8);
    DESC(nn_linear_desc, wide, .out_features = 8);
    DESC(nn_linear_desc, head, .out_features = 7, .shared = true, .no_bias = true);
    DESC(nn_layer_norm_desc, fine, .epsilon = 1e-6f);
    DESC(nn_scaled_dot_product_attention_desc, causal, .is_causal = true, .heads_inside = true);
    DESC(nn_rotary_embedding_desc, turn, .base = 500, .heads_inside = true);
    DESC(nn_matmul_desc, turned, .transpose_b = true);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *x = nn_embedding(net, "words", ids, table), *parts[3];
    x = nn_add(net, x, nn_sinusoidal_positions(net, x, NULL));
    nn_node *norm = nn_layer_norm(net, "blocks.0.norm", x, fine);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"q", "k", "v"};
        parts[i] = nn_reshape(net, nn_linear(net, names[i], norm, wide),
                              NN_SHAPE(NN_BATCH, NN_TIME, 2, 4));
        if (i < 2) parts[i] = nn_rotary_embedding(net, parts[i], turn);
    }
    nn_node *y = nn_scaled_dot_product_attention(net, parts[0], parts[1], parts[2], causal);
    y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, 8));
    y = nn_add(net, x, nn_linear_transposed(net, "out", y, wide));
    y = nn_rms_norm(net, "last", y, NULL);
    nn_node *twice = nn_add(
        net, nn_linear(net, "q", y, &(nn_linear_desc){.out_features = 8, .shared = true}), y);
    nn_node *scores = nn_log_softmax(net, nn_linear(net, "words", twice, head));
    nn_node *own = nn_matmul(net, y, nn_find_parameter(net, "words.weight"), turned);
    nn_node *loss = nn_nll_loss(net, nn_permute(net, scores, NN_AXES(0, 2, 1)), ids, NULL);
    PRINT(net, "words", file, scores, own, loss);
}

static void of_words(nn_model *net) { of_words_in(net, NULL); }

static void of_elements(nn_model *net) {
    DESC(nn_leaky_relu_desc, steep, .negative_slope = 0.3f);
    DESC(nn_softplus_desc, sharp, .beta = 2);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_node *t = nn_input(net, "register", NN_F32, NN_SHAPE(6)); /* a word of C */
    nn_node *a = nn_leaky_relu(net, nn_gelu(net, x), steep);
    nn_node *b = nn_softplus(net, nn_softplus(net, nn_clamp(net, x, -0.5f, 0.75f), NULL), sharp);
    nn_node *c =
        nn_expression(net, "x, t: x > t ? sqrt(abs(x)) + 1e-7 * pow(t, 3) : -min(x, 0.1, t)", x, t);
    nn_expression_desc named;
    ZERO(named);
    named.text = "x, y: x * rate + fma(y, rate, 1 / (x * x + 2))";
    NODE_AT(named.inputs, 0) = a;
    NODE_AT(named.inputs, 1) = b;
    named.number_names = NN_TEXTS("rate");
    named.numbers = NN_NUMBERS(0.1f);
    nn_node *d = nn_make_expression(net, &named);
    nn_node *e =
        nn_where(net, nn_less(net, x, t), nn_masked_fill(net, d, nn_isnan(net, x), -1e9f), c);
    nn_node *f = nn_nan_to_num(net, nn_divide(net, e, nn_sinh(net, nn_subtract(net, x, x))), NULL);
    nn_node *g = nn_multiply(net, x, x);
    PRINT(net, "elements", NULL, e, f, g, nn_huber(net, x, a, 0.5f), nn_cast(net, x, NN_I32));
}

static void of_moves(nn_model *net) {
    DESC(nn_pad_desc, around, .left = 1, .right = 2, .top = 3, .value = 0.5f);
    DESC(nn_slice_desc, every, .axis = 2, .start = 1, .stop = -1, .step = 2);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 6));
    nn_node *i = nn_input(net, "i", NN_I32, NN_SHAPE(NN_BATCH, 4, 6));
    nn_node *a = nn_pad(net, nn_flip(net, nn_slice(net, x, every), NN_AXES(1, 2)), around);
    nn_node *b = nn_roll(net, nn_permute(net, x, NN_AXES(0, 2, 1)), 2, 1);
    nn_node *c = nn_repeat(net, nn_repeat_interleave(net, x, 2, 1), NN_SHAPE(1, 1, 3));
    nn_node *d = nn_stack(net, NN_NODES(x, nn_negate(net, x), x), 1);
    nn_node *e = nn_expand(net, nn_unsqueeze(net, x, 1), NN_SHAPE(0, 3, 0, 0));
    nn_node *f = nn_pixel_shuffle(net, nn_reshape(net, x, NN_SHAPE(NN_BATCH, 4, 2, 3)), 2);
    nn_node *g = nn_concat(net, NN_NODES(i, i), 2);
    PRINT(net, "moves", NULL, a, b, c, nn_add(net, d, e), f, g, nn_tril(net, x, 0));
}

static void of_choices(nn_model *net) {
    DESC(nn_top_k_desc, least, .smallest = true);
    DESC(nn_cross_entropy_desc, smooth, .label_smoothing = 0.1f, .reduction = NN_SUM);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 5));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *index = nn_reshape(net, label, NN_SHAPE(NN_BATCH, 1));
    nn_node *table = nn_parameter(net, "table", NN_SHAPE(3), 1, 1);
    nn_node *sorted = nn_sort(net, x, 1, NULL), *top = nn_top_k(net, x, 2, 1, least);
    nn_node *picked = nn_gather(net, x, 1, index), *hot = nn_one_hot(net, label, 5);
    nn_node *put = nn_scatter_add(net, x, 1, index, picked);
    nn_node *sums = nn_cumsum(net, nn_softmax(net, x, 1), 1);
    nn_node *spread = nn_std(net, x, NN_AXES(1), true), *most = nn_argmax(net, x, NN_AXES(1));
    PRINT(net, "choices", NULL, sorted, nn_output(sorted, 1), top, picked, hot, put, sums, spread,
          most, nn_scatter_value(net, x, 1, index, 2.5f), nn_logsumexp(net, x),
          nn_cross_entropy(net, x, label, smooth),
          nn_index_select(net, hot, 1, nn_cast(net, nn_cumsum(net, table, 0), NN_I32)));
}

static void of_norms(nn_model *net) {
    DESC(nn_group_norm_desc, two, .num_groups = 2);
    DESC(nn_instance_norm_desc, tracked, .affine = true, .track_running_stats = true);
    DESC(nn_batch_norm_desc, bare, .no_affine = true, .epsilon = 1e-3f);
    DESC(nn_layer_norm_desc, wide, .normalized_shape = {{4, 6}, 2}, .no_bias = true);
    DESC(nn_conv3d_desc, cube, .out_channels = 2, .kernel = 2);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 6));
    nn_node *a = nn_group_norm(net, "group", x, two), *b = nn_instance_norm(net, "one", a, tracked);
    nn_node *c = nn_batch_norm1d(net, "batch", b, bare), *d = nn_layer_norm(net, "layer", c, wide);
    nn_node *constant =
        nn_constant(net, "a constant",
                    nn_make_tensor(nn, &(nn_tensor_desc){.name = "c", .shape = NN_SHAPE(6)}));
    nn_node *e = nn_prelu(net, "rectified", nn_add(net, d, constant), NULL);
    nn_node *f = nn_conv3d(net, "cube", nn_reshape(net, e, NN_SHAPE(NN_BATCH, 1, 4, 3, 2)), cube);
    fill_buffers(net);
    PRINT(net, "norms", NULL, e, f, nn_normalize(net, x, 1), nn_glu(net, x, 2));
}

/* Describes a copy in 8-bit integers, with every operation that integers have. */
static void of_integers(nn_model *net) {
    enum { MANY = 12, IMAGE = 3 * 9 * 8 };
    static float pictures[MANY * IMAGE];
    DESC(nn_conv2d_desc, first, .out_channels = 6, .kernel = 3, .padding = 1, .stride_w = 2);
    DESC(nn_conv2d_desc, apart, .out_channels = 6, .kernel = 3, .same = true, .groups = 6);
    DESC(nn_conv2d_desc, point, .out_channels = 6, .kernel = 1, .padding_bottom = 1);
    DESC(nn_pool2d_desc, larger, .kernel = 3, .stride = 2, .padding = 1, .ceil = true);
    DESC(nn_pool2d_desc, means, .kernel = 2, .kernel_w = 1, .stride = 1, .count_only_inside = true);
    DESC(nn_conv2d_desc, groups, .out_channels = 4, .kernel = 2, .groups = 2);
    DESC(nn_conv_transpose2d_desc, up, .out_channels = 6, .kernel = 3, .stride = 2, .padding = 1,
         .output_padding = 1, .output_padding_w = NN_NONE, .groups = 2);
    DESC(nn_resize_desc, size, .size = 6, .size_w = 7, .mode = NN_RESIZE_LINEAR);
    DESC(nn_resize_desc, near, .size = 6, .size_w = 7);
    DESC(nn_linear_desc, last, .out_features = 5);
    DESC(nn_quantize_net_desc, how, .batches = 2);
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 9, 8));
    nn_node *y = nn_relu(net, nn_conv2d(net, "first", x, first));
    nn_node *z = nn_batch_norm2d(net, "norm", nn_conv2d(net, "apart", y, apart), NULL);
    y = nn_relu6(net, nn_add(net, y, z));
    y = nn_max_pool2d(net, nn_conv2d(net, "point", y, point), larger);
    y = nn_avg_pool2d(net, y, means);
    z = nn_tanh(net, y); /* stays in f32 */
    y = nn_conv2d(net, "groups", y, groups);
    nn_node *parts[2];
    nn_chunk(net, nn_conv_transpose2d(net, "up", y, up), parts, 2, 1);
    y = nn_concat(net, NN_NODES(nn_resize(net, parts[0], size), nn_resize(net, parts[1], near)), 1);
    y = nn_avg_pool2d(net, nn_conv2d(net, "joined", y, point), means);
    nn_node *first_of = nn_linear(net, "of_joined", nn_flatten(net, y), last);
    y = nn_linear(net, "last", nn_flatten(net, nn_conv2d(net, "again", z, point)), last);
    y = nn_add(net, y, first_of);
    for (int i = 0; i < MANY * IMAGE; i++) pictures[i] = (float)(i * 37 % 101) / 50.0f - 1.0f;
    nn_field field;
    nn_dataset_desc data;
    nn_loader_desc batches;
    ZERO(field);
    ZERO(data);
    ZERO(batches);
    field.name = "image";
    field.data = pictures;
    field.shape = NN_SHAPE(3, 9, 8);
    data.count = MANY;
    data.fields = NN_FIELDS(field);
    batches.dataset = nn_make_dataset(nn, &data);
    batches.batch = 6;
    fill_buffers(net);
    nn_loader *loader = nn_make_loader(nn, &batches);
    nn_model *integers = nn_quantize_net(net, loader, how);
    ENSURE(integers);
    PRINT(integers, "integers", "printed_integers.safetensors", nn_copied_node(integers, y),
          nn_copied_node(integers, z));
    printed_dtypes[printed_count] = NN_F32;
    PRINT(integers, "integers_in_c", NULL, nn_copied_node(integers, y));
    nn_free_model(integers);
    nn_free_loader(loader);
    nn_free_dataset(batches.dataset);
}

/* Describes copies of an lstm and a gru in 8-bit integers, with their last states. */
static void of_integer_steps(nn_model *net) {
    enum { MANY = 12, SEQUENCE = 6 * 7 };
    static float sequences[MANY * SEQUENCE];
    DESC(nn_lstm_desc, lstm, .hidden_size = 9, .layers = 2, .bidirectional = true);
    DESC(nn_gru_desc, gru, .hidden_size = 5);
    DESC(nn_linear_desc, last, .out_features = 5);
    nn_quantize_net_desc how;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6, 7));
    nn_node *steps = nn_lstm(net, "cells", x, lstm);
    nn_node *gates = nn_gru(net, "gates", steps, gru);
    nn_node *y = nn_linear(net, "last", nn_softmax(net, gates), last);
    nn_node *of[4] = {y, nn_output(steps, 1), nn_output(steps, 2), nn_output(gates, 1)};
    for (int i = 0; i < MANY * SEQUENCE; i++) sequences[i] = (float)(i * 37 % 101) / 50.0f - 1.0f;
    nn_field field;
    nn_dataset_desc data;
    nn_loader_desc batches;
    ZERO(field);
    ZERO(data);
    ZERO(batches);
    field.name = "x";
    field.data = sequences;
    field.shape = NN_SHAPE(6, 7);
    data.count = MANY;
    data.fields = NN_FIELDS(field);
    batches.dataset = nn_make_dataset(nn, &data);
    batches.batch = 6;
    nn_loader *loader = nn_make_loader(nn, &batches);
    ZERO(how);
    how.batches = 2;
    how.outputs.node = of;
    how.outputs.count = 4;
    nn_model *integers = nn_quantize_net(net, loader, &how);
    ENSURE(integers);
    PRINT(integers, "integer_steps", NULL, nn_copied_node(integers, of[0]),
          nn_copied_node(integers, of[1]), nn_copied_node(integers, of[2]),
          nn_copied_node(integers, of[3]));
    nn_free_model(integers);
    nn_free_loader(loader);
    nn_free_dataset(batches.dataset);
}

/* ---- names ----------------------------------------------------------------------------------- */

enum { NAMED_MOST = 600, NAMED_EACH = 80 };
static char named[NAMED_MOST][48];
static int named_count;

static void add_name(const char *word, size_t length) {
    char name[48];
    if (length == 0 || length >= sizeof name) return;
    memcpy(name, word, length);
    name[length] = 0;
    for (int i = 0; i < named_count; i++)
        if (strcmp(named[i], name) == 0) return;
    if (named_count < NAMED_MOST) memcpy(named[named_count++], name, sizeof name);
}

/* Adds the words of a printed text, and the part of each word after the text's prefix. */
static TEST_UNUSED void add_names(const char *text, const char *prefix) {
    const size_t before = strlen(prefix);
    int of_library = 0;
    while (*text) {
        const size_t length =
            strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        if (length > before + 1 && strncmp(text, prefix, before) == 0)
            add_name(text + before + 1, length - before - 1);
        else if (strncmp(text, "nn_", 3) != 0 || of_library++ < 8)
            add_name(text, length);
        text += length ? length : 1;
    }
}

/* Prints nets whose inputs, parameters and layers have these names and the names of keywords. None
   may collide with the text around it. */
static TEST_UNUSED void print_named(void) {
    static const char keywords[] =
        "int register typeof asm near far small interface class template operator co_await concept "
        "requires static_cast dynamic_cast char8_t wchar_t stdin EOF errno assert INFINITY NAN _x "
        "__x x__y x.y x/y 9 %s */ /* // ??/ \" \\ \xc3\xa4 ";
    DESC(nn_linear_desc, two, .out_features = 2);
    for (const char *at = keywords, *end; (end = strchr(at, ' ')) != NULL; at = end + 1)
        add_name(at, (size_t)(end - at));
    for (int i = 0; i < 2 * ((named_count + NAMED_EACH - 1) / NAMED_EACH); i++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *y = nn_input(net, "first", NN_F32, NN_SHAPE(NN_BATCH, 2)), *before = y;
        for (int k = i / 2 * NAMED_EACH; k < (i / 2 + 1) * NAMED_EACH && k < named_count; k++) {
            before = y;
            if (k % 3 == 0) y = nn_linear(net, named[k], y, two);
            else if (k % 2 == i % 2)
                y = nn_add(net, y, nn_input(net, named[k], NN_F32, NN_SHAPE(NN_BATCH, 2)));
            else y = nn_multiply(net, y, nn_parameter(net, named[k], NN_SHAPE(2), -1, 1));
        }
        printed_dtypes[printed_count] = NN_F32;
        PRINT(net, "names", NULL, nn_softmax(net, y), before);
        nn_free_model(net);
    }
    named_count = 0;
}
