/* ops/loss.c - what the losses share, and the losses that are one line of ops/table.txt and a
   reduction. */
#include "ops/loss_private.h"

#include <math.h>

/* ---- checks ---------------------------------------------------------------------------------- */

NN_PRIVATE nn_shape nn__op_loss_number(void) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    return shape;
}

NN_PRIVATE bool nn__want_labels(nn__problem *problem, const char *operation, nn__type x,
                                nn__type y) {
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT], text[NN__SHAPE_TEXT];
    const nn_shape logits = x.shape, label = y.shape;
    nn_shape wanted = nn__op_loss_number();
    if (!nn__want_dtype(problem, operation, "logits", x.dtype, NN_F32) ||
        !nn__want_dtype(problem, operation, "label", y.dtype, NN_I32))
        return false;
    nn__format_shape(logits, text, sizeof text);
    if (logits.rank < 2)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("logits are %s; %s wants (N, C) or (N, C, d...)"), text,
                               operation);
    if (nn__is_symbolic(logits.extent[1]))
        return nn__problem_set(
            problem, NN_ERROR_SHAPE,
            NN__TEXT("the second extent is the number of classes: nn_reshape (batch, time, C) "
                     "to NN_SHAPE(NN_BATCH_TIME, C)"),
            NN__TEXT("extent 1 of logits %s depends on the %s"), text,
            nn__free_words(logits.extent[1]));
    for (int i = 0; i < logits.rank; i++)
        if (i != 1) wanted.extent[wanted.rank++] = logits.extent[i];
    if (nn_same_shape(label, wanted)) return true;
    nn_shape rows = logits; /* the shape if the classes were on the last axis, as many expect */
    rows.extent[--rows.rank] = 0;
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           logits.rank > 2 && nn_same_shape(label, rows)
                               ? NN__TEXT("the classes are axis 1 of logits: nn_permute (N, T, C) "
                                          "to (N, C, T), or nn_reshape both to rows")
                               : NN__TEXT("one class index for each row of logits, not one-hot"),
                           NN__TEXT("label is %s; for logits %s it must be %s"),
                           nn__format_shape(label, have, sizeof have), text,
                           nn__format_shape(wanted, want, sizeof want));
}

NN_PRIVATE void nn__op_loss_infer(nn__inference *inference) {
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = nn__op_loss_number();
}

NN_PRIVATE bool nn__op_weight_check(nn__inference *inference) {
    const int32_t classes = inference->inputs[0].shape.extent[1];
    const nn__type *weight = &inference->inputs[2];
    char have[NN__SHAPE_TEXT];
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[2],
                        weight->dtype, NN_F32))
        return false;
    if (weight->shape.rank == 1 && weight->shape.extent[0] == classes) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("one number for each class"),
                           NN__TEXT("%s is %s; it must be (%d)"), inference->roles[2],
                           nn__format_shape(weight->shape, have, sizeof have), (int)classes);
}

NN_PRIVATE bool nn__op_loss_reduction(nn_reduction reduction, bool batch_mean,
                                      nn__problem *problem) {
    if (reduction == NN_REDUCTION_DEFAULT || reduction == NN_MEAN || reduction == NN_SUM ||
        reduction == NN_REDUCTION_NONE || (batch_mean && reduction == NN_BATCH_MEAN))
        return true;
    return nn__problem_set(
        problem, NN_ERROR_ARGUMENT, NN__TEXT("use NN_MEAN, NN_SUM or NN_REDUCTION_NONE"),
        NN__TEXT("reduction is %d, which this loss does not know"), (int)reduction);
}

NN_PRIVATE bool nn__op_loss_check(const nn__loss_params *params, nn__problem *problem) {
    if (!nn__op_loss_reduction(params->reduction, params->batch_mean, problem)) return false;
    if (!params->field || (params->number >= 0.0f && params->number < INFINITY)) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it 0 for its default"),
                           NN__TEXT("%s is %g; it must be a number that is not negative"),
                           params->field, (double)params->number);
}

/* Warns if the logits are the output of `squash`, which the loss applies itself. */
NN_PRIVATE void nn__op_warn_of(nn_model *net, nn_site site, const char *operation,
                               const nn_node *logits, const char *squash) {
    if (!nn__operation(logits) || strcmp(nn__operation(logits), squash) != 0) return;
    nn__warn(net, site, operation, logits->name,
             "its logits come from %s, which it applies itself; give it what %s was given, or the "
             "gradients are "
             "far smaller than they should be",
             squash, squash);
}

/* ---- losses per element ---------------------------------------------------------------------- */

NN_PRIVATE nn_node *nn__op_loss_reduce(nn_model *net, nn_site site, const char *operation,
                                       const char *const *roles, nn_reduction reduction,
                                       nn_node *each) {
    nn_shape first = nn__op_loss_number();
    uint32_t all = (1u << each->shape.rank) - 1u;
    if (each->poisoned || reduction == NN_REDUCTION_NONE) return each;
    if (reduction == NN_REDUCTION_DEFAULT) reduction = NN_MEAN;
    if (reduction == NN_BATCH_MEAN && each->shape.rank > 1) { /* the mean of the samples' sums */
        first.extent[first.rank++] = each->shape.extent[0];
        each = nn__add_reduce(&net->graph, site, operation, roles, NN_SUM, each, all - 1u, first);
        all = 1u;
    }
    return nn__add_reduce(&net->graph, site, operation, roles,
                          reduction == NN_BATCH_MEAN ? NN_MEAN : reduction, each, all,
                          nn__op_loss_number());
}

