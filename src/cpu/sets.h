/* cpu/sets.h - the instruction sets for which the vector kernels are compiled, and the choice among
   them at run time. cpu/vector.h says how a kernel is written for all of them. Two intrinsics of
   x86 are here because code outside of the kernels needs them: a fence after stores past the
   caches, and a prefetch. */
#pragma once

#include "cpu/private.h"

#include <math.h>

/* x86-64: AVX2 with FMA and F16C, and AVX-512F with its shorter vectors. clang-cl defines __clang__
   and no __GNUC__. */
#if !defined(NN_NO_SIMD) && !defined(__TINYC__) &&                                                 \
    (defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))) &&                          \
    (defined(__GNUC__) || defined(__clang__) || defined(_MSC_VER))
#define NN__HAS_AVX2 1
#include "cpu/intrinsics.h"
#if defined(__GNUC__) || defined(__clang__) || (defined(_MSC_VER) && _MSC_VER >= 1920)
#define NN__HAS_AVX512 1
#endif
#endif
#ifndef NN__HAS_AVX2
#define NN__HAS_AVX2 0
#endif
#ifndef NN__HAS_AVX512
#define NN__HAS_AVX512 0
#endif

/* 64-bit ARM, where every processor has NEON. */
#if !defined(NN_NO_SIMD) && !defined(__TINYC__) &&                                                 \
    (defined(__aarch64__) || (defined(_M_ARM64) && !defined(_M_ARM64EC)))
#define NN__HAS_NEON 1
#include <arm_neon.h>
#else
#define NN__HAS_NEON 0
#endif

/* Vectors of 128 bits that the compiler may use: WebAssembly with -msimd128, RISC-V with V, POWER
   with VSX, z from z14 on, LoongArch with LSX. With -mrelaxed-simd, WebAssembly fuses products
   where the machine does. */
#if !defined(NN_NO_SIMD) && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9)) &&        \
    (defined(__wasm_simd128__) || defined(__riscv_vector) || defined(__VSX__) ||                   \
     (defined(__VX__) && defined(__ARCH__) && __ARCH__ >= 12) || defined(__loongarch_sx))
#define NN__HAS_SIMD128 1
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#ifdef __wasm_relaxed_simd__
#if __has_builtin(__builtin_wasm_relaxed_madd_f32x4)
#define NN__RELAXED_FMA 1
#endif
#endif
#endif
#else
#define NN__HAS_SIMD128 0
#endif

/* Portable bytes (nn_desc.arithmetic) cost a program about as much code as another set, so it has
   them only if it defines NN_WITH_PORTABLE. gcc and clang compile their vector types for any
   processor; other compilers take loops. The form for AVX2 is faster and gives the same bytes. */
#if defined(NN_WITH_PORTABLE) && !defined(NN_NO_SIMD)
#define NN__HAS_PORTABLE 1
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#else
#define NN__HAS_PORTABLE 0
#endif
#ifndef NN__HAS_VECTOR_TYPES /* a test sets 0 */
#if !defined(__TINYC__) && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9))
#define NN__HAS_VECTOR_TYPES 1
#else
#define NN__HAS_VECTOR_TYPES 0
#endif
#endif
#if defined(NN_WITH_PORTABLE) && NN__HAS_AVX2
#define NN__HAS_PORTABLE_AVX2 1
#else
#define NN__HAS_PORTABLE_AVX2 0
#endif
/* Products and blocks, where each number has its own sum, have the same bytes with vectors of 512
   bits. All other kernels are those of PORTABLE_AVX2. */
#if defined(NN_WITH_PORTABLE) && NN__HAS_AVX512
#define NN__HAS_PORTABLE_AVX512 1
#else
#define NN__HAS_PORTABLE_AVX512 0
#endif

/* The sets besides plain C, the best first: X(exists, UPPER, lower, test, a, b). `exists` tells if
   this compiler has the set, `test` if this machine has it, in cpu/detect.c. a and b are the
   arguments of NN__SETS. */
#define NN__SETS(X, a, b) NN__FAST_SETS(X, a, b) NN__PORTABLE_SETS(X, a, b)
#define NN__FAST_SETS(X, a, b)                                                                     \
    X(NN__HAS_AVX512, AVX512, avx512, nn__detect_x86(true), a, b)                                  \
    NN__NARROW_SETS(X, a, b)
#define NN__NARROW_SETS(X, a, b)                                                                   \
    X(NN__HAS_AVX2, AVX2, avx2, nn__detect_x86(false), a, b)                                       \
    X(NN__HAS_NEON, NEON, neon, true, a, b)                                                        \
    X(NN__HAS_SIMD128, SIMD128, simd128, true, a, b)
#define NN__PORTABLE_SETS(X, a, b)                                                                 \
    X(NN__HAS_PORTABLE_AVX512, PORTABLE_AVX512, portable_avx512, nn__detect_x86(true), a, b)       \
    NN__PORTABLE_NARROW_SETS(X, a, b)
#define NN__PORTABLE_NARROW_SETS(X, a, b)                                                          \
    X(NN__HAS_PORTABLE_AVX2, PORTABLE_AVX2, portable_avx2, nn__detect_x86(false), a, b)            \
    X(NN__HAS_PORTABLE, PORTABLE, portable, true, a, b)

/* Expands to the arguments after `exists` if that is 1, and to nothing if it is 0. */
#define NN__WHEN(exists, ...)   NN__WHEN_2(exists, __VA_ARGS__)
#define NN__WHEN_2(exists, ...) NN__WHEN_##exists(__VA_ARGS__)
#define NN__WHEN_0(...)
#define NN__WHEN_1(...) __VA_ARGS__

