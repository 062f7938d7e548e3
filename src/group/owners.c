/* group/owners.c - nn_trainer_desc.shard_state: each trained parameter has one owner among the
   ranks of the group. The owner alone keeps its moments and average, updates it and then sends it
   to all others, as in ZeRO's first stage (Rajbhandari et al., "ZeRO: memory optimizations toward
   training trillion parameter models", 2020). Every parameter gets the same bytes as without
   owners.

   If each number is updated by itself and gradients have no other use, parameters are cut: every
   rank owns a part of each bucket of the leaf. Only the owner receives a sum of gradients (the
   first half of an allreduce); instead of the second half, the new parameters travel. Otherwise all
   ranks have all gradients, and parameters are dealt as wholes, so every optimizer, norm and
   clipping works as without owners. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- who has what ---------------------------------------------------------------------------- */

NN_PRIVATE void nn__owners_count(nn_trainer *trainer) {
    nn_group *group = trainer->desc.group;
    if (!trainer->desc.shard_state || nn_group_size(group) < 2) return;
    trainer->owners->ranks = nn_group_size(group);
    trainer->owners->rank = nn_group_rank(group);
    trainer->deals = true;
}

static uint64_t nn__owners_count_of(const nn_node *parameter) {
    return (uint64_t)nn_shape_count(parameter->shape);
}

/* All ranks return the same, because they compare what this depends on. */
static bool nn__owners_may_cut(const nn_trainer *trainer) {
    const nn_trainer_desc *desc = &trainer->desc;
    const int32_t ranks = trainer->owners->ranks;
    if (ranks == 0 || (ranks & (ranks - 1)) != 0 || desc->shards <= 1 || trainer->shards->asked ||
        desc->accumulate > 1 || desc->max_norm > 0.0f || desc->wire == NN_BF16 ||
        desc->average.kind != NN_AVERAGE_NONE || trainer->trained_count == 0)
        return false;
    for (int i = 0; i < trainer->trained_count; i++)
        if (trainer->groups[trainer->trained[i].group].recipe.recipe ||
            trainer->trained[i].parameter->dtype != NN_F32)
            return false;
    return true;
}

/* Advances to the piece that a rank owns of the next bucket, or of the next gradient in it; it may
   be empty. */
static void nn__owners_cut_next(const nn_trainer *trainer, nn__owned_piece *piece) {
    const nn__bucket *bucket = &trainer->shards->exchange.buckets[piece->next];
    const nn_node *gradient = trainer->gradients[piece->gradient].state;
    nn_node *parameter = trainer->gradients[piece->gradient].parameter;
    const int64_t start = piece->leaf, here = (int64_t)nn__owners_count_of(gradient);
    const int64_t end = start + (int64_t)(nn__padded(nn__node_bytes(gradient, 1, 1)) / 4);
    size_t first = 0, count = (size_t)bucket->count;
    if (piece->rank >= 0)
        nn__group_scattered(trainer->owners->ranks, piece->rank, count, &first, &count);
    const int64_t low = bucket->first + (int64_t)first, high = low + (int64_t)count;
    const int64_t from = low > start ? low : start;
    const int64_t to = high < start + here ? high : start + here;
    piece->kept = piece->parameter == parameter ? piece->kept + piece->count : 0;
    piece->parameter = parameter;
    piece->first = (int32_t)(from - start);
    piece->at = (int32_t)from;
    piece->count = to > from ? (int32_t)(to - from) : 0;
    if (end <= (int64_t)bucket->first + bucket->count) {
        piece->gradient++;
        piece->leaf = (int32_t)end;
    }
    if (end >= (int64_t)bucket->first + bucket->count) piece->next++;
}

NN_PRIVATE bool nn__owners_next(const nn_trainer *trainer, nn__owned_piece *piece) {
    if (trainer->owners->cut) {
        while (piece->next + 1 < trainer->shards->exchange.count) {
            nn__owners_cut_next(trainer, piece);
            if (piece->count > 0) return true;
        }
        return false;
    }
    while (piece->next < trainer->trained_count) {
        const nn__trained *one = &trainer->trained[piece->next++];
        if (one->owner != piece->rank) continue;
        piece->parameter = one->parameter;
        piece->first = piece->kept = 0;
        piece->count = (int32_t)nn__owners_count_of(one->parameter);
        return true;
    }
    return false;
}

