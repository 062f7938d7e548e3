/* kernels/reduce/cpu.c - sum, mean and maximum over any set of axes.

   Axes are folded until kept and reduced ones alternate. The innermost axis is either reduced
   ("along": each row is reduced to one number) or kept ("across": rows are added to each other).
   Each result is a sum of pieces whose size depends only on the shape. Pieces go to the shared
   scratch, and a second phase adds them in order. */
#include "kernels/reduce/cpu.h"
#include "kernels/reduce/vector.h"

#include <math.h>

#define NN__REDUCE_EXACT 64 /* rows that are added in float before double */
#define NN__REDUCE_LONG  256 /* from this number of columns on, rows are added one by one */
#define NN__REDUCE_TOGETHER 32 /* results whose rows are read alternately */

NN_PRIVATE nn__reduce_plan nn__reduce_make_plan(const nn_reduce_args *args) {
    nn__reduce_plan plan;
    memset(&plan, 0, sizeof plan);
    int64_t step = 1;
    bool started = false, before = false;
    plan.row = plan.kept_rows = plan.reduced_rows = 1;
    for (int i = args->x.shape.rank - 1; i >= 0; i--) { /* innermost first */
        int64_t extent = args->x.shape.extent[i];
        bool reduce = (args->axes >> i & 1u) != 0;
        if (extent == 1) continue;
        nn__reduce_axes *axes = reduce ? &plan.reduced : &plan.kept;
        if (!started) {
            plan.row = extent, plan.across = !reduce;
        } else if (reduce == before) { /* joins an axis with the one inside it */
            if (axes->rank)
                axes->extent[axes->rank - 1] *= extent;
            else
                plan.row *= extent;
        } else {
            axes->extent[axes->rank] = extent, axes->step[axes->rank] = step;
            axes->rank++;
        }
        started = true, before = reduce;
        step *= extent;
    }
    for (int i = 0; i < plan.kept.rank; i++) plan.kept_rows *= plan.kept.extent[i];
    for (int i = 0; i < plan.reduced.rank; i++) plan.reduced_rows *= plan.reduced.extent[i];
    int64_t width = nn__min64(plan.row, plan.across ? NN__REDUCE_STRIP : NN__REDUCE_LINE);
    plan.row_pieces = (plan.row + width - 1) / width;
    plan.piece_rows = nn__max64(plan.across ? NN__REDUCE_EXACT : 1, NN__REDUCE_LINE / width);
    plan.pieces = (plan.reduced_rows + plan.piece_rows - 1) / plan.piece_rows;
    if (!plan.across) plan.pieces *= plan.row_pieces;
    plan.group = 1;
    if (plan.pieces == 1 && plan.row_pieces == 1) {
        plan.group = nn__max64(1, NN__REDUCE_LINE / (plan.row * plan.reduced_rows));
        /* with many rows, units are larger: long sequential reads are fastest */
        plan.group = nn__max64(plan.group, nn__min64(plan.kept_rows / 64, 8 * plan.group));
    } else if (!plan.across && plan.row_pieces == 1) {
        /* neighbouring results are grouped to lengthen each read */
        plan.group = nn__min64(plan.kept_rows * plan.pieces / 64, NN__REDUCE_TOGETHER);
        plan.group = nn__max64(1, plan.group);
    }
    plan.largest = args->reduction == NN_MAX;
    return plan;
}

NN_PRIVATE int64_t nn__reduce_offset(const nn__reduce_axes *axes, int64_t index) {
    const int last = axes->rank - 1;
    int64_t offset = 0;
    for (int i = 0; i < last; i++) {
        offset += index % axes->extent[i] * axes->step[i];
        index /= axes->extent[i];
    }
    return last < 0 ? 0 : offset + index * axes->step[last];
}

