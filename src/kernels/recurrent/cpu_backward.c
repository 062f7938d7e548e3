/* kernels/recurrent/cpu_backward.c - the gradients of lstm, gru and rnn on the CPU, from the last
   step to the first: the gradients of the gates, and through the weight those of the state before.
   The gradients of the weights are left to products over all steps at once. */
#include "kernels/recurrent/cpu.h"

#ifndef NN_NO_TRAINING

/* ---- units ----------------------------------------------------------------------------------- */

#define NN__RECURRENT_COPY 32 /* samples times steps that justify a copy of the weight */
#define NN__RECURRENT_ROWS 64 /* rows of the weight that a unit copies */

static nn__recurrence nn__recurrent_backward_of(const nn__cpu *cpu,
                                                const nn_recurrent_backward_args *args) {
    return nn__recurrence_of(cpu, args->cell, args->reverse, &args->dhidden, &args->weight,
                             &args->projection, &args->lengths);
}

static bool nn__recurrent_copies(const nn__recurrence *r) {
    return (int64_t)r->N * r->T >= NN__RECURRENT_COPY;
}

/* The weight (gates, P) and the projection (P, H). They are copied into strips if enough samples
   and steps read them, else used in place. */
typedef struct nn__recurrent_read {
    nn__recurrent_matrix weight, projection;
    ptrdiff_t floats; /* of the copies */
} nn__recurrent_read;

/* offset: space for a table of each. */
static nn__recurrent_read nn__recurrent_reads(const nn__cpu *cpu,
                                              const nn_recurrent_backward_args *args,
                                              const nn__recurrence *r, void *shared,
                                              const int32_t *offset) {
    nn__recurrent_read read;
    read.weight = nn__recurrent_strips(cpu, (float *)shared, offset, r->gates, r->P);
    read.projection =
        nn__recurrent_strips(cpu, NULL, offset ? offset + NN__DEPTH : NULL, r->P, r->H);
    read.floats = nn__recurrent_floats(&read.weight);
    if (shared) read.projection.b = (float *)shared + read.floats;
    if (r->projects) read.floats += nn__recurrent_floats(&read.projection);
    if (nn__recurrent_copies(r)) return read;
    read.floats = 0;
    read.weight.b = nn__f32(&args->weight);
    read.projection.b = r->projects ? nn__f32(&args->projection) : NULL;
    read.weight.strip = read.weight.row;
    read.projection.strip = read.projection.row;
    read.weight.row = r->P;
    read.projection.row = r->H;
    return read;
}

static size_t nn__recurrent_backward_shared_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_recurrent_backward_args *args = (const nn_recurrent_backward_args *)arguments;
    const nn__recurrence r = nn__recurrent_backward_of(cpu, args);
    if (!nn__recurrent_copies(&r)) return 0;
    return (size_t)nn__recurrent_reads(cpu, args, &r, NULL, NULL).floats * sizeof(float);
}

/* Phase 0 copies, in units of a few rows; phase 1 processes the samples. Without copies, phase 0
   processes them. */
static int nn__recurrent_backward_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__recurrence r =
        nn__recurrent_backward_of(cpu, (const nn_recurrent_backward_args *)args);
    if (!nn__recurrent_copies(&r)) phase++;
    if (phase == 0) return nn__ceil_div(r.gates, NN__RECURRENT_ROWS);
    return phase == 1 ? r.units : 0;
}

/* Copies rows [first, end) of a matrix into strips. */
static void nn__recurrent_copy_rows(const nn__recurrent_matrix *m, const nn_view *from, int first,
                                    int end) {
    const int wide = (int)m->row;
    for (int p = first; p < end; p++) {
        const float *row = nn__f32(from) + (ptrdiff_t)p * m->columns;
        float *to = m->b + p * m->row;
        for (int j = 0; j < m->columns; j += wide, to += m->strip)
            memcpy(to, row + j, (size_t)nn__mini(wide, m->columns - j) * sizeof *to);
    }
}

static void nn__recurrent_copy(const nn__cpu *cpu, const nn_recurrent_backward_args *args,
                               const nn__recurrence *r, int unit, void *shared) {
    const nn__recurrent_read read = nn__recurrent_reads(cpu, args, r, shared, NULL);
    const int first = unit * NN__RECURRENT_ROWS;
    nn__recurrent_copy_rows(&read.weight, &args->weight, first,
                            nn__mini(first + NN__RECURRENT_ROWS, r->gates));
    if (unit == 0 && r->projects)
        nn__recurrent_copy_rows(&read.projection, &args->projection, 0, r->P);
}

