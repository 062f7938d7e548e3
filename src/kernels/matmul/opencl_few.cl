/* kernels/matmul/opencl_few.cl - matrix products on GPUs of which y has few numbers, or few rows or
   columns: what they take is the time to read one matrix, once. So work-items side by side read
   numbers side by side, many at a time, and a work-group has some steps of k for each of them.
   The arguments are those of kernels/matmul/opencl.cl.

   NN_GEMM_DOWN, NN_GEMM_ACROSS: rows and, where it is long, columns of y of a work-group. */
#ifndef NN_GEMM_DOWN
#define NN_GEMM_DOWN 4
#endif
#ifndef NN_GEMM_ACROSS
#define NN_GEMM_ACROSS 4
#endif
#define NN_GEMM_FEW 128 /* work-items */

/* ---- the larger matrix lies along k --------------------------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 6
#ifndef NN_GEMM_LONG /* work-items */
#define NN_GEMM_LONG 128
#endif
#define NN_GEMM_LONG_SUMS  (NN_GEMM_DOWN * NN_GEMM_ACROSS)
#define NN_GEMM_LINES      (NN_GEMM_LONG_SUMS < 8 ? NN_GEMM_LONG_SUMS : 8) /* added up at once */
#define NN_GEMM_LONG_PARTS (NN_GEMM_LONG / NN_GEMM_LINES)                /* who add one of them */
/* Steps that are asked for before the first is used: 16 loads or so. */
#define NN_GEMM_LONG_TURN                                                                          \
    (NN_GEMM_DOWN + NN_GEMM_ACROSS <= 5 ? 4 : NN_GEMM_DOWN + NN_GEMM_ACROSS <= 9 ? 2 : 1)

/* `turn` steps of a work-item, those of four numbers along k each, LONG of them apart. */
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

/* A matrix that does not lie along k is at most eight wide, and read whole all the same. Groups:
   tiles of columns, tiles of rows, splits. The sums of the work-items are added up eight numbers of
   y at a time: some work-items add a few each, one of them adds theirs. */
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
    for (int i = 0; i < NN_GEMM_DOWN; i++) /* what is too much is computed and not stored */
        ap[i] = a + (ulong)min(i0 + i, m - 1) * a_row;
#pragma unroll
    for (int j = 0; j < NN_GEMM_ACROSS; j++) bp[j] = b + (ulong)min(j0 + j, n - 1) * b_column;
#pragma unroll
    for (int q = 0; q < NN_GEMM_LONG_SUMS; q++) sum[q] = 0.0f;
#if NN_GEMM_VECTOR
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
                *to = nn_activate(activation, value);
            }
        }
    }
}
#endif

/* ---- at most eight rows, and b lies along its columns --------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 7
#define NN_GEMM_SLICES 4  /* of the steps: 32 work-items each */
#define NN_GEMM_THIN   64 /* columns of a work-group, two of a work-item */

/* A turn is 128 steps, whose numbers of a lie in local memory as [row][step]. A slice takes four
   steps in 16 at a time, and the steps of the last turn, which may be fewer, one in four. Groups:
   tiles of columns, tiles of rows, splits. */
