/* quantize_nets.h: nets of drawn digits and of every kind of layer, for tests of quantisation. */
#ifndef NN_TEST_QUANTIZE_NETS_H
#define NN_TEST_QUANTIZE_NETS_H

#include "nn_more.h"
#include <math.h>
#include <stdlib.h>

#include "../../examples/draw_digits.h"
#include "error.h"
#include "test.h"

#define DIGITS 2000

static unsigned char pixels[2 * DIGITS * DIGIT_PIXELS], labels[2 * DIGITS];
static char report[16384];

static TEST_UNUSED void write_report(void *user, const char *text, size_t length) {
    (void)user;
    const size_t used = strlen(report);
    if (used + length < sizeof report) {
        memcpy(report + used, text, length);
        report[used + length] = 0;
    }
}

static TEST_UNUSED void write_nowhere(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

static void draw_all(void) {
    if (pixels[14 * 28 + 14] || labels[1]) return;
    for (int i = 0; i < 2 * DIGITS; i++) {
        labels[i] = (unsigned char)(i % 10);
        draw_digit(i % 10, i < DIGITS ? 1 : 2, (uint64_t)i, pixels + (size_t)i * DIGIT_PIXELS);
    }
}
static TEST_UNUSED nn_loader *digits_loader(nn_context *nn, int first, int count, bool shuffle) {
    draw_all();
    nn_dataset *dataset = nn_make_dataset(
        nn,
        &(nn_dataset_desc){
            .count = count,
            .fields = NN_FIELDS(
                {.name = "image",
                 .shape = {{1, 28, 28}, 3},
                 .data = pixels + (size_t)first * DIGIT_PIXELS,
                 .data_dtype = NN_U8,
                 .scale = 1.0f / 255},
                {.name = "label", .dtype = NN_I32, .data = labels + first, .data_dtype = NN_U8})});
    return nn_make_loader(
        nn, &(nn_loader_desc){.dataset = dataset, .batch = 50, .seed = 1, .shuffle = shuffle});
}

typedef struct digits_net {
    nn_model *net;
    nn_node *image, *label, *logits, *loss;
} digits_net;

/* Describes a CNN if `wide`, else an MLP. */
static TEST_UNUSED digits_net describe_digits(nn_context *nn, bool wide) {
    digits_net d;
    d.net = nn_make_model(nn, &(nn_model_desc){.name = "digits", .seed = 1});
    d.image = nn_input(d.net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    d.label = nn_input(d.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = d.image;
    if (wide) {
        x = nn_conv2d(d.net, "conv1", x,
                      &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
        x = nn_max_pool2d(d.net, nn_relu(d.net, x), &(nn_pool2d_desc){.kernel = 2});
        x = nn_conv2d(d.net, "conv2", x,
                      &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
        x = nn_relu(d.net, nn_batch_norm2d(d.net, "norm", x, NULL));
        x = nn_max_pool2d(d.net, x, &(nn_pool2d_desc){.kernel = 2});
    }
    x = nn_flatten(d.net, x);
    x = nn_relu(d.net, nn_linear(d.net, "fc1", x, &(nn_linear_desc){.out_features = 64}));
    d.logits = nn_linear(d.net, "fc2", x, &(nn_linear_desc){.out_features = 10});
    d.loss = nn_cross_entropy(d.net, d.logits, d.label, NULL);
    return d;
}
static TEST_UNUSED void train_digits(digits_net *d, nn_loader *loader, int epochs) {
    nn_trainer *trainer = nn_make_trainer(
        d->net, d->loss,
        &(nn_trainer_desc){.batch = 50, .optimizer = NN_ADAM, .learning_rate = 2e-3f});
    for (int epoch = 0; epoch < epochs; epoch++)
        while (nn_next_batch(loader)) ENSURE(nn_train_step(trainer, loader) == NN_OK);
    nn_free_trainer(trainer);
}

#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_fail(__FILE__, __LINE__, "%s", #condition);                                       \
            return -1;                                                                             \
        }                                                                                          \
    } while (0)

/* Counts the digits that a model recognises; -1: a call failed. scores: NULL, or receives the
   logits. */
static TEST_UNUSED int count_right(nn_model *net, nn_node *logits, nn_loader *loader, int first,
                       float *scores) {
    float batch[50][10];
    int right = 0, at = first;
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits), .batch = 50});
    nn_node *image = NULL;
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node))
        if (strcmp(nn_node_name(node), "image") == 0) image = node;
    NEED(plan && image);
    nn_start_epoch(loader, 0);
    while (nn_next_batch(loader)) {
        const int n = nn_loader_batch(loader);
        NEED(nn_bind(plan, image, nn_batch_tensor(loader, "image")) == NN_OK);
        NEED(nn_run(plan) == NN_OK);
        NEED(nn_download(plan, logits, batch, (size_t)n * sizeof batch[0]) == NN_OK);
        for (int i = 0; i < n; i++, at++) {
            int best = 0;
            for (int k = 1; k < 10; k++) best = batch[i][k] > batch[i][best] ? k : best;
            right += best == labels[at];
            if (scores) memcpy(scores + (at - first) * 10, batch[i], sizeof batch[i]);
        }
    }
    nn_free_plan(plan);
    return right;
}

