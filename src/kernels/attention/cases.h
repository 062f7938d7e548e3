/* kernels/attention/cases.h - small test cases of attention for nn_self_test and
   tests/kernels/test_backends.c: every mask, and lengths around the sizes of blocks. */
#pragma once

#include "self_test/operands.h"

#include <math.h>

#ifndef NN_NO_REPORTS

enum {
    NN__CASE_CAUSAL = 1,
    NN__CASE_INSIDE = 2,
    NN__CASE_ALIBI = 4,
    NN__CASE_LENGTHS = 8,
    NN__CASE_POSITIONS = 16,
    NN__CASE_MASK = 32,  /* f32 */
    NN__CASE_TAKES = 64, /* u8 */
    NN__CASE_DROPOUT = 128,
    NN__CASE_WRONG = 256, /* a length beyond S */
    NN__CASE_F16 = 512,   /* keys */
    NN__CASE_BF16 = 1024, /* values */
    NN__CASE_NAN = 2048,  /* at a place that a mask hides */
    NN__CASE_STARTS = 4096,
    NN__CASE_SHARED = 8192 /* one number of the mask serves many scores */
};

/* Fills a view with random numbers, and returns its memory, which has floats only if dtype is
   f32. */
static float *nn__cases_attention_rows(nn__self_test *test, nn_view *view, nn_dtype dtype,
                                       const int32_t *extents) {
    const int a = extents[0], b = extents[1], c = extents[2], d = extents[3];
    if (dtype == NN_F32) return nn__self_test_numbers(test, view, false, a, b, c, d);
    uint16_t *to = (uint16_t *)(void *)nn__self_test_view_of(test, view, false, dtype, a, b, c, d);
    for (int64_t i = 0; i < nn__count(view); i++) {
        const float x = nn__self_test_unit(test);
        /* an exponent that keeps it at most 1 */
        to[i] = (uint16_t)((x < 0 ? 0x8000u : 0) | (dtype == NN_F16 ? 12u << 10 : 124u << 7) |
                           (uint32_t)(x * x * (dtype == NN_F16 ? 1023.0f : 127.0f)));
    }
    return (float *)(void *)to;
}

/* Masks of f32 are broadcast in every way. Their gradients are sums. */
static float *nn__cases_attention_bias(nn__self_test *test, nn_view *view, bool output, int flags,
                                       int i, const int *extent) {
    const int N = extent[0], H = extent[1], L = extent[2], S = extent[3];
    if (!(flags & NN__CASE_SHARED)) return nn__self_test_numbers(test, view, output, 1, H, L, S);
    return i % 3 == 0   ? nn__self_test_numbers(test, view, output, 1, 1, 1, S)
           : i % 3 == 1 ? nn__self_test_numbers(test, view, output, N, 1, L, 1)
                        : nn__self_test_numbers(test, view, output, N, H, 1, S);
}

/* Fills the masks. `hidden`: this key of every sample is masked for all queries. */
static void nn__cases_attention_masks(nn__self_test *test, nn_attention_args *args, int flags,
                                      int i, const int *extent, int hidden) {
    const int N = extent[0], L = extent[2], S = extent[3];
    if (flags & NN__CASE_LENGTHS) {
        int32_t *lengths = nn__self_test_labels(test, &args->lengths, 1, N, 0);
        for (int n = 0; n < N; n++) lengths[n] = n % 3 == 2 ? 0 : S - 1 - n % 3 * (S / 2);
        if (flags & NN__CASE_WRONG) lengths[N - 1] = S + 1;
    }
    if (flags & NN__CASE_POSITIONS) {
        int32_t *positions = nn__self_test_labels(test, &args->positions, 1, N, 0);
        for (int n = 0; n < N; n++) positions[n] = n * 3 % (S - L + 1);
    }
    if (flags & NN__CASE_STARTS) { /* texts of different lengths, and rows in no order */
        int32_t *starts = nn__self_test_labels(test, &args->starts, 1, N, L);
        for (int c = 0; c < N * L; c++) {
            const int row = c % L, each = 7 + 13 * (c / L);
            starts[c] = row % 11 == 9 ? (row * 5 + 3) % S : row / each * each;
        }
        if (flags & NN__CASE_WRONG) starts[N * L - 1] = -1, starts[0] = S + 1;
    }
    if (flags & NN__CASE_MASK) {
        float *mask = nn__cases_attention_bias(test, &args->mask, false, flags, i, extent);
        for (int64_t k = 0; k < nn__count(&args->mask); k++)
            if (k % 5 == 2 || k % S == hidden) mask[k] = -INFINITY;
    }
    if (flags & NN__CASE_TAKES) {
        uint8_t *mask = nn__self_test_pixels(test, &args->mask, N, 1, L, S);
        for (int64_t k = 0; k < nn__count(&args->mask); k++)
            mask[k] = (uint8_t)((k % 3 ? 0 : 255) * (k % S != hidden));
        memset(mask, 0, (size_t)S); /* the first query has no keys */
    }
}

