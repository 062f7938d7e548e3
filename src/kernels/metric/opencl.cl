/* kernels/metric/opencl.cl - accuracy and confusion matrix of a batch, and running totals of
   losses. Hits are integers, so the order of their sums does not matter. */

/* Returns how many classes come before `label` when sorted by descending logit. Equal ones keep
   their order, and NaN comes first, as in torch.argmax. */
int nn_rank(const __global float *z, ulong inner, int classes, int label) {
    float value = z[(ulong)label * inner];
    int before = 0;
    if (value != value) {
        for (int c = 0; c < label; c++)
            before += z[(ulong)c * inner] != z[(ulong)c * inner] ? 1 : 0;
        return before;
    }
    for (int c = 0; c < label; c++) before += z[(ulong)c * inner] < value ? 0 : 1;
    for (int c = label + 1; c < classes; c++) before += z[(ulong)c * inner] <= value ? 0 : 1;
    return before;
}

/* A work-item counts the hits of `each` positions (at most 2^24) into count[id]. */
__kernel void nn_accuracy_count(__global int *count, ulong count_offset,
                                const __global float *logits, ulong logits_offset,
                                const __global int *label, ulong label_offset, int classes,
                                ulong inner, ulong positions, uint each, int top) {
    ulong first = get_global_id(0) * each, end = min(first + each, positions);
    int hits = 0;
    if (first >= positions) return;
    for (ulong at = first; at < end; at++) {
        const __global float *z =
            logits + logits_offset + at / inner * (ulong)classes * inner + at % inner;
        int truth = label[label_offset + at];
        if (truth >= 0 && truth < classes && nn_rank(z, inner, classes, truth) < top) hits++;
    }
    count[count_offset + get_global_id(0)] = hits;
}

/* Adds n counts: by one work-item, or by a work-group of 64. */
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
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int step = NN_LANES / 2; step > 0; step >>= 1) {
        if (lane < step) lanes[lane] += lanes[lane + step];
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) y[y_offset] = (float)lanes[0] / (float)positions;
}

/* A work-item counts `each` positions into the (classes, classes) matrix. These are integers, so
   the order of the atomics (core in OpenCL 1.1) does not matter. */
__kernel void nn_confusion(__global uint *counts, ulong counts_offset, const __global float *logits,
                           ulong logits_offset, const __global int *label, ulong label_offset,
                           int classes, ulong inner, ulong positions, uint each,
                           const __global uint *status, ulong status_offset) {
    ulong first = get_global_id(0) * each, end = min(first + each, positions);
    if (first >= positions || nn_faulty(status, status_offset)) return;
    for (ulong at = first; at < end; at++) {
        const __global float *z =
            logits + logits_offset + at / inner * (ulong)classes * inner + at % inner;
        int truth = label[label_offset + at], taken = 0;
        float best = z[0];
        if (truth < 0 || truth >= classes) continue;
        for (int c = 1; c < classes && best == best; c++) {
            float value = z[(ulong)c * inner];
            if (!(value <= best)) best = value, taken = c;
        }
        atomic_inc(counts + counts_offset + (ulong)truth * (ulong)classes + (ulong)taken);
    }
}

/* total may be NULL. sums: the number of totals, each followed by the rounding error of its
   additions. */
__kernel void nn_accumulate(__global float *total, ulong total_offset, const __global float *value,
                            ulong value_offset, float weight, int check, __global uint *status,
                            ulong status_offset, uint step, int sums) {
    int i = (int)get_global_id(0);
    float number = value[value_offset];
    if (sums > 0) {
#pragma OPENCL FP_CONTRACT OFF
        if (i >= sums || nn_faulty(status, status_offset)) return;
        total += total_offset;
        number = value[value_offset + i];
        float old = total[i], whole = old + number, part = whole - old;
        total[sums + i] += (old - (whole - part)) + (number - part);
        total[i] = whole;
        return;
    }
    if (get_global_id(0) != 0) return;
    if (check && !(fabs(number) < INFINITY))
        nn_set_status(status, status_offset, step, NN_FAULT_LOSS);
    if (nn_faulty(status, status_offset) || !total) return;
    total[total_offset] += number * weight;
    total[total_offset + 1] += weight;
}
