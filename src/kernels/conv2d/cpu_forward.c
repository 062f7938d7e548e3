/* kernels/conv2d/cpu_forward.c - the forward convolution on the CPU: chooses the algorithm, and
   runs its units. Everything that follows from the arguments is found once for each run. */
#include "kernels/conv2d/cpu_winograd.h"

static ptrdiff_t nn__conv_weight_row(const nn_conv2d_args *g) {
    return (ptrdiff_t)g->weight.shape.extent[1] * g->params.kernel_h * g->params.kernel_w;
}

#ifndef NN_NO_SIMD
NN_PRIVATE nn__conv_job nn__conv_whole_job(const nn__cpu *cpu, const nn_conv2d_args *g,
                                           const nn_view *from, const nn_view *to) {
    nn__conv_job job;
    memset(&job, 0, sizeof job);
    job.x = nn__f32(from);
    job.y = nn__f32(to);
    job.weight = nn__f32(&g->weight);
    job.bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) : NULL;
#ifndef NN_NO_SPEEDUPS
    job.slope = NN__SLOPE_OF(g, 0);
#endif
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
    job.kept = g->kept;
    return job;
}
#endif

/* ---- the choice ------------------------------------------------------------------------------ */

static nn__conv_kind nn__conv_kind_of(const nn__cpu *cpu, const nn_conv2d_args *g,
                                      const nn__conv *conv) {
    (void)cpu, (void)g, (void)conv;
    NN__IF_FLAT(cpu, g, return NN__CONV_BY_PLANE);
    NN__IF_DEPTHWISE(cpu, g, return NN__CONV_BY_CHANNEL);
    NN__IF_WINOGRAD(cpu, g, conv, return NN__CONV_BY_WINOGRAD);
    NN__IF_LINE(cpu, g, conv, return NN__CONV_BY_LINE);
    NN__IF_PANELS(cpu, conv, return NN__CONV_BY_PANELS);
    return NN__CONV_BY_BANDS;
}

/* Returns what was found for the run, or fills `space`. */
static const nn__conv_found *nn__conv_find(const nn__cpu *cpu, const nn_conv2d_args *g,
                                           nn__conv_found *space) {
#ifndef NN_NO_SIMD
    if (cpu->conv && cpu->conv->args == g) return cpu->conv;
#endif
    space->args = g;
    space->conv = nn__conv_forward_geometry(g);
    space->kind = nn__conv_kind_of(cpu, g, &space->conv);
#ifndef NN_NO_SIMD
    if (space->kind == NN__CONV_BY_PANELS) space->panel = nn__panel_make_cut(cpu, &space->conv);
    if (space->kind == NN__CONV_BY_WINOGRAD)
        space->winograd = nn__winograd_make_cut(cpu, &space->conv);
#endif
    if (space->kind == NN__CONV_BY_BANDS)
        space->cut = nn__conv_make_cut(cpu, &space->conv, nn__conv_weight_row(g));
    return space;
}

/* ---- units and scratch ----------------------------------------------------------------------- */

static int nn__conv2d_forward_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    nn__conv_found space;
    const nn__conv_found *found = nn__conv_find(cpu, g, &space);
    const nn__conv *conv = &found->conv;
    switch (found->kind) {
#ifndef NN_NO_SIMD
    case NN__CONV_BY_PLANE: return cpu->depthwise->flat_units(cpu, g, phase);
    case NN__CONV_BY_CHANNEL: return cpu->depthwise->units(cpu, g, phase);
    case NN__CONV_BY_WINOGRAD: return nn__winograd_units(cpu, conv, phase);
    case NN__CONV_BY_LINE: return nn__conv_line_units(cpu, conv, phase);
    case NN__CONV_BY_PANELS: return nn__panel_phase_units(cpu, conv, phase);
#endif
    default:
        return phase > 0 ? 0 : conv->images * conv->groups * found->cut.bands * found->cut.parts;
    }
}

static void nn__conv_band_unit(const nn__cpu *cpu, const nn__conv_found *found, int unit,
                               void *own) {
    const nn_conv2d_args *g = found->args;
    const nn__conv *conv = &found->conv;
    const nn__conv_cut *cut = &found->cut;
    const ptrdiff_t weight_row = nn__conv_weight_row(g);
    const int part = unit % cut->parts, band = unit / cut->parts % cut->bands,
              block = unit / cut->parts / cut->bands;
    const int group = block % conv->groups;
    nn__conv_job job;
    memset(&job, 0, sizeof job);
    job.x = nn__f32(&g->x) + (ptrdiff_t)block * conv->channels * conv->h.source * conv->w.source;
    job.y = nn__f32(&g->y) + (ptrdiff_t)block * conv->rows * conv->h.whole * conv->w.whole;
    job.weight = nn__f32(&g->weight) + (ptrdiff_t)group * conv->rows * weight_row;
    job.weight_row = weight_row;
    job.bias = nn__present(&g->epilogue.bias)
                   ? nn__f32(&g->epilogue.bias) + (ptrdiff_t)group * conv->rows
                   : NULL;
#ifndef NN_NO_SPEEDUPS
    job.slope = NN__SLOPE_OF(g, (ptrdiff_t)group * conv->rows);
#endif
    job.activate = cpu->activations[g->epilogue.activation];
    job.accumulate = g->accumulate;
    nn__conv_run(conv, cut, &job, band, part, own);
}

