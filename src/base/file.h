/* base/file.h - files through hooks, so that a game's archive or a firmware's flash can stand in
   for a disk. */
#pragma once

#include "base/config.h"

/* Saving writes "<path>.tmp" (stdio: with a number where another saver is at work), flushes it and
   renames it. With hooks of your own keep two savers of one path apart.
   All NULL: stdio (unless NN_NO_STDIO). Reading needs open, read, size, close; saving needs all but
   size. Every function returns false (or NULL) on failure. */
typedef struct nn_files {
    void *(*open)(void *user, const char *path, bool write); /* NULL: failed; write truncates */
    bool (*read)(void *user, void *file, uint64_t offset, void *data,
                 size_t bytes); /* all the bytes or false */
    bool (*write)(void *user, void *file, const void *data, size_t bytes); /* appends */
    bool (*size)(void *user, void *file, uint64_t *bytes);
    bool (*flush)(void *user, void *file); /* to the disk, not to a cache */
    bool (*close)(void *user, void *file);
    bool (*rename)(void *user, const char *from, const char *to); /* replaces `to` in one step */
    bool (*remove)(void *user, const char *path);
    void *user;
} nn_files;
