/* device/private.h - the inside of a context, and how the rooms above report errors and cross
   devices. */
#pragma once

#include "base/private.h"
#include "device/backend.h"
#include "device/context.h"
#include "device/ledger.h"

#ifndef NN_NO_REPORTS
/* What nn_self_test found on a device: for each kernel the reason why it failed, or "". */
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

/* True if launches on this device take longer than small kernels. */
static inline NN__UNUSED bool nn__launches_are_dear(const nn__open_device *on) {
    return on->limits.gpu;
}

#ifndef NN_NO_REPORTS
/* An observer that is told of each crossing while it happens: a profile. */
typedef struct nn__watch nn__watch;
struct nn__watch {
    /* crossed NULL: a crossing begins. Otherwise it has ended, or is queued: then fence->value
       is not 0. */
    void (*tell)(nn__watch *watch, nn_context *nn, const nn_ledger_entry *crossed,
                 const nn_fence *fence);
    nn__watch *next;
};
#endif

typedef struct nn__ledger {
#ifndef NN_NO_REPORTS
    nn__watch *watches;
    nn_fence fence; /* of the crossing that is reported next, if it has one */
    nn_ledger_entry *entries;
    int count, capacity;
    nn_ledger_entry others; /* crossings that found no row; the last row if its count is not 0 */
#endif
    uint64_t bytes[3]; /* by nn_crossing, since the last reset */
    /* set by nn_ledger_limit, so that programs without limits do not link the guard */
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

#ifndef NN_NO_SPEEDUPS
/* The order in which fusions join the steps of a plan (graph/fusion.h). NN__FUSION_NORM comes
   before activations become epilogues. */
typedef enum nn__fusion_order {
    NN__FUSION_NORM,
    NN__FUSION_POOL,
    NN__FUSION_SEPARABLE,
    NN__FUSION_PRELU,
    NN__FUSION_RECURRENT,
    NN__FUSION_ATTENTION,
    NN__FUSION_RESIDUAL,
    NN__FUSIONS
} nn__fusion_order;
struct nn__steps;
typedef struct nn__fusion nn__fusion;
#endif

#ifndef NN_NO_TRAINING
/* Gradients of gradients of operations in nn_more.h. Each is NULL until the first gradient of the
   operation is described (ops/again.c). */
typedef enum nn__again_more {
    NN__AGAIN_WINDOWS,
    NN__AGAIN_RESIZE,
    NN__AGAIN_ABOVE,
    NN__AGAIN_COUNT
} nn__again_more;
#endif

struct nn_model;
struct nn_tensor;
struct nn_node;
struct nn__tape;
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
    /* says what number numbers[*at], which is element first + *at of a tensor of i32 or f32 (its
       bits), must be; NULL: all are right. net NULL: of any model. NULL without operations on
       integers */
    const char *(*wrong_integers)(const struct nn_model *net, const struct nn_tensor *tensor,
                                  const int32_t *numbers, int64_t first, int64_t count,
                                  int64_t *at);
#endif
    nn__pool *pool;
    nn__open_device devices[NN_MAX_DEVICES];
    int device_count;
    nn__ledger ledger;
    nn__owned owned;               /* head of the ring of everything that nn_close frees */
    void *cpu;                     /* nn__cpu, of the room cpu */
#ifndef NN__LEAN
    /* describes in words how a device computes a convolution; may be NULL, and may return NULL */
    const char *(*way)(const nn_context *nn, nn_device device, nn_kernel kernel, const void *args);
    /* bytes of the packed weights that the CPU kernel caches for these args; 0: none. May be
       NULL */
    uint64_t (*cached_bytes)(const nn_context *nn, nn_kernel kernel, const void *args);
    /* the same for NN_KERNEL_SEPARABLE */
    uint64_t (*cached_separable)(const nn_context *nn, const void *args);
    /* the same for convolutions in integers */
    uint64_t (*cached_integers)(const nn_context *nn, const void *args);
    /* the same for an lstm or gru in integers */
    uint64_t (*cached_integer_recurrent)(const nn_context *nn, const void *args);
    /* the same for quantised layers (kernels/quantized) */
    uint64_t (*cached_quantized)(const nn_context *nn, nn_kernel kernel, const void *args);
    /* the same for NN_KERNEL_RECURRENT_WHOLE, and the functions of ops/private.h that make its
       nodes; NULL without a recurrent layer */
    uint64_t (*whole_bytes)(const nn_context *nn, const void *args);
    const struct nn__whole_layers *whole;
#endif
#ifndef NN_NO_SPEEDUPS
    /* each is NULL until a builder adds it; `fuse` is then nn__fuse */
    const nn__fusion *fusions[NN__FUSIONS];
    bool (*fuse)(struct nn__steps *list, const nn__fusion *fusion);
#endif
#ifndef NN_NO_TRAINING
    void (*again[NN__AGAIN_COUNT])(struct nn__tape *tape, struct nn_node *node, struct nn_node *dy);
#endif
    /* nn__cross once a model has nn_transfer or nn_constant; other programs do not link it */
    nn__crosser cross;
#ifndef NN__ONE_PIECE
    int mapped; /* tensors that are mapped by nn_map_tensor */
    /* ops/private.h: functions for layers with states, once nn_use_states was called */
    const struct nn__states *states;
    const struct nn__streaming *streaming; /* the same for streams: nn_use_streaming */
    const struct nn__preparing *preparing; /* device/direct.h, once nn_run_on was called */
#endif
    void *scratch[NN_MAX_DEVICES]; /* handles of the scratch for immediate kernels */
    uint64_t scratch_bytes[NN_MAX_DEVICES];
#ifndef NN_NO_TRAINING
    void *held[NN_MAX_DEVICES]; /* the same for calls that run several kernels: nn__hold_scratch */
    uint64_t held_bytes[NN_MAX_DEVICES];
    int fits; /* calls of nn_fit under way, whose callbacks may not close the context */
    /* calls that may have written to a tensor, so that replicas notice (train/) */
    uint64_t changes;
    /* see ops/recipe.h; NULL until they are needed, so that other programs do not link them */
    const struct nn_optimizer_calls *recipes;
#endif
    nn_result error_code; /* the first error since nn_clear_error */
    /* the latest error, for a call whose helper only said that it failed */
    nn_result last_code;
#ifndef NN__LEAN
    /* calls that may have written to a parameter, buffer or constant of a model: plans then pack
       their weights again (plan/weight_cache.c) */
    uint64_t weight_changes;
    bool closing; /* inside nn_close: freed objects no longer end their uses */
    nn__owned shells; /* kept by nn__keep_shell, newest first */
    int shell_count;
    char error[NN_ERROR_BYTES];
    bool error_read; /* nn_error or nn_error_code was called after the error was recorded */
    nn_result report_code; /* a backend's message, kept for the nn__fail that returns this code */
    char report[256];
#endif
};

