/* group/replica.c - makes the replicas of a trainer: on each further device a copy of the model, a
   trainer of it that runs a part of the shards, and memory for batches and weights.
   group/replica_step.c uses them. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- nn_trainer_desc.devices ----------------------------------------------------------------- */

static bool nn__replicas_check_one(nn_model *net, const nn_trainer_desc *desc, int i,
                                   nn_site site) {
    const nn_device device = desc->devices.device[i];
    char name[32], own[32], call[48];
    if (!nn__find_device(net->nn, device)) {
        nn__fail_not_open(net->nn, site, "nn_make_trainer: devices", device);
        return false;
    }
    nn_format_device(device, name, sizeof name);
    for (int k = 0; k < i; k++)
        if (nn_same_device(desc->devices.device[k], device)) {
            nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: devices[%d] and devices[%d] are both %s; name each once",
                        k, i, name);
            return false;
        }
    if (i > 0 || nn_same_device(device, net->device)) return true;
    nn__fail_at(net->nn, site, NN_ERROR_DEVICE,
                "nn_make_trainer: devices[0] is %s, the model \"%s\" is on %s; the model's device "
                "comes first, or make the model with .device = %s",
                name, net->name, nn_format_device(net->device, own, sizeof own),
                nn__format_device_call(device, call, sizeof call));
    return false;
}

NN_PRIVATE bool nn__replicas_check(nn_model *net, const nn_trainer_desc *desc, nn_site site) {
    const int parts = nn__group_least(desc->group);
    const int count = nn__device_count(desc), most = desc->shards / parts;
    for (int i = 0; i < desc->devices.count; i++)
        if (!nn__replicas_check_one(net, desc, i, site)) return false;
    if ((count & (count - 1)) == 0 && count <= NN__DEVICES && count <= most) return true;
    if ((count & (count - 1)) || count > NN__DEVICES)
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %d devices; wanted 1, 2, 4 or 8, which share the shards "
                    "equally",
                    count);
    else
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %d devices for %d shards; each has at least one shard: give "
                    ".shards = %d",
                    count, most, nn__maxi(8, count * parts));
    return false;
}

/* ---- a replica ------------------------------------------------------------------------------- */

/* Fills in the desc of a replica's trainer: the same shards, and an optimizer without state. */
static bool nn__replica_desc(nn_trainer *trainer, nn_model *copy, nn_trainer_desc *to,
                             nn_site site) {
    const nn_trainer_desc *from = &trainer->desc;
    nn__arena *arena = &trainer->tape.arena;
    nn_node **metrics =
        (nn_node **)nn__arena_take(arena, sizeof(nn_node *) * (size_t)trainer->metric_count);
    nn_parameter_group *groups = (nn_parameter_group *)nn__arena_take(
        arena, sizeof *groups * (size_t)from->groups.count);
    if (!metrics || !groups) return nn__describe_no_memory(trainer);
    memset(to, 0, sizeof *to);
    to->batch = from->batch;
    to->time = from->time;
    to->shards = from->shards;
    to->batch_norm = from->batch_norm;
    to->wire = from->wire;
    to->optimizer = NN_SGD;
    to->poison = from->poison;
    to->direct_convolutions = from->direct_convolutions;
    to->precision = from->precision;
    to->require_precision = from->require_precision;
    to->on_unsupported = from->on_unsupported;
    if (from->counted) to->counted = nn_copied_node_at(site, copy, from->counted);
    for (int i = 0; i < trainer->metric_count; i++)
        metrics[i] = nn_copied_node_at(site, copy, from->metrics.node[i]);
    to->metrics.node = metrics;
    to->metrics.count = trainer->metric_count;
    if (from->confusion.logits) {
        to->confusion.logits = nn_copied_node_at(site, copy, from->confusion.logits);
        to->confusion.label = nn_copied_node_at(site, copy, from->confusion.label);
    }
    for (int i = 0; i < from->groups.count; i++) {
        groups[i].pattern = from->groups.group[i].pattern;
        groups[i].max_rank = from->groups.group[i].max_rank;
        groups[i].frozen = from->groups.group[i].frozen;
    }
    to->groups.group = groups;
    to->groups.count = from->groups.count;
    to->parameters = from->parameters;
    return true;
}

