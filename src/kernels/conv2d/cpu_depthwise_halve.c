/* kernels/conv2d/cpu_depthwise_halve.c - depthwise convolutions of 3 x 3 taps, one place of padding
   and strides of two, which halve an even picture, and their gradients: along rows of the picture
   itself. Two vectors of a row of x are sorted into its even and its odd columns, which are all
   that the three columns of taps read; two vectors of a row of dx are made the other way round.
   kernels/conv2d/cpu_depthwise_flat.c cuts the work into units. */
#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD
#ifdef NN__VECTOR8

/* n numbers of the next plane into a cache: the machine's own reading ahead ends with each. */
static inline void nn__halve_ahead(const float *x, int n) {
    for (int i = 0; i < n; i += 16)
        _mm_prefetch((const char *)(const void *)(x + i), _MM_HINT_T0);
}

/* Row `from` of x, columns 2 u and on: even ones, odd ones, and the odd ones before each even. */
#define NN__HALVE_ROW(i, from)                                                                     \
    {                                                                                              \
        const float *row = (from);                                                                 \
        const NN__V a = NN__LOAD(row + 2 * u, in0), b = NN__LOAD(row + 2 * u + NN__WIDE, in1);     \
        e##i = NN__EVEN(a, b), o##i = NN__ODD(a, b);                                               \
        s##i = NN__BEHIND(o##i, u > 0 ? row[2 * u - 1] : 0.0f);                                    \
    }
#define NN__HALVE_TAPS                                                                             \
    const NN__V w00 = NN__SET(weight[0]), w01 = NN__SET(weight[1]), w02 = NN__SET(weight[2]),      \
                w10 = NN__SET(weight[3]), w11 = NN__SET(weight[4]), w12 = NN__SET(weight[5]),      \
                w20 = NN__SET(weight[6]), w21 = NN__SET(weight[7]), w22 = NN__SET(weight[8]),      \
                start = NN__SET(bias);
#define NN__HALVE_DOT(i)                                                                           \
    d##i##0 = NN__FMA(s##i, y, d##i##0), d##i##1 = NN__FMA(e##i, y, d##i##1),                      \
    d##i##2 = NN__FMA(o##i, y, d##i##2);
#define NN__HALVE_HAS(i)                                                                           \
    NN__V d##i##0 = NN__READ(sums + 3 * i * NN__WIDE), d##i##1 =                                   \
        NN__READ(sums + (3 * i + 1) * NN__WIDE), d##i##2 = NN__READ(sums + (3 * i + 2) * NN__WIDE);
