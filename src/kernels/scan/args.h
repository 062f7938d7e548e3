/* kernels/scan/args.h - running sums along one axis. */
#pragma once

#include "base/result.h"
#include "device/types.h"

/* y[i] = x[0] + ... + x[i] along `axis`; reverse: x[i] + ... + x[n - 1]. Added one after the other
   with Kahan's compensation, so that long axes keep their digits and every device adds in the same
   order. f32; y may be x. */
typedef struct nn_scan_args {
    nn_view y, x;
    int32_t axis;
    bool reverse;
} nn_scan_args;

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_SCAN_VIEWS(VIEW, ITEM) VIEW(OUT, y, 1) VIEW(IN, x, 1)
