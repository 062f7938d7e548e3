/* opencl/mma.cl - matrix units: a thin layer over the instruction that multiplies small matrices.
   Programs with -DNN_MMA=... get this text after common.cl.

   Operands lie in local memory in lines: a line is a row of a or a column of b, with the steps of k
   side by side. A line has NN_MMA_LINE words (uint), of which 16 hold numbers: one TF32 number
   each, or two bf16 numbers (NN_MMA_BF16). The padding of four words puts the lines that are read
   together into different banks.

   A sub-group of NN_MMA_LANES work-items, here a warp, multiplies blocks: NN_MMA_HIGH rows of a by
   NN_MMA_WIDE columns of b, along eight words of k. Each lane holds NN_MMA_A_WORDS words of a,
   NN_MMA_B_WORDS of b and NN_MMA_SUMS sums in f32. Sum number i of a lane belongs to row
   NN_MMA_ROW(lane, i) and column NN_MMA_COLUMN(lane, i) of the block. One block may take several
   instructions. Since the order of k is free, a filling may permute k in the same way for a and b.

   The fillings (NN_MMA):
   1 emulation: plain OpenCL C with the layout of NVIDIA's registers, for tests on any device. The
     lanes exchange their words through local memory, as a sub-group does inside the instruction.
   2 NVIDIA, compute capability 8.0 and above: mma.sync m16n8k8 (TF32) and m16n8k16 (bf16),
     ldmatrix, by inline PTX. Source: PTX ISA, "Warp level matrix instructions".
   3 AMD gfx11: v_wmma_f32_16x16x16_bf16, in waves of 32; bf16 only.
   4 AMD gfx90a: v_mfma_f32_32x32x8bf16_1k; and in place of TF32 v_mfma_f32_32x32x2f32, which does
     not round at all. Waves of 64. Source: AMD, "Matrix instruction calculator".
   5 AMD gfx942: as 4, with v_mfma_f32_32x32x4_xf32 for TF32.
   6 Intel with cl_intel_subgroup_matrix_multiply_accumulate: sub-groups of 8; bf16 only. */
#ifndef NN_MMA_BF16
#define NN_MMA_BF16 0
#endif
#define NN_MMA_LINE  20
#define NN_MMA_DEPTH (NN_MMA_BF16 ? 32 : 16) /* steps of k in a line */

/* GPUs must unroll, because registers cannot be indexed. The emulation would take minutes. */
#if NN_MMA == 1
#define NN_MMA_UNROLL _Pragma("unroll 1")
#else
#define NN_MMA_UNROLL _Pragma("unroll")
#endif

/* Returns the number of the work-item, in a way that compilers cannot see through. Otherwise they
   compute all addresses that depend on it before a kernel's loops, and run out of registers. */
