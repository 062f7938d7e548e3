/* train/describe_update.c - describes the second half of a step, after the gradients: how they are
   kept and clipped, and one update for the parameters of each place and group. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <math.h>

NN_PRIVATE nn_node *nn__describe_state(nn_trainer *trainer, const nn_node *like,
                                       const char *suffix, nn_shape shape) {
    char name[NN_NAME_BYTES];
    nn_node *node;
    nn__format(name, sizeof name, "%.*s%s", NN_NAME_BYTES - 1 - (int)strlen(suffix), like->name,
               suffix);
    node = nn__add_leaf(&trainer->tape, trainer->site, NN__STATE, name, NN_F32, &shape);
    nn__place_like(node, like);
    return node;
}

NN_PRIVATE bool nn__describe_no_memory(nn_trainer *trainer) {
    nn__fail_memory(trainer->nn, "nn_make_trainer", sizeof(nn_node));
    return false;
}

NN_PRIVATE bool nn__describe_together(const nn_node *a, const nn_node *b) {
    return nn_same_device(a->device, b->device) && a->moves == b->moves;
}

/* Each device has its own status word. If parameters are not on the device of the loss, the loss is
   sent there to be checked (4 bytes a step, in the plan and the ledger), so that no device updates
   after a NaN loss. */
NN_PRIVATE void nn__describe_check_there(nn_trainer *trainer, nn__tape *tape,
                                         const nn_node *first) {
    nn_node *loss =
                nn__add_transfer(&trainer->tape, trainer->site, trainer->checked, first->device),
            *check;
    nn__place_like(loss, first);
    check = nn__add_accumulate(tape, trainer->site, NULL, loss, true);
    nn__place_like(check, first);
    trainer->targets[trainer->target_count++] = check;
}

/* ---- what belongs to one update -------------------------------------------------------------- */

typedef struct nn__describe_lists {
    nn_node **parameters, **gradients, **states, **others; /* of one update */
    nn_node **masters, **halves; /* the masters among `parameters`, and the parameters that they
                                    belong to */
    int count, half_count;
} nn__describe_lists;

static bool nn__describe_take_lists(nn_trainer *trainer, nn__describe_lists *lists) {
    nn__arena *arena = &trainer->tape.arena;
    /* with shards, the loss is listed with the gradients */
    const size_t most = (size_t)trainer->trained_count + 1, bytes = sizeof(nn_node *);
    memset(lists, 0, sizeof *lists);
    lists->parameters = (nn_node **)nn__arena_take(arena, bytes * most);
    lists->gradients = (nn_node **)nn__arena_take(arena, bytes * most);
    lists->states = (nn_node **)nn__arena_take(arena, bytes * most * 3);
    lists->others = (nn_node **)nn__arena_take(arena, bytes * most);
    lists->masters = (nn_node **)nn__arena_take(arena, bytes * most);
    lists->halves = (nn_node **)nn__arena_take(arena, bytes * most);
    trainer->moments = (nn__moment *)nn__arena_take(arena, 4 * sizeof(nn__moment) * most);
    return lists->parameters && lists->gradients && lists->states && lists->others &&
           lists->masters && lists->halves && trainer->moments;
}

/* Adds a moment: a state under the parameter's name in checkpoints, or the part of it that this
   rank owns. NULL: it is on other ranks. */
static nn_node *nn__describe_moment(nn_trainer *trainer, int i, const char *suffix) {
    nn__moment *moment = &trainer->moments[trainer->moment_count++];
    nn_node *parameter = trainer->trained[i].parameter;
    nn_shape shape = parameter->shape;
    const int32_t part = trainer->sharing ? trainer->sharing->owners_mine(trainer, i) : -1;
    if (part >= 0) {
        memset(&shape, 0, sizeof shape);
        shape.rank = 1;
        shape.extent[0] = part;
    }
    moment->parameter = parameter;
    moment->owner = trainer->trained[i].owner;
    moment->state = nn__owned_here(trainer, i)
                        ? nn__describe_state(trainer, parameter, suffix, shape)
                        : NULL;
    moment->name = suffix + 1;
    return moment->state;
}

