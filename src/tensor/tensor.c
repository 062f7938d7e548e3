/* tensor/tensor.c - makes, frees and queries tensors with their own, borrowed or shared storage.
   A tensor in use cannot be freed. tensor/copy.c moves their bytes. */
#include "tensor/private.h"

/* ---- making and freeing ---------------------------------------------------------------------- */

static void nn__tensor_destroy(nn__owned *self) {
    /* valid because `owned` is the first field */
    nn_tensor *tensor = (nn_tensor *)(void *)self;
    nn_context *nn = tensor->nn;
    nn__disown(self);
#ifndef NN_NO_REPORTS
    if (tensor->base) nn__unuse_tensor(tensor->base);
#endif
#ifndef NN__ONE_PIECE
    if (tensor->unmap) tensor->unmap(tensor);
#endif
    if (tensor->owns) nn__device_release(nn, tensor->device, tensor->view.handle, tensor->bytes);
    nn__release(&nn->memory, tensor,
                tensor->name == (const char *)(tensor + 1)
                    ? sizeof *tensor + strlen(tensor->name) + 1
                    : sizeof *tensor);
}

static nn_result nn__tensor_check(nn_context *nn, nn_site site, const char *who, const char *name,
                                  nn_dtype dtype, nn_shape shape, uint64_t *bytes) {
    char text[NN__SHAPE_TEXT];
    if (strlen(name) >= NN_NAME_BYTES) {
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: the name \"%s\" has %zu bytes; at most %d fit", who, name,
                           strlen(name), NN_NAME_BYTES - 1);
    }
    if (nn_dtype_size(dtype) == 0) {
        return nn__fail_at(nn, site, NN_ERROR_DTYPE,
                           "%s: \"%s\" has dtype %d, which is none; wanted NN_F32 to NN_BOOL", who,
                           name, (int)dtype);
    }
    if (shape.rank < 0 || shape.rank > NN_MAX_RANK) {
        return nn__fail_at(nn, site, NN_ERROR_SHAPE, "%s: \"%s\" has %d extents; wanted 0 to %d",
                           who, name, (int)shape.rank, NN_MAX_RANK);
    }
    nn__format_shape(shape, text, sizeof text);
    for (int i = 0; i < shape.rank; i++) {
        if (shape.extent[i] > 0) continue;
        return nn__fail_at(nn, site, NN_ERROR_SHAPE, "%s: \"%s\" %s: extent %d is %d; %s", who,
                           name, text, i, (int)shape.extent[i],
                           shape.extent[i] == NN_BATCH
                               ? "NN_BATCH belongs to descriptions, a tensor needs a number"
                           : shape.extent[i] == NN_TIME
                               ? "NN_TIME belongs to descriptions, a tensor needs a number"
                               : "wanted at least 1");
    }
    *bytes = nn__shape_bytes(&shape, dtype, 1, 1);
    if (!*bytes) {
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "%s: \"%s\" %s %s: its bytes do not fit %d bits", who, name, text,
                           nn_dtype_name(dtype), (int)(sizeof(size_t) * 8 - (sizeof(size_t) == 8)));
    }
    return NN_OK;
}

/* extra: bytes after the tensor, for its name. */
static nn_tensor *nn__tensor_new(nn_context *nn, const char *name, size_t extra, nn_device device,
                                 const nn_view *view, nn_site site) {
    nn_tensor *tensor =
        (nn_tensor *)nn__allocate_for(nn, "nn_make_tensor", sizeof *tensor + extra);
    if (!tensor) return NULL;
    tensor->nn = nn;
    tensor->name = name;
    tensor->view = *view;
    tensor->view.dtype = nn__dtype(view->dtype);
    tensor->device = nn__resolve_device(nn, device);
    tensor->bytes = nn__shape_bytes(&view->shape, view->dtype, 1, 1);
    tensor->site = site;
    nn__own(&nn->owned, &tensor->owned, nn__tensor_destroy);
    return tensor;
}

