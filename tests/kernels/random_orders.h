/* random_orders.h: the part of test_backends.c that draws shapes for the kernels of losses,
   metrics, order, images, optimizers and steps in time, as random_kernels.h does for the others.
   Included after random_kernels.h. */

/* ---- losses and metrics ---------------------------------------------------------------------- */

static void one_entropy(void) {
    static const nn_reduction reductions[] = {NN_MEAN, NN_SUM, NN_REDUCTION_NONE};
    static const float spreads[] = {1, 5, 30};
    entropy_case e;
    memset(&e, 0, sizeof e);
    e.N = odd_extent(129), e.C = odd_extent(257), e.D = pick(3) ? 1 : 3 * (1 + pick(9));
    e.reduction = reductions[pick(3)];
    e.plain = pick(4) == 0;
    e.smoothing = e.plain || pick(2) ? 0.0f : 0.1f;
    e.weighted = pick(2) == 0;
    e.ignored = e.C > 2 && pick(2) ? 1 : 0;
    e.bad = e.N * e.D >= 6 && pick(4) == 0 ? 1 + pick(4) : 0;
    e.spread = spreads[pick(3)];
    nn_cross_entropy_args *c = entropy_begin(NN_KERNEL_CROSS_ENTROPY_FORWARD, &e);
    const bool each = c->reduction == NN_REDUCTION_NONE;
    c->loss = each ? make_entropy_losses(FILL_NAN, c) : make_number(NAN);
    end_case();
    c = entropy_begin(NN_KERNEL_CROSS_ENTROPY_BACKWARD, &e);
    current.status_may_stay = true; /* forward has already set the status */
    c->dlogits = make_like(FILL_NAN, &c->logits);
    c->dloss = each ? make_entropy_losses(FILL_SIGNED, c) : make_number(1.5f);
    end_case();
}
static void test_entropy_random(void) { draw(6, false, one_entropy); }

static void one_metric(void) {
    const int shape[3] = {odd_extent(257), 1 + odd_extent(64), pick(3) ? 1 : 3 * (1 + pick(9))},
              wrong = pick(3) ? 0 : pick(2) ? -100 : shape[1];
    nn_accuracy_args *a = &current.args.accuracy;
    nn_confusion_args *c = &current.args.confusion;
    begin_case(NN_KERNEL_ACCURACY, "accuracy drawn N%d C%d D%d", shape[0], shape[1], shape[2]);
    a->top = pick(shape[1] + 1);
    class_operands(shape, wrong, &a->logits, &a->label);
    a->y = make_number(NAN);
    end_case();
    begin_case(NN_KERNEL_CONFUSION, "confusion drawn N%d C%d D%d", shape[0], shape[1], shape[2]);
    class_operands(shape, wrong, &c->logits, &c->label);
    c->counts = make_i32(2, shape[1], shape[1], 0, 0, 1000);
    if (pick(2)) c->status = make_status(pick(3) ? 0 : 9);
    end_case();
}
static void test_metric_random(void) { draw(6, false, one_metric); }

/* ---- order ----------------------------------------------------------------------------------- */

