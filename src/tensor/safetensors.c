/* tensor/safetensors.c - opens, reads and writes safetensors files: 8 bytes of header length, the header, the
   bytes of all tensors. Refuses to trust a file (the header is checked in tensor/safetensors_header.c) and to
   lose one: a new file replaces the old one at the end. Read next: cpu/private.h. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

#define NN__SAFETENSORS_HEADER ((uint64_t)100000000) /* the format's own limit */
#define NN__SAFETENSORS_PIECE  ((int64_t)1 << 20)    /* most host memory for what stands on a device */

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

/* ---- checksum -------------------------------------------------------------------------------- */

/* Each step is one to one in the state and in the word: no change inside one word goes unseen. */
static void nn__checksum_word(nn__checksum *checksum) {
    uint64_t state = (checksum->state ^ checksum->word) * 0x9E3779B97F4A7C15u;
    checksum->state = state ^ state >> 32;
    checksum->word = 0;
}

NN_PRIVATE void nn__checksum_add(nn__checksum *checksum, const void *data, size_t bytes) {
    const unsigned char *at = (const unsigned char *)data;
    while (bytes > 0) {
        if (bytes >= 8 && checksum->length % 8 == 0) {
            for (int i = 0; i < 8; i++) checksum->word |= (uint64_t)at[i] << (8 * i);
            checksum->length += 8, at += 8, bytes -= 8;
        } else {
            checksum->word |= (uint64_t)*at << (8 * (checksum->length % 8));
            checksum->length++, at++, bytes--;
        }
        if (checksum->length % 8 == 0) nn__checksum_word(checksum);
    }
}

NN_PRIVATE uint64_t nn__checksum_end(nn__checksum *checksum) {
    nn__checksum_word(checksum); /* what is left over */
    checksum->word = checksum->length;
    nn__checksum_word(checksum);
    return checksum->state;
}

static void nn__checksum_text(nn__checksum *checksum, const char *text) {
    nn__checksum_add(checksum, text, strlen(text) + 1);
}

NN_PRIVATE void nn__checksum_begin(nn__checksum *checksum, const char *name, nn_dtype dtype, nn_shape shape) {
    memset(checksum, 0, sizeof *checksum);
    nn__checksum_text(checksum, name);
    nn__checksum_text(checksum, nn__safetensors_dtype_name(dtype));
    for (int i = 0; i < shape.rank; i++) {
        unsigned char extent[4];
        for (int k = 0; k < 4; k++) extent[k] = (unsigned char)((uint32_t)shape.extent[i] >> (8 * k) & 255u);
        nn__checksum_add(checksum, extent, sizeof extent);
    }
}

NN_PRIVATE uint64_t nn__checksum_pair(const char *key, const char *value) {
    nn__checksum checksum;
    memset(&checksum, 0, sizeof checksum);
    nn__checksum_text(&checksum, key);
    nn__checksum_text(&checksum, value);
    return nn__checksum_end(&checksum);
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

static const char *nn__safetensors_name(const nn__safetensors_saving *saving, int i) {
    return saving->names ? saving->names[i] : saving->tensors[i]->name;
}

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
        if (saving->checksum) nn__print(writer, ",\"checksum\":\"%016llx\"", (unsigned long long)saving->sum);
        nn__print(writer, saving->count > 0 ? "}," : "}");
    }
    for (int i = 0; i < saving->count; i++) {
        const nn_tensor *tensor = saving->tensors[i];
        if (i > 0) nn__print(writer, ",");
        nn__safetensors_write_string(writer, nn__safetensors_name(saving, i));
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
                       "%s: \"%s\": %s \"%s\"; nothing was written", saving->who, saving->path, what, name);
}

