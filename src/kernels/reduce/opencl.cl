/* kernels/reduce/opencl.cl - sums and maxima over any axes, in pieces whose size depends only on
   the shape.

   "Along" kernels reduce the innermost axis: result t = (kept row, piece) is the tree of 64 lanes
   over its rows, where lane i has columns i, i + 64, ... "Across" kernels keep the innermost axis:
   a piece of a column is added from top to bottom, 64 rows at a time. The results of several pieces
   go to scratch, and a second launch of the same kernel reduces them. In nn_reduce_whole the
   work-group that finishes a column last does that; no work-group waits for another.

   NN_REDUCE_ONLY selects the kernels of a program: 0 all, 1 sums and maxima, 2 folds, 3
   gradients, 4 nn_reduce_whole. */
#ifndef NN_REDUCE_ONLY
#define NN_REDUCE_ONLY 0
#endif

/* Returns the offset of row `index` of up to three axes, innermost first; unused extents are 1. */
ulong nn_reduce_offset(ulong index, int rank, ulong e0, ulong e1, ulong s0, ulong s1, ulong s2) {
    if (rank == 0) return 0;
    if (rank == 1) return index * s0;
    ulong offset = index % e0 * s0;
    index /= e0;
    if (rank == 2) return offset + index * s1;
    return offset + index % e1 * s1 + index / e1 * s2;
}

#define NN_REDUCE_KEPT(index)    nn_reduce_offset(index, kept_rank, k_e0, k_e1, k_s0, k_s1, k_s2)
#define NN_REDUCE_REDUCED(index) nn_reduce_offset(index, reduced_rank, r_e0, r_e1, r_s0, r_s1, r_s2)

#if NN_REDUCE_ONLY < 2 || NN_REDUCE_ONLY == 4
#define NN_REDUCE_ARGUMENTS                                                                        \
    __global float *y, ulong y_offset, const __global float *x, ulong x_offset, int largest,       \
        float divisor, float scale, int accumulate, ulong row, ulong width, ulong row_pieces,      \
        ulong reduced_rows, ulong piece_rows, ulong pieces, int kept_rank, ulong k_e0, ulong k_e1, \
        ulong k_s0, ulong k_s1, ulong k_s2, int reduced_rank, ulong r_e0, ulong r_e1, ulong r_s0,  \
        ulong r_s1, ulong r_s2

void nn_reduce_store(__global float *y, float total, float divisor, float scale, int accumulate) {
    float value = total / divisor * scale;
    *y = accumulate ? *y + value : value;
}

#if NN_REDUCE_ONLY != 4
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
                float16 value =
                    n - i >= 16 ? vload16(0, at + i) : nn_load_tail16(at + i, n - i, fill);
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

/* Does nn_reduce_along's work number by number, for short rows on GPUs. Each row is a separate
   sum. */
