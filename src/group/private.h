/* group/private.h - private declarations of shared steps: shards, owners, exchanges, several
   devices. */
#pragma once

#include "train/private.h"
#ifndef NN__NO_TRAINER
#include "group/group.h"
#include "group/ranks.h"
#include "group/agree.h"
#include "group/shard.h"
#include "group/replica.h"

/* The additional parts of a shared trainer, in one allocation. */
typedef struct nn__shared {
    nn__shards shards;
    nn__owners owners;
    nn__replicas replicas;
} nn__shared;

/* ---- a batch in shards (group/shard_describe.c, group/shard.c) ------------------------------- */

/* Sets the number of shards, and which of them belong to this rank. asked: the program itself reads
   gradients. */
NN_PRIVATE void nn__shard_count(nn_trainer *trainer, bool asked);
NN_PRIVATE const nn_view *nn__shard_loss(const nn_trainer *trainer);
/* Returns NN_OK if the trainer keeps the gradients of the whole batch, else an error. */
NN_PRIVATE nn_result nn__shard_keeps_gradients(nn_trainer *trainer, nn_site site, const char *who);
/* Checks that inputs can be cut and results added; then describes the buffers that shards share. */
NN_PRIVATE bool nn__shard_describe_begin(nn_trainer *trainer);
NN_PRIVATE void nn__shard_describe_totals(nn_trainer *trainer, nn__tape *tape, bool weighs);
/* to, from: room for `count` states and their gradients, and for one more. */
NN_PRIVATE bool nn__shard_describe_leaf(nn_trainer *trainer, nn__tape *tape, nn_node **parameters,
                                        nn_node **to, nn_node **from, int count);
NN_PRIVATE bool nn__shard_describe_room(nn_trainer *trainer);
/* Returns the f32 numbers of a leaf; 0: more than one tensor can have. */
NN_PRIVATE int32_t nn__shard_leaf_numbers(const nn_trainer *trainer, bool gradients_only);
#ifndef NN_NO_REPORTS
/* Returns the text for nn_write_plan; NULL: no shards. (group/shard_note.c) */
NN_PRIVATE const char *nn__shard_note(nn_trainer *trainer);
#endif
/* Runs a step's own shards, forward and backward, and all the rest except the update. samples: size
   of this rank's part of the batch; < 0: as in the tensors bound to the plan. mine: an error of
   this rank; the other ranks get it, and nothing runs. */
NN_PRIVATE nn_result nn__shard_backward(nn_trainer *trainer, nn_result mine, int32_t samples,
                                        nn_site site, const char *who);
/* The exchange: the sum of all ranks' leaves (group/shard_exchange.c). When the trainer is made,
   follow finds the ends of buckets in the plan, and stage allocates host memory if the device needs
   it; false: no memory. */
NN_PRIVATE void nn__exchange_follow(nn_trainer *trainer);
NN_PRIVATE bool nn__exchange_stage(nn_trainer *trainer, nn__staging *staging, const char *who);
/* Puts the leaf into memory that other ranks can reach, if possible. Called before plans are made.
   False: no memory for its bookkeeping. */
NN_PRIVATE bool nn__exchange_open_window(nn_trainer *trainer);
/* Moves the leaf to memory that only this rank has. */
NN_PRIVATE nn_result nn__exchange_close_window(nn_trainer *trainer, const char *who);
/* Does the same in a child of fork(), before it writes gradients: the parent's ranks must not add
   what the child writes. */
NN_PRIVATE nn_result nn__exchange_separate(nn_trainer *trainer, const char *who);
NN_PRIVATE void nn__exchange_drop(nn_trainer *trainer, nn__staging *staging);
/* Called before and after the shards of a step. begin: the next bucket has the sum of all own
   shards; end calls it if nobody did. mine: an error of this rank, which all ranks get; all return
   the same result. */
NN_PRIVATE void nn__exchange_open(nn_trainer *trainer, nn_site site, const char *who);
/* true if buckets travel during the backward pass */
NN_PRIVATE bool nn__exchange_overlaps(const nn_trainer *trainer);
NN_PRIVATE nn_view nn__exchange_view(const nn_trainer *trainer, int b);
NN_PRIVATE nn_result nn__exchange_begin(nn_trainer *trainer);
/* confirm: the result is only that of this rank, and all ranks must still agree on it. */
NN_PRIVATE nn_result nn__exchange_end(nn_trainer *trainer, nn_result mine, bool *confirm);
/* Called by all ranks after each has made its trainer (mine: NN_OK) or has failed. Compares what
   they train and takes the state of rank 0. (group/agree.c) */
NN_PRIVATE nn_result nn__agree_trainer(nn_group *group, nn_trainer *trainer, nn_result mine,
                                       nn_site site);
