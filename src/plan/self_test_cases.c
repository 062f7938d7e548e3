/* plan/self_test_cases.c - small odd cases for every kernel. Shapes are no multiples of any tile, and a few
   are larger than one. It runs nothing and knows no right answer: plan/self_test.c asks the CPU. Next:
   model/move.c. */
#include "plan/private.h"

#ifndef NN_NO_REPORTS

/* ---- operands -------------------------------------------------------------------------------- */

static float nn__self_test_unit(nn__self_test *test) { /* [-1, 1) */
    uint32_t words[4];
    nn_random_words(17, 4, test->counter++, words);
    return nn_word_to_uniform(words[0]) * 2 - 1;
}

/* A view of so many extents (0 ends them) with its place in the block. */
static char *nn__self_test_view_of(nn__self_test *test, nn_view *view, bool output, nn_dtype dtype, int a, int b,
                                   int c, int d) {
    nn__self_test_view *entry = &test->views[test->view_count++];
    const int extents[4] = {a, b, c, d};
    NN_ASSERT(test->view_count <= NN__COUNT(test->views));
    memset(view, 0, sizeof *view);
    view->dtype = dtype;
    while (view->shape.rank < 4 && extents[view->shape.rank]) {
        view->shape.extent[view->shape.rank] = extents[view->shape.rank];
        view->shape.rank++;
    }
    entry->view = view;
    entry->at = test->used;
    entry->output = output;
    test->used += nn__padded(nn__bytes(view)) + NN__ALIGNMENT;
    NN_ASSERT(test->used <= NN__SELF_TEST_BYTES);
    return test->block + entry->at;
}

/* Numbers in [-1, 1). */
static float *nn__self_test_numbers(nn__self_test *test, nn_view *view, bool output, int a, int b, int c, int d) {
    float *numbers = (float *)(void *)nn__self_test_view_of(test, view, output, NN_F32, a, b, c, d);
    for (int64_t i = 0; i < nn__count(view); i++) numbers[i] = nn__self_test_unit(test);
    return numbers;
}

static float *nn__self_test_positive(nn__self_test *test, nn_view *view, int a, int b, int c, int d) {
    float *numbers = nn__self_test_numbers(test, view, false, a, b, c, d);
    for (int64_t i = 0; i < nn__count(view); i++) numbers[i] = 1.25f + numbers[i];
    return numbers;
}

/* Whole numbers in [0, below). */
static int32_t *nn__self_test_labels(nn__self_test *test, nn_view *view, int below, int a, int b) {
    int32_t *labels = (int32_t *)(void *)nn__self_test_view_of(test, view, false, NN_I32, a, b, 0, 0);
    for (int64_t i = 0; i < nn__count(view); i++) labels[i] = (int32_t)(i * 7 % below);
    return labels;
}

static uint8_t *nn__self_test_pixels(nn__self_test *test, nn_view *view, int a, int b, int c, int d) {
    uint8_t *pixels = (uint8_t *)(void *)nn__self_test_view_of(test, view, false, NN_U8, a, b, c, d);
    for (int64_t i = 0; i < nn__count(view); i++) pixels[i] = (uint8_t)(128 + 127 * nn__self_test_unit(test));
    return pixels;
}

static void nn__self_test_status(nn__self_test *test, nn_view *view, bool set) {
    char *word = nn__self_test_view_of(test, view, true, NN_I32, 1, 0, 0, 0);
    uint32_t value = set ? 5u << 3 | (uint32_t)NN_FAULT_LOSS : 0;
    memcpy(word, &value, sizeof value);
}

/* ---- cases, one function a kernel; each returns false when i is past its last ------------------ */

