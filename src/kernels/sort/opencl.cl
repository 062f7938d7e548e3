/* kernels/sort/opencl.cl - sorts lines by a bitonic network. A number and its index form one 64-bit
   key with the index in the low half, so all keys differ and their order is the stable one. Lines
   that fit into a work-group's local memory are sorted there. Longer ones are sorted in global
   memory, with the steps inside a block in local memory. Source: Batcher, "Sorting networks and
   their applications", 1968. */

/* Makes keys in the order of the numbers: the bits of negative ones are inverted, and NaN is all
   ones. Beyond the line (i >= length), keys are larger than all others. */
ulong nn_sort_item(const __global float *x, ulong i, ulong length, ulong inner, uint turn) {
    if (i >= length) return ~0ul;
    uint word = as_uint(x[i * inner]);
    if (word == 0x80000000u) word = 0; /* -0 */
    if ((word & 0x7fffffffu) > 0x7f800000u) word = 0xffffffffu;
    else word = word & 0x80000000u ? ~word : word | 0x80000000u;
    return (ulong)(word ^ turn) << 32 | i;
}

/* Runs the steps of the network for runs of `from` to `to` keys, inside a block of `size` keys. Its
   first key has index `base` in its line. */
void nn_sort_block(__local ulong *items, uint size, uint base, uint from, uint to) {
    for (uint run = from; run && run <= to; run *= 2)
        for (uint apart = min(run, size) / 2; apart > 0; apart /= 2) {
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            for (uint i = (uint)get_local_id(0); i < size / 2; i += (uint)get_local_size(0)) {
                uint a = 2 * i - (i & (apart - 1)), b = a + apart;
                ulong p = items[a], q = items[b];
                if ((p > q) == (((base + a) & run) == 0)) {
                    items[a] = q;
                    items[b] = p;
                }
            }
        }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
}

/* y and index: (outer, kept, inner). */
void nn_sort_write(__global float *y, __global int *index, const __global float *x, ulong line,
                   ulong k, ulong item, ulong kept, ulong inner) {
    ulong to = (line / inner * kept + k) * inner + line % inner, from = item & 0xfffffffful;
    y[to] = x[from * inner];
    if (index) index[to] = (int)from;
}

/* A work-group sorts a line. size: a power of two, at least length. */
__kernel void nn_sort_line(__global float *y, ulong y_offset, __global int *index,
                           ulong index_offset, const __global float *x, ulong x_offset,
                           ulong length, ulong kept, ulong inner, uint turn, ulong first, uint size,
                           __local ulong *items) {
    ulong line = first + get_group_id(0);
    x += x_offset + line / inner * length * inner + line % inner;
    for (uint i = (uint)get_local_id(0); i < size; i += (uint)get_local_size(0))
        items[i] = nn_sort_item(x, i, length, inner, turn);
    nn_sort_block(items, size, 0, 2, size);
    for (uint k = (uint)get_local_id(0); k < kept; k += (uint)get_local_size(0))
        nn_sort_write(y + y_offset, index ? index + index_offset : index, x, line, k, items[k],
                      kept, inner);
}

/* ---- lines longer than a block: `size` keys each in global memory ---------------------------- */

/* Sorts a block up to runs of `to` keys. If `from` is 2, the keys come from x. */
__kernel void nn_sort_blocks(__global ulong *all, ulong all_offset, const __global float *x,
                             ulong x_offset, ulong length, ulong inner, uint turn, ulong first,
                             uint size, uint block, uint from, uint to, __local ulong *items) {
    uint blocks = size / block, base = (uint)(get_group_id(0) % blocks) * block;
    ulong which = get_group_id(0) / blocks, line = first + which;
    all += all_offset + which * size + base;
    x += x_offset + line / inner * length * inner + line % inner;
    for (uint i = (uint)get_local_id(0); i < block; i += (uint)get_local_size(0))
        items[i] = from == 2 ? nn_sort_item(x, base + i, length, inner, turn) : all[i];
    nn_sort_block(items, block, base, from, to);
    for (uint i = (uint)get_local_id(0); i < block; i += (uint)get_local_size(0)) all[i] = items[i];
}

/* One step between blocks: a work-item per pair of keys that are `apart` from each other. */
__kernel void nn_sort_step(__global ulong *all, ulong all_offset, uint size, uint run, uint apart,
                           ulong pairs) {
    ulong i = get_global_id(0);
    uint pair = (uint)(i % (size / 2)), a = 2 * pair - (pair & (apart - 1)), b = a + apart;
    if (i >= pairs) return;
    all += all_offset + i / (size / 2) * size;
    ulong p = all[a], q = all[b];
    if ((p > q) != ((a & run) == 0)) return;
    all[a] = q;
    all[b] = p;
}

__kernel void nn_sort_results(__global float *y, ulong y_offset, __global int *index,
                              ulong index_offset, const __global float *x, ulong x_offset,
                              const __global ulong *all, ulong all_offset, ulong length, ulong kept,
                              ulong inner, ulong first, uint size, ulong count) {
    ulong i = get_global_id(0), line = first + i / kept, k = i % kept;
    if (i >= count) return;
    x += x_offset + line / inner * length * inner + line % inner;
    nn_sort_write(y + y_offset, index ? index + index_offset : index, x, line, k,
                  all[all_offset + i / kept * size + k], kept, inner);
}
