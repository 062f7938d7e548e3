/* ops/softmax.h - softmax and log_softmax over the last axis. torch.softmax(x, -1),
   torch.log_softmax(x, -1). */
#pragma once

#include "graph/model.h"

NN_API nn_node *nn_softmax_at(nn_site site, nn_model *net, nn_node *x);
#define nn_softmax(...) nn_softmax_at(NN_HERE, __VA_ARGS__)
NN_API nn_node *nn_log_softmax_at(nn_site site, nn_model *net, nn_node *x);
#define nn_log_softmax(...) nn_log_softmax_at(NN_HERE, __VA_ARGS__)

/* ---- immediate. logarithm: log_softmax. backward takes the forward's y. ---------------------- */
NN_API nn_result nn_softmax_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                       bool logarithm);
#define nn_softmax_forward(...) nn_softmax_forward_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_softmax_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                        const nn_tensor *y, bool logarithm);
#define nn_softmax_backward(...) nn_softmax_backward_at(NN_HERE, __VA_ARGS__)
