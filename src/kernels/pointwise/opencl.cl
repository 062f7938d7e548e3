/* kernels/pointwise/opencl.cl - element-wise functions. NN_OP is the function (enum
   nn_pointwise_op), so that a program has only the one it needs.

   nn_pointwise_wide: a work-item takes `each` numbers in a row, in vectors (CPUs).
   nn_pointwise_flat: a work-item takes four, side by side with its neighbours' (GPUs). The shapes
   come folded, innermost axis first: y's extents, and how far a and b go for one step. */

#ifndef NN_OP
#define NN_OP 1
#endif
#ifndef NN_BACKWARD
#define NN_BACKWARD 0
#endif
#ifndef NN_INDEX
#define NN_INDEX uint
#endif
#define NN_OP_DROPOUT 15

/* T: float or float16. p: a; q: b; s: the scalar. Backward: p is dy, q is y or x of the forward. */
#if NN_BACKWARD
#if NN_OP == 1
#define NN_F(T, p, q, s) (q <= (T)(0.0f) ? (T)(0.0f) : p)
#elif NN_OP == 2
#define NN_F(T, p, q, s) (p * (1.0f - q) * q)
#elif NN_OP == 3
#define NN_F(T, p, q, s) (p * (1.0f - q * q))
#elif NN_OP == 4
#define NN_F(T, p, q, s)                                                                           \
    (p * (0.5f * (1.0f + erf(q * 0.70710678f)) + q * 0.39894228f * exp(-0.5f * q * q)))
#elif NN_OP == 5
#define NN_F(T, p, q, s) (q > (T)(0.0f) ? p : p * s)
#elif NN_OP == 6
#define NN_F(T, p, q, s) (p * q)
#elif NN_OP == 7
#define NN_F(T, p, q, s) (p / q)
#elif NN_OP == 8
#define NN_F(T, p, q, s) (p / (2.0f * q))
#elif NN_OP == 9
#define NN_F(T, p, q, s) (p * (2.0f * q))
#elif NN_OP == 10
#define NN_F(T, p, q, s) (q > (T)(0.0f) ? p : q < (T)(0.0f) ? -p : 0.0f * p)
#elif NN_OP == 11
#define NN_F(T, p, q, s) (-p)
#elif NN_OP == 12
#define NN_F(T, p, q, s) (p / (1.0f + exp(-q)))
#elif NN_OP == 13
#define NN_F(T, p, q, s) (p * s)
#else
#define NN_F(T, p, q, s) (p)
#endif
#else
#if NN_OP == 1
#define NN_F(T, p, q, s) ((T)(0.0f) > p ? (T)(0.0f) : p)
#elif NN_OP == 2
#define NN_F(T, p, q, s) (1.0f / (1.0f + exp(-p)))
#elif NN_OP == 3
#define NN_F(T, p, q, s) (fabs(p) > (T)(9.02f) ? copysign((T)(1.0f), p) : tanh(p))
#elif NN_OP == 4
#define NN_F(T, p, q, s) (0.5f * p * (1.0f + erf(p * 0.70710678118654752f)))
#elif NN_OP == 5
#define NN_F(T, p, q, s) (p > (T)(0.0f) ? p : s * p)
#elif NN_OP == 6
#define NN_F(T, p, q, s) exp(p)
#elif NN_OP == 7
#define NN_F(T, p, q, s) log(p)
#elif NN_OP == 8
#define NN_F(T, p, q, s) sqrt(p)
#elif NN_OP == 9
#define NN_F(T, p, q, s) (p * p)
#elif NN_OP == 10
#define NN_F(T, p, q, s) fabs(p)
#elif NN_OP == 11
#define NN_F(T, p, q, s) (-p)
#elif NN_OP == 12
#define NN_F(T, p, q, s) (fmax(p, (T)(0.0f)) + log1p(exp(-fabs(p))))
#elif NN_OP == 13
#define NN_F(T, p, q, s) (p * s)
#elif NN_OP == 14
#define NN_F(T, p, q, s) (p + s)
#elif NN_OP == 16
#define NN_F(T, p, q, s) (p + q)
#elif NN_OP == 17
#define NN_F(T, p, q, s) (p - q)
#elif NN_OP == 18
#define NN_F(T, p, q, s) (p * q)
#elif NN_OP == 19
#define NN_F(T, p, q, s) (p / q)
#elif NN_OP == 20
#define NN_F(T, p, q, s) (((p != p) | (p > q)) ? p : q)
#elif NN_OP == 21
#define NN_F(T, p, q, s) (((p != p) | (p < q)) ? p : q)
#elif NN_OP == 22
#define NN_F(T, p, q, s) (p == q ? (T)(1.0f) : (T)(0.0f))
#else
#define NN_F(T, p, q, s) (p)
#endif
#endif

/* Where the operands of y's row stand: the axes but the innermost. */
#define NN_WALK_AXIS(axis)                                                                         \
    if (rank > axis) {                                                                             \
        NN_INDEX where = rest % (NN_INDEX)e##axis;                                                 \
        rest /= (NN_INDEX)e##axis;                                                                 \
        a_at += where * a##axis, b_at += where * b##axis;                                          \
    }
#define NN_WALK                                                                                    \
    NN_WALK_AXIS(1)                                                                                \
    NN_WALK_AXIS(2)                                                                                \
    NN_WALK_AXIS(3)                                                                                \
    NN_WALK_AXIS(4)                                                                                \
    NN_WALK_AXIS(5)
