/* opencl/private.h - the inside of the OpenCL backend: devices, programs, launches, and the common
   form of kernels.

   The backend includes only "nn.h". From the host it needs only the services of
   device/backend.h. */
#pragma once

#include <stdarg.h>
#include <string.h>

#include "nn.h"

#include "opencl/opencl.h"
#include "opencl/api.h"

/* As in nn.h: static in the drop-in, extern in the library of the tests. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__OPENCL_UNUSED __attribute__((unused))
#else
#define NN__OPENCL_UNUSED
#endif
#ifdef NN_PRIVATE
#define NN__OPENCL_PRIVATE NN_PRIVATE
#elif defined(NN_OPENCL_IMPLEMENTATION)
#define NN__OPENCL_PRIVATE static NN__OPENCL_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__OPENCL_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__OPENCL_PRIVATE extern
#endif

typedef struct nn__opencl nn__opencl;

/* ---- the one shape of all kernels ------------------------------------------------------------ */

typedef struct nn__opencl_kernel {
    const char *(*refuses)(nn__opencl *device,
                           const void *args); /* returns the reason, or NULL; no function: never */
    uint64_t (*scratch_bytes)(nn__opencl *device, const void *args); /* NULL: 0 */
    int32_t (*units)(nn__opencl *device,
                     const void *args); /* NULL: 1. Depends only on shapes and device */
    /* Runs units [first, first + count). A kernel with phases runs those whose units are in the
       range, so that ascending ranges give the bytes of the whole. With device->dry set, every
       launch only builds its kernel. */
    nn_result (*run)(nn__opencl *device, const void *args, int32_t first, int32_t count);
    /* As nn_backend.halves, for arguments that are not refused. NULL: returns false. */
    bool (*halves)(nn__opencl *device, const void *args);
} nn__opencl_kernel;

/* The kernels of this backend: all basic ones, and these composed ones (kernels/list.h). */
#define NN__OPENCL_KERNELS(X)                                                                      \
    NN_BASIC_KERNELS(X)                                                                            \
    X(31, NORM_FOLD, norm_fold, nn_norm_fold_args, norm)                                           \
    X(56, SHARD_SUM, shard_sum, nn_shard_sum_args, shard_sum)                                      \
    X(57, CONV_POOL_FORWARD, conv_pool_forward, nn_conv_pool_args, conv_pool)                      \
    X(58, CONV_POOL_BACKWARD_WEIGHT, conv_pool_backward_weight, nn_conv_pool_args, conv_pool)      \
    X(59, CONV_POOL_BACKWARD_INPUT, conv_pool_backward_input, nn_conv_pool_args, conv_pool)        \
    X(60, SHARD_PRODUCT, shard_product, nn_shard_product_args, shard_sum)                          \
    X(62, LINEAR_GRADIENT, linear_gradient, nn_linear_gradient_args, linear_gradient)              \
    X(63, CROSS_ENTROPY_HEAD, cross_entropy_head, nn_cross_entropy_head_args, cross_entropy)

/* Each has a function of this name beside its code: nn__opencl_kernel_gemm() ... */
#define NN__X(number, upper, lower, args_type, family)                                             \
    NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_##lower(void);
NN__OPENCL_KERNELS(NN__X)
#undef NN__X
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_of(nn_kernel kernel); /* NULL: none */

/* ---- device ---------------------------------------------------------------------------------- */

typedef struct nn__opencl_program_kernel nn__opencl_program_kernel;
struct nn__opencl_program_kernel {
    nn__opencl_program_kernel *next;
    cl_program program; /* contains the kernel */
    cl_kernel kernel;
    size_t group;
    char entry[64];
};

typedef struct nn__opencl_program nn__opencl_program;
struct nn__opencl_program {
    nn__opencl_program *next;
    uint64_t key;      /* of part and options */
    uint64_t file_key; /* of everything that the binary depends on: its name on disk */
    cl_program program;
    nn__opencl_program_kernel *kernels;
    bool cached; /* loaded from disk */
};
typedef struct nn__opencl_pinned nn__opencl_pinned;   /* opencl/device.c */

/* The kernel of one launch of a prepared step, with the arguments last set (opencl/prepared.c). */
typedef struct nn__opencl_prepared {
    uint64_t key; /* of the step, its launch and the kernel */
    cl_kernel kernel;
    unsigned char *values; /* the arguments in sequence; for local memory its size, for a table its
                              numbers */
    cl_mem table;          /* NULL: none yet */
    size_t bytes;
    uint64_t used, released; /* device->kept_uses and device->released at the last use */
    bool given;              /* all values are set in the kernel */
} nn__opencl_prepared;

