/* device/types.c - dtypes, device values and shapes: small pure functions that need no context.
   device/devices.c knows which devices are open. */
#include "device/private.h"

/* ---- dtype ----------------------------------------------------------------------------------- */

NN_API size_t nn_dtype_size(nn_dtype dtype) {
    switch (dtype) {
    case NN_DTYPE_DEFAULT:
    case NN_F32:
    case NN_I32: return 4;
    case NN_F64:
    case NN_I64: return 8;
    case NN_F16:
    case NN_BF16:
    case NN_I16: return 2;
    case NN_U8:
    case NN_I8:
    case NN_BOOL: return 1;
    default: return 0;
    }
}

NN_API const char *nn_dtype_name(nn_dtype dtype) {
    switch (dtype) {
    case NN_DTYPE_DEFAULT:
    case NN_F32: return "f32";
    case NN_I32: return "i32";
    case NN_U8: return "u8";
    case NN_F16: return "f16";
    case NN_BF16: return "bf16";
    case NN_F64: return "f64";
    case NN_I64: return "i64";
    case NN_I16: return "i16";
    case NN_I8: return "i8";
    case NN_BOOL: return "bool";
    default: return "(no dtype)";
    }
}

/* ---- device ---------------------------------------------------------------------------------- */

NN_API nn_device nn_make_device(nn_device_kind kind, int index) {
    nn_device device;
    device.kind = kind;
    device.index = index;
    return device;
}

NN_API nn_device nn_cpu(void) { return nn_make_device(NN_CPU, 0); }

NN_API nn_device nn_opencl(int index) { return nn_make_device(NN_OPENCL, index); }

NN_API bool nn_same_device(nn_device a, nn_device b) {
    return a.kind == b.kind && a.index == b.index;
}

/* ---- shape ----------------------------------------------------------------------------------- */

NN_API nn_shape nn_make_shape(const int32_t *extents, int rank) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    if (rank < 0 || rank > NN_MAX_RANK || (rank > 0 && !extents)) {
        shape.rank = -1; /* every check refuses this rank */
        return shape;
    }
    for (int i = 0; i < rank; i++) shape.extent[i] = extents[i];
    shape.rank = rank;
    return shape;
}

static bool nn__types_rank_fits(nn_shape shape) {
    return shape.rank >= 0 && shape.rank <= NN_MAX_RANK;
}

NN_PRIVATE bool nn__equal_shapes(const nn_shape *a, const nn_shape *b) {
    if (a->rank != b->rank || a->rank < 0 || a->rank > NN_MAX_RANK) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->extent[i] != b->extent[i]) return false;
    return true;
}

NN_API bool nn_same_shape(nn_shape a, nn_shape b) { return nn__equal_shapes(&a, &b); }

NN_API int64_t nn_shape_count(nn_shape shape) {
    uint64_t count = 1;
    if (!nn__types_rank_fits(shape)) return -1;
    for (int i = 0; i < shape.rank; i++) {
        if (shape.extent[i] <= 0) return -1;
        if (!nn__multiply(count, (uint64_t)shape.extent[i], &count) || count > (uint64_t)INT64_MAX)
            return -1;
    }
    return (int64_t)count;
}

NN_PRIVATE size_t nn__elements(const nn_view *view) {
    size_t n = 1;
    for (int i = 0; i < view->shape.rank; i++) n *= (size_t)view->shape.extent[i];
    return n;
}

/* ---- symbolic extents ------------------------------------------------------------------------ */

/* A multiple of the batch or the time is stored as a negative number. Its magnitude is, for the
   batch, 1 to 2^30 - 1; for the time, 2^30 + 1 to 3 * 2^29 - 1; for their product, 3 * 2^29 + 1
   to 2^31 - 1. The values between these ranges are no extents. */
#define NN__EXTENT_TIME ((uint32_t)1 << 30)
#define NN__EXTENT_BOTH ((uint32_t)3 << 29)

NN_PRIVATE unsigned nn__extent_kind(int32_t extent) {
    const uint32_t magnitude = 0u - (uint32_t)extent;
    if (extent >= 0) return 0;
    if (magnitude < NN__EXTENT_TIME) return NN__OF_BATCH;
    return magnitude < NN__EXTENT_BOTH ? NN__OF_TIME : NN__OF_BATCH | NN__OF_TIME;
}

static uint32_t nn__extent_base(unsigned kind) {
    return kind < NN__OF_TIME ? 0 : kind == NN__OF_TIME ? NN__EXTENT_TIME : NN__EXTENT_BOTH;
}

NN_PRIVATE int32_t nn__extent_factor(int32_t extent) {
    if (extent >= 0) return extent;
    return (int32_t)((0u - (uint32_t)extent) - nn__extent_base(nn__extent_kind(extent)));
}

