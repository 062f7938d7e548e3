/* random_integer.h - drawn cases of the kernels for 8-bit integers: test_backends.c compares their
   bytes with loops in 64-bit integers on every instruction set. */
#pragma once

/* Draws numbers that often lie at the ends of their range. */
static int integer_number(int low, int high) {
    const int kind = pick(8);
    return kind == 0 ? low : kind == 1 ? high : low + pick(high - low + 1);
}
static nn_view integer_bytes(int rank, int a, int b, int c, int d) {
    const int32_t extents[4] = {a, b, c, d};
    nn_view view = view_of(NN_I8, rank, extents);
    const bool ends = pick(6) == 0; /* sums as large as they can be */
    for (int64_t i = 0; i < view_count(&view); i++)
        ((int8_t *)view.handle)[i] =
            (int8_t)(ends ? (pick(2) ? -128 : 127) : integer_number(-128, 127));
    return view;
}
/* Draws an extent, often a multiple of four: OpenCL devices multiply four bytes at once then. */
static int integer_extent(int most) {
    const int extent = odd_extent(most);
    return pick(2) ? extent : (extent + 3) / 4 * 4;
}
static nn_view integer_words(int rank, int a, int b) {
    const int32_t extents[2] = {a, b};
    nn_view view = view_of(NN_I32, rank, extents);
    memset(view.handle, 0, (size_t)view_bytes(&view));
    return view;
}
static int32_t integer_multiplier(void) {
    const int kind = pick(12);
    return kind == 0   ? 0
           : kind == 1 ? 1 << 30
           : kind == 2 ? INT32_MAX
                       : (1 << 30) + (int32_t)((uint32_t)pick(1 << 15) << 15) + pick(1 << 15);
}
static nn_view integer_zeros(int low) {
    nn_view zero = integer_words(1, NN_INTEGER_ZEROS, 0);
    int32_t *z = (int32_t *)zero.handle;
    z[NN_INTEGER_X] = integer_number(-128, 127);
    z[NN_INTEGER_Y] = integer_number(-128, 127);
    z[NN_INTEGER_LOW] = pick(3) ? -128 : low;
    z[NN_INTEGER_HIGH] = pick(3) ? 127 : integer_number(z[NN_INTEGER_LOW], 127);
    return zero;
}

static void integer_conv(bool depthwise, bool linear, bool grouped, bool transposed) {
    nn_integer_conv2d_args *a = &current.args.integer_conv2d;
    const int groups = grouped ? 1 + pick(6) : 1;
    /* windows of 3 x 3 with a stride of 1, for which some sets use Winograd's algorithm */
    const bool usual = !linear && !transposed && !grouped && !pick(3);
    /* vectors of some sets have 64 channels, and places two apart */
    const bool many = depthwise && pick(2), two = depthwise && usual && pick(2);
    /* channels that fill panels, none of which has an unusual shift */
    const bool steady = !depthwise && !grouped && !pick(3);
    const int N = 1 + pick(linear ? 30 : 3), H = linear ? 1 : 1 + pick(usual ? 16 : 10),
              W = linear ? 1 : 1 + pick(usual ? 16 : 10),
              C = linear ? integer_extent(300)
                  : many ? 8 * (1 + pick(20))
                         : groups * integer_extent(groups > 1 ? 20 : 70),
              K = depthwise ? C
                  : steady  ? 32 * (1 + pick(3))
                            : groups * odd_extent(groups > 1 ? 40 : 70),
              R = linear  ? 1
                  : usual ? 3
                          : 1 + pick(4),
              S = linear  ? 1
                  : usual ? 3
                          : 1 + pick(4),
              stride_h = two ? 1 + pick(3) : usual ? 1 : 1 + pick(2),
              stride_w = two ? 1 + pick(2) : usual ? 1 : 1 + pick(3),
              dilation_h = usual ? 1 : 1 + pick(2), dilation_w = usual ? 1 : 1 + pick(2), top = linear ? 0 : pick(R),
              left = linear ? 0 : pick(S);
    /* the extents of y are free: their padding at the end may differ from that at the beginning */
    const int OH = linear       ? 1
                   : transposed ? 1 + pick(stride_h * H + 2)
                                : 1 + pick(H + 1),
              OW = linear ? 1 : transposed ? 1 + pick(stride_w * W + 2) : 1 + pick(W + 1);
    begin_case(NN_KERNEL_INTEGER_CONV2D,
               "integer %s drawn (%d, %d, %d, %d) to (%d, %d, %d) %d x %d stride %d %d padding %d "
               "%d dilation %d %d",
               depthwise    ? "depthwise"
               : linear     ? "linear"
               : transposed ? "transposed"
               : grouped    ? "grouped"
                            : "conv2d",
               N, H, W, C, OH, OW, K, R, S, stride_h, stride_w, top, left, dilation_h, dilation_w);
    a->x = integer_bytes(4, N, H, W, C);
    a->weight = depthwise ? integer_bytes(3, R, S, K, 0) : integer_bytes(4, K, R, S, C / groups);
    a->bias = integer_words(1, K, 0);
    a->factor = integer_words(2, 2, K);
    a->zero = integer_zeros(integer_number(-128, 127));
    for (int k = 0; k < K; k++) {
        int32_t *factor = (int32_t *)a->factor.handle;
        ((int32_t *)a->bias.handle)[k] = pick(5)   ? integer_number(-40000, 40000)
                                         : pick(2) ? INT32_MAX
                                                   : -INT32_MAX;
        factor[k] = integer_multiplier();
        factor[K + k] = steady || (many && pick(9)) ? -pick(24) : pick(5) ? -pick(14) : pick(2) ? -31 : pick(8);
    }
    a->params.kernel_h = R, a->params.kernel_w = S;
    a->params.stride_h = stride_h, a->params.stride_w = stride_w;
    a->params.padding_h = top, a->params.padding_w = left;
    a->params.dilation_h = dilation_h, a->params.dilation_w = dilation_w;
    a->params.groups = depthwise ? C : groups;
    a->transposed = transposed;
    if (depthwise && C == 1) { /* groups is 1: an ordinary convolution, whose weight has rank 4 */
        const int32_t shape[4] = {1, R, S, 1};
        a->weight.shape = nn_make_shape(shape, 4);
    }
    a->y = integer_bytes(4, N, OH, OW, K);
    end_case();
}

