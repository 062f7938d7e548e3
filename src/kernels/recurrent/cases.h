/* kernels/recurrent/cases.h - small test cases of lstm, gru and rnn for nn_self_test,
   tests/kernels/test_backends.c and the benchmark. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

typedef struct nn__recurrent_case {
    short N, T, H, P; /* P 0: no projection */
    nn_recurrent_cell cell;
    bool reverse, begins, lengths, wrong, bias; /* begins: h0 and c0 are given */
    bool joined; /* an lstm's h0 has the cells after the states */
} nn__recurrent_case;

static const nn__recurrent_case *nn__recurrent_case_at(int i) {
    static const nn__recurrent_case cases[] = {
        {5, 4, 7, 0, NN_RECURRENT_LSTM, false, false, false, false, true, false},
        {1, 3, 9, 0, NN_RECURRENT_LSTM, true, true, false, false, true, false},
        {9, 5, 8, 3, NN_RECURRENT_LSTM, false, true, true, false, false, false},
        {2, 3, 5, 4, NN_RECURRENT_LSTM, true, false, true, false, true, false},
        {18, 3, 17, 0, NN_RECURRENT_LSTM, true, true, true, false, true, false},
        {6, 4, 7, 0, NN_RECURRENT_GRU, false, false, false, false, true, false},
        {3, 5, 33, 0, NN_RECURRENT_GRU, true, true, true, false, true, false},
        {1, 1, 1, 0, NN_RECURRENT_GRU, false, true, false, false, false, false},
        {4, 4, 11, 0, NN_RECURRENT_TANH, false, true, true, false, true, false},
        {5, 3, 6, 0, NN_RECURRENT_RELU, true, false, false, false, true, false},
        {3, 2, 90, 0, NN_RECURRENT_GRU, false, true, false, false, true, false}, /* deep products */
        {3, 2, 2, 300, NN_RECURRENT_LSTM, false, true, false, false, true, false},
        {6, 3, 4, 0, NN_RECURRENT_TANH, false, false, true, true, true, false},
        /* enough samples and steps for copies of the weight */
        {12, 3, 67, 0, NN_RECURRENT_LSTM, false, true, false, false, true, false},
        {17, 2, 5, 3, NN_RECURRENT_LSTM, true, false, false, false, true, false},
        {3, 4, 6, 0, NN_RECURRENT_LSTM, false, true, false, false, true, true},
        {6, 2, 9, 5, NN_RECURRENT_LSTM, false, true, true, false, true, true},
    };
    return i < NN__COUNT(cases) ? &cases[i] : NULL;
}

/* Fills in the number of steps of each sample: all, none, one ... */
static void nn__recurrent_case_lengths(nn__self_test *test, nn_view *view,
                                       const nn__recurrent_case *c) {
    if (!c->lengths) return;
    int32_t *lengths = nn__self_test_labels(test, view, 1, c->N, 0);
    for (int n = 0; n < c->N; n++)
        lengths[n] = n % 4 == 0 ? c->T : n % 4 == 1 ? 0 : n % 4 == 2 ? 1 : c->T - 1;
    if (c->wrong) lengths[1] = -1, lengths[3] = c->T + 1;
}

static void nn__recurrent_case_what(nn__self_test *test, const nn__recurrent_case *c) {
    static const char *const cells[] = {"tanh", "relu", "gru", "lstm"};
    nn__format(test->what, sizeof test->what, "%s, %d samples, %d steps, %d wide%s%s%s%s",
               cells[c->cell], (int)c->N, (int)c->T, (int)c->H, c->P ? ", projected" : "",
               c->reverse ? ", reverse" : "", c->begins ? ", given state" : "",
               c->lengths ? ", lengths" : "");
}