NN_PRIVATE int32_t nn__owners_numbers(const nn_trainer *trainer, int i, int32_t rank) {
    nn__owned_piece piece;
    int32_t numbers = 0;
    memset(&piece, 0, sizeof piece);
    piece.rank = rank;
    while (nn__owners_next(trainer, &piece))
        if (piece.parameter == trainer->trained[i].parameter) numbers += piece.count;
    return numbers;
}

NN_PRIVATE int32_t nn__owners_mine(const nn_trainer *trainer, int i) {
    const nn__owners *owners = trainer->owners;
    return owners->cut ? nn__owners_numbers(trainer, i, owners->rank) : -1;
}

NN_PRIVATE bool nn__owners_parts(nn_trainer *trainer, nn_node *const *parameters,
                                 nn__update_params *params) {
    const int items = params->count;
    nn__owned_piece piece;
    nn__update_part *parts = NULL;
    if (!trainer->owners->cut) return true;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        memset(&piece, 0, sizeof piece);
        piece.rank = trainer->owners->rank;
        while (nn__owners_next(trainer, &piece)) {
            int item = 0;
            while (item < items && parameters[item] != piece.parameter) item++;
            if (item == items) continue; /* it belongs to another update */
            if (parts) {
                parts[count].item = item;
                parts[count].first = piece.first;
                parts[count].count = piece.count;
                parts[count].kept = piece.kept;
            }
            count++;
        }
        if (pass == 1) break;
        params->part_count = count;
        params->parts = parts = (nn__update_part *)nn__arena_take(
            &trainer->tape.arena, sizeof *parts * (size_t)nn__maxi(count, 1));
        if (!parts) return nn__describe_no_memory(trainer);
    }
    return true;
}

NN_PRIVATE bool nn__owners_has(const nn_trainer *trainer, int i) {
    const nn__owners *owners = trainer->owners;
    if (owners->cut) return nn__owners_numbers(trainer, i, owners->rank) > 0;
    return owners->ranks == 0 || trainer->trained[i].owner == owners->rank;
}

NN_PRIVATE nn_view nn__owners_bucket(const nn_trainer *trainer, int b) {
    nn_view view = nn__exchange_view(trainer, b);
    size_t first, count;
    nn__group_scattered(trainer->owners->ranks, trainer->owners->rank, (size_t)view.shape.extent[0],
                        &first, &count);
    view.offset += first * sizeof(float);
    view.shape.extent[0] = (int32_t)count;
    return view;
}

/* Returns the number of f32 tensors that belong to a parameter. */
static uint64_t nn__owners_states(const nn_trainer *trainer, int i) {
    const nn__trained *one = &trainer->trained[i];
    return (uint64_t)nn__group_states(&trainer->groups[one->group]) +
           nn__is_half(one->parameter->dtype) + (trainer->desc.average.kind != NN_AVERAGE_NONE);
}

/* Returns the bytes that a parameter's owner has to keep and read. */
static uint64_t nn__owners_bytes(const nn_trainer *trainer, int i) {
    const nn_node *parameter = trainer->trained[i].parameter;
    return nn__owners_count_of(parameter) *
           (sizeof(float) * nn__owners_states(trainer, i) + nn_dtype_size(parameter->dtype));
}

/* Deals parameters out: the largest one goes to the rank with the least bytes so far, and so on.
   All ranks get the same result. */
NN_PRIVATE bool nn__owners_deal(nn_trainer *trainer) {
    nn__owners *owners = trainer->owners;
    const size_t ranks = (size_t)owners->ranks;
    uint64_t *loads;
    owners->cut = nn__owners_may_cut(trainer);
    if (ranks == 0 || owners->cut) return true;
    loads = (uint64_t *)nn__arena_take(&trainer->tape.arena, sizeof(uint64_t) * ranks);
    if (!loads) return nn__describe_no_memory(trainer);
    memset(loads, 0, sizeof(uint64_t) * ranks);
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
    }
    return true;
}

