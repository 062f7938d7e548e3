/* opencl/interop.c - for programs that use OpenCL themselves: handles of an open device, tensors
   around their buffers, and events to wait for in either direction. */
#include "opencl/private.h"

NN__OPENCL_PRIVATE nn__opencl *nn__opencl_open_need(nn_context *nn, const char *who,
                                                    nn_device device) {
    nn__opencl *state = nn__opencl_open_state(nn, device);
    char text[160], name[32];
    if (state || !nn) return state;
    nn__opencl_format(text, sizeof text,
                      "%s: %s is not an open OpenCL device; call nn_opencl_open(nn, ...) first",
                      who, nn_format_device(device, name, sizeof name));
    nn_record_error(nn, NN_ERROR_DEVICE, text);
    return NULL;
}

NN_API bool nn_opencl_handles(nn_context *nn, nn_device device, void **context, void **device_id,
                              void **queue) {
    nn__opencl *state = nn__opencl_open_state(nn, device);
    if (context) *context = state ? (void *)state->context : NULL;
    if (device_id) *device_id = state ? (void *)state->id : NULL;
    if (queue) *queue = state ? (void *)state->compute : NULL;
    return state != NULL;
}

static const char *nn__opencl_open_wrong_buffer(nn__opencl *device, cl_mem buffer, nn_dtype dtype,
                                                nn_shape shape, uint64_t offset) {
    cl_context context = NULL;
    cl_mem_object_type type = 0;
    size_t bytes = 0, element = nn_dtype_size(dtype == NN_DTYPE_DEFAULT ? NN_F32 : dtype);
    int64_t count = nn_shape_count(shape);
    if (!buffer) return "the buffer is NULL";
    if (device->cl.GetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof context, &context, NULL) !=
        CL_SUCCESS)
        return "the buffer is not a cl_mem";
    if (context != device->context)
        return "the buffer and the device belong to different cl_contexts; create it in the "
               "context of nn_opencl_handles, or open the device with your context in its desc";
    if (device->cl.GetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS ||
        type != CL_MEM_OBJECT_BUFFER)
        return "the cl_mem is an image, not a buffer";
    if (device->cl.GetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
        return "the driver does not report the buffer's size (clGetMemObjectInfo failed)";
    if (element == 0 || count < 0) return NULL; /* the tensor's own checks report this better */
    if (offset % element != 0) return "the offset is not a multiple of the element's size";
    if (offset > bytes || (uint64_t)count > (bytes - offset) / element)
        return "the buffer is smaller than offset and shape need";
    return NULL;
}

NN_API nn_tensor *nn_opencl_wrap_at(nn_site site, nn_context *nn, nn_device device,
                                    const char *name, nn_dtype dtype, nn_shape shape, void *buffer,
                                    uint64_t offset) {
    nn__opencl *state = nn__opencl_open_need(nn, "nn_opencl_wrap", device);
    const char *wrong;
    char text[360];
    if (!state) return NULL;
    wrong = nn__opencl_open_wrong_buffer(state, (cl_mem)buffer, dtype, shape, offset);
    if (wrong) {
        nn__opencl_format(text, sizeof text, "nn_opencl_wrap: \"%s\": %s", name ? name : "tensor",
                          wrong);
        nn_record_error(nn, NN_ERROR_ARGUMENT, text);
        return NULL;
    }
    nn__opencl_take_back(state, NULL);
    state->wrapped = true;
    state->released++; /* a buffer of the backend may have had this address before */
    return nn_wrap_handle_at(site, nn, state->device, name, dtype, shape, buffer, offset);
}

NN_API nn_result nn_opencl_wait_for(nn_context *nn, nn_device device, void *event) {
    nn__opencl *state = nn__opencl_open_need(nn, "nn_opencl_wait_for", device);
    cl_event wait = (cl_event)event;
    cl_context context = NULL;
    cl_int status;
    nn_result result;
    if (!state) return nn ? NN_ERROR_DEVICE : NN_ERROR_ARGUMENT;
    if (!wait ||
        state->cl.GetEventInfo(wait, CL_EVENT_CONTEXT, sizeof context, &context, NULL) !=
            CL_SUCCESS ||
        context != state->context)
        return nn_record_error(
            nn, NN_ERROR_ARGUMENT,
            wait ? "nn_opencl_wait_for: the event and the device belong to different cl_contexts"
                 : "nn_opencl_wait_for: the event is NULL");
    status = state->cl.EnqueueBarrierWithWaitList(state->compute, 1, &wait, NULL);
    if (status == CL_SUCCESS && state->copy != state->compute) {
        state->copying = true;
        status = state->cl.EnqueueBarrierWithWaitList(state->copy, 1, &wait, NULL);
    }
    if (status == CL_SUCCESS) return NN_OK;
    result = nn__opencl_fail(state, "clEnqueueBarrierWithWaitList", status);
    return nn_record_error(nn, result, "nn_opencl_wait_for");
}

NN_API void *nn_opencl_done_event(nn_context *nn, nn_device device) {
    nn__opencl *state = nn__opencl_open_need(nn, "nn_opencl_done_event", device);
    cl_event copied = NULL, done = NULL;
    cl_int status = CL_SUCCESS;
    if (!state) return NULL;
    if (state->copy != state->compute) {
        state->copying = true;
        status = state->cl.EnqueueMarkerWithWaitList(state->copy, 0, NULL, &copied);
        if (status == CL_SUCCESS) status = state->cl.Flush(state->copy);
        if (status == CL_SUCCESS)
            status = state->cl.EnqueueBarrierWithWaitList(state->compute, 1, &copied, NULL);
        if (copied) state->cl.ReleaseEvent(copied);
    }
    if (status == CL_SUCCESS)
        status = state->cl.EnqueueMarkerWithWaitList(state->compute, 0, NULL, &done);
    if (status == CL_SUCCESS) status = nn__opencl_flush(state);
    if (status == CL_SUCCESS) return (void *)done;
    if (done) state->cl.ReleaseEvent(done);
    nn_record_error(nn, nn__opencl_fail(state, "clEnqueueMarkerWithWaitList", status),
                    "nn_opencl_done_event");
    return NULL;
}
