/* kernels/quantized/cases.h - small test cases of the quantised kernels for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "kernels/integer/cases.h"
#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static float *nn__cases_quantized_range(nn__self_test *test, nn_view *view, int i) {
    float *range = nn__self_test_numbers(test, view, false, 2, 0, 0, 0);
    range[0] = i % 2 ? 1.0f / 128.0f : 0.0078f;
    range[1] = i % 3 == 0 ? -128.0f : i % 3 == 1 ? 127.0f : -7.0f;
    return range;
}

static bool nn__cases_quantize_even(nn__self_test *test, int i) {
    static const short counts[] = {1, 7, 16, 1000, 17000};
    nn_quantize_even_args *args = &test->args.quantize_even;
    if (i >= NN__COUNT(counts)) return false;
    float *x = nn__self_test_numbers(test, &args->x, false, counts[i], 0, 0, 0);
    nn__cases_integer_bytes(test, &args->y, true, counts[i], 0, 0, 0);
    const float scale = nn__cases_quantized_range(test, &args->range, i)[0];
    if (counts[i] > 6) {
        x[0] = 2.5f * scale, x[1] = -2.5f * scale, x[2] = 1e30f, x[3] = -1e30f, x[4] = 0.5f * scale;
        x[5] = 1.5f * scale;
    }
    nn__format(test->what, sizeof test->what, "%d numbers", (int)counts[i]);
    return true;
}

static bool nn__cases_quantized_linear(nn__self_test *test, int i) {
    static const struct {
        short N, C, K, zero;
    } cases[] = {{1, 1, 1, 0}, {1, 37, 33, 0},  {13, 64, 40, 1}, {2, 3, 17, 1},
                 {7, 5, 3, 0}, {30, 100, 65, 0}, {1, 200, 9, 1}, {5, 31, 32, 0}};
    nn_quantized_linear_args *args = &test->args.quantized_linear;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C, K = cases[i].K;
    nn__self_test_numbers(test, &args->y, true, N, K, 0, 0);
    nn__cases_integer_bytes(test, &args->x, false, N, C, 0, 0);
    nn__cases_integer_bytes(test, &args->weight, false, K, C, 0, 0);
    nn__self_test_numbers(test, &args->scale, false, K, 0, 0, 0);
    nn__cases_quantized_range(test, &args->range, i);
    if (cases[i].zero) {
        int32_t *zero = nn__cases_integer_words(test, &args->weight_zero, K, 0);
        for (int k = 0; k < K; k++) zero[k] = nn__cases_integer_below(test, 256) - 128;
    }
    nn__format(test->what, sizeof test->what, "(%d, %d) to %d%s", N, C, K,
               cases[i].zero ? ", with zero points of the weight" : "");
    return true;
}

static bool nn__cases_quantized_conv2d(nn__self_test *test, int i) {
    static const struct {
        short N, C, H, W, K, R, S, stride, padding, dilation;
    } cases[] = {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1},  {2, 5, 6, 7, 17, 3, 3, 1, 1, 1},
                 {1, 16, 7, 7, 3, 3, 2, 2, 1, 1}, {2, 3, 4, 19, 5, 2, 3, 1, 2, 2},
                 {1, 33, 5, 9, 13, 1, 1, 1, 0, 1}, {1, 4, 9, 9, 7, 3, 3, 3, 2, 2}};
    nn_quantized_conv2d_args *args = &test->args.quantized_conv2d;
    nn__self_test_window w;
    if (i >= NN__COUNT(cases)) return false;
    memset(&w, 0, sizeof w);
    w.stride = cases[i].stride, w.padding = cases[i].padding, w.dilation = cases[i].dilation;
    const int N = cases[i].N, C = cases[i].C, K = cases[i].K, R = cases[i].R, S = cases[i].S;
    nn__self_test_numbers(test, &args->y, true, N, K, nn__self_test_out(cases[i].H, R, &w),
                          nn__self_test_out(cases[i].W, S, &w));
    nn__cases_integer_bytes(test, &args->x, false, N, C, cases[i].H, cases[i].W);
    nn__cases_integer_bytes(test, &args->weight, false, K, C, R, S);
    nn__self_test_numbers(test, &args->scale, false, K, 0, 0, 0);
    nn__cases_quantized_range(test, &args->range, i);
    if (i % 2) {
        int32_t *bias = nn__cases_integer_words(test, &args->bias, K, 0);
        for (int k = 0; k < K; k++) bias[k] = nn__cases_integer_below(test, 20000) - 10000;
    }
    args->params.kernel_h = R, args->params.kernel_w = S;
    args->params.stride_h = args->params.stride_w = w.stride;
    args->params.padding_h = args->params.padding_w = w.padding;
    args->params.dilation_h = args->params.dilation_w = w.dilation;
    args->params.groups = 1;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) to %d channels, %d x %d", N, C,
               (int)cases[i].H, (int)cases[i].W, K, R, S);
    return true;
}

static bool nn__cases_quantized_lstm(nn__self_test *test, int i) {
    static const struct {
        short N, T, H, has; /* has: 1 given states, 2 the state is wanted */
        bool reverse;
    } cases[] = {{1, 1, 1, 3, false},  {2, 1, 17, 3, true}, {1, 1, 64, 1, false},
                 {3, 4, 33, 2, true},  {1, 3, 40, 3, false}, {2, 2, 8, 0, false}};
    nn_quantized_lstm_args *args = &test->args.quantized_lstm;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, T = cases[i].T, H = cases[i].H;
    nn__self_test_numbers(test, &args->y, true, N, T, H, 0);
    if (cases[i].has & 2) nn__self_test_numbers(test, &args->state, true, N, 2 * H, 0, 0);
    nn__self_test_numbers(test, &args->x, false, N, T, 4 * H, 0);
    nn__cases_integer_bytes(test, &args->weight, false, 4 * H, H, 0, 0);
    float *scale = nn__self_test_numbers(test, &args->scale, false, 4 * H, 0, 0, 0);
    for (int k = 0; k < 4 * H; k++) scale[k] *= 1.0f / (128.0f * (float)H);
    if (cases[i].has & 1) {
        nn__self_test_numbers(test, &args->h0, false, N, H, 0, 0);
        nn__self_test_numbers(test, &args->c0, false, N, H, 0, 0);
    }
    args->reverse = cases[i].reverse;
    nn__format(test->what, sizeof test->what, "(%d, %d), %d wide%s", N, T, H,
               cases[i].reverse ? ", reverse" : "");
    return true;
}

#endif
