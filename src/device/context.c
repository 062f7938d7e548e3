/* device/context.c - the context: errors, open devices, memory on them, opening and closing.
   Refuses to know any device: backends come in through nn_add_backend, the CPU too (nn_open stands in
   cpu/open.c). Read next: device/dispatch.c, device/ledger.c, device/crossing.c. */
#include "device/kinds.h"
#include "device/private.h"

/* ---- errors ---------------------------------------------------------------------------------- */

NN_PRIVATE const char *nn__format_site(nn_site site, char *text, size_t size) {
    const char *name = site.file;
    if (!name) {
        nn__copy_text(text, size, "(unknown)");
        return text;
    }
    for (const char *at = site.file; *at; at++) {
        if (*at == '/' || *at == '\\') name = at + 1;
    }
    nn__format(text, size, "%s:%d", name, site.line);
    return text;
}

#ifndef NN_NO_REPORTS
/* Sends one text to two places and puts the call's place behind the function's name, before the first colon.
 */
typedef struct nn__context_message {
    nn_writer log;
    nn_text kept;
    bool keep;
    bool placed; /* the site was written, or there is none */
    const char *site;
} nn__context_message;

static void nn__context_emit(nn__context_message *message, const char *text, size_t length) {
    if (length == 0) return;
    if (message->keep) nn_write_text(&message->kept, text, length);
    if (message->log.function) message->log.function(message->log.user, text, length);
}

static void nn__context_write(void *user, const char *text, size_t length) {
    nn__context_message *message = (nn__context_message *)user;
    size_t before = 0;
    if (!message->placed) {
        while (before < length && text[before] != ':') before++;
        nn__context_emit(message, text, before);
        if (before == length) return;
        nn__context_emit(message, " at ", 4);
        nn__context_emit(message, message->site, strlen(message->site));
        message->placed = true;
    }
    nn__context_emit(message, text + before, length - before);
}

static void nn__context_fail(nn_context *nn, nn_site site, nn_result code, const char *format,
                             va_list arguments) {
    nn__context_message message;
    nn_writer writer;
    char site_text[96];
    memset(&message, 0, sizeof message);
    message.log = nn->log;
    message.keep = nn->error_code == NN_OK;
    message.kept.buffer = nn->error;
    message.kept.size = sizeof nn->error;
    message.placed = site.file == NULL;
    message.site = nn__format_site(site, site_text, sizeof site_text);
    if (message.keep) nn->error_code = code, nn->error_read = false;
    nn->last_code = code;
    writer.function = nn__context_write;
    writer.user = &message;
    nn__vprint(&writer, format, arguments);
    if (nn->report_code == code) nn__print(&writer, "; the device says: %s", nn->report);
    nn->report_code = NN_OK;
    if (message.log.function) message.log.function(message.log.user, "\n", 1);
}

NN_PRIVATE nn_result nn__fail(nn_context *nn, nn_result code, const char *format, ...) {
    va_list arguments;
    if (!nn) return code;
    va_start(arguments, format);
    nn__context_fail(nn, nn_make_site(NULL, 0), code, format, arguments);
    va_end(arguments);
    return code;
}

NN_PRIVATE nn_result nn__fail_at(nn_context *nn, nn_site site, nn_result code, const char *format, ...) {
    va_list arguments;
    if (!nn) return code;
    va_start(arguments, format);
    nn__context_fail(nn, site, code, format, arguments);
    va_end(arguments);
    return code;
}

NN_PRIVATE nn_result nn__fail_memory(nn_context *nn, const char *what, uint64_t bytes) {
    size_t available;
    if (!nn) return NN_ERROR_MEMORY;
    available = nn__available(&nn->memory);
    if (available == SIZE_MAX) {
        return nn__fail(nn, NN_ERROR_MEMORY,
                        "%s: out of memory: %llu bytes wanted, the allocator has none (%llu in use)", what,
                        (unsigned long long)bytes, (unsigned long long)nn->memory.live_bytes);
    }
    return nn__fail(
        nn, NN_ERROR_MEMORY,
        "%s: out of memory: %llu bytes wanted, %llu available in one piece; give nn_desc.block more bytes",
        what, (unsigned long long)bytes, (unsigned long long)available);
}

NN_API void nn_report_error(nn_context *nn, nn_result result, const char *text) {
    if (!nn || !text || (int)result >= 0) return;
    nn->report_code = result;
    nn__copy_text(nn->report, sizeof nn->report, text);
}