static bool nn__self_test_gemm(nn__self_test *test, int i) {
    static const struct {
        short m, n, k;
        char a, b, accumulate, bias, activation;
    } cases[] = {{5, 7, 3, 0, 0, 0, 1, NN_ACTIVATION_NONE},     {37, 29, 41, 0, 1, 0, 1, NN_ACTIVATION_RELU},
                 {33, 65, 17, 1, 0, 1, 0, NN_ACTIVATION_NONE},  {70, 66, 130, 0, 0, 0, 1, NN_ACTIVATION_GELU},
                 {1, 50, 33, 0, 1, 0, 1, NN_ACTIVATION_TANH},   {19, 1, 64, 1, 1, 0, 0, NN_ACTIVATION_SIGMOID},
                 {129, 67, 40, 0, 1, 0, 1, NN_ACTIVATION_RELU}, {64, 130, 65, 1, 1, 1, 0, NN_ACTIVATION_NONE}};
    nn_gemm_args *args = &test->args.gemm;
    if (i >= NN__COUNT(cases)) return false;
    const int m = cases[i].m, n = cases[i].n, k = cases[i].k;
    args->m = m, args->n = n, args->k = k;
    args->transpose_a = cases[i].a;
    args->transpose_b = cases[i].b;
    args->accumulate = cases[i].accumulate;
    args->epilogue.activation = (nn_activation)cases[i].activation;
    nn__self_test_numbers(test, &args->y, true, m, n, 0, 0);
    nn__self_test_numbers(test, &args->a, false, cases[i].a ? k : m, cases[i].a ? m : k, 0, 0);
    nn__self_test_numbers(test, &args->b, false, cases[i].b ? n : k, cases[i].b ? k : n, 0, 0);
    if (cases[i].bias) nn__self_test_numbers(test, &args->epilogue.bias, false, n, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "m %d, n %d, k %d%s%s%s, activation %d", m, n, k,
               cases[i].a ? ", a transposed" : "", cases[i].b ? ", b transposed" : "",
               cases[i].accumulate ? ", +=" : "", (int)cases[i].activation);
    return true;
}

typedef struct nn__self_test_window { /* a convolution's, or a pool's with K and groups unused */
    int N, C, H, W, K, R, S, stride, padding, dilation, groups;
} nn__self_test_window;

static int nn__self_test_out(int extent, int kernel, const nn__self_test_window *w) {
    return (extent + 2 * w->padding - w->dilation * (kernel - 1) - 1) / w->stride + 1;
}

/* All three kernels of a convolution; what is written depends on which. */
static bool nn__self_test_conv2d(nn__self_test *test, int i) {
    static const nn__self_test_window cases[] = {
        {2, 3, 9, 11, 5, 3, 3, 1, 1, 1, 1}, {1, 4, 10, 7, 6, 3, 2, 2, 1, 1, 2}, {2, 6, 8, 9, 6, 3, 3, 1, 1, 1, 6},
        {2, 5, 6, 7, 9, 1, 1, 1, 0, 1, 1},  {1, 3, 12, 12, 4, 3, 3, 1, 2, 2, 1}, {1, 17, 13, 14, 19, 3, 3, 1, 1, 1, 1}};
    const bool input = test->kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT;
    const bool weight = test->kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT, forward = !input && !weight;
    const nn__self_test_window *w = &cases[i / 2];
    nn_conv2d_args *args = &test->args.conv2d_forward; /* the three are one struct */
    nn_conv2d_params *p = &args->params;
    if (i / 2 >= NN__COUNT(cases)) return false;
    p->kernel_h = w->R, p->kernel_w = w->S, p->stride_h = p->stride_w = w->stride;
    p->padding_h = p->padding_w = w->padding, p->dilation_h = p->dilation_w = w->dilation;
    p->groups = w->groups;
    args->accumulate = !forward && i % 2;
    args->epilogue.activation = forward ? (nn_activation)(i % NN_ACTIVATION_COUNT) : NN_ACTIVATION_NONE;
    nn__self_test_numbers(test, &args->y, forward, w->N, w->K, nn__self_test_out(w->H, w->R, w),
                          nn__self_test_out(w->W, w->S, w));
    nn__self_test_numbers(test, &args->x, input, w->N, w->C, w->H, w->W);
    nn__self_test_numbers(test, &args->weight, weight, w->K, w->C / w->groups, w->R, w->S);
    if (!input && i % 3 < 2) nn__self_test_numbers(test, &args->epilogue.bias, weight, w->K, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "x (%d, %d, %d, %d), weight (%d, %d, %d, %d), stride %d%s", w->N,
               w->C, w->H, w->W, w->K, w->C / w->groups, w->R, w->S, w->stride, args->accumulate ? ", +=" : "");
    return true;
}

