/* train/deliver.c - brings a batch from the ring's rows to the memory that steps read. It allocates
   nothing.

   On a device with host memory, steps read the rows themselves. Elsewhere a batch goes from the
   rows to one of two storages, with a fence: while a step reads one, the next batch travels into
   the other; the backend orders this. The upload begins when the rows are full, or when the batch
   is asked for. Work that must follow the order of the steps (the ledger, conversion of bytes) is
   done only when the batch is asked for. Rows are overwritten after their fences are done. Even if
   host and device share memory, batches are copied: mapping memory for the next batch would wait
   for the whole compute queue, which for less than a megabyte costs more than the copy. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- rows and fences ------------------------------------------------------------------------- */

NN_PRIVATE nn_fence *nn__loader_fence(nn_loader *loader, int64_t batch, int field) {
    return &loader->fences[batch % loader->ring->slots * (loader->field_room + 1) + field];
}

/* True if no upload reads the rows of a batch any more. wait: waits for that; otherwise only looks.
   *result: an error. */
static bool nn__loader_uploaded(nn_loader *loader, int64_t batch, bool wait, nn_result *result) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    for (int f = 0; f <= loader->field_room; f++) {
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

NN_PRIVATE nn_result nn__loader_wait_uploads(nn_loader *loader) {
    nn_result result = NN_OK, first = NN_OK;
    for (int32_t slot = 0; loader->ring && loader->fences && slot < loader->ring->slots; slot++) {
        if (!nn__loader_uploaded(loader, slot, true, &result) && first == NN_OK) first = result;
    }
    return first;
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Frees the rows of batches that are no longer read; at least one batch must become free. */
static nn_result nn__loader_make_room(nn_loader *loader, int32_t samples, nn_site site) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_result result = NN_OK;
    if (on->limits.host_memory) {
        /* The ledger is asked for the total after each field of this batch. */
        uint64_t bytes = nn__batch_draw_bytes(loader, samples);
        if (bytes > 0) result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, "augment", site);
        for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
            bytes += loader->ring->row[f].bytes * (uint64_t)samples;
            result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, loader->dataset->names[f], site);
        }
        if (result != NN_OK) return result;
        result = on->backend->finish(on->state); /* A step may still read the last batch. */
        loader->released = loader->delivered;
    } else {
        while (loader->released < loader->delivered &&
               nn__loader_uploaded(loader, loader->released,
                                   loader->delivered - loader->released >= loader->ring->slots,
                                   &result))
            loader->released++;
    }
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "nn_next_batch: waiting for the device: %s",
                       nn_result_text(result));
}

/* Returns the start of the next batch in the ring, whose positions count only this rank's
   samples. */
static int64_t nn__loader_at(const nn_loader *loader) {
    const int64_t first = loader->ring->first;
    return first + (loader->position - first) / loader->whole *
                       nn__loader_own_samples(loader, loader->whole);
}

static nn_result nn__loader_fetch(nn_loader *loader, int32_t samples, nn_site site) {
    int64_t room = loader->ring->first + (loader->released + loader->ring->slots) * loader->batch;
    int32_t sample = 0;
    nn_result failure = NN_OK;
    nn__ring_answer answer = nn__ring_fetch(loader->ring, nn__loader_at(loader), samples, room,
                                            loader->timeout, &sample, &failure);
    if (answer == NN__RING_READY) return NN_OK;
    if ((int)failure > 0) failure = NN_ERROR_CALLBACK;
    if (answer == NN__RING_FAILED)
        return nn__fail_at(loader->nn, site, failure,
                           "nn_next_batch: sample %d: the function of the dataset returned %d: %s; "
                           "epoch %d ends here",
                           (int)sample, (int)failure, nn_result_text(failure), (int)loader->epoch);
    return nn__fail_at(
        loader->nn, site, failure,
        "nn_next_batch: sample %d: the function of the dataset did not return within %d ms "
        "(nn_loader_desc.timeout); epoch %d ends here",
        (int)sample, loader->timeout, (int)loader->epoch);
}

/* Returns the view to which a field of the next batch travels. */
static nn_view nn__deliver_view(const nn_loader *loader, int f, int32_t samples) {
    const nn__loader_field *field = &loader->fields[f];
    nn_view view = field->tensor->view;
    view.handle = field->storage[field->storage[1] ? loader->delivered % 2 : 0];
    if (field->raw) {
        view.dtype = field->raw_dtype;
        for (int i = 1; i < view.shape.rank; i++)
            view.shape.extent[i] = loader->dataset->fields[f].shape.extent[i - 1];
    }
    view.shape.extent[0] = samples;
    return view;
}

static uint64_t nn__deliver_row(const nn_loader *loader, int f) {
    return loader->ring->row[f].slot_bytes * (uint64_t)(loader->delivered % loader->ring->slots);
}

