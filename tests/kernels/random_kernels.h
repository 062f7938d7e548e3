/* random_kernels.h: the part of test_backends.c that draws shapes for the kernels that are neither
   products nor convolutions: small and odd ones, each with random values of the other arguments.
   test_backends.c includes it after its own cases. NN_TEST_CASES=N: N cases of each kind, on every
   family of OpenCL's kernels. */

/* Draws an extent: often a small one, else one close to the size of a vector or a work-group. */
static int odd_extent(int most) {
    static const int around[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 257};
    int i = (int)(sizeof around / sizeof around[0]);
    if (pick(3)) return 1 + pick(most < 12 ? most : 12);
    do i = pick(i);
    while (around[i] > most);
    return around[i];
}

/* ---- pools ----------------------------------------------------------------------------------- */

static pool_shape random_pool_shape(void) {
    pool_shape s;
    do {
        s.N = 1 + pick(3), s.C = odd_extent(17);
        s.H = odd_extent(33), s.W = odd_extent(65);
        s.R = 1 + pick(5), s.S = 1 + pick(5);
        s.sh = 1 + pick(4), s.sw = 1 + pick(4);
        s.ph = pick(s.R / 2 + 1), s.pw = pick(s.S / 2 + 1);
        s.ceil = pick(2);
        s.dh = s.dw = 0;
    } while (s.H + 2 * s.ph < s.R || s.W + 2 * s.pw < s.S);
    return s;
}

/* Sets the place of the largest number of each window, as forward returns it. */
static void point_at_largest(nn_pool2d_args *p) {
    const int64_t outputs = view_count(&p->y);
    reference_array y, index;
    y.value = (double *)calloc((size_t)outputs * 4, sizeof(double));
    y.scale = y.value + outputs;
    index.value = y.scale + outputs;
    index.scale = index.value + outputs;
    reference_pool2d_forward(p, y, index);
    for (int64_t k = 0; k < outputs; k++)
        ((int32_t *)p->index.handle)[k] = (int32_t)index.value[k];
    free(y.value);
}

static void one_pool(void) {
    const pool_shape s = random_pool_shape();
    const nn_pool_kind kind = pick(2) ? NN_POOL_MAX : NN_POOL_AVERAGE;
    const bool inside = pick(2) == 0, accumulate = pick(3) == 0;
    nn_pool2d_args *p = pool_begin(NN_KERNEL_POOL2D_FORWARD, &s, kind, inside, "drawn");
    if (p->index.dtype && pick(2)) memset(&p->index, 0, sizeof p->index);
    end_case();
    p = pool_begin(NN_KERNEL_POOL2D_BACKWARD, &s, kind, inside, accumulate ? "acc" : "drawn");
    if (kind == NN_POOL_MAX) point_at_largest(p);
    p->accumulate = accumulate;
    p->y = make_like(FILL_SIGNED, &p->y);
    p->x = make_like(accumulate ? FILL_SIGNED : FILL_NAN, &p->x);
    end_case();
}
static void test_pool2d_random(void) { draw(6, false, one_pool); }

/* ---- blocks of a convolution and a pool ------------------------------------------------------ */

typedef struct block_shape {
    int N, C, PH, PW, K, R, S, padding;
} block_shape;

static nn_conv_pool_args *block_begin(nn_kernel kernel, const block_shape *s) {
    nn_conv_pool_args *a = &current.args.conv_pool_forward; /* the three are one struct */
    /* arguments that windows do not have */
    const int H = 2 * s->PH + s->R - 1 - 2 * s->padding + pick(2),
              W = 2 * s->PW + s->S - 1 - 2 * s->padding + pick(2);
    begin_case(kernel, "%s drawn (%d, %d, %d, %d), weight (%d, %d, %d, %d), %d x %d windows",
               nn_kernel_name(kernel), s->N, s->C, H, W, s->K, s->C, s->R, s->S, s->PH, s->PW);
    a->padding_h = a->padding_w = s->padding;
    a->epilogue.activation = pick(3) ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    a->direct = pick(4) == 0;
    a->x = make_view(FILL_SIGNED, 4, s->N, s->C, H, W);
    a->weight = make_view(FILL_SIGNED, 4, s->K, s->C, s->R, s->S);
    a->y = make_view(FILL_SIGNED, 4, s->N, s->K, s->PH, s->PW);
    return a;
}