/* Everything that may write to a parameter, buffer or constant of a model calls this, before or
   after the write but within the same call of the library. */
static inline NN__UNUSED void nn__weights_change(nn_context *nn) {
    (void)nn;
#ifndef NN_NO_TRAINING
    nn->changes++;
#endif
#ifndef NN__LEAN
    nn->weight_changes++;
#endif
}

/* Opens a context without a device; NULL: the reason went to desc->log. desc may be NULL. The
   caller (nn_open) adds the CPU and calls nn_close if that fails. */
NN_PRIVATE nn_context *nn__open_base(const nn_desc *desc);

/* ---- errors ---------------------------------------------------------------------------------- */

/* Records the first error of the context, writes every error to the log, and returns `code`. The
   text should name the function, the values found and wanted, and the fix: nn__fail(nn,
   NN_ERROR_SHAPE, "nn_upload: \"%s\" wants %llu bytes, got %llu", ...). nn may be NULL. nn_error
   cuts texts after NN_ERROR_BYTES; the log does not. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn_result nn__fail(nn_context *nn, nn_result code, const char *format, ...);
NN_PRIVATE nn_result nn__fail_at(nn_context *nn, nn_site site, nn_result code, const char *format,
                                 ...); /* adds " at f.c:12" */
NN_PRIVATE nn_result nn__fail_memory(nn_context *nn, const char *what,
                                     uint64_t bytes); /* wanted against available */
#else
/* Records and logs only the code. */
NN_PRIVATE nn_result nn__fail_code(nn_context *nn, nn_result code);
#define nn__fail(nn, code, ...)          (NN__NO_TEXT(__VA_ARGS__), nn__fail_code(nn, code))
#define nn__fail_at(nn, site, code, ...)                                                           \
    ((void)(site), NN__NO_TEXT(__VA_ARGS__), nn__fail_code(nn, code))
#define nn__fail_memory(nn, what, bytes) nn__fail(nn, NN_ERROR_MEMORY, what, bytes)
#endif
/* Returns false and reports an error in the name of `who` if a list has no array or a negative
   length. With `pointers`, an element that is NULL is an error, too. */
NN_PRIVATE bool nn__check_list(nn_context *nn, nn_site site, const char *who, const char *field,
                               const void *items, int count, bool pointers);
/* Calls nn__allocate; if it fails, reports what the memory was for and returns NULL. */
static inline NN__UNUSED void *nn__allocate_for(nn_context *nn, const char *what, size_t bytes) {
    void *memory = nn__allocate(&nn->memory, bytes);
    if (!memory) nn__fail_memory(nn, what, bytes);
    return memory;
}
#if !defined(NN_NO_STDIO) && !defined(NN_NO_REPORTS)
/* For nn_close: writes an unread error to stderr, unless there is a log. */
NN_PRIVATE void nn__tell_unread_error(const nn_context *nn);
#else
#define nn__tell_unread_error(nn) ((void)0)
#endif
#ifndef NN_NO_REPORTS
/* Keeps the memory of a handle that the program may still hold although its object was freed
   along with another one, so that calls with it can report that. `shell` is in no ring and owns
   nothing; `release` frees its memory. A context keeps NN__SHELLS of them and frees the oldest
   for a new one. False: not kept, because the context is closing or its memory is one block. */
NN_PRIVATE bool nn__keep_shell(nn_context *nn, nn__owned *shell, void (*release)(nn__owned *self));
#endif
/* Returns the site of a call that has none. */
static inline NN__UNUSED nn_site nn__no_site(void) { return nn_make_site(NULL, 0); }
/* Writes "train.c:31", with the last part of the path; "(unknown)" without call sites. */
NN_PRIVATE const char *nn__format_site(nn_site site, char *text, size_t size);

/* ---- one thread at a time ------------------------------------------------------------------- */

/* Called around the work of each public call that changes something. If another thread is inside
   the context, nn__enter is false: then the call changes nothing and returns NN_ERROR_BUSY or
   NULL. The thread inside reports that error, with both calls, when it leaves; the refused
   thread must not touch errors or the log. One thread may enter several times, from callbacks
   and from composed calls. nn may be NULL. */
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

/* Writes "(batch, 3, 64, 64)" or "(3*batch*time, 4)". Returns text; NN__SHAPE_TEXT bytes are
   enough. */
#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__format_shape(nn_shape shape, char *text, size_t size);
/* Writes the device as a program would: "nn_cpu()", "nn_opencl(1)". Returns text; 48 bytes are
   enough. */
NN_PRIVATE const char *nn__format_device_call(nn_device device, char *text, size_t size);
/* Returns what an extent is a multiple of, for messages that end in "depends on the ...": "batch",
   "time", "batch and the time". */
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
/* What a symbolic extent is a multiple of: the batch, the time, both, or neither (0). */
enum { NN__OF_BATCH = 1, NN__OF_TIME = 2 };
static inline NN__UNUSED bool nn__is_symbolic(int32_t extent) { return extent < 0; }
NN_PRIVATE unsigned nn__extent_kind(int32_t extent);
NN_PRIVATE int32_t nn__extent_factor(int32_t extent); /* an ordinary extent: itself; 0: no extent */
/* Make an extent of a factor and a kind; multiply two extents; add two of one kind. False: the
   result is no extent or does not fit, and nothing is written. */
NN_PRIVATE bool nn__extent_make(int64_t factor, unsigned kind, int32_t *extent);
NN_PRIVATE bool nn__extent_multiply(int32_t a, int32_t b, int32_t *product);
NN_PRIVATE bool nn__extent_add(int32_t a, int32_t b, int32_t *sum);
/* Returns the number of extents that are multiples of this kind (NN__OF_BATCH | NN__OF_TIME: of
   either). */