NN_PRIVATE void nn__loader_ahead(nn_loader *loader) {
    int32_t samples = nn__loader_own_samples(loader, nn__loader_next(loader));
    bool sent = true;
    if (loader->ahead || loader->ended || !loader->started || !loader->ring || samples == 0) return;
    if (!loader->fields[0].host || !nn__ring_ready(loader->ring, nn__loader_at(loader), samples))
        return;
    for (int f = 0; f < loader->field_count && sent; f++) {
        nn_view view = nn__deliver_view(loader, f, samples);
        sent = nn__upload_ahead(loader->nn, loader->device, &view,
                                loader->fields[f].host + nn__deliver_row(loader, f),
                                loader->ring->row[f].bytes * (uint64_t)samples,
                                nn__loader_fence(loader, loader->delivered, f));
    }
    loader->ahead = sent;
}

/* Brings one field of the gathered batch to the memory that steps read. */
static nn_result nn__loader_hand_over(nn_loader *loader, int f, int32_t samples, nn_site site) {
    nn_context *nn = loader->nn;
    nn__loader_field *field = &loader->fields[f];
    const nn__ring_row *row = &loader->ring->row[f];
    const char *name = loader->dataset->names[f];
    uint64_t bytes = row->bytes * (uint64_t)samples;
    uint64_t offset = nn__deliver_row(loader, f);
    nn_view view = nn__deliver_view(loader, f, samples);
    nn_result result;
    loader->use.bytes += bytes;
    if (!field->host) {
        view.offset = offset;
        if (!field->raw) field->tensor->view.offset = offset;
        result = nn__ledger_add(nn, NN_CROSS_UPLOAD, NN_WAY_COPIED, nn_cpu(), loader->device, bytes,
                                bytes, name, site);
        return result == NN_OK && field->raw
                   ? nn__batch_convert(loader, f, &view, site, "nn_next_batch")
                   : result;
    }
    if (loader->ahead)
        result = nn__upload_done(nn, loader->device, bytes, name, site);
    else
        result = nn__upload(nn, loader->device, &view, field->host + offset, bytes, name, site,
                            nn__loader_fence(loader, loader->delivered, f));
    if (result == NN_OK && field->raw)
        return nn__batch_convert(loader, f, &view, site, "nn_next_batch");
    if (result == NN_OK) field->tensor->view.handle = view.handle;
    return result;
}

/* Begins gathering from the loader's position to the end of its epoch. */
static nn_result nn__loader_begin(nn_loader *loader, nn_site site) {
    int32_t left = loader->count - loader->position;
    /* Uploads of an epoch that was left early may still be running. */
    nn_result result = nn__loader_wait_uploads(loader);
    if ((int)result < 0)
        return nn__fail_at(loader->nn, site, result, "nn_next_batch: waiting for an upload: %s",
                           nn_result_text(result));
    int64_t ours = (int64_t)(left / loader->whole) * nn__loader_own_samples(loader, loader->whole);
    if (!loader->drop_last) ours += nn__loader_own_samples(loader, left % loader->whole);
    nn__ring_start(loader->ring, loader->position, loader->position + ours);
    loader->delivered = loader->released = 0;
    loader->ahead = false;
    loader->started = true;
    return NN_OK;
}

/* Brings the next `samples` samples to the device. */
NN_PRIVATE nn_result nn__loader_deliver(nn_loader *loader, int32_t samples, nn_site site) {
    uint64_t start = nn__now(&loader->nn->clock), gathers = start, now;
    nn_result result = NN_OK;
    if (samples == 0) return NN_OK; /* this rank's share is empty */
    if (loader->resident) {
        result = nn__batch_draw(loader, samples, site);
        if (result == NN_OK) result = nn__resident_deliver(loader, samples, site);
    } else {
        if (!loader->started) result = nn__loader_begin(loader, site);
        if (result == NN_OK) result = nn__loader_make_room(loader, samples, site);
        gathers = nn__now(&loader->nn->clock);
        if (result == NN_OK) result = nn__loader_fetch(loader, samples, site);
        loader->use.data_ns += nn__now(&loader->nn->clock) - gathers;
        if (result == NN_OK) result = nn__batch_draw(loader, samples, site);
    }
    now = nn__now(&loader->nn->clock);
    loader->use.wait_ns += now - start;
    if (!loader->ring->helpers) loader->use.gather_ns += now - gathers;
    for (int f = 0; f < loader->field_count && !loader->resident && result == NN_OK; f++)
        result = nn__loader_hand_over(loader, f, samples, site);
    if (result != NN_OK) return result;
    loader->ahead = false;
    loader->delivered++;
    loader->use.batches++;
    return NN_OK;
}

/* The tensor objects stay; their first extent follows the batch. */
NN_PRIVATE void nn__loader_resize(nn_loader *loader, int32_t samples) {
    for (int f = 0; f < loader->field_count; f++) {
        nn_tensor *tensor = loader->fields[f].tensor;
        tensor->view.shape.extent[0] = samples;
        tensor->bytes = loader->fields[f].bytes / (uint64_t)loader->batch * (uint64_t)samples;
    }
    if (loader->draws.on) {
        loader->draws.tensor->view.shape.extent[0] = samples;
        loader->draws.tensor->bytes =
            loader->draws.bytes / (uint64_t)loader->batch * (uint64_t)samples;
    }
    loader->samples = samples;
}

#endif /* NN__NO_TRAINER */

typedef int nn__deliver_part; /* a part must not be empty under NN__NO_TRAINER */
