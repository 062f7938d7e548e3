/* kernels/matmul/opencl_ends.cl - how work-groups of opencl_few.cl and opencl_slices.cl end that
   have fours of numbers of y: with the epilogue, or, where k is cut, with a piece of a tile.

   Every piece has a work-group. NN_GEMM_GATHER: the last of them to be done adds up the pieces of
   its tile, in their order; nobody waits for anybody. `turns` counts those that are done, and is
   zeros before and after the launch. Else a launch of nn_gemm_finish adds them up. */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY >= 7
#ifndef NN_GEMM_GATHER
#define NN_GEMM_GATHER 0
#endif

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

/* Numbers side by side, of which `count` (at least one) are there; fours: they begin at a multiple
   of four, and none or all are there. */
float4 nn_gemm_load(const __global float *from, int count, bool fours) {
    if (fours) return *(const __global float4 *)from;
    return (float4)(from[0], from[min(1, count - 1)], from[min(2, count - 1)],
                    from[min(3, count - 1)]);
}

void nn_gemm_store(__global float *to, float4 v, int count, bool fours) {
    if (fours && count == 4) {
        *(__global float4 *)to = v;
        return;
    }
    if (count > 0) to[0] = v.x;
    if (count > 1) to[1] = v.y;
    if (count > 2) to[2] = v.z;
    if (count > 3) to[3] = v.w;
}

/* The sum of what other work-groups have written in this launch, `piece` numbers apart, in order:
   read past the caches that only some of them share. */
float4 nn_gemm_gather(const volatile __global float *from, ulong piece, int splits,
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

#if NN_GEMM_GATHER
#define NN_GEMM_LAST __local int last[1];
/* The last work-group of a tile has the whole sums, the others have no rows any more. No work-item
   leaves, and no barrier depends on anything: PoCL mixes up its work-items otherwise. */
#define NN_GEMM_GATHERED(count, row0, apart)                                                       \
    const int tile = (which * (int)get_num_groups(1) + (int)get_group_id(1)) *                     \
                         (int)get_num_groups(0) +                                                  \
                     (int)get_group_id(0);                                                         \
    const ulong piece = (ulong)products * (ulong)m * (ulong)n;                                     \
    const bool fours = ((n | (int)pieces_offset) & 3) == 0;                                        \
    pieces += pieces_offset + (ulong)(product + which) * (ulong)m * (ulong)n + at_y;               \
    y -= (ulong)split * piece;                                                                     \
    NN_GEMM_UNROLL for (int h = 0; h < count; h++) if (row0 + apart * h < end_row)                 \
        nn_gemm_store(pieces + ((ulong)split * piece + (ulong)h * below), whole[h], columns,       \
                      fours);                                                                      \
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE);                                                              \
    if (item == 0) {                                                                               \
        NN_GEMM_FENCE                                                                              \
        last[0] = atomic_inc(turns + tile) == (uint)splits - 1u;                                   \
        NN_GEMM_FENCE                                                                              \
        if (last[0]) turns[tile] = 0u;                                                             \
    }                                                                                              \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                               \
    end_row = last[0] ? end_row : 0;                                                               \
    NN_GEMM_UNROLL for (int h = 0; h < count; h++) if (row0 + apart * h < end_row) whole[h] =      \
        nn_gemm_gather(pieces + (ulong)h * below, piece, splits, columns, fours);
#else
#define NN_GEMM_LAST
#define NN_GEMM_GATHERED(count, row0, apart) (void)pieces, (void)pieces_offset, (void)turns;
#endif

/* whole[count]: of a work-item, rows row0, row0 + apart, ... before limit, columns `column` to
   column + 3. The last thing that a kernel does. */
#define NN_GEMM_END(count, row0, apart, limit, column)                                             \
    const int columns = min(4, n - (column));                                                      \
    int end_row = columns > 0 ? (limit) : 0;                                                       \
    const ulong at_y = (ulong)(row0) * (ulong)n + (ulong)(column),                                 \
                below = (ulong)(apart) * (ulong)n;                                                 \
    y += at_y;                                                                                     \
    NN_GEMM_GATHERED(count, (row0), apart)                                                         \
    const bool in_fours = ((n | (int)y_offset) & 3) == 0;                                          \
    const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;                       \
    NN_GEMM_UNROLL for (int h = 0; h < count; h++) if ((row0) + apart * h < end_row) {             \
        __global float *to = y + (ulong)h * below;                                                 \
        if (accumulate) whole[h] += nn_gemm_load(to, columns, in_fours);                           \
        if (bias) whole[h] += nn_gemm_load(bias + bias_offset + (column), columns, false);         \
        whole[h] = whole[h] < least ? (float4)(least) : whole[h]; /* a NaN stays */                \
        nn_gemm_store(to, whole[h], columns, in_fours);                                            \
    }                                                                                              \
    /* The others need hundreds of instructions, once here and not for each sum above. */          \
    _Pragma("unroll 1") for (int q = 0; q < 4 * count && activation > NN_ACTIVATION_RELU; q++) {   \
        __global float *to = y + ((ulong)(q >> 2) * below + (ulong)(q & 3));                       \
        if ((row0) + (q >> 2) * apart < end_row && (q & 3) < columns)                              \
            *to = nn_activate(activation, *to);                                                    \
    }
#endif
