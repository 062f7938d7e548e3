/* group/shard_product.c - gradients of weights that are large compared with the shard's operands.
   Each pass keeps only the two operands of the product (or convolution). After the last pass, one
   kernel over all shards of the device computes their sum, added in the same tree. So an array of
   the weight's size is written once a step, instead of being weighted, written and added once for
   each shard.

   The choice depends on the net, the batch and the number of shards, so that all ranks cut the leaf
   into the same buckets. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

#define NN__WHOLE_LEAST   4096  /* least numbers of a weight for which this pays */
#define NN__WHOLE_FILTERS 65536 /* the same for a convolution */

/* ---- made with the trainer ------------------------------------------------------------------- */

/* Returns the most numbers that a shard has of the node; 0: it has no batch axis. */
static uint64_t nn__whole_numbers(const nn_trainer *trainer, const nn_node *node) {
    if (!nn__free_extents(node->shape, NN__OF_BATCH)) return 0;
    return nn__node_bytes(node, trainer->shards->shard_samples, nn__maxi(trainer->desc.time, 1)) /
           sizeof(float);
}

NN_PRIVATE nn__whole_kind nn__whole_suits(const nn_trainer *trainer, const nn_node *gradient) {
    const int64_t most = INT32_MAX / 2;
    const bool convolution = nn__op_shard_conv2d(gradient, NULL);
    if (trainer->desc.wire == NN_BF16 || trainer->tape.together ||
        (!nn__is_weight_product(gradient) && !convolution))
        return NN__WHOLE_NOT;
    const nn_node *dy = gradient->inputs[0], *x = gradient->inputs[1];
    /* an operand that is recomputed cannot be kept */
    if (dy->graph != &trainer->tape || x->graph != &trainer->net->graph) return NN__WHOLE_NOT;
    if (dy->dtype != NN_F32 || x->dtype != NN_F32) return NN__WHOLE_NOT;
    const int64_t a = (int64_t)nn__whole_numbers(trainer, dy),
                  b = (int64_t)nn__whole_numbers(trainer, x), all = nn_shape_count(gradient->shape);
    if (a == 0 || b == 0 || a + b > most) return NN__WHOLE_NOT;
    if (convolution)
        return all >= NN__WHOLE_FILTERS && a + b <= all / 2 ? NN__WHOLE_CONVOLUTION
                                                            : NN__WHOLE_NOT;
    return all >= NN__WHOLE_LEAST && a + b <= all / 4 ? NN__WHOLE_PRODUCT : NN__WHOLE_NOT;
}

static void *nn__whole_arguments(nn__whole_args *call) {
    return call->kernel == NN_KERNEL_SHARD_CONV2D ? (void *)&call->convolution
                                                  : (void *)&call->product;
}

/* Fills in arguments for shards of `rows` rows or images each, `total` in all. Views are set in a
   step. step: numbers between two shards. */
static void nn__whole_fill(const nn_trainer *trainer, const nn_node *gradient, int32_t step,
                           int32_t rows, int32_t total, nn__whole_args *call) {
    const nn_shape *shape = &gradient->shape;
    memset(call, 0, sizeof *call);
    call->kernel = NN_KERNEL_SHARD_PRODUCT;
    if (nn__op_shard_conv2d(gradient, &call->convolution)) {
        nn_shard_conv2d_args *args = &call->convolution;
        call->kernel = NN_KERNEL_SHARD_CONV2D;
        args->direct = trainer->desc.direct_convolutions;
        args->shards = trainer->shards->mine;
        args->images = rows;
        args->total = total;
        args->y_step = args->x_step = args->weight_step = step;
        return;
    }
    call->product.m = call->product.a_row = shape->extent[0];
    call->product.n = shape->extent[1];
    call->product.shards = trainer->shards->mine;
    call->product.rows = rows;
    call->product.total = total;
    call->product.a_step = call->product.b_step = call->product.weight_step = step;
}

/* Returns the rows, or images, of an operand with this number of elements. */
static int32_t nn__whole_rows(const nn_node *gradient, uint64_t numbers) {
    const nn_shape *dy = &gradient->inputs[0]->shape;
    uint64_t row = 1;
    if (!nn__op_shard_conv2d(gradient, NULL)) return (int32_t)(numbers /
                                                        (uint64_t)gradient->shape.extent[0]);
    for (int i = 1; i < dy->rank; i++) row *= (uint64_t)dy->extent[i];
    return (int32_t)(numbers / row);
}

