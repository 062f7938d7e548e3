/* train/describe.c - describes a trainer's step on a tape of its own: backward from the loss, one
   update for the parameters of each place, and the totals of loss and metrics. All of it is made by
   the rules of the operations; plans place and run it. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* True if the mean of the loss weights batches by something other than samples and steps. */
static bool nn__describe_weighs(const nn_trainer *trainer) {
    const nn__counting *count = &trainer->count;
    if ((trainer->desc.accumulate <= 1 && !trainer->sharing) ||
        count->kind != NN__COUNT_MEAN)
        return false;
    return count->node || !count->of_batch || (!count->of_time && trainer->desc.time > 1);
}

/* Describes the weighted mean of the loss in new states; appends the nodes to targets. */
static int nn__describe_mean(nn_trainer *trainer, nn__tape *tape, nn__totals *totals,
                             const char *suffix, nn_node **targets, int count) {
    nn_node *mean[1], *value[1];
    nn__running_mean means;
    nn_shape number;
    char name[24];
    memset(&means, 0, sizeof means);
    memset(&number, 0, sizeof number);
    nn__format(name, sizeof name, "%s.mean", suffix);
    totals->mean = mean[0] = nn__describe_state(trainer, trainer->loss, name, number);
    nn__format(name, sizeof name, "%s.counted", suffix);
    totals->counted = nn__describe_state(trainer, trainer->loss, name, number);
    value[0] = trainer->loss;
    means.means = mean;
    means.values = value;
    means.items = 1;
    means.total = totals->counted;
    means.count = nn__describe_counted(trainer, trainer->loss);
    means.of_batch = trainer->count.of_batch;
    means.of_time = trainer->count.of_time;
    nn__add_running_mean(tape, trainer->site, &means, &targets[count]);
    return count + 2;
}

/* Adds loss and metrics up in new totals; appends the nodes to targets. */
static int nn__describe_accumulate(nn_trainer *trainer, nn__tape *tape, nn__totals *totals,
                                   const char *suffix, nn_node **targets, int count) {
    nn_shape two;
    memset(&two, 0, sizeof two);
    two.rank = 1;
    two.extent[0] = 2;
    /* All states are added first, so that they are adjacent in memory. */
    for (int i = 0; i <= trainer->metric_count; i++) {
        nn_node *value = i == 0 ? trainer->loss : trainer->desc.metrics.node[i - 1];
        nn_shape shape = two;
        if (i > 0 && nn__metric_of(value)) {
            const size_t bytes = 2 * sizeof(double) * (size_t)value->shape.extent[0];
            double *sums = (double *)nn__arena_take(&trainer->tape.arena, bytes);
            if (sums) memset(sums, 0, bytes);
            trainer->sums[i - 1] = sums;
            tape->failed = tape->failed || !sums;
            shape.extent[0] *= value->shape.extent[0];
        }
        totals->node[i] = nn__describe_state(trainer, value, suffix, shape);
    }
    for (int i = 0; i <= trainer->metric_count; i++) {
        nn_node *value = i == 0 ? trainer->loss : trainer->desc.metrics.node[i - 1];
        nn_node *what = i == 0 ? trainer->checked : value;
        nn_node *node = nn__add_accumulate(tape, trainer->site, totals->node[i], what, i == 0);
        nn__place_like(node, value);
        targets[count++] = value;
        targets[count++] = node;
    }
    return nn__describe_weighs(trainer)
               ? nn__describe_mean(trainer, tape, totals, suffix, targets, count)
               : count;
}

/* Describes the confusion matrix; appends the node to the evaluation's targets. */
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

/* True if the loss is already checked on the device of this assignment: for the loss itself, a
   parameter or an earlier assignment there. */
static bool nn__describe_checked(const nn_trainer *trainer, const nn_node *effect) {
    if (nn__describe_together(effect, trainer->loss)) return true;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next) {
        const bool trained = node->kind == NN__PARAMETER && !node->frozen && node->gradient;
        const bool before = nn__is_model_effect(node) && node->order < effect->order;
        if ((trained || before) && nn__describe_together(node, effect)) return true;
    }
    return false;
}

/* After a fault buffers keep their values as parameters do, so the loss is checked on their devices
   too. */
