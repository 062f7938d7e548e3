/* kernels/matmul/opencl_mma.cl - matrix products on matrix units, by the layer of opencl/mma.cl.

   A work-group computes a tile of NN_MMA_SIDE x NN_MMA_SIDE of y. Local memory holds two turns of
   NN_MMA_DEPTH steps of k. While the sub-groups multiply one turn, they fetch the next one, first a
   and then b, so that the fetched numbers need few registers. Numbers are rounded on their way to
   local memory. Each turn needs one barrier.

   NN_GEMM_A_DEEP, NN_GEMM_B_DEEP: 1 if the matrix lies along k. If not, a work-item fetches four
   steps of four neighbouring lines and transposes them. NN_MMA_COPY_A, NN_MMA_COPY_B: 1 if the
   matrix is bf16, lies along k, and groups of eight are aligned and wholly inside; it is then
   copied as it is. Lines beyond the matrices are read from the last one: their results are not
   stored. Steps beyond the end of k are zeros, in both matrices, because 0 times NaN is not 0.
   With NN_MMA_A_FORM the loop is that of opencl/mma_loop.cl. */
#if NN_GEMM_ONLY == 10 && defined(NN_MMA)
#ifndef NN_GEMM_A_DEEP
#define NN_GEMM_A_DEEP 1
#endif
#ifndef NN_GEMM_B_DEEP
#define NN_GEMM_B_DEEP 0
#endif
#ifndef NN_MMA_COPY_A
#define NN_MMA_COPY_A 0
#endif
#ifndef NN_MMA_COPY_B
#define NN_MMA_COPY_B 0
#endif
/* Number q of a work-item: its line, and its first step. Deep: of fours. Not deep: of blocks of
   four lines and four steps. Copied: of groups of eight steps. */
#define NN_MMA_DEEP_LINE(q)                                                                        \
    NN_MMA_LINE_OF(item / NN_MMA_FOURS + (q) * (NN_MMA_ITEMS / NN_MMA_FOURS))
#define NN_MMA_DEEP_FOUR     (item % NN_MMA_FOURS)
#define NN_MMA_BLOCK_LINE(q)                                                                       \
    (4 * ((item & 1) + item / (2 * NN_MMA_FOURS) * 2 + (q) * (NN_MMA_ITEMS / NN_MMA_FOURS)))
#define NN_MMA_BLOCK_FOUR    (item / 2 % NN_MMA_FOURS)
#define NN_MMA_COPY_LINE(q)  NN_MMA_LINE_OF(item / 4 + (q) * (NN_MMA_ITEMS / 4))

/* Sets x_at, the places of the work-item's numbers in the matrix, and the number of neighbours
   that exist. first: the tile's first line; lines: of the matrix. */
#define NN_MMA_PLACE(X, x_at, x_count, first, lines, x_line, x_step)                               \
    NN_MMA_UNROLL for (int q = 0; q < NN_MMA_EACH; q++) {                                    \
        if (NN_MMA_COPY_##X) {                                                                     \
            if (q < NN_MMA_EACH / 2)                                                         \
                x_at[q] = (uint)min((first) + NN_MMA_COPY_LINE(q), (lines)-1) * (x_line) +         \
                          (uint)(item % 4 * 8);                                                    \
        } else if (NN_GEMM_##X##_DEEP) {                                                           \
            x_at[q] = (uint)min((first) + NN_MMA_DEEP_LINE(q), (lines)-1) * (x_line);              \
        } else if (q < NN_MMA_EACH / 4) {                                                    \
            const int line =                                                                       \
                min((first) + NN_MMA_BLOCK_LINE(q), (lines) - (NN_GEMM_VECTOR ? 4 : 1));           \
            x_at[q] = (uint)line;                                                                  \
            x_count[q] = min(4, (lines)-line);                                                     \
        }                                                                                          \
    }

