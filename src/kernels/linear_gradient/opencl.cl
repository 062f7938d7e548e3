/* kernels/linear_gradient/opencl.cl - the gradients of a linear layer: dweight (N, K) = dy^T x, dx
   (M, K) = dy weight, dbias (N) = the sum of the rows of dy. The work-groups before `weight_end`
   compute tiles of dweight, those before `input_end` tiles of dx, the others numbers of dbias. The
   second matrix of both products has K columns. relu: x is the output of a relu.

   NN_GRADIENT_SIDE: a work-group has SIDE x SIDE work-items; each has 4 x 4 numbers of a tile.
   NN_GRADIENT_DEEP: steps of the sums per iteration. Small layers are limited by latency, so all
   loads of an iteration are in flight together. */
#ifndef NN_GRADIENT_SIDE
#define NN_GRADIENT_SIDE 8
#endif
#ifndef NN_GRADIENT_DEEP
#define NN_GRADIENT_DEEP 16
#endif
#define NN_GRADIENT_ITEMS (NN_GRADIENT_SIDE * NN_GRADIENT_SIDE)
#define NN_GRADIENT_TILE  (4 * NN_GRADIENT_SIDE)
#define NN_GRADIENT_LANES 16 /* columns of dbias per work-group */
#define NN_GRADIENT_FETCH (NN_GRADIENT_TILE * NN_GRADIENT_DEEP / NN_GRADIENT_ITEMS)

#define NN_GRADIENT_ARGUMENTS                                                                      \
    const __global float *dy, ulong dy_offset, const __global float *x, ulong x_offset,            \
        const __global float *weight, ulong weight_offset, __global float *dweight,                \
        ulong dweight_offset, __global float *dbias, ulong dbias_offset, __global float *dx,       \
        ulong dx_offset, int M, int N, int K, int relu, ulong weight_end, ulong input_end,         \
        ulong first

/* Returns the sum of `count` rows of a column. Eight loads are in flight at a time. */
float nn_gradient_column(const __global float *dy, int count, int N) {
    float sum[8];
#pragma unroll
    for (int q = 0; q < 8; q++) sum[q] = 0.0f;
    for (int m = 0; m < count; m += 8) {
        float next[8];
#pragma unroll
        for (int q = 0; q < 8; q++) next[q] = m + q < count ? dy[(ulong)(m + q) * (ulong)N] : 0.0f;
#pragma unroll
        for (int q = 0; q < 8; q++) sum[q] += next[q];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Sums the columns of a work-group, from `first` on. Each work-item sums a piece of a column. */
void nn_gradient_columns(__global float *dbias, const __global float *dy, int M, int N, int first,
                         __local float *pieces) {
    const int item = (int)get_local_id(0), column = item % NN_GRADIENT_LANES,
              parts = NN_GRADIENT_ITEMS / NN_GRADIENT_LANES, piece = (M + parts - 1) / parts,
              m = item / NN_GRADIENT_LANES * piece, n = first + column;
    pieces[item] = n < N && m < M ? nn_gradient_column(dy + ((ulong)m * (ulong)N + (ulong)n),
                                                       min(piece, M - m), N)
                                  : 0.0f;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (item >= NN_GRADIENT_LANES || n >= N) return;
    float sum = 0.0f;
    for (int q = 0; q < parts; q++) sum += pieces[q * NN_GRADIENT_LANES + column];
    dbias[n] = sum;
}

__kernel __attribute__((reqd_work_group_size(NN_GRADIENT_ITEMS, 1, 1))) void
nn_linear_gradient(NN_GRADIENT_ARGUMENTS) {
    __local float4 at[NN_GRADIENT_DEEP][NN_GRADIENT_SIDE + 1],
        bt[NN_GRADIENT_DEEP][NN_GRADIENT_SIDE + 1];
    const ulong group = first + get_group_id(0);
    const int item = (int)get_local_id(0), ty = item / NN_GRADIENT_SIDE,
              tx = item - ty * NN_GRADIENT_SIDE;
    const bool down = group < weight_end; /* a tile of dweight */
    const int tile = (int)(down ? group : group - weight_end),
              across = (K + NN_GRADIENT_TILE - 1) / NN_GRADIENT_TILE;
    const int i0 = tile / across * NN_GRADIENT_TILE, j0 = tile % across * NN_GRADIENT_TILE;
    const int rows = down ? N : M, depth = down ? M : N;
    /* dy is read in memory order: along the rows of dweight's tile, along the sums of dx's tile. */
    const int a_i = down ? item % NN_GRADIENT_TILE : item / NN_GRADIENT_DEEP,
              a_l = down ? item / NN_GRADIENT_TILE : item % NN_GRADIENT_DEEP;
    const int a_apart = down ? 0 : NN_GRADIENT_ITEMS / NN_GRADIENT_DEEP,
              a_deep = down ? NN_GRADIENT_ITEMS / NN_GRADIENT_TILE : 0;
    const int b_j = item % NN_GRADIENT_TILE, b_l = item / NN_GRADIENT_TILE;
    const __global float *a = dy + dy_offset +
                              (down ? (ulong)a_l * (ulong)N + (ulong)(i0 + a_i)
                                    : (ulong)(i0 + a_i) * (ulong)N + (ulong)a_l);
    const __global float *b = (down ? x + x_offset : weight + weight_offset) +
                              ((ulong)b_l * (ulong)K + (ulong)(j0 + b_j));
    const ulong a_stride = (ulong)(down ? a_deep : a_apart) * (ulong)N,
                b_stride = NN_GRADIENT_ITEMS / NN_GRADIENT_TILE * (ulong)K;
    float4 sum[4];
    float a_next[NN_GRADIENT_FETCH], b_next[NN_GRADIENT_FETCH];
    if (group >= input_end) { /* true for the whole group */
        nn_gradient_columns(dbias + dbias_offset, dy + dy_offset, M, N,
                            (int)(group - input_end) * NN_GRADIENT_LANES,
                            (__local float *)at);
        return;
    }
#pragma unroll
    for (int i = 0; i < 4; i++) sum[i] = (float4)(0.0f);
    for (int l = -NN_GRADIENT_DEEP; l < depth; l += NN_GRADIENT_DEEP) {
        const int next = l + NN_GRADIENT_DEEP;
#pragma unroll
        for (int q = 0; q < NN_GRADIENT_FETCH; q++) {
            const int i = i0 + a_i + q * a_apart, s = next + a_l + q * a_deep;
            a_next[q] = i < rows && s < depth ? a[(ulong)q * a_stride] : 0.0f;
        }
#pragma unroll
        for (int q = 0; q < NN_GRADIENT_FETCH; q++) {
            const int s = next + b_l + q * (NN_GRADIENT_ITEMS / NN_GRADIENT_TILE);
            b_next[q] = j0 + b_j < K && s < depth ? b[(ulong)q * b_stride] : 0.0f;
        }
        a += down ? NN_GRADIENT_DEEP * (ulong)N : NN_GRADIENT_DEEP;
        b += NN_GRADIENT_DEEP * (ulong)K;
        if (next > 0) { /* not before the first tiles are loaded */
#pragma unroll 4
            for (int s = 0; s < NN_GRADIENT_DEEP; s++) {
                const float4 av = at[s][ty], bv = bt[s][tx];
                sum[0] += av.x * bv;
                sum[1] += av.y * bv;
                sum[2] += av.z * bv;
                sum[3] += av.w * bv;
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
        }
#pragma unroll
        for (int q = 0; q < NN_GRADIENT_FETCH; q++) {
            ((__local float *)at[a_l + q * a_deep])[a_i + q * a_apart] = a_next[q];
            ((__local float *)bt[b_l + q * (NN_GRADIENT_ITEMS / NN_GRADIENT_TILE)])[b_j] =
                b_next[q];
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all writes are done */
    }
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int row = i0 + ty * 4 + i;
        const float line[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int j = j0 + tx * 4 + q;
            const ulong to = (ulong)row * (ulong)K + (ulong)j;
            if (row >= rows || j >= K) continue;
            if (down)
                dweight[dweight_offset + to] = line[q];
            else
                dx[dx_offset + to] = relu && x[x_offset + to] <= 0.0f ? 0.0f : line[q];
        }
    }
}

/* A work-item computes one number: of dweight before weight_end, of dx before input_end, else of
   dbias. */
__kernel void nn_linear_gradient_plain(NN_GRADIENT_ARGUMENTS, ulong end) {
    const ulong number = first + get_global_id(0);
    float sum = 0.0f;
    dy += dy_offset;
    if (number >= end) return;
    if (number >= input_end) {
        const int n = (int)(number - input_end);
        dbias[dbias_offset + (ulong)n] = nn_gradient_column(dy + n, M, N);
    } else if (number < weight_end) {
        const int n = (int)(number / (ulong)K), k = (int)(number - (ulong)n * (ulong)K);
        for (int m = 0; m < M; m++)
            sum += dy[(ulong)m * (ulong)N + (ulong)n] *
                   x[x_offset + (ulong)m * (ulong)K + (ulong)k];
        dweight[dweight_offset + number] = sum;
    } else {
        const ulong at = number - weight_end;
        const int m = (int)(at / (ulong)K), k = (int)(at - (ulong)m * (ulong)K);
        for (int n = 0; n < N; n++)
            sum += dy[(ulong)m * (ulong)N + (ulong)n] *
                   weight[weight_offset + (ulong)n * (ulong)K + (ulong)k];
        dx[dx_offset + at] = relu && x[x_offset + at] <= 0.0f ? 0.0f : sum;
    }
}
