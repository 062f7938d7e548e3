/* opencl/prepared.c - kernels that keep their arguments. Each run of a plan repeats the same
   launches, and setting one argument costs a driver some 40 ns. A step has about 450 arguments,
   which cost half as much as its launches. So each launch of a prepared step gets its own
   cl_kernel, and only changed arguments are set. A launch that was not prepared, or found no place,
   sets all its arguments. */
#include "opencl/private.h"

#define NN__OPENCL_PREPARED_SETS 256
#define NN__OPENCL_PREPARED_WAYS 4 /* places in the set of a launch */

static nn__opencl_prepared *nn__opencl_prepared_set(nn__opencl *device, uint64_t key) {
    return device->kept + (key >> 32) % NN__OPENCL_PREPARED_SETS * NN__OPENCL_PREPARED_WAYS;
}

static uint64_t nn__opencl_prepared_key(const nn__opencl *device, cl_kernel kernel) {
    const uintptr_t what[3] = {(uintptr_t)device->step, (uintptr_t)device->step_launches,
                               (uintptr_t)kernel};
    return nn__opencl_hash(NN__OPENCL_HASH_START, what, sizeof what);
}

static nn__opencl_prepared *nn__opencl_prepared_find(nn__opencl *device, uint64_t key) {
    nn__opencl_prepared *set = device->kept ? nn__opencl_prepared_set(device, key) : NULL;
    for (int i = 0; set && i < NN__OPENCL_PREPARED_WAYS; i++)
        if (set[i].kernel && set[i].key == key) return &set[i];
    return NULL;
}

static void nn__opencl_prepared_empty(nn__opencl *device, nn__opencl_prepared *kept) {
    if (kept->kernel) device->cl.ReleaseKernel(kept->kernel);
    if (kept->table) device->cl.ReleaseMemObject(kept->table); /* enqueued work keeps it alive */
    if (kept->values) nn_give_memory(device->nn, kept->values, kept->bytes);
    memset(kept, 0, sizeof *kept);
}

NN__OPENCL_PRIVATE void nn__opencl_prepared_begin(nn__opencl_launch *launch,
                                              const nn__opencl_program_kernel *found) {
    nn__opencl *device = launch->device;
    nn__opencl_prepared *kept;
    launch->found = found;
    launch->kernel = found->kernel;
    launch->group = found->group;
    if (!device->step) return;
    device->step_launches++;
    launch->key = nn__opencl_prepared_key(device, found->kernel);
    kept = device->dry ? NULL : nn__opencl_prepared_find(device, launch->key);
    if (!kept) return;
    /* A new buffer may have the address of a released one, but the driver needs the argument
       again. */
    if (kept->released != device->released) kept->given = false;
    kept->released = device->released;
    kept->used = ++device->kept_uses;
    launch->kept = kept;
    launch->kernel = kept->kernel;
}

NN__OPENCL_PRIVATE bool nn__opencl_prepared_has(nn__opencl_launch *launch, size_t bytes,
                                            const void *value) {
    nn__opencl_prepared *kept = launch->kept;
    const size_t local = bytes; /* of local memory only the size is known */
    const size_t at = launch->bytes;
    bool same;
    if (!value) {
        value = &local;
        bytes = sizeof local;
    }
    launch->bytes += bytes;
    if (!kept) return false;
    if (launch->bytes > kept->bytes) { /* not the arguments that were prepared */
        kept->given = false;
        return false;
    }
    same = kept->given && memcmp(kept->values + at, value, bytes) == 0;
    if (!same) memcpy(kept->values + at, value, bytes);
    return same;
}

/* Makes a kernel for this launch, while the step is prepared. */
static nn_result nn__opencl_prepared_make(const nn__opencl_launch *launch) {
    nn__opencl *device = launch->device;
    nn__opencl_prepared made, *set, *kept;
    cl_int status = CL_SUCCESS;
    char call[96];
    if (!device->step || launch->bytes == 0 || nn__opencl_prepared_find(device, launch->key))
        return NN_OK;
    if (!device->kept)
        device->kept = (nn__opencl_prepared *)nn_take_memory(
            device->nn, NN__OPENCL_PREPARED_SETS * NN__OPENCL_PREPARED_WAYS * sizeof *device->kept);
    memset(&made, 0, sizeof made);
    made.values =
        device->kept ? (unsigned char *)nn_take_memory(device->nn, launch->bytes) : NULL;
    if (!made.values)
        return nn_record_error(device->nn, NN_ERROR_MEMORY,
                               "opencl: no memory for the arguments of a kernel");
    made.kernel = device->cl.CreateKernel(launch->found->program, launch->entry, &status);
    if (status != CL_SUCCESS) {
        nn_give_memory(device->nn, made.values, launch->bytes);
        nn__opencl_format(call, sizeof call, "clCreateKernel(%s)", launch->entry);
        return nn__opencl_fail(device, call, status);
    }
    made.key = launch->key;
    made.bytes = launch->bytes;
    made.used = ++device->kept_uses;
    kept = set = nn__opencl_prepared_set(device, launch->key);
    for (int i = 1; i < NN__OPENCL_PREPARED_WAYS; i++) /* an empty place has used == 0 */
        if (set[i].used < kept->used) kept = &set[i];
    nn__opencl_prepared_empty(device, kept);
    *kept = made;
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_prepared_end(nn__opencl_launch *launch) {
    if (launch->device->dry) return nn__opencl_prepared_make(launch);
    if (launch->kept) launch->kept->given = launch->bytes == launch->kept->bytes;
    return NN_OK;
}

NN__OPENCL_PRIVATE void nn__opencl_prepared_free(nn__opencl *device) {
    const int count = NN__OPENCL_PREPARED_SETS * NN__OPENCL_PREPARED_WAYS;
    for (int i = 0; device->kept && i < count; i++)
        nn__opencl_prepared_empty(device, &device->kept[i]);
    if (device->kept)
        nn_give_memory(device->nn, device->kept, (size_t)count * sizeof *device->kept);
    device->kept = NULL;
    if (device->table) device->cl.ReleaseMemObject(device->table);
    device->table = NULL;
    if (device->turns) device->cl.ReleaseMemObject(device->turns);
    device->turns = NULL;
}

#undef NN__OPENCL_PREPARED_SETS
#undef NN__OPENCL_PREPARED_WAYS
