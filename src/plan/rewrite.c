/* plan/rewrite.c - runs the passes that operations added to the context (graph/steps.h). */
#include "plan/private.h"

#ifndef NN_NO_SPEEDUPS

/* The plan with the lists as the pass left them. */
static nn_plan *nn__rewrite_plan(const nn__steps *list) {
    nn_plan *plan = (nn_plan *)list->plan;
    plan->steps = list->steps;
    plan->values = list->values;
    plan->step_count = list->step_count;
    plan->value_count = list->value_count;
    return plan;
}

static bool nn__rewrite_trusts(nn__steps *list, const nn__step *step, int first) {
    return nn__weight_cache_trusts_step(nn__rewrite_plan(list), step, first);
}

static bool nn__rewrite_supports(nn__steps *list, nn__step *step) {
    nn_plan *plan = nn__rewrite_plan(list);
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    const nn_kernel kernel = step->node->rule->kernel;
    char reason[200];
    nn__args args;
    if (!open || !nn__has_kernel(open->backend, kernel)) return false;
    nn__resolve_views(plan);
    step->args = &args;
    nn__lower_step(plan, step);
    step->args = NULL;
    return nn__supports(open, kernel, &args, reason, sizeof reason);
}

NN_PRIVATE bool nn__plan_rewrite(nn_plan *plan, nn__pass_order pass) {
    nn__steps list;
    if (!plan->nn->passes[pass]) return true;
    memset(&list, 0, sizeof list);
    list.plan = plan;
    list.arena = &plan->arena;
    list.steps = plan->steps;
    list.values = plan->values;
    list.step_count = plan->step_count;
    list.value_count = plan->value_count;
    list.batch = plan->desc.batch;
    list.time = plan->desc.time;
    list.training = plan->training;
    list.separate = plan->desc.separate_steps;
    list.keeps = nn__weight_cache_can(plan);
    list.trusts = nn__rewrite_trusts;
    list.supports = nn__rewrite_supports;
    const bool fine = plan->nn->passes[pass](&list);
    (void)nn__rewrite_plan(&list);
    return fine;
}

#endif

typedef int nn__plan_rewrite_part; /* a part must not be empty under NN_NO_SPEEDUPS */
