/* bench_ops.c: immediate calls of larger sizes than the test cases have, each forward and backward:
   norms, pools, softmax, functions and chains of elements, losses, reductions, scans, pieces by
   their numbers, copies, resize, convolutions, products. pytorch_ops.py has the same list and runs
   both alternately. The rows of elements, all operations of src/ops/table.txt and their losses, are
   in elements.h; the rows of bandwidth.h measure the memory's bandwidth.

   Of the families in src/kernels these have no row here: update (bench_update.c) and recurrent
   (bench_recurrent.c), each with a script of its name; random, whose speed the row of dropout shows
   (bench_pointwise.c), and metric, whose kernels only run inside a plan; augment, which has no
   counterpart in PyTorch; custom, whose kernels are the user's. bench_kernels.c times them all.

   ./bench_ops [threads [seconds [part of a name]]]   default: all cores, 0.2 seconds a row
   ./bench_ops threads seconds -                      names come on stdin, a row is printed for each
   A row: the name, a space, microseconds of the fastest call. BENCH_TIMES=4: four times as many
   samples, so that the caches keep nothing between two calls (bandwidth.py). BENCH_CLOCK=cpu:
   measures the processor time of the process instead, for one thread on a machine that others use
   too. BENCH_INSTRUCTIONS=avx2 or plain: with these instructions (ATEN_CPU_CAPABILITY=avx2 or
   default says the same to PyTorch). */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_more.h"
#include "../nn_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct bench {
    nn_context *nn;
    nn_tensor *x, *y, *dx, *dy, *w, *b, *dw, *db, *mean, *rstd, *index;
    nn_tensor *counts[2]; /* of y's shape: each number is p[0], or p[1] */
    const char *text; /* of an expression */
    bool back;
    int p[4];
} bench;

static nn_tensor *tensor(nn_context *nn, nn_dtype dtype, nn_shape shape, uint32_t seed) {
    nn_tensor *t = nn_make_tensor(nn, &(nn_tensor_desc){.dtype = dtype, .shape = shape});
    const nn_view view = nn_tensor_view(t);
    float *to = (float *)(void *)((char *)view.handle + view.offset);
    const int64_t count = nn_shape_count(shape);
    for (int64_t i = 0; i < count && dtype == NN_F32; i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
    }
    return t;
}

/* Fills the index with whole numbers below `limit` (0: leaves it as it is). */
static void draw(nn_tensor *index, int limit) {
    const nn_view view = nn_tensor_view(index);
    int32_t *to = (int32_t *)(void *)((char *)view.handle + view.offset);
    uint32_t seed = 12;
    for (int64_t i = 0; limit && i < nn_shape_count(view.shape); i++) {
        seed = seed * 1664525u + 1013904223u;
        to[i] = (int32_t)((seed >> 8) % (uint32_t)limit);
    }
}

/* BENCH_TIMES: a factor for the first axis of x and of operands of the same length, or a fraction
   such as 1/64. */
static void lengthen(nn_shape *shape, int32_t first) {
    const char *times = getenv("BENCH_TIMES");
    const char *part = times ? strchr(times, '/') : NULL;
    if (!times || shape->extent[0] != first) return;
    shape->extent[0] *= atoi(times);
    if (part) shape->extent[0] = nn__maxi(1, shape->extent[0] / atoi(part + 1));
}

