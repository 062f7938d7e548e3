/* kernels/matmul/opencl_large.cl - matrix products on GPUs in large tiles of y. A work-group of 256
   work-items computes a tile.

   A work-item has DOWN groups of four rows and ACROSS groups of four columns. The groups are spread
   over the tile, so neighbouring threads read neighbouring numbers of local memory. If a tile needs
   fewer than 256 work-items, they form SLICES: each slice multiplies EACH of the steps of k in
   local memory. At the end the slices exchange their sums, and each finishes some rows of every 4 x
   4 block. So a small product fills its device without a second launch.

   Local memory holds the steps of k of two turns. While the work-items multiply one turn, they
   fetch the next one into registers and then store it to the other half, so each turn needs only
   one barrier. Rows and columns beyond the matrices are read from the last one: their results are
   not stored. Steps beyond the end of k are zeros.

   NN_GEMM_A_DEEP, NN_GEMM_B_DEEP: 1 if the matrix lies along k. NN_GEMM_VECTOR: 1 if groups of four
   neighbours are aligned, and all or none of them are inside. NN_GEMM_SHAPE: the number of the
   tile's shape in kernels/matmul/opencl_large.c. NN_HALF (half arithmetic, opencl/common.cl) comes
   only with the shapes 0 and 4, which have no slices, and with f32 matrices. */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 5
#ifndef NN_GEMM_A_DEEP
#define NN_GEMM_A_DEEP 1
#endif
#ifndef NN_GEMM_B_DEEP
#define NN_GEMM_B_DEEP 0
#endif
#ifndef NN_GEMM_SHAPE
#define NN_GEMM_SHAPE 0
#endif
#if NN_GEMM_SHAPE == 0 /* 128 by 128 */
#define NN_LARGE_HIGH   128
#define NN_LARGE_BROAD  128
#define NN_LARGE_DOWN   2
#define NN_LARGE_ACROSS 2
#define NN_LARGE_SLICES 1
#define NN_LARGE_EACH   8
#define NN_LARGE_UNROLL 4
#elif NN_GEMM_SHAPE == 1 /* 64 by 128 */
#define NN_LARGE_HIGH   64
#define NN_LARGE_BROAD  128
#define NN_LARGE_DOWN   2
#define NN_LARGE_ACROSS 2
#define NN_LARGE_SLICES 2
#define NN_LARGE_EACH   8
#define NN_LARGE_UNROLL 2
#elif NN_GEMM_SHAPE == 2 /* 64 by 64 */
#define NN_LARGE_HIGH   64
#define NN_LARGE_BROAD  64
#define NN_LARGE_DOWN   2
#define NN_LARGE_ACROSS 2
#define NN_LARGE_SLICES 4
#define NN_LARGE_EACH   4
#define NN_LARGE_UNROLL 2
#elif NN_GEMM_SHAPE == 3 /* 32 by 64 */
#define NN_LARGE_HIGH   32
#define NN_LARGE_BROAD  64
#define NN_LARGE_DOWN   1
#define NN_LARGE_ACROSS 2
#define NN_LARGE_SLICES 4
#define NN_LARGE_EACH   8
#define NN_LARGE_UNROLL 4
#else /* 128 by 256 */
#define NN_LARGE_HIGH   128
#define NN_LARGE_BROAD  256
#define NN_LARGE_DOWN   2
#define NN_LARGE_ACROSS 4
#define NN_LARGE_SLICES 1
#define NN_LARGE_EACH   8
#define NN_LARGE_UNROLL 4
#endif
#define NN_LARGE_TURNS (NN_GEMM_SHAPE > 1)
#define NN_LARGE_STEPS  (NN_LARGE_SLICES * NN_LARGE_EACH)  /* steps of k per turn */
#define NN_LARGE_LANES_X (NN_LARGE_BROAD / 4 / NN_LARGE_ACROSS) /* work-items per slice */
#define NN_LARGE_LANES_Y (NN_LARGE_HIGH / 4 / NN_LARGE_DOWN)    /* along the columns and the rows */
#define NN_LARGE_SLICE  (NN_LARGE_LANES_X * NN_LARGE_LANES_Y)
#define NN_LARGE_OWN    (4 * NN_LARGE_DOWN / NN_LARGE_SLICES) /* rows that a work-item finishes */
/* sums that a slice hands over */
#define NN_LARGE_LEFT   (4 * NN_LARGE_OWN * NN_LARGE_ACROSS * NN_LARGE_SLICE)
#define NN_LARGE_A_LINE (NN_LARGE_HIGH / 4 + 1) /* stride of a step in local memory, in float4 */
#define NN_LARGE_B_LINE (NN_LARGE_BROAD / 4 + 1)
/* groups of four that a work-item fetches */
#define NN_LARGE_A_EACH (NN_LARGE_STEPS * NN_LARGE_HIGH / 1024)
#define NN_LARGE_B_EACH (NN_LARGE_STEPS * NN_LARGE_BROAD / 1024)
/* Start of a step in local memory. A matrix that lies along k is transposed on its way there: one
   work-item stores four steps of a row. The offsets put the steps of a warp into different
   banks. */
