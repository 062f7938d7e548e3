/* kernels/quantized/cpu_lstm.c - the steps of an LSTM whose weights are 8-bit integers. A unit
   takes one sample through all steps. */
#include "kernels/quantized/cpu.h"
#include "kernels/quantized/vector.h"
#include "kernels/recurrent/cpu.h"

#include <math.h>

/* The memory of a sample, in bytes from its start. */
typedef struct nn__quantized_sample {
    size_t gates, h, c, bytes, row, size;
} nn__quantized_sample;

static nn__quantized_sample nn__quantized_sample_of(const nn__quantized_matrix *m) {
    const size_t line = NN__ALIGNMENT, one = sizeof(float);
    nn__quantized_sample s;
    s.gates = 0;
    s.h = ((size_t)m->K * one + line - 1) / line * line;
    s.c = s.h + ((size_t)m->depth * one + line - 1) / line * line;
    s.bytes = s.c + ((size_t)m->depth * one + line - 1) / line * line;
    s.row = s.bytes + ((size_t)m->depth + line - 1) / line * line;
    s.size = s.row + ((size_t)m->padded * (size_t)m->loops->bytes + line - 1) / line * line;
    return s;
}

static int nn__quantized_lstm_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_quantized_lstm_args *args = (const nn_quantized_lstm_args *)arguments;
    if (phase > 0 && args->keep != NN_KEEP_NOT) return 0;
    if (args->keep == NN_KEEP_USES) phase++;
    if (phase == 0) return nn__quantized_matrix_of(cpu, &args->weight).panels;
    return phase == 1 ? args->x.shape.extent[0] : 0;
}
NN_PRIVATE uint64_t nn__quantized_lstm_packed(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_lstm_args *args = (const nn_quantized_lstm_args *)arguments;
    const nn__quantized_matrix m = nn__quantized_matrix_of(cpu, &args->weight);
    return (uint64_t)m.panel_bytes * (uint64_t)m.panels;
}
static size_t nn__quantized_lstm_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_lstm_args *args = (const nn_quantized_lstm_args *)arguments;
    return args->keep != NN_KEEP_NOT ? 0 : (size_t)nn__quantized_lstm_packed(cpu, arguments);
}
static size_t nn__quantized_lstm_own(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_lstm_args *args = (const nn_quantized_lstm_args *)arguments;
    const nn__quantized_matrix m = nn__quantized_matrix_of(cpu, &args->weight);
    return args->keep == NN_KEEP_MAKES ? 0 : nn__quantized_sample_of(&m).size;
}

/* Quantises h and writes the product of the weight with it to `gates`. */
static void nn__quantized_lstm_product(const nn__cpu *cpu, const nn_quantized_lstm_args *args,
                                       const nn__quantized_matrix *m, const void *packed,
                                       const float *h, int8_t *bytes, char *row, float *gates) {
    const nn__quantized_loops *loops = NN__OF_SET(cpu, nn__quantized_loops);
    nn__quantized_out out;
    float ends[2], scale, zero;
    loops->ends(ends, h, m->depth);
    scale = (ends[1] - ends[0]) / 255.0f;
    if (!(scale > 0.0f)) scale = 1.0f;
    zero = rintf(-ends[0] / scale);
    if (!(zero > 0.0f)) zero = 0.0f;
    if (zero > 255.0f) zero = 255.0f;
    loops->quantize(bytes, h, scale, zero - 128.0f, m->depth);
    nn__quantized_row(m, row, bytes);
    memset(&out, 0, sizeof out);
    out.scale = nn__f32(&args->scale);
    out.x_scale = scale;
    out.x_zero = (int32_t)zero - 128;
    for (int panel = 0; panel < m->panels; panel++)
        nn__quantized_multiply(cpu, m, packed, panel, row, 1, &out, gates, 0);
}

static void nn__quantized_lstm_sample(const nn__cpu *cpu, const nn_quantized_lstm_args *args, int n,
                                      const void *packed, char *own) {
    const nn__quantized_matrix m = nn__quantized_matrix_of(cpu, &args->weight);
    const nn__quantized_sample s = nn__quantized_sample_of(&m);
    const int H = m.depth, T = args->x.shape.extent[1];
    const size_t bytes = (size_t)H * sizeof(float);
    float *gates = (float *)(void *)(own + s.gates), *h = (float *)(void *)(own + s.h),
          *c = (float *)(void *)(own + s.c);
    nn__recurrent_row row;
    memset(&row, 0, sizeof row);
    row.q = gates, row.h = h, row.c = c, row.H = H;
    memset(h, 0, bytes);
    memset(c, 0, bytes);
    if (nn__present(&args->h0)) memcpy(h, nn__f32(&args->h0) + (ptrdiff_t)n * H, bytes);
    if (nn__present(&args->c0)) memcpy(c, nn__f32(&args->c0) + (ptrdiff_t)n * H, bytes);
    for (int i = 0; i < T; i++) {
        const ptrdiff_t at = (ptrdiff_t)n * T + (args->reverse ? T - 1 - i : i);
        nn__quantized_lstm_product(cpu, args, &m, packed, h, (int8_t *)own + s.bytes, own + s.row,
                                   gates);
        row.x = nn__f32(&args->x) + at * m.K;
        nn__recurrent_steps_of(cpu)->step[NN_RECURRENT_LSTM](&row);
        memcpy(nn__f32(&args->y) + at * H, h, bytes);
    }
    if (!nn__present(&args->state)) return;
    memcpy(nn__f32(&args->state) + (ptrdiff_t)n * 2 * H, h, bytes);
    memcpy(nn__f32(&args->state) + (ptrdiff_t)n * 2 * H + H, c, bytes);
}

static void nn__quantized_lstm_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                    void *shared, void *own) {
    const nn_quantized_lstm_args *args = (const nn_quantized_lstm_args *)arguments;
    if (args->keep != NN_KEEP_NOT) shared = args->kept;
    if (args->keep == NN_KEEP_USES) phase++;
    if (phase == 0) {
        const nn__quantized_matrix m = nn__quantized_matrix_of(cpu, &args->weight);
        nn__quantized_pack(&m, &args->weight, unit, shared);
    } else {
        nn__quantized_lstm_sample(cpu, args, unit, shared, (char *)own);
    }
}

static const nn__cpu_kernel nn__quantized_lstm_kernel = {
    nn__quantized_lstm_units, nn__quantized_lstm_unit, nn__quantized_lstm_shared,
    nn__quantized_lstm_own, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__quantized_lstm_functions(void) {
    return &nn__quantized_lstm_kernel;
}
