/* opencl/mma_loop.cl - the main loop of kernels on matrix units whose operands lie ready in memory:
   it only copies, reads and multiplies. Kernels of products and of convolutions run it in tiles of
   NN_MMA_TALL rows and 128 columns. Programs with -DNN_MMA=... get this text after mma.cl.

   The form of an operand, NN_MMA_A_FORM and NN_MMA_B_FORM; a has the first three:
   1 packed: an earlier launch rounded the matrix to scratch, in the order of local memory: for each
     tile of lines, for each turn, a stage of NN_MMA_DEPTH steps. Lines and steps beyond the matrix
     are zeros.
   2 deep: a bf16 matrix that lies along k, in aligned groups of eight steps.
   3 across: a matrix that lies across k, in aligned groups of 16 bytes of lines: of bf16, or of
     TF32 numbers that are already rounded.
   4 moved: each line has an address, and each turn a distance from it. Whole turns only.
   5 picked: as 3, but each step has a distance of its own. NVIDIA copies TF32 in groups of 8 bytes.

   A work-item copies four groups of 16 bytes of an operand of 128 lines in a turn. Lines beyond the
   matrices are read from the last ones: their results are not stored. Steps beyond the end of k are
   zeros. For forms 4 and 5 the kernel sets b_from, b_table and b_mask before the loop. b_table has
   the distances in units of 16 bytes, for one turn more than the loop has. b_mask 0 leaves the
   distances of form 5 out. */
#if defined(NN_MMA)
#ifndef NN_MMA_A_FORM
#define NN_MMA_A_FORM 0 /* no program with this loop */
#endif
#ifndef NN_MMA_B_FORM
#define NN_MMA_B_FORM 0
#endif

#if NN_MMA_A_FORM
/* Lines of an operand's tile, and its groups that a work-item copies in a turn. */
#define NN_COPIED_TALL_A  NN_MMA_TALL
#define NN_COPIED_TALL_B  128
#define NN_COPIED_COUNT_A (NN_MMA_TALL / 32)
#define NN_COPIED_COUNT_B 4
/* True if the operand lies along k, across k. */
#define NN_COPIED_DEEP(X)   (NN_MMA_##X##_FORM == 2 || NN_MMA_##X##_FORM == 4)
#define NN_COPIED_ACROSS(X) (NN_MMA_##X##_FORM == 3 || NN_MMA_##X##_FORM == 5)

/* The groups of a work-item are 512 bytes apart in a packed matrix. In a deep matrix they are
   in every 32nd line, and in an across matrix they are every fourth group of one step. So most
   groups have constant distances. */