static bool nn__replica_place(nn_trainer *trainer, nn__replica *replica, const nn_node *original,
                              const nn_node *input) {
    const nn__shards *own = replica->trainer->shards;
    nn__inbox *inbox = &replica->inboxes[replica->inbox_count];
    unsigned kinds = 0;
    bool read = false;
    nn_result result;
    for (int i = 0; i < NN__REPLICA_PLANS; i++) {
        inbox->to[i] = nn__find_value(nn__replica_plan(replica->trainer, i), input);
        inbox->from[i] = nn__find_value(nn__replica_plan(trainer, i), original);
        read |= inbox->to[i] >= 0;
    }
    if (!read) return true;
    replica->inbox_count++;
    for (int i = 0; i < input->shape.rank; i++) kinds |= nn__extent_kind(input->shape.extent[i]);
    inbox->room = nn__padded(nn__node_bytes(
        input, kinds & NN__OF_BATCH ? own->shard_samples * own->own : 1, trainer->desc.time));
    result = nn__device_alloc(trainer->nn, replica->device, inbox->room,
                              "a replica's part of the batch", &inbox->handle);
    if (result != NN_OK) return false;
    inbox->tensor.nn = trainer->nn;
    inbox->tensor.name = input->name;
    inbox->tensor.device = replica->device;
    inbox->tensor.site = trainer->site;
    inbox->tensor.view.handle = inbox->handle;
    inbox->tensor.view.dtype = input->dtype;
    return true;
}

/* Allocates memory for the inputs that the replica's plans read. */
static bool nn__replica_inboxes(nn_trainer *trainer, nn__replica *replica) {
    const nn_node *input = replica->net->graph.first, *original = trainer->net->graph.first;
    nn__arena *arena = &trainer->tape.arena;
    int count = 0;
    for (const nn_node *node = input; node; node = node->next) count += node->kind == NN__INPUT;
    replica->inboxes =
        (nn__inbox *)nn__arena_take(arena, sizeof(nn__inbox) * (size_t)nn__maxi(count, 1));
    if (!replica->inboxes) return nn__describe_no_memory(trainer);
    memset(replica->inboxes, 0, sizeof(nn__inbox) * (size_t)nn__maxi(count, 1));
    for (; input && original; input = input->next, original = original->next)
        if (input->kind == NN__INPUT && !input->remembers &&
            !nn__replica_place(trainer, replica, original, input))
            return false;
    return true;
}

/* Leaves are added as a whole, so they must have the same layout. */
static bool nn__replica_fits(const nn_trainer *trainer, const nn__replica *replica) {
    const nn_trainer *other = replica->trainer;
    const nn_view own = nn__shard_leaf(trainer), leaf = nn__shard_leaf(other);
    bool same = nn__equal_shapes(&own.shape, &leaf.shape) &&
                trainer->gradient_count == other->gradient_count &&
                trainer->shards->together.point_count == other->shards->together.point_count;
    for (int i = 0; same && i < trainer->gradient_count; i++)
        same = trainer->gradients[i].parameter->order == other->gradients[i].parameter->order;
    if (same) return true;
    nn__fail_at(trainer->nn, trainer->site, NN_ERROR_UNSUPPORTED,
                "nn_make_trainer: devices: the gradients of the copy of \"%s\" do not fit the "
                "model",
                trainer->net->name);
    return false;
}