static void one_scan(void) {
    const int a = odd_extent(17), b = odd_extent(65), c = odd_extent(129), axis = pick(3);
    const nn_scan kind = (nn_scan)pick(NN_SCAN_MIN + 1),
                  back = pick(2) ? NN_SCAN_PRODUCT : NN_SCAN_LOGSUMEXP;
    nn_scan_args *s = &current.args.scan;
    nn_scan_backward_args *d = &current.args.scan_backward;
    begin_case(NN_KERNEL_SCAN, "scan drawn %d of (%d, %d, %d) along %d", (int)kind, a, b, c, axis);
    s->axis = axis;
    s->kind = kind;
    s->reverse = pick(2) == 0;
    s->x = make_view(FILL_SIGNED, 3, a, b, c, 0);
    for (int64_t k = 0; k < view_count(&s->x) && kind >= NN_SCAN_MAX; k++) { /* ties, some NaN */
        float *x = (float *)s->x.handle + k;
        *x = k % 977 == 976 ? (float)NAN : fminf(0.75f, fmaxf(-0.75f, *x));
    }
    if (kind >= NN_SCAN_MAX && pick(2)) s->index = make_i32(3, a, b, c, 0, 9);
    s->y = make_output(false, 3, a, b, c, 0);
    end_case();
    begin_case(NN_KERNEL_SCAN_BACKWARD, "scan backward drawn %d of (%d, %d, %d) along %d",
               (int)back, a, b, c, axis);
    d->axis = axis;
    d->kind = back;
    d->dy = make_view(FILL_SIGNED, 3, a, b, c, 0);
    d->x = make_view(FILL_SIGNED, 3, a, b, c, 0);
    d->y = make_view(FILL_SIGNED, 3, a, b, c, 0);
    for (int64_t k = 0; k < view_count(&d->y) && back == NN_SCAN_LOGSUMEXP; k++)
        ((float *)d->y.handle)[k] += ((float *)d->x.handle)[k] + 1 + (float)(k % 7) * 0.1f;
    d->dx = make_output(false, 3, a, b, c, 0);
    end_case();
}
static void test_scan_random(void) { draw(6, false, one_scan); }

static void one_sort(void) {
    const bool large = pick(12) == 0;
    const int x[3] = {large ? 1 : odd_extent(9), large ? 1 + pick(2) : odd_extent(33),
                      large ? 2000 + pick(4000) : odd_extent(257)},
              axis = large ? 2 : pick(3), kept = pick(2) ? x[axis] : 1 + pick(x[axis]);
    int y[3] = {x[0], x[1], x[2]};
    nn_sort_args *s = &current.args.sort;
    y[axis] = kept;
    begin_case(NN_KERNEL_SORT, "sort drawn %d of axis %d of (%d, %d, %d)", kept, axis, x[0], x[1],
               x[2]);
    s->axis = axis;
    s->descending = pick(2) == 0;
    s->x = make_view(FILL_SIGNED, 3, x[0], x[1], x[2], 0);
    const bool ties = pick(2) == 0;
    for (int64_t k = 0; k < view_count(&s->x) && ties; k++) {
        float *number = (float *)s->x.handle + k;
        *number = (float)(int)(*number * 3);
        if (k % 11 == 0) *number = k % 2 ? 0.0f : -0.0f;
        if (k % 31 == 4) *number = (float)NAN;
        if (k % 31 == 9) *number = k % 2 ? INFINITY : -INFINITY;
    }
    s->y = make_output(false, 3, y[0], y[1], y[2], 0);
    if (pick(4)) s->index = make_i32(3, y[0], y[1], y[2], 0, 9);
    end_case();
}
static void test_sort_random(void) { draw(6, false, one_sort); }

/* ---- images ---------------------------------------------------------------------------------- */

static void resize_begin(nn_kernel kernel, const int e[6], int mode, int way) {
    const bool forward = kernel == NN_KERNEL_RESIZE_FORWARD, smooth = mode >= NN_RESIZE_LINEAR;
    nn_resize_args *r = &current.args.resize_forward; /* the two are one struct */
    begin_case(kernel, "%s drawn mode %d (%d, %d, %d, %d) to (%d, %d) way %d",
               nn_kernel_name(kernel), mode, e[0], e[1], e[2], e[3], e[4], e[5], way);
    r->mode = (nn_resize_mode)mode;
    r->align_corners = smooth && way == 1;
    r->antialias = smooth && way == 2;
    r->accumulate = !forward && pick(2);
    r->cubic = r->antialias ? -0.5f : -0.75f;
    r->step_h = r->align_corners ? e[4] > 1 ? (float)(e[2] - 1) / (float)(e[4] - 1) : 0.0f
                                 : (float)e[2] / (float)e[4];
    r->step_w = r->align_corners ? e[5] > 1 ? (float)(e[3] - 1) / (float)(e[5] - 1) : 0.0f
                                 : (float)e[3] / (float)e[5];
    const int few = !smooth ? 1 : mode == NN_RESIZE_CUBIC ? 4 : 2;
    r->taps_h = !forward ? e[4] : r->antialias ? e[2] + 1 : few;
    r->taps_w = !forward ? e[5] : r->antialias ? e[3] + 1 : few;
    r->y = make_output(!forward, 4, e[0], e[1], e[4], e[5]);
    r->x = make_output(forward || r->accumulate, 4, e[0], e[1], e[2], e[3]);
    end_case();
}

