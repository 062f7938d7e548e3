/* tensor/open.c - opens files for reading, through the context's hooks, for all formats in this
   room. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

NN_PRIVATE const char *nn__name_of_path(char name[NN_NAME_BYTES], const char *path) {
    const char *last = path;
    for (const char *at = path; *at; at++) {
        if ((*at == '/' || *at == '\\') && at[1]) last = at + 1;
    }
    nn__copy_text(name, NN_NAME_BYTES, last);
    return name;
}

NN_PRIVATE void *nn__open_to_read(nn_context *nn, nn_site site, const char *who, const char *path,
                                  uint64_t *size) {
    const nn_files *files = &nn->files;
    void *handle;
    if (!path) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: path is NULL", who);
        return NULL;
    }
    if (!files->open || !files->read || !files->size || !files->close) {
        nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                    "%s: \"%s\": nn_desc.files lacks open, read, size or close", who, path);
        return NULL;
    }
    handle = files->open(files->user, path, false);
    if (!handle) {
        nn__fail_at(nn, site, NN_ERROR_FILE,
                    "%s: \"%s\" cannot be opened; see whether it exists and may be read", who,
                    path);
        return NULL;
    }
    if (files->size(files->user, handle, size)) return handle;
    nn__fail_at(nn, site, NN_ERROR_FILE, "%s: \"%s\": its size is unknown", who, path);
    files->close(files->user, handle);
    return NULL;
}

NN_PRIVATE bool nn__reading_begin(nn__reading *file, nn_context *nn, nn_site site, const char *who,
                                  const char *path) {
    file->nn = nn;
    file->site = site;
    file->who = who;
    file->path = path;
    file->handle = nn__open_to_read(nn, site, who, path, &file->size);
    return file->handle != NULL;
}

NN_PRIVATE bool nn__reading_at(const nn__reading *file, uint64_t offset, void *to, size_t bytes) {
    const nn_files *files = &file->nn->files;
    if (bytes == 0 || files->read(files->user, file->handle, offset, to, bytes)) return true;
    nn__fail_at(file->nn, file->site, NN_ERROR_FILE,
                "%s: \"%s\": reading %zu bytes at byte %llu failed", file->who, file->path, bytes,
                (unsigned long long)offset);
    return false;
}

NN_PRIVATE void nn__reading_end(nn__reading *file) {
    if (file->handle) file->nn->files.close(file->nn->files.user, file->handle);
    file->handle = NULL;
}

NN_PRIVATE nn_tensor *nn__read_array(const nn__reading *file, uint64_t start, nn_dtype dtype,
                                     nn_shape shape) {
    nn_tensor_desc desc;
    nn_tensor *tensor;
    char name[NN_NAME_BYTES];
    memset(&desc, 0, sizeof desc);
    desc.name = nn__name_of_path(name, file->path);
    desc.dtype = dtype;
    desc.shape = shape;
    desc.device = nn_cpu();
    tensor = nn_make_tensor_at(file->site, file->nn, &desc);
    if (!tensor || nn__reading_at(file, start, nn_tensor_data(tensor), (size_t)tensor->bytes))
        return tensor;
    nn_free_tensor(tensor);
    return NULL;
}
#endif

typedef int nn__open_part; /* a part must not be empty under NN_NO_FILES */
