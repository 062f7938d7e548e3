/* tensor/safetensors.c - opens, reads and writes safetensors files: 8 bytes of header length, the header, the
   bytes of all tensors. Refuses to trust a file (the header is checked in tensor/safetensors_header.c) and to
   lose one: a new file replaces the old one at the end. Read next: cpu/private.h. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

#define NN__SAFETENSORS_HEADER ((uint64_t)100000000) /* the format's own limit */

/* ---- opening --------------------------------------------------------------------------------- */

static void nn__safetensors_destroy(nn__owned *self) {
    nn_safetensors *file = (nn_safetensors *)(void *)self; /* `owned` is the first field */
    nn_context *nn = file->nn;
    nn__memory *memory = &nn->memory;
    nn__disown(self);
    if (file->handle) nn->files.close(nn->files.user, file->handle);
    nn__release(memory, file->header, file->header_bytes + 1);
    nn__release(memory, file->entries, sizeof *file->entries * (size_t)file->capacity);
    nn__release(memory, file->pairs, sizeof *file->pairs * (size_t)file->pair_capacity);
    nn__release(memory, file->by_offset, sizeof(int32_t) * (size_t)file->count);
    nn__release(memory, file->by_name, sizeof(int32_t) * (size_t)file->count);
    nn__release(memory, file, sizeof *file);
}

static bool nn__safetensors_load(nn_safetensors *file, nn_site site) {
    nn_context *nn = file->nn;
    const nn_files *files = &nn->files;
    unsigned char length_bytes[8];
    uint64_t length = 0;
    if (file->size < 8) {
        nn__fail_at(nn, site, NN_ERROR_FORMAT,
                    "nn_open_safetensors: \"%s\" has %llu bytes; a safetensors file has at least 10",
                    file->path, (unsigned long long)file->size);
        return false;
    }
    if (!files->read(files->user, file->handle, 0, length_bytes, 8)) {
        nn__fail_at(nn, site, NN_ERROR_FILE, "nn_open_safetensors: \"%s\": reading byte 0 failed",
                    file->path);
        return false;
    }
    for (int i = 0; i < 8; i++) length |= (uint64_t)length_bytes[i] << (8 * i);
    if (length_bytes[0] == 0x1F && length_bytes[1] == 0x8B && length > file->size - 8) {
        nn__fail_at(nn, site, NN_ERROR_FORMAT,
                    "nn_open_safetensors: \"%s\" is gzipped; unpack it first: gunzip \"%s\"", file->path,
                    file->path);
        return false;
    }
    if (length > file->size - 8 || length > NN__SAFETENSORS_HEADER) {
        nn__fail_at(nn, site, NN_ERROR_FORMAT,
                    "nn_open_safetensors: \"%s\": byte 0: a header of %llu bytes, in a file of %llu, at most "
                    "%llu are allowed; not a safetensors file, or truncated",
                    file->path, (unsigned long long)length, (unsigned long long)file->size,
                    (unsigned long long)NN__SAFETENSORS_HEADER);
        return false;
    }
    file->header = (char *)nn__allocate_for(nn, "nn_open_safetensors: the header", (size_t)length + 1);
    if (!file->header) return false;
    file->header_bytes = (size_t)length;
    if (length > 0 && !files->read(files->user, file->handle, 8, file->header, (size_t)length)) {
        nn__fail_at(nn, site, NN_ERROR_FILE,
                    "nn_open_safetensors: \"%s\": reading %llu bytes at byte 8 failed", file->path,
                    (unsigned long long)length);
        return false;
    }
    return nn__safetensors_parse(file, site);
}

