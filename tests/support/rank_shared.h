/* tests/support/rank_shared.h - memory that ranks in threads of this process share, like processes
   of one machine (nn_group_desc.share). Needs inside.h. */
#ifndef RANK_SHARED_H
#define RANK_SHARED_H

#include <pthread.h>
#include <stdlib.h>

/* The last rank that gives it back frees it. */
typedef struct shared {
    int64_t uses, room[7]; /* room: fills 64 bytes, the size of a cache line */
} shared;
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static int shared_blocks;

static shared *shared_use(shared *of, int more) {
    bool last;
    pthread_mutex_lock(&shared_lock);
    last = (of->uses += more) == 0;
    shared_blocks -= last;
    pthread_mutex_unlock(&shared_lock);
    if (last) free(of);
    return of;
}
static void *share(void *user, size_t bytes, void *place) {
    shared *made = (shared *)calloc(1, sizeof *made + bytes);
    (void)user;
    pthread_mutex_lock(&shared_lock);
    shared_blocks++;
    pthread_mutex_unlock(&shared_lock);
    memcpy(place, &made, sizeof made);
    return shared_use(made, 1) + 1;
}
static void *reach(void *user, int32_t peer, const void *place, size_t bytes) {
    shared *of;
    (void)user, (void)peer, (void)bytes;
    memcpy(&of, place, sizeof of);
    return of ? shared_use(of, 1) + 1 : NULL;
}
static void unshare(void *user, void *memory) {
    (void)user;
    shared_use((shared *)memory - 1, -1);
}
/* Lets the group share memory. This is called before anything is made with the group. */
static void share_memory(nn_group *group) {
    group->desc.share = share;
    group->desc.reach = reach;
    group->desc.unshare = unshare;
}

#endif
