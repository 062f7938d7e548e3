/* device/crossing.c - the only functions that move bytes between devices. Each asks the ledger
   first and reports to it afterwards. The callers decide which bytes go where, and when. */
#include "device/private.h"

#define NN__CROSSING_PIECE 65536u /* smallest piece between two devices, in bytes, if staging
                                     allows */

/* Reports a failed crossing. The host's own arrays count as the CPU. */
static nn_result nn__crossing_failed(nn_context *nn, nn_result result, const char *what,
                                     const char *tensor, nn_device device, uint64_t bytes,
                                     nn_site site) {
    char name[32];
    return nn__fail_at(nn, site, result, "%s: \"%s\", %llu bytes, %s: %s", what, tensor,
                       (unsigned long long)bytes,
                       nn_format_device(nn__resolve_device(nn, device), name, sizeof name),
                       nn_result_text(result));
}

NN_PRIVATE nn_result nn__upload(nn_context *nn, nn_device to, const nn_view *view, const void *from,
                                uint64_t bytes, const char *tensor, nn_site site, nn_fence *fence) {
    nn__open_device *on = nn__find_device(nn, to);
    nn_result result;
    if (!on) return nn__fail_not_open(nn, site, "upload", to);
    result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, tensor, site);
    if (result != NN_OK) return result;
    if (fence) {
        memset(fence, 0, sizeof *fence);
        fence->device = on->device;
    }
    result = on->backend->upload(on->state, view->handle, view->offset, from, bytes, fence);
    if ((int)result < 0) return nn__crossing_failed(nn, result, "upload", tensor, to, bytes, site);
#ifndef NN_NO_REPORTS
    if (fence) nn->ledger.fence = *fence;
#endif
    return nn__ledger_add(nn, NN_CROSS_UPLOAD, NN_WAY_COPIED, nn_cpu(), on->device, bytes, bytes,
                          tensor, site);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__upload_ahead(nn_context *nn, nn_device to, const nn_view *view,
                                 const void *from, uint64_t bytes, nn_fence *fence) {
    nn__open_device *on = nn__find_device(nn, to);
    nn_result result;
    if (!on || nn->ledger.guard) return false;
#ifndef NN_NO_REPORTS
    if (nn->ledger.watches) return false;
#endif
    result = on->backend->upload(on->state, view->handle, view->offset, from, bytes, fence);
    if ((int)result >= 0) return true;
#ifndef NN_NO_REPORTS
    nn->report_code = NN_OK; /* the normal upload that follows reports its own error */
#endif
    return false;
}

NN_PRIVATE nn_result nn__upload_done(nn_context *nn, nn_device to, uint64_t bytes,
                                     const char *tensor, nn_site site) {
    nn_result result = nn__ledger_ask(nn, NN_CROSS_UPLOAD, bytes, tensor, site);
    if (result != NN_OK) return result;
    return nn__ledger_add(nn, NN_CROSS_UPLOAD, NN_WAY_COPIED, nn_cpu(), to, bytes, bytes, tensor,
                          site);
}
#endif

NN_PRIVATE nn_result nn__download_begin(nn_context *nn, nn_device from, const nn_view *view,
                                        void *to, uint64_t bytes, const char *tensor, nn_site site,
                                        nn_fence *fence) {
    nn__open_device *on = nn__find_device(nn, from);
    nn_result result;
    if (!on) return nn__fail_not_open(nn, site, "download", from);
    result = nn__ledger_ask(nn, NN_CROSS_DOWNLOAD, bytes, tensor, site);
    if (result != NN_OK) return result;
    if (fence) {
        memset(fence, 0, sizeof *fence);
        fence->device = on->device;
    }
    result = on->backend->download(on->state, view->handle, view->offset, to, bytes, fence);
    if ((int)result < 0)
        return nn__crossing_failed(nn, result, "download", tensor, from, bytes, site);
#ifndef NN_NO_REPORTS
    if (fence) nn->ledger.fence = *fence;
#endif
    return nn__ledger_add(nn, NN_CROSS_DOWNLOAD, NN_WAY_COPIED, on->device, nn_cpu(), bytes, bytes,
                          tensor, site);
}

/* A crossing in pieces: while one half of staging is uploaded, the next piece is downloaded into
   the other half. */
typedef struct nn__crossing_pieces {
    const nn__open_device *target, *source;
    const nn_view *to, *from;
    uint64_t bytes, piece;
    char *half[2];
    nn_fence down[2], up[2]; /* the last transfers into and out of each half */
} nn__crossing_pieces;

