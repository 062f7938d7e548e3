/* kernels/integer/vector_neon.h - the loops of integer kernels for NEON: products by sdot where the
   processor has it, else of 16-bit numbers. */
#ifdef NN__SET_NEON
#define NN__INTEGER_PUT(r, a, b)                                                                   \
    vst1q_s32(t->sums + 8 * (r), a);                                                               \
    vst1q_s32(t->sums + 8 * (r) + 4, b)
#define NN__INTEGER_PUT_ALL                                                                        \
    NN__INTEGER_PUT(0, a0, a1);                                                                    \
    NN__INTEGER_PUT(1, b0, b1);                                                                    \
    NN__INTEGER_PUT(2, c0, c1);                                                                    \
    NN__INTEGER_PUT(3, d0, d1);                                                                    \
    NN__INTEGER_PUT(4, e0, e1);                                                                    \
    NN__INTEGER_PUT(5, f0, f1);                                                                    \
    NN__INTEGER_PUT(6, g0, g1);                                                                    \
    NN__INTEGER_PUT(7, h0, h1)
#define NN__INTEGER_SUMS                                                                           \
    int32x4_t a0 = s0, a1 = s1, b0 = s0, b1 = s1, c0 = s0, c1 = s1, d0 = s0, d1 = s1, e0 = s0,     \
              e1 = s1, f0 = s0, f1 = s1, g0 = s0, g1 = s1, h0 = s0, h1 = s1

#if NN__HAS_DOT
/* A quarter of sixteen numbers of eight rows: four numbers of each. */
#define NN__INTEGER_QUARTER(q)                                                                     \
    w0 = vld1q_s8(w + 32 * (q)), w1 = vld1q_s8(w + 32 * (q) + 16);                                 \
    a0 = vdotq_laneq_s32(a0, w0, xa, q), a1 = vdotq_laneq_s32(a1, w1, xa, q);                      \
    b0 = vdotq_laneq_s32(b0, w0, xb, q), b1 = vdotq_laneq_s32(b1, w1, xb, q);                      \
    c0 = vdotq_laneq_s32(c0, w0, xc, q), c1 = vdotq_laneq_s32(c1, w1, xc, q);                      \
    d0 = vdotq_laneq_s32(d0, w0, xd, q), d1 = vdotq_laneq_s32(d1, w1, xd, q);                      \
    e0 = vdotq_laneq_s32(e0, w0, xe, q), e1 = vdotq_laneq_s32(e1, w1, xe, q);                      \
    f0 = vdotq_laneq_s32(f0, w0, xf, q), f1 = vdotq_laneq_s32(f1, w1, xf, q);                      \
    g0 = vdotq_laneq_s32(g0, w0, xg, q), g1 = vdotq_laneq_s32(g1, w1, xg, q);                      \
    h0 = vdotq_laneq_s32(h0, w0, xh, q), h1 = vdotq_laneq_s32(h1, w1, xh, q)
#define NN__INTEGER_ONE(q)                                                                         \
    a0 = vdotq_laneq_s32(a0, vld1q_s8(w + 32 * (q)), xa, q);                                       \
    a1 = vdotq_laneq_s32(a1, vld1q_s8(w + 32 * (q) + 16), xa, q)

