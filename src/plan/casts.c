/* plan/casts.c - casts all weights of a run to f16 or bf16 in one step, on devices whose kernels
   read these dtypes (nn_backend.halves). There, a launch of its own for each weight costs more than
   the cast. The copies live from the first cast on, and their bytes do not change. */
#include "plan/private.h"

#include "graph/build.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_MIXED_PRECISION)

typedef struct nn__casts_params {
    nn_program_item *items; /* each lowering fills in the views */
    int32_t count;
} nn__casts_params;

/* Inputs: the weights, then the copies but the first, which is the output. The step writes all
   copies, although only one of them can be its output. */
static void nn__casts_lower(const nn_node *node, const nn__lowering *lowering, nn__args *all) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f}};
    const nn__casts_params *p = (const nn__casts_params *)node->params;
    nn_program_args *args = &all->pointwise;
    memset(args, 0, sizeof *args);
    memset(p->items, 0, sizeof *p->items * (size_t)p->count);
    args->program.code = code;
    args->program.count = args->program.input_count = args->program.output_count = 1;
    args->items = p->items;
    args->item_count = p->count;
    args->scratch = lowering->scratch;
    for (int i = 0; i < p->count; i++) {
        p->items[i].inputs[0] = lowering->inputs[i];
        p->items[i].outputs[0] = i ? lowering->inputs[p->count + i - 1] : lowering->output;
    }
}

static const nn__rule nn__rule_casts = {"casts", NN_KERNEL_POINTWISE, NN__ANY_DTYPE,
                                        NN_ACTIVATION_NONE, nn__casts_lower, NULL, NULL, NULL,
                                        NULL};

/* True if step s casts a weight to a half dtype, no earlier step writes the weight, and the plan
   does not keep the copy from run to run. */
static bool nn__casts_takes(const nn_plan *plan, int s) {
    const nn__step *step = &plan->steps[s];
    if (step->device < 0 || step->output < 0 || step->node->rule != nn__cast_rule(NN_F32) ||
        step->activation != NN_ACTIVATION_NONE)
        return false;
    const nn__value *weight = nn__root(plan, step->inputs[0]), *copy = &plan->values[step->output];
    const nn__open_device *open =
        nn__find_device(plan->nn, plan->devices[step->device].device);
    if (weight->node->kind != NN__PARAMETER || weight->node->dtype != NN_F32 ||
        !nn__is_half(copy->node->dtype) || copy->place != NN__PLACE_ARENA || !open ||
        !open->backend->halves ||
        (nn__weight_cache_can(plan) && nn__weight_cache_trusts(plan, step->inputs[0])))
        return false;
    for (int r = 0; r < s; r++)
        for (int i = 0; i < plan->steps[r].node->input_count; i++)
            if (nn__writes(plan->steps[r].node, i) &&
                nn__root(plan, plan->steps[r].inputs[i]) == weight)
                return false;
    return true;
}

/* True if step s can be cast together with step first. */
static bool nn__casts_fit(const nn_plan *plan, int first, int s) {
    return plan->steps[s].device == plan->steps[first].device && nn__casts_takes(plan, s) &&
           plan->values[plan->steps[s].output].node->dtype ==
               plan->values[plan->steps[first].output].node->dtype;
}

/* Joins the cast at step `first` and those after it that fit, `count` in all. False: no memory. */
static bool nn__casts_join(nn_plan *plan, int first, int count) {
    nn__step made = plan->steps[first];
    const int inputs = 2 * count - 1;
    nn_node *node = (nn_node *)nn__arena_take(&plan->arena, sizeof *node);
    nn__casts_params *params =
        (nn__casts_params *)nn__arena_take(&plan->arena, sizeof *params);
    nn_node **nodes = (nn_node **)nn__arena_take(&plan->arena, sizeof *nodes * (size_t)inputs);
    made.inputs = (int *)nn__arena_take(&plan->arena, sizeof *made.inputs * (size_t)inputs);
    if (!node || !params || !nodes || !made.inputs) return false;
    params->items =
        (nn_program_item *)nn__arena_take(&plan->arena, sizeof *params->items * (size_t)count);
    if (!params->items) return false;
    params->count = count;
    for (int s = first, i = 0; i < count; s++) {
        if (!nn__casts_fit(plan, first, s)) continue;
        made.inputs[i] = plan->steps[s].inputs[0];
        if (i) made.inputs[count + i - 1] = plan->steps[s].output;
        i++;
    }
    for (int i = 0; i < inputs; i++) nodes[i] = plan->values[made.inputs[i]].node;
    *node = *made.node;
    node->rule = &nn__rule_casts;
    node->inputs = nodes;
    node->input_count = inputs;
    node->params = params;
    made.node = node;
    if (!nn__plan_supports(plan, &made)) return true;
    for (int s = plan->step_count - 1; s > first; s--) {
        if (!nn__casts_fit(plan, first, s)) continue;
        plan->values[plan->steps[s].output].uses++;
        plan->steps[s].device = -1;
    }
    plan->steps[first] = made;
    return true;
}

NN_PRIVATE bool nn__plan_casts(nn_plan *plan) {
    if (plan->desc.separate_steps) return true;
    for (int first = 0; first < plan->step_count; first++) {
        int count = 0;
        if (!nn__casts_takes(plan, first)) continue;
        for (int s = first; s < plan->step_count; s++) count += nn__casts_fit(plan, first, s);
        if (count > 1 && !nn__casts_join(plan, first, count)) return false;
    }
    return true;
}

#endif

typedef int nn__plan_casts_part; /* a part must not be empty under NN_NO_MIXED_PRECISION */
