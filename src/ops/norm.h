/* ops/norm.h - normalisation: layer, rms, group and instance norm, and batch norm with its running
   statistics. torch.nn.LayerNorm, RMSNorm, GroupNorm, InstanceNorm1d/2d/3d, BatchNorm1d/2d/3d. */
#pragma once

#include "graph/model.h"

/* All norms compute y = (x - mean) / sqrt(variance + epsilon) * weight + bias. They differ in the
   set of elements over which mean and variance (divided by the count) are taken. "name.weight"
   starts as 1 and "name.bias" as 0. f32; x in f16 or bf16 is widened. An activation after the norm
   is fused into it. Output 1 is the mean and output 2 is 1 / sqrt(variance + epsilon) of each set;
   they have no gradient.

   For a set of one element the variance is 0 and y is the bias. PyTorch refuses that for group and
   instance norm in training; here it is refused if the shapes of the description show it. */

/* ---- layer_norm and rms_norm: over the last extents ------------------------------------------ */

typedef struct nn_layer_norm_desc {
    nn_shape normalized_shape; /* default: the last extent of x. Must equal the last extents of x */
    float epsilon;  /* default: 1e-5. Added to the variance inside the root; NN_NONE: 0 */
    bool no_affine; /* default: false, there are weight and bias */
    bool no_bias;   /* default: false, there is a bias if there is a weight */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one */
} nn_layer_norm_desc;

/* x (..., normalized_shape); its other extents may be symbolic. Parameters "name.weight" and
   "name.bias" (normalized_shape). desc may be NULL. */
NN_API nn_node *nn_layer_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 const nn_layer_norm_desc *desc);
#define nn_layer_norm(...) nn_layer_norm_at(NN_HERE, __VA_ARGS__)

typedef struct nn_rms_norm_desc {
    nn_shape normalized_shape; /* default: the last extent of x. Must equal the last extents of x */
    float epsilon;  /* default: 1.1920929e-7, torch.finfo(torch.float32).eps. Many models use 1e-6
                       or 1e-5 */
    bool no_affine; /* default: false, there is a weight */
    bool shared;    /* default: false, as nn_layer_norm_desc */
} nn_rms_norm_desc;

/* y = x / sqrt(mean(x^2) + epsilon) * weight; no mean is subtracted and there is no bias. Output 1
   is 1 / sqrt(mean(x^2) + epsilon). Source: Zhang and Sennrich, 2019. */
NN_API nn_node *nn_rms_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_rms_norm_desc *desc);
#define nn_rms_norm(...) nn_rms_norm_at(NN_HERE, __VA_ARGS__)

/* ---- group_norm and instance_norm: over the places of a sample ------------------------------- */

typedef struct nn_group_norm_desc {
    int num_groups;   /* must be given; divides the channels. 1: one set per sample */
    int num_channels; /* default: the channels of x; if given, checked */
    float epsilon;    /* default: 1e-5 */
    bool no_affine;   /* default: false, there are weight and bias */
    bool shared;      /* default: false, as nn_layer_norm_desc */
} nn_group_norm_desc;

/* x (N, C, ...): a set is C / num_groups channels of one sample, with all elements of these.
   Parameters "name.weight" and "name.bias" (C). Source: Wu and He, 2018. */
NN_API nn_node *nn_group_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 const nn_group_norm_desc *desc);
#define nn_group_norm(...) nn_group_norm_at(NN_HERE, __VA_ARGS__)

typedef struct nn_instance_norm_desc {
    float epsilon; /* default: 1e-5 */
    bool affine;   /* default: false, as in PyTorch: there is no weight and no bias */
    bool track_running_stats; /* default: false. true: as nn_batch_norm_desc does */
    float momentum; /* default: 0.1; see nn_batch_norm_desc */
    bool frozen;    /* default: false; see nn_batch_norm_desc */
    bool shared;    /* default: false, as nn_layer_norm_desc */
} nn_instance_norm_desc;

/* x (N, C, L ...): a set is one channel of one sample. With track_running_stats it has the buffers
   of nn_batch_norm2d, which follow the means over the samples; num_batches_tracked stays 0, as in
   PyTorch. desc may be NULL. */
NN_API nn_node *nn_instance_norm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                    const nn_instance_norm_desc *desc);
#define nn_instance_norm(...) nn_instance_norm_at(NN_HERE, __VA_ARGS__)

/* ---- batch_norm ------------------------------------------------------------------------------ */

typedef struct nn_batch_norm_desc {
    int num_features; /* default: the channels of x; if given, checked */
    float epsilon;    /* default: 1e-5 */
    float momentum; /* default: 0.1; NN_NONE: 0. running = (1 - momentum) running + momentum new */
    bool cumulative; /* default: false. true: the running statistics are the means over all batches
                        so far (PyTorch's momentum=None); .momentum is not used */
    bool no_affine;   /* default: false, there are weight and bias */
    bool no_running_stats; /* default: false. true: no buffers; every plan uses the batch's own
                              statistics (track_running_stats=False) */
    bool frozen; /* default: false. true: training uses the running statistics, too, and does not
                    change them, as with PyTorch's eval() of this layer alone. Weight and bias are
                    still trained, unless nn_freeze stops that */
    bool shared; /* default: false, the name must be new. true: uses the parameters and buffers of
                    the earlier layer of this name, if there is one; each use updates the buffers */
} nn_batch_norm_desc;

