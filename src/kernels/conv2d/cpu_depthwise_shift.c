/* kernels/conv2d/cpu_depthwise_shift.c - depthwise convolutions of 3 x 3 taps that keep a plane's
   size, and their gradients, along a plane as if it were one row. A vector that begins anywhere
   reads from two lines of a cache, so x is read once for each row of taps, and what has to move by
   a column are the three columns of taps' sums (of dweight: the vectors of dy), between registers.
   There a mask hides those that would come from another row.

   kernels/conv2d/cpu_depthwise_flat.c cuts the work into units. */
#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD
#ifdef NN__VECTOR8

/* What the rows of taps read of the vector of places at `at`: without what lies above and below the
   plane; whole vectors, in a way that keeps compilers from reading them once for each product. Then
   the columns of taps' sums. */
#define NN__SHIFT_PART(at)                                                                         \
    const NN__V a = NN__SOME(x + (at) - width, NN__LANES(width - (at), n + width - (at))),         \
                b = NN__SOME(x + (at), NN__LANES(0, n - (at))),                                    \
                c = NN__SOME(x + (at) + width, NN__LANES(0, n - width - (at)));
#define NN__SHIFT_WHOLE(at)                                                                        \
    const NN__V a = NN__READ(x + (at) - width), b = NN__READ(x + (at)),                            \
                c = NN__READ(x + (at) + width);
#define NN__SHIFT_SUMS                                                                             \
    const NN__V next_l = NN__FMA(c, w20, NN__FMA(b, w10, NN__MUL(a, w00))),                        \
                next_m = NN__FMA(c, w21, NN__FMA(b, w11, NN__FMA(a, w01, start))),                 \
                next_r = NN__FMA(c, w22, NN__FMA(b, w12, NN__MUL(a, w02)));
#define NN__SHIFT_SUM                                                                              \
    NN__V sum = NN__ADD(NN__ADD(m, NN__BEFORE(before, l, NN__MASK(mask))),                         \
                        NN__AFTER(r, next_r, NN__MASK(mask + NN__BYTES)));                         \
    if ((mask += 2 * NN__BYTES) == end) mask = f->masks;
/* Places whose taps are all inside, in whole vectors: [first, last). */
#define NN__SHIFT_ZONES                                                                            \
    const int n = f->n, width = f->width, first = nn__ceil_div(width, NN__WIDE) * NN__WIDE,        \
              last = n < width ? 0 : (n - width) / NN__WIDE * NN__WIDE;                            \
    const char *mask = f->masks, *const end = mask + f->period * 2 * NN__BYTES;
#define NN__SHIFT_BODIES(name, target)                                                             \
    static target void name##_plane(const nn__shift *f, float *y, const float *x,                  \
                                    const float *weight, float bias, bool add, nn__clamp clamp) {  \
        NN__CONV_LIMITS(clamp)                                                                     \
        const NN__V w00 = NN__SET(weight[0]), w01 = NN__SET(weight[1]), w02 = NN__SET(weight[2]),  \
                    w10 = NN__SET(weight[3]), w11 = NN__SET(weight[4]), w12 = NN__SET(weight[5]),  \
                    w20 = NN__SET(weight[6]), w21 = NN__SET(weight[7]), w22 = NN__SET(weight[8]),  \
                    start = NN__SET(bias);                                                         \
        NN__V before = NN__SET(0.0f), l, m, r;                                                     \
        NN__SHIFT_ZONES                                                                            \
        {                                                                                          \
            NN__SHIFT_PART(0)                                                                      \
            NN__SHIFT_SUMS                                                                         \
            l = next_l, m = next_m, r = next_r;                                                    \
        }                                                                                          \
        for (int i = 0; i < n; i += NN__WIDE) {                                                    \
            for (; i + NN__WIDE >= first && i + NN__WIDE < last; i += NN__WIDE) {                  \
                NN__SHIFT_WHOLE(i + NN__WIDE)                                                      \
                NN__SHIFT_SUMS                                                                     \
                NN__SHIFT_SUM                                                                      \
                nn__ahead8_line(x + i);                                                            \
                if (add) sum = NN__ADD(sum, NN__LOAD(y + i));                                      \
                if (clamp) sum = NN__LIMIT(sum);                                                   \
                NN__STORE(y + i, sum);                                                             \
                before = l, l = next_l, m = next_m, r = next_r;                                    \
            }                                                                                      \
            NN__SHIFT_PART(i + NN__WIDE)                                                           \
            NN__SHIFT_SUMS                                                                         \
            NN__SHIFT_SUM                                                                          \
            nn__ahead8_line(x + i);                                                                \
            if (add) sum = NN__ADD(sum, NN__SOME(y + i, NN__LANES(0, n - i)));                     \
            if (clamp) sum = NN__LIMIT(sum);                                                       \
            if (n - i >= NN__WIDE)                                                                 \
                NN__STORE(y + i, sum);                                                             \
            else                                                                                   \
                NN__PUT(y + i, NN__LANES(0, n - i), sum);                                          \
            before = l, l = next_l, m = next_m, r = next_r;                                        \
        }                                                                                          \
    }