NN_PRIVATE double nn__reduce_sum(const nn__cpu *cpu, const float *x, int n) {
    return NN__OF_NARROW(cpu, nn__reduce_loops)->sum(x, n);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static double nn__reduce_join(double a, double b, bool largest) {
    return !largest ? a + b : b > a || b != b ? b : a;
}

static void nn__reduce_store(const nn_reduce_args *args, const nn__reduce_plan *plan, int64_t at,
                             double total) {
    float *y = nn__f32(&args->y) + at;
    if (args->reduction == NN_MEAN || args->reduction == NN_REDUCTION_DEFAULT)
        total /= (double)plan->reduced_rows * (double)(plan->across ? 1 : plan->row);
    float value = (float)total * args->scale;
    *y = args->accumulate ? *y + value : value;
}

/* Computes one piece of each of `count` results from `at` on. Their rows are read alternately,
   because they are often neighbours in memory. Each sum is the same as for a single result. */
static void nn__reduce_along(const nn__cpu *cpu, const nn_reduce_args *args,
                             const nn__reduce_plan *plan, int64_t at, int count, int64_t piece,
                             double *total) {
    const float *x[NN__REDUCE_TOGETHER];
    int64_t column = piece % plan->row_pieces * NN__REDUCE_LINE,
            first = piece / plan->row_pieces * plan->piece_rows;
    int64_t end = nn__min64(first + plan->piece_rows, plan->reduced_rows);
    int n = (int)nn__min64(plan->row - column, NN__REDUCE_LINE);
    for (int k = 0; k < count; k++) {
        x[k] = nn__f32(&args->x) + nn__reduce_offset(&plan->kept, at + k) + column;
        total[k] = plan->largest ? -(double)INFINITY : 0.0;
    }
    for (int64_t row = first; row < end; row++) {
        const int64_t offset = nn__reduce_offset(&plan->reduced, row);
        for (int k = 0; k < count; k++) {
            const float *from = x[k] + offset;
            double part =
                plan->largest ? (double)nn__row_max(cpu, from, n) : nn__reduce_sum(cpu, from, n);
            total[k] = nn__reduce_join(total[k], part, plan->largest);
        }
    }
}

/* Reduces n columns of the reduced rows [row, end) into acc. */
static void nn__reduce_add_rows(const nn__cpu *cpu, const nn__reduce_plan *plan, const float *x,
                                int64_t row, int64_t end, int n, float *acc) {
    const nn__reduce_loops *loops = NN__OF_NARROW(cpu, nn__reduce_loops);
    for (int i = 0; i < n; i++) acc[i] = plan->largest ? -INFINITY : 0.0f;
    /* with few columns, four rows at a time: a single row would wait for the sums that the row
       before has just stored */
    if (plan->reduced.rank == 1 && n < NN__REDUCE_LONG)
        for (; row + 4 <= end; row += 4)
            loops->join_four(acc, x + nn__reduce_offset(&plan->reduced, row),
                             plan->reduced.step[0], n, plan->largest);
    for (; row < end; row++)
        loops->join(acc, x + nn__reduce_offset(&plan->reduced, row), n, plan->largest);
}

/* Computes one piece of n columns of a row of results into total. acc holds float sums. */
static void nn__reduce_across(const nn__cpu *cpu, const nn_reduce_args *args,
                              const nn__reduce_plan *plan, int64_t kept_row, int64_t piece,
                              int64_t column, int n, double *total, float *acc) {
    const float *x = nn__f32(&args->x) + nn__reduce_offset(&plan->kept, kept_row) + column;
    int64_t row = piece * plan->piece_rows,
            end = nn__min64(row + plan->piece_rows, plan->reduced_rows);
    float start = plan->largest ? -INFINITY : 0.0f;
    for (int i = 0; i < n; i++) total[i] = (double)start;
    while (row < end) {
        int64_t stop = nn__min64(row + NN__REDUCE_EXACT, end);
        nn__reduce_add_rows(cpu, plan, x, row, stop, n, acc);
        row = stop;
        for (int i = 0; i < n; i++)
            total[i] = nn__reduce_join(total[i], (double)acc[i], plan->largest);
    }
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Returns the results per unit of the second phase. */
static int64_t nn__reduce_finish_size(const nn__reduce_plan *plan) {
    return nn__max64(1, NN__REDUCE_LINE / plan->pieces);
}

#ifndef NN_NO_SIMD
/* True for the column sums of a few rows, such as the gradient of a small layer's bias: planning
   would take longer than summing. The sums are those of the plan's only unit. */
static bool nn__reduce_is_small(const nn_reduce_args *args) {
    const nn_shape *x = &args->x.shape;
    return args->axes == 1 && args->reduction == NN_SUM && x->rank == 2 && x->extent[0] > 1 &&
           x->extent[1] > 1 && x->extent[0] <= NN__REDUCE_EXACT && x->extent[1] <= NN__REDUCE_STRIP;
}

static void nn__reduce_small(const nn__cpu *cpu, const nn_reduce_args *args) {
    NN__OF_NARROW(cpu, nn__reduce_loops)
        ->columns(nn__f32(&args->y), nn__f32(&args->x), args->x.shape.extent[0],
                  args->x.shape.extent[1], args->scale, args->accumulate);
}
#else
#define nn__reduce_is_small(args)   false
#define nn__reduce_small(cpu, args) ((void)0)
#endif

static int nn__reduce_units(const nn__cpu *cpu, const void *args, int phase) {
    if (nn__reduce_is_small((const nn_reduce_args *)args)) return phase == 0;
    nn__reduce_plan plan = nn__reduce_make_plan((const nn_reduce_args *)args);
    int64_t size = nn__reduce_finish_size(&plan);
    (void)cpu;
    if (phase == 1 && plan.pieces > 1) return (int)((nn__reduce_results(&plan) + size - 1) / size);
    if (phase != 0) return 0;
    int64_t groups = (plan.kept_rows + plan.group - 1) / plan.group;
    return (int)(groups * plan.pieces * (plan.across ? plan.row_pieces : 1));
}

/* Returns the bytes of one float for each result and piece. */
static size_t nn__reduce_shared_bytes(const nn__cpu *cpu, const void *args) {
    if (nn__reduce_is_small((const nn_reduce_args *)args)) return 0;
    nn__reduce_plan plan = nn__reduce_make_plan((const nn_reduce_args *)args);
    (void)cpu;
    return plan.pieces > 1 ? (size_t)(nn__reduce_results(&plan) * plan.pieces) * sizeof(float) : 0;
}

static size_t nn__reduce_own_bytes(const nn__cpu *cpu, const void *args) {
    if (nn__reduce_is_small((const nn_reduce_args *)args)) return 0;
    nn__reduce_plan plan = nn__reduce_make_plan((const nn_reduce_args *)args);
    (void)cpu;
    return plan.across
               ? (size_t)nn__min64(plan.row, NN__REDUCE_STRIP) * (sizeof(double) + sizeof(float))
               : 0;
}

static void nn__reduce_across_unit(const nn__cpu *cpu, const nn_reduce_args *args,
                                   const nn__reduce_plan *plan, int unit, float *parts, void *own) {
    int64_t piece = unit % plan->pieces, rest = unit / plan->pieces;
    int64_t column = rest % plan->row_pieces * NN__REDUCE_STRIP,
            first = rest / plan->row_pieces * plan->group;
    int n = (int)nn__min64(plan->row - column, NN__REDUCE_STRIP);
    double *total = (double *)own;
    if (plan->pieces > 1 && plan->piece_rows <= NN__REDUCE_EXACT) { /* float sums suffice */
        const int64_t from = piece * plan->piece_rows;
        nn__reduce_add_rows(cpu, plan,
                            nn__f32(&args->x) + nn__reduce_offset(&plan->kept, first) + column,
                            from, nn__min64(from + plan->piece_rows, plan->reduced_rows), n,
                            parts + piece * nn__reduce_results(plan) + first * plan->row + column);
        return;
    }
    for (int64_t row = first; row < nn__min64(first + plan->group, plan->kept_rows); row++) {
        nn__reduce_across(cpu, args, plan, row, piece, column, n, total,
                          (float *)(void *)(total + n));
        int64_t at = row * plan->row + column;
        for (int i = 0; i < n; i++)
            if (plan->pieces == 1)
                nn__reduce_store(args, plan, at + i, total[i]);
            else
                parts[piece * nn__reduce_results(plan) + at + i] = (float)total[i];
    }
}

/* Adds the pieces of results [at, end), 16 results side by side. */
static void nn__reduce_finish(const nn_reduce_args *args, const nn__reduce_plan *plan,
                              const float *parts, int64_t at, int64_t end) {
    const int64_t results = nn__reduce_results(plan);
    double total[16];
    for (; at < end; at += 16) {
        const int n = (int)nn__min64(16, end - at);
        for (int i = 0; i < n; i++) total[i] = (double)parts[at + i];
        for (int64_t piece = 1; piece < plan->pieces; piece++) {
            const float *more = parts + piece * results + at;
            if (!plan->largest && n == 16)
                for (int i = 0; i < 16; i++) total[i] += (double)more[i];
            else
                for (int i = 0; i < n; i++)
                    total[i] = nn__reduce_join(total[i], (double)more[i], plan->largest);
        }
        for (int i = 0; i < n; i++) nn__reduce_store(args, plan, at + i, total[i]);
    }
}

/* Computes results [first, end), each of one row; the rows follow each other. */
static void nn__reduce_rows(const nn__cpu *cpu, const nn_reduce_args *args,
                            const nn__reduce_plan *plan, int64_t first, int64_t end) {
    const int64_t step = plan->kept.step[0]; /* 0 if there is one row */
    const float *x = nn__f32(&args->x) + first * step;
    const int n = (int)plan->row;
#ifndef NN_NO_SIMD
    if (n <= NN__REDUCE_SHORT) {
        const bool mean =
            args->reduction == NN_MEAN || args->reduction == NN_REDUCTION_DEFAULT;
        NN__OF_NARROW(cpu, nn__reduce_loops)
            ->short_rows(nn__f32(&args->y) + first, x, (int)(end - first), n, plan->largest,
                         mean ? (float)n : 1.0f, args->scale, args->accumulate);
        return;
    }
#endif
    for (int64_t at = first; at < end; at++, x += step)
        nn__reduce_store(args, plan, at,
                         plan->largest ? (double)nn__row_max(cpu, x, n)
                                       : nn__reduce_sum(cpu, x, n));
}

static void nn__reduce_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    if (nn__reduce_is_small(args)) {
        nn__reduce_small(cpu, args);
        return;
    }
    nn__reduce_plan plan = nn__reduce_make_plan(args);
    int64_t results = nn__reduce_results(&plan);
    float *parts = (float *)shared; /* (pieces, results) */
    if (phase == 1) {
        int64_t size = nn__reduce_finish_size(&plan);
        nn__reduce_finish(args, &plan, parts, unit * size, nn__min64((unit + 1) * size, results));
        return;
    }
    if (plan.across) {
        nn__reduce_across_unit(cpu, args, &plan, unit, parts, own);
        return;
    }
    const int64_t piece = unit % plan.pieces, first = unit / plan.pieces * plan.group,
                  end = nn__min64(first + plan.group, results);
    if (plan.pieces == 1 && plan.reduced_rows == 1 && plan.kept.rank <= 1) {
        nn__reduce_rows(cpu, args, &plan, first, end);
        return;
    }
    for (int64_t at = first; at < end; at += NN__REDUCE_TOGETHER) {
        const int count = (int)nn__min64(end - at, NN__REDUCE_TOGETHER);
        double total[NN__REDUCE_TOGETHER];
        nn__reduce_along(cpu, args, &plan, at, count, piece, total);
        for (int k = 0; k < count; k++)
            if (plan.pieces == 1)
                nn__reduce_store(args, &plan, at + k, total[k]);
            else
                parts[piece * results + at + k] = (float)total[k];
    }
}
#undef NN__REDUCE_EXACT
#undef NN__REDUCE_LONG
#undef NN__REDUCE_TOGETHER

static const nn__cpu_kernel nn__reduce_kernel = {
    nn__reduce_units, nn__reduce_unit, nn__reduce_shared_bytes, nn__reduce_own_bytes, NULL};

NN_PRIVATE void nn__install_reduce(nn_context *nn) {
    NN__CPU_INSTALL(nn, REDUCE, reduce, &nn__reduce_kernel);
}
