/* group/meeting.c - groups of threads in one process. Each rank has a slot in the meeting. For an
   exchange it puts a pointer to its message there, and copies the message of its peer while the
   peer waits.

   Threads share only the meeting's own memory, which is allocated once. The memory of a member
   belongs to the context of its thread. */
#include "base/system.h"
#include "group/private.h"

#ifndef NN__NO_TRAINER
#ifdef NN__THREADS

#define NN__MEETING_SMALL 1024 /* bytes of a message that is kept when its sender gives up */

typedef struct nn__meeting_slot {
    bool present;
    uint32_t generation; /* number of times the rank has joined */
    bool posted;         /* the next fields are a message */
    bool copying;        /* by the peer */
    int32_t peer;
    const void *bytes;
    size_t count;
    bool tells; /* `told`, in this generation */
    char told[NN__GROUP_TEXT];
    char kept[NN__MEETING_SMALL];
} nn__meeting_slot;

struct nn_meeting {
    nn__owned owned;
    nn_context *nn;
    size_t bytes; /* of this allocation */
    int32_t size;
    nn__thread_mutex mutex; /* guards the next fields */
    nn__thread_condition changed, unused;
    int present;
    bool closed; /* its context was closed */
    nn__meeting_slot slots[1];
};

typedef struct nn__meeting_member {
    nn_context *nn;
    nn_meeting *meeting;
    int32_t rank;
    uint32_t generation;
    bool brief; /* short timeout: looks at the clock every millisecond */
    uint32_t heard[1024 / 32]; /* a bit for each rank whose `told` was returned */
} nn__meeting_member;

/* ---- exchange -------------------------------------------------------------------------------- */

/* Copies a message. Called with the lock held, which is released meanwhile. */
static void nn__meeting_take(nn_meeting *meeting, nn__meeting_slot *from, void *to) {
    from->copying = true;
    nn__thread_unlock(&meeting->mutex);
    if (from->count) memcpy(to, from->bytes, from->count);
    nn__thread_lock(&meeting->mutex);
    from->copying = from->posted = false;
    nn__thread_wake(&meeting->changed);
}

/* Takes back a message that nobody took; a small one stays, as a copy. Called with the lock
   held. */
static void nn__meeting_withdraw(nn_meeting *meeting, nn__meeting_slot *mine) {
    while (mine->copying) nn__thread_wait(&meeting->changed, &meeting->mutex);
    if (!mine->posted) return;
    mine->posted = mine->count <= sizeof mine->kept;
    if (mine->posted && mine->count) memcpy(mine->kept, mine->bytes, mine->count);
    mine->bytes = mine->kept;
}

static nn_result nn__meeting_exchange(void *user, int32_t peer, const void *send, size_t send_bytes,
                                      void *receive, size_t receive_bytes, bool (*go_on)(void *of),
                                      void *of) {
    nn__meeting_member *member = (nn__meeting_member *)user;
    nn_meeting *meeting = member->meeting;
    nn__meeting_slot *mine = &meeting->slots[member->rank], *theirs = &meeting->slots[peer];
    bool received = false, fits = true;
    nn__thread_lock(&meeting->mutex);
    mine->peer = peer;
    mine->bytes = send;
    mine->count = send_bytes;
    mine->posted = true;
    nn__thread_wake(&meeting->changed);
    while (fits && !(received && !mine->posted)) {
        const bool there = theirs->posted && !theirs->copying && theirs->peer == member->rank &&
                           theirs->generation == member->generation;
        if (!received && there) {
            fits = theirs->count == receive_bytes;
            if (fits) nn__meeting_take(meeting, theirs, receive);
            received = fits;
            continue;
        }
        if (meeting->closed || theirs->generation > member->generation ||
            (theirs->generation == member->generation && !theirs->present))
            break;
        if (member->brief)
            nn__thread_wait_briefly(&meeting->changed, &meeting->mutex);
        else
            nn__thread_wait_second(&meeting->changed, &meeting->mutex);
        nn__thread_unlock(&meeting->mutex);
        fits = go_on(of);
        nn__thread_lock(&meeting->mutex);
    }
    nn__meeting_withdraw(meeting, mine);
    fits = fits && received && !mine->posted;
    nn__thread_unlock(&meeting->mutex);
    return fits ? NN_OK : NN_ERROR_GROUP;
}

