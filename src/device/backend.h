/* device/backend.h - THE CONTRACT: what a device must do for this library. It is for authors of
   backends.

   A backend is a struct of functions (nn_backend) and one opaque state for each device that it
   found. nn_add_backend adds it to a context; then tensors can be on the device and plans can run
   there. The CPU is a backend, too. A backend for another machine needs nothing but nn.h.

   ORDER OF CALLS. `limits` comes first and may be called at any time. alloc / release / upload /
   download / copy / fill come in any order. For an operation: `supports`, then (if it said yes)
   `scratch_bytes`, `prepare`, `units`, possibly before any memory exists, with views whose handles
   are NULL; then the kernel's slot, any number of times. `close` comes last, after every alloc was
   released; the state is not used after it.

   THREADS. All calls for one context come from one thread at a time.

   ASYNCHRONOUS CALLS. Kernels, copy and fill may return before the work is done; the work of one
   device happens in the order of the calls. upload with a fence may return before it has read the
   source, which the caller keeps until the fence is done; without a fence it returns after reading.
   download without a fence returns when the bytes have arrived; with one, they arrive before the
   fence is done. `finish` returns when everything is done. A backend without a queue does
   everything synchronously and gives fences that are done.

   OWNERSHIP. Handles belong to the caller from alloc to release. Views are passed by value or
   inside arguments that are valid only during the call; keep no pointer into them. An
   nn_program_args may end after the last input that the program has, because plans store no more of
   it. Copy the fields that you use, or up to inputs[program.input_count], never the whole struct.

   ERRORS. Call nn_report_error once with the details, then return a negative nn_result. After an
   error the contents of outputs are undefined and everything else is unchanged. Kernels need not
   validate: shapes, dtypes and devices are already checked. Labels are checked by the kernel that
   reads them (status word).

   STATUS WORD. 4 bytes on the device: (step << 3) | code, 0 while all is well. The first fault
   wins: a kernel writes only if it reads 0. Codes are nn_fault_code. Updates and accumulations do
   nothing while it is set. A label out of range also makes cross_entropy_forward's loss NaN, so
   that other devices of the step, each with its own word, notice it.

   WORK UNITS. `units` cuts a kernel's work into pieces that depend on the shapes only, never on the
   number of threads. Running [0, a) and then [a, units) gives the same bytes as running all at
   once; ranges come in ascending order. So a program can run a training step in slices of a few
   microseconds.

   TIMES. A profile calls mark(state, NULL) before a kernel and mark(state, &fence) after it: the
   fence is done when the work between the two calls is done. span then returns the start and end of
   that work, in ns of any clock of the device. span also takes the fences of uploads and downloads.
   It is called after the fence was waited for, and before 32 more were given. Without mark and span
   the kernel's time is measured by the host's clock around the call, which is right for a backend
   without a queue.

   CHAINS. A device on which each launch has a cost may run several calls as one chain. chain_make
   is called when a plan is made, with the plan's next calls at its largest batch, and returns how
   many of the first calls it takes as one. Their views have no memory yet, but equal handles and
   offsets are one storage, and all others are disjoint during the whole chain. (If host_memory is
   true, memory that is not read any more may be reused within the chain. The bytes must then be
   those of the single calls, which may run instead at any time.) chain_prepare is called with
   memory whenever views have changed, then chain_run any number of times, with the same calls; only
   their numbers may differ. Results equal those of the single calls within rounding, with the same
   bytes in each run. chain_hold(runs) says that this many runs of a chain follow each other. Until
   chain_hold(0) the device gets no calls but chain_prepare, possibly with other views, chain_run
   and fence_done, and nobody reads the results. The device may postpone runs, with the numbers and
   views of their chain_run, and do several at once. chain_hold(runs) returns how many runs the
   device does at once; less than 2 means that each runs immediately. chain_hold(0) does all
   postponed runs. A negative nn_result is an error and discards them. A chain_prepare that returns
   NN_ERROR_UNSUPPORTED does the postponed runs first.

   BUILDING. A device whose kernels take long to compile may build several at once. After
   collect(true) has returned true, prepare and chain_prepare only note which kernels they will
   need, and do not fail because a kernel is missing. collect(false) builds the noted kernels and
   returns when all are built. Then the same calls of prepare and chain_prepare follow once more.
   They build the kernels that collect could not build, and report the errors, so collect reports
   none.

   OPTIONAL SLOTS. Any kernel, map, unmap, mark, span, host_alloc, host_release, the four of chains,
   chain_hold, way, rounds, collect, halves may be NULL; `supports` is then not called. Without a
   kernel of NN_BASIC_KERNELS its operations are unsupported. Without one of NN_COMPOSED_KERNELS
   plans keep the basic kernels that it would replace, so a backend may ignore that whole list
   (kernels/list.h).

   GROWTH. The number of a kernel never changes (kernels/list.h), and the kernels are at the end of
   the struct, so a backend that was compiled with an older nn.h has fewer of them, as its `size`
   shows. A new service, or a changed meaning, raises NN_BACKEND_VERSION, and
   nn_add_backend refuses other versions. The field version, and the fields from kind to close, keep
   their place and meaning in every version, so that a refused state can be closed. */
