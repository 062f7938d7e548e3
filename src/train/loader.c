/* train/loader.c - batches on a device: decides what is gathered (an order that depends on seed and epoch
   only), lets train/ring.c gather it, and puts it where steps read it. Everything is allocated when the loader
   is made; its batch tensors are the same objects from then on, over storage that changes from batch to batch,
   with a shorter first extent for a short batch.

   On a device with host memory the ring's rows are what steps read. Elsewhere a batch goes from the rows to one
   of two storages, with a fence: while a step reads one, the next batch travels into the other; the backend
   orders that. Rows are filled anew when their fences are done. Next: train/describe.c. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

/* ---- rows and fences ------------------------------------------------------------------------- */

NN_PRIVATE nn_fence *nn__loader_fence(nn_loader *loader, int64_t batch, int field) {
    return &loader->fences[batch % loader->ring->slots * NN__LOADER_FENCES + field];
}

/* Waits for the uploads that read the rows of a batch; wait false: only looks. False: some still do. */
static bool nn__loader_uploaded(nn_loader *loader, int64_t batch, bool wait, nn_result *result) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    for (int f = 0; f < NN__LOADER_FENCES; f++) {
        nn_fence *fence = nn__loader_fence(loader, batch, f);
        if (fence->value == 0 || on->backend->fence_done(on->state, *fence)) {
            fence->value = 0;
            continue;
        }
        if (!wait) return false;
        *result = on->backend->fence_wait(on->state, *fence);
        if ((int)*result < 0) return false;
        fence->value = 0;
    }
    return true;
}

static nn_result nn__loader_wait_uploads(nn_loader *loader) {
    nn_result result = NN_OK, first = NN_OK;
    for (int32_t slot = 0; loader->ring && loader->fences && slot < loader->ring->slots; slot++) {
        if (!nn__loader_uploaded(loader, slot, true, &result) && first == NN_OK) first = result;
    }
    return first;
}

/* ---- making ---------------------------------------------------------------------------------- */

NN_PRIVATE void nn__loader_dismiss(nn_loader *loader, const char *who) {
    nn__ring *ring = loader->ring;
    if (!ring) return;
    nn__loader_wait_uploads(loader);
    nn__release(&loader->nn->memory, loader->fences,
                sizeof(nn_fence) * (size_t)ring->slots * NN__LOADER_FENCES);
    loader->fences = NULL;
    loader->ring = NULL;
    nn__ring_free(loader->nn, ring, loader->ring_bytes, loader->timeout, who);
}

static void nn__loader_free_field(nn_loader *loader, nn__loader_field *field) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_free_tensor(field->tensor);
    for (int i = 0; i < 2; i++) nn__device_release(nn, loader->device, field->storage[i], field->storage_bytes);
    nn__device_release(nn, loader->device, field->converted, nn__padded(field->bytes));
    if (field->pinned)
        on->backend->host_release(on->state, field->host, field->host_bytes);
    else
        nn__release(&nn->memory, field->host, (size_t)field->host_bytes);
}

static void nn__loader_destroy_for(nn_loader *loader, const char *who) {
    nn_context *nn = loader->nn;
    if (loader->dataset) {
        nn_loader **at = &loader->dataset->loaders;
        while (*at && *at != loader) at = &(*at)->next;
        if (*at) *at = loader->next;
    }
    nn__loader_dismiss(loader, who);
    nn__resident_free(loader);
    for (int i = 0; i < loader->field_count; i++) nn__loader_free_field(loader, &loader->fields[i]);
    nn__batch_free(loader);
    nn__disown(&loader->owned);
    nn__release(&nn->memory, loader, sizeof *loader);
}

static void nn__loader_destroy(nn__owned *owned) {
    nn__loader_destroy_for((nn_loader *)(void *)owned, "nn_close");
}

NN_PRIVATE bool nn__loader_alloc(nn_loader *loader, uint64_t bytes, void **handle) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    nn_result result = nn__device_alloc(loader->nn, loader->device, bytes, "nn_make_loader", handle);
    if (result != NN_OK) return false;
    result = on->backend->fill(on->state, *handle, 0, bytes, 0);
    if ((int)result >= 0) return true;
    nn__fail_at(loader->nn, loader->site, result, "nn_make_loader: %s could not clear its memory",
                on->limits.name);
    return false;
}

/* Host memory from which the device uploads: pinned where it has such. */
static bool nn__loader_alloc_host(nn_loader *loader, nn__loader_field *field, uint64_t bytes) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    void *host = NULL;
    if (on->backend->host_alloc && on->backend->host_release &&
        on->backend->host_alloc(on->state, bytes, &host) == NN_OK && host) {
        field->pinned = true;
    } else { /* slower, and nothing else */
        host = nn__allocate_for(loader->nn, "nn_make_loader", (size_t)bytes);
    }
    field->host = (char *)host;
    field->host_bytes = host ? bytes : 0;
    return host != NULL;
}

static bool nn__loader_storage(nn_loader *loader, const nn_field *source, nn__loader_field *field,
                               nn__ring_row *row) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    nn__ring *ring = loader->ring;
    uint64_t all = 0;
    row->converts = nn__field_converts(source) && !(field->raw && source->data_dtype == NN_U8);
    row->bytes = row->converts ? nn__field_bytes(source) : row->data_bytes;
    row->slot_bytes = nn__padded(row->bytes * (uint64_t)loader->batch);
    if (!nn__multiply(row->slot_bytes, (uint64_t)ring->slots, &all) || all > SIZE_MAX / 2) {
        nn__fail_memory(loader->nn, "nn_make_loader", all);
        return false;
    }
    if (field->raw && !nn__loader_alloc(loader, nn__padded(field->bytes), &field->converted)) return false;
    if (on->limits.host_memory) {
        field->storage_bytes = all;
        if (!nn__loader_alloc(loader, all, &field->storage[0])) return false;
        row->rows = (char *)field->storage[0];
        return true;
    }
    field->storage_bytes = row->slot_bytes;
    for (int i = 0; i < (ring->slots > 1 ? 2 : 1); i++) {
        if (!nn__loader_alloc(loader, row->slot_bytes, &field->storage[i])) return false;
    }
    if (!nn__loader_alloc_host(loader, field, all)) return false;
    row->rows = field->host;
    return true;
}

static bool nn__loader_make_field(nn_loader *loader, int f) {
    const nn_field *source = &loader->dataset->fields[f];
    nn__loader_field *field = &loader->fields[f];
    char shape[NN__SHAPE_TEXT];
    nn_view view;
    memset(&view, 0, sizeof view);
    view.dtype = source->dtype;
    view.shape.rank = source->shape.rank + 1;
    view.shape.extent[0] = loader->batch;
    for (int i = 0; i < source->shape.rank; i++) view.shape.extent[i + 1] = source->shape.extent[i];
    if (!nn__batch_field(loader, f, &view)) return false;
    if (!nn__shape_bytes(view.shape, view.dtype, 1, &field->bytes)) {
        nn__fail_at(loader->nn, loader->site, NN_ERROR_SHAPE,
                    "nn_make_loader: a batch of \"%s\" %s %s has more bytes than fit; a smaller batch",
                    source->name, nn__format_shape(view.shape, shape, sizeof shape),
                    nn_dtype_name(view.dtype));
        return false;
    }
    if (!nn__loader_storage(loader, source, field, &loader->ring->row[f])) return false;
    view.handle = field->raw ? field->converted : field->storage[0];
    field->tensor =
        nn__make_tensor_over(loader->nn, source->name, nn__find_device(loader->nn, loader->device)->device,
                             view, loader->site);
    return field->tensor != NULL;
}

/* Samples of an epoch, for one of `world` loaders. */
static int32_t nn__loader_count(const nn_loader_desc *desc) {
    int32_t count = desc->dataset->count, world = desc->world > 0 ? desc->world : 1;
    return desc->drop_last ? count / world : nn__ceil_div(count, world);
}