/* x (N, C) or (N, C, L), (N, C, H, W), and (N, C, D, H, W): a set is one channel of all samples.
   Parameters "name.weight" and "name.bias" (C), buffers "name.running_mean" (C), which starts as 0,
   "name.running_var" (C), which starts as 1, and "name.num_batches_tracked" (one i64, 0).

   A trainer's step normalises with the statistics of its batch and updates the buffers at its end.
   As in PyTorch, it normalises with the variance divided by the count, but running_var follows the
   variance divided by count - 1, which is output 3. A step that faults does not change the buffers.
   Every other plan, a trainer's evaluation included, uses the running statistics. A step with one
   element per channel has no variance and is refused (NN_ERROR_SHAPE); a loader's .drop_last avoids
   a last batch of one. desc may be NULL. Source: Ioffe and Szegedy, 2015. */
NN_API nn_node *nn_batch_norm1d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_batch_norm_desc *desc);
#define nn_batch_norm1d(...) nn_batch_norm1d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_batch_norm2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_batch_norm_desc *desc);
#define nn_batch_norm2d(...) nn_batch_norm2d_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_batch_norm3d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_batch_norm_desc *desc);
#define nn_batch_norm3d(...) nn_batch_norm3d_at(NN_HERE, __VA_ARGS__)

/* ---- immediate ------------------------------------------------------------------------------- */

/* Computes on tensors of yours immediately. Fields about parameters and running statistics are
   ignored. weight and bias may be NULL, which means 1 and 0. The outputs mean and rstd, the
   statistics of each set, may be NULL, too, but backward needs them. Their shape is x's with 1 in
   place of normalized_shape for layer_norm, (N, num_groups) for group_norm, and (C) for batch_norm.
   In backward each of dx, dweight and dbias may be NULL and is then skipped. They are overwritten,
   or added to with accumulate. Scratch comes from the context (nn_desc.scratch_bytes). */

NN_API nn_result nn_layer_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *mean,
                                          nn_tensor *rstd, const nn_tensor *x,
                                          const nn_tensor *weight, const nn_tensor *bias,
                                          const nn_layer_norm_desc *desc);
#define nn_layer_norm_forward(...) nn_layer_norm_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_rms_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *rstd,
                                        const nn_tensor *x, const nn_tensor *weight,
                                        const nn_rms_norm_desc *desc);
#define nn_rms_norm_forward(...) nn_rms_norm_forward_at(NN_HERE, __VA_ARGS__)
/* For instance_norm use num_groups = C. */
NN_API nn_result nn_group_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *mean,
                                          nn_tensor *rstd, const nn_tensor *x,
                                          const nn_tensor *weight, const nn_tensor *bias,
                                          const nn_group_norm_desc *desc);
#define nn_group_norm_forward(...) nn_group_norm_forward_at(NN_HERE, __VA_ARGS__)
/* Uses running_mean and running_var; if both are NULL, the statistics of x. variance (C) or NULL
   receives the batch's variance for updating running_var. epsilon 0 means 1e-5. */
NN_API nn_result nn_batch_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *mean,
                                          nn_tensor *rstd, nn_tensor *variance, const nn_tensor *x,
                                          const nn_tensor *weight, const nn_tensor *bias,
                                          const nn_tensor *running_mean,
                                          const nn_tensor *running_var, float epsilon);
#define nn_batch_norm_forward(...) nn_batch_norm_forward_at(NN_HERE, __VA_ARGS__)

NN_API nn_result nn_layer_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                           nn_tensor *dbias, const nn_tensor *dy,
                                           const nn_tensor *x, const nn_tensor *weight,
                                           const nn_tensor *mean, const nn_tensor *rstd,
                                           const nn_layer_norm_desc *desc, bool accumulate);
#define nn_layer_norm_backward(...) nn_layer_norm_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_rms_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                         const nn_tensor *dy, const nn_tensor *x,
                                         const nn_tensor *weight, const nn_tensor *rstd,
                                         const nn_rms_norm_desc *desc, bool accumulate);
#define nn_rms_norm_backward(...) nn_rms_norm_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_group_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                           nn_tensor *dbias, const nn_tensor *dy,
                                           const nn_tensor *x, const nn_tensor *weight,
                                           const nn_tensor *mean, const nn_tensor *rstd,
                                           const nn_group_norm_desc *desc, bool accumulate);
#define nn_group_norm_backward(...) nn_group_norm_backward_at(NN_HERE, __VA_ARGS__)
/* frozen: mean and rstd came from running statistics and do not depend on x. */
NN_API nn_result nn_batch_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                           nn_tensor *dbias, const nn_tensor *dy,
                                           const nn_tensor *x, const nn_tensor *weight,
                                           const nn_tensor *mean, const nn_tensor *rstd,
                                           bool frozen, bool accumulate);
#define nn_batch_norm_backward(...) nn_batch_norm_backward_at(NN_HERE, __VA_ARGS__)