static void one_resize(void) {
    const int e[6] = {1 + pick(2),    odd_extent(9), odd_extent(17), odd_extent(65),
                      odd_extent(17), odd_extent(65)},
              mode = pick(NN_RESIZE_CUBIC + 1), way = pick(3);
    resize_begin(NN_KERNEL_RESIZE_FORWARD, e, mode, way);
    resize_begin(NN_KERNEL_RESIZE_BACKWARD, e, mode, way);
}
static void test_resize_random(void) { draw(6, false, one_resize); }

static void grid_begin(nn_kernel kernel, const int e[6], int ways) {
    const bool forward = kernel == NN_KERNEL_GRID_SAMPLE_FORWARD;
    nn_grid_sample_args *g = &current.args.grid_sample_forward; /* the two are one struct */
    begin_case(kernel, "%s drawn (%d, %d, %d, %d) at (%d, %d) ways %d", nn_kernel_name(kernel),
               e[0], e[1], e[2], e[3], e[4], e[5], ways);
    g->mode = (nn_grid_mode)(ways % 3);
    g->padding = (nn_grid_padding)(ways / 3 % 3);
    g->align_corners = ways / 9 % 2 == 1;
    g->accumulate = !forward && pick(2);
    g->grid = make_view(FILL_SIGNED, 4, e[0], e[4], e[5], 2);
    for (int64_t k = 0; k < view_count(&g->grid); k++)
        ((float *)g->grid.handle)[k] *= k % 11 ? 1.1f : 2.7f;
    g->y = make_output(!forward, 4, e[0], e[1], e[4], e[5]);
    const int which = pick(3); /* of the two gradients */
    if (forward || which != 1) g->x = make_view(FILL_SIGNED, 4, e[0], e[1], e[2], e[3]);
    if (!forward && which != 2) g->dx = make_output(g->accumulate, 4, e[0], e[1], e[2], e[3]);
    if (!forward && which != 1) g->dgrid = make_output(g->accumulate, 4, e[0], e[4], e[5], 2);
    end_case();
}

static void one_grid(void) {
    const int e[6] = {1 + pick(3),    odd_extent(17), odd_extent(9), odd_extent(17),
                      odd_extent(17), odd_extent(33)},
              ways = pick(18);
    grid_begin(NN_KERNEL_GRID_SAMPLE_FORWARD, e, ways);
    grid_begin(NN_KERNEL_GRID_SAMPLE_BACKWARD, e, ways);
}
static void test_grid_random(void) { draw(6, false, one_grid); }

/* ---- optimizers ------------------------------------------------------------------------------ */