static bool nn__self_test_pool2d(nn__self_test *test, int i) {
    static const nn__self_test_window cases[] = {{2, 3, 9, 8, 0, 3, 3, 2, 1, 1, 0},
                                                 {1, 5, 7, 7, 0, 2, 2, 2, 0, 1, 0},
                                                 {2, 2, 11, 6, 0, 3, 2, 1, 1, 1, 0}};
    const bool forward = test->kernel == NN_KERNEL_POOL2D_FORWARD;
    const nn__self_test_window *w = &cases[i / 3];
    nn_pool2d_args *args = &test->args.pool2d_forward; /* the two are one struct */
    if (i / 3 >= NN__COUNT(cases)) return false;
    const int OH = nn__self_test_out(w->H, w->R, w), OW = nn__self_test_out(w->W, w->S, w);
    args->kind = i % 3 ? NN_POOL_AVERAGE : NN_POOL_MAX;
    args->count_only_inside = i % 3 == 2;
    args->kernel_h = w->R, args->kernel_w = w->S, args->stride_h = args->stride_w = w->stride;
    args->padding_h = args->padding_w = w->padding;
    nn__self_test_numbers(test, &args->y, forward, w->N, w->C, OH, OW);
    nn__self_test_numbers(test, &args->x, !forward, w->N, w->C, w->H, w->W);
    if (args->kind == NN_POOL_MAX) {
        int32_t *index = (int32_t *)(void *)nn__self_test_view_of(test, &args->index, forward, NN_I32, w->N, w->C,
                                                                  OH, OW);
        for (int64_t j = 0; j < nn__count(&args->index); j++) { /* each window's first element */
            int h = (int)(j / OW % OH) * w->stride - w->padding, v = (int)(j % OW) * w->stride - w->padding;
            index[j] = nn__maxi(h, 0) * w->W + nn__maxi(v, 0);
        }
    }
    nn__format(test->what, sizeof test->what, "%s, x (%d, %d, %d, %d), kernel (%d, %d), stride %d",
               i % 3 ? "average" : "max", w->N, w->C, w->H, w->W, w->R, w->S, w->stride);
    return true;
}

static void nn__self_test_pointwise_op(nn__self_test *test, int op) {
    nn_pointwise_args *args = &test->args.pointwise_forward;
    args->op = (nn_pointwise_op)op;
    args->scalar = op == NN_LEAKY_RELU ? 0.1f : op == NN_DROPOUT ? 0.3f : 2.5f;
    args->seed = 3, args->stream = 5, args->counter = 7;
    nn__format(test->what, sizeof test->what, "op %d, 1031 numbers", op);
}

static bool nn__self_test_pointwise_forward(nn__self_test *test, int i) {
    nn_pointwise_args *args = &test->args.pointwise_forward;
    if (i >= NN_POINTWISE_COUNT + 2) return false;
    nn__self_test_pointwise_op(test, i < NN_POINTWISE_COUNT ? i : i == NN_POINTWISE_COUNT ? NN_ADD : NN_MULTIPLY);
    if (i >= NN_POINTWISE_COUNT) { /* broadcasting */
        bool first = i == NN_POINTWISE_COUNT;
        nn__self_test_numbers(test, &args->y, true, 4, 5, 7, 0);
        nn__self_test_numbers(test, &args->a, false, 4, first ? 1 : 5, 7, 0);
        nn__self_test_numbers(test, &args->b, false, first ? 5 : 7, first ? 1 : 0, 0, 0);
        nn__format(test->what, sizeof test->what, "op %d, broadcast to (4, 5, 7)", (int)args->op);
        return true;
    }
    nn__self_test_numbers(test, &args->y, true, 1031, 0, 0, 0);
    nn__self_test_positive(test, &args->a, 1031, 0, 0, 0); /* logarithm and root want it so; others see both below */
    if (i != NN_LOG && i != NN_SQRT)
        for (int j = 0; j < 1031; j += 2) {
            float *a = (float *)(void *)(test->block + test->views[1].at);
            a[j] = -a[j];
        }
    if (i >= NN_BINARY_FIRST_) nn__self_test_positive(test, &args->b, 1031, 0, 0, 0);
    return true;
}

static bool nn__self_test_pointwise_backward(nn__self_test *test, int i) {
    nn_pointwise_args *args = &test->args.pointwise_backward;
    if (i >= NN_BINARY_FIRST_) return false;
    nn__self_test_pointwise_op(test, i);
    args->accumulate = i % 3 == 1;
    nn__self_test_numbers(test, &args->y, true, 1031, 0, 0, 0);
    nn__self_test_numbers(test, &args->a, false, 1031, 0, 0, 0);
    if (i == NN_LOG || i == NN_SQRT)
        nn__self_test_positive(test, &args->b, 1031, 0, 0, 0);
    else
        nn__self_test_numbers(test, &args->b, false, 1031, 0, 0, 0);
    return true;
}

static bool nn__self_test_reduce(nn__self_test *test, int i) {
    static const unsigned char axes[] = {1, 2, 4, 5, 7};
    static const nn_reduction reductions[] = {NN_MEAN, NN_SUM, NN_MAX};
    const int extents[3] = {13, 5, 37};
    nn_reduce_args *args = &test->args.reduce;
    if (i >= NN__COUNT(axes) * 3) return false;
    const unsigned over = axes[i / 3];
    args->axes = over;
    args->reduction = reductions[i % 3];
    args->scale = i % 3 == 1 ? 0.5f : 1.0f;
    args->accumulate = i % 3 == 1 && i / 3 % 2;
    nn__self_test_numbers(test, &args->y, true, over & 1 ? 1 : extents[0], over & 2 ? 1 : extents[1],
                          over & 4 ? 1 : extents[2], 0);
    nn__self_test_numbers(test, &args->x, false, extents[0], extents[1], extents[2], 0);
    nn__format(test->what, sizeof test->what, "reduction %d of (13, 5, 37) over axes %x", (int)args->reduction, over);
    return true;
}

static bool nn__self_test_softmax(nn__self_test *test, int i) {
    const bool forward = test->kernel == NN_KERNEL_SOFTMAX_FORWARD;
    nn_softmax_args *args = &test->args.softmax_forward; /* the two are one struct */
    if (i >= 4) return false;
    const int columns = i / 2 ? 301 : 7;
    float *y;
    args->logarithm = i % 2;
    y = nn__self_test_numbers(test, &args->y, forward, 9, columns, 0, 0);
    nn__self_test_numbers(test, &args->x, !forward, 9, columns, 0, 0);
    if (!forward) nn__self_test_numbers(test, &args->dy, false, 9, columns, 0, 0);
    for (int j = 0; !forward && j < 9 * columns; j++) /* near what a softmax gives */
        y[j] = args->logarithm ? y[j] - 3 : (y[j] + 1) / (float)columns;
    nn__format(test->what, sizeof test->what, "(9, %d)%s", columns, i % 2 ? ", logarithm" : "");
    return true;
}

static bool nn__self_test_cross_entropy(nn__self_test *test, int i) {
    const bool forward = test->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD;
    nn_cross_entropy_args *args = &test->args.cross_entropy_forward; /* the two are one struct */
    const int rows = 37, classes = i % 2 ? 130 : 10;
    if (i >= 5) return false;
    int32_t *label;
    args->reduction = i == 3 ? NN_SUM : NN_MEAN;
    args->label_smoothing = i >= 2 ? 0.1f : 0.0f;
    args->ignore = i >= 1;
    args->ignore_index = -100;
    args->step = 77;
    nn__self_test_numbers(test, &args->logits, false, rows, classes, 0, 0);
    label = nn__self_test_labels(test, &args->label, classes, rows, 0);
    if (args->ignore) label[5] = label[36] = -100;
    if (i == 4 && forward) label[7] = classes; /* out of range */
    if (i >= 2) nn__self_test_positive(test, &args->weight, classes, 0, 0, 0);
    nn__self_test_status(test, &args->status, false);
    if (forward) {
        nn__self_test_numbers(test, &args->loss, true, 1, 0, 0, 0);
    } else {
        nn__self_test_numbers(test, &args->dlogits, true, rows, classes, 0, 0);
        nn__self_test_numbers(test, &args->dloss, false, 1, 0, 0, 0);
    }
    nn__format(test->what, sizeof test->what, "(37, %d)%s%s%s", classes, i >= 2 ? ", weights, smoothing" : "",
               args->ignore ? ", some ignored" : "", i == 4 && forward ? ", a label out of range" : "");
    return true;
}

static bool nn__self_test_accuracy(nn__self_test *test, int i) {
    nn_accuracy_args *args = &test->args.accuracy;
    const int classes = i ? 130 : 3;
    if (i >= 2) return false;
    float *logits = nn__self_test_numbers(test, &args->logits, false, 53, classes, 0, 0);
    for (int j = 0; j < 53 * classes; j++) logits[j] = (float)(int)(logits[j] * 3); /* ties */
    nn__self_test_labels(test, &args->label, classes, 53, 0);
    nn__self_test_numbers(test, &args->y, true, 1, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "(53, %d), with ties", classes);
    return true;
}

static bool nn__self_test_confusion(nn__self_test *test, int i) {
    nn_confusion_args *args = &test->args.confusion;
    const int classes = i ? 11 : 3;
    if (i >= 4) return false;
    int32_t *counts =
        (int32_t *)(void *)nn__self_test_view_of(test, &args->counts, true, NN_I32, classes, classes, 0, 0);
    for (int j = 0; j < classes * classes; j++) counts[j] = j % 4; /* it adds to them */
    float *logits = nn__self_test_numbers(test, &args->logits, false, 53, classes, i == 1 ? 3 : 0, 0);
    for (int j = 0; j < 53 * classes; j++) logits[j] = (float)(int)(logits[j] * 3); /* ties */
    int32_t *label = nn__self_test_labels(test, &args->label, classes, 53, i == 1 ? 3 : 0);
    if (i == 2) label[0] = -1, label[31] = classes, label[52] = INT32_MIN;
    nn__self_test_status(test, &args->status, i == 3); /* set: nothing may be counted */
    nn__format(test->what, sizeof test->what, "(53, %d%s)%s", classes, i == 1 ? ", 3" : "",
               i == 2   ? ", labels out of range"
               : i == 3 ? ", after a fault"
                        : ", with ties");
    return true;
}

static bool nn__self_test_clip(nn__self_test *test, int i) {
    nn_clip_args *args = &test->args.clip;
    if (i >= 2) return false;
    args->items = test->items;
    args->count = 3;
    args->max_norm = i ? 1e6f : 0.5f;
    for (int j = 0; j < 3; j++) nn__self_test_numbers(test, &test->items[j].gradient, false, 1 + j * 501, 0, 0, 0);
    nn__self_test_numbers(test, &args->scale, true, 1, 0, 0, 0);
    nn__self_test_numbers(test, &args->norm, true, 1, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "3 gradients, %s", i ? "small" : "too large");
    return true;
}

static bool nn__self_test_update(nn__self_test *test, int i) {
    static const nn_optimizer optimizers[] = {NN_SGD, NN_SGD, NN_SGD, NN_ADAM, NN_ADAMW, NN_ADAM};
    nn_update_args *args = &test->args.update;
    if (i >= NN__COUNT(optimizers)) return false;
    const bool adam = optimizers[i] != NN_SGD, momentum = i == 1 || i == 2;
    args->items = test->items;
    args->count = 3;
    args->optimizer = optimizers[i];
    args->learning_rate = 0.03f, args->weight_decay = i % 2 ? 0.1f : 0.0f;
    args->momentum = momentum ? 0.9f : 0.0f, args->dampening = i == 1 ? 0.3f : 0.0f;
    args->nesterov = i == 2;
    args->beta1 = 0.9f, args->beta2 = 0.999f, args->epsilon = 1e-8f;
    args->step = i == 5 ? 1000 : 4;
    for (int j = 0; j < 3; j++) {
        nn_update_item *item = &test->items[j];
        const int count = 1 + j * 501;
        nn__self_test_numbers(test, &item->parameter, true, count, 0, 0, 0);
        nn__self_test_numbers(test, &item->gradient, false, count, 0, 0, 0);
        if (adam || momentum) nn__self_test_numbers(test, &item->moment1, true, count, 0, 0, 0);
        if (!adam) continue;
        nn__self_test_positive(test, &item->moment2, count, 0, 0, 0);
        test->views[test->view_count - 1].output = true;
    }
    if (i >= 4) nn__self_test_positive(test, &args->gradient_scale, 1, 0, 0, 0);
    nn__self_test_status(test, &args->status, i == 5); /* set: nothing may be updated */
    nn__format(test->what, sizeof test->what, "optimizer %d, case %d", (int)args->optimizer, i + 1);
    return true;
}

static bool nn__self_test_accumulate(nn__self_test *test, int i) {
    nn_accumulate_args *args = &test->args.accumulate;
    if (i >= 3) return false;
    args->weight = 64;
    args->check = i > 0;
    args->step = 1234;
    nn__self_test_numbers(test, &args->total, true, 2, 0, 0, 0);
    float *value = nn__self_test_numbers(test, &args->value, false, 1, 0, 0, 0);
    uint32_t infinite = 0x7f800000u;
    if (i == 2) memcpy(value, &infinite, sizeof infinite);
    nn__self_test_status(test, &args->status, false);
    nn__format(test->what, sizeof test->what, "%s", i == 0 ? "plain" : i == 1 ? "checked" : "infinite");
    return true;
}

static bool nn__self_test_random(nn__self_test *test, int i) {
    nn_random_args *args = &test->args.random;
    if (i >= 1) return false;
    args->seed = 11, args->stream = 13, args->counter = 0xfffffffeu;
    args->low = -0.5f, args->high = 2.0f;
    nn__self_test_numbers(test, &args->y, true, 1031, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "1031 numbers");
    return true;
}

/* A transposition, every other column turned round, and two pieces added to a filled tensor. */
static bool nn__self_test_strided_copy(nn__self_test *test, int i) {
    nn_strided_copy_args *args = &test->args.strided_copy;
    nn_copy_piece *piece = test->pieces;
    if (i >= 3) return false;
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < NN_COPY_AXES; a++) piece[k].extent[a] = 1, piece[k].x_stride[a] = piece[k].y_stride[a] = 0;
    args->pieces = piece;
    args->count = i == 2 ? 2 : 1;
    args->fill = args->accumulate = i == 2;
    nn__self_test_numbers(test, &args->y, true, 3, 37, 41, 0);
    for (int k = 0; k < args->count; k++) {
        nn__self_test_numbers(test, &piece[k].x, false, 3, 41, 37, 0);
        piece[k].extent[3] = 3, piece[k].extent[4] = 37, piece[k].extent[5] = 41;
        piece[k].x_stride[3] = 41 * 37, piece[k].x_stride[4] = 1, piece[k].x_stride[5] = 37;
        piece[k].y_stride[3] = 37 * 41, piece[k].y_stride[4] = 41, piece[k].y_stride[5] = 1;
        piece[k].x_first = piece[k].y_first = 0;
    }
    if (i == 1) piece->extent[5] = 20, piece->y_stride[5] = -2, piece->y_first = 40;
    nn__format(test->what, sizeof test->what, "%s of (3, 41, 37)",
               i == 0 ? "transposition" : i == 1 ? "every other column" : "sum of two transpositions");
    return true;
}

static bool nn__self_test_gather(nn__self_test *test, int i) {
    static const struct {
        nn_dtype dtype;
        int rows, count, extent, last;
    } cases[] = {{NN_F32, 13, 7, 5, 3}, {NN_U8, 11, 9, 3, 5}, {NN_U8, 6, 10, 7, 4}, {NN_I32, 1, 1, 1, 0},
                 {NN_F32, 17, 9, 2051, 0}};
    nn_gather_args *args = &test->args.gather;
    if (i >= NN__COUNT(cases)) return false;
    const int rows = cases[i].rows, count = cases[i].count, extent = cases[i].extent, last = cases[i].last;
    nn__self_test_view_of(test, &args->y, true, cases[i].dtype, rows, extent, last, 0);
    if (cases[i].dtype == NN_F32)
        nn__self_test_numbers(test, &args->x, false, count, extent, last, 0);
    else if (cases[i].dtype == NN_U8)
        nn__self_test_pixels(test, &args->x, count, extent, last, 0);
    else
        nn__self_test_labels(test, &args->x, 5, count, extent);
    int32_t *index = nn__self_test_labels(test, &args->index, count, rows, 0);
    if (rows > 1) index[rows / 2] = -1, index[rows - 1] = count; /* no such rows: zeros */
    nn__format(test->what, sizeof test->what, "%d rows of %s (%d, %d, %d)", rows, nn_dtype_name(cases[i].dtype),
               count, extent, nn__maxi(last, 1));
    return true;
}

/* Sample 0 as it is; others with every column, a whole number outside of the pictures included. */
static void nn__self_test_draws(nn__self_test *test, nn_view *view, int samples, int H, int W) {
    float *row = nn__self_test_numbers(test, view, false, samples, NN_AUGMENT_COLUMNS, 0, 0);
    for (int n = 0; n < samples; n++, row += NN_AUGMENT_COLUMNS) {
        const float turn = 0.3f * (float)n;
        row[NN_AUGMENT_TOP] = (float)(n ? n - 2 : 0);
        row[NN_AUGMENT_LEFT] = (float)(n ? 3 - n : 0);
        row[NN_AUGMENT_FLIP] = (float)(n % 2);
        for (int m = 0; m < 6; m++) /* a rotation, more or less; none in every third */
            row[NN_AUGMENT_MATRIX + m] = m % 4 == 0 ? 1.0f : 0.0f;
        if (n % 3) {
            row[NN_AUGMENT_MATRIX] = row[NN_AUGMENT_MATRIX + 4] = 1.1f - turn * turn * 0.5f;
            row[NN_AUGMENT_MATRIX + 1] = turn, row[NN_AUGMENT_MATRIX + 3] = -turn;
            row[NN_AUGMENT_MATRIX + 2] = 0.7f, row[NN_AUGMENT_MATRIX + 5] = -0.4f * (float)n;
        }
        row[NN_AUGMENT_BRIGHTNESS] = n ? 0.7f + 0.2f * (float)n : 1.0f;
        row[NN_AUGMENT_CONTRAST] = n ? 1.5f - 0.2f * (float)n : 1.0f;
        row[NN_AUGMENT_CUT_TOP] = (float)(n % 4), row[NN_AUGMENT_CUT_LEFT] = (float)(n % 3);
        row[NN_AUGMENT_CUT_BOTTOM] = (float)(n ? H / 2 : 0), row[NN_AUGMENT_CUT_RIGHT] = (float)(n ? W - 2 : 0);
        row[NN_AUGMENT_LAMBDA] = n ? 1.0f - 0.15f * (float)n : 1.0f;
        row[NN_AUGMENT_PARTNER] = (float)(n == 4 ? samples : (n + 2) % samples);
    }
}

static bool nn__self_test_augment(nn__self_test *test, int i) {
    static const struct {
        nn_dtype from, to;
        char draws, contrast, normalize;
        int N, C, H, W, crop_h, crop_w;
    } cases[] = {{NN_U8, NN_F32, 0, 0, 0, 3, 2, 7, 5, 7, 5},     {NN_U8, NN_I32, 0, 0, 0, 37, 0, 0, 0, 0, 0},
                 {NN_F32, NN_F32, 0, 0, 1, 2, 5, 3, 7, 3, 7},    {NN_U8, NN_F32, 1, 1, 0, 5, 3, 11, 9, 10, 8},
                 {NN_F32, NN_F32, 1, 1, 1, 6, 5, 7, 9, 9, 11},   {NN_U8, NN_F32, 1, 0, 0, 5, 1, 13, 12, 13, 12},
                 {NN_F32, NN_F32, 1, 0, 1, 5, 3, 37, 31, 35, 33}};
    nn_augment_args *args = &test->args.augment;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, C = cases[i].C, H = cases[i].H, W = cases[i].W;
    const bool bytes = cases[i].from == NN_U8;
    nn__self_test_view_of(test, &args->y, true, cases[i].to, N, C, cases[i].crop_h, cases[i].crop_w);
    if (bytes)
        nn__self_test_pixels(test, &args->x, N, C, H, W);
    else
        nn__self_test_numbers(test, &args->x, false, N, C, H, W);
    if (cases[i].draws) nn__self_test_draws(test, &args->table, N, cases[i].crop_h, cases[i].crop_w);
    if (cases[i].normalize) nn__self_test_positive(test, &args->normalize, 2, C, 0, 0);
    for (int c = 0; c < 4; c++) {
        args->mean[c] = cases[i].to == NN_I32 ? 0.0f : 0.1f * (float)(c + 1);
        args->std[c] = cases[i].to == NN_I32 ? 1.0f : 0.5f + 0.2f * (float)c;
    }
    args->scale = cases[i].to == NN_I32 ? 0.375f : bytes ? 1.0f / 255.0f : 0.5f;
    args->offset = cases[i].to == NN_I32 ? -20.25f : bytes ? 0.0f : 0.5f;
    args->fill = -0.25f;
    args->contrast = cases[i].contrast;
    nn__format(test->what, sizeof test->what, "%s (%d, %d, %d, %d) to %s%s%s", nn_dtype_name(cases[i].from), N, C,
               H, W, nn_dtype_name(cases[i].to), cases[i].draws ? ", every draw" : "",
               cases[i].draws && !cases[i].contrast ? " but contrast" : "");
    return true;
}

