/* group/shard_describe.c - what a trainer with shards describes in addition: the leaf that each
   shard writes, room for sums of leaves, and the buffers that shards share. group/shard.c runs
   it. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- buffers --------------------------------------------------------------------------------- */

/* Marks with 1 in node->value the effects of the model that happen in each batch: those whose
   inputs are all needed for the loss or a metric, as in plan/order.c. False: no memory. */
static bool nn__shard_mark_effects(nn_trainer *trainer) {
    nn__graph *graph = &trainer->net->graph;
    nn_node **nodes;
    int count = 0;
    for (nn_node *node = graph->first; node; node = node->next, count++) node->wanted = false;
    nodes = (nn_node **)nn__arena_take(&trainer->tape.arena, sizeof *nodes * (size_t)count);
    if (!nodes) return nn__describe_no_memory(trainer);
    count = 0;
    for (nn_node *node = graph->first; node; node = node->next) nodes[count++] = node;
    trainer->loss->wanted = true;
    for (int i = 0; i < trainer->metric_count; i++) trainer->desc.metrics.node[i]->wanted = true;
    for (int i = count - 1; i >= 0; i--) { /* nodes come after their inputs */
        if (!nodes[i]->wanted) continue;
        if (nodes[i]->owner) nodes[i]->owner->wanted = true;
        for (int j = 0; j < nodes[i]->input_count; j++) nodes[i]->inputs[j]->wanted = true;
    }
    for (nn_node *node = graph->first; node; node = node->next) {
        int value = node->kind == NN__INPUT ? (node->wanted ? 1 : -1)
                    : node->owner           ? node->owner->value
                                            : 0;
        for (int i = 0; i < node->input_count && value >= 0; i++)
            if (node->inputs[i]->value != 0) value = node->inputs[i]->value;
        node->value = value;
    }
    return true;
}

/* Lists the buffers that a pass over a batch writes, each once. to: NULL to only count them. */
static int nn__shard_list_buffers(nn_trainer *trainer, nn__carried *to) {
    int count = 0;
    for (nn_node *buffer = trainer->net->graph.first; buffer; buffer = buffer->next) {
        bool written = false;
        if (buffer->kind != NN__BUFFER ||
            !nn__owns_buffer(trainer->net, &trainer->desc, trainer->groups, buffer))
            continue;
        for (nn_node *node = trainer->net->graph.first; node && !written; node = node->next) {
            if (!nn__is_model_effect(node) || node->value != 1) continue;
            for (int i = 0; i < node->input_count; i++)
                written |= node->inputs[i] == buffer && nn__writes(node, i);
        }
        if (!written) continue;
        if (to) to[count].buffer = buffer;
        count++;
    }
    return count;
}

static nn_node *nn__shard_copy_of(nn_trainer *trainer, const nn_node *buffer, const char *suffix) {
    char name[NN_NAME_BYTES];
    nn_node *node;
    nn__format(name, sizeof name, "%.*s%s", NN_NAME_BYTES - 1 - (int)strlen(suffix), buffer->name,
               suffix);
    node = nn__add_leaf(&trainer->tape, trainer->site, NN__STATE, name, buffer->dtype,
                        &buffer->shape);
    nn__place_like(node, buffer);
    return node;
}

static bool nn__shard_is_float(nn_dtype dtype) { return dtype == NN_F32 || nn__is_half(dtype); }

static bool nn__shard_describe_buffers(nn_trainer *trainer) {
    nn__shards *shards = trainer->shards;
    if (!nn__shard_mark_effects(trainer)) return false;
    const int count = nn__shard_list_buffers(trainer, NULL);
    shards->carried = (nn__carried *)nn__arena_take(
        &trainer->tape.arena, sizeof *shards->carried * (size_t)nn__maxi(count, 1));
    if (!shards->carried) return nn__describe_no_memory(trainer);
    memset(shards->carried, 0, sizeof *shards->carried * (size_t)nn__maxi(count, 1));
    shards->carried_count = nn__shard_list_buffers(trainer, shards->carried);
    for (int i = 0; i < count; i++) {
        nn__carried *one = &shards->carried[i];
        one->saved = nn__shard_copy_of(trainer, one->buffer, ".saved");
        if (!nn__shard_is_float(one->buffer->dtype))
            one->first = nn__shard_copy_of(trainer, one->buffer, ".first");
    }
    return true;
}

/* ---- one place ------------------------------------------------------------------------------- */

