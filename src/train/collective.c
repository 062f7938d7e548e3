/* train/collective.c - what ranks do together, made of exchanges between two of them.

   Every collective begins with a round in which each rank learns what all others call and how they
   fared: log2(size) exchanges of one header, at distances 1, 2, 4 ... Only then do data travel. A
   sum halves the vector at each distance and doubles it on the way back (Rabenseifner's allreduce):
   every element is added in one tree over the ranks, whatever the count and however it is cut.

   The tree has a power of two of places. Where the size is none, the first ranks stand there in
   pairs, two to a place: the second of a pair hands what it has to the first, waits while that one
   acts for both, and gets the result.

   Nothing here touches the context or its allocator, so that a thread of the group may do it. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#define NN__COLLECTIVE_MAGIC ((uint32_t)0x4E4E4731u) /* of the protocol: "NNG1" */
#define NN__COLLECTIVE_SMALL 4096 /* bytes: below, a sum travels whole, in half as many exchanges */
#define NN__COLLECTIVE_PART  ((size_t)16 << 20) /* bytes that all ranks finish before the next */

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

/* Asked while an exchange waits. */
static bool nn__collective_waits(void *of) {
    nn_group *group = (nn_group *)of;
    nn__blame_listen(group, true);
    if (group->settled) return nn__system_now() < group->settled;
    if (!group->deadline || nn__system_now() < group->deadline) return true;
    if (!nn__blame_is_told(group)) return false;
    nn__blame_missing(group);
    return true;
}

/* The rank beside a missing one misses it first. Those further away wait a little longer, for its
   word that names the missing one. */
static uint64_t nn__collective_deadline(const nn_group *group, uint64_t start, int level) {
    const double timeout = group->desc.timeout, step = timeout > 24.0 ? timeout / 8.0 : 3.0;
    const double seconds = timeout + step * level;
    if (!start || seconds > 1e9) return 0;
    return start + (uint64_t)(seconds * 1e9);
}

/* For how many exchanges of its own the peer at a distance of 2^level may wait before. */
static int nn__collective_waiting(const nn__seat *at, int level) {
    const bool paired = nn__seat_rank(at, at->seat ^ (1 << level)) < 2 * at->extra;
    return level + (at->extra > 0 && (level > 0 || paired));
}

/* The group is of no use any more: all that wait are told. */
static void nn__collective_lose(nn_group *group) {
    group->lost = true;
    if (group->desc.tell && !group->heard) group->desc.tell(group->desc.user, group->loss);
}

static bool nn__collective_exchange(nn_group *group, const char *who, int32_t peer,
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
    nn__blame_listen(group, false); /* Perhaps the peer said why it left. */
    /* the peer came after all, when others had heard that it is missing */
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
    if (nn__blame_is_told(group))
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

typedef enum nn__collective_way {
    NN__WAY_BOTH,  /* each learns what the other knows */
    NN__WAY_GIVE,  /* to the first of a pair, or the answer of all to the second */
    NN__WAY_TAKE,  /* the first of a pair, from the second */
    NN__WAY_ANSWER /* the second of a pair: what all know */
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

/* After a loss it goes on with the ranks that are still to come, so that they learn of it. */
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

/* ---- data ------------------------------------------------------------------------------------ */

/* Sums of bf16 are rounded to bf16: to nearest, ties to even. What that leaves over waits in
   `rests` for the next sum at this place; of numbers that are not finite nothing does. */
static void nn__collective_add_narrow(uint16_t *sum, const uint16_t *a, const uint16_t *b,
                                      float *rests, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const float whole = (nn__widen_bf16(a[i]) + nn__widen_bf16(b[i])) + rests[i];
        sum[i] = nn__narrow_bf16(whole);
        const float rest = whole - nn__widen_bf16(sum[i]);
        rests[i] = rest - rest == 0.0f ? rest : 0.0f;
    }
}

/* Four are read before one is written, so that compilers add them at once. */
static void nn__collective_add_floats(float *sum, const float *a, const float *b, size_t count) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float first = a[i] + b[i], second = a[i + 1] + b[i + 1];
        const float third = a[i + 2] + b[i + 2], fourth = a[i + 3] + b[i + 3];
        sum[i] = first, sum[i + 1] = second, sum[i + 2] = third, sum[i + 3] = fourth;
    }
    for (; i < count; i++) sum[i] = a[i] + b[i];
}

