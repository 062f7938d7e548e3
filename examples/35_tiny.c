/* 35_tiny.c - the four nets of MLPerf Tiny, trained on drawn data, in 8-bit integers, as C constants
   for a microcontroller.
   Run:    cc -O2 35_tiny.c -o tiny -lm -lpthread && ./tiny
           ./tiny kws          one of kws (DS-CNN hears words), ic (ResNet-8 reads pictures), vww
                               (MobileNetV1 0.25 sees persons), ad (an autoencoder hears faults)
           NN_SHORT=1 trains hardly at all, only to show that it works.
   Prints: for each net the quality in f32, in integers, and in integers with weights of 4 bits:
           right answers in percent; for the autoencoder the area under the ROC curve of its error,
           in percent; the bytes of the weights and of the plan's text.
   Leaves: kws.h, ic.h, vww.h, ad.h, and kws4.h ... with weights of 4 bits. A firmware includes one
           of them after nn.h, writes its input (8-bit integers, channels last) to kws_x, calls
           kws_run and reads kws_y (docs/firmware.md).

   The nets have the shapes of https://github.com/mlcommons/tiny, also where TensorFlow pads only at
   the end ("same" with a stride of 2). The data is drawn (draw_tiny.h), so accuracies say how much
   the integers lose, and nothing about the benchmark's data. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_quantize.h"
#define NN_ONNX_IMPLEMENTATION
#include "../nn_onnx.h"
#include "draw_digits.h"
#include "draw_words.h"
#include "draw_tiny.h"
#include <stdlib.h>

enum { BATCH = 50, MOST = 640 };

/* A net, and what belongs to it. */
typedef struct tiny {
    const char *name;
    nn_shape    x;
    int         outputs, epochs, samples;
    nn_node *(*body)(nn_model *net, nn_node *x);
    bool        rebuilds; /* it learns to write its input again */
    nn_texts    weight_bits_8; /* layers that keep 8 bits; none: the first one */
    nn_node    *input, *y, *loss;
} tiny;

/* ---- nets ------------------------------------------------------------------------------------ */

/* A convolution with batch norm, padded as TensorFlow's "same". */
static nn_node *layer(nn_model *net, const char *letter, int number, nn_node *x, int channels,
                      int h, int w, int stride, int groups) {
    char name[32], norm[32];
    snprintf(name, sizeof name, "%s%d", letter, number);
    snprintf(norm, sizeof norm, "%s_norm%d", letter, number);
    nn_conv2d_desc desc = {.out_channels = channels, .kernel_h = h, .kernel_w = w,
                           .stride = stride, .groups = groups, .no_bias = true};
    if (h > 1) { /* with a stride of 2, even extents get the odd place of padding at the end */
        desc.padding_h = stride > 1 && h == 3 ? NN_NONE : (h - 1) / 2;
        desc.padding_w = stride > 1 && w == 3 ? NN_NONE : (w - 1) / 2;
        desc.padding_bottom = h / 2, desc.padding_right = w / 2;
    }
    return nn_batch_norm2d(net, norm, nn_conv2d(net, name, x, &desc), NULL);
}
static nn_node *mean_and_linear(nn_model *net, nn_node *x, int outputs) {
    x = nn_flatten(net, nn_adaptive_avg_pool2d(net, x, 1, 1));
    return nn_linear(net, "last", x, &(nn_linear_desc){.out_features = outputs});
}

static nn_node *ds_cnn(nn_model *net, nn_node *x) {
    x = nn_relu(net, layer(net, "first", 0, x, 64, 10, 4, 2, 1));
    for (int i = 0; i < 4; i++) {
        x = nn_relu(net, layer(net, "depth", i, x, 64, 3, 3, 1, 64));
        x = nn_relu(net, layer(net, "point", i, x, 64, 1, 1, 1, 1));
    }
    return mean_and_linear(net, x, 12);
}