typedef struct nn__opencl_repeat nn__opencl_repeat; /* opencl/repeat.c */
typedef struct nn__opencl_ahead nn__opencl_ahead;   /* opencl/ahead.c */

/* A buffer used by transfers on the copy queue, and the events that each queue must wait for. */
typedef struct nn__opencl_shared {
    cl_mem buffer; /* NULL: a free place */
    /* the last transfer on the copy queue; NULL: the compute queue has waited for it */
    cl_event transfer;
    cl_event use;    /* the last use on the compute queue since the transfer; NULL: none */
    bool written;    /* it was the target of an upload, and is expected to be again */
} nn__opencl_shared;
#define NN__OPENCL_SHARED 32

/* A buffer that is mapped for the CPU backend. */
typedef struct nn__opencl_lent {
    cl_mem buffer;
    void *pointer;
} nn__opencl_lent;

/* Memory that grows. */
typedef struct nn__opencl_room {
    void *memory;
    size_t bytes;
} nn__opencl_room;

/* Size of a ring of events. Fence values count the marked points of a device's work. */
#define NN__OPENCL_FENCES 64

/* The variants of kernels for products and convolutions. */
typedef enum nn__opencl_family {
    NN__OPENCL_BY_DEVICE,
    NN__OPENCL_PLAIN, /* one work-item per element: tiny shapes, and devices with work-groups below
                         64 */
    NN__OPENCL_SMALL_TILES, /* for GPUs: work-groups of 64 */
    NN__OPENCL_TILES,       /* for GPUs: work-groups of 256 */
    NN__OPENCL_LARGE_TILES, /* for tests: like TILES, with every product in a large tile */
    NN__OPENCL_WINOGRAD_TILES, /* for tests: like TILES, with Winograd wherever possible */
    NN__OPENCL_PATCH_TILES /* for tests: like TILES, with patches wherever possible */
} nn__opencl_family;

/* The matrix units of a device, with the numbers of NN_MMA in opencl/mma.cl. */
typedef enum nn__opencl_mma {
    NN__OPENCL_MMA_NONE,
    NN__OPENCL_MMA_EMULATED, /* set by tests */
    NN__OPENCL_MMA_NVIDIA,   /* compute capability 8.0 and above */
    NN__OPENCL_MMA_GFX11,
    NN__OPENCL_MMA_GFX90A,
    NN__OPENCL_MMA_GFX942,
    NN__OPENCL_MMA_INTEL
} nn__opencl_mma;

/* How a product or convolution is computed. tile: a tile of its family, from 1; 0: the judged one.
   splits: number of sums that it is split into; 0: the tile's own. */
typedef struct nn__opencl_choice {
    int32_t tile, splits;
} nn__opencl_choice;

#define NN__OPENCL_SHAPE_NUMBERS 18
typedef struct nn__opencl_shape {
    nn_kernel kernel;
    int32_t numbers[NN__OPENCL_SHAPE_NUMBERS]; /* see opencl/choice.c */
} nn__opencl_shape;

/* The measurement of one shape. */
typedef struct nn__opencl_entry {
    uint32_t hash;
    nn__opencl_shape shape;
    nn__opencl_choice measured, now; /* now: the choice in effect, if counts is set */
    bool counts;
    bool usual; /* stands for similar shapes too */
    uint64_t judged_time, time; /* in ns; of the judged tile, and of the measured one */
} nn__opencl_entry;
#define NN__OPENCL_ENTRIES 1024

