/* base/clock.h - time, for slices and reports; never for results. */
#pragma once

#include "base/config.h"

/* Returns nanoseconds since any fixed point; must never go back. NULL: the system's monotonic
   clock. Where there is none, reports show no times, and nn_run_for does one piece per call. */
typedef struct nn_clock {
    uint64_t (*now)(void *user);
    void *user;
} nn_clock;
