/* device/context.c - opens and closes a context. Its devices are in device/devices.c. */
#include "device/private.h"

/* ---- opening and closing --------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
#define NN__SHELLS 64 /* at most 3 KB each */

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
        nn__context_refuse(
            desc, "nn_open: block and allocator are both given; memory comes from one of them");
    } else if (!desc->allocator.allocate != !desc->allocator.release) {
        nn__context_refuse(desc, "nn_open: allocator.%s is NULL; give both functions or none",
                           desc->allocator.allocate ? "release" : "allocate");
    } else if (!desc->block != !desc->block_bytes) {
        nn__context_refuse(desc, "nn_open: block is %p and block_bytes is %zu; give both or none",
                           desc->block, desc->block_bytes);
    } else if ((uintptr_t)desc->block % 16 != 0) {
        nn__context_refuse(desc,
                           "nn_open: block is at %p; wanted an address that is a multiple of 16",
                           desc->block);
    } else if (desc->threads < 0) {
        nn__context_refuse(desc, "nn_open: threads is %d; wanted 0 (one per core) or more",
                           desc->threads);
    } else if (desc->block && desc->threads > 1 && !desc->jobs.run) {
        nn__context_refuse(desc,
                           "nn_open: threads is %d, but with block there are no threads of our "
                           "own; leave it 0 or give jobs",
                           desc->threads);
    } else if (desc->jobs.workers < 0) {
        nn__context_refuse(desc, "nn_open: jobs.workers is %d; wanted 0 (4) or more",
                           desc->jobs.workers);
    } else if ((int)desc->device.kind < 0 || desc->device.kind >= NN_DEVICE_KIND_COUNT ||
               desc->device.index < 0 || desc->device.index >= NN_MAX_DEVICES) {
        nn__context_refuse(
            desc,
            "nn_open: device is {%d, %d}, which is no device; wanted nn_cpu(), nn_opencl(0) ...",
            (int)desc->device.kind, desc->device.index);
#ifndef NN__LEAN
    } else if ((int)desc->precision < 0 || desc->precision >= NN_PRECISION_COUNT) {
        nn__context_refuse(desc,
                           "nn_open: precision is %d; wanted NN_PRECISION_HIGHEST, "
                           "NN_PRECISION_HIGH or NN_PRECISION_MEDIUM, or 0 for the first",
                           (int)desc->precision);
#endif
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
    if (nn->desc.scratch_bytes == 0) nn->desc.scratch_bytes = (size_t)96 << 20;
#ifndef NN__LEAN
    if (nn->desc.precision == NN_PRECISION_DEFAULT) nn->desc.precision = NN_PRECISION_HIGHEST;
#endif
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
        nn__context_refuse(
            desc, "nn_open: this program has no malloc (NN_NO_MALLOC); give block and block_bytes, "
                  "or allocator");
        return NULL;
    }
#endif
    result = nn__memory_init(&memory, &desc->allocator, desc->block, desc->block_bytes);
    if (result != NN_OK) {
        nn__context_refuse(
            desc,
            "nn_open: a block of %zu bytes is too small for anything; the context alone needs %zu",
            desc->block_bytes, sizeof *nn);
        return NULL;
    }
    nn = (nn_context *)nn__allocate(&memory, sizeof *nn);
    if (!nn) {
        nn__context_refuse(desc,
                           "nn_open: no memory for the context: %zu bytes wanted, %zu available",
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

NN_API uint64_t nn_now(const nn_context *nn) { return nn ? nn__now(&nn->clock) : 0; }

NN_API nn_memory_use nn_context_memory(const nn_context *nn) {
    nn_memory_use use;
    memset(&use, 0, sizeof use);
    if (!nn) return use;
    use.live_bytes = nn->memory.live_bytes;
    use.peak_bytes = nn->memory.peak_bytes;
    use.calls = nn->memory.calls;
#ifdef NN__MEASURE
    use.block_bytes = nn->memory.block_bytes;
    use.block_needed_bytes = nn->memory.block_bytes - nn->memory.untouched;
#endif
    return use;
}

#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__keep_shell(nn_context *nn, nn__owned *shell, void (*release)(nn__owned *self)) {
    if (nn->closing || nn->memory.block) return false;
    if (nn->shell_count == NN__SHELLS) {
        nn__owned *oldest = nn->shells.previous;
        nn__disown(oldest);
        oldest->destroy(oldest);
    } else {
        nn->shell_count++;
    }
    nn__own(&nn->shells, shell, release);
    return true;
}
#endif

NN_API void nn_close(nn_context *nn) {
    nn__memory memory;
    if (!nn || !nn__enter(nn, "nn_close", nn_make_site(NULL, 0))) return;
#ifndef NN_NO_TRAINING
    if (nn->fits > 0) {
        nn__fail(nn, NN_ERROR_BUSY,
                 "nn_close: nn_fit is under way, and calls this callback; nothing was closed: "
                 "return false, and close it when nn_fit has returned");
        nn__leave(nn, NN_OK);
        return;
    }
#endif
    for (int i = 0; i < nn->device_count; i++) nn->devices[i].backend->finish(nn->devices[i].state);
#ifndef NN_NO_REPORTS
    nn->closing = true;
#endif
    nn__destroy_all(&nn->owned);
#ifndef NN_NO_REPORTS
    nn__destroy_all(&nn->shells);
#endif
    for (int i = nn->device_count - 1; i >= 0; i--) {
        nn__open_device *on = &nn->devices[i];
        nn__device_release(nn, on->device, nn->scratch[i], nn->scratch_bytes[i]);
#ifndef NN_NO_TRAINING
        nn__device_release(nn, on->device, nn->held[i], nn->held_bytes[i]);
#endif
        on->backend->close(on->state);
        nn->device_count = i;
    }
#ifndef NN_NO_REPORTS
    nn__release(&nn->memory, nn->ledger.entries,
                sizeof(nn_ledger_entry) * (size_t)nn->ledger.capacity);
#endif
    nn__pool_close(&nn->memory, nn->pool);
    nn__tell_unread_error(nn);
    memory = nn->memory;
    nn__release(&memory, nn, sizeof *nn);
}

#ifndef NN_NO_REPORTS
#undef NN__SHELLS
#endif
