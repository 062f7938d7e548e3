/* group/shard_together.c - nn_trainer_desc.batch_norm = NN_OVER_ALL: the statistics of a batch norm
   are those of the whole batch, on whatever ranks its shards are. Each shard of a device has its
   own plan and its own activations. The plans run side by side from one batch norm to the next,
   where they meet. Each gives its statistics (count, mean, sum of squares; in the backward pass the
   sums that dx needs). The host joins the statistics of all devices and ranks in a tree, in the
   order of the shards' numbers, and every shard continues with the result. group/shard_meet.c does
   this. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- where they meet ------------------------------------------------------------------------- */

NN_PRIVATE bool nn__together_meets(const nn__step *step) {
    const nn_norm_args *forward = &step->args->norm_forward;
    const nn_norm_backward_args *backward = &step->args->norm_backward;
    switch (step->node->rule->kernel) {
    case NN_KERNEL_NORM_FORWARD:
        return forward->cut.across && forward->running_mean.dtype == NN_DTYPE_DEFAULT;
    case NN_KERNEL_NORM_BACKWARD:
        return backward->cut.across && !backward->fixed && backward->dx.dtype != NN_DTYPE_DEFAULT;
    default: return false;
    }
}

NN_PRIVATE int32_t nn__together_channels(const nn__step *step) {
    return step->node->rule->kernel == NN_KERNEL_NORM_FORWARD
               ? step->args->norm_forward.cut.groups
               : step->args->norm_backward.cut.groups;
}

/* Lists the steps of a plan at which shards meet, in `to` unless it is NULL. -1 and an error: one
   of them is on another device, or a step before the last of them writes something that shards
   share. */
static int nn__together_points(nn_trainer *trainer, const nn_plan *plan, int *to) {
    bool shared = false;
    int count = 0;
    for (int s = 0; s < plan->step_count; s++) {
        const nn__step *step = &plan->steps[s];
        const nn_node *node = step->node;
        if (node->rule->kernel != NN_KERNEL_NONE && nn__together_meets(step)) {
            if (!nn__describe_together(node, trainer->loss) || shared || nn__step_via(step)) {
                nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                            "nn_make_trainer: batch_norm is NN_OVER_ALL: \"%s\" (%s) is not on "
                            "the device of the loss, or reads what the step writes; leave it "
                            "NN_PER_SHARD",
                            node->name, nn__operation(node));
                return -1;
            }
            if (node->graph == &trainer->net->graph &&
                node->rule->kernel == NN_KERNEL_NORM_BACKWARD) {
                nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                            "nn_make_trainer: batch_norm is NN_OVER_ALL, and \"%s\" is a "
                            "gradient of nn_gradient through a batch norm, which each shard "
                            "computes from its own samples; leave it NN_PER_SHARD",
                            node->name);
                return -1;
            }
            if (to) to[count] = s;
            count++;
        }
        for (int i = 0; i < node->input_count && nn__has_effect(node); i++)
            shared |= nn__writes(node, i);
    }
    return count;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool nn__together_alone(const nn_trainer *trainer) {
    return trainer->desc.batch_norm != NN_OVER_ALL || trainer->shards->count <= 1;
}

/* Adds room for statistics: two rows for each shard here, and three for the whole batch. */
NN_PRIVATE void nn__together_describe(nn_trainer *trainer) {
    nn__together *together = &trainer->shards->together;
    nn_shape flat;
    memset(&flat, 0, sizeof flat);
    if (nn__together_alone(trainer)) return;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        if (node->kind == NN__OPERATION && node->rule->kernel == NN_KERNEL_NORM_FORWARD &&
            node->shape.rank > 1)
            together->channels = nn__maxi(together->channels, node->shape.extent[1]);
    flat.rank = 1;
    flat.extent[0] = (2 * trainer->shards->mine + 3) * nn__together_row(together->channels);
    together->statistics = nn__describe_state(trainer, trainer->loss, ".statistics", flat);
}

