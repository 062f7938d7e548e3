/* kernels/integer/vector_neon_pairs.h - loops of integer kernels for NEON that add two products of
   8-bit numbers in 16 bits: depthwise windows of nine taps, and products for processors without
   sdot. Two products fit into 16 bits unless all four numbers are -128. Weights that follow from a
   scale are never -128, but a file may have such weights: then products of 16-bit numbers are
   added, or each product on its own. */
#ifdef NN__SET_NEON

/* Adds the products of taps i and i + 1 of sixteen channels to the sums a, b, d, e. */
#define NN__INTEGER_TWO_TAPS(i, wi, wj)                                                            \
    x = vld1q_s8(taps[i] + at), z = vld1q_s8(taps[(i) + 1] + at);                                  \
    low = vmlal_s8(vmull_s8(vget_low_s8(x), vget_low_s8(wi)), vget_low_s8(z), vget_low_s8(wj));    \
    high = vmlal_high_s8(vmull_high_s8(x, wi), z, wj);                                             \
    a = vaddw_s16(a, vget_low_s16(low)), b = vaddw_high_s16(b, low);                               \
    d = vaddw_s16(d, vget_low_s16(high)), e = vaddw_high_s16(e, high)

/* Reduces four sums to 8 bits if the shift is below 0. The product with the multiplier is above
   -2^31, so subtracting 1 does not overflow. */
NN__OP int32x4_t nn__integer_reduce4(int32x4_t sum, int32x4_t multiplier, int32x4_t shift) {
    const int32x4_t v = vqrdmulhq_s32(sum, multiplier);
    return vrshlq_s32(vsraq_n_s32(v, v, 31), shift); /* halves away from zero */
}
/* Adds zero points to eight numbers of at most 31 bits and clamps them to 8 bits. */
NN__OP int8x8_t nn__integer_narrow8(int32x4_t a, int32x4_t b, int16x8_t zero) {
    return vqmovn_s16(vqaddq_s16(vqmovn_high_s32(vqmovn_s32(a), b), zero));
}

/* Computes sixteen channels from `c` on. */
static void NN__(integer_nine_block)(const nn__integer_nine *t, int c) {
    const int8_t *w = t->w + c;
    const ptrdiff_t row = t->w_row;
    const int8_t *const taps[9] = {t->taps[0] + c, t->taps[1] + c, t->taps[2] + c,
                                   t->taps[3] + c, t->taps[4] + c, t->taps[5] + c,
                                   t->taps[6] + c, t->taps[7] + c, t->taps[8] + c};
    const int32_t *multiplier = t->out->multiplier + c, *shift = t->out->shift + c;
    const int8x16_t w0 = vld1q_s8(w), w1 = vld1q_s8(w + row), w2 = vld1q_s8(w + 2 * row),
                    w3 = vld1q_s8(w + 3 * row), w4 = vld1q_s8(w + 4 * row),
                    w5 = vld1q_s8(w + 5 * row), w6 = vld1q_s8(w + 6 * row),
                    w7 = vld1q_s8(w + 7 * row), w8 = vld1q_s8(w + 8 * row);
    const int32x4_t m0 = vld1q_s32(multiplier), m1 = vld1q_s32(multiplier + 4),
                    m2 = vld1q_s32(multiplier + 8), m3 = vld1q_s32(multiplier + 12),
                    s0 = vld1q_s32(shift), s1 = vld1q_s32(shift + 4), s2 = vld1q_s32(shift + 8),
                    s3 = vld1q_s32(shift + 12);
    const bool usual =
        vmaxvq_s32(vmaxq_s32(vmaxq_s32(s0, s1), vmaxq_s32(s2, s3))) < 0;
    const int16x8_t zero = vdupq_n_s16((int16_t)t->out->zero);
    const int32x4_t wide = vdupq_n_s32(t->out->zero);
    const int8x16_t least = vdupq_n_s8((int8_t)t->out->low),
                    most = vdupq_n_s8((int8_t)t->out->high);
    int8_t *y = t->y + c;
    ptrdiff_t at = 0;
    for (int place = 0; place < t->places; place++, at += t->place, y += t->y_row) {
        int32x4_t a = vld1q_s32(t->start + c), b = vld1q_s32(t->start + c + 4),
                  d = vld1q_s32(t->start + c + 8), e = vld1q_s32(t->start + c + 12);
        int8x16_t x, z;
        int16x8_t low, high;
        NN__INTEGER_TWO_TAPS(0, w0, w1);
        NN__INTEGER_TWO_TAPS(2, w2, w3);
        NN__INTEGER_TWO_TAPS(4, w4, w5);
        NN__INTEGER_TWO_TAPS(6, w6, w7);
        x = vld1q_s8(taps[8] + at);
        low = vmull_s8(vget_low_s8(x), vget_low_s8(w8)), high = vmull_high_s8(x, w8);
        a = vaddw_s16(a, vget_low_s16(low)), b = vaddw_high_s16(b, low);
        d = vaddw_s16(d, vget_low_s16(high)), e = vaddw_high_s16(e, high);
        if (usual) {
            const int8x8_t first = nn__integer_narrow8(nn__integer_reduce4(a, m0, s0),
                                                       nn__integer_reduce4(b, m1, s1), zero),
                           last = nn__integer_narrow8(nn__integer_reduce4(d, m2, s2),
                                                      nn__integer_reduce4(e, m3, s3), zero);
            vst1q_s8(y, vminq_s8(vmaxq_s8(vcombine_s8(first, last), least), most));
        } else {
            a = vaddq_s32(nn__integer_scale4(a, m0, s0), wide);
            b = vaddq_s32(nn__integer_scale4(b, m1, s1), wide);
            d = vaddq_s32(nn__integer_scale4(d, m2, s2), wide);
            e = vaddq_s32(nn__integer_scale4(e, m3, s3), wide);
            vst1_s8(y, nn__integer_bytes8(a, b, t->out->low, t->out->high));
            vst1_s8(y + 8, nn__integer_bytes8(d, e, t->out->low, t->out->high));
        }
    }
}
#undef NN__INTEGER_TWO_TAPS