static NN__DOT_TARGET void NN__(integer_dot_tile)(const nn__integer_tile *t) {
    const int8_t *x = (const int8_t *)t->x, *w = (const int8_t *)t->w;
    const ptrdiff_t row = t->x_row;
    const int32x4_t s0 = vld1q_s32(t->start), s1 = vld1q_s32(t->start + 4);
    if (t->rows == 8) {
        NN__INTEGER_SUMS;
        int8x16_t w0, w1;
        for (int p = 0; p < t->steps; p += 4, x += 16, w += 128) {
            const int8x16_t xa = vld1q_s8(x), xb = vld1q_s8(x + row), xc = vld1q_s8(x + 2 * row),
                            xd = vld1q_s8(x + 3 * row), xe = vld1q_s8(x + 4 * row),
                            xf = vld1q_s8(x + 5 * row), xg = vld1q_s8(x + 6 * row),
                            xh = vld1q_s8(x + 7 * row);
            NN__INTEGER_QUARTER(0);
            NN__INTEGER_QUARTER(1);
            NN__INTEGER_QUARTER(2);
            NN__INTEGER_QUARTER(3);
        }
        NN__INTEGER_PUT_ALL;
        return;
    }
    for (int r = 0; r < t->rows; r++) {
        int32x4_t a0 = s0, a1 = s1;
        x = (const int8_t *)t->x + r * row;
        w = (const int8_t *)t->w;
        for (int p = 0; p < t->steps; p += 4, x += 16, w += 128) {
            const int8x16_t xa = vld1q_s8(x);
            NN__INTEGER_ONE(0);
            NN__INTEGER_ONE(1);
            NN__INTEGER_ONE(2);
            NN__INTEGER_ONE(3);
        }
        NN__INTEGER_PUT(r, a0, a1);
    }
}
#undef NN__INTEGER_QUARTER
#undef NN__INTEGER_ONE

#if NN__HAS_I8MM
/* The sums of two rows and eight lanes. Each vector has two lanes, in the order row 0 lane 0, row 0
   lane 1, row 1 lane 0, row 1 lane 1. */
typedef struct nn__integer_pair {
    int32x4_t a, b, c, d;
} nn__integer_pair;
NN__OP nn__integer_pair nn__integer_pair_start(const int32_t *start) {
    nn__integer_pair s;
    s.a = vreinterpretq_s32_s64(vld1q_dup_s64((const int64_t *)(const void *)start));
    s.b = vreinterpretq_s32_s64(vld1q_dup_s64((const int64_t *)(const void *)(start + 2)));
    s.c = vreinterpretq_s32_s64(vld1q_dup_s64((const int64_t *)(const void *)(start + 4)));
    s.d = vreinterpretq_s32_s64(vld1q_dup_s64((const int64_t *)(const void *)(start + 6)));
    return s;
}
NN__OP int32x4_t nn__integer_pair_row(int32x4_t a, int32x4_t b, bool second) {
    return second ? vcombine_s32(vget_high_s32(a), vget_high_s32(b))
                  : vcombine_s32(vget_low_s32(a), vget_low_s32(b));
}
NN__OP void nn__integer_pair_put(int32_t *sums, nn__integer_pair s, bool second) {
    vst1q_s32(sums, nn__integer_pair_row(s.a, s.b, second));
    vst1q_s32(sums + 4, nn__integer_pair_row(s.c, s.d, second));
}
#define NN__INTEGER_TWO(x, y, upper)                                                               \
    vreinterpretq_s8_s64((upper) ? vzip2q_s64(vreinterpretq_s64_s8(x), vreinterpretq_s64_s8(y))    \
                                 : vzip1q_s64(vreinterpretq_s64_s8(x), vreinterpretq_s64_s8(y)))
#define NN__INTEGER_PAIR(s, x)                                                                     \
    s.a = vmmlaq_s32(s.a, x, w0), s.b = vmmlaq_s32(s.b, x, w1), s.c = vmmlaq_s32(s.c, x, w2),      \
    s.d = vmmlaq_s32(s.d, x, w3)
#define NN__INTEGER_LOAD(at)                                                                       \
    w0 = vld1q_s8(w + (at)), w1 = vld1q_s8(w + (at) + 16), w2 = vld1q_s8(w + (at) + 32),           \
    w3 = vld1q_s8(w + (at) + 48)
