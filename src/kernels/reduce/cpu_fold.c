/* kernels/reduce/cpu_fold.c - the reductions other than sum, mean and maximum: product, minimum,
   any, all, argmax, norm, logsumexp, variance.

   The numbers of one result are spread over lanes. Across: each column is a result and a lane.
   Along: up to 64 lanes side by side in a row. A lane has a state of two doubles. States are merged
   in ascending order: first lanes, then pieces. Pieces depend only on the shape
   (kernels/reduce/cpu.h), so the bytes do too. */
#include "base/functions.h"
#include "kernels/reduce/cpu.h"

#include <math.h>

#define NN__FOLD_LANES   64
#define NN__FOLD_RESULTS 1024 /* results per unit of the second phase */

/* ---- reduces one line of numbers into the lanes ---------------------------------------------- */

static bool nn__fold_beats(double x, double best, bool smallest) {
    return x != x ? best == best : smallest ? x < best : x > best;
}

static bool nn__fold_is_arg(nn_reduction reduction) {
    return reduction == NN_ARGMAX || reduction == NN_ARGMIN;
}

/* Initializes the lanes. index: that of the first lane's number; each further lane adds `step`. */
static void nn__fold_start(nn_reduction reduction, nn__fold_state *lane, int n, double index,
                           double step) {
    const double a = reduction == NN_MIN || reduction == NN_ARGMIN           ? (double)INFINITY
                     : reduction == NN_ARGMAX || reduction == NN_LOGSUMEXP   ? -(double)INFINITY
                     : reduction == NN_PROD || reduction == NN_ALL           ? 1.0
                                                                             : 0.0;
    for (int i = 0; i < n; i++) {
        lane[i].a = a;
        lane[i].b = nn__fold_is_arg(reduction) ? index + i * step : 0.0;
    }
}

static void nn__fold_line(nn_reduction reduction, nn__fold_state *lane, const float *x, int n,
                          double index, double step) {
    switch (reduction) {
    case NN_MIN:
        for (int i = 0; i < n; i++)
            if ((double)x[i] < lane[i].a || x[i] != x[i]) lane[i].a = (double)x[i];
        break;
    case NN_PROD:
        for (int i = 0; i < n; i++) lane[i].a *= (double)x[i];
        break;
    case NN_ANY:
        for (int i = 0; i < n; i++)
            if (x[i] != 0.0f) lane[i].a = 1.0;
        break;
    case NN_ALL:
        for (int i = 0; i < n; i++)
            if (x[i] == 0.0f) lane[i].a = 0.0;
        break;
    case NN_ARGMAX:
    case NN_ARGMIN:
        for (int i = 0; i < n; i++)
            if (nn__fold_beats((double)x[i], lane[i].a, reduction == NN_ARGMIN)) {
                lane[i].a = (double)x[i];
                lane[i].b = index + i * step;
            }
        break;
    case NN_LOGSUMEXP: /* the sum shows a NaN */
        for (int i = 0; i < n; i++)
            if ((double)x[i] > lane[i].a) lane[i].a = (double)x[i];
        break;
    case NN_VAR:
    case NN_STD:
        for (int i = 0; i < n; i++) lane[i].a += (double)x[i];
        break;
    default:
        for (int i = 0; i < n; i++) lane[i].a += (double)x[i] * (double)x[i];
        break;
    }
}

/* Makes a second pass over the same numbers, for reductions that need one. */
static void nn__fold_line_again(nn_reduction reduction, nn__fold_state *lane, const float *x,
                                int n) {
    if (reduction == NN_LOGSUMEXP)
        for (int i = 0; i < n; i++)
            lane[i].b += nn__exp((double)x[i] - nn__fold_shift(lane[i].a));
    else
        for (int i = 0; i < n; i++) {
            const double difference = (double)x[i] - lane[i].a;
            lane[i].b += difference * difference;
        }
}

