/* kernels/integer/cpu_recurrent.c - the steps of an lstm or gru of 8-bit integers on the CPU.

   With vector instructions, phase 0 packs both weights into panels as kernels/integer/cpu.c does,
   and a unit of phase 1 takes some samples through all steps: it computes the sums over x of
   several steps together, and the sums over h step by step. Plain C reads the weights where they
   stand, and a unit takes one sample. */
#include "cpu/gemm.h"
#include "kernels/install_quantize.h"
#include "kernels/integer/cpu.h"
#include "kernels/integer/vector.h"

/* ---- one element of the state ---------------------------------------------------------------- */

static const int16_t nn__integer_sigmoids[NN_INTEGER_SIGMOIDS] = {NN_INTEGER_SIGMOID};

/* Returns the sigmoid of v with 15 bits after the point, as v has. */
static inline int32_t nn__integer_sigmoid(int32_t v) {
    const int32_t size = v < 0 ? -v : v, at = size >> 11;
    int32_t y = 32768;
    if (at < NN_INTEGER_SIGMOIDS - 1) {
        const int32_t low = nn__integer_sigmoids[at], high = nn__integer_sigmoids[at + 1];
        y = low + (((high - low) * (size & 2047) + 1024) >> 11);
    }
    return v < 0 ? 32768 - y : y;
}
static inline int32_t nn__integer_tanh(int32_t v) { return 2 * nn__integer_sigmoid(2 * v) - 32768; }
static NN__ALWAYS_INLINE int32_t nn__integer_limit16(int32_t v) {
    return v < -32768 ? -32768 : v > 32767 ? 32767 : v;
}
/* (v + 2^(bits - 1)) >> bits */
static NN__ALWAYS_INLINE int32_t nn__integer_halve(int32_t v, int bits) {
    const int32_t half = v + (1 << (bits - 1));
    return NN__INTEGER_DOWN(half, bits);
}
/* Returns a gate's part: the requantised sum of a row. */
static NN__ALWAYS_INLINE int16_t nn__integer_gate(int32_t sum, int32_t multiplier, int32_t shift) {
    return (int16_t)nn__integer_limit16(nn__integer_scale(sum, multiplier, shift));
}

/* What an element of h follows from. */
typedef struct nn__integer_cell {
    nn_recurrent_cell kind;
    int bits; /* m of kernels/integer/args.h */
    int32_t multiplier, shift, zero; /* of h */
} nn__integer_cell;
static nn__integer_cell nn__integer_cell_of(const nn_integer_recurrent_args *args) {
    const int32_t *numbers = nn__i32(&args->numbers);
    nn__integer_cell cell;
    cell.kind = args->cell;
    cell.bits = nn__mini(nn__maxi(numbers[NN_INTEGER_RECURRENT_CELL], 0), 10);
    cell.multiplier = numbers[NN_INTEGER_RECURRENT_MULTIPLIER];
    cell.shift = numbers[NN_INTEGER_RECURRENT_SHIFT];
    cell.zero = numbers[NN_INTEGER_RECURRENT_H];
    return cell;
}

/* Returns the next h of an element. x, h: its gates of x and of h, H apart. state: c, or s. */
static int8_t nn__integer_element(const nn__integer_cell *cell, const int16_t *x, const int16_t *h,
                                  int H, int32_t *state) {
    const int32_t a = nn__integer_sigmoid(nn__integer_limit16(x[0] + h[0]) * 16),
                  b = nn__integer_sigmoid(nn__integer_limit16(x[H] + h[H]) * 16);
    int32_t p;
    if (cell->kind == NN_RECURRENT_LSTM) {
        const int32_t g = nn__integer_tanh(nn__integer_limit16(x[2 * H] + h[2 * H]) * 16),
                      o = nn__integer_sigmoid(nn__integer_limit16(x[3 * H] + h[3 * H]) * 16);
        *state = nn__integer_limit16(nn__integer_halve(b * *state, 15) +
                                     nn__integer_halve(a * g, 15 + cell->bits));
        p = o * nn__integer_tanh(*state * (1 << cell->bits));
    } else {
        const int32_t n = nn__integer_tanh(
            nn__integer_limit16(x[2 * H] + nn__integer_halve(a * h[2 * H], 15)) * 16);
        *state = nn__integer_halve(b * *state + (32768 - b) * n, 15);
        p = *state * 32768;
    }
    p = nn__integer_scale(p, cell->multiplier, cell->shift);
    return nn__integer_clamp((int32_t)((uint32_t)p + (uint32_t)cell->zero), -128, 127);
}

/* Stores the last state of a sample. h: its last numbers. */
static void nn__integer_last_state(const nn_integer_recurrent_args *args, int n, const int8_t *h,
                                   const int32_t *state, int H) {
    if (!nn__present(&args->state)) return;
    const bool cells = args->cell == NN_RECURRENT_LSTM;
    int32_t *to = nn__i32(&args->state) + (ptrdiff_t)n * (cells ? 2 * H : H);
    for (int k = 0; k < H && cells; k++) *to++ = h[k];
    memcpy(to, state, (size_t)H * sizeof *state);
}

static int nn__integer_time(const nn_integer_recurrent_args *args, int step) {
    return args->reverse ? args->x.shape.extent[1] - 1 - step : step;
}
static int8_t *nn__integer_recurrent_y(const nn_integer_recurrent_args *args) {
    return (int8_t *)(void *)nn__i32(&args->y);
}

/* ---- plain C --------------------------------------------------------------------------------- */

/* Returns the bytes of a sample: the state, the gates of an element, x and twice h less their zero
   points, h. */
static size_t nn__integer_recurrent_plain_own(const nn_integer_recurrent_args *args) {
    const size_t H = (size_t)args->y.shape.extent[2], C = (size_t)args->x.shape.extent[2];
    return H * sizeof(int32_t) + (C + 2 * H) * sizeof(int16_t) + H;
}

/* Adds the products of x with rows k, H + k, 2 H + k ... of a weight to the biases, and
   requantises the sums. factor: multipliers, and after `all` of them shifts. */
static void nn__integer_recurrent_dots(int16_t *gates, const int16_t *x, const int8_t *w, int depth,
                                       const int32_t *bias, const int32_t *factor, int H, int k,
                                       int G) {
    const int8_t *w0 = w + (ptrdiff_t)k * depth, *w1 = w0 + (ptrdiff_t)H * depth,
                 *w2 = w1 + (ptrdiff_t)H * depth, *w3 = G == 4 ? w2 + (ptrdiff_t)H * depth : w2;
    uint32_t a = 0, b = 0, c = 0, d = 0;
    for (int p = 0; p < depth; p++) {
        const int32_t v = x[p];
        a += (uint32_t)(v * w0[p]);
        b += (uint32_t)(v * w1[p]);
        c += (uint32_t)(v * w2[p]);
        d += (uint32_t)(v * w3[p]);
    }
    const uint32_t sums[4] = {a, b, c, d};
    for (int g = 0; g < G; g++) {
        const ptrdiff_t row = (ptrdiff_t)g * H + k;
        gates[g] = nn__integer_gate((int32_t)(sums[g] + (uint32_t)bias[row]), factor[row],
                                    factor[row + (ptrdiff_t)G * H]);
    }
}

static void nn__integer_recurrent_plain(const nn_integer_recurrent_args *args, int n, void *own) {
    const int T = args->x.shape.extent[1], C = args->x.shape.extent[2],
              H = args->y.shape.extent[2], G = NN_RECURRENT_GATES(args->cell);
    const nn__integer_cell cell = nn__integer_cell_of(args);
    const int32_t zero = nn__i32(&args->numbers)[NN_INTEGER_RECURRENT_X],
                  *bias = nn__i32(&args->bias), *factor = nn__i32(&args->factor);
    int32_t *state = (int32_t *)own;
    int16_t *x = (int16_t *)(void *)(state + H), *h = x + C, *next = h + H, gates[8];
    int8_t *last = (int8_t *)(x + C + 2 * H);
    memset(state, 0, (size_t)H * sizeof *state);
    memset(h, 0, (size_t)H * sizeof *h);
    for (int step = 0; step < T; step++) {
        const ptrdiff_t at = (ptrdiff_t)n * T + nn__integer_time(args, step);
        const int8_t *from = nn__i8(&args->x) + at * C;
        int8_t *y = nn__integer_recurrent_y(args) + at * H;
        for (int c = 0; c < C; c++) x[c] = (int16_t)(from[c] - zero);
        for (int k = 0; k < H; k++) {
            nn__integer_recurrent_dots(gates, x, nn__i8(&args->weight_ih), C, bias, factor, H, k,
                                       G);
            nn__integer_recurrent_dots(gates + 4, h, nn__i8(&args->weight_hh), H,
                                       bias + (ptrdiff_t)G * H, factor + 2 * (ptrdiff_t)G * H, H, k,
                                       G);
            y[k] = last[k] = nn__integer_element(&cell, gates, gates + 4, 1, &state[k]);
            next[k] = (int16_t)(y[k] - cell.zero);
        }
        int16_t *other = h;
        h = next, next = other;
    }
    nn__integer_last_state(args, n, last, state, H);
}

/* ---- vectors --------------------------------------------------------------------------------- */

#ifndef NN_NO_SIMD

#define NN__INTEGER_ROWS_AT_ONCE 32 /* of x whose sums are computed together */
#define NN__RECURRENT_UNITS 16 /* with fewer, a unit takes fewer samples */

/* One of the two products: with x, or with h. */
typedef struct nn__integer_side {
    const int8_t *weight;
    const int32_t *bias, *multiplier, *shift;
    int zero;           /* where its zero point is in `numbers` */
    int depth, padded;  /* numbers of a row */
    size_t panel_bytes; /* starts of the sums, then weights */
} nn__integer_side;
typedef struct nn__integer_layer_steps {
    const nn_integer_recurrent_args *args;
    const nn__integer_loops *loops;
    nn__integer_side of_x, of_h;
    int N, T, H, gates, panels; /* gates: rows of a weight */
    int samples, steps;         /* of a unit; steps whose sums over x are computed together */
} nn__integer_layer_steps;

static nn__integer_side nn__integer_side_of(const nn_integer_recurrent_args *args,
                                            const nn__integer_loops *loops, bool of_h) {
    const nn_view *weight = of_h ? &args->weight_hh : &args->weight_ih;
    const ptrdiff_t gates = weight->shape.extent[0];
    const int unit = loops->step * loops->unroll;
    nn__integer_side s;
    s.weight = nn__i8(weight);
    s.bias = nn__i32(&args->bias) + (of_h ? gates : 0);
    s.multiplier = nn__i32(&args->factor) + (of_h ? 2 * gates : 0);
    s.shift = s.multiplier + gates;
    s.zero = of_h ? NN_INTEGER_RECURRENT_H : NN_INTEGER_RECURRENT_X;
    s.depth = weight->shape.extent[1];
    s.padded = nn__ceil_div(s.depth, unit) * unit;
    s.panel_bytes =
        (size_t)loops->lanes * (sizeof(int32_t) + (size_t)s.padded * (size_t)loops->bytes);
    return s;
}
static nn__integer_layer_steps nn__integer_layer_of(const nn__cpu *cpu,
                                                    const nn_integer_recurrent_args *args) {
    nn__integer_layer_steps l;
    l.args = args;
    l.loops = nn__integer_products_of(cpu);
    l.N = args->x.shape.extent[0], l.T = args->x.shape.extent[1];
    l.H = args->y.shape.extent[2];
    l.gates = args->weight_ih.shape.extent[0];
    l.panels = nn__ceil_div(l.gates, l.loops->lanes);
    l.of_x = nn__integer_side_of(args, l.loops, false);
    l.of_h = nn__integer_side_of(args, l.loops, true);
    l.samples = nn__mini(nn__ceil_div(l.N, NN__RECURRENT_UNITS), l.loops->rows);
    l.steps = nn__mini(nn__maxi(NN__INTEGER_ROWS_AT_ONCE / l.samples, 1), l.T);
    return l;
}
static size_t nn__integer_layer_packed(const nn__integer_layer_steps *l) {
    return (l->of_x.panel_bytes + l->of_h.panel_bytes) * (size_t)l->panels;
}

/* Packs the weights of the rows of a panel: (padded / step, lanes, step). */
static void nn__integer_side_pack(const nn__integer_layer_steps *l, const nn__integer_side *s,
                                  int panel, char *to) {
    const nn__integer_loops *loops = l->loops;
    const int lanes = loops->lanes, step = loops->step, first = panel * lanes;
    const uint32_t offset =
        (uint32_t)nn__i32(&l->args->numbers)[s->zero] + (uint32_t)loops->offset;
    int32_t *start = (int32_t *)(void *)to;
    int8_t *bytes = (int8_t *)(start + lanes);
    int16_t *halves = (int16_t *)(void *)(start + lanes);
    memset(to, 0, s->panel_bytes);
    for (int lane = 0; lane < lanes && first + lane < l->gates; lane++) {
        const int8_t *w = s->weight + (ptrdiff_t)(first + lane) * s->depth;
        uint32_t sum = 0;
        for (int p = 0; p < s->depth; p++) {
            const ptrdiff_t at = ((ptrdiff_t)(p / step) * lanes + lane) * step + p % step;
            const int32_t one = w[p];
            if (loops->bytes == 1)
                bytes[at] = w[p];
            else
                halves[at] = w[p];
            sum += (uint32_t)one;
        }
        start[lane] = (int32_t)((uint32_t)s->bias[first + lane] - sum * offset);
    }
}

/* The memory of a unit, in bytes from its start. */
typedef struct nn__integer_unit {
    size_t state, gates_x, gates_h, row_x, row_h, h, size;
} nn__integer_unit;
static nn__integer_unit nn__integer_unit_of(const nn__integer_layer_steps *l) {
    const size_t line = NN__ALIGNMENT - 1, samples = (size_t)l->samples,
                 rows = samples * (size_t)l->steps, bytes = (size_t)l->loops->bytes;
    nn__integer_unit u;
    u.state = 0;
    u.gates_x = (samples * (size_t)l->H * sizeof(int32_t) + line) & ~line;
    u.gates_h = u.gates_x + ((rows * (size_t)l->gates * sizeof(int16_t) + line) & ~line);
    u.row_x = u.gates_h + ((samples * (size_t)l->gates * sizeof(int16_t) + line) & ~line);
    u.row_h = u.row_x + ((rows * (size_t)l->of_x.padded * bytes + line) & ~line);
    u.h = u.row_h + ((samples * (size_t)l->of_h.padded * bytes + line) & ~line);
    u.size = u.h + samples * (size_t)l->H;
    return u;
}

/* Copies numbers into a row of a product. */
static void nn__integer_side_row(const nn__integer_layer_steps *l, const nn__integer_side *s,
                                 const int8_t *from, char *row) {
    l->loops->widen(row, from, s->depth);
    nn__integer_fill(l->loops, row + (ptrdiff_t)s->depth * l->loops->bytes, 0,
                     s->padded - s->depth);
}