static bool nn__loader_check_numbers(nn_context *nn, nn_site site, const nn_loader_desc *desc) {
    int32_t world = desc->world > 0 ? desc->world : 1;
    if (desc->batch < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_loader: batch is %d; wanted at least 1",
                    (int)desc->batch);
    } else if (desc->world < 0 || desc->rank < 0 || desc->rank >= world) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: rank is %d and world %d; wanted a rank from 0 to world - 1",
                    (int)desc->rank, (int)world);
    } else if (desc->workers < 0 || desc->workers > 256) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_loader: workers is %d; wanted 0 to 256",
                    desc->workers);
    } else if (desc->prefetch < 0 || desc->prefetch > 4096) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_loader: prefetch is %d; wanted 0 to 4096 batches",
                    desc->prefetch);
    } else if (!(desc->timeout >= 0.0f)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: timeout is %g; wanted seconds, or 0 for none", (double)desc->timeout);
    } else if (desc->drop_last && nn__maxi(desc->batch, 1) > nn__loader_count(desc)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: with drop_last and a batch of %d, %d samples make no batch at all; a "
                    "smaller batch, or no drop_last",
                    nn__maxi(desc->batch, 1), (int)nn__loader_count(desc));
    } else {
        return true;
    }
    return false;
}

static bool nn__loader_check(nn_context *nn, nn_site site, const nn_loader_desc *desc) {
    if (!desc || !desc->dataset) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_loader: %s is NULL",
                    desc ? "desc.dataset" : "desc");
    } else if (desc->dataset->nn != nn) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: the dataset belongs to another context; make both with one");
    } else if (!nn__loader_check_numbers(nn, site, desc)) {
        return false;
    } else if (!nn__find_device(nn, desc->device)) {
        nn__fail_not_open(nn, site, "nn_make_loader", nn__resolve_device(nn, desc->device));
    } else {
        return true;
    }
    return false;
}

static bool nn__loader_fill(nn_loader *loader, const nn_loader_desc *desc) {
    nn_context *nn = loader->nn;
    loader->dataset = desc->dataset;
    loader->next = desc->dataset->loaders;
    desc->dataset->loaders = loader;
    loader->device = nn__resolve_device(nn, desc->device);
    loader->count = nn__loader_count(desc);
    loader->batch = desc->batch;
    loader->drop_last = desc->drop_last;
    loader->seed = desc->seed;
    if (desc->timeout > 0.0f)
        loader->timeout = desc->timeout < 1e6f ? nn__maxi(1, (int)(desc->timeout * 1000.0f)) : 1000000000;
    loader->ring = nn__ring_make(nn, desc, &loader->ring_bytes);
    if (!loader->ring) return false;
    loader->fences = (nn_fence *)nn__allocate_for(nn, "nn_make_loader",
                                                  sizeof(nn_fence) * (size_t)loader->ring->slots *
                                                      NN__LOADER_FENCES);
    if (!loader->fences || !nn__batch_choose(loader, desc)) return false;
    for (int i = 0; i < desc->dataset->field_count; i++) {
        loader->field_count++;
        if (!nn__loader_make_field(loader, i)) return false;
    }
    if (!nn__batch_make_draws(loader)) return false;
    if (desc->on_device && nn__resident_make(loader) != NN_OK) return false;
    return nn_start_epoch(loader, 0) == NN_OK;
}

NN_API nn_loader *nn_make_loader_at(nn_site site, nn_context *nn, const nn_loader_desc *desc) {
    nn_loader_desc filled;
    nn_loader *loader;
    if (!nn || !nn__loader_check(nn, site, desc)) return NULL;
    filled = *desc;
    if (filled.batch == 0) filled.batch = 1;
    if (filled.world == 0) filled.world = 1;
    if (filled.on_device) filled.workers = filled.prefetch = 0; /* the device gathers */
    loader = (nn_loader *)nn__allocate_for(nn, "nn_make_loader", sizeof *loader);
    if (!loader) return NULL;
    loader->nn = nn;
    loader->site = site;
    if (!nn__loader_fill(loader, &filled)) {
        nn__loader_destroy_for(loader, "nn_make_loader");
        return NULL;
    }
    nn__own(&nn->owned, &loader->owned,
            nn__loader_destroy); /* after its tensors, so that nn_close frees it before them */
    return loader;
}

NN_API void nn_free_loader(nn_loader *loader) {
    if (loader) nn__loader_destroy_for(loader, "nn_free_loader");
}

