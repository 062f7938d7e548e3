/* ops/conv_pool.c - a convolution with its relu and the 2 x 2 max pool after it as one step of a
   plan, and each of their gradients as one step. No builder makes these nodes: conv_pool_fusion.c
   replaces the pattern by them, and they are in no graph. */
#include "ops/conv_private.h"
#include "ops/pool_shared.h"
#include "ops/program.h"

#ifndef NN_NO_SPEEDUPS

typedef struct nn__op_conv_pool_params {
    int32_t padding_h, padding_w;
} nn__op_conv_pool_params;

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_conv_pool_args(nn_conv_pool_args *args, const nn_node *node,
                                  const nn__lowering *lowering) {
    const nn__op_conv_pool_params *params = (const nn__op_conv_pool_params *)node->params;
    memset(args, 0, sizeof *args);
    args->padding_h = params->padding_h;
    args->padding_w = params->padding_w;
    args->epilogue.activation = lowering->activation;
    args->scratch = lowering->scratch;
}

/* inputs: x, weight, bias; outputs: y, place */
static void nn__op_conv_pool_lower(const nn_node *node, const nn__lowering *lowering,
                                   nn__args *all) {
    nn_conv_pool_args *args = &all->conv_pool_forward;
    nn__op_conv_pool_args(args, node, lowering);
    args->y = lowering->output;
    args->place = lowering->more[0];
    args->x = lowering->inputs[0];
    args->weight = lowering->inputs[1];
    if (node->input_count > 2) args->epilogue.bias = lowering->inputs[2];
}

/* Returns two operations for each product. A window has four places in the forward pass, and one in
   a gradient. */
static double nn__op_conv_pool_work(const nn_view *y, const nn_view *weight) {
    return 2.0 * (double)nn__count(y) * (double)nn__count(weight) / (double)weight->shape.extent[0];
}

static double nn__op_conv_pool_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 4.0 * nn__op_conv_pool_work(&lowering->output, &lowering->inputs[1]);
}

static const nn__rule nn__rule_conv_pool = {
    "conv_pool",        NN_KERNEL_CONV_POOL_FORWARD, 0,
    NN_ACTIVATION_NONE, nn__op_conv_pool_lower,      NULL,
    nn__op_conv_pool_flops, NULL, NULL};

#ifndef NN_NO_TRAINING
/* inputs: dy, y, place, x; outputs: dweight, dbias */
static void nn__op_conv_pool_weight_lower(const nn_node *node, const nn__lowering *lowering,
                                          nn__args *all) {
    nn_conv_pool_args *args = &all->conv_pool_backward_weight;
    nn__op_conv_pool_args(args, node, lowering);
    args->dy = lowering->inputs[0];
    args->y = lowering->inputs[1];
    args->place = lowering->inputs[2];
    args->x = lowering->inputs[3];
    args->weight = lowering->output;
    args->epilogue.bias = lowering->more[0];
}

static double nn__op_conv_pool_weight_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return nn__op_conv_pool_work(&lowering->inputs[0], &lowering->output);
}

/* inputs: dy, y, place, weight; output: dx */
static void nn__op_conv_pool_input_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *all) {
    nn_conv_pool_args *args = &all->conv_pool_backward_input;
    nn__op_conv_pool_args(args, node, lowering);
    args->dy = lowering->inputs[0];
    args->y = lowering->inputs[1];
    args->place = lowering->inputs[2];
    args->weight = lowering->inputs[3];
    args->x = lowering->output;
}

static double nn__op_conv_pool_input_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return nn__op_conv_pool_work(&lowering->inputs[0], &lowering->inputs[3]);
}

static const nn__rule nn__rule_conv_pool_weight = {
    "conv_pool_back_weight", NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT, 0,
    NN_ACTIVATION_NONE,      nn__op_conv_pool_weight_lower,       NULL,
    nn__op_conv_pool_weight_flops, NULL, NULL};
static const nn__rule nn__rule_conv_pool_input = {
    "conv_pool_back_input", NN_KERNEL_CONV_POOL_BACKWARD_INPUT, 0,
    NN_ACTIVATION_NONE,     nn__op_conv_pool_input_lower,       NULL,
    nn__op_conv_pool_input_flops, NULL, NULL};

NN_PRIVATE bool nn__op_is_relu_gradient(const nn_node *node) {
    return nn__is_program(node) && node->input_count == 2 &&
           ((const nn__program_params *)node->params)->program.code ==
               nn__table_relu()->gradient.code;
}
#endif

/* ---- for plans ------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__op_can_block(const nn_node *conv, const nn_node *pool) {
    nn_conv2d_params p;
    for (int i = 0; i < 4; i++)
        if ((i && nn__is_symbolic(conv->shape.extent[i])) || conv->inputs[1]->shape.rank != 4 ||
            nn__is_symbolic(conv->inputs[1]->shape.extent[i]) ||
            (i && nn__is_symbolic(conv->inputs[0]->shape.extent[i])))
            return false;
    for (int i = 0; i < conv->input_count; i++)
        if (conv->inputs[i]->dtype != NN_F32) return false;
    nn__op_conv2d_numbers_of(conv, &p);
    return p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 && p.dilation_w == 1 &&
           p.groups == 1 && pool->shape.extent[2] * 2 <= conv->shape.extent[2] &&
           pool->shape.extent[3] * 2 <= conv->shape.extent[3];
}

/* Returns a copy of `like` in the arena with another rule; NULL: no memory. */
static nn_node *nn__op_block_node(nn__arena *arena, const nn_node *like, const nn__rule *rule,
                                  const nn_node *conv) {
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    nn__op_conv_pool_params *params =
        (nn__op_conv_pool_params *)nn__arena_take(arena, sizeof *params);
    nn_conv2d_params p;
    if (!node || !params) return NULL;
    nn__op_conv2d_numbers_of(conv, &p);
    params->padding_h = p.padding_h;
    params->padding_w = p.padding_w;
    *node = *like;
    node->rule = rule;
    node->operation = rule->name;
    node->params = params;
    return node;
}

NN_PRIVATE nn_node *nn__op_block(nn__arena *arena, const nn_node *conv, const nn_node *pool) {
    nn_node *node = nn__op_block_node(arena, conv, &nn__rule_conv_pool, conv),
            *place = (nn_node *)nn__arena_take(arena, sizeof *place);
    if (!node || !place) return NULL;
    *place = *pool->more;
    place->dtype = NN_U8;
    node->shape = pool->shape;
    node->more = place;
    return node;
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_node *nn__op_block_gradient(nn__arena *arena, const nn_node *gradient,
                                          nn_node *const *inputs, const nn_node *conv) {
    const bool weight = gradient->rule->kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT;
    nn_node *node = nn__op_block_node(
        arena, gradient, weight ? &nn__rule_conv_pool_weight : &nn__rule_conv_pool_input, conv);
    nn_node **own = (nn_node **)nn__arena_take(arena, sizeof *own * 4);
    if (!node || !own) return NULL;
    for (int i = 0; i < 4; i++) own[i] = inputs[i];
    node->inputs = own;
    node->input_count = 4;
    node->roles = NULL;
    return node;
}
#endif

#endif

typedef int nn__ops_conv_pool_part; /* a part must not be empty under NN_NO_SPEEDUPS */
