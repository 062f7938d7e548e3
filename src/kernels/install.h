/* kernels/install.h - bringing kernels into a program. Builders and immediate calls in ops/ call
   the install function of the family that they need; that reference is what makes the linker keep
   the family, and the call puts it into the context. Each is defined beside its kernels, and is
   harmless when called again.

   This is all that the rooms above the devices know of how a kernel gets into a program. Devices
   that bring all their kernels with them, as the optional ones do, need no installing. */
#pragma once

#include "base/private.h"
#include "device/context.h"
#include "kernels/families.h"
#include "kernels/list.h"

typedef void (*nn__install)(nn_context *nn);

/* nn__install_matmul, nn__install_conv2d ...: one for each family of kernels/list.h. */
#define NN__X(family) NN_PRIVATE void nn__install_##family(nn_context *nn);
NN__FAMILIES(NN__X)
#undef NN__X

/* What families install apart, because few programs need it. */
/* products beyond a single one of f32: batches, and operands of f16 and bf16 */
NN_PRIVATE void nn__install_matmul_general(nn_context *nn);
/* a convolution's backward_input, which inference knows as the transposed convolution */
NN_PRIVATE void nn__install_conv_transpose(nn_context *nn);
NN_PRIVATE void nn__install_fold(nn_context *nn); /* reductions beyond sum, mean and largest */
NN_PRIVATE void nn__install_confusion(nn_context *nn);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_reduce_backward(nn_context *nn); /* along the last axes */
#else
#define nn__install_reduce_backward(nn) ((void)(nn))
#endif
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_cross_entropy_head(nn_context *nn); /* for tests alone */
#else
#define nn__install_cross_entropy_head(nn) ((void)(nn))
#endif
/* one activation each, as epilogue */
NN_PRIVATE void nn__install_relu(nn_context *nn);
NN_PRIVATE void nn__install_sigmoid(nn_context *nn);
NN_PRIVATE void nn__install_tanh(nn_context *nn);
NN_PRIVATE void nn__install_gelu(nn_context *nn);
NN_PRIVATE void nn__install_relu6(nn_context *nn);
/* Pointwise programs over f32 with INPUT, SCALAR, CONSTANT and ADD; then each further instruction,
   and the other dtypes, as they are needed: a program that only clamps links no expf. Any of the
   nn__install_code_... installs the kernel as well; nn__install_pointwise all of them and the
   dtypes. */
NN_PRIVATE void nn__install_program(nn_context *nn);
NN_PRIVATE void nn__install_program_dtypes(nn_context *nn);
/* Inputs that are broadcast, and other dtypes; the interpreter of builds with vectors has them. */
#ifdef NN_NO_SIMD
NN_PRIVATE void nn__install_program_general(nn_context *nn);
#else
#define nn__install_program_general(nn) ((void)(nn))
#endif
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_recipes(nn_context *nn); /* optimizers that are programs, in one pass */
#endif
#define NN__X(upper, lower, text, operands, weight, value)                                         \
    NN_PRIVATE void nn__install_code_##lower(nn_context *nn);
NN_INSTRUCTIONS(NN__X)
#undef NN__X
