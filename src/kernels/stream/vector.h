/* kernels/stream/vector.h - the products of a block of a stream, for every instruction set. Each
   number is one chain of fused products along the depth, whichever lane or tail it is in. */
#ifndef NN__SET
#define NN__BODY "kernels/stream/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/stream/cpu.h"

/* Computes four outputs of two vectors of times. */
static void NN__(stream_four)(const nn__stream_block *b, int k, int t) {
    const float *w0 = b->weight + (ptrdiff_t)k * b->depth, *w1 = w0 + b->depth, *w2 = w1 + b->depth,
                *w3 = w2 + b->depth, *bias = b->bias ? b->bias + k : NULL;
    NN__F32 a0 = NN__(all)(bias ? bias[0] : 0.0f), a1 = NN__(all)(bias ? bias[1] : 0.0f);
    NN__F32 a2 = NN__(all)(bias ? bias[2] : 0.0f), a3 = NN__(all)(bias ? bias[3] : 0.0f);
    NN__F32 b0 = a0, b1 = a1, b2 = a2, b3 = a3;
    for (int p = 0; p < b->depth; p++) {
        const NN__F32 x = NN__(load)(b->rows[p] + t), z = NN__(load)(b->rows[p] + t + NN__LANES);
        const NN__F32 u0 = NN__(all)(w0[p]), u1 = NN__(all)(w1[p]);
        a0 = NN__(fma)(u0, x, a0), b0 = NN__(fma)(u0, z, b0);
        a1 = NN__(fma)(u1, x, a1), b1 = NN__(fma)(u1, z, b1);
        const NN__F32 u2 = NN__(all)(w2[p]), u3 = NN__(all)(w3[p]);
        a2 = NN__(fma)(u2, x, a2), b2 = NN__(fma)(u2, z, b2);
        a3 = NN__(fma)(u3, x, a3), b3 = NN__(fma)(u3, z, b3);
    }
    float *y = b->y + (ptrdiff_t)k * b->y_row + t;
    NN__(store)(y, a0), NN__(store)(y + NN__LANES, b0);
    y += b->y_row;
    NN__(store)(y, a1), NN__(store)(y + NN__LANES, b1);
    y += b->y_row;
    NN__(store)(y, a2), NN__(store)(y + NN__LANES, b2);
    y += b->y_row;
    NN__(store)(y, a3), NN__(store)(y + NN__LANES, b3);
}

/* Computes four outputs of at most one vector of times. */
static void NN__(stream_four_tail)(const nn__stream_block *b, int k, int t, int n) {
    const float *w0 = b->weight + (ptrdiff_t)k * b->depth, *w1 = w0 + b->depth, *w2 = w1 + b->depth,
                *w3 = w2 + b->depth, *bias = b->bias ? b->bias + k : NULL;
    NN__F32 a0 = NN__(all)(bias ? bias[0] : 0.0f), a1 = NN__(all)(bias ? bias[1] : 0.0f);
    NN__F32 a2 = NN__(all)(bias ? bias[2] : 0.0f), a3 = NN__(all)(bias ? bias[3] : 0.0f);
    for (int p = 0; p < b->depth; p++) {
        const NN__F32 x = NN__(load_up_to)(b->rows[p] + t, n, 0.0f);
        a0 = NN__(fma)(NN__(all)(w0[p]), x, a0), a1 = NN__(fma)(NN__(all)(w1[p]), x, a1);
        a2 = NN__(fma)(NN__(all)(w2[p]), x, a2), a3 = NN__(fma)(NN__(all)(w3[p]), x, a3);
    }
    float *y = b->y + (ptrdiff_t)k * b->y_row + t;
    NN__(store_up_to)(y, n, a0), NN__(store_up_to)(y + b->y_row, n, a1);
    NN__(store_up_to)(y + 2 * b->y_row, n, a2), NN__(store_up_to)(y + 3 * b->y_row, n, a3);
}

static void NN__(stream_one)(const nn__stream_block *b, int k, int t, int n) {
    const float *w = b->weight + (ptrdiff_t)k * b->depth;
    NN__F32 a = NN__(all)(b->bias ? b->bias[k] : 0.0f);
    for (int p = 0; p < b->depth; p++)
        a = NN__(fma)(NN__(all)(w[p]), NN__(load_up_to)(b->rows[p] + t, n, 0.0f), a);
    NN__(store_up_to)(b->y + (ptrdiff_t)k * b->y_row + t, n, a);
}

static void NN__(stream_products)(const nn__stream_block *b) {
    const int n = b->count;
    for (int t = 0; t < n; t += NN__LANES) {
        const int left = n - t < NN__LANES ? n - t : NN__LANES;
        const bool two = n - t >= 2 * NN__LANES;
        int k = 0;
        for (; k + 4 <= b->outputs; k += 4)
            if (two) NN__(stream_four)(b, k, t);
            else NN__(stream_four_tail)(b, k, t, left);
        for (; k < b->outputs; k++) {
            NN__(stream_one)(b, k, t, left);
            if (two) NN__(stream_one)(b, k, t + NN__LANES, NN__LANES);
        }
        if (two) t += NN__LANES;
    }
}

/* Vectors hold channels. Each sum is the chain that stream_products has for it. */
static void NN__(stream_newest)(const nn__stream_one *o) {
    for (int k = 0; k < o->K; k += NN__LANES) {
        const float *w = o->packed + k;
        NN__F32 sum = NN__(load)(w);
        for (int c = 0; c < o->C; c++) {
            const float *ring = o->ring ? o->ring + (ptrdiff_t)c * o->M : NULL;
            for (int r = 0; r < o->R - 1; r++)
                sum = NN__(fma)(NN__(all)(ring ? ring[o->slot[r]] : 0.0f),
                                NN__(load)(w += o->row), sum);
            sum = NN__(fma)(NN__(all)(o->x[c]), NN__(load)(w += o->row), sum);
        }
        NN__(store_up_to)(o->y + k, o->K - k, sum);
    }
}

static const nn__stream_set NN__(stream_set) = {NN__LANES, NN__(stream_products),
                                                NN__(stream_newest)};
#endif