NN_PRIVATE void nn__whole_full(const nn_trainer *trainer, const nn_node *gradient, int32_t step,
                               nn__whole_args *call) {
    const int32_t rows =
        nn__whole_rows(gradient, nn__whole_numbers(trainer, gradient->inputs[0]));
    nn__whole_fill(trainer, gradient, step, rows, rows * trainer->shards->mine, call);
}

/* True if this is faster than shard by shard, which it is not on OpenCL. Both have the same bytes,
   and shard by shard takes its scratch from the plan. So the latter is also used if
   nn_desc.scratch_bytes is too small, and if the CPU computes a shard's gradient with an algorithm
   that the kernel over shards lacks. */
static bool nn__whole_pays(const nn_trainer *trainer, nn_node *const *from, int count) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    bool pays = on && on->device.kind == NN_CPU;
    nn__install_shard_sum(trainer->nn);
    nn__install_shard_conv2d(trainer->nn);
    for (int i = 0; i < count && pays; i++) {
        nn__whole_args call;
        nn__whole_full(trainer, from[i], 0, &call);
        void *args = nn__whole_arguments(&call);
        pays = nn__has_kernel(on->backend, call.kernel) &&
               nn__supports(on, call.kernel, args, NULL, 0) &&
               on->backend->scratch_bytes(on->state, call.kernel, args) <=
                   trainer->nn->desc.scratch_bytes;
    }
    return pays;
}

/* Lays out a bucket's row for each shard: its weight, the rows of each gradient, then operands.
   Returns the numbers of a row; 0: too many. */
static int32_t nn__whole_lay_out(const nn_trainer *trainer, const nn__bucket *bucket) {
    nn__whole *wholes = &trainer->shards->wholes[bucket->whole_first];
    uint64_t row = nn__padded(sizeof(float) * (uint64_t)(1 + bucket->whole_count)) / sizeof(float);
    for (int i = 0; i < bucket->whole_count; i++)
        for (int k = 0; k < 2; k++) {
            const uint64_t numbers = nn__whole_numbers(trainer, wholes[i].operands[k]);
            wholes[i].at[k] = (int32_t)row;
            row += nn__padded(numbers * sizeof(float)) / sizeof(float);
            if (row > (uint64_t)INT32_MAX) return 0;
        }
    return (int32_t)row;
}

static nn_node *nn__whole_store(nn_trainer *trainer, nn__tape *tape, const nn__bucket *bucket,
                                int32_t at, nn_node *value, const nn__running_mean *count) {
    const int32_t first = bucket->gathers ? trainer->shards->first * bucket->kept->shape.extent[1]
                                          : 0;
    nn_node *node = nn__add_shard_row(tape, trainer->site, bucket->kept, first + at, value, count);
    trainer->targets[trainer->target_count++] = node;
    return node;
}

NN_PRIVATE bool nn__whole_describe(nn_trainer *trainer, nn__tape *tape, nn_node *const *to,
                                   nn_node *const *from, int count, const nn__running_mean *mean,
                                   nn__bucket *bucket) {
    nn__shards *shards = trainer->shards;
    nn__whole *wholes = &shards->wholes[shards->whole_count];
    nn_shape shape;
    if (!nn__whole_pays(trainer, from, count)) return false;
    memset(wholes, 0, sizeof *wholes * (size_t)count);
    for (int i = 0; i < count; i++) {
        wholes[i].gradient = to[i];
        wholes[i].one = from[i];
        for (int k = 0; k < 2; k++) wholes[i].operands[k] = from[i]->inputs[k];
    }
    bucket->whole_first = shards->whole_count;
    bucket->whole_count = count;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[1] = nn__whole_lay_out(trainer, bucket);
    if (shape.extent[1] == 0) {
        bucket->whole_count = 0;
        return false;
    }
    bucket->gathers = nn__operands_suit(trainer, bucket, shape.extent[1]);
    shape.extent[0] = bucket->gathers ? shards->count : shards->mine;
    bucket->kept = nn__describe_state(trainer, to[0], ".operands", shape);
    shards->whole_count += count;
    if (mean->count || mean->of_batch || mean->of_time)
        bucket->weighs = nn__whole_store(trainer, tape, bucket, 0, mean->count, mean);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++)
            wholes[i].keeps[k] = nn__whole_store(trainer, tape, bucket, wholes[i].at[k],
                                                 wholes[i].operands[k], NULL);
        if (bucket->gathers) {
            const nn__running_mean rows = nn__operands_count(&wholes[i]);
            wholes[i].keeps[2] = nn__whole_store(trainer, tape, bucket, 1 + i, NULL, &rows);
        }
    }
    return true;
}

