/* kernels/conv_pool/cpu_gray.h - the gradient of the weights of blocks whose picture has one
   channel: kernels/conv_pool/cpu_gray.c. */
#pragma once

#include "kernels/conv_pool/cpu.h"

#if defined(NN__VECTOR16) && !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)
/* Whether a block goes this way, bytes of a worker that makes the sums of `channels` output
   channels, and the sums themselves, as nn__conv_pool_gather_sum has them. */
NN_PRIVATE bool nn__gray_suits(const nn__cpu *cpu, const nn_conv_pool_args *g);
NN_PRIVATE size_t nn__gray_own(const nn__cpu *cpu, const nn_conv_pool_args *g, int channels);
NN_PRIVATE void nn__gray_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k, int channels,
                             int64_t from, int64_t to, float *taps, ptrdiff_t tap_row, float *bias,
                             float *own);
#else
#define nn__gray_suits(cpu, g)         ((void)(cpu), (void)(g), false)
#define nn__gray_own(cpu, g, channels) ((void)(cpu), (void)(g), (size_t)0)
#define nn__gray_sum(cpu, g, k, channels, from, to, taps, tap_row, bias, own)                      \
    ((void)(cpu), (void)(g), (void)(from), (void)(to), (void)(taps), (void)(own))
#endif