static nn_node *resnet8(nn_model *net, nn_node *x) {
    x = nn_relu(net, layer(net, "first", 0, x, 16, 3, 3, 1, 1));
    for (int i = 0; i < 3; i++) {
        const int stride = i ? 2 : 1;
        nn_node  *y = nn_relu(net, layer(net, "a", i, x, 16 << i, 3, 3, stride, 1));
        y = layer(net, "b", i, y, 16 << i, 3, 3, 1, 1);
        if (i) x = layer(net, "side", i, x, 16 << i, 1, 1, 2, 1);
        x = nn_relu(net, nn_add(net, x, y));
    }
    return mean_and_linear(net, x, 10);
}

static nn_node *mobilenet(nn_model *net, nn_node *x) {
    static const int out[] = {16, 32, 32, 64, 64, 128, 128, 128, 128, 128, 128, 256, 256},
                     stride[] = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};
    int in = 8;
    x = nn_relu(net, layer(net, "first", 0, x, in, 3, 3, 2, 1));
    for (int i = 0; i < 13; i++) {
        x = nn_relu(net, layer(net, "depth", i, x, in, 3, 3, stride[i], in));
        x = nn_relu(net, layer(net, "point", i, x, out[i], 1, 1, 1, 1));
        in = out[i];
    }
    return mean_and_linear(net, x, 2);
}

static nn_node *autoencoder(nn_model *net, nn_node *x) {
    static const int widths[] = {128, 128, 128, 128, 8, 128, 128, 128, 128, 640};
    for (int i = 0; i < 10; i++) {
        char name[32], norm[32];
        snprintf(name, sizeof name, "layer%d", i), snprintf(norm, sizeof norm, "norm%d", i);
        x = nn_linear(net, name, x, &(nn_linear_desc){.out_features = widths[i]});
        if (i < 9) x = nn_relu(net, nn_batch_norm1d(net, norm, x, NULL));
    }
    return x;
}

/* ---- data ------------------------------------------------------------------------------------ */

static void draw(const tiny *t, int i, bool test, float *to, int32_t *label) {
    *label = i % (t->body == ds_cnn ? WORDS : t->outputs);
    if (t->body == ds_cnn) tiny_word(i, to);
    if (t->body == resnet8) tiny_picture(i, to);
    if (t->body == mobilenet) tiny_room(i, to);
    if (t->rebuilds) tiny_machine(i, test, to), *label = test && i % 2;
}

static nn_loader *make_loader(nn_context *nn, const tiny *t, int first, int count, bool test) {
    const size_t each = (size_t)nn_shape_count(t->x);
    float       *numbers = malloc(sizeof(float) * each * (size_t)count);
    int32_t     *labels = malloc(sizeof(int32_t) * (size_t)count);
    if (!numbers || !labels) exit(1);
    for (int i = 0; i < count; i++) draw(t, first + i, test, numbers + each * (size_t)i, labels + i);
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){.count = count,
                               .fields = NN_FIELDS(
                                   {.name = "x", .shape = t->x, .data = numbers},
                                   {.name = "label", .dtype = NN_I32, .data = labels})});
    return nn_make_loader(
        nn, &(nn_loader_desc){.dataset = dataset, .batch = BATCH, .shuffle = !test, .seed = 1});
}

/* ---- quality --------------------------------------------------------------------------------- */

/* Returns the share of pairs of a good and a broken machine in which the broken one has the larger
   error: the area under the ROC curve. */
static double area(const double *errors, const int32_t *labels, int count) {
    double pairs = 0, right = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count && labels[i]; k++) {
            if (labels[k]) continue;
            pairs++;
            right += errors[i] > errors[k] ? 1 : errors[i] == errors[k] ? 0.5 : 0;
        }
    return pairs > 0 ? right / pairs : 0;
}

