/* base/pool.c - a fixed pool of threads, or the program's job system, or one thread. It runs one
   job at a time, given by the thread that owns the context. The units of a job run in any order.

   The threads share one word, `state`: the number of the job, whether the job is open, and how
   many workers are inside. A worker enters by adding 1, which fails once the job is closed. So
   the caller never waits for a worker that is asleep or not scheduled, and the workers that are
   awake complete a job of 5 microseconds. Idle workers spin for about 20 microseconds and then
   sleep on a condition variable. */
#include "base/rounding.h"
#include "base/system.h"

/* ---- the pool -------------------------------------------------------------------------------- */

#define NN__THREAD_MOST 256      /* most workers; must be below NN__THREAD_OPEN */
#define NN__THREAD_OPEN 0x8000u  /* state: number << 16 | open | workers inside */
#define NN__THREAD_INSIDE 0x7fffu
#define NN__THREAD_ENDS  0x8000  /* next, for few units: taken from the end << 15 | taken from
                                    the start */
#define NN__THREAD_LINE   64 /* words that several cores write are on separate cache lines */

#ifdef NN__THREADS
typedef struct nn__thread_worker {
    nn__pool         *pool;
    int               number;
    nn__thread_handle thread;
} nn__thread_worker;
#endif

struct nn__pool {
    int      workers; /* the calling thread is worker 0 */
    size_t   bytes;   /* of this allocation */
    nn_jobs  jobs;    /* run NULL: our own threads */
    nn__work work;    /* the job; written only while no thread works on it */
    void    *data;
    int      first, count;
    nn__rounding rounding; /* the caller's settings */
    volatile unsigned broken; /* the job system once returned too early; it is not used again */
    /* the job system's items of the running job: see nn__item */
    volatile char item[NN__THREAD_MOST];
    char     pad0[NN__THREAD_LINE];
    unsigned next; /* atomic: the next unit, from 0, or how many are taken from both ends */
    char     pad1[NN__THREAD_LINE];
#ifdef NN__THREADS
    unsigned state; /* atomic */
    char     pad2[NN__THREAD_LINE];
    unsigned sleeping; /* atomic: workers that may be asleep */
    unsigned waiting;  /* atomic: the caller may be asleep */
    unsigned quit;     /* atomic */
    int      spins;
    int      process; /* the process that has the threads */
    nn__thread_mutex     mutex;
    nn__thread_condition wake, done;
    nn__thread_worker    worker[1]; /* workers - 1 of them */
#endif
};

#ifdef NN__ATOMICS
/* Half of the workers take units from the last one down. So a core mostly writes the same units
   again in the next call, and the next kernel finds them in its cache. */
static void nn__thread_units(nn__pool *pool, int worker) {
    /* the limit leaves room for one failed attempt per worker */
    const bool ends = pool->count < NN__THREAD_ENDS - NN__THREAD_MOST, last = ends && worker % 2;
    for (;;) {
        unsigned low = nn__atomic_add(&pool->next, last ? NN__THREAD_ENDS : 1), high = 0;
        if (ends) {
            high = low / NN__THREAD_ENDS;
            low %= NN__THREAD_ENDS;
        }
        if (low + high >= (unsigned)pool->count) return;
        pool->work(pool->data, pool->first + (last ? pool->count - 1 - (int)high : (int)low),
                   worker);
    }
}
#else
static void nn__thread_units(nn__pool *pool, int worker) {
    for (int unit = worker; unit < pool->count; unit += pool->workers) {
        pool->work(pool->data, pool->first + unit, worker);
    }
}
#endif

/* ---- the program's job system ---------------------------------------------------------------- */

#if defined(NN_NO_THREADS) && defined(NN_NO_REPORTS)
/* The smallest programs trust their job system to run every item. */
static void nn__thread_job_item(void *data, int i) { nn__thread_units((nn__pool *)data, i); }

static bool nn__thread_ask(nn__pool *pool) {
    pool->jobs.run(pool->jobs.user, pool->workers, nn__thread_job_item, pool);
    return true;
}
#else
enum nn__item { NN__ITEM_WAITS, NN__ITEM_RUNS, NN__ITEM_DONE };

static inline void nn__thread_fence(void) {
#if defined(NN__ATOMICS) && defined(__GNUC__)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#elif defined(NN__ATOMICS)
    MemoryBarrier();
#endif
}

/* An item that starts after its job was given up finds `broken` set and does nothing. The caller
   waits for items that started before. */