/* ---- states ---------------------------------------------------------------------------------- */

static double nn__fold_rescale(double sum, double from, double to) {
    return sum == 0.0 ? 0.0 : sum * nn__exp(nn__fold_shift(from) - nn__fold_shift(to));
}

/* Merges state `y` of m numbers into `x` of n. */
static void nn__fold_merge(nn_reduction reduction, nn__fold_state *x, double n,
                           const nn__fold_state *y, double m) {
    switch (reduction) {
    case NN_MIN:
        if (y->a < x->a || y->a != y->a) x->a = y->a;
        break;
    case NN_PROD:
    case NN_ALL: x->a *= y->a; break;
    case NN_ANY: x->a = x->a + y->a > 0.0 ? 1.0 : 0.0; break;
    case NN_ARGMAX:
    case NN_ARGMIN: {
        const bool equal = x->a == y->a || (x->a != x->a && y->a != y->a);
        if (equal ? y->b < x->b : nn__fold_beats(y->a, x->a, reduction == NN_ARGMIN)) *x = *y;
        break;
    }
    case NN_LOGSUMEXP: {
        const double largest = y->a > x->a ? y->a : x->a;
        x->b = nn__fold_rescale(x->b, x->a, largest) + nn__fold_rescale(y->b, y->a, largest);
        x->a = largest;
        break;
    }
    case NN_VAR:
    case NN_STD: { /* Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm", 1979 */
        const double difference = y->a - x->a;
        x->a += difference * m / (n + m);
        x->b += y->b + difference * difference * n * m / (n + m);
        break;
    }
    default: x->a += y->a; break;
    }
}

