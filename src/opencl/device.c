/* opencl/device.c - an OpenCL device as a backend: its limits, its memory, opening and closing.
   opencl/queue.c transfers data, opencl/launch.c launches kernels, and opencl/kernels.c lists
   them. */
#include "opencl/lend.h"

/* ---- what a device is ------------------------------------------------------------------------ */

static void nn__opencl_device_text(nn__opencl *device, cl_device_info what, char *text,
                                   size_t size) {
    char whole[512];
    const char *start = whole;
    size_t length;
    memset(whole, 0, sizeof whole);
    /* a name longer than the buffer gives an error, which is no reason to refuse the device */
    if (device->cl.GetDeviceInfo(device->id, what, sizeof whole - 1, whole, NULL) != CL_SUCCESS)
        nn__opencl_copy_text(whole, sizeof whole, "(no name)");
    while (*start == ' ') start++;
    nn__opencl_copy_text(text, size, start);
    for (length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = 0;
}

/* Parses "OpenCL 1.2 ..." or "OpenCL C 1.2 ..." as 102; 0: neither. */
static int nn__opencl_device_parse_version(const char *text) {
    int major = 0, minor = 0;
    while (*text && (*text < '0' || *text > '9')) text++;
    for (; *text >= '0' && *text <= '9'; text++) major = major * 10 + (*text - '0');
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9'; text++) minor = minor * 10 + (*text - '0');
    return major * 100 + minor;
}

/* Returns the card's place on the PCI bus, by the extension of Khronos, NVIDIA or AMD; 0:
   unknown. */
static uint64_t nn__opencl_device_place(nn__opencl *device) {
    const nn__opencl_api *cl = &device->cl;
    cl_uint khronos[4], bus = 0, slot = 0, domain = 0; /* domain, bus, device, function */
    unsigned char amd[24]; /* a union: type (1), padding, and bus, device, function in the last
                              bytes */
    memset(khronos, 0, sizeof khronos);
    memset(amd, 0, sizeof amd);
    if (cl->GetDeviceInfo(device->id, 0x410F, sizeof khronos, khronos, NULL) != CL_SUCCESS) {
        if (cl->GetDeviceInfo(device->id, 0x4008, sizeof bus, &bus, NULL) == CL_SUCCESS &&
            cl->GetDeviceInfo(device->id, 0x4009, sizeof slot, &slot, NULL) == CL_SUCCESS) {
            cl->GetDeviceInfo(device->id, 0x400A, sizeof domain, &domain, NULL);
            khronos[0] = domain, khronos[1] = bus, khronos[2] = slot >> 3, khronos[3] = slot & 7;
        } else if (cl->GetDeviceInfo(device->id, 0x4037, sizeof amd, amd, NULL) == CL_SUCCESS) {
            khronos[1] = amd[21], khronos[2] = amd[22], khronos[3] = amd[23];
        } else {
            return 0;
        }
    }
    return (uint64_t)1 << 63 | (uint64_t)khronos[0] << 24 | (khronos[1] & 0xffu) << 16 |
           (khronos[2] & 0xffu) << 8 | (khronos[3] & 0xffu);
}

/* Asks for properties that a device need not report. */
static void nn__opencl_device_ask_more(nn__opencl *device) {
    const nn__opencl_api *cl = &device->cl;
    cl_device_local_mem_type local = CL_LOCAL;
    if (cl->GetDeviceInfo(device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof device->clock,
                          &device->clock, NULL) != CL_SUCCESS)
        device->clock = 0;
    device->place = device->gpu ? nn__opencl_device_place(device) : 0;
    device->local_is_far =
        device->gpu && cl->GetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof local, &local,
                                         NULL) == CL_SUCCESS &&
        local == CL_GLOBAL;
    device->mma = nn__opencl_mma_ask(device);
    device->half = nn__opencl_half_ask(device);
    device->gathers = (device->gpu && nn__opencl_contains(device->vendor, "NVIDIA")) ||
                      nn__opencl_contains(device->platform_name, "Portable Computing Language");
    /* AMD's APUs bypass the cache when they read host memory */
    device->in_host_memory = device->unified &&
                             !(device->gpu && (nn__opencl_contains(device->vendor, "AMD") ||
                                               nn__opencl_contains(device->vendor, "Advanced")));
}

