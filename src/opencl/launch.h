/* opencl/launch.h - launching kernels. A part of opencl/private.h. */
#pragma once

#include "opencl/private.h"

#define NN__OPENCL_VIEWS 16 /* most view arguments of a kernel */
#define NN__OPENCL_PARAMETERS 1024 /* most bytes of arguments, which OpenCL 1.2 guarantees */

typedef struct nn__opencl_launch {
    nn__opencl *device;
    cl_kernel kernel;
    cl_uint argument; /* index of the next argument */
    size_t group;     /* largest work-group of this kernel on this device */
    int shared_count; /* views that the copy queue writes, as indices into device->shared */
    int shared[NN__OPENCL_VIEWS];
    const char *entry;
    const nn__opencl_program_kernel *found;
    nn__opencl_prepared *kept; /* owns `kernel`; NULL: the shared found->kernel is used */
    uint64_t key;          /* of the place in device->kept */
    size_t bytes;          /* size of the arguments so far */
    nn_result result;      /* the first failure; later calls do nothing */
    unsigned char *into;   /* not NULL: numbers are written here in sequence, and no argument is
                              set */
    int view_count;        /* arguments that are buffers, */
    cl_mem views[NN__OPENCL_VIEWS]; /* and the first of them */
} nn__opencl_launch;

/* Enqueues a kernel whose arguments are set. shared: as in the launch. */
NN__OPENCL_PRIVATE nn_result nn__opencl_enqueue(nn__opencl *device, cl_kernel kernel,
                                                const char *entry, int extents,
                                                const size_t *global, const size_t *local,
                                                const int *shared, int shared_count);

/* opencl/repeat.c records the launches of a step, to repeat them without the host's work. make: in
   prepare. begin, note (for each launch) and end: around a run. whole: the run covers all units.
   Code that enqueues anything else meanwhile sets device->repeat to NULL. run_again: false if the
   step must be run normally. */
NN__OPENCL_PRIVATE void nn__opencl_repeat_make(nn__opencl *device, nn_kernel kernel,
                                               const void *args);
NN__OPENCL_PRIVATE void nn__opencl_repeat_begin(nn__opencl *device, nn_kernel kernel,
                                                const void *args, bool whole);
NN__OPENCL_PRIVATE void nn__opencl_repeat_note(const nn__opencl_launch *launch, int extents,
                                               const size_t *global, const size_t *local);
NN__OPENCL_PRIVATE void nn__opencl_repeat_end(nn__opencl *device, const void *args,
                                              nn_result result);
NN__OPENCL_PRIVATE bool nn__opencl_run_again(nn__opencl *device, nn_kernel kernel, const void *args,
                                          nn_result *result);
NN__OPENCL_PRIVATE void nn__opencl_repeats_free(nn__opencl *device);

/* opencl/prepared.c: selects the launch's cl_kernel. */
NN__OPENCL_PRIVATE void nn__opencl_prepared_begin(nn__opencl_launch *launch,
                                              const nn__opencl_program_kernel *found);
/* True if the kernel has the next argument from its last run. Else stores it as set. value NULL:
   local memory. */
NN__OPENCL_PRIVATE bool nn__opencl_prepared_has(nn__opencl_launch *launch, size_t bytes,
                                            const void *value);
/* Call it after the last argument, if none failed. In prepare it makes a kernel for this launch. */
NN__OPENCL_PRIVATE nn_result nn__opencl_prepared_end(nn__opencl_launch *launch);
NN__OPENCL_PRIVATE void nn__opencl_prepared_free(nn__opencl *device);

/* Finds or builds kernel `entry` with `options` ("-DTILE=8 ...", "" for none). part: its kernel
   family ("matmul"); only common.cl and that family's opencl.cl are compiled. Each combination of
   options is a separate program, so there should be few. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin(nn__opencl *device, const char *part,
                                                      const char *entry, const char *options);
/* Does the same for the user's source, after common.cl. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin_user(nn__opencl *device, const char *source,
                                                           const char *entry);
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin_made(nn__opencl *device, uint64_t key,
                                                           nn__opencl_make_text make,
                                                           const void *user, const char *entry);
/* Set the arguments, in the kernel's order. A view is two arguments: __global T *, and ulong offset
   in elements of its dtype; absent: NULL and 0. */
NN__OPENCL_PRIVATE void nn__opencl_view(nn__opencl_launch *launch, const nn_view *view);
NN__OPENCL_PRIVATE void nn__opencl_int(nn__opencl_launch *launch, int32_t value);
NN__OPENCL_PRIVATE void nn__opencl_uint(nn__opencl_launch *launch, uint32_t value);
NN__OPENCL_PRIVATE void nn__opencl_ulong(nn__opencl_launch *launch, uint64_t value);
NN__OPENCL_PRIVATE void nn__opencl_float(nn__opencl_launch *launch, float value);
/* Sets an argument of any other type. */
NN__OPENCL_PRIVATE void nn__opencl_bytes(nn__opencl_launch *launch, size_t bytes,
                                         const void *value);
NN__OPENCL_PRIVATE void nn__opencl_local(nn__opencl_launch *launch, size_t bytes); /* __local */
/* const __global ulong *: at most NN__OPENCL_TABLE numbers of the host; one table per launch. A
   prepared step has its own buffer, written at the first run and after a change. All other launches
   share a buffer, written each time. */
#define NN__OPENCL_TABLE 1537
NN__OPENCL_PRIVATE void nn__opencl_table(nn__opencl_launch *launch, const uint64_t *numbers,
                                         size_t count);
/* __global uint *: NN__OPENCL_TURNS counters, which are zero before and after every launch. wanted
   false: NULL. Only if device->gathers. */
#define NN__OPENCL_TURNS 4096
NN__OPENCL_PRIVATE void nn__opencl_turns(nn__opencl_launch *launch, bool wanted);
/* Returns the largest work-group for this kernel, a power of two of at most `wanted` (at least
   1). */
NN__OPENCL_PRIVATE size_t nn__opencl_group(const nn__opencl_launch *launch, size_t wanted);
/* Enqueues groups * local work-items in up to three dimensions. If one of `groups` is 0, nothing
   happens. If device->dry is set, only builds. Returns launch->result. */
NN__OPENCL_PRIVATE nn_result nn__opencl_run(nn__opencl_launch *launch, int extents,
                                            const size_t *groups, const size_t *local);
/* Does the same in one dimension: `count` work-items in groups of at most `wanted`. The kernel
   checks its index. */
NN__OPENCL_PRIVATE nn_result nn__opencl_run_flat(nn__opencl_launch *launch, uint64_t count,
                                                 size_t wanted);
