/* train/dataset_files.c - datasets whose arrays come from files, which are read as a whole. A
   dataset that does not fit into memory needs a function: nn_dataset_desc.get. */
#include "train/private.h"

#if !defined(NN__NO_TRAINER) && !defined(NN_NO_FILES)

#define NN__CIFAR_PIXELS 3072
#define NN__CIFAR_RECORD (1 + NN__CIFAR_PIXELS)
#define NN__DATASET_PATH 512

/* Makes a dataset from tensors on the CPU, one for each field of desc, which it then owns; on
   failure they are freed. fields: room for the fields of desc, which receive the data. */
static nn_dataset *nn__dataset_of_tensors(nn_context *nn, nn_site site, nn_dataset_desc *desc,
                                          nn_field *fields, nn_tensor **tensors) {
    nn_dataset *dataset;
    for (int i = 0; i < desc->fields.count; i++) {
        fields[i] = desc->fields.field[i];
        fields[i].data = nn_tensor_data(tensors[i]);
    }
    desc->fields.field = fields;
    dataset = nn_make_dataset_at(site, nn, desc);
    for (int i = 0; i < desc->fields.count; i++) {
        if (dataset)
            dataset->tensors[i] = tensors[i];
        else
            nn_free_tensor(tensors[i]);
    }
    return dataset;
}

/* Makes a dataset of the fields "image" and "label", stored as bytes, from two tensors. */
static nn_dataset *nn__dataset_of_pictures(nn_context *nn, nn_site site, int32_t count,
                                           nn_shape shape, nn_tensor **tensors) {
    nn_dataset_desc desc;
    nn_field fields[2];
    memset(&desc, 0, sizeof desc);
    memset(fields, 0, sizeof fields);
    desc.count = count;
    desc.fields.field = fields;
    desc.fields.count = 2;
    fields[0].name = "image";
    fields[0].shape = shape;
    fields[0].data_dtype = NN_U8;
    fields[0].scale = 1.0f / 255.0f;
    fields[1].name = "label";
    fields[1].dtype = NN_I32;
    fields[1].data_dtype = NN_U8;
    return nn__dataset_of_tensors(nn, site, &desc, fields, tensors);
}

static nn_shape nn__dataset_shape(int32_t a, int32_t b, int32_t c) {
    int32_t extents[3];
    extents[0] = a;
    extents[1] = b;
    extents[2] = c;
    return nn_make_shape(extents, 3);
}

/* ---- IDX ------------------------------------------------------------------------------------- */

static nn_dataset *nn__inside_make_idx_dataset(nn_site site, nn_context *nn, const char *images,
                                               const char *labels) {
    nn_tensor *tensors[2];
    nn_shape image, label;
    char a[NN__SHAPE_TEXT], b[NN__SHAPE_TEXT];
    if (!nn) return NULL;
    memset(tensors, 0, sizeof tensors);
    tensors[0] = nn_load_idx_at(site, nn, images);
    if (tensors[0]) tensors[1] = nn_load_idx_at(site, nn, labels);
    if (!tensors[1]) {
        nn_free_tensor(tensors[0]);
        return NULL;
    }
    image = nn_tensor_shape(tensors[0]);
    label = nn_tensor_shape(tensors[1]);
    if (image.rank == 3 && label.rank == 1 && image.extent[0] == label.extent[0] &&
        nn_tensor_dtype(tensors[0]) == NN_U8 && nn_tensor_dtype(tensors[1]) == NN_U8) {
        return nn__dataset_of_pictures(nn, site, image.extent[0],
                                       nn__dataset_shape(1, image.extent[1], image.extent[2]),
                                       tensors);
    }
    nn__fail_at(
        nn, site, NN_ERROR_SHAPE,
        "nn_make_idx_dataset: \"%s\" is %s %s and \"%s\" is %s %s; wanted (N, H, W) u8 images and "
        "(N) u8 labels "
        "with one N",
        images, nn__format_shape(image, a, sizeof a), nn_dtype_name(nn_tensor_dtype(tensors[0])),
        labels, nn__format_shape(label, b, sizeof b), nn_dtype_name(nn_tensor_dtype(tensors[1])));
    nn_free_tensor(tensors[1]);
    nn_free_tensor(tensors[0]);
    return NULL;
}

