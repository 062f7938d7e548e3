/* opencl/lend.c - runs kernels of CPU devices in nn.h's own CPU backend, on the device's mapped
   buffers. The user's compiler built that backend for this machine's vectors. The same kernels in
   OpenCL C took 1.5 to 10 times as long, and each launch took 20 to 60 microseconds
   (bench/results/2026-11-25-opencl-on-a-cpu.md). Custom kernels still run on the device.

   A buffer is "lent" while it is mapped. It stays mapped until the device needs it, for a launch, a
   transfer or its release, so a step maps each buffer only once. The host copies data of mapped
   buffers itself. The caller's buffers (nn_opencl_wrap) are unmapped after every kernel.

   The host computes before the call returns. If nn_opencl_tune measured that a tile of the device
   is faster for a shape, that shape is not lent. Kernels that are not lent use the GPU variants,
   within the device's limits. With nn_opencl_desc.no_lending nothing is lent and a CPU is
   treated as a GPU, to test the GPU kernels without one. */
#include "opencl/lend.h"

/* The arguments of any kernel. */
typedef union nn__opencl_lend_args {
#define NN__X(number, upper, lower, type, family) type lower;
    NN__OPENCL_KERNELS(NN__X)
#undef NN__X
} nn__opencl_lend_args;

/* ---- which ----------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_lend_open(nn__opencl *device, bool no_lending) {
    if (!device->cpu) return;
    /* installs all kernels now, so that the answers never change */
    if (device->in_host_memory) nn_use_all_kernels(device->nn);
    if (no_lending)
        device->gpu = true;
    else
        device->lends = device->in_host_memory;
}

