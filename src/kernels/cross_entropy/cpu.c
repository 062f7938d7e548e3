/* kernels/cross_entropy/cpu.c - torch.nn.CrossEntropyLoss and NLLLoss with class indices, forward
   and backward.

   With the smoothed and weighted targets a_c = (1 - s) w_label [c = label] + s / C w_c, the loss of
   a position is sum_c a_c (log_sum - z_c), and its gradient is p_c sum(a) - a_c. The mean divides
   by the sum of w_label. Positions of (N, C, d...) logits are first gathered into rows. Soft
   targets are not supported. */
#include "base/functions.h"
#include "kernels/cross_entropy/cpu.h"
#include "kernels/cross_entropy/vector.h"

#include <math.h>

#define NN__CROSS_ENTROPY_ROWS   16    /* positions gathered at once: a cache line per class */
#define NN__CROSS_ENTROPY_FEW_CLASSES 8 /* most classes for which exp takes many rows together */
#define NN__CROSS_ENTROPY_LABELS 65536 /* labels per unit in backward's first phase */

typedef struct nn__cross_entropy_plan {
    int64_t positions, inner; /* inner: product of d... */
    int classes;
    int64_t rows; /* positions per unit, a multiple of NN__CROSS_ENTROPY_ROWS */
} nn__cross_entropy_plan;

/* The result of a unit for the last phase. */
typedef struct nn__cross_entropy_part {
    double loss, weight, wrong_labels;
} nn__cross_entropy_part;

static nn__cross_entropy_plan nn__cross_entropy_make_plan(const nn_cross_entropy_args *args) {
    nn__cross_entropy_plan plan;
    plan.classes = args->logits.shape.extent[1];
    plan.positions = nn__count(&args->logits) / plan.classes;
    plan.inner = plan.positions / args->logits.shape.extent[0];
    plan.rows = (4096 / plan.classes + NN__CROSS_ENTROPY_ROWS) / NN__CROSS_ENTROPY_ROWS *
                NN__CROSS_ENTROPY_ROWS;
    return plan;
}

static int nn__cross_entropy_row_units(const nn__cross_entropy_plan *plan) {
    return (int)((plan->positions + plan->rows - 1) / plan->rows);
}

static size_t nn__cross_entropy_own_bytes(const nn__cpu *cpu, const void *args) {
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan((const nn_cross_entropy_args *)args);
    (void)cpu;
    return plan.inner == 1 ? 0 : (size_t)plan.classes * NN__CROSS_ENTROPY_ROWS * sizeof(float);
}

/* Returns the label of a position, or -1 if it is ignored. A label out of range adds 1 to
   *wrong. */
static int nn__cross_entropy_label(const nn_cross_entropy_args *args, int classes, int64_t position,
                                   double *wrong) {
    int32_t label = nn__i32(&args->label)[position];
    if (args->ignore && label == args->ignore_index) return -1;
    if (label >= 0 && label < classes) return label;
    *wrong += 1.0;
    return -1;
}

static const float *nn__cross_entropy_weight(const nn_cross_entropy_args *args) {
    return nn__present(&args->weight) ? nn__f32(&args->weight) : NULL;
}

static void nn__cross_entropy_set_status(const nn_cross_entropy_args *args, double wrong_labels) {
    if (wrong_labels <= 0.0 || !nn__present(&args->status) || !args->status.handle) return;
    uint32_t *status = nn__status(&args->status);
    if (*status == 0) *status = (args->step << 3) | (uint32_t)NN_FAULT_LABEL;
}

/* Returns rows of positions [first, first + count): in place if the classes lie side by side, else
   gathered into `own`. */
static const float *nn__cross_entropy_gather(const nn_cross_entropy_args *args,
                                             const nn__cross_entropy_plan *plan, int64_t first,
                                             int count, float *own) {
    const float *logits = nn__f32(&args->logits);
    if (plan->inner == 1) return logits + first * plan->classes;
    for (int row = 0; row < count; row++) {
        int64_t outer = (first + row) / plan->inner, at = (first + row) % plan->inner;
        const float *from = logits + outer * plan->classes * plan->inner + at;
        for (int c = 0; c < plan->classes; c++)
            own[row * plan->classes + c] = from[c * plan->inner];
    }
    return own;
}

/* Computes e = exp(z - the largest of its row) for consecutive rows; z may be e. */
typedef struct nn__cross_entropy_exp {
    float largest[NN__CROSS_ENTROPY_ROWS], sum[NN__CROSS_ENTROPY_ROWS];
} nn__cross_entropy_exp;

/* Builds without SIMD handle all rows in one way. */
static bool nn__cross_entropy_few_classes(const nn__cross_entropy_plan *plan) {
#ifdef NN_NO_SIMD
    (void)plan;
    return false;
#else
    return plan->inner == 1 && plan->classes <= NN__CROSS_ENTROPY_FEW_CLASSES;
#endif
}

static void nn__cross_entropy_exp_few_classes(const nn__cpu *cpu, nn__cross_entropy_exp *rows,
                                              float *e, const float *z, int count, int classes) {
    int first = 0;
    if (classes == 2)
        first = NN__OF_NARROW(cpu, nn__cross_entropy_pairs)
                    ->exps(e, rows->largest, rows->sum, z, count);
    for (int row = first; row < count; row++) {
        const float *from = z + row * classes;
        float *to = e + row * classes, largest = from[0];
        for (int c = 1; c < classes; c++) /* NaN wins */
            if (from[c] > largest || from[c] != from[c]) largest = from[c];
        for (int c = 0; c < classes; c++) to[c] = from[c] - largest;
        rows->largest[row] = largest;
    }
    if (first < count)
        nn__row_exp(cpu, e + first * classes, e + first * classes, 0.0f, (count - first) * classes);
    for (int row = first; row < count; row++) {
        rows->sum[row] = e[row * classes];
        for (int c = 1; c < classes; c++) rows->sum[row] += e[row * classes + c];
    }
}

/* ---- forward --------------------------------------------------------------------------------- */

static int nn__cross_entropy_forward_units(const nn__cpu *cpu, const void *args, int phase) {
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan((const nn_cross_entropy_args *)args);
    (void)cpu;
    return phase == 0 ? nn__cross_entropy_row_units(&plan) : phase == 1 ? 1 : 0;
}

static size_t nn__cross_entropy_forward_shared_bytes(const nn__cpu *cpu, const void *args) {
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan((const nn_cross_entropy_args *)args);
    (void)cpu;
    return (size_t)nn__cross_entropy_row_units(&plan) * sizeof(nn__cross_entropy_part);
}

/* sum: of exp(z - largest) */
static double nn__cross_entropy_row_loss(const float *z, float largest, float sum,
                                         const float *weight, int classes, int label,
                                         float smoothing) {
    const float log_sum = (float)nn__log(sum);
    double loss =
               (double)(log_sum - (z[label] - largest)) * (double)(weight ? weight[label] : 1.0f),
           smooth = 0.0;
    if (smoothing <= 0.0f) return loss;
    for (int c = 0; c < classes; c++)
        smooth += (double)(log_sum - (z[c] - largest)) * (double)(weight ? weight[c] : 1.0f);
    return (1.0 - (double)smoothing) * loss + (double)smoothing / classes * smooth;
}

/* Returns the loss of a position if the logits are log-probabilities. */
static double nn__cross_entropy_nll(const nn_cross_entropy_args *args,
                                    const nn__cross_entropy_plan *plan, int64_t position, int label,
                                    const float *weight) {
    const int64_t outer = position / plan->inner, at = position % plan->inner;
    const float z = nn__f32(&args->logits)[(outer * plan->classes + label) * plan->inner + at];
    return -(double)z * (double)(weight ? weight[label] : 1.0f);
}

static void nn__cross_entropy_finish(const nn_cross_entropy_args *args,
                                     const nn__cross_entropy_part *parts, int count) {
    double loss = 0.0, weight = 0.0, wrong = 0.0;
    for (int i = 0; i < count; i++)
        loss += parts[i].loss, weight += parts[i].weight, wrong += parts[i].wrong_labels;
    nn__cross_entropy_set_status(args, wrong);
    if (args->reduction == NN_REDUCTION_NONE) return;
    bool mean = args->reduction != NN_SUM;
    if (mean && weight == 0.0) /* as 0 / 0 and x / 0 */
        loss = loss != 0.0 ? (double)INFINITY : (double)NAN;
    else if (mean)
        loss /= weight;
    if (wrong > 0.0) loss = (double)NAN; /* other devices of the step see only this number */
    *nn__f32(&args->loss) = (float)loss;
}

static void nn__cross_entropy_forward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                           int unit, void *shared, void *own) {
    const nn_cross_entropy_args *args = (const nn_cross_entropy_args *)arguments;
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan(args);
    nn__cross_entropy_part *parts = (nn__cross_entropy_part *)shared, part = {0.0, 0.0, 0.0};
    if (phase == 1) {
        nn__cross_entropy_finish(args, parts, nn__cross_entropy_row_units(&plan));
        return;
    }
    const float *weight = nn__cross_entropy_weight(args);
    float *each = args->reduction == NN_REDUCTION_NONE ? nn__f32(&args->loss) : NULL;
    const bool few_classes = nn__cross_entropy_few_classes(&plan);
    int64_t end = nn__min64((unit + 1) * plan.rows, plan.positions);
    for (int64_t first = unit * plan.rows; first < end; first += NN__CROSS_ENTROPY_ROWS) {
        int count = (int)nn__min64(NN__CROSS_ENTROPY_ROWS, end - first);
        const float *z = args->log_probabilities
                             ? NULL
                             : nn__cross_entropy_gather(args, &plan, first, count, (float *)own);
        nn__cross_entropy_exp rows;
        if (z && few_classes) {
            float e[NN__CROSS_ENTROPY_ROWS * NN__CROSS_ENTROPY_FEW_CLASSES];
            nn__cross_entropy_exp_few_classes(cpu, &rows, e, z, count, plan.classes);
        }
        for (int row = 0; row < count; row++) {
            const float *at = z ? z + row * plan.classes : NULL;
            const double wrong = part.wrong_labels;
            int label =
                nn__cross_entropy_label(args, plan.classes, first + row, &part.wrong_labels);
            double loss = part.wrong_labels > wrong ? (double)NAN : 0.0;
            if (label >= 0) {
                if (at && !few_classes) {
                    rows.largest[row] = nn__row_max(cpu, at, plan.classes);
                    rows.sum[row] = nn__row_exp(cpu, NULL, at, rows.largest[row], plan.classes);
                }
                loss = at ? nn__cross_entropy_row_loss(at, rows.largest[row], rows.sum[row], weight,
                                                       plan.classes, label, args->label_smoothing)
                          : nn__cross_entropy_nll(args, &plan, first + row, label, weight);
                part.weight += weight ? (double)weight[label] : 1.0;
                part.loss += loss;
            }
            if (each) each[first + row] = (float)loss;
        }
    }
    parts[unit] = part;
}

static const nn__cpu_kernel nn__cross_entropy_forward = {
    nn__cross_entropy_forward_units, nn__cross_entropy_forward_unit,
    nn__cross_entropy_forward_shared_bytes, nn__cross_entropy_own_bytes, NULL};

/* ---- backward: first the sum of weights, then the rows --------------------------------------- */

#ifndef NN_NO_TRAINING

static float nn__cross_entropy_weight_sum(const float *weight, int classes) {
    double sum = 0.0;
    if (!weight) return (float)classes;
    for (int c = 0; c < classes; c++) sum += (double)weight[c];
    return (float)sum;
}

static int nn__cross_entropy_label_units(const nn__cross_entropy_plan *plan) {
    return (int)((plan->positions + NN__CROSS_ENTROPY_LABELS - 1) / NN__CROSS_ENTROPY_LABELS);
}

static int nn__cross_entropy_backward_units(const nn__cpu *cpu, const void *args, int phase) {
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan((const nn_cross_entropy_args *)args);
    (void)cpu;
    if (phase == 0) return nn__cross_entropy_label_units(&plan);
    return phase == 1 ? nn__cross_entropy_row_units(&plan) : 0;
}

static size_t nn__cross_entropy_backward_shared_bytes(const nn__cpu *cpu, const void *args) {
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan((const nn_cross_entropy_args *)args);
    (void)cpu;
    return (size_t)nn__cross_entropy_label_units(&plan) * sizeof(nn__cross_entropy_part);
}

static void nn__cross_entropy_add_weights(const nn_cross_entropy_args *args,
                                          const nn__cross_entropy_plan *plan, int unit,
                                          nn__cross_entropy_part *parts) {
    const float *weight = nn__cross_entropy_weight(args);
    nn__cross_entropy_part part = {0.0, 0.0, 0.0};
    int64_t first = (int64_t)unit * NN__CROSS_ENTROPY_LABELS;
    int64_t end = nn__min64(first + NN__CROSS_ENTROPY_LABELS, plan->positions);
    int counted = 0; /* an integer sum does not wait for the addition before it */
    for (int64_t i = first; i < end; i++) {
        int label = nn__cross_entropy_label(args, plan->classes, i, &part.wrong_labels);
        if (label < 0) continue;
        counted++;
        if (weight) part.weight += (double)weight[label];
    }
    if (!weight) part.weight = (double)counted;
    parts[unit] = part;
}

/* dz = scale (p sum(a) - a), where a is hit at the label, plus smooth times the weight of each
   class. The sum and the label's own a are rounded in the same way, so the gradient of a single
   class is exactly 0: Adam would turn any rounding error into whole steps. */
static float nn__cross_entropy_target(float hit, float smooth, float weight) {
    return hit + smooth * weight;
}

/* dz: on entry exp(z - largest), whose sum is `sum`. */
static void nn__cross_entropy_row_gradient(const nn__cpu *cpu, const nn_cross_entropy_args *args,
                                           float *dz, int classes, int label, float scale,
                                           float weight_sum, float sum) {
    const float *weight = nn__cross_entropy_weight(args);
    const float smoothing = args->label_smoothing, own = weight ? weight[label] : 1.0f;
    const float hit = scale * ((1.0f - smoothing) * own),
                smooth = scale * (smoothing / (float)classes);
    const float share = nn__cross_entropy_target(hit, smooth, weight_sum) / sum;
    if (classes <= NN__CROSS_ENTROPY_FEW_CLASSES)
        for (int c = 0; c < classes; c++) dz[c] *= share;
    else
        nn__row_scale(cpu, dz, share, classes);
    const float at_label = dz[label] - nn__cross_entropy_target(hit, smooth, own);
    if (smoothing > 0.0f)
        for (int c = 0; c < classes; c++) dz[c] -= smooth * (weight ? weight[c] : 1.0f);
    dz[label] = at_label;
}

static void nn__cross_entropy_backward_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                            int unit, void *shared, void *own) {
    const nn_cross_entropy_args *args = (const nn_cross_entropy_args *)arguments;
    nn__cross_entropy_plan plan = nn__cross_entropy_make_plan(args);
    nn__cross_entropy_part *parts = (nn__cross_entropy_part *)shared;
    if (phase == 0) {
        nn__cross_entropy_add_weights(args, &plan, unit, parts);
        return;
    }
    int label_units = nn__cross_entropy_label_units(&plan), classes = plan.classes;
    double total = 0.0, wrong = 0.0, ignored = 0.0;
    for (int i = 0; i < label_units; i++) total += parts[i].weight, wrong += parts[i].wrong_labels;
    if (unit == 0) nn__cross_entropy_set_status(args, wrong); /* no other unit touches it */
    const float *dloss = nn__present(&args->dloss) ? nn__f32(&args->dloss) : NULL;
    const bool each = args->reduction == NN_REDUCTION_NONE && dloss;
    float scale = dloss ? *dloss : 1.0f;
    if (args->reduction != NN_SUM && args->reduction != NN_REDUCTION_NONE &&
        scale != 0.0f) /* a gradient of 0 stays 0, even if all labels are ignored */
        scale = (float)((double)scale / total);
    const float *weight = nn__cross_entropy_weight(args);
    const float weight_sum = nn__cross_entropy_weight_sum(weight, classes);
    const int64_t start = unit * plan.rows, end = nn__min64(start + plan.rows, plan.positions);
    const bool few_classes = nn__cross_entropy_few_classes(&plan) && !args->log_probabilities;
    nn__cross_entropy_exp rows;
    for (int64_t position = start; position < end; position++) {
        const int row = (int)((position - start) % NN__CROSS_ENTROPY_ROWS);
        int label = nn__cross_entropy_label(args, classes, position, &ignored);
        const bool beside = plan.inner == 1; /* avoids a division */
        const int64_t outer = beside ? position : position / plan.inner,
                      at = beside ? 0 : position % plan.inner;
        float *to = nn__f32(&args->dlogits) + outer * classes * plan.inner + at,
              *dz = beside ? to : (float *)own;
        if (each) scale = dloss[position];
        if (few_classes && row == 0) {
            const int count = (int)nn__min64(NN__CROSS_ENTROPY_ROWS, end - position);
            nn__cross_entropy_exp_few_classes(
                cpu, &rows, to, nn__f32(&args->logits) + position * classes, count, classes);
            if (classes == 2 && !each && !weight && args->label_smoothing == 0.0f) {
                const float share = nn__cross_entropy_target(scale, scale * 0.0f, 2.0f),
                            target = nn__cross_entropy_target(scale, scale * 0.0f, 1.0f);
                const int done =
                    NN__OF_NARROW(cpu, nn__cross_entropy_pairs)
                        ->gradient(to, rows.sum, nn__i32(&args->label) + position, count,
                                   args->ignore ? args->ignore_index : -1, share, target);
                if (done) {
                    position += done - 1;
                    continue;
                }
            }
        }
        if (label < 0 || args->log_probabilities) {
            memset(dz, 0, (size_t)classes * sizeof(float));
            if (label >= 0) dz[label] = -scale * (weight ? weight[label] : 1.0f);
        } else {
            if (!few_classes) {
                const float *z = nn__cross_entropy_gather(args, &plan, position, 1,
                                                          own ? (float *)own + classes : NULL);
                rows.sum[row] = nn__row_exp(cpu, dz, z, nn__row_max(cpu, z, classes), classes);
            }
            nn__cross_entropy_row_gradient(cpu, args, dz, classes, label, scale, weight_sum,
                                           rows.sum[row]);
        }
        if (dz == to) continue;
        for (int c = 0; c < classes; c++) to[c * plan.inner] = dz[c];
    }
}

