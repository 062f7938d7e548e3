/* train/trainer.c - training as two plans: one of the step that train/describe.c describes, one that evaluates.
   Losses and metrics gather on the device until a report is read. Refuses to read anything back unasked, and
   knows neither datasets nor epochs. Next: train/fit.c. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#define NN__TRAINER_SPAN 1024 /* bytes in which all totals must lie to come back in one download */

/* ---- what was asked -------------------------------------------------------------------------- */

static bool nn__trainer_is_number(const nn_node *node) {
    if (node->dtype != NN_F32) return false;
    for (int i = 0; i < node->shape.rank; i++) {
        if (node->shape.extent[i] != 1) return false;
    }
    return true;
}

static bool nn__trainer_check_node(nn_model *net, const nn_node *node, const char *role,
                                   const nn_trainer_desc *desc, nn_site site) {
    char shape[NN__SHAPE_TEXT];
    if (node->graph->model != net) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: the %s \"%s\" belongs to the model \"%s\", not to \"%s\"; describe it in "
                    "the model that is trained",
                    role, node->name, node->graph->model->name, net->name);
    } else if (node->poisoned) { /* the model has faults then, and they are reported */
        if (nn__check_model(net, desc->on_unsupported, site) >= 0)
            nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: the %s is the result of a builder that failed", role);
    } else if (!nn__trainer_is_number(node)) {
        nn__fail_at(
            net->nn, site, NN_ERROR_SHAPE,
            "nn_make_trainer: the %s \"%s\" is %s %s; wanted one f32 number, as losses and nn_mean give",
            role, node->name, nn__format_shape(node->shape, shape, sizeof shape), nn_dtype_name(node->dtype));
    } else {
        return true;
    }
    return false;
}

/* False and an error unless low <= value < high. NaN is refused. */
static bool nn__trainer_check_range(nn_context *nn, nn_site site, const char *field, float value, float low,
                                    float high) {
    if (value >= low && value < high) return true;
    if (high > 1.0f) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %s is %g; wanted a finite number of at least %g", field, (double)value,
                    (double)low);
    } else {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_trainer: %s is %g; wanted a number in [%g, %g)",
                    field, (double)value, (double)low, (double)high);
    }
    return false;
}

NN_PRIVATE bool nn__check_schedule(nn_context *nn, const nn_schedule *schedule, nn_site site, const char *who) {
    if ((int)schedule->kind < 0 || (int)schedule->kind > (int)NN_SCHEDULE_COSINE) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.kind is %d; wanted NN_SCHEDULE_CONSTANT, NN_SCHEDULE_STEP or NN_SCHEDULE_COSINE",
                    who, (int)schedule->kind);
    } else if (schedule->steps < 0 || (schedule->steps == 0 && schedule->kind != NN_SCHEDULE_CONSTANT) ||
               schedule->warmup < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.steps is %lld, .warmup %lld; wanted at least 1 step of the schedule, and no negative "
                    "warm-up",
                    who, (long long)schedule->steps, (long long)schedule->warmup);
    } else if (!(nn__or_default(schedule->gamma, 0.0f) >= 0.0f && schedule->gamma < 3.0e38f &&
                 schedule->minimum >= 0.0f && schedule->minimum < 3.0e38f &&
                 nn__or_default(schedule->warmup_start, 0.0f) >= 0.0f && schedule->warmup_start <= 1.0f)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: schedule.gamma is %g, .minimum %g, .warmup_start %g; wanted finite numbers of at least 0, "
                    "warmup_start at most 1 (NN_NONE: 0)",
                    who, (double)schedule->gamma, (double)schedule->minimum, (double)schedule->warmup_start);
    } else {
        return true;
    }
    return false;
}

static bool nn__trainer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site) {
    const float most = 3.0e38f;
    if ((int)desc->optimizer < 0 || (int)desc->optimizer > (int)NN_ADAMW) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: optimizer is %d; wanted NN_SGD, NN_ADAM or NN_ADAMW",
                    (int)desc->optimizer);
        return false;
    }
    if (desc->batch < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_trainer: batch is %d; wanted at least 1, or 0: 1",
                    desc->batch);
        return false;
    }
    if (desc->time < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_trainer: time is %d; wanted at least 1, or 0: 1", desc->time);
        return false;
    }
    if (desc->batch == 0) desc->batch = 1;
    if (desc->time == 0) desc->time = 1;
    if (desc->optimizer == NN_OPTIMIZER_DEFAULT) desc->optimizer = NN_SGD;
    desc->learning_rate = nn__or_default(desc->learning_rate, 1e-3f);
    desc->weight_decay = nn__or_default(desc->weight_decay, desc->optimizer == NN_ADAMW ? 1e-2f : 0.0f);
    desc->momentum = nn__or_default(desc->momentum, 0.0f);
    desc->beta1 = nn__or_default(desc->beta1, 0.9f);
    desc->beta2 = nn__or_default(desc->beta2, 0.999f);
    desc->epsilon = nn__or_default(desc->epsilon, 1e-8f);
    desc->max_norm = nn__or_default(desc->max_norm, 0.0f);
    if (!nn__trainer_check_range(nn, site, "learning_rate", desc->learning_rate, 0.0f, most) ||
        !nn__trainer_check_range(nn, site, "weight_decay", desc->weight_decay, 0.0f, most) ||
        !nn__trainer_check_range(nn, site, "momentum", desc->momentum, 0.0f, most) ||
        !nn__trainer_check_range(nn, site, "dampening", desc->dampening, -most, most) ||
        !nn__trainer_check_range(nn, site, "beta1", desc->beta1, 0.0f, 1.0f) ||
        !nn__trainer_check_range(nn, site, "beta2", desc->beta2, 0.0f, 1.0f) ||
        !nn__trainer_check_range(nn, site, "epsilon", desc->epsilon, 0.0f, most) ||
        !nn__trainer_check_range(nn, site, "max_norm", desc->max_norm, 0.0f, most)) {
        return false;
    }
    if (desc->nesterov && (desc->momentum == 0.0f || desc->dampening != 0.0f)) {
        nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "nn_make_trainer: nesterov with momentum %g and dampening %g; wanted momentum and no dampening",
            (double)desc->momentum, (double)desc->dampening);
        return false;
    }
    return nn__check_schedule(nn, &desc->schedule, site, "nn_make_trainer");
}

/* ---- making and freeing ---------------------------------------------------------------------- */

/* lender: for the evaluation, the plan of the steps; the two never run at the same time. */
static nn_plan *nn__trainer_make_update(nn_trainer *trainer, const nn_plan *lender, nn_site site) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = trainer->desc.batch;
    desc.time = trainer->desc.time;
    desc.on_unsupported = trainer->desc.on_unsupported;
    return nn__make_plan(trainer->net, &trainer->tape, trainer->update_targets, trainer->update_target_count, &desc,
                         true, lender, site);
}

static nn_plan *nn__trainer_make_plan(nn_trainer *trainer, const nn_plan *lender, nn_site site) {
    bool training = lender == NULL;
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = trainer->desc.batch;
    desc.time = trainer->desc.time;
    desc.poison = trainer->desc.poison;
    desc.on_unsupported = trainer->desc.on_unsupported;
    return nn__make_plan(
        trainer->net, &trainer->tape, training ? trainer->targets : trainer->evaluation_targets,
        training ? trainer->target_count : trainer->evaluation_target_count, &desc, training, lender, site);
}

static void nn__trainer_release(nn__owned *owned) {
    nn_trainer *trainer = (nn_trainer *)(void *)owned;
    nn__release(&trainer->nn->memory, trainer, sizeof *trainer);
}

/* Frees everything but the struct. */
static void nn__trainer_clear(nn_trainer *trainer) {
    nn__disown(&trainer->owned);
    nn__drop_plan(trainer->plan);
    nn__drop_plan(trainer->evaluation);
    nn__drop_plan(trainer->update);
    nn__graph_free(&trainer->tape);
}

#ifndef NN_NO_REPORTS
/* Of a trainer that owns nothing any more. False: its struct has to go too. */
static bool nn__trainer_leave_shell(nn_trainer *trainer) {
    nn_context *nn = trainer->nn;
    nn_model *net = trainer->net;
    if (!net->gone) return false;
    memset(trainer, 0, sizeof *trainer);
    trainer->nn = nn;
    trainer->net = net; /* a shell that is kept longer than this one */
    trainer->site = net->site;
    trainer->gone = true;
    return nn__keep_shell(nn, &trainer->owned, nn__trainer_release);
}

