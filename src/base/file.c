/* base/file.c - stdio behind the file hooks, and saving that never loses the old file.
   It refuses to mix: a program that brings one hook of its own gets none of ours. Next: base/clock.c. */
#include "base/private.h"
#include "base/windows.h"

#ifndef NN_NO_FILES

/* ---- stdio ----------------------------------------------------------------------------------- */

#ifndef NN_NO_STDIO
#include <limits.h>
#include <stdio.h>

#if defined(_WIN32)
#include <io.h>
#elif defined(__unix__) || defined(__APPLE__)
#define NN__FILE_POSIX
#include <unistd.h>
#if defined(__STRICT_ANSI__) && !defined(__cplusplus)
/* -std=c99 hides both in the headers; the parentheses step over a macro of that name. */
extern int (fileno)(FILE *stream);
extern int (fsync)(int descriptor);
#endif
#endif

#ifdef _MSC_VER
#pragma warning(push)
#pragma warning(disable : 4996) /* fopen is what C has */
#endif

static void *nn__file_open(void *user, const char *path, bool write) {
    (void)user;
    FILE *file = fopen(path, write ? "wb" : "rb");
    if (!file || write) return file;
    /* On POSIX a directory opens well and fails at the first byte. */
    if (fgetc(file) == EOF && ferror(file)) {
        fclose(file);
        return NULL;
    }
    rewind(file);
    return file;
}

#ifdef _MSC_VER
#pragma warning(pop)
#endif

static bool nn__file_read(void *user, void *file, uint64_t offset, void *data, size_t bytes) {
    FILE *stream = (FILE *)file;
    (void)user;
    if (bytes == 0) return true;
#ifdef _WIN32
    if (offset > INT64_MAX) return false;
    int64_t at = (int64_t)offset;
    if (_ftelli64(stream) != at && _fseeki64(stream, at, SEEK_SET) != 0) return false;
#else
    /* fseeko is hidden by -std=c99; where long has 32 bits, files end at 2 GB for us */
    if (offset > (uint64_t)LONG_MAX) return false;
    if (ftell(stream) != (long)offset && fseek(stream, (long)offset, SEEK_SET) != 0) return false;
#endif
    return fread(data, 1, bytes, stream) == bytes;
}

static bool nn__file_write(void *user, void *file, const void *data, size_t bytes) {
    (void)user;
    return bytes == 0 || fwrite(data, 1, bytes, (FILE *)file) == bytes;
}

static bool nn__file_size(void *user, void *file, uint64_t *bytes) {
    FILE *stream = (FILE *)file;
    (void)user;
    if (fseek(stream, 0, SEEK_END) != 0) return false;
#ifdef _WIN32
    int64_t end = _ftelli64(stream);
#else
    long end = ftell(stream);
#endif
    if (end < 0) return false;
    *bytes = (uint64_t)end;
    return true;
}

static bool nn__file_flush(void *user, void *file) {
    FILE *stream = (FILE *)file;
    (void)user;
    if (fflush(stream) != 0) return false;
#if defined(_WIN32)
    return _commit(_fileno(stream)) == 0;
#elif defined(NN__FILE_POSIX)
    return fsync(fileno(stream)) == 0;
#else
    return true;
#endif
}

static bool nn__file_close(void *user, void *file) {
    (void)user;
    return fclose((FILE *)file) == 0;
}

static bool nn__file_rename(void *user, const char *from, const char *to) {
    (void)user;
#ifdef _WIN32
    return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
#else
    return rename(from, to) == 0;
#endif
}

static bool nn__file_remove(void *user, const char *path) {
    (void)user;
    return remove(path) == 0;
}

#undef NN__FILE_POSIX
#endif

NN_PRIVATE void nn__files_init(nn_files *files) {
#ifndef NN_NO_STDIO
    if (files->open || files->read || files->write || files->size) return;
    if (files->flush || files->close || files->rename || files->remove) return;
    files->open = nn__file_open;
    files->read = nn__file_read;
    files->write = nn__file_write;
    files->size = nn__file_size;
    files->flush = nn__file_flush;
    files->close = nn__file_close;
    files->rename = nn__file_rename;
    files->remove = nn__file_remove;
    files->user = NULL;
#else
    (void)files;
#endif
}

/* ---- saving ---------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__save_begin(nn__save *save, const nn_files *files, const char *path) {
    memset(save, 0, sizeof *save);
    save->failed = true; /* until the file is open: write and end then do nothing */
    if (!path || !*path || strlen(path) >= sizeof save->path) return NN_ERROR_ARGUMENT;
    if (!files->open || !files->write || !files->flush || !files->close || !files->rename || !files->remove) {
        return NN_ERROR_ARGUMENT;
    }
    save->files = files;
    nn__copy_text(save->path, sizeof save->path, path);
    nn__format(save->temporary, sizeof save->temporary, "%s.tmp", path);
    save->handle = files->open(files->user, save->temporary, true);
    if (!save->handle) return NN_ERROR_FILE;
    save->failed = false;
    return NN_OK;
}

NN_PRIVATE nn_result nn__save_write(nn__save *save, const void *data, size_t bytes) {
    if (save->failed) return NN_ERROR_FILE;
    if (bytes > 0 && !save->files->write(save->files->user, save->handle, data, bytes)) save->failed = true;
    return save->failed ? NN_ERROR_FILE : NN_OK;
}

NN_PRIVATE nn_result nn__save_end(nn__save *save, bool commit) {
    const nn_files *files = save->files;
    if (!save->handle) return NN_ERROR_FILE; /* never opened, or ended before */
    if (commit && !save->failed && !files->flush(files->user, save->handle)) save->failed = true;
    if (!files->close(files->user, save->handle)) save->failed = true;
    save->handle = NULL;
    bool failed = save->failed;
    if (commit && !failed && !files->rename(files->user, save->temporary, save->path)) failed = true;
    save->failed = true; /* nothing more can be written */
    if (commit && !failed) return NN_OK;
    files->remove(files->user, save->temporary);
    return failed ? NN_ERROR_FILE : NN_OK;
}

NN_PRIVATE bool nn__replace_file(const nn_files *files, const char *from, const char *to) {
    return files->rename && files->rename(files->user, from, to);
}

#endif /* NN_NO_FILES */
