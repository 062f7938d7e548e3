/* ops/pointwise.h - softplus, copies and dropout. The other functions that work element by element
   are in ops/table.h. */
#pragma once

#include "graph/model.h"

/* torch.nn.Softplus: log(1 + exp(beta x)) / beta, and x itself where beta x is above the
   threshold. */
typedef struct nn_softplus_desc {
    float beta;      /* default: 1; not 0 */
    float threshold; /* default: 20; NN_NONE: 0 */
} nn_softplus_desc;
NN_API nn_node *nn_softplus_at(nn_site site, nn_model *net, nn_node *x,
                               const nn_softplus_desc *desc);
#define nn_softplus(...) nn_softplus_at(NN_HERE, __VA_ARGS__)

/* torch.clone: a copy of x, of any dtype. nn_copy copies tensors. */
NN_API nn_node *nn_clone_at(nn_site site, nn_model *net, nn_node *x);
#define nn_clone(...) nn_clone_at(NN_HERE, __VA_ARGS__)

/* torch.nn.Dropout: in a trainer's steps each element is 0 with this probability, else x / (1 -
   probability). In other plans the result is x itself and costs nothing. */
NN_API nn_node *nn_dropout_at(nn_site site, nn_model *net, nn_node *x, float probability);
#define nn_dropout(...) nn_dropout_at(NN_HERE, __VA_ARGS__)

/* ---- immediate -------------------------------------------------------------------------------
   The result may be exactly the memory of an operand (in place), and must not overlap one in any
   other way. */

NN_API nn_result nn_softplus_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                        const nn_softplus_desc *desc);
#define nn_softplus_forward(...) nn_softplus_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* All tensors have one shape. */
NN_API nn_result nn_softplus_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                         const nn_tensor *x, const nn_softplus_desc *desc,
                                         bool accumulate);
#define nn_softplus_backward(...) nn_softplus_backward_at(NN_HERE, __VA_ARGS__)
#endif
