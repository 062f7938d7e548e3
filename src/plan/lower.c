/* plan/lower.c - turns offsets into views, and views into kernel arguments, for the batch and time
   of a run. */
#include "plan/private.h"

#ifndef NN__ONE_PIECE
NN_PRIVATE void nn__storage(const nn__plan_device *device, bool arena, uint64_t offset,
                            nn_view *view) {
    const nn__piece *blocks = arena ? device->arena : device->blocks;
    view->handle = NULL;
    view->offset = offset;
    if (!blocks) return; /* there is no layout yet */
    view->handle = blocks[offset / device->largest].handle;
    view->offset = offset % device->largest;
}
#endif

NN_PRIVATE void nn__resolve_view(nn_plan *plan, int i) {
    nn__value *value = &plan->values[i];
    nn_node *node = value->node;
    nn__resolve_shape(&value->view.shape, &node->shape, plan->run.batch, plan->run.time);
    value->view.dtype = node->dtype;
    if (value->place == NN__PLACE_ALIAS || value->place == NN__PLACE_TENSOR || value->bound) {
        const nn_tensor *tensor = value->bound ? value->bound : node->tensor;
        const nn_view *from = value->place == NN__PLACE_ALIAS ? &nn__root(plan, i)->view
                              : tensor                        ? &tensor->view
                                                              : NULL;
        value->view.handle = from ? from->handle : NULL;
        value->view.offset = from ? from->offset : 0;
    } else {
        const int on = nn__plan_device_of(plan, node);
        if (on < 0) return; /* the device is not open, which the placement reports */
        const nn__plan_device *device = &plan->devices[on];
        nn__storage(device, value->place == NN__PLACE_ARENA && !value->front, value->offset,
                    &value->view);
#ifndef NN_NO_REPORTS
        if (value->place == NN__PLACE_STATUS) nn__status_view(device, &value->view);
#endif
    }
}

NN_PRIVATE void nn__resolve_views(nn_plan *plan) {
    for (int i = 0; i < plan->value_count; i++) nn__resolve_view(plan, i);
}

/* Copies the view of a value. Without a value (-1) it stays absent. */
static void nn__lower_view(const nn_plan *plan, int value, nn_view *view) {
    if (value >= 0) *view = plan->values[value].view;
}

#ifndef NN_NO_SIMD
static bool nn__is_convolution(nn_kernel kernel) {
    return kernel == NN_KERNEL_CONV2D_FORWARD || kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT ||
           kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT;
}
#endif

#ifndef NN__LEAN
NN_PRIVATE nn_precision nn__step_precision(const nn_plan *plan, const nn_node *node) {
    nn_precision precision = plan->desc.precision;
    (void)node;
#ifndef NN_NO_MIXED_PRECISION
    if (node->autocast == NN_BF16) return NN_PRECISION_MEDIUM;
    if (node->autocast == NN_F16 && precision < NN_PRECISION_HIGH) precision = NN_PRECISION_HIGH;
#endif
    return precision;
}
#endif

