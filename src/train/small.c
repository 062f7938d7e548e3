/* train/small.c - the trainer of firmware, under NN_NO_TRAINING_OPTIONS: one plan with the
   forward and backward pass, and an update right after each gradient. */
#include "train/private.h"

#if defined(NN_NO_TRAINING_OPTIONS) && !defined(NN_NO_TRAINING)

struct nn_trainer {
    nn__owned owned; /* in the model's dependents */
    nn_context *nn;
    nn_model *net;
    nn_node *loss;
    nn_plan *plan, *update; /* update: with .accumulate, else NULL */
    nn_node **gathered;     /* with .accumulate: the sums of gradients, in the tape's arena */
    int gathered_count, accumulate, batches; /* batches: in the sums so far */
    nn__graph tape;
    nn__faults faults;
    nn__update_params settings; /* of the update of one parameter */
    float learning_rate;
    int64_t step; /* number of steps done */
};

/* ---- settings -------------------------------------------------------------------------------- */

static bool nn__small_is_rate(float rate) { return rate >= 0.0f && rate < 3.0e38f; }

/* Fills in the defaults and checks every number. False and an error. */
static bool nn__small_settings(nn_trainer *trainer, const nn_trainer_desc *desc, nn_site site) {
    nn__update_params *to = &trainer->settings;
    const bool decays = desc->optimizer == NN_ADAMW;
    to->count = 1;
    to->optimizer = desc->optimizer == NN_OPTIMIZER_DEFAULT ? NN_SGD : desc->optimizer;
    to->rate_factor = 1.0f;
    to->weight_decay = nn__or_default(desc->weight_decay, decays ? 1e-2f : 0.0f);
    to->momentum = nn__or_default(desc->momentum, 0.0f);
    to->beta1 = nn__or_default(desc->beta1, 0.9f);
    to->beta2 = nn__or_default(desc->beta2, 0.999f);
    to->epsilon = nn__or_default(desc->epsilon, 1e-8f);
    trainer->learning_rate = nn__or_default(desc->learning_rate, 1e-3f);
    trainer->accumulate = nn__maxi(desc->accumulate, 1);
    if (desc->batch >= 0 && desc->time >= 0 && desc->accumulate >= 0 &&
        (int)to->optimizer >= NN_SGD && to->optimizer <= NN_ADAMW &&
        nn__small_is_rate(trainer->learning_rate) &&
        nn__small_is_rate(to->weight_decay) && nn__small_is_rate(to->momentum) &&
        nn__small_is_rate(to->epsilon) && to->beta1 >= 0.0f && to->beta1 < 1.0f &&
        to->beta2 >= 0.0f && to->beta2 < 1.0f)
        return true;
    nn__fail_at(trainer->nn, site, NN_ERROR_ARGUMENT,
                "nn_make_trainer: optimizer is %d, batch %d; wanted NN_SGD, NN_ADAM or NN_ADAMW "
                "(others need a program without NN_NO_TRAINING_OPTIONS), a batch of at least 1, "
                "numbers that are not negative, and beta1 and beta2 in [0, 1)",
                (int)desc->optimizer, desc->batch);
    return false;
}

static bool nn__small_check_loss(nn_model *net, const nn_node *loss, nn_site site) {
    if (net->faults.count > 0) {
        nn__check_model(net, NN_UNSUPPORTED_IS_ERROR, site);
        return false;
    }
    if (loss && loss->graph->model == net && !loss->poisoned && loss->dtype == NN_F32 &&
        loss->kind == NN__OPERATION && nn_shape_count(loss->shape) == 1)
        return true;
    nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                "nn_make_trainer: the loss is %s; wanted one f32 number that operations of this "
                "model compute, as nn_cross_entropy and nn_mean give",
                loss ? loss->name : "NULL");
    return false;
}

/* ---- description ----------------------------------------------------------------------------- */

static nn_node *nn__small_moment(nn_trainer *trainer, const nn_node *parameter,
                                 const char *suffix) {
    nn_node *state = nn__add_leaf(&trainer->tape, parameter->site, NN__STATE, suffix, NN_F32,
                                  &parameter->shape);
    nn__place_like(state, parameter);
    return state;
}

/* Most numbers that one update changes, unless a single parameter has more. Each update takes half
   a kilobyte of records, and the gradients of one update are in memory together. */
#define NN__SMALL_TOGETHER 4096

