/* kernels/conv_pool/reference.h - a convolution with the 2 x 2 maximum after it and their
   gradients, as plain loops in double. Every device is compared with it. */
#pragma once

/* Visits each tap of one place of the convolution that reads inside the image. */
typedef void (*reference_tap)(void *user, int64_t x, int64_t weight);

static void reference_conv_pool_taps(const nn_conv_pool_args *a, int64_t n, int64_t k, int64_t oh,
                                     int64_t ow, reference_tap visit, void *user) {
    const int32_t *xs = a->x.shape.extent, *ws = a->weight.shape.extent;
    int64_t C = xs[1], H = xs[2], W = xs[3], R = ws[2], S = ws[3], c, r, s;
    for (c = 0; c < C; c++)
    for (r = 0; r < R; r++)
    for (s = 0; s < S; s++) {
        int64_t h = oh - a->padding_h + r, w = ow - a->padding_w + s;
        if (h < 0 || h >= H || w < 0 || w >= W) continue;
        visit(user, ((n * C + c) * H + h) * W + w, ((k * C + c) * R + r) * S + s);
    }
}

typedef struct reference_conv_pool {
    const nn_conv_pool_args *a;
    double sum, scale, dy;
    reference_array out;
} reference_conv_pool;

static void reference_conv_pool_add(void *user, int64_t x, int64_t weight) {
    reference_conv_pool *at = (reference_conv_pool *)user;
    double product = (double)view_f32(&at->a->x)[x] * (double)view_f32(&at->a->weight)[weight];
    at->sum += product;
    at->scale += fabs(product);
}

static void reference_conv_pool_weight(void *user, int64_t x, int64_t weight) {
    reference_conv_pool *at = (reference_conv_pool *)user;
    double product = (double)view_f32(&at->a->x)[x] * at->dy;
    at->out.value[weight] += product;
    at->out.scale[weight] += fabs(product);
}

static void reference_conv_pool_input(void *user, int64_t x, int64_t weight) {
    reference_conv_pool *at = (reference_conv_pool *)user;
    double product = (double)view_f32(&at->a->weight)[weight] * at->dy;
    at->out.value[x] += product;
    at->out.scale[x] += fabs(product);
}

/* An f32 sum of the convolution may be off by its scale. If two places of a window are closer than
   that, either may be the maximum. The numbers of the cases keep them apart, or equal. */
static TEST_UNUSED void reference_case_conv_pool_forward(const nn_conv_pool_args *a,
                                                         const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y), place = reference_at(out, &a->place);
    const float *bias = view_f32(&a->epilogue.bias);
    const int32_t *ys = a->y.shape.extent;
    int64_t n, k, i, j, at = 0;
    int e;
    for (n = 0; n < ys[0]; n++)
    for (k = 0; k < ys[1]; k++)
    for (i = 0; i < ys[2]; i++)
    for (j = 0; j < ys[3]; j++, at++) {
        double best = -INFINITY, scale = 0, b = bias ? (double)bias[k] : 0;
        int where = 0;
        for (e = 0; e < 4; e++) {
            reference_conv_pool sum = {a, 0, 0, 0, {NULL, NULL}};
            reference_conv_pool_taps(a, n, k, 2 * i + e / 2, 2 * j + e % 2,
                                     reference_conv_pool_add, &sum);
            if (sum.sum > best || sum.sum != sum.sum) best = sum.sum, where = e;
            if (sum.scale > scale) scale = sum.scale;
        }
        reference_set(y, at, reference_activate(a->epilogue.activation, best + b),
                      scale + fabs(b));
        if (a->place.dtype) place.value[at] = (double)where, place.scale[at] = 0;
    }
}

static void reference_conv_pool_gradient(const nn_conv_pool_args *a, reference_array out,
                                         reference_array dbias, reference_tap visit) {
    const float *dy = view_f32(&a->dy), *y = view_f32(&a->y);
    const uint8_t *place = (const uint8_t *)a->place.handle + a->place.offset;
    const int32_t *ys = a->y.shape.extent;
    int64_t n, k, i, j, at = 0;
    for (n = 0; n < ys[0]; n++)
    for (k = 0; k < ys[1]; k++)
    for (i = 0; i < ys[2]; i++)
    for (j = 0; j < ys[3]; j++, at++) {
        reference_conv_pool sum = {a, 0, 0, (double)dy[at], out};
        const int e = place[at] & 3;
        if (a->epilogue.activation == NN_ACTIVATION_RELU && y[at] <= 0) continue;
        if (dy[at] == 0) continue;
        reference_conv_pool_taps(a, n, k, 2 * i + e / 2, 2 * j + e % 2, visit, &sum);
        if (!dbias.value) continue;
        dbias.value[k] += sum.dy;
        dbias.scale[k] += fabs(sum.dy);
    }
}

/* Winograd's algorithm rounds all places of a tile relative to its largest sum, as the manual's
   bound says. Tiles may lie anywhere, so the scale of a place becomes the largest scale within
   `reach` places of it along both axes. */
static void reference_conv_pool_tiles(reference_array out, const nn_view *view, int64_t reach) {
    const int32_t *extent = view->shape.extent;
    const int64_t planes = (int64_t)extent[0] * extent[1], H = extent[2], W = extent[3];
    double *row = (double *)malloc(sizeof(double) * (size_t)(H > W ? H : W));
    for (int64_t plane = 0; plane < planes && row; plane++)
    for (int axis = 0; axis < 2; axis++) {
        const int64_t count = axis ? H : W, lines = axis ? W : H, step = axis ? W : 1;
        for (int64_t line = 0; line < lines; line++) {
            double *scale = out.scale + plane * H * W + line * (axis ? 1 : W);
            for (int64_t i = 0; i < count; i++) row[i] = scale[i * step];
            for (int64_t i = 0; i < count; i++)
            for (int64_t j = i - reach; j <= i + reach; j++)
                if (j >= 0 && j < count && row[j] > scale[i * step]) scale[i * step] = row[j];
        }
    }
    free(row);
}

static bool reference_conv_pool_has_tiles(const nn_conv_pool_args *a) {
    return !a->direct && a->weight.shape.extent[2] == 3 && a->weight.shape.extent[3] == 3;
}

static TEST_UNUSED void reference_case_conv_pool_backward_weight(const nn_conv_pool_args *a,
                                                                 const reference_outputs *out) {
    reference_array dweight = reference_at(out, &a->weight), dbias = {NULL, NULL};
    reference_clear(dweight, &a->weight, false);
    if (a->epilogue.bias.dtype) {
        dbias = reference_at(out, &a->epilogue.bias);
        reference_clear(dbias, &a->epilogue.bias, false);
    }
    reference_conv_pool_gradient(a, dweight, dbias, reference_conv_pool_weight);
    if (reference_conv_pool_has_tiles(a)) reference_conv_pool_tiles(dweight, &a->weight, 2);
}

static TEST_UNUSED void reference_case_conv_pool_backward_input(const nn_conv_pool_args *a,
                                                                const reference_outputs *out) {
    reference_array dx = reference_at(out, &a->x), none = {NULL, NULL};
    reference_clear(dx, &a->x, false);
    reference_conv_pool_gradient(a, dx, none, reference_conv_pool_input);
    if (reference_conv_pool_has_tiles(a)) reference_conv_pool_tiles(dx, &a->x, 3);
}
