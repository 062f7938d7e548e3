/* kernels/reduce/opencl.cl - sums and largest numbers over any axes, in pieces whose size depends on the shape
   only.

   Along: the innermost axis is reduced; result t = (kept row, piece) is the tree of 64 lanes over its rows,
   lane i having columns i, i + 64, ... Across: the innermost axis is kept; a piece of a column is added
   from top to bottom, 64 rows at a time. What comes in pieces goes to the scratch, and a second launch of
   the same kernel reduces that. */

/* Offset of row `index` of up to three axes, innermost first; unused extents are 1. */
ulong nn_reduce_offset(ulong index, int rank, ulong e0, ulong e1, ulong s0, ulong s1, ulong s2) {
    if (rank == 0) return 0;
    if (rank == 1) return index * s0;
    ulong offset = index % e0 * s0;
    index /= e0;
    if (rank == 2) return offset + index * s1;
    return offset + index % e1 * s1 + index / e1 * s2;
}

#define NN_REDUCE_ARGUMENTS                                                                                  \
    __global float *y, ulong y_offset, const __global float *x, ulong x_offset, int largest, float divisor,  \
        float scale, int accumulate, ulong row, ulong width, ulong row_pieces, ulong reduced_rows,           \
        ulong piece_rows, ulong pieces, int kept_rank, ulong k_e0, ulong k_e1, ulong k_s0, ulong k_s1,       \
        ulong k_s2, int reduced_rank, ulong r_e0, ulong r_e1, ulong r_s0, ulong r_s1, ulong r_s2
#define NN_REDUCE_KEPT(index)    nn_reduce_offset(index, kept_rank, k_e0, k_e1, k_s0, k_s1, k_s2)
#define NN_REDUCE_REDUCED(index) nn_reduce_offset(index, reduced_rank, r_e0, r_e1, r_s0, r_s1, r_s2)

void nn_reduce_store(__global float *y, float total, float divisor, float scale, int accumulate) {
    float value = total / divisor * scale;
    *y = accumulate ? *y + value : value;
}

__kernel void nn_reduce_along(NN_REDUCE_ARGUMENTS, ulong first, ulong end, uint each) {
    ulong t = first + get_global_id(0) * each, stop = min(t + each, end);
    float fill = largest ? -INFINITY : 0.0f;
    for (; t < stop; t++) {
        ulong piece = t % pieces, column = piece % row_pieces * width,
              from_row = piece / row_pieces * piece_rows;
        ulong end_row = min(from_row + piece_rows, reduced_rows);
        int n = (int)min(row - column, width);
        const __global float *from = x + x_offset + NN_REDUCE_KEPT(t / pieces) + column;
        float16 lane[4];
        for (int k = 0; k < 4; k++) lane[k] = (float16)(fill);
        for (ulong r = from_row; r < end_row; r++) {
            const __global float *at = from + NN_REDUCE_REDUCED(r);
            int i = 0;
            if (largest)
                for (; i + 64 <= n; i += 64)
                    for (int k = 0; k < 4; k++) {
                        float16 value = vload16(0, at + i + 16 * k);
                        lane[k] = NN_LARGER(lane[k], value);
                    }
            else
                for (; i + 64 <= n; i += 64)
                    for (int k = 0; k < 4; k++) lane[k] += vload16(0, at + i + 16 * k);
            for (int k = 0; i < n; k++, i += 16) {
                float16 value = n - i >= 16 ? vload16(0, at + i) : nn_load_tail16(at + i, n - i, fill);
                float16 both = largest ? NN_LARGER(lane[k], value) : lane[k] + value;
                lane[k] = both;
            }
        }
        float total = largest ? nn_larger(nn_larger(nn_max16(lane), nn_max16(lane + 1)),
                                          nn_larger(nn_max16(lane + 2), nn_max16(lane + 3)))
                              : nn_lanes_sum(lane);
        nn_reduce_store(y + y_offset + t, total, divisor, scale, accumulate);
    }
}

/* The same number by number, for short rows on GPUs; each row is a sum of its own. */
__kernel void nn_reduce_along_each(NN_REDUCE_ARGUMENTS, ulong first, ulong end, uint each) {
    ulong t = first + get_global_id(0);
    if (t >= end) return;
    ulong piece = t % pieces, column = piece % row_pieces * width, from_row = piece / row_pieces * piece_rows;
    ulong end_row = min(from_row + piece_rows, reduced_rows);
    int n = (int)min(row - column, width);
    const __global float *from = x + x_offset + NN_REDUCE_KEPT(t / pieces) + column;
    float total = largest ? -INFINITY : 0.0f;
    for (ulong r = from_row; r < end_row; r++) {
        const __global float *at = from + NN_REDUCE_REDUCED(r);
        float part = at[0];
        for (int i = 1; i < n; i++) part = largest ? nn_larger(part, at[i]) : part + at[i];
        total = largest ? nn_larger(total, part) : total + part;
    }
    nn_reduce_store(y + y_offset + t, total, divisor, scale, accumulate);
    (void)each;
}