#else
NN_PRIVATE nn_result nn__fail_code(nn_context *nn, nn_result code) {
    if (!nn) return code;
    if (nn->error_code == NN_OK) nn->error_code = code;
    nn->last_code = code;
    if (nn->log.function) {
        char text[] = "nn: error -00\n"; /* the texts of all codes would cost half a kilobyte */
        text[11] = (char)(text[11] - (int)code / 10);
        text[12] = (char)(text[12] - (int)code % 10);
        nn->log.function(nn->log.user, text, sizeof text - 1);
    }
    return code;
}

NN_API void nn_report_error(nn_context *nn, nn_result result, const char *text) {
    (void)nn, (void)result, (void)text;
}
#endif

/* An error that nobody asked for goes to stderr when the context closes, unless the log had it. */
#if !defined(NN_NO_STDIO) && !defined(NN_NO_REPORTS)
static void nn__context_note_read(const nn_context *nn) { ((nn_context *)(uintptr_t)nn)->error_read = true; }

static void nn__context_tell_unread(const nn_context *nn) {
    static const char before[] = "nn: nobody asked nn_error, and nn_desc.log is empty; the first error was: ";
    if (nn->error_code == NN_OK || nn->error_read || nn->log.function) return;
    nn_write_stderr(NULL, before, sizeof before - 1);
    nn_write_stderr(NULL, nn->error, strlen(nn->error));
    nn_write_stderr(NULL, "\n", 1);
}
#else
#define nn__context_note_read(nn) ((void)0)
#define nn__context_tell_unread(nn) ((void)0)
#endif

NN_API const char *nn_error(const nn_context *nn) {
    if (!nn) return "no context: nn_open returned NULL";
    nn__context_note_read(nn);
    if (nn->error_code == NN_OK) return NULL;
#ifdef NN_NO_REPORTS
    return nn_result_text(nn->error_code);
#else
    return nn->error;
#endif
}

NN_API nn_result nn_error_code(const nn_context *nn) {
    if (!nn) return NN_ERROR_ARGUMENT;
    nn__context_note_read(nn);
    return nn->error_code;
}

NN_API void nn_clear_error(nn_context *nn) {
    if (!nn) return;
    nn->error_code = NN_OK;
#ifndef NN_NO_REPORTS
    nn->error[0] = 0;
    nn->error_read = false;
    nn->report_code = NN_OK;
#endif
}

/* ---- names of devices ------------------------------------------------------------------------ */

static const char *nn__context_kind_name(nn_device_kind kind) {
    switch (kind) {
#define NN__X(upper, name, open, time) \
    case upper: return name;
        NN__DEVICE_KINDS(NN__X)
#undef NN__X
    default: return "(no kind)";
    }
}

NN_API const char *nn_format_device(nn_device device, char *text, size_t size) {
    const char *kind = nn__context_kind_name(device.kind);
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

NN_PRIVATE nn_result nn__fail_not_open(nn_context *nn, nn_site site, const char *who, nn_device device) {
    char name[32], list[256];
    if (!nn) return NN_ERROR_DEVICE;
    device = nn__resolve_device(nn, device);
    return nn__fail_at(nn, site, NN_ERROR_DEVICE, "%s: %s is not open; open devices: %s; %s", who,
                       nn_format_device(device, name, sizeof name), nn__list_devices(nn, list, sizeof list),
                       nn__how_to_open(device.kind));
}

static char nn__context_lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool nn__context_contains(const char *text, const char *part) {
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && nn__context_lower(text[i]) == nn__context_lower(part[i])) i++;
        if (!part[i]) return true;
    }
    return false;
}

