/* cpu/detect.c - finds the instruction sets of the machine and its operating system. nn_open asks
   once and stores the answer in the context; nothing is stored here. */
#include "cpu/sets.h"

#if NN__HAS_AVX2
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static void nn__detect_cpuid(unsigned leaf, unsigned part, unsigned registers[4]) {
    int values[4];
    __cpuidex(values, (int)leaf, (int)part);
    for (int i = 0; i < 4; i++) registers[i] = (unsigned)values[i];
}
static unsigned nn__detect_xcr0(void) { return (unsigned)_xgetbv(0); }
#else
#include <cpuid.h>
static void nn__detect_cpuid(unsigned leaf, unsigned part, unsigned registers[4]) {
    __cpuid_count(leaf, part, registers[0], registers[1], registers[2], registers[3]);
}
static unsigned nn__detect_xcr0(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}
#endif

/* The processor must have the instructions and the operating system must save their registers. */
static bool nn__detect_x86(bool avx512) {
    unsigned r[4];
    nn__detect_cpuid(0, 0, r);
    if (r[0] < 7) return false;
    nn__detect_cpuid(1, 0, r);
    /* every processor with AVX2 has F16C, which converts f16 */
    const bool fma = (r[2] >> 12 & 1) != 0 && (r[2] >> 29 & 1) != 0, xsave = (r[2] >> 27 & 1) != 0,
               avx = (r[2] >> 28 & 1) != 0;
    if (!fma || !xsave || !avx) return false;
    const unsigned saved = nn__detect_xcr0();
    nn__detect_cpuid(7, 0, r);
    const bool avx2 = (r[1] >> 5 & 1) != 0, foundation = (r[1] >> 16 & 1) != 0,
               lengths = r[1] >> 31 != 0; /* AVX-512VL, for shorter vectors */
    if (avx512) return foundation && lengths && avx2 && (saved & 0xe6u) == 0xe6u;
    return avx2 && (saved & 6u) == 6u;
}

/* Returns the size of the L3 cache by Intel's leaf 4 or AMD's leaf 0x8000001d, which have the same
   layout; 0: unknown. */
static int64_t nn__detect_cache(unsigned leaf) {
    unsigned r[4];
    nn__detect_cpuid(leaf & 0x80000000u, 0, r);
    if (r[0] < leaf) return 0;
    for (unsigned part = 0; part < 8; part++) {
        nn__detect_cpuid(leaf, part, r);
        if ((r[0] & 31u) == 0) break; /* there are no more caches */
        if ((r[0] >> 5 & 7u) == 3)
            return (int64_t)((r[1] >> 22) + 1) * ((r[1] >> 12 & 0x3ffu) + 1) *
                   ((r[1] & 0xfffu) + 1) * ((int64_t)r[2] + 1);
    }
    return 0;
}

/* With several threads: more than the L3 cache holds, because other threads may use a part of it.
   One thread is faster with stores that bypass the caches as soon as the cache is nearly full,
   because otherwise it waits for the memory that it overwrites. */
#define NN__STREAM_LEAST ((int64_t)8 << 20)
#define NN__STREAM_MOST  ((int64_t)64 << 20)
NN_PRIVATE int64_t nn__cpu_stream_bytes(int workers) {
    int64_t cache = nn__detect_cache(4u);
    if (!cache) cache = nn__detect_cache(0x8000001du);
    if (!cache) cache = (int64_t)32 << 20;
    cache = cache < NN__STREAM_MOST ? cache : NN__STREAM_MOST;
    cache = cache > NN__STREAM_LEAST ? cache : NN__STREAM_LEAST;
    return workers > 1 ? cache + 1 : cache / 4 * 3;
}
#undef NN__STREAM_LEAST
#undef NN__STREAM_MOST
#endif

#define NN__X(exists, upper, lower, test, set, unused) \
    NN__WHEN(exists, if ((set) == NN_INSTRUCTIONS_##upper) return test;)
NN_PRIVATE bool nn__cpu_has_instructions(nn_instruction_set set) {
    NN__SETS(NN__X, set, 0)
    return set == NN_INSTRUCTIONS_DEFAULT || set == NN_INSTRUCTIONS_PLAIN;
}
#undef NN__X

#define NN__X(exists, upper, lower, test, unused, unused_2) \
    NN__WHEN(exists, if (test) return NN_INSTRUCTIONS_##upper;)
NN_PRIVATE nn_instruction_set nn__cpu_best_instructions(void) {
    NN__FAST_SETS(NN__X, 0, 0)
    return NN_INSTRUCTIONS_PLAIN;
}
NN_PRIVATE nn_instruction_set nn__cpu_portable_instructions(void) {
    NN__PORTABLE_SETS(NN__X, 0, 0)
    return NN_INSTRUCTIONS_DEFAULT;
}
#undef NN__X

#if NN__HAS_NEON && defined(__linux__)
#include <sys/auxv.h>
#endif
NN_PRIVATE bool nn__cpu_has_picks(void) {
#if NN__HAS_AVX2
    unsigned r[4];
    if (!nn__detect_x86(true)) return false;
    nn__detect_cpuid(7, 0, r);
    return (r[2] >> 1 & 1) != 0;
#else
    return false;
#endif
}
NN_PRIVATE bool nn__cpu_has_dots(void) {
#if NN__HAS_AVX2
    unsigned r[4];
    if (!nn__detect_x86(true)) return false;
    nn__detect_cpuid(7, 0, r);
    return (r[2] >> 11 & 1) != 0;
#elif NN__HAS_NEON && defined(__linux__)
    return (getauxval(AT_HWCAP) >> 20 & 1) != 0; /* HWCAP_ASIMDDP */
#elif NN__HAS_NEON && defined(__ARM_FEATURE_DOTPROD)
    return true;
#else
    return false;
#endif
}
