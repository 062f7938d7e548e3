/* plan/run.c - filling inputs, running the steps whole or in slices, reading results. Here nothing is
   allocated and nothing crosses devices but what the caller asked for and what nn_transfer described. Next:
   plan/report.c. */
#include "plan/private.h"

/* ---- views and arguments --------------------------------------------------------------------- */

#ifndef NN__ONE_PIECE
NN_PRIVATE void nn__storage(const nn__plan_device *device, bool arena, uint64_t offset, nn_view *view) {
    const nn__piece *blocks = arena ? device->arena : device->blocks;
    view->handle = NULL;
    view->offset = offset;
    if (!blocks) return; /* before there is a layout */
    view->handle = blocks[offset / device->largest].handle;
    view->offset = offset % device->largest;
}
#endif

NN_PRIVATE void nn__status_view(const nn__plan_device *device, nn_view *view) {
    memset(view, 0, sizeof *view);
    nn__storage(device, false, device->status_offset, view);
    view->dtype = NN_I32;
}

NN_PRIVATE void nn__resolve_views(nn_plan *plan) {
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        nn_node *node = value->node;
        value->view.shape = nn__resolve_shape(node->shape, plan->run.batch, plan->run.time);
        value->view.dtype = node->dtype;
        if (value->place == NN__PLACE_ALIAS || value->place == NN__PLACE_TENSOR || value->bound) {
            const nn_tensor *tensor = value->bound ? value->bound : node->tensor;
            const nn_view *from = value->place == NN__PLACE_ALIAS ? &nn__root(plan, i)->view
                                  : tensor                        ? &tensor->view
                                                                  : NULL;
            value->view.handle = from ? from->handle : NULL;
            value->view.offset = from ? from->offset : 0;
        } else {
            const nn__plan_device *device = &plan->devices[nn__find_plan_device(plan, node->device)];
            nn__storage(device, value->place == NN__PLACE_ARENA && !value->front, value->offset, &value->view);
#ifndef NN_NO_REPORTS
            if (value->place == NN__PLACE_STATUS) nn__status_view(device, &value->view);
#endif
        }
    }
}

NN_PRIVATE void nn__lower_step(nn_plan *plan, nn__step *step) {
    nn__lowering lowering;
    nn__plan_device *device = &plan->devices[step->device];
    memset(&lowering, 0, sizeof lowering);
    for (int i = 0; i < step->node->input_count; i++) plan->views[i] = plan->values[step->inputs[i]].view;
    lowering.inputs = plan->views;
    if (step->output >= 0) lowering.output = plan->values[step->output].view;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        if (step->more[k] >= 0) lowering.more[k] = plan->values[step->more[k]].view;
    if (device->scratch_bytes) {
        nn__storage(device, false, device->scratch_offset, &lowering.scratch);
        lowering.scratch.dtype = NN_U8;
        lowering.scratch.shape.rank = 1;
        lowering.scratch.shape.extent[0] = (int32_t)nn__min64((int64_t)device->scratch_bytes, INT32_MAX);
    }
    if (step->node->rule->flags & NN__STATUS) {
        nn__status_view(device, &lowering.status);
        if (nn__step_status(step)) lowering.status = plan->values[nn__step_status(step)].view;
    }
    lowering.activation = step->activation;
    lowering.values = &plan->run;
    if (!step->args) return;
    memset(step->args, 0, nn__args_bytes(step->node->rule->kernel));
    step->node->rule->lower(step->node, &lowering, step->args);
}

NN_PRIVATE nn_result nn__prepare_step(nn_plan *plan, nn__step *step, const char *who) {
    const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
    nn_kernel kernel = step->node->rule->kernel;
    nn_result result = open->backend->prepare(open->state, kernel, step->args);
    if (result < 0)
        return nn__fail(plan->nn, result, "%s: %s \"%s\" could not be prepared", who, step->node->operation,
                        step->node->name);
    step->units = open->backend->units(open->state, kernel, step->args);
    uint64_t scratch = open->backend->scratch_bytes(open->state, kernel, step->args);
    if (scratch <= plan->devices[step->device].scratch_bytes) return NN_OK;
    char at[NN__EXTENTS_TEXT];
    return nn__fail(plan->nn, NN_ERROR_MEMORY,
                    "%s: %s \"%s\" wants %llu bytes of scratch for %s, the plan has %llu; make a plan with .batch = %d "
                    "and .time = %d",
                    who, step->node->operation, step->node->name, (unsigned long long)scratch,
                    nn__format_extents(plan, plan->run.batch, plan->run.time, at, sizeof at),
                    (unsigned long long)plan->devices[step->device].scratch_bytes, (int)plan->run.batch,
                    (int)plan->run.time);
}

