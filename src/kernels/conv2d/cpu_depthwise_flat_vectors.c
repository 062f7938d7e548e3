/* kernels/conv2d/cpu_depthwise_flat_vectors.c - depthwise convolutions of 3 x 3 taps of small
   planes, and their gradients, in vectors: kernels/conv2d/cpu_depthwise_flat.h. */
#include "kernels/conv2d/cpu_depthwise_flat.h"

#if !defined(NN_NO_SIMD) && defined(NN__VECTOR8)

#define NN__FLAT_9(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#define NN__FLAT_LOAD(t) const NN__V w##t = NN__LOAD(weight + t * NN__WIDE);
/* What tap t finds: three rows, and three columns of each, of which the step tells the order. */
#define NN__FLAT_ROWS                                                                              \
    const float *x0 = x + f->offset[1], *x1 = x, *x2 = x + f->offset[7];                           \
    const ptrdiff_t after = f->offset[5], before = -after, apart = f->apart;
#define NN__FLAT_FIND(t)                                                                           \
    NN__SOME(((t) < 3 ? x0 : (t) < 6 ? x1 : x2) + i +                                              \
                 ((t) % 3 == 0 ? before : (t) % 3 == 1 ? 0 : after),                               \
             NN__MASK(mask + (t) * NN__BYTES))
#define NN__FLAT_STEP(t) sum = NN__FMA(NN__FLAT_FIND(t), w##t, sum);
#define NN__FLAT_HAS(t)  NN__V s##t = NN__LOAD(sums + t * NN__WIDE);
#define NN__FLAT_DOT(t)  s##t = NN__FMA(NN__FLAT_FIND(t), d, s##t);
#define NN__FLAT_KEEP(t) NN__STORE(sums + t * NN__WIDE, s##t);
#define NN__FLAT_RUN(start)                                                                        \
    for (int i = 0; i < n; i += NN__WIDE, mask += 9 * NN__BYTES) {                                 \
        NN__V sum = start;                                                                         \
        NN__FLAT_9(NN__FLAT_STEP)                                                                  \
        if (clamps) sum = NN__LIMIT(sum);                                                          \
        if (n - i >= NN__WIDE)                                                                     \
            NN__STORE(y + i, sum);                                                                 \
        else                                                                                       \
            NN__PUT(y + i, NN__FIRST(n - i), sum);                                                 \
    }

#define NN__FLAT_BODIES(name, target)                                                              \
    static target void name##_multiply(float *y, const float *x, const nn__flat *f,                \
                                       const float *weight, int n, int images) {                   \
        NN__CONV_LIMITS(f->clamp)                                                                  \
        const bool clamps = f->clamp != NN__CLAMP_NOT;                                             \
        const char *masks = n < f->together * f->plane ? f->rest : f->mask;                        \
        const NN__V start = NN__LOAD(weight + 9 * NN__WIDE);                                       \
        NN__FLAT_9(NN__FLAT_LOAD)                                                                  \
        NN__FLAT_ROWS                                                                              \
        for (; images > 0; images--, x0 += apart, x1 += apart, x2 += apart, y += apart) {          \
            const char *mask = masks;                                                              \
            NN__FLAT_RUN(start)                                                                    \
        }                                                                                          \
    }                                                                                              \
    static target void name##_dot(float *sums, const float *x, const nn__flat *f,                  \
                                  const float *dy, int n, int images) {                            \
        const char *masks = n < f->together * f->plane ? f->rest : f->mask;                        \
        NN__V all = NN__LOAD(sums + 9 * NN__WIDE);                                                 \
        NN__FLAT_9(NN__FLAT_HAS)                                                                   \
        NN__FLAT_ROWS                                                                              \
        for (; images > 0; images--, x0 += apart, x1 += apart, x2 += apart, dy += apart) {         \
            const char *mask = masks;                                                              \
            for (int i = 0; i < n; i += NN__WIDE, mask += 9 * NN__BYTES) {                         \
                const NN__V d =                                                                    \
                    n - i >= NN__WIDE ? NN__LOAD(dy + i) : NN__SOME(dy + i, NN__FIRST(n - i));     \
                all = NN__ADD(all, d);                                                             \
                NN__FLAT_9(NN__FLAT_DOT)                                                           \
            }                                                                                      \
        }                                                                                          \
        NN__FLAT_9(NN__FLAT_KEEP)                                                                  \
        NN__STORE(sums + 9 * NN__WIDE, all);                                                       \
    }                                                                                              \
    static target void name##_splat(float *to, float value) { NN__STORE(to, NN__SET(value)); }

#define NN__V            __m256
#define NN__WIDE         8
#define NN__BYTES        32
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__MASK(p)      _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define NN__SOME(p, m)   _mm256_maskload_ps(p, m)
#define NN__PUT(p, m, v) _mm256_maskstore_ps(p, m, v)
#define NN__FIRST(n)     nn__first8(n)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__LIMIT(v)      _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
NN__FLAT_BODIES(nn__flat8, NN__AVX2)
#undef NN__V
#undef NN__WIDE
#undef NN__BYTES
#undef NN__LOAD
#undef NN__SET
#undef NN__STORE
#undef NN__MASK
#undef NN__SOME
#undef NN__PUT
#undef NN__FIRST
#undef NN__ADD
#undef NN__FMA
#undef NN__LIMIT

