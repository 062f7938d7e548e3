/* base/busy.c - the mark that a thread is inside a context. One context belongs to one thread at a
   time; a second thread that enters meanwhile is turned away, and the first one is told who it was.

   A lock that is held for a few instructions guards the mark. Only a program that breaks the rule
   ever waits for it. */
#include "base/system.h"

#ifdef NN__THREADS
static uintptr_t nn__busy_thread(void) {
#ifdef _WIN32
    return (uintptr_t)GetCurrentThreadId();
#else
    return (uintptr_t)pthread_self();
#endif
}

static void nn__busy_lock(nn__busy *busy) {
    while (!nn__atomic_swap(&busy->lock, 0, 1)) nn__thread_pause();
}

NN_PRIVATE bool nn__busy_enter(nn__busy *busy, const char *call, nn_site site) {
    uintptr_t thread = nn__busy_thread();
    bool mine;
    nn__busy_lock(busy);
    mine = busy->depth == 0 || busy->owner == thread;
    if (mine && busy->depth++ == 0) {
        busy->owner = thread;
        busy->inside.call = call;
        busy->inside.site = site;
    } else if (!mine && call && !busy->refused.call) {
        busy->refused.call = call;
        busy->refused.site = site;
    }
    nn__atomic_store(&busy->lock, 0);
    return mine;
}

NN_PRIVATE bool nn__busy_refused(nn__busy *busy, nn__visit *refused, nn__visit *inside) {
    bool any;
    nn__busy_lock(busy);
    any = busy->refused.call != NULL;
    *refused = busy->refused;
    *inside = busy->inside;
    busy->refused.call = NULL;
    nn__atomic_store(&busy->lock, 0);
    return any;
}

NN_PRIVATE bool nn__busy_leave(nn__busy *busy, bool anyway) {
    bool leaves;
    nn__busy_lock(busy);
    leaves = anyway || !busy->refused.call;
    if (leaves) busy->depth--;
    nn__atomic_store(&busy->lock, 0);
    return leaves;
}
#elif !defined(NN_NO_THREADS)
/* No atomics, or no threads of the system: nothing tells one thread from another. */
NN_PRIVATE bool nn__busy_enter(nn__busy *busy, const char *call, nn_site site) {
    (void)busy, (void)call, (void)site;
    return true;
}
NN_PRIVATE bool nn__busy_refused(nn__busy *busy, nn__visit *refused, nn__visit *inside) {
    (void)busy, (void)refused, (void)inside;
    return false;
}
NN_PRIVATE bool nn__busy_leave(nn__busy *busy, bool anyway) {
    (void)busy, (void)anyway;
    return true;
}
#endif