static bool nn__together_room(nn_trainer *trainer) {
    nn__shards *shards = trainer->shards;
    nn__together *together = &shards->together;
    nn__arena *arena = &trainer->tape.arena;
    const size_t own = (size_t)shards->own, row = (size_t)nn__together_row(together->channels);
    const size_t parts = (size_t)nn__group_least(trainer->desc.group);
    const size_t part = 1 + 2 * (size_t)together->channels;
    int inputs = 0;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        inputs += node->kind == NN__INPUT;
    together->points =
        (int *)nn__arena_take(arena, sizeof(int) * (size_t)nn__maxi(together->point_count, 1));
    together->lanes = (nn__lane *)nn__arena_take(arena, sizeof(nn__lane) * (size_t)shards->mine);
    together->own = (double *)nn__arena_take(arena, sizeof(double) * part * own);
    together->all = (double *)nn__arena_take(arena, sizeof(double) * part * parts);
    together->numbers =
        (float *)nn__arena_take(arena, sizeof(float) * row * (2 * (size_t)shards->mine + 3));
    if (!together->points || !together->lanes || !together->own || !together->all ||
        !together->numbers)
        return nn__describe_no_memory(trainer);
    memset(together->lanes, 0, sizeof(nn__lane) * (size_t)shards->mine);
    for (int32_t i = 0; i < shards->mine; i++) {
        nn__lane *lane = &together->lanes[i];
        lane->faces = (nn_tensor *)nn__arena_take(
            arena, sizeof(nn_tensor) * (size_t)nn__maxi(inputs, 1));
        if (!lane->faces) return nn__describe_no_memory(trainer);
        memset(lane->faces, 0, sizeof(nn_tensor) * (size_t)nn__maxi(inputs, 1));
    }
    return true;
}

NN_PRIVATE bool nn__together_make(nn_trainer *trainer, nn_site site) {
    nn__together *together = &trainer->shards->together;
    if (nn__together_alone(trainer)) return true;
    together->point_count = nn__together_points(trainer, trainer->plan, NULL);
    if (together->point_count < 0) return false;
    if (together->point_count == 0) {
        nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: batch_norm is NN_OVER_ALL, but \"%s\" has no batch norm that "
                    "takes the statistics of a batch; leave it out",
                    trainer->net->name);
        return false;
    }
    if (!nn__together_room(trainer)) return false;
    nn__together_points(trainer, trainer->plan, together->points);
    together->lanes[0].plan = trainer->plan;
    together->lane_count = trainer->desc.dry_run ? 1 : trainer->shards->mine;
    for (int32_t i = 1; i < together->lane_count; i++) {
        nn_plan *plan = nn__trainer_make_lane(trainer, site);
        if (!plan) return false;
        together->lanes[i].plan = plan;
    }
    return true;
}

NN_PRIVATE void nn__together_free(nn_trainer *trainer) {
    nn__together *together = &trainer->shards->together;
    for (int32_t i = 1; i < together->lane_count; i++) nn__drop_plan(together->lanes[i].plan);
    together->lane_count = 0;
}

NN_PRIVATE bool nn__together_move(nn_trainer *trainer, const nn_plan *plan, nn_site site) {
    nn__together *together = &trainer->shards->together;
    const int32_t count = together->lane_count;
    if (count == 0) return true;
    if (nn__together_points(trainer, plan, NULL) != together->point_count) return false;
    for (int32_t i = 1; i < count; i++) {
        together->lanes[i].fresh = nn__trainer_make_lane(trainer, site);
        if (together->lanes[i].fresh) continue;
        while (--i > 0) nn__drop_plan(together->lanes[i].fresh);
        return false;
    }
    nn__together_points(trainer, plan, together->points);
    for (int32_t i = 1; i < count; i++)
        nn__replace_plan(together->lanes[i].plan, together->lanes[i].fresh);
    return true;
}

NN_PRIVATE nn_result nn__together_clear_fault(nn_trainer *trainer) {
    const nn__together *together = &trainer->shards->together;
    nn_result result = NN_OK;
    for (int32_t i = 1; i < together->lane_count && result == NN_OK; i++)
        result = nn__clear_status(together->lanes[i].plan);
    return result;
}

/* ---- a step: what each shard reads ----------------------------------------------------------- */

/* Binds the tensors of the first plan to the plan of a lane; an input that was uploaded into the
   first plan is bound as a view. */
static void nn__together_bind(nn_trainer *trainer, nn__lane *lane, nn_site site) {
    nn_plan *plan = trainer->plan;
    int used = 0;
    for (int v = 0; v < plan->value_count; v++) {
        const nn__value *from = &plan->values[v];
        nn__value *to = &lane->plan->values[v];
        nn_tensor *face = &lane->faces[used];
        if (from->place != NN__PLACE_INPUT || from->node->remembers) continue;
        used++;
        to->given = to->anew = from->given;
        nn__value_given_at(to, site);
        to->checked = false;
        to->bound = from->given ? face : NULL;
        if (!from->given) continue;
        if (from->bound) {
            *face = *from->bound; /* it is cut to the samples of the lane */
            continue;
        }
        memset(face, 0, sizeof *face);
        face->nn = trainer->nn;
        face->name = from->node->name;
        face->device = from->node->device;
        face->site = trainer->site;
        face->view = from->view;
        nn__storage(&plan->devices[nn__plan_device_of(plan, from->node)], false, from->offset,
                    &face->view);
        face->view.dtype = from->node->dtype;
        nn__resolve_shape(&face->view.shape, &from->node->shape, nn__maxi(from->batch, 1),
                          nn__maxi(from->time, 1));
        face->bytes = nn__bytes(&face->view);
    }
}

