/* opencl/launch.h - launching: the only way in which kernels reach the device. A part of
   opencl/private.h. */
#pragma once

#include "opencl/private.h"

#define NN__OPENCL_VIEWS 16 /* arguments of a kernel that are views: no kernel has more */
#define NN__OPENCL_PARAMETERS 1024 /* bytes of all of a kernel's, as OpenCL 1.2 promises */

typedef struct nn__opencl_launch {
    nn__opencl *device;
    cl_kernel kernel;
    cl_uint argument; /* the next one */
    size_t group;     /* largest work-group of this kernel here */
    int shared_count; /* arguments that the copy queue writes: indices into device->shared */
    int shared[NN__OPENCL_VIEWS];
    const char *entry;
    const nn__opencl_program_kernel *found;
    nn__opencl_kept *kept; /* which has `kernel`; NULL: that is found->kernel, for everybody */
    uint64_t key;          /* of its place there */
    size_t bytes;          /* of the arguments so far */
    nn_result result;      /* the first failure; later calls do nothing */
    unsigned char *into;   /* numbers are written here, one behind the other, and set nowhere */
    int view_count;        /* arguments that are buffers, */
    cl_mem views[NN__OPENCL_VIEWS]; /* the first of them */
} nn__opencl_launch;

/* Gives a kernel that has its arguments to the device. shared: as in the launch. */
NN__OPENCL_PRIVATE nn_result nn__opencl_enqueue(nn__opencl *device, cl_kernel kernel,
                                                const char *entry, int extents,
                                                const size_t *global, const size_t *local,
                                                const int *shared, int shared_count);

/* opencl/repeat.c: what a step launched, to be launched once more. make: in prepare. begin, note of
   each launch, end: around a run that is thought through; whole: all units of it. Who gives the
   device anything else in between sets device->repeat to NULL. run_again: false, the step
   has to be thought through. */
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

/* opencl/kept.c: chooses the launch's kernel. */
NN__OPENCL_PRIVATE void nn__opencl_kept_begin(nn__opencl_launch *launch,
                                              const nn__opencl_program_kernel *found);
/* Has the kernel this argument, the next one, from its last run? If not, it is noted as set. value
   NULL: local memory. */
NN__OPENCL_PRIVATE bool nn__opencl_kept_has(nn__opencl_launch *launch, size_t bytes,
                                            const void *value);
/* After the last argument, none of which failed. In prepare it makes a kernel for this launch. */
NN__OPENCL_PRIVATE nn_result nn__opencl_kept_end(nn__opencl_launch *launch);
NN__OPENCL_PRIVATE void nn__opencl_kept_free(nn__opencl *device);

/* Finds or builds kernel `entry` of the whole kernel text with `options` ("-DTILE=8 ...", "" for
   none); part: the kernel family in whose opencl.cl it stands ("matmul"): only common.cl and that
   are compiled. Options must be few: each combination is a program of its own. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin(nn__opencl *device, const char *part,
                                                      const char *entry, const char *options);
/* A kernel of the user's text, behind common.cl. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin_user(nn__opencl *device, const char *source,
                                                           const char *entry);
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin_made(nn__opencl *device, uint64_t key,
                                                           nn__opencl_make_text make,
                                                           const void *user, const char *entry);
/* Arguments in the kernel's order. A view is two: __global T *, ulong offset in elements of the
   view's dtype; absent: NULL and 0. */
NN__OPENCL_PRIVATE void nn__opencl_view(nn__opencl_launch *launch, const nn_view *view);
NN__OPENCL_PRIVATE void nn__opencl_int(nn__opencl_launch *launch, int32_t value);
NN__OPENCL_PRIVATE void nn__opencl_uint(nn__opencl_launch *launch, uint32_t value);
NN__OPENCL_PRIVATE void nn__opencl_ulong(nn__opencl_launch *launch, uint64_t value);
NN__OPENCL_PRIVATE void nn__opencl_float(nn__opencl_launch *launch, float value);
/* An argument of any other type. */
NN__OPENCL_PRIVATE void nn__opencl_bytes(nn__opencl_launch *launch, size_t bytes,
                                         const void *value);
NN__OPENCL_PRIVATE void nn__opencl_local(nn__opencl_launch *launch, size_t bytes); /* __local */
/* const __global ulong *: numbers of the host, at most NN__OPENCL_TABLE; one table a launch. A
   prepared step has a buffer of its own, which is filled when it first runs and when a number has
   changed; all other launches share one, which is filled each time. */
#define NN__OPENCL_TABLE 1537
NN__OPENCL_PRIVATE void nn__opencl_table(nn__opencl_launch *launch, const uint64_t *numbers,
                                         size_t count);
/* __global uint *: NN__OPENCL_TURNS of them, zeros before every launch, which leaves zeros behind;
   false: NULL. Only where device->gathers. */
#define NN__OPENCL_TURNS 4096
NN__OPENCL_PRIVATE void nn__opencl_turns(nn__opencl_launch *launch, bool wanted);
/* The largest work-group for this kernel on this device (at least 1), at most `wanted`, a power of
   two. */
NN__OPENCL_PRIVATE size_t nn__opencl_group(const nn__opencl_launch *launch, size_t wanted);
/* Enqueues groups * local work-items in up to three extents; every extent of groups may be 0:
   nothing happens. Under dry: only what was built so far. Returns launch->result. */
NN__OPENCL_PRIVATE nn_result nn__opencl_run(nn__opencl_launch *launch, int extents,
                                            const size_t *groups, const size_t *local);
/* Short for one extent: `count` work-items in all, in groups of at most `wanted`; the kernel checks
   its index. */
NN__OPENCL_PRIVATE nn_result nn__opencl_run_flat(nn__opencl_launch *launch, uint64_t count,
                                                 size_t wanted);