#define NN__SHIFT_HAS(t)  NN__V s##t = NN__LOAD(sums + t * NN__WIDE);
#define NN__SHIFT_KEEP(t) NN__STORE(sums + t * NN__WIDE, s##t);
#define NN__SHIFT_9(X)    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
/* The leftmost taps' places of y lie to the right of x. One row after the other, since there are
   registers for no more. */
#define NN__SHIFT_ROW(i, j, k, row)                                                                \
    {                                                                                              \
        const NN__V value = row;                                                                   \
        i = NN__FMA(value, after, i), j = NN__FMA(value, d, j), k = NN__FMA(value, before, k);     \
    }
#define NN__SHIFT_ADD(next, above, inside, below)                                                  \
    {                                                                                              \
        const NN__V behind = next, after = NN__AFTER(d, behind, NN__MASK(mask + NN__BYTES));       \
        if ((mask += 2 * NN__BYTES) == end) mask = f->masks;                                       \
        NN__SHIFT_ROW(s0, s1, s2, above)                                                           \
        NN__SHIFT_ROW(s3, s4, s5, inside)                                                          \
        NN__SHIFT_ROW(s6, s7, s8, below)                                                           \
        before = NN__BEFORE(d, behind, NN__MASK(mask));                                            \
        d = behind;                                                                                \
        _mm_prefetch((const char *)(const void *)(x + i + f->ahead), _MM_HINT_T0);                 \
        _mm_prefetch((const char *)(const void *)(dy + i + f->ahead), _MM_HINT_T0);                \
    }
#define NN__SHIFT_DOTS(name, target)                                                               \
    static target void name##_dot(const nn__shift *f, float *sums, const float *x,                 \
                                  const float *dy) {                                               \
        NN__SHIFT_ZONES                                                                            \
        NN__V d = NN__SOME(dy, NN__LANES(0, n)),                                                   \
              before = NN__BEFORE(NN__SET(0.0f), d, NN__MASK(mask));                               \
        NN__SHIFT_9(NN__SHIFT_HAS)                                                                 \
        for (int i = 0; i < n; i += NN__WIDE) {                                                    \
            for (; i >= first && i + NN__WIDE < last; i += NN__WIDE)                               \
                NN__SHIFT_ADD(NN__LOAD(dy + i + NN__WIDE), NN__READ(x + i - width),                \
                              NN__READ(x + i), NN__READ(x + i + width))                            \
            NN__SHIFT_ADD(NN__SOME(dy + i + NN__WIDE, NN__LANES(0, n - i - NN__WIDE)),             \
                          NN__SOME(x + i - width, NN__LANES(width - i, n + width - i)),            \
                          NN__SOME(x + i, NN__LANES(0, n - i)),                                    \
                          NN__SOME(x + i + width, NN__LANES(0, n - width - i)))                    \
        }                                                                                          \
        NN__SHIFT_9(NN__SHIFT_KEEP)                                                                \
    }                                                                                              \
    /* sum (a vector) += dy */                                                                     \
    static target void name##_add(const nn__shift *f, float *sum, const float *dy) {               \
        NN__V even = NN__LOAD(sum), odd = NN__SET(0.0f);                                           \
        for (int i = 0; i < f->n; i += 2 * NN__WIDE) {                                             \
            even = NN__ADD(even, NN__SOME(dy + i, NN__LANES(0, f->n - i)));                        \
            odd = NN__ADD(odd, NN__SOME(dy + i + NN__WIDE, NN__LANES(0, f->n - i - NN__WIDE)));    \
        }                                                                                          \
        NN__STORE(sum, NN__ADD(even, odd));                                                        \
    }

