/* size_common.h - shared by size_mlp.c and size_cnn.c: every feature is off, memory comes from one
   block, weights from constant arrays, and the result is compared with plain loops. `make size`
   links them for a Cortex-M4 and counts the library's bytes; they run on the host and under
   qemu-system-arm as well. They use neither malloc nor stdio: the exit code is the result. */
#ifndef SIZE_COMMON_H
#define SIZE_COMMON_H

#define NN_ERROR_BYTES 256
#include "firmware.h"

/* Weights as an exporter would print them. They repeat with periods that fit no layer. */
#define SIZE_7 0.11f, -0.07f, 0.05f, -0.13f, 0.02f, 0.09f, -0.04f
#define SIZE_13 0.03f, -0.01f, 0.12f, 0.06f, -0.09f, -0.02f
#define SIZE_91                                                                                    \
    SIZE_7, SIZE_13, SIZE_7, SIZE_7, SIZE_13, SIZE_13, SIZE_7, SIZE_13, SIZE_7, SIZE_13, SIZE_7,   \
        SIZE_13, SIZE_7, SIZE_7
#define SIZE_910                                                                                   \
    SIZE_91, SIZE_91, SIZE_91, SIZE_91, SIZE_91, SIZE_91, SIZE_91, SIZE_91, SIZE_91, SIZE_91
static const float size_weights[] = {SIZE_910, SIZE_910, SIZE_910, SIZE_910, SIZE_910,
                                     SIZE_910, SIZE_910, SIZE_910, SIZE_910, SIZE_910};

/* nn_desc.block must be aligned to 16 bytes, which C99 cannot ask the linker for. */
static void size_give_block(nn_desc *desc, char *bytes, size_t count) {
    size_t lost = (16 - (size_t)((uintptr_t)bytes % 16)) % 16;
    memset(desc, 0, sizeof *desc);
    desc->block = bytes + lost;
    desc->block_bytes = count - lost;
}

/* Returns the weights of a tensor; the next tensor begins where these end. */
static const float *size_next_weights(int *used, int count) {
    const float *weights = size_weights + *used;
    *used += count;
    return weights;
}

static int size_fill(nn_model *net, const char *name, const float *weights, int count) {
    nn_tensor *tensor = nn_find_tensor(net, name);
    return nn_upload_tensor(tensor, weights, sizeof(float) * (size_t)count) == NN_OK;
}

/* Computes y = x W^T + b, with relu if asked. */
static void size_linear(float *y, const float *x, const float *weight, const float *bias, int in,
                        int out, int relu) {
    int i, k;
    for (k = 0; k < out; k++) {
        float sum = bias[k];
        for (i = 0; i < in; i++) sum += weight[k * in + i] * x[i];
        y[k] = relu && sum < 0.0f ? 0.0f : sum;
    }
}

static int size_equal(const float *a, const float *b, int count) {
    int i;
    for (i = 0; i < count; i++) {
        float difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        if (!(difference < 1e-4f)) return 0;
    }
    return 1;
}

#endif /* SIZE_COMMON_H */
