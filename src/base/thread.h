/* base/thread.h - running the library's work on the program's job system. */
#pragma once

#include "base/config.h"

/* A job system of the caller. `run` calls item(data, i) once for every i in [0, count), on any
   thread and in any order, and returns when all calls have returned. If it returns earlier, that is
   an error (NN_ERROR_CALLBACK), and from then on the context computes on the calling thread alone.
   `workers` is the largest number of items that run at once and the number of scratch areas;
   default: 4. Results do not depend on it. */
typedef struct nn_jobs {
    void (*run)(void *user, int count, void (*item)(void *data, int i), void *data);
    int workers;
    void *user;
} nn_jobs;
