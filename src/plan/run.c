/* plan/run.c - runs the steps of a plan, whole or in slices. Nothing is allocated here, and nothing
   crosses devices except by nn_transfer and by detours over the CPU. */
#include "plan/private.h"

/* Poisoning is for tests, which need reports. */
static bool nn__run_poisons(const nn_plan *plan) {
#ifdef NN_NO_REPORTS
    (void)plan;
    return false;
#else
    return plan->desc.poison;
#endif
}

/* Fails if a tensor of the plan is mapped. */
static nn_result nn__run_mapped(const nn_plan *plan, nn_site site, const char *who) {
#ifdef NN__ONE_PIECE
    (void)plan, (void)site, (void)who;
#else
    for (int i = 0; plan->nn->mapped && i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        const nn_tensor *tensor = value->bound                        ? value->bound
                                  : value->place == NN__PLACE_TENSOR ? value->node->tensor
                                                                     : NULL;
        if (nn__is_mapped(tensor)) return nn__fail_mapped(tensor, site, who);
    }
#endif
    return NN_OK;
}

NN_PRIVATE nn_result nn__run_ready(nn_plan *plan, bool whole, nn_site site, const char *who) {
    (void)whole; /* the smallest programs (NN__ONE_PIECE) do not check it */
    nn_result result = nn__check_plan(plan, site, who);
    if (result >= 0)
        result = nn__check_slicing(plan->nn, plan->net->slicing, &plan->slicing, whole, site, who);
    if (result >= 0) result = nn__known_fault(plan, site, who);
    if (result >= 0) result = nn__check_untorn(plan->net, site, who);
#ifndef NN__ONE_PIECE
    if (result >= 0 && plan->borrows) result = nn__check_borrowed(plan, site, who);
    if (result >= 0 && plan->process && plan->process != nn__helpers_process())
        result = nn__fail_at(plan->nn, site, NN_ERROR_GROUP,
                             "%s: this process was made by fork(), and the plan writes gradients "
                             "where the ranks of its parent add them", who);
#endif
    if (result >= 0) result = nn__run_inputs(plan);
    if (result >= 0) result = nn__run_mapped(plan, site, who);
    return result >= 0 ? nn__lower_plan(plan) : result;
}

static nn_result nn__run_begin(nn_plan *plan, bool whole, nn_site site, const char *who) {
    nn_result result = nn__run_ready(plan, whole, site, who);
    if (result >= 0 && !plan->tape)
        result = nn__clear_status(plan); /* a plan without a trainer reports the faults of one
                                            run */
    if (result < 0) return result;
    for (int i = nn__first_given(plan); i < plan->value_count; i = nn__next_given(plan, i))
        plan->values[i].anew = false;
    nn__weight_cache_begin(plan);
#ifndef NN_NO_TRAINING
    for (int i = 0; i < nn__plan_devices(plan); i++) plan->devices[i].fresh = false;
#endif
    plan->step = plan->unit = 0;
    plan->running = true;
    plan->ran = false;
#ifndef NN_NO_REPORTS
    for (int i = 0; nn__run_poisons(plan) && i < nn__plan_devices(plan); i++) {
        const nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        for (const nn__piece *block = device->arena; block->arena; block++)
            open->backend->fill(open->state, block->handle, 0, block->arena, 0xff);
    }
#endif
    return NN_OK;
}

/* Overwrites the values whose last step is s. */
static void nn__run_poison(nn_plan *plan, int s) {
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_ARENA || value->front || value->last != s) continue;
        const nn__plan_device *device = &plan->devices[nn__plan_device_of(plan, value->node)];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        nn_view view;
        nn__storage(device, true, value->offset, &view);
        open->backend->fill(open->state, view.handle, view.offset, value->bytes, 0xff);
    }
}

#ifndef NN__ONE_PIECE
static nn_result nn__run_transfer(nn_plan *plan, nn__step *step) {
    const nn_node *node = step->node, *from = node->inputs[0];
    const nn_view *to_view = &plan->values[step->output].view,
                  *from_view = &plan->values[step->inputs[0]].view;
    return plan->nn->cross(plan->nn, node->device, to_view, from->device, from_view,
                           nn__bytes(to_view), plan->staging, plan->staging_bytes, node->name,
                           node->site);
}
#else
#define nn__run_transfer(plan, step) NN_OK /* one device has no transfers */
#endif

#ifndef NN_NO_REPORTS
static void nn__run_tell(nn_plan *plan, nn__run_moment moment) {
    if (plan->profiler) plan->profiler->tell(plan, moment);
}
#else
#define nn__run_tell(plan, moment) ((void)0)
#endif

