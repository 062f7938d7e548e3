/* kernels/matmul/opencl.cl - matrix products: a plain kernel, two for CPUs, one for GPUs, and what
   goes before and after them.

   All four have the same arguments. y (m, n): element (i, j) of product `split` stands at y[split m
   n + i n + j] and sums the terms [split chunk, (split + 1) chunk) of k. a: element (i, l) stands
   at a[i a_row + l a_step]; b: (l, j) at b[l b_step + j b_column]. first: the first tile of rows.
   No kernel relies on the work-groups of another, only on launches before it.
   kernels/matmul/opencl.c chooses.

   NN_GEMM_ONLY: 0 all kernels, 1 the small ones, 2 rows, 3 dots, 4 tiles (a program holds what one
   variant needs). */
#ifndef NN_GEMM_ONLY
#define NN_GEMM_ONLY 0
#endif
#ifndef NN_GEMM_LANES /* floats of a CPU's vector */
#define NN_GEMM_LANES 16
#endif
#ifndef NN_GEMM_ROWS /* rows of a CPU's tile */
#define NN_GEMM_ROWS 8
#endif
#ifndef NN_GEMM_GROUP /* a GPU's work-group is NN_GEMM_GROUP squared */
#define NN_GEMM_GROUP 16
#endif
#ifndef NN_GEMM_HEIGHT /* rows of one work-item of a GPU, a multiple of 4; it has 4 columns */
#define NN_GEMM_HEIGHT 4
#endif
#define NN_GEMM_PANEL (2 * NN_GEMM_LANES)

#define NN_GEMM_ARGUMENTS                                                                          \
    __global float *y, ulong y_offset, const __global float *a, ulong a_offset,                    \
        const __global float *b, ulong b_offset, const __global float *bias, ulong bias_offset,    \
        int m, int n, int k, int chunk, uint a_row, uint a_step, uint b_step, uint b_column,       \
        int first, int accumulate, int activation

#if NN_GEMM_LANES == 16
typedef float16 nn_gemm_vector;
#define NN_GEMM_LOAD(p)     vload16(0, p)
#define NN_GEMM_STORE(v, p) vstore16(v, 0, p)
#else
typedef float8 nn_gemm_vector;
#define NN_GEMM_LOAD(p)     vload8(0, p)
#define NN_GEMM_STORE(v, p) vstore8(v, 0, p)
#endif

/* ---- small kernels -------------------------------------------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 1

/* One work-item an element: extents n, rows, splits. */
__kernel void nn_gemm_plain(NN_GEMM_ARGUMENTS) {
    const int j = (int)get_global_id(0), i = first + (int)get_global_id(1),
              split = (int)get_global_id(2);
    const int end = min(k, (split + 1) * chunk);
    float sum = 0.0f;
    if (j >= n || i >= m) return;
    a += a_offset + (ulong)i * a_row;
    b += b_offset + (ulong)j * b_column;
    y += y_offset + ((ulong)split * (ulong)m + (ulong)i) * (ulong)n + (ulong)j;
    for (int l = split * chunk; l < end; l++) sum += a[(ulong)l * a_step] * b[(ulong)l * b_step];
    if (accumulate) sum += *y;
    if (bias) sum += bias[bias_offset + (ulong)j];
    *y = nn_activate(activation, sum);
}

/* y = epilogue of the sum of the partial products, in their order; partial may be y itself when
   there is one. */
__kernel void nn_gemm_finish(__global float *y, ulong y_offset, const __global float *partial,
                             ulong partial_offset, const __global float *bias, ulong bias_offset,
                             ulong count, int n, int splits, int accumulate, int activation) {
    const ulong i = get_global_id(0);
    float sum = 0.0f;
    if (i >= count) return;
    for (int split = 0; split < splits; split++)
        sum += partial[partial_offset + (ulong)split * count + i];
    if (accumulate) sum += y[y_offset + i];
    if (bias) sum += bias[bias_offset + i % (ulong)n];
    y[y_offset + i] = nn_activate(activation, sum);
}

/* b in panels of NN_GEMM_PANEL columns with zeros after the last: to[panel][l][column]. A
   work-item: 16 steps of one panel. */
