/* kernels/recurrent/cpu.c - lstm, gru and rnn on the CPU, forward: the weight is transposed once,
   then each unit takes a few samples through all time steps. Backward is in
   kernels/recurrent/cpu_backward.c. */
#include "kernels/install_sequence.h"
#include "kernels/recurrent/cpu.h"
#include "kernels/recurrent/vector.h"

NN_PRIVATE const nn__recurrent_steps *nn__recurrent_steps_of(const nn__cpu *cpu) {
    return NN__OF_SET(cpu, nn__recurrent_steps);
}

/* ---- scratch --------------------------------------------------------------------------------- */

static nn__recurrence nn__recurrent_forward_of(const nn__cpu *cpu, const nn_recurrent_args *args) {
    return nn__recurrence_of(cpu, args->cell, args->reverse, &args->x, &args->weight,
                             &args->projection, &args->lengths);
}

/* True if there are so few samples that they take dot products with the rows of the untransposed
   weight. */
static bool nn__recurrent_dots(const nn__recurrence *r) { return r->N <= 2; }

/* The transposed weight (P, gates) and the transposed projection (H, P). */
typedef struct nn__recurrent_packed {
    int32_t *offset; /* of the rows of both */
    nn__recurrent_matrix weight, projection;
    ptrdiff_t floats;
} nn__recurrent_packed;

static nn__recurrent_packed nn__recurrent_packs(const nn__cpu *cpu, const nn__recurrence *r,
                                                void *shared) {
    nn__recurrent_packed p;
    p.offset = (int32_t *)shared;
    p.weight = nn__recurrent_strips(cpu, NULL, p.offset, r->P, r->gates);
    p.projection = nn__recurrent_strips(cpu, NULL, p.offset, r->H, r->P);
    p.floats = NN__DEPTH + nn__recurrent_floats(&p.weight);
    if (shared) {
        p.weight.b = (float *)shared + NN__DEPTH;
        p.projection.b = (float *)shared + p.floats;
    }
    if (r->projects) p.floats += nn__recurrent_floats(&p.projection);
    return p;
}

static size_t nn__recurrent_shared_bytes(const nn__cpu *cpu, const void *args) {
    const nn__recurrence r = nn__recurrent_forward_of(cpu, (const nn_recurrent_args *)args);
    if (nn__recurrent_dots(&r)) return 0;
    return (size_t)nn__recurrent_packs(cpu, &r, NULL).floats * sizeof(float);
}

/* q also has space for the product with the projection. */
static ptrdiff_t nn__recurrent_q_row(const nn__recurrence *r) {
    return nn__spread(nn__maxi(r->gates, r->P));
}
/* Returns the floats of a sample: q, h, c and the state before the projection. */
static ptrdiff_t nn__recurrent_own_row(const nn__recurrence *r) {
    return nn__recurrent_q_row(r) + nn__spread(r->P) + nn__spread(r->H) * 2;
}
static size_t nn__recurrent_own_bytes(const nn__cpu *cpu, const void *args) {
    const nn__recurrence r = nn__recurrent_forward_of(cpu, (const nn_recurrent_args *)args);
    return (size_t)(r.rows * nn__recurrent_own_row(&r)) * sizeof(float);
}

/* ---- units ----------------------------------------------------------------------------------- */

#define NN__RECURRENT_STRIP 256 /* rows of the weight that a unit transposes, in whole strips */

static int nn__recurrent_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__recurrence r = nn__recurrent_forward_of(cpu, (const nn_recurrent_args *)args);
    if (nn__recurrent_dots(&r)) phase++;
    if (phase == 0) return nn__ceil_div(r.gates, NN__RECURRENT_STRIP);
    return phase == 1 ? r.units : 0;
}

/* Packs columns [first, end) of m, which are rows of `from`. first is the first of a strip. */
static void nn__recurrent_pack_rows(const nn__cpu *cpu, const nn__recurrent_matrix *m,
                                    const nn_view *from, int first, int end) {
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    for (int j = first; j < end; j += set->columns)
        set->transpose(m->b + j / set->columns * m->strip, m->row,
                       nn__f32(from) + (ptrdiff_t)j * m->depth, m->depth,
                       nn__mini(set->columns, end - j), m->depth);
}

