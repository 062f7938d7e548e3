/* plan/state.c - the states of a plan (ops/state.c): which are missing an nn_assign, and how they
   are cleared, saved and restored, for one sample or for all. They are stored with the inputs, and
   plan/cache.c moves them when the plan is made anew. */
#include "plan/private.h"

#ifndef NN__ONE_PIECE

NN_PRIVATE void nn__plan_refuse_states(const nn_plan *plan, nn__faults *faults) {
    for (int i = 0; i < plan->value_count; i++) {
        const nn_node *node = plan->values[i].node;
        if (!nn__is_state(node) || node->continued) continue;
        nn__fault *fault = nn__add_node_fault(faults, NN__FAULT_ARGUMENT, node);
        nn__fault_operand(fault, "state", node, false);
        nn__fault_cause(faults, fault, NN__TEXT("nothing says what it becomes in the next run"));
        nn__fault_fix(faults, fault, NN__TEXT("nn_assign(net, %s, value), or nn_input instead"),
                      node->name);
    }
}

/* True if the call for `sample` includes the state: a state without a batch belongs to a plan's
   only sample, or to all. */
static bool nn__voice_has(const nn_plan *plan, const nn_node *node, int32_t sample) {
    return sample == NN_ALL_SAMPLES || plan->desc.batch == 1 ||
           nn__is_symbolic(node->shape.extent[0]);
}

/* Sets the view of the sample's part of a state, or of the whole state at the plan's largest
   batch, in the plan's own memory. */
static void nn__voice_view(const nn_plan *plan, const nn__value *value, int32_t sample,
                           nn_view *view) {
    const nn_node *node = value->node;
    const bool one = sample != NN_ALL_SAMPLES;
    *view = value->view;
    nn__storage(&plan->devices[nn__plan_device_of(plan, node)], false, value->offset, view);
    nn__resolve_shape(&view->shape, &node->shape, one ? 1 : plan->desc.batch, plan->desc.time);
    view->dtype = node->dtype;
    if (one) view->offset += (uint64_t)sample * nn__bytes(view);
}

/* Fails if the plan has no memory, is inside a run, or has no such sample. */
static nn_result nn__voice_ready(nn_plan *plan, int32_t sample, nn_site site, const char *who) {
    const nn_result result = nn__check_plan(plan, site, who);
    if (result < 0) return result;
    if (plan->running)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "%s: a run in slices is under way; call nn_run_for until it is done",
                           who);
    if (sample == NN_ALL_SAMPLES || (sample >= 0 && sample < plan->desc.batch)) return NN_OK;
    return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                       "%s: sample is %d; this plan has the samples 0 to %d, and NN_ALL_SAMPLES "
                       "means all",
                       who, (int)sample, plan->desc.batch - 1);
}

/* Fills the sample's part of a state with zeros. The next run reports a bound tensor that moved or
   does not fit. */
static nn_result nn__voice_clear(nn_plan *plan, nn__value *value, int32_t sample) {
    const nn__open_device *open = nn__find_device(plan->nn, value->node->device);
    nn_view view;
    nn__voice_view(plan, value, sample, &view);
    if (value->bound) {
        const uint64_t bytes = nn__bytes(&view), all = nn__bytes(&value->bound->view);
        if (!value->checked && !nn__bound_fits(plan, value)) return NN_OK;
        if (sample == NN_ALL_SAMPLES) {
            view = value->bound->view;
        } else {
            if (((uint64_t)sample + 1) * bytes > all) return NN_OK;
            view.handle = value->bound->view.handle;
            view.offset = value->bound->view.offset + (uint64_t)sample * bytes;
        }
    }
    return open->backend->fill(open->state, view.handle, view.offset, nn__bytes(&view), 0);
}