#define NN__V            __m256
#define NN__WIDE         8
#define NN__BYTES        32
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__LOAD(p)      _mm256_loadu_ps(p)
#define NN__STORE(p, v)  _mm256_storeu_ps(p, v)
#define NN__LANES(a, b)  nn__lanes8(a, b)
#define NN__MASK(p)      _mm256_loadu_ps((const float *)(const void *)(p))
#define NN__SOME(p, m)   _mm256_maskload_ps(p, m)
#define NN__READ(p)      _mm256_castsi256_ps(_mm256_lddqu_si256((const __m256i *)(const void *)(p)))
#define NN__PUT(p, m, v) _mm256_maskstore_ps(p, m, v)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__MUL(a, b)    _mm256_mul_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__LIMIT(v)     _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
#define NN__BEFORE(a, b, m) _mm256_and_ps(nn__shift_before8(a, b), m)
#define NN__AFTER(a, b, m)  _mm256_and_ps(nn__shift_after8(a, b), m)
/* The last of a, then b without its last one; a without its first one, then the first of b. */
NN__AVX2 static inline __m256 nn__shift_before8(__m256 a, __m256 b) {
    const __m256i between = _mm256_castps_si256(_mm256_permute2f128_ps(a, b, 0x21));
    return _mm256_castsi256_ps(_mm256_alignr_epi8(_mm256_castps_si256(b), between, 12));
}
NN__AVX2 static inline __m256 nn__shift_after8(__m256 a, __m256 b) {
    const __m256i between = _mm256_castps_si256(_mm256_permute2f128_ps(a, b, 0x21));
    return _mm256_castsi256_ps(_mm256_alignr_epi8(between, _mm256_castps_si256(a), 4));
}
NN__SHIFT_BODIES(nn__shift8, NN__AVX2)
#ifndef NN_NO_TRAINING
NN__SHIFT_DOTS(nn__shift8, NN__AVX2)
#endif
#undef NN__V
#undef NN__WIDE
#undef NN__BYTES
#undef NN__SET
#undef NN__LOAD
#undef NN__STORE
#undef NN__LANES
#undef NN__MASK
#undef NN__SOME
#undef NN__READ
#undef NN__PUT
#undef NN__ADD
#undef NN__MUL
#undef NN__FMA
#undef NN__LIMIT
#undef NN__BEFORE
#undef NN__AFTER

#ifdef NN__VECTOR16
#define NN__V            __m512
#define NN__WIDE         16
#define NN__BYTES        2
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__LOAD(p)      _mm512_loadu_ps(p)
#define NN__STORE(p, v)  _mm512_storeu_ps(p, v)
#define NN__LANES(a, b)  nn__lanes16(a, b)
#define NN__MASK(p)      (*(const __mmask16 *)(const void *)(p))
#define NN__SOME(p, m)   _mm512_maskz_loadu_ps(m, p)
#define NN__READ(p)      _mm512_maskz_loadu_ps((__mmask16)f->whole, p)
#define NN__PUT(p, m, v) _mm512_mask_storeu_ps(p, m, v)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__MUL(a, b)    _mm512_mul_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
#define NN__ALIGN(m, a, b, n)                                                                      \
    _mm512_castsi512_ps(                                                                           \
        _mm512_maskz_alignr_epi32(m, _mm512_castps_si512(b), _mm512_castps_si512(a), n))
