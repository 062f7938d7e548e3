/* kernels/separable/reference.h - three convolutions, one after the other, as plain loops in
   double. */
#pragma once

static void reference_separable_point(const nn_view *weight, const nn_view *bias,
                                      nn_activation activation, int64_t K, int64_t C,
                                      const double *x, const double *x_scale, double *y,
                                      double *y_scale, int64_t places) {
    int64_t k, c, i;
    for (k = 0; k < K; k++)
        for (i = 0; i < places; i++) {
            const double b = bias->dtype ? (double)view_f32(bias)[k] : 0;
            double sum = b, scale = fabs(b);
            for (c = 0; c < C; c++) {
                const double w = (double)view_f32(weight)[k * C + c];
                sum += w * x[c * places + i];
                scale += fabs(w) * x_scale[c * places + i];
            }
            y[k * places + i] = reference_activate(activation, sum);
            y_scale[k * places + i] = scale;
        }
}

/* Computes e (M, EH, EW) of one image; without expand it is the image itself. */
static void reference_separable_expand(const nn_separable_args *a, const double *x, double *e,
                                       int64_t EH, int64_t EW) {
    const nn_conv2d_params *p = &a->first;
    const int32_t *xs = a->x.shape.extent;
    const int64_t C = xs[1], H = xs[2], W = xs[3], M = a->depth.shape.extent[0], to = EH * EW;
    int64_t m, i, c, r, s;
    for (m = 0; m < M; m++)
        for (i = 0; i < to; i++) {
            const double b = a->expand_bias.dtype ? (double)view_f32(&a->expand_bias)[m] : 0;
            double sum = b, scale = fabs(b);
            for (c = 0; c < C; c++)
                for (r = 0; r < p->kernel_h; r++)
                    for (s = 0; s < p->kernel_w; s++) {
                        const int64_t h = i / EW * p->stride_h - p->padding_h + r,
                                      v = i % EW * p->stride_w - p->padding_w + s;
                        const double w = (double)view_f32(
                            &a->expand)[((m * C + c) * p->kernel_h + r) * p->kernel_w + s];
                        if (h < 0 || h >= H || v < 0 || v >= W) continue;
                        sum += w * x[(c * H + h) * W + v];
                        scale += fabs(w) * x[((C + c) * H + h) * W + v];
                    }
            e[m * to + i] = reference_activate(a->expand_activation, sum);
            e[(M + m) * to + i] = scale;
        }
}

static TEST_UNUSED void reference_case_separable(const nn_separable_args *a,
                                                 const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const nn_conv2d_params *p = &a->params;
    const int32_t *xs = a->x.shape.extent, *ys = a->y.shape.extent;
    const bool expands = a->expand.dtype != 0;
    const nn_conv2d_params *f = &a->first;
    const int64_t C = xs[1], K = ys[1], OH = ys[2], OW = ys[3], M = a->depth.shape.extent[0],
                  H = expands ? (xs[2] + 2 * f->padding_h - f->kernel_h) / f->stride_h + 1 : xs[2],
                  W = expands ? (xs[3] + 2 * f->padding_w - f->kernel_w) / f->stride_w + 1 : xs[3],
                  from = C * xs[2] * xs[3], in = H * W, to = OH * OW;
    double *x = (double *)malloc(sizeof(double) * 2 * (size_t)from),
           *e = (double *)malloc(sizeof(double) * 2 * (size_t)(M * in)),
           *d = (double *)malloc(sizeof(double) * 2 * (size_t)(M * to)),
           *z = (double *)malloc(sizeof(double) * 2 * (size_t)(K * to));
    int64_t n, m, i, r, s;
    for (n = 0; n < xs[0] && x && e && d && z; n++) {
        for (i = 0; i < from; i++) {
            x[i] = (double)view_f32(&a->x)[n * from + i];
            x[from + i] = fabs(x[i]);
        }
        if (expands)
            reference_separable_expand(a, x, e, H, W);
        else
            memcpy(e, x, sizeof(double) * 2 * (size_t)(M * in));
        for (m = 0; m < M; m++)
            for (i = 0; i < to; i++) {
                const double b =
                    a->depth_bias.dtype ? (double)view_f32(&a->depth_bias)[m] : 0;
                double sum = b, scale = fabs(b);
                for (r = 0; r < p->kernel_h; r++)
                    for (s = 0; s < p->kernel_w; s++) {
                        const int64_t h =
                            i / OW * p->stride_h - p->padding_h + r * p->dilation_h;
                        const int64_t v = i % OW * p->stride_w - p->padding_w + s * p->dilation_w;
                        const double w = (double)view_f32(
                            &a->depth)[(m * p->kernel_h + r) * p->kernel_w + s];
                        if (h < 0 || h >= H || v < 0 || v >= W) continue;
                        sum += w * e[m * in + h * W + v];
                        scale += fabs(w) * e[M * in + m * in + h * W + v];
                    }
                d[m * to + i] = reference_activate(a->depth_activation, sum);
                d[M * to + m * to + i] = scale;
            }
        reference_separable_point(&a->project, &a->project_bias, a->project_activation, K, M, d,
                                  d + M * to, z, z + K * to, to);
        for (i = 0; i < K * to; i++) {
            const double more =
                a->residual.dtype ? (double)view_f32(&a->residual)[n * K * to + i] : 0;
            reference_set(y, n * K * to + i, z[i] + more, z[K * to + i] + fabs(more));
        }
    }
    free(x), free(e), free(d), free(z);
}
