/* train/owners.c - nn_trainer_desc.shard_state: each parameter that is trained belongs to one rank
   of the group. That rank alone keeps its moments and its average, updates it and then gives it to
   all others, as in ZeRO's first stage (Rajbhandari et al., "ZeRO: memory optimizations toward
   training trillion parameter models", 2020). All ranks have all gradients, so that norms and
   clipping are as without it. Parameters are dealt as wholes: every optimizer sees what it sees
   without it, and the bytes are the same. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

/* ---- who has what ---------------------------------------------------------------------------- */

NN_PRIVATE void nn__owners_count(nn_trainer *trainer) {
    nn_group *group = trainer->desc.group;
    if (!trainer->desc.shard_state || nn_group_size(group) < 2) return;
    trainer->owners.ranks = nn_group_size(group);
    trainer->owners.rank = nn_group_rank(group);
}

static uint64_t nn__owners_numbers(const nn_node *parameter) {
    return (uint64_t)nn_shape_count(parameter->shape);
}

/* f32 tensors that belong to a parameter. */
static uint64_t nn__owners_states(const nn_trainer *trainer, int i) {
    const nn__trained *one = &trainer->trained[i];
    return (uint64_t)nn__group_states(&trainer->groups[one->group]) +
           nn__is_half(one->parameter->dtype) + (trainer->desc.average.kind != NN_AVERAGE_NONE);
}

/* What a rank has to keep and to read for it. */
static uint64_t nn__owners_bytes(const nn_trainer *trainer, int i) {
    const nn_node *parameter = trainer->trained[i].parameter;
    return nn__owners_numbers(parameter) *
           (sizeof(float) * nn__owners_states(trainer, i) + nn_dtype_size(parameter->dtype));
}

/* The largest goes to the rank that has least so far, and so on; the same on all ranks. */
NN_PRIVATE bool nn__owners_deal(nn_trainer *trainer) {
    nn__owners *owners = &trainer->owners;
    const size_t ranks = (size_t)owners->ranks;
    uint64_t *loads, *parameters;
    for (int i = 0; i < trainer->trained_count; i++) trainer->trained[i].owner = -1;
    if (ranks == 0) return true;
    loads = (uint64_t *)nn__arena_take(&trainer->tape.arena, 2 * sizeof(uint64_t) * ranks);
    if (!loads) return nn__describe_no_memory(trainer);
    memset(loads, 0, 2 * sizeof(uint64_t) * ranks);
    parameters = loads + ranks;
    for (int n = 0; n < trainer->trained_count; n++) {
        int next = -1, least = 0;
        for (int i = 0; i < trainer->trained_count; i++)
            if (trainer->trained[i].owner < 0 &&
                (next < 0 || nn__owners_bytes(trainer, i) > nn__owners_bytes(trainer, next)))
                next = i;
        for (int r = 1; r < owners->ranks; r++)
            if (loads[r] < loads[least]) least = r;
        trainer->trained[next].owner = least;
        loads[least] += nn__owners_bytes(trainer, next);
        parameters[least] += nn__node_bytes(trainer->trained[next].parameter, 1, 1);
        if (owners->most < parameters[least]) owners->most = parameters[least];
    }
    return true;
}

/* Bytes of parameters of each rank that travel at a time. */
static uint64_t nn__owners_piece(const nn_trainer *trainer) {
    const uint64_t bytes = (uint64_t)trainer->desc.bucket_bytes / (uint64_t)trainer->owners.ranks;
    const uint64_t most = trainer->owners.most;
    return nn__padded(most < bytes ? most : bytes > 0 ? bytes : 1);
}

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__owners_note(const nn_trainer *trainer, char *text, size_t size) {
    const nn__owners *owners = &trainer->owners;
    const size_t used = strlen(text);
    uint64_t mine = 0, all = 0;
    int count = 0;
    if (owners->ranks == 0) return;
    for (int i = 0; i < trainer->trained_count; i++) {
        const uint64_t bytes = sizeof(float) * nn__owners_states(trainer, i) *
                               nn__owners_numbers(trainer->trained[i].parameter);
        all += bytes;
        if (!nn__owners_has(trainer, i)) continue;
        mine += bytes;
        count++;
    }
    nn__format(text + used, size - used,
               "\nshard_state: this rank keeps %llu of %llu bytes of the optimizer's state and "
               "updates %d of %d parameters; each rank then gives up to %llu bytes of them to all, "
               "through %llu bytes of host memory",
               (unsigned long long)mine, (unsigned long long)all, count, trainer->trained_count,
               (unsigned long long)owners->most,
               (unsigned long long)(nn__owners_piece(trainer) * (uint64_t)owners->ranks));
}
#endif

