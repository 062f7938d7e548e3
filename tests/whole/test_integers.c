/* tests/whole/test_integers.c - the accuracy of trained nets in 8-bit integers compared with f32: a
   CNN on MNIST, by calibration alone and after quantisation-aware training; ResNet-8 and
   MobileNetV1 0.25 on drawn digits. MNIST_DIR, or ../shared/data/mnist, is the folder of the four
   files. With NN_FULL=1 (or NN_TEST_FULL=1) all of it runs, in minutes; else it is skipped. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include "../train/quantize_nets.h"

enum { SEEDS = 3 };

static bool full(void) { return getenv("NN_FULL") || getenv("NN_TEST_FULL"); }

/* Counts the pictures that a model reads correctly; -1: a call failed. */
static int rightly(nn_model *net, nn_node *logits, nn_loader *loader) {
    float batch[50][10];
    int32_t wanted[50];
    int right = 0;
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
        NEED(nn_download_tensor(nn_batch_tensor(loader, "label"), wanted,
                                (size_t)n * sizeof wanted[0]) == NN_OK);
        for (int i = 0; i < n; i++) {
            int best = 0;
            for (int k = 1; k < 10; k++) best = batch[i][k] > batch[i][best] ? k : best;
            right += best == wanted[i];
        }
    }
    nn_free_plan(plan);
    return right;
}

static void train(nn_model *net, nn_node *loss, nn_loader *loader, int epochs, float rate) {
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 50, .optimizer = NN_ADAM, .learning_rate = rate});
    for (int epoch = 0; epoch < epochs; epoch++)
        while (nn_next_batch(loader)) ENSURE(nn_train_step(trainer, loader) == NN_OK);
    nn_free_trainer(trainer);
}

/* Quantises a net and counts the pictures that it reads correctly. */
static int as_integers(digits_net *d, nn_loader *calibration, nn_loader *test) {
    nn_model *whole = nn_quantize_net(
        d->net, calibration,
        &(nn_quantize_net_desc){.batches = 20, .outputs = NN_NODES(d->logits)});
    NEED(whole);
    const int right = rightly(whole, nn_copied_node(whole, d->logits), test);
    nn_free_model(whole);
    return right;
}

/* ---- MNIST ----------------------------------------------------------------------------------- */

static nn_dataset *mnist_part(nn_context *nn, const char *part) {
    const char *folder = getenv("MNIST_DIR");
    char path[512];
    nn_tensor *images, *labels_of;
    if (!folder || !*folder) folder = "../shared/data/mnist";
    snprintf(path, sizeof path, "%s/%s-images-idx3-ubyte", folder, part);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fclose(file);
    images = nn_load_idx(nn, path);
    snprintf(path, sizeof path, "%s/%s-labels-idx1-ubyte", folder, part);
    labels_of = nn_load_idx(nn, path);
    if (!images || !labels_of) return NULL;
    return nn_make_dataset(
        nn, &(nn_dataset_desc){.count = nn_tensor_shape(images).extent[0],
                               .fields = NN_FIELDS({.name = "image",
                                                    .shape = {{1, 28, 28}, 3},
                                                    .data = nn_tensor_data(images),
                                                    .data_dtype = NN_U8,
                                                    .scale = 1.0f / 255},
                                                   {.name = "label",
                                                    .dtype = NN_I32,
                                                    .data = nn_tensor_data(labels_of),
                                                    .data_dtype = NN_U8})});
}

static void mnist_within_a_tenth_of_a_point(void) {
    if (!full()) SKIP("NN_FULL is not set");
    int real = 0, calibrated = 0, trained = 0, count = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        nn_context *nn = nn_open(NULL);
        nn_dataset *train_set = mnist_part(nn, "train"), *test_set = mnist_part(nn, "t10k");
        if (!train_set || !test_set) {
            nn_close(nn);
            SKIP("MNIST_DIR names no folder with the MNIST files");
        }
        nn_loader *batches = nn_make_loader(nn, &(nn_loader_desc){.dataset = train_set,
                                                                  .batch = 50,
                                                                  .shuffle = true,
                                                                  .seed = (uint64_t)seed});
        nn_loader *test = nn_make_loader(nn, &(nn_loader_desc){.dataset = test_set, .batch = 50});
        digits_net d = describe_digits(nn, true), q;
        train(d.net, d.loss, batches, 8, 2e-3f);
        train(d.net, d.loss, batches, 4, 2e-4f);
        real += rightly(d.net, d.logits, test);
        calibrated += as_integers(&d, batches, test);
        q.net = nn_prepare_qat(
            d.net, batches,
            &(nn_quantize_net_desc){.batches = 20, .outputs = NN_NODES(d.logits)});
        ENSURE(q.net != NULL);
        q.loss = nn_copied_node(q.net, d.loss);
        q.logits = nn_copied_node(q.net, d.logits);
        train(q.net, q.loss, batches, 2, 2e-4f);
        trained += as_integers(&q, NULL, test);
        count += (int)nn_dataset_count(test_set);
        ENSURE(fine(nn));
        nn_close(nn);
    }
    printf("MNIST, mean of %d seeds: f32 %.2f %%, calibration alone %.2f %%, after training %.2f "
           "%%\n",
           SEEDS, 100.0 * real / count, 100.0 * calibrated / count, 100.0 * trained / count);
    ENSURE(real * 100 > count * 96);
    ENSURE(abs(real - calibrated) * 1000 <= count * 3);
    ENSURE((real - trained) * 1000 <= count);
}

