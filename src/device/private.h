/* device/private.h - the context's inside, and how rooms above report errors and cross devices. */
#pragma once

#include "base/private.h"
#include "device/backend.h"
#include "device/context.h"
#include "device/ledger.h"

#ifndef NN_NO_REPORTS
/* What nn_self_test found wrong on a device: the reason for each kernel that failed, "" for the
   others. */
typedef struct nn__doubts {
    nn__owned owned;
    nn_context *nn;
    struct nn__open_device *on;
    char text[NN_KERNEL_COUNT][128];
} nn__doubts;
#endif

typedef struct nn__open_device {
    nn_device device;
    const nn_backend *backend;
    void *state;
    nn_device_limits limits;
    uint64_t live_bytes, peak_bytes; /* allocated through nn__device_alloc */
#ifndef NN_NO_REPORTS
    nn__doubts *doubts; /* NULL: none */
#endif
} nn__open_device;

/* Does a launch take longer there than what small kernels do? */
static inline NN__UNUSED bool nn__launches_are_dear(const nn__open_device *on) {
    return on->limits.gpu;
}

#ifndef NN_NO_REPORTS
/* Who wants to see each crossing as it happens: a profile. */
typedef struct nn__watch nn__watch;
struct nn__watch {
    /* crossed NULL: one begins. Else it is over, or given to a queue: then fence->value is not
       0. */
    void (*tell)(nn__watch *watch, nn_context *nn, const nn_ledger_entry *crossed,
                 const nn_fence *fence);
    nn__watch *next;
};
#endif

typedef struct nn__ledger {
#ifndef NN_NO_REPORTS
    nn__watch *watches;
    nn_fence fence; /* of the crossing that is told next, if it got one */
    nn_ledger_entry *entries;
    int count, capacity;
    nn_ledger_entry others; /* what found no row; the last row while its count is not 0 */
#endif
    uint64_t bytes[3]; /* by nn_crossing, since the last reset */
    /* nn_ledger_limit sets it: a program without limits does not link the guard. */
    nn_result (*guard)(nn_context *nn, nn_crossing crossing, uint64_t bytes, const char *tensor,
                       nn_site site);
    nn_ledger_limits limits;
    uint64_t since_limit[3]; /* bytes by nn_crossing since nn_ledger_limit */
    uint64_t crossings;      /* since nn_ledger_limit */
} nn__ledger;

typedef nn_result (*nn__crosser)(nn_context *nn, nn_device to, const nn_view *to_view,
                                 nn_device from, const nn_view *from_view, uint64_t bytes,
                                 void *staging, size_t staging_bytes, const char *tensor,
                                 nn_site site);

struct nn_context {
#ifndef NN_NO_THREADS
    nn__busy busy;
#endif
    nn__memory memory;
    nn_desc desc; /* defaults filled in */
    nn_writer log;
    nn_clock clock;
#ifndef NN_NO_FILES
    nn_files files;
#endif
    nn__pool *pool;
    nn__open_device devices[NN_MAX_DEVICES];
    int device_count;
    nn__ledger ledger;
    nn__owned owned;               /* head of the ring of everything to free at nn_close */
    void *cpu;                     /* nn__cpu, floor 4 */
#ifndef NN_NO_REPORTS
    /* how a device does a convolution, in words; NULL: nobody knows. It may say NULL, too */
    const char *(*way)(const nn_context *nn, nn_device device, nn_kernel kernel, const void *args);
    /* bytes of the weights that the CPU's kernel keeps with these arguments; 0: none. NULL: none
       does */
    uint64_t (*kept_bytes)(const nn_context *nn, nn_kernel kernel, const void *args);
#endif
    /* nn__cross once a model has nn_transfer or nn_constant: others do not link it */
    nn__crosser cross;
#ifndef NN__ONE_PIECE
    int mapped; /* tensors that nn_map_tensor gave away */
#endif
    void *scratch[NN_MAX_DEVICES]; /* handles for immediate kernels */
    uint64_t scratch_bytes[NN_MAX_DEVICES];
#ifndef NN_NO_TRAINING
    void *held[NN_MAX_DEVICES]; /* the same for calls made of several kernels: nn__hold_scratch */
    uint64_t held_bytes[NN_MAX_DEVICES];
    int fits; /* calls of nn_fit under way: their callbacks may not close the context */
    uint64_t changes; /* calls that may have written to a tensor: replicas then look (train/) */
    /* ops/recipe.h; NULL until a program does what needs them: others do not link them */
    const struct nn_optimizer_calls *recipes;
#endif
    nn_result error_code; /* of the first error since nn_clear_error, as nn_error_code tells */
    /* of the latest error: what a call returns whose helper only said that it failed */
    nn_result last_code;
#ifndef NN_NO_REPORTS
    /* calls that may have written to a parameter, buffer or constant of a model: plans that keep
       their weights prepared then prepare them anew (plan/keep.c) */
    uint64_t weight_changes;
    bool closing; /* inside nn_close: what is freed no longer tells what it used */
    nn__owned shells; /* what nn__keep_shell kept, the newest first */
    int shell_count;
    char error[NN_ERROR_BYTES];
    bool error_read; /* nn_error or nn_error_code was asked since it was recorded */
    nn_result report_code; /* words of a backend, waiting for the nn__fail that returns this code */
    char report[256];
#endif
};

