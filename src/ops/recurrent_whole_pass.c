/* ops/recurrent_whole_pass.c - joins a recurrent layer with the product of its inputs and the
   linear layer after it, in plans that only infer for few samples. The joined step keeps its
   weights packed and goes through time with each sample, so that small nets that run sample by
   sample cost little beside their arithmetic.

   The steps are joined only where nothing else reads the values between them and the device has
   the kernel. The joined step adds in another order than the separate steps. */
#include "ops/private.h"

#ifndef NN_NO_SPEEDUPS

/* With more samples, the separate steps read each weight for several of them at once. */
#define NN__WHOLE_BATCH 4

/* Returns the only step that reads the value, if it runs on the device of step `after`; else -1. */
static int nn__whole_reader(const nn__steps *list, int value, int after) {
    const nn__value *v = &list->values[value];
    if (v->place != NN__PLACE_ARENA || v->kept || v->uses != 1) return -1;
    for (int s = after + 1; s < list->step_count; s++) {
        const nn__step *step = &list->steps[s];
        for (int i = 0; step->device >= 0 && i < step->node->input_count; i++)
            if (step->inputs[i] == value) return step->device == list->steps[after].device ? s : -1;
    }
    return -1;
}

/* Returns the step whose output is read only by the layer, as its first input; -1: none. */
static int nn__whole_writer(const nn__steps *list, int layer) {
    const int value = list->steps[layer].inputs[0];
    for (int s = layer - 1; s >= 0; s--)
        if (list->steps[s].device >= 0 && list->steps[s].output == value)
            return nn__whole_reader(list, value, s) == layer ? s : -1;
    return -1;
}

/* True if the inputs [1, end) of the step are weights that may be kept. */
static bool nn__whole_trusts(nn__steps *list, const nn__step *step, int end) {
    nn_node node = *step->node;
    nn__step part = *step;
    node.input_count = end;
    part.node = &node;
    return list->trusts(list, &part, 1);
}

/* True if something reads what a training keeps for its gradient. */
static bool nn__whole_keeps(const nn__step *step) {
    for (int k = 1; k < NN__MAX_OUTPUTS - 1; k++)
        if (step->more[k] >= 0) return true;
    return false;
}

/* Returns a linear step after the layer that may be joined; -1: none. */
static int nn__whole_head(nn__steps *list, int layer) {
    const int s = nn__whole_reader(list, list->steps[layer].output, layer);
    if (s < 0) return -1;
    const nn__step *step = &list->steps[s];
    return nn__op_is_linear(step->node) && step->activation == NN_ACTIVATION_NONE &&
                   step->inputs[0] == list->steps[layer].output &&
                   nn__whole_trusts(list, step, step->node->input_count)
               ? s
               : -1;
}

/* Makes the joined step, which replaces the layer. False: no memory. */
static bool nn__whole_make(nn__steps *list, int before, int layer, int head, nn__step *made) {
    const nn__whole_layers *whole = nn__op_whole_layers();
    const int order[3] = {before, layer, head};
    const nn__step *step = &list->steps[layer];
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * NN__WHOLE_INPUTS), count = 0;
    *made = *step;
    made->node = whole->made(list->arena, list->steps[before].node, step->node,
                             head >= 0 ? list->steps[head].node : NULL);
    made->inputs = inputs;
    if (!inputs || !made->node) return false;
    const int own = whole->weights(step->node);
    inputs[count++] = list->steps[before].inputs[0];
    for (int k = 0; k < 3 && order[k] >= 0; k++) {
        const nn__step *from = &list->steps[order[k]];
        const int end = k == 1 ? own : from->node->input_count;
        for (int i = 1; i < end; i++) inputs[count++] = from->inputs[i];
    }
    for (int i = own; i < step->node->input_count; i++) inputs[count++] = step->inputs[i];
    if (head >= 0) made->output = list->steps[head].output;
    return true;
}

/* Joins the layer at step s, if it can be. False: no memory. */
static bool nn__whole_join(nn__steps *list, int s) {
    const nn__whole_layers *whole = nn__op_whole_layers();
    const nn__step *step = &list->steps[s];
    nn__step made;
    const int before = nn__whole_writer(list, s);
    if (before < 0 || nn__whole_keeps(step)) return true;
    const nn__step *input = &list->steps[before];
    if (!nn__op_is_linear(input->node) || input->activation != NN_ACTIVATION_NONE ||
        !nn__whole_trusts(list, input, input->node->input_count) ||
        !whole->can(input->node, step->node, NULL) ||
        !nn__whole_trusts(list, step, whole->weights(step->node)))
        return true;
    int head = nn__whole_head(list, s);
    if (head >= 0 && !whole->can(input->node, step->node, list->steps[head].node)) head = -1;
    if (!nn__whole_make(list, before, s, head, &made)) return false;
    if (!list->supports(list, &made)) return true;
    list->values[step->inputs[0]].uses = 0;
    list->steps[before].device = -1; /* marks it as gone */
    if (head >= 0) {
        list->values[step->output].uses = 0;
        list->steps[head].device = -1;
    }
    list->steps[s] = made;
    return true;
}

NN_PRIVATE bool nn__op_whole_pass(nn__steps *list) {
    int left = 0;
    if (list->separate || list->batch > NN__WHOLE_BATCH || !list->keeps) return true;
    for (int s = 0; s < list->step_count; s++)
        if (list->steps[s].device >= 0 &&
            list->steps[s].node->rule->kernel == NN_KERNEL_RECURRENT_FORWARD &&
            !nn__whole_join(list, s))
            return false;
    for (int s = 0; s < list->step_count; s++)
        if (list->steps[s].device >= 0) list->steps[left++] = list->steps[s];
    list->step_count = left;
    return true;
}
#undef NN__WHOLE_BATCH

#endif

typedef int nn__ops_recurrent_whole_pass_part; /* a part must not be empty under NN_NO_SPEEDUPS */