#define NN_LARGE_AT(step, line) ((step) * (line) + ((step) >> 3 & 1) * 2 + ((step) >> 4 & 1))
#define NN_LARGE_A_TURN (NN_LARGE_STEPS * NN_LARGE_A_LINE + (NN_LARGE_STEPS > 8 ? 3 : 0))
#define NN_LARGE_B_TURN (NN_LARGE_STEPS * NN_LARGE_B_LINE + (NN_LARGE_STEPS > 8 ? 3 : 0))
#if NN_HALF == 2
#undef NN_LARGE_UNROLL
#define NN_LARGE_UNROLL 1 /* or a compiler takes ten seconds */
#endif

/* Stores fetched numbers to local memory; a matrix that lies along k is transposed. */
#define NN_LARGE_PUT(to, line, four, deep, place, step)                                            \
    if (deep) {                                                                                    \
        __local nn_tile_one *column =                                                             \
            (__local nn_tile_one *)((to) + NN_LARGE_AT(step, line)) + (place);                    \
        column[0] = NN_TILE_ROUND_ONE(four.x);                                                    \
        column[4 * (line)] = NN_TILE_ROUND_ONE(four.y);                                           \
        column[8 * (line)] = NN_TILE_ROUND_ONE(four.z);                                           \
        column[12 * (line)] = NN_TILE_ROUND_ONE(four.w);                                          \
    } else                                                                                         \
        (to)[NN_LARGE_AT(step, line) + (place) / 4] = NN_TILE_ROUND(four);

/* Zeroes the steps from `there` on, in both matrices, because 0 times NaN is not 0. */
#define NN_LARGE_CUT(four, deep, step, there)                                                      \
    if (deep) {                                                                                    \
        four.x = (step) + 0 < (there) ? four.x : 0.0f;                                             \
        four.y = (step) + 1 < (there) ? four.y : 0.0f;                                             \
        four.z = (step) + 2 < (there) ? four.z : 0.0f;                                             \
        four.w = (step) + 3 < (there) ? four.w : 0.0f;                                             \
    } else if ((step) >= (there))                                                                  \
        four = (float4)(0.0f);

/* The first of four steps, limited to the last that exist. It stays a multiple of four, because
   NVIDIA GPUs fault on a misaligned vector. */
#define NN_LARGE_FIRST(deep, step, there) min(step, (there) - ((deep) && NN_GEMM_VECTOR ? 4 : 1))

/* Row (or column) and step of the first number of the group of four q that a work-item fetches in
   each turn. If the matrix lies along k, neighbouring work-items take neighbouring steps of a row;
   else neighbouring rows of a step. */
#define NN_LARGE_FETCH_PLACE(deep, size, q)                                                        \
    ((deep) ? item / (NN_LARGE_STEPS / 4) + (q) * (1024 / NN_LARGE_STEPS) : item % ((size) / 4) * 4)
#define NN_LARGE_FETCH_STEP(deep, size, q)                                                         \
    ((deep) ? item % (NN_LARGE_STEPS / 4) * 4 : item / ((size) / 4) + (q) * (1024 / (size)))

/* Multiplies column c of group q with all rows, downwards or (back) upwards. The direction
   alternates, so that on NVIDIA the operand of a stays in the reuse cache from one column to the
   next, and an fma reads two registers instead of three. Checked in sm_90 code: NN_LARGE_TURNS is 0
   where it costs registers or causes bank conflicts. */