#define NN__HALVE_KEEP(i)                                                                          \
    NN__WRITE(sums + 3 * i * NN__WIDE, d##i##0), NN__WRITE(sums + (3 * i + 1) * NN__WIDE, d##i##1),\
        NN__WRITE(sums + (3 * i + 2) * NN__WIDE, d##i##2);
#define NN__HALVE_PUT(to, a, b)                                                                    \
    {                                                                                              \
        float *at = (to) + 2 * u;                                                                  \
        NN__V first = NN__FIRST_HALF(a, b), second = NN__SECOND_HALF(a, b);                        \
        if (add) {                                                                                 \
            first = NN__ADD(first, NN__LOAD(at, in0));                                             \
            second = NN__ADD(second, NN__LOAD(at + NN__WIDE, in1));                                \
        }                                                                                          \
        NN__STORE(at, in0, first);                                                                 \
        NN__STORE(at + NN__WIDE, in1, second);                                                     \
    }

/* A plane of y (height, width) has one of x (2 height, 2 width). forward: y; input: dx of dy, or
   added to it; dot: sums (10 vectors) += the products of dy with what each tap reads, and of dy
   alone. */
#define NN__HALVE_BODIES(name, target)                                                             \
    static target void name##_forward(float *y, const float *x, const float *weight, float bias,   \
                                      int height, int width, nn__clamp clamp) {                    \
        NN__HALVE_TAPS                                                                             \
        NN__CONV_LIMITS(clamp)                                                                     \
        for (int u = 0; u < width; u += NN__WIDE) {                                                \
            const int left = width - u;                                                            \
            const NN__M out = NN__FIRST(left), in0 = NN__FIRST(2 * left),                          \
                        in1 = NN__FIRST(2 * left - NN__WIDE);                                      \
            NN__V e0 = NN__ZERO, o0 = e0, s0 = e0, e1, o1, s1, e2, o2, s2;                         \
            const float *from = x;                                                                 \
            for (int q = 0; q < height; q++, from += 4 * (ptrdiff_t)width) {                       \
                NN__V sum = NN__FMA(s0, w00, start), more;                                         \
                if (u == 0) nn__halve_ahead(from + 4 * (ptrdiff_t)height * width, 4 * width);      \
                sum = NN__FMA(e0, w01, sum), sum = NN__FMA(o0, w02, sum);                          \
                NN__HALVE_ROW(1, from)                                                             \
                sum = NN__FMA(s1, w10, sum), sum = NN__FMA(e1, w11, sum);                          \
                sum = NN__FMA(o1, w12, sum);                                                       \
                NN__HALVE_ROW(2, from + 2 * (ptrdiff_t)width)                                      \
                more = NN__FMA(s2, w20, NN__FMA(e2, w21, NN__FMA(o2, w22, sum)));                  \
                e0 = e2, o0 = o2, s0 = s2;                                                         \
                if (clamp) more = NN__LIMIT(more);                                                 \
                NN__STORE(y + (ptrdiff_t)q * width + u, out, more);                                \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static target void name##_input(float *dx, const float *dy, const float *weight, float bias,   \
                                    int height, int width, bool add) {                             \
        NN__HALVE_TAPS                                                                             \
        for (int u = 0; u < width; u += NN__WIDE) {                                                \
            const int left = width - u;                                                            \
            const NN__M here = NN__FIRST(left), next = NN__FIRST(left - 1),                        \
                        in0 = NN__FIRST(2 * left), in1 = NN__FIRST(2 * left - NN__WIDE);           \
            NN__V v0 = NN__LOAD(dy + u, here), t0 = NN__LOAD(dy + u + 1, next), v1, t1;            \
            for (int q = 0; q < height; q++, v0 = v1, t0 = t1) {                                   \
                const float *from = dy + ((ptrdiff_t)q + 1) * width + u;                           \
                const bool inside = q + 1 < height;                                                \
                float *to = dx + 4 * (ptrdiff_t)q * width;                                         \
                NN__V even = NN__FMA(v0, w11, start),                                              \
                      odd = NN__FMA(t0, w10, NN__FMA(v0, w12, start));                             \
                if (u == 0) nn__halve_ahead(from + ((ptrdiff_t)height - 1) * width, width);        \
                v1 = inside ? NN__LOAD(from, here) : NN__ZERO;                                     \
                t1 = inside ? NN__LOAD(from + 1, next) : NN__ZERO;                                 \
                NN__HALVE_PUT(to, even, odd)                                                       \
                even = NN__FMA(v1, w01, NN__FMA(v0, w21, start));                                  \
                odd = NN__FMA(t0, w20, NN__FMA(v0, w22, start));                                   \
                odd = NN__FMA(t1, w00, NN__FMA(v1, w02, odd));                                     \
                NN__HALVE_PUT(to + 2 * (ptrdiff_t)width, even, odd)                                \
            }                                                                                      \
        }                                                                                          \
    }

#define NN__HALVE_DOTS(name, target)                                                               \
    static target void name##_dot(float *sums, const float *x, const float *dy, int height,        \
                                  int width) {                                                     \
        NN__V all = NN__READ(sums + 9 * NN__WIDE);                                                 \
        NN__HALVE_HAS(0)                                                                           \
        NN__HALVE_HAS(1)                                                                           \
        NN__HALVE_HAS(2)                                                                           \
        for (int u = 0; u < width; u += NN__WIDE) {                                                \
            const int left = width - u;                                                            \
            const NN__M out = NN__FIRST(left), in0 = NN__FIRST(2 * left),                          \
                        in1 = NN__FIRST(2 * left - NN__WIDE);                                      \
            NN__V e0 = NN__ZERO, o0 = e0, s0 = e0, e1, o1, s1, e2, o2, s2;                         \
            const float *from = x;                                                                 \
            for (int q = 0; q < height; q++, from += 4 * (ptrdiff_t)width) {                       \
                const NN__V y = NN__LOAD(dy + (ptrdiff_t)q * width + u, out);                      \
                all = NN__ADD(all, y);                                                             \
                NN__HALVE_DOT(0)                                                                   \
                NN__HALVE_ROW(1, from)                                                             \
                NN__HALVE_DOT(1)                                                                   \
                NN__HALVE_ROW(2, from + 2 * (ptrdiff_t)width)                                      \
                NN__HALVE_DOT(2)                                                                   \
                e0 = e2, o0 = o2, s0 = s2;                                                         \
            }                                                                                      \
        }                                                                                          \
        NN__HALVE_KEEP(0)                                                                          \
        NN__HALVE_KEEP(1)                                                                          \
        NN__HALVE_KEEP(2)                                                                          \
        NN__WRITE(sums + 9 * NN__WIDE, all);                                                       \
    }

NN__AVX2 static inline __m256i nn__halve_first8(int n) {
    return nn__first8(n < 0 ? 0 : n < 8 ? n : 8);
}
NN__AVX2 static inline __m256 nn__halve_order8(__m256 v) { /* quarters 0 2 1 3 */
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v), 0xd8));
}
/* v moved up by a lane, with `first` in the lowest one. */
NN__AVX2 static inline __m256 nn__halve_behind8(__m256 v, float first) {
    const __m256i up = _mm256_setr_epi32(0, 0, 1, 2, 3, 4, 5, 6);
    return _mm256_blend_ps(_mm256_permutevar8x32_ps(v, up), _mm256_set1_ps(first), 1);
}
#define NN__V            __m256
#define NN__M            __m256i
#define NN__WIDE         8
#define NN__ZERO         _mm256_setzero_ps()
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__FIRST(n)     nn__halve_first8(n)
#define NN__LOAD(p, m)   _mm256_maskload_ps(p, m)
#define NN__STORE(p, m, v) _mm256_maskstore_ps(p, m, v)
#define NN__READ(p)      _mm256_loadu_ps(p)
#define NN__WRITE(p, v)  _mm256_storeu_ps(p, v)
#define NN__LIMIT(v)      _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__EVEN(a, b)   nn__halve_order8(_mm256_shuffle_ps(a, b, 0x88))
#define NN__ODD(a, b)    nn__halve_order8(_mm256_shuffle_ps(a, b, 0xdd))
#define NN__BEHIND(v, x) nn__halve_behind8(v, x)
#define NN__FIRST_HALF(a, b)                                                                       \
    _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x20)