/* Asks for names, and computes the key of files for this device and driver. */
static void nn__opencl_device_ask_names(nn__opencl *device) {
    const nn__opencl_api *cl = &device->cl;
    memset(device->platform_name, 0, sizeof device->platform_name);
    nn__opencl_device_text(device, CL_DEVICE_NAME, device->name, sizeof device->name);
    nn__opencl_device_text(device, CL_DEVICE_VENDOR, device->vendor, sizeof device->vendor);
    nn__opencl_device_text(device, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
    nn__opencl_device_text(device, CL_DEVICE_VERSION, device->version, sizeof device->version);
    if (!device->platform)
        cl->GetDeviceInfo(device->id, CL_DEVICE_PLATFORM, sizeof device->platform,
                          &device->platform, NULL);
    cl->GetPlatformInfo(device->platform, CL_PLATFORM_NAME, sizeof device->platform_name - 1,
                        device->platform_name, NULL);
    device->key = nn__opencl_hash_text(NN__OPENCL_HASH_START, device->name);
    device->key = nn__opencl_hash_text(device->key, device->vendor);
    device->key = nn__opencl_hash_text(device->key, device->platform_name);
    device->key = nn__opencl_hash_text(device->key, device->driver);
    device->key = nn__opencl_hash_text(device->key, device->version);
}

/* Asks for kind and limits. *unusable: why this host cannot use the device; NULL: it can. */
static cl_int nn__opencl_device_ask_limits(nn__opencl *device, const char **unusable) {
    const nn__opencl_api *cl = &device->cl;
    cl_device_type type = 0;
    cl_bool available = CL_FALSE, compiler = CL_FALSE, unified = CL_FALSE, little = CL_TRUE;
    size_t group = 1, extents[16];
    uint32_t one = 1, floats = 0;
    cl_int status = CL_SUCCESS;
    memset(extents, 0, sizeof extents);
#define NN__X(what, value)                                                                         \
    if (status == CL_SUCCESS)                                                                      \
        status = cl->GetDeviceInfo(device->id, what, sizeof(value), &(value), NULL);
    NN__X(CL_DEVICE_TYPE, type)
    NN__X(CL_DEVICE_AVAILABLE, available)
    NN__X(CL_DEVICE_COMPILER_AVAILABLE, compiler)
    NN__X(CL_DEVICE_ENDIAN_LITTLE, little)
    NN__X(CL_DEVICE_HOST_UNIFIED_MEMORY, unified)
    NN__X(CL_DEVICE_GLOBAL_MEM_SIZE, device->memory)
    NN__X(CL_DEVICE_MAX_MEM_ALLOC_SIZE, device->allocation)
    NN__X(CL_DEVICE_LOCAL_MEM_SIZE, device->local_memory)
    NN__X(CL_DEVICE_MAX_WORK_GROUP_SIZE, group)
    NN__X(CL_DEVICE_MAX_WORK_ITEM_SIZES, extents)
    NN__X(CL_DEVICE_MAX_COMPUTE_UNITS, device->units)
    NN__X(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, floats)
#undef NN__X
    device->gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
    device->patient = device->gpu;
    device->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    device->lanes = floats >= 16 ? 16 : 8;
    device->spread = device->cpu && !device->gpu && floats == 1;
    if (device->spread) device->cpu = false;
    /* Intel's driver counts execution units. 16 of them share a work-group's local memory. */
    device->told = device->units;
    if (device->gpu && nn__opencl_contains(device->platform_name, "Intel"))
        device->units = (device->units + 15) / 16;
    if (extents[0] > 0 && extents[0] < group) group = extents[0];
    device->group = group > 0 ? group : 1;
    device->unified = unified != CL_FALSE;
    *unusable = !available  ? "the driver says that it is not available"
                : !compiler ? "the driver has no compiler"
                : (little != CL_FALSE) != (*(const unsigned char *)&one == 1)
                    ? "its byte order is not the host's"
                    : NULL;
    return status;
}

NN__OPENCL_PRIVATE const char *nn__opencl_ask(nn__opencl *device) {
    char c_version[64], profile[64];
    const char *unusable = NULL;
    size_t parameters = 0;
    bool few;
    nn__opencl_device_ask_names(device);
    nn__opencl_device_text(device, CL_DEVICE_OPENCL_C_VERSION, c_version, sizeof c_version);
    nn__opencl_device_text(device, CL_DEVICE_PROFILE, profile, sizeof profile);
    if (nn__opencl_device_ask_limits(device, &unusable) != CL_SUCCESS)
        return "the driver does not report its limits (clGetDeviceInfo failed)";
    nn__opencl_device_ask_more(device);
    if (unusable) return unusable;
    if (nn__opencl_contains(profile, "EMBEDDED"))
        return "it has the embedded profile, in which 64-bit integers, and arguments of more than "
               "256 bytes, are optional";
    if (nn__opencl_device_parse_version(device->version) < 102 ||
        nn__opencl_device_parse_version(c_version) < 102)
        return "older than OpenCL 1.2";
    /* a driver that does not report it must support the minimum */
    few = device->cl.GetDeviceInfo(device->id, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof parameters,
                                   &parameters, NULL) == CL_SUCCESS &&
          parameters > 0 && parameters < NN__OPENCL_PARAMETERS;
    if (few)
        return "its kernels take less than 1024 bytes of arguments, which OpenCL 1.2 promises";
    return NULL;
}

/* ---- the backend's slots of this part -------------------------------------------------------- */

static void nn__opencl_device_limits(void *state, nn_device_limits *limits) {
    const nn__opencl *device = (const nn__opencl *)state;
    memset(limits, 0, sizeof *limits);
    nn__opencl_copy_text(limits->name, sizeof limits->name, device->name);
    limits->memory = device->memory;
    limits->allocation = device->allocation;
    limits->gpu = device->gpu && !device->cpu; /* a CPU that tests use as a GPU does not count */
}

static nn_result nn__opencl_device_alloc_buffer(void *state, uint64_t bytes, void **handle) {
    nn__opencl *device = (nn__opencl *)state;
    cl_int status = CL_SUCCESS;
    cl_mem buffer;
    char text[160];
    *handle = NULL;
    if ((device->allocation > 0 && bytes > device->allocation) || bytes > SIZE_MAX) {
        nn__opencl_format(text, sizeof text,
                          "%llu bytes were asked for, and the largest allocation of %s is %llu",
                          (unsigned long long)bytes, device->name,
                          (unsigned long long)device->allocation);
        nn_report_error(device->nn, NN_ERROR_MEMORY, text);
        return NN_ERROR_MEMORY;
    }
    /* with shared memory, this flag makes mapping free of copies */
    buffer = device->cl.CreateBuffer(
        device->context,
        CL_MEM_READ_WRITE | (device->in_host_memory ? CL_MEM_ALLOC_HOST_PTR : (cl_mem_flags)0),
        (size_t)bytes, NULL, &status);
    if (!buffer && status == CL_SUCCESS) status = CL_OUT_OF_RESOURCES;
    if (status != CL_SUCCESS) {
        nn__opencl_fail(device, "clCreateBuffer", status);
        if (status == CL_OUT_OF_RESOURCES) { /* some drivers report full memory this way */
            nn_report_error(device->nn, NN_ERROR_MEMORY,
                            "clCreateBuffer: CL_OUT_OF_RESOURCES (-5)");
            return NN_ERROR_MEMORY;
        }
        return nn__opencl_fail(device, "clCreateBuffer", status);
    }
    device->released++; /* a wrapped buffer may have had this address before */
    device->live++;
    nn__opencl_lend_advise(device, buffer, (size_t)bytes);
    *handle = (void *)buffer;
    return NN_OK;
}

static void nn__opencl_device_release_buffer(void *state, void *handle, uint64_t bytes) {
    nn__opencl *device = (nn__opencl *)state;
    (void)bytes;
    if (!handle) return;
    if (nn__opencl_take_back(device, (cl_mem)handle) != NN_OK)
        nn__opencl_forget_lent(device, (cl_mem)handle);
    nn__opencl_forget_shared(device, (cl_mem)handle);
    device->live--;
    device->released++;
    /* the driver keeps it until enqueued work is done */
    device->cl.ReleaseMemObject((cl_mem)handle);
}

/* ---- pinned memory of the host --------------------------------------------------------------- */

/* Host memory that the driver allocates, as a buffer that stays mapped until its release. Transfers
   from it need no extra copy by the driver. */
struct nn__opencl_pinned {
    nn__opencl_pinned *next;
    cl_mem buffer;
    void *host;
};

static void nn__opencl_device_unpin(nn__opencl *device, nn__opencl_pinned *pinned) {
    if (pinned->host && device->cl.EnqueueUnmapMemObject(device->compute, pinned->buffer,
                                                         pinned->host, 0, NULL, NULL) == CL_SUCCESS)
        device->cl.Finish(device->compute);
    if (pinned->buffer) device->cl.ReleaseMemObject(pinned->buffer);
    nn_give_memory(device->nn, pinned, sizeof *pinned);
}

static nn_result nn__opencl_device_host_alloc(void *state, uint64_t bytes, void **host) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_pinned *pinned;
    cl_int status = CL_SUCCESS;
    *host = NULL;
    if (bytes == 0 || bytes > SIZE_MAX || (device->allocation > 0 && bytes > device->allocation))
        return NN_ERROR_MEMORY;
    pinned = (nn__opencl_pinned *)nn_take_memory(device->nn, sizeof *pinned);
    if (!pinned) return NN_ERROR_MEMORY;
    pinned->buffer = device->cl.CreateBuffer(
        device->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, (size_t)bytes, NULL, &status);
    if (status == CL_SUCCESS && pinned->buffer)
        pinned->host =
            device->cl.EnqueueMapBuffer(device->compute, pinned->buffer, CL_TRUE, CL_MAP_WRITE, 0,
                                        (size_t)bytes, 0, NULL, NULL, &status);
    if (status != CL_SUCCESS || !pinned->host) {
        if (status != CL_SUCCESS) pinned->host = NULL;
        nn__opencl_device_unpin(device, pinned);
        return NN_ERROR_MEMORY;
    }
    memset(pinned->host, 0, (size_t)bytes);
    pinned->next = device->pinned;
    device->pinned = pinned;
    *host = pinned->host;
    return NN_OK;
}

