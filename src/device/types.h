/* device/types.h - dtypes, devices, shapes, views: the types that all other parts share. */
#pragma once

#include "base/config.h"
#include "base/list.h"

typedef struct nn_context nn_context; /* one per program or thread; see device/context.h */

/* "Zero, and I mean it", in the fields where 0 stands for a default. It is a value that no program
   means, and that floats hold exactly. */
#define NN_NONE (-0x7f000000)

/* ---- dtype ----------------------------------------------------------------------------------- */

typedef enum nn_dtype {
    NN_DTYPE_DEFAULT, /* NN_F32 */
    NN_F32,
    NN_I32,
    NN_U8,
    NN_F16, /* from here on: for storage and files only; operations compute in f32 */
    NN_BF16,
    NN_F64,
    NN_I64,
    NN_I16,
    NN_I8,
    NN_BOOL,
    NN_DTYPE_COUNT
} nn_dtype;

NN_API size_t nn_dtype_size(nn_dtype dtype);      /* in bytes; 0 for an invalid dtype */
NN_API const char *nn_dtype_name(nn_dtype dtype); /* "f32" */

/* ---- precision ------------------------------------------------------------------------------- */

/* How far products (linear layers, matmul, convolutions, attention, and their gradients) may round
   their f32 operands, where a device has matrix units that are faster for it. Names and meaning are
   those of torch.set_float32_matmul_precision; convolutions obey them too. Sums are always f32, and
   stored values keep their dtype. A device without such units computes in f32, and nn_write_plan
   says so. Source:
   https://docs.pytorch.org/docs/stable/generated/torch.set_float32_matmul_precision.html */
typedef enum nn_precision {
    NN_PRECISION_DEFAULT, /* in a plan or trainer: the context's; in the context: HIGHEST */
    NN_PRECISION_HIGHEST, /* f32 */
    NN_PRECISION_HIGH,    /* may round operands to TF32: 10 bits of fraction, to nearest */
    NN_PRECISION_MEDIUM,  /* may round operands to bf16: 7 bits of fraction, to nearest */
    NN_PRECISION_COUNT
} nn_precision;

/* ---- device ---------------------------------------------------------------------------------- */

typedef enum nn_device_kind {
    NN_DEVICE_DEFAULT, /* the context's default device */
    NN_CPU,
    NN_OPENCL,
    NN_VULKAN,
    NN_METAL,
    NN_CUDA,
    NN_USER_0, /* a backend of yours */
    NN_USER_1,
    NN_USER_2,
    NN_DEVICE_KIND_COUNT
} nn_device_kind;

/* A device is passed by value. It need not be open; using a device that is not open is an ordinary
   error that says how to open it. */
typedef struct nn_device {
    nn_device_kind kind;
    int index; /* opencl:1 is { NN_OPENCL, 1 } */
} nn_device;

/* NN_DEVICES(nn_opencl(0), nn_opencl(1)) */
typedef struct nn_devices {
    const nn_device *device;
    int count;
    NN__LIST_CALLS(nn_devices, nn_device, device)
} nn_devices;
#define NN_DEVICES(...) NN__LIST(nn_devices, nn_device, __VA_ARGS__)

NN_API nn_device nn_cpu(void);
NN_API nn_device nn_opencl(int index);
NN_API nn_device nn_make_device(nn_device_kind kind, int index);
NN_API bool nn_same_device(nn_device a, nn_device b);

/* ---- shape ----------------------------------------------------------------------------------- */

/* The two symbolic extents. A run determines their values, up to the largest values that the plan
   was given. An extent of a description is a number, or a multiple of the batch, of the time, or of
   their product. Multiples are encoded as negative numbers; make them only with these macros and
   nn_multiply_extents: nn_multiply_extents(3, NN_TIME). */
#define NN_BATCH      (-1)
#define NN_TIME       (-0x40000001)
#define NN_BATCH_TIME                                                                              \
    (-0x60000001) /* batch * time: the first extent when (batch, time, 8) becomes (batch * time,
                     8) */

typedef struct nn_shape {
    int32_t extent[NN_MAX_RANK]; /* outermost first, e.g. (N, C, H, W) */
    int32_t rank;                /* 0: a single number */
} nn_shape;

/* Makes a shape and counts its arguments: NN_SHAPE(NN_BATCH, 3, 64, 64). */
#ifdef __cplusplus
extern "C++" {
template <typename... Extents> inline nn_shape nn_make_shape_of(Extents... extents) {
    static_assert(sizeof...(Extents) <= NN_MAX_RANK, "a shape has at most NN_MAX_RANK extents");
    return nn_shape{{static_cast<int32_t>(extents)...}, static_cast<int32_t>(sizeof...(Extents))};
}
}
#define NN_SHAPE(...) nn_make_shape_of(__VA_ARGS__)
#else
#define NN_SHAPE(...)                                                                              \
    ((nn_shape){{__VA_ARGS__}, (int32_t)(sizeof((int32_t[]){__VA_ARGS__}) / sizeof(int32_t))})
#endif

NN_API nn_shape nn_make_shape(const int32_t *extents, int rank);
/* Returns the product of two extents, which may be symbolic: nn_multiply_extents(NN_BATCH, NN_TIME)
   is NN_BATCH_TIME. Returns 0, which no shape accepts, if the product cannot be encoded: batch *
   batch, time * time, or too large a number. */
NN_API int32_t nn_multiply_extents(int32_t a, int32_t b);
NN_API bool nn_same_shape(nn_shape a, nn_shape b);
/* Returns the product of the extents; -1 if one is symbolic, zero or negative, or if the product
   exceeds int64. */
NN_API int64_t nn_shape_count(nn_shape shape);

/* ---- view ------------------------------------------------------------------------------------ */

/* Storage as kernels see it: row-major and dense. (handle, offset) replaces a pointer: `char *` +
   offset on the CPU, cl_mem + offset on OpenCL; a backend never makes sub-buffers. */
typedef struct nn_view {
    void *handle;
    uint64_t offset; /* bytes */
    nn_shape shape;  /* no symbolic extents here */
    nn_dtype dtype;
} nn_view;

/* Work units [first, first + count) of a kernel; { 0, -1 }: all of them. */
typedef struct nn_range {
    int32_t first;
    int32_t count;
} nn_range;