__kernel void nn_gemm_pack(__global float *to, ulong to_offset, const __global float *b,
                           ulong b_offset, int n, int k, uint b_step, uint b_column) {
    const int l0 = (int)get_global_id(0) * 16, panel = (int)get_global_id(1);
    const int steps = min(16, k - l0), columns = min(NN_GEMM_PANEL, n - panel * NN_GEMM_PANEL);
    if (l0 >= k) return;
    to += to_offset + ((ulong)panel * (ulong)k + (ulong)l0) * NN_GEMM_PANEL;
    b += b_offset + (ulong)panel * NN_GEMM_PANEL * b_column + (ulong)l0 * b_step;
    if (b_column == 1 && columns == NN_GEMM_PANEL) {
        for (int l = 0; l < steps; l++, to += NN_GEMM_PANEL, b += b_step) {
            NN_GEMM_STORE(NN_GEMM_LOAD(b), to);
            NN_GEMM_STORE(NN_GEMM_LOAD(b + NN_GEMM_LANES), to + NN_GEMM_LANES);
        }
        return;
    }
    for (int j = 0; j < NN_GEMM_PANEL; j++)
        for (int l = 0; l < steps; l++)
            to[l * NN_GEMM_PANEL + j] =
                j < columns ? b[(ulong)j * b_column + (ulong)l * b_step] : 0.0f;
}
#endif

/* ---- CPUs: one work-item a group, a tile in registers --------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 2

/* Some columns of one row. */
void nn_gemm_put(__global float *y, const __global float *bias, const float *line, int count,
                 int accumulate, int activation) {
    int j = 0;
    if (activation <= NN_ACTIVATION_RELU) {
        const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
        for (; j + 8 <= count; j += 8) {
            float8 value = vload8(0, line + j);
            if (accumulate) value += vload8(0, y + j);
            if (bias) value += vload8(0, bias + j);
            vstore8(value < least ? (float8)(least) : value, 0, y + j); /* a NaN stays */
        }
    }
    for (; j < count; j++) {
        float value = line[j];
        if (accumulate) value += y[j];
        if (bias) value += bias[j];
        y[j] = nn_activate(activation, value);
    }
}

/* Groups: tiles of rows, panels of columns, splits. b_column 1: b in place, n is at least a panel,
   and the last panel begins earlier than the others end. b_column 0: b in panels (nn_gemm_pack),
       b_step is a
   panel's width. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void nn_gemm_rows(NN_GEMM_ARGUMENTS) {
    const int i0 = (first + (int)get_group_id(0)) * NN_GEMM_ROWS,
              j0 = (int)get_group_id(1) * NN_GEMM_PANEL;
    const int split = (int)get_group_id(2), l0 = split * chunk, steps = min(k - l0, chunk);
    const int start = b_column ? min(j0, n - NN_GEMM_PANEL) : j0, rows = min(NN_GEMM_ROWS, m - i0);
    const __global float *bp =
        b + b_offset + (b_column ? (ulong)start : (ulong)j0 * (ulong)k) + (ulong)l0 * b_step;
    const __global float *ap[NN_GEMM_ROWS];
    nn_gemm_vector left[NN_GEMM_ROWS], right[NN_GEMM_ROWS];
    float tile[NN_GEMM_ROWS * NN_GEMM_PANEL];
#pragma unroll
    for (int i = 0; i < NN_GEMM_ROWS; i++) {
        ap[i] = a + a_offset + (ulong)min(i0 + i, m - 1) * a_row + (ulong)l0 * a_step;
        left[i] = right[i] = (nn_gemm_vector)(0.0f);
    }
    if (a_step == 1)
        for (int l = 0; l < steps; l++, bp += b_step) {
            const nn_gemm_vector b0 = NN_GEMM_LOAD(bp), b1 = NN_GEMM_LOAD(bp + NN_GEMM_LANES);
#pragma unroll
            for (int i = 0; i < NN_GEMM_ROWS; i++) {
                left[i] += ap[i][l] * b0;
                right[i] += ap[i][l] * b1;
            }
        }
    else
        for (int l = 0; l < steps; l++, bp += b_step) {
            const nn_gemm_vector b0 = NN_GEMM_LOAD(bp), b1 = NN_GEMM_LOAD(bp + NN_GEMM_LANES);
#pragma unroll
            for (int i = 0; i < NN_GEMM_ROWS; i++) {
                left[i] += ap[i][(ulong)l * a_step] * b0;
                right[i] += ap[i][(ulong)l * a_step] * b1;
            }
        }
#pragma unroll
    for (int i = 0; i < NN_GEMM_ROWS; i++) {
        NN_GEMM_STORE(left[i], tile + i * NN_GEMM_PANEL);
        NN_GEMM_STORE(right[i], tile + i * NN_GEMM_PANEL + NN_GEMM_LANES);
    }
    y += y_offset + ((ulong)split * (ulong)m + (ulong)i0) * (ulong)n + (ulong)j0;
    if (bias) bias += bias_offset + (ulong)j0;
    for (int i = 0; i < rows; i++, y += n)
        nn_gemm_put(y, bias, tile + i * NN_GEMM_PANEL + (j0 - start), min(NN_GEMM_PANEL, n - j0),
                    accumulate, activation);
}
#endif

#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 3
/* In order: Oclgrind 21.10 crashes on the shuffles that a tree becomes. */
float nn_gemm_sum(nn_gemm_vector v) {
    float line[NN_GEMM_LANES], sum = 0.0f;
    NN_GEMM_STORE(v, line);
#pragma unroll
    for (int i = 0; i < NN_GEMM_LANES; i++) sum += line[i];
    return sum;
}

