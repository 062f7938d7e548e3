/* ops/norm_fold_pass.c - folds a batch norm into the weights of the product or convolution before
   it, in plans that only infer. This is done where the folded weights can be kept from run to run
   (weight_cache.c), or where there are fewer weights than numbers to normalise.

   A step "fold" computes the weights in each run that has no valid kept ones, because parameters
   may be loaded or trained after the plan was made. Results differ from those of the separate steps
   by rounding. */
#include "ops/norm_private.h"

#ifndef NN_NO_SPEEDUPS

/* True if a step between the two writes a buffer or parameter, which the product may read. */
static bool nn__fold_crosses(const nn__steps *list, int p, int c) {
    for (int s = p + 1; s < c; s++)
        if (nn__has_effect(list->steps[s].node)) return true;
    return false;
}

/* Returns the step whose result norm step c reads, if the two can be folded; -1: they cannot. */
static int nn__fold_producer(nn__steps *list, int c) {
    const nn__step *norm = &list->steps[c];
    if (!(norm->node->rule->flags & NN__FOLDS)) return -1;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        if (norm->more[k] >= 0) return -1; /* its statistics are read elsewhere */
    const nn__value *between = &list->values[norm->inputs[0]];
    if (between->uses != 1 || between->kept || between->place != NN__PLACE_ARENA) return -1;
    const int p = between->first;
    if (p < 0 || list->steps[p].device != norm->device || nn__fold_crosses(list, p, c)) return -1;
    if (!nn__op_can_fold(list->steps[p].node, norm->node)) return -1;
    const size_t weights = nn__node_bytes(list->steps[p].node->inputs[1], 1, 1),
                 results = nn__node_bytes(norm->node, list->batch, list->time);
    if (list->keeps && list->trusts(list, &list->steps[p], 1) &&
        list->trusts(list, norm, 1))
        return p;
    return weights <= results ? p : -1;
}

static void nn__fold_value(nn__steps *list, nn_node *node) {
    nn__value *value = &list->values[list->value_count];
    memset(value, 0, sizeof *value);
    node->value = list->value_count++;
    value->node = node;
    value->alias_of = value->first = value->last = -1;
    value->uses = 1;
    value->place = NN__PLACE_ARENA;
}

/* Replaces steps p and c by a fold and a product, in the place of the norm: steps between the two
   may compute operands of the fold (casts of its weights). The steps stay if the device lacks a
   kernel of the two. False: no memory. */
static bool nn__fold_steps(nn__steps *list, int p, int c) {
    const nn__step product = list->steps[p], norm = list->steps[c];
    nn_node *one = nn__op_fold(list->arena, product.node, norm.node);
    nn_node *fold = one ? one->inputs[1] : NULL;
    int *inputs = one ? (int *)nn__arena_take(list->arena, sizeof(int) * 12) : NULL;
    nn__step first = norm, second = product;
    if (!inputs) return false;
    nn__fold_value(list, fold);
    nn__fold_value(list, fold->more);
    first.node = fold;
    first.inputs = inputs;
    inputs[0] = product.inputs[1];
    for (int i = 1; i < norm.node->input_count; i++) inputs[i] = norm.inputs[i];
    if (product.node->input_count > 2) inputs[norm.node->input_count] = product.inputs[2];
    first.output = fold->value;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++) first.more[k] = k ? -1 : fold->more->value;
    second.node = one;
    second.inputs = inputs + 9;
    second.inputs[0] = product.inputs[0];
    second.inputs[1] = first.output;
    second.inputs[2] = first.more[0];
    second.output = norm.output;
    if (!list->supports(list, &first) || !list->supports(list, &second)) {
        list->value_count -= 2;
        return true;
    }
    memmove(list->steps + p, list->steps + p + 1, sizeof product * (size_t)(c - p - 1));
    list->steps[c - 1] = first;
    list->steps[c] = second;
    list->values[product.output].uses = 0; /* the value between the two */
    for (int s = p; s <= c; s++)
        if (list->steps[s].output >= 0) list->values[list->steps[s].output].first = s;
    return true;
}

NN_PRIVATE bool nn__op_fold_pass(nn__steps *list) {
    int norms = 0;
    for (int i = 0; i < list->step_count; i++)
        norms += (list->steps[i].node->rule->flags & NN__FOLDS) != 0;
    if (list->training || norms == 0) return true;
    nn__value *values = (nn__value *)nn__arena_take(
        list->arena, sizeof *values * (size_t)(list->value_count + 2 * norms + 1));
    if (!values) return false;
    memcpy(values, list->values, sizeof *values * (size_t)list->value_count);
    list->values = values;
    for (int i = 0; i < list->step_count; i++) {
        const int p = nn__fold_producer(list, i);
        if (list->steps[i].output >= 0) list->values[list->steps[i].output].first = i;
        if (p >= 0 && !nn__fold_steps(list, p, i)) return false;
    }
    return true;
}

#endif

typedef int nn__ops_norm_fold_pass_part; /* a part must not be empty under NN_NO_SPEEDUPS */
