/* opencl_context.c: makes one OpenCL context for each device of a test program, however often the
   program opens the device. PoCL reads its library of 10 MB again for each context, which took
   a fifth of some programs' time. make test links most programs that use OpenCL with this file;
   tools/test_full.sh o2 runs them without it. Under a layer (OPENCL_LAYERS) each call reaches the library. */
#define _GNU_SOURCE /* RTLD_NEXT */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef void(CL_CALLBACK *notify_function)(const char *, const void *, size_t, void *);
typedef cl_context(CL_API_CALL *create_function)(const cl_context_properties *, cl_uint,
                                                 const cl_device_id *, notify_function, void *,
                                                 cl_int *);

enum { DEVICES = 16 };
static struct {
    cl_device_id device;
    cl_context context;
} kept[DEVICES];
static int kept_count;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* Returns the context of the device with one more reference, or NULL if it has none yet. */
static cl_context find(cl_device_id device) {
    for (int i = 0; i < kept_count; i++)
        if (kept[i].device == device && clRetainContext(kept[i].context) == CL_SUCCESS)
            return kept[i].context;
    return NULL;
}

/* Stands before the function of the OpenCL library. */
CL_API_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties,
                                                    cl_uint count, const cl_device_id *devices,
                                                    notify_function notify, void *user,
                                                    cl_int *status) {
    create_function create;
    void *const found = dlsym(RTLD_NEXT, "clCreateContext");
    cl_context context;
    __builtin_memcpy(&create, &found, sizeof create);
    if (count != 1 || !devices || notify || getenv("OPENCL_LAYERS"))
        return create(properties, count, devices, notify, user, status);
    pthread_mutex_lock(&one_at_a_time);
    context = find(devices[0]);
    if (context && status) *status = CL_SUCCESS;
    if (!context) {
        context = create(properties, count, devices, notify, user, status);
        if (context && kept_count < DEVICES && clRetainContext(context) == CL_SUCCESS) {
            kept[kept_count].device = devices[0];
            kept[kept_count++].context = context;
        }
    }
    pthread_mutex_unlock(&one_at_a_time);
    return context;
}