int nn_mma_item(void) {
    int item;
#if NN_MMA == 2
    __asm__ volatile("mov.u32 %0, %%tid.x;" : "=r"(item));
#else
    item = (int)get_local_id(0);
#endif
#if NN_MMA >= 3 && NN_MMA <= 5
    __asm__ volatile("" : "+v"(item));
#endif
    return item;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* Rounds to TF32, to nearest, ties away from zero, as cvt.rna does; filling 4 keeps f32. Infinities
   and NaN stay. NVIDIA's instruction ignores the 13 lowest bits, so adding half of their range is
   enough; cvt.rna takes four instructions on sm_80. */
uint nn_mma_tf32(float x) {
#if NN_MMA == 2
    uint rounded;
    __asm__("{\n\t.reg .pred whole;\n\tsetp.num.f32 whole, %1, %1;\n\tmov.b32 %0, %1;\n\t"
            "@whole add.u32 %0, %0, 0x1000;\n\t}"
            : "=&r"(rounded)
            : "f"(x));
    return rounded;
#elif NN_MMA == 4
    return as_uint(x);
#else
    const uint bits = as_uint(x);
    return (bits & 0x7f800000u) == 0x7f800000u ? bits : (bits + 0x1000u) & 0xffffe000u;
#endif
}

/* Rounds two numbers to bf16, to nearest even; the first is in the lower half. NaN stays NaN. */
uint nn_mma_bf16(float low, float high) {
#if NN_MMA == 2
    uint pair;
    __asm__("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
#else
    uint l = as_uint(low), h = as_uint(high);
    l = low == low ? (l + 0x7fffu + (l >> 16 & 1u)) >> 16 : l >> 16 | 0x40u;
    h = high == high ? (h + 0x7fffu + (h >> 16 & 1u)) >> 16 : h >> 16 | 0x40u;
    return l | h << 16;
#endif
}

/* Rounds four numbers that follow each other along k, and stores them as number `four` of the
   groups of four of a line. */
void nn_mma_put(__local uint *line, int four, float4 v) {
#if NN_MMA_BF16
    *(__local uint2 *)(line + 2 * four) = (uint2)(nn_mma_bf16(v.x, v.y), nn_mma_bf16(v.z, v.w));
#else
    *(__local uint4 *)(line + 4 * four) =
        (uint4)(nn_mma_tf32(v.x), nn_mma_tf32(v.y), nn_mma_tf32(v.z), nn_mma_tf32(v.w));
#endif
}

/* ---- 1, 2: blocks of 16 x 16 in warps of 32, as two products of 16 x 8 ----------------------- */
#if NN_MMA == 1 || NN_MMA == 2
#define NN_MMA_LANES            32
#define NN_MMA_HIGH             16
#define NN_MMA_WIDE             16
#define NN_MMA_SUMS             8
#define NN_MMA_A_WORDS          4
#define NN_MMA_B_WORDS          4
#define NN_MMA_PAIRS            1 /* sums 2 i and 2 i + 1 are neighbours in a row */
#define NN_MMA_ROW(lane, i)     (((lane) >> 2) + ((i) >> 1 & 1) * 8)
#define NN_MMA_COLUMN(lane, i)  (((i) >> 2) * 8 + ((lane)&3) * 2 + ((i)&1))
#endif

#if NN_MMA == 1
/* Word w (of 8) of line `line` (of 16) is word NN_MMA_A_WORD of lane NN_MMA_OWNER. */
#define NN_MMA_OWNER(line, w)  (((line)&7) * 4 + ((w)&3))
#define NN_MMA_A_WORD(line, w) (((line) >> 3) + ((w) >> 2) * 2)
#define NN_MMA_B_WORD(line, w) (((line) >> 3) * 2 + ((w) >> 2))

void nn_mma_load_a(uint *a, const __local uint *lines, int lane) {
    for (int h = 0; h < 4; h++)
        a[h] = lines[((lane >> 2) + (h & 1) * 8) * NN_MMA_LINE + (lane & 3) + (h >> 1) * 4];
}

void nn_mma_load_b(uint *b, const __local uint *lines, int lane) {
    for (int h = 0; h < 4; h++)
        b[h] = lines[((lane >> 2) + (h >> 1) * 8) * NN_MMA_LINE + (lane & 3) + (h & 1) * 4];
}

/* Each lane's words in local memory: down blocks of a, then across blocks of b. */
#define NN_MMA_LOCAL(items, down, across)                                                          \
    __local uint nn_mma_words[(items) * 4 * ((down) + (across))];
#define NN_MMA_SHARE(a, down, b, across)                                                           \
    {                                                                                              \
        __local uint *own = nn_mma_words + (int)get_local_id(0) * 4 * ((down) + (across));         \
        for (int i = 0; i < 4 * (down); i++) own[i] = a[i >> 2][i & 3];                            \
        for (int i = 0; i < 4 * (across); i++) own[4 * (down) + i] = b[i >> 2][i & 3];             \
    }                                                                                              \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#define NN_MMA_SHARED NN_BARRIER(CLK_LOCAL_MEM_FENCE);

/* words: those of lane 0 of the warp; each lane has `apart`. */
void nn_mma_emulate(float *sum, const __local uint *words, int apart, int a_block, int b_block,
                    int lane) {
    for (int i = 0; i < NN_MMA_SUMS; i++) {
        const int row = NN_MMA_ROW(lane, i), column = NN_MMA_COLUMN(lane, i);
        float total = sum[i];
        for (int w = 0; w < 8; w++) {
            const uint x = words[NN_MMA_OWNER(row, w) * apart + a_block + NN_MMA_A_WORD(row, w)],
                       y = words[NN_MMA_OWNER(column, w) * apart + b_block +
                                 NN_MMA_B_WORD(column, w)];
#if NN_MMA_BF16
            total = fma(as_float(x << 16), as_float(y << 16), total);
            total = fma(as_float(x & 0xffff0000u), as_float(y & 0xffff0000u), total);
#else
            total = fma(as_float(x), as_float(y), total);
#endif
        }
        sum[i] = total;
    }
}
#define NN_MMA_MULTIPLY(sum, a, i, down, b, j, across)                                             \
    nn_mma_emulate(sum,                                                                            \
                   nn_mma_words + ((int)get_local_id(0) & ~31) * 4 * ((down) + (across)),          \
                   4 * ((down) + (across)), 4 * (i), 4 * ((down) + (j)), (int)get_local_id(0) & 31);
#else
#define NN_MMA_LOCAL(items, down, across)
#define NN_MMA_SHARE(a, down, b, across)
#define NN_MMA_SHARED
#endif

#if NN_MMA == 2
/* ldmatrix reads four matrices of 8 lines of 16 bytes. Lane l has the address of line l % 8 of
   matrix l / 8. */
#define NN_MMA_LDMATRIX(to, from)                                                                  \
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"            \
                     : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])                  \
                     : "r"((uint)(size_t)(from))                                                   \
                     : "memory");
void nn_mma_load_a(uint *a, const __local uint *lines, int lane) {
    NN_MMA_LDMATRIX(a, lines + (lane & 15) * NN_MMA_LINE + (lane >> 4) * 4)
}
void nn_mma_load_b(uint *b, const __local uint *lines, int lane) {
    NN_MMA_LDMATRIX(b, lines + ((lane & 7) + (lane >> 4) * 8) * NN_MMA_LINE + (lane >> 3 & 1) * 4)
}
#if NN_MMA_BF16
#define NN_MMA_NAME "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
#else
#define NN_MMA_NAME "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
#endif
#define NN_MMA_ONE(s, a, b)                                                                        \
    __asm__(NN_MMA_NAME " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"         \
            : "+f"((s)[0]), "+f"((s)[1]), "+f"((s)[2]), "+f"((s)[3])                               \
            : "r"((a)[0]), "r"((a)[1]), "r"((a)[2]), "r"((a)[3]), "r"((b)[0]), "r"((b)[1]));
#define NN_MMA_MULTIPLY(sum, a, i, down, b, j, across)                                             \
    NN_MMA_ONE(sum, a[i], b[j])                                                                    \
    NN_MMA_ONE((sum) + 4, a[i], b[j] + 2)

/* Copies 16 bytes from global to local memory past the registers. NN_MMA_COPIED waits for all of
   this work-item's copies. */
#define NN_MMA_COPY(to, from)                                                                      \
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((uint)(size_t)(to)),        \
                     "l"((ulong)(size_t)(from))                                                    \
                     : "memory");
#define NN_MMA_COPIED                                                                              \
    __asm__ volatile("cp.async.commit_group;\n\tcp.async.wait_group 0;" ::: "memory");
#else
#define NN_MMA_COPY(to, from) *(__local uint4 *)(to) = *(const __global uint4 *)(from);
#define NN_MMA_COPIED
#endif

/* ---- 3: AMD gfx11 ---------------------------------------------------------------------------- */
#if NN_MMA == 3
#define NN_MMA_LANES           32
#define NN_MMA_HIGH            16
#define NN_MMA_WIDE            16
#define NN_MMA_SUMS            8
#define NN_MMA_A_WORDS         8 /* both halves of the wave hold the same words */
#define NN_MMA_B_WORDS         8
#define NN_MMA_PAIRS           0
#define NN_MMA_ROW(lane, i)    (2 * (i) + ((lane) >> 4))
#define NN_MMA_COLUMN(lane, i) ((lane)&15)

void nn_mma_load_a(uint *a, const __local uint *lines, int lane) {
    const __local uint4 *from = (const __local uint4 *)(lines + (lane & 15) * NN_MMA_LINE);
    vstore4(from[0], 0, a);
    vstore4(from[1], 1, a);
}
#define nn_mma_load_b nn_mma_load_a
#define NN_MMA_MULTIPLY(sum, a, i, down, b, j, across)                                             \
    vstore8(__builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(as_short16(vload8(0, a[i])),               \
                                                        as_short16(vload8(0, b[j])),               \
                                                        vload8(0, sum)),                           \
            0, sum);
#endif

/* ---- 4, 5: AMD gfx90a and gfx942 ------------------------------------------------------------- */
#if NN_MMA == 4 || NN_MMA == 5
#define NN_MMA_LANES           64
#define NN_MMA_HIGH            32
#define NN_MMA_WIDE            32
#define NN_MMA_SUMS            16
#define NN_MMA_A_WORDS         4
#define NN_MMA_B_WORDS         4
#define NN_MMA_PAIRS           0
#define NN_MMA_ROW(lane, i)    (((i) >> 2) * 8 + ((lane) >> 5) * 4 + ((i)&3))
#define NN_MMA_COLUMN(lane, i) ((lane)&31)

/* Half of the wave has the first four words of the lines, the other half the last four. */
void nn_mma_load_a(uint *a, const __local uint *lines, int lane) {
    vstore4(*(const __local uint4 *)(lines + (lane & 31) * NN_MMA_LINE + (lane >> 5) * 4), 0, a);
}
#define nn_mma_load_b nn_mma_load_a
#if NN_MMA_BF16
#define NN_MMA_HALF(total, a, b, h)                                                                \
    total = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(                                              \
        as_short4((uint2)((a)[2 * (h)], (a)[2 * (h) + 1])),                                        \
        as_short4((uint2)((b)[2 * (h)], (b)[2 * (h) + 1])), total, 0, 0, 0);
#elif NN_MMA == 5
#define NN_MMA_HALF(total, a, b, h)                                                                \
    total = __builtin_amdgcn_mfma_f32_32x32x4_xf32(                                                \
        as_float2((uint2)((a)[2 * (h)], (a)[2 * (h) + 1])),                                        \
        as_float2((uint2)((b)[2 * (h)], (b)[2 * (h) + 1])), total, 0, 0, 0);
#else
#define NN_MMA_HALF(total, a, b, h)                                                                \
    total = __builtin_amdgcn_mfma_f32_32x32x2f32(as_float((a)[2 * (h)]), as_float((b)[2 * (h)]),   \
                                                 total, 0, 0, 0);                                  \
    total = __builtin_amdgcn_mfma_f32_32x32x2f32(as_float((a)[2 * (h) + 1]),                       \
                                                 as_float((b)[2 * (h) + 1]), total, 0, 0, 0);
#endif
#define NN_MMA_MULTIPLY(sum, a, i, down, b, j, across)                                             \
    {                                                                                              \
        float16 total = vload16(0, sum);                                                           \
        NN_MMA_HALF(total, a[i], b[j], 0)                                                          \
        NN_MMA_HALF(total, a[i], b[j], 1)                                                          \
        vstore16(total, 0, sum);                                                                   \
    }
#endif

/* ---- 6: Intel -------------------------------------------------------------------------------- */
#if NN_MMA == 6
#define NN_MMA_LANES           8
#define NN_MMA_HIGH            8
#define NN_MMA_WIDE            8
#define NN_MMA_SUMS            8
#define NN_MMA_A_WORDS         8
#define NN_MMA_B_WORDS         8
#define NN_MMA_PAIRS           0
#define NN_MMA_ROW(lane, i)    (i)
#define NN_MMA_COLUMN(lane, i) (lane)

void nn_mma_load_a(uint *a, const __local uint *lines, int lane) {
    NN_MMA_UNROLL
    for (int i = 0; i < 8; i++) a[i] = lines[i * NN_MMA_LINE + lane];
}
void nn_mma_load_b(uint *b, const __local uint *lines, int lane) {
    const __local uint4 *from = (const __local uint4 *)(lines + lane * NN_MMA_LINE);
    vstore4(from[0], 0, b);
    vstore4(from[1], 1, b);
}
#define NN_MMA_MULTIPLY(sum, a, i, down, b, j, across)                                             \
    vstore8(intel_sub_group_bf16_bf16_matrix_mad_k16(as_int8(vload8(0, a[i])),                     \
                                                     as_int8(vload8(0, b[j])), vload8(0, sum)),    \
            0, sum);
#define NN_MMA_SUB_GROUP __attribute__((intel_reqd_sub_group_size(8)))
#elif NN_MMA == 3
#define NN_MMA_SUB_GROUP __attribute__((amdgpu_waves_per_eu(1, 4)))
#else
#define NN_MMA_SUB_GROUP
#endif

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Blocks of a sub-group, in a tile of NN_MMA_SIDE x NN_MMA_SIDE numbers. Tiles of 128 have 128
   work-items, tiles of 64 have 64. */
#ifndef NN_MMA_SIDE
#define NN_MMA_SIDE 64
#endif
#ifndef NN_MMA_TALL
#define NN_MMA_TALL NN_MMA_SIDE /* rows of a tile; with opencl/mma_loop.cl also 64 beside 128 */
#endif
#if NN_MMA == 4 || NN_MMA == 5
#define NN_MMA_DOWN   (NN_MMA_TALL / 32)
#define NN_MMA_ACROSS 2
#elif NN_MMA == 6
#define NN_MMA_DOWN   4
#define NN_MMA_ACROSS 2
#else
#define NN_MMA_DOWN   (NN_MMA_TALL / 32)
#define NN_MMA_ACROSS 4
#endif
#define NN_MMA_WARPS_X (NN_MMA_SIDE / (NN_MMA_ACROSS * NN_MMA_WIDE)) /* sub-groups of a tile */
#define NN_MMA_WARPS_Y (NN_MMA_TALL / (NN_MMA_DOWN * NN_MMA_HIGH))
#define NN_MMA_ITEMS   (NN_MMA_WARPS_X * NN_MMA_WARPS_Y * NN_MMA_LANES)
#define NN_MMA_TURN    (NN_MMA_SIDE * NN_MMA_LINE) /* words of a or b in local memory */

/* Adds eight words of k to the sums of a sub-group: sum[down][across][NN_MMA_SUMS] += a b. at and
   bt: the sub-group's first lines; s: which eight words. In the emulation all work-items of the
   work-group take part, because it has barriers. */
#define NN_MMA_STEP(sum, at, bt, s, down, across, lane)                                            \
    {                                                                                              \
        uint a_words[down][NN_MMA_A_WORDS], b_words[across][NN_MMA_B_WORDS];                       \
        NN_MMA_UNROLL for (int i = 0; i < (down); i++)                                             \
            nn_mma_load_a(a_words[i], (at) + (i * NN_MMA_HIGH * NN_MMA_LINE + 8 * (s)), lane);     \
        NN_MMA_UNROLL for (int j = 0; j < (across); j++)                                           \
            nn_mma_load_b(b_words[j], (bt) + (j * NN_MMA_WIDE * NN_MMA_LINE + 8 * (s)), lane);     \
        NN_MMA_SHARE(a_words, down, b_words, across)                                               \
        NN_MMA_UNROLL for (int i = 0; i < (down); i++)                                             \
            NN_MMA_UNROLL for (int j = 0; j < (across); j++) {                                     \
                NN_MMA_MULTIPLY(sum[i][j], a_words, i, down, b_words, j, across)                   \
            }                                                                                      \
        NN_MMA_SHARED                                                                              \
    }

/* Work-items fetch groups of four steps of k of a line ("fours"). These give the line and the four
   of a work-item, so that a warp's stores to local memory meet no bank twice: neighbours store
   neighbouring fours, and the next lines are four apart. */
#define NN_MMA_FOURS (NN_MMA_DEPTH / 4) /* in a line */
#define NN_MMA_LINE_OF(rest) (((rest) & ~7) + ((rest)&1) * 4 + ((rest) >> 1 & 3))
#define NN_MMA_EACH (NN_MMA_SIDE * NN_MMA_FOURS / NN_MMA_ITEMS) /* fours that a work-item fetches */

/* ---- stages ---------------------------------------------------------------------------------- */

/* Large products read operands that are already rounded, and copy them as they are. Local memory
   holds NN_MMA_STAGES stages of both operands. A stage has 16 words of 128 lines, without padding,
   in one of two forms:
   - lines: NN_MMA_GROUP gives the place of group c of four words of a line. With it, neither eight
     lines of ldmatrix nor the copies use a bank twice.
   - across, for bf16 only: a row of 128 lines for each step of k.

   Fillings 1 and 2 start copies two stages ahead, without registers. The others fetch one stage
   ahead into registers, and store it after the products. */
#if NN_MMA == 1 || NN_MMA == 2
#define NN_MMA_AHEAD  2
#define NN_MMA_STAGES 3
#else
#define NN_MMA_AHEAD  1
#define NN_MMA_STAGES 2
#endif
#define NN_MMA_STAGE (2 * 2048) /* words: first those of a, then those of b */

/* The number of words of a stage before group c of a line (it has four groups). ACROSS: before
   group c of step `row` (it has 16 groups of eight lines). */
#define NN_MMA_GROUP(line, c)        ((line) * 16 + ((c) ^ ((line) >> 1 & 3)) * 4)
#define NN_MMA_GROUP_ACROSS(row, c)  ((row) * 64 + ((c) ^ ((row)&7)) * 4)

/* Sets the places at which a lane begins to read. For lines, at[0] and at[1] belong to the two
   halves of the words. Across, at[i] belongs to block i. line: the first one of the sub-group.
   Blocks of lines are 16 NN_MMA_HIGH words apart, and halves across 1024 words. */
#if NN_MMA == 2
#define NN_MMA_A_AT(at, tiles, line, across, lane)                                                 \
    NN_MMA_UNROLL for (int i = 0; i < 4; i++)                                                      \
        at[i] = (uint)(size_t)(tiles) +                                                            \
                4u * (uint)((across) ? NN_MMA_GROUP_ACROSS((lane & 7) + (lane >> 4) * 8,           \
                                                           (line) / 8 + 2 * i + (lane >> 3 & 1))   \
                                     : NN_MMA_GROUP((line) + (lane & 15),                          \
                                                    2 * (i & 1) + (lane >> 4)));
#define NN_MMA_B_AT(at, tiles, line, across, lane)                                                 \
    NN_MMA_UNROLL for (int i = 0; i < 4; i++)                                                      \
        at[i] = (uint)(size_t)(tiles) +                                                            \
                4u * (uint)((across) ? NN_MMA_GROUP_ACROSS((lane & 7) + (lane >> 3 & 1) * 8,       \
                                                           (line) / 8 + 2 * i + (lane >> 4))       \
                                     : NN_MMA_GROUP((line) + (lane & 7) + (lane >> 4) * 8,         \
                                                    2 * (i & 1) + (lane >> 3 & 1)));
#define NN_MMA_LDMATRIX_AT(trans, to, from)                                                        \
    __asm__ volatile("ldmatrix.sync.aligned.m8n8.x4" trans ".shared.b16 {%0, %1, %2, %3}, [%4];"   \
                     : "=r"((to)[0]), "=r"((to)[1]), "=r"((to)[2]), "=r"((to)[3])                  \
                     : "r"(from)                                                                   \
                     : "memory");
#define NN_MMA_READ(X, to, tiles, at, i, s, far, across)                                           \
    if (across) {                                                                                  \
        NN_MMA_LDMATRIX_AT(".trans", to, at[i] + 4u * (uint)((far) + (s)*1024))                    \
    } else {                                                                                       \
        NN_MMA_LDMATRIX_AT("", to, at[s] + 4u * (uint)((far) + (i)*256))                           \
    }
#define NN_MMA_STAGE_AT(tiles, place) ((uint)(size_t)(tiles) + 4u * (uint)(place))
#define NN_MMA_COPY_TO(tiles, at, far, from)                                                       \
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((at) + 4u * (uint)(far)),   \
                     "l"((ulong)(size_t)(from))                                                    \
                     : "memory");