static void nn__meeting_tell(void *user, const char *text) {
    nn__meeting_member *member = (nn__meeting_member *)user;
    nn_meeting *meeting = member->meeting;
    nn__meeting_slot *mine = &meeting->slots[member->rank];
    nn__thread_lock(&meeting->mutex);
    nn__copy_text(mine->told, sizeof mine->told, text);
    mine->tells = true;
    nn__thread_wake(&meeting->changed);
    nn__thread_unlock(&meeting->mutex);
}

static bool nn__meeting_told(void *user, char *text, size_t size) {
    nn__meeting_member *member = (nn__meeting_member *)user;
    nn_meeting *meeting = member->meeting;
    bool told = false;
    nn__thread_lock(&meeting->mutex);
    for (int32_t i = 0; i < meeting->size && !told; i++) {
        const nn__meeting_slot *slot = &meeting->slots[i];
        uint32_t *heard = &member->heard[i / 32], bit = (uint32_t)1 << i % 32;
        told = slot->tells && slot->generation == member->generation && i != member->rank &&
               !(*heard & bit);
        if (!told) continue;
        *heard |= bit;
        nn__copy_text(text, size, slot->told);
    }
    nn__thread_unlock(&meeting->mutex);
    return told;
}

static void nn__meeting_leave(void *user) {
    nn__meeting_member *member = (nn__meeting_member *)user;
    nn_meeting *meeting = member->meeting;
    nn__thread_lock(&meeting->mutex);
    meeting->slots[member->rank].present = false;
    meeting->present--;
    nn__thread_wake(&meeting->changed);
    nn__thread_unlock(&meeting->mutex);
    nn__release(&member->nn->memory, member, sizeof *member);
}

/* ---- making, joining, freeing ---------------------------------------------------------------- */

static void nn__meeting_free(nn_meeting *meeting) {
    nn_context *nn = meeting->nn;
    nn__thread_dispose(&meeting->mutex, &meeting->changed, &meeting->unused);
    nn__disown(&meeting->owned);
    nn__release(&nn->memory, meeting, meeting->bytes);
}

/* Ranks that are still in the meeting get an error; the memory is left to them. */
static void nn__meeting_destroy(nn__owned *owned) {
    nn_meeting *meeting = (nn_meeting *)(void *)owned;
    int present;
    nn__thread_lock(&meeting->mutex);
    present = meeting->present;
    meeting->closed = true;
    nn__thread_wake(&meeting->changed);
    nn__thread_unlock(&meeting->mutex);
    if (present == 0)
        nn__meeting_free(meeting);
    else
        nn__fail(meeting->nn, NN_ERROR_BUSY,
                 "nn_close: %d ranks are still in a meeting of this context; free their groups "
                 "first. Its memory is left to them",
                 present);
}

static nn_meeting *nn__inside_make_meeting(nn_site site, nn_context *nn, int32_t size) {
    nn_meeting *meeting;
    size_t bytes;
    if (size < 1 || size > 1024) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_meeting: size is %d; wanted the number of ranks, from 1 to 1024",
                    (int)size);
        return NULL;
    }
    bytes = sizeof *meeting + sizeof meeting->slots[0] * (size_t)(size - 1);
    meeting = (nn_meeting *)nn__allocate_for(nn, "nn_make_meeting", bytes);
    if (!meeting) return NULL;
    meeting->nn = nn;
    meeting->bytes = bytes;
    meeting->size = size;
    if (!nn__thread_prepare(&meeting->mutex, &meeting->changed, &meeting->unused)) {
        nn__release(&nn->memory, meeting, bytes);
        nn__fail_at(nn, site, NN_ERROR_MEMORY, "nn_make_meeting: the system has no lock left");
        return NULL;
    }
    nn__own(&nn->owned, &meeting->owned, nn__meeting_destroy);
    return meeting;
}

static void nn__inside_free_meeting(nn_meeting *meeting) {
    int present;
    nn__thread_lock(&meeting->mutex);
    present = meeting->present;
    nn__thread_unlock(&meeting->mutex);
    if (present == 0)
        nn__meeting_free(meeting);
    else
        nn__fail(meeting->nn, NN_ERROR_BUSY,
                 "nn_free_meeting: %d ranks are still in it; free their groups first", present);
}

