/* opencl/queue.c - transfers, and the order between the two queues.

   Both queues are in-order. Transfers with a fence use the copy queue, so that batches and results
   are transferred during computation. All other work uses the compute queue, including short
   downloads, because an event between the queues takes longer than they do.

   device->shared lists the buffers that the copy queue writes or reads. Each has two events: its
   last transfer, for which the compute queue waits before the next use, and its last use, for which
   the copy queue waits before the next transfer. A buffer that was only read is removed at its next
   use. The results are those of a single queue. A queue is always flushed before the other one
   waits for it. An adopted device has one queue for both. */
#include "opencl/private.h"

#define NN__OPENCL_QUEUE_SHORT 65536u /* in bytes: smaller downloads stay on the compute queue */

/* ---- buffers that both queues touch ---------------------------------------------------------- */

NN__OPENCL_PRIVATE int nn__opencl_find_shared(nn__opencl *device, cl_mem buffer) {
    for (int i = 0; i < device->shared_count; i++)
        if (buffer && device->shared[i].buffer == buffer) return i;
    return -1;
}

NN__OPENCL_PRIVATE cl_uint nn__opencl_before_use(nn__opencl *device, const int *shared, int count,
                                                 cl_event *events) {
    cl_uint found = 0;
    for (int i = 0; i < count; i++) {
        cl_event transfer = device->shared[shared[i]].transfer;
        bool twice = false;
        for (cl_uint j = 0; j < found; j++) twice |= events[j] == transfer;
        if (transfer && !twice) events[found++] = transfer;
    }
    return found;
}

NN__OPENCL_PRIVATE void nn__opencl_after_use(nn__opencl *device, const int *shared, int count,
                                             cl_event event) {
    for (int i = 0; i < count && event; i++) {
        nn__opencl_shared *entry = &device->shared[shared[i]];
        if (entry->use == event) continue; /* the same buffer occurs twice */
        nn__opencl_drop_event(device, &entry->transfer);
        nn__opencl_drop_event(device, &entry->use);
        if (entry->written)
            entry->use = nn__opencl_retain_event(device, event);
        else
            entry->buffer = NULL; /* frees the place, so that later uses need no event */
    }
    while (device->shared_count > 0 && !device->shared[device->shared_count - 1].buffer)
        device->shared_count--;
    if (event) device->cl.ReleaseEvent(event);
}

NN__OPENCL_PRIVATE void nn__opencl_forget_shared(nn__opencl *device, cl_mem buffer) {
    for (int i = device->shared_count - 1; i >= 0; i--) {
        nn__opencl_shared *entry = &device->shared[i];
        if (buffer && entry->buffer != buffer) continue;
        nn__opencl_drop_event(device, &entry->transfer);
        nn__opencl_drop_event(device, &entry->use);
        *entry = device->shared[--device->shared_count];
        memset(&device->shared[device->shared_count], 0, sizeof *entry);
    }
}

/* The buffers (up to two) of a transfer on the compute queue. */
typedef struct nn__opencl_queue_use {
    int shared[2];
    int count;
    cl_event waits[2];
    cl_uint wait_count;
    cl_event done;
} nn__opencl_queue_use;

static nn_result nn__opencl_queue_begin(nn__opencl *device, nn__opencl_queue_use *use, void *first,
                                        void *second) {
    nn_result result = nn__opencl_take_back(device, (cl_mem)first);
    if (result == NN_OK && second) result = nn__opencl_take_back(device, (cl_mem)second);
    memset(use, 0, sizeof *use);
    for (int i = 0; i < 2 && device->shared_count > 0; i++) {
        int index = nn__opencl_find_shared(device, (cl_mem)(i == 0 ? first : second));
        if (index >= 0) use->shared[use->count++] = index;
    }
    use->wait_count = nn__opencl_before_use(device, use->shared, use->count, use->waits);
    return result;
}

static const cl_event *nn__opencl_queue_waits(const nn__opencl_queue_use *use) {
    return use->wait_count ? use->waits : NULL;
}

