/* nn_self_test.h - compares every kernel of a device with plain C on the CPU. This is the list of
   its parts. */
#ifndef NN_SELF_TEST_H
#define NN_SELF_TEST_H

/* CONTENTS */

#include "nn_more.h"
#include "nn_sequence.h"
#include "nn_quantize.h"
#include "self_test/undefine.h"

/* ---- SELF-TEST: whether a device computes correctly ---- */
#include "self_test/self_test.h"

#endif /* NN_SELF_TEST_H: stop here if you only want the API. */

#if defined(NN__IMPLEMENTED_HERE) && !defined(NN_SELF_TEST_IMPLEMENTED)
#define NN_SELF_TEST_IMPLEMENTED
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
/* ---- IMPLEMENTATION: small odd cases of every kernel, and the comparison ---- */
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "self_test/private.h"
#include "self_test/cases.c"
#include "self_test/self_test.c"
#undef NN__RARELY
#define NN__RARELY
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif
