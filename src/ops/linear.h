/* ops/linear.h - the fully connected layer: torch.nn.Linear. */
#pragma once

#include "graph/model.h"

/* torch.nn.Linear: y = x W^T + b; x (..., in_features), W (out_features, in_features), b
   (out_features). */
typedef struct nn_linear_desc {
    int out_features; /* must be given */
    int in_features;  /* default: taken from x; if given, checked */
    bool no_bias;     /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: the parameters of the layer of this
                    name described before, if there is one: the layer applied to another input, its
                    gradients added */
} nn_linear_desc;

/* y = x W^T + b over the last extent of x (..., in_features). Parameters "name.weight"
   (out_features, in_features) and "name.bias" (out_features), both uniform in
   +-1/sqrt(in_features), as PyTorch does. */
NN_API nn_node *nn_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_linear_desc *desc);
#define nn_linear(...) nn_linear_at(NN_HERE, __VA_ARGS__)

/* nn_linear with a weight that lies the other way round: "name.weight" is (in_features,
   out_features), and y = x W + b. For files that have it so, as GPT-2's (transformers' Conv1D). */
NN_API nn_node *nn_linear_transposed_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                        const nn_linear_desc *desc);
#define nn_linear_transposed(...) nn_linear_transposed_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* On tensors of yours, at once. bias may be NULL. Scratch comes from the context
   (nn_desc.scratch_bytes). */

/* y (..., out_features) from x (..., in_features), weight (out_features, in_features), bias
   (out_features). */
NN_API nn_result nn_linear_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias);
#define nn_linear_forward(...) nn_linear_forward_at(NN_HERE, __VA_ARGS__)
/* Any of dx, dweight, dbias may be NULL: skipped. They are overwritten; accumulate: added to. */
NN_API nn_result nn_linear_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, bool accumulate);
#define nn_linear_backward(...) nn_linear_backward_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_linear_desc &desc) {
    return nn_linear_at(site, net, name, x, &desc);
}
inline nn_node *nn_linear_transposed_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                        const nn_linear_desc &desc) {
    return nn_linear_transposed_at(site, net, name, x, &desc);
}
}
#endif