static NN__I8MM_TARGET void NN__(integer_matrix_tile)(const nn__integer_tile *t) {
    const int8_t *x = (const int8_t *)t->x, *w = (const int8_t *)t->w;
    const ptrdiff_t row = t->x_row;
    const nn__integer_pair start = nn__integer_pair_start(t->start);
    int8x16_t w0, w1, w2, w3;
    if (t->rows == 8) {
        nn__integer_pair ab = start, cd = start, ef = start, gh = start;
        for (int p = 0; p < t->steps; p += 2, x += 16, w += 128) {
            const int8x16_t xa = vld1q_s8(x), xb = vld1q_s8(x + row), xc = vld1q_s8(x + 2 * row),
                            xd = vld1q_s8(x + 3 * row), xe = vld1q_s8(x + 4 * row),
                            xf = vld1q_s8(x + 5 * row), xg = vld1q_s8(x + 6 * row),
                            xh = vld1q_s8(x + 7 * row);
            NN__INTEGER_LOAD(0);
            NN__INTEGER_PAIR(ab, NN__INTEGER_TWO(xa, xb, false));
            NN__INTEGER_PAIR(cd, NN__INTEGER_TWO(xc, xd, false));
            NN__INTEGER_PAIR(ef, NN__INTEGER_TWO(xe, xf, false));
            NN__INTEGER_PAIR(gh, NN__INTEGER_TWO(xg, xh, false));
            NN__INTEGER_LOAD(64);
            NN__INTEGER_PAIR(ab, NN__INTEGER_TWO(xa, xb, true));
            NN__INTEGER_PAIR(cd, NN__INTEGER_TWO(xc, xd, true));
            NN__INTEGER_PAIR(ef, NN__INTEGER_TWO(xe, xf, true));
            NN__INTEGER_PAIR(gh, NN__INTEGER_TWO(xg, xh, true));
        }
        nn__integer_pair_put(t->sums, ab, false), nn__integer_pair_put(t->sums + 8, ab, true);
        nn__integer_pair_put(t->sums + 16, cd, false), nn__integer_pair_put(t->sums + 24, cd, true);
        nn__integer_pair_put(t->sums + 32, ef, false), nn__integer_pair_put(t->sums + 40, ef, true);
        nn__integer_pair_put(t->sums + 48, gh, false), nn__integer_pair_put(t->sums + 56, gh, true);
        return;
    }
    for (int r = 0; r < t->rows; r += 2) { /* a last single row is computed twice */
        nn__integer_pair s = start;
        const bool two = r + 1 < t->rows;
        x = (const int8_t *)t->x + r * row;
        w = (const int8_t *)t->w;
        for (int p = 0; p < t->steps; p += 2, x += 16, w += 128) {
            const int8x16_t xa = vld1q_s8(x), xb = vld1q_s8(two ? x + row : x);
            NN__INTEGER_LOAD(0);
            NN__INTEGER_PAIR(s, NN__INTEGER_TWO(xa, xb, false));
            NN__INTEGER_LOAD(64);
            NN__INTEGER_PAIR(s, NN__INTEGER_TWO(xa, xb, true));
        }
        nn__integer_pair_put(t->sums + 8 * r, s, false);
        if (two) nn__integer_pair_put(t->sums + 8 * r + 8, s, true);
    }
}
#undef NN__INTEGER_TWO
#undef NN__INTEGER_PAIR
#undef NN__INTEGER_LOAD
#endif

#endif

static void NN__(integer_copy)(void *to, const int8_t *x, int n) {
    int8_t *y = (int8_t *)to;
    int i = 0;
    for (; i + 16 <= n; i += 16) vst1q_s8(y + i, vld1q_s8(x + i));
    for (; i + 8 <= n; i += 8) vst1_s8(y + i, vld1_s8(x + i));
    for (; i < n; i++) y[i] = x[i];
}

/* Number q of eight rows times eight lanes. */
#define NN__INTEGER_ROW(q, x, a, b)                                                                \
    a = vmlal_laneq_s16(a, vget_low_s16(v), x, q), b = vmlal_high_laneq_s16(b, v, x, q)