/* Arguments of all steps for the batch and the bindings of this run, or only of those that change from run to
   run. */
static nn_result nn__run_lower(nn_plan *plan) {
    bool all = !plan->lowered;
    if (all) nn__resolve_views(plan);
    for (int i = 0; i < plan->step_count; i++) {
        nn__step *step = &plan->steps[i];
        if (step->node->rule->kernel == NN_KERNEL_NONE) continue;
        if (!all && !(step->node->rule->flags & NN__DYNAMIC)) continue;
        nn__lower_step(plan, step);
        nn_result result = all ? nn__prepare_step(plan, step, "nn_run") : NN_OK;
        if (result < 0) return result;
    }
    plan->lowered = true;
    return NN_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* The input's value, or NULL with an error in *result. */
static nn__value *nn__run_input(nn_site site, nn_plan *plan, nn_node *input, const char *who, nn_result *result) {
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

/* What the shape of an input depends on. */
static unsigned nn__run_free(const nn_node *input) {
    unsigned kinds = 0;
    for (int i = 0; i < input->shape.rank; i++) kinds |= nn__extent_kind(input->shape.extent[i]);
    return kinds;
}

/* The batch and the time that a bound tensor brings to its input. An extent of both says only their product, which
   stands as a batch. Where the tensor does not fit, the numbers are such that its shape shows it. */
static void nn__run_read(nn__value *value) {
    const nn_shape shape = value->node->shape, given = value->bound->view.shape;
    int32_t batch = 0, time = 0;
    for (int i = 0; i < shape.rank && i < given.rank; i++) {
        const unsigned kind = nn__extent_kind(shape.extent[i]);
        const int32_t count = kind ? given.extent[i] / nn__extent_factor(shape.extent[i]) : 0;
        if (kind & NN__OF_BATCH) batch = count;
        if (kind == NN__OF_TIME) time = count;
    }
    if (batch == value->batch && time == value->time) return;
    value->batch = batch; /* a loader's last batch may be short */
    value->time = time;
    value->checked = false;
}

/* An upload of a number of bytes that the input cannot have. */
static nn_result nn__run_fail_bytes(const nn_plan *plan, const nn_node *input, size_t bytes, size_t sample, size_t most,
                                    nn_site site) {
    char shape[NN__SHAPE_TEXT];
    const unsigned kind = nn__run_free(input);
    nn__format_shape(input->shape, shape, sizeof shape);
    if (kind == NN__OF_TIME)
        return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                           "nn_upload: \"%s\" %s got %zu bytes; a step has %zu, and this plan takes 1 to %d steps, at "
                           "most %zu bytes",
                           input->name, shape, bytes, sample, plan->desc.time, most);
    if (kind & NN__OF_TIME)
        return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                           "nn_upload: \"%s\" %s got %zu bytes; a step of a sample has %zu, and this plan takes 1 "
                           "to %d samples of 1 to %d steps, at most %zu bytes",
                           input->name, shape, bytes, sample, plan->desc.batch, plan->desc.time, most);
    return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                       "nn_upload: \"%s\" %s got %zu bytes; a sample has %zu, and this plan takes 1 to %d samples, at "
                       "most %zu bytes",
                       input->name, shape, bytes, sample, kind ? plan->desc.batch : 1, most);
}

NN_API nn_result nn_upload_at(nn_site site, nn_plan *plan, nn_node *input, const void *data, size_t bytes) {
    nn_result result;
    nn__value *value = nn__run_input(site, plan, input, "nn_upload", &result);
    uint64_t bytes_of_one = 0;
    if (!value) return result;
    nn__shape_bytes(input->shape, input->dtype, 1, 1, &bytes_of_one);
    const size_t sample = (size_t)bytes_of_one; /* the whole fits: the plan looked */
    const unsigned kind = nn__run_free(input);
    size_t most = sample;
    if (kind & NN__OF_BATCH) most *= (size_t)plan->desc.batch;
    if (kind & NN__OF_TIME) most *= (size_t)plan->desc.time;
    if (!data)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "nn_upload: data for \"%s\" is NULL",
                           input->name);
    if (bytes == 0 || bytes % sample || bytes > most || bytes / sample > INT32_MAX)
        return nn__run_fail_bytes(plan, input, bytes, sample, most, site);
    nn__plan_device *device = &plan->devices[nn__find_plan_device(plan, input->device)];
    nn_view view = value->view;
    nn__storage(device, false, value->offset, &view);
    result = nn__upload(plan->nn, input->device, &view, data, bytes, input->name, site, NULL);
    if (result < 0) return result; /* what was given before stays */
    if (value->bound) plan->lowered = false;
    nn__unuse_tensor(value->bound);
    value->bound = NULL;
    value->given = value->anew = true;
    nn__value_given_at(value, site);
    value->batch = kind & NN__OF_BATCH ? (int32_t)(bytes / sample) : 0;
    value->time = kind == NN__OF_TIME ? (int32_t)(bytes / sample) : 0;
    return result;
}