static void integer_recurrent(void) {
    nn_integer_recurrent_args *a = &current.args.integer_recurrent;
    const bool gru = pick(2) == 0, reverse = pick(2) == 0, last = pick(2) == 0;
    const int N = pick(3) ? 1 + pick(3) : odd_extent(40), T = pick(3) ? 1 + pick(6) : odd_extent(50),
              C = integer_extent(70), H = integer_extent(40), gates = (gru ? 3 : 4) * H;
    begin_case(NN_KERNEL_INTEGER_RECURRENT, "integer %s drawn (%d, %d, %d) to %d%s",
               gru ? "gru" : "lstm", N, T, C, H, reverse ? " reversed" : "");
    a->x = integer_bytes(3, N, T, C, 0);
    a->weight_ih = integer_bytes(2, gates, C, 0, 0);
    a->weight_hh = integer_bytes(2, gates, H, 0, 0);
    a->bias = integer_words(2, 2, gates);
    a->factor = integer_words(2, 4, gates);
    a->numbers = integer_words(1, NN_INTEGER_RECURRENTS, 0);
    int32_t *factor = (int32_t *)a->factor.handle, *n = (int32_t *)a->numbers.handle;
    for (int k = 0; k < 2 * gates; k++) {
        const int at = k / gates * gates + k;
        ((int32_t *)a->bias.handle)[k] = pick(5)   ? integer_number(-40000, 40000)
                                         : pick(2) ? INT32_MAX
                                                   : -INT32_MAX;
        factor[at] = integer_multiplier();
        factor[at + gates] = pick(5) ? -pick(9) : pick(2) ? -31 : pick(8);
    }
    n[NN_INTEGER_RECURRENT_X] = integer_number(-128, 127);
    n[NN_INTEGER_RECURRENT_H] = integer_number(-128, 127);
    n[NN_INTEGER_RECURRENT_MULTIPLIER] = integer_multiplier();
    n[NN_INTEGER_RECURRENT_SHIFT] = pick(5) ? -20 - pick(5) : pick(2) ? -31 : pick(3);
    n[NN_INTEGER_RECURRENT_CELL] = pick(9) ? pick(5) : integer_number(-3, 40);
    a->cell = gru ? NN_RECURRENT_GRU : NN_RECURRENT_LSTM;
    a->reverse = reverse;
    if (last) a->state = integer_words(2, N, gru ? H : 2 * H);
    a->y = integer_bytes(3, N, T, H, 0);
    end_case();
}

