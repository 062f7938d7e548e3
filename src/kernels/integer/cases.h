/* kernels/integer/cases.h - small test cases of the integer kernels for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static int nn__cases_integer_below(nn__self_test *test, int below) {
    return (int)((nn__self_test_unit(test) + 1.0f) * 0.5f * (float)below) % below;
}
static void nn__cases_integer_bytes(nn__self_test *test, nn_view *view, bool output, int a, int b,
                                    int c, int d) {
    int8_t *x = (int8_t *)nn__self_test_view_of(test, view, output, NN_I8, a, b, c, d);
    for (int64_t i = 0; i < nn__count(view); i++)
        x[i] = (int8_t)(nn__cases_integer_below(test, 256) - 128);
}
static int32_t *nn__cases_integer_words(nn__self_test *test, nn_view *view, int a, int b) {
    int32_t *x = nn__self_test_labels(test, view, 1, a, b);
    memset(x, 0, (size_t)nn__bytes(view));
    return x;
}

static bool nn__cases_integer_conv2d(nn__self_test *test, int i) {
    static const struct {
        short N, H, W, C, K, R, S, stride, padding, dilation, depthwise, groups, transposed;
    } cases[] = {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0},
                 {3, 1, 1, 37, 33, 1, 1, 1, 0, 1, 0, 0, 0},
                 {2, 5, 6, 3, 17, 3, 3, 1, 1, 1, 0, 0, 0},
                 {1, 7, 7, 16, 32, 3, 2, 2, 1, 1, 0, 0, 0},
                 {2, 4, 9, 19, 5, 2, 3, 1, 2, 2, 0, 0, 0},
                 {13, 1, 1, 64, 40, 1, 1, 1, 0, 1, 0, 0, 0},
                 {1, 6, 5, 33, 33, 3, 3, 1, 1, 1, 1, 0, 0},
                 {2, 7, 8, 16, 16, 2, 5, 2, 2, 1, 1, 0, 0},
                 {1, 9, 9, 7, 7, 3, 3, 1, 2, 2, 1, 0, 0},
                 {5, 3, 3, 48, 48, 3, 3, 1, 0, 1, 1, 0, 0},
                 {2, 5, 6, 12, 18, 3, 2, 1, 1, 1, 0, 3, 0},
                 {1, 6, 4, 5, 35, 2, 3, 2, 1, 2, 0, 5, 0},
                 {2, 4, 5, 7, 19, 3, 3, 2, 1, 1, 0, 1, 1}, {1, 3, 6, 8, 6, 2, 4, 3, 0, 1, 0, 2, 1},
                 {1, 16, 17, 3, 35, 7, 7, 2, 3, 1, 0, 0, 0},
                 {1, 7, 7, 40, 33, 3, 3, 1, 1, 1, 0, 0, 0},
                 {2, 9, 8, 24, 20, 3, 3, 1, 1, 1, 0, 0, 0},
                 {1, 13, 11, 37, 17, 3, 3, 1, 2, 1, 0, 0, 0}};
    nn_integer_conv2d_args *args = &test->args.integer_conv2d;
    nn__self_test_window w;
    if (i >= NN__COUNT(cases)) return false;
    memset(&w, 0, sizeof w);
    w.stride = cases[i].stride, w.padding = cases[i].padding, w.dilation = cases[i].dilation;
    const int N = cases[i].N, C = cases[i].C, K = cases[i].K, R = cases[i].R, S = cases[i].S,
              groups = cases[i].depthwise   ? C
                       : cases[i].groups > 1 ? cases[i].groups
                                             : 1,
              wide = cases[i].transposed,
              OH = wide ? (cases[i].H - 1) * w.stride - 2 * w.padding + R + 1
                        : nn__self_test_out(cases[i].H, R, &w),
              OW = wide ? (cases[i].W - 1) * w.stride - 2 * w.padding + S
                        : nn__self_test_out(cases[i].W, S, &w);
    nn__cases_integer_bytes(test, &args->y, true, N, OH, OW, K);
    nn__cases_integer_bytes(test, &args->x, false, N, cases[i].H, cases[i].W, C);
    if (cases[i].depthwise)
        nn__cases_integer_bytes(test, &args->weight, false, R, S, K, 0);
    else
        nn__cases_integer_bytes(test, &args->weight, false, K, R, S, C / groups);
    int32_t *bias = nn__cases_integer_words(test, &args->bias, K, 0),
            *factor = nn__cases_integer_words(test, &args->factor, 2, K),
            *zero = nn__cases_integer_words(test, &args->zero, NN_INTEGER_ZEROS, 0);
    for (int k = 0; k < K; k++) {
        bias[k] = nn__cases_integer_below(test, 20000) - 10000;
        factor[k] = (1 << 30) + nn__cases_integer_below(test, 1 << 30);
        factor[K + k] = k % 17 == 5 ? k % 2 : -nn__cases_integer_below(test, 14);
        if (k % 7 == 3) factor[k] >>= nn__cases_integer_below(test, 15), factor[K + k] = 0;
    }
    zero[NN_INTEGER_X] = i % 3 == 0 ? -128 : i % 3 == 1 ? 127 : 11;
    zero[NN_INTEGER_Y] = i % 4 == 0 ? -128 : i % 4 == 1 ? 127 : -3;
    zero[NN_INTEGER_LOW] = i % 2 ? -128 : -60;
    zero[NN_INTEGER_HIGH] = i % 5 ? 127 : 90;
    args->params.kernel_h = R, args->params.kernel_w = S;
    args->params.stride_h = args->params.stride_w = w.stride;
    args->params.padding_h = args->params.padding_w = w.padding;
    args->params.dilation_h = args->params.dilation_w = w.dilation;
    args->params.groups = groups;
    args->transposed = wide;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) to %d channels, %d x %d%s", N,
               (int)cases[i].H, (int)cases[i].W, C, K, R, S,
               cases[i].depthwise ? ", depthwise"
               : wide             ? ", transposed"
               : groups > 1       ? ", in groups"
                                  : "");
    return true;
}

static bool nn__cases_integer_pool2d(nn__self_test *test, int i) {
    static const struct {
        short N, H, W, C, R, S, stride, padding, mean, inside;
    } cases[] = {{1, 1, 1, 1, 1, 1, 1, 0, 0, 0},  {2, 6, 7, 19, 2, 2, 2, 0, 0, 0},
                 {1, 7, 5, 35, 3, 3, 2, 1, 0, 0}, {2, 7, 7, 40, 7, 7, 1, 0, 1, 0},
                 {1, 6, 6, 16, 3, 3, 1, 1, 1, 0}, {2, 5, 7, 17, 3, 2, 2, 1, 1, 1}};
    nn_integer_pool2d_args *args = &test->args.integer_pool2d;
    nn__self_test_window w;
    if (i >= NN__COUNT(cases)) return false;
    memset(&w, 0, sizeof w);
    w.stride = cases[i].stride, w.padding = cases[i].padding, w.dilation = 1;
    const int N = cases[i].N, C = cases[i].C, R = cases[i].R, S = cases[i].S;
    nn__cases_integer_bytes(test, &args->y, true, N, nn__self_test_out(cases[i].H, R, &w),
                            nn__self_test_out(cases[i].W, S, &w), C);
    nn__cases_integer_bytes(test, &args->x, false, N, cases[i].H, cases[i].W, C);
    nn__cases_integer_words(test, &args->zero, NN_INTEGER_ZEROS, 0)[NN_INTEGER_X] =
        i % 2 ? -128 : 5;
    args->kind = cases[i].mean ? NN_POOL_AVERAGE : NN_POOL_MAX;
    args->kernel_h = R, args->kernel_w = S;
    args->stride_h = args->stride_w = w.stride;
    args->padding_h = args->padding_w = w.padding;
    args->count_only_inside = cases[i].inside;
    nn__format(test->what, sizeof test->what, "%s of (%d, %d, %d, %d), %d x %d",
               cases[i].mean ? "means" : "maxima", N, (int)cases[i].H, (int)cases[i].W, C, R, S);
    return true;
}

static bool nn__cases_integer_add(nn__self_test *test, int i) {
    static const short counts[] = {1, 7, 8, 1000, 17000};
    nn_integer_add_args *args = &test->args.integer_add;
    if (i >= NN__COUNT(counts)) return false;
    nn__cases_integer_bytes(test, &args->y, true, counts[i], 0, 0, 0);
    nn__cases_integer_bytes(test, &args->a, false, counts[i], 0, 0, 0);
    nn__cases_integer_bytes(test, &args->b, false, counts[i], 0, 0, 0);
    int32_t *numbers = nn__cases_integer_words(test, &args->numbers, NN_INTEGER_ADDS, 0);
    for (int k = 0; k < 3; k++) {
        numbers[NN_INTEGER_ADD_ZERO + k] = nn__cases_integer_below(test, 256) - 128;
        numbers[NN_INTEGER_ADD_MULTIPLIER + k] = (1 << 30) + nn__cases_integer_below(test, 1 << 30);
        numbers[NN_INTEGER_ADD_SHIFT + k] = -nn__cases_integer_below(test, 3) - (k == 2 ? 17 : 0);
    }
    numbers[NN_INTEGER_ADD_LOW] = i % 2 ? -128 : numbers[NN_INTEGER_ADD_ZERO + 2];
    numbers[NN_INTEGER_ADD_HIGH] = 127;
    nn__format(test->what, sizeof test->what, "%d numbers", (int)counts[i]);
    return true;
}

static bool nn__cases_integer_table(nn__self_test *test, int i) {
    static const short counts[] = {1, 31, 1000, 17000};
    nn_integer_table_args *args = &test->args.integer_table;
    if (i >= NN__COUNT(counts)) return false;
    nn__cases_integer_bytes(test, &args->y, true, counts[i], 0, 0, 0);
    nn__cases_integer_bytes(test, &args->x, false, counts[i], 0, 0, 0);
    nn__cases_integer_bytes(test, &args->table, false, 256, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "%d numbers", (int)counts[i]);
    return true;
}

static bool nn__cases_integer_multiply(nn__self_test *test, int i) {
    static const struct {
        short N, H, W, C, wide;
    } cases[] = {{1, 1, 1, 1, 0}, {2, 5, 3, 7, 0}, {3, 4, 5, 33, 1}, {1, 90, 3, 70, 1}};
    nn_integer_multiply_args *args = &test->args.integer_multiply;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, H = cases[i].H, W = cases[i].W, C = cases[i].C;
    nn__cases_integer_bytes(test, &args->y, true, N, H, W, C);
    nn__cases_integer_bytes(test, &args->a, false, N, H, W, C);
    nn__cases_integer_bytes(test, &args->b, false, N, cases[i].wide ? 1 : H, cases[i].wide ? 1 : W,
                            C);
    int32_t *numbers = nn__cases_integer_words(test, &args->numbers, NN_INTEGER_MULTIPLIES, 0);
    for (int k = 0; k < 3; k++)
        numbers[NN_INTEGER_MULTIPLY_ZERO + k] = nn__cases_integer_below(test, 256) - 128;
    numbers[NN_INTEGER_MULTIPLY_MULTIPLIER] = (1 << 30) + nn__cases_integer_below(test, 1 << 30);
    numbers[NN_INTEGER_MULTIPLY_SHIFT] = -nn__cases_integer_below(test, 9);
    numbers[NN_INTEGER_MULTIPLY_LOW] = i % 2 ? -128 : -40;
    numbers[NN_INTEGER_MULTIPLY_HIGH] = 127;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d)%s", N, H, W, C,
               cases[i].wide ? " by channels" : "");
    return true;
}

static bool nn__cases_integer_resize2d(nn__self_test *test, int i) {
    static const struct {
        short N, H, W, C, OH, OW;
    } cases[] = {{1, 1, 1, 1, 1, 1}, {2, 3, 4, 7, 6, 9}, {1, 9, 5, 33, 4, 5}, {3, 2, 7, 16, 5, 3}};
    nn_integer_resize2d_args *args = &test->args.integer_resize2d;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C;
    nn__cases_integer_bytes(test, &args->y, true, N, cases[i].OH, cases[i].OW, C);
    nn__cases_integer_bytes(test, &args->x, false, N, cases[i].H, cases[i].W, C);
    for (int axis = 0; axis < 2; axis++) {
        const int from = axis ? cases[i].W : cases[i].H, to = axis ? cases[i].OW : cases[i].OH;
        int32_t *table =
            nn__cases_integer_words(test, axis ? &args->columns : &args->rows, 3, to);
        for (int k = 0; k < to; k++) {
            table[k] = nn__cases_integer_below(test, from);
            table[to + k] = nn__cases_integer_below(test, from);
            table[2 * to + k] = k % 3 ? nn__cases_integer_below(test, 1025) : 0;
        }
    }
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) to %d x %d", N, (int)cases[i].H,
               (int)cases[i].W, C, (int)cases[i].OH, (int)cases[i].OW);
    return true;
}

static bool nn__cases_integer_softmax(nn__self_test *test, int i) {
    static const struct {
        short N, H, W, C, axis;
    } cases[] = {{1, 1, 1, 1, 3},  {3, 1, 1, 10, 3}, {2, 3, 4, 7, 1},
                 {1, 5, 9, 33, 2}, {2, 1, 1, 300, 3}, {1, 1, 2, 17000, 3}};
    nn_integer_softmax_args *args = &test->args.integer_softmax;
    if (i >= NN__COUNT(cases)) return false;
    nn__cases_integer_bytes(test, &args->y, true, cases[i].N, cases[i].H, cases[i].W, cases[i].C);
    nn__cases_integer_bytes(test, &args->x, false, cases[i].N, cases[i].H, cases[i].W, cases[i].C);
    int32_t *table = nn__cases_integer_words(test, &args->table, 256, 0),
            *numbers = nn__cases_integer_words(test, &args->numbers, NN_INTEGER_SOFTMAXES, 0);
    table[0] = 1 << 30;
    for (int k = 1; k < 256; k++) table[k] = (int32_t)((int64_t)table[k - 1] * (200 + 9 * i) / 256);
    numbers[NN_INTEGER_SOFTMAX_ZERO] = i % 2 ? -128 : -7;
    numbers[NN_INTEGER_SOFTMAX_MULTIPLIER] =
        i % 3 ? 512 : (1 << 30) + nn__cases_integer_below(test, 1 << 30);
    numbers[NN_INTEGER_SOFTMAX_SHIFT] = i % 3 ? 0 : -22;
    args->axis = cases[i].axis;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d), axis %d", (int)cases[i].N,
               (int)cases[i].H, (int)cases[i].W, (int)cases[i].C, (int)cases[i].axis);
    return true;
}

static bool nn__cases_integer_recurrent(nn__self_test *test, int i) {
    static const struct {
        short N, T, C, H, gru, reverse;
    } cases[] = {{1, 1, 1, 1, 0, 0},   {3, 4, 7, 5, 0, 1},    {2, 6, 33, 17, 1, 0},
                 {19, 3, 16, 9, 0, 0}, {1, 37, 40, 33, 1, 1}, {33, 2, 5, 40, 1, 0}};
    nn_integer_recurrent_args *args = &test->args.integer_recurrent;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, T = cases[i].T, C = cases[i].C, H = cases[i].H,
              gates = (cases[i].gru ? 3 : 4) * H;
    nn__cases_integer_bytes(test, &args->y, true, N, T, H, 0);
    nn__cases_integer_bytes(test, &args->x, false, N, T, C, 0);
    nn__cases_integer_bytes(test, &args->weight_ih, false, gates, C, 0, 0);
    nn__cases_integer_bytes(test, &args->weight_hh, false, gates, H, 0, 0);
    int32_t *bias = nn__cases_integer_words(test, &args->bias, 2, gates),
            *factor = nn__cases_integer_words(test, &args->factor, 4, gates),
            *numbers = nn__cases_integer_words(test, &args->numbers, NN_INTEGER_RECURRENTS, 0);
    for (int k = 0; k < 2 * gates; k++) {
        bias[k] = nn__cases_integer_below(test, 20000) - 10000;
        factor[k / gates * gates + k] = (1 << 30) + nn__cases_integer_below(test, 1 << 30);
        factor[k / gates * gates + gates + k] = -nn__cases_integer_below(test, 7);
    }
    numbers[NN_INTEGER_RECURRENT_X] = i % 3 == 0 ? -128 : i % 3 == 1 ? 127 : 5;
    numbers[NN_INTEGER_RECURRENT_H] = i % 2 ? -2 : 11;
    numbers[NN_INTEGER_RECURRENT_MULTIPLIER] = (1 << 30) + nn__cases_integer_below(test, 1 << 30);
    numbers[NN_INTEGER_RECURRENT_SHIFT] = -22;
    numbers[NN_INTEGER_RECURRENT_CELL] = i % 4;
    if (i % 2)
        nn__self_test_view_of(test, &args->state, true, NN_I32, N, cases[i].gru ? H : 2 * H, 0, 0);
    args->cell = cases[i].gru ? NN_RECURRENT_GRU : NN_RECURRENT_LSTM;
    args->reverse = cases[i].reverse;
    nn__format(test->what, sizeof test->what, "%s (%d, %d, %d) to %d%s",
               cases[i].gru ? "gru" : "lstm", N, T, C, H, cases[i].reverse ? ", reversed" : "");
    return true;
}

static bool nn__cases_quantize_of(nn__self_test *test, int i, nn_quantize_args *args, bool out) {
    static const struct {
        short a, b, c, d, last;
    } cases[] = {
        {1, 0, 0, 0, 0}, {3, 700, 0, 0, 0}, {2, 3, 5, 7, 1}, {3, 65, 4, 4, 1}, {2, 40, 25, 25, 1}};
    if (i >= NN__COUNT(cases)) return false;
    const int e[4] = {cases[i].a, cases[i].b, cases[i].c, cases[i].d};
    const bool last = cases[i].last;
    nn_view *real = out ? &args->y : &args->x, *whole = out ? &args->x : &args->y;
    float *x = nn__self_test_numbers(test, real, out, e[0], e[1], e[2], e[3]);
    nn__cases_integer_bytes(test, whole, !out, e[0], e[last ? 2 : 1], e[last ? 3 : 2],
                            e[last ? 1 : 3]);
    float *scale = nn__self_test_numbers(test, &args->scale, false, 2, 0, 0, 0);
    if (!out && nn__count(real) > 8) {
        x[0] = 2.5f, x[1] = -2.5f, x[2] = 1e30f, x[3] = -1e30f, x[4] = 0.5f;
    }
    scale[0] = i % 2 ? 1.0f / 128.0f : 0.0078f;
    scale[1] = i % 3 == 0 ? -128.0f : i % 3 == 1 ? 127.0f : -7.0f;
    args->channels_last = last;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d)%s", e[0], e[1], e[2], e[3],
               last ? ", channels last" : "");
    return true;
}
static bool nn__cases_quantize(nn__self_test *test, int i) {
    return nn__cases_quantize_of(test, i, &test->args.quantize, false);
}
static bool nn__cases_dequantize(nn__self_test *test, int i) {
    return nn__cases_quantize_of(test, i, &test->args.dequantize, true);
}

#endif