NN_API nn_dataset *nn_make_idx_dataset_at(nn_site site, nn_context *nn, const char *images,
                                          const char *labels) {
    if (!nn__enter(nn, "nn_make_idx_dataset", site)) return NULL;
    nn_dataset *made = nn__inside_make_idx_dataset(site, nn, images, labels);
    nn__leave(nn, NN_OK);
    return made;
}

/* ---- one file at a time ---------------------------------------------------------------------- */

typedef struct nn__dataset_file {
    nn__reading in;
    char path[NN__DATASET_PATH];
} nn__dataset_file;

static bool nn__dataset_open(nn__dataset_file *file, nn_context *nn, nn_site site, const char *who,
                             const char *folder, const char *name) {
    if (!folder || strlen(folder) + strlen(name) + 2 > sizeof file->path) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: folder is %s", who,
                    folder ? "too long a path" : "NULL");
        return false;
    }
    memset(file, 0, sizeof *file);
    nn__format(file->path, sizeof file->path, "%s/%s", folder, name);
    return nn__reading_begin(&file->in, nn, site, who, file->path);
}

static nn_tensor *nn__dataset_make_tensor(nn_context *nn, nn_site site, const char *name,
                                          nn_dtype dtype, int32_t count, nn_shape sample) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.dtype = dtype;
    desc.device = nn_cpu();
    desc.shape.rank = sample.rank + 1;
    desc.shape.extent[0] = count;
    for (int i = 0; i < sample.rank; i++) desc.shape.extent[i + 1] = sample.extent[i];
    return nn_make_tensor_at(site, nn, &desc);
}

/* ---- CIFAR-10 -------------------------------------------------------------------------------- */

/* Returns the number of records of an open file; -1 and an error. */
static int32_t nn__cifar_records(const nn__dataset_file *file) {
    uint64_t records = file->in.size / NN__CIFAR_RECORD;
    if (file->in.size % NN__CIFAR_RECORD == 0 && records > 0 && records < 10000000)
        return (int32_t)records;
    nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                "%s: \"%s\" has %llu bytes; wanted a multiple of %d: is this the binary version of "
                "CIFAR-10, "
                "unpacked?",
                file->in.who, file->path, (unsigned long long)file->in.size, NN__CIFAR_RECORD);
    return -1;
}

static bool nn__cifar_read(const nn__dataset_file *file, int32_t records, uint8_t *pixels,
                           uint8_t *labels) {
    for (int32_t i = 0; i < records; i++) {
        uint8_t record[NN__CIFAR_RECORD];
        if (!nn__reading_at(&file->in, (uint64_t)i * NN__CIFAR_RECORD, record, sizeof record))
            return false;
        if (record[0] > 9) {
            nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                        "%s: \"%s\": record %d has the label %d; wanted 0 to 9", file->in.who,
                        file->path, (int)i, (int)record[0]);
            return false;
        }
        labels[i] = record[0];
        memcpy(pixels + (size_t)i * NN__CIFAR_PIXELS, record + 1, NN__CIFAR_PIXELS);
    }
    return true;
}

/* Called twice: the first walk over the files counts, the second reads into tensors. */
static bool nn__cifar_walk(nn_context *nn, nn_site site, const char *folder, bool test,
                           int32_t *count, nn_tensor *const *tensors) {
    *count = 0;
    for (int i = 1; i <= (test ? 1 : 5); i++) {
        nn__dataset_file file;
        char name[32];
        int32_t records;
        bool fine;
        nn__format(name, sizeof name, test ? "test_batch.bin" : "data_batch_%d.bin", i);
        if (!nn__dataset_open(&file, nn, site, "nn_make_cifar10_dataset", folder, name))
            return false;
        records = nn__cifar_records(&file);
        fine = records > 0;
        if (fine && tensors[0]) {
            /* The file may have grown since the first walk, which set the size of the tensors. */
            int32_t room = nn_tensor_shape(tensors[1]).extent[0] - *count;
            if (records > room) records = room;
            fine = nn__cifar_read(&file, records,
                                  (uint8_t *)nn_tensor_data(tensors[0]) +
                                      (size_t)*count * NN__CIFAR_PIXELS,
                                  (uint8_t *)nn_tensor_data(tensors[1]) + *count);
        }
        nn__reading_end(&file.in);
        if (!fine) return false;
        *count += records;
    }
    return true;
}

