/* plan/inputs.c - the inputs of a run: uploads, bound tensors, and the batch and time that follow
   from them. All mistakes in the inputs are reported before a run starts. */
#include "plan/private.h"

/* True if the node is a state that the plan keeps from run to run. The smallest programs have
   none. */
#ifdef NN__ONE_PIECE
#define nn__inputs_is_state(node) ((void)(node), false)
#else
#define nn__inputs_is_state(node) ((node)->remembers)
#endif

/* True for inputs and states. */
static inline bool nn__inputs_takes(const nn__value *value) {
#ifdef NN__ONE_PIECE
    return value->place == NN__PLACE_INPUT;
#else
    return value->takes; /* read in every run, for every value */
#endif
}

/* Returns the input's value, or NULL with an error in *result. */
static nn__value *nn__inputs_find(nn_site site, nn_plan *plan, nn_node *input, const char *who,
                                  nn_result *result) {
    char where[96];
    *result = nn__check_plan(plan, site, who);
    if (*result < 0) return NULL;
    int i = input ? nn__find_value(plan, input) : -1;
    if (plan->running)
        *result = nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                    "%s: a run in slices is under way; call nn_run_for until it is done", who);
    else if (!input)
        *result = nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "%s: input is NULL", who);
    else if (i < 0 || !nn__inputs_takes(&plan->values[i]))
        *result = nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                    "%s: \"%s\" is no input of this plan (made at %s)", who, input->name,
                    nn__format_site(plan->site, where, sizeof where));
    else
        return &plan->values[i];
    return NULL;
}

/* Returns which of NN_BATCH and NN_TIME occur in the shape, as a set of NN__OF_BATCH and
   NN__OF_TIME. */
static unsigned nn__inputs_free(const nn_node *input) {
    unsigned kinds = 0;
    for (int i = 0; i < input->shape.rank; i++) kinds |= nn__extent_kind(input->shape.extent[i]);
    return kinds;
}

/* Reads the batch and time of a bound tensor. An extent that contains both gives only their
   product, which is stored as the batch. If the tensor does not fit, the numbers lead to a shape
   that differs from it. */
static void nn__inputs_read(nn__value *value) {
    const nn_shape *shape = &value->node->shape, *given = &value->bound->view.shape;
    int32_t batch = 0, time = 0;
    for (int i = 0; i < shape->rank && i < given->rank; i++) {
        const unsigned kind = nn__extent_kind(shape->extent[i]);
        const int32_t count = kind ? given->extent[i] / nn__extent_factor(shape->extent[i]) : 0;
        if (kind & NN__OF_BATCH) batch = count;
        if (kind == NN__OF_TIME) time = count;
    }
    if (batch == value->batch && time == value->time) return;
    value->batch = batch; /* a loader's last batch may be short */
    value->time = time;
    value->checked = false;
}

/* Reports an upload whose number of bytes does not fit the input. */
static nn_result nn__inputs_fail_bytes(const nn_plan *plan, const nn_node *input, size_t bytes,
                                       size_t sample, size_t most, nn_site site) {
    char shape[NN__SHAPE_TEXT];
    const unsigned kind = nn__inputs_free(input);
    nn__format_shape(input->shape, shape, sizeof shape);
    if (kind == NN__OF_TIME)
        return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                           "nn_upload: \"%s\" %s got %zu bytes; a step has %zu, and this plan "
                           "takes 1 to %d steps, at "
                           "most %zu bytes",
                           input->name, shape, bytes, sample, plan->desc.time, most);
    if (kind & NN__OF_TIME)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_SHAPE,
            "nn_upload: \"%s\" %s got %zu bytes; a step of a sample has %zu, and this plan takes 1 "
            "to %d samples of 1 to %d steps, at most %zu bytes",
            input->name, shape, bytes, sample, plan->desc.batch, plan->desc.time, most);
    return nn__fail_at(plan->nn, site, NN_ERROR_SHAPE,
                       "nn_upload: \"%s\" %s got %zu bytes; a sample has %zu, and this plan takes "
                       "1 to %d samples, at "
                       "most %zu bytes",
                       input->name, shape, bytes, sample, kind ? plan->desc.batch : 1, most);
}