/* Returns the number of units of the step, which differs while the step prepares its weights. */
#ifndef NN_NO_SPEEDUPS
static int32_t nn__run_units(const nn__open_device *open, const nn__step *step, bool makes) {
    return makes ? open->backend->units(open->state, step->node->rule->kernel, step->args)
                 : step->units;
}
#define nn__run_is_ready(step) ((step)->ready = true)
#else
#define nn__run_units(open, step, makes) ((step)->units)
#define nn__run_is_ready(step)           ((void)0)
#endif

/* Runs units [unit, unit + count) of the current step, or with count -1 all of it, and moves the
   cursor. */
static nn_result nn__run_step(nn_plan *plan, int count, nn_site site, const char *who) {
    nn__step *step = &plan->steps[plan->step];
    nn_result result = NN_OK;
    int32_t units = step->units;
    const int length = count < 0 ? nn__chain_length(plan, step) : nn__chain_slice(plan, step);
    const int last = plan->step + length - 1;
    const bool makes = nn__weight_cache_turn(step);
    if (nn__weight_cache_skips(step)) {
        plan->step++;
        return NN_OK;
    }
#ifdef NN__ONE_PIECE
    (void)site;
#else
    if (plan->step <= plan->update && plan->update <= last &&
        !plan->slicing.writes) { /* no other run in slices may be reading the parameters */
        result = nn__check_slicing(plan->nn, plan->net->slicing, &plan->slicing, true, site, who);
        if (result < 0) return result;
        plan->slicing.writes = true;
    }
#endif
    nn__run_tell(plan, NN__STEP_STARTS);
    if (length > 1) {
        result = nn__chain_run(plan, step);
        count = -1;
    } else if (step->node->rule->flags & NN__TRANSFER) {
        result = nn__run_transfer(plan, step);
        count = -1;
    } else {
        const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
        nn_range range;
        units = nn__run_units(open, step, makes);
        if (count >= 0 && plan->unit + count >= units) count = units - plan->unit;
        range.first = plan->unit;
        range.count = count;
        result = nn__call_kernel(open, step->node->rule->kernel, step->args, range);
    }
    if (result < 0) {
        nn__run_leave(plan);
        nn__run_tell(plan, NN__STEP_FAILS);
        return nn__fail(plan->nn, result, "%s: %s \"%s\" failed: %s", who,
                        nn__operation(step->node), step->node->name, nn_result_text(result));
    }
    plan->unit += count;
    if (count < 0 || plan->unit >= units) {
        nn__run_is_ready(step);
        if (nn__run_poisons(plan) && !makes) nn__run_poison(plan, last);
        plan->step += makes ? 0 : length;
        plan->unit = 0;
    }
    nn__run_tell(plan, NN__STEP_ENDS);
    return NN_OK;
}

#ifdef NN__ONE_PIECE
NN_PRIVATE void nn__run_leave(nn_plan *plan) { plan->running = false; }
#else
NN_PRIVATE void nn__run_enter(nn_plan *plan) {
    for (const nn__slicing *run = plan->net->slicing; run; run = run->next)
        if (run == &plan->slicing) return;
    plan->slicing.site = plan->site;
    plan->slicing.next = plan->net->slicing;
    plan->net->slicing = &plan->slicing;
}

NN_PRIVATE void nn__run_leave(nn_plan *plan) {
    nn__slicing **at = &plan->net->slicing;
    while (*at && *at != &plan->slicing) at = &(*at)->next;
    if (*at) *at = plan->slicing.next;
    plan->slicing.writes = false;
    plan->running = false;
}
#endif

static nn_result nn__run_end(nn_plan *plan, nn_site site, const char *who) {
    nn__run_leave(plan);
    plan->ran = true;
#ifndef NN_NO_SPEEDUPS
    plan->cached_whole = plan->keeps;
    if (plan->held) return NN_OK; /* nn__plan_go checks */
#endif
    return nn__run_fault(plan, site, who);
}

NN_PRIVATE nn_result nn__run_plan(nn_plan *plan, nn_site site, const char *who) {
    nn_result result = NN_OK;
    nn__run_tell(plan, NN__RUN_STARTS);
    if (!plan->running) result = nn__run_begin(plan, plan->update < plan->step_count, site, who);
    if (result >= 0 && plan->unit > 0)
        result = nn__run_step(plan, plan->steps[plan->step].units, site, who);
    while (result >= 0 && plan->step < plan->step_count) result = nn__run_step(plan, -1, site, who);
    if (result >= 0) result = nn__run_end(plan, site, who);
    nn__run_tell(plan, NN__RUN_ENDS);
    return result;
}

