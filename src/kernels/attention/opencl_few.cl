/* kernels/attention/opencl_few.cl - attention of one query per sequence on GPUs, as in decoding.
   Most of the time goes into reading the keys and values. So they are cut into as many parts as
   fill the device, each with its own work-group. Each part keeps the maximum of its scores, the sum
   of their exponentials, and the sum of the values with these weights. The macros and the arguments
   are those of opencl.cl.

   NN_ATTENTION_FEW: work-items of a group, which are also the keys of a turn. NN_ATTENTION_WIDE:
   most columns of the result. NN_ATTENTION_VECTOR: keys lie in whole groups of four.
   NN_ATTENTION_GATHER: the last work-group of a head to finish joins the parts in order. `turns`
   counts the finished work-groups, and is zero before and after the launch. Without
   NN_ATTENTION_GATHER, a launch of nn_attention_join joins the parts. */
#ifdef NN_ATTENTION_FEW
#ifndef NN_ATTENTION_GATHER
#define NN_ATTENTION_GATHER 0
#endif
#ifndef NN_ATTENTION_VECTOR
#define NN_ATTENTION_VECTOR 0
#endif

/* Makes earlier writes of this work-group visible to all others (kernels/matmul/opencl_ends.cl). */
#if defined(__NV_CL_C_VERSION) || defined(cl_nv_pragma_unroll)
#define NN_ATTENTION_FENCE __asm__ volatile("membar.gl;" ::: "memory");
#else
#define NN_ATTENTION_FENCE mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
#define NN_ATTENTION_LINES ((NN_ATTENTION_WIDE + NN_ATTENTION_FEW - 1) / NN_ATTENTION_FEW)

/* Loads four neighbours. With NN_ATTENTION_VECTOR `at` is a multiple of four. */
float4 nn_attention_four(const __global float *x, ulong at, int type) {
#if NN_ATTENTION_VECTOR
    if (type == 0) return *(const __global float4 *)(x + at);
    if (type == 1) return vload_half4(at / 4, (const __global half *)x);
    return as_float4(convert_uint4(vload4(at / 4, (const __global ushort *)x)) << 16);
#else
    return (float4)(nn_attention_load(x, at, type), nn_attention_load(x, at + 1, type),
                    nn_attention_load(x, at + 2, type), nn_attention_load(x, at + 3, type));
#endif
}

/* Joins the parts of a head. Each has `piece` numbers: values, then the maximum, then the sum. */
void nn_attention_join_head(const volatile __global float *pieces, int parts, int width,
                            __global float *y, ulong y_at, __global float *log_sum, ulong line,
                            int item) {
    const int piece = width + 2;
    float most = -INFINITY, total = 0.0f;
    for (int s = 0; s < parts; s++) most = fmax(most, pieces[s * piece + width]);
    const float base = most == -INFINITY ? 0.0f : most;
#pragma unroll 4
    for (int s = 0; s < parts; s++)
        total += pieces[s * piece + width + 1] * exp(pieces[s * piece + width] - base);
    for (int e = item; e < width; e += NN_ATTENTION_FEW) {
        float sum = 0.0f;
#pragma unroll 4
        for (int s = 0; s < parts; s++)
            sum += pieces[s * piece + e] * exp(pieces[s * piece + width] - base);
        nn_attention_put(y, y_at + (ulong)e, total == 0.0f ? 0.0f : sum / total, NN_ATTENTION_Y);
    }
    if (log_sum && item == 0) log_sum[line] = total == 0.0f ? INFINITY : most + log(total);
}

/* Groups: parts, heads of all samples. */
__kernel __attribute__((reqd_work_group_size(NN_ATTENTION_FEW, 1, 1))) void
nn_attention_few(__global float *y, ulong y_offset, __global float *log_sum, ulong log_sum_offset,
                 __global uint *status, ulong status_offset, uint step, __global float *pieces,
                 ulong pieces_offset, volatile __global uint *turns, NN_ATTENTION_ARGUMENTS) {
    __local float4 query[NN_ATTENTION_WIDE / 4];
    __local float weights[NN_ATTENTION_FEW], line[NN_ATTENTION_FEW];
    __local float *const places = (__local float *)query;
    __local int last[1];
    NN_ATTENTION_NUMBERS;
    const int item = (int)get_local_id(0), part = (int)get_group_id(0),
              parts = (int)get_num_groups(0), unit = a.first + (int)get_group_id(1);
    NN_ATTENTION_HEAD(unit / a.H, unit % a.H);
    const int2 range = nn_attention_range(&a, own_starts, at, keys, 0, 1);
    const int each = ((range.y - range.x + parts - 1) / parts + NN_ATTENTION_FEW - 1) /
                     NN_ATTENTION_FEW * NN_ATTENTION_FEW,
              from = range.x + part * each, end = min(range.y, from + each);
    float most = -INFINITY, total = 0.0f, sum[NN_ATTENTION_LINES];
    __global float *own = pieces + pieces_offset + (ulong)unit * (ulong)(parts * (a.V + 2));
    if (unit == 0 && part == 0 && item == 0)
        nn_attention_report(&a, lengths ? lengths + lengths_offset : 0,
                            positions ? positions + positions_offset : 0, status, status_offset,
                            step);
    if (h == 0 && part == 0 && item == 0)
        nn_attention_report_start(own_starts, 0, a.S, status, status_offset, step);
    for (int e = item; e < a.E; e += NN_ATTENTION_FEW)
        places[e] = nn_attention_load(q, q_at + (ulong)e, NN_ATTENTION_Q) * a.scale;
#pragma unroll
    for (int c = 0; c < NN_ATTENTION_LINES; c++) sum[c] = 0.0f;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int j0 = from; j0 < end; j0 += NN_ATTENTION_FEW) {
        const int count = min(NN_ATTENTION_FEW, end - j0), j = j0 + min(item, count - 1);
        const ulong k_from = k_at + (ulong)j * k_row;
        float score = 0.0f, larger = most, factor, more = 0.0f;
#pragma unroll 8
        for (int e = 0; e < a.E / 4; e++) {
            const float4 p = query[e], r = nn_attention_four(k, k_from + (ulong)(4 * e), a.k_type);
            score += p.x * r.x + p.y * r.y + p.z * r.z + p.w * r.w;
        }
        for (int e = a.E / 4 * 4; e < a.E; e++)
            score += places[e] * nn_attention_load(k, k_from + (ulong)e, a.k_type);
        score = item < count
                    ? nn_attention_masked(&a, score, own_mask, own_starts, slope, at, keys, 0, j)
                    : -INFINITY;
        line[item] = score;
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (int s = 0; s < count; s++) larger = fmax(larger, line[s]);
        factor = larger == -INFINITY ? 0.0f : exp(most - larger);
        most = larger;
        weights[item] = score == -INFINITY ? 0.0f : exp(score - most);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
        for (int s = 0; s < count; s++) more += weights[s];
        total = total * factor + more;
#pragma unroll
        for (int c = 0; c < NN_ATTENTION_LINES; c++) {
            const int e = min(c * NN_ATTENTION_FEW + item, a.V - 1);
            const ulong v_from = v_at + (ulong)j0 * v_row + (ulong)e;
            float column = sum[c] * factor;
#pragma unroll 8
            for (int s = 0; s < count; s++) {
                const float value = nn_attention_load(v, v_from + (ulong)s * v_row, a.v_type);
                column += weights[s] != 0.0f ? weights[s] * value : 0.0f;
            }
            sum[c] = column;
        }
        NN_BARRIER(CLK_LOCAL_MEM_FENCE); /* all reads are done */
    }
#pragma unroll
    for (int c = 0; c < NN_ATTENTION_LINES; c++)
        if (c * NN_ATTENTION_FEW + item < a.V)
            own[part * (a.V + 2) + c * NN_ATTENTION_FEW + item] = sum[c];
    if (item == 0) {
        own[part * (a.V + 2) + a.V] = most;
        own[part * (a.V + 2) + a.V + 1] = total;
    }
#if NN_ATTENTION_GATHER
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    if (item == 0) {
        NN_ATTENTION_FENCE
        last[0] = atomic_inc(turns + get_group_id(1)) == (uint)parts - 1u;
        NN_ATTENTION_FENCE
        if (last[0]) turns[get_group_id(1)] = 0u;
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    if (last[0])
        nn_attention_join_head(own, parts, a.V, y, y_offset + y_at, log_sum,
                               log_sum_offset + (ulong)unit, item);
#else
    (void)last, (void)turns, (void)y, (void)y_offset, (void)log_sum, (void)log_sum_offset;
#endif
}

/* Groups: heads of all samples. */
__kernel __attribute__((reqd_work_group_size(NN_ATTENTION_FEW, 1, 1))) void
nn_attention_join(__global float *y, ulong y_offset, __global float *log_sum, ulong log_sum_offset,
                  const __global float *pieces, ulong pieces_offset, int parts, int width,
                  int first) {
    const ulong unit = (ulong)first + get_group_id(0);
    nn_attention_join_head(pieces + pieces_offset + unit * (ulong)(parts * (width + 2)), parts,
                           width, y, y_offset + unit * (ulong)width, log_sum, log_sum_offset + unit,
                           (int)get_local_id(0));
}
#endif
