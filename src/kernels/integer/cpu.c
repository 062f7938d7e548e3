/* kernels/integer/cpu.c - convolutions and products of 8-bit integers on the CPU.

   Phase 0 packs the weights into panels of some output channels of a group, with the start of each
   sum: the bias, less the sum of the weights times the zero point of x (and times the offset of the
   set). Phase 1 copies the windows of some places of y into rows, group by group, and multiplies
   them by all panels or, if there are few places, by some. Plain C does neither (cpu_plain.c). A
   transposed convolution has windows with gaps: places of x that are between the strides count as
   padding. */
#include "kernels/integer/cpu.h"
#include "kernels/integer/vector.h"

#ifndef NN_NO_SIMD

#define NN__INTEGER_BYTES 49152 /* of the rows of a unit, which share the L2 cache with a panel */
#define NN__INTEGER_UNITS 16    /* with fewer, panels are divided among units */

static nn__integer_conv nn__integer_conv_of(const nn__cpu *cpu,
                                            const nn_integer_conv2d_args *args) {
    const int32_t *x = args->x.shape.extent, *y = args->y.shape.extent;
    nn__integer_conv c;
    c.args = args;
    c.loops = nn__integer_products_of(cpu);
    c.H = x[1], c.W = x[2], c.across = x[3], c.OH = y[1], c.OW = y[2], c.K = y[3];
    c.C = c.across / args->params.groups;
    c.each = c.K / args->params.groups;
    c.depth = args->params.kernel_h * args->params.kernel_w * c.C;
    const int unit = c.loops->step * c.loops->unroll;
    c.winograd = nn__integer_has_winograd(&c);
    c.windows = !c.winograd && nn__integer_has_windows(&c);
    c.lines = c.windows ? args->params.kernel_h : 1;
    c.line = nn__ceil_div(c.depth / c.lines, unit) * unit;
    c.padded = c.line * c.lines;
    c.group_panels = nn__ceil_div(c.each, c.loops->lanes);
    c.panels = c.group_panels * args->params.groups;
    c.places = (int64_t)y[0] * c.OH * c.OW;
    c.panel_bytes =
        (size_t)c.loops->lanes * (sizeof(int32_t) + (size_t)c.padded * (size_t)c.loops->bytes);
    if (c.winograd) {
        nn__integer_cut_winograd(&c);
    } else if (c.windows) {
        nn__integer_cut_windows(&c);
    } else {
        const int fit = NN__INTEGER_BYTES / (c.padded * c.loops->bytes);
        c.rows = nn__maxi(fit, 1) / c.loops->rows * c.loops->rows;
        c.rows = (int)nn__min64(nn__maxi(c.rows, c.loops->rows), c.places);
        c.blocks = (c.places + c.rows - 1) / c.rows;
    }
    /* Each part transforms all tiles again. This takes a fifth of the time of a panel's products.
       */
    const int most = c.winograd ? nn__ceil_div(c.panels, 4) : c.panels;
    c.parts = c.blocks >= NN__INTEGER_UNITS
                  ? 1
                  : nn__mini(most, nn__ceil_div(NN__INTEGER_UNITS, (int)c.blocks));
    return c;
}

/* True if the windows of adjacent places are the places of x, which products read in place. */
static bool nn__integer_in_place(const nn__integer_conv *c) {
    const nn_conv2d_params *p = &c->args->params;
    return c->loops->bytes == 1 && c->loops->offset == 0 && c->padded == c->across &&
           c->depth == c->across && p->stride_h == 1 && p->stride_w == 1 && p->padding_h == 0 &&
           p->padding_w == 0 && c->OH == c->H && c->OW == c->W && !c->args->transposed;
}

NN_PRIVATE bool nn__integer_is_plain(const nn__cpu *cpu) {
    return nn__integer_loops_of(cpu) == &nn__integer_loops_plain;
}

static size_t nn__integer_packed(const nn__cpu *cpu, const nn_integer_conv2d_args *args) {
    if (nn__integer_is_plain(cpu)) return 0;
    if (nn__integer_is_depthwise(args)) return nn__integer_depthwise_packed(cpu, args);
    const nn__integer_conv c = nn__integer_conv_of(cpu, args);
    /* A plan packs again only if the size differs (plan/weight_cache.c). Weights for windows that
       are read where they stand have another order, often in as many bytes. */
    return c.panel_bytes * (size_t)c.panels + (c.windows ? NN__ALIGNMENT : 0);
}
/* Phase 0 packs, phase 1 computes; with kept weights there is only one of them. */
static int nn__integer_phase(const nn_integer_conv2d_args *args, int phase) {
    return args->keep == NN_KEEP_USES ? phase + 1 : phase;
}
static int nn__integer_conv_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    if (nn__integer_is_plain(cpu)) return nn__integer_plain_units(args, phase);
    if (phase > 0 && args->keep != NN_KEEP_NOT) return 0;
    phase = nn__integer_phase(args, phase);
    if (nn__integer_is_depthwise(args)) return nn__integer_depthwise_units(cpu, args, phase);
    const nn__integer_conv c = nn__integer_conv_of(cpu, args);
    if (phase == 0) return c.panels;
    return phase == 1 ? (int)c.blocks * c.parts : 0;
}
static size_t nn__integer_conv_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    return args->keep != NN_KEEP_NOT ? 0 : nn__integer_packed(cpu, args);
}
static size_t nn__integer_conv_own(const nn__cpu *cpu, const void *arguments) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    if (nn__integer_is_plain(cpu)) return nn__integer_plain_own(args);
    if (args->keep == NN_KEEP_MAKES) return 0;
    if (nn__integer_is_depthwise(args)) return nn__integer_depthwise_own(cpu, args);
    const nn__integer_conv c = nn__integer_conv_of(cpu, args);
    if (c.winograd) return nn__integer_winograd_own(&c);
    if (c.windows) return nn__integer_windows_own(&c);
    if (nn__integer_in_place(&c)) return 0;
    return (size_t)c.rows * (size_t)c.padded * (size_t)c.loops->bytes;
}

/* Packs the weights of the channels of a panel. */
static void nn__integer_pack(const nn__integer_conv *c, int panel, char *to) {
    const nn__integer_loops *loops = c->loops;
    const int lanes = loops->lanes, step = loops->step, in_group = panel % c->group_panels * lanes,
              first = panel / c->group_panels * c->each + in_group;
    const int32_t *bias = nn__i32(&c->args->bias), *zero = nn__i32(&c->args->zero);
    const uint32_t offset = (uint32_t)zero[NN_INTEGER_X] + (uint32_t)loops->offset;
    int32_t *start = (int32_t *)(void *)to;
    int8_t *bytes = (int8_t *)(start + lanes);
    int16_t *halves = (int16_t *)(void *)(start + lanes);
    const int line = c->depth / c->lines;
    memset(to, 0, c->panel_bytes);
    for (int lane = 0; lane < lanes && in_group + lane < c->each; lane++) {
        const int8_t *w = nn__i8(&c->args->weight) + (ptrdiff_t)(first + lane) * c->depth;
        uint32_t sum = 0;
        for (int p = 0; p < c->depth; p++) {
            const int from = p / line * c->line + p % line;
            const ptrdiff_t at = ((ptrdiff_t)(from / step) * lanes + lane) * step + from % step;
            if (loops->bytes == 1)
                bytes[at] = w[p];
            else
                halves[at] = w[p];
            const int32_t one = w[p];
            sum += (uint32_t)one;
        }
        start[lane] = (int32_t)((uint32_t)bias[first + lane] - sum * offset);
    }
}

NN_PRIVATE void nn__integer_fill(const nn__integer_loops *loops, char *to, int32_t x, int n) {
    if (loops->bytes == 1) {
        memset(to, (x + loops->offset) & 0xff, (size_t)n);
        return;
    }
    int16_t *halves = (int16_t *)(void *)to;
    for (int i = 0; i < n; i++) halves[i] = (int16_t)x;
}

/* Copies the window of a place of y into a row, for a transposed convolution. x: the first number
   of the group in the image. */
static void nn__integer_gaps(const nn__integer_conv *c, const int8_t *x, int oh, int ow,
                             char *row) {
    const nn_conv2d_params *p = &c->args->params;
    const nn__integer_loops *loops = c->loops;
    const int32_t zero = nn__i32(&c->args->zero)[NN_INTEGER_X];
    for (int r = 0; r < p->kernel_h; r++) {
        const int h = nn__integer_source(oh + p->padding_h - r * p->dilation_h, p->stride_h, c->H);
        for (int s = 0; s < p->kernel_w; s++, row += (ptrdiff_t)c->C * loops->bytes) {
            const int w =
                nn__integer_source(ow + p->padding_w - s * p->dilation_w, p->stride_w, c->W);
            if (h >= 0 && w >= 0)
                loops->widen(row, x + ((ptrdiff_t)h * c->W + w) * c->across, c->C);
            else
                nn__integer_fill(loops, row, zero, c->C);
        }
    }
    nn__integer_fill(loops, row, 0, c->padded - c->depth);
}

/* Copies the window of a place of y into a row. */
static void nn__integer_window(const nn__integer_conv *c, int64_t place, int group, char *row) {
    const nn_conv2d_params *p = &c->args->params;
    const nn__integer_loops *loops = c->loops;
    const int32_t zero = nn__i32(&c->args->zero)[NN_INTEGER_X];
    const int bytes = loops->bytes, C = c->C, ow = (int)(place % c->OW);
    const int oh = (int)(place / c->OW % c->OH), dw = p->groups > 1 ? 0 : p->dilation_w;
    const int8_t *x = nn__i8(&c->args->x) + place / c->OW / c->OH * c->H * c->W * c->across +
                      (ptrdiff_t)group * C;
    if (c->args->transposed) {
        nn__integer_gaps(c, x, oh, ow, row);
        return;
    }
    const int left = ow * p->stride_w - p->padding_w;
    for (int r = 0; r < p->kernel_h; r++) {
        const int h = oh * p->stride_h - p->padding_h + r * p->dilation_h;
        const int8_t *line = x + (ptrdiff_t)h * c->W * c->across;
        const bool inside = h >= 0 && h < c->H;
        for (int s = 0; s < p->kernel_w;) {
            const int w = left + s * p->dilation_w;
            int taps = 1; /* that are adjacent in x (dw == 1), or all outside of it */
            if (!inside)
                taps = p->kernel_w;
            else if (dw == 1 && w < 0)
                taps = nn__mini(-w, p->kernel_w - s);
            else if (dw == 1 && w < c->W)
                taps = nn__mini(c->W - w, p->kernel_w - s);
            if (inside && w >= 0 && w < c->W)
                loops->widen(row, line + (ptrdiff_t)w * c->across, taps * C);
            else
                nn__integer_fill(loops, row, zero, taps * C);
            row += (ptrdiff_t)taps * C * bytes;
            s += taps;
        }
    }
    nn__integer_fill(loops, row, 0, c->padded - c->depth);
}

static void nn__integer_conv_places(const nn__integer_conv *conv, int unit, char *shared,
                                    char *own) {
    const nn__integer_conv c = *conv;
    const nn_integer_conv2d_args *args = c.args;
    const int lanes = c.loops->lanes;
    int32_t sums[NN__INTEGER_ROWS * NN__INTEGER_LANES];
    int64_t factors[NN__INTEGER_FACTORS];
    const int64_t first = (int64_t)(unit / c.parts) * c.rows;
    const int rows = (int)nn__min64(c.rows, c.places - first), part = unit % c.parts;
    const int from = (int)((int64_t)c.panels * part / c.parts),
              end = (int)((int64_t)c.panels * (part + 1) / c.parts);
    const int32_t *factor = nn__i32(&args->factor), *zero = nn__i32(&args->zero);
    nn__integer_tile t;
    t.x_row = (ptrdiff_t)c.padded * c.loops->bytes;
    const bool in_place = nn__integer_in_place(&c);
    const char *x = in_place ? (const char *)nn__i8(&args->x) + first * t.x_row : own;
    t.steps = c.padded / c.loops->step;
    t.sums = sums;
    for (int panel = from, filled = -1; panel < end; panel++) {
        const int group = panel / c.group_panels, in_group = panel % c.group_panels * lanes,
                  k = group * c.each + in_group;
        for (int i = 0; i < rows && group != filled && !in_place; i++)
            nn__integer_window(&c, first + i, group, own + i * t.x_row);
        filled = group;
        int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + first * c.K + k;
        nn__integer_out out;
        out.multiplier = factor + k, out.shift = factor + c.K + k;
        out.zero = zero[NN_INTEGER_Y];
        out.low = zero[NN_INTEGER_LOW], out.high = zero[NN_INTEGER_HIGH];
        out.factors = NULL;
        if (c.loops->prepare && c.loops->prepare(factors, &out, nn__mini(lanes, c.each - in_group)))
            out.factors = factors;
        t.start = (const int32_t *)(const void *)(shared + c.panel_bytes * (size_t)panel);
        t.w = (const char *)(t.start + lanes);
        for (int i = 0; i < rows; i += t.rows) {
            t.rows = nn__mini(c.loops->rows, rows - i);
            t.x = x + i * t.x_row;
            c.loops->tile(&t);
            c.loops->requantize(y + (ptrdiff_t)i * c.K, c.K, sums, lanes, t.rows, &out,
                                nn__mini(lanes, c.each - in_group));
        }
    }
}