/* a_step and b_step are 1: rows of a by rows of b, 4 by 4, vectors along k. Groups: tiles of rows,
   tiles of columns, splits. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void nn_gemm_dots(NN_GEMM_ARGUMENTS) {
    const int i0 = (first + (int)get_group_id(0)) * 4, j0 = (int)get_group_id(1) * 4;
    const int split = (int)get_group_id(2), end = min(k, (split + 1) * chunk);
    const __global float *ap[4], *bp[4];
    nn_gemm_vector sum[4][4];
    int l = split * chunk;
    (void)a_step;
    (void)b_step;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        ap[i] = a + a_offset + (ulong)min(i0 + i, m - 1) * a_row;
        bp[i] = b + b_offset + (ulong)min(j0 + i, n - 1) * b_column;
#pragma unroll
        for (int j = 0; j < 4; j++) sum[i][j] = (nn_gemm_vector)(0.0f);
    }
    for (; l + NN_GEMM_LANES <= end; l += NN_GEMM_LANES) {
        const nn_gemm_vector b0 = NN_GEMM_LOAD(bp[0] + l), b1 = NN_GEMM_LOAD(bp[1] + l),
                             b2 = NN_GEMM_LOAD(bp[2] + l), b3 = NN_GEMM_LOAD(bp[3] + l);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const nn_gemm_vector av = NN_GEMM_LOAD(ap[i] + l);
            sum[i][0] += av * b0;
            sum[i][1] += av * b1;
            sum[i][2] += av * b2;
            sum[i][3] += av * b3;
        }
    }
    y += y_offset + (ulong)split * (ulong)m * (ulong)n;
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float value = nn_gemm_sum(sum[i][j]);
            if (i0 + i >= m || j0 + j >= n) continue;
            for (int r = l; r < end; r++) value += ap[i][r] * bp[j][r];
            {
                __global float *to = y + (ulong)(i0 + i) * (ulong)n + (ulong)(j0 + j);
                if (accumulate) value += *to;
                if (bias) value += bias[bias_offset + (ulong)(j0 + j)];
                *to = nn_activate(activation, value);
            }
        }
}
#endif

/* ---- GPUs: a tile of y a work-group, tiles of a and b in local memory ----------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 4
#define NN_GEMM_ITEMS (NN_GEMM_GROUP * NN_GEMM_GROUP)
#define NN_GEMM_TALL  (NN_GEMM_GROUP * NN_GEMM_HEIGHT) /* the tile of y */
#define NN_GEMM_WIDE  (NN_GEMM_GROUP * 4)
#define NN_GEMM_DEEP  16                                            /* steps of k at a time */
#define NN_GEMM_A     (NN_GEMM_TALL * NN_GEMM_DEEP / NN_GEMM_ITEMS) /* what one work-item fetches */
#define NN_GEMM_B     (NN_GEMM_WIDE * NN_GEMM_DEEP / NN_GEMM_ITEMS)

/* Groups: tiles of columns, tiles of rows, splits. Work-items fetch the next tiles into registers
   while they use these. */