/* True if the node reads a parameter of the update, or a view of one: they have value 1. */
static bool nn__small_reads(const nn_node *node) {
    for (int i = 0; node->kind == NN__OPERATION && i < node->input_count; i++)
        if (node->inputs[i]->value) return true;
    return false;
}

/* Moves the nodes of the tape after `last`, which are an update and its moments, to right after
   the last node that reads one of its parameters or computes one of its gradients. */
static void nn__small_hasten(nn__graph *tape, nn_node *last, nn_node *const *parameters,
                             nn_node *const *gradients, int count) {
    nn_node *after = NULL, *first = last->next;
    for (nn_node *node = tape->model->graph.first; node; node = node->next) {
        node->value = nn__small_reads(node) && (node->rule->flags & NN__ALIAS) != 0;
        for (int i = 0; i < count; i++) node->value |= node == parameters[i];
    }
    for (nn_node *node = tape->first; node != first; node = node->next) {
        const bool reads = nn__small_reads(node);
        node->value = reads && (node->rule->flags & NN__ALIAS) != 0;
        if (reads) after = node;
        for (int i = 0; i < count; i++)
            if (node == gradients[i]) after = node;
    }
    if (!after || after == last) return;
    tape->last->next = after->next;
    tape->last = last;
    last->next = NULL;
    after->next = first;
}

/* Lists the next parameters that are updated together, from *at on, and their gradients. Returns
   their number; 0: there are no more. */
static int nn__small_collect(nn_node **at, nn_node **parameters, nn_node **gradients) {
    int64_t numbers = 0;
    int count = 0;
    for (; *at; *at = (*at)->next) {
        if ((*at)->kind != NN__PARAMETER || (*at)->frozen || !(*at)->gradient) continue;
        numbers += nn_shape_count((*at)->shape);
        if (count > 0 && numbers > NN__SMALL_TOGETHER) break;
        parameters[count] = *at;
        gradients[count++] = (*at)->gradient;
    }
    return count;
}

/* Adds the gradients to sums of their own, which then take their place in the lists: a step of SGD
   with a negative rate. NULL: no memory. */
static nn_node *nn__small_gather(nn_trainer *trainer, nn__tape *tape, nn_node **lists, int most,
                                 int count) {
    nn__update_params params;
    nn_node **sums = trainer->gathered + trainer->gathered_count, *update;
    nn_node *last = trainer->tape.last;
    memset(&params, 0, sizeof params);
    params.optimizer = NN_SGD;
    params.rate_factor = 1.0f;
    params.count = count;
    for (int i = 0; i < count; i++) sums[i] = nn__small_moment(trainer, lists[i], "gradient");
    update = nn__add_update(tape, lists[0]->site, sums, lists + most, NULL, NULL, &params);
    if (update->poisoned) return NULL;
    nn__place_like(update, lists[0]);
    nn__small_hasten(&trainer->tape, last, sums, lists + most, count);
    memcpy(lists + most, sums, sizeof *sums * (size_t)count);
    trainer->gathered_count += count;
    return update;
}

/* Adds an update where its gradients are complete. lists: room for `most` parameters, as many
   gradients and twice as many moments. NULL: no memory. */
static nn_node *nn__small_update(nn_trainer *trainer, nn__tape *tape, nn_node **lists, int most,
                                 int count) {
    nn__update_params params = trainer->settings;
    nn_node **moments = lists + 2 * most, *update, *last = trainer->tape.last;
    params.count = count;
    for (int i = 0; i < count; i++) {
        if (params.optimizer != NN_SGD || params.momentum != 0.0f)
            *moments++ = nn__small_moment(trainer, lists[i], "first");
        if (params.optimizer != NN_SGD)
            *moments++ = nn__small_moment(trainer, lists[i], "second");
    }
    update = nn__add_update(tape, lists[0]->site, lists, lists + most, lists + 2 * most, NULL,
                            &params);
    if (update->poisoned) return NULL;
    nn__place_like(update, lists[0]);
    if (!trainer->gathered) nn__small_hasten(&trainer->tape, last, lists, lists + most, count);
    return update;
}

/* Describes what follows the gradients. targets: of the step; updates: of the plan that updates,
   the same list without .accumulate. */
