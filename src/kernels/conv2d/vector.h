/* kernels/conv2d/vector.h - the loops of convolutions, for every instruction set. Programs with
   NN_NO_SIMD do not have them. */
#ifndef NN__SET
#define NN__BODY "kernels/conv2d/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD
#include "kernels/conv2d/vector_depthwise.h"
#include "kernels/conv2d/vector_winograd.h"
#endif
#endif
