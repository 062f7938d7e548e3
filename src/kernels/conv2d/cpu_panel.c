/* kernels/conv2d/cpu_panel.c - the tiles of kernels/conv2d/cpu_panel.h, one body for each
   instruction set. */
#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD

#define NN__PANEL_EACH(X) X(0) X(1) X(2) X(3) X(4) X(5)

/* A body, its six heights with both widths, and the function that picks one of them. Accumulators
   have names, since compilers keep arrays of vectors in memory. */
#define NN__PANEL_START(i)                                                                         \
    const float *a##i = t->a[i < rows ? i : 0];                                                    \
    NN__V low##i = NN__ZERO, high##i = NN__ZERO;
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
        NN__PANEL_EACH(NN__PANEL_START)                                                            \
        for (; offset < end; offset++, b += 2 * NN__WIDE) {                                        \
            const ptrdiff_t at = *offset;                                                          \
            const NN__V b0 = NN__LOAD(b), b1 = whole ? NN__LOAD(b + NN__WIDE) : b0;                \
            NN__PANEL_EACH(NN__PANEL_STEP)                                                         \
        }                                                                                          \
        if (t->add) {                                                                              \
            NN__PANEL_EACH(NN__PANEL_ADD)                                                          \
        }                                                                                          \
        NN__PANEL_EACH(NN__PANEL_STORE)                                                            \
    }
#define NN__PANEL_HEIGHTS(name, target)                                                            \
    static target void name##_1(const nn__panel_tile *t) { name##_body(t, 1, true); }              \
    static target void name##_2(const nn__panel_tile *t) { name##_body(t, 2, true); }              \
    static target void name##_3(const nn__panel_tile *t) { name##_body(t, 3, true); }              \
    static target void name##_4(const nn__panel_tile *t) { name##_body(t, 4, true); }              \
    static target void name##_5(const nn__panel_tile *t) { name##_body(t, 5, true); }              \
    static target void name##_6(const nn__panel_tile *t) { name##_body(t, 6, true); }              \
    static target void name##_half1(const nn__panel_tile *t) { name##_body(t, 1, false); }         \
    static target void name##_half2(const nn__panel_tile *t) { name##_body(t, 2, false); }         \
    static target void name##_half3(const nn__panel_tile *t) { name##_body(t, 3, false); }         \
    static target void name##_half4(const nn__panel_tile *t) { name##_body(t, 4, false); }         \
    static target void name##_half5(const nn__panel_tile *t) { name##_body(t, 5, false); }         \
    static target void name##_half6(const nn__panel_tile *t) { name##_body(t, 6, false); }         \
    static void name(const nn__panel_tile *t) {                                                    \
        switch (t->half ? t->rows + NN__PANEL_ROWS : t->rows) {                                    \
        case 1: name##_1(t); break;                                                                \
        case 2: name##_2(t); break;                                                                \
        case 3: name##_3(t); break;                                                                \
        case 4: name##_4(t); break;                                                                \
        case 5: name##_5(t); break;                                                                \
        case 6: name##_6(t); break;                                                                \
        case 7: name##_half1(t); break;                                                            \
        case 8: name##_half2(t); break;                                                            \
        case 9: name##_half3(t); break;                                                            \
        case 10: name##_half4(t); break;                                                           \
        case 11: name##_half5(t); break;                                                           \
        case 12: name##_half6(t); break;                                                           \
        default: break;                                                                            \
        }                                                                                          \
    }

#ifdef NN__HAVE_X86
#define NN__V            __m256
#define NN__WIDE         8
#define NN__ZERO         _mm256_setzero_ps()
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__SPLAT(p)     _mm256_broadcast_ss(p)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
NN__PANEL_BODY(nn__panel_avx2, NN__TARGET("avx2,fma"))
NN__PANEL_HEIGHTS(nn__panel_avx2, NN__TARGET("avx2,fma"))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__SPLAT
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE

#define NN__V            __m512
#define NN__WIDE         16
#define NN__ZERO         _mm512_setzero_ps()
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__SPLAT(p)     _mm512_set1_ps(*(p))
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
NN__PANEL_BODY(nn__panel_avx512, NN__TARGET("avx512f"))
NN__PANEL_HEIGHTS(nn__panel_avx512, NN__TARGET("avx512f"))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__SPLAT
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
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
static NN__ALWAYS_INLINE float32x4x2_t nn__panel_pair(float32x4_t a, float32x4_t b) {
    float32x4x2_t pair;
    pair.val[0] = a;
    pair.val[1] = b;
    return pair;
}
NN__PANEL_BODY(nn__panel_neon, )
NN__PANEL_HEIGHTS(nn__panel_neon, )
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__SPLAT
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
#endif

#undef NN__PANEL_EACH
#undef NN__PANEL_START
#undef NN__PANEL_STEP
#undef NN__PANEL_ADD
#undef NN__PANEL_STORE
#undef NN__PANEL_BODY
#undef NN__PANEL_HEIGHTS

NN_PRIVATE const nn__panel_set *nn__panel_set_of(const nn__cpu *cpu) {
#ifdef NN__HAVE_X86
    static const nn__panel_set avx512 = {32, nn__panel_avx512}, avx2 = {16, nn__panel_avx2};
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) return &avx512;
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return &avx2;
#endif
#ifdef NN__HAVE_NEON
    static const nn__panel_set neon = {16, nn__panel_neon};
    if (cpu->instructions == NN_INSTRUCTIONS_NEON) return &neon;
#endif
    (void)cpu;
    return NULL;
}

NN_PRIVATE void nn__panel_multiply(const nn__panel_set *tiles, nn__panel_tile *t, const float *a,
                                   const int32_t *start, int rows) {
    const int levels = nn__ceil_div(rows, NN__PANEL_ROWS);
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