/* Makes the numbers small and whole, so that sums are exact, and it is known which of two equal
   ones is first. */
static void make_whole(const nn_view *view) {
    for (int64_t k = 0; k < view_count(view); k++)
        ((float *)view->handle)[k] = (float)(int)(4 * ((float *)view->handle)[k]);
}

static void one_block(void) {
    block_shape s;
    nn_conv_pool_args *a;
    do {
        s.N = 1 + pick(3), s.C = 1 + pick(pick(3) ? 4 : 20), s.K = odd_extent(33);
        s.PH = odd_extent(17), s.PW = odd_extent(65);
        s.R = pick(3) ? 3 : 1 + pick(5), s.S = pick(3) ? 3 : 1 + pick(5);
        s.padding = pick(3);
    } while (2 * s.PH + s.R - 1 <= 2 * s.padding || 2 * s.PW + s.S - 1 <= 2 * s.padding);
    a = block_begin(NN_KERNEL_CONV_POOL_FORWARD, &s);
    if (pick(2)) a->epilogue.bias = make_view(FILL_SIGNED, 1, s.K, 0, 0, 0);
    if (pick(2)) { /* no sum is exact if a tile has a square root among its numbers */
        if (s.C >= 8) a->direct = true;
        make_whole(&a->x);
        make_whole(&a->weight);
        a->place = make_u8(4, s.N, s.K, s.PH, s.PW);
    }
    a->y = make_like(FILL_NAN, &a->y);
    current.tolerance = 8 * 0x1p-24; /* the manual */
    end_case();
    for (int input = 0; input < 2; input++) {
        a = block_begin(input ? NN_KERNEL_CONV_POOL_BACKWARD_INPUT
                              : NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT, &s);
        a->dy = make_view(FILL_SIGNED, 4, s.N, s.K, s.PH, s.PW);
        for (int64_t k = 0; k < view_count(&a->dy); k++)
            if (pick(4) == 0) ((float *)a->dy.handle)[k] = 0;
        a->place = make_u8(4, s.N, s.K, s.PH, s.PW);
        for (int64_t k = 0; k < view_count(&a->place); k++)
            ((uint8_t *)a->place.handle)[k] = (uint8_t)pick(256);
        if (!input && pick(2)) a->epilogue.bias = make_view(FILL_NAN, 1, s.K, 0, 0, 0);
        if (input)
            a->x = make_like(FILL_NAN, &a->x);
        else
            a->weight = make_like(FILL_NAN, &a->weight);
        if (!input) current.tolerance = 8 * 0x1p-24;
        end_case();
    }
}
static void test_block_random(void) { draw(8, false, one_block); }

/* CPUs skip windows without a gradient, so x there does not reach any weight. */
static void test_block_dead(void) {
    static const block_shape shapes[] = {{3, 1, 4, 16, 5, 3, 3, 1}, {3, 3, 5, 30, 4, 3, 3, 1},
                                         {3, 2, 3, 13, 3, 3, 3, 0}, {3, 17, 4, 6, 9, 3, 3, 1},
                                         {3, 3, 3, 7, 2, 5, 3, 1}};
    target all[64];
    const int count = target_count;
    if (!has_cpu()) SKIP("no target is the CPU");
    memcpy(all, targets, sizeof all);
    keep_cpus();
    for (int i = 0; i < (int)(sizeof shapes / sizeof shapes[0]) * 2; i++) {
        nn_conv_pool_args *a = block_begin(NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT, &shapes[i / 2]);
        const int64_t x = view_count(&a->x) / 3, y = view_count(&a->y) / 3;
        a->dy = make_view(FILL_SIGNED, 4, shapes[i / 2].N, shapes[i / 2].K, shapes[i / 2].PH,
                          shapes[i / 2].PW);
        a->place = make_u8(4, shapes[i / 2].N, shapes[i / 2].K, shapes[i / 2].PH, shapes[i / 2].PW);
        a->epilogue.activation = i % 2 ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
        for (int64_t k = 0; k < view_count(&a->place); k++)
            ((uint8_t *)a->place.handle)[k] = (uint8_t)pick(4);
        for (int64_t k = x; k < 2 * x; k++) ((float *)a->x.handle)[k] = k % 2 ? INFINITY : NAN;
        for (int64_t k = y; k < 2 * y; k++) /* by relu, or by dy */
            ((float *)(i % 2 ? a->y.handle : a->dy.handle))[k] = i % 2 ? -1.0f : 0.0f;
        a->weight = make_like(FILL_NAN, &a->weight);
        a->epilogue.bias = make_view(FILL_NAN, 1, shapes[i / 2].K, 0, 0, 0);
        end_case();
    }
    memcpy(targets, all, sizeof all);
    target_count = count;
}

