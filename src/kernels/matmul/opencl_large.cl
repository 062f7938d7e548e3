/* kernels/matmul/opencl_large.cl - matrix products on GPUs in tiles of y, a work-group of 256 each.

   A work-item has DOWN times four rows and ACROSS times four columns of the tile, each four of them
   as far from the next as the tile has parts: what a vector of threads reads from local memory then
   lies side by side. Where that needs fewer than 256 work-items, they stand in SLICES: each slice
   multiplies EACH of the steps of k in local memory, and in the end the slices exchange their sums,
   so that each of them finishes some rows of every four by four. So a small product fills its
   device without a second launch.

   A turn's steps of k lie in local memory twice: while the work-items multiply one, they fetch the
   next into registers and put it into the other, so one barrier a turn is enough. Rows and columns
   beyond the matrices are fetched again from the last ones rather than asked for, as nobody writes
   their results; only steps beyond the end of k are zeros.

   NN_GEMM_A_DEEP, NN_GEMM_B_DEEP: 1 if the matrix lies along k. NN_GEMM_VECTOR: 1 if four numbers
   that lie together begin at a multiple of four and are all inside or all outside. NN_GEMM_SHAPE:
   the tile, as kernels/matmul/opencl_large.c counts them. */
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
#define NN_LARGE_STEPS  (NN_LARGE_SLICES * NN_LARGE_EACH)  /* of k, in a turn */
#define NN_LARGE_LANES_X (NN_LARGE_BROAD / 4 / NN_LARGE_ACROSS) /* work-items of a slice, */
#define NN_LARGE_LANES_Y (NN_LARGE_HIGH / 4 / NN_LARGE_DOWN)    /* by columns and rows */
#define NN_LARGE_SLICE  (NN_LARGE_LANES_X * NN_LARGE_LANES_Y)
#define NN_LARGE_OWN    (4 * NN_LARGE_DOWN / NN_LARGE_SLICES) /* rows that a work-item finishes */
#define NN_LARGE_LEFT   (4 * NN_LARGE_OWN * NN_LARGE_ACROSS * NN_LARGE_SLICE) /* by a slice */
#define NN_LARGE_A_LINE (NN_LARGE_HIGH / 4 + 1) /* a step of local memory, in float4 */
#define NN_LARGE_B_LINE (NN_LARGE_BROAD / 4 + 1)
#define NN_LARGE_A_EACH (NN_LARGE_STEPS * NN_LARGE_HIGH / 1024) /* fours that a work-item fetches */
#define NN_LARGE_B_EACH (NN_LARGE_STEPS * NN_LARGE_BROAD / 1024)
/* Where a step begins. Matrices along k are turned on their way into local memory, four steps of
   a row by one work-item: the steps of a vector of threads then lie in different banks. */
#define NN_LARGE_AT(step, line) ((step) * (line) + ((step) >> 3 & 1) * 2 + ((step) >> 4 & 1))
#define NN_LARGE_A_TURN (NN_LARGE_STEPS * NN_LARGE_A_LINE + (NN_LARGE_STEPS > 8 ? 3 : 0))
#define NN_LARGE_B_TURN (NN_LARGE_STEPS * NN_LARGE_B_LINE + (NN_LARGE_STEPS > 8 ? 3 : 0))


/* Puts what a work-item fetched into local memory; rows of a matrix along k are turned. */
#define NN_LARGE_PUT(to, line, four, deep, place, step)                                            \
    if (deep) {                                                                                    \
        __local float *column = (__local float *)((to) + NN_LARGE_AT(step, line)) + (place);       \
        column[0] = four.x;                                                                        \
        column[4 * (line)] = four.y;                                                               \
        column[8 * (line)] = four.z;                                                               \
        column[12 * (line)] = four.w;                                                              \
    } else                                                                                         \
        (to)[NN_LARGE_AT(step, line) + (place) / 4] = four;

/* The last steps of k, of which `there` are: zeros from there on, in both matrices, for a zero
   times what is not a number is none. */
#define NN_LARGE_CUT(four, deep, step, there)                                                      \
    if (deep) {                                                                                    \
        four.x = (step) + 0 < (there) ? four.x : 0.0f;                                             \
        four.y = (step) + 1 < (there) ? four.y : 0.0f;                                             \
        four.z = (step) + 2 < (there) ? four.z : 0.0f;                                             \
        four.w = (step) + 3 < (there) ? four.w : 0.0f;                                             \
    } else if ((step) >= (there))                                                                  \
        four = (float4)(0.0f);

