/* kernels/conv2d/reference.h - convolutions and their gradients as plain loops in double: one loop
   nest visits each (y, x, weight) triple. Every device is tested against it. */
#pragma once

typedef enum reference_conv_way {
    REFERENCE_FORWARD,
    REFERENCE_INPUT,
    REFERENCE_WEIGHT
} reference_conv_way;

static void reference_conv2d_loops(const nn_conv2d_args *c, reference_conv_way way,
                                   reference_array out) {
    const float *y = view_f32(&c->y), *x = view_f32(&c->x), *w = view_f32(&c->weight);
    const nn_conv2d_params *p = &c->params;
    const int32_t *xs = c->x.shape.extent, *ys = c->y.shape.extent;
    int64_t N = xs[0], C = xs[1], H = xs[2], W = xs[3], K = ys[1], OH = ys[2], OW = ys[3];
    int64_t R = p->kernel_h, S = p->kernel_w, G = p->groups, CG = C / G, KG = K / G, n, k, oh, ow,
            cg, r, s;
    for (n = 0; n < N; n++)
    for (k = 0; k < K; k++)
    for (oh = 0; oh < OH; oh++)
    for (ow = 0; ow < OW; ow++)
    for (cg = 0; cg < CG; cg++)
    for (r = 0; r < R; r++)
    for (s = 0; s < S; s++) {
        int64_t h = oh * p->stride_h - p->padding_h + r * p->dilation_h;
        int64_t v = ow * p->stride_w - p->padding_w + s * p->dilation_w;
        int64_t yi = ((n * K + k) * OH + oh) * OW + ow,
                xi = ((n * C + k / KG * CG + cg) * H + h) * W + v;
        int64_t wi = ((k * CG + cg) * R + r) * S + s, to;
        double product;
        if (h < 0 || h >= H || v < 0 || v >= W) continue; /* zeros outside */
        if (way == REFERENCE_FORWARD) { product = (double)x[xi] * (double)w[wi]; to = yi; }
        else if (way == REFERENCE_INPUT) { product = (double)y[yi] * (double)w[wi]; to = xi; }
        else { product = (double)y[yi] * (double)x[xi]; to = wi; }
        out.value[to] += product;
        out.scale[to] += fabs(product);
    }
}

static void reference_clear(reference_array out, const nn_view *view, bool accumulate) {
    int64_t i, count = reference_count(view);
    for (i = 0; i < count; i++) {
        out.value[i] = out.scale[i] = 0;
        reference_add_old(out, i, view, accumulate);
    }
}

static TEST_UNUSED void reference_conv2d_forward(const nn_conv2d_args *c, reference_array y) {
    const float *bias = view_f32(&c->epilogue.bias);
    int64_t i, count = reference_count(&c->y),
               plane = (int64_t)c->y.shape.extent[2] * c->y.shape.extent[3];
    reference_clear(y, &c->y, c->accumulate);
    reference_conv2d_loops(c, REFERENCE_FORWARD, y);
    for (i = 0; i < count; i++) {
        double b = bias ? (double)bias[i / plane % c->y.shape.extent[1]] : 0;
        reference_set(y, i, reference_activate(c->epilogue.activation, y.value[i] + b),
                      y.scale[i] + fabs(b));
        if (c->slope.dtype && !(y.value[i] > 0)) {
            const double slope = (double)view_f32(&c->slope)[i / plane % c->y.shape.extent[1]];
            const double more = fabs(slope) > 1 ? fabs(slope) : 1;
            reference_set(y, i, slope * y.value[i], y.scale[i] * more);
        }
    }
}

static TEST_UNUSED void reference_conv2d_backward_input(const nn_conv2d_args *c,
                                                        reference_array dx) {
    const float *bias = view_f32(&c->epilogue.bias);
    int64_t i, count = reference_count(&c->x),
               plane = (int64_t)c->x.shape.extent[2] * c->x.shape.extent[3];
    reference_clear(dx, &c->x, c->accumulate);
    reference_conv2d_loops(c, REFERENCE_INPUT, dx);
    if (!bias && c->epilogue.activation == NN_ACTIVATION_NONE) return;
    for (i = 0; i < count; i++) {
        double b = bias ? (double)bias[i / plane % c->x.shape.extent[1]] : 0;
        reference_set(dx, i, reference_activate(c->epilogue.activation, dx.value[i] + b),
                      dx.scale[i] + fabs(b));
    }
}

static TEST_UNUSED void reference_conv2d_backward_weight(const nn_conv2d_args *c,
                                                         reference_array dweight,
                                                         reference_array dbias) {
    if (c->weight.dtype) {
        reference_clear(dweight, &c->weight, c->accumulate);
        reference_conv2d_loops(c, REFERENCE_WEIGHT, dweight);
    }
    if (c->epilogue.bias.dtype) {
        const float *dy = view_f32(&c->y);
        int64_t i, count = reference_count(&c->y),
                   plane = (int64_t)c->y.shape.extent[2] * c->y.shape.extent[3];
        reference_clear(dbias, &c->epilogue.bias, c->accumulate);
        for (i = 0; i < count; i++) {
            dbias.value[i / plane % c->y.shape.extent[1]] += (double)dy[i];
            dbias.scale[i / plane % c->y.shape.extent[1]] += fabs((double)dy[i]);
        }
    }
}

static TEST_UNUSED void reference_case_conv2d_forward(const nn_conv2d_args *a,
                                                      const reference_outputs *out) {
    reference_conv2d_forward(a, reference_at(out, &a->y));
}

static TEST_UNUSED void reference_case_conv2d_backward_input(const nn_conv2d_args *a,
                                                             const reference_outputs *out) {
    reference_conv2d_backward_input(a, reference_at(out, &a->x));
}

static TEST_UNUSED void reference_case_conv2d_backward_weight(const nn_conv2d_args *a,
                                                              const reference_outputs *out) {
    reference_conv2d_backward_weight(a, reference_at(out, &a->weight),
                                     reference_at(out, &a->epilogue.bias));
}

static TEST_UNUSED void reference_case_shard_conv2d(const nn_shard_conv2d_args *a,
                                                    const reference_outputs *out) {
    const reference_array dweight = reference_at(out, &a->weight);
    const int64_t count = reference_count(&a->weight);
    reference_clear(dweight, &a->weight, false);
    double *value = (double *)malloc(sizeof *value * 2 * (size_t)count);
    for (int s = 0; s < a->shards && value; s++) {
        const double weight =
            a->weights.dtype ? (double)view_f32(&a->weights)[s * a->weight_step] : 1.0;
        nn_conv2d_args one;
        reference_array part;
        memset(&one, 0, sizeof one);
        nn__shard_conv2d_one(a, s, nn__shard_conv2d_images(a, s), &one);
        part.value = value;
        part.scale = value + count;
        for (int64_t i = 0; i < 2 * count; i++) value[i] = 0;
        reference_conv2d_loops(&one, REFERENCE_WEIGHT, part);
        for (int64_t i = 0; i < count; i++) {
            dweight.value[i] += weight * part.value[i];
            dweight.scale[i] += fabs(weight) * part.scale[i];
        }
    }
    free(value);
}