/* Computes the gates (rows, gates) of rows of x or h. */
static void nn__integer_side_gates(const nn__integer_layer_steps *l, const nn__integer_side *s,
                                   const char *packed, const char *row, int rows, int16_t *gates) {
    const int lanes = l->loops->lanes;
    int32_t sums[NN__INTEGER_ROWS * NN__INTEGER_LANES];
    nn__integer_tile t;
    t.x_row = (ptrdiff_t)s->padded * l->loops->bytes;
    t.steps = s->padded / l->loops->step;
    t.sums = sums;
    for (int panel = 0; panel < l->panels; panel++, packed += s->panel_bytes) {
        const int first = panel * lanes, n = nn__mini(lanes, l->gates - first);
        t.start = (const int32_t *)(const void *)packed;
        t.w = (const char *)(t.start + lanes);
        for (int i = 0; i < rows; i += t.rows) {
            t.rows = nn__mini(l->loops->rows, rows - i);
            t.x = row + i * t.x_row;
            l->loops->tile(&t);
            for (int r = 0; r < t.rows; r++)
                for (int k = 0; k < n; k++)
                    gates[(ptrdiff_t)(i + r) * l->gates + first + k] =
                        nn__integer_gate(sums[r * lanes + k], s->multiplier[first + k],
                                         s->shift[first + k]);
        }
    }
}

/* Takes some samples through all steps. */
static void nn__integer_layer_unit(const nn__integer_layer_steps *l, int unit, const char *packed,
                                   char *own) {
    const nn_integer_recurrent_args *args = l->args;
    const nn__integer_unit u = nn__integer_unit_of(l);
    const nn__integer_cell cell = nn__integer_cell_of(args);
    const int first = unit * l->samples, samples = nn__mini(l->samples, l->N - first), H = l->H;
    const ptrdiff_t x_row = (ptrdiff_t)l->of_x.padded * l->loops->bytes,
                    h_row = (ptrdiff_t)l->of_h.padded * l->loops->bytes;
    const char *packed_h = packed + l->of_x.panel_bytes * (size_t)l->panels;
    int32_t *state = (int32_t *)(void *)(own + u.state);
    int16_t *gates_x = (int16_t *)(void *)(own + u.gates_x),
            *gates_h = (int16_t *)(void *)(own + u.gates_h);
    int8_t *h = (int8_t *)(own + u.h);
    memset(state, 0, (size_t)samples * (size_t)H * sizeof *state);
    memset(h, cell.zero & 0xff, (size_t)samples * (size_t)H);
    for (int from = 0; from < l->T; from += l->steps) {
        const int steps = nn__mini(l->steps, l->T - from);
        for (int i = 0; i < steps * samples; i++) {
            const ptrdiff_t at = (ptrdiff_t)(first + i % samples) * l->T +
                                 nn__integer_time(args, from + i / samples);
            nn__integer_side_row(l, &l->of_x, nn__i8(&args->x) + at * l->of_x.depth,
                                 own + u.row_x + i * x_row);
        }
        nn__integer_side_gates(l, &l->of_x, packed, own + u.row_x, steps * samples, gates_x);
        for (int step = 0; step < steps; step++) {
            for (int i = 0; i < samples; i++)
                nn__integer_side_row(l, &l->of_h, h + (ptrdiff_t)i * H, own + u.row_h + i * h_row);
            nn__integer_side_gates(l, &l->of_h, packed_h, own + u.row_h, samples, gates_h);
            for (int i = 0; i < samples; i++) {
                const int16_t *x = gates_x + ((ptrdiff_t)step * samples + i) * l->gates;
                for (int k = 0; k < H; k++)
                    h[(ptrdiff_t)i * H + k] =
                        nn__integer_element(&cell, x + k, gates_h + (ptrdiff_t)i * l->gates + k, H,
                                            &state[(ptrdiff_t)i * H + k]);
                memcpy(nn__integer_recurrent_y(args) +
                           ((ptrdiff_t)(first + i) * l->T + nn__integer_time(args, from + step)) *
                               H,
                       h + (ptrdiff_t)i * H, (size_t)H);
            }
        }
    }
    for (int i = 0; i < samples; i++)
        nn__integer_last_state(args, first + i, h + (ptrdiff_t)i * H, state + (ptrdiff_t)i * H, H);
}
#undef NN__INTEGER_ROWS_AT_ONCE
#undef NN__RECURRENT_UNITS
#endif

/* ---- the kernel ------------------------------------------------------------------------------ */

