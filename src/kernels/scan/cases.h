/* kernels/scan/cases.h - small test cases of running sums, products and extremes, for nn_self_test
   and tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#include <math.h>

#ifndef NN_NO_REPORTS

typedef struct nn__scan_case {
    short a, b, c, axis;
} nn__scan_case;

static inline NN__UNUSED const nn__scan_case *nn__scan_case_of(int i) {
    static const nn__scan_case cases[] = {
        {7, 0, 0, 0}, {3, 130, 5, 1}, {97, 2, 67, 0}, {2, 5, 1031, 2}, {1, 1, 1, 1}};
    return i < NN__COUNT(cases) ? &cases[i] : NULL;
}

static inline NN__UNUSED const char *nn__scan_words(nn_scan kind) {
    static const char *const words[] = {"sums", "products", "logarithms of sums", "largest",
                                        "smallest"};
    return words[kind];
}

/* Sums in both directions, then the other kinds on some of the shapes; extremes in both
   directions. */
static bool nn__cases_scan(nn__self_test *test, int i) {
    nn_scan_args *args = &test->args.scan;
    const nn__scan_case *one = nn__scan_case_of(i < 10 ? i / 2 : (i - 10) % 4);
    const int other = (i - 10) / 4;
    if (i >= 10 + 6 * 4) return false;
    args->axis = one->axis;
    args->reverse = i % 2 == (i < 10 || other < 4);
    args->kind = i < 10 ? NN_SCAN_SUM : (nn_scan)(other < 4 ? 1 + other : other - 1);
    nn__self_test_numbers(test, &args->y, true, one->a, one->b, one->c, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, one->a, one->b, one->c, 0);
    if (args->kind >= NN_SCAN_MAX) {
        nn__self_test_view_of(test, &args->index, true, NN_I32, one->a, one->b, one->c, 0);
        for (int64_t k = 0; k < nn__count(&args->x); k++) /* ties, and an occasional NaN */
            x[k] = k % 977 == 976 ? NAN : x[k] > 0.75f ? 0.75f : x[k] < -0.75f ? -0.75f : x[k];
    }
    nn__format(test->what, sizeof test->what, "%s of (%d, %d, %d) along axis %d%s",
               nn__scan_words(args->kind), one->a, one->b, one->c, args->axis,
               args->reverse ? ", from the end" : "");
    return true;
}

static bool nn__cases_scan_backward(nn__self_test *test, int i) {
    nn_scan_backward_args *args = &test->args.scan_backward;
    const nn__scan_case *one = nn__scan_case_of(i / 2);
    if (!one) return false;
    args->axis = one->axis;
    args->kind = i % 2 ? NN_SCAN_PRODUCT : NN_SCAN_LOGSUMEXP;
    nn__self_test_numbers(test, &args->dx, true, one->a, one->b, one->c, 0);
    nn__self_test_numbers(test, &args->dy, false, one->a, one->b, one->c, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, one->a, one->b, one->c, 0);
    float *y = nn__self_test_numbers(test, &args->y, false, one->a, one->b, one->c, 0);
    for (int64_t k = 0; k < nn__count(&args->x) && i % 2 == 0; k++)
        y[k] += x[k] + 1.0f + (float)(k % 7) * 0.1f; /* at least x, but not an exact running sum */
    nn__format(test->what, sizeof test->what, "%s of (%d, %d, %d) along axis %d",
               nn__scan_words(args->kind), one->a, one->b, one->c, args->axis);
    return true;
}

#endif