/* Returns the share of right answers, or the area. */
static double quality(const tiny *t, nn_model *net, nn_node *input, nn_node *y, nn_loader *test) {
    static float   numbers[BATCH * MOST], wanted[BATCH * MOST];
    static double  errors[4096];
    static int32_t labels[4096];
    nn_plan       *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = BATCH});
    int            all = 0, right = 0;
    if (!plan) return 0;
    nn_start_epoch(test, 0);
    while (nn_next_batch(test) && all + BATCH <= 4096) {
        const int batch = nn_loader_batch(test);
        nn_bind(plan, input, nn_batch_tensor(test, "x"));
        nn_run(plan);
        nn_download(plan, y, numbers, sizeof(float) * (size_t)(batch * t->outputs));
        nn_download_tensor(nn_batch_tensor(test, "label"), labels + all,
                           sizeof(int32_t) * (size_t)batch);
        if (t->rebuilds)
            nn_download_tensor(nn_batch_tensor(test, "x"), wanted,
                               sizeof(float) * (size_t)(batch * t->outputs));
        for (int i = 0; i < batch; i++, all++) {
            const float *one = numbers + i * t->outputs;
            int          best = 0;
            errors[all] = 0;
            for (int k = 0; k < t->outputs; k++) {
                const double off = t->rebuilds ? one[k] - wanted[i * t->outputs + k] : 0;
                errors[all] += off * off;
                if (one[k] > one[best]) best = k;
            }
            right += best == labels[all];
        }
    }
    nn_free_plan(plan);
    return t->rebuilds ? area(errors, labels, all) : all ? (double)right / all : 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Prints the plan of the net in integers, whose input and output are integers, too. train: NULL for
   a net of nn_prepare_qat. */
static long print_plan(const char *name, nn_model *net, nn_node *y, nn_loader *train,
                       size_t *weights) {
    char      path[32];
    nn_model *integers = nn_quantize_net(
        net, train, &(nn_quantize_net_desc){.batches = 8, .outputs = NN_NODES(y),
                                            .integer_inputs = true, .integer_outputs = true});
    snprintf(path, sizeof path, "%s.h", name);
    FILE *file = integers ? fopen(path, "w") : NULL;
    if (!file) return -1;
    nn_result result = nn_write_plan_c(
        integers, &(nn_plan_c_desc){.name = name,
                                    .outputs = NN_NODES(nn_copied_node(integers, y)),
                                    .output_names = NN_TEXTS("y"),
                                    .writer = {.function = nn_write_file, .user = file}});
    const long bytes = result == NN_OK ? ftell(file) : -1;
    fclose(file);
    *weights = 0;
    for (int i = 0; i < nn_model_tensor_count(integers); i++)
        *weights += nn_tensor_bytes(nn_model_tensor_at(integers, i));
    return bytes;
}

/* Quantises with weights of 4 bits, trains for some epochs more, and prints both qualities. */
static bool four_bits(const tiny *t, nn_model *net, nn_loader *train, nn_loader *test, bool quick) {
    char      name[32];
    size_t    weights = 0;
    const int epochs = quick ? 1 : t->epochs / 2;
    const nn_quantize_net_desc desc = {.batches = 8, .outputs = NN_NODES(t->y), .weight_bits = 4,
                                       .weight_bits_8 = t->weight_bits_8};
    nn_model *first = nn_quantize_net(net, train, &desc), *qat = nn_prepare_qat(net, train, &desc);
    if (!first || !qat) return false;
    nn_node    *y = nn_copied_node(qat, t->y);
    nn_trainer *trainer = nn_make_trainer(
        qat, nn_copied_node(qat, t->loss),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-3f,
                           .schedule = {.kind = NN_SCHEDULE_COSINE,
                                        .steps = epochs * (t->samples / BATCH)}});
    if (!trainer || nn_fit(trainer, train, &(nn_fit_desc){.epochs = epochs}) < 0) return false;
    nn_model *last = nn_quantize_net(qat, NULL, &(nn_quantize_net_desc){.outputs = NN_NODES(y)});
    if (!last) return false;
    const double before = 100 * quality(t, first, nn_copied_node(first, t->input),
                                        nn_copied_node(first, t->y), test);
    const double after =
        100 * quality(t, last, nn_copied_node(last, nn_copied_node(qat, t->input)),
                      nn_copied_node(last, y), test);
    snprintf(name, sizeof name, "%s4", t->name);
    const long bytes = print_plan(name, qat, y, NULL, &weights);
    printf("     weights of 4 bits: by calibration %6.2f, trained %6.2f; %s.h has %ld bytes\n",
           before, after, name, bytes);
    return bytes > 0;
}

