/* kernels/conv2d/cpu_winograd.c - the transforms of kernels/conv2d/cpu_winograd.h, one body for
   each instruction set.

   Of one axis, with a = sqrt(1/2) and b = sqrt(2), so that 2 a = b:
     B^T  0: x0 - 5/2 x2 + x4          G   0: g0
         +a: -b x1 - 2 x2 + a x3 + x4     +-a: (g0 +- a g1 + g2 / 2) / -3/2
         -a:  b x1 - 2 x2 - a x3 + x4     +-b: (g0 +- b g1 + 2 g2) / 6
         +b: -a x1 - x2 / 2 + b x3 + x4   inf: g2
         -b:  a x1 - x2 / 2 - b x3 + x4
        inf: x1 - 5/2 x3 + x5
     A^T  y0 = m0 + (m1 + m2) + (m3 + m4)      y1 = a (m1 - m2) + b (m3 - m4)
          y2 = (m1 + m2) / 2 + 2 (m3 + m4)     y3 = a/2 (m1 - m2) + 2 b (m3 - m4) + m5
   For the gradient of the weights B^T is the same, y2 has m5 and y3 is not there, and G has
     0: d0   +-a: (d0 + d2 / 2 +- a (d1 + d3 / 2)) / -3/2   +-b: (d0 + 2 d2 +- b (d1 + 2 d3)) / 6
     inf: d3 */
#include "kernels/conv2d/cpu_winograd.h"

#ifndef NN_NO_SIMD

#define NN__WINOGRAD_A 0.70710678118654752f
#define NN__WINOGRAD_B 1.41421356237309505f

/* NN__FMA(a, b, c) = a b + c, NN__FNMA(a, b, c) = c - a b */
#define NN__WINOGRAD_INPUT(x0, x1, x2, x3, x4, x5, to, step)                                       \
    {                                                                                              \
        const NN__V even_a = NN__FNMA(two, x2, x4), odd_a = NN__FNMA(two, x1, x3);                 \
        const NN__V even_b = NN__FNMA(half, x2, x4), odd_b = NN__FNMA(half, x1, x3);               \
        NN__STORE((to), NN__FNMA(more, x2, NN__ADD(x0, x4)));                                      \
        NN__STORE((to) + (step), NN__FMA(a, odd_a, even_a));                                       \
        NN__STORE((to) + 2 * (step), NN__FNMA(a, odd_a, even_a));                                  \
        NN__STORE((to) + 3 * (step), NN__FMA(b, odd_b, even_b));                                   \
        NN__STORE((to) + 4 * (step), NN__FNMA(b, odd_b, even_b));                                  \
        NN__STORE((to) + 5 * (step), NN__FNMA(more, x3, NN__ADD(x1, x5)));                         \
    }
/* Weights and gradients, spread over the six points: the first and the last number, the one of even
   degree, and the two sums of odd degree. */
#define NN__WINOGRAD_SPREAD(first, even, last, sum_a, sum_b, to, step)                             \
    {                                                                                              \
        const NN__V even_a = NN__MUL(third, NN__FMA(half, even, first)),                           \
                    even_b = NN__MUL(sixth, NN__FMA(two, even, first));                            \
        NN__STORE((to), first);                                                                    \
        NN__STORE((to) + (step), NN__FMA(odd_a, sum_a, even_a));                                   \
        NN__STORE((to) + 2 * (step), NN__FNMA(odd_a, sum_a, even_a));                              \
        NN__STORE((to) + 3 * (step), NN__FMA(odd_b, sum_b, even_b));                               \
        NN__STORE((to) + 4 * (step), NN__FNMA(odd_b, sum_b, even_b));                              \
        NN__STORE((to) + 5 * (step), last);                                                        \
    }
#define NN__WINOGRAD_WEIGHT(g0, g1, g2, to, step) NN__WINOGRAD_SPREAD(g0, g2, g2, g1, g1, to, step)
#define NN__WINOGRAD_GRADIENT(d0, d1, d2, d3, to, step)                                            \
    {                                                                                              \
        const NN__V part_a = NN__FMA(half, d3, d1), part_b = NN__FMA(two, d3, d1);                 \
        NN__WINOGRAD_SPREAD(d0, d2, d3, part_a, part_b, to, step)                                  \
    }
