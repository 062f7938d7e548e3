/* kernels/matmul/opencl_few.cl - matrix products on GPUs where y is small, or has few rows or
   columns. Their time is that of reading the larger matrix once. So neighbouring work-items read
   neighbouring numbers, each keeps many loads in flight, and the steps of k are shared out inside a
   work-group. The arguments are those of kernels/matmul/opencl.cl.

   NN_GEMM_DOWN: rows of y per work-group. NN_GEMM_ACROSS: its columns, in nn_gemm_long. */
#ifndef NN_GEMM_DOWN
#define NN_GEMM_DOWN 4
#endif
#ifndef NN_GEMM_ACROSS
#define NN_GEMM_ACROSS 4
#endif

/* ---- the larger matrix lies along k --------------------------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 6
#ifndef NN_GEMM_LONG /* work-items per group */
#define NN_GEMM_LONG 128
#endif
#define NN_GEMM_LONG_SUMS  (NN_GEMM_DOWN * NN_GEMM_ACROSS)
/* sums that are reduced at once */
#define NN_GEMM_LINES      (NN_GEMM_LONG_SUMS < 8 ? NN_GEMM_LONG_SUMS : 8)
#define NN_GEMM_LONG_PARTS (NN_GEMM_LONG / NN_GEMM_LINES) /* work-items that reduce one sum */
/* Steps that are loaded before the first is used, for about 16 loads in flight. */
#define NN_GEMM_LONG_TURN                                                                          \
    (NN_GEMM_DOWN + NN_GEMM_ACROSS <= 5 ? 4 : NN_GEMM_DOWN + NN_GEMM_ACROSS <= 9 ? 2 : 1)

/* `turn` steps of a work-item. Each step is four numbers along k; steps are LONG fours apart. */
#define NN_GEMM_LONG_FOURS(turn)                                                                   \
    {                                                                                              \
        float4 left[turn][NN_GEMM_DOWN], right[turn][NN_GEMM_ACROSS];                              \
        _Pragma("unroll") for (int t = 0; t < turn; t++) {                                         \
            _Pragma("unroll") for (int i = 0; i < NN_GEMM_DOWN; i++) left[t][i] =                  \
                NN_GEMM_FOUR_A(ap[i] + (l + t * 4 * NN_GEMM_LONG));                                \
            _Pragma("unroll") for (int j = 0; j < NN_GEMM_ACROSS; j++) right[t][j] =               \
                NN_GEMM_FOUR_B(bp[j] + (l + t * 4 * NN_GEMM_LONG));                                \
        }                                                                                          \
        _Pragma("unroll") for (int t = 0; t < turn; t++)                                           \
            _Pragma("unroll") for (int q = 0; q < NN_GEMM_LONG_SUMS; q++) {                        \
            const float4 u = left[t][q / NN_GEMM_ACROSS], v = right[t][q % NN_GEMM_ACROSS];        \
            sum[q] += u.x * v.x;                                                                   \
            sum[q] += u.y * v.y;                                                                   \
            sum[q] += u.z * v.z;                                                                   \
            sum[q] += u.w * v.w;                                                                   \
        }                                                                                          \
    }

/* A matrix that does not lie along k is at most eight wide, so its cache lines are used completely
   all the same. Groups: tiles of columns, tiles of rows, splits. The sums of the work-items are
   reduced eight numbers of y at a time: first several work-items add a few terms each, then one
   adds their results. */
