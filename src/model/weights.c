/* model/weights.c - saves and loads the tensors of a model as a safetensors file, with the names of
   PyTorch's state_dict, by path or in memory. Names and shapes must fit. The weights change only
   after the whole file was read. */
#include "model/private.h"

#ifndef NN_NO_FILES

/* Makes the common checks of saving and loading. Afterwards every tensor exists. */
NN_PRIVATE nn_result nn__weights_ready(nn_model *net, const char *path, nn_site site,
                                       const char *who) {
    if (!path || !*path)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "%s: path is %s", who,
                           path ? "empty" : "NULL");
    if (net->faults.count > 0 || net->faults.no_memory)
        return nn__fail_faults(net->nn, net->name, &net->faults, NULL);
    if (nn_model_tensor_count(net) == 0) {
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the model \"%s\" has no parameters and no constants", who,
                           net->name);
    }
    return nn__materialize(&net->graph, site);
}

/* For a writer, path is only a name for errors. */
static nn_result nn__weights_save(nn_site site, nn_model *net, const char *path, nn_writer writer,
                                  const char *who) {
    const char *const metadata[2] = {"format", "pt"};
    nn__safetensors_saving saving;
    nn_tensor **tensors;
    nn_result result;
    size_t bytes;
    int count = 0;
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    result = nn__weights_ready(net, path, site, who);
    if (result == NN_OK) result = nn__check_untorn(net, site, who);
    if (result != NN_OK) return result;
    bytes = sizeof *tensors * (size_t)nn_model_tensor_count(net);
    tensors = (nn_tensor **)nn__allocate(&net->nn->memory, bytes);
    if (!tensors) return nn__fail_memory(net->nn, who, bytes);
    for (nn_node *node = net->graph.first; node; node = node->next) {
        if (nn__is_saved(node)) tensors[count++] = node->tensor;
    }
    memset(&saving, 0, sizeof saving);
    saving.nn = net->nn;
    saving.site = site;
    saving.who = who;
    saving.path = path;
    saving.writer = writer;
    saving.tensors = tensors;
    saving.count = count;
    saving.metadata = metadata;
    saving.metadata_count = 2;
    result = nn__save_safetensors(&saving);
    nn__release(&net->nn->memory, tensors, bytes);
    return result;
}

static nn_result nn__inside_save_weights(nn_site site, nn_model *net, const char *path) {
    nn_writer none;
    memset(&none, 0, sizeof none);
    return nn__weights_save(site, net, path, none, "nn_save_weights");
}

NN_API nn_result nn_save_weights_at(nn_site site, nn_model *net, const char *path) {
    return NN__ALONE(net ? net->nn : NULL, "nn_save_weights", site,
                     nn__inside_save_weights(site, net, path));
}

static nn_result nn__inside_save_weights_to(nn_site site, nn_model *net, nn_writer writer) {
    if (nn__model_gone(net, site, "nn_save_weights_to")) return NN_ERROR_ARGUMENT;
    if (!writer.function)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_save_weights_to: the writer has no function; nothing was written");
    return nn__weights_save(site, net, "(a writer)", writer, "nn_save_weights_to");
}

NN_API nn_result nn_save_weights_to_at(nn_site site, nn_model *net, nn_writer writer) {
    return NN__ALONE(net ? net->nn : NULL, "nn_save_weights_to", site,
                     nn__inside_save_weights_to(site, net, writer));
}

NN_PRIVATE nn_result nn__open_state(nn_context *nn, const char *path, nn_site site,
                                    nn_safetensors **file) {
    *file = nn_open_safetensors_at(site, nn, path);
    if (*file) return NN_OK;
    return nn->last_code;
}

/* ignores the other tensors of a checkpoint */
static bool nn__weights_ignores(const nn__state *state, const char *name) {
    (void)state;
    return nn__begins(name, NN__OPTIMIZER_PREFIX) || nn__begins(name, NN__TRAINER_PREFIX);
}

/* Reports how much of the model was loaded, and logs what a non-strict load left out. */
static void nn__weights_tell(const nn__state *state, const nn_safetensors *file,
                             nn_loaded *loaded) {
    nn_loaded count;
    int named = 0;
    int taken = 0, derived = 0;
    memset(&count, 0, sizeof count);
    for (int i = 0; i < state->count; i++) {
        taken += state->items[i].entry >= 0;
        derived += state->items[i].derived;
    }
    count.loaded = taken + derived;
    count.tensors = state->count;
    count.unexpected = nn_safetensors_count(file) - taken;
    if (loaded) *loaded = count;
    if (count.loaded == count.tensors) nn__mend(state->net);
    if (count.loaded == count.tensors && count.unexpected == 0) return;
    if (!state->non_strict || !state->nn->log.function) return;
    nn__print(&state->nn->log,
              "nn: %s: \"%s\": %d of %d tensors of the model \"%s\" were loaded; %d of the file "
              "were passed over",
              state->who, file->path, (int)count.loaded, (int)count.tensors, state->net->name,
              (int)count.unexpected);
    for (int i = 0; i < state->count; i++)
        if (state->items[i].entry < 0 && !state->items[i].derived)
            nn__print(&state->nn->log, "%s \"%s\"", named++ == 0 ? "; not loaded:" : ",",
                      state->items[i].name);
    nn__print(&state->nn->log, "\n");
}

/* A file of the base model without adapters leaves the adapters unchanged. A file with some
   adapters must have all. */
