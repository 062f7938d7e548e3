/* cpu/gemm_plain.c - the tile kernel in plain C, which runs on every machine and shows what the
   tiles for the instruction sets do faster. kernels/matmul/cpu.c cuts matrices into tiles. */
#include "cpu/gemm.h"

/* Two rows and four columns at once: as many accumulators as a small processor has registers
   for. */
static void nn__plain_tile24(const nn__tile *t, int i, int j) {
    const float *a0 = t->a[i], *a1 = t->a[i + 1 < t->rows ? i + 1 : i], *b = t->b + j;
    float s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
    float *y = t->y + i * t->y_row + j;
    for (int p = 0; p < t->depth; p++) {
        const float *row = b + t->b_offset[p];
        const float u = *a0, v = *a1;
        s00 += u * row[0], s01 += u * row[1], s02 += u * row[2], s03 += u * row[3];
        s10 += v * row[0], s11 += v * row[1], s12 += v * row[2], s13 += v * row[3];
        a0 += t->a_step;
        a1 += t->a_step;
    }
    for (int e = 0; e < 2 && i + e < t->rows; e++, y += t->y_row) {
        if (!t->add) y[0] = y[1] = y[2] = y[3] = 0;
        y[0] += e ? s10 : s00, y[1] += e ? s11 : s01, y[2] += e ? s12 : s02, y[3] += e ? s13 : s03;
    }
}

static void nn__plain_tile(const nn__tile *t) {
    int j = 0;
    for (; j + 4 <= t->columns; j += 4)
        for (int i = 0; i < t->rows; i += 2) nn__plain_tile24(t, i, j);
    for (; j < t->columns; j++)
        for (int i = 0; i < t->rows; i++) {
            float *y = t->y + i * t->y_row + j;
            float sum = 0;
            for (int p = 0; p < t->depth; p++)
                sum += t->a[i][p * t->a_step] * t->b[t->b_offset[p] + j];
            *y = t->add ? *y + sum : sum;
        }
}

NN_PRIVATE void nn__plain_finish(float *y, ptrdiff_t y_row, int rows, int columns,
                                 const float *row_bias, const float *column_bias,
                                 nn__clamp clamp) {
    for (int i = 0; i < rows; i++, y += y_row)
        for (int j = 0; j < columns; j++) {
            float value = y[j];
            if (column_bias) value += column_bias[j];
            if (row_bias) value += row_bias[i];
            y[j] = clamp && value < 0 ? 0 : value;
#ifndef NN_NO_SIMD
            if (clamp == NN__CLAMP_RELU6) y[j] = value <= 0 ? 0 : value > 6 ? 6 : value;
#endif
        }
}

NN_PRIVATE void nn__plain_dot(const nn__dots *d) {
    for (int i = 0; i < d->rows; i++)
        for (int j = 0; j < d->columns; j++) {
            const float *a = d->a + i * d->a_row, *b = d->b + j * d->b_row;
            float *y = d->y + i * d->y_row + j * d->y_step;
            float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
            int p = 0;
            for (; p + 4 <= d->depth; p += 4) {
                s0 += a[p] * b[p], s1 += a[p + 1] * b[p + 1];
                s2 += a[p + 2] * b[p + 2], s3 += a[p + 3] * b[p + 3];
            }
            for (; p < d->depth; p++) s0 += a[p] * b[p];
            s0 = (s0 + s1) + (s2 + s3);
            *y = d->add ? *y + s0 : s0;
        }
}

NN_PRIVATE void nn__plain_transpose(float *to, ptrdiff_t to_row, const float *from,
                                    ptrdiff_t from_row, int rows, int columns) {
    for (int i0 = 0; i0 < rows; i0 += 16) { /* 16 columns of `to` make one cache line */
        const int i1 = nn__mini(rows, i0 + 16);
        for (int j = 0; j < columns; j++)
            for (int i = i0; i < i1; i++) to[j * to_row + i] = from[i * from_row + j];
    }
}

NN_PRIVATE void nn__plain_pick(float *to, const float *from, ptrdiff_t stride, int n) {
    if (stride == 1)
        memcpy(to, from, (size_t)n * sizeof(float));
    else
        for (int i = 0; i < n; i++) to[i] = from[i * stride];
}

#ifndef NN_NO_SIMD
NN_PRIVATE void nn__plain_widen(float *to, const uint16_t *from, bool f16, int n) {
    for (int i = 0; i < n; i++) {
        const uint32_t sign = (uint32_t)(from[i] & 0x8000u) << 16, rest = from[i] & 0x7fffu;
        uint32_t bits = (uint32_t)from[i] << 16;
        if (f16 && rest < 0x400u) { /* below the normal numbers: units of 2^-24 */
            const float small_number = (float)rest * (1.0f / 16777216.0f);
            to[i] = sign ? -small_number : small_number;
            continue;
        }
        if (f16) bits = sign | ((rest << 13) + (rest < 0x7c00u ? 112u << 23 : 224u << 23));
        memcpy(&to[i], &bits, sizeof bits);
    }
}
#endif

static const nn__gemm_set nn__gemm_set_plain = {
    8,
    32,
    16,
    nn__plain_tile,
    nn__plain_finish,
    nn__plain_dot,
    nn__plain_transpose,
    nn__plain_pick NN__GEMM_WIDEN(NULL) NN__GEMM_WIDEN(nn__plain_widen)
        NN__GEMM_WIDEN(NULL) NN__GEMM_WIDEN(NULL) NN__GEMM_WIDEN(NULL) NN__GEMM_WIDEN(NULL)
            NN__GEMM_WIDEN(NULL) NN__GEMM_WIDEN(0)};

NN_PRIVATE const nn__gemm_set *nn__gemm_set_of(const nn__cpu *cpu) {
#ifdef NN__HAVE_X86
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) return nn__gemm_set_avx512();
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return nn__gemm_set_avx2();
#endif
#ifdef NN__HAVE_NEON
    if (cpu->instructions == NN_INSTRUCTIONS_NEON) return nn__gemm_set_neon();
#endif
    (void)cpu;
    return &nn__gemm_set_plain;
}
