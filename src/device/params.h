/* device/params.h - what an operation is told: descs that users fill, and arguments that kernels receive.

   A *_desc is what the user writes (zero means default); a *_args is what a backend's kernel gets: views with
   every extent known, and numbers with every default filled in. Letters: N batch, C input channels, K output
   channels, H and W height and width, R and S height and width of the kernel, G groups. In gradients, dx
   means "the derivative of the loss with respect to x". */
#pragma once

#include "base/result.h"
#include "device/types.h"

/* ---- descs ----------------------------------------------------------------------------------- */

typedef enum nn_activation {
    NN_ACTIVATION_NONE,
    NN_ACTIVATION_RELU,
    NN_ACTIVATION_SIGMOID,
    NN_ACTIVATION_TANH,
    NN_ACTIVATION_GELU, /* the exact one, with erf */
    NN_ACTIVATION_COUNT
} nn_activation;

/* torch.nn.Linear: y = x W^T + b; x (..., in_features), W (out_features, in_features), b (out_features). */
typedef struct nn_linear_desc {
    int out_features; /* must be given */
    int in_features;  /* default: taken from x; if given, checked */
    bool no_bias;     /* default: false, there is a bias */
    bool shared;      /* default: false, the name must be new. true: the parameters of the layer of this name described
                         before, if there is one: the layer applied to another input, its gradients added */
} nn_linear_desc;

/* torch.nn.Conv2d: x (N, C, H, W), weight (K, C / groups, R, S), bias (K), y (N, K, OH, OW) with
   OH = (H + 2 padding - dilation (R - 1) - 1) / stride + 1, rounded down. Zeros outside the image. */
typedef struct nn_conv2d_desc {
    int out_channels; /* must be given */
    int in_channels;  /* default: taken from x; if given, checked */
    int kernel;       /* height and width; must be given */
    int kernel_w;     /* default: kernel */
    int stride;       /* default: 1 */
    int stride_w;     /* default: stride */
    int padding;      /* default: 0 */
    int padding_w;    /* default: padding; NN_NONE for 0 beside a padding that is not */
    int dilation;     /* default: 1 */
    int dilation_w;   /* default: dilation */
    int groups;       /* default: 1; must divide both channel counts */
    bool no_bias;     /* default: false, there is a bias */
    bool shared;      /* default: false, the name must be new. true: the parameters of the layer of this name described
                         before, if there is one: the layer applied to another input, its gradients added */
} nn_conv2d_desc;

#define NN_NONE (-1) /* "zero, and I mean it", in the few fields where 0 already means something else */

/* torch.nn.MaxPool2d and AvgPool2d. x (N, C, H, W), y (N, C, OH, OW), OH as for a convolution, rounded down.
   Padding is at most half the kernel; it counts as -infinity for max, and as zeros in the average. */
typedef struct nn_pool2d_desc {
    int kernel;             /* height and width; must be given */
    int kernel_w;           /* default: kernel */
    int stride;             /* default: kernel (as in PyTorch) */
    int stride_w;           /* default: stride if given, else kernel_w */
    int padding;            /* default: 0 */
    int padding_w;          /* default: padding; NN_NONE for 0 */
    bool ceil;              /* default: false; true: round the output extents up (PyTorch's ceil_mode) */
    bool count_only_inside; /* average only; default: false; true: divide by the elements inside
                               (count_include_pad=False) */
} nn_pool2d_desc;

typedef enum nn_reduction {
    NN_REDUCTION_DEFAULT, /* mean, as in PyTorch */
    NN_MEAN,
    NN_SUM,
    NN_MAX /* nn_reduce only: torch.amax */
} nn_reduction;

/* ---- arguments of kernels -------------------------------------------------------------------- */

/* A zeroed view (dtype 0) is absent. Before memory exists, views have dtype and shape and a NULL handle.
   `scratch` has the bytes that scratch_bytes() named, aligned to 64. `status` is the device's status word,
   see backend.h. */

/* What a product or convolution does to its result before storing it, in this order. */
typedef struct nn_epilogue {
    nn_view bias; /* f32; gemm: (n), conv2d: (K) */
    nn_activation activation;
} nn_epilogue;

