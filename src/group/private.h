/* group/private.h - how a shared step is made: shards, owners, what travels, several devices. */
#pragma once

#include "train/private.h"
#ifndef NN_NO_TRAINING
#include "group/group.h"
#include "group/ranks.h"
#include "group/share.h"
#include "group/shard.h"
#include "group/replica.h"

/* What a shared trainer has in addition to a plain one, in one piece of memory. */
typedef struct nn__shared {
    nn__shards shards;
    nn__owners owners;
    nn__replicas replicas;
} nn__shared;

/* ---- a batch in shards (group/shard_describe.c, group/shard.c) ------------------------------- */

/* How many shards, and which of them are ours; asked: the program wants gradients of its own. */
NN_PRIVATE void nn__shard_count(nn_trainer *trainer, bool asked);
/* The loss of the last step, for nn_read_loss. */
NN_PRIVATE const nn_view *nn__shard_loss(const nn_trainer *trainer);
/* Returns NN_OK if the trainer keeps the gradients of the whole batch, else an error. */
NN_PRIVATE nn_result nn__shard_keeps_gradients(nn_trainer *trainer, nn_site site, const char *who);
/* Is everything such that it can be cut and added? Then the buffers that shards share. */
NN_PRIVATE bool nn__shard_describe_begin(nn_trainer *trainer);
NN_PRIVATE void nn__shard_describe_totals(nn_trainer *trainer, nn__tape *tape, bool weighs);
/* to, from: room for `count` states and the gradients that they get, and for one more. */
NN_PRIVATE bool nn__shard_describe_leaf(nn_trainer *trainer, nn__tape *tape, nn_node **parameters,
                                        nn_node **to, nn_node **from, int count);
NN_PRIVATE bool nn__shard_describe_room(nn_trainer *trainer);
#ifndef NN_NO_REPORTS
/* For nn_write_plan; NULL: no shards. */
NN_PRIVATE const char *nn__shard_note(nn_trainer *trainer);
#endif
/* Forward and backward of all own shards of what is bound to the plan, and what follows but the
   update. samples: of the batch, here; less than 0: as the bound tensors say. mine: an error that
   keeps this rank from it, which the others of the group are told; nothing runs. */
NN_PRIVATE nn_result nn__shard_backward(nn_trainer *trainer, nn_result mine, int32_t samples,
                                        nn_site site, const char *who);
/* The sum over the ranks of the group of what own shards left (group/shard_exchange.c). Made with
   the trainer: where buckets end in its plan, and memory of the host for a device that needs it;
   false: there is none. */
NN_PRIVATE void nn__exchange_follow(nn_trainer *trainer);
NN_PRIVATE bool nn__exchange_stage(nn_trainer *trainer, nn__staging *staging, const char *who);
/* Room for the leaf that the other ranks reach, if this rank can have it: before plans are made.
   False: no memory for the list of them. */
NN_PRIVATE bool nn__exchange_share(nn_trainer *trainer);
/* The leaf goes to memory that only this rank has. */
NN_PRIVATE nn_result nn__exchange_unshare(nn_trainer *trainer, const char *who);
/* The same in a child of fork(): what it writes to its gradients is nothing that the ranks of its
   parent add. Before each write. */
NN_PRIVATE nn_result nn__exchange_separate(nn_trainer *trainer, const char *who);
NN_PRIVATE void nn__exchange_drop(nn_trainer *trainer, nn__staging *staging);
/* Around the shards of a step. begin: the next bucket has what all own shards left; may be left to
   the end. mine: an error of this rank, of which all ranks are told; the answer is that of all. */
