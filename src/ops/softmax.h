/* ops/softmax.h - softmax, log_softmax and softmin, as torch.softmax, torch.log_softmax and
   torch.nn.functional.softmin. */
#pragma once

#include "graph/model.h"

/* (net, x) works over the last axis, (net, x, axis) over any axis; a negative one counts from the
   end. For an axis other than the last, x is transposed and y back. torch.nn.Softmax2d is
   nn_softmax(net, x, -3). f32, at least one axis. */
#define nn_softmax(...)     NN__SOFTMAX(nn_softmax, __VA_ARGS__)
#define nn_log_softmax(...) NN__SOFTMAX(nn_log_softmax, __VA_ARGS__)
/* torch.nn.functional.softmin: the softmax of -x. */
#define nn_softmin(...) NN__SOFTMAX(nn_softmin, __VA_ARGS__)

NN_API nn_node *nn_softmax_at(nn_site site, nn_model *net, nn_node *x);
NN_API nn_node *nn_log_softmax_at(nn_site site, nn_model *net, nn_node *x);
NN_API nn_node *nn_softmin_at(nn_site site, nn_model *net, nn_node *x);
NN_API nn_node *nn_softmax_over_at(nn_site site, nn_model *net, nn_node *x, int axis);
NN_API nn_node *nn_log_softmax_over_at(nn_site site, nn_model *net, nn_node *x, int axis);
NN_API nn_node *nn_softmin_over_at(nn_site site, nn_model *net, nn_node *x, int axis);

/* Chooses by the number of arguments, two or three. EXPAND is for MSVC, which passes __VA_ARGS__ as
   one argument. */
#define NN__SOFTMAX_EXPAND(x)                  x
#define NN__SOFTMAX_PICK(net, x, axis, it, ...) it
#define NN__SOFTMAX(name, ...)                                                                     \
    NN__SOFTMAX_EXPAND(NN__SOFTMAX_PICK(__VA_ARGS__, name##_over_at, name##_at, 0)(NN_HERE,        \
                                                                                   __VA_ARGS__))

/* ---- immediate. logarithm: log_softmax. backward takes the forward's y. ---------------------- */
NN_API nn_result nn_softmax_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                       bool logarithm);
#define nn_softmax_forward(...) nn_softmax_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_softmax_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                        const nn_tensor *y, bool logarithm);
#define nn_softmax_backward(...) nn_softmax_backward_at(NN_HERE, __VA_ARGS__)