/* Returns where the call stores its event; NULL: none is needed. */
static cl_event *nn__opencl_queue_done(const nn__opencl *device, nn__opencl_queue_use *use) {
    return use->count || device->recording ? &use->done : NULL;
}

static nn_result nn__opencl_queue_end(nn__opencl *device, nn__opencl_queue_use *use,
                                      const char *call, cl_int status) {
    if (status != CL_SUCCESS) {
        nn__opencl_drop_event(device, &use->done);
        return nn__opencl_fail(device, call, status);
    }
    nn__opencl_record(device, use->done);
    nn__opencl_after_use(device, use->shared, use->count, use->done);
    return NN_OK;
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* Returns a free place in device->shared; -1: none. */
static int nn__opencl_queue_free_entry(nn__opencl *device, cl_mem buffer) {
    int index = 0;
    while (index < device->shared_count && device->shared[index].buffer) index++;
    if (index == NN__OPENCL_SHARED) return -1;
    if (index == device->shared_count) device->shared_count++;
    memset(&device->shared[index], 0, sizeof device->shared[0]);
    device->shared[index].buffer = buffer;
    return index;
}

/* Finds the event that the copy queue must wait for before it uses `buffer`; the caller releases
   it. NULL: none. */
static cl_int nn__opencl_queue_before_transfer(nn__opencl *device, cl_mem buffer, int *index,
                                               cl_event *wait, const char **call) {
    cl_int status = CL_SUCCESS;
    *wait = NULL;
    *call = "clEnqueueUnmapMemObject";
    if (nn__opencl_take_back(device, buffer) != NN_OK) return device->last_status;
    *index = nn__opencl_find_shared(device, buffer);
    if (*index >= 0) {
        *wait = device->shared[*index].use;
        if (*wait) *wait = nn__opencl_retain_event(device, *wait);
        if (!*wait) return CL_SUCCESS;
    } else { /* a new buffer: everything on the compute queue may use it */
        *call = "clEnqueueMarkerWithWaitList";
        status = device->cl.EnqueueMarkerWithWaitList(device->compute, 0, NULL, wait);
        if (status != CL_SUCCESS) return status;
        *index = nn__opencl_queue_free_entry(device, buffer);
    }
    *call = "clFlush";
    return nn__opencl_flush(device);
}

static cl_int nn__opencl_queue_enqueue_transfer(nn__opencl *device, cl_mem buffer, uint64_t offset,
                                                const void *from, void *to, uint64_t bytes,
                                                const cl_event *wait, cl_event *done,
                                                const char **call) {
    device->copying = true;
    *call = from ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer";
    return from ? device->cl.EnqueueWriteBuffer(device->copy, buffer, CL_FALSE, (size_t)offset,
                                                (size_t)bytes, from, *wait ? 1 : 0,
                                                *wait ? wait : NULL, done)
                : device->cl.EnqueueReadBuffer(device->copy, buffer, CL_FALSE, (size_t)offset,
                                               (size_t)bytes, to, *wait ? 1 : 0,
                                               *wait ? wait : NULL, done);
}

/* Uploads `from` or downloads to `to`, memory of the caller, on the copy queue. The other one is
   NULL. */
static nn_result nn__opencl_queue_transfer(nn__opencl *device, cl_mem buffer, uint64_t offset,
                                           const void *from, void *to, uint64_t bytes,
                                           nn_fence *fence) {
    cl_event wait = NULL, done = NULL;
    const char *call = NULL;
    int index = -1;
    cl_int status = nn__opencl_queue_before_transfer(device, buffer, &index, &wait, &call);
    if (status == CL_SUCCESS)
        status = nn__opencl_queue_enqueue_transfer(device, buffer, offset, from, to, bytes, &wait,
                                                   &done, &call);
    if (status == CL_SUCCESS) {
        call = "clFlush";
        status = device->cl.Flush(device->copy);
    }
    /* no place to remember it, so the compute queue waits now */
    if (status == CL_SUCCESS && index < 0) {
        call = "clEnqueueBarrierWithWaitList";
        status = device->cl.EnqueueBarrierWithWaitList(device->compute, 1, &done, NULL);
    }
    if (wait) device->cl.ReleaseEvent(wait);
    if (status != CL_SUCCESS) {
        if (done) { /* the caller reuses its memory after the error */
            device->cl.WaitForEvents(1, &done);
            device->cl.ReleaseEvent(done);
        }
        if (index >= 0 && !device->shared[index].transfer &&
            !device->shared[index].use) /* its users are not known */
            nn__opencl_forget_shared(device, buffer);
        return nn__opencl_fail(device, call, status);
    }
    if (index >= 0) {
        nn__opencl_drop_event(device, &device->shared[index].transfer);
        nn__opencl_drop_event(device, &device->shared[index].use);
        device->shared[index].transfer = nn__opencl_retain_event(device, done);
        device->shared[index].written |= from != NULL;
    }
    if (to) nn__opencl_record(device, done);
    nn__opencl_give_fence(device, done, fence);
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_upload(void *state, void *handle, uint64_t offset,
                                               const void *from, uint64_t bytes, nn_fence *fence) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_queue_use use;
    const char *call = "clWaitForEvents";
    cl_event done = NULL;
    cl_int status;
    if (fence) memset(fence, 0, sizeof *fence);
    if (fence) fence->device = device->device;
    if (bytes == 0) return NN_OK;
    if (fence && device->copy != device->compute)
        return nn__opencl_queue_transfer(device, (cl_mem)handle, offset, from, NULL, bytes, fence);
    if (nn__opencl_queue_begin(device, &use, handle, NULL) != NN_OK) return NN_ERROR_BACKEND;
    status = device->cl.EnqueueWriteBuffer(
        device->compute, (cl_mem)handle, fence || device->patient ? CL_FALSE : CL_TRUE,
        (size_t)offset, (size_t)bytes, from, use.wait_count, nn__opencl_queue_waits(&use),
        fence             ? &done
        : device->patient ? &use.done
                          : nn__opencl_queue_done(device, &use));
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueWriteBuffer", status);
    if (fence)
        nn__opencl_give_fence(device, done, fence);
    else if (device->patient)
        status = nn__opencl_wait_here(device, use.done, &call);
    return nn__opencl_queue_end(device, &use, call, status);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_upload_next(nn__opencl *device, cl_mem buffer,
                                                    const void *from, uint64_t bytes,
                                                    nn_fence *fence) {
    cl_event done = NULL;
    const cl_int status = device->cl.EnqueueWriteBuffer(device->compute, buffer, CL_FALSE, 0,
                                                        (size_t)bytes, from, 0, NULL, &done);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueWriteBuffer", status);
    nn__opencl_give_fence(device, done, fence);
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_download(void *state, void *handle, uint64_t offset,
                                                 void *to, uint64_t bytes, nn_fence *fence) {
    nn__opencl *device = (nn__opencl *)state;
    const bool sleeps = !fence && device->patient;
    nn__opencl_queue_use use;
    const char *call = "clWaitForEvents";
    cl_int status;
    if (fence) memset(fence, 0, sizeof *fence);
    if (fence) fence->device = device->device;
    if (bytes == 0) return NN_OK;
    if (fence && bytes >= NN__OPENCL_QUEUE_SHORT && device->copy != device->compute)
        return nn__opencl_queue_transfer(device, (cl_mem)handle, offset, NULL, to, bytes, fence);
    if (nn__opencl_queue_begin(device, &use, handle, NULL) != NN_OK) return NN_ERROR_BACKEND;
    status = device->cl.EnqueueReadBuffer(
        device->compute, (cl_mem)handle, fence || sleeps ? CL_FALSE : CL_TRUE, (size_t)offset,
        (size_t)bytes, to, use.wait_count, nn__opencl_queue_waits(&use),
        fence || sleeps || use.count ? &use.done : NULL);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueReadBuffer", status);
    if (fence) {
        nn__opencl_give_fence(device, nn__opencl_retain_event(device, use.done), fence);
        nn__opencl_flush(device);
    }
    if (sleeps) status = nn__opencl_wait_here(device, use.done, &call);
    return nn__opencl_queue_end(device, &use, call, status);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_copy(void *state, void *to, uint64_t to_offset, void *from,
                                             uint64_t from_offset, uint64_t bytes) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_queue_use use;
    cl_int status;
    device->repeat = NULL;
    if (bytes == 0) return NN_OK;
    if (nn__opencl_queue_begin(device, &use, to, from) != NN_OK) return NN_ERROR_BACKEND;
    status = device->cl.EnqueueCopyBuffer(device->compute, (cl_mem)from, (cl_mem)to,
                                          (size_t)from_offset, (size_t)to_offset, (size_t)bytes,
                                          use.wait_count, nn__opencl_queue_waits(&use),
                                          nn__opencl_queue_done(device, &use));
    return nn__opencl_queue_end(device, &use, "clEnqueueCopyBuffer", status);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_fill(void *state, void *handle, uint64_t offset,
                                             uint64_t bytes, uint8_t value) {
    nn__opencl *device = (nn__opencl *)state;
    uint32_t pattern = (uint32_t)value * 0x01010101u;
    device->repeat = NULL;
    size_t pattern_bytes = offset % 4 == 0 && bytes % 4 == 0 ? 4 : 1;
    nn__opencl_queue_use use;
    cl_int status;
    if (bytes == 0) return NN_OK;
    if (nn__opencl_queue_begin(device, &use, handle, NULL) != NN_OK) return NN_ERROR_BACKEND;
    status = device->cl.EnqueueFillBuffer(
        device->compute, (cl_mem)handle, &pattern, pattern_bytes, (size_t)offset, (size_t)bytes,
        use.wait_count, nn__opencl_queue_waits(&use), nn__opencl_queue_done(device, &use));
    return nn__opencl_queue_end(device, &use, "clEnqueueFillBuffer", status);
}

NN__OPENCL_PRIVATE void *nn__opencl_map(void *state, void *handle, uint64_t offset, uint64_t bytes,
                                        bool write) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_queue_use use;
    const char *call = "clEnqueueMapBuffer";
    cl_int status = CL_SUCCESS;
    void *pointer;
    if (nn__opencl_queue_begin(device, &use, handle, NULL) != NN_OK) return NULL;
    pointer = device->cl.EnqueueMapBuffer(
        device->compute, (cl_mem)handle, device->patient ? CL_FALSE : CL_TRUE,
        write ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ, (size_t)offset, (size_t)bytes,
        use.wait_count, nn__opencl_queue_waits(&use),
        device->patient ? &use.done : nn__opencl_queue_done(device, &use), &status);
    if (status == CL_SUCCESS && device->patient) {
        status = nn__opencl_wait_here(device, use.done, &call);
        if (status != CL_SUCCESS)
            device->cl.EnqueueUnmapMemObject(device->compute, (cl_mem)handle, pointer, 0, NULL,
                                             NULL);
    }
    if (nn__opencl_queue_end(device, &use, call, status) != NN_OK) return NULL;
    return pointer;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_unmap(void *state, void *handle, void *pointer) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_queue_use use;
    cl_int status;
    if (nn__opencl_queue_begin(device, &use, handle, NULL) != NN_OK) return NN_ERROR_BACKEND;
    status = device->cl.EnqueueUnmapMemObject(device->compute, (cl_mem)handle, pointer,
                                              use.wait_count, nn__opencl_queue_waits(&use),
                                              nn__opencl_queue_done(device, &use));
    return nn__opencl_queue_end(device, &use, "clEnqueueUnmapMemObject", status);
}

#undef NN__OPENCL_QUEUE_SHORT
