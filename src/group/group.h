/* group/group.h - those who share one training: ranks, and what they do together.

   A group has `size` ranks, 0 to size - 1. Each is a context of its own: in another process
   (nn_mpi.h), or in another thread of this one (nn_make_meeting). What all ranks do together is a
   collective: every rank calls the same ones in the same order, and none returns before all have
   called it.

   Nothing hangs. Ranks that call different collectives, or the same with other sizes, all get an
   error that says which rank called what. An error that one rank brings along reaches all, with its
   words. A rank that leaves is named, with its last error; one that is silent for longer than
   `timeout` is named too. After such a loss every further collective of the group is the same
   error: free the group, and go on from a checkpoint with a new one.

   Sums have one order, by rank: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)), for every element. Of a
   size that is no power of two the first ranks are added in pairs before, so that a power of two of
   sums is left: (0 + 1) + 2 of 3 ranks, ((0 + 1) + (2 + 3)) + (4 + 5) of 6, of which 4 and 5 are
   none of the pairs. */
#pragma once

#include "tensor/tensor.h"
#include "train/loader.h"

#define NN_GROUP_VERSION 1
#define NN_GROUP_PIECE   1048576 /* bytes that one exchange carries at most, in each direction */
#define NN_GROUP_PLACE   96      /* bytes that say where a rank's memory is (nn_group_desc.share) */

/* What carries bytes from one rank to another. A filling (threads, MPI, yours) brings one function;
   the library makes everything else of it. */
typedef struct nn_group_desc {
    uint32_t version;   /* default: NN_GROUP_VERSION */
    const char *name;   /* default: "group". For messages: "mpi", "threads"; copied */
    int32_t rank, size; /* size: up to 1024; default: 1, which needs no filling */
    double timeout;     /* seconds; default: 60. So long a rank may be silent */
    void *user;
    /* Sends send_bytes to rank `peer` and receives exactly receive_bytes from it at the same time;
       one of both may be 0 bytes, and neither side can go ahead without the other. Messages between
       two ranks arrive in the order in which they were sent. While it waits it calls go_on(of) at
       least every few milliseconds; when that says false it takes back what it can and returns
       NN_ERROR_GROUP, as it does when the peer is gone. Small messages (up to 1,024 bytes) that
       were sent before should then still arrive. Never called by two threads at once. */
    nn_result (*exchange)(void *user, int32_t peer, const void *send, size_t send_bytes,
                          void *receive, size_t receive_bytes, bool (*go_on)(void *of), void *of);
    /* default: none. A rank that gives up in the middle of a sum tells all others why; `told` is
       asked while a rank waits. true: `text` (size bytes, ends with 0) is what another rank told;
       each text is given once. A rank tells once.
       Without them the others wait until they have no more patience themselves. */
    void (*tell)(void *user, const char *text);
    bool (*told)(void *user, char *text, size_t size);
    /* default: false: exchange is called on the thread that calls the library. true: a thread of
       the library may call it, so that sums go on beside other work */
    bool own_thread;
    /* default: none; all three, or none. Memory in which ranks add the gradients of a training
       where they lie, without copies. share: `bytes` of it, all 0, and the `place` (NN_GROUP_PLACE
       bytes) at which others find it; NULL: there is none. reach: that of rank `peer`, from its
       place; NULL: out of reach. unshare: gives one of both back; what other ranks reach stays
       until they give it back. What a rank writes there before an exchange the peer sees behind
       it. Called on the thread that calls the library. Where a rank does not reach all others the
       bytes travel by exchanges. */
    void *(*share)(void *user, size_t bytes, void *place);
    void *(*reach)(void *user, int32_t peer, const void *place, size_t bytes);
    void (*unshare)(void *user, void *memory);
    void (*close)(void *user); /* default: none. Called once, when the group is freed */
} nn_group_desc;

/* desc NULL: this context alone, a group of one rank. NULL: nn_error tells. */
NN_API nn_group *nn_make_group_at(nn_site site, nn_context *nn, const nn_group_desc *desc);
#define nn_make_group(...) nn_make_group_at(NN_HERE, __VA_ARGS__)
/* A collective too, but one that never fails: the others are told that this rank left, and its
   first error, if it has one. Waits for them, at most `timeout`; not in a meeting where this rank
   has done nothing with the others yet. nn_close does the same. */
NN_API void nn_free_group(nn_group *group);
NN_API int32_t nn_group_rank(const nn_group *group); /* -1 for NULL */
NN_API int32_t nn_group_size(const nn_group *group); /* 0 for NULL */

/* Every rank says how it fared, and all get the same answer: NN_OK, or the first error by rank (the
   first positive result where none is an error). nn_error then has the rank and its words: "rank 2:
   ...". Also a barrier. */
NN_API nn_result nn_group_agree_at(nn_site site, nn_group *group, nn_result mine);
#define nn_group_agree(...) nn_group_agree_at(NN_HERE, __VA_ARGS__)
/* The sum over all ranks, in place, the same bytes on all. Floats are added in f32 (f16 and bf16
   are rounded once, at the end), i32 and i64 exactly, without regard to overflow. Tensors of
   devices travel through host memory (the ledger: "exchange"). After an error the tensor is as it
   was. */
NN_API nn_result nn_group_sum_at(nn_site site, nn_group *group, nn_tensor *tensor);
#define nn_group_sum(...) nn_group_sum_at(NN_HERE, __VA_ARGS__)
/* The tensor of rank `from` to all, of any dtype; all shapes have the same bytes. */
NN_API nn_result nn_group_broadcast_at(nn_site site, nn_group *group, nn_tensor *tensor,
                                       int32_t from);
#define nn_group_broadcast(...) nn_group_broadcast_at(NN_HERE, __VA_ARGS__)

/* Threads of one process: each rank has its own thread and its own context. The meeting is where
   they find each other; it may be made with the context of any thread, and outlives the groups.
       nn_meeting *meeting = nn_make_meeting(nn, 4);
       in thread r:  nn_context *mine = nn_open(NULL);
                     nn_group *group = nn_join_meeting(mine, meeting, r, 0);
   NULL under NN_NO_THREADS, and where there are no threads of the system. */
typedef struct nn_meeting nn_meeting;
NN_API nn_meeting *nn_make_meeting_at(nn_site site, nn_context *nn, int32_t size);
#define nn_make_meeting(...) nn_make_meeting_at(NN_HERE, __VA_ARGS__)
/* timeout: seconds; 0: 60. A rank may join again when it has freed its group: then with the others'
   next ones. */
NN_API nn_group *nn_join_meeting_at(nn_site site, nn_context *nn, nn_meeting *meeting, int32_t rank,
                                    double timeout);
#define nn_join_meeting(...) nn_join_meeting_at(NN_HERE, __VA_ARGS__)
/* An error, and nothing is freed, while somebody is in it. */
NN_API void nn_free_meeting(nn_meeting *meeting);

#ifdef __cplusplus
extern "C++" {
inline nn_group *nn_make_group_at(nn_site site, nn_context *nn, const nn_group_desc &desc) {
    return nn_make_group_at(site, nn, &desc);
}
}
#endif
