/* ops/local_response_norm.h - divides each element by the strength of its neighbours in other
   channels. torch.nn.LocalResponseNorm. */
#pragma once

#include "graph/model.h"

typedef struct nn_local_response_norm_desc {
    int size;    /* must be given: number of neighbouring channels */
    float alpha; /* default: 1e-4; NN_NONE: 0 */
    float beta;  /* default: 0.75; NN_NONE: 0 */
    float k;     /* default: 1; NN_NONE: 0 */
} nn_local_response_norm_desc;

/* y = x / (k + alpha a)^beta, where a is the mean of x^2 over `size` channels: size / 2 before this
   one and (size - 1) / 2 after it. Channels outside of x count as 0. x (N, C, L ...) f32; only the
   first extent may be symbolic. Source: Krizhevsky, Sutskever and Hinton, 2012. */
NN_API nn_node *nn_local_response_norm_at(nn_site site, nn_model *net, nn_node *x,
                                          const nn_local_response_norm_desc *desc);
#define nn_local_response_norm(...) nn_local_response_norm_at(NN_HERE, __VA_ARGS__)
