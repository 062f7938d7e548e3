/* kernels/recurrent/cpu_backward.c - the gradients of lstm, gru and rnn on the CPU, from the last
   step to the first: the gradients of the gates, and through the weight those of the state before.
   What remains, the gradients of the weights, are products over all steps at once. */
#include "kernels/recurrent/cpu.h"

#include <math.h>

#ifndef NN_NO_TRAINING

/* ---- one step of one sample ------------------------------------------------------------------ */

/* dh + dy: of h behind the step; dy may be NULL. carry, of a gru: what reaches the h before it
   without the weight. */
typedef struct nn__recurrent_back {
    const float *kept, *y, *dh, *dy;
    const float *before, *c; /* h and c before the step; NULL: 0 */
    float *d;                /* row of dhidden */
    float *dx;               /* gru: row of dx, or NULL */
    float *carry, *dc;
    int H;
} nn__recurrent_back;

static float nn__recurrent_slope(const nn__recurrent_back *b, int k) {
    return b->dy ? b->dh[k] + b->dy[k] : b->dh[k];
}

static void nn__lstm_back(const nn__recurrent_back *b) {
    const int H = b->H;
    const float *kept = b->kept;
    for (int k = 0; k < H; k++) {
        const float i = kept[k], f = kept[H + k], g = kept[2 * H + k], o = kept[3 * H + k];
        const float t = tanhf(kept[4 * H + k]), dh = nn__recurrent_slope(b, k),
                    dc = b->dc[k] + dh * o * (1.0f - t * t);
        b->d[k] = dc * g * i * (1.0f - i);
        b->d[H + k] = b->c ? dc * b->c[k] * f * (1.0f - f) : 0.0f;
        b->d[2 * H + k] = dc * i * (1.0f - g * g);
        b->d[3 * H + k] = dh * t * o * (1.0f - o);
        b->dc[k] = dc * f;
    }
}

static void nn__gru_back(const nn__recurrent_back *b) {
    const int H = b->H;
    const float *kept = b->kept;
    for (int k = 0; k < H; k++) {
        const float r = kept[k], z = kept[H + k], n = kept[2 * H + k], q = kept[3 * H + k];
        const float h = b->before ? b->before[k] : 0.0f, dh = nn__recurrent_slope(b, k),
                    dn = dh * (1.0f - z) * (1.0f - n * n);
        b->d[k] = dn * q * r * (1.0f - r);
        b->d[H + k] = dh * (h - n) * z * (1.0f - z);
        b->d[2 * H + k] = dn * r;
        b->carry[k] = dh * z;
        if (!b->dx) continue;
        b->dx[k] = b->d[k];
        b->dx[H + k] = b->d[H + k];
        b->dx[2 * H + k] = dn;
    }
}

static void nn__rnn_back(const nn__recurrent_back *b, bool relu) {
    for (int k = 0; k < b->H; k++) {
        const float y = b->y[k], dh = nn__recurrent_slope(b, k);
        b->d[k] = relu ? (y > 0.0f ? dh : 0.0f) : dh * (1.0f - y * y);
    }
}

#ifdef NN__VECTOR8
/* a (1 - a), and a (1 - b b) */
NN__AVX2 static inline __m256 nn__sigmoid_slope8(__m256 a) { return _mm256_fnmadd_ps(a, a, a); }
NN__AVX2 static inline __m256 nn__tanh_slope8(__m256 a, __m256 b) {
    return _mm256_mul_ps(a, _mm256_fnmadd_ps(b, b, _mm256_set1_ps(1.0f)));
}

NN__AVX2 static inline __m256 nn__recurrent_slope8(const nn__recurrent_back *b, int k, int n) {
    const __m256 dh = nn__some8(b->dh + k, n);
    return b->dy ? _mm256_add_ps(dh, nn__some8(b->dy + k, n)) : dh;
}

