/* train/loader.c - makes loaders and moves them through their epochs, whose order depends only on
   seed and epoch. train/ring.c gathers samples, train/deliver.c brings them to the memory that
   steps read. All memory is allocated when the loader is made. The batch tensors stay the same
   objects; their storage changes from batch to batch, and a short batch has a shorter first
   extent. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- making ---------------------------------------------------------------------------------- */

NN_PRIVATE void nn__loader_dismiss(nn_loader *loader, const char *who) {
    nn__ring *ring = loader->ring;
    if (!ring) return;
    nn__loader_wait_uploads(loader);
    nn__release(&loader->nn->memory, loader->fences,
                sizeof(nn_fence) * (size_t)ring->slots * (size_t)(loader->field_room + 1));
    loader->fences = NULL;
    loader->ring = NULL;
    nn__ring_free(loader->nn, ring, loader->ring_bytes, loader->timeout, who);
}

static void nn__loader_free_field(nn_loader *loader, nn__loader_field *field) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    if (field->tensor) nn__unbind_tensor(field->tensor);
    nn__drop_tensor(field->tensor);
    for (int i = 0; i < 2; i++)
        nn__device_release(nn, loader->device, field->storage[i], field->storage_bytes);
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
    if (loader->owned.destroy && !nn__is_closing(nn)) nn__unuse_group(loader->group);
    nn__loader_dismiss(loader, who);
    nn__resident_free(loader);
    for (int i = 0; i < loader->field_count; i++) nn__loader_free_field(loader, &loader->fields[i]);
    nn__batch_free(loader);
    nn__release(&nn->memory, loader->fields, sizeof *loader->fields * (size_t)loader->field_room);
    nn__disown(&loader->owned);
    nn__release(&nn->memory, loader, sizeof *loader);
}

static void nn__loader_destroy(nn__owned *owned) {
    nn__loader_destroy_for((nn_loader *)(void *)owned, "nn_close");
}

NN_PRIVATE bool nn__loader_alloc(nn_loader *loader, uint64_t bytes, void **handle) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    nn_result result =
        nn__device_alloc(loader->nn, loader->device, bytes, "nn_make_loader", handle);
    if (result != NN_OK) return false;
    result = on->backend->fill(on->state, *handle, 0, bytes, 0);
    if ((int)result >= 0) return true;
    nn__fail_at(loader->nn, loader->site, result, "nn_make_loader: %s could not clear its memory",
                on->limits.name);
    return false;
}

/* Allocates host memory from which the device uploads, pinned if the device offers that. */
static bool nn__loader_alloc_host(nn_loader *loader, nn__loader_field *field, uint64_t bytes) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    void *host = NULL;
    if (on->backend->host_alloc && on->backend->host_release &&
        on->backend->host_alloc(on->state, bytes, &host) == NN_OK && host) {
        field->pinned = true;
    } else { /* Plain memory works too, but slower. */
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
    /* A resident dataset has one slot, which holds all batches gathered at once. */
    if (!nn__multiply(row->slot_bytes, (uint64_t)(ring->slots * loader->gathers), &all) ||
        all > SIZE_MAX / 2) {
        nn__fail_memory(loader->nn, "nn_make_loader", all);
        return false;
    }
    if (field->raw && !nn__loader_alloc(loader, nn__padded(field->bytes), &field->converted))
        return false;
    if (on->limits.host_memory) {
        field->storage_bytes = all;
        if (!nn__loader_alloc(loader, all, &field->storage[0])) return false;
        row->rows = (char *)field->storage[0];
        return true;
    }
    field->storage_bytes = row->slot_bytes * (uint64_t)loader->gathers;
    for (int i = 0; i < (ring->slots > 1 ? 2 : 1); i++) {
        if (!nn__loader_alloc(loader, field->storage_bytes, &field->storage[i])) return false;
    }
    if (!nn__loader_alloc_host(loader, field, all / (uint64_t)loader->gathers)) return false;
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
    field->bytes = nn__shape_bytes(&view.shape, view.dtype, 1, 1);
    if (!field->bytes) {
        nn__fail_at(
            loader->nn, loader->site, NN_ERROR_SHAPE,
            "nn_make_loader: a batch of \"%s\" %s %s has more bytes than fit; make it smaller",
            source->name, nn__format_shape(view.shape, shape, sizeof shape),
            nn_dtype_name(view.dtype));
        return false;
    }
    if (!nn__loader_storage(loader, source, field, &loader->ring->row[f])) return false;
    view.handle = field->raw ? field->converted : field->storage[0];
    field->tensor = nn__make_tensor_over(loader->nn, source->name,
                                         nn__find_device(loader->nn, loader->device)->device, &view,
                                         loader->site);
    if (field->tensor) field->tensor->holder = NN__HELD_BY_LOADER;
    return field->tensor != NULL;
}

