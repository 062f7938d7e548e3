/* ops/conv_pool_pass.c - joins a convolution, its relu and the 2 x 2 maximum pool after it into one
   step, which stores only the maxima and their positions. In a training, the gradients of the three
   become one step for the weights and one for the input.

   The steps are joined only where nothing else reads the intermediate values and the device has
   the kernels. The joined steps add in another order than the separate ones. */
#include "ops/private.h"

#ifndef NN_NO_SPEEDUPS

/* The steps of a block as indices; -1: absent. */
typedef struct nn__block_steps {
    int conv, pool, after; /* after: a relu after the maximum */
    int spread, relu;  /* the gradients of the maximum and of the relu */
    int weight, input; /* the convolution's gradients */
} nn__block_steps;

/* True if exactly `uses` steps read the value, and it is neither kept nor stored elsewhere. */
static bool nn__block_inner(const nn__steps *list, int value, int uses) {
    const nn__value *v = &list->values[value];
    return v->place == NN__PLACE_ARENA && !v->kept && v->uses == uses;
}

static int nn__block_writer(const nn__steps *list, int value, int before) {
    int s = before - 1;
    while (s >= 0 && (list->steps[s].device < 0 || list->steps[s].output != value)) s--;
    return s;
}

#ifndef NN_NO_TRAINING
/* Returns the first step after `after` that reads the value as input `which` and satisfies `is`;
   -1: none. */
static int nn__block_reader(const nn__steps *list, int value, int which, int after,
                            bool (*is)(const nn_node *node)) {
    for (int s = after + 1; s < list->step_count; s++) {
        const nn__step *step = &list->steps[s];
        if (step->device == list->steps[after].device && step->node->input_count > which &&
            step->inputs[which] == value && is(step->node))
            return s;
    }
    return -1;
}

static bool nn__block_is_spread(const nn_node *node) {
    return nn__op_is_pairs(node, NN_KERNEL_POOL2D_BACKWARD);
}
static bool nn__block_is_weight(const nn_node *node) {
    return nn__op_is_conv2d(node, NN_KERNEL_CONV2D_BACKWARD_WEIGHT);
}
static bool nn__block_is_input(const nn_node *node) {
    return nn__op_is_conv2d(node, NN_KERNEL_CONV2D_BACKWARD_INPUT);
}

/* Returns the gradient that enters the block: the input of block->relu if the relu comes after the
   maximum, else that of block->spread. */
static int nn__block_dy(const nn__steps *list, const nn__block_steps *block) {
    return block->after >= 0 ? list->steps[block->relu].inputs[1]
                             : list->steps[block->spread].inputs[0];
}

/* Finds the gradient steps, starting at the gradient of the maximum. */
static bool nn__block_find_gradients(const nn__steps *list, nn__block_steps *block) {
    const nn__step *conv = &list->steps[block->conv], *pool = &list->steps[block->pool];
    const bool relu = conv->activation == NN_ACTIVATION_RELU;
    const int index = pool->more[0];
    if (!nn__block_inner(list, index, 1) || !nn__block_inner(list, conv->output, relu ? 2 : 1))
        return false;
    block->spread = nn__block_reader(list, index, 1, block->pool, nn__block_is_spread);
    if (block->spread < 0) return false;
    int dz = list->steps[block->spread].output;
    if (block->after >= 0) {
        const int dm = list->steps[block->spread].inputs[0];
        block->relu = nn__block_writer(list, dm, block->spread);
        if (block->relu < 0 || !nn__block_inner(list, dm, 1) ||
            list->steps[block->relu].device != pool->device ||
            !nn__op_is_relu_gradient(list->steps[block->relu].node) ||
            list->steps[block->relu].inputs[0] != list->steps[block->after].output)
            return false;
    }
    const int dy = nn__block_dy(list, block);
    if (nn__value_root(list->values, dy)->place != NN__PLACE_ARENA) return false;
    if (relu) {
        block->relu = nn__block_reader(list, dz, 1, block->spread, nn__op_is_relu_gradient);
        if (block->relu < 0 || !nn__block_inner(list, dz, 1) ||
            list->steps[block->relu].inputs[0] != conv->output)
            return false;
        dz = list->steps[block->relu].output;
    }
    block->weight = nn__block_reader(list, dz, 0, block->spread, nn__block_is_weight);
    block->input = nn__block_reader(list, dz, 0, block->spread, nn__block_is_input);
    return (block->weight >= 0 || block->input >= 0) &&
           nn__block_inner(list, dz, (block->weight >= 0) + (block->input >= 0)) &&
           (block->weight < 0 || list->steps[block->weight].inputs[1] == conv->inputs[0]) &&
           (block->input < 0 || list->steps[block->input].inputs[1] == conv->inputs[1]);
}
#endif

/* Returns the relu that is the only reader of the value; -1: none. */
static int nn__block_relu(const nn__steps *list, int value, int after) {
    int s = after + 1;
    if (!nn__block_inner(list, value, 1)) return -1;
    while (s < list->step_count &&
           (list->steps[s].device != list->steps[after].device ||
            list->steps[s].node->rule->fuses != NN_ACTIVATION_RELU ||
            list->steps[s].inputs[0] != value))
        s++;
    return s < list->step_count ? s : -1;
}

/* Finds the block around the maximum pool at step p. after: the relu that follows the pool, or
   -1. */