static void nn__conv2d_forward_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                    void *shared, void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    nn__conv_found space;
    const nn__conv_found *found = nn__conv_find(cpu, g, &space);
    (void)phase, (void)shared;
    switch (found->kind) {
#ifndef NN_NO_SIMD
    case NN__CONV_BY_PLANE: cpu->depthwise->flat_unit(cpu, g, unit, false, own); return;
    case NN__CONV_BY_CHANNEL: cpu->depthwise->forward_unit(cpu, g, unit, own); return;
    case NN__CONV_BY_WINOGRAD:
    case NN__CONV_BY_LINE: {
        const nn__conv_job whole = nn__conv_whole_job(cpu, g, &g->x, &g->y);
        (found->kind == NN__CONV_BY_LINE ? nn__conv_line_unit : nn__winograd_unit)(
            cpu, &found->conv, &whole, phase, unit, (float *)shared, own);
        return;
    }
    case NN__CONV_BY_PANELS:
        nn__panel_forward_unit(cpu, g, &found->conv, phase, unit, (float *)shared, own);
        return;
#endif
    default: nn__conv_band_unit(cpu, found, unit, own);
    }
}

static size_t nn__conv2d_forward_own(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    nn__conv_found space;
    const nn__conv_found *found = nn__conv_find(cpu, g, &space);
    switch (found->kind) {
#ifndef NN_NO_SIMD
    case NN__CONV_BY_PLANE: return cpu->depthwise->flat_own(cpu, g);
    case NN__CONV_BY_CHANNEL: return cpu->depthwise->forward_own(cpu, g);
    case NN__CONV_BY_WINOGRAD: return nn__winograd_own(cpu, &found->conv);
    case NN__CONV_BY_LINE: return nn__conv_line_own(cpu, &found->conv);
    case NN__CONV_BY_PANELS: return nn__panel_own(cpu, &found->conv);
#endif
    default: return nn__conv_own_bytes(&found->cut);
    }
}

#ifndef NN_NO_SIMD
static size_t nn__conv2d_forward_shared(const nn__cpu *cpu, const void *args) {
    nn__conv_found space;
    const nn__conv_found *found = nn__conv_find(cpu, (const nn_conv2d_args *)args, &space);
    switch (found->kind) {
    case NN__CONV_BY_WINOGRAD: return nn__winograd_shared(cpu, &found->conv);
    case NN__CONV_BY_LINE: return nn__conv_line_shared(cpu, &found->conv);
    case NN__CONV_BY_PANELS: return nn__panel_forward_shared(cpu, &found->conv);
    default: return 0;
    }
}
#else
#define nn__conv2d_forward_shared NULL
#endif

static const char *nn__conv2d_forward_refuses(const nn__cpu *cpu, const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
#ifndef NN_NO_SPEEDUPS
    if (nn__present(&g->slope) &&
        (g->accumulate || g->epilogue.activation != NN_ACTIVATION_NONE))
        return NN__TEXT("a convolution with slopes has no other activation and adds nothing to y");
#endif
    return nn__refuses_activation(cpu, g->epilogue.activation);
}

static const nn__cpu_kernel nn__conv2d_forward_kernel = {
    nn__conv2d_forward_units, nn__conv2d_forward_unit, nn__conv2d_forward_shared,
    nn__conv2d_forward_own, nn__conv2d_forward_refuses};

#ifndef NN_NO_SIMD
static nn_result nn__conv2d_forward_run(void *state, nn_kernel kernel, const void *args,
                                        nn_range range) {
    nn__cpu *cpu = (nn__cpu *)state;
    const nn__conv_found *before = cpu->conv; /* a job system may run another step inside a step */
    nn__conv_found space;
    cpu->conv = nn__conv_find(cpu, (const nn_conv2d_args *)args, &space);
    const nn_result result = nn__cpu_run(state, kernel, args, range);
    cpu->conv = before;
    return result;
}
#endif

NN_PRIVATE void nn__install_dense_conv2d(nn_context *nn) {
    NN__CPU_INSTALL(nn, CONV2D_FORWARD, conv2d_forward, &nn__conv2d_forward_kernel);
#ifndef NN_NO_SIMD
    if (nn->cpu)
        ((nn__cpu *)nn->cpu)->backend.kernels[NN_KERNEL_CONV2D_FORWARD] = nn__conv2d_forward_run;
#endif
    NN__INSTALL_CONV2D_WAY(nn);
#ifndef NN_NO_TRAINING
    nn__install_conv2d_backward(nn);
#endif
}

NN_PRIVATE void nn__install_conv2d(nn_context *nn) {
    nn__install_dense_conv2d(nn);
    NN__INSTALL_DEPTHWISE(nn);
    nn__install_shard_conv2d(nn);
}
#undef nn__conv2d_forward_shared