static void nn__integer_conv_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                  void *shared, void *own) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    if (nn__integer_is_plain(cpu)) {
        nn__integer_plain_unit(args, unit, own);
        return;
    }
    phase = nn__integer_phase(args, phase);
    if (args->keep != NN_KEEP_NOT) shared = args->kept;
    if (nn__integer_is_depthwise(args)) {
        nn__integer_depthwise_unit(cpu, args, phase, unit, shared, own);
        return;
    }
    const nn__integer_conv c = nn__integer_conv_of(cpu, args);
    char *panel = (char *)shared + c.panel_bytes * (size_t)unit; /* in phase 0 */
    if (phase == 0 && c.winograd)
        nn__integer_winograd_pack(&c, unit, panel);
    else if (phase == 0)
        nn__integer_pack(&c, unit, panel);
    else if (c.winograd)
        nn__integer_winograd_unit(&c, unit, (const char *)shared, (char *)own);
    else if (c.windows)
        nn__integer_windows_unit(&c, unit, (const char *)shared, (char *)own);
    else
        nn__integer_conv_places(&c, unit, (char *)shared, (char *)own);
}

#undef NN__INTEGER_BYTES
#undef NN__INTEGER_UNITS

static const nn__cpu_kernel nn__integer_conv_kernel = {
    nn__integer_conv_units, nn__integer_conv_unit, nn__integer_conv_shared, nn__integer_conv_own,
    NULL};
#else
static int nn__integer_conv_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return nn__integer_plain_units((const nn_integer_conv2d_args *)args, phase);
}
static void nn__integer_conv_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                  void *shared, void *own) {
    (void)cpu, (void)phase, (void)shared;
    nn__integer_plain_unit((const nn_integer_conv2d_args *)args, unit, own);
}
static size_t nn__integer_conv_own(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return nn__integer_plain_own((const nn_integer_conv2d_args *)args);
}
static const nn__cpu_kernel nn__integer_conv_kernel = {
    nn__integer_conv_units, nn__integer_conv_unit, NULL, nn__integer_conv_own, NULL};
#endif

NN_PRIVATE const nn__cpu_kernel *nn__integer_conv_functions(void) {
    return &nn__integer_conv_kernel;
}
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE uint64_t nn__integer_cached(const nn_context *nn, const void *args) {
#ifndef NN_NO_SIMD
    return nn__integer_packed((const nn__cpu *)nn->cpu, (const nn_integer_conv2d_args *)args);
#else
    (void)nn, (void)args;
    return 0;
#endif
}
#endif
NN_PRIVATE const nn__integer_loops *nn__integer_loops_of(const nn__cpu *cpu) {
#if NN__HAS_AVX512
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) {
#if NN__HAS_VNNI
        if (cpu->dots && cpu->picks) return &nn__integer_pick_loops_avx512;
        if (cpu->dots) return &nn__integer_loops_avx512;
#endif
        return &nn__integer_loops_avx2;
    }
#endif
#if NN__HAS_AVX2
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return &nn__integer_loops_avx2;
#endif
#if NN__HAS_NEON
    if (cpu->instructions == NN_INSTRUCTIONS_NEON) {
#if NN__HAS_DOT
        if (cpu->dots) return &nn__integer_dot_loops_neon;
#endif
        return &nn__integer_loops_neon;
    }
#endif
#if NN__HAS_SIMD128 && defined(__wasm_simd128__)
    if (cpu->instructions == NN_INSTRUCTIONS_SIMD128) return &nn__integer_loops_simd128;
#endif
    (void)cpu;
    return &nn__integer_loops_plain;
}
#if NN__HAS_I8MM
#ifndef __ARM_FEATURE_MATMUL_INT8
#include <sys/auxv.h>
#endif
static bool nn__integer_has_matrices(void) {
#ifdef __ARM_FEATURE_MATMUL_INT8
    return true;
#else
    return (getauxval(AT_HWCAP2) >> 13 & 1) != 0; /* HWCAP2_I8MM */
#endif
}
#endif
NN_PRIVATE const nn__integer_loops *nn__integer_products_of(const nn__cpu *cpu) {
#if NN__HAS_I8MM
    if (cpu->instructions == NN_INSTRUCTIONS_NEON && cpu->dots && nn__integer_has_matrices())
        return &nn__integer_matrix_loops_neon;
#endif
#if NN__HAS_NEON
    if (nn__integer_loops_of(cpu) == &nn__integer_loops_neon) return &nn__integer_pair_loops_neon;
#endif
    return nn__integer_loops_of(cpu);
}
