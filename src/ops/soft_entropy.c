/* ops/soft_entropy.c - composed losses over classes: cross entropy with probabilities as
   targets, and the multi-class margin. */
#include "ops/loss_private.h"
#include "ops/index.h"
#include "ops/table.h"

/* ---- probabilities as targets ---------------------------------------------------------------- */

/* Inputs: logits, target, weight (optional). params: nn_cross_entropy_desc. */
static bool nn__op_soft_entropy_infer(nn__inference *inference) {
    const nn_cross_entropy_desc *desc = (const nn_cross_entropy_desc *)inference->params;
    nn__problem *problem = inference->problem;
    const nn_shape x = inference->inputs[0].shape;
    nn__loss_params params;
    char text[NN__SHAPE_TEXT];
    params = nn__op_loss_params(desc->reduction, 2, "label_smoothing", desc->label_smoothing);
    if (x.rank < 2 || nn__is_symbolic(x.extent[1]))
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("logits are %s; %s wants (N, C) or (N, C, d...) with a "
                                        "number of classes"),
                               nn__format_shape(x, text, sizeof text), inference->operation);
    if (desc->ignore)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give the rows to leave out a target of zeros"),
                               NN__TEXT("ignore is for labels; the target is probabilities"));
    if (inference->input_count > 2 && !nn__op_weight_check(inference)) return false;
    inference->input_count = 2;
    inference->params = &params;
    if (!nn__op_targets_infer(inference)) return false;
    if (params.number <= 1.0f) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("0 for none"),
                           NN__TEXT("label_smoothing is %g; it must be in [0, 1]"),
                           (double)params.number);
}

static const nn__rule nn__rule_soft_entropy =
    NN__COMPOSED_RULE("cross_entropy", nn__op_soft_entropy_infer);

/* Describes log_softmax over axis 1. The maximum is subtracted first, so that no digits are
   lost. */
static nn_node *nn__op_class_logs(nn_site site, nn_model *net, nn_node *x) {
    nn_axes classes;
    if (x->shape.rank == 2) return nn_log_softmax_at(site, net, x);
    memset(&classes, 0, sizeof classes);
    classes.count = 1;
    classes.axis[0] = 1;
    nn_node *most = nn_detach_at(site, net, nn_reduce_at(site, net, NN_MAX, x, classes, true));
    x = nn_subtract_at(site, net, x, most);
    return nn_subtract_at(site, net, x, nn_reduce_at(site, net, NN_LOGSUMEXP, x, classes, true));
}

static nn_shape nn__op_without_classes(nn_shape x) {
    for (int i = 2; i < x.rank; i++) x.extent[i - 1] = x.extent[i];
    x.extent[--x.rank] = 0;
    return x;
}

NN_PRIVATE nn_node *nn__op_soft_entropy(nn_site site, nn_model *net, nn_node *logits,
                                        nn_node *target, const nn_cross_entropy_desc *desc) {
    static const char *const roles[] = {"logits", "target", "weight"}, *const weighed[] = {
                                                                           "logits", "weight"};
    const nn__rule *rule = &nn__rule_soft_entropy;
    nn_cross_entropy_desc given;
    nn_node *inputs[3] = {logits, target, desc ? desc->weight : NULL}, *each, *weight = inputs[2];
    float numbers[2];
    memset(&given, 0, sizeof given);
    if (desc) given = *desc;
    each = nn__build(site, net, rule, NULL, NULL, inputs, roles, weight ? 3 : 2, &given, 0);
    if (!each || each->poisoned) return each;
    nn__op_warn_of(net, site, rule->name, logits, "softmax");
    nn__op_warn_of(net, site, rule->name, logits, "log_softmax");
    numbers[0] = 1.0f - given.label_smoothing;
    numbers[1] = given.label_smoothing / (float)logits->shape.extent[1];
    inputs[0] = nn__op_class_logs(site, net, logits);
    each = nn__add_line(&net->graph, site, NULL, rule->name, nn__table_soft_entropy(), inputs,
                        roles, logits->shape, numbers);
    if (weight && logits->shape.rank > 2) {
        nn_shape along = weight->shape;
        while (along.rank < logits->shape.rank - 1) along.extent[along.rank++] = 1;
        weight = nn_reshape_at(site, net, weight, along);
    }
    if (weight)
        each = nn__add_binary(&net->graph, site, rule->name, rule->name, weighed,
                              nn__table_multiply(), each, weight);
    each = nn__add_reduce(&net->graph, site, rule->name, roles, NN_SUM, each, 2u,
                          nn__op_without_classes(logits->shape));
    return nn__op_loss_reduce(net, site, rule->name, roles, given.reduction, each);
}

