/* opencl/private.h - the OpenCL backend's inside: devices, programs, launches, and the kernels' one
   shape.

   The backend sees only "nn.h": what it needs of the host it takes from the services in
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
                           const void *args); /* NULL: never. NULL or the reason */
    uint64_t (*scratch_bytes)(nn__opencl *device, const void *args); /* NULL: 0 */
    int32_t (*units)(nn__opencl *device,
                     const void *args); /* NULL: 1. Depends on shapes and device only */
    /* Units [first, first + count). Launches come in order; a kernel with phases launches those
       whose units lie in the range, so that ascending ranges give the bytes of the whole. Also
       called with device->dry: then every launch only builds. */
    nn_result (*run)(nn__opencl *device, const void *args, int32_t first, int32_t count);
} nn__opencl_kernel;

/* Each kernel is given out by a function of this name, beside its code: nn__opencl_kernel_gemm()
   ... */
#define NN__X(number, upper, lower, args_type, family)                                             \
    NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_##lower(void);
NN_KERNELS(NN__X)
#undef NN__X
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_of(nn_kernel kernel); /* or NULL */

/* ---- device ---------------------------------------------------------------------------------- */

typedef struct nn__opencl_program_kernel nn__opencl_program_kernel;
struct nn__opencl_program_kernel {
    nn__opencl_program_kernel *next;
    cl_program program; /* in which it stands */
    cl_kernel kernel;
    size_t group;
    char entry[64];
};

typedef struct nn__opencl_program nn__opencl_program;
struct nn__opencl_program {
    nn__opencl_program *next;
    uint64_t key;      /* of part and options */
    uint64_t file_key; /* of all that the binary depends on: its name on the disk */
    cl_program program;
    nn__opencl_program_kernel *kernels;
    bool cached; /* came from the disk */
};
typedef struct nn__opencl_pinned nn__opencl_pinned;   /* opencl/device.c */

/* A kernel of one launch of a prepared step, with the arguments that it was last given
   (opencl/kept.c). */
typedef struct nn__opencl_kept {
    uint64_t key; /* of the step, the launch in it, and the kernel */
    cl_kernel kernel;
    unsigned char *values; /* one after the other; of local memory its size, of a table its
                              numbers */
    cl_mem table;          /* NULL: none yet */
    size_t bytes;
    uint64_t used, released; /* device->kept_uses and device->released at its last use */
    bool given;              /* the kernel has all of values */
} nn__opencl_kept;

typedef struct nn__opencl_repeat nn__opencl_repeat; /* opencl/repeat.c */

/* A buffer of transfers on the copy queue: what each queue has to wait for. */
typedef struct nn__opencl_shared {
    cl_mem buffer; /* NULL: a free place */
    /* the last one on the copy queue; NULL: the compute queue waited for it already */
    cl_event transfer;
    cl_event use;    /* the last use on the compute queue since then; NULL: none */
    bool written;    /* it was the target of an upload, and so will be again */
} nn__opencl_shared;
#define NN__OPENCL_SHARED 32

/* A buffer that the CPU backend computes in: mapped. */
typedef struct nn__opencl_lent {
    cl_mem buffer;
    void *pointer;
} nn__opencl_lent;

/* Memory that grows. */
typedef struct nn__opencl_room {
    void *memory;
    size_t bytes;
} nn__opencl_room;

/* Fence values count the marked points of a device's work; events of the last of them are kept in a
   ring. */
#define NN__OPENCL_FENCES 64

/* Which kernels multiply and convolve. */
typedef enum nn__opencl_family {
    NN__OPENCL_BY_DEVICE,
    NN__OPENCL_PLAIN, /* one work-item an element: tiny shapes, and devices with work-groups below
                         64 */
    NN__OPENCL_SMALL_TILES, /* GPUs: work-groups of 64 */
    NN__OPENCL_TILES,       /* GPUs: work-groups of 256 */
    NN__OPENCL_LARGE_TILES, /* the same, and every product in a large one: for tests */
    NN__OPENCL_WINOGRAD_TILES, /* the same, and Winograd's way wherever it may be: for tests */
    NN__OPENCL_PATCH_TILES /* the same, and patches wherever they may be: for tests */
} nn__opencl_family;

