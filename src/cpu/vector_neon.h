/* cpu/vector_neon.h - the operations of cpu/vector.h for 64-bit ARM with NEON: four numbers. */
#ifdef NN__SET_NEON
typedef float32x4_t NN__(v);
typedef int32x4_t   NN__(vi);
typedef uint32x4_t  NN__(vm);

NN__OP NN__F32 NN__(all)(float number) { return vdupq_n_f32(number); }
NN__OP NN__F32 NN__(load)(const float *x) { return vld1q_f32(x); }
NN__OP NN__F32 NN__(load_once)(const float *x) { return vld1q_f32(x); }
NN__OP void NN__(store)(float *y, NN__F32 v) { vst1q_f32(y, v); }
NN__OP void NN__(stream)(float *y, NN__F32 v) { vst1q_f32(y, v); }
NN__OP NN__F32 NN__(load_some)(const float *x, int n, float filler) {
    NN__F32 v;
    if (n >= 4) return vld1q_f32(x);
    v = vdupq_n_f32(filler);
    if (n > 0) v = vld1q_lane_f32(x, v, 0);
    if (n > 1) v = vld1q_lane_f32(x + 1, v, 1);
    if (n > 2) v = vld1q_lane_f32(x + 2, v, 2);
    return v;
}
NN__OP void NN__(store_some)(float *y, int n, NN__F32 v) {
    if (n >= 4) {
        vst1q_f32(y, v);
        return;
    }
    if (n > 0) vst1q_lane_f32(y, v, 0);
    if (n > 1) vst1q_lane_f32(y + 1, v, 1);
    if (n > 2) vst1q_lane_f32(y + 2, v, 2);
}
NN__INLINE void NN__(ahead)(const void *x) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(x);
#else
    (void)x;
#endif
}

NN__OP NN__F32 NN__(add)(NN__F32 a, NN__F32 b) { return vaddq_f32(a, b); }
NN__OP NN__F32 NN__(sub)(NN__F32 a, NN__F32 b) { return vsubq_f32(a, b); }
NN__OP NN__F32 NN__(mul)(NN__F32 a, NN__F32 b) { return vmulq_f32(a, b); }
NN__OP NN__F32 NN__(div)(NN__F32 a, NN__F32 b) { return vdivq_f32(a, b); }
NN__OP NN__F32 NN__(fma)(NN__F32 a, NN__F32 b, NN__F32 c) { return vfmaq_f32(c, a, b); }
NN__OP NN__F32 NN__(fnma)(NN__F32 a, NN__F32 b, NN__F32 c) { return vfmsq_f32(c, a, b); }
NN__OP NN__F32 NN__(sqrt)(NN__F32 a) { return vsqrtq_f32(a); }
NN__OP NN__F32 NN__(abs)(NN__F32 a) { return vabsq_f32(a); }
NN__OP NN__F32 NN__(floor)(NN__F32 a) { return vrndmq_f32(a); }
NN__OP NN__F32 NN__(round)(NN__F32 a) { return vrndnq_f32(a); }
NN__OP NN__F32 NN__(smaller)(NN__F32 a, NN__F32 b) { return vminq_f32(a, b); }
NN__OP NN__F32 NN__(larger)(NN__F32 a, NN__F32 b) { return vmaxq_f32(a, b); }

NN__OP NN__B32 NN__(less)(NN__F32 a, NN__F32 b) { return vcltq_f32(a, b); }
NN__OP NN__B32 NN__(less_equal)(NN__F32 a, NN__F32 b) { return vcleq_f32(a, b); }
NN__OP NN__B32 NN__(equal)(NN__F32 a, NN__F32 b) { return vceqq_f32(a, b); }
NN__OP NN__B32 NN__(unordered)(NN__F32 a, NN__F32 b) {
    return vmvnq_u32(vandq_u32(vceqq_f32(a, a), vceqq_f32(b, b)));
}
NN__OP NN__B32 NN__(none)(void) { return vdupq_n_u32(0); }
NN__OP NN__B32 NN__(both)(NN__B32 a, NN__B32 b) { return vandq_u32(a, b); }
NN__OP NN__B32 NN__(either)(NN__B32 a, NN__B32 b) { return vorrq_u32(a, b); }
NN__OP NN__B32 NN__(not)(NN__B32 a) { return vmvnq_u32(a); }
NN__OP bool NN__(any)(NN__B32 a) { return vmaxvq_u32(a) != 0; }
NN__OP NN__F32 NN__(pick)(NN__B32 where, NN__F32 a, NN__F32 b) { return vbslq_f32(where, a, b); }
NN__OP NN__F32 NN__(keep)(NN__B32 where, NN__F32 a) {
    return vreinterpretq_f32_u32(vandq_u32(vreinterpretq_u32_f32(a), where));
}
NN__OP NN__F32 NN__(drop)(NN__B32 where, NN__F32 a) {
    return vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(a), where));
}