/* The first of four steps, or the last that are there; never from between two vectors, for NVIDIA's
   GPUs stop at one that is out of step. */
#define NN_LARGE_FIRST(deep, step, there) min(step, (there) - ((deep) && NN_GEMM_VECTOR ? 4 : 1))

/* Place and step of the first number of the fours q that a work-item fetches of each turn: of a
   matrix along k, steps of a row side by side; else, places of a step. */
#define NN_LARGE_FETCH_PLACE(deep, size, q)                                                        \
    ((deep) ? item / (NN_LARGE_STEPS / 4) + (q) * (1024 / NN_LARGE_STEPS) : item % ((size) / 4) * 4)
#define NN_LARGE_FETCH_STEP(deep, size, q)                                                         \
    ((deep) ? item % (NN_LARGE_STEPS / 4) * 4 : item / ((size) / 4) + (q) * (1024 / (size)))

/* A step of column c of the four q: down the rows, or up (back). In turn, so that NVIDIA's
   multiplier still has the number of a where one column follows another, and reads two registers,
   not three. Counted in sm_90's code: it takes registers or banks where NN_LARGE_TURNS is 0. */
#define NN_LARGE_COLUMN(c, back)                                                                   \
    _Pragma("unroll") for (int h = 0; h < NN_LARGE_DOWN; h++) {                                    \
        const int i = back ? NN_LARGE_DOWN - 1 - h : h, top = back ? 3 : 0, down = back ? -1 : 1;  \
        const float4 v = back ? av[i].wzyx : av[i];                                                \
        sum[4 * i + top][q].c += v.x * bv[q].c;                                                    \
        sum[4 * i + top + down][q].c += v.y * bv[q].c;                                             \
        sum[4 * i + top + 2 * down][q].c += v.z * bv[q].c;                                         \
        sum[4 * i + top + 3 * down][q].c += v.w * bv[q].c;                                         \
    }

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void nn_gemm_large(NN_GEMM_ARGUMENTS) {
    __local float4 tiles[2 * (NN_LARGE_A_TURN + NN_LARGE_B_TURN)];
    const int item = (int)get_local_id(0), lane = item % NN_LARGE_SLICE,
              slice = item / NN_LARGE_SLICE;
    /* 8 by 4 work-items of a vector of 32 threads lie together in the tile, neighbours below each
       other: NVIDIA's reads a quarter of a vector at a time, and two at once where neighbours read
       the same four numbers, here of b, or those next but one, here of a. */
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
    const int begin = split * chunk, steps = min(k - begin, chunk);
    const int turns = (steps + NN_LARGE_STEPS - 1) / NN_LARGE_STEPS,
              there = steps - (turns - 1) * NN_LARGE_STEPS; /* steps of the first turn */
    const ulong a_far = (ulong)NN_LARGE_STEPS * a_step, b_far = (ulong)NN_LARGE_STEPS * b_step;
    (void)a_count; /* with vectors */
    (void)b_count;
#pragma unroll
    for (int q = 0; q < NN_LARGE_A_EACH; q++) {
        const int place = NN_LARGE_FETCH_PLACE(NN_GEMM_A_DEEP, NN_LARGE_HIGH, q),
                  step = NN_LARGE_FETCH_STEP(NN_GEMM_A_DEEP, NN_LARGE_HIGH, q),
                  from = NN_LARGE_FIRST(NN_GEMM_A_DEEP, step, there),
                  row = min(i0 + place, !NN_GEMM_A_DEEP && NN_GEMM_VECTOR ? m - 4 : m - 1);
        a_from[q] = a + (ulong)row * a_row + (ulong)begin * a_step;
        a_count[q] = NN_GEMM_A_DEEP ? 4 : min(4, m - row);
        a_next[q] = NN_GEMM_FOUR(A, a_from[q] + (ulong)from * a_step,
                                 NN_GEMM_A_DEEP ? min(4, there - from) : a_count[q]);
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
        b_next[q] = NN_GEMM_FOUR(B, b_from[q] + (ulong)from * b_step,
                                 NN_GEMM_B_DEEP ? min(4, there - from) : b_count[q]);
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
        const __local float4 *ap = tiles + odd * NN_LARGE_A_TURN +
                                   NN_LARGE_AT(slice * NN_LARGE_EACH, NN_LARGE_A_LINE) + ty,
                             *bp = tiles + 2 * NN_LARGE_A_TURN + odd * NN_LARGE_B_TURN +
                                   NN_LARGE_AT(slice * NN_LARGE_EACH, NN_LARGE_B_LINE) + tx;
        /* All have written this turn, and read the one before it. */
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
#pragma unroll 1
        for (int s = 0; s < NN_LARGE_EACH; s += NN_LARGE_UNROLL) {
#pragma unroll
            for (int u = 0; u < NN_LARGE_UNROLL; u++) {
                float4 bv[NN_LARGE_ACROSS];
#pragma unroll
                for (int q = 0; q < NN_LARGE_ACROSS; q++)
                    bv[q] = bp[u * NN_LARGE_B_LINE + q * NN_LARGE_LANES_X];
#if NN_LARGE_TURNS
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
                    const float4 av = ap[u * NN_LARGE_A_LINE + i * NN_LARGE_LANES_Y];
#pragma unroll
                    for (int q = 0; q < NN_LARGE_ACROSS; q++) {
                        sum[4 * i + 0][q] += av.x * bv[q];
                        sum[4 * i + 1][q] += av.y * bv[q];
                        sum[4 * i + 2][q] += av.z * bv[q];
                        sum[4 * i + 3][q] += av.w * bv[q];
                    }
                }
#endif
            }
            ap += NN_LARGE_UNROLL * NN_LARGE_A_LINE;
            bp += NN_LARGE_UNROLL * NN_LARGE_B_LINE;
        }
        if (turn + 1 < turns) {
            __local float4 *at = tiles + (1 - odd) * NN_LARGE_A_TURN,
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
    /* Slice p finishes the rows from p OWN on: the others leave theirs in local memory, and it adds
       them in the order of slices. The first rows of sum are its own then. Numbers travel alone:
       fours would tie the sums to registers of the bank in which the numbers of b are. */
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
/* GPUs need it, for registers have no index; PoCL's compiler takes seconds for it. */
#ifndef POCL_DEVICE_ADDRESS_BITS
#pragma unroll
#endif
    for (int i = 0; i < NN_LARGE_OWN; i++) {
        const int part = slice * NN_LARGE_OWN + i,
                  row = i0 + part / 4 * (4 * NN_LARGE_LANES_Y) + ty * 4 + part % 4;
        if (row >= m) continue;
#pragma unroll
        for (int q = 0; q < NN_LARGE_ACROSS; q++) {
            const int column = j0 + q * (4 * NN_LARGE_LANES_X) + tx * 4;
            const float line[4] = {sum[i][q].x, sum[i][q].y, sum[i][q].z, sum[i][q].w};
            __global float *to = y + (ulong)row * (ulong)n + (ulong)column;
            if (fours && !accumulate && !bias) {
                /* What is not a number is not below the least, and stays. */
                const float4 all = sum[i][q], low = (float4)(least);
                if (column < n) *(__global float4 *)to = all < low ? low : all;
            } else {
#pragma unroll
                for (int c = 0; c < 4; c++)
                    if (column + c < n) {
                        float value = line[c];
                        if (accumulate) value += to[c];
                        if (bias) value += bias[bias_offset + (ulong)(column + c)];
                        to[c] = value < least ? least : value; /* a NaN stays */
                    }
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* The others need hundreds of instructions, once here and not for each sum above. */
#pragma unroll 1
    for (int i = 0; i < 4 * NN_LARGE_OWN * NN_LARGE_ACROSS; i++) {
        const int part = slice * NN_LARGE_OWN + i / 4 / NN_LARGE_ACROSS,
                  row = i0 + part / 4 * (4 * NN_LARGE_LANES_Y) + ty * 4 + part % 4,
                  column = j0 + i / 4 % NN_LARGE_ACROSS * (4 * NN_LARGE_LANES_X) + tx * 4 + i % 4;
        if (row < m && column < n) {
            __global float *to = y + (ulong)row * (ulong)n + (ulong)column;
            *to = nn_activate(activation, *to);
        }
    }
}
#endif