/* Everything that may write to a parameter, buffer or constant of a model says so, before or behind
   it in the same call of the library. */
static inline NN__UNUSED void nn__weights_change(nn_context *nn) {
    (void)nn;
#ifndef NN_NO_TRAINING
    nn->changes++;
#endif
#ifndef NN_NO_REPORTS
    nn->weight_changes++;
#endif
}

/* The context with everything of floors 1 and 2 and no device; NULL: the reason went to desc->log.
   desc may be NULL. The caller (nn_open) adds the CPU, and calls nn_close when that fails. */
NN_PRIVATE nn_context *nn__open_base(const nn_desc *desc);

/* ---- errors ---------------------------------------------------------------------------------- */

/* Records the first error of the context, writes every error to the log, returns `code`. The text
   should name the function, the values seen and wanted, and the fix: nn__fail(nn, NN_ERROR_SHAPE,
   "nn_upload: \"%s\" wants %llu bytes, got %llu", ...). nn may be NULL. A text longer than
   NN_ERROR_BYTES is cut in nn_error but not in the log. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn_result nn__fail(nn_context *nn, nn_result code, const char *format, ...);
NN_PRIVATE nn_result nn__fail_at(nn_context *nn, nn_site site, nn_result code, const char *format,
                                 ...); /* adds " at f.c:12" */
NN_PRIVATE nn_result nn__fail_memory(nn_context *nn, const char *what,
                                     uint64_t bytes); /* wanted against available */
#else
/* The code, and its text for the log: what remains of a message. */
NN_PRIVATE nn_result nn__fail_code(nn_context *nn, nn_result code);
#define nn__fail(nn, code, ...)          (NN__NO_TEXT(__VA_ARGS__), nn__fail_code(nn, code))
#define nn__fail_at(nn, site, code, ...)                                                           \
    ((void)(site), NN__NO_TEXT(__VA_ARGS__), nn__fail_code(nn, code))
#define nn__fail_memory(nn, what, bytes) nn__fail(nn, NN_ERROR_MEMORY, what, bytes)
#endif
/* nn__allocate, or NULL and the error that says for what. */
static inline NN__UNUSED void *nn__allocate_for(nn_context *nn, const char *what, size_t bytes) {
    void *memory = nn__allocate(&nn->memory, bytes);
    if (!memory) nn__fail_memory(nn, what, bytes);
    return memory;
}
#if !defined(NN_NO_STDIO) && !defined(NN_NO_REPORTS)
/* For nn_close: writes an error that nobody asked for to stderr, unless the log had it. */
NN_PRIVATE void nn__tell_unread_error(const nn_context *nn);
#else
#define nn__tell_unread_error(nn) ((void)0)
#endif
#ifndef NN_NO_REPORTS
/* Keeps the memory of a handle that a program may still hold, although what it named was freed
   along with something else; a call with it can then say so. `shell` is in no ring and owns nothing
   any more; `release` frees its memory. A context keeps NN__SHELLS of them, and frees the oldest
   for a new one. False, and nothing is kept, while the context closes and where memory is one block
   of the caller's. */
