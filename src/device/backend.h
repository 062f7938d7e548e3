/* device/backend.h - THE CONTRACT: what a device must do for this library. For authors of backends.

   A backend is one struct of functions (nn_backend) and, for each device it found, one opaque
       state. It is
   added to a context by nn_add_backend; from then on tensors can live there and plans can run
   there. The CPU is a backend like any other; a backend for a machine we do not know is written
   outside, with nothing but nn.h.

   ORDER OF CALLS. `limits` comes first and may be called at any time. alloc / release / upload /
   download / copy / fill come in any order. For an operation: `supports`, then (if it said yes)
   `scratch_bytes`, `prepare`, `units`, all of them possibly before any memory exists, with views
   whose handles are NULL; then the kernel's slot, any number of times. `close` comes last, after
   every alloc was released, and is the only call after which the state is gone.

   THREADS. All calls for one context come from one thread at a time.

   WHAT MAY RETURN BEFORE THE WORK IS DONE. Kernels, copy and fill may return at once; the work of
   one device happens in the order of the calls. upload with a fence may return before the source
   was read: the caller keeps it until the fence is done. upload without a fence has read the source
   when it returns. download without a fence returns when the bytes are there; with one, they are
   there when the fence is done. `finish` returns when everything is done. A backend without a queue
   does everything at once and gives fences that are done.

   OWNERSHIP. Handles belong to the caller from alloc to release. Views are passed by value or
   inside arguments that live only during the call. The backend keeps no pointer into arguments.
   Those of a program (nn_program_args) may end behind the last input that the program has: plans
   store no more of them. Copy what is used, field by field or up to
   inputs[program.input_count], never sizeof of the struct.

   ERRORS. Return a negative nn_result; say more through nn_report_error, once, before returning.
   After an error the contents of outputs are undefined and everything else is as before. Kernels
   are not asked to validate: shapes, dtypes and devices were checked above; labels are checked by
   the kernel that reads them (status word).

   STATUS WORD. 4 bytes on the device: (step << 3) | code, 0 while all is well. The first fault
   wins: a kernel writes only if it reads 0. Codes are nn_fault_code. Updates and accumulations do
   nothing while it is set. A label out of range also makes cross_entropy_forward's loss NaN: that
   is how other devices of a step, each with a word of its own, come to know.

   WORK UNITS. `units` cuts a kernel's work into pieces that depend on the shapes only, never on the
   number of threads. Running [0, a) and then [a, units) gives the same bytes as running all at
   once; ranges come in ascending order. This is what lets a program run a training step in slices
   of some microseconds.

   TIMES. A profile calls mark(state, NULL) before a kernel and mark(state, &fence) after it: the
   fence is reached when the work between the two is done, and span then tells when that work
   started and ended, in ns of any clock of the device's own. span also answers for the fences of
   uploads and downloads. It is asked after the fence was waited for, and before 32 more were given.
   Without mark and span the host's clock around the call stands for the kernel's time: right for a
   backend without a queue.

   CHAINS. A device that pays for every kernel that it is given may run several as one. chain_make
   is asked when a plan is made, with the plan's next calls at its largest batch: their views have
   no memory yet, but equal handles and offsets are one storage, and all others stand apart during
   the whole chain. (Where host_memory is true, they stand apart only as those of the calls one
   after the other do: what is not read any more may be overwritten, and the bytes must be those of
   the calls one after the other, which may run instead at any time.) It
   says how many of the first calls it takes as one; then chain_prepare comes whenever views have
   changed, with memory, and chain_run any number of times, with the same calls, of which nothing
   but numbers has changed. The results are those of the calls one after the other, within rounding,
   and the same bytes from run to run.
   chain_hold tells that so many runs of a chain come one after the other: until it is told 0
   nothing else is asked of the device but chain_prepare, whose views may stand elsewhere, and
   whether a fence is done, and nobody reads what the runs write. The device may put runs off, with
   the numbers and views that they had when chain_run came, and do several at once. It returns how
   many of them it takes as one, less than 2: this chain runs each at once; told 0, it does what it
   has put off. A negative nn_result is an error: what was put off is forgotten. A
   chain_prepare that answers NN_ERROR_UNSUPPORTED in between does first what was put off.

   OPTIONAL SLOTS. Any kernel, map, unmap, mark, span, host_alloc, host_release, the four of chains,
   chain_hold, way may be NULL; `supports` is then not asked and the answer is no.

   GROWTH. The number of a kernel never changes (kernels/list.h), and the kernels stand at the end:
   a backend that was compiled with an older nn.h says so by its `size` and has the kernels that fit
   into it. New services take the place of reserved ones. A changed meaning raises
   NN_BACKEND_VERSION, and nn_add_backend refuses the others. version, and kind to close, keep their
   place and meaning in every version, so that a refused state can be closed. */
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

/* A point in a device's work. value 0: already done. */
typedef struct nn_fence {
    nn_device device;
    uint64_t value;
} nn_fence;

typedef struct nn_device_limits {
    char name[NN_DEVICE_NAME_BYTES]; /* for people: "NVIDIA H200" */
    uint64_t memory;          /* bytes the device has, or 0: unknown */
    uint64_t allocation;      /* bytes of the largest single alloc, or 0: unknown */
    bool host_memory;         /* handles are pointers that the host may use */
    bool gpu;                 /* nn_best_device prefers it */
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

/* Zero the struct and assign the fields in a function of your own (not by position). Fill `version`
   with the literal 2, not with the macro: it states which contract you wrote against. Fill `size`
   with sizeof(nn_backend). `state` is what nn_add_backend was given. */
typedef struct nn_backend {
    int version;
    uint32_t size; /* bytes of this struct as you compiled it */
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
                 bool write);                                     /* optional [no zero-copy] */
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

    /* Memory of the host from which uploads are fastest (pinned). Optional, both or none [plain
       memory]. Any thread may read and write it; these two are called as all others. */
    nn_result (*host_alloc)(void *state, uint64_t bytes, void **host);
    void (*host_release)(void *state, void *host, uint64_t bytes);

    /* Optional, both or none: see TIMES. A fence of value 0 from mark: no times here. */
    nn_result (*mark)(void *state, nn_fence *fence);
    bool (*span)(void *state, nn_fence fence, uint64_t *start, uint64_t *end); /* false: unknown */

    /* Optional, all or none: see CHAINS. Returns how many of the first calls it takes, or 0, or -1:
       no memory; then
       *chain is what it knows of them, which chain_free ends, and *scratch_bytes what it wants, for
       smaller batches too. why: words for people, why the next call is not among them. */
    int32_t (*chain_make)(void *state, const nn_call *calls, int32_t count, void **chain,
                          uint64_t *scratch_bytes, char *why, size_t why_bytes);
    /* NN_ERROR_UNSUPPORTED, without words: not at this batch; each call runs alone then. */
    nn_result (*chain_prepare)(void *state, void *chain, const nn_call *calls,
                               const nn_view *scratch);
    nn_result (*chain_run)(void *state, void *chain, const nn_call *calls, const nn_view *scratch);
    void (*chain_free)(void *state, void *chain);

    /* Optional: how this device does a kernel of these arguments, in words for a plan's report;
       NULL: nothing to say. The answer is text, or lasts as long as the device. */
    const char *(*way)(void *state, nn_kernel kernel, const void *args, char *text, size_t bytes);

    /* Optional: see CHAINS. runs: 0, it ends. */
    int32_t (*chain_hold)(void *state, void *chain, int32_t runs);

    void (*reserved[2])(void); /* services to come: NULL */

    nn_kernel_function kernels[NN_KERNEL_COUNT]; /* kernels[NN_KERNEL_GEMM] ...; last, see GROWTH */
} nn_backend;

/* Adds one device. `backend` must live as long as the context; `state` belongs to the backend and
   is closed by nn_close (or at once, when this call fails). The device's number is the count of
       that kind so far;
   `device` (may be NULL) receives it. */
NN_API nn_result nn_add_backend(nn_context *nn, const nn_backend *backend, void *state,
                                nn_device *device);

/* The backend of an open device and its state; NULL when it is not open. */
NN_API const nn_backend *nn_get_backend(nn_context *nn, nn_device device, void **state);

/* Adds words to the error that the failing call is about to return. */
NN_API void nn_report_error(nn_context *nn, nn_result result, const char *text);

/* Runs one kernel of a device: what plans do, offered for tests and tools. args: the kernel's own
   struct. */
NN_API nn_result nn_run_kernel(nn_context *nn, nn_device device, nn_kernel kernel, const void *args,
                               nn_range range);

/* The CPU fills its kernel slots when an operation is first described, so that a program links only
   the kernels it uses. This fills them all, for tests and for backends that borrow the CPU's
   kernels. */
NN_API void nn_use_all_kernels(nn_context *nn);

/* ---- services for backends, which see nothing but this header -------------------------------- */

/* Zeroed memory from the context's allocator, aligned to 64; given back with the same size. NULL:
   none. */
NN_API void *nn_take_memory(nn_context *nn, size_t bytes);
NN_API void nn_give_memory(nn_context *nn, void *memory, size_t bytes);
/* The desc of nn_open with every default filled in: log, clock, files. NULL only for NULL. */
NN_API const nn_desc *nn_get_desc(const nn_context *nn);
/* Writes a file in one step, as nn_save_weights does: what was there stays until all of the new one
   is on the disk. NN_ERROR_FILE, NN_ERROR_ARGUMENT (a path too long, hooks that are missing) or
   NN_ERROR_UNSUPPORTED (NN_NO_FILES): nothing has changed; no error is recorded, that is yours. */
NN_API nn_result nn_save_bytes(nn_context *nn, const char *path, const void *data, size_t bytes);
/* Records an error as the library's own calls do (the first one stays, all go to the log); returns
   result. */
NN_API nn_result nn_record_error(nn_context *nn, nn_result result, const char *text);
/* Makes an object of yours the context's: nn_close calls release(object), the last one first, while
   devices and tensors are still there. What comes back is for nn_disown, which your own call that
   frees the object makes; afterwards nn_close knows nothing of it. NULL: no memory. */
NN_API void *nn_own(nn_context *nn, void *object, void (*release)(void *object));
NN_API void nn_disown(nn_context *nn, void *owned);
