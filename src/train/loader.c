/* train/loader.c - batches: gathers samples in an order that depends on seed and epoch only, converts them,
   and puts them on a device. Everything is allocated when the loader is made; its batch tensors are the same
   objects from then on, with a shorter first extent for a short batch. It has no thread of its own. Next:
   train/describe.c. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

/* ---- making ---------------------------------------------------------------------------------- */

static void nn__loader_destroy(nn__owned *owned) {
    nn_loader *loader = (nn_loader *)(void *)owned;
    nn_context *nn = loader->nn;
    if (loader->dataset) {
        nn_loader **at = &loader->dataset->loaders;
        while (*at && *at != loader) at = &(*at)->next;
        if (*at) *at = loader->next;
    }
    for (int i = 0; i < loader->field_count; i++) {
        nn__loader_field *field = &loader->fields[i];
        if (field->tensor) field->tensor->bytes = field->bytes; /* as allocated */
        nn_free_tensor(field->tensor);
        nn__release(&nn->memory, field->staging, (size_t)field->staging_bytes);
        nn__release(&nn->memory, field->raw, (size_t)field->raw_bytes);
    }
    if (loader->order) nn__release(&nn->memory, loader->order, sizeof *loader->order * (size_t)loader->count);
    nn__disown(owned);
    nn__release(&nn->memory, loader, sizeof *loader);
}

static bool nn__loader_make_field(nn_loader *loader, const nn_field *source, nn__loader_field *field,
                                  nn_site site) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_tensor_desc desc;
    uint64_t wanted = 0;
    memset(&desc, 0, sizeof desc);
    desc.name = source->name;
    desc.dtype = source->dtype;
    desc.device = loader->device;
    desc.shape.rank = source->shape.rank + 1;
    desc.shape.extent[0] = loader->batch;
    for (int i = 0; i < source->shape.rank; i++) desc.shape.extent[i + 1] = source->shape.extent[i];
    field->tensor = nn_make_tensor_at(site, nn, &desc);
    if (!field->tensor) return false;
    field->bytes = field->tensor->bytes;
    if (!on->limits.host_memory) {
        wanted = field->tensor->bytes;
        field->staging = (char *)nn__allocate(&nn->memory, (size_t)wanted);
        if (field->staging) field->staging_bytes = wanted;
    }
    if (loader->dataset->get && nn__field_converts(source) && (on->limits.host_memory || field->staging)) {
        wanted = nn__field_data_bytes(source);
        field->raw = (char *)nn__allocate(&nn->memory, (size_t)wanted);
        field->raw_bytes = field->raw ? wanted : 0;
        if (!field->raw) nn__fail_memory(nn, "nn_make_loader", wanted);
        return field->raw != NULL;
    }
    if (on->limits.host_memory || field->staging) return true;
    nn__fail_memory(nn, "nn_make_loader", wanted);
    return false;
}

static bool nn__loader_check(nn_context *nn, nn_site site, const nn_loader_desc *desc) {
    if (!desc || !desc->dataset) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_loader: %s is NULL",
                    desc ? "desc.dataset" : "desc");
    } else if (desc->dataset->nn != nn) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: the dataset belongs to another context; make both with one");
    } else if (desc->batch < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_loader: batch is %d; wanted at least 1",
                    (int)desc->batch);
    } else if (desc->drop_last && desc->batch > desc->dataset->count) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: with drop_last and a batch of %d, %d samples make no batch at all; a "
                    "smaller batch, or no drop_last",
                    (int)desc->batch, (int)desc->dataset->count);
    } else if (!nn__find_device(nn, desc->device)) {
        nn__fail_not_open(nn, site, "nn_make_loader", nn__resolve_device(nn, desc->device));
    } else {
        return true;
    }
    return false;
}

static bool nn__loader_fill(nn_loader *loader, const nn_loader_desc *desc, nn_site site) {
    nn_context *nn = loader->nn;
    loader->dataset = desc->dataset;
    loader->next = desc->dataset->loaders;
    desc->dataset->loaders = loader;
    loader->device = nn__resolve_device(nn, desc->device);
    loader->count = desc->dataset->count;
    loader->batch = desc->batch > 0 ? desc->batch : 1;
    loader->shuffle = desc->shuffle;
    loader->drop_last = desc->drop_last;
    loader->seed = desc->seed;
    if (loader->shuffle) {
        size_t bytes = sizeof *loader->order * (size_t)loader->count;
        loader->order = (int32_t *)nn__allocate_for(nn, "nn_make_loader", bytes);
        if (!loader->order) return false;
    }
    for (int i = 0; i < desc->dataset->field_count; i++) {
        loader->field_count++;
        if (!nn__loader_make_field(loader, &desc->dataset->fields[i], &loader->fields[i], site)) return false;
    }
    return nn_start_epoch(loader, 0) == NN_OK;
}

