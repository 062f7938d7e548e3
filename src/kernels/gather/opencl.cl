/* kernels/gather/opencl.cl - rows by their numbers, as words of four bytes or as bytes; a row that
   is not there is zeros. */

/* A work-item copies `each` units of a row; rows [first, end), `row` units in one. */
#define NN_GATHER(name, unit)                                                                      \
    __kernel void name(__global unit *y, ulong y_offset, const __global unit *x, ulong x_offset,   \
                       const __global int *index, ulong index_offset, int count, ulong row,        \
                       ulong first, uint pieces, uint each, ulong end) {                           \
        ulong i = first + get_global_id(0) / pieces, at = get_global_id(0) % pieces * (ulong)each; \
        ulong stop = min(at + each, row);                                                          \
        if (i >= end) return;                                                                      \
        int from = index[index_offset + i];                                                        \
        bool there = from >= 0 && from < count;                                                    \
        y += y_offset + i * row;                                                                   \
        x += x_offset + (there ? (ulong)from : 0) * row;                                           \
        for (; at < stop; at++) y[at] = there ? x[at] : (unit)0;                                   \
    }
NN_GATHER(nn_gather_words, uint)
NN_GATHER(nn_gather_bytes, uchar)
