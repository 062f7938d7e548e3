/* plan/places.h - offsets in the blocks of a device, and the search for free ones. */
#pragma once

#include "plan/private.h"

/* A placed value. */
typedef struct nn__placed {
    nn__place_bytes offset, end;
    int first, last;
} nn__placed;

/* The state of the search. Values at one offset live at different times. In the order of offset and
   first step, a search therefore finds quickly which of them overlap a value in time. */
typedef struct nn__places {
    nn__placed *placed;
    int *order; /* the placed values, by offset and then by first step */
    int count;
    int steps;              /* number of steps, rounded up to a power of two */
    uint64_t *low, *high;   /* trees over the steps (see nn__places_raise); NULL: none */
} nn__places;

/* Makes the block long enough for `bytes` at the offset. */
NN_PRIVATE void nn__places_use(nn__plan_device *device, nn__place_bytes offset,
                               nn__place_bytes bytes);
/* Returns an offset after everything placed so far. */
NN_PRIVATE nn__place_bytes nn__places_behind(nn__plan_device *device, nn__place_bytes bytes);
/* Puts `value` at the lowest offset where it overlaps nothing that lives at the same time. Values
   must come largest first. */
NN_PRIVATE void nn__places_put(const nn__plan_device *device, nn__value *value,
                               nn__places *places);
