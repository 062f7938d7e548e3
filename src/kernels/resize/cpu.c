/* kernels/resize/cpu.c - resizes images on the CPU, forward and backward.

   The first phase computes a table of indices and weights for rows and one for columns. The second
   processes rows of the output, a fixed number per unit. Forward, a row of x is resized once and
   kept while rows of y need it. If many rows become few, they are added before they are resized.
   Backward adds the rows of dy first, then the columns of their sum. */
#include "kernels/install_more.h"
#include "kernels/resize/cpu.h"
#include "kernels/resize/vector.h"

#define NN__RESIZE_UNIT 16384 /* numbers per unit, approximately */

typedef struct nn__resize_work {
    nn__resize_axis h, w;
    nn__resize_table rows, columns;
    int64_t all, each; /* rows of the output, in all and per unit */
    int in_h, in_w, out_h, out_w;
} nn__resize_work;

/* Returns how many numbers of 4 bytes the table of one axis takes in the shared scratch: n outputs
   with up to `taps` taps. */
static int64_t nn__resize_table_room(int64_t n, int64_t taps) {
    return n * taps * 2 + n + (n + 3) / 4 * taps;
}

static int32_t *nn__resize_table_at(nn__resize_table *table, int32_t *room, int64_t n,
                                    int64_t taps) {
    table->length = (int)n;
    table->index = room;
    table->weight = (float *)(void *)(room + n * taps);
    table->count = room + 2 * n * taps;
    table->base = table->count + n;
    return room + nn__resize_table_room(n, taps);
}

static void nn__resize_axis_of(nn__resize_axis *axis, const nn_resize_args *args, int which) {
    axis->x = args->x.shape.extent[2 + which];
    axis->y = args->y.shape.extent[2 + which];
    axis->mode = args->mode;
    axis->align_corners = args->align_corners;
    axis->antialias = args->antialias;
    axis->cubic = args->cubic;
    axis->step = which ? args->step_w : args->step_h;
    axis->taps = which ? args->taps_w : args->taps_h;
}

/* shared: two numbers, the taps of both tables, then the tables. */
static nn__resize_work nn__resize_plan(const nn_resize_args *args, bool backward, void *shared) {
    const nn_shape *in = &args->x.shape, *out = &args->y.shape;
    nn__resize_work work;
    memset(&work, 0, sizeof work);
    nn__resize_axis_of(&work.h, args, 0);
    nn__resize_axis_of(&work.w, args, 1);
    if (backward) in = out, out = &args->x.shape;
    work.in_h = in->extent[2], work.in_w = in->extent[3];
    work.out_h = out->extent[2], work.out_w = out->extent[3];
    work.all = (int64_t)out->extent[0] * out->extent[1] * work.out_h;
    work.each = nn__max64(1, NN__RESIZE_UNIT / nn__maxi(work.in_w, work.out_w));
    if (!shared) return work;
    int32_t *room = (int32_t *)shared;
    work.rows.taps = room[0];
    work.columns.taps = room[1];
    work.rows.from = work.in_h;
    work.columns.from = work.in_w;
    room = nn__resize_table_at(&work.rows, room + 2, work.out_h, work.h.taps);
    nn__resize_table_at(&work.columns, room, work.out_w, work.w.taps);
    return work;
}

static size_t nn__resize_shared(const nn_resize_args *args, bool backward) {
    const nn__resize_work work = nn__resize_plan(args, backward, NULL);
    return (size_t)(2 + nn__resize_table_room(work.out_h, work.h.taps) +
                    nn__resize_table_room(work.out_w, work.w.taps)) *
           4;
}

