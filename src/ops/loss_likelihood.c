/* ops/loss_likelihood.c - negative log likelihoods per element: binary cross entropies, Poisson,
   Gauss. Two of them define their gradients by hand. */
#include "ops/loss_private.h"

/* ---- binary cross entropies ------------------------------------------------------------------ */

#ifndef NN_NO_TRAINING
/* Computes PyTorch's gradient, which stays finite where the logarithm is clamped. */
static void nn__op_bce_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *y = node->inputs[0], *target = node->inputs[1], *inputs[3] = {y, target, dy},
            *behind[2] = {y, dy};
    if (nn__wants(y))
        nn__give_gradient(tape, y, nn__tape_line(tape, nn__table_bce_slope(), inputs, y->shape, y));
    if (nn__wants(target))
        nn__give_gradient(
            tape, target,
            nn__tape_line(tape, nn__table_bce_target_slope(), behind, y->shape, target));
}
#endif

static const nn__rule nn__rule_bce_each = {
    "bce_loss",           NN_KERNEL_POINTWISE,  NN__IN_PLACE | NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,   nn__op_program_lower, NN__GRADIENT(nn__op_bce_gradient),
    nn__op_program_flops, nn__op_program_infer, NULL};
static const nn__rule nn__rule_bce_loss = NN__COMPOSED_RULE("bce_loss", nn__op_targets_infer);
static const nn__rule nn__rule_bce_with_logits =
    NN__COMPOSED_RULE("bce_with_logits", nn__op_targets_infer);

/* Checks y, target and the optional weights. roles: the names of all four. */
static nn_node *nn__op_bce_check(nn_model *net, nn_site site, const nn__rule *rule, nn_node *y,
                                 nn_node *target, const nn_bce_desc *desc,
                                 const char *const *roles) {
    nn_node *inputs[4] = {y, target, NULL, NULL};
    const char *given[4] = {roles[0], roles[1], NULL, NULL};
    nn__loss_params params;
    int count = 2;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, NULL, 0.0f);
    if (desc && desc->weight) {
        given[count] = roles[2];
        inputs[count++] = desc->weight;
    }
    if (desc && desc->pos_weight) {
        given[count] = roles[3];
        inputs[count++] = desc->pos_weight;
    }
    return nn__build(site, net, rule, NULL, NULL, inputs, given, count, &params, 0);
}

static nn_node *nn__op_bce_weigh(nn_model *net, nn_site site, const char *operation,
                                 const char *const *roles, nn_node *each, const nn_bce_desc *desc) {
    if (desc && desc->weight)
        each = nn__add_binary(&net->graph, site, operation, operation, roles, nn__table_multiply(),
                              each, desc->weight);
    return nn__op_loss_reduce(net, site, operation, roles, desc ? desc->reduction : NN_MEAN, each);
}

NN_API nn_node *nn_bce_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                               const nn_bce_desc *desc) {
    static const char *const roles[] = {"y", "target", "weight", "pos_weight"}, *const y_and_w[] = {
                                                                                    "y", "weight"};
    const nn__rule *rule = &nn__rule_bce_loss;
    nn_node *inputs[2] = {y, target};
    nn__problem problem;
    memset(&problem, 0, sizeof problem);
    if (net && desc && desc->pos_weight) {
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("nn_bce_with_logits takes it"),
                        NN__TEXT("pos_weight is given, which weights logits"));
        return nn__poison_problem(net, site, rule->name, NULL, inputs, roles, 0, &problem);
    }
    y = nn__op_bce_check(net, site, rule, y, target, desc, roles);
    if (!y || y->poisoned) return y;
    y = nn__add_line(&net->graph, site, &nn__rule_bce_each, rule->name, nn__table_bce(), inputs,
                     roles, y->shape, NULL);
    return nn__op_bce_weigh(net, site, rule->name, y_and_w, y, desc);
}

/* (1 - t) x + (1 + (p - 1) t) softplus(-x). This form never overflows and keeps its digits where
   the loss is small. */
static nn_node *nn__op_bce_build(nn_model *net, nn_site site, nn_node *x, nn_node *t,
                                 nn_node *positive, const nn_bce_desc *desc) {
    static const char *const x_only[] = {"logits"}, *const t_only[] = {"target"},
                             *const t_and_x[] = {"target", "logits"};
    static const char *const x_and_p[] = {"logits", "pos_weight"}, *const x_and_w[] = {"logits",
                                                                                       "weight"};
    static const char *const x_and_x[] = {"logits", "logits"}, *const x_and_t[] = {"logits",
                                                                                   "target"};
    const char *operation = "bce_with_logits", *each = operation;
    nn__graph *graph = &net->graph;
    nn_node *first, *second, *extra;
    first = nn__add_unary(graph, site, operation, each, t_only, nn__table_negate(), t, 0.0f);
    first = nn__add_unary(graph, site, operation, each, t_only, nn__table_offset(), first, 1.0f);
    first = nn__add_binary(graph, site, operation, each, t_and_x, nn__table_multiply(), first, x);
    second = nn__add_unary(graph, site, operation, each, x_only, nn__table_negate(), x, 0.0f);
    second =
        nn__add_unary(graph, site, operation, x->name, x_only, nn__table_softplus(), second, 0.0f);
    /* s + (p - 1) t s = s + (p s - s) t. In this order p meets the logits, so a fault about its
       device shows both; that is why softplus(-x) has the name of x. */
    if (positive) {
        extra = nn__add_binary(graph, site, operation, each, x_and_p, nn__table_multiply(), second,
                               positive);
        extra = nn__add_binary(graph, site, operation, each, x_and_x, nn__table_subtract(), extra,
                               second);
        extra =
            nn__add_binary(graph, site, operation, each, x_and_t, nn__table_multiply(), extra, t);
        second =
            nn__add_binary(graph, site, operation, each, x_and_x, nn__table_add(), extra, second);
    }
    first = nn__add_binary(graph, site, operation, each, x_and_x, nn__table_add(), first, second);
    return nn__op_bce_weigh(net, site, operation, x_and_w, first, desc);
}

