/* ops/loss_pairs.c - losses over rows: elements are summed over the last axis, or over the
   classes, before the loss is computed. */
#include "ops/distance.h"
#include "ops/loss_pairs.h"
#include "ops/loss_private.h"
#include "ops/more_private.h"

#include <math.h>

static nn_shape nn__op_rows(nn_shape x) {
    x.rank--;
    x.extent[x.rank] = 0;
    return x;
}

static uint32_t nn__op_last_axis(const nn_node *x) { return 1u << (x->shape.rank - 1); }

static nn_node *nn__op_row_sum(nn_model *net, nn_site site, const char *operation,
                               const char *const *roles, nn_reduction reduction, nn_node *x) {
    return nn__add_reduce(&net->graph, site, operation, roles, reduction, x, nn__op_last_axis(x),
                          nn__op_rows(x->shape));
}

/* params: nn__loss_params. The first `alike` inputs have one shape with at least one axis; the
   others have that shape without its last axis. */
static bool nn__op_rows_infer(nn__inference *inference) {
    const int count = inference->input_count,
              alike = ((const nn__loss_params *)inference->params)->alike;
    const nn__type *inputs = inference->inputs;
    char have[NN__SHAPE_TEXT];
    inference->input_count = alike;
    if (!nn__op_targets_infer(inference)) return false;
    inference->input_count = count;
    if (inputs[0].shape.rank == 0)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("give rows: (N, D), or one row: (D)"),
                               NN__TEXT("%s is one number"), inference->roles[0]);
    for (int i = alike; i < count; i++) {
        const char *role = inference->roles[i];
        if (!nn__want_dtype(inference->problem, inference->operation, role, inputs[i].dtype,
                            NN_F32))
            return false;
        if (!nn_same_shape(inputs[i].shape, nn__op_rows(inputs[0].shape)))
            return nn__problem_set(
                inference->problem, NN_ERROR_SHAPE, NN__TEXT("one number for each row"),
                NN__TEXT("%s is %s; it must be the shape of %s without its last extent"), role,
                nn__format_shape(inputs[i].shape, have, sizeof have), inference->roles[0]);
    }
    return true;
}

/* ---- many labels ----------------------------------------------------------------------------- */

NN_API nn_node *nn_multilabel_soft_margin_loss_at(nn_site site, nn_model *net, nn_node *logits,
                                                  nn_node *target,
                                                  const nn_multilabel_soft_margin_desc *desc) {
    static const char *const roles[] = {"logits", "target", "weight"};
    static const char *const weighed[] = {"logits", "weight"};
    static const nn__rule rule = NN__COMPOSED_RULE("multilabel_soft_margin", nn__op_targets_infer);
    nn_node *inputs[3] = {logits, target, desc ? desc->weight : NULL}, *each;
    nn__loss_params params;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, NULL, 0.0f);
    each = nn__build(site, net, &rule, NULL, NULL, inputs, roles, inputs[2] ? 3 : 2, &params, 0);
    if (!each || each->poisoned) return each;
    each = nn__add_line(&net->graph, site, NULL, rule.name, nn__table_soft_margins(), inputs, roles,
                        each->shape, NULL);
    if (inputs[2])
        each = nn__add_binary(&net->graph, site, rule.name, rule.name, weighed,
                              nn__table_multiply(), each, inputs[2]);
    if (!each->poisoned && each->shape.rank > 0)
        each = nn__op_row_sum(net, site, rule.name, roles, NN_MEAN, each);
    return nn__op_loss_reduce(net, site, rule.name, roles, params.reduction, each);
}

/* ---- cosine ---------------------------------------------------------------------------------- */

NN_API nn_node *nn_cosine_embedding_loss_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                            nn_node *target, const nn_cosine_embedding_desc *desc) {
    static const char *const roles[] = {"a", "b", "target"}, *const b_role[] = {"b"};
    static const char *const line_roles[] = {"a", "a", "b", "target"};
    static const nn__rule rule = NN__COMPOSED_RULE("cosine_embedding_loss", nn__op_rows_infer);
    const float margin = desc ? desc->margin : 0.0f;
    nn__graph *graph = net ? &net->graph : NULL;
    nn_node *inputs[3] = {a, b, target}, *parts[4], *each;
    nn__loss_params params;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 2, NULL, 0.0f);
    each = nn__build(site, net, &rule, NULL, NULL, inputs, roles, 3, &params, 0);
    if (!each || each->poisoned) return each;
    parts[0] = nn__add_binary(graph, site, rule.name, rule.name, roles, nn__table_multiply(), a, b);
    parts[1] = nn__add_unary(graph, site, rule.name, rule.name, roles, nn__table_square(), a, 0.0f);
    parts[2] =
        nn__add_unary(graph, site, rule.name, rule.name, b_role, nn__table_square(), b, 0.0f);
    for (int i = 0; i < 3; i++) {
        if (parts[i]->poisoned) return parts[i];
        parts[i] = nn__op_row_sum(net, site, rule.name, roles, NN_SUM, parts[i]);
    }
    parts[3] = target;
    each = nn__add_line(graph, site, NULL, rule.name, nn__table_cosine_embedding(), parts,
                        line_roles, target->shape, &margin);
    return nn__op_loss_reduce(net, site, rule.name, roles, params.reduction, each);
}

/* ---- triplets -------------------------------------------------------------------------------- */

