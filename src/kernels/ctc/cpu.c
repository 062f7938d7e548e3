/* kernels/ctc/cpu.c - connectionist temporal classification on the CPU: a sample is a unit. The
   states are the targets with a blank before, between and after them; alpha and beta are the
   logarithms of the sums over all paths from the start and to the end, both with the row's own
   probability. Source: Graves et al., "Connectionist temporal classification", 2006. */
#include "kernels/install_more.h"
#include "base/functions.h"
#include "kernels/ctc/cpu.h"
#include "kernels/ctc/vector.h"

#include <math.h>

static int64_t nn__ctc_most_states(const nn_ctc_args *args) {
    return 2 * (int64_t)args->targets.shape.extent[1] + 1;
}

/* Returns the distance between two rows of states. */
static int64_t nn__ctc_width(const nn_ctc_args *args) {
    return (nn__ctc_most_states(args) + NN__CTC_LANES - 1) / NN__CTC_LANES * NN__CTC_LANES +
           NN__CTC_LANES;
}

/* Returns the bytes of the tables and of `rows` rows. */
static size_t nn__ctc_bytes(const nn_ctc_args *args, int64_t rows) {
    return (size_t)((rows + 3) * nn__ctc_width(args) + NN__CTC_LANES) * sizeof(float);
}

static nn__ctc nn__ctc_sample(const nn_ctc_args *args, int n) {
    const nn_shape *shape = &args->log_probabilities.shape;
    const int most = args->targets.shape.extent[1], count = nn__i32(&args->target_lengths)[n];
    nn__ctc ctc;
    memset(&ctc, 0, sizeof ctc);
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

/* Fills the tables of a valid sample at `own`. Returns the first row of states, which follows them;
   `rows` rows are set to -infinity. */
static float *nn__ctc_begin(const nn_ctc_args *args, nn__ctc *ctc, void *own, int64_t rows) {
    const int64_t width = nn__ctc_width(args);
    float *first = (float *)own + 3 * width;
    ctc->own = (int32_t *)own;
    ctc->jumps = ctc->own + width;
    ctc->emitted = (float *)own + 2 * width;
    memset(own, 0, (size_t)(3 * width) * sizeof(float));
    for (int s = 0; s < ctc->states; s++) {
        ctc->own[s] = s & 1 ? ctc->targets[s / 2] : ctc->blank;
        ctc->jumps[s] = s > 1 && (s & 1) && ctc->own[s] != ctc->own[s - 2] ? -1 : 0;
    }
    for (int64_t i = 0; i < rows * width + NN__CTC_LANES; i++) first[i] = -INFINITY;
    return first + NN__CTC_LANES;
}

/* log(exp(a) + exp(b) + exp(c)). A NaN is never the maximum; the sum passes it on. */
static float nn__ctc_add(float a, float b, float c) {
    float most = b > a ? b : a;
    if (c > most) most = c;
    if (most == -INFINITY) return a + b + c;
    return (float)nn__log(nn__exp(a - most) + nn__exp(b - most) +
                          (c == -INFINITY ? 0.0 : nn__exp(c - most))) + most;
}

/* Computes row t of alpha (next is -1) or of beta (next is 1). from: the row before it (alpha) or
   after it (beta); NULL: there is none. */
static void nn__ctc_step(const nn__cpu *cpu, const nn__ctc *ctc, const float *from, float *to,
                         int t, int next) {
    const float *row = ctc->rows + t * ctc->step;
    const int32_t *jumps = ctc->jumps + (next > 0 ? 2 : 0);
    const int end = next > 0 ? ctc->states - 1 : 0; /* of the states, where paths may begin */
    for (int s = 0; s < ctc->states; s++) ctc->emitted[s] = row[ctc->own[s]];
    if (!from) {
        to[end] = ctc->emitted[end];
        if (ctc->states > 1) to[end - next] = ctc->emitted[end - next];
        return;
    }
    NN__OF_NARROW(cpu, nn__ctc_loops)->step(ctc, from, to, jumps, next);
}

/* Returns the loss, from the last row of alpha. */
static float nn__ctc_loss(const nn__ctc *ctc, const float *alpha) {
    const int last = ctc->states - 1;
    if (ctc->length == 0) return last == 0 ? 0.0f : INFINITY;
    return -nn__ctc_add(alpha[last], alpha[last - 1], -INFINITY);
}

static int nn__ctc_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase == 0 ? ((const nn_ctc_args *)args)->input_lengths.shape.extent[0] : 0;
}