static void one_update(void) {
    static const nn_optimizer optimizers[] = {NN_SGD, NN_ADAM, NN_ADAMW};
    const nn_optimizer optimizer = optimizers[pick(3)];
    const bool adam = optimizer != NN_SGD, momentum = !adam && pick(3) != 0;
    const int count = 1 + pick(8), drawn = pick(1 << 20);
    nn_update_args *u = &current.args.update;
    nn_clip_args *c = &current.args.clip;
    begin_case(NN_KERNEL_UPDATE, "update drawn optimizer %d of %d, %d", (int)optimizer, count,
               drawn);
    u->items = current.items;
    u->count = count;
    u->optimizer = optimizer;
    u->learning_rate = 0.03f;
    u->weight_decay = pick(2) ? 0.1f : 0.0f;
    u->momentum = momentum ? 0.9f : 0.0f;
    u->nesterov = momentum && pick(2);
    u->dampening = momentum && !u->nesterov && pick(2) ? 0.3f : 0.0f;
    u->beta1 = 0.9f, u->beta2 = 0.999f, u->epsilon = 1e-8f;
    u->step = pick(3) ? 2 + pick(1000) : 1;
    if (pick(2)) u->gradient_scale = make_number(0.37f);
    u->status = make_status(pick(8) ? 0 : 9);
    for (int i = 0; i < count; i++) {
        nn_update_item *item = &current.items[i];
        const int n = odd_extent(257) * (1 + pick(40));
        item->parameter = make_view(FILL_SIGNED, 1, n, 0, 0, 0);
        item->gradient = make_view(FILL_SIGNED, 1, n, 0, 0, 0);
        if (adam || momentum) item->moment1 = make_view(FILL_SIGNED, 1, n, 0, 0, 0);
        if (adam) item->moment2 = make_view(FILL_POSITIVE, 1, n, 0, 0, 0);
    }
    end_case();
    begin_case(NN_KERNEL_CLIP, "clip drawn of %d, %d", count, drawn);
    c->items = current.items;
    c->count = count;
    c->max_norm = pick(2) ? 0.5f : 1e6f;
    for (int i = 0; i < count; i++)
        current.items[i].gradient =
            make_view(FILL_SIGNED, 1, odd_extent(257) * (1 + pick(40)), 0, 0, 0);
    c->scale = make_number(NAN);
    if (pick(2)) c->norm = make_number(NAN);
    end_case();
}
static void test_update_random(void) { draw(6, false, one_update); }

/* ---- all gradients of a linear layer --------------------------------------------------------- */

static void one_linear_gradient(void) {
    nn_linear_gradient_args *g = &current.args.linear_gradient;
    const int M = odd_extent(129), N = odd_extent(257), K = odd_extent(257),
              outputs = 1 + pick(7), drawn = pick(1000000);
    begin_case(NN_KERNEL_LINEAR_GRADIENT, "linear gradient drawn of m%d n%d k%d, %d: %d", M, N, K,
               outputs, drawn);
    g->activation = pick(2) ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    g->dy = make_view(FILL_SIGNED, 2, M, N, 0, 0);
    g->x = make_view(FILL_SIGNED, 2, M, K, 0, 0);
    if (outputs & 1) g->dweight = make_view(FILL_NAN, 2, N, K, 0, 0);
    if (outputs & 2) g->dbias = make_view(FILL_NAN, 1, N, 0, 0, 0);
    if (outputs & 4) {
        g->weight = make_view(FILL_SIGNED, 2, N, K, 0, 0);
        g->dx = make_view(FILL_NAN, 2, M, K, 0, 0);
    }
    end_case();
}
static void test_linear_gradient_random(void) { draw(6, false, one_linear_gradient); }

/* ---- steps in time --------------------------------------------------------------------------- */

/* Makes lengths of samples in [0, most], some at both ends; rarely one out of range. */
static nn_view drawn_lengths(int count, int most, bool wrong) {
    const nn_view view = make_i32(1, count, 0, 0, 0, most + 1);
    int32_t *lengths = (int32_t *)view.handle;
    for (int i = 0; i < count; i++)
        if (pick(3) == 0) lengths[i] = pick(4) ? most : 0;
    if (wrong) lengths[pick(count)] = pick(2) ? -1 : most + 1;
    return view;
}

/* T N C S: as in kernels/ctc/args.h. The reference multiplies probabilities, so there are not too
   many steps. */
