/* group/replica_step.c - a step on several devices: sends weights and samples, runs the shards of
   every device, and adds the returned leaves in the tree. Devices with a queue begin first, so that
   they work while the host's kernels run. An evaluation does the same with totals instead of
   leaves. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

#define NN__EXCHANGE "exchange" /* the ledger's name for weights and leaves */

/* ---- out: weights ---------------------------------------------------------------------------- */

/* Bytes of the model and their destination in a replica: several tensors that are adjacent in
   both. */
typedef struct nn__span {
    const nn_tensor *from, *to; /* the first ones */
    uint64_t bytes;
} nn__span;

static nn_result nn__replica_send(nn_trainer *trainer, const nn__span *span, nn_site site) {
    nn__replicas *replicas = trainer->replicas;
    if (span->bytes == 0) return NN_OK;
    return nn__cross(trainer->nn, span->to->device, &span->to->view, span->from->device,
                     &span->from->view, span->bytes, replicas->staging,
                     (size_t)replicas->staging_bytes, NN__EXCHANGE, site);
}

/* True if these tensors continue the span. */
static bool nn__replica_joins(const nn__span *span, const nn_tensor *from, const nn_tensor *to) {
    const uint64_t bytes = nn__padded(span->bytes);
    return span->bytes > 0 && span->from->view.handle == from->view.handle &&
           span->to->view.handle == to->view.handle &&
           span->from->view.offset + bytes == from->view.offset &&
           span->to->view.offset + bytes == to->view.offset;
}

/* Sends one replica all leaves of the model, or those that steps change. */
static nn_result nn__replica_follow(nn_trainer *trainer, const nn__replica *replica, bool all,
                                    nn_site site) {
    const nn_node *node = trainer->net->graph.first, *copy = replica->net->graph.first;
    nn_result result = NN_OK;
    nn__span span;
    int i = 0;
    memset(&span, 0, sizeof span);
    for (; node && copy && result == NN_OK; node = node->next, copy = copy->next) {
        if (!nn__is_saved(node)) continue;
        if (!trainer->replicas->follows[i++] && !all) continue;
        if (nn__replica_joins(&span, node->tensor, copy->tensor)) {
            span.bytes = nn__padded(span.bytes) + node->tensor->bytes;
            continue;
        }
        result = nn__replica_send(trainer, &span, site);
        span.from = node->tensor;
        span.to = copy->tensor;
        span.bytes = node->tensor->bytes;
    }
    return result == NN_OK ? nn__replica_send(trainer, &span, site) : result;
}

/* ---- out: samples ---------------------------------------------------------------------------- */

static const nn__slice *nn__replica_slice(const nn_trainer *trainer, int value) {
    for (int i = 0; i < trainer->shards->slice_count; i++)
        if (trainer->shards->slices[i].value == value) return &trainer->shards->slices[i];
    return NULL;
}

/* Sends one input: samples [first, first + count) if it has a batch axis, otherwise all of it. */
static nn_result nn__replica_deliver(nn_trainer *trainer, nn__replica *replica, nn__inbox *inbox,
                                     int which, int32_t first, int32_t count, nn_site site) {
    nn_plan *plan = nn__replica_plan(trainer, which);
    nn__value *value = &plan->values[inbox->from[which]],
              *to = &nn__replica_plan(replica->trainer, which)->values[inbox->to[which]];
    const nn__slice *slice = nn__replica_slice(trainer, inbox->from[which]);
    const nn_tensor *whole = slice ? slice->whole : value->bound;
    nn_view from;
    if (whole) {
        from = whole->view;
    } else { /* uploaded into the plan's own memory */
        const int device = nn__plan_device_of(plan, value->node);
        from = value->view;
        nn__storage(&plan->devices[device], false, value->offset, &from);
        nn__resolve_shape(&from.shape, &value->node->shape, nn__maxi(value->batch, 1),
                          nn__maxi(value->time, 1));
    }
    uint64_t bytes = nn__bytes(&from);
    if (slice) {
        const uint64_t sample = bytes / (uint64_t)slice->rows * (uint64_t)slice->row;
        from.offset += sample * (uint64_t)first;
        from.shape.extent[0] = slice->row * count;
        bytes = sample * (uint64_t)count;
    }
    to->bound = value->given ? &inbox->tensor : NULL;
    to->given = to->anew = value->given;
    to->checked = false;
    nn__value_given_at(to, site);
    /* the run reports what does not fit */
    if (!value->given || bytes > inbox->room || from.dtype != inbox->tensor.view.dtype)
        return NN_OK;
    inbox->tensor.view.shape = from.shape;
    inbox->tensor.bytes = bytes;
    return nn__cross(trainer->nn, replica->device, &inbox->tensor.view,
                     whole ? whole->device : value->node->device, &from, bytes,
                     trainer->replicas->staging, (size_t)trainer->replicas->staging_bytes,
                     value->node->name, site);
}

