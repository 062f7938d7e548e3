/* train/trainer.c - makes, frees and moves trainers, and answers questions about them. A trainer
   has two plans: the step that train/describe.c describes, and an evaluation. With
   nn_trainer_desc.gradients a third plan makes the update. A trainer knows neither datasets nor
   epochs. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- making and freeing ---------------------------------------------------------------------- */

/* Called with true before a plan is made and with false after it: keeps effects on other trainers'
   buffers out of the plan. */
static void nn__trainer_mark_buffers(nn_trainer *trainer, bool mark) {
    for (nn_node *node = trainer->net->graph.first; node; node = node->next)
        if (node->kind == NN__BUFFER)
            node->of_others = mark && !nn__owns_buffer(trainer->net, &trainer->desc,
                                                       trainer->groups, node);
}

/* Sets the reason that nn_write_plan shows, if the user did not ask for separate steps. */
static void nn__trainer_tell_separate(const nn_trainer *trainer, nn_plan *plan) {
#ifdef NN_NO_REPORTS
    (void)trainer, (void)plan;
#else
    if (plan && trainer->sharing && !trainer->desc.separate_steps)
        plan->separate = "the trainer has .shards";
#endif
}

/* lender: the plan of the steps, which lends memory; the two never run at the same time. */
static nn_plan *nn__trainer_make_update(nn_trainer *trainer, const nn_plan *lender, nn_site site) {
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = nn__ceil_div(trainer->desc.batch, trainer->desc.shards); /* of a shard */
    desc.time = trainer->desc.time;
    desc.on_unsupported = trainer->desc.on_unsupported;
    desc.precision = trainer->desc.precision;
    desc.separate_steps = trainer->desc.separate_steps || trainer->sharing != NULL;
    desc.dry_run = trainer->desc.dry_run;
    nn__trainer_mark_buffers(trainer, true);
    nn_plan *plan =
        nn__make_plan(trainer->net, &trainer->tape, trainer->update_targets,
                      trainer->update_target_count, &desc, NN__PLAN_UPDATE, lender, site);
    nn__trainer_mark_buffers(trainer, false);
    nn__trainer_tell_separate(trainer, plan);
    return plan;
}

static nn_plan *nn__trainer_make_plan(nn_trainer *trainer, const nn_plan *lender, nn_site site) {
    bool training = lender == NULL;
    nn__plan_kind kind = !training                 ? NN__PLAN_RUN
                         : trainer->desc.gradients ? NN__PLAN_BACKWARD
                                                   : NN__PLAN_STEP;
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = nn__ceil_div(trainer->desc.batch, trainer->desc.shards); /* of a shard */
    desc.time = trainer->desc.time;
    desc.poison = trainer->desc.poison;
    desc.direct_convolutions = trainer->desc.direct_convolutions;
    desc.precision = trainer->desc.precision;
    desc.require_precision = trainer->desc.require_precision;
    desc.dry_run = trainer->desc.dry_run;
    desc.on_unsupported = trainer->desc.on_unsupported;
    desc.separate_steps = trainer->desc.separate_steps || trainer->sharing != NULL;
    nn__trainer_mark_buffers(trainer, true);
    nn_plan *plan = nn__make_plan(
        trainer->net, &trainer->tape, training ? trainer->targets : trainer->evaluation_targets,
        training ? trainer->target_count : trainer->evaluation_target_count, &desc, kind, lender,
        site);
    nn__trainer_mark_buffers(trainer, false);
    nn__trainer_tell_separate(trainer, plan);
    if (plan && training) nn__carry_bind(trainer, plan, site);
    if (plan && training && trainer->sharing) trainer->sharing->planned(trainer, plan);
    return plan;
}

static void nn__trainer_release(nn__owned *owned) {
    nn_trainer *trainer = (nn_trainer *)(void *)owned;
    nn__release(&trainer->nn->memory, trainer, sizeof *trainer);
}

