/* kernels/ctc/opencl.cl - connectionist temporal classification: one work-group per sample, whose
   work-items take states. On a CPU, groups have one work-item. kernels/ctc/cpu.c defines alpha and
   beta. */

typedef struct nn_ctc {
    const __global float *rows; /* of the sample, `step` apart */
    const __global int *targets;
    ulong step;
    int classes, blank, length, states, lane, lanes;
    bool valid;
} nn_ctc;

#define NN_CTC_ARGUMENTS                                                                           \
    const __global float *given, ulong given_offset, const __global int *targets,                  \
        ulong targets_offset, const __global int *lengths, ulong lengths_offset,                   \
        const __global int *counts, ulong counts_offset, __global float *work, ulong work_offset,  \
        int all, int samples, int classes, int most, int blank, int zero_infinity, int first
#define NN_CTC_GIVEN                                                                               \
    nn_ctc_make(given + given_offset, targets + targets_offset, lengths[lengths_offset + n],       \
                counts[counts_offset + n], n, all, samples, classes, most, blank)

nn_ctc nn_ctc_make(const __global float *given, const __global int *targets, int length, int count,
                   int n, int all, int samples, int classes, int most, int blank) {
    nn_ctc ctc;
    ctc.rows = given + (ulong)n * (ulong)classes;
    ctc.step = (ulong)samples * (ulong)classes;
    ctc.targets = targets + (ulong)n * (ulong)most;
    ctc.classes = classes, ctc.blank = blank, ctc.length = length;
    ctc.lane = (int)get_local_id(0), ctc.lanes = (int)get_local_size(0);
    ctc.valid = length >= 0 && length <= all && count >= 0 && count <= most;
    for (int i = 0; i < count && ctc.valid; i++)
        ctc.valid = ctc.targets[i] >= 0 && ctc.targets[i] < classes && ctc.targets[i] != blank;
    ctc.states = ctc.valid ? 2 * count + 1 : 0;
    return ctc;
}

int nn_ctc_class(const nn_ctc *ctc, int state) {
    return state & 1 ? ctc->targets[state / 2] : ctc->blank;
}

float nn_ctc_add(float a, float b, float c) {
    float most = b > a ? b : a;
    if (c > most) most = c;
    if (most == -INFINITY) return a + b + c; /* no maximum was found: -infinity, or a NaN that
                                                stays */
    return log(exp(a - most) + exp(b - most) + exp(c - most)) + most;
}

void nn_ctc_alpha(const nn_ctc *ctc, const __global float *before, __global float *alpha, int t) {
    for (int s = ctc->lane; s < ctc->states; s += ctc->lanes) {
        int own = nn_ctc_class(ctc, s);
        float sum = s < 2 ? 0.0f : -INFINITY;
        if (t > 0)
            sum = nn_ctc_add(before[s], s > 0 ? before[s - 1] : -INFINITY,
                             s > 1 && (s & 1) && own != ctc->targets[s / 2 - 1] ? before[s - 2]
                                                                                : -INFINITY);
        alpha[s] = sum + ctc->rows[(ulong)t * ctc->step + (ulong)own];
    }
}

void nn_ctc_beta(const nn_ctc *ctc, const __global float *behind, __global float *beta, int t) {
    int last = ctc->states - 1;
    for (int s = ctc->lane; s <= last; s += ctc->lanes) {
        int own = nn_ctc_class(ctc, s);
        float sum = s >= last - 1 ? 0.0f : -INFINITY;
        if (t < ctc->length - 1)
            sum = nn_ctc_add(behind[s], s < last ? behind[s + 1] : -INFINITY,
                             s + 2 <= last && (s & 1) && own != ctc->targets[s / 2 + 1]
                                 ? behind[s + 2]
                                 : -INFINITY);
        beta[s] = sum + ctc->rows[(ulong)t * ctc->step + (ulong)own];
    }
}

float nn_ctc_loss(const nn_ctc *ctc, const __global float *alpha) {
    int last = ctc->states - 1;
    if (ctc->length == 0) return last == 0 ? 0.0f : INFINITY;
    return -nn_ctc_add(alpha[last], last > 0 ? alpha[last - 1] : -INFINITY, -INFINITY);
}

