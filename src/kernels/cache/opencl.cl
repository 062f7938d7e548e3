/* kernels/cache/opencl.cl - writes keys and values into a cache. A work-item writes one number. */

/* True if the rows of all samples may be written. Every work-item checks all samples, so either all
   write or none; one of them sets the status word. */
bool nn_cache_writes(const __global int *positions, int samples, int last, __global uint *status,
                     ulong status_offset, uint step) {
    for (int n = 0; n < samples; n++) {
        if (positions[n] >= 0 && positions[n] <= last) continue;
        if (get_global_id(0) == 0) nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
        return false;
    }
    return !nn_faulty(status, status_offset);
}

ushort nn_cache_to_bf16(float x) {
    const uint bits = as_uint(x);
    if (x != x) return (ushort)(bits >> 16 | 0x40u);
    return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* Copies number `from` of x to number `to` of y. Types: 0 f32, 1 f16, 2 bf16. */
void nn_cache_put(__global uchar *y, ulong to, int y_type, const __global uchar *x, ulong from,
                  int x_type) {
    if (y_type == 0) {
        ((__global float *)y)[to] = ((const __global float *)x)[from];
    } else if (x_type == y_type) {
        ((__global ushort *)y)[to] = ((const __global ushort *)x)[from];
    } else {
        const float number = ((const __global float *)x)[from];
        if (y_type == 1)
            vstore_half_rte(number, to, (__global half *)y);
        else
            ((__global ushort *)y)[to] = nn_cache_to_bf16(number);
    }
}

/* shape: samples; heads (1 with heads inside); rows of x; rows of y; numbers per row; the types of
   x and of y; numbers from one row of x to the next. other_y: a second cache, or NULL. */
__kernel void nn_cache_rows(__global uchar *y, ulong y_offset, const __global uchar *x,
                            ulong x_offset, __global uchar *other_y, ulong other_y_offset,
                            const __global uchar *other_x, ulong other_x_offset,
                            const __global int *positions, ulong positions_offset,
                            __global uint *status, ulong status_offset, uint step, int8 shape,
                            uint other_row, ulong first, ulong end) {
    const ulong item = first + get_global_id(0), row = item / (ulong)shape.s4;
    const ulong head = row / (ulong)shape.s2, n = head / (ulong)shape.s1;
    const ulong column = item % (ulong)shape.s4;
    positions += positions_offset;
    if (item >= end ||
        !nn_cache_writes(positions, shape.s0, shape.s3 - shape.s2, status, status_offset, step))
        return;
    const ulong to =
        (head * (ulong)shape.s3 + (ulong)positions[n] + row % (ulong)shape.s2) * (ulong)shape.s4 +
        column;
    nn_cache_put(y, y_offset + to, shape.s6, x, x_offset + row * (ulong)shape.s7 + column,
                 shape.s5);
    if (other_y)
        nn_cache_put(other_y, other_y_offset + to, shape.s6, other_x,
                     other_x_offset + row * (ulong)other_row + column, shape.s5);
}