/* ---- parameters, after an update ------------------------------------------------------------- */

NN_PRIVATE bool nn__owners_room(nn_trainer *trainer) {
    nn__owners *owners = &trainer->owners;
    if (owners->ranks == 0 || owners->most == 0 || nn__trainer_is_dry(&trainer->desc)) return true;
    owners->piece = (size_t)nn__owners_piece(trainer);
    owners->room_bytes = owners->piece * (size_t)owners->ranks;
    owners->room = (char *)nn__allocate_for(trainer->nn, "nn_make_trainer", owners->room_bytes);
    return owners->room != NULL;
}

NN_PRIVATE void nn__owners_drop(nn_trainer *trainer) {
    nn__release(&trainer->nn->memory, trainer->owners.room, trainer->owners.room_bytes);
    trainer->owners.room = NULL;
}

/* Bytes [done, done + count) of the parameters of a rank, one behind the other, to the room or from
   there. */
static nn_result nn__owners_carry(nn_trainer *trainer, int32_t owner, uint64_t done, uint64_t count,
                                  bool back, nn_site site) {
    char *room = trainer->owners.room + trainer->owners.piece * (size_t)owner;
    uint64_t first = 0;
    nn_result result = NN_OK;
    for (int i = 0; i < trainer->trained_count && result == NN_OK; i++) {
        const nn_tensor *tensor = trainer->trained[i].parameter->tensor;
        const uint64_t end = first + tensor->bytes;
        const uint64_t from = first > done ? first : done;
        const uint64_t to = end < done + count ? end : done + count;
        nn_view view = tensor->view;
        if (trainer->trained[i].owner != owner) continue;
        view.offset += from - first;
        first = end;
        if (from >= to) continue;
        char *at = room + (from - done), *here = (char *)view.handle + view.offset;
        if (nn__tensor_on_host(tensor))
            memcpy(back ? here : at, back ? at : here, (size_t)(to - from));
        else if (back)
            result = nn__upload(trainer->nn, tensor->device, &view, at, to - from, "exchange", site,
                                NULL);
        else
            result = nn__download(trainer->nn, tensor->device, &view, at, to - from, "exchange",
                                  site);
    }
    return result;
}

