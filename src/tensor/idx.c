/* tensor/idx.c - reads IDX, the format of the MNIST files: two zeros, a type, a rank, big-endian
   extents, big-endian numbers. Any other file is an error that says what it is: gzipped, of
   another format, or shorter or longer than its header says. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

static nn_dtype nn__idx_dtype(unsigned code) {
    switch (code) {
    case 0x08: return NN_U8;
    case 0x09: return NN_I8;
    case 0x0B: return NN_I16;
    case 0x0C: return NN_I32;
    case 0x0D: return NN_F32;
    case 0x0E: return NN_F64;
    default: return NN_DTYPE_DEFAULT;
    }
}

typedef struct nn__idx_file {
    nn__reading in;
    uint64_t header_size;
    nn_dtype dtype;
    nn_shape shape;
    uint64_t bytes; /* of the numbers */
} nn__idx_file;

static bool nn__idx_check_magic(const nn__idx_file *file, const unsigned char magic[4]) {
    if (magic[0] == 0x1F && magic[1] == 0x8B) {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" is gzipped; unpack it first: gunzip \"%s\"", file->in.path,
                    file->in.path);
    } else if (magic[0] != 0 || magic[1] != 0 || nn__idx_dtype(magic[2]) == NN_DTYPE_DEFAULT) {
        nn__fail_at(
            file->in.nn, file->in.site, NN_ERROR_FORMAT,
            "nn_load_idx: \"%s\" is not an IDX file: it starts with %02x %02x %02x %02x, wanted "
            "00 00, a type (08 09 0b 0c 0d 0e) and a rank",
            file->in.path, (unsigned)magic[0], (unsigned)magic[1], (unsigned)magic[2],
            (unsigned)magic[3]);
    } else if (magic[3] < 1 || magic[3] > NN_MAX_RANK) {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" has %u extents; wanted 1 to %d", file->in.path,
                    (unsigned)magic[3], NN_MAX_RANK);
    } else {
        return true;
    }
    return false;
}

static bool nn__idx_check_extents(nn__idx_file *file, const unsigned char *at) {
    char text[NN__SHAPE_TEXT];
    for (int i = 0; i < file->shape.rank; i++, at += 4) {
        uint32_t extent =
            (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        if (extent == 0 || extent > (uint32_t)INT32_MAX) {
            nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                        "nn_load_idx: \"%s\": extent %d is %u; wanted 1 to %d", file->in.path, i,
                        extent, INT32_MAX);
            return false;
        }
        file->shape.extent[i] = (int32_t)extent;
    }
    nn__format_shape(file->shape, text, sizeof text);
    file->bytes = nn__shape_bytes(&file->shape, file->dtype, 1, 1);
    if (!file->bytes || file->bytes > UINT64_MAX - file->header_size) {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" claims %s %s, more than any memory", file->in.path, text,
                    nn_dtype_name(file->dtype));
        return false;
    }
    if (file->in.size == file->header_size + file->bytes) return true;
    if (file->in.size < file->header_size + file->bytes) {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" is truncated: %s %s needs %llu bytes, the file has %llu, "
                    "%llu are missing",
                    file->in.path, text, nn_dtype_name(file->dtype),
                    (unsigned long long)(file->header_size + file->bytes),
                    (unsigned long long)file->in.size,
                    (unsigned long long)(file->header_size + file->bytes - file->in.size));
    } else {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" is too long: %s %s needs %llu bytes, the file has %llu, "
                    "%llu are too many",
                    file->in.path, text, nn_dtype_name(file->dtype),
                    (unsigned long long)(file->header_size + file->bytes),
                    (unsigned long long)file->in.size,
                    (unsigned long long)(file->in.size - file->header_size - file->bytes));
    }
    return false;
}

static bool nn__idx_read_header(nn__idx_file *file) {
    unsigned char header[4 + 4 * NN_MAX_RANK];
    if (file->in.size < 4) {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" is not an IDX file: it has only %llu bytes", file->in.path,
                    (unsigned long long)file->in.size);
        return false;
    }
    if (!nn__reading_at(&file->in, 0, header, 4) || !nn__idx_check_magic(file, header))
        return false;
    file->dtype = nn__idx_dtype(header[2]);
    file->shape.rank = header[3];
    file->header_size = 4 + 4 * (uint64_t)header[3];
    if (file->in.size < file->header_size) {
        nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                    "nn_load_idx: \"%s\" is truncated: it ends inside its header, at byte %llu",
                    file->in.path, (unsigned long long)file->in.size);
        return false;
    }
    return nn__reading_at(&file->in, 4, header + 4, (size_t)file->header_size - 4) &&
           nn__idx_check_extents(file, header + 4);
}

/* Converts big-endian numbers to the host's order in place: it reverses them to little-endian,
   which convert.c reads. */
static void nn__idx_to_host(nn_dtype dtype, void *data, int64_t count) {
    size_t size = nn_dtype_size(dtype);
    unsigned char *at = (unsigned char *)data;
    if (size == 1) return;
    for (int64_t i = 0; i < count; i++, at += size) {
        unsigned char reversed[8];
        for (size_t j = 0; j < size; j++) reversed[j] = at[size - 1 - j];
        nn__convert_from_file(dtype, reversed, dtype, at, 1);
    }
}

static nn_tensor *nn__idx_load(nn__idx_file *file) {
    nn_tensor *tensor = NULL;
    if (nn__idx_read_header(file))
        tensor = nn__read_array(&file->in, file->header_size, file->dtype, file->shape);
    if (tensor) nn__idx_to_host(file->dtype, nn_tensor_data(tensor), nn_shape_count(file->shape));
    return tensor;
}

static nn_tensor *nn__inside_load_idx(nn_site site, nn_context *nn, const char *path) {
    nn__idx_file file;
    nn_tensor *tensor;
    if (!nn) return NULL;
    memset(&file, 0, sizeof file);
    if (!nn__reading_begin(&file.in, nn, site, "nn_load_idx", path)) return NULL;
    tensor = nn__idx_load(&file);
    nn__reading_end(&file.in);
    return tensor;
}

NN_API nn_tensor *nn_load_idx_at(nn_site site, nn_context *nn, const char *path) {
    if (!nn__enter(nn, "nn_load_idx", site)) return NULL;
    nn_tensor *made = nn__inside_load_idx(site, nn, path);
    nn__leave(nn, NN_OK);
    return made;
}
#endif