NN_API nn_safetensors *nn_open_safetensors_at(nn_site site, nn_context *nn, const char *path) {
    nn_safetensors *file;
    void *handle;
    uint64_t size = 0;
    if (!nn) return NULL;
    handle = nn__open_to_read(nn, site, "nn_open_safetensors", path, &size);
    if (!handle) return NULL;
    file = (nn_safetensors *)nn__allocate_for(nn, "nn_open_safetensors", sizeof *file);
    if (!file) {
        nn->files.close(nn->files.user, handle);
        return NULL;
    }
    file->nn = nn;
    file->handle = handle;
    file->size = size;
    nn__copy_text(file->path, sizeof file->path, path);
    nn__own(&nn->owned, &file->owned, nn__safetensors_destroy);
    if (nn__safetensors_load(file, site)) return file;
    nn__safetensors_destroy(&file->owned);
    return NULL;
}

NN_API void nn_close_safetensors(nn_safetensors *file) {
    if (file) nn__safetensors_destroy(&file->owned);
}

/* ---- asking and reading ---------------------------------------------------------------------- */

NN_API int nn_safetensors_count(const nn_safetensors *file) { return file ? file->count : 0; }

NN_API nn_safetensors_entry nn_safetensors_at(const nn_safetensors *file, int i) {
    nn_safetensors_entry none;
    memset(&none, 0, sizeof none);
    if (!file || i < 0 || i >= file->count) return none;
    return file->entries[file->by_offset[i]];
}

NN_API int nn_safetensors_find(const nn_safetensors *file, const char *name) {
    int low = 0, high = file && name ? file->count : 0;
    int32_t found = -1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(file->entries[file->by_name[middle]].name, name);
        if (order == 0) {
            found = file->by_name[middle];
            break;
        }
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    for (int i = 0; found >= 0 && i < file->count; i++) {
        if (file->by_offset[i] == found) return i;
    }
    return -1;
}

NN_API const char *nn_safetensors_metadata(const nn_safetensors *file, const char *key) {
    for (int i = 0; file && key && i < file->pair_count; i++) {
        if (strcmp(file->pairs[i].key, key) == 0) return file->pairs[i].value;
    }
    return NULL;
}

static nn_result nn__safetensors_convert(nn_safetensors *file, const nn_safetensors_entry *entry,
                                         nn_dtype dtype, void *to, int64_t count) {
    const nn_files *files = &file->nn->files;
    unsigned char chunk[2048];
    size_t from_size = nn_dtype_size(entry->dtype), to_size = nn_dtype_size(dtype);
    int64_t part = (int64_t)(sizeof chunk / from_size);
    for (int64_t done = 0; done < count; done += part) {
        if (part > count - done) part = count - done;
        if (!files->read(files->user, file->handle, entry->offset + (uint64_t)done * from_size, chunk,
                         (size_t)part * from_size)) {
            return NN_ERROR_FILE;
        }
        nn__convert_from_file(entry->dtype, chunk, dtype, (char *)to + (size_t)done * to_size, part);
    }
    return NN_OK;
}

