/* group/group.h - groups: the ranks that share one training run, and their collectives.

   A group has `size` ranks, 0 to size - 1. Each rank has its own context, in another process
   (nn_mpi.h) or in another thread of this one (nn_make_meeting). A collective is a call that all
   ranks make together: every rank calls the same ones in the same order, and none returns before
   all have called it.

   Nothing hangs. If ranks call different collectives, or the same one with other sizes, all get an
   error that says which rank called what. An error of one rank reaches all, with its text. A rank
   that leaves is named, with its last error; so is a rank that is silent for longer than `timeout`.
   After such a loss every further collective returns the same error: free the group, and continue
   from a checkpoint with a new one.

   Sums are added in one order, by rank: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)), for every
   element. If the size is not a power of two, the first ranks are first added in pairs, so that the
   number of sums left is a power of two: (0 + 1) + 2 for 3 ranks; ((0 + 1) + (2 + 3)) + (4 + 5) for
   6, where (0 + 1) and (2 + 3) are pairs. */
#pragma once

#include "tensor/tensor.h"
#include "train/loader.h"

#define NN_GROUP_VERSION 1
#define NN_GROUP_PIECE   1048576 /* most bytes of one exchange, in each direction */
#define NN_GROUP_PLACE   96      /* bytes that locate the memory of a rank (nn_group_desc.share) */

/* Carries bytes from one rank to another. An implementation (threads, MPI, yours) needs only the
   function exchange; the library builds everything else on it. */
typedef struct nn_group_desc {
    uint32_t version;   /* default: NN_GROUP_VERSION */
    const char *name;   /* default: "group". For messages: "mpi", "threads"; copied */
    int32_t rank, size; /* size: at most 1024; default: 1, which needs no functions */
    double timeout;     /* seconds that a rank may be silent; default: 60 */
    void *user;
    /* Sends send_bytes to rank `peer` and receives exactly receive_bytes from it at the same time.
       One of the two may be 0 bytes, and neither side can return before the other has called.
       Messages between two ranks arrive in the order in which they were sent. While it waits, it
       calls go_on(of) at least every few milliseconds. If that returns false, it takes back what it
       can and returns NN_ERROR_GROUP, as it does when the peer is gone. Small messages (up to 1,024
       bytes) that were sent before should then still arrive. It is never called by two threads at
       once. */
    nn_result (*exchange)(void *user, int32_t peer, const void *send, size_t send_bytes,
                          void *receive, size_t receive_bytes, bool (*go_on)(void *of), void *of);
    /* default: none. With tell, a rank that gives up in the middle of a sum tells all others why,
       at most once. told is called while a rank waits; it returns true and copies another rank's
       text to `text` (size bytes, with a 0 at its end), each text once. Without these functions the
       other ranks wait until their own timeout. */
    void (*tell)(void *user, const char *text);
    bool (*told)(void *user, char *text, size_t size);
    /* default: false, exchange is called on the thread that calls the library. true: a thread of
       the library may call it, so that sums overlap with other work */
    bool own_thread;
    /* default: none; all three, or none. Memory in which ranks add gradients in
       place, without copies.
       - share returns `bytes` of it, all 0, and writes to `place` (NN_GROUP_PLACE bytes) how others
         find it; NULL: there is none.
       - reach returns the memory of rank `peer` by its place; NULL: out of reach.
       - unshare gives memory of either kind back; memory that other ranks reach stays until they
         give it back.

       What a rank writes there before an exchange, its peer sees after the exchange. The three
       functions are called on the thread that calls the library. If a rank does not reach all
       others, the bytes travel by exchanges. */
    void *(*share)(void *user, size_t bytes, void *place);
    void *(*reach)(void *user, int32_t peer, const void *place, size_t bytes);
    void (*unshare)(void *user, void *memory);
    void (*close)(void *user); /* default: none. Called once, when the group is freed */
} nn_group_desc;

/* Makes a group. desc NULL: a group of one rank, this context alone. Returns NULL on failure;
   nn_error has the reason. */
NN_API nn_group *nn_make_group_at(nn_site site, nn_context *nn, const nn_group_desc *desc);
#define nn_make_group(...) nn_make_group_at(NN_HERE, __VA_ARGS__)
/* Leaves and frees a group. This is a collective, but it never fails: the others learn that this
   rank left and, if it has one, its first error. Waits for them, at most `timeout`; in a meeting it
   does not wait if this rank has done nothing with the others yet. nn_close does the same. */
NN_API void nn_free_group(nn_group *group);
NN_API int32_t nn_group_rank(const nn_group *group); /* -1 for NULL */
NN_API int32_t nn_group_size(const nn_group *group); /* 0 for NULL */

/* Every rank gives its own result, and all get the same answer: NN_OK, or the first error by rank
   (without errors, the first positive result). nn_error then has the rank and its text: "rank 2:
   ...". It is also a barrier. */
NN_API nn_result nn_group_agree_at(nn_site site, nn_group *group, nn_result mine);
#define nn_group_agree(...) nn_group_agree_at(NN_HERE, __VA_ARGS__)
/* Replaces the tensor by its sum over all ranks, with the same bytes on all. Floats are added in
   f32 (f16 and bf16 are rounded once, at the end), i32 and i64 exactly, but overflow is not
   checked. Tensors on devices travel through host memory (ledger: "exchange"). After an error the
   tensor is unchanged. */
NN_API nn_result nn_group_sum_at(nn_site site, nn_group *group, nn_tensor *tensor);
#define nn_group_sum(...) nn_group_sum_at(NN_HERE, __VA_ARGS__)
/* Copies the tensor of rank `from` to all, in any dtype. Shapes may differ, but not the number of
   bytes. */
NN_API nn_result nn_group_broadcast_at(nn_site site, nn_group *group, nn_tensor *tensor,
                                       int32_t from);
#define nn_group_broadcast(...) nn_group_broadcast_at(NN_HERE, __VA_ARGS__)

/* Groups of threads in one process: each rank has its own thread and its own context. The ranks
   find each other in the meeting, which may be made with the context of any thread and outlives the
   groups.
       nn_meeting *meeting = nn_make_meeting(nn, 4);
       in thread r:  nn_context *mine = nn_open(NULL);
                     nn_group *group = nn_join_meeting(mine, meeting, r, 0);
   Returns NULL with NN_NO_THREADS, and on systems without threads. */
typedef struct nn_meeting nn_meeting;
NN_API nn_meeting *nn_make_meeting_at(nn_site site, nn_context *nn, int32_t size);
#define nn_make_meeting(...) nn_make_meeting_at(NN_HERE, __VA_ARGS__)
/* Joins a meeting as this rank. timeout: seconds; 0: 60. A rank that has freed its group may join
   again, together with the next groups of the others. */
NN_API nn_group *nn_join_meeting_at(nn_site site, nn_context *nn, nn_meeting *meeting, int32_t rank,
                                    double timeout);
#define nn_join_meeting(...) nn_join_meeting_at(NN_HERE, __VA_ARGS__)
/* Frees a meeting. While a rank is still in it, this is an error, and nothing is freed. */
NN_API void nn_free_meeting(nn_meeting *meeting);