#define NN_MMA_STAGED   __asm__ volatile("cp.async.commit_group;" ::: "memory");
#define NN_MMA_ARRIVED  __asm__ volatile("cp.async.wait_group 1;" ::: "memory");
typedef uint nn_mma_at;
#else
#define NN_MMA_STAGE_AT(tiles, place) (place)
#define NN_MMA_COPY_TO(tiles, at, far, from)                                                       \
    *(__local uint4 *)((tiles) + (at) + (far)) = *(const __global uint4 *)(from);
#define NN_MMA_STAGED
#define NN_MMA_ARRIVED
typedef int nn_mma_at;
#endif

#if NN_MMA == 1
#define NN_MMA_A_AT(at, tiles, line, across, lane)                                                 \
    for (int i = 0; i < 4; i++)                                                                    \
        at[i] = (across) ? (line) + 16 * i + (lane >> 2)                                           \
                         : NN_MMA_GROUP((line) + (lane >> 2), 2 * (i & 1)) + (lane & 3);
#define NN_MMA_B_AT NN_MMA_A_AT
/* Returns steps 2 word and 2 word + 1 of a line from a stage in the form across. */
uint nn_mma_across(const __local uint *rows, int line, int word) {
    const __local ushort *low = (const __local ushort *)(rows + NN_MMA_GROUP_ACROSS(2 * word,
                                                                                    line / 8)),
                         *high = (const __local ushort *)(rows +
                                                          NN_MMA_GROUP_ACROSS(2 * word + 1,
                                                                              line / 8));
    return (uint)low[line % 8] | (uint)high[line % 8] << 16;
}
/* Reads four words of a lane in the order of ldmatrix. a: the operand is a, whose second word comes
   from the second half of the lines; that of b comes from the second half of the words. */