static nn_dataset *nn__inside_make_cifar10_dataset(nn_site site, nn_context *nn, const char *folder,
                                                   bool test) {
    nn_tensor *tensors[2];
    nn_shape image = nn__dataset_shape(3, 32, 32), label;
    int32_t count = 0;
    if (!nn) return NULL;
    memset(tensors, 0, sizeof tensors);
    memset(&label, 0, sizeof label);
    if (!nn__cifar_walk(nn, site, folder, test, &count, tensors)) return NULL;
    tensors[0] = nn__dataset_make_tensor(nn, site, "cifar10 images", NN_U8, count, image);
    if (tensors[0])
        tensors[1] = nn__dataset_make_tensor(nn, site, "cifar10 labels", NN_U8, count, label);
    if (tensors[1] && nn__cifar_walk(nn, site, folder, test, &count, tensors)) {
        return nn__dataset_of_pictures(nn, site, count, image, tensors);
    }
    nn_free_tensor(tensors[1]);
    nn_free_tensor(tensors[0]);
    return NULL;
}

NN_API nn_dataset *nn_make_cifar10_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                              bool test) {
    if (!nn__enter(nn, "nn_make_cifar10_dataset", site)) return NULL;
    nn_dataset *made = nn__inside_make_cifar10_dataset(site, nn, folder, test);
    nn__leave(nn, NN_OK);
    return made;
}

/* ---- a folder -------------------------------------------------------------------------------- */

/* True if there is such a file. Records no error. */
static bool nn__dataset_exists(nn_context *nn, const char *folder, const char *name) {
    char path[NN__DATASET_PATH];
    const nn_files *files = &nn->files;
    void *handle = NULL;
    if (!files->open || !files->close) return false;
    nn__format(path, sizeof path, "%s/%s", folder, name);
    handle = files->open(files->user, path, false);
    if (handle) files->close(files->user, handle);
    return handle != NULL;
}

static nn_tensor *nn__dataset_load_npy(nn_context *nn, nn_site site, const char *folder,
                                       const char *name, const nn_field *field, nn_dtype dtype) {
    char path[NN__DATASET_PATH], wanted[NN__SHAPE_TEXT], given[NN__SHAPE_TEXT];
    nn_tensor *tensor;
    nn_shape shape;
    bool fits;
    nn__format(path, sizeof path, "%s/%s", folder, name);
    tensor = nn_load_npy_at(site, nn, path);
    if (!tensor) return NULL;
    shape = nn_tensor_shape(tensor);
    fits = shape.rank == field->shape.rank + 1 && nn_tensor_dtype(tensor) == dtype;
    for (int i = 0; fits && i < field->shape.rank; i++)
        fits = shape.extent[i + 1] == field->shape.extent[i];
    if (fits) return tensor;
    nn__fail_at(
        nn, site, NN_ERROR_SHAPE,
        "nn_make_folder_dataset: \"%s\" is %s %s; field \"%s\" wants samples of %s %s after the "
        "number of samples",
        path, nn__format_shape(shape, given, sizeof given), nn_dtype_name(nn_tensor_dtype(tensor)),
        field->name, nn__format_shape(field->shape, wanted, sizeof wanted), nn_dtype_name(dtype));
    nn_free_tensor(tensor);
    return NULL;
}

static nn_tensor *nn__dataset_load_raw(nn_context *nn, nn_site site, const char *folder,
                                       const char *name, const nn_field *field, nn_dtype dtype) {
    nn__dataset_file file;
    nn_tensor *tensor = NULL;
    uint64_t sample, count;
    if (!nn__dataset_open(&file, nn, site, "nn_make_folder_dataset", folder, name)) return NULL;
    sample = nn__shape_bytes(&field->shape, dtype, 1, 1);
    count = sample > 0 ? file.in.size / sample : 0;
    if (count == 0 || count > INT32_MAX || file.in.size % sample != 0) {
        nn__fail_at(nn, site, NN_ERROR_FORMAT,
                    "nn_make_folder_dataset: \"%s\" has %llu bytes; wanted a multiple of %llu, the "
                    "bytes of "
                    "one sample of "
                    "\"%s\"",
                    file.path, (unsigned long long)file.in.size, (unsigned long long)sample,
                    field->name);
    } else {
        tensor =
            nn__dataset_make_tensor(nn, site, field->name, dtype, (int32_t)count, field->shape);
    }
    if (tensor &&
        !nn__reading_at(&file.in, 0, nn_tensor_data(tensor), (size_t)nn_tensor_bytes(tensor))) {
        nn_free_tensor(tensor);
        tensor = NULL;
    }
    if (tensor && !nn__host_is_little())
        /* Reversing the bytes of a number is the same in both directions. */
        nn__convert_to_file(dtype, nn_tensor_data(tensor), nn_tensor_data(tensor),
                            nn_shape_count(nn_tensor_shape(tensor)));
    nn__reading_end(&file.in);
    return tensor;
}