static void ctc_begin(nn_kernel kernel, const int e[4], int drawn) {
    const bool forward = kernel == NN_KERNEL_CTC_FORWARD;
    const int T = e[0], N = e[1], C = e[2], S = e[3];
    nn_ctc_args *c = &current.args.ctc_forward; /* the two are one struct */
    begin_case(kernel, "%s drawn (%d, %d, %d), %d targets, %d", nn_kernel_name(kernel), T, N, C, S,
               drawn);
    c->log_probabilities = make_view(FILL_SIGNED, 3, T, N, C, 0);
    for (int64_t k = 0; k < view_count(&c->log_probabilities); k++) {
        float *x = (float *)c->log_probabilities.handle + k;
        *x = 2 * *x - 2;
    }
    c->blank = pick(3) ? 0 : pick(C);
    c->zero_infinity = pick(2) == 0;
    c->step = 77;
    c->targets = make_i32(2, N, S, 0, 0, pick(2) ? C - 1 : 1); /* often all are equal */
    for (int k = 0; k < N * S; k++) {
        int32_t *label = (int32_t *)c->targets.handle + k;
        *label += *label >= c->blank; /* blanks around the labels */
    }
    if (pick(6) == 0) ((int32_t *)c->targets.handle)[pick(N * S)] = pick(2) ? C : c->blank;
    c->input_lengths = drawn_lengths(N, T, pick(8) == 0);
    c->target_lengths = drawn_lengths(N, S, pick(8) == 0);
    if (forward) {
        c->loss = make_output(false, 1, N, 0, 0, 0);
        c->status = make_status(0);
    } else {
        c->dlog_probabilities = make_output(false, 3, T, N, C, 0);
        if (pick(2)) c->dloss = make_view(FILL_SIGNED, 1, N, 0, 0, 0);
    }
    end_case();
}

static void one_ctc(void) {
    const int e[4] = {odd_extent(129), odd_extent(9), 1 + odd_extent(129), odd_extent(33)},
              drawn = pick(1 << 20);
    ctc_begin(NN_KERNEL_CTC_FORWARD, e, drawn);
    ctc_begin(NN_KERNEL_CTC_BACKWARD, e, drawn);
}
static void test_ctc_random(void) { draw(6, false, one_ctc); }

typedef struct recurrent_shape {
    int N, T, H, P, gates, kinds, width; /* P: H without a projection; width: of a state */
    nn_recurrent_cell cell;
    bool lstm, projected, reverse, lengths, wrong;
    int drawn;
} recurrent_shape;

static recurrent_shape random_recurrent_shape(void) {
    recurrent_shape s;
    s.cell = (nn_recurrent_cell)pick(NN_RECURRENT_LSTM + 1);
    s.lstm = s.cell == NN_RECURRENT_LSTM;
    s.projected = s.lstm && pick(3) == 0;
    s.N = odd_extent(33), s.T = 1 + pick(5), s.H = odd_extent(pick(4) ? 17 : 65);
    s.P = s.projected ? odd_extent(pick(4) ? 17 : 65) : s.H;
    s.gates = s.H * NN_RECURRENT_GATES(s.cell);
    s.kinds = s.H * NN_RECURRENT_KEPT(s.cell);
    s.width = s.P + (s.lstm ? s.H : 0);
    s.reverse = pick(2) == 0;
    s.lengths = pick(2) == 0;
    s.wrong = s.lengths && pick(6) == 0;
    s.drawn = pick(1 << 20);
    return s;
}

/* Makes a weight so small that errors do not grow from step to step. */
static nn_view recurrent_weight(const recurrent_shape *s, float scale) {
    const nn_view weight = make_view(FILL_SIGNED, 2, s->gates, s->P, 0, 0);
    for (int k = 0; k < s->gates * s->P; k++) ((float *)weight.handle)[k] *= scale;
    return weight;
}

