/* kernels/pool2d/reference.h - pooling and its gradients, as plain loops in double. */
#pragma once

typedef struct reference_window {
    int64_t h0, h1, w0, w1, divisor;
    int64_t every_h, every_w; /* distance between the elements of a maximum */
} reference_window; /* the part inside the image */

static reference_window reference_pool_window(const nn_pool2d_args *p, int64_t oh, int64_t ow) {
    int64_t H = p->x.shape.extent[2], W = p->x.shape.extent[3];
    int64_t h = oh * p->stride_h - p->padding_h, w = ow * p->stride_w - p->padding_w;
    int64_t h1 = h + p->kernel_h, w1 = w + p->kernel_w;
    reference_window window;
    window.every_h = p->dilation_h > 1 ? p->dilation_h : 1;
    window.every_w = p->dilation_w > 1 ? p->dilation_w : 1;
    if (p->adaptive) {
        int64_t OH = p->y.shape.extent[2], OW = p->y.shape.extent[3];
        window.h0 = oh * H / OH;
        window.w0 = ow * W / OW;
        for (window.h1 = window.h0; window.h1 * OH < (oh + 1) * H;) window.h1++;
        for (window.w1 = window.w0; window.w1 * OW < (ow + 1) * W;) window.w1++;
        window.divisor = (window.h1 - window.h0) * (window.w1 - window.w0);
        return window;
    }
    if (h1 > H + p->padding_h)
        h1 = H + p->padding_h; /* ceil mode: elements beyond the padding do not count */
    if (w1 > W + p->padding_w) w1 = W + p->padding_w;
    window.divisor = (h1 - h) * (w1 - w);
    for (window.h0 = h; window.h0 < 0;) window.h0 += window.every_h;
    for (window.w0 = w; window.w0 < 0;) window.w0 += window.every_w;
    window.h1 = h1 > H ? H : h1;
    window.w1 = w1 > W ? W : w1;
    if (p->count_only_inside) window.divisor = (window.h1 - window.h0) * (window.w1 - window.w0);
    if (p->divisor) window.divisor = p->divisor;
    return window;
}

static TEST_UNUSED void reference_pool2d_forward(const nn_pool2d_args *p, reference_array y,
                                                 reference_array index) {
    const float *x = view_f32(&p->x);
    int64_t planes = (int64_t)p->x.shape.extent[0] * p->x.shape.extent[1], H = p->x.shape.extent[2],
            W = p->x.shape.extent[3];
    int64_t OH = p->y.shape.extent[2], OW = p->y.shape.extent[3], plane, oh, ow, h, w;
    for (plane = 0; plane < planes; plane++)
    for (oh = 0; oh < OH; oh++)
    for (ow = 0; ow < OW; ow++) {
        reference_window window = reference_pool_window(p, oh, ow);
        int64_t i = (plane * OH + oh) * OW + ow, best = window.h0 * W + window.w0;
        double maximum = -INFINITY, sum = 0, scale = 0;
        for (h = window.h0; h < window.h1; h += window.every_h)
            for (w = window.w0; w < window.w1; w += window.every_w) {
                double v = (double)x[(plane * H + h) * W + w];
                sum += v;
                scale += fabs(v);
                if (v > maximum || v != v) { maximum = v; best = h * W + w; }
            }
        if (p->kind == NN_POOL_AVERAGE)
            reference_set(y, i, sum / (double)window.divisor, scale / (double)window.divisor);
        else {
            y.value[i] = maximum; /* exactly */
            y.scale[i] = 0;
            if (p->index.dtype) { index.value[i] = (double)best; index.scale[i] = 0; }
        }
    }
}

static TEST_UNUSED void reference_pool2d_backward(const nn_pool2d_args *p, reference_array dx) {
    const float *dy = view_f32(&p->y);
    const int32_t *index = view_i32(&p->index);
    int64_t planes = (int64_t)p->x.shape.extent[0] * p->x.shape.extent[1], H = p->x.shape.extent[2],
            W = p->x.shape.extent[3];
    int64_t OH = p->y.shape.extent[2], OW = p->y.shape.extent[3], plane, oh, ow, h, w;
    reference_clear(dx, &p->x, p->accumulate);
    for (plane = 0; plane < planes; plane++)
    for (oh = 0; oh < OH; oh++)
    for (ow = 0; ow < OW; ow++) {
        reference_window window = reference_pool_window(p, oh, ow);
        int64_t i = (plane * OH + oh) * OW + ow;
        double d = (double)dy[i];
        if (p->kind == NN_POOL_MAX) {
            if (index[i] < 0 || index[i] >= H * W) continue; /* out of range: ignored */
            dx.value[plane * H * W + index[i]] += d;
            dx.scale[plane * H * W + index[i]] += fabs(d);
            continue;
        }
        for (h = window.h0; h < window.h1; h++)
            for (w = window.w0; w < window.w1; w++) {
                dx.value[(plane * H + h) * W + w] += d / (double)window.divisor;
                dx.scale[(plane * H + h) * W + w] += fabs(d) / (double)window.divisor;
            }
    }
}

static TEST_UNUSED void reference_case_pool2d_forward(const nn_pool2d_args *a,
                                                      const reference_outputs *out) {
    reference_pool2d_forward(a, reference_at(out, &a->y), reference_at(out, &a->index));
}

static TEST_UNUSED void reference_case_pool2d_backward(const nn_pool2d_args *a,
                                                       const reference_outputs *out) {
    reference_pool2d_backward(a, reference_at(out, &a->x));
}