#define NN__SECOND_HALF(a, b)                                                                      \
    _mm256_permute2f128_ps(_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b), 0x31)
NN__HALVE_BODIES(nn__halve8, NN__AVX2)
#ifndef NN_NO_TRAINING
NN__HALVE_DOTS(nn__halve8, NN__AVX2)
#endif
#undef NN__V
#undef NN__M
#undef NN__WIDE
#undef NN__ZERO
#undef NN__SET
#undef NN__FIRST
#undef NN__LOAD
#undef NN__STORE
#undef NN__READ
#undef NN__WRITE
#undef NN__LIMIT
#undef NN__ADD
#undef NN__FMA
#undef NN__EVEN
#undef NN__ODD
#undef NN__BEHIND
#undef NN__FIRST_HALF
#undef NN__SECOND_HALF

#ifdef NN__VECTOR16
NN__AVX512 static inline __m512i nn__halve_lanes(int first, int second) { /* one, the other, ... */
    const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    return _mm512_add_epi32(twice, _mm512_mask_set1_epi32(_mm512_set1_epi32(first),
                                                          (__mmask16)0xaaaa, second));
}
NN__AVX512 static inline __m512i nn__halve_steps(int first) { /* first, first + 2, ... */
    const __m512i even =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_add_epi32(even, _mm512_set1_epi32(first));
}
static inline __mmask16 nn__halve_first16(int n) {
    return (__mmask16)(n >= 16 ? 0xffffu : n > 0 ? (1u << n) - 1u : 0u);
}
#define NN__V            __m512
#define NN__M            __mmask16
#define NN__WIDE         16
#define NN__ZERO         _mm512_setzero_ps()
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__FIRST(n)     nn__halve_first16(n)
#define NN__LOAD(p, m)   _mm512_maskz_loadu_ps(m, p)
#define NN__STORE(p, m, v) _mm512_mask_storeu_ps(p, m, v)
#define NN__READ(p)      _mm512_loadu_ps(p)
#define NN__WRITE(p, v)  _mm512_storeu_ps(p, v)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__EVEN(a, b)   _mm512_permutex2var_ps(a, nn__halve_steps(0), b)
#define NN__ODD(a, b)    _mm512_permutex2var_ps(a, nn__halve_steps(1), b)
#define NN__BEHIND(v, x)                                                                           \
    _mm512_castsi512_ps(_mm512_maskz_alignr_epi32(                                                 \
        NN__ALL16, _mm512_castps_si512(v), _mm512_castps_si512(_mm512_set1_ps(x)), 15))