NN_PRIVATE nn_result nn__owners_share(nn_trainer *trainer, nn_result mine, nn_site site,
                                      const char *who) {
    const nn__owners *owners = &trainer->owners;
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn_result result = mine;
    uint64_t done = 0;
    bool told;
    if (owners->ranks == 0 || owners->most == 0) return mine;
    const nn_result idle = on->backend->finish(on->state);
    if ((int)idle < 0 && result == NN_OK)
        result = nn__fail_at(trainer->nn, site, idle, "%s: waiting for %s: %s", who,
                             on->limits.name, nn_result_text(idle));
    do { /* once at least, with which all learn of an error */
        const uint64_t left = owners->most - done;
        const uint64_t count = left < owners->piece ? left : owners->piece;
        if (result == NN_OK)
            result = nn__owners_carry(trainer, owners->rank, done, count, false, site);
        result = nn__group_gather_result(trainer->desc.group, result,
                                         owners->room + owners->piece * (size_t)owners->rank,
                                         (size_t)owners->piece, owners->room, site, who);
        told = result != NN_OK;
        for (int32_t r = 0; r < owners->ranks && result == NN_OK; r++)
            if (r != owners->rank)
                result = nn__owners_carry(trainer, r, done, count, true, site);
        done += count;
        /* What this rank could not take in the others learn with the next piece, or, behind the
           last one, when all confirm the update. */
    } while (!told && done < owners->most);
    return result;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

NN_PRIVATE nn_tensor *nn__moment_tensor(const nn_trainer *trainer, int i) {
    if (trainer->moments[i].state) return trainer->moments[i].state->tensor;
    return trainer->owners.guests ? &trainer->owners.guests[i] : NULL;
}

NN_PRIVATE nn_tensor *nn__average_tensor(const nn_trainer *trainer, int i) {
    if (trainer->averages[i]) return trainer->averages[i]->tensor;
    return trainer->owners.guests ? &trainer->owners.guests[trainer->moment_count + i] : NULL;
}

/* Moments, then averages. */
static int nn__owners_list(const nn_trainer *trainer) {
    return trainer->moment_count + (trainer->averages ? trainer->trained_count : 0);
}

static const nn_node *nn__owners_at(const nn_trainer *trainer, int i, int32_t *owner) {
    const int average = i - trainer->moment_count;
    *owner = average < 0 ? trainer->moments[i].owner : trainer->trained[average].owner;
    return average < 0 ? trainer->moments[i].parameter : trainer->trained[average].parameter;
}

NN_PRIVATE nn_result nn__owners_invite(nn_trainer *trainer, const char *who) {
    nn__owners *owners = &trainer->owners;
    nn_context *nn = trainer->nn;
    const int count = nn__owners_list(trainer);
    int32_t owner;
    size_t at = 0;
    if (owners->ranks == 0 || owners->rank != 0) return NN_OK;
    for (int i = 0; i < count; i++) {
        const nn_node *parameter = nn__owners_at(trainer, i, &owner);
        if (owner != 0) at += (size_t)nn__padded(nn__owners_numbers(parameter) * sizeof(float));
    }
    if (at == 0) return NN_OK;
    owners->guest_list = sizeof(nn_tensor) * (size_t)count;
    owners->guest_room = at;
    owners->guests = (nn_tensor *)nn__allocate_for(nn, who, owners->guest_list);
    if (owners->guests) owners->guest_bytes = (char *)nn__allocate_for(nn, who, at);
    if (!owners->guest_bytes) {
        nn__owners_dismiss(trainer);
        return NN_ERROR_MEMORY;
    }
    memset(owners->guests, 0, owners->guest_list);
    at = 0;
    for (int i = 0; i < count; i++) {
        const nn_node *parameter = nn__owners_at(trainer, i, &owner);
        nn_tensor *guest = &owners->guests[i];
        if (owner == 0) continue;
        guest->nn = nn;
        guest->name = parameter->name;
        guest->device = nn__resolve_device(nn, nn_cpu());
        guest->site = trainer->site;
        guest->view.handle = owners->guest_bytes + at;
        guest->view.dtype = NN_F32;
        guest->view.shape = parameter->shape;
        guest->bytes = nn__bytes(&guest->view);
        at += (size_t)nn__padded(guest->bytes);
    }
    return NN_OK;
}

NN_PRIVATE void nn__owners_dismiss(nn_trainer *trainer) {
    nn__owners *owners = &trainer->owners;
    nn__release(&trainer->nn->memory, owners->guest_bytes, owners->guest_room);
    nn__release(&trainer->nn->memory, owners->guests, owners->guest_list);
    owners->guests = NULL;
    owners->guest_bytes = NULL;
}

/* One by one between their owners and rank 0. */
static nn_result nn__owners_pass(nn_trainer *trainer, bool back, nn_site site, const char *who) {
    const nn__owners *owners = &trainer->owners;
    const int count = nn__owners_list(trainer);
    nn_result result = NN_OK, mine = NN_OK;
    for (int i = 0; i < count && result == NN_OK; i++) {
        int32_t owner;
        const nn_node *parameter = nn__owners_at(trainer, i, &owner);
        const nn_tensor *tensor = i < trainer->moment_count
                                      ? nn__moment_tensor(trainer, i)
                                      : nn__average_tensor(trainer, i - trainer->moment_count);
        if (owner == 0) continue;
        result = nn__share_bytes(trainer->desc.group, tensor,
                                 nn__owners_numbers(parameter) * sizeof(float), back ? 0 : owner,
                                 owners->room, owners->room_bytes, &mine, site, who);
    }
    return result == NN_OK ? nn__trainer_agree(trainer, mine, site, who) : result;
}

NN_PRIVATE nn_result nn__owners_gather(nn_trainer *trainer, nn_site site, const char *who) {
    return nn__owners_pass(trainer, false, site, who);
}

NN_PRIVATE nn_result nn__owners_spread(nn_trainer *trainer, nn_site site, const char *who) {
    return trainer->owners.ranks ? nn__owners_pass(trainer, true, site, who) : NN_OK;
}

#endif /* NN_NO_TRAINING */

typedef int nn__owners_part; /* a part must not be empty under NN_NO_TRAINING */