/* Frees everything but the struct. */
static void nn__trainer_clear(nn_trainer *trainer) {
    const nn__sharing *sharing = trainer->sharing;
    if (sharing) sharing->drop(trainer);
    if (trainer->owned.destroy && !nn__is_closing(trainer->nn))
        nn__unuse_group(trainer->desc.group);
    nn__disown(&trainer->owned);
    nn__drop_plan(trainer->plan);
    nn__drop_plan(trainer->evaluation);
    nn__drop_plan(trainer->update);
    nn__graph_free(&trainer->tape);
    if (sharing) sharing->end(trainer);
}

#ifndef NN_NO_REPORTS
/* Leaves a shell of a trainer whose model was freed. False: the struct must be freed too. */
static bool nn__trainer_leave_shell(nn_trainer *trainer) {
    nn_context *nn = trainer->nn;
    nn_model *net = trainer->net;
    if (!net->gone) return false;
    memset(trainer, 0, sizeof *trainer);
    trainer->nn = nn;
    trainer->net = net; /* The model is a shell too, and is kept longer than this one. */
    trainer->site = net->site;
    trainer->gone = true;
    return nn__keep_shell(nn, &trainer->owned, nn__trainer_release);
}

NN_PRIVATE bool nn__trainer_freed(const nn_trainer *trainer, nn_site site, const char *who) {
    char where[96];
    if (!trainer) return true;
    if (!trainer->gone) return false;
    nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                "%s: the trainer of \"%s\" was freed with its model at %s; nn_free_model frees "
                "trainers too",
                who, trainer->net->name, nn__format_site(trainer->site, where, sizeof where));
    return true;
}

NN_PRIVATE bool nn__trainer_gone(const nn_trainer *trainer, nn_site site, const char *who) {
    char where[96];
    if (nn__trainer_freed(trainer, site, who)) return true;
    if (!trainer->desc.dry_run) return false;
    nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                "%s: the trainer of \"%s\" at %s is a dry run and has no memory; make one without "
                ".dry_run",
                who, trainer->net->name, nn__format_site(trainer->site, where, sizeof where));
    return true;
}
#endif

static void nn__trainer_destroy(nn__owned *owned) {
    nn_trainer *trainer = (nn_trainer *)(void *)owned;
#ifndef NN_NO_REPORTS
    if (trainer->net->gone)
        nn__plan_ends(trainer->plan, "model", trainer->net->site);
    else
        nn__plan_ends(trainer->plan, "trainer", trainer->site);
#endif
    nn__trainer_clear(trainer);
#ifndef NN_NO_REPORTS
    if (nn__trainer_leave_shell(trainer)) return;
#endif
    nn__trainer_release(owned);
}

NN_PRIVATE nn_plan *nn__trainer_make_lane(nn_trainer *trainer, nn_site site) {
    return nn__trainer_make_plan(trainer, NULL, site);
}

/* Makes the plans of a described trainer. */
static bool nn__trainer_make_plans(nn_trainer *trainer, bool part, nn_site site) {
    const nn__sharing *sharing = trainer->sharing;
    if (sharing && !part && !sharing->exchange_share(trainer)) return false;
    trainer->plan = nn__trainer_make_plan(trainer, NULL, site);
    if (!trainer->plan || (sharing && !sharing->prepare(trainer, part, site))) return false;
    trainer->evaluation = nn__trainer_make_plan(trainer, trainer->plan, site);
    if (!trainer->evaluation || part) return trainer->evaluation != NULL;
    if (trainer->desc.gradients)
        trainer->update = nn__trainer_make_update(trainer, trainer->plan, site);
    if (trainer->desc.gradients && !trainer->update) return false;
    return !sharing || sharing->replicas_make(trainer);
}

NN_PRIVATE void nn__drop_trainer(nn_trainer *trainer) {
    if (!trainer) return;
    nn__trainer_clear(trainer);
    nn__trainer_release(&trainer->owned);
}

