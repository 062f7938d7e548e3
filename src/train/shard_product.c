/* train/shard_product.c - gradients of weights that are large beside what a shard's samples make of
   them. Each pass only keeps the two operands of its product, and behind the last one a single
   product over all shards of the device makes their sum, added in the tree as ever: the weight's
   size is written once a step, not weighed, written and added once a shard.

   Whether a gradient is such a one depends on the net, the batch and the number of shards, so that
   all ranks cut the leaf into the same buckets. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#define NN__WHOLE_LEAST 4096 /* numbers of a weight for which it pays */

/* ---- made with the trainer ------------------------------------------------------------------- */

/* Numbers that a shard has of it, at most; 0: no rows of the batch. */
static uint64_t nn__whole_numbers(const nn_trainer *trainer, const nn_node *node) {
    if (!nn__free_extents(node->shape, NN__OF_BATCH)) return 0;
    return nn__node_bytes(node, trainer->shards.share, nn__maxi(trainer->desc.time, 1)) /
           sizeof(float);
}

NN_PRIVATE bool nn__whole_suits(const nn_trainer *trainer, const nn_node *gradient) {
    const int64_t most = INT32_MAX / 2;
    if (trainer->desc.wire == NN_BF16 || trainer->tape.together || !nn__is_weight_product(gradient))
        return false;
    const nn_node *dy = gradient->inputs[0], *x = gradient->inputs[1];
    /* an operand that is computed again is not there to be kept */
    if (dy->graph != &trainer->tape || x->graph != &trainer->net->graph) return false;
    if (dy->dtype != NN_F32 || x->dtype != NN_F32) return false;
    const int64_t a = (int64_t)nn__whole_numbers(trainer, dy),
                  b = (int64_t)nn__whole_numbers(trainer, x), all = nn_shape_count(gradient->shape);
    return a > 0 && b > 0 && all >= NN__WHOLE_LEAST && a + b <= all / 4 && a + b <= most;
}

static nn_node *nn__whole_state(nn_trainer *trainer, const nn_node *like, uint64_t numbers,
                                const char *suffix) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = trainer->shards.mine;
    shape.extent[1] = (int32_t)numbers;
    return nn__describe_state(trainer, like, suffix, shape);
}

/* The product of a step whose shards are full; its views are there in a step only. */
static void nn__whole_args(const nn_trainer *trainer, const nn_node *gradient, uint64_t factors,
                           nn_shard_product_args *args) {
    memset(args, 0, sizeof *args);
    args->m = gradient->shape.extent[0];
    args->n = gradient->shape.extent[1];
    args->shards = trainer->shards.mine;
    args->rows = (int32_t)(factors / (uint64_t)args->m);
    args->total = args->rows * args->shards;
}

/* On OpenCL a product as usual is faster. It has the same bytes, and takes its scratch from the
   plan: so it is also what is made where nn_desc.scratch_bytes is less than the other one needs. */
static bool nn__whole_pays(const nn_trainer *trainer, nn_node *const *from, int count) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    bool pays = on && on->device.kind == NN_CPU;
    nn__install_shard_sum(trainer->nn);
    for (int i = 0; i < count && pays; i++) {
        nn_shard_product_args args;
        nn__whole_args(trainer, from[i], nn__whole_numbers(trainer, from[i]->inputs[0]), &args);
        pays = on->backend->scratch_bytes(on->state, NN_KERNEL_SHARD_PRODUCT, &args) <=
               trainer->nn->desc.scratch_bytes;
    }
    return pays;
}

