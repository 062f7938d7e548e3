/* train/dataset.c - samples: fields in the caller's arrays or from the caller's function, and their
   conversion to the dtypes of the model's inputs. The caller's arrays are not copied. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE uint64_t nn__field_bytes(const nn_field *field) {
    return nn__shape_bytes(&field->shape, field->dtype, 1, 1);
}

NN_PRIVATE uint64_t nn__field_data_bytes(const nn_field *field) {
    return nn__shape_bytes(&field->shape, field->data_dtype, 1, 1);
}

NN_PRIVATE bool nn__field_converts(const nn_field *field) {
    return field->data_dtype != field->dtype || field->scale != 1.0f || field->offset != 0.0f;
}

/* ---- conversion ------------------------------------------------------------------------------ */

/* Returns element i of an array in the host's own format. */
static double nn__dataset_number(nn_dtype dtype, const void *from, int64_t i) {
    switch (dtype) {
    case NN_F32: return (double)((const float *)from)[i];
    case NN_I32: return (double)((const int32_t *)from)[i];
    case NN_U8: return (double)((const uint8_t *)from)[i];
    case NN_F64: return ((const double *)from)[i];
    case NN_I64: return (double)((const int64_t *)from)[i];
    case NN_I16: return (double)((const int16_t *)from)[i];
    case NN_I8: return (double)((const int8_t *)from)[i];
    case NN_BOOL: return ((const uint8_t *)from)[i] ? 1.0 : 0.0;
    case NN_F16:
    case NN_BF16: {
        uint16_t bits = ((const uint16_t *)from)[i];
        uint8_t little[2];
        little[0] = (uint8_t)(bits & 0xff);
        little[1] = (uint8_t)(bits >> 8);
        return nn__load_number(dtype, little);
    }
    default: return 0.0;
    }
}

/* Rounds to the nearest integer. A value that int32 cannot hold becomes INT32_MIN, which no label
   may be. */
static int32_t nn__dataset_integer(double value) {
    value += value < 0.0 ? -0.5 : 0.5;
    return value > -2147483649.0 && value < 2147483648.0 ? (int32_t)value : INT32_MIN;
}

NN_PRIVATE void nn__field_convert(const nn_field *field, const void *from, void *to) {
    int64_t count = field->shape.rank == 0 ? 1 : nn_shape_count(field->shape);
    double scale = (double)field->scale, offset = (double)field->offset;
    if (field->dtype == NN_F32 && field->data_dtype == NN_U8) {
        const uint8_t *bytes = (const uint8_t *)from;
        float *numbers = (float *)to;
        for (int64_t i = 0; i < count; i++) numbers[i] = (float)((double)bytes[i] * scale + offset);
    } else if (field->dtype == NN_F32) {
        float *numbers = (float *)to;
        for (int64_t i = 0; i < count; i++)
            numbers[i] = (float)(nn__dataset_number(field->data_dtype, from, i) * scale + offset);
    } else {
        int32_t *numbers = (int32_t *)to;
        for (int64_t i = 0; i < count; i++) {
            numbers[i] = nn__dataset_integer(
                nn__dataset_number(field->data_dtype, from, i) * scale + offset);
        }
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* True if the array has the bytes of `count` samples of data_dtype. */
static bool nn__dataset_check_bytes(nn_context *nn, nn_site site, int32_t count,
                                    const nn_field *field) {
    const uint64_t one = nn__field_data_bytes(field),
                   wanted = one * (uint64_t)count; /* The product was checked to fit. */
    char shape[NN__SHAPE_TEXT];
    bool bytes_given =
        field->data_dtype != NN_U8 && wanted / nn_dtype_size(field->data_dtype) == field->bytes;
    if (field->bytes == wanted) return true;
    if (field->bytes == SIZE_MAX)
        nn__fail_at(nn, site, NN_ERROR_SHAPE,
                    "nn_make_dataset: field \"%s\": the count given to NN_DATA_OF is 0, negative "
                    "or too large; %d samples of %s %s take %llu elements",
                    field->name, (int)count, nn__format_shape(field->shape, shape, sizeof shape),
                    nn_dtype_name(field->data_dtype),
                    (unsigned long long)(wanted / nn_dtype_size(field->data_dtype)));
    else nn__fail_at(nn, site, NN_ERROR_SHAPE,
                "nn_make_dataset: field \"%s\": .bytes is %llu, but %d samples of %s %s take %llu "
                "bytes; %s",
                field->name, (unsigned long long)field->bytes, (int)count,
                nn__format_shape(field->shape, shape, sizeof shape),
                nn_dtype_name(field->data_dtype), (unsigned long long)wanted,
                bytes_given ? "if the array holds bytes, give .data_dtype = NN_U8"
                : field->bytes == sizeof(void *)
                    ? "NN_DATA and sizeof want an array, not a pointer: NN_DATA_OF(pointer, count)"
                    : "look at .shape, .data_dtype and the dataset's .count");
    return false;
}

static bool nn__dataset_check_data(nn_context *nn, nn_site site, const nn_dataset_desc *desc,
                                   const nn_field *field) {
    if (desc->get && field->data) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_dataset: field \"%s\" has data and the dataset has a function; leave "
                    "one of them NULL",
                    field->name);
    } else if (!desc->get && !field->data) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_dataset: field \"%s\" has no data and the dataset no function; give "
                    ".data or .get",
                    field->name);
    } else if ((uintptr_t)field->data % nn_dtype_size(field->data_dtype) != 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_dataset: field \"%s\": data is at %p; %s wants a multiple of %zu",
                    field->name, field->data, nn_dtype_name(field->data_dtype),
                    nn_dtype_size(field->data_dtype));
    } else if (field->bytes != 0 && field->data) {
        return nn__dataset_check_bytes(nn, site, desc->count, field);
    } else {
        return true;
    }
    return false;
}

