/* train/collective.c - what ranks do together, made of exchanges between two of them.

   Every collective begins with a round in which each rank learns what all others call and how they
   fared: log2(size) exchanges of one header, at distances 1, 2, 4 ... Only then do data travel. A
   sum halves the vector at each distance and doubles it on the way back (Rabenseifner's allreduce):
   every element is added in one tree over the ranks, whatever the count and however it is cut.

   Nothing here touches the context or its allocator, so that a thread of the group may do it. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#define NN__COLLECTIVE_MAGIC ((uint32_t)0x4E4E4731u) /* of the protocol: "NNG1" */
#define NN__COLLECTIVE_SMALL 4096 /* bytes: below, a sum travels whole, in half as many exchanges */

/* ---- patience -------------------------------------------------------------------------------- */

/* Asked while an exchange waits. */
static bool nn__collective_waits(void *of) {
    nn_group *group = (nn_group *)of;
    char text[NN__GROUP_TEXT];
    if (group->desc.told && group->desc.told(group->desc.user, text, sizeof text)) {
        nn__copy_text(group->loss, sizeof group->loss, text);
        group->heard = true;
        return false;
    }
    return !group->deadline || nn__system_now() < group->deadline;
}

/* The rank beside a missing one misses it first. Those further away wait a little longer, for its
   word that names the missing one. */
static uint64_t nn__collective_deadline(const nn_group *group, uint64_t start, int level) {
    const double timeout = group->desc.timeout, step = timeout > 24.0 ? timeout / 8.0 : 3.0;
    const double seconds = timeout + step * level;
    if (!start || seconds > 1e9) return 0;
    return start + (uint64_t)(seconds * 1e9);
}

/* The group is of no use any more: all that wait are told. */
static void nn__collective_lose(nn_group *group) {
    group->lost = true;
    if (group->desc.tell && !group->heard) group->desc.tell(group->desc.user, group->loss);
}

static bool nn__collective_exchange(nn_group *group, const char *who, int32_t peer,
                                    const void *send, size_t send_bytes, void *receive,
                                    size_t receive_bytes) {
    nn_result result = group->desc.exchange(group->desc.user, peer, send, send_bytes, receive,
                                            receive_bytes, nn__collective_waits, group);
    if (result == NN_OK) return true;
    nn__collective_waits(group); /* Perhaps the peer said why it left. */
    if (group->heard) return false;
    if (group->deadline && nn__system_now() >= group->deadline)
        nn__explain(group->loss, sizeof group->loss,
                    "rank %d did not answer rank %d in %s within %g seconds (timeout)", (int)peer,
                    (int)group->desc.rank, who, group->desc.timeout);
    else
        nn__explain(group->loss, sizeof group->loss, "rank %d is gone, says rank %d in %s",
                    (int)peer, (int)group->desc.rank, who);
    return false;
}

/* ---- the round that begins a collective ------------------------------------------------------ */

static bool nn__collective_same(const nn__group_call *a, const nn__group_call *b) {
    return a->kind == b->kind && a->dtype == b->dtype && a->from == b->from &&
           a->bytes == b->bytes && strcmp(a->who, b->who) == 0;
}

/* An error goes before what is none, and what a rank found by itself before what it heard of. */
static int nn__collective_weight(int32_t result) {
    return result == NN_OK ? 0 : result > 0 ? 1 : result == NN_ERROR_GROUP ? 2 : 3;
}

/* What the ranks of `high`, all above those of `low`, add to it. */
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

/* After a loss it goes on with the ranks that are still to come, so that they learn of it. */
static void nn__collective_round(nn_group *group, const char *who,
                                 nn__group_header *mine) {
    const uint64_t start = nn__system_now();
    nn__group_header theirs;
    for (int level = 0; 1 << level < group->desc.size; level++) {
        const int32_t peer = group->desc.rank ^ (1 << level);
        group->deadline = nn__collective_deadline(group, start, level);
        if (!nn__collective_exchange(group, who, peer, mine, sizeof *mine, &theirs,
                                     sizeof theirs)) {
            if (!mine->lost) nn__collective_loss(group, mine);
            if (group->heard) break;
        } else if (theirs.magic != mine->magic || theirs.sequence != mine->sequence) {
            nn__explain(group->loss, sizeof group->loss,
                        "ranks %d and %d do not understand each other: they have different "
                        "versions of this library or byte orders, or a message was lost",
                        (int)nn__mini(peer, group->desc.rank),
                        (int)nn__maxi(peer, group->desc.rank));
            if (!mine->lost) nn__collective_loss(group, mine);
        } else if (peer > group->desc.rank) {
            nn__collective_merge(mine, &theirs);
        } else {
            nn__collective_merge(&theirs, mine);
            *mine = theirs;
        }
    }
    if (!mine->lost) return;
    nn__copy_text(group->loss, sizeof group->loss, mine->text);
    nn__collective_lose(group);
}

/* ---- data ------------------------------------------------------------------------------------ */

static void nn__collective_add(nn_dtype dtype, void *to, const void *left, const void *right,
                               size_t count) {
    if (dtype == NN_F32) {
        float *sum = (float *)to;
        const float *a = (const float *)left, *b = (const float *)right;
        for (size_t i = 0; i < count; i++) sum[i] = a[i] + b[i];
    } else if (dtype == NN_I32) {
        uint32_t *sum = (uint32_t *)to;
        const uint32_t *a = (const uint32_t *)left, *b = (const uint32_t *)right;
        for (size_t i = 0; i < count; i++) sum[i] = a[i] + b[i];
    } else {
        uint64_t *sum = (uint64_t *)to;
        const uint64_t *a = (const uint64_t *)left, *b = (const uint64_t *)right;
        for (size_t i = 0; i < count; i++) sum[i] = a[i] + b[i];
    }
}