struct nn__opencl {
    nn__opencl_api cl;
    nn_context *nn;
    nn_device device; /* its name in the context */
    nn_backend backend;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue compute,
        copy; /* both in-order; an adopted device has one for both */
    bool adopted, profile, clblast;
    bool dry; /* launches only build their kernels, for prepare */
    nn__opencl_ahead *ahead; /* not NULL: launches only note programs, to be built later */
    int build_threads;       /* desc.build_threads */
    /* limits and kind, asked once */
    char name[64], vendor[64], platform_name[64], driver[64], version[64];
    bool cpu; /* CL_DEVICE_TYPE_CPU: one work-item per group, no local memory, register tiles */
    /* A CPU whose driver reports vectors of one float, such as Mesa's llvmpipe. Its compiler builds
       vectors from work-items, so a group of one would use one lane. Such a device uses the kernels
       of small GPUs, and `cpu` is false. */
    bool spread;
    bool gpu, unified;
    bool lends; /* a CPU whose kernels the CPU backend runs (opencl/lend.c) */
    nn__opencl_room lent; /* array of nn__opencl_lent, */
    int lent_count;       /* and its length */
    nn__opencl_room lent_items; /* items of the arguments of the running kernel */
    bool wrapped; /* the caller's buffers are in use, so none stays lent after a kernel */
    /* True if the last work-group to increment a counter sees everything that the others wrote
       before they incremented it. Kernels have a fence for that. */
    bool gathers;
    bool in_host_memory, local_is_far; /* buffers are in host memory; a GPU's local memory is in
                                          global memory */
    bool patient; /* the host sleeps while it waits. Set for GPUs, whose drivers would keep a core
                     busy; tests force it */
    cl_ulong memory, allocation, local_memory;
    size_t group; /* largest work-group of the device, also in its first dimension; may be 1 */
    cl_uint units, told; /* units: compute units that hold work-groups; told: as the driver reports
                            them */
    cl_uint clock;            /* in MHz; 0: unknown */
    uint64_t place;           /* of the card on the PCI bus; 0: unknown */
    nn__opencl_family forced; /* set by tests */
    nn__opencl_mma mma;
    signed char mma_tested[2]; /* TF32, bf16: 0 not yet, 1 passed, -1 failed */
    signed char mma_attention[2]; /* the same: whether attention's program builds */
    signed char mma_copies[2];    /* the same: copied operands of large products */
    signed char mma_convs[2][2];  /* the same for convolutions, and for gradients of weights */
    int half;         /* NN_HALF of opencl/common.cl: 0: no half arithmetic */
    signed char half_tested; /* 1: it passed its self-test and is faster, -1: not; 0: not asked */
    signed char half_convs[2]; /* self-tests of convolutions, of gradients of weights: as above */
    int32_t half_side; /* set by tests: extent of the product that is measured */
    bool half_always; /* set by tests: every product and convolution that may use it does so */
    signed char mma_copied; /* set by tests and benchmarks: 1: wherever possible, -1: never */
    /* products of four bytes (kernels/integer/opencl_dot.c): 0 not yet asked, -1 plain loops; tests
       set 4, an emulation */
    signed char integer_dots;
    bool mma_testing; /* the self-test is running: no f32 kernel may take its place */
    bool mma_always; /* set by tests: every product with a precision uses matrix units */
    bool cut_chains;          /* set by tests: chains are split by rows where possible */
    int lanes;                /* floats of a CPU's vector: 8 or 16 */
    uint64_t key;             /* of device, driver and platform, for files on disk */
    nn__opencl_program *programs; /* built so far */
    nn__opencl_prepared *kept;        /* a table; NULL: nothing was prepared yet */
    cl_mem table;                 /* of launches that were not prepared; NULL: none yet */
    cl_mem turns;                 /* see nn__opencl_turns; NULL: none yet */
    uint64_t kept_uses, released; /* counters: uses of kept kernels, and buffers allocated or
                                     released */
    nn__opencl_repeat **repeats;  /* opencl/repeat.c; NULL: nothing was prepared yet */
    nn__opencl_repeat *repeat;    /* of the current run; NULL: it is not recorded */
    const void *step;             /* arguments of the kernel that is being run or prepared */
    uint32_t step_launches;       /* its launches so far */
    void *blas;                   /* opencl/blas.c; NULL: no CLBlast */
    bool clblast_always;          /* CLBlast for every large product */
    nn__opencl_entry *entries;    /* measurements; NULL: none */
    int entry_count, entry_room;
    bool begun; /* a product or convolution was prepared or run, so tiles must stay */
    uint64_t live;                /* buffers allocated and not released */
    bool trying;                  /* nn_opencl_tune is running: only `trial` has effect */
    nn__opencl_choice trial;
    uint64_t fence;               /* the newest value */
    cl_event events[NN__OPENCL_FENCES];
    cl_event starts[NN__OPENCL_FENCES]; /* first event of a marked piece; NULL: the one in events is
                                           its only one */
    bool recording;                     /* a piece is being marked, so launches need events */
    cl_event first, last;               /* of the current piece so far */
    uint32_t launches; /* since the last flush */
    bool flushed;      /* the compute queue was flushed since the host last waited for it */
    bool idle;         /* nothing was enqueued on the compute queue since the host waited for it */
    bool copying;      /* something was enqueued on the copy queue since it was last empty */
    nn__opencl_shared shared[NN__OPENCL_SHARED];
    int shared_count;
    nn__opencl_pinned *pinned; /* mapped pieces of host memory */
    char cache_folder[256], table_folder[256];
    const char *const *source; /* the parts of the kernel text */
    int source_count;
    char *source_file; /* text read from desc.kernel_file, or NULL */
    size_t source_file_bytes;
    cl_int last_status;
};

