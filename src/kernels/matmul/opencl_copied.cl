/* kernels/matmul/opencl_copied.cl - large products on matrix units, whose operands lie ready in
   memory: the main loop only copies, reads and multiplies. opencl_mma.cl has the kernel.

   The form of an operand, NN_MMA_A_FORM and NN_MMA_B_FORM:
   1 packed: an earlier launch (nn_gemm_mma_pack) rounded the matrix to scratch, in the order of
     local memory: for each 128 lines, for each turn, a stage of NN_MMA_DEPTH steps. Lines and
     steps beyond the matrix are zeros.
   2 deep: a bf16 matrix that lies along k, in aligned groups of eight steps.
   3 across: a bf16 matrix that lies across k, in aligned groups of eight lines.

   A work-item copies four groups of 16 bytes of each operand in a turn. Lines beyond the matrices
   are read from the last ones: their results are not stored. Steps beyond the end of k are zeros.
   */
#if defined(NN_MMA) && (NN_GEMM_ONLY == 10 || NN_GEMM_ONLY == 11)
#ifndef NN_MMA_A_FORM
#define NN_MMA_A_FORM 0 /* the usual loop: see opencl_mma.cl */
#endif
#ifndef NN_MMA_B_FORM
#define NN_MMA_B_FORM 0
#endif

#if NN_GEMM_ONLY == 11
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

#if NN_MMA_A_FORM
/* The four groups of a work-item are 512 bytes apart in a packed matrix. In a deep matrix they are
   in every 32nd line, and in an across matrix they are every fourth group of one step. So most
   groups have constant distances. */
