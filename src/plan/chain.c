/* plan/chain.c - chains: consecutive steps that their device runs as one. A device whose launches
   are expensive (OpenCL, and the CPU for small nets) is asked how many of the next steps it can run
   together. The steps, their values and their memory stay in the plan, so reports still show them.

   Values that are used inside a chain stay alive during the whole chain. Devices with host
   memory are the exception: there a chain gives the same bytes as its steps. The steps run one by
   one in slices, under a profile and with .poison, and values live no longer than without
   chains. */
#include "plan/private.h"

#ifndef NN_NO_SPEEDUPS

#define NN__CHAIN_STEPS 96 /* maximum length of a chain */

static bool nn__chain_can(const nn__step *step, int device) {
    return step->device == device && !step->via && step->status == 0 && step->args &&
           !(step->node->rule->flags & NN__TRANSFER) && !step->node->remembers &&
           step->node->rule->kernel != NN_KERNEL_NONE;
}

/* Gives each value a placeholder address. Addresses are equal exactly where storage is shared. */
static void nn__chain_tokens(nn_plan *plan) {
    nn__resolve_views(plan);
    for (int i = 0; i < plan->value_count; i++) {
        const int root = (int)(nn__root(plan, i) - plan->values);
        plan->values[i].view.handle = plan;
        plan->values[i].view.offset = (uint64_t)NN__ALIGNMENT * (uint64_t)root;
    }
}

/* Collects the calls of the steps from s on that one device may chain. Returns their number. */
static int nn__chain_calls(const nn_plan *plan, int s, nn_call *calls) {
    int count = 0;
    while (count < NN__CHAIN_STEPS && s + count < plan->step_count &&
           nn__chain_can(&plan->steps[s + count], plan->steps[s].device)) {
        calls[count].kernel = plan->steps[s + count].node->rule->kernel;
        calls[count].args = plan->steps[s + count].args;
        count++;
    }
    return count;
}

/* Asks the device for a chain that begins at step s. *taken: its length, 1 without a chain. False:
   no memory. */
static bool nn__chain_at(nn_plan *plan, int s, const nn__open_device *open, int *taken) {
    nn_call calls[NN__CHAIN_STEPS];
    char why[160];
    void *made = NULL;
    uint64_t scratch = 0;
    const int count = nn__chain_calls(plan, s, calls);
    nn__plan_device *device = &plan->devices[plan->steps[s].device];
    why[0] = 0;
    *taken = count < 2 ? 0
                       : open->backend->chain_make(open->state, calls, count, &made, &scratch, why,
                                                   sizeof why);
    if (why[0] && !plan->apart) {
        plan->apart = nn__arena_text(&plan->arena, why);
        plan->apart_at = *taken < 2 ? s : s + *taken;
    }
    if (*taken < 0) return false;
    if (*taken < 2) {
        if (made) open->backend->chain_free(open->state, made);
        *taken = 1;
        return true;
    }
    nn__together_steps *chain = (nn__together_steps *)nn__arena_take(&plan->arena, sizeof *chain);
    if (chain)
        chain->calls = (nn_call *)nn__arena_take(&plan->arena, sizeof *calls * (size_t)*taken);
    if (!chain || !chain->calls) {
        open->backend->chain_free(open->state, made);
        return false;
    }
    memcpy(chain->calls, calls, sizeof *calls * (size_t)*taken);
    chain->made = made;
    chain->alike = open->limits.host_memory;
    for (int i = 0; i < *taken; i++) {
        plan->steps[s + i].chain = *taken;
        plan->steps[s + i].behind = i;
        plan->steps[s + i].chained = chain;
    }
    if (device->scratch_bytes < scratch) device->scratch_bytes = scratch;
    return true;
}

NN_PRIVATE bool nn__plan_chain(nn_plan *plan) {
    bool any = false;
    int taken = 1;
    if (plan->desc.separate_steps) return true;
    for (int i = 0; i < plan->device_count; i++) {
        const nn__open_device *open = nn__find_device(plan->nn, plan->devices[i].device);
        any = any || (open && open->backend->chain_make);
    }
    if (!any) return true;
    nn__chain_tokens(plan);
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].args) nn__lower_step(plan, &plan->steps[s]);
    for (int s = 0; s < plan->step_count; s += taken) {
        const nn__open_device *open = nn__find_device(plan->nn, plan->steps[s].node->device);
        taken = 1;
        if (open && open->backend->chain_make && !(plan->streams && !open->limits.host_memory) &&
            nn__chain_can(&plan->steps[s], plan->steps[s].device) &&
            !nn__chain_at(plan, s, open, &taken))
            return false;
    }
    nn__resolve_views(plan);
    return true;
}

NN_PRIVATE void nn__chain_free(nn_plan *plan) {
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (!step->chain || step->behind) continue;
        const nn__open_device *open = nn__find_device(plan->nn, plan->devices[step->device].device);
        if (open) open->backend->chain_free(open->state, step->chained->made);
    }
}

/* Writes the device's scratch memory as a view for kernels. */
static void nn__chain_scratch(const nn_plan *plan, const nn__step *step, nn_view *scratch) {
    const nn__plan_device *device = &plan->devices[step->device];
    memset(scratch, 0, sizeof *scratch);
    if (!device->scratch_bytes) return;
    nn__storage(device, false, device->scratch_offset, scratch);
    scratch->dtype = NN_U8;
    scratch->shape.rank = 1;
    scratch->shape.extent[0] =
        device->scratch_bytes > INT32_MAX ? INT32_MAX : (int32_t)device->scratch_bytes;
}