NN_PRIVATE int nn__free_extents(nn_shape shape, unsigned kind);
/* Returns the value of an extent at this batch and time; 0, which every check refuses, if it
   overflows. */
NN_PRIVATE int32_t nn__resolve_extent(int32_t extent, int32_t batch, int32_t time);
NN_PRIVATE void nn__resolve_shape(nn_shape *to, const nn_shape *shape, int32_t batch,
                                  int32_t time);
/* Does what nn_same_shape does, without copying 28 bytes for each call. */
NN_PRIVATE bool nn__equal_shapes(const nn_shape *a, const nn_shape *b);
/* Returns the bytes of a tensor at this batch and time. 0: an extent is not positive, the dtype is
   illegal, or no object can be that large. */
NN_PRIVATE size_t nn__shape_bytes(const nn_shape *shape, nn_dtype dtype, int32_t batch,
                                  int32_t time);
static inline NN__UNUSED nn_dtype nn__dtype(nn_dtype dtype) {
    return dtype == NN_DTYPE_DEFAULT ? NN_F32 : dtype;
}
/* Convert bf16 exactly to f32, and f32 to the nearest bf16 (ties to even; NaN stays NaN). */
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
/* Returns the number of elements of a view without symbolic extents. */
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
                                        nn_device device); /* replaces the default */
NN_PRIVATE nn__open_device *nn__find_device(nn_context *nn, nn_device device); /* NULL: not open */
/* Returns the device for operations that another device lacks. */
static inline NN__UNUSED nn_device nn__detour(void) { return nn_cpu(); }
/* True if new memory of the device is zero. The CPU's is, and its fresh pages take no memory
   before they are written. */
static inline NN__UNUSED bool nn__gives_zeros(const nn_context *nn, const nn__open_device *open) {
    return open->state == nn->cpu;
}
static inline NN__UNUSED bool nn__asks_detour(nn_on_unsupported answer) {
    return answer == NN_UNSUPPORTED_VIA_CPU;
}
#define NN__DETOUR_HINT "let it go over the CPU: .on_unsupported = NN_UNSUPPORTED_VIA_CPU"
/* Returns how to open this kind of device: "include nn_opencl.h and call nn_opencl_open(nn,
   ...)". */
NN_PRIVATE const char *nn__how_to_open(nn_device_kind kind);
#ifndef NN_NO_REPORTS
/* Returns why a profile has no times for this kind of device. */
NN_PRIVATE const char *nn__how_to_time(nn_device_kind kind);
#endif
/* Writes "cpu, opencl:0" into text; 256 bytes are enough. Returns text. */
NN_PRIVATE const char *nn__list_devices(const nn_context *nn, char *text, size_t size);
/* Reports that a device is not open; returns NN_ERROR_DEVICE. who: the public function. */
NN_PRIVATE nn_result nn__fail_not_open(nn_context *nn, nn_site site, const char *who,
                                       nn_device device);
/* Does what nn_add_backend does, without its checks. */
NN_PRIVATE void nn__add_device(nn_context *nn, const nn_backend *backend, void *state,
                               nn_device *device);
/* Allocate and release, counted. Errors name `what` and the bytes wanted and available. */
NN_PRIVATE nn_result nn__device_alloc(nn_context *nn, nn_device device, uint64_t bytes,
                                      const char *what, void **handle);
NN_PRIVATE void nn__device_release(nn_context *nn, nn_device device, void *handle, uint64_t bytes);
/* Returns the largest single allocation on a device, a multiple of NN__ALIGNMENT; UINT64_MAX: no
   limit. */
#ifdef NN__ONE_PIECE
#define nn__largest_piece(nn, device) ((void)(nn), (void)(device), UINT64_MAX)
#else
NN_PRIVATE uint64_t nn__largest_piece(nn_context *nn, nn_device device);
#endif
/* Runs a kernel on work units. Call it only if nn__has_kernel is true. */
NN_PRIVATE nn_result nn__call_kernel(const nn__open_device *on, nn_kernel kernel, const void *args,
                                     nn_range range);