/* Returns the samples of an epoch for one of `world` loaders. */
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
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: prefetch is %d; wanted 0 to 4096 batches", desc->prefetch);
    } else if (!(desc->timeout >= 0.0f)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: timeout is %g; wanted seconds, or 0 for none",
                    (double)desc->timeout);
    } else if (desc->group && (desc->world > 1 || nn__head(desc->group)->nn != nn)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    desc->world > 1
                        ? "nn_make_loader: rank and world follow from the group \"%s\"; "
                          "leave them 0"
                        : "nn_make_loader: the group \"%s\" belongs to another context",
                    nn__head(desc->group)->name);
    } else if (desc->shards < 0 || desc->shards > NN__SHARDS_MOST ||
               (desc->shards & (desc->shards - 1)) != 0 ||
               (desc->shards > 0 && desc->shards < nn__group_least(desc->group))) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_loader: shards is %d; wanted what the trainer has: a power of two up "
                    "to %d, no less than the ranks",
                    (int)desc->shards, NN__SHARDS_MOST);
    } else if (desc->drop_last && nn__maxi(desc->batch, 1) > nn__loader_count(desc)) {
        nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
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
    } else if ((desc->group && !nn__has_group_part(nn, "group", site, "nn_make_loader")) ||
               !nn__loader_check_numbers(nn, site, desc)) {
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
    loader->batch = nn__loader_own(desc, &loader->before);
    loader->whole = desc->batch;
    loader->group = desc->group;
    loader->shards = desc->shards;
    loader->drop_last = desc->drop_last;
    loader->seed = desc->seed;
    if (desc->timeout > 0.0f)
        loader->timeout =
            desc->timeout < 1e6f ? nn__maxi(1, (int)(desc->timeout * 1000.0f)) : 1000000000;
    nn_loader_desc ours = *desc;
    ours.batch = loader->batch;
    loader->gathers = 1;
    if (desc->on_device) { /* the device gathers the samples */
        const int32_t batches = nn__ceil_div(loader->count, loader->batch);
        if (!desc->group) loader->gathers = nn__maxi(nn__mini(desc->prefetch, batches), 1);
        ours.workers = ours.prefetch = 0;
    }
    loader->fields = (nn__loader_field *)nn__allocate_for(
        nn, "nn_make_loader", sizeof *loader->fields * (size_t)desc->dataset->field_count);
    if (!loader->fields) return false;
    loader->field_room = desc->dataset->field_count;
    loader->ring = nn__ring_make(nn, &ours, &loader->ring_bytes);
    if (!loader->ring) return false;
    loader->ring->whole = desc->group ? desc->batch : 0;
    loader->ring->before = loader->before;
    loader->fences = (nn_fence *)nn__allocate_for(nn, "nn_make_loader",
                                                  sizeof(nn_fence) * (size_t)loader->ring->slots *
                                                      (size_t)(loader->field_room + 1));
    if (!loader->fences || !nn__batch_choose(loader, desc)) return false;
    for (int i = 0; i < desc->dataset->field_count; i++) {
        loader->field_count++;
        if (!nn__loader_make_field(loader, i)) return false;
    }
    if (!nn__batch_make_draws(loader)) return false;
    if (desc->on_device && nn__resident_make(loader) != NN_OK) return false;
    return nn_start_epoch(loader, 0) == NN_OK;
}

/* Makes this rank's loader, which has no owner yet. */
static nn_loader *nn__loader_build(nn_site site, nn_context *nn, const nn_loader_desc *desc) {
    nn_loader_desc filled;
    nn_loader *loader;
    if (!nn__loader_check(nn, site, desc)) return NULL;
    filled = *desc;
    if (filled.batch == 0) filled.batch = 1;
    if (filled.world == 0) filled.world = 1;
    if (filled.shards == 0)
        filled.shards = filled.group ? nn__maxi(8, nn__group_least(filled.group)) : 1;
    loader = (nn_loader *)nn__allocate_for(nn, "nn_make_loader", sizeof *loader);
    if (!loader) return NULL;
    loader->nn = nn;
    loader->site = site;
    if (nn__loader_fill(loader, &filled)) return loader;
    nn__loader_destroy_for(loader, "nn_make_loader");
    return NULL;
}

