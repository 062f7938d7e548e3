/* kernels/strided_copy/opencl.cl - one piece of a strided copy: a work-item copies up to `each`
   elements of a row of the last axis. Extents and strides of the six axes are passed one by one.
   Nothing is written while the status word is set. */

/* Storage of x and y for nn_strided_copy_cast: 0 f32, 1 f16, 2 bf16. */
#ifndef NN_COPY_X
#define NN_COPY_X 0
#endif
#ifndef NN_COPY_Y
#define NN_COPY_Y 0
#endif

#define NN_STRIDED_COPY(name, x_type, y_type, put)                                                 \
    __kernel void name(__global y_type *y, ulong y_offset, const __global x_type *x,               \
                       ulong x_offset,                                                             \
                       const __global uint *status, ulong status_offset, ulong y_first,            \
                       ulong x_first, uint e0, uint e1, uint e2, uint e3, uint e4, uint e5,        \
                       ulong y0, ulong y1, ulong y2, ulong y3, ulong y4, ulong y5, ulong x0,       \
                       ulong x1, ulong x2, ulong x3, ulong x4, ulong x5, ulong first, ulong end,   \
                       uint cuts, uint each) {                                                     \
        ulong item = first + get_global_id(0);                                                     \
        if (item >= end || nn_faulty(status, status_offset)) return;                               \
        ulong row = item / cuts;                                                                   \
        uint column = (uint)(item % cuts) * each;                                                  \
        (void)e0; /* implied by the number of rows */                                              \
        long at_y = (long)y_first + (long)column * (long)y5,                                       \
             at_x = (long)x_first + (long)column * (long)x5;                                       \
        at_y += (long)(row % e4) * (long)y4, at_x += (long)(row % e4) * (long)x4, row /= e4;       \
        at_y += (long)(row % e3) * (long)y3, at_x += (long)(row % e3) * (long)x3, row /= e3;       \
        at_y += (long)(row % e2) * (long)y2, at_x += (long)(row % e2) * (long)x2, row /= e2;       \
        at_y += (long)(row % e1) * (long)y1, at_x += (long)(row % e1) * (long)x1, row /= e1;       \
        at_y += (long)row * (long)y0, at_x += (long)row * (long)x0;                                \
        y += (long)y_offset + at_y;                                                                \
        x += (long)x_offset + at_x;                                                                \
        uint stop = min(each, e5 - column);                                                        \
        for (uint i = 0; i < stop; i++) put(y, (long)i * (long)y5, x, (long)i * (long)x5);         \
    }
#define NN_COPY_PUT(y, to, x, from)  (y)[to] = (x)[from]
#define NN_COPY_ADD(y, to, x, from)  (y)[to] += (x)[from]
#define NN_COPY_CAST(y, to, x, from)                                                               \
    NN_STORED_PUT(NN_COPY_Y)(y, to, NN_STORED_AT(NN_COPY_X)(x, from))
NN_STRIDED_COPY(nn_strided_copy_1, uchar, uchar, NN_COPY_PUT)
NN_STRIDED_COPY(nn_strided_copy_2, ushort, ushort, NN_COPY_PUT)
NN_STRIDED_COPY(nn_strided_copy_4, uint, uint, NN_COPY_PUT)
NN_STRIDED_COPY(nn_strided_copy_8, ulong, ulong, NN_COPY_PUT)
NN_STRIDED_COPY(nn_strided_copy_add, float, float, NN_COPY_ADD)
NN_STRIDED_COPY(nn_strided_copy_cast, NN_STORED(NN_COPY_X), NN_STORED(NN_COPY_Y), NN_COPY_CAST)

#define NN_STRIDED_FILL(name, type)                                                                \
    __kernel void name(__global type *y, ulong y_offset, const __global uint *status,              \
                       ulong status_offset, ulong value, ulong first, ulong end, uint each) {      \
        if (nn_faulty(status, status_offset)) return;                                              \
        ulong at = first + get_global_id(0) * each, stop = min(at + each, end);                    \
        for (; at < stop; at++) y[y_offset + at] = (type)value;                                    \
    }
NN_STRIDED_FILL(nn_strided_fill_1, uchar)
NN_STRIDED_FILL(nn_strided_fill_2, ushort)
NN_STRIDED_FILL(nn_strided_fill_4, uint)
NN_STRIDED_FILL(nn_strided_fill_8, ulong)
