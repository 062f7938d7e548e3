/* kernels/scan/opencl.cl - running sums: a work-item adds up one lane. */

/* Kahan's compensation: volatile keeps compilers from cancelling the difference. */
__kernel void nn_scan(__global float *y, ulong y_offset, const __global float *x, ulong x_offset,
                      ulong length, ulong inner, int reverse, ulong first, ulong end) {
    ulong lane = first + get_global_id(0);
    if (lane >= end) return;
    long step = reverse ? -(long)inner : (long)inner;
    long at = (long)(lane / inner * length * inner + lane % inner) +
              (reverse ? (long)((length - 1) * inner) : 0);
    float sum = 0.0f, lost = 0.0f;
    y += y_offset;
    x += x_offset;
    for (ulong k = 0; k < length; k++, at += step) {
        float value = x[at] - lost;
        volatile float next = sum + value;
        volatile float taken = next - sum;
        lost = next - next == 0.0f ? taken - value : 0.0f;
        sum = next;
        y[at] = sum;
    }
}