static nn_loader *nn__inside_make_loader(nn_site site, nn_context *nn, const nn_loader_desc *desc) {
    nn_group *group = desc ? desc->group : NULL;
    nn_loader *loader = nn ? nn__loader_build(site, nn, desc) : NULL;
    if (group && nn__sharing_table() && nn__head(group)->nn == nn &&
        nn__head(group)->calls->loader_compare(group, loader, site) != NN_OK) {
        if (loader) nn__loader_destroy_for(loader, "nn_make_loader");
        return NULL;
    }
    if (!loader) return NULL;
    nn__use_group(loader->group, "nn_make_loader", site);
    /* It is owned after its tensors, so that nn_close frees it before them. */
    nn__own(&nn->owned, &loader->owned, nn__loader_destroy);
    return loader;
}

NN_API nn_loader *nn_make_loader_at(nn_site site, nn_context *nn, const nn_loader_desc *desc) {
    if (!nn__enter(nn, "nn_make_loader", site)) return NULL;
    nn_loader *made = nn__inside_make_loader(site, nn, desc);
    nn__leave(nn, NN_OK);
    return made;
}

static void nn__inside_free_loader(nn_loader *loader) {
    if (!loader) return;
    if (loader->fits > 0) {
        nn__fail(loader->nn, NN_ERROR_ARGUMENT,
                 "nn_free_loader: nn_fit reads it, and calls this callback; return false, and free "
                 "it when nn_fit has returned");
        return;
    }
#ifndef NN_NO_REPORTS
    for (int i = 0; i < loader->field_count; i++) {
        /* Plans release the batch; a view of it stays in use, which is an error. */
        nn__unbind_tensor(loader->fields[i].tensor);
        if (nn__check_unused(loader->fields[i].tensor, "nn_free_loader", "the loader") != NN_OK)
            return;
    }
#endif
    nn__loader_destroy_for(loader, "nn_free_loader");
}

