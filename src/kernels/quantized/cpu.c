/* kernels/quantized/cpu.c - linear layers in 8-bit integers between values in f32, on the CPU.

   Phase 0 packs the weights into panels of some output channels. Phase 1 takes some rows of x and
   multiplies them by all panels or, if there are few rows, by some. The zero point of x is known
   only then, so the sums of a channel's weights are packed with them. */
#include "kernels/quantized/cpu.h"

#include "kernels/install_quantize.h"
#include "kernels/quantized/vector.h"

#define NN__QUANTIZED_BYTES 49152 /* of the rows of a unit, which share the L2 cache with a panel */
#define NN__QUANTIZED_UNITS 16    /* with fewer, panels are divided among units */
#define NN__QUANTIZED_EACH  16384 /* numbers that a unit quantises */

/* ---- products -------------------------------------------------------------------------------- */

NN_PRIVATE nn__quantized_matrix nn__quantized_matrix_of(const nn__cpu *cpu, const nn_view *weight) {
    nn__quantized_matrix m;
    m.loops = nn__integer_products_of(cpu);
    m.K = weight->shape.extent[0];
    m.depth = weight->shape.extent[1];
    const int unit = m.loops->step * m.loops->unroll;
    m.padded = nn__ceil_div(m.depth, unit) * unit;
    m.panels = nn__ceil_div(m.K, m.loops->lanes);
    m.panel_bytes = (size_t)m.loops->lanes *
                    (sizeof(int32_t) + (size_t)m.padded * (size_t)m.loops->bytes);
    return m;
}

NN_PRIVATE void nn__quantized_pack(const nn__quantized_matrix *m, const nn_view *weight, int panel,
                                   void *packed) {
    const nn__integer_loops *loops = m->loops;
    const int lanes = loops->lanes, step = loops->step, first = panel * lanes;
    char *to = (char *)packed + m->panel_bytes * (size_t)panel;
    int32_t *sums = (int32_t *)(void *)to;
    int8_t *bytes = (int8_t *)(sums + lanes);
    int16_t *halves = (int16_t *)(void *)(sums + lanes);
    memset(to, 0, m->panel_bytes);
    for (int lane = 0; lane < lanes && first + lane < m->K; lane++) {
        const int8_t *w = nn__i8(weight) + (ptrdiff_t)(first + lane) * m->depth;
        uint32_t sum = 0;
        for (int p = 0; p < m->depth; p++) {
            const ptrdiff_t at = ((ptrdiff_t)(p / step) * lanes + lane) * step + p % step;
            const int32_t one = w[p];
            if (loops->bytes == 1) bytes[at] = w[p];
            else halves[at] = w[p];
            sum += (uint32_t)one;
        }
        sums[lane] = (int32_t)sum;
    }
}

NN_PRIVATE void nn__quantized_row(const nn__quantized_matrix *m, char *row, const int8_t *x) {
    const int bytes = m->loops->bytes;
    m->loops->widen(row, x, m->depth);
    memset(row + (ptrdiff_t)m->depth * bytes, 0, (size_t)(m->padded - m->depth) * (size_t)bytes);
}

NN_PRIVATE void nn__quantized_multiply(const nn__cpu *cpu, const nn__quantized_matrix *m,
                                       const void *packed, int panel, const char *x, int rows,
                                       const nn__quantized_out *out, float *y, ptrdiff_t y_row) {
    const nn__integer_loops *loops = m->loops;
    const int lanes = loops->lanes, k = panel * lanes;
    const uint32_t offset = (uint32_t)out->x_zero + (uint32_t)loops->offset;
    const int32_t *all = (const int32_t *)(const void *)((const char *)packed +
                                                         m->panel_bytes * (size_t)panel);
    int32_t sums[NN__INTEGER_ROWS * NN__INTEGER_LANES], start[NN__INTEGER_LANES];
    nn__quantized_out channels = *out;
    nn__integer_tile t;
    channels.scale += k;
    if (channels.zero) channels.zero += k;
    t.start = start;
    t.w = (const char *)(all + lanes);
    t.sums = sums;
    t.x_row = (ptrdiff_t)m->padded * loops->bytes;
    t.steps = m->padded / loops->step;
    for (int lane = 0; lane < lanes; lane++)
        start[lane] = (int32_t)(0 - (uint32_t)all[lane] * offset);
    for (int i = 0; i < rows; i += t.rows) {
        t.rows = nn__mini(loops->rows, rows - i);
        t.x = x + i * t.x_row;
        loops->tile(&t);
        if (out->row) channels.row = out->row + i;
        NN__OF_SET(cpu, nn__quantized_loops)
            ->put(y + i * y_row + k, y_row, sums, lanes, t.rows, &channels,
                  nn__mini(lanes, m->K - k));
    }
}

/* ---- linear ---------------------------------------------------------------------------------- */

typedef struct nn__quantized_cut {
    nn__quantized_matrix m;
    int rows, parts; /* rows of a unit; units that share them */
    int64_t blocks;
} nn__quantized_cut;

static nn__quantized_cut nn__quantized_linear_of(const nn__cpu *cpu,
                                                    const nn_quantized_linear_args *args) {
    nn__quantized_cut l;
    l.m = nn__quantized_matrix_of(cpu, &args->weight);
    const int N = args->x.shape.extent[0], height = l.m.loops->rows,
              fit = NN__QUANTIZED_BYTES / (l.m.padded * l.m.loops->bytes) / height * height;
    l.rows = nn__mini(nn__maxi(fit, height), N);
    l.blocks = nn__ceil_div(N, nn__maxi(l.rows, 1));
    l.parts = l.blocks >= NN__QUANTIZED_UNITS
                  ? 1
                  : nn__mini(l.m.panels,
                             nn__ceil_div(NN__QUANTIZED_UNITS, nn__maxi((int)l.blocks, 1)));
    return l;
}

/* Phase 0 packs, phase 1 computes; with kept weights there is only one of them. */
static int nn__quantized_linear_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_quantized_linear_args *args = (const nn_quantized_linear_args *)arguments;
    const nn__quantized_cut l = nn__quantized_linear_of(cpu, args);
    if (phase > 0 && args->keep != NN_KEEP_NOT) return 0;
    if (args->keep == NN_KEEP_USES) phase++;
    if (phase == 0) return l.m.panels;
    return phase == 1 ? (int)l.blocks * l.parts : 0;
}
static size_t nn__quantized_linear_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_linear_args *args = (const nn_quantized_linear_args *)arguments;
    const nn__quantized_matrix m = nn__quantized_matrix_of(cpu, &args->weight);
    return args->keep != NN_KEEP_NOT ? 0 : m.panel_bytes * (size_t)m.panels;
}
/* Returns the bytes of the rows and of the sum of each, which zero points of the weight need. */
static size_t nn__quantized_linear_own(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_linear_args *args = (const nn_quantized_linear_args *)arguments;
    const nn__quantized_cut l = nn__quantized_linear_of(cpu, args);
    if (args->keep == NN_KEEP_MAKES) return 0;
    return (size_t)l.rows * ((size_t)l.m.padded * (size_t)l.m.loops->bytes + sizeof(int32_t));
}

static void nn__quantized_linear_rows(const nn__cpu *cpu, const nn_quantized_linear_args *args,
                                      const nn__quantized_cut *l, int unit, const void *packed,
                                      char *own) {
    const int first = unit / l->parts * l->rows, part = unit % l->parts, C = l->m.depth;
    const int rows = nn__mini(l->rows, args->x.shape.extent[0] - first);
    const int from = (int)((int64_t)l->m.panels * part / l->parts),
              end = (int)((int64_t)l->m.panels * (part + 1) / l->parts);
    const int32_t zero = (int32_t)nn__f32(&args->range)[1];
    const ptrdiff_t row = (ptrdiff_t)l->m.padded * l->m.loops->bytes;
    int32_t *sums = (int32_t *)(void *)own;
    char *x = own + (size_t)l->rows * sizeof *sums;
    nn__quantized_out out;
    memset(&out, 0, sizeof out);
    out.scale = nn__f32(&args->scale);
    out.x_scale = nn__f32(&args->range)[0];
    out.x_zero = zero;
    if (nn__present(&args->weight_zero)) out.zero = nn__i32(&args->weight_zero), out.row = sums;
    for (int r = 0; r < rows; r++) {
        const int8_t *numbers = nn__i8(&args->x) + (ptrdiff_t)(first + r) * C;
        nn__quantized_row(&l->m, x + r * row, numbers);
        if (!out.zero) continue;
        int64_t sum = -(int64_t)zero * C;
        for (int c = 0; c < C; c++) sum += numbers[c];
        sums[r] = (int32_t)(uint32_t)(uint64_t)sum;
    }
    for (int panel = from; panel < end; panel++)
        nn__quantized_multiply(cpu, &l->m, packed, panel, x, rows, &out,
                               nn__f32(&args->y) + (ptrdiff_t)first * l->m.K, l->m.K);
}

