/* group/collective.c - collectives, made of exchanges between two ranks.

   Every collective begins with a round in which each rank learns the calls and results of all
   others: log2(size) exchanges of one header, at distances 1, 2, 4 ... Only then do the data travel
   (group/collective_data.c).

   The number of places in the tree is a power of two. If the size is not one, the first ranks share
   places in pairs: the second of a pair sends its data to the first, waits while that one acts for
   both, and receives the result.

   Nothing here uses the context or its allocator, so that a thread of the group may run it. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

#define NN__COLLECTIVE_MAGIC ((uint32_t)0x4E4E4731u) /* of the protocol: "NNG1" */

/* ---- places ---------------------------------------------------------------------------------- */

NN_PRIVATE nn__seat nn__group_seat(const nn_group *group) {
    const int32_t size = nn__maxi(nn_group_size(group), 1);
    const int32_t rank = nn__maxi(nn_group_rank(group), 0);
    nn__seat at;
    at.levels = 0;
    while (2 << at.levels <= size) at.levels++;
    at.extra = size - (1 << at.levels);
    at.seat = nn__rank_seat(&at, rank);
    at.second = rank < 2 * at.extra && rank % 2 == 1;
    at.partner = rank < 2 * at.extra ? rank ^ 1 : -1;
    return at;
}

NN_PRIVATE int32_t nn__group_part(const nn_group *group, int32_t all, int32_t *first) {
    const nn__seat at = nn__group_seat(group);
    const int32_t part = all >> at.levels, own = at.partner < 0 ? part : part / 2;
    *first = part * at.seat + (at.second ? own : 0);
    return own;
}

/* ---- patience -------------------------------------------------------------------------------- */

/* Called while an exchange waits; false: give up. */
static bool nn__collective_waits(void *of) {
    nn_group *group = (nn_group *)of;
    nn__blame_listen(group, true);
    if (group->settled) return nn__system_now() < group->settled;
    if (!group->deadline || nn__system_now() < group->deadline) return true;
    if (!nn__blame_has_channel(group)) return false;
    nn__blame_missing(group);
    return true;
}

/* The rank next to a missing one misses it first. Ranks further away wait a little longer, for its
   message that names the missing rank. */
NN_PRIVATE uint64_t nn__collective_deadline(const nn_group *group, uint64_t start, int level) {
    const double timeout = group->desc.timeout, step = timeout > 24.0 ? timeout / 8.0 : 3.0;
    const double seconds = timeout + step * level;
    if (!start || seconds > 1e9) return 0;
    return start + (uint64_t)(seconds * 1e9);
}

/* Returns the number of exchanges of its own for which the peer at a distance of 2^level may wait
   first. */
NN_PRIVATE int nn__collective_waiting(const nn__seat *at, int level) {
    const bool paired = nn__seat_rank(at, at->seat ^ (1 << level)) < 2 * at->extra;
    return level + (at->extra > 0 && (level > 0 || paired));
}

/* The group can no longer be used: tells all that wait. */
static void nn__collective_lose(nn_group *group) {
    group->lost = true;
    if (group->desc.tell && !group->heard) group->desc.tell(group->desc.user, group->loss);
}

NN_PRIVATE bool nn__collective_exchange(nn_group *group, const char *who, int32_t peer,
                                        const void *send, size_t send_bytes, void *receive,
                                        size_t receive_bytes) {
    char words[NN__GROUP_TEXT];
    nn_result result;
    group->peer = peer;
    group->who = who;
    nn__blame_listen(group, false);
    result = group->desc.exchange(group->desc.user, peer, send, send_bytes, receive, receive_bytes,
                                  nn__collective_waits, group);
    if (result == NN_OK && !group->settled) return true;
    nn__blame_listen(group, false); /* The peer may have said why it left. */
    /* the peer came after others had heard that it is missing */
    while (result == NN_OK && nn__system_now() < group->settled) {
        nn__system_rest();
        nn__blame_listen(group, false);
    }
    if (group->heard) return false;
    if (group->deadline && nn__system_now() >= group->deadline)
        nn__blame_silence(group, words, sizeof words);
    else
        nn__explain(words, sizeof words, "rank %d is gone, says rank %d in %s", (int)peer,
                    (int)group->desc.rank, who);
    if (nn__blame_has_channel(group))
        nn__blame_accuse(group, peer, words);
    else
        nn__copy_text(group->loss, sizeof group->loss, words);
    return false;
}

