/* opencl/launch.c - the only way to launch kernels: finds the kernel, sets its arguments in order,
   and enqueues it. */
#include "opencl/private.h"

/* The queue is flushed after this many launches, or at once if the device is idle, so that the
   device works while the host enqueues more. */
#define NN__OPENCL_LAUNCH_FLUSH 32

static nn__opencl_launch nn__opencl_launch_begin(nn__opencl *device, const char *entry) {
    nn__opencl_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.device = device;
    launch.entry = entry;
    return launch;
}

NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin(nn__opencl *device, const char *part,
                                                      const char *entry, const char *options) {
    nn__opencl_launch launch = nn__opencl_launch_begin(device, entry);
    nn__opencl_program_kernel *found = NULL;
    if (device->ahead) {
        nn__opencl_note_kernel(device, part, options ? options : "");
        return launch;
    }
    launch.result = nn__opencl_find_kernel(device, part, entry, options ? options : "", &found);
    if (launch.result == NN_OK) nn__opencl_prepared_begin(&launch, found);
    return launch;
}

NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin_user(nn__opencl *device, const char *source,
                                                           const char *entry) {
    nn__opencl_launch launch = nn__opencl_launch_begin(device, entry);
    nn__opencl_program_kernel *found = NULL;
    if (device->ahead) {
        nn__opencl_note_user_kernel(device, source);
        return launch;
    }
    launch.result = nn__opencl_find_user_kernel(device, source, entry, &found);
    if (launch.result == NN_OK) nn__opencl_prepared_begin(&launch, found);
    return launch;
}

NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin_made(nn__opencl *device, uint64_t key,
                                                           nn__opencl_make_text make,
                                                           const void *user, const char *entry) {
    nn__opencl_launch launch = nn__opencl_launch_begin(device, entry);
    nn__opencl_program_kernel *found = NULL;
    if (device->ahead) {
        nn__opencl_note_made_kernel(device, key, make, user);
        return launch;
    }
    launch.result = nn__opencl_find_made_kernel(device, key, make, user, entry, &found);
    if (launch.result == NN_OK) nn__opencl_prepared_begin(&launch, found);
    return launch;
}

static void nn__opencl_launch_set(nn__opencl_launch *launch, cl_uint index, size_t bytes,
                                  const void *value) {
    nn__opencl *device = launch->device;
    char call[96];
    const cl_int status = device->cl.SetKernelArg(launch->kernel, index, bytes, value);
    if (status == CL_SUCCESS) return;
    nn__opencl_format(call, sizeof call, "clSetKernelArg(%s, %u)", launch->entry,
                      (unsigned)index);
    launch->result = nn__opencl_fail(device, call, status);
    if (launch->kept) launch->kept->given = false;
}

static void nn__opencl_launch_argument(nn__opencl_launch *launch, size_t bytes, const void *value) {
    const cl_uint index = launch->argument++;
    if (launch->into && value) {
        memcpy(launch->into + launch->bytes, value, bytes);
        launch->bytes += bytes;
        return;
    }
    if (launch->result != NN_OK || nn__opencl_prepared_has(launch, bytes, value) ||
        launch->device->dry)
        return;
    nn__opencl_launch_set(launch, index, bytes, value);
}

NN__OPENCL_PRIVATE void nn__opencl_view(nn__opencl_launch *launch, const nn_view *view) {
    nn__opencl *device = launch->device;
    cl_mem buffer = nn__opencl_present(view) ? (cl_mem)view->handle : NULL;
    uint64_t offset = buffer ? view->offset / nn_dtype_size(view->dtype) : 0;
    int index = buffer && device->shared_count ? nn__opencl_find_shared(device, buffer) : -1;
    if (buffer && device->lent_count && launch->result == NN_OK && !device->dry)
        launch->result = nn__opencl_take_back(device, buffer);
    if (index >= 0 && launch->shared_count < NN__OPENCL_VIEWS)
        launch->shared[launch->shared_count++] = index;
    if (buffer && launch->view_count++ < NN__OPENCL_VIEWS)
        launch->views[launch->view_count - 1] = buffer;
    nn__opencl_launch_argument(launch, sizeof buffer, &buffer);
    nn__opencl_ulong(launch, offset);
}

NN__OPENCL_PRIVATE void nn__opencl_int(nn__opencl_launch *launch, int32_t value) {
    cl_int number = value;
    nn__opencl_launch_argument(launch, sizeof number, &number);
}

NN__OPENCL_PRIVATE void nn__opencl_uint(nn__opencl_launch *launch, uint32_t value) {
    cl_uint number = value;
    nn__opencl_launch_argument(launch, sizeof number, &number);
}

NN__OPENCL_PRIVATE void nn__opencl_ulong(nn__opencl_launch *launch, uint64_t value) {
    cl_ulong number = value;
    nn__opencl_launch_argument(launch, sizeof number, &number);
}

NN__OPENCL_PRIVATE void nn__opencl_float(nn__opencl_launch *launch, float value) {
    cl_float number = value;
    nn__opencl_launch_argument(launch, sizeof number, &number);
}

NN__OPENCL_PRIVATE void nn__opencl_bytes(nn__opencl_launch *launch, size_t bytes,
                                         const void *value) {
    nn__opencl_launch_argument(launch, bytes, value);
}