NN_API nn_loader *nn_make_loader_at(nn_site site, nn_context *nn, const nn_loader_desc *desc) {
    nn_loader *loader;
    if (!nn || !nn__loader_check(nn, site, desc)) return NULL;
    loader = (nn_loader *)nn__allocate_for(nn, "nn_make_loader", sizeof *loader);
    if (!loader) return NULL;
    loader->nn = nn;
    loader->site = site;
    if (!nn__loader_fill(loader, desc, site)) {
        nn__loader_destroy(&loader->owned);
        return NULL;
    }
    nn__own(&nn->owned, &loader->owned,
            nn__loader_destroy); /* after its tensors, so that nn_close frees it before them */
    return loader;
}

NN_API void nn_free_loader(nn_loader *loader) {
    if (loader) nn__loader_destroy(&loader->owned);
}

/* ---- batches --------------------------------------------------------------------------------- */

NN_API nn_result nn_start_epoch(nn_loader *loader, int32_t epoch) {
    if (!loader) return NN_ERROR_ARGUMENT;
    if (epoch < 0)
        return nn__fail(loader->nn, NN_ERROR_ARGUMENT, "nn_start_epoch: epoch is %d; they count from 0",
                        (int)epoch);
    loader->epoch = epoch;
    loader->position = 0;
    loader->samples = 0;
    loader->ended = false;
    loader->result = NN_OK;
    if (loader->order) nn_random_permutation(loader->seed, (uint64_t)epoch, loader->order, loader->count);
    return NN_OK;
}

NN_API nn_loader_state nn_get_loader_state(const nn_loader *loader) {
    nn_loader_state state;
    memset(&state, 0, sizeof state);
    if (!loader) return state;
    state.seed = loader->seed;
    state.epoch = loader->epoch;
    state.position = loader->position;
    return state;
}

NN_API nn_result nn_set_loader_state(nn_loader *loader, const nn_loader_state *state) {
    nn_result result;
    if (!loader) return NN_ERROR_ARGUMENT;
    if (!state || state->epoch < 0 || state->position < 0 || state->position > loader->count)
        return nn__fail(loader->nn, NN_ERROR_ARGUMENT,
                        "nn_set_loader_state: epoch %d, position %d; wanted an epoch from 0 and a position of "
                        "at most %d samples: is this the state of a loader of another dataset?",
                        state ? (int)state->epoch : -1, state ? (int)state->position : -1, (int)loader->count);
    loader->seed = state->seed;
    result = nn_start_epoch(loader, state->epoch);
    loader->position = state->position;
    return result;
}

static int32_t nn__loader_sample(const nn_loader *loader, int32_t i) {
    return loader->order ? loader->order[loader->position + i] : loader->position + i;
}

/* Where row i of a batch is gathered. */
static char *nn__loader_row(const nn_loader *loader, int field, int32_t i) {
    const nn__loader_field *to = &loader->fields[field];
    char *first = to->staging ? to->staging : (char *)to->tensor->view.handle + to->tensor->view.offset;
    return first + nn__field_bytes(&loader->dataset->fields[field]) * (uint64_t)i;
}

static void nn__loader_copy_rows(const nn_loader *loader, int field, int32_t samples) {
    const nn_field *source = &loader->dataset->fields[field];
    uint64_t bytes = nn__field_data_bytes(source);
    bool converts = nn__field_converts(source);
    char *to = nn__loader_row(loader, field, 0);
    uint64_t row = nn__field_bytes(source);
    for (int32_t i = 0; i < samples; i++, to += row) {
        const char *from = (const char *)source->data + bytes * (uint64_t)nn__loader_sample(loader, i);
        if (converts)
            nn__field_convert(source, from, to);
        else
            memcpy(to, from, (size_t)bytes);
    }
}

static nn_result nn__loader_call(const nn_loader *loader, int32_t samples, nn_site site) {
    const nn_dataset *dataset = loader->dataset;
    void *to[NN__FIELDS];
    memset(to, 0, sizeof to);
    for (int32_t i = 0; i < samples; i++) {
        nn_result result;
        for (int f = 0; f < loader->field_count; f++) {
            to[f] = loader->fields[f].raw ? loader->fields[f].raw : nn__loader_row(loader, f, i);
        }
        result = dataset->get(dataset->user, nn__loader_sample(loader, i), to);
        if (result != NN_OK) {
            if ((int)result > 0) result = NN_ERROR_CALLBACK;
            return nn__fail_at(
                loader->nn, site, result,
                "nn_next_batch: sample %d: the function of the dataset returned %d: %s; epoch %d ends here",
                (int)nn__loader_sample(loader, i), (int)result, nn_result_text(result), (int)loader->epoch);
        }
        for (int f = 0; f < loader->field_count; f++) {
            if (loader->fields[f].raw)
                nn__field_convert(&dataset->fields[f], loader->fields[f].raw, nn__loader_row(loader, f, i));
        }
    }
    return NN_OK;
}