static int nn__resize_units(const nn_resize_args *args, bool backward, int phase) {
    const nn__resize_work work = nn__resize_plan(args, backward, NULL);
    return phase == 0 ? 1 : phase == 1 ? (int)((work.all + work.each - 1) / work.each) : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Fills in the positions of x that each vector of outputs reads. */
static void nn__resize_bases(nn__resize_table *table, int lanes) {
    const int n = table->length, blocks = lanes > 1 ? nn__ceil_div(n, lanes) : 0;
    for (int k = 0; k < table->taps; k++)
        for (int b = 0; b < blocks; b++) {
            const int32_t *index = table->index + (int64_t)k * n + lanes * b;
            int low = INT32_MAX, high = -1, how = NN__RESIZE_EACH;
            for (int i = 0; i < nn__mini(lanes, n - lanes * b); i++) {
                if (index[i] >= 0) low = nn__mini(low, index[i]);
                high = nn__maxi(high, index[i]);
            }
            if (high < 0) low = high = 0;
            const int one = nn__mini(low, table->from - lanes),
                      two = nn__mini(low, table->from - 2 * lanes);
            if (one >= 0 && high - one < lanes)
                low = one, how = NN__RESIZE_ONE;
            else if (two >= 0 && high - two < 2 * lanes)
                low = two, how = NN__RESIZE_TWO;
            if (low >= INT32_MAX / 4) low = 0, how = NN__RESIZE_EACH;
            table->base[(int64_t)k * blocks + b] = low * 4 + how;
        }
}

/* y = the sum of the rows that the table names for row i, two at a time. Row r is at x + r % ring *
   step. */
static void nn__resize_rows(const nn__resize_loops *loops, const nn__resize_table *table, int i,
                            float *y, const float *x, int64_t step, int ring, int n) {
    for (int k = 0; k < table->taps; k += 2) {
        const int64_t at = (int64_t)k * table->length + i, next = at + table->length;
        const bool two = k + 1 < table->taps && table->index[next] >= 0;
        if (table->index[at] < 0) break;
        loops->sum(y, k > 0, table->weight[at], x + table->index[at] % ring * step,
                       two ? table->weight[next] : 0.0f,
                       two ? x + table->index[next] % ring * step : NULL, n);
    }
}

/* ---- forward --------------------------------------------------------------------------------- */

static int nn__resize_forward_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return nn__resize_units((const nn_resize_args *)args, false, phase);
}
static size_t nn__resize_forward_shared(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return nn__resize_shared((const nn_resize_args *)args, false);
}
/* True if there are fewer output rows with several taps each: adding first means that fewer rows
   are resized. */
static bool nn__resize_adds_first(const nn_resize_args *args) {
    return args->y.shape.extent[2] < args->x.shape.extent[2] && args->taps_h > 2;
}
/* Returns the bytes of a ring of resized rows of x with the index of each, or of a single row of
   x. */
static size_t nn__resize_forward_own(const nn__cpu *cpu, const void *arguments) {
    const nn_resize_args *args = (const nn_resize_args *)arguments;
    (void)cpu;
    if (nn__resize_adds_first(args)) return (size_t)args->x.shape.extent[3] * sizeof(float);
    return ((size_t)args->y.shape.extent[3] * sizeof(float) + sizeof(int32_t)) *
           (size_t)args->taps_h;
}

/* Runs the first phase: computes the tables of both axes, and their taps for the other units. */
static void nn__resize_tables(nn__resize_work *work, int lanes,
                              void (*fill)(const nn__resize_axis *, nn__resize_table *),
                              void *shared) {
    fill(&work->h, &work->rows);
    fill(&work->w, &work->columns);
    nn__resize_bases(&work->columns, lanes);
    ((int32_t *)shared)[0] = work->rows.taps;
    ((int32_t *)shared)[1] = work->columns.taps;
}

