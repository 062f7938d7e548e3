/* train/step.c - the steps of a trainer: binds a loader's batch to the inputs of the same names and
   runs the plan, at once or in slices. Nothing is read back. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- may it run? ----------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__trainer_ready(nn_trainer *trainer, nn_site site, const char *who) {
    const nn_model *net = trainer->net;
    char moved[96], device[32];
    if (trainer->plan->generation == net->generation &&
        trainer->evaluation->generation == net->generation)
        return NN_OK;
    return nn__fail_at(
        trainer->nn, site, NN_ERROR_STALE,
        "%s: the model \"%s\" was moved to %s by %s at %s, without its trainer; call "
        "nn_move_trainer(trainer, device), which takes both",
        who, net->name, nn_format_device(net->device, device, sizeof device), net->mover,
        nn__format_site(net->moved, moved, sizeof moved));
}

NN_PRIVATE nn_result nn__trainer_idle(nn_trainer *trainer, nn_site site, const char *who) {
    nn_result result = nn__trainer_ready(trainer, site, who);
    if (result != NN_OK || (!trainer->plan->running && !trainer->updates)) return result;
    return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                       "%s: a step in slices is under way; call nn_train_step_for until it is done",
                       who);
}

/* ---- inputs from a loader -------------------------------------------------------------------- */

/* True for an input that a loader fills; a state keeps its own value. */
static bool nn__trainer_is_fed(const nn__value *value) {
    return value->place == NN__PLACE_INPUT && !value->node->remembers;
}

static nn__value *nn__trainer_find_input(const nn_plan *plan, const char *name) {
    for (int i = 0; i < plan->value_count; i++) {
        if (nn__trainer_is_fed(&plan->values[i]) &&
            strcmp(plan->values[i].node->name, name) == 0)
            return &plan->values[i];
    }
    return NULL;
}

static bool nn__trainer_net_has_input(const nn_model *net, const char *name) {
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (node->kind == NN__INPUT && !node->remembers && strcmp(node->name, name) == 0)
            return true;
    }
    return false;
}

static nn_result nn__trainer_names_differ(nn_plan *plan, nn_loader *loader, nn_site site,
                                          const char *who) {
    char text[1024];
    nn_text out;
    nn_writer writer = nn__write_into(&out, text, sizeof text);
    int count = 0;
    nn__print(&writer, "the loader has the fields");
    for (int i = 0; i < loader->field_count; i++)
        nn__print(&writer, "%s \"%s\"", i ? "," : "", loader->fields[i].tensor->name);
    nn__print(&writer, ", the step has the inputs");
    for (int i = 0; i < plan->value_count; i++) {
        if (nn__trainer_is_fed(&plan->values[i]))
            nn__print(&writer, "%s \"%s\"", count++ ? "," : "", plan->values[i].node->name);
    }
    return nn__fail_at(plan->nn, site, NN_ERROR_ARGUMENT,
                       "%s: %s; give each input a field of its name", who, text);
}

/* Returns an error if the loader still delivers to the device where the model was. */
static nn_result nn__trainer_old_loader(nn_trainer *trainer, const nn_loader *loader,
                                        const nn_node *input, nn_site site, const char *who) {
    const nn_model *net = trainer->net;
    char made[96], moved[96], there[32], here[32], call[48];
    if (net->generation == 0 || !input->moves || nn_same_device(loader->device, input->device))
        return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_STALE,
                       "%s: the loader made at %s delivers to %s, but \"%s\" was moved to %s by %s "
                       "at %s: make the "
                       "loader with .device = %s",
                       who, nn__format_site(loader->site, made, sizeof made),
                       nn_format_device(loader->device, there, sizeof there), net->name,
                       nn_format_device(net->device, here, sizeof here), net->mover,
                       nn__format_site(net->moved, moved, sizeof moved),
                       nn__format_device_call(net->device, call, sizeof call));
}

