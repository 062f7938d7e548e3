/* kernels/reduce/cpu_fold.c - the reductions that are no plain sum or maximum: product, smallest,
   any, all, argmax, norm, logsumexp, variance.

   The numbers of one result are spread over lanes (across: each column is a result and a lane;
   along: up to 64 lanes beside each other in a row), a lane has a state of two doubles, and states
   are merged in ascending order: lanes first, then pieces. Pieces depend on the shape only
   (kernels/reduce/cpu.h), and so do the bytes.

   A state (a, b): the number so far in a; or for argmax the number and its index; for logsumexp the
   largest number m and the sum of exp(x - shift(m)); for the variance mean and squares. */
#include "cpu/simd.h"
#include "kernels/reduce/cpu.h"

#include <math.h>

#define NN__FOLD_LANES   64
#define NN__FOLD_RESULTS 1024 /* results of a unit of the second phase */

typedef struct nn__fold_state {
    double a, b;
} nn__fold_state;

/* ---- one line of numbers into the lanes ------------------------------------------------------ */

/* An infinite largest number must not make inf - inf. */
static double nn__fold_shift(double largest) { return largest - largest == 0.0 ? largest : 0.0; }

static bool nn__fold_beats(double x, double best, bool smallest) {
    return x != x ? best == best : smallest ? x < best : x > best;
}

static bool nn__fold_is_arg(nn_reduction reduction) {
    return reduction == NN_ARGMAX || reduction == NN_ARGMIN;
}

/* index: of the first lane's number; each next lane's is `step` further. */
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
    case NN_LOGSUMEXP: /* a NaN shows in the sum */
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

/* The second pass over the same numbers, of those that need one. */
static void nn__fold_line_again(nn_reduction reduction, nn__fold_state *lane, const float *x,
                                int n) {
    if (reduction == NN_LOGSUMEXP)
        for (int i = 0; i < n; i++)
            lane[i].b += (double)expf((float)((double)x[i] - nn__fold_shift(lane[i].a)));
    else
        for (int i = 0; i < n; i++) {
            const double difference = (double)x[i] - lane[i].a;
            lane[i].b += difference * difference;
        }
}

/* ---- states ---------------------------------------------------------------------------------- */

static double nn__fold_rescale(double sum, double from, double to) {
    return sum == 0.0 ? 0.0 : sum * exp(nn__fold_shift(from) - nn__fold_shift(to));
}

/* Adds state `y` of m numbers to `x` of n. */
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
    if (args->reduction == NN_LOGSUMEXP) value = log(state->b) + nn__fold_shift(state->a);
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
    int width;                /* along: columns of each */
    double count;             /* numbers of each of its results */
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

/* One piece of n neighbouring results: x is the first number of the first. */
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

#ifdef NN__VECTOR8
NN__AVX2 static inline __m256d nn__fold_load8(const float *x) {
    return _mm256_cvtps_pd(_mm_loadu_ps(x));
}
NN__AVX2 static inline __m256d nn__fold_low8(__m256 v) {
    return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
}
NN__AVX2 static inline __m256d nn__fold_high8(__m256 v) {
    return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}
/* The four lanes in one fixed order: their sum, or their product. */
NN__AVX2 static inline double nn__fold_join8(__m256d v, bool sum) {
    double lanes[4];
    _mm256_storeu_pd(lanes, v);
    if (sum) return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    const double p = lanes[0] * lanes[1], q = lanes[2] * lanes[3];
    /* their product is a 0 that takes processors long to find */
    if (fabs(p) < 1e-170 && fabs(q) < 1e-170) return copysign(0.0, p) * copysign(1.0, q);
    return p * q;
}

/* n numbers in 16 lanes of doubles: their product, or the sum of their squares. */
NN__AVX2 static double nn__fold_doubles8(const float *x, int n, bool squares) {
    const __m256d start = _mm256_set1_pd(squares ? 0.0 : 1.0);
    __m256d a = start, b = start, c = start, d = start;
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256d p = nn__fold_load8(x + i), q = nn__fold_load8(x + i + 4);
        const __m256d r = nn__fold_load8(x + i + 8), s = nn__fold_load8(x + i + 12);
        a = squares ? _mm256_fmadd_pd(p, p, a) : _mm256_mul_pd(a, p);
        b = squares ? _mm256_fmadd_pd(q, q, b) : _mm256_mul_pd(b, q);
        c = squares ? _mm256_fmadd_pd(r, r, c) : _mm256_mul_pd(c, r);
        d = squares ? _mm256_fmadd_pd(s, s, d) : _mm256_mul_pd(d, s);
    }
    double total = nn__fold_join8(
        squares ? _mm256_add_pd(_mm256_add_pd(a, b), _mm256_add_pd(c, d))
                : _mm256_mul_pd(_mm256_mul_pd(a, b), _mm256_mul_pd(c, d)), squares);
    for (; i < n; i++)
        total = squares ? total + (double)x[i] * (double)x[i] : total * (double)x[i];
    return total;
}