NN_PRIVATE bool nn__extent_make(int64_t factor, unsigned kind, int32_t *extent) {
    const int32_t most = INT32_MAX >> (kind < NN__OF_TIME ? kind : 2);
    if (factor < 1 || factor > most) return false;
    *extent = kind ? -(int32_t)((uint32_t)factor + nn__extent_base(kind)) : (int32_t)factor;
    return true;
}

NN_PRIVATE bool nn__extent_multiply(int32_t a, int32_t b, int32_t *product) {
    const unsigned of_a = nn__extent_kind(a), of_b = nn__extent_kind(b);
    return !(of_a & of_b) && nn__extent_make((int64_t)nn__extent_factor(a) * nn__extent_factor(b),
                                             of_a | of_b, product);
}

NN_PRIVATE bool nn__extent_add(int32_t a, int32_t b, int32_t *sum) {
    return nn__extent_kind(a) == nn__extent_kind(b) &&
           nn__extent_make((int64_t)nn__extent_factor(a) + nn__extent_factor(b), nn__extent_kind(a),
                           sum);
}

NN_API int32_t nn_multiply_extents(int32_t a, int32_t b) {
    int32_t product;
    return nn__extent_multiply(a, b, &product) ? product : 0;
}

NN_PRIVATE int nn__free_extents(nn_shape shape, unsigned kind) {
    int count = 0;
    for (int i = 0; i < shape.rank && i < NN_MAX_RANK; i++)
        count += (nn__extent_kind(shape.extent[i]) & kind) != 0;
    return count;
}

NN_PRIVATE int32_t nn__resolve_extent(int32_t extent, int32_t batch, int32_t time) {
    const unsigned kind = nn__extent_kind(extent);
    int64_t product = (int64_t)nn__extent_factor(extent) * (kind & NN__OF_BATCH ? batch : 1);
    if (product == (int32_t)product) product *= kind & NN__OF_TIME ? time : 1;
    return product != (int32_t)product || product < 0 ? 0 : (int32_t)product;
}

NN_PRIVATE void nn__resolve_shape(nn_shape *to, const nn_shape *shape, int32_t batch,
                                  int32_t time) {
    *to = *shape;
    for (int i = 0; i < to->rank && i < NN_MAX_RANK; i++)
        if (to->extent[i] < 0) to->extent[i] = nn__resolve_extent(to->extent[i], batch, time);
}

NN_PRIVATE size_t nn__shape_bytes(const nn_shape *shape, nn_dtype dtype, int32_t batch,
                                  int32_t time) {
    size_t product = nn_dtype_size(dtype);
    if (shape->rank < 0 || shape->rank > NN_MAX_RANK) return 0;
    for (int i = 0; i < shape->rank; i++) {
        const int32_t extent = nn__resolve_extent(shape->extent[i], batch, time);
        /* no object may be larger than SIZE_MAX / 2 */
        if (extent <= 0 || product > SIZE_MAX / 2 / (size_t)extent) return 0;
        product *= (size_t)extent;
    }
    return product;
}

#ifndef NN_NO_REPORTS
/* Writes an extent: "batch", "3*time", "batch*time" or "64". */
static size_t nn__format_extent(char *text, size_t size, const char *separator, int32_t extent) {
    static const char *const names[] = {"", "batch", "time", "batch*time"};
    const int factor = (int)nn__extent_factor(extent);
    const char *name = names[nn__extent_kind(extent)];
    if (!nn__is_symbolic(extent)) return nn__format(text, size, "%s%d", separator, factor);
    if (factor == 1) return nn__format(text, size, "%s%s", separator, name);
    return nn__format(text, size, "%s%d*%s", separator, factor, name);
}

NN_PRIVATE const char *nn__format_shape(nn_shape shape, char *text, size_t size) {
    size_t used;
    if (size == 0) return text;
    if (!nn__types_rank_fits(shape)) {
        nn__format(text, size, "(rank %d)", (int)shape.rank);
        return text;
    }
    used = nn__format(text, size, "(");
    for (int i = 0; i < shape.rank && used < size; i++) {
        used += nn__format_extent(text + used, size - used, i > 0 ? ", " : "", shape.extent[i]);
    }
    if (used < size) nn__format(text + used, size - used, ")");
    return text;
}

NN_PRIVATE const char *nn__free_words(int32_t extent) {
    static const char *const words[] = {"", "batch", "time", "batch and the time"};
    return words[nn__extent_kind(extent)];
}

NN_PRIVATE const char *nn__format_device_call(nn_device device, char *text, size_t size) {
    if (device.kind == NN_CPU) nn__copy_text(text, size, "nn_cpu()");
    else if (device.kind == NN_OPENCL) nn__format(text, size, "nn_opencl(%d)", device.index);
    else if (device.kind >= NN_USER_0)
        nn__format(text, size, "nn_make_device(NN_USER_%d, %d)", (int)(device.kind - NN_USER_0),
                   device.index);
    else nn__format(text, size, "nn_make_device(%d, %d)", (int)device.kind, device.index);
    return text;
}
#endif