#define NN__INTEGER_STEP(q)                                                                        \
    v = vld1q_s16(w + 8 * (q));                                                                    \
    NN__INTEGER_ROW(q, xa, a0, a1);                                                                \
    NN__INTEGER_ROW(q, xb, b0, b1);                                                                \
    NN__INTEGER_ROW(q, xc, c0, c1);                                                                \
    NN__INTEGER_ROW(q, xd, d0, d1);                                                                \
    NN__INTEGER_ROW(q, xe, e0, e1);                                                                \
    NN__INTEGER_ROW(q, xf, f0, f1);                                                                \
    NN__INTEGER_ROW(q, xg, g0, g1);                                                                \
    NN__INTEGER_ROW(q, xh, h0, h1)
#define NN__INTEGER_ONE(q)                                                                         \
    v = vld1q_s16(w + 8 * (q));                                                                    \
    NN__INTEGER_ROW(q, xa, a0, a1)

static void NN__(integer_tile)(const nn__integer_tile *t) {
    const int16_t *x = (const int16_t *)(const void *)t->x;
    const int16_t *w = (const int16_t *)(const void *)t->w;
    const ptrdiff_t row = t->x_row / 2;
    const int32x4_t s0 = vld1q_s32(t->start), s1 = vld1q_s32(t->start + 4);
    int16x8_t v;
    if (t->rows == 8) {
        NN__INTEGER_SUMS;
        for (int p = 0; p < t->steps; p += 8, x += 8, w += 64) {
            const int16x8_t xa = vld1q_s16(x), xb = vld1q_s16(x + row), xc = vld1q_s16(x + 2 * row),
                            xd = vld1q_s16(x + 3 * row), xe = vld1q_s16(x + 4 * row),
                            xf = vld1q_s16(x + 5 * row), xg = vld1q_s16(x + 6 * row),
                            xh = vld1q_s16(x + 7 * row);
            NN__INTEGER_STEP(0);
            NN__INTEGER_STEP(1);
            NN__INTEGER_STEP(2);
            NN__INTEGER_STEP(3);
            NN__INTEGER_STEP(4);
            NN__INTEGER_STEP(5);
            NN__INTEGER_STEP(6);
            NN__INTEGER_STEP(7);
        }
        NN__INTEGER_PUT_ALL;
        return;
    }
    for (int r = 0; r < t->rows; r++) {
        int32x4_t a0 = s0, a1 = s1;
        x = (const int16_t *)(const void *)t->x + r * row;
        w = (const int16_t *)(const void *)t->w;
        for (int p = 0; p < t->steps; p += 8, x += 8, w += 64) {
            const int16x8_t xa = vld1q_s16(x);
            NN__INTEGER_ONE(0);
            NN__INTEGER_ONE(1);
            NN__INTEGER_ONE(2);
            NN__INTEGER_ONE(3);
            NN__INTEGER_ONE(4);
            NN__INTEGER_ONE(5);
            NN__INTEGER_ONE(6);
            NN__INTEGER_ONE(7);
        }
        NN__INTEGER_PUT(r, a0, a1);
    }
}
#undef NN__INTEGER_ROW
#undef NN__INTEGER_STEP
#undef NN__INTEGER_ONE
#undef NN__INTEGER_PUT
#undef NN__INTEGER_PUT_ALL
#undef NN__INTEGER_SUMS

static void NN__(integer_widen)(void *to, const int8_t *x, int n) {
    int16_t *y = (int16_t *)to;
    int i = 0;
    for (; i + 8 <= n; i += 8) vst1q_s16(y + i, vmovl_s8(vld1_s8(x + i)));
    for (; i < n; i++) y[i] = x[i];
}

/* Does nn__integer_scale for four sums. */
NN__OP int32x4_t nn__integer_scale4(int32x4_t sum, int32x4_t multiplier, int32x4_t shift) {
    const int32x4_t zero = vdupq_n_s32(0), right = vminq_s32(shift, zero);
    const int32x4_t v =
        vqrdmulhq_s32(vshlq_s32(sum, vmaxq_s32(shift, zero)), multiplier);
    /* halves away from zero: vrshl rounds them up */
    return vrshlq_s32(vqaddq_s32(v, vshrq_n_s32(vandq_s32(v, right), 31)), right);
}
NN__OP int8x8_t nn__integer_bytes8(int32x4_t a, int32x4_t b, int32_t low, int32_t high) {
    const int32x4_t least = vdupq_n_s32(low), most = vdupq_n_s32(high);
    a = vminq_s32(vmaxq_s32(a, least), most);
    b = vminq_s32(vmaxq_s32(b, least), most);
    return vmovn_s16(vcombine_s16(vmovn_s32(a), vmovn_s32(b)));
}

