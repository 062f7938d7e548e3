/* train/describe.c - describes what a trainer runs, on a tape of its own: backward from the loss,
   one update for the parameters of each place, and the totals of loss and metrics. All of it is
   made by the rules of the operations; placing and running it is the work of the plans. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

/* By nn_optimizer. */
static const char *const nn__describe_moment1[] = {"", ".momentum_buffer", ".exp_avg", ".exp_avg"};

/* A state of zeros beside `like`: on its device, and moving as it does. */
static nn_node *nn__describe_state(nn_trainer *trainer, const nn_node *like, const char *suffix,
                                   nn_shape shape) {
    char name[NN_NAME_BYTES];
    nn_node *node;
    nn__format(name, sizeof name, "%.*s%s", NN_NAME_BYTES - 1 - (int)strlen(suffix), like->name,
               suffix);
    node = nn__add_leaf(&trainer->tape, trainer->site, NN__STATE, name, NN_F32, &shape);
    nn__place_like(node, like);
    return node;
}

/* Accumulates loss and metrics into new totals; appends the nodes to targets. */
static int nn__describe_accumulate(nn_trainer *trainer, nn__tape *tape, nn__totals *totals,
                                   const char *suffix, nn_node **targets, int count) {
    nn_shape two;
    memset(&two, 0, sizeof two);
    two.rank = 1;
    two.extent[0] = 2;
    for (int i = 0; i <= trainer->metric_count;
         i++) { /* states first: they come to lie side by side */
        nn_node *value = i == 0 ? trainer->loss : trainer->desc.metrics[i - 1];
        totals->node[i] = nn__describe_state(trainer, value, suffix, two);
    }
    for (int i = 0; i <= trainer->metric_count; i++) {
        nn_node *value = i == 0 ? trainer->loss : trainer->desc.metrics[i - 1];
        nn_node *node = nn__add_accumulate(tape, trainer->site, totals->node[i], value, i == 0);
        nn__place_like(node, value);
        targets[count++] = value;
        targets[count++] = node;
    }
    return count;
}

/* Counts what each class was taken for; appends the node to the evaluation's targets. */
static void nn__describe_confusion(nn_trainer *trainer, nn__tape *tape) {
    nn_node *logits = trainer->desc.confusion.logits, *counts, *node;
    char name[NN_NAME_BYTES];
    nn_shape square;
    if (!logits) return;
    memset(&square, 0, sizeof square);
    square.rank = 2;
    square.extent[0] = square.extent[1] = logits->shape.extent[1];
    nn__format(name, sizeof name, "%.*s.confusion", NN_NAME_BYTES - 1 - 10, logits->name);
    counts = nn__add_leaf(&trainer->tape, trainer->site, NN__STATE, name, NN_I32, &square);
    nn__place_like(counts, logits);
    node = nn__add_confusion(tape, trainer->site, counts, logits, trainer->desc.confusion.label);
    nn__place_like(node, logits);
    trainer->evaluation_totals.confusion = counts;
    trainer->evaluation_targets[trainer->evaluation_target_count++] = node;
}

typedef struct nn__describe_lists {
    nn_node **parameters, **gradients, **moments1, **moments2; /* of one update */
    nn_node **masters, **halves; /* of it, those of its parameters that are masters, and what they
                                    are masters of */
    int count, half_count;
} nn__describe_lists;

static bool nn__describe_together(const nn_node *a, const nn_node *b) {
    return nn_same_device(a->device, b->device) && a->moves == b->moves;
}

/* A moment: a state that checkpoints know as the parameter's. */
static nn_node *nn__describe_moment(nn_trainer *trainer, nn_node *parameter, const char *suffix) {
    nn__moment *moment = &trainer->moments[trainer->moment_count++];
    moment->parameter = parameter;
    moment->state = nn__describe_state(trainer, parameter, suffix, parameter->shape);
    moment->name = suffix + 1;
    return moment->state;
}

/* What the optimizer changes: the parameter, or the f32 master of one that is stored in f16 or
   bf16. */