static nn_tensor *nn__dataset_load_field(nn_context *nn, nn_site site, const char *folder,
                                         const nn_field *field) {
    char name[NN_NAME_BYTES + 8];
    nn_dtype dtype =
        field->data_dtype == NN_DTYPE_DEFAULT ? nn__dtype(field->dtype) : field->data_dtype;
    if (strlen(folder) + sizeof name > NN__DATASET_PATH || field->shape.rank >= NN_MAX_RANK ||
        nn_dtype_size(dtype) == 0 || strlen(field->name) >= NN_NAME_BYTES) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_folder_dataset: field \"%s\": its name, path, rank or dtype is wrong",
                    field->name);
        return NULL;
    }
    nn__format(name, sizeof name, "%s.npy", field->name);
    if (nn__dataset_exists(nn, folder, name))
        return nn__dataset_load_npy(nn, site, folder, name, field, dtype);
    nn__format(name, sizeof name, "%s.bin", field->name);
    return nn__dataset_load_raw(nn, site, folder, name, field, dtype);
}

/* Loads the file of each field. False and an error: at least one is missing or does not fit. */
static bool nn__dataset_load_fields(nn_context *nn, nn_site site, const char *folder,
                                    nn_dataset_desc *desc, nn_tensor **tensors) {
    for (int i = 0; i < desc->fields.count; i++) {
        const nn_field *field = &desc->fields.field[i];
        int32_t count;
        if (!field->name) {
            nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_folder_dataset: fields[%d].name is NULL; wanted the name of a "
                        "file, without .npy or .bin",
                        i);
            return false;
        }
        tensors[i] = nn__dataset_load_field(nn, site, folder, field);
        if (!tensors[i]) return false;
        count = nn_tensor_shape(tensors[i]).extent[0];
        if (desc->count == 0) desc->count = count;
        if (desc->count == count) continue;
        nn__fail_at(nn, site, NN_ERROR_SHAPE,
                    "nn_make_folder_dataset: the file of \"%s\" has %d samples; wanted %d",
                    field->name, (int)count, (int)desc->count);
        return false;
    }
    return true;
}

static nn_dataset *nn__inside_make_folder_dataset(nn_site site, nn_context *nn, const char *folder,
                                                  const nn_dataset_desc *desc) {
    nn_dataset *made = NULL;
    nn_dataset_desc filled;
    nn_field *fields;
    nn_tensor **tensors;
    size_t bytes;
    if (!nn) return NULL;
    if (!folder || !desc || desc->get) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_make_folder_dataset: %s",
                    !folder ? "folder is NULL"
                    : !desc ? "desc is NULL"
                            : "desc.get is for nn_make_dataset; leave it NULL");
        return NULL;
    }
    if (!nn__check_list(nn, site, "nn_make_folder_dataset", "fields", desc->fields.field,
                        desc->fields.count, false))
        return NULL;
    filled = *desc;
    bytes = (sizeof *fields + sizeof *tensors) * (size_t)nn__maxi(desc->fields.count, 1);
    fields = (nn_field *)nn__allocate_for(nn, "nn_make_folder_dataset", bytes);
    if (!fields) return NULL;
    tensors = (nn_tensor **)(void *)(fields + desc->fields.count);
    if (nn__dataset_load_fields(nn, site, folder, &filled, tensors))
        made = nn__dataset_of_tensors(nn, site, &filled, fields, tensors);
    else
        for (int i = 0; i < desc->fields.count; i++) nn_free_tensor(tensors[i]);
    nn__release(&nn->memory, fields, bytes);
    return made;
}

NN_API nn_dataset *nn_make_folder_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                             const nn_dataset_desc *desc) {
    if (!nn__enter(nn, "nn_make_folder_dataset", site)) return NULL;
    nn_dataset *made = nn__inside_make_folder_dataset(site, nn, folder, desc);
    nn__leave(nn, NN_OK);
    return made;
}

#undef NN__CIFAR_PIXELS
#undef NN__CIFAR_RECORD
#undef NN__DATASET_PATH
#endif

typedef int nn__dataset_files_part; /* a part must not be empty */
