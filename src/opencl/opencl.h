/* opencl/opencl.h - every OpenCL device as opencl:0, opencl:1, ... of a context: NVIDIA, AMD,
   Intel, Apple, Mali, Adreno, and CPUs with an OpenCL driver. OpenCL 1.2 is enough; no extension is
   required.

   In one file of the program: #define NN_OPENCL_IMPLEMENTATION (beside NN_IMPLEMENTATION there or
   elsewhere), then #include "nn_opencl.h". Link with -lOpenCL (macOS: -framework OpenCL), or define
   NN_OPENCL_DYNAMIC: the library is then loaded at run time (dlopen, LoadLibrary), and the same
   binary runs where there is none.

     NN_OPENCL_DYNAMIC   load the OpenCL library at run time; nothing to link but -ldl on old
   systems NN_OPENCL_CLBLAST   link CLBlast (-lclblast) for large matrix products; without it
   CLBlast is loaded at run time where the system has it. Never required NN_OPENCL_NO_CACHE  no
   compiled programs on disk, not even code for it */
#pragma once

#include "nn.h"

#define NN_OPENCL_AVAILABLE 1

typedef enum nn_opencl_type {
    /* GPUs first, then accelerators, then CPUs; of GPUs those with memory of their own first, of
       those the one with the most compute units times clock */
    NN_OPENCL_ALL,
    NN_OPENCL_GPU,
    NN_OPENCL_ACCELERATOR,
    NN_OPENCL_CPU
} nn_opencl_type;

typedef struct nn_opencl_desc {
    nn_opencl_type type;  /* default: all */
    const char *platform; /* default: any. A part of the platform's name, in any case */
    const char *vendor;   /* default: any. A part of the device's vendor */
    const char *name;     /* default: any. A part of the device's name */
    bool no_clblast; /* default: false: CLBlast for large products where it is measured better */
    /* default: false. true: queues with timestamps; reports then have times per step */
    bool profile;
    /* default: $XDG_CACHE_HOME/nn, ~/.cache/nn (%LOCALAPPDATA%/nn), and none for CPUs, whose
       drivers keep their own; "": no cache on disk. Read when a kernel is first needed, written by
       nn_close */
    const char *cache_folder;
    /* default: the embedded text. While developing: path of kernels.cl, read at opening */
    const char *kernel_file;
    /* A context of yours (a renderer's): all three, or none. They are cl_context, cl_device_id,
       cl_command_queue; retained while open, released at nn_close. Only this device is opened,
       whatever the filters. queue must be in-order. */
    void *context, *device, *queue;
} nn_opencl_desc;

/* Adds every device that fits. NN_OK: at least one was opened. NN_NOT_FOUND (not an error): no
   OpenCL here, no platform, no device, or none that fits; nn_opencl_list says which, and the CPU
   goes on working. Errors only for a wrong desc, adopted handles that do not fit together, and no
   memory. A device that cannot be used is left out and named in the log. A GPU that two drivers
   know is opened once, by its maker's; desc.platform chooses the other. desc may be NULL. */
NN_API nn_result nn_opencl_open_at(nn_site site, nn_context *nn, const nn_opencl_desc *desc);
#define nn_opencl_open(...) nn_opencl_open_at(NN_HERE, __VA_ARGS__)

/* What the last nn_opencl_open on this machine would say, as text: written into text,
   zero-terminated; returns text. One line for each platform and device: opened as which name, or
   left out and why. */
NN_API const char *nn_opencl_list(nn_context *nn, const nn_opencl_desc *desc, char *text,
                                  size_t size);

/* Names of an open device, for reports. NULL when `device` is no open OpenCL device. */
typedef struct nn_opencl_info {
    const char *name, *vendor, *platform, *driver, *version;
    uint64_t memory, allocation, local_memory;
    uint32_t compute_units, work_group;
    bool cpu, unified_memory, adopted;
} nn_opencl_info;
NN_API bool nn_opencl_describe(nn_context *nn, nn_device device, nn_opencl_info *info);

/* ---- a game's own OpenCL ------------------------------------------------------------------ */

/* The device's cl_context, cl_device_id and compute cl_command_queue; false when it is not open.
   They stay ours unless adopted. */
NN_API bool nn_opencl_handles(nn_context *nn, nn_device device, void **context, void **device_id,
                              void **queue);
/* A tensor around a cl_mem of the same cl_context: `offset` bytes in, never released by us, must
   outlive the tensor. */
NN_API nn_tensor *nn_opencl_wrap_at(nn_site site, nn_context *nn, nn_device device,
                                    const char *name, nn_dtype dtype, nn_shape shape, void *buffer,
                                    uint64_t offset);
#define nn_opencl_wrap(...) nn_opencl_wrap_at(NN_HERE, __VA_ARGS__)
/* Work that is given to the device from now on waits for the caller's cl_event. */
NN_API nn_result nn_opencl_wait_for(nn_context *nn, nn_device device, void *event);
/* A cl_event that is done when all work given so far is; the caller releases it (clReleaseEvent).
   NULL on failure. */
NN_API void *nn_opencl_done_event(nn_context *nn, nn_device device);

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_opencl_open_at(nn_site site, nn_context *nn, const nn_opencl_desc &desc) {
    return nn_opencl_open_at(site, nn, &desc);
}
}
#endif
