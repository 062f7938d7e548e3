/* kernels/quantized/cpu.h - declarations that the quantised kernels share on the CPU. Their
   products are tiles of kernels/integer; the loops around the tiles are written over the vector
   layer. */
#pragma once

#include "cpu/sets.h"
#include "kernels/integer/cpu.h"

/* The factors that turn the sums of a tile into f32. */
typedef struct nn__quantized_out {
    const float *scale;  /* of each channel */
    const int32_t *zero; /* of each channel; NULL: 0 */
    const int32_t *row;  /* with zero: the sum of x less its zero point, of each row */
    float x_scale;
    int32_t x_zero;
} nn__quantized_out;

typedef struct nn__quantized_loops {
    /* to[i] = clamp(round(x[i] / scale) + zero, -128, 127), halves to even */
    void (*quantize)(int8_t *to, const float *x, float scale, float zero, int n);
    /* y[r y_row + i] = sums[r lanes + i] in f32; r in [0, rows), i in [0, n) */
    void (*put)(float *y, ptrdiff_t y_row, const int32_t *sums, int lanes, int rows,
                const nn__quantized_out *out, int n);
    /* to (groups, lanes, step), in elements of `bytes` bytes: each group takes the next `step`
       lines base + offset[], and lane l takes number l of each */
    void (*panel)(void *to, const int8_t *base, const int32_t *offset, int groups, int lanes,
                  int step, int bytes);
    /* y[r y_row + i] = (sums[r lanes + i] - less[i] + more[r]) in f32 * scale[r] */
    void (*planes)(float *y, ptrdiff_t y_row, const int32_t *sums, int lanes, int rows,
                   const int32_t *less, const int32_t *more, const float *scale, int n);
    /* ends[0] = the smallest of 0 and all x, ends[1] = the largest */
    void (*ends)(float *ends, const float *x, int n);
} nn__quantized_loops;

/* A weight (K, depth) in panels of some rows. A panel begins with the sums of its rows. */
typedef struct nn__quantized_matrix {
    const nn__integer_loops *loops;
    int K, depth, padded, panels;
    size_t panel_bytes;
} nn__quantized_matrix;

NN_PRIVATE nn__quantized_matrix nn__quantized_matrix_of(const nn__cpu *cpu, const nn_view *weight);
NN_PRIVATE void nn__quantized_pack(const nn__quantized_matrix *m, const nn_view *weight, int panel,
                                   void *packed);
/* Multiplies `rows` rows at x, which nn__quantized_row has written, by a panel: y receives the
   columns of the panel. */
NN_PRIVATE void nn__quantized_multiply(const nn__cpu *cpu, const nn__quantized_matrix *m,
                                       const void *packed, int panel, const char *x, int rows,
                                       const nn__quantized_out *out, float *y, ptrdiff_t y_row);
/* Writes a row for the products: n numbers, then zeros. */
NN_PRIVATE void nn__quantized_row(const nn__quantized_matrix *m, char *row, const int8_t *x);
NN_PRIVATE const nn__cpu_kernel *nn__quantized_conv_functions(void);
NN_PRIVATE uint64_t nn__quantized_conv_packed(const nn__cpu *cpu, const void *args);
NN_PRIVATE const nn__cpu_kernel *nn__quantized_lstm_functions(void);
NN_PRIVATE uint64_t nn__quantized_lstm_packed(const nn__cpu *cpu, const void *args);