NN_PRIVATE bool nn__keep_shell(nn_context *nn, nn__owned *shell, void (*release)(nn__owned *self));
#endif
/* Of a call that has no site. */
static inline NN__UNUSED nn_site nn__no_site(void) { return nn_make_site(NULL, 0); }
/* "train.c:31": the last part of the path; "(unknown)" without call sites. */
NN_PRIVATE const char *nn__format_site(nn_site site, char *text, size_t size);

/* ---- one thread at a time ------------------------------------------------------------------- */

/* Around the work of every public call that changes something. nn__enter is false when another
   thread is inside the context: then the call changes nothing and returns NN_ERROR_BUSY or NULL.
   The thread inside records that error, which names both calls, when it leaves; the second thread
   must not touch the text of errors or the log. The same thread may enter again, from callbacks and
   from calls made of others. nn may be NULL. */
#ifndef NN_NO_THREADS
NN_PRIVATE bool nn__enter(nn_context *nn, const char *call, nn_site site);
NN_PRIVATE nn_result nn__leave(nn_context *nn, nn_result result); /* returns result */
#else
static inline NN__UNUSED bool nn__enter(nn_context *nn, const char *call, nn_site site) {
    (void)nn, (void)call, (void)site;
    return true;
}
static inline NN__UNUSED nn_result nn__leave(nn_context *nn, nn_result result) {
    (void)nn;
    return result;
}
#endif
#define NN__ALONE(nn, call, site, work)                                                            \
    (nn__enter(nn, call, site) ? nn__leave(nn, work) : NN_ERROR_BUSY)

/* ---- shapes ---------------------------------------------------------------------------------- */

/* "(batch, 3, 64, 64)" or "(3*batch*time, 4)"; NN__SHAPE_TEXT bytes are enough. Returns text. */
#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__format_shape(nn_shape shape, char *text, size_t size);
/* How a program writes the device: "nn_cpu()", "nn_opencl(1)". Returns text; 48 bytes are
   enough. */
NN_PRIVATE const char *nn__format_device_call(nn_device device, char *text, size_t size);
/* "batch", "time", "batch and the time": what an extent is a multiple of, for "depends on the
   ...". */
NN_PRIVATE const char *nn__free_words(int32_t extent);
#else
static inline NN__UNUSED const char *nn__free_words(int32_t extent) {
    (void)extent;
    return "";
}
static inline NN__UNUSED const char *nn__format_shape(nn_shape shape, char *text, size_t size) {
    (void)shape, (void)size;
    text[0] = 0;
    return text;
}
static inline NN__UNUSED const char *nn__format_device_call(nn_device device, char *text,
                                                            size_t size) {
    (void)device, (void)size;
    text[0] = 0;
    return text;
}
#endif
#define NN__SHAPE_TEXT 144
/* What a free extent is a multiple of: none (0), the batch, the time, or both. */
enum { NN__OF_BATCH = 1, NN__OF_TIME = 2 };
static inline NN__UNUSED bool nn__is_symbolic(int32_t extent) { return extent < 0; }
NN_PRIVATE unsigned nn__extent_kind(int32_t extent);
NN_PRIVATE int32_t nn__extent_factor(int32_t extent); /* of a number: itself; 0: no extent */
/* The extents of such a factor and kind; the product of two; the sum of two of one kind. False:
   there is none, or no bits for it, and nothing is written. */
NN_PRIVATE bool nn__extent_make(int64_t factor, unsigned kind, int32_t *extent);
NN_PRIVATE bool nn__extent_multiply(int32_t a, int32_t b, int32_t *product);
NN_PRIVATE bool nn__extent_add(int32_t a, int32_t b, int32_t *sum);
/* How many extents are multiples of one of these (NN__OF_BATCH | NN__OF_TIME: of either). */
NN_PRIVATE int nn__free_extents(nn_shape shape, unsigned kind);
/* The number that an extent is at this batch and time; 0, which every check refuses, beyond
   int32. */
NN_PRIVATE int32_t nn__resolve_extent(int32_t extent, int32_t batch, int32_t time);
NN_PRIVATE void nn__resolve_shape(nn_shape *to, const nn_shape *shape, int32_t batch,
                                  int32_t time);
