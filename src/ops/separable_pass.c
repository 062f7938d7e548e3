/* ops/separable_pass.c - joins an inverted residual (MobileNet) into one step, in plans that only
   infer. The step contains a depthwise convolution, the 1 x 1 convolution after it, and where
   present the convolution before it (1 x 1, or the net's first) and the residual addition after it.

   The step runs depth first, so intermediate results never leave the cache. The steps are joined
   only where nothing else reads the intermediate values and the device has the kernel. Batch norms
   and activations are already part of the convolutions at this point. The joined step may add in
   another order than the separate steps. */
#include "ops/program.h"
#include "ops/private.h"

#ifndef NN_NO_SPEEDUPS

typedef struct nn__separable_steps {
    int expand, depth, project, add; /* expand and add may be -1 */
} nn__separable_steps;

/* Returns the only step that reads the value, if it runs on the device of step `after`; else -1. */
static int nn__separable_reader(const nn__steps *list, int value, int after) {
    const nn__value *v = &list->values[value];
    if (v->place != NN__PLACE_ARENA || v->kept || v->uses != 1) return -1;
    for (int s = after + 1; s < list->step_count; s++) {
        const nn__step *step = &list->steps[s];
        for (int i = 0; step->device >= 0 && i < step->node->input_count; i++)
            if (step->inputs[i] == value) return step->device == list->steps[after].device ? s : -1;
    }
    return -1;
}

/* Returns the step whose output is read only by step `reader`, as its first input; -1: none. */
static int nn__separable_writer(const nn__steps *list, int reader) {
    const int value = list->steps[reader].inputs[0];
    for (int s = reader - 1; s >= 0; s--)
        if (list->steps[s].device >= 0 && list->steps[s].output == value)
            return nn__separable_reader(list, value, s) == reader ? s : -1;
    return -1;
}

/* True if the step is an addition that is not read by another pointwise program. With such a
   reader, joining the two programs (plan/join.c) is better. */
static bool nn__separable_adds(const nn__steps *list, int s) {
    const nn__step *step = &list->steps[s];
    const int reader = nn__separable_reader(list, step->output, s);
    return nn__op_is_addition(step->node) && step->inputs[0] != step->inputs[1] &&
           (reader < 0 || !nn__is_program(list->steps[reader].node));
}

static bool nn__separable_find(const nn__steps *list, int d, nn__separable_steps *steps) {
    const nn__step *depth = &list->steps[d];
    if (depth->device < 0 || !nn__op_is_depthwise(depth->node))
        return false;
    steps->depth = d;
    steps->project = nn__separable_reader(list, depth->output, d);
    if (steps->project < 0 || !nn__op_is_point(list->steps[steps->project].node) ||
        list->steps[steps->project].inputs[0] != depth->output)
        return false;
    steps->expand = nn__separable_writer(list, d);
    if (steps->expand >= 0 && !nn__op_is_point(list->steps[steps->expand].node) &&
        !nn__op_is_stem(list->steps[steps->expand].node))
        steps->expand = -1;
    steps->add = nn__separable_reader(list, list->steps[steps->project].output, steps->project);
    if (steps->add >= 0 && !nn__separable_adds(list, steps->add)) steps->add = -1;
    return true;
}

/* Makes the joined step, which replaces the last of its parts. Returns false without memory. *can
   tells whether the device supports the step. */
static bool nn__separable_join(nn__steps *list, const nn__separable_steps *steps, nn__step *made,
                               bool *can) {
    const int convs[3] = {steps->expand, steps->depth, steps->project};
    const nn__step *project = &list->steps[steps->project];
    int *inputs = (int *)nn__arena_take(list->arena, sizeof *inputs * NN__SEPARABLE_INPUTS),
        count = 0;
    nn__separable_parts parts;
    if (!inputs) return false;
    memset(&parts, 0, sizeof parts);
    for (int i = 0; i < 3; i++) {
        const nn__step *conv = convs[i] >= 0 ? &list->steps[convs[i]] : NULL;
        for (int k = count ? 1 : 0; conv && k < conv->node->input_count; k++)
            inputs[count++] = conv->inputs[k];
    }
    *made = *project;
    if (steps->expand >= 0) {
        parts.expand = list->steps[steps->expand].node;
        parts.first = list->steps[steps->expand].activation;
    }
    parts.depth = list->steps[steps->depth].node;
    parts.second = list->steps[steps->depth].activation;
    parts.project = project->node;
    if (steps->add >= 0) {
        const nn__step *add = &list->steps[steps->add];
        inputs[count] = add->inputs[add->inputs[0] == project->output];
        parts.residual = list->values[inputs[count]].node;
        made->output = add->output;
    }
    made->node = nn__op_separable(list->arena, &parts);
    made->inputs = inputs;
    if (!made->node) return false;
    *can = list->supports(list, made);
    return true;
}

NN_PRIVATE bool nn__op_separable_pass(nn__steps *list) {
    nn__separable_steps steps;
    nn__step made;
    int kept = 0;
    bool can = false;
    if (list->separate || !list->keeps) return true;
    for (int d = 0; d < list->step_count; d++) {
        if (!nn__separable_find(list, d, &steps)) continue;
        if (!nn__separable_join(list, &steps, &made, &can)) return false;
        if (!can) continue;
        list->values[list->steps[d].output].uses = 0;
        list->steps[d].device = -1; /* marks it as gone */
        if (steps.expand >= 0) {
            list->values[list->steps[steps.expand].output].uses = 0;
            list->steps[steps.expand].device = -1;
        }
        if (steps.add >= 0) {
            list->values[list->steps[steps.project].output].uses = 0;
            list->steps[steps.project].device = -1;
        }
        list->steps[steps.add >= 0 ? steps.add : steps.project] = made;
    }
    for (int i = 0; i < list->step_count; i++)
        if (list->steps[i].device >= 0) list->steps[kept++] = list->steps[i];
    list->step_count = kept;
    return true;
}

#endif

typedef int nn__ops_separable_pass_part; /* a part must not be empty under NN_NO_SPEEDUPS */