/* What outputs and taps have in common; `rest` stores what they do not. */
#define NN__WINOGRAD_COLLECT(m0, m1, m2, m3, m4, to, step, rest)                                   \
    {                                                                                              \
        const NN__V sum_a = NN__ADD(m1, m2), sum_b = NN__ADD(m3, m4), odd_a = NN__SUB(m1, m2),     \
                    odd_b = NN__SUB(m3, m4);                                                       \
        NN__STORE((to), NN__ADD(NN__ADD(m0, sum_a), sum_b));                                       \
        NN__STORE((to) + (step), NN__FMA(a, odd_a, NN__MUL(b, odd_b)));                            \
        rest                                                                                       \
    }
#define NN__WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, to, step)                                      \
    NN__WINOGRAD_COLLECT(                                                                          \
        m0, m1, m2, m3, m4, to, step,                                                              \
        NN__STORE((to) + 2 * (step), NN__FMA(two, sum_b, NN__MUL(half, sum_a)));                   \
        NN__STORE((to) + 3 * (step), NN__FMA(a2, odd_a, NN__FMA(b2, odd_b, m5)));)
#define NN__WINOGRAD_TAPS(m0, m1, m2, m3, m4, m5, to, step)                                        \
    NN__WINOGRAD_COLLECT(                                                                          \
        m0, m1, m2, m3, m4, to, step,                                                              \
        NN__STORE((to) + 2 * (step), NN__FMA(two, sum_b, NN__FMA(half, sum_a, m5)));)