NN__AVX2 static void nn__vector_lstm_back(const nn__recurrent_back *b) {
    const int H = b->H;
    for (int k = 0; k < H; k += 8) {
        const int n = H - k;
        const float *kept = b->kept + k;
        const __m256 i = nn__some8(kept, n), f = nn__some8(kept + H, n),
                     g = nn__some8(kept + 2 * H, n), o = nn__some8(kept + 3 * H, n),
                     t = nn__tanh8(nn__some8(kept + 4 * H, n)), dh = nn__recurrent_slope8(b, k, n),
                     c = b->c ? nn__some8(b->c + k, n) : _mm256_setzero_ps();
        const __m256 dc =
            _mm256_add_ps(nn__some8(b->dc + k, n), nn__tanh_slope8(_mm256_mul_ps(dh, o), t));
        const __m256 di = _mm256_mul_ps(_mm256_mul_ps(dc, g), nn__sigmoid_slope8(i)),
                     df = _mm256_mul_ps(_mm256_mul_ps(dc, c), nn__sigmoid_slope8(f)),
                     dg = nn__tanh_slope8(_mm256_mul_ps(dc, i), g),
                     down = _mm256_mul_ps(_mm256_mul_ps(dh, t), nn__sigmoid_slope8(o));
        nn__put8(b->d + k, n, di);
        nn__put8(b->d + H + k, n, df);
        nn__put8(b->d + 2 * H + k, n, dg);
        nn__put8(b->d + 3 * H + k, n, down);
        nn__put8(b->dc + k, n, _mm256_mul_ps(dc, f));
    }
}

NN__AVX2 static void nn__vector_gru_back(const nn__recurrent_back *b) {
    const int H = b->H;
    for (int k = 0; k < H; k += 8) {
        const int n = H - k;
        const float *kept = b->kept + k;
        const __m256 r = nn__some8(kept, n), z = nn__some8(kept + H, n),
                     fresh = nn__some8(kept + 2 * H, n), q = nn__some8(kept + 3 * H, n),
                     h = b->before ? nn__some8(b->before + k, n) : _mm256_setzero_ps(),
                     dh = nn__recurrent_slope8(b, k, n);
        const __m256 share = _mm256_fnmadd_ps(dh, z, dh), dn = nn__tanh_slope8(share, fresh),
                     dr = _mm256_mul_ps(_mm256_mul_ps(dn, q), nn__sigmoid_slope8(r)),
                     dz = _mm256_mul_ps(_mm256_mul_ps(dh, _mm256_sub_ps(h, fresh)),
                                        nn__sigmoid_slope8(z));
        nn__put8(b->d + k, n, dr);
        nn__put8(b->d + H + k, n, dz);
        nn__put8(b->d + 2 * H + k, n, _mm256_mul_ps(dn, r));
        nn__put8(b->carry + k, n, _mm256_mul_ps(dh, z));
        if (!b->dx) continue;
        nn__put8(b->dx + k, n, dr);
        nn__put8(b->dx + H + k, n, dz);
        nn__put8(b->dx + 2 * H + k, n, dn);
    }
}

NN__AVX2 static void nn__vector_rnn_back(const nn__recurrent_back *b) {
    for (int k = 0; k < b->H; k += 8) {
        const int n = b->H - k;
        nn__put8(b->d + k, n, nn__tanh_slope8(nn__recurrent_slope8(b, k, n),
                                              nn__some8(b->y + k, n)));
    }
}
#endif

static void nn__recurrent_cell_back(const nn__cpu *cpu, nn_recurrent_cell cell,
                                    const nn__recurrent_back *b) {
#ifdef NN__VECTOR8
    if (nn__vectors(cpu) && cell != NN_RECURRENT_RELU) {
        if (cell == NN_RECURRENT_LSTM)
            nn__vector_lstm_back(b);
        else if (cell == NN_RECURRENT_GRU)
            nn__vector_gru_back(b);
        else
            nn__vector_rnn_back(b);
        return;
    }
#endif
    (void)cpu;
    if (cell == NN_RECURRENT_LSTM)
        nn__lstm_back(b);
    else if (cell == NN_RECURRENT_GRU)
        nn__gru_back(b);
    else
        nn__rnn_back(b, cell == NN_RECURRENT_RELU);
}