NN_API nn_result nn_bind_at(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor) {
    nn_result result;
    nn__value *value = nn__run_input(site, plan, input, "nn_bind", &result);
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
    value->batch = value->time = 0;
    if (tensor) nn__run_read(value);
    return NN_OK;
}

NN_API nn_result nn_set_time_at(nn_site site, nn_plan *plan, int32_t time) {
    nn_result result = nn__check_plan(plan, site, "nn_set_time");
    if (result < 0) return result;
    if (plan->running)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_set_time: a run in slices is under way; call nn_run_for until it is done");
    if (time < 0 || time > plan->desc.time)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_set_time: time is %d; this plan takes 1 to %d, or 0: what its inputs say; make it with "
                           "a larger .time",
                           (int)time, plan->desc.time);
    plan->time = time;
    return NN_OK;
}

/* A bound tensor that fits is looked at once. */
static bool nn__run_bound_fits(const nn_plan *plan, nn__value *value) {
    const nn_node *input = value->node;
    const nn_tensor *tensor = value->bound;
    const nn_shape wanted = nn__resolve_shape(input->shape, nn__maxi(value->batch, 1), nn__maxi(value->time, 1));
    value->checked = tensor->nn == plan->nn && nn_same_device(tensor->device, input->device) &&
                     tensor->view.dtype == input->dtype && nn_same_shape(tensor->view.shape, wanted);
    return value->checked;
}

/* What the inputs of a run say, and the first of them that does; NULL: none. */
typedef struct nn__run_extents {
    int32_t batch, time;
    const nn__value *batch_of, *time_of;
} nn__run_extents;

/* The batch of what an input was given, at this time. 0: the input has none, or what it was given is no whole batch. */
static int32_t nn__run_batch(const nn__value *value, int32_t time) {
    const bool product = nn__run_free(value->node) == (NN__OF_BATCH | NN__OF_TIME) && value->time == 0;
    if (!product) return value->batch;
    return value->batch % time ? 0 : value->batch / time;
}

static nn__run_extents nn__run_find(nn_plan *plan) {
    nn__run_extents found;
    int32_t steps = 0;
    memset(&found, 0, sizeof found);
    for (int i = 0; i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_INPUT || !value->given) continue;
        if (value->bound) nn__run_read(value);
        if (value->time && !found.time_of) found.time_of = value;
        if (plan->desc.batch == 1 && !value->time && (nn__run_free(value->node) & NN__OF_TIME)) steps = value->batch;
    }
    found.time = plan->desc.time;
    if (steps >= 1 && steps < found.time) found.time = steps; /* of the one sample that there can be */
    if (found.time_of) found.time = found.time_of->time;
    if (plan->time) found.time = plan->time;
    found.batch = plan->desc.batch;
    for (int i = 0; i < plan->value_count && !found.batch_of; i++) {
        const nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_INPUT || !value->given || !value->batch) continue;
        found.batch = nn__run_batch(value, found.time);
        found.batch_of = value;
    }
    return found;
}

#ifndef NN_NO_REPORTS
/* Dtype or shape of a bound tensor. */
static void nn__run_fault_shape(const nn_plan *plan, nn__faults *faults, nn__fault *fault, const nn_node *input) {
    if (!(nn__run_free(input) & NN__OF_TIME)) {
        nn__fault_cause(faults, fault, NN__TEXT("dtype or shape do not fit; batches of 1 to %d do"), plan->desc.batch);
        nn__fault_fix(
            faults, fault,
            NN__TEXT("give a tensor of the wanted dtype and shape, or make the plan with a larger .batch"));
        return;
    }
    nn__fault_cause(faults, fault, NN__TEXT("dtype or shape do not fit; batches of 1 to %d and times of 1 to %d do"),
                    plan->desc.batch, plan->desc.time);
    nn__fault_fix(
        faults, fault,
        NN__TEXT("give a tensor of the wanted dtype and shape, or make the plan with a larger .batch or .time"));
}