NN__OP NN__I32 NN__(int_all)(int32_t number) { return vdupq_n_s32(number); }
NN__OP NN__I32 NN__(int_load)(const int32_t *x) { return vld1q_s32(x); }
NN__OP void NN__(int_store)(int32_t *y, NN__I32 v) { vst1q_s32(y, v); }
NN__OP NN__I32 NN__(int_load_some)(const int32_t *x, int n) {
    NN__I32 v = vdupq_n_s32(0);
    if (n >= 4) return vld1q_s32(x);
    if (n > 0) v = vld1q_lane_s32(x, v, 0);
    if (n > 1) v = vld1q_lane_s32(x + 1, v, 1);
    if (n > 2) v = vld1q_lane_s32(x + 2, v, 2);
    return v;
}
NN__OP void NN__(int_store_some)(int32_t *y, int n, NN__I32 v) {
    if (n > 0) vst1q_lane_s32(y, v, 0);
    if (n > 1) vst1q_lane_s32(y + 1, v, 1);
    if (n > 2) vst1q_lane_s32(y + 2, v, 2);
    if (n > 3) vst1q_lane_s32(y + 3, v, 3);
}
NN__OP NN__I32 NN__(int_lanes)(void) {
    static const int32_t lanes[4] = {0, 1, 2, 3};
    return vld1q_s32(lanes);
}
NN__OP NN__I32 NN__(int_add)(NN__I32 a, NN__I32 b) { return vaddq_s32(a, b); }
NN__OP NN__I32 NN__(int_sub)(NN__I32 a, NN__I32 b) { return vsubq_s32(a, b); }
NN__OP NN__I32 NN__(int_product)(NN__I32 a, NN__I32 b, NN__I32 *high) {
    const uint32x4_t x = vreinterpretq_u32_s32(a), y = vreinterpretq_u32_s32(b);
    const int32x4_t low = vreinterpretq_s32_u64(vmull_u32(vget_low_u32(x), vget_low_u32(y)));
    const int32x4_t top = vreinterpretq_s32_u64(vmull_u32(vget_high_u32(x), vget_high_u32(y)));
    *high = vuzp2q_s32(low, top);
    return vuzp1q_s32(low, top);
}
NN__OP NN__I32 NN__(int_and)(NN__I32 a, NN__I32 b) { return vandq_s32(a, b); }
NN__OP NN__I32 NN__(int_or)(NN__I32 a, NN__I32 b) { return vorrq_s32(a, b); }
NN__OP NN__I32 NN__(int_xor)(NN__I32 a, NN__I32 b) { return veorq_s32(a, b); }
NN__OP NN__I32 NN__(int_left)(NN__I32 a, int bits) { return vshlq_s32(a, vdupq_n_s32(bits)); }
NN__OP NN__I32 NN__(int_right)(NN__I32 a, int bits) {
    return vreinterpretq_s32_u32(vshlq_u32(vreinterpretq_u32_s32(a), vdupq_n_s32(-bits)));
}
NN__OP NN__B32 NN__(int_equal)(NN__I32 a, NN__I32 b) { return vceqq_s32(a, b); }
NN__OP NN__B32 NN__(int_less)(NN__I32 a, NN__I32 b) { return vcltq_s32(a, b); }
NN__OP NN__I32 NN__(int_pick)(NN__B32 where, NN__I32 a, NN__I32 b) {
    return vbslq_s32(where, a, b);
}
NN__OP NN__F32 NN__(from_int)(NN__I32 a) { return vcvtq_f32_s32(a); }
NN__OP NN__I32 NN__(to_int)(NN__F32 a) { return vcvtq_s32_f32(a); }
NN__OP NN__I32 NN__(bits)(NN__F32 a) { return vreinterpretq_s32_f32(a); }
NN__OP NN__F32 NN__(of_bits)(NN__I32 a) { return vreinterpretq_f32_s32(a); }
NN__OP NN__F32 NN__(with_sign)(NN__F32 a, NN__F32 b) {
    return vbslq_f32(vdupq_n_u32(0x80000000u), b, a);
}

