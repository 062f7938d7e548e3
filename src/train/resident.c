/* train/resident.c - a dataset that lies on the device as a whole. It is copied there once, through
   the rows of the loader's ring. From then on only the numbers of samples cross, and the device
   gathers the samples. It gathers as many batches at once as the loader has room for, so that most
   batches cost nothing when they are asked for. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* A field of all samples: (count, ...), laid out as the ring's rows. */
typedef struct nn__resident_whole {
    void *handle;
    uint64_t bytes;
} nn__resident_whole;

/* The lists of sample numbers alternate between two buffers, as a loader's batches do. */
struct nn__resident {
    nn__resident_whole *whole; /* one for each field, in the allocation of the struct */
    void *index[2]; /* (gathers, batch) i32 */
    uint64_t index_bytes;
    int32_t *numbers; /* (2, gathers, batch): the source of their uploads */
    nn_fence fence[2];
    int turn; /* which index and numbers are in use */
    /* Samples in the storages, one batch after the other, and how many of them were delivered. */
    int32_t gathered, taken;
};

/* Returns the bytes of the struct and of what lies after it. */
static size_t nn__resident_bytes(const nn_loader *loader) {
    return (size_t)nn__padded(sizeof(nn__resident)) +
           sizeof(nn__resident_whole) * (size_t)loader->field_room;
}

/* Returns the most samples that the loader gathers at once. */
static size_t nn__resident_most(const nn_loader *loader) {
    return (size_t)loader->batch * (size_t)loader->gathers;
}

static nn_view nn__resident_rows(const nn_loader *loader, int f, void *handle, int32_t rows) {
    const nn_field *source = &loader->dataset->fields[f];
    nn_view view;
    memset(&view, 0, sizeof view);
    view.handle = handle;
    view.dtype = loader->fields[f].raw ? loader->fields[f].raw_dtype : source->dtype;
    view.shape.rank = source->shape.rank + 1;
    view.shape.extent[0] = rows;
    for (int i = 0; i < source->shape.rank; i++) view.shape.extent[i + 1] = source->shape.extent[i];
    return view;
}

/* Copies samples [first, first + count) of the dataset, in its own order. */
static nn_result nn__resident_copy(nn_loader *loader, int32_t first, int32_t count) {
    nn__ring *ring = loader->ring;
    nn_result result = NN_OK, failure = NN_OK;
    int32_t sample = 0;
    nn__ring_start(ring, first, (int64_t)first + count);
    if (nn__ring_fetch(ring, first, count, 0, 0, &sample, &failure) != NN__RING_READY) {
        if ((int)failure > 0) failure = NN_ERROR_CALLBACK;
        return nn__fail_at(loader->nn, loader->site, failure,
                           "nn_make_loader: sample %d: the function of the dataset returned %d: %s",
                           (int)sample, (int)failure, nn_result_text(failure));
    }
    for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
        const nn__ring_row *row = &ring->row[f];
        nn_view view = nn__resident_rows(loader, f, loader->resident->whole[f].handle, count);
        view.offset = row->bytes * (uint64_t)first;
        result = nn__upload(loader->nn, loader->device, &view, row->rows,
                            row->bytes * (uint64_t)count, "dataset", loader->site, NULL);
    }
    return result;
}

static nn_result nn__resident_fill(nn_loader *loader) {
    nn__ring *ring = loader->ring;
    int32_t *order = ring->order, rank = ring->rank, world = ring->world, whole = ring->whole;
    nn_result result = NN_OK;
    ring->order = NULL;
    ring->rank = 0;
    ring->world = 1;
    ring->whole = 0;
    for (int32_t first = 0; first < ring->total && result == NN_OK;) {
        int32_t left = ring->total - first, count = left < ring->batch ? left : ring->batch;
        result = nn__resident_copy(loader, first, count);
        first = left > count ? first + count : ring->total;
    }
    ring->order = order;
    ring->rank = rank;
    ring->world = world;
    ring->whole = whole;
    return result;
}