static nn_node *nn__describe_master(nn_trainer *trainer, nn__describe_lists *lists,
                                    nn_node *parameter) {
    if (!nn__is_half(parameter->dtype)) return parameter;
    lists->halves[lists->half_count] = parameter;
    return lists->masters[lists->half_count++] = nn__describe_moment(trainer, parameter, ".master");
}

/* The parameters that are where `first` is, and stay with it, with the states of their update. */
static void nn__describe_collect(nn_trainer *trainer, nn__describe_lists *lists,
                                 const nn_node *first) {
    const nn_trainer_desc *desc = &trainer->desc;
    bool adam = desc->optimizer != NN_SGD;
    lists->count = lists->half_count = 0;
    for (nn_node *parameter = trainer->net->graph.first; parameter; parameter = parameter->next) {
        if (parameter->kind != NN__PARAMETER || parameter->frozen || !parameter->gradient) continue;
        if (!nn__describe_together(parameter, first)) continue;
        lists->parameters[lists->count] = nn__describe_master(trainer, lists, parameter);
        lists->gradients[lists->count] = parameter->gradient;
        if (adam || desc->momentum != 0.0f) {
            lists->moments1[lists->count] =
                nn__describe_moment(trainer, parameter, nn__describe_moment1[desc->optimizer]);
        }
        if (adam)
            lists->moments2[lists->count] = nn__describe_moment(trainer, parameter, ".exp_avg_sq");
        lists->count++;
    }
}

/* One update for them. */
static nn_node *nn__describe_update(nn_trainer *trainer, nn__tape *tape,
                                    const nn__describe_lists *lists, const nn_node *first,
                                    nn_node *scale) {
    const nn_trainer_desc *desc = &trainer->desc;
    bool adam = desc->optimizer != NN_SGD;
    nn__update_params params;
    nn_node *node;
    memset(&params, 0, sizeof params);
    params.count = lists->count;
    params.optimizer = desc->optimizer;
    params.weight_decay = desc->weight_decay;
    params.momentum = desc->momentum;
    params.dampening = desc->dampening;
    params.nesterov = desc->nesterov;
    params.beta1 = desc->beta1;
    params.beta2 = desc->beta2;
    params.epsilon = desc->epsilon;
    params.max_norm = desc->max_norm;
    node = nn__add_update(tape, trainer->site, lists->parameters, lists->gradients,
                          adam || desc->momentum != 0.0f ? lists->moments1 : NULL,
                          adam ? lists->moments2 : NULL, scale, &params);
    nn__place_like(node, first);
    return node;
}

static int nn__describe_trained(const nn_trainer *trainer) {
    int count = 0;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        count += node->kind == NN__PARAMETER && !node->frozen && node->gradient;
    return count;
}

/* Is a parameter before `node` updated together with it? */
static bool nn__describe_covered(const nn_trainer *trainer, const nn_node *node) {
    for (const nn_node *other = trainer->net->graph.first; other != node; other = other->next) {
        if (other->kind == NN__PARAMETER && !other->frozen && other->gradient &&
            nn__describe_together(other, node))
            return true;
    }
    return false;
}

static nn_node *nn__describe_clip(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists,
                                  const nn_node *first) {
    nn_node *node;
    lists->count = 0;
    for (const nn_node *other = trainer->net->graph.first; other; other = other->next) {
        if (other->kind == NN__PARAMETER && !other->frozen && other->gradient)
            lists->gradients[lists->count++] = other->gradient;
    }
    node =
        nn__add_clip(tape, trainer->site, lists->gradients, lists->count, trainer->desc.max_norm);
    nn__place_like(node, first);
    return node;
}

static bool nn__describe_no_memory(nn_trainer *trainer) {
    nn__fail_memory(trainer->nn, "nn_make_trainer", sizeof(nn_node));
    return false;
}

/* Every device has a status word of its own. Where parameters stand apart from the loss, the loss
   goes there to be checked (4 bytes a step, in the plan and the ledger), so that no device learns
   from one that is not a number. */
static void nn__describe_check_there(nn_trainer *trainer, nn__tape *tape, const nn_node *first) {
    nn_node *loss = nn__add_transfer(&trainer->tape, trainer->site, trainer->loss, first->device),
            *check;
    nn__place_like(loss, first);
    check = nn__add_accumulate(tape, trainer->site, NULL, loss, true);
    nn__place_like(check, first);
    trainer->targets[trainer->target_count++] = check;
}

