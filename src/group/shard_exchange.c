/* group/shard_exchange.c - adds the leaves of all ranks of a group: the upper levels of the tree
   whose lower ones group/shard.c adds. The numbers travel in buckets, in the order in which the
   backward pass completes gradients, so that the group's thread exchanges one bucket while the pass
   continues. From a device with its own memory they travel through host memory.

   All buckets of a step are one chain: a rank that cannot continue brings its error instead of its
   next bucket, and no rank exchanges anything further of that step. The last bucket, with the
   numbers that are known only at the end, also says that this rank has no error. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- made with the trainer ------------------------------------------------------------------- */

static bool nn__exchange_is_shared(const nn_trainer *trainer) {
    return nn_group_size(trainer->desc.group) > 1;
}

static const nn__open_device *nn__exchange_device(const nn_trainer *trainer) {
    return nn__find_device(trainer->nn, trainer->loss->device);
}

NN_PRIVATE void nn__exchange_drop(nn_trainer *trainer, nn__staging *staging) {
    nn_context *nn = trainer->nn;
    if (staging->pinned) {
        const nn__open_device *on = nn__find_device(nn, staging->owner);
        on->backend->host_release(on->state, staging->host, staging->bytes);
    } else {
        nn__release(&nn->memory, staging->host, (size_t)staging->bytes);
    }
    memset(staging, 0, sizeof *staging);
}

NN_PRIVATE bool nn__exchange_stage(nn_trainer *trainer, nn__staging *staging, const char *who) {
    const nn__open_device *on = nn__exchange_device(trainer);
    void *host = NULL;
    memset(staging, 0, sizeof *staging);
    if (!nn__exchange_is_shared(trainer) || !trainer->shards->count || on->limits.host_memory)
        return true;
    staging->bytes = nn__shard_leaf_bytes(trainer);
    if (on->backend->host_alloc && on->backend->host_release &&
        on->backend->host_alloc(on->state, staging->bytes, &host) == NN_OK && host) {
        staging->pinned = true;
        staging->owner = on->device;
    } else {
        host = nn__allocate_for(trainer->nn, who, (size_t)staging->bytes);
    }
    staging->host = (char *)host;
    if (!host) staging->bytes = 0;
    /* the ledger's rows for steps: both directions, from a few calls */
    nn__ledger_reserve(trainer->nn, 16);
    return host != NULL;
}

/* Finds the step of the plan after which each bucket is complete. */
NN_PRIVATE void nn__exchange_follow(nn_trainer *trainer) {
    nn__exchange *exchange = &trainer->shards->exchange;
    for (int b = 0; b < exchange->count; b++) {
        nn__bucket *bucket = &exchange->buckets[b];
        bucket->until = trainer->plan->step_count;
        for (int s = 0; s < trainer->plan->step_count && bucket->node; s++)
            if (trainer->plan->steps[s].node == bucket->node) bucket->until = s + 1;
        if (!bucket->whole) continue;
        /* its pieces, which are the next buckets, are complete then too */
        bucket->until = bucket->whole_count || b == 0 ? 0 : exchange->buckets[b - 1].until;
        for (int s = 0; s < trainer->plan->step_count; s++)
            if (nn__whole_reads(trainer, bucket, trainer->plan->steps[s].node))
                bucket->until = s + 1;
    }
}

/* ---- a step ---------------------------------------------------------------------------------- */

NN_PRIVATE void nn__exchange_open(nn_trainer *trainer, nn_site site, const char *who) {
    nn__exchange *exchange = &trainer->shards->exchange;
    exchange->begun = exchange->sent = exchange->ended = 0;
    exchange->failed = false;
    exchange->site = site;
    exchange->who = who;
    if (nn__exchange_is_shared(trainer)) exchange->chain = nn__group_chain(trainer->desc.group);
}

NN_PRIVATE bool nn__exchange_overlaps(const nn_trainer *trainer) {
    return nn__exchange_is_shared(trainer) && nn__group_has_helpers(trainer->desc.group) &&
           !trainer->replicas->count;
}

NN_PRIVATE nn_view nn__exchange_view(const nn_trainer *trainer, int b) {
    const nn__bucket *bucket = &trainer->shards->exchange.buckets[b];
    nn_view view = nn__shard_leaf(trainer);
    view.offset += (uint64_t)bucket->first * sizeof(float);
    view.shape.extent[0] = bucket->count;
    return view;
}

/* True if operands travel instead of the bucket's sums (group/operands.c). If a gradient has
   several buckets, they travel with the first one, which keeps them, and nothing travels with the
   others. */
static bool nn__exchange_gathers(const nn_trainer *trainer, int b) {
    return trainer->shards->operands && trainer->shards->exchange.buckets[b].gathers;
}

static bool nn__exchange_is_empty(const nn_trainer *trainer, int b) {
    return nn__exchange_gathers(trainer, b) && !trainer->shards->exchange.buckets[b].kept;
}