static bool nn__shard_is_elsewhere(const nn_trainer *trainer, const nn_node *node,
                                   const char *what) {
    char one[32], other[32];
    if (nn__describe_together(node, trainer->loss)) return false;
    nn__fail_at(
        trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
        "nn_make_trainer: shards: the %s \"%s\" is on %s, the loss \"%s\" on %s; the gradients "
        "of all shards are added on one device: put all of it there, or give .shards = 1",
        what, node->name, nn_format_device(node->device, one, sizeof one), trainer->loss->name,
        nn_format_device(trainer->loss->device, other, sizeof other));
    return true;
}

/* True if each input can be cut by samples and all results of shards are on one device. */
static bool nn__shard_check(nn_trainer *trainer) {
    char shape[NN__SHAPE_TEXT];
    bool batch = false;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next) {
        if (node->kind != NN__INPUT || node->remembers) continue;
        for (int i = 0; i < node->shape.rank; i++) {
            if (!(nn__extent_kind(node->shape.extent[i]) & NN__OF_BATCH)) continue;
            batch = true;
            if (i == 0) continue;
            nn__fail_at(
                trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                "nn_make_trainer: shards: the batch of the input \"%s\" %s is its axis %d; a "
                "batch is cut along the first axis: describe it with the batch as its first axis "
                "and nn_permute it, or give .shards = 1",
                node->name, nn__format_shape(node->shape, shape, sizeof shape), i);
            return false;
        }
    }
    if (!batch) {
        nn__fail_at(trainer->nn, trainer->site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: shards: no input of \"%s\" has a batch that could be cut; "
                    "give .shards = 1",
                    trainer->net->name);
        return false;
    }
    for (int i = 0; i < trainer->trained_count; i++)
        if (nn__shard_is_elsewhere(trainer, trainer->trained[i].parameter, "parameter"))
            return false;
    for (int i = 0; i < trainer->metric_count; i++)
        if (nn__shard_is_elsewhere(trainer, trainer->desc.metrics.node[i], "metric")) return false;
    return true;
}

/* ---- the leaf -------------------------------------------------------------------------------- */

static uint64_t nn__shard_numbers(const nn_node *node) {
    return nn__padded(nn__node_bytes(node, 1, 1)) / sizeof(float);
}

NN_PRIVATE int32_t nn__shard_leaf_numbers(const nn_trainer *trainer, bool gradients_only) {
    const nn__shards *shards = trainer->shards;
    uint64_t count = 0;
    for (int i = 0; i < trainer->gradient_count; i++)
        count += nn__shard_numbers(trainer->gradients[i].state);
    if (!gradients_only) {
        count += nn__shard_numbers(shards->samples) * 3;
        for (int i = 0; i < trainer->metric_count; i++)
            count += nn__shard_numbers(shards->metrics[i]);
        for (int i = 0; i < shards->carried_count; i++)
            if (shards->carried[i].leaf) count += nn__shard_numbers(shards->carried[i].leaf);
    }
    return count <= (uint64_t)INT32_MAX ? (int32_t)count : 0;
}

/* Adds nodes for values with the same weight, as items of one nn__add_running_mean. */
static void nn__shard_products(nn_trainer *trainer, nn__tape *tape, nn_node **to, nn_node **from,
                               int items, nn_node *total, nn_node *count, bool of_batch,
                               bool of_time) {
    nn__running_mean products;
    memset(&products, 0, sizeof products);
    products.means = to;
    products.values = from;
    products.items = items;
    products.total = total;
    products.count = count;
    products.of_batch = of_batch;
    products.of_time = of_time;
    products.products = true;
    nn_node *nodes[2];
    nn__add_running_mean(tape, trainer->site, &products, nodes);
    if (items > 0) trainer->targets[trainer->target_count++] = nodes[0];
    trainer->targets[trainer->target_count++] = nodes[1];
}

/* Adds the states after the gradients, in the order of leaves. */
static void nn__shard_describe_numbers(nn_trainer *trainer) {
    nn__shards *shards = trainer->shards;
    nn_shape number;
    memset(&number, 0, sizeof number);
    shards->samples = nn__describe_state(trainer, trainer->loss, ".samples", number);
    shards->counted = nn__describe_state(trainer, trainer->loss, ".counted", number);
    shards->loss = nn__describe_state(trainer, trainer->loss, ".share", number);
    for (int i = 0; i < trainer->metric_count; i++) {
        nn_node *metric = trainer->desc.metrics.node[i];
        shards->metrics[i] = nn__describe_state(trainer, metric, ".share", metric->shape);
    }
    for (int i = 0; i < shards->carried_count; i++) {
        nn__carried *one = &shards->carried[i];
        if (!one->first)
            one->leaf =
                nn__describe_state(trainer, one->buffer, ".share", one->buffer->shape);
    }
    shards->end = shards->loss;
    if (trainer->metric_count > 0) shards->end = shards->metrics[trainer->metric_count - 1];
    for (int i = 0; i < shards->carried_count; i++)
        if (shards->carried[i].leaf) shards->end = shards->carried[i].leaf;
}