/* share_state takes parameters, buffers, moments, averages, totals, step, rate, schedule and seed
   of rank 0. Moments with owners come from the guests of rank 0, or stay unchanged without guests.
   share_room comes first: it allocates memory for this on all ranks, or returns an error on all.
   share_leave comes last, also after an error. */
#define NN__AGREE_ROOM ((size_t)1 << 18) /* its bytes */
NN_PRIVATE nn_result nn__agree_state(nn_trainer *trainer, void *room, nn_site site,
                                     const char *who);
NN_PRIVATE nn_result nn__agree_room(nn_trainer *trainer, nn_result mine, void **room, nn_site site,
                                    const char *who);
NN_PRIVATE void nn__agree_leave(nn_trainer *trainer, void *room);
/* nn_trainer_desc.shard_state (group/owners.c). count comes before anything is described; deal
   decides which rank owns what; room is memory for parameters that are sent as a whole. False and
   an error: no memory. */
NN_PRIVATE void nn__owners_count(nn_trainer *trainer);
NN_PRIVATE bool nn__owners_deal(nn_trainer *trainer);
NN_PRIVATE bool nn__owners_room(nn_trainer *trainer);
NN_PRIVATE void nn__owners_drop(nn_trainer *trainer);
/* Advances to the next piece; false: there is none. */
NN_PRIVATE bool nn__owners_next(const nn_trainer *trainer, nn__owned_piece *piece);
/* For parameters that are divided among ranks. mine: the number of this rank's elements of
   trained[i]; -1: parameters are not divided. parts: fills in the parts of an update; false and an
   error: no memory. */
NN_PRIVATE int32_t nn__owners_mine(const nn_trainer *trainer, int i);
NN_PRIVATE bool nn__owners_parts(nn_trainer *trainer, nn_node *const *parameters,
                                 nn__update_params *params);
/* Return moment i, and the average of trained[i]; NULL: it is on another rank. */
NN_PRIVATE nn_tensor *nn__owners_moment(const nn_trainer *trainer, int i);
NN_PRIVATE nn_tensor *nn__owners_average(const nn_trainer *trainer, int i);
/* numbers: the number of elements of trained[i] that a rank owns. has: true if this rank has the
   state of any of them. */
NN_PRIVATE int32_t nn__owners_numbers(const nn_trainer *trainer, int i, int32_t rank);
NN_PRIVATE bool nn__owners_has(const nn_trainer *trainer, int i);
/* Returns this rank's part of a bucket of gradients. */
NN_PRIVATE nn_view nn__owners_bucket(const nn_trainer *trainer, int b);
/* Computes the bytes of the rank that owns most, and lists the runs of pieces. Called after
   nn__owners_deal, when there are buckets. False: no memory. */
NN_PRIVATE bool nn__owners_weigh(nn_trainer *trainer);
/* After an update, sends every parameter from its owner to all. mine: an error of this rank, which
   all ranks get before anything travels. Without owners it returns `mine`. */
NN_PRIVATE nn_result nn__owners_share(nn_trainer *trainer, nn_result mine, nn_site site,
                                      const char *who);
/* group/owners_checkpoint.c: moments and averages of other ranks are guests on rank 0. invite makes
   room for them, gather copies them from their owners, spread copies them back, dismiss frees the
   room. room: of nn__agree_room. All ranks call these; the result of invite is this rank's alone.
   */
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
/* nn_trainer_desc.wire = NN_BF16 (group/wire.c); otherwise these do nothing.
   - describe: adds states after the leaf, whose first `numbers` are gradients.
   - room: allocates host memory.
   - round: makes args->count sums of `part` round their result. This is sum `index` of this rank on
     a level of the tree, whose leaves have level 0.
   - travel: writes the result as bf16.
   - widen: converts what has travelled back to the leaf.
   - rests: the rounding errors of a bucket's sums over ranks.
   - forget: sets all rounding errors to 0, on all ranks. */
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
/* Returns the waiting sum of 2^level shards for `part` of the leaf. */
NN_PRIVATE nn_view nn__shard_pending(const nn_trainer *trainer, int level, const nn_view *part);
/* Gradients that are computed for all shards of this rank at once (group/shard_product.c).
   - suits: returns the kind of a gradient, which is the same on all ranks.
   - describe: describes the gradients of a bucket; false: they are computed shard by shard.
   - passes: records the samples of own shard i, which the plan has just run; -1: none yet.
   - run: computes the bucket's sums from what all passes kept. */
/* The kernel call for a gradient of all shards. */
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
/* full: the arguments for full shards whose rows of operands are `step` numbers apart, without
   views. view: the data of a shard in a bucket, from number `at` on. call: runs the kernel. */
NN_PRIVATE void nn__whole_full(const nn_trainer *trainer, const nn_node *gradient, int32_t step,
                               nn__whole_args *call);
