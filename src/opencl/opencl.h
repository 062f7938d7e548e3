/* opencl/opencl.h - every OpenCL device as opencl:0, opencl:1, ... of a context: NVIDIA, AMD,
   Intel, Apple, Mali, Adreno, and CPUs with an OpenCL driver. OpenCL 1.2 is enough; no extension is
   required.

   In one file of the program: #define NN_OPENCL_IMPLEMENTATION (beside NN_IMPLEMENTATION there or
   elsewhere), then #include "nn_opencl.h". Link with -lOpenCL (macOS: -framework OpenCL), or define
   NN_OPENCL_DYNAMIC: the library is then loaded at run time (dlopen, LoadLibrary), and the same
   binary runs where there is none.

     NN_OPENCL_DYNAMIC     load the OpenCL library at run time; nothing to link but -ldl on old
                           systems
     NN_OPENCL_CLBLAST     link CLBlast (-lclblast) for large matrix products; without it CLBlast is
                           loaded at run time where the system has it. Never required
     NN_OPENCL_NO_CACHE    no compiled programs on disk, not even code for it */
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
    /* default: false: CLBlast for the products for which nn_opencl_tune measured that it is
       fastest. true: never; nn_opencl_tune leaves it out too */
    bool no_clblast;
    /* default: false. true: CLBlast for every large product of a GPU (128 by 128 and 2^25
       multiplications at least), unless a measurement says otherwise */
    bool clblast;
    /* default: false: for an OpenCL device that is a CPU, nn.h's CPU backend runs every kernel but
       your own, in the device's buffers and with the bytes of the CPU backend. true: the driver
       compiles the kernels, so that a program without a GPU runs what a GPU would */
    bool no_lending;
    /* default: false. true: queues with timestamps; reports then have times per step */
    bool profile;
    /* default: $XDG_CACHE_HOME/nn, ~/.cache/nn (%LOCALAPPDATA%/nn), and none for CPUs, whose
       drivers keep their own; "": no cache on disk. Read when a kernel is first needed, written by
       nn_close. What nn_opencl_tune measured stands there too, for CPUs as well; read when the
       device is opened */
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

/* ---- measured tiles --------------------------------------------------------------------------

   Products and convolutions are done in tiles of one of several shapes, cut into one of several
   numbers of sums. Which are best a rule judges by the device's own words. nn_opencl_tune measures
   them instead, once, because you ask for it, and keeps the answers in the cache:

     nn_plan *dry = nn_make_plan(net, &(nn_plan_desc){ .outputs = { y }, .batch = 64,
                                                       .dry_run = true });
     nn_opencl_tune(nn, nn_opencl(0), &(nn_opencl_tune_desc){ .plan = dry }, NULL);

   WHAT IT CHANGES. Equal tiles give equal bytes, other tiles other roundings. A measurement is
   never repeated unseen: the file fixes the tiles of this device and driver from run to run and
   from process to process, and nn_write_plan prints them, "measured" where they are not the judged
   ones. Other ranks or machines give the same bytes only with the same file, or with none.

   WHEN IT COUNTS. At once, if nothing of this device is in use: no tensor lives there, and no
   product or convolution has run since it was opened. So tune before the first plan that is no dry
   run. Later, plans keep the tiles that they were made with, and the new ones count from the next
   opening of the device. */
typedef struct nn_opencl_tune_desc {
    /* default: none. The products and convolutions that it gives to this device are measured, at
       its largest batch; it may be a dry run, a trainer's (nn_trainer_plan) too.
       .direct_convolutions makes no other shape: where Winograd's way is taken, such a plan has the
       judged tile. Without a plan: a list of usual shapes, whose answers also stand for shapes that
       nobody measured and that have no extent further away than a factor of 1.5 */
    nn_plan *plan;
    double seconds; /* default: 30. Begins no further shape after that; measured ones are kept */
    bool again; /* default: false: a shape that stands in the table is not measured again */
} nn_opencl_tune_desc;

typedef struct nn_opencl_tuning {
    int shapes;   /* different ones that were to be measured */
    int measured; /* by this call */
    int known;    /* stood in the table already */
    int left;     /* not measured: no time, or no memory on the device; a second call goes on */
    int changed;  /* of the measured: another tile than the judged one was at least 3 % faster */
    bool in_use;  /* what was measured counts now; false: from the next opening on */
    bool saved;   /* the table is on the disk; false: no cache, or it cannot be written; the log
                     says why, and the measurements last as long as the device is open */
} nn_opencl_tuning;

/* Measures on the device, waiting for it: nothing else should run there. It takes the memory of the
   largest shape, operands, results and scratch, and gives it back. The table is written in one
   step, with what other processes have written before, so that two may tune at once; of two that
   write in the same moment one may lose its new lines, which are then measured again. A file that
   is damaged counts as none and is written anew. desc, tuning: may be NULL.
   NN_ERROR_DEVICE: no open OpenCL device. NN_ERROR_ARGUMENT: desc.seconds is negative or no number,
   or desc.plan was freed or gives no product and no convolution to this device. NN_ERROR_MEMORY: of
   the host. NN_ERROR_BACKEND: a judged tile failed. On an error what was measured is kept. */
NN_API nn_result nn_opencl_tune_at(nn_site site, nn_context *nn, nn_device device,
                                   const nn_opencl_tune_desc *desc, nn_opencl_tuning *tuning);
#define nn_opencl_tune(...) nn_opencl_tune_at(NN_HERE, __VA_ARGS__)
/* The table of an open device: a line for each shape, with the tile that is taken, its time and
   that of the judged one, in microseconds. */
NN_API void nn_opencl_write_tuning(nn_context *nn, nn_device device, nn_writer writer);

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
inline nn_result nn_opencl_tune_at(nn_site site, nn_context *nn, nn_device device,
                                   const nn_opencl_tune_desc &desc, nn_opencl_tuning *tuning) {
    return nn_opencl_tune_at(site, nn, device, &desc, tuning);
}
}
#endif