__kernel __attribute__((reqd_work_group_size(NN_GEMM_LONG, 1, 1))) void
nn_gemm_long(NN_GEMM_ARGUMENTS) {
    __local float lines[NN_GEMM_LINES][NN_GEMM_LONG], parts[NN_GEMM_LONG];
    const int item = (int)get_local_id(0), j0 = (int)get_group_id(0) * NN_GEMM_ACROSS,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_DOWN;
    const __global NN_GEMM_A_STORED *ap[NN_GEMM_DOWN];
    const __global NN_GEMM_B_STORED *bp[NN_GEMM_ACROSS];
    float sum[NN_GEMM_LONG_SUMS];
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
#pragma unroll
    for (int i = 0; i < NN_GEMM_DOWN; i++) /* rows beyond the last are computed and not stored */
        ap[i] = a + (ulong)min(i0 + i, m - 1) * a_row;
#pragma unroll
    for (int j = 0; j < NN_GEMM_ACROSS; j++) bp[j] = b + (ulong)min(j0 + j, n - 1) * b_column;
#pragma unroll
    for (int q = 0; q < NN_GEMM_LONG_SUMS; q++) sum[q] = 0.0f;
#if NN_GEMM_VECTOR
    (void)a_step, (void)b_step; /* both are 1 */
    {
        int l = split * chunk + item * 4;
        for (; l + (NN_GEMM_LONG_TURN - 1) * 4 * NN_GEMM_LONG < end;
             l += NN_GEMM_LONG_TURN * 4 * NN_GEMM_LONG)
            NN_GEMM_LONG_FOURS(NN_GEMM_LONG_TURN)
        for (; l < end; l += 4 * NN_GEMM_LONG) NN_GEMM_LONG_FOURS(1)
    }
#else
    ulong a_at = (ulong)(split * chunk + item) * a_step,
          b_at = (ulong)(split * chunk + item) * b_step;
#pragma unroll 2
    for (int l = split * chunk + item; l < end; l += NN_GEMM_LONG) {
        float left[NN_GEMM_DOWN], right[NN_GEMM_ACROSS];
#pragma unroll
        for (int i = 0; i < NN_GEMM_DOWN; i++) left[i] = NN_GEMM_A_AT(ap[i], a_at);
#pragma unroll
        for (int j = 0; j < NN_GEMM_ACROSS; j++) right[j] = NN_GEMM_B_AT(bp[j], b_at);
#pragma unroll
        for (int q = 0; q < NN_GEMM_LONG_SUMS; q++)
            sum[q] += left[q / NN_GEMM_ACROSS] * right[q % NN_GEMM_ACROSS];
        a_at += (ulong)NN_GEMM_LONG * a_step;
        b_at += (ulong)NN_GEMM_LONG * b_step;
    }
#endif
#pragma unroll
    for (int q0 = 0; q0 < NN_GEMM_LONG_SUMS; q0 += NN_GEMM_LINES) {
        const int line = item / NN_GEMM_LONG_PARTS, part = item % NN_GEMM_LONG_PARTS;
        float few = 0.0f;
#pragma unroll
        for (int q = 0; q < NN_GEMM_LINES; q++) lines[q][item] = sum[q0 + q];
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int s = 0; s < NN_GEMM_LINES; s++) few += lines[line][s * NN_GEMM_LONG_PARTS + part];
        parts[item] = few;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (item < NN_GEMM_LINES) {
            const int i = i0 + (q0 + item) / NN_GEMM_ACROSS, j = j0 + (q0 + item) % NN_GEMM_ACROSS;
            float value = 0.0f;
#pragma unroll 8
            for (int s = 0; s < NN_GEMM_LONG_PARTS; s++)
                value += parts[item * NN_GEMM_LONG_PARTS + s];
            if (i < m && j < n) {
                __global float *to = y + (ulong)i * (ulong)n + (ulong)j;
                if (accumulate) value += *to;
                if (bias) value += bias[bias_offset + (ulong)j];
                NN_GEMM_ADD_RESIDUAL(value, to, 0)
                *to = NN_GEMM_ACTIVATE(value, NN_GEMM_OTHER(to));
            }
        }
    }
}
#endif

/* ---- at most eight rows, and b lies along its columns --------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 7
#define NN_GEMM_THIN 128 /* columns per work-group: four per lane of a slice */
#define NN_GEMM_TURN 512 /* steps of k per turn */

/* Loads eight steps of a work-item's columns, from step l on. Steps beyond the end are not used. */
#if NN_GEMM_VECTOR
#define NN_GEMM_THIN_FOUR NN_GEMM_FOUR_B(b0 + from)
#else
#define NN_GEMM_THIN_FOUR                                                                          \
    (float4)(NN_GEMM_B_AT(b0, from), NN_GEMM_B_AT(b1, from), NN_GEMM_B_AT(b2, from),               \
             NN_GEMM_B_AT(b3, from))
#endif
#define NN_GEMM_THIN_FETCH                                                                         \
    NN_GEMM_UNROLL for (int u = 0; u < 8; u++) {                                                   \
        const ulong from = (ulong)min(l + u, end - 1) * b_step;                                    \
        v[u] = NN_GEMM_THIN_FOUR;                                                                  \
    }

/* The numbers of a for one turn lie in local memory as [row][step]. Each of the four slices of 32
   work-items takes eight steps of every 32, and starts its next loads before it waits for the
   others. Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
nn_gemm_thin(NN_GEMM_ARGUMENTS, __global float *pieces, ulong pieces_offset,
             volatile __global uint *turns) {
    __local float4 room[NN_GEMM_DOWN * NN_GEMM_TURN / 4]; /* finally: the slices' sums */
    __local float *const places = (__local float *)room;
    NN_GEMM_LAST
    const int item = (int)get_local_id(0), lane = item & 31, slice = item >> 5;
    const int j0 = (int)get_group_id(0) * NN_GEMM_THIN,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_DOWN;
    float4 sum[NN_GEMM_DOWN], v[8], whole[(NN_GEMM_DOWN + 3) / 4];
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
#if NN_GEMM_VECTOR
    const __global NN_GEMM_B_STORED *b0 = b + min(j0 + 4 * lane, n - 4);
    (void)b_column; /* it is 1 */
#else
    const __global NN_GEMM_B_STORED *b0 = b + (ulong)min(j0 + lane, n - 1) * b_column,
                                    *b1 = b + (ulong)min(j0 + lane + 32, n - 1) * b_column,
                                    *b2 = b + (ulong)min(j0 + lane + 64, n - 1) * b_column,
                                    *b3 = b + (ulong)min(j0 + lane + 96, n - 1) * b_column;