NN_PRIVATE nn_tensor *nn__make_tensor_over(nn_context *nn, const char *name, nn_device device,
                                           const nn_view *view, nn_site site) {
    nn_tensor *tensor;
    size_t bytes;
    if (!nn) return NULL;
    if (!name) name = "tensor";
    bytes = strlen(name) + 1;
    tensor = nn__tensor_new(nn, name, bytes, device, view, site);
    if (tensor) tensor->name = (const char *)memcpy(tensor + 1, name, bytes);
    return tensor;
}

NN_PRIVATE nn_tensor *nn__make_leaf_tensor(nn_context *nn, const char *name, nn_device device,
                                           const nn_view *view, nn_site site) {
    nn_tensor *tensor = nn__tensor_new(nn, name, 0, device, view, site);
    if (!tensor) return NULL;
    nn__disown(&tensor->owned); /* the graph frees it */
    tensor->holder = NN__HELD_BY_MODEL;
    return tensor;
}

static bool nn__tensor_check_data(nn_context *nn, nn_site site, const nn__open_device *on,
                                  const char *name, nn_dtype dtype, const void *data) {
    char text[32];
    if (!on->limits.host_memory) {
        nn__fail_at(
            nn, site, NN_ERROR_DEVICE,
            "nn_make_tensor: \"%s\": data is the host's memory, but the tensor is to live on %s; "
            "leave data NULL and call nn_upload_tensor, or use nn_cpu()",
            name, nn_format_device(on->device, text, sizeof text));
        return false;
    }
    if ((uintptr_t)data % nn_dtype_size(dtype) != 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_tensor: \"%s\": data is at %p; %s wants a multiple of %zu", name, data,
                    nn_dtype_name(dtype), nn_dtype_size(dtype));
        return false;
    }
    return true;
}

static nn_tensor *nn__inside_make_tensor(nn_site site, nn_context *nn, const nn_tensor_desc *desc) {
    nn_tensor_desc empty;
    const char *name;
    nn__open_device *on;
    nn_tensor *tensor;
    nn_view view;
    uint64_t bytes = 0;
    nn_result result = NN_OK;
    if (!nn) return NULL;
    memset(&empty, 0, sizeof empty);
    memset(&view, 0, sizeof view);
    if (!desc) desc = &empty;
    name = desc->name ? desc->name : "tensor";
    if (nn__tensor_check(nn, site, "nn_make_tensor", name, desc->dtype, desc->shape, &bytes) !=
        NN_OK)
        return NULL;
    on = nn__find_device(nn, desc->device);
    if (!on) {
        nn__fail_not_open(nn, site, "nn_make_tensor", desc->device);
        return NULL;
    }
    if (desc->data && !nn__tensor_check_data(nn, site, on, name, desc->dtype, desc->data))
        return NULL;
    view.handle = desc->data;
    view.shape = desc->shape;
    view.dtype = nn__dtype(desc->dtype);
    tensor = nn__make_tensor_over(nn, name, on->device, &view, site);
    if (tensor) tensor->read_only = desc->read_only && desc->data;
    if (!tensor || desc->data) return tensor;
    result = nn__device_alloc(nn, on->device, bytes, "nn_make_tensor", &tensor->view.handle);
    if (result == NN_OK) {
        tensor->owns = true;
        result = nn_fill_zero(tensor);
    }
    if (result == NN_OK) return tensor;
    nn_free_tensor(tensor);
    return NULL;
}

NN_API nn_tensor *nn_make_tensor_at(nn_site site, nn_context *nn, const nn_tensor_desc *desc) {
    if (!nn__enter(nn, "nn_make_tensor", site)) return NULL;
    nn_tensor *made = nn__inside_make_tensor(site, nn, desc);
    nn__leave(nn, NN_OK);
    return made;
}