/* Gives the lanes of one device their samples. */
static void nn__together_open(nn_trainer *trainer, int32_t samples, nn_site site) {
    nn__shards *shards = trainer->shards;
    /* the first plan's inputs stay cut */
    for (int32_t i = shards->together.lane_count - 1; i >= 0; i--) {
        nn__lane *lane = &shards->together.lanes[i];
        const int32_t first = (int32_t)nn__min64((int64_t)i * shards->shard_samples, samples);
        const uint64_t pass = (uint64_t)(uint32_t)trainer->backwards * (uint64_t)shards->count +
                              (uint64_t)(shards->first + i);
        lane->samples = nn__mini(shards->shard_samples, samples - first);
        if (lane->samples == 0) continue;
        nn__shard_cut(trainer, trainer->plan, first, lane->samples);
        if (i > 0) nn__together_bind(trainer, lane, site);
        lane->plan->time = trainer->plan->time;
        lane->plan->run.step = trainer->plan->run.step;
        lane->plan->run.learning_rate = trainer->plan->run.learning_rate;
        lane->plan->run.seed = trainer->net->seed + pass * 0x9E3779B97F4A7C15u;
    }
}

static void nn__together_close(nn_trainer *trainer) {
    const nn__together *together = &trainer->shards->together;
    for (int32_t i = 0; i < together->lane_count; i++) {
        nn_plan *plan = together->lanes[i].plan;
        if (plan->running) nn__run_leave(plan);
        for (int v = 0; v < plan->value_count && i > 0; v++)
            if (plan->values[v].place == NN__PLACE_INPUT) plan->values[v].bound = NULL;
    }
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Runs the rest of each lane's plan and adds the leaves. */
static nn_result nn__together_finish(nn_trainer *trainer, nn_site site, const char *who) {
    const nn__together *together = &trainer->shards->together;
    nn_result result = NN_OK;
    for (int32_t i = 0; i < together->lane_count && result == NN_OK; i++) {
        const nn__lane *lane = &together->lanes[i];
        if (lane->samples == 0) {
            result = nn__shard_clear(trainer, site, who);
        } else {
            if (i > 0) result = nn__shard_buffers(trainer, true, site, who);
            /* a node that writes many tensors has one list of them for all plans */
            if (result == NN_OK) result = nn__lower_plan(lane->plan);
            if (result == NN_OK)
                result = nn__run_plan_to(lane->plan, lane->plan->step_count, site, who);
            if (result == NN_OK) result = nn__shard_leave_buffers(trainer, i == 0, site, who);
        }
        if (result == NN_OK) result = nn__shard_join(trainer, 0, i, site, who);
    }
    return result;
}

/* Finds the first fault of all lanes; the trainer keeps it as its own. */
static nn_result nn__together_status(nn_trainer *trainer, nn_trainer *part, nn_site site,
                                     const char *who) {
    const nn__together *together = &part->shards->together;
    nn_result result = NN_OK;
    for (int32_t i = 0; i < together->lane_count && result == NN_OK; i++) {
        nn_plan *plan = together->lanes[i].plan;
        if (together->lanes[i].samples == 0) continue;
        result = nn__read_status(plan, site, who);
        if (plan->fault && !trainer->plan->fault) trainer->plan->fault = plan->fault;
    }
    return result;
}

NN_PRIVATE nn_result nn__together_run(nn_trainer *const *parts, int count, const int32_t *samples,
                                      nn_site site, const char *who) {
    nn_result result = NN_OK;
    for (int k = 0; k < count; k++) nn__together_open(parts[k], samples[k], site);
    for (int p = 0; p < parts[0]->shards->together.point_count && result == NN_OK; p++)
        result = nn__together_meet(parts, count, p, site, who);
    for (int k = count - 1; k >= 0 && result == NN_OK; k--) /* the other devices begin first */
        result = nn__together_finish(parts[k], site, who);
    for (int k = 0; k < count && result == NN_OK; k++)
        result = nn__together_status(parts[0], parts[k], site, who);
    for (int k = 0; k < count; k++) {
        const nn__together *together = &parts[k]->shards->together;
        for (int32_t i = 0; i < together->lane_count && !parts[0]->plan->fault; i++)
            parts[0]->plan->fault = together->lanes[i].plan->fault;
        nn__together_close(parts[k]);
    }
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_together_part; /* a part must not be empty under NN__NO_TRAINER */