static nn_device_kind nn__context_parse_kind(const char *text, size_t length) {
    for (int kind = NN_CPU; kind < NN_DEVICE_KIND_COUNT; kind++) {
        const char *name = nn__context_kind_name((nn_device_kind)kind);
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
        return nn__fail(
            nn, NN_ERROR_ARGUMENT,
            "nn_parse_device: %s is NULL; wanted a text like \"opencl:0\" and a place for the result",
            text ? "device" : "text");
    }
    while (text[length] && text[length] != ':') length++;
    kind = nn__context_parse_kind(text, length);
    if (kind == NN_DEVICE_DEFAULT) {
        return nn__fail(nn, NN_ERROR_ARGUMENT,
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
                            "nn_parse_device: \"%s\": the number is above %d; open devices: %s", text,
                            NN_MAX_DEVICES - 1, nn__list_devices(nn, list, sizeof list));
        }
        *device = nn_make_device(kind, index);
        return NN_OK;
    }
    for (int i = 0; *rest && i < nn->device_count; i++) {
        if (nn->devices[i].device.kind != kind || !nn__context_contains(nn->devices[i].limits.name, rest))
            continue;
        *device = nn->devices[i].device;
        return NN_OK;
    }
    return nn__fail(nn, NN_ERROR_DEVICE,
                    "nn_parse_device: \"%s\": no open %s device has \"%s\" in its name; open devices: %s",
                    text, nn__context_kind_name(kind), rest, nn__list_devices(nn, list, sizeof list));
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

NN_API nn_result nn_finish(nn_context *nn) {
    nn_result first = NN_OK;
    char name[32];
    if (!nn) return NN_ERROR_ARGUMENT;
    for (int i = 0; i < nn->device_count; i++) {
        nn__open_device *on = &nn->devices[i];
        nn_result result = on->backend->finish(on->state);
        if ((int)result >= 0) continue;
        nn__fail(nn, result, "nn_finish: %s failed: %s", nn_format_device(on->device, name, sizeof name),
                 nn_result_text(result));
        if (first == NN_OK) first = result;
    }
    return first;
}

NN_API nn_memory_use nn_get_memory_use(const nn_context *nn) {
    nn_memory_use use;
    memset(&use, 0, sizeof use);
    if (!nn) return use;
    use.live_bytes = nn->memory.live_bytes;
    use.peak_bytes = nn->memory.peak_bytes;
    use.calls = nn->memory.calls;
    return use;
}

/* ---- adding a device ------------------------------------------------------------------------- */

