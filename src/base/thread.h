/* base/thread.h - who computes: the library's own threads, or the program's job system. */
#pragma once

#include "base/config.h"

/* A job system of the caller. `run` calls item(data, i) for every i in [0, count), each once, on
   any thread in any order, and returns when all have returned. `workers`: how many may run at once
   (also the number of scratch areas); default: 4. Results do not depend on it. Returning before all
   items have returned is an error (NN_ERROR_CALLBACK); the context then computes on the calling
   thread alone. */
typedef struct nn_jobs {
    void (*run)(void *user, int count, void (*item)(void *data, int i), void *data);
    int workers;
    void *user;
} nn_jobs;
