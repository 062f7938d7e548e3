/* kernels/scan/reference.h - running sums as plain loops in double: what every device is compared
   with. */
#pragma once

static TEST_UNUSED void reference_scan(const nn_scan_args *args, reference_array y) {
    const nn_shape *shape = &args->x.shape;
    const float *x = (const float *)(const void *)((const char *)args->x.handle + args->x.offset);
    int64_t outer = 1, inner = 1, n = shape->extent[args->axis];
    for (int i = 0; i < args->axis; i++) outer *= shape->extent[i];
    for (int i = args->axis + 1; i < shape->rank; i++) inner *= shape->extent[i];
    for (int64_t o = 0; o < outer; o++)
        for (int64_t i = 0; i < inner; i++) {
            double sum = 0, scale = 0;
            for (int64_t k = 0; k < n; k++) {
                int64_t at = (o * n + (args->reverse ? n - 1 - k : k)) * inner + i;
                sum += x[at];
                scale += fabs((double)x[at]);
                reference_set(y, at, sum, scale);
            }
        }
}

static TEST_UNUSED void reference_case_scan(const nn_scan_args *a, const reference_outputs *out) {
    reference_scan(a, reference_at(out, &a->y));
}
