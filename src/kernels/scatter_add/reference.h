/* kernels/scatter_add/reference.h - adds slices at given indices, as plain loops in double. */
#pragma once

static TEST_UNUSED void reference_scatter_add(const nn_scatter_add_args *a, reference_array y) {
    int64_t outer = 1, piece, count = a->y.shape.extent[a->axis],
            chosen = reference_count(&a->index);
    for (int i = 0; i < a->axis; i++) outer *= a->y.shape.extent[i];
    piece = reference_count(&a->y) / outer / count;
    for (int64_t i = 0; i < outer * count * piece; i++) {
        int64_t o = i / piece / count, row = i / piece % count;
        double sum = 0, scale = 0;
        for (int64_t j = 0; j < chosen; j++) {
            double value = (double)view_f32(&a->x)[(o * chosen + j) * piece + i % piece];
            if (view_i32(&a->index)[j] != row || (a->skip && row == a->skip_index)) continue;
            sum += value;
            scale += fabs(value);
        }
        reference_set(y, i, sum, scale);
        reference_add_old(y, i, &a->y, a->accumulate);
    }
}

static TEST_UNUSED void reference_case_scatter_add(const nn_scatter_add_args *a,
                                                   const reference_outputs *out) {
    reference_scatter_add(a, reference_at(out, &a->y));
}
