/* kernels/matmul/opencl_large.cl - large matrix products on GPUs: a tile of 128 by 128 of y a
   work-group of 256, 8 by 8 a work-item.

   A step of 8 along k lies in local memory twice: while the work-items multiply one, they fetch the
   next into registers and put it into the other, so one barrier a step is enough. Each of them has
   the rows 4 ty to 4 ty + 3 of both halves of the tile, and such columns: what a vector of threads
   reads from local memory then lies side by side. Rows and columns beyond the matrices are fetched
   again from the last ones rather than asked for, as nobody writes their results; only steps
   beyond the end of k are zeros.

   NN_GEMM_A_DEEP, NN_GEMM_B_DEEP: 1 if the matrix lies along k. NN_GEMM_VECTOR: 1 if four numbers
   that lie together begin at a multiple of four and are all inside or all outside. */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 5
#ifndef NN_GEMM_A_DEEP
#define NN_GEMM_A_DEEP 1
#endif
#ifndef NN_GEMM_B_DEEP
#define NN_GEMM_B_DEEP 0
#endif
#define NN_GEMM_LARGE  128
#define NN_GEMM_STEPS 8
#define NN_GEMM_LINE  (NN_GEMM_LARGE / 4 + 1) /* a step of local memory, in float4 */

/* One number of a tile: to(step, place). */
#define NN_GEMM_LOCAL(to, step, place) ((__local float *)(to + (step)*NN_GEMM_LINE))[place]

/* Puts what a work-item fetched into local memory; rows of a matrix along k are turned. */
#define NN_GEMM_PUT(to, four, deep, place, step)                                                   \
    if (deep) {                                                                                    \
        NN_GEMM_LOCAL(to, (step) + 0, place) = four.x;                                             \
        NN_GEMM_LOCAL(to, (step) + 1, place) = four.y;                                             \
        NN_GEMM_LOCAL(to, (step) + 2, place) = four.z;                                             \
        NN_GEMM_LOCAL(to, (step) + 3, place) = four.w;                                             \
    } else                                                                                         \
        to[(step)*NN_GEMM_LINE + (place) / 4] = four;

/* The last steps of k, of which `there` are: zeros from there on, in both matrices, for a zero
   times what is not a number is none. */
