/* bench_convs.c: measures the convolutions of real nets as immediate calls: forward, the gradient
   of the input, and that of the weight. pytorch_convs.py has the same list and runs both
   alternately.

   ./bench_convs [threads [seconds]]     default: all cores, 0.05 seconds a row
   ./bench_convs threads seconds -       numbers come on stdin, N C H W K R stride padding groups
                                         and a kind (0 forward, 1 input, 2 weight), a row for each
   A row: those numbers, then GFLOP/s of the fastest call by the count of direct sums. BENCH_SET:
   the instruction set, as a number of nn_instruction_set. BENCH_CLOCK=cpu: measures the process's
   time, for one thread on a machine that others use too. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static nn_tensor *tensor(nn_context *nn, nn_shape shape, uint32_t seed) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.shape = shape});
    float *to = (float *)nn_tensor_data(t);
    for (int64_t i = 0; to && i < nn_shape_count(shape); i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
    return t;
}

static double now(nn_context *nn) {
    const nn_clock *wall = &nn_context_desc(nn)->clock;
    if (getenv("BENCH_CLOCK")) return (double)clock() / CLOCKS_PER_SEC;
    return (double)wall->now(wall->user) * 1e-9;
}

/* Returns GFLOP/s; below 0: the call failed. */
static double measure(int threads, double seconds, const int *c, int kind) {
    const int out = (c[2] + 2 * c[7] - c[5]) / c[6] + 1, wide = (c[3] + 2 * c[7] - c[5]) / c[6] + 1;
    const char *set = getenv("BENCH_SET");
    nn_context *nn = nn_open(&(nn_desc){.threads = threads,
                                        .scratch_bytes = (size_t)256 << 20,
                                        .instructions = (nn_instruction_set)(set ? atoi(set) : 0),
                                        .log = {nn_write_stderr, NULL}});
    const nn_conv2d_desc desc = {.stride = c[6], .padding = c[7], .groups = c[8]};
    nn_tensor *x = tensor(nn, NN_SHAPE(c[0], c[1], c[2], c[3]), 1),
              *y = tensor(nn, NN_SHAPE(c[0], c[4], out, wide), 2),
              *w = tensor(nn, NN_SHAPE(c[4], c[1] / c[8], c[5], c[5]), 3),
              *dx = kind == 1 ? tensor(nn, NN_SHAPE(c[0], c[1], c[2], c[3]), 4) : NULL,
              *dw = kind == 2 ? tensor(nn, NN_SHAPE(c[4], c[1] / c[8], c[5], c[5]), 5) : NULL;
    const double work = 2.0 * c[0] * c[4] * out * wide * (c[1] / c[8]) * c[5] * c[5];
    double best = 1e9, end = 0;
    nn_result result = NN_OK;
    for (int i = -1; result == NN_OK && (i < 3 || now(nn) < end); i++) {
        const double start = now(nn);
        result = kind == 0 ? nn_conv2d_forward(y, x, w, NULL, &desc)
                           : nn_conv2d_backward(dx, dw, NULL, y, x, w, &desc, false);
        const double took = now(nn) - start;
        if (i < 0) end = now(nn) + seconds;
        if (i >= 0 && took < best) best = took;
    }
    nn_close(nn);
    return result == NN_OK ? work / best * 1e-9 : -1.0;
}

static void row(int threads, double seconds, const int *c, int kind) {
    for (int i = 0; i < 9; i++) printf("%d ", c[i]);
    printf("%d %.1f\n", kind, measure(threads, seconds, c, kind));
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const int list[][9] = {
        {64, 3, 64, 64, 16, 3, 1, 1, 1},   {64, 32, 28, 28, 64, 3, 1, 1, 1},
        {32, 64, 32, 32, 64, 3, 1, 1, 1},  {32, 128, 16, 16, 128, 3, 1, 1, 1},
        {32, 256, 8, 8, 256, 3, 1, 1, 1},  {32, 512, 4, 4, 512, 3, 1, 1, 1},
        {32, 64, 32, 32, 128, 3, 2, 1, 1}, {8, 256, 14, 14, 1024, 1, 1, 0, 1},
        {8, 3, 224, 224, 64, 7, 2, 3, 1},  {8, 32, 56, 56, 32, 3, 1, 1, 32},
        {1, 64, 56, 56, 64, 3, 1, 1, 1},   {1, 256, 14, 14, 256, 3, 1, 1, 1}};
    const int threads = argc > 1 ? atoi(argv[1]) : 0;
    const double seconds = argc > 2 ? atof(argv[2]) : 0.05;
    int c[10];
    if (argc < 4)
        for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
            for (int kind = 0; kind < 3; kind++) row(threads, seconds, list[i], kind);
    while (argc > 3) {
        for (int i = 0; i < 10; i++)
            if (scanf("%d", &c[i]) != 1) return 0;
        row(threads, seconds, c, c[9]);
    }
    return 0;
}
