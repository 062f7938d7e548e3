/* base/clock.h - time, for slices and reports; never for results. */
#pragma once

#include "base/config.h"

/* Nanoseconds from any fixed point, never going back. NULL: the system's monotonic clock; where
   none is known, reports show no times and nn_run_for runs one step a call. */
typedef struct nn_clock {
    uint64_t (*now)(void *user);
    void *user;
} nn_clock;
