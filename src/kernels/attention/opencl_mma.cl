/* kernels/attention/opencl_mma.cl - attention and its gradients on matrix units, by the layer of
   opencl/mma.cl. A work-group of 256 takes 64 rows against tiles of 64 rows of the other side. Its
   sub-groups multiply, and the scores of a tile pass through local memory, so that softmax does not
   depend on where the units leave their sums. The macros and the arguments are those of opencl.cl.

   Local memory: the weights of a tile, as lines of opencl/mma.cl, and one turn of each operand. A
   weight of 0 adds nothing, even to NaN: tiles of values with numbers that are not finite are
   added without the matrix units. */
#ifdef NN_MMA

#define NN_AM_ROWS  64
#define NN_AM_ITEMS 256
#if NN_MMA == 4 || NN_MMA == 5
#define NN_AM_DOWN   1
#define NN_AM_ACROSS 1
#elif NN_MMA == 6
#define NN_AM_DOWN   2
#define NN_AM_ACROSS 1
#else
#define NN_AM_DOWN   1
#define NN_AM_ACROSS 2
#endif
#define NN_AM_WARPS_X (NN_AM_ROWS / (NN_AM_ACROSS * NN_MMA_WIDE))
#define NN_AM_BLOCK   (NN_AM_ROWS * NN_MMA_LINE) /* words of one turn of 64 lines */
#define NN_AM_TURNS   (NN_AM_ROWS / NN_MMA_DEPTH) /* turns of a tile's weights */
/* Fours of a turn that a work-item fetches. */
#define NN_AM_EACH (NN_AM_ROWS * NN_MMA_FOURS / NN_AM_ITEMS)
/* Place of a score in local memory, as f32; a line's scores keep the lines of weights. */
#define NN_AM_SCORE(row, column)                                                                   \
    ((column) / 16 * NN_AM_BLOCK + (row)*NN_MMA_LINE + (column) % 16)
/* Runs `body` for each sum of a work-item, with its row, column and sum. */
#define NN_AM_FOR_SUMS(body)                                                                       \
    {                                                                                              \
        const int own_ = nn_mma_item(), lane_ = own_ % NN_MMA_LANES, warp_ = own_ / NN_MMA_LANES;  \
        NN_MMA_UNROLL for (int i_ = 0; i_ < NN_AM_DOWN; i_++)                                      \
            NN_MMA_UNROLL for (int j_ = 0; j_ < NN_AM_ACROSS; j_++)                                \
                NN_MMA_UNROLL for (int e_ = 0; e_ < NN_MMA_SUMS; e_++) {                           \
                    const int row = (warp_ / NN_AM_WARPS_X * NN_AM_DOWN + i_) * NN_MMA_HIGH +      \
                                    NN_MMA_ROW(lane_, e_),                                         \
                              column = (warp_ % NN_AM_WARPS_X * NN_AM_ACROSS + j_) * NN_MMA_WIDE + \
                                       NN_MMA_COLUMN(lane_, e_);                                   \
                    body                                                                           \
                }                                                                                  \
    }
#define NN_AM_SUM(of) of[i_][j_][e_]
/* Stores the scaled scores to local memory. A loop over all places of a tile then works on them: it
   is not unrolled, because masks and dropout take hundreds of instructions. */
#define NN_AM_PUT_SCORES(s)                                                                        \
    NN_AM_FOR_SUMS(weights[NN_AM_SCORE(row, column)] = as_uint(NN_AM_SUM(s) * a.scale);)           \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#define NN_AM_FOR_SCORES(body)                                                                     \
    _Pragma("unroll 1") for (int s_ = nn_mma_item(); s_ < NN_AM_ROWS * NN_AM_ROWS;                 \
                             s_ += NN_AM_ITEMS) {                                                  \
        const int row = s_ / NN_AM_ROWS, column = s_ % NN_AM_ROWS,                                 \
                  place = NN_AM_SCORE(row, column);                                                \
        const float score = as_float(weights[place]);                                              \
        body                                                                                       \
    }

