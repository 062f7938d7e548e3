/* ops/separable_fusion.c - joins an inverted residual (MobileNet) into one step, in plans that only
   infer. The step contains a depthwise convolution, the 1 x 1 convolution after it, and where
   present the convolution before it (1 x 1, or the net's first) and the residual addition after it.

   The step runs depth first, so intermediate results never leave the cache. Batch norms and
   activations are already part of the convolutions at this point. The order of additions may differ
   from that of the separate steps. */
#include "ops/program.h"
#include "ops/private.h"

#ifndef NN_NO_SPEEDUPS

enum { NN__SEPARABLE_DEPTH, NN__SEPARABLE_PROJECT, NN__SEPARABLE_EXPAND, NN__SEPARABLE_ADD,
       NN__SEPARABLE_READER };

static bool nn__separable_is_expand(const nn_node *node) {
    return nn__op_is_point(node) || nn__op_is_stem(node);
}

/* An addition that another pointwise program reads is not joined: joining the two programs
   (plan/join.c) is better. */
static bool nn__separable_fits(nn__steps *list, int *found) {
    (void)list;
    if (found[NN__SEPARABLE_READER] >= 0) found[NN__SEPARABLE_ADD] = -1;
    found[NN__SEPARABLE_READER] = -1;
    return true;
}

/* Makes the joined step, which replaces the last of its parts. */
static bool nn__separable_join(nn__steps *list, const int *found, nn__step *made) {
    static const int convs[3] = {NN__SEPARABLE_EXPAND, NN__SEPARABLE_DEPTH, NN__SEPARABLE_PROJECT};
    const bool adds = found[NN__SEPARABLE_ADD] >= 0;
    const nn__step *project = &list->steps[found[NN__SEPARABLE_PROJECT]];
    nn__step *step = &made[adds ? NN__SEPARABLE_ADD : NN__SEPARABLE_PROJECT];
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * NN__SEPARABLE_INPUTS),
        count = 0;
    nn__separable_parts parts;
    if (!inputs) return false;
    memset(&parts, 0, sizeof parts);
    for (int i = 0; i < 3; i++) {
        const nn__step *conv = found[convs[i]] >= 0 ? &list->steps[found[convs[i]]] : NULL;
        for (int k = count ? 1 : 0; conv && k < conv->node->input_count; k++)
            inputs[count++] = conv->inputs[k];
    }
    *step = *project;
    if (found[NN__SEPARABLE_EXPAND] >= 0) {
        parts.expand = list->steps[found[NN__SEPARABLE_EXPAND]].node;
        parts.first = list->steps[found[NN__SEPARABLE_EXPAND]].activation;
    }
    parts.depth = list->steps[found[NN__SEPARABLE_DEPTH]].node;
    parts.second = list->steps[found[NN__SEPARABLE_DEPTH]].activation;
    parts.project = project->node;
    if (adds) {
        const nn__step *add = &list->steps[found[NN__SEPARABLE_ADD]];
        inputs[count] = add->inputs[add->inputs[0] == project->output];
        parts.residual = list->values[inputs[count]].node;
        step->output = add->output;
    }
    step->node = nn__op_separable(list->arena, &parts);
    step->inputs = inputs;
    return step->node != NULL;
}

static const nn__fusion_part nn__separable_pattern[] = {
    {NN_KERNEL_CONV2D_FORWARD, 0, nn__op_is_depthwise, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_CONV2D_FORWARD, NN__PART_ALONE, nn__op_is_point, 1,
     {{0, NN__SEPARABLE_DEPTH, NN__RESULT(0), 0}}},
    {NN_KERNEL_CONV2D_FORWARD, NN__PART_OPTIONAL | NN__PART_ALONE, nn__separable_is_expand, 1,
     {{NN__RESULT(0), NN__SEPARABLE_DEPTH, 0, 0}}},
    {NN_KERNEL_POINTWISE, NN__PART_OPTIONAL | NN__PART_ALONE, nn__op_is_addition, 1,
     {{NN__ANY_INPUT, NN__SEPARABLE_PROJECT, NN__RESULT(0), 0}}},
    {NN_KERNEL_POINTWISE, NN__PART_OPTIONAL | NN__PART_ALONE, nn__is_program, 1,
     {{NN__ANY_INPUT, NN__SEPARABLE_ADD, NN__RESULT(0), 0}}}};
static const nn__fusion nn__separable_fusion = {
    nn__separable_pattern, NN__COUNT(nn__separable_pattern), nn__separable_fits, nn__separable_join,
    NN__WHEN_KEEPING | NN__WHEN_JOINING, 0, 0, false, 0, NULL};

NN_PRIVATE const nn__fusion *nn__op_separable_fusion(void) { return &nn__separable_fusion; }

#endif

typedef int nn__ops_separable_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