/* ---- units ----------------------------------------------------------------------------------- */

#define NN__RECURRENT_COPY 32 /* samples times steps for which the weight is worth a copy */
#define NN__RECURRENT_ROWS 64 /* rows of it that a unit copies */

static nn__recurrence nn__recurrent_backward_of(const nn__cpu *cpu,
                                                const nn_recurrent_backward_args *args) {
    return nn__recurrence_of(cpu, args->cell, args->reverse, &args->dhidden, &args->weight,
                             &args->projection, &args->lengths);
}

static bool nn__recurrent_copies(const nn__recurrence *r) {
    return (int64_t)r->N * r->T >= NN__RECURRENT_COPY;
}

/* The weight (gates, P) and the projection (P, H), copied into strips where enough samples and
   steps read them, otherwise where they are. */
typedef struct nn__recurrent_read {
    nn__recurrent_matrix weight, projection;
    ptrdiff_t floats; /* of the copies */
} nn__recurrent_read;

/* offset: room for a table of each. */
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

/* First the copies, in units of a few rows, then the samples. */
static int nn__recurrent_backward_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__recurrence r =
        nn__recurrent_backward_of(cpu, (const nn_recurrent_backward_args *)args);
    if (!nn__recurrent_copies(&r)) phase++;
    if (phase == 0) return nn__ceil_div(r.gates, NN__RECURRENT_ROWS);
    return phase == 1 ? r.units : 0;
}

/* Rows [first, end) of a matrix into strips. */
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

/* Two tables; of each sample the gradients of h, of c, and of h before the projection. */
static size_t nn__recurrent_backward_own_bytes(const nn__cpu *cpu, const void *args) {
    const nn__recurrence r =
        nn__recurrent_backward_of(cpu, (const nn_recurrent_backward_args *)args);
    return (size_t)(2 * NN__DEPTH + r.rows * (nn__spread(r.P) + 2 * nn__spread(r.H))) *
           sizeof(float);
}

typedef struct nn__recurrent_return {
    float *dh, *dc, *draw; /* a row for each sample */
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

/* Of sample n without a step t: nothing. */
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

/* With a projection: dh += dy, dprojected = dh, and draw follows from it. */
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

/* Without lengths a product overwrites dh; of a gru it adds to what does not pass through the
   weight. With lengths it adds, so that samples without this step keep their dh. */
static bool nn__recurrent_adds(const nn__recurrence *r) { return r->gru || r->lengths; }

/* The gates of sample n (row e) at step t. Its dh becomes what the product is added to. */
static void nn__recurrent_gates(const nn__cpu *cpu, const nn_recurrent_backward_args *args,
                                const nn__recurrence *r, const nn__recurrent_return *w, int e,
                                int t) {
    const int n = r->first + e, length = nn__recurrent_length(r, n),
              t0 = r->reverse ? t + 1 : t - 1; /* the step before */
    const bool first = r->reverse ? t0 >= length : t0 < 0;
    const float *h0 = nn__recurrent_given(&args->h0), *c0 = nn__recurrent_given(&args->c0);
    float *before = nn__recurrent_row_of(&args->before, r, n, t);
    nn__recurrent_back b;
    b.before = !first ? nn__recurrent_row_of(&args->y, r, n, t0)
               : h0   ? h0 + (ptrdiff_t)n * r->P
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
    b.c = !r->lstm ? NULL
          : !first ? nn__recurrent_row_of(&args->kept, r, n, t0) + 4 * r->H
          : c0     ? c0 + (ptrdiff_t)n * r->H
                   : NULL;
    nn__recurrent_cell_back(cpu, args->cell, &b);
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
        /* a sample without this step adds rows of 0 */
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