/* ---- reductions, softmax --------------------------------------------------------------------- */

static void one_reduction(void) {
    static const nn_reduction kinds[] = {NN_MEAN, NN_SUM, NN_MAX};
    int32_t extents[6];
    const int rank = 1 + pick(4);
    const uint32_t axes = (uint32_t)pick(1 << rank);
    const nn_reduction fold = (nn_reduction)(NN_MIN + pick(NN_STD - NN_MIN + 1));
    nn_reduce_args *r = &current.args.reduce;
    nn_view view;
    for (int i = 0; i < rank; i++) extents[i] = odd_extent(rank < 3 ? 257 : 33);
    begin_case(NN_KERNEL_REDUCE, "reduce drawn, rank %d %dx%d.. axes %u", rank, (int)extents[0],
               rank > 1 ? (int)extents[1] : 0, (unsigned)axes);
    memset(&view, 0, sizeof view);
    view.dtype = NN_F32;
    view.shape = nn_make_shape(extents, rank);
    r->x = make_like(FILL_SIGNED, &view);
    for (int i = 0; i < rank; i++) view.shape.extent[i] = axes >> i & 1 ? 1 : extents[i];
    r->axes = axes;
    r->reduction = kinds[pick(3)];
    r->accumulate = r->reduction == NN_SUM && pick(2);
    r->scale = r->accumulate ? -0.25f : 1.0f;
    r->y = make_like(r->accumulate ? FILL_SIGNED : FILL_NAN, &view);
    end_case();
    r = begin_fold(rank, extents, axes, fold, " drawn");
    if (fold == NN_PROD) /* near 1, so that the product stays a number */
        for (int64_t k = 0; k < view_count(&r->x); k++)
            ((float *)r->x.handle)[k] = 1 + 0.01f * ((float *)r->x.handle)[k];
    if (fold == NN_VAR || fold == NN_STD) r->correction = 0; /* a set may have one number */
    end_case();
    if (fold != NN_PROD && (fold < NN_ANY || fold > NN_ARGMIN)) {
        const int n = pick(6) ? odd_extent(700) : 30000 + pick(20000);
        begin_slope(n > 700 ? 1 + pick(3) : odd_extent(99), n, fold, pick(2) == 0, " drawn");
        end_case();
    }
}
static void test_reduce_random(void) { draw(8, false, one_reduction); }