NN_API void nn_free_loader(nn_loader *loader) {
    nn_context *nn = loader ? loader->nn : NULL;
    if (!nn__enter(nn, "nn_free_loader", nn_make_site(NULL, 0))) return;
    nn__inside_free_loader(loader);
    nn__leave(nn, NN_OK);
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static nn_result nn__inside_start_epoch(nn_loader *loader, int32_t epoch) {
    nn__ring *ring;
    if (!loader) return NN_ERROR_ARGUMENT;
    if (epoch < 0 || epoch == INT32_MAX)
        return nn__fail(loader->nn, NN_ERROR_ARGUMENT,
                        "nn_start_epoch: epoch is %d; they count from 0", (int)epoch);
    ring = loader->ring;
    if (ring) nn__ring_stop(ring);
    loader->started = false;
    nn__resident_drop(loader);
    loader->epoch = epoch;
    loader->position = 0;
    loader->samples = 0;
    loader->holds = false;
    loader->ended = false;
    loader->result = NN_OK;
    if (ring && ring->order)
        nn_random_permutation(loader->seed, (uint64_t)epoch, ring->order, ring->total);
    return NN_OK;
}

NN_API nn_result nn_start_epoch(nn_loader *loader, int32_t epoch) {
    return NN__ALONE(loader ? loader->nn : NULL, "nn_start_epoch", nn_make_site(NULL, 0),
                     nn__inside_start_epoch(loader, epoch));
}

NN_API nn_loader_state nn_loader_position(const nn_loader *loader) {
    nn_loader_state state;
    memset(&state, 0, sizeof state);
    if (!loader) return state;
    state.seed = loader->seed;
    state.epoch = loader->epoch;
    state.position = loader->position;
    return state;
}

static nn_result nn__inside_set_loader_state(nn_loader *loader, const nn_loader_state *state) {
    nn_result result;
    if (!loader) return NN_ERROR_ARGUMENT;
    if (!state || state->epoch < 0 || state->epoch == INT32_MAX || state->position < 0 ||
        state->position > loader->count)
        return nn__fail(loader->nn, NN_ERROR_ARGUMENT,
                        "nn_set_loader_position: epoch %d, position %d; wanted an epoch from 0 and "
                        "a position of "
                        "at most %d samples: is this the state of a loader of another dataset?",
                        state ? (int)state->epoch : -1, state ? (int)state->position : -1,
                        (int)loader->count);
    loader->seed = state->seed;
    result = nn_start_epoch(loader, state->epoch);
    loader->position = state->position;
    return result;
}

NN_API nn_result nn_set_loader_position(nn_loader *loader, const nn_loader_state *state) {
    return NN__ALONE(loader ? loader->nn : NULL, "nn_set_loader_position", nn_make_site(NULL, 0),
                     nn__inside_set_loader_state(loader, state));
}

/* ---- the next batch -------------------------------------------------------------------------- */

NN_PRIVATE int32_t nn__loader_next(const nn_loader *loader) {
    int32_t left = loader->count - loader->position;
    if (left >= loader->whole) return loader->whole;
    return loader->drop_last ? 0 : left;
}

NN_PRIVATE bool nn__loader_take(nn_loader *loader, nn_site site) {
    int32_t samples, whole;
    if (!loader) return false;
    loader->holds = false;
    if (!loader->dataset) {
        loader->samples = 0;
        loader->result = nn__fail_at(
            loader->nn, site, NN_ERROR_ARGUMENT,
            "nn_next_batch: the dataset of this loader was freed; free it after its loaders");
        if (nn__ranks(loader->group) > 1) /* the other ranks are waiting */
            loader->result =
                nn__group_agree(loader->group, loader->result, NULL, site, "nn_next_batch");
        return false;
    }
    if (loader->ended) nn_start_epoch(loader, loader->epoch + 1);
    whole = nn__loader_next(loader);
    if (whole == 0) {
        loader->ended = true;
        loader->samples = 0;
        loader->result = NN_END;
        return false;
    }
    samples = nn__loader_own_samples(loader, whole);
    loader->result = nn__loader_deliver(loader, samples, site);
    if (nn__ranks(loader->group) > 1)
        loader->result =
            nn__group_agree(loader->group, loader->result, NULL, site, "nn_next_batch");
    if (loader->result != NN_OK) {
        nn__ring_stop(loader->ring);
        nn__resident_drop(loader);
        loader->started = false;
        loader->ended = true;
        loader->samples = 0;
        return false;
    }
    loader->position += whole;
    loader->holds = true;
    nn__loader_resize(loader, samples);
    nn__loader_ahead(loader);
    return true;
}

NN_API bool nn_next_batch_at(nn_site site, nn_loader *loader) {
    nn_context *nn = loader ? loader->nn : NULL;
    if (!nn__enter(nn, "nn_next_batch", site)) return false;
    bool made = nn__loader_take(loader, site);
    nn__leave(nn, NN_OK);
    return made;
}

/* ---- questions ------------------------------------------------------------------------------- */

NN_API nn_result nn_loader_result(const nn_loader *loader) {
    nn_result result = NN_ERROR_BUSY;
    if (!loader) return NN_ERROR_ARGUMENT;
    if (!nn__enter(loader->nn, "nn_loader_result", nn_make_site(NULL, 0))) return result;
    result = loader->result;
    return nn__leave(loader->nn, result);
}
NN_API int32_t nn_loader_epoch(const nn_loader *loader) { return loader ? loader->epoch : 0; }
NN_API int32_t nn_loader_batch(const nn_loader *loader) { return loader ? loader->samples : 0; }

NN_API int32_t nn_batches_per_epoch(const nn_loader *loader) {
    if (!loader) return 0;
    return loader->count / loader->whole +
           (!loader->drop_last && loader->count % loader->whole > 0 ? 1 : 0);
}

NN_API nn_loader_use nn_loader_counters(const nn_loader *loader) {
    nn_loader_use use;
    memset(&use, 0, sizeof use);
    if (!loader) return use;
    use = loader->use;
    if (loader->ring && loader->ring->helpers && !nn__helpers_lost(loader->ring->helpers)) {
        nn__helpers_lock(loader->ring->helpers);
        use.gather_ns = loader->ring->gather_ns;
        nn__helpers_unlock(loader->ring->helpers);
    }
    return use;
}

NN_API nn_tensor *nn_batch_tensor(nn_loader *loader, const char *field) {
    for (int i = 0; loader && field && i < loader->field_count; i++) {
        if (strcmp(loader->fields[i].tensor->name, field) == 0) return loader->fields[i].tensor;
    }
    return NULL;
}

NN_API nn_tensor *nn_batch_augment(const nn_loader *loader) {
    return loader ? loader->draws.tensor : NULL;
}

#endif /* NN__NO_TRAINER */

typedef int nn__loader_part; /* a part must not be empty under NN__NO_TRAINER */