static void nn__quantized_linear_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                      int unit, void *shared, void *own) {
    const nn_quantized_linear_args *args = (const nn_quantized_linear_args *)arguments;
    const nn__quantized_cut l = nn__quantized_linear_of(cpu, args);
    if (args->keep != NN_KEEP_NOT) shared = args->kept;
    if (args->keep == NN_KEEP_USES) phase++;
    if (phase == 0) nn__quantized_pack(&l.m, &args->weight, unit, shared);
    else nn__quantized_linear_rows(cpu, args, &l, unit, shared, (char *)own);
}

/* ---- quantize -------------------------------------------------------------------------------- */

static int nn__quantize_even_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const int64_t count = nn__count(&((const nn_quantize_even_args *)arguments)->y);
    (void)cpu;
    return phase == 0
               ? (int)nn__min64((count + NN__QUANTIZED_EACH - 1) / NN__QUANTIZED_EACH, INT32_MAX)
               : 0;
}
static void nn__quantize_even_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                   void *shared, void *own) {
    const nn_quantize_even_args *args = (const nn_quantize_even_args *)arguments;
    const int64_t first = (int64_t)unit * NN__QUANTIZED_EACH;
    const float *range = nn__f32(&args->range);
    (void)phase, (void)shared, (void)own;
    NN__OF_SET(cpu, nn__quantized_loops)
        ->quantize((int8_t *)(void *)nn__i32(&args->y) + first, nn__f32(&args->x) + first,
                   range[0], range[1],
                   (int)nn__min64(NN__QUANTIZED_EACH, nn__count(&args->y) - first));
}
#undef NN__QUANTIZED_BYTES
#undef NN__QUANTIZED_UNITS
#undef NN__QUANTIZED_EACH

static const nn__cpu_kernel nn__quantize_even_kernel = {nn__quantize_even_units,
                                                        nn__quantize_even_unit, NULL, NULL, NULL};
static const nn__cpu_kernel nn__quantized_linear_kernel = {
    nn__quantized_linear_units, nn__quantized_linear_unit, nn__quantized_linear_shared,
    nn__quantized_linear_own, NULL};

#ifndef NN_NO_SPEEDUPS
/* Returns the bytes of the packed weights. */
static uint64_t nn__quantized_cached(const nn_context *nn, nn_kernel kernel, const void *args) {
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    const nn_quantized_linear_args *linear = (const nn_quantized_linear_args *)args;
    if (kernel == NN_KERNEL_QUANTIZED_CONV2D) return nn__quantized_conv_packed(cpu, args);
    if (kernel == NN_KERNEL_QUANTIZED_LSTM) return nn__quantized_lstm_packed(cpu, args);
    const nn__quantized_matrix m = nn__quantized_matrix_of(cpu, &linear->weight);
    return (uint64_t)m.panel_bytes * (uint64_t)m.panels;
}
#endif

NN_PRIVATE void nn__install_quantized(nn_context *nn) {
    ((nn__cpu *)nn->cpu)->dots = nn__cpu_has_dots();
#ifndef NN_NO_SPEEDUPS
    nn->cached_quantized = nn__quantized_cached;
#endif
    NN__CPU_INSTALL(nn, QUANTIZE_EVEN, quantize_even, &nn__quantize_even_kernel);
    NN__CPU_INSTALL(nn, QUANTIZED_LINEAR, quantized_linear, &nn__quantized_linear_kernel);
    NN__CPU_INSTALL(nn, QUANTIZED_CONV2D, quantized_conv2d, nn__quantized_conv_functions());
    NN__CPU_INSTALL(nn, QUANTIZED_LSTM, quantized_lstm, nn__quantized_lstm_functions());
}