#define NN__OR(exists, upper, lower, test, a, b) exists ||
#if NN__SETS(NN__OR, 0, 0) 0
#define NN__HAS_VECTORS 1
#endif
#undef NN__OR

/* Returns the address of the static table `table` for the set of `cpu`. Each set has one, named
   table_avx2 and so on. For PORTABLE_AVX512, NN__OF_SET takes that of PORTABLE_AVX2. */
#define NN__OF_EVERY(cpu, table) ((void)(cpu), NN__SETS(NN__OF_ONE, cpu, table) & table##_plain)
#define NN__OF_SET(cpu, table)   ((void)(cpu), NN__MOST_SETS(cpu, table) & table##_plain)
#define NN__MOST_SETS(cpu, table)                                                                  \
    NN__FAST_SETS(NN__OF_ONE, cpu, table) NN__OF_PORTABLE(cpu, table)
#define NN__OF_PORTABLE(cpu, table)                                                                \
    NN__WHEN(NN__HAS_PORTABLE_AVX512,                                                              \
             (cpu)->instructions == NN_INSTRUCTIONS_PORTABLE_AVX512 ? &table##_portable_avx2 :)    \
    NN__PORTABLE_NARROW_SETS(NN__OF_ONE, cpu, table)
#define NN__OF_ONE(exists, upper, lower, test, cpu, table) \
    NN__WHEN(exists, (cpu)->instructions == NN_INSTRUCTIONS_##upper ? &table##_##lower :)

/* The same for families whose vectors end at 256 bits, because longer ones make no net faster:
   memory limits most of them. AVX-512 uses their table for AVX2. */
#define NN__OF_NARROW(cpu, table) ((void)(cpu), NN__NARROW(cpu, table) & table##_plain)
#define NN__NARROW(cpu, table)                                                                     \
    NN__WHEN(NN__HAS_AVX512, NN__IS_AVX512(cpu) ? &table##_avx2 :)                                 \
    NN__NARROW_SETS(NN__OF_ONE, cpu, table) NN__OF_PORTABLE(cpu, table)
#define NN__IS_AVX512(cpu) ((cpu)->instructions == NN_INSTRUCTIONS_AVX512)

#if NN__HAS_AVX2
/* Kernels that read and write at least this number of bytes write past the caches. */
NN_PRIVATE int64_t nn__cpu_stream_bytes(int workers);
#endif
/* True if results of `bytes` bytes (all that the kernel reads and writes) should be written past
   the caches, because no cache would keep them until they are read. No input may lie at y. A unit
   that writes so ends with nn__all_streamed, after which other threads see the numbers. */
static inline NN__UNUSED bool nn__streams_at(const nn__cpu *cpu, const float *y, int64_t bytes) {
#if NN__HAS_AVX2
    return bytes >= cpu->stream_bytes && (uintptr_t)y % 64 == 0;
#else
    (void)cpu, (void)y, (void)bytes;
    return false;
#endif
}
static inline NN__UNUSED void nn__all_streamed(void) {
#if NN__HAS_AVX2
    _mm_sfence();
#endif
}

/* Prefetches the cache line at x, which may lie beyond the end of a tensor. Loops without vectors
   use it. */
static NN__ALWAYS_INLINE NN__UNUSED void nn__ahead(const void *x) {
#if NN__HAS_AVX2
    _mm_prefetch((const char *)x, _MM_HINT_T0);
#elif defined(NN__HAS_VECTORS) && (defined(__GNUC__) || defined(__clang__))
    __builtin_prefetch(x);
#else
    (void)x;
#endif
}

/* erf on [0, 4) in eight pieces, each 0.5 wide. In the first piece
     erf(t) = t + t q(t)
   and in the others, around a centre whose erf is almost exactly a float,
     erf(t) = erf(centre) + d q(d),  d = t - centre
   where q interpolates at Chebyshev nodes. */
static NN__UNUSED const float nn__erf_pieces[9][8] = {
    /* centres, their erf, and q from the lowest power on */
    {0.0f, 0.75003767f, 1.25000131f, 1.75001609f, 2.25000262f, 2.7500155f, 3.25037766f, 3.75f},
    {0.0f, 0.711179852f, 0.922900438f, 0.986672521f, 0.998537302f, 0.999899387f, 0.999995708f,
     0.999999881f},
    {0.128379181f, 0.642894745f, 0.23652035f, 0.0527720228f, 0.00714223459f, 0.000586227281f,
     2.91174565e-05f, 8.81432186e-07f},
    {-1.4724759e-06f, -0.482195199f, -0.295650899f, -0.0923518687f, -0.0160700195f,
     -0.00161213637f, -9.46449145e-05f, -3.30567559e-06f},
    {-0.376079857f, 0.0268113948f, 0.167535782f, 0.0901542157f, 0.0217243433f, 0.0027601847f,
     0.000195378263f, 7.96978111e-06f},
    {-0.000544045004f, 0.150669008f, -0.00614051335f, -0.0481040217f, -0.0190866552f,
     -0.00325761503f, -0.000285697723f, -1.38022979e-05f},
    {0.115798838f, -0.0532354042f, -0.0471837632f, 0.00662217895f, 0.0106588751f,
     0.00275590247f, 0.000313096156f, 1.83498269e-05f},
    {-0.00786591507f, -0.026614476f, 0.0206848737f, 0.00903848f, -0.00279516168f,
     -0.00166652456f, -0.000272020756f, -2.05121669e-05f},
    {-0.0180696715f, 0.0180065818f, 0.00371923111f, -0.00596099626f, -0.000710298598f,
     0.00063811586f, 0.000172770029f, 1.69500527e-05f}};
