/* kernels/softmax/vector.h - the loops of softmax over one row, for every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/softmax/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/softmax/cpu.h"

static void NN__(softmax_row)(float *y, const float *x, int n) {
    if (n > NN__LANES) {
        const float share = 1.0f / NN__(row_exp)(y, x, NN__(row_max)(x, n), n);
        NN__(row_scale)(y, share, n);
        return;
    }
    const NN__F32 v = NN__(load_up_to)(x, n, -INFINITY);
    const float shift = NN__(any)(NN__(unordered)(v, v)) ? NAN : NN__(largest)(v);
    const NN__F32 e = NN__(exp)(NN__(sub)(v, NN__(all)(shift)));
    NN__(store_up_to)(y, n, NN__(mul)(e, NN__(all)(1.0f / NN__(sum)(e))));
}

#ifndef NN_NO_SIMD
/* A vector holds one number of each of NN__LANES rows. The sum has the order of NN__(sum), in which
   the missing numbers of a row are zeros: the bytes are those of single rows. */
static void NN__(softmax_short_rows)(float *y, const float *x, int rows, int n) {
    float turned[NN__SOFTMAX_SHORT * NN__LANES] = {0};
#define NN__SOFTMAX_OF(i) NN__(load)(turned + (i) * NN__LANES)
    for (; rows > 0; rows -= NN__LANES, y += n * NN__LANES, x += n * NN__LANES) {
        const int count = rows < NN__LANES ? rows : NN__LANES;
        for (int j = 0; j < n; j += NN__LANES)
            NN__(transpose_part)(turned + j * NN__LANES, NN__LANES, x + j, n, count,
                                 n - j < NN__LANES ? n - j : NN__LANES);
        NN__F32 shift = NN__SOFTMAX_OF(0);
        for (int i = 1; i < n; i++) { /* NaN wins */
            const NN__F32 v = NN__SOFTMAX_OF(i);
            const NN__B32 takes = NN__(either)(NN__(less)(shift, v), NN__(unordered)(v, v));
            shift = NN__(pick)(takes, v, shift);
        }
        for (int i = 0; i < n; i++)
            NN__(store)(turned + i * NN__LANES,
                        NN__(exp)(NN__(sub)(NN__SOFTMAX_OF(i), shift)));
        const NN__F32 a = NN__(add)(NN__SOFTMAX_OF(0), NN__SOFTMAX_OF(4)),
                      b = NN__(add)(NN__SOFTMAX_OF(1), NN__SOFTMAX_OF(5)),
                      c = NN__(add)(NN__SOFTMAX_OF(2), NN__SOFTMAX_OF(6)),
                      d = NN__(add)(NN__SOFTMAX_OF(3), NN__SOFTMAX_OF(7));
        const NN__F32 sum = NN__(add)(NN__(add)(a, c), NN__(add)(b, d)),
                      share = NN__(div)(NN__(all)(1.0f), sum);
        for (int i = 0; i < n; i++)
            NN__(store)(turned + i * NN__LANES, NN__(mul)(NN__SOFTMAX_OF(i), share));
        for (int j = 0; j < n; j += NN__LANES)
            NN__(transpose_part)(y + j, n, turned + j * NN__LANES, NN__LANES,
                                 n - j < NN__LANES ? n - j : NN__LANES, count);
    }
#undef NN__SOFTMAX_OF
}
#endif

/* y = x - shift - more */
NN__OP void NN__(softmax_less)(float *y, const float *x, float shift, float more, int n,
                               bool streams) {
    const NN__F32 s = NN__(all)(shift), m = NN__(all)(more);
    int i = 0;
    for (; i + NN__LANES <= n; i += NN__LANES)
        NN__(put)(y + i, NN__(sub)(NN__(sub)(NN__(load)(x + i), s), m), streams);
    if (i < n) {
        const NN__F32 v = NN__(load_some)(x + i, n - i, 0.0f);
        NN__(store_some)(y + i, n - i, NN__(sub)(NN__(sub)(v, s), m));
    }
}

static void NN__(softmax_log_row)(float *y, const float *x, int n, bool streams) {
    const float shift = NN__(row_max)(x, n);
    float more;
    NN__(store_some)(&more, 1, NN__(log)(NN__(all)(NN__(row_exp)(NULL, x, shift, n))));
    NN__(softmax_less)(y, x, shift, more, n, streams);
}

#ifndef NN_NO_TRAINING
static void NN__(softmax_slope)(float *dx, const float *y, const float *dy, int n, bool streams) {
    const NN__F32 s = NN__(all)((float)NN__(row_dot)(dy, y, n));
    int i = 0;
    for (; i + 2 * NN__LANES <= n; i += 2 * NN__LANES) {
        const NN__F32 a = NN__(sub)(NN__(load)(dy + i), s);
        const NN__F32 b = NN__(sub)(NN__(load)(dy + i + NN__LANES), s);
        const NN__F32 c = NN__(load)(y + i), d = NN__(load)(y + i + NN__LANES);
        NN__(put)(dx + i, NN__(mul)(c, a), streams);
        NN__(put)(dx + i + NN__LANES, NN__(mul)(d, b), streams);
    }
    for (; i < n; i += NN__LANES) {
        const NN__F32 a = NN__(sub)(NN__(load_up_to)(dy + i, n - i, 0.0f), s);
        NN__(store_up_to)(dx + i, n - i, NN__(mul)(NN__(load_up_to)(y + i, n - i, 0.0f), a));
    }
}

static void NN__(softmax_log_slope)(float *dx, const float *y, const float *dy, int n,
                                    bool streams) {
    const NN__F32 s = NN__(all)((float)NN__(row_sum)(dy, n));
    int i = 0;
    for (; i + NN__LANES <= n; i += NN__LANES) {
        const NN__F32 e = NN__(exp)(NN__(load)(y + i));
        NN__(put)(dx + i, NN__(fnma)(e, s, NN__(load)(dy + i)), streams);
    }
    if (i < n) {
        const NN__F32 e = NN__(exp)(NN__(load_some)(y + i, n - i, 0.0f));
        NN__(store_some)(dx + i, n - i,
                         NN__(fnma)(e, s, NN__(load_some)(dy + i, n - i, 0.0f)));
    }
}
#endif

static const nn__softmax_rows NN__(softmax_rows) = {NN__(row_max), NN__(row_exp), NN__(row_scale),
                                                    NN__(softmax_row),
#ifndef NN_NO_SIMD
                                                    NN__(softmax_short_rows),
#endif
                                                    NN__(softmax_log_row),
#ifndef NN_NO_TRAINING
                                                    NN__(softmax_slope), NN__(softmax_log_slope)
#endif
};
#endif