static bool nn__cases_of_attention(nn__self_test *test, int i) {
    static const struct {
        short N, H, K, L, S, E, V, window, flags;
    } cases[] = {
        {1, 1, 1, 1, 1, 1, 1, 0, 0},
        {2, 3, 3, 5, 7, 8, 8, 0, NN__CASE_CAUSAL},
        {2, 4, 2, 9, 9, 16, 5, 0, NN__CASE_CAUSAL | NN__CASE_INSIDE},
        {3, 2, 2, 6, 11, 3, 7, 0, NN__CASE_LENGTHS | NN__CASE_NAN},
        {4, 2, 1, 3, 20, 24, 16, 0, NN__CASE_CAUSAL | NN__CASE_POSITIONS | NN__CASE_INSIDE},
        {1, 3, 3, 67, 70, 13, 17, 9, NN__CASE_CAUSAL | NN__CASE_ALIBI},
        {1, 2, 1, 66, 65, 5, 4, 6, 0},
        {1, 2, 1, 37, 34, 32, 18, 0, NN__CASE_MASK | NN__CASE_NAN},
        {2, 2, 2, 13, 71, 9, 6, 0, NN__CASE_TAKES | NN__CASE_INSIDE | NN__CASE_NAN},
        {2, 3, 1, 10, 17, 7, 9, 0, NN__CASE_DROPOUT | NN__CASE_CAUSAL},
        {1, 2, 2, 1, 131, 40, 33, 0, NN__CASE_F16},
        {1, 3, 1, 1, 262, 27, 107, 0,
         NN__CASE_F16 | NN__CASE_BF16 | NN__CASE_INSIDE | NN__CASE_LENGTHS},
        {2, 4, 2, 2, 69, 11, 19, 0, NN__CASE_F16 | NN__CASE_BF16 | NN__CASE_LENGTHS},
        {1, 1, 1, 131, 150, 6, 5, 0, NN__CASE_CAUSAL},
        {1, 3, 1, 140, 129, 4, 3, 0, NN__CASE_BF16 | NN__CASE_ALIBI | NN__CASE_INSIDE},
        {2, 1, 1, 4, 6, 2, 3, 0, NN__CASE_LENGTHS | NN__CASE_WRONG},
        {1, 2, 1, 19, 23, 70, 66, 0, NN__CASE_CAUSAL},
        {2, 2, 1, 2, 40, 9, 21, 37, NN__CASE_TAKES | NN__CASE_ALIBI | NN__CASE_NAN},
        {1, 2, 2, 3, 270, 8, 8, 0, NN__CASE_MASK | NN__CASE_CAUSAL | NN__CASE_NAN},
        {1, 1, 1, 5, 35, 260, 300, 0, NN__CASE_LENGTHS | NN__CASE_NAN},
        {2, 4, 2, 75, 75, 9, 6, 0, NN__CASE_STARTS | NN__CASE_CAUSAL | NN__CASE_INSIDE},
        {2, 2, 1, 140, 140, 5, 4, 12, NN__CASE_STARTS | NN__CASE_CAUSAL | NN__CASE_ALIBI},
        {3, 2, 2, 3, 50, 6, 8, 0,
         NN__CASE_STARTS | NN__CASE_CAUSAL | NN__CASE_POSITIONS | NN__CASE_WRONG},
        {1, 2, 1, 34, 40, 11, 7, 0,
         NN__CASE_STARTS | NN__CASE_TAKES | NN__CASE_LENGTHS | NN__CASE_NAN},
        {1, 2, 2, 21, 21, 5, 6, 0, NN__CASE_STARTS | NN__CASE_DROPOUT | NN__CASE_CAUSAL},
        {2, 2, 1, 70, 75, 6, 5, 9, NN__CASE_MASK | NN__CASE_SHARED | NN__CASE_CAUSAL},
        {3, 2, 2, 67, 40, 7, 3, 0,
         NN__CASE_MASK | NN__CASE_SHARED | NN__CASE_INSIDE | NN__CASE_LENGTHS | NN__CASE_BF16},
        {2, 2, 2, 9, 130, 4, 6, 0, NN__CASE_MASK | NN__CASE_SHARED | NN__CASE_DROPOUT},
        {2, 4, 1, 75, 75, 5, 4, 0,
         NN__CASE_MASK | NN__CASE_STARTS | NN__CASE_CAUSAL | NN__CASE_INSIDE}};
    const bool forward = test->kernel == NN_KERNEL_ATTENTION_FORWARD;
    nn_attention_args *args = &test->args.attention_forward; /* both kernels use one struct */
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, H = cases[i].H, K = cases[i].K, L = cases[i].L, S = cases[i].S,
              E = cases[i].E, V = cases[i].V, flags = cases[i].flags;
    const int extent[4] = {N, H, L, S};
    const bool in = (flags & NN__CASE_INSIDE) != 0;
    const int32_t k[4] = {N, in ? S : K, in ? K : S, E}, v[4] = {N, k[1], k[2], V};
    args->heads_inside = in;
    args->causal = (flags & NN__CASE_CAUSAL) != 0;
    args->alibi = (flags & NN__CASE_ALIBI) != 0;
    args->window = cases[i].window;
    args->offset = i % 4 == 2 ? S - L : 0;
    args->scale = 0.75f;
    args->step = 77;
    if (flags & NN__CASE_DROPOUT) args->dropout = 0.3f, args->seed = 5, args->stream = 9;
    nn__self_test_numbers(test, &args->q, false, N, in ? L : H, in ? H : L, E);
    float *key =
        nn__cases_attention_rows(test, &args->k, flags & NN__CASE_F16 ? NN_F16 : NN_F32, k);
    float *value =
        nn__cases_attention_rows(test, &args->v, flags & NN__CASE_BF16 ? NN_BF16 : NN_F32, v);
    nn__cases_attention_masks(test, args, flags, i, extent, S - 1);
    if (flags & NN__CASE_NAN) { /* the last key of sample 0 is hidden */
        const int64_t row = in ? (int64_t)(S - 1) * K : (S - 1);
        key[row * E] = NAN;
        value[row * V] = INFINITY;
    }
    nn__self_test_numbers(test, &args->y, forward, N, in ? L : H, in ? H : L, V);
    float *log_sum = nn__self_test_numbers(test, &args->log_sum, forward, N, H, L, 0);
    if (forward) {
        nn__self_test_status(test, &args->status, false);
    } else {
        for (int64_t c = 0; c < nn__count(&args->log_sum); c++)
            log_sum[c] = c % 7 == 5 ? INFINITY : log_sum[c] + 3.0f;
        nn__self_test_numbers(test, &args->dy, false, N, in ? L : H, in ? H : L, V);
        if ((flags & NN__CASE_MASK) && i != 7)
            nn__cases_attention_bias(test, &args->dmask, true, flags, i, extent);
        if (i % 5 != 1) nn__self_test_numbers(test, &args->dq, true, N, in ? L : H, in ? H : L, E);
        if (i % 5 != 2) nn__self_test_numbers(test, &args->dk, true, k[0], k[1], k[2], E);
        if (i % 5 != 3) nn__self_test_numbers(test, &args->dv, true, v[0], v[1], v[2], V);
    }
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) on %d keys of %d heads, %d, %x", N,
               H, L, E, S, K, V, (unsigned)flags);
    return true;
}

static bool nn__cases_attention_forward(nn__self_test *test, int i) {
    return nn__cases_of_attention(test, i);
}
static bool nn__cases_attention_backward(nn__self_test *test, int i) {
    return nn__cases_of_attention(test, i);
}

#endif
