/* kernels/matmul/opencl_mma_pack.cl - rounds an operand of a large product to scratch, in the form
   "packed" of opencl/mma_loop.cl. */
#if defined(NN_MMA) && NN_GEMM_ONLY == 11
/* Packs `lines` lines of k steps. Each work-item packs a group of four words. Neighbouring
   work-items take groups of one line if the matrix lies along k (deep), otherwise groups of
   neighbouring lines. */
__kernel void nn_gemm_mma_pack(__global uint *to, ulong to_offset,
                               const __global NN_GEMM_A_STORED *x, ulong x_offset, int lines, int k,
                               uint x_line, uint x_step, int turns, int deep, uint groups) {
    const uint at = (uint)get_global_id(0), in_stage = at % 512u, stage = at / 512u;
    const int turn = (int)(stage % (uint)turns), tile = (int)(stage / (uint)turns);
    const int line = (int)(deep ? in_stage / 4u : in_stage % 128u),
              group = (int)(deep ? in_stage % 4u : in_stage / 128u);
    const int step = turn * NN_MMA_DEPTH + group * (NN_MMA_DEPTH / 4), there = k - step;
    uint word[4];
    if (at >= groups) return;
    x += x_offset + (ulong)(uint)min(tile * 128 + line, lines - 1) * (ulong)x_line;
    NN_MMA_UNROLL
    for (int w = 0; w < 4; w++) {
        const int s = w * (NN_MMA_DEPTH / 16);
        const bool whole = tile * 128 + line < lines;
        const float low =
            whole && s < there ? NN_GEMM_A_AT(x, (ulong)(uint)(step + s) * (ulong)x_step) : 0.0f;
#if NN_MMA_BF16
        word[w] = nn_mma_bf16(
            low, whole && s + 1 < there
                     ? NN_GEMM_A_AT(x, (ulong)(uint)(step + s + 1) * (ulong)x_step)
                     : 0.0f);
#else
        word[w] = nn_mma_tf32(low);
#endif
    }
    *(__global uint4 *)(to + (to_offset + (ulong)stage * 2048ul +
                              (ulong)NN_MMA_GROUP(line, group))) =
        (uint4)(word[0], word[1], word[2], word[3]);
}
#endif

