/* group/ranks.h - the inside of a group: collectives on host memory, also beside other work. */
#pragma once

#include "tensor/private.h"
#include "group/group.h"
#include "train/sharing.h"

#define NN__GROUP_TEXT    448 /* bytes of a rank's words that reach the others */
#define NN__GROUP_NEWS    16  /* numbers that travel with an agreement */
#define NN__GROUP_SCRATCH ((size_t)NN_GROUP_PIECE)

typedef enum nn__group_kind {
    NN__GROUP_AGREE = 1,
    NN__GROUP_SUM,
    NN__GROUP_BROADCAST,
    NN__GROUP_GATHER,
    NN__GROUP_SPREAD,
    NN__GROUP_LEAVE
} nn__group_kind;

/* What a rank calls, as the others see it. Sent as it stands: all ranks have one byte order, which
   the magic number shows. */
typedef struct nn__group_call {
    int32_t rank, kind, dtype, from;
    uint64_t bytes;
    char who[40];  /* "nn_group_sum" */
    char site[40]; /* "train.c:31", not compared */
} nn__group_call;

/* What all ranks know after the round that begins each collective. */
typedef struct nn__group_header {
    uint32_t magic;
    int32_t differs; /* the two calls are not the same */
    uint64_t sequence;
    nn__group_call call[2]; /* of the lowest rank; of the first one that differs from it */
    int32_t result, rank;   /* the worst result, and whose */
    int32_t lost;           /* not 0: a rank is missing; text says which */
    int32_t reserved;
    double news[NN__GROUP_NEWS];
    char text[NN__GROUP_TEXT]; /* of that result, or of the loss */
} nn__group_header;

/* f32 numbers [first, first + count) of something, and where they are here. */
typedef struct nn__group_span {
    size_t first, count;
    char *at;
} nn__group_span;

/* Memory of each rank that all others reach (nn_group_desc.share): what lies at one place in all of
   them is added there (group/window.c). */
typedef struct nn__window {
    char *own; /* NULL: there is none */
    size_t bytes, block; /* block: of this struct and what follows */
    bool met;            /* every rank reaches all */
    int process;         /* that made it (nn__crew_process) */
    char **all;          /* by rank, */
    char *places;        /* and NN_GROUP_PLACE bytes of each */
    struct nn__window *next;
} nn__window;

/* One collective. It touches neither the context nor its allocator: a thread of the group may do
   it. Belongs to the caller, from nn__group_begin to nn__group_end. */
typedef struct nn__group_job nn__group_job;
struct nn__group_job {
    nn__group_header header; /* in: the caller's own; out: of all */
    void *data, *all;        /* all: of a gathering, `bytes` for each rank, or */
    int32_t parts;           /* not 0: for each of so many parts (nn__group_part) */
    size_t count;            /* elements of a sum, */
    /* As they are added: NN_F32, NN_I32, NN_I64; NN_BF16: in f32, with `rests`, then rounded */
    nn_dtype dtype;
    bool scatters; /* a sum: each rank gets its part of it only (nn__group_scattered) */
    const nn__group_span *sums, *runs; /* of nn__group_spread */
    int sum_count, run_count;
    float *rests; /* of NN_BF16: what rounding left over (nn__group_rests numbers), in and out */
    const nn__window *window; /* where `data` lie; NULL: in no window */
    const char *who;         /* the call, for messages */
    nn_result result;        /* of all; NN_ERROR_GROUP has its words in header.text */
    bool done;
    /* Not 0: jobs of one number are one matter. Once one of them fails, which all ranks know, the
       others are not done, on no rank: a rank that gives up leaves them out. */
    uint64_t chain;
    uint64_t begun, ended; /* of nn__system_now */
    nn_site site;
    nn__group_job *next;
};

struct nn_group {
    nn__group_head head;
    nn_site site;
    nn_group_desc desc; /* defaults filled in */
    uint64_t sequence;  /* collectives so far */
    char *scratch;      /* NN__GROUP_SCRATCH; NULL: of one rank */
    nn__crew *crew;     /* one thread, or NULL */
    nn__group_job *first, *last; /* under its lock: what it has still to do, the one under way
                                    first */
    uint64_t chains, broken;     /* numbers so far; of the chain that failed */
    bool leaves_early;           /* one that did nothing with the others leaves without them */
    bool lost;                   /* a rank is missing: nothing is possible any more */
    char loss[NN__GROUP_TEXT];   /* which, and why */
    /* What the caller's thread waits for: */
    uint64_t deadline; /* of nn__system_now; 0: none */
    int32_t peer;      /* whom it waits for, */
    const char *who;   /* in which call */
    bool heard;        /* all ranks are told that one is missing */
    /* by rank: whom it accuses, or -1; NULL: nothing is told (nn_group_desc.tell) */
    int32_t *accused;
    int32_t accuser;  /* whose words are the loss; -1: nobody's */
    uint64_t settled; /* of nn__system_now: until then the accused may object; 0: there is none */
    nn__window *windows;
};

