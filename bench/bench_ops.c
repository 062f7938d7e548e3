/* bench_ops.c: single operations in the shapes that nets have, as immediate calls, forward and
   backward. Run pytorch_ops.py beside it: the rows have the same names.

   ./bench_ops [threads [part of a row's name]]    default: all cores, all rows */
#define NN_IMPLEMENTATION
#include "../nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS     40 /* the best counts */
#define OPERANDS 6

typedef struct row {
    const char *name;
    int count;
    nn_shape shape[OPERANDS];
    nn_result (*run)(nn_tensor *const *t);
} row;

static double now(nn_context *nn) {
    const nn_clock *clock = &nn_get_desc(nn)->clock;
    return (double)clock->now(clock->user) * 1e-9;
}

#define PICTURE                                                                                    \
    {                                                                                              \
        .rank = 4, .extent = { 8, 64, 32, 32 }                                                     \
    }
#define TWICE                                                                                      \
    {                                                                                              \
        .rank = 4, .extent = { 8, 64, 64, 64 }                                                     \
    }
#define RESIZE(name, given)                                                                        \
    static nn_result name##_forward(nn_tensor *const *t) {                                         \
        return nn_resize_forward(t[1], t[0],                                                       \
                                 &(nn_resize_desc){.scale_factor = 2, .mode = NN_RESIZE_##given}); \
    }                                                                                              \
    static nn_result name##_backward(nn_tensor *const *t) {                                        \
        return nn_resize_backward(                                                                 \
            t[0], t[1], &(nn_resize_desc){.scale_factor = 2, .mode = NN_RESIZE_##given}, false);   \
    }
RESIZE(nearest, NEAREST)
RESIZE(linear, LINEAR)
RESIZE(cubic, CUBIC)
/* operands: dx, dgrid, dy, x, grid */
static nn_result grid_forward(nn_tensor *const *t) {
    return nn_grid_sample_forward(t[2], t[3], t[4], NULL);
}
static nn_result grid_backward(nn_tensor *const *t) {
    return nn_grid_sample_backward(t[0], t[1], t[2], t[3], t[4], NULL, false);
}
#define PLACES                                                                                     \
    {                                                                                              \
        .rank = 4, .extent = { 8, 32, 32, 2 }                                                      \
    }
#define SAMPLED                                                                                    \
    { PICTURE, PLACES, PICTURE, PICTURE, PLACES }

static const row rows[] = {
    {"resize nearest 2x (8, 64, 32, 32)", 2, {PICTURE, TWICE}, nearest_forward},
    {"resize nearest 2x (8, 64, 32, 32) backward", 2, {PICTURE, TWICE}, nearest_backward},
    {"resize bilinear 2x (8, 64, 32, 32)", 2, {PICTURE, TWICE}, linear_forward},
    {"resize bilinear 2x (8, 64, 32, 32) backward", 2, {PICTURE, TWICE}, linear_backward},
    {"resize bicubic 2x (8, 64, 32, 32)", 2, {PICTURE, TWICE}, cubic_forward},
    {"resize bicubic 2x (8, 64, 32, 32) backward", 2, {PICTURE, TWICE}, cubic_backward},
    {"grid_sample (8, 64, 32, 32)", 5, SAMPLED, grid_forward},
    {"grid_sample (8, 64, 32, 32) backward", 5, SAMPLED, grid_backward},
};

/* Numbers in [-1, 1). */
static nn_tensor *operand(nn_context *nn, nn_shape shape) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.name = "t", .shape = shape});
    const size_t count = (size_t)(nn_tensor_bytes(t) / 4);
    float *numbers = calloc(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = (float)(i * 7919 % 2003) / 1001.5f - 1.0f;
    nn_upload_tensor(t, numbers, count * 4);
    free(numbers);
    return t;
}

int main(int argc, char **argv) {
    nn_context *nn = nn_open(&(nn_desc){.threads = argc > 1 ? atoi(argv[1]) : 0});
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        nn_tensor *t[OPERANDS];
        double best = 1e9;
        if (argc > 2 && !strstr(rows[r].name, argv[2])) continue;
        for (int i = 0; i < rows[r].count; i++) t[i] = operand(nn, rows[r].shape[i]);
        for (int run = 0; run < RUNS; run++) {
            const double start = now(nn);
            if (rows[r].run(t) != NN_OK) break;
            if (now(nn) - start < best) best = now(nn) - start;
        }
        printf("%-48s %10.1f us\n", rows[r].name, best * 1e6);
        for (int i = 0; i < rows[r].count; i++) nn_free_tensor(t[i]);
    }
    if (nn_error(nn)) fprintf(stderr, "%s\n", nn_error(nn));
    nn_close(nn);
    return 0;
}