static void nn__thread_job_item(void *data, int i) {
    nn__pool *pool = (nn__pool *)data;
    nn__rounding own;
    if (i < 0 || i >= pool->workers || pool->item[i] != NN__ITEM_WAITS) return;
    pool->item[i] = NN__ITEM_RUNS;
    nn__thread_fence();
    if (!pool->broken) {
        own = nn__get_rounding();
        nn__set_rounding(pool->rounding);
        nn__thread_units(pool, i);
        nn__set_rounding(own);
    }
    nn__thread_fence();
    pool->item[i] = NN__ITEM_DONE;
}

/* Runs the job system. False: it returned before all items had ended. */
static bool nn__thread_ask(nn__pool *pool) {
#ifdef NN__ATOMICS
    int items = nn__mini(pool->workers, pool->count);
#else
    int items = pool->workers; /* without atomics, each item has a fixed share of the units */
#endif
    int done = 0;
    for (int i = 0; i < pool->workers; i++) pool->item[i] = NN__ITEM_WAITS;
    nn__thread_fence();
    pool->jobs.run(pool->jobs.user, items, nn__thread_job_item, pool);
    nn__thread_fence();
    for (int i = 0; i < items; i++) done += pool->item[i] == NN__ITEM_DONE;
    if (done == items) return true;
    pool->broken = 1;
    nn__thread_fence();
    for (int i = 0; i < pool->workers; i++) {
        while (pool->item[i] == NN__ITEM_RUNS) nn__thread_pause();
    }
    return false;
}
#endif

#ifdef NN__THREADS

/* True if there is an open job that this worker has not seen. */
static bool nn__thread_has_job(nn__pool *pool, unsigned seen) {
    unsigned state = nn__atomic_load(&pool->state);
    return (state & NN__THREAD_OPEN) != 0 && state >> 16 != seen;
}

/* Sleeps until there is a new job or the pool quits; returns at once if that is so already. */
static void nn__thread_sleep(nn__pool *pool, unsigned seen) {
    nn__thread_lock(&pool->mutex);
    /* The worker counts itself, then looks for a job. The caller opens the job, then looks at
       the count. So at least one of them sees the other. */
    nn__atomic_add(&pool->sleeping, 1);
    while (!nn__thread_has_job(pool, seen) && !nn__atomic_load(&pool->quit)) {
        nn__thread_wait(&pool->wake, &pool->mutex);
    }
    nn__atomic_add(&pool->sleeping, 0u - 1u);
    nn__thread_unlock(&pool->mutex);
}

static void nn__thread_leave(nn__pool *pool) {
    unsigned before = nn__atomic_add(&pool->state, 0u - 1u);
    if ((before & (NN__THREAD_OPEN | NN__THREAD_INSIDE)) != 1 || !nn__atomic_load(&pool->waiting))
        return;
    /* with the lock, so that the caller is either before its check or inside its wait */
    nn__thread_lock(&pool->mutex);
    nn__thread_wake(&pool->done);
    nn__thread_unlock(&pool->mutex);
}

NN__THREAD_MAIN nn__thread_run(void *data) {
    nn__thread_worker *self = (nn__thread_worker *)data;
    nn__pool *pool = self->pool;
    unsigned seen = 0;
    int spins = 0;
    while (!nn__atomic_load(&pool->quit)) {
        unsigned state = nn__atomic_load(&pool->state);
        if ((state & NN__THREAD_OPEN) != 0 && state >> 16 != seen) {
            if (!nn__atomic_swap(&pool->state, state, state + 1)) continue;
            seen = state >> 16;
            nn__set_rounding(pool->rounding);
            nn__thread_units(pool, self->number);
            nn__thread_leave(pool);
            spins = 0;
        } else if (spins++ < pool->spins) {
            nn__thread_pause();
        } else {
            nn__thread_sleep(pool, seen);
            spins = 0;
        }
    }
    return NN__THREAD_MAIN_RESULT;
}

/* Closes the job and returns when no worker is inside any more. */
static void nn__thread_finish(nn__pool *pool) {
    unsigned state = nn__atomic_add(&pool->state, 0u - NN__THREAD_OPEN) - NN__THREAD_OPEN;
    for (int i = 0; (state & NN__THREAD_INSIDE) != 0 && i < pool->spins; i++) {
        nn__thread_pause();
        state = nn__atomic_load(&pool->state);
    }
    if ((state & NN__THREAD_INSIDE) == 0) return;
    nn__thread_lock(&pool->mutex);
    nn__atomic_store(&pool->waiting, 1);
    while ((nn__atomic_load(&pool->state) & NN__THREAD_INSIDE) != 0) {
        nn__thread_wait(&pool->done, &pool->mutex);
    }
    nn__atomic_store(&pool->waiting, 0);
    nn__thread_unlock(&pool->mutex);
}