/* Adds lower and upper half, then the two numbers, as the other sets do. */
NN__OP float NN__(sum)(NN__F32 a) {
    const float32x2_t two = vadd_f32(vget_low_f32(a), vget_high_f32(a));
    return vget_lane_f32(two, 0) + vget_lane_f32(two, 1);
}
NN__OP float NN__(largest)(NN__F32 a) { return vmaxvq_f32(a); }
NN__OP float NN__(smallest)(NN__F32 a) { return vminvq_f32(a); }
NN__OP NN__F32 NN__(gather)(const float *x, NN__I32 at) {
    NN__F32 v = vdupq_n_f32(x[vgetq_lane_s32(at, 0)]);
    v = vld1q_lane_f32(x + vgetq_lane_s32(at, 1), v, 1);
    v = vld1q_lane_f32(x + vgetq_lane_s32(at, 2), v, 2);
    return vld1q_lane_f32(x + vgetq_lane_s32(at, 3), v, 3);
}
NN__OP NN__F32 NN__(look_up8)(const float *table, NN__I32 at) {
    /* the four bytes of each number */
    const int32x4_t bytes = vmlaq_s32(vdupq_n_s32(0x03020100), at, vdupq_n_s32(0x04040404));
    uint8x16x2_t all;
    all.val[0] = vreinterpretq_u8_f32(vld1q_f32(table));
    all.val[1] = vreinterpretq_u8_f32(vld1q_f32(table + 4));
    return vreinterpretq_f32_u8(vqtbl2q_u8(all, vreinterpretq_u8_s32(bytes)));
}
NN__OP NN__F32 NN__(evens)(NN__F32 a, NN__F32 b) { return vuzp1q_f32(a, b); }
NN__OP NN__F32 NN__(odds)(NN__F32 a, NN__F32 b) { return vuzp2q_f32(a, b); }
NN__OP NN__F32 NN__(zip_low)(NN__F32 a, NN__F32 b) { return vzip1q_f32(a, b); }
NN__OP NN__F32 NN__(zip_high)(NN__F32 a, NN__F32 b) { return vzip2q_f32(a, b); }

NN__OP NN__F32 NN__(before)(NN__F32 a, NN__F32 b) { return vextq_f32(a, b, 3); }
NN__OP NN__F32 NN__(after)(NN__F32 a, NN__F32 b) { return vextq_f32(a, b, 1); }
NN__OP NN__F32 NN__(permute)(NN__F32 a, NN__I32 at) {
    /* the four bytes of each number; tbl gives 0 for indices beyond the table */
    const int32x4_t bytes = vmlaq_s32(vdupq_n_s32(0x03020100), at, vdupq_n_s32(0x04040404));
    return vreinterpretq_f32_u8(
        vqtbl1q_u8(vreinterpretq_u8_f32(a), vreinterpretq_u8_s32(bytes)));
}