static void integer_softmax(void) {
    nn_integer_softmax_args *a = &current.args.integer_softmax;
    const bool long_rows = pick(4) == 0;
    const int axis = pick(4), rank = axis + 1 + pick(4 - axis);
    int extent[4] = {1, 1, 1, 1};
    for (int i = 0; i < rank; i++) extent[i] = 1 + pick(i == axis ? 40 : 5);
    if (long_rows) extent[axis] = odd_extent(2000);
    begin_case(NN_KERNEL_INTEGER_SOFTMAX, "integer softmax drawn (%d, %d, %d, %d) rank %d axis %d",
               extent[0], extent[1], extent[2], extent[3], rank, axis);
    a->x = integer_bytes(rank, extent[0], extent[1], extent[2], extent[3]);
    a->table = integer_words(1, 256, 0);
    a->numbers = integer_words(1, NN_INTEGER_SOFTMAXES, 0);
    int32_t *table = (int32_t *)a->table.handle, *n = (int32_t *)a->numbers.handle;
    const int base = pick(257), filled = pick(20); /* from none to all of the numbers are alike */
    table[0] = 1 << 30;
    for (int k = 1; k < 256; k++) table[k] = (int32_t)((int64_t)table[k - 1] * base / 256);
    if (filled == 0) memset(table, 0, 256 * sizeof *table); /* a model without weights */
    if (filled == 1)
        for (int k = 0; k < 256; k++) table[k] = integer_number(0, 1 << 15) << 15;
    n[NN_INTEGER_SOFTMAX_ZERO] = pick(2) ? -128 : integer_number(-128, 127);
    n[NN_INTEGER_SOFTMAX_MULTIPLIER] = pick(3) ? integer_multiplier() : 512;
    n[NN_INTEGER_SOFTMAX_SHIFT] = n[NN_INTEGER_SOFTMAX_MULTIPLIER] == 512 ? 0
                                  : pick(8)                              ? -18 - pick(6)
                                  : pick(2)                              ? -31
                                                                         : pick(4);
    a->axis = axis;
    a->y = integer_bytes(rank, extent[0], extent[1], extent[2], extent[3]);
    end_case();
}

/* Pictures often have three channels, which some sets interleave by themselves. */
static void integer_conversion(void) {
    nn_quantize_args *q = &current.args.quantize;
    const int N = 1 + pick(2), C = pick(2) ? 3 : 1 + pick(40), H = 1 + pick(17),
              W = pick(2) ? 16 * (1 + pick(3)) : 1 + pick(20);
    begin_case(NN_KERNEL_QUANTIZE, "quantize drawn (%d, %d, %d, %d)", N, C, H, W);
    q->x = make_view(FILL_SIGNED, 4, N, C, H, W);
    q->scale = make_view(FILL_SIGNED, 1, 2, 0, 0, 0);
    float *x = (float *)q->x.handle, *scale = (float *)q->scale.handle;
    scale[0] = pick(2) ? 1.0f / 64.0f : 0.005f + 0.001f * (float)pick(20);
    scale[1] = (float)integer_number(-128, 127);
    for (int k = 0; k < 3; k++)
        x[pick((int)view_count(&q->x))] = k == 0 ? 1e30f : k == 1 ? -1e30f : 0.5f * scale[0];
    q->channels_last = true;
    q->y = integer_bytes(4, N, H, W, C);
    end_case();
}

