/* opencl/cache.c - stores compiled programs on disk, by the file hooks of nn_desc.

   There is one file for each program. Its name is a hash of the source text, options, device,
   driver and platform. A damaged file, or one that the driver refuses, is ignored and replaced.

   Files are written when the device is closed, because some drivers compile again when asked for a
   binary, which would slow a first start. They are written under a temporary name and renamed.
   Failures are not errors: the source is compiled instead. */
#include "opencl/private.h"

#ifndef NN_OPENCL_NO_CACHE
#include <stdlib.h>

#if defined(_WIN32)
#include <direct.h>
#elif defined(__unix__) || defined(__APPLE__) || defined(__HAIKU__)
#include <sys/types.h>
#include <sys/stat.h>
#define NN__OPENCL_CACHE_POSIX
#endif

/* The head of a file, in the machine's byte order. Machines with another order use other keys. */
typedef struct nn__opencl_cache_header {
    char mark[8];
    uint64_t key, bytes, checksum;
} nn__opencl_cache_header;

static const char nn__opencl_cache_mark[8] = {'n', 'n', 'c', 'l', 'b', 'i', 'n', '1'};

NN__OPENCL_PRIVATE void nn__opencl_cache_open(nn__opencl *device, const char *folder) {
    const nn_files *files = &nn_context_desc(device->nn)->files;
    char text[sizeof device->cache_folder];
    const char *base = NULL, *below = "/nn";
    device->cache_folder[0] = device->table_folder[0] = 0;
    if (!files->open || !files->read || !files->write || !files->size || !files->close) return;
    if (!folder) {
#if defined(_WIN32)
        base = getenv("LOCALAPPDATA");
#else
        base = getenv("XDG_CACHE_HOME");
        if (!base || !*base) {
            base = getenv("HOME");
            below = "/.cache/nn";
        }
#endif
        if (!base || !*base) return;
    }
    if (nn__opencl_format(text, sizeof text, "%s%s", folder ? folder : base, folder ? "" : below) >=
        sizeof text)
        return;
    nn__opencl_copy_text(device->table_folder, sizeof device->table_folder, text);
    /* binaries of Apple and Mali are known to crash or to be useless */
    if (nn__opencl_contains(device->platform_name, "Apple") ||
        nn__opencl_contains(device->name, "Mali"))
        return;
    /* these drivers have a better cache of their own */
    if (!folder && (device->cpu || device->spread)) return;
    nn__opencl_copy_text(device->cache_folder, sizeof device->cache_folder, text);
}

static void nn__opencl_cache_make_folder(const char *path) {
#if defined(_WIN32)
    (void)_mkdir(path);
#elif defined(NN__OPENCL_CACHE_POSIX)
    (void)mkdir(path, 0700);
#else
    (void)path;
#endif
}

NN__OPENCL_PRIVATE void nn__opencl_cache_make_folders(const char *folder) {
    char path[sizeof((nn__opencl *)NULL)->cache_folder];
    nn__opencl_copy_text(path, sizeof path, folder);
    for (size_t i = 1; path[i]; i++) {
        if (path[i] != '/' && path[i] != '\\') continue;
        char separator = path[i];
        path[i] = 0;
        nn__opencl_cache_make_folder(path);
        path[i] = separator;
    }
    nn__opencl_cache_make_folder(path);
}

static bool nn__opencl_cache_path(nn__opencl *device, uint64_t key, char *path, size_t size) {
    if (!device->cache_folder[0]) return false;
    return nn__opencl_format(path, size, "%s/opencl-%llx.bin", device->cache_folder,
                             (unsigned long long)key) < size;
}

