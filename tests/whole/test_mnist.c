/* tests/whole/test_mnist.c - nets learn the MNIST digits as well as PyTorch's do. MNIST_DIR, or
   ../shared/data/mnist, is the folder of the four files; without it everything is skipped.
   NN_FULL=1 (or NN_TEST_FULL=1): means over 8 seeds, and also PyTorch's if $PYTHON
   (/usr/bin/python3) has torch: this takes minutes. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "test.h"

#include <stdlib.h>

typedef struct mnist {
    nn_context *nn;
    nn_dataset *train, *test;
} mnist;

static bool exists(const char *folder, const char *name) {
    char path[512];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static const char *mnist_folder(void) {
    const char *folder = getenv("MNIST_DIR");
    if (folder && *folder) return folder;
    return exists("../shared/data/mnist", "train-images-idx3-ubyte") ? "../shared/data/mnist"
                                                                     : NULL;
}

static bool full(void) { return getenv("NN_FULL") || getenv("NN_TEST_FULL"); }

static nn_dataset *make_digits(nn_context *nn, const char *folder, const char *part) {
    char path[512];
    nn_tensor *images, *labels;
    snprintf(path, sizeof path, "%s/%s-images-idx3-ubyte", folder, part);
    images = nn_load_idx(nn, path);
    snprintf(path, sizeof path, "%s/%s-labels-idx1-ubyte", folder, part);
    labels = nn_load_idx(nn, path);
    if (!images || !labels) return NULL;
    return nn_make_dataset(nn, &(nn_dataset_desc){.count = nn_tensor_shape(images).extent[0],
                                                  .fields = NN_FIELDS({.name = "image",
                                                              .shape = NN_SHAPE(1, 28, 28),
                                                              .data = nn_tensor_data(images),
                                                              .data_dtype = NN_U8,
                                                              .scale = 1.0f / 255},
                                                             {.name = "label",
                                                              .dtype = NN_I32,
                                                              .data = nn_tensor_data(labels),
                                                              .data_dtype = NN_U8})});
}

static bool open_mnist(mnist *m, const char *folder) {
    m->nn = nn_open(NULL);
    m->train = make_digits(m->nn, folder, "train");
    m->test = make_digits(m->nn, folder, "t10k");
    return m->train && m->test;
}

static nn_node *conv(nn_model *net, const char *name, nn_node *x, int channels) {
    return nn_relu(
        net, nn_conv2d(net, name, x,
                       &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1}));
}

/* Returns the test accuracy in percent after some epochs; negative: an error, see nn_error.
   autocast: the dtype of nn_autocast_begin, or NN_F32. */
static double learn(mnist *m, bool two_conv, nn_dtype autocast, int epochs, uint64_t seed) {
    nn_model *net = nn_make_model(
        m->nn, &(nn_model_desc){.name = two_conv ? "two_conv" : "one_conv", .seed = seed});
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *logits, *loss, *accuracy;
    nn_trainer *trainer;
    nn_loader *train, *test;
    nn_progress last = {0};
    nn_result result;
    if (autocast != NN_F32) nn_autocast_begin(net, autocast);
    x = two_conv ? conv(net, "conv2", conv(net, "conv1", x, 32), 64) : conv(net, "conv1", x, 16);
    x = nn_flatten(net, nn_max_pool2d(net, x, &(nn_pool2d_desc){.kernel = 2}));
    if (two_conv)
        x = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 128}));
    logits = nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 10});
    loss = nn_cross_entropy(net, logits, label, NULL);
    accuracy = nn_accuracy(net, logits, label);
    if (autocast != NN_F32) nn_autocast_end(net);
    trainer = nn_make_trainer(net, loss,
                              &(nn_trainer_desc){.batch = 64,
                                                 .optimizer = NN_ADAM,
                                                 .learning_rate = 1e-3f,
                                                 .metrics = NN_NODES(accuracy)});
    train = nn_make_loader(
        m->nn, &(nn_loader_desc){.dataset = m->train, .batch = 64, .shuffle = true, .seed = seed});
    test = nn_make_loader(m->nn, &(nn_loader_desc){.dataset = m->test, .batch = 64});
    result =
        nn_fit(trainer, train, &(nn_fit_desc){.epochs = epochs, .validation = test, .last = &last});
    nn_free_model(net);
    nn_free_loader(train);
    nn_free_loader(test);
    return result == NN_OK && last.validation.samples == nn_dataset_count(m->test)
               ? 100 * last.validation.metrics[0]
               : -1;
}