#define NN__WINOGRAD_BODIES(name, target)                                                          \
    static target void name##_input(const float *from, ptrdiff_t row, float *to,                   \
                                    ptrdiff_t step) {                                              \
        const NN__V a = NN__SET(NN__WINOGRAD_A), b = NN__SET(NN__WINOGRAD_B),                      \
                    two = NN__SET(2.0f), half = NN__SET(0.5f), more = NN__SET(2.5f);               \
        float part[NN__WINOGRAD_POINTS * NN__WIDE];                                                \
        for (int i = 0; i < 6; i++, from += row) {                                                 \
            const NN__V x0 = NN__LOAD(from), x1 = NN__LOAD(from + NN__WIDE),                       \
                        x2 = NN__LOAD(from + 2 * NN__WIDE), x3 = NN__LOAD(from + 3 * NN__WIDE),    \
                        x4 = NN__LOAD(from + 4 * NN__WIDE), x5 = NN__LOAD(from + 5 * NN__WIDE);    \
            NN__WINOGRAD_INPUT(x0, x1, x2, x3, x4, x5, part + i * 6 * NN__WIDE, NN__WIDE)          \
        }                                                                                          \
        for (int j = 0; j < 6; j++, to += step) {                                                  \
            const float *at = part + j * NN__WIDE;                                                 \
            const NN__V x0 = NN__LOAD(at), x1 = NN__LOAD(at + 6 * NN__WIDE),                       \
                        x2 = NN__LOAD(at + 12 * NN__WIDE), x3 = NN__LOAD(at + 18 * NN__WIDE),      \
                        x4 = NN__LOAD(at + 24 * NN__WIDE), x5 = NN__LOAD(at + 30 * NN__WIDE);      \
            NN__WINOGRAD_INPUT(x0, x1, x2, x3, x4, x5, to, 6 * step)                               \
        }                                                                                          \
    }                                                                                              \
    static target void name##_weight(const float *from, ptrdiff_t tap, float *to,                  \
                                     ptrdiff_t step) {                                             \
        const NN__V two = NN__SET(2.0f), half = NN__SET(0.5f), third = NN__SET(-2.0f / 3.0f),      \
                    sixth = NN__SET(1.0f / 6.0f),                                                  \
                    odd_a = NN__SET(NN__WINOGRAD_A * (-2.0f / 3.0f)),                              \
                    odd_b = NN__SET(NN__WINOGRAD_B * (1.0f / 6.0f));                               \
        float part[18 * NN__WIDE];                                                                 \
        for (int l = 0; l < 2; l++, from += NN__WIDE, to += NN__WIDE) {                            \
            for (int i = 0; i < 3; i++) {                                                          \
                const NN__V g0 = NN__LOAD(from + 3 * i * tap),                                     \
                            g1 = NN__LOAD(from + (3 * i + 1) * tap),                               \
                            g2 = NN__LOAD(from + (3 * i + 2) * tap);                               \
                NN__WINOGRAD_WEIGHT(g0, g1, g2, part + i * 6 * NN__WIDE, NN__WIDE)                 \
            }                                                                                      \
            for (int j = 0; j < 6; j++) {                                                          \
                const NN__V g0 = NN__LOAD(part + j * NN__WIDE),                                    \
                            g1 = NN__LOAD(part + (6 + j) * NN__WIDE),                              \
                            g2 = NN__LOAD(part + (12 + j) * NN__WIDE);                             \
                NN__WINOGRAD_WEIGHT(g0, g1, g2, to + j * step, 6 * step)                           \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static target void name##_output(const float *from, ptrdiff_t step, float *to, ptrdiff_t row,  \
                                     int rows, int columns, bool first) {                          \
        const NN__V a = NN__SET(NN__WINOGRAD_A), b = NN__SET(NN__WINOGRAD_B),                      \
                    two = NN__SET(2.0f), half = NN__SET(0.5f),                                     \
                    a2 = NN__SET(NN__WINOGRAD_A * 0.5f), b2 = NN__SET(NN__WINOGRAD_B * 2.0f);      \
        float part[24 * NN__WIDE], last[4 * NN__WIDE];                                             \
        for (int l = 0; l < (first ? 1 : 2); l++, from += NN__WIDE, to += NN__WIDE) {              \
            for (int i = 0; i < 6; i++) {                                                          \
                const float *at = from + 6 * i * step;                                             \
                const NN__V m0 = NN__LOAD(at), m1 = NN__LOAD(at + step),                           \
                            m2 = NN__LOAD(at + 2 * step), m3 = NN__LOAD(at + 3 * step),            \
                            m4 = NN__LOAD(at + 4 * step), m5 = NN__LOAD(at + 5 * step);            \
                NN__WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, part + i * NN__WIDE, 6 * NN__WIDE)     \
            }                                                                                      \
            /* part: (column, row of m) */                                                         \
            for (int j = 0; j < columns; j++) {                                                    \
                const float *at = part + 6 * j * NN__WIDE;                                         \
                const NN__V m0 = NN__LOAD(at), m1 = NN__LOAD(at + NN__WIDE),                       \
                            m2 = NN__LOAD(at + 2 * NN__WIDE), m3 = NN__LOAD(at + 3 * NN__WIDE),    \
                            m4 = NN__LOAD(at + 4 * NN__WIDE), m5 = NN__LOAD(at + 5 * NN__WIDE);    \
                float *place = to + j * 2 * NN__WIDE;                                              \
                if (rows == 4) {                                                                   \
                    NN__WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, place, row)                        \
                    continue;                                                                      \
                }                                                                                  \
                NN__WINOGRAD_OUTPUT(m0, m1, m2, m3, m4, m5, last, NN__WIDE)                        \
                for (int i = 0; i < rows; i++)                                                     \
                    NN__STORE(place + i * row, NN__LOAD(last + i * NN__WIDE));                     \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static target void name##_gradient(const float *from, ptrdiff_t row, float *to,                \
                                       ptrdiff_t step) {                                           \
        const NN__V two = NN__SET(2.0f), half = NN__SET(0.5f), third = NN__SET(-2.0f / 3.0f),      \
                    sixth = NN__SET(1.0f / 6.0f),                                                  \
                    odd_a = NN__SET(NN__WINOGRAD_A * (-2.0f / 3.0f)),                              \
                    odd_b = NN__SET(NN__WINOGRAD_B * (1.0f / 6.0f));                               \
        float part[24 * NN__WIDE];                                                                 \
        for (int i = 0; i < 4; i++, from += row) {                                                 \
            const NN__V d0 = NN__LOAD(from), d1 = NN__LOAD(from + NN__WIDE),                       \
                        d2 = NN__LOAD(from + 2 * NN__WIDE), d3 = NN__LOAD(from + 3 * NN__WIDE);    \
            NN__WINOGRAD_GRADIENT(d0, d1, d2, d3, part + i * 6 * NN__WIDE, NN__WIDE)               \
        }                                                                                          \
        for (int j = 0; j < 6; j++) {                                                              \
            const float *at = part + j * NN__WIDE;                                                 \
            const NN__V d0 = NN__LOAD(at), d1 = NN__LOAD(at + 6 * NN__WIDE),                       \
                        d2 = NN__LOAD(at + 12 * NN__WIDE), d3 = NN__LOAD(at + 18 * NN__WIDE);      \
            NN__WINOGRAD_GRADIENT(d0, d1, d2, d3, to + j * step, 6 * step)                         \
        }                                                                                          \
    }                                                                                              \
    static target void name##_taps(const float *from, ptrdiff_t step, float *to,                   \
                                   bool first) {                                                   \
        const NN__V a = NN__SET(NN__WINOGRAD_A), b = NN__SET(NN__WINOGRAD_B),                      \
                    two = NN__SET(2.0f), half = NN__SET(0.5f);                                     \
        float part[18 * NN__WIDE];                                                                 \
        for (int l = 0; l < (first ? 1 : 2); l++, from += NN__WIDE, to += NN__WIDE) {              \
            for (int i = 0; i < 6; i++) {                                                          \
                const float *at = from + 6 * i * step;                                             \
                const NN__V m0 = NN__LOAD(at), m1 = NN__LOAD(at + step),                           \
                            m2 = NN__LOAD(at + 2 * step), m3 = NN__LOAD(at + 3 * step),            \
                            m4 = NN__LOAD(at + 4 * step), m5 = NN__LOAD(at + 5 * step);            \
                NN__WINOGRAD_TAPS(m0, m1, m2, m3, m4, m5, part + i * NN__WIDE, 6 * NN__WIDE)       \
            }                                                                                      \
            /* part: (column, row of m) */                                                         \
            for (int j = 0; j < 3; j++) {                                                          \
                const float *at = part + 6 * j * NN__WIDE;                                         \
                const NN__V m0 = NN__LOAD(at), m1 = NN__LOAD(at + NN__WIDE),                       \
                            m2 = NN__LOAD(at + 2 * NN__WIDE), m3 = NN__LOAD(at + 3 * NN__WIDE),    \
                            m4 = NN__LOAD(at + 4 * NN__WIDE), m5 = NN__LOAD(at + 5 * NN__WIDE);    \
                NN__WINOGRAD_TAPS(m0, m1, m2, m3, m4, m5, to + j * 2 * NN__WIDE, 6 * NN__WIDE)     \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static target void name##_add(float *sum, const float *from, int n) {                          \
        NN__V total = NN__LOAD(sum);                                                               \
        for (int i = 0; i < n; i++) total = NN__ADD(total, NN__LOAD(from + i * NN__WIDE));         \
        NN__STORE(sum, total);                                                                     \
    }

#ifdef NN__HAVE_X86
#define NN__V             __m256
#define NN__WIDE          8
#define NN__SET(x)        _mm256_set1_ps(x)
#define NN__LOAD(p)       _mm256_loadu_ps(p)
#define NN__ADD(a, b)     _mm256_add_ps(a, b)
#define NN__SUB(a, b)     _mm256_sub_ps(a, b)
#define NN__MUL(a, b)     _mm256_mul_ps(a, b)
#define NN__FMA(a, b, c)  _mm256_fmadd_ps(a, b, c)
#define NN__FNMA(a, b, c) _mm256_fnmadd_ps(a, b, c)
#define NN__STORE(p, v)   _mm256_storeu_ps(p, v)
NN__WINOGRAD_BODIES(nn__winograd_avx2, NN__TARGET("avx2,fma"))
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__MUL
#undef NN__FMA
#undef NN__FNMA
#undef NN__STORE

#define NN__V             __m512
#define NN__WIDE          16
#define NN__SET(x)        _mm512_set1_ps(x)
#define NN__LOAD(p)       _mm512_loadu_ps(p)
#define NN__ADD(a, b)     _mm512_add_ps(a, b)
#define NN__SUB(a, b)     _mm512_sub_ps(a, b)
#define NN__MUL(a, b)     _mm512_mul_ps(a, b)
#define NN__FMA(a, b, c)  _mm512_fmadd_ps(a, b, c)
#define NN__FNMA(a, b, c) _mm512_fnmadd_ps(a, b, c)
#define NN__STORE(p, v)   _mm512_storeu_ps(p, v)
NN__WINOGRAD_BODIES(nn__winograd_avx512, NN__TARGET("avx512f"))
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__MUL
#undef NN__FMA
#undef NN__FNMA
#undef NN__STORE
#endif

#ifdef NN__HAVE_NEON
#define NN__V         float32x4x2_t
#define NN__WIDE      8
#define NN__SET(x)    nn__winograd_pair(vdupq_n_f32(x), vdupq_n_f32(x))
#define NN__LOAD(p)   nn__winograd_pair(vld1q_f32(p), vld1q_f32((p) + 4))
#define NN__ADD(a, b)                                                                              \
    nn__winograd_pair(vaddq_f32((a).val[0], (b).val[0]), vaddq_f32((a).val[1], (b).val[1]))
#define NN__SUB(a, b)                                                                              \
    nn__winograd_pair(vsubq_f32((a).val[0], (b).val[0]), vsubq_f32((a).val[1], (b).val[1]))
#define NN__MUL(a, b)                                                                              \
    nn__winograd_pair(vmulq_f32((a).val[0], (b).val[0]), vmulq_f32((a).val[1], (b).val[1]))
#define NN__FMA(a, b, c)  nn__winograd_fma(a, b, c)
#define NN__FNMA(a, b, c) nn__winograd_fnma(a, b, c)
#define NN__STORE(p, v)   nn__winograd_store(p, v)
static NN__ALWAYS_INLINE float32x4x2_t nn__winograd_pair(float32x4_t a, float32x4_t b) {
    float32x4x2_t pair;
    pair.val[0] = a;
    pair.val[1] = b;
    return pair;
}
static NN__ALWAYS_INLINE float32x4x2_t nn__winograd_fma(float32x4x2_t a, float32x4x2_t b,
                                                        float32x4x2_t c) {
    return nn__winograd_pair(vfmaq_f32(c.val[0], a.val[0], b.val[0]),
                             vfmaq_f32(c.val[1], a.val[1], b.val[1]));
}
static NN__ALWAYS_INLINE float32x4x2_t nn__winograd_fnma(float32x4x2_t a, float32x4x2_t b,
                                                         float32x4x2_t c) {
    return nn__winograd_pair(vfmsq_f32(c.val[0], a.val[0], b.val[0]),
                             vfmsq_f32(c.val[1], a.val[1], b.val[1]));
}
static NN__ALWAYS_INLINE void nn__winograd_store(float *to, float32x4x2_t v) {
    vst1q_f32(to, v.val[0]);
    vst1q_f32(to + 4, v.val[1]);
}
NN__WINOGRAD_BODIES(nn__winograd_neon, )
#undef NN__V
#undef NN__WIDE
#undef NN__SET
#undef NN__LOAD
#undef NN__ADD
#undef NN__SUB
#undef NN__MUL
#undef NN__FMA
#undef NN__FNMA
#undef NN__STORE
#endif

#undef NN__WINOGRAD_A
#undef NN__WINOGRAD_B
#undef NN__WINOGRAD_INPUT
#undef NN__WINOGRAD_SPREAD
#undef NN__WINOGRAD_COLLECT
#undef NN__WINOGRAD_WEIGHT
#undef NN__WINOGRAD_OUTPUT
#undef NN__WINOGRAD_GRADIENT
#undef NN__WINOGRAD_TAPS
#undef NN__WINOGRAD_BODIES

#define NN__WINOGRAD_SET(name)                                                                     \
    {name##_input, name##_weight, name##_output, name##_gradient, name##_taps, name##_add}
NN_PRIVATE const nn__winograd_set *nn__winograd_set_of(const nn__cpu *cpu) {
#ifdef NN__HAVE_X86
    static const nn__winograd_set avx512 = NN__WINOGRAD_SET(nn__winograd_avx512),
                                  avx2 = NN__WINOGRAD_SET(nn__winograd_avx2);
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) return &avx512;
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return &avx2;
#endif
#ifdef NN__HAVE_NEON
    static const nn__winograd_set neon = NN__WINOGRAD_SET(nn__winograd_neon);
    if (cpu->instructions == NN_INSTRUCTIONS_NEON) return &neon;
#endif
    (void)cpu;
    return NULL;
}
#undef NN__WINOGRAD_SET

#endif

typedef int nn__conv2d_winograd_part; /* a part must not be empty under NN_NO_SIMD */