static void nn__fold_store(const nn_reduce_args *args, const nn__reduce_plan *plan, int64_t at,
                           const nn__fold_state *state) {
    double value = state->a;
    float *y = nn__f32(&args->y) + at;
    if (nn__fold_is_arg(args->reduction)) {
        nn__i32(&args->y)[at] = (int32_t)state->b;
        return;
    }
    if (args->reduction == NN_LOGSUMEXP) value = nn__log(state->b) + nn__fold_shift(state->a);
    if (args->reduction == NN_VAR || args->reduction == NN_STD) {
        const double count = (double)plan->reduced_rows * (double)(plan->across ? 1 : plan->row);
        value =
            state->b / (count > (double)args->correction ? count - (double)args->correction : 0.0);
    }
    if (args->reduction == NN_STD || args->reduction == NN_NORM) value = sqrt(value);
    const float result = (float)value * args->scale;
    *y = args->accumulate ? *y + result : result;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

typedef struct nn__fold_piece {
    int64_t row, end, column; /* reduced rows; along: the first column of each */
    int width;                /* along: columns of each row */
    double count;             /* numbers per result */
} nn__fold_piece;

static nn__fold_piece nn__fold_piece_of(const nn__reduce_plan *plan, int64_t piece) {
    nn__fold_piece part;
    memset(&part, 0, sizeof part);
    const int64_t beside = plan->across ? 1 : plan->row_pieces;
    part.row = piece / beside * plan->piece_rows;
    part.end = nn__min64(part.row + plan->piece_rows, plan->reduced_rows);
    part.count = (double)(part.end - part.row);
    if (plan->across) return part;
    part.column = piece % beside * NN__REDUCE_LINE;
    part.width = (int)nn__min64(NN__REDUCE_LINE, plan->row - part.column);
    part.count *= (double)part.width;
    return part;
}

static bool nn__fold_goes_twice(nn_reduction reduction) {
    return reduction == NN_LOGSUMEXP || reduction == NN_VAR || reduction == NN_STD;
}

/* Computes one piece of n neighbouring results. x: the first number of the first result. */
static void nn__fold_across(const nn_reduce_args *args, const nn__reduce_plan *plan, const float *x,
                            const nn__fold_piece *part, int n, nn__fold_state *lane) {
    const bool mean = args->reduction == NN_VAR || args->reduction == NN_STD;
    nn__fold_start(args->reduction, lane, n, (double)part->row, 0.0);
    for (int64_t row = part->row; row < part->end; row++)
        nn__fold_line(args->reduction, lane, x + nn__reduce_offset(&plan->reduced, row), n,
                      (double)row, 0.0);
    if (!nn__fold_goes_twice(args->reduction)) return;
    for (int i = 0; mean && i < n; i++) lane[i].a /= part->count;
    for (int64_t row = part->row; row < part->end; row++)
        nn__fold_line_again(args->reduction, lane, x + nn__reduce_offset(&plan->reduced, row), n);
}

/* Computes a piece of one result row by row, if rows have a vector function. */
static bool nn__fold_along_rows(const nn__cpu *cpu, const nn_reduce_args *args,
                                const nn__reduce_plan *plan, const float *x,
                                const nn__fold_piece *part, nn__fold_state *lane) {
    for (int64_t row = part->row; row < part->end; row++) {
        const double width = (double)part->width, before = (double)(row - part->row) * width;
        nn__fold_state more = {0.0, 0.0};
        if (!nn__fold_vectors(cpu, args->reduction, row == part->row ? lane : &more,
                              x + nn__reduce_offset(&plan->reduced, row) + part->column,
                              part->width, (double)(row * plan->row + part->column)))
            return false;
        if (row > part->row) nn__fold_merge(args->reduction, lane, before, &more, width);
    }
    return true;
}

/* Computes one piece of one result into lane[0]. */
static void nn__fold_along(const nn_reduce_args *args, const nn__reduce_plan *plan, const float *x,
                           const nn__fold_piece *part, nn__fold_state *lane) {
    const nn_reduction reduction = args->reduction;
    const int lanes = nn__mini(NN__FOLD_LANES, part->width);
    const double rows = (double)(part->end - part->row);
    nn__fold_start(reduction, lane, lanes, (double)(part->row * plan->row + part->column), 1.0);
    for (int pass = 0; pass < (nn__fold_goes_twice(reduction) ? 2 : 1); pass++) {
        for (int64_t row = part->row; row < part->end; row++) {
            const float *from = x + nn__reduce_offset(&plan->reduced, row) + part->column;
            const double index = (double)(row * plan->row + part->column);
            for (int i = 0; i < part->width; i += NN__FOLD_LANES) {
                const int n = nn__mini(NN__FOLD_LANES, part->width - i);
                if (pass)
                    nn__fold_line_again(reduction, lane, from + i, n);
                else
                    nn__fold_line(reduction, lane, from + i, n, index + i, 1.0);
            }
        }
        if (pass == 0 && (reduction == NN_VAR || reduction == NN_STD))
            for (int i = 0; i < lanes; i++)
                lane[i].a /=
                    rows * (double)((part->width - i + NN__FOLD_LANES - 1) / NN__FOLD_LANES);
    }
    double count = 0.0;
    for (int i = 0; i < lanes; i++) {
        const double more =
            rows * (double)((part->width - i + NN__FOLD_LANES - 1) / NN__FOLD_LANES);
        if (i > 0) nn__fold_merge(reduction, lane, count, lane + i, more);
        count += more;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static int nn__fold_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__reduce_plan plan = nn__reduce_make_plan((const nn_reduce_args *)args);
    (void)cpu;
    if (phase == 1 && plan.pieces > 1)
        return (int)((nn__reduce_results(&plan) + NN__FOLD_RESULTS - 1) / NN__FOLD_RESULTS);
    if (phase != 0) return 0;
    return (int)((plan.kept_rows + plan.group - 1) / plan.group * plan.pieces *
                 (plan.across ? plan.row_pieces : 1));
}

/* Returns the bytes of one state for each piece and result. */
static size_t nn__fold_shared_bytes(const nn__cpu *cpu, const void *args) {
    const nn__reduce_plan plan = nn__reduce_make_plan((const nn_reduce_args *)args);
    (void)cpu;
    return plan.pieces > 1
               ? (size_t)(nn__reduce_results(&plan) * plan.pieces) * sizeof(nn__fold_state)
               : 0;
}

static size_t nn__fold_own_bytes(const nn__cpu *cpu, const void *args) {
    const nn__reduce_plan plan = nn__reduce_make_plan((const nn_reduce_args *)args);
    (void)cpu;
    return sizeof(nn__fold_state) *
           (size_t)(plan.across ? nn__min64(plan.row, NN__REDUCE_STRIP) : NN__FOLD_LANES);
}

static void nn__fold_join_pieces(const nn_reduce_args *args, const nn__reduce_plan *plan, int unit,
                                 const nn__fold_state *parts) {
    const int64_t results = nn__reduce_results(plan), first = (int64_t)unit * NN__FOLD_RESULTS;
    for (int64_t at = first; at < nn__min64(first + NN__FOLD_RESULTS, results); at++) {
        nn__fold_state state = parts[at];
        double count = nn__fold_piece_of(plan, 0).count;
        for (int64_t piece = 1; piece < plan->pieces; piece++) {
            const double more = nn__fold_piece_of(plan, piece).count;
            nn__fold_merge(args->reduction, &state, count, parts + piece * results + at, more);
            count += more;
        }
        nn__fold_store(args, plan, at, &state);
    }
}

static void nn__fold_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                          void *shared, void *own) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    const nn__reduce_plan plan = nn__reduce_make_plan(args);
    const int64_t results = nn__reduce_results(&plan);
    nn__fold_state *parts = (nn__fold_state *)shared, *lane = (nn__fold_state *)own;
    if (phase == 1) {
        nn__fold_join_pieces(args, &plan, unit, parts);
        return;
    }
    const int64_t piece = unit % plan.pieces, rest = unit / plan.pieces,
                  blocks = plan.across ? plan.row_pieces : 1;
    const int64_t column = rest % blocks * NN__REDUCE_STRIP, first = rest / blocks * plan.group;
    const int n = plan.across ? (int)nn__min64(plan.row - column, NN__REDUCE_STRIP) : 1;
    const nn__fold_piece part = nn__fold_piece_of(&plan, piece);
    for (int64_t row = first; row < nn__min64(first + plan.group, plan.kept_rows); row++) {
        const float *x = nn__f32(&args->x) + nn__reduce_offset(&plan.kept, row);
        const int64_t at = plan.across ? row * plan.row + column : row;
        if (plan.across)
            nn__fold_across(args, &plan, x + column, &part, n, lane);
        else if (!nn__fold_along_rows(cpu, args, &plan, x, &part, lane))
            nn__fold_along(args, &plan, x, &part, lane);
        for (int i = 0; i < n; i++)
            if (plan.pieces == 1)
                nn__fold_store(args, &plan, at + i, lane + i);
            else
                parts[piece * results + at + i] = lane[i];
    }
}

static const char *nn__fold_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_reduce_args *args = (const nn_reduce_args *)arguments;
    (void)cpu;
    return nn__fold_is_arg(args->reduction) && nn__count(&args->x) / nn__count(&args->y) > INT32_MAX
               ? "argmax and argmin count in 31 bits, and there are more than 2^31 numbers"
               : NULL;
}
#undef NN__FOLD_LANES
#undef NN__FOLD_RESULTS

static const nn__cpu_kernel nn__fold_kernel = {nn__fold_units, nn__fold_unit, nn__fold_shared_bytes,
                                               nn__fold_own_bytes, nn__fold_refuses};

NN_PRIVATE void nn__install_fold(nn_context *nn) {
    NN__CPU_INSTALL(nn, FOLD, fold, &nn__fold_kernel);
}
