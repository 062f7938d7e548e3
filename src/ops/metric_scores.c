/* ops/metric_scores.c - the metrics that the library makes from sums (ops/metric.c): R2,
   perplexity, area under the curve, intersection over union. */
#include "ops/arrange.h"
#include "ops/cast.h"
#include "ops/expression.h"
#include "ops/loss.h"
#include "ops/metric_scores.h"
#include "ops/pointwise.h"
#include "ops/private.h"
#include "ops/reduce.h"
#include "ops/cumsum.h"

#ifndef NN_NO_TRAINING

#include <math.h>

static nn_node *nn__metric_made(nn_site site, nn_model *net, const char *name, nn_node *sums,
                                nn_metric_function function) {
    return nn_metric_at(site, net, name, sums, function, NULL);
}

/* True if the builder should stop: a fault is already reported. */
static bool nn__metric_is_off(const nn_node *x) {
    return !x || x->poisoned;
}

/* Checks that both operands exist and belong to this model, so that this is one fault, not one
   for each use. */
static nn_node *nn__metric_checked(nn_site site, nn_model *net, const nn__rule *rule, nn_node *y,
                                   nn_node *target) {
    static const char *const roles[] = {"y", "target"};
    nn_node *both[2];
    both[0] = y;
    both[1] = target;
    return nn__build(site, net, rule, NULL, NULL, both, roles, 2, NULL, 0);
}

/* ---- parts of sums --------------------------------------------------------------------------- */

static nn_node *nn__metric_line(nn_site site, nn_model *net, const char *text, nn_node *a,
                                nn_node *b, nn_node *c) {
    return nn__add_text(site, net, "metric", text, a, b, c, NULL, NULL);
}

static nn_node *nn__metric_ones(nn_site site, nn_model *net, nn_node *x) {
    return nn__metric_line(site, net, "x: (x == x) + (x != x)", x, NULL, NULL);
}

/* Reduces `count` axes from `first` on; the reduced axes are removed. */
static nn_node *nn__metric_sum(nn_site site, nn_model *net, nn_node *x, int first, int count,
                               nn_reduction reduction) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < count; i++) axes.axis[axes.count++] = first + i;
    return nn_reduce_at(site, net, reduction, x, axes, false);
}

static nn_node *nn__metric_list(nn_site site, nn_model *net, nn_node *x, int32_t count) {
    return nn_reshape_at(site, net, x, nn_make_shape(&count, 1));
}

static nn_node *nn__metric_total(nn_site site, nn_model *net, nn_node *x) {
    nn_axes all;
    memset(&all, 0, sizeof all);
    return nn__metric_list(site, net, nn_reduce_at(site, net, NN_SUM, x, all, false), 1);
}

static nn_node *nn__metric_join(nn_site site, nn_model *net, nn_node *const *parts, int count) {
    nn_nodes nodes;
    nodes.node = parts;
    nodes.count = count;
    return nn_concat_at(site, net, nodes, 0);
}

static double nn__metric_iou(void *user, const double *sums, int count) {
    (void)user, (void)count;
    return sums[1] > 0.0 ? sums[0] / sums[1] : 0.0;
}

/* ---- R2 -------------------------------------------------------------------------------------- */

enum {
    NN__R2_SUMS = 7
}; /* for each column: count n; n m in two parts; n m^2 in two parts; squares about m; squared
      errors. m is the batch's mean. */

/* The sum of squares about the total mean is the sum of those about each batch's mean, plus that
   of the batch means about the total mean. If the mean is much larger than the deviation, this
   only works with products that are exact: hence two parts. */
static double nn__metric_r2(void *user, const double *sums, int count) {
    const int columns = count / NN__R2_SUMS;
    double total = 0.0;
    (void)user;
    for (int i = 0; i < columns; i++) {
        double s[NN__R2_SUMS];
        for (int k = 0; k < NN__R2_SUMS; k++) s[k] = sums[k * columns + i];
        const double sum = s[1] + s[2], between = s[3] + s[4] - sum * (sum / s[0]);
        const double squares = s[5] + (between > 0.0 ? between : 0.0);
        if (!(s[0] >= 1.0)) return (double)NAN;
        if (squares != squares || s[6] != s[6]) return (double)NAN;
        total += squares > 0.0 ? 1.0 - s[6] / squares : s[6] > 0.0 ? 0.0 : 1.0;
    }
    return total / columns;
}

