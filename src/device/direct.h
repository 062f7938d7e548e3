/* device/direct.h - kernel calls of nn_run_on with everything known beforehand: the shapes, the
   units, the scratch. Only the addresses in the kernel's arguments may change between two runs.
   cpu/direct.c fills them in. */
#pragma once

#include "device/private.h"

#define NN__PREPARED_MOST 4 /* parts of a kernel */

/* A part of a kernel. */
typedef struct nn__prepared {
    void (*go)(const struct nn__prepared *self);
    const void *device, *args, *made; /* made: weights in another order */
    void (*unit)(void);               /* the kernel's function, of the device's own type */
    void *shared, *own;
    int32_t phase, count;
    size_t bytes;
} nn__prepared;

/* nn_context points to this once nn__install_prepared was called. Only programs with nn_run_on link
   it. */
typedef struct nn__preparing {
    /* Returns the bytes of memory in which `call` would keep weights; 0: none. */
    size_t (*bytes)(const nn_context *nn, nn_kernel kernel, const void *args);
    /* Prepares a call, if it computes on the calling thread alone. memory: NULL, or the bytes above
       for the weights in another order. The results have the same bytes in both cases. Returns the
       number of parts, at most NN__PREPARED_MOST; 0: call the kernel as usual. */
    int (*call)(const nn_context *nn, nn_kernel kernel, const void *args, void *memory,
                nn__prepared *parts);
    /* True if the call only copies memory: then *to and *from are its views. */
    bool (*copies)(nn_kernel kernel, const void *args, const nn_view **to, const nn_view **from);
} nn__preparing;