/* Copies the desc's lists into the tape's arena, and takes the arrays whose lengths follow from
   them. False: no memory. */
static bool nn__trainer_take_lists(nn_trainer *trainer) {
    nn__arena *arena = &trainer->tape.arena;
    nn_trainer_desc *desc = &trainer->desc;
    const size_t totals = (size_t)trainer->metric_count + 1;
    const void *nodes = desc->metrics.node, *devices = desc->devices.device;
    if (!nn__arena_list(arena, &nodes, sizeof(nn_node *) * (size_t)trainer->metric_count) ||
        !nn__arena_list(arena, &devices, sizeof(nn_device) * (size_t)desc->devices.count) ||
        !nn__groups_copy(arena, desc))
        return false;
    desc->metrics.node = (nn_node *const *)nodes;
    desc->devices.device = (const nn_device *)devices;
    trainer->groups = (nn__group *)nn__arena_take(
        arena, sizeof *trainer->groups * (size_t)(desc->groups.count + 1));
    trainer->totals.node = (nn_node **)nn__arena_take(arena, sizeof(nn_node *) * totals);
    trainer->evaluation_totals.node = (nn_node **)nn__arena_take(arena, sizeof(nn_node *) * totals);
    trainer->sums = (double **)nn__arena_take(arena, sizeof(double *) * totals);
    trainer->reported = (double *)nn__arena_take(arena, sizeof(double) * totals);
    return trainer->groups && trainer->totals.node && trainer->evaluation_totals.node &&
           trainer->sums && trainer->reported;
}

NN_PRIVATE nn_trainer *nn__build_trainer(nn_site site, nn_model *net, nn_node *loss,
                                         const nn_trainer_desc *desc, const nn__part *part) {
    const nn__sharing *const sharing = nn__sharing_table();
    nn_trainer_desc filled;
    nn_trainer *trainer;
    const nn__faults before = net->faults;
    memset(&filled, 0, sizeof filled);
    if (desc) filled = *desc;
    if (!nn__trainer_defaults(net->nn, &filled, site) ||
        !nn__trainer_check(net, loss, &filled, site))
        return NULL;
    trainer = (nn_trainer *)nn__allocate_for(net->nn, "nn_make_trainer", sizeof *trainer);
    if (!trainer) return NULL;
    trainer->nn = net->nn;
    trainer->net = net;
    trainer->site = site;
    trainer->desc = filled;
    nn__copy_schedule(&trainer->desc.schedule, trainer->milestones, &filled.schedule);
    trainer->loss = loss;
    if (sharing && filled.shards > 1 && !sharing->begin(trainer, desc && desc->gradients, part)) {
        nn__release(&net->nn->memory, trainer, sizeof *trainer);
        return NULL;
    }
    if (nn__trainer_is_dry(&filled)) trainer->desc.group = NULL; /* its ranks are not asked */
    trainer->metric_count = filled.metrics.count;
    nn__graph_init(&trainer->tape, net);
#ifndef NN_NO_SPEEDUPS
    trainer->tape.launches = nn__plan_launches;
#endif
    trainer->faults.arena = &trainer->tape.arena;
    if (!nn__trainer_take_lists(trainer))
        nn__fail_memory(net->nn, "nn_make_trainer", sizeof(nn_parameter_group));
    else if (nn__groups_make(net, &trainer->desc, trainer->groups, site) &&
             nn__trainer_describe(trainer) &&
             nn__trainer_make_plans(trainer, part != NULL, site))
        return trainer;
    nn__drop_trainer(trainer);
    net->faults = before; /* Lack of memory here is no mistake in the model. */
    return NULL;
}

/* Returns the group whose ranks wait for this trainer, or NULL. */
static nn_group *nn__trainer_group(const nn_trainer_desc *desc) {
    return desc && !nn__trainer_is_dry(desc) && nn__sharing_table() ? desc->group : NULL;
}

