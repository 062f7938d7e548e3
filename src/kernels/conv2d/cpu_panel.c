/* kernels/conv2d/cpu_panel.c - the tiles of kernels/conv2d/cpu_panel.h, one body for each
   instruction set. */
#include "kernels/conv2d/cpu_panel.h"

#include "cpu/simd.h"

#ifndef NN_NO_SIMD

/* Numbers of b that are asked for before: a machine's own reading ahead ends with each page. */
#define NN__PANEL_AHEAD 1024

#define NN__PANEL_6(X)  X(0) X(1) X(2) X(3) X(4) X(5)
#define NN__PANEL_14(X) NN__PANEL_6(X) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)

/* A body, its heights with each width, and the function that picks one of them: as many rows as
   there are registers for. Accumulators have names, since compilers keep arrays of vectors in
   memory. A panel is two vectors wide, of which all columns may lie in the first one: then it takes
   half the time. */
#define NN__PANEL_START(i)                                                                         \
    const float *a##i = t->a[i < rows ? i : 0];                                                    \
    NN__V low##i = low, high##i = high;
#define NN__PANEL_STEP(i)                                                                          \
    if (i < rows) {                                                                                \
        const NN__V value = NN__SPLAT(a##i + at);                                                  \
        low##i = NN__FMA(value, b0, low##i);                                                       \
        if (whole) high##i = NN__FMA(value, b1, high##i);                                          \
    }
#define NN__PANEL_ADD(i)                                                                           \
    if (i < rows) {                                                                                \
        low##i = NN__ADD(low##i, NN__LOAD(y + i * 2 * NN__WIDE));                                  \
        if (whole) high##i = NN__ADD(high##i, NN__LOAD(y + (i * 2 + 1) * NN__WIDE));               \
    }
#define NN__PANEL_CLAMP(i)                                                                         \
    if (i < rows) {                                                                                \
        low##i = NN__LIMIT(low##i);                                                                \
        if (whole) high##i = NN__LIMIT(high##i);                                                   \
    }
#define NN__PANEL_STORE(i)                                                                         \
    if (i < rows) {                                                                                \
        NN__STORE(y + i * 2 * NN__WIDE, low##i);                                                   \
        if (whole) NN__STORE(y + (i * 2 + 1) * NN__WIDE, high##i);                                 \
    }
#define NN__PANEL_BODY(name, target)                                                               \
    static NN__ALWAYS_INLINE target void name##_body(const nn__panel_tile *t, const int rows,      \
                                                     const bool whole) {                           \
        const int32_t *offset = t->offset, *end = offset + t->depth;                               \
        const float *b = t->b;                                                                     \
        float *y = t->y;                                                                           \
        const NN__V low = t->start ? NN__LOAD(t->start) : NN__ZERO,                                \
                    high = t->start && whole ? NN__LOAD(t->start + NN__WIDE) : NN__ZERO;           \
        NN__PANEL_EACH(NN__PANEL_START)                                                            \
        for (; offset < end; offset++, b += 2 * NN__WIDE) {                                        \
            const ptrdiff_t at = *offset;                                                          \
            const NN__V b0 = NN__LOAD(b), b1 = whole ? NN__LOAD(b + NN__WIDE) : b0;                \
            nn__gemm_ahead(b + NN__PANEL_AHEAD, 2 * NN__WIDE);                                     \
            NN__PANEL_EACH(NN__PANEL_STEP)                                                         \
        }                                                                                          \
        if (t->add) {                                                                              \
            NN__PANEL_EACH(NN__PANEL_ADD)                                                          \
        }                                                                                          \
        if (t->clamp) {                                                                            \
            NN__CONV_LIMITS(t->clamp)                                                              \
            NN__PANEL_EACH(NN__PANEL_CLAMP)                                                        \
        }                                                                                          \
        NN__PANEL_EACH(NN__PANEL_STORE)                                                            \
    }
#define NN__PANEL_HEIGHT(name, target, n)                                                          \
    static target void name##_##n(const nn__panel_tile *t) { name##_body(t, n, true); }            \
    static target void name##_half##n(const nn__panel_tile *t) { name##_body(t, n, false); }
#define NN__PANEL_CASE(name, n)                                                                    \
    case 2 * n: name##_##n(t); break;                                                              \
    case 2 * n + 1: name##_half##n(t); break;
#define NN__PANEL_PICK(name, cases)                                                                \
    static void name(const nn__panel_tile *t) {                                                    \
        switch (2 * t->rows + (t->columns <= NN__WIDE)) {                                          \
            cases                                                                                  \
        default: break;                                                                            \
        }                                                                                          \
    }
#define NN__PANEL_HEIGHTS_6(name, target)                                                          \
    NN__PANEL_HEIGHT(name, target, 1) NN__PANEL_HEIGHT(name, target, 2)                            \
    NN__PANEL_HEIGHT(name, target, 3) NN__PANEL_HEIGHT(name, target, 4)                            \
    NN__PANEL_HEIGHT(name, target, 5) NN__PANEL_HEIGHT(name, target, 6)
#define NN__PANEL_HEIGHTS_14(name, target)                                                         \
    NN__PANEL_HEIGHTS_6(name, target)                                                              \
    NN__PANEL_HEIGHT(name, target, 7) NN__PANEL_HEIGHT(name, target, 8)                            \
    NN__PANEL_HEIGHT(name, target, 9) NN__PANEL_HEIGHT(name, target, 10)                           \
    NN__PANEL_HEIGHT(name, target, 11) NN__PANEL_HEIGHT(name, target, 12)                          \
    NN__PANEL_HEIGHT(name, target, 13) NN__PANEL_HEIGHT(name, target, 14)
#define NN__PANEL_CASES_6(name)                                                                    \
    NN__PANEL_CASE(name, 1) NN__PANEL_CASE(name, 2)                                                \
    NN__PANEL_CASE(name, 3) NN__PANEL_CASE(name, 4)                                                \
    NN__PANEL_CASE(name, 5) NN__PANEL_CASE(name, 6)
#define NN__PANEL_CASES_14(name)                                                                   \
    NN__PANEL_CASES_6(name)                                                                        \
    NN__PANEL_CASE(name, 7) NN__PANEL_CASE(name, 8)                                                \
    NN__PANEL_CASE(name, 9) NN__PANEL_CASE(name, 10)                                               \
    NN__PANEL_CASE(name, 11) NN__PANEL_CASE(name, 12)                                              \
    NN__PANEL_CASE(name, 13) NN__PANEL_CASE(name, 14)

#ifdef NN__HAVE_X86
#define NN__V            __m256
#define NN__WIDE         8
#define NN__ZERO         _mm256_setzero_ps()
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__SPLAT(p)     _mm256_broadcast_ss(p)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__SET(s)       _mm256_set1_ps(s)
#define NN__LIMIT(v)     _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
#define NN__PANEL_EACH   NN__PANEL_6
NN__PANEL_BODY(nn__panel_avx2, NN__TARGET("avx2,fma"))
NN__PANEL_HEIGHTS_6(nn__panel_avx2, NN__TARGET("avx2,fma"))
NN__PANEL_PICK(nn__panel_avx2, NN__PANEL_CASES_6(nn__panel_avx2))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__SPLAT
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
#undef NN__SET
#undef NN__LIMIT
#undef NN__PANEL_EACH

#define NN__V            __m512
#define NN__WIDE         16
#define NN__ZERO         _mm512_setzero_ps()
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__SPLAT(p)     _mm512_set1_ps(*(p))
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__SET(s)       _mm512_set1_ps(s)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
#define NN__PANEL_EACH   NN__PANEL_14
NN__PANEL_BODY(nn__panel_avx512, NN__TARGET("avx512f"))
NN__PANEL_HEIGHTS_14(nn__panel_avx512, NN__TARGET("avx512f"))
NN__PANEL_PICK(nn__panel_avx512, NN__PANEL_CASES_14(nn__panel_avx512))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__SPLAT
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
#undef NN__SET
#undef NN__LIMIT
#undef NN__PANEL_EACH
#endif

#ifdef NN__HAVE_NEON
#define NN__V            float32x4x2_t
#define NN__WIDE         8
#define NN__ZERO         nn__panel_pair(vdupq_n_f32(0), vdupq_n_f32(0))
#define NN__LOAD(p)      nn__panel_pair(vld1q_f32(p), vld1q_f32((p) + 4))
#define NN__SPLAT(p)     nn__panel_pair(vld1q_dup_f32(p), vdupq_n_f32(0)) /* one for both */
#define NN__ADD(a, b)                                                                              \
    nn__panel_pair(vaddq_f32(a.val[0], b.val[0]), vaddq_f32(a.val[1], b.val[1]))
#define NN__FMA(a, b, c)                                                                           \
    nn__panel_pair(vfmaq_f32(c.val[0], a.val[0], b.val[0]),                                        \
                   vfmaq_f32(c.val[1], a.val[0], b.val[1]))
#define NN__STORE(p, v)  (vst1q_f32(p, v.val[0]), vst1q_f32((p) + 4, v.val[1]))
#define NN__SET(s)       nn__panel_pair(vdupq_n_f32(s), vdupq_n_f32(s))
#define NN__LIMIT(v)                                                                               \
    nn__panel_pair(                                                                                \
        vaddq_f32(vminq_f32(most.val[0], vmaxq_f32(least.val[0], v.val[0])), zero.val[0]),         \
        vaddq_f32(vminq_f32(most.val[1], vmaxq_f32(least.val[1], v.val[1])), zero.val[1]))
static NN__ALWAYS_INLINE float32x4x2_t nn__panel_pair(float32x4_t a, float32x4_t b) {
    float32x4x2_t pair;
    pair.val[0] = a;
    pair.val[1] = b;
    return pair;
}
#define NN__PANEL_EACH   NN__PANEL_6
NN__PANEL_BODY(nn__panel_neon, )
NN__PANEL_HEIGHTS_6(nn__panel_neon, )
NN__PANEL_PICK(nn__panel_neon, NN__PANEL_CASES_6(nn__panel_neon))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__SPLAT
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
#undef NN__SET
#undef NN__LIMIT
#undef NN__PANEL_EACH
#endif

#undef NN__PANEL_AHEAD
#undef NN__PANEL_6
#undef NN__PANEL_14
#undef NN__PANEL_START
#undef NN__PANEL_STEP
#undef NN__PANEL_ADD
#undef NN__PANEL_CLAMP
#undef NN__PANEL_STORE
#undef NN__PANEL_BODY
#undef NN__PANEL_HEIGHT
#undef NN__PANEL_HEIGHTS_6
#undef NN__PANEL_HEIGHTS_14
#undef NN__PANEL_CASE
#undef NN__PANEL_CASES_6
#undef NN__PANEL_CASES_14
#undef NN__PANEL_PICK

NN_PRIVATE const nn__panel_set *nn__panel_set_of(const nn__cpu *cpu) {
#ifdef NN__HAVE_X86
    static const nn__panel_set avx512 = {32, 14, nn__panel_avx512},
                               avx2 = {16, 6, nn__panel_avx2};
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) return &avx512;
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return &avx2;
#endif
#ifdef NN__HAVE_NEON
    static const nn__panel_set neon = {16, 6, nn__panel_neon};
    if (cpu->instructions == NN_INSTRUCTIONS_NEON) return &neon;
#endif
    (void)cpu;
    return NULL;
}

NN_PRIVATE void nn__panel_multiply(const nn__panel_set *tiles, nn__panel_tile *t, const float *a,
                                   const int32_t *start, int rows) {
    const int levels = nn__ceil_div(rows, tiles->rows);
    const int size = levels ? rows / levels : 0, larger = levels ? rows % levels : 0;
    for (int level = 0; level < levels; level++) {
        t->rows = size + (level < larger);
        for (int r = 0; r < t->rows; r++) t->a[r] = a + *start++;
        tiles->tile(t);
        t->y += t->rows * tiles->lanes;
    }
}

#endif

typedef int nn__conv2d_panel_part; /* a part must not be empty under NN_NO_SIMD */