static uint64_t nn__crossing_piece_bytes(const nn__crossing_pieces *p, uint64_t i) {
    return p->bytes - i * p->piece < p->piece ? p->bytes - i * p->piece : p->piece;
}

static nn_result nn__crossing_down(nn__crossing_pieces *p, uint64_t i) {
    return p->source->backend->download(p->source->state, p->from->handle,
                                        p->from->offset + i * p->piece, p->half[i & 1],
                                        nn__crossing_piece_bytes(p, i), &p->down[i & 1]);
}

static nn_result nn__crossing_up(nn__crossing_pieces *p, uint64_t i) {
    const nn_result result = p->source->backend->fence_wait(p->source->state, p->down[i & 1]);
    if ((int)result < 0) return result;
    return p->target->backend->upload(p->target->state, p->to->handle, p->to->offset + i * p->piece,
                                      p->half[i & 1], nn__crossing_piece_bytes(p, i),
                                      &p->up[i & 1]);
}

/* Both devices have queues, so this waits for a piece only when its half of staging is needed. */
static nn_result nn__crossing_run(nn__crossing_pieces *p) {
    nn_result result = nn__crossing_down(p, 0);
    for (uint64_t i = 0; i * p->piece < p->bytes && (int)result >= 0; i++) {
        const bool more = (i + 1) * p->piece < p->bytes;
        if (more && i > 0) /* the other half is still being uploaded */
            result = p->target->backend->fence_wait(p->target->state, p->up[(i + 1) & 1]);
        if (more && (int)result >= 0) result = nn__crossing_down(p, i + 1);
        if ((int)result >= 0) result = nn__crossing_up(p, i);
    }
    for (int i = 0; i < 2 && (int)result >= 0; i++)
        result = p->target->backend->fence_wait(p->target->state, p->up[i]);
    if ((int)result < 0) { /* the caller will reuse staging */
        p->source->backend->finish(p->source->state);
        p->target->backend->finish(p->target->state);
    }
    return result;
}

static nn_result nn__crossing_staged(const nn__open_device *target, const nn_view *to,
                                     const nn__open_device *source, const nn_view *from,
                                     uint64_t bytes, void *staging, size_t staging_bytes) {
    nn__crossing_pieces p;
    nn_result result;
    memset(&p, 0, sizeof p);
    p.target = target;
    p.source = source;
    p.to = to;
    p.from = from;
    p.bytes = bytes;
    p.piece = bytes / 4 > NN__CROSSING_PIECE ? bytes / 4 / 64 * 64 : NN__CROSSING_PIECE;
    if (p.piece > staging_bytes / 2) p.piece = staging_bytes / 2;
    p.half[0] = (char *)staging;
    p.half[1] = (char *)staging + p.piece;
    /* Small crossings that fit into staging use it as a whole. So staging may be a single byte,
       which has no halves. */
    if (bytes > staging_bytes || bytes > 2 * NN__CROSSING_PIECE) return nn__crossing_run(&p);
    result = source->backend->download(source->state, from->handle, from->offset, staging, bytes,
                                       NULL);
    return (int)result < 0 ? result
                           : target->backend->upload(target->state, to->handle, to->offset,
                                                     staging, bytes, NULL);
}

/* A device with host memory counts as the host: then the crossing is an upload or a download. */
static nn_crossing nn__crossing_kind(const nn__open_device *target, const nn__open_device *source) {
    if (source->limits.host_memory == target->limits.host_memory) return NN_CROSS_DEVICE;
    return source->limits.host_memory ? NN_CROSS_UPLOAD : NN_CROSS_DOWNLOAD;
}

