/* opencl_layer.c: an OpenCL layer for tests: counts calls and live objects, and makes one call
   fail.

     cc -shared -fPIC -I. -o libnn_layer.so tests/support/opencl_layer.c
     OPENCL_LAYERS=/abs/libnn_layer.so LAYER_REPORT=/abs/file FAIL_AT=7 ./program

   The loader (ocl-icd 2.3, Khronos' 2021 and later) hands every call of the program to the layer
   first, calls from pointers and from other libraries included. At exit the report has
   these lines, each a name and a number:

     calls             the number of calls that could be made to fail: all but clRelease*
     failed            1 if the FAIL_AT-th of them was made to fail
     failed_call       the name of that call, instead of a number
     clCreateBuffer    the number of calls of this function; the same for clBuildProgram,
                       clCreateProgramWithSource, clCreateProgramWithBinary, clCreateKernel
     live_contexts     the number of objects that were made and retained but not released; the
                       same for queues, buffers, programs, kernels, events

   Several threads may call at a time, but nn_layer_fail_at only while none does. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct _cl_icd_dispatch *next;
static struct _cl_icd_dispatch layer;
static long calls, fail_at, failed, buffers_made, programs_built, sources, binaries;
static long kernels_made, arguments_set, launches;
static long live_contexts, live_queues, live_buffers, live_programs, live_kernels, live_events;
static const char *failed_call = "-";

#define LAYER_STATUS CL_OUT_OF_RESOURCES

#define ADD(counter, number) ((void)__sync_fetch_and_add(&(counter), (number)))

/* True if this call must fail. */
static int turn(const char *name) {
    const long call = __sync_add_and_fetch(&calls, 1);
    if (fail_at <= 0 || call != fail_at) return 0;
    failed = 1;
    failed_call = name;
    return 1;
}

