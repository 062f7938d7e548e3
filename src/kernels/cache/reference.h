/* kernels/cache/reference.h - writes rows into a cache, as plain loops in double. */
#pragma once

static TEST_UNUSED void reference_case_cache(const nn_cache_args *a, const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y), status = reference_at(out, &a->status);
    const int32_t *extent = a->x.shape.extent;
    const bool inside = a->heads_inside;
    const int64_t L = extent[inside ? 1 : 2], H = extent[inside ? 2 : 1], E = extent[3],
                  S = a->y.shape.extent[inside ? 1 : 2];
    bool bad = false;
    for (int64_t n = 0; n < extent[0]; n++)
        bad = bad || view_i32(&a->positions)[n] < 0 || view_i32(&a->positions)[n] + L > S;
    const double word =
        a->status.dtype ? reference_status(&a->status, a->step, NN_FAULT_LABEL, bad) : 0;
    for (int64_t i = 0; i < reference_count(&a->y); i++)
        reference_set(y, i, reference_number(&a->y, i), 0);
    for (int64_t i = 0; i < reference_count(&a->x) && !bad && word == 0; i++) {
        const int64_t row = i / E, n = row / (H * L), l = inside ? row / H % L : row % L,
                      h = inside ? row % H : row / L % H,
                      s = view_i32(&a->positions)[n] + l;
        const int64_t at = inside ? ((n * S + s) * H + h) * E + i % E
                                  : ((n * H + h) * S + s) * E + i % E;
        const double value = reference_number(&a->x, i);
        reference_set(y, at,
                      a->y.dtype == NN_F32 ? value
                                           : value_of(a->y.dtype, pattern_of(a->y.dtype, value)),
                      0);
    }
    for (int64_t i = 0; i < reference_count(&a->y); i++) y.scale[i] = 0; /* exact to the bit */
    if (a->status.dtype) reference_set(status, 0, word, 0);
}
