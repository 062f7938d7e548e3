/* kernels/nibble/cases.h - small test cases of products with 4-bit weights for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "kernels/matmul/cases.h"
#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Fills a weight (K, C / 2), its scales and, if wanted, its minimums. */
static void nn__cases_nibbles(nn__self_test *test, nn_view *weight, nn_view *scale,
                              nn_view *minimum, int K, int C, bool with_minimum) {
    uint8_t *to = (uint8_t *)nn__self_test_view_of(test, weight, false, NN_U8, K, C / 2, 0, 0);
    for (int64_t i = 0; i < nn__count(weight); i++) {
        uint32_t words[4];
        nn_random_words(23, 4, test->counter++, words);
        to[i] = (uint8_t)words[0];
    }
    nn__cases_halves(test, scale, NN_F16, K, C / 32, 0);
    if (with_minimum) nn__cases_halves(test, minimum, NN_F16, K, C / 32, 0);
}

static bool nn__cases_nibble_linear(nn__self_test *test, int i) {
    static const struct {
        short N, C, K, has; /* has: 1 minimums, 2 a bias */
    } cases[] = {{1, 32, 1, 0},   {1, 64, 33, 3},   {3, 96, 40, 2}, {4, 160, 17, 1}, {7, 512, 5, 0},
                 {1, 1056, 9, 3}, {13, 224, 70, 2}, {2, 768, 3, 1}, {1, 544, 65, 0}};
    nn_nibble_linear_args *args = &test->args.nibble_linear;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C, K = cases[i].K;
    nn__self_test_numbers(test, &args->y, true, N, K, 0, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, N, C, 0, 0);
    nn__cases_nibbles(test, &args->weight, &args->scale, &args->minimum, K, C, cases[i].has & 1);
    if (cases[i].has & 2) nn__self_test_numbers(test, &args->bias, false, K, 0, 0, 0);
    if (i % 3 == 1) /* a group of zeros, and one of numbers so small that they become 0 */
        for (int c = 0; c < 32; c++) x[c] = 0.0f, x[C - 1 - c] *= 1e-38f;
    nn__format(test->what, sizeof test->what, "(%d, %d) to %d%s%s", N, C, K,
               cases[i].has & 1 ? ", with minimums" : "", cases[i].has & 2 ? ", with a bias" : "");
    return true;
}

static bool nn__cases_nibble_floats(nn__self_test *test, int i) {
    static const short cases[][3] = {{1, 32, 0}, {5, 96, 1}, {13, 1024, 0}, {3, 544, 1}};
    nn_nibble_floats_args *args = &test->args.nibble_floats;
    if (i >= NN__COUNT(cases)) return false;
    const int K = cases[i][0], C = cases[i][1];
    nn__self_test_numbers(test, &args->y, true, K, C, 0, 0);
    nn__cases_nibbles(test, &args->weight, &args->scale, &args->minimum, K, C, cases[i][2] != 0);
    nn__format(test->what, sizeof test->what, "(%d, %d)%s", K, C,
               cases[i][2] ? ", with minimums" : "");
    return true;
}

#endif
