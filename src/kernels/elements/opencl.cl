/* kernels/elements/opencl.cl - element-wise gather and scatter. The extents of the part (e1 to e5;
   the first is implied) and the strides of the whole (s0 to s5, 0 for the axis) are passed one by
   one. */

#define NN_ELEMENTS                                                                                \
    uint e1, uint e2, uint e3, uint e4, uint e5, ulong s0, ulong s1, ulong s2, ulong s3, ulong s4, \
        ulong s5
#define NN_ELEMENTS_AT(i) nn_elements_at(i, e1, e2, e3, e4, e5, s0, s1, s2, s3, s4, s5)

/* Returns where element i of the part lies in the whole, at index 0 of the axis. */
ulong nn_elements_at(ulong i, NN_ELEMENTS) {
    ulong at = i % e5 * s5;
    i /= e5;
    at += i % e4 * s4, i /= e4;
    at += i % e3 * s3, i /= e3;
    at += i % e2 * s2, i /= e2;
    return at + i % e1 * s1 + i / e1 * s0;
}

/* Called if element `at` has an index out of range. Only the work-item with the first such element
   sets the status word, so no two of them write it. */
void nn_elements_missing(const __global int *index, ulong at, int count, __global uint *status,
                         ulong status_offset, uint step) {
    for (ulong i = 0; i < at; i++)
        if (index[i] < 0 || index[i] >= count) return;
    nn_set_status(status, status_offset, step, NN_FAULT_INDEX);
}

/* A work-item gathers `each` of the elements [first, end). */
#define NN_GATHER_ELEMENTS(name, unit)                                                             \
    __kernel void name(__global unit *y, ulong y_offset, const __global unit *x, ulong x_offset,   \
                       const __global int *index, ulong index_offset, __global uint *status,       \
                       ulong status_offset, uint step, int count, ulong axis, NN_ELEMENTS,         \
                       ulong first, ulong end, uint each) {                                        \
        ulong i = first + get_global_id(0) * each, stop = min(i + each, end);                      \
        for (; i < stop; i++) {                                                                    \
            int from = index[index_offset + i];                                                    \
            bool there = from >= 0 && from < count;                                                \
            unit value = status ? (unit)~(unit)0 : (unit)0;                                        \
            if (there) value = x[x_offset + NN_ELEMENTS_AT(i) + (ulong)from * axis];               \
            else if (status)                                                                       \
                nn_elements_missing(index + index_offset, i, count, status, status_offset, step);  \
            y[y_offset + i] = value;                                                               \
        }                                                                                          \
    }
NN_GATHER_ELEMENTS(nn_gather_elements_1, uchar)
NN_GATHER_ELEMENTS(nn_gather_elements_2, ushort)
NN_GATHER_ELEMENTS(nn_gather_elements_4, uint)
NN_GATHER_ELEMENTS(nn_gather_elements_8, ulong)

/* Sets y to base, or to 0 if base is NULL. */
__kernel void nn_scatter_elements_base(__global float *y, ulong y_offset,
                                       const __global float *base, ulong base_offset, ulong first,
                                       ulong end, uint each) {
    ulong i = first + get_global_id(0) * each, stop = min(i + each, end);
    for (; i < stop; i++) y[y_offset + i] = base ? base[base_offset + i] : 0.0f;
}

/* combine: an nn_combination. */
float nn_elements_combined(int combine, float y, float x) {
    return combine == 0   ? y + x
           : combine == 1 ? x
           : combine == 2 ? y * x
           : combine == 3 ? (x > y || x != x ? x : y)
                          : (x < y || x != x ? x : y);
}

/* Takes the lines [first, end) along the axis, `each` of them per work-item. `workers` work-items
   share a line: each writes to every workers-th place of it. */
__kernel void nn_scatter_elements(__global float *y, ulong y_offset, const __global float *x,
                                  ulong x_offset, const __global int *index, ulong index_offset,
                                  __global uint *status, ulong status_offset, uint step, int count,
                                  ulong axis, NN_ELEMENTS, ulong chosen, ulong inner, float value,
                                  int combine, uint workers, ulong first, ulong end, uint each) {
    ulong line = first + get_global_id(0) / workers * each, stop = min(line + each, end);
    int own = (int)(get_global_id(0) % workers);
    index += index_offset;
    x += x_offset;
    for (; line < stop; line++) {
        ulong i = line / inner * chosen * inner + line % inner;
        ulong at = y_offset + NN_ELEMENTS_AT(i);
        for (ulong j = 0; j < chosen; j++, i += inner) {
            int to = index[i];
            if (to < 0 || to >= count) {
                if (own == 0 && status)
                    nn_elements_missing(index, i, count, status, status_offset, step);
            } else if (to % (int)workers == own) {
                float given = x ? x[i] : value;
                ulong place = at + (ulong)to * axis;
                y[place] = nn_elements_combined(combine, y[place], given);
            }
        }
    }
}
