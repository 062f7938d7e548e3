/* ops/prelu_fusion.c - makes a prelu with a slope for each channel the end of the convolution
   before it, in plans that only infer: nn_conv2d_args.slope. The results keep their bytes. A plan
   that trains keeps both steps, because the gradient needs the sums before the prelu. */
#include "ops/private.h"
#include "ops/program.h"

#ifndef NN_NO_SPEEDUPS

enum { NN__BEND_PRELU, NN__BEND_CONV };

/* inputs: those of the convolution, then the slopes. params: the convolution's node */
static void nn__op_bent_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn_node *conv = (const nn_node *)node->params;
    conv->rule->lower(conv, lowering, args);
    args->conv2d_forward.slope = lowering->inputs[conv->input_count];
}

static NN__UNUSED double nn__op_bent_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn_node *conv = (const nn_node *)node->params;
    const double sums = conv->rule->flops ? conv->rule->flops(conv, lowering) : 0.0;
    return sums + 2.0 * (double)nn__count(&lowering->output);
}

static const nn__rule nn__rule_bent = {
    "conv2d",           NN_KERNEL_CONV2D_FORWARD, 0,
    NN_ACTIVATION_NONE, nn__op_bent_lower,        NULL,
    NN__FLOPS(nn__op_bent_flops), NULL, NULL};

static bool nn__bend_is_prelu(const nn_node *node) {
    return nn__is_program(node) && node->input_count == 2 &&
           ((const nn__program_params *)node->params)->line == nn__table_prelu();
}

static bool nn__bend_is_conv(const nn_node *node) {
    return (node->rule->flags & NN__EPILOGUE) != 0;
}

/* True if the slopes are (K, 1 ...), as nn_prelu makes them, and no step between the convolution
   and the prelu has an effect. Such a step may write a buffer or parameter that the convolution
   reads. */
static bool nn__bend_fits(nn__steps *list, int *found) {
    const nn__step *prelu = &list->steps[found[NN__BEND_PRELU]],
                   *conv = &list->steps[found[NN__BEND_CONV]];
    const nn_node *slope = prelu->node->inputs[1];
    if (slope->dtype != NN_F32 || prelu->node->inputs[0]->dtype != NN_F32 ||
        slope->shape.rank != prelu->node->shape.rank - 1 ||
        slope->shape.extent[0] != prelu->node->shape.extent[1])
        return false;
    for (int i = 1; i < slope->shape.rank; i++)
        if (slope->shape.extent[i] != 1) return false;
    for (const nn__step *step = conv + 1; step < prelu; step++)
        if (nn__has_effect(step->node)) return false;
    return true;
}

/* Puts the joined step in the place of the prelu, because steps between the two may compute the
   slopes. */
static bool nn__bend_make(nn__steps *list, const int *found, nn__step *made) {
    const nn__step *prelu = &list->steps[found[NN__BEND_PRELU]],
                   *conv = &list->steps[found[NN__BEND_CONV]];
    const int count = conv->node->input_count;
    nn__step *one = &made[NN__BEND_PRELU];
    nn_node *node = (nn_node *)nn__arena_take(list->arena, sizeof *node);
    nn_node **nodes = (nn_node **)nn__arena_take(list->arena, sizeof *nodes * (size_t)(count + 1));
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * (size_t)(count + 1));
    if (!node || !nodes || !inputs) return false;
    for (int i = 0; i < count; i++) {
        nodes[i] = conv->node->inputs[i];
        inputs[i] = conv->inputs[i];
    }
    nodes[count] = prelu->node->inputs[1];
    inputs[count] = prelu->inputs[1];
    *node = *conv->node;
    node->rule = &nn__rule_bent;
    node->params = conv->node;
    node->inputs = nodes;
    node->input_count = count + 1;
    node->roles = NULL;
    node->more = NULL;
    *one = *conv;
    one->node = node;
    one->inputs = inputs;
    one->output = prelu->output;
    one->fused = prelu->node;
    return true;
}

static const nn__fusion_part nn__bend_pattern[] = {
    {NN_KERNEL_POINTWISE, NN__PART_PLAIN, nn__bend_is_prelu, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_CONV2D_FORWARD, NN__PART_ALONE | NN__PART_PLAIN, nn__bend_is_conv, 1,
     {{NN__RESULT(0), NN__BEND_PRELU, 0, 0}}}};
static const nn__fusion nn__bend_fusion = {
    nn__bend_pattern, NN__COUNT(nn__bend_pattern), nn__bend_fits, nn__bend_make,
    NN__WHEN_INFERRING | NN__WHEN_JOINING, 0, 0, false, 0, NULL};

NN_PRIVATE const nn__fusion *nn__op_prelu_fusion(void) { return &nn__bend_fusion; }

#endif

typedef int nn__ops_prelu_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