NN_PRIVATE nn_result nn__run_plan_to(nn_plan *plan, int until, nn_site site, const char *who) {
    nn_result result = NN_OK;
    if (!plan->running) {
        nn__run_tell(plan, NN__RUN_STARTS);
        result = nn__run_begin(plan, plan->update < plan->step_count, site, who);
    }
    while (result >= 0 && plan->step < until) result = nn__run_step(plan, -1, site, who);
    if (result >= 0 && until < plan->step_count) return NN_OK;
    if (result >= 0) result = nn__run_end(plan, site, who);
    nn__run_tell(plan, NN__RUN_ENDS);
    return result;
}

NN_PRIVATE void nn__run_past(nn_plan *plan) {
    if (nn__run_poisons(plan)) nn__run_poison(plan, plan->step);
    plan->step++;
}

static nn_result nn__inside_run(nn_site site, nn_plan *plan) {
    return nn__plan_gone(plan, site, "nn_run") ? NN_ERROR_ARGUMENT
                                               : nn__run_plan(plan, site, "nn_run");
}

NN_API nn_result nn_run_at(nn_site site, nn_plan *plan) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_run", site, nn__inside_run(site, plan));
}

/* Waits for a device with a queue, which would otherwise accept a whole step at once. In slices
   only one piece may be in flight. */
static nn_result nn__run_wait(nn_plan *plan, const nn__open_device *on) {
    nn_result result = on->backend->finish(on->state);
    if (result >= 0) return result;
    nn__run_leave(plan);
    return nn__fail(plan->nn, result, "nn_run_for: waiting for %s: %s", on->limits.name,
                    nn_result_text(result));
}

/* Returns the expected time of a piece of the current step, in ns. The units of a step differ,
   because it may first prepare weights and in the end add sums, so each quarter of them has its own
   time. */
static uint32_t *nn__run_expected(nn_plan *plan) {
    nn__step *step = &plan->steps[plan->step];
    return &step->expected[plan->unit < step->units ? (int64_t)plan->unit * 4 / step->units : 3];
}

/* Follows longer pieces at once and shorter ones slowly, so that one disturbed piece is forgotten
   in the end. */
static void nn__run_learn(uint32_t *expected, uint64_t took) {
    const uint32_t now = took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
    if (now >= *expected) *expected = now;
    else *expected -= (*expected - now) / 32;
}

/* True if the slice ends before the current step's next piece. The first piece of a slice always
   runs, so that any budget leads to the end. A piece of unknown length starts in the first half
   only. */
static bool nn__run_is_late(nn_plan *plan, uint64_t spent, uint64_t budget) {
    const uint64_t expected = *nn__run_expected(plan);
    if (!plan->nn->clock.now || spent >= budget) return true;
    return expected ? expected > budget - spent : spent >= budget / 2;
}

NN_PRIVATE nn_result nn__run_plan_for(nn_plan *plan, int64_t microseconds, nn_site site,
                                      const char *who) {
    nn_result result = NN_OK;
    const uint64_t start = nn__now(&plan->nn->clock),
                   budget = (uint64_t)nn__max64(microseconds, 0) * 1000u;
    nn__run_tell(plan, NN__RUN_STARTS);
    if (!plan->running) result = nn__run_begin(plan, false, site, who);
    const int workers = nn__pool_workers(plan->nn->pool);
    uint64_t before = start;
    plan->slices.slices++;
    while (result >= 0 && plan->step < plan->step_count) {
        uint32_t *const expected = nn__run_expected(plan);
        const nn__open_device *on =
            nn__find_device(plan->nn, plan->steps[plan->step].node->device);
        result = nn__run_step(plan, workers, site, who);
        if (result >= 0 && !on->limits.host_memory) result = nn__run_wait(plan, on);
        const uint64_t now = nn__now(&plan->nn->clock);
        nn__run_learn(expected, now - before);
        before = now;
        if (result >= 0 && plan->step < plan->step_count &&
            nn__run_is_late(plan, now - start, budget)) {
            result = NN_PENDING;
            break;
        }
    }
    if (before - start > budget) plan->slices.late++;
    if (result == NN_PENDING) nn__run_enter(plan);
    if (result == NN_OK) result = nn__run_end(plan, site, who);
    nn__run_tell(plan, NN__RUN_ENDS);
    return result;
}

static nn_result nn__inside_run_for(nn_site site, nn_plan *plan, int64_t microseconds) {
    const char *const who = "nn_run_for";
    return nn__plan_gone(plan, site, who) ? NN_ERROR_ARGUMENT
                                          : nn__run_plan_for(plan, microseconds, site, who);
}

NN_API nn_result nn_run_for_at(nn_site site, nn_plan *plan, int64_t microseconds) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_run_for", site,
                     nn__inside_run_for(site, plan, microseconds));
}
