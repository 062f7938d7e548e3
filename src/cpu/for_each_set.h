/* cpu/for_each_set.h - includes a body once for each instruction set. NN__SET is the ending of its
   names, and the compiler may use the set's instructions. Only this file knows how compilers are
   given that permission.

   The includer defines NN__BODY as the file to include. In the drop-in it is not defined, and the
   body is nn.h itself, which shows only its vector kernels while NN__SET is defined. A copy of nn.h
   with another name needs #define NN_HEADER "other.h". An optional file with vector kernels of its
   own is a further body: it defines NN__BODY and NN__SETS_AGAIN and includes nn.h once more, of
   which this file is then all that is seen. The vector layer is there already.

   Here no compiler fuses a product with a sum, whatever its standard and options are: results
   follow from the source alone. Without optimization gcc still compiles the bodies with -O1, so
   that debug builds stay usable; but not the plain body if there is one for AVX2, because few
   processors would need it. */
#include "cpu/sets.h"

#ifndef NN__BODY
#ifdef NN_HEADER
#define NN__BODY NN_HEADER
#else
#define NN__BODY "nn.h"
#endif
#define NN__SETS_ARE_IN 1
#define NN__SETS_NOW    1
#elif !defined(NN__SETS_ARE_IN) || defined(NN__SETS_AGAIN)
#define NN__SETS_NOW 1
#endif

#ifdef NN__SETS_NOW
#undef NN__SETS_NOW

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
#if !defined(__OPTIMIZE__) && !NN__HAS_AVX2
#pragma GCC optimize("O1", "inline")
#endif
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#define NN__SET       plain
#define NN__SET_PLAIN 1
#define NN__LANES     1
#define NN__REGISTERS 16
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#undef NN__FUSED
#undef NN__SET_PLAIN

#if NN__HAS_AVX2
#if defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE__)
#pragma GCC optimize("O1", "inline")
#endif
#define NN__SET      avx2
#define NN__SET_AVX2 1
#define NN__LANES    8
#define NN__REGISTERS 16
#define NN__FUSED    1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")
#endif
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#undef NN__FUSED
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#undef NN__SET_AVX2
#endif

#if NN__HAS_AVX512
#define NN__SET        avx512
#define NN__SET_AVX512 1
#define NN__LANES      16
#define NN__REGISTERS  32
#define NN__FUSED      1
#define NN__SET_WIDE   1
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpragma-clang-attribute" /* families without it: NN__OF_NARROW */
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx2,fma,f16c"))), \
                             apply_to = function)
#elif defined(__GNUC__)
/* gcc 12's own header begins "undefined" vectors with themselves, and g++ warns where they are
   inlined. Without optimization it converts masks between types. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx2,fma,f16c")
#endif
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#undef NN__FUSED
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#undef NN__SET_AVX512
#undef NN__SET_WIDE
#endif

#if NN__HAS_NEON
#define NN__SET      neon
#define NN__SET_NEON 1
#define NN__LANES    4
#define NN__REGISTERS 32
#define NN__FUSED    1
#define NN__BY_LANE  1 /* multiplies by a lane at no extra cost */
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#undef NN__FUSED
#undef NN__BY_LANE
#undef NN__SET_NEON
#endif

#if NN__HAS_SIMD128
#define NN__SET         simd128
#define NN__SET_SIMD128 1
#define NN__LANES       4
#define NN__REGISTERS   16
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#undef NN__FUSED
#undef NN__SET_SIMD128
#endif

#if NN__HAS_PORTABLE_AVX2
#define NN__SET               portable_avx2
#define NN__SET_PORTABLE_AVX2 1
#define NN__LANES             8
#define NN__REGISTERS         16
#define NN__SET_IS_PORTABLE   1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#elif defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx2,f16c")
#endif
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#if defined(__clang__)
#pragma clang attribute pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#endif
#undef NN__SET_PORTABLE_AVX2
#undef NN__SET_IS_PORTABLE
#endif

#if NN__HAS_PORTABLE_AVX512
#define NN__SET                 portable_avx512
#define NN__SET_PORTABLE_AVX512 1
#define NN__LANES               16
#define NN__REGISTERS           32
#define NN__SET_WIDE            1
#define NN__SET_IS_PORTABLE     1
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpragma-clang-attribute" /* families without it: NN__OF_SET */
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx2,f16c"))), \
                             apply_to = function)
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx2,f16c")
#endif
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC pop_options
#pragma GCC diagnostic pop
#endif
#undef NN__SET_PORTABLE_AVX512
#undef NN__SET_WIDE
#undef NN__SET_IS_PORTABLE
#endif

#if NN__HAS_PORTABLE
#define NN__SET             portable
#define NN__SET_PORTABLE    1
#define NN__LANES           8
/* half of the processor's registers, because a vector takes two */
#if NN__HAS_VECTOR_TYPES &&                                                                        \
    (defined(__aarch64__) || defined(__VSX__) || defined(__VX__) || defined(__AVX512VL__))
#define NN__REGISTERS 16
#else
#define NN__REGISTERS 8
#endif
#define NN__SET_IS_PORTABLE 1
#if defined(__GNUC__) && !defined(__clang__)
/* gcc warns, at the end of the program, that vectors are returned differently with AVX. Only this
   file calls these functions. */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#include NN__BODY
#undef NN__SET
#undef NN__VECTORS_IN
#undef NN__LANES
#undef NN__REGISTERS
#undef NN__SET_PORTABLE
#undef NN__SET_IS_PORTABLE
#endif

#if defined(__clang__)
#pragma STDC FP_CONTRACT DEFAULT
#elif defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC pop_options
#elif defined(_MSC_VER)
#pragma fp_contract(on)
#endif
#endif
#undef NN__BODY