NN_API nn_node *nn_r2_score_at(nn_site site, nn_model *net, nn_node *y, nn_node *target) {
    static const nn__rule rule = NN__COMPOSED_RULE("r2_score", nn__infer_same);
    nn_node *parts[NN__R2_SUMS], *one, *m;
    m = nn__metric_checked(site, net, &rule, y, target);
    if (nn__metric_is_off(m)) return m;
    const int32_t columns = target->shape.rank == 2 ? target->shape.extent[1] : 1;
    if (columns < 1) /* the columns are the batch: nn_metric reports the fault */
        return nn_metric_at(site, net, "r2_score", target, nn__metric_r2, NULL);
    parts[6] = nn__metric_sum(
        site, net, nn__metric_line(site, net, "t, y: (t - y)^2", target, y, NULL), 0, 1, NN_SUM);
    parts[6] = nn__metric_list(site, net, parts[6], columns);
    if (nn__metric_is_off(parts[6])) return parts[6];
    m = nn__metric_sum(site, net, target, 0, 1, NN_MEAN);
    if (nn__metric_is_off(m)) return m;
    one = nn__metric_sum(site, net, nn__metric_ones(site, net, target), 0, 1, NN_SUM);
    parts[0] = one;
    parts[1] = nn__metric_line(site, net, "n, m: n * m", one, m, NULL);
    parts[2] = nn__metric_line(site, net, "n, m: fma(n, m, -(n * m))", one, m, NULL);
    parts[3] = nn__metric_line(site, net, "n, m: n * m * m", one, m, NULL);
    parts[4] = nn__metric_line(
        site, net, "n, m: fma(n * m, m, -(n * m * m)) + fma(n, m, -(n * m)) * m", one, m, NULL);
    parts[5] = nn__metric_sum(
        site, net, nn__metric_line(site, net, "t, m: (t - m)^2", target, m, NULL), 0, 1, NN_SUM);
    for (int i = 0; i < NN__R2_SUMS - 1; i++)
        parts[i] = nn__metric_list(site, net, parts[i], columns);
    return nn_metric_at(site, net, "r2_score", nn__metric_join(site, net, parts, NN__R2_SUMS),
                        nn__metric_r2, NULL);
}

/* ---- perplexity ------------------------------------------------------------------------------ */

static double nn__metric_perplexity(void *user, const double *sums, int count) {
    (void)user, (void)count;
    return exp(sums[0] / sums[1]);
}

NN_API nn_node *nn_perplexity_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                 const nn_perplexity_desc *desc) {
    nn_cross_entropy_desc entropy;
    nn_expression_desc counted;
    nn_node *parts[2];
    const char *const name = "ignored";
    const float ignored = desc ? (float)desc->ignore_index : 0.0f;
    memset(&entropy, 0, sizeof entropy);
    memset(&counted, 0, sizeof counted);
    entropy.reduction = NN_SUM;
    entropy.ignore = desc && desc->ignore;
    entropy.ignore_index = desc ? desc->ignore_index : 0;
    parts[0] =
        nn__metric_list(site, net, nn_cross_entropy_at(site, net, logits, label, &entropy), 1);
    if (nn__metric_is_off(parts[0])) return parts[0];
    counted.name = "counted";
    counted.text = entropy.ignore ? "label: label != ignored" : "label: (label == label)";
    parts[1] = nn_cast_at(site, net, label, NN_F32);
    counted.inputs.node = &parts[1], counted.inputs.count = 1;
    counted.number_names.text = &name, counted.numbers.number = &ignored;
    counted.number_names.count = counted.numbers.count = entropy.ignore ? 1 : 0;
    parts[1] = nn__metric_total(site, net, nn_make_expression_at(site, net, &counted));
    return nn_metric_at(site, net, "perplexity", nn__metric_join(site, net, parts, 2),
                        nn__metric_perplexity, NULL);
}

/* ---- area under the curve -------------------------------------------------------------------- */

/* sums: the true positives for each threshold from 0 to 1, then the false positives. The
   trapezoidal rule gives the area. */