/* Returns the binary of a program from the disk, if its file is valid. */
NN__OPENCL_PRIVATE unsigned char *nn__opencl_cache_read(nn__opencl *device, uint64_t key,
                                                        size_t *bytes) {
    const nn_files *files = &nn_context_desc(device->nn)->files;
    nn__opencl_cache_header header;
    uint64_t size = 0;
    unsigned char *binary = NULL;
    char path[320];
    void *file = nn__opencl_cache_path(device, key, path, sizeof path)
                     ? files->open(files->user, path, false)
                     : NULL;
    if (!file) return NULL;
    memset(&header, 0, sizeof header);
    if (files->size(files->user, file, &size) && size > sizeof header &&
        size < ((uint64_t)1 << 28) && files->read(files->user, file, 0, &header, sizeof header) &&
        memcmp(header.mark, nn__opencl_cache_mark, sizeof header.mark) == 0 && header.key == key &&
        header.bytes == size - sizeof header) {
        *bytes = (size_t)header.bytes;
        binary = (unsigned char *)nn_take_memory(device->nn, *bytes);
        if (binary && (!files->read(files->user, file, sizeof header, binary, *bytes) ||
                       nn__opencl_hash(NN__OPENCL_HASH_START, binary, *bytes) != header.checksum)) {
            nn_give_memory(device->nn, binary, *bytes);
            binary = NULL;
        }
    }
    files->close(files->user, file);
    return binary;
}

static bool nn__opencl_cache_write(nn__opencl *device, uint64_t key, const unsigned char *binary,
                                   size_t bytes, const char *path) {
    const nn_files *files = &nn_context_desc(device->nn)->files;
    nn__opencl_cache_header header;
    bool ok;
    void *file = files->open(files->user, path, true);
    if (!file) {
        nn__opencl_cache_make_folders(device->cache_folder);
        file = files->open(files->user, path, true);
    }
    if (!file) return false;
    memset(&header, 0, sizeof header);
    memcpy(header.mark, nn__opencl_cache_mark, sizeof header.mark);
    header.key = key;
    header.bytes = bytes;
    header.checksum = nn__opencl_hash(NN__OPENCL_HASH_START, binary, bytes);
    ok = files->write(files->user, file, &header, sizeof header) &&
         files->write(files->user, file, binary, bytes);
    return files->close(files->user, file) && ok;
}

NN__OPENCL_PRIVATE void nn__opencl_cache_save(nn__opencl *device, uint64_t key,
                                              cl_program program) {
    const nn_desc *desc = nn_context_desc(device->nn);
    const nn_files *files = &desc->files;
    cl_uint devices = 0;
    size_t bytes = 0;
    unsigned char *binary;
    unsigned long long unique;
    char path[320], temporary[360];
    if (!files->rename || !files->remove || !nn__opencl_cache_path(device, key, path, sizeof path))
        return;
    if (device->cl.GetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices,
                                  NULL) != CL_SUCCESS ||
        devices != 1)
        return; /* with several devices in an adopted context, binaries are available only all
                   together */
    if (device->cl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL) !=
            CL_SUCCESS ||
        bytes == 0)
        return;
    binary = (unsigned char *)nn_take_memory(device->nn, bytes);
    if (!binary) return;
    /* Several programs or threads may write the same entry at once. */
    unique = (unsigned long long)(uintptr_t)device;
    if (desc->clock.now) unique += (unsigned long long)desc->clock.now(desc->clock.user) * 4096u;
    nn__opencl_format(temporary, sizeof temporary, "%s.%llx.tmp", path, unique);
    if (device->cl.GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL) ==
        CL_SUCCESS) {
        if (!nn__opencl_cache_write(device, key, binary, bytes, temporary) ||
            !files->rename(files->user, temporary, path))
            files->remove(files->user, temporary);
    }
    nn_give_memory(device->nn, binary, bytes);
}

#undef NN__OPENCL_CACHE_POSIX

#else /* NN_OPENCL_NO_CACHE */

NN__OPENCL_PRIVATE void nn__opencl_cache_make_folders(const char *folder) { (void)folder; }

NN__OPENCL_PRIVATE void nn__opencl_cache_open(nn__opencl *device, const char *folder) {
    (void)device, (void)folder;
}

NN__OPENCL_PRIVATE unsigned char *nn__opencl_cache_read(nn__opencl *device, uint64_t key,
                                                        size_t *bytes) {
    (void)device, (void)key, (void)bytes;
    return NULL;
}

NN__OPENCL_PRIVATE void nn__opencl_cache_save(nn__opencl *device, uint64_t key,
                                              cl_program program) {
    (void)device, (void)key, (void)program;
}

#endif