/* ---- epochs ---------------------------------------------------------------------------------- */

NN_API nn_result nn_start_epoch(nn_loader *loader, int32_t epoch) {
    nn__ring *ring;
    if (!loader) return NN_ERROR_ARGUMENT;
    if (epoch < 0)
        return nn__fail(loader->nn, NN_ERROR_ARGUMENT, "nn_start_epoch: epoch is %d; they count from 0",
                        (int)epoch);
    ring = loader->ring;
    if (ring) nn__ring_stop(ring);
    loader->started = false;
    loader->epoch = epoch;
    loader->position = 0;
    loader->samples = 0;
    loader->ended = false;
    loader->result = NN_OK;
    if (ring && ring->order) nn_random_permutation(loader->seed, (uint64_t)epoch, ring->order, ring->total);
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

/* From where the loader stands to the end of its epoch. */
static nn_result nn__loader_begin(nn_loader *loader, nn_site site) {
    int32_t left = loader->count - loader->position;
    nn_result result = nn__loader_wait_uploads(loader); /* of batches that were not finished */
    if ((int)result < 0)
        return nn__fail_at(loader->nn, site, result, "nn_next_batch: waiting for an upload: %s",
                           nn_result_text(result));
    if (loader->drop_last) left -= left % loader->batch;
    nn__ring_start(loader->ring, loader->position, loader->position + (int64_t)left);
    loader->delivered = loader->released = 0;
    loader->started = true;
    return NN_OK;
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Rows whose batch nobody reads any more may be filled again; at least one batch must be free. */
static nn_result nn__loader_make_room(nn_loader *loader, int32_t samples, nn_site site) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_result result = NN_OK;
    if (on->limits.host_memory) {
        uint64_t bytes = nn__batch_draw_bytes(loader, samples); /* with those of the fields so far */
        if (bytes > 0) result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, "augment", site);
        for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
            bytes += loader->ring->row[f].bytes * (uint64_t)samples;
            result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, loader->dataset->names[f], site);
        }
        if (result != NN_OK) return result;
        result = on->backend->finish(on->state); /* a step may still read the batch before */
        loader->released = loader->delivered;
    } else {
        while (loader->released < loader->delivered &&
               nn__loader_uploaded(loader, loader->released,
                                   loader->delivered - loader->released >= loader->ring->slots, &result))
            loader->released++;
    }
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "nn_next_batch: waiting for the device: %s",
                       nn_result_text(result));
}

static nn_result nn__loader_fetch(nn_loader *loader, int32_t samples, nn_site site) {
    int64_t room = loader->ring->first + (loader->released + loader->ring->slots) * loader->batch;
    int32_t sample = 0;
    nn_result failure = NN_OK;
    nn__ring_answer answer = nn__ring_fetch(loader->ring, loader->position, samples, room, loader->timeout,
                                            &sample, &failure);
    if (answer == NN__RING_READY) return NN_OK;
    if ((int)failure > 0) failure = NN_ERROR_CALLBACK;
    if (answer == NN__RING_FAILED)
        return nn__fail_at(
            loader->nn, site, failure,
            "nn_next_batch: sample %d: the function of the dataset returned %d: %s; epoch %d ends here",
            (int)sample, (int)failure, nn_result_text(failure), (int)loader->epoch);
    return nn__fail_at(loader->nn, site, failure,
                       "nn_next_batch: sample %d: the function of the dataset did not return within %d ms "
                       "(nn_loader_desc.timeout); epoch %d ends here",
                       (int)sample, loader->timeout, (int)loader->epoch);
}

