/* group/ranks.h - the inside of a group: collectives on host memory, which may overlap with other
   work. */
#pragma once

#include "tensor/private.h"
#include "group/group.h"
#include "train/sharing.h"

#define NN__GROUP_TEXT    448 /* bytes of a rank's text that reach the others */
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

/* The call of a rank, as the others see it. It is sent as raw memory: all ranks have one byte
   order, which the magic number verifies. */
typedef struct nn__group_call {
    int32_t rank, kind, dtype, from;
    uint64_t bytes;
    char who[40];  /* "nn_group_sum" */
    char site[40]; /* "train.c:31", not compared */
} nn__group_call;

/* What all ranks know after the round at the start of each collective. */
typedef struct nn__group_header {
    uint32_t magic;
    int32_t differs; /* the two calls are different */
    uint64_t sequence;
    nn__group_call call[2]; /* of the lowest rank, and of the first rank that differs from it */
    int32_t result, rank;   /* the worst result, and its rank */
    int32_t lost;           /* not 0: a rank is missing; text names it */
    int32_t reserved;
    double news[NN__GROUP_NEWS];
    char text[NN__GROUP_TEXT]; /* text of that result or loss */
} nn__group_header;

/* f32 numbers [first, first + count) of a sequence, and their memory here. */
typedef struct nn__group_span {
    size_t first, count;
    char *at;
} nn__group_span;

/* Memory of each rank that all others reach (nn_group_desc.share). Numbers at the same offset are
   added in place (group/window.c). */
typedef struct nn__window {
    char *own; /* NULL: there is none */
    size_t bytes, block; /* block: size of the allocation with this struct */
    bool met;            /* every rank reaches all */
    int process;         /* the process that made it (nn__helpers_process) */
    char **all;          /* the memory of each rank */
    char *places;        /* where it is: NN_GROUP_PLACE bytes for each rank */
    struct nn__window *next;
} nn__window;

/* One collective. It uses neither the context nor its allocator, so a thread of the group may run
   it. The caller owns it, and keeps it until nn__group_end. */
typedef struct nn__group_job nn__group_job;
struct nn__group_job {
    nn__group_header header; /* in: the caller's own; out: merged over all ranks */
    void *data, *all;        /* all: the result of a gathering, `bytes` for each rank or part */
    int32_t parts;           /* not 0: number of parts that are gathered (nn__group_part) */
    size_t count;            /* number of elements of a sum */
    /* of the elements: NN_F32, NN_I32, NN_I64, or NN_BF16, which is added in f32 with `rests` and
       then rounded */
    nn_dtype dtype;
    bool scatters; /* a sum: each rank gets only its part (nn__group_scattered) */
    const nn__group_span *sums, *runs; /* of nn__group_spread */
    int sum_count, run_count;
    float *rests; /* for NN_BF16: the rounding errors (nn__group_rests numbers), in and out */
    const nn__window *window; /* the window that contains `data`, or NULL */
    const char *who;         /* the call, for messages */
    nn_result result; /* the same on all ranks; the text of NN_ERROR_GROUP is in header.text */
    bool done;
    /* Not 0: jobs with the same number form a chain. Once one of them fails, which all ranks know,
       no rank does the later ones. So a rank that gives up can leave them out. */
    uint64_t chain;
    uint64_t begun, ended; /* of nn__system_now */
    nn_site site;
    nn__group_job *next;
};

struct nn_group {
    nn__group_head head;
    nn_site site;
    nn_group_desc desc; /* defaults filled in */
    uint64_t sequence;  /* number of collectives so far */
    char *scratch;      /* NN__GROUP_SCRATCH bytes; NULL: only one rank */
    nn__helpers *helpers;        /* one thread, or NULL */
    nn__group_job *first, *last; /* under the helper's lock: the jobs still to do, the current one
                                    first */
    uint64_t chains, broken;     /* number of chains so far; the chain that failed */
    bool leaves_early; /* a rank that did nothing with the others leaves without telling them */
    bool lost;                   /* a rank is missing: all further collectives fail */
    char loss[NN__GROUP_TEXT];   /* the missing rank, and why */
    /* What the current exchange waits for: */
    uint64_t deadline; /* of nn__system_now; 0: none */
    int32_t peer;      /* the rank that it waits for */
    const char *who;   /* the call in which it waits */
    bool heard;        /* all ranks have been told that one is missing */
    /* by rank: the rank that it accuses, or -1; NULL: nothing is told (nn_group_desc.tell) */
    int32_t *accused;
    int32_t accuser;  /* the rank whose text is in `loss`; -1: none */
    uint64_t settled; /* of nn__system_now: end of the time in which accused ranks may object; 0: no
                         accusation */
    nn__window *windows;
};

/* ---- collectives on host memory, for calls that have entered the context --------------------- */