#define NN_ARGUMENTS                                                                               \
    __global float *y, ulong y_offset, const __global float *a, ulong a_offset,                    \
        const __global float *b, ulong b_offset, float scalar, int accumulate, float keep,         \
        ulong seed, ulong stream, ulong counter, ulong first, ulong end, uint each, int rank,      \
        ulong e0, ulong e1, ulong e2, ulong e3, ulong e4, ulong e5, ulong a0, ulong a1, ulong a2,  \
        ulong a3, ulong a4, ulong a5, ulong b0, ulong b1, ulong b2, ulong b3, ulong b4, ulong b5

#define NN_UNUSED (void)scalar, (void)keep, (void)seed, (void)stream, (void)counter;

#if NN_OP == NN_OP_DROPOUT
/* n numbers from index `at` of y on; y and x point at the first of them. */
void nn_dropout_row(__global float *y, const __global float *x, bool moves, ulong n, ulong at,
                    float scalar, int accumulate, float keep, ulong seed, ulong stream,
                    ulong counter) {
    ulong i = 0;
    while (i < n) {
        ulong quad = (at + i) / 4;
        if (moves && (at + i) % 4 == 0 && i + 32 <= n) {
            float16 u, v;
            nn_uniform32(seed, stream, counter + quad, &u, &v);
            u = u >= scalar ? vload16(0, x + i) * keep : (float16)(0.0f);
            v = v >= scalar ? vload16(0, x + i + 16) * keep : (float16)(0.0f);
            if (accumulate) u += vload16(0, y + i), v += vload16(0, y + i + 16);
            vstore16(u, 0, y + i);
            vstore16(v, 0, y + i + 16);
            i += 32;
            continue;
        }
        uint4 words = nn_random_words(seed, stream, counter + quad);
        uint word[4] = {words.x, words.y, words.z, words.w};
        for (uint j = (uint)((at + i) % 4); j < 4 && i < n; j++, i++) {
            float value = nn_word_to_uniform(word[j]) >= scalar ? x[moves ? i : 0] * keep : 0.0f;
            y[i] = accumulate ? y[i] + value : value;
        }
    }
}
#endif

__kernel void nn_pointwise_wide(NN_ARGUMENTS) {
    ulong at = first + get_global_id(0) * each, stop = min(at + each, end);
    y += y_offset, a += a_offset;
    b = b ? b + b_offset : 0; /* not there for one operand: a may be written by others */
    while (at < stop) {
        NN_INDEX rest = (NN_INDEX)(at / e0);
        ulong column = at % e0, a_at = column * a0, b_at = column * b0,
              n = min(e0 - column, stop - at);
        NN_WALK
        const __global float *pa = a + a_at, *pb = b ? b + b_at : 0;
        (void)pb;
        __global float *py = y + at;
#if NN_OP == NN_OP_DROPOUT
        nn_dropout_row(py, pa, a0 != 0, n, at, scalar, accumulate, keep, seed, stream, counter);
#else
        float16 p = (float16)(pa[0]), q = (float16)(pb ? pb[0] : 0.0f);
        ulong i = 0;
        for (; i + 16 <= n; i += 16) {
            if (a0) p = vload16(0, pa + i);
            if (b0) q = vload16(0, pb + i);
            float16 value = NN_F(float16, p, q, scalar);
            if (accumulate) value += vload16(0, py + i);
            vstore16(value, 0, py + i);
        }
        (void)q;
        for (; i < n; i++) {
            float p1 = pa[i * a0], q1 = pb ? pb[i * b0] : 0.0f, value = NN_F(float, p1, q1, scalar);
            (void)q1;
            py[i] = accumulate ? py[i] + value : value;
        }
#endif
        at += n;
    }
    NN_UNUSED
}

__kernel void nn_pointwise_flat(NN_ARGUMENTS) {
    y += y_offset, a += a_offset;
    b = b ? b + b_offset : 0;
#if NN_OP == NN_OP_DROPOUT
    ulong start = first + get_global_id(0) * 4; /* a multiple of 4 */
    uint4 words = nn_random_words(seed, stream, counter + start / 4);
    uint word[4] = {words.x, words.y, words.z, words.w};
    for (int k = 0; k < 4; k++) {
        ulong at = start + (uint)k;
#else
    ulong start = first + get_group_id(0) * get_local_size(0) * 4 + get_local_id(0);
    for (int k = 0; k < 4; k++) {
        ulong at = start + (uint)k * get_local_size(0);
#endif
        if (at >= end) return;
        ulong a_at = at * a0, b_at = at * b0;
        if (rank > 1) {
            NN_INDEX rest = (NN_INDEX)at / (NN_INDEX)e0, column = (NN_INDEX)at % (NN_INDEX)e0;
            a_at = column * a0, b_at = column * b0;
            NN_WALK
        }
#if NN_OP == NN_OP_DROPOUT
        float value = nn_word_to_uniform(word[k]) >= scalar ? a[a_at] * keep : 0.0f;
        (void)b_at;
#else
        float p = a[a_at], q = b ? b[b_at] : 0.0f, value = NN_F(float, p, q, scalar);
        (void)q;
#endif
        y[at] = accumulate ? y[at] + value : value;
    }
    NN_UNUSED(void) each;
}

#undef NN_F
#undef NN_WALK
#undef NN_WALK_AXIS
#undef NN_ARGUMENTS
#undef NN_UNUSED
#undef NN_OP_DROPOUT
#undef NN_OP
#undef NN_BACKWARD
#undef NN_INDEX