static bool nn__block_find(const nn__steps *list, int p, int after, nn__block_steps *block) {
    const nn__step *pool = &list->steps[p];
    block->spread = block->relu = block->weight = block->input = -1;
    block->after = after;
    if (pool->device < 0 || !nn__op_is_pairs(pool->node, NN_KERNEL_POOL2D_FORWARD)) return false;
    block->pool = p;
    block->conv = nn__block_writer(list, pool->inputs[0], p);
    if (block->conv < 0) return false;
    const nn__step *conv = &list->steps[block->conv];
    if (conv->device != pool->device || !nn__op_can_block(conv->node, pool->node) ||
        (conv->activation != NN_ACTIVATION_NONE &&
         (conv->activation != NN_ACTIVATION_RELU || after >= 0)))
        return false;
    if (pool->more[0] < 0) return nn__block_inner(list, conv->output, 1);
#ifdef NN_NO_TRAINING
    return false;
#else
    return nn__block_find_gradients(list, block);
#endif
}

/* Returns the value that the block produces. */
static int nn__block_y(const nn__steps *list, const nn__block_steps *block) {
    return list->steps[block->after >= 0 ? block->after : block->pool].output;
}

/* Makes the block's forward step, which replaces the convolution. False: no memory. */
static bool nn__block_make_forward(nn__steps *list, const nn__block_steps *block, nn__step *step) {
    const nn__step *pool = &list->steps[block->pool];
    *step = list->steps[block->conv];
    step->node = nn__op_block(list->arena, step->node, pool->node);
    step->output = nn__block_y(list, block);
    step->more[0] = pool->more[0];
    if (block->after >= 0) {
        step->activation = NN_ACTIVATION_RELU;
        step->fused = list->steps[block->after].node;
    }
    return step->node != NULL;
}

#ifndef NN_NO_TRAINING
/* Makes a gradient step of the block. It reads dy, y and the positions of the maxima instead of the
   convolution's output gradient. */
static bool nn__block_make_gradient(nn__steps *list, const nn__block_steps *block, int s,
                                    nn__step *step) {
    const nn__step *pool = &list->steps[block->pool], *conv = &list->steps[block->conv];
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * 4);
    nn_node *nodes[4];
    if (!inputs) return false;
    *step = list->steps[s];
    inputs[0] = nn__block_dy(list, block);
    inputs[1] = nn__block_y(list, block);
    inputs[2] = pool->more[0];
    inputs[3] = step->inputs[1];
    for (int i = 0; i < 4; i++) nodes[i] = list->values[inputs[i]].node;
    step->node = nn__op_block_gradient(list->arena, step->node, nodes, conv->node);
    step->inputs = inputs;
    step->activation = block->after >= 0 ? NN_ACTIVATION_RELU : conv->activation;
    return step->node != NULL;
}
#endif

/* Updates the use counts: intermediate values lose their readers, and the block's own values get
   the gradient steps as readers. */
static void nn__block_count(nn__steps *list, const nn__block_steps *block) {
    const nn__step *pool = &list->steps[block->pool];
    list->values[pool->inputs[0]].uses = 0;
    if (block->after >= 0) list->values[pool->output].uses = 0;
#ifndef NN_NO_TRAINING
    const int readers = (block->weight >= 0) + (block->input >= 0);
    if (pool->more[0] < 0) return;
    list->values[pool->more[0]].uses = readers;
    list->values[nn__block_y(list, block)].uses += readers - (block->after >= 0);
    list->values[nn__block_dy(list, block)].uses += readers - 1;
    list->values[list->steps[block->spread].output].uses = 0;
    if (block->relu >= 0) list->values[list->steps[block->relu].output].uses = 0;
#endif
}

/* Replaces the steps of the block, if the device supports the joined ones. False: no memory. */
static bool nn__block_make(nn__steps *list, const nn__block_steps *block) {
    const int index = list->steps[block->pool].more[0];
    nn__step forward, weight, input;
    memset(&weight, 0, sizeof weight);
    memset(&input, 0, sizeof input);
    bool can = nn__block_make_forward(list, block, &forward);
    if (!can) return false;
    nn_node *const places = index >= 0 ? list->values[index].node : NULL;
    if (places) list->values[index].node = forward.node->more;
    can = list->supports(list, &forward);
#ifndef NN_NO_TRAINING
    if (can && block->weight >= 0) {
        if (!nn__block_make_gradient(list, block, block->weight, &weight)) return false;
        can = list->supports(list, &weight);
    }
    if (can && block->input >= 0) {
        if (!nn__block_make_gradient(list, block, block->input, &input)) return false;
        can = list->supports(list, &input);
    }
#endif
    if (!can) {
        if (places) list->values[index].node = places;
        return true;
    }
    nn__block_count(list, block);
    list->steps[block->conv] = forward;
    if (block->weight >= 0) list->steps[block->weight] = weight;
    if (block->input >= 0) list->steps[block->input] = input;
    list->steps[block->pool].device = -1; /* marks it as gone */
    if (block->after >= 0) list->steps[block->after].device = -1;
    if (block->spread >= 0) list->steps[block->spread].device = -1;
    if (block->relu >= 0) list->steps[block->relu].device = -1;
    return true;
}

NN_PRIVATE bool nn__op_block_pass(nn__steps *list) {
    nn__block_steps block;
    int kept = 0;
    for (int i = 0; i < list->step_count; i++) {
        if (list->steps[i].device < 0 || list->steps[i].output < 0) continue;
        const int after = nn__block_relu(list, list->steps[i].output, i);
        if (((after >= 0 && nn__block_find(list, i, after, &block)) ||
             nn__block_find(list, i, -1, &block)) &&
            !nn__block_make(list, &block))
            return false;
    }
    for (int i = 0; i < list->step_count; i++)
        if (list->steps[i].device >= 0) list->steps[kept++] = list->steps[i];
    list->step_count = kept;
    return true;
}

#endif

typedef int nn__ops_conv_pool_pass_part; /* a part must not be empty under NN_NO_SPEEDUPS */