static void one_softmax(void) {
    const int rows = odd_extent(129), classes = odd_extent(257);
    const bool logarithm = pick(2) == 0, large = pick(2) == 0;
    nn_softmax_args *s = &current.args.softmax_forward;
    begin_case(NN_KERNEL_SOFTMAX_FORWARD, "softmax drawn %dx%d%s", rows, classes,
               logarithm ? " log" : "");
    s->logarithm = logarithm;
    s->x = make_view(FILL_SIGNED, 2, rows, classes, 0, 0);
    for (int64_t k = 0; k < view_count(&s->x) && large; k++)
        ((float *)s->x.handle)[k] = ((float *)s->x.handle)[k] * 30 + 1000;
    s->y = make_output(false, 2, rows, classes, 0, 0);
    end_case();
    s = &current.args.softmax_backward;
    begin_case(NN_KERNEL_SOFTMAX_BACKWARD, "softmax backward drawn %dx%d%s", rows, classes,
               logarithm ? " log" : "");
    s->logarithm = logarithm;
    s->dy = make_view(FILL_SIGNED, 2, rows, classes, 0, 0);
    s->y = make_view(FILL_POSITIVE, 2, rows, classes, 0, 0);
    for (int64_t k = 0; k < view_count(&s->y); k++) { /* possible results of forward */
        float *y = &((float *)s->y.handle)[k];
        *y = logarithm ? -3 * *y : *y / (float)classes;
    }
    s->x = make_output(false, 2, rows, classes, 0, 0);
    end_case();
}
static void test_softmax_random(void) { draw(6, false, one_softmax); }

/* ---- norms ----------------------------------------------------------------------------------- */

static nn_norm_cut random_cut(void) {
    nn_norm_cut cut;
    memset(&cut, 0, sizeof cut);
    do {
        cut.across = pick(2) == 0;
        cut.outer = odd_extent(65);
        cut.groups = odd_extent(9);
        cut.channels = cut.across ? 1 : odd_extent(33);
        cut.inner = odd_extent(pick(2) ? 1 : pick(4) ? 129 : 301);
    } while ((cut.across ? cut.outer : cut.channels) * cut.inner < 3); /* a variance */
    if (pick(8)) return cut;
    cut.groups = 1 + pick(2); /* sets in pieces */
    if (cut.across || pick(2)) {
        cut.outer = 1 + pick(3);
        cut.channels = cut.across ? 1 : 1 + pick(3);
        cut.inner = 8000 + pick(9000);
    } else {
        cut.outer = 1 + pick(70);
        cut.channels = 8000 + pick(5000);
        cut.inner = 1;
    }
    return cut;
}

static void one_norm(void) {
    const nn_norm_cut cut = random_cut();
    const int outer = (int)cut.outer, inner = (int)cut.inner, all = cut.groups * cut.channels,
              sets = cut.across ? all : outer * cut.groups;
    const bool affine = pick(3) != 0, rms = !cut.across && pick(3) == 0,
               given = cut.across && pick(4) == 0, accumulate = pick(3) == 0;
    nn_norm_args *f = &current.args.norm_forward;
    nn_norm_backward_args *b = &current.args.norm_backward;
    begin_case(NN_KERNEL_NORM_FORWARD, "norm drawn (%d, %d, %d, %d)%s%s%s%s", outer,
               (int)cut.groups, (int)cut.channels, inner, cut.across ? " across" : "",
               affine ? " weights" : "", rms ? " rms" : "", given ? " given" : "");
    f->cut = cut;
    f->rms = rms;
    f->epsilon = 1e-2f; /* the sets are short: their variance may be next to nothing */
    f->activation = pick(2) ? NN_ACTIVATION_NONE : pick(2) ? NN_ACTIVATION_RELU
                                                           : NN_ACTIVATION_RELU6;
    f->y = make_output(false, 3, outer, all, inner, 0);
    f->x = make_view(FILL_SIGNED, 3, outer, all, inner, 0);
    if (affine) f->weight = make_view(FILL_SIGNED, 1, all, 0, 0, 0);
    if (affine && !rms) f->bias = make_view(FILL_SIGNED, 1, all, 0, 0, 0);
    if (!rms) f->mean = make_output(false, 1, sets, 0, 0, 0);
    f->rstd = make_output(false, 1, sets, 0, 0, 0);
    if (!rms && !given) f->variance = make_output(false, 1, sets, 0, 0, 0);
    if (given) f->running_mean = make_view(FILL_SIGNED, 1, all, 0, 0, 0);
    if (given) f->running_var = make_view(FILL_POSITIVE, 1, all, 0, 0, 0);
    end_case();
    begin_case(NN_KERNEL_NORM_BACKWARD, "norm backward drawn (%d, %d, %d, %d)%s%s%s%s%s", outer,
               (int)cut.groups, (int)cut.channels, inner, cut.across ? " across" : "",
               affine ? " weights" : "", rms ? " rms" : "", given ? " given" : "",
               accumulate ? " acc" : "");
    b->cut = cut;
    b->fixed = given;
    b->accumulate = accumulate;
    if (!affine || pick(3)) b->dx = make_output(accumulate, 3, outer, all, inner, 0);
    if (affine) b->dweight = make_output(accumulate, 1, all, 0, 0, 0);
    if (affine && !rms) b->dbias = make_output(accumulate, 1, all, 0, 0, 0);
    b->dy = make_view(FILL_SIGNED, 3, outer, all, inner, 0);
    b->x = make_view(FILL_SIGNED, 3, outer, all, inner, 0);
    if (affine) b->weight = make_view(FILL_SIGNED, 1, all, 0, 0, 0);
    if (!rms) b->mean = make_view(FILL_SIGNED, 1, sets, 0, 0, 0);
    b->rstd = make_view(FILL_POSITIVE, 1, sets, 0, 0, 0);
    end_case();
}
static void test_norm_random(void) { draw(8, false, one_norm); }

