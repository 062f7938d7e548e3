/* kernels/scatter_add/opencl.cl - adds pieces at given indices, one after the other. */

/* chains: for each of `count` pieces the first position with its index, or -1; then for each
   position the next one with the same index. A work-item links every `workers`-th piece, so no two
   write the same place. skip: an index that adds nothing; -1: none. */
__kernel void nn_scatter_add_chains(__global int *chains, ulong chains_offset,
                                    const __global int *index, ulong index_offset, int count,
                                    int chosen, int skip, uint workers) {
    int own = (int)get_global_id(0);
    __global int *first = chains + chains_offset, *next = first + count;
    if (own >= (int)workers) return;
    for (int i = own; i < count; i += (int)workers) first[i] = -1;
    for (int i = chosen - 1; i >= 0; i--) {
        int to = index[index_offset + i];
        if (to < 0 || to >= count || to == skip || to % (int)workers != own) continue;
        next[i] = first[to];
        first[to] = i;
    }
}

/* y is (outer, count, piece), x is (outer, chosen, piece). A work-item computes one number of y. */
__kernel void nn_scatter_add(__global float *y, ulong y_offset, const __global float *x,
                             ulong x_offset, const __global int *chains, ulong chains_offset,
                             int count, ulong chosen, ulong piece, int accumulate, ulong begin,
                             ulong end) {
    ulong i = begin + get_global_id(0), row = i / piece;
    if (i >= end) return;
    const __global int *first = chains + chains_offset, *next = first + count;
    float sum = accumulate ? y[y_offset + i] : 0.0f;
    x += x_offset + row / count * chosen * piece + i % piece;
    for (int at = first[row % count]; at >= 0; at = next[at]) sum += x[at * piece];
    y[y_offset + i] = sum;
}