/* Agrees on a result; see nn_group_agree. text: the words of an error `mine` (NULL: the context's
   first error). The context records the error in the name of `who`, unless this rank brought it.
   news: `count` numbers (at most NN__GROUP_NEWS) to be summed over the ranks in the order of the
   tree, or NULL. */
NN_PRIVATE nn_result nn__group_news(nn_group *group, nn_result mine, const char *text, double *news,
                                    int count, nn_site site, const char *who);
/* Sums in place. After an error the values are undefined. */
NN_PRIVATE nn_result nn__group_sum(nn_group *group, float *values, size_t count, nn_site site,
                                   const char *who);
NN_PRIVATE nn_result nn__group_broadcast(nn_group *group, void *bytes, size_t count, int32_t from,
                                         nn_site site, const char *who);
/* Collects `bytes` of each rank, by rank, in `all` (bytes * size). */
NN_PRIVATE nn_result nn__group_gather(nn_group *group, const void *mine, size_t bytes, void *all,
                                      nn_site site, const char *who);
/* Does the same for a rank that may have an error instead of bytes; all ranks then get this
   error. */
NN_PRIVATE nn_result nn__group_gather_result(nn_group *group, nn_result result, const void *mine,
                                             size_t bytes, void *all, nn_site site,
                                             const char *who);
/* Does the same for each of `parts` parts (bytes * parts), of which each rank has its own. */
NN_PRIVATE nn_result nn__group_gather_parts(nn_group *group, const void *mine, size_t bytes,
                                            int32_t parts, void *all, nn_site site,
                                            const char *who);

/* Follows scattered sums: each rank has its part of the numbers of each sum; afterwards every rank
   has all numbers. sums: the numbers of each, at most NN__GROUP_SCATTER. runs: the memory of the
   numbers, in ascending order, of the same numbers on all ranks; numbers in no run do not travel.
   After an error only some numbers have arrived. result: an error of this rank, which all ranks
   get. leaf: the memory of number 0 of the sums, which is overwritten; or NULL. */
NN_PRIVATE nn_result nn__group_spread(nn_group *group, nn_result result, const nn__group_span *sums,
                                      int sum_count, const nn__group_span *runs, int run_count,
                                      void *leaf, nn_site site, const char *who);
/* Do a sum in two halves. The group's thread, if there is one (nn__group_has_helpers), computes it
   while the caller works; otherwise nn__group_begin_sum computes it. Sums and other collectives run
   in the order in which they were begun. The group uses `values` until nn__group_end, which waits
   and records the error.
   - rests: NULL: the values are f32. Otherwise they are bf16, and every sum is rounded after its
     last rounding error was added.
   - news: a number that is added over the ranks, in the job's header.
   - mine: an error of this rank, sent instead of values.
   - chain: a number from nn__group_chain, or 0.
   - beside: false: the caller computes the sum, unless other jobs come first.
   - scatters: only this rank's part of the sum is computed. The number of ranks must be a power of
     two, and there may be at most NN__GROUP_SCATTER numbers. */
NN_PRIVATE void nn__group_begin_sum(nn_group *group, nn__group_job *job, void *values,
                                    size_t count, bool scatters, float *rests, double news,
                                    nn_result mine, uint64_t chain, bool beside, nn_site site,
                                    const char *who);
/* Does nn__group_gather_result in two halves. */
NN_PRIVATE void nn__group_begin_gather(nn_group *group, nn__group_job *job, void *mine,
                                       size_t bytes, void *all, nn_result result, uint64_t chain,
                                       bool beside, nn_site site, const char *who);
NN_PRIVATE nn_result nn__group_end(nn_group *group, nn__group_job *job);
/* waits, without recording an error */
NN_PRIVATE void nn__group_await(nn_group *group, nn__group_job *job);
static inline NN__UNUSED uint64_t nn__group_chain(nn_group *group) { return ++group->chains; }
static inline NN__UNUSED bool nn__group_has_helpers(const nn_group *group) {
    return group && group->helpers;
}

/* ---- which rank has what --------------------------------------------------------------------- */

/* The place of a rank in the tree of sums, which has 2^levels places. If the size is not a power of
   two, the first 2 * extra ranks share places in pairs. */
typedef struct nn__seat {
    int levels;
    int32_t extra, seat;
    int32_t partner; /* the other rank of the pair; -1: alone in its place */
    bool second;     /* of a pair */
} nn__seat;

/* group NULL: a group of one rank. */
NN_PRIVATE nn__seat nn__group_seat(const nn_group *group);
static inline NN__UNUSED int32_t nn__seat_rank(const nn__seat *at, int32_t place) {
    return place < at->extra ? 2 * place : place + at->extra; /* the first of a pair */
}
static inline NN__UNUSED int32_t nn__rank_seat(const nn__seat *at, int32_t rank) {
    return rank < 2 * at->extra ? rank / 2 : rank - at->extra;
}
/* Returns the number of rounding errors for `count` numbers on one rank. */
static inline NN__UNUSED size_t nn__group_rests(const nn__seat *at, size_t count) {
    return at->partner < 0 ? count : 2 * count;
}
/* Computes which of `all` numbers a rank gets if a sum is scattered over `ranks`, a power of
   two. */
