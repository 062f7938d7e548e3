/* train/checkpoint.c - saves and loads a trainer: everything that its next steps depend on, as a
   list of (name, tensor) and of (key, value); the latter is in train/checkpoint_words.c. The
   trainer changes only after the whole file was read. tensor/safetensors.c and model/state.c move
   the tensors. */
#include "train/private.h"

#if !defined(NN__NO_TRAINER) && !defined(NN_NO_FILES)

#define NN__CHECKPOINT_PATH 512

/* ---- the list of tensors --------------------------------------------------------------------- */

/* The trainer and the desc of one call, for the functions that compare. */
typedef struct nn__checkpoint_call {
    nn_trainer *trainer;
    const nn_checkpoint_desc *desc;
} nn__checkpoint_call;

NN_PRIVATE bool nn__checkpoint_list(nn__state *state, nn_trainer *trainer, bool totals,
                                    bool averages, nn_site site, const char *who) {
    int count = nn_model_tensor_count(trainer->net) + trainer->moment_count +
                trainer->trained_count + trainer->carried_count + 1 + trainer->metric_count + 2;
    char name[NN__STATE_NAME];
    if (!nn__state_begin(state, trainer->net, count, site, who)) return false;
    state->owner = "trainer";
    state->whole = "the trainer of";
    nn__state_add_model(state);
    for (int i = 0; i < trainer->moment_count; i++) {
        const nn__moment *moment = &trainer->moments[i];
        nn__format(name, sizeof name, NN__OPTIMIZER_PREFIX "%s.%s", moment->parameter->name,
                   moment->name);
        nn__state_add(state, name, nn__moment_tensor(trainer, i));
    }
    for (int i = 0; i < trainer->trained_count && averages && trainer->averages; i++) {
        nn__format(name, sizeof name, NN__TRAINER_PREFIX "average.%s",
                   trainer->trained[i].parameter->name);
        nn__state_add(state, name, nn__average_tensor(trainer, i));
    }
    for (int i = 0; i < trainer->carried_count; i++) {
        nn__format(name, sizeof name, NN__TRAINER_PREFIX "state.%s", trainer->carried[i].of->name);
        nn__state_add(state, name, trainer->carried[i].state->tensor);
    }
    for (int i = 0; i <= trainer->metric_count && totals; i++) {
        nn__format(name, sizeof name, NN__TRAINER_PREFIX "total.%d", i);
        nn__state_add(state, name, trainer->totals.node[i]->tensor);
    }
    if (totals && trainer->totals.mean) {
        nn__state_add(state, NN__TRAINER_PREFIX "total.mean", trainer->totals.mean->tensor);
        nn__state_add(state, NN__TRAINER_PREFIX "total.counted", trainer->totals.counted->tensor);
    }
    return true;
}

/* True if the node is a parameter that this trainer does not train. */
static bool nn__checkpoint_untrained(const nn_trainer *trainer, const nn_node *node) {
    for (int i = 0; i < trainer->trained_count; i++)
        if (trainer->trained[i].parameter == node) return false;
    return node->kind == NN__PARAMETER;
}

/* True for moments of parameters that are not trained here, and for PyTorch's numbers that follow
   from the step. */
static bool nn__checkpoint_ignores(const nn__state *state, const char *name) {
    /* NAdam's and ASGD's numbers follow from the step. */
    static const char *const computed[] = {".step", ".mu_product", ".eta", ".mu"};
    const nn__checkpoint_call *call = (const nn__checkpoint_call *)state->user;
    const char *inner = nn__begins(name, NN__OPTIMIZER_PREFIX);
    size_t length = strlen(name);
    if (!inner) return false;
    for (int i = 0; i < NN__COUNT(computed); i++)
        if (length > strlen(computed[i]) &&
            strcmp(name + length - strlen(computed[i]), computed[i]) == 0)
            return true;
    for (const nn_node *node = call->trainer->net->graph.first; node; node = node->next) {
        const char *rest =
            nn__checkpoint_untrained(call->trainer, node) ? nn__begins(inner, node->name) : NULL;
        if (rest && *rest == '.') return true;
    }
    return false;
}

