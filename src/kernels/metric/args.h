/* kernels/metric/args.h - the accuracy, the confusion matrix, and the totals of losses and
   metrics. */
#pragma once

#include "device/types.h"

/* y (one number) = fraction of rows of logits (N, C, ...) in which label is among the `top` largest
   values. Among equal values the first counts as larger, and NaN as larger than every number. A
   label outside [0, C) is never among them. */
typedef struct nn_accuracy_args {
    nn_view y, logits, label;
    nn_view scratch;
    int32_t top; /* 0 and 1: the largest only */
} nn_accuracy_args;

/* counts (C, C) i32 += 1 at [label, index of the largest logit] for every row of logits (N, C,
   ...); equal values and NaN as in accuracy. They are read as unsigned and count to 2^32 - 1. A
   label outside [0, C) is skipped; the loss reports it. Nothing is counted while the status word is
   set. */
typedef struct nn_confusion_args {
    nn_view counts, logits, label;
    nn_view scratch, status;
} nn_confusion_args;

/* total[0] += value * weight, total[1] += weight: losses and metrics are summed on the device until
   they are read. check: a value that is NaN or infinite sets the status word (NN_FAULT_LOSS) first.
   Nothing is added while it is set. With `sums`: total[i] += value[i] for `sums` numbers, without
   weight and check; total[sums + i] accumulates the rounding errors of these additions. */
typedef struct nn_accumulate_args {
    nn_view total; /* f32 (2), or absent: only the check; f32 (2 * sums) */
    nn_view value; /* one number, or `sums` */
    int32_t sums;
    float weight;
    bool check;
    nn_view status;
    uint32_t step;
} nn_accumulate_args;

/* Views and numbers: see kernels/list.h. */
#define NN_ACCURACY_VIEWS(VIEW, ITEM)                                                              \
    VIEW(OUT, y, 1) VIEW(IN, logits, 1) VIEW(IN, label, 1) VIEW(SCRATCH, scratch, 1)
#define NN_CONFUSION_VIEWS(VIEW, ITEM)                                                             \
    VIEW(CHANGED, counts, 1) VIEW(IN, logits, 1) VIEW(IN, label, 1) VIEW(SCRATCH, scratch, 1)      \
    VIEW(IN, status, 1)
#define NN_ACCUMULATE_VIEWS(VIEW, ITEM)                                                            \
    VIEW(CHANGED, total, 1) VIEW(IN, value, 1) VIEW(CHANGED, status, 1)
#define NN_ACCURACY_NUMBERS(INT, REAL, OTHER) INT(top)
#define NN_CONFUSION_NUMBERS(INT, REAL, OTHER)
#define NN_ACCUMULATE_NUMBERS(INT, REAL, OTHER) INT(sums) REAL(weight) INT(check) OTHER(step)