NN__OPENCL_PRIVATE const nn_backend *nn__opencl_lends(nn__opencl *device, nn_kernel kernel,
                                                      const void *args, void **state) {
    const nn_backend *cpu;
    if (!device->lends || device->forced != NN__OPENCL_BY_DEVICE || kernel == NN_KERNEL_CUSTOM ||
        nn__opencl_choose(device, kernel, args).tile != 0)
        return NULL;
    cpu = nn_device_backend(device->nn, nn_cpu(), state);
    return cpu && cpu->kernels[kernel] && cpu->supports(*state, kernel, args, NULL, 0) ? cpu : NULL;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* Returns a buffer with room for `bytes`, and keeps its contents. NULL, with an error: no
   memory. */
static void *nn__opencl_lend_room(nn__opencl *device, nn__opencl_room *room, size_t bytes) {
    void *more;
    if (bytes <= room->bytes) return room->memory;
    bytes += bytes / 2 + 256;
    more = nn_take_memory(device->nn, bytes);
    if (!more) {
        nn_record_error(device->nn, NN_ERROR_MEMORY,
                        "opencl: no memory to run operations on the CPU backend");
        return NULL;
    }
    if (room->memory) {
        memcpy(more, room->memory, room->bytes);
        nn_give_memory(device->nn, room->memory, room->bytes);
    }
    room->memory = more;
    room->bytes = bytes;
    return more;
}

static nn__opencl_lent *nn__opencl_lent_list(nn__opencl *device) {
    return (nn__opencl_lent *)device->lent.memory;
}

NN__OPENCL_PRIVATE void nn__opencl_lend_close(nn__opencl *device) {
    nn__opencl_room *rooms[2];
    rooms[0] = &device->lent, rooms[1] = &device->lent_items;
    for (int i = 0; i < 2; i++) {
        if (rooms[i]->memory) nn_give_memory(device->nn, rooms[i]->memory, rooms[i]->bytes);
        memset(rooms[i], 0, sizeof *rooms[i]);
    }
    device->lent_count = 0;
}

/* Returns the index of a lent buffer; -1: it is not lent. */
static int nn__opencl_lent_find(nn__opencl *device, const void *buffer) {
    const nn__opencl_lent *lent = nn__opencl_lent_list(device);
    for (int i = 0; i < device->lent_count; i++)
        if ((const void *)lent[i].buffer == buffer) return i;
    return -1;
}

static nn_result nn__opencl_lend_end(nn__opencl *device, int index) {
    nn__opencl_lent *list = nn__opencl_lent_list(device);
    const nn__opencl_lent lent = list[index];
    const int shared = nn__opencl_find_shared(device, lent.buffer);
    cl_event done = NULL;
    cl_int status;
    status = device->cl.EnqueueUnmapMemObject(device->compute, lent.buffer, lent.pointer, 0, NULL,
                                              shared >= 0 ? &done : NULL);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueUnmapMemObject", status);
    list[index] = list[--device->lent_count];
    if (shared >= 0) nn__opencl_after_use(device, &shared, 1, done);
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_take_back(nn__opencl *device, cl_mem buffer) {
    nn_result result = NN_OK, one;
    const int only = buffer ? nn__opencl_lent_find(device, buffer) : -1;
    if (buffer) return only < 0 ? NN_OK : nn__opencl_lend_end(device, only);
    for (int i = device->lent_count - 1; i >= 0; i--) {
        one = nn__opencl_lend_end(device, i);
        if (result == NN_OK) result = one;
    }
    return result;
}

NN__OPENCL_PRIVATE void nn__opencl_forget_lent(nn__opencl *device, cl_mem buffer) {
    const int index = nn__opencl_lent_find(device, buffer);
    if (index >= 0)
        nn__opencl_lent_list(device)[index] = nn__opencl_lent_list(device)[--device->lent_count];
}

/* Maps a buffer, unless it is lent already, after all enqueued work that may use it. */
static nn_result nn__opencl_lend(nn__opencl *device, cl_mem buffer, void **pointer) {
    const int known = nn__opencl_lent_find(device, buffer);
    const int shared = known < 0 ? nn__opencl_find_shared(device, buffer) : -1;
    nn__opencl_lent *lent = nn__opencl_lent_list(device);
    cl_event waits[1], done = NULL;
    cl_uint wait_count = 0;
    cl_int status;
    size_t bytes = 0;
    if (known >= 0) {
        *pointer = lent[known].pointer;
        return NN_OK;
    }
    lent = (nn__opencl_lent *)nn__opencl_lend_room(
        device, &device->lent, sizeof *lent * (size_t)(device->lent_count + 1));
    if (!lent) return NN_ERROR_MEMORY;
    status = device->cl.GetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clGetMemObjectInfo", status);
    if (shared >= 0) wait_count = nn__opencl_before_use(device, &shared, 1, waits);
    lent += device->lent_count;
    lent->buffer = buffer;
    lent->pointer = device->cl.EnqueueMapBuffer(
        device->compute, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, wait_count,
        wait_count ? waits : NULL, shared >= 0 ? &done : NULL, &status);
    if (status != CL_SUCCESS) return nn__opencl_fail(device, "clEnqueueMapBuffer", status);
    if (shared >= 0) nn__opencl_after_use(device, &shared, 1, done);
    device->lent_count++;
    *pointer = lent->pointer;
    return NN_OK;
}

/* Asks Linux for large pages before the first touch, as nn.h does for the CPU's tensors.
   Memory-bound work then takes a tenth less time. It is only advice, so failures are ignored. */
#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX
#define NN__OPENCL_LEND_PAGE ((size_t)1 << 21)
#ifdef __cplusplus
extern "C"
#endif
int (madvise)(void *address, size_t bytes, int advice);

NN__OPENCL_PRIVATE void nn__opencl_lend_advise(nn__opencl *device, cl_mem buffer, size_t bytes) {
    cl_int status = CL_SUCCESS;
    char *memory;
    if (!device->lends || bytes < 2 * NN__OPENCL_LEND_PAGE) return;
    memory = (char *)device->cl.EnqueueMapBuffer(device->compute, buffer, CL_TRUE, CL_MAP_WRITE, 0,
                                                 bytes, 0, NULL, NULL, &status);
    if (status != CL_SUCCESS || !memory) return;
    const size_t before = NN__OPENCL_LEND_PAGE - (uintptr_t)memory % NN__OPENCL_LEND_PAGE,
                 whole = (bytes - before) / NN__OPENCL_LEND_PAGE * NN__OPENCL_LEND_PAGE;
    (void)madvise(memory + before, whole, 14); /* MADV_HUGEPAGE */
    device->cl.EnqueueUnmapMemObject(device->compute, buffer, memory, 0, NULL, NULL);
}
#undef NN__OPENCL_LEND_PAGE
#else
NN__OPENCL_PRIVATE void nn__opencl_lend_advise(nn__opencl *device, cl_mem buffer, size_t bytes) {
    (void)device, (void)buffer, (void)bytes;
}
#endif

/* ---- running --------------------------------------------------------------------------------- */

/* Lends `count` consecutive views. */
static nn_result nn__opencl_lend_views(nn__opencl *device, void *first, int count) {
    nn_view *views = (nn_view *)first;
    nn_result result = NN_OK;
    for (int i = 0; i < count && result == NN_OK; i++)
        if (nn__opencl_present(&views[i]) && views[i].handle)
            result = nn__opencl_lend(device, (cl_mem)views[i].handle, &views[i].handle);
    return result;
}

/* Reserves memory for the step's items and for all existing buffers, so that a step allocates
   nothing. A call that was not prepared allocates when it runs. */
NN__OPENCL_PRIVATE nn_result nn__opencl_lend_prepare(nn__opencl *device, nn_kernel kernel,
                                                     const void *args) {
    size_t bytes = 0;
#define NN__V(role, field, many)
#define NN__I(role, list, count, field, many)                                                      \
    bytes = a->count > 0 ? sizeof *a->list * (size_t)a->count : 0;
#define NN__X(number, upper, lower, type, family)                                                  \
    case NN_KERNEL_##upper: {                                                                      \
        const type *a = (const type *)args;                                                        \
        (void)a;                                                                                   \
        NN_##upper##_VIEWS(NN__V, NN__I) break;                                                    \
    }
    switch (kernel) {
        NN__OPENCL_KERNELS(NN__X)
    default: break;
    }
#undef NN__X
#undef NN__I
#undef NN__V
    if (bytes && !nn__opencl_lend_room(device, &device->lent_items, bytes)) return NN_ERROR_MEMORY;
    bytes = ((size_t)device->lent_count + (size_t)device->live + NN__OPENCL_VIEWS) *
            sizeof(nn__opencl_lent);
    return nn__opencl_lend_room(device, &device->lent, bytes) ? NN_OK : NN_ERROR_MEMORY;
}

/* Copies the arguments (and items) with the host's addresses in their views. */
static nn_result nn__opencl_lend_all(nn__opencl *device, nn__opencl_lend_args *to,
                                     nn_kernel kernel, const void *args) {
    nn_result result = NN_OK;
    char *items = NULL;
#define NN__V(role, field, many)                                                                   \
    if (result == NN_OK) result = nn__opencl_lend_views(device, &to_args->field, (int)(many));
#define NN__I(role, list, count, field, many)                                                      \
    if (!items && a->count > 0) {                                                                  \
        const size_t bytes = sizeof *a->list * (size_t)a->count;                                   \
        items = (char *)nn__opencl_lend_room(device, &device->lent_items, bytes);                  \
        if (!items) return NN_ERROR_MEMORY;                                                        \
        memcpy(items, a->list, bytes);                                                             \
        memcpy((void *)&to_args->list, &items, sizeof items);                                      \
    }                                                                                              \
    for (int i = 0; i < a->count && result == NN_OK; i++)                                          \
        result = nn__opencl_lend_views(device,                                                     \
                                       items + ((const char *)&a->list[i].field -                  \
                                                (const char *)a->list),                            \
                                       (int)(many));
#define NN__X(number, upper, lower, type, family)                                                  \
    case NN_KERNEL_##upper: {                                                                      \
        const type *a = (const type *)args;                                                        \
        type *to_args = &to->lower;                                                                \
        *to_args = *a;                                                                             \
        NN_##upper##_VIEWS(NN__V, NN__I) break;                                                    \
    }
    switch (kernel) {
        NN__OPENCL_KERNELS(NN__X)
    default: break;
    }
#undef NN__X
#undef NN__I
#undef NN__V
    return result;
}

