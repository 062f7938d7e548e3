/* ops/conv_pool_fusion.c - joins a convolution, its relu and the 2 x 2 maximum pool after it into
   one step, which stores only the maxima and their positions. In training, the gradients of the
   three become one step for the weights and one for the input. Their order of additions differs
   from that of the separate steps. */
#include "ops/private.h"

#ifndef NN_NO_SPEEDUPS

/* The parts. AFTER: a relu after the maximum. SPREAD, AFTER_BACK and BEFORE_BACK: the gradients of
   the maximum, of the relu after it, and of the convolution's own relu. */
enum { NN__BLOCK_POOL, NN__BLOCK_CONV, NN__BLOCK_AFTER, NN__BLOCK_SPREAD, NN__BLOCK_AFTER_BACK,
       NN__BLOCK_BEFORE_BACK, NN__BLOCK_WEIGHT, NN__BLOCK_INPUT };

static bool nn__block_is_relu(const nn_node *node) {
    return node->rule->fuses == NN_ACTIVATION_RELU;
}

#ifndef NN_NO_TRAINING
/* Returns the gradient that enters the block. */
static int nn__block_dy(const nn__steps *list, const int *found) {
    return found[NN__BLOCK_AFTER] >= 0 ? list->steps[found[NN__BLOCK_AFTER_BACK]].inputs[1]
                                       : list->steps[found[NN__BLOCK_SPREAD]].inputs[0];
}

/* True if the list has the gradient steps of all parts of the block. */
static bool nn__block_has_gradients(const nn__steps *list, const int *found, bool relu) {
    return found[NN__BLOCK_SPREAD] >= 0 &&
           (found[NN__BLOCK_WEIGHT] >= 0 || found[NN__BLOCK_INPUT] >= 0) &&
           (found[NN__BLOCK_AFTER] >= 0) == (found[NN__BLOCK_AFTER_BACK] >= 0) &&
           relu == (found[NN__BLOCK_BEFORE_BACK] >= 0) &&
           nn__value_root(list->values, nn__block_dy(list, found))->place == NN__PLACE_ARENA;
}
#else
#define nn__block_has_gradients(list, found, relu) ((void)(relu), false)
#endif

/* A convolution has one relu, before or after the maximum. Other activations are not joined. */
static bool nn__block_fits(nn__steps *list, int *found) {
    const nn__step *pool = &list->steps[found[NN__BLOCK_POOL]],
                   *conv = &list->steps[found[NN__BLOCK_CONV]];
    const bool relu = conv->activation == NN_ACTIVATION_RELU;
    if ((conv->activation != NN_ACTIVATION_NONE && !relu) ||
        !nn__op_can_block(conv->node, pool->node))
        return false;
    if (relu || (pool->more[0] >= 0 && found[NN__BLOCK_AFTER_BACK] < 0))
        found[NN__BLOCK_AFTER] = found[NN__BLOCK_AFTER_BACK] = -1;
    return pool->more[0] < 0 || nn__block_has_gradients(list, found, relu);
}

#ifndef NN_NO_TRAINING
/* Makes a gradient step of the block. It reads dy, y and the positions of the maxima instead of the
   convolution's output gradient. */
static bool nn__block_make_gradient(nn__steps *list, const int *found, const nn__step *forward,
                                    nn__step *step, int which) {
    const nn__step *conv = &list->steps[found[NN__BLOCK_CONV]];
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * 4);
    nn_node *nodes[4];
    if (!inputs) return false;
    inputs[0] = nn__block_dy(list, found);
    inputs[1] = forward->output;
    inputs[2] = forward->more[0];
    inputs[3] = step->inputs[1];
    for (int i = 0; i < 4; i++) nodes[i] = list->values[inputs[i]].node;
    nodes[2] = forward->node->more;
    step->node =
        nn__op_block_gradient(list->arena, list->steps[found[which]].node, nodes, conv->node);
    step->inputs = inputs;
    step->activation = forward->activation;
    return step->node != NULL;
}
#endif

static bool nn__block_make(nn__steps *list, const int *found, nn__step *made) {
    const nn__step *pool = &list->steps[found[NN__BLOCK_POOL]];
    nn__step *forward = &made[NN__BLOCK_CONV];
    forward->node = nn__op_block(list->arena, list->steps[found[NN__BLOCK_CONV]].node, pool->node);
    if (!forward->node) return false;
    forward->output = pool->output;
    forward->more[0] = pool->more[0];
    if (found[NN__BLOCK_AFTER] >= 0) {
        forward->output = list->steps[found[NN__BLOCK_AFTER]].output;
        forward->activation = NN_ACTIVATION_RELU;
        forward->fused = list->steps[found[NN__BLOCK_AFTER]].node;
    }
#ifndef NN_NO_TRAINING
    for (int p = NN__BLOCK_WEIGHT; p <= NN__BLOCK_INPUT; p++)
        if (found[p] >= 0 && !nn__block_make_gradient(list, found, forward, &made[p], p))
            return false;
#endif
    return true;
}

static const nn__fusion_part nn__block_pattern[] = {
    {NN_KERNEL_POOL2D_FORWARD, 0, nn__op_is_pairs, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_CONV2D_FORWARD, 0, nn__op_is_conv2d, 1, {{NN__RESULT(0), NN__BLOCK_POOL, 0, 0}}},
    {NN_KERNEL_POINTWISE, NN__PART_OPTIONAL | NN__PART_ALONE, nn__block_is_relu, 1,
     {{0, NN__BLOCK_POOL, NN__RESULT(0), 0}}},
#ifndef NN_NO_TRAINING
    {NN_KERNEL_POOL2D_BACKWARD, NN__PART_OPTIONAL | NN__PART_ALONE, nn__op_is_pairs, 1,
     {{1, NN__BLOCK_POOL, NN__RESULT(1), 0}}},
    {NN_KERNEL_POINTWISE, NN__PART_OPTIONAL | NN__PART_ALONE, nn__op_is_relu_gradient, 2,
     {{NN__RESULT(0), NN__BLOCK_SPREAD, 0, 0}, {0, NN__BLOCK_AFTER, NN__RESULT(0), 0}}},
    {NN_KERNEL_POINTWISE, NN__PART_OPTIONAL | NN__PART_ALONE, nn__op_is_relu_gradient, 2,
     {{1, NN__BLOCK_SPREAD, NN__RESULT(0), 0}, {0, NN__BLOCK_CONV, NN__RESULT(0), 0}}},
    {NN_KERNEL_CONV2D_BACKWARD_WEIGHT, NN__PART_OPTIONAL, nn__op_is_conv2d, 2,
     {{0, NN__BLOCK_BEFORE_BACK, NN__RESULT(0), NN__BLOCK_SPREAD}, {1, NN__BLOCK_CONV, 0, 0}}},
    {NN_KERNEL_CONV2D_BACKWARD_INPUT, NN__PART_OPTIONAL, nn__op_is_conv2d, 2,
     {{0, NN__BLOCK_BEFORE_BACK, NN__RESULT(0), NN__BLOCK_SPREAD}, {1, NN__BLOCK_CONV, 1, 0}}},
#endif
};
static const nn__fusion nn__block_fusion = {
    nn__block_pattern, NN__COUNT(nn__block_pattern), nn__block_fits, nn__block_make,
    0, 0, 0, false, NN__BLOCK_CONV, NULL};

NN_PRIVATE const nn__fusion *nn__op_block_fusion(void) { return &nn__block_fusion; }

#endif

typedef int nn__ops_conv_pool_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
