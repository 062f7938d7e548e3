/* train/gradient.c - the two halves of a step as separate calls: gradients that add up in their own
   states, and the update that uses them. train/describe.c describes both plans. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE nn_result nn__gradient_none(nn_trainer *trainer, nn_site site, const char *who) {
    return nn__fail_at(
        trainer->nn, site, NN_ERROR_ARGUMENT,
        "%s: this trainer keeps no gradients; give nn_trainer_desc.gradients = true", who);
}

NN_PRIVATE nn_result nn__gradient_check(nn_trainer *trainer, nn_site site, const char *who) {
    const nn__sharing *sharing = trainer->sharing;
    nn_result result = NN_OK;
    if (sharing) result = sharing->keeps_gradients(trainer, site, who);
    if (result == NN_OK && !trainer->update)
        result = nn__gradient_none(trainer, site, who);
    if (result == NN_OK) result = nn__trainer_idle(trainer, site, who);
    return result == NN_OK && sharing ? sharing->exchange_separate(trainer, who) : result;
}

NN_PRIVATE nn_result nn__gradient_clear(nn_trainer *trainer) {
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->gradient_count && result == NN_OK; i++)
        result = nn_fill_zero(trainer->gradients[i].state->tensor);
    for (int i = 0; i < trainer->gradient_count && result == NN_OK; i++)
        if (trainer->counted[i]) result = nn_fill_zero(trainer->counted[i]->tensor);
    return result;
}

NN_PRIVATE nn_result nn__gradient_begin(nn_trainer *trainer, bool whole, nn_site site,
                                        const char *who) {
    nn__run_values *values = &trainer->plan->run;
    if (trainer->sharing) { /* each shard overwrites its leaf: group/shard.c */
        if (trainer->backwards == 0) trainer->gathered = false;
        return NN_OK;
    }
    /* The nodes that add gradients are SGD steps: a rate of -1 adds. */
    values->learning_rate = -1.0f;
    /* The first pass draws the random numbers of a whole step; later passes draw other numbers. */
    values->seed =
        trainer->net->seed + (uint64_t)(uint32_t)trainer->backwards * 0x9E3779B97F4A7C15u;
    if (trainer->backwards > 0) return NN_OK;
    /* A pass that is refused leaves the gradients of the last update unchanged. */
    nn_result result = nn__run_ready(trainer->plan, whole, site, who);
    if (result != NN_OK) return result;
    trainer->gathered = false;
    return nn__gradient_clear(trainer);
}

NN_PRIVATE nn_result nn__check_torn(nn_trainer *trainer, nn_site site, const char *who) {
    if (!trainer->torn) return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_BACKEND,
                       "%s: a device failed in the middle of the update after step %lld, or while "
                       "a checkpoint was loaded, so that parameters, moments and totals are those "
                       "of two steps; continue from a checkpoint: nn_load_checkpoint",
                       who, (long long)trainer->step);
}

NN_PRIVATE void nn__tear(nn_trainer *trainer) {
    if (!trainer->sharing) return;
    trainer->torn = true;
    trainer->net->torn = trainer->step + 1;
}

NN_PRIVATE nn_result nn__gradient_update(nn_trainer *trainer, int64_t microseconds, nn_site site,
                                         const char *who) {
    nn_plan *update = trainer->update;
    bool begun = false; /* an update that is refused has changed nothing */
    /* with shards, the status was read before their sums were used */
    nn_result result = update->running || trainer->sharing
                           ? NN_OK
                           : nn__read_status(trainer->plan, site, who);
    trainer->gathered = true;
    if (result == NN_OK) result = nn__average_check_in_place(trainer, site, who);
    if (result == NN_OK && !update->running) result = nn__check_rate(trainer, site, who);
    if (result == NN_OK && !update->running) {
        update->run.learning_rate = nn_learning_rate(trainer);
        update->run.step = trainer->step + 1;
    }
    if (result == NN_OK) {
        begun = true;
        result = microseconds < 0 ? nn__run_plan(update, site, who)
                                  : nn__run_plan_for(update, microseconds, site, who);
    }
    result = nn__updated_here(trainer, result, site, who);
    if (trainer->confirms) result = nn__trainer_agree(trainer, result, site, who);
    if (result != NN_OK) {
        if (result < 0 && begun) nn__tear(trainer);
        return result;
    }
    trainer->step++;
    trainer->backwards = 0;
    result = nn__average_step(trainer, site);
    if (result != NN_OK) nn__tear(trainer);
    return result;
}

static nn_result nn__inside_backward(nn_site site, nn_trainer *trainer) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_backward")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_check(trainer, site, "nn_backward");
    if (result == NN_OK) result = nn__trainer_begin(trainer, NULL, false, site, "nn_backward");
    if (trainer->sharing)
        result = trainer->sharing->shard_backward(trainer, result, -1, site, "nn_backward");
    else if (result == NN_OK)
        result = nn__run_plan(trainer->plan, site, "nn_backward");
    if (result != NN_OK) return result;
    trainer->backwards++;
    trainer->gathered = true;
    return NN_OK;
}

NN_API nn_result nn_backward_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_backward", site,
                     nn__inside_backward(site, trainer));
}

static nn_result nn__inside_update(nn_site site, nn_trainer *trainer) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_update")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_check(trainer, site, "nn_update");
    if (result == NN_OK && trainer->backwards == 0)
        result = nn__fail_at(
            trainer->nn, site, NN_ERROR_ARGUMENT,
            "nn_update: there was no nn_backward since the last update; call it first");
    if (result == NN_OK) result = nn__check_torn(trainer, site, "nn_update");
    /* otherwise the other ranks would wait for the parameters of this one */
    if (trainer->deals) result = nn__trainer_agree(trainer, result, site, "nn_update");
    if (result != NN_OK) return result;
    return nn__gradient_update(trainer, -1, site, "nn_update");
}

NN_API nn_result nn_update_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_update", site,
                     nn__inside_update(site, trainer));
}

static nn_result nn__inside_zero_gradients(nn_site site, nn_trainer *trainer) {
    nn_result result;
    if (nn__trainer_gone(trainer, site, "nn_zero_gradients")) return NN_ERROR_ARGUMENT;
    result = nn__gradient_check(trainer, site, "nn_zero_gradients");
    if (result == NN_OK) result = nn__gradient_clear(trainer);
    if (result == NN_OK) trainer->backwards = 0;
    return result;
}

NN_API nn_result nn_zero_gradients_at(nn_site site, nn_trainer *trainer) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_zero_gradients", site,
                     nn__inside_zero_gradients(site, trainer));
}

#endif /* NN__NO_TRAINER */

typedef int nn__gradient_part; /* a part must not be empty under NN__NO_TRAINER */
