/* kernels/norm/args.h - numbers normalised by the statistics of their set, as layer, group,
   instance, batch and rms norm do it, the gradients, and running statistics. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

/* How a tensor is cut into sets: as (outer, groups, channels, inner), row-major. A set is the
   (channels, inner) of one outer place and one group; `across`: it is the (outer, inner) of one
   group, and channels is 1. Weight and bias have groups * channels numbers. */
typedef struct nn_norm_cut {
    int64_t outer, inner;
    int32_t groups, channels;
    bool across;
} nn_norm_cut;

/* y = activation((x - mean) * rstd * weight + bias) with rstd = 1 / sqrt(variance + epsilon) and
   the variance divided by the count. rms: mean is 0 and the variance the mean square. All f32. */
typedef struct nn_norm_args {
    /* of one shape; y may be x itself. y absent (across only, without running ones): only the
       statistics are wanted */
    nn_view y, x;
    nn_view weight, bias; /* absent: 1 and 0 */
    /* a number for each set, each may be absent; variance is the one divided by the count less 1 */
    nn_view mean, rstd, variance;
    nn_view running_mean, running_var; /* present (across only): the statistics to use */
    nn_view scratch;
    nn_norm_cut cut;
    float epsilon;
    bool rms;
    nn_activation activation;
} nn_norm_args;

/* The gradients of that, without the activation. All f32. */
typedef struct nn_norm_backward_args {
    nn_view dx, dweight, dbias; /* each may be absent; dx may be dy itself */
    nn_view dy, x;
    nn_view weight;     /* absent: 1 */
    nn_view mean, rstd; /* what forward gave; mean absent: rms */
    nn_view scratch;
    nn_norm_cut cut;
    bool fixed; /* across only: mean and rstd do not depend on x */
    bool accumulate;
} nn_norm_backward_args;

/* The running statistics of one norm, and those of a batch. */
typedef struct nn_norm_track_item {
    nn_view running_mean, running_var; /* (C) */
    nn_view count;                     /* one i64, seen as two i32; may be absent */
    nn_view mean, variance;            /* (n, C) or (C); the variance divided by the count less 1 */
} nn_norm_track_item;

/* Of each item, running += momentum * (the mean over n of statistic - running) for both of them,
   and count += 1. cumulative: with 1 / (count + 1) in the place of momentum. Nothing while status
   is set. */
typedef struct nn_norm_track_args {
    const nn_norm_track_item *items; /* no two have the same running ones */
    int32_t item_count;
    nn_norm_track_item own; /* what items points to where there is only one */
    float momentum;
    bool cumulative;
    nn_view status; /* may be absent */
} nn_norm_track_args;

/* A product or convolution (from, from_bias), its output channels first, and the norm behind it by
   running statistics, as one: weight = from * scale, bias = (from_bias - running_mean) * scale +
   norm_bias, with scale = norm_weight / sqrt(running_var + epsilon). All f32. */
typedef struct nn_norm_fold_args {
    nn_view weight, bias;           /* (C, ...), (C) */
    nn_view from, from_bias;        /* from_bias absent: 0 */
    nn_view norm_weight, norm_bias; /* absent: 1 and 0 */
    nn_view running_mean, running_var;
    float epsilon;
} nn_norm_fold_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_NORM_FORWARD_VIEWS(VIEW, ITEM)                                                          \
    VIEW(OUT, y, 1)                                                                                \
    VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, bias, 1) VIEW(OUT, mean, 1) VIEW(OUT, rstd, 1)     \
        VIEW(OUT, variance, 1) VIEW(IN, running_mean, 1) VIEW(IN, running_var, 1)                  \
            VIEW(SCRATCH, scratch, 1)
#define NN_NORM_BACKWARD_VIEWS(VIEW, ITEM)                                                         \
    VIEW(SUM, dx, 1)                                                                               \
    VIEW(SUM, dweight, 1) VIEW(SUM, dbias, 1) VIEW(IN, dy, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1)   \
        VIEW(IN, mean, 1) VIEW(IN, rstd, 1) VIEW(SCRATCH, scratch, 1)
#define NN_NORM_TRACK_VIEWS(VIEW, ITEM)                                                            \
    ITEM(CHANGED, items, item_count, running_mean, 1)                                              \
    ITEM(CHANGED, items, item_count, running_var, 1) ITEM(CHANGED, items, item_count, count, 1)    \
    ITEM(IN, items, item_count, mean, 1) ITEM(IN, items, item_count, variance, 1)                  \
    VIEW(IN, status, 1)
#define NN_NORM_FOLD_VIEWS(VIEW, ITEM)                                                             \
    VIEW(OUT, weight, 1) VIEW(OUT, bias, 1) VIEW(IN, from, 1) VIEW(IN, from_bias, 1)               \
    VIEW(IN, norm_weight, 1) VIEW(IN, norm_bias, 1) VIEW(IN, running_mean, 1)                      \
    VIEW(IN, running_var, 1)

/* What else it is told: kernels/list.h. */
#define NN_NORM_FORWARD_NUMBERS(INT, REAL, OTHER)                                                  \
    OTHER(cut.outer) OTHER(cut.inner) INT(cut.groups) OTHER(cut.channels) INT(cut.across)          \
    REAL(epsilon) INT(rms) INT(activation)
#define NN_NORM_BACKWARD_NUMBERS(INT, REAL, OTHER)                                                 \
    OTHER(cut.outer) OTHER(cut.inner) INT(cut.groups) OTHER(cut.channels) INT(cut.across)          \
    INT(fixed) INT(accumulate)
#define NN_NORM_TRACK_NUMBERS(INT, REAL, OTHER)                                                    \
    OTHER(items) OTHER(item_count) OTHER(own) REAL(momentum) INT(cumulative)
#define NN_NORM_FOLD_NUMBERS(INT, REAL, OTHER) REAL(epsilon)
