/* kernels/update/args.h - the step of an optimizer, and the norm that clips gradients. */
#pragma once

#include "device/types.h"
#include "kernels/update/choices.h"

/* One parameter with its gradient and moments; all f32 and of one shape. */
typedef struct nn_update_item {
    nn_view parameter, gradient;
    nn_view moment1; /* SGD: momentum buffer, absent without momentum; Adam: exp_avg */
    nn_view moment2; /* Adam: exp_avg_sq */
} nn_update_item;

/* PyTorch's formulas, in this order: gradient *= gradient_scale; weight decay; moments; step. Does
   nothing while the status word is set. `step` counts from 1. SGD's momentum buffer is the gradient
   itself at step 1. */
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

/* torch.nn.utils.clip_grad_norm_: norm = sqrt(sum of squares over all items' gradients); scale (one
   number) = min(1, max_norm / (norm + 1e-6)). The gradients are not changed; the update multiplies
   by scale. */
typedef struct nn_clip_args {
    const nn_update_item *items;
    int32_t count;
    float max_norm;
    nn_view scale;
    nn_view norm; /* one number, or absent */
    nn_view scratch;
} nn_clip_args;

/* Views and numbers: see kernels/list.h. */
#define NN_UPDATE_VIEWS(VIEW, ITEM)                                                                \
    ITEM(CHANGED, items, count, parameter, 1) ITEM(IN, items, count, gradient, 1)                  \
    ITEM(CHANGED, items, count, moment1, 1) ITEM(CHANGED, items, count, moment2, 1)                \
    VIEW(IN, gradient_scale, 1) VIEW(IN, status, 1)
#define NN_CLIP_VIEWS(VIEW, ITEM)                                                                  \
    ITEM(IN, items, count, gradient, 1) VIEW(OUT, scale, 1) VIEW(OUT, norm, 1)                     \
    VIEW(SCRATCH, scratch, 1)
#define NN_UPDATE_NUMBERS(INT, REAL, OTHER)                                                        \
    OTHER(items) OTHER(count) INT(optimizer) REAL(learning_rate) REAL(weight_decay) REAL(momentum) \
    REAL(dampening) REAL(beta1) REAL(beta2) REAL(epsilon) INT(nesterov) OTHER(step)
#define NN_CLIP_NUMBERS(INT, REAL, OTHER) OTHER(items) OTHER(count) REAL(max_norm)