/* Has each lane of the four vectors a size between the two? A NaN may pass. */
NN__AVX2 static inline bool nn__fold_between8(__m256 a, __m256 b, __m256 c, __m256 d, float least,
                                              float most) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    a = _mm256_andnot_ps(sign, a);
    b = _mm256_andnot_ps(sign, b);
    c = _mm256_andnot_ps(sign, c);
    d = _mm256_andnot_ps(sign, d);
    const __m256 low = _mm256_min_ps(_mm256_min_ps(a, b), _mm256_min_ps(c, d));
    const __m256 high = _mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d));
    const __m256 out = _mm256_or_ps(_mm256_cmp_ps(low, _mm256_set1_ps(least), _CMP_LT_OQ),
                                    _mm256_cmp_ps(high, _mm256_set1_ps(most), _CMP_GT_OQ));
    return _mm256_movemask_ps(out) == 0;
}

/* The same of at most 1024 numbers in 32 lanes of floats, which then go to doubles; in doubles from
   the beginning where a lane has left the range in which a float has all its digits. Both give NaN
   where a number is one. */
NN__AVX2 static double nn__fold_floats8(const float *x, int n, bool squares) {
    const float filler = squares ? 0.0f : 1.0f, least = squares ? 8.0779357e-28f : 1.17549435e-38f;
    __m256 a = _mm256_set1_ps(filler), b = a, c = a, d = a;
    int i = 0;
    if (n < 32) return nn__fold_doubles8(x, n, squares); /* else every lane has a number */
    for (; i + 32 <= n; i += 32) {
        nn__ahead8(x + i);
        const __m256 p = _mm256_loadu_ps(x + i), q = _mm256_loadu_ps(x + i + 8);
        const __m256 r = _mm256_loadu_ps(x + i + 16), s = _mm256_loadu_ps(x + i + 24);
        a = squares ? _mm256_fmadd_ps(p, p, a) : _mm256_mul_ps(a, p);
        b = squares ? _mm256_fmadd_ps(q, q, b) : _mm256_mul_ps(b, q);
        c = squares ? _mm256_fmadd_ps(r, r, c) : _mm256_mul_ps(c, r);
        d = squares ? _mm256_fmadd_ps(s, s, d) : _mm256_mul_ps(d, s);
    }
    for (; i < n; i += 8) {
        const __m256 p =
            n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, n - i, filler);
        a = squares ? _mm256_fmadd_ps(p, p, a) : _mm256_mul_ps(a, p);
    }
    if (!nn__fold_between8(a, b, c, d, least, 3.40282347e+38f))
        return nn__fold_doubles8(x, n, squares);
    const __m256d e = nn__fold_low8(a), f = nn__fold_high8(a), g = nn__fold_low8(b),
                  h = nn__fold_high8(b), j = nn__fold_low8(c), k = nn__fold_high8(c),
                  l = nn__fold_low8(d), m = nn__fold_high8(d);
    if (squares)
        return nn__fold_join8(
            _mm256_add_pd(_mm256_add_pd(_mm256_add_pd(e, g), _mm256_add_pd(j, l)),
                          _mm256_add_pd(_mm256_add_pd(f, h), _mm256_add_pd(k, m))), true);
    return nn__fold_join8(
        _mm256_mul_pd(_mm256_mul_pd(_mm256_mul_pd(e, g), _mm256_mul_pd(j, l)),
                      _mm256_mul_pd(_mm256_mul_pd(f, h), _mm256_mul_pd(k, m))), false);
}

/* The product of numbers, by blocks of 1024. */
NN__AVX2 static double nn__fold_product8(const float *x, int n) {
    double total = 1.0;
    for (int i = 0; i < n; i += 1024)
        total *= nn__fold_floats8(x + i, nn__mini(1024, n - i), false);
    return total;
}