/* NVIDIA's weight gradients in TF32: dy is packed (1), and of x pairs of lines are copied. */
#define NN_COPIED_PAIRS (NN_MMA <= 2 && !NN_MMA_BF16 && NN_MMA_B_FORM == 5)
#if NN_MMA_BF16
#define NN_COPIED_BESIDE 4 /* work-items that share a step of an across matrix */
#define NN_COPIED_BYTES  2 /* of a number */
#define NN_COPIED_STEP (item / 4 % 2 * 4 + item / 8 % 4 + item / 32 * 8) /* across */
#else
#define NN_COPIED_BESIDE 8
#define NN_COPIED_BYTES  4
#define NN_COPIED_STEP (item / 8)
#endif
#if NN_COPIED_PAIRS
#define NN_COPIED_GROUP 8 /* bytes that are copied at once across k */
#else
#define NN_COPIED_GROUP 16
#endif
#define NN_COPIED_LINES (NN_COPIED_GROUP / NN_COPIED_BYTES) /* of a group across k */
#define NN_COPIED_FIRST (item % NN_COPIED_BESIDE * NN_COPIED_LINES) /* a work-item's first line */
/* Sets the addresses at which a work-item begins to copy. */
#define NN_COPIED_FROM(X, from, x, first_line, lines, x_line, x_step)                              \
    if (NN_MMA_##X##_FORM <= 3) NN_MMA_UNROLL for (int q = 0; q < 4; q++) {                        \
        from[q] = (const __global uchar *)(x);                                                     \
        if (NN_MMA_##X##_FORM == 1)                                                                \
            from[q] += ((ulong)(uint)((first_line) / NN_COPIED_TALL_##X) * (ulong)(uint)k_turns +  \
                        (ulong)(uint)(begin / NN_MMA_DEPTH)) *                                     \
                           (ulong)(NN_COPIED_TALL_##X * 64) +                                      \
                       (ulong)(item / 32 * (NN_COPIED_TALL_##X * 16) + item % 32 * 16);            \
        else if (NN_MMA_##X##_FORM == 2)                                                           \
            from[q] += 2ul * ((ulong)(uint)min((first_line) + item / 4 + q * 32, (lines)-1) *      \
                                  (ulong)(x_line) + (ulong)(uint)(begin + item % 4 * 8));          \
        else                                                                                       \
            from[q] += (ulong)NN_COPIED_BYTES *                                                    \
                       ((ulong)(uint)(begin + NN_COPIED_STEP) * (ulong)(x_step) +                  \
                        (ulong)(uint)((first_line) + NN_COPIED_FIRST));                            \
    }
#if NN_COPIED_PAIRS
#define NN_COPIED_PAIR NN_PAIRS_AT(NN_COPIED_STEP, item % 8)
#else
#define NN_COPIED_PAIR 0
#endif
/* Places in a stage where it stores its first two groups, and the distance in words of group q from
   place q % 2. */
#define NN_COPIED_PLACE(X, q)                                                                      \
    (NN_MMA_##X##_FORM == 1 ? item / 32 * (NN_COPIED_TALL_##X * 4) + item % 32 * 4                 \
     : NN_COPIED_DEEP(X)    ? NN_MMA_GROUP(item / 4, item % 4)                                     \
     : NN_COPIED_PAIRS      ? NN_COPIED_PAIR                                                       \
                            : NN_MMA_GROUP_ACROSS(NN_COPIED_STEP,                                  \
                                                  item % NN_COPIED_BESIDE + NN_COPIED_BESIDE * (q)))
#define NN_COPIED_FAR(X, q)                                                                        \
    (NN_MMA_##X##_FORM == 1 ? (q)*128 : NN_COPIED_DEEP(X) ? (q)*512                                \
                                                         : (q) / 2 * (8 * NN_COPIED_BESIDE))
/* The distance in bytes of the next turn of forms 4 and 5. */
#define NN_COPIED_SHIFT (16ul * (ulong)b_shift)
/* The address of group q, `turn` turns later. */
#define NN_COPIED_AT(X, from, q, turn)                                                             \
    (NN_MMA_##X##_FORM == 1   ? from[0] + (q)*512                                                  \
     : NN_MMA_##X##_FORM == 2 ? from[q] + (turn)*64                                                \
     : NN_MMA_##X##_FORM == 3 ? from[0] + (q)*16 * NN_COPIED_BESIDE                                \
     : NN_MMA_##X##_FORM == 4 ? from[q] + NN_COPIED_SHIFT                                          \
                              : from[0] + NN_COPIED_SHIFT + (q)*NN_COPIED_GROUP * NN_COPIED_BESIDE)
/* The same in a tile that may have fewer than 128 lines. left: lines from its first one on. */
#define NN_COPIED_AT_END(X, from, q, left)                                                         \
    (NN_COPIED_ACROSS(X)                                                                           \
         ? from[0] + (NN_MMA_##X##_FORM == 5 ? NN_COPIED_SHIFT : 0ul) +                            \
               NN_COPIED_BYTES * (min(NN_COPIED_FIRST + (q)*NN_COPIED_BESIDE * NN_COPIED_LINES,    \
                                      (left)-NN_COPIED_LINES) -                                    \
                                  NN_COPIED_FIRST)                                                 \
         : NN_COPIED_AT(X, from, q, 0))
/* Moves the addresses on by some turns. far: their bytes in an across matrix. */
#define NN_COPIED_MOVE(X, from, turns_on, far)                                                     \
    if (NN_MMA_##X##_FORM == 2) {                                                                  \
        NN_MMA_UNROLL for (int q = 0; q < 4; q++) from[q] += (turns_on)*64;                        \
    } else if (NN_MMA_##X##_FORM == 1)                                                             \
        from[0] += (turns_on)*NN_COPIED_TALL_##X * 64;                                             \
    else if (NN_MMA_##X##_FORM == 3)                                                               \
        from[0] += (far);                                                                          \
    else {                                                                                         \
        b_table += NN_MMA_B_FORM == 5 ? NN_MMA_DEPTH : 1;                                          \
        b_shift = *b_table;                                                                        \
        if (NN_MMA_B_FORM == 5) b_shift &= b_mask;                                                 \
    }
/* True if the work-item's groups begin before the end of k. there: steps that are left. */
#define NN_COPIED_THERE(X, there)                                                                  \
    (NN_MMA_##X##_FORM == 1 || NN_MMA_##X##_FORM == 4 ||                                           \
     (NN_MMA_##X##_FORM == 2 ? item % 4 * 8 : NN_COPIED_STEP) < (there))

/* ---- lines of a lane's own across k ----------------------------------------------------------

   Where no instruction transposes (ldmatrix does it for bf16), a lane reads neighbouring lines of
   a step at once. The operands then lie across k. The order of lines in a tile is free, so the
   lane's blocks have these lines: NN_COPIED_ROW and NN_COPIED_COLUMN give the row and the column of
   a sum in its sub-group's part of the tile. */
#define NN_COPIED_OWN                                                                              \
    (NN_COPIED_PAIRS || (NN_MMA_A_FORM == 3 && NN_MMA_B_FORM == 5 && NN_MMA >= 3))
#if NN_COPIED_OWN
#undef NN_MMA_GROUP_ACROSS
#if NN_MMA_BF16
#define NN_MMA_GROUP_ACROSS(row, c) ((row)*64 + (c)*4)
#else
/* The order of the groups lets lanes of four steps and eight lines use all banks. */
#define NN_MMA_GROUP_ACROSS(row, c) ((row)*128 + ((c) ^ ((row)&3) * 2) * 4)
#endif
#if NN_COPIED_PAIRS
/* A step of x and the fourth one after it lie beside each other, two channels of each: so a lane
   reads the four words of a block at once. The order of the pairs lets lanes of four steps and
   eight lines use all banks. x is the first operand of the instruction, and dy the second. */
#define NN_PAIRS_AT(step, c)                                                                       \
    ((((step) >> 3) * 4 + ((step)&3)) * 256 + ((c) ^ ((step)&3) * 2) * 4 + ((step) >> 2 & 1) * 2)
#if NN_MMA == 2
#define NN_OWN_FOUR(to, tiles, at, far)                                                            \
    __asm__ volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"                                    \
                     : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])                  \
                     : "r"((at) + 4u * (uint)(far))                                                \
                     : "memory");
#define NN_MMA_COPY_PAIR(tiles, at, far, from)                                                     \
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((at) + 4u * (uint)(far)),    \
                     "l"((ulong)(size_t)(from))                                                    \
                     : "memory");
#else
#define NN_OWN_FOUR(to, tiles, at, far) vstore4(vload4(0, (tiles) + (at) + (far)), 0, to);
#define NN_MMA_COPY_PAIR(tiles, at, far, from)                                                     \
    *(__local uint2 *)((tiles) + (at) + (far)) = *(const __global uint2 *)(from);
#endif
#define NN_OWN_A_AT(at, tiles, line, lane) NN_MMA_B_AT(at, tiles, line, 0, lane)
#define NN_OWN_READ_A(to, tiles, at, s, far)                                                       \
    NN_MMA_UNROLL for (int i = 0; i < 4; i++) { NN_MMA_READ(B, to[i], tiles, at, i, s, far, 0) }
#define NN_OWN_B_AT(at, tiles, line, lane)                                                         \
    at[0] = NN_MMA_STAGE_AT(tiles, NN_PAIRS_AT(lane & 3, (line) / 2 + (lane >> 2)));
#define NN_OWN_READ_B(to, tiles, at, s, far)                                                       \
    NN_MMA_UNROLL for (int j = 0; j < 4; j++) NN_OWN_FOUR(to[j], tiles, at[0],                     \
                                                          (far) + (s)*1024 + j * 32)
#define NN_COPIED_ROW(i, lane, e)    ((i)*16 + NN_MMA_COLUMN(lane, e))
#define NN_COPIED_COLUMN(j, lane, e) ((j)*16 + ((lane) >> 2) * 2 + ((e) >> 1 & 1))
#elif !NN_MMA_BF16 /* gfx90a, gfx942: a block of a has every fourth line, one of b every second */
#define NN_OWN_A_AT(at, tiles, line, lane)                                                         \
    NN_MMA_UNROLL for (int w = 0; w < 4; w++)                                                      \
        at[w] = NN_MMA_GROUP_ACROSS((lane >> 5) * 4 + w, (line) / 4 + (lane & 31));
#define NN_OWN_B_AT(at, tiles, line, lane)                                                         \
    NN_MMA_UNROLL for (int w = 0; w < 4; w++)                                                      \
        at[w] = NN_MMA_GROUP_ACROSS((lane >> 5) * 4 + w, (line) / 4 + (lane & 31) / 2) +           \
                (lane & 1) * 2;
#define NN_OWN_READ_A(to, tiles, at, s, far)                                                       \
    NN_MMA_UNROLL for (int w = 0; w < 4; w++) {                                                    \
        const uint4 v = *(const __local uint4 *)((tiles) + at[w] + (far) + (s)*1024);              \
        to[0][w] = v.x, to[1][w] = v.y, to[2][w] = v.z, to[3][w] = v.w;                            \
    }
#define NN_OWN_READ_B(to, tiles, at, s, far)                                                       \
    NN_MMA_UNROLL for (int w = 0; w < 4; w++) {                                                    \
        const uint2 v = *(const __local uint2 *)((tiles) + at[w] + (far) + (s)*1024);              \
        to[0][w] = v.x, to[1][w] = v.y;                                                            \
    }
#define NN_COPIED_ROW(i, lane, e)    (NN_MMA_ROW(lane, e) * 4 + (i))
#define NN_COPIED_COLUMN(j, lane, e) (NN_MMA_COLUMN(lane, e) * 2 + (j))
#else /* AMD with bf16: the same, and a word is joined from two steps */
#define NN_OWN_LANE (lane % NN_MMA_HIGH)
#define NN_OWN_STEP (NN_MMA == 3 ? 0 : lane / 32 * 8) /* a lane's first step of a half */
#define NN_OWN_LOW(p, q)  ((p)&0xffffu | (q) << 16)
#define NN_OWN_HIGH(p, q) ((p) >> 16 | (q)&0xffff0000u)
#define NN_OWN_A_AT(at, tiles, line, lane) at[0] = NN_OWN_STEP * 64 + (line) / 2 + NN_OWN_LANE * 2;
#define NN_OWN_READ_A(to, tiles, at, s, far)                                                       \
    NN_MMA_UNROLL for (int w = 0; w < NN_MMA_A_WORDS; w++) {                                       \
        const __local uint *from = (tiles) + at[0] + (far) + (s)*1024 + w * 128;                   \
        const uint2 p = *(const __local uint2 *)from, q = *(const __local uint2 *)(from + 64);     \
        to[0][w] = NN_OWN_LOW(p.x, q.x), to[1][w] = NN_OWN_HIGH(p.x, q.x);                         \
        to[2][w] = NN_OWN_LOW(p.y, q.y), to[3][w] = NN_OWN_HIGH(p.y, q.y);                         \
    }
#define NN_COPIED_ROW(i, lane, e) (NN_MMA_ROW(lane, e) * 4 + (i))
#if NN_MMA == 3
#define NN_OWN_B_AT                  NN_OWN_A_AT
#define NN_OWN_READ_B                NN_OWN_READ_A
#define NN_COPIED_COLUMN(j, lane, e) (NN_MMA_COLUMN(lane, e) * 4 + (j))
#else
#define NN_OWN_B_AT(at, tiles, line, lane) at[0] = NN_OWN_STEP * 64 + (line) / 2 + NN_OWN_LANE;
#define NN_OWN_READ_B(to, tiles, at, s, far)                                                       \
    NN_MMA_UNROLL for (int w = 0; w < NN_MMA_B_WORDS; w++) {                                       \
        const __local uint *from = (tiles) + at[0] + (far) + (s)*1024 + w * 128;                   \
        to[0][w] = NN_OWN_LOW(from[0], from[64]), to[1][w] = NN_OWN_HIGH(from[0], from[64]);       \
    }
#define NN_COPIED_COLUMN(j, lane, e) (NN_MMA_COLUMN(lane, e) * 2 + (j))
#endif
#endif
#endif

#if NN_MMA_AHEAD == 2
#if NN_COPIED_PAIRS
/* Copies the pairs of x; of the other operand nothing. live: they exist, else they are zeros. */
#define NN_COPIED_FETCH_PAIRS(X, from, to, stage, live, at)                                        \
    if (NN_MMA_##X##_FORM == 5) NN_MMA_UNROLL for (int q = 0; q < 8; q++) {                        \
        if (live) {                                                                                \
            NN_MMA_COPY_PAIR(tiles, to[0], (stage)*NN_MMA_STAGE + q * 32, at)                      \
        } else                                                                                     \
            *(__local uint2 *)(tiles + NN_PAIRS_AT(NN_COPIED_STEP, item % 8) + NN_MMA_BASE_B +     \
                               (stage)*NN_MMA_STAGE + q * 32) = (uint2)(0u);                       \
    }
#else
#define NN_COPIED_FETCH_PAIRS(X, from, to, stage, live, at) if (false) {}
#endif
#define NN_COPIED_FETCH(X, from, to, next, stage, turn)                                            \
    NN_COPIED_FETCH_PAIRS(X, from, to, stage, true, NN_COPIED_AT(X, from, q, turn))                \
    else NN_MMA_UNROLL for (int q = 0; q < NN_COPIED_COUNT_##X; q++) {                             \
        NN_MMA_COPY_TO(tiles, to[q % 2], (stage)*NN_MMA_STAGE + NN_COPIED_FAR(X, q),               \
                       NN_COPIED_AT(X, from, q, turn))                                             \
    }
#define NN_COPIED_FETCH_SOME(X, from, to, next, stage, left, there)                                \
    NN_COPIED_FETCH_PAIRS(X, from, to, stage, NN_COPIED_THERE(X, there),                           \
                          NN_COPIED_AT_END(X, from, q, left))                                      \
    else NN_MMA_UNROLL for (int q = 0; q < NN_COPIED_COUNT_##X; q++) {                             \
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
    NN_MMA_UNROLL for (int q = 0; q < NN_COPIED_COUNT_##X; q++)                                    \
        next[q] = *(const __global uint4 *)(NN_COPIED_AT(X, from, q, turn));
#define NN_COPIED_FETCH_SOME(X, from, to, next, stage, left, there)                                \
    NN_MMA_UNROLL for (int q = 0; q < NN_COPIED_COUNT_##X; q++)                                    \
        next[q] = NN_COPIED_THERE(X, there)                                                        \
                      ? *(const __global uint4 *)(NN_COPIED_AT_END(X, from, q, left))              \
                      : (uint4)(0u);
#define NN_COPIED_LAND(X, to, next, stage)                                                         \
    NN_MMA_UNROLL for (int q = 0; q < NN_COPIED_COUNT_##X; q++)                                    \
        *(__local uint4 *)(tiles + to[q % 2] + (stage)*NN_MMA_STAGE + NN_COPIED_FAR(X, q)) =       \
            next[q];
#endif
#define NN_MMA_BASE_A 0
#define NN_MMA_BASE_B 2048

#if NN_COPIED_OWN
#define NN_COPIED_READ(stage, s)                                                                   \
    NN_OWN_READ_A(a_words, tiles, a_at, s, (stage)*NN_MMA_STAGE)                                   \
    NN_OWN_READ_B(b_words, tiles, b_at, s, (stage)*NN_MMA_STAGE + NN_MMA_BASE_B)
#else
#define NN_COPIED_READ(stage, s)                                                                   \
    NN_MMA_UNROLL for (int i = 0; i < NN_MMA_DOWN; i++) {                                          \
        NN_MMA_READ(A, a_words[i], tiles, a_at, i, s, (stage)*NN_MMA_STAGE, NN_COPIED_ACROSS(A))   \
    }                                                                                              \
    NN_MMA_UNROLL for (int j = 0; j < NN_MMA_ACROSS; j++) {                                        \
        NN_MMA_READ(B, b_words[j], tiles, b_at, j, s, (stage)*NN_MMA_STAGE + NN_MMA_BASE_B,        \
                    NN_COPIED_ACROSS(B))                                                           \
    }
#define NN_OWN_A_AT(at, tiles, line, lane) NN_MMA_A_AT(at, tiles, line, NN_COPIED_ACROSS(A), lane)
#define NN_OWN_B_AT(at, tiles, line, lane) NN_MMA_B_AT(at, tiles, line, NN_COPIED_ACROSS(B), lane)
#endif
#if NN_COPIED_PAIRS
#define NN_COPIED_SHARE    NN_MMA_SHARE(b_words, NN_MMA_ACROSS, a_words, NN_MMA_DOWN)
#define NN_COPIED_MULTIPLY                                                                         \
    NN_MMA_MULTIPLY(sum[i][j], b_words, j, NN_MMA_ACROSS, a_words, i, NN_MMA_DOWN)
#else
#define NN_COPIED_SHARE    NN_MMA_SHARE(a_words, NN_MMA_DOWN, b_words, NN_MMA_ACROSS)
#define NN_COPIED_MULTIPLY                                                                         \
    NN_MMA_MULTIPLY(sum[i][j], a_words, i, NN_MMA_DOWN, b_words, j, NN_MMA_ACROSS)
#endif
#define NN_COPIED_HALF(stage, s)                                                                   \
    {                                                                                              \
        uint a_words[NN_MMA_DOWN][NN_MMA_A_WORDS], b_words[NN_MMA_ACROSS][NN_MMA_B_WORDS];         \
        NN_COPIED_READ(stage, s)                                                                   \
        NN_COPIED_SHARE                                                                            \
        NN_MMA_UNROLL for (int i = 0; i < NN_MMA_DOWN; i++)                                        \
            NN_MMA_UNROLL for (int j = 0; j < NN_MMA_ACROSS; j++) {                                \
                NN_COPIED_MULTIPLY                                                                 \
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
    const __global uint *b_table = 0;                                                              \
    uint b_shift = 0, b_mask = ~0u;                                                                \
    nn_mma_at a_to[2], b_to[2], a_at[4], b_at[4];
/* Adds the products of a work-group's tile to sum. In a tile with fewer than 128 lines across k the
   main loop also reads the numbers after them, from up to 15 steps later: these must exist. */
#define NN_COPIED_LOOP                                                                             \
    const int k_turns = (k + NN_MMA_DEPTH - 1) / NN_MMA_DEPTH,                                     \
              ends = (NN_COPIED_ACROSS(A) && m - i0 < 128) ||                                      \
                             (NN_COPIED_ACROSS(B) && n - j0 < 128)                                 \
                         ? 16                                                                      \
                         : 0,                                                                      \
              whole = NN_MMA_A_FORM == 1 && (NN_MMA_B_FORM == 1 || NN_MMA_B_FORM == 4) &&          \
                              NN_MMA != 3                                                          \
                          ? turns                                                                  \
                          : (steps - ends) / NN_MMA_DEPTH;                                         \
    const ulong a_far = (ulong)(NN_COPIED_BYTES * NN_MMA_DEPTH) * (ulong)a_step,                   \
                b_far = (ulong)(NN_COPIED_BYTES * NN_MMA_DEPTH) * (ulong)b_step;                   \
    int turn = 0, stage = 0;                                                                       \
    (void)a_next, (void)b_next, (void)a_far, (void)b_far, (void)k_turns, (void)b_mask;             \
    if (NN_MMA_B_FORM >= 4) b_shift = NN_MMA_B_FORM == 5 ? *b_table & b_mask : *b_table;           \
    NN_MMA_UNROLL for (int q = 0; q < 2; q++) {                                                    \
        a_to[q] = NN_MMA_STAGE_AT(tiles, NN_COPIED_PLACE(A, q));                                   \
        b_to[q] = NN_MMA_STAGE_AT(tiles, NN_MMA_BASE_B + NN_COPIED_PLACE(B, q));                   \
    }                                                                                              \
    NN_COPIED_FROM(A, a_from, a, i0, m, a_row, a_step)                                             \
    NN_COPIED_FROM(B, b_from, b, j0, n, b_column, b_step)                                          \
    NN_OWN_A_AT(a_at, tiles, warp_i, lane)                                                         \
    NN_OWN_B_AT(b_at, tiles, warp_j, lane)                                                         \
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
#ifndef NN_COPIED_ROW
#define NN_COPIED_ROW(i, lane, e)    ((i)*NN_MMA_HIGH + NN_MMA_ROW(lane, e))
#define NN_COPIED_COLUMN(j, lane, e) ((j)*NN_MMA_WIDE + NN_MMA_COLUMN(lane, e))
#endif
#endif
