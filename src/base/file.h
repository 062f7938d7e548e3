/* base/file.h - file hooks, so that a game's archive or a firmware's flash can replace the disk. */
#pragma once

#include "base/config.h"

/* File functions; if all are NULL, stdio is used (unless NN_NO_STDIO). Every function returns false
   (or NULL) on failure. Reading needs open, read, size and close; saving needs all but size.

   Saving writes "<path>.tmp", flushes it and renames it. With stdio the name has a number if
   another save of that path is in progress; with hooks of your own, do not save to one path twice
   at the same time. */
typedef struct nn_files {
    void *(*open)(void *user, const char *path, bool write); /* write: truncates the file */
    bool (*read)(void *user, void *file, uint64_t offset, void *data,
                 size_t bytes); /* reads all the bytes, or fails */
    bool (*write)(void *user, void *file, const void *data, size_t bytes); /* appends */
    bool (*size)(void *user, void *file, uint64_t *bytes);
    bool (*flush)(void *user, void *file); /* to the disk, not only to a cache */
    bool (*close)(void *user, void *file);
    bool (*rename)(void *user, const char *from, const char *to); /* replaces `to` in one step */
    bool (*remove)(void *user, const char *path);
    void *user;
} nn_files;
