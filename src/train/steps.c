/* train/steps.c - several steps in one call. If a whole step is one launch of its device and the
   loader has gathered the next batches, these steps become one launch too. Elsewhere each step runs
   as it does alone. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* True if a step is exactly one run of its plan. With gathered gradients, shards or averages, other
   work follows the plan. */
static bool nn__steps_are_plans(const nn_trainer *trainer) {
    return !trainer->update && !trainer->sharing && !trainer->averages;
}

NN_PRIVATE nn_result nn__train_some(nn_trainer *trainer, nn_loader *loader, int32_t left,
                                    int32_t *made, nn_site site, const char *who) {
    const int32_t before = *made;
    int32_t together = 1;
    nn_result result = NN_OK, released;
    bool ran = true;
    if (nn__steps_are_plans(trainer))
        result = nn__plan_hold(trainer->plan, nn__mini(left, 1 + nn__resident_waiting(loader)),
                               &together, site, who);
    for (int32_t i = 0; i < together && result == NN_OK; i++) {
        if (i > 0 && !nn__loader_take(loader, site)) result = loader->result;
        else result = nn__trainer_step(trainer, loader, site, who);
        if (result == NN_OK) ++*made;
    }
    if (together < 2) return result;
    released = nn__plan_go(trainer->plan, &ran, site, who);
    if (!ran) { /* none of them was done */
        trainer->step -= *made - before;
        *made = before;
    }
    return result == NN_OK ? released : result;
}

static nn_result nn__steps_check(nn_trainer *trainer, const nn_loader *loader, int32_t count,
                                 nn_site site, const char *who) {
    if (!loader)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT, "%s: loader is NULL", who);
    if (loader->nn != trainer->nn)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the loader and the trainer belong to different contexts", who);
    if (count < 1)
        return nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                           "%s: count is %d; wanted at least 1 step", who, (int)count);
    return nn__trainer_idle(trainer, site, who);
}

static nn_result nn__inside_train_steps(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                        int32_t count, int32_t *done) {
    const char *const who = "nn_train_steps";
    int32_t made = 0;
    nn_result result;
    if (done) *done = 0;
    if (nn__trainer_gone(trainer, site, who)) return NN_ERROR_ARGUMENT;
    result = nn__steps_check(trainer, loader, count, site, who);
    if (nn__ranks(trainer->desc.group) > 1) /* the other ranks are waiting */
        result = nn__trainer_agree(trainer, result, site, who);
    while (result == NN_OK && made < count)
        result = nn__loader_take(loader, site)
                     ? nn__train_some(trainer, loader, count - made, &made, site, who)
                     : loader->result;
    if (done) *done = made;
    return result;
}

NN_API nn_result nn_train_steps_at(nn_site site, nn_trainer *trainer, nn_loader *loader,
                                   int32_t count, int32_t *done) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_train_steps", site,
                     nn__inside_train_steps(site, trainer, loader, count, done));
}

#endif /* NN__NO_TRAINER */

typedef int nn__steps_part; /* a part must not be empty under NN__NO_TRAINER */