/* Checks p, then the rows. */
static bool nn__op_triplet_infer(nn__inference *inference) {
    const nn__loss_params *params = (const nn__loss_params *)inference->params;
    if (!(params->second > 0.0f))
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("leave it 0 for its default"),
                               NN__TEXT("p is %g; it must be positive"), (double)params->second);
    return nn__op_rows_infer(inference);
}

NN_API nn_node *nn_triplet_margin_loss_at(nn_site site, nn_model *net, nn_node *anchor,
                                          nn_node *positive, nn_node *negative,
                                          const nn_triplet_margin_desc *desc) {
    static const char *const roles[] = {"anchor", "positive", "negative"};
    static const char *const swapped[] = {"positive", "negative"}, *const far_roles[] = {
                                                                       "anchor", "negative"};
    static const nn__rule rule = NN__COMPOSED_RULE("triplet_margin_loss", nn__op_triplet_infer);
    const float margin = desc && desc->margin != 0.0f ? desc->margin : 1.0f,
                p = desc && desc->p != 0.0f ? desc->p : 2.0f,
                epsilon = nn__or_default(desc ? desc->epsilon : 0.0f, 1e-6f);
    nn_node *inputs[3] = {anchor, positive, negative}, *parts[2], *other;
    nn__loss_params params;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 3, "margin", margin);
    params.second = p;
    other = nn__build(site, net, &rule, NULL, NULL, inputs, roles, 3, &params, 0);
    if (!other || other->poisoned) return other;
    parts[0] = nn__op_distance(net, site, rule.name, roles, anchor, positive, p, epsilon);
    parts[1] = nn__op_distance(net, site, rule.name, far_roles, anchor, negative, p, epsilon);
    if (desc && desc->swap) {
        other = nn__op_distance(net, site, rule.name, swapped, positive, negative, p, epsilon);
        parts[1] = nn__add_binary(&net->graph, site, rule.name, rule.name, far_roles,
                                  nn__table_minimum(), parts[1], other);
    }
    other = nn__add_line(&net->graph, site, NULL, rule.name, nn__table_triplet_margin(), parts,
                         roles, parts[0]->shape, &margin);
    return nn__op_loss_reduce(net, site, rule.name, roles, params.reduction, other);
}

/* Checks that the distances (to the positive, to the negative, between these two) have one
   shape. */
static bool nn__op_triplet_distances_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    nn__op_loss_infer(inference);
    for (int i = 0; i < inference->input_count; i++) {
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32))
            return false;
        if (!nn_same_shape(inference->inputs[i].shape, x))
            return nn__problem_set(
                inference->problem, NN_ERROR_SHAPE,
                NN__TEXT("one distance for each sample, whatever is compared"),
                NN__TEXT("distance_function gave %s, and %s for another pair"),
                nn__format_shape(x, want, sizeof want),
                nn__format_shape(inference->inputs[i].shape, have, sizeof have));
    }
    return true;
}

/* Checks only the numbers of the loss. The user's distance function may accept any shapes. */
static bool nn__op_triplet_numbers_infer(nn__inference *inference) {
    nn__op_loss_infer(inference);
    return nn__op_loss_check((const nn__loss_params *)inference->params, inference->problem);
}

NN_API nn_node *
nn_triplet_margin_with_distance_loss_at(nn_site site, nn_model *net, nn_node *anchor,
                                        nn_node *positive, nn_node *negative,
                                        const nn_triplet_margin_with_distance_desc *desc) {
    static const char *const roles[] = {"anchor", "positive", "negative"};
    static const char *const far_roles[] = {"distance", "distance", "distance"};
    static const nn__rule rule =
        NN__COMPOSED_RULE("triplet_with_distance", nn__op_triplet_numbers_infer);
    static const nn__rule distances =
        NN__COMPOSED_RULE("triplet_with_distance", nn__op_triplet_distances_infer);
    const float margin = desc && desc->margin != 0.0f ? desc->margin : 1.0f;
    const int pairs = desc && desc->swap ? 3 : 2;
    nn_node *inputs[3] = {anchor, positive, negative}, *parts[3], *each;
    nn__loss_params params;
    params = nn__op_loss_params(desc ? desc->reduction : NN_MEAN, 3, "margin", margin);
    each = nn__build(site, net, &rule, NULL, NULL, inputs, roles, 3, &params, 0);
    if (!each || each->poisoned) return each;
    for (int i = 0; i < pairs; i++) {
        nn_node *a = inputs[i == 2], *b = inputs[i == 0 ? 1 : 2];
        parts[i] = desc && desc->distance_function
                       ? desc->distance_function(net, a, b, desc->user)
                       : nn_pairwise_distance_at(site, net, a, b, NULL);
        if (parts[i] && parts[i]->poisoned) return parts[i]; /* already reported */
    }
    each = nn__build(site, net, &distances, NULL, NULL, parts, far_roles, pairs, NULL, 0);
    if (!each || each->poisoned) return each;
    if (pairs == 3)
        parts[1] = nn__add_binary(&net->graph, site, rule.name, rule.name, far_roles,
                                  nn__table_minimum(), parts[1], parts[2]);
    each = nn__add_line(&net->graph, site, NULL, rule.name, nn__table_triplet_margin(), parts,
                        far_roles, parts[0]->shape, &margin);
    return nn__op_loss_reduce(net, site, rule.name, roles, params.reduction, each);
}
