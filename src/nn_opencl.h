/* nn_opencl.h - the OpenCL backend of nn.h. This is the list of its parts. */
#ifndef NN_OPENCL_H
#define NN_OPENCL_H

/* CONTENTS */

#include "nn.h"

/* ---- OPENCL: opening devices, a renderer's own context, compiled programs ---- */
#include "opencl/opencl.h"
#include "opencl/overloads.h"

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
#ifdef __ARM_EABI__ /* there an enum may be unsigned, so that some checks are always false */
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#endif
/* ---- IMPLEMENTATION, text: kernels.cl as C literals ---- */
#include "opencl/text.h"
/* ---- device: the OpenCL library, devices, queues, programs, the disk cache ---- */
#include "opencl/api.c"
#include "opencl/words.c"
#include "opencl/find.c"
#include "opencl/open.c"
#include "opencl/interop.c"
#include "opencl/device.c"
#include "opencl/fence.c"
#include "opencl/queue.c"
#include "opencl/program.c"
#include "opencl/cache.c"
#include "opencl/ahead.c"
#include "opencl/prepared.c"
#include "opencl/launch.c"
#include "opencl/repeat.c"
#include "opencl/lend.c"
#include "opencl/choice.c"
#include "opencl/choice_file.c"
#include "opencl/tune.c"
#include "opencl/mma.c"
#include "opencl/half.c"
#include "opencl/blas.c"
/* ---- kernels: the OpenCL part of each family, in the order of kernels/list.h ---- */
#include "kernels/opencl.c"
/* ---- all: the table of kernels, and chains of them ---- */
#include "opencl/kernels.c"
#include "opencl/chain_judge.c"
#include "opencl/chain_kinds.c"
#include "opencl/chain_numbers.c"
#include "opencl/chain_follow.c"
#include "opencl/chain_runs.c"
#include "opencl/chain.c"
#include "opencl/chain_words.c"
#include "opencl/chain_row_words.c"
#include "opencl/chain_cache.c"
#include "opencl/chain_tiles.c"
#include "opencl/chain_product.c"
#include "opencl/chain_pointwise.c"
#include "opencl/chain_sums.c"
#include "opencl/chain_rows.c"
#include "opencl/chain_index.c"
#include "opencl/chain_loss.c"
#include "opencl/chain_update.c"
#include "opencl/chain_text.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif
