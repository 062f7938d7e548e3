/* onnx/external.c - numbers that are in files beside the model. A location must be relative,
   below the model's folder: no "..", no absolute path, no drive, no link. */
#include "onnx/private.h"

struct nn__onnx_extra {
    nn__onnx_extra *next;
    const char *location;
    void *memory;
    size_t size;
};

NN__ONNX_PRIVATE bool nn__onnx_slurp(nn_context *nn, const char *path, void **memory, size_t *size,
                                     const char **why) {
    const nn_files *files = &nn_context_desc(nn)->files;
    uint64_t bytes = 0;
    void *file;
    bool whole;
    *memory = NULL;
    *size = 0;
    *why = "cannot be opened";
    if (!files->open || !files->read || !files->size || !files->close) return false;
    file = files->open(files->user, path, false);
    if (!file) return false;
    *why = "cannot be read";
    whole = files->size(files->user, file, &bytes) && bytes <= SIZE_MAX / 2;
    if (whole && bytes > 0) {
        *memory = nn_take_memory(nn, (size_t)bytes);
        if (!*memory) *why = "is larger than the address space";
        whole = *memory && files->read(files->user, file, 0, *memory, (size_t)bytes);
    }
    files->close(files->user, file);
    *size = (size_t)bytes;
    if (!whole) nn_give_memory(nn, *memory, (size_t)bytes);
    return whole;
}

/* True if the location stays below the model's folder by its text. */
static bool nn__onnx_stays_below(const char *location) {
    const char *at = location;
    if (!*at || *at == '/' || *at == '\\') return false;
    for (; *at; at++)
        if (*at == ':') return false;
    for (at = location; *at;) {
        const size_t length = strcspn(at, "/\\");
        if (length == 2 && at[0] == '.' && at[1] == '.') return false;
        at += length;
        if (*at) at++;
    }
    return true;
}

/* Writes folder of the model + location; false: too long. */
static bool nn__onnx_beside(const nn_onnx *file, const char *location, char *path, size_t size) {
    size_t folder = 0;
    for (size_t i = 0; file->path[i]; i++)
        if (file->path[i] == '/' || file->path[i] == '\\') folder = i + 1;
    if (folder + strlen(location) + 1 > size) return false;
    memcpy(path, file->path, folder);
    memcpy(path + folder, location, strlen(location) + 1);
    return true;
}

#if (defined(__unix__) || defined(__APPLE__)) && !defined(NN_NO_FILES) && !defined(NN_NO_STDIO)
#include <unistd.h>
#if defined(__STRICT_ANSI__) && !defined(__cplusplus)
/* -std=c99 hides the declaration. */
extern ssize_t(readlink)(const char *path, char *target, size_t size);
#endif

/* True if the file, or a folder of the location, is a symbolic link. */
static bool nn__onnx_is_link(char *path, size_t folder) {
    char to[2];
    for (size_t i = folder;; i++) {
        const char kept = path[i];
        bool link;
        if (kept && kept != '/') continue;
        path[i] = 0;
        link = readlink(path, to, sizeof to) >= 0;
        path[i] = kept;
        if (link || !kept) return link;
    }
}
#else
static bool nn__onnx_is_link(char *path, size_t folder) {
    (void)path, (void)folder;
    return false;
}
#endif

static nn__onnx_extra *nn__onnx_open_extra(nn_onnx *file, nn__onnx_call *call,
                                           const char *location) {
    char path[1024];
    nn__onnx_extra *extra;
    const char *why;
    if (!*file->path) {
        nn__onnx_fail(call, NN_ERROR_FILE,
                      "the model keeps weights in the file %q, which cannot be found from a model "
                      "in memory; open the model by desc.path",
                      location);
        return NULL;
    }
    if (!nn__onnx_stays_below(location) || !nn__onnx_beside(file, location, path, sizeof path) ||
        nn__onnx_is_link(path, strlen(path) - strlen(location))) {
        nn__onnx_fail(call, NN_ERROR_FILE,
                      "%q keeps weights in %q, which is outside of the model's folder or a link; "
                      "put both files into one folder",
                      file->label, location);
        return NULL;
    }
    extra = (nn__onnx_extra *)nn__onnx_take(call, &file->arena, sizeof *extra);
    if (!extra) return NULL;
    if (!nn__onnx_slurp(file->nn, path, &extra->memory, &extra->size, &why)) {
        nn__onnx_fail(call, NN_ERROR_FILE, "%q, which has weights of %q, %s", path, file->label,
                      why);
        return NULL;
    }
    file->arena.limit += 2 * (uint64_t)extra->size; /* and itself */
    extra->location = location;
    extra->next = file->extras;
    file->extras = extra;
    return extra;
}

NN__ONNX_PRIVATE bool nn__onnx_external(nn_onnx *file, nn__onnx_call *call, const char *location,
                                        uint64_t offset, uint64_t length, nn__onnx_bytes *bytes) {
    nn__onnx_extra *extra = file->extras;
    while (extra && strcmp(extra->location, location) != 0) extra = extra->next;
    if (!extra) extra = nn__onnx_open_extra(file, call, location);
    if (!extra) return false;
    if (offset > extra->size || length > extra->size - offset)
        return nn__onnx_fail(call, NN_ERROR_FORMAT,
                             "%q is too short: a tensor of %q ends after it", location,
                             file->label);
    bytes->at = (const unsigned char *)extra->memory + offset;
    bytes->size = (size_t)length;
    return true;
}

NN__ONNX_PRIVATE void nn__onnx_close_external(nn_onnx *file) {
    for (nn__onnx_extra *extra = file->extras; extra; extra = extra->next)
        nn_give_memory(file->nn, extra->memory, extra->size);
    file->extras = NULL;
}
