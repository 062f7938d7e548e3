/* plan/rewrite.c - applies fusions (graph/fusion.h) to the steps of a plan: those that operations
   added to the context, and those of plan/launches.c.

   Three rewritings are no fusions. Epilogues (plan/order.c) are needed by firmware, which has no
   fusions, and are joined with one look at each step. Pointwise programs (plan/join.c) join any
   number of steps, and what they become is computed. There are as many updates of running
   statistics (plan/launches.c) as the net has norms, and they share no value. */
#include "plan/private.h"

#ifndef NN_NO_SPEEDUPS

/* Returns the plan with the lists as the fusion left them. */
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
    return nn__plan_supports(nn__rewrite_plan(list), step);
}

/* A joined step may have more inputs than all steps of the net. */
static bool nn__rewrite_room(nn_plan *plan, int inputs) {
    if (inputs <= plan->view_room) return true;
    nn_view *views = (nn_view *)nn__arena_take(&plan->arena, sizeof *views * (size_t)inputs);
    if (!views) return false;
    plan->views = views;
    plan->view_room = inputs;
    return true;
}

/* A question about a step's kernel. */
typedef enum nn__rewrite_question {
    NN__REWRITE_SUPPORTS,
    NN__REWRITE_HALVES, /* does it take f16 and bf16 in place of f32? */
    NN__REWRITE_ROUNDS  /* does it round the operands of its products to bf16? */
} nn__rewrite_question;

static bool nn__rewrite_asks(nn_plan *plan, nn__step *step, nn__rewrite_question question) {
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    const nn_kernel kernel = step->node->rule->kernel;
    char reason[200];
    nn__args args;
    if (!open || !nn__has_kernel(open->backend, kernel) ||
        !nn__rewrite_room(plan, step->node->input_count))
        return false;
    for (int i = 0; i < step->node->input_count; i++) nn__resolve_view(plan, step->inputs[i]);
    for (int k = -1; k < NN__MAX_OUTPUTS - 1; k++)
        if ((k < 0 ? step->output : step->more[k]) >= 0)
            nn__resolve_view(plan, k < 0 ? step->output : step->more[k]);
    step->args = &args;
    nn__lower_step(plan, step);
    step->args = NULL;
    if (!nn__supports(open, kernel, &args, reason, sizeof reason)) return false;
#ifndef NN_NO_MIXED_PRECISION
    if (question == NN__REWRITE_HALVES) return open->backend->halves(open->state, kernel, &args);
    if (question == NN__REWRITE_ROUNDS) {
        const char *format = open->backend->rounds
                                 ? open->backend->rounds(open->state, kernel, &args, reason,
                                                         sizeof reason)
                                 : NULL;
        return format && strcmp(format, "bf16") == 0;
    }
#endif
    (void)question;
    return true;
}

NN_PRIVATE bool nn__plan_supports(nn_plan *plan, nn__step *step) {
    return nn__rewrite_asks(plan, step, NN__REWRITE_SUPPORTS);
}

#ifndef NN_NO_MIXED_PRECISION
NN_PRIVATE bool nn__plan_takes_halves(nn_plan *plan, nn__step *step) {
    return nn__rewrite_asks(plan, step, NN__REWRITE_HALVES);
}

NN_PRIVATE bool nn__plan_rounds_to_bf16(nn_plan *plan, nn__step *step) {
    return nn__rewrite_asks(plan, step, NN__REWRITE_ROUNDS);
}
#endif

NN_PRIVATE bool nn__plan_apply(nn_plan *plan, const nn__fusion *fusion) {
    nn__steps list;
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
    const bool fine = plan->nn->fuse(&list, fusion);
    (void)nn__rewrite_plan(&list);
    return fine;
}

NN_PRIVATE bool nn__plan_rewrite(nn_plan *plan, nn__fusion_order order) {
    const nn__fusion *fusion = plan->nn->fusions[order];
    return !fusion || nn__plan_apply(plan, fusion);
}

#endif

typedef int nn__plan_rewrite_part; /* a part must not be empty under NN_NO_SPEEDUPS */