NN_API nn_result nn_read_safetensors_at(nn_site site, nn_safetensors *file, int i, nn_dtype dtype, void *to,
                                        size_t bytes) {
    nn_safetensors_entry entry;
    const nn_files *files;
    uint64_t wanted = 0;
    int64_t count;
    bool read_well;
    if (!file) return NN_ERROR_ARGUMENT;
    files = &file->nn->files;
    if (i < 0 || i >= file->count) {
        return nn__fail_at(file->nn, site, NN_ERROR_ARGUMENT,
                           "nn_read_safetensors: \"%s\" has %d tensors, got number %d", file->path,
                           file->count, i);
    }
    entry = nn_safetensors_at(file, i);
    if (dtype == NN_DTYPE_DEFAULT) dtype = entry.dtype;
    if (nn_dtype_size(dtype) == 0) {
        return nn__fail_at(file->nn, site, NN_ERROR_DTYPE, "nn_read_safetensors: \"%s\": %d is no dtype",
                           entry.name, (int)dtype);
    }
    count = (int64_t)(entry.bytes / nn_dtype_size(entry.dtype));
    if (!nn__multiply((uint64_t)count, nn_dtype_size(dtype), &wanted) || wanted != (uint64_t)bytes ||
        (!to && wanted > 0)) {
        return nn__fail_at(file->nn, site, NN_ERROR_SHAPE,
                           "nn_read_safetensors: \"%s\": %lld numbers as %s want %llu bytes, got %zu%s",
                           entry.name, (long long)count, nn_dtype_name(dtype), (unsigned long long)wanted,
                           bytes, to ? "" : " at NULL");
    }
    if (wanted == 0) return NN_OK;
    if (dtype == entry.dtype) {
        read_well = files->read(files->user, file->handle, entry.offset, to, bytes);
        if (read_well) nn__convert_from_file(dtype, to, dtype, to, count);
    } else {
        read_well = nn__safetensors_convert(file, &entry, dtype, to, count) == NN_OK;
    }
    if (read_well) return NN_OK;
    return nn__fail_at(file->nn, site, NN_ERROR_FILE,
                       "nn_read_safetensors: \"%s\" of \"%s\": reading %llu bytes at byte %llu failed",
                       entry.name, file->path, (unsigned long long)entry.bytes,
                       (unsigned long long)entry.offset);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void nn__safetensors_write_string(const nn_writer *writer, const char *text) {
    writer->function(writer->user, "\"", 1);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') writer->function(writer->user, "\\", 1);
        if (c < 0x20) nn__print(writer, "\\u%04x", (unsigned)c);
        else writer->function(writer->user, text, 1);
    }
    writer->function(writer->user, "\"", 1);
}

/* One set of arguments of nn_save_safetensors. */
typedef struct nn__safetensors_saving {
    nn_context *nn;
    nn_site site;
    const char *path;
    nn_tensor *const *tensors;
    int count;
    const char *const *metadata;
    int metadata_count;
    void *buffer; /* for the largest tensor that the host cannot read */
    size_t buffer_bytes;
} nn__safetensors_saving;

static void nn__safetensors_write_header(const nn__safetensors_saving *saving, const nn_writer *writer) {
    uint64_t offset = 0;
    nn__print(writer, "{");
    if (saving->metadata_count > 0) {
        nn__print(writer, "\"__metadata__\":{");
        for (int i = 0; i < saving->metadata_count; i += 2) {
            if (i > 0) nn__print(writer, ",");
            nn__safetensors_write_string(writer, saving->metadata[i]);
            nn__print(writer, ":");
            nn__safetensors_write_string(writer, saving->metadata[i + 1]);
        }
        nn__print(writer, saving->count > 0 ? "}," : "}");
    }
    for (int i = 0; i < saving->count; i++) {
        const nn_tensor *tensor = saving->tensors[i];
        if (i > 0) nn__print(writer, ",");
        nn__safetensors_write_string(writer, tensor->name);
        nn__print(writer, ":{\"dtype\":\"%s\",\"shape\":[", nn__safetensors_dtype_name(tensor->view.dtype));
        for (int j = 0; j < tensor->view.shape.rank; j++) {
            nn__print(writer, "%s%d", j > 0 ? "," : "", (int)tensor->view.shape.extent[j]);
        }
        nn__print(writer, "],\"data_offsets\":[%llu,%llu]}", (unsigned long long)offset,
                  (unsigned long long)(offset + tensor->bytes));
        offset += tensor->bytes;
    }
    nn__print(writer, "}");
}

static nn_result nn__safetensors_refuse(const nn__safetensors_saving *saving, const char *what,
                                        const char *name) {
    return nn__fail_at(saving->nn, saving->site, NN_ERROR_ARGUMENT,
                       "nn_save_safetensors: \"%s\": %s \"%s\"; nothing was written", saving->path, what,
                       name);
}