void nn_mma_read(uint *to, const __local uint *stage, int at, int i, int s, bool across, int lane,
                 bool a) {
    for (int h = 0; h < 4; h++) {
        const int lines = a ? h & 1 : h >> 1, words = a ? h >> 1 : h & 1;
        to[h] = across ? nn_mma_across(stage, at + lines * 8, s * 8 + words * 4 + (lane & 3))
                       : stage[(at ^ words * 4) + i * 256 + lines * 128];
    }
}
#define NN_MMA_IS_A true
#define NN_MMA_IS_B false
#define NN_MMA_READ(X, to, tiles, at, i, s, far, across)                                           \
    nn_mma_read(to, (tiles) + (far), at[(across) ? i : s], i, s, across, lane, NN_MMA_IS_##X);
#elif NN_MMA == 3
#define NN_MMA_A_AT(at, tiles, line, across, lane)                                                 \
    NN_MMA_UNROLL for (int i = 0; i < 4; i++) at[i] = NN_MMA_GROUP((line) + (lane & 15), i);
#define NN_MMA_B_AT NN_MMA_A_AT
#define NN_MMA_READ(X, to, tiles, at, i, s, far, across)                                           \
    vstore4(*(const __local uint4 *)((tiles) + at[2 * (s)] + (far) + (i)*256), 0, to);             \
    vstore4(*(const __local uint4 *)((tiles) + at[2 * (s) + 1] + (far) + (i)*256), 1, to);
#elif NN_MMA == 4 || NN_MMA == 5
#define NN_MMA_A_AT(at, tiles, line, across, lane)                                                 \
    NN_MMA_UNROLL for (int i = 0; i < 4; i++)                                                      \
        at[i] = NN_MMA_GROUP((line) + (lane & 31), 2 * (i & 1) + (lane >> 5));
#define NN_MMA_B_AT NN_MMA_A_AT
#define NN_MMA_READ(X, to, tiles, at, i, s, far, across)                                           \
    vstore4(*(const __local uint4 *)((tiles) + at[s] + (far) + (i)*512), 0, to);
#endif
