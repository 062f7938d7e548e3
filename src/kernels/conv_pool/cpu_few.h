/* kernels/conv_pool/cpu_few.h - blocks of 3 x 3 taps and few channels, by the quads of
   kernels/conv_pool/cpu_quads.h, which here are windows. */
#pragma once

#include "kernels/conv_pool/cpu_quads.h"
#include "kernels/conv_pool/cpu.h"

#if !defined(NN_NO_REPORTS) && !defined(NN_NO_SIMD)
/* Whether a block goes this way forward. */
NN_PRIVATE bool nn__conv_pool_few_suits(const nn__conv_pool_set *set, const nn_conv_pool_args *g);
#else
#define nn__conv_pool_few_suits(set, g) ((void)(set), (void)(g), false)
#endif
