/* device/devices.c - the devices of a context: names, open devices, adding backends, and memory
   on devices. Every device is added by nn_add_backend, even the CPU (cpu/open.c). */
#include "device/kinds.h"
#include "device/private.h"

/* ---- names of devices ------------------------------------------------------------------------ */

static const char *nn__device_kind_name(nn_device_kind kind) {
    switch (kind) {
#define NN__X(upper, name, open, time) \
    case upper: return name;
        NN__DEVICE_KINDS(NN__X)
#undef NN__X
    default: return "(no kind)";
    }
}

NN_API const char *nn_format_device(nn_device device, char *text, size_t size) {
    const char *kind = nn__device_kind_name(device.kind);
    if (!text || size == 0) return "";
    if ((device.kind == NN_CPU && device.index == 0) || device.kind == NN_DEVICE_DEFAULT) {
        nn__copy_text(text, size, kind);
    } else {
        nn__format(text, size, "%s:%d", kind, device.index);
    }
    return text;
}

NN_PRIVATE const char *nn__how_to_open(nn_device_kind kind) {
    switch (kind) {
#define NN__X(upper, name, open, time) \
    case upper: return open;
        NN__DEVICE_KINDS(NN__X)
#undef NN__X
    default: return "use nn_cpu(), nn_opencl(0) or nn_parse_device";
    }
}

#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__how_to_time(nn_device_kind kind) {
    switch (kind) {
#define NN__X(upper, name, open, time) \
    case upper: return time;
        NN__DEVICE_KINDS(NN__X)
#undef NN__X
    default: return "its backend tells none";
    }
}
#endif

NN_PRIVATE const char *nn__list_devices(const nn_context *nn, char *text, size_t size) {
    size_t used = 0;
    nn__copy_text(text, size, nn && nn->device_count > 0 ? "" : "none");
    for (int i = 0; nn && i < nn->device_count && used < size; i++) {
        char name[32];
        nn_format_device(nn->devices[i].device, name, sizeof name);
        used += nn__explain(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
    }
    return text;
}

NN_PRIVATE nn_result nn__fail_not_open(nn_context *nn, nn_site site, const char *who,
                                       nn_device device) {
    char name[32], list[256];
    if (!nn) return NN_ERROR_DEVICE;
    device = nn__resolve_device(nn, device);
    return nn__fail_at(nn, site, NN_ERROR_DEVICE, "%s: %s is not open; open devices: %s; %s", who,
                       nn_format_device(device, name, sizeof name),
                       nn__list_devices(nn, list, sizeof list), nn__how_to_open(device.kind));
}

static char nn__device_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool nn__device_contains(const char *text, const char *part) {
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && nn__device_lower(text[i]) == nn__device_lower(part[i])) i++;
        if (!part[i]) return true;
    }
    return false;
}

static nn_device_kind nn__device_parse_kind(const char *text, size_t length) {
    for (int kind = NN_CPU; kind < NN_DEVICE_KIND_COUNT; kind++) {
        const char *name = nn__device_kind_name((nn_device_kind)kind);
        if (strlen(name) == length && memcmp(name, text, length) == 0) return (nn_device_kind)kind;
    }
    return NN_DEVICE_DEFAULT;
}

NN_API nn_result nn_parse_device(nn_context *nn, const char *text, nn_device *device) {
    nn_device_kind kind;
    size_t length = 0;
    const char *rest;
    int index = 0;
    bool digits;
    char list[256];
    if (!nn) return NN_ERROR_ARGUMENT;
    if (!text || !device) {
        return nn__fail(nn, NN_ERROR_ARGUMENT,
                        "nn_parse_device: %s is NULL; wanted a text like \"opencl:0\" and a place "
                        "for the result",
                        text ? "device" : "text");
    }
    while (text[length] && text[length] != ':') length++;
    kind = nn__device_parse_kind(text, length);
    if (kind == NN_DEVICE_DEFAULT) {
        return nn__fail(
            nn, NN_ERROR_ARGUMENT,
            "nn_parse_device: \"%s\" names no kind of device; kinds: cpu, opencl, vulkan, metal, "
            "cuda, user0, user1, user2",
            text);
    }
    rest = text[length] ? text + length + 1 : "0";
    digits = *rest != 0;
    for (const char *at = rest; *at; at++) {
        if (*at < '0' || *at > '9') digits = false;
        else if (index < NN_MAX_DEVICES) index = index * 10 + (*at - '0');
    }
    if (digits) {
        if (index >= NN_MAX_DEVICES) {
            return nn__fail(nn, NN_ERROR_ARGUMENT,
                            "nn_parse_device: \"%s\": the number is above %d; open devices: %s",
                            text, NN_MAX_DEVICES - 1, nn__list_devices(nn, list, sizeof list));
        }
        *device = nn_make_device(kind, index);
        return NN_OK;
    }
    for (int i = 0; *rest && i < nn->device_count; i++) {
        if (nn->devices[i].device.kind != kind ||
            !nn__device_contains(nn->devices[i].limits.name, rest))
            continue;
        *device = nn->devices[i].device;
        return NN_OK;
    }
    return nn__fail(
        nn, NN_ERROR_DEVICE,
        "nn_parse_device: \"%s\": no open %s device has \"%s\" in its name; open devices: %s", text,
        nn__device_kind_name(kind), rest, nn__list_devices(nn, list, sizeof list));
}

