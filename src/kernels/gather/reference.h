/* kernels/gather/reference.h - rows by their numbers, as plain loops in double: what every device
   is compared with. */
#pragma once

static TEST_UNUSED void reference_gather(const nn_gather_args *g, reference_array y) {
    int64_t i, j, row = reference_count(&g->y) / g->y.shape.extent[0];
    for (i = 0; i < g->y.shape.extent[0]; i++) {
        int32_t from = view_i32(&g->index)[i];
        bool there = from >= 0 && from < g->x.shape.extent[0];
        for (j = 0; j < row; j++) {
            y.value[i * row + j] = there ? reference_number(&g->x, from * row + j) : 0;
            y.scale[i * row + j] = 0;
        }
    }
}

static TEST_UNUSED void reference_case_gather(const nn_gather_args *a,
                                              const reference_outputs *out) {
    reference_gather(a, reference_at(out, &a->y));
}
