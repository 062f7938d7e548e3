/* kernels/norm/reference.h - norms, their gradients and running statistics, as plain loops in
   double. */
#pragma once

/* Returns the index of number i of a set. */
static int64_t reference_norm_place(const nn_norm_cut *c, int64_t set, int64_t i) {
    if (!c->across) return set * c->channels * c->inner + i;
    return (i / c->inner * c->groups + set) * c->inner + i % c->inner;
}
/* Returns the channel of number i of a set. */
static int64_t reference_norm_channel(const nn_norm_cut *c, int64_t set, int64_t i) {
    return c->across ? set : set % c->groups * c->channels + i / c->inner;
}
static int64_t reference_norm_sets(const nn_norm_cut *c) {
    return c->across ? c->groups : c->outer * c->groups;
}
static int64_t reference_norm_size(const nn_norm_cut *c) {
    return (c->across ? c->outer : c->channels) * c->inner;
}

static TEST_UNUSED void reference_norm_set(const nn_norm_args *a, int64_t set, reference_array y,
                                           reference_array mean, reference_array rstd,
                                           reference_array variance) {
    const float *x = view_f32(&a->x), *w = view_f32(&a->weight), *b = view_f32(&a->bias);
    const int64_t n = reference_norm_size(&a->cut);
    double m = 0, squares = 0, largest = 0, r;
    for (int64_t i = 0; i < n; i++) {
        const double v = (double)x[reference_norm_place(&a->cut, set, i)];
        if (!a->rms) m += v / (double)n;
        if (fabs(v) > largest) largest = fabs(v);
    }
    for (int64_t i = 0; i < n; i++) {
        const double d = (double)x[reference_norm_place(&a->cut, set, i)] - m;
        squares += d * d;
    }
    r = 1 / sqrt(squares / (double)n + (double)a->epsilon);
    if (a->running_mean.dtype) {
        m = (double)view_f32(&a->running_mean)[set];
        r = 1 / sqrt((double)view_f32(&a->running_var)[set] + (double)a->epsilon);
    }
    if (mean.value) reference_set(mean, set, m, largest);
    if (rstd.value) reference_set(rstd, set, r, r);
    if (variance.value && n > 1)
        reference_set(variance, set, squares / (double)(n - 1), largest * sqrt(squares));
    for (int64_t i = 0; i < n && y.value; i++) {
        const int64_t at = reference_norm_place(&a->cut, set, i),
                      c = reference_norm_channel(&a->cut, set, i);
        const double scale = r * (w ? (double)w[c] : 1), shift = b ? (double)b[c] : 0;
        const double v = ((double)x[at] - m) * scale + shift;
        reference_set(y, at, reference_activate(a->activation, v),
                      (fabs((double)x[at]) + fabs(m) + largest) * fabs(scale) + fabs(shift));
    }
}

static TEST_UNUSED void reference_case_norm_forward(const nn_norm_args *a,
                                                    const reference_outputs *out) {
    for (int64_t set = 0; set < reference_norm_sets(&a->cut); set++)
        reference_norm_set(a, set, reference_at(out, &a->y), reference_at(out, &a->mean),
                           reference_at(out, &a->rstd), reference_at(out, &a->variance));
}

static void reference_norm_dx(const nn_norm_backward_args *a, int64_t set, reference_array dx) {
    const float *x = view_f32(&a->x), *dy = view_f32(&a->dy), *w = view_f32(&a->weight);
    const double m = a->mean.dtype ? (double)view_f32(&a->mean)[set] : 0,
                 r = (double)view_f32(&a->rstd)[set];
    const int64_t n = reference_norm_size(&a->cut);
    double sum = 0, product = 0, sum_scale = 0, product_scale = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = reference_norm_place(&a->cut, set, i);
        const double g = (double)dy[at] *
                         (w ? (double)w[reference_norm_channel(&a->cut, set, i)] : 1),
                     h = ((double)x[at] - m) * r;
        sum += g, product += g * h;
        sum_scale += fabs(g), product_scale += fabs(g) * (fabs((double)x[at]) + fabs(m)) * r;
    }
    if (!a->mean.dtype) sum = sum_scale = 0;
    if (a->fixed) sum = product = sum_scale = product_scale = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = reference_norm_place(&a->cut, set, i);
        const double g = (double)dy[at] *
                         (w ? (double)w[reference_norm_channel(&a->cut, set, i)] : 1),
                     h = ((double)x[at] - m) * r;
        reference_set(dx, at, r * (g - (sum + h * product) / (double)n),
                      r * (fabs(g) + (sum_scale + fabs(h) * product_scale) / (double)n));
        reference_add_old(dx, at, &a->dx, a->accumulate);
    }
}

