/* opencl/queue.c - transfers, fences, and the order between the two queues.

   Both queues are in-order. Transfers with a fence use the copy queue, so that batches and results
   are transferred during computation. All other work uses the compute queue, also short downloads,
   because an event between the queues takes longer than they do.

   device->shared lists the buffers that the copy queue writes or reads. Each has two events: its
   last transfer, for which the compute queue waits before the next use, and its last use, for which
   the copy queue waits before the next transfer. A buffer that was only read is removed at its next
   use. The results are those of a single queue. A queue is always flushed before the other one
   waits for it. An adopted device has one queue for both.

   GPU drivers keep a core busy in blocking calls. On a `patient` device, the host polls an event
   instead, and after a short time sleeps between polls. */
#include "opencl/private.h"

/* microseconds of polling, since even the shortest sleep takes 60, */
#define NN__OPENCL_QUEUE_AWAKE   50u
#define NN__OPENCL_QUEUE_NAP     20u  /* then the first sleep; each next one is half longer, */
#define NN__OPENCL_QUEUE_LONGEST 500u /* up to this */
#define NN__OPENCL_QUEUE_SHORT   65536u /* in bytes: smaller downloads stay on the compute queue */

/* ---- waiting --------------------------------------------------------------------------------- */

/* True if the event is done. Also true for NULL, and if the driver cannot tell: waiting then
   reports the error. */
static bool nn__opencl_queue_ended(nn__opencl *device, cl_event event) {
    cl_int state = CL_COMPLETE;
    return !event ||
           device->cl.GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                                   NULL) != CL_SUCCESS ||
           state <= CL_COMPLETE;
}

/* Waits until the event is done. Its queue must be flushed. */
static cl_int nn__opencl_queue_wait(nn__opencl *device, cl_event event) {
    const nn_clock *clock = &nn_context_desc(device->nn)->clock;
    const uint64_t start = device->patient ? clock->now(clock->user) : 0;
    uint32_t nap = NN__OPENCL_QUEUE_NAP;
    while (device->patient && !nn__opencl_queue_ended(device, event)) {
        if (clock->now(clock->user) - start < NN__OPENCL_QUEUE_AWAKE * 1000u) continue;
        if (!nn__opencl_sleep(nap)) break;
        nap = nap + nap / 2 < NN__OPENCL_QUEUE_LONGEST ? nap + nap / 2 : NN__OPENCL_QUEUE_LONGEST;
    }
    return device->cl.WaitForEvents(
        1, &event); /* returns at once; reports failures and makes memory visible */
}

NN__OPENCL_PRIVATE cl_int nn__opencl_flush(nn__opencl *device) {
    device->launches = 0;
    device->flushed = true;
    device->idle = false;
    return device->cl.Flush(device->compute);
}

/* Waits until a queue is empty; on patient devices the thread sleeps. clFinish of Mesa 22.3's
   rusticl waits only for commands after the last clFlush, so a marker is added after a flush.
   Without a flush there is no marker, because in PoCL it is a command that wakes a thread. Failures
   come from clFinish. */
static cl_int nn__opencl_queue_finish(nn__opencl *device, cl_command_queue queue, bool flushed) {
    cl_event event = NULL;
    if (flushed || device->patient)
        device->cl.EnqueueMarkerWithWaitList(queue, 0, NULL, device->patient ? &event : NULL);
    if (event && device->cl.Flush(queue) == CL_SUCCESS) nn__opencl_queue_wait(device, event);
    if (event) device->cl.ReleaseEvent(event);
    return device->cl.Finish(queue);
}

/* Waits for a transfer on the compute queue to or from memory of the caller. */
static cl_int nn__opencl_queue_wait_here(nn__opencl *device, cl_event event, const char **call) {
    cl_int status = nn__opencl_flush(device);
    *call = status == CL_SUCCESS ? "clWaitForEvents" : "clFlush";
    if (status == CL_SUCCESS) status = nn__opencl_queue_wait(device, event);
    /* the caller's memory must be free afterwards */
    if (status != CL_SUCCESS)
        nn__opencl_queue_finish(device, device->compute, true);
    device->idle = device->patient;
    return status;
}