/* ---- open devices ---------------------------------------------------------------------------- */

NN_PRIVATE nn_device nn__resolve_device(const nn_context *nn, nn_device device) {
    if (device.kind != NN_DEVICE_DEFAULT) return device;
    if (!nn || nn->desc.device.kind == NN_DEVICE_DEFAULT) return nn_cpu();
    return nn->desc.device;
}

NN_PRIVATE nn__open_device *nn__find_device(nn_context *nn, nn_device device) {
    if (!nn) return NULL;
    device = nn__resolve_device(nn, device);
    for (int i = 0; i < nn->device_count; i++) {
        if (nn_same_device(nn->devices[i].device, device)) return &nn->devices[i];
    }
    return NULL;
}

NN_API int nn_device_count(const nn_context *nn) { return nn ? nn->device_count : 0; }

NN_API nn_device nn_device_at(const nn_context *nn, int i) {
    if (!nn || i < 0 || i >= nn->device_count) return nn_make_device(NN_DEVICE_DEFAULT, 0);
    return nn->devices[i].device;
}

NN_API bool nn_is_open(const nn_context *nn, nn_device device) {
    if (!nn) return false;
    device = nn__resolve_device(nn, device);
    for (int i = 0; i < nn->device_count; i++) {
        if (nn_same_device(nn->devices[i].device, device)) return true;
    }
    return false;
}

NN_API nn_device nn_best_device(const nn_context *nn) {
    for (int i = 0; nn && i < nn->device_count; i++) {
        if (nn->devices[i].limits.gpu) return nn->devices[i].device;
    }
    return nn_cpu();
}

static nn_result nn__inside_finish(nn_context *nn) {
    nn_result first = NN_OK;
    char name[32];
    if (!nn) return NN_ERROR_ARGUMENT;
    for (int i = 0; i < nn->device_count; i++) {
        nn__open_device *on = &nn->devices[i];
        nn_result result = on->backend->finish(on->state);
        if ((int)result >= 0) continue;
        nn__fail(nn, result, "nn_finish: %s failed: %s",
                 nn_format_device(on->device, name, sizeof name), nn_result_text(result));
        if (first == NN_OK) first = result;
    }
    return first;
}

NN_API nn_result nn_finish(nn_context *nn) {
    return NN__ALONE(nn, "nn_finish", nn_make_site(NULL, 0), nn__inside_finish(nn));
}

/* ---- adding a device ------------------------------------------------------------------------- */

static const char *nn__device_missing_slot(const nn_backend *backend) {
    if (!backend->limits) return "limits";
    if (!backend->close) return "close";
    if (!backend->alloc) return "alloc";
    if (!backend->release) return "release";
    if (!backend->upload) return "upload";
    if (!backend->download) return "download";
    if (!backend->copy) return "copy";
    if (!backend->fill) return "fill";
    if (!backend->finish) return "finish";
    if (!backend->fence_done) return "fence_done";
    if (!backend->fence_wait) return "fence_wait";
    if (!backend->supports) return "supports";
    if (!backend->scratch_bytes) return "scratch_bytes";
    if (!backend->prepare) return "prepare";
    if (!backend->units) return "units";
    if (backend->map && !backend->unmap) return "unmap";
    return NULL;
}

