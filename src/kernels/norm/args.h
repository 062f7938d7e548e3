/* kernels/norm/args.h - normalisation by the statistics of sets of elements (layer, group,
   instance, batch and rms norm), the gradients, and running statistics. */
#pragma once

#include "device/types.h"
#include "kernels/epilogue.h"

/* How a tensor is cut into sets: as (outer, groups, channels, inner), row-major. A set has all
   (channels, inner) of one outer index and one group; with `across` it has all (outer, inner) of
   one group, and channels is 1. Weight and bias have groups * channels numbers. */
typedef struct nn_norm_cut {
    int64_t outer, inner;
    int32_t groups, channels;
    bool across;
} nn_norm_cut;

/* y = activation((x - mean) * rstd * weight + bias) with rstd = 1 / sqrt(variance + epsilon) and
   the variance divided by the count. rms: mean is 0 and the variance the mean square. All f32. */
typedef struct nn_norm_args {
    /* of one shape; y may be x itself. If y is absent (across only, without running statistics),
       only the statistics are computed */
    nn_view y, x;
    nn_view weight, bias; /* absent: 1 and 0 */
    /* one number per set; each may be absent. variance is divided by the count less 1 */
    nn_view mean, rstd, variance;
    nn_view running_mean, running_var; /* present (across only): the statistics to use */
    nn_view scratch;
    nn_norm_cut cut;
    float epsilon;
    bool rms;
    nn_activation activation;
} nn_norm_args;

/* The gradients of the norm without the activation. All f32. residual is added to dx; only OpenCL
   devices take it, if each row is a set. */
typedef struct nn_norm_backward_args {
    nn_view dx, dweight, dbias; /* each may be absent; dx may be dy itself */
    nn_view dy, x;
    nn_view weight;     /* absent: 1 */
    nn_view mean, rstd; /* results of forward; mean absent: rms */
    nn_view scratch;
    nn_norm_cut cut;
    bool fixed; /* across only: mean and rstd do not depend on x */
    bool accumulate;
    nn_view residual; /* as dx, and other memory; not with accumulate; default: absent */
} nn_norm_backward_args;

/* The running statistics of one norm, and those of a batch. */
typedef struct nn_norm_track_item {
    nn_view running_mean, running_var; /* (C) */
    nn_view count;                     /* one i64, seen as two i32; may be absent */
    nn_view mean, variance;            /* (n, C) or (C); the variance divided by the count less 1 */
} nn_norm_track_item;

/* For each item, both statistics become running += momentum * (mean over n of statistic - running),
   and count += 1. cumulative: uses 1 / (count + 1) instead of momentum. Does nothing while status
   is set. */
typedef struct nn_norm_track_args {
    const nn_norm_track_item *items; /* no two share their running statistics */
    int32_t item_count;
    nn_norm_track_item own; /* storage for items if there is only one */
    float momentum;
    bool cumulative;
    nn_view status; /* may be absent */
} nn_norm_track_args;

/* Folds a norm with running statistics into the product or convolution (from, from_bias) before it,
   whose output channels are its first axis: weight = from * scale, bias = (from_bias -
   running_mean) * scale + norm_bias, with scale = norm_weight / sqrt(running_var + epsilon). All
   f32. */
typedef struct nn_norm_fold_args {
    nn_view weight, bias;           /* (C, ...), (C) */
    nn_view from, from_bias;        /* from_bias absent: 0 */
    nn_view norm_weight, norm_bias; /* absent: 1 and 0 */
    nn_view running_mean, running_var;
    float epsilon;
} nn_norm_fold_args;

/* Views and numbers: see kernels/list.h. */
#define NN_NORM_FORWARD_VIEWS(VIEW, ITEM)                                                          \
    VIEW(OUT, y, 1)                                                                                \
    VIEW(IN, x, 1) VIEW(IN, weight, 1) VIEW(IN, bias, 1) VIEW(OUT, mean, 1) VIEW(OUT, rstd, 1)     \
        VIEW(OUT, variance, 1) VIEW(IN, running_mean, 1) VIEW(IN, running_var, 1)                  \
            VIEW(SCRATCH, scratch, 1)
#define NN_NORM_BACKWARD_VIEWS(VIEW, ITEM)                                                         \
    VIEW(SUM, dx, 1)                                                                               \
    VIEW(SUM, dweight, 1) VIEW(SUM, dbias, 1) VIEW(IN, dy, 1) VIEW(IN, x, 1) VIEW(IN, weight, 1)   \
        VIEW(IN, mean, 1) VIEW(IN, rstd, 1) VIEW(SCRATCH, scratch, 1) VIEW(IN, residual, 1)
#define NN_NORM_TRACK_VIEWS(VIEW, ITEM)                                                            \
    ITEM(CHANGED, items, item_count, running_mean, 1)                                              \
    ITEM(CHANGED, items, item_count, running_var, 1) ITEM(CHANGED, items, item_count, count, 1)    \
    ITEM(IN, items, item_count, mean, 1) ITEM(IN, items, item_count, variance, 1)                  \
    VIEW(IN, status, 1)
#define NN_NORM_FOLD_VIEWS(VIEW, ITEM)                                                             \
    VIEW(OUT, weight, 1) VIEW(OUT, bias, 1) VIEW(IN, from, 1) VIEW(IN, from_bias, 1)               \
    VIEW(IN, norm_weight, 1) VIEW(IN, norm_bias, 1) VIEW(IN, running_mean, 1)                      \
    VIEW(IN, running_var, 1)
#define NN_NORM_FORWARD_NUMBERS(INT, REAL, OTHER)                                                  \
    OTHER(cut.outer) OTHER(cut.inner) INT(cut.groups) OTHER(cut.channels) INT(cut.across)          \
    REAL(epsilon) INT(rms) INT(activation)
#define NN_NORM_BACKWARD_NUMBERS(INT, REAL, OTHER)                                                 \
    OTHER(cut.outer) OTHER(cut.inner) INT(cut.groups) OTHER(cut.channels) INT(cut.across)          \
    INT(fixed) INT(accumulate)
#define NN_NORM_TRACK_NUMBERS(INT, REAL, OTHER)                                                    \
    OTHER(items) OTHER(item_count) OTHER(own) REAL(momentum) INT(cumulative)
#define NN_NORM_FOLD_NUMBERS(INT, REAL, OTHER) REAL(epsilon)
