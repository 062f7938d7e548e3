/* kernels/matmul/opencl.cl - matrix products: a plain kernel, a tiled kernel, and the sum of
   partial products.

   Both kernels have the same arguments. A launch computes a batch of products, from number
   `product` on. k is cut into `splits` pieces. The third group index counts the pieces of a
   product, then the products. y (m, n): element (i, j) of piece `split` of product `which` is
   y[(split products + which) m n + i n + j] and sums the terms [split chunk, (split + 1) chunk) of
   k. Element (i, l) of a is a[i a_row + l a_step], and element (l, j) of b is b[l b_step + j
   b_column], in the matrices that nn_gemm_matrices selects. first: the first tile of rows. No
   kernel relies on other work-groups of its launch, only on earlier launches.
   kernels/matmul/opencl.c chooses the kernel.

   NN_GEMM_ONLY selects the kernels of a program: 0 all, 1 small, 4 tiles, 5 large, 6 long, 7 thin,
   8 slices, 9 outer. */
#ifndef NN_GEMM_ONLY
#define NN_GEMM_ONLY 0
#endif
#ifndef NN_GEMM_GROUP /* a GPU work-group has NN_GEMM_GROUP x NN_GEMM_GROUP work-items */
#define NN_GEMM_GROUP 16
#endif
#ifndef NN_GEMM_HEIGHT /* rows per GPU work-item, a multiple of 4; it has 4 columns */
#define NN_GEMM_HEIGHT 4
#endif
#ifndef NN_GEMM_A_TYPE /* storage of a and b: 0 f32, 1 f16, 2 bf16, 3 i8 */
#define NN_GEMM_A_TYPE 0
#endif
#ifndef NN_GEMM_B_TYPE
#define NN_GEMM_B_TYPE 0
#endif

#ifndef NN_GEMM_Y_TYPE /* storage of y: 0 f32; plain, tiles and matrix units also 1 f16, 2 bf16 */
#define NN_GEMM_Y_TYPE 0
#endif
#define NN_GEMM_Y_AT  NN_STORED_AT(NN_GEMM_Y_TYPE)
#define NN_GEMM_Y_PUT NN_STORED_PUT(NN_GEMM_Y_TYPE)

/* The kernels have one more argument, the residual: 1: they add it; 2: they round to bf16 before;
   3, 4: they multiply by the derivative of gelu (3) or gelu_tanh (4) at the residual, whose type is
   NN_GEMM_R_TYPE. Then `activation` is NN_ACTIVATION_GELU. */
#ifndef NN_GEMM_RESIDUAL
#define NN_GEMM_RESIDUAL 0
#endif
#ifndef NN_GEMM_R_TYPE
#define NN_GEMM_R_TYPE 0
#endif
#define NN_GEMM_R_AT NN_STORED_AT(NN_GEMM_R_TYPE)
#if NN_GEMM_RESIDUAL == 2
#define NN_GEMM_ROUNDED(x) as_float((uint)nn_round_bf16(x) << 16)
#else
#define NN_GEMM_ROUNDED(x) (x)
#endif
#if NN_GEMM_RESIDUAL
#define NN_GEMM_MORE_ARGUMENTS                                                                     \
    , const __global NN_STORED(NN_GEMM_R_TYPE) *residual, ulong residual_offset
/* Moves the residual as far as a kernel has moved y. */
#define NN_GEMM_MORE_PLACE                                                                         \
    residual += residual_offset + (ulong)(product + which) * (ulong)m * (ulong)n;                  \
    const __global NN_STORED(NN_GEMM_Y_TYPE) *const y_start = y;
#else
#define NN_GEMM_MORE_ARGUMENTS
#define NN_GEMM_MORE_PLACE
#endif
/* NN_GEMM_ADD_RESIDUAL adds to `value` the number of the residual that belongs to number i from
   `to`. NN_GEMM_ACTIVATE computes the final number from `value` and from its number of the
   residual, which NN_GEMM_OTHER reads. */
#if NN_GEMM_RESIDUAL == 1 || NN_GEMM_RESIDUAL == 2
#define NN_GEMM_ADD_RESIDUAL(value, to, i)                                                         \
    value = NN_GEMM_ROUNDED(value) + residual[((to)-y_start) + (i)];