static void report(void) {
    const char *path = getenv("LAYER_REPORT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "calls %ld\nfailed %ld\nfailed_call %s\n", calls, failed, failed_call);
    fprintf(file, "clCreateBuffer %ld\nclBuildProgram %ld\n", buffers_made, programs_built);
    fprintf(file, "clCreateProgramWithSource %ld\nclCreateProgramWithBinary %ld\n", sources,
            binaries);
    fprintf(file, "clCreateKernel %ld\n", kernels_made);
    fprintf(file, "live_contexts %ld\nlive_queues %ld\nlive_buffers %ld\n", live_contexts,
            live_queues, live_buffers);
    fprintf(file, "live_programs %ld\nlive_kernels %ld\nlive_events %ld\n", live_programs,
            live_kernels, live_events);
    fclose(file);
}

/* ---- for the program under test, found with dlsym -------------------------------------------- */

typedef struct nn_layer_numbers { /* as in tests/opencl/test_opencl_calls.c */
    long calls, failed, buffers, programs, kernels, live, arguments, launches;
    const char *failed_call;
} nn_layer_numbers;

CL_API_ENTRY void CL_API_CALL nn_layer_read(nn_layer_numbers *now);
CL_API_ENTRY void CL_API_CALL nn_layer_fail_at(long at);

CL_API_ENTRY void CL_API_CALL nn_layer_read(nn_layer_numbers *now) {
    now->calls = calls;
    now->failed = failed;
    now->buffers = buffers_made;
    now->programs = programs_built + sources + binaries;
    now->kernels = kernels_made;
    now->arguments = arguments_set;
    now->launches = launches;
    now->live =
        live_contexts + live_queues + live_buffers + live_programs + live_kernels + live_events;
    now->failed_call = failed_call;
}

/* Counts the calls from 0 again, and makes call number `at` fail. 0: none fails. */
CL_API_ENTRY void CL_API_CALL nn_layer_fail_at(long at) {
    calls = failed = 0;
    failed_call = "-";
    fail_at = at;
}

/* ---- calls that make objects: NULL and a status when their turn has come --------------------- */

#define MAKE(type, name, live, counter, parameters, arguments)                                     \
    static CL_API_ENTRY type CL_API_CALL layer_##name parameters {                                 \
        type object = NULL;                                                                        \
        ADD(counter, 1);                                                                           \
        if (turn(#name)) {                                                                         \
            if (status) *status = LAYER_STATUS;                                                    \
            return NULL;                                                                           \
        }                                                                                          \
        object = next->name arguments;                                                             \
        if (object) ADD(live, 1);                                                                  \
        return object;                                                                             \
    }

static long ignored;
MAKE(cl_context, clCreateContext, live_contexts, ignored,
     (const cl_context_properties *p, cl_uint n, const cl_device_id *d,
      void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u, cl_int *status),
     (p, n, d, f, u, status))
MAKE(cl_command_queue, clCreateCommandQueue, live_queues, ignored,
     (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *status),
     (c, d, p, status))
MAKE(cl_mem, clCreateBuffer, live_buffers, buffers_made,
     (cl_context c, cl_mem_flags f, size_t n, void *p, cl_int *status), (c, f, n, p, status))
MAKE(cl_program, clCreateProgramWithSource, live_programs, sources,
     (cl_context c, cl_uint n, const char **t, const size_t *l, cl_int *status),
     (c, n, t, l, status))
MAKE(cl_program, clCreateProgramWithBinary, live_programs, binaries,
     (cl_context c, cl_uint n, const cl_device_id *d, const size_t *l, const unsigned char **b,
      cl_int *each, cl_int *status),
     (c, n, d, l, b, each, status))
MAKE(cl_kernel, clCreateKernel, live_kernels, kernels_made,
     (cl_program p, const char *n, cl_int *status), (p, n, status))

/* ---- retain and release: counted; a release never fails -------------------------------------- */

#define COUNT(type, what, live)                                                                    \
    static CL_API_ENTRY cl_int CL_API_CALL layer_clRetain##what(type object) {                     \
        if (turn("clRetain" #what)) return LAYER_STATUS;                                           \
        ADD(live, 1);                                                                              \
        return next->clRetain##what(object);                                                       \
    }                                                                                              \
    static CL_API_ENTRY cl_int CL_API_CALL layer_clRelease##what(type object) {                    \
        ADD(live, -1);                                                                             \
        return next->clRelease##what(object);                                                      \
    }
COUNT(cl_context, Context, live_contexts)
COUNT(cl_command_queue, CommandQueue, live_queues)
COUNT(cl_mem, MemObject, live_buffers)
COUNT(cl_program, Program, live_programs)
COUNT(cl_kernel, Kernel, live_kernels)
COUNT(cl_event, Event, live_events)

/* ---- calls that return a status -------------------------------------------------------------- */

#define CALL(name, parameters, arguments)                                                          \
    static CL_API_ENTRY cl_int CL_API_CALL layer_##name parameters {                               \
        if (turn(#name)) return LAYER_STATUS;                                                      \
        return next->name arguments;                                                               \
    }

/* The last argument receives an event, if it is not NULL. */
static long enqueued;
#define ENQUEUE(name, counter, parameters, arguments)                                              \
    static CL_API_ENTRY cl_int CL_API_CALL layer_##name parameters {                               \
        cl_int status;                                                                             \
        if (turn(#name)) return LAYER_STATUS;                                                      \
        ADD(counter, 1);                                                                           \
        status = next->name arguments;                                                             \
        if (status == CL_SUCCESS && event) ADD(live_events, 1);                                    \
        return status;                                                                             \
    }

CALL(clGetPlatformIDs, (cl_uint n, cl_platform_id *p, cl_uint *count), (n, p, count))
CALL(clGetDeviceIDs,
     (cl_platform_id p, cl_device_type t, cl_uint n, cl_device_id *d, cl_uint *count),
     (p, t, n, d, count))
static CL_API_ENTRY cl_int CL_API_CALL layer_clSetKernelArg(cl_kernel k, cl_uint i, size_t n,
                                                            const void *p) {
    if (turn("clSetKernelArg")) return LAYER_STATUS;
    ADD(arguments_set, 1);
    return next->clSetKernelArg(k, i, n, p);
}
CALL(clWaitForEvents, (cl_uint n, const cl_event *e), (n, e))
#define INFO(name, type)                                                                           \
    CALL(name, (type o, cl_uint w, size_t n, void *p, size_t *r), (o, w, n, p, r))
INFO(clGetPlatformInfo, cl_platform_id)
INFO(clGetDeviceInfo, cl_device_id)
INFO(clGetContextInfo, cl_context)
INFO(clGetCommandQueueInfo, cl_command_queue)
INFO(clGetMemObjectInfo, cl_mem)
INFO(clGetProgramInfo, cl_program)
INFO(clGetEventInfo, cl_event)
INFO(clGetEventProfilingInfo, cl_event)
CALL(clGetProgramBuildInfo, (cl_program o, cl_device_id d, cl_uint w, size_t n, void *p, size_t *r),
     (o, d, w, n, p, r))
CALL(clGetKernelWorkGroupInfo,
     (cl_kernel o, cl_device_id d, cl_uint w, size_t n, void *p, size_t *r), (o, d, w, n, p, r))
CALL(clRetainDevice, (cl_device_id d), (d))
CALL(clFlush, (cl_command_queue q), (q))
CALL(clFinish, (cl_command_queue q), (q))

static CL_API_ENTRY cl_int CL_API_CALL
layer_clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                     void(CL_CALLBACK *f)(cl_program, void *), void *u) {
    ADD(programs_built, 1);
    if (turn("clBuildProgram")) return LAYER_STATUS;
    return next->clBuildProgram(p, n, d, o, f, u);
}

ENQUEUE(clEnqueueReadBuffer, enqueued,
        (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, void *p, cl_uint c,
         const cl_event *w, cl_event *event),
        (q, m, b, o, n, p, c, w, event))
ENQUEUE(clEnqueueWriteBuffer, enqueued,
        (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, const void *p, cl_uint c,
         const cl_event *w, cl_event *event),
        (q, m, b, o, n, p, c, w, event))
ENQUEUE(clEnqueueCopyBuffer, enqueued,
        (cl_command_queue q, cl_mem a, cl_mem b, size_t i, size_t j, size_t n, cl_uint c,
         const cl_event *w, cl_event *event),
        (q, a, b, i, j, n, c, w, event))
ENQUEUE(clEnqueueFillBuffer, enqueued,
        (cl_command_queue q, cl_mem m, const void *p, size_t s, size_t o, size_t n, cl_uint c,
         const cl_event *w, cl_event *event),
        (q, m, p, s, o, n, c, w, event))
ENQUEUE(clEnqueueNDRangeKernel, launches,
        (cl_command_queue q, cl_kernel k, cl_uint d, const size_t *o, const size_t *g,
         const size_t *l, cl_uint c, const cl_event *w, cl_event *event),
        (q, k, d, o, g, l, c, w, event))
ENQUEUE(clEnqueueMarkerWithWaitList, enqueued,
        (cl_command_queue q, cl_uint c, const cl_event *w, cl_event *event), (q, c, w, event))
ENQUEUE(clEnqueueBarrierWithWaitList, enqueued,
        (cl_command_queue q, cl_uint c, const cl_event *w, cl_event *event), (q, c, w, event))
ENQUEUE(clEnqueueUnmapMemObject, enqueued,
        (cl_command_queue q, cl_mem m, void *p, cl_uint c, const cl_event *w, cl_event *event),
        (q, m, p, c, w, event))

static CL_API_ENTRY void *CL_API_CALL layer_clEnqueueMapBuffer(cl_command_queue q, cl_mem m,
                                                               cl_bool b, cl_map_flags f, size_t o,
                                                               size_t n, cl_uint c,
                                                               const cl_event *w, cl_event *event,
                                                               cl_int *status) {
    void *pointer;
    if (turn("clEnqueueMapBuffer")) {
        if (status) *status = LAYER_STATUS;
        return NULL;
    }
    pointer = next->clEnqueueMapBuffer(q, m, b, f, o, n, c, w, event, status);
    if (pointer && event) ADD(live_events, 1);
    return pointer;
}

/* ---- what the loader asks of a layer --------------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value,
                                               size_t *size_wanted) {
    static const char name[] = "nn test layer";
    cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
    size_t bytes = what == CL_LAYER_NAME ? sizeof name : sizeof version;
    if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (size_wanted) *size_wanted = bytes;
    if (value && size < bytes) return CL_INVALID_VALUE;
    if (value) memcpy(value, from, bytes);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *target,
                                            cl_uint *count_ret,
                                            const struct _cl_icd_dispatch **layer_ret) {
    const char *at = getenv("FAIL_AT");
    if (count < sizeof layer / sizeof layer.clGetPlatformIDs) return CL_INVALID_VALUE;
    next = target;
    fail_at = at ? atol(at) : 0;
    memset(&layer, 0, sizeof layer); /* NULL: the loader continues with the next one */
#define TAKE(name) layer.name = layer_##name
    TAKE(clCreateContext);
    TAKE(clCreateCommandQueue);
    TAKE(clCreateBuffer);
    TAKE(clCreateProgramWithSource);
    TAKE(clCreateProgramWithBinary);
    TAKE(clCreateKernel);
    TAKE(clRetainContext);
    TAKE(clReleaseContext);
    TAKE(clRetainCommandQueue);
    TAKE(clReleaseCommandQueue);
    TAKE(clRetainMemObject);
    TAKE(clReleaseMemObject);
    TAKE(clRetainProgram);
    TAKE(clReleaseProgram);
    TAKE(clRetainKernel);
    TAKE(clReleaseKernel);
    TAKE(clRetainEvent);
    TAKE(clReleaseEvent);
    TAKE(clGetPlatformIDs);
    TAKE(clGetDeviceIDs);
    TAKE(clSetKernelArg);
    TAKE(clWaitForEvents);
    TAKE(clFlush);
    TAKE(clGetPlatformInfo);
    TAKE(clGetDeviceInfo);
    TAKE(clGetContextInfo);
    TAKE(clGetCommandQueueInfo);
    TAKE(clGetMemObjectInfo);
    TAKE(clGetProgramInfo);
    TAKE(clGetEventInfo);
    TAKE(clGetEventProfilingInfo);
    TAKE(clGetProgramBuildInfo);
    TAKE(clGetKernelWorkGroupInfo);
    TAKE(clRetainDevice);
    TAKE(clFinish);
    TAKE(clBuildProgram);
    TAKE(clEnqueueReadBuffer);
    TAKE(clEnqueueWriteBuffer);
    TAKE(clEnqueueCopyBuffer);
    TAKE(clEnqueueFillBuffer);
    TAKE(clEnqueueNDRangeKernel);
    TAKE(clEnqueueMarkerWithWaitList);
    TAKE(clEnqueueBarrierWithWaitList);
    TAKE(clEnqueueUnmapMemObject);
    TAKE(clEnqueueMapBuffer);
#undef TAKE
    *layer_ret = &layer;
    *count_ret = (cl_uint)(sizeof layer / sizeof layer.clGetPlatformIDs);
    atexit(report);
    return CL_SUCCESS;
}
