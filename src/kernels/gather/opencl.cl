/* kernels/gather/opencl.cl - copies pieces by index, in words of four bytes or in bytes. If an
   index is out of range, the piece is zeros, or all bits set if there is a status word. */

/* Position `at` has an index out of range. Only the work-item with the first such position sets the
   status word, so no two of them write it. */
void nn_gather_missing(const __global int *index, ulong at, int count, __global uint *status,
                       ulong status_offset, uint step) {
    for (ulong i = 0; i < at; i++)
        if (index[i] < 0 || index[i] >= count) return;
    nn_set_status(status, status_offset, step, NN_FAULT_INDEX);
}

/* Pieces [first, end) of `row` units. A work-item copies `each` units of a piece. */
#define NN_GATHER(name, unit)                                                                      \
    __kernel void name(__global unit *y, ulong y_offset, const __global unit *x, ulong x_offset,   \
                       const __global int *index, ulong index_offset, __global uint *status,       \
                       ulong status_offset, uint step, int count, ulong chosen, ulong row,         \
                       ulong first, uint cuts, uint each, ulong end) {                             \
        ulong i = first + get_global_id(0) / cuts, at = get_global_id(0) % cuts * (ulong)each;     \
        ulong stop = min(at + each, row), outer = i / chosen, place = i % chosen;                  \
        if (i >= end) return;                                                                      \
        int from = index[index_offset + place];                                                    \
        bool there = from >= 0 && from < count;                                                    \
        unit missing = status ? (unit)~(unit)0 : (unit)0;                                          \
        if (!there && status && outer == 0 && at == 0)                                             \
            nn_gather_missing(index + index_offset, place, count, status, status_offset, step);    \
        y += y_offset + i * row;                                                                   \
        x += x_offset + (outer * (ulong)count + (there ? (ulong)from : 0)) * row;                  \
        for (; at < stop; at++) y[at] = there ? x[at] : missing;                                   \
    }
NN_GATHER(nn_gather_words, uint)
NN_GATHER(nn_gather_bytes, uchar)