/* How a product or a convolution is done: one of its family's tiles, 1 and up (0: the judged one),
   and the number of sums that it is cut into (0: that tile's own). */
typedef struct nn__opencl_choice {
    int32_t tile, splits;
} nn__opencl_choice;

#define NN__OPENCL_SHAPE_NUMBERS 18
typedef struct nn__opencl_shape {
    nn_kernel kernel;
    int32_t numbers[NN__OPENCL_SHAPE_NUMBERS]; /* see opencl/choice.c */
} nn__opencl_shape;

/* What was measured of one shape. */
typedef struct nn__opencl_entry {
    uint32_t hash;
    nn__opencl_shape shape;
    nn__opencl_choice measured, now; /* now: what counts, if anything does */
    bool counts;
    bool usual; /* it also stands for shapes near it */
    uint64_t judged_time, time; /* ns: of the judged tile, of the measured one */
} nn__opencl_entry;
#define NN__OPENCL_ENTRIES 1024

struct nn__opencl {
    nn__opencl_api cl;
    nn_context *nn;
    nn_device device; /* our name for it */
    nn_backend backend;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;
    cl_command_queue compute,
        copy; /* both in-order; an adopted device has one queue, used for both */
    bool adopted, profile, clblast;
    bool dry; /* launches only build: prepare */
    /* limits and kind, asked once */
    char name[64], vendor[64], platform_name[64], driver[64], version[64];
    bool cpu; /* CL_DEVICE_TYPE_CPU: one work-item a group, no local memory, register tiles */
    /* A CPU whose vectors of floats have one element by what its driver says. Its compiler builds
       vectors out of work-items, as Mesa's llvmpipe does, and a group of one would use one lane of
       them: it takes the kernels of small GPUs, and `cpu` is false. */
    bool spread;
    bool gpu, unified;
    bool lends; /* a CPU: its buffers to the CPU backend, for its kernels (opencl/lend.c) */
    nn__opencl_room lent; /* of nn__opencl_lent, */
    int lent_count;       /* so many; */
    nn__opencl_room lent_items; /* items of the arguments that are being run */
    bool wrapped; /* buffers of the caller are in use, so that none stays lent behind a kernel */
    /* A work-group that is the last to count itself sees what the others of its launch wrote before
       they counted: where kernels have a fence for that. */
    bool gathers;
    bool in_host_memory, local_is_far; /* where buffers lie, and a GPU's local memory */
    bool patient; /* the host sleeps while it waits: GPUs, whose drivers would burn a core; tests
                     force it */
    cl_ulong memory, allocation, local_memory;
    size_t group; /* largest work-group of the device, in all and in its first extent; may be 1 */
    cl_uint units, told; /* compute units: that hold work-groups, that the driver tells */
    cl_uint clock;            /* MHz; 0: not told */
    uint64_t place;           /* of the card on the PCI bus; 0: not told */
    nn__opencl_family forced; /* by tests; else by device */
    bool cut_chains;          /* by tests: chains are cut into rows where they can be */
    int lanes;                /* floats of a CPU's vector, 8 or 16 */
    uint64_t key;             /* of device, driver and platform, for the disk cache */
    nn__opencl_program *programs; /* built so far */
    nn__opencl_kept *kept;        /* a table; NULL: nothing was prepared yet */
    cl_mem table;                 /* of launches that were not prepared; NULL: none yet */
    cl_mem turns;                 /* see nn__opencl_turns; NULL: none yet */
    uint64_t kept_uses, released; /* counts: uses of kept, buffers that came or went */
    nn__opencl_repeat **repeats;  /* opencl/repeat.c; NULL: nothing was prepared yet */
    nn__opencl_repeat *repeat;    /* of the run under way; NULL: it is not remembered */
    const void *step;             /* the arguments of the kernel that is being run or prepared */
    uint32_t step_launches;       /* of it so far */
    void *blas;                   /* opencl/blas.c; NULL: no CLBlast */
    bool clblast_always;          /* for every large product */
    nn__opencl_entry *entries;    /* what was measured; NULL: nothing */
    int entry_count, entry_room;
    bool begun;                   /* a product or convolution was prepared or run: tiles stay */
    uint64_t live;                /* buffers that were allocated and not released */
    bool trying;                  /* nn_opencl_tune runs: trial counts, and nothing else */
    nn__opencl_choice trial;
    uint64_t fence;               /* the last one given */
    cl_event events[NN__OPENCL_FENCES];
    cl_event starts[NN__OPENCL_FENCES]; /* of a marked piece: its first event; NULL: that in events
                                           alone */
    bool recording;                     /* a piece is being marked: launches want events */
    cl_event first, last;               /* of the piece so far */
    uint32_t launches; /* since the last flush */
    bool flushed;      /* the compute queue was, since the host last waited until it was empty */
    bool idle;         /* nothing was given to the compute queue since the host waited for it */
    bool copying;      /* the copy queue was given something since it was last empty */
    nn__opencl_shared shared[NN__OPENCL_SHARED];
    int shared_count;
    nn__opencl_pinned *pinned; /* the pieces of the host's memory that are mapped */
    char cache_folder[256], table_folder[256];
    const char *const *source; /* parts of the kernel text */
    int source_count;
    char *source_file; /* text read from desc.kernel_file, or NULL */
    size_t source_file_bytes;
    cl_int last_status;
};

