/* tensor/safetensors_save.c - writes safetensors files to a path or a writer: header, numbers,
   and the checksum of both. A new file replaces the old one only at the end. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

#define NN__SAFETENSORS_PIECE ((int64_t)1 << 20) /* largest host buffer for tensors on a device */

/* ---- writing --------------------------------------------------------------------------------- */

NN_PRIVATE void nn__write_json_text(const nn_writer *writer, const char *text) {
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

static void nn__safetensors_write_header(const nn__safetensors_saving *saving,
                                         const nn_writer *writer) {
    uint64_t offset = 0;
    nn__print(writer, "{");
    if (saving->metadata_count > 0) {
        nn__print(writer, "\"__metadata__\":{");
        for (int i = 0; i < saving->metadata_count; i += 2) {
            if (i > 0) nn__print(writer, ",");
            nn__write_json_text(writer, saving->metadata[i]);
            nn__print(writer, ":");
            nn__write_json_text(writer, saving->metadata[i + 1]);
        }
        if (saving->checksum)
            nn__print(writer, ",\"checksum\":\"%016llx\"", (unsigned long long)saving->sum);
        nn__print(writer, saving->count > 0 ? "}," : "}");
    }
    for (int i = 0; i < saving->count; i++) {
        const nn_tensor *tensor = saving->tensors[i];
        if (i > 0) nn__print(writer, ",");
        nn__write_json_text(writer, nn__safetensors_name(saving, i));
        nn__print(writer, ":{\"dtype\":\"%s\",\"shape\":[",
                  nn__safetensors_dtype_name(tensor->view.dtype));
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
                       "%s: \"%s\": %s \"%s\"; nothing was written", saving->who, saving->path,
                       what, name);
}

static nn_result nn__safetensors_check_metadata(const nn__safetensors_saving *saving) {
    int count = saving->metadata_count;
    if (count < 0 || count % 2 != 0 || (count > 0 && !saving->metadata)) {
        return nn__fail_at(
            saving->nn, saving->site, NN_ERROR_ARGUMENT,
            "%s: \"%s\": metadata_count is %d; wanted an even count of strings, key, value, key, "
            "value",
            saving->who, saving->path, count);
    }
    for (int i = 0; i < count; i++) {
        if (!saving->metadata[i])
            return nn__safetensors_refuse(saving, "NULL among the metadata after",
                                          i > 0 ? saving->metadata[i - 1] : "");
        if (!nn__is_utf8(saving->metadata[i])) {
            return nn__safetensors_refuse(saving,
                                          "this metadata is not UTF-8:", saving->metadata[i]);
        }
        for (int j = i % 2; j < i && i % 2 == 0; j += 2) {
            if (strcmp(saving->metadata[i], saving->metadata[j]) == 0) {
                return nn__safetensors_refuse(saving, "two metadata keys are", saving->metadata[i]);
            }
        }
    }
    return NN_OK;
}

/* Checks the tensors and finds the size of the buffer. */
static nn_result nn__safetensors_check_tensors(nn__safetensors_saving *saving) {
    nn_context *nn = saving->nn;
    if (saving->count < 0 || (saving->count > 0 && !saving->tensors)) {
        return nn__fail_at(nn, saving->site, NN_ERROR_ARGUMENT,
                           "%s: \"%s\": %d tensors at %p; wanted a list", saving->who, saving->path,
                           saving->count, (const void *)saving->tensors);
    }
    for (int i = 0; i < saving->count; i++) {
        const nn_tensor *tensor = saving->tensors[i];
        const nn__open_device *on;
        const char *name;
        if (!tensor)
            return nn__safetensors_refuse(saving, "tensors contains NULL after",
                                          i > 0 ? nn__safetensors_name(saving, i - 1) : "");
        name = nn__safetensors_name(saving, i);
        if (nn__check_whole(tensor, false, saving->site, saving->who) != NN_OK)
            return NN_ERROR_ARGUMENT;
        if (tensor->nn != nn) return nn__safetensors_refuse(saving, "another context owns", name);
        if (strcmp(name, "__metadata__") == 0)
            return nn__safetensors_refuse(saving, "no tensor may be named", name);
        if (!nn__is_utf8(name))
            return nn__safetensors_refuse(saving, "this name is not UTF-8:", name);
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

static nn_result nn__safetensors_disk_failed(const nn__safetensors_saving *saving,
                                             nn_result result) {
    return nn__fail_at(
        saving->nn, saving->site, result,
        "%s: \"%s\" cannot be written: is there such a folder, the right to write, room on the "
        "disk, a path below "
        "512 bytes, every hook in nn_desc.files? An older file of that name is unchanged",
        saving->who, saving->path);
}

/* Writes to the writer, or to the file. */
static nn_result nn__safetensors_write(const nn__safetensors_saving *saving, nn__save *save,
                                       const void *data, size_t bytes) {
    if (!saving->writer.function) return nn__save_write(save, data, bytes);
    saving->writer.function(saving->writer.user, (const char *)data, bytes);
    return NN_OK;
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
    nn__safetensors_write_header(saving, &writer); /* only counts bytes */
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
    result = nn__safetensors_write(saving, save, header, 8 + padded);
    nn__release(&nn->memory, header, bytes);
    return result == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, result);
}

/* Passes host numbers to the file, or to the checksum (save NULL). */
static nn_result nn__safetensors_put(const nn__safetensors_saving *saving, nn__save *save,
                                     nn__checksum *checksum, nn_dtype dtype, const void *from,
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
            result = nn__safetensors_write(saving, save, piece, part);
        else
            nn__checksum_add(checksum, piece, part);
        if (result != NN_OK) return result;
        at += part;
        bytes -= part;
    }
    return NN_OK;
}

/* Passes one tensor to the file or to the checksum, in pieces if the host cannot read it
   directly. */
static nn_result nn__safetensors_pass(const nn__safetensors_saving *saving, nn__save *save,
                                      nn__checksum *checksum, int i) {
    nn_context *nn = saving->nn;
    const nn_tensor *tensor = saving->tensors[i];
    nn__open_device *on = nn__find_device(nn, tensor->device);
    const char *numbers = (const char *)nn_tensor_const_data(tensor);
    nn_view view = tensor->view;
    nn_result result = NN_OK;
    if (numbers) {
        result = on->backend->finish(on->state); /* kernels may still be writing */
        if ((int)result < 0)
            return nn__fail_at(nn, saving->site, result, "%s: %s", saving->who,
                               nn_result_text(result));
        result = nn__safetensors_put(saving, save, checksum, view.dtype, numbers, tensor->bytes);
        return result == NN_OK ? NN_OK : nn__safetensors_disk_failed(saving, result);
    }
    for (uint64_t done = 0; done < tensor->bytes;) {
        uint64_t part =
            (uint64_t)nn__min64((int64_t)(tensor->bytes - done), (int64_t)saving->buffer_bytes);
        result = nn__download(nn, tensor->device, &view, saving->buffer, part,
                              nn__safetensors_name(saving, i), saving->site);
        if (result != NN_OK) return result;
        result = nn__safetensors_put(saving, save, checksum, view.dtype, saving->buffer, part);
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
    if (!saving->writer.function) result = nn__save_begin(&save, &saving->nn->files, saving->path);
    if (result != NN_OK) return nn__safetensors_disk_failed(saving, result);
    result = nn__safetensors_save_header(saving, &save);
    for (int i = 0; i < saving->count && result == NN_OK; i++)
        result = nn__safetensors_pass(saving, &save, NULL, i);
    if (saving->writer.function) return result;
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
        if (!saving->buffer)
            return nn__fail_memory(saving->nn, "a piece of a tensor", saving->buffer_bytes);
    }
    result = nn__safetensors_save(saving);
    nn__release(&saving->nn->memory, saving->buffer, saving->buffer_bytes);
    return result;
}

static nn_result nn__inside_save_safetensors(nn_site site, nn_context *nn, const char *path,
                                             nn_tensor *const *tensors, int count,
                                             const char *const *metadata, int metadata_count) {
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

NN_API nn_result nn_save_safetensors_at(nn_site site, nn_context *nn, const char *path,
                                        nn_tensor *const *tensors, int count,
                                        const char *const *metadata, int metadata_count) {
    return NN__ALONE(
        nn, "nn_save_safetensors", site,
        nn__inside_save_safetensors(site, nn, path, tensors, count, metadata, metadata_count));
}

#undef NN__SAFETENSORS_PIECE
#endif
