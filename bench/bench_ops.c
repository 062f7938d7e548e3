/* bench_ops.c: immediate calls of larger sizes than the test cases have, each forward and backward:
   norms, pools, softmax, chains of elements, depthwise convolutions, a vector times a matrix.
   pytorch_ops.py has the same list and runs both in turns.

   ./bench_ops [threads [seconds [part of a name]]]   default: all cores, 0.2 seconds a row
   ./bench_ops threads seconds -                      names come on stdin, a row is printed for each
   A row: the name, a space, microseconds of the fastest call. BENCH_CLOCK=cpu: of the process's
   time instead, for one thread on a machine that others use too. */
#define NN_IMPLEMENTATION
#include "../nn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench {
    nn_context *nn;
    nn_tensor *x, *y, *dx, *dy, *w, *b, *dw, *db, *mean, *rstd, *index;
    bool back;
    int p[4];
} bench;

static nn_tensor *tensor(nn_context *nn, nn_dtype dtype, nn_shape shape, uint32_t seed) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.dtype = dtype, .shape = shape});
    const nn_view view = nn_tensor_view(t);
    float *to = (float *)(void *)((char *)view.handle + view.offset);
    const int64_t count = nn_shape_count(shape);
    if (dtype != NN_F32) return t;
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
    return t;
}

/* b: as many as the first extent of w. */
static void fill(bench *b, nn_shape x, nn_shape y, nn_shape w, nn_shape statistics) {
    nn_context *nn = b->nn;
    b->x = tensor(nn, NN_F32, x, 1), b->dx = tensor(nn, NN_F32, x, 2);
    b->y = tensor(nn, NN_F32, y, 3), b->dy = tensor(nn, NN_F32, y, 4);
    b->w = tensor(nn, NN_F32, w, 5), b->dw = tensor(nn, NN_F32, w, 6);
    b->b = tensor(nn, NN_F32, NN_SHAPE(w.extent[0]), 7);
    b->db = tensor(nn, NN_F32, NN_SHAPE(w.extent[0]), 8);
    b->mean = tensor(nn, NN_F32, statistics, 9);
    b->rstd = tensor(nn, NN_F32, statistics, 10);
    nn_abs_forward(b->rstd, b->rstd);
    b->index = tensor(nn, NN_I32, y, 11);
}

static nn_result batch_norm(bench *b) {
    if (!b->back && b->p[0])
        return nn_batch_norm_forward(b->y, NULL, NULL, NULL, b->x, b->w, b->b, b->mean, b->rstd,
                                     0.0f);
    return b->back ? nn_batch_norm_backward(b->dx, b->dw, b->db, b->dy, b->x, b->w, b->mean,
                                            b->rstd, b->p[0] > 0, false)
                   : nn_batch_norm_forward(b->y, b->mean, b->rstd, NULL, b->x, b->w, b->b, NULL,
                                           NULL, 0.0f);
}
static nn_result layer_norm(bench *b) {
    return b->back ? nn_layer_norm_backward(b->dx, b->dw, b->db, b->dy, b->x, b->w, b->mean,
                                            b->rstd, NULL, false)
                   : nn_layer_norm_forward(b->y, b->mean, b->rstd, b->x, b->w, b->b, NULL);
}
static nn_result group_norm(bench *b) {
    const nn_group_norm_desc desc = {.num_groups = 32};
    return b->back ? nn_group_norm_backward(b->dx, b->dw, b->db, b->dy, b->x, b->w, b->mean,
                                            b->rstd, &desc, false)
                   : nn_group_norm_forward(b->y, b->mean, b->rstd, b->x, b->w, b->b, &desc);
}
static nn_result max_pool(bench *b) {
    const nn_pool2d_desc desc = {.kernel = b->p[0], .stride = b->p[1], .padding = b->p[2]};
    return b->back ? nn_max_pool2d_backward(b->dx, b->dy, b->index, &desc)
                   : nn_max_pool2d_forward(b->y, b->index, b->x, &desc);
}
static nn_result avg_pool(bench *b) {
    const nn_pool2d_desc desc = {.kernel = b->p[0], .stride = b->p[1], .padding = b->p[2]};
    return b->back ? nn_avg_pool2d_backward(b->dx, b->dy, &desc)
                   : nn_avg_pool2d_forward(b->y, b->x, &desc);
}
static nn_result adaptive(bench *b) {
    return b->back ? nn_adaptive_avg_pool2d_backward(b->dx, b->dy)
                   : nn_adaptive_avg_pool2d_forward(b->y, b->x, b->p[0], b->p[0]);
}
static nn_result softmax(bench *b) {
    return b->back ? nn_softmax_backward(b->dx, b->dy, b->y, false)
                   : nn_softmax_forward(b->y, b->x, false);
}
#define CHAIN "max(x * sigmoid(1.7 * x), 0.1 * x) + 0.5 * tanh(x)"
static nn_result chain(bench *b) {
    const nn_tensor *x = b->x;
    return b->back ? nn_expression_backward(b->dx, "x", b->dy, CHAIN, x)
                   : nn_expression_forward(b->y, CHAIN, x);
}
static nn_result gelu(bench *b) {
    return b->back ? nn_gelu_backward(b->dx, b->dy, b->x, false) : nn_gelu_forward(b->y, b->x);
}
static nn_result convolution(bench *b) {
    const nn_conv2d_desc desc = {.stride = b->p[0], .padding = b->p[1], .groups = b->p[2]};
    return b->back ? nn_conv2d_backward(b->dx, b->dw, b->db, b->dy, b->x, b->w, &desc, false)
                   : nn_conv2d_forward(b->y, b->x, b->w, b->b, &desc);
}
static nn_result product(bench *b) {
    return b->back ? nn_matmul_backward(b->dx, b->dw, b->dy, b->x, b->w, NULL, false)
                   : nn_matmul_forward(b->y, b->x, b->w, NULL);
}
static nn_result resize(bench *b) {
    const nn_resize_desc desc = {.mode = NN_RESIZE_LINEAR, .scale_factor = 2.0};
    return b->back ? nn_resize_backward(b->dx, b->dy, &desc, false)
                   : nn_resize_forward(b->y, b->x, &desc);
}

#define IMAGE NN_SHAPE(64, 128, 32, 32)
#define CONV(name, n, c, k, h, oh, taps, stride, padding, groups)                                  \
    {name, convolution, NN_SHAPE(n, c, h, h), NN_SHAPE(n, k, oh, oh),                              \
     NN_SHAPE(k, (c) / (groups), taps, taps), NN_SHAPE(1), {stride, padding, groups, 0}}

typedef struct entry {
    const char *name;
    nn_result (*call)(bench *b);
    nn_shape x, y, w, statistics;
    int p[4];
} entry;

static int entries(entry *to) {
    const entry list[] = {
        {"batch_norm_train", batch_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(128), {0}},
        {"batch_norm_eval", batch_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(128), {1}},
        {"layer_norm", layer_norm, NN_SHAPE(4096, 768), NN_SHAPE(4096, 768), NN_SHAPE(768),
         NN_SHAPE(4096, 1), {0}},
        {"group_norm", group_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(64, 32), {0}},
        {"max_pool_2", max_pool, IMAGE, NN_SHAPE(64, 128, 16, 16), NN_SHAPE(1), NN_SHAPE(1), {2, 2, 0}},
        {"max_pool_3_2_1", max_pool, IMAGE, NN_SHAPE(64, 128, 16, 16), NN_SHAPE(1), NN_SHAPE(1), {3, 2, 1}},
        {"avg_pool_2", avg_pool, IMAGE, NN_SHAPE(64, 128, 16, 16), NN_SHAPE(1), NN_SHAPE(1), {2, 2, 0}},
        {"avg_pool_3_1_1", avg_pool, IMAGE, IMAGE, NN_SHAPE(1), NN_SHAPE(1), {3, 1, 1}},
        {"adaptive_avg_pool_7", adaptive, IMAGE, NN_SHAPE(64, 128, 7, 7), NN_SHAPE(1), NN_SHAPE(1), {7}},
        {"softmax", softmax, NN_SHAPE(4096, 1000), NN_SHAPE(4096, 1000), NN_SHAPE(1), NN_SHAPE(1), {0}},
        {"chain", chain, NN_SHAPE(1024, 4096), NN_SHAPE(1024, 4096), NN_SHAPE(1), NN_SHAPE(1), {0}},
        {"gelu", gelu, NN_SHAPE(1024, 4096), NN_SHAPE(1024, 4096), NN_SHAPE(1), NN_SHAPE(1), {0}},
        {"resize_linear_2", resize, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 64, 64), NN_SHAPE(1),
         NN_SHAPE(1), {0}},
        CONV("depthwise_3_56", 8, 144, 144, 56, 56, 3, 1, 1, 144),
        CONV("depthwise_3_s2_112", 8, 96, 96, 112, 56, 3, 2, 1, 96),
        CONV("depthwise_3_14", 8, 576, 576, 14, 14, 3, 1, 1, 576),
        CONV("depthwise_5_28", 8, 240, 240, 28, 28, 5, 1, 2, 240),
        CONV("depthwise_7_56", 8, 96, 96, 56, 56, 7, 1, 3, 96),
        CONV("depthwise_7_14", 8, 384, 384, 14, 14, 7, 1, 3, 384),
        CONV("conv_3_s2", 32, 64, 128, 32, 16, 3, 2, 1, 1),
        CONV("conv_7_s2", 8, 3, 64, 224, 112, 7, 2, 3, 1),
        {"vector_matrix", product, NN_SHAPE(1, 4096), NN_SHAPE(1, 4096), NN_SHAPE(4096, 4096),
         NN_SHAPE(1), {0}}};
    const int count = (int)(sizeof list / sizeof list[0]);
    if (to) memcpy(to, list, sizeof list);
    return count;
}

static double now(nn_context *nn) {
    const nn_clock *wall = &nn_get_desc(nn)->clock;
    if (getenv("BENCH_CLOCK")) return (double)clock() / CLOCKS_PER_SEC;
    return (double)wall->now(wall->user) * 1e-9;
}

static void run(int threads, double seconds, const entry *e, bool back) {
    nn_context *nn = nn_open(&(nn_desc){.threads = threads, .scratch_bytes = (size_t)512 << 20});
    bench b = {.nn = nn};
    double best = 1e9, end;
    memcpy(b.p, e->p, sizeof b.p);
    fill(&b, e->x, e->y, e->w, e->statistics);
    nn_result result = e->call(&b); /* statistics and indices for the way back */
    b.back = back;
    if (result == NN_OK) result = e->call(&b);
    end = now(nn) + seconds;
    for (int i = 0; result == NN_OK && (i < 3 || now(nn) < end); i++) {
        const double start = now(nn);
        result = e->call(&b);
        const double took = now(nn) - start;
        if (took < best) best = took;
    }
    printf("%s%s %.2f\n", e->name, back ? "_backward" : "", result == NN_OK ? best * 1e6 : -1.0);
    if (result != NN_OK) fprintf(stderr, "%s\n", nn_error(nn));
    fflush(stdout);
    nn_close(nn);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 0, count = entries(NULL);
    const double seconds = argc > 2 ? atof(argv[2]) : 0.2;
    const bool asked = argc > 3 && strcmp(argv[3], "-") == 0;
    entry *list = (entry *)malloc((size_t)count * sizeof *list);
    char line[64], name[64];
    if (!list) return 1;
    entries(list);
    do {
        if (asked && !fgets(line, sizeof line, stdin)) break;
        if (asked) line[strcspn(line, "\n")] = 0;
        for (int i = 0; i < 2 * count; i++) {
            snprintf(name, sizeof name, "%s%s", list[i / 2].name, i % 2 ? "_backward" : "");
            if (asked ? strcmp(name, line) == 0 : argc < 4 || strstr(name, argv[3]))
                run(threads, seconds, &list[i / 2], i % 2 == 1);
        }
    } while (asked);
    free(list);
    return 0;
}