/* ---- the round that begins a collective ------------------------------------------------------ */

static bool nn__collective_same(const nn__group_call *a, const nn__group_call *b) {
    return a->kind == b->kind && a->dtype == b->dtype && a->from == b->from &&
           a->bytes == b->bytes && strcmp(a->who, b->who) == 0;
}

/* Errors have more weight than other results, and a rank's own error more than one that it heard
   of. */
static int nn__collective_weight(int32_t result) {
    return result == NN_OK ? 0 : result > 0 ? 1 : result == NN_ERROR_GROUP ? 2 : 3;
}

/* Merges the header of higher ranks into that of lower ranks. */
static void nn__collective_merge(nn__group_header *low, const nn__group_header *high) {
    const bool same = nn__collective_same(&low->call[0], &high->call[0]);
    const bool worse = nn__collective_weight(high->result) > nn__collective_weight(low->result);
    if (!low->differs && (!same || high->differs)) {
        low->call[1] = same ? high->call[1] : high->call[0];
        low->differs = 1;
    }
    if (worse) low->result = high->result, low->rank = high->rank;
    if (!low->lost && (worse || high->lost)) memcpy(low->text, high->text, sizeof low->text);
    low->lost |= high->lost;
    for (int i = 0; i < NN__GROUP_NEWS; i++) low->news[i] = low->news[i] + high->news[i];
}

static void nn__collective_loss(nn_group *group, nn__group_header *header) {
    header->lost = 1;
    nn__copy_text(header->text, sizeof header->text, group->loss);
}

typedef enum nn__collective_way {
    NN__WAY_BOTH,  /* both learn what the other knows */
    NN__WAY_GIVE,  /* to the first of a pair, or the answer of all to the second */
    NN__WAY_TAKE,  /* the first of a pair receives from the second */
    NN__WAY_ANSWER /* the second of a pair receives the answer of all */
} nn__collective_way;

static bool nn__collective_meet(nn_group *group, const char *who, int level, uint64_t start,
                                int32_t peer, nn__collective_way way, nn__group_header *mine) {
    const size_t send = way == NN__WAY_BOTH || way == NN__WAY_GIVE ? sizeof *mine : 0;
    const size_t receive = way == NN__WAY_GIVE ? 0 : sizeof *mine;
    nn__group_header theirs;
    group->deadline = nn__collective_deadline(group, start, level);
    if (!nn__collective_exchange(group, who, peer, mine, send, &theirs, receive)) {
        if (!mine->lost) nn__collective_loss(group, mine);
        return false;
    }
    if (receive == 0) return true;
    if (theirs.magic != mine->magic || theirs.sequence != mine->sequence) {
        nn__explain(group->loss, sizeof group->loss,
                    "ranks %d and %d do not understand each other: they have different "
                    "versions of this library or byte orders, or a message was lost",
                    (int)nn__mini(peer, group->desc.rank), (int)nn__maxi(peer, group->desc.rank));
        if (!mine->lost) nn__collective_loss(group, mine);
    } else if (way != NN__WAY_ANSWER && peer > group->desc.rank) {
        nn__collective_merge(mine, &theirs);
    } else {
        if (way != NN__WAY_ANSWER) nn__collective_merge(&theirs, mine);
        *mine = theirs;
    }
    return true;
}

