/* opencl/fence.c - waits for events, fences, and the times of a profile.

   GPU drivers keep a core busy in blocking calls. On a `patient` device, the host polls an event
   instead, and after a short time sleeps between polls. */
#include "opencl/private.h"

/* microseconds of polling before the first sleep, since even the shortest one takes 60 */
#define NN__OPENCL_FENCE_AWAKE   50u
#define NN__OPENCL_FENCE_NAP     20u  /* the first sleep; each further one is half as long again */
#define NN__OPENCL_FENCE_LONGEST 500u /* the longest sleep */

/* ---- waiting --------------------------------------------------------------------------------- */

/* True if the event is done. Also true for NULL, and if the driver cannot tell: waiting then
   reports the error. */
static bool nn__opencl_fence_ended(nn__opencl *device, cl_event event) {
    cl_int state = CL_COMPLETE;
    return !event ||
           device->cl.GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                                   NULL) != CL_SUCCESS ||
           state <= CL_COMPLETE;
}

NN__OPENCL_PRIVATE cl_int nn__opencl_wait_event(nn__opencl *device, cl_event event) {
    const nn_clock *clock = &nn_context_desc(device->nn)->clock;
    const uint64_t start = device->patient ? clock->now(clock->user) : 0;
    uint32_t nap = NN__OPENCL_FENCE_NAP;
    while (device->patient && !nn__opencl_fence_ended(device, event)) {
        if (clock->now(clock->user) - start < NN__OPENCL_FENCE_AWAKE * 1000u) continue;
        if (!nn__opencl_sleep(nap)) break;
        nap = nap + nap / 2 < NN__OPENCL_FENCE_LONGEST ? nap + nap / 2 : NN__OPENCL_FENCE_LONGEST;
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
static cl_int nn__opencl_fence_finish(nn__opencl *device, cl_command_queue queue, bool flushed) {
    cl_event event = NULL;
    if (flushed || device->patient)
        device->cl.EnqueueMarkerWithWaitList(queue, 0, NULL, device->patient ? &event : NULL);
    if (event && device->cl.Flush(queue) == CL_SUCCESS) nn__opencl_wait_event(device, event);
    if (event) device->cl.ReleaseEvent(event);
    return device->cl.Finish(queue);
}

NN__OPENCL_PRIVATE cl_int nn__opencl_wait_here(nn__opencl *device, cl_event event,
                                               const char **call) {
    cl_int status = nn__opencl_flush(device);
    *call = status == CL_SUCCESS ? "clWaitForEvents" : "clFlush";
    if (status == CL_SUCCESS) status = nn__opencl_wait_event(device, event);
    /* the caller's memory must be free afterwards */
    if (status != CL_SUCCESS)
        nn__opencl_fence_finish(device, device->compute, true);
    device->idle = device->patient;
    return status;
}

NN__OPENCL_PRIVATE void nn__opencl_drop_event(nn__opencl *device, cl_event *event) {
    if (*event) device->cl.ReleaseEvent(*event);
    *event = NULL;
}

NN__OPENCL_PRIVATE cl_event nn__opencl_retain_event(nn__opencl *device, cl_event event) {
    if (device->cl.RetainEvent(event) == CL_SUCCESS) return event;
    if (nn__opencl_flush(device) == CL_SUCCESS)
        nn__opencl_wait_event(device, event);
    else
        device->cl.WaitForEvents(1, &event);
    return NULL;
}

/* ---- fences ---------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_give_fence(nn__opencl *device, cl_event event, nn_fence *fence) {
    cl_event *place = &device->events[++device->fence % NN__OPENCL_FENCES];
    if (!nn__opencl_fence_ended(device, *place) && nn__opencl_flush(device) == CL_SUCCESS)
        nn__opencl_wait_event(device, *place);
    nn__opencl_drop_event(device, place);
    nn__opencl_drop_event(device, &device->starts[device->fence % NN__OPENCL_FENCES]);
    *place = event;
    fence->device = device->device;
    fence->value = device->fence;
}

/* Returns the event of a fence; NULL: its work was done long ago. */
static cl_event nn__opencl_fence_event(nn__opencl *device, nn_fence fence) {
    if (fence.value == 0 || fence.value > device->fence) return NULL;
    if (device->fence - fence.value >= NN__OPENCL_FENCES) return NULL;
    return device->events[fence.value % NN__OPENCL_FENCES];
}

NN__OPENCL_PRIVATE bool nn__opencl_fence_done(void *state, nn_fence fence) {
    nn__opencl *device = (nn__opencl *)state;
    return nn__opencl_fence_ended(device, nn__opencl_fence_event(device, fence));
}

NN__OPENCL_PRIVATE nn_result nn__opencl_fence_wait(void *state, nn_fence fence) {
    nn__opencl *device = (nn__opencl *)state;
    cl_event event = nn__opencl_fence_event(device, fence);
    cl_int status;
    if (!event) return NN_OK;
    status = nn__opencl_flush(device);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clFlush", status);
    status = nn__opencl_wait_event(device, event);
    return status == CL_SUCCESS ? NN_OK : nn__opencl_fail(device, "clWaitForEvents", status);
}

/* ---- times for a profile --------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_record(nn__opencl *device, cl_event event) {
    cl_event *place = device->first ? &device->last : &device->first;
    if (!device->recording || !event || device->cl.RetainEvent(event) != CL_SUCCESS) return;
    nn__opencl_drop_event(device, place);
    *place = event;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_mark(void *state, nn_fence *fence) {
    nn__opencl *device = (nn__opencl *)state;
    cl_event first = device->first, last = device->last ? device->last : first;
    cl_int status = CL_SUCCESS;
    if (fence) memset(fence, 0, sizeof *fence);
    if (!fence) { /* a piece begins */
        nn__opencl_drop_event(device, &device->first);
        nn__opencl_drop_event(device, &device->last);
        device->recording = device->profile;
        return NN_OK;
    }
    device->recording = false;
    device->first = device->last = NULL;
    if (!device->profile) return NN_OK;
    if (!last) status = device->cl.EnqueueMarkerWithWaitList(device->compute, 0, NULL, &last);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueMarkerWithWaitList", status);
    nn__opencl_give_fence(device, last, fence);
    if (first && first != last) device->starts[device->fence % NN__OPENCL_FENCES] = first;
    return NN_OK;
}

NN__OPENCL_PRIVATE bool nn__opencl_span(void *state, nn_fence fence, uint64_t *start,
                                        uint64_t *end) {
    nn__opencl *device = (nn__opencl *)state;
    cl_event last = nn__opencl_fence_event(device, fence), first;
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
    done = nn__opencl_fence_finish(device, device->compute, device->flushed || device->adopted);
    if (device->copying) { /* even after a failure, since the caller reuses its memory */
        const cl_int copied = nn__opencl_fence_finish(device, device->copy, true);
        if (done == CL_SUCCESS) done = copied;
    }
    device->launches = 0;
    if (status == CL_SUCCESS) call = "clFinish", status = done;
    if (status == CL_SUCCESS) device->flushed = device->copying = false;
    device->idle = device->patient;
    return status == CL_SUCCESS ? NN_OK : nn__opencl_fail(device, call, status);
}

#undef NN__OPENCL_FENCE_AWAKE
#undef NN__OPENCL_FENCE_NAP
#undef NN__OPENCL_FENCE_LONGEST