static void recurrent_forward(const recurrent_shape *s, const char *cell) {
    nn_recurrent_args *r = &current.args.recurrent_forward;
    begin_case(NN_KERNEL_RECURRENT_FORWARD, "%s drawn N%d T%d H%d P%d%s%s, %d", cell, s->N, s->T,
               s->H, s->P, s->reverse ? " reverse" : "", s->lengths ? " lengths" : "", s->drawn);
    r->cell = s->cell;
    r->reverse = s->reverse;
    r->step = 77;
    r->y = make_output(false, 3, s->N, s->T, s->P, 0);
    if (pick(3)) r->state = make_output(false, 2, s->N, s->width, 0, 0);
    if (s->kinds && pick(2)) r->kept = make_output(false, 3, s->N, s->T, s->kinds, 0);
    if (s->projected && pick(2)) r->raw = make_output(false, 3, s->N, s->T, s->H, 0);
    r->x = make_view(FILL_SIGNED, 3, s->N, s->T, s->gates, 0);
    r->weight = recurrent_weight(s, 1.5f / (float)s->P);
    if (pick(3)) r->bias = make_view(FILL_SIGNED, 1, s->gates, 0, 0, 0);
    if (s->projected) r->projection = make_view(FILL_SIGNED, 2, s->P, s->H, 0, 0);
    if (s->lengths) r->lengths = drawn_lengths(s->N, s->T, s->wrong);
    if (s->lengths) r->status = make_status(0);
    if (pick(2)) r->h0 = make_view(FILL_SIGNED, 2, s->N, s->P, 0, 0);
    if (s->lstm && pick(2)) r->c0 = make_view(FILL_SIGNED, 2, s->N, s->H, 0, 0);
    end_case();
}

/* The kept numbers need not come from a forward pass: any gates will do. */
static void recurrent_backward(const recurrent_shape *s, const char *cell) {
    nn_recurrent_backward_args *r = &current.args.recurrent_backward;
    const int gradients = pick(3); /* dy, dstate or both */
    begin_case(NN_KERNEL_RECURRENT_BACKWARD, "%s backward drawn N%d T%d H%d P%d%s%s, %d", cell,
               s->N, s->T, s->H, s->P, s->reverse ? " reverse" : "", s->lengths ? " lengths" : "",
               s->drawn);
    r->cell = s->cell;
    r->reverse = s->reverse;
    r->dhidden = make_output(false, 3, s->N, s->T, s->gates, 0);
    if (s->cell == NN_RECURRENT_GRU && pick(3))
        r->dx = make_output(false, 3, s->N, s->T, s->gates, 0);
    if (pick(2)) r->before = make_output(false, 3, s->N, s->T, s->P, 0);
    if (s->projected && pick(2)) r->dprojected = make_output(false, 3, s->N, s->T, s->P, 0);
    if (pick(2)) r->dstate0 = make_output(false, 2, s->N, s->width, 0, 0);
    if (gradients != 0) r->dy = make_view(FILL_SIGNED, 3, s->N, s->T, s->P, 0);
    if (gradients != 1) r->dstate = make_view(FILL_SIGNED, 2, s->N, s->width, 0, 0);
    if (s->kinds) r->kept = make_view(FILL_SIGNED, 3, s->N, s->T, s->kinds, 0);
    r->y = make_view(FILL_SIGNED, 3, s->N, s->T, s->P, 0);
    r->weight = recurrent_weight(s, 3.0f / (float)s->gates);
    if (s->projected) r->projection = make_view(FILL_SIGNED, 2, s->P, s->H, 0, 0);
    if (s->lengths) r->lengths = drawn_lengths(s->N, s->T, s->wrong);
    if (pick(2)) r->h0 = make_view(FILL_SIGNED, 2, s->N, s->P, 0, 0);
    if (s->lstm && pick(2)) r->c0 = make_view(FILL_SIGNED, 2, s->N, s->H, 0, 0);
    end_case();
}

static void one_recurrent(void) {
    static const char *const cells[] = {"tanh", "relu", "gru", "lstm"};
    const recurrent_shape s = random_recurrent_shape();
    recurrent_forward(&s, cells[s.cell]);
    recurrent_backward(&s, cells[s.cell]);
}
static void test_recurrent_random(void) { draw(6, false, one_recurrent); }
