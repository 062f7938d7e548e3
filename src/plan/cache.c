/* plan/cache.c - states that a plan keeps from run to run (ops/cache.c): which plans may have them,
   how they are cleared, and how they are copied when the plan is made anew. They are stored with
   the inputs, after the activations, so no other value reuses their memory (plan/layout.c). */
#include "plan/private.h"

#ifndef NN_NO_TRAINING
/* Training has no use for state that survives a run, and caches have no gradient. */
NN_PRIVATE void nn__plan_refuse_caches(const nn_plan *plan, nn__faults *faults) {
    if (!plan->training && !plan->tape) return;
    for (int i = 0; i < plan->step_count; i++) {
        const nn_node *node = plan->steps[i].node;
        if (!node->remembers) continue;
        nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_ARGUMENT, node);
        nn__fault_operand(fault, nn__role(node, 0), node->inputs[0], false);
        nn__fault_cause(faults, fault,
                        NN__TEXT("a trainer's plan reads it, and a cache is what plans of "
                                 "nn_make_plan keep between runs; it has no gradient"));
        nn__fault_fix(faults, fault,
                      NN__TEXT("describe what is trained a second time without nn_cache: layers "
                               "of the same names with .shared = true have the same parameters"));
    }
}
#endif

/* Sets *view to the whole state at the plan's largest batch, in the plan's own memory. device:
   where the writing step runs, which can differ from the device of a node that was moved. */
static void nn__cache_view(const nn_plan *plan, const nn__value *value, int device, nn_view *view) {
    *view = value->view;
    nn__storage(&plan->devices[device], false, value->offset, view);
    nn__resolve_shape(&view->shape, &value->node->shape, plan->desc.batch, plan->desc.time);
}

/* Returns the number of caches that the step writes. */
static int nn__cache_count(const nn__step *step) { return step->more[0] >= 0 ? 2 : 1; }

static nn_result nn__cache_clear(nn_plan *plan, const nn__step *step, int cache, nn_site site) {
    const nn__value *value = &plan->values[cache];
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    nn_view view;
    nn__cache_view(plan, value, step->device, &view);
    if (value->bound) { /* the tensor may have moved or may not fit; the next run reports that */
        if (!value->checked) return NN_OK;
        view = value->bound->view;
    }
    const nn_result result =
        open->backend->fill(open->state, view.handle, view.offset, nn__bytes(&view), 0);
    return result >= 0 ? NN_OK
                       : nn__fail_at(plan->nn, site, result,
                                     "nn_clear_caches: %s could not fill \"%s\"",
                                     open->limits.name, value->node->name);
}

static nn_result nn__inside_clear_caches(nn_site site, nn_plan *plan) {
    nn_result result = nn__check_plan(plan, site, "nn_clear_caches");
    if (result < 0) return result;
    if (plan->running)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_clear_caches: a run in slices is under way; call nn_run_for until "
                           "it is done");
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (!step->node->remembers) continue;
        for (int k = 0; k < nn__cache_count(step) && result >= 0; k++)
            result = nn__cache_clear(plan, step, k ? step->more[0] : step->output, site);
        if (result < 0) return result;
    }
    return NN_OK;
}

NN_API nn_result nn_clear_caches_at(nn_site site, nn_plan *plan) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_clear_caches", site,
                     nn__inside_clear_caches(site, plan));
}

NN_API nn_cache_use nn_plan_caches(const nn_plan *plan) {
    nn_cache_use use;
    memset(&use, 0, sizeof use);
    if (nn__plan_gone(plan, nn__no_site(), "nn_plan_caches")) return use;
    for (int i = 0; i < plan->step_count; i++) {
        const nn_node *node = plan->steps[i].node;
        if (!node->remembers) continue;
        const int32_t length = *(const int *)node->params; /* nn_cache_desc begins with it */
        nn_node *positions = node->inputs[1];
        if (use.count == 0 || length < use.length) use.length = length;
        if (use.count == 0 && positions->kind == NN__INPUT) use.positions = positions;
        if (use.positions != positions) use.positions = NULL;
        use.count += nn__cache_count(&plan->steps[i]);
    }
    return use;
}

/* device: where the state is in `from`. */
static nn_result nn__cache_carry(nn_plan *to, nn_plan *from, const nn__value *value, int device,
                                 void *staging, size_t staging_bytes, nn_site site) {
    nn_node *node = value->node;
    const int i = nn__find_value(to, node);
    nn_view from_view, to_view;
    if (i < 0) return NN_OK;
    if (value->bound || !value->given) { /* the user must bind a tensor again */
        to->values[i].given = false;
        return NN_OK;
    }
    nn__cache_view(from, value, device, &from_view);
    nn__cache_view(to, &to->values[i], nn__plan_device_of(to, node), &to_view);
    return to->nn->cross(to->nn, node->device, &to_view, from->devices[device].device, &from_view,
                         nn__bytes(&to_view), staging, staging_bytes, node->name, site);
}

/* Returns the device of a state or cache in the plan, where it was before a move; -1: the value is
   neither. */
static int nn__cache_place(const nn_plan *plan, int i) {
    const nn_node *node = plan->values[i].node;
    if (!node->remembers) return -1;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        if (step->output == i || step->more[0] == i) return step->device;
        if (step->node->input_count > 0 && step->inputs[0] == i && nn__continues(step->node))
            return step->device;
    }
    return -1;
}

NN_PRIVATE nn_result nn__plan_carry_caches(nn_plan *to, nn_plan *from, nn_site site) {
    nn__memory *memory = &to->nn->memory;
    const size_t staging_bytes = (size_t)1 << 18;
    void *staging = NULL;
    nn_result result = NN_OK;
    for (int i = 0; i < from->value_count && result >= 0; i++) {
        const int device = nn__cache_place(from, i);
        if (device < 0) continue;
        if (!staging && !(staging = nn__allocate(memory, staging_bytes)))
            return nn__fail_memory(to->nn, "nn_replan", staging_bytes);
        result = nn__cache_carry(to, from, &from->values[i], device, staging, staging_bytes, site);
    }
    nn__release(memory, staging, staging ? staging_bytes : 0);
    return result >= 0 ? nn_finish(to->nn) : result; /* the caller frees the old memory next */
}