__kernel __attribute__((reqd_work_group_size(NN_GEMM_FEW, 1, 1))) void
nn_gemm_thin(NN_GEMM_ARGUMENTS) {
    __local float4 at[NN_GEMM_DOWN * NN_GEMM_FEW / 4]; /* at the end sums of two slices */
    __local float *const places = (__local float *)at;
    const int item = (int)get_local_id(0), lane = item & 31, slice = item >> 5;
    const int j0 = (int)get_group_id(0) * NN_GEMM_THIN,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_DOWN;
    float left[NN_GEMM_DOWN], right[NN_GEMM_DOWN];
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
    const __global NN_GEMM_B_STORED *bl = b + (ulong)min(j0 + lane, n - 1) * b_column,
                                    *br = b + (ulong)min(j0 + lane + 32, n - 1) * b_column;
#pragma unroll
    for (int i = 0; i < NN_GEMM_DOWN; i++) left[i] = right[i] = 0.0f;
    for (int l0 = split * chunk; l0 < end; l0 += NN_GEMM_FEW) {
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* the last turn was read */
        if (l0 + item < end)
#pragma unroll
            for (int i = 0; i < NN_GEMM_DOWN; i++)
                places[i * NN_GEMM_FEW + item] = NN_GEMM_A_AT(a, (ulong)min(i0 + i, m - 1) * a_row +
                                                                     (ulong)(l0 + item) * a_step);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (l0 + NN_GEMM_FEW <= end) {
            ulong from = (ulong)(l0 + slice * 4) * b_step;
#pragma unroll 2
            for (int u = 0; u < NN_GEMM_FEW / 4; u += NN_GEMM_SLICES) {
                const float4 l4 = (float4)(NN_GEMM_B_AT(bl, from), NN_GEMM_B_AT(bl, from + b_step),
                                           NN_GEMM_B_AT(bl, from + 2ul * b_step),
                                           NN_GEMM_B_AT(bl, from + 3ul * b_step)),
                             r4 = (float4)(NN_GEMM_B_AT(br, from), NN_GEMM_B_AT(br, from + b_step),
                                           NN_GEMM_B_AT(br, from + 2ul * b_step),
                                           NN_GEMM_B_AT(br, from + 3ul * b_step));
#pragma unroll
                for (int i = 0; i < NN_GEMM_DOWN; i++) {
                    const float4 a4 = at[i * (NN_GEMM_FEW / 4) + u + slice];
                    left[i] += a4.x * l4.x;
                    right[i] += a4.x * r4.x;
                    left[i] += a4.y * l4.y;
                    right[i] += a4.y * r4.y;
                    left[i] += a4.z * l4.z;
                    right[i] += a4.z * r4.z;
                    left[i] += a4.w * l4.w;
                    right[i] += a4.w * r4.w;
                }
                from += 4ul * NN_GEMM_SLICES * b_step;
            }
        } else
            for (int l = l0 + slice; l < end; l += NN_GEMM_SLICES) {
                const float l1 = NN_GEMM_B_AT(bl, (ulong)l * b_step),
                            r1 = NN_GEMM_B_AT(br, (ulong)l * b_step);
#pragma unroll
                for (int i = 0; i < NN_GEMM_DOWN; i++) {
                    const float value = places[i * NN_GEMM_FEW + (l - l0)];
                    left[i] += value * l1;
                    right[i] += value * r1;
                }
            }
    }
    /* Slices 2 and 3 to 0 and 1, then both to whoever stores. */
#pragma unroll
    for (int turn = 2; turn >= 0; turn -= 2) {
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (turn ? slice >= 2 : slice < 2)
#pragma unroll
            for (int i = 0; i < NN_GEMM_DOWN; i++) {
                __local float *to = places + ((slice - turn) * NN_GEMM_DOWN + i) * NN_GEMM_THIN;
                to[lane] = left[i];
                to[lane + 32] = right[i];
            }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        if (turn && slice < 2)
#pragma unroll
            for (int i = 0; i < NN_GEMM_DOWN; i++) {
                const __local float *from = places + (slice * NN_GEMM_DOWN + i) * NN_GEMM_THIN;
                left[i] += from[lane];
                right[i] += from[lane + 32];
            }
    }
#pragma unroll 1
    for (int q = item; q < NN_GEMM_DOWN * NN_GEMM_THIN; q += NN_GEMM_FEW) {
        const int i = i0 + q / NN_GEMM_THIN, j = j0 + q % NN_GEMM_THIN;
        if (i < m && j < n) {
            __global float *to = y + (ulong)i * (ulong)n + (ulong)j;
            float value = places[q] + places[NN_GEMM_DOWN * NN_GEMM_THIN + q];
            if (accumulate) value += *to;
            if (bias) value += bias[bias_offset + (ulong)j];
            *to = nn_activate(activation, value);
        }
    }
}
#undef NN_GEMM_SLICES
#undef NN_GEMM_THIN
#endif
#undef NN_GEMM_FEW
