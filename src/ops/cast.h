/* ops/cast.h - the same numbers in another dtype. torch.Tensor.to.

   f16 and bf16 are ways to store numbers; operations compute in f32. A net may be fed with f16 or
   bf16 (nn_input), have parameters of it (nn_model_desc.dtype) and store any activation so:

     x = nn_cast(net, nn_relu(net, x), NN_F16);      // from here to who reads it, half the memory

   An operation whose kernel reads f32 alone gets the numbers through a cast that stands in the plan
   like every other step ("cast", with its bytes). Reshapes, nn_permute and its like, custom
   operations and all element-wise operations of the table and of nn_expression read them as they
   are stored. Operations give f32. Gradients are f32, and pass a cast unchanged, where PyTorch
   would round them to the dtype of what they belong to. With NN_NO_REPORTS no cast is inserted: one
   that is missing is a fault. */
#pragma once

#include "graph/model.h"

/* f32, f16, bf16, i32, i8, u8 and bool, from and to. To f16 and bf16: to the nearest, halves to
   even; to whole numbers: towards 0, and where PyTorch's result is undefined to the nearest that
   there is (NaN: 0); to bool: is it not 0? x itself when that is its dtype already. */
NN_API nn_node *nn_cast_at(nn_site site, nn_model *net, nn_node *x, nn_dtype dtype);
#define nn_cast(...) nn_cast_at(NN_HERE, __VA_ARGS__)

/* y (its shape is that of x): x in y's dtype. The gradient is the same call from dy to dx. */
NN_API nn_result nn_cast_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x);
#define nn_cast_forward(...) nn_cast_forward_at(NN_HERE, __VA_ARGS__)