static void one_integer(void) {
    nn_integer_pool2d_args *p = &current.args.integer_pool2d;
    nn_integer_add_args *s = &current.args.integer_add;
    integer_conv(false, false, false, false);
    integer_conv(true, false, false, false);
    integer_conv(false, true, false, false);
    integer_conv(false, false, true, false);
    integer_conv(false, false, pick(2) == 0, true);
    integer_recurrent();

    const int N = 1 + pick(3), H = 1 + pick(9), W = 1 + pick(9), C = odd_extent(70);
    const int R = 1 + pick(H), S = 1 + pick(W), stride = 1 + pick(3), top = pick(R / 2 + 1),
              left = pick(S / 2 + 1);
    const bool mean = pick(2) == 0, inside = pick(2) == 0;
    const int OH = (H + 2 * top - R) / stride + 1, OW = (W + 2 * left - S) / stride + 1;
    begin_case(NN_KERNEL_INTEGER_POOL2D, "integer %s drawn (%d, %d, %d, %d) %d x %d stride %d%s",
               mean ? "mean" : "maximum", N, H, W, C, R, S, stride, inside ? " inside" : "");
    p->x = integer_bytes(4, N, H, W, C);
    p->zero = integer_zeros(-128);
    p->kind = mean ? NN_POOL_AVERAGE : NN_POOL_MAX;
    p->kernel_h = R, p->kernel_w = S, p->stride_h = p->stride_w = stride;
    p->padding_h = top, p->padding_w = left;
    p->count_only_inside = inside;
    p->y = integer_bytes(4, N, OH, OW, C);
    end_case();

    const int count = pick(3) ? odd_extent(pick(2) ? 40 : 257) : 2040 + pick(40000);
    begin_case(NN_KERNEL_INTEGER_ADD, "integer add drawn %d", count);
    s->a = integer_bytes(1, count, 0, 0, 0);
    s->b = integer_bytes(1, count, 0, 0, 0);
    s->numbers = integer_words(1, NN_INTEGER_ADDS, 0);
    for (int k = 0; k < 3; k++) {
        int32_t *n = (int32_t *)s->numbers.handle;
        n[NN_INTEGER_ADD_ZERO + k] = integer_number(-128, 127);
        n[NN_INTEGER_ADD_MULTIPLIER + k] = integer_multiplier();
        n[NN_INTEGER_ADD_SHIFT + k] = k < 2 ? -pick(4) : -12 - pick(12);
        n[NN_INTEGER_ADD_LOW] = pick(2) ? -128 : n[NN_INTEGER_ADD_ZERO + k];
        n[NN_INTEGER_ADD_HIGH] = 127;
    }
    s->y = integer_bytes(1, count, 0, 0, 0);
    end_case();

    nn_integer_table_args *t = &current.args.integer_table;
    begin_case(NN_KERNEL_INTEGER_TABLE, "integer table drawn %d", count);
    t->x = integer_bytes(1, count, 0, 0, 0);
    t->table = integer_bytes(1, 256, 0, 0, 0);
    t->y = integer_bytes(1, count, 0, 0, 0);
    end_case();

    nn_integer_resize2d_args *r = &current.args.integer_resize2d;
    const int rows = 1 + pick(12), columns = 1 + pick(12);
    begin_case(NN_KERNEL_INTEGER_RESIZE2D, "integer resize drawn (%d, %d, %d, %d) to %d x %d", N, H,
               W, C, rows, columns);
    r->x = integer_bytes(4, N, H, W, C);
    r->rows = integer_words(2, 3, rows);
    r->columns = integer_words(2, 3, columns);
    for (int axis = 0; axis < 2; axis++) {
        int32_t *table = (int32_t *)(axis ? r->columns.handle : r->rows.handle);
        const int to = axis ? columns : rows, from = axis ? W : H;
        for (int k = 0; k < to; k++) {
            table[k] = integer_number(pick(9) ? 0 : -1, from - 1);
            table[to + k] = integer_number(0, pick(9) ? from - 1 : from);
            table[2 * to + k] = pick(4) ? integer_number(0, 1024) : 0;
        }
    }
    r->y = integer_bytes(4, N, rows, columns, C);
    end_case();

    nn_integer_multiply_args *m = &current.args.integer_multiply;
    const bool wide = pick(2) == 0;
    begin_case(NN_KERNEL_INTEGER_MULTIPLY, "integer product drawn (%d, %d, %d, %d)%s", N, H, W, C,
               wide ? " by channels" : "");
    m->a = integer_bytes(4, N, H, W, C);
    m->b = integer_bytes(4, N, wide ? 1 : H, wide ? 1 : W, C);
    m->numbers = integer_words(1, NN_INTEGER_MULTIPLIES, 0);
    int32_t *n = (int32_t *)m->numbers.handle;
    for (int k = 0; k < 3; k++) n[NN_INTEGER_MULTIPLY_ZERO + k] = integer_number(-128, 127);
    n[NN_INTEGER_MULTIPLY_MULTIPLIER] = integer_multiplier();
    n[NN_INTEGER_MULTIPLY_SHIFT] = pick(8) ? -pick(12) : pick(2) ? -31 : 1;
    n[NN_INTEGER_MULTIPLY_LOW] = pick(2) ? -128 : n[NN_INTEGER_MULTIPLY_ZERO + 2];
    n[NN_INTEGER_MULTIPLY_HIGH] = 127;
    m->y = integer_bytes(4, N, H, W, C);
    end_case();
    integer_conversion();
}

/* Draws four times as many cases as other tests: a mistake of one bit shows in few of them. */
static void test_integer_random(void) {
    for (int i = 0; i < 4; i++) draw(3, false, one_integer);
    for (int i = 0; i < 13; i++) draw(3, false, integer_softmax);
}