static void nn__recurrent_pack(const nn__cpu *cpu, const nn_recurrent_args *args,
                               const nn__recurrence *r, int unit, void *shared) {
    const nn__recurrent_packed p = nn__recurrent_packs(cpu, r, shared);
    const int first = unit * NN__RECURRENT_STRIP;
    nn__recurrent_pack_rows(cpu, &p.weight, &args->weight, first,
                            nn__mini(first + NN__RECURRENT_STRIP, r->gates));
    if (unit > 0) return;
    nn__recurrent_offsets(p.offset, p.weight.row);
    if (r->projects) nn__recurrent_pack_rows(cpu, &p.projection, &args->projection, 0, r->P);
}

/* The state of a unit's samples as they go through time. */
typedef struct nn__recurrent_walk {
    float *q, *h, *c, *raw; /* one row per sample */
    ptrdiff_t q_row, h_row, c_row;
} nn__recurrent_walk;

static nn__recurrent_walk nn__recurrent_start(const nn_recurrent_args *args,
                                              const nn__recurrence *r, void *own) {
    const nn__recurrent_begin begin = nn__recurrent_begins(r, &args->h0, &args->c0);
    nn__recurrent_walk w;
    w.q_row = nn__recurrent_q_row(r);
    w.h_row = nn__spread(r->P);
    w.c_row = nn__spread(r->H);
    w.q = (float *)own;
    w.h = w.q + r->rows * w.q_row;
    w.c = w.h + r->rows * w.h_row;
    w.raw = w.c + r->rows * w.c_row;
    for (int e = 0; e < r->rows; e++) {
        const ptrdiff_t n = r->first + e;
        float *h = w.h + e * w.h_row, *c = w.c + e * w.c_row;
        if (begin.h)
            memcpy(h, begin.h + n * begin.h_row, (size_t)r->P * sizeof *h);
        else
            memset(h, 0, (size_t)r->P * sizeof *h);
        if (!r->lstm) continue;
        if (begin.c)
            memcpy(c, begin.c + n * begin.c_row, (size_t)r->H * sizeof *c);
        else
            memset(c, 0, (size_t)r->H * sizeof *c);
    }
    return w;
}

/* q = weight a for few samples, from unpacked operands: rows of a have `depth` numbers, the weight
   is (columns, depth). */
static void nn__recurrent_dot(const nn__cpu *cpu, const nn__recurrence *r,
                              const nn__recurrent_walk *w, const float *a, ptrdiff_t a_row,
                              const nn_view *weight, int columns, int depth) {
    nn__dots dots;
    dots.a = a;
    dots.a_row = a_row;
    dots.b = nn__f32(weight);
    dots.b_row = depth;
    dots.y = w->q;
    dots.y_row = w->q_row;
    dots.y_step = 1;
    dots.rows = r->rows;
    dots.columns = columns;
    dots.depth = depth;
    dots.add = false;
    nn__gemm_set_of(cpu)->dot(&dots);
}

/* Computes q = weight h for all samples. */
static void nn__recurrent_hidden(const nn__cpu *cpu, const nn_recurrent_args *args,
                                 const nn__recurrence *r, const nn__recurrent_walk *w,
                                 void *shared) {
    if (!nn__recurrent_dots(r)) {
        const nn__recurrent_packed p = nn__recurrent_packs(cpu, r, shared);
        nn__recurrent_multiply(cpu, w->q, w->q_row, w->h, w->h_row, &p.weight, r->rows, false);
    } else {
        nn__recurrent_dot(cpu, r, w, w->h, w->h_row, &args->weight, r->gates, r->P);
    }
}

/* Computes h = projection raw for all samples. Samples without this step keep their h. */
static void nn__recurrent_project(const nn__cpu *cpu, const nn_recurrent_args *args,
                                  const nn__recurrence *r, const nn__recurrent_walk *w, int t,
                                  void *shared) {
    if (!nn__recurrent_dots(r)) {
        const nn__recurrent_packed p = nn__recurrent_packs(cpu, r, shared);
        nn__recurrent_multiply(cpu, w->q, w->q_row, w->raw, w->c_row, &p.projection, r->rows,
                               false);
    } else {
        nn__recurrent_dot(cpu, r, w, w->raw, w->c_row, &args->projection, r->P, r->H);
    }
    for (int e = 0; e < r->rows; e++)
        if (t < nn__recurrent_length(r, r->first + e))
            memcpy(w->h + e * w->h_row, w->q + e * w->q_row, (size_t)r->P * sizeof(float));
}

/* Returns row (n, t) of an output, or NULL if it is absent. */
static float *nn__recurrent_at(const nn_view *view, const nn__recurrence *r, int n, int t) {
    const nn_shape *shape = &view->shape;
    return nn__present(view) ? nn__f32(view) + ((ptrdiff_t)n * r->T + t) * shape->extent[2] : NULL;
}
static void nn__recurrent_clear(const nn_view *view, const nn__recurrence *r, int n, int t) {
    float *row = nn__recurrent_at(view, r, n, t);
    if (row) memset(row, 0, (size_t)view->shape.extent[2] * sizeof *row);
}