#else
#define NN_GEMM_ADD_RESIDUAL(value, to, i)
#endif
#if NN_GEMM_RESIDUAL > 2
#define NN_GEMM_OTHER_AT(i) NN_GEMM_R_AT(residual, i)
#define NN_GEMM_ACTIVATE(value, other) nn_gemm_times_slope(value, other)
#ifdef POCL_DEVICE_ADDRESS_BITS /* its functions of vectors, which programs call, differ a little */
#define NN_GEMM_EXP(value) exp((float4)(value)).x
#define NN_GEMM_ERF(value) erf((float4)(value)).x
#else
#define NN_GEMM_EXP exp
#define NN_GEMM_ERF erf
#endif
/* Rounds after each operation, in the order of the program that the planner would run otherwise. */
float nn_gemm_times_slope(float dy, float x) {
#pragma OPENCL FP_CONTRACT OFF
#if NN_GEMM_RESIDUAL == 3
    const float scaled = x * 0.707106769f, bell = NN_GEMM_EXP(-(scaled * scaled)),
                inner = dy * (0.5f * x) * 1.12837923f * bell * 0.707106769f,
                outer = dy * (1.0f + NN_GEMM_ERF(scaled)) * 0.5f;
    return inner + outer;
#else
    const float square = x * x, cube = square * x,
                s = 1.0f / (1.0f + NN_GEMM_EXP(-(1.59576917f * (x + 0.0447149985f * cube)))),
                slope = dy * x * (1.0f - s) * s * 1.59576917f, three = slope * 0.0447149985f,
                part = three * x * x;
    return dy * s + slope + three * square + part + part;
#endif
}
#else
#define NN_GEMM_OTHER_AT(i)            0.0f
#define NN_GEMM_ACTIVATE(value, other) nn_activate(activation, value)
#endif
#define NN_GEMM_OTHER(to) NN_GEMM_OTHER_AT((to)-y_start)

#define NN_GEMM_ARGUMENTS                                                                          \
    __global NN_STORED(NN_GEMM_Y_TYPE) *y, ulong y_offset,                                         \
        const __global NN_GEMM_A_STORED *a, ulong a_offset,                                        \
        const __global NN_GEMM_B_STORED *b, ulong b_offset, const __global float *bias,            \
        ulong bias_offset, int m, int n, int k, int chunk, uint a_row, uint a_step, uint b_step,   \
        uint b_column, int first, int accumulate, int activation, int splits, int product,         \
        int products, ulong a_matrix, ulong b_matrix, int4 batch, int4 a_batch, int4 b_batch     \
            NN_GEMM_MORE_ARGUMENTS

/* Moves y, a and b to this work-group's piece and matrices. */
#define NN_GEMM_PLACE                                                                              \
    const int which = (int)get_group_id(2) / splits,                                               \
              split = (int)get_group_id(2) - which * splits;                                       \
    const int2 matrices = nn_gemm_matrices(product + which, batch, a_batch, b_batch);              \
    a += a_offset + (ulong)matrices.x * a_matrix;                                                  \
    b += b_offset + (ulong)matrices.y * b_matrix;                                                  \
    y += y_offset + ((ulong)split * (ulong)products + (ulong)(product + which)) * (ulong)m *       \
                        (ulong)n;                                                              \
    NN_GEMM_MORE_PLACE

/* Loads one number. */
#if NN_GEMM_A_TYPE == 0
#define NN_GEMM_A_STORED    float
#define NN_GEMM_A_AT(p, i)  (p)[i]
#elif NN_GEMM_A_TYPE == 1
#define NN_GEMM_A_STORED    ushort
#define NN_GEMM_A_AT(p, i)  vload_half(i, (const __global half *)(p))
#elif NN_GEMM_A_TYPE == 2
#define NN_GEMM_A_STORED    ushort
#define NN_GEMM_A_AT(p, i)  as_float((uint)(p)[i] << 16)
#else
#define NN_GEMM_A_STORED    char
#define NN_GEMM_A_AT(p, i)  (float)(p)[i]
#endif
#if NN_GEMM_B_TYPE == 0
#define NN_GEMM_B_STORED    float
#define NN_GEMM_B_AT(p, i)  (p)[i]
#elif NN_GEMM_B_TYPE == 1
#define NN_GEMM_B_STORED    ushort
#define NN_GEMM_B_AT(p, i)  vload_half(i, (const __global half *)(p))
#elif NN_GEMM_B_TYPE == 2
#define NN_GEMM_B_STORED    ushort
#define NN_GEMM_B_AT(p, i)  as_float((uint)(p)[i] << 16)
#else
#define NN_GEMM_B_STORED    char
#define NN_GEMM_B_AT(p, i)  (float)(p)[i]
#endif