/* Returns the operands of shards from `first` on. */
static nn_view nn__exchange_operands(const nn__bucket *bucket, int32_t first, int32_t shards) {
    nn_view view = nn__whole_view(bucket, first, 0);
    view.shape.rank = 1;
    view.shape.extent[0] = shards * view.shape.extent[1];
    return view;
}

/* Returns the bytes of the operands of lower ranks. */
static uint64_t nn__exchange_before(const nn_trainer *trainer, const nn__bucket *bucket) {
    return nn__whole_view(bucket, trainer->shards->first, 0).offset -
           bucket->kept->tensor->view.offset;
}

/* Returns the view that travels for a bucket: its numbers, their rounded form, or the operands of
   this rank. */
static nn_view nn__exchange_traveller(const nn_trainer *trainer, int b) {
    const nn__bucket *bucket = &trainer->shards->exchange.buckets[b];
    const nn__shards *shards = trainer->shards;
    if (nn__exchange_gathers(trainer, b) && bucket->kept)
        return nn__exchange_operands(bucket, shards->first, shards->own);
    if (!bucket->narrow) return nn__exchange_view(trainer, b);
    nn_view view = trainer->shards->wire.bytes->tensor->view;
    view.offset += (uint64_t)bucket->first * sizeof(uint16_t);
    view.shape.extent[0] = bucket->count;
    return view;
}

/* Returns the memory of this view on the host. The memory of the gradients has room for the
   operands of all ranks. */
static char *nn__exchange_numbers(const nn_trainer *trainer, int b) {
    const nn_view view = nn__exchange_traveller(trainer, b);
    const nn__exchange *exchange = &trainer->shards->exchange;
    const nn__bucket *bucket = &exchange->buckets[b];
    char *host = exchange->staging.host;
    if (!host) return (char *)view.handle + view.offset;
    host += (size_t)bucket->first * sizeof(float);
    return nn__exchange_gathers(trainer, b) && bucket->kept
               ? host + nn__exchange_before(trainer, bucket)
               : host;
}

static void nn__exchange_give_operands(nn_trainer *trainer, int b, nn_result mine) {
    nn__exchange *exchange = &trainer->shards->exchange;
    nn__bucket *bucket = &exchange->buckets[b];
    const nn_view view = nn__exchange_traveller(trainer, b);
    char *own = nn__exchange_numbers(trainer, b);
    nn__group_begin_gather(trainer->desc.group, &bucket->job, own, (size_t)nn__bytes(&view),
                           own - nn__exchange_before(trainer, bucket), mine, exchange->chain, true,
                           exchange->site, exchange->who);
}

/* Gives the next bucket to the group, with its numbers or with an error of this rank. */
static void nn__exchange_give(nn_trainer *trainer, nn_result mine) {
    nn__exchange *exchange = &trainer->shards->exchange;
    const int b = exchange->sent++;
    nn__bucket *bucket = &exchange->buckets[b];
    if (nn__exchange_is_empty(trainer, b)) {
        memset(&bucket->job, 0, sizeof bucket->job);
        bucket->job.done = true;
        if (mine != NN_OK) nn__exchange_give(trainer, mine);
        return;
    }
    if (nn__exchange_gathers(trainer, b)) {
        nn__exchange_give_operands(trainer, b, mine);
        return;
    }
    nn__group_begin_sum(trainer->desc.group, &bucket->job, nn__exchange_numbers(trainer, b),
                        (size_t)bucket->count, trainer->owners->cut && b + 1 < exchange->count,
                        bucket->narrow ? nn__wire_rests(trainer, bucket) : NULL,
                        exchange->staging.host ? 1.0 : 0.0, mine, exchange->chain,
                        b + 1 < exchange->count, exchange->site, exchange->who);
}

/* True if any rank copies its result back to a device, which may fail on that rank alone. */
static bool nn__exchange_must_confirm(const nn__exchange *exchange) {
    return exchange->ended == exchange->count && !exchange->failed &&
           exchange->buckets[exchange->count - 1].job.header.news[0] > 0.0;
}