NN_PRIVATE bool nn__whole_describe(nn_trainer *trainer, nn__tape *tape, nn_node *const *to,
                                   nn_node *const *from, int count, const nn__running_mean *mean,
                                   nn__bucket *bucket) {
    nn__shards *shards = &trainer->shards;
    if (!nn__whole_pays(trainer, from, count)) return false;
    if (!shards->weighs && (mean->count || mean->of_batch || mean->of_time)) {
        shards->weights = nn__whole_state(trainer, trainer->loss, 1, ".weights");
        shards->weighs = nn__add_kept(tape, trainer->site, shards->weights, mean->count, mean);
        trainer->targets[trainer->target_count++] = shards->weighs;
    }
    bucket->whole_first = shards->whole_count;
    bucket->whole_count = count;
    for (int i = 0; i < count; i++) {
        nn__whole *whole = &shards->wholes[shards->whole_count++];
        whole->gradient = to[i];
        for (int k = 0; k < 2; k++) {
            whole->operands[k] = from[i]->inputs[k];
            whole->kept[k] = nn__whole_state(trainer, to[i],
                                             nn__whole_numbers(trainer, whole->operands[k]),
                                             k ? ".rows" : ".factors");
            whole->keeps[k] = nn__add_kept(tape, trainer->site, whole->kept[k],
                                           whole->operands[k], NULL);
            trainer->targets[trainer->target_count++] = whole->keeps[k];
        }
    }
    return true;
}

/* Is it one of those of the bucket that must have run before they are complete? */
NN_PRIVATE bool nn__whole_reads(const nn_trainer *trainer, const nn__bucket *bucket,
                                const nn_node *node) {
    if (bucket->whole_count > 0 && node == trainer->shards.weighs) return true;
    for (int i = 0; i < bucket->whole_count; i++) {
        const nn__whole *whole = &trainer->shards.wholes[bucket->whole_first + i];
        if (whole->keeps[0] == node || whole->keeps[1] == node) return true;
    }
    return false;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Own shard i has the samples of which the plan's run is; i < 0: none has any yet. */
NN_PRIVATE void nn__whole_passes(nn_trainer *trainer, int32_t i) {
    const nn__run_values *run = &trainer->plan->run;
    for (int k = 0; k < trainer->shards.whole_count; k++) {
        nn__whole *whole = &trainer->shards.wholes[k];
        const nn_shape *shape = &whole->operands[0]->shape;
        nn_shape now;
        if (i <= 0) whole->rows = whole->total = 0;
        if (i < 0) continue;
        nn__resolve_shape(&now, shape, run->batch, run->time);
        const int32_t rows = (int32_t)(nn_shape_count(now) / shape->extent[shape->rank - 1]);
        if (i == 0) whole->rows = rows; /* no other has more */
        whole->total += rows;
    }
}

NN_PRIVATE nn_result nn__whole_run(nn_trainer *trainer, const nn__bucket *bucket, nn_site site,
                                   const char *who) {
    const nn__shards *shards = &trainer->shards;
    nn_result result = NN_OK;
    for (int i = 0; i < bucket->whole_count && result == NN_OK; i++) {
        const nn__whole *whole = &shards->wholes[bucket->whole_first + i];
        const nn_view *a = &whole->kept[0]->tensor->view;
        nn_shard_product_args args;
        nn__whole_args(trainer, whole->gradient, (uint64_t)a->shape.extent[1], &args);
        args.y = whole->gradient->tensor->view;
        args.a = *a;
        args.b = whole->kept[1]->tensor->view;
        if (!shards->rehearses) { /* which makes room for the longest product */
            args.rows = whole->rows;
            args.total = whole->total;
        }
        args.a_step = args.a.shape.extent[1];
        args.b_step = args.b.shape.extent[1];
        if (shards->weights) args.weights = shards->weights->tensor->view;
        args.weight_step = 1;
        nn__install_shard_sum(trainer->nn);
        result = nn__shard_kernel(trainer, NN_KERNEL_SHARD_PRODUCT, &args, &args.scratch, site,
                                  who);
    }
    return result;
}

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__whole_note(const nn_trainer *trainer, char *text, size_t size) {
    const nn__shards *shards = &trainer->shards;
    const size_t used = strlen(text);
    uint64_t bytes = 0;
    for (int i = 0; i < shards->whole_count; i++)
        for (int k = 0; k < 2; k++) bytes += nn__node_bytes(shards->wholes[i].kept[k], 1, 1);
    if (shards->whole_count > 0)
        nn__format(text + used, size - used,
                   "\n%d gradients are made behind the last shard, of %llu bytes that all shards "
                   "keep for them",
                   shards->whole_count, (unsigned long long)bytes);
}
#endif

#undef NN__WHOLE_LEAST

#endif /* NN_NO_TRAINING */

typedef int nn__shard_product_train_part; /* a part must not be empty under NN_NO_TRAINING */