/* Sends a replica's part of the batch bound to one of the trainer's plans, and sets the numbers of
   its run. */
static nn_result nn__replica_batch(nn_trainer *trainer, nn__replica *replica, int which,
                                   int32_t samples, nn_site site) {
    nn_trainer *there = replica->trainer;
    const nn_plan *plan = nn__replica_plan(trainer, which);
    nn_plan *to = nn__replica_plan(there, which);
    const nn__shards *own = there->shards;
    const int64_t before = (int64_t)own->shard_samples * (own->first - trainer->shards->first);
    const int32_t first = (int32_t)nn__min64(before, samples);
    nn_result result = NN_OK;
    replica->samples = nn__mini(own->shard_samples * own->own, samples - first);
    for (int k = 0; k < replica->inbox_count && replica->samples > 0 && result == NN_OK; k++)
        if (replica->inboxes[k].to[which] >= 0)
            result = nn__replica_deliver(trainer, replica, &replica->inboxes[k], which, first,
                                         replica->samples, site);
    there->net->seed = trainer->net->seed;
    there->backwards = trainer->backwards;
    to->time = plan->time;
    to->run.seed = plan->run.seed;
    to->run.step = plan->run.step;
    to->run.learning_rate = plan->run.learning_rate;
    return result;
}

/* ---- there ----------------------------------------------------------------------------------- */

/* Runs the shards of one replica, or puts them into its device's queue. */
static nn_result nn__replica_run(nn_trainer *trainer, const nn__replica *replica, nn_site site,
                                 const char *who) {
    nn_trainer *there = replica->trainer;
    char text[96], name[32];
    int32_t batch = 0;
    nn_result result = NN_OK;
    nn__format(text, sizeof text, "%s on %s", who,
               nn_format_device(replica->device, name, sizeof name));
    if (replica->samples > 0)
        result =
            nn__shard_open_slices(there, there->plan, replica->samples, &batch, site, text);
    if (result == NN_OK) result = nn__shard_buffers(there, false, site, text);
    if (result == NN_OK) result = nn__shard_run_own(there, replica->samples, site, text);
    nn__shard_close_slices(there, there->plan);
    if (result != NN_OK && !trainer->plan->fault) trainer->plan->fault = there->plan->fault;
    return result;
}

NN_PRIVATE void nn__replicas_enter(nn_trainer *trainer) {
    trainer->replicas->entry = trainer->nn->changes;
    trainer->replicas->foreign = trainer->nn->changes - trainer->replicas->own;
}

NN_PRIVATE void nn__replicas_leave(nn_trainer *trainer) {
    trainer->replicas->own += trainer->nn->changes - trainer->replicas->entry;
}

/* True if the program waits while its device computes. */
static bool nn__replica_waits(const nn_trainer *trainer, const nn__replica *replica) {
    return nn__find_device(trainer->nn, replica->device)->limits.host_memory;
}

NN_PRIVATE nn_result nn__replicas_begin(nn_trainer *trainer, int32_t samples, nn_site site,
                                        const char *who) {
    nn__replicas *replicas = trainer->replicas;
    const bool all = replicas->foreign != replicas->seen;
    nn_result result = NN_OK;
    replicas->seen = UINT64_MAX; /* if anything fails, the next step sends everything */
    for (int i = 0; i < trainer->shards->slice_count; i++)
        if (trainer->shards->slices[i].row == 0) return NN_OK; /* the run reports what does not
                                                                  fit */
    for (int i = 0; i < replicas->count && result == NN_OK; i++) {
        nn__replica *replica = &replicas->list[i];
        result = nn__replica_follow(trainer, replica, all, site);
        if (result == NN_OK)
            result = nn__replica_batch(trainer, replica, NN__REPLICA_STEP, samples, site);
        if (result == NN_OK && !nn__replica_waits(trainer, replica) &&
            !trainer->shards->together.lane_count)
            result = nn__replica_run(trainer, replica, site, who);
    }
    return result;
}