#define NN__FIRST_HALF(a, b)  _mm512_permutex2var_ps(a, nn__halve_lanes(0, 16), b)
#define NN__SECOND_HALF(a, b) _mm512_permutex2var_ps(a, nn__halve_lanes(8, 24), b)
NN__HALVE_BODIES(nn__halve16, NN__AVX512)
#ifndef NN_NO_TRAINING
NN__HALVE_DOTS(nn__halve16, NN__AVX512)
#endif
#undef NN__V
#undef NN__M
#undef NN__WIDE
#undef NN__ZERO
#undef NN__SET
#undef NN__FIRST
#undef NN__LOAD
#undef NN__STORE
#undef NN__READ
#undef NN__WRITE
#undef NN__LIMIT
#undef NN__ADD
#undef NN__FMA
#undef NN__EVEN
#undef NN__ODD
#undef NN__BEHIND
#undef NN__FIRST_HALF
#undef NN__SECOND_HALF
#endif

#undef NN__HALVE_ROW
#undef NN__HALVE_TAPS
#undef NN__HALVE_DOT
#undef NN__HALVE_HAS
#undef NN__HALVE_KEEP
#undef NN__HALVE_PUT
#undef NN__HALVE_BODIES
#undef NN__HALVE_DOTS

NN_PRIVATE void nn__halve_forward(const nn__cpu *cpu, float *y, const float *x,
                                  const float *weight, float bias, int height, int width,
                                  nn__clamp clamp) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__halve16_forward(y, x, weight, bias, height, width, clamp);
        return;
    }
#endif
    (void)cpu;
    nn__halve8_forward(y, x, weight, bias, height, width, clamp);
}

NN_PRIVATE void nn__halve_input(const nn__cpu *cpu, float *dx, const float *dy,
                                const float *weight, float bias, int height, int width, bool add) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__halve16_input(dx, dy, weight, bias, height, width, add);
        return;
    }
#endif
    (void)cpu;
    nn__halve8_input(dx, dy, weight, bias, height, width, add);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__halve_dot(const nn__cpu *cpu, float *sums, const float *x, const float *dy,
                              int height, int width) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__halve16_dot(sums, x, dy, height, width);
        return;
    }
#endif
    (void)cpu;
    nn__halve8_dot(sums, x, dy, height, width);
}
#endif

#endif
#endif

typedef int nn__conv2d_depthwise_halve_part; /* a part must not be empty under NN_NO_SIMD */