static bool nn__cases_recurrent_forward(nn__self_test *test, int i) {
    const nn__recurrent_case *c = nn__recurrent_case_at(i / 2);
    nn_recurrent_args *args = &test->args.recurrent_forward;
    if (!c) return false;
    const bool keeps = i % 2 == 0, lstm = c->cell == NN_RECURRENT_LSTM;
    const int N = c->N, T = c->T, H = c->H, P = c->P ? c->P : H,
              gates = H * NN_RECURRENT_GATES(c->cell), kinds = NN_RECURRENT_KEPT(c->cell);
    args->cell = c->cell;
    args->reverse = c->reverse;
    args->step = 77;
    nn__self_test_numbers(test, &args->y, true, N, T, P, 0);
    if (keeps || c->begins)
        nn__self_test_numbers(test, &args->state, true, N, P + (lstm ? H : 0), 0, 0);
    if (keeps && kinds) nn__self_test_numbers(test, &args->kept, true, N, T, kinds * H, 0);
    if (keeps && c->P) nn__self_test_numbers(test, &args->raw, true, N, T, H, 0);
    nn__self_test_numbers(test, &args->x, false, N, T, gates, 0);
    float *weight = nn__self_test_numbers(test, &args->weight, false, gates, P, 0, 0);
    /* small enough that errors do not grow */
    for (int k = 0; k < gates * P; k++) weight[k] *= 2.0f / (float)P;
    if (c->bias) nn__self_test_numbers(test, &args->bias, false, gates, 0, 0, 0);
    if (c->P) nn__self_test_numbers(test, &args->projection, false, P, H, 0, 0);
    nn__recurrent_case_lengths(test, &args->lengths, c);
    if (c->begins)
        nn__self_test_numbers(test, &args->h0, false, N, c->joined ? P + H : P, 0, 0);
    if (c->begins && lstm && !c->joined)
        nn__self_test_numbers(test, &args->c0, false, N, H, 0, 0);
    if (c->lengths) nn__self_test_status(test, &args->status, false);
    nn__recurrent_case_what(test, c);
    return true;
}

/* The kept numbers need not come from a forward pass: any gates will do. */
static bool nn__cases_recurrent_backward(nn__self_test *test, int i) {
    const nn__recurrent_case *c = nn__recurrent_case_at(i / 2);
    nn_recurrent_backward_args *args = &test->args.recurrent_backward;
    if (!c) return false;
    const bool lstm = c->cell == NN_RECURRENT_LSTM, both = i % 2 == 0;
    const int N = c->N, T = c->T, H = c->H, P = c->P ? c->P : H,
              gates = H * NN_RECURRENT_GATES(c->cell), kinds = NN_RECURRENT_KEPT(c->cell),
              width = P + (lstm ? H : 0);
    args->cell = c->cell;
    args->reverse = c->reverse;
    nn__self_test_numbers(test, &args->dhidden, true, N, T, gates, 0);
    if (c->cell == NN_RECURRENT_GRU && both)
        nn__self_test_numbers(test, &args->dx, true, N, T, gates, 0);
    if (both || c->lengths) nn__self_test_numbers(test, &args->before, true, N, T, P, 0);
    if (c->P && both) nn__self_test_numbers(test, &args->dprojected, true, N, T, P, 0);
    if (c->begins) nn__self_test_numbers(test, &args->dstate0, true, N, width, 0, 0);
    if (both || !c->begins) nn__self_test_numbers(test, &args->dy, false, N, T, P, 0);
    if (both || c->begins) nn__self_test_numbers(test, &args->dstate, false, N, width, 0, 0);
    if (kinds) nn__self_test_numbers(test, &args->kept, false, N, T, kinds * H, 0);
    nn__self_test_numbers(test, &args->y, false, N, T, P, 0);
    float *weight = nn__self_test_numbers(test, &args->weight, false, gates, P, 0, 0);
    for (int k = 0; k < gates * P; k++) weight[k] *= 4.0f / (float)gates;
    if (c->P) nn__self_test_numbers(test, &args->projection, false, P, H, 0, 0);
    nn__recurrent_case_lengths(test, &args->lengths, c);
    if (c->begins)
        nn__self_test_numbers(test, &args->h0, false, N, c->joined ? P + H : P, 0, 0);
    if (c->begins && lstm && !c->joined)
        nn__self_test_numbers(test, &args->c0, false, N, H, 0, 0);
    nn__recurrent_case_what(test, c);
    return true;
}

#endif