#define NN_COPIED_STEP (item / 4 % 2 * 4 + item / 8 % 4 + item / 32 * 8) /* across */
/* Sets the addresses at which a work-item begins to copy. */
#define NN_COPIED_FROM(X, from, x, first_line, lines, x_line, x_step)                              \
    NN_MMA_UNROLL for (int q = 0; q < 4; q++) {                                                    \
        from[q] = (const __global uchar *)(x);                                                     \
        if (NN_MMA_##X##_FORM == 1)                                                                \
            from[q] += ((ulong)(uint)((first_line) / 128) * (ulong)(uint)k_turns +                 \
                        (ulong)(uint)(begin / NN_MMA_DEPTH)) * 8192ul +                            \
                       (ulong)(item / 32 * 2048 + item % 32 * 16);                                 \
        else if (NN_MMA_##X##_FORM == 2)                                                           \
            from[q] += 2ul * ((ulong)(uint)min((first_line) + item / 4 + q * 32, (lines)-1) *      \
                                  (ulong)(x_line) + (ulong)(uint)(begin + item % 4 * 8));          \
        else                                                                                       \
            from[q] += 2ul * ((ulong)(uint)(begin + NN_COPIED_STEP) * (ulong)(x_step) +            \
                              (ulong)(uint)((first_line) + item % 4 * 8));                         \
    }
/* Places in a stage where it stores its first two groups, and the distance in words of group q from
   place q % 2. */
#define NN_COPIED_PLACE(X, q)                                                                      \
    (NN_MMA_##X##_FORM == 1   ? item / 32 * 512 + item % 32 * 4                                    \
     : NN_MMA_##X##_FORM == 2 ? NN_MMA_GROUP(item / 4, item % 4)                                   \
                              : NN_MMA_GROUP_ACROSS(NN_COPIED_STEP, item % 4 + 4 * (q)))
#define NN_COPIED_FAR(X, q)                                                                        \
    (NN_MMA_##X##_FORM == 1 ? (q)*128 : NN_MMA_##X##_FORM == 2 ? (q)*512 : (q) / 2 * 32)
/* The address of group q, `turn` turns later. */
#define NN_COPIED_AT(X, from, q, turn)                                                             \
    (NN_MMA_##X##_FORM == 1   ? from[0] + (q)*512                                                  \
     : NN_MMA_##X##_FORM == 2 ? from[q] + (turn)*64                                                \
                              : from[0] + (q)*64)
/* The same in a tile that may have fewer than 128 lines. left: lines from its first one on. */
#define NN_COPIED_AT_END(X, from, q, left)                                                         \
    (NN_MMA_##X##_FORM == 3                                                                        \
         ? from[0] + 2 * (min(item % 4 * 8 + (q)*32, (left)-8) - item % 4 * 8)                     \
         : NN_COPIED_AT(X, from, q, 0))
/* Moves the addresses on by some turns. far: their bytes in an across matrix. */
#define NN_COPIED_MOVE(X, from, turns_on, far)                                                     \
    if (NN_MMA_##X##_FORM == 2) {                                                                  \
        NN_MMA_UNROLL for (int q = 0; q < 4; q++) from[q] += (turns_on)*64;                        \
    } else                                                                                         \
        from[0] += NN_MMA_##X##_FORM == 1 ? (ulong)((turns_on)*8192) : (far);
/* True if the work-item's groups begin before the end of k. there: steps that are left. */
#define NN_COPIED_THERE(X, there)                                                                  \
    (NN_MMA_##X##_FORM == 1 || (NN_MMA_##X##_FORM == 2 ? item % 4 * 8 : NN_COPIED_STEP) < (there))

#if NN_MMA_AHEAD == 2
#define NN_COPIED_FETCH(X, from, to, next, stage, turn)                                            \
    NN_MMA_UNROLL for (int q = 0; q < 4; q++) {                                                    \
        NN_MMA_COPY_TO(tiles, to[q % 2], (stage)*NN_MMA_STAGE + NN_COPIED_FAR(X, q),               \
                       NN_COPIED_AT(X, from, q, turn))                                             \
    }
#define NN_COPIED_FETCH_SOME(X, from, to, next, stage, left, there)                                \
    NN_MMA_UNROLL for (int q = 0; q < 4; q++) {                                                    \
        if (NN_COPIED_THERE(X, there)) {                                                           \
            NN_MMA_COPY_TO(tiles, to[q % 2], (stage)*NN_MMA_STAGE + NN_COPIED_FAR(X, q),           \
                           NN_COPIED_AT_END(X, from, q, left))                                     \
        } else                                                                                     \
            *(__local uint4 *)(tiles + NN_COPIED_PLACE(X, q % 2) + NN_MMA_BASE_##X +               \
                               (stage)*NN_MMA_STAGE + NN_COPIED_FAR(X, q)) = (uint4)(0u);          \
    }
#define NN_COPIED_LAND(X, to, next, stage)
#else
#define NN_COPIED_FETCH(X, from, to, next, stage, turn)                                            \
    NN_MMA_UNROLL for (int q = 0; q < 4; q++)                                                      \
        next[q] = *(const __global uint4 *)(NN_COPIED_AT(X, from, q, turn));
#define NN_COPIED_FETCH_SOME(X, from, to, next, stage, left, there)                                \
    NN_MMA_UNROLL for (int q = 0; q < 4; q++)                                                      \
        next[q] = NN_COPIED_THERE(X, there)                                                        \
                      ? *(const __global uint4 *)(NN_COPIED_AT_END(X, from, q, left))              \
                      : (uint4)(0u);
#define NN_COPIED_LAND(X, to, next, stage)                                                         \
    NN_MMA_UNROLL for (int q = 0; q < 4; q++)                                                      \
        *(__local uint4 *)(tiles + to[q % 2] + (stage)*NN_MMA_STAGE + NN_COPIED_FAR(X, q)) =       \
            next[q];
#endif
#define NN_MMA_BASE_A 0
#define NN_MMA_BASE_B 2048

#define NN_COPIED_HALF(stage, s)                                                                   \
    {                                                                                              \
        uint a_words[NN_MMA_DOWN][NN_MMA_A_WORDS], b_words[NN_MMA_ACROSS][NN_MMA_B_WORDS];         \
        NN_MMA_UNROLL for (int i = 0; i < NN_MMA_DOWN; i++) {                                      \
            NN_MMA_READ(A, a_words[i], tiles, a_at, i, s, (stage)*NN_MMA_STAGE, NN_MMA_A_FORM == 3)\
        }                                                                                          \
        NN_MMA_UNROLL for (int j = 0; j < NN_MMA_ACROSS; j++) {                                    \
            NN_MMA_READ(B, b_words[j], tiles, b_at, j, s, (stage)*NN_MMA_STAGE + NN_MMA_BASE_B,    \
                        NN_MMA_B_FORM == 3)                                                        \
        }                                                                                          \
        NN_MMA_SHARE(a_words, NN_MMA_DOWN, b_words, NN_MMA_ACROSS)                                 \
        NN_MMA_UNROLL for (int i = 0; i < NN_MMA_DOWN; i++)                                        \
            NN_MMA_UNROLL for (int j = 0; j < NN_MMA_ACROSS; j++) {                                \
                NN_MMA_MULTIPLY(sum[i][j], a_words, i, NN_MMA_DOWN, b_words, j, NN_MMA_ACROSS)     \
            }                                                                                      \
        NN_MMA_SHARED                                                                              \
    }

/* Fetches an operand for a turn of the main loop. The stages are constants. */
#define NN_COPIED_NEXT(X, from, to, next, u, far)                                                  \
    NN_COPIED_FETCH(X, from, to, next, ((u) + NN_MMA_AHEAD) % NN_MMA_STAGES, u)                    \
    if (NN_MMA_##X##_FORM != 2) {                                                                  \
        NN_COPIED_MOVE(X, from, 1, far)                                                            \
    }
/* One turn of the main loop. gfx11 has registers for fetching only one operand at a time. */
#if NN_MMA == 3
#define NN_COPIED_TURN(u)                                                                          \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                               \
    NN_COPIED_NEXT(A, a_from, a_to, a_next, u, a_far)                                              \
    NN_COPIED_HALF(u, 0)                                                                           \
    NN_COPIED_LAND(A, a_to, a_next, ((u) + NN_MMA_AHEAD) % NN_MMA_STAGES)                          \
    __builtin_amdgcn_sched_barrier(0); /* or clang fetches b as early as a */                      \
    NN_COPIED_NEXT(B, b_from, b_to, b_next, u, b_far)                                              \
    NN_COPIED_HALF(u, 1)                                                                           \
    NN_COPIED_LAND(B, b_to, b_next, ((u) + NN_MMA_AHEAD) % NN_MMA_STAGES)                          \
    __builtin_amdgcn_sched_barrier(0);
#else
#define NN_COPIED_TURN(u)                                                                          \
    NN_MMA_ARRIVED                                                                                 \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                               \
    NN_COPIED_NEXT(A, a_from, a_to, a_next, u, a_far)                                              \
    NN_COPIED_NEXT(B, b_from, b_to, b_next, u, b_far)                                              \
    NN_MMA_STAGED                                                                                  \
    NN_COPIED_HALF(u, 0)                                                                           \
    NN_COPIED_HALF(u, 1)                                                                           \
    NN_COPIED_LAND(A, a_to, a_next, ((u) + NN_MMA_AHEAD) % NN_MMA_STAGES)                          \
    NN_COPIED_LAND(B, b_to, b_next, ((u) + NN_MMA_AHEAD) % NN_MMA_STAGES)
#endif
/* Fetches an operand for turn `turn` to a stage. left: lines from the tile's first one on. */
#define NN_COPIED_SOME(X, from, to, next, stage, turn, left, far)                                  \
    NN_COPIED_FETCH_SOME(X, from, to, next, stage, left, steps - (turn)*NN_MMA_DEPTH)              \
    NN_COPIED_MOVE(X, from, 1, far)

/* Variables of a work-item besides its sums. */
#define NN_COPIED_PRIVATE                                                                          \
    const __global uchar *a_from[4], *b_from[4];                                                   \
    uint4 a_next[4], b_next[4];                                                                    \
    nn_mma_at a_to[2], b_to[2], a_at[4], b_at[4];
/* Adds the products of a work-group's tile to sum. */
#define NN_COPIED_LOOP                                                                             \
    const int k_turns = (k + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH,                                     \
              ends = (NN_MMA_A_FORM == 3 && m - i0 < 128) || (NN_MMA_B_FORM == 3 && n - j0 < 128), \
              whole = NN_MMA_A_FORM == 1 && NN_MMA_B_FORM == 1 && NN_MMA != 3 ? turns              \
                                                               : (steps - ends) / NN_MMA_DEPTH;    \
    const ulong a_far = 2ul * NN_MMA_DEPTH * (ulong)a_step,                                        \
                b_far = 2ul * NN_MMA_DEPTH * (ulong)b_step;                                        \
    int turn = 0, stage = 0;                                                                       \
    (void)a_next, (void)b_next, (void)a_far, (void)b_far, (void)k_turns;                           \
    NN_MMA_UNROLL for (int q = 0; q < 2; q++) {                                                    \
        a_to[q] = NN_MMA_STAGE_AT(tiles, NN_COPIED_PLACE(A, q));                                   \
        b_to[q] = NN_MMA_STAGE_AT(tiles, NN_MMA_BASE_B + NN_COPIED_PLACE(B, q));                   \
    }                                                                                              \
    NN_COPIED_FROM(A, a_from, a, i0, m, a_row, a_step)                                             \
    NN_COPIED_FROM(B, b_from, b, j0, n, b_column, b_step)                                          \
    NN_MMA_A_AT(a_at, tiles, warp_i, NN_MMA_A_FORM == 3, lane)                                     \
    NN_MMA_B_AT(b_at, tiles, warp_j, NN_MMA_B_FORM == 3, lane)                                     \
    NN_MMA_UNROLL for (int f = 0; f < NN_MMA_AHEAD; f++) {                                         \
        if (f < turns) {                                                                           \
            NN_COPIED_SOME(A, a_from, a_to, a_next, f, f, m - i0, a_far)                           \
            NN_COPIED_SOME(B, b_from, b_to, b_next, f, f, n - j0, b_far)                           \
            NN_COPIED_LAND(A, a_to, a_next, f)                                                     \
            NN_COPIED_LAND(B, b_to, b_next, f)                                                     \
        }                                                                                          \
        NN_MMA_STAGED                                                                              \
    }                                                                                              \
    NN_MMA_UNROLL for (int i = 0; i < NN_MMA_DOWN; i++)                                            \
        NN_MMA_UNROLL for (int j = 0; j < NN_MMA_ACROSS; j++)                                      \
            NN_MMA_UNROLL for (int e = 0; e < NN_MMA_SUMS; e++) sum[i][j][e] = 0.0f;               \
    _Pragma("unroll 1") for (; turn + NN_MMA_AHEAD + NN_MMA_STAGES <= whole;                       \
                             turn += NN_MMA_STAGES) {                                              \
        NN_COPIED_TURN(0)                                                                          \
        NN_COPIED_TURN(1)                                                                          \
        NN_COPIED_LAST                                                                             \
        if (NN_MMA_A_FORM == 2) {                                                                  \
            NN_COPIED_MOVE(A, a_from, NN_MMA_STAGES, 0)                                            \
        }                                                                                          \
        if (NN_MMA_B_FORM == 2) {                                                                  \
            NN_COPIED_MOVE(B, b_from, NN_MMA_STAGES, 0)                                            \
        }                                                                                          \
    }                                                                                              \
    _Pragma("unroll 1") for (; turn < turns; turn++) {                                             \
        const int free = stage >= NN_MMA_STAGES - NN_MMA_AHEAD                                     \
                             ? stage - (NN_MMA_STAGES - NN_MMA_AHEAD)                              \
                             : stage + NN_MMA_AHEAD;                                               \
        const bool more = turn + NN_MMA_AHEAD < turns;                                             \
        uint4 a_some[4], b_some[4];                                                                \
        (void)a_some, (void)b_some;                                                                \
        NN_MMA_ARRIVED                                                                             \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
        if (more) {                                                                                \
            NN_COPIED_SOME(A, a_from, a_to, a_some, free, turn + NN_MMA_AHEAD, m - i0, a_far)      \
            if (NN_MMA == 3) {                                                                     \
                NN_COPIED_LAND(A, a_to, a_some, free)                                              \
            }                                                                                      \
            NN_COPIED_SOME(B, b_from, b_to, b_some, free, turn + NN_MMA_AHEAD, n - j0, b_far)      \
            if (NN_MMA == 3) {                                                                     \
                NN_COPIED_LAND(B, b_to, b_some, free)                                              \
            }                                                                                      \
        }                                                                                          \
        NN_MMA_STAGED                                                                              \
        NN_COPIED_HALF(stage, 0)                                                                   \
        NN_COPIED_HALF(stage, 1)                                                                   \
        if (more && NN_MMA != 3) {                                                                 \
            NN_COPIED_LAND(A, a_to, a_some, free)                                                  \
            NN_COPIED_LAND(B, b_to, b_some, free)                                                  \
        }                                                                                          \
        stage = stage + 1 == NN_MMA_STAGES ? 0 : stage + 1;                                        \
    }
#if NN_MMA_STAGES == 3
#define NN_COPIED_LAST NN_COPIED_TURN(2)
#else
#define NN_COPIED_LAST
#endif
#endif
#endif
