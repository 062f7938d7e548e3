/* kernels/attention/opencl_tiles.cl - attention on GPUs: a work-group multiplies its rows by
   tiles of the other side and keeps the scores in local memory. The macros and the arguments are
   those of opencl.cl. A work-item has four scores of a tile and every SIDE-th column of the result
   in each of its two rows. */
#ifdef NN_ATTENTION_SIDE

#define NN_SIDE NN_ATTENTION_SIDE
#define NN_TILE (2 * NN_SIDE)
#define NN_EACH (NN_ATTENTION_WIDE / NN_SIDE) /* columns of a work-item */
/* Number of work-groups for this number of rows. A unit has 32 rows, so the last group may have
   none. */
#define NN_BLOCKS(rows) (((rows) + 31) / 32 * (32 / NN_TILE))

/* s[2 r + c] = row ty + SIDE r of x times row tx + SIDE c of z. Rows beyond the last count as 0. */
void nn_attention_tile(float *s, const __global float *x, ulong x_at, ulong x_row, int x_rows,
                       int x_type, const __global float *z, ulong z_at, ulong z_row, int z_rows,
                       int z_type, int width, __local float *xs, __local float *zs) {
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1);
    for (int e = 0; e < 4; e++) s[e] = 0.0f;
    for (int start = 0; start < width; start += NN_SIDE) {
        const bool inside = start + tx < width;
        for (int r = ty; r < NN_TILE; r += NN_SIDE) {
            const ulong step = (ulong)(start + tx);
            xs[r * (NN_SIDE + 1) + tx] =
                inside && r < x_rows ? nn_attention_load(x, x_at + (ulong)r * x_row + step, x_type)
                                     : 0.0f;
            zs[r * (NN_SIDE + 1) + tx] =
                inside && r < z_rows ? nn_attention_load(z, z_at + (ulong)r * z_row + step, z_type)
                                     : 0.0f;
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (int e = 0; e < NN_SIDE; e++) {
            const float x0 = xs[ty * (NN_SIDE + 1) + e],
                        x1 = xs[(ty + NN_SIDE) * (NN_SIDE + 1) + e];
            const float z0 = zs[tx * (NN_SIDE + 1) + e],
                        z1 = zs[(tx + NN_SIDE) * (NN_SIDE + 1) + e];
            s[0] += x0 * z0, s[1] += x0 * z1, s[2] += x1 * z0, s[3] += x1 * z1;
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
}

/* sum[r EACH + c] += the weights of row ty + SIDE r times column `column` + tx + SIDE c of z. A
   weight of 0 adds nothing. */
void nn_attention_spread(float *sum, const __local float *weights, const __global float *z,
                         ulong z_at, ulong z_row, int z_rows, int z_type, int column, int width) {
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1);
    for (int j = 0; j < z_rows; j++) {
        const float w0 = weights[ty * (NN_TILE + 1) + j],
                    w1 = weights[(ty + NN_SIDE) * (NN_TILE + 1) + j];
        for (int c = 0; c < NN_EACH; c++) {
            const int e = column + tx + NN_SIDE * c;
            const float value =
                e < width ? nn_attention_load(z, z_at + (ulong)j * z_row + (ulong)e, z_type) : 0.0f;
            if (w0 != 0.0f) sum[c] += w0 * value;
            if (w1 != 0.0f) sum[NN_EACH + c] += w1 * value;
        }
    }
}
void nn_attention_store(__global float *y, ulong at, ulong row, int rows, const float *sum,
                        int column, int width, int type) {
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1);
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < NN_EACH; c++) {
            const int i = ty + NN_SIDE * r, e = column + tx + NN_SIDE * c;
            if (i < rows && e < width)
                nn_attention_put(y, at + (ulong)i * row + (ulong)e, sum[r * NN_EACH + c], type);
        }
}

#define NN_ATTENTION_GROUP __attribute__((reqd_work_group_size(NN_SIDE, NN_SIDE, 1)))
#define NN_ATTENTION_LOCAL                                                                         \
    __local float xs[NN_TILE * (NN_SIDE + 1)], zs[NN_TILE * (NN_SIDE + 1)],                        \
        weights[NN_TILE * (NN_TILE + 1)];                                                          \
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1)
/* Row and column in the tile of score e of this work-item (0 to 3). */
#define NN_ROW(e)    (ty + NN_SIDE * ((e) >> 1))
#define NN_COLUMN(e) (tx + NN_SIDE * ((e)&1))

__kernel NN_ATTENTION_GROUP void
nn_attention_forward_tiles(__global float *y, ulong y_offset, __global float *log_sum,
                           ulong log_sum_offset, __global uint *status, ulong status_offset,
                           uint step, NN_ATTENTION_ARGUMENTS) {
    NN_ATTENTION_LOCAL;
    __local float most[NN_TILE], factors[NN_TILE], sums[NN_TILE];
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_group_id(0), blocks = NN_BLOCKS(a.L);
    NN_ATTENTION_HEAD(unit / blocks / a.H, unit / blocks % a.H);
    const int i = unit % blocks * NN_TILE, rows = min(NN_TILE, a.L - i), item = ty * NN_SIDE + tx;
    const int2 range = nn_attention_range(&a, own_starts, at, keys, i, NN_TILE);
    if (unit == 0 && item == 0)
        nn_attention_report(&a, lengths ? lengths + lengths_offset : 0,
                            positions ? positions + positions_offset : 0, status, status_offset,
                            step);
    if (h == 0 && item < rows)
        nn_attention_report_start(own_starts, i + item, a.S, status, status_offset, step);
    if (rows <= 0) return; /* true for the whole group */
    for (int column = 0; column < a.V; column += NN_ATTENTION_WIDE) {
        float sum[2 * NN_EACH];
        for (int c = 0; c < 2 * NN_EACH; c++) sum[c] = 0.0f;
        if (item < NN_TILE) most[item] = -INFINITY, sums[item] = 0.0f;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (int j = range.x; j < range.y; j += NN_TILE) {
            const int count = min(NN_TILE, range.y - j);
            float s[4];
            nn_attention_tile(s, q, q_at + (ulong)i * q_row, q_row, rows, NN_ATTENTION_Q, k,
                              k_at + (ulong)j * k_row, k_row, count, a.k_type, a.E, xs, zs);
            for (int e = 0; e < 4; e++) {
                s[e] = nn_attention_masked(&a, s[e] * a.scale, own_mask, own_starts, slope, at,
                                           keys, i + NN_ROW(e), j + NN_COLUMN(e));
                weights[NN_ROW(e) * (NN_TILE + 1) + NN_COLUMN(e)] = s[e];
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            if (item < NN_TILE) {
                float larger = most[item];
                for (int c = 0; c < NN_TILE; c++) {
                    const float x = weights[item * (NN_TILE + 1) + c];
                    larger = x > larger ? x : larger;
                }
                factors[item] = exp(most[item] - (larger == -INFINITY ? 0.0f : larger));
                most[item] = larger;
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            for (int e = 0; e < 4; e++) {
                const float larger = most[NN_ROW(e)];
                weights[NN_ROW(e) * (NN_TILE + 1) + NN_COLUMN(e)] =
                    exp(s[e] - (larger == -INFINITY ? 0.0f : larger));
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            if (item < NN_TILE) {
                float total = 0.0f;
                for (int c = 0; c < NN_TILE; c++) total += weights[item * (NN_TILE + 1) + c];
                sums[item] = sums[item] * factors[item] + total;
            }
            for (int c = 0; c < NN_EACH; c++)
                sum[c] *= factors[ty], sum[NN_EACH + c] *= factors[ty + NN_SIDE];
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            if (a.dropout > 0.0f)
                for (int e = 0; e < 4; e++)
                    weights[NN_ROW(e) * (NN_TILE + 1) + NN_COLUMN(e)] *=
                        nn_attention_kept(&a, n, h, i + NN_ROW(e), j + NN_COLUMN(e));
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            nn_attention_spread(sum, weights, v, v_at + (ulong)j * v_row, v_row, count, a.v_type,
                                column, a.V);
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        }
        for (int c = 0; c < 2 * NN_EACH; c++) {
            const float total = sums[c < NN_EACH ? ty : ty + NN_SIDE];
            sum[c] = total == 0.0f ? 0.0f : sum[c] / total;
        }
        nn_attention_store(y, y_offset + y_at + (ulong)i * y_row, y_row, rows, sum, column, a.V,
                           NN_ATTENTION_Y);
        if (log_sum && column == 0 && item < rows)
            log_sum[log_sum_offset + ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L +
                    (ulong)(i + item)] =
                sums[item] == 0.0f ? INFINITY : most[item] + log(sums[item]);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
}

/* Computes the weights and the gradients of a work-item's four scores in a tile. */
#define NN_ATTENTION_SLOPES(i_of, j_of, inside)                                                    \
    for (int e = 0; e < 4; e++) {                                                                  \
        const int qi = (i_of), kj = (j_of);                                                        \
        p[e] = ds[e] = 0.0f;                                                                       \
        if (!(inside)) continue;                                                                   \
        s[e] = nn_attention_masked(&a, s[e] * a.scale, own_mask, own_starts, slope, at, keys, qi,  \
                                   kj);                                                            \
        const float weight = exp(s[e] - log_sum[log_sum_offset + line + (ulong)qi]);               \
        const float kept = a.dropout > 0.0f ? nn_attention_kept(&a, n, h, qi, kj) : 1.0f;          \
        if (weight != 0.0f)                                                                        \
            ds[e] = weight * (dp[e] * kept - delta[delta_offset + line + (ulong)qi]) * a.scale;    \
        p[e] = weight * kept;                                                                      \
    }
#define NN_ATTENTION_PUT(from)                                                                     \
    for (int e = 0; e < 4; e++) weights[NN_ROW(e) * (NN_TILE + 1) + NN_COLUMN(e)] = from[e];       \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE)

/* Computes delta = dy . y of a group's rows. The same group reads it afterwards. */
void nn_attention_rows_delta(__global float *delta, ulong delta_at, const __global float *dy,
                             ulong dy_at, const __global float *y, ulong y_at, ulong row, int rows,
                             int width, __local float *xs) {
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1);
    for (int i = ty; i < NN_TILE; i += NN_SIDE) {
        const ulong at = (ulong)i * row;
        float sum = 0.0f;
        for (int c = tx; i < rows && c < width; c += NN_SIDE)
            sum += nn_attention_load(dy, dy_at + at + (ulong)c, NN_ATTENTION_DY) *
                   nn_attention_load(y, y_at + at + (ulong)c, NN_ATTENTION_Y);
        xs[i * (NN_SIDE + 1) + tx] = sum;
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int i = ty * NN_SIDE + tx; i < rows; i += NN_SIDE * NN_SIDE) {
        float sum = 0.0f;
        for (int c = 0; c < NN_SIDE; c++) sum += xs[i * (NN_SIDE + 1) + c];
        delta[delta_at + (ulong)i] = sum;
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* Also stores the rows of delta, which later kernels read. */
__kernel NN_ATTENTION_GROUP void
nn_attention_dq_tiles(__global float *dq, ulong dq_offset, const __global float *dy,
                      ulong dy_offset, const __global float *y, ulong y_offset,
                      const __global float *log_sum, ulong log_sum_offset, __global float *delta,
                      ulong delta_offset, NN_ATTENTION_ARGUMENTS) {
    NN_ATTENTION_LOCAL;
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_group_id(0), blocks = NN_BLOCKS(a.L);
    NN_ATTENTION_HEAD(unit / blocks / a.H, unit / blocks % a.H);
    const int i = unit % blocks * NN_TILE, rows = min(NN_TILE, a.L - i);
    const int2 range = nn_attention_range(&a, own_starts, at, keys, i, NN_TILE);
    const ulong line = ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L;
    if (rows <= 0) return;
    nn_attention_rows_delta(delta, delta_offset + line + (ulong)i, dy,
                            dy_offset + y_at + (ulong)i * y_row, y,
                            y_offset + y_at + (ulong)i * y_row, y_row, rows, a.V, xs);
    for (int column = 0; column < a.E; column += NN_ATTENTION_WIDE) {
        float sum[2 * NN_EACH];
        for (int c = 0; c < 2 * NN_EACH; c++) sum[c] = 0.0f;
        for (int j = range.x; j < range.y; j += NN_TILE) {
            const int count = min(NN_TILE, range.y - j);
            float s[4], dp[4], p[4], ds[4];
            nn_attention_tile(s, q, q_at + (ulong)i * q_row, q_row, rows, NN_ATTENTION_Q, k,
                              k_at + (ulong)j * k_row, k_row, count, a.k_type, a.E, xs, zs);
            nn_attention_tile(dp, dy, dy_offset + y_at + (ulong)i * y_row, y_row, rows,
                              NN_ATTENTION_DY, v,
                              v_at + (ulong)j * v_row, v_row, count, a.v_type, a.V, xs, zs);
            NN_ATTENTION_SLOPES(i + NN_ROW(e), j + NN_COLUMN(e),
                                NN_ROW(e) < rows && NN_COLUMN(e) < count)
            NN_ATTENTION_PUT(ds);
            nn_attention_spread(sum, weights, k, k_at + (ulong)j * k_row, k_row, count, a.k_type,
                                column, a.E);
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        }
        nn_attention_store(dq, dq_offset + dq_at + (ulong)i * dq_row, dq_row, rows, sum,
                           column, a.E, 0);
    }
}

__kernel NN_ATTENTION_GROUP void
nn_attention_dkv_tiles(__global float *dk, ulong dk_offset, __global float *dv, ulong dv_offset,
                       const __global float *dy, ulong dy_offset, const __global float *log_sum,
                       ulong log_sum_offset, const __global float *delta, ulong delta_offset,
                       NN_ATTENTION_ARGUMENTS) {
    NN_ATTENTION_LOCAL;
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_group_id(0), blocks = NN_BLOCKS(a.S);
    const int j = unit % blocks * NN_TILE, head = unit / blocks % a.K, group = a.H / a.K;
    const int rows = min(NN_TILE, a.S - j);
    if (rows <= 0) return;
    for (int column = 0; column < max(a.E, a.V); column += NN_ATTENTION_WIDE) {
        float keys_sum[2 * NN_EACH], values_sum[2 * NN_EACH];
        for (int c = 0; c < 2 * NN_EACH; c++) keys_sum[c] = values_sum[c] = 0.0f;
        for (int g = 0; g < group; g++) {
            NN_ATTENTION_HEAD(unit / blocks / a.K, head * group + g);
            const ulong line = ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L;
            const int2 range = nn_attention_range_back(&a, own_starts, at, keys, j, NN_TILE);
            for (int i = range.x; i < range.y; i += NN_TILE) {
                const int count = min(NN_TILE, range.y - i);
                float s[4], dp[4], p[4], ds[4];
                nn_attention_tile(s, k, k_at + (ulong)j * k_row, k_row, rows, a.k_type, q,
                                  q_at + (ulong)i * q_row, q_row, count, NN_ATTENTION_Q, a.E, xs,
                                  zs);
                nn_attention_tile(dp, v, v_at + (ulong)j * v_row, v_row, rows, a.v_type, dy,
                                  dy_offset + y_at + (ulong)i * y_row, y_row, count,
                                  NN_ATTENTION_DY, a.V, xs,
                                  zs);
                NN_ATTENTION_SLOPES(i + NN_COLUMN(e), j + NN_ROW(e),
                                    NN_ROW(e) < rows && NN_COLUMN(e) < count)
                NN_ATTENTION_PUT(ds);
                nn_attention_spread(keys_sum, weights, q, q_at + (ulong)i * q_row, q_row, count,
                                    NN_ATTENTION_Q,
                                    column, a.E);
                NN_BARRIER(CLK_LOCAL_MEM_FENCE);
                NN_ATTENTION_PUT(p);
                nn_attention_spread(values_sum, weights, dy, dy_offset + y_at + (ulong)i * y_row,
                                    y_row, count, NN_ATTENTION_DY, column, a.V);
                NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            }
            if (g < group - 1) continue;
            if (dk)
                nn_attention_store(dk, dk_offset + dk_at + (ulong)j * dk_row, dk_row,
                                   rows, keys_sum, column, a.E, 0);
            if (dv)
                nn_attention_store(dv, dv_offset + dv_at + (ulong)j * dv_row, dv_row,
                                   rows, values_sum, column, a.V, 0);
        }
    }
}
#undef NN_ATTENTION_SLOPES
#undef NN_ATTENTION_PUT
#undef NN_ATTENTION_LOCAL
#undef NN_ATTENTION_GROUP
#undef NN_ROW
#undef NN_COLUMN
#undef NN_SIDE
#undef NN_TILE
#undef NN_BLOCKS
#undef NN_EACH

#endif

#undef NN_ATTENTION_ARGUMENTS
#undef NN_ATTENTION_NUMBERS
#undef NN_ATTENTION_LONG
#undef NN_ATTENTION_HEAD