/* Its batch or time is not that of the run. */
static void nn__run_fault_extents(const nn_plan *plan, nn__faults *faults, nn__fault *fault, const nn__value *value,
                                  const nn__run_extents *found) {
    const int32_t batch = nn__run_batch(value, found->time);
    if (value->time && value->time != found->time) {
        if (plan->time)
            nn__fault_cause(faults, fault, NN__TEXT("its time is %d, but nn_set_time said %d"), (int)value->time,
                            (int)plan->time);
        else
            nn__fault_cause(faults, fault, NN__TEXT("its time is %d, but that of \"%s\" is %d"), (int)value->time,
                            found->time_of->node->name, (int)found->time);
        nn__fault_fix(faults, fault, NN__TEXT("give all inputs of a run the same number of steps"));
    } else if (batch == 0 || batch > plan->desc.batch) {
        nn__fault_cause(faults, fault,
                        NN__TEXT("it has %d steps in all, which at a time of %d are no batch of 1 to %d"),
                        (int)value->batch, (int)found->time, plan->desc.batch);
        nn__fault_fix(faults, fault, NN__TEXT("nn_set_time(plan, time) says how many steps a sample has"));
    } else {
        nn__fault_cause(faults, fault, NN__TEXT("its batch is %d, but that of \"%s\" is %d"), (int)batch,
                        found->batch_of->node->name, (int)found->batch);
        nn__fault_fix(faults, fault, NN__TEXT("give all inputs of a run the same number of samples"));
    }
}

/* What is wrong with what was given for one input, as a fault. */
static void nn__run_check_input(nn_plan *plan, nn__faults *faults, nn__value *value, const nn__run_extents *found) {
    const nn_node *input = value->node;
    const nn_tensor *tensor = value->bound;
    char text[16];
    nn_shape wanted = nn__resolve_shape(input->shape, nn__maxi(value->batch, 1), nn__maxi(value->time, 1));
    bool elsewhere = tensor && !nn_same_device(tensor->device, input->device);
    bool product = (nn__run_free(input) & NN__OF_TIME) && !value->time;
    bool fits = !tensor || (tensor->view.dtype == input->dtype && nn_same_shape(tensor->view.shape, wanted) &&
                            (product || value->batch <= plan->desc.batch) && value->time <= plan->desc.time);
    bool foreign = tensor && tensor->nn != plan->nn;
    bool possible = found->batch >= 1 && found->batch <= plan->desc.batch; /* else only who says so is at fault */
    bool agrees = (!value->time || value->time == found->time) &&
                  (!possible ? found->batch_of != value
                             : !value->batch || nn__run_batch(value, found->time) == found->batch);
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
        nn__run_fault_shape(plan, faults, fault, input);
    } else {
        nn__run_fault_extents(plan, faults, fault, value, found);
    }
}

static nn_result nn__run_fail_inputs(nn_plan *plan, const nn__run_extents *found) {
    nn__faults faults, none;
    nn__arena arena;
    memset(&faults, 0, sizeof faults);
    memset(&none, 0, sizeof none);
    memset(&arena, 0, sizeof arena);
    arena.memory = &plan->nn->memory;
    faults.arena = &arena;
    for (int i = 0; i < plan->value_count; i++)
        if (plan->values[i].place == NN__PLACE_INPUT)
            nn__run_check_input(plan, &faults, &plan->values[i], found);
    nn_result result = nn__fail_faults(plan->nn, plan->net->name, &none, &faults);
    nn__arena_free(&arena);
    return result;
}
#else
static nn_result nn__run_fail_inputs(nn_plan *plan, const nn__run_extents *found) {
    (void)found;
    return nn__fail_code(plan->nn, NN_ERROR_FAULTS);
}
#endif

#ifndef NN_NO_TRAINING
static bool nn__run_moved(const nn__value *value) {
    const nn_view *view = value->bound ? &value->bound->view : &value->view;
    return view->handle != value->view.handle || view->offset != value->view.offset;
}

/* A loader's batches stand in turn at different places. Shapes stay, so only arguments change: of the steps
   that read the value. */
static void nn__run_follow(nn_plan *plan, nn__value *moved) {
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

static nn_result nn__run_check(nn_plan *plan) {
    const nn__run_extents found = nn__run_find(plan);
    bool fine = found.batch >= 1 && found.batch <= plan->desc.batch && found.time >= 1 && found.time <= plan->desc.time;
    for (int i = 0; fine && i < plan->value_count; i++) {
        nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_INPUT) continue;
        fine = value->given && (!value->batch || nn__run_batch(value, found.time) == found.batch) &&
               (!value->time || value->time == found.time) &&
               (!value->bound || value->checked || nn__run_bound_fits(plan, value));
    }
    if (!fine) return nn__run_fail_inputs(plan, &found);
    if (found.batch != plan->run.batch || found.time != plan->run.time) plan->lowered = false;
    plan->run.batch = found.batch;
    plan->run.time = found.time;
#ifndef NN_NO_TRAINING
    for (int i = 0; i < plan->value_count && plan->lowered; i++)
        if (plan->values[i].place == NN__PLACE_INPUT && nn__run_moved(&plan->values[i]))
            nn__run_follow(plan, &plan->values[i]);
#endif
    return NN_OK;
}