/* Loads four neighbours, of which the first `count` exist. */
float4 nn_am_four(const __global float *x, ulong at, int count, int type, bool fours) {
    if (fours && count >= 4) return *(const __global float4 *)(x + at);
    return (float4)(count > 0 ? nn_attention_load(x, at, type) : 0.0f,
                    count > 1 ? nn_attention_load(x, at + 1, type) : 0.0f,
                    count > 2 ? nn_attention_load(x, at + 2, type) : 0.0f,
                    count > 3 ? nn_attention_load(x, at + 3, type) : 0.0f);
}
/* True if rows of f32 from `at` on may be read as float4. */
bool nn_am_in_fours(ulong at, ulong row, int type) { return type == 0 && ((at | row) & 3ul) == 0; }

/* Stores the part of a work-item of `start` to start + DEPTH of 64 rows of x. Rows and numbers that
   do not exist are 0. */
void nn_am_fetch(__local uint *to, const __global float *x, ulong at, ulong row, int rows, int type,
                 int start, int width) {
    const int item = nn_mma_item(), four = item % NN_MMA_FOURS;
    const bool fours = nn_am_in_fours(at, row, type);
    NN_MMA_UNROLL
    for (int q = 0; q < NN_AM_EACH; q++) {
        const int line =
            NN_MMA_LINE_OF(item / NN_MMA_FOURS + q * (NN_AM_ITEMS / NN_MMA_FOURS));
        const int count = line < rows ? width - start - 4 * four : 0;
        nn_mma_put(to + line * NN_MMA_LINE, four,
                   nn_am_four(x, at + (ulong)(line < rows ? line : 0) * row +
                                     (ulong)(start + 4 * four),
                              count, type, fours));
    }
}

/* Stores the part of a work-item of the columns from `column` on, for rows [start, start + DEPTH)
   of x: a line is a column. Returns true if some number is not finite. */
bool nn_am_fetch_columns(__local uint *to, const __global float *x, ulong at, ulong row, int rows,
                         int type, int start, int column, int width) {
    const int item = nn_mma_item(), line = item % NN_AM_ROWS, part = item / NN_AM_ROWS;
    bool odd = false;
    NN_MMA_UNROLL
    for (int q = 0; q < NN_AM_EACH; q++) {
        const int four = part * NN_AM_EACH + q;
        float v[4];
        NN_MMA_UNROLL
        for (int s = 0; s < 4; s++) {
            const int r = start + 4 * four + s;
            v[s] = r < rows && column + line < width
                       ? nn_attention_load(x, at + (ulong)r * row + (ulong)(column + line), type)
                       : 0.0f;
            if (!isfinite(v[s])) {
                odd = true;
                v[s] = 0.0f;
            }
        }
        nn_mma_put(to + line * NN_MMA_LINE, four, (float4)(v[0], v[1], v[2], v[3]));
    }
    return odd;
}

/* Returns the rounded weight of a row for one number of the other side. */
float nn_am_weight(const __local uint *weights, int row, int j) {
    const __local uint *line =
        weights + j / NN_MMA_DEPTH * NN_AM_BLOCK + row * NN_MMA_LINE;
#if NN_MMA_BF16
    return as_float((uint)((const __local ushort *)line)[j % NN_MMA_DEPTH] << 16);
#else
    return as_float(line[j % NN_MMA_DEPTH]);
#endif
}

/* Rounds a weight and stores it. */
void nn_am_put_weight(__local uint *weights, int row, int j, float value) {
    __local uint *line = weights + j / NN_MMA_DEPTH * NN_AM_BLOCK + row * NN_MMA_LINE;
#if NN_MMA_BF16
    ((__local ushort *)line)[j % NN_MMA_DEPTH] = (ushort)nn_mma_bf16(value, 0.0f);
#else
    line[j % NN_MMA_DEPTH] = nn_mma_tf32(value);
#endif
}

/* sum = 64 rows of x times 64 rows of z. */
#define NN_AM_TILE(sum, x, x_at, x_row, x_rows, x_type, z, z_at, z_row, z_rows, z_type, width)     \
    NN_AM_FOR_SUMS((void)row; (void)column; NN_AM_SUM(sum) = 0.0f;)                                \
    for (int start = 0; start < (width); start += NN_MMA_DEPTH) {                                  \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
        nn_am_fetch(xs, x, x_at, x_row, x_rows, x_type, start, width);                             \
        nn_am_fetch(zs, z, z_at, z_row, z_rows, z_type, start, width);                             \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
        NN_MMA_STEP(sum, xs + warp_i * NN_MMA_LINE, zs + warp_j * NN_MMA_LINE, 0, NN_AM_DOWN,      \
                    NN_AM_ACROSS, lane)                                                            \
        NN_MMA_STEP(sum, xs + warp_i * NN_MMA_LINE, zs + warp_j * NN_MMA_LINE, 1, NN_AM_DOWN,      \
                    NN_AM_ACROSS, lane)                                                            \
    }

/* sum += the weights times columns [first, first + 64) of `z_rows` rows of z. apart: 1 if numbers
   of z that are not finite are added apart. 0: the weights of rows with such numbers are NaN or 0,
   so that zeros in their place change nothing. (The factor odd_numbers[0] is 1. It keeps compilers
   from computing these rare addresses ahead, for which there are no registers.) */
#define NN_AM_SPREAD(sum, z, z_at, z_row, z_rows, z_type, first, width, apart)                     \
    _Pragma("unroll 1") for (int t = 0; t < NN_AM_TURNS; t++) {                                    \
        if (item == 0) odd_numbers[0] = 0;                                                         \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
        if (nn_am_fetch_columns(zs, z, z_at, z_row, z_rows, z_type, t * NN_MMA_DEPTH, first,       \
                                width))                                                            \
            odd_numbers[0] = 1;                                                                    \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
        NN_MMA_STEP(sum, weights + t * NN_AM_BLOCK + warp_i * NN_MMA_LINE,                         \
                    zs + warp_j * NN_MMA_LINE, 0, NN_AM_DOWN, NN_AM_ACROSS,                        \
                    nn_mma_item() % NN_MMA_LANES)                                                  \
        NN_MMA_STEP(sum, weights + t * NN_AM_BLOCK + warp_i * NN_MMA_LINE,                         \
                    zs + warp_j * NN_MMA_LINE, 1, NN_AM_DOWN, NN_AM_ACROSS,                        \
                    nn_mma_item() % NN_MMA_LANES)                                                  \
        for (int r = t * NN_MMA_DEPTH;                                                             \
             (apart) && odd_numbers[0] && r < min((t + 1) * NN_MMA_DEPTH, z_rows); r++) {          \
            NN_AM_FOR_SUMS(if ((first) + column < (width)) {                                       \
                const float value = nn_attention_load(                                             \
                    z, (z_at) + (ulong)r * (z_row) + (ulong)((first) + column * odd_numbers[0]),   \
                    z_type);                                                                       \
                const float weight = nn_am_weight(weights, row, r);                                \
                if (!isfinite(value) && weight != 0.0f) NN_AM_SUM(sum) += weight * value;          \
            })                                                                                     \
        }                                                                                          \
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                           \
    }

#define NN_AM_STORE(y, y_at, y_row, rows_, first, width, sum, factor, type)                        \
    NN_AM_FOR_SUMS(if (row < (rows_) && (first) + column < (width)) nn_attention_put(              \
                       y, (y_at) + (ulong)row * (y_row) + (ulong)((first) + column),               \
                       NN_AM_SUM(sum) * (factor), type);)

#define NN_AM_GROUP NN_MMA_SUB_GROUP __attribute__((reqd_work_group_size(NN_AM_ITEMS, 1, 1)))
#define NN_AM_LOCAL                                                                                \
    __local uint4 room[NN_AM_BLOCK / 4 * (4 + 2)];                                                 \
    __local int odd_numbers[1];                                                                    \
    NN_MMA_LOCAL(NN_AM_ITEMS, NN_AM_DOWN, NN_AM_ACROSS)                                            \
    __local uint *const weights = (__local uint *)room, *const xs = weights + 4 * NN_AM_BLOCK,     \
                               *const zs = xs + NN_AM_BLOCK;                                       \
    const int item = (int)get_local_id(0), lane = item % NN_MMA_LANES,                             \
              warp = item / NN_MMA_LANES,                                                          \
              warp_i = warp / NN_AM_WARPS_X * (NN_AM_DOWN * NN_MMA_HIGH),                          \
              warp_j = warp % NN_AM_WARPS_X * (NN_AM_ACROSS * NN_MMA_WIDE)
#define NN_AM_SUMS(name) float name[NN_AM_DOWN][NN_AM_ACROSS][NN_MMA_SUMS]
#define NN_AM_BLOCKS(rows) (((rows) + NN_AM_ROWS - 1) / NN_AM_ROWS)

/* Applies dropout to the weights of a tile, after a barrier. */
#define NN_AM_FOR_DROPPED(i, j)                                                                    \
    _Pragma("unroll 1") for (int c = 0; c < 16 && a.dropout > 0.0f; c++)                           \
        nn_am_put_weight(weights, own_row, 16 * own_part + c,                                      \
                         nn_am_weight(weights, own_row, 16 * own_part + c) *                       \
                             nn_attention_kept(&a, n, h, (i) + own_row,                            \
                                               (j) + 16 * own_part + c));

/* Groups: blocks of 64 queries. */
__kernel NN_AM_GROUP void
nn_attention_forward_mma(__global float *y, ulong y_offset, __global float *log_sum,
                         ulong log_sum_offset, __global uint *status, ulong status_offset,
                         uint step, NN_ATTENTION_ARGUMENTS) {
    NN_AM_LOCAL;
    __local float most[NN_AM_ROWS], factors[NN_AM_ROWS], sums[NN_AM_ROWS], parts[NN_AM_ITEMS];
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_group_id(0), blocks = NN_AM_BLOCKS(a.L);
    NN_ATTENTION_HEAD(unit / blocks / a.H, unit / blocks % a.H);
    const int i = unit % blocks * NN_AM_ROWS, rows = min(NN_AM_ROWS, a.L - i);
    const int2 range = nn_attention_range(&a, own_starts, at, keys, i, NN_AM_ROWS);
    const int own_row = item % NN_AM_ROWS, own_part = item / NN_AM_ROWS; /* of softmax */
    if (unit == 0 && item == 0)
        nn_attention_report(&a, lengths ? lengths + lengths_offset : 0,
                            positions ? positions + positions_offset : 0, status, status_offset,
                            step);
    if (h == 0 && item < rows)
        nn_attention_report_start(own_starts, i + item, a.S, status, status_offset, step);
    for (int first = 0; first < a.V; first += NN_AM_ROWS) {
        NN_AM_SUMS(s);
        NN_AM_SUMS(sum);
        NN_AM_FOR_SUMS((void)row; (void)column; NN_AM_SUM(sum) = 0.0f;)
        if (item < NN_AM_ROWS) most[item] = -INFINITY, sums[item] = 0.0f;
        for (int j = range.x; j < range.y; j += NN_AM_ROWS) {
            const int count = min(NN_AM_ROWS, range.y - j);
            NN_AM_TILE(s, q, q_at + (ulong)i * q_row, q_row, rows, NN_ATTENTION_Q, k,
                       k_at + (ulong)j * k_row, k_row, count, a.k_type, a.E)
            NN_AM_PUT_SCORES(s)
            NN_AM_FOR_SCORES(weights[place] = as_uint(nn_attention_masked(
                                 &a, score, own_mask, own_starts, slope, at, keys, i + row,
                                 j + column));)
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            float p[16], larger = -INFINITY, total = 0.0f;
            NN_MMA_UNROLL
            for (int c = 0; c < 16; c++) {
                p[c] = as_float(weights[NN_AM_SCORE(own_row, 16 * own_part + c)]);
                larger = p[c] > larger ? p[c] : larger;
            }
            parts[item] = larger;
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all scores are in registers */
            larger = most[own_row];
            for (int c = own_row; c < NN_AM_ITEMS; c += NN_AM_ROWS)
                larger = parts[c] > larger ? parts[c] : larger;
            const float shift = larger == -INFINITY ? 0.0f : larger,
                        factor = exp(most[own_row] - shift);
            NN_MMA_UNROLL
            for (int c = 0; c < 16; c++) {
                p[c] = exp(p[c] - shift);
                total += p[c];
                nn_am_put_weight(weights, own_row, 16 * own_part + c, p[c]);
            }
            NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* most and parts were read */
            parts[item] = total;
            if (own_part == 0) most[own_row] = larger, factors[own_row] = factor;
            NN_AM_FOR_DROPPED(i, j)
            NN_BARRIER(CLK_LOCAL_MEM_FENCE);
            if (own_part == 0) {
                total = sums[own_row] * factor;
                for (int c = own_row; c < NN_AM_ITEMS; c += NN_AM_ROWS) total += parts[c];
                sums[own_row] = total;
            }
            NN_AM_FOR_SUMS((void)column; NN_AM_SUM(sum) *= factors[row];)
            NN_AM_SPREAD(sum, v, v_at + (ulong)j * v_row, v_row, count, a.v_type, first, a.V,
                         1)
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        NN_AM_STORE(y, y_offset + y_at + (ulong)i * y_row, y_row, rows, first, a.V, sum,
                    (sums[row] == 0.0f ? 0.0f : 1.0f / sums[row]), NN_ATTENTION_Y)
        if (log_sum && first == 0 && item < rows)
            log_sum[log_sum_offset + ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L +
                    (ulong)(i + item)] =
                sums[item] == 0.0f ? INFINITY : most[item] + log(sums[item]);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
}

/* Replaces the scores by their weights; the weight of a dropped score is negative. qi, kj: query
   and key. */
#define NN_AM_WEIGH(s, qi, kj, inside)                                                             \
    NN_AM_PUT_SCORES(s)                                                                            \
    NN_AM_FOR_SCORES(float weight = 0.0f; if (inside) {                                            \
        weight = exp(nn_attention_masked(&a, score, own_mask, own_starts, slope, at, keys, qi,     \
                                         kj) -                                                     \
                     log_sum[log_sum_offset + line + (ulong)(qi)]);                                \
        if (a.dropout > 0.0f && nn_attention_kept(&a, n, h, qi, kj) == 0.0f) weight = -weight;     \
    } weights[place] = as_uint(weight);)
/* Sets s to the weights with dropout, and dp to the gradients of the scores. query: the number of
   the query in the tile, whose delta is in local memory. */
#define NN_AM_SLOPES(s, dp, query)                                                                 \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);                                                               \
    NN_AM_FOR_SUMS(const float weight = as_float(weights[NN_AM_SCORE(row, column)]);               \
                   const float kept = weight > 0.0f ? 1.0f / (1.0f - a.dropout) : 0.0f;            \
                   NN_AM_SUM(dp) = weight == 0.0f ? 0.0f                                           \
                                                  : fabs(weight) *                                 \
                                                        (NN_AM_SUM(dp) * kept - deltas[query]) *   \
                                                        a.scale;                                   \
                   NN_AM_SUM(s) = fabs(weight) * kept;)                                            \
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
#define NN_AM_PUT(from)                                                                            \
    NN_AM_FOR_SUMS(nn_am_put_weight(weights, row, column, NN_AM_SUM(from));)
/* Loads delta of `count` queries from number `from` on. */
#define NN_AM_DELTAS(from, count)                                                                  \
    if (item < (count)) deltas[item] = delta[delta_offset + line + (ulong)((from) + item)];

/* Groups: blocks of 64 queries. delta is read. */
__kernel NN_AM_GROUP void
nn_attention_dq_mma(__global float *dq, ulong dq_offset, const __global float *dy, ulong dy_offset,
                    const __global float *log_sum, ulong log_sum_offset,
                    const __global float *delta, ulong delta_offset, NN_ATTENTION_ARGUMENTS) {
    NN_AM_LOCAL;
    __local float deltas[NN_AM_ROWS];
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_group_id(0), blocks = NN_AM_BLOCKS(a.L);
    NN_ATTENTION_HEAD(unit / blocks / a.H, unit / blocks % a.H);
    const int i = unit % blocks * NN_AM_ROWS, rows = min(NN_AM_ROWS, a.L - i);
    const int2 range = nn_attention_range(&a, own_starts, at, keys, i, NN_AM_ROWS);
    const ulong line = ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L;
    for (int first = 0; first < a.E; first += NN_AM_ROWS) {
        NN_AM_SUMS(s);
        NN_AM_SUMS(dp);
        NN_AM_SUMS(sum);
        NN_AM_FOR_SUMS((void)row; (void)column; NN_AM_SUM(sum) = 0.0f;)
        for (int j = range.x; j < range.y; j += NN_AM_ROWS) {
            const int count = min(NN_AM_ROWS, range.y - j);
            NN_AM_TILE(s, q, q_at + (ulong)i * q_row, q_row, rows, NN_ATTENTION_Q, k,
                       k_at + (ulong)j * k_row, k_row, count, a.k_type, a.E)
            NN_AM_WEIGH(s, i + row, j + column, row < rows && column < count)
            NN_AM_DELTAS(i, rows)
            NN_AM_TILE(dp, dy, dy_offset + y_at + (ulong)i * y_row, y_row, rows,
                       NN_ATTENTION_DY, v, v_at + (ulong)j * v_row, v_row, count, a.v_type, a.V)
            NN_AM_SLOPES(s, dp, row)
            NN_AM_PUT(dp)
            NN_AM_SPREAD(sum, k, k_at + (ulong)j * k_row, k_row, count, a.k_type, first, a.E, 0)
        }
        NN_AM_STORE(dq, dq_offset + dq_at + (ulong)i * dq_row, dq_row, rows, first, a.E,
                    sum, 1.0f, 0)
    }
}

/* Groups: blocks of 64 keys. */
__kernel NN_AM_GROUP void
nn_attention_dkv_mma(__global float *dk, ulong dk_offset, __global float *dv, ulong dv_offset,
                     const __global float *dy, ulong dy_offset, const __global float *log_sum,
                     ulong log_sum_offset, const __global float *delta, ulong delta_offset,
                     NN_ATTENTION_ARGUMENTS) {
    NN_AM_LOCAL;
    __local float deltas[NN_AM_ROWS];
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_group_id(0), blocks = NN_AM_BLOCKS(a.S);
    const int j = unit % blocks * NN_AM_ROWS, head = unit / blocks % a.K, group = a.H / a.K;
    const int rows = min(NN_AM_ROWS, a.S - j);
    for (int first = 0; first < max(a.E, a.V); first += NN_AM_ROWS) {
        NN_AM_SUMS(s);
        NN_AM_SUMS(dp);
        NN_AM_SUMS(keys_sum);
        NN_AM_SUMS(values_sum);
        NN_AM_FOR_SUMS((void)row; (void)column; NN_AM_SUM(keys_sum) = 0.0f;
                       NN_AM_SUM(values_sum) = 0.0f;)
        for (int g = 0; g < group; g++) {
            NN_ATTENTION_HEAD(unit / blocks / a.K, head * group + g);
            const ulong line = ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L;
            const int2 range = nn_attention_range_back(&a, own_starts, at, keys, j, NN_AM_ROWS);
            for (int i = range.x; i < range.y; i += NN_AM_ROWS) {
                const int count = min(NN_AM_ROWS, range.y - i);
                NN_AM_TILE(s, k, k_at + (ulong)j * k_row, k_row, rows, a.k_type, q,
                           q_at + (ulong)i * q_row, q_row, count, NN_ATTENTION_Q, a.E)
                NN_AM_WEIGH(s, i + column, j + row, row < rows && column < count)
                NN_AM_DELTAS(i, count)
                NN_AM_TILE(dp, v, v_at + (ulong)j * v_row, v_row, rows, a.v_type, dy,
                           dy_offset + y_at + (ulong)i * y_row, y_row, count, NN_ATTENTION_DY, a.V)
                NN_AM_SLOPES(s, dp, column)
                NN_AM_PUT(dp)
                NN_AM_SPREAD(keys_sum, q, q_at + (ulong)i * q_row, q_row, count,
                             NN_ATTENTION_Q, first, a.E, 0)
                NN_AM_PUT(s)
                NN_AM_SPREAD(values_sum, dy, dy_offset + y_at + (ulong)i * y_row, y_row, count,
                             NN_ATTENTION_DY, first, a.V, 1)
            }
            if (g < group - 1) continue;
            if (dk)
                NN_AM_STORE(dk, dk_offset + dk_at + (ulong)j * dk_row, dk_row, rows,
                            first, a.E, keys_sum, 1.0f, 0)
            if (dv)
                NN_AM_STORE(dv, dv_offset + dv_at + (ulong)j * dv_row, dv_row, rows,
                            first, a.V, values_sum, 1.0f, 0)
        }
    }
}
#endif
