/* kernels/ctc/cpu.c - connectionist temporal classification on the CPU: a sample is a unit. The
   targets with a blank before, between and behind them are the states; alpha and beta are the
   logarithms of the sums over all paths from the start and to the end, both with the row's own
   probability. Source: Graves et al., "Connectionist temporal classification", 2006. */
#include "cpu/simd.h"

#include <math.h>

typedef struct nn__ctc {
    const float *rows; /* log-probabilities of the sample, `step` apart */
    const int32_t *targets;
    int64_t step;
    int classes, blank, length, states; /* length: rows that count; states: 2 targets + 1 */
    bool valid;
} nn__ctc;

static int64_t nn__ctc_most_states(const nn_ctc_args *args) {
    return 2 * (int64_t)args->targets.shape.extent[1] + 1;
}

static nn__ctc nn__ctc_sample(const nn_ctc_args *args, int n) {
    const nn_shape *shape = &args->log_probabilities.shape;
    const int most = args->targets.shape.extent[1], count = nn__i32(&args->target_lengths)[n];
    nn__ctc ctc;
    ctc.classes = shape->extent[2];
    ctc.step = (int64_t)shape->extent[1] * ctc.classes;
    ctc.rows = nn__f32(&args->log_probabilities) + (int64_t)n * ctc.classes;
    ctc.targets = nn__i32(&args->targets) + (int64_t)n * most;
    ctc.blank = args->blank;
    ctc.length = nn__i32(&args->input_lengths)[n];
    ctc.valid = ctc.length >= 0 && ctc.length <= shape->extent[0] && count >= 0 && count <= most;
    for (int i = 0; i < count && ctc.valid; i++)
        ctc.valid = ctc.targets[i] >= 0 && ctc.targets[i] < ctc.classes &&
                    ctc.targets[i] != ctc.blank;
    ctc.states = ctc.valid ? 2 * count + 1 : 0;
    return ctc;
}

static int nn__ctc_class(const nn__ctc *ctc, int state) {
    return state & 1 ? ctc->targets[state / 2] : ctc->blank;
}

/* log(exp(a) + exp(b) + exp(c)). NaN is no maximum; the sum hands it on. */
static float nn__ctc_add(float a, float b, float c) {
    float most = b > a ? b : a;
    if (c > most) most = c;
    if (most == -INFINITY) return a + b + c;
    return logf(expf(a - most) + expf(b - most) + (c == -INFINITY ? 0.0f : expf(c - most))) + most;
}

/* Row t of alpha. before: row t - 1; NULL: t is 0. */
static void nn__ctc_alpha(const nn__ctc *ctc, const float *before, float *alpha, int t) {
    const float *row = ctc->rows + t * ctc->step;
    for (int s = 0; s < ctc->states; s++) {
        const int own = nn__ctc_class(ctc, s);
        const bool jumps = before && s > 1 && (s & 1) && own != ctc->targets[s / 2 - 1];
        alpha[s] = !before ? (s < 2 ? 0.0f : -INFINITY)
                           : nn__ctc_add(before[s], s > 0 ? before[s - 1] : -INFINITY,
                                         jumps ? before[s - 2] : -INFINITY);
        alpha[s] += row[own];
    }
}

#ifndef NN_NO_TRAINING
/* Row t of beta. behind: row t + 1; NULL: t is the last. */
static void nn__ctc_beta(const nn__ctc *ctc, const float *behind, float *beta, int t) {
    const float *row = ctc->rows + t * ctc->step;
    const int last = ctc->states - 1;
    for (int s = 0; s <= last; s++) {
        const int own = nn__ctc_class(ctc, s);
        const bool jumps = behind && s + 2 <= last && (s & 1) && own != ctc->targets[s / 2 + 1];
        beta[s] = !behind ? (s >= last - 1 ? 0.0f : -INFINITY)
                          : nn__ctc_add(behind[s], s < last ? behind[s + 1] : -INFINITY,
                                        jumps ? behind[s + 2] : -INFINITY);
        beta[s] += row[own];
    }
}
#endif

/* The loss, from the last row of alpha. */
static float nn__ctc_loss(const nn__ctc *ctc, const float *alpha) {
    const int last = ctc->states - 1;
    if (ctc->length == 0) return last == 0 ? 0.0f : INFINITY;
    return -nn__ctc_add(alpha[last], last > 0 ? alpha[last - 1] : -INFINITY, -INFINITY);
}

static int nn__ctc_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase == 0 ? ((const nn_ctc_args *)args)->input_lengths.shape.extent[0] : 0;
}

/* ---- forward --------------------------------------------------------------------------------- */

static size_t nn__ctc_forward_own_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return (size_t)(2 * nn__ctc_most_states((const nn_ctc_args *)args)) * sizeof(float);
}

