/* ops/loss.c - what losses share, and those that are composed of pointwise nodes: the binary cross
   entropy and the mean squared error. */
#include "ops/loss_private.h"

/* ---- checks ---------------------------------------------------------------------------------- */

NN_PRIVATE nn_shape nn__op_loss_number(void) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    return shape;
}

/* logits (N, C, d...) and label (N, d...), i32 */
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
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape makes it so"),
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
    return nn__problem_set(problem, NN_ERROR_SHAPE,
                           NN__TEXT("one class index for each row of logits, no one-hot"),
                           NN__TEXT("label is %s; beside logits %s it must be %s"),
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

NN_PRIVATE bool nn__op_loss_reduction(nn_reduction reduction, nn__problem *problem) {
    if (reduction == NN_REDUCTION_DEFAULT || reduction == NN_MEAN || reduction == NN_SUM)
        return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use NN_MEAN or NN_SUM"),
                           NN__TEXT("reduction is %d, which a loss does not know"),
                           (int)reduction);
}

/* The loss takes logits; `squash` is what a user may have put before it from habit. */
NN_PRIVATE void nn__op_warn_of(nn_model *net, nn_site site, const char *operation,
                               const nn_node *logits, const char *squash) {
    if (!nn__operation(logits) || strcmp(nn__operation(logits), squash) != 0) return;
    nn__warn(net, site, operation, logits->name,
             "its logits come from %s, which it applies itself; give it what %s was given, or the "
             "gradients are "
             "far smaller than they should be",
             squash, squash);
}

/* ---- losses composed of pointwise nodes ------------------------------------------------------ */

static nn_node *nn__op_loss_reduce(nn_model *net, nn_site site, const char *operation,
                                   const char *const *roles, nn_reduction reduction,
                                   nn_node *each) {
    uint32_t all = (1u << each->shape.rank) - 1u;
    if (reduction == NN_REDUCTION_DEFAULT) reduction = NN_MEAN;
    return nn__add_reduce(&net->graph, site, operation, roles, reduction, each, all,
                          nn__op_loss_number());
}

/* params: the nn_reduction. Inputs 0 and 1: f32, one shape; those behind broadcast to it. */
static bool nn__op_targets_infer(nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const nn_shape x = inference->inputs[0].shape;
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    nn__op_loss_infer(inference);
    if (!nn__op_loss_reduction(*(const nn_reduction *)inference->params, problem)) return false;
    for (int i = 0; i < inference->input_count; i++) {
        const nn__type *input = &inference->inputs[i];
        const char *role = inference->roles[i];
        nn_shape y;
        if (!nn__want_dtype(problem, inference->operation, role, input->dtype, NN_F32))
            return false;
        if (nn_same_shape(input->shape, x)) continue;
        nn__format_shape(input->shape, have, sizeof have);
        nn__format_shape(x, want, sizeof want);
        if (i < 2)
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

static const nn__rule nn__rule_bce_with_logits =
    NN__COMPOSED_RULE("bce_with_logits", nn__op_targets_infer);
static const nn__rule nn__rule_mse_loss = NN__COMPOSED_RULE("mse_loss", nn__op_targets_infer);

/* (1 - t) x + (1 + (p - 1) t) softplus(-x), which overflows nowhere and loses no digits where the
   loss is small. */
static nn_node *nn__op_bce_build(nn_model *net, nn_site site, nn_node *x, nn_node *t,
                                 nn_node *weight, nn_node *positive, nn_reduction reduction) {
    static const char *const x_only[] = {"logits"}, *const t_only[] = {"target"},
                             *const t_and_x[] = {"target", "logits"};
    static const char *const x_and_p[] = {"logits", "pos_weight"}, *const x_and_w[] = {"logits",
                                                                                       "weight"};
    static const char *const x_and_x[] = {"logits", "logits"}, *const x_and_t[] = {"logits",
                                                                                   "target"};
    const char *operation = "bce_with_logits", *each = operation;
    nn__graph *graph = &net->graph;
    nn_node *first, *second, *extra;
    first = nn__add_unary(graph, site, operation, each, t_only, NN_NEGATE, t, 0.0f);
    first = nn__add_unary(graph, site, operation, each, t_only, NN_OFFSET, first, 1.0f);
    first = nn__add_binary(graph, site, operation, each, t_and_x, NN_MULTIPLY, first, x);
    second = nn__add_unary(graph, site, operation, each, x_only, NN_NEGATE, x, 0.0f);
    second = nn__add_unary(graph, site, operation, x->name, x_only, NN_SOFTPLUS, second, 0.0f);
    if (positive) { /* s + (p - 1) t s = s + (p s - s) t: p meets the logits, and a fault of its
                       device shows both, which is why softplus(-x) bears the name of x */
        extra =
            nn__add_binary(graph, site, operation, each, x_and_p, NN_MULTIPLY, second, positive);
        extra = nn__add_binary(graph, site, operation, each, x_and_x, NN_SUBTRACT, extra, second);
        extra = nn__add_binary(graph, site, operation, each, x_and_t, NN_MULTIPLY, extra, t);
        second = nn__add_binary(graph, site, operation, each, x_and_x, NN_ADD, extra, second);
    }
    first = nn__add_binary(graph, site, operation, each, x_and_x, NN_ADD, first, second);
    if (weight)
        first = nn__add_binary(graph, site, operation, each, x_and_w, NN_MULTIPLY, first, weight);
    return nn__op_loss_reduce(net, site, operation, x_only, reduction, first);
}

NN_API nn_node *nn_bce_with_logits_at(nn_site site, nn_model *net, nn_node *logits, nn_node *target,
                                      const nn_bce_desc *desc) {
    const char *roles[4] = {"logits", "target", NULL, NULL};
    const nn__rule *rule = &nn__rule_bce_with_logits;
    nn_node *inputs[4], *weight = desc ? desc->weight : NULL,
                        *positive = desc ? desc->pos_weight : NULL;
    nn_reduction reduction = desc ? desc->reduction : NN_MEAN;
    int count = 2;
    inputs[0] = logits;
    inputs[1] = target;
    if (weight) {
        roles[count] = "weight";
        inputs[count++] = weight;
    }
    if (positive) {
        roles[count] = "pos_weight";
        inputs[count++] = positive;
    }
    logits = nn__build(site, net, rule, NULL, NULL, inputs, roles, count, &reduction, 0);
    if (!logits || logits->poisoned) return logits;
    nn__op_warn_of(net, site, rule->name, logits, "sigmoid");
    return nn__op_bce_build(net, site, logits, target, weight, positive, reduction);
}

NN_API nn_node *nn_mse_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               nn_reduction reduction) {
    static const char *const roles[] = {"y", "target"};
    const char *operation = nn__rule_mse_loss.name;
    nn_node *inputs[2], *each;
    inputs[0] = y;
    inputs[1] = target;
    y = nn__build(site, net, &nn__rule_mse_loss, NULL, NULL, inputs, roles, 2, &reduction, 0);
    if (!y || y->poisoned) return y;
    each = nn__add_binary(&net->graph, site, operation, operation, roles, NN_SUBTRACT, y, target);
    each = nn__add_unary(&net->graph, site, operation, operation, roles, NN_SQUARE, each, 0.0f);
    return nn__op_loss_reduce(net, site, operation, roles, reduction, each);
}