static void nn__resize_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                    void *shared, void *own) {
    const nn_resize_args *args = (const nn_resize_args *)arguments;
    const nn__resize_loops *loops = NN__OF_NARROW(cpu, nn__resize_loops);
    nn__resize_work work = nn__resize_plan(args, false, shared);
    const int n = work.out_w, ring = work.h.taps;
    float *rows = (float *)own;
    int32_t *kept = (int32_t *)(void *)(rows + (int64_t)ring * n), before = -1;
    if (phase == 0) {
        nn__resize_tables(&work, loops->lanes, nn__resize_gathers, shared);
        return;
    }
    const int64_t first = unit * work.each, end = nn__min64(first + work.each, work.all);
    for (int64_t row = first; row < end; row++) {
        const int i = (int)(row % work.out_h);
        const float *x = nn__f32(&args->x) + row / work.out_h * work.in_h * work.in_w;
        float *y = nn__f32(&args->y) + row * n;
        if (nn__resize_adds_first(args)) {
            nn__resize_rows(loops, &work.rows, i, rows, x, work.in_w, work.in_h, work.in_w);
            loops->columns(&work.columns, y, rows, false);
            continue;
        }
        if (i == 0 || row == first) {
            for (int k = 0; k < ring; k++) kept[k] = -1;
            before = -1;
        }
        if (ring == 1) { /* a single row: no weight */
            const int32_t from = work.rows.index[i];
            if (from == before)
                memcpy(y, y - n, (size_t)n * sizeof *y);
            else
                loops->columns(&work.columns, y, x + (int64_t)from * work.in_w, false);
            before = from;
            continue;
        }
        for (int k = 0; k < ring; k++) {
            const int32_t from = work.rows.index[(int64_t)k * work.out_h + i];
            if (from < 0 || kept[from % ring] == from) continue;
            loops->columns(&work.columns, rows + (int64_t)(from % ring) * n,
                               x + (int64_t)from * work.in_w, false);
            kept[from % ring] = from;
        }
        nn__resize_rows(loops, &work.rows, i, y, rows, n, ring, n);
    }
}

static const nn__cpu_kernel nn__resize_forward = {nn__resize_forward_units, nn__resize_forward_unit,
                                                  nn__resize_forward_shared, nn__resize_forward_own,
                                                  NULL};

/* ---- backward -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
static int nn__resize_backward_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return nn__resize_units((const nn_resize_args *)args, true, phase);
}
static size_t nn__resize_backward_shared(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return nn__resize_shared((const nn_resize_args *)args, true);
}
static size_t nn__resize_backward_own(const nn__cpu *cpu, const void *args) { /* a row of dy */
    (void)cpu;
    return (size_t)((const nn_resize_args *)args)->y.shape.extent[3] * sizeof(float);
}

static void nn__resize_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                     void *shared, void *own) {
    const nn_resize_args *args = (const nn_resize_args *)arguments;
    const nn__resize_loops *loops = NN__OF_NARROW(cpu, nn__resize_loops);
    nn__resize_work work = nn__resize_plan(args, true, shared);
    const int n = work.out_w;
    float *sum = (float *)own;
    if (phase == 0) {
        nn__resize_tables(&work, loops->lanes, nn__resize_spreads, shared);
        return;
    }
    const int64_t first = unit * work.each, end = nn__min64(first + work.each, work.all);
    for (int64_t row = first; row < end; row++) {
        const int j = (int)(row % work.out_h);
        const float *dy = nn__f32(&args->y) + row / work.out_h * work.in_h * work.in_w;
        float *dx = nn__f32(&args->x) + row * n;
        const int32_t *from = work.rows.index + j;
        if (*from < 0) { /* no row of y read this one */
            if (!args->accumulate) memset(dx, 0, (size_t)n * sizeof *dx);
            continue;
        }
        if (work.rows.weight[j] == 1.0f && (work.rows.taps == 1 || from[work.out_h] < 0)) {
            dy += (int64_t)*from * work.in_w;
        } else {
            nn__resize_rows(loops, &work.rows, j, sum, dy, work.in_w, work.in_h, work.in_w);
            dy = sum;
        }
        loops->columns(&work.columns, dx, dy, args->accumulate);
    }
}

static const nn__cpu_kernel nn__resize_backward = {
    nn__resize_backward_units, nn__resize_backward_unit, nn__resize_backward_shared,
    nn__resize_backward_own, NULL};
#endif

#undef NN__RESIZE_UNIT

NN_PRIVATE void nn__install_resize(nn_context *nn) {
    NN__CPU_INSTALL(nn, RESIZE_FORWARD, resize_forward, &nn__resize_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, RESIZE_BACKWARD, resize_backward, &nn__resize_backward);
#endif
}