/* y (m, n) = a (m, k) b (k, n), row-major; transpose_a: a is stored (k, m); transpose_b: b is stored (n, k). */
typedef struct nn_gemm_args {
    nn_view y, a, b;
    int32_t m, n, k;
    bool transpose_a, transpose_b;
    bool accumulate; /* y += instead of y = */
    nn_epilogue epilogue;
    nn_view scratch;
} nn_gemm_args;

typedef struct nn_conv2d_params {
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w, groups;
} nn_conv2d_params;

/* forward:         y = conv(x, weight), epilogue                       reads x weight bias     writes y
   backward_input:  dx from dy, weight                                  reads dy weight         writes dx
   backward_weight: dweight from dy, x; dbias = sum of dy over N, H, W  reads dy x              writes
   dweight, dbias A gradient's view stands in the field of its value (dx in x ...). In backward_weight either
   of dweight and dbias may be absent, not both. */
typedef struct nn_conv2d_args {
    nn_view y;      /* (N, K, OH, OW) */
    nn_view x;      /* (N, C, H, W) */
    nn_view weight; /* (K, C / G, R, S) */
    nn_conv2d_params params;
    bool accumulate;      /* backward only: += instead of = */
    nn_epilogue epilogue; /* forward only; in backward_weight epilogue.bias is dbias */
    nn_view scratch;
} nn_conv2d_args;

typedef enum nn_pool_kind { NN_POOL_MAX, NN_POOL_AVERAGE } nn_pool_kind;

/* forward writes y, and for max, if `index` is present, where each maximum was: i32 in [0, H * W) of its
   plane; the first of equal ones; a NaN wins. backward reads dy (in y) and index, writes dx (in x) whole,
   zeros included; an index outside of [0, H * W) is left out, and one outside of its own window may be. */
typedef struct nn_pool2d_args {
    nn_view y, x, index; /* index: i32, shape of y */
    nn_pool_kind kind;
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w;
    bool count_only_inside;
    bool accumulate; /* backward only */
} nn_pool2d_args;

/* Element-wise functions. Unary: a. Binary: a, b with NumPy's broadcasting over equal rank after left-padding
   with 1s. */
typedef enum nn_pointwise_op {
    NN_COPY, /* a; with broadcasting this is torch.expand */
    NN_RELU, /* max(a, 0), NaN stays */
    NN_SIGMOID,
    NN_TANH,
    NN_GELU,
    NN_LEAKY_RELU, /* a > 0 ? a : scalar * a */
    NN_EXP,
    NN_LOG,
    NN_SQRT,
    NN_SQUARE,
    NN_ABS,
    NN_NEGATE,
    NN_SOFTPLUS, /* log(1 + exp(a)) without overflow */
    NN_SCALE,    /* a * scalar */
    NN_OFFSET,   /* a + scalar */
    NN_DROPOUT,  /* 0 with probability `scalar`, else a / (1 - scalar); words from seed, stream, counter */
    NN_BINARY_FIRST_, /* from here on: two operands */
    NN_ADD = NN_BINARY_FIRST_,
    NN_SUBTRACT,
    NN_MULTIPLY,
    NN_DIVIDE,
    NN_MAXIMUM,
    NN_MINIMUM,
    NN_EQUAL, /* 1 or 0 */
    NN_POINTWISE_COUNT
} nn_pointwise_op;

/* forward: y = op(a, b). backward (unary only): a holds dy, b holds what the derivative needs (the op's y for
   RELU SIGMOID TANH EXP SQRT, else its x), y receives dx; all of one shape. y may be the same storage as a
   (in place). */
typedef struct nn_pointwise_args {
    nn_view y, a, b;
    nn_pointwise_op op;
    float scalar;
    bool accumulate;                /* y += */
    uint64_t seed, stream, counter; /* NN_DROPOUT: element i uses word i % 4 of Philox(seed, stream, counter +
                                       i / 4) and is kept when nn_word_to_uniform(word) >= scalar */
} nn_pointwise_args;