static nn_tensor *nn__inside_wrap(nn_site site, nn_context *nn, const char *name, nn_dtype dtype,
                                  nn_shape shape, void *data) {
    nn_tensor_desc desc;
    if (!nn) return NULL;
    memset(&desc, 0, sizeof desc);
    if (!data) {
        nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "nn_wrap: \"%s\": data is NULL; nn_make_tensor makes a tensor with its own memory",
            name ? name : "tensor");
        return NULL;
    }
    desc.name = name;
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = nn_cpu();
    desc.data = data;
    return nn_make_tensor_at(site, nn, &desc);
}

NN_API nn_tensor *nn_wrap_at(nn_site site, nn_context *nn, const char *name, nn_dtype dtype,
                             nn_shape shape, void *data) {
    if (!nn__enter(nn, "nn_wrap", site)) return NULL;
    nn_tensor *made = nn__inside_wrap(site, nn, name, dtype, shape, data);
    nn__leave(nn, NN_OK);
    return made;
}

static nn_tensor *nn__inside_wrap_handle(nn_site site, nn_context *nn, nn_device device,
                                         const char *name, nn_dtype dtype, nn_shape shape,
                                         void *handle, uint64_t offset) {
    nn_view view;
    nn__open_device *on = nn__find_device(nn, device);
    if (!nn) return NULL;
    if (!on) {
        nn__fail_not_open(nn, site, "nn_wrap_handle", device);
        return NULL;
    }
    if (!handle) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_wrap_handle: \"%s\": handle is NULL",
                    name ? name : "tensor");
        return NULL;
    }
    memset(&view, 0, sizeof view);
    view.handle = handle;
    view.offset = offset;
    view.shape = shape;
    view.dtype = nn__dtype(dtype);
    return nn__make_tensor_over(nn, name, on->device, &view, site);
}

NN_API nn_tensor *nn_wrap_handle_at(nn_site site, nn_context *nn, nn_device device,
                                    const char *name, nn_dtype dtype, nn_shape shape, void *handle,
                                    uint64_t offset) {
    if (!nn__enter(nn, "nn_wrap_handle", site)) return NULL;
    nn_tensor *made = nn__inside_wrap_handle(site, nn, device, name, dtype, shape, handle, offset);
    nn__leave(nn, NN_OK);
    return made;
}

/* Returns a tensor over the storage of `base`, which stays in use until the view is freed. */
static nn_tensor *nn__tensor_view_of(nn_tensor *base, nn_view view, nn_site site, const char *who) {
    nn_tensor *tensor = nn__make_tensor_over(base->nn, base->name, base->device, &view, site);
    if (!tensor) return NULL;
    tensor->read_only = base->read_only;
#ifndef NN__LEAN
    tensor->base = base;
#endif
    nn__use_tensor(base, who, site);
    (void)who;
    return tensor;
}

static nn_tensor *nn__inside_make_view(nn_site site, nn_tensor *base, int32_t first,
                                       int32_t count) {
    char text[NN__SHAPE_TEXT];
    nn_view view;
    if (!base) return NULL;
    view = base->view;
    nn__format_shape(view.shape, text, sizeof text);
    if (view.shape.rank == 0) {
        nn__fail_at(base->nn, site, NN_ERROR_SHAPE,
                    "nn_make_view: \"%s\" has rank 0, so it has no rows", base->name);
        return NULL;
    }
    if (first < 0 || count < 1 || (int64_t)first + count > view.shape.extent[0]) {
        nn__fail_at(base->nn, site, NN_ERROR_SHAPE,
                    "nn_make_view: \"%s\" %s has the rows 0 to %d; got first %d and count %d",
                    base->name, text, (int)view.shape.extent[0] - 1, (int)first, (int)count);
        return NULL;
    }
    view.offset += base->bytes / (uint64_t)view.shape.extent[0] * (uint64_t)first;
    view.shape.extent[0] = count;
    return nn__tensor_view_of(base, view, site, "nn_make_view");
}