static nn_result nn__inside_upload(nn_site site, nn_plan *plan, nn_node *input, const void *data,
                                   size_t bytes) {
    nn_result result;
    nn__value *value = nn__inputs_find(site, plan, input, "nn_upload", &result);
    if (!value) return result;
    const size_t sample = nn__node_bytes(input, 1, 1);
    const unsigned kind = nn__inputs_free(input);
    size_t most = sample;
    if (kind & NN__OF_BATCH) most *= (size_t)plan->desc.batch;
    if (kind & NN__OF_TIME) most *= (size_t)plan->desc.time;
    /* value->batch, an int32, counts the samples */
    most = sample * (size_t)nn__min64((int64_t)(most / sample), INT32_MAX);
    if (!data)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "nn_upload: data for \"%s\" is NULL",
                           input->name);
    if (bytes == 0 || bytes % sample || bytes > most)
        return nn__inputs_fail_bytes(plan, input, bytes, sample, most, site);
    nn__plan_device *device = &plan->devices[nn__plan_device_of(plan, input)];
    nn_view view = value->view;
    nn__storage(device, false, value->offset, &view);
    result = nn__upload(plan->nn, input->device, &view, data, bytes, input->name, site, NULL);
    if (result < 0) return result; /* a failed upload keeps the earlier data */
    if (value->bound) plan->lowered = false;
    if (value->bound) nn__forget_direct(plan);
    nn__unuse_tensor(value->bound);
    value->bound = NULL;
    value->given = value->anew = true;
    nn__value_given_at(value, site);
    /* uploading some samples of a state does not set the batch of the next run */
    value->batch =
        (kind & NN__OF_BATCH) && !nn__inputs_is_state(input) ? (int32_t)(bytes / sample) : 0;
    value->time = kind == NN__OF_TIME ? (int32_t)(bytes / sample) : 0;
    return result;
}

NN_API nn_result nn_upload_at(nn_site site, nn_plan *plan, nn_node *input, const void *data,
                              size_t bytes) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_upload", site,
                     nn__inside_upload(site, plan, input, data, bytes));
}

static nn_result nn__inside_bind(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor) {
    nn_result result;
    nn__value *value = nn__inputs_find(site, plan, input, "nn_bind", &result);
    if (!value) return result;
    if (value->bound != tensor) {
        nn__forget_direct(plan);
        plan->lowered = false;
        value->checked = false;
    }
    nn__use_tensor(tensor, "nn_bind", site);
    nn__unuse_tensor(value->bound);
    value->bound = tensor;
    value->given = tensor != NULL || nn__inputs_is_state(input);
    value->anew = true;
    nn__value_given_at(value, site);
    value->batch = value->time = 0;
    if (tensor) nn__inputs_read(value);
    return NN_OK;
}

NN_API nn_result nn_bind_at(nn_site site, nn_plan *plan, nn_node *input, nn_tensor *tensor) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_bind", site,
                     nn__inside_bind(site, plan, input, tensor));
}

static nn_result nn__inside_set_time(nn_site site, nn_plan *plan, int32_t time) {
    nn_result result = nn__check_plan(plan, site, "nn_set_time");
    if (result < 0) return result;
    if (plan->running)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_ARGUMENT,
            "nn_set_time: a run in slices is under way; call nn_run_for until it is done");
    if (time < 0 || time > plan->desc.time)
        return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                           "nn_set_time: time is %d; this plan takes 1 to %d, or 0 for the time "
                           "of its inputs; make it with a larger .time",
                           (int)time, plan->desc.time);
    plan->time = time;
    return NN_OK;
}

NN_API nn_result nn_set_time_at(nn_site site, nn_plan *plan, int32_t time) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_set_time", site,
                     nn__inside_set_time(site, plan, time));
}

/* Returns why runs cannot write the tensor bound to a state. NULL: they can, or the value is an
   input. */
static const char *nn__inputs_state_problem(const nn_plan *plan, const nn__value *value) {
    const nn_tensor *tensor = value->bound;
    if (!tensor || !nn__inputs_is_state(value->node)) return NULL;
    if (tensor->read_only) return NN__TEXT("runs write into it, and it is read-only");
    for (int i = 0; i < plan->value_count; i++) {
        const nn_tensor *other = plan->values[i].bound;
        if (!other || &plan->values[i] == value || other->view.handle != tensor->view.handle)
            continue;
        if (other->view.offset < tensor->view.offset + nn__bytes(&tensor->view) &&
            tensor->view.offset < other->view.offset + nn__bytes(&other->view))
            return NN__TEXT("runs write into it, and the same memory is bound in another place of "
                            "the plan");
    }
    return NULL;
}

/* A tensor that fits is checked only once. */
NN_PRIVATE bool nn__bound_fits(const nn_plan *plan, nn__value *value) {
    const nn_node *input = value->node;
    const nn_tensor *tensor = value->bound;
    nn_shape wanted;
    nn__resolve_shape(&wanted, &input->shape, nn__maxi(value->batch, 1), nn__maxi(value->time, 1));
    value->checked = tensor->nn == plan->nn && nn_same_device(tensor->device, input->device) &&
                     !nn__inputs_state_problem(plan, value) &&
                     tensor->view.dtype == input->dtype &&
                     nn__equal_shapes(&tensor->view.shape, &wanted);
    return value->checked;
}

/* The extents of a run, and the first input that determines each; NULL: no input does. */
typedef struct nn__inputs_extents {
    int32_t batch, time;
    const nn__value *batch_of, *time_of;
    const nn__value *steps_of; /* the input whose first extent, counted as steps of a single sample,
                                  is the time */
} nn__inputs_extents;

/* Returns the batch of an input at this time. 0: the input has no batch, or its extent is not a
   multiple of the time. */
static int32_t nn__inputs_batch(const nn__value *value, int32_t time) {
    const bool product =
        nn__inputs_free(value->node) == (NN__OF_BATCH | NN__OF_TIME) && value->time == 0;
    if (!product) return value->batch;
    return value->batch % time ? 0 : value->batch / time;
}

static nn__inputs_extents nn__inputs_extents_of(nn_plan *plan) {
    nn__inputs_extents found;
    memset(&found, 0, sizeof found);
    for (int i = nn__first_given(plan); i < plan->value_count; i = nn__next_given(plan, i)) {
        nn__value *value = &plan->values[i];
        if (!nn__inputs_takes(value) || !value->given) continue;
        if (value->bound) nn__inputs_read(value);
        if (value->time && !found.time_of) found.time_of = value;
        if (plan->desc.batch == 1 && !value->time && (nn__inputs_free(value->node) & NN__OF_TIME))
            found.steps_of = value;
    }
    found.time = plan->desc.time;
    if (found.steps_of && (found.steps_of->batch < 1 || found.steps_of->batch > found.time))
        found.steps_of = NULL;
    if (found.time_of || plan->time) found.steps_of = NULL;
    if (found.steps_of) found.time = found.steps_of->batch;
    if (found.time_of) found.time = found.time_of->time;
    if (plan->time) found.time = plan->time;
    found.batch = plan->desc.batch;
    for (int i = nn__first_given(plan); i < plan->value_count && !found.batch_of;
         i = nn__next_given(plan, i)) {
        const nn__value *value = &plan->values[i];
        if (!nn__inputs_takes(value) || !value->given || !value->batch) continue;
        found.batch = nn__inputs_batch(value, found.time);
        found.batch_of = value;
    }
    return found;
}

#ifndef NN_NO_REPORTS
/* Reports that the bound tensor has the wrong dtype or shape. */
static void nn__inputs_fault_shape(const nn_plan *plan, nn__faults *faults, nn__fault *fault,
                                   const nn_node *input) {
    if (!(nn__inputs_free(input) & NN__OF_TIME)) {
        nn__fault_cause(faults, fault,
                        NN__TEXT("dtype or shape does not fit; batches of 1 to %d fit"),
                        plan->desc.batch);
        nn__fault_fix(faults, fault,
                      NN__TEXT("give a tensor of the wanted dtype and shape, or make the plan with "
                               "a larger .batch"));
        return;
    }
    nn__fault_cause(
        faults, fault,
        NN__TEXT("dtype or shape does not fit; batches of 1 to %d and times of 1 to %d fit"),
        plan->desc.batch, plan->desc.time);
    nn__fault_fix(faults, fault,
                  NN__TEXT("give a tensor of the wanted dtype and shape, or make the plan with a "
                           "larger .batch or .time"));
}

/* Reports that the batch or time of the input differs from the batch or time of the run. */
static void nn__inputs_fault_extents(const nn_plan *plan, nn__faults *faults, nn__fault *fault,
                                     const nn__value *value, const nn__inputs_extents *found) {
    const int32_t batch = nn__inputs_batch(value, found->time);
    if (value->time && value->time != found->time) {
        if (plan->time)
            nn__fault_cause(faults, fault, NN__TEXT("its time is %d, but nn_set_time said %d"),
                            (int)value->time, (int)plan->time);
        else
            nn__fault_cause(faults, fault, NN__TEXT("its time is %d, but that of \"%s\" is %d"),
                            (int)value->time, found->time_of->node->name, (int)found->time);
        nn__fault_fix(faults, fault, NN__TEXT("give all inputs of a run the same number of steps"));
    } else if (found->steps_of && found->steps_of != value && value->batch != found->time) {
        nn__fault_cause(faults, fault, NN__TEXT("it has %d steps, but \"%s\" has %d"),
                        (int)value->batch, found->steps_of->node->name, (int)found->time);
        nn__fault_fix(faults, fault, NN__TEXT("give all inputs of a run the same number of steps"));
    } else if (batch == 0 || batch > plan->desc.batch) {
        nn__fault_cause(
            faults, fault,
            NN__TEXT("it has %d steps in all, which at a time of %d make no batch of 1 to %d"),
            (int)value->batch, (int)found->time, plan->desc.batch);
        nn__fault_fix(faults, fault,
                      NN__TEXT("nn_set_time(plan, time) says how many steps a sample has"));
    } else {
        nn__fault_cause(faults, fault, NN__TEXT("its batch is %d, but that of \"%s\" is %d"),
                        (int)batch, found->batch_of->node->name, (int)found->batch);
        nn__fault_fix(faults, fault,
                      NN__TEXT("give all inputs of a run the same number of samples"));
    }
}

/* Gives cause and fix for an input without data, or with a tensor that no shape would make usable.
   */
static void nn__inputs_fault_words(nn__faults *faults, nn__fault *fault, const nn__value *value,
                                   bool foreign, bool elsewhere, const char *unwritable) {
    const nn_node *input = value->node;
    char text[16];
    if (!value->given && nn__inputs_is_state(input)) {
        nn__fault_cause(faults, fault, NN__TEXT("no tensor is bound to it any more"));
        nn__fault_fix(faults, fault,
                      NN__TEXT("nn_bind(plan, %s, tensor), or NULL for the plan's own memory"),
                      input->name);
    } else if (!value->given) {
        nn__fault_cause(faults, fault, NN__TEXT("nothing was given for it"));
        nn__fault_fix(
            faults, fault,
            NN__TEXT(
                "nn_upload(plan, %s, data, bytes) or nn_bind(plan, %s, tensor) before the run"),
            input->name, input->name);
    } else if (foreign) {
        nn__fault_cause(faults, fault, NN__TEXT("the tensor was made with another context"));
        nn__fault_fix(faults, fault,
                      NN__TEXT("make both with one nn_context; between contexts use "
                               "nn_download_tensor and nn_upload"));
    } else if (elsewhere) {
        nn__fault_cause(faults, fault,
                        NN__TEXT("nn_bind makes the plan read the tensor where it stands"));
        nn__fault_fix(
            faults, fault,
            NN__TEXT(
                "put it there once: nn_copy_to(tensor, %s), or make the loader with that .device"),
            nn_format_device(input->device, text, sizeof text));
    } else {
        nn__fault_cause(faults, fault, "%s", unwritable);
        nn__fault_fix(faults, fault, NN__TEXT("bind a tensor of its own to each cache"));
    }
}

