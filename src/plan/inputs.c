/* plan/inputs.c - what a run reads: uploads, bound tensors, the batch that follows from them, and every mistake in
   what was given, reported before a run starts. */
#include "plan/private.h"

/* The input's value, or NULL with an error in *result. */
static nn__value *nn__inputs_find(nn_site site, nn_plan *plan, nn_node *input, const char *who, nn_result *result) {
    *result = nn__check_plan(plan, site, who);
    if (*result < 0) return NULL;
    int i = input ? nn__find_value(plan, input) : -1;
    if (plan->running)
        *result = nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                    "%s: a run in slices is under way; call nn_run_for until it is done", who);
    else if (!input)
        *result = nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "%s: input is NULL", who);
    else if (i < 0 || input->kind != NN__INPUT)
        *result = nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                    "%s: \"%s\" is no input of this plan (made at line %d)", who, input->name,
                    plan->site.line);
    else
        return &plan->values[i];
    return NULL;
}

/* The extent of an input that depends on the batch, or -1. Of a shape there is at most one. */
static int nn__inputs_batch_axis(const nn_node *input) {
    int axis = input->shape.rank - 1;
    while (axis >= 0 && input->shape.extent[axis] > 0) axis--;
    return axis;
}

static bool nn__inputs_has_batch(const nn_node *input) { return nn__inputs_batch_axis(input) >= 0; }

/* The batch that a tensor brings to an input; 0: the input has none, or the tensor does not fit. */
static int32_t nn__inputs_batch_of(const nn_node *input, const nn_tensor *tensor) {
    const int axis = nn__inputs_batch_axis(input);
    if (axis < 0 || axis >= tensor->view.shape.rank) return 0;
    return tensor->view.shape.extent[axis] / -input->shape.extent[axis];
}

static nn_result nn__inside_upload(nn_site site, nn_plan *plan, nn_node *input, const void *data,
                                   size_t bytes) {
    nn_result result;
    nn__value *value = nn__inputs_find(site, plan, input, "nn_upload", &result);
    uint64_t bytes_of_one;
    if (!value) return result;
    nn__node_bytes(input, 1, 1, &bytes_of_one);
    const size_t sample = (size_t)bytes_of_one; /* the whole batch fits: the plan looked */
    const size_t most = nn__inputs_has_batch(input) ? sample * (size_t)plan->desc.batch : sample;
    if (!data)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "nn_upload: data for \"%s\" is NULL",
                           input->name);
    if (bytes == 0 || bytes % sample || bytes > most) {
        char shape[NN__SHAPE_TEXT];
        return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                           "nn_upload: \"%s\" %s got %zu bytes; a sample has %llu, and this plan takes 1 to "
                           "%d samples, at most %llu bytes",
                           input->name, nn__format_shape(input->shape, shape, sizeof shape), bytes,
                           (unsigned long long)sample, nn__inputs_has_batch(input) ? plan->desc.batch : 1,
                           (unsigned long long)most);
    }
    nn__plan_device *device = &plan->devices[nn__plan_device_of(plan, input)];
    nn_view view = value->view;
    nn__storage(device, false, value->offset, &view);
    result = nn__upload(plan->nn, input->device, &view, data, bytes, input->name, site, NULL);
    if (result < 0) return result; /* what was given before stays */
    if (value->bound) plan->lowered = false;
    nn__unuse_tensor(value->bound);
    value->bound = NULL;
    value->given = value->anew = true;
    nn__value_given_at(value, site);
    value->batch = nn__inputs_has_batch(input) ? (int32_t)(bytes / sample) : 0;
    return result;
}

NN_API nn_result nn_upload_at(nn_site site, nn_plan *plan, nn_node *input, const void *data, size_t bytes) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_upload", site,
                     nn__inside_upload(site, plan, input, data, bytes));
}

static nn_result nn__inside_bind(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor) {
    nn_result result;
    nn__value *value = nn__inputs_find(site, plan, input, "nn_bind", &result);
    if (!value) return result;
    if (value->bound != tensor) {
        plan->lowered = false;
        value->checked = false;
    }
    nn__use_tensor(tensor, "nn_bind", site);
    nn__unuse_tensor(value->bound);
    value->bound = tensor;
    value->given = tensor != NULL;
    value->anew = true;
    nn__value_given_at(value, site);
    value->batch = tensor ? nn__inputs_batch_of(input, tensor) : 0;
    return NN_OK;
}

NN_API nn_result nn_bind_at(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_bind", site,
                     nn__inside_bind(site, plan, input, tensor));
}

/* A bound tensor that fits is looked at once. */
NN_PRIVATE bool nn__bound_fits(const nn_plan *plan, nn__value *value) {
    const nn_node *input = value->node;
    const nn_tensor *tensor = value->bound;
    const nn_shape wanted = nn__resolve_shape(input->shape, value->batch ? value->batch : 1, 1);
    value->checked = tensor->nn == plan->nn && nn_same_device(tensor->device, input->device) &&
                     tensor->view.dtype == input->dtype &&
                     nn__equal_shapes(&tensor->view.shape, &wanted);
    return value->checked;
}