static nn_result nn__self_test_custom_function(void *user, const nn_custom_args *args) {
    float *y = (float *)(void *)((char *)args->output.handle + args->output.offset);
    const float *a = (const float *)(const void *)((const char *)args->input[0].handle + args->input[0].offset);
    const float *b = (const float *)(const void *)((const char *)args->input[1].handle + args->input[1].offset);
    (void)user;
    for (int64_t i = 0; i < nn__count(&args->output); i++) y[i] = 2.0f * a[i] + b[i];
    return NN_OK;
}

static bool nn__self_test_custom(nn__self_test *test, int i) {
    nn_custom_args *args = &test->args.custom;
    if (i >= 1) return false;
    nn__self_test_numbers(test, &args->output, true, 101, 0, 0, 0);
    nn__self_test_numbers(test, &args->input[0], false, 101, 0, 0, 0);
    nn__self_test_numbers(test, &args->input[1], false, 101, 0, 0, 0);
    args->input_count = 2;
    args->function = nn__self_test_custom_function;
    args->source = "__kernel void self_test(__global float *y, ulong y_at, const __global float *a, ulong a_at,\n"
                   "                        const __global float *b, ulong b_at, ulong count) {\n"
                   "    size_t i = get_global_id(0);\n"
                   "    if (i < count) y[y_at + i] = 2.0f * a[a_at + i] + b[b_at + i];\n"
                   "}\n";
    args->entry = "self_test";
    nn__format(test->what, sizeof test->what, "2 a + b, 101 numbers");
    return true;
}

NN_PRIVATE bool nn__self_test_describe(nn__self_test *test, int i) {
    memset(&test->args, 0, sizeof test->args);
    memset(test->items, 0, sizeof test->items);
    memset(test->block, 0xa5, NN__SELF_TEST_BYTES);
    test->view_count = 0;
    test->used = NN__ALIGNMENT; /* a gap before the first as well */
    switch (test->kernel) {
    case NN_KERNEL_GEMM: return nn__self_test_gemm(test, i);
    case NN_KERNEL_CONV2D_FORWARD:
    case NN_KERNEL_CONV2D_BACKWARD_INPUT:
    case NN_KERNEL_CONV2D_BACKWARD_WEIGHT: return nn__self_test_conv2d(test, i);
    case NN_KERNEL_POOL2D_FORWARD:
    case NN_KERNEL_POOL2D_BACKWARD: return nn__self_test_pool2d(test, i);
    case NN_KERNEL_POINTWISE_FORWARD: return nn__self_test_pointwise_forward(test, i);
    case NN_KERNEL_POINTWISE_BACKWARD: return nn__self_test_pointwise_backward(test, i);
    case NN_KERNEL_REDUCE: return nn__self_test_reduce(test, i);
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD: return nn__self_test_softmax(test, i);
    case NN_KERNEL_CROSS_ENTROPY_FORWARD:
    case NN_KERNEL_CROSS_ENTROPY_BACKWARD: return nn__self_test_cross_entropy(test, i);
    case NN_KERNEL_ACCURACY: return nn__self_test_accuracy(test, i);
    case NN_KERNEL_CONFUSION: return nn__self_test_confusion(test, i);
    case NN_KERNEL_CLIP: return nn__self_test_clip(test, i);
    case NN_KERNEL_UPDATE: return nn__self_test_update(test, i);
    case NN_KERNEL_ACCUMULATE: return nn__self_test_accumulate(test, i);
    case NN_KERNEL_RANDOM: return nn__self_test_random(test, i);
    case NN_KERNEL_GATHER: return nn__self_test_gather(test, i);
    case NN_KERNEL_STRIDED_COPY: return nn__self_test_strided_copy(test, i);
    case NN_KERNEL_AUGMENT: return nn__self_test_augment(test, i);
    case NN_KERNEL_CUSTOM: return nn__self_test_custom(test, i);
    default: return false; /* said in the table: no case */
    }
}

#endif
