/* cpu/gemm_neon.c - tiles of 6 rows and 16 columns for 64-bit ARM. kernels/matmul/cpu.c cuts
   matrices into such tiles; cpu/gemm_plain.c does the same in plain C and is easier to read. */
#include "cpu/gemm.h"

#ifdef NN__HAVE_NEON

#define NN__GEMM_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5)

/* Loads behind it stay behind it. gcc would load the numbers of all rows of a first, and have no
   registers left for all sums. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__NEON_IN_ORDER() __asm__ volatile("" : : : "memory")
#else
#define NN__NEON_IN_ORDER() (void)0
#endif

static NN__ALWAYS_INLINE void nn__neon_body(const nn__tile *t, const int rows) {
    const int32_t *offset = t->b_offset;
    const float *b = t->b;
    const ptrdiff_t a_step = t->a_step, y_row = t->y_row;
    const int depth = t->depth, columns = t->columns;
    const bool whole = columns == 16;
    float part[16] = {0};
    ptrdiff_t q = 0;
#define NN__X(i)                                                                                   \
    const float *a##i = t->a[i < rows ? i : 0];                                                    \
    float32x4_t s##i##0 = vdupq_n_f32(0), s##i##1 = s##i##0, s##i##2 = s##i##0, s##i##3 = s##i##0;
    NN__GEMM_ROWS(NN__X)
#undef NN__X
    for (int p = 0; p < depth; p++, q += a_step) {
        const float *row = b + offset[p];
        if (!whole) {
            for (int j = 0; j < columns; j++) part[j] = row[j];
            row = part;
        }
        const float32x4_t b0 = vld1q_f32(row), b1 = vld1q_f32(row + 4), b2 = vld1q_f32(row + 8),
                          b3 = vld1q_f32(row + 12);
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        const float32x4_t value = vld1q_dup_f32(a##i + q);                                         \
        s##i##0 = vfmaq_f32(s##i##0, value, b0);                                                   \
        s##i##1 = vfmaq_f32(s##i##1, value, b1);                                                   \
        s##i##2 = vfmaq_f32(s##i##2, value, b2);                                                   \
        s##i##3 = vfmaq_f32(s##i##3, value, b3);                                                   \
        if (i % 2) NN__NEON_IN_ORDER();                                                            \
    }
        NN__GEMM_ROWS(NN__X)
#undef NN__X
    }
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        float *y = t->y + i * y_row, *to = whole ? y : part;                                       \
        if (whole && t->add) {                                                                     \
            s##i##0 = vaddq_f32(s##i##0, vld1q_f32(y)),                                            \
            s##i##1 = vaddq_f32(s##i##1, vld1q_f32(y + 4));                                        \
            s##i##2 = vaddq_f32(s##i##2, vld1q_f32(y + 8)),                                        \
            s##i##3 = vaddq_f32(s##i##3, vld1q_f32(y + 12));                                       \
        }                                                                                          \
        vst1q_f32(to, s##i##0), vst1q_f32(to + 4, s##i##1), vst1q_f32(to + 8, s##i##2),            \
            vst1q_f32(to + 12, s##i##3);                                                           \
        if (!whole)                                                                                \
            for (int j = 0; j < columns; j++) y[j] = t->add ? y[j] + part[j] : part[j];            \
    }
    NN__GEMM_ROWS(NN__X)
#undef NN__X
}

#define NN__X(i)                                                                                   \
    static void nn__neon_tile##i(const nn__tile *t) { nn__neon_body(t, i + 1); }
NN__GEMM_ROWS(NN__X)
#undef NN__X

static void nn__neon_tile(const nn__tile *t) {
    switch (t->rows) {
#define NN__X(i)                                                                                   \
    case i + 1: nn__neon_tile##i(t); break;
        NN__GEMM_ROWS(NN__X)
#undef NN__X
    default: break;
    }
}

static void nn__neon_finish(float *y, ptrdiff_t y_row, int rows, int columns, const float *row_bias,
                            const float *column_bias, nn__clamp clamp) {
    const int whole = columns / 4 * 4;
    for (int j = 0; j < whole; j += 4)
        for (int i = 0; i < rows; i++) {
            float *at = y + i * y_row + j;
            float32x4_t value = vld1q_f32(at);
            if (column_bias) value = vaddq_f32(value, vld1q_f32(column_bias + j));
            if (row_bias) value = vaddq_f32(value, vdupq_n_f32(row_bias[i]));
            if (clamp) value = vmaxq_f32(value, vdupq_n_f32(0)); /* a NaN stays */
            if (clamp == NN__CLAMP_RELU6)
                value = vaddq_f32(vminq_f32(value, vdupq_n_f32(6)), vdupq_n_f32(0));
            vst1q_f32(at, value);
        }
    if (whole < columns)
        nn__plain_finish(y + whole, y_row, rows, columns - whole, row_bias,
                         column_bias ? column_bias + whole : NULL, clamp);
}

static void nn__neon_dot(const nn__dots *d) {
    const int whole = d->depth / 8 * 8;
    for (int i = 0; i < d->rows; i++)
        for (int j = 0; j < d->columns; j++) {
            const float *a = d->a + i * d->a_row, *b = d->b + j * d->b_row;
            float *y = d->y + i * d->y_row + j * d->y_step;
            float32x4_t s0 = vdupq_n_f32(0), s1 = s0;
            for (int p = 0; p < whole; p += 8) {
                s0 = vfmaq_f32(s0, vld1q_f32(a + p), vld1q_f32(b + p));
                s1 = vfmaq_f32(s1, vld1q_f32(a + p + 4), vld1q_f32(b + p + 4));
            }
            float sum = vaddvq_f32(vaddq_f32(s0, s1));
            for (int p = whole; p < d->depth; p++) sum += a[p] * b[p];
            *y = d->add ? *y + sum : sum;
        }
}

static void nn__neon_widen(float *to, const uint16_t *from, bool f16, int n) {
    int i = 0;
#if !defined(_MSC_VER) || defined(__clang__) /* Microsoft's compiler has no vectors of f16 */
    if (f16)
        for (; i + 4 <= n; i += 4)
            vst1q_f32(to + i, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from + i))));
#endif
    if (!f16)
        for (; i + 4 <= n; i += 4)
            vst1q_f32(to + i, vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(from + i), 16)));
    nn__plain_widen(to + i, from + i, f16, n - i);
}

NN_PRIVATE const nn__gemm_set *nn__gemm_set_neon(void) {
    static const nn__gemm_set set = {6,
                                     16,
                                     0,
                                     nn__neon_tile,
                                     nn__neon_finish,
                                     nn__neon_dot,
                                     nn__plain_transpose,
                                     nn__plain_pick,
                                     NULL,
                                     nn__neon_widen,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL,
                                     NULL,
                                     0};
    return &set;
}

#undef NN__NEON_IN_ORDER
#undef NN__GEMM_ROWS
#else
typedef int nn__neon_empty; /* ISO C wants something in a file */
#endif