#pragma once

#include "base/result.h"
#include "device/context.h"
#include "kernels/list.h"

#define NN_BACKEND_VERSION 2

typedef enum nn_fault_code {
    NN_FAULT_NONE,
    NN_FAULT_LABEL, /* a label out of range */
    NN_FAULT_INDEX, /* an index out of range */
    NN_FAULT_LOSS   /* a loss that is NaN or infinite */
} nn_fault_code;

/* A point in a device's work. value 0: done. */
typedef struct nn_fence {
    nn_device device;
    uint64_t value;
} nn_fence;

typedef struct nn_device_limits {
    char name[NN_DEVICE_NAME_BYTES]; /* for reports: "NVIDIA H200" */
    uint64_t memory;          /* total bytes, or 0: unknown */
    uint64_t allocation;      /* largest bytes of one alloc, or 0: unknown */
    bool host_memory;         /* handles are pointers that the host can use */
    bool gpu;                 /* preferred by nn_best_device */
} nn_device_limits;

/* A kernel of a device: runs the units `range` of `kernel`. args points to the arguments of
   kernels/list.h. */
typedef nn_result (*nn_kernel_function)(void *state, nn_kernel kernel, const void *args,
                                        nn_range range);

/* One of the calls of a chain: a kernel that the device has and supports, and its arguments. */
typedef struct nn_call {
    nn_kernel kernel;
    const void *args;
} nn_call;

/* Zero the struct and assign its fields by name in a function of your own. Set `version` to the
   literal 2, not to the macro: it states which contract you wrote for. Set `size` to
   sizeof(nn_backend). `state` is the pointer that was given to nn_add_backend. */
typedef struct nn_backend {
    int version;
    uint32_t size; /* sizeof(nn_backend) when you compiled it */
    nn_device_kind kind;
    const char *name; /* "cpu", "opencl" */

    void (*limits)(void *state, nn_device_limits *limits);
    void (*close)(void *state);

    /* aligned to 64; contents undefined */
    nn_result (*alloc)(void *state, uint64_t bytes, void **handle);
    void (*release)(void *state, void *handle, uint64_t bytes);
    nn_result (*upload)(void *state, void *handle, uint64_t offset, const void *from,
                        uint64_t bytes, nn_fence *fence);
    nn_result (*download)(void *state, void *handle, uint64_t offset, void *to, uint64_t bytes,
                          nn_fence *fence);
    nn_result (*copy)(void *state, void *to, uint64_t to_offset, void *from, uint64_t from_offset,
                      uint64_t bytes);
    nn_result (*fill)(void *state, void *handle, uint64_t offset, uint64_t bytes, uint8_t value);
    void *(*map)(void *state, void *handle, uint64_t offset, uint64_t bytes,
                 bool write); /* optional; default: no zero-copy */
    nn_result (*unmap)(void *state, void *handle, void *pointer); /* optional, with map */

    nn_result (*finish)(void *state);
    bool (*fence_done)(void *state, nn_fence fence);
    nn_result (*fence_wait)(void *state, nn_fence fence);

    /* args points to the kernel's own struct (kernels/list.h). */
    bool (*supports)(void *state, nn_kernel kernel, const void *args, char *reason,
                     size_t reason_bytes);
    uint64_t (*scratch_bytes)(void *state, nn_kernel kernel, const void *args);
    nn_result (*prepare)(void *state, nn_kernel kernel, const void *args);
    int32_t (*units)(void *state, nn_kernel kernel, const void *args); /* at least 1 */

    /* Allocates host memory from which uploads are fastest (pinned). Optional, both or neither;
       default: plain memory. Any thread may read and write it; these two are called like all
       others. */
    nn_result (*host_alloc)(void *state, uint64_t bytes, void **host);
    void (*host_release)(void *state, void *host, uint64_t bytes);

    /* Optional, both or neither: see TIMES. A fence of value 0 from mark means that there are no
       times. */
    nn_result (*mark)(void *state, nn_fence *fence);
    bool (*span)(void *state, nn_fence fence, uint64_t *start, uint64_t *end); /* false: unknown */

    /* Optional, all or none: see CHAINS. Returns how many of the first calls it takes, or 0, or -1:
       no memory. *chain receives the chain's data, which chain_free frees, and *scratch_bytes the
       scratch it needs at this and smaller batches. why receives a text for reports: why the next
       call is not in the chain. */
    int32_t (*chain_make)(void *state, const nn_call *calls, int32_t count, void **chain,
                          uint64_t *scratch_bytes, char *why, size_t why_bytes);
    /* Returns NN_ERROR_UNSUPPORTED, without a message, if it cannot run at this batch; then each
       call runs alone. */
    nn_result (*chain_prepare)(void *state, void *chain, const nn_call *calls,
                               const nn_view *scratch);
    nn_result (*chain_run)(void *state, void *chain, const nn_call *calls, const nn_view *scratch);
    void (*chain_free)(void *state, void *chain);

    /* Optional: returns a text for a plan's report on how this device runs a kernel with these
       arguments, or NULL. The text is in `text`, or lives as long as the device. */
    const char *(*way)(void *state, nn_kernel kernel, const void *args, char *text, size_t bytes);

    /* Optional: see CHAINS. runs 0: ends it. */
    int32_t (*chain_hold)(void *state, void *chain, int32_t runs);

    /* Optional: returns the name of the format to which a kernel with these arguments rounds the
       f32 operands of its products, no coarser than args->precision: "tf32", "bf16". NULL: it
       computes with them as they are, and why receives the reason for reports. A device without
       this service never rounds. */
    const char *(*rounds)(void *state, nn_kernel kernel, const void *args, char *why,
                          size_t why_bytes);

    /* Optional: see BUILDING. Returns false if the device does not collect. */
    bool (*collect)(void *state, bool begins);
    /* Optional: returns true if the kernel, which supports these arguments, reads and writes f16
       and bf16 where kernels/list.h asks for f32, at this and smaller batches. Sums stay f32, and
       results are rounded to nearest even. Plans then leave out the casts around the kernel. NULL:
       no kernel does this. */
    bool (*halves)(void *state, nn_kernel kernel, const void *args);

    nn_kernel_function kernels[NN_KERNEL_COUNT]; /* kernels[NN_KERNEL_GEMM] ...; last, see GROWTH */
} nn_backend;

