/* kernels/strided_copy/reference.h - strided copies as plain loops. */
#pragma once

static TEST_UNUSED void reference_strided_copy(const nn_strided_copy_args *args) {
    size_t size = nn_dtype_size(args->y.dtype);
    char *y = (char *)args->y.handle + args->y.offset;
    int64_t count = 1, i[NN_COPY_AXES];
    if (args->status.dtype && *(const uint32_t *)(const void *)((const char *)args->status.handle +
                                                                args->status.offset))
        return;
    for (int a = 0; a < args->y.shape.rank; a++) count *= args->y.shape.extent[a];
    for (int64_t e = 0; args->fill && e < count; e++)
        {
            uint64_t one = args->value;
            uint32_t four = (uint32_t)one;
            uint16_t two = (uint16_t)one;
            uint8_t byte = (uint8_t)one;
            const void *from = size == 8 ? (void *)&one : size == 4 ? (void *)&four : (void *)&two;
            memcpy(y + (size_t)e * size, size == 1 ? &byte : from, size);
        }
    for (int p = 0; p < args->count; p++) {
        const nn_copy_piece *piece = &args->pieces[p];
        const char *x = (const char *)piece->x.handle + piece->x.offset;
        memset(i, 0, sizeof i);
        for (bool more = true; more;) {
            int64_t to = piece->y_first, from = piece->x_first;
            for (int a = 0; a < NN_COPY_AXES; a++)
                to += i[a] * piece->y_stride[a], from += i[a] * piece->x_stride[a];
            if (args->accumulate)
                ((float *)(void *)y)[to] += ((const float *)(const void *)x)[from];
            else
                memcpy(y + to * (int64_t)size, x + from * (int64_t)size, size);
            more = false;
            for (int a = NN_COPY_AXES - 1; a >= 0 && !more; a--) {
                if (++i[a] < piece->extent[a])
                    more = true;
                else
                    i[a] = 0;
            }
        }
    }
}

static TEST_UNUSED void reference_case_strided_copy(const nn_strided_copy_args *a,
                                                    const reference_outputs *out) {
    /* exact: elements are copied, and a sum of two is rounded once */
    nn_strided_copy_args copy = *a;
    reference_array y = reference_at(out, &a->y);
    size_t bytes = (size_t)reference_count(&a->y) * nn_dtype_size(a->y.dtype);
    void *result = malloc(bytes);
    memcpy(result, (const char *)a->y.handle + a->y.offset, bytes);
    copy.y.handle = result;
    copy.y.offset = 0;
    reference_strided_copy(&copy);
    for (int64_t i = 0; i < reference_count(&a->y); i++)
        reference_set(y, i,
                      a->y.dtype == NN_I32 ? ((int32_t *)result)[i] : (double)((float *)result)[i],
                      0);
    free(result);
}
