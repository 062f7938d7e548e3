/* kernels/stream/cpu_single.c - a stream with one input per run, as in nn_run_on. There is only one
   time, so vectors hold channels, and the weights are packed once for that. The bytes are those of
   kernels/stream/cpu.c. */
#include "device/direct.h"
#include "kernels/stream/cpu.h"

#ifndef NN_NO_SPEEDUPS

#define NN__SINGLE_KERNEL 32 /* the largest kernel */

/* The start of the memory. The packed weights follow it. */
typedef struct nn__single {
    nn__stream s;
    ptrdiff_t row;
    float packed[16];
} nn__single;

static nn__single nn__single_of(const nn__cpu *cpu, const nn_stream_args *args) {
    nn__single one;
    const int lanes = nn__stream_set_of(cpu)->lanes;
    one.s = nn__stream_of(&args->y, &args->x, args->kernel, args->stride, args->dilation,
                          args->groups);
    one.row = (ptrdiff_t)nn__ceil_div(one.s.K, lanes) * lanes;
    return one;
}

static size_t nn__single_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_stream_args *args = (const nn_stream_args *)arguments;
    const nn__single one = nn__single_of(cpu, args);
    if (args->way != NN_STREAM_CONV || one.s.L != 1 || one.s.stride != 1 || one.s.G != 1 ||
        one.s.R > NN__SINGLE_KERNEL)
        return 0;
    return sizeof one + (size_t)one.row * ((size_t)one.s.C * (size_t)one.s.R + 1) * sizeof(float);
}

static void nn__single_go(const nn__prepared *part) {
    const nn__cpu *cpu = (const nn__cpu *)part->device;
    const nn_stream_args *args = (const nn_stream_args *)part->args;
    const nn__single *made = (const nn__single *)part->made;
    const nn__stream *s = &made->s;
    const nn__activate activate = cpu->activations[args->epilogue.activation];
    int slot[NN__SINGLE_KERNEL];
    nn__stream_one one;
    one.packed = made->packed;
    one.row = made->row;
    one.C = s->C, one.K = s->K, one.R = s->R, one.M = s->M;
    one.slot = slot;
    for (int n = 0; n < s->N; n++) {
        const nn__stream_head head = nn__stream_head_of(s, &args->state, n);
        for (int r = 0; r < s->R - 1; r++) {
            slot[r] = head.position - (s->R - 1 - r) * s->dilation;
            if (slot[r] < 0) slot[r] += s->M;
        }
        one.ring = head.ring;
        one.x = nn__f32(&args->x) + (ptrdiff_t)n * s->C;
        one.y = nn__f32(&args->y) + (ptrdiff_t)n * s->K;
        nn__stream_set_of(cpu)->one(&one);
        if (activate) activate(one.y, s->K);
    }
}

static nn__go nn__single_make(const nn__cpu *cpu, const void *arguments, void *memory) {
    const nn_stream_args *args = (const nn_stream_args *)arguments;
    nn__single *made = (nn__single *)memory;
    *made = nn__single_of(cpu, args);
    const int depth = made->s.C * made->s.R;
    float *to = made->packed;
    memset(to, 0, (size_t)made->row * ((size_t)depth + 1) * sizeof *to);
    for (int k = 0; k < made->s.K; k++) {
        if (nn__present(&args->epilogue.bias)) to[k] = nn__f32(&args->epilogue.bias)[k];
        for (int p = 0; p < depth; p++)
            to[(p + 1) * made->row + k] = nn__f32(&args->weight)[(ptrdiff_t)k * depth + p];
    }
    return nn__single_go;
}

/* ---- the state ------------------------------------------------------------------------------- */

static void nn__single_push(const nn__prepared *part) {
    const nn_stream_push_args *args = (const nn_stream_push_args *)part->args;
    const int C = args->x.shape.extent[1], width = args->state.shape.extent[1],
              M = (width - 2) / C;
    const float *x = nn__f32(&args->x);
    float *state = nn__f32(&args->state);
    for (int n = 0; n < args->x.shape.extent[0]; n++, state += width, x += C) {
        const int position = nn__stream_count(state[0], M - 1),
                  seen = nn__stream_count(state[1], M);
        float *ring = state + 2 + position;
        for (int c = 0; c < C; c++) ring[(ptrdiff_t)c * M] = x[c];
        state[0] = (float)(position + 1 == M ? 0 : position + 1);
        state[1] = (float)nn__mini(M, seen + 1);
    }
}

static nn__go nn__single_pushes(const nn__cpu *cpu, const void *arguments, void *memory) {
    const nn_stream_push_args *args = (const nn_stream_push_args *)arguments;
    (void)cpu, (void)memory;
    return args->x.shape.extent[2] == 1 && !nn__present(&args->status) ? nn__single_push : NULL;
}

static const nn__cpu_single nn__single_forward = {nn__single_bytes, nn__single_make};
static const nn__cpu_single nn__single_state = {NULL, nn__single_pushes};
NN_PRIVATE void nn__stream_install_singles(nn__cpu *cpu) {
    cpu->singles[NN__SINGLE_STREAM] = &nn__single_forward;
    cpu->singles[NN__SINGLE_PUSH] = &nn__single_state;
}
#undef NN__SINGLE_KERNEL
#endif

typedef int nn__stream_single_part; /* a part must not be empty under NN_NO_SPEEDUPS */
