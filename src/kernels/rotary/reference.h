/* kernels/rotary/reference.h - rotary position embedding as plain loops in double. */
#pragma once

static TEST_UNUSED void reference_case_rotary(const nn_rotary_args *a,
                                              const reference_outputs *out) {
    reference_array y = reference_at(out, &a->y);
    const int32_t *extent = a->y.shape.extent;
    const int64_t W = a->width, E = extent[3];
    for (int64_t at = 0; at < reference_count(&a->y); at++) {
        const int64_t row = at / E, c = at % E, n = row / extent[1] / extent[2];
        const int64_t i = a->heads_inside ? row / extent[2] % extent[1] : row % extent[2];
        const int64_t e = a->interleaved ? c / 2 : c % (W / 2);
        const bool later = a->interleaved ? c % 2 == 1 : c >= W / 2;
        const int64_t other = a->interleaved ? (later ? c - 1 : c + 1)
                              : later        ? c - W / 2
                                             : c + W / 2;
        const double x = a->x.dtype ? (double)view_f32(&a->x)[at] : later;
        if (c >= W) {
            reference_set(y, at, x, 0);
            continue;
        }
        double f = pow((double)a->base, -2.0 * (double)e / (double)W), slow = f / (double)a->factor;
        const double wave = 2 * 3.14159265358979323846 / f, all = (double)a->original;
        if (!a->original || wave > all / (double)a->low) {
            f = slow;
        } else if (wave >= all / (double)a->high) {
            const double smooth =
                (all / wave - (double)a->low) / ((double)a->high - (double)a->low);
            f = (1 - smooth) * slow + smooth * f;
        }
        const int64_t L = extent[a->heads_inside ? 1 : 2],
                      start = a->positions.dtype ? view_i32(&a->positions)[n] : a->offset;
        const double p = a->positions.shape.rank == 2
                             ? (double)view_i32(&a->positions)[n * L + i]
                             : (double)(start + i),
                     z = a->x.dtype ? (double)view_f32(&a->x)[row * E + other] : !later;
        const double turn = sin(p * f) * (later ? 1 : -1) * (a->inverse ? -1 : 1);
        reference_set(y, at, x * cos(p * f) + z * turn,
                      (fabs(x) + fabs(z)) * (1 + 0.05 * fabs(p * f)));
    }
}
