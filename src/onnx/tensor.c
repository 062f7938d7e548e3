/* onnx/tensor.c - reads TensorProto, and single numbers of every dtype. */
#include "onnx/private.h"

/* Fields of TensorProto. */
enum {
    NN__ONNX_DIMS = 1,
    NN__ONNX_DATA_TYPE = 2,
    NN__ONNX_FLOATS = 4,
    NN__ONNX_INT32S = 5,
    NN__ONNX_STRINGS = 6,
    NN__ONNX_INT64S = 7,
    NN__ONNX_TENSOR_NAME = 8,
    NN__ONNX_RAW = 9,
    NN__ONNX_DOUBLES = 10,
    NN__ONNX_UINT64S = 11,
    NN__ONNX_EXTERNAL = 13,
    NN__ONNX_LOCATION = 14
};

NN__ONNX_PRIVATE const char *nn__onnx_type_name(nn__onnx_type type) {
    static const char *const names[] = {
        "no dtype",       "float32",    "uint8",          "int8",       "uint16",   "int16",
        "int32",          "int64",      "string",         "bool",       "float16",  "float64",
        "uint32",         "uint64",     "complex64",      "complex128", "bfloat16", "float8e4m3fn",
        "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4",      "int4",     "float4e2m1"};
    const unsigned index = (unsigned)type;
    return index < sizeof names / sizeof *names ? names[index] : "an unknown dtype";
}

NN__ONNX_PRIVATE uint32_t nn__onnx_type_size(nn__onnx_type type) {
    static const unsigned char sizes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8,
                                          4, 8, 0, 0, 2, 1, 1, 1, 1, 0, 0, 0};
    const unsigned index = (unsigned)type;
    return index < sizeof sizes ? sizes[index] : 0;
}

static bool nn__onnx_is_packed(nn__onnx_type type) {
    return type == NN__ONNX_UINT4 || type == NN__ONNX_INT4 || type == NN__ONNX_FLOAT4;
}

NN__ONNX_PRIVATE bool nn__onnx_count(int32_t rank, const int64_t *extents, uint64_t *count) {
    uint64_t product = 1;
    bool none = false;
    for (int i = 0; i < rank; i++) {
        const uint64_t extent = (uint64_t)extents[i];
        if (extents[i] < 0) return false;
        if (extent == 0)
            none = true;
        else if (product > (uint64_t)INT64_MAX / extent)
            return false;
        else
            product *= extent;
    }
    *count = none ? 0 : product;
    return true;
}

/* ---- one number ------------------------------------------------------------------------------ */

static uint64_t nn__onnx_bits(const unsigned char *at, uint32_t bytes) {
    uint64_t value = 0;
    for (uint32_t i = bytes; i > 0; i--) value = value << 8 | at[i - 1];
    return value;
}

