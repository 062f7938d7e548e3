/* nn_opencl.h - the OpenCL backend of nn.h. The list of its parts. */
#ifndef NN_OPENCL_H
#define NN_OPENCL_H

/* CONTENTS */

#include "nn.h"

/* ---- OPENCL: opening devices, a renderer's own context, compiled programs ---- */
#include "opencl/opencl.h"

#endif /* NN_OPENCL_H: stop here if you only want the API. */

#if defined(NN_OPENCL_IMPLEMENTATION) && !defined(NN_OPENCL_IMPLEMENTED)
#define NN_OPENCL_IMPLEMENTED
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#ifdef __ARM_EABI__ /* there an enum may be unsigned, and what is checked cannot happen */
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#endif
/* ---- IMPLEMENTATION, text: kernels.cl as C literals ---- */
#include "opencl/text.h"
/* ---- device: the OpenCL library, devices, queues, programs, the disk cache ---- */
#include "opencl/api.c"
#include "opencl/words.c"
#include "opencl/open.c"
#include "opencl/interop.c"
#include "opencl/device.c"
#include "opencl/queue.c"
#include "opencl/program.c"
#include "opencl/cache.c"
#include "opencl/launch.c"
#include "opencl/blas.c"
/* ---- kernels: what OpenCL does of each family ---- */
#include "kernels/matmul/opencl.c"
#include "kernels/conv2d/opencl_launch.c"
#include "kernels/conv2d/opencl_weight.c"
#include "kernels/conv2d/opencl.c"
#include "kernels/pool2d/opencl.c"
#include "kernels/pointwise/opencl.c"
#include "kernels/pointwise/opencl_program.c"
#include "kernels/reduce/opencl.c"
#include "kernels/reduce/opencl_fold.c"
#include "kernels/softmax/opencl.c"
#include "kernels/cross_entropy/opencl.c"
#include "kernels/metric/opencl.c"
#include "kernels/update/opencl.c"
#include "kernels/random/opencl.c"
#include "kernels/custom/opencl.c"
#include "kernels/gather/opencl.c"
#include "kernels/strided_copy/opencl.c"
#include "kernels/scan/opencl.c"
#include "kernels/augment/opencl.c"
/* ---- all: the table of kernels ---- */
#include "opencl/kernels.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif
