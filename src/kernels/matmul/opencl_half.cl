/* kernels/matmul/opencl_half.cl - the largest numbers of a matrix, by which products in half
   arithmetic are scaled (opencl_large.cl). */
#if NN_GEMM_ONLY == 12
/* Writes the bits of the largest finite |x| of each part: one part per work-group of 256. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_gemm_half_most(__global uint *most, ulong most_offset, const __global float *x, ulong x_offset,
                  ulong count) {
    __local uint found[256];
    const int item = (int)get_local_id(0);
    uint largest = 0;
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint bits = as_uint(x[x_offset + i]) & 0x7fffffffu;
        largest = bits < 0x7f800000u ? max(largest, bits) : largest;
    }
    found[item] = largest;
    for (int half_of = 128; half_of > 0; half_of /= 2) {
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (item < half_of) found[item] = max(found[item], found[item + half_of]);
    }
    if (item == 0) most[most_offset + get_group_id(0)] = found[0];
}
#endif
