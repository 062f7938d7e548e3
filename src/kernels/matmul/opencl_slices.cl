/* kernels/matmul/opencl_slices.cl - matrix products with too few tiles to fill a GPU. Memory
   latency limits them, so as many loads as possible are in flight.

   A work-group computes a tile of 32 x 32 of y. While it multiplies a turn of 64 steps of k from
   local memory, it loads the next turn into registers. Each of the four slices of 32 work-items
   multiplies 16 of the steps; a work-item has 8 x 4 numbers of the tile. The slices' sums are added
   at the end. A matrix keeps its layout in local memory, so it is stored in groups of four: along k
   as [row or column][step] with one float4 of padding per line, else as [step][row or column].

   NN_GEMM_A_DEEP, NN_GEMM_B_DEEP: 1 if the matrix lies along k. Rows and columns beyond the
   matrices are read from the last one: their results are not stored. Steps beyond the end of k are
   zeros. */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 8
#ifndef NN_GEMM_A_DEEP
#define NN_GEMM_A_DEEP 1
#endif
#ifndef NN_GEMM_B_DEEP
#define NN_GEMM_B_DEEP 0
#endif
#define NN_GEMM_SIDE   32 /* of the tile */
#define NN_GEMM_DEPTH  64 /* steps per turn */
#define NN_GEMM_A_LINE (NN_GEMM_A_DEEP ? NN_GEMM_DEPTH / 4 + 1 : NN_GEMM_SIDE / 4)
#define NN_GEMM_B_LINE (NN_GEMM_B_DEEP ? NN_GEMM_DEPTH / 4 + 1 : NN_GEMM_SIDE / 4)
#define NN_GEMM_ROOM   (NN_GEMM_SIDE * (NN_GEMM_DEPTH / 4 + 1))

/* Loads the groups of four of the turn that begins at step l. */
#define NN_GEMM_SLICES_FETCH(AT, four, deep, at_place, at_step, line, step_far, last)              \
    NN_GEMM_UNROLL for (int q = 0; q < 4; q++) {                                                \
        const int s = l + at_step + (deep ? 0 : 16 * q),                                           \
                  from = min(s, deep && NN_GEMM_VECTOR ? end - 4 : end - 1),                       \
                  place = min(at_place + (deep ? 8 * q : 0),                                       \
                              !deep && NN_GEMM_VECTOR ? last - 3 : last);                          \
        (void)place; /* unused with vectors */                                                     \
        four[q] = deep ? NN_GEMM_FOUR(AT, line + ((ulong)place * step_far + (ulong)from),          \
                                      min(4, end - from))                                          \
                       : NN_GEMM_FOUR(AT, line + ((ulong)from * step_far + (ulong)place),          \
                                      min(4, last + 1 - place));                                   \
    }

/* Zeroes the steps beyond the end. */
#define NN_GEMM_SLICES_CUT(four, deep, at_step)                                                    \
    NN_GEMM_UNROLL for (int q = 0; q < 4; q++) {                                                \
        const int there = end - l - at_step - (deep ? 0 : 16 * q);                                 \
        if (there < 1) four[q].x = 0.0f;                                                           \
        if (there < (deep ? 2 : 1)) four[q].y = 0.0f;                                              \
        if (there < (deep ? 3 : 1)) four[q].z = 0.0f;                                              \
        if (there < (deep ? 4 : 1)) four[q].w = 0.0f;                                              \
    }

/* Rotates the columns of a row in a slice's sums, so that neighbouring work-items write to
   different banks. */
