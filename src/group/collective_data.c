/* group/collective_data.c - moves the data of a collective, after all ranks have agreed on it
   (group/collective.c). A sum halves the vector at each distance and doubles it on the way back
   (Rabenseifner's allreduce). Every element is added in one tree over the ranks, whatever the count
   and the pieces. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

#define NN__COLLECTIVE_SMALL 4096 /* bytes: smaller sums travel as wholes, in half as many
                                     exchanges */
#define NN__COLLECTIVE_PART  ((size_t)16 << 20) /* bytes that all ranks finish before the next
                                                   ones */

/* Adds bf16 numbers and rounds the sums to bf16, to nearest, ties to even. The rounding error stays
   in `rests` for the next sum at this place; it is 0 for numbers that are not finite. */
static void nn__collective_add_narrow(uint16_t *sum, const uint16_t *a, const uint16_t *b,
                                      float *rests, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const float whole = (nn__widen_bf16(a[i]) + nn__widen_bf16(b[i])) + rests[i];
        sum[i] = nn__narrow_bf16(whole);
        const float rest = whole - nn__widen_bf16(sum[i]);
        rests[i] = rest - rest == 0.0f ? rest : 0.0f;
    }
}

/* Four sums are computed before one is written, so that compilers vectorise the loop. */
NN_PRIVATE void nn__collective_add_floats(float *sum, const float *a, const float *b,
                                          size_t count) {
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

/* Exchanges bytes with a peer, in pieces. receive NULL: the received numbers are added to `sum`,
   as the left or right term by rank. level: the peer may first wait for this many exchanges of its
   own. */
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

/* Exchanges with the peer at a distance of 2^level. */
static bool nn__collective_cross(nn_group *group, nn__group_job *job, const nn__seat *at, int level,
                                 const char *send, size_t send_bytes, char *receive,
                                 size_t receive_bytes, char *sum) {
    return nn__collective_swap(group, job, nn__collective_waiting(at, level),
                               nn__seat_rank(at, at->seat ^ (1 << level)), send, send_bytes,
                               receive, receive_bytes, sum);
}

/* For the second of a pair: sends its data to the first, then receives the result. */
static bool nn__collective_follow(nn_group *group, nn__group_job *job, const nn__seat *at,
                                  const char *send, size_t send_bytes, char *receive,
                                  size_t receive_bytes) {
    return nn__collective_swap(group, job, 0, at->partner, send, send_bytes, receive, 0, NULL) &&
           nn__collective_swap(group, job, at->levels + 1, at->partner, send, 0, receive,
                               receive_bytes, NULL);
}

/* Sends the result to the second of a pair. */
static bool nn__collective_answer(nn_group *group, nn__group_job *job, const nn__seat *at,
                                  const char *send, size_t bytes) {
    return at->partner < 0 || nn__collective_swap(group, job, at->levels + 1, at->partner, send,
                                                  bytes, group->scratch, 0, NULL);
}

/* Parts that are scattered begin at multiples of 16 numbers. */
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

/* Sums over the places; each then has the whole sum or its part of it. */
static bool nn__collective_sum_seats(nn_group *group, nn__group_job *job, const nn__seat *at,
                                      char *data, size_t all) {
    const size_t size = nn_dtype_size(job->dtype);
    size_t first[12], count[12]; /* the part of this rank at each level */
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

NN_PRIVATE bool nn__collective_barrier(nn_group *group, nn__group_job *job) {
    float nothing = 0.0f;
    return nn__collective_sum(group, job, (char *)&nothing, 1);
}

/* Returns the memory of the next numbers from *at on, before `end`, and their *count; NULL: none
   are left. */
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

/* Exchanges numbers with the peer at a distance of 2^level, directly from and to their memory. */
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

/* Sends the numbers of each rank to all, on the way back of a scattered sum. */
NN_PRIVATE bool nn__collective_spread(nn_group *group, nn__group_job *job,
                                      const nn__group_span *sum) {
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

/* At each distance, the number of ranks that have the bytes doubles. */
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

/* Returns the offset of a place in the gathered bytes. */
static size_t nn__collective_offset(const nn__group_job *job, const nn__seat *at, int32_t place) {
    const size_t bytes = (size_t)job->header.call[0].bytes;
    return bytes * (size_t)(job->parts ? job->parts / (1 << at->levels) * place
                                       : nn__seat_rank(at, place));
}

NN_PRIVATE bool nn__collective_gather(nn_group *group, nn__group_job *job) {
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

/* Works in parts: the second of a pair, and ranks far from the source of a broadcast, hear nothing
   until a part is done, and must not reach their timeout. */
NN_PRIVATE bool nn__collective_carry(nn_group *group, nn__group_job *job) {
    const bool sums = job->header.call[0].kind == NN__GROUP_SUM;
    const size_t size = sums ? nn_dtype_size(job->dtype) : 1;
    const size_t most = NN__COLLECTIVE_PART / size;
    const size_t all = sums ? job->count : (size_t)job->header.call[0].bytes;
    const nn__seat at = nn__group_seat(group);
    float *rests = job->rests;
    if (sums && nn__window_serves(group, job)) return nn__window_sum(group, job);
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

#undef NN__COLLECTIVE_SMALL
#undef NN__COLLECTIVE_PART
#else
typedef int nn__collective_data_part; /* a part must not be empty under NN__NO_TRAINER */
#endif