static bool one_net(tiny *t, bool quick) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_loader  *train = make_loader(nn, t, 0, quick ? 2 * BATCH : t->samples, false);
    nn_loader  *test = make_loader(nn, t, 500000, quick ? 2 * BATCH : 1000, true);
    nn_model   *net = nn_make_model(nn, &(nn_model_desc){.name = t->name, .seed = 1});
    nn_shape    shape = t->x;
    for (int i = shape.rank; i > 0; i--) shape.extent[i] = shape.extent[i - 1];
    shape.extent[0] = NN_BATCH, shape.rank++;
    t->input = nn_input(net, "x", NN_F32, shape);
    t->y = t->body(net, t->input);
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    t->loss = t->rebuilds ? nn_mse_loss(net, t->y, t->input, NULL)
                          : nn_cross_entropy(net, t->y, label, NULL);
    const int epochs = quick ? 1 : t->epochs;
    nn_trainer *trainer = nn_make_trainer(
        net, t->loss, &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM,
                                      .learning_rate = 2e-3f,
                                      .schedule = {.kind = NN_SCHEDULE_COSINE,
                                                   .steps = epochs * (t->samples / BATCH)}});
    if (!trainer || nn_fit(trainer, train, &(nn_fit_desc){.epochs = epochs}) < 0) return false;
    const double f32 = 100 * quality(t, net, t->input, t->y, test);
    nn_model *integers = nn_quantize_net(
        net, train, &(nn_quantize_net_desc){.batches = 8, .outputs = NN_NODES(t->y)});
    if (!integers) return false;
    const double i8 = 100 * quality(t, integers, nn_copied_node(integers, t->input),
                                    nn_copied_node(integers, t->y), test);
    size_t     weights = 0;
    const long bytes = print_plan(t->name, net, t->y, train, &weights);
    printf("%-4s f32 %6.2f, integers %6.2f, difference %+.2f; %zu bytes of weights; %s.h has %ld "
           "bytes\n",
           t->name, f32, i8, i8 - f32, weights, t->name, bytes);
    const bool fine = bytes > 0 && four_bits(t, net, train, test, quick) && nn_error(nn) == NULL;
    fflush(stdout);
    nn_close(nn);
    return fine;
}

int main(int count, char **words) {
    tiny nets[] = {
        {"kws", NN_SHAPE(1, TINY_FRAMES, TINY_BANDS), 12, 8, 2000, ds_cnn, .rebuilds = false},
        {"ic", NN_SHAPE(3, TINY_SIDE, TINY_SIDE), 10, 10, 4000, resnet8, .rebuilds = false},
        {"vww", NN_SHAPE(3, TINY_ROOM, TINY_ROOM), 2, 14, 4000, mobilenet, .rebuilds = false},
        {"ad", NN_SHAPE(640), 640, 30, 4000, autoencoder, .rebuilds = true,
         .weight_bits_8 = NN_TEXTS("layer4")}}; /* the code of 8 numbers */
    const bool quick = getenv("NN_SHORT") != NULL;
    bool       fine = true;
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
        if (count < 2 || strcmp(words[1], nets[i].name) == 0)
            fine = one_net(&nets[i], quick) && fine;
    return fine ? 0 : 1;
}