/* Returns the scratch view in a kernel's args; NULL: this kind of kernel has none. */
NN_PRIVATE const nn_view *nn__kernel_scratch(nn_kernel kernel, const void *args);
#ifndef NN__LEAN
/* Returns the field `precision` in a kernel's args; NULL: the kernel has no products of f32. */
NN_PRIVATE nn_precision *nn__kernel_precision(nn_kernel kernel, void *args);
static inline NN__UNUSED void nn__set_precision(nn_kernel kernel, void *args,
                                                nn_precision precision) {
    nn_precision *field = nn__kernel_precision(kernel, args);
    if (field) *field = precision;
}
/* True for a value of nn_precision; else reports it in the name of `who`. */
NN_PRIVATE bool nn__check_precision(nn_context *nn, nn_site site, const char *who,
                                    nn_precision precision);
#else
#define nn__set_precision(kernel, args, precision)       ((void)0)
#define nn__check_precision(nn, site, who, precision)    true
#endif
NN_PRIVATE bool nn__has_kernel(const nn_backend *backend, nn_kernel kernel);
/* Call it only if nn__has_kernel is true. Returns the backend's answer, or false if the kernel
   failed nn_self_test. */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__supports(const nn__open_device *on, nn_kernel kernel, const void *args,
                             char *reason, size_t reason_bytes);
#else
#define nn__supports(on, kernel, args, reason, reason_bytes)                                       \
    ((on)->backend->supports((on)->state, kernel, args, reason, reason_bytes))
#endif
/* Returns scratch for immediate kernels on a device: at least `bytes`, at most
   nn_desc.scratch_bytes. */
NN_PRIVATE nn_result nn__immediate_scratch(nn_context *nn, nn_device device, uint64_t bytes,
                                           const char *who, nn_view *scratch);
#ifndef NN_NO_TRAINING
/* Returns a second scratch buffer, which kernels in between do not touch: for values that a call of
   several kernels keeps. */
NN_PRIVATE nn_result nn__hold_scratch(nn_context *nn, nn_device device, uint64_t bytes,
                                      const char *who, nn_view *scratch);
#endif

/* ---- crossings: the only functions that move bytes between devices. */

/* Copy between host memory and a device. They block unless fence is given. */
NN_PRIVATE nn_result nn__upload(nn_context *nn, nn_device to, const nn_view *view, const void *from,
                                uint64_t bytes, const char *tensor, nn_site site, nn_fence *fence);
#ifndef NN_NO_TRAINING
/* Starts an upload early; nn__upload_done later asks the ledger and reports to it. False: not
   started, because of a limit, a profile or an error; then use nn__upload when its turn comes. */
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
/* Copies from device to device, through `staging` (host memory of staging_bytes > 0). On one device
   it is a plain copy, not a crossing. */
NN_PRIVATE nn_result nn__cross(nn_context *nn, nn_device to, const nn_view *to_view, nn_device from,
                               const nn_view *from_view, uint64_t bytes, void *staging,
                               size_t staging_bytes, const char *tensor, nn_site site);
/* Returns NN_OK, or NN_ERROR_LIMIT with its message if this crossing would be refused. */
NN_PRIVATE nn_result nn__ledger_ask(nn_context *nn, nn_crossing crossing, uint64_t bytes,
                                    const char *tensor, nn_site site);
/* Reserves rows, as many as memory allows, so that crossings allocate nothing. */
NN_PRIVATE void nn__ledger_reserve(nn_context *nn, int rows);
NN_PRIVATE nn_result nn__ledger_add(nn_context *nn, nn_crossing crossing, nn_crossing_way way,
                                    nn_device from, nn_device to, uint64_t logical,
                                    uint64_t physical, const char *tensor, nn_site site);

/* True if a field of a desc in which NN_NONE stands for 0 is negative. */
static inline NN__UNUSED bool nn__is_negative(int given) { return given < 0 && given != NN_NONE; }
/* Replaces 0 in a field of a desc by its default, and NN_NONE by 0. */
static inline NN__UNUSED float nn__or_default(float given, float normal) {
    return given == 0.0f ? normal : given == (float)NN_NONE ? 0.0f : given;
}