/* True if the bucket is complete only after this node. */
NN_PRIVATE bool nn__whole_reads(const nn_trainer *trainer, const nn__bucket *bucket,
                                const nn_node *node) {
    if (bucket->weighs == node) return true;
    for (int i = 0; i < bucket->whole_count; i++) {
        const nn__whole *whole = &trainer->shards->wholes[bucket->whole_first + i];
        for (int k = 0; k < 3; k++)
            if (whole->keeps[k] == node) return true;
    }
    return false;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Records the samples of own shard i, which the plan's run has; i < 0: no shard has passed yet. */
NN_PRIVATE void nn__whole_passes(nn_trainer *trainer, int32_t i) {
    const nn__run_values *run = &trainer->plan->run;
    for (int k = 0; k < trainer->shards->whole_count; k++) {
        nn__whole *whole = &trainer->shards->wholes[k];
        nn_shape now;
        if (i <= 0) whole->rows = whole->total = 0;
        if (i < 0) continue;
        nn__resolve_shape(&now, &whole->operands[0]->shape, run->batch, run->time);
        const int32_t rows = nn__whole_rows(whole->one, (uint64_t)nn_shape_count(now));
        if (i == 0) whole->rows = rows; /* no later shard has more */
        whole->total += rows;
    }
}

/* Computes value = count ? value * count : 0, the weighting of ordinary shards (ops/counted.c). */
static nn_result nn__whole_weigh(nn_trainer *trainer, const nn_view *value,
                                 const nn_shard_conv2d_args *all, int shard, nn_site site,
                                 const char *who) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                          {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                          {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f},
                                          {NN_CODE_CONSTANT, 0, 0, 0, 0.0f},
                                          {NN_CODE_SELECT, 1, 2, 3, 0.0f}};
    nn_program_args args;
    if (!nn__present(&all->weights)) return NN_OK;
    nn__shard_begin_program(&args, code, 5, 2);
    args.outputs[0] = args.inputs[0] = *value;
    args.inputs[1] = all->weights;
    args.inputs[1].offset += sizeof(float) * (uint64_t)shard * (uint64_t)all->weight_step;
    memset(&args.inputs[1].shape, 0, sizeof args.inputs[1].shape);
    return nn__shard_program(trainer, &args, site, who);
}

/* Computes a convolution's gradient shard by shard. This is for last shards with so few images
   that the convolution would not use Winograd. The bytes are the same as if each shard had been
   computed at once. */
static nn_result nn__whole_by_shards(nn_trainer *trainer, const nn_shard_conv2d_args *all,
                                     nn_site site, const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn_view flat = all->weight;
    nn_result result = NN_OK;
    flat.shape.rank = 1;
    flat.shape.extent[0] = (int32_t)nn_shape_count(all->weight.shape);
    for (int shard = 0; shard < all->shards && result == NN_OK; shard++) {
        const int images = nn__shard_conv2d_images(all, shard);
        nn_conv2d_args one;
        int level = 0;
        memset(&one, 0, sizeof one);
        nn__shard_conv2d_one(all, shard, images, &one);
        if (images == 0) {
            result = on->backend->fill(on->state, flat.handle, flat.offset, nn__bytes(&flat), 0);
        } else {
            result = nn__shard_kernel(trainer, NN_KERNEL_CONV2D_BACKWARD_WEIGHT, &one,
                                      &one.scratch, site, who);
            if (result == NN_OK)
                result = nn__whole_weigh(trainer, &flat, all, shard, site, who);
        }
        for (; shard >> level & 1 && result == NN_OK; level++) {
            const nn_view sum = nn__shard_pending(trainer, level, &flat);
            result = nn__shard_add(trainer, &flat, &sum, &flat, site, who);
        }
        if (shard + 1 == all->shards || result != NN_OK) break;
        const nn_view waits = nn__shard_pending(trainer, level, &flat);
        result = nn__shard_copy(trainer, &waits, &flat, nn__bytes(&flat), site, who);
    }
    return result;
}