/* ---- attention ------------------------------------------------------------------------------- */

typedef struct attention_shape { int N, H, K, L, S, E, V; bool inside; } attention_shape;

/* Makes `rows` rows of `width` numbers for each head, in the order of the tensors. */
static nn_view make_heads(fill_kind fill, const attention_shape *s, int heads, int rows, int width) {
    return make_view(fill, 4, s->N, s->inside ? rows : heads, s->inside ? heads : rows, width);
}

/* Makes the masks of keys and the operands of both directions. */
static nn_attention_args *attention_begin(nn_kernel kernel, const attention_shape *s, int masks) {
    nn_attention_args *a = &current.args.attention_forward; /* the two are one struct */
    begin_case(kernel, "%s drawn (%d, %d, %d, %d) on %d keys of %d heads, %d%s, masks %d",
               nn_kernel_name(kernel), s->N, s->H, s->L, s->E, s->S, s->K, s->V,
               s->inside ? " inside" : "", masks);
    a->heads_inside = s->inside;
    a->scale = 0.75f;
    a->causal = (masks & 1) != 0;
    a->alibi = (masks & 2) != 0;
    a->window = masks & 4 ? 1 + s->S / 2 : 0;
    a->offset = s->S > s->L ? s->S - s->L : 0;
    a->q = make_heads(FILL_SIGNED, s, s->H, s->L, s->E);
    a->k = make_heads(FILL_SIGNED, s, s->K, s->S, s->E);
    a->v = make_heads(FILL_SIGNED, s, s->K, s->S, s->V);
    if (masks & 8) a->lengths = make_i32(1, s->N, 0, 0, 0, s->S + 1);
    if (masks & 16) {
        a->mask = make_view(FILL_SIGNED, 4, masks & 32 ? s->N : 1, s->H, s->L, s->S);
        for (int64_t k = 0; k < view_count(&a->mask); k += 5)
            ((float *)a->mask.handle)[k] = -INFINITY;
    }
    if (masks & 64) a->dropout = 0.3f, a->seed = 5, a->stream = 9;
    return a;
}

