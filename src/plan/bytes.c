/* plan/bytes.c - the memory of a plan by device and category, and the other numbers that programs
   can ask for. */
#include "plan/private.h"

static uint64_t nn__plan_leaf_bytes(const nn__graph *graph, nn_device device, nn__node_kind kind) {
    uint64_t sum = 0;
    for (const nn_node *node = graph ? graph->first : NULL; node; node = node->next)
        if (node->kind == kind && nn_same_device(node->device, device))
            sum += nn__padded(nn__node_bytes(node, 1, 1));
    return sum;
}

/* Returns the bytes of the device's own blocks. arena: only the part for activations. */
static uint64_t nn__plan_block_bytes(const nn__plan_device *device, bool arena) {
    uint64_t sum = 0;
    for (const nn__piece *block = device->blocks; nn__is_piece(block); block++)
        sum += arena ? block->arena : block->bytes;
    return sum;
}

/* Returns the bytes stored with the inputs. states: only the states that survive a run; else
   everything but states and prepared weights. */
static uint64_t nn__plan_front_bytes(const nn_plan *plan, const nn__plan_device *device,
                                     bool states) {
    uint64_t sum = 0;
    for (int i = 0; i < plan->value_count; i++)
        if (nn__in_front(&plan->values[i]) && plan->values[i].node->remembers == states &&
            !nn__value_stays(&plan->values[i]) &&
            nn_same_device(plan->values[i].node->device, device->device))
            sum += plan->values[i].bytes;
    return sum;
}

/* Returns the bytes of prepared weights. */
#ifndef NN_NO_REPORTS
static uint64_t nn__plan_cached_bytes(const nn_plan *plan, const nn__plan_device *device) {
    uint64_t sum = 0;
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].stays &&
            nn_same_device(plan->values[i].node->device, device->device))
            sum += plan->values[i].bytes;
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].keeps && &plan->devices[plan->steps[s].device] == device)
            sum += nn__padded(plan->steps[s].cached_bytes);
    return sum;
}
#else
#define nn__plan_cached_bytes(plan, device) ((uint64_t)0)
#endif

NN_API uint64_t nn_plan_bytes(const nn_plan *plan, nn_device device, nn_memory_category category) {
    if (nn__plan_gone(plan, nn__no_site(), "nn_plan_bytes")) return 0;
    int i = nn__find_plan_device(plan, nn__resolve_device(plan->nn, device));
    const nn__plan_device *on = i < 0 ? NULL : &plan->devices[i];
    if (!on) return 0;
    switch (category) {
    case NN_MEMORY_PARAMETERS:
        return nn__plan_leaf_bytes(&plan->net->graph, on->device, NN__PARAMETER);
    case NN_MEMORY_CONSTANTS:
        return nn__plan_leaf_bytes(&plan->net->graph, on->device, NN__CONSTANT) +
               nn__plan_leaf_bytes(&plan->net->graph, on->device, NN__BUFFER);
    case NN_MEMORY_STATE:
        return nn__plan_leaf_bytes(plan->tape, on->device, NN__STATE) +
               nn__plan_front_bytes(plan, on, true);
    case NN_MEMORY_INPUTS: return nn__plan_front_bytes(plan, on, false);
    case NN_MEMORY_ACTIVATIONS: return nn__plan_block_bytes(on, true);
    case NN_MEMORY_PREPARED: return nn__plan_cached_bytes(plan, on);
    case NN_MEMORY_SCRATCH:
        return nn__plan_block_bytes(on, false) - nn__plan_block_bytes(on, true) -
               nn__plan_cached_bytes(plan, on) -
               nn__plan_front_bytes(plan, on, false) - nn__plan_front_bytes(plan, on, true);
    default: return 0;
    }
}

NN_API int32_t nn_plan_calls(nn_plan *plan,
                             void (*each)(void *user, nn_device device, int kernel,
                                          const void *args),
                             void *user) {
    int32_t count = 0;
    if (nn__plan_gone(plan, nn__no_site(), "nn_plan_calls")) return 0;
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        if (step->node->rule->kernel == NN_KERNEL_NONE || !step->args) continue;
        count++;
        if (!each) continue;
        /* Before the first run, the arguments are those of the last batch tried for the scratch
           size. */
        nn__lower_step(plan, step);
        each(user, step->node->device, (int)step->node->rule->kernel, step->args);
    }
    return count;
}

NN_API uint64_t nn_plan_allocated(const nn_plan *plan, nn_device device) {
    const bool gone = nn__plan_gone(plan, nn__no_site(), "nn_plan_allocated");
    int i = gone ? -1 : nn__find_plan_device(plan, nn__resolve_device(plan->nn, device));
    return i < 0 ? 0 : nn__plan_block_bytes(&plan->devices[i], false);
}

NN_API uint64_t nn_plan_lower_bound(const nn_plan *plan, nn_device device) {
    const bool gone = nn__plan_gone(plan, nn__no_site(), "nn_plan_lower_bound");
    int i = gone ? -1 : nn__find_plan_device(plan, nn__resolve_device(plan->nn, device));
    return i < 0 ? 0 : plan->devices[i].lower_bound;
}

NN_API int32_t nn_plan_batch(const nn_plan *plan) {
    return nn__plan_gone(plan, nn__no_site(), "nn_plan_batch") ? 0 : plan->run.batch;
}

NN_API int32_t nn_plan_time(const nn_plan *plan) {
    return nn__plan_gone(plan, nn__no_site(), "nn_plan_time") ? 0 : plan->run.time;
}

NN_API nn_slice_use nn_plan_slices(const nn_plan *plan) {
    nn_slice_use none;
    memset(&none, 0, sizeof none);
    return nn__plan_gone(plan, nn__no_site(), "nn_plan_slices") ? none : plan->slices;
}
