/* train/batch.c - prepares a loader's batch on its device: bytes become numbers, images are
   augmented.

   Only the draws are uploaded here; batches travel in train/deliver.c. Fields that the device does
   not convert are converted by train/ring.c while they are gathered. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- our share of a batch -------------------------------------------------------------------- */

NN_PRIVATE int32_t nn__loader_own(const nn_loader_desc *desc, int32_t *before) {
    const int64_t share = nn__ceil_div(desc->batch, desc->shards);
    int32_t shard;
    if (!desc->group) {
        *before = 0;
        return desc->batch;
    }
    const int64_t most =
        share * nn__head(desc->group)->calls->group_part(desc->group, desc->shards, &shard);
    const int64_t first = share * shard;
    *before = (int32_t)nn__min64(first, desc->batch);
    return (int32_t)nn__max64(nn__min64(most, desc->batch - *before), 1);
}

NN_PRIVATE int32_t nn__loader_own_samples(const nn_loader *loader, int32_t whole) {
    return loader->group ? nn__maxi(0, nn__mini(whole - loader->before, loader->batch)) : whole;
}

NN_PRIVATE int32_t nn__loader_sample(const nn_loader *loader, int32_t i) {
    return nn__ring_order(loader->ring, (int64_t)loader->position + loader->before + i);
}

/* ---- making ---------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__batch_choose(nn_loader *loader, const nn_loader_desc *desc) {
    const nn_dataset *dataset = loader->dataset;
    const nn_augment_desc *augment = desc->augment;
    if (!augment) return true;
    for (int f = 0; f < dataset->field_count; f++) {
        const nn_field *field = &dataset->fields[f];
        bool picture = field->dtype == NN_F32 && field->shape.rank == 3;
        if (augment->field ? strcmp(augment->field, dataset->names[f]) != 0 : !picture) continue;
        if (!picture) {
            nn__fail_at(loader->nn, loader->site, NN_ERROR_SHAPE,
                        "nn_make_loader: augment.field \"%s\" is %s with %d extents; wanted f32 "
                        "images (C, H, W)",
                        dataset->names[f], nn_dtype_name(field->dtype), (int)field->shape.rank);
            return false;
        }
        loader->draws.on = true;
        loader->draws.field = f;
        loader->fields[f].desc = *augment;
        return true;
    }
    nn__fail_at(loader->nn, loader->site, NN_ERROR_ARGUMENT,
                "nn_make_loader: augment: the dataset has no field %s; set augment.field to one of "
                "its names",
                augment->field ? augment->field : "of f32 images (C, H, W)");
    return false;
}

/* view: of the tensor; x: of a full batch as it travels. */
static bool nn__batch_check_pictures(nn_loader *loader, int f, nn_view *view, const nn_view *x) {
    const char *who = "nn_make_loader";
    nn_context *nn = loader->nn;
    nn_augment_desc *desc = &loader->fields[f].desc;
    const nn_tensor *normalize = desc->normalize;
    desc->field = NULL; /* The text belongs to the user and may be gone later. */
    if (nn__augment_check(nn, loader->site, who, desc, &view->shape) != NN_OK ||
        nn__augment_check_normalize(nn, loader->site, who, x->shape, desc) != NN_OK)
        return false;
    if (normalize && (normalize->nn != nn || normalize->view.dtype != NN_F32 ||
                      !nn_same_device(normalize->device, loader->device))) {
        nn__fail_at(
            nn, loader->site, NN_ERROR_DEVICE,
            "%s: augment.normalize \"%s\" must be f32, on the loader's device and of its context",
            who, normalize->name);
        return false;
    }
    if (x->dtype == NN_U8 && desc->pixel_scale == 1.0f &&
        (desc->brightness > 0.0f || desc->contrast > 0.0f)) {
        nn__fail_at(nn, loader->site, NN_ERROR_ARGUMENT,
                    "%s: augment: brightness and contrast are for pixels of 0 to 1, \"%s\" has 0 "
                    "to 255; set "
                    "the field's scale to 1.0f / 255",
                    who, loader->dataset->names[f]);
        return false;
    }
    return true;
}

static nn_view nn__batch_table(const nn_loader *loader, int32_t samples) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.dtype = NN_F32;
    view.shape.rank = 2;
    view.shape.extent[0] = samples;
    view.shape.extent[1] = NN_AUGMENT_COLUMNS;
    view.handle = loader->draws.tensor ? loader->draws.tensor->view.handle : NULL;
    return view;
}

