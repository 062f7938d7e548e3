/* kernels/gather/reference.h - gathers rows by index, as plain loops in double. */
#pragma once

/* Returns all bits set, read as a number of this dtype. */
static double reference_missing(nn_dtype dtype) {
    return dtype == NN_U8 ? 255 : dtype == NN_I32 ? -1 : NAN;
}

static TEST_UNUSED void reference_gather(const nn_gather_args *g, reference_array y,
                                         reference_array status) {
    int64_t i, j, count = g->x.shape.extent[g->axis], chosen = reference_count(&g->index),
                  outer = 1, row;
    bool missing = false;
    for (i = 0; i < g->axis; i++) outer *= g->x.shape.extent[i];
    row = reference_count(&g->x) / outer / count;
    for (i = 0; i < outer * chosen; i++) {
        int64_t from = view_i32(&g->index)[i % chosen];
        bool there = from >= 0 && from < count;
        missing = missing || !there;
        for (j = 0; j < row; j++) {
            y.value[i * row + j] =
                there ? reference_number(&g->x, (i / chosen * count + from) * row + j)
                : g->status.dtype ? reference_missing(g->x.dtype) : 0;
            y.scale[i * row + j] = 0;
        }
    }
    if (!g->status.dtype) return;
    status.value[0] = reference_status(&g->status, g->step, NN_FAULT_INDEX, missing);
    status.scale[0] = 0;
}

static TEST_UNUSED void reference_case_gather(const nn_gather_args *a,
                                              const reference_outputs *out) {
    reference_gather(a, reference_at(out, &a->y), reference_at(out, &a->status));
}
