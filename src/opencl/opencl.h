/* opencl/opencl.h - every OpenCL device as opencl:0, opencl:1, ... of a context: NVIDIA, AMD,
   Intel, Apple, Mali, Adreno, and CPUs with an OpenCL driver. OpenCL 1.2 is enough; no extension is
   required.

   In one file of the program, #define NN_OPENCL_IMPLEMENTATION (NN_IMPLEMENTATION may be in the
   same file or another), then #include "nn_opencl.h". Link with -lOpenCL (macOS: -framework
   OpenCL), or define NN_OPENCL_DYNAMIC: the library is then loaded at run time (dlopen,
   LoadLibrary), and the same binary runs on machines without it.

     NN_OPENCL_DYNAMIC     load the OpenCL library at run time; nothing to link but -ldl on old
                           systems
     NN_OPENCL_CLBLAST     link CLBlast (-lclblast) for large matrix products; without it CLBlast is
                           loaded at run time where the system has it. Never required
     NN_OPENCL_NO_CACHE    no compiled programs on disk, not even code for it */
#pragma once

#include "nn.h"

#define NN_OPENCL_AVAILABLE 1

typedef enum nn_opencl_type {
    /* GPUs first, then accelerators, then CPUs. GPUs with their own memory come first, then those
       with more compute units times clock */
    NN_OPENCL_ALL,
    NN_OPENCL_GPU,
    NN_OPENCL_ACCELERATOR,
    NN_OPENCL_CPU
} nn_opencl_type;

typedef struct nn_opencl_desc {
    nn_opencl_type type;  /* default: all */
    const char *platform; /* default: any. A part of the platform's name, ignoring case */
    const char *vendor;   /* default: any. A part of the device's vendor */
    const char *name;     /* default: any. A part of the device's name */
    /* default: false: uses CLBlast for products for which nn_opencl_tune measured that it is
       fastest. true: never; nn_opencl_tune ignores it, too */
    bool no_clblast;
    /* default: false. true: uses CLBlast for every large product on a GPU (at least 128 by 128 and
       2^25 multiplications), unless a measurement says otherwise */
    bool clblast;
    /* default: false: for an OpenCL device that is a CPU, nn.h's CPU backend runs every kernel but
       your own, in the device's buffers and with the bytes of the CPU backend. true: the driver
       compiles the kernels, so that a program without a GPU runs what a GPU would */
    bool no_lending;
    /* default: false. true: queues with timestamps; reports then have times per step */
    bool profile;
    /* default: $XDG_CACHE_HOME/nn, ~/.cache/nn (%LOCALAPPDATA%/nn); none for CPUs, whose drivers
       keep their own cache; "": no cache on disk. It is read when a kernel is first needed and
       written by nn_close. It also holds the measurements of nn_opencl_tune, for CPUs, too; these
       are read when the device is opened */
    const char *cache_folder;
    /* default: nn_thread_count. Number of threads that compile kernels before a plan's first run
       and in nn_prewarm. 1: kernels are compiled one after the other, for a driver whose compiler
       must not be called by several threads. Always 1 with nn_desc.jobs or .block */
    int build_threads;
    /* default: the embedded text. For development: the path of kernels.cl, read at opening */
    const char *kernel_file;
    /* An OpenCL context of yours, such as a renderer's: a cl_context, cl_device_id and
       cl_command_queue; give all three or none. They are retained while open and released at
       nn_close. Only this device is opened, whatever the filters. The queue must be in-order. */
    void *context, *device, *queue;
} nn_opencl_desc;

/* Opens every device that matches desc. NN_OK: at least one was opened. NN_NOT_FOUND (not an
   error): there is no OpenCL, no platform, no device, or none that matches; nn_opencl_list says
   which, and the CPU still works. Errors are only a wrong desc, adopted handles that do not belong
   together, and no memory. A device that cannot be used is skipped and named in the log. A GPU with
   two drivers is opened once, with its maker's; desc.platform selects another. desc may be NULL. */
NN_API nn_result nn_opencl_open_at(nn_site site, nn_context *nn, const nn_opencl_desc *desc);
#define nn_opencl_open(...) nn_opencl_open_at(NN_HERE, __VA_ARGS__)

/* Writes into text, zero-terminated, what nn_opencl_open with this desc finds on this machine, and
   returns text. One line for each platform and device says under which name it was opened, or why
   it was skipped. */
NN_API const char *nn_opencl_list(nn_context *nn, const nn_opencl_desc *desc, char *text,
                                  size_t size);

/* Properties of an open device, for reports; nn_opencl_describe returns false if `device` is not an
   open OpenCL device. */
typedef struct nn_opencl_info {
    const char *name, *vendor, *platform, *driver, *version;
    uint64_t memory, allocation, local_memory;
    uint32_t compute_units, work_group;
    bool cpu, unified_memory, adopted;
} nn_opencl_info;
NN_API bool nn_opencl_describe(nn_context *nn, nn_device device, nn_opencl_info *info);

