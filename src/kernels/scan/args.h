/* kernels/scan/args.h - running sums, products and extremes along one axis. */
#pragma once

#include "base/result.h"
#include "device/types.h"

typedef enum nn_scan {
    NN_SCAN_SUM, /* in double or with Kahan's compensation, for exact sums along long axes */
    NN_SCAN_PRODUCT,
    NN_SCAN_LOGSUMEXP, /* log of the sum of exp(x), without overflow */
    NN_SCAN_MAX,       /* of equal ones the last; NaN from the first NaN on, as in PyTorch */
    NN_SCAN_MIN
} nn_scan;

/* y[i] = x[0] + ... + x[i] along `axis`; reverse: x[i] + ... + x[n - 1]; or with the kind's
   operation instead of +. It is computed sequentially, so every device uses the same order. f32; y
   may be x. */
typedef struct nn_scan_args {
    nn_view y, x;
    int32_t axis;
    bool reverse;
    nn_scan kind;
    nn_view index; /* index of each extreme, i32; or absent */
} nn_scan_args;

/* The gradients of NN_SCAN_PRODUCT and NN_SCAN_LOGSUMEXP (not reversed), computed from the end:
     product:   dx[i] = g[i] y[i - 1],          g[i] = dy[i] + g[i + 1] x[i + 1]
     logsumexp: dx[i] = g[i] exp(x[i] - y[i]),  g[i] = dy[i] + g[i + 1] exp(y[i] - y[i + 1])
   There is no division, so zero factors and numbers beyond exp's range do no harm. dx may be dy. */
typedef struct nn_scan_backward_args {
    nn_view dx, dy, x, y;
    int32_t axis;
    nn_scan kind;
} nn_scan_backward_args;

/* Views and numbers: see kernels/list.h. */
#define NN_SCAN_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(OUT, index, 1) VIEW(IN, x, 1)
#define NN_SCAN_BACKWARD_VIEWS(VIEW, ITEM)                                                         \
    VIEW(OUT, dx, 1) VIEW(IN, dy, 1) VIEW(IN, x, 1) VIEW(IN, y, 1)
#define NN_SCAN_NUMBERS(INT, REAL, OTHER) INT(axis) INT(reverse) INT(kind)
#define NN_SCAN_BACKWARD_NUMBERS(INT, REAL, OTHER) INT(axis) INT(kind)