#define NN_GEMM_TURNED(row, column) (((column) + (((row) + ((row) >> 2)) & 3) * 8) & 31)

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
nn_gemm_slices(NN_GEMM_ARGUMENTS, __global float *pieces, ulong pieces_offset,
               volatile __global uint *turns) {
    __local float4 room[2 * NN_GEMM_ROOM]; /* a, then b; finally: the slices' sums */
    __local float4 *const at = room, *const bt = room + NN_GEMM_ROOM;
    __local float *const sums = (__local float *)room;
    NN_GEMM_LAST
    const int item = (int)get_local_id(0), slice = item >> 5, tx = item & 7, ty = (item >> 3) & 3;
    const int j0 = (int)get_group_id(0) * NN_GEMM_SIDE,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_SIDE;
    const int a_place = NN_GEMM_A_DEEP ? item >> 4 : (item & 7) * 4,
              a_from = NN_GEMM_A_DEEP ? (item & 15) * 4 : item >> 3,
              b_place = NN_GEMM_B_DEEP ? item >> 4 : (item & 7) * 4,
              b_from = NN_GEMM_B_DEEP ? (item & 15) * 4 : item >> 3;
    const ulong a_far = NN_GEMM_A_DEEP ? a_row : a_step, b_far = NN_GEMM_B_DEEP ? b_column : b_step;
    float4 a_next[4], b_next[4];
    float sum[8][4];
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
    int l = split * chunk;
    NN_GEMM_SLICES_FETCH(A, a_next, NN_GEMM_A_DEEP, i0 + a_place, a_from, a, a_far, m - 1)
    NN_GEMM_SLICES_FETCH(B, b_next, NN_GEMM_B_DEEP, j0 + b_place, b_from, b, b_far, n - 1)
    NN_GEMM_UNROLL
    for (int q = 0; q < 32; q++) sum[q / 4][q % 4] = 0.0f;
    while (l < end) {
        if (l + NN_GEMM_DEPTH > end) {
            NN_GEMM_SLICES_CUT(a_next, NN_GEMM_A_DEEP, a_from)
            NN_GEMM_SLICES_CUT(b_next, NN_GEMM_B_DEEP, b_from)
        }
        NN_GEMM_UNROLL
        for (int q = 0; q < 4; q++) {
            at[NN_GEMM_A_DEEP ? (a_place + 8 * q) * NN_GEMM_A_LINE + (item & 15) : item + 128 * q] =
                a_next[q];
            bt[NN_GEMM_B_DEEP ? (b_place + 8 * q) * NN_GEMM_B_LINE + (item & 15) : item + 128 * q] =
                b_next[q];
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
        l += NN_GEMM_DEPTH;
        if (l < end) {
            NN_GEMM_SLICES_FETCH(A, a_next, NN_GEMM_A_DEEP, i0 + a_place, a_from, a, a_far, m - 1)
            NN_GEMM_SLICES_FETCH(B, b_next, NN_GEMM_B_DEEP, j0 + b_place, b_from, b, b_far, n - 1)
        }
#pragma unroll 1
        for (int u = slice * 4; u < slice * 4 + 4; u++) {
            float right[4][4]; /* [step][column] */
            NN_GEMM_UNROLL
            for (int q = 0; q < 4; q++) {
                const float4 v =
                    bt[NN_GEMM_B_DEEP ? (tx + 8 * q) * NN_GEMM_B_LINE + u : (4 * u + q) * 8 + tx];
                right[NN_GEMM_B_DEEP ? 0 : q][NN_GEMM_B_DEEP ? q : 0] = v.x;
                right[NN_GEMM_B_DEEP ? 1 : q][NN_GEMM_B_DEEP ? q : 1] = v.y;
                right[NN_GEMM_B_DEEP ? 2 : q][NN_GEMM_B_DEEP ? q : 2] = v.z;
                right[NN_GEMM_B_DEEP ? 3 : q][NN_GEMM_B_DEEP ? q : 3] = v.w;
            }
            NN_GEMM_UNROLL
            for (int q = 0; q < 8; q++) {
                /* along k: row q at four steps; else: step q / 2 of four rows */
                const float4 v = at[NN_GEMM_A_DEEP ? (ty + 4 * q) * NN_GEMM_A_LINE + u
                                                   : (4 * u + q / 2) * 8 + ty + q % 2 * 4];
                const float left[4] = {v.x, v.y, v.z, v.w};
                NN_GEMM_UNROLL
                for (int c = 0; c < 4; c++)
                    NN_GEMM_UNROLL
                    for (int j = 0; j < 4; j++)
                        sum[NN_GEMM_A_DEEP ? q : q % 2 * 4 + c][j] +=
                            left[c] * right[NN_GEMM_A_DEEP ? c : q / 2][j];
            }
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
    }
    NN_GEMM_UNROLL
    for (int i = 0; i < 8; i++) {
        const int row = NN_GEMM_A_DEEP ? ty + 4 * i : 4 * ty + i / 4 * 16 + i % 4;
        NN_GEMM_UNROLL
        for (int j = 0; j < 4; j++)
            sums[slice * 1024 + row * 32 +
                 NN_GEMM_TURNED(row, NN_GEMM_B_DEEP ? tx + 8 * j : 4 * tx + j)] = sum[i][j];
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    float4 whole[2]; /* rows 16 apart */
    NN_GEMM_UNROLL
    for (int h = 0; h < 2; h++) {
        const int row = (item >> 3) + 16 * h;
        const __local float4 *from =
            room + row * 8 + NN_GEMM_TURNED(row, (item & 7) * 4) / 4;
        whole[h] = from[0] + from[256] + from[512] + from[768];
    }
    NN_GEMM_END(2, i0 + (item >> 3), 16, m, j0 + (item & 7) * 4)
}
#undef NN_GEMM_SIDE
#undef NN_GEMM_DEPTH
#undef NN_GEMM_ROOM
#endif
