/* kernels/matmul/opencl_slices.cl - matrix products on GPUs with too few tiles to fill the device
   as they are: what they take is the time until numbers arrive, so as many as possible are asked
   for at once.

   A work-group has a tile of 32 by 32 of y. A turn of 64 steps of k lies in local memory, and while
   it is multiplied, the next is on its way into registers. Each of four slices of 32 work-items
   multiplies 16 of the steps, 8 by 4 numbers of the tile a work-item; their sums are added at the
   end. A matrix lies in local memory as it does outside, so that fours go there as fours: along k
   as [place][step], with a four between the rows, else as [step][place].

   Where k is cut (splits), every piece of a tile has a work-group. NN_GEMM_GATHER: the last of them
   to be done adds up the pieces, in their order; nobody waits for anybody. `turns` counts those
   that are done, and is zeros before and after the launch. Else a launch of nn_gemm_finish does.

   NN_GEMM_A_DEEP, NN_GEMM_B_DEEP: 1 if the matrix lies along k. Rows and columns beyond the
   matrices are fetched again from the last ones, as nobody writes their results; steps beyond the
   end are zeros. */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 8
#ifndef NN_GEMM_A_DEEP
#define NN_GEMM_A_DEEP 1
#endif
#ifndef NN_GEMM_B_DEEP
#define NN_GEMM_B_DEEP 0
#endif
#ifndef NN_GEMM_GATHER
#define NN_GEMM_GATHER 0
#endif
#define NN_GEMM_SIDE   32 /* of a tile */
#define NN_GEMM_DEPTH  64 /* steps of a turn */
#define NN_GEMM_A_LINE (NN_GEMM_A_DEEP ? NN_GEMM_DEPTH / 4 + 1 : NN_GEMM_SIDE / 4)
#define NN_GEMM_B_LINE (NN_GEMM_B_DEEP ? NN_GEMM_DEPTH / 4 + 1 : NN_GEMM_SIDE / 4)
#define NN_GEMM_ROOM   (NN_GEMM_SIDE * (NN_GEMM_DEPTH / 4 + 1))

/* GPUs need loops unrolled, for registers have no index; PoCL's compiler takes seconds for it. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define NN_GEMM_UNROLL _Pragma("unroll 1")
#else
#define NN_GEMM_UNROLL _Pragma("unroll")
#endif

/* What one work-group wrote before this, all others see after it. OpenCL 1.2 has no such fence, so
   the host asks for it only where one is known. */
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
#define NN_GEMM_FENCE __asm__ volatile("membar.gl;" ::: "memory");
#else
#define NN_GEMM_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif

/* The fours of the turn that begins at step l: from(q) where row or column of four q begins. */
#define NN_GEMM_SLICES_FETCH(AT, four, deep, at_place, at_step, line, step_far, last)              \
    NN_GEMM_UNROLL for (int q = 0; q < 4; q++) {                                                \
        const int s = l + at_step + (deep ? 0 : 16 * q),                                           \
                  from = min(s, deep && NN_GEMM_VECTOR ? end - 4 : end - 1),                       \
                  place = min(at_place + (deep ? 8 * q : 0),                                       \
                              !deep && NN_GEMM_VECTOR ? last - 3 : last);                          \
        (void)place; /* with vectors */                                                            \
        four[q] = deep ? NN_GEMM_FOUR(AT, line + ((ulong)place * step_far + (ulong)from),          \
                                      min(4, end - from))                                          \
                       : NN_GEMM_FOUR(AT, line + ((ulong)from * step_far + (ulong)place),          \
                                      min(4, last + 1 - place));                                   \
    }

/* Zeros for the steps of it that are not there. */
#define NN_GEMM_SLICES_CUT(four, deep, at_step)                                                    \
    NN_GEMM_UNROLL for (int q = 0; q < 4; q++) {                                                \
        const int there = end - l - at_step - (deep ? 0 : 16 * q);                                 \
        if (there < 1) four[q].x = 0.0f;                                                           \
        if (there < (deep ? 2 : 1)) four[q].y = 0.0f;                                              \
        if (there < (deep ? 3 : 1)) four[q].z = 0.0f;                                              \
        if (there < (deep ? 4 : 1)) four[q].w = 0.0f;                                              \
    }

/* Where a row's columns begin in a slice's sums: work-items side by side write different banks. */
#define NN_GEMM_TURNED(row, column) (((column) + (((row) + ((row) >> 2)) & 3) * 8) & 31)

/* Numbers side by side, of which `count` (at least one) are there; fours: they begin at a multiple
   of four, and none or all are there. */
float4 nn_gemm_slices_load(const __global float *from, int count, bool fours) {
    if (fours) return *(const __global float4 *)from;
    return (float4)(from[0], from[min(1, count - 1)], from[min(2, count - 1)],
                    from[min(3, count - 1)]);
}

void nn_gemm_slices_store(__global float *to, float4 v, int count, bool fours) {
    if (fours && count == 4) {
        *(__global float4 *)to = v;
        return;
    }
    if (count > 0) to[0] = v.x;
    if (count > 1) to[1] = v.y;
    if (count > 2) to[2] = v.z;
    if (count > 3) to[3] = v.w;
}

