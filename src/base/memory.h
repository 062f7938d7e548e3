/* base/memory.h - where the library's memory comes from. */
#pragma once

#include "base/config.h"

/* Both functions or none. Called only on the thread that calls the library, never from a worker. */
typedef struct nn_allocator {
    /* NULL: no memory, reported as an error */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /* sizes as they were asked */
    void (*release)(void *user, void *memory, size_t bytes, size_t alignment);
    void *user;
} nn_allocator;