#ifndef NN_GEMM_VECTOR /* 1: four neighbours are aligned, and all or none of them are inside */
#define NN_GEMM_VECTOR 0
#endif
/* Loads four neighbours, of which the first `count` (at least one) exist. */
#if NN_GEMM_VECTOR
#define NN_GEMM_FOUR(AT, p, count) NN_GEMM_FOUR_##AT(p)
#else
#define NN_GEMM_FOUR(AT, p, count)                                                                 \
    (float4)(NN_GEMM_##AT##_AT(p, 0), NN_GEMM_##AT##_AT(p, min(1, (count)-1)),                     \
             NN_GEMM_##AT##_AT(p, min(2, (count)-1)), NN_GEMM_##AT##_AT(p, min(3, (count)-1)))
#endif
#if NN_GEMM_A_TYPE == 0
#define NN_GEMM_FOUR_A(p) *(const __global float4 *)(p)
#elif NN_GEMM_A_TYPE == 1
#define NN_GEMM_FOUR_A(p) vload_half4(0, (const __global half *)(p))
#elif NN_GEMM_A_TYPE == 2
#define NN_GEMM_FOUR_A(p) as_float4(convert_uint4(*(const __global ushort4 *)(p)) << 16)
#else
#define NN_GEMM_FOUR_A(p) convert_float4(*(const __global char4 *)(p))
#endif
#if NN_GEMM_B_TYPE == 0
#define NN_GEMM_FOUR_B(p) *(const __global float4 *)(p)
#elif NN_GEMM_B_TYPE == 1
#define NN_GEMM_FOUR_B(p) vload_half4(0, (const __global half *)(p))
#elif NN_GEMM_B_TYPE == 2
#define NN_GEMM_FOUR_B(p) as_float4(convert_uint4(*(const __global ushort4 *)(p)) << 16)
#else
#define NN_GEMM_FOUR_B(p) convert_float4(*(const __global char4 *)(p))
#endif

/* Returns the indices of the matrices of a (x) and b (y) of product `which` of a batch. */
int2 nn_gemm_matrices(int which, int4 batch, int4 a_batch, int4 b_batch) {
    int2 at = (int2)(0, 0);
    if (which == 0) return at;
    {
        const int i2 = which / batch.w, i1 = i2 / batch.z, i0 = i1 / batch.y;
        const int x = which - i2 * batch.w, z = i2 - i1 * batch.z, y = i1 - i0 * batch.y;
        at.x = i0 * a_batch.x + y * a_batch.y + z * a_batch.z + x * a_batch.w;
        at.y = i0 * b_batch.x + y * b_batch.y + z * b_batch.z + x * b_batch.w;
    }
    return at;
}

/* ---- small kernels -------------------------------------------------------------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 1

/* One work-item per element: n, m, splits x products. */
__kernel void nn_gemm_plain(NN_GEMM_ARGUMENTS) {
    const int j = (int)get_global_id(0), i = first + (int)get_global_id(1);
    float sum = 0.0f;
    if (j >= n || i >= m) return;
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
    a += (ulong)i * a_row;
    b += (ulong)j * b_column;
    y += (ulong)i * (ulong)n + (ulong)j;
    for (int l = split * chunk; l < end; l++)
        sum += NN_GEMM_A_AT(a, (ulong)l * a_step) * NN_GEMM_B_AT(b, (ulong)l * b_step);
    if (accumulate) sum += NN_GEMM_Y_AT(y, 0);
    if (bias) sum += bias[bias_offset + (ulong)j];
    NN_GEMM_ADD_RESIDUAL(sum, y, 0)
    NN_GEMM_Y_PUT(y, 0, NN_GEMM_ACTIVATE(sum, NN_GEMM_OTHER(y)));
}

/* y = epilogue(sum of the partial products, in order). With one split, partial may be y itself. */
__kernel void nn_gemm_finish(__global NN_STORED(NN_GEMM_Y_TYPE) *y, ulong y_offset,
                             const __global float *partial,
                             ulong partial_offset, const __global float *bias, ulong bias_offset,
                             ulong count, int n, int splits, int accumulate,
                             int activation NN_GEMM_MORE_ARGUMENTS) {
    const ulong i = get_global_id(0);
    float sum = 0.0f;
    if (i >= count) return;
    int split = 0;
    for (; split + 4 <= splits; split += 4) { /* four loads are in flight at once */
        const __global float *from = partial + partial_offset + (ulong)split * count + i;
        const float p0 = from[0], p1 = from[count], p2 = from[2ul * count], p3 = from[3ul * count];
        sum += p0;
        sum += p1;
        sum += p2;
        sum += p3;
    }
    for (; split < splits; split++) sum += partial[partial_offset + (ulong)split * count + i];
    if (accumulate) sum += NN_GEMM_Y_AT(y, y_offset + i);
    if (bias) sum += bias[bias_offset + i % (ulong)n];
#if NN_GEMM_RESIDUAL
    const __global NN_STORED(NN_GEMM_Y_TYPE) *const y_start = y + y_offset;
    residual += residual_offset;
    NN_GEMM_ADD_RESIDUAL(sum, y_start, i)
#endif
    NN_GEMM_Y_PUT(y, y_offset + i, NN_GEMM_ACTIVATE(sum, NN_GEMM_OTHER(y + y_offset + i)));
}
#endif

/* ---- GPUs: a work-group computes a tile of y from tiles of a and b in local memory ---------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 4
#define NN_GEMM_ITEMS (NN_GEMM_GROUP * NN_GEMM_GROUP)
#define NN_GEMM_TALL  (NN_GEMM_GROUP * NN_GEMM_HEIGHT) /* rows of the tile of y */
#define NN_GEMM_WIDE  (NN_GEMM_GROUP * 4)
#define NN_GEMM_DEEP  16                                            /* steps of k in a tile */
/* numbers that one work-item fetches */
#define NN_GEMM_A     (NN_GEMM_TALL * NN_GEMM_DEEP / NN_GEMM_ITEMS)
#define NN_GEMM_B     (NN_GEMM_WIDE * NN_GEMM_DEEP / NN_GEMM_ITEMS)

/* Groups: tiles of columns, tiles of rows, splits. While the work-items multiply one pair of tiles,
   they fetch the next pair into registers. */
__kernel __attribute__((reqd_work_group_size(NN_GEMM_ITEMS, 1, 1))) void
nn_gemm_tiles(NN_GEMM_ARGUMENTS) {
    __local float4 at[NN_GEMM_DEEP][NN_GEMM_TALL / 4 + 1], bt[NN_GEMM_DEEP][NN_GEMM_WIDE / 4 + 1];
    const int item = (int)get_local_id(0), ty = item / NN_GEMM_GROUP,
              tx = item - ty * NN_GEMM_GROUP;
    const int j0 = (int)get_group_id(0) * NN_GEMM_WIDE,
              i0 = (first + (int)get_group_id(1)) * NN_GEMM_TALL;
    float4 sum[NN_GEMM_HEIGHT];
    float a_next[NN_GEMM_A], b_next[NN_GEMM_B];
    int a_i[2], b_j[2]; /* (row or column, step) of the first element that this work-item fetches */
    NN_GEMM_PLACE
    const int end = min(k, (split + 1) * chunk);
    if (a_step == 1) {
        a_i[0] = item / NN_GEMM_DEEP;
        a_i[1] = item - a_i[0] * NN_GEMM_DEEP;
    } else {
        a_i[1] = item / NN_GEMM_TALL;
        a_i[0] = item - a_i[1] * NN_GEMM_TALL;
    }
    if (b_step == 1) {
        b_j[0] = item / NN_GEMM_DEEP;
        b_j[1] = item - b_j[0] * NN_GEMM_DEEP;
    } else {
        b_j[1] = item / NN_GEMM_WIDE;
        b_j[0] = item - b_j[1] * NN_GEMM_WIDE;
    }
    {
        /* Distance to the next element: ITEMS / DEEP rows if a_step is 1, else ITEMS / TALL steps.
           The same holds for b. */
        const int a_down = a_step == 1 ? NN_GEMM_ITEMS / NN_GEMM_DEEP : 0,
                  a_deep = a_step == 1 ? 0 : NN_GEMM_ITEMS / NN_GEMM_TALL;
        const int b_down = b_step == 1 ? NN_GEMM_ITEMS / NN_GEMM_DEEP : 0,
                  b_deep = b_step == 1 ? 0 : NN_GEMM_ITEMS / NN_GEMM_WIDE;
#pragma unroll
        for (int i = 0; i < NN_GEMM_HEIGHT; i++) sum[i] = (float4)(0.0f);
        for (int l = split * chunk - NN_GEMM_DEEP; l < end; l += NN_GEMM_DEEP) {
            const int next = l + NN_GEMM_DEEP;
#pragma unroll
            for (int q = 0; q < NN_GEMM_A; q++) {
                const int i = i0 + a_i[0] + q * a_down, s = next + a_i[1] + q * a_deep;
                a_next[q] = i < m && s < end
                                ? NN_GEMM_A_AT(a, (ulong)i * a_row + (ulong)s * a_step)
                                : 0.0f;
            }
#pragma unroll
            for (int q = 0; q < NN_GEMM_B; q++) {
                const int j = j0 + b_j[0] + q * b_down, s = next + b_j[1] + q * b_deep;
                b_next[q] = j < n && s < end
                                ? NN_GEMM_B_AT(b, (ulong)j * b_column + (ulong)s * b_step)
                                : 0.0f;
            }
            if (next > split * chunk) { /* not before the first tiles are loaded */
#pragma unroll 4
                for (int s = 0; s < NN_GEMM_DEEP; s++) {
                    const float4 bv = bt[s][tx];
#pragma unroll
                    for (int i = 0; i < NN_GEMM_HEIGHT / 4; i++) {
                        const float4 av = at[s][ty * (NN_GEMM_HEIGHT / 4) + i];
                        sum[4 * i + 0] += av.x * bv;
                        sum[4 * i + 1] += av.y * bv;
                        sum[4 * i + 2] += av.z * bv;
                        sum[4 * i + 3] += av.w * bv;
                    }
                }
                NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
            }
#pragma unroll
            for (int q = 0; q < NN_GEMM_A; q++)
                ((__local float *)at[a_i[1] + q * a_deep])[a_i[0] + q * a_down] = a_next[q];
#pragma unroll
            for (int q = 0; q < NN_GEMM_B; q++)
                ((__local float *)bt[b_j[1] + q * b_deep])[b_j[0] + q * b_down] = b_next[q];
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
        }
    }
#pragma unroll
    for (int i = 0; i < NN_GEMM_HEIGHT; i++) {
        const int row = i0 + ty * NN_GEMM_HEIGHT + i;
        const float line[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int j = j0 + tx * 4 + q;
            if (row < m && j < n) {
                __global NN_STORED(NN_GEMM_Y_TYPE) *to = y + (ulong)row * (ulong)n + (ulong)j;
                float value = line[q];
                if (accumulate) value += NN_GEMM_Y_AT(to, 0);
                if (bias) value += bias[bias_offset + (ulong)j];
                NN_GEMM_ADD_RESIDUAL(value, to, 0)
                NN_GEMM_Y_PUT(to, 0, activation == NN_ACTIVATION_RELU ? nn_relu(value) : value);
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* Other activations are long: they are compiled once here, not for each sum above. */
#pragma unroll 1
    for (int i = 0; i < 4 * NN_GEMM_HEIGHT; i++) {
        const int row = i0 + ty * NN_GEMM_HEIGHT + (i >> 2), j = j0 + tx * 4 + (i & 3);
        if (row < m && j < n) {
            __global NN_STORED(NN_GEMM_Y_TYPE) *to = y + (ulong)row * (ulong)n + (ulong)j;
            NN_GEMM_Y_PUT(to, 0, NN_GEMM_ACTIVATE(NN_GEMM_Y_AT(to, 0), NN_GEMM_OTHER(to)));
        }
    }
}
#endif
