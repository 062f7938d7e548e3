/* ops/conv2d.h - two-dimensional convolution. torch.nn.Conv2d. */
#pragma once

#include "device/params.h"
#include "graph/model.h"

/* Parameters "name.weight" (K, C / groups, R, S) and "name.bias" (K), both uniform in +-1/sqrt(C / groups * R
     S). */
NN_API nn_node *nn_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv2d_desc *desc);
#define nn_conv2d(...) nn_conv2d_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------ */

/* out_channels and kernel are taken from weight when the desc leaves them 0. bias may be NULL. */

NN_API nn_result nn_conv2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, const nn_tensor *weight,
                                      const nn_tensor *bias, const nn_conv2d_desc *desc);
#define nn_conv2d_forward(...) nn_conv2d_forward_at(NN_HERE, __VA_ARGS__)
/* Any of dx, dweight, dbias may be NULL: skipped. They are overwritten; accumulate: added to. */
NN_API nn_result nn_conv2d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight, nn_tensor *dbias,
                                       const nn_tensor *dy, const nn_tensor *x, const nn_tensor *weight,
                                       const nn_conv2d_desc *desc, bool accumulate);
#define nn_conv2d_backward(...) nn_conv2d_backward_at(NN_HERE, __VA_ARGS__)
/* Bytes of scratch that the three kernels of such a convolution want at most; it must fit
   nn_desc.scratch_bytes. */
NN_API uint64_t nn_conv2d_scratch_bytes(const nn_tensor *y, const nn_tensor *x, const nn_tensor *weight,
                                        const nn_conv2d_desc *desc);

#ifdef __cplusplus
extern "C++" {
inline nn_node *nn_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv2d_desc &desc) {
    return nn_conv2d_at(site, net, name, x, &desc);
}
}
#endif