#define NN_GEMM_CUT(four, deep, step, there)                                                       \
    if (deep) {                                                                                    \
        four.x = (step) + 0 < (there) ? four.x : 0.0f;                                             \
        four.y = (step) + 1 < (there) ? four.y : 0.0f;                                             \
        four.z = (step) + 2 < (there) ? four.z : 0.0f;                                             \
        four.w = (step) + 3 < (there) ? four.w : 0.0f;                                             \
    } else if ((step) >= (there))                                                                  \
        four = (float4)(0.0f);

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void nn_gemm_large(NN_GEMM_ARGUMENTS) {
    __local float4 at[2 * NN_GEMM_STEPS * NN_GEMM_LINE], bt[2 * NN_GEMM_STEPS * NN_GEMM_LINE];
    const int item = (int)get_local_id(0);
    /* 8 by 4 items of a vector of 32 threads lie together in the tile. */
    const int tx = (item & 7) + ((item >> 5) & 1) * 8, ty = ((item >> 3) & 3) + (item >> 6) * 4;
    const int j0 = (int)get_group_id(0) * NN_GEMM_LARGE,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_LARGE;
    /* What this work-item fetches of each step: (place, step) of its first number. */
    const int a_place = NN_GEMM_A_DEEP ? item >> 1 : (item & 31) * 4,
              a_deep = NN_GEMM_A_DEEP ? (item & 1) * 4 : item >> 5;
    const int b_place = NN_GEMM_B_DEEP ? item >> 1 : (item & 31) * 4,
              b_deep = NN_GEMM_B_DEEP ? (item & 1) * 4 : item >> 5;
    float4 sum[8][2], a_next, b_next;
    NN_GEMM_PLACE
    const int begin = split * chunk, steps = min(k - begin, chunk);
    const int turns = (steps + NN_GEMM_STEPS - 1) / NN_GEMM_STEPS,
              there = steps - (turns - 1) * NN_GEMM_STEPS; /* steps of the first turn */
    const int ai = min(i0 + a_place, !NN_GEMM_A_DEEP && NN_GEMM_VECTOR ? m - 4 : m - 1),
              bj = min(j0 + b_place, !NN_GEMM_B_DEEP && NN_GEMM_VECTOR ? n - 4 : n - 1);
    const int a_count = NN_GEMM_A_DEEP ? 4 : min(4, m - ai),
              b_count = NN_GEMM_B_DEEP ? 4 : min(4, n - bj);
    (void)a_count; /* with vectors */
    (void)b_count;
    const ulong a_far = (ulong)NN_GEMM_STEPS * a_step, b_far = (ulong)NN_GEMM_STEPS * b_step;
    a += (ulong)ai * a_row + (ulong)begin * a_step;
    b += (ulong)bj * b_column + (ulong)begin * b_step;
    {
        /* Never from between two vectors: NVIDIA's GPUs stop at one that is out of step. */
        const int a_first = min(a_deep, there - (NN_GEMM_A_DEEP && NN_GEMM_VECTOR ? 4 : 1)),
                  b_first = min(b_deep, there - (NN_GEMM_B_DEEP && NN_GEMM_VECTOR ? 4 : 1));
        a_next = NN_GEMM_FOUR(A, a + (ulong)a_first * a_step,
                              NN_GEMM_A_DEEP ? min(4, there - a_first) : a_count);
        b_next = NN_GEMM_FOUR(B, b + (ulong)b_first * b_step,
                              NN_GEMM_B_DEEP ? min(4, there - b_first) : b_count);
        NN_GEMM_CUT(a_next, NN_GEMM_A_DEEP, a_deep, there)
        NN_GEMM_CUT(b_next, NN_GEMM_B_DEEP, b_deep, there)
        NN_GEMM_PUT(at, a_next, NN_GEMM_A_DEEP, a_place, a_deep)
        NN_GEMM_PUT(bt, b_next, NN_GEMM_B_DEEP, b_place, b_deep)
    }
    a += (ulong)(there + a_deep) * a_step;
    b += (ulong)(there + b_deep) * b_step;
#pragma unroll
    for (int i = 0; i < 8; i++) sum[i][0] = sum[i][1] = (float4)(0.0f);
    for (int turn = 0; turn < turns; turn++) {
        const int here = (turn & 1) * (NN_GEMM_STEPS * NN_GEMM_LINE),
                  next = NN_GEMM_STEPS * NN_GEMM_LINE - here;
        const __local float4 *ap = at + here + ty, *bp = bt + here + tx;
        /* All have written this turn, and read the one before it. */
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (turn + 1 < turns) {
            a_next = NN_GEMM_FOUR(A, a, a_count);
            b_next = NN_GEMM_FOUR(B, b, b_count);
            a += a_far;
            b += b_far;
        }
#pragma unroll 4
        for (int s = 0; s < NN_GEMM_STEPS; s++)
            NN_TILE_STEP(sum, ap + s * NN_GEMM_LINE, 16, bp + s * NN_GEMM_LINE, 16)
        if (turn + 1 < turns) {
            NN_GEMM_PUT((at + next), a_next, NN_GEMM_A_DEEP, a_place, a_deep)
            NN_GEMM_PUT((bt + next), b_next, NN_GEMM_B_DEEP, b_place, b_deep)
        }
    }
    const float least = activation == NN_ACTIVATION_RELU ? 0.0f : -INFINITY;
/* GPUs need it, for registers have no index; PoCL's compiler takes seconds for it. */
#ifndef POCL_DEVICE_ADDRESS_BITS
#pragma unroll
#endif
    for (int i = 0; i < 8; i++) {
        const int row = i0 + (i / 4) * 64 + ty * 4 + i % 4;
        const float line[8] = {sum[i][0].x, sum[i][0].y, sum[i][0].z, sum[i][0].w,
                               sum[i][1].x, sum[i][1].y, sum[i][1].z, sum[i][1].w};
        __global float *to = y + (ulong)row * (ulong)n + (ulong)(j0 + tx * 4);
        if (row >= m) continue;
#pragma unroll
        for (int q = 0; q < 8; q++) {
            const int at_column = (q / 4) * 64 + q % 4;
            if (j0 + tx * 4 + at_column < n) {
                float value = line[q];
                if (accumulate) value += to[at_column];
                if (bias) value += bias[bias_offset + (ulong)(j0 + tx * 4 + at_column)];
                to[at_column] = value < least ? least : value; /* a NaN stays */
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* The others need hundreds of instructions, once here and not 64 times above. */
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
        const int row = i0 + (i / 32) * 64 + ty * 4 + i / 8 % 4,
                  column = j0 + (i / 4 % 2) * 64 + tx * 4 + i % 4;
        if (row < m && column < n) {
            __global float *to = y + (ulong)row * (ulong)n + (ulong)column;
            *to = nn_activate(activation, *to);
        }
    }
}
#endif