NN_PRIVATE nn_result nn__chain_prepare(nn_plan *plan, nn__step *step, const char *who) {
    const nn__open_device *open = nn__find_device(plan->nn, plan->devices[step->device].device);
    nn__together_steps *chain = step->chained;
    nn_view scratch;
    nn__chain_scratch(plan, step, &scratch);
    nn_result result =
        open->backend->chain_prepare(open->state, chain->made, chain->calls, &scratch);
    chain->parted = result == NN_ERROR_UNSUPPORTED;
    chain->moved = false;
    for (int i = 0; i < step->chain; i++) {
        step[i].units = 1;
        if (!chain->parted && !chain->alike) continue;
        result = nn__prepare_step(plan, &step[i], who);
        if (result < 0) return result;
    }
    if (result >= 0) return NN_OK;
    return nn__fail(plan->nn, result, "%s: the %d steps from %s \"%s\" on could not be prepared",
                    who, step->chain, nn__operation(step->node), step->node->name);
}

NN_PRIVATE nn_result nn__chain_prepare_all(nn_plan *plan, const char *who) {
    nn_result result = NN_OK;
    for (int i = 0; result >= 0 && i < plan->step_count; i++)
        if (plan->steps[i].chain && !plan->steps[i].behind)
            result = nn__chain_prepare(plan, &plan->steps[i], who);
    return result;
}

#ifndef NN__LEAN
NN_PRIVATE nn_result nn__chain_collect(nn_plan *plan, const char *who) {
    nn_result result = NN_OK;
    for (int i = 0; result >= 0 && i < plan->step_count; i++)
        if (plan->steps[i].chain && !plan->steps[i].behind && nn__collects(plan, &plan->steps[i]))
            result = nn__chain_prepare(plan, &plan->steps[i], who);
    return result;
}
#endif

/* Prepares chains again whose views have moved, because a device keeps the addresses. */
NN_PRIVATE nn_result nn__chain_follow(nn_plan *plan, const char *who) {
    nn_result result = NN_OK;
    for (int i = 0; result >= 0 && i < plan->step_count;) {
        nn__step *step = &plan->steps[i];
        if (step->chain && step->chained->moved) result = nn__chain_prepare(plan, step, who);
        i += nn__maxi(step->chain, 1);
    }
    return result;
}

NN_PRIVATE nn_result nn__chain_run(nn_plan *plan, nn__step *step) {
    const nn__open_device *open = nn__find_device(plan->nn, plan->devices[step->device].device);
    nn_view scratch;
    nn__chain_scratch(plan, step, &scratch);
    return open->backend->chain_run(open->state, step->chained->made, step->chained->calls,
                                    &scratch);
}

#ifndef NN_NO_TRAINING
/* Returns the device of a plan that is a single chain, if the device can hold several runs of it;
   else NULL. */
static const nn__open_device *nn__chain_holder(const nn_plan *plan) {
    const nn__step *step = plan->steps;
    if (plan->step_count == 0 || step->chain != plan->step_count || step->chained->parted)
        return NULL;
    const nn__open_device *open = nn__find_device(plan->nn, plan->devices[step->device].device);
    return open->backend->chain_hold ? open : NULL;
}

NN_PRIVATE nn_result nn__chain_warm(nn_plan *plan, const char *who) {
    const nn__open_device *open = plan->training ? nn__chain_holder(plan) : NULL;
    if (!open) return NN_OK;
    void *made = plan->steps->chained->made;
    int32_t result = open->backend->chain_hold(open->state, made, 2);
    if (result >= 0) result = open->backend->chain_hold(open->state, made, 0);
    if (result >= 0) return NN_OK;
    return nn__fail(plan->nn, (nn_result)result, "%s: several steps as one could not be prepared",
                    who);
}

NN_PRIVATE nn_result nn__plan_hold(nn_plan *plan, int32_t runs, int32_t *together, nn_site site,
                                   const char *who) {
    /* each of these needs every single run */
    const bool watched = plan->profiler || plan->desc.poison || plan->keeps || plan->running;
    const nn__open_device *open =
        plan->lowered && !watched && runs > 1 ? nn__chain_holder(plan) : NULL;
    *together = 1;
    if (!open) return NN_OK;
    const int32_t held =
        open->backend->chain_hold(open->state, plan->steps->chained->made, runs);
    if (held < 0)
        return nn__fail_at(plan->nn, site, (nn_result)held, "%s: %d steps as one on %s: %s", who,
                           (int)runs, open->limits.name, nn_result_text((nn_result)held));
    if (held < 2) return NN_OK;
    *together = nn__mini(held, runs);
    plan->held = true;
    return NN_OK;
}

NN_PRIVATE nn_result nn__plan_go(nn_plan *plan, bool *ran, nn_site site, const char *who) {
    const nn__step *step = plan->steps;
    const nn__open_device *open = nn__find_device(plan->nn, plan->devices[step->device].device);
    const int32_t result = open->backend->chain_hold(open->state, step->chained->made, 0);
    plan->held = false;
    *ran = result >= 0;
    if (*ran) return nn__run_fault(plan, site, who);
    return nn__fail_at(plan->nn, site, (nn_result)result, "%s: %s failed: %s", who,
                       open->limits.name, nn_result_text((nn_result)result));
}
#endif

#undef NN__CHAIN_STEPS

#endif

typedef int nn__plan_chain_part; /* a part must not be empty under NN_NO_SPEEDUPS */