/* ---- buffers that both queues touch ---------------------------------------------------------- */

static void nn__opencl_queue_drop(nn__opencl *device, cl_event *event) {
    if (*event) device->cl.ReleaseEvent(*event);
    *event = NULL;
}

/* Returns another reference to the event. If the driver gives none, waits for the event and returns
   NULL, since there is nothing left to wait for. */
static cl_event nn__opencl_queue_retain(nn__opencl *device, cl_event event) {
    if (device->cl.RetainEvent(event) == CL_SUCCESS) return event;
    if (nn__opencl_flush(device) == CL_SUCCESS)
        nn__opencl_queue_wait(device, event);
    else
        device->cl.WaitForEvents(1, &event);
    return NULL;
}

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
        nn__opencl_queue_drop(device, &entry->transfer);
        nn__opencl_queue_drop(device, &entry->use);
        if (entry->written)
            entry->use = nn__opencl_queue_retain(device, event);
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
        nn__opencl_queue_drop(device, &entry->transfer);
        nn__opencl_queue_drop(device, &entry->use);
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
        nn__opencl_queue_drop(device, &use->done);
        return nn__opencl_fail(device, call, status);
    }
    nn__opencl_record(device, use->done);
    nn__opencl_after_use(device, use->shared, use->count, use->done);
    return NN_OK;
}

/* ---- fences ---------------------------------------------------------------------------------- */

/* Takes over the event. If its place in the ring has an unfinished event, waits for that one. */
static void nn__opencl_queue_give_fence(nn__opencl *device, cl_event event, nn_fence *fence) {
    cl_event *place = &device->events[++device->fence % NN__OPENCL_FENCES];
    if (!nn__opencl_queue_ended(device, *place) && nn__opencl_flush(device) == CL_SUCCESS)
        nn__opencl_queue_wait(device, *place);
    nn__opencl_queue_drop(device, place);
    nn__opencl_queue_drop(device, &device->starts[device->fence % NN__OPENCL_FENCES]);
    *place = event;
    fence->device = device->device;
    fence->value = device->fence;
}

/* NULL: done long ago. */
static cl_event nn__opencl_queue_event_of(nn__opencl *device, nn_fence fence) {
    if (fence.value == 0 || fence.value > device->fence) return NULL;
    if (device->fence - fence.value >= NN__OPENCL_FENCES) return NULL;
    return device->events[fence.value % NN__OPENCL_FENCES];
}

NN__OPENCL_PRIVATE bool nn__opencl_fence_done(void *state, nn_fence fence) {
    nn__opencl *device = (nn__opencl *)state;
    return nn__opencl_queue_ended(device, nn__opencl_queue_event_of(device, fence));
}

NN__OPENCL_PRIVATE nn_result nn__opencl_fence_wait(void *state, nn_fence fence) {
    nn__opencl *device = (nn__opencl *)state;
    cl_event event = nn__opencl_queue_event_of(device, fence);
    cl_int status;
    if (!event) return NN_OK;
    status = nn__opencl_flush(device);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clFlush", status);
    status = nn__opencl_queue_wait(device, event);
    return status == CL_SUCCESS ? NN_OK : nn__opencl_fail(device, "clWaitForEvents", status);
}