static void nn__small_updates(nn_trainer *trainer, nn__tape *tape, nn_node **lists, int most,
                              nn_node **targets, int *count, nn_node **updates, int *update_count) {
    nn_node *at = trainer->net->graph.first;
    int together;
    while (!tape->failed && (together = nn__small_collect(&at, lists, lists + most)) > 0) {
        if (trainer->gathered) {
            targets[*count] = nn__small_gather(trainer, tape, lists, most, together);
            tape->failed = !targets[(*count)++];
        }
        if (tape->failed) return;
        updates[*update_count] = nn__small_update(trainer, tape, lists, most, together);
        tape->failed = !updates[(*update_count)++];
    }
}

/* Describes the step on the tape and makes its plans. The check of the loss comes first, so that a
   NaN stops all updates. False: an error was reported. */
static bool nn__small_describe(nn_trainer *trainer, nn_plan_desc *desc, nn_site site) {
    nn_context *nn = trainer->nn;
    nn_model *net = trainer->net;
    nn__graph *graph = &trainer->tape;
    nn__tape tape;
    nn_node **lists, **targets, **updates;
    int most = 2, count = 0, updated = 0;
    for (nn_node *node = net->graph.first; node; node = node->next)
        most += node->kind == NN__PARAMETER;
    nn__tape_open(&tape, graph, &trainer->faults);
    const size_t bytes = sizeof(nn_node *) * (size_t)most;
    if (trainer->accumulate > 1)
        trainer->gathered = (nn_node **)nn__arena_take(&graph->arena, bytes);
    lists = (nn_node **)nn__allocate(&nn->memory, 4 * bytes);
    targets = (nn_node **)nn__arena_take(&graph->arena, bytes);
    updates = (nn_node **)nn__arena_take(&graph->arena, trainer->gathered ? bytes : 1);
    tape.failed = !targets || !updates || !lists || (trainer->accumulate > 1 && !trainer->gathered);
    if (!tape.failed) {
        targets[count++] = trainer->loss;
        targets[count++] = nn__add_accumulate(&tape, site, NULL, trainer->loss, true);
        if (!nn__backward(&tape, trainer->loss, NULL)) tape.failed = true;
        nn__small_updates(trainer, &tape, lists, most, targets, &count,
                          trainer->gathered ? updates : targets,
                          trainer->gathered ? &updated : &count);
    }
    nn__release(&nn->memory, lists, 4 * bytes);
    if (trainer->faults.count > 0) {
        nn__fail_faults(nn, net->name, &net->faults, &trainer->faults);
        return false;
    }
    if (tape.failed || net->faults.no_memory) {
        nn__fail_memory(nn, "nn_make_trainer", sizeof(nn_node));
        return false;
    }
    trainer->plan = nn__make_plan(net, graph, targets, count, desc,
                                  updated ? NN__PLAN_BACKWARD : NN__PLAN_STEP, NULL, site);
    if (trainer->plan && updated)
        trainer->update = nn__make_plan(net, graph, updates, updated, desc, NN__PLAN_UPDATE,
                                        trainer->plan, site);
    return trainer->plan && (trainer->update || !updated);
}

/* ---- making and freeing ---------------------------------------------------------------------- */

static void nn__small_destroy(nn__owned *owned) {
    nn_trainer *trainer = (nn_trainer *)(void *)owned;
    nn__disown(&trainer->owned);
    nn__drop_plan(trainer->update);
    nn__drop_plan(trainer->plan);
    nn__graph_free(&trainer->tape);
    nn__release(&trainer->nn->memory, trainer, sizeof *trainer);
}

static bool nn__small_make(nn_trainer *trainer, const nn_trainer_desc *desc, nn_site site) {
    nn_plan_desc plan;
    if (!nn__small_settings(trainer, desc, site)) return false;
    memset(&plan, 0, sizeof plan);
    plan.batch = desc->batch;
    plan.time = desc->time;
    if (!nn__small_describe(trainer, &plan, site)) return false;
    trainer->plan->also = trainer->update;
    return true;
}

static nn_trainer *nn__inside_make_trainer(nn_site site, nn_model *net, nn_node *loss,
                                           const nn_trainer_desc *desc) {
    const nn__faults before = net->faults;
    nn_trainer_desc given;
    nn_trainer *trainer;
    memset(&given, 0, sizeof given);
    if (desc) given = *desc;
    if (nn__model_gone(net, site, "nn_make_trainer") || !nn__small_check_loss(net, loss, site))
        return NULL;
    trainer = (nn_trainer *)nn__allocate_for(net->nn, "nn_make_trainer", sizeof *trainer);
    if (!trainer) return NULL;
    trainer->nn = net->nn;
    trainer->net = net;
    trainer->loss = loss;
    nn__graph_init(&trainer->tape, net);
#ifndef NN_NO_SPEEDUPS
    trainer->tape.launches = nn__plan_launches;
#endif
    trainer->faults.arena = &trainer->tape.arena;
    if (nn__small_make(trainer, &given, site)) {
        nn__own(&net->dependents, &trainer->owned, nn__small_destroy); /* freed before its plans */
        return trainer;
    }
    nn__small_destroy(&trainer->owned);
    net->faults = before; /* lack of memory here is no mistake in the model */
    return NULL;
}

