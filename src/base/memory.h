/* base/memory.h - where the library's memory comes from. */
#pragma once

#include "base/config.h"

/* Give both functions or neither. They are called only on the thread that calls the library, never
   on a worker. */
typedef struct nn_allocator {
    /* returns NULL if there is no memory, which is reported as an error */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    /* receives the size and alignment of the allocation */
    void (*release)(void *user, void *memory, size_t bytes, size_t alignment);
    void *user;
} nn_allocator;