/* Returns the bytes of two tables and, for each sample, the gradients of h, of c, and of h before
   the projection. */
static size_t nn__recurrent_backward_own_bytes(const nn__cpu *cpu, const void *args) {
    const nn__recurrence r =
        nn__recurrent_backward_of(cpu, (const nn_recurrent_backward_args *)args);
    return (size_t)(2 * NN__DEPTH + r.rows * (nn__spread(r.P) + 2 * nn__spread(r.H))) *
           sizeof(float);
}

typedef struct nn__recurrent_return {
    float *dh, *dc, *draw; /* one row per sample */
    ptrdiff_t h_row, c_row;
} nn__recurrent_return;

static nn__recurrent_return nn__recurrent_turn(const nn_recurrent_backward_args *args,
                                               const nn__recurrence *r, void *own) {
    const float *dstate = nn__recurrent_given(&args->dstate);
    const int width = r->P + (r->lstm ? r->H : 0);
    nn__recurrent_return w;
    w.h_row = nn__spread(r->P);
    w.c_row = nn__spread(r->H);
    w.dh = (float *)own + 2 * NN__DEPTH;
    w.dc = w.dh + r->rows * w.h_row;
    w.draw = w.dc + r->rows * w.c_row;
    for (int e = 0; e < r->rows; e++) {
        const float *from = dstate ? dstate + (ptrdiff_t)(r->first + e) * width : NULL;
        float *dh = w.dh + e * w.h_row, *dc = w.dc + e * w.c_row;
        for (int k = 0; k < r->P; k++) dh[k] = from ? from[k] : 0.0f;
        for (int k = 0; r->lstm && k < r->H; k++) dc[k] = from ? from[r->P + k] : 0.0f;
    }
    return w;
}

static float *nn__recurrent_row_of(const nn_view *view, const nn__recurrence *r, int n, int t) {
    return nn__present(view) ? nn__f32(view) + ((ptrdiff_t)n * r->T + t) * view->shape.extent[2]
                             : NULL;
}

/* Writes zeros for sample n, which has no step t. */
static void nn__recurrent_nothing(const nn_recurrent_backward_args *args, const nn__recurrence *r,
                                  int n, int t) {
    const nn_view *views[4];
    views[0] = &args->dx;
    views[1] = &args->dhidden;
    views[2] = &args->before;
    views[3] = &args->dprojected;
    for (int i = 0; i < 4; i++)
        if (nn__present(views[i]))
            memset(nn__recurrent_row_of(views[i], r, n, t), 0,
                   (size_t)views[i]->shape.extent[2] * sizeof(float));
}

/* With a projection: dh += dy, dprojected = dh, and draw is computed from it. */
static void nn__recurrent_gather(const nn__cpu *cpu, const nn_recurrent_backward_args *args,
                                 const nn__recurrence *r, const nn__recurrent_return *w,
                                 const nn__recurrent_matrix *projection, int t) {
    for (int e = 0; e < r->rows; e++) {
        const int n = r->first + e;
        const float *dy = nn__recurrent_row_of(&args->dy, r, n, t);
        float *dh = w->dh + e * w->h_row;
        if (t >= nn__recurrent_length(r, n)) continue;
        for (int k = 0; dy && k < r->P; k++) dh[k] += dy[k];
        if (nn__present(&args->dprojected))
            memcpy(nn__recurrent_row_of(&args->dprojected, r, n, t), dh, (size_t)r->P * sizeof *dh);
    }
    nn__recurrent_multiply(cpu, w->draw, w->c_row, w->dh, w->h_row, projection, r->rows, false);
}

/* True if the product is added to dh instead of overwriting it: for a gru, whose dh already has the
   part that does not pass through the weight; and with lengths, so that samples without this step
   keep their dh. */
static bool nn__recurrent_adds(const nn__recurrence *r) { return r->gru || r->lengths; }