static bool nn__replica_make(nn_trainer *trainer, int i) {
    nn__replica *replica = &trainer->replicas->list[i];
    const nn__shards *own = trainer->shards;
    char name[NN_NAME_BYTES], device[32];
    nn_copy_desc copy;
    nn_trainer_desc desc;
    nn__part part;
    replica->device = nn__find_device(trainer->nn, trainer->desc.devices.device[i + 1])->device;
    nn__format(name, sizeof name, "%.*s on %s", NN_NAME_BYTES - 32, trainer->net->name,
               nn_format_device(replica->device, device, sizeof device));
    copy.name = name;
    copy.device = replica->device;
    replica->net = nn__copy_model(trainer->net, &copy, trainer->site, "nn_make_trainer");
    if (!replica->net) return false;
    nn__disown(&replica->net->owned);
    if (!nn__replica_desc(trainer, replica->net, &desc, trainer->site)) return false;
    part.first = own->first + (i + 1) * own->mine;
    part.own = own->mine;
    replica->trainer =
        nn__build_trainer(trainer->site, replica->net,
                          nn_copied_node_at(trainer->site, replica->net, trainer->loss), &desc,
                          &part);
    return replica->trainer && nn__shard_whole(replica->trainer, trainer->site,
                                               "nn_make_trainer") == NN_OK &&
           nn__replica_fits(trainer, replica) && nn__replica_inboxes(trainer, replica);
}

/* ---- tensors that replicas receive, and their transfers -------------------------------------- */

static bool nn__replicas_mark(nn_trainer *trainer) {
    nn__replicas *replicas = trainer->replicas;
    int i = 0;
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        replicas->leaf_count += nn__is_saved(node);
    replicas->follows = (bool *)nn__arena_take(&trainer->tape.arena,
                                               (size_t)nn__maxi(replicas->leaf_count, 1));
    if (!replicas->follows) return nn__describe_no_memory(trainer);
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next) {
        bool follows = false;
        if (!nn__is_saved(node)) continue;
        for (int k = 0; k < trainer->trained_count; k++)
            follows |= trainer->trained[k].parameter == node;
        for (int k = 0; k < trainer->shards->carried_count; k++)
            follows |= trainer->shards->carried[k].buffer == node;
        replicas->follows[i++] = follows;
        replicas->all += node->tensor->bytes;
        if (follows) replicas->weights += node->tensor->bytes;
    }
    return true;
}

/* Allocates staging memory, pinned if one of the devices offers that. Large transfers cross it in
   pieces. */
static bool nn__replicas_stage(nn_trainer *trainer) {
    nn__replicas *replicas = trainer->replicas;
    const uint64_t most = (uint64_t)4 << 20;
    uint64_t bytes = replicas->all > replicas->leaf ? replicas->all : replicas->leaf;
    if (trainer->nn->desc.block) bytes = 4096;
    bytes = nn__padded(bytes < most ? bytes : most);
    for (int i = 0; i <= replicas->count; i++) {
        const nn_device device = i ? replicas->list[i - 1].device : trainer->net->device;
        const nn__open_device *on = nn__find_device(trainer->nn, device);
        void *host = NULL;
        if (on->limits.host_memory || !on->backend->host_alloc || !on->backend->host_release ||
            on->backend->host_alloc(on->state, bytes, &host) != NN_OK || !host)
            continue;
        replicas->staging = (char *)host;
        replicas->staging_bytes = bytes;
        replicas->owner = on->device;
        replicas->pinned = true;
        return true;
    }
    replicas->staging =
        (char *)nn__allocate_for(trainer->nn, "nn_make_trainer", (size_t)bytes);
    replicas->staging_bytes = replicas->staging ? bytes : 0;
    return replicas->staging != NULL;
}

NN_PRIVATE bool nn__replicas_make(nn_trainer *trainer) {
    nn__replicas *replicas = trainer->replicas;
    const int count = nn__device_count(&trainer->desc) - 1;
    if (count == 0) return true;
    const nn_view leaf = nn__shard_leaf(trainer);
    replicas->leaf = (uint64_t)leaf.shape.extent[0] * sizeof(float);
    if (nn__shard_whole(trainer, trainer->site, "nn_make_trainer") != NN_OK) return false;
    for (; replicas->count < count; replicas->count++)
        if (!nn__replica_make(trainer, replicas->count)) {
            replicas->count++; /* so that its parts are freed */
            return false;
        }
    trainer->nn->cross = nn__cross;
    /* rows of the ledger: weights, leaves and inputs, for each device and direction */
    nn__ledger_reserve(trainer->nn, 8 * (count + 1) * (2 + replicas->list[0].inbox_count));
    replicas->seen = UINT64_MAX; /* not compared yet */
    return nn__replicas_mark(trainer) && nn__replicas_stage(trainer);
}

