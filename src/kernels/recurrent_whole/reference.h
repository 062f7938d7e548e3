/* kernels/recurrent_whole/reference.h - the product of the inputs, lstm, gru or rnn, and a linear
   layer as plain loops in double. */
#pragma once

/* c and h after a step. q, x: the products of the state and of the inputs, with their biases. */
static void reference_whole_step(nn_recurrent_cell cell, int64_t H, const double *q,
                                 const double *x, double *h, double *c) {
    for (int64_t k = 0; k < H; k++) {
        if (cell == NN_RECURRENT_LSTM) {
            const double i = reference_sigmoid(x[k] + q[k]),
                         f = reference_sigmoid(x[H + k] + q[H + k]),
                         g = tanh(x[2 * H + k] + q[2 * H + k]),
                         o = reference_sigmoid(x[3 * H + k] + q[3 * H + k]);
            c[k] = f * c[k] + i * g;
            h[k] = o * tanh(c[k]);
        } else if (cell == NN_RECURRENT_GRU) {
            const double r = reference_sigmoid(x[k] + q[k]),
                         z = reference_sigmoid(x[H + k] + q[H + k]),
                         n = tanh(x[2 * H + k] + r * q[2 * H + k]);
            h[k] = (1 - z) * n + z * h[k];
        } else {
            const double a = x[k] + q[k];
            h[k] = cell == NN_RECURRENT_RELU ? a > 0 ? a : 0 : tanh(a);
        }
    }
}

/* to[j] = bias[j] + sum over k of weight[j, k] from[k] */
static void reference_whole_product(const nn_view *weight, const nn_view *bias, const double *from,
                                    double *to) {
    const int64_t rows = weight->shape.extent[0], depth = weight->shape.extent[1];
    for (int64_t j = 0; j < rows; j++) {
        to[j] = reference_recurrent_number(bias, j);
        for (int64_t k = 0; k < depth; k++)
            to[j] += (double)view_f32(weight)[j * depth + k] * from[k];
    }
}

static TEST_UNUSED void reference_case_recurrent_whole(const nn_recurrent_whole_args *a,
                                                       const reference_outputs *out) {
    const reference_array y = reference_at(out, &a->y), state = reference_at(out, &a->state);
    const int64_t N = a->x.shape.extent[0], T = a->x.shape.extent[1], C = a->x.shape.extent[2],
                  G = a->weight.shape.extent[0], H = a->weight.shape.extent[1],
                  O = a->head.dtype ? a->head.shape.extent[0] : 0, wide = O ? O : H;
    const bool lstm = a->cell == NN_RECURRENT_LSTM;
    double *h = (double *)calloc((size_t)(2 * H + 2 * G + C + wide), sizeof(double)), *c = h + H,
           *q = c + H, *x = q + G, *in = x + G, *result = in + C;
    for (int64_t n = 0; n < N; n++) {
        for (int64_t k = 0; k < H; k++) {
            h[k] = reference_recurrent_first(&a->h0, &a->c0, H, H, n, k, false);
            c[k] = lstm ? reference_recurrent_first(&a->h0, &a->c0, H, H, n, k, true) : 0;
        }
        for (int64_t e = 0; e < T; e++) {
            const int64_t t = a->reverse ? T - 1 - e : e;
            for (int64_t k = 0; k < C; k++) in[k] = (double)view_f32(&a->x)[(n * T + t) * C + k];
            reference_whole_product(&a->input, &a->input_bias, in, x);
            reference_whole_product(&a->weight, &a->bias, h, q);
            reference_whole_step(a->cell, H, q, x, h, c);
            if (O) reference_whole_product(&a->head, &a->head_bias, h, result);
            for (int64_t k = 0; k < wide; k++)
                reference_set(y, (n * T + t) * wide + k, O ? result[k] : h[k], 2 + (double)O * 8);
        }
        for (int64_t k = 0; k < H; k++) {
            const int64_t row = n * (lstm ? 2 * H : H);
            reference_recurrent_put(state, row + k, h[k], 2);
            if (lstm) reference_recurrent_put(state, row + H + k, c[k], 2);
        }
    }
    free(h);
}