/* ---- every kind of layer --------------------------------------------------------------------- */

typedef struct zoo {
    nn_model *net;
    nn_node *x, *y, *middle;
} zoo;

/* A residual net: batch norms, depthwise, strides, dilation, pools, clamps, functions of one
   number, factors of channels, something in f32 in the middle, a flattened image, a transposed linear layer. */
static TEST_UNUSED zoo describe_zoo(nn_context *nn) {
    zoo z;
    nn_model *net = z.net = nn_make_model(nn, &(nn_model_desc){.name = "zoo", .seed = 5});
    z.x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *x = nn_conv2d(net, "stem", z.x,
                           &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1});
    x = nn_relu6(net, nn_batch_norm2d(net, "stem_norm", x, NULL));
    nn_node *side = x;
    x = nn_conv2d(net, "depth", x,
                  &(nn_conv2d_desc){
                      .out_channels = 16, .kernel = 3, .padding = 2, .dilation = 2, .groups = 16});
    x = nn_relu(net, nn_batch_norm2d(net, "depth_norm", x, NULL));
    x = nn_conv2d(net, "point", x, &(nn_conv2d_desc){.out_channels = 16, .kernel = 1});
    x = nn_relu(net, nn_add(net, x, side));
    x = nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 3, .stride = 2, .padding = 1});
    x = nn_hardswish(net, x);
    nn_node *gate = nn_adaptive_avg_pool2d(net, x, 1, 1); /* squeeze and excitation */
    gate = nn_conv2d(net, "gate", gate, &(nn_conv2d_desc){.out_channels = 16, .kernel = 1});
    x = nn_multiply(net, nn_hardsigmoid(net, gate), x);
    z.middle = x = nn_flip(net, x, NN_AXES(2)); /* stays in f32 */
    x = nn_conv2d(
        net, "wide", x,
        &(nn_conv2d_desc){
            .out_channels = 20, .kernel = 3, .kernel_w = 2, .stride = 2, .no_bias = true});
    x = nn_avg_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2, .stride = 1});
    x = nn_flatten(net, x);
    x = nn_clamp(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 30}), -0.5f, 1.0f);
    z.y = nn_linear_transposed(net, "fc2", x, &(nn_linear_desc){.out_features = 7});
    return z;
}
/* Values that are joined and cut: inputs of a concatenation that nothing else reads, and others;
   images along channels and rows, rows of numbers, chunks and slices with steps. */
