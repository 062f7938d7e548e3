/* plan/places.h - offsets in the blocks of a device, and the search for free ones. */
#pragma once

#include "plan/private.h"

/* A value that has its place. */
typedef struct nn__placed {
    nn__place_bytes offset, end;
    int first, last;
} nn__placed;

/* The search for places. What lies at one offset lives at different times, so that in the order of
   offset and time a search finds the few that live with a value. */
typedef struct nn__places {
    nn__placed *placed;
    int *order; /* of what is placed, by offset and then by the first step */
    int count;
    int steps;              /* a power of two */
    uint64_t *low, *high;   /* of each node of a tree over the steps: see nn__places_raise. NULL:
                               there is none */
} nn__places;

/* Makes the block at the offset long enough. */
NN_PRIVATE void nn__places_use(nn__plan_device *device, nn__place_bytes offset,
                               nn__place_bytes bytes);
/* An offset behind everything so far. */
NN_PRIVATE nn__place_bytes nn__places_behind(nn__plan_device *device, nn__place_bytes bytes);
/* Puts `value` at the lowest offset where it meets nothing that lives at the same time. Values come
   the largest first. */
NN_PRIVATE void nn__places_put(const nn__plan_device *device, nn__value *value,
                               nn__places *places);