/* Sends the samples, and runs all shards side by side. */
static nn_result nn__replicas_side_by_side(nn_trainer *trainer, int32_t samples, nn_site site,
                                           const char *who) {
    nn__replicas *replicas = trainer->replicas;
    nn_trainer *parts[NN__DEVICES];
    int32_t counts[NN__DEVICES], batch = 0;
    nn_result result = NN_OK;
    parts[0] = trainer;
    counts[0] = nn__mini(samples, trainer->shards->shard_samples * trainer->shards->mine);
    for (int i = 0; i < replicas->count && result == NN_OK; i++) {
        nn_trainer *there = parts[i + 1] = replicas->list[i].trainer;
        counts[i + 1] = replicas->list[i].samples;
        if (counts[i + 1] > 0)
            result = nn__shard_open_slices(there, there->plan, counts[i + 1], &batch, site, who);
        if (result == NN_OK) result = nn__shard_buffers(there, false, site, who);
    }
    if (result == NN_OK)
        result = nn__together_run(parts, replicas->count + 1, counts, site, who);
    for (int i = 0; i < replicas->count; i++)
        nn__shard_close_slices(replicas->list[i].trainer, replicas->list[i].trainer->plan);
    return result;
}

/* ---- back ------------------------------------------------------------------------------------ */

/* Adds the leaves of the replicas to the waiting sums. */
static nn_result nn__replicas_collect(nn_trainer *trainer, nn_site site, const char *who) {
    nn__replicas *replicas = trainer->replicas;
    const nn_view leaf = nn__shard_leaf(trainer);
    nn_result result = NN_OK;
    int level = 0;
    while ((1 << level) < trainer->shards->mine) level++;
    for (int i = 0; i < replicas->count && result == NN_OK; i++) {
        const nn__replica *replica = &replicas->list[i];
        const nn_view from = nn__shard_leaf(replica->trainer);
        result = nn__cross(trainer->nn, trainer->net->device, &leaf, replica->device, &from,
                           replicas->leaf, replicas->staging, (size_t)replicas->staging_bytes,
                           NN__EXCHANGE, site);
        if (result == NN_OK) result = nn__shard_join(trainer, level, i + 1, site, who);
    }
    return result;
}

/* Finds the first fault of all devices, in the order of their shards; the trainer keeps it as its
   own. */
static nn_result nn__replicas_status(nn_trainer *trainer, int which, nn_site site,
                                     const char *who) {
    nn_plan *own = nn__replica_plan(trainer, which);
    nn_result result = nn__read_status(own, site, who);
    char there[96], name[32];
    for (int i = 0; i < trainer->replicas->count && result == NN_OK; i++) {
        const nn__replica *replica = &trainer->replicas->list[i];
        nn_plan *plan = nn__replica_plan(replica->trainer, which);
        nn__format(there, sizeof there, "%s on %s", who,
                   nn_format_device(replica->device, name, sizeof name));
        result = nn__weight_cache_fault(plan, site);
        if (result == NN_OK && plan->fault) own->fault = plan->fault;
        if (result == NN_OK) result = nn__read_status(plan, site, there);
    }
    return result;
}

NN_PRIVATE nn_result nn__replicas_end(nn_trainer *trainer, nn_site site, const char *who) {
    nn__replicas *replicas = trainer->replicas;
    nn_result result = NN_OK;
    for (int i = 0; i < replicas->count && result == NN_OK; i++)
        if (nn__replica_waits(trainer, &replicas->list[i]))
            result = nn__replica_run(trainer, &replicas->list[i], site, who);
    if (result == NN_OK) result = nn__replicas_status(trainer, NN__REPLICA_STEP, site, who);
    if (result == NN_OK) result = nn__replicas_collect(trainer, site, who);
    if (result == NN_OK) replicas->seen = replicas->foreign;
    return result;
}

NN_PRIVATE nn_result nn__replicas_clear_fault(nn_trainer *trainer) {
    nn_result result = NN_OK;
    for (int i = 0; i < NN__REPLICA_PLANS * trainer->replicas->count && result == NN_OK; i++)
        result = nn__clear_status(nn__replica_plan(
            trainer->replicas->list[i / NN__REPLICA_PLANS].trainer, i % NN__REPLICA_PLANS));
    for (int i = 0; i < trainer->replicas->count && result == NN_OK; i++)
        result = nn__together_clear_fault(trainer->replicas->list[i].trainer);
    return result;
}