/* One field of the batch that was gathered, to where steps read it. */
static nn_result nn__loader_hand_over(nn_loader *loader, int f, int32_t samples, nn_site site) {
    nn_context *nn = loader->nn;
    nn__loader_field *field = &loader->fields[f];
    const nn__ring_row *row = &loader->ring->row[f];
    const char *name = loader->dataset->names[f];
    uint64_t bytes = row->bytes * (uint64_t)samples;
    uint64_t offset = row->slot_bytes * (uint64_t)(loader->delivered % loader->ring->slots);
    nn_view view = field->tensor->view;
    nn_result result;
    loader->use.bytes += bytes;
    view.handle = field->storage[field->storage[1] ? loader->delivered % 2 : 0];
    if (field->raw) {
        view.dtype = field->raw_dtype;
        for (int i = 1; i < view.shape.rank; i++)
            view.shape.extent[i] = loader->dataset->fields[f].shape.extent[i - 1];
    }
    view.shape.extent[0] = samples;
    if (!field->host) {
        view.offset = offset;
        if (!field->raw) field->tensor->view.offset = offset;
        result = nn__ledger_add(nn, NN_CROSS_UPLOAD, NN_COPIED, nn_cpu(), loader->device, bytes, bytes, name,
                                site);
        return result == NN_OK && field->raw ? nn__batch_convert(loader, f, &view, site) : result;
    }
    result = nn__upload(nn, loader->device, &view, field->host + offset, bytes, name, site,
                        nn__loader_fence(loader, loader->delivered, f));
    if (result == NN_OK && field->raw) return nn__batch_convert(loader, f, &view, site);
    if (result == NN_OK) field->tensor->view.handle = view.handle;
    return result;
}

/* The next `samples` samples to the device. */
static nn_result nn__loader_deliver(nn_loader *loader, int32_t samples, nn_site site) {
    uint64_t start = nn__now(&loader->nn->clock), gathers = start, now;
    nn_result result = NN_OK;
    if (loader->resident) {
        result = nn__batch_draw(loader, samples, site);
        if (result == NN_OK) result = nn__resident_deliver(loader, samples, site);
    } else {
        if (!loader->started) result = nn__loader_begin(loader, site);
        if (result == NN_OK) result = nn__loader_make_room(loader, samples, site);
        gathers = nn__now(&loader->nn->clock);
        if (result == NN_OK) result = nn__loader_fetch(loader, samples, site);
        if (result == NN_OK) result = nn__batch_draw(loader, samples, site);
    }
    now = nn__now(&loader->nn->clock);
    loader->use.wait_ns += now - start;
    if (!loader->ring->crew) loader->use.gather_ns += now - gathers;
    for (int f = 0; f < loader->field_count && !loader->resident && result == NN_OK; f++)
        result = nn__loader_hand_over(loader, f, samples, site);
    if (result != NN_OK) return result;
    loader->delivered++;
    loader->use.batches++;
    return NN_OK;
}

/* The tensor objects stay; their first extent follows the batch. */
static void nn__loader_resize(nn_loader *loader, int32_t samples) {
    for (int f = 0; f < loader->field_count; f++) {
        nn_tensor *tensor = loader->fields[f].tensor;
        tensor->view.shape.extent[0] = samples;
        tensor->bytes = loader->fields[f].bytes / (uint64_t)loader->batch * (uint64_t)samples;
    }
    if (loader->draws.on) {
        loader->draws.tensor->view.shape.extent[0] = samples;
        loader->draws.tensor->bytes = loader->draws.bytes / (uint64_t)loader->batch * (uint64_t)samples;
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
        nn__ring_stop(loader->ring);
        loader->started = false;
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

NN_API nn_loader_use nn_get_loader_use(const nn_loader *loader) {
    nn_loader_use use;
    memset(&use, 0, sizeof use);
    if (!loader) return use;
    use = loader->use;
    if (loader->ring && loader->ring->crew) {
        nn__crew_lock(loader->ring->crew);
        use.gather_ns = loader->ring->gather_ns;
        nn__crew_unlock(loader->ring->crew);
    }
    return use;
}

NN_API nn_tensor *nn_batch_tensor(nn_loader *loader, const char *field) {
    for (int i = 0; loader && field && i < loader->field_count; i++) {
        if (strcmp(loader->fields[i].tensor->name, field) == 0) return loader->fields[i].tensor;
    }
    return NULL;
}

NN_API nn_tensor *nn_batch_augment(const nn_loader *loader) { return loader ? loader->draws.tensor : NULL; }

#endif /* NN_NO_TRAINING */

typedef int nn__loader_part; /* a part must not be empty under NN_NO_TRAINING */