/* nn_same_shape, without copies of 28 bytes at every call. */
NN_PRIVATE bool nn__equal_shapes(const nn_shape *a, const nn_shape *b);
/* 0: an extent that is not positive, no dtype, or more bytes than memory can have in one piece. */
NN_PRIVATE size_t nn__shape_bytes(const nn_shape *shape, nn_dtype dtype, int32_t batch,
                                  int32_t time);
static inline NN__UNUSED nn_dtype nn__dtype(nn_dtype dtype) {
    return dtype == NN_DTYPE_DEFAULT ? NN_F32 : dtype;
}
/* A number of bf16, exactly; and the pattern of the nearest one, halves to even, NaN stays NaN. */
static inline NN__UNUSED float nn__widen_bf16(uint16_t pattern) {
    const uint32_t bits = (uint32_t)pattern << 16;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}
static inline NN__UNUSED uint16_t nn__narrow_bf16(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
static inline NN__UNUSED int32_t nn__extent(nn_shape s, int i) { return s.extent[i]; }
/* Elements and bytes of a view (all extents known): as many as memory can hold. */
NN_PRIVATE size_t nn__elements(const nn_view *view);
static inline NN__UNUSED int64_t nn__count(const nn_view *view) {
    return (int64_t)nn__elements(view);
}
static inline NN__UNUSED uint64_t nn__bytes(const nn_view *view) {
    return nn__elements(view) * nn_dtype_size(view->dtype);
}
static inline NN__UNUSED bool nn__present(const nn_view *view) {
    return view->dtype != NN_DTYPE_DEFAULT;
}

/* ---- devices --------------------------------------------------------------------------------- */

NN_PRIVATE nn_device nn__resolve_device(const nn_context *nn,
                                        nn_device device); /* the default one filled in */
NN_PRIVATE nn__open_device *nn__find_device(nn_context *nn, nn_device device); /* NULL: not open */
/* Where what a device cannot do may go instead, and how a program asks for that. */
static inline NN__UNUSED nn_device nn__detour(void) { return nn_cpu(); }
/* Does the device give memory whose bytes are 0? The CPU does, and pages that come so from the
   system take no memory before somebody writes to them. */
static inline NN__UNUSED bool nn__gives_zeros(const nn_context *nn, const nn__open_device *open) {
    return open->state == nn->cpu;
}
static inline NN__UNUSED bool nn__asks_detour(nn_on_unsupported answer) {
    return answer == NN_UNSUPPORTED_VIA_CPU;
}
#define NN__DETOUR_HINT "let it go over the CPU: .on_unsupported = NN_UNSUPPORTED_VIA_CPU"
/* How to open a kind of device: "include nn_opencl.h and call nn_opencl_open(nn, ...)". */
NN_PRIVATE const char *nn__how_to_open(nn_device_kind kind);
#ifndef NN_NO_REPORTS
/* why a profile has no times of such a device */
NN_PRIVATE const char *nn__how_to_time(nn_device_kind kind);
#endif
/* "cpu, opencl:0" into text; a text of 256 bytes is enough. Returns text. */
NN_PRIVATE const char *nn__list_devices(const nn_context *nn, char *text, size_t size);
/* The one message for a device that is not open; returns NN_ERROR_DEVICE. `who`: the public
   function. */
NN_PRIVATE nn_result nn__fail_not_open(nn_context *nn, nn_site site, const char *who,
                                       nn_device device);
/* nn_add_backend for a backend that needs no check. */
NN_PRIVATE void nn__add_device(nn_context *nn, const nn_backend *backend, void *state,
                               nn_device *device);
/* alloc and release with accounting; errors name `what` and tell bytes wanted and available. */
NN_PRIVATE nn_result nn__device_alloc(nn_context *nn, nn_device device, uint64_t bytes,
                                      const char *what, void **handle);
NN_PRIVATE void nn__device_release(nn_context *nn, nn_device device, void *handle, uint64_t bytes);
/* Bytes of the largest single allocation there, in whole lines of NN__ALIGNMENT; UINT64_MAX: no
   limit. */
#ifdef NN__ONE_PIECE
#define nn__largest_piece(nn, device) ((void)(nn), (void)(device), UINT64_MAX)
#else
NN_PRIVATE uint64_t nn__largest_piece(nn_context *nn, nn_device device);
#endif
/* Only after nn__has_kernel. */
NN_PRIVATE nn_result nn__call_kernel(const nn__open_device *on, nn_kernel kernel, const void *args,
                                     nn_range range);
/* Where a kernel's arguments keep their scratch; NULL: kernels of this kind are given none. */
NN_PRIVATE const nn_view *nn__kernel_scratch(nn_kernel kernel, const void *args);
NN_PRIVATE bool nn__has_kernel(const nn_backend *backend, nn_kernel kernel);
/* Only after nn__has_kernel. The backend's answer, unless the kernel failed nn_self_test. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__supports(const nn__open_device *on, nn_kernel kernel, const void *args,
                             char *reason, size_t reason_bytes);
#else
#define nn__supports(on, kernel, args, reason, reason_bytes)                                       \
    ((on)->backend->supports((on)->state, kernel, args, reason, reason_bytes))
#endif
/* Scratch for immediate kernels on a device: at least `bytes`, at most nn_desc.scratch_bytes. */
NN_PRIVATE nn_result nn__immediate_scratch(nn_context *nn, nn_device device, uint64_t bytes,
                                           const char *who, nn_view *scratch);
#ifndef NN_NO_TRAINING
/* A second one, which the kernels between leave alone: what a call made of several keeps from one
   to the next. */
NN_PRIVATE nn_result nn__hold_scratch(nn_context *nn, nn_device device, uint64_t bytes,
                                      const char *who, nn_view *scratch);
#endif

/* ---- crossings: the only functions that move bytes between devices. */

/* Host memory to a device's storage and back. Blocking unless fence is given. */
NN_PRIVATE nn_result nn__upload(nn_context *nn, nn_device to, const nn_view *view, const void *from,
                                uint64_t bytes, const char *tensor, nn_site site, nn_fence *fence);
#ifndef NN_NO_TRAINING
/* An upload whose turn comes later: nn__upload_done then asks the ledger and tells it. False: not
   begun, because a limit or a profile stands in the way, or it failed; then nn__upload in its
   turn. */
NN_PRIVATE bool nn__upload_ahead(nn_context *nn, nn_device to, const nn_view *view,
                                 const void *from, uint64_t bytes, nn_fence *fence);
NN_PRIVATE nn_result nn__upload_done(nn_context *nn, nn_device to, uint64_t bytes,
                                     const char *tensor, nn_site site);
#endif
NN_PRIVATE nn_result nn__download_begin(nn_context *nn, nn_device from, const nn_view *view,
                                        void *to, uint64_t bytes, const char *tensor, nn_site site,
                                        nn_fence *fence);
static inline NN__UNUSED nn_result nn__download(nn_context *nn, nn_device from,
                                                const nn_view *view, void *to, uint64_t bytes,
                                                const char *tensor, nn_site site) {
    return nn__download_begin(nn, from, view, to, bytes, tensor, site, NULL);
}
/* Device to device; between different devices through `staging` (host memory of staging_bytes, any
   size > 0). On the same device: a plain copy, not a crossing. */
NN_PRIVATE nn_result nn__cross(nn_context *nn, nn_device to, const nn_view *to_view, nn_device from,
                               const nn_view *from_view, uint64_t bytes, void *staging,
                               size_t staging_bytes, const char *tensor, nn_site site);
/* For the loader's checks: would this crossing be refused? NN_OK or NN_ERROR_LIMIT with its
   message. */
NN_PRIVATE nn_result nn__ledger_ask(nn_context *nn, nn_crossing crossing, uint64_t bytes,
                                    const char *tensor, nn_site site);
/* Room for so many more rows, so that crossings allocate nothing; as many as there is memory
   for. */
NN_PRIVATE void nn__ledger_reserve(nn_context *nn, int rows);
NN_PRIVATE nn_result nn__ledger_add(nn_context *nn, nn_crossing crossing, nn_crossing_way way,
                                    nn_device from, nn_device to, uint64_t logical,
                                    uint64_t physical, const char *tensor, nn_site site);

/* What a field of a desc says whose 0 means `normal`, and whose NN_NONE means 0. */
static inline NN__UNUSED float nn__or_default(float given, float normal) {
    return given == 0.0f ? normal : given == (float)NN_NONE ? 0.0f : given;
}
