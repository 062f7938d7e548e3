/* kernels/stream/cpu.c - convolutions and pools of a stream on the CPU. A unit is some outputs of
   one sample. The inputs that one position of the kernel reads form a row: a part of the block in
   place, or a copy that begins in the ring. */
#include "kernels/stream/cpu.h"
#include "kernels/stream/vector.h"

#define NN__STREAM_BLOCK 128 /* outputs per unit: rows of a small layer stay in the first cache */

NN_PRIVATE const nn__stream_set *nn__stream_set_of(const nn__cpu *cpu) {
    return NN__OF_SET(cpu, nn__stream_set);
}

static nn__stream nn__stream_forward_of(const nn_stream_args *args) {
    return nn__stream_of(&args->y, &args->x, args->kernel, args->stride, args->dilation,
                         args->groups);
}

static int nn__stream_depth(const nn__stream *s, const nn_stream_args *args) {
    return args->way == NN_STREAM_CONV ? s->C / s->G * s->R : s->R;
}

static int nn__stream_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn__stream s = nn__stream_forward_of((const nn_stream_args *)arguments);
    (void)cpu;
    return phase ? 0 : s.N * nn__ceil_div(s.Y, NN__STREAM_BLOCK);
}

/* Returns the bytes of the rows' addresses. Room for copies of the rows follows them. */
static size_t nn__stream_pointers(int depth) {
    return nn__align_up((size_t)depth * sizeof(const float *), NN__ALIGNMENT);
}
static size_t nn__stream_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_stream_args *args = (const nn_stream_args *)arguments;
    const nn__stream s = nn__stream_forward_of(args);
    const int depth = nn__stream_depth(&s, args);
    (void)cpu;
    return nn__stream_pointers(depth) +
           (size_t)depth * (size_t)nn__mini(s.Y, NN__STREAM_BLOCK) * sizeof(float);
}

/* Copies the inputs of times [time, time + count) below the end of the block. */
static void nn__stream_gather(const nn__stream *s, const nn__stream_head *head, const float *x,
                              int c, int time, int count, float *to) {
    const float *ring = head->ring ? head->ring + (ptrdiff_t)c * s->M : NULL;
    while (count > 0) {
        int slot = head->position + time, n = count;
        const float *from;
        if (slot < 0) slot += s->M;
        if (time < 0) n = nn__mini(count, nn__mini(-time, s->M - slot));
        from = time >= 0 ? x + time : ring ? ring + slot : NULL;
        if (from)
            memcpy(to, from, (size_t)n * sizeof *to);
        else
            memset(to, 0, (size_t)n * sizeof *to);
        to += n, time += n, count -= n;
    }
}

/* Returns the inputs that `count` outputs from j on read with place r. to: room for a copy. */
static const float *nn__stream_row(const nn__stream *s, const nn__stream_head *head, const float *x,
                                   int c, int r, int j, int count, float *to) {
    const int time = nn__stream_time(s, j, r);
    if (s->stride == 1) {
        if (time >= 0) return x + time;
        nn__stream_gather(s, head, x, c, time, count, to);
        return to;
    }
    for (int i = 0; i < count; i++)
        to[i] = nn__stream_at(s, head, x, c, time + i * s->stride);
    return to;
}

/* The outputs [j, j + count) of a sample, and what a unit needs to compute them. */
typedef struct nn__stream_part {
    nn__stream_head head;
    const float *x; /* (C, L) */
    float *y;       /* (K, Y) */
    const float **rows;
    float *copies;
    int j, count;
} nn__stream_part;

static void nn__stream_conv(const nn__cpu *cpu, const nn_stream_args *args, const nn__stream *s,
                            const nn__stream_part *part) {
    const nn__activate activate = cpu->activations[args->epilogue.activation];
    const int channels = s->C / s->G, depth = channels * s->R, outputs = s->K / s->G;
    nn__stream_block block;
    block.rows = part->rows;
    block.y_row = s->Y;
    block.outputs = outputs;
    block.depth = depth;
    block.count = part->count;
    for (int g = 0; g < s->G; g++) {
        for (int p = 0; p < depth; p++) {
            const int c = g * channels + p / s->R;
            part->rows[p] =
                nn__stream_row(s, &part->head, part->x + (ptrdiff_t)c * s->L, c, p % s->R, part->j,
                               part->count, part->copies + (ptrdiff_t)p * part->count);
        }
        block.weight = nn__f32(&args->weight) + (ptrdiff_t)g * outputs * depth;
        block.bias = nn__present(&args->epilogue.bias)
                         ? nn__f32(&args->epilogue.bias) + (ptrdiff_t)g * outputs
                         : NULL;
        block.y = part->y + (ptrdiff_t)g * outputs * s->Y + part->j;
        nn__stream_set_of(cpu)->products(&block);
        for (int k = 0; activate && k < outputs; k++)
            activate(block.y + (ptrdiff_t)k * s->Y, part->count);
    }
}