static void reference_norm_affine(const nn_norm_backward_args *a, reference_array dweight,
                                  reference_array dbias) {
    const float *x = view_f32(&a->x), *dy = view_f32(&a->dy);
    const int64_t all = (int64_t)a->cut.groups * a->cut.channels, n = reference_norm_size(&a->cut);
    for (int64_t c = 0; c < all; c++) {
        if (dweight.value) dweight.value[c] = dweight.scale[c] = 0;
        if (dbias.value) dbias.value[c] = dbias.scale[c] = 0;
    }
    for (int64_t set = 0; set < reference_norm_sets(&a->cut); set++)
        for (int64_t i = 0; i < n; i++) {
            const int64_t at = reference_norm_place(&a->cut, set, i),
                          c = reference_norm_channel(&a->cut, set, i);
            const double m = a->mean.dtype ? (double)view_f32(&a->mean)[set] : 0,
                         r = (double)view_f32(&a->rstd)[set], g = (double)dy[at];
            if (dweight.value) {
                dweight.value[c] += g * ((double)x[at] - m) * r;
                dweight.scale[c] += fabs(g) * (fabs((double)x[at]) + fabs(m)) * r;
            }
            if (dbias.value) dbias.value[c] += g, dbias.scale[c] += fabs(g);
        }
    for (int64_t c = 0; c < all; c++) {
        if (dweight.value) reference_add_old(dweight, c, &a->dweight, a->accumulate);
        if (dbias.value) reference_add_old(dbias, c, &a->dbias, a->accumulate);
    }
}

static TEST_UNUSED void reference_case_norm_backward(const nn_norm_backward_args *a,
                                                     const reference_outputs *out) {
    const reference_array dx = reference_at(out, &a->dx);
    for (int64_t set = 0; dx.value && set < reference_norm_sets(&a->cut); set++)
        reference_norm_dx(a, set, dx);
    reference_norm_affine(a, reference_at(out, &a->dweight), reference_at(out, &a->dbias));
}

static void reference_norm_track_item(const nn_norm_track_args *a, const nn_norm_track_item *item,
                                      const reference_outputs *out) {
    const int64_t channels = reference_count(&item->running_mean),
                  n = reference_count(&item->mean) / channels;
    int64_t count = 0;
    int32_t words[2];
    if (item->count.dtype) memcpy(&count, view_i32(&item->count), sizeof count);
    const bool faulty = a->status.dtype && view_i32(&a->status)[0] != 0;
    const double share = faulty          ? 0
                         : a->cumulative ? 1.0 / ((double)count + 1)
                                         : (double)a->momentum;
    for (int k = 0; k < 2; k++) {
        const nn_view *running = k ? &item->running_var : &item->running_mean;
        const float *from = view_f32(k ? &item->variance : &item->mean), *old = view_f32(running);
        const reference_array y = reference_at(out, running);
        for (int64_t c = 0; c < channels; c++) {
            double sum = 0, scale = 0;
            for (int64_t i = 0; i < n; i++) {
                sum += (double)from[i * channels + c] / (double)n;
                scale += fabs((double)from[i * channels + c]) / (double)n;
            }
            reference_set(y, c, (1 - share) * (double)old[c] + share * sum,
                          fabs((double)old[c]) + scale);
        }
    }
    count += !faulty;
    memcpy(words, &count, sizeof words);
    for (int i = 0; item->count.dtype && i < 2; i++)
        reference_set(reference_at(out, &item->count), i, words[i], 0);
}

static TEST_UNUSED void reference_case_norm_track(const nn_norm_track_args *a,
                                                  const reference_outputs *out) {
    for (int i = 0; i < a->item_count; i++) reference_norm_track_item(a, &a->items[i], out);
}

static TEST_UNUSED void reference_case_norm_fold(const nn_norm_fold_args *a,
                                                 const reference_outputs *out) {
    const reference_array weight = reference_at(out, &a->weight),
                          bias = reference_at(out, &a->bias);
    const int64_t channels = a->weight.shape.extent[0],
                  row = reference_count(&a->weight) / channels;
    for (int64_t c = 0; c < channels; c++) {
        const double scale = (a->norm_weight.dtype ? (double)view_f32(&a->norm_weight)[c] : 1) /
                             sqrt((double)view_f32(&a->running_var)[c] + (double)a->epsilon);
        const double from = a->from_bias.dtype ? (double)view_f32(&a->from_bias)[c] : 0,
                     mean = (double)view_f32(&a->running_mean)[c],
                     shift = a->norm_bias.dtype ? (double)view_f32(&a->norm_bias)[c] : 0;
        for (int64_t i = c * row; i < (c + 1) * row; i++)
            reference_set(weight, i, (double)view_f32(&a->from)[i] * scale, 0);
        reference_set(bias, c, (from - mean) * scale + shift,
                      (fabs(from) + fabs(mean)) * fabs(scale) + fabs(shift));
    }
}