static void nn__thread_share(nn__pool *pool) {
    unsigned number = (nn__atomic_load(&pool->state) >> 16) + 1;
    nn__atomic_store(&pool->state, number << 16 | NN__THREAD_OPEN);
    if (nn__atomic_load(&pool->sleeping) > 0) {
        nn__thread_lock(&pool->mutex);
        nn__thread_wake(&pool->wake);
        nn__thread_unlock(&pool->mutex);
    }
    nn__thread_units(pool, 0);
    nn__thread_finish(pool);
}

static void nn__thread_stop(nn__pool *pool) {
    /* after fork(): threads and locks belong to the parent */
    if (pool->process != nn__thread_process()) return;
    nn__thread_lock(&pool->mutex);
    nn__atomic_store(&pool->quit, 1);
    nn__thread_wake(&pool->wake);
    nn__thread_unlock(&pool->mutex);
    for (int i = 0; i < pool->workers - 1; i++) nn__thread_join(pool->worker[i].thread);
    nn__thread_dispose(&pool->mutex, &pool->wake, &pool->done);
}

/* If the system gives fewer threads than wanted, that is no error: results do not depend on it. */
static nn_result nn__thread_open(nn__memory *memory, int threads, nn__pool **pool) {
    int cores = nn__thread_cores();
    int workers = nn__mini(threads > 0 ? threads : cores, NN__THREAD_MOST);
    if (workers < 2) return NN_OK;
    size_t bytes = sizeof(nn__pool) + (size_t)(workers - 1) * sizeof(nn__thread_worker);
    nn__pool *made = (nn__pool *)nn__allocate(memory, bytes);
    if (!made) return NN_ERROR_MEMORY;
    made->bytes = bytes;
    made->workers = 1;
    made->process = nn__thread_process();
    /* spinning on a core that others need only delays them */
    made->spins = workers <= cores ? 1000 : 10;
    if (!nn__thread_prepare(&made->mutex, &made->wake, &made->done)) {
        nn__release(memory, made, bytes);
        return NN_OK;
    }
    for (int i = 0; i < workers - 1; i++) {
        made->worker[i].pool = made;
        made->worker[i].number = i + 1;
        if (!nn__thread_start(&made->worker[i].thread, nn__thread_run, &made->worker[i], 0)) break;
        made->workers++;
    }
    *pool = made;
    if (made->workers > 1) return NN_OK;
    nn__pool_close(memory, made);
    *pool = NULL;
    return NN_OK;
}

#endif

/* ---- for the rooms above --------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__pool_open(nn__memory *memory, const nn_jobs *jobs, int threads,
                                   nn__pool **pool) {
    *pool = NULL;
    if (jobs && jobs->run) {
        nn__pool *made = (nn__pool *)nn__allocate(memory, sizeof(nn__pool));
        if (!made) return NN_ERROR_MEMORY;
        made->bytes = sizeof(nn__pool);
        made->jobs = *jobs;
        made->workers = nn__mini(jobs->workers > 0 ? jobs->workers : 4, NN__THREAD_MOST);
        *pool = made;
        return NN_OK;
    }
#ifdef NN__THREADS
    return nn__thread_open(memory, threads, pool);
#else
    (void)threads;
    return NN_OK;
#endif
}

NN_PRIVATE void nn__pool_close(nn__memory *memory, nn__pool *pool) {
    if (!pool) return;
#ifdef NN__THREADS
    if (!pool->jobs.run) nn__thread_stop(pool);
#endif
    nn__release(memory, pool, pool->bytes);
}

NN_PRIVATE int nn__pool_workers(const nn__pool *pool) { return pool ? pool->workers : 1; }

NN_PRIVATE bool nn__parallel(nn__pool *pool, int first, int count, nn__work work, void *data) {
    bool alone = !pool || count <= 1 || pool->broken;
#ifdef NN__THREADS
    if (!alone && !pool->jobs.run) alone = pool->process != nn__thread_process();
#endif
    if (alone) {
        for (int i = 0; i < count; i++) work(data, first + i, 0);
        return true;
    }
    pool->work = work;
    pool->data = data;
    pool->first = first;
    pool->count = count;
    pool->rounding = nn__get_rounding();
#ifdef NN__ATOMICS
    nn__atomic_store(&pool->next, 0);
#endif
    if (pool->jobs.run) return nn__thread_ask(pool);
#ifdef NN__THREADS
    nn__thread_share(pool);
#endif
    return true;
}

#undef NN__THREAD_MOST
#undef NN__THREAD_OPEN
#undef NN__THREAD_INSIDE
#undef NN__THREAD_ENDS
#undef NN__THREAD_LINE