static void nn__stream_pool(const nn_stream_args *args, const nn__stream *s,
                            const nn__stream_part *part) {
    for (int c = 0; c < s->C; c++) {
        float *y = part->y + (ptrdiff_t)c * s->Y + part->j;
        for (int r = 0; r < s->R; r++)
            part->rows[r] = nn__stream_row(s, &part->head, part->x + (ptrdiff_t)c * s->L, c, r,
                                           part->j, part->count,
                                           part->copies + (ptrdiff_t)r * part->count);
        for (int i = 0; i < part->count; i++) {
            float best = -INFINITY, sum = 0.0f;
            int inside = 0;
            for (int r = 0; r < s->R; r++) {
                const float value = part->rows[r][i];
                if (nn__stream_time(s, part->j + i, r) < -part->head.seen) continue;
                if (value > best || value != value) best = value;
                sum += value;
                inside++;
            }
            y[i] = args->way == NN_STREAM_MAX       ? best
                   : args->way == NN_STREAM_AVERAGE ? sum / (float)s->R
                                                    : sum / (float)inside;
        }
    }
}

static void nn__stream_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_stream_args *args = (const nn_stream_args *)arguments;
    const nn__stream s = nn__stream_forward_of(args);
    const int blocks = nn__ceil_div(s.Y, NN__STREAM_BLOCK), n = unit / blocks;
    nn__stream_part part;
    (void)phase, (void)shared;
    part.head = nn__stream_head_of(&s, &args->state, n);
    part.x = nn__f32(&args->x) + (ptrdiff_t)n * s.C * s.L;
    part.y = nn__f32(&args->y) + (ptrdiff_t)n * s.K * s.Y;
    part.j = unit % blocks * NN__STREAM_BLOCK;
    part.count = nn__mini(NN__STREAM_BLOCK, s.Y - part.j);
    part.rows = (const float **)own;
    part.copies = (float *)(void *)((char *)own + nn__stream_pointers(nn__stream_depth(&s, args)));
    if (args->way == NN_STREAM_CONV)
        nn__stream_conv(cpu, args, &s, &part);
    else
        nn__stream_pool(args, &s, &part);
}
#undef NN__STREAM_BLOCK

static const char *nn__stream_refuses(const nn__cpu *cpu, const void *args) {
    return nn__refuses_activation(cpu, ((const nn_stream_args *)args)->epilogue.activation);
}

/* ---- the state ------------------------------------------------------------------------------- */

static int nn__stream_push_units(const nn__cpu *cpu, const void *arguments, int phase) {
    (void)cpu;
    return phase ? 0 : ((const nn_stream_push_args *)arguments)->x.shape.extent[0];
}

/* A block longer than the ring leaves only its end there. */
static void nn__stream_push_unit(const nn__cpu *cpu, const void *arguments, int phase, int n,
                                 void *shared, void *own) {
    const nn_stream_push_args *args = (const nn_stream_push_args *)arguments;
    const int C = args->x.shape.extent[1], L = args->x.shape.extent[2],
              width = args->state.shape.extent[1], M = (width - 2) / C, taken = nn__mini(L, M);
    float *state = nn__f32(&args->state) + (ptrdiff_t)n * width;
    const int position = nn__stream_count(state[0], M - 1),
              seen = nn__stream_count(state[1], M), first = nn__mini(taken, M - position);
    (void)cpu, (void)phase, (void)shared, (void)own;
    if (nn__present(&args->status) && args->status.handle && *nn__status(&args->status) != 0)
        return;
    for (int c = 0; c < C; c++) {
        const float *x = nn__f32(&args->x) + ((ptrdiff_t)n * C + c) * L + (L - taken);
        float *ring = state + 2 + (ptrdiff_t)c * M;
        memcpy(ring + position, x, (size_t)first * sizeof *ring);
        memcpy(ring, x + first, (size_t)(taken - first) * sizeof *ring);
    }
    state[0] = (float)((position + taken) % M);
    state[1] = (float)nn__mini(M, seen + taken);
}

static const nn__cpu_kernel nn__stream_forward = {nn__stream_units, nn__stream_unit, NULL,
                                                  nn__stream_own_bytes, nn__stream_refuses};
static const nn__cpu_kernel nn__stream_push = {nn__stream_push_units, nn__stream_push_unit, NULL,
                                               NULL, NULL};

NN_PRIVATE void nn__install_stream(nn_context *nn) {
#ifndef NN_NO_SPEEDUPS
    if (nn->cpu) nn__stream_install_singles((nn__cpu *)nn->cpu);
#endif
    NN__CPU_INSTALL(nn, STREAM_FORWARD, stream_forward, &nn__stream_forward);
    NN__CPU_INSTALL(nn, STREAM_PUSH, stream_push, &nn__stream_push);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, STREAM_BACKWARD, stream_backward, nn__stream_backward_kernel());
#endif
}
