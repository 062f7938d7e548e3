/* kernels/install.h - brings kernels into a program. A builder or an immediate call in ops/ calls
   the install function of each kernel family that it needs. That reference makes the linker keep
   the family, and the call puts it into the context. Each install function is defined beside its
   kernels and may be called again.

   The rooms above the devices know nothing else about how a kernel gets into a program. Devices
   that bring all their kernels with them, such as the optional ones, need no installing. */
#pragma once

#include "base/private.h"
#include "device/context.h"
#include "kernels/families.h"
#include "kernels/list.h"

typedef void (*nn__install)(nn_context *nn);

/* nn__install_matmul, nn__install_conv2d ...: one for each family of kernels/list.h whose CPU part
   is in nn.h. kernels/install_more.h and kernels/install_quantize.h have the others. */
#define NN__X(family) NN_PRIVATE void nn__install_##family(nn_context *nn);
NN__FAMILIES(NN__X)
#undef NN__X

/* Parts of families that have an install function of their own, because few programs need them. */
/* gemm beyond a single product of f32: batches, and operands of f16 and bf16 */
NN_PRIVATE void nn__install_matmul_general(nn_context *nn);
/* the same, and operands of i8 */
#ifdef NN_NO_SIMD
#define nn__install_matmul_bytes nn__install_matmul_general
#else
NN_PRIVATE void nn__install_matmul_bytes(nn_context *nn);
#endif
/* nn__install_conv2d without depthwise kernels, which only convolutions with groups need, and
   without kernels for shards, which only shared trainings need */
NN_PRIVATE void nn__install_dense_conv2d(nn_context *nn);
#if defined(NN_NO_SIMD) || defined(NN_NO_TRAINING)
#define nn__install_shard_conv2d(nn) ((void)(nn))
#else
NN_PRIVATE void nn__install_shard_conv2d(nn_context *nn);
#endif
/* a convolution's backward_input, which inference uses as the transposed convolution */
NN_PRIVATE void nn__install_conv_transpose(nn_context *nn);
#ifndef NN__ONE_PIECE
NN_PRIVATE void nn__install_prepared(nn_context *nn); /* the calls of nn_run_on: cpu/direct.c */
#endif
NN_PRIVATE void nn__install_fold(nn_context *nn); /* reductions other than sum, mean and max */
NN_PRIVATE void nn__install_accuracy(nn_context *nn);
NN_PRIVATE void nn__install_confusion(nn_context *nn);
NN_PRIVATE void nn__install_accumulate(nn_context *nn);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_reduce_backward(nn_context *nn); /* along the last axes */
#else
#define nn__install_reduce_backward(nn) ((void)(nn))
#endif
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_cross_entropy_head(nn_context *nn); /* for tests only */
#else
#define nn__install_cross_entropy_head(nn) ((void)(nn))
#endif
/* one activation each, as epilogue */
NN_PRIVATE void nn__install_relu(nn_context *nn);
NN_PRIVATE void nn__install_sigmoid(nn_context *nn);
NN_PRIVATE void nn__install_tanh(nn_context *nn);
NN_PRIVATE void nn__install_gelu(nn_context *nn);
NN_PRIVATE void nn__install_relu6(nn_context *nn);
/* Pointwise programs over f32 with INPUT, SCALAR, CONSTANT and ADD. Each further instruction, and
   the other dtypes, are installed only if needed: a program that only clamps links no expf. Each
   nn__install_code_... also installs the kernel. nn__install_pointwise installs everything. */
NN_PRIVATE void nn__install_program(nn_context *nn);
NN_PRIVATE void nn__install_program_dtypes(nn_context *nn);
/* Broadcast inputs and other dtypes. In builds with vectors, the interpreter has them already. */
#ifdef NN_NO_SIMD
NN_PRIVATE void nn__install_program_general(nn_context *nn);
#else
#define nn__install_program_general(nn) ((void)(nn))
#endif
#ifndef NN_NO_TRAINING
/* Installs the instructions of which derivatives consist, besides those of the derived program
   itself (program/derive.c). Installing SIN or another instruction whose derivative needs a further
   function installs that one too. */
NN_PRIVATE void nn__install_derivatives(nn_context *nn);
NN_PRIVATE void nn__install_recipes(nn_context *nn); /* optimizers that are programs, in one pass */
#endif
#define NN__X(upper, lower, text, operands, weight, value)                                         \
    NN_PRIVATE void nn__install_code_##lower(nn_context *nn);
NN_INSTRUCTIONS(NN__X)
#undef NN__X
