/* tests/support/systems.h - calls whose names differ between POSIX and Windows. */
#ifndef SYSTEMS_H
#define SYSTEMS_H

#include "test.h"

#include <stdlib.h>

#ifdef _WIN32
#include <direct.h>
#include <malloc.h>
#else
#include <sys/stat.h>
#endif

/* Returns NULL if there is no memory. Free it with free_aligned. */
static inline void *allocate_aligned(size_t bytes, size_t alignment) {
    if (alignment < sizeof(void *)) alignment = sizeof(void *);
#ifdef _WIN32
    return _aligned_malloc(bytes, alignment);
#else
    void *memory = NULL;
    return posix_memalign(&memory, alignment, bytes) ? NULL : memory;
#endif
}
static inline void free_aligned(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}
static inline void make_folder(const char *path) {
#ifdef _WIN32
    _mkdir(path);
#else
    mkdir(path, 0777);
#endif
}
#endif