/* Is the loss checked where this assignment writes, for itself, a parameter or an assignment before
   this one? */
static bool nn__describe_checked(const nn_trainer *trainer, const nn_node *effect) {
    if (nn__describe_together(effect, trainer->loss)) return true;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next) {
        const bool trained = node->kind == NN__PARAMETER && !node->frozen && node->gradient;
        const bool before = nn__is_model_effect(node) && node->order < effect->order;
        if ((trained || before) && nn__describe_together(node, effect)) return true;
    }
    return false;
}

/* Buffers keep their values after a fault as parameters do, so the loss is checked on their devices
   too. */
static void nn__describe_check_buffers(nn_trainer *trainer, nn__tape *tape) {
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        if (nn__is_model_effect(node) && !nn__describe_checked(trainer, node))
            nn__describe_check_there(trainer, tape, node);
}

/* With desc.gradients: a state for each gradient, which the backward pass adds to and the update
   reads. Adding is the step of SGD with a learning rate of -1, which does nothing either once the
   status word is set. */
static bool nn__describe_gradients(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists) {
    const size_t most = (size_t)nn__maxi(nn__describe_trained(trainer), 1);
    trainer->gradients =
        (nn__gradient *)nn__arena_take(&trainer->tape.arena, sizeof *trainer->gradients * most);
    trainer->update_targets =
        (nn_node **)nn__arena_take(&trainer->tape.arena, 3 * sizeof(nn_node *) * most);
    if (!trainer->gradients || !trainer->update_targets) return nn__describe_no_memory(trainer);
    for (nn_node *node = trainer->net->graph.first; node; node = node->next) {
        nn__update_params params;
        if (node->kind != NN__PARAMETER || node->frozen || !node->gradient ||
            nn__describe_covered(trainer, node))
            continue;
        if (!nn__describe_together(node, trainer->loss))
            nn__describe_check_there(trainer, tape, node);
        memset(&params, 0, sizeof params);
        params.optimizer = NN_SGD;
        for (nn_node *one = node; one; one = one->next) {
            nn__gradient *gradient = &trainer->gradients[trainer->gradient_count];
            if (one->kind != NN__PARAMETER || one->frozen || !one->gradient) continue;
            if (!nn__describe_together(one, node)) continue;
            gradient->parameter = one;
            gradient->state = nn__describe_state(trainer, one, ".gradient", one->shape);
            trainer->gradient_count++;
            lists->parameters[params.count] = gradient->state;
            lists->gradients[params.count++] = one->gradient;
        }
        trainer->targets[trainer->target_count] = nn__add_update(
            tape, trainer->site, lists->parameters, lists->gradients, NULL, NULL, NULL, &params);
        nn__place_like(trainer->targets[trainer->target_count++], node);
    }
    for (int i = 0; i < trainer->gradient_count;
         i++) /* only now: nothing above asks for them any more */
        trainer->gradients[i].parameter->gradient = trainer->gradients[i].state;
    return true;
}

/* Appends the update of all that is where `first` is, and for masters what stands around it. */
static void nn__describe_steps(nn_trainer *trainer, nn__tape *tape, nn__describe_lists *lists,
                               const nn_node *first, nn_node *scale) {
    nn_node **targets = trainer->desc.gradients ? trainer->update_targets : trainer->targets;
    int *count = trainer->desc.gradients ? &trainer->update_target_count : &trainer->target_count;
    nn__describe_collect(trainer, lists, first);
    if (lists->half_count > 0)
        targets[(*count)++] = nn__add_refresh_masters(tape, trainer->site, lists->masters,
                                                      lists->halves, lists->half_count);
    targets[(*count)++] = nn__describe_update(trainer, tape, lists, first, scale);
    if (lists->half_count > 0)
        targets[(*count)++] = nn__add_store_masters(tape, trainer->site, lists->masters,
                                                    lists->halves, lists->half_count);
}