static bool nn__dataset_check_field(nn_context *nn, nn_site site, const nn_dataset *dataset,
                                    const nn_field *field) {
    char shape[NN__SHAPE_TEXT];
    uint64_t all;
    bool positive = field->shape.rank >= 0 && field->shape.rank < NN_MAX_RANK;
    for (int i = 0; positive && i < field->shape.rank; i++) positive = field->shape.extent[i] > 0;
    if (!field->name[0] || strlen(field->name) >= NN_NAME_BYTES) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_dataset: the name \"%s\" has %zu bytes; wanted 1 to %d", field->name,
                    strlen(field->name), NN_NAME_BYTES - 1);
        return false;
    }
    for (int i = 0; i < dataset->field_count; i++) {
        if (strcmp(dataset->names[i], field->name) != 0) continue;
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_dataset: two fields have the name \"%s\"",
                    field->name);
        return false;
    }
    if (nn_dtype_size(field->dtype) == 0 || nn_dtype_size(field->data_dtype) == 0) {
        nn__fail_at(
            nn, site, NN_ERROR_DTYPE,
            "nn_make_dataset: field \"%s\": dtype %d and data_dtype %d; wanted NN_F32 to NN_BOOL",
            field->name, (int)field->dtype, (int)field->data_dtype);
        return false;
    }
    if (!positive) {
        nn__fail_at(
            nn, site, NN_ERROR_SHAPE,
            "nn_make_dataset: field \"%s\" %s: wanted at most %d positive extents, those of one "
            "sample without the batch",
            field->name, nn__format_shape(field->shape, shape, sizeof shape), NN_MAX_RANK - 1);
        return false;
    }
    if (!nn__field_data_bytes(field) || !nn__field_bytes(field) ||
        !nn__multiply(nn__field_data_bytes(field), (uint64_t)dataset->count, &all) ||
        (!dataset->get && all > SIZE_MAX)) {
        nn__fail_at(nn, site, NN_ERROR_SHAPE,
                    "nn_make_dataset: field \"%s\" %s: %d samples have more bytes than fit",
                    field->name, nn__format_shape(field->shape, shape, sizeof shape),
                    (int)dataset->count);
        return false;
    }
    if (nn__field_converts(field) && field->dtype != NN_F32 && field->dtype != NN_I32) {
        nn__fail_at(nn, site, NN_ERROR_DTYPE,
                    "nn_make_dataset: field \"%s\": data is converted to f32 or i32, not to %s",
                    field->name, nn_dtype_name(field->dtype));
        return false;
    }
    return true;
}

static void nn__dataset_destroy(nn__owned *owned) {
    nn_dataset *dataset = (nn_dataset *)(void *)owned;
    /* Loaders that outlive their dataset return an error instead of reading freed memory. */
    while (dataset->loaders) {
        nn_loader *loader = dataset->loaders;
        nn__loader_dismiss(loader, "nn_free_dataset");
        dataset->loaders = loader->next;
        loader->dataset = NULL;
        loader->next = NULL;
    }
    for (int i = 0; i < dataset->field_room; i++) nn_free_tensor(dataset->tensors[i]);
    nn__disown(owned);
    nn__release(&dataset->nn->memory, dataset, dataset->bytes);
}

