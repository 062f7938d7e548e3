/* kernels/matmul/opencl_ends.cl - the end of the kernels of opencl_few.cl and opencl_slices.cl,
   whose work-items hold groups of four neighbouring numbers of y. It applies the epilogue or, if k
   is split, stores a piece of the tile.

   Each piece of k has its own work-group. With NN_GEMM_GATHER, the work-group of a tile that
   finishes last adds the pieces in order; no work-group waits for another. `turns` counts the
   finished ones; it is zero before and after the launch. Without NN_GEMM_GATHER, a launch of
   nn_gemm_finish adds the pieces. */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY >= 7
#ifndef NN_GEMM_GATHER
#define NN_GEMM_GATHER 0
#endif

/* GPUs must unroll, because registers cannot be indexed. PoCL takes seconds to unroll. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define NN_GEMM_UNROLL _Pragma("unroll 1")
#else
#define NN_GEMM_UNROLL _Pragma("unroll")
#endif

/* Makes earlier writes of this work-group visible to all others. OpenCL 1.2 has no such fence, so
   the host asks for NN_GEMM_GATHER only where a working fence is known. */
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
#define NN_GEMM_FENCE __asm__ volatile("membar.gl;" ::: "memory");
#else
#define NN_GEMM_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif

/* Loads or stores four neighbours, of which the first `count` (at least one) exist. fours: the
   address is a multiple of four, and all four exist or none. */
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

/* Adds the pieces, `piece` numbers apart, in order. Other work-groups wrote them in this launch, so
   volatile reads bypass the caches that are not shared. */
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
/* The last work-group of a tile gets the whole sums; for the others, end_row becomes 0. No
   work-item returns early and every barrier is unconditional, because PoCL mixes up its work-items
   otherwise. */
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

#if NN_GEMM_RESIDUAL == 1 || NN_GEMM_RESIDUAL == 2
#define NN_GEMM_END_RESIDUAL(h)                                                                    \
    whole[h] = (float4)(NN_GEMM_ROUNDED(whole[h].x), NN_GEMM_ROUNDED(whole[h].y),                  \
                        NN_GEMM_ROUNDED(whole[h].z), NN_GEMM_ROUNDED(whole[h].w)) +                \
               nn_gemm_load(residual + ((ulong)(h)*below + at_y), columns, false);
#else
#define NN_GEMM_END_RESIDUAL(h)
#endif

/* Stores whole[count], the sums of a work-item: rows row0, row0 + apart, ... below limit, columns
   `column` to column + 3. A kernel ends with it. */
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
        NN_GEMM_END_RESIDUAL(h)                                                                    \
        whole[h] = whole[h] < least ? (float4)(least) : whole[h]; /* NaN stays */                  \
        nn_gemm_store(to, whole[h], columns, in_fours);                                            \
    }                                                                                              \
    /* Other activations take hundreds of instructions, so they are compiled once here. */         \
    _Pragma("unroll 1") for (int q = 0; q < 4 * count && activation > NN_ACTIVATION_RELU; q++) {   \
        __global float *to = y + ((ulong)(q >> 2) * below + (ulong)(q & 3));                       \
        if ((row0) + (q >> 2) * apart < end_row && (q & 3) < columns)                              \
            *to = NN_GEMM_ACTIVATE(                                                                \
                *to, NN_GEMM_OTHER_AT(at_y + (ulong)(q >> 2) * below + (ulong)(q & 3)));           \
    }
#endif