/* After a loss it continues with the remaining ranks, so that they learn of it. */
static void nn__collective_round(nn_group *group, const char *who, nn__group_header *mine) {
    const nn__seat at = nn__group_seat(group);
    const uint64_t start = nn__system_now();
    bool paired = at.partner >= 0;
    if (at.second) {
        if (nn__collective_meet(group, who, 0, start, at.partner, NN__WAY_GIVE, mine))
            nn__collective_meet(group, who, at.levels + 1, start, at.partner, NN__WAY_ANSWER, mine);
    } else {
        if (paired)
            paired = nn__collective_meet(group, who, 0, start, at.partner, NN__WAY_TAKE, mine);
        for (int i = 0; i < at.levels && !group->heard; i++)
            nn__collective_meet(group, who, nn__collective_waiting(&at, i), start,
                                nn__seat_rank(&at, at.seat ^ (1 << i)), NN__WAY_BOTH, mine);
        if (paired && !group->heard)
            nn__collective_meet(group, who, at.levels + 1, start, at.partner, NN__WAY_GIVE, mine);
    }
    if (!mine->lost) return;
    nn__copy_text(group->loss, sizeof group->loss, mine->text);
    nn__collective_lose(group);
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* Records that a rank has left: it is missing from now on. */
static void nn__collective_left(nn_group *group, nn__group_header *header) {
    const nn__group_call *call =
        &header->call[header->call[0].kind == NN__GROUP_LEAVE ? 0 : 1];
    char words[NN__GROUP_TEXT];
    nn__copy_text(words, sizeof words, header->text);
    if (header->result < 0 && header->rank == call->rank)
        nn__explain(group->loss, sizeof group->loss, "rank %d left the group; its first error: %s",
                    (int)call->rank, words);
    else
        nn__explain(group->loss, sizeof group->loss, "rank %d left the group", (int)call->rank);
    nn__collective_loss(group, header);
    group->lost = true;
}

static void nn__collective_job(nn_group *group, nn__group_job *job) {
    nn__group_header *header = &job->header;
    bool done = true;
    header->sequence = ++group->sequence;
    header->magic = NN__COLLECTIVE_MAGIC;
    if (group->helpers && nn__helpers_lost(group->helpers) && !group->lost) {
        group->lost = group->heard = true;
        nn__explain(group->loss, sizeof group->loss,
                    "this process was made by fork(); rank %d of the group is its parent",
                    (int)group->desc.rank);
    }
    if (group->lost)
        nn__collective_loss(group, header);
    else if (group->desc.size > 1)
        nn__collective_round(group, job->who, header);
    if (!header->lost && header->differs &&
        (header->call[0].kind == NN__GROUP_LEAVE || header->call[1].kind == NN__GROUP_LEAVE))
        nn__collective_left(group, header);
    /* A rank with an error may call anything; its error is reported. */
    job->result = (nn_result)header->result;
    if (header->lost || (header->differs && header->result >= 0)) job->result = NN_ERROR_GROUP;
    if (job->result != NN_OK) return;
    switch (header->call[0].kind) {
        case NN__GROUP_SUM:
        case NN__GROUP_BROADCAST: done = nn__collective_carry(group, job); break;
        case NN__GROUP_GATHER: done = nn__collective_gather(group, job); break;
        case NN__GROUP_SPREAD:
            if (nn__window_serves(group, job)) {
                done = nn__window_spread(group, job);
                break;
            }
            for (int i = 0; i < job->sum_count && done; i++)
                done = nn__collective_spread(group, job, &job->sums[i]);
            break;
        default: break;
    }
    if (done) return;
    nn__collective_loss(group, header);
    nn__collective_lose(group);
    job->result = NN_ERROR_GROUP;
}

NN_PRIVATE void nn__group_do(nn_group *group, nn__group_job *job) {
    job->result = NN_ERROR_GROUP;
    if (job->chain && job->chain == group->broken) return;
    job->begun = nn__system_now();
    nn__collective_job(group, job);
    job->ended = nn__system_now();
    if (job->result != NN_OK && job->chain) group->broken = job->chain;
}

#undef NN__COLLECTIVE_MAGIC
#else
typedef int nn__collective_part; /* a part must not be empty under NN__NO_TRAINER */
#endif