static int nn__checkpoint_differs(const nn__state *state, const nn_safetensors *file,
                                  const nn_writer *writer) {
    const nn__checkpoint_call *call = (const nn__checkpoint_call *)state->user;
    const char *has = nn_safetensors_metadata(file, "optimizer");
    char wants[128];
    int faults = 0;
    nn__optimizer_words(call->trainer, wants, sizeof wants);
    if (has && strcmp(has, wants) != 0) {
        nn__print(writer, "\n  differs:     the optimizer is %s in the file, %s in the trainer",
                  has, wants);
        faults++;
    }
    has = nn_safetensors_metadata(file, "schedule");
    if (has && nn__begins(has, "function ") && !call->trainer->desc.schedule.function) {
        nn__print(writer,
                  "\n  differs:     the file's schedule is a function of the program; give it to "
                  "the trainer before: .schedule.function, or nn_set_schedule");
        faults++;
    }
    has = nn_safetensors_metadata(file, "shards");
    nn__format(wants, sizeof wants, "%d", call->trainer->desc.shards);
    if (has && !state->non_strict && strcmp(has, wants) != 0) {
        nn__print(writer,
                  "\n  differs:     steps have %s shards in the file, %s in the trainer; give "
                  "nn_trainer_desc.shards = %s",
                  has, wants, has);
        faults++;
    }
    if (call->desc->loader && !state->non_strict && !nn_safetensors_metadata(file, "loader")) {
        nn__print(writer, "\n  missing:     the loader's place in its data is not in the file; "
                          "leave .loader out, and the loader starts at the beginning");
        faults++;
    }
    return faults;
}

/* ---- saving ---------------------------------------------------------------------------------- */

static nn_result nn__checkpoint_check(nn_trainer *trainer, const char *path,
                                      const nn_checkpoint_desc *desc, nn_site site,
                                      const char *who) {
    nn_result result = nn__weights_ready(trainer->net, path, site, who);
    if (result == NN_OK) result = nn__trainer_idle(trainer, site, who);
    if (result == NN_OK) result = nn__average_check_in_place(trainer, site, who);
    if (result == NN_OK) result = nn__check_averaged(trainer->net, site, who);
    if (result != NN_OK) return result;
    if (desc->loader && desc->loader->nn != trainer->nn)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the loader and the trainer belong to different contexts", who);
    if (desc->keep < 0 || strlen(path) + 16 > NN__CHECKPOINT_PATH)
        return nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "%s: keep is %d and path has %zu bytes; wanted at least 1 file, and at most %d bytes",
            who, (int)desc->keep, strlen(path), NN__CHECKPOINT_PATH - 16);
    return NN_OK;
}

static bool nn__checkpoint_exists(nn_context *nn, const char *path) {
    void *handle =
        nn->files.open && nn->files.close ? nn->files.open(nn->files.user, path, false) : NULL;
    if (handle) nn->files.close(nn->files.user, handle);
    return handle != NULL;
}

/* Renames path.1 to path.2 and so on, path to path.1, and the new file to path. If there is no path
   (an earlier call was killed), path.1 is the newest file and stays. */
static nn_result nn__checkpoint_rotate(nn_context *nn, const char *path, int32_t keep,
                                       const char *fresh, nn_site site) {
    char from[NN__CHECKPOINT_PATH], to[NN__CHECKPOINT_PATH];
    for (int32_t i = nn__checkpoint_exists(nn, path) ? keep - 1 : 0; i > 0; i--) {
        if (i > 1)
            nn__format(from, sizeof from, "%s.%d", path, (int)i - 1);
        else
            nn__copy_text(from, sizeof from, path);
        nn__format(to, sizeof to, "%s.%d", path, (int)i);
        /* Errors are ignored: there may be no such file yet. */
        nn__replace_file(&nn->files, from, to);
    }
    if (nn__replace_file(&nn->files, fresh, path)) return NN_OK;
    return nn__fail_at(nn, site, NN_ERROR_FILE,
                       "nn_save_checkpoint: \"%s\" cannot be renamed to \"%s\"; the checkpoint "
                       "before it is there, as "
                       "\"%s\" or \"%s.1\"",
                       fresh, path, path, path);
}