static nn_trainer *nn__inside_make_trainer(nn_site site, nn_model *net, nn_node *loss,
                                           const nn_trainer_desc *desc) {
    nn_group *group = nn__trainer_group(desc);
    nn_trainer *trainer;
    if (nn__model_gone(net, site, "nn_make_trainer")) return NULL;
    /* this is an error, and the group is not used */
    if (group && nn__head(group)->nn != net->nn) group = NULL;
    trainer = nn__build_trainer(site, net, loss, desc, NULL);
    /* A rank that cannot make its trainer tells the others, so that they do not wait. */
    if (group && nn__head(group)->calls->share_trainer(
                     group, trainer, trainer ? NN_OK : nn__group_fault(net->nn), site) != NN_OK) {
        nn__drop_trainer(trainer);
        return NULL;
    }
    if (!trainer) return NULL;
    nn__use_group(group, "nn_make_trainer", site);
    trainer->plan->also = trainer->evaluation;
    trainer->evaluation->also = trainer->update;
    if (trainer->sharing) trainer->sharing->replicas_join(trainer);
    nn__own(&net->dependents, &trainer->owned, nn__trainer_destroy);
    return trainer;
}

NN_API nn_trainer *nn_make_trainer_using_at(nn_site site, nn_model *net, nn_node *loss,
                                            const nn_trainer_desc *desc,
                                            const nn_optimizer_calls *optimizers) {
    nn_context *nn = net ? net->nn : NULL;
    nn_group *group = net ? NULL : nn__trainer_group(desc);
    nn_context *alone = group ? nn__head(group)->nn : NULL; /* the other ranks have a model */
    if (group && nn__enter(alone, "nn_make_trainer", site)) {
        nn__head(group)->calls->share_trainer(group, NULL, nn__group_fault(alone), site);
        nn__leave(alone, NN_OK);
    }
    if (!nn__enter(nn, "nn_make_trainer", site)) return NULL;
    if (nn && optimizers) nn->recipes = optimizers;
    nn_trainer *made = nn__inside_make_trainer(site, net, loss, desc);
    nn__leave(nn, NN_OK);
    return made;
}

NN_API nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc) {
    return nn_make_trainer_using_at(site, net, loss, desc, nn_optimizers());
}

static void nn__inside_free_trainer(nn_site site, nn_trainer *trainer) {
    if (nn__trainer_freed(trainer, site, "nn_free_trainer")) return;
    if (trainer->fits > 0) {
        nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                    "nn_free_trainer: nn_fit trains it, and calls this callback; return false, and "
                    "free it when nn_fit has returned");
        return;
    }
    nn__average_mark(trainer, false);
    trainer->site = site;
    nn__trainer_destroy(&trainer->owned);
}

NN_API void nn_free_trainer_at(nn_site site, nn_trainer *trainer) {
    nn_context *nn = trainer ? trainer->nn : NULL;
    if (!nn__enter(nn, "nn_free_trainer", site)) return;
    nn__inside_free_trainer(site, trainer);
    nn__leave(nn, NN_OK);
}

/* ---- questions, and the learning rate -------------------------------------------------------- */

NN_API void nn_set_learning_rate(nn_trainer *trainer, float learning_rate) {
    if (nn__trainer_freed(trainer, nn__no_site(), "nn_set_learning_rate")) return;
    if (learning_rate >= 0.0f && learning_rate < 3.0e38f)
        trainer->desc.learning_rate = learning_rate;
    else
        nn__fail(trainer->nn, NN_ERROR_ARGUMENT,
                 "nn_set_learning_rate: %g is no learning rate; %g stays", (double)learning_rate,
                 (double)trainer->desc.learning_rate);
}

NN_API float nn_learning_rate(const nn_trainer *trainer) {
    if (nn__trainer_freed(trainer, nn__no_site(), "nn_learning_rate")) return 0.0f;
    return nn_scheduled_rate(&trainer->desc.schedule, trainer->desc.learning_rate, trainer->step);
}