/* The group of the first wrong sample sets the status word. */
__kernel void nn_ctc_forward(__global float *loss, ulong loss_offset, NN_CTC_ARGUMENTS,
                             __global uint *status, ulong status_offset, uint step) {
    int own = first + (int)get_group_id(0), n = own, row = 2 * most + 1;
    nn_ctc ctc = NN_CTC_GIVEN;
    work += work_offset + (ulong)n * 2 * (ulong)row;
    for (int t = 0; t < ctc.length && ctc.valid; t++) {
        nn_ctc_alpha(&ctc, work + (t + 1) % 2 * row, work + t % 2 * row, t);
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    }
    if (ctc.lane != 0) return;
    if (ctc.valid) {
        float x = nn_ctc_loss(&ctc, work + (ctc.length + 1) % 2 * row);
        loss[loss_offset + own] = zero_infinity && x == INFINITY ? 0.0f : x;
        return;
    }
    loss[loss_offset + own] = NAN;
    for (n = 0; n < own; n++) {
        ctc = NN_CTC_GIVEN;
        if (!ctc.valid) return;
    }
    nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
}

/* chain: two numbers for each target: the next target of the same class, or -1; and 1 if it is the
   first of its class. The work-item of the first one adds up all of them. */
__kernel void nn_ctc_backward(__global float *slope, ulong slope_offset,
                              const __global float *dloss, ulong dloss_offset, NN_CTC_ARGUMENTS,
                              __global int *chain, ulong chain_offset) {
    __local float sums[64];
    int n = first + (int)get_group_id(0), row = 2 * most + 1;
    nn_ctc ctc = NN_CTC_GIVEN;
    int length = ctc.valid ? ctc.length : 0, count = ctc.states / 2;
    float factor = dloss ? dloss[dloss_offset + n] : 1.0f, total = 0.0f;
    work += work_offset + (ulong)n * (ulong)(all + 2) * (ulong)row;
    chain += chain_offset + (ulong)n * 2 * (ulong)most;
    slope += slope_offset + (ulong)n * (ulong)classes;
    for (int i = ctc.lane; i < count; i += ctc.lanes) {
        int j = i + 1, k = i - 1;
        while (j < count && ctc.targets[j] != ctc.targets[i]) j++;
        while (k >= 0 && ctc.targets[k] != ctc.targets[i]) k--;
        chain[2 * i] = j < count ? j : -1;
        chain[2 * i + 1] = k < 0;
    }
    for (int t = 0; t < length; t++) {
        nn_ctc_alpha(&ctc, work + (ulong)max(t - 1, 0) * row, work + (ulong)t * row, t);
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    }
    if (length > 0) total = nn_ctc_loss(&ctc, work + (ulong)(length - 1) * row);
    if (total == INFINITY && zero_infinity) length = 0;
    /* Steps beyond the input have a gradient of 0. If the loss is infinite, all steps have 0 with
       zero_infinity, else NaN. They have a loop of their own, so that no barrier depends on buffer
       contents. */
    const int steps = total < INFINITY ? length : 0;
    for (int t = steps; t < all; t++)
        for (int c = ctc.lane; c < classes; c += ctc.lanes)
            slope[(ulong)t * ctc.step + (ulong)c] = t < length ? NAN : 0.0f;
    for (int t = steps - 1; t >= 0; t--) {
        __global float *to = slope + (ulong)t * ctc.step, *beta = work + (ulong)(all + t % 2) * row;
        const __global float *alpha = work + (ulong)t * row, *z = ctc.rows + (ulong)t * ctc.step;
        nn_ctc_beta(&ctc, work + (ulong)(all + (t + 1) % 2) * row, beta, t);
        /* local memory too: the last step's sums have been read */
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        float sum = 0.0f;
        for (int c = ctc.lane; c < classes; c += ctc.lanes) to[c] = exp(z[c]) * factor;
        for (int s = 2 * ctc.lane; s < ctc.states; s += 2 * ctc.lanes)
            if (!(alpha[s] + beta[s] == -INFINITY))
                sum += exp(alpha[s] + beta[s] + total - z[blank]);
        sums[ctc.lane] = sum;
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        for (int i = 1; i < ctc.lanes && ctc.lane == 0; i++) sum += sums[i];
        if (ctc.lane == 0) to[blank] = (exp(z[blank]) - sum) * factor;
        for (int i = ctc.lane; i < count; i += ctc.lanes) {
            int c = ctc.targets[i];
            sum = 0.0f;
            for (int k = chain[2 * i + 1] ? i : -1; k >= 0; k = chain[2 * k])
                if (!(alpha[2 * k + 1] + beta[2 * k + 1] == -INFINITY))
                    sum += exp(alpha[2 * k + 1] + beta[2 * k + 1] + total - z[c]);
            if (chain[2 * i + 1]) to[c] = (exp(z[c]) - sum) * factor;
        }
    }
}
#undef NN_CTC_ARGUMENTS
#undef NN_CTC_GIVEN
