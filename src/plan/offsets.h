/* plan/offsets.h - offsets in the blocks of a device, and the search for free ones. */
#pragma once

#include "plan/private.h"

/* A placed value. */
typedef struct nn__placed {
    nn__offset_bytes offset, end;
    int first, last;
} nn__placed;

/* The state of the search. Values at one offset live at different times. In the order of offset and
   first step, a search therefore finds quickly which of them overlap a value in time. */
typedef struct nn__offsets {
    nn__placed *placed;
    int *order; /* the placed values, by offset and then by first step */
    int count;
    int steps;              /* number of steps, rounded up to a power of two */
    uint64_t *low, *high;   /* trees over the steps (see nn__offsets_raise); NULL: none */
} nn__offsets;

/* Makes the block long enough for `bytes` at the offset. */
NN_PRIVATE void nn__offsets_use(nn__plan_device *device, nn__offset_bytes offset,
                               nn__offset_bytes bytes);
/* Returns an offset after everything placed so far. */
NN_PRIVATE nn__offset_bytes nn__offsets_behind(nn__plan_device *device, nn__offset_bytes bytes);
/* Puts `value` at the lowest offset where it overlaps nothing that lives at the same time. Values
   must come largest first. */
NN_PRIVATE void nn__offsets_put(const nn__plan_device *device, nn__value *value,
                               nn__offsets *places);