/* ---- the status word ------------------------------------------------------------------------- */

/* Names of the labels that some loss of the plan reads, for the message. */
static const nn_node *nn__run_labels(const nn_plan *plan) {
    for (int i = 0; i < plan->step_count; i++) {
        const nn_node *node = plan->steps[i].node;
        if (node->rule->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD) return node;
    }
    return NULL;
}

/* The first fault of all devices, 0: none. A label out of range makes the loss NaN, so that devices without
   the labels stop too; of one step's faults the label's is the cause, and has the smaller code. */
static nn_result nn__run_first_fault(nn_plan *plan, nn_site site, uint32_t *first) {
    *first = 0;
    for (int i = 0; i < plan->device_count; i++) {
        const nn__plan_device *device = &plan->devices[i];
        uint32_t word = 0;
        nn_view view;
        if (!device->uses_status) continue;
        nn__status_view(device, &view);
        nn_result result = nn__download(plan->nn, device->device, &view, &word, sizeof word, "status", site);
        if (result < 0) return result;
        if (word && (*first == 0 || word < *first)) *first = word;
    }
    return NN_OK;
}

/* The error that a status word stands for. */
static nn_result nn__run_fail_fault(nn_plan *plan, uint32_t word, nn_site site, const char *who) {
    const nn_node *loss = nn__run_labels(plan);
    const char *again =
        plan->training ? "; nothing was updated since; nn_clear_fault(trainer) goes on" : "";
    if ((word & 7u) != NN_FAULT_LABEL)
        return nn__fail_at(plan->nn, site, NN_ERROR_NAN, "%s: step %u: the loss is NaN or infinite%s", who,
                           (unsigned)(word >> 3), again);
    if (!loss)
        return nn__fail_at(plan->nn, site, NN_ERROR_LABEL, "%s: step %u: a label is out of range%s", who,
                           (unsigned)(word >> 3), again);
    return nn__fail_at(plan->nn, site, NN_ERROR_LABEL,
                       "%s: step %u: a label is out of range: labels in \"%s\" must be in [0, %d)%s", who,
                       (unsigned)(word >> 3), loss->inputs[1]->name, loss->inputs[0]->shape.extent[1], again);
}

NN_PRIVATE nn_result nn__read_status(nn_plan *plan, nn_site site, const char *what) {
    uint32_t word;
    nn_result result = nn__run_first_fault(plan, site, &word);
    if (word == 0) word = plan->fault; /* the plan was made anew since */
    if (result < 0 || word == 0) return result;
    return nn__run_fail_fault(plan, word, site, what);
}

#ifndef NN_NO_TRAINING
/* What is known of the devices' status words without waiting for them. */
static uint32_t nn__run_poll(nn_plan *plan) {
    for (int i = 0; i < plan->device_count; i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        if (!device->asked || !open || !open->backend->fence_done(open->state, device->told)) continue;
        device->asked = false;
        if (device->said && (!plan->fault || device->said < plan->fault)) plan->fault = device->said;
    }
    return plan->fault;
}

/* Sends the status words after the step that was just given to the devices. Where memory is the host's, nothing
   crosses. A limit on what crosses is not used up by what the program did not ask for: then only reports tell. */
static nn_result nn__run_ask(nn_plan *plan, nn_site site) {
    nn_context *nn = plan->nn;
    for (int i = 0; i < plan->device_count; i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(nn, device->device);
        const bool crosses = !open->limits.host_memory;
        nn_view view;
        if (!device->uses_status || device->asked || (crosses && !plan->training)) continue;
        if (crosses && nn->ledger.guard && (nn->ledger.limits.download_bytes || nn->ledger.limits.crossings)) continue;
        if (crosses) nn__ledger_ask(nn, NN_CROSS_DOWNLOAD, sizeof device->said, "status", site);
        nn__status_view(device, &view);
        memset(&device->told, 0, sizeof device->told);
        device->told.device = device->device;
        nn_result result = open->backend->download(open->state, view.handle, view.offset, &device->said,
                                                   sizeof device->said, &device->told);
        if (result < 0)
            return nn__fail_at(nn, site, result, "reading the status word of %s: %s", open->limits.name,
                               nn_result_text(result));
        device->asked = true;
        if (!crosses) continue;
#ifndef NN_NO_REPORTS
        nn->ledger.fence = device->told;
#endif
        nn__ledger_add(nn, NN_CROSS_DOWNLOAD, NN_COPIED, device->device, nn_cpu(), sizeof device->said,
                       sizeof device->said, "status", site);
    }
    return NN_OK;
}
#endif