/* Returns NN_OK if the loader delivers the samples of the trainer's own shards. */
static nn_result nn__trainer_same_group(const nn_trainer *trainer, const nn_loader *loader,
                                        nn_site site, const char *who) {
    const nn_group *group = trainer->desc.group;
    char made[96];
    if (group == loader->group && (!group || (loader->whole == trainer->desc.batch &&
                                              loader->shards == trainer->desc.shards)))
        return NN_OK;
    nn__format_site(loader->site, made, sizeof made);
    if (group && group == loader->group)
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "%s: the loader made at %s has batches of %d in %d shards, the trainer those of %d in "
            "%d; ranks find their samples by them: give both the same",
            who, made, (int)loader->whole, (int)loader->shards, trainer->desc.batch,
            trainer->desc.shards);
    return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                       "%s: the trainer has %s%s%s, the loader made at %s %s; give "
                       "nn_loader_desc.group and nn_trainer_desc.group the same group",
                       who, group ? "the group \"" : "no group", group ? nn__head(group)->name : "",
                       group ? "\"" : "", made,
                       !loader->group ? "none" : group ? "another one" : "one");
}

NN_PRIVATE nn_result nn__trainer_bind(nn_trainer *trainer, nn_plan *plan, nn_loader *loader,
                                      nn_site site, const char *who) {
    int inputs = 0, bound = 0;
    nn_result result;
    if (loader->nn != trainer->nn) {
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the loader and the trainer belong to different contexts", who);
    }
    if (!loader->holds) {
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "%s: the loader holds no batch; call nn_next_batch first, and check its result", who);
    }
    result = nn__trainer_same_group(trainer, loader, site, who);
    if (result != NN_OK) return result;
    if (loader->samples > trainer->desc.batch) {
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_SHAPE,
            "%s: the loader's batch has %d samples, the trainer was made for at most %d; give "
            "nn_trainer_desc.batch = %d",
            who, (int)loader->samples, trainer->desc.batch, (int)loader->batch);
    }
    for (int i = 0; i < plan->value_count; i++) inputs += nn__trainer_is_fed(&plan->values[i]);
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
        if (!value) continue;
        result = nn__trainer_old_loader(trainer, loader, value->node, site, who);
        if (result != NN_OK) return result;
        nn__value_given_at(value, site);
        /* The old loader may have been freed and this one made at its address, so the run checks
           the tensor again. */
        value->checked = false;
        if (value->bound == tensor) continue;
        result = nn_bind_at(site, plan, value->node, tensor);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__trainer_begin(nn_trainer *trainer, nn_loader *loader, bool whole,
                                       nn_site site, const char *who) {
    nn_result result = nn__trainer_ready(trainer, site, who);
    if (result != NN_OK || trainer->plan->running || trainer->updates) return result;
    result = nn__average_check_in_place(trainer, site, who);
    if (result == NN_OK) result = nn__check_rate(trainer, site, who);
    if (result == NN_OK && loader)
        result = nn__trainer_bind(trainer, trainer->plan, loader, site, who);
    if (result != NN_OK) return result;
    trainer->plan->run.learning_rate = nn_learning_rate(trainer);
    trainer->plan->run.step = trainer->step + 1;
    if (trainer->update) result = nn__gradient_begin(trainer, whole, site, who);
    return result;
}

/* Runs a step, or the next slice of one: its plan, then the update if that is a plan of its own.
   microseconds: of this slice; < 0: all the rest. samples: of the batch; < 0: as bound tensors say.
   result: an error that keeps it from running, which the other ranks of a group are told. */
