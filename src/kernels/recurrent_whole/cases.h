/* kernels/recurrent_whole/cases.h - small test cases of whole recurrent layers for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_recurrent_whole(nn__self_test *test, int i) {
    static const struct {
        /* has: bits: 1 biases, 2 a given state, 4 the final state is written, 8 a separate c0
           (lstm) */
        short N, T, C, H, O, has;
        nn_recurrent_cell cell;
        bool reverse;
    } cases[] = {{1, 5, 1, 8, 1, 7, NN_RECURRENT_LSTM, false},
                 {3, 4, 2, 17, 0, 5, NN_RECURRENT_LSTM, true},
                 {1, 3, 33, 9, 3, 15, NN_RECURRENT_LSTM, false},
                 {2, 1, 5, 33, 8, 2, NN_RECURRENT_LSTM, false},
                 {1, 2, 1, 67, 1, 7, NN_RECURRENT_LSTM, false},
                 {1, 1, 1, 1, 1, 7, NN_RECURRENT_LSTM, false},
                 {1, 6, 1, 16, 1, 7, NN_RECURRENT_GRU, false},
                 {4, 3, 3, 31, 0, 7, NN_RECURRENT_GRU, true},
                 {1, 2, 128, 7, 2, 0, NN_RECURRENT_GRU, false},
                 {1, 3, 2, 65, 5, 4, NN_RECURRENT_GRU, false},
                 {2, 5, 1, 7, 1, 7, NN_RECURRENT_TANH, false},
                 {1, 4, 4, 40, 0, 1, NN_RECURRENT_TANH, true},
                 {3, 3, 2, 19, 2, 6, NN_RECURRENT_RELU, false}};
    nn_recurrent_whole_args *args = &test->args.recurrent_whole;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, T = cases[i].T, C = cases[i].C, H = cases[i].H, O = cases[i].O,
              has = cases[i].has;
    const bool lstm = cases[i].cell == NN_RECURRENT_LSTM, apart = (has & 8) != 0;
    const int gates = H * NN_RECURRENT_GATES(cases[i].cell), width = lstm ? 2 * H : H;
    args->cell = cases[i].cell;
    args->reverse = cases[i].reverse;
    nn__self_test_numbers(test, &args->y, true, N, T, O ? O : H, 0);
    if (has & 4) nn__self_test_numbers(test, &args->state, true, N, width, 0, 0);
    nn__self_test_numbers(test, &args->x, false, N, T, C, 0);
    float *input = nn__self_test_numbers(test, &args->input, false, gates, C, 0, 0);
    float *weight = nn__self_test_numbers(test, &args->weight, false, gates, H, 0, 0);
    /* small enough that errors do not grow */
    for (int k = 0; k < gates * C; k++) input[k] *= 2.0f / (float)C;
    for (int k = 0; k < gates * H; k++) weight[k] *= 2.0f / (float)H;
    if (has & 1) nn__self_test_numbers(test, &args->input_bias, false, gates, 0, 0, 0);
    if (has & 1) nn__self_test_numbers(test, &args->bias, false, gates, 0, 0, 0);
    if (O) nn__self_test_numbers(test, &args->head, false, O, H, 0, 0);
    if (O && (has & 1)) nn__self_test_numbers(test, &args->head_bias, false, O, 0, 0, 0);
    if (has & 2) nn__self_test_numbers(test, &args->h0, false, N, apart ? H : width, 0, 0);
    if (apart) nn__self_test_numbers(test, &args->c0, false, N, H, 0, 0);
    nn__format(test->what, sizeof test->what, "cell %d, (%d, %d, %d), %d wide, head of %d%s",
               (int)args->cell, N, T, C, H, O, args->reverse ? ", reverse" : "");
    return true;
}

#endif