/* Computes step t of the unit's samples, after their products. */
static void nn__recurrent_step(const nn__cpu *cpu, const nn_recurrent_args *args,
                               const nn__recurrence *r, const nn__recurrent_walk *w, int t,
                               void *shared) {
    nn__recurrent_row row;
    row.H = r->H;
    row.bias = nn__recurrent_given(&args->bias);
    for (int e = 0; e < r->rows; e++) {
        const int n = r->first + e;
        if (t >= nn__recurrent_length(r, n)) {
            nn__recurrent_clear(&args->kept, r, n, t);
            nn__recurrent_clear(&args->raw, r, n, t);
            nn__recurrent_clear(&args->y, r, n, t);
            continue;
        }
        row.q = w->q + e * w->q_row;
        row.x = nn__recurrent_at(&args->x, r, n, t);
        row.h = r->projects ? w->raw + e * w->c_row : w->h + e * w->h_row;
        row.c = w->c + e * w->c_row;
        row.kept = nn__recurrent_at(&args->kept, r, n, t);
        nn__recurrent_steps_of(cpu)->step[args->cell](&row);
        float *raw = nn__recurrent_at(&args->raw, r, n, t);
        if (raw) memcpy(raw, row.h, (size_t)r->H * sizeof *raw);
    }
    if (r->projects) nn__recurrent_project(cpu, args, r, w, t, shared);
    for (int e = 0; e < r->rows; e++)
        if (t < nn__recurrent_length(r, r->first + e))
            memcpy(nn__recurrent_at(&args->y, r, r->first + e, t), w->h + e * w->h_row,
                   (size_t)r->P * sizeof(float));
}

/* The unit with the first wrong length sets the status word, so no two units write it. */
static void nn__recurrent_report(const nn_recurrent_args *args, const nn__recurrence *r) {
    int wrong = 0;
    if (!nn__present(&args->status) || !args->status.handle) return;
    while (wrong < r->first + r->rows && nn__recurrent_fits(r, wrong)) wrong++;
    if (wrong < r->first || wrong == r->first + r->rows) return;
    uint32_t *status = nn__status(&args->status);
    if (*status == 0) *status = (args->step << 3) | (uint32_t)NN_FAULT_LABEL;
}

static void nn__recurrent_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                               void *shared, void *own) {
    const nn_recurrent_args *args = (const nn_recurrent_args *)arguments;
    nn__recurrence r = nn__recurrent_forward_of(cpu, args);
    if (!nn__recurrent_dots(&r) && phase == 0) {
        nn__recurrent_pack(cpu, args, &r, unit, shared);
        return;
    }
    nn__recurrence_unit(&r, unit);
    const nn__recurrent_walk w = nn__recurrent_start(args, &r, own);
    int longest = 0;
    for (int e = 0; e < r.rows; e++)
        longest = nn__maxi(longest, nn__recurrent_length(&r, r.first + e));
    for (int s = 0; s < r.T; s++) {
        const int t = r.reverse ? r.T - 1 - s : s;
        if (t < longest) nn__recurrent_hidden(cpu, args, &r, &w, shared);
        nn__recurrent_step(cpu, args, &r, &w, t, shared);
    }
    for (int e = 0; e < r.rows && nn__present(&args->state); e++) {
        const int width = r.P + (r.lstm ? r.H : 0);
        float *state = nn__f32(&args->state) + (ptrdiff_t)(r.first + e) * width;
        memcpy(state, w.h + e * w.h_row, (size_t)r.P * sizeof *state);
        if (r.lstm) memcpy(state + r.P, w.c + e * w.c_row, (size_t)r.H * sizeof *state);
    }
    if (r.lengths) nn__recurrent_report(args, &r);
}

static const nn__cpu_kernel nn__recurrent_forward = {nn__recurrent_units, nn__recurrent_unit,
                                                     nn__recurrent_shared_bytes,
                                                     nn__recurrent_own_bytes, NULL};

NN_PRIVATE void nn__install_recurrent(nn_context *nn) {
    NN__CPU_INSTALL(nn, RECURRENT_FORWARD, recurrent_forward, &nn__recurrent_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, RECURRENT_BACKWARD, recurrent_backward, nn__recurrent_backward_kernel());
#endif
}
