/* kernels/update/opencl.cl - SGD, Adam, AdamW and clipping for all parameters in one launch, in
   blocks of numbers.

   A work-group takes one block, and no block spans two parameters. Nothing happens while the status
   word is set. The host computes the numbers of a step in double.

   table: the first block of each item, and the end of the last one; then, for each item, its
   offsets in the shared buffers. */

/* Returns which of the `count` items has the block. */
uint nn_update_find(const __global ulong *table, uint count, uint block) {
    uint low = 0u, high = count;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (table[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#define NN_ITEMS                                                                                   \
    __global float *p, ulong p_offset, const __global float *g, ulong g_offset, __global float *m, \
        ulong m_offset, __global float *v, ulong v_offset, const __global ulong *table, uint count
/* Sets p, g, m, v to the block's item, and [at, end) to its numbers. An absent m or v is NULL. */
#define NN_FIND                                                                                    \
    uint item = nn_update_find(table, count, block);                                               \
    const __global ulong *entry = table + count + 1u + 5u * item;                                  \
    p += p_offset + entry[0], g += g_offset + entry[1];                                            \
    m = m ? m + m_offset + entry[2] : 0, v = v ? v + v_offset + entry[3] : 0;                      \
    ulong at = (block - table[item]) * size, end = min(at + size, entry[4])
#define NN_SCALE_OF (gradient_scale ? gradient_scale[gradient_scale_offset] : 1.0f)

/* ---- Adam, AdamW ---- */

#define NN_ADAM(value, slope, moment1, moment2)                                                 \
    float d = slope * scale, x = value;                                                            \
    if (decay != 0.0f) d = d + decay * x; /* 0 * infinity would be NaN */                          \
    moment1 = moment1 * beta1 + rest1 * d;                                                         \
    moment2 = moment2 * beta2 + rest2 * (d * d);                                                   \
    value = x * shrink - rate * moment1 / (sqrt(moment2) / root + epsilon)

#define NN_ADAM_ARGUMENTS                                                                          \
    NN_ITEMS, uint block, uint size, const __global float *gradient_scale,                         \
        ulong gradient_scale_offset, const __global uint *status, ulong status_offset,             \
        float decay, float rate, float shrink, float beta1, float rest1, float beta2, float rest2, \
        float root, float epsilon

__kernel void nn_adam(NN_ADAM_ARGUMENTS) {
    if (nn_faulty(status, status_offset)) return;
    block += (uint)get_group_id(0);
    NN_FIND;
    float scale = NN_SCALE_OF;
    for (at += get_local_id(0); at < end; at += get_local_size(0)) {
        float value = p[at], moment1 = m[at], moment2 = v[at];
        NN_ADAM(value, g[at], moment1, moment2);
        p[at] = value, m[at] = moment1, v[at] = moment2;
    }
}

/* ---- SGD: m is absent without momentum ---- */

#define NN_SGD(value, slope, moment)                                                               \
    float d = slope * scale;                                                                       \
    if (decay != 0.0f) d = d + decay * value;                                                      \
    if (m) {                                                                                       \
        moment = first ? d : moment * momentum + keep * d;                                         \
        d = nesterov ? d + momentum * moment : moment;                                             \
    }                                                                                              \
    value = value - rate * d

#define NN_SGD_ARGUMENTS                                                                           \
    NN_ITEMS, uint block, uint size, const __global float *gradient_scale,                         \
        ulong gradient_scale_offset, const __global uint *status, ulong status_offset,             \
        float decay, float rate, float momentum, float keep, int nesterov, int first

__kernel void nn_sgd(NN_SGD_ARGUMENTS) {
    if (nn_faulty(status, status_offset)) return;
    block += (uint)get_group_id(0);
    NN_FIND;
    float scale = NN_SCALE_OF;
    (void)v;
    for (at += get_local_id(0); at < end; at += get_local_size(0)) {
        float value = p[at], moment = m && !first ? m[at] : 0.0f;
        NN_SGD(value, g[at], moment);
        p[at] = value;
        if (m) m[at] = moment;
    }
}

/* ---- clipping: the sum of squares of each block by 64 lanes, then the scale ---- */

#define NN_CLIP_ARGUMENTS                                                                          \
    __global float *part, ulong part_offset, const __global float *g, ulong g_offset,              \
        const __global ulong *table, uint count, uint size
#define NN_CLIP_FIND                                                                               \
    uint item = nn_update_find(table, count, block);                                               \
    const __global ulong *entry = table + count + 1u + 2u * item;                                  \
    ulong at = (block - table[item]) * size, end = min(at + size, entry[1]);                       \
    g += g_offset + entry[0]

__kernel void nn_clip_squares(NN_CLIP_ARGUMENTS) {
    uint block = (uint)get_global_id(0);
    float16 lane[4];
    NN_CLIP_FIND;
    for (int k = 0; k < 4; k++) lane[k] = (float16)(0.0f);
    for (; at + 64 <= end; at += 64)
        for (int k = 0; k < 4; k++) {
            float16 value = vload16(0, g + at + (uint)(16 * k));
            lane[k] += value * value;
        }
    for (int k = 0; at < end; k++, at += 16) {
        float16 value =
            end - at >= 16 ? vload16(0, g + at) : nn_load_tail16(g + at, (int)(end - at), 0.0f);
        lane[k] += value * value;
    }
    part[part_offset + block] = nn_lanes_sum(lane);
}

__kernel void nn_clip_squares_group(NN_CLIP_ARGUMENTS) {
    __local float lanes[NN_LANES];
    uint block = (uint)get_group_id(0);
    float sum = 0.0f;
    NN_CLIP_FIND;
    for (at += get_local_id(0); at < end; at += NN_LANES) sum += g[at] * g[at];
    sum = nn_group_sum(sum, lanes);
    if (get_local_id(0) == 0) part[part_offset + block] = sum;
}

void nn_clip_store(__global float *scale, __global float *norm, float squares, float max_norm) {
    float length = sqrt(squares), factor = max_norm / (length + 1e-6f);
    if (norm) *norm = length;
    *scale = factor > 1.0f ? 1.0f : factor; /* NaN stays */
}

__kernel void nn_clip_finish(__global float *scale, ulong scale_offset, __global float *norm,
                             ulong norm_offset, const __global float *part, ulong part_offset,
                             uint parts, float max_norm) {
    float16 lane[4];
    if (get_global_id(0) != 0) return;
    for (int k = 0; k < 4; k++) lane[k] = (float16)(0.0f);
    for (uint i = 0; i < parts; i++) ((float *)lane)[i % 64] += part[part_offset + i];
    nn_clip_store(scale + scale_offset, norm ? norm + norm_offset : 0, nn_lanes_sum(lane),
                  max_norm);
}

__kernel void nn_clip_finish_group(__global float *scale, ulong scale_offset, __global float *norm,
                                   ulong norm_offset, const __global float *part, ulong part_offset,
                                   uint parts, float max_norm) {
    __local float lanes[NN_LANES];
    float sum = 0.0f;
    for (uint i = (uint)get_local_id(0); i < parts; i += NN_LANES) sum += part[part_offset + i];
    sum = nn_group_sum(sum, lanes);
    if (get_local_id(0) == 0)
        nn_clip_store(scale + scale_offset, norm ? norm + norm_offset : 0, sum, max_norm);
}
#undef NN_ITEMS
#undef NN_FIND
#undef NN_CLIP_ARGUMENTS
#undef NN_CLIP_FIND
#undef NN_SCALE_OF
#undef NN_ADAM
#undef NN_ADAM_ARGUMENTS
#undef NN_SGD
#undef NN_SGD_ARGUMENTS
