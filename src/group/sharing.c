/* group/sharing.c - the table of functions for shared trainers, and functions that combine several
   of them. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

static bool nn__sharing_begin(nn_trainer *trainer, bool asked, const nn__part *part) {
    nn__shared *shared =
        (nn__shared *)nn__allocate_for(trainer->nn, "nn_make_trainer", sizeof *shared);
    if (!shared) return false;
    trainer->sharing = nn__group_table();
    trainer->shards = &shared->shards;
    trainer->owners = &shared->owners;
    trainer->replicas = &shared->replicas;
    nn__shard_count(trainer, asked);
    nn__owners_count(trainer);
    if (part) {
        trainer->shards->first = part->first;
        trainer->shards->own = trainer->shards->mine = part->own;
    }
    return true;
}

static void nn__sharing_planned(nn_trainer *trainer, nn_plan *plan) {
#ifndef NN__ONE_PIECE
    if (trainer->shards->exchange.window) plan->process = trainer->shards->exchange.window->process;
#endif
#ifndef NN_NO_REPORTS
    plan->note = nn__shard_note(trainer);
#endif
    (void)trainer, (void)plan;
}

/* After the trainer's plan is made: prepares the rest of its steps. */
static bool nn__sharing_prepare(nn_trainer *trainer, bool part, nn_site site) {
    if (!nn__together_make(trainer, site)) return false;
    if (!part &&
        !nn__exchange_stage(trainer, &trainer->shards->exchange.staging, "nn_make_trainer"))
        return false;
    nn__exchange_follow(trainer);
    if (!nn__owners_room(trainer) || (!part && !nn__wire_room(trainer))) return false;
    if (nn__trainer_is_dry(&trainer->desc)) return true;
    return nn__shard_whole(trainer, site, "nn_make_trainer") == NN_OK &&
           nn__shard_rehearse(trainer, site, "nn_make_trainer") == NN_OK;
}

/* Drops everything except the window, which may still be in use. */
static void nn__sharing_drop(nn_trainer *trainer) {
    nn__replicas_free(trainer);
    nn__exchange_drop(trainer, &trainer->shards->exchange.staging);
    nn__owners_drop(trainer);
    nn__wire_drop(trainer);
    nn__together_free(trainer);
}

/* Drops the window, which nothing uses any more. While the context closes, the group and its window
   may have been freed already. */
static void nn__sharing_end(nn_trainer *trainer) {
    nn__shared *shared = (nn__shared *)(void *)trainer->shards;
    nn__window *window = shared->shards.exchange.window;
    if (window && !nn__is_closing(trainer->nn)) nn__window_drop(trainer->desc.group, window);
    nn__release(&trainer->nn->memory, shared, sizeof *shared);
}

static bool nn__sharing_move(nn_trainer *trainer, const nn_plan *plan, nn_site site) {
    nn__staging *fresh = &trainer->shards->exchange.fresh;
    if (nn__exchange_stage(trainer, fresh, "nn_move_trainer") &&
        nn__together_move(trainer, plan, site))
        return true;
    nn__exchange_drop(trainer, fresh);
    return false;
}

static void nn__sharing_moved(nn_trainer *trainer) {
    nn__exchange *exchange = &trainer->shards->exchange;
    nn__exchange_drop(trainer, &exchange->staging);
    exchange->staging = exchange->fresh;
    memset(&exchange->fresh, 0, sizeof exchange->fresh);
    nn__exchange_follow(trainer);
}

NN_PRIVATE const nn__sharing *nn__group_table(void) {
    static const nn__sharing sharing = {nn__replicas_check,
                                        nn__sharing_begin,
                                        nn__shard_describe_begin,
                                        nn__shard_describe_totals,
                                        nn__shard_describe_leaf,
                                        nn__shard_describe_room,
                                        nn__owners_mine,
                                        nn__owners_has,
                                        nn__owners_parts,
                                        nn__owners_deal,
                                        nn__owners_weigh,
                                        nn__exchange_open_window,
                                        nn__sharing_planned,
                                        nn__sharing_prepare,
                                        nn__replicas_make,
                                        nn__agree_trainer,
                                        nn__replicas_join,
                                        nn__sharing_drop,
                                        nn__sharing_end,
                                        nn__replicas_may_move,
                                        nn__exchange_close_window,
                                        nn__sharing_move,
                                        nn__sharing_moved,
                                        nn__shard_keeps_gradients,
                                        nn__shard_backward,
                                        nn__exchange_separate,
                                        nn__replicas_enter,
                                        nn__replicas_leave,
                                        nn__owners_share,
                                        nn__wire_forget,
                                        nn__shard_loss,
                                        nn__together_clear_fault,
                                        nn__replicas_clear_fault,
                                        nn__shard_evaluate_begin,
                                        nn__shard_evaluate,
                                        nn__replicas_evaluated,
                                        nn__shard_evaluated,
                                        nn__owners_moment,
                                        nn__owners_average,
                                        nn__owners_invite,
                                        nn__owners_gather,
                                        nn__owners_spread,
                                        nn__owners_dismiss,
                                        nn__agree_state,
                                        nn__agree_room,
                                        nn__agree_leave,
                                        nn__fit_compare,
                                        nn__group_news,
                                        nn__group_broadcast,
                                        nn__group_part,
                                        nn__loader_compare};
    return &sharing;
}

#endif /* NN__NO_TRAINER */

typedef int nn__sharing_part; /* a part must not be empty under NN__NO_TRAINER */
