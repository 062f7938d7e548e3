/* kernels/stream/cpu.h - shared by forward, push and backward of a stream on the CPU. */
#pragma once

#include "cpu/private.h"

/* The extents of a stream. M: numbers of a ring. */
typedef struct nn__stream {
    int N, C, K, L, Y, R, G, M, stride, dilation;
} nn__stream;

/* The state of one sample. ring NULL: there is none. */
typedef struct nn__stream_head {
    const float *ring;
    int position, seen;
} nn__stream_head;

static inline NN__UNUSED nn__stream nn__stream_of(const nn_view *y, const nn_view *x, int kernel,
                                                  int stride, int dilation, int groups) {
    nn__stream s;
    s.N = x->shape.extent[0];
    s.C = x->shape.extent[1];
    s.L = x->shape.extent[2];
    s.K = y->shape.extent[1];
    s.Y = y->shape.extent[2];
    s.R = kernel;
    s.G = groups;
    s.stride = stride;
    s.dilation = dilation;
    s.M = (kernel - 1) * dilation - (stride - 1);
    return s;
}

/* Returns a place or count of a state; anything else than a whole number in [0, end] counts as 0,
   because a program can upload a state. */
static inline NN__UNUSED int nn__stream_count(float number, int end) {
    return number >= 0.0f && number <= (float)end ? (int)number : 0;
}

static inline NN__UNUSED nn__stream_head nn__stream_head_of(const nn__stream *s,
                                                            const nn_view *state, int n) {
    nn__stream_head head;
    head.ring = NULL;
    head.position = head.seen = 0;
    if (!nn__present(state)) return head;
    const float *at = nn__f32(state) + (ptrdiff_t)n * NN_STREAM_STATE((ptrdiff_t)s->C, s->M);
    head.position = nn__stream_count(at[0], s->M - 1);
    head.seen = nn__stream_count(at[1], s->M);
    head.ring = at + 2;
    return head;
}

/* Returns the time that output j reads with place r of the kernel. */
static inline NN__UNUSED int nn__stream_time(const nn__stream *s, int j, int r) {
    return j * s->stride + s->stride - 1 - (s->R - 1 - r) * s->dilation;
}

/* Returns the input of channel c at this time; x: the channel's block. */
static inline NN__UNUSED float nn__stream_at(const nn__stream *s, const nn__stream_head *head,
                                             const float *x, int c, int time) {
    int slot = head->position + time;
    if (time >= 0) return x[time];
    if (!head->ring) return 0.0f;
    if (slot < 0) slot += s->M;
    return head->ring[(ptrdiff_t)c * s->M + slot];
}

/* The products of a block: y[k, t] = bias[k] + sum over p of weight[k, p] rows[p][t]. */
typedef struct nn__stream_block {
    const float *const *rows; /* depth of them */
    const float *weight;      /* (outputs, depth) */
    const float *bias;        /* NULL: 0 */
    float *y;
    ptrdiff_t y_row;
    int outputs, depth, count;
} nn__stream_block;

/* One output of each channel, from the newest inputs and those in the ring, as the products above.
   packed: the biases, then a row of weights for each product. A row has `row` floats, which are
   whole vectors. */
typedef struct nn__stream_one {
    const float *packed, *x, *ring; /* ring NULL: zeros */
    const int *slot;                /* R - 1 places in a ring of M inputs */
    float *y;
    int C, K, R, M;
    ptrdiff_t row;
} nn__stream_one;

/* The functions of each instruction set (kernels/stream/vector.h). */
typedef struct nn__stream_set {
    int lanes;
    void (*products)(const nn__stream_block *block);
    void (*one)(const nn__stream_one *one);
} nn__stream_set;

#ifndef NN_NO_SPEEDUPS
NN_PRIVATE void nn__stream_install_singles(nn__cpu *cpu);
#endif
NN_PRIVATE const nn__stream_set *nn__stream_set_of(const nn__cpu *cpu);

#ifndef NN_NO_TRAINING
NN_PRIVATE const nn__cpu_kernel *nn__stream_backward_kernel(void);
#endif
