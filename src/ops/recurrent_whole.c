/* ops/recurrent_whole.c - a recurrent layer with the linear layers before and after it as one step
   of a plan that only infers. No builder makes these nodes: ops/recurrent_whole_fusion.c replaces
   the pattern by them, and they are in no graph. */
#include "ops/recurrent_private.h"

#ifndef NN_NO_SPEEDUPS

typedef struct nn__op_whole {
    nn__op_recurrent layer;
    bool input_bias, head, head_bias;
} nn__op_whole;

static void nn__op_whole_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    const nn__op_whole *params = (const nn__op_whole *)node->params;
    const nn_view *input = lowering->inputs;
    nn_recurrent_whole_args *args = &all->recurrent_whole;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->state = lowering->more[0];
    args->x = *input++;
    args->input = *input++;
    if (params->input_bias) args->input_bias = *input++;
    args->weight = *input++;
    if (params->layer.bias) args->bias = *input++;
    if (params->head) args->head = *input++;
    if (params->head_bias) args->head_bias = *input++;
    if (params->layer.h0) args->h0 = *input++;
    if (params->layer.c0) args->c0 = *input++;
    args->cell = params->layer.cell;
    args->reverse = params->layer.reverse;
    args->scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_whole_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_whole *params = (const nn__op_whole *)node->params;
    const nn_view *x = &lowering->inputs[0];
    const double rows = (double)x->shape.extent[0] * (double)x->shape.extent[1];
    double numbers = 0.0;
    for (int i = 1; i < node->input_count; i++)
        if (lowering->inputs[i].shape.rank == 2 && i < node->input_count - params->layer.h0)
            numbers += (double)nn__count(&lowering->inputs[i]);
    return 2.0 * rows * numbers;
}

static const nn__rule nn__rule_recurrent_whole = {
    "recurrent_whole",  NN_KERNEL_RECURRENT_WHOLE,     0,    NN_ACTIVATION_NONE,
    nn__op_whole_lower, NULL, NN__FLOPS(nn__op_whole_flops), NULL, NULL};

/* ---- for plans ------------------------------------------------------------------------------- */

/* Returns one past the last weight or bias of a joined node, or of a recurrent layer itself. */
static int nn__op_whole_weights(const nn_node *node) {
    const nn__op_recurrent *layer = node->rule == &nn__rule_recurrent_whole
                                        ? &((const nn__op_whole *)node->params)->layer
                                        : (const nn__op_recurrent *)node->params;
    return node->input_count - (layer->h0 ? 1 : 0) - (layer->c0 ? 1 : 0);
}

static bool nn__op_whole_can(const nn_node *input, const nn_node *layer, const nn_node *head) {
    const nn__op_recurrent *params = (const nn__op_recurrent *)layer->params;
    const nn_shape *x = &input->inputs[0]->shape;
    if (params->projection || params->lengths || x->rank != 3) return false;
    if (layer->inputs[1]->shape.extent[1] > NN_RECURRENT_WHOLE_WIDE ||
        x->extent[2] > NN_RECURRENT_WHOLE_WIDE)
        return false;
    return !head || head->inputs[1]->shape.extent[0] <= NN_RECURRENT_WHOLE_HEADS;
}

static nn_node *nn__op_whole_made(nn__arena *arena, const nn_node *input, const nn_node *layer,
                                  const nn_node *head) {
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    nn__op_whole *params = (nn__op_whole *)nn__arena_take(arena, sizeof *params);
    nn_node **inputs = (nn_node **)nn__arena_take(arena, sizeof *inputs * NN__WHOLE_INPUTS);
    const int own = nn__op_whole_weights(layer);
    int count = 0;
    if (!node || !params || !inputs) return NULL;
    params->layer = *(const nn__op_recurrent *)layer->params;
    params->input_bias = input->input_count > 2;
    params->head = head != NULL;
    params->head_bias = head && head->input_count > 2;
    for (int i = 0; i < input->input_count; i++) inputs[count++] = input->inputs[i];
    for (int i = 1; i < own; i++) inputs[count++] = layer->inputs[i];
    for (int i = 1; head && i < head->input_count; i++) inputs[count++] = head->inputs[i];
    for (int i = own; i < layer->input_count; i++) inputs[count++] = layer->inputs[i];
    *node = head ? *head : *layer;
    node->rule = &nn__rule_recurrent_whole;
    node->operation = layer->operation;
    node->params = params;
    node->inputs = inputs;
    node->input_count = count;
    node->roles = NULL;
    if (head) node->more = NULL;
    return node;
}

static const nn__whole_layers nn__whole_layers_calls = {nn__op_whole_can, nn__op_whole_made,
                                                        nn__op_whole_weights};

NN_PRIVATE const nn__whole_layers *nn__op_whole_layers(void) { return &nn__whole_layers_calls; }

#endif

typedef int nn__ops_recurrent_whole_part; /* a part must not be empty under NN_NO_SPEEDUPS */