/* ---- collectives on host memory. They enter no context: only for calls that are inside ------- */

/* `mine` and, where it is an error, its words (NULL: the context's first error); see
   nn_group_agree. The error is recorded in the context in the name of `who`, unless the rank itself
   brought it. news: `count` numbers (at most NN__GROUP_NEWS), summed over the ranks in the order of
   the tree; NULL: none. */
NN_PRIVATE nn_result nn__group_news(nn_group *group, nn_result mine, const char *text, double *news,
                                    int count, nn_site site, const char *who);
/* In place. After an error the values are those of no rank. */
NN_PRIVATE nn_result nn__group_sum(nn_group *group, float *values, size_t count, nn_site site,
                                   const char *who);
NN_PRIVATE nn_result nn__group_broadcast(nn_group *group, void *bytes, size_t count, int32_t from,
                                         nn_site site, const char *who);
/* Equally many bytes of each rank, by rank, into all (bytes * size). */
NN_PRIVATE nn_result nn__group_gather(nn_group *group, const void *mine, size_t bytes, void *all,
                                      nn_site site, const char *who);
/* The same, with an error of this rank, which is then that of all, instead of its bytes. */
NN_PRIVATE nn_result nn__group_gather_result(nn_group *group, nn_result result, const void *mine,
                                             size_t bytes, void *all, nn_site site,
                                             const char *who);
/* The same of each of `parts` parts (bytes * parts), of which each rank has its own. */
NN_PRIVATE nn_result nn__group_gather_parts(nn_group *group, const void *mine, size_t bytes,
                                            int32_t parts, void *all, nn_site site,
                                            const char *who);

/* What follows scattered sums: of the numbers of each of them every rank has its part, and then all
   have all. sums: the numbers of each, of at most NN__GROUP_SCATTER; runs: where numbers are, in
   ascending order; what is in none does not travel. Ranks have runs of the same numbers. After an
   error they have some. result: an error of this rank, which is then that of all. leaf: NULL, or
   where number 0 of the sums was; what is there now is of no use, and becomes anything. */
NN_PRIVATE nn_result nn__group_spread(nn_group *group, nn_result result, const nn__group_span *sums,
                                      int sum_count, const nn__group_span *runs, int run_count,
                                      void *leaf, nn_site site, const char *who);
/* The same in two halves: a sum that goes on beside the caller's work, where the group has a thread
   (nn__group_beside), and is done by nn__group_begin_sum itself elsewhere. Sums and other
   collectives happen in the order in which they were begun. `values` are the group's until
   nn__group_end, which waits and records the error. rests: NULL: the values are f32; else they are
   bf16, and every sum is rounded and gets what its rounding left over the last time. news: added
   over the ranks, then in the job's header. mine: an error of this rank, which it brings along
   instead of values. chain: of nn__group_chain, or 0. beside: false: the caller itself does it,
   unless others come before it. scatters: only this rank's part of it is wanted, where the size of
   the group is a power of two; of up to NN__GROUP_SCATTER numbers. */
NN_PRIVATE void nn__group_begin_sum(nn_group *group, nn__group_job *job, void *values,
                                    size_t count, bool scatters, float *rests, double news,
                                    nn_result mine, uint64_t chain, bool beside, nn_site site,
                                    const char *who);
/* nn__group_gather_result in the same way. */
NN_PRIVATE void nn__group_begin_gather(nn_group *group, nn__group_job *job, void *mine,
                                       size_t bytes, void *all, nn_result result, uint64_t chain,
                                       bool beside, nn_site site, const char *who);
NN_PRIVATE nn_result nn__group_end(nn_group *group, nn__group_job *job);
NN_PRIVATE void nn__group_await(nn_group *group, nn__group_job *job); /* without its error */
static inline NN__UNUSED uint64_t nn__group_chain(nn_group *group) { return ++group->chains; }
static inline NN__UNUSED bool nn__group_beside(const nn_group *group) {
    return group && group->crew;
}

/* ---- who has what ---------------------------------------------------------------------------- */

/* Where a rank stands in the tree of sums, which has 2^levels places. Of a size that is no power of
   two the first 2 * extra ranks stand there in pairs. */
typedef struct nn__seat {
    int levels;
    int32_t extra, seat;
    int32_t partner; /* the other one of the pair; -1: alone in its place */
    bool second;     /* of a pair */
} nn__seat;