NN_PRIVATE void nn__lower_step(nn_plan *plan, nn__step *step) {
    nn__lowering lowering;
    nn__plan_device *device = &plan->devices[step->device];
    memset(&lowering, 0, sizeof lowering);
    for (int i = 0; i < step->node->input_count; i++)
        nn__lower_view(plan, step->inputs[i], &plan->views[i]);
    lowering.inputs = plan->views;
    nn__lower_view(plan, step->output, &lowering.output);
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        nn__lower_view(plan, step->more[k], &lowering.more[k]);
    if (device->scratch_bytes) {
        nn__storage(device, false, device->scratch_offset, &lowering.scratch);
        lowering.scratch.dtype = NN_U8;
        lowering.scratch.shape.rank = 1;
        lowering.scratch.shape.extent[0] =
            device->scratch_bytes > INT32_MAX ? INT32_MAX : (int32_t)device->scratch_bytes;
    }
    /* a run with a fault leaves the states as they are */
    if ((step->node->rule->flags & NN__STATUS) ||
        (device->uses_status && nn__continues(step->node))) {
        nn__status_view(device, &lowering.status);
        if (nn__step_status(step)) lowering.status = plan->values[nn__step_status(step)].view;
    }
    lowering.activation = step->activation;
    lowering.values = &plan->run;
    if (!step->args) return;
    const size_t bytes = nn__node_args_bytes(step->node);
    lowering.pieces = (char *)step->args + bytes;
    memset(step->args, 0, bytes);
    step->node->rule->lower(step->node, &lowering, step->args);
    if (plan->streams && step->node->rule->kernel == NN_KERNEL_GEMM) step->args->gemm.steady = true;
    nn__set_precision(step->node->rule->kernel, step->args,
                      nn__step_precision(plan, step->node));
#ifndef NN_NO_SIMD
    if (plan->desc.direct_convolutions && nn__is_convolution(step->node->rule->kernel))
        ((nn_conv2d_args *)step->args)->direct = true;
#ifndef NN_NO_REPORTS
    if (plan->desc.direct_convolutions &&
        (step->node->rule->kernel == NN_KERNEL_CONV_POOL_FORWARD ||
         step->node->rule->kernel == NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT))
        ((nn_conv_pool_args *)step->args)->direct = true;
#endif
#endif
#ifndef NN_NO_SPEEDUPS
    nn__weight_cache_lower(plan, step);
#endif
}

#ifndef NN_NO_TRAINING
/* Computes the step's arguments. all: from scratch; else only those that depend on run values, if
   the rule can do that. */
static void nn__lower_anew(nn_plan *plan, nn__step *step, bool all) {
    bool renewed = false;
    if (!all && (step->node->rule->flags & NN__RENEWS)) {
        nn__lowering lowering;
        lowering.values = &plan->run;
        lowering.renewed = &renewed;
        step->node->rule->lower(step->node, &lowering, step->args);
    }
    if (!renewed) nn__lower_step(plan, step);
}
#else
#define nn__lower_anew(plan, step, all) nn__lower_step(plan, step)
#endif

