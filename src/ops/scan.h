/* ops/scan.h - running products, log-sum-exps and extremes along an axis. torch.cumprod,
   torch.logcumsumexp, torch.cummax, torch.cummin. A negative axis counts from the end. f32. */
#pragma once

#include "graph/model.h"
#include "tensor/tensor.h"

/* y[i] = x[0] * ... * x[i]. The gradient uses no division, so zeros in x do no harm. */
NN_API nn_node *nn_cumprod_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_cumprod(...) nn_cumprod_at(NN_HERE, __VA_ARGS__)
/* y[i] = log(exp(x[0]) + ... + exp(x[i])), without overflow. */
NN_API nn_node *nn_logcumsumexp_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_logcumsumexp(...) nn_logcumsumexp_at(NN_HERE, __VA_ARGS__)
/* y[i] = the largest of x[0] ... x[i], and NaN from the first NaN on. nn_output(y, 1): its index,
   i32; of equal ones the last, as in PyTorch. */
NN_API nn_node *nn_cummax_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_cummax(...) nn_cummax_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_cummin_at(nn_site site, nn_model *net, nn_node *x, int axis);
#define nn_cummin(...) nn_cummin_at(NN_HERE, __VA_ARGS__)

/* Immediate. y has x's shape and may be x. */
NN_API nn_result nn_cumprod_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis);
#define nn_cumprod_forward(...) nn_cumprod_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_logcumsumexp_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                            int axis);
#define nn_logcumsumexp_forward(...) nn_logcumsumexp_forward_at(NN_HERE, __VA_ARGS__)
/* index may be NULL. The gradient is nn_gather_backward(dx, dy, axis, index, accumulate). */
NN_API nn_result nn_cummax_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                      const nn_tensor *x, int axis);
#define nn_cummax_forward(...) nn_cummax_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_cummin_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                      const nn_tensor *x, int axis);
#define nn_cummin_forward(...) nn_cummin_forward_at(NN_HERE, __VA_ARGS__)
/* dx is overwritten; y is the forward result. */
NN_API nn_result nn_cumprod_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                        const nn_tensor *x, const nn_tensor *y, int axis);
#define nn_cumprod_backward(...) nn_cumprod_backward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_logcumsumexp_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                             const nn_tensor *x, const nn_tensor *y, int axis);
#define nn_logcumsumexp_backward(...) nn_logcumsumexp_backward_at(NN_HERE, __VA_ARGS__)