static nn_result nn__resident_alloc(nn_loader *loader) {
    nn_context *nn = loader->nn;
    nn__resident *resident = loader->resident;
    size_t bytes = 2 * sizeof(int32_t) * nn__resident_most(loader);
    nn_result result = NN_OK;
    resident->index_bytes = nn__padded((uint64_t)bytes / 2);
    for (int i = 0; i < 2 && result == NN_OK; i++)
        result = nn__device_alloc(nn, loader->device, resident->index_bytes, "nn_make_loader",
                                  &resident->index[i]);
    for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
        uint64_t all = 0; /* The dataset was checked to fit. */
        nn__multiply(loader->ring->row[f].bytes, (uint64_t)loader->ring->total, &all);
        resident->whole[f].bytes = nn__padded(all);
        result = nn__device_alloc(nn, loader->device, resident->whole[f].bytes,
                                  "nn_make_loader (on_device)", &resident->whole[f].handle);
    }
    if (result != NN_OK) return result;
    resident->numbers = (int32_t *)nn__allocate_for(nn, "nn_make_loader", bytes);
    return resident->numbers ? NN_OK : NN_ERROR_MEMORY;
}

static nn_result nn__resident_gather(nn_loader *loader, int32_t samples, nn_site site,
                                     const char *who) {
    nn_result result = NN_OK;
    for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
        nn_gather_args args;
        memset(&args, 0, sizeof args);
        args.y = nn__resident_rows(loader, f, loader->fields[f].storage[0], samples);
        args.x = nn__resident_rows(loader, f, loader->resident->whole[f].handle,
                                   loader->ring->total);
        args.index.handle = loader->resident->index[loader->resident->turn];
        args.index.dtype = NN_I32;
        args.index.shape.rank = 1;
        args.index.shape.extent[0] = samples;
        result =
            nn__run_immediate(site, who, loader->nn, loader->device, NN_KERNEL_GATHER, &args, NULL);
    }
    return result;
}

/* Gathers samples from the loader's position on: `samples` of this batch and those of the next
   ones. */
static nn_result nn__resident_ask(nn_loader *loader, int32_t samples, nn_site site,
                                  const char *who) {
    nn__resident *resident = loader->resident;
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    const int turn = resident->turn = 1 - resident->turn;
    int32_t *numbers = resident->numbers + (size_t)turn * nn__resident_most(loader);
    if (loader->gathers > 1) { /* with a group, each rank has only a part of a batch */
        const int32_t left = loader->count - loader->position, batch = loader->batch;
        samples = left / batch < loader->gathers ? left : batch * loader->gathers;
        if (loader->drop_last) samples -= samples % batch;
    }
    nn_result result = resident->fence[turn].value
                           ? on->backend->fence_wait(on->state, resident->fence[turn])
                           : NN_OK;
    nn_view view;
    if ((int)result < 0)
        return nn__fail_at(loader->nn, site, result, "%s: waiting for an upload: %s", who,
                           nn_result_text(result));
    resident->fence[turn].value = 0;
    for (int32_t i = 0; i < samples; i++)
        numbers[i] = nn__loader_sample(loader, i);
    memset(&view, 0, sizeof view);
    view.handle = resident->index[turn];
    view.dtype = NN_I32;
    view.shape.rank = 1;
    view.shape.extent[0] = samples;
    result = nn__upload(loader->nn, loader->device, &view, numbers,
                        sizeof(int32_t) * (uint64_t)samples, "index", site, &resident->fence[turn]);
    if (result == NN_OK) result = nn__resident_gather(loader, samples, site, who);
    resident->taken = 0;
    resident->gathered = result == NN_OK ? samples : 0;
    return result;
}