#ifndef NN_NO_TRAINING
/* The error for a fault that is known. Of several devices the others may know its cause, so they are asked. */
static nn_result nn__run_fail_known(nn_plan *plan, uint32_t word, nn_site site, const char *who) {
    uint32_t first = 0;
    if (plan->device_count > 1 && nn__run_first_fault(plan, site, &first) >= 0 && first && first < word) {
        word = first;
        if (plan->training) plan->fault = first;
    }
    return nn__run_fail_fault(plan, word, site, who);
}
#endif

/* A trainer goes no further after a fault that is known; see nn_clear_fault. */
static nn_result nn__run_known_fault(nn_plan *plan, nn_site site, const char *who) {
#ifndef NN_NO_TRAINING
    uint32_t word = plan->training ? nn__run_poll(plan) : 0;
    if (word) return nn__run_fail_known(plan, word, site, who);
#else
    (void)plan, (void)site, (void)who;
#endif
    return NN_OK;
}

/* The fault of the run that was just given to the devices, if one is known already. The status of an evaluation is
   that of its whole epoch: nn_evaluate reads it. */
static nn_result nn__run_faults(nn_plan *plan, nn_site site, const char *who) {
#ifndef NN_NO_TRAINING
    nn_result result = plan->tape && !plan->training ? NN_OK : nn__run_ask(plan, site);
    uint32_t word = result < 0 ? 0 : nn__run_poll(plan);
    if (!plan->tape) plan->fault = 0;
    return word ? nn__run_fail_known(plan, word, site, who) : result;
#else
    (void)plan, (void)site, (void)who;
    return NN_OK;
#endif
}

NN_PRIVATE nn_result nn__clear_status(nn_plan *plan) {
    plan->fault = 0;
    for (int i = 0; i < plan->device_count; i++) {
        const nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        if (!device->uses_status) continue;
#ifndef NN_NO_TRAINING
        plan->devices[i].asked = false; /* what is on its way is of before */
#endif
        nn_view view;
        nn__status_view(device, &view);
        nn_result result = open->backend->fill(open->state, view.handle, view.offset, sizeof(uint32_t), 0);
        if (result < 0)
            return nn__fail(plan->nn, result, "%s could not clear its status word",
                            open->limits.name);
    }
    return NN_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Without reports there are no tests that ask for it. */
static bool nn__run_poisons(const nn_plan *plan) {
#ifdef NN_NO_REPORTS
    (void)plan;
    return false;
#else
    return plan->desc.poison;
#endif
}

/* A tensor of which somebody holds the memory. */
static nn_result nn__run_mapped(const nn_plan *plan, nn_site site, const char *who) {
#ifdef NN__ONE_PIECE
    (void)plan, (void)site, (void)who;
#else
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        const nn_tensor *tensor = value->bound                        ? value->bound
                                  : value->place == NN__PLACE_TENSOR ? value->node->tensor
                                                                     : NULL;
        if (nn__is_mapped(tensor)) return nn__fail_mapped(tensor, site, who);
    }
#endif
    return NN_OK;
}

/* whole: it will change parameters before this call returns. */
static nn_result nn__run_begin(nn_plan *plan, bool whole, nn_site site, const char *who) {
    nn_result result = nn__check_plan(plan, site, who);
    if (result >= 0)
        result = nn__check_slicing(plan->nn, plan->net->slicing, &plan->slicing, whole, site, who);
    if (result >= 0) result = nn__run_known_fault(plan, site, who);
    if (result >= 0) result = nn__run_check(plan);
    if (result >= 0) result = nn__run_mapped(plan, site, who);
    if (result >= 0) result = nn__run_lower(plan);
    if (result >= 0 && !plan->tape) result = nn__clear_status(plan); /* that of a plain plan is of one run */
    if (result < 0) return result;
    for (int i = 0; i < plan->value_count; i++) plan->values[i].anew = false;
    plan->step = plan->unit = 0;
    plan->running = true;
    plan->ran = false;
#ifndef NN_NO_REPORTS
    for (int i = 0; nn__run_poisons(plan) && i < plan->device_count; i++) {
        const nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        for (const nn__piece *block = device->arena; block->arena; block++)
            open->backend->fill(open->state, block->handle, 0, block->arena, 0xff);
    }
#endif
    return NN_OK;
}

