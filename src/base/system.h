/* base/system.h - atomics and threads of the system: pthreads, Windows, or none. Only .c parts
   include it; base/pool.c, base/helpers.c and device/items.c are built on it. */
#pragma once

#include "base/private.h"
#include "base/windows.h"

/* ---- atomics --------------------------------------------------------------------------------- */

/* NN__ATOMICS: a counter hands out units. NN__THREADS: there are threads of our own. Without
   atomics (tcc, NN_NO_THREADS for machines that lack them) the items of a job system get fixed
   shares. */
#if defined(NN_NO_THREADS) || defined(__TINYC__)
#elif defined(__GNUC__) && __GCC_ATOMIC_INT_LOCK_FREE == 2
#define NN__ATOMICS
static inline NN__UNUSED unsigned nn__atomic_load(unsigned *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}
/* An exchange: emulators of ARM (QEMU 7) let a later load pass a store, and then a thread sleeps
   though it was woken. x86 stores by an exchange anyway. */
static inline NN__UNUSED void nn__atomic_store(unsigned *word, unsigned value) {
    (void)__atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
}
/* returns the old value */
static inline NN__UNUSED unsigned nn__atomic_add(unsigned *word, unsigned value) {
    return __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
}
static inline NN__UNUSED bool nn__atomic_swap(unsigned *word, unsigned from, unsigned to) {
    return __atomic_compare_exchange_n(word, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
/* A word that says which thread holds something; 0: nobody. Only taking it costs more than a
   plain load or store. */
static inline NN__UNUSED uintptr_t nn__atomic_holder(uintptr_t *word) {
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline NN__UNUSED bool nn__atomic_take(uintptr_t *word, uintptr_t holder) {
    uintptr_t nobody = 0;
    return __atomic_compare_exchange_n(word, &nobody, holder, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}
static inline NN__UNUSED void nn__atomic_give(uintptr_t *word) {
    __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}
#elif defined(_MSC_VER)
#define NN__ATOMICS
static inline NN__UNUSED unsigned nn__atomic_load(unsigned *word) {
    unsigned value = *(volatile unsigned *)word;
    MemoryBarrier();
    return value;
}
static inline NN__UNUSED void nn__atomic_store(unsigned *word, unsigned value) {
    InterlockedExchange((volatile LONG *)word, (LONG)value);
}
static inline NN__UNUSED unsigned nn__atomic_add(unsigned *word, unsigned value) {
    return (unsigned)InterlockedExchangeAdd((volatile LONG *)word, (LONG)value);
}
static inline NN__UNUSED bool nn__atomic_swap(unsigned *word, unsigned from, unsigned to) {
    return (unsigned)InterlockedCompareExchange((volatile LONG *)word, (LONG)to, (LONG)from) ==
           from;
}
static inline NN__UNUSED uintptr_t nn__atomic_holder(uintptr_t *word) {
    return *(volatile uintptr_t *)word;
}
static inline NN__UNUSED bool nn__atomic_take(uintptr_t *word, uintptr_t holder) {
    return !InterlockedCompareExchangePointer((PVOID volatile *)(void *)word, (PVOID)holder, NULL);
}
static inline NN__UNUSED void nn__atomic_give(uintptr_t *word) {
    MemoryBarrier();
    *(volatile uintptr_t *)word = 0;
}
#endif

/* ---- the system's threads -------------------------------------------------------------------- */

#if defined(NN__ATOMICS) && defined(_WIN32)
#define NN__THREADS
typedef HANDLE             nn__thread_handle;
typedef SRWLOCK            nn__thread_mutex;
typedef CONDITION_VARIABLE nn__thread_condition;
#define NN__THREAD_MAIN static DWORD WINAPI
#define NN__THREAD_MAIN_RESULT 0
typedef DWORD(WINAPI *nn__thread_main)(void *data);

/* stack: bytes of the thread's stack; 0: the system's default. */
static inline NN__UNUSED bool nn__thread_start(nn__thread_handle *thread, nn__thread_main function,
                                               void *data, size_t stack) {
    *thread = CreateThread(NULL, stack, function, data,
                           stack ? STACK_SIZE_PARAM_IS_A_RESERVATION : 0, NULL);
    return *thread != NULL;
}
static inline NN__UNUSED int nn__thread_process(void) { return 0; } /* there is no fork() */
static inline NN__UNUSED void nn__thread_join(nn__thread_handle thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}
static inline NN__UNUSED bool nn__thread_prepare(nn__thread_mutex *mutex,
                                                 nn__thread_condition *wake,
                                                 nn__thread_condition *done) {
    InitializeSRWLock(mutex);
    InitializeConditionVariable(wake);
    InitializeConditionVariable(done);
    return true;
}
static inline NN__UNUSED void nn__thread_dispose(nn__thread_mutex *mutex,
                                                 nn__thread_condition *wake,
                                                 nn__thread_condition *done) {
    (void)mutex, (void)wake, (void)done;
}
static inline NN__UNUSED void nn__thread_lock(nn__thread_mutex *mutex) {
    AcquireSRWLockExclusive(mutex);
}
static inline NN__UNUSED void nn__thread_unlock(nn__thread_mutex *mutex) {
    ReleaseSRWLockExclusive(mutex);
}
static inline NN__UNUSED void nn__thread_wait(nn__thread_condition *condition,
                                              nn__thread_mutex *mutex) {
    SleepConditionVariableSRW(condition, mutex, INFINITE, 0);
}
static inline NN__UNUSED void nn__thread_wake(nn__thread_condition *condition) {
    WakeAllConditionVariable(condition);
}
/* Waits until woken, or briefly. Returns the milliseconds that have surely passed. */
static inline NN__UNUSED int nn__thread_wait_briefly(nn__thread_condition *condition,
                                                     nn__thread_mutex *mutex) {
    DWORD start = GetTickCount();
    SleepConditionVariableSRW(condition, mutex, 10, 0);
    return (int)(GetTickCount() - start);
}
/* Waits until woken, or for at most a second. */
static inline NN__UNUSED void nn__thread_wait_second(nn__thread_condition *condition,
                                                     nn__thread_mutex *mutex) {
    SleepConditionVariableSRW(condition, mutex, 1000, 0);
}
static inline NN__UNUSED void nn__thread_detach(nn__thread_handle thread) { CloseHandle(thread); }
static inline NN__UNUSED int nn__thread_cores(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (int)info.dwNumberOfProcessors;
}

#elif defined(NN__ATOMICS) && (defined(__unix__) || defined(__APPLE__))
#define NN__THREADS
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#ifndef SIG_SETMASK
/* -std=c99 hides SIG_SETMASK and the functions below on Linux, but not the type in
   <sys/select.h>. */
#include <sys/select.h>
#if defined(__mips__)
#define NN__THREAD_SETMASK 3
#elif defined(__sparc__)
#define NN__THREAD_SETMASK 4
#else
#define NN__THREAD_SETMASK 2
#endif
extern int (sigfillset)(sigset_t *set);
extern int (pthread_sigmask)(int how, const sigset_t *set, sigset_t *old);
#else
#define NN__THREAD_SETMASK SIG_SETMASK
#endif
typedef pthread_t       nn__thread_handle;
typedef pthread_mutex_t nn__thread_mutex;
typedef pthread_cond_t  nn__thread_condition;
#define NN__THREAD_MAIN static void *
#define NN__THREAD_MAIN_RESULT NULL
typedef void *(*nn__thread_main)(void *data);

/* A thread inherits the blocked signals of its creator. Ours block every signal, so the
   program's handlers run on its own threads. Signals that the program blocks in order to wait
   for them also do not arrive here. stack: bytes of the thread's stack; 0: the system's default. */
static inline NN__UNUSED bool nn__thread_start(nn__thread_handle *thread, nn__thread_main function,
                                               void *data, size_t stack) {
    sigset_t all, before;
    pthread_attr_t attributes;
    bool masked, started;
    if (stack && pthread_attr_init(&attributes) != 0) return false;
    sigfillset(&all);
    masked = pthread_sigmask(NN__THREAD_SETMASK, &all, &before) == 0;
    started = (!stack || pthread_attr_setstacksize(&attributes, stack) == 0) &&
              pthread_create(thread, stack ? &attributes : NULL, function, data) == 0;
    if (masked) pthread_sigmask(NN__THREAD_SETMASK, &before, NULL);
    if (stack) pthread_attr_destroy(&attributes);
    return started;
}
#undef NN__THREAD_SETMASK
/* After fork(), the child has a copy of the memory and of the locks as they were, but none of
   our threads. So owners of threads remember the process that created them. */
static inline NN__UNUSED int nn__thread_process(void) { return (int)getpid(); }
static inline NN__UNUSED void nn__thread_join(nn__thread_handle thread) {
    pthread_join(thread, NULL);
}
static inline NN__UNUSED bool nn__thread_prepare(nn__thread_mutex *mutex,
                                                 nn__thread_condition *wake,
                                                 nn__thread_condition *done) {
    if (pthread_mutex_init(mutex, NULL) != 0) return false;
    if (pthread_cond_init(wake, NULL) == 0) {
        if (pthread_cond_init(done, NULL) == 0) return true;
        pthread_cond_destroy(wake);
    }
    pthread_mutex_destroy(mutex);
    return false;
}
static inline NN__UNUSED void nn__thread_dispose(nn__thread_mutex *mutex,
                                                 nn__thread_condition *wake,
                                                 nn__thread_condition *done) {
    pthread_cond_destroy(done);
    pthread_cond_destroy(wake);
    pthread_mutex_destroy(mutex);
}
static inline NN__UNUSED void nn__thread_lock(nn__thread_mutex *mutex) {
    pthread_mutex_lock(mutex);
}
static inline NN__UNUSED void nn__thread_unlock(nn__thread_mutex *mutex) {
    pthread_mutex_unlock(mutex);
}
static inline NN__UNUSED void nn__thread_wait(nn__thread_condition *condition,
                                              nn__thread_mutex *mutex) {
    pthread_cond_wait(condition, mutex);
}
static inline NN__UNUSED void nn__thread_wake(nn__thread_condition *condition) {
    pthread_cond_broadcast(condition);
}
/* Waits briefly. Returns the milliseconds that have surely passed. -std=c99 hides the clock of
   pthread_cond_timedwait, but not poll. */
static inline NN__UNUSED int nn__thread_wait_briefly(nn__thread_condition *condition,
                                                     nn__thread_mutex *mutex) {
    int slept;
    (void)condition;
    nn__thread_unlock(mutex);
    slept = poll(NULL, 0, 1) == 0;
    nn__thread_lock(mutex);
    return slept;
}
/* Waits until woken, or for at most a second. pthread_cond_timedwait uses the clock of
   gettimeofday, which FreeBSD hides from strict POSIX programs, and CLOCK_REALTIME, which -std=c99
   hides. */
static inline NN__UNUSED void nn__thread_wait_second(nn__thread_condition *condition,
                                                     nn__thread_mutex *mutex) {
    struct timespec until;
    memset(&until, 0, sizeof until);
#if defined(CLOCK_REALTIME) && !defined(__APPLE__)
    if (clock_gettime(CLOCK_REALTIME, &until) != 0) return;
#else
    struct timeval now;
    if (gettimeofday(&now, NULL) != 0) return;
    until.tv_sec = now.tv_sec;
    until.tv_nsec = (long)now.tv_usec * 1000;
#endif
    until.tv_sec++;
    pthread_cond_timedwait(condition, mutex, &until);
}
static inline NN__UNUSED void nn__thread_detach(nn__thread_handle thread) {
    pthread_detach(thread);
}
#if defined(__linux__) && defined(__GNUC__)
#define NN__AFFINITY
/* sched_getaffinity, which <sched.h> declares under _GNU_SOURCE only. */
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    int nn__thread_affinity(int thread, size_t bytes, unsigned long *mask)
        __asm__("sched_getaffinity");
#endif
/* Returns the number of processors that this thread may use: fewer than the machine has under
   taskset, in a cpuset and in most batch systems. */
static inline NN__UNUSED int nn__thread_cores(void) {
#ifdef NN__AFFINITY
    unsigned long mask[8192 / (8 * sizeof(unsigned long))];
    int allowed = 0;
    memset(mask, 0, sizeof mask);
    if (nn__thread_affinity(0, sizeof mask, mask) >= 0)
        for (size_t i = 0; i < sizeof mask / sizeof *mask; i++)
            for (unsigned long word = mask[i]; word; word &= word - 1) allowed++;
    if (allowed > 0) return allowed;
#endif
#ifdef _SC_NPROCESSORS_ONLN
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 && cores < 100000 ? (int)cores : 1;
#else
    return 1;
#endif
}
#endif

static inline NN__UNUSED void nn__thread_pause(void) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && (defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7))
    __asm__ __volatile__("yield");
#elif defined(_MSC_VER)
    YieldProcessor();
#endif
}