/* Makes the next batch the contents of the tensors that steps read. */
static nn_result nn__resident_hand_over(nn_loader *loader, int32_t samples, nn_site site,
                                        const char *who) {
    nn_result result = NN_OK;
    for (int f = 0; f < loader->field_count && result == NN_OK; f++) {
        nn__loader_field *field = &loader->fields[f];
        nn_view view = nn__resident_rows(loader, f, field->storage[0], samples);
        view.offset = loader->ring->row[f].bytes * (uint64_t)loader->resident->taken;
        if (field->raw) result = nn__batch_convert(loader, f, &view, site, who);
        else field->tensor->view.offset = view.offset;
    }
    loader->resident->taken += samples;
    return result;
}

NN_PRIVATE nn_result nn__resident_deliver(nn_loader *loader, int32_t samples, nn_site site) {
    const char *const who = "nn_next_batch";
    nn_result result = NN_OK;
    if (loader->resident->taken == loader->resident->gathered)
        result = nn__resident_ask(loader, samples, site, who);
    if (result == NN_OK) result = nn__resident_hand_over(loader, samples, site, who);
    if (result == NN_OK) loader->use.bytes += sizeof(int32_t) * (uint64_t)samples;
    return result;
}

NN_PRIVATE int32_t nn__resident_waiting(const nn_loader *loader) {
    if (!loader->resident || loader->draws.on) return 0;
    for (int f = 0; f < loader->field_count; f++)
        if (loader->fields[f].raw) return 0; /* each batch is converted when it is delivered */
    return nn__ceil_div(loader->resident->gathered - loader->resident->taken, loader->batch);
}

NN_PRIVATE void nn__resident_drop(nn_loader *loader) {
    if (loader->resident) loader->resident->gathered = loader->resident->taken = 0;
}

NN_PRIVATE nn_result nn__resident_make(nn_loader *loader) {
    const nn__open_device *on = nn__find_device(loader->nn, loader->device);
    nn_result result;
    loader->resident =
        (nn__resident *)nn__allocate_for(loader->nn, "nn_make_loader", nn__resident_bytes(loader));
    if (!loader->resident) return NN_ERROR_MEMORY;
    loader->resident->whole = (nn__resident_whole *)(void *)((char *)loader->resident +
                                                             nn__padded(sizeof(nn__resident)));
    nn__install_gather(loader->nn);
    result = nn__resident_alloc(loader);
    if (result == NN_OK) result = nn__resident_fill(loader);
    if (result != NN_OK) return result;
    result = on->backend->fill(on->state, loader->resident->index[0], 0,
                               loader->resident->index_bytes, 0);
    if ((int)result < 0)
        return nn__fail_at(loader->nn, loader->site, result,
                           "nn_make_loader: %s could not clear its memory", on->limits.name);
    /* One batch is gathered already now, so that errors of the device appear here and its kernels
       are built here. */
    result = nn__resident_gather(loader, loader->batch, loader->site, "nn_make_loader");
    if (result == NN_OK)
        result = nn__resident_hand_over(loader, loader->batch, loader->site, "nn_make_loader");
    nn__resident_drop(loader);
    return result;
}

NN_PRIVATE void nn__resident_free(nn_loader *loader) {
    nn_context *nn = loader->nn;
    nn__resident *resident = loader->resident;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    if (!resident) return;
    for (int i = 0; i < 2; i++) {
        if (resident->fence[i].value) on->backend->fence_wait(on->state, resident->fence[i]);
        nn__device_release(nn, loader->device, resident->index[i], resident->index_bytes);
    }
    for (int f = 0; f < loader->field_room; f++)
        nn__device_release(nn, loader->device, resident->whole[f].handle, resident->whole[f].bytes);
    nn__release(&nn->memory, resident->numbers, 2 * sizeof(int32_t) * nn__resident_most(loader));
    nn__release(&nn->memory, resident, nn__resident_bytes(loader));
}

#endif /* NN__NO_TRAINER */

typedef int nn__resident_part; /* a part must not be empty under NN__NO_TRAINER */
