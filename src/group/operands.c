/* group/operands.c - exchanges the operands of a gradient's product instead of the gradient, if the
   gradient is large compared with them. From the operands, each rank computes its part of the
   gradient for all samples. No whole gradient and no sum of gradients is ever written ("sufficient
   factors": Xie et al., "Lighter-communication distributed machine learning via sufficient factor
   broadcasting", 2016). Each shard's product joins the same tree of sums as elsewhere, so the bytes
   are the same.

   This needs ranks that want only their part of the gradient: nn_trainer_desc.shard_state
   (group/owners.c). */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- made with the trainer ------------------------------------------------------------------- */

NN_PRIVATE bool nn__operands_suit(const nn_trainer *trainer, const nn__bucket *bucket,
                                  int32_t row) {
    const nn__shards *shards = trainer->shards;
    const uint64_t numbers = (uint64_t)shards->count * (uint64_t)row;
    uint64_t all = 0;
    if (!trainer->owners->cut || nn__device_count(&trainer->desc) > 1) return false;
    for (int i = 0; i < bucket->whole_count; i++) {
        const nn_node *one = shards->wholes[bucket->whole_first + i].one;
        if (nn__op_shard_conv2d(one, NULL)) return false;
        all += (uint64_t)nn_shape_count(one->shape);
    }
    return numbers <= all / 4 * 3;
}

NN_PRIVATE nn__running_mean nn__operands_count(const nn__whole *whole) {
    const nn_shape *shape = &whole->operands[0]->shape;
    nn__running_mean rows;
    memset(&rows, 0, sizeof rows);
    for (int i = 0; i < shape->rank; i++) {
        rows.of_batch |= (nn__extent_kind(shape->extent[i]) & NN__OF_BATCH) != 0;
        rows.of_time |= (nn__extent_kind(shape->extent[i]) & NN__OF_TIME) != 0;
    }
    return rows;
}

/* Returns a number that identifies the buckets whose operands this rank can exchange. */
static double nn__operands_hash(const nn__exchange *exchange) {
    int hash = 0;
    for (int b = 0; b < exchange->count; b++)
        if (exchange->buckets[b].kept && exchange->buckets[b].gathers)
            hash = (hash * 31 + b + 1) % 8191;
    return (double)hash;
}

/* Finds out whether all ranks can exchange the operands of the same buckets. The abilities and the
   memory of their devices may differ. */
NN_PRIVATE nn_result nn__operands_agree(nn_trainer *trainer, nn_site site, const char *who) {
    const double mine = nn__operands_hash(&trainer->shards->exchange);
    const double ranks = (double)trainer->owners->ranks;
    double sums[2];
    nn_result result;
    sums[0] = mine;
    sums[1] = mine * mine;
    result = nn__group_news(trainer->desc.group, NN_OK, NULL, sums, 2, site, who);
    /* no variance: all ranks have the same number */
    trainer->shards->operands =
        result == NN_OK && mine > 0.0 && sums[1] * ranks == sums[0] * sums[0];
#ifndef NN_NO_REPORTS
    if (trainer->shards->operands) trainer->plan->note = nn__shard_note(trainer);
#endif
    return result;
}

#ifndef NN_NO_REPORTS
NN_PRIVATE uint64_t nn__operands_save(const nn_trainer *trainer) {
    const nn__exchange *exchange = &trainer->shards->exchange;
    uint64_t saved = 0;
    if (!trainer->shards->operands && !nn__trainer_is_dry(&trainer->desc)) return 0;
    for (int b = 0; b < exchange->count; b++) {
        const nn__bucket *bucket = &exchange->buckets[b];
        if (!bucket->gathers) continue;
        saved += (uint64_t)bucket->count * sizeof(float);
        if (bucket->kept) saved -= nn__node_bytes(bucket->kept, 1, 1);
    }
    return saved;
}
#endif