__kernel __attribute__((reqd_work_group_size(NN_GEMM_ITEMS, 1, 1))) void
nn_gemm_tiles(NN_GEMM_ARGUMENTS) {
    __local float4 at[NN_GEMM_DEEP][NN_GEMM_TALL / 4 + 1], bt[NN_GEMM_DEEP][NN_GEMM_WIDE / 4 + 1];
    const int item = (int)get_local_id(0), ty = item / NN_GEMM_GROUP,
              tx = item - ty * NN_GEMM_GROUP;
    const int j0 = (int)get_group_id(0) * NN_GEMM_WIDE,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_TALL;
    const int split = (int)get_group_id(2), end = min(k, (split + 1) * chunk);
    float4 sum[NN_GEMM_HEIGHT];
    float a_next[NN_GEMM_A], b_next[NN_GEMM_B];
    int a_i[2], b_j[2]; /* (row or column, step) of the first element that this work-item fetches */
    a += a_offset;
    b += b_offset;
    if (a_step == 1) {
        a_i[0] = item / NN_GEMM_DEEP;
        a_i[1] = item - a_i[0] * NN_GEMM_DEEP;
    } else {
        a_i[1] = item / NN_GEMM_TALL;
        a_i[0] = item - a_i[1] * NN_GEMM_TALL;
    }
    if (b_step == 1) {
        b_j[0] = item / NN_GEMM_DEEP;
        b_j[1] = item - b_j[0] * NN_GEMM_DEEP;
    } else {
        b_j[1] = item / NN_GEMM_WIDE;
        b_j[0] = item - b_j[1] * NN_GEMM_WIDE;
    }
    {
        /* The others: a_step 1: rows ITEMS / DEEP apart. Else steps ITEMS / TALL apart. */
        const int a_down = a_step == 1 ? NN_GEMM_ITEMS / NN_GEMM_DEEP : 0,
                  a_deep = a_step == 1 ? 0 : NN_GEMM_ITEMS / NN_GEMM_TALL;
        const int b_down = b_step == 1 ? NN_GEMM_ITEMS / NN_GEMM_DEEP : 0,
                  b_deep = b_step == 1 ? 0 : NN_GEMM_ITEMS / NN_GEMM_WIDE;
#pragma unroll
        for (int i = 0; i < NN_GEMM_HEIGHT; i++) sum[i] = (float4)(0.0f);
        for (int l = split * chunk - NN_GEMM_DEEP; l < end; l += NN_GEMM_DEEP) {
            const int next = l + NN_GEMM_DEEP;
#pragma unroll
            for (int q = 0; q < NN_GEMM_A; q++) {
                const int i = i0 + a_i[0] + q * a_down, s = next + a_i[1] + q * a_deep;
                a_next[q] = i < m && s < end ? a[(ulong)i * a_row + (ulong)s * a_step] : 0.0f;
            }
#pragma unroll
            for (int q = 0; q < NN_GEMM_B; q++) {
                const int j = j0 + b_j[0] + q * b_down, s = next + b_j[1] + q * b_deep;
                b_next[q] = j < n && s < end ? b[(ulong)j * b_column + (ulong)s * b_step] : 0.0f;
            }
            if (next > split * chunk) { /* not before the first tiles are there */
#pragma unroll 4
                for (int s = 0; s < NN_GEMM_DEEP; s++) {
                    const float4 bv = bt[s][tx];
#pragma unroll
                    for (int i = 0; i < NN_GEMM_HEIGHT / 4; i++) {
                        const float4 av = at[s][ty * (NN_GEMM_HEIGHT / 4) + i];
                        sum[4 * i + 0] += av.x * bv;
                        sum[4 * i + 1] += av.y * bv;
                        sum[4 * i + 2] += av.z * bv;
                        sum[4 * i + 3] += av.w * bv;
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE); /* all have read */
            }
#pragma unroll
            for (int q = 0; q < NN_GEMM_A; q++)
                ((__local float *)at[a_i[1] + q * a_deep])[a_i[0] + q * a_down] = a_next[q];
#pragma unroll
            for (int q = 0; q < NN_GEMM_B; q++)
                ((__local float *)bt[b_j[1] + q * b_deep])[b_j[0] + q * b_down] = b_next[q];
            barrier(CLK_LOCAL_MEM_FENCE); /* all have written */
        }
    }
    y += y_offset + (ulong)split * (ulong)m * (ulong)n;
#pragma unroll
    for (int i = 0; i < NN_GEMM_HEIGHT; i++) {
        const int row = i0 + ty * NN_GEMM_HEIGHT + i;
        const float line[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int j = j0 + tx * 4 + q;
            if (row < m && j < n) {
                __global float *to = y + (ulong)row * (ulong)n + (ulong)j;
                float value = line[q];
                if (accumulate) value += *to;
                if (bias) value += bias[bias_offset + (ulong)j];
                *to = nn_activate(activation, value);
            }
        }
    }
}
#endif