static double nn__metric_auroc(void *user, const double *sums, int count) {
    const int thresholds = count / 2;
    const double *right = sums, *wrong = sums + thresholds;
    double area = 0.0, r = 0.0, w = 0.0;
    (void)user;
    for (int i = thresholds - 1; i >= 0; i--) {
        area += (wrong[i] - w) * 0.5 * (right[i] + r);
        r = right[i];
        w = wrong[i];
    }
    if (area != area) return area; /* NaN: a score was no probability */
    return r > 0.0 && w > 0.0 ? area / (r * w) : 0.0;
}

NN_API nn_node *nn_auroc_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                            int thresholds) {
    static const nn__rule rule = NN__COMPOSED_RULE("auroc", nn__infer_same);
    nn_node *parts[2], *steps, *x, *t;
    nn_expression_desc grid;
    nn_shape shape;
    const int32_t repeats = thresholds == 0 ? 200 : thresholds;
    x = nn__metric_checked(site, net, &rule, y, target);
    if (nn__metric_is_off(x)) return x;
    if (thresholds == 0) thresholds = 200;
    nn_node *const refused = nn__metric_refuse(site, net, y, thresholds);
    if (refused) return refused;
    if (y->shape.rank >= NN_MAX_RANK) return nn__metric_made(site, net, "auroc", y, nn__metric_iou);
    const char *const name = "last";
    const float last = (float)(thresholds - 1);
    /* 0, 1 / (T - 1), 2 / (T - 1) ... 1, computed on the model's device */
    steps =
        nn_repeat_at(site, net, nn__metric_total(site, net, target), nn_make_shape(&repeats, 1));
    steps = nn_cumsum_at(site, net, nn__metric_ones(site, net, steps), 0);
    memset(&grid, 0, sizeof grid);
    grid.name = "thresholds";
    grid.text = "i: (i - 1) / last";
    grid.inputs.node = &steps;
    grid.number_names.text = &name;
    grid.numbers.number = &last;
    grid.inputs.count = grid.number_names.count = grid.numbers.count = 1;
    steps = nn_make_expression_at(site, net, &grid);
    if (nn__metric_is_off(steps)) return steps;
    shape = y->shape;
    shape.extent[shape.rank++] = 1;
    x = nn__metric_line(site, net, "y: y >= 0 && y <= 1 ? y : 0 / 0", y, NULL, NULL);
    x = nn_reshape_at(site, net, x, shape);
    if (nn__metric_is_off(x)) return x;
    t = nn_reshape_at(site, net, target, shape);
    parts[0] = nn__metric_line(site, net, "x, t, s: x >= s ? t : x - x", x, t, steps);
    parts[1] = nn__metric_line(site, net, "x, t, s: x >= s ? 1 - t : x - x", x, t, steps);
    for (int i = 0; i < 2; i++)
        parts[i] = nn__metric_sum(site, net, parts[i], 0, y->shape.rank, NN_SUM);
    return nn_metric_at(site, net, "auroc", nn__metric_join(site, net, parts, 2), nn__metric_auroc,
                        NULL);
}

/* ---- intersection over union ----------------------------------------------------------------- */

NN_API nn_node *nn_iou_at(nn_site site, nn_model *net, nn_node *y, nn_node *target) {
    static const nn__rule rule = NN__COMPOSED_RULE("iou", nn__infer_same);
    nn_node *parts[2];
    parts[0] = nn__metric_checked(site, net, &rule, y, target);
    if (nn__metric_is_off(parts[0])) return parts[0];
    parts[0] = nn__metric_total(
        site, net, nn__metric_line(site, net, "y, t: y > 0.5 && t > 0.5", y, target, NULL));
    if (nn__metric_is_off(parts[0])) return parts[0];
    parts[1] = nn__metric_total(
        site, net, nn__metric_line(site, net, "y, t: y > 0.5 || t > 0.5", y, target, NULL));
    return nn_metric_at(site, net, "iou", nn__metric_join(site, net, parts, 2), nn__metric_iou,
                        NULL);
}

#endif /* NN_NO_TRAINING */

typedef int nn__metric_scores_part; /* a part must not be empty under NN_NO_TRAINING */