/* ---- forward --------------------------------------------------------------------------------- */

static size_t nn__ctc_forward_own_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return nn__ctc_bytes((const nn_ctc_args *)args, 2);
}

/* Called if sample n is invalid. Only the unit of the first invalid sample sets the status word, so
   no two units write it. */
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
    nn__ctc ctc = nn__ctc_sample(args, unit);
    float *first, *before = NULL, *loss = nn__f32(&args->loss) + unit;
    (void)phase, (void)shared;
    if (!ctc.valid) {
        nn__ctc_wrong(args, unit);
        *loss = NAN;
        return;
    }
    first = nn__ctc_begin(args, &ctc, own, 2);
    for (int t = 0; t < ctc.length; t++) {
        float *to = first + (t & 1) * nn__ctc_width(args);
        nn__ctc_step(cpu, &ctc, before, to, t, -1);
        before = to;
    }
    *loss = nn__ctc_loss(&ctc, before);
    if (args->zero_infinity && *loss == INFINITY) *loss = 0.0f;
}

static const nn__cpu_kernel nn__ctc_forward = {nn__ctc_units, nn__ctc_forward_unit, NULL,
                                               nn__ctc_forward_own_bytes, NULL};

/* ---- backward -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* Returns the bytes of all rows of alpha and two rows of beta. */
static size_t nn__ctc_backward_own_bytes(const nn__cpu *cpu, const void *arguments) {
    const nn_ctc_args *args = (const nn_ctc_args *)arguments;
    (void)cpu;
    return nn__ctc_bytes(args, args->log_probabilities.shape.extent[0] + (int64_t)2);
}

/* Computes the probability that passes through each state in a row, into `emitted`. */
static void nn__ctc_posterior(const nn__cpu *cpu, const nn__ctc *ctc, const float *alpha,
                              const float *beta, float loss) {
    float *share = ctc->emitted;
    for (int s = 0; s < ctc->states; s++) {
        const float both = alpha[s] + beta[s];
        share[s] = both == -INFINITY ? both : both + loss - share[s];
    }
    nn__row_exp(cpu, share, share, 0.0f, ctc->states);
}

/* Computes one row of the gradient: the probability of each class, minus what passes through its
   states. */
static void nn__ctc_slope(const nn__cpu *cpu, const nn__ctc *ctc, float *slope, int t,
                          float dloss) {
    nn__row_exp(cpu, slope, ctc->rows + t * ctc->step, 0.0f, ctc->classes);
    for (int s = 0; s < ctc->states; s++) slope[ctc->own[s]] -= ctc->emitted[s];
    nn__row_scale(cpu, slope, dloss, ctc->classes);
}

static void nn__ctc_backward_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                  void *shared, void *own) {
    const nn_ctc_args *args = (const nn_ctc_args *)arguments;
    nn__ctc ctc = nn__ctc_sample(args, unit);
    const int all = args->log_probabilities.shape.extent[0];
    const int64_t width = nn__ctc_width(args);
    const float dloss = nn__present(&args->dloss) ? nn__f32(&args->dloss)[unit] : 1.0f;
    float *alpha, *behind = NULL, loss = 0.0f,
          *slope = nn__f32(&args->dlog_probabilities) + (int64_t)unit * ctc.classes;
    int length = ctc.valid ? ctc.length : 0;
    (void)phase, (void)shared;
    alpha = nn__ctc_begin(args, &ctc, own, all + 2);
    for (int t = 0; t < length; t++)
        nn__ctc_step(cpu, &ctc, t ? alpha + (t - 1) * width : NULL, alpha + t * width, t, -1);
    if (length > 0) loss = nn__ctc_loss(&ctc, alpha + (length - 1) * width);
    if (loss == INFINITY && args->zero_infinity) length = 0;
    for (int t = all - 1; t >= 0; t--) {
        float *to = slope + t * ctc.step, *beta = alpha + (all + (t & 1)) * width;
        if (t >= length || !(loss < INFINITY)) {
            for (int c = 0; c < ctc.classes; c++) to[c] = t < length ? NAN : 0.0f;
            continue;
        }
        nn__ctc_step(cpu, &ctc, behind, beta, t, 1);
        nn__ctc_posterior(cpu, &ctc, alpha + t * width, beta, loss);
        nn__ctc_slope(cpu, &ctc, to, t, dloss);
        behind = beta;
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