NN__OPENCL_PRIVATE void nn__opencl_local(nn__opencl_launch *launch, size_t bytes) {
    nn__opencl_launch_argument(launch, bytes, NULL);
}

NN__OPENCL_PRIVATE void nn__opencl_table(nn__opencl_launch *launch, const uint64_t *numbers,
                                         size_t count) {
    nn__opencl *device = launch->device;
    const cl_uint index = launch->argument++;
    cl_mem *table = launch->kept ? &launch->kept->table : &device->table;
    cl_int status = CL_SUCCESS;
    if (launch->result != NN_OK ||
        nn__opencl_prepared_has(launch, count * sizeof *numbers, numbers) || device->dry)
        return;
    if (!*table)
        *table = device->cl.CreateBuffer(device->context, CL_MEM_READ_ONLY,
                                         NN__OPENCL_TABLE * sizeof *numbers, NULL, &status);
    if (status != CL_SUCCESS) {
        *table = NULL;
        launch->result = nn__opencl_fail(device, "clCreateBuffer(for a table)", status);
    } else {
        launch->result =
            nn__opencl_upload(device, *table, 0, numbers, count * sizeof *numbers, NULL);
    }
    if (launch->result == NN_OK) nn__opencl_launch_set(launch, index, sizeof *table, table);
    if (launch->result != NN_OK && launch->kept) launch->kept->given = false;
}

NN__OPENCL_PRIVATE void nn__opencl_turns(nn__opencl_launch *launch, bool wanted) {
    static const cl_uint zeros[NN__OPENCL_TURNS] = {0};
    nn__opencl *device = launch->device;
    cl_mem none = NULL;
    cl_int status = CL_SUCCESS;
    if (wanted && !device->turns && launch->result == NN_OK && !device->ahead) {
        device->turns =
            device->cl.CreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    sizeof zeros, (void *)(uintptr_t)zeros, &status);
        if (status != CL_SUCCESS) {
            device->turns = NULL;
            launch->result = nn__opencl_fail(device, "clCreateBuffer(for turns)", status);
        }
    }
    nn__opencl_launch_argument(launch, sizeof none, wanted ? &device->turns : &none);
}

NN__OPENCL_PRIVATE size_t nn__opencl_group(const nn__opencl_launch *launch, size_t wanted) {
    size_t most = launch->device->group, group = 1;
    if (launch->group > 0 && launch->group < most) most = launch->group;
    if (wanted < most) most = wanted;
    while (group * 2 <= most) group *= 2;
    return group;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_enqueue(nn__opencl *device, cl_kernel kernel,
                                                const char *entry, int extents,
                                                const size_t *global, const size_t *local,
                                                const int *shared, int shared_count) {
    cl_event waits[NN__OPENCL_VIEWS], done = NULL;
    const cl_uint wait_count = nn__opencl_before_use(device, shared, shared_count, waits);
    const cl_int status = device->cl.EnqueueNDRangeKernel(
        device->compute, kernel, (cl_uint)extents, NULL, global, local, wait_count,
        wait_count ? waits : NULL, shared_count || device->recording ? &done : NULL);
    if (status != CL_SUCCESS) {
        char call[96];
        nn__opencl_format(call, sizeof call, "clEnqueueNDRangeKernel(%s)", entry);
        return nn__opencl_fail(device, call, status);
    }
    nn__opencl_record(device, done);
    nn__opencl_after_use(device, shared, shared_count, done);
    if (++device->launches >= NN__OPENCL_LAUNCH_FLUSH || device->idle) nn__opencl_flush(device);
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_run(nn__opencl_launch *launch, int extents,
                                            const size_t *groups, const size_t *local) {
    nn__opencl *device = launch->device;
    size_t global[3];
    if (device->ahead) return NN_OK;
    if (launch->result == NN_OK) launch->result = nn__opencl_prepared_end(launch);
    if (launch->result != NN_OK || device->dry) return launch->result;
    for (int i = 0; i < extents; i++) {
        global[i] = groups[i] * local[i];
        if (global[i] == 0) return NN_OK;
    }
    nn__opencl_repeat_note(launch, extents, global, local);
    launch->result =
        nn__opencl_enqueue(device, launch->kernel, launch->entry, extents, global, local,
                           launch->shared, launch->shared_count);
    return launch->result;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_run_flat(nn__opencl_launch *launch, uint64_t count,
                                                 size_t wanted) {
    size_t local = nn__opencl_group(launch, wanted), groups;
    if (count == 0) return launch->result;
    while (local > 1 && local / 2 >= count) local /= 2;
    groups = (size_t)((count + local - 1) / local);
    return nn__opencl_run(launch, 1, &groups, &local);
}

NN__OPENCL_PRIVATE nn_view nn__opencl_part(const nn_view *scratch, uint64_t offset,
                                           uint64_t bytes) {
    nn_view part = *scratch;
    part.offset += offset;
    part.dtype = NN_F32;
    part.shape = nn_make_shape(NULL, 0);
    part.shape.rank = 2; /* in rows, so that extents fit into int32 */
    part.shape.extent[0] = (int32_t)((bytes + 255) / 256);
    part.shape.extent[1] = 64;
    return part;
}

#undef NN__OPENCL_LAUNCH_FLUSH
