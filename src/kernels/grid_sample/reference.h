/* kernels/grid_sample/reference.h - samples images at given positions, as plain loops in double.
   Positions are computed in float, as kernels/grid_sample/args.h says. */
#pragma once

static float reference_grid_inside(const nn_grid_sample_args *a, float at, int size,
                                   double *slope) {
    const float low = a->align_corners ? 0.0f : -0.5f, high = (float)size - 1 - low;
    if (a->padding == NN_GRID_ZEROS) return at;
    if (a->padding == NN_GRID_REFLECTION && size - 1 == 0 && a->align_corners) at = 0;
    while (a->padding == NN_GRID_REFLECTION && (at < low || at > high)) {
        at = at < low ? 2 * low - at : 2 * high - at;
        *slope = -*slope;
    }
    if (at <= 0 || at >= (float)(size - 1)) *slope = 0;
    return at < 0 ? 0 : at > (float)(size - 1) ? (float)(size - 1) : at;
}

/* Fills the weights of all pixels of an axis for one position, and their derivatives with respect
   to it. */
static void reference_grid_axis(const nn_grid_sample_args *a, float place, int size, double *weight,
                                double *change) {
    const float wide = (float)(a->align_corners ? size - 1 : size);
    float at = a->align_corners ? (place + 1) / 2 * wide : ((place + 1) * wide - 1) / 2;
    double slope = (double)wide / 2, none = 1;
    for (int i = 0; i < size; i++) weight[i] = change[i] = 0;
    if (a->mode != NN_GRID_BICUBIC) at = reference_grid_inside(a, at, size, &slope);
    const double t = (double)(at - floorf(at)), u = 1 - t, q = -0.75;
    const double w[4] = {q * t * u * u, (q + 2) * t * t * t - (q + 3) * t * t + 1,
                         (q + 2) * u * u * u - (q + 3) * u * u + 1, q * u * t * t};
    const double d[4] = {q * (1 - 4 * t + 3 * t * t), 3 * (q + 2) * t * t - 2 * (q + 3) * t,
                         -3 * (q + 2) * u * u + 2 * (q + 3) * u, -q * (1 - 4 * u + 3 * u * u)};
    for (int k = 0; k < 4; k++) {
        float pixel = floorf(at) + (float)(k - 1);
        double part = w[k], by = d[k];
        if (a->mode == NN_GRID_BICUBIC) pixel = reference_grid_inside(a, pixel, size, &none);
        if (a->mode == NN_GRID_BILINEAR) part = k == 1 ? u : k == 2 ? t : 0, by = k == 1 ? -1 : 1;
        if (a->mode == NN_GRID_NEAREST) pixel = rintf(at), part = k == 1, by = 0;
        if (a->mode != NN_GRID_BICUBIC && (k == 0 || k == 3)) continue;
        if (!(pixel >= 0 && pixel < (float)size)) continue;
        weight[(int)pixel] += part;
        change[(int)pixel] += by * slope;
    }
}

/* Adds up y, or dx and dgrid if present. */
static void reference_grid_sample(const nn_grid_sample_args *a, const reference_outputs *out,
                                  bool back) {
    const nn_shape *x = a->x.dtype ? &a->x.shape : &a->dx.shape;
    const int N = x->extent[0], C = x->extent[1], H = x->extent[2], W = x->extent[3],
              P = a->grid.shape.extent[1] * a->grid.shape.extent[2];
    const bool dx = back && a->dx.dtype, dgrid = back && a->dgrid.dtype;
    reference_array y, of_x, of_grid;
    double *row = (double *)calloc((size_t)(2 * (H + W)), sizeof(double)), *column = row + 2 * H;
    if (!back) y = reference_at(out, &a->y);
    if (dx) of_x = reference_at(out, &a->dx);
    if (dgrid) of_grid = reference_at(out, &a->dgrid);
    for (int64_t i = 0; dx && i < (int64_t)N * C * H * W; i++) reference_set(of_x, i, 0, 0);
    for (int64_t i = 0; dgrid && i < (int64_t)N * P * 2; i++) reference_set(of_grid, i, 0, 0);
    for (int64_t at = 0; at < (int64_t)N * P; at++) {
        const float *place = view_f32(&a->grid) + 2 * at;
        reference_grid_axis(a, place[0], W, column, column + W);
        reference_grid_axis(a, place[1], H, row, row + H);
        for (int64_t c = at / P * C; c < (at / P + 1) * C; c++) {
            const int64_t i = c * P + at % P;
            double sum = 0, scale = 0;
            for (int j = 0; j < H * W; j++) {
                const int h = j / W, w = j % W;
                const double part = row[h] * column[w],
                             value = a->x.dtype ? (double)view_f32(&a->x)[c * H * W + j] : 0,
                             dy = back ? (double)view_f32(&a->y)[i] : 0,
                             across = row[h] * column[W + w] * value * dy,
                             down = row[H + h] * column[w] * value * dy;
                sum += part * value;
                scale += fabs(part * value) + (part != 0);
                if (dx) of_x.value[c * H * W + j] += part * dy;
                if (dx) of_x.scale[c * H * W + j] += (part != 0) * (fabs(dy) + fabs(part * dy));
                if (!dgrid || (row[h] == 0 && row[H + h] == 0)) continue;
                if (column[w] == 0 && column[W + w] == 0) continue;
                of_grid.value[2 * at] += across, of_grid.value[2 * at + 1] += down;
                of_grid.scale[2 * at] += (double)W * fabs(value * dy);
                of_grid.scale[2 * at + 1] += (double)H * fabs(value * dy);
            }
            if (!back) reference_set(y, i, sum, scale);
        }
    }
    for (int64_t i = 0; dx && i < (int64_t)N * C * H * W; i++)
        reference_add_old(of_x, i, &a->dx, a->accumulate);
    for (int64_t i = 0; dgrid && i < (int64_t)N * P * 2; i++)
        reference_add_old(of_grid, i, &a->dgrid, a->accumulate);
    free(row);
}

static TEST_UNUSED void reference_case_grid_sample_forward(const nn_grid_sample_args *a,
                                                           const reference_outputs *out) {
    reference_grid_sample(a, out, false);
}
static TEST_UNUSED void reference_case_grid_sample_backward(const nn_grid_sample_args *a,
                                                            const reference_outputs *out) {
    reference_grid_sample(a, out, true);
}