static void one_seed_learns(void) {
    mnist m;
    double accuracy, half;
    const char *folder = mnist_folder();
    if (!folder) SKIP("MNIST_DIR names no folder with the MNIST files");
    if (!open_mnist(&m, folder)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(m.nn));
        nn_close(m.nn);
        return;
    }
    accuracy = learn(&m, false, NN_F32, 3, 1);
    half = learn(&m, false, NN_BF16, 3, 1);
    printf("conv16 pool linear, 3 epochs, one seed: %.1f %%, with autocast in bf16 %.1f %%\n",
           accuracy, half);
    if (nn_error(m.nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(m.nn));
    nn_close(m.nn);
    ENSURE(accuracy >= 90);
    ENSURE(half >= 90);
}

/* Returns PyTorch's mean by tests/golden/mnist_pytorch.py; negative: there is no PyTorch. */
static double pytorch_mean(const char *folder, const char *net) {
    const char *python = getenv("PYTHON") ? getenv("PYTHON") : "/usr/bin/python3";
    char command[1024];
    double mean = -1;
    FILE *file;
#ifndef _WIN32
    snprintf(command, sizeof command, "%s -c 'import torch' 2> /dev/null", python);
    if (system(command) != 0) return -1;
#endif
    snprintf(command, sizeof command,
             "%s tests/golden/mnist_pytorch.py '%s' 8 %s > test_mnist_pytorch.txt", python, folder,
             net);
    if (system(command) == 0 && (file = fopen("test_mnist_pytorch.txt", "r")) != NULL) {
        char name[32];
        int epochs;
        if (fscanf(file, "%31s %d %lf", name, &epochs, &mean) != 3) mean = -1;
        fclose(file);
    }
    remove("test_mnist_pytorch.txt");
    return mean;
}

static void mean_of_seeds(bool two_conv, nn_dtype autocast, int epochs, double least) {
    mnist m;
    double sum = 0, low = 100, high = 0, theirs;
    const char *folder = mnist_folder();
    if (!folder) SKIP("MNIST_DIR names no folder with the MNIST files");
    if (!open_mnist(&m, folder)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(m.nn));
        nn_close(m.nn);
        return;
    }
    for (uint64_t seed = 0; seed < 8; seed++) {
        double accuracy = learn(&m, two_conv, autocast, epochs, seed);
        if (accuracy < low) low = accuracy;
        if (accuracy > high) high = accuracy;
        sum += accuracy / 8;
    }
    if (nn_error(m.nn)) test_fail(__FILE__, __LINE__, "%s", nn_error(m.nn));
    nn_close(m.nn);
    printf("%s, %s, %d epochs, 8 seeds: mean %.2f %% (%.1f - %.1f)\n",
           two_conv ? "two convolutions" : "one convolution", nn_dtype_name(autocast), epochs, sum,
           low, high);
    ENSURE(sum >= least);
    theirs = pytorch_mean(folder, two_conv ? "two_conv" : "one_conv");
    if (theirs < 0) {
        printf("  not compared: no PyTorch here\n");
        return;
    }
    printf("  PyTorch's mean: %.2f %%, ours differs by %+.2f points\n", theirs, sum - theirs);
    ENSURE(fabs(sum - theirs) <= 0.7);
}
static void one_convolution_as_pytorch(void) { mean_of_seeds(false, NN_F32, 5, 93.5); }
static void two_convolutions_as_pytorch(void) { mean_of_seeds(true, NN_F32, 3, 96.5); }
/* Compares with PyTorch's mean in f32, as for both nets above. */
static void one_convolution_in_bf16(void) { mean_of_seeds(false, NN_BF16, 5, 93.5); }
static void two_convolutions_in_bf16(void) { mean_of_seeds(true, NN_BF16, 3, 96.5); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(one_seed_learns);
    if (full()) {
        RUN(one_convolution_as_pytorch);
        RUN(two_convolutions_as_pytorch);
        RUN(one_convolution_in_bf16);
        RUN(two_convolutions_in_bf16);
    }
    return test_report();
}