NN_PRIVATE nn_result nn__cross(nn_context *nn, nn_device to, const nn_view *to_view, nn_device from,
                               const nn_view *from_view, uint64_t bytes, void *staging,
                               size_t staging_bytes, const char *tensor, nn_site site) {
    nn__open_device *target = nn__find_device(nn, to), *source = nn__find_device(nn, from);
    nn_crossing_way way = NN_WAY_COPIED;
    nn_crossing crossing;
    nn_result result;
    if (!target) return nn__fail_not_open(nn, site, "copy", to);
    if (!source) return nn__fail_not_open(nn, site, "copy", from);
    if (target == source) {
        result = target->backend->copy(target->state, to_view->handle, to_view->offset,
                                       from_view->handle, from_view->offset, bytes);
        return (int)result < 0 ? nn__crossing_failed(nn, result, "copy", tensor, to, bytes, site)
                               : NN_OK;
    }
    crossing = nn__crossing_kind(target, source);
    result = nn__ledger_ask(nn, crossing, bytes, tensor, site);
    if (result != NN_OK) return result;
    if (source->limits.host_memory) {
        const char *pointer = (const char *)from_view->handle + from_view->offset;
        result = source->backend->finish(source->state); /* kernels may still be writing */
        if ((int)result >= 0) {
            result = target->backend->upload(target->state, to_view->handle, to_view->offset,
                                             pointer, bytes, NULL);
        }
    } else if (target->limits.host_memory) {
        char *pointer = (char *)to_view->handle + to_view->offset;
        result = target->backend->finish(target->state);
        if ((int)result >= 0) {
            result = source->backend->download(source->state, from_view->handle, from_view->offset,
                                               pointer, bytes, NULL);
        }
    } else {
        NN_ASSERT(staging && staging_bytes > 0);
        way = NN_WAY_STAGED;
        result =
            nn__crossing_staged(target, to_view, source, from_view, bytes, staging, staging_bytes);
    }
    if ((int)result < 0) return nn__crossing_failed(nn, result, "copy", tensor, to, bytes, site);
    return nn__ledger_add(nn, crossing, way, source->device, target->device, bytes,
                          way == NN_WAY_STAGED ? 2 * bytes : bytes, tensor, site);
}

/* Enlarges one of a device's two scratch buffers if needed: *handle with *have bytes. `other`
   bytes also count against nn_desc.scratch_bytes. */
static nn_result nn__scratch_grow(nn_context *nn, const nn__open_device *on, void **handle,
                                  uint64_t *have, uint64_t other, uint64_t bytes, const char *who,
                                  nn_view *scratch) {
    nn_result result;
    memset(scratch, 0, sizeof *scratch);
    if (bytes == 0) return NN_OK;
    if (bytes > nn->desc.scratch_bytes || other > nn->desc.scratch_bytes - bytes) {
        return nn__fail(
            nn, NN_ERROR_MEMORY,
            "%s: wants %llu bytes of scratch, but nn_desc.scratch_bytes allows %zu; raise it", who,
            (unsigned long long)(bytes + other), nn->desc.scratch_bytes);
    }
    bytes = (bytes + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    if (bytes > *have) {
        result = on->backend->finish(on->state); /* a kernel may still use the old one */
        if ((int)result < 0) return nn__fail(nn, result, "%s: %s", who, nn_result_text(result));
        nn__device_release(nn, on->device, *handle, *have);
        *handle = NULL;
        *have = 0;
        result = nn__device_alloc(nn, on->device, bytes, who, handle);
        if (result != NN_OK) return result;
        *have = bytes;
    }
    scratch->handle = *handle;
    scratch->dtype = NN_U8;
    scratch->shape.rank = 2; /* rows of 64 bytes, so that the extents fit into int32 */
    scratch->shape.extent[0] = (int32_t)(*have / NN__ALIGNMENT);
    scratch->shape.extent[1] = (int32_t)NN__ALIGNMENT;
    return NN_OK;
}

NN_PRIVATE nn_result nn__immediate_scratch(nn_context *nn, nn_device device, uint64_t bytes,
                                           const char *who, nn_view *scratch) {
    const nn__open_device *on = nn__find_device(nn, device);
    if (!on) return nn__fail_not_open(nn, nn_make_site(NULL, 0), who, device);
    const int i = (int)(on - nn->devices);
#ifndef NN_NO_TRAINING
    const uint64_t other = nn->held_bytes[i];
#else
    const uint64_t other = 0;
#endif
    return nn__scratch_grow(nn, on, &nn->scratch[i], &nn->scratch_bytes[i], other, bytes, who,
                            scratch);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__hold_scratch(nn_context *nn, nn_device device, uint64_t bytes,
                                      const char *who, nn_view *scratch) {
    const nn__open_device *on = nn__find_device(nn, device);
    if (!on) return nn__fail_not_open(nn, nn_make_site(NULL, 0), who, device);
    const int i = (int)(on - nn->devices);
    const uint64_t idle = nn->scratch_bytes[i];
    nn_result result =
        nn__scratch_grow(nn, on, &nn->held[i], &nn->held_bytes[i], 0, bytes, who, scratch);
    if (result != NN_OK || nn->held_bytes[i] + idle <= nn->desc.scratch_bytes) return result;
    /* The two buffers together exceed the limit. No kernel uses the other one now: release it. */
    result = on->backend->finish(on->state);
    if ((int)result < 0) return nn__fail(nn, result, "%s: %s", who, nn_result_text(result));
    nn__device_release(nn, on->device, nn->scratch[i], idle);
    nn->scratch[i] = NULL;
    nn->scratch_bytes[i] = 0;
    return NN_OK;
}
#endif

#undef NN__CROSSING_PIECE
