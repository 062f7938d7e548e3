/* cpu/intrinsics.h - the vector types and intrinsics of x86, for files that choose their
   instruction sets at run time. */
#pragma once

#include <immintrin.h>
/* clang-cl leaves out instruction sets that no /arch option enables. The order matters. */
#if defined(__clang__) && defined(_MSC_VER) && !defined(__AVX512F__)
#include <smmintrin.h>
#ifndef __AVX__
#include <avxintrin.h>
#endif
#ifndef __AVX2__
#include <avx2intrin.h>
#endif
#ifndef __F16C__
#include <f16cintrin.h>
#endif
#ifndef __FMA__
#include <fmaintrin.h>
#endif
#include <avx512fintrin.h>
#ifndef __AVX512VL__
#include <avx512vlintrin.h>
#endif
#ifndef __AVX512VNNI__
#include <avx512vnniintrin.h>
#endif
#endif