static nn_result nn__trainer_run(nn_trainer *trainer, nn_result result, int32_t samples,
                                 int64_t microseconds, nn_site site, const char *who) {
    const nn_clock *clock = &trainer->nn->clock;
    const bool sliced = microseconds >= 0;
    const uint64_t start = sliced ? nn__now(clock) : 0;
    if (!trainer->sharing && result != NN_OK) return result;
    if (!trainer->updates && trainer->sharing)
        result = trainer->sharing->shard_backward(trainer, result, samples, site, who);
    else if (!trainer->updates)
        result = sliced ? nn__run_plan_for(trainer->plan, microseconds, site, who)
                        : nn__run_plan(trainer->plan, site, who);
    if (result != NN_OK) return result;
    if (!trainer->updates && trainer->desc.accumulate > 1 &&
        ++trainer->backwards < trainer->desc.accumulate) {
        trainer->gathered = true;
        return NN_OK;
    }
    if (trainer->update) {
        const int64_t took = sliced ? (int64_t)((nn__now(clock) - start) / 1000u) : 0;
        const bool waits = sliced && !trainer->updates && (took >= microseconds || !clock->now);
        trainer->updates = true;
        if (waits) { /* The slice is used up; the next one begins the update. */
            nn__run_enter(trainer->update);
            return NN_PENDING;
        }
        const nn__sharing *sharing = trainer->sharing;
        if (sharing) sharing->replicas_enter(trainer);
        result = nn__gradient_update(trainer, sliced ? nn__max64(microseconds - took, 0) : -1, site,
                                     who);
        if (sharing) sharing->replicas_leave(trainer);
        if (result == NN_OK || (result < 0 && !trainer->update->running)) {
            trainer->updates = false;
            nn__run_leave(trainer->update);
        }
        return result;
    }
    trainer->step++;
    return nn__average_step(trainer, site);
}

NN_PRIVATE nn_result nn__trainer_step(nn_trainer *trainer, nn_loader *loader, nn_site site,
                                      const char *who) {
    nn_result result =
        loader ? nn__trainer_begin(trainer, loader, true, site, who)
               : nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                             "%s: loader is NULL; nn_train_on_inputs is for inputs filled by "
                             "nn_upload or nn_bind",
                             who);
    result = nn__trainer_run(trainer, result, loader ? loader->samples : 0, -1, site, who);
    if (result == NN_OK) nn__loader_ahead(loader);
    return result;
}

static nn_result nn__inside_train_step(nn_site site, nn_trainer *trainer, nn_loader *loader) {
    const char *const who = "nn_train_step";
    return nn__trainer_gone(trainer, site, who) ? NN_ERROR_ARGUMENT
                                                : nn__trainer_step(trainer, loader, site, who);
}

NN_API nn_result nn_train_step_at(nn_site site, nn_trainer *trainer, nn_loader *loader) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_train_step", site,
                     nn__inside_train_step(site, trainer, loader));
}

static nn_result nn__inside_step(nn_site site, nn_trainer *trainer) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_train_on_inputs")) return NN_ERROR_ARGUMENT;
    result = nn__trainer_begin(trainer, NULL, true, site, "nn_train_on_inputs");
    return nn__trainer_run(trainer, result, -1, -1, site, "nn_train_on_inputs");
}

NN_API nn_result nn_train_on_inputs_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_train_on_inputs", site,
                     nn__inside_step(site, trainer));
}

static nn_result nn__inside_train_step_for(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                           int64_t microseconds) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_train_step_for")) return NN_ERROR_ARGUMENT;
    if (trainer->sharing)
        return nn__fail_at(trainer->nn, site, NN_ERROR_UNSUPPORTED,
                           "nn_train_step_for: a step of %d shards is not cut into slices; call "
                           "nn_train_step, or give nn_trainer_desc.shards = 1 and no group",
                           trainer->desc.shards);
    result = nn__trainer_begin(trainer, loader, false, site, "nn_train_step_for");
    if (result == NN_OK)
        result = nn__trainer_run(trainer, NN_OK, -1, nn__max64(microseconds, 0), site,
                                 "nn_train_step_for");
    return result;
}

NN_API nn_result nn_train_step_for_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                      int64_t microseconds) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_train_step_for", site,
                     nn__inside_train_step_for(site, trainer, loader, microseconds));
}

#endif /* NN__NO_TRAINER */

typedef int nn__step_part; /* a part must not be empty under NN__NO_TRAINER */
