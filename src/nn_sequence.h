/* nn_sequence.h - layers for sequences: lstm, gru and rnn, attention and transformers, positions, and
   the cache of a decoder. This is the list of its parts. */
#ifndef NN_SEQUENCE_H
#define NN_SEQUENCE_H

/* CONTENTS */

#include "nn.h"
#include "sequence/undefine.h"

/* ---- OPERATIONS: builders for descriptions, immediate calls for tensors ---- */
#include "ops/recurrent.h"
#include "ops/recurrent_cell.h"
#include "ops/attention.h"
#include "ops/rotary.h"
#include "ops/sinusoidal.h"
#include "ops/cache.h"
#include "ops/transformer.h"
/* ---- FOR AUTHORS OF BACKENDS ---- */
#include "sequence/kernels.h"
#include "sequence/overloads.h"

#endif /* NN_SEQUENCE_H: stop here if you only want the API. */

#if defined(NN__IMPLEMENTED_HERE) && !defined(NN_SEQUENCE_IMPLEMENTED)
#define NN_SEQUENCE_IMPLEMENTED
#define NN__SEQUENCE_IN
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
#include "kernels/sequence_cpu.h"
#define NN__SETS_AGAIN
#define NN__BODY "nn_sequence.h"
#include "nn.h" /* all that it shows now is cpu/for_each_set.h */
#undef NN__SETS_AGAIN
#endif
/* ---- IMPLEMENTATION, vectors: nn.h includes this file once for each instruction set ---- */
#if defined(NN__SEQUENCE_IN) && defined(NN__SET)
#include "kernels/sequence_vector.h"
#endif
#if defined(NN__SEQUENCE_IN) && !defined(NN__SET)
#undef NN__SEQUENCE_IN
/* ---- kernels: the CPU part of each family ---- */
#include "kernels/sequence_cpu.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "sequence/kernels.c"
/* ---- ops: the operations ---- */
#include "ops/recurrent_step.c"
#include "ops/recurrent_whole.c"
#include "ops/recurrent_whole_fusion.c"
#include "ops/recurrent.c"
#include "ops/recurrent_cell.c"
#include "ops/recurrent_call.c"
#include "ops/recurrent_call_backward.c"
#include "ops/attention.c"
#include "ops/attention_fusion.c"
#include "ops/attention_call.c"
#include "ops/rotary.c"
#include "ops/sinusoidal.c"
#include "ops/cache.c"
#include "ops/transformer.c"
#undef NN__RARELY
#define NN__RARELY
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif
