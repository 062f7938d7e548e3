/* kernels/augment/reference.h - augments images one by one, as plain loops in double. */
#pragma once

static double reference_clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static int64_t reference_whole(float value) {
    return value > -1e9f && value < 1e9f ? (int64_t)value : 1 << 30;
}

static double reference_bright(const nn_augment_args *a, int64_t n, int64_t i) {
    double v = reference_number(&a->x, i) * (double)a->scale + (double)a->offset;
    double factor = (double)view_f32(&a->table)[n * NN_AUGMENT_COLUMNS + NN_AUGMENT_BRIGHTNESS];
    return factor != 1 ? reference_clamp(v * factor) : v;
}

/* Returns the mean of sample n's grey pixels after brightness. */
static double reference_grey(const nn_augment_args *a, int64_t n) {
    int64_t c, i, C = a->x.shape.extent[1],
                  plane = (int64_t)a->x.shape.extent[2] * a->x.shape.extent[3];
    double sum = 0;
    for (c = 0; c < C; c++)
        for (i = 0; i < plane; i++)
            sum += reference_bright(a, n, (n * C + c) * plane + i) *
                   (C != 3 ? 1.0 / (double)C : c == 0 ? 0.2989 : c == 1 ? 0.587 : 0.114);
    return sum / (double)plane;
}

/* Returns pixel (h, w) of the crop, 0 outside. */
static double reference_crop(const nn_augment_args *a, double grey, int64_t n, int64_t c, int64_t h,
                             int64_t w) {
    const float *row = view_f32(&a->table) + n * NN_AUGMENT_COLUMNS;
    int64_t C = a->x.shape.extent[1], H = a->x.shape.extent[2], W = a->x.shape.extent[3],
            OW = a->y.shape.extent[3];
    double v, factor = (double)row[NN_AUGMENT_CONTRAST];
    if (h < 0 || h >= a->y.shape.extent[2] || w < 0 || w >= OW) return 0;
    if (row[NN_AUGMENT_FLIP] == 1.0f) w = OW - 1 - w;
    h += reference_whole(row[NN_AUGMENT_TOP]);
    w += reference_whole(row[NN_AUGMENT_LEFT]);
    if (h < 0 || h >= H || w < 0 || w >= W) return 0;
    v = reference_bright(a, n, ((n * C + c) * H + h) * W + w);
    return a->contrast && factor != 1 ? reference_clamp(v * factor + grey * (1 - factor)) : v;
}

/* Positions are f32 by definition and computed in this order; the rest is double. */
static double reference_augmented(const nn_augment_args *a, double grey, int64_t n, int64_t c,
                                  int64_t h, int64_t w) {
    const float *row = view_f32(&a->table) + n * NN_AUGMENT_COLUMNS, *m = row + NN_AUGMENT_MATRIX;
    int64_t OH = a->y.shape.extent[2], OW = a->y.shape.extent[3], C = a->x.shape.extent[1];
    float cx = (float)(OW - 1) / 2, cy = (float)(OH - 1) / 2, p = (float)w - cx, q = (float)h - cy;
    volatile float x0 = m[0] * p, x1 = m[1] * q, y0 = m[3] * p, y1 = m[4] * q, x2 = m[2] + cx,
                   y2 = m[5] + cy;
    volatile float x3 = x0 + x1, y3 = y0 + y1;
    volatile float x = x3 + x2, y = y3 + y2;
    double mean = c < 4 ? (double)a->mean[c] : 0, std = c < 4 ? (double)a->std[c] : 1, v = 0;
    if (h >= reference_whole(row[NN_AUGMENT_CUT_TOP]) &&
        h < reference_whole(row[NN_AUGMENT_CUT_BOTTOM]) &&
        w >= reference_whole(row[NN_AUGMENT_CUT_LEFT]) &&
        w < reference_whole(row[NN_AUGMENT_CUT_RIGHT]))
        return (double)a->fill;
    if (x > -1 && x < (float)OW && y > -1 && y < (float)OH) {
        int64_t i = (int64_t)floor((double)y), j = (int64_t)floor((double)x);
        double below = (double)y - (double)i, right = (double)x - (double)j;
        v = (1 - below) * ((1 - right) * reference_crop(a, grey, n, c, i, j) +
                           right * reference_crop(a, grey, n, c, i, j + 1)) +
            below * ((1 - right) * reference_crop(a, grey, n, c, i + 1, j) +
                     right * reference_crop(a, grey, n, c, i + 1, j + 1));
    }
    if (a->normalize.dtype) {
        mean = (double)view_f32(&a->normalize)[c];
        std = (double)view_f32(&a->normalize)[C + c];
    }
    return (v - mean) / std;
}

static TEST_UNUSED void reference_augment(const nn_augment_args *a, reference_array y) {
    int64_t n, c, h, w, i = 0, N = a->x.shape.extent[0], count = reference_count(&a->y);
    bool pictures = a->x.shape.rank == 4;
    int64_t C = pictures ? a->x.shape.extent[1] : 1, plane = pictures ? count / N / C : count;
    double *grey;
    for (; i < count && !a->table.dtype; i++) { /* a conversion */
        double v = reference_number(&a->x, i) * (double)a->scale + (double)a->offset;
        c = i / plane % C;
        if (a->y.dtype == NN_I32)
            v = fabs(v) < 2147483648.0 ? floor(fabs(v) + 0.5) * (v < 0 ? -1 : 1) : INT32_MIN;
        else if (a->normalize.dtype)
            v = (v - (double)view_f32(&a->normalize)[c]) / (double)view_f32(&a->normalize)[C + c];
        else if (c < 4) v = (v - (double)a->mean[c]) / (double)a->std[c];
        reference_set(y, i, v, 1);
    }
    if (!a->table.dtype) return;
    grey = (double *)calloc((size_t)N, sizeof *grey);
    for (n = 0; n < N && a->contrast; n++) grey[n] = reference_grey(a, n);
    for (n = 0; n < N; n++)
        for (c = 0; c < C; c++)
            for (h = 0; h < a->y.shape.extent[2]; h++)
                for (w = 0; w < a->y.shape.extent[3]; w++, i++) {
                    const float *row = view_f32(&a->table) + n * NN_AUGMENT_COLUMNS;
                    double lambda = (double)row[NN_AUGMENT_LAMBDA];
                    int64_t other = reference_whole(row[NN_AUGMENT_PARTNER]);
                    double v = reference_augmented(a, grey[n], n, c, h, w);
                    if (other < 0 || other >= N) other = n;
                    if (lambda != 1)
                        v = lambda * v +
                            (1 - lambda) * reference_augmented(a, grey[other], other, c, h, w);
                    reference_set(y, i, v, 1);
                }
    free(grey);
}

static TEST_UNUSED void reference_case_augment(const nn_augment_args *a,
                                               const reference_outputs *out) {
    reference_augment(a, reference_at(out, &a->y));
}