NN_PRIVATE bool nn__op_targets_infer(nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const nn__loss_params *params = (const nn__loss_params *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    nn__op_loss_infer(inference);
    if (!nn__op_loss_check(params, problem)) return false;
    for (int i = 0; i < inference->input_count; i++) {
        const nn__type *input = &inference->inputs[i];
        const char *role = inference->roles[i];
        nn_shape y;
        if (!nn__want_dtype(problem, inference->operation, role, input->dtype, NN_F32))
            return false;
        if (nn_same_shape(input->shape, x)) continue;
        nn__format_shape(input->shape, have, sizeof have);
        nn__format_shape(x, want, sizeof want);
        if (i < params->alike)
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("nn_reshape one of them; a loss never broadcasts"),
                                   NN__TEXT("%s is %s, but %s is %s; they must be equal"), role,
                                   have, inference->roles[0], want);
        if (!nn__broadcast_shapes(input->shape, x, &y) || !nn_same_shape(y, x))
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("one number for each class, or the shape of logits"),
                                   NN__TEXT("%s is %s, which does not broadcast to %s %s"), role,
                                   have, inference->roles[0], want);
    }
    return true;
}

/* Checks the operands and adds the line and its reduction. numbers: of the line. */
static nn_node *nn__op_loss_line(nn_site site, nn_model *net, const nn__rule *rule,
                                 const nn__line *line, nn_node *const *inputs,
                                 const char *const *roles, nn__loss_params params,
                                 const float *numbers) {
    nn_node *each;
    params.alike = line->program.input_count;
    each = nn__build(site, net, rule, NULL, NULL, inputs, roles, params.alike, &params, 0);
    if (!each || each->poisoned) return each;
    each = nn__add_line(&net->graph, site, NULL, rule->name, line, inputs, roles, each->shape,
                        numbers);
    return nn__op_loss_reduce(net, site, rule->name, roles, params.reduction, each);
}

NN_PRIVATE nn__loss_params nn__op_loss_params(nn_reduction reduction, int alike, const char *field,
                                              float number) {
    nn__loss_params params;
    memset(&params, 0, sizeof params);
    params.reduction = reduction;
    params.alike = alike;
    params.field = field;
    params.number = number;
    return params;
}

static const char *const nn__op_loss_roles[] = {"y", "target"};

NN_API nn_node *nn_mse_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               const nn_mse_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("mse_loss", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    return nn__op_loss_line(
        site, net, &rule, nn__table_squared_difference(), inputs, nn__op_loss_roles,
        nn__op_loss_params(desc ? desc->reduction : NN_REDUCTION_DEFAULT, 2, NULL, 0.0f), NULL);
}

NN_API nn_node *nn_l1_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                              const nn_l1_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("l1_loss", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    return nn__op_loss_line(
        site, net, &rule, nn__table_l1(), inputs, nn__op_loss_roles,
        nn__op_loss_params(desc ? desc->reduction : NN_REDUCTION_DEFAULT, 2, NULL, 0.0f), NULL);
}

NN_API nn_node *nn_soft_margin_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                       const nn_soft_margin_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("soft_margin_loss", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    return nn__op_loss_line(
        site, net, &rule, nn__table_soft_margin(), inputs, nn__op_loss_roles,
        nn__op_loss_params(desc ? desc->reduction : NN_REDUCTION_DEFAULT, 2, NULL, 0.0f), NULL);
}

NN_API nn_node *nn_smooth_l1_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                     const nn_smooth_l1_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("smooth_l1_loss", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    const float beta = nn__or_default(desc ? desc->beta : 0.0f, 1.0f);
    return nn__op_loss_line(site, net, &rule, nn__table_smooth_l1(), inputs, nn__op_loss_roles,
                            nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, "beta", beta),
                            &beta);
}

NN_API nn_node *nn_huber_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                 const nn_huber_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("huber_loss", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    const float delta = desc && desc->delta != 0.0f ? desc->delta : 1.0f;
    return nn__op_loss_line(site, net, &rule, nn__table_huber(), inputs, nn__op_loss_roles,
                            nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, "delta", delta),
                            &delta);
}

NN_API nn_node *nn_kl_div_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                             const nn_kl_div_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("kl_div", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    nn__loss_params params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, NULL, 0.0f);
    params.batch_mean = true;
    return nn__op_loss_line(site, net, &rule,
                            desc && desc->log_target ? nn__table_kl_div_log() : nn__table_kl_div(),
                            inputs, nn__op_loss_roles, params, NULL);
}

NN_API nn_node *nn_hinge_embedding_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                           const nn_hinge_embedding_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_RULE("hinge_embedding_loss", nn__op_targets_infer);
    nn_node *inputs[2] = {y, target};
    const float margin = nn__or_default(desc ? desc->margin : 0.0f, 1.0f);
    return nn__op_loss_line(
        site, net, &rule, nn__table_hinge_embedding(), inputs, nn__op_loss_roles,
        nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, NULL, 0.0f), &margin);
}

NN_API nn_node *nn_margin_ranking_loss_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                          nn_node *target, const nn_margin_ranking_desc *desc) {
    static const char *const roles[] = {"a", "b", "target"};
    static const nn__rule rule = NN__COMPOSED_RULE("margin_ranking_loss", nn__op_targets_infer);
    nn_node *inputs[3] = {a, b, target};
    const float margin = desc ? desc->margin : 0.0f;
    return nn__op_loss_line(site, net, &rule, nn__table_margin_ranking(), inputs, roles,
                            nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, NULL, 0.0f),
                            &margin);
}