/* y = reduction of x over the axes set in `axes` (bit i: axis i); y has x's rank, with 1 in those axes. */
typedef struct nn_reduce_args {
    nn_view y, x;
    uint32_t axes;
    nn_reduction reduction;
    float scale; /* multiplies the result (after mean's division); normally 1 */
    bool accumulate;
    nn_view scratch;
} nn_reduce_args;

/* Over the last axis. forward: y = softmax(x) or log_softmax(x). backward: y holds the forward's result, dy,
   writes x (dx). */
typedef struct nn_softmax_args {
    nn_view y, x, dy;
    bool logarithm;
} nn_softmax_args;

/* torch.nn.CrossEntropyLoss with class indices. logits (N, C) or (N, C, d...) f32, label (N) or (N, d...)
   i32. forward writes loss (one number). backward writes logits' gradient into dlogits, times *dloss (one
   number; absent: 1). A label outside [0, C) that is not ignored sets the status word and counts as ignored.
   With every label ignored, mean is NaN as in PyTorch. */
typedef struct nn_cross_entropy_args {
    nn_view loss, logits, label;
    nn_view weight;         /* (C) or absent */
    nn_view dlogits, dloss; /* backward only */
    nn_reduction reduction;
    float label_smoothing;
    bool ignore; /* ignore_index counts */
    int32_t ignore_index;
    nn_view scratch, status;
    uint32_t step; /* for the status word */
} nn_cross_entropy_args;

/* y (one number) = fraction of rows of logits (N, C, ...) in which label is among the `top` largest values. Of
   equals the first counts as the larger, a NaN as larger than every number. A label outside [0, C) is none of
   them. */
typedef struct nn_accuracy_args {
    nn_view y, logits, label;
    nn_view scratch;
    int32_t top; /* 0 and 1: the largest only */
} nn_accuracy_args;

/* counts (C, C) i32 += 1 at [label, where the largest logit stands] for every row of logits (N, C, ...); equals
   and NaN as in accuracy. Read as unsigned, so that each counts to 2^32 - 1. A label outside [0, C) is left out:
   the loss reports it. Nothing is counted while the status word is set. */
typedef struct nn_confusion_args {
    nn_view counts, logits, label;
    nn_view scratch, status;
} nn_confusion_args;

typedef enum nn_optimizer {
    NN_OPTIMIZER_DEFAULT, /* NN_SGD */
    NN_SGD,               /* torch.optim.SGD */
    NN_ADAM,              /* torch.optim.Adam */
    NN_ADAMW              /* torch.optim.AdamW */
} nn_optimizer;

/* One parameter and what belongs to it; all f32 and of one shape. */
typedef struct nn_update_item {
    nn_view parameter, gradient;
    nn_view moment1; /* SGD: momentum buffer, absent without momentum; Adam: exp_avg */
    nn_view moment2; /* Adam: exp_avg_sq */
} nn_update_item;

/* PyTorch's formulas, in this order: gradient *= gradient_scale; weight decay; moments; step. Does nothing
   while the status word is set. `step` counts from 1. SGD's momentum buffer is the gradient itself at step 1. */
typedef struct nn_update_args {
    const nn_update_item *items;
    int32_t count;
    nn_optimizer optimizer;
    float learning_rate, weight_decay, momentum, dampening, beta1, beta2, epsilon;
    bool nesterov;
    int64_t step;
    nn_view gradient_scale; /* one number, or absent: 1; written by clip */
    nn_view status;
} nn_update_args;

/* torch.nn.utils.clip_grad_norm_: norm = sqrt(sum of squares over all items' gradients);
   scale (one number) = min(1, max_norm / (norm + 1e-6)). The gradients stay as they are; the update
   multiplies. */
typedef struct nn_clip_args {
    const nn_update_item *items;
    int32_t count;
    float max_norm;
    nn_view scale;
    nn_view norm; /* one number, or absent */
    nn_view scratch;
} nn_clip_args;

/* total[0] += value * weight, total[1] += weight: how losses and metrics gather on the device until they are
   read. check: a value that is NaN or infinite sets the status word (NN_FAULT_LOSS) first. Nothing is added
   while it is set. */
typedef struct nn_accumulate_args {
    nn_view total; /* f32 (2), or absent: only the check */
    nn_view value; /* one number */
    float weight;
    bool check;
    nn_view status;
    uint32_t step;
} nn_accumulate_args;