static nn_result nn__device_check_backend(nn_context *nn, const nn_backend *backend) {
    const char *name = backend->name ? backend->name : "(no name)";
    const char *missing;
    if (backend->version != NN_BACKEND_VERSION) {
        return nn__fail(
            nn, NN_ERROR_DEVICE,
            "nn_add_backend: backend \"%s\" was written for version %d of the contract, this "
            "nn.h (%s) has version %d; "
            "take a backend and an nn.h that fit each other",
            name, backend->version, NN_VERSION, NN_BACKEND_VERSION);
    }
    if (backend->size < offsetof(nn_backend, kernels)) {
        return nn__fail(
            nn, NN_ERROR_DEVICE,
            "nn_add_backend: backend \"%s\" says that its struct has %lu bytes, version %d has at "
            "least %lu; set size to sizeof(nn_backend)",
            name, (unsigned long)backend->size, NN_BACKEND_VERSION,
            (unsigned long)offsetof(nn_backend, kernels));
    }
    if (backend->kind <= NN_DEVICE_DEFAULT || backend->kind >= NN_DEVICE_KIND_COUNT) {
        return nn__fail(nn, NN_ERROR_ARGUMENT,
                        "nn_add_backend: backend \"%s\" has kind %d; wanted NN_CPU to NN_USER_2",
                        name, (int)backend->kind);
    }
    missing = nn__device_missing_slot(backend);
    if (missing) {
        return nn__fail(
            nn, NN_ERROR_ARGUMENT,
            "nn_add_backend: backend \"%s\" lacks the function %s, which is not optional", name,
            missing);
    }
    if (nn->device_count >= NN_MAX_DEVICES) {
        return nn__fail(
            nn, NN_ERROR_DEVICE,
            "nn_add_backend: backend \"%s\" would be device %d; a context has at most %d", name,
            nn->device_count + 1, NN_MAX_DEVICES);
    }
    return NN_OK;
}

static nn_result nn__inside_add_backend(nn_context *nn, const nn_backend *backend, void *state,
                                        nn_device *device) {
    nn_result result = NN_ERROR_ARGUMENT;
    if (nn && !backend)
        nn__fail(nn, result, "nn_add_backend: backend is NULL; wanted a filled nn_backend");
    if (nn && backend) result = nn__device_check_backend(nn, backend);
    if (result != NN_OK) {
        if (backend && backend->close) backend->close(state);
        return result;
    }
    nn__add_device(nn, backend, state, device);
    return NN_OK;
}

NN_API nn_result nn_add_backend(nn_context *nn, const nn_backend *backend, void *state,
                                nn_device *device) {
    if (nn__enter(nn, "nn_add_backend", nn_make_site(NULL, 0)))
        return nn__leave(nn, nn__inside_add_backend(nn, backend, state, device));
    if (backend && backend->close) backend->close(state);
    return NN_ERROR_BUSY;
}

NN_PRIVATE void nn__add_device(nn_context *nn, const nn_backend *backend, void *state,
                               nn_device *device) {
    nn__open_device *on = &nn->devices[nn->device_count];
    int index = 0;
    for (int i = 0; i < nn->device_count; i++) index += nn->devices[i].device.kind == backend->kind;
    memset(on, 0, sizeof *on);
    on->device = nn_make_device(backend->kind, index);
    on->backend = backend;
    on->state = state;
    backend->limits(state, &on->limits);
    on->limits.name[NN_DEVICE_NAME_BYTES - 1] = 0;
    nn->device_count++;
    if (device) *device = on->device;
}

NN_API const nn_backend *nn_device_backend(nn_context *nn, nn_device device, void **state) {
    nn__open_device *on = nn__find_device(nn, device);
    if (state) *state = on ? on->state : NULL;
    return on ? on->backend : NULL;
}

/* ---- services for backends ------------------------------------------------------------------- */

NN_API void *nn_take_memory(nn_context *nn, size_t bytes) {
    return nn && bytes > 0 ? nn__allocate(&nn->memory, bytes) : NULL;
}

NN_API void nn_give_memory(nn_context *nn, void *memory, size_t bytes) {
    if (nn && memory) nn__release(&nn->memory, memory, bytes);
}

NN_API const nn_desc *nn_context_desc(const nn_context *nn) { return nn ? &nn->desc : NULL; }

NN_API nn_result nn_save_bytes(nn_context *nn, const char *path, const void *data, size_t bytes) {
#ifdef NN_NO_FILES
    (void)nn, (void)path, (void)data, (void)bytes;
    return NN_ERROR_UNSUPPORTED;
#else
    nn__save save;
    nn_result result, ended;
    if (!nn || !path || (!data && bytes > 0)) return NN_ERROR_ARGUMENT;
    result = nn__save_begin(&save, &nn->files, path);
    if (result == NN_OK) result = nn__save_write(&save, data, bytes);
    ended = nn__save_end(&save, result == NN_OK);
    return result == NN_OK ? ended : result;
#endif
}