/* Sorts by the order in which the backward pass completes the gradients `from`. */
static void nn__shard_sort(nn_node **parameters, nn_node **from, int count) {
    for (int i = 1; i < count; i++) {
        nn_node *parameter = parameters[i], *gradient = from[i];
        int k = i;
        for (; k > 0 && from[k - 1]->order > gradient->order; k--) {
            parameters[k] = parameters[k - 1];
            from[k] = from[k - 1];
        }
        parameters[k] = parameter;
        from[k] = gradient;
    }
}

/* Returns how many gradients, from i on, are written and exchanged together, and their *numbers.
   Either all of them are computed for all shards at once, by the same algorithm, or none. A
   convolution's gradient is alone, because not every CPU has such an algorithm for it. */
static int nn__shard_bundle(const nn_trainer *trainer, nn_node *const *from, int i,
                            uint64_t *numbers) {
    const uint64_t most = (uint64_t)trainer->desc.bucket_bytes / sizeof(float);
    const nn__whole_kind whole = nn__whole_suits(trainer, from[i]);
    int count = 0;
    *numbers = 0;
    for (; i + count < trainer->gradient_count; count++) {
        const uint64_t more = nn__shard_numbers(trainer->gradients[i + count].state);
        if (count > 0 &&
            (*numbers + more > most || whole == NN__WHOLE_CONVOLUTION ||
             nn__whole_suits(trainer, from[i + count]) != whole))
            break;
        *numbers += more;
    }
    return count;
}

/* Large gradients travel in pieces. */
static uint64_t nn__shard_piece(const nn_trainer *trainer) {
    const uint64_t bytes = (uint64_t)trainer->desc.bucket_bytes;
    const uint64_t numbers = nn__padded(bytes > 1 << 16 ? bytes : 1 << 16) / sizeof(float);
    return trainer->owners->cut && numbers > NN__GROUP_SCATTER ? NN__GROUP_SCATTER : numbers;
}

/* Adds nodes that write the gradients to the leaf as soon as each bundle is complete, and the
   buckets in which they travel. The last bucket includes the numbers after the gradients. It has
   only these if gradients are rounded or each rank gets a part of them. */
static bool nn__shard_describe_buckets(nn_trainer *trainer, nn__tape *tape, nn_node **to,
                                       nn_node **from, nn__running_mean *products) {
    nn__exchange *exchange = &trainer->shards->exchange;
    const uint64_t piece = nn__shard_piece(trainer);
    const int32_t all = nn__shard_leaf_numbers(trainer, false);
    const bool narrow = trainer->desc.wire == NN_BF16;
    bool separate = false; /* the last gradients are not in the bucket of the numbers after them */
    uint64_t numbers, first = 0;
    int count = 0, bundle;
    for (int i = 0; i < trainer->gradient_count; i += bundle) {
        bundle = nn__shard_bundle(trainer, from, i, &numbers);
        count += (int)((numbers + piece - 1) / piece);
    }
    count++; /* numbers that are not rounded, or not computed for all shards at once */
    exchange->buckets = (nn__bucket *)nn__arena_take(
        &trainer->tape.arena, sizeof(nn__bucket) * (size_t)nn__maxi(count, 1));
    trainer->shards->wholes = (nn__whole *)nn__arena_take(
        &trainer->tape.arena, sizeof(nn__whole) * (size_t)nn__maxi(trainer->gradient_count, 1));
    if (!exchange->buckets || !trainer->shards->wholes) return nn__describe_no_memory(trainer);
    memset(exchange->buckets, 0, sizeof(nn__bucket) * (size_t)nn__maxi(count, 1));
    for (int i = 0; i < trainer->gradient_count; i += bundle) {
        bundle = nn__shard_bundle(trainer, from, i, &numbers);
        nn__bucket *begins = &exchange->buckets[exchange->count];
        nn_node *node = NULL;
        separate = nn__whole_suits(trainer, from[i]) != NN__WHOLE_NOT;
        if (separate)
            begins->whole = nn__whole_describe(trainer, tape, to + i, from + i, bundle, products,
                                               begins);
        if (!begins->whole) {
            products->means = to + i;
            products->values = from + i;
            products->items = bundle;
            node = nn__add_products(tape, trainer->site, products);
#ifndef NN_NO_SPEEDUPS
            /* the leaf is that of one shard at a time, also if shards run side by side */
            if (trainer->tape.together) node->early = false;
#endif
            trainer->targets[trainer->target_count++] = node;
        }
        for (uint64_t done = 0; done < numbers; done += piece) {
            nn__bucket *bucket = &exchange->buckets[exchange->count++];
            bucket->first = (int32_t)(first + done);
            bucket->count = (int32_t)(numbers - done < piece ? numbers - done : piece);
            bucket->node = node;
            bucket->narrow = narrow;
            bucket->whole = begins->whole;
            bucket->gathers = begins->gathers;
        }
        first += numbers;
    }
    if (narrow || separate || trainer->owners->cut)
        exchange->buckets[exchange->count++].first = (int32_t)first;
    exchange->buckets[exchange->count - 1].count =
        all - exchange->buckets[exchange->count - 1].first;
    exchange->buckets[exchange->count - 1].node = NULL;
    return true;
}