static const nn__cpu_kernel nn__cross_entropy_backward = {
    nn__cross_entropy_backward_units, nn__cross_entropy_backward_unit,
    nn__cross_entropy_backward_shared_bytes, nn__cross_entropy_own_bytes, NULL};

/* ---- head: the phases of forward, those of backward, and the total. nn_self_test compares devices
   with it; plans for the CPU use separate kernels --------------------------------------- */

/* Returns the kernel of phase *phase, and makes *phase relative to that kernel. NULL: the total. */
static const nn__cpu_kernel *nn__cross_entropy_head_part(const nn__cpu *cpu, const void *args,
                                                         int *phase) {
    const nn__cpu_kernel *const parts[2] = {&nn__cross_entropy_forward,
                                            &nn__cross_entropy_backward};
    for (int i = 0; i < 2; i++) {
        int phases = 0;
        while (parts[i]->units(cpu, args, phases) > 0) phases++;
        if (*phase < phases) return parts[i];
        *phase -= phases;
    }
    return NULL;
}

static int nn__cross_entropy_head_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn__cpu_kernel *part = nn__cross_entropy_head_part(cpu, args, &phase);
    return part ? part->units(cpu, args, phase) : phase == 0;
}

static void nn__cross_entropy_head_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                        int unit, void *shared, void *own) {
    const nn_cross_entropy_head_args *args = (const nn_cross_entropy_head_args *)arguments;
    const nn__cpu_kernel *part = nn__cross_entropy_head_part(cpu, arguments, &phase);
    const nn_view *word = &args->entropy.status;
    uint32_t *status = nn__present(word) ? nn__status(word) : NULL;
    if (part) {
        part->unit(cpu, arguments, phase, unit, shared, own);
        return;
    }
    const float loss = *nn__f32(&args->entropy.loss);
    if (args->check && status && *status == 0 && !(fabsf(loss) < INFINITY))
        *status = (args->entropy.step << 3) | (uint32_t)NN_FAULT_LOSS;
    if ((status && *status != 0) || !nn__present(&args->total)) return;
    nn__f32(&args->total)[0] += loss * args->weight;
    nn__f32(&args->total)[1] += args->weight;
}

static size_t nn__cross_entropy_head_shared_bytes(const nn__cpu *cpu, const void *args) {
    const size_t forward = nn__cross_entropy_forward_shared_bytes(cpu, args),
                 backward = nn__cross_entropy_backward_shared_bytes(cpu, args);
    return forward > backward ? forward : backward;
}

static const nn__cpu_kernel nn__cross_entropy_head = {
    nn__cross_entropy_head_units, nn__cross_entropy_head_unit, nn__cross_entropy_head_shared_bytes,
    nn__cross_entropy_own_bytes, NULL};

NN_PRIVATE void nn__install_cross_entropy_head(nn_context *nn) {
    NN__CPU_INSTALL(nn, CROSS_ENTROPY_HEAD, cross_entropy_head, &nn__cross_entropy_head);
}
#endif
#undef NN__CROSS_ENTROPY_ROWS
#undef NN__CROSS_ENTROPY_FEW_CLASSES
#undef NN__CROSS_ENTROPY_LABELS

NN_PRIVATE void nn__install_cross_entropy(nn_context *nn) {
    NN__CPU_INSTALL(nn, CROSS_ENTROPY_FORWARD, cross_entropy_forward, &nn__cross_entropy_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, CROSS_ENTROPY_BACKWARD, cross_entropy_backward,
                    &nn__cross_entropy_backward);
#endif
}
