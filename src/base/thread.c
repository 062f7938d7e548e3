/* base/thread.c - a fixed pool of threads, or the program's job system, or one thread.
   It refuses to be a scheduler: one job at a time, from the thread that owns the context, units in any order.
   A crew, at the end, is a lock and some threads: what they do is decided by who opens it.

   All that the threads share is one word, `state`: the job's number, whether the job is open, and how many
   workers are inside. A worker enters by adding 1 to it, which fails once the job is closed. So the caller
   never waits for a worker that sleeps or was not scheduled; a job of 5 microseconds is done by those awake.
   Workers that find nothing spin for some 20 microseconds and then sleep on a condition variable.
   Next: base/random.c. */
#include "base/private.h"
#include "base/windows.h"

/* ---- atomics --------------------------------------------------------------------------------- */

/* NN__THREAD_ATOMICS: units are handed out by a counter; NN__THREAD_POOL: there are threads of our own.
   Without atomics (tcc, NN_NO_THREADS for machines that lack them) a job system gets fixed shares. */
#if defined(NN_NO_THREADS) || defined(__TINYC__)
#elif defined(__GNUC__) && __GCC_ATOMIC_INT_LOCK_FREE == 2
#define NN__THREAD_ATOMICS
static inline NN__UNUSED unsigned nn__thread_load(unsigned *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
static inline NN__UNUSED void nn__thread_store(unsigned *word, unsigned value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline NN__UNUSED unsigned nn__thread_add(unsigned *word, unsigned value) { /* returns the old value */
    return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
static inline NN__UNUSED bool nn__thread_swap(unsigned *word, unsigned from, unsigned to) {
    return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
#elif defined(_MSC_VER)
#define NN__THREAD_ATOMICS
static unsigned nn__thread_load(unsigned *word) {
    unsigned value = *(volatile unsigned *)word;
    MemoryBarrier();
    return value;
}
static void nn__thread_store(unsigned *word, unsigned value) {
    InterlockedExchange((volatile LONG *)word, (LONG)value);
}
static unsigned nn__thread_add(unsigned *word, unsigned value) {
    return (unsigned)InterlockedExchangeAdd((volatile LONG *)word, (LONG)value);
}
static bool nn__thread_swap(unsigned *word, unsigned from, unsigned to) {
    return (unsigned)InterlockedCompareExchange((volatile LONG *)word, (LONG)to, (LONG)from) == from;
}
#endif

/* ---- the system's threads -------------------------------------------------------------------- */

#if defined(NN__THREAD_ATOMICS) && defined(_WIN32)
#define NN__THREAD_POOL
typedef HANDLE             nn__thread_handle;
typedef SRWLOCK            nn__thread_mutex;
typedef CONDITION_VARIABLE nn__thread_condition;
#define NN__THREAD_MAIN static DWORD WINAPI
#define NN__THREAD_MAIN_RESULT 0
typedef DWORD(WINAPI *nn__thread_main)(void *data);

static bool nn__thread_start(nn__thread_handle *thread, nn__thread_main function, void *data) {
    *thread = CreateThread(NULL, 0, function, data, 0, NULL);
    return *thread != NULL;
}
static void nn__thread_join(nn__thread_handle thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}
static bool nn__thread_prepare(nn__thread_mutex *mutex, nn__thread_condition *wake,
                               nn__thread_condition *done) {
    InitializeSRWLock(mutex);
    InitializeConditionVariable(wake);
    InitializeConditionVariable(done);
    return true;
}
static void nn__thread_dispose(nn__thread_mutex *mutex, nn__thread_condition *wake,
                               nn__thread_condition *done) {
    (void)mutex, (void)wake, (void)done;
}
static void nn__thread_lock(nn__thread_mutex *mutex) { AcquireSRWLockExclusive(mutex); }
static void nn__thread_unlock(nn__thread_mutex *mutex) { ReleaseSRWLockExclusive(mutex); }
static void nn__thread_wait(nn__thread_condition *condition, nn__thread_mutex *mutex) {
    SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}
static void nn__thread_wake(nn__thread_condition *condition) { WakeAllConditionVariable(condition); }
/* Until woken, or for a moment. Returns milliseconds that have passed for sure. */
static int nn__thread_wait_briefly(nn__thread_condition *condition, nn__thread_mutex *mutex) {
    DWORD start = GetTickCount();
    SleepConditionVariableSRW(condition, mutex, 10, 0);
    return (int)(GetTickCount() - start);
}
static void nn__thread_detach(nn__thread_handle thread) { CloseHandle(thread); }
static int nn__thread_cores(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
}

#elif defined(NN__THREAD_ATOMICS) && (defined(__unix__) || defined(__APPLE__))
#define NN__THREAD_POOL
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
typedef pthread_t       nn__thread_handle;
typedef pthread_mutex_t nn__thread_mutex;
typedef pthread_cond_t  nn__thread_condition;
#define NN__THREAD_MAIN static void *
#define NN__THREAD_MAIN_RESULT NULL
typedef void *(*nn__thread_main)(void *data);

static bool nn__thread_start(nn__thread_handle *thread, nn__thread_main function, void *data) {
    return pthread_create(thread, NULL, function, data) == 0;
}
static void nn__thread_join(nn__thread_handle thread) { pthread_join(thread, NULL); }
static bool nn__thread_prepare(nn__thread_mutex *mutex, nn__thread_condition *wake,
                               nn__thread_condition *done) {
    if (pthread_mutex_init(mutex, NULL) != 0) return false;
    if (pthread_cond_init(wake, NULL) == 0) {
        if (pthread_cond_init(done, NULL) == 0) return true;
        pthread_cond_destroy(wake);
    }
    pthread_mutex_destroy(mutex);
    return false;
}
static void nn__thread_dispose(nn__thread_mutex *mutex, nn__thread_condition *wake,
                               nn__thread_condition *done) {
    pthread_cond_destroy(done);
    pthread_cond_destroy(wake);
    pthread_mutex_destroy(mutex);
}
static void nn__thread_lock(nn__thread_mutex *mutex) { pthread_mutex_lock(mutex); }
static void nn__thread_unlock(nn__thread_mutex *mutex) { pthread_mutex_unlock(mutex); }
static void nn__thread_wait(nn__thread_condition *condition, nn__thread_mutex *mutex) {
    pthread_cond_wait(condition, mutex);
}
static void nn__thread_wake(nn__thread_condition *condition) { pthread_cond_broadcast(condition); }
/* For a moment. Returns milliseconds that have passed for sure. -std=c99 hides the clock that
   pthread_cond_timedwait counts by, but not poll. */
static int nn__thread_wait_briefly(nn__thread_condition *condition, nn__thread_mutex *mutex) {
    int slept;
    (void)condition;
    nn__thread_unlock(mutex);
    slept = poll(NULL, 0, 1) == 0;
    nn__thread_lock(mutex);
    return slept;
}
static void nn__thread_detach(nn__thread_handle thread) { pthread_detach(thread); }
static int nn__thread_cores(void) {
#ifdef _SC_NPROCESSORS_ONLN
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 && cores < 100000 ? (int)cores : 1;
#else
    return 1;
#endif
}
#endif

/* ---- the pool -------------------------------------------------------------------------------- */

#define NN__THREAD_MOST 256      /* workers; must fit under NN__THREAD_OPEN */
#define NN__THREAD_OPEN 0x8000u  /* state: number << 16 | open | workers inside */
#define NN__THREAD_INSIDE 0x7fffu
#define NN__THREAD_LINE 64       /* words that several cores write stand on cache lines of their own */

#ifdef NN__THREAD_POOL
typedef struct nn__thread_worker {
    nn__pool         *pool;
    int               number;
    nn__thread_handle thread;
} nn__thread_worker;
#endif

struct nn__pool {
    int      workers; /* the calling thread is worker 0 */
    size_t   bytes;   /* of this allocation */
    nn_jobs  jobs;    /* run is NULL: our own threads */
    nn__work work;    /* the job; written only while nobody is inside */
    void    *data;
    int      first, count;
    char     pad0[NN__THREAD_LINE];
    unsigned next; /* atomic: the next unit, from 0 */
    char     pad1[NN__THREAD_LINE];
#ifdef NN__THREAD_POOL
    unsigned state; /* atomic */
    char     pad2[NN__THREAD_LINE];
    unsigned sleeping; /* atomic: workers that may be in wait */
    unsigned waiting;  /* atomic: the caller may be in wait */
    unsigned quit;     /* atomic */
    int      spins;
    nn__thread_mutex     mutex;
    nn__thread_condition wake, done;
    nn__thread_worker    worker[1]; /* workers - 1 of them */
#endif
};

#ifdef NN__THREAD_ATOMICS
static void nn__thread_units(nn__pool *pool, int worker) {
    for (;;) {
        unsigned unit = nn__thread_add(&pool->next, 1);
        if (unit >= (unsigned)pool->count) return;
        pool->work(pool->data, pool->first + (int)unit, worker);
    }
}
#else
static void nn__thread_units(nn__pool *pool, int worker) {
    for (int unit = worker; unit < pool->count; unit += pool->workers) {
        pool->work(pool->data, pool->first + unit, worker);
    }
}
#endif

static void nn__thread_job_item(void *data, int i) { nn__thread_units((nn__pool *)data, i); }

#ifdef NN__THREAD_POOL

static void nn__thread_pause(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && (defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7))
    __asm__ __volatile__("yield");
#elif defined(_MSC_VER)
    YieldProcessor();
#endif
}

/* True with an open job that this worker has not seen. */
static bool nn__thread_has_job(nn__pool *pool, unsigned seen) {
    unsigned state = nn__thread_load(&pool->state);
    return (state & NN__THREAD_OPEN) != 0 && state >> 16 != seen;
}

/* Returns at once with a job or the end; otherwise after a sleep that one of them ended. */
static void nn__thread_sleep(nn__pool *pool, unsigned seen) {
    nn__thread_lock(&pool->mutex);
    /* It counts itself, then looks; the caller opens the job, then looks at the count: one sees the other. */
    nn__thread_add(&pool->sleeping, 1);
    while (!nn__thread_has_job(pool, seen) && !nn__thread_load(&pool->quit)) {
        nn__thread_wait(&pool->wake, &pool->mutex);
    }
    nn__thread_add(&pool->sleeping, 0u - 1u);
    nn__thread_unlock(&pool->mutex);
}

static void nn__thread_leave(nn__pool *pool) {
    unsigned before = nn__thread_add(&pool->state, 0u - 1u);
    if ((before & (NN__THREAD_OPEN | NN__THREAD_INSIDE)) != 1 || !nn__thread_load(&pool->waiting)) return;
    nn__thread_lock(&pool->mutex); /* so that the caller is either before its look or inside its wait */
    nn__thread_wake(&pool->done);
    nn__thread_unlock(&pool->mutex);
}

NN__THREAD_MAIN nn__thread_run(void *data) {
    nn__thread_worker *self = (nn__thread_worker *)data;
    nn__pool *pool = self->pool;
    unsigned seen = 0;
    int spins = 0;
    while (!nn__thread_load(&pool->quit)) {
        unsigned state = nn__thread_load(&pool->state);
        if ((state & NN__THREAD_OPEN) != 0 && state >> 16 != seen) {
            if (!nn__thread_swap(&pool->state, state, state + 1)) continue;
            seen = state >> 16;
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

/* Closes the job and returns when nobody is inside. */
static void nn__thread_finish(nn__pool *pool) {
    unsigned state = nn__thread_add(&pool->state, 0u - NN__THREAD_OPEN) - NN__THREAD_OPEN;
    for (int i = 0; (state & NN__THREAD_INSIDE) != 0 && i < pool->spins; i++) {
        nn__thread_pause();
        state = nn__thread_load(&pool->state);
    }
    if ((state & NN__THREAD_INSIDE) == 0) return;
    nn__thread_lock(&pool->mutex);
    nn__thread_store(&pool->waiting, 1);
    while ((nn__thread_load(&pool->state) & NN__THREAD_INSIDE) != 0) {
        nn__thread_wait(&pool->done, &pool->mutex);
    }
    nn__thread_store(&pool->waiting, 0);
    nn__thread_unlock(&pool->mutex);
}

static void nn__thread_share(nn__pool *pool) {
    unsigned number = (nn__thread_load(&pool->state) >> 16) + 1;
    nn__thread_store(&pool->state, number << 16 | NN__THREAD_OPEN);
    if (nn__thread_load(&pool->sleeping) > 0) {
        nn__thread_lock(&pool->mutex);
        nn__thread_wake(&pool->wake);
        nn__thread_unlock(&pool->mutex);
    }
    nn__thread_units(pool, 0);
    nn__thread_finish(pool);
}

static void nn__thread_stop(nn__pool *pool) {
    nn__thread_lock(&pool->mutex);
    nn__thread_store(&pool->quit, 1);
    nn__thread_wake(&pool->wake);
    nn__thread_unlock(&pool->mutex);
    for (int i = 0; i < pool->workers - 1; i++) nn__thread_join(pool->worker[i].thread);
    nn__thread_dispose(&pool->mutex, &pool->wake, &pool->done);
}

/* Fewer threads than asked, when the system refuses some, is no error: results do not depend on it. */
static nn_result nn__thread_open(nn__memory *memory, int threads, nn__pool **pool) {
    int cores = nn__thread_cores();
    int workers = nn__mini(threads > 0 ? threads : cores, NN__THREAD_MOST);
    if (workers < 2) return NN_OK;
    size_t bytes = sizeof(nn__pool) + (size_t)(workers - 1) * sizeof(nn__thread_worker);
    nn__pool *made = (nn__pool *)nn__allocate(memory, bytes);
    if (!made) return NN_ERROR_MEMORY;
    made->bytes = bytes;
    made->workers = 1;
    made->spins = workers <= cores ? 1000 : 10; /* who spins on a core that others need only delays them */
    if (!nn__thread_prepare(&made->mutex, &made->wake, &made->done)) {
        nn__release(memory, made, bytes);
        return NN_OK;
    }
    for (int i = 0; i < workers - 1; i++) {
        made->worker[i].pool = made;
        made->worker[i].number = i + 1;
        if (!nn__thread_start(&made->worker[i].thread, nn__thread_run, &made->worker[i])) break;
        made->workers++;
    }
    *pool = made;
    if (made->workers > 1) return NN_OK;
    nn__pool_close(memory, made);
    *pool = NULL;
    return NN_OK;
}

#endif

/* ---- what the rooms above see ---------------------------------------------------------------- */

NN_PRIVATE nn_result nn__pool_open(nn__memory *memory, const nn_jobs *jobs, int threads, nn__pool **pool) {
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
#ifdef NN__THREAD_POOL
    return nn__thread_open(memory, threads, pool);
#else
    (void)threads;
    return NN_OK;
#endif
}

NN_PRIVATE void nn__pool_close(nn__memory *memory, nn__pool *pool) {
    if (!pool) return;
#ifdef NN__THREAD_POOL
    if (!pool->jobs.run) nn__thread_stop(pool);
#endif
    nn__release(memory, pool, pool->bytes);
}

NN_PRIVATE int nn__pool_workers(const nn__pool *pool) { return pool ? pool->workers : 1; }

NN_PRIVATE void nn__parallel(nn__pool *pool, int first, int count, nn__work work, void *data) {
    if (!pool || count <= 1) {
        for (int i = 0; i < count; i++) work(data, first + i, 0);
        return;
    }
    pool->work = work;
    pool->data = data;
    pool->first = first;
    pool->count = count;
#ifdef NN__THREAD_ATOMICS
    nn__thread_store(&pool->next, 0);
#endif
    if (pool->jobs.run) {
#ifdef NN__THREAD_ATOMICS
        int items = nn__mini(pool->workers, count);
#else
        int items = pool->workers; /* every share needs its item */
#endif
        pool->jobs.run(pool->jobs.user, items, nn__thread_job_item, pool);
        return;
    }
#ifdef NN__THREAD_POOL
    nn__thread_share(pool);
#endif
}

/* ---- a crew: threads that work beside the caller ---------------------------------------------- */

#ifdef NN__THREAD_POOL

typedef struct nn__thread_member {
    nn__crew *crew;
    int number;
    bool ended; /* under the lock */
    nn__thread_handle thread;
} nn__thread_member;

struct nn__crew {
    size_t bytes; /* of this allocation: the crew, its members, the data */
    int members;
    int present; /* under the lock: members that have not ended */
    bool quits;  /* under the lock */
    void (*run)(nn__crew *crew, void *data, int member);
    void *data;
    nn__thread_member *member;
    nn__thread_mutex mutex;
    nn__thread_condition wake, told;
};

NN__THREAD_MAIN nn__thread_serve(void *data) {
    nn__thread_member *self = (nn__thread_member *)data;
    nn__crew *crew = self->crew;
    crew->run(crew, crew->data, self->number);
    nn__thread_lock(&crew->mutex);
    self->ended = true;
    crew->present--;
    nn__thread_wake(&crew->told);
    nn__thread_unlock(&crew->mutex);
    return NN__THREAD_MAIN_RESULT;
}

NN_PRIVATE void nn__crew_lock(nn__crew *crew) { nn__thread_lock(&crew->mutex); }
NN_PRIVATE void nn__crew_unlock(nn__crew *crew) { nn__thread_unlock(&crew->mutex); }
NN_PRIVATE void nn__crew_wake(nn__crew *crew) { nn__thread_wake(&crew->wake); }
NN_PRIVATE void nn__crew_tell(nn__crew *crew) { nn__thread_wake(&crew->told); }
NN_PRIVATE bool nn__crew_quits(const nn__crew *crew) { return crew->quits; }
NN_PRIVATE int nn__crew_members(const nn__crew *crew) { return crew ? crew->members : 0; }
NN_PRIVATE void nn__crew_wait(nn__crew *crew) { nn__thread_wait(&crew->wake, &crew->mutex); }

NN_PRIVATE int nn__crew_listen(nn__crew *crew, bool briefly) {
    if (briefly) return nn__thread_wait_briefly(&crew->told, &crew->mutex);
    nn__thread_wait(&crew->told, &crew->mutex);
    return 0;
}

NN_PRIVATE nn__crew *nn__crew_open(nn__memory *memory, int members, size_t data_bytes,
                                   void (*run)(nn__crew *crew, void *data, int member), void **data) {
    size_t own = nn__align_up(sizeof(nn__crew), NN__ALIGNMENT), all;
    nn__crew *crew;
    if (memory->block || members < 1) return NULL;
    all = own + nn__align_up((size_t)members * sizeof(nn__thread_member), NN__ALIGNMENT);
    if (data_bytes > SIZE_MAX - all) return NULL;
    crew = (nn__crew *)nn__allocate(memory, all + data_bytes);
    if (!crew) return NULL;
    crew->bytes = all + data_bytes;
    crew->run = run;
    crew->member = (nn__thread_member *)(void *)((char *)crew + own);
    crew->data = *data = (char *)crew + all;
    if (!nn__thread_prepare(&crew->mutex, &crew->wake, &crew->told)) {
        nn__release(memory, crew, crew->bytes);
        return NULL;
    }
    nn__thread_lock(&crew->mutex); /* nobody looks around before all are there */
    for (int i = 0; i < members; i++) {
        crew->member[i].crew = crew;
        crew->member[i].number = i;
        if (!nn__thread_start(&crew->member[i].thread, nn__thread_serve, &crew->member[i])) break;
        crew->members = crew->present = i + 1;
    }
    nn__thread_unlock(&crew->mutex);
    if (crew->members > 0) return crew;
    nn__crew_close(memory, crew, 0);
    return NULL;
}

NN_PRIVATE void nn__crew_dismiss(nn__crew *crew) {
    nn__thread_lock(&crew->mutex);
    crew->quits = true;
    nn__thread_wake(&crew->wake);
    nn__thread_unlock(&crew->mutex);
}

NN_PRIVATE bool nn__crew_gone(nn__crew *crew, int milliseconds) {
    bool gone;
    nn__thread_lock(&crew->mutex);
    for (int passed = 0; crew->present > 0 && passed < milliseconds;)
        passed += nn__thread_wait_briefly(&crew->told, &crew->mutex);
    gone = crew->present == 0;
    nn__thread_unlock(&crew->mutex);
    return gone;
}

NN_PRIVATE bool nn__crew_close(nn__memory *memory, nn__crew *crew, int milliseconds) {
    int left = 0;
    if (!crew) return true;
    nn__crew_dismiss(crew);
    if (milliseconds > 0) nn__crew_gone(crew, milliseconds);
    for (int i = 0; i < crew->members; i++) {
        bool ended;
        nn__thread_lock(&crew->mutex);
        ended = crew->member[i].ended || milliseconds <= 0;
        nn__thread_unlock(&crew->mutex);
        if (ended)
            nn__thread_join(crew->member[i].thread);
        else
            nn__thread_detach(crew->member[i].thread);
        left += !ended;
    }
    if (left > 0) return false;
    nn__thread_dispose(&crew->mutex, &crew->wake, &crew->told);
    nn__release(memory, crew, crew->bytes);
    return true;
}

#else

NN_PRIVATE void nn__crew_lock(nn__crew *crew) { (void)crew; }
NN_PRIVATE void nn__crew_unlock(nn__crew *crew) { (void)crew; }
NN_PRIVATE void nn__crew_wake(nn__crew *crew) { (void)crew; }
NN_PRIVATE void nn__crew_tell(nn__crew *crew) { (void)crew; }
NN_PRIVATE bool nn__crew_quits(const nn__crew *crew) { return crew == NULL; }
NN_PRIVATE int nn__crew_members(const nn__crew *crew) { return crew != NULL; }
NN_PRIVATE void nn__crew_wait(nn__crew *crew) { (void)crew; }
NN_PRIVATE int nn__crew_listen(nn__crew *crew, bool briefly) { return crew && briefly; }
NN_PRIVATE nn__crew *nn__crew_open(nn__memory *memory, int members, size_t data_bytes,
                                   void (*run)(nn__crew *crew, void *data, int member), void **data) {
    (void)memory, (void)members, (void)data_bytes, (void)run, (void)data;
    return NULL;
}
NN_PRIVATE void nn__crew_dismiss(nn__crew *crew) { (void)crew; }
NN_PRIVATE bool nn__crew_gone(nn__crew *crew, int milliseconds) { return !crew && milliseconds >= 0; }
NN_PRIVATE bool nn__crew_close(nn__memory *memory, nn__crew *crew, int milliseconds) {
    return memory && !crew && milliseconds >= 0;
}

#endif

#undef NN__THREAD_ATOMICS
#undef NN__THREAD_POOL
#undef NN__THREAD_MAIN
#undef NN__THREAD_MAIN_RESULT
#undef NN__THREAD_MOST
#undef NN__THREAD_OPEN
#undef NN__THREAD_INSIDE
#undef NN__THREAD_LINE