NN_PRIVATE nn_result nn__prepare_step(nn_plan *plan, nn__step *step, const char *who) {
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    nn_kernel kernel = step->node->rule->kernel;
    nn_result result = open->backend->prepare(open->state, kernel, step->args);
    if (result < 0)
        return nn__fail(plan->nn, result, "%s: %s \"%s\" could not be prepared", who,
                        nn__operation(step->node), step->node->name);
    step->units = open->backend->units(open->state, kernel, step->args);
    uint64_t scratch = open->backend->scratch_bytes(open->state, kernel, step->args);
    if (scratch <= plan->devices[step->device].scratch_bytes) return NN_OK;
    char at[NN__EXTENTS_TEXT];
    return nn__fail(plan->nn, NN_ERROR_MEMORY,
                    "%s: %s \"%s\" wants %llu bytes of scratch for %s, but the plan has %llu; make "
                    "a plan with .batch = %d and .time = %d",
                    who, nn__operation(step->node), step->node->name, (unsigned long long)scratch,
                    nn__format_extents(plan, plan->run.batch, plan->run.time, at, sizeof at),
                    (unsigned long long)plan->devices[step->device].scratch_bytes,
                    (int)plan->run.batch, (int)plan->run.time);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__step_has_spread(const nn_plan *plan, const nn__step *step) {
    nn_view one, sets;
    if (!plan->training || !(step->node->rule->flags & NN__SPREAD)) return true;
    if (plan->tape->together) return true; /* other ranks may hold more samples */
    nn__resolve_shape(&one.shape, &step->node->shape, plan->run.batch, plan->run.time);
    nn__resolve_shape(&sets.shape, &step->node->more->shape, plan->run.batch, plan->run.time);
    return nn__count(&one) > nn__count(&sets);
}

/* A last batch of one sample is a mistake of the run, not of the plan. */
static nn_result nn__lower_spread(const nn_plan *plan, const nn__step *step) {
    char at[NN__EXTENTS_TEXT];
    if (nn__step_has_spread(plan, step)) return NN_OK;
    return nn__fail_at(plan->nn, step->node->site, NN_ERROR_SHAPE,
                       "%s \"%s\" has one number for each channel at %s, and training "
                       "normalises by the variance of the batch; nothing was run; give larger "
                       "batches (.drop_last of the loader leaves a short last one out), or set "
                       ".frozen of the layer",
                       nn__operation(step->node), step->node->name,
                       nn__format_extents(plan, plan->run.batch, plan->run.time, at, sizeof at));
}
#else
#define nn__lower_spread(plan, step) ((void)(plan), (void)(step), NN_OK)
#endif

#ifndef NN__ONE_PIECE
NN_PRIVATE void nn__list_asked(nn_plan *plan) {
    int *at = &plan->outside;
    for (int i = 0; i < 2 * plan->value_count; i++) {
        /* first inputs and states, then the other tensors */
        const bool first = i < plan->value_count;
        const int e = first ? i : i - plan->value_count;
        nn__value *value = &plan->values[e];
        if (first ? !value->takes : value->takes || value->place != NN__PLACE_TENSOR) continue;
        *at = e;
        at = &value->outside;
    }
    *at = plan->value_count;
    at = &plan->dynamic;
    for (int i = 0; i < plan->step_count; i++) {
        if (!(plan->steps[i].node->rule->flags & NN__DYNAMIC)) continue;
        *at = i;
        at = &plan->steps[i].dynamic;
    }
    *at = plan->step_count;
}
#endif

#ifndef NN__LEAN
NN_PRIVATE bool nn__collect(nn_plan *plan, bool begins) {
    bool any = false;
    for (int i = 0; i < plan->device_count; i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        if (!begins && !device->collects) continue;
        device->collects =
            open && open->backend->collect && open->backend->collect(open->state, begins);
        any = any || device->collects;
    }
    return any;
}

/* Before the first run, lets devices build the kernels of all steps at once, but only those for the
   first batch and time. nn_prewarm does the same for other sizes, too. */
static nn_result nn__lower_ahead(nn_plan *plan) {
    nn_result result = NN_OK;
    if (plan->collected || !nn__collect(plan, true)) return NN_OK;
    for (int i = 0; result >= 0 && i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        if (step->node->rule->kernel == NN_KERNEL_NONE) continue;
        nn__lower_step(plan, step);
        if (nn__collects(plan, step) && !nn__in_chain(step))
            result = nn__prepare_step(plan, step, "nn_run");
    }
    if (result >= 0) result = nn__chain_collect(plan, "nn_run");
    nn__collect(plan, false);
    nn__has_collected(plan);
    return result < 0 ? result : NN_OK;
}
#else
#define nn__lower_ahead(plan) NN_OK
#endif

NN_PRIVATE nn_result nn__lower_plan(nn_plan *plan) {
    bool all = !plan->lowered;
    if (all) nn__resolve_views(plan);
    for (int i = 0; all && i < plan->step_count; i++) {
        const nn_result result = nn__lower_spread(plan, &plan->steps[i]);
        if (result < 0) return result;
    }
    if (all) {
        const nn_result result = nn__lower_ahead(plan);
        if (result < 0) return result;
    }
    for (int i = nn__first_lowered(plan, all); i < plan->step_count;
         i = nn__next_lowered(plan, i, all)) {
        nn__step *step = &plan->steps[i];
        if (step->node->rule->kernel == NN_KERNEL_NONE) continue;
        if (!all && !(step->node->rule->flags & NN__DYNAMIC)) continue;
        nn__lower_anew(plan, step, all);
        if (!all || nn__in_chain(step)) continue;
        const nn_result result = nn__prepare_step(plan, step, "nn_run");
        if (result < 0) return result;
    }
    /* chains need the arguments of all their steps */
    const nn_result result =
        all ? nn__chain_prepare_all(plan, "nn_run") : nn__chain_follow(plan, "nn_run");
    plan->lowered = result >= 0;
    return result < 0 ? result : NN_OK;
}