static nn_result nn__safetensors_check_metadata(const nn__safetensors_saving *saving) {
    int count = saving->metadata_count;
    if (count < 0 || count % 2 != 0 || (count > 0 && !saving->metadata)) {
        return nn__fail_at(saving->nn, saving->site, NN_ERROR_ARGUMENT,
                           "nn_save_safetensors: \"%s\": metadata_count is %d; wanted an even count of "
                           "strings, key, value, key, value",
                           saving->path, count);
    }
    for (int i = 0; i < count; i++) {
        if (!saving->metadata[i])
            return nn__safetensors_refuse(saving, "NULL among the metadata after",
                                          i > 0 ? saving->metadata[i - 1] : "");
        if (!nn__is_utf8(saving->metadata[i])) {
            return nn__safetensors_refuse(saving, "this metadata is not UTF-8:", saving->metadata[i]);
        }
        for (int j = i % 2; j < i && i % 2 == 0; j += 2) {
            if (strcmp(saving->metadata[i], saving->metadata[j]) == 0) {
                return nn__safetensors_refuse(saving, "two metadata keys are", saving->metadata[i]);
            }
        }
    }
    return NN_OK;
}

/* Also finds how large the buffer has to be. */
static nn_result nn__safetensors_check_tensors(nn__safetensors_saving *saving) {
    nn_context *nn = saving->nn;
    if (saving->count < 0 || (saving->count > 0 && !saving->tensors)) {
        return nn__fail_at(nn, saving->site, NN_ERROR_ARGUMENT,
                           "nn_save_safetensors: \"%s\": %d tensors at %p; wanted a list", saving->path,
                           saving->count, (const void *)saving->tensors);
    }
    for (int i = 0; i < saving->count; i++) {
        const nn_tensor *tensor = saving->tensors[i];
        const nn__open_device *on;
        if (!tensor)
            return nn__safetensors_refuse(saving, "tensors contains NULL after",
                                          i > 0 ? saving->tensors[i - 1]->name : "");
        if (tensor->nn != nn) return nn__safetensors_refuse(saving, "another context owns", tensor->name);
        if (strcmp(tensor->name, "__metadata__") == 0)
            return nn__safetensors_refuse(saving, "no tensor may be named", tensor->name);
        if (!nn__is_utf8(tensor->name))
            return nn__safetensors_refuse(saving, "this name is not UTF-8:", tensor->name);
        for (int j = 0; j < i; j++) {
            if (strcmp(tensor->name, saving->tensors[j]->name) != 0) continue;
            return nn__safetensors_refuse(saving, "two tensors are named", tensor->name);
        }
        on = nn__find_device(nn, tensor->device);
        if (!on) return nn__fail_not_open(nn, saving->site, "nn_save_safetensors", tensor->device);
        if (!on->limits.host_memory && tensor->bytes > saving->buffer_bytes)
            saving->buffer_bytes = (size_t)tensor->bytes;
    }
    return NN_OK;
}

static nn_result nn__safetensors_disk_failed(const nn__safetensors_saving *saving, nn_result result) {
    return nn__fail_at(
        saving->nn, saving->site, result,
        "nn_save_safetensors: \"%s\" cannot be written: is there such a folder, the right to write, room on "
        "the disk, a path below 512 bytes, every hook in nn_desc.files? A file of that name from before is as it was",
        saving->path);
}

static nn_result nn__safetensors_save_header(const nn__safetensors_saving *saving, nn__save *save) {
    nn_context *nn = saving->nn;
    nn_text text;
    nn_writer writer;
    size_t padded, bytes;
    unsigned char *header;
    nn_result result;
    memset(&text, 0, sizeof text);
    writer.function = nn_write_text;
    writer.user = &text;
    nn__safetensors_write_header(saving, &writer); /* into nothing, for its length */
    padded = nn__align_up(text.length, 8);
    bytes = 8 + padded + 1;
    header = (unsigned char *)nn__allocate(&nn->memory, bytes);
    if (!header) return nn__fail_memory(nn, "nn_save_safetensors: the header", bytes);
    text.buffer = (char *)header + 8;
    text.size = padded + 1;
    text.length = 0;
    nn__safetensors_write_header(saving, &writer);
    memset(text.buffer + text.length, ' ', padded - text.length);
    for (int i = 0; i < 8; i++) header[i] = (unsigned char)((uint64_t)padded >> (8 * i) & 255u);
    result = nn__save_write(save, header, 8 + padded);
    nn__release(&nn->memory, header, bytes);
    return result == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, result);
}

