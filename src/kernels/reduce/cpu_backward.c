/* kernels/reduce/cpu_backward.c - gradients of reductions along the last axes. What a row's numbers
   have in common (how many share the extreme, the mean) is found first; then each number is read
   once, from a cache where the row is not long, and dx written once. Long rows are cut into pieces
   whose size depends on the shape only, and a second phase writes.

   The vector functions give the bytes of the plain ones, but for exp. */
#include "cpu/simd.h"
#include "kernels/reduce/cpu.h"

#include <math.h>

#ifndef NN_NO_TRAINING

#define NN__SLOPE_ROW    32768 /* most numbers of a row that is not cut */
#define NN__SLOPE_PIECE  16384 /* least numbers of a piece */
#define NN__SLOPE_PIECES 256   /* most pieces of a row */

/* What a row's gradient is, of each x. */
enum {
    NN__SLOPE_EQUAL,    /* x == a ? b : c */
    NN__SLOPE_SCALED,   /* (x - a) * b */
    NN__SLOPE_QUOTIENT, /* (x - a) / b * c */
    NN__SLOPE_EXP       /* exp(x - a) * b */
};

typedef struct nn__slope {
    const float *x;
    float *dx;
    float a, b, c;
    int n;
    bool accumulate, streams;
} nn__slope;

/* ---- a row ----------------------------------------------------------------------------------- */

static void nn__slope_plain(const nn__slope *s, int kind, int i) {
    for (; i < s->n; i++) {
        const float x = s->x[i];
        float v;
        switch (kind) {
        case NN__SLOPE_EQUAL: v = x == s->a ? s->b : s->c; break;
        case NN__SLOPE_SCALED: v = (x - s->a) * s->b; break;
        case NN__SLOPE_QUOTIENT: v = (x - s->a) / s->b * s->c; break;
        default: v = expf(x - s->a) * s->b; break;
        }
        s->dx[i] = s->accumulate ? s->dx[i] + v : v;
    }
}

/* How many numbers are equal to y. */
static int nn__slope_count_plain(const float *x, float y, int n) {
    int count = 0;
    for (int i = 0; i < n; i++) count += x[i] == y;
    return count;
}

#ifdef NN__VECTOR8
/* Sums of products are rounded twice, as in plain C. */
static NN__ALWAYS_INLINE NN__AVX2_UNFUSED int nn__slope_row8(const nn__slope *s, const int kind) {
    const __m256 a = _mm256_set1_ps(s->a), b = _mm256_set1_ps(s->b), c = _mm256_set1_ps(s->c);
    int i = 0;
    for (; i + 8 <= s->n; i += 8) {
        const __m256 x = _mm256_loadu_ps(s->x + i);
        __m256 v;
        if (kind == NN__SLOPE_EQUAL) {
            v = _mm256_blendv_ps(c, b, _mm256_cmp_ps(x, a, _CMP_EQ_OQ));
        } else {
            v = _mm256_sub_ps(x, a);
            v = kind == NN__SLOPE_SCALED ? _mm256_mul_ps(v, b)
                                         : _mm256_mul_ps(_mm256_div_ps(v, b), c);
        }
        if (s->accumulate) v = _mm256_add_ps(_mm256_loadu_ps(s->dx + i), v);
        if (s->streams)
            _mm256_stream_ps(s->dx + i, v);
        else
            _mm256_storeu_ps(s->dx + i, v);
    }
    return i;
}
NN__AVX2_UNFUSED static int nn__slope_equal8(const nn__slope *s) {
    return nn__slope_row8(s, NN__SLOPE_EQUAL);
}
NN__AVX2_UNFUSED static int nn__slope_scaled8(const nn__slope *s) {
    return nn__slope_row8(s, NN__SLOPE_SCALED);
}
NN__AVX2_UNFUSED static int nn__slope_quotient8(const nn__slope *s) {
    return nn__slope_row8(s, NN__SLOPE_QUOTIENT);
}