/* ---- nets of MLPerf Tiny, on drawn digits ---------------------------------------------------- */

static nn_node *block(nn_model *net, const char *name, nn_node *x, const nn_conv2d_desc *desc) {
    char norm[32];
    snprintf(norm, sizeof norm, "%s_norm", name);
    return nn_batch_norm2d(net, norm, nn_conv2d(net, name, x, desc), NULL);
}

/* Source: https://github.com/mlcommons/tiny, image_classification: three stacks of one residual
   block with 16, 32 and 64 channels. */
static nn_node *resnet8(nn_model *net, nn_node *x) {
    x = nn_relu(net, block(net, "first", x,
                           &(nn_conv2d_desc){.out_channels = 16, .kernel = 3, .padding = 1}));
    for (int i = 0; i < 3; i++) {
        const int channels = 16 << i, stride = i ? 2 : 1;
        char a[16], b[16], side[16];
        snprintf(a, sizeof a, "a%d", i), snprintf(b, sizeof b, "b%d", i);
        snprintf(side, sizeof side, "side%d", i);
        nn_node *y = nn_relu(net, block(net, a, x,
                                        &(nn_conv2d_desc){.out_channels = channels,
                                                          .kernel = 3,
                                                          .padding = 1,
                                                          .stride = stride}));
        y = block(net, b, y,
                  &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1});
        if (i)
            x = nn_conv2d(net, side, x,
                          &(nn_conv2d_desc){.out_channels = channels, .kernel = 1, .stride = 2});
        x = nn_relu(net, nn_add(net, x, y));
    }
    return x;
}

/* Source: Howard et al., "MobileNets", 2017, table 1, with a quarter of the channels; for pictures
   of 28 x 28 without the first two strides. */
static nn_node *mobilenet(nn_model *net, nn_node *x) {
    static const struct {
        short channels, stride;
    } rows[] = {{16, 1}, {32, 1}, {32, 1}, {64, 2}, {64, 1},  {128, 2}, {128, 1},
                {128, 1}, {128, 1}, {128, 1}, {128, 1}, {256, 2}, {256, 1}};
    int in = 8;
    x = nn_relu6(net, block(net, "first", x,
                            &(nn_conv2d_desc){.out_channels = in, .kernel = 3, .padding = 1}));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char depth[16], point[16];
        snprintf(depth, sizeof depth, "d%d", (int)i), snprintf(point, sizeof point, "p%d", (int)i);
        x = nn_relu6(net, block(net, depth, x,
                                &(nn_conv2d_desc){.out_channels = in,
                                                  .kernel = 3,
                                                  .padding = 1,
                                                  .stride = rows[i].stride,
                                                  .groups = in}));
        in = rows[i].channels;
        x = nn_relu6(net, block(net, point, x,
                                &(nn_conv2d_desc){.out_channels = in, .kernel = 1}));
    }
    return x;
}

static void drawn(const char *name, nn_node *(*body)(nn_model *net, nn_node *x), int epochs) {
    nn_context *nn = nn_open(NULL);
    nn_loader *batches = digits_loader(nn, 0, DIGITS, true),
              *test = digits_loader(nn, DIGITS, DIGITS, false);
    digits_net d;
    d.net = nn_make_model(nn, &(nn_model_desc){.name = name, .seed = 1});
    d.image = nn_input(d.net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    d.label = nn_input(d.net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_adaptive_avg_pool2d(d.net, body(d.net, d.image), 1, 1);
    d.logits = nn_linear(d.net, "last", nn_flatten(d.net, x),
                         &(nn_linear_desc){.out_features = 10});
    d.loss = nn_cross_entropy(d.net, d.logits, d.label, NULL);
    train(d.net, d.loss, batches, epochs, 2e-3f);
    train(d.net, d.loss, batches, 2, 2e-4f);
    const int real = rightly(d.net, d.logits, test), whole = as_integers(&d, batches, test);
    printf("%s on %d drawn digits: f32 %.2f %%, calibration alone %.2f %%\n", name, DIGITS,
           100.0 * real / DIGITS, 100.0 * whole / DIGITS);
    ENSURE(real * 100 > DIGITS * 90);
    ENSURE(abs(real - whole) * 1000 <= DIGITS * 5);
    ENSURE(fine(nn));
    nn_close(nn);
}
static void resnet8_within_half_a_point(void) {
    if (!full()) SKIP("NN_FULL is not set");
    drawn("ResNet-8", resnet8, 4);
}
static void mobilenet_within_half_a_point(void) {
    if (!full()) SKIP("NN_FULL is not set");
    drawn("MobileNetV1 0.25", mobilenet, 16);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(mnist_within_a_tenth_of_a_point);
    RUN(resnet8_within_half_a_point);
    RUN(mobilenet_within_half_a_point);
    return test_report();
}