static double nn__onnx_f32_of(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static double nn__onnx_f32_at(const unsigned char *at) {
    return nn__onnx_f32_of((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                           (uint32_t)at[3] << 24);
}

static double nn__onnx_f16_of(uint32_t bits) {
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    double number;
    if (exponent == 31)
        number = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        number = ldexp((double)fraction, -24);
    else
        number = ldexp((double)(fraction + 1024), (int)exponent - 25);
    return bits & 0x8000 ? -number : number;
}

/* Returns the value of an 8-bit float with `exponent` bits of exponent. The formats "uz" have no
   infinity and no -0; -0 is their NaN. */
static double nn__onnx_f8_of(uint32_t bits, unsigned exponent_bits, bool uz) {
    const unsigned fraction_bits = 7 - exponent_bits;
    const int bias = (1 << (exponent_bits - 1)) - (uz ? 0 : 1);
    const uint32_t fraction = bits & ((1u << fraction_bits) - 1);
    const uint32_t exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1);
    double number;
    if (uz && bits == 0x80) return (double)NAN;
    if (!uz && exponent_bits == 4 && (bits & 127) == 127) return (double)NAN;
    if (!uz && exponent_bits == 5 && exponent == 31)
        number = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        number = ldexp((double)fraction, 1 - bias - (int)fraction_bits);
    else
        number = ldexp((double)(fraction + (1u << fraction_bits)),
                       (int)exponent - bias - (int)fraction_bits);
    return bits & 0x80 ? -number : number;
}

static double nn__onnx_f64_of(uint64_t bits) {
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Returns number i as int64; 0 for floats and strings. */
static int64_t nn__onnx_integer(const nn__onnx_tensor *tensor, uint64_t i) {
    const nn__onnx_type type = tensor->dtype;
    const uint32_t size = nn__onnx_type_size(type);
    uint64_t bits;
    if (!tensor->data) return 0;
    if (nn__onnx_is_packed(type)) {
        bits = (uint64_t)(tensor->data[i / 2] >> (i & 1) * 4 & 15);
        return type == NN__ONNX_INT4 && bits > 7 ? (int64_t)bits - 16 : (int64_t)bits;
    }
    bits = nn__onnx_bits(tensor->data + i * size, size);
    switch (type) {
    case NN__ONNX_INT8: return (int64_t)bits - (bits > 0x7f ? 0x100 : 0);
    case NN__ONNX_INT16: return (int64_t)bits - (bits > 0x7fff ? 0x10000 : 0);
    case NN__ONNX_INT32: return (int64_t)bits - (bits > 0x7fffffff ? (int64_t)0x100000000 : 0);
    case NN__ONNX_INT64: return bits <= INT64_MAX ? (int64_t)bits : -1 - (int64_t)~bits;
    case NN__ONNX_BOOL: return bits != 0;
    case NN__ONNX_UINT64: return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
    default: return (int64_t)bits;
    }
}

NN__ONNX_PRIVATE double nn__onnx_real(const nn__onnx_tensor *tensor, uint64_t i) {
    static const double fourths[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    const uint32_t size = nn__onnx_type_size(tensor->dtype);
    uint64_t bits;
    if (tensor->uniform) i = 0;
    /* The dtypes of most weights come first. */
    if (tensor->dtype == NN__ONNX_FLOAT) return nn__onnx_f32_at(tensor->data + i * 4);
    if (tensor->dtype == NN__ONNX_UINT8) return tensor->data[i];
    if (tensor->dtype == NN__ONNX_INT8) return tensor->data[i] - (tensor->data[i] > 127 ? 256 : 0);
    if (tensor->dtype == NN__ONNX_FLOAT4) {
        bits = (uint64_t)(tensor->data[i / 2] >> (i & 1) * 4 & 15);
        return bits > 7 ? -fourths[bits & 7] : fourths[bits];
    }
    if (!nn__onnx_is_float(tensor->dtype) &&
        !((int)tensor->dtype >= 17 && (int)tensor->dtype <= 20))
        return (double)nn__onnx_integer(tensor, i);
    bits = nn__onnx_bits(tensor->data + i * size, size);
    switch ((int)tensor->dtype) {
    case NN__ONNX_FLOAT16: return nn__onnx_f16_of((uint32_t)bits);
    case NN__ONNX_BFLOAT16: return nn__onnx_f32_of((uint32_t)bits << 16);
    case NN__ONNX_DOUBLE: return nn__onnx_f64_of(bits);
    default:
        return nn__onnx_f8_of((uint32_t)bits, (int)tensor->dtype < 19 ? 4 : 5,
                              ((int)tensor->dtype & 1) == 0);
    }
}

NN__ONNX_PRIVATE int64_t nn__onnx_whole(const nn__onnx_tensor *tensor, uint64_t i) {
    if (tensor->uniform) i = 0;
    if (nn__onnx_is_whole(tensor->dtype) || tensor->dtype == NN__ONNX_BOOL)
        return nn__onnx_integer(tensor, i);
    {
        const double number = nn__onnx_real(tensor, i);
        if (number != number) return 0;
        return number >= 9.2e18 ? INT64_MAX : number <= -9.2e18 ? INT64_MIN : (int64_t)number;
    }
}

/* Rounds to half precision, half to even. */
static uint32_t nn__onnx_to_f16(double number) {
    const uint32_t sign = number < 0 || (number == 0 && 1 / number < 0) ? 0x8000u : 0;
    double size = fabs(number), scaled;
    int exponent;
    if (number != number) return 0x7e00;
    if (size >= 65520) return sign | 0x7c00;
    frexp(size, &exponent);
    if (exponent < -13) exponent = -13; /* subnormal below */
    scaled = ldexp(size, 11 - exponent);
    scaled = nearbyint(scaled);
    if (scaled >= 2048) scaled /= 2, exponent++;
    if (scaled < 1024) return sign | (uint32_t)scaled;
    return sign | (uint32_t)(exponent + 14) << 10 | ((uint32_t)scaled - 1024);
}

static void nn__onnx_put_f32(unsigned char *at, float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    at[0] = (unsigned char)bits;
    at[1] = (unsigned char)(bits >> 8);
    at[2] = (unsigned char)(bits >> 16);
    at[3] = (unsigned char)(bits >> 24);
}

NN__ONNX_PRIVATE void nn__onnx_put_scaled(unsigned char *data, const nn__onnx_tensor *x,
                                          uint64_t first, uint64_t count, const double *zeros,
                                          const double *scales, int step) {
    const bool bytes = !x->uniform && (x->dtype == NN__ONNX_INT8 || x->dtype == NN__ONNX_UINT8);
    const int most = x->dtype == NN__ONNX_INT8 ? 127 : 255;
    for (uint64_t i = first; i < first + count; i++, zeros += step, scales += step) {
        const int byte = bytes ? x->data[i] : 0;
        const double number = bytes ? byte - (byte > most ? 256 : 0) : nn__onnx_real(x, i);
        nn__onnx_put_f32(data + i * 4, (float)((number - *zeros) * *scales));
    }
}

NN__ONNX_PRIVATE void nn__onnx_put_real(unsigned char *data, nn__onnx_type type, uint64_t i,
                                        double number) {
    const uint32_t size = type == NN__ONNX_FLOAT ? 4 : nn__onnx_type_size(type);
    unsigned char *at = data + i * size;
    float rounded = (float)number;
    uint32_t bits;
    uint64_t wide;
    memcpy(&bits, &rounded, sizeof bits);
    if (type == NN__ONNX_FLOAT) {
        nn__onnx_put_f32(at, rounded);
    } else if (type == NN__ONNX_DOUBLE) {
        memcpy(&wide, &number, sizeof wide);
        nn__onnx_store(at, wide, 8);
    } else if (type == NN__ONNX_FLOAT16) {
        nn__onnx_store(at, nn__onnx_to_f16(number), 2);
    } else if (type == NN__ONNX_BFLOAT16) {
        if (number == number) bits += 0x7fff + (bits >> 16 & 1);
        nn__onnx_store(at, bits >> 16, 2);
    } else if (type == NN__ONNX_BOOL) {
        nn__onnx_store(at, number != 0, 1);
    } else {
        nn__onnx_put_whole(data, type, i,
                           number != number    ? 0
                           : number >= 9.2e18  ? INT64_MAX
                           : number <= -9.2e18 ? INT64_MIN
                                               : (int64_t)number);
    }
}

NN__ONNX_PRIVATE void nn__onnx_put_whole(unsigned char *data, nn__onnx_type type, uint64_t i,
                                         int64_t number) {
    if (nn__onnx_is_whole(type))
        nn__onnx_store(data + i * nn__onnx_type_size(type), (uint64_t)number,
                       nn__onnx_type_size(type));
    else
        nn__onnx_put_real(data, type, i, (double)number);
}

NN__ONNX_PRIVATE nn__onnx_tensor *nn__onnx_make(nn__onnx_call *call, nn__onnx_arena *arena,
                                                nn__onnx_type type, int32_t rank,
                                                const int64_t *extents, bool uniform,
                                                unsigned char **data) {
    nn__onnx_tensor *tensor;
    uint64_t count = 0, bytes;
    *data = NULL;
    if (rank > NN__ONNX_RANK || !nn__onnx_count(rank, extents, &count) ||
        (!uniform && count > (uint64_t)1 << 40)) {
        nn__onnx_fail(call, NN_ERROR_LIMIT,
                      "a constant that the file computes has too many elements");
        return NULL;
    }
    bytes = (uniform ? 1 : count) * (nn__onnx_type_size(type) ? nn__onnx_type_size(type) : 1);
    tensor = (nn__onnx_tensor *)nn__onnx_take(call, arena, sizeof *tensor);
    if (tensor) *data = (unsigned char *)nn__onnx_take(call, arena, bytes);
    if (!tensor || !*data) return NULL;
    tensor->name = "";
    tensor->dtype = type;
    tensor->rank = rank;
    for (int i = 0; i < rank; i++) tensor->extent[i] = extents[i];
    tensor->count = count;
    tensor->data = *data;
    tensor->uniform = uniform;
    return tensor;
}

/* ---- TensorProto ----------------------------------------------------------------------------- */

/* The fields of a message about its data. */
typedef struct nn__onnx_source {
    nn__onnx_bytes raw;
    bool has_raw, external;
    const char *location;
    uint64_t offset, length;
} nn__onnx_source;

static bool nn__onnx_decimal(nn__onnx_bytes text, uint64_t *number) {
    *number = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || *number > (uint64_t)1 << 58) return false;
        *number = *number * 10 + (uint64_t)(text.at[i] - '0');
    }
    return text.size > 0;
}

static bool nn__onnx_is_text(nn__onnx_bytes bytes, const char *text) {
    return bytes.size == strlen(text) && memcmp(bytes.at, text, bytes.size) == 0;
}

/* Reads one entry of external_data: key 1, value 2. */
static bool nn__onnx_read_entry(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                nn__onnx_source *source) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    nn__onnx_bytes key = {NULL, 0}, value = {NULL, 0};
    while (nn__onnx_next(&cursor)) {
        if (cursor.field == 1) key = cursor.bytes;
        if (cursor.field == 2) value = cursor.bytes;
    }
    if (cursor.damaged) return false;
    if (nn__onnx_is_text(key, "location")) {
        source->location = nn__onnx_read_text(file, call, value);
        return source->location != NULL;
    }
    if (nn__onnx_is_text(key, "offset")) return nn__onnx_decimal(value, &source->offset);
    if (nn__onnx_is_text(key, "length")) return nn__onnx_decimal(value, &source->length);
    return true;
}

