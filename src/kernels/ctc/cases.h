/* kernels/ctc/cases.h - small test cases of connectionist temporal classification for nn_self_test
   and tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_of_ctc(nn__self_test *test, int i) {
    static const struct {
        short T, N, C, S, wrong; /* wrong: 1 a target, 2 the blank as target, 3 a length */
    } cases[] = {{9, 5, 4, 3, 0}, {1, 1, 2, 1, 0},    {17, 3, 7, 70, 0}, {31, 2, 130, 9, 0},
                 {6, 4, 3, 2, 1}, {6, 4, 3, 2, 2}, {6, 4, 3, 2, 3}};
    const bool forward = test->kernel == NN_KERNEL_CTC_FORWARD;
    nn_ctc_args *args = &test->args.ctc_forward; /* both kernels use one struct */
    if (i >= 2 * NN__COUNT(cases)) return false;
    const int T = cases[i / 2].T, N = cases[i / 2].N, C = cases[i / 2].C, S = cases[i / 2].S;
    float *x = nn__self_test_numbers(test, &args->log_probabilities, false, T, N, C, 0);
    for (int64_t k = 0; k < nn__count(&args->log_probabilities); k++) x[k] = 2.0f * x[k] - 2.0f;
    int32_t *targets = nn__self_test_labels(test, &args->targets, C - 1, N, S);
    int32_t *lengths = nn__self_test_labels(test, &args->input_lengths, 1, N, 0);
    int32_t *counts = nn__self_test_labels(test, &args->target_lengths, 1, N, 0);
    args->blank = i % 2 ? C - 1 : 0;
    args->zero_infinity = i % 4 > 1;
    args->step = 77;
    for (int k = 0; k < N * S; k++) targets[k] += args->blank == 0;
    for (int n = 0; n < N; n++) {
        lengths[n] = n % 4 == 3 ? n % 8 / 4 : T - n % 3; /* some are too short for their targets */
        if (lengths[n] < 0) lengths[n] = 0;
        counts[n] = n % 5 == 1 ? 0 : S - n % 2;
    }
    if (N > 1 && S > 1) targets[2 * S + 1 < N * S ? 2 * S + 1 : 1] = targets[S];
    if (cases[i / 2].wrong == 1) targets[0] = C;
    if (cases[i / 2].wrong == 2) targets[2 * S] = args->blank;
    if (cases[i / 2].wrong == 3) lengths[0] = T + 1, counts[2] = S + 1;
    if (forward) {
        nn__self_test_numbers(test, &args->loss, true, N, 0, 0, 0);
        nn__self_test_status(test, &args->status, false);
    } else {
        nn__self_test_numbers(test, &args->dlog_probabilities, true, T, N, C, 0);
        nn__self_test_numbers(test, &args->dloss, false, N, 0, 0, 0);
    }
    nn__format(test->what, sizeof test->what, "(%d, %d, %d), %d targets, blank %d%s%s", T, N, C, S,
               (int)args->blank, args->zero_infinity ? ", zero_infinity" : "",
               cases[i / 2].wrong ? ", some wrong" : "");
    return true;
}

static bool nn__cases_ctc_forward(nn__self_test *test, int i) { return nn__cases_of_ctc(test, i); }
static bool nn__cases_ctc_backward(nn__self_test *test, int i) { return nn__cases_of_ctc(test, i); }

#endif