NN_API nn_tensor *nn_make_view_at(nn_site site, nn_tensor *base, int32_t first, int32_t count) {
    nn_context *nn = base ? base->nn : NULL;
    if (!nn__enter(nn, "nn_make_view", site)) return NULL;
    nn_tensor *made = nn__inside_make_view(site, base, first, count);
    nn__leave(nn, NN_OK);
    return made;
}

static nn_tensor *nn__inside_make_reshaped(nn_site site, nn_tensor *base, nn_shape shape) {
    char from[NN__SHAPE_TEXT], to[NN__SHAPE_TEXT];
    nn_view view;
    if (!base) return NULL;
    view = base->view;
    if (nn_shape_count(shape) != nn_shape_count(view.shape)) {
        nn__fail_at(base->nn, site, NN_ERROR_SHAPE,
                    "nn_make_reshaped: \"%s\" %s has %lld elements; %s does not", base->name,
                    nn__format_shape(view.shape, from, sizeof from),
                    (long long)nn_shape_count(view.shape), nn__format_shape(shape, to, sizeof to));
        return NULL;
    }
    view.shape = shape;
    return nn__tensor_view_of(base, view, site, "nn_make_reshaped");
}

NN_API nn_tensor *nn_make_reshaped_at(nn_site site, nn_tensor *base, nn_shape shape) {
    nn_context *nn = base ? base->nn : NULL;
    if (!nn__enter(nn, "nn_make_reshaped", site)) return NULL;
    nn_tensor *made = nn__inside_make_reshaped(site, base, shape);
    nn__leave(nn, NN_OK);
    return made;
}

NN_PRIVATE void nn__drop_tensor(nn_tensor *tensor) {
    if (tensor) nn__tensor_destroy(&tensor->owned);
}

static void nn__inside_free_tensor(nn_tensor *tensor) {
    if (!tensor) return;
    if (tensor->holder != NN__HELD_BY_USER) {
        nn__fail(tensor->nn, NN_ERROR_ARGUMENT,
                 "nn_free_tensor: \"%s\" belongs to a %s, which frees it; nothing was freed",
                 tensor->name, tensor->holder == NN__HELD_BY_MODEL ? "model" : "loader");
        return;
    }
    if (nn__check_unused(tensor, "nn_free_tensor", "the tensor") != NN_OK) return;
    if (nn__is_mapped(tensor)) nn__fail_mapped(tensor, tensor->site, "nn_free_tensor");
    nn__tensor_destroy(&tensor->owned);
}

NN_API void nn_free_tensor(nn_tensor *tensor) {
    nn_context *nn = tensor ? tensor->nn : NULL;
    if (!nn__enter(nn, "nn_free_tensor", nn_make_site(NULL, 0))) return;
    nn__inside_free_tensor(tensor);
    nn__leave(nn, NN_OK);
}

#ifndef NN__ONE_PIECE
NN_PRIVATE nn_result nn__check_slicing(nn_context *nn, const nn__slicing *list,
                                       const nn__slicing *own, bool writes, nn_site site,
                                       const char *who) {
    char made[96];
    if (writes) nn__weights_change(nn);
    for (const nn__slicing *run = list; run; run = run->next) {
        if (run == own || !(writes || run->writes)) continue;
        return nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "%s: a run in slices of the plan made at %s is under way, %s; call nn_run_for or "
            "nn_train_step_for until it is done",
            who, nn__format_site(run->site, made, sizeof made),
            run->writes ? "and has updated only some of the model's parameters"
                        : "and still reads the parameters that this would change");
    }
    return NN_OK;
}
#endif

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__use_tensor(nn_tensor *tensor, const char *who, nn_site site) {
    if (!tensor) return;
    tensor->uses++;
    tensor->used_by = who;
    tensor->used_at = site;
}