/* Makes the lists of buckets and pieces that travel. */
static bool nn__owners_list_runs(nn_trainer *trainer) {
    nn__owners *owners = trainer->owners;
    const nn__exchange *exchange = &trainer->shards->exchange;
    nn__arena *arena = &trainer->tape.arena;
    nn__owned_piece piece;
    memset(&piece, 0, sizeof piece);
    piece.rank = -1;
    while (nn__owners_next(trainer, &piece)) owners->run_count++;
    owners->sum_count = exchange->count - 1;
    owners->runs = (nn__group_span *)nn__arena_take(arena, sizeof *owners->runs *
                                                              (size_t)owners->run_count);
    owners->sums = (nn__group_span *)nn__arena_take(arena, sizeof *owners->sums *
                                                              (size_t)owners->sum_count);
    if (!owners->runs || !owners->sums) return nn__describe_no_memory(trainer);
    for (int b = 0; b < owners->sum_count; b++) {
        owners->sums[b].first = (size_t)exchange->buckets[b].first;
        owners->sums[b].count = (size_t)exchange->buckets[b].count;
    }
    return true;
}

NN_PRIVATE bool nn__owners_weigh(nn_trainer *trainer) {
    nn__owners *owners = trainer->owners;
    for (int32_t r = 0; r < owners->ranks; r++) {
        nn__owned_piece piece;
        uint64_t bytes = 0;
        memset(&piece, 0, sizeof piece);
        piece.rank = r;
        while (nn__owners_next(trainer, &piece))
            bytes += (uint64_t)piece.count * nn_dtype_size(piece.parameter->dtype);
        if (owners->most < bytes) owners->most = bytes;
    }
    return !owners->cut || nn__owners_list_runs(trainer);
}

/* Returns the bytes of each rank's parameters that travel at a time. */
static uint64_t nn__owners_piece(const nn_trainer *trainer) {
    const uint64_t bytes = (uint64_t)trainer->desc.bucket_bytes / (uint64_t)trainer->owners->ranks;
    const uint64_t most = trainer->owners->most;
    return nn__padded(most < bytes ? most : bytes > 0 ? bytes : 1);
}

#ifndef NN_NO_REPORTS
NN_PRIVATE void nn__owners_note(const nn_trainer *trainer, char *text, size_t size) {
    const nn__owners *owners = trainer->owners;
    const size_t used = strlen(text);
    uint64_t mine = 0, all = 0;
    int count = 0;
    if (owners->ranks == 0) return;
    for (int i = 0; i < trainer->trained_count; i++) {
        const uint64_t bytes = sizeof(float) * nn__owners_states(trainer, i);
        const int32_t here = nn__owners_numbers(trainer, i, owners->rank);
        all += bytes * nn__owners_count_of(trainer->trained[i].parameter);
        mine += bytes * (uint64_t)here;
        count += here > 0;
    }
    nn__format(text + used, size - used,
               "\nshard_state: this rank keeps %llu of %llu bytes of the optimizer's state and "
               "updates %s%d of %d parameters%s; each rank then gives up to %llu bytes of them to "
               "all",
               (unsigned long long)mine, (unsigned long long)all, owners->cut ? "its part of " : "",
               count, trainer->trained_count,
               owners->cut ? ", and has only the gradients of these" : "",
               (unsigned long long)owners->most);
    if (!owners->cut)
        nn__format(text + strlen(text), size - strlen(text), ", through %llu bytes of host memory",
                   (unsigned long long)(nn__owners_piece(trainer) * (uint64_t)owners->ranks));
}
#endif

/* ---- parameters, after an update ------------------------------------------------------------- */

NN_PRIVATE bool nn__owners_room(nn_trainer *trainer) {
    nn__owners *owners = trainer->owners;
    if (owners->ranks == 0 || owners->most == 0 || nn__trainer_is_dry(&trainer->desc)) return true;
    if (owners->cut) return true; /* parameters travel from and to their own memory */
    owners->piece = (size_t)nn__owners_piece(trainer);
    owners->room_bytes = owners->piece * (size_t)owners->ranks;
    owners->room = (char *)nn__allocate_for(trainer->nn, "nn_make_trainer", owners->room_bytes);
    return owners->room != NULL;
}

NN_PRIVATE void nn__owners_drop(nn_trainer *trainer) {
    nn__release(&trainer->nn->memory, trainer->owners->room, trainer->owners->room_bytes);
    trainer->owners->room = NULL;
}

/* Copies bytes [done, done + count) of a rank's parameters, one after the other, to the room or
   back. */