static void nn__describe_check_buffers(nn_trainer *trainer, nn__tape *tape) {
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        if (nn__is_model_effect(node) && !nn__describe_checked(trainer, node))
            nn__describe_check_there(trainer, tape, node);
}

/* Lists the parameters that this trainer changes, with their groups: those on which the loss
   depends. */
static bool nn__describe_trained(nn_trainer *trainer) {
    int count = 0;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        count += node->kind == NN__PARAMETER;
    trainer->trained = (nn__trained *)nn__arena_take(
        &trainer->tape.arena, sizeof *trainer->trained * (size_t)nn__maxi(count, 1));
    if (!trainer->trained) return nn__describe_no_memory(trainer);
    for (nn_node *node = trainer->net->graph.first; node; node = node->next) {
        const int group = nn__group_of(&trainer->desc, trainer->groups, node);
        if (group < 0 || !node->gradient) continue;
        trainer->trained[trainer->trained_count].parameter = node;
        trainer->trained[trainer->trained_count].described = false;
        trainer->trained[trainer->trained_count].owner = -1;
        trainer->trained[trainer->trained_count++].group = group;
    }
    return true;
}

/* Computes gradients only of the parameters that this trainer trains; the others are frozen
   meanwhile. */
static bool nn__describe_backward(nn_trainer *trainer, nn__tape *tape, nn_node *seed,
                                  bool only_mark) {
    nn_model *net = trainer->net;
    bool done = true;
    for (nn_node *node = net->graph.first; node; node = node->next) {
        const bool other = node->kind == NN__PARAMETER && !node->frozen &&
                           nn__group_of(&trainer->desc, trainer->groups, node) < 0;
        node->value = other;
    }
    for (nn_node *node = net->graph.first; node; node = node->next)
        if (node->value) node->frozen = true;
    if (only_mark) nn__backward_mark(&net->graph);
    else done = nn__backward(tape, trainer->loss, seed) && trainer->faults.count == 0;
    for (nn_node *node = net->graph.first; node; node = node->next)
        if (node->value) node->frozen = false;
    return done;
}

/* With desc.accumulate or .shards: finds the weight of a batch. */
static bool nn__describe_count(nn_trainer *trainer, nn__tape *tape) {
    const nn_trainer_desc *desc = &trainer->desc;
#ifndef NN_NO_SPEEDUPS
    const int before = trainer->net->order;
#endif
    trainer->checked = trainer->loss;
    if (desc->accumulate <= 1 && !trainer->sharing) return true;
    trainer->count = nn__count_of(tape, trainer->loss);
    if (desc->counted) {
        trainer->count.kind = NN__COUNT_MEAN;
        trainer->count.node = desc->counted;
    }
    if (trainer->count.kind == NN__COUNT_UNKNOWN) {
        const nn_node *where = trainer->count.where;
        nn__fail_at(trainer->nn, trainer->site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %s: the weight of a batch in the loss \"%s\" is not known: "
                    "\"%s\" (%s) is neither a mean or sum over the batch nor a sum of losses "
                    "with the same weights; give .counted, one number: the weight of the batch",
                    trainer->sharing ? "shards" : "accumulate", trainer->loss->name, where->name,
                    nn__operation(where));
        return false;
    }
    if (trainer->count.kind == NN__COUNT_MEAN && trainer->count.node)
        trainer->checked = nn__add_unless_empty(tape, trainer->loss, trainer->count.node);
#ifndef NN_NO_SPEEDUPS
    /* Gradients that leave early are multiplied by this weight. */
    for (nn_node *node = trainer->tape.first; node; node = node->next)
        if (trainer->sharing && node->order >= before) node->early = true;
#endif
    return true;
}

/* With NN_OVER_ALL the gradients of all shards meet on their way back, so each begins with its
   weight in the whole batch. Otherwise they are weighted at the end. */