#define NN_LARGE_COLUMN(c, back)                                                                   \
    _Pragma("unroll") for (int h = 0; h < NN_LARGE_DOWN; h++) {                                    \
        const int i = back ? NN_LARGE_DOWN - 1 - h : h, top = back ? 3 : 0, down = back ? -1 : 1;  \
        const float4 v = back ? av[i].wzyx : av[i];                                                \
        sum[4 * i + top][q].c += v.x * bv[q].c;                                                    \
        sum[4 * i + top + down][q].c += v.y * bv[q].c;                                             \
        sum[4 * i + top + 2 * down][q].c += v.z * bv[q].c;                                         \
        sum[4 * i + top + 3 * down][q].c += v.w * bv[q].c;                                         \
    }

/* GPUs must unroll, because registers cannot be indexed. PoCL takes seconds to unroll. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define NN_LARGE_ALL
#else
#define NN_LARGE_ALL _Pragma("unroll")
#endif
/* The loops over a work-item's numbers of a row: number c of group q. NN_LARGE_NEAR is its column
   or, outside the matrix, the last one. */
#define NN_LARGE_EACH_SUM                                                                          \
    NN_LARGE_ALL for (int q = 0; q < NN_LARGE_ACROSS; q++)                                      \
        NN_LARGE_ALL for (int c = 0; c < 4; c++)