NN_PRIVATE nn_result nn__replicas_together(nn_trainer *trainer, int32_t samples, nn_site site,
                                           const char *who) {
    nn__replicas *replicas = trainer->replicas;
    nn_result result = nn__replicas_begin(trainer, samples, site, who);
    if (result == NN_OK) result = nn__replicas_side_by_side(trainer, samples, site, who);
    if (result == NN_OK) result = nn__replicas_collect(trainer, site, who);
    if (result == NN_OK) replicas->seen = replicas->foreign;
    return result;
}

/* ---- an evaluation --------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__replicas_evaluate_begin(nn_trainer *trainer, nn_site site) {
    nn__replicas *replicas = trainer->replicas;
    const bool all = replicas->foreign != replicas->seen;
    nn_result result = NN_OK;
    replicas->seen = UINT64_MAX;
    for (int i = 0; i < replicas->count && result == NN_OK; i++) {
        nn_trainer *there = replicas->list[i].trainer;
        const nn_node *counts = there->evaluation_totals.confusion;
        result = nn__replica_follow(trainer, &replicas->list[i], all, site);
        if (result == NN_OK) result = nn__clear_status(there->evaluation);
        if (result == NN_OK) result = nn_fill_zero(there->shards->evaluations->tensor);
        if (result == NN_OK && counts) result = nn_fill_zero(counts->tensor);
    }
    if (result == NN_OK) replicas->seen = replicas->foreign;
    return result;
}

NN_PRIVATE nn_result nn__replicas_evaluate(nn_trainer *trainer, int32_t samples, bool waiting,
                                           nn_site site, const char *who) {
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->replicas->count && result == NN_OK; i++) {
        nn__replica *replica = &trainer->replicas->list[i];
        char text[96], name[32];
        if (nn__replica_waits(trainer, replica) != waiting) continue;
        result = nn__replica_batch(trainer, replica, NN__REPLICA_EVALUATION, samples, site);
        nn__format(text, sizeof text, "%s on %s", who,
                   nn_format_device(replica->device, name, sizeof name));
        if (result == NN_OK && replica->samples > 0)
            result = nn__shard_evaluate(replica->trainer, replica->samples, site, text);
        if (result != NN_OK && !trainer->evaluation->fault)
            trainer->evaluation->fault = replica->trainer->evaluation->fault;
    }
    return result;
}

NN_PRIVATE nn_result nn__replicas_evaluated(nn_trainer *trainer, nn_site site, const char *who) {
    return nn__replicas_status(trainer, NN__REPLICA_EVALUATION, site, who);
}

/* Adds the confusion matrix of a replica to the trainer's, in pieces of half of the staging
   memory. */
static nn_result nn__replica_add_confusion(nn_trainer *trainer, const nn_tensor *from,
                                           nn_site site) {
    nn__replicas *replicas = trainer->replicas;
    const nn_tensor *to = trainer->evaluation_totals.confusion->tensor;
    const uint64_t room = replicas->staging_bytes / 2;
    uint32_t *sum = (uint32_t *)(void *)replicas->staging,
             *more = (uint32_t *)(void *)(replicas->staging + room);
    nn_result result = NN_OK;
    for (uint64_t done = 0; done < to->bytes && result == NN_OK; done += room) {
        const uint64_t bytes = to->bytes - done < room ? to->bytes - done : room;
        nn_view here = to->view, there = from->view;
        here.offset += done;
        there.offset += done;
        result = nn__download(trainer->nn, to->device, &here, sum, bytes, "report", site);
        if (result == NN_OK)
            result = nn__download(trainer->nn, from->device, &there, more, bytes, "report", site);
        for (uint64_t i = 0; i < bytes / sizeof *sum && result == NN_OK; i++) sum[i] += more[i];
        if (result == NN_OK)
            result = nn__upload(trainer->nn, to->device, &here, sum, bytes, "report", site, NULL);
    }
    return result;
}

NN_PRIVATE nn_result nn__replicas_totals(nn_trainer *trainer, float *to, size_t numbers,
                                         nn_site site) {
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->replicas->count && result == NN_OK; i++) {
        const nn_trainer *there = trainer->replicas->list[i].trainer;
        const nn_tensor *totals = there->shards->evaluations->tensor;
        const nn_node *counts = there->evaluation_totals.confusion;
        result = nn__download(trainer->nn, totals->device, &totals->view,
                              to + (size_t)(i + 1) * numbers, numbers * sizeof(float), "report",
                              site);
        if (result == NN_OK && counts)
            result = nn__replica_add_confusion(trainer, counts->tensor, site);
    }
    return result;
}

#undef NN__EXCHANGE

#endif /* NN__NO_TRAINER */

typedef int nn__replica_step_part; /* a part must not be empty under NN__NO_TRAINER */
