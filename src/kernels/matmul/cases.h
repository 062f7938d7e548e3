/* kernels/matmul/cases.h - small test cases of matrix products for nn_self_test. No shape is a
   multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Fills a view with numbers of f16 or bf16 between 1/16 and 1, of either sign. */
static void nn__cases_halves(nn__self_test *test, nn_view *view, nn_dtype dtype, int a, int b,
                             int c) {
    uint16_t *to =
        (uint16_t *)(void *)nn__self_test_view_of(test, view, false, dtype, a, b, c, 0);
    for (int64_t i = 0; i < nn__count(view); i++) {
        uint32_t words[4], low = dtype == NN_F16 ? 11u << 10 : 123u << 7;
        nn_random_words(19, 4, test->counter++, words);
        to[i] =
            (uint16_t)((words[0] & 0x8000u) | (low + words[1] % (dtype == NN_F16 ? 4096 : 512)));
    }
}

/* Fills a view with i8 numbers except -128, which 8-bit weights do not contain. */
static void nn__cases_bytes(nn__self_test *test, nn_view *view, int a, int b, int c) {
    int8_t *to = (int8_t *)nn__self_test_view_of(test, view, false, NN_I8, a, b, c, 0);
    for (int64_t i = 0; i < nn__count(view); i++) {
        uint32_t words[4];
        nn_random_words(19, 4, test->counter++, words);
        to[i] = (int8_t)((int)(words[0] % 255) - 127);
    }
}

static void nn__cases_matrices(nn__self_test *test, nn_view *view, nn_dtype dtype, int count, int a,
                               int b) {
    if (dtype == NN_I8)
        nn__cases_bytes(test, view, count, a, b);
    else if (dtype == NN_F32)
        nn__self_test_numbers(test, view, false, count, a, b, 0);
    else
        nn__cases_halves(test, view, dtype, count, a, b);
}

/* A batch is (outer, inner). These say along which of the two axes a or b differs. */
enum { NN__BATCH_BOTH, NN__BATCH_INNER, NN__BATCH_OUTER, NN__BATCH_ONE };

static int nn__cases_batch(int32_t *step, int outer, int inner, int has) {
    step[NN_GEMM_BATCH - 1] = has == NN__BATCH_BOTH || has == NN__BATCH_INNER;
    step[NN_GEMM_BATCH - 2] = has == NN__BATCH_BOTH ? inner : has == NN__BATCH_OUTER;
    return (has == NN__BATCH_BOTH || has == NN__BATCH_OUTER ? outer : 1) *
           (has == NN__BATCH_BOTH || has == NN__BATCH_INNER ? inner : 1);
}