#ifndef NN_NO_REPORTS
/* What is wrong with what was given for one input, as a fault. */
static void nn__inputs_check_one(nn_plan *plan, nn__faults *faults, nn__value *value, const nn__value *first) {
    const nn_node *input = value->node;
    const nn_tensor *tensor = value->bound;
    char text[16];
    nn_shape wanted = nn__resolve_shape(input->shape, value->batch ? value->batch : 1, 1);
    bool elsewhere = tensor && !nn_same_device(tensor->device, input->device);
    bool fits = !tensor || (tensor->view.dtype == input->dtype && nn_same_shape(tensor->view.shape, wanted) &&
                            value->batch <= plan->desc.batch);
    bool foreign = tensor && tensor->nn != plan->nn;
    bool agrees = !value->batch || !first || value->batch == first->batch;
    if (value->given && !elsewhere && fits && !foreign && agrees) return;
    nn__fault *fault =
        nn__add_fault(faults, value->given && elsewhere && !foreign ? NN__FAULT_DEVICE : NN__FAULT_INPUT,
                      "input", input->name, value->given ? value->site : input->site);
    nn__fault_operand(fault, "wanted", input, true);
    if (tensor) {
        nn__fault_shape_operand(fault, "given", tensor->name, tensor->view.shape, tensor->view.dtype);
        if (fault) {
            fault->operands[fault->operand_count - 1].device = tensor->device;
            fault->operands[fault->operand_count - 1].show_device = true;
        }
    }
    if (!value->given) {
        nn__fault_cause(faults, fault, NN__TEXT("nothing was given for it"));
        nn__fault_fix(
            faults, fault,
            NN__TEXT("nn_upload(plan, %s, data, bytes) or nn_bind(plan, %s, tensor) before the run"),
            input->name, input->name);
    } else if (foreign) {
        nn__fault_cause(faults, fault, NN__TEXT("the tensor was made with another context"));
        nn__fault_fix(
            faults, fault,
            NN__TEXT("make both with one nn_context; between contexts use nn_download_tensor and nn_upload"));
    } else if (elsewhere) {
        nn__fault_cause(faults, fault, NN__TEXT("nn_bind makes the plan read the tensor where it stands"));
        nn__fault_fix(
            faults, fault,
            NN__TEXT("put it there once: nn_copy_to(tensor, %s), or make the loader with that .device"),
            nn_format_device(input->device, text, sizeof text));
    } else if (!fits) {
        nn__fault_cause(faults, fault, NN__TEXT("dtype or shape do not fit; batches of 1 to %d do"),
                        plan->desc.batch);
        nn__fault_fix(
            faults, fault,
            NN__TEXT("give a tensor of the wanted dtype and shape, or make the plan with a larger .batch"));
    } else {
        nn__fault_cause(faults, fault, NN__TEXT("its batch is %d, but that of \"%s\" is %d"), value->batch,
                        first->node->name, first->batch);
        nn__fault_fix(faults, fault, NN__TEXT("give all inputs of a run the same number of samples"));
    }
}

static nn_result nn__inputs_fail(nn_plan *plan, const nn__value *first) {
    nn__faults faults, none;
    nn__arena arena;
    memset(&faults, 0, sizeof faults);
    memset(&none, 0, sizeof none);
    memset(&arena, 0, sizeof arena);
    arena.memory = &plan->nn->memory;
    faults.arena = &arena;
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].place == NN__PLACE_INPUT)
            nn__inputs_check_one(plan, &faults, &plan->values[i], first);
    nn_result result = nn__fail_faults(plan->nn, plan->net->name, &none, &faults);
    nn__arena_free(&arena);
    return result;
}
#else
static nn_result nn__inputs_fail(nn_plan *plan, const nn__value *first) {
    (void)first;
    return nn__fail_code(plan->nn, NN_ERROR_FAULTS);
}
#endif

#ifndef NN_NO_TRAINING
static bool nn__inputs_moved(const nn__value *value) {
    const nn_view *view = value->bound ? &value->bound->view : &value->view;
    return view->handle != value->view.handle || view->offset != value->view.offset;
}

/* A loader's batches stand in turn at different places. Shapes stay, so only arguments change: of the steps
   that read the value. */
static void nn__inputs_follow(nn_plan *plan, nn__value *moved) {
    moved->view.handle = moved->bound->view.handle;
    moved->view.offset = moved->bound->view.offset;
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_ALIAS || nn__root(plan, i) != moved) continue;
        value->view.handle = moved->view.handle;
        value->view.offset = moved->view.offset;
    }
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        for (int j = 0; j < step->node->input_count; j++) {
            if (nn__root(plan, step->inputs[j]) != moved) continue;
            nn__lower_step(plan, step);
            break;
        }
    }
}
#endif

NN_PRIVATE nn_result nn__run_inputs(nn_plan *plan) {
    const nn__value *first = NULL;
    bool fine = true;
    int32_t batch = plan->desc.batch;
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_INPUT) continue;
        if (value->bound && value->batch != nn__inputs_batch_of(value->node, value->bound)) {
            value->batch = nn__inputs_batch_of(value->node, value->bound); /* a loader's last batch may be short */
            value->checked = false;
        }
        if (value->batch && value->given && !first) first = value;
    }
    if (first) batch = first->batch;
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_INPUT) continue;
        fine = fine && value->given && (!value->batch || value->batch == batch) &&
               value->batch <= plan->desc.batch &&
               (!value->bound || value->checked || nn__bound_fits(plan, value));
    }
    if (!fine) return nn__inputs_fail(plan, first);
    if (batch != plan->run.batch) plan->lowered = false;
    plan->run.batch = batch;
#ifndef NN_NO_TRAINING
    for (int i = 0; i < plan->value_count && plan->lowered; i++)
        if (plan->values[i].place == NN__PLACE_INPUT && nn__inputs_moved(&plan->values[i]))
            nn__inputs_follow(plan, &plan->values[i]);
#endif
    return NN_OK;
}
