/* plan/whole.c - joins a recurrent layer with the product of its inputs and the linear layer after
   it, in plans that only infer for few samples. The joined step keeps its weights packed and goes
   through time with each sample, so that small nets that run sample by sample cost little beside
   their arithmetic.

   The steps are joined only where nothing else reads the values between them and the device has
   the kernel. The joined step adds in another order than the separate steps. */
#include "plan/passes.h"

#ifndef NN_NO_SPEEDUPS

/* With more samples, the separate steps read each weight for several of them at once. */
#define NN__WHOLE_BATCH 4

/* True if all inputs of the step from `first` on are weights that may be kept. */
static bool nn__whole_trusts(const nn_plan *plan, const nn__step *step, int first, int end) {
    for (int i = first; i < end; i++)
        if (!nn__weight_cache_trusts(plan, step->inputs[i])) return false;
    return true;
}

/* True if something reads what a training keeps for its gradient. */
static bool nn__whole_keeps(const nn__step *step) {
    for (int k = 1; k < NN__MAX_OUTPUTS - 1; k++)
        if (step->more[k] >= 0) return true;
    return false;
}

/* Returns a linear step after the layer that may be joined; -1: none. */
static int nn__whole_head(const nn_plan *plan, int layer) {
    const int s = nn__only_reader(plan, plan->steps[layer].output, layer);
    if (s < 0) return -1;
    const nn__step *step = &plan->steps[s];
    return nn__op_is_linear(step->node) && step->activation == NN_ACTIVATION_NONE &&
                   step->inputs[0] == plan->steps[layer].output &&
                   nn__whole_trusts(plan, step, 1, step->node->input_count)
               ? s
               : -1;
}

/* Makes the joined step, which replaces the layer. False: no memory. */
static bool nn__whole_make(nn_plan *plan, int before, int layer, int head, nn__step *made) {
    const nn__whole_layers *whole = plan->nn->whole;
    const int order[3] = {before, layer, head};
    const nn__step *step = &plan->steps[layer];
    int *inputs = (int *)nn__arena_take(&plan->arena, sizeof *inputs * NN__WHOLE_INPUTS), count = 0;
    *made = *step;
    made->node = whole->made(&plan->arena, plan->steps[before].node, step->node,
                             head >= 0 ? plan->steps[head].node : NULL);
    made->inputs = inputs;
    if (!inputs || !made->node) return false;
    const int own = whole->weights(step->node);
    inputs[count++] = plan->steps[before].inputs[0];
    for (int k = 0; k < 3 && order[k] >= 0; k++) {
        const nn__step *from = &plan->steps[order[k]];
        const int end = k == 1 ? own : from->node->input_count;
        for (int i = 1; i < end; i++) inputs[count++] = from->inputs[i];
    }
    for (int i = own; i < step->node->input_count; i++) inputs[count++] = step->inputs[i];
    if (head >= 0) made->output = plan->steps[head].output;
    return true;
}

/* Joins the layer at step s, if it can be. False: no memory. */
static bool nn__whole_join(nn_plan *plan, int s) {
    const nn__whole_layers *whole = plan->nn->whole;
    const nn__step *step = &plan->steps[s];
    nn__step made;
    const int before = nn__only_writer(plan, s);
    if (before < 0 || nn__whole_keeps(step) ||
        plan->devices[step->device].device.kind != NN_CPU)
        return true;
    const nn__step *input = &plan->steps[before];
    if (!nn__op_is_linear(input->node) || input->activation != NN_ACTIVATION_NONE ||
        !nn__whole_trusts(plan, input, 1, input->node->input_count) ||
        !whole->can(input->node, step->node, NULL) ||
        !nn__whole_trusts(plan, step, 1, whole->weights(step->node)))
        return true;
    int head = nn__whole_head(plan, s);
    if (head >= 0 && !whole->can(input->node, step->node, plan->steps[head].node)) head = -1;
    if (!nn__whole_make(plan, before, s, head, &made)) return false;
    nn__resolve_views(plan);
    if (!nn__block_supports(plan, &made)) return true;
    plan->values[step->inputs[0]].uses = 0;
    plan->steps[before].device = -1; /* marks it as gone */
    if (head >= 0) {
        plan->values[step->output].uses = 0;
        plan->steps[head].device = -1;
    }
    plan->steps[s] = made;
    return true;
}

NN_PRIVATE bool nn__plan_whole(nn_plan *plan) {
    if (!plan->nn->whole || plan->desc.separate_steps || plan->desc.batch > NN__WHOLE_BATCH ||
        !nn__weight_cache_can(plan))
        return true;
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].device >= 0 &&
            plan->steps[s].node->rule->kernel == NN_KERNEL_RECURRENT_FORWARD &&
            !nn__whole_join(plan, s))
            return false;
    nn__drop_steps(plan);
    return true;
}
#undef NN__WHOLE_BATCH

#endif

typedef int nn__plan_whole_part; /* a part must not be empty under NN_NO_SPEEDUPS */