/* Bytes to and from the peer at a distance of 2^level, in pieces. receive NULL: what arrives is
   added to `sum`, on the side of the rank it came from. */
static bool nn__collective_swap(nn_group *group, nn__group_job *job, int level, const char *send,
                                size_t send_bytes, char *receive, size_t receive_bytes, char *sum) {
    const int32_t peer = group->desc.rank ^ (1 << level);
    const size_t size = nn_dtype_size(job->dtype);
    for (size_t at = 0; at < send_bytes || at < receive_bytes; at += NN__GROUP_SCRATCH) {
        size_t out = at < send_bytes ? send_bytes - at : 0;
        size_t in = at < receive_bytes ? receive_bytes - at : 0;
        char *to = receive ? receive + (in ? at : 0) : group->scratch;
        if (out > NN__GROUP_SCRATCH) out = NN__GROUP_SCRATCH;
        if (in > NN__GROUP_SCRATCH) in = NN__GROUP_SCRATCH;
        group->deadline = nn__collective_deadline(group, nn__system_now(), level);
        if (!nn__collective_exchange(group, job->who, peer,
                                     out ? send + at : send, out, to, in))
            return false;
        if (receive || !in) continue;
        if (peer > group->desc.rank)
            nn__collective_add(job->dtype, sum + at, sum + at, to, in / size);
        else
            nn__collective_add(job->dtype, sum + at, to, sum + at, in / size);
    }
    return true;
}

static bool nn__collective_sum(nn_group *group, nn__group_job *job) {
    const size_t size = nn_dtype_size(job->dtype);
    char *data = (char *)job->data;
    size_t first[12], count[12]; /* what this rank keeps at each level */
    int level = 0;
    first[0] = 0;
    count[0] = job->count;
    if (job->count * size <= NN__COLLECTIVE_SMALL) {
        const size_t bytes = job->count * size;
        for (; 1 << level < group->desc.size; level++)
            if (!nn__collective_swap(group, job, level, data, bytes, NULL, bytes, data))
                return false;
        return true;
    }
    for (; 1 << level < group->desc.size; level++) {
        const size_t low = count[level] / 2, high = count[level] - low;
        char *lower = data + first[level] * size, *upper = lower + low * size;
        const bool above = (group->desc.rank >> level & 1) != 0;
        first[level + 1] = first[level] + (above ? low : 0);
        count[level + 1] = above ? high : low;
        if (!nn__collective_swap(group, job, level, above ? lower : upper,
                                 (above ? low : high) * size, NULL, (above ? high : low) * size,
                                 above ? upper : lower))
            return false;
    }
    while (level-- > 0) {
        const size_t low = count[level] / 2, high = count[level] - low;
        char *lower = data + first[level] * size, *upper = lower + low * size;
        const bool above = (group->desc.rank >> level & 1) != 0;
        if (!nn__collective_swap(group, job, level, above ? upper : lower,
                                 (above ? high : low) * size, above ? lower : upper,
                                 (above ? low : high) * size, NULL))
            return false;
    }
    return true;
}

/* At each distance those that have the bytes double. */
static bool nn__collective_broadcast(nn_group *group, nn__group_job *job) {
    const int32_t from = group->desc.rank ^ job->header.call[0].from;
    const size_t bytes = (size_t)job->header.call[0].bytes;
    char *data = (char *)job->data;
    for (int level = 0; 1 << level < group->desc.size; level++) {
        const bool has = from < 1 << level, gets = !has && from < 2 << level;
        if ((has || gets) && !nn__collective_swap(group, job, level, data, has ? bytes : 0, data,
                                                  gets ? bytes : 0, NULL))
            return false;
    }
    return true;
}

static bool nn__collective_gather(nn_group *group, nn__group_job *job) {
    const size_t bytes = (size_t)job->header.call[0].bytes;
    char *all = (char *)job->all;
    if (bytes) memmove(all + bytes * (size_t)group->desc.rank, job->data, bytes);
    for (int level = 0; 1 << level < group->desc.size; level++) {
        const size_t ranks = (size_t)1 << level, mine = (size_t)group->desc.rank & ~(ranks - 1);
        if (!nn__collective_swap(group, job, level, all + bytes * mine, bytes * ranks,
                                 all + bytes * (mine ^ ranks), bytes * ranks, NULL))
            return false;
    }
    return true;
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* A rank that left is missing from now on. */
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
    if (group->crew && nn__crew_lost(group->crew) && !group->lost) {
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
    /* A rank with an error may call anything: the error is what is told. */
    job->result = (nn_result)header->result;
    if (header->lost || (header->differs && header->result >= 0)) job->result = NN_ERROR_GROUP;
    if (job->result != NN_OK) return;
    switch (header->call[0].kind) {
        case NN__GROUP_SUM: done = nn__collective_sum(group, job); break;
        case NN__GROUP_BROADCAST: done = nn__collective_broadcast(group, job); break;
        case NN__GROUP_GATHER: done = nn__collective_gather(group, job); break;
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
#undef NN__COLLECTIVE_SMALL
#else
typedef int nn__collective_part; /* a part must not be empty under NN_NO_TRAINING */
#endif