/* ---- multi-class margin ---------------------------------------------------------------------- */

/* Inputs: y, label, weight (optional). params: nn__loss_params, where `second` is p. */
static bool nn__op_multi_margin_infer(nn__inference *inference) {
    const nn__loss_params *params = (const nn__loss_params *)inference->params;
    char text[NN__SHAPE_TEXT];
    nn__op_loss_infer(inference);
    if (!nn__op_loss_check(params, inference->problem)) return false;
    if (params->second != 1.0f && params->second != 2.0f)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT, NN__TEXT("give 1 or 2"),
                               NN__TEXT("p is %g"), (double)params->second);
    if (!nn__want_labels(inference->problem, inference->operation, inference->inputs[0],
                         inference->inputs[1]))
        return false;
    if (inference->inputs[0].shape.rank != 2)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("y is %s, not (N, C)"),
                               nn__format_shape(inference->inputs[0].shape, text, sizeof text));
    return inference->input_count < 3 || nn__op_weight_check(inference);
}

/* Sums the margins over all classes including the label's own. That one is the same for all
   rows, so it is subtracted from the sum. */
NN_API nn_node *nn_multi_margin_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *label,
                                        const nn_multi_margin_desc *desc) {
    static const char *const roles[] = {"y", "label", "weight"};
    static const nn__rule rule = NN__COMPOSED_RULE("multi_margin_loss", nn__op_multi_margin_infer);
    nn_node *inputs[3] = {y, label, desc ? desc->weight : NULL}, *each;
    nn__loss_params params;
    nn_nll_desc none;
    nn_shape rows;
    float numbers[2], own;
    numbers[0] = nn__or_default(desc ? desc->margin : 0.0f, 1.0f);
    numbers[1] = desc && desc->p ? (float)desc->p : 1.0f;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 0, NULL, 0.0f);
    params.second = numbers[1];
    each = nn__build(site, net, &rule, NULL, NULL, inputs, roles, inputs[2] ? 3 : 2, &params, 0);
    if (!each || each->poisoned) return each;
    memset(&none, 0, sizeof none);
    none.reduction = NN_REDUCTION_NONE;
    rows = label->shape;
    rows.extent[rows.rank++] = 1;
    inputs[1] = nn_reshape_at(site, net, nn_nll_loss_at(site, net, y, label, &none), rows);
    each = nn__add_line(&net->graph, site, NULL, rule.name, nn__table_multi_margin(), inputs, roles,
                        y->shape, numbers);
    each = nn__add_reduce(&net->graph, site, rule.name, roles, NN_SUM, each, 2u, label->shape);
    own = numbers[0] > 0.0f ? (numbers[1] == 2.0f ? numbers[0] * numbers[0] : numbers[0]) : 0.0f;
    each = nn__add_unary(&net->graph, site, rule.name, rule.name, roles, nn__table_offset(), each,
                         -own);
    each = nn__add_unary(&net->graph, site, rule.name, rule.name, roles, nn__table_scale(), each,
                         1.0f / (float)y->shape.extent[1]);
    if (inputs[2])
        each = nn__add_binary(&net->graph, site, rule.name, rule.name, roles, nn__table_multiply(),
                              each, nn_index_select_at(site, net, inputs[2], 0, label));
    return nn__op_loss_reduce(net, site, rule.name, roles, params.reduction, each);
}