NN_API nn_result nn_record_error(nn_context *nn, nn_result result, const char *text) {
    if ((int)result >= 0) return result;
    return nn__fail(nn, result, "%s", text ? text : nn_result_text(result));
}

typedef struct nn__guest {
    nn__owned owned; /* first: the ring knows only this */
    nn_context *nn;
    void *object;
    void (*release)(void *object);
} nn__guest;

static void nn__guest_destroy(nn__owned *owned) {
    nn__guest guest = *(nn__guest *)(void *)owned;
    nn__release(&guest.nn->memory, owned, sizeof guest);
    guest.release(guest.object);
}

NN_API void *nn_own(nn_context *nn, void *object, void (*release)(void *object)) {
    nn__guest *guest;
    if (!nn || !release) return NULL;
    guest = (nn__guest *)nn__allocate(&nn->memory, sizeof *guest);
    if (!guest) return NULL;
    guest->nn = nn;
    guest->object = object;
    guest->release = release;
    nn__own(&nn->owned, &guest->owned, nn__guest_destroy);
    return guest;
}

NN_API void nn_disown(nn_context *nn, void *owned) {
    if (!nn || !owned) return;
    nn__disown((nn__owned *)owned);
    nn__release(&nn->memory, owned, sizeof(nn__guest));
}

/* ---- memory on devices ----------------------------------------------------------------------- */

#ifndef NN__ONE_PIECE
NN_PRIVATE uint64_t nn__largest_piece(nn_context *nn, nn_device device) {
    const nn__open_device *on = nn__find_device(nn, device);
    if (!on || on->limits.host_memory || on->limits.allocation < NN__ALIGNMENT) return UINT64_MAX;
    return on->limits.allocation / NN__ALIGNMENT * NN__ALIGNMENT;
}
#endif

NN_PRIVATE nn_result nn__device_alloc(nn_context *nn, nn_device device, uint64_t bytes,
                                      const char *what, void **handle) {
    nn__open_device *on = nn__find_device(nn, device);
    nn_result result;
    uint64_t free_bytes;
    char name[32];
    *handle = NULL;
    if (!on) return nn__fail_not_open(nn, nn_make_site(NULL, 0), what, device);
    if (bytes == 0) return NN_OK;
    if (!on->limits.host_memory && on->limits.allocation > 0 && bytes > on->limits.allocation) {
        return nn__fail(nn, NN_ERROR_MEMORY,
                        "%s: %llu bytes wanted on %s, its largest single allocation is %llu", what,
                        (unsigned long long)bytes, nn_format_device(on->device, name, sizeof name),
                        (unsigned long long)on->limits.allocation);
    }
    result = on->backend->alloc(on->state, bytes, handle);
    if ((int)result < 0 || !*handle) {
        if ((int)result >= 0) result = NN_ERROR_MEMORY;
        *handle = NULL;
        if (result == NN_ERROR_MEMORY && on->limits.host_memory)
            return nn__fail_memory(nn, what, bytes);
        free_bytes = on->limits.memory > on->live_bytes ? on->limits.memory - on->live_bytes : 0;
        if (result == NN_ERROR_MEMORY && on->limits.memory > 0) {
            return nn__fail(
                nn, result,
                "%s: out of memory on %s: %llu bytes wanted, at most %llu of %llu available", what,
                nn_format_device(on->device, name, sizeof name), (unsigned long long)bytes,
                (unsigned long long)free_bytes, (unsigned long long)on->limits.memory);
        }
        return nn__fail(nn, result, "%s: %s gave no %llu bytes: %s", what,
                        nn_format_device(on->device, name, sizeof name), (unsigned long long)bytes,
                        nn_result_text(result));
    }
    on->live_bytes += bytes;
    if (on->live_bytes > on->peak_bytes) on->peak_bytes = on->live_bytes;
    return NN_OK;
}

NN_PRIVATE void nn__device_release(nn_context *nn, nn_device device, void *handle, uint64_t bytes) {
    nn__open_device *on = nn__find_device(nn, device);
    if (!on || !handle) return;
    on->backend->release(on->state, handle, bytes);
    on->live_bytes -= bytes;
}
