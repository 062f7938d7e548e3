/* kernels/conv2d/cpu_depthwise_rows.c - depthwise convolutions of 3 x 3 taps and strides of one,
   and their gradients, along rows of the picture itself: what lies outside is masked off, nothing
   is copied. A vector of x serves three taps' rows; kernels/conv2d/cpu_depthwise.c has all other
   shapes. */
#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD

/* One plane: y (rows, width), x (source_h, source_w); place (q, u) of y reads row q + low_h and
   column u + low_w with tap (0, 0). */
typedef struct nn__rows {
    const float *x;
    float *y;        /* or, for the sums of products: */
    const float *dy; /* (rows, width) */
    int rows, width, source_h, source_w, low_h, low_w;
    ptrdiff_t ahead_x, ahead_y; /* how far behind them the next planes lie */
} nn__rows;

#ifdef NN__VECTOR8

/* Row `row` of a next plane into a cache: the machine's own reading ahead ends with each plane. */
static inline void nn__rows_ahead(const float *plane, int row, int width) {
    const char *from = (const char *)(const void *)(plane + (ptrdiff_t)row * width);
    for (ptrdiff_t i = 0; i < width * (ptrdiff_t)sizeof(float); i += 64)
        _mm_prefetch(from + i, _MM_HINT_T0);
}

/* A row of x gives three vectors: of row q of a block they make what tap row r adds. */
#define NN__ROWS_ADD(q, r)                                                                         \
    sum##q = NN__FMA(x0, w##r##0, sum##q), sum##q = NN__FMA(x1, w##r##1, sum##q),                  \
    sum##q = NN__FMA(x2, w##r##2, sum##q);
#define NN__ROWS_LOAD(i)                                                                           \
    {                                                                                              \
        const int at = top + (i);                                                                  \
        const bool inside = at >= 0 && at < p->source_h;                                           \
        const float *from = p->x + (ptrdiff_t)(inside ? at : 0) * p->source_w + u + p->low_w;      \
        x0 = inside ? NN__LOAD(from, m0) : NN__ZERO, x1 = inside ? NN__LOAD(from + 1, m1)          \
                                                                 : NN__ZERO;                       \
        x2 = inside ? NN__LOAD(from + 2, m2) : NN__ZERO;                                           \
    }
#define NN__ROWS_PUT(q)                                                                            \
    if (q < left) {                                                                                \
        float *to = p->y + (ptrdiff_t)(t + (q)) * p->width + u;                                    \
        if (add) sum##q = NN__ADD(sum##q, NN__LOAD(to, out));                                      \
        if (clamp) sum##q = NN__LIMIT(sum##q);                                                     \
        if (whole)                                                                                 \
            NN__KEEP(to, sum##q);                                                                  \
        else                                                                                       \
            NN__STORE(to, out, sum##q);                                                            \
    }
#define NN__ROWS_BODY(name, target)                                                                \
    static target void name(const nn__rows *p, const float *weight, float bias, bool add,          \
                            nn__clamp clamp) {                                                     \
        NN__CONV_LIMITS(clamp)                                                                     \
        const NN__V w00 = NN__SET(weight[0]), w01 = NN__SET(weight[1]), w02 = NN__SET(weight[2]),  \
                    w10 = NN__SET(weight[3]), w11 = NN__SET(weight[4]), w12 = NN__SET(weight[5]),  \
                    w20 = NN__SET(weight[6]), w21 = NN__SET(weight[7]), w22 = NN__SET(weight[8]);  \
        const bool whole = !add && p->width >= NN__WIDE;                                           \
        for (int next = 0; next < p->width; next += NN__WIDE) {                                    \
            /* the last vector does some places once more: a whole one is written faster */        \
            const int u = whole ? nn__mini(next, p->width - NN__WIDE) : next,                      \
                      column = u + p->low_w, end = p->source_w - column;                           \
            const NN__M m0 = NN__MASK(-column, end), m1 = NN__MASK(-column - 1, end - 1),          \
                        m2 = NN__MASK(-column - 2, end - 2), out = NN__MASK(0, p->width - u);      \
            for (int t = 0; t < p->rows; t += 3) {                                                 \
                const int top = t + p->low_h, left = p->rows - t;                                  \
                for (int i = 0; next == 0 && i < 3 && i < left; i++)                               \
                    nn__rows_ahead(p->x + p->ahead_x, t + i, p->source_w);                         \
                NN__V sum0 = NN__SET(bias), sum1 = sum0, sum2 = sum0, x0, x1, x2;                  \
                NN__ROWS_LOAD(0)                                                                   \
                NN__ROWS_ADD(0, 0)                                                                 \
                NN__ROWS_LOAD(1)                                                                   \
                NN__ROWS_ADD(0, 1)                                                                 \
                NN__ROWS_ADD(1, 0)                                                                 \
                NN__ROWS_LOAD(2)                                                                   \
                NN__ROWS_ADD(0, 2)                                                                 \
                NN__ROWS_ADD(1, 1)                                                                 \
                NN__ROWS_ADD(2, 0)                                                                 \
                NN__ROWS_LOAD(3)                                                                   \
                NN__ROWS_ADD(1, 2)                                                                 \
                NN__ROWS_ADD(2, 1)                                                                 \
                NN__ROWS_LOAD(4)                                                                   \
                NN__ROWS_ADD(2, 2)                                                                 \
                NN__ROWS_PUT(0)                                                                    \
                NN__ROWS_PUT(1)                                                                    \
                NN__ROWS_PUT(2)                                                                    \
            }                                                                                      \
        }                                                                                          \
    }

/* to (10, NN__WIDE) += sums of the products of y, here dy, and x by tap, and of dy alone. Along a
   column of vectors a row of x is multiplied with the three rows of dy that read it. */
#define NN__ROWS_DOT(r)                                                                            \
    s##r##0 = NN__FMA(x0, y##r, s##r##0), s##r##1 = NN__FMA(x1, y##r, s##r##1),                    \
    s##r##2 = NN__FMA(x2, y##r, s##r##2);
#define NN__ROWS_DOTS(name, target)                                                                \
    static target void name(const nn__rows *p, float *to) {                                        \
        NN__V s00 = NN__ZERO, s01 = s00, s02 = s00, s10 = s00, s11 = s00, s12 = s00, s20 = s00,    \
              s21 = s00, s22 = s00, all = s00;                                                     \
        for (int u = 0; u < p->width; u += NN__WIDE) {                                             \
            const int column = u + p->low_w, end = p->source_w - column;                           \
            const NN__M m0 = NN__MASK(-column, end), m1 = NN__MASK(-column - 1, end - 1),          \
                        m2 = NN__MASK(-column - 2, end - 2), out = NN__MASK(0, p->width - u);      \
            NN__V y0 = NN__ZERO, y1 = y0, y2 = y0;                                                 \
            for (int t = 0; t < p->rows + 2; t++) {                                                \
                const int top = t + p->low_h;                                                      \
                NN__V x0, x1, x2;                                                                  \
                if (u == 0 && t < p->source_h)                                                     \
                    nn__rows_ahead(p->x + p->ahead_x, t, p->source_w);                             \
                if (u == 0 && t < p->rows) nn__rows_ahead(p->dy + p->ahead_y, t, p->width);        \
                y2 = y1, y1 = y0;                                                                  \
                y0 = t < p->rows ? NN__LOAD(p->dy + (ptrdiff_t)t * p->width + u, out) : NN__ZERO;  \
                all = NN__ADD(all, y0);                                                            \
                NN__ROWS_LOAD(0)                                                                   \
                NN__ROWS_DOT(0)                                                                    \
                NN__ROWS_DOT(1)                                                                    \
                NN__ROWS_DOT(2)                                                                    \
            }                                                                                      \
        }                                                                                          \
        NN__KEEP(to, s00), NN__KEEP(to + NN__WIDE, s01), NN__KEEP(to + 2 * NN__WIDE, s02);         \
        NN__KEEP(to + 3 * NN__WIDE, s10), NN__KEEP(to + 4 * NN__WIDE, s11);                        \
        NN__KEEP(to + 5 * NN__WIDE, s12), NN__KEEP(to + 6 * NN__WIDE, s20);                        \
        NN__KEEP(to + 7 * NN__WIDE, s21), NN__KEEP(to + 8 * NN__WIDE, s22);                        \
        NN__KEEP(to + 9 * NN__WIDE, all);                                                          \
    }

#define NN__V            __m256
#define NN__M            __m256i
#define NN__WIDE         8
#define NN__ZERO         _mm256_setzero_ps()
#define NN__SET(x)       _mm256_set1_ps(x)
#define NN__MASK(a, b)   nn__lanes8(a, b)
#define NN__LOAD(p, m)   _mm256_maskload_ps(p, m)
#define NN__ADD(a, b)    _mm256_add_ps(a, b)
#define NN__FMA(a, b, c) _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, m, v) _mm256_maskstore_ps(p, m, v)
#define NN__KEEP(p, v)   _mm256_storeu_ps(p, v)
#define NN__LIMIT(v)      _mm256_add_ps(_mm256_min_ps(most, _mm256_max_ps(least, v)), zero)
NN__ROWS_BODY(nn__rows_multiply8, NN__AVX2)
#ifndef NN_NO_TRAINING
NN__ROWS_DOTS(nn__rows_dot8, NN__AVX2)
#endif
#undef NN__V
#undef NN__M
#undef NN__WIDE
#undef NN__ZERO
#undef NN__SET
#undef NN__MASK
#undef NN__LOAD
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
#undef NN__KEEP
#undef NN__LIMIT

#ifdef NN__VECTOR16
#define NN__V            __m512
#define NN__M            __mmask16
#define NN__WIDE         16
#define NN__ZERO         _mm512_setzero_ps()
#define NN__SET(x)       _mm512_set1_ps(x)
#define NN__MASK(a, b)   nn__lanes16(a, b)
#define NN__LOAD(p, m)   _mm512_maskz_loadu_ps(m, p)
#define NN__ADD(a, b)    _mm512_add_ps(a, b)
#define NN__FMA(a, b, c) _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, m, v) _mm512_mask_storeu_ps(p, m, v)
#define NN__KEEP(p, v)   _mm512_storeu_ps(p, v)
#define NN__LIMIT(v)                                                                               \
    _mm512_add_ps(                                                                                 \
        _mm512_maskz_min_ps(NN__ALL16, most, _mm512_maskz_max_ps(NN__ALL16, least, v)), zero)
NN__ROWS_BODY(nn__rows_multiply16, NN__AVX512)
#ifndef NN_NO_TRAINING
NN__ROWS_DOTS(nn__rows_dot16, NN__AVX512)
#endif
#undef NN__V
#undef NN__M
#undef NN__WIDE
#undef NN__ZERO
#undef NN__SET
#undef NN__MASK
#undef NN__LOAD
#undef NN__ADD
#undef NN__FMA
#undef NN__STORE
#undef NN__KEEP
#undef NN__LIMIT
#endif

#undef NN__ROWS_ADD
#undef NN__ROWS_LOAD
#undef NN__ROWS_PUT
#undef NN__ROWS_BODY
#undef NN__ROWS_DOT
#undef NN__ROWS_DOTS

static nn__rows nn__rows_of(const nn__conv *conv, const float *x, float *y) {
    nn__rows rows;
    rows.x = x;
    rows.y = y;
    rows.dy = NULL;
    rows.ahead_x = (ptrdiff_t)conv->h.source * conv->w.source;
    rows.ahead_y = 0;
    rows.rows = conv->h.outputs;
    rows.width = conv->w.outputs;
    rows.source_h = conv->h.source;
    rows.source_w = conv->w.source;
    rows.low_h = conv->h.low;
    rows.low_w = conv->w.low;
    return rows;
}

NN_PRIVATE bool nn__rows_suits(const nn__cpu *cpu, const nn__conv *conv) {
    return nn__vectors(cpu) && conv->channels == 1 && conv->h.taps == 3 && conv->w.taps == 3 &&
           conv->h.stride == 1 && conv->w.stride == 1 && conv->h.step == conv->w.step &&
           (conv->h.step == 1 || conv->h.step == -1) && conv->h.place_step == 1 &&
           conv->w.place_step == 1 && conv->h.outputs > 0 && conv->w.outputs > 0 &&
           conv->h.low > -8 && conv->w.low > -8;
}

NN_PRIVATE void nn__rows_plane(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job) {
    const int whole = conv->h.outputs * conv->w.outputs;
    const nn__clamp clamp = nn__clamp_of(job->activate);
    for (int r = 0; r < conv->rows; r++) {
        const float *weight = job->weight + r * job->weight_row,
                    bias = job->bias ? job->bias[r] : 0.0f;
        const nn__rows rows = nn__rows_of(conv, job->x, job->y + (ptrdiff_t)r * whole);
        float taps[9];
        for (int i = 0; i < 9; i++) taps[i] = weight[conv->h.step > 0 ? i : 8 - i];
#ifdef NN__VECTOR16
        if (nn__vectors16(cpu))
            nn__rows_multiply16(&rows, taps, bias, job->accumulate, clamp);
        else
#endif
            nn__rows_multiply8(&rows, taps, bias, job->accumulate, clamp);
        if (job->activate && !clamp) job->activate(rows.y, whole);
    }
}

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__rows_add(const nn__cpu *cpu, const nn__conv *conv, const float *x,
                             const float *dy, double *sum) {
    const int whole = conv->h.outputs * conv->w.outputs;
    float part[10 * 16];
    for (int k = 0; k < conv->rows; k++, sum += 10) {
        nn__rows rows = nn__rows_of(conv, x, NULL);
        int lanes = 8;
        rows.dy = dy + (ptrdiff_t)k * whole;
        rows.ahead_x *= conv->groups;
        rows.ahead_y = (ptrdiff_t)whole * conv->groups * conv->rows;
#ifdef NN__VECTOR16
        if (nn__vectors16(cpu)) {
            lanes = 16;
            nn__rows_dot16(&rows, part);
        } else
#endif
            nn__rows_dot8(&rows, part);
        for (int i = 0; i < 10; i++)
            for (int l = 0; l < lanes; l++) sum[i] += (double)part[i * lanes + l];
    }
}
#endif

#else /* other machines go along bands */
NN_PRIVATE bool nn__rows_suits(const nn__cpu *cpu, const nn__conv *conv) {
    (void)cpu, (void)conv;
    return false;
}
NN_PRIVATE void nn__rows_plane(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job) {
    (void)cpu, (void)conv, (void)job;
}
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__rows_add(const nn__cpu *cpu, const nn__conv *conv, const float *x,
                             const float *dy, double *sum) {
    (void)cpu, (void)conv, (void)x, (void)dy, (void)sum;
}
#endif
#endif

#endif

typedef int nn__conv2d_depthwise_rows_part; /* a part must not be empty under NN_NO_SIMD */
