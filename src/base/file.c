/* base/file.c - stdio as the default file hooks, and saving that never loses the old file. Hooks
   are not mixed: a program that sets one of them gets none of the defaults. */
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
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__STRICT_ANSI__) && !defined(__cplusplus)
/* -std=c99 hides these. The parentheses avoid macros of the same name. */
extern int (fileno)(FILE *stream);
extern int (fsync)(int descriptor);
extern FILE *(fdopen)(int descriptor, const char *mode);
extern ssize_t (readlink)(const char *path, char *target, size_t size);
#endif
#endif

#ifdef _MSC_VER
#pragma warning(push)
#pragma warning(disable : 4996) /* fopen: there is nothing else in C */
#endif

static void *nn__file_open(void *user, const char *path, bool write) {
    (void)user;
    FILE *file = fopen(path, write ? "wb" : "rb");
    if (!file || write) return file;
    /* on POSIX, opening a directory succeeds, and reading its first byte fails */
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
    /* -std=c99 hides fseeko; with a 32-bit long, files are limited to 2 GB */
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

/* ---- temporary files ------------------------------------------------------------------------- */

#ifdef NN__FILE_POSIX

/* Follows links, so that saving replaces the file and not the link. False: the path is too long,
   or the links form a ring. */
static bool nn__file_follow(char *path, size_t size) {
    char target[512];
    for (int links = 0; links < 16; links++) {
        ssize_t length = readlink(path, target, sizeof target - 1);
        size_t folder = 0;
        if (length < 0) return true; /* no link, or nothing there */
        target[length] = 0;
        for (size_t i = 0; target[0] != '/' && path[i]; i++)
            if (path[i] == '/') folder = i + 1;
        if (folder + (size_t)length >= size) return false;
        memcpy(path + folder, target, (size_t)length + 1);
    }
    return false;
}

/* Removes a temporary file of a program that was killed. A file that is being written is locked
   and stays. */
static void nn__file_remove_leftover(const char *path) {
    struct stat opened, named;
    char target[1];
    int descriptor = open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0) {
        /* a dangling link */
        if (errno == ENOENT && readlink(path, target, 1) > 0) remove(path);
        return;
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &opened) == 0 &&
        stat(path, &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev)
        remove(path);
    close(descriptor);
}

/* Creates a new file and locks it for as long as it is open. Links are not followed. */
static FILE *nn__file_create(const char *path) {
    struct stat made;
    FILE *file = NULL;
    int descriptor;
    nn__file_remove_leftover(path);
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor < 0) return NULL;
    /* another saver may have removed it as a leftover before the lock */
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &made) == 0 &&
        made.st_nlink > 0)
        file = fdopen(descriptor, "wb");
    if (file) return file;
    close(descriptor);
    errno = EEXIST;
    return NULL;
}

/* Creates "<path>.tmp", or "<path>.1.tmp" and so on if another saver uses that name. */
static void *nn__file_begin(nn__save *save) {
    struct stat old;
    if (!nn__file_follow(save->path, sizeof save->path)) return NULL;
    /* a device, a pipe or a folder */
    if (stat(save->path, &old) == 0 && !S_ISREG(old.st_mode)) return NULL;
    for (int i = 0; i < 64; i++) {
        FILE *file;
        if (i == 0) nn__format(save->temporary, sizeof save->temporary, "%s.tmp", save->path);
        else nn__format(save->temporary, sizeof save->temporary, "%s.%d.tmp", save->path, i);
        file = nn__file_create(save->temporary);
        if (file) return file;
        if (errno != EEXIST) return NULL;
    }
    return NULL;
}

/* Renames before it closes, because the lock must last until the temporary name is gone. Keeps
   the permissions of the old file. */
static bool nn__file_end(nn__save *save, bool commit) {
    struct stat old;
    bool good = true;
    if (commit && stat(save->path, &old) == 0) chmod(save->temporary, old.st_mode & 0777);
    if (commit) good = rename(save->temporary, save->path) == 0;
    if (!commit || !good) remove(save->temporary);
    return (fclose((FILE *)save->handle) == 0) && good;
}

#elif defined(_WIN32)

/* The number of the process makes the name unique, and existing files are left alone. An open
   file cannot be renamed here, so it is closed first. */
static void *nn__file_begin(nn__save *save) {
    for (int i = 0; i < 64; i++) {
        HANDLE handle;
        nn__format(save->temporary, sizeof save->temporary, "%s.%u.%d.tmp", save->path,
                   (unsigned)GetCurrentProcessId(), i);
        handle = CreateFileA(save->temporary, GENERIC_WRITE, 0, NULL, CREATE_NEW,
                             FILE_ATTRIBUTE_NORMAL, NULL);
        if (handle != INVALID_HANDLE_VALUE) {
            CloseHandle(handle);
            return nn__file_open(NULL, save->temporary, true);
        }
        if (GetLastError() != ERROR_FILE_EXISTS) return NULL;
    }
    return NULL;
}

#endif

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
    save->failed = true; /* until the file is open, so that write and end do nothing */
    if (!path || !*path || strlen(path) >= sizeof save->path) return NN_ERROR_ARGUMENT;
    if (!files->open || !files->write || !files->flush || !files->close || !files->rename ||
        !files->remove) {
        return NN_ERROR_ARGUMENT;
    }
    save->files = files;
    nn__copy_text(save->path, sizeof save->path, path);
#if !defined(NN_NO_STDIO) && (defined(NN__FILE_POSIX) || defined(_WIN32))
    if (files->open == nn__file_open) save->handle = nn__file_begin(save);
    else
#endif
    {
        nn__format(save->temporary, sizeof save->temporary, "%s.tmp", path);
        save->handle = files->open(files->user, save->temporary, true);
    }
    if (!save->handle) return NN_ERROR_FILE;
    save->failed = false;
    return NN_OK;
}

NN_PRIVATE nn_result nn__save_write(nn__save *save, const void *data, size_t bytes) {
    if (save->failed) return NN_ERROR_FILE;
    if (bytes > 0 && !save->files->write(save->files->user, save->handle, data, bytes))
        save->failed = true;
    return save->failed ? NN_ERROR_FILE : NN_OK;
}

NN_PRIVATE nn_result nn__save_end(nn__save *save, bool commit) {
    const nn_files *files = save->files;
    if (!save->handle) return NN_ERROR_FILE; /* never opened, or already ended */
    if (commit && !save->failed && !files->flush(files->user, save->handle)) save->failed = true;
#if !defined(NN_NO_STDIO) && defined(NN__FILE_POSIX)
    if (files->open == nn__file_open) {
        bool good = !save->failed;
        if (!nn__file_end(save, commit && good)) good = false;
        save->handle = NULL;
        save->failed = true;
        return good ? NN_OK : NN_ERROR_FILE;
    }
#endif
    if (!files->close(files->user, save->handle)) save->failed = true;
    save->handle = NULL;
    bool failed = save->failed;
    if (commit && !failed && !files->rename(files->user, save->temporary, save->path))
        failed = true;
    save->failed = true; /* nothing more can be written */
    if (commit && !failed) return NN_OK;
    files->remove(files->user, save->temporary);
    return failed ? NN_ERROR_FILE : NN_OK;
}

NN_PRIVATE bool nn__replace_file(const nn_files *files, const char *from, const char *to) {
    return files->rename && files->rename(files->user, from, to);
}

#undef NN__FILE_POSIX
#endif /* NN_NO_FILES */