static nn_result nn__safetensors_save_numbers(nn__save *save, nn_dtype dtype, const void *from,
                                              uint64_t bytes) {
    unsigned char chunk[2048];
    const char *at = (const char *)from;
    if (nn__host_is_little()) return nn__save_write(save, from, (size_t)bytes);
    while (bytes > 0) {
        size_t part = bytes < sizeof chunk ? (size_t)bytes : sizeof chunk;
        nn_result result;
        nn__convert_to_file(dtype, at, chunk, (int64_t)(part / nn_dtype_size(dtype)));
        result = nn__save_write(save, chunk, part);
        if (result != NN_OK) return result;
        at += part;
        bytes -= part;
    }
    return NN_OK;
}

static nn_result nn__safetensors_save_tensor(const nn__safetensors_saving *saving, nn__save *save,
                                             const nn_tensor *tensor) {
    nn_context *nn = saving->nn;
    nn__open_device *on = nn__find_device(nn, tensor->device);
    const void *numbers = nn_tensor_data(tensor);
    nn_result result;
    if (numbers) {
        result = on->backend->finish(on->state); /* a kernel may still be writing there */
        if ((int)result < 0)
            return nn__fail_at(nn, saving->site, result, "nn_save_safetensors: %s", nn_result_text(result));
    } else {
        result = nn__download(nn, tensor->device, &tensor->view, saving->buffer, tensor->bytes, tensor->name,
                              saving->site);
        if (result != NN_OK) return result;
        numbers = saving->buffer;
    }
    result = nn__safetensors_save_numbers(save, tensor->view.dtype, numbers, tensor->bytes);
    return result == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, result);
}

static nn_result nn__safetensors_save(const nn__safetensors_saving *saving) {
    nn__save save;
    nn_result result = nn__save_begin(&save, &saving->nn->files, saving->path), ended;
    if (result != NN_OK) return nn__safetensors_disk_failed(saving, result);
    result = nn__safetensors_save_header(saving, &save);
    for (int i = 0; i < saving->count && result == NN_OK; i++) {
        result = nn__safetensors_save_tensor(saving, &save, saving->tensors[i]);
    }
    ended = nn__save_end(&save, result == NN_OK);
    if (result != NN_OK) return result;
    return ended == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, ended);
}

NN_API nn_result nn_save_safetensors_at(nn_site site, nn_context *nn, const char *path,
                                        nn_tensor *const *tensors, int count, const char *const *metadata,
                                        int metadata_count) {
    nn__safetensors_saving saving;
    nn_result result;
    if (!nn) return NN_ERROR_ARGUMENT;
    if (!path) return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_save_safetensors: path is NULL");
    memset(&saving, 0, sizeof saving);
    saving.nn = nn;
    saving.site = site;
    saving.path = path;
    saving.tensors = tensors;
    saving.count = count;
    saving.metadata = metadata;
    saving.metadata_count = metadata_count;
    result = nn__safetensors_check_metadata(&saving);
    if (result == NN_OK) result = nn__safetensors_check_tensors(&saving);
    if (result != NN_OK) return result;
    if (saving.buffer_bytes > 0) {
        saving.buffer = nn__allocate(&nn->memory, saving.buffer_bytes);
        if (!saving.buffer)
            return nn__fail_memory(nn, "nn_save_safetensors: the largest tensor of a device",
                                   saving.buffer_bytes);
    }
    result = nn__safetensors_save(&saving);
    nn__release(&nn->memory, saving.buffer, saving.buffer_bytes);
    return result;
}

#undef NN__SAFETENSORS_HEADER
#endif