static void one_attention(void) {
    attention_shape s;
    const int masks = pick(128);
    nn_attention_args *a;
    s.N = 1 + pick(2), s.K = 1 + pick(2), s.H = s.K * (1 + pick(3));
    s.L = odd_extent(65), s.S = odd_extent(129);
    s.E = odd_extent(33), s.V = odd_extent(33);
    s.inside = pick(2) == 0;
    a = attention_begin(NN_KERNEL_ATTENTION_FORWARD, &s, masks);
    a->y = make_heads(FILL_NAN, &s, s.H, s.L, s.V);
    a->log_sum = make_output(false, 3, s.N, s.H, s.L, 0);
    a->status = make_status(0);
    end_case();
    a = attention_begin(NN_KERNEL_ATTENTION_BACKWARD, &s, masks);
    a->y = make_heads(FILL_SIGNED, &s, s.H, s.L, s.V);
    a->dy = make_heads(FILL_SIGNED, &s, s.H, s.L, s.V);
    a->log_sum = make_view(FILL_POSITIVE, 3, s.N, s.H, s.L, 0);
    for (int64_t k = 0; k < view_count(&a->log_sum); k++)
        ((float *)a->log_sum.handle)[k] = k % 7 == 5 ? INFINITY : 3.0f + (float)(k % 3);
    if (a->mask.dtype && pick(2)) a->dmask = make_like(FILL_NAN, &a->mask);
    a->dq = make_heads(FILL_NAN, &s, s.H, s.L, s.E);
    if (pick(4)) a->dk = make_heads(FILL_NAN, &s, s.K, s.S, s.E);
    if (pick(4)) a->dv = make_heads(FILL_NAN, &s, s.K, s.S, s.V);
    end_case();
}
static void test_attention_random(void) { draw(6, false, one_attention); }

/* ---- gathers --------------------------------------------------------------------------------- */

/* Makes indices of rows, some of them out of range. */
static nn_view random_index(int rank, int a, int b, int c, int count) {
    nn_view index = make_i32(rank, a, b, c, 0, count);
    for (int64_t k = 0; k < view_count(&index); k++)
        if (pick(9) == 0)
            ((int32_t *)index.handle)[k] = pick(2) ? -1 - pick(3) : count + pick(3) * 100000;
    return index;
}

static void one_gather(void) {
    const int outer = odd_extent(9), count = odd_extent(33), row = odd_extent(257),
              chosen = odd_extent(129);
    nn_gather_args *g = &current.args.gather;
    nn_scatter_add_args *s = &current.args.scatter_add;
    nn_gather_elements_args *e = &current.args.gather_elements;
    nn_scatter_elements_args *t = &current.args.scatter_elements;
    begin_case(NN_KERNEL_GATHER, "gather drawn %d of (%d, %d, %d)", chosen, outer, count, row);
    g->axis = 1;
    g->x = make_view(FILL_SIGNED, 3, outer, count, row, 0);
    g->y = make_output(false, 3, outer, chosen, row, 0);
    g->index = random_index(1, chosen, 0, 0, count);
    end_case();
    begin_case(NN_KERNEL_SCATTER_ADD, "scatter_add drawn %d to (%d, %d, %d)", chosen, outer, count,
               row);
    s->axis = 1;
    s->accumulate = pick(2) == 0;
    s->skip = pick(3) == 0;
    s->skip_index = count / 2;
    s->y = make_output(s->accumulate, 3, outer, count, row, 0);
    s->x = make_view(FILL_SIGNED, 3, outer, chosen, row, 0);
    s->index = random_index(1, chosen, 0, 0, count);
    end_case();
    begin_case(NN_KERNEL_GATHER_ELEMENTS, "gather_elements drawn %d of (%d, %d, %d)", chosen,
               outer, count, row);
    e->axis = 1;
    e->x = make_view(FILL_SIGNED, 3, outer, count, row, 0);
    e->y = make_output(false, 3, outer, chosen, row, 0);
    e->index = random_index(3, outer, chosen, row, count);
    end_case();
    begin_case(NN_KERNEL_SCATTER_ELEMENTS, "scatter_elements drawn %d to (%d, %d, %d)", chosen,
               outer, count, row);
    t->axis = 1;
    t->combine = (nn_combination)pick(5);
    t->y = make_output(false, 3, outer, count, row, 0);
    if (pick(2)) t->base = make_view(FILL_SIGNED, 3, outer, count, row, 0);
    t->x = make_view(FILL_SIGNED, 3, outer, chosen, row, 0);
    t->index = random_index(3, outer, chosen, row, count);
    end_case();
}
static void test_gather_random(void) { draw(6, false, one_gather); }