NN__OP NN__F32 NN__(load_i8)(const int8_t *x) {
    int32_t four; /* at most four bytes are read */
    memcpy(&four, x, sizeof four);
    const int16x8_t wide = vmovl_s8(vreinterpret_s8_s32(vdup_n_s32(four)));
    return vcvtq_f32_s32(vmovl_s16(vget_low_s16(wide)));
}
NN__OP NN__I32 NN__(int_load_u8)(const uint8_t *x) {
    uint32_t four; /* no more than four bytes are read */
    memcpy(&four, x, sizeof four);
    const uint16x8_t wide = vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four)));
    return vreinterpretq_s32_u32(vmovl_u16(vget_low_u16(wide)));
}
NN__OP void NN__(int_store_u8)(uint8_t *y, NN__I32 v) {
    const uint16x4_t half = vmovn_u32(vreinterpretq_u32_s32(v));
    const uint32_t four =
        vget_lane_u32(vreinterpret_u32_u8(vmovn_u16(vcombine_u16(half, half))), 0);
    memcpy(y, &four, sizeof four);
}
NN__OP uint8x16_t NN__(packed)(NN__B32 where, uint8x16_t v, int *count) {
    static const uint32_t bits[4] = {1, 2, 4, 8};
    static const uint8_t places[16][4] = {{0}, {0}, {4}, {0, 4}, {8}, {0, 8}, {4, 8}, {0, 4, 8},
                                          {12}, {0, 12}, {4, 12}, {0, 4, 12}, {8, 12},
                                          {0, 8, 12}, {4, 8, 12}, {0, 4, 8, 12}};
    const uint32_t mask = vaddvq_u32(vandq_u32(where, vld1q_u32(bits)));
    const uint32x4_t at = vreinterpretq_u32_s32(NN__(int_load_u8)(places[mask]));
    *count = (int)(0x4332322132212110u >> (4 * mask) & 7u); /* bits of 0 to 15, a nibble each */
    return vqtbl1q_u8(v, vreinterpretq_u8_u32(vmlaq_u32(vdupq_n_u32(0x03020100), at,
                                                        vdupq_n_u32(0x01010101))));
}
NN__OP int NN__(pack)(float *y, NN__B32 where, NN__F32 v) {
    int count;
    vst1q_f32(y, vreinterpretq_f32_u8(NN__(packed)(where, vreinterpretq_u8_f32(v), &count)));
    return count;
}
NN__OP int NN__(int_pack)(int32_t *y, NN__B32 where, NN__I32 v) {
    int count;
    vst1q_s32(y, vreinterpretq_s32_u8(NN__(packed)(where, vreinterpretq_u8_s32(v), &count)));
    return count;
}
NN__OP NN__F32 NN__(load_bf16)(const uint16_t *x) {
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(x), 16));
}
NN__OP NN__F32 NN__(load_f16)(const uint16_t *x) {
#if defined(_MSC_VER) && !defined(__clang__) /* MSVC has no type for four f16 numbers */
    const uint32x4_t half = vmovl_u16(vld1_u16(x));
    const uint32x4_t size = vandq_u32(half, vdupq_n_u32(0x7fff));
    const uint32x4_t ends = vcgeq_u32(size, vdupq_n_u32(0x7c00));
    const float32x4_t value = vmulq_f32(vreinterpretq_f32_u32(vshlq_n_u32(size, 13)),
                                        vdupq_n_f32(5.192296858534828e33f));
    const uint32x4_t quiet = vandq_u32(vcgtq_u32(size, vdupq_n_u32(0x7c00)), vdupq_n_u32(0x400000));
    uint32x4_t bits = vreinterpretq_u32_f32(value);
    bits = vorrq_u32(bits, vorrq_u32(quiet, vandq_u32(ends, vdupq_n_u32(0x7f800000))));
    bits = vorrq_u32(bits, vshlq_n_u32(vandq_u32(half, vdupq_n_u32(0x8000)), 16));
    return vreinterpretq_f32_u32(bits);
#else
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(x)));
#endif
}
NN__OP void NN__(store_bf16)(uint16_t *y, NN__F32 v) {
    const uint32x4_t bits = vreinterpretq_u32_f32(v), high = vshrq_n_u32(bits, 16);
    uint32x4_t nearest = vaddq_u32(vandq_u32(high, vdupq_n_u32(1)), vdupq_n_u32(0x7fff));
    nearest = vshrq_n_u32(vaddq_u32(bits, nearest), 16);
    nearest = vbslq_u32(vceqq_f32(v, v), nearest, vorrq_u32(high, vdupq_n_u32(0x40)));
    vst1_u16(y, vmovn_u32(nearest));
}

typedef float32x4_t NN__(vf);
NN__OP NN__FOUR NN__(load_four)(const float *x) { return vld1q_f32(x); }
NN__OP NN__F32 NN__(fma_lane0)(NN__FOUR a, NN__F32 b, NN__F32 c) {
    return vfmaq_laneq_f32(c, b, a, 0);
}
NN__OP NN__F32 NN__(fma_lane1)(NN__FOUR a, NN__F32 b, NN__F32 c) {
    return vfmaq_laneq_f32(c, b, a, 1);
}
NN__OP NN__F32 NN__(fma_lane2)(NN__FOUR a, NN__F32 b, NN__F32 c) {
    return vfmaq_laneq_f32(c, b, a, 2);
}
NN__OP NN__F32 NN__(fma_lane3)(NN__FOUR a, NN__F32 b, NN__F32 c) {
    return vfmaq_laneq_f32(c, b, a, 3);
}
NN__OP NN__F32 NN__(pairs)(NN__F32 a, NN__F32 b) { return vpaddq_f32(a, b); }
#endif
