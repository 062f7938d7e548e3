/* opencl/metric.cl - accuracy of a batch, and the totals in which losses gather. Hits are whole numbers:
   their order does not matter. */

/* A work-item counts `each` positions, at most 2^24 by one, into count[id]. */
__kernel void nn_accuracy_count(__global int *count, ulong count_offset, const __global float *logits,
                                ulong logits_offset, const __global int *label, ulong label_offset,
                                int classes, ulong inner, ulong positions, uint each) {
    ulong first = get_global_id(0) * each, end = min(first + each, positions);
    int hits = 0;
    if (first >= positions) return;
    for (ulong at = first; at < end; at++) {
        const __global float *z = logits + logits_offset + at / inner * (ulong)classes * inner + at % inner;
        float best = z[0];
        int where = 0;
        for (int c = 1; c < classes && best == best; c++) { /* a NaN is the largest, as in torch.argmax */
            float value = z[(ulong)c * inner];
            if (!(value <= best)) best = value, where = c;
        }
        hits += where == label[label_offset + at];
    }
    count[count_offset + get_global_id(0)] = hits;
}

/* 64 lanes add n counts: a work-group of 64, or one work-item. */
__kernel void nn_accuracy_finish(__global float *y, ulong y_offset, const __global int *count,
                                 ulong count_offset, ulong n, ulong positions) {
    ulong hits = 0;
    if (get_global_id(0) != 0) return;
    for (ulong i = 0; i < n; i++) hits += (ulong)count[count_offset + i];
    y[y_offset] = (float)hits / (float)positions;
}
__kernel void nn_accuracy_finish_group(__global float *y, ulong y_offset, const __global int *count,
                                       ulong count_offset, ulong n, ulong positions) {
    __local ulong lanes[NN_LANES];
    int lane = (int)get_local_id(0);
    ulong hits = 0;
    for (ulong i = (ulong)lane; i < n; i += NN_LANES) hits += (ulong)count[count_offset + i];
    lanes[lane] = hits;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = NN_LANES / 2; step > 0; step >>= 1) {
        if (lane < step) lanes[lane] += lanes[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) y[y_offset] = (float)lanes[0] / (float)positions;
}

/* total may be NULL. */
__kernel void nn_accumulate(__global float *total, ulong total_offset, const __global float *value,
                            ulong value_offset, float weight, int check, __global uint *status,
                            ulong status_offset, uint step) {
    float number = value[value_offset];
    if (get_global_id(0) != 0) return;
    if (check && !(fabs(number) < INFINITY)) nn_set_status(status, status_offset, step, NN_FAULT_LOSS);
    if (nn_faulty(status, status_offset) || !total) return;
    total[total_offset] += number * weight;
    total[total_offset + 1] += weight;
}