static void NN__(integer_nine)(const nn__integer_nine *t) {
    int c = 0;
    for (; c + 16 <= t->n; c += 16) NN__(integer_nine_block)(t, c);
    if (c < t->n) NN__(integer_nine_block)(t, t->n - 16); /* some channels twice */
}

/* ---- products without sdot ------------------------------------------------------------------- */

/* Adds the products of sixteen numbers of row x and of a lane to the four parts of a sum. */
#define NN__INTEGER_SIXTEEN(s, x)                                                                  \
    s = vpadalq_s16(s, vmlal_high_s8(vmull_s8(vget_low_s8(x), vget_low_s8(v)), x, v))
#define NN__INTEGER_SIXTEEN_SAFE(s, x)                                                             \
    s = vpadalq_s16(vpadalq_s16(s, vmull_s8(vget_low_s8(x), vget_low_s8(v))), vmull_high_s8(x, v))
#ifdef __GNUC__ /* else gcc begins with so many lanes at once that sums leave their registers */
#define NN__INTEGER_LANE_ENDS(d) __asm__("" : "+r"(w), "+w"(d))
#else
#define NN__INTEGER_LANE_ENDS(d) (void)0
#endif
#define NN__INTEGER_LANE(q, a, b, d)                                                               \
    v = vld1q_s8(w + 16 * (q));                                                                    \
    NN__INTEGER_SIXTEEN(a, xa);                                                                    \
    NN__INTEGER_SIXTEEN(b, xb);                                                                    \
    NN__INTEGER_SIXTEEN(d, xd);                                                                    \
    NN__INTEGER_LANE_ENDS(d)
#define NN__INTEGER_FOUR(to, i, j, k, l)                                                           \
    vst1q_s32(to, vaddq_s32(vld1q_s32(start), vpaddq_s32(vpaddq_s32(i, j), vpaddq_s32(k, l))))