NN_PRIVATE void nn__replicas_free(nn_trainer *trainer) {
    nn__replicas *replicas = trainer->replicas;
    nn_context *nn = trainer->nn;
    for (int i = 0; i < replicas->count; i++) {
        nn__replica *replica = &replicas->list[i];
        nn__drop_trainer(replica->trainer);
        for (int k = 0; k < replica->inbox_count; k++)
            nn__device_release(nn, replica->device, replica->inboxes[k].handle,
                               replica->inboxes[k].room);
        if (replica->net) nn__model_destroy(&replica->net->owned);
    }
    if (replicas->pinned) {
        const nn__open_device *on = nn__find_device(nn, replicas->owner);
        on->backend->host_release(on->state, replicas->staging, replicas->staging_bytes);
    } else {
        nn__release(&nn->memory, replicas->staging, (size_t)replicas->staging_bytes);
    }
    memset(replicas, 0, sizeof *replicas);
}

NN_PRIVATE void nn__replicas_join(nn_trainer *trainer) {
    nn__replicas *replicas = trainer->replicas;
    nn_plan *last = trainer->update;
    for (int i = 0; i < replicas->count; i++) {
        last = last->also = replicas->list[i].trainer->plan;
        last = last->also = replicas->list[i].trainer->evaluation;
    }
#ifndef NN_NO_REPORTS
    if (replicas->count) {
        trainer->plan->tells = nn__replicas_report;
        trainer->plan->teller = trainer;
    }
#endif
}

NN_PRIVATE nn_result nn__replicas_may_move(nn_trainer *trainer, nn_site site) {
    const int count = trainer->replicas->count;
    if (!count) return NN_OK;
    return nn__fail_at(trainer->nn, site, NN_ERROR_UNSUPPORTED,
                       "nn_move_trainer: the trainer works on %d devices; nn_save_checkpoint, "
                       "then nn_load_checkpoint into a trainer of other .devices, takes its "
                       "state there",
                       count + 1);
}

/* ---- nn_write_plan --------------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__replicas_report(const void *of, const nn_writer *writer) {
    const nn_trainer *trainer = (const nn_trainer *)of;
    const nn__replicas *replicas = trainer->replicas;
    const nn__shards *shards = trainer->shards;
    char name[32];
    const uint64_t each = (uint64_t)replicas->count;
    nn__print(writer, "\ndevices\n      %-12s shards %d to %d, the update\n",
              nn_format_device(trainer->net->device, name, sizeof name), (int)shards->first,
              (int)(shards->first + shards->mine - 1));
    for (int i = 0; i < replicas->count; i++) {
        const nn__replica *replica = &replicas->list[i];
        const nn__shards *own = replica->trainer->shards;
        const nn_plan *plan = replica->trainer->plan;
        uint64_t bytes = replicas->all;
        for (int k = 0; k < replica->inbox_count; k++) bytes += replica->inboxes[k].room;
        for (int c = 0; c < NN_MEMORY_CATEGORY_COUNT; c++)
            if (c != NN_MEMORY_PARAMETERS)
                bytes += nn_plan_bytes(plan, replica->device, (nn_memory_category)c);
        nn__print(writer, "      %-12s shards %d to %d, a replica, %llu bytes\n",
                  nn_format_device(replica->device, name, sizeof name), (int)own->first,
                  (int)(own->first + own->own - 1), (unsigned long long)bytes);
    }
    nn__print(writer,
              "      exchange     each step: weights %llu bytes, gradients %llu bytes, and the "
              "samples of %d shards; through %llu bytes of %s memory\n",
              (unsigned long long)(each * replicas->weights),
              (unsigned long long)(each * replicas->leaf), (int)(each * (uint64_t)shards->mine),
              (unsigned long long)replicas->staging_bytes, replicas->pinned ? "pinned" : "host");
}
#endif

#endif /* NN__NO_TRAINER */

typedef int nn__replica_part; /* a part must not be empty under NN__NO_TRAINER */