static void nn__opencl_device_host_release(void *state, void *host, uint64_t bytes) {
    nn__opencl *device = (nn__opencl *)state;
    (void)bytes;
    for (nn__opencl_pinned **at = &device->pinned; *at; at = &(*at)->next) {
        nn__opencl_pinned *pinned = *at;
        if (pinned->host != host) continue;
        *at = pinned->next;
        nn__opencl_device_unpin(device, pinned);
        return;
    }
}

NN__OPENCL_PRIVATE void nn__opencl_close(void *state) {
    nn__opencl *device = (nn__opencl *)state;
    const nn__opencl_api *cl = &device->cl;
    nn_context *nn = device->nn;
    /* twice, because a call may have failed */
    for (int i = 0; device->compute && device->copy && i < 2; i++)
        nn__opencl_finish(device);
    nn__opencl_save_programs(device);
    nn__opencl_forget_shared(device, NULL);
    while (device->pinned) nn__opencl_device_host_release(device, device->pinned->host, 0);
    for (int i = 0; i < NN__OPENCL_FENCES; i++)
        if (device->events[i]) cl->ReleaseEvent(device->events[i]);
    for (int i = 0; i < NN__OPENCL_FENCES; i++)
        if (device->starts[i]) cl->ReleaseEvent(device->starts[i]);
    if (device->first) cl->ReleaseEvent(device->first);
    if (device->last) cl->ReleaseEvent(device->last);
    nn__opencl_blas_close(device);
    nn__opencl_free_entries(device);
    nn__opencl_repeats_free(device);
    nn__opencl_prepared_free(device);
    nn__opencl_lend_close(device);
    nn__opencl_free_programs(device);
    if (device->copy && device->copy != device->compute) cl->ReleaseCommandQueue(device->copy);
    if (device->compute) cl->ReleaseCommandQueue(device->compute);
    if (device->context) cl->ReleaseContext(device->context);
    if (device->adopted) cl->ReleaseDevice(device->id);
    nn_give_memory(nn, device->source_file, device->source_file_bytes);
    nn_give_memory(nn, device, sizeof *device);
}

NN__OPENCL_PRIVATE void nn__opencl_fill_backend(nn__opencl *device) {
    nn_backend *backend = &device->backend;
    memset(backend, 0, sizeof *backend);
    backend->version = 2;
    backend->size = (uint32_t)sizeof *backend;
    backend->kind = NN_OPENCL;
    backend->name = "opencl";
    backend->limits = nn__opencl_device_limits;
    backend->close = nn__opencl_close;
    backend->alloc = nn__opencl_device_alloc_buffer;
    backend->release = nn__opencl_device_release_buffer;
    nn__opencl_fill_transfers(backend);
    if (device->in_host_memory) {
        backend->map = nn__opencl_map;
        backend->unmap = nn__opencl_unmap;
    }
    backend->finish = nn__opencl_finish;
    backend->fence_done = nn__opencl_fence_done;
    backend->fence_wait = nn__opencl_fence_wait;
    backend->host_alloc = nn__opencl_device_host_alloc;
    backend->host_release = nn__opencl_device_host_release;
    backend->mark = nn__opencl_mark;
    backend->span = nn__opencl_span;
    nn__opencl_fill_kernels(backend);
}