#define NN__BEFORE(a, b, m) NN__ALIGN(m, a, b, 15)
#define NN__AFTER(a, b, m)  NN__ALIGN(m, a, b, 1)
NN__SHIFT_BODIES(nn__shift16, NN__AVX512)
#ifndef NN_NO_TRAINING
NN__SHIFT_DOTS(nn__shift16, NN__AVX512)
#endif
#undef NN__V
#undef NN__WIDE
#undef NN__BYTES
#undef NN__SET
#undef NN__LOAD
#undef NN__STORE
#undef NN__LANES
#undef NN__MASK
#undef NN__SOME
#undef NN__READ
#undef NN__PUT
#undef NN__ADD
#undef NN__MUL
#undef NN__FMA
#undef NN__LIMIT
#undef NN__ALIGN
#undef NN__BEFORE
#undef NN__AFTER
#endif

#undef NN__SHIFT_SUMS
#undef NN__SHIFT_PART
#undef NN__SHIFT_WHOLE
#undef NN__SHIFT_SUM
#undef NN__SHIFT_ZONES
#undef NN__SHIFT_ROW
#undef NN__SHIFT_ADD
#undef NN__SHIFT_BODIES
#undef NN__SHIFT_HAS
#undef NN__SHIFT_KEEP
#undef NN__SHIFT_9
#undef NN__SHIFT_DOTS

/* Vectors after which columns lie in lanes as before. */
static int nn__shift_period(int wide, int width) {
    int period = width;
    for (; wide > 1 && period % 2 == 0; wide /= 2) period /= 2;
    return period;
}

static void nn__shift_fill8(int32_t *masks, int period, int width) {
    for (int i = 0; i < period * 16; i++) masks[i] = -1;
    for (int i = 0, last = width - 1; last < period * 8; i += width, last += width) {
        masks[i / 8 * 16 + i % 8] = 0;
        masks[last / 8 * 16 + 8 + last % 8] = 0;
    }
}
static void nn__shift_fill16(uint16_t *masks, int period, int width) {
    for (int i = 0; i < period * 2; i++) masks[i] = 0xffff;
    for (int i = 0, last = width - 1; last < period * 16; i += width, last += width) {
        masks[i / 16 * 2] = (uint16_t)(masks[i / 16 * 2] & ~(1u << i % 16));
        masks[last / 16 * 2 + 1] = (uint16_t)(masks[last / 16 * 2 + 1] & ~(1u << last % 16));
    }
}

NN_PRIVATE size_t nn__shift_bytes(const nn__cpu *cpu, int width) {
    const bool sixteen = nn__vectors16(cpu);
    return nn__align_up((size_t)nn__shift_period(sixteen ? 16 : 8, width) * (sixteen ? 4 : 64), 64);
}

NN_PRIVATE void nn__shift_begin(nn__shift *f, const nn__cpu *cpu, int height, int width,
                                char *masks) {
    const int wide = nn__vectors16(cpu) ? 16 : 8;
    f->cpu = cpu;
    f->n = height * width;
    f->width = width;
    f->whole = 0xffff;
    f->ahead = 0;
    f->period = nn__shift_period(wide, width);
    f->masks = masks;
    if (wide == 8)
        nn__shift_fill8((int32_t *)(void *)masks, f->period, width);
    else
        nn__shift_fill16((uint16_t *)(void *)masks, f->period, width);
}

NN_PRIVATE void nn__shift_plane(const nn__shift *f, float *y, const float *x, const float *weight,
                                float bias, bool add, nn__clamp clamp) {
#ifdef NN__VECTOR16
    if (nn__vectors16(f->cpu)) {
        nn__shift16_plane(f, y, x, weight, bias, add, clamp);
        return;
    }
#endif
    nn__shift8_plane(f, y, x, weight, bias, add, clamp);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__shift_dot(const nn__shift *f, float *sums, const float *x, const float *dy,
                              bool bias) {
#ifdef NN__VECTOR16
    if (nn__vectors16(f->cpu)) {
        nn__shift16_dot(f, sums, x, dy);
        if (bias) nn__shift16_add(f, sums + 9 * 16, dy);
        return;
    }
#endif
    nn__shift8_dot(f, sums, x, dy);
    if (bias) nn__shift8_add(f, sums + 9 * 8, dy);
}
#endif

#endif
#endif

typedef int nn__conv2d_depthwise_shift_part; /* a part must not be empty under NN_NO_SIMD */
