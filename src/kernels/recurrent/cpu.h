/* kernels/recurrent/cpu.h - what the forward and the backward part on the CPU share. A unit is a
   few samples, all their steps: their products with the weight are tiles, and no step waits for
   another thread. */
#pragma once

#include "cpu/gemm.h"
#include "cpu/simd.h"

/* Numbers of a recurrence. */
typedef struct nn__recurrence {
    int N, T, H, P, gates; /* gates: G H */
    bool lstm, gru, reverse, projects;
    const int32_t *lengths; /* NULL: all have T steps */
    int units;
    int first, rows; /* samples of the unit; before it is known, 0 and the most of any */
} nn__recurrence;

/* How many units: of one or two tiles of samples each, more where the weight is too large for the
   second cache, so that it is read less often; an even number of nearly equal ones. */
static inline NN__UNUSED int nn__recurrent_cut(const nn__cpu *cpu, int N, int64_t weights) {
    int rows = nn__gemm_set_of(cpu)->rows;
    if (rows < 8) rows *= 2;
    if (weights > 65536 && N >= 4 * rows) rows *= 2;
    if (N < 2 * rows) rows = nn__maxi(4, nn__ceil_div(N, 2));
    if (N <= rows) return N > 0;
    return 2 * nn__ceil_div(N, 2 * rows);
}
static inline NN__UNUSED nn__recurrence nn__recurrence_of(const nn__cpu *cpu,
                                                          nn_recurrent_cell cell, bool reverse,
                                                          const nn_view *x, const nn_view *weight,
                                                          const nn_view *projection,
                                                          const nn_view *lengths) {
    nn__recurrence r;
    r.N = x->shape.extent[0];
    r.T = x->shape.extent[1];
    r.gates = weight->shape.extent[0];
    r.P = weight->shape.extent[1];
    r.H = r.gates / NN_RECURRENT_GATES(cell);
    r.lstm = cell == NN_RECURRENT_LSTM;
    r.gru = cell == NN_RECURRENT_GRU;
    r.reverse = reverse;
    r.projects = nn__present(projection);
    r.lengths = nn__present(lengths) ? nn__i32(lengths) : NULL;
    r.units = nn__recurrent_cut(cpu, r.N, (int64_t)r.gates * r.P);
    r.first = 0;
    r.rows = r.units ? nn__ceil_div(r.N, r.units) : 0;
    return r;
}
static inline NN__UNUSED void nn__recurrence_unit(nn__recurrence *r, int unit) {
    const int size = r->N / r->units, larger = r->N % r->units;
    r->first = unit * size + nn__mini(unit, larger);
    r->rows = size + (unit < larger);
}
static inline NN__UNUSED bool nn__recurrent_fits(const nn__recurrence *r, int n) {
    return !r->lengths || (r->lengths[n] >= 0 && r->lengths[n] <= r->T);
}
/* Steps of sample n. */
static inline NN__UNUSED int nn__recurrent_length(const nn__recurrence *r, int n) {
    return !r->lengths ? r->T : nn__recurrent_fits(r, n) ? r->lengths[n] : 0;
}
static inline NN__UNUSED const float *nn__recurrent_given(const nn_view *view) {
    return nn__present(view) ? nn__f32(view) : NULL;
}

/* y (rows, columns) (+)= a (rows, depth) b (depth, columns); the rows of b are b_row apart. */
static inline NN__UNUSED void nn__recurrent_multiply(const nn__cpu *cpu, float *y, ptrdiff_t y_row,
                                                     const float *a, ptrdiff_t a_row,
                                                     const float *b, const int32_t *b_offset,
                                                     ptrdiff_t b_row, int rows, int columns,
                                                     int depth, const float *bias, bool add) {
    nn__product product;
    memset(&product, 0, sizeof product);
    product.a_row = a_row;
    product.a_step = 1;
    product.b_offset = b_offset;
    product.y = y;
    product.y_row = y_row;
    product.rows = rows;
    product.columns = columns;
    product.add = add;
    product.column_bias = bias;
    for (int at = 0; at < depth; at += NN__DEPTH) {
        product.a = a + at;
        product.b = b + at * b_row;
        product.depth = nn__mini(NN__DEPTH, depth - at);
        product.last = at + NN__DEPTH >= depth;
        nn__multiply_tiles(nn__gemm_set_of(cpu), &product);
        product.add = true;
    }
}
static inline NN__UNUSED void nn__recurrent_offsets(int32_t *offset, ptrdiff_t row) {
    for (int i = 0; i < NN__DEPTH; i++) offset[i] = (int32_t)(i * row);
}

#ifdef NN__VECTOR8
/* Up to eight numbers; none beyond is touched. */
NN__AVX2 static inline NN__UNUSED __m256 nn__some8(const float *x, int n) {
    return n >= 8 ? _mm256_loadu_ps(x) : nn__load_tail8(x, n, 0.0f);
}
NN__AVX2 static inline NN__UNUSED void nn__put8(float *y, int n, __m256 v) {
    if (n >= 8)
        _mm256_storeu_ps(y, v);
    else
        nn__store_tail8(y, n, v);
}
#endif

#ifndef NN_NO_TRAINING
NN_PRIVATE const nn__cpu_kernel *nn__recurrent_backward_kernel(void);
#endif