/* Overwrites what lived up to step s. */
static void nn__run_poison(nn_plan *plan, int s) {
    for (int i = 0; i < plan->value_count; i++) {
        const nn__value *value = &plan->values[i];
        if (value->place != NN__PLACE_ARENA || value->front || value->last != s) continue;
        const nn__plan_device *device = &plan->devices[nn__find_plan_device(plan, value->node->device)];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        nn_view view;
        nn__storage(device, true, value->offset, &view);
        open->backend->fill(open->state, view.handle, view.offset, value->bytes, 0xff);
    }
}

static nn_result nn__run_transfer(nn_plan *plan, nn__step *step) {
    const nn_node *node = step->node, *from = node->inputs[0];
    const nn_view *to_view = &plan->values[step->output].view,
                  *from_view = &plan->values[step->inputs[0]].view;
    return plan->nn->cross(plan->nn, node->device, to_view, from->device, from_view, nn__bytes(to_view),
                     plan->staging, plan->staging_bytes, node->name, node->site);
}

#ifndef NN_NO_REPORTS
static void nn__run_tell(nn_plan *plan, nn__run_moment moment) {
    if (plan->profiler) plan->profiler->tell(plan, moment);
}
#else
#define nn__run_tell(plan, moment) ((void)0)
#endif

/* Units [unit, unit + count) of the current step, or all of it with count -1; moves the cursor. */
static nn_result nn__run_step(nn_plan *plan, int count, nn_site site, const char *who) {
    nn__step *step = &plan->steps[plan->step];
    nn_result result = NN_OK;
    if (plan->step == plan->update && !plan->slicing.writes) { /* nobody else may be reading the parameters */
        result = nn__check_slicing(plan->nn, plan->net->slicing, &plan->slicing, true, site, who);
        if (result < 0) return result;
        plan->slicing.writes = true;
    }
    nn__run_tell(plan, NN__STEP_STARTS);
    if (step->node->rule->flags & NN__TRANSFER) {
        result = nn__run_transfer(plan, step);
        count = -1;
    } else {
        const nn__open_device *open = nn__find_device(plan->nn, step->node->device);
        nn_range range;
        if (count >= 0 && plan->unit + count >= step->units) count = step->units - plan->unit;
        range.first = plan->unit;
        range.count = count;
        result = nn__call_kernel(open, step->node->rule->kernel, step->args, range);
    }
    if (result < 0) {
        nn__run_leave(plan);
        nn__run_tell(plan, NN__STEP_FAILS);
        return nn__fail(plan->nn, result, "%s: %s \"%s\" failed: %s", who, step->node->operation,
                        step->node->name, nn_result_text(result));
    }
    plan->unit += count;
    if (count < 0 || plan->unit >= step->units) {
        if (nn__run_poisons(plan)) nn__run_poison(plan, plan->step);
        plan->step++;
        plan->unit = 0;
    }
    nn__run_tell(plan, NN__STEP_ENDS);
    return NN_OK;
}

#ifdef NN__ONE_PIECE
#define nn__run_enter(plan) ((void)(plan))
NN_PRIVATE void nn__run_leave(nn_plan *plan) { plan->running = false; }
#else
/* From here on others are told that a run in slices is under way. */
static void nn__run_enter(nn_plan *plan) {
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
    return nn__run_faults(plan, site, who);
}

NN_PRIVATE nn_result nn__run_plan(nn_plan *plan, nn_site site, const char *who) {
    nn_result result = NN_OK;
    nn__run_tell(plan, NN__RUN_STARTS);
    if (!plan->running) result = nn__run_begin(plan, plan->update < plan->step_count, site, who);
    if (result >= 0 && plan->unit > 0) result = nn__run_step(plan, plan->steps[plan->step].units, site, who);
    while (result >= 0 && plan->step < plan->step_count) result = nn__run_step(plan, -1, site, who);
    if (result >= 0) result = nn__run_end(plan, site, who);
    nn__run_tell(plan, NN__RUN_ENDS);
    return result;
}

NN_API nn_result nn_run_at(nn_site site, nn_plan *plan) {
    return plan ? nn__run_plan(plan, site, "nn_run") : NN_ERROR_ARGUMENT;
}