static const char *nn__context_missing_slot(const nn_backend *backend) {
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

static nn_result nn__context_check_backend(nn_context *nn, const nn_backend *backend) {
    const char *name = backend->name ? backend->name : "(no name)";
    const char *missing;
    if (backend->version != NN_BACKEND_VERSION) {
        return nn__fail(nn, NN_ERROR_DEVICE,
                        "nn_add_backend: backend \"%s\" was written for version %d of the contract, this "
                        "nn.h (%s) has version %d; "
                        "take a backend and an nn.h that fit each other",
                        name, backend->version, NN_VERSION, NN_BACKEND_VERSION);
    }
    if (backend->size < offsetof(nn_backend, kernels)) {
        return nn__fail(nn, NN_ERROR_DEVICE,
                        "nn_add_backend: backend \"%s\" says that its struct has %lu bytes, version %d has at "
                        "least %lu; set size to sizeof(nn_backend)",
                        name, (unsigned long)backend->size, NN_BACKEND_VERSION,
                        (unsigned long)offsetof(nn_backend, kernels));
    }
    if (backend->kind <= NN_DEVICE_DEFAULT || backend->kind >= NN_DEVICE_KIND_COUNT) {
        return nn__fail(nn, NN_ERROR_ARGUMENT,
                        "nn_add_backend: backend \"%s\" has kind %d; wanted NN_CPU to NN_USER_2", name,
                        (int)backend->kind);
    }
    missing = nn__context_missing_slot(backend);
    if (missing) {
        return nn__fail(nn, NN_ERROR_ARGUMENT,
                        "nn_add_backend: backend \"%s\" lacks the function %s, which is not optional", name,
                        missing);
    }
    if (nn->device_count >= NN_MAX_DEVICES) {
        return nn__fail(nn, NN_ERROR_DEVICE,
                        "nn_add_backend: backend \"%s\" would be device %d; a context has at most %d", name,
                        nn->device_count + 1, NN_MAX_DEVICES);
    }
    return NN_OK;
}

NN_API nn_result nn_add_backend(nn_context *nn, const nn_backend *backend, void *state, nn_device *device) {
    nn_result result = NN_ERROR_ARGUMENT;
    if (nn && !backend) nn__fail(nn, result, "nn_add_backend: backend is NULL; wanted a filled nn_backend");
    if (nn && backend) result = nn__context_check_backend(nn, backend);
    if (result != NN_OK) {
        if (backend && backend->close) backend->close(state);
        return result;
    }
    nn__add_device(nn, backend, state, device);
    return NN_OK;
}

NN_PRIVATE void nn__add_device(nn_context *nn, const nn_backend *backend, void *state, nn_device *device) {
    nn__open_device *on = &nn->devices[nn->device_count];
    int index = 0;
    for (int i = 0; i < nn->device_count; i++) index += nn->devices[i].device.kind == backend->kind;
    memset(on, 0, sizeof *on);
    on->device = nn_make_device(backend->kind, index);
    on->backend = backend;
    on->state = state;
    backend->limits(state, &on->limits);
    on->limits.name[NN_NAME_BYTES - 1] = 0;
    nn->device_count++;
    if (device) *device = on->device;
}

NN_API const nn_backend *nn_get_backend(nn_context *nn, nn_device device, void **state) {
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

NN_API const nn_desc *nn_get_desc(const nn_context *nn) { return nn ? &nn->desc : NULL; }

NN_API nn_result nn_record_error(nn_context *nn, nn_result result, const char *text) {
    if ((int)result >= 0) return result;
    return nn__fail(nn, result, "%s", text ? text : nn_result_text(result));
}

/* ---- memory on devices ----------------------------------------------------------------------- */

#ifndef NN__ONE_PIECE
NN_PRIVATE uint64_t nn__largest_piece(nn_context *nn, nn_device device) {
    const nn__open_device *on = nn__find_device(nn, device);
    if (!on || on->limits.host_memory || on->limits.allocation < NN__ALIGNMENT) return UINT64_MAX;
    return on->limits.allocation / NN__ALIGNMENT * NN__ALIGNMENT;
}
#endif

NN_PRIVATE nn_result nn__device_alloc(nn_context *nn, nn_device device, uint64_t bytes, const char *what,
                                      void **handle) {
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
        if (result == NN_ERROR_MEMORY && on->limits.host_memory) return nn__fail_memory(nn, what, bytes);
        free_bytes = on->limits.memory > on->live_bytes ? on->limits.memory - on->live_bytes : 0;
        if (result == NN_ERROR_MEMORY && on->limits.memory > 0) {
            return nn__fail(nn, result,
                            "%s: out of memory on %s: %llu bytes wanted, at most %llu of %llu available",
                            what, nn_format_device(on->device, name, sizeof name), (unsigned long long)bytes,
                            (unsigned long long)free_bytes,
                            (unsigned long long)on->limits.memory);
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

/* ---- opening and closing --------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
static void nn__context_refuse(const nn_desc *desc, const char *format, ...) {
    va_list arguments;
    if (!desc->log.function) return;
    va_start(arguments, format);
    nn__vprint(&desc->log, format, arguments);
    va_end(arguments);
    desc->log.function(desc->log.user, "\n", 1);
}
#else
static void nn__context_refuse_argument(const nn_desc *desc) {
    if (desc->log.function) desc->log.function(desc->log.user, "nn_open\n", 8);
}
#define nn__context_refuse(desc, ...) (NN__NO_TEXT(__VA_ARGS__), nn__context_refuse_argument(desc))
#endif

static bool nn__context_check_desc(const nn_desc *desc) {
    if (desc->block && desc->allocator.allocate) {
        nn__context_refuse(desc,
                           "nn_open: block and allocator are both given; memory comes from one of them");
    } else if (!desc->allocator.allocate != !desc->allocator.release) {
        nn__context_refuse(desc, "nn_open: allocator.%s is NULL; give both functions or none",
                           desc->allocator.allocate ? "release" : "allocate");
    } else if (!desc->block != !desc->block_bytes) {
        nn__context_refuse(desc, "nn_open: block is %p and block_bytes is %zu; give both or none",
                           desc->block, desc->block_bytes);
    } else if ((uintptr_t)desc->block % 16 != 0) {
        nn__context_refuse(desc, "nn_open: block is at %p; wanted an address that is a multiple of 16",
                           desc->block);
    } else if (desc->threads < 0) {
        nn__context_refuse(desc, "nn_open: threads is %d; wanted 0 (one per core) or more", desc->threads);
    } else if (desc->block && desc->threads > 1 && !desc->jobs.run) {
        nn__context_refuse(
            desc,
            "nn_open: threads is %d, but with block there are no threads of our own; leave it 0 or give jobs",
            desc->threads);
    } else if (desc->jobs.workers < 0) {
        nn__context_refuse(desc, "nn_open: jobs.workers is %d; wanted 0 (4) or more", desc->jobs.workers);
    } else if ((int)desc->device.kind < 0 || desc->device.kind >= NN_DEVICE_KIND_COUNT ||
               desc->device.index < 0 || desc->device.index >= NN_MAX_DEVICES) {
        nn__context_refuse(
            desc, "nn_open: device is {%d, %d}, which is no device; wanted nn_cpu(), nn_opencl(0) ...",
            (int)desc->device.kind, desc->device.index);
    } else {
        return true;
    }
    return false;
}

static void nn__context_fill(nn_context *nn, const nn_desc *desc) {
    nn->desc = *desc;
    if (nn->desc.device.kind == NN_DEVICE_DEFAULT) nn->desc.device = nn_cpu();
    if (nn->desc.block && nn->desc.threads == 0) nn->desc.threads = 1;
    if (nn->desc.jobs.run && nn->desc.jobs.workers == 0) nn->desc.jobs.workers = 4;
    if (nn->desc.scratch_bytes == 0) nn->desc.scratch_bytes = (size_t)16 << 20;
    nn->log = desc->log;
    nn->clock = desc->clock;
    nn__clock_init(&nn->clock);
    nn->desc.clock = nn->clock;
#ifndef NN_NO_FILES
    nn->files = desc->files;
    nn__files_init(&nn->files);
    nn->desc.files = nn->files;
#endif
    nn->owned.next = nn->owned.previous = &nn->owned;
}

NN_PRIVATE nn_context *nn__open_base(const nn_desc *desc) {
    nn_desc empty;
    nn__memory memory;
    nn_context *nn;
    nn_result result;
    memset(&empty, 0, sizeof empty);
    memset(&memory, 0, sizeof memory);
    if (!desc) desc = &empty;
    if (!nn__context_check_desc(desc)) return NULL;
#ifdef NN_NO_MALLOC
    if (!desc->block && !desc->allocator.allocate) {
        nn__context_refuse(desc, "nn_open: this program has no malloc (NN_NO_MALLOC); give block and block_bytes, "
                                 "or allocator");
        return NULL;
    }
#endif
    result = nn__memory_init(&memory, &desc->allocator, desc->block, desc->block_bytes);
    if (result != NN_OK) {
        nn__context_refuse(
            desc, "nn_open: a block of %zu bytes is too small for anything; the context alone needs %zu",
            desc->block_bytes, sizeof *nn);
        return NULL;
    }
    nn = (nn_context *)nn__allocate(&memory, sizeof *nn);
    if (!nn) {
        nn__context_refuse(desc, "nn_open: no memory for the context: %zu bytes wanted, %zu available",
                           sizeof *nn, desc->block ? nn__available(&memory) : (size_t)0);
        return NULL;
    }
    nn->memory = memory;
    nn__context_fill(nn, desc);
    result = nn__pool_open(&nn->memory, &nn->desc.jobs, nn->desc.threads, &nn->pool);
    if (result != NN_OK) {
        nn__context_refuse(desc, "nn_open: no thread pool: %s; threads = 1 needs none",
                           nn_result_text(result));
        memory = nn->memory;
        nn__release(&memory, nn, sizeof *nn);
        return NULL;
    }
    return nn;
}

NN_API void nn_close(nn_context *nn) {
    nn__memory memory;
    if (!nn) return;
    for (int i = 0; i < nn->device_count; i++) nn->devices[i].backend->finish(nn->devices[i].state);
#ifndef NN_NO_REPORTS
    nn->closing = true;
#endif
    nn__destroy_all(&nn->owned);
    for (int i = nn->device_count - 1; i >= 0; i--) {
        nn__open_device *on = &nn->devices[i];
        nn__device_release(nn, on->device, nn->scratch[i], nn->scratch_bytes[i]);
        on->backend->close(on->state);
        nn->device_count = i;
    }
#ifndef NN_NO_REPORTS
    nn__release(&nn->memory, nn->ledger.entries, sizeof(nn_ledger_entry) * (size_t)nn->ledger.capacity);
#endif
    nn__pool_close(&nn->memory, nn->pool);
    nn__context_tell_unread(nn);
    memory = nn->memory;
    nn__release(&memory, nn, sizeof *nn);
}
