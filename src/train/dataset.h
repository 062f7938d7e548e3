/* train/dataset.h - where samples come from: arrays in memory, or a function. */
#pragma once

#include "tensor/tensor.h"

typedef struct nn_dataset nn_dataset;

/* One part of a sample: an image, a label. */
typedef struct nn_field {
    const char *name;    /* the model's input has the same name */
    nn_shape shape;      /* of one sample, without the batch axis; a label has rank 0 */
    nn_dtype dtype;      /* default: NN_F32. The dtype of the model's input */
    /* `count` samples, one after the other; not copied. NULL if a function delivers them */
    const void *data;
    nn_dtype data_dtype; /* default: dtype. NN_U8 data for an NN_F32 or NN_I32 field is converted */
    size_t bytes; /* default: 0, not checked. sizeof of the array at `data`: it is an error if
                     shape, count and data_dtype need another size. NN_DATA fills it in */
    float scale;  /* default: 1. Converted data become value * scale + offset: 1.0f / 255 for
                     pixels */
    float offset; /* default: 0 */
} nn_field;

/* The data of a field with its size in bytes and, in C11, C++ and with gcc and clang, its dtype. An
   array of another dtype is then converted, and one of another size is an error:
     { .name = "image", .shape = NN_SHAPE(28, 28), NN_DATA(pixels) }
     { .name = "image", .shape = NN_SHAPE(28, 28), NN_DATA_OF(pointer, n * 784) }
   NN_DATA takes an array, NN_DATA_OF a pointer and its number of elements. The dtype is found for
   arrays of one dimension and pointers to numbers. For others it is the field's, as without these
   macros. */
#define NN_DATA(array)                                                                             \
    .data = (array), .data_dtype = NN__DTYPE_OF(array), .bytes = sizeof(array)
#define NN_DATA_OF(pointer, count)                                                                 \
    .data = (pointer), .data_dtype = NN__DTYPE_OF(pointer),                                    \
    .bytes = nn__bytes_of(sizeof *(pointer), count)
/* Returns SIZE_MAX for no elements and for more than memory can hold, because 0 would mean "not
   checked". */
static inline size_t nn__bytes_of(size_t one, size_t count) {
    return count == 0 || count > SIZE_MAX / one ? SIZE_MAX : one * count;
}
#ifdef __cplusplus
#define NN__DTYPE_OF(pointer) nn__dtype_of_pointer(&*(pointer))
#elif defined(__GNUC__) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L)
#define NN__DTYPE_OF(pointer)                                                                  \
    NN__EXTENSION _Generic(&*(pointer),                                                            \
        float *: NN_F32, const float *: NN_F32, double *: NN_F64, const double *: NN_F64,          \
        int32_t *: NN_I32, const int32_t *: NN_I32, int64_t *: NN_I64, const int64_t *: NN_I64,    \
        int16_t *: NN_I16, const int16_t *: NN_I16, int8_t *: NN_I8, const int8_t *: NN_I8,        \
        uint8_t *: NN_U8, const uint8_t *: NN_U8, bool *: NN_BOOL, const bool *: NN_BOOL,          \
        default: NN_DTYPE_DEFAULT)
#else
#define NN__DTYPE_OF(pointer) NN_DTYPE_DEFAULT
#endif
#ifdef __GNUC__
#define NN__EXTENSION __extension__ /* under -std=c99 -Wpedantic */
#else
#define NN__EXTENSION
#endif

/* NN_FIELDS({ .name = "image", ... }, { .name = "label", ... }) */
typedef struct nn_fields {
    const nn_field *field;
    int count;
    NN__LIST_CALLS(nn_fields, nn_field, field)
} nn_fields;
#define NN_FIELDS(...) NN__LIST(nn_fields, nn_field, __VA_ARGS__)

typedef struct nn_dataset_desc {
    nn_fields fields; /* at least one */
    int32_t count; /* number of samples; must be given */
    /* Writes one sample: to[i] points to room for field i in data_dtype. An error code ends the
       epoch with an error that names the sample. It is called on the thread of nn_next_batch, or
       with nn_loader_desc.workers on those threads instead, by several at once: then it must not
       touch the context. */
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
} nn_dataset_desc;

/* Returns NULL on failure. The arrays must outlive the dataset. */
NN_API nn_dataset *nn_make_dataset_at(nn_site site, nn_context *nn, const nn_dataset_desc *desc);
#define nn_make_dataset(...) nn_make_dataset_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_dataset(nn_dataset *dataset);
NN_API int32_t nn_dataset_count(const nn_dataset *dataset);

#ifdef __cplusplus
extern "C++" {
template <class T> constexpr nn_dtype nn__dtype_of_pointer(const T *) { return NN_DTYPE_DEFAULT; }
constexpr nn_dtype nn__dtype_of_pointer(const float *) { return NN_F32; }
constexpr nn_dtype nn__dtype_of_pointer(const double *) { return NN_F64; }
constexpr nn_dtype nn__dtype_of_pointer(const int32_t *) { return NN_I32; }
constexpr nn_dtype nn__dtype_of_pointer(const int64_t *) { return NN_I64; }
constexpr nn_dtype nn__dtype_of_pointer(const int16_t *) { return NN_I16; }
constexpr nn_dtype nn__dtype_of_pointer(const int8_t *) { return NN_I8; }
constexpr nn_dtype nn__dtype_of_pointer(const uint8_t *) { return NN_U8; }
constexpr nn_dtype nn__dtype_of_pointer(const bool *) { return NN_BOOL; }
}
#endif