static bool nn__describe_gradients_of(nn_trainer *trainer, nn__tape *tape) {
    const bool first = trainer->sharing && trainer->desc.batch_norm == NN_OVER_ALL;
    const nn__counting *count = &trainer->count;
    nn_node *seed = NULL;
    if (first) {
        nn__describe_backward(trainer, tape, NULL, true);
        if (!nn__describe_count(trainer, tape)) return false;
        trainer->tape.together = true;
    }
    if (first && count->node && (trainer->desc.counted || !count->of_labels)) {
        nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                    "nn_make_trainer: batch_norm is NN_OVER_ALL, and what a batch counts for in "
                    "the loss \"%s\" is \"%s\", which may be 0 in a shard; give a loss that is a "
                    "mean or a sum over the batch, without .counted, or leave batch_norm "
                    "NN_PER_SHARD",
                    trainer->loss->name, count->node->name);
        return false;
    }
    if (first && count->kind != NN__COUNT_SUM)
        seed = nn__add_weight(tape, trainer->loss, count);
    if (!nn__describe_backward(trainer, tape, seed, false)) {
        if (trainer->faults.count == 0) return nn__describe_no_memory(trainer);
        nn__fail_faults(trainer->nn, trainer->net->name, &trainer->net->faults, &trainer->faults);
        return false;
    }
    return nn__describe_trained(trainer) && (first || nn__describe_count(trainer, tape));
}

/* With shards there must be something to train. */
static bool nn__describe_trains(nn_trainer *trainer) {
    if (trainer->trained_count > 0) return true;
    nn__fail_at(trainer->nn, trainer->site, NN_ERROR_ARGUMENT,
                "nn_make_trainer: shards: the loss \"%s\" gives no parameter of \"%s\" a gradient; "
                "look for nn_detach, nn_freeze or an operation without a slope, such as nn_floor, "
                "before it",
                trainer->loss->name, trainer->net->name);
    return false;
}

NN_PRIVATE bool nn__trainer_describe(nn_trainer *trainer) {
    nn__tape tape;
    int most;
    nn__tape_open(&tape, &trainer->tape, &trainer->faults);
    tape.graph->carries = trainer->desc.carry_states;
    if (!nn__describe_gradients_of(trainer, &tape)) return false;
    if (!nn__describe_carried(trainer)) return false;
    if (trainer->sharing &&
        (!nn__describe_trains(trainer) || !trainer->sharing->shard_describe_begin(trainer)))
        return false;
    /* For each total a value and a check; for each parameter an update, the nodes around it and
       those that keep its gradient; the loss once more, and its mean. */
    most = 2 * (1 + trainer->metric_count) + 8 + 8 * trainer->trained_count;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        most += nn__is_model_effect(node); /* Each effect has a check. */
    trainer->targets =
        (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * (size_t)most);
    trainer->evaluation_targets =
        (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof(nn_node *) * (size_t)most);
    if (!trainer->targets || !trainer->evaluation_targets) return nn__describe_no_memory(trainer);
    trainer->shown = trainer->loss;
    if (trainer->loss->kind == NN__PARAMETER) {
        /* The update would change the loss before it is read, so a copy is shown. */
        trainer->shown =
            nn__add_transfer(&trainer->tape, trainer->site, trainer->loss, trainer->loss->device);
        nn__place_like(trainer->shown, trainer->loss);
        trainer->targets[trainer->target_count++] = trainer->shown;
    }
    /* This comes before the updates: a NaN loss must stop them. */
    if (trainer->sharing)
        trainer->sharing->shard_describe_totals(trainer, &tape, nn__describe_weighs(trainer));
    else
        trainer->target_count = nn__describe_accumulate(trainer, &tape, &trainer->totals, ".total",
                                                        trainer->targets, trainer->target_count);
    trainer->evaluation_target_count = nn__describe_accumulate(
        trainer, &tape, &trainer->evaluation_totals, ".evaluation", trainer->evaluation_targets, 0);
    nn__describe_confusion(trainer, &tape);
    nn__describe_check_buffers(trainer, &tape);
    if (!nn__describe_updates(trainer, &tape) || !nn__describe_average(trainer)) return false;
    if (trainer->sharing && !trainer->sharing->shard_describe_room(trainer)) return false;
    return tape.failed || trainer->net->faults.no_memory ? nn__describe_no_memory(trainer) : true;
}

#endif /* NN__NO_TRAINER */

typedef int nn__describe_part; /* a part must not be empty under NN__NO_TRAINER */