#define NN_LARGE_NEAR min(j0 + q * (4 * NN_LARGE_LANES_X) + tx * 4 + c, n - 1)

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
nn_gemm_large(NN_GEMM_ARGUMENTS NN_TILE_MOST) {
    __local nn_tile_four tiles[2 * (NN_LARGE_A_TURN + NN_LARGE_B_TURN)];
    const int item = (int)get_local_id(0), lane = item % NN_LARGE_SLICE,
              slice = item / NN_LARGE_SLICE;
    /* The 32 threads of a warp cover 8 x 4 work-items of the tile; neighbours lie below each other.
       An NVIDIA GPU reads local memory for a quarter of a warp at a time, or for two quarters if
       neighbours read the same four numbers (here of b), or every second thread does (here of
       a). */
    const int tx = (lane >> 1 & 7) + (lane >> 5) % (NN_LARGE_LANES_X / 8) * 8,
              ty = (lane & 1) + (lane >> 4 & 1) * 2 + (lane >> 5) / (NN_LARGE_LANES_X / 8) * 4;
    const int j0 = (int)get_group_id(0) * NN_LARGE_BROAD,
              i0 = (first + (int)get_group_id(1)) * NN_LARGE_HIGH;
    const bool fours = NN_GEMM_VECTOR && (n & 3) == 0 && (y_offset & 3) == 0;
    float4 sum[4 * NN_LARGE_DOWN][NN_LARGE_ACROSS];
    float4 a_next[NN_LARGE_A_EACH], b_next[NN_LARGE_B_EACH];
    const __global NN_GEMM_A_STORED *a_from[NN_LARGE_A_EACH];
    const __global NN_GEMM_B_STORED *b_from[NN_LARGE_B_EACH];
    int a_count[NN_LARGE_A_EACH], b_count[NN_LARGE_B_EACH];
    NN_GEMM_PLACE
    NN_TILE_SCALES
    const int begin = split * chunk, steps = min(k - begin, chunk);
    const int turns = (steps + NN_LARGE_STEPS - 1) / NN_LARGE_STEPS,
              there = steps - (turns - 1) * NN_LARGE_STEPS; /* steps of the first turn */
    const ulong a_far = (ulong)NN_LARGE_STEPS * a_step, b_far = (ulong)NN_LARGE_STEPS * b_step;
    (void)a_count; /* unused with vectors */
    (void)b_count;
#pragma unroll
    for (int q = 0; q < NN_LARGE_A_EACH; q++) {
        const int place = NN_LARGE_FETCH_PLACE(NN_GEMM_A_DEEP, NN_LARGE_HIGH, q),
                  step = NN_LARGE_FETCH_STEP(NN_GEMM_A_DEEP, NN_LARGE_HIGH, q),
                  from = NN_LARGE_FIRST(NN_GEMM_A_DEEP, step, there),
                  row = min(i0 + place, !NN_GEMM_A_DEEP && NN_GEMM_VECTOR ? m - 4 : m - 1);
        a_from[q] = a + (ulong)row * a_row + (ulong)begin * a_step;
        a_count[q] = NN_GEMM_A_DEEP ? 4 : min(4, m - row);
        a_next[q] = NN_TILE_SCALED(NN_GEMM_FOUR(A, a_from[q] + (ulong)from * a_step,
                                                 NN_GEMM_A_DEEP ? min(4, there - from)
                                                                : a_count[q]),
                                    a_scale);
        NN_LARGE_CUT(a_next[q], NN_GEMM_A_DEEP, step, there)
        NN_LARGE_PUT(tiles, NN_LARGE_A_LINE, a_next[q], NN_GEMM_A_DEEP, place, step)
        a_from[q] += (ulong)(there + step) * a_step;
    }
#pragma unroll
    for (int q = 0; q < NN_LARGE_B_EACH; q++) {
        const int place = NN_LARGE_FETCH_PLACE(NN_GEMM_B_DEEP, NN_LARGE_BROAD, q),
                  step = NN_LARGE_FETCH_STEP(NN_GEMM_B_DEEP, NN_LARGE_BROAD, q),
                  from = NN_LARGE_FIRST(NN_GEMM_B_DEEP, step, there),
                  column = min(j0 + place, !NN_GEMM_B_DEEP && NN_GEMM_VECTOR ? n - 4 : n - 1);
        b_from[q] = b + (ulong)column * b_column + (ulong)begin * b_step;
        b_count[q] = NN_GEMM_B_DEEP ? 4 : min(4, n - column);
        b_next[q] = NN_TILE_SCALED(NN_GEMM_FOUR(B, b_from[q] + (ulong)from * b_step,
                                                 NN_GEMM_B_DEEP ? min(4, there - from)
                                                                : b_count[q]),
                                    b_scale);
        NN_LARGE_CUT(b_next[q], NN_GEMM_B_DEEP, step, there)
        NN_LARGE_PUT((tiles + 2 * NN_LARGE_A_TURN), NN_LARGE_B_LINE, b_next[q], NN_GEMM_B_DEEP,
                    place, step)
        b_from[q] += (ulong)(there + step) * b_step;
    }
#pragma unroll
    for (int i = 0; i < 4 * NN_LARGE_DOWN; i++)
#pragma unroll
        for (int q = 0; q < NN_LARGE_ACROSS; q++) sum[i][q] = (float4)(0.0f);
    for (int turn = 0; turn < turns; turn++) {
        const int odd = turn & 1;
        const __local nn_tile_four *ap = tiles + odd * NN_LARGE_A_TURN +
                                   NN_LARGE_AT(slice * NN_LARGE_EACH, NN_LARGE_A_LINE) + ty,
                             *bp = tiles + 2 * NN_LARGE_A_TURN + odd * NN_LARGE_B_TURN +
                                   NN_LARGE_AT(slice * NN_LARGE_EACH, NN_LARGE_B_LINE) + tx;
        /* This turn is written and the last one is read. */
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (turn + 1 < turns) {
#pragma unroll
            for (int q = 0; q < NN_LARGE_A_EACH; q++) {
                a_next[q] = NN_GEMM_FOUR(A, a_from[q], a_count[q]);
                a_from[q] += a_far;
            }
#pragma unroll
            for (int q = 0; q < NN_LARGE_B_EACH; q++) {
                b_next[q] = NN_GEMM_FOUR(B, b_from[q], b_count[q]);
                b_from[q] += b_far;
            }
        }
        NN_TILE_PARTS(part, 4 * NN_LARGE_DOWN, NN_LARGE_ACROSS)
#pragma unroll 1
        for (int s = 0; s < NN_LARGE_EACH; s += NN_LARGE_UNROLL) {
#pragma unroll
            for (int u = 0; u < NN_LARGE_UNROLL; u++) {
                nn_tile_four bv[NN_LARGE_ACROSS];
#pragma unroll
                for (int q = 0; q < NN_LARGE_ACROSS; q++)
                    bv[q] = bp[u * NN_LARGE_B_LINE + q * NN_LARGE_LANES_X];
#if NN_LARGE_TURNS && !NN_HALF
                float4 av[NN_LARGE_DOWN];
#pragma unroll
                for (int i = 0; i < NN_LARGE_DOWN; i++)
                    av[i] = ap[u * NN_LARGE_A_LINE + i * NN_LARGE_LANES_Y];
#pragma unroll
                for (int q = 0; q < NN_LARGE_ACROSS; q++) {
                    NN_LARGE_COLUMN(x, 0)
                    NN_LARGE_COLUMN(y, 1)
                    NN_LARGE_COLUMN(z, 0)
                    NN_LARGE_COLUMN(w, 1)
                }
#else
#pragma unroll
                for (int i = 0; i < NN_LARGE_DOWN; i++) {
                    const nn_tile_four av = ap[u * NN_LARGE_A_LINE + i * NN_LARGE_LANES_Y];
#pragma unroll
                    for (int q = 0; q < NN_LARGE_ACROSS; q++) {
                        NN_TILE_ADD(NN_TILE_INTO(sum, part)[4 * i + 0][q], av.x, bv[q]);
                        NN_TILE_ADD(NN_TILE_INTO(sum, part)[4 * i + 1][q], av.y, bv[q]);
                        NN_TILE_ADD(NN_TILE_INTO(sum, part)[4 * i + 2][q], av.z, bv[q]);
                        NN_TILE_ADD(NN_TILE_INTO(sum, part)[4 * i + 3][q], av.w, bv[q]);
                    }
                }
#endif
            }
            ap += NN_LARGE_UNROLL * NN_LARGE_A_LINE;
            bp += NN_LARGE_UNROLL * NN_LARGE_B_LINE;
        }
        NN_TILE_SUM(sum, part, 4 * NN_LARGE_DOWN, NN_LARGE_ACROSS, unscale, unscale)
#if NN_HALF
#pragma unroll
        for (int q = 0; q < NN_LARGE_A_EACH; q++) a_next[q] *= a_scale;
#pragma unroll
        for (int q = 0; q < NN_LARGE_B_EACH; q++) b_next[q] *= b_scale;
#endif
        if (turn + 1 < turns) {
            __local nn_tile_four *at = tiles + (1 - odd) * NN_LARGE_A_TURN,
                           *bt = tiles + 2 * NN_LARGE_A_TURN + (1 - odd) * NN_LARGE_B_TURN;
#pragma unroll
            for (int q = 0; q < NN_LARGE_A_EACH; q++)
                NN_LARGE_PUT(at, NN_LARGE_A_LINE, a_next[q], NN_GEMM_A_DEEP,
                            NN_LARGE_FETCH_PLACE(NN_GEMM_A_DEEP, NN_LARGE_HIGH, q),
                            NN_LARGE_FETCH_STEP(NN_GEMM_A_DEEP, NN_LARGE_HIGH, q))
#pragma unroll
            for (int q = 0; q < NN_LARGE_B_EACH; q++)
                NN_LARGE_PUT(bt, NN_LARGE_B_LINE, b_next[q], NN_GEMM_B_DEEP,
                            NN_LARGE_FETCH_PLACE(NN_GEMM_B_DEEP, NN_LARGE_BROAD, q),
                            NN_LARGE_FETCH_STEP(NN_GEMM_B_DEEP, NN_LARGE_BROAD, q))
        }
    }
#if NN_LARGE_SLICES > 1
    /* Slice p finishes the rows from p OWN on. The other slices leave these rows in local memory,
       and slice p adds them in the order of the slices. Then the first rows of sum are its own.
       Numbers are moved one by one, because a float4 would tie the sums to registers in the bank of
       b's numbers. */
    __local float *const left = (__local float *)tiles;
#pragma unroll
    for (int p = 0; p < NN_LARGE_SLICES; p++) {
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (slice != p) {
            __local float *to = left + (slice - (slice > p ? 1 : 0)) * NN_LARGE_LEFT + lane;
#pragma unroll
            for (int i = 0; i < NN_LARGE_OWN; i++)
#pragma unroll
                for (int q = 0; q < NN_LARGE_ACROSS; q++, to += 4 * NN_LARGE_SLICE) {
                    to[0] = sum[p * NN_LARGE_OWN + i][q].x;
                    to[NN_LARGE_SLICE] = sum[p * NN_LARGE_OWN + i][q].y;
                    to[2 * NN_LARGE_SLICE] = sum[p * NN_LARGE_OWN + i][q].z;
                    to[3 * NN_LARGE_SLICE] = sum[p * NN_LARGE_OWN + i][q].w;
                }
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (slice == p) {
            const __local float *from = left + lane;
#pragma unroll
            for (int i = 0; i < NN_LARGE_OWN; i++)
#pragma unroll
                for (int q = 0; q < NN_LARGE_ACROSS; q++, from += 4 * NN_LARGE_SLICE) {
                    float4 all = sum[p * NN_LARGE_OWN + i][q];
#pragma unroll
                    for (int other = 0; other < NN_LARGE_SLICES - 1; other++) {
                        all.x += from[other * NN_LARGE_LEFT];
                        all.y += from[other * NN_LARGE_LEFT + NN_LARGE_SLICE];
                        all.z += from[other * NN_LARGE_LEFT + 2 * NN_LARGE_SLICE];
                        all.w += from[other * NN_LARGE_LEFT + 3 * NN_LARGE_SLICE];
                    }
                    sum[i][q] = all;
                }
        }
    }
#endif
    const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
    NN_LARGE_ALL
    for (int i = 0; i < NN_LARGE_OWN; i++) {
        const int part = slice * NN_LARGE_OWN + i,
                  row = i0 + part / 4 * (4 * NN_LARGE_LANES_Y) + ty * 4 + part % 4;
        float line[NN_LARGE_ACROSS][4];
        if (row >= m) continue;
        NN_LARGE_ALL
        for (int q = 0; q < NN_LARGE_ACROSS; q++) {
            line[q][0] = sum[i][q].x;
            line[q][1] = sum[i][q].y;
            line[q][2] = sum[i][q].z;
            line[q][3] = sum[i][q].w;
        }
        __global float *const to = y + (ulong)row * (ulong)n;
        /* A load must not pass a store. So all numbers that a row needs are read before the first
           one is stored; otherwise a work-item would wait for memory once for each number. */
        if (accumulate) {
            NN_LARGE_EACH_SUM line[q][c] += to[NN_LARGE_NEAR];
        }
        if (bias) {
            NN_LARGE_EACH_SUM line[q][c] += bias[bias_offset + (ulong)NN_LARGE_NEAR];
        }
#if NN_GEMM_RESIDUAL == 1 || NN_GEMM_RESIDUAL == 2
        NN_LARGE_EACH_SUM NN_GEMM_ADD_RESIDUAL(line[q][c], to + NN_LARGE_NEAR, 0)
#endif
        /* A NaN compares false, so it stays. */
        NN_LARGE_EACH_SUM line[q][c] = line[q][c] < least ? least : line[q][c];
        NN_LARGE_ALL
        for (int q = 0; q < NN_LARGE_ACROSS; q++) {
            const int column = j0 + q * (4 * NN_LARGE_LANES_X) + tx * 4;
            if (fours) {
                if (column < n)
                    *(__global float4 *)(to + column) =
                        (float4)(line[q][0], line[q][1], line[q][2], line[q][3]);
            } else {
                NN_LARGE_ALL
                for (int c = 0; c < 4; c++)
                    if (column + c < n) to[column + c] = line[q][c];
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* Other activations are long, so their code is not repeated for each sum. Four numbers are read
       together. */
#pragma unroll 1
    for (int i = 0; i < NN_LARGE_OWN * NN_LARGE_ACROSS; i++) {
        const int part = slice * NN_LARGE_OWN + i / NN_LARGE_ACROSS,
                  row = i0 + part / 4 * (4 * NN_LARGE_LANES_Y) + ty * 4 + part % 4,
                  column = j0 + i % NN_LARGE_ACROSS * (4 * NN_LARGE_LANES_X) + tx * 4;
        __global float *const to = y + ((ulong)row * (ulong)n + (ulong)column);
        float value[4], other[4];
        if (row >= m || column >= n) continue;
        NN_LARGE_ALL
        for (int c = 0; c < 4; c++) {
            value[c] = to[min(c, n - 1 - column)];
            other[c] = NN_GEMM_OTHER(to + min(c, n - 1 - column));
        }
        NN_LARGE_ALL
        for (int c = 0; c < 4; c++)
            if (column + c < n) to[c] = NN_GEMM_ACTIVATE(value[c], other[c]);
    }
}
#endif