/* The next `samples` samples to the device. */
static nn_result nn__loader_deliver(nn_loader *loader, int32_t samples, nn_site site) {
    nn_context *nn = loader->nn;
    const nn_dataset *dataset = loader->dataset;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_result result = NN_OK;
    for (int f = 0; f < loader->field_count && on->limits.host_memory && result == NN_OK; f++) {
        uint64_t bytes = nn__field_bytes(&dataset->fields[f]) * (uint64_t)samples;
        result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, dataset->names[f], site);
    }
    if (result == NN_OK && on->limits.host_memory) { /* a step may still read the batch before */
        result = on->backend->finish(on->state);
        if ((int)result < 0)
            nn__fail_at(nn, site, result, "nn_next_batch: waiting for the device: %s",
                        nn_result_text(result));
    }
    if ((int)result < 0) return result;
    if (dataset->get)
        result = nn__loader_call(loader, samples, site);
    else
        for (int f = 0; f < loader->field_count; f++) nn__loader_copy_rows(loader, f, samples);
    for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
        nn__loader_field *field = &loader->fields[f];
        uint64_t bytes = nn__field_bytes(&dataset->fields[f]) * (uint64_t)samples;
        if (field->staging) {
            result = nn__upload(nn, loader->device, &field->tensor->view, field->staging, bytes,
                                dataset->names[f], site, NULL);
        } else {
            nn__ledger_add(nn, NN_CROSS_UPLOAD, NN_COPIED, nn_cpu(), loader->device, bytes, bytes,
                           dataset->names[f], site);
        }
    }
    return result;
}

/* The tensor objects stay; their first extent follows the batch. */
static void nn__loader_resize(nn_loader *loader, int32_t samples) {
    for (int f = 0; f < loader->field_count; f++) {
        nn_tensor *tensor = loader->fields[f].tensor;
        tensor->view.shape.extent[0] = samples;
        tensor->bytes = loader->fields[f].bytes / (uint64_t)loader->batch * (uint64_t)samples;
    }
    loader->samples = samples;
}

NN_API bool nn_next_batch_at(nn_site site, nn_loader *loader) {
    int32_t left, samples;
    if (!loader) return false;
    if (!loader->dataset) {
        loader->samples = 0;
        loader->result =
            nn__fail_at(loader->nn, site, NN_ERROR_ARGUMENT,
                        "nn_next_batch: the dataset of this loader was freed; free it after its loaders");
        return false;
    }
    if (loader->ended) nn_start_epoch(loader, loader->epoch + 1);
    left = loader->count - loader->position;
    samples = left < loader->batch ? left : loader->batch;
    if (left == 0 || (loader->drop_last && samples < loader->batch)) {
        loader->ended = true;
        loader->samples = 0;
        loader->result = NN_END;
        return false;
    }
    loader->result = nn__loader_deliver(loader, samples, site);
    if (loader->result != NN_OK) {
        loader->ended = true;
        loader->samples = 0;
        return false;
    }
    loader->position += samples;
    nn__loader_resize(loader, samples);
    return true;
}

/* ---- questions ------------------------------------------------------------------------------- */

NN_API nn_result nn_loader_result(const nn_loader *loader) {
    return loader ? loader->result : NN_ERROR_ARGUMENT;
}
NN_API int32_t nn_loader_epoch(const nn_loader *loader) { return loader ? loader->epoch : 0; }
NN_API int32_t nn_loader_batch(const nn_loader *loader) { return loader ? loader->samples : 0; }

NN_API int32_t nn_batches_per_epoch(const nn_loader *loader) {
    if (!loader) return 0;
    return loader->count / loader->batch + (!loader->drop_last && loader->count % loader->batch > 0 ? 1 : 0);
}

NN_API nn_tensor *nn_batch_tensor(nn_loader *loader, const char *field) {
    for (int i = 0; loader && field && i < loader->field_count; i++) {
        if (strcmp(loader->fields[i].tensor->name, field) == 0) return loader->fields[i].tensor;
    }
    return NULL;
}

#endif /* NN_NO_TRAINING */

typedef int nn__loader_part; /* a part must not be empty under NN_NO_TRAINING */
