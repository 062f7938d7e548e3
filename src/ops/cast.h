/* ops/cast.h - converts to another dtype, as torch.Tensor.to does.

   f16 and bf16 only store numbers; operations compute in f32. Inputs (nn_input) and parameters
   (nn_model_desc.dtype) may be f16 or bf16, and any activation can be stored so:

     x = nn_cast(net, nn_relu(net, x), NN_F16); // half the memory until it is read

   For an operation whose kernel reads only f32, the plan inserts a step "cast" and counts its
   bytes. Reshapes, nn_permute and similar operations, custom operations, and all element-wise
   operations read f16 and bf16 directly. Results are f32. Gradients are f32 and pass a cast
   unchanged; PyTorch would round them to the dtype of their operand. With NN_NO_MIXED_PRECISION no
   cast is inserted; a missing cast is a fault. */
#pragma once

#include "graph/model.h"

/* Converts between f32, f16, bf16, i32, i8, u8 and bool. f16 and bf16 are rounded to nearest,
   halves to even. Integers are rounded towards 0; where PyTorch's result is undefined, they are
   clamped to the range, and NaN gives 0. bool is x != 0. Returns x itself if it already has the
   dtype. */
NN_API nn_node *nn_cast_at(nn_site site, nn_model *net, nn_node *x, nn_dtype dtype);
#define nn_cast(...) nn_cast_at(NN_HERE, __VA_ARGS__)

/* Immediate: y = x in y's dtype; the shapes are equal. The gradient is the same call from dy to
   dx. */
NN_API nn_result nn_cast_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x);
#define nn_cast_forward(...) nn_cast_forward_at(NN_HERE, __VA_ARGS__)
