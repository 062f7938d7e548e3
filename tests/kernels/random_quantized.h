/* random_quantized.h - random cases of the quantised kernels: test_backends.c compares them with
   loops in 64-bit integers on every instruction set. */
#pragma once

static nn_view quantized_floats(int rank, int a, int b, int c, float size) {
    const int32_t extents[4] = {a, b, c, 0};
    nn_view view = view_of(NN_F32, rank, extents);
    float *x = (float *)view.handle;
    for (int64_t i = 0; i < view_count(&view); i++)
        x[i] = size * (float)(pick(20001) - 10000) / 10000.0f;
    return view;
}
static nn_view quantized_range(void) {
    nn_view range = quantized_floats(1, 2, 0, 0, 1);
    float *r = (float *)range.handle;
    r[0] = pick(3) ? 0.001f + (float)pick(1000) / 3000.0f : 0.125f;
    r[1] = (float)integer_number(-128, 127);
    return range;
}

static void one_quantized(void) {
    nn_quantize_even_args *q = &current.args.quantize_even;
    nn_quantized_linear_args *l = &current.args.quantized_linear;
    nn_quantized_lstm_args *s = &current.args.quantized_lstm;
    const int count = odd_extent(pick(4) ? 40 : 40000);
    begin_case(NN_KERNEL_QUANTIZE_EVEN, "quantize drawn %d", count);
    q->range = quantized_range();
    q->x = quantized_floats(1, count, 0, 0, 40);
    for (int i = 0; i < count; i++) {
        float *x = (float *)q->x.handle + i;
        /* halves, and numbers that do not fit */
        if (pick(3) == 0) *x = ((float)(pick(600) - 300) + 0.5f) * ((float *)q->range.handle)[0];
        if (pick(40) == 0) *x = pick(3) == 0 ? NAN : pick(2) ? 1e30f : -INFINITY;
    }
    q->y = integer_bytes(1, count, 0, 0, 0);
    end_case();

    const int N = 1 + pick(pick(3) ? 30 : 300), C = odd_extent(300), K = odd_extent(100);
    begin_case(NN_KERNEL_QUANTIZED_LINEAR, "quantized linear drawn (%d, %d) to %d", N, C, K);
    l->x = integer_bytes(2, N, C, 0, 0);
    l->weight = integer_bytes(2, K, C, 0, 0);
    l->scale = quantized_floats(1, K, 0, 0, 0.01f);
    l->range = quantized_range();
    if (pick(3) == 0) {
        l->weight_zero = integer_words(1, K, 0);
        for (int k = 0; k < K; k++)
            ((int32_t *)l->weight_zero.handle)[k] = integer_number(-128, 127);
    }
    l->y = make_output(false, 2, N, K, 0, 0);
    end_case();

    nn_quantized_conv2d_args *v = &current.args.quantized_conv2d;
    const int B = 1 + pick(3), Ch = odd_extent(pick(2) ? 8 : 40), H2 = 1 + pick(12), W2 = 1 + pick(40),
              K2 = odd_extent(40), R = 1 + pick(4), S = 1 + pick(4), stride_h = 1 + pick(3),
              stride_w = 1 + pick(2), dilation_h = 1 + pick(2), dilation_w = 1 + pick(3);
    const int top = pick((R - 1) * dilation_h + 1), left = pick((S - 1) * dilation_w + 1);
    /* the extents of y are free: their padding at the end may differ from that at the beginning */
    const int OH = 1 + pick(H2 + 1), OW = 1 + pick(W2 + 1);
    begin_case(NN_KERNEL_QUANTIZED_CONV2D,
               "quantized conv2d drawn (%d, %d, %d, %d) to (%d, %d, %d) %d x %d stride %d %d padding "
               "%d %d dilation %d %d",
               B, Ch, H2, W2, K2, OH, OW, R, S, stride_h, stride_w, top, left, dilation_h,
               dilation_w);
    v->x = integer_bytes(4, B, Ch, H2, W2);
    v->weight = integer_bytes(4, K2, Ch, R, S);
    v->scale = quantized_floats(1, K2, 0, 0, 0.01f);
    v->range = quantized_range();
    if (pick(2)) {
        v->bias = integer_words(1, K2, 0);
        for (int k = 0; k < K2; k++)
            ((int32_t *)v->bias.handle)[k] = pick(9) ? integer_number(-40000, 40000) : INT32_MAX;
    }
    v->params.kernel_h = R, v->params.kernel_w = S;
    v->params.stride_h = stride_h, v->params.stride_w = stride_w;
    v->params.padding_h = top, v->params.padding_w = left;
    v->params.dilation_h = dilation_h, v->params.dilation_w = dilation_w;
    v->params.groups = 1;
    v->y = make_output(false, 4, B, K2, OH, OW);
    end_case();

    const int samples = 1 + pick(4), T = pick(3) ? 1 : 1 + pick(4), H = odd_extent(80);
    begin_case(NN_KERNEL_QUANTIZED_LSTM, "quantized lstm drawn (%d, %d) %d wide", samples, T, H);
    s->x = quantized_floats(3, samples, T, 4 * H, 1);
    s->weight = integer_bytes(2, 4 * H, H, 0, 0);
    s->scale = quantized_floats(1, 4 * H, 0, 0, 1.0f / (128.0f * (float)H));
    if (pick(4)) s->h0 = quantized_floats(2, samples, H, 0, pick(4) ? 1.0f : 0.0f);
    if (pick(2)) s->c0 = quantized_floats(2, samples, H, 0, 1);
    s->reverse = pick(2) == 0;
    s->y = make_output(false, 3, samples, T, H, 0);
    if (pick(2)) s->state = make_output(false, 2, samples, 2 * H, 0, 0);
    end_case();
}

/* Draws four times as many cases as other tests: a mistake of one bit shows in few of them. */
static void test_quantized_random(void) {
    if (!has_cpu()) SKIP("no target is the CPU, and no other device has these kernels");
    for (int i = 0; i < 4; i++) draw(3, false, one_quantized);
}