static void nn__weights_without_adapters(nn__state *state, const nn_safetensors *file) {
#ifndef NN_NO_TRAINING
    int i = 0;
    bool none = true;
    for (int k = 0; k < nn_safetensors_count(file) && state->net->adapters; k++)
        none = none && !strstr(nn_safetensors_at(file, k).name, ".lora_");
    for (const nn_node *node = state->net->graph.first; node; node = node->next)
        if (nn__is_saved(node)) state->items[i++].optional = none && node->adapter;
#else
    (void)state, (void)file;
#endif
}

NN_PRIVATE nn_result nn__state_check_integers(const nn__state *state, const nn_safetensors *file,
                                              const nn__state_item *item, const void *numbers,
                                              int64_t first, int64_t count) {
    nn_context *nn = state->nn;
    int64_t at = 0;
    const bool real = item->tensor->view.dtype == NN_F32;
    if (!nn->wrong_integers || (!real && item->tensor->view.dtype != NN_I32)) return NN_OK;
    const int32_t *values = (const int32_t *)numbers;
    const char *wanted =
        nn->wrong_integers(state->net, item->tensor, values, first, count, &at);
    if (!wanted) return NN_OK;
    return nn__fail_at(nn, state->site, NN_ERROR_FORMAT,
                       "%s: number %lld of \"%s\" in \"%s\" is %g; wanted %s; nothing was loaded; "
                       "the file is damaged, or of another program",
                       state->who, (long long)(first + at), item->tensor->name, file->path,
                       real ? (double)((const float *)numbers)[at] : (double)values[at], wanted);
}

/* Loads from an open file and closes it. */
static nn_result nn__weights_load_file(nn_site site, nn_model *net, nn_safetensors *file,
                                       const nn_load_weights_desc *desc, const char *who) {
    nn__state state;
    nn_result result = nn__check_slicing(net->nn, net->slicing, NULL, true, site, who);
    if (result == NN_OK && desc && !nn__check_renames(net->nn, &desc->renames, site, who))
        result = NN_ERROR_ARGUMENT;
    const bool free_to_write = result == NN_OK;
    if (free_to_write) result = NN_ERROR_MEMORY;
    if (free_to_write && nn__state_begin(&state, net, nn_model_tensor_count(net), site, who)) {
        nn__state_add_model(&state);
        nn__weights_without_adapters(&state, file);
        state.non_strict = desc && desc->non_strict;
        if (desc) state.renames = desc->renames;
        state.ignores = nn__weights_ignores;
        result = nn__state_stage(&state, file);
        if (result == NN_OK) result = nn__state_apply(&state);
        if (result == NN_OK) nn__weights_tell(&state, file, desc ? desc->loaded : NULL);
        nn__state_end(&state);
    }
    nn_close_safetensors(file);
    return result;
}

static nn_result nn__weights_load(nn_site site, nn_model *net, const char *path,
                                  const nn_load_weights_desc *desc, const char *who) {
    nn_safetensors *file;
    nn_result result;
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    result = nn__weights_ready(net, path, site, who);
    if (result == NN_OK) result = nn__check_averaged(net, site, who);
    if (result == NN_OK) result = nn__check_unmerged(net, site, who);
    if (result == NN_OK && desc && desc->files &&
        !(desc->files->open && desc->files->read && desc->files->size && desc->files->close))
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "%s: .files lacks open, read, size or close", who);
    if (result == NN_OK) {
        const nn_files own = net->nn->files;
        if (desc && desc->files) net->nn->files = *desc->files; /* an open file keeps a copy */
        result = nn__open_state(net->nn, path, site, &file);
        net->nn->files = own;
    }
    return result == NN_OK ? nn__weights_load_file(site, net, file, desc, who) : result;
}

static nn_result nn__inside_load_weights(nn_site site, nn_model *net, const char *path,
                                         const nn_load_weights_desc *desc) {
    return nn__weights_load(site, net, path, desc, "nn_load_weights");
}

NN_API nn_result nn_load_weights_at(nn_site site, nn_model *net, const char *path,
                                    const nn_load_weights_desc *desc) {
    return NN__ALONE(net ? net->nn : NULL, "nn_load_weights", site,
                     nn__inside_load_weights(site, net, path, desc));
}

static nn_result nn__inside_load_weights_from(nn_site site, nn_model *net, const void *bytes,
                                              size_t size, const nn_load_weights_desc *desc) {
    const char *const who = "nn_load_weights_from";
    nn_safetensors *file;
    nn_result result, before;
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    result = nn__weights_ready(net, "(memory)", site, who);
    if (result == NN_OK) result = nn__check_averaged(net, site, who);
    if (result == NN_OK) result = nn__check_unmerged(net, site, who);
    if (result != NN_OK) return result;
    before = nn_error_code(net->nn);
    file = nn__open_safetensors_memory(site, net->nn, who, bytes, size);
    if (file) return nn__weights_load_file(site, net, file, desc, who);
    if (!bytes) return NN_ERROR_ARGUMENT;
    return before == NN_OK && nn_error_code(net->nn) != NN_OK ? nn_error_code(net->nn)
                                                              : NN_ERROR_FORMAT;
}

NN_API nn_result nn_load_weights_from_at(nn_site site, nn_model *net, const void *bytes,
                                         size_t size, const nn_load_weights_desc *desc) {
    return NN__ALONE(net ? net->nn : NULL, "nn_load_weights_from", site,
                     nn__inside_load_weights_from(site, net, bytes, size, desc));
}

#endif /* NN_NO_FILES */

typedef int nn__weights_part; /* a part must not be empty under NN_NO_FILES */
