/* base/clock.c - the system's monotonic clock, for slices and reports, and a short sleep.
   Without a known clock (bare metal) the hook stays NULL. */
#include "base/private.h"
#include "base/windows.h"

#if defined(_WIN32)

static uint64_t nn__clock_system(void *user) {
    LARGE_INTEGER ticks, per_second;
    (void)user;
    QueryPerformanceFrequency(&per_second);
    QueryPerformanceCounter(&ticks);
    uint64_t t = (uint64_t)ticks.QuadPart, f = (uint64_t)per_second.QuadPart;
    return t / f * 1000000000u + t % f * 1000000000u / f;
}
#define NN__CLOCK_SYSTEM nn__clock_system

#elif defined(__unix__) || defined(__APPLE__)

#include <poll.h> /* -std=c99 hides all functions that sleep, but not poll */
#include <time.h>

#ifdef CLOCK_MONOTONIC
static uint64_t nn__clock_system(void *user) {
    struct timespec now;
    (void)user;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#define NN__CLOCK_SYSTEM nn__clock_system
#elif defined(__linux__) && !(defined(__x86_64__) && defined(__ILP32__))
/* -std=c99 hides clock_gettime and its struct. A name of our own collides with no header that is
   included before. The symbol has `long` fields in every Linux C library. */
typedef struct nn__clock_time {
    long seconds, nanoseconds;
} nn__clock_time;
#ifdef __cplusplus
extern "C"
#endif
int nn__clock_gettime(int id, nn__clock_time *now) __asm__("clock_gettime");

static uint64_t nn__clock_system(void *user) {
    nn__clock_time now;
    (void)user;
    if (nn__clock_gettime(1, &now) != 0) return 0; /* 1: CLOCK_MONOTONIC */
    return (uint64_t)now.seconds * 1000000000u + (uint64_t)now.nanoseconds;
}
#define NN__CLOCK_SYSTEM nn__clock_system
#endif

#endif

NN_PRIVATE uint64_t nn__system_now(void) {
#ifdef NN__CLOCK_SYSTEM
    return NN__CLOCK_SYSTEM(NULL);
#else
    return 0;
#endif
}

NN_PRIVATE void nn__clock_init(nn_clock *clock) {
#ifdef NN__CLOCK_SYSTEM
    if (!clock->now) {
        clock->now = NN__CLOCK_SYSTEM;
        clock->user = NULL;
    }
#else
    (void)clock;
#endif
}

NN_PRIVATE void nn__system_rest(void) {
#if defined(_WIN32)
    Sleep(1);
#elif defined(__unix__) || defined(__APPLE__)
    poll(NULL, 0, 1);
#endif
}

#undef NN__CLOCK_SYSTEM
