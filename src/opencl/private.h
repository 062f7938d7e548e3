/* opencl/private.h - the OpenCL backend's inside: devices, programs, launches, and the kernels' one shape.

   The backend sees only "nn.h": what it needs of the host it takes from the services in device/backend.h. */
#pragma once

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif
#include <string.h>

#include "opencl/api.h"

/* As in nn.h: static in the drop-in. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__OPENCL_UNUSED __attribute__((unused))
#else
#define NN__OPENCL_UNUSED
#endif
#ifdef NN_OPENCL_IMPLEMENTATION
#define NN__OPENCL_PRIVATE static NN__OPENCL_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__OPENCL_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__OPENCL_PRIVATE extern
#endif

typedef struct nn__opencl nn__opencl;

/* ---- the one shape of all kernels ---------------------------------------------------------------------------------------- */

typedef struct nn__opencl_kernel {
    const char *(*refuses)(nn__opencl *device, const void *args);   /* NULL: never. NULL or the reason */
    uint64_t (*scratch_bytes)(nn__opencl *device, const void *args); /* NULL: 0 */
    int32_t (*units)(nn__opencl *device, const void *args);          /* NULL: 1. Depends on shapes and device only */
    /* Units [first, first + count). Launches come in order; a kernel with phases launches those whose units lie in the range, so
       that ascending ranges give the bytes of the whole. Also called with device->dry: then every launch only builds. */
    nn_result (*run)(nn__opencl *device, const void *args, int32_t first, int32_t count);
} nn__opencl_kernel;

extern const nn__opencl_kernel *nn__opencl_kernel_of(nn_kernel kernel); /* table in opencl/kernels.c; NULL: none */

/* ---- device -------------------------------------------------------------------------------------------------------------- */

typedef struct nn__opencl_program nn__opencl_program; /* opencl/program.c */

/* Fence values count the marked points of a device's work; events of the last of them are kept in a ring. */
#define NN__OPENCL_FENCES 64

struct nn__opencl {
    nn_context      *nn;
    nn_device        device; /* our name for it */
    nn_backend       backend;
    cl_platform_id   platform;
    cl_device_id     id;
    cl_context       context;
    cl_command_queue compute, copy; /* both in-order; an adopted device has one queue, used for both */
    bool             adopted, profile, clblast;
    bool             dry; /* launches only build: prepare */
    /* limits and kind, asked once */
    char     name[64], vendor[64], platform_name[64], driver[64], version[64];
    bool     cpu;         /* CL_DEVICE_TYPE_CPU: one work-item a group, no local memory, register tiles */
    bool     gpu, unified;
    cl_ulong memory, allocation, local_memory;
    size_t   group; /* largest work-group of the device, in all and in its first extent; may be 1 */
    cl_uint  units; /* compute units */
    uint64_t key;   /* of device, driver and platform, for the disk cache */
    nn__opencl_program *programs; /* built so far */
    void    *blas;   /* opencl/blas.c; NULL: no CLBlast */
    uint64_t fence, flushed; /* the last one given; how far the queues were flushed */
    cl_event events[NN__OPENCL_FENCES];
    char     cache_folder[256];
    const char *const *source; /* parts of the kernel text */
    int      source_count;
    char    *source_file;      /* text read from desc.kernel_file, or NULL */
    size_t   source_file_bytes;
    cl_int   last_status;
};

/* A negative nn_result with words: `what` failed with this status. Names the call ("clCreateBuffer"), the number and its name. */
NN__OPENCL_PRIVATE nn_result nn__opencl_fail(nn__opencl *device, const char *call, cl_int status);
NN__OPENCL_PRIVATE const char *nn__opencl_status_name(cl_int status); /* "CL_OUT_OF_RESOURCES" */

/* ---- launching: the only way in which kernels reach the device --------------------------------------------------------------- */

typedef struct nn__opencl_launch {
    nn__opencl *device;
    cl_kernel   kernel;
    cl_uint     argument; /* the next one */
    nn_result   result;   /* the first failure; later calls do nothing */
} nn__opencl_launch;

/* Finds or builds kernel `entry` of the whole kernel text with `options` ("-DTILE=8 ...", "" for none); part: the name of the
   .cl part it stands in ("gemm"): only common.cl and that part are compiled. Options must be few: each combination is a
   program of its own. */
NN__OPENCL_PRIVATE nn__opencl_launch nn__opencl_begin(nn__opencl *device, const char *part, const char *entry, const char *options);
/* Arguments in the kernel's order. A view is two: __global T *, ulong offset in elements of the view's dtype; absent: NULL and 0. */
NN__OPENCL_PRIVATE void nn__opencl_view(nn__opencl_launch *launch, const nn_view *view);
NN__OPENCL_PRIVATE void nn__opencl_int(nn__opencl_launch *launch, int32_t value);
NN__OPENCL_PRIVATE void nn__opencl_uint(nn__opencl_launch *launch, uint32_t value);
NN__OPENCL_PRIVATE void nn__opencl_ulong(nn__opencl_launch *launch, uint64_t value);
NN__OPENCL_PRIVATE void nn__opencl_float(nn__opencl_launch *launch, float value);
NN__OPENCL_PRIVATE void nn__opencl_local(nn__opencl_launch *launch, size_t bytes); /* __local */
/* The largest work-group for this kernel on this device (at least 1), at most `wanted`, a power of two. */
NN__OPENCL_PRIVATE size_t nn__opencl_group(const nn__opencl_launch *launch, size_t wanted);
/* Enqueues groups * local work-items in up to three extents; every extent of groups may be 0: nothing happens. Under dry: only what
   was built so far. Returns launch->result. */
NN__OPENCL_PRIVATE nn_result nn__opencl_run(nn__opencl_launch *launch, int extents, const size_t *groups, const size_t *local);
/* Short for one extent: `count` work-items in all, in groups of at most `wanted`; the kernel checks its index. */
NN__OPENCL_PRIVATE nn_result nn__opencl_run_flat(nn__opencl_launch *launch, uint64_t count, size_t wanted);

/* ---- help ------------------------------------------------------------------------------------------------------------------ */

static inline NN__OPENCL_UNUSED int64_t nn__opencl_count(const nn_view *view) {
    int64_t n = 1;
    for (int i = 0; i < view->shape.rank; i++) n *= view->shape.extent[i];
    return n;
}
static inline NN__OPENCL_UNUSED bool nn__opencl_present(const nn_view *view) { return view->dtype != NN_DTYPE_DEFAULT; }
static inline NN__OPENCL_UNUSED int32_t nn__opencl_ceil_div(int64_t a, int64_t b) { return (int32_t)((a + b - 1) / b); }
/* A part of a scratch view: `bytes` from `offset` bytes on, as f32. */
NN__OPENCL_PRIVATE nn_view nn__opencl_part(const nn_view *scratch, uint64_t offset, uint64_t bytes);

/* ---- CLBlast ----------------------------------------------------------------------------------------------------------------- */
NN__OPENCL_PRIVATE void nn__opencl_blas_open(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_blas_close(nn__opencl *device);
/* Would CLBlast do this product, and with how many bytes of temporary memory? */
NN__OPENCL_PRIVATE bool nn__opencl_blas_takes(nn__opencl *device, const nn_gemm_args *args, uint64_t *scratch_bytes);
NN__OPENCL_PRIVATE nn_result nn__opencl_blas_gemm(nn__opencl *device, const nn_gemm_args *args); /* y = a b, without the epilogue */