/* Numbers of 4 or 8 bytes in one packed field are used in place. Returns false if they are not in
   one field. */
static bool nn__onnx_typed_in_place(nn__onnx_bytes message, uint32_t field, uint64_t count,
                                    nn__onnx_tensor *tensor) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    const uint32_t size = nn__onnx_type_size(tensor->dtype);
    const unsigned char *found = NULL;
    while (nn__onnx_next(&cursor)) {
        if (cursor.field != field) continue;
        if (found || cursor.wire != 2 || cursor.bytes.size / size != count ||
            cursor.bytes.size % size != 0)
            return false;
        found = cursor.bytes.at;
    }
    if (!found || cursor.damaged || count == 0) return false;
    tensor->data = found;
    return true;
}

/* Reads the numbers of a typed field; packed floats are used in place. */
static bool nn__onnx_read_typed(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                nn__onnx_tensor *tensor) {
    const nn__onnx_type type = tensor->dtype;
    const uint32_t field = type == NN__ONNX_FLOAT                               ? NN__ONNX_FLOATS
                           : type == NN__ONNX_DOUBLE                            ? NN__ONNX_DOUBLES
                           : type == NN__ONNX_INT64                             ? NN__ONNX_INT64S
                           : type == NN__ONNX_UINT64 || type == NN__ONNX_UINT32 ? NN__ONNX_UINT64S
                                                                                : NN__ONNX_INT32S;
    const uint32_t wide = field == NN__ONNX_FLOATS ? 4 : field == NN__ONNX_DOUBLES ? 8 : 0;
    const bool packed = nn__onnx_is_packed(type);
    const uint32_t size = packed ? 1 : nn__onnx_type_size(type);
    const uint64_t wanted = packed ? (tensor->count + 1) / 2 : tensor->count;
    uint64_t count;
    unsigned char *data;
    if (wide == size && nn__onnx_typed_in_place(message, field, wanted, tensor)) return true;
    if (!nn__onnx_repeated(message, field, wide, NULL, 0, &count) || count != wanted) return false;
    if (count == 0) return true;
    /* the file has `count` numbers, so this memory is needed */
    data = (unsigned char *)nn__onnx_take(call, &file->arena, count * size);
    if (data && nn__onnx_repeated(message, field, wide, data, size, &count)) tensor->data = data;
    return tensor->data != NULL;
}