static bool nn__dataset_fill(nn_dataset *dataset, const nn_dataset_desc *desc, nn_site site) {
    nn_context *nn = dataset->nn;
    if (desc->count <= 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_dataset: count is %d; wanted the number of samples, at least 1",
                    (int)desc->count);
        return false;
    }
    dataset->count = desc->count;
    dataset->get = desc->get;
    dataset->user = desc->user;
    for (int i = 0; i < desc->fields.count; i++) {
        nn_field field = desc->fields.field[i];
        if (!field.name) {
            nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_dataset: fields[%d].name is NULL; wanted the name of an input", i);
            return false;
        }
        field.dtype = nn__dtype(field.dtype);
        if (field.data_dtype == NN_DTYPE_DEFAULT) field.data_dtype = field.dtype;
        if (field.scale == 0.0f) field.scale = 1.0f;
        if (!nn__dataset_check_field(nn, site, dataset, &field) ||
            !nn__dataset_check_data(nn, site, desc, &field))
            return false;
        nn__copy_text(dataset->names[i], NN_NAME_BYTES, field.name);
        field.name = dataset->names[i];
        dataset->fields[i] = field;
        dataset->field_count++;
    }
    if (dataset->field_count > 0) return true;
    nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                "nn_make_dataset: there are no fields; give some: .fields = NN_FIELDS({ .name = "
                "\"x\", ... })");
    return false;
}

/* Takes a dataset with room for this number of fields. NULL and an error: no memory. */
static nn_dataset *nn__dataset_allocate(nn_context *nn, int fields) {
    const size_t count = (size_t)fields, start = (size_t)nn__padded(sizeof(nn_dataset)),
                 tensors = start + count * sizeof(nn_field),
                 names = tensors + count * sizeof(nn_tensor *),
                 bytes = names + count * NN_NAME_BYTES;
    char *base = (char *)nn__allocate_for(nn, "nn_make_dataset", bytes);
    nn_dataset *dataset = (nn_dataset *)(void *)base;
    if (!dataset) return NULL;
    dataset->fields = (nn_field *)(void *)(base + start);
    dataset->tensors = (nn_tensor **)(void *)(base + tensors);
    dataset->names = (char (*)[NN_NAME_BYTES])(void *)(base + names);
    dataset->field_room = fields;
    dataset->bytes = bytes;
    return dataset;
}

static nn_dataset *nn__inside_make_dataset(nn_site site, nn_context *nn,
                                           const nn_dataset_desc *desc) {
    nn_dataset *dataset;
    if (!nn) return NULL;
    if (!desc) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_dataset: desc is NULL");
        return NULL;
    }
    if (!nn__check_list(nn, site, "nn_make_dataset", "fields", desc->fields.field,
                        desc->fields.count, false))
        return NULL;
    dataset = nn__dataset_allocate(nn, desc->fields.count);
    if (!dataset) return NULL;
    dataset->nn = nn;
    dataset->site = site;
    if (!nn__dataset_fill(dataset, desc, site)) {
        nn__release(&nn->memory, dataset, dataset->bytes);
        return NULL;
    }
    nn__own(&nn->owned, &dataset->owned, nn__dataset_destroy);
    return dataset;
}

NN_API nn_dataset *nn_make_dataset_at(nn_site site, nn_context *nn, const nn_dataset_desc *desc) {
    if (!nn__enter(nn, "nn_make_dataset", site)) return NULL;
    nn_dataset *made = nn__inside_make_dataset(site, nn, desc);
    nn__leave(nn, NN_OK);
    return made;
}

static void nn__inside_free_dataset(nn_dataset *dataset) {
    if (dataset) nn__dataset_destroy(&dataset->owned);
}

NN_API void nn_free_dataset(nn_dataset *dataset) {
    nn_context *nn = dataset ? dataset->nn : NULL;
    if (!nn__enter(nn, "nn_free_dataset", nn_make_site(NULL, 0))) return;
    nn__inside_free_dataset(dataset);
    nn__leave(nn, NN_OK);
}

NN_API int32_t nn_dataset_count(const nn_dataset *dataset) { return dataset ? dataset->count : 0; }

#endif /* NN__NO_TRAINER */

typedef int nn__dataset_part; /* a part must not be empty under NN__NO_TRAINER */
