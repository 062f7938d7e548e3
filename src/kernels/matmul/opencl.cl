/* kernels/matmul/opencl.cl - matrix products: a plain kernel, tiles, and what goes after them.

   Both have the same arguments. There are `products` of a batch, those from `product` on in
   this launch, each in `splits` pieces: the third group index counts the pieces of a product, then
   the products. y (m, n): element (i, j) of piece `split` of product `which` stands at
   y[(split products + which) m n + i n + j] and sums the terms [split chunk, (split + 1) chunk) of
   k. a: element (i, l) stands at a[i a_row + l a_step]; b: (l, j) at b[l b_step + j b_column], of
   the matrices that nn_gemm_matrices tells. first: the first tile of rows. No kernel relies on the
   work-groups of another, only on launches before it. kernels/matmul/opencl.c chooses.

   NN_GEMM_ONLY: 0 all kernels, 1 the small ones, 4 tiles, 5 large ones, 6 long, 7
   thin, 8 slices, 9 outer (a program holds what one variant needs). */
#ifndef NN_GEMM_ONLY
#define NN_GEMM_ONLY 0
#endif
#ifndef NN_GEMM_GROUP /* a GPU's work-group is NN_GEMM_GROUP squared */
#define NN_GEMM_GROUP 16
#endif
#ifndef NN_GEMM_HEIGHT /* rows of one work-item of a GPU, a multiple of 4; it has 4 columns */
#define NN_GEMM_HEIGHT 4
#endif
#ifndef NN_GEMM_A_TYPE /* how a and b are stored: 0 f32, 1 f16, 2 bf16, 3 i8 */
#define NN_GEMM_A_TYPE 0
#endif
#ifndef NN_GEMM_B_TYPE
#define NN_GEMM_B_TYPE 0
#endif

#define NN_GEMM_ARGUMENTS                                                                          \
    __global float *y, ulong y_offset, const __global NN_GEMM_A_STORED *a, ulong a_offset,         \
        const __global NN_GEMM_B_STORED *b, ulong b_offset, const __global float *bias,            \
        ulong bias_offset, int m, int n, int k, int chunk, uint a_row, uint a_step, uint b_step,   \
        uint b_column, int first, int accumulate, int activation, int splits, int product,         \
        int products, ulong a_matrix, ulong b_matrix, int4 batch, int4 a_batch, int4 b_batch

/* Where this work-group's piece of y and its matrices begin. */
#define NN_GEMM_PLACE                                                                              \
    const int which = (int)get_group_id(2) / splits,                                               \
              split = (int)get_group_id(2) - which * splits;                                       \
    const int2 matrices = nn_gemm_matrices(product + which, batch, a_batch, b_batch);              \
    a += a_offset + (ulong)matrices.x * a_matrix;                                                  \
    b += b_offset + (ulong)matrices.y * b_matrix;                                                  \
    y += y_offset + ((ulong)split * (ulong)products + (ulong)(product + which)) * (ulong)m *       \
                        (ulong)n;

/* One number. */
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


#ifndef NN_GEMM_VECTOR /* 1: fours begin at multiples of four and are all inside or all outside */
#define NN_GEMM_VECTOR 0
#endif
/* Four numbers that lie together, of which `count` (at least one) are there. */
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

/* The numbers of the matrices of a (x) and b (y) that product `which` of a batch multiplies. */
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

/* One work-item an element: extents n, rows, splits. */
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
    if (accumulate) sum += *y;
    if (bias) sum += bias[bias_offset + (ulong)j];
    *y = nn_activate(activation, sum);
}

/* y = epilogue of the sum of the partial products, in their order; partial may be y itself when
   there is one. */
__kernel void nn_gemm_finish(__global float *y, ulong y_offset, const __global float *partial,
                             ulong partial_offset, const __global float *bias, ulong bias_offset,
                             ulong count, int n, int splits, int accumulate, int activation) {
    const ulong i = get_global_id(0);
    float sum = 0.0f;
    if (i >= count) return;
    int split = 0;
    for (; split + 4 <= splits; split += 4) { /* four are on their way at once */
        const __global float *from = partial + partial_offset + (ulong)split * count + i;
        const float p0 = from[0], p1 = from[count], p2 = from[2ul * count], p3 = from[3ul * count];
        sum += p0;
        sum += p1;
        sum += p2;
        sum += p3;
    }
    for (; split < splits; split++) sum += partial[partial_offset + (ulong)split * count + i];
    if (accumulate) sum += y[y_offset + i];
    if (bias) sum += bias[bias_offset + i % (ulong)n];
    y[y_offset + i] = nn_activate(activation, sum);
}
#endif

/* ---- GPUs: a tile of y a work-group, tiles of a and b in local memory ----------------------- */
#if NN_GEMM_ONLY == 0 || NN_GEMM_ONLY == 4
#define NN_GEMM_ITEMS (NN_GEMM_GROUP * NN_GEMM_GROUP)
#define NN_GEMM_TALL  (NN_GEMM_GROUP * NN_GEMM_HEIGHT) /* the tile of y */
#define NN_GEMM_WIDE  (NN_GEMM_GROUP * 4)
#define NN_GEMM_DEEP  16                                            /* steps of k at a time */
#define NN_GEMM_A     (NN_GEMM_TALL * NN_GEMM_DEEP / NN_GEMM_ITEMS) /* what one work-item fetches */
#define NN_GEMM_B     (NN_GEMM_WIDE * NN_GEMM_DEEP / NN_GEMM_ITEMS)

/* Groups: tiles of columns, tiles of rows, splits. Work-items fetch the next tiles into registers
   while they use these. */
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
        /* The others: a_step 1: rows ITEMS / DEEP apart. Else steps ITEMS / TALL apart. */
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
            if (next > split * chunk) { /* not before the first tiles are there */
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
                NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have read */
            }
#pragma unroll
            for (int q = 0; q < NN_GEMM_A; q++)
                ((__local float *)at[a_i[1] + q * a_deep])[a_i[0] + q * a_down] = a_next[q];
#pragma unroll
            for (int q = 0; q < NN_GEMM_B; q++)
                ((__local float *)bt[b_j[1] + q * b_deep])[b_j[0] + q * b_down] = b_next[q];
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all have written */
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
                __global float *to = y + (ulong)row * (ulong)n + (ulong)j;
                float value = line[q];
                if (accumulate) value += *to;
                if (bias) value += bias[bias_offset + (ulong)j];
                *to = activation == NN_ACTIVATION_RELU ? nn_relu(value) : value;
            }
        }
    }
    if (activation <= NN_ACTIVATION_RELU) return;
    /* The others need hundreds of instructions, once here and not for each sum above. */
#pragma unroll 1
    for (int i = 0; i < 4 * NN_GEMM_HEIGHT; i++) {
        const int row = i0 + ty * NN_GEMM_HEIGHT + (i >> 2), j = j0 + tx * 4 + (i & 3);
        if (row < m && j < n) {
            __global float *to = y + (ulong)row * (ulong)n + (ulong)j;
            *to = nn_activate(activation, *to);
        }
    }
}
#endif