/* All numbers from i on. */
NN__AVX2 static void nn__slope_exp8(const nn__slope *s, int i) {
    const __m256 a = _mm256_set1_ps(s->a), b = _mm256_set1_ps(s->b);
    for (; i < s->n; i += 8) {
        const int left = s->n - i;
        const __m256 x = left >= 8 ? _mm256_loadu_ps(s->x + i) : nn__load_tail8(s->x + i, left, 0);
        const __m256 e = nn__exp8(_mm256_sub_ps(x, a));
        __m256 v;
        if (!s->accumulate)
            v = _mm256_mul_ps(e, b);
        else if (left >= 8)
            v = _mm256_fmadd_ps(e, b, _mm256_loadu_ps(s->dx + i));
        else
            v = _mm256_fmadd_ps(e, b, nn__load_tail8(s->dx + i, left, 0));
        if (left >= 8)
            nn__store8(s->dx + i, v, s->streams);
        else
            nn__store_tail8(s->dx + i, left, v);
    }
}
#ifdef NN__VECTOR16
/* The same bytes; returns how many numbers are done. */
NN__AVX512 static int nn__slope_exp16(const nn__slope *s) {
    const __m512 a = _mm512_set1_ps(s->a), b = _mm512_set1_ps(s->b);
    int i = 0;
    for (; i + 16 <= s->n; i += 16) {
        const __m512 e = nn__exp16(_mm512_sub_ps(_mm512_loadu_ps(s->x + i), a));
        const __m512 v = s->accumulate ? _mm512_fmadd_ps(e, b, _mm512_loadu_ps(s->dx + i))
                                       : _mm512_mul_ps(e, b);
        nn__store8(s->dx + i, nn__low16(v), s->streams);
        nn__store8(s->dx + i + 8, nn__high16(v), s->streams);
    }
    return i;
}
#endif

NN__AVX2_UNFUSED static int nn__slope_count8(const float *x, float y, int n) {
    const __m256 a = _mm256_set1_ps(y);
    __m256i even = _mm256_setzero_si256(), odd = even;
    int lanes[8], count = 0, i = 0;
    for (; i + 16 <= n; i += 16) {
        even = _mm256_sub_epi32(
            even, _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(x + i), a, _CMP_EQ_OQ)));
        odd = _mm256_sub_epi32(
            odd, _mm256_castps_si256(_mm256_cmp_ps(_mm256_loadu_ps(x + i + 8), a, _CMP_EQ_OQ)));
    }
    _mm256_storeu_si256((__m256i *)(void *)lanes, _mm256_add_epi32(even, odd));
    for (int l = 0; l < 8; l++) count += lanes[l];
    return count + nn__slope_count_plain(x + i, y, n - i);
}

static void nn__slope_vectors(const nn__cpu *cpu, const nn__slope *s, int kind) {
    int done = 0;
    switch (kind) {
    case NN__SLOPE_EQUAL: done = nn__slope_equal8(s); break;
    case NN__SLOPE_SCALED: done = nn__slope_scaled8(s); break;
    case NN__SLOPE_QUOTIENT: done = nn__slope_quotient8(s); break;
    default:
#ifdef NN__VECTOR16
        if (nn__vectors16(cpu)) done = nn__slope_exp16(s);
#endif
        nn__slope_exp8(s, done);
        return;
    }
    (void)cpu;
    nn__slope_plain(s, kind, done);
}
#endif

static void nn__slope_row(const nn__cpu *cpu, const nn__slope *s, int kind) {
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        nn__slope_vectors(cpu, s, kind);
        return;
    }
#endif
    nn__slope_plain(s, kind, 0);
}

/* ---- what the numbers of a row have in common ------------------------------------------------ */

static bool nn__slope_of_extremes(const nn_reduce_backward_args *args) {
    return args->reduction == NN_MAX || args->reduction == NN_MIN;
}
static bool nn__slope_of_spreads(const nn_reduce_backward_args *args) {
    return args->reduction == NN_VAR || args->reduction == NN_STD;
}

/* Of n numbers of a row: how many are y, or their sum. */
static double nn__slope_gather(const nn__cpu *cpu, const nn_reduce_backward_args *args,
                               const float *x, int n, int64_t row) {
    if (!nn__slope_of_extremes(args)) return nn__reduce_sum(cpu, x, n);
    const float y = nn__f32(&args->y)[row];
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) return nn__slope_count8(x, y, n);
#endif
    return nn__slope_count_plain(x, y, n);
}

/* Fills in a, b and c of a row of n numbers; returns the kind. A norm or deviation of 0 has the
   gradient 0: 0 / 1. */
static int nn__slope_of_row(const nn_reduce_backward_args *args, nn__slope *s, int64_t row,
                            int64_t n, double common) {
    const double over = (double)n - (double)args->correction;
    const float dy = nn__f32(&args->dy)[row],
                y = args->reduction == NN_VAR || args->reduction == NN_SUM_OF_SQUARES
                        ? 0.0f
                        : nn__f32(&args->y)[row];
    s->a = nn__slope_of_spreads(args) ? (float)(common / (double)n) : 0.0f;
    switch (args->reduction) {
    case NN_SUM_OF_SQUARES: s->b = 2.0f * dy; return NN__SLOPE_SCALED;
    case NN_VAR: s->b = dy * (float)(2.0 / (over > 0.0 ? over : 0.0)); return NN__SLOPE_SCALED;
    case NN_STD:
    case NN_NORM:
        s->b = y == 0.0f ? 1.0f : y;
        s->c = args->reduction == NN_NORM ? dy : dy * (float)(1.0 / (over > 0.0 ? over : 0.0));
        return NN__SLOPE_QUOTIENT;
    case NN_LOGSUMEXP: s->a = y, s->b = dy; return NN__SLOPE_EXP;
    default: /* extremes; of a NaN none is equal, and all slopes are NaN */
        s->a = y, s->b = dy / (float)common, s->c = 0.0f * s->b;
        return NN__SLOPE_EQUAL;
    }
}

/* ---- products -------------------------------------------------------------------------------- */

/* A product without its zeros, infinities (but their signs) and NaNs, which are counted. It is
   value times 2^exponent, which holds products that neither floats nor doubles do. */
typedef struct nn__slope_product {
    double value;
    int64_t exponent, zeros, infinities, nans;
} nn__slope_product;

static nn__slope_product nn__slope_multiply(const float *x, int64_t n) {
    nn__slope_product p = {1.0, 0, 0, 0, 0};
    for (int64_t i = 0; i < n; i++) {
        int exponent;
        if (x[i] != x[i]) {
            p.nans++;
        } else if (x[i] == 0.0f) {
            p.zeros++;
        } else if (fabsf(x[i]) > FLT_MAX) {
            p.infinities++;
            if (x[i] < 0.0f) p.value = -p.value;
        } else {
            p.value *= (double)x[i];
        }
        if (fabs(p.value) > 1e-200 && fabs(p.value) < 1e200) continue;
        p.value = frexp(p.value, &exponent);
        p.exponent += exponent;
    }
    return p;
}

/* The product of all numbers but x, which is one of them. */
static double nn__slope_others(const nn__slope_product *p, float x) {
    const bool nan = x != x, infinite = fabsf(x) > FLT_MAX;
    const int64_t zeros = p->zeros - (x == 0.0f), infinities = p->infinities - infinite;
    double value = p->value;
    if (p->nans - nan || (zeros && infinities)) return (double)NAN;
    if (zeros) return 0.0;
    if (infinite)
        value = x < 0.0f ? -value : value;
    else if (!nan && x != 0.0f)
        value /= (double)x;
    if (infinities) return value < 0.0 ? -(double)INFINITY : (double)INFINITY;
    return ldexp(value, (int)nn__max64(-4000, nn__min64(4000, p->exponent)));
}

static void nn__slope_product_row(const nn_reduce_backward_args *args, int64_t row, int64_t n) {
    const float *x = nn__f32(&args->x) + row * n;
    const double dy = (double)nn__f32(&args->dy)[row];
    float *dx = nn__f32(&args->dx) + row * n;
    const nn__slope_product product = nn__slope_multiply(x, n);
    for (int64_t i = 0; i < n; i++) {
        const float v = (float)(dy * nn__slope_others(&product, x[i]));
        dx[i] = args->accumulate ? dx[i] + v : v;
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

typedef struct nn__slope_cut {
    int64_t rows, n;
    int64_t group;         /* rows of a unit, where they are whole */
    int64_t pieces, width; /* of a row */
    bool twice;            /* a first phase gathers from the pieces */
} nn__slope_cut;

static nn__slope_cut nn__slope_make_cut(const nn_reduce_backward_args *args) {
    nn__slope_cut cut;
    cut.rows = nn__count(&args->dy);
    cut.n = nn__count(&args->x) / cut.rows;
    cut.width = cut.n;
    if (cut.n > NN__SLOPE_ROW && args->reduction != NN_PROD)
        cut.width = nn__max64(NN__SLOPE_PIECE, (cut.n / NN__SLOPE_PIECES + 32) / 32 * 32);
    cut.pieces = (cut.n + cut.width - 1) / cut.width;
    cut.twice = cut.pieces > 1 && (nn__slope_of_extremes(args) || nn__slope_of_spreads(args));
    /* many numbers where there are many units all the same */
    cut.group = nn__max64(nn__max64(1, 8192 / cut.n), nn__min64(cut.rows / 64, 65536 / cut.n));
    return cut;
}

static int nn__slope_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__slope_cut cut = nn__slope_make_cut((const nn_reduce_backward_args *)arguments);
    (void)cpu;
    if (phase > (cut.twice ? 1 : 0)) return 0;
    return (int)(cut.pieces > 1 ? cut.rows * cut.pieces : (cut.rows + cut.group - 1) / cut.group);
}

static size_t nn__slope_shared_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn__slope_cut cut = nn__slope_make_cut((const nn_reduce_backward_args *)arguments);
    (void)cpu;
    return cut.twice ? (size_t)(cut.rows * cut.pieces) * sizeof(double) : 0;
}

/* n numbers of a row from `column` on. */
static void nn__slope_write(const nn__cpu *cpu, const nn_reduce_backward_args *args,
                            const nn__slope_cut *cut, int64_t row, int64_t column, int n,
                            double common) {
    nn__slope s;
    memset(&s, 0, sizeof s);
    s.x = nn__f32(&args->x) + row * cut->n + column;
    s.dx = nn__f32(&args->dx) + row * cut->n + column;
    s.n = n;
    s.accumulate = args->accumulate;
#ifdef NN__VECTOR8
    s.streams = !s.accumulate && s.dx != s.x &&
                nn__streams(cpu, s.dx, 2 * cut->rows * cut->n * (int64_t)sizeof(float));
#endif
    nn__slope_row(cpu, &s, nn__slope_of_row(args, &s, row, cut->n, common));
}

static void nn__slope_whole_rows(const nn__cpu *cpu, const nn_reduce_backward_args *args,
                                 const nn__slope_cut *cut, int unit) {
    const int n = (int)cut->n;
    const bool gathers = nn__slope_of_extremes(args) || nn__slope_of_spreads(args);
    for (int64_t row = unit * cut->group; row < nn__min64((unit + 1) * cut->group, cut->rows);
         row++) {
        const float *x = nn__f32(&args->x) + row * n;
        if (args->reduction == NN_PROD) {
            nn__slope_product_row(args, row, n);
            continue;
        }
        nn__slope_write(cpu, args, cut, row, 0, n,
                        gathers ? nn__slope_gather(cpu, args, x, n, row) : 0.0);
    }
}

static void nn__slope_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                           void *shared, void *own) {
    const nn_reduce_backward_args *args = (const nn_reduce_backward_args *)arguments;
    const nn__slope_cut cut = nn__slope_make_cut(args);
    double *parts = (double *)shared, common = 0.0;
    (void)own;
    if (cut.pieces == 1) {
        nn__slope_whole_rows(cpu, args, &cut, unit);
    } else {
        const int64_t row = unit / cut.pieces, column = unit % cut.pieces * cut.width;
        const int n = (int)nn__min64(cut.width, cut.n - column);
        if (cut.twice && phase == 0) {
            parts[unit] =
                nn__slope_gather(cpu, args, nn__f32(&args->x) + row * cut.n + column, n, row);
            return;
        }
        for (int64_t i = 0; cut.twice && i < cut.pieces; i++)
            common += parts[row * cut.pieces + i];
        nn__slope_write(cpu, args, &cut, row, column, n, common);
    }
#ifdef NN__VECTOR8
    nn__streamed();
#endif
}
#undef NN__SLOPE_ROW
#undef NN__SLOPE_PIECE
#undef NN__SLOPE_PIECES

static const nn__cpu_kernel nn__slope_kernel = {nn__slope_units, nn__slope_unit,
                                                nn__slope_shared_bytes, NULL, NULL};

NN_PRIVATE void nn__install_reduce_backward(nn_context *nn) {
    NN__CPU_INSTALL(nn, REDUCE_BACKWARD, reduce_backward, &nn__slope_kernel);
}
#endif

typedef int nn__reduce_backward_kernel; /* a part must not be empty under NN_NO_TRAINING */