#include "kernels/integer/vector_neon_pairs.h"

static void NN__(integer_requantize)(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                     int rows, const nn__integer_out *out, int n) {
    const int32x4_t zero = vdupq_n_s32(out->zero);
    const int16x8_t offset = vdupq_n_s16((int16_t)out->zero);
    const int8x8_t least = vdup_n_s8((int8_t)out->low), most = vdup_n_s8((int8_t)out->high);
    const int32_t *m = out->multiplier, *s = out->shift;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const int32x4_t m0 = vld1q_s32(m + i), m1 = vld1q_s32(m + i + 4), s0 = vld1q_s32(s + i),
                        s1 = vld1q_s32(s + i + 4);
        if (vmaxvq_s32(vmaxq_s32(s0, s1)) < 0) {
            const int32_t *from = sums + i;
            int8_t *to = y + i;
            for (int r = 0; r < rows; r++, from += lanes, to += y_row) {
                const int8x8_t v =
                    nn__integer_narrow8(nn__integer_reduce4(vld1q_s32(from), m0, s0),
                                        nn__integer_reduce4(vld1q_s32(from + 4), m1, s1), offset);
                vst1_s8(to, vmin_s8(vmax_s8(v, least), most));
            }
            continue;
        }
        for (int r = 0; r < rows; r++) {
            const int32_t *from = sums + r * lanes + i;
            const int32x4_t a = nn__integer_scale4(vld1q_s32(from), m0, s0),
                            b = nn__integer_scale4(vld1q_s32(from + 4), m1, s1);
            vst1_s8(y + r * y_row + i, nn__integer_bytes8(vaddq_s32(a, zero), vaddq_s32(b, zero),
                                                          out->low, out->high));
        }
    }
    for (; i < n; i++)
        for (int r = 0; r < rows; r++)
            y[r * y_row + i] = nn__integer_one(sums[r * lanes + i], out, i);
}

static void NN__(integer_depthwise)(int32_t *sums, const int32_t *start,
                                    const int8_t *const *taps, const int16_t *w, ptrdiff_t w_row,
                                    int count, int n) {
    int c = 0;
    for (; c + 16 <= n; c += 16) {
        int32x4_t a = vld1q_s32(start + c), b = vld1q_s32(start + c + 4),
                  d = vld1q_s32(start + c + 8), e = vld1q_s32(start + c + 12);
        const int16_t *at = w + c;
        for (int t = 0; t < count; t++, at += w_row) {
            const int8x16_t x = vld1q_s8(taps[t] + c);
            const int16x8_t low = vmovl_s8(vget_low_s8(x)), high = vmovl_high_s8(x),
                            w0 = vld1q_s16(at), w1 = vld1q_s16(at + 8);
            a = vmlal_s16(a, vget_low_s16(low), vget_low_s16(w0));
            b = vmlal_high_s16(b, low, w0);
            d = vmlal_s16(d, vget_low_s16(high), vget_low_s16(w1));
            e = vmlal_high_s16(e, high, w1);
        }
        vst1q_s32(sums + c, a), vst1q_s32(sums + c + 4, b);
        vst1q_s32(sums + c + 8, d), vst1q_s32(sums + c + 12, e);
    }
    for (; c < n; c++) {
        uint32_t sum = (uint32_t)start[c];
        for (int t = 0; t < count; t++) sum += (uint32_t)(taps[t][c] * w[t * w_row + c]);
        sums[c] = (int32_t)sum;
    }
}