static bool nn__cases_gemm(nn__self_test *test, int i) {
    static const struct {
        short m, n, k;
        char a, b, accumulate, bias, activation;
        char outer, inner, a_has, b_has;
        char a_type, b_type;
    } cases[] = {
        {5, 7, 3, 0, 0, 0, 1, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {37, 29, 41, 0, 1, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_F32},
        {33, 65, 17, 1, 0, 1, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {70, 66, 130, 0, 0, 0, 1, NN_ACTIVATION_GELU, 1, 1, 0, 0, NN_F32, NN_F32},
        {1, 50, 33, 0, 1, 0, 1, NN_ACTIVATION_TANH, 1, 1, 0, 0, NN_F32, NN_F32},
        {19, 1, 64, 1, 1, 0, 0, NN_ACTIVATION_SIGMOID, 1, 1, 0, 0, NN_F32, NN_F32},
        {129, 67, 40, 0, 1, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_F32},
        {64, 130, 65, 1, 1, 1, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {3, 5, 4, 0, 0, 0, 0, NN_ACTIVATION_NONE, 3, 5, 0, 0, NN_F32, NN_F32},
        {17, 33, 20, 0, 1, 1, 0, NN_ACTIVATION_NONE, 1, 7, 0, 0, NN_F32, NN_F32},
        {21, 40, 19, 0, 0, 0, 1, NN_ACTIVATION_RELU, 2, 3, NN__BATCH_INNER, NN__BATCH_OUTER, NN_F32,
         NN_F32},
        {9, 70, 66, 1, 0, 0, 0, NN_ACTIVATION_NONE, 4, 2, 0, NN__BATCH_ONE, NN_F32, NN_F32},
        {33, 34, 35, 1, 1, 0, 1, NN_ACTIVATION_TANH, 3, 2, NN__BATCH_ONE, 0, NN_F32, NN_F32},
        {1, 40, 300, 0, 1, 0, 1, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_BF16},
        {13, 37, 70, 0, 0, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F16, NN_F32},
        {70, 66, 65, 0, 1, 1, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F16},
        {66, 35, 130, 1, 0, 0, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_BF16, NN_F16},
        {8, 24, 90, 0, 1, 0, 1, NN_ACTIVATION_GELU, 2, 3, 0, NN__BATCH_OUTER, NN_F16, NN_BF16},
        {40, 70, 30, 1, 1, 0, 0, NN_ACTIVATION_NONE, 1, 3, 0, 0, NN_BF16, NN_BF16},
        {1, 107, 75, 0, 0, 1, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {1, 90, 69, 1, 0, 0, 1, NN_ACTIVATION_RELU, 1, 3, 0, 0, NN_F16, NN_BF16},
        {1, 37, 171, 0, 1, 0, 1, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_I8},
        {1, 107, 75, 0, 0, 1, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_I8},
        {3, 50, 90, 0, 1, 1, 0, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_I8},
        {70, 66, 65, 0, 1, 0, 1, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_I8},
        {41, 70, 130, 0, 0, 0, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_BF16, NN_I8},
        {8, 24, 90, 1, 0, 0, 1, NN_ACTIVATION_RELU, 2, 3, 0, NN__BATCH_OUTER, NN_I8, NN_F32},
        {65, 7, 45, 1, 0, 0, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {1, 77, 69, 0, 1, 1, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {43, 11, 29, 0, 1, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_F32},
        {35, 13, 29, 0, 0, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_F32},
        {1, 195, 141, 0, 0, 1, 1, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {3, 70, 129, 0, 0, 0, 1, NN_ACTIVATION_GELU, 1, 1, 0, 0, NN_F32, NN_BF16},
        {8, 40, 700, 0, 0, 1, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_F32},
        {7, 65, 290, 1, 0, 0, 0, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_BF16, NN_F16},
        {5, 33, 128, 0, 0, 0, 1, NN_ACTIVATION_TANH, 2, 3, 0, NN__BATCH_OUTER, NN_F32, NN_I8},
        {2, 21, 260, 0, 1, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_BF16},
        {7, 43, 131, 1, 1, 1, 0, NN_ACTIVATION_NONE, 1, 3, 0, 0, NN_F16, NN_F32},
        {39, 1, 262, 0, 0, 1, 1, NN_ACTIVATION_NONE, 1, 1, 0, 0, NN_F32, NN_F32},
        {50, 7, 133, 0, 0, 0, 1, NN_ACTIVATION_GELU, 1, 1, 0, 0, NN_I8, NN_F32},
        {6, 5, 401, 1, 0, 0, 0, NN_ACTIVATION_NONE, 2, 1, 0, 0, NN_F32, NN_F32},
        {1, 3, 4200, 0, 1, 0, 1, NN_ACTIVATION_RELU, 1, 1, 0, 0, NN_F32, NN_F32}};
    nn_gemm_args *args = &test->args.gemm;
    if (i >= NN__COUNT(cases)) return false;
    const int m = cases[i].m, n = cases[i].n, k = cases[i].k, outer = cases[i].outer,
              inner = cases[i].inner;
    args->m = m, args->n = n, args->k = k;
    args->transpose_a = cases[i].a;
    args->transpose_b = cases[i].b;
    args->accumulate = cases[i].accumulate;
    args->epilogue.activation = (nn_activation)cases[i].activation;
    if (outer * inner > 1) {
        args->batch[NN_GEMM_BATCH - 2] = outer;
        args->batch[NN_GEMM_BATCH - 1] = inner;
    }
    const int as = nn__cases_batch(args->a_batch, outer, inner, cases[i].a_has),
              bs = nn__cases_batch(args->b_batch, outer, inner, cases[i].b_has);
    nn__self_test_numbers(test, &args->y, true, outer * inner, m, n, 0);
    nn__cases_matrices(test, &args->a, (nn_dtype)cases[i].a_type, as, cases[i].a ? k : m,
                       cases[i].a ? m : k);
    nn__cases_matrices(test, &args->b, (nn_dtype)cases[i].b_type, bs, cases[i].b ? n : k,
                       cases[i].b ? k : n);
    if (cases[i].bias) nn__self_test_numbers(test, &args->epilogue.bias, false, n, 0, 0, 0);
    nn__format(test->what, sizeof test->what,
               "m %d, n %d, k %d%s%s%s, activation %d, batch %d x %d, %s by %s", m, n, k,
               cases[i].a ? ", a transposed" : "", cases[i].b ? ", b transposed" : "",
               cases[i].accumulate ? ", +=" : "", (int)cases[i].activation, outer, inner,
               nn_dtype_name(args->a.dtype), nn_dtype_name(args->b.dtype));
    return true;
}

#endif
