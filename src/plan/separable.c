/* plan/separable.c - joins an inverted residual (MobileNet) into one step, in plans that only
   infer. The step contains a depthwise convolution, the 1 x 1 convolution after it, and where
   present the convolution before it (1 x 1, or the net's first) and the residual addition after it.

   The step runs depth first, so intermediate results never leave the cache. The steps are joined
   only where nothing else reads the intermediate values and the device has the kernel. Batch norms
   and activations are already part of the convolutions at this point. The joined step may add in
   another order than the separate steps. */
#include "ops/program.h"
#include "plan/passes.h"

#ifndef NN_NO_SPEEDUPS

typedef struct nn__separable_steps {
    int expand, depth, project, add; /* expand and add may be -1 */
} nn__separable_steps;

NN_PRIVATE int nn__only_reader(const nn_plan *plan, int value, int after) {
    const nn__value *v = &plan->values[value];
    if (v->place != NN__PLACE_ARENA || v->kept || v->uses != 1) return -1;
    for (int s = after + 1; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        for (int i = 0; step->device >= 0 && i < step->node->input_count; i++)
            if (step->inputs[i] == value) return step->device == plan->steps[after].device ? s : -1;
    }
    return -1;
}

NN_PRIVATE int nn__only_writer(const nn_plan *plan, int reader) {
    const int value = plan->steps[reader].inputs[0];
    for (int s = reader - 1; s >= 0; s--)
        if (plan->steps[s].device >= 0 && plan->steps[s].output == value)
            return nn__only_reader(plan, value, s) == reader ? s : -1;
    return -1;
}

/* True if the step is an addition that is not read by another pointwise program. With such a
   reader, joining the two programs (plan/join.c) is better. */
static bool nn__separable_adds(const nn_plan *plan, int s) {
    const nn__step *step = &plan->steps[s];
    const int reader = nn__only_reader(plan, step->output, s);
    return nn__op_is_addition(step->node) && step->inputs[0] != step->inputs[1] &&
           (reader < 0 || !nn__is_program(plan->steps[reader].node));
}

static bool nn__separable_find(const nn_plan *plan, int d, nn__separable_steps *steps) {
    const nn__step *depth = &plan->steps[d];
    if (depth->device < 0 || plan->devices[depth->device].device.kind != NN_CPU ||
        !nn__op_is_depthwise(depth->node))
        return false;
    steps->depth = d;
    steps->project = nn__only_reader(plan, depth->output, d);
    if (steps->project < 0 || !nn__op_is_point(plan->steps[steps->project].node) ||
        plan->steps[steps->project].inputs[0] != depth->output)
        return false;
    steps->expand = nn__only_writer(plan, d);
    if (steps->expand >= 0 && !nn__op_is_point(plan->steps[steps->expand].node) &&
        !nn__op_is_stem(plan->steps[steps->expand].node))
        steps->expand = -1;
    steps->add = nn__only_reader(plan, plan->steps[steps->project].output, steps->project);
    if (steps->add >= 0 && !nn__separable_adds(plan, steps->add)) steps->add = -1;
    return true;
}

/* Makes the joined step, which replaces the last of its parts. Returns false without memory. *can
   tells whether the device supports the step. */
static bool nn__separable_join(nn_plan *plan, const nn__separable_steps *steps, nn__step *made,
                               bool *can) {
    const int convs[3] = {steps->expand, steps->depth, steps->project};
    const nn__step *project = &plan->steps[steps->project];
    int *inputs = (int *)nn__arena_take(&plan->arena, sizeof *inputs * NN__SEPARABLE_INPUTS),
        count = 0;
    nn__separable_parts parts;
    if (!inputs) return false;
    memset(&parts, 0, sizeof parts);
    for (int i = 0; i < 3; i++) {
        const nn__step *conv = convs[i] >= 0 ? &plan->steps[convs[i]] : NULL;
        for (int k = count ? 1 : 0; conv && k < conv->node->input_count; k++)
            inputs[count++] = conv->inputs[k];
    }
    *made = *project;
    if (steps->expand >= 0) {
        parts.expand = plan->steps[steps->expand].node;
        parts.first = plan->steps[steps->expand].activation;
    }
    parts.depth = plan->steps[steps->depth].node;
    parts.second = plan->steps[steps->depth].activation;
    parts.project = project->node;
    if (steps->add >= 0) {
        const nn__step *add = &plan->steps[steps->add];
        inputs[count] = add->inputs[add->inputs[0] == project->output];
        parts.residual = plan->values[inputs[count]].node;
        made->output = add->output;
    }
    made->node = nn__op_separable(&plan->arena, &parts);
    made->inputs = inputs;
    if (!made->node) return false;
    *can = nn__block_supports(plan, made);
    return true;
}

NN_PRIVATE void nn__drop_steps(nn_plan *plan) {
    int kept = 0;
    for (int i = 0; i < plan->step_count; i++)
        if (plan->steps[i].device >= 0) plan->steps[kept++] = plan->steps[i];
    plan->step_count = kept;
}

NN_PRIVATE bool nn__plan_separable(nn_plan *plan) {
    nn__separable_steps steps;
    nn__step made;
    bool can = false, resolved = false;
    if (plan->desc.separate_steps || !nn__weight_cache_can(plan)) return true;
    for (int d = 0; d < plan->step_count; d++) {
        if (!nn__separable_find(plan, d, &steps)) continue;
        if (!resolved) nn__resolve_views(plan);
        resolved = true;
        if (!nn__separable_join(plan, &steps, &made, &can)) return false;
        if (!can) continue;
        plan->values[plan->steps[d].output].uses = 0;
        plan->steps[d].device = -1; /* marks it as gone */
        if (steps.expand >= 0) {
            plan->values[plan->steps[steps.expand].output].uses = 0;
            plan->steps[steps.expand].device = -1;
        }
        if (steps.add >= 0) {
            plan->values[plan->steps[steps.project].output].uses = 0;
            plan->steps[steps.project].device = -1;
        }
        plan->steps[steps.add >= 0 ? steps.add : steps.project] = made;
    }
    nn__drop_steps(plan);
    return true;
}

#endif

typedef int nn__plan_separable_part; /* a part must not be empty under NN_NO_SPEEDUPS */
