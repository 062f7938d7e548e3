/* kernels/shard_sum/cpu.c - sums of shards on the CPU: all steps for eight numbers run while they
   are in a register, so each operand is read once and each result is written once. */
#include "cpu/simd.h"
#include "kernels/shard_sum/cpu.h"

#ifndef NN_NO_TRAINING

#define NN__SHARD_SUM_UNIT 16384 /* numbers */

/* The operands of one unit, from its first number on; an absent one is NULL. */
typedef struct nn__shard_sum {
    float *to, *rests[NN_SHARD_SUM_MOST + 1];
    const float *x, *sums[NN_SHARD_SUM_MOST];
    uint16_t *narrow;
    int count, n, rounded; /* number of sums; of numbers; of the first numbers, which are rounded */
} nn__shard_sum;

static float *nn__shard_sum_at(const nn_view *view, int64_t at) {
    return nn__present(view) ? nn__f32(view) + at : NULL;
}

static nn__shard_sum nn__shard_sum_of(const nn_shard_sum_args *args, int unit) {
    const int64_t at = (int64_t)unit * NN__SHARD_SUM_UNIT;
    nn__shard_sum join;
    join.to = nn__shard_sum_at(&args->to, at);
    join.x = nn__shard_sum_at(&args->x, at);
    for (int k = 0; k < args->count; k++) join.sums[k] = nn__shard_sum_at(&args->sums[k], at);
    for (int k = 0; k <= args->count; k++) join.rests[k] = nn__shard_sum_at(&args->rests[k], at);
    join.narrow = nn__present(&args->narrow)
                      ? (uint16_t *)(void *)((char *)args->narrow.handle + args->narrow.offset) + at
                      : NULL;
    join.count = args->count;
    join.n = (int)nn__min64(nn__count(&args->to) - at, NN__SHARD_SUM_UNIT);
    join.rounded = (int)nn__max64(nn__min64(args->rounded - at, join.n), 0);
    return join;
}

static float nn__shard_sum_round(float x, float *rest) {
    const float whole = x + *rest, closest = nn__widen_bf16(nn__narrow_bf16(whole));
    const float left = whole - closest;
    *rest = left - left == 0.0f ? left : 0.0f;
    return closest;
}

static void nn__shard_sum_plain(const nn__shard_sum *join, int i, int n) {
    for (; i < n; i++) {
        const bool rounds = i < join->rounded;
        float x = join->x[i];
        if (rounds && join->rests[0]) x = nn__shard_sum_round(x, &join->rests[0][i]);
        for (int k = 0; k < join->count; k++) {
            x = join->sums[k][i] + x;
            if (rounds && join->rests[k + 1]) x = nn__shard_sum_round(x, &join->rests[k + 1][i]);
        }
        join->to[i] = x;
        if (rounds && join->narrow) join->narrow[i] = nn__narrow_bf16(x);
    }
}

#ifdef NN__VECTOR8
/* Rounds to bf16, halves to even, like nn__narrow_bf16. A NaN gets a bit that keeps it a NaN. */
NN__AVX2_UNFUSED static inline __m256 nn__shard_sum_closest8(__m256 x) {
    const __m256i bits = _mm256_castps_si256(x), one = _mm256_set1_epi32(1);
    const __m256i half = _mm256_add_epi32(_mm256_and_si256(_mm256_srli_epi32(bits, 16), one),
                                          _mm256_set1_epi32(0x7fff));
    const __m256 closest = _mm256_castsi256_ps(_mm256_add_epi32(bits, half));
    const __m256 quiet = _mm256_castsi256_ps(_mm256_or_si256(bits, _mm256_set1_epi32(0x400000)));
    const __m256 all = _mm256_blendv_ps(closest, quiet, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
    return _mm256_and_ps(all, _mm256_castsi256_ps(_mm256_set1_epi32((int)0xffff0000u)));
}

NN__AVX2_UNFUSED static inline __m256 nn__shard_sum_round8(__m256 x, float *rest) {
    const __m256 whole = _mm256_add_ps(x, _mm256_loadu_ps(rest));
    const __m256 closest = nn__shard_sum_closest8(whole);
    const __m256 left = _mm256_sub_ps(whole, closest), none = _mm256_sub_ps(left, left);
    _mm256_storeu_ps(rest, _mm256_and_ps(left, _mm256_cmp_ps(none, none, _CMP_ORD_Q)));
    return closest;
}

/* Stores the upper halves of eight words. */
NN__AVX2_UNFUSED static inline void nn__shard_sum_narrow8(uint16_t *to, __m256 x) {
    const __m256i words = _mm256_srli_epi32(_mm256_castps_si256(x), 16);
    const __m128i low = _mm256_castsi256_si128(words), high = _mm256_extracti128_si256(words, 1);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi32(low, high));
}

/* Processes whole vectors. Returns the number of the first number that is not done. */
NN__AVX2_UNFUSED static int nn__shard_sum8(const nn__shard_sum *join, int i, int n, bool rounds) {
    const nn__shard_sum j = *join;
    for (; i + 8 <= n; i += 8) {
        __m256 x = _mm256_loadu_ps(j.x + i);
        if (rounds && j.rests[0]) x = nn__shard_sum_round8(x, j.rests[0] + i);
        for (int k = 0; k < j.count; k++) {
            x = _mm256_add_ps(_mm256_loadu_ps(j.sums[k] + i), x);
            if (rounds && j.rests[k + 1]) x = nn__shard_sum_round8(x, j.rests[k + 1] + i);
        }
        _mm256_storeu_ps(j.to + i, x);
        if (rounds && j.narrow) nn__shard_sum_narrow8(j.narrow + i, x);
    }
    return i;
}
#endif

static int nn__shard_sum_units(const nn__cpu *cpu, const void *args, int phase) {
    const int64_t count = nn__count(&((const nn_shard_sum_args *)args)->to);
    (void)cpu;
    return phase ? 0 : nn__maxi((int)((count + NN__SHARD_SUM_UNIT - 1) / NN__SHARD_SUM_UNIT), 1);
}

static void nn__shard_sum_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn__shard_sum join = nn__shard_sum_of((const nn_shard_sum_args *)arguments, unit);
    int i = 0;
    (void)cpu, (void)phase, (void)shared, (void)own;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) i = nn__shard_sum8(&join, 0, join.rounded, true);
#endif
    nn__shard_sum_plain(&join, i, join.rounded);
    i = join.rounded;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) i = nn__shard_sum8(&join, i, join.n, false);
#endif
    nn__shard_sum_plain(&join, i, join.n);
}

#undef NN__SHARD_SUM_UNIT

static const nn__cpu_kernel nn__shard_sum_kernel = {nn__shard_sum_units, nn__shard_sum_unit,
                                                    NULL, NULL, NULL};
#endif

NN_PRIVATE void nn__install_shard_sum(nn_context *nn) {
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, SHARD_SUM, shard_sum, &nn__shard_sum_kernel);
    nn__install_shard_product(nn);
#else
    (void)nn;
#endif
}