/* Points data at the numbers. False: damaged, or the call has an error. */
static bool nn__onnx_read_data(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                               nn__onnx_tensor *tensor, const nn__onnx_source *source) {
    const bool packed = nn__onnx_is_packed(tensor->dtype);
    const uint32_t size = nn__onnx_type_size(tensor->dtype);
    nn__onnx_bytes bytes = source->raw;
    if (tensor->dtype == NN__ONNX_NONE) return false;
    if (!packed && size == 0) return true; /* strings: the operator that reads them reports them */
    if (!packed && tensor->count > (uint64_t)INT64_MAX / size) return false;
    if (source->external) {
        const uint64_t all = packed ? (tensor->count + 1) / 2 : tensor->count * size;
        if (!source->location || (source->length > 0 && source->length != all)) return false;
        if (tensor->count > 0 &&
            !nn__onnx_external(file, call, source->location, source->offset, all, &bytes))
            return false;
    } else if (!source->has_raw) {
        return nn__onnx_read_typed(file, call, message, tensor);
    }
    tensor->data = bytes.at;
    return bytes.size == (packed ? (tensor->count + 1) / 2 : tensor->count * size) ||
           (source->external && tensor->count == 0);
}

static bool nn__onnx_read_extents(nn__onnx_bytes message, nn__onnx_tensor *tensor) {
    uint64_t extents[NN__ONNX_RANK], count;
    if (!nn__onnx_repeated(message, NN__ONNX_DIMS, 0, NULL, 0, &count) || count > NN__ONNX_RANK ||
        !nn__onnx_repeated(message, NN__ONNX_DIMS, 0, extents, 0, &count))
        return false;
    tensor->rank = (int32_t)count;
    for (uint64_t i = 0; i < count; i++) {
        if (extents[i] > INT64_MAX) return false;
        tensor->extent[i] = (int64_t)extents[i];
    }
    return nn__onnx_count(tensor->rank, tensor->extent, &tensor->count);
}

