/* 06_immediate.c - kernels only: no model, no plan; every operation is a call on tensors that this
   program owns, forward and backward, and the training loop is written by hand. The net tells
   horizontal, vertical and diagonal stripes apart.
   Run:    cc -O2 06_immediate.c -o immediate -lm -lpthread && ./immediate
   Prints: the loss every 20 steps, the accuracy on new stripes, the bytes of the tensors. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <stdio.h>

enum { BATCH = 30, SIZE = 12, PIXELS = SIZE * SIZE, CHANNELS = 8, POOLED = SIZE / 2, KINDS = 3 };
enum { FEATURES = CHANNELS * POOLED * POOLED };

/* Wraps an array: the library computes in it and never frees it. */
#define WRAP(array, ...) nn_wrap(nn, #array, NN_F32, NN_SHAPE(__VA_ARGS__), array)

static float image[BATCH * PIXELS], conv[BATCH * CHANNELS * PIXELS],
    dconv[BATCH * CHANNELS * PIXELS];
static float   pooled[BATCH * FEATURES], dpooled[BATCH * FEATURES];
static float   logits[BATCH * KINDS], dlogits[BATCH * KINDS], loss[1];
static float filter[CHANNELS * 9], dfilter[CHANNELS * 9], filter_bias[CHANNELS],
    dfilter_bias[CHANNELS];
static float   weight[KINDS * FEATURES], dweight[KINDS * FEATURES], bias[KINDS], dbias[KINDS];
static int32_t label[BATCH], where[BATCH * FEATURES];

static void fill(float *values, int count, uint64_t stream, float low, float high) {
    uint32_t words[4];
    for (int i = 0; i < count; i++) {
        if (i % 4 == 0) nn_random_words(1, stream, (uint64_t)i / 4, words);
        values[i] = low + (high - low) * nn_word_to_uniform(words[i % 4]);
    }
}

/* Draws a batch of stripes with random phases, and noise that is as strong as the stripes. */
static void draw(uint64_t step) {
    float phase[BATCH];
    fill(image, BATCH * PIXELS, 100 + 2 * step, -1.0f, 1.0f);
    fill(phase, BATCH, 101 + 2 * step, 0.0f, 4.0f);
    for (int n = 0; n < BATCH; n++) {
        label[n] = n % KINDS;
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++) {
                int along = label[n] == 0 ? y : label[n] == 1 ? x : x + y;
                image[(n * SIZE + y) * SIZE + x] += (along + (int)phase[n]) % 4 < 2 ? 0.5f : -0.5f;
            }
    }
}

static void descend(float *parameter, const float *gradient, int count) {
    for (int i = 0; i < count; i++) parameter[i] -= 0.05f * gradient[i];
}

int main(void) {
    nn_context    *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_conv2d_desc same = {.padding = 1}; /* kernel and channels follow from the filter's shape */
    nn_pool2d_desc half = {.kernel = 2};
    nn_tensor     *x = WRAP(image, BATCH, 1, SIZE, SIZE);
    nn_tensor *y = WRAP(conv, BATCH, CHANNELS, SIZE, SIZE);
    nn_tensor *dy = WRAP(dconv, BATCH, CHANNELS, SIZE, SIZE);
    nn_tensor     *p = WRAP(pooled, BATCH, CHANNELS, POOLED, POOLED);
    nn_tensor *dp = WRAP(dpooled, BATCH, CHANNELS, POOLED, POOLED);
    nn_tensor     *flat = nn_make_reshaped(p, NN_SHAPE(BATCH, FEATURES));
    nn_tensor *dflat = nn_make_reshaped(dp, NN_SHAPE(BATCH, FEATURES));
    nn_tensor     *f = WRAP(filter, CHANNELS, 1, 3, 3), *df = WRAP(dfilter, CHANNELS, 1, 3, 3);
    nn_tensor     *fb = WRAP(filter_bias, CHANNELS), *dfb = WRAP(dfilter_bias, CHANNELS);
    nn_tensor     *w = WRAP(weight, KINDS, FEATURES);
    nn_tensor *dw = WRAP(dweight, KINDS, FEATURES);
    nn_tensor *b = WRAP(bias, KINDS), *db = WRAP(dbias, KINDS);
    nn_tensor     *z = WRAP(logits, BATCH, KINDS);
    nn_tensor *dz = WRAP(dlogits, BATCH, KINDS);
    nn_tensor *l = WRAP(loss, 1);
    nn_tensor     *target = nn_wrap(nn, "label", NN_I32, NN_SHAPE(BATCH), label);
    nn_tensor *index =
        nn_wrap(nn, "where", NN_I32, NN_SHAPE(BATCH, CHANNELS, POOLED, POOLED), where);
    fill(filter, CHANNELS * 9, 1, -0.33f, 0.33f);
    fill(weight, KINDS * FEATURES, 2, -0.06f, 0.06f);

    for (uint64_t step = 0; step <= 100; step++) {
        draw(step);
        nn_conv2d_forward(y, x, f, fb, &same);
        nn_relu_forward(y, y); /* in place: relu's gradient needs its result only */
        nn_max_pool2d_forward(p, index, y, &half);
        nn_linear_forward(z, flat, w, b);
        nn_cross_entropy_forward(l, z, target, NULL, NULL);
        if (step % 20 == 0) printf("step %3d  loss %.4f\n", (int)step, (double)loss[0]);

        nn_cross_entropy_backward(dz, z, target, NULL, NULL);
        nn_linear_backward(dflat, dw, db, dz, flat, w, false);
        nn_max_pool2d_backward(dy, dp, index, &half);
        nn_relu_backward(dy, dy, y, false);
        /* NULL: the image's gradient is not needed */
        nn_conv2d_backward(NULL, df, dfb, dy, x, f, &same, false);
        descend(filter, dfilter, CHANNELS * 9), descend(filter_bias, dfilter_bias, CHANNELS);
        descend(weight, dweight, KINDS * FEATURES), descend(bias, dbias, KINDS);
    }
    int right = 0;
    draw(1000);
    nn_conv2d_forward(y, x, f, fb, &same);
    nn_relu_forward(y, y);
    nn_max_pool2d_forward(p, NULL, y, &half);
    nn_linear_forward(z, flat, w, b);
    for (int n = 0; n < BATCH; n++) {
        int best = 0;
        for (int k = 1; k < KINDS; k++)
            best = logits[n * KINDS + k] > logits[n * KINDS + best] ? k : best;
        right += best == label[n];
    }
    printf("%d of %d new images are right; the convolution asked for %llu bytes of scratch\n",
           right, BATCH, (unsigned long long)nn_conv2d_scratch_bytes(y, x, f, &same));
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
