/* kernels/attention/opencl.cl - attention and its gradients. The "rows" kernels are for CPUs: a
   work-item takes sixteen queries (or keys) of a head as the lanes of a vector and loops over the
   other side, without barriers. The "tiles" kernels are for GPUs: a work-group of NN_ATTENTION_SIDE
   x NN_ATTENTION_SIDE takes 2 NN_ATTENTION_SIDE rows against square tiles.

   For tiles and matrix units: NN_ATTENTION_HALVES: some operands are f16 (type 1) or bf16 (type 2).
   For tiles only: NN_ATTENTION_SIDE: 16 or 8. NN_ATTENTION_WIDE: columns of a work-group.
   kernels/attention/args.h defines the masks, dropout and the order of a row's positions. */

/* Storage of q, dy and y: 0 f32, 1 f16, 2 bf16. 0 except in tiles and on matrix units. */
#ifndef NN_ATTENTION_Q
#define NN_ATTENTION_Q 0
#endif
#ifndef NN_ATTENTION_DY
#define NN_ATTENTION_DY 0
#endif
#ifndef NN_ATTENTION_Y
#define NN_ATTENTION_Y 0
#endif
float nn_attention_load(const __global float *x, ulong at, int type) {
    (void)type; /* unused if all are floats */
#if defined(NN_ATTENTION_HALVES) ||                                                                \
    !(defined(NN_ATTENTION_SIDE) || defined(NN_ATTENTION_FEW) || defined(NN_MMA))
    if (type == 1) return vload_half(at, (const __global half *)x);
    if (type == 2) return as_float((uint)((const __global ushort *)x)[at] << 16);
#endif
    return x[at];
}
void nn_attention_put(__global float *y, ulong at, float value, int type) {
    (void)type;
#ifdef NN_ATTENTION_HALVES
    if (type == 1) {
        vstore_half_rte(value, at, (__global half *)y);
        return;
    }
    if (type == 2) {
        ((__global ushort *)y)[at] = nn_round_bf16(value);
        return;
    }
#endif
    y[at] = value;
}

/* All arguments that are not arrays. */
typedef struct nn_attention_numbers {
    /* first: the first unit of this launch */
    int N, H, K, L, S, E, V, offset, window, causal, inside, alibi, first;
    int q_row, k_row, v_row; /* numbers from one position to the next */
    int dq_row, dk_row, dv_row; /* of the gradients */
    /* kind 1: f32, 2: u8; the others are strides */
    int mask_kind, mask_sample, mask_head, mask_query, mask_key;
    int k_type, v_type;
    float scale, dropout;
    ulong seed, stream, counter;
} nn_attention_numbers;

#define NN_ATTENTION_ARGUMENTS                                                                     \
    const __global float *q, ulong q_offset, const __global float *k, ulong k_offset,              \
        const __global float *v, ulong v_offset, const __global uchar *mask, ulong mask_offset,    \
        const __global int *lengths, ulong lengths_offset, const __global int *positions,          \
        ulong positions_offset, const __global int *starts, ulong starts_offset, int16 shape,      \
        int16 more, float scale, float dropout
#define NN_ATTENTION_NUMBERS                                                                       \
    const nn_attention_numbers a = {shape.s0,                                                      \
                                    shape.s1,                                                      \
                                    shape.s2,                                                      \
                                    shape.s3,                                                      \
                                    shape.s4,                                                      \
                                    shape.s5,                                                      \
                                    shape.s6,                                                      \
                                    shape.s7,                                                      \
                                    shape.s8,                                                      \
                                    shape.s9,                                                      \
                                    shape.sa,                                                      \
                                    shape.sb,                                                      \
                                    shape.sc,                                                      \
                                    shape.sd,                                                      \
                                    shape.se,                                                      \
                                    shape.sf,                                                      \
                                    more.sd,                                                       \
                                    more.se,                                                       \
                                    more.sf,                                                       \
                                    more.s0,                                                       \
                                    more.s1,                                                       \
                                    more.s2,                                                       \
                                    more.s3,                                                       \
                                    more.s4,                                                       \
                                    more.sb,                                                       \
                                    more.sc,                                                       \
                                    scale,                                                         \
                                    dropout,                                                       \
                                    NN_ATTENTION_LONG(more.s5, more.s6),                           \
                                    NN_ATTENTION_LONG(more.s7, more.s8),                           \
                                    NN_ATTENTION_LONG(more.s9, more.sa)}
#define NN_ATTENTION_LONG(low, high) ((ulong)(uint)(low) | (ulong)(uint)(high) << 32)

/* Adds the offsets, and defines the names that a head needs. */
#define NN_ATTENTION_HEAD(sample, query_head)                                                      \
    const int n = sample, h = query_head;                                                          \
    const ulong q_row = (ulong)a.q_row, k_row = (ulong)a.k_row, v_row = (ulong)a.v_row,            \
                y_row = a.inside ? (ulong)a.H * (ulong)a.V : (ulong)a.V;                           \
    const ulong q_at = q_offset + nn_attention_first(&a, n, h, a.H, a.L, a.E, a.q_row),            \
                k_at = k_offset +                                                                  \
                       nn_attention_first(&a, n, h / (a.H / a.K), a.K, a.S, a.E, a.k_row),         \
                v_at = v_offset +                                                                  \
                       nn_attention_first(&a, n, h / (a.H / a.K), a.K, a.S, a.V, a.v_row),         \
                y_at = nn_attention_first(&a, n, h, a.H, a.L, a.V, (int)y_row);                    \
    const ulong dq_row = (ulong)a.dq_row, dk_row = (ulong)a.dk_row, dv_row = (ulong)a.dv_row;      \
    const ulong dq_at = nn_attention_first(&a, n, h, a.H, a.L, a.E, a.dq_row),                     \
                dk_at = nn_attention_first(&a, n, h / (a.H / a.K), a.K, a.S, a.E, a.dk_row),       \
                dv_at = nn_attention_first(&a, n, h / (a.H / a.K), a.K, a.S, a.V, a.dv_row);       \
    const int at = positions ? positions[positions_offset + n] : a.offset;                         \
    const int keys = nn_attention_keys(&a, n, positions ? at : 0, lengths, lengths_offset);        \
    const float slope = a.alibi ? nn_attention_slope(h, a.H) : 0.0f;                               \
    const __global uchar *own_mask = nn_attention_own_mask(&a, mask, mask_offset, n, h);           \
    const __global int *own_starts =                                                               \
        starts ? starts + starts_offset + (ulong)n * (ulong)a.L : starts;                          \
    (void)q_row, (void)k_row, (void)v_row, (void)y_row, (void)q_at, (void)k_at, (void)v_at,        \
        (void)y_at, (void)own_mask, (void)own_starts, (void)dq_row, (void)dk_row, (void)dv_row,    \
        (void)dq_at, (void)dk_at, (void)dv_at

/* Returns the place of a head's first row. row: numbers from one position to the next. */
ulong nn_attention_first(const nn_attention_numbers *a, int n, int h, int heads, int rows,
                         int width, int row) {
    return a->inside ? (ulong)n * (ulong)rows * (ulong)row + (ulong)h * (ulong)width
                     : ((ulong)n * (ulong)heads + (ulong)h) * (ulong)rows * (ulong)width;
}
bool nn_attention_fits(int S, int position, int length) {
    return position >= 0 && position <= S && length >= 0 && length <= S;
}
int nn_attention_keys(const nn_attention_numbers *a, int n, int position,
                      const __global int *lengths, ulong lengths_offset) {
    const int length = lengths ? lengths[lengths_offset + n] : a->S;
    return nn_attention_fits(a->S, position, length) ? length : 0;
}
float nn_attention_slope(int h, int H) {
    int power = 1;
    while (2 * power <= H) power *= 2;
    return exp2(h < power ? -8.0f * (float)(h + 1) / (float)power
                          : -4.0f * (float)(2 * (h - power) + 1) / (float)power);
}
const __global uchar *nn_attention_own_mask(const nn_attention_numbers *a,
                                            const __global uchar *mask, ulong offset, int n,
                                            int h) {
    const ulong at = offset + (ulong)n * (ulong)a->mask_sample + (ulong)h * (ulong)a->mask_head;
    return mask ? mask + (a->mask_kind == 1 ? 4 * at : at) : mask;
}

/* Returns the score plus bias, or -infinity if key j is masked for query i. starts: the sample's.
   Taken as unsigned, a negative start lies after all keys. */
float nn_attention_masked(const nn_attention_numbers *a, float score, const __global uchar *mask,
                          const __global int *starts, float slope, int at, int keys, int i, int j) {
    const int distance = at + i - j;
    if (i >= a->L || j >= keys || (a->causal && distance < 0)) return -INFINITY;
    if (starts && (uint)j < (uint)starts[i]) return -INFINITY;
    if (a->window && (distance >= a->window || -distance >= a->window)) return -INFINITY;
    if (a->mask_kind) {
        const ulong where = (ulong)i * (ulong)a->mask_query + (ulong)j * (ulong)a->mask_key;
        if (a->mask_kind == 2 && !mask[where]) return -INFINITY;
        if (a->mask_kind == 1) {
            const float more = ((const __global float *)mask)[where];
            if (more == -INFINITY) return more;
            score += more;
        }
    }
    return a->alibi ? score - slope * fabs((float)distance) : score;
}

/* Returns the factor that dropout puts on the weight of query i and key j. */
float nn_attention_kept(const nn_attention_numbers *a, int n, int h, int i, int j) {
    const ulong row = ((ulong)n * (ulong)a->H + (ulong)h) * (ulong)a->S + (ulong)j;
    const uint4 words = nn_random_words(a->seed, a->stream,
                                        a->counter + row * (ulong)((a->L + 3) / 4) + (ulong)i / 4);
    const int place = i & 3;
    const uint word = place == 0 ? words.x : place == 1 ? words.y : place == 2 ? words.z : words.w;
    if (nn_word_to_uniform(word) < a->dropout) return 0.0f;
    return 1.0f / (1.0f - a->dropout);
}

/* Returns the keys [x, y) that queries [i, i + rows) can attend to, by position, length and
   start. */
int2 nn_attention_range(const nn_attention_numbers *a, const __global int *starts, int at, int keys,
                        int i, int rows) {
    const long first = (long)at + i, last = (long)at + min(i + rows, a->L) - 1;
    long from = 0, to = keys;
    if (a->window) from = max(0L, first - a->window + 1);
    if (a->window && !a->causal) to = min(to, last + a->window);
    if (a->causal) to = min(to, last + 1);
    if (starts && i < a->L) {
        uint start = (uint)starts[i];
        for (int c = i + 1; c < min(i + rows, a->L); c++) start = min(start, (uint)starts[c]);
        from = max(from, (long)start);
    }
    to = max(to, 0L);
    return (int2)((int)min(from, to), (int)to);
}
/* Returns the queries [x, y) that can attend to keys [j, j + rows). */
int2 nn_attention_range_back(const nn_attention_numbers *a, const __global int *starts, int at,
                             int keys, int j, int rows) {
    const long last = min(j + rows, keys) - 1;
    long from = 0, to = j < keys ? a->L : 0;
    if (a->causal) from = (long)j - at;
    if (a->window && !a->causal) from = (long)j - a->window + 1 - at;
    if (a->window) to = min(to, last + a->window - at);
    from = max(from, 0L);
    /* skip queries that start after these keys */
    while (starts && to > from && (uint)starts[to - 1] > (uint)last) to--;
    to = max(to, from);
    return (int2)((int)from, (int)to);
}

/* Called by one work-item. A sample that does not fit sets the status word. */
void nn_attention_report(const nn_attention_numbers *a, const __global int *lengths,
                         const __global int *positions, __global uint *status, ulong status_offset,
                         uint step) {
    for (int n = 0; n < a->N; n++)
        if (!nn_attention_fits(a->S, positions ? positions[n] : 0, lengths ? lengths[n] : 0)) {
            nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
            return;
        }
}

/* Reports a start of query i that is out of range. All work-items write the same value. */
void nn_attention_report_start(const __global int *starts, int i, int S, __global uint *status,
                               ulong status_offset, uint step) {
    if (starts && (starts[i] < 0 || starts[i] > S))
        nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
}

/* delta (N, H, L) = dy . y */
__kernel void nn_attention_delta(__global float *delta, ulong delta_offset,
                                 const __global float *dy, ulong dy_offset, const __global float *y,
                                 ulong y_offset, int H, int L, int V, int inside, ulong count) {
    const ulong row = get_global_id(0);
    ulong at = row;
    float sum = 0.0f;
    if (row >= count) return;
    if (inside) /* row is (n, h, i), the position is (n, i, h) */
        at = (row / ((ulong)H * (ulong)L) * (ulong)L + row % (ulong)L) * (ulong)H +
             row / (ulong)L % (ulong)H;
    at *= (ulong)V;
    for (int c = 0; c < V; c++)
        sum += nn_attention_load(dy, dy_offset + at + c, NN_ATTENTION_DY) *
               nn_attention_load(y, y_offset + at + c, NN_ATTENTION_Y);
    delta[delta_offset + row] = sum;
}

/* A work-item sums one number of the mask's gradient over all scores to which it was added. extent:
   that of the mask. a.first: the first number. */
__kernel void nn_attention_dmask(__global float *dmask, ulong dmask_offset,
                                 const __global float *dy, ulong dy_offset,
                                 const __global float *log_sum, ulong log_sum_offset,
                                 const __global float *delta, ulong delta_offset, int4 extent,
                                 int count, NN_ATTENTION_ARGUMENTS) {
    NN_ATTENTION_NUMBERS;
    const int place = a.first + (int)get_global_id(0);
    if ((int)get_global_id(0) >= count) return;
    const int mj = place % extent.s3, mi = place / extent.s3 % extent.s2;
    const int mh = place / extent.s3 / extent.s2 % extent.s1,
              mn = place / extent.s3 / extent.s2 / extent.s1;
    float sum = 0.0f;
    for (int sample = mn; sample < (extent.s0 > 1 ? mn + 1 : a.N); sample++)
        for (int head = mh; head < (extent.s1 > 1 ? mh + 1 : a.H); head++) {
            NN_ATTENTION_HEAD(sample, head);
            const ulong line = ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L;
            for (int i = mi; i < (extent.s2 > 1 ? mi + 1 : a.L); i++) {
                const int2 range = nn_attention_range(&a, own_starts, at, keys, i, 1);
                const ulong q_from = q_at + (ulong)i * q_row, y_from = y_at + (ulong)i * y_row;
                const int end = extent.s3 > 1 ? min(mj + 1, range.y) : range.y;
                for (int j = max(mj, range.x); j < end; j++) {
                    const ulong k_from = k_at + (ulong)j * k_row, v_from = v_at + (ulong)j * v_row;
                    float s = 0.0f, dp = 0.0f;
                    for (int e = 0; e < a.E; e++)
                        s += q[q_from + (ulong)e] *
                             nn_attention_load(k, k_from + (ulong)e, a.k_type);
                    s = nn_attention_masked(&a, s * a.scale, own_mask, own_starts, slope, at, keys,
                                            i, j);
                    const float weight = exp(s - log_sum[log_sum_offset + line + (ulong)i]);
                    if (weight == 0.0f) continue;
                    for (int e = 0; e < a.V; e++)
                        dp += dy[dy_offset + y_from + (ulong)e] *
                              nn_attention_load(v, v_from + (ulong)e, a.v_type);
                    if (a.dropout > 0.0f) dp *= nn_attention_kept(&a, n, h, i, j);
                    sum += weight * (dp - delta[delta_offset + line + (ulong)i]);
                }
            }
        }
    dmask[dmask_offset + (ulong)place] = sum;
}

#if !defined(NN_ATTENTION_SIDE) && !defined(NN_ATTENTION_FEW) && !defined(NN_MMA)

/* ---- rows: sixteen at once, in the lanes of a vector ----------------------------------------- */

/* Transposes rows [i, i + 16) of a matrix: column e goes to the 16 numbers from 16 e on. Rows
   beyond the last are 0. */
void nn_attention_turn(__global float *to, const __global float *x, ulong at, ulong row, int i,
                       int rows, int width, float scale, int type) {
    for (int e = 0; e < width; e++)
        _Pragma("unroll 1") for (int l = 0; l < 16; l++) to[16 * e + l] =
            i + l < rows ? nn_attention_load(x, at + (ulong)(i + l) * row + (ulong)e, type) * scale
                         : 0.0f;
}
void nn_attention_return(__global float *y, ulong at, ulong row, int i, int rows, int width,
                         const __global float *from) {
    for (int l = 0; l < 16 && i + l < rows; l++)
        for (int e = 0; e < width; e++) y[at + (ulong)(i + l) * row + (ulong)e] = from[16 * e + l];
}
void nn_attention_clear(__global float *to, int width) {
    for (int e = 0; e < width; e++) vstore16((float16)(0.0f), e, to);
}
/* Adds the weights times numbers [0, width) of a row to `to`. A weight of 0 adds nothing, whatever
   its factor is. */
void nn_attention_add(__global float *to, const float16 *weights, const __global float *x, ulong at,
                      int width, int type) {
    const float16 by = *weights;
    const int16 none = isequal(by, (float16)(0.0f));
    if (all(none)) return;
    _Pragma("unroll 1") for (int e = 0; e < width; e++) {
        const float number = nn_attention_load(x, at + (ulong)e, type);
        vstore16(vload16(e, to) + select(by * number, (float16)(0.0f), none), e, to);
    }
}

/* Masks the scores s of sixteen lanes (rows `lane` to `lane` + 15 of one side) and `count` rows of
   the other side (from row `other` on). queries: true if the lanes are queries, else keys. kept:
   receives dropout's factors; NULL without dropout. */
void nn_attention_scores(const nn_attention_numbers *a, float16 *s, float16 *kept,
                         const __global uchar *mask, const __global int *starts, float slope,
                         int at, int keys, int n, int h, int lane, int other, int count,
                         bool queries) {
    const bool plain = !a->causal && !a->window && !a->mask_kind && !a->alibi && !starts;
    if (plain && a->dropout == 0.0f && queries && lane + 16 <= a->L) return;
    _Pragma("unroll 1") for (int c = 0; c < 16 * count; c++) {
        const int own = lane + (c & 15), stream = other + (c >> 4);
        const int i = queries ? own : stream, j = queries ? stream : own;
        ((float *)s)[c] =
            nn_attention_masked(a, ((float *)s)[c], mask, starts, slope, at, keys, i, j);
        if (a->dropout > 0.0f) ((float *)kept)[c] = nn_attention_kept(a, n, h, i, j);
    }
}

/* work: 16 (E + V) numbers per block of a sample's head. */
__kernel void nn_attention_forward_rows(__global float *y, ulong y_offset, __global float *log_sum,
                                        ulong log_sum_offset, __global float *work,
                                        ulong work_offset, __global uint *status,
                                        ulong status_offset, uint step, NN_ATTENTION_ARGUMENTS) {
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_global_id(0), blocks = (a.L + 15) / 16;
    NN_ATTENTION_HEAD(unit / blocks / a.H, unit / blocks % a.H);
    const int i = unit % blocks * 16;
    const int2 range = nn_attention_range(&a, own_starts, at, keys, i, 16);
    __global float *turned = work + work_offset + (ulong)unit * 16 * (ulong)(a.E + a.V);
    __global float *sums = turned + 16 * a.E;
    float16 most = (float16)(-INFINITY), sum = (float16)(0.0f);
    if (unit == 0)
        nn_attention_report(&a, lengths ? lengths + lengths_offset : 0,
                            positions ? positions + positions_offset : 0, status, status_offset,
                            step);
    for (int l = i; l < min(i + 16, a.L) && h == 0; l++)
        nn_attention_report_start(own_starts, l, a.S, status, status_offset, step);
    nn_attention_turn(turned, q, q_at, q_row, i, a.L, a.E, a.scale, 0);
    nn_attention_clear(sums, a.V);
    for (int j = range.x; j < range.y; j += 4) {
        const int count = min(4, range.y - j);
        float16 s[4] = {(float16)(0.0f), (float16)(0.0f), (float16)(0.0f), (float16)(0.0f)};
        float16 kept[4] = {(float16)(1.0f), (float16)(1.0f), (float16)(1.0f), (float16)(1.0f)};
        _Pragma("unroll 1") for (int u = 0; u < count; u++) {
            const ulong from = k_at + (ulong)(j + u) * k_row;
            float16 product = (float16)(0.0f);
            _Pragma("unroll 1") for (int e = 0; e < a.E; e++) product +=
                vload16(e, turned) * nn_attention_load(k, from + (ulong)e, a.k_type);
            s[u] = product;
        }
        nn_attention_scores(&a, s, kept, own_mask, own_starts, slope, at, keys, n, h, i, j, count,
                            true);
        float16 larger = most, total = (float16)(0.0f);
        for (int u = 0; u < count; u++) larger = select(larger, s[u], isgreater(s[u], larger));
        const float16 shift =
            select(larger, (float16)(0.0f), isequal(larger, (float16)(-INFINITY)));
        const float16 factor = exp(most - shift);
        most = larger;
        if (any(isnotequal(factor, (float16)(1.0f))))
            _Pragma("unroll 1") for (int c = 0; c < a.V && j > range.x; c++)
                vstore16(vload16(c, sums) * factor, c, sums);
        _Pragma("unroll 1") for (int u = 0; u < count; u++) {
            s[u] = exp(s[u] - shift);
            total += s[u];
            s[u] *= kept[u];
            nn_attention_add(sums, &s[u], v, v_at + (ulong)(j + u) * v_row, a.V, a.v_type);
        }
        sum = sum * factor + total;
    }
    const float16 share = select(1.0f / sum, (float16)(0.0f), isequal(sum, (float16)(0.0f)));
    const float16 logs =
        select(most + log(sum), (float16)(INFINITY), isequal(sum, (float16)(0.0f)));
    for (int c = 0; c < a.V; c++) vstore16(vload16(c, sums) * share, c, sums);
    nn_attention_return(y, y_offset + y_at, y_row, i, a.L, a.V, sums);
    for (int l = 0; l < 16 && i + l < a.L && log_sum; l++)
        log_sum[log_sum_offset + ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L + (ulong)(i + l)] =
            ((const float *)&logs)[l];
}

/* Computes gradients of sixteen rows of a side: dq for queries, dk and dv for keys. own and
   own_value are q and dy for queries, k and v for keys. other and other_value belong to the other
   side, which is read row by row; for keys, once per query head of their group. work: 2 x 16 (E +
   V) numbers. */
__kernel void nn_attention_backward_rows(__global float *first, ulong first_offset,
                                         __global float *second, ulong second_offset,
                                         const __global float *dy, ulong dy_offset,
                                         const __global float *log_sum, ulong log_sum_offset,
                                         const __global float *delta, ulong delta_offset,
                                         __global float *work, ulong work_offset, int keys_side,
                                         NN_ATTENTION_ARGUMENTS) {
    NN_ATTENTION_NUMBERS;
    const int unit = a.first + (int)get_global_id(0), length = keys_side ? a.S : a.L;
    const int blocks = (length + 15) / 16, own_heads = keys_side ? a.K : a.H;
    const int group = keys_side ? a.H / a.K : 1, row = unit % blocks * 16;
    const int head = unit / blocks % own_heads;
    __global float *turned = work + work_offset + (ulong)unit * 32 * (ulong)(a.E + a.V);
    __global float *values = turned + 16 * a.E, *sums = values + 16 * a.V,
                   *more_sums = sums + 16 * a.E;
    for (int g = 0; g < group; g++) {
        NN_ATTENTION_HEAD(unit / blocks / own_heads, head * group + g);
        const ulong line = ((ulong)n * (ulong)a.H + (ulong)h) * (ulong)a.L;
        const int2 range = keys_side ? nn_attention_range_back(&a, own_starts, at, keys, row, 16)
                                     : nn_attention_range(&a, own_starts, at, keys, row, 16);
        const __global float *own = keys_side ? k : q, *own_value = keys_side ? v : dy,
                             *other = keys_side ? q : k, *other_value = keys_side ? dy : v;
        const ulong own_at = keys_side ? k_at : q_at, own_row = keys_side ? k_row : q_row;
        const ulong own_value_at = keys_side ? v_at : dy_offset + y_at,
                    own_value_row = keys_side ? v_row : y_row;
        const ulong other_at = keys_side ? q_at : k_at, other_row = keys_side ? q_row : k_row;
        const ulong other_value_at = keys_side ? dy_offset + y_at : v_at,
                    other_value_row = keys_side ? y_row : v_row;
        const int other_type = keys_side ? 0 : a.k_type,
                  other_value_type = keys_side ? 0 : a.v_type;
        float16 logs = (float16)(INFINITY), less = (float16)(0.0f);
        for (int l = 0; l < 16 && row + l < a.L && !keys_side; l++) {
            ((float *)&logs)[l] = log_sum[log_sum_offset + line + (ulong)(row + l)];
            ((float *)&less)[l] = delta[delta_offset + line + (ulong)(row + l)];
        }
        if (g == 0) {
            nn_attention_turn(turned, own, own_at, own_row, row, length, a.E, a.scale,
                              keys_side ? a.k_type : 0);
            nn_attention_turn(values, own_value, own_value_at, own_value_row, row, length, a.V,
                              1.0f, keys_side ? a.v_type : 0);
            nn_attention_clear(sums, a.E + a.V);
        }
        for (int i = range.x; i < range.y; i++) {
            float16 s = (float16)(0.0f), dp = s, p, kept = (float16)(1.0f);
            const ulong from = other_at + (ulong)i * other_row,
                        value_from = other_value_at + (ulong)i * other_value_row;
            _Pragma("unroll 1") for (int e = 0; e < a.E; e++) s +=
                vload16(e, turned) * nn_attention_load(other, from + (ulong)e, other_type);
            _Pragma("unroll 1") for (int c = 0; c < a.V; c++) dp +=
                vload16(c, values) *
                nn_attention_load(other_value, value_from + (ulong)c, other_value_type);
            nn_attention_scores(&a, &s, &kept, own_mask, own_starts, slope, at, keys, n, h, row, i,
                                1, keys_side == 0);
            if (keys_side) {
                logs = (float16)(log_sum[log_sum_offset + line + (ulong)i]);
                less = (float16)(delta[delta_offset + line + (ulong)i]);
            }
            p = exp(s - logs);
            s = select(p * (dp * kept - less) * a.scale, (float16)(0.0f),
                       isequal(p, (float16)(0.0f)));
            p *= kept;
            nn_attention_add(sums, &s, other, from, a.E, other_type);
            if (keys_side) nn_attention_add(more_sums, &p, dy, value_from, a.V, 0);
        }
        if (g < group - 1) continue;
        if (first)
            nn_attention_return(first, first_offset + (keys_side ? dk_at : dq_at),
                                keys_side ? dk_row : dq_row, row, length, a.E, sums);
        if (second)
            nn_attention_return(second, second_offset + dv_at, dv_row, row, length, a.V, more_sums);
    }
}

#endif