NN_API nn_trainer *nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc) {
    nn_context *nn = net ? net->nn : NULL;
    nn_trainer *made;
    if (!net || !nn__enter(nn, "nn_make_trainer", site)) return NULL;
    made = nn__inside_make_trainer(site, net, loss, desc);
    nn__leave(nn, NN_OK);
    return made;
}

NN_API void nn_free_trainer_at(nn_site site, nn_trainer *trainer) {
    nn_context *nn = trainer ? trainer->nn : NULL;
    if (!trainer || !nn__enter(nn, "nn_free_trainer", site)) return;
    nn__small_destroy(&trainer->owned);
    nn__leave(nn, NN_OK);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static nn_result nn__small_run(nn_trainer *trainer, nn_plan *plan, float rate, nn_site site) {
    plan->run.learning_rate = rate;
    plan->run.step = trainer->step + 1;
    return nn__run_plan(plan, site, "nn_train_on_inputs");
}

static nn_result nn__inside_step(nn_site site, nn_trainer *trainer) {
    nn_result result = NN_OK;
    float rate = trainer->learning_rate;
    if (trainer->update) {
        rate = -1.0f / (float)trainer->accumulate;
        for (int i = 0; i < trainer->gathered_count && result == NN_OK; i++)
            if (trainer->batches == 0) result = nn_fill_zero(trainer->gathered[i]->tensor);
    }
    if (result == NN_OK) result = nn__small_run(trainer, trainer->plan, rate, site);
    if (result != NN_OK || (trainer->update && ++trainer->batches < trainer->accumulate))
        return result;
    trainer->batches = 0;
    if (trainer->update)
        result = nn__small_run(trainer, trainer->update, trainer->learning_rate, site);
    if (result == NN_OK) trainer->step++;
    return result;
}

static nn_result nn__small_clear(nn_trainer *trainer) {
    const nn_result result = trainer->update ? nn__clear_status(trainer->update) : NN_OK;
    trainer->batches = 0;
    return result == NN_OK ? nn__clear_status(trainer->plan) : result;
}

NN_API nn_result nn_train_on_inputs_at(nn_site site, nn_trainer *trainer) {
    if (!trainer) return NN_ERROR_ARGUMENT;
    return NN__ALONE(trainer->nn, "nn_train_on_inputs", site, nn__inside_step(site, trainer));
}

NN_API nn_result nn_clear_fault_at(nn_site site, nn_trainer *trainer) {
    if (!trainer) return NN_ERROR_ARGUMENT;
    return NN__ALONE(trainer->nn, "nn_clear_fault", site, nn__small_clear(trainer));
}

NN_API nn_result nn_read_loss_at(nn_site site, nn_trainer *trainer, float *loss) {
    if (!trainer || !loss) return NN_ERROR_ARGUMENT;
    return nn_download_at(site, trainer->plan, trainer->loss, loss, sizeof *loss);
}

NN_API void nn_set_learning_rate(nn_trainer *trainer, float learning_rate) {
    if (!trainer) return;
    if (nn__small_is_rate(learning_rate))
        trainer->learning_rate = learning_rate;
    else
        nn__fail(trainer->nn, NN_ERROR_ARGUMENT,
                 "nn_set_learning_rate: %g is no learning rate; %g stays", (double)learning_rate,
                 (double)trainer->learning_rate);
}

NN_API float nn_learning_rate(const nn_trainer *trainer) {
    return trainer ? trainer->learning_rate : 0.0f;
}
NN_API int64_t nn_trainer_step(const nn_trainer *trainer) { return trainer ? trainer->step : 0; }
NN_API nn_plan *nn_trainer_plan(nn_trainer *trainer) { return trainer ? trainer->plan : NULL; }

#endif

#undef NN__SMALL_TOGETHER
typedef int nn__small_part; /* a part must not be empty without NN_NO_TRAINING_OPTIONS */