static TEST_UNUSED zoo describe_branches(nn_context *nn) {
    zoo z;
    nn_node *half[2];
    nn_model *net = z.net = nn_make_model(nn, &(nn_model_desc){.name = "branches", .seed = 6});
    const nn_conv2d_desc three = {.out_channels = 8, .kernel = 3, .padding = 1};
    z.x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *a = nn_relu(net, nn_conv2d(net, "a", z.x, &three));
    nn_node *b = nn_conv2d(net, "b", z.x, &three);
    nn_node *c = nn_relu6(net, nn_conv2d(net, "c", z.x, &three));
    c = nn_max_pool2d(net, c, &(nn_pool2d_desc){.kernel = 3, .stride = 1, .padding = 1});
    nn_node *x = z.middle = nn_concat(net, NN_NODES(a, b, c), 1); /* a is read again below */
    nn_chunk(net, x, half, 2, 1);
    nn_node *d = nn_conv2d(net, "d", half[0], &three);
    nn_node *e = nn_relu(net, nn_conv2d(net, "e", half[1], &three));
    x = nn_concat(net, NN_NODES(d, a, e), -2);
    x = nn_slice(net, x, &(nn_slice_desc){.axis = 2, .start = 3, .step = 2});
    x = nn_slice(net, x, &(nn_slice_desc){.axis = 1, .stop = 6});
    x = nn_relu(net, nn_conv2d(net, "f", x, &three));
    x = nn_flatten(net, nn_adaptive_avg_pool2d(net, x, 1, 1));
    nn_node *g = nn_linear(net, "g", x, &(nn_linear_desc){.out_features = 9});
    nn_node *h = nn_hardswish(net, nn_linear(net, "h", x, &(nn_linear_desc){.out_features = 5}));
    x = nn_concat(net, NN_NODES(nn_concat(net, NN_NODES(g, h), 1), x), 1);
    z.y = nn_linear(net, "head", x, &(nn_linear_desc){.out_features = 7});
    return z;
}
/* Convolutions in groups, transposed ones, and those of lines. */
static TEST_UNUSED zoo describe_turned(nn_context *nn) {
    zoo z;
    nn_model *net = z.net = nn_make_model(nn, &(nn_model_desc){.name = "turned", .seed = 8});
    z.x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_node *x = nn_relu(net, nn_conv2d(net, "stem", z.x,
                                        &(nn_conv2d_desc){.out_channels = 12, .kernel = 3}));
    x = nn_conv2d(net, "groups", x,
                  &(nn_conv2d_desc){.out_channels = 18, .kernel = 3, .padding = 1, .groups = 3});
    x = nn_relu(net, nn_batch_norm2d(net, "groups_norm", x, NULL));
    x = nn_conv2d(net, "multiplier", x,
                  &(nn_conv2d_desc){.out_channels = 36, .kernel = 3, .stride = 2, .groups = 18});
    x = z.middle = nn_conv_transpose2d(net, "up", x,
                                       &(nn_conv_transpose2d_desc){.out_channels = 10,
                                                                   .kernel = 3,
                                                                   .stride = 2,
                                                                   .padding = 1,
                                                                   .output_padding = 1});
    x = nn_relu(net, nn_batch_norm2d(net, "up_norm", x, NULL));
    x = nn_resize(net, x, &(nn_resize_desc){.size = 12, .size_w = 9, .mode = NN_RESIZE_LINEAR});
    x = nn_resize(net, x, &(nn_resize_desc){.scale_factor = 1.25});
    x = nn_conv_transpose2d(net, "up_groups", x,
                            &(nn_conv_transpose2d_desc){.out_channels = 6,
                                                        .kernel = 2,
                                                        .kernel_w = 3,
                                                        .dilation_w = 2,
                                                        .groups = 2});
    const nn_shape shape = nn_node_shape(x);
    x = nn_reshape(net, x, NN_SHAPE(NN_BATCH, 6, shape.extent[2] * shape.extent[3]));
    x = nn_conv1d(net, "line", x,
                  &(nn_conv1d_desc){.out_channels = 8, .kernel = 5, .padding = 2, .stride = 2});
    x = nn_relu(net, nn_batch_norm1d(net, "line_norm", x, NULL));
    nn_node *side = nn_max_pool1d(net, x, &(nn_pool1d_desc){.kernel = 2});
    x = nn_conv1d(net, "line_depth", side,
                  &(nn_conv1d_desc){.out_channels = 8, .kernel = 3, .padding = 1, .groups = 8});
    x = nn_relu(net, nn_add(net, x, side));
    x = nn_conv_transpose1d(net, "line_up", x,
                            &(nn_conv_transpose1d_desc){.out_channels = 5, .kernel = 4});
    z.y = nn_linear(net, "head", nn_flatten(net, x), &(nn_linear_desc){.out_features = 7});
    return z;
}
static TEST_UNUSED nn_loader *zoo_loader(nn_context *nn, const float *numbers, int count) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = count,
                .fields = NN_FIELDS({.name = "x", .shape = {{3, 13, 11}, 3}, .data = numbers})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 6});
}
#define ZOO (3 * 13 * 11)
static float zoo_numbers[24 * ZOO];

static TEST_UNUSED void fill_zoo(void) {
    for (int i = 0; i < 24 * ZOO; i++) {
        uint32_t words[4];
        nn_random_words(9, 1, (uint64_t)i, words);
        zoo_numbers[i] = 2 * nn_word_to_uniform(words[0]) - 0.7f;
    }
}
/* Sets statistics and scales other than those of a fresh net. */
static TEST_UNUSED void shake_zoo(nn_model *net) {
    static const char *const names[] = {"stem_norm", "depth_norm"};
    static const char *const parts[] = {"weight", "bias", "running_mean", "running_var"};
    for (int n = 0; n < 2; n++)
        for (int p = 0; p < 4; p++) {
            char name[64];
            float values[16];
            snprintf(name, sizeof name, "%s.%s", names[n], parts[p]);
            for (int i = 0; i < 16; i++)
                values[i] = p == 1 || p == 2 ? 0.1f * (float)(i % 5) - 0.2f
                                             : 0.4f + 0.05f * (float)(i * 7 % 16);
            ENSURE(nn_upload_tensor(nn_find_tensor(net, name), values, sizeof values) == NN_OK);
        }
}
static TEST_UNUSED void run_zoo(nn_model *net, nn_node *x, nn_node *y, int batch, void *to, size_t bytes) {
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = batch});
    ENSURE(plan != NULL);
    ENSURE(nn_upload(plan, x, zoo_numbers, (size_t)batch * ZOO * sizeof(float)) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, to, bytes) == NN_OK);
    nn_free_plan(plan);
}
static TEST_UNUSED double distance(const float *a, const float *b, int count) {
    double off = 0, all = 0;
    for (int i = 0; i < count; i++) {
        off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
        all += (double)b[i] * (double)b[i];
    }
    return sqrt(off / all);
}

#endif