static nn_result nn__inside_set_schedule(nn_site site, nn_trainer *trainer,
                                         const nn_schedule *schedule) {
    if (!trainer || nn__trainer_freed(trainer, site, "nn_set_schedule")) return NN_ERROR_ARGUMENT;
    if (schedule && !nn__check_schedule(trainer->nn, schedule, site, "nn_set_schedule"))
        return NN_ERROR_ARGUMENT;
    if (schedule)
        nn__copy_schedule(&trainer->desc.schedule, trainer->milestones, schedule);
    else
        memset(&trainer->desc.schedule, 0, sizeof trainer->desc.schedule);
    return NN_OK;
}

NN_API nn_result nn_set_schedule_at(nn_site site, nn_trainer *trainer,
                                    const nn_schedule *schedule) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_set_schedule", site,
                     nn__inside_set_schedule(site, trainer, schedule));
}
NN_API int64_t nn_trainer_step(const nn_trainer *trainer) {
    return nn__trainer_freed(trainer, nn__no_site(), "nn_trainer_step") ? 0 : trainer->step;
}
NN_API nn_plan *nn_trainer_plan(nn_trainer *trainer) {
    return nn__trainer_freed(trainer, nn__no_site(), "nn_trainer_plan") ? NULL : trainer->plan;
}

/* ---- moving ---------------------------------------------------------------------------------- */

static nn_result nn__inside_move_trainer(nn_site site, nn_trainer *trainer, nn_device device) {
    nn_plan *plan, *evaluation = NULL, *update = NULL;
    const nn__sharing *sharing;
    nn_context *nn;
    nn_result result;
    nn__move move;
    bool fresh;
    if (nn__trainer_gone(trainer, site, "nn_move_trainer")) return NN_ERROR_ARGUMENT;
    nn = trainer->nn;
    sharing = trainer->sharing;
    fresh = trainer->plan->generation == trainer->net->generation &&
            trainer->evaluation->generation == trainer->net->generation;
    if (fresh && nn_same_device(nn__resolve_device(nn, device), trainer->net->device)) return NN_OK;
    if (trainer->plan->running || (trainer->update && trainer->update->running)) {
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_move_trainer: a step in slices is under way; call nn_train_step_for "
                           "until it is done");
    }
    result = sharing ? sharing->may_move(trainer, site) : NN_OK;
    if (result == NN_OK) result = nn__weight_cache_fault(trainer->plan, site);
    if (result == NN_OK && sharing)
        result = sharing->exchange_unshare(trainer, "nn_move_trainer");
    if (result == NN_OK)
        result =
            nn__move_begin(&move, trainer->net, &trainer->tape, device, site, "nn_move_trainer");
    if (result != NN_OK) return result;
    plan = nn__trainer_make_plan(trainer, NULL, site);
    if (plan) evaluation = nn__trainer_make_plan(trainer, plan, site);
    if (evaluation && trainer->update) update = nn__trainer_make_update(trainer, plan, site);
    if (!evaluation || (trainer->update && !update) ||
        (sharing && !sharing->move(trainer, plan, site))) {
        /* Undoing the move makes the old plans valid again, because their storage was kept. */
        nn__drop_plan(update);
        nn__drop_plan(evaluation);
        nn__drop_plan(plan);
        nn__move_undo(&move);
        return nn->last_code;
    }
    nn__replace_plan(trainer->plan, plan);
    nn__replace_plan(trainer->evaluation, evaluation);
    if (update) nn__replace_plan(trainer->update, update);
    if (sharing) sharing->moved(trainer);
    nn__move_commit(&move);
    return NN_OK;
}

NN_API nn_result nn_move_trainer_at(nn_site site, nn_trainer *trainer, nn_device device) {
    return NN__ALONE(trainer ? trainer->nn : NULL, "nn_move_trainer", site,
                     nn__inside_move_trainer(site, trainer, device));
}

#endif /* NN__NO_TRAINER */

typedef int nn__trainer_part; /* a part must not be empty under NN__NO_TRAINER */