static nn_result nn__owners_carry(nn_trainer *trainer, int32_t owner, uint64_t done, uint64_t count,
                                  bool back, nn_site site) {
    char *room = trainer->owners->room + trainer->owners->piece * (size_t)owner;
    uint64_t first = 0;
    nn__owned_piece piece;
    nn_result result = NN_OK;
    memset(&piece, 0, sizeof piece);
    piece.rank = owner;
    while (result == NN_OK && first < done + count && nn__owners_next(trainer, &piece)) {
        const nn_tensor *tensor = piece.parameter->tensor;
        const uint64_t size = nn_dtype_size(tensor->view.dtype);
        const uint64_t end = first + size * (uint64_t)piece.count;
        const uint64_t from = first > done ? first : done;
        const uint64_t to = end < done + count ? end : done + count;
        nn_view view = tensor->view;
        view.offset += size * (uint64_t)piece.first + from - first;
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

/* Copies a rank's pieces of parameters between a device and host memory, where they then lie in the
   places of their gradients. */
static nn_result nn__owners_stage(nn_trainer *trainer, int32_t rank, bool back, nn_site site) {
    char *host = trainer->shards->exchange.staging.host;
    nn_result result = NN_OK;
    nn__owned_piece piece;
    memset(&piece, 0, sizeof piece);
    piece.rank = rank;
    while (host && result == NN_OK && nn__owners_next(trainer, &piece)) {
        const nn_tensor *tensor = piece.parameter->tensor;
        const uint64_t bytes = (uint64_t)piece.count * sizeof(float);
        char *at = host + (size_t)piece.at * sizeof(float);
        nn_view view = tensor->view;
        view.offset += (uint64_t)piece.first * sizeof(float);
        result = back ? nn__upload(trainer->nn, tensor->device, &view, at, bytes, "exchange", site,
                                   NULL)
                      : nn__download(trainer->nn, tensor->device, &view, at, bytes, "exchange",
                                     site);
    }
    return result;
}

/* Sends each piece from the owner's parameter to the parameters of all other ranks, instead of the
   second half of the sum of gradients. */
static nn_result nn__owners_spread_cut(nn_trainer *trainer, nn_result mine, nn_site site,
                                       const char *who) {
    nn__owners *owners = trainer->owners;
    char *host = trainer->shards->exchange.staging.host;
    nn__owned_piece piece;
    nn_result result = mine;
    memset(&piece, 0, sizeof piece);
    piece.rank = -1;
    for (int i = 0; nn__owners_next(trainer, &piece); i++) {
        const nn_view *view = &piece.parameter->tensor->view;
        nn__group_span *run = &owners->runs[i];
        run->first = (size_t)piece.at;
        run->count = (size_t)piece.count;
        run->at = host ? host + run->first * sizeof(float)
                       : (char *)view->handle + view->offset + (size_t)piece.first * sizeof(float);
    }
    if (result == NN_OK) result = nn__owners_stage(trainer, owners->rank, false, site);
    const nn_view leaf = nn__shard_leaf(trainer);
    result = nn__group_spread(trainer->desc.group, result, owners->sums, owners->sum_count,
                              owners->runs, owners->run_count,
                              host ? NULL : (char *)leaf.handle + leaf.offset, site, who);
    for (int32_t r = 0; r < owners->ranks && result == NN_OK; r++)
        if (r != owners->rank) result = nn__owners_stage(trainer, r, true, site);
    return result;
}

NN_PRIVATE nn_result nn__owners_share(nn_trainer *trainer, nn_result mine, nn_site site,
                                      const char *who) {
    const nn__owners *owners = trainer->owners;
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    nn_result result = mine;
    uint64_t done = 0;
    bool told;
    if (owners->ranks == 0 || owners->most == 0) return mine;
    const nn_result idle = on->backend->finish(on->state);
    if ((int)idle < 0 && result == NN_OK)
        result = nn__fail_at(trainer->nn, site, idle, "%s: waiting for %s: %s", who,
                             on->limits.name, nn_result_text(idle));
    if (owners->cut) return nn__owners_spread_cut(trainer, result, site, who);
    do { /* at least once, so that all ranks learn of an error */
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
        /* If this rank could not take its copy, the others learn of that with the next piece or,
           after the last one, when all confirm the update. */
    } while (!told && done < owners->most);
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__owners_part; /* a part must not be empty under NN__NO_TRAINER */