static nn_result nn__checkpoint_write(nn_trainer *trainer, const nn__state *state, const char *path,
                                      const nn_checkpoint_desc *desc) {
    nn_context *nn = trainer->nn;
    nn__safetensors_saving saving;
    size_t bytes = (sizeof(nn_tensor *) + sizeof(const char *)) * (size_t)state->count;
    nn_tensor **tensors = (nn_tensor **)nn__allocate(&nn->memory, bytes);
    nn__words *words = (nn__words *)nn__allocate(&nn->memory, sizeof *words);
    nn_result result = NN_ERROR_MEMORY;
    if (tensors && words) {
        const char **names = (const char **)(tensors + state->count);
        for (int i = 0; i < state->count; i++) {
            tensors[i] = state->items[i].tensor;
            names[i] = state->items[i].name;
        }
        nn__words_fill(words, trainer, desc);
        memset(&saving, 0, sizeof saving);
        saving.nn = nn;
        saving.site = state->site;
        saving.who = state->who;
        saving.path = path;
        saving.tensors = tensors;
        saving.names = names;
        saving.count = state->count;
        saving.metadata = words->strings;
        saving.metadata_count = words->count;
        saving.checksum = true;
        result = nn__save_safetensors(&saving);
    } else {
        nn__fail_memory(nn, state->who, bytes + sizeof *words);
    }
    nn__release(&nn->memory, words, sizeof *words);
    nn__release(&nn->memory, tensors, bytes);
    return result;
}

/* Collects the moments of other ranks on rank 0, which writes the file. */
static nn_result nn__checkpoint_collect(nn_trainer *trainer, nn_result mine, nn_site site,
                                        const char *who) {
    void *room = NULL;
    const nn__sharing *sharing = trainer->sharing;
    nn_result result = mine == NN_OK ? sharing->owners_invite(trainer, who) : mine;
    result = sharing->share_room(trainer, result, &room, site, who);
    if (result == NN_OK) result = sharing->owners_gather(trainer, room, site, who);
    sharing->share_leave(trainer, room);
    return result;
}

static nn_result nn__inside_save_checkpoint(nn_site site, nn_trainer *trainer, const char *path,
                                            const nn_checkpoint_desc *desc) {
    const char *const who = "nn_save_checkpoint";
    nn_checkpoint_desc filled;
    char fresh[NN__CHECKPOINT_PATH];
    nn__state state;
    nn_result result;
    memset(&filled, 0, sizeof filled);
    if (desc) filled = *desc;
    result = nn__checkpoint_check(trainer, path, &filled, site, who);
    if (result == NN_OK && trainer->backwards > 0)
        result = nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "%s: a checkpoint holds no gradients, and %d calls of nn_backward wait for nn_update; "
            "call it, or nn_zero_gradients, before",
            who, (int)trainer->backwards);
    if (result == NN_OK) result = nn__check_torn(trainer, site, who);
    if (result == NN_OK) result = nn__read_status(trainer->plan, site, who);
    if (trainer->deals) result = nn__checkpoint_collect(trainer, result, site, who);
    if (result != NN_OK || nn__rank(trainer->desc.group) > 0) return result;
    nn__format(fresh, sizeof fresh, filled.keep > 1 ? "%s.new" : "%s", path);
    if (!nn__checkpoint_list(&state, trainer, true, true, site, who)) return NN_ERROR_MEMORY;
    result = nn__checkpoint_write(trainer, &state, fresh, &filled);
    nn__state_end(&state);
    if (result != NN_OK || filled.keep <= 1) return result;
    return nn__checkpoint_rotate(trainer->nn, path, filled.keep, fresh, site);
}

/* In a group, rank 0 writes, and all ranks learn whether it succeeded. */
static nn_result nn__checkpoint_save(nn_site site, nn_trainer *trainer, const char *path,
                                     const nn_checkpoint_desc *desc) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_save_checkpoint")) return NN_ERROR_ARGUMENT;
    result = nn__inside_save_checkpoint(site, trainer, path, desc);
    if (trainer->sharing) trainer->sharing->owners_dismiss(trainer);
    result = nn__trainer_agree(trainer, result, site, "nn_save_checkpoint");
    if (result == NN_OK) nn__forget_rests(trainer); /* as a run that resumes from the file does */
    return result;
}

NN_API nn_result nn_save_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc *desc) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_save_checkpoint", site,
                     nn__checkpoint_save(site, trainer, path, desc));
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Returns path, or path.1 if only that exists. */
static const char *nn__checkpoint_newest(nn_context *nn, const char *path, char *text,
                                         size_t size) {
    if (nn__checkpoint_exists(nn, path)) return path;
    nn__format(text, size, "%s.1", path);
    return nn__checkpoint_exists(nn, text) ? text : path;
}

NN_API bool nn_has_checkpoint(nn_context *nn, const char *path) {
    char text[NN__CHECKPOINT_PATH];
    if (!nn || !path || !*path || strlen(path) + 16 > sizeof text) return false;
    return nn__checkpoint_exists(nn, nn__checkpoint_newest(nn, path, text, sizeof text));
}