NN__ONNX_PRIVATE nn__onnx_tensor *nn__onnx_read_tensor(nn_onnx *file, nn__onnx_call *call,
                                                       nn__onnx_bytes message) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    nn__onnx_source source;
    nn__onnx_tensor *tensor = (nn__onnx_tensor *)nn__onnx_take(call, &file->arena, sizeof *tensor);
    bool whole = tensor != NULL;
    memset(&source, 0, sizeof source);
    if (tensor) tensor->name = "";
    while (whole && nn__onnx_next(&cursor)) {
        if (cursor.field == NN__ONNX_DATA_TYPE) {
            tensor->dtype = cursor.number <= 64 ? (nn__onnx_type)cursor.number : NN__ONNX_NONE;
        } else if (cursor.field == NN__ONNX_TENSOR_NAME) {
            tensor->name = nn__onnx_read_text(file, call, cursor.bytes);
            whole = tensor->name != NULL;
        } else if (cursor.field == NN__ONNX_RAW && cursor.wire == 2) {
            source.raw = cursor.bytes;
            source.has_raw = true;
        } else if (cursor.field == NN__ONNX_EXTERNAL && cursor.wire == 2) {
            whole = nn__onnx_read_entry(file, call, cursor.bytes, &source);
        } else if (cursor.field == NN__ONNX_LOCATION) {
            source.external = cursor.number == 1;
        }
    }
    if (tensor) tensor->stored = true;
    if (whole && !cursor.damaged && nn__onnx_read_extents(message, tensor) &&
        nn__onnx_read_data(file, call, message, tensor, &source)) {
        if (nn__onnx_type_size(tensor->dtype) <= 1 && tensor->data) file->narrow += tensor->count;
        return tensor;
    }
    nn__onnx_fail(call, NN_ERROR_FORMAT, "%q is damaged: tensor %q of it", file->label,
                  tensor && tensor->name ? tensor->name : "");
    return NULL;
}