/* For a profile: marks the device's queue, before and after the host's work. */
static nn_result nn__opencl_lend_mark(nn__opencl *device) {
    cl_event event = NULL;
    cl_int status;
    if (!device->recording) return NN_OK;
    status = device->cl.EnqueueMarkerWithWaitList(device->compute, 0, NULL, &event);
    if (status != CL_SUCCESS)
        return nn__opencl_fail(device, "clEnqueueMarkerWithWaitList", status);
    nn__opencl_record(device, event);
    device->cl.ReleaseEvent(event);
    status = device->cl.Finish(device->compute);
    return status == CL_SUCCESS ? NN_OK : nn__opencl_fail(device, "clFinish", status);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_lend_run(nn__opencl *device, const nn_backend *cpu,
                                                 void *state, nn_kernel kernel, const void *args,
                                                 nn_range range) {
    nn__opencl_lend_args lent;
    nn_result result;
    nn__opencl_begins(device);
    result = nn__opencl_lend_all(device, &lent, kernel, args);
    if (result == NN_OK) result = nn__opencl_lend_mark(device);
    if (result == NN_OK) result = cpu->kernels[kernel](state, kernel, &lent, range);
    if (result == NN_OK) result = nn__opencl_lend_mark(device);
    if (device->wrapped && nn__opencl_take_back(device, NULL) != NN_OK && result == NN_OK)
        result = NN_ERROR_BACKEND;
    return result;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Returns the host's address if the host may copy the bytes itself. A profile needs the device's
   times instead. */
static char *nn__opencl_lent_bytes(nn__opencl *device, const void *handle, uint64_t offset) {
    const int at = device->recording ? -1 : nn__opencl_lent_find(device, handle);
    return at < 0 ? NULL : (char *)nn__opencl_lent_list(device)[at].pointer + offset;
}

static void nn__opencl_lend_fence(nn__opencl *device, nn_fence *fence) {
    if (!fence) return;
    memset(fence, 0, sizeof *fence); /* value 0: done */
    fence->device = device->device;
}

static nn_result nn__opencl_lend_upload(void *state, void *handle, uint64_t offset,
                                        const void *from, uint64_t bytes, nn_fence *fence) {
    nn__opencl *device = (nn__opencl *)state;
    char *to = nn__opencl_lent_bytes(device, handle, offset);
    if (!to) return nn__opencl_upload(state, handle, offset, from, bytes, fence);
    memcpy(to, from, (size_t)bytes);
    nn__opencl_lend_fence(device, fence);
    return NN_OK;
}

static nn_result nn__opencl_lend_download(void *state, void *handle, uint64_t offset, void *to,
                                          uint64_t bytes, nn_fence *fence) {
    nn__opencl *device = (nn__opencl *)state;
    const char *from = nn__opencl_lent_bytes(device, handle, offset);
    if (!from) return nn__opencl_download(state, handle, offset, to, bytes, fence);
    memcpy(to, from, (size_t)bytes);
    nn__opencl_lend_fence(device, fence);
    return NN_OK;
}

static nn_result nn__opencl_lend_move(void *state, void *to, uint64_t to_offset, void *from,
                                      uint64_t from_offset, uint64_t bytes) {
    nn__opencl *device = (nn__opencl *)state;
    char *target = nn__opencl_lent_bytes(device, to, to_offset);
    const char *source = nn__opencl_lent_bytes(device, from, from_offset);
    if (!target || !source)
        return nn__opencl_copy(state, to, to_offset, from, from_offset, bytes);
    memcpy(target, source, (size_t)bytes);
    return NN_OK;
}

static nn_result nn__opencl_lend_fill(void *state, void *handle, uint64_t offset, uint64_t bytes,
                                      uint8_t value) {
    char *to = nn__opencl_lent_bytes((nn__opencl *)state, handle, offset);
    if (!to) return nn__opencl_fill(state, handle, offset, bytes, value);
    memset(to, value, (size_t)bytes);
    return NN_OK;
}

NN__OPENCL_PRIVATE void nn__opencl_fill_transfers(nn_backend *backend) {
    backend->upload = nn__opencl_lend_upload;
    backend->download = nn__opencl_lend_download;
    backend->copy = nn__opencl_lend_move;
    backend->fill = nn__opencl_lend_fill;
}
