/* train/sharing.c - the table of what shards, devices and ranks bring to a trainer, and those
   pieces of a trainer's life that are made of several of them. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

/* The trainer's plan is there: what a step does beside it is made ready. */
static bool nn__sharing_prepare(nn_trainer *trainer, bool part, nn_site site) {
    if (!nn__together_make(trainer, site)) return false;
    if (!part &&
        !nn__exchange_stage(trainer, &trainer->shards.exchange.staging, "nn_make_trainer"))
        return false;
    nn__exchange_follow(trainer);
    if (!nn__owners_room(trainer) || (!part && !nn__wire_room(trainer))) return false;
    if (!trainer->shards.count || nn__trainer_is_dry(&trainer->desc)) return true;
    return nn__shard_whole(trainer, site, "nn_make_trainer") == NN_OK &&
           nn__shard_rehearse(trainer, site, "nn_make_trainer") == NN_OK;
}

/* Everything but the window, which is left when nothing uses it any more. */
static void nn__sharing_drop(nn_trainer *trainer) {
    nn__replicas_free(trainer);
    nn__exchange_drop(trainer, &trainer->shards.exchange.staging);
    nn__owners_drop(trainer);
    nn__wire_drop(trainer);
    nn__together_free(trainer);
}

NN_API const nn_shard_calls *nn_shards(void) {
    static const nn__sharing sharing = {nn__replicas_check,
                                        nn__shard_count,
                                        nn__owners_count,
                                        nn__shard_describe_begin,
                                        nn__shard_describe_totals,
                                        nn__shard_describe_leaf,
                                        nn__shard_describe_room,
                                        nn__owners_numbers,
                                        nn__owners_has,
                                        nn__owners_next,
                                        nn__owners_deal,
                                        nn__owners_weigh,
                                        nn__exchange_share,
                                        nn__sharing_prepare,
                                        nn__replicas_make,
                                        nn__share_trainer,
                                        nn__sharing_drop,
                                        nn__window_drop,
                                        nn__exchange_unshare,
                                        nn__exchange_stage,
                                        nn__exchange_drop,
                                        nn__exchange_follow,
                                        nn__together_move,
                                        nn__shard_backward,
                                        nn__exchange_separate,
                                        nn__replicas_enter,
                                        nn__replicas_leave,
                                        nn__owners_share,
                                        nn__wire_forget,
                                        nn__together_clear_fault,
                                        nn__replicas_clear_fault,
                                        nn__shard_evaluate_begin,
                                        nn__shard_evaluate,
                                        nn__replicas_evaluated,
                                        nn__shard_evaluated,
                                        nn__owners_invite,
                                        nn__owners_gather,
                                        nn__owners_spread,
                                        nn__owners_dismiss,
                                        nn__share_state,
                                        nn__share_room,
                                        nn__share_leave,
                                        nn__group_news,
                                        nn__group_broadcast,
                                        nn__group_part,
                                        nn__loader_compare,
                                        nn__fit_compare
#ifndef NN_NO_REPORTS
                                        ,
                                        nn__shard_note,
                                        nn__replicas_report
#endif
    };
    return &sharing;
}

#endif /* NN_NO_TRAINING */

typedef int nn__sharing_part; /* a part must not be empty under NN_NO_TRAINING */