static void nn__collective_add(nn_dtype dtype, void *to, const void *left, const void *right,
                               float *rests, size_t count) {
    if (dtype == NN_BF16) {
        nn__collective_add_narrow((uint16_t *)to, (const uint16_t *)left, (const uint16_t *)right,
                                  rests, count);
    } else if (dtype == NN_F32) {
        nn__collective_add_floats((float *)to, (const float *)left, (const float *)right, count);
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

/* Bytes to and from a peer, in pieces. receive NULL: what arrives is added to `sum`, on the side of
   the rank it came from. level: for how many exchanges of its own the peer may wait before. */
static bool nn__collective_swap(nn_group *group, nn__group_job *job, int level, int32_t peer,
                                const char *send, size_t send_bytes, char *receive,
                                size_t receive_bytes, char *sum) {
    const size_t size = nn_dtype_size(job->dtype);
    for (size_t at = 0; at < send_bytes || at < receive_bytes; at += NN__GROUP_SCRATCH) {
        size_t out = at < send_bytes ? send_bytes - at : 0;
        size_t in = at < receive_bytes ? receive_bytes - at : 0;
        char *to = receive ? receive + (in ? at : 0) : group->scratch;
        if (out > NN__GROUP_SCRATCH) out = NN__GROUP_SCRATCH;
        if (in > NN__GROUP_SCRATCH) in = NN__GROUP_SCRATCH;
        group->deadline = nn__collective_deadline(group, nn__system_now(), level);
        if (!nn__collective_exchange(group, job->who, peer, out ? send + at : send, out, to, in))
            return false;
        if (receive || !in) continue;
        float *rests = job->rests ? job->rests + at / size : NULL;
        if (peer > group->desc.rank)
            nn__collective_add(job->dtype, sum + at, sum + at, to, rests, in / size);
        else
            nn__collective_add(job->dtype, sum + at, to, sum + at, rests, in / size);
    }
    return true;
}

/* With the peer at a distance of 2^level. */
static bool nn__collective_cross(nn_group *group, nn__group_job *job, const nn__seat *at, int level,
                                 const char *send, size_t send_bytes, char *receive,
                                 size_t receive_bytes, char *sum) {
    return nn__collective_swap(group, job, nn__collective_waiting(at, level),
                               nn__seat_rank(at, at->seat ^ (1 << level)), send, send_bytes,
                               receive, receive_bytes, sum);
}

/* The second of a pair: what it has to the first, and then the result from there. */
static bool nn__collective_follow(nn_group *group, nn__group_job *job, const nn__seat *at,
                                  const char *send, size_t send_bytes, char *receive,
                                  size_t receive_bytes) {
    return nn__collective_swap(group, job, 0, at->partner, send, send_bytes, receive, 0, NULL) &&
           nn__collective_swap(group, job, at->levels + 1, at->partner, send, 0, receive,
                               receive_bytes, NULL);
}

/* The result to the second of a pair. */
static bool nn__collective_answer(nn_group *group, nn__group_job *job, const nn__seat *at,
                                  const char *send, size_t bytes) {
    return at->partner < 0 || nn__collective_swap(group, job, at->levels + 1, at->partner, send,
                                                  bytes, group->scratch, 0, NULL);
}

/* Parts that are scattered begin where vectors do. */
static size_t nn__collective_low(bool scatters, size_t count) {
    return scatters ? count / 2 & ~(size_t)15 : count / 2;
}

NN_PRIVATE void nn__group_scattered(int32_t ranks, int32_t rank, size_t all, size_t *first,
                                    size_t *count) {
    *first = 0;
    *count = all;
    for (int32_t bit = 1; bit < ranks; bit *= 2) {
        const size_t low = nn__collective_low(true, *count);
        if (rank & bit) *first += low;
        *count = rank & bit ? *count - low : low;
    }
}

/* Over the places: each then has the sum of all, or its part of it. */
static bool nn__collective_sum_seats(nn_group *group, nn__group_job *job, const nn__seat *at,
                                      char *data, size_t all) {
    const size_t size = nn_dtype_size(job->dtype);
    size_t first[12], count[12]; /* what this rank keeps at each level */
    const bool whole = all * size <= NN__COLLECTIVE_SMALL && !job->rests;
    int level = 0;
    first[0] = 0;
    count[0] = all;
    for (; whole && level < at->levels; level++)
        if (!nn__collective_cross(group, job, at, level, data, all * size, NULL, all * size, data))
            return false;
    if (whole) return true;
    for (; level < at->levels; level++) {
        const size_t low = nn__collective_low(job->scatters, count[level]);
        const size_t high = count[level] - low;
        char *lower = data + first[level] * size, *upper = lower + low * size;
        const bool above = (at->seat >> level & 1) != 0;
        first[level + 1] = first[level] + (above ? low : 0);
        count[level + 1] = above ? high : low;
        if (!nn__collective_cross(group, job, at, level, above ? lower : upper,
                                  (above ? low : high) * size, NULL, (above ? high : low) * size,
                                  above ? upper : lower))
            return false;
        if (job->rests) job->rests += count[level + 1];
    }
    while (!job->scatters && level-- > 0) {
        const size_t low = count[level] / 2, high = count[level] - low;
        char *lower = data + first[level] * size, *upper = lower + low * size;
        const bool above = (at->seat >> level & 1) != 0;
        if (!nn__collective_cross(group, job, at, level, above ? upper : lower,
                                  (above ? high : low) * size, above ? lower : upper,
                                  (above ? low : high) * size, NULL))
            return false;
    }
    return true;
}

static bool nn__collective_sum(nn_group *group, nn__group_job *job, char *data, size_t count) {
    const nn__seat at = nn__group_seat(group);
    const size_t bytes = count * nn_dtype_size(job->dtype);
    if (at.second) return nn__collective_follow(group, job, &at, data, bytes, data, bytes);
    if (at.partner >= 0 &&
        !nn__collective_swap(group, job, 0, at.partner, data, 0, NULL, bytes, data))
        return false;
    if (at.partner >= 0 && job->rests) job->rests += count;
    return nn__collective_sum_seats(group, job, &at, data, count) &&
           nn__collective_answer(group, job, &at, data, bytes);
}

/* The numbers from *at on, before `end`, that are somewhere: their place and *count; 0: none. */
static char *nn__collective_run(const nn__group_job *job, size_t *at, size_t end, size_t *count) {
    *count = 0;
    for (int i = 0; i < job->run_count; i++) {
        const nn__group_span *run = &job->runs[i];
        const size_t over = run->first + run->count;
        if (over <= *at) continue;
        if (run->first >= end) return NULL;
        if (*at < run->first) *at = run->first;
        *count = (over < end ? over : end) - *at;
        if (*count > NN__GROUP_SCRATCH / sizeof(float)) *count = NN__GROUP_SCRATCH / sizeof(float);
        return run->at + (*at - run->first) * sizeof(float);
    }
    return NULL;
}

/* Numbers to and from the peer at a distance of 2^level, from and to where they are. */
static bool nn__collective_exchange_runs(nn_group *group, nn__group_job *job, const nn__seat *at,
                                         int level, size_t send, size_t send_end, size_t receive,
                                         size_t receive_end) {
    const int32_t peer = nn__seat_rank(at, at->seat ^ (1 << level));
    for (;;) {
        size_t out, in;
        const char *from = nn__collective_run(job, &send, send_end, &out);
        char *to = nn__collective_run(job, &receive, receive_end, &in);
        if (out == 0 && in == 0) return true;
        group->deadline = nn__collective_deadline(group, nn__system_now(), level);
        if (!nn__collective_exchange(group, job->who, peer, out ? from : group->scratch,
                                     out * sizeof(float), in ? to : group->scratch,
                                     in * sizeof(float)))
            return false;
        send += out;
        receive += in;
    }
}

/* The way back of a sum that was scattered. */
static bool nn__collective_spread(nn_group *group, nn__group_job *job, const nn__group_span *sum) {
    const nn__seat at = nn__group_seat(group);
    size_t first[12], count[12];
    int level = 0;
    first[0] = sum->first;
    count[0] = sum->count;
    for (; level < at.levels; level++) {
        const size_t low = nn__collective_low(true, count[level]);
        const bool above = (at.seat >> level & 1) != 0;
        first[level + 1] = first[level] + (above ? low : 0);
        count[level + 1] = above ? count[level] - low : low;
    }
    while (level-- > 0) {
        const size_t end = first[level] + count[level];
        const size_t middle = first[level] + nn__collective_low(true, count[level]);
        const bool above = (at.seat >> level & 1) != 0;
        if (!nn__collective_exchange_runs(group, job, &at, level, above ? middle : first[level],
                                          above ? end : middle, above ? first[level] : middle,
                                          above ? middle : end))
            return false;
    }
    return true;
}

/* At each distance those that have the bytes double. */
static bool nn__collective_broadcast(nn_group *group, nn__group_job *job, char *data,
                                     size_t bytes) {
    const nn__seat at = nn__group_seat(group);
    const int32_t from = job->header.call[0].from;
    const int32_t away = at.seat ^ nn__rank_seat(&at, from);
    const bool is_from = from == group->desc.rank, has_it = from == at.partner;
    if (at.second)
        return nn__collective_follow(group, job, &at, data, is_from ? bytes : 0, data,
                                     is_from ? 0 : bytes);
    if (has_it && !nn__collective_swap(group, job, 0, from, data, 0, data, bytes, NULL))
        return false;
    for (int level = 0; level < at.levels; level++) {
        const bool has = away < 1 << level, gets = !has && away < 2 << level;
        if ((has || gets) &&
            !nn__collective_cross(group, job, &at, level, data, has ? bytes : 0, data,
                                  gets ? bytes : 0, NULL))
            return false;
    }
    return has_it || nn__collective_answer(group, job, &at, data, bytes);
}

/* Where in the gathered bytes those of a place begin. */
static size_t nn__collective_offset(const nn__group_job *job, const nn__seat *at, int32_t place) {
    const size_t bytes = (size_t)job->header.call[0].bytes;
    return bytes * (size_t)(job->parts ? job->parts / (1 << at->levels) * place
                                       : nn__seat_rank(at, place));
}

static bool nn__collective_gather(nn_group *group, nn__group_job *job) {
    const nn__seat at = nn__group_seat(group);
    const size_t from = nn__collective_offset(job, &at, at.seat);
    const size_t both = nn__collective_offset(job, &at, at.seat + 1) - from;
    const size_t bytes = at.partner < 0 ? both : both / 2;
    const size_t whole = nn__collective_offset(job, &at, 1 << at.levels);
    char *all = (char *)job->all, *mine = all + from + (at.second ? bytes : 0);
    if (bytes) memmove(mine, job->data, bytes);
    if (at.second) return nn__collective_follow(group, job, &at, mine, bytes, all, whole);
    if (at.partner >= 0 && !nn__collective_swap(group, job, 0, at.partner, mine, 0, mine + bytes,
                                                bytes, NULL))
        return false;
    for (int level = 0; level < at.levels; level++) {
        const int32_t places = 1 << level, low = at.seat & ~(places - 1), other = low ^ places;
        const size_t has = nn__collective_offset(job, &at, low);
        const size_t gets = nn__collective_offset(job, &at, other);
        if (!nn__collective_cross(group, job, &at, level, all + has,
                                  nn__collective_offset(job, &at, low + places) - has, all + gets,
                                  nn__collective_offset(job, &at, other + places) - gets, NULL))
            return false;
    }
    return nn__collective_answer(group, job, &at, all, whole);
}

/* In parts: the second of a pair, and those far from where a broadcast begins, hear nothing until
   a part is done, and have the patience of the timeout. */
static bool nn__collective_carry(nn_group *group, nn__group_job *job) {
    const bool sums = job->header.call[0].kind == NN__GROUP_SUM;
    const size_t size = sums ? nn_dtype_size(job->dtype) : 1;
    const size_t most = NN__COLLECTIVE_PART / size;
    const size_t all = sums ? job->count : (size_t)job->header.call[0].bytes;
    const nn__seat at = nn__group_seat(group);
    float *rests = job->rests;
    for (size_t done = 0; done < all; done += most) {
        const size_t count = all - done < most ? all - done : most;
        char *data = (char *)job->data + done * size;
        if (rests) job->rests = rests + nn__group_rests(&at, done);
        if (!(sums ? nn__collective_sum(group, job, data, count)
                   : nn__collective_broadcast(group, job, data, count)))
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
        case NN__GROUP_SUM:
        case NN__GROUP_BROADCAST: done = nn__collective_carry(group, job); break;
        case NN__GROUP_GATHER: done = nn__collective_gather(group, job); break;
        case NN__GROUP_SPREAD:
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
#undef NN__COLLECTIVE_SMALL
#undef NN__COLLECTIVE_PART
#else
typedef int nn__collective_part; /* a part must not be empty under NN_NO_TRAINING */
#endif
