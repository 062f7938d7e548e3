/* nn_quantize.h - 8-bit integers, and weights of 8 and 4 bits: turns a trained net into one of
   integers, and has the operations on them. This is the list of its parts. */
#ifndef NN_QUANTIZE_H
#define NN_QUANTIZE_H

/* CONTENTS */

#include "nn.h"
#include "nn_sequence.h"
#include "quantize/undefine.h"

/* ---- OPERATIONS: weights of 8 and 4 bits, products of integers, nets of integers ---- */
#include "ops/quantize.h"
#include "ops/quantized.h"
#include "ops/integer.h"
#include "ops/fake_quantize.h"
#include "quantize/kernels.h"
/* ---- NETS: quantisation after training, and training for it ---- */
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
#include "quantize/quantize_net.h"
#endif
#include "quantize/overloads.h"

#endif /* NN_QUANTIZE_H: stop here if you only want the API. */

#if defined(NN__IMPLEMENTED_HERE) && !defined(NN_QUANTIZE_IMPLEMENTED)
#define NN_QUANTIZE_IMPLEMENTED
#define NN__QUANTIZE_IN
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#elif defined(_MSC_VER)
#pragma warning(push)
#ifdef NN__OWN_API
#pragma warning(disable : 4505)
#endif
#endif
#include "kernels/quantize_cpu.h"
#define NN__SETS_AGAIN
#define NN__BODY "nn_quantize.h"
#include "nn.h" /* all that it shows now is cpu/for_each_set.h */
#undef NN__SETS_AGAIN
#endif
/* ---- IMPLEMENTATION, vectors: nn.h includes this file once for each instruction set ---- */
#if defined(NN__QUANTIZE_IN) && defined(NN__SET)
#include "kernels/quantize_vector.h"
#endif
#if defined(NN__QUANTIZE_IN) && !defined(NN__SET)
#undef NN__QUANTIZE_IN
/* ---- kernels: the CPU part of each family ---- */
#include "kernels/quantize_cpu.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "quantize/kernels.c"
/* ---- ops: the operations ---- */
#include "ops/quantize.c"
#include "ops/quantize_four.c"
#include "ops/quantized.c"
#include "ops/fake_quantize.c"
#include "ops/integer.c"
#include "ops/integer_build.c"
#include "ops/integer_check.c"
#include "ops/integer_recurrent.c"
#include "ops/integer_softmax.c"
/* ---- quantize: finds layers, measures ranges, describes and fills the new model ---- */
#include "quantize/private.h"
#include "quantize/find.c"
#include "quantize/decide.c"
#include "quantize/bits.c"
#include "quantize/ranges.c"
#include "quantize/values.c"
#include "quantize/equalize.c"
#include "quantize/given.c"
#include "quantize/join.c"
#include "quantize/resize.c"
#include "quantize/recurrent.c"
#include "quantize/softmax.c"
#include "quantize/prepared.c"
#include "quantize/train.c"
#include "quantize/correct.c"
#include "quantize/net.c"
#undef NN__RARELY
#define NN__RARELY
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif
