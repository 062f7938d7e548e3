/* kernels/attention/vector.h - the loops of attention over a block of scores, except the products,
   for every instruction set. A block has one row per key and one column per query. */
#ifndef NN__SET
#define NN__BODY "kernels/attention/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/attention/cpu.h"

static void NN__(attention_most)(const float *scores, float *most, float *shift, float *factor,
                                 int columns, int count) {
    const NN__F32 none = NN__(all)(-INFINITY);
    for (int c = 0; c < columns; c += NN__LANES) {
        const int n = columns - c;
        const NN__F32 before = NN__(load_up_to)(most + c, n, 0.0f);
        NN__F32 largest = before;
        for (int e = 0; e < count; e++) { /* a NaN is never the larger one */
            const NN__F32 x = NN__(load_up_to)(scores + e * NN__ATTENTION_ROW + c, n, 0.0f);
            largest = NN__(pick)(NN__(less)(largest, x), x, largest);
        }
        const NN__F32 less = NN__(drop)(NN__(equal)(largest, none), largest);
        NN__(store_up_to)(shift + c, n, less);
        NN__(store_up_to)(most + c, n, largest);
        NN__(store_up_to)(factor + c, n, NN__(exp)(NN__(sub)(before, less)));
    }
}

static void NN__(attention_exp)(float *scores, const float *shift, float *sum, int columns,
                                int count) {
    for (int c = 0; c < columns; c += NN__LANES) {
        const int n = columns - c;
        const NN__F32 less = NN__(load_up_to)(shift + c, n, 0.0f);
        NN__F32 total = NN__(all)(0.0f);
        for (int e = 0; e < count; e++) {
            float *x = scores + e * NN__ATTENTION_ROW + c;
            const NN__F32 weight =
                NN__(exp)(NN__(sub)(NN__(load_up_to)(x, n, 0.0f), less));
            NN__(store_up_to)(x, n, weight);
            total = NN__(add)(total, weight);
        }
        NN__(store_up_to)(sum + c, n, total);
    }
}

static bool NN__(attention_finite)(const float *x, ptrdiff_t row, int rows, int width) {
    const NN__F32 zero = NN__(all)(0.0f);
    NN__F32 sum = zero; /* stays 0 if all are finite, else becomes NaN */
    for (int i = 0; i < rows; i++)
        for (int e = 0; e < width; e += NN__LANES)
            sum = NN__(fma)(NN__(load_up_to)(x + i * row + e, width - e, 0.0f), zero, sum);
    return !NN__(any)(NN__(unordered)(sum, sum));
}

static void NN__(attention_kept)(const nn_attention_args *args, uint64_t counter, float *kept) {
    const float keep = args->dropout < 1.0f ? 1.0f / (1.0f - args->dropout) : 0.0f;
    const NN__F32 least = NN__(all)(args->dropout), factor = NN__(all)(keep);
    for (int c = 0; c < NN__ATTENTION_QUERIES; c += 4 * NN__LANES)
        NN__(uniform)(args->seed, args->stream, counter + (uint64_t)c / 4, kept + c);
    for (int c = 0; c < NN__ATTENTION_QUERIES; c += NN__LANES)
        NN__(store)(kept + c,
                    NN__(keep)(NN__(less_equal)(least, NN__(load)(kept + c)), factor));
}

#ifndef NN_NO_TRAINING
static void NN__(attention_slope)(float *p, float *dp, const float *log_sum, const float *delta,
                                  float scale, int columns) {
    const NN__F32 zero = NN__(all)(0.0f), by = NN__(all)(scale);
    for (int c = 0; c < columns; c += NN__LANES) {
        const int n = columns - c;
        const NN__F32 weight = NN__(exp)(NN__(sub)(NN__(load_up_to)(p + c, n, 0.0f),
                                                   NN__(load_up_to)(log_sum + c, n, 0.0f)));
        const NN__F32 less = NN__(sub)(NN__(load_up_to)(dp + c, n, 0.0f),
                                       NN__(load_up_to)(delta + c, n, 0.0f));
        const NN__F32 slope = NN__(mul)(NN__(mul)(weight, less), by);
        NN__(store_up_to)(p + c, n, weight);
        NN__(store_up_to)(dp + c, n, NN__(drop)(NN__(equal)(weight, zero), slope));
    }
}
#endif

static const nn__attention_loops NN__(attention_loops) = {
    NN__(attention_most), NN__(attention_exp), NN__(attention_finite), NN__(attention_kept),
#ifndef NN_NO_TRAINING
    NN__(attention_slope)
#endif
};
#endif