/* Fetches the work-item's part of the turn that begins at x, of which `there` steps exist. */
#define NN_MMA_FETCH(X, x, x_at, x_count, next, x_step, there)                                     \
    if (!NN_MMA_COPY_##X)                                                                          \
        NN_MMA_UNROLL for (int q = 0; q < NN_MMA_EACH; q++) {                                \
            if (NN_GEMM_##X##_DEEP) {                                                              \
                const int from =                                                                   \
                    min(4 * NN_MMA_DEEP_FOUR, (there) - (NN_GEMM_VECTOR ? 4 : 1));                 \
                next[q] = NN_GEMM_FOUR(X, x + (x_at[q] + (uint)from), min(4, (there)-from));       \
            } else                                                                                 \
                next[q] = NN_GEMM_FOUR(                                                            \
                    X,                                                                             \
                    x + (x_at[q / 4] +                                                             \
                         (uint)min(4 * NN_MMA_BLOCK_FOUR + q % 4, (there)-1) * (x_step)),          \
                    x_count[q / 4]);                                                               \
        }

/* Zeroes the steps from `there` on. */
#define NN_MMA_CUT(X, next, there)                                                                 \
    if (!NN_MMA_COPY_##X && (there) < NN_MMA_DEPTH)                                                \
        NN_MMA_UNROLL for (int q = 0; q < NN_MMA_EACH; q++) {                                \
            const int left = (there)-4 * (NN_GEMM_##X##_DEEP ? NN_MMA_DEEP_FOUR                    \
                                                             : NN_MMA_BLOCK_FOUR) -                \
                             (NN_GEMM_##X##_DEEP ? 0 : q % 4);                                     \
            next[q].x = left > 0 ? next[q].x : 0.0f;                                               \
            next[q].y = left > (NN_GEMM_##X##_DEEP ? 1 : 0) ? next[q].y : 0.0f;                    \
            next[q].z = left > (NN_GEMM_##X##_DEEP ? 2 : 0) ? next[q].z : 0.0f;                    \
            next[q].w = left > (NN_GEMM_##X##_DEEP ? 3 : 0) ? next[q].w : 0.0f;                    \
        }

/* Rounds what was fetched, and stores it to local memory. */
#define NN_MMA_PUT(X, to, next)                                                                    \
    if (!NN_MMA_COPY_##X && NN_GEMM_##X##_DEEP) {                                                  \
        NN_MMA_UNROLL for (int q = 0; q < NN_MMA_EACH; q++)                                  \
            nn_mma_put((to) + NN_MMA_DEEP_LINE(q) * NN_MMA_LINE, NN_MMA_DEEP_FOUR, next[q]);       \
    } else if (!NN_MMA_COPY_##X) {                                                                 \
        NN_MMA_UNROLL for (int q = 0; q < NN_MMA_EACH / 4; q++) {                            \
            __local uint *line = (to) + NN_MMA_BLOCK_LINE(q) * NN_MMA_LINE;                        \
            const float4 s0 = next[4 * q], s1 = next[4 * q + 1], s2 = next[4 * q + 2],             \
                         s3 = next[4 * q + 3];                                                     \
            nn_mma_put(line, NN_MMA_BLOCK_FOUR, (float4)(s0.x, s1.x, s2.x, s3.x));                 \
            nn_mma_put(line + NN_MMA_LINE, NN_MMA_BLOCK_FOUR, (float4)(s0.y, s1.y, s2.y, s3.y));   \
            nn_mma_put(line + 2 * NN_MMA_LINE, NN_MMA_BLOCK_FOUR,                                  \
                       (float4)(s0.z, s1.z, s2.z, s3.z));                                          \
            nn_mma_put(line + 3 * NN_MMA_LINE, NN_MMA_BLOCK_FOUR,                                  \
                       (float4)(s0.w, s1.w, s2.w, s3.w));                                          \
        }                                                                                          \
    }

/* Starts to copy a turn of bf16 numbers as they are. */
#define NN_MMA_COPY_TURN(X, to, x, x_at, there)                                                    \
    if (NN_MMA_COPY_##X)                                                                           \
        NN_MMA_UNROLL for (int q = 0; q < NN_MMA_EACH / 2; q++) {                            \
            __local uint *line = (to) + NN_MMA_COPY_LINE(q) * NN_MMA_LINE + item % 4 * 4;          \
            if (item % 4 * 8 < (there)) {                                                          \
                NN_MMA_COPY(line, x + x_at[q])                                                     \
            } else                                                                                 \
                *(__local uint4 *)line = (uint4)(0u);                                              \
        }

/* Stores two neighbours; the first is at an even place. */
#if NN_GEMM_Y_TYPE == 0
#define NN_GEMM_Y_PAIR(to, v) *(__global float2 *)(to) = (v)
#elif NN_GEMM_Y_TYPE == 1
#define NN_GEMM_Y_PAIR(to, v) vstore_half2_rte(v, 0, (__global half *)(to))
#else
#define NN_GEMM_Y_PAIR(to, v) *(__global uint *)(to) = nn_mma_bf16((v).x, (v).y)
#endif

/* The loops over the sums of `count` blocks from block (i, from) on, with the row and column of
   each sum. NN_MMA_NEAR is its place in y or, outside the matrix, the place of a neighbour. */
#define NN_MMA_EACH_SUM(i, from, count)                                                            \
    NN_MMA_UNROLL for (int j = (from); j < (from) + (count); j++)                                  \
        NN_MMA_UNROLL for (                                                                        \
            int e = 0, row = i0 + warp_i + (i)*NN_MMA_HIGH + NN_MMA_ROW(lane, 0),                  \
                column = j0 + warp_j + j * NN_MMA_WIDE + NN_MMA_COLUMN(lane, 0);                   \
            e < NN_MMA_SUMS; e++, row = i0 + warp_i + (i)*NN_MMA_HIGH + NN_MMA_ROW(lane, e),       \
                column = j0 + warp_j + j * NN_MMA_WIDE + NN_MMA_COLUMN(lane, e))
#define NN_MMA_TOGETHER (NN_MMA_ACROSS > 1 ? NN_MMA_ACROSS / 2 : 1)
#define NN_MMA_AGAIN    (NN_GEMM_RESIDUAL > 2 ? NN_MMA_TOGETHER : 1)
#define NN_MMA_NEAR     ((ulong)min(row, m - 1) * (ulong)n + (ulong)min(column, n - 1))

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel NN_MMA_SUB_GROUP __attribute__((reqd_work_group_size(NN_MMA_ITEMS, 1, 1))) void
nn_gemm_mma(NN_GEMM_ARGUMENTS) {
    __local uint4 room[NN_MMA_A_FORM ? NN_MMA_STAGES * NN_MMA_STAGE / 4 : NN_MMA_TURN];
    NN_MMA_LOCAL(NN_MMA_ITEMS, NN_MMA_DOWN, NN_MMA_ACROSS)
    __local uint *const tiles = (__local uint *)room;
    const int item = (int)get_local_id(0), lane = item % NN_MMA_LANES, warp = item / NN_MMA_LANES;
    const int warp_i = warp / NN_MMA_WARPS_X * (NN_MMA_DOWN * NN_MMA_HIGH),
              warp_j = warp % NN_MMA_WARPS_X * (NN_MMA_ACROSS * NN_MMA_WIDE);
    const int j0 = (int)get_group_id(0) * NN_MMA_SIDE,
              i0 = (first + (int)get_group_id(1)) * NN_MMA_SIDE;
    float sum[NN_MMA_DOWN][NN_MMA_ACROSS][NN_MMA_SUMS];
#if NN_MMA_A_FORM
    NN_COPIED_PRIVATE
#else
    float4 next[NN_MMA_EACH];
    uint a_at[NN_MMA_EACH], b_at[NN_MMA_EACH];
    int a_count[NN_MMA_EACH], b_count[NN_MMA_EACH];
#endif
    NN_GEMM_PLACE
    const int begin = split * chunk, steps = min(k - begin, chunk);
    const int turns = (steps + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH;
#if NN_MMA_A_FORM
    NN_COPIED_LOOP
#else
    const int there = steps - (turns - 1) * NN_MMA_DEPTH; /* steps of the first turn */
    (void)a_count; /* unused with vectors */
    (void)b_count;
    NN_MMA_PLACE(A, a_at, a_count, i0, m, a_row, a_step)
    NN_MMA_PLACE(B, b_at, b_count, j0, n, b_column, b_step)
    a += (ulong)begin * a_step;
    b += (ulong)begin * b_step;
    NN_MMA_COPY_TURN(A, tiles, a, a_at, there)
    NN_MMA_COPY_TURN(B, tiles + 2 * NN_MMA_TURN, b, b_at, there)
    NN_MMA_FETCH(A, a, a_at, a_count, next, a_step, there)
    NN_MMA_CUT(A, next, there)
    NN_MMA_PUT(A, tiles, next)
    NN_MMA_FETCH(B, b, b_at, b_count, next, b_step, there)
    NN_MMA_CUT(B, next, there)
    NN_MMA_PUT(B, tiles + 2 * NN_MMA_TURN, next)
    a += (ulong)there * a_step;
    b += (ulong)there * b_step;
    NN_MMA_UNROLL
    for (int i = 0; i < NN_MMA_DOWN; i++)
        NN_MMA_UNROLL
        for (int j = 0; j < NN_MMA_ACROSS; j++)
            NN_MMA_UNROLL
            for (int e = 0; e < NN_MMA_SUMS; e++) sum[i][j][e] = 0.0f;
    if (NN_MMA_COPY_A || NN_MMA_COPY_B) {
        NN_MMA_COPIED
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
    for (int turn = 0; turn < turns; turn++) {
        const int odd = turn & 1;
        const bool more = turn + 1 < turns;
        const __local uint *at = tiles + odd * NN_MMA_TURN + warp_i * NN_MMA_LINE,
                           *bt = tiles + 2 * NN_MMA_TURN + odd * NN_MMA_TURN +
                                 warp_j * NN_MMA_LINE;
        __local uint *a_to = tiles + (1 - odd) * NN_MMA_TURN,
                     *b_to = tiles + 2 * NN_MMA_TURN + (1 - odd) * NN_MMA_TURN;
        if (more) {
            NN_MMA_COPY_TURN(A, a_to, a, a_at, NN_MMA_DEPTH)
            NN_MMA_COPY_TURN(B, b_to, b, b_at, NN_MMA_DEPTH)
            NN_MMA_FETCH(A, a, a_at, a_count, next, a_step, NN_MMA_DEPTH)
            a += (ulong)NN_MMA_DEPTH * a_step;
        }
        NN_MMA_STEP(sum, at, bt, 0, NN_MMA_DOWN, NN_MMA_ACROSS, lane)
        if (more) {
            NN_MMA_PUT(A, a_to, next)
            NN_MMA_FETCH(B, b, b_at, b_count, next, b_step, NN_MMA_DEPTH)
            b += (ulong)NN_MMA_DEPTH * b_step;
        }
        NN_MMA_STEP(sum, at, bt, 1, NN_MMA_DOWN, NN_MMA_ACROSS, lane)
        if (more) {
            NN_MMA_PUT(B, b_to, next)
        }
        if (NN_MMA_COPY_A || NN_MMA_COPY_B) {
            NN_MMA_COPIED
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the next turn is written, and this one is read */
    }
#endif
    const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
    const bool pairs = NN_MMA_PAIRS && (n & 1) == 0 && (y_offset & 1) == 0;
    /* A load must not pass a store. So all numbers that some blocks need are read before the first
       one is stored; otherwise a work-item would wait for memory once for each number. */
    NN_MMA_UNROLL
    for (int q = 0; q < NN_MMA_DOWN * NN_MMA_ACROSS; q += NN_MMA_TOGETHER) {
        const int i = q / NN_MMA_ACROSS, first_j = q % NN_MMA_ACROSS;
        if (bias) {
            NN_MMA_EACH_SUM(i, first_j, NN_MMA_TOGETHER)
            sum[i][j][e] += bias[bias_offset + (ulong)min(column, n - 1)];
        }
        if (accumulate) {
            NN_MMA_EACH_SUM(i, first_j, NN_MMA_TOGETHER)
            sum[i][j][e] += NN_GEMM_Y_AT(y, NN_MMA_NEAR);
        }
#if NN_GEMM_RESIDUAL == 1 || NN_GEMM_RESIDUAL == 2
        NN_MMA_EACH_SUM(i, first_j, NN_MMA_TOGETHER)
        NN_GEMM_ADD_RESIDUAL(sum[i][j][e], y + NN_MMA_NEAR, 0)
#endif
        NN_MMA_UNROLL
        for (int j = first_j; j < first_j + NN_MMA_TOGETHER; j++)
            NN_MMA_UNROLL
            for (int e = 0; e < NN_MMA_SUMS; e += 1 + NN_MMA_PAIRS) {
                const int row = i0 + warp_i + i * NN_MMA_HIGH + NN_MMA_ROW(lane, e),
                          column = j0 + warp_j + j * NN_MMA_WIDE + NN_MMA_COLUMN(lane, e);
                __global NN_STORED(NN_GEMM_Y_TYPE) *to =
                    y + ((ulong)row * (ulong)n + (ulong)column);
                float2 v = (float2)(sum[i][j][e], sum[i][j][e + NN_MMA_PAIRS]);
                if (row >= m || column >= n) continue;
                v = v < least ? (float2)(least) : v; /* NaN stays */
                if (pairs) {
                    NN_GEMM_Y_PAIR(to, v);
                } else {
                    NN_GEMM_Y_PUT(to, 0, v.x);
                    if (NN_MMA_PAIRS && column + 1 < n) NN_GEMM_Y_PUT(to, 1, v.y);
                }
            }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* Other activations are long, so their code is not repeated for each sum. The numbers of a few
       blocks are read together. */
#pragma unroll 1
    for (int q = 0; q < NN_MMA_DOWN * NN_MMA_ACROSS; q += NN_MMA_AGAIN) {
        const int i = q / NN_MMA_ACROSS, first_j = q % NN_MMA_ACROSS;
        float value[NN_MMA_AGAIN][NN_MMA_SUMS], other[NN_MMA_AGAIN][NN_MMA_SUMS];
        NN_MMA_EACH_SUM(i, first_j, NN_MMA_AGAIN) {
            value[j - first_j][e] = NN_GEMM_Y_AT(y, NN_MMA_NEAR);
            other[j - first_j][e] = NN_GEMM_OTHER(y + NN_MMA_NEAR);
        }
        NN_MMA_EACH_SUM(i, first_j, NN_MMA_AGAIN)
        if (row < m && column < n)
            NN_GEMM_Y_PUT(y, NN_MMA_NEAR,
                          NN_GEMM_ACTIVATE(value[j - first_j][e], other[j - first_j][e]));
    }
}
#endif