/* Returns the tensor that the optimizer changes: the parameter, or the f32 master of an f16 or bf16
   parameter. NULL: it is on another rank. */
static nn_node *nn__describe_master(nn_trainer *trainer, nn__describe_lists *lists, int i) {
    nn_node *parameter = trainer->trained[i].parameter, *master;
    if (!nn__is_half(parameter->dtype)) return parameter;
    master = nn__describe_moment(trainer, i, ".master");
    if (!master) return NULL;
    lists->halves[lists->half_count] = parameter;
    return lists->masters[lists->half_count++] = master;
}

/* Lists the parameters of the place and group of `first`, from `first` on, with the states of their
   update. */
static void nn__describe_collect(nn_trainer *trainer, nn__describe_lists *lists,
                                 const nn__trained *first) {
    const nn__group *group = &trainer->groups[first->group];
    const nn__recipe *recipe = group->recipe.recipe;
    const int states = nn__group_states(group);
    lists->count = lists->half_count = 0;
    for (int i = 0; i < trainer->trained_count; i++) {
        nn__trained *one = &trainer->trained[i];
        nn_node *parameter = one->parameter;
        if (one->described || one->group != first->group ||
            !nn__describe_together(parameter, first->parameter))
            continue;
        lists->parameters[lists->count] = nn__describe_master(trainer, lists, i);
        lists->gradients[lists->count] = parameter->gradient;
        for (int k = 0; k < states; k++) {
            nn_node *state = nn__describe_moment(trainer, i, nn__group_state(group, k));
            if (state && recipe && recipe->start)
                state->start.low = state->start.high =
                    recipe->start(k, &group->recipe.values);
            lists->states[lists->count * states + k] = state;
        }
        lists->count += nn__owned_here(trainer, i);
        one->described = true;
    }
}

/* ---- updates --------------------------------------------------------------------------------- */

/* Returns the factors of adjust_lr_fn of torch.optim.Muon, such as sqrt(max(1, A / B)). */
static double nn__describe_muon_factor(const nn__group *group, const nn_node *parameter) {
    const double a = parameter->shape.extent[0], b = parameter->shape.extent[1];
    switch (group->muon_rate) {
    case NN_MUON_MATCH_RMS_ADAMW: return 0.2 * sqrt(a > b ? a : b);
    case NN_MUON_SPECTRAL_UNCLAMPED: return sqrt(a / b);
    default: return sqrt(a > b ? a / b : 1.0);
    }
}

static void nn__describe_muon(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists,
                              const nn__group *group, nn_node *scale) {
    for (int i = 0; i < lists->count; i++) {
        const nn_node *like = lists->parameters[i];
        nn__muon_settings settings = group->muon;
        settings.factor = nn__describe_muon_factor(group, like);
        settings.max_value = trainer->desc.max_value;
        lists->others[i] = trainer->nn->recipes->muon(tape, lists->gradients[i], scale,
                                                      lists->states[i], &settings, like);
    }
}

/* Adds one update for the lists. */
static nn_node *nn__describe_update(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists,
                                    const nn__group *group, nn_node *scale) {
    nn__recipe_items items;
    if (!group->recipe.recipe) {
        nn__update_params params = group->plain;
        params.count = lists->count;
        if (trainer->sharing &&
            !trainer->sharing->owners_parts(trainer, lists->parameters, &params)) {
            tape->failed = true;
            return nn__poison(tape->graph->model);
        }
        return nn__add_update(tape, trainer->site, lists->parameters, lists->gradients,
                              lists->states, scale, &params);
    }
    if (group->optimizer == NN_MUON) nn__describe_muon(trainer, tape, lists, group, scale);
    memset(&items, 0, sizeof items);
    items.parameters = lists->parameters;
    items.gradients = lists->gradients;
    items.states = lists->states;
    items.others = group->optimizer == NN_MUON ? lists->others : NULL;
    items.count = lists->count;
    return trainer->nn->recipes->add(tape, trainer->site, &items, scale, &group->recipe);
}

