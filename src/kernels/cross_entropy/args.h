/* kernels/cross_entropy/args.h - the cross entropy with class indices and its gradient. */
#pragma once

#include "device/types.h"
#include "kernels/reduce/args.h"

/* torch.nn.CrossEntropyLoss with class indices. logits (N, C) or (N, C, d...) f32, label (N) or (N,
   d...) i32. forward writes loss (one number). backward writes the gradient of logits, times dloss
   (one number; absent: 1), to dlogits. A label outside [0, C) that is not ignored sets the status
   word and counts as ignored. With every label ignored, mean is NaN as in PyTorch. Without
   reduction, loss and dloss have label's shape: 0 where a label is ignored, NaN where it is
   wrong. On devices with nn_device_limits.gpu, dlogits may be the memory of logits, if both have
   the same dtype. */
typedef struct nn_cross_entropy_args {
    nn_view loss, logits, label;
    nn_view weight;         /* (C) or absent */
    nn_view dlogits, dloss; /* backward only */
    nn_reduction reduction; /* NN_MEAN, NN_SUM or NN_REDUCTION_NONE */
    float label_smoothing;
    bool log_probabilities; /* torch.nn.NLLLoss: no softmax, the smoothing is 0 */
    bool ignore;            /* ignore_index is used */
    int32_t ignore_index;
    nn_view scratch, status;
    uint32_t step; /* for the status word */
} nn_cross_entropy_args;

/* Views and numbers: see kernels/list.h. */
#define NN_CROSS_ENTROPY_FORWARD_VIEWS(VIEW, ITEM)                                                 \
    VIEW(OUT, loss, 1) VIEW(IN, logits, 1) VIEW(IN, label, 1) VIEW(IN, weight, 1)                  \
    VIEW(SCRATCH, scratch, 1) VIEW(CHANGED, status, 1)
#define NN_CROSS_ENTROPY_BACKWARD_VIEWS(VIEW, ITEM)                                                \
    VIEW(IN, loss, 1) VIEW(IN, logits, 1) VIEW(IN, label, 1) VIEW(IN, weight, 1)                   \
    VIEW(OUT, dlogits, 1) VIEW(IN, dloss, 1) VIEW(SCRATCH, scratch, 1) VIEW(CHANGED, status, 1)
#define NN_CROSS_ENTROPY_FORWARD_NUMBERS(INT, REAL, OTHER)                                         \
    INT(reduction) REAL(label_smoothing) INT(log_probabilities) INT(ignore) INT(ignore_index)      \
    OTHER(step) OTHER(dlogits) OTHER(dloss)
#define NN_CROSS_ENTROPY_BACKWARD_NUMBERS(INT, REAL, OTHER)                                        \
    NN_CROSS_ENTROPY_FORWARD_NUMBERS(INT, REAL, OTHER)

/* forward, backward and accumulate (kernels/metric) of a step's loss in one launch, in this order,
   for devices where a launch takes longer than these kernels. reduction is NN_MEAN or NN_SUM. */
typedef struct nn_cross_entropy_head_args {
    nn_cross_entropy_args entropy;
    nn_view total; /* f32 (2), or absent */
    float weight;
    bool check;
    nn_precision precision; /* of products that a device computes with it. DEFAULT: HIGHEST */
} nn_cross_entropy_head_args;

#define NN_CROSS_ENTROPY_HEAD_VIEWS(VIEW, ITEM)                                                    \
    VIEW(OUT, entropy.loss, 1) VIEW(IN, entropy.logits, 1) VIEW(IN, entropy.label, 1)              \
    VIEW(IN, entropy.weight, 1) VIEW(OUT, entropy.dlogits, 1) VIEW(IN, entropy.dloss, 1)           \
    VIEW(CHANGED, total, 1) VIEW(SCRATCH, entropy.scratch, 1) VIEW(CHANGED, entropy.status, 1)
#define NN_CROSS_ENTROPY_HEAD_NUMBERS(INT, REAL, OTHER)                                            \
    INT(entropy.reduction) REAL(entropy.label_smoothing) INT(entropy.log_probabilities)            \
    INT(entropy.ignore) INT(entropy.ignore_index) OTHER(entropy.step) REAL(weight) INT(check) \
    OTHER(precision)