static nn_result nn__safetensors_check_metadata(const nn__safetensors_saving *saving) {
    int count = saving->metadata_count;
    if (count < 0 || count % 2 != 0 || (count > 0 && !saving->metadata)) {
        return nn__fail_at(saving->nn, saving->site, NN_ERROR_ARGUMENT,
                           "%s: \"%s\": metadata_count is %d; wanted an even count of strings, key, value, key, "
                           "value",
                           saving->who, saving->path, count);
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
        return nn__fail_at(nn, saving->site, NN_ERROR_ARGUMENT, "%s: \"%s\": %d tensors at %p; wanted a list",
                           saving->who, saving->path, saving->count, (const void *)saving->tensors);
    }
    for (int i = 0; i < saving->count; i++) {
        const nn_tensor *tensor = saving->tensors[i];
        const nn__open_device *on;
        const char *name;
        if (!tensor)
            return nn__safetensors_refuse(saving, "tensors contains NULL after",
                                          i > 0 ? nn__safetensors_name(saving, i - 1) : "");
        name = nn__safetensors_name(saving, i);
        if (nn__check_whole(tensor, false, saving->site, saving->who) != NN_OK) return NN_ERROR_ARGUMENT;
        if (tensor->nn != nn) return nn__safetensors_refuse(saving, "another context owns", name);
        if (strcmp(name, "__metadata__") == 0)
            return nn__safetensors_refuse(saving, "no tensor may be named", name);
        if (!nn__is_utf8(name)) return nn__safetensors_refuse(saving, "this name is not UTF-8:", name);
        for (int j = 0; j < i; j++) {
            if (strcmp(name, nn__safetensors_name(saving, j)) != 0) continue;
            return nn__safetensors_refuse(saving, "two tensors are named", name);
        }
        on = nn__find_device(nn, tensor->device);
        if (!on) return nn__fail_not_open(nn, saving->site, saving->who, tensor->device);
        if (!on->limits.host_memory && tensor->bytes > saving->buffer_bytes)
            saving->buffer_bytes = (size_t)nn__min64((int64_t)tensor->bytes, NN__SAFETENSORS_PIECE);
    }
    return NN_OK;
}

static nn_result nn__safetensors_disk_failed(const nn__safetensors_saving *saving, nn_result result) {
    return nn__fail_at(
        saving->nn, saving->site, result,
        "%s: \"%s\" cannot be written: is there such a folder, the right to write, room on the disk, a path below "
        "512 bytes, every hook in nn_desc.files? A file of that name from before is as it was",
        saving->who, saving->path);
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
    if (!header) return nn__fail_memory(nn, "the header of a safetensors file", bytes);
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

/* Numbers of the host to the file, or to the checksum (save NULL). */
static nn_result nn__safetensors_put(nn__save *save, nn__checksum *checksum, nn_dtype dtype, const void *from,
                                     uint64_t bytes) {
    unsigned char turned[2048];
    const char *at = (const char *)from;
    bool little = nn__host_is_little();
    while (bytes > 0) {
        size_t part = little || bytes < sizeof turned ? (size_t)bytes : sizeof turned;
        const void *piece = at;
        nn_result result = NN_OK;
        if (!little) {
            nn__convert_to_file(dtype, at, turned, (int64_t)(part / nn_dtype_size(dtype)));
            piece = turned;
        }
        if (save)
            result = nn__save_write(save, piece, part);
        else
            nn__checksum_add(checksum, piece, part);
        if (result != NN_OK) return result;
        at += part;
        bytes -= part;
    }
    return NN_OK;
}

/* One tensor, in pieces where the host cannot read it, to the file or to the checksum. */
static nn_result nn__safetensors_pass(const nn__safetensors_saving *saving, nn__save *save,
                                      nn__checksum *checksum, int i) {
    nn_context *nn = saving->nn;
    const nn_tensor *tensor = saving->tensors[i];
    nn__open_device *on = nn__find_device(nn, tensor->device);
    const char *numbers = (const char *)nn_tensor_data(tensor);
    nn_view view = tensor->view;
    nn_result result = NN_OK;
    if (numbers) {
        result = on->backend->finish(on->state); /* a kernel may still be writing there */
        if ((int)result < 0)
            return nn__fail_at(nn, saving->site, result, "%s: %s", saving->who, nn_result_text(result));
        result = nn__safetensors_put(save, checksum, view.dtype, numbers, tensor->bytes);
        return result == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, result);
    }
    for (uint64_t done = 0; done < tensor->bytes;) {
        uint64_t part = (uint64_t)nn__min64((int64_t)(tensor->bytes - done), (int64_t)saving->buffer_bytes);
        result = nn__download(nn, tensor->device, &view, saving->buffer, part,
                              nn__safetensors_name(saving, i), saving->site);
        if (result != NN_OK) return result;
        result = nn__safetensors_put(save, checksum, view.dtype, saving->buffer, part);
        if (result != NN_OK) return nn__safetensors_disk_failed(saving, result);
        view.offset += part;
        done += part;
    }
    return NN_OK;
}