/* The sum of squares, by blocks of 1024; exact: each square is. */
NN__AVX2 static double nn__fold_squares8(const float *x, int n, bool exact) {
    double total = 0.0;
    for (int i = 0; i < n; i += 1024) {
        const int block = nn__mini(1024, n - i);
        total += exact ? nn__fold_doubles8(x + i, block, true)
                       : nn__fold_floats8(x + i, block, true);
    }
    return total;
}

/* Where the largest or smallest number stands: the first of equals, NaN before all others. */
NN__AVX2 static int nn__fold_place8(const float *x, int n, bool smallest) {
    const __m256 turn = _mm256_set1_ps(smallest ? -0.0f : 0.0f);
    __m256 best = _mm256_set1_ps(-INFINITY), bad = _mm256_setzero_ps();
    int i = 0;
    for (; i < n; i += 8) {
        __m256 v = n - i >= 8 ? _mm256_loadu_ps(x + i) : nn__load_tail8(x + i, n - i, x[i]);
        bad = _mm256_or_ps(bad, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
        best = _mm256_max_ps(best, _mm256_xor_ps(v, turn));
    }
    const bool nan = _mm256_movemask_ps(bad) != 0;
    const float most = smallest ? -nn__max8(best) : nn__max8(best);
    const __m256 wanted = _mm256_set1_ps(most);
    for (i = 0; i + 8 <= n; i += 8) {
        const __m256 v = _mm256_loadu_ps(x + i);
        const __m256 hit =
            nan ? _mm256_cmp_ps(v, v, _CMP_UNORD_Q) : _mm256_cmp_ps(v, wanted, _CMP_EQ_OQ);
        if (_mm256_movemask_ps(hit)) break;
    }
    while (i < n - 1 && (nan ? x[i] == x[i] : x[i] != most)) i++;
    return i;
}

/* The state of n numbers that follow each other, of the reductions that have vectors; false: the
   others. */
static bool nn__fold_vectors(const nn__cpu *cpu, nn_reduction reduction, nn__fold_state *state,
                             const float *x, int n, double index) {
    if (!nn__vectors(cpu)) return false;
    switch (reduction) {
    case NN_PROD: state->a = nn__fold_product8(x, n); return true;
    case NN_SUM_OF_SQUARES:
    case NN_NORM: state->a = nn__fold_squares8(x, n, reduction != NN_NORM); return true;
    case NN_ARGMAX:
    case NN_ARGMIN: {
        const int place = nn__fold_place8(x, n, reduction == NN_ARGMIN);
        state->a = (double)x[place];
        state->b = index + place;
        return true;
    }
    case NN_LOGSUMEXP: {
        const float largest = nn__row_max(cpu, x, n);
        state->a = largest == largest ? (double)largest : 0.0; /* a NaN shows in the sum */
        state->b = (double)nn__row_exp(cpu, NULL, x, (float)nn__fold_shift(state->a), n);
        return true;
    }
    default: return false;
    }
}
#endif

/* A piece of one result row by row, where a row has a vector function. */
static bool nn__fold_along_rows(const nn__cpu *cpu, const nn_reduce_args *args,
                                const nn__reduce_plan *plan, const float *x,
                                const nn__fold_piece *part, nn__fold_state *lane) {
#ifdef NN__VECTOR8
    for (int64_t row = part->row; row < part->end; row++) {
        nn__fold_state more = {0.0, 0.0};
        if (!nn__fold_vectors(cpu, args->reduction, row == part->row ? lane : &more,
                              x + nn__reduce_offset(&plan->reduced, row) + part->column,
                              part->width, (double)(row * plan->row + part->column)))
            return false;
        if (row > part->row) nn__fold_merge(args->reduction, lane, 0.0, &more, 0.0);
    }
    return true;
#else
    (void)cpu, (void)args, (void)plan, (void)x, (void)part, (void)lane;
    return false;
#endif
}

/* One piece of one result, in lane[0]. */
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

/* One state for each piece and result. */
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
               ? "argmax counts in 31 bits, and there are more numbers"
               : NULL;
}
#undef NN__FOLD_LANES
#undef NN__FOLD_RESULTS

static const nn__cpu_kernel nn__fold_kernel = {nn__fold_units, nn__fold_unit, nn__fold_shared_bytes,
                                               nn__fold_own_bytes, nn__fold_refuses};

NN_PRIVATE void nn__install_fold(nn_context *nn) {
    NN__CPU_INSTALL(nn, FOLD, fold, &nn__fold_kernel);
}