/* NULL: a group of one rank. */
NN_PRIVATE nn__seat nn__group_seat(const nn_group *group);
static inline NN__UNUSED int32_t nn__seat_rank(const nn__seat *at, int32_t place) {
    return place < at->extra ? 2 * place : place + at->extra; /* the first of a pair */
}
static inline NN__UNUSED int32_t nn__rank_seat(const nn__seat *at, int32_t rank) {
    return rank < 2 * at->extra ? rank / 2 : rank - at->extra;
}
/* How many rests there are of `count` numbers on one rank. */
static inline NN__UNUSED size_t nn__group_rests(const nn__seat *at, size_t count) {
    return at->partner < 0 ? count : 2 * count;
}
/* Which of `all` numbers those of a rank are where a sum is scattered over `ranks`, a power of two
   of them. */
NN_PRIVATE void nn__group_scattered(int32_t ranks, int32_t rank, size_t all, size_t *first,
                                    size_t *count);
#define NN__GROUP_SCATTER ((size_t)4 << 20) /* numbers of a sum that is scattered, at most */
/* Of `all` parts, a power of two, those of this rank: a subtree of the tree over all of them, from
   *first on. The two of a pair have half as many as the others. */
NN_PRIVATE int32_t nn__group_part(const nn_group *group, int32_t all, int32_t *first);

/* Memory of `bytes` zeros that the other ranks may reach; ->own is NULL where that cannot be had,
   or for 0 bytes. NULL: no memory. The group drops what is left in its end. */
NN_PRIVATE nn__window *nn__window_open(nn_group *group, size_t bytes, const char *who);
/* A collective: finds those of all ranks. After NN_OK sums of what lies at the same place in them
   are made there, if all ranks reach all. */
NN_PRIVATE nn_result nn__window_meet(nn_group *group, nn__window *window, nn_site site,
                                     const char *who);
NN_PRIVATE void nn__window_drop(nn_group *group, nn__window *window);
/* The one in which `bytes` from `data` on lie; NULL: none. */
NN_PRIVATE const nn__window *nn__window_of(const nn_group *group, const void *data, size_t bytes);

/* ---- inside (group/collective.c) ------------------------------------------------------------- */

/* Takes in what other ranks tell (group/blame.c). waits: this rank is inside an exchange; one that
   comes later has nothing to object. */
NN_PRIVATE void nn__blame_listen(nn_group *group, bool waits);
/* Can ranks tell each other anything outside of exchanges? */
static inline NN__UNUSED bool nn__blame_is_told(const nn_group *group) {
    return group->accused && group->desc.tell && group->desc.told;
}
/* Tells all that rank `accused` is missing; nn__blame_missing: the one that this rank waits for. */
NN_PRIVATE void nn__blame_accuse(nn_group *group, int32_t accused, const char *words);
NN_PRIVATE void nn__blame_missing(nn_group *group);
/* The words for it: it did not answer in time. */
NN_PRIVATE void nn__blame_silence(const nn_group *group, char *words, size_t size);
/* When a rank gives up waiting for its peer at a distance of 2^level, and how many exchanges of its
   own that one may have to wait for before. */
NN_PRIVATE uint64_t nn__collective_deadline(const nn_group *group, uint64_t start, int level);
NN_PRIVATE int nn__collective_waiting(const nn__seat *at, int level);
/* One exchange with a peer; false: it is missing, and group->loss says so. */
NN_PRIVATE bool nn__collective_exchange(nn_group *group, const char *who, int32_t peer,
                                        const void *send, size_t send_bytes, void *receive,
                                        size_t receive_bytes);
/* group/collective_data.c: a sum or a broadcast, a gather, a span that travels from its owners. */
NN_PRIVATE bool nn__collective_carry(nn_group *group, nn__group_job *job);
NN_PRIVATE bool nn__collective_gather(nn_group *group, nn__group_job *job);
/* A number is summed, for the wait: no rank goes on before all have come. */
NN_PRIVATE bool nn__collective_barrier(nn_group *group, nn__group_job *job);
/* to = left + right of f32 numbers; `to` may be one of both. */
NN_PRIVATE void nn__collective_add_floats(float *to, const float *left, const float *right,
                                          size_t count);
/* group/window.c: does any rank lack the window of the job? Then its bytes travel. */
NN_PRIVATE bool nn__window_serves(const nn_group *group, const nn__group_job *job);
NN_PRIVATE bool nn__window_sum(nn_group *group, nn__group_job *job);
NN_PRIVATE bool nn__window_spread(nn_group *group, nn__group_job *job);
NN_PRIVATE bool nn__collective_spread(nn_group *group, nn__group_job *job,
                                      const nn__group_span *sum);
/* Does the job, or finds out why not. */
NN_PRIVATE void nn__group_do(nn_group *group, nn__group_job *job);
NN_PRIVATE void nn__group_fill_job(nn_group *group, nn__group_job *job, nn__group_kind kind,
                                   uint64_t bytes, nn_site site, const char *who);
/* In its turn, then the error. */
NN_PRIVATE nn_result nn__group_run(nn_group *group, nn__group_job *job);