/* Gives the group the buckets that have arrived on the host. waits: all that are on their way. */
static nn_result nn__exchange_send(nn_trainer *trainer, bool waits) {
    nn__exchange *exchange = &trainer->shards->exchange;
    const nn__open_device *on = nn__exchange_device(trainer);
    while (exchange->sent < exchange->begun) {
        const nn_fence fence = exchange->buckets[exchange->sent].there;
        if (exchange->staging.host && fence.value) {
            if (!waits && !on->backend->fence_done(on->state, fence)) return NN_OK;
            const nn_result result = on->backend->fence_wait(on->state, fence);
            if ((int)result < 0)
                return nn__fail_at(trainer->nn, exchange->site, result, "%s: waiting for %s: %s",
                                   exchange->who, on->limits.name, nn_result_text(result));
        }
        nn__exchange_give(trainer, NN_OK);
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__exchange_begin(nn_trainer *trainer) {
    nn__exchange *exchange = &trainer->shards->exchange;
    const nn__open_device *on = nn__exchange_device(trainer);
    const int b = exchange->begun;
    const nn_view view = nn__exchange_traveller(trainer, b);
    nn_result result;
    memset(&exchange->buckets[b].there, 0, sizeof exchange->buckets[b].there);
    if (nn__exchange_is_empty(trainer, b)) {
        result = NN_OK;
    } else if (exchange->staging.host) {
        result = nn__download_begin(trainer->nn, trainer->loss->device, &view,
                                    nn__exchange_numbers(trainer, b),
                                    nn__bytes(&view), "exchange", exchange->site,
                                    &exchange->buckets[b].there);
    } else {
        result = on->backend->finish(on->state);
        if ((int)result < 0)
            nn__fail_at(trainer->nn, exchange->site, result, "%s: waiting for %s: %s",
                        exchange->who, on->limits.name, nn_result_text(result));
    }
    if ((int)result < 0) return result;
    exchange->begun++;
    return nn__exchange_send(trainer, false);
}

/* Waits for the next bucket, and copies it back to the device. */
static nn_result nn__exchange_take(nn_trainer *trainer) {
    nn__exchange *exchange = &trainer->shards->exchange;
    const int b = exchange->ended++;
    const nn__bucket *bucket = &exchange->buckets[b];
    nn_view view = nn__exchange_traveller(trainer, b);
    char *numbers = nn__exchange_numbers(trainer, b);
    const nn_result result = nn__group_end(trainer->desc.group, &exchange->buckets[b].job);
    if (result != NN_OK) exchange->failed = true;
    if (result != NN_OK || !exchange->staging.host || nn__exchange_is_empty(trainer, b))
        return result;
    if (nn__exchange_gathers(trainer, b)) { /* the operands of all ranks */
        numbers -= nn__exchange_before(trainer, bucket);
        view = nn__exchange_operands(bucket, 0, trainer->shards->count);
    }
    return nn__upload(trainer->nn, trainer->loss->device, &view, numbers, nn__bytes(&view),
                      "exchange", exchange->site, NULL);
}

/* Brings an error of this rank with the next bucket. Returns the result of the first bucket that
   failed; for later ones it only waits. */
static nn_result nn__exchange_fail(nn_trainer *trainer, nn_result result) {
    nn__exchange *exchange = &trainer->shards->exchange;
    nn_group *group = trainer->desc.group;
    if (!exchange->failed && exchange->sent < exchange->count) nn__exchange_give(trainer, result);
    while (exchange->ended < exchange->sent) {
        nn__group_job *job = &exchange->buckets[exchange->ended++].job;
        const nn_result told = exchange->failed ? NN_OK : nn__group_end(group, job);
        if (exchange->failed) nn__group_await(group, job);
        if (told == NN_OK) continue;
        exchange->failed = true;
        result = told;
    }
    return result;
}

/* Adds the buckets of a step to the trace of a profile. */
static void nn__exchange_tell(nn_trainer *trainer) {
#ifndef NN_NO_REPORTS
    const nn__exchange *exchange = &trainer->shards->exchange;
    char name[32];
    for (int b = 0; b < exchange->count && trainer->plan->profiler; b++) {
        const nn__group_job *job = &exchange->buckets[b].job;
        if (job->begun == 0) continue;
        nn__format(name, sizeof name, "exchange %d", b);
        trainer->plan->profiler->beside(trainer->plan, name, job->begun, job->ended,
                                        job->count * nn_dtype_size(job->dtype));
    }
#else
    (void)trainer;
#endif
}

NN_PRIVATE nn_result nn__exchange_end(nn_trainer *trainer, nn_result mine, bool *confirm) {
    nn__exchange *exchange = &trainer->shards->exchange;
    /* Copying back to a device may fail. The last bucket tells the others whether it has failed so
       far; for the last bucket itself, the ranks ask each other (confirm). */
    const int last = exchange->count - 1, early = exchange->staging.host ? last : exchange->count;
    nn_result result = mine;
    *confirm = false;
    if (!nn__exchange_is_shared(trainer)) return mine;
    exchange->passed = nn__system_now();
    while (exchange->begun < early && result == NN_OK) result = nn__exchange_begin(trainer);
    if (result == NN_OK) result = nn__exchange_send(trainer, true);
    while (exchange->ended < early && result == NN_OK) result = nn__exchange_take(trainer);
    while (exchange->begun <= last && result == NN_OK) result = nn__exchange_begin(trainer);
    if (result == NN_OK) result = nn__exchange_send(trainer, true);
    while (exchange->ended <= last && result == NN_OK) result = nn__exchange_take(trainer);
    *confirm = nn__exchange_must_confirm(exchange);
    if (*confirm) trainer->confirms = true;
    if (result != NN_OK && !*confirm) return nn__exchange_fail(trainer, result);
    nn__exchange_tell(trainer);
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_exchange_part; /* a part must not be empty under NN__NO_TRAINER */