NN_PRIVATE nn_view nn__whole_view(const nn__bucket *bucket, int32_t shard, int32_t at);
NN_PRIVATE nn_result nn__whole_call(nn_trainer *trainer, nn__whole_args *call, nn_site site,
                                    const char *who);
/* Operands that are exchanged instead of large gradients (group/operands.c).
   - suit: true if the bucket's operands can be exchanged. Each of its shards keeps `row` numbers.
     The answer is the same on all ranks, except for what their devices can do.
   - count: stores the number of rows of a shard.
   - agree: a collective that finds out if all ranks can do it.
   - clear: own shard i has no samples.
   - run: after the exchange, computes this rank's part of the gradients. */
NN_PRIVATE bool nn__operands_suit(const nn_trainer *trainer, const nn__bucket *bucket,
                                  int32_t row);
NN_PRIVATE nn__running_mean nn__operands_count(const nn__whole *whole);
NN_PRIVATE nn_result nn__operands_agree(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__operands_clear(nn_trainer *trainer, int32_t i, nn_site site,
                                        const char *who);
NN_PRIVATE nn_result nn__operands_run(nn_trainer *trainer, nn_site site, const char *who);
#ifndef NN_NO_REPORTS
/* Returns the bytes of gradients that need not be added, minus the bytes of the operands of all
   ranks. */
NN_PRIVATE uint64_t nn__operands_save(const nn_trainer *trainer);
NN_PRIVATE void nn__whole_note(const nn_trainer *trainer, char *text, size_t size);
#endif
/* Cut the tensors bound to a plan into shards, and put them back. */
NN_PRIVATE nn_result nn__shard_open_slices(nn_trainer *trainer, nn_plan *plan, int32_t samples,
                                           int32_t *batch, nn_site site, const char *who);
NN_PRIVATE void nn__shard_cut(nn_trainer *trainer, nn_plan *plan, int32_t first, int32_t count);
NN_PRIVATE void nn__shard_close_slices(nn_trainer *trainer, nn_plan *plan);
/* Run one batch of an evaluation, and combine the totals of all batches. mine: an error of this
   rank. */
NN_PRIVATE nn_result nn__shard_evaluate_begin(nn_trainer *trainer, nn_site site);
NN_PRIVATE nn_result nn__shard_evaluate(nn_trainer *trainer, int32_t samples, nn_site site,
                                        const char *who);
NN_PRIVATE nn_result nn__shard_evaluated(nn_trainer *trainer, nn_result mine, nn_report *report,
                                         nn_site site);

/* Parts of a step that replicas use too. leaf: the result of a shard, in one piece, which
   nn__shard_whole has checked. join: adds the leaf of another device, which follows i leaves of
   2^base shards each. run_own: does not wait for a queue. */
NN_PRIVATE nn_view nn__shard_leaf(const nn_trainer *trainer);
NN_PRIVATE uint64_t nn__shard_leaf_bytes(const nn_trainer *trainer);
NN_PRIVATE nn_view nn__shard_gradients(const nn_trainer *trainer); /* part of the leaf */
NN_PRIVATE nn_result nn__shard_whole(const nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__shard_join(nn_trainer *trainer, int base, int32_t i, nn_site site,
                                    const char *who);
NN_PRIVATE nn_result nn__shard_buffers(nn_trainer *trainer, bool back, nn_site site,
                                       const char *who);
NN_PRIVATE nn_result nn__shard_run_own(nn_trainer *trainer, int32_t samples, nn_site site,
                                       const char *who);
/* Run kernels on the loss's device: any kernel, the sum of two views, or a copy. begin_program
   fills in the start of a program's arguments. */
NN_PRIVATE nn_result nn__shard_kernel(nn_trainer *trainer, nn_kernel kernel, void *args,
                                      nn_view *scratch, nn_site site, const char *who);
NN_PRIVATE void nn__shard_begin_program(nn_program_args *args, const nn_instruction *code,
                                        int count, int inputs);
NN_PRIVATE nn_result nn__shard_add(nn_trainer *trainer, const nn_view *to, const nn_view *a,
                                   const nn_view *b, nn_site site, const char *who);
NN_PRIVATE nn_result nn__shard_copy(nn_trainer *trainer, const nn_view *to, const nn_view *from,
                                    uint64_t bytes, nn_site site, const char *who);
/* Makes the sums in the leaf the results of the step (group/shard_commit.c). */
NN_PRIVATE nn_result nn__shard_commit(nn_trainer *trainer, nn_site site, const char *who);
/* Prepares the kernels of steps and their memory, after the trainer was made or moved. */
NN_PRIVATE nn_result nn__shard_rehearse(nn_trainer *trainer, nn_site site, const char *who);
/* Do parts of a step. leave_buffers: copies a shard's buffers to the leaf. clear: makes the leaf of
   a shard without samples. program: runs a pointwise program on the loss's device. */
NN_PRIVATE nn_result nn__shard_leave_buffers(nn_trainer *trainer, bool fresh, nn_site site,
                                             const char *who);
NN_PRIVATE nn_result nn__shard_clear(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__shard_program(nn_trainer *trainer, nn_program_args *args, nn_site site,
                                       const char *who);
/* Runs NN_KERNEL_SHARD_SUM, or programs of the same bytes if the device lacks it
   (group/shard_sum.c). args->x is a part of the leaf. */
NN_PRIVATE nn_result nn__shard_run_sum(nn_trainer *trainer, nn_shard_sum_args *args, nn_site site,
                                   const char *who);

/* ---- batch norms over all shards (group/shard_together.c, group/shard_meet.c) ---------------- */

/* For a trainer with NN_OVER_ALL; otherwise these do nothing. describe: room for statistics, before
   plans are made. make: plans for all shards except the first; false and an error. */
NN_PRIVATE void nn__together_describe(nn_trainer *trainer);
NN_PRIVATE bool nn__together_make(nn_trainer *trainer, nn_site site);
NN_PRIVATE void nn__together_free(nn_trainer *trainer);
/* For a model that is being moved, whose first plan becomes `plan`: replaces the other plans. False
   and an error: nothing has changed. */
NN_PRIVATE bool nn__together_move(nn_trainer *trainer, const nn_plan *plan, nn_site site);
NN_PRIVATE nn_result nn__together_clear_fault(nn_trainer *trainer);
/* True if there are batch norms at which ranks have not met yet. */
static inline NN__UNUSED bool nn__together_waits(const nn_trainer *trainer) {
    const nn__together *together = &trainer->shards->together;
    return together->lane_count && !together->agreed && together->met < together->point_count;
}
/* Runs a step of the shards of `count` devices, whose inputs are sliced. parts[0] is the trainer,
   the others are its replicas. Each ends with the sum of its shards in its leaf. */
NN_PRIVATE nn_result nn__together_run(nn_trainer *const *parts, int count, const int32_t *samples,
                                      nn_site site, const char *who);
NN_PRIVATE nn_result nn__together_meet(nn_trainer *const *parts, int count, int point,
                                       nn_site site, const char *who);
/* meets: true if shards meet at this step, which must have arguments. channels: the number of its
   channels. */
NN_PRIVATE bool nn__together_meets(const nn__step *step);
NN_PRIVATE int32_t nn__together_channels(const nn__step *step);

/* ---- several devices (group/replica.c, group/replica_step.c) --------------------------------- */

NN_PRIVATE bool nn__replicas_check(nn_model *net, const nn_trainer_desc *desc, nn_site site);
/* For a trainer whose plans are made. False and an error: nn__replicas_free frees what there is. */
NN_PRIVATE bool nn__replicas_make(nn_trainer *trainer);
NN_PRIVATE void nn__replicas_free(nn_trainer *trainer);
/* Called around changes that the trainer itself makes. */
NN_PRIVATE void nn__replicas_enter(nn_trainer *trainer);
NN_PRIVATE void nn__replicas_leave(nn_trainer *trainer);
/* Called before and after the shards of the trainer's own device. samples: of the batch. After end,
   the leaf is the sum of all devices, and no status word reports a fault. together: all of this,
   for batch norms over all shards. */
NN_PRIVATE nn_result nn__replicas_together(nn_trainer *trainer, int32_t samples, nn_site site,
                                           const char *who);
NN_PRIVATE nn_result nn__replicas_begin(nn_trainer *trainer, int32_t samples, nn_site site,
                                        const char *who);
NN_PRIVATE nn_result nn__replicas_end(nn_trainer *trainer, nn_site site, const char *who);
NN_PRIVATE nn_result nn__replicas_clear_fault(nn_trainer *trainer);
/* Do an evaluation. begin: sends the weights and clears the totals. evaluate: runs the replicas'
   parts of one batch; waiting false: on devices with a queue, before the trainer's own; true: on
   the others, after it. evaluated: reads the status words. totals: fetches `numbers` of each
   device, after the trainer's own in `to`. */
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
/* Returns an error if the trainer has replicas, because then it cannot move. */
NN_PRIVATE nn_result nn__replicas_may_move(nn_trainer *trainer, nn_site site);

/* ---- what ranks compare (group/agree_loader.c, group/agree_fit.c) ---------------------------- */

/* Compare the ranks' loaders (NULL: this rank failed to make one), and their calls of nn_fit. */
NN_PRIVATE nn_result nn__loader_compare(nn_group *group, const nn_loader *loader, nn_site site);
NN_PRIVATE nn_result nn__fit_compare(nn_trainer *trainer, const nn_fit_desc *desc, nn_result mine,
                                     nn_site site);
#endif