/* y = uniform numbers in [low, high): element i from word i % 4 of Philox(seed, stream, counter + i / 4). */
typedef struct nn_random_args {
    nn_view y;
    uint64_t seed, stream, counter;
    float low, high;
} nn_random_args;

/* A user's own operation. */
typedef struct nn_custom_args {
    nn_view output;
    nn_view input[8];
    int32_t input_count;
    nn_result (*function)(
        void *user,
        const struct nn_custom_args *args); /* CPU: runs on the calling thread, views are pointers */
    void *user;
    const char *source; /* text for devices that compile */
    const char *entry;
} nn_custom_args;

/* y[i] = x[index[i]]: whole rows of bytes, whatever the dtype. An index outside of x gives zeros. */
typedef struct nn_gather_args {
    nn_view y;     /* (N, ...) */
    nn_view x;     /* (count, ...), dtype of y */
    nn_view index; /* (N) i32 */
} nn_gather_args;

/* One row of numbers per sample says what becomes of its picture: drawn on the host (train/augment.h), so
   that every device has the same draws. All are f32. */
typedef enum nn_augment_column {
    NN_AUGMENT_TOP,              /* whole: the crop's first row in x; below 0 inside the padding */
    NN_AUGMENT_LEFT,             /* whole */
    NN_AUGMENT_FLIP,             /* 1: mirrored left to right; 0: not */
    NN_AUGMENT_MATRIX,           /* six, m0 to m5: where a pixel comes from, see nn_augment_args */
    NN_AUGMENT_BRIGHTNESS = 9,   /* factor; 1: as it is */
    NN_AUGMENT_CONTRAST,         /* factor; 1: as it is */
    NN_AUGMENT_CUT_TOP,          /* whole: the cut box in y, [top, bottom) x [left, right); empty: none */
    NN_AUGMENT_CUT_LEFT,
    NN_AUGMENT_CUT_BOTTOM,
    NN_AUGMENT_CUT_RIGHT,
    NN_AUGMENT_LAMBDA,  /* the sample's part of the mix; 1: nothing is mixed in */
    NN_AUGMENT_PARTNER, /* whole: the sample of this batch that is mixed in */
    NN_AUGMENT_COLUMNS
} nn_augment_column;

/* Pictures of bytes or numbers to augmented pictures of numbers, in this order, all in f32:
   v = x * scale + offset;
   brightness: v = clamp(v * factor), contrast: v = clamp(v * factor + mean * (1 - factor)), clamp to [0, 1],
     each left out where its factor is 1; mean: over the sample's pixels after brightness, of
     0.2989 r + 0.587 g + 0.114 b with 3 channels, else of all channels (torchvision's ColorJitter);
   crop of H' x W' at (top, left), 0 outside of x; mirrored if flip;
   affine: pixel (h, w) is the bilinear mix of the crop's four pixels around
     column (m0 p + m1 q) + (m2 + cx), row (m3 p + m4 q) + (m5 + cy), with p = w - cx, q = h - cy,
     cx = (W' - 1) / 2, cy = (H' - 1) / 2, computed in this order and not fused; 0 outside of the crop;
   v = (v - mean of the channel) / std of the channel;
   `fill` inside the cut box;
   y = lambda v + (1 - lambda) v of the partner, where lambda is not 1.
   Without a table x and y have one shape, of any rank, and only scale, offset, mean and std count; then y may
   also be i32 (of u8): x * scale + offset to the nearest whole number, INT32_MIN for what int32 cannot hold.
   Numbers in the table that make no sense read nothing out of bounds. */
typedef struct nn_augment_args {
    nn_view y;         /* (N, C, H', W') f32 */
    nn_view x;         /* (N, C, H, W) u8 or f32 */
    nn_view table;     /* (N, NN_AUGMENT_COLUMNS) f32, or absent */
    nn_view normalize; /* (2, C) f32: means, then stds; or absent: the next two */
    float mean[4], std[4]; /* of channels 0 to 3; further ones have 0 and 1 */
    float scale, offset, fill;
    bool contrast; /* false: the contrast column is not read */
    nn_view scratch;
} nn_augment_args;