/* Adds a fault if the data given for one input is wrong. */
static void nn__inputs_check_one(nn_plan *plan, nn__faults *faults, nn__value *value,
                                 const nn__inputs_extents *found) {
    const nn_node *input = value->node;
    const nn_tensor *tensor = value->bound;
    nn_shape wanted;
    nn__resolve_shape(&wanted, &input->shape, nn__maxi(value->batch, 1), nn__maxi(value->time, 1));
    bool elsewhere = tensor && !nn_same_device(tensor->device, input->device);
    bool product = (nn__inputs_free(input) & NN__OF_TIME) && !value->time;
    bool fits = !tensor ||
                (tensor->view.dtype == input->dtype && nn_same_shape(tensor->view.shape, wanted) &&
                 (product || value->batch <= plan->desc.batch) && value->time <= plan->desc.time);
    bool foreign = tensor && tensor->nn != plan->nn;
    const char *unwritable = nn__inputs_state_problem(plan, value);
    /* if the batch is impossible, only the input that determined it is at fault */
    bool possible = found->batch >= 1 && found->batch <= plan->desc.batch;
    bool agrees =
        (!value->time || value->time == found->time) &&
        (!possible ? found->batch_of != value
                   : !value->batch || nn__inputs_batch(value, found->time) == found->batch);
    if (value->given && !elsewhere && fits && !foreign && agrees && !unwritable) return;
    nn__fault *fault = nn__add_fault(
        faults, value->given && elsewhere && !foreign ? NN__FAULT_DEVICE : NN__FAULT_INPUT,
        nn__operation(input), input->name, value->given ? value->site : input->site);
    nn__fault_operand(fault, "wanted", input, true);
    if (tensor && fault) {
        nn__operand *operand = &fault->operands[fault->operand_count];
        nn__fault_shape_operand(fault, "given", tensor->name, tensor->view.shape,
                                tensor->view.dtype);
        operand->device = tensor->device;
        operand->show_device = true;
    }
    if (!value->given || foreign || elsewhere || unwritable) {
        nn__inputs_fault_words(faults, fault, value, foreign, elsewhere, unwritable);
    } else if (!fits) {
        nn__inputs_fault_shape(plan, faults, fault, input);
    } else {
        nn__inputs_fault_extents(plan, faults, fault, value, found);
    }
}

static nn_result nn__inputs_fail(nn_plan *plan, const nn__inputs_extents *found) {
    nn__faults faults, none;
    nn__arena arena;
    memset(&faults, 0, sizeof faults);
    memset(&none, 0, sizeof none);
    memset(&arena, 0, sizeof arena);
    arena.memory = &plan->nn->memory;
    faults.arena = &arena;
    for (int i = 0; i < plan->value_count; i++)
        if (nn__inputs_takes(&plan->values[i]))
            nn__inputs_check_one(plan, &faults, &plan->values[i], found);
    nn_result result = nn__fail_faults(plan->nn, plan->net->name, &none, &faults);
    nn__arena_free(&arena);
    return result;
}
#else
static nn_result nn__inputs_fail(nn_plan *plan, const nn__inputs_extents *found) {
    (void)found;
    return nn__fail_code(plan->nn, NN_ERROR_FAULTS);
}
#endif

#ifndef NN_NO_TRAINING
static bool nn__inputs_moved(const nn__value *value) {
    const nn_tensor *tensor = value->bound                        ? value->bound
                              : value->place == NN__PLACE_TENSOR ? value->node->tensor
                                                                 : NULL;
    const nn_view *view = tensor ? &tensor->view : &value->view;
    return view->handle != value->view.handle || view->offset != value->view.offset;
}

/* Follows a bound tensor whose address changed: a loader's batches alternate between buffers.
   Shapes stay the same, so only the steps that read the value get new arguments. */
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
            nn__chain_moves(step);
            break;
        }
    }
}
#endif

NN_PRIVATE nn_result nn__run_inputs(nn_plan *plan) {
    const nn__inputs_extents found = nn__inputs_extents_of(plan);
    bool fine = found.batch >= 1 && found.batch <= plan->desc.batch && found.time >= 1 &&
                found.time <= plan->desc.time;
    for (int i = nn__first_given(plan); fine && i < plan->value_count;
         i = nn__next_given(plan, i)) {
        nn__value *value = &plan->values[i];
        if (!nn__inputs_takes(value)) continue;
        fine = value->given &&
               (!value->batch || nn__inputs_batch(value, found.time) == found.batch) &&
               (!value->time || value->time == found.time) &&
               (!value->bound || value->checked || nn__bound_fits(plan, value));
    }
    if (!fine) return nn__inputs_fail(plan, &found);
    if (found.batch != plan->run.batch || found.time != plan->run.time) plan->lowered = false;
    plan->run.batch = found.batch;
    plan->run.time = found.time;
#ifndef NN_NO_TRAINING
    for (int i = nn__first_outside(plan); i < plan->value_count && plan->lowered;
         i = nn__next_outside(plan, i)) {
        nn__value *value = &plan->values[i];
        if (!nn__inputs_moved(value)) continue;
        if (!nn__inputs_takes(value) || nn__inputs_is_state(value->node))
            plan->lowered = false; /* a tensor of nn_borrow, or a state; more than its readers may
                                      depend on it */
        else
            nn__inputs_follow(plan, value);
    }
#endif
    return NN_OK;
}
