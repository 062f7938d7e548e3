/* plan/prewarm.c - does in advance what a first run does besides computing: builds kernels, makes
   the buffers of backends, reserves rows of the ledger. */
#include "plan/private.h"

#define NN__PREWARM_ROWS  32 /* rows of the ledger for loader fields, uploads and reports */
#define NN__PREWARM_STEPS 16 /* steps whose kernels are built together, if progress is reported */

typedef struct nn__prewarm {
    nn_prewarm_progress progress;
    int done, count;
} nn__prewarm;

/* Prepares a step at several sizes, because a backend may choose other kernels for smaller batches
   and times. */
static nn_result nn__prewarm_step(nn_plan *plan, nn__step *step) {
    nn_result result = NN_OK;
    unsigned kind;
    const int at = (int)(step - plan->steps), steps = nn__chain_last(plan, at) - at + 1;
    plan->run.batch = plan->desc.batch;
    plan->run.time = plan->desc.time;
    do {
        kind = 0;
        for (int i = 0; i < steps; i++) {
            kind |= nn__resize_step(plan, &step[i]);
            nn__lower_step(plan, &step[i]);
        }
        result = nn__in_chain(step) ? nn__chain_prepare(plan, step, "nn_prewarm")
                                    : nn__prepare_step(plan, step, "nn_prewarm");
    } while (result >= 0 &&
             nn__shrink_run(plan, kind, kind == (NN__OF_BATCH | NN__OF_TIME) ? 8 : 256));
    return result;
}

static int nn__prewarm_transfers(const nn_plan *plan) {
    int count = 0;
    for (int i = 0; i < plan->step_count; i++)
        count += (plan->steps[i].node->rule->flags & NN__TRANSFER) != 0;
    return count;
}

static bool nn__prewarm_tell(const nn__prewarm *prewarm, const char *name) {
    return !prewarm->progress.function ||
           prewarm->progress.function(prewarm->progress.user, prewarm->done, prewarm->count, name);
}

/* Prepares the steps [first, end). collects: only those of devices that collect, which then note
   the kernels. */
static nn_result nn__prewarm_steps(nn_plan *plan, nn__prewarm *prewarm, int first, int end,
                                   bool collects) {
    nn_result result = NN_OK;
    for (int i = first; result == NN_OK && i < end; i++) {
        nn__step *step = &plan->steps[i];
        if (collects && !nn__collects(plan, step)) continue;
        if (!collects && !nn__prewarm_tell(prewarm, step->node->name))
            result = NN_CANCELLED;
        else if (step->node->rule->kernel != NN_KERNEL_NONE && nn__chain_first(plan, i) == i)
            result = nn__prewarm_step(plan, step);
        prewarm->done += !collects;
    }
    return result;
}

static nn_result nn__prewarm_plan(nn_plan *plan, nn__prewarm *prewarm) {
    const nn__run_values run = plan->run;
    const int each = prewarm->progress.function ? NN__PREWARM_STEPS : plan->step_count;
    nn_result result = NN_OK;
    nn__resolve_views(plan);
    for (int i = 0; result == NN_OK && i < plan->step_count; i += each) {
        const int end = nn__mini(i + each, plan->step_count);
        if (nn__collect(plan, true)) result = nn__prewarm_steps(plan, prewarm, i, end, true);
        nn__collect(plan, false);
        if (result == NN_OK) result = nn__prewarm_steps(plan, prewarm, i, end, false);
    }
    nn__has_collected(plan);
    if (result == NN_OK) result = nn__chain_warm(plan, "nn_prewarm");
    plan->run = run;
    plan->lowered = false;
    nn__resolve_views(plan);
    return result;
}

static nn_result nn__inside_prewarm(nn_site site, nn_plan *plan,
                                    const nn_prewarm_progress *progress) {
    nn__prewarm prewarm;
    int rows = NN__PREWARM_ROWS;
    nn_result result = nn__check_plan(plan, site, "nn_prewarm");
    if (result < 0) return result;
    if (plan->running)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_ARGUMENT,
            "nn_prewarm: a run in slices is under way; call nn_run_for until it is done, or "
            "nn_prewarm before the first run");
    memset(&prewarm, 0, sizeof prewarm);
    if (progress) prewarm.progress = *progress;
    for (const nn_plan *one = plan; one; one = one->also) {
        prewarm.count += one->step_count;
        rows += nn__prewarm_transfers(one);
    }
    nn__ledger_reserve(plan->nn, rows);
    for (nn_plan *one = plan; one && result == NN_OK; one = one->also)
        result = nn__prewarm_plan(one, &prewarm);
    if (result == NN_OK && !nn__prewarm_tell(&prewarm, "")) result = NN_CANCELLED;
    return result;
}

NN_API nn_result nn_prewarm_at(nn_site site, nn_plan *plan, const nn_prewarm_progress *progress) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_prewarm", site,
                     nn__inside_prewarm(site, plan, progress));
}

#undef NN__PREWARM_ROWS
#undef NN__PREWARM_STEPS