/* Computes the gates of sample n (row e) at step t. Its dh becomes what the product is added to. */
static void nn__recurrent_gates(const nn__cpu *cpu, const nn_recurrent_backward_args *args,
                                const nn__recurrence *r, const nn__recurrent_return *w, int e,
                                int t) {
    const int n = r->first + e, length = nn__recurrent_length(r, n),
              t0 = r->reverse ? t + 1 : t - 1; /* the step before */
    const bool first = r->reverse ? t0 >= length : t0 < 0;
    const nn__recurrent_begin begin = nn__recurrent_begins(r, &args->h0, &args->c0);
    float *before = nn__recurrent_row_of(&args->before, r, n, t);
    nn__recurrent_back b;
    b.before = !first    ? nn__recurrent_row_of(&args->y, r, n, t0)
               : begin.h ? begin.h + n * begin.h_row
                         : NULL;
    if (before && b.before)
        memcpy(before, b.before, (size_t)r->P * sizeof *before);
    else if (before)
        memset(before, 0, (size_t)r->P * sizeof *before);
    b.H = r->H;
    b.kept = nn__recurrent_row_of(&args->kept, r, n, t);
    b.y = nn__recurrent_row_of(&args->y, r, n, t);
    b.carry = w->dh + e * w->h_row;
    b.dh = r->projects ? w->draw + e * w->c_row : b.carry;
    b.dy = r->projects ? NULL : nn__recurrent_row_of(&args->dy, r, n, t);
    b.dc = w->dc + e * w->c_row;
    b.d = nn__recurrent_row_of(&args->dhidden, r, n, t);
    b.dx = nn__recurrent_row_of(&args->dx, r, n, t);
    b.c = !r->lstm  ? NULL
          : !first  ? nn__recurrent_row_of(&args->kept, r, n, t0) + 4 * r->H
          : begin.c ? begin.c + n * begin.c_row
                    : NULL;
    nn__recurrent_steps_of(cpu)->back[args->cell](&b);
    if (!r->gru && r->lengths) memset(b.carry, 0, (size_t)r->P * sizeof *b.carry);
}

static void nn__recurrent_backward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                        int unit, void *shared, void *own) {
    const nn_recurrent_backward_args *args = (const nn_recurrent_backward_args *)arguments;
    nn__recurrence r = nn__recurrent_backward_of(cpu, args);
    if (nn__recurrent_copies(&r) && phase == 0) {
        nn__recurrent_copy(cpu, args, &r, unit, shared);
        return;
    }
    nn__recurrence_unit(&r, unit);
    int32_t *offset = (int32_t *)own;
    const nn__recurrent_read read = nn__recurrent_reads(cpu, args, &r, shared, offset);
    const nn__recurrent_return w = nn__recurrent_turn(args, &r, own);
    nn__recurrent_offsets(offset, read.weight.row);
    nn__recurrent_offsets(offset + NN__DEPTH, read.projection.row);
    for (int s = r.T - 1; s >= 0; s--) {
        const int t = r.reverse ? r.T - 1 - s : s;
        bool any = false;
        if (r.projects) nn__recurrent_gather(cpu, args, &r, &w, &read.projection, t);
        for (int e = 0; e < r.rows; e++) {
            if (t < nn__recurrent_length(&r, r.first + e)) {
                nn__recurrent_gates(cpu, args, &r, &w, e, t);
                any = true;
            } else {
                nn__recurrent_nothing(args, &r, r.first + e, t);
            }
        }
        if (!any || (s == 0 && !nn__present(&args->dstate0))) continue;
        /* a sample without this step adds rows of zeros */
        nn__recurrent_multiply(cpu, w.dh, w.h_row,
                               nn__recurrent_row_of(&args->dhidden, &r, r.first, t),
                               (ptrdiff_t)r.T * r.gates, &read.weight, r.rows,
                               nn__recurrent_adds(&r));
    }
    for (int e = 0; e < r.rows && nn__present(&args->dstate0); e++) {
        const int width = r.P + (r.lstm ? r.H : 0);
        float *to = nn__f32(&args->dstate0) + (ptrdiff_t)(r.first + e) * width;
        memcpy(to, w.dh + e * w.h_row, (size_t)r.P * sizeof *to);
        if (r.lstm) memcpy(to + r.P, w.dc + e * w.c_row, (size_t)r.H * sizeof *to);
    }
}

static const nn__cpu_kernel nn__recurrent_backward = {nn__recurrent_backward_units,
                                                      nn__recurrent_backward_unit,
                                                      nn__recurrent_backward_shared_bytes,
                                                      nn__recurrent_backward_own_bytes, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__recurrent_backward_kernel(void) {
    return &nn__recurrent_backward;
}
#endif