/* ---- words (opencl/words.c) ------------------------------------------------------------------ */

/* Reports that an OpenCL call failed: its name ("clCreateBuffer"), the number and its name. Returns
   a negative nn_result. */
NN__OPENCL_PRIVATE nn_result nn__opencl_fail(nn__opencl *device, const char *call, cl_int status);
NN__OPENCL_PRIVATE const char *nn__opencl_status_name(cl_int status); /* "CL_OUT_OF_RESOURCES" */
/* Supports %s, %d (int), %u (unsigned), %llu and %llx (unsigned long long). Truncates and
   zero-terminates. Returns the full length. */
NN__OPENCL_PRIVATE size_t nn__opencl_format(char *text, size_t size, const char *format, ...);
NN__OPENCL_PRIVATE void nn__opencl_copy_text(char *to, size_t size, const char *from);
NN__OPENCL_PRIVATE bool nn__opencl_contains(const char *text,
                                            const char *part); /* in any case; NULL or "": true */
NN__OPENCL_PRIVATE void nn__opencl_log(nn_context *nn,
                                       const char *text); /* one line to nn_desc.log */
#define NN__OPENCL_HASH_START 0xcbf29ce484222325ull
NN__OPENCL_PRIVATE uint64_t nn__opencl_hash(uint64_t hash, const void *data,
                                            size_t bytes); /* FNV-1a */
NN__OPENCL_PRIVATE uint64_t nn__opencl_hash_text(uint64_t hash,
                                                 const char *text); /* with the ending zero */

/* ---- api (opencl/api.c) ---------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void *nn__opencl_load_library(const char *path);
NN__OPENCL_PRIVATE bool nn__opencl_load_symbol(void *library, const char *name,
                                               void *pointer_to_function);
/* NULL, or the reason why there is no library. */
NN__OPENCL_PRIVATE const char * nn__opencl_load_api(nn__opencl_api *cl);
/* Sleeps for about this time. False: sleeping is not supported here. */
NN__OPENCL_PRIVATE bool nn__opencl_sleep(uint32_t microseconds);

/* ---- device and queue (opencl/device.c, queue.c, fence.c, kernels.c) ------------------------- */

NN__OPENCL_PRIVATE const char *nn__opencl_ask(
    nn__opencl *device); /* fills name to units from id. Returns NULL, or why it cannot be used */
