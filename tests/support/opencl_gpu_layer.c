/* tests/support/opencl_gpu_layer.c: an OpenCL layer that shows a CPU's devices as GPUs, so that programs
   choose what they choose on a GPU; and that puts each buffer before a page that nobody may touch.

     cc -shared -fPIC -o libgpu_layer.so tests/support/opencl_gpu_layer.c
     OPENCL_LAYERS=/abs/libgpu_layer.so [GPU_UNITS=132] [GPU_FENCE=after|before] ./program

   GPU_UNITS: the number of compute units of the GPU; without it, devices are shown as they are.
   GPU_FENCE: a kernel that reads or writes after the last 16 bytes of a buffer (before: before its
   first byte) ends the process; a GPU may not notice it. Needs a device that takes host pointers as
   they are (PoCL). Buffers must be made by one thread; the library under test does so. */
#define _DEFAULT_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, MOST_BUFFERS = 1 << 20 };

static const struct _cl_icd_dispatch *next;
static struct _cl_icd_dispatch layer;
static const char *units, *fence;
static struct {
    cl_mem buffer;
    char *pages;
    size_t bytes;
} fenced[MOST_BUFFERS];
static int fenced_count;

static CL_API_ENTRY cl_int CL_API_CALL layer_clGetDeviceInfo(cl_device_id device,
                                                             cl_device_info what, size_t bytes,
                                                             void *value, size_t *wanted) {
    const cl_int status = next->clGetDeviceInfo(device, what, bytes, value, wanted);
    if (status != CL_SUCCESS || !value || !units) return status;
    switch (what) {
    case CL_DEVICE_TYPE: *(cl_device_type *)value = CL_DEVICE_TYPE_GPU; break;
    case CL_DEVICE_MAX_COMPUTE_UNITS: *(cl_uint *)value = (cl_uint)atoi(units); break;
    case CL_DEVICE_LOCAL_MEM_SIZE: *(cl_ulong *)value = 49152; break;
    case CL_DEVICE_LOCAL_MEM_TYPE: *(cl_device_local_mem_type *)value = CL_LOCAL; break;
    case CL_DEVICE_HOST_UNIFIED_MEMORY: *(cl_bool *)value = CL_FALSE; break;
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: *(size_t *)value = 1024; break;
    default: break;
    }
    return status;
}

static CL_API_ENTRY cl_mem CL_API_CALL layer_clCreateBuffer(cl_context context, cl_mem_flags flags,
                                                            size_t bytes, void *host,
                                                            cl_int *status) {
    const size_t body = (bytes + PAGE - 1) / PAGE * PAGE, all = body + 2 * PAGE;
    char *pages, *at;
    if (!fence || host || fenced_count == MOST_BUFFERS)
        return next->clCreateBuffer(context, flags, bytes, host, status);
    pages = (char *)mmap(NULL, all, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == (char *)MAP_FAILED) {
        if (status) *status = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    mprotect(pages, PAGE, PROT_NONE);
    mprotect(pages + PAGE + body, PAGE, PROT_NONE);
    at = pages + PAGE + (strcmp(fence, "before") == 0 ? 0 : body - (bytes + 15) / 16 * 16);
    memset(at, 0xC3, bytes);
    flags = (flags & ~(cl_mem_flags)CL_MEM_ALLOC_HOST_PTR) | CL_MEM_USE_HOST_PTR;
    fenced[fenced_count].buffer = next->clCreateBuffer(context, flags, bytes, at, status);
    if (!fenced[fenced_count].buffer) {
        munmap(pages, all);
        return NULL;
    }
    fenced[fenced_count].pages = pages;
    fenced[fenced_count].bytes = all;
    return fenced[fenced_count++].buffer;
}

static CL_API_ENTRY cl_int CL_API_CALL layer_clReleaseMemObject(cl_mem buffer) {
    cl_uint references = 0;
    cl_int status;
    next->clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof references, &references, NULL);
    status = next->clReleaseMemObject(buffer);
    for (int i = fenced_count; references == 1 && i-- > 0;) {
        if (fenced[i].buffer != buffer) continue;
        munmap(fenced[i].pages, fenced[i].bytes);
        fenced[i] = fenced[--fenced_count];
        break;
    }
    return status;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t bytes, void *value,
                                               size_t *wanted) {
    static const char name[] = "nn gpu layer";
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    const void *from = what == CL_LAYER_NAME ? (const void *)name : (const void *)&version;
    const size_t length = what == CL_LAYER_NAME ? sizeof name : sizeof version;
    if (what != CL_LAYER_NAME && what != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (wanted) *wanted = length;
    if (value && bytes < length) return CL_INVALID_VALUE;
    if (value) memcpy(value, from, length);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *target,
                                            cl_uint *layer_count,
                                            const struct _cl_icd_dispatch **ours) {
    if (count < sizeof layer / sizeof layer.clGetPlatformIDs) return CL_INVALID_VALUE;
    next = target;
    units = getenv("GPU_UNITS");
    fence = getenv("GPU_FENCE");
    memset(&layer, 0, sizeof layer); /* NULL: the loader continues with the next one */
    layer.clGetDeviceInfo = layer_clGetDeviceInfo;
    layer.clCreateBuffer = layer_clCreateBuffer;
    layer.clReleaseMemObject = layer_clReleaseMemObject;
    *ours = &layer;
    *layer_count = (cl_uint)(sizeof layer / sizeof layer.clGetPlatformIDs);
    return CL_SUCCESS;
}
