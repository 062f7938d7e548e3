/* base/busy.c - marks that a thread is inside a context. One context belongs to one thread at a
   time. A second thread that enters is refused, and the first one is told who it was.

   Every call of the library enters and leaves, so entering is one locked instruction and leaving
   is none. The lock here only guards the record of a refused thread: no program that keeps the
   rule ever takes it. */
#include "base/system.h"

#ifdef NN__THREADS
static uintptr_t nn__busy_thread(void) {
#ifdef _WIN32
    return (uintptr_t)GetCurrentThreadId();
#else
    return (uintptr_t)pthread_self();
#endif
}

#define NN__BUSY_LOOKS 64 /* a few microseconds: longer than any processor delays a store */

static void nn__busy_lock(nn__busy *busy) {
    while (!nn__atomic_swap(&busy->lock, 0, 1)) nn__thread_pause();
}

static void nn__busy_unlock(nn__busy *busy) { nn__atomic_store(&busy->lock, 0); }

/* Leaves a record for the thread inside. That thread leaves without a locked instruction. So it
   may have looked for a record just before this one was written, and its leaving may become
   visible a little late: hence the short wait. False: nobody is inside any more, and the record
   is removed unless it was read. */
static bool nn__busy_refuse(nn__busy *busy, const char *call, nn_site site) {
    unsigned number = 0;
    bool heard = false;
    nn__busy_lock(busy);
    if (!busy->refused.call) {
        busy->refused.call = call;
        busy->refused.site = site;
        number = ++busy->number;
        nn__atomic_store(&busy->waits, 1);
    }
    nn__busy_unlock(busy);
    for (int i = 0; i < NN__BUSY_LOOKS && nn__atomic_holder(&busy->owner); i++)
        nn__thread_pause();
    if (nn__atomic_holder(&busy->owner)) return true;
    nn__busy_lock(busy);
    if (number && busy->refused.call && busy->number == number) {
        busy->refused.call = NULL;
        nn__atomic_store(&busy->waits, 0);
    } else {
        heard = number != 0;
    }
    nn__busy_unlock(busy);
    return heard;
}

NN_PRIVATE bool nn__busy_enter(nn__busy *busy, const char *call, nn_site site) {
    const uintptr_t thread = nn__busy_thread();
    while (nn__atomic_holder(&busy->owner) != thread && !nn__atomic_take(&busy->owner, thread))
        if (!call || nn__busy_refuse(busy, call, site)) return false;
    if (busy->depth++ == 0) {
        busy->inside.call = call;
        busy->inside.site = site;
    }
    return true;
}

NN_PRIVATE bool nn__busy_refused(nn__busy *busy, nn__visit *refused, nn__visit *inside) {
    nn__busy_lock(busy);
    *refused = busy->refused;
    *inside = busy->inside;
    busy->refused.call = NULL;
    nn__atomic_store(&busy->waits, 0);
    nn__busy_unlock(busy);
    return refused->call != NULL;
}

NN_PRIVATE bool nn__busy_leave(nn__busy *busy, bool anyway) {
    if (!anyway && nn__atomic_load(&busy->waits)) return false;
    if (--busy->depth == 0) nn__atomic_give(&busy->owner);
    return true;
}
#undef NN__BUSY_LOOKS
#elif !defined(NN_NO_THREADS)
/* Without atomics or system threads, threads cannot be told apart. */
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