/* A work-group of 64 for each result or piece: the same bytes as nn_reduce_along. */
__kernel void nn_reduce_along_group(NN_REDUCE_ARGUMENTS, ulong first) {
    __local float lanes[NN_LANES];
    ulong t = first + get_group_id(0), piece = t % pieces, column = piece % row_pieces * width;
    ulong from_row = piece / row_pieces * piece_rows, end_row = min(from_row + piece_rows, reduced_rows);
    int n = (int)min(row - column, width);
    float total = largest ? -INFINITY : 0.0f;
    const __global float *from = x + x_offset + NN_REDUCE_KEPT(t / pieces) + column;
    for (ulong r = from_row; r < end_row; r++) {
        const __global float *at = from + NN_REDUCE_REDUCED(r);
        if (largest)
            for (int i = (int)get_local_id(0); i < n; i += NN_LANES) total = nn_larger(total, at[i]);
        else
            for (int i = (int)get_local_id(0); i < n; i += NN_LANES) total += at[i];
    }
    total = largest ? nn_group_max(total, lanes) : nn_group_sum(total, lanes);
    if (get_local_id(0) == 0) nn_reduce_store(y + y_offset + t, total, divisor, scale, accumulate);
}

/* Rows added in one float before they go to the total. */
#define NN_REDUCE_BLOCK 64

float nn_reduce_column(const __global float *x, int largest, ulong from_row, ulong end_row, int reduced_rank,
                       ulong r_e0, ulong r_e1, ulong r_s0, ulong r_s1, ulong r_s2) {
    float total = largest ? -INFINITY : 0.0f;
    for (ulong block = from_row; block < end_row; block += NN_REDUCE_BLOCK) {
        ulong stop = min(block + NN_REDUCE_BLOCK, end_row);
        float sum = largest ? -INFINITY : 0.0f;
        for (ulong r = block; r < stop; r++) {
            float value = x[NN_REDUCE_REDUCED(r)];
            sum = largest ? nn_larger(sum, value) : sum + value;
        }
        total = largest ? nn_larger(total, sum) : total + sum;
    }
    return total;
}

/* Where in y a row of results lies: pieces beside each other's rows. */
#define NN_REDUCE_ACROSS_TO (y + y_offset + (piece * kept_rows + kept) * row + column)

/* A work-item: one column; t counts blocks of `width` columns of a piece of a row of results. */
__kernel void nn_reduce_across(NN_REDUCE_ARGUMENTS, ulong kept_rows, ulong first, ulong end) {
    ulong at = get_global_id(0), t = first + at / width, column = t % row_pieces * width + at % width;
    ulong piece = t / row_pieces % pieces, kept = t / row_pieces / pieces;
    if (t >= end || column >= row) return;
    float total = nn_reduce_column(x + x_offset + NN_REDUCE_KEPT(kept) + column, largest, piece * piece_rows,
                                   min((piece + 1) * piece_rows, reduced_rows), reduced_rank, r_e0, r_e1,
                                   r_s0, r_s1, r_s2);
    nn_reduce_store(NN_REDUCE_ACROSS_TO, total, divisor, scale, accumulate);
}

/* A work-item: the blocks [first + id * each, ...), 32 columns at a time; the same bytes. */
__kernel void nn_reduce_across_wide(NN_REDUCE_ARGUMENTS, ulong kept_rows, ulong first, ulong end, uint each) {
    ulong t = first + get_global_id(0) * each, last = min(t + each, end);
    float16 fill = (float16)(largest ? -INFINITY : 0.0f);
    for (; t < last; t++) {
        ulong column = t % row_pieces * width, piece = t / row_pieces % pieces,
              kept = t / row_pieces / pieces;
        ulong end_column = min(column + width, row), from_row = piece * piece_rows,
              end_row = min(from_row + piece_rows, reduced_rows);
        const __global float *from = x + x_offset + NN_REDUCE_KEPT(kept);
        for (; column + 64 <= end_column; column += 64) {
            float16 total[4];
            for (int k = 0; k < 4; k++) total[k] = fill;
            for (ulong block = from_row; block < end_row; block += NN_REDUCE_BLOCK) {
                ulong stop = min(block + NN_REDUCE_BLOCK, end_row);
                float16 sum[4];
                for (int k = 0; k < 4; k++) sum[k] = fill;
                if (largest)
                    for (ulong r = block; r < stop; r++) {
                        const __global float *at = from + NN_REDUCE_REDUCED(r) + column;
                        for (int k = 0; k < 4; k++) {
                            float16 value = vload16(0, at + 16 * k);
                            sum[k] = NN_LARGER(sum[k], value);
                        }
                    }
                else
                    for (ulong r = block; r < stop; r++) {
                        const __global float *at = from + NN_REDUCE_REDUCED(r) + column;
                        for (int k = 0; k < 4; k++) sum[k] += vload16(0, at + 16 * k);
                    }
                for (int k = 0; k < 4; k++) {
                    float16 both = largest ? NN_LARGER(total[k], sum[k]) : total[k] + sum[k];
                    total[k] = both;
                }
            }
            __global float *to = NN_REDUCE_ACROSS_TO;
            for (int k = 0; k < 4; k++) {
                float16 value = total[k] / divisor * scale;
                if (accumulate) value += vload16(0, to + 16 * k);
                vstore16(value, 0, to + 16 * k);
            }
        }
        for (; column < end_column; column++)
            nn_reduce_store(NN_REDUCE_ACROSS_TO,
                            nn_reduce_column(from + column, largest, from_row, end_row, reduced_rank, r_e0,
                                             r_e1, r_s0, r_s1, r_s2),
                            divisor, scale, accumulate);
    }
}
#undef NN_REDUCE_ARGUMENTS
#undef NN_REDUCE_KEPT
#undef NN_REDUCE_REDUCED
#undef NN_REDUCE_BLOCK
#undef NN_REDUCE_ACROSS_TO