/* Appends the update of the place and group of `first`, with the conversions of masters around
   it. */
static void nn__describe_steps(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists,
                               const nn__trained *first, nn_node *scale) {
    nn_node **targets = trainer->desc.gradients ? trainer->update_targets : trainer->targets;
    int *count = trainer->desc.gradients ? &trainer->update_target_count : &trainer->target_count;
    nn_node *update;
    nn__describe_collect(trainer, lists, first);
    if (lists->count == 0) return; /* other ranks do it */
    if (lists->half_count > 0)
        targets[(*count)++] = nn__add_refresh_masters(tape, trainer->site, lists->masters,
                                                      lists->halves, lists->half_count);
    update = nn__describe_update(trainer, tape, lists, &trainer->groups[first->group], scale);
    nn__place_like(update, first->parameter);
    targets[(*count)++] = update;
    if (lists->half_count > 0)
        targets[(*count)++] = nn__add_store_masters(tape, trainer->site, lists->masters,
                                                    lists->halves, lists->half_count);
}

static nn_node *nn__describe_clip(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists) {
    nn_node *node;
    for (int i = 0; i < trainer->trained_count; i++)
        lists->gradients[i] = trainer->trained[i].parameter->gradient;
    node = nn__add_clip(tape, trainer->site, lists->gradients, trainer->trained_count,
                        trainer->desc.max_norm);
    nn__place_like(node, trainer->trained[0].parameter);
    return node;
}

/* ---- gradients that are kept ----------------------------------------------------------------- */

/* True if this is the first parameter of its place. */
static bool nn__describe_leads(const nn_trainer *trainer, int i) {
    for (int j = 0; j < i; j++)
        if (nn__describe_together(trainer->trained[j].parameter, trainer->trained[i].parameter))
            return false;
    return true;
}

NN_PRIVATE nn_node *nn__describe_counted(nn_trainer *trainer, const nn_node *first) {
    nn_node *count = trainer->count.node;
    if (!count || nn__describe_together(count, first)) return count;
    count = nn__add_transfer(&trainer->tape, trainer->site, count, first->device);
    nn__place_like(count, first);
    return count;
}

/* Adds the gradients of the place of parameter i to their states, or to the weighted mean there. */
static bool nn__describe_gather(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists,
                                int i) {
    nn_node *first = trainer->trained[i].parameter;
    const bool mean = trainer->desc.accumulate > 1 && trainer->count.kind != NN__COUNT_SUM;
    const int start = trainer->gradient_count;
    nn__update_params params;
    nn__running_mean means;
    nn_shape number;
    if (trainer->sharing) {
        for (int j = 0; j < trainer->trained_count; j++) { /* all are in one place */
            lists->others[j] = trainer->trained[j].parameter;
            lists->gradients[j] = trainer->trained[j].parameter->gradient;
        }
        return trainer->sharing->shard_describe_leaf(
            trainer, tape, lists->others, lists->parameters, lists->gradients,
            trainer->trained_count);
    }
    memset(&params, 0, sizeof params);
    memset(&means, 0, sizeof means);
    memset(&number, 0, sizeof number);
    params.optimizer = NN_SGD;
    params.rate_factor = 1.0f;
    for (int j = i; j < trainer->trained_count; j++) {
        nn_node *one = trainer->trained[j].parameter;
        nn__gradient *gradient = &trainer->gradients[trainer->gradient_count];
        if (!nn__describe_together(one, first)) continue;
        gradient->parameter = one;
        gradient->state = nn__describe_state(trainer, one, ".gradient", one->shape);
        trainer->gradient_count++;
        lists->parameters[params.count] = gradient->state;
        lists->gradients[params.count++] = one->gradient;
    }
    if (!mean) {
        nn_node *node = nn__add_update(tape, trainer->site, lists->parameters, lists->gradients,
                                       NULL, NULL, &params);
        nn__place_like(node, first);
        trainer->targets[trainer->target_count++] = node;
        return true;
    }
    means.means = lists->parameters;
    means.values = lists->gradients;
    means.items = params.count;
    means.of_batch = trainer->count.of_batch;
    means.of_time = trainer->count.of_time;
    means.total = trainer->counted[start] =
        nn__describe_state(trainer, first, ".counted", number);
    means.count = nn__describe_counted(trainer, first);
    nn__add_running_mean(tape, trainer->site, &means, &trainer->targets[trainer->target_count]);
    trainer->target_count += 2;
    return true;
}