static void NN__(integer_largest)(int8_t *y, const int8_t *const *taps, int count, int n) {
    int c = 0;
    for (; c + 16 <= n; c += 16) {
        int8x16_t v = vld1q_s8(taps[0] + c);
        for (int t = 1; t < count; t++) v = vmaxq_s8(v, vld1q_s8(taps[t] + c));
        vst1q_s8(y + c, v);
    }
    for (; c < n; c++) {
        int8_t largest = taps[0][c];
        for (int t = 1; t < count; t++)
            if (taps[t][c] > largest) largest = taps[t][c];
        y[c] = largest;
    }
}

NN__OP int32x4_t nn__integer_add_part(int16x4_t x, const int32_t *numbers, int i) {
    const int32x4_t v =
        vsubq_s32(vmovl_s16(x), vdupq_n_s32(numbers[NN_INTEGER_ADD_ZERO + i]));
    return nn__integer_scale4(vshlq_n_s32(v, 20),
                              vdupq_n_s32(numbers[NN_INTEGER_ADD_MULTIPLIER + i]),
                              vdupq_n_s32(numbers[NN_INTEGER_ADD_SHIFT + i]));
}
NN__OP int32x4_t nn__integer_add_four(int16x4_t a, int16x4_t b, const int32_t *numbers) {
    const int32x4_t sum = vaddq_s32(nn__integer_add_part(a, numbers, 0),
                                    nn__integer_add_part(b, numbers, 1));
    return vaddq_s32(nn__integer_scale4(sum, vdupq_n_s32(numbers[NN_INTEGER_ADD_MULTIPLIER + 2]),
                                        vdupq_n_s32(numbers[NN_INTEGER_ADD_SHIFT + 2])),
                     vdupq_n_s32(numbers[NN_INTEGER_ADD_ZERO + 2]));
}
static void NN__(integer_add)(int8_t *y, const int8_t *a, const int8_t *b, const int32_t *numbers,
                              int n) {
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        const int16x8_t v = vmovl_s8(vld1_s8(a + i)), w = vmovl_s8(vld1_s8(b + i));
        vst1_s8(y + i,
                nn__integer_bytes8(
                    nn__integer_add_four(vget_low_s16(v), vget_low_s16(w), numbers),
                    nn__integer_add_four(vget_high_s16(v), vget_high_s16(w), numbers),
                    numbers[NN_INTEGER_ADD_LOW], numbers[NN_INTEGER_ADD_HIGH]));
    }
    for (; i < n; i++) y[i] = nn__integer_add_one(a[i], b[i], numbers);
}

static const nn__integer_loops NN__(integer_loops) = {
    8, 8, 1, 8, 2, 0, NN__(integer_tile), NN__(integer_widen), NN__(integer_requantize),
    NN__(integer_depthwise), NN__(integer_largest), NN__(integer_add),
    NN__(integer_quantize),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NN__(integer_nine)};
/* for products with packed weights */
static const nn__integer_loops NN__(integer_pair_loops) = {
    24, 8, 16, 1, 1, 0, NN__(integer_pair_tile), NN__(integer_copy), NN__(integer_requantize),
    NN__(integer_depthwise), NN__(integer_largest), NN__(integer_add),
    NN__(integer_quantize),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NN__(integer_nine)};
#if NN__HAS_DOT
static const nn__integer_loops NN__(integer_dot_loops) = {
    8, 8, 4, 4, 1, 0, NN__(integer_dot_tile), NN__(integer_copy), NN__(integer_requantize),
    NN__(integer_depthwise), NN__(integer_largest), NN__(integer_add),
    NN__(integer_quantize),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NN__(integer_nine)};
#endif
#if NN__HAS_I8MM
static const nn__integer_loops NN__(integer_matrix_loops) = {
    8, 8, 8, 2, 1, 0, NN__(integer_matrix_tile), NN__(integer_copy), NN__(integer_requantize),
    NN__(integer_depthwise), NN__(integer_largest), NN__(integer_add), NN__(integer_quantize),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NN__(integer_nine)};
#endif
#endif