/* ---- times for a profile --------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_record(nn__opencl *device, cl_event event) {
    cl_event *place = device->first ? &device->last : &device->first;
    if (!device->recording || !event || device->cl.RetainEvent(event) != CL_SUCCESS) return;
    nn__opencl_queue_drop(device, place);
    *place = event;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_mark(void *state, nn_fence *fence) {
    nn__opencl *device = (nn__opencl *)state;
    cl_event first = device->first, last = device->last ? device->last : first;
    cl_int status = CL_SUCCESS;
    if (fence) memset(fence, 0, sizeof *fence);
    if (!fence) { /* a piece begins */
        nn__opencl_queue_drop(device, &device->first);
        nn__opencl_queue_drop(device, &device->last);
        device->recording = device->profile;
        return NN_OK;
    }
    device->recording = false;
    device->first = device->last = NULL;
    if (!device->profile) return NN_OK;
    if (!last) status = device->cl.EnqueueMarkerWithWaitList(device->compute, 0, NULL, &last);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueMarkerWithWaitList", status);
    nn__opencl_queue_give_fence(device, last, fence);
    if (first && first != last) device->starts[device->fence % NN__OPENCL_FENCES] = first;
    return NN_OK;
}

NN__OPENCL_PRIVATE bool nn__opencl_span(void *state, nn_fence fence, uint64_t *start,
                                        uint64_t *end) {
    nn__opencl *device = (nn__opencl *)state;
    cl_event last = nn__opencl_queue_event_of(device, fence), first;
    cl_ulong from = 0, to = 0;
    if (!last || !device->profile) return false;
    first = device->starts[fence.value % NN__OPENCL_FENCES];
    if (device->cl.GetEventProfilingInfo(first ? first : last, CL_PROFILING_COMMAND_START,
                                         sizeof from, &from, NULL) != CL_SUCCESS ||
        device->cl.GetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL) !=
            CL_SUCCESS ||
        from == 0 || to < from)
        return false;
    *start = from;
    *end = to;
    return true;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_finish(void *state) {
    nn__opencl *device = (nn__opencl *)state;
    const char *call = "clFlush";
    cl_int status = CL_SUCCESS, done;
    /* the compute queue may wait for it */
    if (device->copying) status = device->cl.Flush(device->copy);
    done = nn__opencl_queue_finish(device, device->compute, device->flushed || device->adopted);
    if (device->copying) { /* even after a failure, since the caller reuses its memory */
        const cl_int copied = nn__opencl_queue_finish(device, device->copy, true);
        if (done == CL_SUCCESS) done = copied;
    }
    device->launches = 0;
    if (status == CL_SUCCESS) call = "clFinish", status = done;
    if (status == CL_SUCCESS) device->flushed = device->copying = false;
    device->idle = device->patient;
    return status == CL_SUCCESS ? NN_OK : nn__opencl_fail(device, call, status);
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
        if (*wait) *wait = nn__opencl_queue_retain(device, *wait);
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
        nn__opencl_queue_drop(device, &device->shared[index].transfer);
        nn__opencl_queue_drop(device, &device->shared[index].use);
        device->shared[index].transfer = nn__opencl_queue_retain(device, done);
        device->shared[index].written |= from != NULL;
    }
    if (to) nn__opencl_record(device, done);
    nn__opencl_queue_give_fence(device, done, fence);
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
        nn__opencl_queue_give_fence(device, done, fence);
    else if (device->patient)
        status = nn__opencl_queue_wait_here(device, use.done, &call);
    return nn__opencl_queue_end(device, &use, call, status);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_upload_next(nn__opencl *device, cl_mem buffer,
                                                    const void *from, uint64_t bytes,
                                                    nn_fence *fence) {
    cl_event done = NULL;
    const cl_int status = device->cl.EnqueueWriteBuffer(device->compute, buffer, CL_FALSE, 0,
                                                        (size_t)bytes, from, 0, NULL, &done);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueWriteBuffer", status);
    nn__opencl_queue_give_fence(device, done, fence);
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
        nn__opencl_queue_give_fence(device, nn__opencl_queue_retain(device, use.done), fence);
        nn__opencl_flush(device);
    }
    if (sleeps) status = nn__opencl_queue_wait_here(device, use.done, &call);
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
        status = nn__opencl_queue_wait_here(device, use.done, &call);
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

#undef NN__OPENCL_QUEUE_AWAKE
#undef NN__OPENCL_QUEUE_NAP
#undef NN__OPENCL_QUEUE_LONGEST
#undef NN__OPENCL_QUEUE_SHORT
