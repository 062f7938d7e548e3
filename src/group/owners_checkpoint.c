/* group/owners_checkpoint.c - checkpoints of trainers with .shard_state. Rank 0 writes and reads
   the file; meanwhile the moments and averages of the other ranks are its guests. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE nn_tensor *nn__owners_moment(const nn_trainer *trainer, int i) {
    if (trainer->moments[i].state && !trainer->owners->cut)
        return trainer->moments[i].state->tensor;
    return trainer->owners->guests ? &trainer->owners->guests[i] : NULL;
}

NN_PRIVATE nn_tensor *nn__owners_average(const nn_trainer *trainer, int i) {
    if (trainer->averages[i]) return trainer->averages[i]->tensor;
    return trainer->owners->guests ? &trainer->owners->guests[trainer->moment_count + i] : NULL;
}

/* Returns the number of moments and averages, in this order. */
static int nn__owners_list(const nn_trainer *trainer) {
    return trainer->moment_count + (trainer->averages ? trainer->trained_count : 0);
}

static const nn_node *nn__owners_at(const nn_trainer *trainer, int i, int32_t *owner) {
    const int average = i - trainer->moment_count;
    *owner = average < 0 ? trainer->moments[i].owner : trainer->trained[average].owner;
    return average < 0 ? trainer->moments[i].parameter : trainer->trained[average].parameter;
}

static uint64_t nn__owners_state_bytes(const nn_node *parameter) {
    return (uint64_t)nn_shape_count(parameter->shape) * sizeof(float);
}

NN_PRIVATE nn_result nn__owners_invite(nn_trainer *trainer, const char *who) {
    nn__owners *owners = trainer->owners;
    nn_context *nn = trainer->nn;
    const int count = nn__owners_list(trainer);
    int32_t owner;
    size_t at = 0;
    if (owners->ranks == 0 || owners->rank != 0) return NN_OK;
    for (int i = 0; i < count; i++) {
        const nn_node *parameter = nn__owners_at(trainer, i, &owner);
        if (owner != 0) at += (size_t)nn__padded(nn__owners_state_bytes(parameter));
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
    nn__owners *owners = trainer->owners;
    nn__release(&trainer->nn->memory, owners->guest_bytes, owners->guest_room);
    nn__release(&trainer->nn->memory, owners->guests, owners->guest_list);
    owners->guests = NULL;
    owners->guest_bytes = NULL;
}

/* Copies a piece of a moment between its owner and the guest on rank 0. */
static nn_result nn__owners_pass_piece(nn_trainer *trainer, int i, const nn__owned_piece *piece,
                                       bool back, void *room, nn_result *mine, nn_site site,
                                       const char *who) {
    const nn__owners *owners = trainer->owners;
    const uint64_t bytes = (uint64_t)piece->count * sizeof(float);
    const nn_node *state = trainer->moments[i].state;
    nn_tensor own, guest, *here = NULL;
    memset(&own, 0, sizeof own);
    memset(&guest, 0, sizeof guest);
    if (piece->rank == owners->rank) {
        own = *state->tensor;
        own.view.offset += (uint64_t)piece->kept * sizeof(float);
        here = &own;
    }
    if (owners->rank == 0) {
        guest = owners->guests[i];
        guest.view.offset += (uint64_t)piece->first * sizeof(float);
        if (piece->rank != 0) here = &guest;
    }
    if (piece->rank != 0)
        return nn__agree_bytes(trainer->desc.group, here, bytes, back ? 0 : piece->rank,
                               room, NN__AGREE_ROOM, mine, site, who);
    if (owners->rank != 0 || *mine != NN_OK) return NN_OK;
    char *at = (char *)guest.view.handle + guest.view.offset;
    if (nn__tensor_on_host(&own)) {
        char *kept = (char *)own.view.handle + own.view.offset;
        memcpy(back ? kept : at, back ? at : kept, (size_t)bytes);
    } else if (back) {
        *mine = nn__upload(trainer->nn, own.device, &own.view, at, bytes, "exchange", site, NULL);
    } else {
        *mine = nn__download(trainer->nn, own.device, &own.view, at, bytes, "exchange", site);
    }
    return NN_OK;
}

/* Copies all moments, if parameters are cut. */
static nn_result nn__owners_pass_cut(nn_trainer *trainer, bool back, void *room,
                                     nn_site site, const char *who) {
    nn_result result = NN_OK, mine = NN_OK;
    for (int32_t r = 0; r < trainer->owners->ranks; r++) {
        nn__owned_piece piece;
        memset(&piece, 0, sizeof piece);
        piece.rank = r;
        while (result == NN_OK && nn__owners_next(trainer, &piece))
            for (int i = 0; i < trainer->moment_count && result == NN_OK; i++)
                if (trainer->moments[i].parameter == piece.parameter)
                    result = nn__owners_pass_piece(trainer, i, &piece, back, room, &mine, site,
                                                   who);
    }
    return result == NN_OK ? nn__trainer_agree(trainer, mine, site, who) : result;
}

/* Copies moments and averages one by one between their owners and rank 0. */
static nn_result nn__owners_pass(nn_trainer *trainer, bool back, void *room, nn_site site,
                                 const char *who) {
    const nn__owners *owners = trainer->owners;
    const int count = nn__owners_list(trainer);
    nn_result result = NN_OK, mine = NN_OK;
    if (owners->cut) return nn__owners_pass_cut(trainer, back, room, site, who);
    for (int i = 0; i < count && result == NN_OK; i++) {
        int32_t owner;
        const nn_node *parameter = nn__owners_at(trainer, i, &owner);
        const nn_tensor *tensor = i < trainer->moment_count
                                      ? nn__moment_tensor(trainer, i)
                                      : nn__average_tensor(trainer, i - trainer->moment_count);
        if (owner == 0) continue;
        result = nn__agree_bytes(trainer->desc.group, tensor, nn__owners_state_bytes(parameter),
                                 back ? 0 : owner, room, NN__AGREE_ROOM, &mine, site, who);
    }
    return result == NN_OK ? nn__trainer_agree(trainer, mine, site, who) : result;
}

NN_PRIVATE nn_result nn__owners_gather(nn_trainer *trainer, void *room, nn_site site,
                                       const char *who) {
    return nn__owners_pass(trainer, false, room, site, who);
}

NN_PRIVATE nn_result nn__owners_spread(nn_trainer *trainer, void *room, nn_site site,
                                       const char *who) {
    return trainer->owners->ranks ? nn__owners_pass(trainer, true, room, site, who) : NN_OK;
}

#endif /* NN__NO_TRAINER */

typedef int nn__owners_checkpoint_part; /* a part must not be empty under NN__NO_TRAINER */