/* ---- words (opencl/words.c) ------------------------------------------------------------------ */

/* A negative nn_result with words: `what` failed with this status. Names the call
   ("clCreateBuffer"), the number and its name. */
NN__OPENCL_PRIVATE nn_result nn__opencl_fail(nn__opencl *device, const char *call, cl_int status);
NN__OPENCL_PRIVATE const char *nn__opencl_status_name(cl_int status); /* "CL_OUT_OF_RESOURCES" */
/* Understands %s, %d (int), %u (unsigned), %llu and %llx (unsigned long long); cut and
   zero-terminated. Returns the whole length. */
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
/* NULL, or the reason why there is none. */
NN__OPENCL_PRIVATE const char * nn__opencl_load_api(nn__opencl_api *cl);
/* About so long, give or take what the system does; false where no way to sleep is known. */
NN__OPENCL_PRIVATE bool nn__opencl_sleep(uint32_t microseconds);

/* ---- device and queue (opencl/device.c, opencl/queue.c, opencl/kernels.c) -------------------- */

NN__OPENCL_PRIVATE const char *nn__opencl_ask(
    nn__opencl *device); /* fills name to units from id; NULL, or why it cannot be used */
/* Every slot of device->backend. */
NN__OPENCL_PRIVATE void nn__opencl_fill_backend(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_fill_kernels(nn_backend *backend);
NN__OPENCL_PRIVATE void nn__opencl_fill_chains(nn_backend *backend); /* opencl/chain.c */
NN__OPENCL_PRIVATE void nn__opencl_close(void *state); /* the backend's close */
/* The state of an open OpenCL device of ours; NULL: it is none. */
NN__OPENCL_PRIVATE nn__opencl *nn__opencl_open_state(nn_context *nn, nn_device device);
/* The same, or NULL and an error in the name of `who`. */
NN__OPENCL_PRIVATE nn__opencl *nn__opencl_open_need(nn_context *nn, const char *who,
                                                    nn_device device);
NN__OPENCL_PRIVATE nn_result nn__opencl_upload(void *state, void *handle, uint64_t offset,
                                               const void *from, uint64_t bytes, nn_fence *fence);
/* Arguments of a launch to come, behind what the compute queue has; `from` is read until the fence
   is done. */
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
/* Hands what the compute queue holds to the device. */
NN__OPENCL_PRIVATE cl_int nn__opencl_flush(nn__opencl *device);
NN__OPENCL_PRIVATE nn_result nn__opencl_finish(void *state);
NN__OPENCL_PRIVATE bool nn__opencl_fence_done(void *state, nn_fence fence);
NN__OPENCL_PRIVATE nn_result nn__opencl_fence_wait(void *state, nn_fence fence);
NN__OPENCL_PRIVATE nn_result nn__opencl_mark(void *state, nn_fence *fence);
NN__OPENCL_PRIVATE bool nn__opencl_span(void *state, nn_fence fence, uint64_t *start,
                                        uint64_t *end);
/* While a piece is marked: work on the compute queue asks for an event and shows it here. Keeps the
   event. */
NN__OPENCL_PRIVATE void nn__opencl_record(nn__opencl *device, cl_event event);
/* The copy queue writes some buffers. Index of a buffer in device->shared, or -1. */
NN__OPENCL_PRIVATE int nn__opencl_find_shared(nn__opencl *device, cl_mem buffer);
/* Events that the next work on the compute queue must wait for when it touches these; at most
   `count`. Returns their number. */
NN__OPENCL_PRIVATE cl_uint nn__opencl_before_use(nn__opencl *device, const int *shared, int count,
                                                 cl_event *events);
/* Tells that the work which `event` ends (NULL: none of them) used these. Takes the event. */
NN__OPENCL_PRIVATE void nn__opencl_after_use(nn__opencl *device, const int *shared, int count,
                                             cl_event event);
NN__OPENCL_PRIVATE void nn__opencl_forget_shared(nn__opencl *device, cl_mem buffer); /* NULL: all */

/* ---- finding devices (opencl/find.c) --------------------------------------------------------- */

#define NN__OPENCL_OPEN_DEVICES 64

/* One device that a platform names, before it is opened. */
typedef struct nn__opencl_open_found {
    cl_platform_id platform;
    cl_device_id id;
    int order;            /* GPU, accelerator, CPU: 0 1 2 */
    const char *left_out; /* NULL: it is to be opened */
    bool is_open;         /* already, as `device` */
    nn_device device;
    char name[64], vendor[64], platform_name[64], driver[64], version[64];
    cl_ulong memory;
    cl_uint units;
    bool unified;   /* it shares the host's memory */
    uint64_t speed; /* a guess, to order GPUs by */
    uint64_t place; /* of the card on the bus; 0: not told */
} nn__opencl_open_found;

typedef struct nn__opencl_open_search {
    nn_context *nn;
    nn_opencl_desc desc;
    nn__opencl_api cl;
    nn__opencl_open_found found[NN__OPENCL_OPEN_DEVICES];
    int count, platforms;
    char lines[1024]; /* about platforms that gave no device */
    char reason[200]; /* why nothing at all was found */
} nn__opencl_open_search;

NN__OPENCL_PRIVATE const char *nn__opencl_open_kind(int order); /* "GPU", "accelerator", "CPU" */
NN__OPENCL_PRIVATE bool nn__opencl_open_before(const nn__opencl_open_found *a,
                                               const nn__opencl_open_found *b);
NN__OPENCL_PRIVATE void nn__opencl_open_leave_out_twins(nn__opencl_open_found *found, int count);
/* Fills a search, in order; NULL when there is no memory. */
NN__OPENCL_PRIVATE nn__opencl_open_search *nn__opencl_open_find_all(nn_context *nn,
                                                                    const nn_opencl_desc *desc);

/* ---- programs (opencl/program.c, opencl/cache.c) --------------------------------------------- */

/* Hooks the kernel text into the device: embedded, or read from desc.kernel_file. An error is
   recorded. */
NN__OPENCL_PRIVATE nn_result nn__opencl_open_text(nn__opencl *device, const char *kernel_file);
NN__OPENCL_PRIVATE nn_result nn__opencl_find_kernel(nn__opencl *device, const char *part,
                                                    const char *entry, const char *options,
                                                    nn__opencl_program_kernel **found);
/* The same in a text of the user's; `source` itself is the key. */
NN__OPENCL_PRIVATE nn_result nn__opencl_find_user_kernel(nn__opencl *device, const char *source,
                                                         const char *entry,
                                                         nn__opencl_program_kernel **found);
/* The same in a text that is generated when it is needed: `make` returns it, taken from the
   context, with its size (the ending zero included), or NULL after recording an error. Equal keys
   mean equal texts. */
typedef char *(*nn__opencl_make_text)(nn__opencl *device, const void *user, size_t *bytes);
NN__OPENCL_PRIVATE nn_result nn__opencl_find_made_kernel(nn__opencl *device, uint64_t key,
                                                         nn__opencl_make_text make,
                                                         const void *user, const char *entry,
                                                         nn__opencl_program_kernel **found);
/* Those compiled from source go to the disk cache, if there is one: at the end, because a driver
   may compile once more to give a binary. */
NN__OPENCL_PRIVATE void nn__opencl_save_programs(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_free_programs(nn__opencl *device);
/* NULL: the default one; "": none. */
NN__OPENCL_PRIVATE void nn__opencl_cache_open(nn__opencl *device, const char *folder);
/* A built program from the disk; NULL: none there, or not usable any more. */
NN__OPENCL_PRIVATE cl_program nn__opencl_cache_load(nn__opencl *device, uint64_t key,
                                                    const char *options);
NN__OPENCL_PRIVATE void nn__opencl_cache_save(nn__opencl *device, uint64_t key, cl_program program);
/* The folder and the ones above it; harmless where they are there. */
NN__OPENCL_PRIVATE void nn__opencl_cache_make_folders(const char *folder);

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
static inline NN__OPENCL_UNUSED int32_t nn__opencl_ceil_div(int64_t a, int64_t b) {
    return (int32_t)((a + b - 1) / b);
}
/* A product or convolution is prepared or run: its tiles stay until the device is closed. */
static inline NN__OPENCL_UNUSED void nn__opencl_begins(nn__opencl *device) {
    if (!device->trying) device->begun = true;
}
/* A view of the whole buffer behind it, for kernels that are told offsets by a table; and such an
   offset, in elements. */
static inline NN__OPENCL_UNUSED nn_view nn__opencl_base(const nn_view *view) {
    nn_view base = *view;
    base.offset = 0;
    return base;
}
static inline NN__OPENCL_UNUSED uint64_t nn__opencl_offset(const nn_view *view) {
    return nn__opencl_present(view) ? view->offset / nn_dtype_size(view->dtype) : 0;
}
/* A part of a scratch view: `bytes` from `offset` bytes on, as f32. */
NN__OPENCL_PRIVATE nn_view nn__opencl_part(const nn_view *scratch, uint64_t offset, uint64_t bytes);

/* kernels/matmul/opencl.c */
NN__OPENCL_PRIVATE nn__opencl_family nn__opencl_family_of(const nn__opencl *device);

/* ---- CLBlast --------------------------------------------------------------------------------- */
NN__OPENCL_PRIVATE void nn__opencl_blas_open(nn__opencl *device);
NN__OPENCL_PRIVATE void nn__opencl_blas_close(nn__opencl *device);
/* Would CLBlast do this product, and with how many bytes of temporary memory? */
NN__OPENCL_PRIVATE bool nn__opencl_blas_takes(nn__opencl *device, const nn_gemm_args *args,
                                              uint64_t *scratch_bytes);
NN__OPENCL_PRIVATE nn_result nn__opencl_blas_gemm(
    nn__opencl *device, const nn_gemm_args *args); /* y = a b, without the epilogue */

#include "opencl/choice.h"
#include "opencl/lend.h"