NN_API void nn_free_meeting(nn_meeting *meeting) {
    nn_context *nn = meeting ? meeting->nn : NULL;
    if (!meeting || !nn__enter(nn, "nn_free_meeting", nn__no_site())) return;
    nn__inside_free_meeting(meeting);
    nn__leave(nn, NN_OK);
}

/* Takes the rank's slot; false: it is in use. */
static bool nn__meeting_sit(nn_meeting *meeting, nn__meeting_member *member) {
    nn__meeting_slot *slot = &meeting->slots[member->rank];
    bool free;
    nn__thread_lock(&meeting->mutex);
    free = !slot->present && !meeting->closed;
    if (free) {
        slot->present = true;
        slot->posted = slot->tells = false;
        member->generation = ++slot->generation;
        meeting->present++;
        nn__thread_wake(&meeting->changed);
    }
    nn__thread_unlock(&meeting->mutex);
    return free;
}

static nn_group *nn__inside_join_meeting(nn_site site, nn_context *nn, nn_meeting *meeting,
                                         int32_t rank, double timeout) {
    nn_group_desc desc;
    nn_group *group;
    nn__meeting_member *member;
    if (!meeting || rank < 0 || rank >= meeting->size || !(timeout >= 0.0)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_join_meeting: %s; rank is %d of %d, timeout %g; wanted a meeting, a rank "
                    "from 0 on, and seconds or 0",
                    meeting ? "a wrong number" : "the meeting is NULL", (int)rank,
                    meeting ? (int)meeting->size : 0, timeout);
        return NULL;
    }
    member = (nn__meeting_member *)nn__allocate_for(nn, "nn_join_meeting", sizeof *member);
    if (!member) return NULL;
    member->nn = nn;
    member->meeting = meeting;
    member->rank = rank;
    member->brief = timeout > 0.0 && timeout < 5.0;
    if (!nn__meeting_sit(meeting, member)) {
        nn__release(&nn->memory, member, sizeof *member);
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_join_meeting: rank %d is in the meeting already; each thread has a rank of "
                    "its own",
                    (int)rank);
        return NULL;
    }
    memset(&desc, 0, sizeof desc);
    desc.name = "threads";
    desc.rank = rank;
    desc.size = meeting->size;
    desc.timeout = timeout;
    desc.user = member;
    desc.exchange = nn__meeting_exchange;
    desc.tell = nn__meeting_tell;
    desc.told = nn__meeting_told;
    desc.close = nn__meeting_leave;
    desc.own_thread = true;
    group = nn_make_group_at(site, nn, &desc);
    if (!group) nn__meeting_leave(member);
    if (group) group->leaves_early = true; /* its empty slot says that it is gone */
    return group;
}

#undef NN__MEETING_SMALL
#else

static nn_meeting *nn__inside_make_meeting(nn_site site, nn_context *nn, int32_t size) {
    nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                "nn_make_meeting: a meeting of %d threads needs threads, which this build or "
                "compiler does not have (NN_NO_THREADS)",
                (int)size);
    return NULL;
}

static nn_group *nn__inside_join_meeting(nn_site site, nn_context *nn, nn_meeting *meeting,
                                         int32_t rank, double timeout) {
    (void)meeting, (void)rank, (void)timeout;
    nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED, "nn_join_meeting: there are no threads here");
    return NULL;
}

NN_API void nn_free_meeting(nn_meeting *meeting) { (void)meeting; }

#endif

NN_API nn_meeting *nn_make_meeting_at(nn_site site, nn_context *nn, int32_t size) {
    nn_meeting *meeting;
    if (!nn || !nn__enter(nn, "nn_make_meeting", site)) return NULL;
    meeting = nn__inside_make_meeting(site, nn, size);
    nn__leave(nn, NN_OK);
    return meeting;
}

NN_API nn_group *nn_join_meeting_at(nn_site site, nn_context *nn, nn_meeting *meeting, int32_t rank,
                                    double timeout) {
    nn_group *group;
    if (!nn || !nn__enter(nn, "nn_join_meeting", site)) return NULL;
    group = nn__inside_join_meeting(site, nn, meeting, rank, timeout);
    nn__leave(nn, NN_OK);
    return group;
}

#else
typedef int nn__meeting_part; /* a part must not be empty under NN__NO_TRAINER */
#endif