static nn_result nn__inside_clear_states(nn_site site, nn_plan *plan, int32_t sample) {
    nn_result result = nn__voice_ready(plan, sample, site, "nn_clear_states");
    for (int i = nn__first_given(plan); result >= 0 && i < plan->value_count;
         i = nn__next_given(plan, i)) {
        nn__value *value = &plan->values[i];
        if (!nn__is_state(value->node) || !nn__voice_has(plan, value->node, sample)) continue;
        result = nn__voice_clear(plan, value, sample);
        if (result < 0)
            return nn__fail_at(plan->nn, site, result, "nn_clear_states: could not fill \"%s\"",
                               value->node->name);
    }
    return result;
}

NN_API nn_result nn_clear_states_at(nn_site site, nn_plan *plan, int32_t sample) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_clear_states", site,
                     plan ? nn__inside_clear_states(site, plan, sample) : NN_ERROR_ARGUMENT);
}

NN_API size_t nn_states_bytes(const nn_plan *plan, int32_t sample) {
    size_t bytes = 0;
    if (nn__plan_gone(plan, nn__no_site(), "nn_states_bytes")) return 0;
    if (sample < NN_ALL_SAMPLES || sample >= plan->desc.batch) return 0;
    for (int i = nn__first_given(plan); i < plan->value_count; i = nn__next_given(plan, i)) {
        const nn__value *value = &plan->values[i];
        if (!nn__is_state(value->node) || value->bound ||
            !nn__voice_has(plan, value->node, sample))
            continue;
        bytes += nn__node_bytes(value->node, sample == NN_ALL_SAMPLES ? plan->desc.batch : 1, 1);
    }
    return bytes;
}

/* Copies the states of a sample to host memory, or from there. */
static nn_result nn__voice_move(nn_plan *plan, int32_t sample, char *to, const char *from,
                                nn_site site) {
    nn_result result = NN_OK;
    for (int i = nn__first_given(plan); result >= 0 && i < plan->value_count;
         i = nn__next_given(plan, i)) {
        const nn__value *value = &plan->values[i];
        const nn_node *node = value->node;
        nn_view view;
        if (!nn__is_state(node) || value->bound || !nn__voice_has(plan, node, sample)) continue;
        nn__voice_view(plan, value, sample, &view);
        const size_t bytes = (size_t)nn__bytes(&view);
        if (to) {
            result = nn__download(plan->nn, node->device, &view, to, bytes, node->name, site);
            to += bytes;
        } else {
            result = nn__upload(plan->nn, node->device, &view, from, bytes, node->name, site, NULL);
            from += bytes;
        }
    }
    return result;
}

static nn_result nn__inside_move_states(nn_site site, nn_plan *plan, int32_t sample, void *to,
                                        const void *from, size_t bytes, const char *who) {
    const nn_result result = nn__voice_ready(plan, sample, site, who);
    if (result < 0) return result;
    const size_t wanted = nn_states_bytes(plan, sample);
    if (!to && !from)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "%s: the address is NULL", who);
    if (bytes != wanted)
        return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                           "%s: the states have %zu bytes, not %zu; nn_states_bytes(plan, sample) "
                           "tells",
                           who, wanted, bytes);
    return nn__voice_move(plan, sample, (char *)to, (const char *)from, site);
}

NN_API nn_result nn_save_states_at(nn_site site, nn_plan *plan, int32_t sample, void *to,
                                   size_t bytes) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_save_states", site,
                     plan ? nn__inside_move_states(site, plan, sample, to, NULL, bytes,
                                                   "nn_save_states")
                          : NN_ERROR_ARGUMENT);
}

NN_API nn_result nn_restore_states_at(nn_site site, nn_plan *plan, int32_t sample,
                                      const void *from, size_t bytes) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_restore_states", site,
                     plan ? nn__inside_move_states(site, plan, sample, NULL, from, bytes,
                                                   "nn_restore_states")
                          : NN_ERROR_ARGUMENT);
}

#endif

typedef int nn__plan_state_part; /* a part must not be empty in the smallest programs */
