/* nn_quantize.h - turns a trained net into one of 8-bit integers. This is the list of its parts. */
#ifndef NN_QUANTIZE_H
#define NN_QUANTIZE_H

/* CONTENTS */

#include "nn.h"

/* ---- 8-BIT INTEGERS: quantisation after training, and training for it ---- */
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
#include "quantize/quantize_net.h"
#include "quantize/overloads.h"
#endif

#endif /* NN_QUANTIZE_H: stop here if you only want the API. */

#if defined(NN__IMPLEMENTED_HERE) && !defined(NN_QUANTIZE_IMPLEMENTED)
#define NN_QUANTIZE_IMPLEMENTED
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
/* ---- IMPLEMENTATION: finds layers, measures ranges, describes and fills the new model ---- */
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "quantize/private.h"
#include "quantize/find.c"
#include "quantize/decide.c"
#include "quantize/ranges.c"
#include "quantize/values.c"
#include "quantize/equalize.c"
#include "quantize/given.c"
#include "quantize/join.c"
#include "quantize/resize.c"
#include "quantize/recurrent.c"
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