/* b has as many numbers as the first extent of w. */
static void fill(bench *b, nn_shape x, nn_shape y, nn_shape w, nn_shape statistics) {
    nn_context *nn = b->nn;
    const int32_t first = x.extent[0];
    lengthen(&x, first), lengthen(&y, first), lengthen(&w, first), lengthen(&statistics, first);
    b->x = tensor(nn, NN_F32, x, 1), b->dx = tensor(nn, NN_F32, x, 2);
    b->y = tensor(nn, NN_F32, y, 3), b->dy = tensor(nn, NN_F32, y, 4);
    b->w = tensor(nn, NN_F32, w, 5), b->dw = tensor(nn, NN_F32, w, 6);
    b->b = tensor(nn, NN_F32, NN_SHAPE(w.extent[0]), 7);
    b->db = tensor(nn, NN_F32, NN_SHAPE(w.extent[0]), 8);
    b->mean = tensor(nn, NN_F32, statistics, 9);
    b->rstd = tensor(nn, NN_F32, statistics, 10);
    nn_abs_forward(b->rstd, b->rstd);
    b->index = tensor(nn, NN_I32, y, 11);
    for (int k = 0; k < 2; k++) {
        b->counts[k] = tensor(nn, NN_I32, NN_SHAPE(y.extent[0]), 12);
        const nn_view view = nn_tensor_view(b->counts[k]);
        for (int i = 0; i < y.extent[0]; i++)
            ((int32_t *)(void *)((char *)view.handle + view.offset))[i] = b->p[k];
    }
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
static nn_result linear(bench *b) {
    return b->back ? nn_linear_backward(b->dx, b->dw, b->db, b->dy, b->x, b->w, false)
                   : nn_linear_forward(b->y, b->x, b->w, b->b);
}
#include "bandwidth.h"
static nn_result resize(bench *b) {
    const nn_resize_desc desc = {.mode = NN_RESIZE_LINEAR, .scale_factor = 2.0};
    return b->back ? nn_resize_backward(b->dx, b->dy, &desc, false)
                   : nn_resize_forward(b->y, b->x, &desc);
}

/* ---- elements: expressions of x, of x and w, of x, w and mean ---------------------------- */

static nn_result each(bench *b) {
    const nn_tensor *x = b->x;
    return b->back ? nn_expression_backward(b->dx, "x", b->dy, b->text, x)
                   : nn_expression_forward(b->y, b->text, x);
}
static nn_result each_of_two(bench *b) {
    const nn_tensor *x = b->x, *w = b->w;
    return b->back ? nn_expression_backward(b->dx, "x", b->dy, b->text, x, w)
                   : nn_expression_forward(b->y, b->text, x, w);
}

static nn_result each_of_three(bench *b) {
    const nn_tensor *x = b->x, *w = b->w, *mean = b->mean;
    return b->back ? nn_expression_backward(b->dx, "x", b->dy, b->text, x, w, mean)
                   : nn_expression_forward(b->y, b->text, x, w, mean);
}
/* w: the result */
static nn_result of_result(bench *b) {
    const nn_tensor *y = b->w, *dy = b->dy;
    return nn_expression_forward(b->dx, b->text, y, dy);
}
/* The gradient of bce_loss has a line of its own. */
static nn_result bce_slope(bench *b) {
    const nn_tensor *x = b->x, *w = b->w, *dy = b->dy;
    return nn_expression_forward(b->dx, "bce_slope(x, w, dy)", x, w, dy);
}

/* ---- rows, losses, reductions, scans --------------------------------------------------------- */

static nn_result log_softmax(bench *b) {
    return b->back ? nn_softmax_backward(b->dx, b->dy, b->y, true)
                   : nn_softmax_forward(b->y, b->x, true);
}
static nn_result rms_norm(bench *b) {
    return b->back ? nn_rms_norm_backward(b->dx, b->dw, b->dy, b->x, b->w, b->rstd, NULL, false)
                   : nn_rms_norm_forward(b->y, b->rstd, b->x, b->w, NULL);
}
static nn_result instance_norm(bench *b) {
    const nn_group_norm_desc desc = {.num_groups = 128};
    return b->back ? nn_group_norm_backward(b->dx, b->dw, b->db, b->dy, b->x, b->w, b->mean,
                                            b->rstd, &desc, false)
                   : nn_group_norm_forward(b->y, b->mean, b->rstd, b->x, b->w, b->b, &desc);
}
/* y (N): the losses; index (N): the labels */
static nn_result cross_entropy(bench *b) {
    const nn_cross_entropy_options options = {.reduction = NN_REDUCTION_NONE};
    return b->back ? nn_cross_entropy_backward(b->dx, b->x, b->index, NULL, &options)
                   : nn_cross_entropy_forward(b->y, b->x, b->index, NULL, &options);
}
/* y (N): the losses; index (N, S): the labels; p: how many rows and labels count */
static nn_result ctc_loss(bench *b) {
    const nn_ctc_loss_desc desc = {.blank = b->p[2]};
    return b->back ? nn_ctc_loss_backward(b->dx, b->dy, b->x, b->index, b->counts[0], b->counts[1],
                                          &desc)
                   : nn_ctc_loss_forward(b->y, b->x, b->index, b->counts[0], b->counts[1], &desc);
}
/* p: the reduction, and the axis, or -1 for axes 0, 2 and 3 */
static nn_result reduce(bench *b) {
    const nn_reduction reduction = (nn_reduction)b->p[0];
    const nn_axes axes = b->p[1] < 0 ? NN_AXES(0, 2, 3) : NN_AXES(b->p[1]);
    return b->back ? nn_reduce_backward(b->dx, reduction, b->dy, b->x, b->y, axes, false)
                   : nn_reduce_forward(b->y, reduction, b->x, axes);
}
static nn_result argmax(bench *b) {
    return nn_reduce_forward(b->index, NN_ARGMAX, b->x, NN_AXES(b->p[1]));
}
static nn_result cumsum(bench *b) {
    return nn_cumsum_forward(b->back ? b->dx : b->y, b->back ? b->dy : b->x, b->p[0], b->back);
}
static nn_result cumprod(bench *b) {
    return b->back ? nn_cumprod_backward(b->dx, b->dy, b->x, b->y, b->p[0])
                   : nn_cumprod_forward(b->y, b->x, b->p[0]);
}
static nn_result logcumsumexp(bench *b) {
    return b->back ? nn_logcumsumexp_backward(b->dx, b->dy, b->x, b->y, b->p[0])
                   : nn_logcumsumexp_forward(b->y, b->x, b->p[0]);
}
static nn_result cummax(bench *b) { return nn_cummax_forward(b->y, b->index, b->x, b->p[0]); }
static nn_result sort(bench *b) { return nn_sort_forward(b->y, b->index, b->x, 1, NULL); }
static nn_result top_k(bench *b) {
    return nn_top_k_forward(b->y, b->index, b->x, b->p[0], 1, NULL);
}

/* ---- pieces by their numbers, copies, places ------------------------------------------------- */

static nn_result gather(bench *b) {
    return b->back ? nn_gather_backward(b->dx, b->dy, b->p[0], b->index, false)
                   : nn_gather_forward(b->y, b->x, b->p[0], b->index);
}
static nn_result scatter_add(bench *b) {
    return nn_scatter_add_forward(b->y, b->x, b->p[0], b->index, b->dy);
}
/* statistics: the shape of the index; w: the table */
static nn_result embedding(bench *b) {
    return b->back ? nn_embedding_backward(b->dw, b->dy, b->index, NULL, false)
                   : nn_embedding_forward(b->y, b->index, b->w);
}
static nn_result permute(bench *b) {
    return nn_permute_forward(b->y, b->x,
                              b->p[0] ? NN_AXES(0, 2, 3, 1) : NN_AXES(1, 0));
}
static nn_result concat(bench *b) {
    const nn_tensor *const pieces[] = {b->x, b->dx};
    return nn_concat_forward(b->y, pieces, 2, 1);
}
static nn_result flip(bench *b) { return nn_flip_forward(b->y, b->x, NN_AXES(3)); }
static nn_result roll(bench *b) { return nn_roll_forward(b->y, b->x, 5, 1); }
static nn_result pad(bench *b) {
    const nn_pad_desc desc = {.left = 1, .right = 1, .top = 1, .bottom = 1};
    return nn_pad_forward(b->y, b->x, &desc);
}
static nn_result resize_as(bench *b) { /* p: mode, size, antialias */
    const nn_resize_desc desc = {
        .mode = (nn_resize_mode)b->p[0], .size = b->p[1], .antialias = b->p[2] > 0};
    return b->back ? nn_resize_backward(b->dx, b->dy, &desc, false)
                   : nn_resize_forward(b->y, b->x, &desc);
}
static nn_result adaptive_max(bench *b) {
    return b->back ? nn_adaptive_max_pool2d_backward(b->dx, b->dy, b->index)
                   : nn_adaptive_max_pool2d_forward(b->y, b->index, b->x, b->p[0], b->p[0]);
}
/* w: the grid */
static nn_result grid_sample(bench *b) {
    const nn_grid_sample_desc desc = {.mode = (nn_grid_mode)b->p[0]};
    return b->back ? nn_grid_sample_backward(b->dx, b->dw, b->dy, b->x, b->w, &desc, false)
                   : nn_grid_sample_forward(b->y, b->x, b->w, &desc);
}

/* w: keys, then values, as many samples of each as x has; p: is_causal; mean: log_sum */
static nn_result attention(bench *b) {
    const nn_scaled_dot_product_attention_desc desc = {.is_causal = b->p[0] > 0};
    const int n = nn_tensor_shape(b->x).extent[0];
    nn_tensor *k = nn_make_view(b->w, 0, n), *v = nn_make_view(b->w, n, n),
              *dk = nn_make_view(b->dw, 0, n), *dv = nn_make_view(b->dw, n, n);
    const nn_result result =
        b->back ? nn_scaled_dot_product_attention_backward(b->dx, dk, dv, b->dy, b->y, b->mean,
                                                           b->x, k, v, NULL, &desc)
                : nn_scaled_dot_product_attention_forward(b->y, b->mean, b->x, k, v, NULL, &desc);
    nn_free_tensor(k), nn_free_tensor(v), nn_free_tensor(dk), nn_free_tensor(dv);
    return result;
}

#define ATTENTION(name, n, h, l, s, e, causal)                                                     \
    {name, attention, NN_SHAPE(n, h, l, e), NN_SHAPE(n, h, l, e), NN_SHAPE(2 * (n), h, s, e),      \
     NN_SHAPE(n, h, l), {causal}, 0, 0, 0}

#define IMAGE NN_SHAPE(64, 128, 32, 32)
#define CONV(name, n, c, k, h, oh, taps, stride, padding, groups)                                  \
    {name, convolution, NN_SHAPE(n, c, h, h), NN_SHAPE(n, k, oh, oh),                              \
     NN_SHAPE(k, (c) / (groups), taps, taps), NN_SHAPE(1), {stride, padding, groups, 0}, 0, 0, 0}

#define FLAT   NN_SHAPE(1024, 4096)
#define LOGITS NN_SHAPE(4096, 1000)
#define ONE    NN_SHAPE(1)
#define EACH(name, text) {name, each, FLAT, FLAT, ONE, ONE, {0}, text, 0, 0}
#define POSITIVE(name, text) {name, each, FLAT, FLAT, ONE, ONE, {0}, text, OF_POSITIVE, 0}
#define OF_RESULT(name, text, back, flags)                                                         \
    {name, each, FLAT, FLAT, ONE, ONE, {0}, text, FORWARD_ONLY | flags, 0},                        \
        {name "_backward", of_result, FLAT, FLAT, FLAT, ONE, {0}, back, FORWARD_ONLY | BOTH, 0}
#define FLAT_SLOPE(name, text) {name, each, FLAT, FLAT, ONE, ONE, {0}, text, FORWARD_ONLY, 0}
#define EACH2(name, text, flags) {name, each_of_two, FLAT, FLAT, FLAT, ONE, {0}, text, flags, 0}
#define EACH3(name, text, flags) {name, each_of_three, FLAT, FLAT, FLAT, FLAT, {0}, text, flags, 0}

/* OF_POSITIVE: x is positive; BOTH: w and mean as well, and all are below 1 */
enum { FORWARD_ONLY = 1, OF_POSITIVE = 2, BOTH = 4 };
typedef struct entry {
    const char *name;
    nn_result (*call)(bench *b);
    nn_shape x, y, w, statistics;
    int p[4];
    const char *text;
    int flags;
    int numbers; /* the index has whole numbers below this one; 0: it is written by the call */
} entry;

static int entries(entry *to) {
    const entry list[] = {
        {"batch_norm_train", batch_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(128), {0}, 0, 0, 0},
        {"batch_norm_eval", batch_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(128), {1}, 0, 0, 0},
        {"layer_norm", layer_norm, NN_SHAPE(4096, 768), NN_SHAPE(4096, 768), NN_SHAPE(768),
         NN_SHAPE(4096, 1), {0}, 0, 0, 0},
        {"group_norm", group_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(64, 32), {0}, 0, 0, 0},
        {"max_pool_2", max_pool, IMAGE, NN_SHAPE(64, 128, 16, 16), ONE, ONE, {2, 2, 0}, 0, 0, 0},
        {"max_pool_3_2_1", max_pool, IMAGE, NN_SHAPE(64, 128, 16, 16), ONE, ONE, {3, 2, 1}, 0, 0,
         0},
        {"avg_pool_2", avg_pool, IMAGE, NN_SHAPE(64, 128, 16, 16), ONE, ONE, {2, 2, 0}, 0, 0, 0},
        {"avg_pool_3_1_1", avg_pool, IMAGE, IMAGE, ONE, ONE, {3, 1, 1}, 0, 0, 0},
        {"adaptive_avg_pool_7", adaptive, IMAGE, NN_SHAPE(64, 128, 7, 7), ONE, ONE, {7}, 0, 0, 0},
        {"softmax", softmax, NN_SHAPE(4096, 1000), NN_SHAPE(4096, 1000), ONE, ONE, {0}, 0, 0, 0},
        {"chain", chain, NN_SHAPE(1024, 4096), NN_SHAPE(1024, 4096), ONE, ONE, {0}, 0, 0, 0},
        {"gelu", gelu, NN_SHAPE(1024, 4096), NN_SHAPE(1024, 4096), ONE, ONE, {0}, 0, 0, 0},
        {"resize_linear_2", resize, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 64, 64), ONE,
         ONE, {0}, 0, 0, 0},
#include "elements.h"
        MEMORY_ROWS,
        {"rms_norm", rms_norm, NN_SHAPE(4096, 768), NN_SHAPE(4096, 768), NN_SHAPE(768),
         NN_SHAPE(4096, 1), {0}, 0, 0, 0},
        {"instance_norm", instance_norm, IMAGE, IMAGE, NN_SHAPE(128), NN_SHAPE(64, 128), {0}, 0,
         0, 0},
        ATTENTION("attention_12x4x64", 12, 4, 64, 64, 32, 1),
        ATTENTION("attention_8x8x256", 8, 8, 256, 256, 64, 1),
        ATTENTION("attention_1x12x1024", 1, 12, 1024, 1024, 64, 1),
        ATTENTION("attention_full_1x12x1024", 1, 12, 1024, 1024, 64, 0),
        ATTENTION("attention_one_1x12x1024", 1, 12, 1, 1024, 64, 0),
        {"log_softmax", log_softmax, LOGITS, LOGITS, ONE, ONE, {0}, 0, 0, 0},
        {"cross_entropy", cross_entropy, LOGITS, NN_SHAPE(4096), ONE, ONE, {0}, 0, 0, 1000},
        {"sum_last", reduce, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {NN_SUM, 1}, 0, 0, 0},
        {"sum_first", reduce, LOGITS, NN_SHAPE(1, 1000), ONE, ONE, {NN_SUM, 0}, 0, 0, 0},
        {"mean_channels", reduce, IMAGE, NN_SHAPE(1, 128, 1, 1), ONE, ONE, {NN_MEAN, -1}, 0, 0, 0},
        {"amax_last", reduce, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {NN_MAX, 1}, 0, 0, 0},
        {"amax_first", reduce, LOGITS, NN_SHAPE(1, 1000), ONE, ONE, {NN_MAX, 0}, 0, 0, 0},
        {"prod_last", reduce, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {NN_PROD, 1}, 0, 0, 0},
        {"var_last", reduce, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {NN_VAR, 1}, 0, 0, 0},
        {"norm_last", reduce, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {NN_NORM, 1}, 0, 0, 0},
        {"logsumexp_last", reduce, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {NN_LOGSUMEXP, 1}, 0, 0, 0},
        {"argmax_last", argmax, LOGITS, NN_SHAPE(4096, 1), ONE, ONE, {0, 1}, 0, FORWARD_ONLY, 0},
        {"cumsum_last", cumsum, LOGITS, LOGITS, ONE, ONE, {1}, 0, 0, 0},
        {"cumsum_first", cumsum, LOGITS, LOGITS, ONE, ONE, {0}, 0, 0, 0},
        {"cumprod_last", cumprod, LOGITS, LOGITS, ONE, ONE, {1}, 0, 0, 0},
        {"logcumsumexp_last", logcumsumexp, LOGITS, LOGITS, ONE, ONE, {1}, 0, 0, 0},
        {"cummax_last", cummax, LOGITS, LOGITS, ONE, ONE, {1}, 0, FORWARD_ONLY, 0},
        {"sort", sort, LOGITS, LOGITS, ONE, ONE, {0}, 0, FORWARD_ONLY, 0},
        {"top_k_10", top_k, LOGITS, NN_SHAPE(4096, 10), ONE, ONE, {10}, 0, FORWARD_ONLY, 0},
        {"gather_last", gather, LOGITS, LOGITS, ONE, ONE, {1}, 0, 0, 1000},
        {"gather_first", gather, LOGITS, LOGITS, ONE, ONE, {0}, 0, 0, 4096},
        {"scatter_add_last", scatter_add, LOGITS, LOGITS, ONE, ONE, {1}, 0, FORWARD_ONLY, 1000},
        {"scatter_add_first", scatter_add, LOGITS, LOGITS, ONE, ONE, {0}, 0, FORWARD_ONLY, 4096},
        {"embedding", embedding, ONE, NN_SHAPE(8192, 256), NN_SHAPE(30000, 256), NN_SHAPE(8192),
         {0}, 0, 0, 30000},
        {"permute_2", permute, NN_SHAPE(2048, 2048), NN_SHAPE(2048, 2048), ONE, ONE, {0}, 0,
         FORWARD_ONLY, 0},
        {"permute_nhwc", permute, IMAGE, NN_SHAPE(64, 32, 32, 128), ONE, ONE, {1}, 0,
         FORWARD_ONLY, 0},
        {"concat", concat, NN_SHAPE(32, 64, 32, 32), NN_SHAPE(32, 128, 32, 32), ONE, ONE, {0}, 0,
         FORWARD_ONLY, 0},
        {"flip", flip, IMAGE, IMAGE, ONE, ONE, {0}, 0, FORWARD_ONLY, 0},
        {"roll", roll, IMAGE, IMAGE, ONE, ONE, {0}, 0, FORWARD_ONLY, 0},
        {"pad", pad, IMAGE, NN_SHAPE(64, 128, 34, 34), ONE, ONE, {0}, 0, FORWARD_ONLY, 0},
        {"resize_nearest_64", resize_as, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 64, 64), ONE,
         ONE, {NN_RESIZE_NEAREST, 64, 0}, 0, 0, 0},
        {"resize_cubic_64", resize_as, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 64, 64), ONE,
         ONE, {NN_RESIZE_CUBIC, 64, 0}, 0, 0, 0},
        {"resize_linear_20", resize_as, NN_SHAPE(8, 64, 64, 64), NN_SHAPE(8, 64, 20, 20), ONE,
         ONE, {NN_RESIZE_LINEAR, 20, 0}, 0, 0, 0},
        {"resize_antialias_20", resize_as, NN_SHAPE(8, 64, 64, 64), NN_SHAPE(8, 64, 20, 20), ONE,
         ONE, {NN_RESIZE_LINEAR, 20, 1}, 0, 0, 0},
        {"adaptive_max_pool_7", adaptive_max, IMAGE, NN_SHAPE(64, 128, 7, 7), ONE, ONE, {7}, 0,
         0, 0},
        {"global_avg_pool", adaptive, IMAGE, NN_SHAPE(64, 128, 1, 1), ONE, ONE, {1}, 0, 0, 0},
        {"grid_sample_linear", grid_sample, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 32, 32),
         NN_SHAPE(8, 32, 32, 2), ONE, {NN_GRID_BILINEAR}, 0, 0, 0},
        {"grid_sample_nearest", grid_sample, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 32, 32),
         NN_SHAPE(8, 32, 32, 2), ONE, {NN_GRID_NEAREST}, 0, 0, 0},
        {"grid_sample_cubic", grid_sample, NN_SHAPE(8, 64, 32, 32), NN_SHAPE(8, 64, 32, 32),
         NN_SHAPE(8, 32, 32, 2), ONE, {NN_GRID_BICUBIC}, 0, 0, 0},
        CONV("depthwise_3_56", 8, 144, 144, 56, 56, 3, 1, 1, 144),
        CONV("depthwise_3_s2_112", 8, 96, 96, 112, 56, 3, 2, 1, 96),
        CONV("depthwise_3_14", 8, 576, 576, 14, 14, 3, 1, 1, 576),
        CONV("depthwise_5_28", 8, 240, 240, 28, 28, 5, 1, 2, 240),
        CONV("depthwise_7_56", 8, 96, 96, 56, 56, 7, 1, 3, 96),
        CONV("depthwise_7_14", 8, 384, 384, 14, 14, 7, 1, 3, 384),
        CONV("conv_3_s2", 32, 64, 128, 32, 16, 3, 2, 1, 1),
        CONV("conv_7_s2", 8, 3, 64, 224, 112, 7, 2, 3, 1),
        {"vector_matrix", product, NN_SHAPE(1, 4096), NN_SHAPE(1, 4096), NN_SHAPE(4096, 4096),
         ONE, {0}, 0, 0, 0},
        {"matmul_512", product, NN_SHAPE(512, 512), NN_SHAPE(512, 512), NN_SHAPE(512, 512), ONE,
         {0}, 0, 0, 0},
        {"matmul_batched", product, NN_SHAPE(64, 128, 64), NN_SHAPE(64, 128, 128),
         NN_SHAPE(64, 64, 128), ONE, {0}, 0, 0, 0},
        {"linear", linear, NN_SHAPE(256, 1024), NN_SHAPE(256, 1024), NN_SHAPE(1024, 1024), ONE,
         {0}, 0, 0, 0},
        {"ctc_loss", ctc_loss, NN_SHAPE(50, 32, 40), NN_SHAPE(32), ONE, NN_SHAPE(32, 10),
         {50, 10, 39}, 0, 0, 39}};
    const int count = (int)(sizeof list / sizeof list[0]);
    if (to) memcpy(to, list, sizeof list);
    return count;
}