static nn_result nn__safetensors_sum(nn__safetensors_saving *saving) {
    nn__checksum checksum;
    saving->sum = 0;
    for (int i = 0; i < saving->metadata_count; i += 2)
        saving->sum += nn__checksum_pair(saving->metadata[i], saving->metadata[i + 1]);
    for (int i = 0; i < saving->count; i++) {
        const nn_view *view = &saving->tensors[i]->view;
        nn_result result;
        nn__checksum_begin(&checksum, nn__safetensors_name(saving, i), view->dtype, view->shape);
        result = nn__safetensors_pass(saving, NULL, &checksum, i);
        if (result != NN_OK) return result;
        saving->sum += nn__checksum_end(&checksum);
    }
    return NN_OK;
}

static nn_result nn__safetensors_save(nn__safetensors_saving *saving) {
    nn__save save;
    nn_result result = saving->checksum ? nn__safetensors_sum(saving) : NN_OK, ended;
    if (result != NN_OK) return result;
    result = nn__save_begin(&save, &saving->nn->files, saving->path);
    if (result != NN_OK) return nn__safetensors_disk_failed(saving, result);
    result = nn__safetensors_save_header(saving, &save);
    for (int i = 0; i < saving->count && result == NN_OK; i++)
        result = nn__safetensors_pass(saving, &save, NULL, i);
    ended = nn__save_end(&save, result == NN_OK);
    if (result != NN_OK) return result;
    return ended == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, ended);
}

NN_PRIVATE nn_result nn__save_safetensors(nn__safetensors_saving *saving) {
    nn_result result = nn__safetensors_check_metadata(saving);
    if (result == NN_OK) result = nn__safetensors_check_tensors(saving);
    if (result != NN_OK) return result;
    if (saving->buffer_bytes > 0) {
        saving->buffer = nn__allocate(&saving->nn->memory, saving->buffer_bytes);
        if (!saving->buffer) return nn__fail_memory(saving->nn, "a piece of a tensor", saving->buffer_bytes);
    }
    result = nn__safetensors_save(saving);
    nn__release(&saving->nn->memory, saving->buffer, saving->buffer_bytes);
    return result;
}

NN_API nn_result nn_save_safetensors_at(nn_site site, nn_context *nn, const char *path,
                                        nn_tensor *const *tensors, int count, const char *const *metadata,
                                        int metadata_count) {
    nn__safetensors_saving saving;
    if (!nn) return NN_ERROR_ARGUMENT;
    if (!path) return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_save_safetensors: path is NULL");
    memset(&saving, 0, sizeof saving);
    saving.nn = nn;
    saving.site = site;
    saving.who = "nn_save_safetensors";
    saving.path = path;
    saving.tensors = tensors;
    saving.count = count;
    saving.metadata = metadata;
    saving.metadata_count = metadata_count;
    return nn__save_safetensors(&saving);
}

#undef NN__SAFETENSORS_HEADER
#undef NN__SAFETENSORS_PIECE
#endif