#if NN_GEMM_GATHER
/* The sum of what other work-groups have written in this launch, `piece` numbers apart, in order:
   read past the caches that only some of them share. */
float4 nn_gemm_slices_gather(const volatile __global float *from, ulong piece, int splits,
                             int count, bool fours) {
    float4 sum = (float4)(0.0f), v[8];
    if (!fours) {
#pragma unroll 2
        for (int s = 0; s < splits; s++, from += piece)
            sum += (float4)(from[0], from[min(1, count - 1)], from[min(2, count - 1)],
                            from[min(3, count - 1)]);
        return sum;
    }
    for (int s = 0; s < splits; s += 8) {
        NN_GEMM_UNROLL
        for (int u = 0; u < 8; u++)
            v[u] = *(const volatile __global float4 *)(from +
                                                       (ulong)min(s + u, splits - 1) * piece);
        NN_GEMM_UNROLL
        for (int u = 0; u < 8; u++) sum += s + u < splits ? v[u] : (float4)(0.0f);
    }
    return sum;
}
#endif

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
nn_gemm_slices(NN_GEMM_ARGUMENTS, __global float *pieces, ulong pieces_offset,
               volatile __global uint *turns) {
    __local float4 room[2 * NN_GEMM_ROOM]; /* of a, of b; at the end the slices' sums */
    __local float4 *const at = room, *const bt = room + NN_GEMM_ROOM;
    __local float *const sums = (__local float *)room;
#if NN_GEMM_GATHER
    __local int last;
#endif
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
    (void)pieces, (void)pieces_offset, (void)turns; /* where nothing is gathered */
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
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have written */
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
                /* along k: row q at four steps; else step q / 2 of four rows */
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
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have read */
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
    float4 whole[2]; /* of rows 16 apart */
    const int row0 = i0 + (item >> 3), column = j0 + (item & 7) * 4, columns = min(4, n - column);
    const ulong at_y = (ulong)row0 * (ulong)n + (ulong)column, below = 16ul * (ulong)n;
    y += at_y;
    NN_GEMM_UNROLL
    for (int h = 0; h < 2; h++) {
        const int row = (item >> 3) + 16 * h;
        const __local float4 *from =
            room + row * 8 + NN_GEMM_TURNED(row, (item & 7) * 4) / 4;
        whole[h] = from[0] + from[256] + from[512] + from[768];
    }
#if NN_GEMM_GATHER
    if (splits > 1) {
        const int tile = (which * (int)get_num_groups(1) + (int)get_group_id(1)) *
                             (int)get_num_groups(0) +
                         (int)get_group_id(0);
        const ulong piece = (ulong)products * (ulong)m * (ulong)n;
        const bool fours = ((n | (int)pieces_offset) & 3) == 0;
        pieces += pieces_offset + (ulong)(product + which) * (ulong)m * (ulong)n + at_y;
        y -= (ulong)split * piece;
        NN_GEMM_UNROLL
        for (int h = 0; h < 2; h++)
            if (row0 + 16 * h < m)
                nn_gemm_slices_store(pieces + ((ulong)split * piece + (ulong)h * below), whole[h],
                                     columns, fours);
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
        if (item == 0) {
            NN_GEMM_FENCE
            last = atomic_inc(turns + tile) == (uint)splits - 1u;
            NN_GEMM_FENCE
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (!last) return;
        if (item == 0) turns[tile] = 0u;
        NN_GEMM_UNROLL
        for (int h = 0; h < 2; h++)
            whole[h] = row0 + 16 * h < m && columns > 0
                           ? nn_gemm_slices_gather(pieces + (ulong)h * below, piece, splits,
                                                   columns, fours)
                           : (float4)(0.0f);
    }
#endif
    if (columns < 1) return;
    const bool fours = ((n | (int)y_offset) & 3) == 0;
    const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
    float4 more = (float4)(0.0f);
    if (bias) more = nn_gemm_slices_load(bias + bias_offset + column, columns, false);
    NN_GEMM_UNROLL
    for (int h = 0; h < 2; h++)
        if (row0 + 16 * h < m) {
            __global float *to = y + (ulong)h * below;
            if (accumulate) whole[h] += nn_gemm_slices_load(to, columns, fours);
            whole[h] += more;
            whole[h] = whole[h] < least ? (float4)(least) : whole[h]; /* a NaN stays */
            nn_gemm_slices_store(to, whole[h], columns, fours);
        }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* The others need hundreds of instructions, once here and not for each sum above. */
#pragma unroll 1
    for (int q = 0; q < 8; q++) {
        __global float *to = y + ((ulong)(q >> 2) * below + (ulong)(q & 3));
        if (row0 + (q >> 2) * 16 < m && (q & 3) < columns) *to = nn_activate(activation, *to);
    }
}
#undef NN_GEMM_SIDE
#undef NN_GEMM_DEPTH
#undef NN_GEMM_ROOM
#endif
