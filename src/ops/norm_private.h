/* ops/norm_private.h - what the norms share: their numbers with every default filled in, the check
   of shapes, and how x is cut into sets. */
#pragma once

#include "ops/norm.h"
#include "ops/private.h"

typedef enum nn__op_norm_kind {
    NN__OP_LAYER_NORM, /* rms_norm too */
    NN__OP_GROUP_NORM,
    NN__OP_INSTANCE_NORM,
    NN__OP_BATCH_NORM
} nn__op_norm_kind;

/* Inputs of a node: x, then weight and bias, where there are any, then running_mean and running_var
   of a tracked one. Outputs: y, then the mean but for rms, rstd, and the variance of a tracked
   one. */
typedef struct nn__op_norm_params {
    nn__op_norm_kind kind;
    nn_shape normalized; /* layer_norm; rank 0: the last extent */
    int groups, features;
    int least, most; /* extents that x may have; batch_norm */
    float epsilon, momentum;
    bool rms, affine, bias, tracked, frozen, cumulative, shared;
    bool missing; /* a desc that must be given was NULL */
} nn__op_norm_params;

NN_PRIVATE bool nn__op_norm_infer(nn__inference *inference);
/* Shape of mean and rstd. */
NN_PRIVATE nn_shape nn__op_norm_sets(const nn__op_norm_params *params, nn_shape x);
/* given: normalised by running statistics. x without free extents. */
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
/* desc NULL: all defaults; of group_norm: params.missing. */
NN_PRIVATE nn__op_norm_params nn__op_layer_norm_params(const nn_layer_norm_desc *desc);
NN_PRIVATE nn__op_norm_params nn__op_rms_norm_params(const nn_rms_norm_desc *desc);
NN_PRIVATE nn__op_norm_params nn__op_group_norm_params(const nn_group_norm_desc *desc);

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__op_norm_gradient(nn__tape *tape, nn_node *node, nn_node *dy);
/* At the end of a step the running statistics of the norm `node` move. */
NN_PRIVATE void nn__op_norm_track(nn_site site, nn_node *node, nn_node *running_mean,
                                  nn_node *running_var, nn_node *count);
#endif
