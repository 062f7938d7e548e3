/* ops/autocast.h - mixed precision as torch.autocast has it: activations are stored in bf16 or f16,
   and parameters, norms, losses and softmax are f32. */
#pragma once

#include "graph/model.h"

#ifndef NN_NO_MIXED_PRECISION
/* The operations described between the two calls round and store as torch.autocast does. dtype is
   NN_BF16 or NN_F16:

     nn_autocast_begin(net, NN_BF16);
     y = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){.out_features = 512}));
     nn_autocast_end(net);

   - Products (nn_linear, nn_matmul, nn_bilinear, convolutions, attention, and layers made of them)
     round both operands to dtype, weights included, and sum in f32. Their biases and the steps of
     recurrent layers stay f32.
   - Results of products are stored in dtype until they are read. So are results of element-wise
     operations, poolings, nn_resize, batch and instance norms and rearrangements, if all floats
     that they read are stored so. The sum of an f32 and a bf16 value is f32.
   - These compute and store in f32: layer, rms and group norms, softmax, losses, metrics, sums and
     other reductions, distances, cumulative sums, and exp, expm1, log, log2, log10, log1p, pow,
     reciprocal, rsqrt, sinh, cosh, tan and softplus.

   The list is PyTorch's for CUDA: https://docs.pytorch.org/docs/stable/amp.html#op-eligibility.

   The returned nodes are f32: what a program downloads is the result before it was rounded. Only
   what other operations read, and what is kept for the backward pass, is rounded, by steps "cast"
   of the plan. relu, max pooling, dropout and rearrangements read their input before it is rounded,
   which saves a pass. Parameters stay f32, so optimizers, checkpoints and nn_save_weights are those
   of an f32 net. Gradients are f32: with NN_F16 no loss has to be scaled (torch.amp.GradScaler).

   On devices with matrix units, products of such layers may round their f32 operands as with
   NN_PRECISION_MEDIUM (NN_F16: NN_PRECISION_HIGH), in forward and backward pass. On others nothing
   gets faster by it; it halves the memory of activations, at the price of the casts. Regions cannot
   be nested. For inference alone, weights in half the memory (nn_model_desc.dtype) are better. */
NN_API void nn_autocast_begin_at(nn_site site, nn_model *net, nn_dtype dtype);
#define nn_autocast_begin(...) nn_autocast_begin_at(NN_HERE, __VA_ARGS__)
NN_API void nn_autocast_end_at(nn_site site, nn_model *net);
#define nn_autocast_end(...) nn_autocast_end_at(NN_HERE, __VA_ARGS__)
#endif