NN_PRIVATE void nn__group_scattered(int32_t ranks, int32_t rank, size_t all, size_t *first,
                                    size_t *count);
/* The largest count of numbers in a sum that is scattered or spread: 16 MiB of f32. */
#define NN__GROUP_SCATTER ((size_t)4 << 20)
/* Returns how many of `all` parts, a power of two, belong to this rank, from *first on: a subtree
   of the tree over all parts. Each rank of a pair has half as many as others. */
NN_PRIVATE int32_t nn__group_part(const nn_group *group, int32_t all, int32_t *first);

/* Allocates `bytes` zeros that other ranks may reach; ->own is NULL if there is no such memory, or
   for 0 bytes. NULL: no memory. The group frees windows that are left at its end. */
NN_PRIVATE nn__window *nn__window_open(nn_group *group, size_t bytes, const char *who);
/* A collective: finds the windows of all ranks. After NN_OK, numbers at the same offset are added
   in the windows themselves, if all ranks can reach all windows. */
NN_PRIVATE nn_result nn__window_meet(nn_group *group, nn__window *window, nn_site site,
                                     const char *who);
NN_PRIVATE void nn__window_drop(nn_group *group, nn__window *window);
/* Returns the window that contains `bytes` from `data` on, or NULL. */
NN_PRIVATE const nn__window *nn__window_of(const nn_group *group, const void *data, size_t bytes);

/* ---- inside (group/collective.c) ------------------------------------------------------------- */

/* Receives what other ranks tell (group/blame.c). waits: this rank is inside an exchange; a rank
   that comes later cannot object any more. */
NN_PRIVATE void nn__blame_listen(nn_group *group, bool waits);
/* True if ranks can tell each other anything outside of exchanges. */
static inline NN__UNUSED bool nn__blame_has_channel(const nn_group *group) {
    return group->accused && group->desc.tell && group->desc.told;
}
/* accuse tells all ranks that rank `accused` is missing; missing accuses the rank that this one
   waits for. */
NN_PRIVATE void nn__blame_accuse(nn_group *group, int32_t accused, const char *words);
NN_PRIVATE void nn__blame_missing(nn_group *group);
/* Writes the text for a rank that did not answer in time. */
NN_PRIVATE void nn__blame_silence(const nn_group *group, char *words, size_t size);
/* Return when a rank gives up waiting for its peer at a distance of 2^level, and the number of
   exchanges that this peer may have to wait for first. */
NN_PRIVATE uint64_t nn__collective_deadline(const nn_group *group, uint64_t start, int level);
NN_PRIVATE int nn__collective_waiting(const nn__seat *at, int level);
/* Does one exchange with a peer. False: the peer is missing, and group->loss says so. */
NN_PRIVATE bool nn__collective_exchange(nn_group *group, const char *who, int32_t peer,
                                        const void *send, size_t send_bytes, void *receive,
                                        size_t receive_bytes);
/* group/collective_data.c: carry does a sum or a broadcast. spread, below, sends one span from its
   owners to all. */
NN_PRIVATE bool nn__collective_carry(nn_group *group, nn__group_job *job);
NN_PRIVATE bool nn__collective_gather(nn_group *group, nn__group_job *job);
/* Sums one number, so that no rank continues before all have arrived. */
NN_PRIVATE bool nn__collective_barrier(nn_group *group, nn__group_job *job);
/* Computes to = left + right for f32 numbers; `to` may be one of them. */
NN_PRIVATE void nn__collective_add_floats(float *to, const float *left, const float *right,
                                          size_t count);
/* group/window.c. True if all ranks have the window of the job; otherwise its bytes travel. */
NN_PRIVATE bool nn__window_serves(const nn_group *group, const nn__group_job *job);
NN_PRIVATE bool nn__window_sum(nn_group *group, nn__group_job *job);
NN_PRIVATE bool nn__window_spread(nn_group *group, nn__group_job *job);
NN_PRIVATE bool nn__collective_spread(nn_group *group, nn__group_job *job,
                                      const nn__group_span *sum);
/* Does the job, or finds out why it cannot be done. */
NN_PRIVATE void nn__group_do(nn_group *group, nn__group_job *job);
NN_PRIVATE void nn__group_fill_job(nn_group *group, nn__group_job *job, nn__group_kind kind,
                                   uint64_t bytes, nn_site site, const char *who);
/* Does the job after all earlier ones and records its error. */
NN_PRIVATE nn_result nn__group_run(nn_group *group, nn__group_job *job);
