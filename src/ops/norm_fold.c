/* ops/norm_fold.c - a product or convolution and the batch norm after it as one node, in plans
   that only infer. Each run starts by scaling the weights and shifting the bias, so weights that
   are loaded or trained later take effect. norm_fold_fusion.c decides where. */
#include "ops/norm_private.h"

#ifndef NN_NO_SPEEDUPS

typedef struct nn__op_fold_params {
    float epsilon;
    bool affine, bias; /* affine: of the norm; bias: of the product */
} nn__op_fold_params;

/* inputs: the product's weight, the norm's inputs except x, the product's bias. outputs: weight,
   bias. */
static void nn__op_fold_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    const nn__op_fold_params *params = (const nn__op_fold_params *)node->params;
    const nn_view *inputs = lowering->inputs;
    nn_norm_fold_args *args = &all->norm_fold;
    int next = 1;
    memset(args, 0, sizeof *args);
    args->weight = lowering->output;
    args->bias = lowering->more[0];
    args->from = inputs[0];
    if (params->affine) {
        args->norm_weight = inputs[next++];
        args->norm_bias = inputs[next++];
    }
    args->running_mean = inputs[next++];
    args->running_var = inputs[next++];
    if (params->bias) args->from_bias = inputs[next++];
    args->epsilon = params->epsilon;
}

static const nn__rule nn__rule_norm_fold = {
    "fold", NN_KERNEL_NORM_FOLD, 0, NN_ACTIVATION_NONE, nn__op_fold_lower, NULL, NULL, NULL, NULL};

NN_PRIVATE bool nn__op_can_fold(const nn_node *product, const nn_node *norm) {
    if (!(product->rule->flags & NN__FOLDED) || !(norm->rule->flags & NN__FOLDS)) return false;
    const nn_node *weight = product->inputs[1];
    if (!((const nn__op_norm_params *)norm->params)->tracked || norm->inputs[0] != product)
        return false;
    for (int i = 1; i < product->input_count; i++)
        if (product->inputs[i]->dtype != NN_F32) return false;
    /* the channels of the norm are the outputs of the product */
    return (weight->shape.rank > 2 || norm->shape.rank == 2) &&
           weight->shape.extent[0] == norm->shape.extent[1];
}

/* Returns a copy of `like` in the arena. NULL: no memory. */
static nn_node *nn__op_fold_node(nn__arena *arena, const nn_node *like, int inputs) {
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    if (!node) return NULL;
    *node = *like;
    node->more = NULL;
    node->keep = false;
    node->input_count = inputs;
    node->inputs = (nn_node **)nn__arena_take(arena, sizeof(nn_node *) * 8);
    return node->inputs ? node : NULL;
}

NN_PRIVATE nn_node *nn__op_fold(nn__arena *arena, const nn_node *product, const nn_node *norm) {
    static const char *const roles[] = {"input", "weight", "bias"};
    char name[2 * NN_NAME_BYTES];
    const int norms = norm->input_count - 1, bias = product->input_count > 2;
    nn_node *one = nn__op_fold_node(arena, product, 3),
            *fold = nn__op_fold_node(arena, norm, 1 + norms + bias),
            *more = nn__op_fold_node(arena, norm, 0);
    nn__op_fold_params *params = (nn__op_fold_params *)nn__arena_take(arena, sizeof *params);
    nn__rule *rule = (nn__rule *)nn__arena_take(arena, sizeof *rule);
    if (!one || !fold || !more || !params || !rule) return NULL;
    params->epsilon = ((const nn__op_norm_params *)norm->params)->epsilon;
    params->affine = ((const nn__op_norm_params *)norm->params)->affine;
    params->bias = bias;
    fold->rule = &nn__rule_norm_fold;
    fold->operation = nn__rule_norm_fold.name;
    fold->params = params;
    fold->roles = NULL;
    fold->shape = product->inputs[1]->shape;
    fold->inputs[0] = product->inputs[1];
    for (int i = 0; i < norms; i++) fold->inputs[1 + i] = norm->inputs[1 + i];
    if (bias) fold->inputs[1 + norms] = product->inputs[2];
    fold->more = more;
    more->kind = NN__OUTPUT;
    more->owner = fold;
    more->rule = NULL;
    more->shape.rank = 1;
    more->shape.extent[0] = fold->shape.extent[0];
    one->inputs[0] = product->inputs[0];
    one->inputs[1] = fold;
    one->inputs[2] = more;
    one->roles = roles;
    *rule = *product->rule;
    nn__join_text(name, sizeof name, product->rule->name, " + ", norm->rule->name);
    nn__copy_text(rule->name, sizeof rule->name, name);
    one->rule = rule;
    one->operation = rule->name;
    return one;
}

#endif
