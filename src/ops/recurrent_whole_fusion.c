/* ops/recurrent_whole_fusion.c - joins a recurrent layer with the product of its inputs and the
   linear layer after it, in plans that only infer for few samples. The joined step keeps its
   weights packed and goes through time with each sample, so that small nets that run sample by
   sample take little more time than their arithmetic. It adds in a different order from the
   separate steps. */
#include "ops/recurrent_private.h"

#ifndef NN_NO_SPEEDUPS

enum { NN__WHOLE_LAYER, NN__WHOLE_BEFORE, NN__WHOLE_HEAD };

/* With more samples, the separate steps read each weight for several of them at once. */
#define NN__WHOLE_BATCH 4

/* True if the inputs [1, end) of the step are weights that may be kept. */
static bool nn__whole_trusts(nn__steps *list, const nn__step *step, int end) {
    nn_node node = *step->node;
    nn__step part = *step;
    node.input_count = end;
    part.node = &node;
    return list->trusts(list, &part, 1);
}

static bool nn__whole_fits(nn__steps *list, int *found) {
    const nn__whole_layers *whole = nn__op_whole_layers();
    const nn__step *layer = &list->steps[found[NN__WHOLE_LAYER]];
    const nn__step *before = &list->steps[found[NN__WHOLE_BEFORE]];
    int *const h = &found[NN__WHOLE_HEAD];
    const nn__step *head = *h >= 0 ? &list->steps[*h] : NULL;
    if (!whole->can(before->node, layer->node, NULL) ||
        !nn__whole_trusts(list, before, before->node->input_count) ||
        !nn__whole_trusts(list, layer, whole->weights(layer->node)))
        return false;
    if (head && (!nn__whole_trusts(list, head, head->node->input_count) ||
                 !whole->can(before->node, layer->node, head->node)))
        *h = -1;
    return true;
}

/* Makes the joined step, which replaces the layer. */
static bool nn__whole_make(nn__steps *list, const int *found, nn__step *made) {
    static const int order[3] = {NN__WHOLE_BEFORE, NN__WHOLE_LAYER, NN__WHOLE_HEAD};
    const nn__whole_layers *whole = nn__op_whole_layers();
    const nn__step *layer = &list->steps[found[NN__WHOLE_LAYER]];
    const nn__step *before = &list->steps[found[NN__WHOLE_BEFORE]];
    const nn__step *head =
        found[NN__WHOLE_HEAD] >= 0 ? &list->steps[found[NN__WHOLE_HEAD]] : NULL;
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * NN__WHOLE_INPUTS), count = 0;
    made->node = whole->made(list->arena, before->node, layer->node, head ? head->node : NULL);
    made->inputs = inputs;
    if (!inputs || !made->node) return false;
    const int own = whole->weights(layer->node);
    inputs[count++] = before->inputs[0];
    for (int k = 0; k < 3 && found[order[k]] >= 0; k++) {
        const nn__step *from = &list->steps[found[order[k]]];
        const int end = k == 1 ? own : from->node->input_count;
        for (int i = 1; i < end; i++) inputs[count++] = from->inputs[i];
    }
    for (int i = own; i < layer->node->input_count; i++) inputs[count++] = layer->inputs[i];
    if (head) made->output = head->output;
    for (int k = 1; k < NN__MAX_OUTPUTS - 1; k++) made->more[k] = -1; /* only gradients read them */
    return true;
}

static const nn__fusion_part nn__whole_pattern[] = {
    {NN_KERNEL_RECURRENT_FORWARD, 0, NULL, 0, {{0, 0, 0, 0}}},
    {NN_KERNEL_NONE, NN__PART_ALONE | NN__PART_PLAIN, nn__op_is_linear, 1,
     {{NN__RESULT(0), NN__WHOLE_LAYER, 0, 0}}},
    {NN_KERNEL_NONE, NN__PART_OPTIONAL | NN__PART_ALONE | NN__PART_PLAIN, nn__op_is_linear, 1,
     {{0, NN__WHOLE_LAYER, NN__RESULT(0), 0}}}};
static const nn__fusion nn__whole_fusion = {
    nn__whole_pattern, NN__COUNT(nn__whole_pattern), nn__whole_fits, nn__whole_make,
    NN__WHEN_KEEPING | NN__WHEN_JOINING, NN__WHOLE_BATCH, 0, false, 0, NULL};

NN_PRIVATE const nn__fusion *nn__op_whole_fusion(void) { return &nn__whole_fusion; }
#undef NN__WHOLE_BATCH

#endif

typedef int nn__ops_recurrent_whole_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
