/* kernels/stream/cases.h - small test cases of streams for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

typedef struct nn__stream_case {
    short N, C, K, Y, R, stride, dilation, groups;
    char way, state, bias, activation;
} nn__stream_case;

static const nn__stream_case *nn__stream_case_at(int i) {
    static const nn__stream_case cases[] = {
        {1, 1, 1, 1, 1, 1, 1, 1, NN_STREAM_CONV, 0, 0, NN_ACTIVATION_NONE},
        {2, 3, 5, 37, 3, 1, 1, 1, NN_STREAM_CONV, 1, 1, NN_ACTIVATION_TANH},
        {3, 4, 6, 9, 3, 1, 7, 2, NN_STREAM_CONV, 1, 1, NN_ACTIVATION_NONE},
        {1, 2, 7, 20, 5, 3, 2, 1, NN_STREAM_CONV, 1, 0, NN_ACTIVATION_RELU},
        {2, 5, 5, 150, 4, 1, 3, 5, NN_STREAM_CONV, 0, 1, NN_ACTIVATION_SIGMOID},
        {1, 8, 16, 1, 3, 1, 4, 1, NN_STREAM_CONV, 1, 1, NN_ACTIVATION_NONE},
        {2, 3, 3, 11, 4, 2, 1, 1, NN_STREAM_MAX, 1, 0, NN_ACTIVATION_NONE},
        {1, 2, 2, 40, 3, 1, 5, 1, NN_STREAM_MAX, 1, 0, NN_ACTIVATION_NONE},
        {2, 2, 2, 6, 3, 3, 1, 1, NN_STREAM_MAX, 0, 0, NN_ACTIVATION_NONE},
        {2, 3, 3, 11, 5, 2, 1, 1, NN_STREAM_AVERAGE, 1, 0, NN_ACTIVATION_NONE},
        {3, 1, 1, 7, 6, 1, 1, 1, NN_STREAM_AVERAGE_INSIDE, 1, 0, NN_ACTIVATION_NONE},
        {1, 4, 4, 5, 4, 1, 1, 1, NN_STREAM_AVERAGE_INSIDE, 0, 0, NN_ACTIVATION_NONE}};
    return i < NN__COUNT(cases) ? &cases[i] : NULL;
}

static int nn__stream_case_memory(const nn__stream_case *c) {
    return (c->R - 1) * c->dilation - (c->stride - 1);
}

/* Fills a state with a different place and count for each sample. */
static void nn__stream_case_state(nn__self_test *test, nn_view *view, bool output, int N, int C,
                                  int M) {
    float *state =
        nn__self_test_numbers(test, view, output, N, NN_STREAM_STATE(C, M), 0, 0);
    for (int n = 0; n < N; n++) {
        state[n * NN_STREAM_STATE(C, M)] = (float)((n * 5 + 3) % M);
        state[n * NN_STREAM_STATE(C, M) + 1] = (float)(n % 2 ? M : M / 2);
    }
}

static void nn__stream_case_what(nn__self_test *test, const nn__stream_case *c) {
    static const char *const ways[] = {"convolution", "maximum", "average", "average inside"};
    nn__format(test->what, sizeof test->what,
               "%s of %d x %d channels to %d, %d outputs, kernel %d, stride %d, dilation %d%s",
               ways[(int)c->way], c->N, c->C, c->K, c->Y, c->R, c->stride, c->dilation,
               c->state ? ", with a state" : "");
}

static bool nn__cases_stream_forward(nn__self_test *test, int i) {
    const nn__stream_case *c = nn__stream_case_at(i);
    nn_stream_args *args = &test->args.stream_forward;
    if (!c) return false;
    const int M = nn__stream_case_memory(c);
    args->kernel = c->R;
    args->stride = c->stride;
    args->dilation = c->dilation;
    args->groups = c->groups;
    args->way = (nn_stream_way)c->way;
    args->epilogue.activation = (nn_activation)c->activation;
    nn__self_test_numbers(test, &args->y, true, c->N, c->K, c->Y, 0);
    nn__self_test_numbers(test, &args->x, false, c->N, c->C, c->Y * c->stride, 0);
    if (c->way == NN_STREAM_CONV)
        nn__self_test_numbers(test, &args->weight, false, c->K, c->C / c->groups, c->R, 0);
    if (c->state && M) nn__stream_case_state(test, &args->state, false, c->N, c->C, M);
    if (c->bias) nn__self_test_numbers(test, &args->epilogue.bias, false, c->K, 0, 0, 0);
    nn__stream_case_what(test, c);
    return true;
}

/* Pushes blocks that are shorter than the ring, as long, and longer. */
static bool nn__cases_stream_push(nn__self_test *test, int i) {
    static const struct {
        short N, C, L, M;
        bool status, faulty;
    } cases[] = {{1, 1, 1, 1, false, false},  {3, 2, 5, 7, true, false},
                 {2, 4, 8, 8, false, false},  {2, 3, 40, 9, false, false},
                 {1, 2, 1, 12, false, false}, {2, 3, 4, 6, true, true}};
    nn_stream_push_args *args = &test->args.stream_push;
    if (i >= NN__COUNT(cases)) return false;
    nn__stream_case_state(test, &args->state, true, cases[i].N, cases[i].C, cases[i].M);
    nn__self_test_numbers(test, &args->x, false, cases[i].N, cases[i].C, cases[i].L, 0);
    if (cases[i].status) nn__self_test_status(test, &args->status, cases[i].faulty);
    nn__format(test->what, sizeof test->what, "%d x %d blocks of %d into rings of %d%s",
               cases[i].N, cases[i].C, cases[i].L, cases[i].M,
               cases[i].faulty ? ", after a fault" : "");
    return true;
}

static bool nn__cases_stream_backward(nn__self_test *test, int i) {
    const nn__stream_case *c = nn__stream_case_at(i);
    nn_stream_backward_args *args = &test->args.stream_backward;
    if (!c) return false;
    const int M = nn__stream_case_memory(c), L = c->Y * c->stride;
    args->kernel = c->R;
    args->stride = c->stride;
    args->dilation = c->dilation;
    args->groups = c->groups;
    args->way = (nn_stream_way)c->way;
    if (c->way == NN_STREAM_CONV)
        nn__self_test_numbers(test, &args->dweight, true, c->K, c->C / c->groups, c->R, 0);
    else
        nn__self_test_numbers(test, &args->dx, true, c->N, c->C, L, 0);
    nn__self_test_numbers(test, &args->dy, false, c->N, c->K, c->Y, 0);
    nn__self_test_numbers(test, &args->x, false, c->N, c->C, L, 0);
    if (c->state && M) nn__stream_case_state(test, &args->state, false, c->N, c->C, M);
    nn__stream_case_what(test, c);
    return true;
}

#endif