/* Computes three rows of a tile. */
static void NN__(integer_pair_rows)(const nn__integer_tile *t, int r) {
    const int8_t *x = (const int8_t *)t->x + r * t->x_row, *w = (const int8_t *)t->w;
    const int8_t *y = x + t->x_row, *z = y + t->x_row;
    const int32x4_t none = vdupq_n_s32(0);
    int32x4_t a0 = none, a1 = none, a2 = none, a3 = none, a4 = none, a5 = none, a6 = none,
              a7 = none, b0 = none, b1 = none, b2 = none, b3 = none, b4 = none, b5 = none,
              b6 = none, b7 = none, d0 = none, d1 = none, d2 = none, d3 = none, d4 = none,
              d5 = none, d6 = none, d7 = none;
    int8x16_t v;
    for (int p = 0; p < t->steps; p++, x += 16, y += 16, z += 16, w += 128) {
        const int8x16_t xa = vld1q_s8(x), xb = vld1q_s8(y), xd = vld1q_s8(z);
        NN__INTEGER_LANE(0, a0, b0, d0);
        NN__INTEGER_LANE(1, a1, b1, d1);
        NN__INTEGER_LANE(2, a2, b2, d2);
        NN__INTEGER_LANE(3, a3, b3, d3);
        NN__INTEGER_LANE(4, a4, b4, d4);
        NN__INTEGER_LANE(5, a5, b5, d5);
        NN__INTEGER_LANE(6, a6, b6, d6);
        NN__INTEGER_LANE(7, a7, b7, d7);
    }
    const int32_t *start = t->start;
    int32_t *sums = t->sums + 8 * r;
    NN__INTEGER_FOUR(sums, a0, a1, a2, a3);
    NN__INTEGER_FOUR(sums + 8, b0, b1, b2, b3);
    NN__INTEGER_FOUR(sums + 16, d0, d1, d2, d3);
    start += 4;
    NN__INTEGER_FOUR(sums + 4, a4, a5, a6, a7);
    NN__INTEGER_FOUR(sums + 12, b4, b5, b6, b7);
    NN__INTEGER_FOUR(sums + 20, d4, d5, d6, d7);
}
/* Computes one row of a tile. */
#define NN__INTEGER_ONE_LANE(q, a)                                                                 \
    v = vld1q_s8(w + 16 * (q));                                                                    \
    if (safe)                                                                                      \
        NN__INTEGER_SIXTEEN_SAFE(a, xa);                                                           \
    else                                                                                           \
        NN__INTEGER_SIXTEEN(a, xa)
static void NN__(integer_pair_row)(const nn__integer_tile *t, int r, bool safe) {
    const int8_t *x = (const int8_t *)t->x + r * t->x_row, *w = (const int8_t *)t->w;
    const int32x4_t none = vdupq_n_s32(0);
    int32x4_t a0 = none, a1 = none, a2 = none, a3 = none, a4 = none, a5 = none, a6 = none,
              a7 = none;
    int8x16_t v;
    for (int p = 0; p < t->steps; p++, x += 16, w += 128) {
        const int8x16_t xa = vld1q_s8(x);
        NN__INTEGER_ONE_LANE(0, a0);
        NN__INTEGER_ONE_LANE(1, a1);
        NN__INTEGER_ONE_LANE(2, a2);
        NN__INTEGER_ONE_LANE(3, a3);
        NN__INTEGER_ONE_LANE(4, a4);
        NN__INTEGER_ONE_LANE(5, a5);
        NN__INTEGER_ONE_LANE(6, a6);
        NN__INTEGER_ONE_LANE(7, a7);
    }
    const int32_t *start = t->start;
    NN__INTEGER_FOUR(t->sums + 8 * r, a0, a1, a2, a3);
    start += 4;
    NN__INTEGER_FOUR(t->sums + 8 * r + 4, a4, a5, a6, a7);
}
#undef NN__INTEGER_SIXTEEN
#undef NN__INTEGER_SIXTEEN_SAFE
#undef NN__INTEGER_LANE
#undef NN__INTEGER_LANE_ENDS
#undef NN__INTEGER_ONE_LANE
#undef NN__INTEGER_FOUR

/* True if one of n numbers is -128; n is a multiple of 16. */
static bool NN__(integer_has_least)(const int8_t *x, ptrdiff_t n) {
    int8x16_t a = vdupq_n_s8(0), b = a;
    ptrdiff_t i = 0;
    for (; i + 128 <= n; i += 128) {
        a = vminq_s8(vminq_s8(a, vld1q_s8(x + i)), vld1q_s8(x + i + 64));
        b = vminq_s8(vminq_s8(b, vld1q_s8(x + i + 16)), vld1q_s8(x + i + 80));
        a = vminq_s8(vminq_s8(a, vld1q_s8(x + i + 32)), vld1q_s8(x + i + 96));
        b = vminq_s8(vminq_s8(b, vld1q_s8(x + i + 48)), vld1q_s8(x + i + 112));
    }
    for (; i < n; i += 16) a = vminq_s8(a, vld1q_s8(x + i));
    return vminvq_s8(vminq_s8(a, b)) == -128;
}
static void NN__(integer_pair_tile)(const nn__integer_tile *t) {
    bool safe = NN__(integer_has_least)((const int8_t *)t->w, (ptrdiff_t)t->steps * 128);
    if (safe) { /* then the rows decide */
        safe = false;
        for (int r = 0; r < t->rows && !safe; r++)
            safe = NN__(integer_has_least)((const int8_t *)t->x + r * t->x_row,
                                         (ptrdiff_t)t->steps * 16);
    }
    int r = 0;
    for (; !safe && r + 3 <= t->rows; r += 3) NN__(integer_pair_rows)(t, r);
    for (; r < t->rows; r++) NN__(integer_pair_row)(t, r, safe);
}
#endif