NN_PRIVATE void nn__unuse_tensor(nn_tensor *tensor) {
    if (tensor && !tensor->nn->closing) tensor->uses--;
}

NN_PRIVATE nn_result nn__check_unused(const nn_tensor *tensor, const char *who, const char *what) {
    char at[96];
    if (!tensor || tensor->uses <= 0) return NN_OK;
    return nn__fail(tensor->nn, NN_ERROR_ARGUMENT,
                    "%s: \"%s\" is still used in %d place%s, last by %s at %s; free those before "
                    "%s, or bind another "
                    "tensor (nn_bind(plan, input, NULL) binds none); nothing was freed",
                    who, tensor->name, (int)tensor->uses, tensor->uses == 1 ? "" : "s",
                    tensor->used_by, nn__format_site(tensor->used_at, at, sizeof at), what);
}
#endif

NN_PRIVATE nn_result nn__check_writable(const nn_tensor *tensor, nn_site site, const char *who) {
    if (!tensor || !tensor->read_only) return NN_OK;
    return nn__fail_at(
        tensor->nn, site, NN_ERROR_ARGUMENT,
        "%s: \"%s\" is read-only (it stands in the program's constant arrays); nothing was "
        "written; "
        "nn_copy_to and nn_use_weights without .in_place make copies that can be written; a load "
        "leaves it out with .non_strict and a rename of it to NULL",
        who, tensor->name);
}

/* ---- queries --------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__tensor_on_host(const nn_tensor *tensor) {
    const nn__open_device *on = nn__find_device(tensor->nn, tensor->device);
    return on && on->limits.host_memory;
}

NN_API const char *nn_tensor_name(const nn_tensor *tensor) {
    return tensor ? tensor->name : "(none)";
}

NN_API nn_dtype nn_tensor_dtype(const nn_tensor *tensor) {
    return tensor ? tensor->view.dtype : NN_DTYPE_DEFAULT;
}

NN_API nn_shape nn_tensor_shape(const nn_tensor *tensor) { return nn__view_of(tensor).shape; }

NN_API nn_device nn_tensor_device(const nn_tensor *tensor) {
    return tensor ? tensor->device : nn_make_device(NN_DEVICE_DEFAULT, 0);
}

NN_API uint64_t nn_tensor_bytes(const nn_tensor *tensor) { return tensor ? tensor->bytes : 0; }

NN_PRIVATE nn_view nn__view_of(const nn_tensor *tensor) {
    nn_view none;
    memset(&none, 0, sizeof none);
    return tensor ? tensor->view : none;
}

#ifndef NN__LEAN
/* Casts const away; only this file sets `reached`. */
NN_PRIVATE void nn__reach_tensor(const nn_tensor *tensor) {
    for (nn_tensor *t = (nn_tensor *)(uintptr_t)tensor; t; t = t->base) {
        if (!t->reached) t->nn->weight_changes++; /* plans that packed it trust it no longer */
        t->reached = true;
    }
}
#endif

NN_API nn_view nn_tensor_view(const nn_tensor *tensor) {
    nn__reach_tensor(tensor);
    return nn__view_of(tensor);
}

NN_API const void *nn_tensor_const_data(const nn_tensor *tensor) {
    if (!tensor || !nn__tensor_on_host(tensor)) return NULL;
    return (const char *)tensor->view.handle + tensor->view.offset;
}

NN_API void *nn_tensor_data(const nn_tensor *tensor) {
    if (!tensor || !nn__tensor_on_host(tensor)) return NULL;
    if (tensor->read_only) {
        nn__fail(tensor->nn, NN_ERROR_ARGUMENT,
                 "nn_tensor_data: \"%s\" is read-only; nn_tensor_const_data reads it",
                 tensor->name);
        return NULL;
    }
    nn__reach_tensor(tensor);
    return nn__host_data(tensor);
}

NN_API bool nn_tensor_read_only(const nn_tensor *tensor) { return tensor && tensor->read_only; }
