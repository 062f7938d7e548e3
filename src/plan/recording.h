/* plan/recording.h - the data that plan/profile.c records and plan/trace.c writes. */
#pragma once

#include "plan/private.h"
#include "plan/profile.h"

#ifndef NN_NO_REPORTS

#define NN__PROFILE_EVENTS    4096 /* pieces of work that the trace keeps */
#define NN__PROFILE_CROSSINGS 512
#define NN__PROFILE_PENDING   64 /* marks that have not been read yet */
/* marks of one device; device/backend.h promises to keep as many */
#define NN__PROFILE_BEHIND    32

typedef enum nn__profile_track {
    NN__PROFILE_QUEUE, /* steps */
    NN__PROFILE_COPY,  /* transfers on a queue */
    NN__PROFILE_TRANSFER,
    NN__PROFILE_HOST, /* calls of nn_run */
    NN__PROFILE_GROUP, /* exchange with other ranks, beside the runs */
    NN__PROFILE_TRACKS
} nn__profile_track;

typedef struct nn__profile_event {
    uint64_t start, end; /* in ns */
    int32_t step;        /* index of the plan's step; -1: none */
    int8_t track, on;    /* on: index of the context's device */
    bool by_device;      /* measured by the device's clock, else by the host's */
} nn__profile_event;

typedef struct nn__profile_crossing {
    nn__profile_event event;
    char tensor[NN_NAME_BYTES];
    nn_device from, to;
    uint64_t bytes;
} nn__profile_crossing;

typedef struct nn__profile_row {
    uint64_t calls, nanoseconds, pieces, unknown; /* pieces: of slices; otherwise equal to calls */
    double flops, bytes;
} nn__profile_row;

typedef struct nn__profile_pending {
    nn_fence fence;
    uint64_t begun; /* when the host enqueued the work */
    nn__profile_event event;
    uint64_t crossing; /* number of the crossing, from 1; 0: a piece of a step */
} nn__profile_pending;

typedef struct nn__profile_device {
    uint64_t busy, first, last; /* of steps, by one clock; last = 0: none yet */
    bool aligned, unknown;
    int64_t ahead; /* host clock minus device clock, as a lower bound: work starts after the host
                      enqueued it */
} nn__profile_device;

typedef struct nn__profile {
    nn__profiler profiler; /* must be first: the plan points to it */
    nn__watch watch;
    nn_context *nn;
    uint64_t begun, run_begun, crossing_begun;
    bool in_step;
    int step;
    uint64_t runs, run_nanoseconds;
    nn__profile_device devices[NN_MAX_DEVICES];
    nn__profile_pending pending[NN__PROFILE_PENDING];
    int pending_first, pending_count;
    uint64_t event_count, crossing_count; /* total numbers; the rings keep the last ones */
    nn__profile_event events[NN__PROFILE_EVENTS];
    nn__profile_crossing crossings[NN__PROFILE_CROSSINGS];
    int rows;
    nn__profile_row row[1]; /* one for each step */
} nn__profile;

static inline NN__UNUSED nn__profile *nn__profile_of(const nn_plan *plan) {
    return plan && plan->profiler ? (nn__profile *)(void *)plan->profiler : NULL;
}

#endif