/* Adds the metrics that are means over the samples. */
static void nn__shard_plain_metrics(nn_trainer *trainer, nn__tape *tape) {
    nn__shards *shards = trainer->shards;
    nn_node **metrics = shards->metrics + trainer->metric_count,
            **values = metrics + trainer->metric_count;
    int plain = 0;
    for (int i = 0; i < trainer->metric_count; i++) {
        if (nn__metric_of(trainer->desc.metrics.node[i])) continue;
        metrics[plain] = shards->metrics[i];
        values[plain++] = trainer->desc.metrics.node[i];
    }
    nn__shard_products(trainer, tape, metrics, values, plain, shards->samples, NULL, true, true);
}

NN_PRIVATE bool nn__shard_describe_leaf(nn_trainer *trainer, nn__tape *tape, nn_node **parameters,
                                        nn_node **to, nn_node **from, int count) {
    nn__shards *shards = trainer->shards;
    const bool sum = trainer->count.kind == NN__COUNT_SUM;
    nn_node *one = NULL, *value;
    nn__running_mean products;
    nn_shape number;
    memset(&number, 0, sizeof number);
    memset(&products, 0, sizeof products);
    shards->metrics = (nn_node **)nn__arena_take( /* and room for two lists of the plain ones */
        &trainer->tape.arena, 3 * sizeof(nn_node *) * (size_t)trainer->metric_count);
    if (!shards->metrics) return nn__describe_no_memory(trainer);
    nn__shard_sort(parameters, from, count);
    for (int i = 0; i < count; i++) {
        nn__gradient *gradient = &trainer->gradients[trainer->gradient_count++];
        gradient->parameter = parameters[i];
        gradient->state =
            nn__describe_state(trainer, parameters[i], ".gradient", parameters[i]->shape);
        to[i] = gradient->state;
    }
    nn__shard_describe_numbers(trainer);
    /* Gradients of a sum are added with weight 1. */
    products.products = true;
    products.total = shards->counted;
    products.count = sum ? NULL : nn__describe_counted(trainer, trainer->loss);
    products.of_batch = !sum && trainer->count.of_batch;
    products.of_time = !sum && trainer->count.of_time;
    nn__running_mean gradients = products;
    if (trainer->tape.together) { /* the gradients have their weight already */
        gradients.count = NULL;
        gradients.of_batch = gradients.of_time = false;
    }
    if (!nn__shard_describe_buckets(trainer, tape, to, from, &gradients)) return false;
    nn__shard_products(trainer, tape, &shards->loss, &trainer->loss, 1, shards->counted,
                       products.count, products.of_batch, products.of_time);
    nn__shard_plain_metrics(trainer, tape);
    for (int i = 0; i < trainer->metric_count; i++) {
        if (!nn__metric_of(trainer->desc.metrics.node[i])) continue;
        /* Such a metric is made of sums already. */
        if (!one) one = nn__describe_state(trainer, trainer->loss, ".one", number);
        value = trainer->desc.metrics.node[i];
        nn__shard_products(trainer, tape, &shards->metrics[i], &value, 1, one, NULL, false, false);
    }
    return true;
}

/* ---- totals, and room ------------------------------------------------------------------------ */

/* The totals of reports receive the results of all shards of a step (group/shard.c); a shard only
   checks its loss. */