/* Sample n is wrong. Who finds the first of them sets the status word, so that no two units write
   it. */
static void nn__ctc_wrong(const nn_ctc_args *args, int n) {
    if (!nn__present(&args->status) || !args->status.handle) return;
    for (int i = 0; i < n; i++)
        if (!nn__ctc_sample(args, i).valid) return;
    uint32_t *status = nn__status(&args->status);
    if (*status == 0) *status = (args->step << 3) | (uint32_t)NN_FAULT_LABEL;
}

static void nn__ctc_forward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                 void *shared, void *own) {
    const nn_ctc_args *args = (const nn_ctc_args *)arguments;
    const nn__ctc ctc = nn__ctc_sample(args, unit);
    float *rows[2], *before = NULL, *loss = nn__f32(&args->loss) + unit;
    (void)cpu, (void)phase, (void)shared;
    rows[0] = (float *)own;
    rows[1] = rows[0] + nn__ctc_most_states(args);
    if (!ctc.valid) {
        nn__ctc_wrong(args, unit);
        *loss = NAN;
        return;
    }
    for (int t = 0; t < ctc.length; t++) {
        nn__ctc_alpha(&ctc, before, rows[t & 1], t);
        before = rows[t & 1];
    }
    *loss = nn__ctc_loss(&ctc, before);
    if (args->zero_infinity && *loss == INFINITY) *loss = 0.0f;
}

static const nn__cpu_kernel nn__ctc_forward = {nn__ctc_units, nn__ctc_forward_unit, NULL,
                                               nn__ctc_forward_own_bytes, NULL};

/* ---- backward -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* All of alpha, two rows of beta. */
static size_t nn__ctc_backward_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_ctc_args *args = (const nn_ctc_args *)arguments;
    (void)cpu;
    return (size_t)((args->log_probabilities.shape.extent[0] + (int64_t)2) *
                    nn__ctc_most_states(args)) *
           sizeof(float);
}

/* One row of the gradient: what each class has, less what passes through its states. */
static void nn__ctc_slope(const nn__cpu *cpu, const nn__ctc *ctc, const float *alpha,
                          const float *beta, float *slope, int t, float loss, float dloss) {
    const float *row = ctc->rows + t * ctc->step;
    nn__row_exp(cpu, slope, row, 0.0f, ctc->classes);
    for (int s = 0; s < ctc->states; s++) {
        const int own = nn__ctc_class(ctc, s);
        const float both = alpha[s] + beta[s];
        if (both > -INFINITY || both != both) slope[own] -= expf(both + loss - row[own]);
    }
    for (int c = 0; c < ctc->classes; c++) slope[c] *= dloss;
}

static void nn__ctc_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                  void *shared, void *own) {
    const nn_ctc_args *args = (const nn_ctc_args *)arguments;
    const nn__ctc ctc = nn__ctc_sample(args, unit);
    const int all = args->log_probabilities.shape.extent[0];
    const int64_t most = nn__ctc_most_states(args);
    const float dloss = nn__present(&args->dloss) ? nn__f32(&args->dloss)[unit] : 1.0f;
    float *alpha = (float *)own, *rows[2], *behind = NULL, loss = 0.0f,
          *slope = nn__f32(&args->dlog_probabilities) + (int64_t)unit * ctc.classes;
    int length = ctc.valid ? ctc.length : 0;
    (void)phase, (void)shared;
    rows[0] = alpha + all * most;
    rows[1] = rows[0] + most;
    for (int t = 0; t < length; t++)
        nn__ctc_alpha(&ctc, t ? alpha + (t - 1) * most : NULL, alpha + t * most, t);
    if (length > 0) loss = nn__ctc_loss(&ctc, alpha + (length - 1) * most);
    if (loss == INFINITY && args->zero_infinity) length = 0;
    for (int t = all - 1; t >= 0; t--) {
        float *to = slope + t * ctc.step;
        if (t >= length || !(loss < INFINITY)) {
            for (int c = 0; c < ctc.classes; c++) to[c] = t < length ? NAN : 0.0f;
            continue;
        }
        nn__ctc_beta(&ctc, behind, rows[t & 1], t);
        behind = rows[t & 1];
        nn__ctc_slope(cpu, &ctc, alpha + t * most, behind, to, t, loss, dloss);
    }
}

static const nn__cpu_kernel nn__ctc_backward = {nn__ctc_units, nn__ctc_backward_unit, NULL,
                                                nn__ctc_backward_own_bytes, NULL};
#endif

NN_PRIVATE void nn__install_ctc(nn_context *nn) {
    NN__CPU_INSTALL(nn, CTC_FORWARD, ctc_forward, &nn__ctc_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, CTC_BACKWARD, ctc_backward, &nn__ctc_backward);
#endif
}
