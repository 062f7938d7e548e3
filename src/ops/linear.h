/* ops/linear.h - the fully connected layer: torch.nn.Linear. */
#pragma once

#include "graph/model.h"

/* Options of torch.nn.Linear: y = x W^T + b. */
typedef struct nn_linear_desc {
    int out_features; /* must be given */
    int in_features;  /* default: taken from x; if given, checked */
    bool no_bias;     /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one; gradients are added */
} nn_linear_desc;

/* Describes y = x W^T + b for x (..., in_features). Parameters are "name.weight" (out_features,
   in_features) and "name.bias" (out_features), both uniform in +-1 / sqrt(in_features), as in
   PyTorch. */
NN_API nn_node *nn_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_linear_desc *desc);
#define nn_linear(...) nn_linear_at(NN_HERE, __VA_ARGS__)

/* Describes nn_linear with a transposed weight: "name.weight" is (in_features, out_features), and y
   = x W + b. Some files store the weight this way, such as GPT-2's (transformers' Conv1D). */
NN_API nn_node *nn_linear_transposed_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                        const nn_linear_desc *desc);
#define nn_linear_transposed(...) nn_linear_transposed_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* Computes on tensors of yours immediately. bias may be NULL. Scratch comes from the context
   (nn_desc.scratch_bytes). */

/* x (..., in_features), weight (out_features, in_features), bias (out_features), y (...,
   out_features). */
NN_API nn_result nn_linear_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias);
#define nn_linear_forward(...) nn_linear_forward_at(NN_HERE, __VA_ARGS__)
/* Computes dx, dweight and dbias, of which any may be NULL and is then skipped. The results are
   overwritten, or added to with accumulate. */
NN_API nn_result nn_linear_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, bool accumulate);
#define nn_linear_backward(...) nn_linear_backward_at(NN_HERE, __VA_ARGS__)