NN_PRIVATE void nn__shard_describe_totals(nn_trainer *trainer, nn__tape *tape, bool weighs) {
    nn__totals *totals = &trainer->totals;
    nn_node *check;
    nn_shape number, shape;
    memset(&number, 0, sizeof number);
    for (int i = 0; i <= trainer->metric_count; i++) {
        nn_node *value = i == 0 ? trainer->loss : trainer->desc.metrics.node[i - 1];
        memset(&shape, 0, sizeof shape);
        shape.rank = 1;
        shape.extent[0] = 2 * (i > 0 && nn__metric_of(value) ? value->shape.extent[0] : 1);
        totals->node[i] = nn__describe_state(trainer, value, ".total", shape);
    }
    if (weighs) {
        totals->mean = nn__describe_state(trainer, trainer->loss, ".total.mean", number);
        totals->counted = nn__describe_state(trainer, trainer->loss, ".total.counted", number);
    }
    trainer->shards->last = nn__describe_state(trainer, trainer->loss, ".last", number);
    check = nn__add_accumulate(tape, trainer->site, NULL, trainer->checked, true);
    nn__place_like(check, trainer->loss);
    trainer->targets[trainer->target_count++] = trainer->loss;
    trainer->targets[trainer->target_count++] = check;
}

static int32_t nn__shard_evaluation_numbers(const nn_trainer *trainer) {
    const nn__totals *totals = &trainer->evaluation_totals;
    uint64_t count = 0;
    for (int i = 0; i <= trainer->metric_count; i++) count += nn__shard_numbers(totals->node[i]);
    if (totals->mean) count += 2 * nn__shard_numbers(totals->mean);
    return (int32_t)count;
}

/* Adds states after the update: waiting sums, one of each size. */
NN_PRIVATE bool nn__shard_describe_room(nn_trainer *trainer) {
    nn__shards *shards = trainer->shards;
    nn__arena *arena = &trainer->tape.arena;
    const int32_t leaf = nn__shard_leaf_numbers(trainer, false);
    const int32_t numbers = nn__shard_evaluation_numbers(trainer);
    int inputs = 0;
    nn_shape flat;
    memset(&flat, 0, sizeof flat);
    flat.rank = 1;
    flat.extent[0] = leaf;
    if (leaf == 0) {
        nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                    "nn_make_trainer: shards: the gradients of \"%s\" are more than 2^31 numbers; "
                    "give .shards = 1",
                    trainer->net->name);
        return false;
    }
    for (int32_t n = 1; n < shards->own; n *= 2) {
        char name[24];
        nn__format(name, sizeof name, ".sum_of_%d", (int)n);
        shards->pending[shards->pending_count++] =
            nn__describe_state(trainer, trainer->loss, name, flat);
    }
    flat.extent[0] = nn__shard_leaf_numbers(trainer, true);
    if (!nn__wire_describe(trainer, flat.extent[0])) return false;
    if (trainer->desc.accumulate > 1 || shards->asked)
        shards->kept = nn__describe_state(trainer, trainer->loss, ".kept", flat);
    flat.rank = 0;
    if (shards->kept) shards->before = nn__describe_state(trainer, trainer->loss, ".before", flat);
    trainer->counted[0] = shards->before;
    flat.rank = 1;
    nn__together_describe(trainer);
    flat.extent[0] = numbers * shards->own;
    shards->evaluations = nn__describe_state(trainer, trainer->loss, ".evaluations", flat);
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        inputs += node->kind == NN__INPUT;
    const size_t all = (size_t)numbers * (size_t)shards->count;
    shards->parts = (double *)nn__arena_take(arena, sizeof(double) * all);
    shards->numbers = (float *)nn__arena_take(arena, sizeof(float) * all);
    shards->slices =
        (nn__slice *)nn__arena_take(arena, sizeof(nn__slice) * (size_t)nn__maxi(inputs, 1));
    return (shards->parts && shards->numbers && shards->slices) ||
           nn__describe_no_memory(trainer);
}

NN_PRIVATE void nn__shard_count(nn_trainer *trainer, bool asked) {
    nn__shards *shards = trainer->shards;
    if (trainer->desc.shards <= 1) return;
    shards->count = trainer->desc.shards;
    shards->own = nn__group_part(trainer->desc.group, shards->count, &shards->first);
    shards->mine = shards->own / nn__device_count(&trainer->desc);
    shards->shard_samples = nn__ceil_div(trainer->desc.batch, shards->count);
    shards->asked = asked;
}

NN_PRIVATE bool nn__shard_describe_begin(nn_trainer *trainer) {
    return nn__shard_check(trainer) && nn__shard_describe_buffers(trainer);
}

#endif /* NN__NO_TRAINER */

typedef int nn__shard_describe_part; /* a part must not be empty under NN__NO_TRAINER */
