/* kernels/scan/opencl.cl - running sums and other scans: a work-item goes along one line. */

#define NN_SCAN_MAX 3

#define NN_SCAN_PLACE                                                                              \
    ulong length, ulong inner, int reverse, ulong first, ulong end
#define NN_SCAN_WALK                                                                               \
    ulong lane = first + get_global_id(0);                                                         \
    if (lane >= end) return;                                                                       \
    long step = reverse ? -(long)inner : (long)inner;                                              \
    long at = (long)(lane / inner * length * inner + lane % inner) +                               \
              (reverse ? (long)((length - 1) * inner) : 0)

/* Kahan's compensated sum. No length has the highest bit set, so `none` is 0. Compilers do not know
   that, so they cannot cancel the difference, and the numbers stay in registers. */
__kernel void nn_scan(__global float *y, ulong y_offset, const __global float *x, ulong x_offset,
                      NN_SCAN_PLACE) {
    NN_SCAN_WALK;
    float sum = 0.0f, lost = 0.0f;
    int none = (int)(length >> 63);
    y += y_offset;
    x += x_offset;
    for (ulong k = 0; k < length; k++, at += step) {
        float value = x[at] - lost;
        float next = as_float(as_int(sum + value) ^ none);
        float taken = as_float(as_int(next - sum) ^ none);
        lost = next - next == 0.0f ? taken - value : 0.0f;
        sum = next;
        y[at] = sum;
    }
}

__kernel void nn_scan_products(__global float *y, ulong y_offset, const __global float *x,
                               ulong x_offset, NN_SCAN_PLACE) {
    NN_SCAN_WALK;
    float product = 1.0f;
    for (ulong k = 0; k < length; k++, at += step) {
        product *= x[(long)x_offset + at];
        y[(long)y_offset + at] = product;
    }
}

/* Equal infinities have no difference, and adding to infinity changes nothing. */
__kernel void nn_scan_logs(__global float *y, ulong y_offset, const __global float *x,
                           ulong x_offset, NN_SCAN_PLACE) {
    NN_SCAN_WALK;
    float sum = -INFINITY;
    for (ulong k = 0; k < length; k++, at += step) {
        float b = x[(long)x_offset + at];
        bool above = sum > b || sum != sum;
        float high = above ? sum : b, low = above ? b : sum;
        sum = high - high != 0.0f && low == low ? high : high + log1p(exp(low - high));
        y[(long)y_offset + at] = sum;
    }
}

__kernel void nn_scan_extremes(__global float *y, ulong y_offset, const __global float *x,
                               ulong x_offset, NN_SCAN_PLACE, __global int *index,
                               ulong index_offset, int kind) {
    NN_SCAN_WALK;
    float best = 0.0f;
    int where = 0;
    for (ulong k = 0; k < length; k++, at += step) {
        float value = x[(long)x_offset + at];
        if (k == 0 || value != value || (kind == NN_SCAN_MAX ? value >= best : value <= best)) {
            best = value;
            where = (int)(reverse ? length - 1 - k : k);
        }
        y[(long)y_offset + at] = best;
        if (index) index[(long)index_offset + at] = where;
    }
}

/* Returns exp(a - b) for b >= a. Equal infinities count as equal. */
float nn_scan_share(float a, float b) { return a == b ? 1.0f : exp(a - b); }

/* Goes from the end to the start: see kernels/scan/args.h. */
__kernel void nn_scan_backward(__global float *dx, ulong dx_offset, const __global float *dy,
                               ulong dy_offset, const __global float *x, ulong x_offset,
                               const __global float *y, ulong y_offset, NN_SCAN_PLACE,
                               int product) {
    NN_SCAN_WALK;
    float sum = 0.0f;
    dx += dx_offset;
    dy += dy_offset;
    x += x_offset;
    y += y_offset;
    for (ulong k = 0; k < length; k++, at += step) { /* step is negative */
        if (product) {
            sum = k ? dy[at] + sum * x[at - step] : dy[at];
            dx[at] = k + 1 < length ? sum * y[at + step] : sum;
        } else {
            sum = k ? dy[at] + sum * nn_scan_share(y[at], y[at - step]) : dy[at];
            dx[at] = sum * nn_scan_share(x[at], y[at]);
        }
    }
}
