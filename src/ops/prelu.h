/* ops/prelu.h - a leaky relu with a trained slope. torch.nn.PReLU. */
#pragma once

#include "graph/model.h"

typedef struct nn_prelu_desc {
    /* default: 1, one slope for all channels; else x's number of channels, one slope each */
    int num_parameters;
    float init;         /* default: 0.25. The initial slope; NN_NONE: 0 */
    bool shared; /* default: false, the name must be new. true: uses the slopes of the earlier layer
                    of this name, if there is one; gradients are added */
} nn_prelu_desc;

/* y = x where x > 0, else weight * x. x f32 of any shape; its channels are the second extent.
   Parameter "name.weight" (num_parameters). desc may be NULL. For slopes that are not a parameter:
   nn_expression(net, "x > 0 ? x : w * x", x, w). Source: He et al., 2015. */
NN_API nn_node *nn_prelu_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                            const nn_prelu_desc *desc);
#define nn_prelu(...) nn_prelu_at(NN_HERE, __VA_ARGS__)