NN_PRIVATE bool nn__trainer_gone(const nn_trainer *trainer, nn_site site, const char *who) {
    char where[96];
    if (!trainer) return true;
    if (!trainer->gone) return false;
    nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                "%s: the trainer of \"%s\" was freed with its model at %s; nn_free_model frees trainers too", who,
                trainer->net->name, nn__format_site(trainer->site, where, sizeof where));
    return true;
}
#endif

static void nn__trainer_destroy(nn__owned *owned) {
    nn_trainer *trainer = (nn_trainer *)(void *)owned;
#ifndef NN_NO_REPORTS
    if (trainer->net->gone)
        nn__plan_ends(trainer->plan, "model", trainer->net->site);
    else
        nn__plan_ends(trainer->plan, "trainer", trainer->site);
#endif
    nn__trainer_clear(trainer);
#ifndef NN_NO_REPORTS
    if (nn__trainer_leave_shell(trainer)) return;
#endif
    nn__trainer_release(owned);
}

static bool nn__trainer_check(nn_model *net, nn_node *loss, const nn_trainer_desc *desc, nn_site site) {
    if (!loss) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: loss is NULL; give what nn_cross_entropy or another loss returned");
        return false;
    }
    if (net->faults.count > 0) { /* reports those of placement as well */
        nn__check_model(net, desc->on_unsupported, site);
        return false;
    }
    if (!nn__trainer_check_node(net, loss, "loss", desc, site)) return false;
    for (int i = 0; i < NN__METRICS && desc->metrics[i]; i++) {
        if (!nn__trainer_check_node(net, desc->metrics[i], "metric", desc, site)) return false;
    }
    return nn__check_confusion(net, &desc->confusion, site);
}

static nn_trainer *nn__inside_make_trainer(nn_site site, nn_model *net, nn_node *loss,
                                           const nn_trainer_desc *desc) {
    nn_trainer_desc filled;
    nn_trainer *trainer;
    nn__faults before;
    memset(&filled, 0, sizeof filled);
    if (nn__model_gone(net, site, "nn_make_trainer")) return NULL;
    before = net->faults;
    if (desc) filled = *desc;
    if (!nn__trainer_defaults(net->nn, &filled, site) || !nn__trainer_check(net, loss, &filled, site))
        return NULL;
    trainer = (nn_trainer *)nn__allocate_for(net->nn, "nn_make_trainer", sizeof *trainer);
    if (!trainer) return NULL;
    trainer->nn = net->nn;
    trainer->net = net;
    trainer->site = site;
    trainer->desc = filled;
    trainer->loss = loss;
    while (trainer->metric_count < NN__METRICS && filled.metrics[trainer->metric_count])
        trainer->metric_count++;
    nn__graph_init(&trainer->tape, net);
    trainer->faults.arena = &trainer->tape.arena;
    if (nn__trainer_describe(trainer)) trainer->plan = nn__trainer_make_plan(trainer, NULL, site);
    if (trainer->plan) trainer->evaluation = nn__trainer_make_plan(trainer, trainer->plan, site);
    if (trainer->evaluation && filled.gradients)
        trainer->update = nn__trainer_make_update(trainer, trainer->plan, site);
    if (!trainer->evaluation || (filled.gradients && !trainer->update)) {
        nn__trainer_clear(trainer);
        nn__trainer_release(&trainer->owned);
        net->faults = before; /* no memory for a gradient is no mistake of the model */
        return NULL;
    }
    trainer->plan->also = trainer->evaluation;
    trainer->evaluation->also = trainer->update;
    nn__own(&net->dependents, &trainer->owned, nn__trainer_destroy);
    return trainer;
}

NN_API nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc) {
    nn_context *nn = net ? net->nn : NULL;
    if (!nn__enter(nn, "nn_make_trainer", site)) return NULL;
    nn_trainer *made = nn__inside_make_trainer(site, net, loss, desc);
    nn__leave(nn, NN_OK);
    return made;
}

static void nn__inside_free_trainer(nn_site site, nn_trainer *trainer) {
    if (nn__trainer_gone(trainer, site, "nn_free_trainer")) return;
    trainer->site = site;
    nn__trainer_destroy(&trainer->owned);
}

NN_API void nn_free_trainer_at(nn_site site, nn_trainer *trainer) {
    nn_context *nn = trainer ? trainer->nn : NULL;
    if (!nn__enter(nn, "nn_free_trainer", site)) return;
    nn__inside_free_trainer(site, trainer);
    nn__leave(nn, NN_OK);
}

/* ---- inputs from a loader -------------------------------------------------------------------- */

/* The trainer's plans fit its model as it stands? */
static nn_result nn__trainer_ready(nn_trainer *trainer, nn_site site, const char *who) {
    const nn_model *net = trainer->net;
    char moved[96], device[32];
    if (trainer->plan->generation == net->generation && trainer->evaluation->generation == net->generation)
        return NN_OK;
    return nn__fail_at(
        trainer->nn, site, NN_ERROR_STALE,
        "%s: the model \"%s\" was moved to %s by %s at %s, without its trainer; call "
        "nn_move_trainer(trainer, device), which takes both",
        who, net->name, nn_format_device(net->device, device, sizeof device), net->mover,
        nn__format_site(net->moved, moved, sizeof moved));
}

static nn__value *nn__trainer_find_input(const nn_plan *plan, const char *name) {
    for (int i = 0; i < plan->value_count; i++) {
        if (plan->values[i].place == NN__PLACE_INPUT && strcmp(plan->values[i].node->name, name) == 0)
            return &plan->values[i];
    }
    return NULL;
}

static bool nn__trainer_net_has_input(const nn_model *net, const char *name) {
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (node->kind == NN__INPUT && strcmp(node->name, name) == 0) return true;
    }
    return false;
}

static nn_result nn__trainer_names_differ(nn_plan *plan, nn_loader *loader, nn_site site, const char *who) {
    char text[1024];
    nn_text out;
    nn_writer writer = nn__write_into(&out, text, sizeof text);
    int count = 0;
    nn__print(&writer, "the loader has the fields");
    for (int i = 0; i < loader->field_count; i++)
        nn__print(&writer, "%s \"%s\"", i ? "," : "", loader->fields[i].tensor->name);
    nn__print(&writer, ", the step has the inputs");
    for (int i = 0; i < plan->value_count; i++) {
        if (plan->values[i].place == NN__PLACE_INPUT)
            nn__print(&writer, "%s \"%s\"", count++ ? "," : "", plan->values[i].node->name);
    }
    return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT, "%s: %s; give each input a field of its name", who,
                       text);
}

/* A loader that still delivers to where the model was. NN_OK: it is not that. */
static nn_result nn__trainer_old_loader(nn_trainer *trainer, const nn_loader *loader, const nn_node *input,
                                        nn_site site, const char *who) {
    const nn_model *net = trainer->net;
    char made[96], moved[96], there[32], here[32], call[48];
    if (net->generation == 0 || !input->moves || nn_same_device(loader->device, input->device)) return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_STALE,
                       "%s: the loader made at %s delivers to %s, but \"%s\" was moved to %s by %s at %s: make the "
                       "loader with .device = %s",
                       who, nn__format_site(loader->site, made, sizeof made),
                       nn_format_device(loader->device, there, sizeof there), net->name,
                       nn_format_device(net->device, here, sizeof here), net->mover,
                       nn__format_site(net->moved, moved, sizeof moved),
                       nn__format_device_call(net->device, call, sizeof call));
}

/* Binds the fields to the inputs of their names. Costs nothing when they are bound already. */
static nn_result nn__trainer_bind(nn_trainer *trainer, nn_plan *plan, nn_loader *loader, nn_site site,
                                  const char *who) {
    int inputs = 0, bound = 0;
    if (loader->nn != trainer->nn) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the loader belongs to another context than the trainer", who);
    }
    if (loader->samples == 0) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the loader holds no batch; call nn_next_batch first, and look at its bool",
                           who);
    }
    if (loader->samples > trainer->desc.batch) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_SHAPE,
                           "%s: the loader's batch has %d samples, the trainer was made for at most %d; give "
                           "nn_trainer_desc.batch = %d",
                           who, (int)loader->samples, trainer->desc.batch, (int)loader->batch);
    }
    for (int i = 0; i < plan->value_count; i++) inputs += plan->values[i].place == NN__PLACE_INPUT;
    for (int f = 0; f < loader->field_count; f++) {
        const char *name = loader->fields[f].tensor->name;
        if (nn__trainer_find_input(plan, name))
            bound++;
        else if (!nn__trainer_net_has_input(trainer->net, name))
            return nn__trainer_names_differ(plan, loader, site, who);
    }
    if (bound != inputs) return nn__trainer_names_differ(plan, loader, site, who);
    for (int f = 0; f < loader->field_count; f++) {
        nn_tensor *tensor = loader->fields[f].tensor;
        nn__value *value = nn__trainer_find_input(plan, tensor->name);
        nn_result result = NN_OK;
        if (!value) continue;
        result = nn__trainer_old_loader(trainer, loader, value->node, site, who);
        if (result != NN_OK) return result;
        nn__value_given_at(value, site);
        /* another loader may have been freed and this one made at its address: the run looks at it again */
        value->checked = false;
        if (value->bound == tensor) continue;
        result = nn_bind_at(site, plan, value->node, tensor);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__trainer_begin(nn_trainer *trainer, nn_loader *loader, bool whole, nn_site site,
                                       const char *who) {
    nn_result result = nn__trainer_ready(trainer, site, who);
    if (result != NN_OK || trainer->plan->running || trainer->updates) return result;
    if (loader) result = nn__trainer_bind(trainer, trainer->plan, loader, site, who);
    trainer->plan->run.learning_rate = nn_learning_rate(trainer);
    trainer->plan->run.step = trainer->step + 1;
    if (result == NN_OK && trainer->update) result = nn__gradient_begin(trainer, whole, site, who);
    return result;
}

/* Runs the step, or goes on with it: its plan, then the update where that is a plan of its own. microseconds: of this
   slice; less than 0: all the rest. */
static nn_result nn__trainer_run(nn_trainer *trainer, int64_t microseconds, nn_site site, const char *who) {
    const nn_clock *clock = &trainer->nn->clock;
    const uint64_t start = nn__now(clock);
    const bool sliced = microseconds >= 0;
    nn_result result = NN_OK;
    if (!trainer->updates)
        result = sliced ? nn__run_plan_for(trainer->plan, microseconds, site, who)
                        : nn__run_plan(trainer->plan, site, who);
    if (result != NN_OK) return result;
    if (trainer->update) {
        const int64_t took = (int64_t)((nn__now(clock) - start) / 1000u);
        const bool waits = sliced && !trainer->updates && (took >= microseconds || !clock->now);
        trainer->updates = true;
        if (waits) { /* the slice is used up: the next one begins the update */
            nn__run_enter(trainer->update);
            return NN_PENDING;
        }
        result = nn__gradient_update(trainer, sliced ? nn__max64(microseconds - took, 0) : -1, site, who);
        if (result == NN_OK || (result < 0 && !trainer->update->running)) {
            trainer->updates = false;
            nn__run_leave(trainer->update);
        }
        return result;
    }
    trainer->step++;
    return NN_OK;
}

static nn_result nn__inside_train_step(nn_site site, nn_trainer *trainer, nn_loader *loader) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_train_step")) return NN_ERROR_ARGUMENT;
    if (!loader) {
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "nn_train_step: loader is NULL; nn_step is for inputs filled by nn_upload or nn_bind");
    }
    result = nn__trainer_begin(trainer, loader, true, site, "nn_train_step");
    if (result == NN_OK) result = nn__trainer_run(trainer, -1, site, "nn_train_step");
    if (result == NN_OK) nn__loader_ahead(loader);
    return result;
}

NN_API nn_result nn_train_step_at(nn_site site, nn_trainer *trainer, nn_loader *loader) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_train_step", site,
                     nn__inside_train_step(site, trainer, loader));
}

static nn_result nn__inside_step(nn_site site, nn_trainer *trainer) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_step")) return NN_ERROR_ARGUMENT;
    result = nn__trainer_begin(trainer, NULL, true, site, "nn_step");
    if (result == NN_OK) result = nn__trainer_run(trainer, -1, site, "nn_step");
    return result;
}

NN_API nn_result nn_step_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_step", site, nn__inside_step(site, trainer));
}

static nn_result nn__inside_train_step_for(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                           int64_t microseconds) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_train_step_for")) return NN_ERROR_ARGUMENT;
    result = nn__trainer_begin(trainer, loader, false, site, "nn_train_step_for");
    if (result == NN_OK) result = nn__trainer_run(trainer, nn__max64(microseconds, 0), site, "nn_train_step_for");
    return result;
}

NN_API nn_result nn_train_step_for_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                      int64_t microseconds) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_train_step_for", site,
                     nn__inside_train_step_for(site, trainer, loader, microseconds));
}

/* ---- reports --------------------------------------------------------------------------------- */

/* Is every total in one small piece of one block? Then first and bytes tell which. */
static bool nn__trainer_span(const nn_trainer *trainer, const nn__totals *totals, uint64_t *first,
                             uint64_t *bytes) {
    const nn_view *one = &totals->node[0]->tensor->view;
    uint64_t end = one->offset;
    *first = one->offset;
    for (int i = 0; i <= trainer->metric_count; i++) {
        const nn_tensor *tensor = totals->node[i]->tensor;
        if (tensor->view.handle != one->handle ||
            !nn_same_device(tensor->device, totals->node[0]->tensor->device))
            return false;
        if (tensor->view.offset < *first) *first = tensor->view.offset;
        if (tensor->view.offset + tensor->bytes > end) end = tensor->view.offset + tensor->bytes;
    }
    *bytes = end - *first;
    return *bytes <= NN__TRAINER_SPAN;
}

/* A sum that lies on the device may come from a checkpoint: any bits are possible. */
static int64_t nn__trainer_samples(float number) {
    if (!(number > 0.0f)) return 0;
    return number < 9.2e18f ? (int64_t)number : INT64_MAX;
}

static nn_result nn__trainer_download(nn_trainer *trainer, const nn__totals *totals, nn_report *report,
                                      nn_site site) {
    char span[NN__TRAINER_SPAN];
    float numbers[2];
    uint64_t first = 0, bytes = 0;
    bool together = nn__trainer_span(trainer, totals, &first, &bytes);
    nn_result result = NN_OK;
    if (together) {
        nn_view view = totals->node[0]->tensor->view;
        view.offset = first;
        result = nn__download(trainer->nn, totals->node[0]->device, &view, span, bytes, "report", site);
    }
    for (int i = 0; i <= trainer->metric_count && result == NN_OK; i++) {
        const nn_tensor *tensor = totals->node[i]->tensor;
        double mean;
        if (together)
            memcpy(numbers, span + (tensor->view.offset - first), sizeof numbers);
        else
            result = nn__download(trainer->nn, tensor->device, &tensor->view, numbers, sizeof numbers,
                                  "report", site);
        if (result != NN_OK) break;
        mean = numbers[1] > 0.0f ? (double)numbers[0] / (double)numbers[1] : 0.0;
        if (i == 0) {
            report->loss = mean;
            report->samples = nn__trainer_samples(numbers[1]);
        } else {
            report->metrics[i - 1] = mean;
        }
    }
    report->step = trainer->step;
    return result;
}

static nn_result nn__trainer_zero(nn_trainer *trainer, const nn__totals *totals) {
    for (int i = 0; i <= trainer->metric_count; i++) {
        nn_result result = nn_fill_zero(totals->node[i]->tensor);
        if (result != NN_OK) return result;
    }
    return totals->confusion ? nn_fill_zero(totals->confusion->tensor) : NN_OK;
}

NN_PRIVATE nn_result nn__trainer_idle(nn_trainer *trainer, nn_site site, const char *who) {
    nn_result result = nn__trainer_ready(trainer, site, who);
    if (result != NN_OK || (!trainer->plan->running && !trainer->updates)) return result;
    return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                       "%s: a step in slices is under way; call nn_train_step_for until it is done", who);
}

static nn_result nn__inside_read_report(nn_site site, nn_trainer *trainer, nn_report *report) {
    nn_report read;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_read_report")) return NN_ERROR_ARGUMENT;
    memset(&read, 0, sizeof read);
    if (!report) return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_read_report: report is NULL");
    result = nn__trainer_idle(trainer, site, "nn_read_report");
    if (result == NN_OK) result = nn__read_status(trainer->plan, site, "nn_read_report");
    if (result == NN_OK) result = nn__trainer_download(trainer, &trainer->totals, &read, site);
    if (result == NN_OK) result = nn__trainer_zero(trainer, &trainer->totals);
    if (result == NN_OK) *report = read;
    return result;
}

NN_API nn_result nn_read_report_at(nn_site site, nn_trainer *trainer, nn_report *report) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_report", site,
                     nn__inside_read_report(site, trainer, report));
}

static nn_result nn__inside_read_loss(nn_site site, nn_trainer *trainer, float *loss) {
    float value = 0.0f;
    nn_result result;
    int i;
    if (nn__trainer_gone(trainer, site, "nn_read_loss")) return NN_ERROR_ARGUMENT;
    if (!loss) return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_read_loss: loss is NULL");
    result = nn__trainer_idle(trainer, site, "nn_read_loss");
    if (result != NN_OK) return result;
    i = nn__find_value(trainer->plan, trainer->shown);
    if (i < 0 || !trainer->plan->ran) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "nn_read_loss: there was no step yet; call nn_train_step first");
    }
    result = nn__read_status(trainer->plan, site, "nn_read_loss");
    if (result == NN_OK) {
        result = nn__download(trainer->nn, trainer->loss->device, &trainer->plan->values[i].view, &value,
                              sizeof value, trainer->loss->name, site);
    }
    if (result == NN_OK) *loss = value;
    return result;
}

NN_API nn_result nn_read_loss_at(nn_site site, nn_trainer *trainer, float *loss) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_read_loss", site,
                     nn__inside_read_loss(site, trainer, loss));
}

static nn_result nn__inside_clear_fault(nn_site site, nn_trainer *trainer) {
    nn_result result;
    uint32_t first;
    if (nn__trainer_gone(trainer, site, "nn_clear_fault")) return NN_ERROR_ARGUMENT;
    result = nn__trainer_idle(trainer, site, "nn_clear_fault");
    if (result != NN_OK) return result;
    first = trainer->plan->fault >> 3;
    for (int i = 0; i < trainer->plan->device_count; i++) {
        const nn__plan_device *device = &trainer->plan->devices[i];
        uint32_t word = 0;
        nn_view view;
        if (!device->uses_status) continue;
        nn__status_view(device, &view);
        result = nn__download(trainer->nn, device->device, &view, &word, sizeof word, "status", site);
        if (result != NN_OK) return result;
        word >>= 3;
        if (word > 0 && (first == 0 || word < first)) first = word;
    }
    result = nn__clear_status(trainer->plan);
    if (result == NN_OK) result = nn__clear_status(trainer->evaluation);
    /* the steps from the fault on updated nothing: the optimizer's count goes on from the last one that did */
    if (result == NN_OK && first > 0 && (int64_t)first <= trainer->step) trainer->step = (int64_t)first - 1;
    return result;
}

NN_API nn_result nn_clear_fault_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_clear_fault", site,
                     nn__inside_clear_fault(site, trainer));
}

static nn_result nn__inside_evaluate(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                     nn_report *report) {
    nn_report read;
    nn_result result;
    nn_plan *plan;
    if (nn__trainer_gone(trainer, site, "nn_evaluate")) return NN_ERROR_ARGUMENT;
    memset(&read, 0, sizeof read);
    if (!loader || !report) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "nn_evaluate: %s is NULL",
                           loader ? "report" : "loader");
    }
    result =
        nn__trainer_idle(trainer, site, "nn_evaluate"); /* in the middle of a step weights are half updated */
    if (result != NN_OK) return result;
    plan = trainer->evaluation;
    result = nn__clear_status(plan);
    if (result == NN_OK) result = nn__trainer_zero(trainer, &trainer->evaluation_totals);
    if (result == NN_OK) result = nn_start_epoch(loader, nn_loader_epoch(loader));
    for (plan->run.step = 1; result == NN_OK && nn_next_batch_at(site, loader); plan->run.step++) {
        result = nn__trainer_bind(trainer, plan, loader, site, "nn_evaluate");
        if (result == NN_OK) result = nn_run_at(site, plan);
    }
    if (result == NN_OK && nn_loader_result(loader) != NN_END) result = nn_loader_result(loader);
    if (result == NN_OK) result = nn__read_status(plan, site, "nn_evaluate");
    if (result == NN_OK) result = nn__trainer_download(trainer, &trainer->evaluation_totals, &read, site);
    if (result == NN_OK) *report = read;
    return result;
}

NN_API nn_result nn_evaluate_at(nn_site site, nn_trainer *trainer, nn_loader *loader, nn_report *report) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_evaluate", site,
                     nn__inside_evaluate(site, trainer, loader, report));
}

/* ---- questions, and the learning rate -------------------------------------------------------- */

NN_API void nn_set_learning_rate(nn_trainer *trainer, float learning_rate) {
    if (nn__trainer_gone(trainer, nn__no_site(), "nn_set_learning_rate")) return;
    if (learning_rate >= 0.0f && learning_rate < 3.0e38f)
        trainer->desc.learning_rate = learning_rate;
    else
        nn__fail(trainer->nn, NN_ERROR_ARGUMENT, "nn_set_learning_rate: %g is no learning rate; %g stays",
                 (double)learning_rate, (double)trainer->desc.learning_rate);
}

NN_API float nn_learning_rate(const nn_trainer *trainer) {
    if (nn__trainer_gone(trainer, nn__no_site(), "nn_learning_rate")) return 0.0f;
    return nn_scheduled_rate(&trainer->desc.schedule, trainer->desc.learning_rate, trainer->step);
}

static nn_result nn__inside_set_schedule(nn_site site, nn_trainer *trainer,
                                         const nn_schedule *schedule) {
    if (nn__trainer_gone(trainer, site, "nn_set_schedule")) return NN_ERROR_ARGUMENT;
    if (schedule && !nn__check_schedule(trainer->nn, schedule, site, "nn_set_schedule"))
        return NN_ERROR_ARGUMENT;
    memset(&trainer->desc.schedule, 0, sizeof trainer->desc.schedule);
    if (schedule) trainer->desc.schedule = *schedule;
    return NN_OK;
}

NN_API nn_result nn_set_schedule_at(nn_site site, nn_trainer *trainer, const nn_schedule *schedule) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_set_schedule", site,
                     nn__inside_set_schedule(site, trainer, schedule));
}
NN_API int64_t nn_trainer_step(const nn_trainer *trainer) {
    return nn__trainer_gone(trainer, nn__no_site(), "nn_trainer_step") ? 0 : trainer->step;
}
NN_API nn_plan *nn_trainer_plan(nn_trainer *trainer) {
    return nn__trainer_gone(trainer, nn__no_site(), "nn_trainer_plan") ? NULL : trainer->plan;
}

/* ---- moving ---------------------------------------------------------------------------------- */

static nn_result nn__inside_move_trainer(nn_site site, nn_trainer *trainer, nn_device device) {
    nn_plan *plan, *evaluation = NULL, *update = NULL;
    nn_context *nn;
    nn_result result;
    nn__move move;
    bool fresh;
    if (nn__trainer_gone(trainer, site, "nn_move_trainer")) return NN_ERROR_ARGUMENT;
    nn = trainer->nn;
    fresh = trainer->plan->generation == trainer->net->generation &&
            trainer->evaluation->generation == trainer->net->generation;
    if (fresh && nn_same_device(nn__resolve_device(nn, device), trainer->net->device)) return NN_OK;
    if (trainer->plan->running || (trainer->update && trainer->update->running)) {
        return nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "nn_move_trainer: a step in slices is under way; call nn_train_step_for until it is done");
    }
    result = nn__move_begin(&move, trainer->net, &trainer->tape, device, site, "nn_move_trainer");
    if (result != NN_OK) return result;
    plan = nn__trainer_make_plan(trainer, NULL, site);
    if (plan) evaluation = nn__trainer_make_plan(trainer, plan, site);
    if (evaluation && trainer->update) update = nn__trainer_make_update(trainer, plan, site);
    if (!evaluation || (trainer->update && !update)) {
        /* the swap back makes the old plans whole again: their storage was kept */
        nn__drop_plan(evaluation);
        nn__drop_plan(plan);
        nn__move_undo(&move);
        return nn->last_code;
    }
    nn__replace_plan(trainer->plan, plan);
    nn__replace_plan(trainer->evaluation, evaluation);
    if (update) nn__replace_plan(trainer->update, update);
    nn__move_commit(&move);
    return NN_OK;
}

NN_API nn_result nn_move_trainer_at(nn_site site, nn_trainer *trainer, nn_device device) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_move_trainer", site,
                     nn__inside_move_trainer(site, trainer, device));
}

#undef NN__TRAINER_SPAN
#endif /* NN_NO_TRAINING */

typedef int nn__trainer_part; /* a part must not be empty under NN_NO_TRAINING */