/* Asks the device if it supports the kernel, and prepares it. *runs: it does. */
static bool nn__batch_ask(nn_loader *loader, int f, const nn_view *y, const nn_view *x,
                          bool *runs) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_view table = nn__batch_table(loader, loader->batch);
    bool drawn = loader->draws.on && loader->draws.field == f;
    nn_augment_args args =
        nn__augment_args_of(y, x, drawn ? &table : NULL, &loader->fields[f].desc);
    char reason[160];
    uint64_t scratch;
    nn_result result;
    nn__install_augment(nn);
    reason[0] = 0;
    *runs = nn__has_kernel(on->backend, NN_KERNEL_AUGMENT) &&
            nn__supports(on, NN_KERNEL_AUGMENT, &args, reason, sizeof reason);
    if (!*runs) return true;
    scratch = on->backend->scratch_bytes(on->state, NN_KERNEL_AUGMENT, &args);
    if (scratch > nn__bytes(&loader->draws.scratch) || !nn__present(&loader->draws.scratch)) {
        loader->draws.scratch.dtype = NN_U8;
        loader->draws.scratch.shape.rank = 1;
        loader->draws.scratch.shape.extent[0] = (int32_t)scratch;
    }
    result = on->backend->prepare(on->state, NN_KERNEL_AUGMENT, &args);
    if ((int)result >= 0) return true;
    nn__fail_at(nn, loader->site, result, "nn_make_loader: %s cannot build augment: %s",
                on->limits.name, nn_result_text(result));
    return false;
}

NN_PRIVATE bool nn__batch_field(nn_loader *loader, int f, nn_view *view) {
    const nn_field *source = &loader->dataset->fields[f];
    nn__loader_field *field = &loader->fields[f];
    bool drawn = loader->draws.on && loader->draws.field == f, bytes = source->data_dtype == NN_U8;
    nn_view x = *view;
    if (!drawn && !(bytes && nn__field_converts(source))) return true;
    x.dtype = field->raw_dtype = bytes ? NN_U8 : source->dtype;
    if (field->desc.pixel_scale == 0.0f && field->desc.pixel_offset == 0.0f) {
        field->desc.pixel_scale = bytes ? source->scale : 1.0f;
        field->desc.pixel_offset = bytes ? source->offset : 0.0f;
    }
    if (drawn && !nn__batch_check_pictures(loader, f, view, &x)) return false;
    if (!nn__batch_ask(loader, f, view, &x, &field->raw)) return false;
    if (field->raw || !drawn) return true;
    nn__fail_at(loader->nn, loader->site, NN_ERROR_UNSUPPORTED,
                "nn_make_loader: augment: %s cannot run the kernel augment on \"%s\"",
                nn__find_device(loader->nn, loader->device)->limits.name,
                loader->dataset->names[f]);
    return false;
}

NN_PRIVATE bool nn__batch_make_draws(nn_loader *loader) {
    nn_context *nn = loader->nn;
    nn__loader_draws *draws = &loader->draws;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    int slots = loader->ring->slots;
    nn_view view = nn__batch_table(loader, loader->batch);
    uint64_t scratch = nn__present(&draws->scratch) ? nn__bytes(&draws->scratch) : 0;
    if (scratch && !nn__loader_alloc(loader, nn__padded(scratch), &draws->scratch.handle))
        return false;
    if (!draws->on) return true;
    draws->bytes = nn__bytes(&view);
    for (int i = 0; i < (slots > 1 && !on->limits.host_memory ? 2 : 1); i++)
        if (!nn__loader_alloc(loader, nn__padded(draws->bytes), &draws->storage[i])) return false;
    draws->samples =
        (int32_t *)nn__allocate_for(nn, "nn_make_loader", sizeof(int32_t) * (size_t)loader->batch);
    if (!draws->samples) return false;
    if (!on->limits.host_memory) {
        draws->host_bytes = draws->bytes * (uint64_t)slots;
        draws->host = (float *)nn__allocate_for(nn, "nn_make_loader", (size_t)draws->host_bytes);
        if (!draws->host) return false;
    }
    view.handle = draws->storage[0];
    draws->tensor = nn__make_tensor_over(nn, "augment", on->device, &view, loader->site);
    return draws->tensor != NULL;
}