/* Sets every function of device->backend. */
NN__OPENCL_PRIVATE void nn__opencl_fill_backend(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_fill_kernels(nn_backend *backend);
NN__OPENCL_PRIVATE void nn__opencl_fill_chains(nn_backend *backend); /* opencl/chain.c */
NN__OPENCL_PRIVATE void nn__opencl_close(void *state); /* the backend's close */
/* Returns the state of an open OpenCL device; NULL: the device is not one. */
NN__OPENCL_PRIVATE nn__opencl *nn__opencl_open_state(nn_context *nn, nn_device device);
/* Does the same, with an error in the name of `who`. */
NN__OPENCL_PRIVATE nn__opencl *nn__opencl_open_need(nn_context *nn, const char *who,
                                                    nn_device device);
NN__OPENCL_PRIVATE nn_result nn__opencl_upload(void *state, void *handle, uint64_t offset,
                                               const void *from, uint64_t bytes, nn_fence *fence);
/* Uploads arguments of a later launch, after what the compute queue contains. `from` is read until
   the fence is done. */
NN__OPENCL_PRIVATE nn_result nn__opencl_upload_next(nn__opencl *device, cl_mem buffer,
                                                    const void *from, uint64_t bytes,
                                                    nn_fence *fence);
NN__OPENCL_PRIVATE nn_result nn__opencl_download(void *state, void *handle, uint64_t offset,
                                                 void *to, uint64_t bytes, nn_fence *fence);
NN__OPENCL_PRIVATE nn_result nn__opencl_copy(void *state, void *to, uint64_t to_offset, void *from,
                                             uint64_t from_offset, uint64_t bytes);
NN__OPENCL_PRIVATE nn_result nn__opencl_fill(void *state, void *handle, uint64_t offset,
                                             uint64_t bytes, uint8_t value);
NN__OPENCL_PRIVATE void *nn__opencl_map(void *state, void *handle, uint64_t offset, uint64_t bytes,
                                        bool write);
NN__OPENCL_PRIVATE nn_result nn__opencl_unmap(void *state, void *handle, void *pointer);
/* Submits the commands of the compute queue to the device. */
NN__OPENCL_PRIVATE cl_int nn__opencl_flush(nn__opencl *device);
NN__OPENCL_PRIVATE nn_result nn__opencl_finish(void *state);
/* Waits until the event is done. Its queue must be flushed. */
NN__OPENCL_PRIVATE cl_int nn__opencl_wait_event(nn__opencl *device, cl_event event);
/* Waits for a transfer on the compute queue to or from memory of the caller. *call: the call that
   failed. */
NN__OPENCL_PRIVATE cl_int nn__opencl_wait_here(nn__opencl *device, cl_event event,
                                               const char **call);
NN__OPENCL_PRIVATE void nn__opencl_drop_event(nn__opencl *device, cl_event *event);
/* Returns another reference to the event. If the driver gives none, waits for the event and returns
   NULL, since there is nothing left to wait for. */
NN__OPENCL_PRIVATE cl_event nn__opencl_retain_event(nn__opencl *device, cl_event event);
/* Makes a fence of the event, which it takes over. If its place in the ring still holds an
   unfinished event, waits for that one first. */
NN__OPENCL_PRIVATE void nn__opencl_give_fence(nn__opencl *device, cl_event event, nn_fence *fence);
NN__OPENCL_PRIVATE bool nn__opencl_fence_done(void *state, nn_fence fence);
NN__OPENCL_PRIVATE nn_result nn__opencl_fence_wait(void *state, nn_fence fence);
NN__OPENCL_PRIVATE nn_result nn__opencl_mark(void *state, nn_fence *fence);
NN__OPENCL_PRIVATE bool nn__opencl_span(void *state, nn_fence fence, uint64_t *start,
                                        uint64_t *end);
/* While a piece is marked, stores the event of work on the compute queue. Retains the event. */
NN__OPENCL_PRIVATE void nn__opencl_record(nn__opencl *device, cl_event event);
/* Returns the index of a buffer in device->shared; -1: the copy queue does not use it. */
NN__OPENCL_PRIVATE int nn__opencl_find_shared(nn__opencl *device, cl_mem buffer);
/* Returns the events, at most `count`, that work on the compute queue must wait for before it uses
   these buffers. */
NN__OPENCL_PRIVATE cl_uint nn__opencl_before_use(nn__opencl *device, const int *shared, int count,
                                                 cl_event *events);
/* Records that work used these buffers; `event` is its end (NULL: there is no such work). Takes
   over the event. */
NN__OPENCL_PRIVATE void nn__opencl_after_use(nn__opencl *device, const int *shared, int count,
                                             cl_event event);
NN__OPENCL_PRIVATE void nn__opencl_forget_shared(nn__opencl *device, cl_mem buffer); /* NULL: all */

/* ---- finding devices (opencl/find.c) --------------------------------------------------------- */

#define NN__OPENCL_OPEN_DEVICES 64

/* A device that a platform reports, before it is opened. */
typedef struct nn__opencl_open_found {
    cl_platform_id platform;
    cl_device_id id;
    int order;            /* 0 GPU, 1 accelerator, 2 CPU */
    const char *left_out; /* NULL: it will be opened */
    bool is_open;         /* open already, as `device` */
    nn_device device;
    char name[64], vendor[64], platform_name[64], driver[64], version[64];
    cl_ulong memory;
    cl_uint units;
    bool unified;   /* shares the host's memory */
    uint64_t speed; /* an estimate, to sort GPUs */
    uint64_t place; /* of the card on the bus; 0: unknown */
} nn__opencl_open_found;

typedef struct nn__opencl_open_search {
    nn_context *nn;
    nn_opencl_desc desc;
    nn__opencl_api cl;
    nn__opencl_open_found found[NN__OPENCL_OPEN_DEVICES];
    int count, platforms;
    char lines[1024]; /* about platforms without devices */
    char reason[200]; /* why nothing was found */
} nn__opencl_open_search;

NN__OPENCL_PRIVATE const char *nn__opencl_open_kind(int order); /* "GPU", "accelerator", "CPU" */
NN__OPENCL_PRIVATE bool nn__opencl_open_before(const nn__opencl_open_found *a,
                                               const nn__opencl_open_found *b);
NN__OPENCL_PRIVATE void nn__opencl_open_leave_out_twins(nn__opencl_open_found *found, int count);
/* Finds all devices, in order. NULL: no memory. */
NN__OPENCL_PRIVATE nn__opencl_open_search *nn__opencl_open_find_all(nn_context *nn,
                                                                    const nn_opencl_desc *desc);

/* Returns a generated program text in memory of the context, with its size including the zero, or
   NULL after recording an error. */
typedef char *(*nn__opencl_make_text)(nn__opencl *device, const void *user, size_t *bytes);

#include "opencl/program.h"
#include "opencl/mma.h"
#include "opencl/launch.h" /* which needs all of the above */

/* ---- help ------------------------------------------------------------------------------------ */

static inline NN__OPENCL_UNUSED int64_t nn__opencl_count(const nn_view *view) {
    int64_t n = 1;
    for (int i = 0; i < view->shape.rank; i++) n *= view->shape.extent[i];
    return n;
}
static inline NN__OPENCL_UNUSED bool nn__opencl_present(const nn_view *view) {
    return view->dtype != NN_DTYPE_DEFAULT;
}
/* Returns the number that stands for a view's dtype in kernels (NN_STORED of common.cl): 0 for f32
   and absent views, 1 for f16, 2 for bf16. */
static inline NN__OPENCL_UNUSED int nn__opencl_stored(const nn_view *view) {
    return !view ? 0 : view->dtype == NN_F16 ? 1 : view->dtype == NN_BF16 ? 2 : 0;
}
static inline NN__OPENCL_UNUSED int32_t nn__opencl_ceil_div(int64_t a, int64_t b) {
    return (int32_t)((a + b - 1) / b);
}
/* Records that a product or convolution is prepared or run: from then on tiles stay fixed until the
   device is closed. */
static inline NN__OPENCL_UNUSED void nn__opencl_begins(nn__opencl *device) {
    if (!device->trying) device->begun = true;
}
/* Returns a view of the whole buffer, for kernels that read offsets from a table.
   nn__opencl_offset returns such an offset, in elements. */
static inline NN__OPENCL_UNUSED nn_view nn__opencl_base(const nn_view *view) {
    nn_view base = *view;
    base.offset = 0;
    return base;
}
static inline NN__OPENCL_UNUSED uint64_t nn__opencl_offset(const nn_view *view) {
    return nn__opencl_present(view) ? view->offset / nn_dtype_size(view->dtype) : 0;
}
/* Returns a part of a scratch view: `bytes` bytes from `offset` on, as f32. */
NN__OPENCL_PRIVATE nn_view nn__opencl_part(const nn_view *scratch, uint64_t offset, uint64_t bytes);

/* kernels/integer/opencl_dot.c: returns the options of integer kernels */
NN__OPENCL_PRIVATE const char *nn__opencl_integer_dots(nn__opencl *device);
/* kernels/matmul/opencl.c */
NN__OPENCL_PRIVATE nn__opencl_family nn__opencl_family_of(const nn__opencl *device);

/* ---- CLBlast --------------------------------------------------------------------------------- */
NN__OPENCL_PRIVATE void nn__opencl_blas_open(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_blas_close(nn__opencl *device);
/* True if CLBlast computes this product. *scratch_bytes: the temporary memory for it. */
NN__OPENCL_PRIVATE bool nn__opencl_blas_takes(nn__opencl *device, const nn_gemm_args *args,
                                              uint64_t *scratch_bytes);
NN__OPENCL_PRIVATE nn_result nn__opencl_blas_gemm(
    nn__opencl *device, const nn_gemm_args *args); /* y = a b, without the epilogue */

#include "opencl/choice.h"
#include "opencl/lend.h"