/* ---- a step ---------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__operands_clear(nn_trainer *trainer, int32_t i, nn_site site,
                                        const char *who) {
    const nn__exchange *exchange = &trainer->shards->exchange;
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn_result result = NN_OK;
    for (int b = 0; b < exchange->count && (int)result >= 0; b++) {
        const nn__bucket *bucket = &exchange->buckets[b];
        if (!bucket->kept || !bucket->gathers) continue;
        const nn_view row = nn__whole_view(bucket, trainer->shards->first + i, 0);
        result = on->backend->fill(on->state, row.handle, row.offset,
                                   (uint64_t)row.shape.extent[1] * sizeof(float), 0);
    }
    return (int)result >= 0 ? NN_OK
                            : nn__fail_at(trainer->nn, site, result,
                                          "%s: %s could not clear its memory", who,
                                          on->limits.name);
}

/* Computes rows [first, end) of a gradient from all shards of all ranks. */
static nn_result nn__operands_product(nn_trainer *trainer, const nn__bucket *bucket, int i,
                                      int32_t first, int32_t end, nn_site site, const char *who) {
    const nn__whole *whole = &trainer->shards->wholes[bucket->whole_first + i];
    const nn_shape *shape = &whole->operands[0]->shape;
    nn_shape one;
    nn__whole_args call;
    nn_shard_product_args *args = &call.product;
    nn__whole_full(trainer, whole->one, bucket->kept->tensor->view.shape.extent[1], &call);
    args->shards = trainer->shards->count;
    args->total = 0;
    args->counts = nn__whole_view(bucket, 0, 1 + i);
    nn__resolve_shape(&one, shape, 1, 1);
    args->count_rows = (int32_t)(nn_shape_count(one) / args->m);
    args->m = end - first;
    args->y = whole->gradient->tensor->view;
    args->y.offset += (uint64_t)first * (uint64_t)args->n * sizeof(float);
    args->y.shape.extent[0] = args->m;
    args->a = nn__whole_view(bucket, 0, whole->at[0] + first);
    args->b = nn__whole_view(bucket, 0, whole->at[1]);
    if (bucket->weighs) args->weights = nn__whole_view(bucket, 0, 0);
    return nn__whole_call(trainer, &call, site, who);
}

/* Computes the gradients in `part`; begins: the bucket with which they begin. If a part ends within
   a row, the whole row is computed. */
static nn_result nn__operands_part(nn_trainer *trainer, const nn__bucket *begins,
                                   const nn_view *part, nn_site site, const char *who) {
    const int64_t from = (int64_t)(part->offset / sizeof(float)),
                  to = from + part->shape.extent[0];
    nn_result result = NN_OK;
    for (int i = 0; i < begins->whole_count && result == NN_OK; i++) {
        const nn_view *y =
            &trainer->shards->wholes[begins->whole_first + i].gradient->tensor->view;
        const int64_t at = (int64_t)(y->offset / sizeof(float)), n = y->shape.extent[1];
        const int64_t low = nn__max64(from, at),
                      high = nn__min64(to, at + nn_shape_count(y->shape));
        if (low < high)
            result = nn__operands_product(trainer, begins, i, (int32_t)((low - at) / n),
                                          (int32_t)((high - at + n - 1) / n), site, who);
    }
    return result;
}

NN_PRIVATE nn_result nn__operands_run(nn_trainer *trainer, nn_site site, const char *who) {
    const nn__shards *shards = trainer->shards;
    const nn__bucket *begins = NULL;
    nn_result result = NN_OK;
    for (int b = 0; b < shards->exchange.count && result == NN_OK; b++) {
        const nn__bucket *bucket = &shards->exchange.buckets[b];
        if (bucket->kept) begins = bucket;
        if (!bucket->gathers || !begins || !(shards->operands || shards->rehearses)) continue;
        const nn_view part = nn__owners_bucket(trainer, b);
        result = nn__operands_part(trainer, begins, &part, site, who);
    }
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__operands_part_of_train; /* a part must not be empty under NN__NO_TRAINER */