/* ---- measured tiles --------------------------------------------------------------------------

   Products and convolutions are computed in tiles, for which there are several shapes and several
   ways to split the sums. By default a rule chooses them from the device's properties.
   nn_opencl_tune measures them once, on request, and keeps the results in the cache:

     nn_plan *dry = nn_make_plan(net, &(nn_plan_desc){ .outputs = NN_NODES(y), .batch = 64,
                                                       .dry_run = true });
     nn_opencl_tune(nn, nn_opencl(0), &(nn_opencl_tune_desc){ .plan = dry }, NULL);

   WHAT IT CHANGES. The same tiles give the same bytes; other tiles round differently. Nothing is
   ever measured without your request: the file fixes the tiles of this device and driver for all
   runs and processes, and nn_write_plan prints them, with "measured" where they differ from the
   rule's. Other ranks or machines give the same bytes only with the same file, or with none.

   WHEN IT TAKES EFFECT. Immediately if the device is not in use: it has no tensor, and no product
   or convolution has run since it was opened. So tune before the first plan that is not a dry run.
   Otherwise plans keep their tiles, and the new ones take effect when the device is opened
   again. */
typedef struct nn_opencl_tune_desc {
    /* default: none. Measures the products and convolutions that this plan gives to the device, at
       its largest batch; it may be a dry run or a trainer's (nn_trainer_plan). .direct_convolutions
       adds no shapes: convolutions for which Winograd's algorithm is used keep the rule's tile in
       such a plan. Without a plan, measures a list of common shapes; their results also serve
       unmeasured shapes whose extents all differ by at most a factor of 1.5 */
    nn_plan *plan;
    double seconds; /* default: 30. Starts no further shape after that time; results are kept */
    bool again; /* default: false: shapes that are in the table are not measured again */
} nn_opencl_tune_desc;

typedef struct nn_opencl_tuning {
    int shapes;   /* number of different shapes to measure */
    int measured; /* by this call */
    int known;    /* already in the table */
    int left;     /* not measured for lack of time or device memory; call again to continue */
    /* measured shapes for which another tile was at least 3 % faster than the rule's */
    int changed;
    bool in_use;  /* the results are in effect now; false: from the next opening on */
    bool saved; /* the table is on disk; false: there is no cache or it cannot be written (see the
                   log), and the results last while the device is open */
} nn_opencl_tuning;

/* Measures on the device and waits for it; nothing else should run there. It allocates, and frees,
   the memory of the largest shape: operands, results and scratch. The table is written atomically
   and includes the lines of other processes, so that two may tune at once; if they write at the
   same moment, the new lines of one may be lost and are measured again. A damaged file is replaced.
   desc and tuning may be NULL. NN_ERROR_DEVICE: no open OpenCL device. NN_ERROR_ARGUMENT:
   desc.seconds is negative or not a number, or desc.plan was freed or gives no product and no
   convolution to this device. NN_ERROR_MEMORY: no host memory. NN_ERROR_BACKEND: the rule's tile
   failed. Results are kept after an error. */
NN_API nn_result nn_opencl_tune_at(nn_site site, nn_context *nn, nn_device device,
                                   const nn_opencl_tune_desc *desc, nn_opencl_tuning *tuning);
#define nn_opencl_tune(...) nn_opencl_tune_at(NN_HERE, __VA_ARGS__)
/* Writes the table of an open device: for each shape the chosen tile, its time and that of the
   rule's tile, in microseconds. */
NN_API void nn_opencl_write_tuning(nn_context *nn, nn_device device, nn_writer writer);

/* ---- a game's own OpenCL ------------------------------------------------------------------ */

/* Returns the device's cl_context, cl_device_id and compute cl_command_queue; false if it is not
   open. The library owns them, unless they were adopted. */
NN_API bool nn_opencl_handles(nn_context *nn, nn_device device, void **context, void **device_id,
                              void **queue);
/* Makes a tensor on a cl_mem of the same cl_context, `offset` bytes into it. The cl_mem must
   outlive the tensor and is never released by it. */
NN_API nn_tensor *nn_opencl_wrap_at(nn_site site, nn_context *nn, nn_device device,
                                    const char *name, nn_dtype dtype, nn_shape shape, void *buffer,
                                    uint64_t offset);
#define nn_opencl_wrap(...) nn_opencl_wrap_at(NN_HERE, __VA_ARGS__)
/* Makes further work of the device wait for the caller's cl_event. */
NN_API nn_result nn_opencl_wait_for(nn_context *nn, nn_device device, void *event);
/* Returns a cl_event that completes when all work so far is done; the caller releases it
   (clReleaseEvent). NULL on failure. */
NN_API void *nn_opencl_done_event(nn_context *nn, nn_device device);