NN_PRIVATE void nn__exchange_open(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE bool nn__exchange_overlaps(const nn_trainer *trainer); /* while backward goes on? */
NN_PRIVATE nn_view nn__exchange_view(const nn_trainer *trainer, int b);
NN_PRIVATE nn_result nn__exchange_begin(nn_trainer *trainer);
/* confirm: then the result is that of this rank alone, and all ranks must still agree. */
NN_PRIVATE nn_result nn__exchange_end(nn_trainer *trainer, nn_result mine, bool *confirm);
/* What all ranks of a group do when each has made its trainer (mine: NN_OK), or has not: compare
   what they train, and take the state of rank 0. (group/share.c) */
NN_PRIVATE nn_result nn__share_trainer(nn_group *group, nn_trainer *trainer, nn_result mine,
                                       nn_site site);
/* Parameters, buffers, moments, averages, totals, step, rate, schedule and seed of rank 0. Where
   moments belong to ranks they come from the guests of rank 0, and stay where there are none. room,
   before anything changes: memory for what travels, which all ranks have then, or an error of all;
   leave: behind it, also after an error. */
#define NN__SHARE_ROOM ((size_t)1 << 18) /* its bytes */
NN_PRIVATE nn_result nn__share_state(nn_trainer *trainer, void *room, nn_site site,
                                     const char *who);
NN_PRIVATE nn_result nn__share_room(nn_trainer *trainer, nn_result mine, void **room, nn_site site,
                                    const char *who);
NN_PRIVATE void nn__share_leave(nn_trainer *trainer, void *room);
/* nn_trainer_desc.shard_state (group/owners.c). count: who shares, before anything is described.
   deal: who has what. room: for parameters that travel as wholes. False and an error: no memory. */
NN_PRIVATE void nn__owners_count(nn_trainer *trainer);
NN_PRIVATE bool nn__owners_deal(nn_trainer *trainer);
NN_PRIVATE bool nn__owners_room(nn_trainer *trainer);
NN_PRIVATE void nn__owners_drop(nn_trainer *trainer);
/* The next piece; false: there is none. */
NN_PRIVATE bool nn__owners_next(const nn_trainer *trainer, nn__owned_piece *piece);
/* Of parameters that are dealt out in parts: how many numbers of trained[i] are this rank's; -1:
   they are dealt out as wholes. parts: those of an update. False and an error: no memory. */
NN_PRIVATE int32_t nn__owners_mine(const nn_trainer *trainer, int i);
NN_PRIVATE bool nn__owners_parts(nn_trainer *trainer, nn_node *const *parameters,
                                 nn__update_params *params);
/* Moment i, and the average of trained[i]; NULL: it is on another rank. */
NN_PRIVATE nn_tensor *nn__owners_moment(const nn_trainer *trainer, int i);
NN_PRIVATE nn_tensor *nn__owners_average(const nn_trainer *trainer, int i);
/* How many numbers of trained[i] a rank owns. Is the state of any of them here? */
NN_PRIVATE int32_t nn__owners_numbers(const nn_trainer *trainer, int i, int32_t rank);
NN_PRIVATE bool nn__owners_has(const nn_trainer *trainer, int i);
/* Of a bucket of gradients, what this rank gets. */
NN_PRIVATE nn_view nn__owners_bucket(const nn_trainer *trainer, int b);
/* Behind nn__owners_deal, once there are buckets. */
NN_PRIVATE bool nn__owners_weigh(nn_trainer *trainer);
/* After an update every parameter goes from its owner to all. mine: an error of this rank, of which
   all are told before anything travels. Without owners only `mine` comes back. */
NN_PRIVATE nn_result nn__owners_share(nn_trainer *trainer, nn_result mine, nn_site site,
                                      const char *who);
/* group/owners_keep.c. Room on rank 0 for the moments and averages of the others, and the end of
   it; gather: from their owners into it; spread: back. room: of nn__share_room. All ranks call
   these; the answer of invite is that of this rank alone. */
NN_PRIVATE nn_result nn__owners_invite(nn_trainer *trainer, const char *who);
NN_PRIVATE nn_result nn__owners_gather(nn_trainer *trainer, void *room, nn_site site,
                                       const char *who);
NN_PRIVATE nn_result nn__owners_spread(nn_trainer *trainer, void *room, nn_site site,
                                       const char *who);
NN_PRIVATE void nn__owners_dismiss(nn_trainer *trainer);
#ifndef NN_NO_REPORTS
/* Appends a line for nn_write_plan. */
NN_PRIVATE void nn__owners_note(const nn_trainer *trainer, char *text, size_t size);
#endif
/* nn_trainer_desc.wire = NN_BF16 (group/wire.c); else nothing happens. describe: states behind the
   leaf, of which `numbers` are gradients. room: host memory. round: what args->count sums have made
   of `part` of the leaf is rounded: number `index` here at a level of the tree, leaves being 0.
   travel: what comes out travels. widen: what has travelled to the leaf. rests: of a bucket's sums
   over ranks. forget: nothing is left over; on all ranks alike. */
NN_PRIVATE bool nn__wire_describe(nn_trainer *trainer, int32_t numbers);
NN_PRIVATE bool nn__wire_room(nn_trainer *trainer);
NN_PRIVATE void nn__wire_drop(nn_trainer *trainer);
NN_PRIVATE void nn__wire_round(const nn_trainer *trainer, nn_shard_sum_args *args,
                               const nn_view *part, int level, int32_t index);
NN_PRIVATE void nn__wire_travel(const nn_trainer *trainer, nn_shard_sum_args *args,
                                const nn_view *part);
NN_PRIVATE nn_result nn__wire_widen(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE float *nn__wire_rests(const nn_trainer *trainer, const nn__bucket *bucket);
NN_PRIVATE void nn__wire_forget(nn_trainer *trainer);
#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__wire_note(const nn_trainer *trainer, char *text, size_t size);
#endif
/* The part of a sum of 2^level shards that waits where `part` lies in the leaf. */
NN_PRIVATE nn_view nn__shard_pending(const nn_trainer *trainer, int level, const nn_view *part);
/* Gradients made of all shards here at once (group/shard_product.c). suits: alike on all ranks.
   describe: those of a bucket, which begins with them; false: shard by shard after all. passes: own
   shard i is that of the plan's run; -1 before the first one. run: what all passes kept becomes the
   bucket's sums. */
/* What makes a gradient of all shards. */
typedef struct nn__whole_args {
    nn_kernel kernel;
    nn_shard_product_args product;
    nn_shard_conv2d_args convolution;
} nn__whole_args;
NN_PRIVATE nn__whole_kind nn__whole_suits(const nn_trainer *trainer, const nn_node *gradient);
NN_PRIVATE bool nn__whole_describe(nn_trainer *trainer, nn__tape *tape, nn_node *const *to,
                                   nn_node *const *from, int count, const nn__running_mean *mean,
                                   nn__bucket *bucket);
NN_PRIVATE bool nn__whole_reads(const nn_trainer *trainer, const nn__bucket *bucket,
                                const nn_node *node);
NN_PRIVATE void nn__whole_passes(nn_trainer *trainer, int32_t i);
NN_PRIVATE nn_result nn__whole_run(nn_trainer *trainer, const nn__bucket *bucket, nn_site site,
                                   const char *who);
/* That of full shards, whose rows of operands are `step` numbers apart, without its views; what a
   bucket keeps from number `at` of a shard on; the kernel's run. */
NN_PRIVATE void nn__whole_full(const nn_trainer *trainer, const nn_node *gradient, int32_t step,
                               nn__whole_args *call);
NN_PRIVATE nn_view nn__whole_view(const nn__bucket *bucket, int32_t shard, int32_t at);
NN_PRIVATE nn_result nn__whole_call(nn_trainer *trainer, nn__whole_args *call, nn_site site,
                                    const char *who);
/* Operands that travel instead of large gradients (group/operands.c). suit: those of the bucket,
   whose shards keep `row` numbers each; alike on all ranks but for what a device can. count: how
   many rows a shard has. agree: a collective: can all ranks do it? clear: own shard i has no
   samples. run: behind the exchange, this rank's part of the gradients. */
NN_PRIVATE bool nn__operands_suit(const nn_trainer *trainer, const nn__bucket *bucket,
                                  int32_t row);
NN_PRIVATE nn__running_mean nn__operands_count(const nn__whole *whole);
NN_PRIVATE nn_result nn__operands_agree(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__operands_clear(nn_trainer *trainer, int32_t i, nn_site site,
                                        const char *who);
NN_PRIVATE nn_result nn__operands_run(nn_trainer *trainer, nn_site site, const char *who);
#ifndef NN_NO_REPORTS
/* Bytes of gradients that need not be added, less those of the operands of all ranks. */
NN_PRIVATE uint64_t nn__operands_save(const nn_trainer *trainer);
NN_PRIVATE void nn__whole_note(const nn_trainer *trainer, char *text, size_t size);
#endif
/* The parts of what is bound to a plan: opened, cut and put back. */
NN_PRIVATE nn_result nn__shard_open_slices(nn_trainer *trainer, nn_plan *plan, int32_t samples,
                                           int32_t *batch, nn_site site, const char *who);
NN_PRIVATE void nn__shard_cut(nn_trainer *trainer, nn_plan *plan, int32_t first, int32_t count);
NN_PRIVATE void nn__shard_close_slices(nn_trainer *trainer, nn_plan *plan);
/* One batch of an evaluation; nn__shard_evaluated: what all of them made. mine: an error of this
   rank. */
NN_PRIVATE nn_result nn__shard_evaluate_begin(nn_trainer *trainer, nn_site site);
NN_PRIVATE nn_result nn__shard_evaluate(nn_trainer *trainer, int32_t samples, nn_site site,
                                        const char *who);
NN_PRIVATE nn_result nn__shard_evaluated(nn_trainer *trainer, nn_result mine, nn_report *report,
                                         nn_site site);

/* The pieces of it that replicas have as well. leaf: what a shard leaves, in one piece, which
   nn__shard_whole has checked. join: after sum i of 2^base shards each, of another device. run_own:
   without waiting for a queue. */
NN_PRIVATE nn_view nn__shard_leaf(const nn_trainer *trainer);
NN_PRIVATE uint64_t nn__shard_leaf_bytes(const nn_trainer *trainer);
NN_PRIVATE nn_view nn__shard_gradients(const nn_trainer *trainer); /* a part of it */
NN_PRIVATE nn_result nn__shard_whole(const nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__shard_join(nn_trainer *trainer, int base, int32_t i, nn_site site,
                                    const char *who);
NN_PRIVATE nn_result nn__shard_buffers(nn_trainer *trainer, bool back, nn_site site,
                                       const char *who);
NN_PRIVATE nn_result nn__shard_run_own(nn_trainer *trainer, int32_t samples, nn_site site,
                                       const char *who);
/* Kernels on the loss's device: any; of a program what is given; the sum of two; a copy. */
NN_PRIVATE nn_result nn__shard_kernel(nn_trainer *trainer, nn_kernel kernel, void *args,
                                      nn_view *scratch, nn_site site, const char *who);
NN_PRIVATE void nn__shard_begin_program(nn_program_args *args, const nn_instruction *code,
                                        int count, int inputs);
NN_PRIVATE nn_result nn__shard_add(nn_trainer *trainer, const nn_view *to, const nn_view *a,
                                   const nn_view *b, nn_site site, const char *who);
NN_PRIVATE nn_result nn__shard_copy(nn_trainer *trainer, const nn_view *to, const nn_view *from,
                                    uint64_t bytes, nn_site site, const char *who);
/* What all shards made, in the leaf, becomes the step's (group/shard_commit.c). */
NN_PRIVATE nn_result nn__shard_commit(nn_trainer *trainer, nn_site site, const char *who);
/* When the trainer is made, or was moved: steps then find kernels and their memory. */
NN_PRIVATE nn_result nn__shard_rehearse(nn_trainer *trainer, nn_site site, const char *who);
/* The pieces of that: what a shard made of buffers goes to the leaf; the leaf of a shard without
   samples; a pointwise program where the loss is. */
NN_PRIVATE nn_result nn__shard_leave_buffers(nn_trainer *trainer, bool fresh, nn_site site,
                                             const char *who);
NN_PRIVATE nn_result nn__shard_clear(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__shard_program(nn_trainer *trainer, nn_program_args *args, nn_site site,
                                       const char *who);

/* ---- batch norms over all shards (group/shard_together.c, group/shard_meet.c) --------------- */

/* For a trainer with NN_OVER_ALL; of others nothing happens. describe: room for statistics, before
   plans are made. make: plans for all shards but the first; false and an error. */
NN_PRIVATE void nn__together_describe(nn_trainer *trainer);
NN_PRIVATE bool nn__together_make(nn_trainer *trainer, nn_site site);
NN_PRIVATE void nn__together_free(nn_trainer *trainer);
/* For a model that is being moved, whose first plan becomes `plan`: new plans take the place of the
   others; false and an error: nothing has changed. */
NN_PRIVATE bool nn__together_move(nn_trainer *trainer, const nn_plan *plan, nn_site site);
NN_PRIVATE nn_result nn__together_clear_fault(nn_trainer *trainer);
/* Are there batch norms at which ranks have not met yet? */
static inline NN__UNUSED bool nn__together_waits(const nn_trainer *trainer) {
    const nn__together *together = &trainer->shards->together;
    return together->lane_count && !together->agreed && together->met < together->point_count;
}
/* A step of the shards of `count` devices, whose inputs are sliced: parts[0] is the trainer, the
   others are its replicas. Each ends with the leaf of its shards. */
NN_PRIVATE nn_result nn__together_run(nn_trainer *const *parts, int count, const int32_t *samples,
                                      nn_site site, const char *who);
NN_PRIVATE nn_result nn__together_meet(nn_trainer *const *parts, int count, int point,
                                       nn_site site, const char *who);
/* Do shards meet at this step, which has arguments? Of how many channels? */
NN_PRIVATE bool nn__together_meets(const nn__step *step);
NN_PRIVATE int32_t nn__together_channels(const nn__step *step);

/* ---- several devices (group/replica.c, group/replica_step.c) --------------------------------- */

NN_PRIVATE bool nn__replicas_check(nn_model *net, const nn_trainer_desc *desc, nn_site site);
/* For a trainer whose plans are made. False and an error: nn__replicas_free frees what there is. */
NN_PRIVATE bool nn__replicas_make(nn_trainer *trainer);
NN_PRIVATE void nn__replicas_free(nn_trainer *trainer);
/* Around what the trainer itself changes. */
NN_PRIVATE void nn__replicas_enter(nn_trainer *trainer);
NN_PRIVATE void nn__replicas_leave(nn_trainer *trainer);
/* Before and after the shards of the trainer's own device. samples: of the batch. After the end the
   leaf is that of all devices, and no status word tells a fault. together: all of it, where batch
   norms are those of all shards. */
NN_PRIVATE nn_result nn__replicas_together(nn_trainer *trainer, int32_t samples, nn_site site,
                                           const char *who);
NN_PRIVATE nn_result nn__replicas_begin(nn_trainer *trainer, int32_t samples, nn_site site,
                                        const char *who);
NN_PRIVATE nn_result nn__replicas_end(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__replicas_clear_fault(nn_trainer *trainer);
/* An evaluation: takes the weights there, and begins with no totals; runs the shares of one batch,
   of the devices with a queue (waiting false) before those of the trainer's own, of the others
   behind them; reads the status words; and fetches the totals: `numbers` of each device, where
   those of the trainer's own are in front of `to` already. */
NN_PRIVATE nn_result nn__replicas_evaluate_begin(nn_trainer *trainer, nn_site site);
NN_PRIVATE nn_result nn__replicas_evaluate(nn_trainer *trainer, int32_t samples, bool waiting,
                                           nn_site site, const char *who);
NN_PRIVATE nn_result nn__replicas_evaluated(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__replicas_totals(nn_trainer *trainer, float *to, size_t numbers,
                                         nn_site site);
static inline NN__UNUSED nn_plan *nn__replica_plan(const nn_trainer *trainer, int which) {
    return which == NN__REPLICA_STEP ? trainer->plan : trainer->evaluation;
}
#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__replicas_report(const void *of, const nn_writer *writer);
#endif
/* Links the plans of the replicas to the trainer's, so that nn_write_plan shows them. */
NN_PRIVATE void nn__replicas_join(nn_trainer *trainer);
/* Returns an error if the trainer has replicas: then it cannot move. */
NN_PRIVATE nn_result nn__replicas_may_move(nn_trainer *trainer, nn_site site);

/* ---- what ranks compare (group/share_loader.c, group/share_fit.c) ---------------------------- */

/* Compare after each rank has made its loader (NULL: it failed), or has called nn_fit. */
NN_PRIVATE nn_result nn__loader_compare(nn_group *group, const nn_loader *loader, nn_site site);
NN_PRIVATE nn_result nn__fit_compare(nn_trainer *trainer, const nn_fit_desc *desc, nn_result mine,
                                     nn_site site);
#endif
