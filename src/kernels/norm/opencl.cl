/* kernels/norm/opencl.cl - updates running statistics, and folds norms into the layer before them.
   The norms themselves are in kernels/norm/opencl_teams.cl. */

/* ---- running statistics ---------------------------------------------------------------------- */

/* One work-group per item. The table says where the item begins in each buffer, how many channels
   it has, and over how many statistics the mean is taken. tracked: 64-bit counters. */
__kernel void nn_norm_track(__global float *running_mean, ulong running_mean_offset,
                            __global float *running_var, ulong running_var_offset,
                            __global long *tracked, ulong tracked_offset,
                            const __global float *mean, ulong mean_offset,
                            const __global float *variance, ulong variance_offset,
                            const __global uint *status, ulong status_offset,
                            const __global ulong *table, float momentum, int cumulative) {
    const __global ulong *item = table + 7u * get_group_id(0);
    ulong channels = item[5], n = item[6];
    int moves = !nn_faulty(status, status_offset);
    float share = momentum;
    running_mean += running_mean_offset + item[0];
    running_var += running_var_offset + item[1];
    tracked = tracked ? tracked + tracked_offset + item[2] : 0;
    mean += mean_offset + item[3];
    variance += variance_offset + item[4];
    if (cumulative && tracked) share = 1.0f / ((float)*tracked + 1.0f);
    for (ulong c = get_local_id(0); moves && c < channels; c += get_local_size(0)) {
        float a = 0.0f, b = 0.0f;
        for (ulong i = 0; i < n; i++) {
            a += mean[i * channels + c];
            b += variance[i * channels + c];
        }
        running_mean[c] = (1.0f - share) * running_mean[c] + share * (a / (float)n);
        running_var[c] = (1.0f - share) * running_var[c] + share * (b / (float)n);
    }
    NN_BARRIER(CLK_GLOBAL_MEM_FENCE); /* all reads of the counter are done */
    if (moves && get_local_id(0) == 0 && tracked && *tracked < LONG_MAX) ++*tracked;
}

/* ---- fold ------------------------------------------------------------------------------------ */

/* Work-items: (number of a row, channel). */
__kernel void nn_norm_fold(__global float *weight, ulong weight_offset, __global float *bias,
                           ulong bias_offset, const __global float *from, ulong from_offset,
                           const __global float *from_bias, ulong from_bias_offset,
                           const __global float *norm_weight, ulong norm_weight_offset,
                           const __global float *norm_bias, ulong norm_bias_offset,
                           const __global float *running_mean, ulong running_mean_offset,
                           const __global float *running_var, ulong running_var_offset,
                           float epsilon, uint row) {
    uint i = (uint)get_global_id(0);
    ulong c = get_global_id(1);
    if (i >= row) return;
    float scale = (norm_weight ? norm_weight[norm_weight_offset + c] : 1.0f) /
                  sqrt(running_var[running_var_offset + c] + epsilon);
    weight[weight_offset + c * row + i] = from[from_offset + c * row + i] * scale;
    if (i) return;
    float b = (from_bias ? from_bias[from_bias_offset + c] : 0.0f) -
              running_mean[running_mean_offset + c];
    bias[bias_offset + c] = b * scale + (norm_bias ? norm_bias[norm_bias_offset + c] : 0.0f);
}