static double now(nn_context *nn) {
    const nn_clock *wall = &nn_context_desc(nn)->clock;
    if (getenv("BENCH_CLOCK")) return (double)clock() / CLOCKS_PER_SEC;
    return (double)wall->now(wall->user) * 1e-9;
}

static nn_instruction_set instructions(void) {
    const char *name = getenv("BENCH_INSTRUCTIONS");
    if (!name) return NN_INSTRUCTIONS_DEFAULT;
    return strcmp(name, "avx2") == 0 ? NN_INSTRUCTIONS_AVX2 : NN_INSTRUCTIONS_PLAIN;
}

/* The current row. If it is asked for again, it is timed without being made anew. */
typedef struct row {
    bench b;
    const entry *e;
    nn_result result;
} row;

static void open_row(row *r, int threads, const entry *e, bool back) {
    /* clearing would take longer than most rows */
    const size_t scratch = (size_t)(e->call == convolution ? 512 : 64) << 20;
    nn_context *nn = nn_open(&(nn_desc){
        .threads = threads, .scratch_bytes = scratch, .instructions = instructions()});
    bench *b = &r->b;
    *r = (row){.b = {.nn = nn, .text = e->text}, .e = e};
    memcpy(b->p, e->p, sizeof b->p);
    fill(b, e->x, e->y, e->w, e->statistics);
    if (e->flags & (OF_POSITIVE | BOTH)) nn_abs_forward(b->x, b->x);
    if (e->flags & BOTH) nn_abs_forward(b->w, b->w), nn_abs_forward(b->mean, b->mean);
    if (e->call == embedding || e->call == ctc_loss)
        b->index = tensor(nn, NN_I32, e->statistics, 0);
    draw(b->index, e->numbers);
    r->result = e->call(b); /* statistics and indices that backward needs */
    b->back = back;
}