/* Adds one device. `backend` must live as long as the context. `state` then belongs to the context,
   which closes it in nn_close, or at once if this call fails. The device's index is the number of
   devices of that kind so far; `device` (may be NULL) receives it. */
NN_API nn_result nn_add_backend(nn_context *nn, const nn_backend *backend, void *state,
                                nn_device *device);

/* Returns the backend of an open device and its state; NULL if it is not open. */
NN_API const nn_backend *nn_device_backend(nn_context *nn, nn_device device, void **state);

/* Adds a message to the error that the failing call is about to return. */
NN_API void nn_report_error(nn_context *nn, nn_result result, const char *text);

/* Runs one kernel of a device, as plans do; for tests and tools. args points to the kernel's own
   struct. */
NN_API nn_result nn_run_kernel(nn_context *nn, nn_device device, nn_kernel kernel, const void *args,
                               nn_range range);

/* Fills the kernel slots of the CPU for which nn.h has a kernel, for tests and for backends that
   use the CPU's kernels. nn_use_sequence_kernels, nn_use_quantize_kernels and nn_use_more_kernels
   fill the others. Normally a slot is filled when an operation is first described, so that a
   program links only the kernels it uses. */
NN_API void nn_use_all_kernels(nn_context *nn);

/* ---- services for backends, which see nothing but this header -------------------------------- */

/* Allocates zeroed memory from the context's allocator, aligned to 64, or returns NULL. Free it
   with the same size. */
NN_API void *nn_take_memory(nn_context *nn, size_t bytes);
NN_API void nn_give_memory(nn_context *nn, void *memory, size_t bytes);
/* Returns the desc of nn_open with all defaults filled in: log, clock, files. NULL only for
   NULL. */
NN_API const nn_desc *nn_context_desc(const nn_context *nn);
/* Writes a file atomically, as nn_save_weights does: the old file stays until the new one is
   complete on disk. On NN_ERROR_FILE, NN_ERROR_ARGUMENT (path too long, hooks missing) or
   NN_ERROR_UNSUPPORTED (NN_NO_FILES) nothing has changed. It records no error; the caller does. */
NN_API nn_result nn_save_bytes(nn_context *nn, const char *path, const void *data, size_t bytes);
/* Records an error as the library's own calls do (nn_error keeps the first; all go to the log) and
   returns result. */
NN_API nn_result nn_record_error(nn_context *nn, nn_result result, const char *text);
/* Calls item(data, i) once for each i in [0, count), and returns when all calls have returned. Up
   to `threads` calls run at a time, at most 64 (0: as many as nn_thread_count). They run on the
   calling thread and on threads that exist only during this call. These have stacks of 8 MB,
   because compilers need them. The calls run one after the other if the context has a block or a
   job system, or if there are no threads. `item` must not call this library. */
NN_API void nn_run_items(const nn_context *nn, int threads, int count,
                         void (*item)(void *data, int i), void *data);
/* Registers an object of yours: nn_close calls release(object), last registered first, while
   devices and tensors still exist. Your own function that frees the object passes the returned
   handle to nn_disown, which unregisters it. Returns NULL if there is no memory. */
NN_API void *nn_own(nn_context *nn, void *object, void (*release)(void *object));
NN_API void nn_disown(nn_context *nn, void *owned);