static bool nn__describe_updates(nn_trainer *trainer, nn__tape *tape) {
    nn__describe_lists lists;
    nn_node *scale = NULL;
    size_t bytes = sizeof(nn_node *) * (size_t)nn__maxi(nn__describe_trained(trainer), 1);
    lists.parameters = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    lists.gradients = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    lists.moments1 = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    lists.moments2 = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    lists.masters = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    lists.halves = (nn_node **)nn__arena_take(&trainer->tape.arena, bytes);
    trainer->moments = (nn__moment *)nn__arena_take(
        &trainer->tape.arena, 3 * sizeof(nn__moment) * (bytes / sizeof(nn_node *)));
    if (!lists.parameters || !lists.gradients || !lists.moments1 || !lists.moments2 ||
        !lists.masters || !lists.halves || !trainer->moments)
        return nn__describe_no_memory(trainer);
    if (trainer->desc.gradients && !nn__describe_gradients(trainer, tape, &lists)) return false;
    for (nn_node *node = trainer->net->graph.first; node; node = node->next) {
        if (node->kind != NN__PARAMETER || node->frozen || !node->gradient ||
            nn__describe_covered(trainer, node))
            continue;
        if (trainer->desc.max_norm > 0.0f && scale) {
            nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                        "nn_make_trainer: max_norm with parameters in two places (\"%s\" is not "
                        "where the first one "
                        "is): the norm is taken over all gradients together; put them on one "
                        "device, or leave "
                        "max_norm 0",
                        node->name);
            return false;
        }
        if (!trainer->desc.gradients && !nn__describe_together(node, trainer->loss))
            nn__describe_check_there(trainer, tape, node);
        if (trainer->desc.max_norm > 0.0f) scale = nn__describe_clip(trainer, tape, &lists, node);
        nn__describe_steps(trainer, tape, &lists, node, scale);
    }
    return true;
}

NN_PRIVATE bool nn__trainer_describe(nn_trainer *trainer) {
    nn__tape tape;
    int most;
    memset(&tape, 0, sizeof tape);
    tape.graph = &trainer->tape;
    tape.nn = trainer->nn;
    tape.faults = &trainer->faults;
    tape.add = nn__tape_add;
    if (!nn__backward(&tape, trainer->loss) || trainer->faults.count > 0) {
        if (trainer->faults.count == 0) return nn__describe_no_memory(trainer);
        nn__fail_faults(trainer->nn, trainer->net->name, &trainer->net->faults, &trainer->faults);
        return false;
    }
    /* a check, an update and what stands around that for each parameter, at most, and the loss once
       more */
    most = 2 * (1 + trainer->metric_count) + 2 + 4 * nn__describe_trained(trainer);
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        most += nn__is_model_effect(node); /* a check each */
    trainer->targets =
        (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * (size_t)most);
    trainer->evaluation_targets =
        (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * (size_t)most);
    if (!trainer->targets || !trainer->evaluation_targets) return nn__describe_no_memory(trainer);
    trainer->shown = trainer->loss;
    if (trainer->loss->kind ==
        NN__PARAMETER) { /* the update changes it before anybody reads the loss */
        trainer->shown =
            nn__add_transfer(&trainer->tape, trainer->site, trainer->loss, trainer->loss->device);
        nn__place_like(trainer->shown, trainer->loss);
        trainer->targets[trainer->target_count++] = trainer->shown;
    }
    /* before the updates: a loss that is not a number must be seen first */
    trainer->target_count = nn__describe_accumulate(trainer, &tape, &trainer->totals, ".total",
                                                    trainer->targets, trainer->target_count);
    trainer->evaluation_target_count = nn__describe_accumulate(
        trainer, &tape, &trainer->evaluation_totals, ".evaluation", trainer->evaluation_targets, 0);
    nn__describe_confusion(trainer, &tape);
    nn__describe_check_buffers(trainer, &tape);
    if (!nn__describe_updates(trainer, &tape)) return false;
    return tape.failed || trainer->net->faults.no_memory ? nn__describe_no_memory(trainer) : true;
}

#endif /* NN_NO_TRAINING */

typedef int nn__describe_part; /* a part must not be empty under NN_NO_TRAINING */
