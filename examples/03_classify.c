/* 03_classify.c - uses a trained net: weights from a file, a plan for one image, ten
   probabilities.
   Run:    make run && cc -O2 examples/03_classify.c -o classify -lm -lpthread
           ./classify [digit [number]]              draws that digit; 02_digits.c has never seen it
           ./classify images-idx3-ubyte index       an image of an IDX file
           WEIGHTS=file.safetensors names a file other than digits.safetensors.
   Prints: the image as characters, the probability of each digit with a bar, the answer, how long
   it took. */
#define NN_NO_TRAINING /* running a net needs no gradients, so they stay out of the program */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "draw_digits.h"
#include <stdlib.h>
#include <time.h>

/* Describes the net of 02_digits.c; names and shapes must match those in the file, or every
   difference is listed. */
static nn_node *describe(nn_model *net, nn_node *image) {
    nn_node *x = nn_conv2d(net, "conv1", image,
                           &(nn_conv2d_desc){.out_channels = 32, .kernel = 3, .padding = 1});
    x = nn_relu(net, x);
    x = nn_conv2d(net, "conv2", x,
                  &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_relu(net,
                nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 128}));
    return nn_softmax(net, nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 10}));
}

/* Reads image `index` of an IDX file into pixels. */
static bool read_image(nn_context *nn, const char *path, int index, unsigned char *pixels) {
    nn_tensor *images = nn_load_idx(nn, path); /* nn_error tells what is wrong with a file */
    nn_shape   shape = nn_tensor_shape(images);
    if (!images) return false;
    bool fits = nn_same_shape(shape, NN_SHAPE(shape.extent[0], DIGIT_SIZE, DIGIT_SIZE));
    if (!fits || index < 0 || index >= shape.extent[0]) {
        fprintf(stderr, "%s: no 28x28 image number %d; it has %d\n", path, index,
                fits ? shape.extent[0] : 0);
        return false;
    }
    memcpy(pixels, (unsigned char *)nn_tensor_data(images) + (size_t)index * DIGIT_PIXELS,
           DIGIT_PIXELS);
    return true;
}

int main(int argc, char **argv) {
    const char   *weights = getenv("WEIGHTS") ? getenv("WEIGHTS") : "digits.safetensors";
    const char   *what = argc > 1 ? argv[1] : "3";
    int           number = argc > 2 ? atoi(argv[2]) : 0;
    unsigned char pixels[DIGIT_PIXELS];
    float         values[DIGIT_PIXELS], probability[10];
    nn_context   *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "digits"});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node  *answer = describe(net, image);
    if (nn_load_weights(net, weights, NULL) != NN_OK) {
        fprintf(stderr,
                "02_digits makes digits.safetensors in the folder where it runs: make run\n");
        nn_close(nn);
        return 1;
    }
    if (what[0] >= '0' && what[0] <= '9' && what[1] == 0) {
        draw_digit(what[0] - '0', 3, (uint64_t)number, pixels);
    } else if (!read_image(nn, what, number, pixels)) {
        nn_close(nn);
        return 1;
    }
    print_digits(&(const unsigned char *){pixels}, 1);
    for (int i = 0; i < DIGIT_PIXELS; i++) values[i] = (float)pixels[i] / 255.0f;

    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(answer), .batch = 1});
    nn_upload(plan, image, values, sizeof values);
    clock_t start = clock();
    for (int i = 0; i < 10; i++) nn_run(plan); /* once is enough; ten runs to measure the time */
    double milliseconds = 100.0 * (double)(clock() - start) / CLOCKS_PER_SEC;
    bool   failed = nn_download(plan, answer, probability, sizeof probability) != NN_OK;
    int    best = 0;
    for (int k = 0; !failed && k < 10; k++) {
        if (probability[k] > probability[best]) best = k;
        printf("%d %6.2f %% %.*s\n", k, 100.0 * (double)probability[k],
               (int)(60.0f * probability[k] + 0.5f),
               "############################################################");
    }
    if (!failed)
        printf("this is a %d (%.1f ms of processor time, %llu bytes beside the weights)\n", best,
               milliseconds, (unsigned long long)nn_plan_allocated(plan, nn_cpu()));
    nn_close(nn);
    return failed;
}