/* Prepares memory for nn__whole_by_shards with any number of remaining images. */
static nn_result nn__whole_rehearse_by_shards(nn_trainer *trainer, const nn_shard_conv2d_args *all,
                                              nn_site site, const char *who) {
    nn_result result = NN_OK;
    for (int images = 1; images <= all->images && result == NN_OK; images++) {
        nn_conv2d_args one;
        memset(&one, 0, sizeof one);
        nn__shard_conv2d_one(all, 0, images, &one);
        result = nn__shard_kernel(trainer, NN_KERNEL_CONV2D_BACKWARD_WEIGHT, &one, &one.scratch,
                                  site, who);
    }
    return result;
}

NN_PRIVATE nn_result nn__whole_call(nn_trainer *trainer, nn__whole_args *call, nn_site site,
                                    const char *who) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn_shard_conv2d_args *all = &call->convolution;
    nn__install_shard_sum(trainer->nn);
    nn__install_shard_conv2d(trainer->nn);
    if (call->kernel == NN_KERNEL_SHARD_PRODUCT)
        return nn__shard_kernel(trainer, call->kernel, &call->product, &call->product.scratch,
                                site, who);
    if (!nn__supports(on, call->kernel, all, NULL, 0))
        return nn__whole_by_shards(trainer, all, site, who);
    const nn_result result =
        nn__shard_kernel(trainer, call->kernel, all, &all->scratch, site, who);
    return result == NN_OK && trainer->shards->rehearses
               ? nn__whole_rehearse_by_shards(trainer, all, site, who)
               : result;
}

NN_PRIVATE nn_view nn__whole_view(const nn__bucket *bucket, int32_t shard, int32_t at) {
    nn_view view = bucket->kept->tensor->view;
    view.offset += ((uint64_t)shard * (uint64_t)view.shape.extent[1] + (uint64_t)at) *
                   sizeof(float);
    return view;
}

NN_PRIVATE nn_result nn__whole_run(nn_trainer *trainer, const nn__bucket *bucket, nn_site site,
                                   const char *who) {
    const nn__shards *shards = trainer->shards;
    const int32_t first = bucket->gathers ? shards->first : 0;
    nn_result result = NN_OK;
    for (int i = 0; i < bucket->whole_count && result == NN_OK; i++) {
        const nn__whole *whole = &shards->wholes[bucket->whole_first + i];
        const int32_t step = bucket->kept->tensor->view.shape.extent[1];
        nn__whole_args call;
        nn__whole_full(trainer, whole->one, step, &call); /* room for full shards */
        if (!shards->rehearses)
            nn__whole_fill(trainer, whole->one, step, whole->rows, whole->total, &call);
        call.product.y = call.convolution.weight = whole->gradient->tensor->view;
        call.product.a = call.convolution.y = nn__whole_view(bucket, first, whole->at[0]);
        call.product.b = call.convolution.x = nn__whole_view(bucket, first, whole->at[1]);
        if (bucket->weighs)
            call.product.weights = call.convolution.weights = nn__whole_view(bucket, first, 0);
        result = nn__whole_call(trainer, &call, site, who);
    }
    return result;
}

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__whole_note(const nn_trainer *trainer, char *text, size_t size) {
    const nn__shards *shards = trainer->shards;
    const size_t used = strlen(text);
    uint64_t bytes = 0;
    for (int b = 0; b < shards->exchange.count; b++)
        if (shards->exchange.buckets[b].kept)
            bytes += nn__node_bytes(shards->exchange.buckets[b].kept, 1, 1);
    if (shards->whole_count > 0)
        nn__format(text + used, size - used,
                   "\n%d gradients are computed after the last shard, from %llu bytes that all "
                   "shards keep for them%s",
                   shards->whole_count, (unsigned long long)bytes,
                   nn__operands_save(trainer)
                       ? "; of large ones, ranks exchange the operands, not the sums"
                       : "");
}
#endif

#undef NN__WHOLE_LEAST
#undef NN__WHOLE_FILTERS

#endif /* NN__NO_TRAINER */

typedef int nn__shard_product_train_part; /* a part must not be empty under NN__NO_TRAINER */