/* With desc.gradients: describes a state for each gradient; the backward pass adds to it, and the
   update reads it. The addition is a step of SGD with learning rate -1, which like any update does
   nothing once the status word is set. */
static bool nn__describe_gradients(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists) {
    const size_t most = (size_t)nn__maxi(trainer->trained_count, 1);
    nn_shape two;
    trainer->gradients =
        (nn__gradient *)nn__arena_take(&trainer->tape.arena, sizeof *trainer->gradients * most);
    trainer->norms = (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * most);
    trainer->counted = (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * most);
    trainer->update_targets =
        (nn_node **)nn__arena_take(&trainer->tape.arena, 3 * sizeof(nn_node *) * most);
    if (!trainer->gradients || !trainer->update_targets || !trainer->norms ||
        !trainer->counted)
        return nn__describe_no_memory(trainer);
    memset(trainer->norms, 0, sizeof(nn_node *) * most);
    memset(trainer->counted, 0, sizeof(nn_node *) * most);
    memset(&two, 0, sizeof two);
    two.rank = 1;
    two.extent[0] = 2;
    for (int i = 0; i < trainer->trained_count; i++) {
        nn_node *first = trainer->trained[i].parameter;
        if (!nn__describe_leads(trainer, i)) continue;
        if (!nn__describe_together(first, trainer->loss))
            nn__describe_check_there(trainer, tape, first);
        trainer->norms[trainer->gradient_count] =
            nn__describe_state(trainer, first, ".norm", two);
        if (!nn__describe_gather(trainer, tape, lists, i)) return false;
    }
    /* Only now do the states replace the gradients, which the lines above read. */
    for (int i = 0; i < trainer->gradient_count; i++)
        trainer->gradients[i].parameter->gradient = trainer->gradients[i].state;
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

NN_PRIVATE bool nn__describe_updates(nn_trainer *trainer, nn__tape *tape) {
    const nn__sharing *sharing = trainer->sharing;
    nn__describe_lists lists;
    nn_node *scale = NULL;
    if (!nn__describe_take_lists(trainer, &lists)) return nn__describe_no_memory(trainer);
    if (sharing && !sharing->owners_deal(trainer)) return false;
    if (trainer->desc.gradients && !nn__describe_gradients(trainer, tape, &lists)) return false;
    if (sharing && !sharing->owners_weigh(trainer)) return false;
    for (int i = 0; i < trainer->trained_count; i++) {
        const nn_node *node = trainer->trained[i].parameter;
        if (!nn__describe_leads(trainer, i)) continue;
        if (trainer->desc.max_norm > 0.0f && scale) {
            nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                        "nn_make_trainer: max_norm with parameters in two places (\"%s\" is not "
                        "where the first one is): the norm is taken over all gradients together; "
                        "put them on one device, or leave max_norm 0",
                        node->name);
            return false;
        }
        if (!trainer->desc.gradients && !nn__describe_together(node, trainer->loss))
            nn__describe_check_there(trainer, tape, node);
        if (trainer->desc.max_norm > 0.0f) scale = nn__describe_clip(trainer, tape, &lists);
    }
    trainer->updates_from = trainer->net->order;
    for (int i = 0; i < trainer->trained_count; i++)
        if (!trainer->trained[i].described)
            nn__describe_steps(trainer, tape, &lists, &trainer->trained[i], scale);
    return true;
}

#endif /* NN__NO_TRAINER */

typedef int nn__describe_update_part; /* a part must not be empty under NN__NO_TRAINER */