#endif
    NN_GEMM_UNROLL
    for (int i = 0; i < NN_GEMM_DOWN; i++) sum[i] = (float4)(0.0f);
    int l = split * chunk + slice * 8; /* the first step of those in v, or to be loaded next */
    NN_GEMM_THIN_FETCH
    for (int l0 = split * chunk; l0 < end; l0 += NN_GEMM_TURN) {
        const int steps = min(NN_GEMM_TURN, end - l0);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads of the last turn are done */
        NN_GEMM_UNROLL
        for (int i = 0; i < NN_GEMM_DOWN; i++)
            for (int s = item; s < steps; s += 128)
                places[i * NN_GEMM_TURN + s] =
                    NN_GEMM_A_AT(a, (ulong)min(i0 + i, m - 1) * a_row + (ulong)(l0 + s) * a_step);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (int s = slice * 8; s < steps; s += 32) {
            const int there = steps - s;
            if (there >= 8) {
                NN_GEMM_UNROLL
                for (int i = 0; i < NN_GEMM_DOWN; i++) {
                    const float4 p = room[(i * NN_GEMM_TURN + s) / 4],
                                 q = room[(i * NN_GEMM_TURN + s) / 4 + 1];
                    sum[i] += p.x * v[0];
                    sum[i] += p.y * v[1];
                    sum[i] += p.z * v[2];
                    sum[i] += p.w * v[3];
                    sum[i] += q.x * v[4];
                    sum[i] += q.y * v[5];
                    sum[i] += q.z * v[6];
                    sum[i] += q.w * v[7];
                }
            } else {
                NN_GEMM_UNROLL
                for (int i = 0; i < NN_GEMM_DOWN; i++)
                    NN_GEMM_UNROLL
                    for (int u = 0; u < 7; u++)
                        if (u < there) sum[i] += places[i * NN_GEMM_TURN + s + u] * v[u];
            }
            l += 32;
            NN_GEMM_THIN_FETCH
        }
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
    NN_GEMM_UNROLL
    for (int i = 0; i < NN_GEMM_DOWN; i++) {
#if NN_GEMM_VECTOR
        room[(slice * NN_GEMM_DOWN + i) * 32 + lane] = sum[i];
#else
        __local float *to = places + (slice * NN_GEMM_DOWN + i) * NN_GEMM_THIN + lane;
        to[0] = sum[i].x;
        to[32] = sum[i].y;
        to[64] = sum[i].z;
        to[96] = sum[i].w;
#endif
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    NN_GEMM_UNROLL
    for (int h = 0; h < (NN_GEMM_DOWN + 3) / 4; h++) {
        const __local float4 *from = room + min(slice + 4 * h, NN_GEMM_DOWN - 1) * 32 + lane;
        whole[h] = from[0] + from[NN_GEMM_DOWN * 32] + from[NN_GEMM_DOWN * 64] +
                   from[NN_GEMM_DOWN * 96];
    }
    NN_GEMM_END((NN_GEMM_DOWN + 3) / 4, i0 + slice, 4, min(m, i0 + NN_GEMM_DOWN), j0 + 4 * lane)
}
#undef NN_GEMM_THIN
#undef NN_GEMM_TURN
#endif

/* ---- k has few steps: the time is that of writing y ----------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 9
#define NN_GEMM_THIN 128 /* columns per work-group, which has 32 rows: a work-item has 4 x 8 */

/* Groups: tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void
nn_gemm_outer(NN_GEMM_ARGUMENTS, __global float *pieces, ulong pieces_offset,
              volatile __global uint *turns) {
    NN_GEMM_LAST
    const int item = (int)get_local_id(0);
    const int j0 = (int)get_group_id(0) * NN_GEMM_THIN + (item & 31) * 4,
              i0 = (first + (int)get_group_id(1)) * 32 + (item >> 5);
    float4 whole[8];
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
    (void)b_column; /* 1 in the vector variant */
    NN_GEMM_UNROLL
    for (int h = 0; h < 8; h++) whole[h] = (float4)(0.0f);
    for (int l = split * chunk; l < end; l++) {
#if NN_GEMM_VECTOR
        const float4 v = NN_GEMM_FOUR_B(b + ((ulong)l * b_step + (ulong)min(j0, n - 4)));
#else
        const __global NN_GEMM_B_STORED *from = b + (ulong)l * b_step;
        const float4 v = (float4)(NN_GEMM_B_AT(from, (ulong)min(j0, n - 1) * b_column),
                                  NN_GEMM_B_AT(from, (ulong)min(j0 + 1, n - 1) * b_column),
                                  NN_GEMM_B_AT(from, (ulong)min(j0 + 2, n - 1) * b_column),
                                  NN_GEMM_B_AT(from, (ulong)min(j0 + 3, n - 1) * b_column));
#endif
        NN_GEMM_UNROLL
        for (int h = 0; h < 8; h++)
            whole[h] += NN_GEMM_A_AT(a, (ulong)min(i0 + 4 * h, m - 1) * a_row + (ulong)l * a_step) *
                        v;
    }
    NN_GEMM_END(8, i0, 4, m, j0)
}
#undef NN_GEMM_THIN
#endif
