/* ops/norm_fold_fusion.c - folds a batch norm into the weights of the product or convolution before
   it, in plans that only infer. This is done where the folded weights can be kept from run to run
   (weight_cache.c), or where there are fewer weights than numbers to normalise.

   A step "fold" computes the weights in each run that has no valid kept ones, because parameters
   may be loaded or trained after the plan was made. Results differ from those of the separate steps
   by rounding. */
#include "ops/norm_private.h"

#ifndef NN_NO_SPEEDUPS

enum { NN__FOLD_NORM, NN__FOLD_PRODUCT };

static bool nn__fold_is_norm(const nn_node *node) {
    return (node->rule->flags & NN__FOLDS) != 0;
}

/* False if a step between the two may write a buffer or parameter that the product reads. */
static bool nn__fold_fits(nn__steps *list, int *found) {
    const nn__step *norm = &list->steps[found[NN__FOLD_NORM]];
    const nn__step *product = &list->steps[found[NN__FOLD_PRODUCT]];
    if (!nn__op_can_fold(product->node, norm->node)) return false;
    for (const nn__step *step = product + 1; step < norm; step++)
        if (nn__has_effect(step->node)) return false;
    return (list->keeps && list->trusts(list, product, 1) && list->trusts(list, norm, 1)) ||
           nn__node_bytes(product->node->inputs[1], 1, 1) <=
               nn__node_bytes(norm->node, list->batch, list->time);
}

/* Makes a fold in the place of the product, and the product in that of the norm. Steps between them
   may compute operands of the fold (casts of its weights), so the fold moves after them. */
static bool nn__fold_make(nn__steps *list, const int *found, nn__step *made) {
    const nn__step *norm = &list->steps[found[NN__FOLD_NORM]];
    const nn__step *product = &list->steps[found[NN__FOLD_PRODUCT]];
    nn__step *one = &made[NN__FOLD_NORM], *fold = &made[NN__FOLD_PRODUCT];
    nn_node *node = nn__op_fold(list->arena, product->node, norm->node);
    int *inputs = node ? (int *)nn__arena_take(list->arena, sizeof(int) * 12) : NULL;
    const int norms = norm->node->input_count;
    if (!inputs) return false;
    *fold = *norm;
    fold->node = node->inputs[1];
    fold->inputs = inputs;
    inputs[0] = product->inputs[1];
    for (int i = 1; i < norms; i++) inputs[i] = norm->inputs[i];
    if (product->node->input_count > 2) inputs[norms] = product->inputs[2];
    fold->output = nn__fusion_value(list, fold->node);
    for (int k = 1; k < NN__MAX_OUTPUTS - 1; k++) fold->more[k] = -1;
    fold->more[0] = nn__fusion_value(list, fold->node->more);
    *one = *product;
    one->node = node;
    one->inputs = inputs + 9;
    one->inputs[0] = product->inputs[0];
    one->inputs[1] = fold->output;
    one->inputs[2] = fold->more[0];
    one->output = norm->output;
    return true;
}

static const nn__fusion_part nn__fold_pattern[] = {
    {NN_KERNEL_NONE, 0, nn__fold_is_norm, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_NONE, NN__PART_ALONE, NULL, 1, {{NN__RESULT(0), NN__FOLD_NORM, 0, 0}}}};
static const nn__fusion nn__fold_fusion = {
    nn__fold_pattern, NN__COUNT(nn__fold_pattern), nn__fold_fits, nn__fold_make,
    NN__WHEN_INFERRING, 0, 2, true, 0, NULL};

NN_PRIVATE const nn__fusion *nn__op_fold_fusion(void) { return &nn__fold_fusion; }

#endif

typedef int nn__ops_norm_fold_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
