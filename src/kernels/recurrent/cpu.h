/* kernels/recurrent/cpu.h - shared by forward and backward on the CPU. A unit is a few samples with
   all their steps: their products with the weight are tiles, and no step waits for another
   thread. */
#pragma once

#include "cpu/gemm.h"
#include "cpu/sets.h"

/* The extents of a recurrence. */
typedef struct nn__recurrence {
    int N, T, H, P, gates; /* gates: G H */
    bool lstm, gru, reverse, projects;
    const int32_t *lengths; /* NULL: all have T steps */
    int units;
    int first, rows; /* samples of the unit; until a unit is chosen, 0 and the largest number of any
                        unit */
} nn__recurrence;

/* Returns the number of units. A unit has one or two tiles of samples, or more if the weight is too
   large for the L2 cache, so that it is read less often. The number is even, except for at most
   four samples, which are one unit. Units are nearly equal. None has more than
   NN__RECURRENT_LEVELS tiles of samples. */
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
    /* NULL while a plan has no memory yet */
    r.lengths = nn__present(lengths) && lengths->handle ? nn__i32(lengths) : NULL;
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
static inline NN__UNUSED int nn__recurrent_length(const nn__recurrence *r, int n) {
    return !r->lengths ? r->T : nn__recurrent_fits(r, n) ? r->lengths[n] : 0;
}
static inline NN__UNUSED const float *nn__recurrent_given(const nn_view *view) {
    return nn__present(view) ? nn__f32(view) : NULL;
}

/* The initial states of all samples; h or c NULL: 0. The rows of a state with both are longer. */
typedef struct nn__recurrent_begin {
    const float *h, *c;
    ptrdiff_t h_row, c_row;
} nn__recurrent_begin;
static inline NN__UNUSED nn__recurrent_begin nn__recurrent_begins(const nn__recurrence *r,
                                                                  const nn_view *h0,
                                                                  const nn_view *c0) {
    nn__recurrent_begin b;
    b.h = nn__recurrent_given(h0);
    b.c = nn__recurrent_given(c0);
    b.h_row = r->P;
    b.c_row = r->H;
    if (!b.h || !r->lstm || b.c || h0->shape.extent[h0->shape.rank - 1] == r->P) return b;
    b.c = b.h + r->P;
    b.h_row = b.c_row = r->P + r->H;
    return b;
}

/* A matrix (depth, columns) that a product reads at each step. Row p of strip s, as wide as a tile,
   is at b + s * strip + p * row. */
typedef struct nn__recurrent_matrix {
    float *b;
    const int32_t *offset; /* offsets of the rows: NN__DEPTH of them */
    int depth, columns;
    ptrdiff_t row, strip;
} nn__recurrent_matrix;

/* The strips follow each other, so a product reads memory sequentially. */
static inline NN__UNUSED nn__recurrent_matrix nn__recurrent_strips(const nn__cpu *cpu,
                                                                   float *b, const int32_t *offset,
                                                                   int depth, int columns) {
    nn__recurrent_matrix m;
    m.b = b;
    m.offset = offset;
    m.depth = depth;
    m.columns = columns;
    m.row = nn__gemm_set_of(cpu)->columns;
    m.strip = depth * m.row;
    return m;
}
static inline NN__UNUSED ptrdiff_t nn__recurrent_floats(const nn__recurrent_matrix *m) {
    return nn__ceil_div(m->columns, (int)m->row) * m->strip;
}
static inline NN__UNUSED void nn__recurrent_offsets(int32_t *offset, ptrdiff_t row) {
    for (int i = 0; i < NN__DEPTH; i++) offset[i] = (int32_t)(i * row);
}

#define NN__RECURRENT_LEVELS 4 /* most tiles of samples per unit; see nn__recurrent_cut */

/* y (rows, columns) (+)= a (rows, depth) m. All tiles of a strip follow each other, so it comes
   from the L2 cache only once. */
static inline NN__UNUSED void nn__recurrent_multiply(const nn__cpu *cpu, float *y, ptrdiff_t y_row,
                                                     const float *a, ptrdiff_t a_row,
                                                     const nn__recurrent_matrix *m, int rows,
                                                     bool add) {
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    const int levels = nn__ceil_div(rows, set->rows);
    nn__tile tiles[NN__RECURRENT_LEVELS];
    for (int at = 0; at < m->depth; at += NN__DEPTH) {
        for (int level = 0, i = 0; level < levels; level++) {
            nn__tile *t = &tiles[level];
            t->rows = rows / levels + (level < rows % levels);
            for (int r = 0; r < t->rows; r++) t->a[r] = a + (i + r) * a_row + at;
            t->a_step = 1;
            t->offset = m->offset;
            t->y = y + i * y_row;
            t->y_row = y_row;
            t->depth = nn__mini(NN__DEPTH, m->depth - at);
            t->add = add || at > 0;
            i += t->rows;
        }
        const float *b = m->b + at * m->row;
        for (int j = 0; j < m->columns; j += set->columns, b += m->strip)
            for (int level = 0; level < levels; level++) {
                tiles[level].b = b;
                tiles[level].columns = nn__mini(set->columns, m->columns - j);
                set->tile(&tiles[level]);
                tiles[level].y += set->columns;
            }
    }
}

/* One step of one sample. q: weight h. x: the input's products. bias: NULL for 0. Each has G H
   numbers. h: H numbers, before and after the step; c of an lstm likewise. kept may be NULL. */
typedef struct nn__recurrent_row {
    const float *q, *x, *bias;
    float *h, *c, *kept;
    int H;
} nn__recurrent_row;

/* The gradient of that step. dh + dy: the gradient of h after the step; dy may be NULL. carry, for
   a gru: the part that reaches the h before without passing through the weight. */
typedef struct nn__recurrent_back {
    const float *kept, *y, *dh, *dy;
    const float *before, *c; /* h and c before the step; NULL: 0 */
    float *d;                /* a row of dhidden */
    float *dx;               /* gru: a row of dx, or NULL */
    float *carry, *dc;
    int H;
} nn__recurrent_back;

/* The functions of each instruction set, by nn_recurrent_cell (kernels/recurrent/vector.h). */
typedef struct nn__recurrent_steps {
    void (*step[4])(const nn__recurrent_row *row);
#ifndef NN_NO_TRAINING
    void (*back[4])(const nn__recurrent_back *back);
#endif
} nn__recurrent_steps;

NN_PRIVATE const nn__recurrent_steps *nn__recurrent_steps_of(const nn__cpu *cpu);
#ifndef NN_NO_TRAINING
NN_PRIVATE const nn__cpu_kernel *nn__recurrent_backward_kernel(void);
#endif