static int nn__integer_recurrent_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_integer_recurrent_args *args = (const nn_integer_recurrent_args *)arguments;
    if (nn__integer_is_plain(cpu)) return phase == 0 ? args->x.shape.extent[0] : 0;
#ifndef NN_NO_SIMD
    if (phase > 0 && args->keep != NN_KEEP_NOT) return 0;
    if (args->keep == NN_KEEP_USES) phase++;
    const nn__integer_layer_steps l = nn__integer_layer_of(cpu, args);
    if (phase == 0) return 2 * l.panels;
    return phase == 1 ? nn__ceil_div(l.N, l.samples) : 0;
#else
    return 0;
#endif
}
static size_t nn__integer_recurrent_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_integer_recurrent_args *args = (const nn_integer_recurrent_args *)arguments;
    if (nn__integer_is_plain(cpu) || args->keep != NN_KEEP_NOT) return 0;
#ifndef NN_NO_SIMD
    const nn__integer_layer_steps l = nn__integer_layer_of(cpu, args);
    return nn__integer_layer_packed(&l);
#else
    return 0;
#endif
}
static size_t nn__integer_recurrent_own(const nn__cpu *cpu, const void *arguments) {
    const nn_integer_recurrent_args *args = (const nn_integer_recurrent_args *)arguments;
    if (nn__integer_is_plain(cpu)) return nn__integer_recurrent_plain_own(args);
#ifndef NN_NO_SIMD
    if (args->keep == NN_KEEP_MAKES) return 0;
    const nn__integer_layer_steps l = nn__integer_layer_of(cpu, args);
    return nn__integer_unit_of(&l).size;
#else
    return 0;
#endif
}
static void nn__integer_recurrent_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                       int unit, void *shared, void *own) {
    const nn_integer_recurrent_args *args = (const nn_integer_recurrent_args *)arguments;
    (void)phase, (void)shared;
    if (nn__integer_is_plain(cpu)) {
        nn__integer_recurrent_plain(args, unit, own);
        return;
    }
#ifndef NN_NO_SIMD
    const nn__integer_layer_steps l = nn__integer_layer_of(cpu, args);
    if (args->keep != NN_KEEP_NOT) shared = args->kept;
    if (args->keep == NN_KEEP_USES) phase++;
    if (phase == 0) {
        const nn__integer_side *side = unit < l.panels ? &l.of_x : &l.of_h;
        const int panel = unit % l.panels;
        char *to = (char *)shared + side->panel_bytes * (size_t)panel;
        if (unit >= l.panels) to += l.of_x.panel_bytes * (size_t)l.panels;
        nn__integer_side_pack(&l, side, panel, to);
    } else {
        nn__integer_layer_unit(&l, unit, (const char *)shared, (char *)own);
    }
#endif
}

static const nn__cpu_kernel nn__integer_recurrent_kernel = {
    nn__integer_recurrent_units, nn__integer_recurrent_unit, nn__integer_recurrent_shared,
    nn__integer_recurrent_own, NULL};

#ifndef NN_NO_SPEEDUPS
static uint64_t nn__integer_recurrent_cached(const nn_context *nn, const void *args) {
#ifndef NN_NO_SIMD
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    if (nn__integer_is_plain(cpu)) return 0;
    const nn__integer_layer_steps l =
        nn__integer_layer_of(cpu, (const nn_integer_recurrent_args *)args);
    return nn__integer_layer_packed(&l);
#else
    (void)nn, (void)args;
    return 0;
#endif
}
#endif

NN_PRIVATE void nn__install_integer_recurrent(nn_context *nn) {
    ((nn__cpu *)nn->cpu)->dots = nn__cpu_has_dots();
#ifndef NN_NO_SPEEDUPS
    nn->cached_integer_recurrent = nn__integer_recurrent_cached;
#endif
    NN__CPU_INSTALL(nn, INTEGER_RECURRENT, integer_recurrent, &nn__integer_recurrent_kernel);
}
