/* tensor/copy.c - uploads, downloads, copies and clears tensors. Nothing is moved or converted
   unless a call asks for it. */
#include "tensor/private.h"

static nn_result nn__tensor_check_transfer(const nn_tensor *tensor, nn_site site, const char *who,
                                           const char *argument, const void *pointer, size_t bytes,
                                           bool writes) {
    (void)writes; /* only training runs can forbid a write */
    char text[NN__SHAPE_TEXT];
    nn_result result = nn__check_whole(tensor, writes, site, who);
    if (result != NN_OK) return result;
    if (nn__is_mapped(tensor)) return nn__fail_mapped(tensor, site, who);
    if (!pointer) {
        return nn__fail_at(tensor->nn, site, NN_ERROR_ARGUMENT, "%s: \"%s\": %s is NULL", who,
                           tensor->name, argument);
    }
    if ((uint64_t)bytes != tensor->bytes) {
        return nn__fail_at(
            tensor->nn, site, NN_ERROR_SHAPE, "%s: \"%s\" %s %s has %llu bytes, got %zu", who,
            tensor->name, nn__format_shape(tensor->view.shape, text, sizeof text),
            nn_dtype_name(tensor->view.dtype), (unsigned long long)tensor->bytes, bytes);
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__tensor_check_integers(const nn_tensor *tensor, const void *numbers,
                                               nn_site site, const char *who) {
#ifndef NN_NO_FILES
    nn_context *nn = tensor->nn;
    const bool real = tensor->view.dtype == NN_F32;
    int64_t at = 0;
    if (!nn->wrong_integers || (!real && tensor->view.dtype != NN_I32)) return NN_OK;
    const int32_t *values = (const int32_t *)numbers;
    const char *wanted = nn->wrong_integers(NULL, tensor, values, 0,
                                            (int64_t)(tensor->bytes / sizeof *values), &at);
    if (wanted)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: number %lld of \"%s\" is %g; wanted %s; nothing was changed", who,
                           (long long)at, tensor->name,
                           real ? (double)((const float *)numbers)[at] : (double)values[at],
                           wanted);
#else
    (void)tensor, (void)numbers, (void)site, (void)who;
#endif
    return NN_OK;
}

static nn_result nn__inside_upload_tensor(nn_site site, nn_tensor *to, const void *from,
                                          size_t bytes) {
    nn_result result;
    if (!to) return NN_ERROR_ARGUMENT;
    result = nn__tensor_check_transfer(to, site, "nn_upload_tensor", "from", from, bytes, true);
    if (result == NN_OK) result = nn__check_writable(to, site, "nn_upload_tensor");
    if (result == NN_OK) result = nn__tensor_check_integers(to, from, site, "nn_upload_tensor");
    if (result != NN_OK) return result;
    return nn__upload(to->nn, to->device, &to->view, from, to->bytes, to->name, site, NULL);
}

NN_API nn_result nn_upload_tensor_at(nn_site site, nn_tensor *to, const void *from, size_t bytes) {
    return NN__ALONE(to ? to->nn : NULL, "nn_upload_tensor", site,
                     nn__inside_upload_tensor(site, to, from, bytes));
}

static nn_result nn__inside_download_tensor(nn_site site, const nn_tensor *from, void *to,
                                            size_t bytes) {
    nn_result result;
    if (!from) return NN_ERROR_ARGUMENT;
    result = nn__tensor_check_transfer(from, site, "nn_download_tensor", "to", to, bytes, false);
    if (result != NN_OK) return result;
    return nn__download(from->nn, from->device, &from->view, to, from->bytes, from->name, site);
}

NN_API nn_result nn_download_tensor_at(nn_site site, const nn_tensor *from, void *to,
                                       size_t bytes) {
    return NN__ALONE(from ? from->nn : NULL, "nn_download_tensor", site,
                     nn__inside_download_tensor(site, from, to, bytes));
}

/* True if two tensors share bytes on one device. */
static bool nn__tensor_overlaps(const nn_tensor *a, const nn_tensor *b) {
    uint64_t a_first = a->view.offset, b_first = b->view.offset;
    if (!nn_same_device(a->device, b->device)) return false;
    if (nn__tensor_on_host(a)) {
        a_first += (uint64_t)(uintptr_t)a->view.handle;
        b_first += (uint64_t)(uintptr_t)b->view.handle;
    } else if (a->view.handle != b->view.handle) {
        return false;
    }
    return a_first < b_first + b->bytes && b_first < a_first + a->bytes;
}

static nn_result nn__tensor_check_copy(nn_site site, const nn_tensor *to, const nn_tensor *from) {
    char shape[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    if (to->nn != from->nn) {
        return nn__fail_at(to->nn, site, NN_ERROR_ARGUMENT,
                           "nn_copy: \"%s\" belongs to a different context from \"%s\"; download "
                           "it and upload it here",
                           from->name, to->name);
    }
    if (to->view.dtype != from->view.dtype) {
        return nn__fail_at(to->nn, site, NN_ERROR_DTYPE,
                           "nn_copy: \"%s\" is %s, \"%s\" is %s; a copy does not convert", to->name,
                           nn_dtype_name(to->view.dtype), from->name,
                           nn_dtype_name(from->view.dtype));
    }
    if (!nn_same_shape(to->view.shape, from->view.shape)) {
        return nn__fail_at(
            to->nn, site, NN_ERROR_SHAPE,
            "nn_copy: \"%s\" is %s, \"%s\" is %s; nn_make_reshaped gives another shape", to->name,
            nn__format_shape(to->view.shape, shape, sizeof shape), from->name,
            nn__format_shape(from->view.shape, other, sizeof other));
    }
    nn_result result = nn__check_whole(to, true, site, "nn_copy");
    if (result == NN_OK) result = nn__check_whole(from, false, site, "nn_copy");
    if (result != NN_OK) return result;
    if (nn__is_mapped(to)) return nn__fail_mapped(to, site, "nn_copy");
    if (nn__is_mapped(from)) return nn__fail_mapped(from, site, "nn_copy");
    if (to->read_only) return nn__check_writable(to, site, "nn_copy");
    if (nn__tensor_overlaps(to, from)) {
        return nn__fail_at(to->nn, site, NN_ERROR_ARGUMENT,
                           "nn_copy: \"%s\" and \"%s\" share bytes", to->name, from->name);
    }
    return NN_OK;
}

static nn_result nn__inside_copy(nn_site site, nn_tensor *to, const nn_tensor *from) {
    nn_context *nn;
    void *staging = NULL;
    size_t staging_bytes = 0;
    nn_result result;
    if (!to || !from) {
        nn = to ? to->nn : from ? from->nn : NULL;
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_copy: `%s` is NULL",
                           to ? "from" : "to");
    }
    if (to == from) return NN_OK;
    nn = to->nn;
    result = nn__tensor_check_copy(site, to, from);
    if (result != NN_OK) return result;
    if (!nn_same_device(to->device, from->device) && !nn__tensor_on_host(to) &&
        !nn__tensor_on_host(from)) {
        staging_bytes = to->bytes < ((uint64_t)1 << 20) ? (size_t)to->bytes : (size_t)1 << 20;
        staging = nn__allocate(&nn->memory, staging_bytes);
        if (!staging)
            return nn__fail_memory(nn, "nn_copy: staging between two devices", staging_bytes);
    }
    result = nn__cross(nn, to->device, &to->view, from->device, &from->view, to->bytes, staging,
                       staging_bytes, from->name, site);
    nn__release(&nn->memory, staging, staging_bytes);
    return result;
}

NN_API nn_result nn_copy_at(nn_site site, nn_tensor *to, const nn_tensor *from) {
    return NN__ALONE(to ? to->nn : NULL, "nn_copy", site, nn__inside_copy(site, to, from));
}

static nn_tensor *nn__inside_copy_to(nn_site site, const nn_tensor *from, nn_device device) {
    nn_tensor_desc desc;
    nn_tensor *tensor;
    if (!from) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.name = from->name;
    desc.dtype = from->view.dtype;
    desc.shape = from->view.shape;
    desc.device = device;
    tensor = nn_make_tensor_at(site, from->nn, &desc);
    if (!tensor || nn_copy_at(site, tensor, from) == NN_OK) return tensor;
    nn_free_tensor(tensor);
    return NULL;
}

NN_API nn_tensor *nn_copy_to_at(nn_site site, const nn_tensor *from, nn_device device) {
    nn_context *nn = from ? from->nn : NULL;
    if (!nn__enter(nn, "nn_copy_to", site)) return NULL;
    nn_tensor *made = nn__inside_copy_to(site, from, device);
    nn__leave(nn, NN_OK);
    return made;
}

static nn_result nn__inside_fill_zero(nn_tensor *tensor) {
    nn__open_device *on;
    nn_result result;
    if (!tensor) return NN_ERROR_ARGUMENT;
    result = nn__check_whole(tensor, true, tensor->site, "nn_fill_zero");
    if (result != NN_OK) return result;
    if (nn__is_mapped(tensor)) return nn__fail_mapped(tensor, tensor->site, "nn_fill_zero");
    if (tensor->read_only) return nn__check_writable(tensor, tensor->site, "nn_fill_zero");
    on = nn__find_device(tensor->nn, tensor->device);
    if (!on) return nn__fail_not_open(tensor->nn, tensor->site, "nn_fill_zero", tensor->device);
    result =
        on->backend->fill(on->state, tensor->view.handle, tensor->view.offset, tensor->bytes, 0);
    if ((int)result >= 0) return NN_OK;
    return nn__fail(tensor->nn, result, "nn_fill_zero: \"%s\": %s", tensor->name,
                    nn_result_text(result));
}

NN_API nn_result nn_fill_zero(nn_tensor *tensor) {
    return NN__ALONE(tensor ? tensor->nn : NULL, "nn_fill_zero", nn_make_site(NULL, 0),
                     nn__inside_fill_zero(tensor));
}