NN_PRIVATE void nn__batch_free(nn_loader *loader) {
    nn_context *nn = loader->nn;
    nn__loader_draws *draws = &loader->draws;
    nn__drop_tensor(draws->tensor);
    if (draws->scratch.handle)
        nn__device_release(nn, loader->device, draws->scratch.handle,
                           nn__padded(nn__bytes(&draws->scratch)));
    for (int i = 0; i < 2; i++)
        nn__device_release(nn, loader->device, draws->storage[i], nn__padded(draws->bytes));
    nn__release(&nn->memory, draws->samples, sizeof(int32_t) * (size_t)loader->batch);
    nn__release(&nn->memory, draws->host, (size_t)draws->host_bytes);
}

/* ---- a batch --------------------------------------------------------------------------------- */

NN_PRIVATE uint64_t nn__batch_draw_bytes(const nn_loader *loader, int32_t samples) {
    return loader->draws.bytes / (uint64_t)loader->batch * (uint64_t)samples;
}

/* Waits until no kernel reads the earlier table in this slot. */
static nn_result nn__batch_wait_draws(nn_loader *loader, uint64_t bytes, nn_site site) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn_fence *fence = nn__loader_fence(loader, loader->delivered, loader->field_room);
    nn_result result = NN_OK;
    if (!loader->draws.host) {
        result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, "augment", site);
        if (result != NN_OK) return result;
        result = on->backend->finish(on->state);
    } else if (fence->value != 0) {
        result = on->backend->fence_wait(on->state, *fence);
        fence->value = 0;
    }
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "nn_next_batch: waiting for the device: %s",
                       nn_result_text(result));
}

NN_PRIVATE nn_result nn__batch_draw(nn_loader *loader, int32_t samples, nn_site site) {
    nn_context *nn = loader->nn;
    nn__loader_draws *draws = &loader->draws;
    uint64_t bytes = nn__batch_draw_bytes(loader, samples);
    int64_t slot = loader->delivered % loader->ring->slots;
    float *table = draws->host ? draws->host + (draws->bytes / sizeof(float)) * (uint64_t)slot :
                                 (float *)draws->storage[0];
    nn_view view = nn__batch_table(loader, samples);
    nn_result result;
    if (!draws->on) return NN_OK;
    if (loader->resident) { /* nn__loader_make_room, which waits, was not called. */
        result = nn__batch_wait_draws(loader, bytes, site);
        if (result != NN_OK) return result;
    }
    loader->use.bytes += bytes;
    for (int32_t i = 0; i < samples; i++)
        draws->samples[i] = nn__loader_sample(loader, i);
    result = nn_draw_augment_at(site, nn, &loader->fields[draws->field].desc,
                                loader->dataset->fields[draws->field].shape, loader->seed,
                                loader->epoch, draws->samples, samples, table);
    if (result != NN_OK) return result;
    if (!draws->host)
        return nn__ledger_add(nn, NN_CROSS_UPLOAD, NN_WAY_COPIED, nn_cpu(), loader->device, bytes,
                              bytes, "augment", site);
    view.handle = draws->tensor->view.handle =
        draws->storage[draws->storage[1] ? loader->delivered % 2 : 0];
    return nn__upload(nn, loader->device, &view, table, bytes, "augment", site,
                      nn__loader_fence(loader, loader->delivered, loader->field_room));
}

NN_PRIVATE nn_result nn__batch_convert(nn_loader *loader, int f, const nn_view *raw, nn_site site,
                                       const char *who) {
    nn_context *nn = loader->nn;
    const nn__open_device *on = nn__find_device(nn, loader->device);
    nn__loader_field *field = &loader->fields[f];
    nn_view y = field->tensor->view, table = nn__batch_table(loader, raw->shape.extent[0]);
    nn_augment_args args;
    nn_range all;
    nn_result result;
    y.shape.extent[0] = raw->shape.extent[0];
    args = nn__augment_args_of(
        &y, raw, loader->draws.on && loader->draws.field == f ? &table : NULL, &field->desc);
    if (loader->draws.scratch.handle) args.scratch = loader->draws.scratch;
    all.first = 0;
    all.count = -1;
    result = nn__call_kernel(on, NN_KERNEL_AUGMENT, &args, all);
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "%s: \"%s\": augment on %s failed: %s", who,
                       loader->dataset->names[f], on->limits.name, nn_result_text(result));
}

#endif /* NN__NO_TRAINER */

typedef int nn__batch_part; /* a part must not be empty under NN__NO_TRAINER */