static nn_result nn__checkpoint_format(const nn_safetensors *file, nn_site site) {
    const char *version = nn_safetensors_metadata(file, "checkpoint");
    if (version && strcmp(version, NN__CHECKPOINT_VERSION) != 0)
        return nn__fail_at(file->nn, site, NN_ERROR_FORMAT,
                           "nn_load_checkpoint: \"%s\" is a checkpoint of version \"%s\"; this "
                           "library knows \"%s\"; "
                           "or it is damaged",
                           file->path, version, NN__CHECKPOINT_VERSION);
    if (version && !nn_safetensors_metadata(file, "checksum"))
        return nn__fail_at(file->nn, site, NN_ERROR_FORMAT,
                           "nn_load_checkpoint: \"%s\" is damaged: its checksum is gone",
                           file->path);
    return NN_OK;
}

/* The parts of a checkpoint that do not belong to the trainer. */
typedef struct nn__checkpoint_rest {
    nn_loader_state loader;
    nn_progress progress;
    uint64_t text; /* bytes */
} nn__checkpoint_rest;

/* Takes over what was read. Only copies inside a device can still fail. */
static nn_result nn__checkpoint_take(nn_trainer *trainer, nn__state *state,
                                     const nn__checkpoint *read, const nn_safetensors *file,
                                     const nn_checkpoint_desc *desc) {
    bool moves = desc->loader && nn_safetensors_metadata(file, "loader");
    const char *text = nn_safetensors_metadata(file, "text");
    nn_loader_state before = nn_loader_position(desc->loader);
    nn_result result = moves ? nn_set_loader_position(desc->loader, &read->loader) : NN_OK;
    if (result != NN_OK) return result;
    result = nn__state_apply(state);
    if (result == NN_OK && !nn__checkpoint_is_ours(file))
        result = nn__trainer_zero(trainer, &trainer->totals);
    if (result == NN_OK) result = nn__clear_status(trainer->plan);
    if (result == NN_OK && trainer->sharing)
        result = trainer->sharing->replicas_clear_fault(trainer);
    if (result != NN_OK) {
        if (moves) nn_set_loader_position(desc->loader, &before);
        return result;
    }
    trainer->step = read->step;
    trainer->averaged = read->averaged;
    trainer->backwards = 0;
    trainer->desc.learning_rate = read->learning_rate;
    nn__copy_schedule(&trainer->desc.schedule, trainer->milestones, &read->schedule);
    trainer->net->seed = read->seed;
    trainer->plan->run.seed = trainer->evaluation->run.seed = read->seed;
    trainer->plan->ran = false; /* There is no loss to read yet. */
    if (desc->progress) *desc->progress = read->progress;
    if (text && desc->text_to.function)
        desc->text_to.function(desc->text_to.user, text, strlen(text));
    return NN_OK;
}

static nn_result nn__checkpoint_load(nn_trainer *trainer, nn_safetensors *file,
                                     const nn_checkpoint_desc *desc, nn_site site) {
    nn__checkpoint read;
    nn__checkpoint_call call;
    nn__state state;
    nn_result result = nn__checkpoint_format(file, site);
    if (result != NN_OK) return result;
    if (!nn__check_renames(trainer->nn, &desc->renames, site, "nn_load_checkpoint"))
        return NN_ERROR_ARGUMENT;
    if (!nn__checkpoint_list(&state, trainer, nn__checkpoint_is_ours(file),
                             nn_safetensors_metadata(file, "average") != NULL, site,
                             "nn_load_checkpoint"))
        return NN_ERROR_MEMORY;
    call.trainer = trainer;
    call.desc = desc;
    state.non_strict = desc->non_strict;
    state.renames = desc->renames;
    state.ignores = nn__checkpoint_ignores;
    state.differs = nn__checkpoint_differs;
    state.user = &call;
    result = nn__state_stage(&state, file);
    if (result == NN_OK &&
        !(nn__checkpoint_read(trainer, file, site, &read) &&
          nn__check_schedule(trainer->nn, &read.schedule, site, "nn_load_checkpoint")))
        result = nn__fail_at(
            trainer->nn, site, NN_ERROR_FORMAT,
            "nn_load_checkpoint: \"%s\": its metadata are not those of a checkpoint; nothing was "
            "loaded",
            file->path);
    if (result == NN_OK) result = nn__checkpoint_take(trainer, &state, &read, file, desc);
    nn__state_end(&state);
    return result;
}

/* In a group, rank 0 has read the file, and the others get everything from it. file: NULL on
   these. */