#ifdef NN__VECTOR16
#define NN__V            __m512
#define NN__WIDE         16
#define NN__BYTES        2
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__MASK(p)      (*(const __mmask16 *)(const void *)(p))
#define NN__SOME(p, m)   _mm512_maskz_loadu_ps(m, p)
#define NN__PUT(p, m, v) _mm512_mask_storeu_ps(p, m, v)
#define NN__FIRST(n)     ((__mmask16)((1u << (n)) - 1u))
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
NN__FLAT_BODIES(nn__flat16, NN__AVX512)

/* The same of planes that one vector holds: what a tap finds is turned to its places in a register,
   and not read again from an address that lies across two lines of a cache. */
#define NN__FLAT_ORDER(t)                                                                          \
    const __m512i o##t = _mm512_loadu_si512((const void *)(f->mask + t * f->mask_bytes));
#define NN__FLAT_TURN(t)                                                                           \
    sum = _mm512_fmadd_ps(_mm512_permutex2var_ps(v, o##t, none), w##t, sum);
#define NN__FLAT_TURN_DOT(t)                                                                       \
    s##t = _mm512_fmadd_ps(_mm512_permutex2var_ps(v, o##t, none), d, s##t);
NN__AVX512 static void nn__flat16_turn(float *y, const float *x, const nn__flat *f,
                                       const float *weight, int n, int images) {
    NN__CONV_LIMITS(f->clamp)
    const bool clamps = f->clamp != NN__CLAMP_NOT, whole = n == NN__WIDE;
    const __mmask16 some = nn__lanes16(0, n);
    const __m512 start = NN__LOAD(weight + 9 * NN__WIDE), none = _mm512_setzero_ps();
    NN__FLAT_9(NN__FLAT_LOAD)
    NN__FLAT_9(NN__FLAT_ORDER)
    for (; images > 0; images--, x += f->apart, y += f->apart) {
        const __m512 v = whole ? NN__LOAD(x) : NN__SOME(x, some);
        __m512 sum = start;
        NN__FLAT_9(NN__FLAT_TURN)
        if (clamps) sum = NN__LIMIT(sum);
        if (whole)
            NN__STORE(y, sum);
        else
            NN__PUT(y, some, sum);
    }
}
NN__AVX512 static void nn__flat16_turn_dot(float *sums, const float *x, const nn__flat *f,
                                           const float *dy, int n, int images) {
    const bool whole = n == NN__WIDE;
    const __mmask16 some = nn__lanes16(0, n);
    const __m512 none = _mm512_setzero_ps();
    __m512 all = NN__LOAD(sums + 9 * NN__WIDE);
    NN__FLAT_9(NN__FLAT_HAS)
    NN__FLAT_9(NN__FLAT_ORDER)
    for (; images > 0; images--, x += f->apart, dy += f->apart) {
        const __m512 v = whole ? NN__LOAD(x) : NN__SOME(x, some),
                     d = whole ? NN__LOAD(dy) : NN__SOME(dy, some);
        all = NN__ADD(all, d);
        NN__FLAT_9(NN__FLAT_TURN_DOT)
    }
    NN__FLAT_9(NN__FLAT_KEEP)
    NN__STORE(sums + 9 * NN__WIDE, all);
}
#undef NN__FLAT_ORDER
#undef NN__FLAT_TURN
#undef NN__FLAT_TURN_DOT
#undef NN__V
#undef NN__WIDE
#undef NN__BYTES
#undef NN__LOAD
#undef NN__SET
#undef NN__STORE
#undef NN__MASK
#undef NN__SOME
#undef NN__PUT
#undef NN__FIRST
#undef NN__ADD
#undef NN__FMA
#undef NN__LIMIT
#endif

#undef NN__FLAT_9
#undef NN__FLAT_LOAD
#undef NN__FLAT_STEP
#undef NN__FLAT_ROWS
#undef NN__FLAT_FIND
#undef NN__FLAT_RUN
#undef NN__FLAT_HAS
#undef NN__FLAT_DOT
#undef NN__FLAT_KEEP
#undef NN__FLAT_BODIES

#ifdef NN__VECTOR16
#define NN__FLAT_16(f, action)                                                                     \
    if ((f)->wide == 16) {                                                                         \
        action;                                                                                    \
        return;                                                                                    \
    }
#else
#define NN__FLAT_16(f, action)
#endif
NN_PRIVATE void nn__flat_multiply(float *y, const float *x, const nn__flat *f, const float *weight,
                                  int n, int images) {
    NN__FLAT_16(f, (f->turns ? nn__flat16_turn : nn__flat16_multiply)(y, x, f, weight, n, images))
    nn__flat8_multiply(y, x, f, weight, n, images);
}

NN_PRIVATE void nn__flat_dot(float *sums, const float *x, const nn__flat *f, const float *dy, int n,
                             int images) {
    NN__FLAT_16(f, (f->turns ? nn__flat16_turn_dot : nn__flat16_dot)(sums, x, f, dy, n, images))
    nn__flat8_dot(sums, x, f, dy, n, images);
}

NN_PRIVATE void nn__flat_splat(const nn__flat *f, float *to, float value) {
    NN__FLAT_16(f, nn__flat16_splat(to, value))
    nn__flat8_splat(to, value);
}
#undef NN__FLAT_16
#undef NN__FLAT_TAPS
#undef NN__FLAT_WIDE

#endif

typedef int nn__conv2d_depthwise_flat_vectors_part; /* a part must not be empty under NN_NO_SIMD */