__kernel void nn_reduce_along_each(NN_REDUCE_ARGUMENTS, ulong first, ulong end, uint each) {
    ulong t = first + get_global_id(0);
    if (t >= end) return;
    ulong piece = t % pieces, column = piece % row_pieces * width,
          from_row = piece / row_pieces * piece_rows;
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

/* A work-group of 64 computes a result or a piece, with the same bytes as nn_reduce_along. */
__kernel void nn_reduce_along_group(NN_REDUCE_ARGUMENTS, ulong first) {
    __local float lanes[NN_LANES];
    ulong t = first + get_group_id(0), piece = t % pieces, column = piece % row_pieces * width;
    ulong from_row = piece / row_pieces * piece_rows,
          end_row = min(from_row + piece_rows, reduced_rows);
    int n = (int)min(row - column, width);
    float total = largest ? -INFINITY : 0.0f;
    const __global float *from = x + x_offset + NN_REDUCE_KEPT(t / pieces) + column;
    for (ulong r = from_row; r < end_row; r++) {
        const __global float *at = from + NN_REDUCE_REDUCED(r);
        if (largest)
            for (int i = (int)get_local_id(0); i < n; i += NN_LANES)
                total = nn_larger(total, at[i]);
        else
            for (int i = (int)get_local_id(0); i < n; i += NN_LANES) total += at[i];
    }
    total = largest ? nn_group_max(total, lanes) : nn_group_sum(total, lanes);
    if (get_local_id(0) == 0) nn_reduce_store(y + y_offset + t, total, divisor, scale, accumulate);
}

#endif

/* Rows that are added in one float before they are added to the total. */
#define NN_REDUCE_BLOCK 64

float nn_reduce_column(const __global float *x, int largest, ulong from_row, ulong end_row,
                       int reduced_rank, ulong r_e0, ulong r_e1, ulong r_s0, ulong r_s1,
                       ulong r_s2) {
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

#if NN_REDUCE_ONLY != 4
/* Returns the place of a row of results in y: (piece, kept row, column). */
#define NN_REDUCE_ACROSS_TO (y + y_offset + (piece * kept_rows + kept) * row + column)

/* A work-item computes one column. t counts blocks of `width` columns of a piece of a row of
   results. */
__kernel void nn_reduce_across(NN_REDUCE_ARGUMENTS, ulong kept_rows, ulong first, ulong end) {
    ulong at = get_global_id(0), t = first + at / width,
          column = t % row_pieces * width + at % width;
    ulong piece = t / row_pieces % pieces, kept = t / row_pieces / pieces;
    if (t >= end || column >= row) return;
    float total = nn_reduce_column(x + x_offset + NN_REDUCE_KEPT(kept) + column, largest,
                                   piece * piece_rows, min((piece + 1) * piece_rows, reduced_rows),
                                   reduced_rank, r_e0, r_e1, r_s0, r_s1, r_s2);
    nn_reduce_store(NN_REDUCE_ACROSS_TO, total, divisor, scale, accumulate);
}
#else
/* Makes earlier writes of this work-group visible to all others. OpenCL 1.2 has no such fence, so
   the host asks for nn_reduce_whole only where a working fence is known. */
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
#define NN_REDUCE_FENCE __asm__ volatile("membar.gl;" ::: "memory");
#else
#define NN_REDUCE_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif

/* Reduces `count` pieces, `step` numbers apart, as nn_reduce_column does. Other work-groups wrote
   them in this launch, so volatile reads bypass the caches that are not shared. Eight reads are
   under way at a time. */
float nn_reduce_pieces(const volatile __global float *x, int largest, int count, ulong step) {
    float total = largest ? -INFINITY : 0.0f;
    for (int block = 0; block < count; block += NN_REDUCE_BLOCK) {
        const int stop = min(block + NN_REDUCE_BLOCK, count);
        float sum = largest ? -INFINITY : 0.0f;
        for (int r = block; r < stop; r += 8) {
            const float8 v = (float8)(
                x[(ulong)r * step], x[(ulong)min(r + 1, stop - 1) * step],
                x[(ulong)min(r + 2, stop - 1) * step], x[(ulong)min(r + 3, stop - 1) * step],
                x[(ulong)min(r + 4, stop - 1) * step], x[(ulong)min(r + 5, stop - 1) * step],
                x[(ulong)min(r + 6, stop - 1) * step], x[(ulong)min(r + 7, stop - 1) * step]);
#define NN_REDUCE_NEXT(u, part)                                                                    \
    if (r + u < stop) sum = largest ? nn_larger(sum, v.part) : sum + v.part;
            NN_REDUCE_NEXT(0, s0)
            NN_REDUCE_NEXT(1, s1)
            NN_REDUCE_NEXT(2, s2)
            NN_REDUCE_NEXT(3, s3)
            NN_REDUCE_NEXT(4, s4)
            NN_REDUCE_NEXT(5, s5)
            NN_REDUCE_NEXT(6, s6)
            NN_REDUCE_NEXT(7, s7)
#undef NN_REDUCE_NEXT
        }
        total = largest ? nn_larger(total, sum) : total + sum;
    }
    return total;
}

/* Does the work of both launches of nn_reduce_across. Work-group (i, piece, kept row) has a block
   of columns. `turns` counts the finished pieces of a block; it is zero before and after the
   launch. Every barrier is unconditional. */
__kernel void nn_reduce_whole(NN_REDUCE_ARGUMENTS, ulong kept_rows, __global float *parts,
                              ulong parts_offset, __global uint *turns) {
    __local int last[1];
    const ulong column = get_global_id(0), piece = get_group_id(1), kept = get_group_id(2);
    const int tile = (int)(get_group_id(2) * get_num_groups(0) + get_group_id(0));
    parts += parts_offset + kept * row + column;
    if (column < row)
        parts[piece * kept_rows * row] = nn_reduce_column(
            x + x_offset + NN_REDUCE_KEPT(kept) + column, largest, piece * piece_rows,
            min((piece + 1) * piece_rows, reduced_rows), reduced_rank, r_e0, r_e1, r_s0, r_s1,
            r_s2);
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        NN_REDUCE_FENCE
        last[0] = atomic_inc(turns + tile) == (uint)pieces - 1u;
        NN_REDUCE_FENCE
        if (last[0]) turns[tile] = 0u;
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (last[0] && column < row)
        nn_reduce_store(y + y_offset + kept * row + column,
                        nn_reduce_pieces(parts, largest, (int)pieces, kept_rows * row), divisor,
                        scale, accumulate);
    (void)width, (void)row_pieces;
}
#undef NN_REDUCE_FENCE
#endif

#undef NN_REDUCE_ARGUMENTS
#undef NN_REDUCE_BLOCK
#undef NN_REDUCE_ACROSS_TO
#endif

/* ---- folds: product, minimum, any, all, argmax, norm, logsumexp, variance
   --------------------- */
#if NN_REDUCE_ONLY == 0 || NN_REDUCE_ONLY == 2

/* The values of enum nn_reduction. */
#define NN_FOLD_MIN       4
#define NN_FOLD_PROD      5
#define NN_FOLD_ANY       6
#define NN_FOLD_ALL       7
#define NN_FOLD_ARGMAX    8
#define NN_FOLD_ARGMIN    9
#define NN_FOLD_NORM      11
#define NN_FOLD_LOGSUMEXP 12
#define NN_FOLD_VAR       13
#define NN_FOLD_STD       14
#define NN_FOLD_IS_ARG    (reduction == NN_FOLD_ARGMAX || reduction == NN_FOLD_ARGMIN)
#define NN_FOLD_BLOCK     64 /* numbers that form one state before it is merged */

/* The state of n numbers. a is the value so far. argmax and argmin: a is the number, i its index.
   logsumexp: a is the largest number m, b the sum of exp(x - shift(m)). Variance: a is the mean, b
   the sum of squared differences from it. */
typedef struct nn_fold_state {
    float a, b, n;
    int i;
} nn_fold_state;

/* Avoids inf - inf if the largest number is infinite. */
float nn_fold_shift(float largest) { return fabs(largest) == INFINITY ? 0.0f : largest; }
float nn_fold_rescale(float sum, float from, float to) {
    return sum == 0.0f ? 0.0f : sum * exp(nn_fold_shift(from) - nn_fold_shift(to));
}
bool nn_fold_beats(int reduction, float x, float best) {
    if (x != x) return best == best;
    return reduction == NN_FOLD_ARGMIN ? x < best : x > best;
}

void nn_fold_step(int reduction, nn_fold_state *state, float x, int index) {
    float a = state->a;
    if (NN_FOLD_IS_ARG) {
        if (nn_fold_beats(reduction, x, a)) a = x, state->i = index;
    } else if (reduction == NN_FOLD_MIN)
        a = x < a || x != x ? x : a;
    else if (reduction == NN_FOLD_PROD)
        a *= x;
    else if (reduction == NN_FOLD_ANY)
        a = x != 0.0f ? 1.0f : a;
    else if (reduction == NN_FOLD_ALL)
        a = x == 0.0f ? 0.0f : a;
    else if (reduction == NN_FOLD_LOGSUMEXP)
        a = x > a ? x : a; /* the sum shows a NaN */
    else if (reduction == NN_FOLD_VAR || reduction == NN_FOLD_STD)
        a += x;
    else
        a += x * x;
    state->a = a;
}

void nn_fold_merge(int reduction, nn_fold_state *x, const nn_fold_state *y) {
    const float n = x->n, m = y->n;
    if (m == 0.0f) return;
    if (n == 0.0f) {
        *x = *y;
        return;
    }
    x->n = n + m;
    if (NN_FOLD_IS_ARG) {
        const bool equal = x->a == y->a || (x->a != x->a && y->a != y->a);
        if (equal ? y->i < x->i : nn_fold_beats(reduction, y->a, x->a)) x->a = y->a, x->i = y->i;
    } else if (reduction == NN_FOLD_MIN)
        x->a = y->a < x->a || y->a != y->a ? y->a : x->a;
    else if (reduction == NN_FOLD_PROD || reduction == NN_FOLD_ALL)
        x->a *= y->a;
    else if (reduction == NN_FOLD_ANY)
        x->a = max(x->a, y->a);
    else if (reduction == NN_FOLD_LOGSUMEXP) {
        const float largest = max(x->a, y->a);
        x->b = nn_fold_rescale(x->b, x->a, largest) + nn_fold_rescale(y->b, y->a, largest);
        x->a = largest;
    } else if (reduction == NN_FOLD_VAR ||
               reduction == NN_FOLD_STD) { /* Chan, Golub, LeVeque, 1979 */
        const float difference = y->a - x->a, share = m / (n + m);
        x->a += difference * share;
        x->b += y->b + difference * difference * n * share;
    } else
        x->a += y->a;
}

#define NN_FOLD_ARGUMENTS                                                                          \
    __global float *y, ulong y_offset, __global float *parts, ulong parts_offset,                  \
        const __global float *x, ulong x_offset, int reduction, float divisor, float scale,        \
        int accumulate, ulong row, ulong width, ulong row_pieces, ulong reduced_rows,              \
        ulong piece_rows, ulong pieces, int kept_rank, ulong k_e0, ulong k_e1, ulong k_s0,         \
        ulong k_s1, ulong k_s2, int reduced_rank, ulong r_e0, ulong r_e1, ulong r_s0, ulong r_s1,  \
        ulong r_s2, ulong results, ulong first, ulong end

/* Moments are computed from the numbers minus the first one of their result. So a large mean costs
   no accuracy, and the variance of a single number is exactly 0. */
#define NN_FOLD_FIRST(at) (reduction == NN_FOLD_VAR || reduction == NN_FOLD_STD ? *(at) : 0.0f)

/* Rows [from_row, end_row) of columns lane, lane + lanes, ... below n. Element (row, column) has
   the index index + row * row_index + column. */
#define NN_FOLD_EACH(body)                                                                         \
    for (ulong r = block; r < stop; r++) {                                                         \
        const __global float *at =                                                                 \
            x + nn_reduce_offset(r, reduced_rank, r_e0, r_e1, r_s0, r_s1, r_s2);                   \
        for (int c = column + lane; c < end_column; c += lanes) {                                  \
            body;                                                                                  \
        }                                                                                          \
    }
nn_fold_state nn_fold_range(int reduction, const __global float *x, float shift, ulong from_row,
                            ulong end_row, int n, int lane, int lanes, ulong index,
                            ulong row_index, int reduced_rank, ulong r_e0, ulong r_e1, ulong r_s0,
                            ulong r_s1, ulong r_s2) {
    nn_fold_state total;
    const ulong rows = n < NN_FOLD_BLOCK ? (ulong)(NN_FOLD_BLOCK / n) : 1;
    const bool variance = reduction == NN_FOLD_VAR || reduction == NN_FOLD_STD;
    total.a = total.b = total.n = 0.0f, total.i = 0;
    for (ulong block = from_row; block < end_row; block += rows) {
        const ulong stop = min(block + rows, end_row);
        for (int column = 0; column + lane < n; column += NN_FOLD_BLOCK * lanes) {
            const int end_column = min(column + NN_FOLD_BLOCK * lanes, n);
            nn_fold_state state;
            state.b = 0.0f;
            state.n =
                (float)(stop - block) * (float)((end_column - column - lane + lanes - 1) / lanes);
            state.i = (int)(index + block * row_index) + column + lane;
            state.a = reduction == NN_FOLD_MIN || reduction == NN_FOLD_ARGMIN           ? INFINITY
                      : reduction == NN_FOLD_ARGMAX || reduction == NN_FOLD_LOGSUMEXP   ? -INFINITY
                      : reduction == NN_FOLD_PROD || reduction == NN_FOLD_ALL           ? 1.0f
                                                                                        : 0.0f;
            NN_FOLD_EACH(
                nn_fold_step(reduction, &state, at[c] - shift, (int)(index + r * row_index) + c))
            if (reduction == NN_FOLD_LOGSUMEXP) {
                const float largest = nn_fold_shift(state.a);
                NN_FOLD_EACH(state.b += exp(at[c] - largest))
            } else if (variance) {
                float rest = 0.0f; /* corrects the rounding of the mean */
                state.a /= state.n;
                NN_FOLD_EACH(float difference = at[c] - shift - state.a; rest += difference;
                             state.b += difference * difference)
                state.b = max(state.b - rest * (rest / state.n), 0.0f * state.b);
                state.a += rest / state.n;
            }
            nn_fold_merge(reduction, &total, &state);
        }
    }
    return total;
}
#undef NN_FOLD_EACH

void nn_fold_finish(int reduction, const nn_fold_state *state, __global float *y, float divisor,
                    float scale, int accumulate) {
    float value = state->a;
    if (NN_FOLD_IS_ARG) {
        *(__global int *)y = state->i;
        return;
    }
    if (reduction == NN_FOLD_LOGSUMEXP) value = log(state->b) + nn_fold_shift(state->a);
    if (reduction == NN_FOLD_VAR || reduction == NN_FOLD_STD) value = state->b / divisor;
    if (reduction == NN_FOLD_STD || reduction == NN_FOLD_NORM) value = sqrt(value);
    value *= scale;
    *y = accumulate ? *y + value : value;
}

/* Stores a result, or the three words of a piece: (piece, result). */
void nn_fold_store(int reduction, const nn_fold_state *state, __global float *y,
                   __global float *parts, ulong result, ulong results, ulong piece, ulong pieces,
                   float divisor, float scale, int accumulate) {
    __global float *to = parts + (piece * results + result) * 3;
    if (pieces == 1) {
        nn_fold_finish(reduction, state, y + result, divisor, scale, accumulate);
        return;
    }
    to[0] = state->a;
    ((__global int *)to)[1] = NN_FOLD_IS_ARG ? state->i : as_int(state->b);
    to[2] = state->n;
}

/* lanes 1: a work-item per result or piece. lanes NN_LANES: a work-group of that size. */
__kernel void nn_fold_along(NN_FOLD_ARGUMENTS, int lanes) {
    __local float la[NN_LANES], lb[NN_LANES], ln[NN_LANES];
    __local int li[NN_LANES];
    const int lane = lanes == 1 ? 0 : (int)get_local_id(0);
    const ulong t = first + (lanes == 1 ? get_global_id(0) : get_group_id(0));
    if (t >= end) return;
    const ulong piece = t % pieces, column = piece % row_pieces * width,
                from_row = piece / row_pieces * piece_rows;
    nn_fold_state state =
        nn_fold_range(reduction, x + x_offset + NN_REDUCE_KEPT(t / pieces) + column,
                      NN_FOLD_FIRST(x + x_offset + NN_REDUCE_KEPT(t / pieces)), from_row,
                      min(from_row + piece_rows, reduced_rows), (int)min(row - column, width), lane,
                      lanes, column, row, reduced_rank, r_e0, r_e1, r_s0, r_s1, r_s2);
    if (lanes > 1) {
        for (int step = NN_LANES / 2; step > 0; step >>= 1) {
            la[lane] = state.a, lb[lane] = state.b, ln[lane] = state.n, li[lane] = state.i;
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            if (lane < step) {
                nn_fold_state other;
                other.a = la[lane + step], other.b = lb[lane + step], other.n = ln[lane + step];
                other.i = li[lane + step];
                nn_fold_merge(reduction, &state, &other);
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        }
    }
    if (lane == 0)
        nn_fold_store(reduction, &state, y + y_offset, parts + parts_offset, t / pieces, results,
                      piece, pieces, divisor, scale, accumulate);
}

/* A work-item computes one column of a piece of a row of results. */
__kernel void nn_fold_across(NN_FOLD_ARGUMENTS) {
    const ulong at = get_global_id(0), t = first + at / width,
                column = t % row_pieces * width + at % width;
    const ulong piece = t / row_pieces % pieces, kept = t / row_pieces / pieces;
    if (t >= end || column >= row) return;
    const nn_fold_state state =
        nn_fold_range(reduction, x + x_offset + NN_REDUCE_KEPT(kept) + column,
                      NN_FOLD_FIRST(x + x_offset + NN_REDUCE_KEPT(kept) + column),
                      piece * piece_rows, min((piece + 1) * piece_rows, reduced_rows), 1, 0, 1, 0,
                      1, reduced_rank, r_e0, r_e1, r_s0, r_s1, r_s2);
    nn_fold_store(reduction, &state, y + y_offset, parts + parts_offset, kept * row + column,
                  results, piece, pieces, divisor, scale, accumulate);
}

/* Merges the pieces of the results [first, end) in order. */
__kernel void nn_fold_join(__global float *y, ulong y_offset, const __global float *parts,
                           ulong parts_offset, int reduction, float divisor, float scale,
                           int accumulate, ulong results, ulong pieces, ulong first, ulong end) {
    const ulong result = first + get_global_id(0);
    nn_fold_state total;
    if (result >= end) return;
    total.a = total.b = total.n = 0.0f, total.i = 0;
    for (ulong piece = 0; piece < pieces; piece++) {
        const __global float *from = parts + parts_offset + (piece * results + result) * 3;
        nn_fold_state state;
        state.a = from[0];
        state.i = ((const __global int *)from)[1];
        state.b = NN_FOLD_IS_ARG ? 0.0f : as_float(state.i);
        state.n = from[2];
        nn_fold_merge(reduction, &total, &state);
    }
    nn_fold_finish(reduction, &total, y + y_offset + result, divisor, scale, accumulate);
}
#undef NN_FOLD_ARGUMENTS
#undef NN_FOLD_FIRST
#endif
#undef NN_REDUCE_KEPT
#undef NN_REDUCE_REDUCED