static nn_result nn__checkpoint_spread(nn_trainer *trainer, const nn_safetensors *file,
                                       const nn_checkpoint_desc *desc, void *room, nn_site site) {
    const char *const who = "nn_load_checkpoint";
    const char *text = file ? nn_safetensors_metadata(file, "text") : NULL;
    nn_group *group = trainer->desc.group;
    nn__checkpoint_rest rest;
    char *copy = NULL;
    const nn__sharing *sharing = trainer->sharing;
    nn_result result = sharing->share_state(trainer, room, site, who);
    if (result == NN_OK) result = sharing->owners_spread(trainer, room, site, who);
    memset(&rest, 0, sizeof rest);
    rest.loader = nn_loader_position(desc->loader);
    if (desc->progress) rest.progress = *desc->progress;
    rest.text = text ? strlen(text) : 0;
    if (result == NN_OK)
        result = sharing->group_broadcast(group, &rest, sizeof rest, 0, site, who);
    if (result != NN_OK) return result;
    if (!file) {
        if (desc->loader) result = nn_set_loader_position(desc->loader, &rest.loader);
        if (result == NN_OK) result = nn__clear_status(trainer->plan);
        trainer->backwards = 0;
        trainer->plan->run.seed = trainer->evaluation->run.seed = trainer->net->seed;
        trainer->plan->ran = false;
        if (desc->progress) *desc->progress = rest.progress;
        if (rest.text > 0 && result == NN_OK) {
            copy = (char *)nn__allocate_for(trainer->nn, who, (size_t)rest.text);
            if (!copy) result = NN_ERROR_MEMORY;
        }
    }
    result = nn__trainer_agree(trainer, result, site, who);
    if (result == NN_OK && rest.text > 0) {
        void *bytes = file ? (void *)(uintptr_t)text : copy;
        result = sharing->group_broadcast(group, bytes, (size_t)rest.text, 0, site, who);
    }
    if (result == NN_OK && copy && desc->text_to.function)
        desc->text_to.function(desc->text_to.user, copy, (size_t)rest.text);
    nn__release(&trainer->nn->memory, copy, (size_t)rest.text);
    return result;
}

static nn_result nn__inside_load_checkpoint(nn_site site, nn_trainer *trainer, const char *path,
                                            const nn_checkpoint_desc *desc) {
    nn_checkpoint_desc filled;
    char text[NN__CHECKPOINT_PATH];
    nn_safetensors *file = NULL;
    void *room = NULL;
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_load_checkpoint")) return NN_ERROR_ARGUMENT;
    const nn__sharing *sharing = trainer->sharing;
    const bool ranks = nn__ranks(trainer->desc.group) > 1;
    memset(&filled, 0, sizeof filled);
    if (desc) filled = *desc;
    result = nn__checkpoint_check(trainer, path, &filled, site, "nn_load_checkpoint");
    if (ranks) result = sharing->share_room(trainer, result, &room, site, "nn_load_checkpoint");
    const bool begun = result == NN_OK; /* with other ranks: on all of them */
    if (result == NN_OK && nn__rank(trainer->desc.group) <= 0) {
        path = nn__checkpoint_newest(trainer->nn, path, text, sizeof text);
        result = nn__open_state(trainer->nn, path, site, &file);
        if (result == NN_OK && sharing)
            result = sharing->owners_invite(trainer, "nn_load_checkpoint");
        if (result == NN_OK) result = nn__checkpoint_load(trainer, file, &filled, site);
    }
    if (ranks && begun) result = nn__trainer_agree(trainer, result, site, "nn_load_checkpoint");
    if (ranks && result == NN_OK) {
        result = nn__checkpoint_spread(trainer, file, &filled, room, site);
        if (result != NN_OK) nn__tear(trainer); /* rank 0 has all of it, the others some of it */
    }
    if (sharing) {
        sharing->share_leave(trainer, room);
        sharing->owners_dismiss(trainer);
    }
    if (result == NN_OK) nn__forget_rests(trainer);
    if (result == NN_OK) trainer->torn = false;
    if (result == NN_OK) nn__mend(trainer->net);
    if (file) nn_close_safetensors(file);
    return result;
}

NN_API nn_result nn_load_checkpoint_at(nn_site site, nn_trainer *trainer, const char *path,
                                       const nn_checkpoint_desc *desc) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_load_checkpoint", site,
                     nn__inside_load_checkpoint(site, trainer, path, desc));
}

#undef NN__CHECKPOINT_PATH
#endif

typedef int nn__checkpoint_part; /* a part must not be empty under NN__NO_TRAINER */