NN_API nn_node *nn_bce_with_logits_at(nn_site site, nn_model *net, nn_node *logits, nn_node *target,
                                      const nn_bce_desc *desc) {
    static const char *const roles[] = {"logits", "target", "weight", "pos_weight"};
    const nn__rule *rule = &nn__rule_bce_with_logits;
    logits = nn__op_bce_check(net, site, rule, logits, target, desc, roles);
    if (!logits || logits->poisoned) return logits;
    nn__op_warn_of(net, site, rule->name, logits, "sigmoid");
    return nn__op_bce_build(net, site, logits, target, desc ? desc->pos_weight : NULL, desc);
}

/* ---- Poisson --------------------------------------------------------------------------------- */

static const nn__rule nn__rule_poisson_nll_loss =
    NN__COMPOSED_RULE("poisson_nll_loss", nn__op_targets_infer);

NN_API nn_node *nn_poisson_nll_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                       const nn_poisson_nll_desc *desc) {
    static const char *const roles[] = {"y", "target"}, *const target_role[] = {"target"};
    const char *name = nn__rule_poisson_nll_loss.name;
    const float epsilon = nn__or_default(desc ? desc->epsilon : 0.0f, 1e-8f);
    nn_node *inputs[2] = {y, target};
    nn__loss_params params;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, "epsilon", epsilon);
    y = nn__build(site, net, &nn__rule_poisson_nll_loss, NULL, NULL, inputs, roles, 2, &params, 0);
    if (!y || y->poisoned) return y;
    y = nn__add_line(&net->graph, site, NULL, name,
                     desc && desc->no_log_input ? nn__table_poisson_nll_rate()
                                                : nn__table_poisson_nll(),
                     inputs, roles, y->shape, &epsilon);
    if (desc && desc->full) {
        target = nn__add_line(&net->graph, site, NULL, name, nn__table_stirling(), &target,
                              target_role, target->shape, NULL);
        y = nn__add_binary(&net->graph, site, name, name, roles, nn__table_add(), y, target);
    }
    return nn__op_loss_reduce(net, site, name, roles, params.reduction, y);
}

/* ---- Gauss ----------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* As in PyTorch, clamping the variance does not change the gradient. */
static void nn__op_variance_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__give_gradient(tape, node->inputs[0], dy);
}
#endif

static const nn__rule nn__rule_variance = {
    "gaussian_nll_loss",  NN_KERNEL_POINTWISE,  NN__IN_PLACE | NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,   nn__op_program_lower, NN__GRADIENT(nn__op_variance_gradient),
    nn__op_program_flops, nn__op_program_infer, NULL};

/* The variance has the shape of y, except that its last extent may be 1 or missing. */
static bool nn__op_gaussian_infer(nn__inference *inference) {
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    const nn_shape y = inference->inputs[0].shape, v = inference->inputs[2].shape;
    bool alike = v.rank == y.rank || v.rank + 1 == y.rank;
    inference->input_count = 2;
    if (!nn__op_targets_infer(inference)) return false;
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[2],
                        inference->inputs[2].dtype, NN_F32))
        return false;
    for (int i = 0; i + 1 < y.rank && alike; i++) alike = v.extent[i] == y.extent[i];
    if (alike && v.rank == y.rank && v.rank > 0)
        alike = v.extent[v.rank - 1] == y.extent[y.rank - 1] || v.extent[v.rank - 1] == 1;
    if (alike) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("one variance for each element, or one for each row of them"),
                           NN__TEXT("variance is %s; y is %s, so it must have that shape, 1 in the "
                                    "place of its last extent, or all extents but the last"),
                           nn__format_shape(v, have, sizeof have),
                           nn__format_shape(y, want, sizeof want));
}

static const nn__rule nn__rule_gaussian_nll_loss =
    NN__COMPOSED_RULE("gaussian_nll_loss", nn__op_gaussian_infer);

NN_API nn_node *nn_gaussian_nll_loss_at(nn_site site, nn_model *net, nn_node *y, nn_node *target,
                                        nn_node *variance, const nn_gaussian_nll_desc *desc) {
    static const char *const roles[] = {"y", "target", "variance"}, *const v_role[] = {"variance"};
    const char *name = nn__rule_gaussian_nll_loss.name;
    const float epsilon = nn__or_default(desc ? desc->epsilon : 0.0f, 1e-6f);
    nn_node *inputs[3] = {y, target, variance};
    nn__loss_params params;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, "epsilon", epsilon);
    y = nn__build(site, net, &nn__rule_gaussian_nll_loss, NULL, NULL, inputs, roles, 3, &params, 0);
    if (!y || y->poisoned) return y;
    if (variance->shape.rank < y->shape.rank) {
        nn_shape rows = variance->shape;
        rows.extent[rows.rank++] = 1;
        variance = nn_reshape_at(site, net, variance, rows);
    }
    inputs[2] = nn__add_line(&net->graph, site, &nn__rule_variance, name, nn__table_variance(),
                             &variance, v_role, variance->shape, &epsilon);
    y = nn__add_line(&net->graph, site, NULL, name, nn__table_gaussian_nll(), inputs, roles,
                     y->shape, NULL);
    if (desc && desc->full) /* log(2 pi) / 2 */
        y = nn__add_unary(&net->graph, site, name, name, roles, nn__table_offset(), y,
                          0.918938533204672742f);
    return nn__op_loss_reduce(net, site, name, roles, params.reduction, y);
}
