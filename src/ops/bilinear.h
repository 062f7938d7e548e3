/* ops/bilinear.h - a bilinear layer of two inputs. torch.nn.Bilinear. */
#pragma once

#include "graph/model.h"

typedef struct nn_bilinear_desc {
    int in1_features; /* default: the last extent of x1; if given, checked */
    int in2_features; /* default: the last extent of x2; if given, checked */
    int out_features; /* must be given */
    bool no_bias;     /* default: false, there is a bias */
    bool shared; /* default: false, the name must be new. true: uses the parameters of the earlier
                    layer of this name, if there is one */
} nn_bilinear_desc;

/* y (..., out) = x1^T weight[out] x2 + bias for x1 (..., in1) and x2 (..., in2), whose other
   extents are equal; f32. Parameters "name.weight" (out, in1, in2) and "name.bias" (out) are both
   uniform in +-1 / sqrt(in1), as in PyTorch. A plan's memory holds the products of both inputs, in1
   * in2 numbers per row. */
NN_API nn_node *nn_bilinear_at(nn_site site, nn_model *net, const char *name, nn_node *x1,
                               nn_node *x2, const nn_bilinear_desc *desc);
#define nn_bilinear(...) nn_bilinear_at(NN_HERE, __VA_ARGS__)