/* A device with a queue takes in a whole step at once; in slices no more than one piece may be under way. */
static nn_result nn__run_wait(nn_plan *plan, const nn__open_device *on) {
    nn_result result = on->backend->finish(on->state);
    if (result >= 0) return result;
    nn__run_leave(plan);
    return nn__fail(plan->nn, result, "nn_run_for: waiting for %s: %s", on->limits.name, nn_result_text(result));
}

NN_PRIVATE nn_result nn__run_plan_for(nn_plan *plan, int64_t microseconds, nn_site site, const char *who) {
    nn_result result = NN_OK;
    /* without a clock nobody knows how long a piece takes: then a call does one */
    const bool timed = plan->nn->clock.now != NULL;
    uint64_t start = nn__now(&plan->nn->clock), budget = (uint64_t)nn__max64(microseconds, 0) * 1000u;
    nn__run_tell(plan, NN__RUN_STARTS);
    if (!plan->running) result = nn__run_begin(plan, false, site, who);
    int workers = nn__pool_workers(plan->nn->pool);
    uint64_t before = start, now = start;
    plan->slices.slices++;
    while (result >= 0 && plan->step < plan->step_count) {
        nn__step *step = &plan->steps[plan->step];
        const nn__open_device *on = nn__find_device(plan->nn, step->node->device);
        result = nn__run_step(plan, workers, site, who);
        if (result >= 0 && !on->limits.host_memory) result = nn__run_wait(plan, on);
        now = nn__now(&plan->nn->clock);
        uint64_t took = now - before;
        before = now;
        if ((!timed || now - start >= budget) && result >= 0 && plan->step < plan->step_count) {
            if (timed && step->chunk_ns && now - start - budget > step->chunk_ns) plan->slices.late++;
            result = NN_PENDING;
            break;
        }
        if (step->chunk_ns < took) step->chunk_ns = took;
    }
    if (result == NN_PENDING) nn__run_enter(plan);
    if (result == NN_OK) result = nn__run_end(plan, site, who);
    nn__run_tell(plan, NN__RUN_ENDS);
    return result;
}

NN_API nn_result nn_run_for_at(nn_site site, nn_plan *plan, int64_t microseconds) {
    return plan ? nn__run_plan_for(plan, microseconds, site, "nn_run_for") : NN_ERROR_ARGUMENT;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Does the plan still hold the node's value at the end of a run? */
static bool nn__run_holds(const nn__value *value) {
    return value->place == NN__PLACE_TENSOR || value->place == NN__PLACE_INPUT || value->kept;
}

NN_API nn_view nn_plan_view(nn_plan *plan, const nn_node *node) {
    nn_view none;
    memset(&none, 0, sizeof none);
    int i = plan && node && plan->generation == plan->net->generation ? nn__find_value(plan, node) : -1;
    if (i < 0 || !nn__run_holds(&plan->values[i])) return none;
    nn__value *root = nn__root(plan, i);
    if (root->bound && !root->checked && !nn__run_bound_fits(plan, root)) return none;
    if (!plan->lowered) nn__resolve_views(plan);
    return plan->values[i].view;
}

NN_API nn_result nn_download_at(nn_site site, nn_plan *plan, const nn_node *node, void *to, size_t bytes) {
    char shape[NN__SHAPE_TEXT], at[NN__EXTENTS_TEXT];
    nn_result result = nn__check_plan(plan, site, "nn_download");
    if (result < 0) return result;
    nn_context *nn = plan->nn;
    int i = node ? nn__find_value(plan, node) : -1;
    if (!node || !to)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_download: %s is NULL", node ? "to" : "node");
    const nn__value *value = i < 0 ? NULL : &plan->values[i];
    if (!value || !nn__run_holds(value))
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_download: this plan does not keep \"%s\"; make it an output, or call "
                           "nn_keep(node) before nn_make_plan",
                           node->name);
    if (plan->running || !plan->ran)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_download: \"%s\" has no value yet; %s",
                           node->name, plan->running ? "the run in slices is not done" : "call nn_run first");
    if (nn__root(plan, i)->anew)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_download: the last run did not read what \"%s\" was given since; call nn_run first",
                           nn__root(plan, i)->node->name);
    if (bytes != nn__bytes(&value->view))
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "nn_download: \"%s\" %s has %llu bytes in %s; got room for %zu", node->name,
                           nn__format_shape(value->view.shape, shape, sizeof shape),
                           (unsigned long long)nn__bytes(&value->view),
                           nn__format_extents(plan, plan->run.batch, plan->run.time, at, sizeof at), bytes);
    result = nn__download(nn, node->device, &value->view, to, bytes, node->name, site);
    return result < 0 ? result : nn__read_status(plan, site, "nn_download");
}
