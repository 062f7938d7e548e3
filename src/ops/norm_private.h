/* ops/norm_private.h - what the norms share: params with defaults filled in, the check of
   shapes, and the division of x into sets that are normalised together. */
#pragma once

#include "ops/norm.h"
#include "ops/private.h"

typedef enum nn__op_norm_kind {
    NN__OP_LAYER_NORM, /* also rms_norm */
    NN__OP_GROUP_NORM,
    NN__OP_INSTANCE_NORM,
    NN__OP_BATCH_NORM
} nn__op_norm_kind;

/* Inputs: x, weight and bias (if any), running_mean and running_var (if tracked). Outputs: y,
   mean (not for rms), rstd, and the variance (if tracked). */
typedef struct nn__op_norm_params {
    nn__op_norm_kind kind;
    nn_shape normalized; /* layer_norm; rank 0: the last extent */
    int groups, features;
    int least, most; /* batch_norm: smallest and largest rank of x */
    float epsilon, momentum;
    bool rms, affine, bias, tracked, frozen, cumulative, shared;
    bool missing; /* the caller gave no desc although it is required */
} nn__op_norm_params;

NN_PRIVATE bool nn__op_norm_infer(nn__inference *inference);
/* Returns the shape of mean and rstd. */
NN_PRIVATE nn_shape nn__op_norm_sets(const nn__op_norm_params *params, nn_shape x);
/* given: normalises by running statistics. x has no symbolic extents. */
NN_PRIVATE nn_norm_cut nn__op_norm_cut(const nn__op_norm_params *params, nn_shape x, bool given);

static inline NN__UNUSED nn__op_norm_params nn__op_norm_start(nn__op_norm_kind kind,
                                                              float epsilon) {
    nn__op_norm_params params;
    memset(&params, 0, sizeof params);
    params.kind = kind;
    params.epsilon = nn__or_default(epsilon, 1e-5f);
    params.affine = params.bias = true;
    return params;
}
/* desc NULL: all defaults; for group_norm it sets params.missing. */
NN_PRIVATE nn__op_norm_params nn__op_layer_norm_params(const nn_layer_norm_desc *desc);
NN_PRIVATE nn__op_norm_params nn__op_rms_norm_params(const nn_rms_norm_desc *desc);
NN_PRIVATE nn__op_norm_params nn__op_group_norm_params(const nn_group_norm_desc *desc);

#ifndef NN_NO_TRAINING
/* The params of norm_backward. Inputs: dy, x, rstd, then the mean (not for rms), then the weight
   (if any). */
typedef struct nn__op_norm_back {
    nn__op_norm_params norm;
    int gives[3], count; /* the wanted gradients, in the order of the outputs */
} nn__op_norm_back;
enum { NN__OP_NORM_DX, NN__OP_NORM_DWEIGHT, NN__OP_NORM_DBIAS };
NN_PRIVATE void nn__op_norm_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
/* Adds the update of the running statistics of `node` at the end of a training step. */
NN_PRIVATE void nn__op_norm_track(nn_site site, nn_node *node, nn_node *running_mean,
                                  nn_node *running_var, nn_node *count);
#endif
