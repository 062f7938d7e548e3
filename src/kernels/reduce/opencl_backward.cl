/* kernels/reduce/opencl_backward.cl - gradients of reductions along the last axes. A task is a
   piece of a row of n numbers for `lanes` work-items: 64, or 1 on CPUs and if rows are short. */
#if NN_REDUCE_ONLY == 0 || NN_REDUCE_ONLY == 3

#define NN_SLOPE_MAX       3
#define NN_SLOPE_MIN       4
#define NN_SLOPE_PROD      5
#define NN_SLOPE_SQUARES   10
#define NN_SLOPE_NORM      11
#define NN_SLOPE_LOGSUMEXP 12
#define NN_SLOPE_VAR       13
#define NN_SLOPE_STD       14

/* For the numbers [at, stop) of a row: returns how many equal y, or the sum of their differences
   from the first number of the row. All lanes get it. */
float nn_slope_gather(const __global float *x, float y, int extremes, ulong at, ulong stop,
                      int lanes, __local float *sums) {
    const int lane = (int)get_local_id(0);
    float sum = 0.0f;
    if (lanes == 1) { /* in blocks of 64 to stay accurate */
        while (at < stop) {
            const ulong end = min(at + 64, stop);
            float part = 0.0f;
            for (; at < end; at++) part += extremes ? (x[at] == y ? 1.0f : 0.0f) : x[at] - x[0];
            sum += part;
        }
        return sum;
    }
    for (at += (ulong)lane; at < stop; at += (ulong)lanes)
        sum += extremes ? (x[at] == y ? 1.0f : 0.0f) : x[at] - x[0];
    return nn_group_sum(sum, sums);
}

/* x is neither 0, infinite nor NaN. Returns its mantissa in [1, 2), and adds `times` its exponent
   to *exponent. */
float nn_slope_mantissa(float x, long *exponent, int times) {
    const int subnormal = fabs(x) < FLT_MIN;
    const uint bits = as_uint(subnormal ? x * 16777216.0f : x);
    *exponent += times * ((int)(bits >> 23 & 255u) - (subnormal ? 151 : 127));
    return as_float((bits & 0x807fffffu) | 0x3f800000u);
}

/* dx of the product of n numbers: dy times the product of the others. The product of all is kept as
   value times 2^exponent, without zeros, infinities (except their signs) and NaNs, which are
   counted. */
void nn_slope_product(__global float *dx, const __global float *x, float dy, ulong n,
                      int accumulate) {
    float value = 1.0f;
    long exponent = 0, zeros = 0, infinities = 0, nans = 0;
    for (ulong i = 0; i < n; i++) {
        const float a = x[i];
        if (a != a) nans++;
        else if (a == 0.0f) zeros++;
        else if (fabs(a) > FLT_MAX) infinities++, value = copysign(1.0f, a) * value;
        else {
            value *= nn_slope_mantissa(a, &exponent, 1);
            value = nn_slope_mantissa(value, &exponent, 1);
        }
    }
    for (ulong i = 0; i < n; i++) {
        const float a = x[i];
        const int nan = a != a, infinite = fabs(a) > FLT_MAX;
        float others = value;
        long power = exponent;
        if (nans - nan || (zeros - (a == 0.0f) && infinities - infinite)) others = NAN;
        else if (zeros - (a == 0.0f)) others = 0.0f;
        else {
            if (infinite) others *= copysign(1.0f, a);
            else if (!nan && a != 0.0f) others /= nn_slope_mantissa(a, &power, -1);
            if (infinities - infinite) others = others < 0.0f ? -INFINITY : INFINITY;
        }
        others = ldexp(dy * others, (int)clamp(power, -2000L, 2000L));
        dx[i] = accumulate ? dx[i] + others : others;
    }
}

/* Tasks [first, end): stores what each gathers in parts[task]. */
__kernel void nn_slope_parts(__global float *parts, ulong parts_offset, const __global float *x,
                             ulong x_offset, const __global float *y, ulong y_offset,
                             int reduction, ulong n, ulong width, ulong pieces, ulong first,
                             ulong end, int lanes) {
    __local float sums[NN_LANES];
    const ulong task = first + get_global_id(0) / (ulong)lanes;
    if (task >= end) return;
    const ulong row = task / pieces, at = task % pieces * width;
    const int extremes = reduction == NN_SLOPE_MAX || reduction == NN_SLOPE_MIN;
    const float sum = nn_slope_gather(x + x_offset + row * n, extremes ? y[y_offset + row] : 0.0f,
                                      extremes, at, min(at + width, n), lanes, sums);
    if (lanes == 1 || get_local_id(0) == 0) parts[parts_offset + task] = sum;
}

/* Tasks [first, end): computes dx. A row of one piece has no parts. scale: 1 / (n - correction). */
__kernel void nn_slope_rows(__global float *dx, ulong dx_offset, const __global float *dy,
                            ulong dy_offset, const __global float *x, ulong x_offset,
                            const __global float *y, ulong y_offset, const __global float *parts,
                            ulong parts_offset, int reduction, int accumulate, float scale, ulong n,
                            ulong width, ulong pieces, ulong first, ulong end, int lanes) {
    __local float sums[NN_LANES];
    const ulong task = first + get_global_id(0) / (ulong)lanes;
    if (task >= end) return;
    const ulong row = task / pieces, start = task % pieces * width, stop = min(start + width, n);
    const int extremes = reduction == NN_SLOPE_MAX || reduction == NN_SLOPE_MIN,
              spreads = reduction == NN_SLOPE_VAR || reduction == NN_SLOPE_STD,
              quotient = reduction == NN_SLOPE_STD || reduction == NN_SLOPE_NORM;
    const float slope = dy[dy_offset + row],
                result = reduction == NN_SLOPE_VAR || reduction == NN_SLOPE_SQUARES ||
                                 reduction == NN_SLOPE_PROD
                             ? 0.0f
                             : y[y_offset + row];
    float common = 0.0f, a = result, b = slope, c = 0.0f;
    x += x_offset + row * n;
    dx += dx_offset + row * n;
    if (reduction == NN_SLOPE_PROD) { /* the row is one piece of one work-item */
        nn_slope_product(dx, x, slope, n, accumulate);
        return;
    }
    if (extremes || spreads) {
        if (pieces == 1)
            common = nn_slope_gather(x, result, extremes, start, stop, lanes, sums);
        else
            for (ulong i = 0; i < pieces; i++) common += parts[parts_offset + row * pieces + i];
    }
    if (extremes) b = slope / common, c = 0.0f * b;
    if (!extremes && reduction != NN_SLOPE_LOGSUMEXP)
        a = spreads ? x[0] + common / (float)n : 0.0f;
    if (reduction == NN_SLOPE_SQUARES) b = 2.0f * slope;
    if (reduction == NN_SLOPE_VAR) b = slope * (2.0f * scale);
    if (quotient) {
        b = result == 0.0f ? 1.0f : result;
        c = reduction == NN_SLOPE_STD ? slope * scale : slope;
    }
    for (ulong at = start + (lanes > 1 ? get_local_id(0) : 0); at < stop; at += (ulong)lanes) {
        float v = x[at] - a;
        if (extremes) v = x[at] == a ? b : c;
        else if (quotient) v = v / b * c;
        else if (reduction == NN_SLOPE_LOGSUMEXP) v = exp(v) * b;
        else v *= b;
        dx[at] = accumulate ? dx[at] + v : v;
    }
}
#endif
