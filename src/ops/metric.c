/* ops/metric.c - a metric from sums: a node that computes what is added up, and a host function
   that computes the metric from the sums. ops/totals.c adds, train/report.c reads. */
#include "ops/metric.h"

#include "ops/private.h"

#ifndef NN_NO_TRAINING

#define NN__METRIC_SUMS 4096

static bool nn__op_metric_infer(nn__inference *inference) {
    const nn__type *sums = inference->inputs;
    nn__problem *problem = inference->problem;
    char shape[NN__SHAPE_TEXT];
    inference->outputs[0] = *sums;
    if (!nn__want_dtype(problem, inference->operation, "sums", sums->dtype, NN_F32)) return false;
    const nn__metric *metric = (const nn__metric *)inference->params;
    if (metric->thresholds != 0)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("200 by default"),
                               NN__TEXT("thresholds is %d; wanted 2 to %d, or 0"),
                               (int)metric->thresholds, NN__METRIC_SUMS / 2);
    if (!metric->function)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("give one"),
                               NN__TEXT("function is NULL"));
    if (sums->shape.rank == 1 && sums->shape.extent[0] >= 1 &&
        sums->shape.extent[0] <= NN__METRIC_SUMS)
        return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           NN__TEXT("reduce to the numbers that are to be added"),
                           NN__TEXT("sums is %s; wanted (K), 1 to %d numbers"),
                           nn__format_shape(sums->shape, shape, sizeof shape), NN__METRIC_SUMS);
}

static NN__UNUSED double nn__op_metric_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node, (void)lowering;
    return 0.0;
}

static const nn__rule nn__rule_metric = {"metric",
                                         NN_KERNEL_NONE,
                                         NN__ALIAS,
                                         NN_ACTIVATION_NONE,
                                         NULL,
                                         NULL,
                                         NN__FLOPS(nn__op_metric_flops),
                                         nn__op_metric_infer,
                                         NULL};

NN_PRIVATE const nn__metric *nn__metric_of(const nn_node *node) {
    return node->kind == NN__OPERATION && node->rule == &nn__rule_metric
               ? (const nn__metric *)node->params
               : NULL;
}

NN_API nn_node *nn_metric_at(nn_site site, nn_model *net, const char *name, nn_node *sums,
                             nn_metric_function function, void *user) {
    static const char *const roles[] = {"sums"};
    nn__metric params;
    memset(&params, 0, sizeof params);
    params.function = function;
    params.user = user;
    return nn__build(site, net, &nn__rule_metric, NULL, name, &sums, roles, 1, &params,
                     sizeof params);
}

NN_PRIVATE nn_node *nn__metric_refuse(nn_site site, nn_model *net, nn_node *y, int thresholds) {
    nn__metric wrong;
    if (thresholds >= 2 && thresholds <= NN__METRIC_SUMS / 2) return NULL;
    memset(&wrong, 0, sizeof wrong);
    wrong.thresholds = thresholds;
    return nn__build(site, net, &nn__rule_metric, NULL, "auroc", &y, NULL, 1, &wrong, sizeof wrong);
}
#undef NN__METRIC_SUMS

#endif /* NN_NO_TRAINING */

typedef int nn__metric_part; /* a part must not be empty under NN_NO_TRAINING */