static void run(row *r, int threads, double seconds, const entry *e, bool back) {
    nn_context *nn;
    double best = 1e9, end;
    if (r->e != e || r->b.back != back) {
        nn_close(r->b.nn);
        open_row(r, threads, e, back);
    }
    nn = r->b.nn;
    if (r->result == NN_OK) r->result = e->call(&r->b);
    end = now(nn) + seconds;
    for (int i = 0; r->result == NN_OK && (i < 3 || now(nn) < end); i++) {
        const double start = now(nn);
        r->result = e->call(&r->b);
        const double took = now(nn) - start;
        if (took < best) best = took;
    }
    printf("%s%s %.2f\n", e->name, back ? "_backward" : "",
           r->result == NN_OK ? best * 1e6 : -1.0);
    if (r->result != NN_OK) fprintf(stderr, "%s\n", nn_error(nn));
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 0, count = entries(NULL);
    const double seconds = argc > 2 ? atof(argv[2]) : 0.2;
    const bool asked = argc > 3 && strcmp(argv[3], "-") == 0;
    entry *list = (entry *)malloc((size_t)count * sizeof *list);
    char line[64], name[64];
    row kept = {.e = NULL};
    if (!list) return 1;
    entries(list);
    do {
        if (asked && !fgets(line, sizeof line, stdin)) break;
        if (asked) line[strcspn(line, "\n")] = 0;
        for (int i = 0; i < 2 * count; i++) {
            snprintf(name, sizeof name, "%s%s", list[i / 2].name, i % 2 ? "_backward" : "");
            if (i % 2 && (list[i / 2].flags & FORWARD_ONLY)) continue;
            if (asked ? strcmp(name, line) == 0 : argc < 4 || strstr(name, argv[3]))
                run(&kept, threads, seconds, &list[i / 2], i % 2 == 1);
        }
    } while (asked);
    nn_close(kept.b.nn);
    free(list);
    return 0;
}
