/* group/window.c - sums in memory that all ranks of a group reach. Each rank computes a part of the
   sum directly from the numbers of all ranks, and writes it to the memory of each rank. The
   only messages say that the numbers are there, and then that the sums are. If each rank updates a
   part of the parameters (group/owners.c), the new parameters reach the others through the memory
   of their gradients.

   Every element is added in the tree of group/collective_data.c, so the result does not depend on
   how the bytes travel. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

#define NN__WINDOW_PIECE 2048 /* numbers that are added at a time: they stay in the L1 cache */

/* ---- making ---------------------------------------------------------------------------------- */

NN_PRIVATE nn__window *nn__window_open(nn_group *group, size_t bytes, const char *who) {
    const nn_group_desc *desc = &group->desc;
    const size_t size = (size_t)desc->size;
    const size_t block = sizeof(nn__window) + size * (sizeof(char *) + NN_GROUP_PLACE);
    nn__window *window = (nn__window *)nn__allocate_for(group->head.nn, who, block);
    if (!window) return NULL;
    memset(window, 0, block);
    window->block = block;
    window->bytes = bytes;
    window->process = nn__helpers_process();
    window->all = (char **)(void *)(window + 1);
    window->places = (char *)(window->all + size);
    if (bytes > 0 && desc->share && desc->reach && desc->unshare)
        window->own = (char *)desc->share(
            desc->user, bytes, window->places + (size_t)desc->rank * NN_GROUP_PLACE);
    window->next = group->windows;
    group->windows = window;
    return window;
}

/* Finds the memory of every rank. False if a rank has none, or if it cannot be reached. */
static bool nn__window_find(nn_group *group, nn__window *window) {
    const nn_group_desc *desc = &group->desc;
    bool found = window->own != NULL;
    for (int32_t i = 0; i < desc->size && found; i++) {
        const char *place = window->places + (size_t)i * NN_GROUP_PLACE;
        window->all[i] = i == desc->rank
                             ? window->own
                             : (char *)desc->reach(desc->user, i, place, window->bytes);
        found = window->all[i] != NULL;
    }
    return found;
}

/* Gives back the memory of the other ranks. */
static void nn__window_leave(nn_group *group, nn__window *window) {
    const nn_group_desc *desc = &group->desc;
    for (int32_t i = 0; i < desc->size; i++) {
        if (i != desc->rank && window->all[i]) desc->unshare(desc->user, window->all[i]);
        window->all[i] = NULL;
    }
    window->met = false;
}

NN_PRIVATE nn_result nn__window_meet(nn_group *group, nn__window *window, nn_site site,
                                     const char *who) {
    char place[NN_GROUP_PLACE];
    double found = 0.0;
    nn_result result;
    memcpy(place, window->places + (size_t)group->desc.rank * NN_GROUP_PLACE, sizeof place);
    result = nn__group_gather(group, place, sizeof place, window->places, site, who);
    if (result != NN_OK) return result;
    if (nn__window_find(group, window)) found = 1.0;
    result = nn__group_news(group, NN_OK, NULL, &found, 1, site, who);
    window->met = result == NN_OK && found == (double)group->desc.size;
    if (!window->met) nn__window_leave(group, window);
    return result;
}

NN_PRIVATE void nn__window_drop(nn_group *group, nn__window *window) {
    nn__window **at = &group->windows;
    while (*at && *at != window) at = &(*at)->next;
    if (*at) *at = window->next;
    nn__window_leave(group, window);
    if (window->own) group->desc.unshare(group->desc.user, window->own);
    nn__release(&group->head.nn->memory, window, window->block);
}

NN_PRIVATE const nn__window *nn__window_of(const nn_group *group, const void *data, size_t bytes) {
    const uintptr_t at = (uintptr_t)data;
    for (const nn__window *window = group->windows; window; window = window->next) {
        const uintptr_t start = (uintptr_t)window->own;
        if (window->met && at >= start && at + bytes <= start + window->bytes) return window;
    }
    return NULL;
}

/* ---- a sum ----------------------------------------------------------------------------------- */

/* True if the job's sum goes through a window. All ranks return the same, because the messages of
   the header have told them how many ranks have the window. */
NN_PRIVATE bool nn__window_serves(const nn_group *group, const nn__group_job *job) {
    return job->window && job->header.news[1] == (double)group->desc.size;
}

/* Returns the memory for the sum that waits at a level of the tree. Level 12: for the next sum. */
static float *nn__window_room(nn_group *group, int level) {
    return (float *)(void *)group->scratch + (size_t)level * NN__WINDOW_PIECE;
}

/* Returns the numbers of one place of the tree: those of a rank, or the sum of a pair, computed in
   `room`. */
static const float *nn__window_place(const nn__group_job *job, const nn__seat *at, int32_t place,
                                     size_t offset, float *room, size_t count) {
    const int32_t rank = nn__seat_rank(at, place);
    const float *first = (const float *)(const void *)(job->window->all[rank] + offset);
    if (place >= at->extra) return first;
    nn__collective_add_floats(
        room, first, (const float *)(const void *)(job->window->all[rank + 1] + offset), count);
    return room;
}

/* Sums at most NN__WINDOW_PIECE numbers over all ranks, with a binary counter over the places. */
static const float *nn__window_add(nn_group *group, const nn__group_job *job, const nn__seat *at,
                                   size_t offset, size_t count) {
    const float *pending[12], *sum = NULL;
    float *next = nn__window_room(group, 12);
    for (int32_t place = 0; place < 1 << at->levels; place++) {
        int level = 0;
        float *room = place & 1 ? next : nn__window_room(group, 0);
        sum = nn__window_place(job, at, place, offset, room, count);
        for (; place >> level & 1; level++) {
            /* the sum waits for its other half at the next level, or is added at once */
            room = place >> (level + 1) & 1 ? next : nn__window_room(group, level + 1);
            nn__collective_add_floats(room, pending[level], sum, count);
            sum = room;
        }
        pending[level] = sum;
    }
    return sum;
}

/* Computes which numbers this rank adds: [*first, *end). They are whole cache lines, because `data`
   begins at one. */
static void nn__window_part(const nn_group *group, const nn__group_job *job, size_t *first,
                            size_t *end) {
    const uint64_t rank = (uint64_t)group->desc.rank, size = (uint64_t)group->desc.size;
    size_t count;
    if (job->scatters) {
        nn__group_scattered((int32_t)size, (int32_t)rank, job->count, first, &count);
        *end = *first + count;
        return;
    }
    *first = (size_t)(job->count * rank / size) & ~(size_t)15;
    *end = rank + 1 == size ? job->count
                            : (size_t)(job->count * (rank + 1) / size) & ~(size_t)15;
}

NN_PRIVATE bool nn__window_sum(nn_group *group, nn__group_job *job) {
    const nn__window *window = job->window;
    const nn__seat at = nn__group_seat(group);
    const size_t start = (size_t)((char *)job->data - window->own);
    size_t first, end;
    nn__window_part(group, job, &first, &end);
    for (size_t done = first; done < end; done += NN__WINDOW_PIECE) {
        const size_t count = end - done < NN__WINDOW_PIECE ? end - done : NN__WINDOW_PIECE;
        const size_t offset = start + done * sizeof(float);
        float *mine = (float *)(void *)(window->own + offset);
        const float *sum = mine;
        if (group->desc.size == 2)
            nn__collective_add_floats(mine, (const float *)(const void *)(window->all[0] + offset),
                                      (const float *)(const void *)(window->all[1] + offset),
                                      count);
        else
            sum = nn__window_add(group, job, &at, offset, count);
        for (int32_t i = 0; i < group->desc.size; i++)
            if (window->all[i] + offset != (const char *)sum &&
                (!job->scatters || i == group->desc.rank))
                memcpy(window->all[i] + offset, sum, count * sizeof(float));
    }
    /* No rank uses or overwrites its numbers before all have computed their part. */
    return nn__collective_barrier(group, job);
}

/* ---- parameters, after an update ------------------------------------------------------------- */

/* Copies a rank's part of the parameters: for this rank from its memory into its window, for
   another rank from that rank's window into memory here. */
static void nn__window_carry(const nn_group *group, const nn__group_job *job, int32_t rank) {
    const nn__window *window = job->window;
    char *there = window->all[rank] + ((char *)job->data - window->own);
    const nn__group_span *run = job->runs, *last = job->runs + job->run_count;
    for (int b = 0; b < job->sum_count; b++) {
        const nn__group_span *sum = &job->sums[b];
        size_t low, count;
        nn__group_scattered(group->desc.size, rank, sum->count, &low, &count);
        low += sum->first;
        for (; run < last && run->first < sum->first + sum->count; run++) {
            const size_t from = run->first > low ? run->first : low, end = run->first + run->count;
            const size_t to = end < low + count ? end : low + count;
            char *here = run->at + (from - run->first) * sizeof(float);
            char *place = there + from * sizeof(float);
            if (from >= to) continue;
            memcpy(rank == group->desc.rank ? place : here,
                   rank == group->desc.rank ? here : place, (to - from) * sizeof(float));
        }
    }
}

NN_PRIVATE bool nn__window_spread(nn_group *group, nn__group_job *job) {
    nn__window_carry(group, job, group->desc.rank);
    if (!nn__collective_barrier(group, job)) return false;
    for (int32_t rank = 0; rank < group->desc.size; rank++)
        if (rank != group->desc.rank) nn__window_carry(group, job, rank);
    /* No rank overwrites its gradients before all have read. */
    return nn__collective_barrier(group, job);
}

/* ---- the leaf of a trainer ------------------------------------------------------------------- */

/* Returns the next state of the leaf, whose states are adjacent. node: NULL for the first one. */
static nn_node *nn__window_next(const nn_trainer *trainer, const nn_node *node) {
    nn_node *next = node ? node->next : trainer->gradients[0].state;
    if (node == trainer->shards->end) return NULL;
    while (next && next->kind != NN__STATE) next = next->next;
    return next;
}

static uint64_t nn__window_bytes(const nn_node *node) {
    return nn__padded(nn__node_bytes(node, 1, 1));
}

static bool nn__window_suits(const nn_trainer *trainer) {
    const nn__open_device *on = nn__find_device(trainer->nn, trainer->loss->device);
    const nn_trainer_desc *desc = &trainer->desc;
    return !nn__trainer_is_dry(desc) && desc->wire != NN_BF16 && on && on->device.kind == NN_CPU;
}

NN_PRIVATE bool nn__exchange_open_window(nn_trainer *trainer) {
    nn_group *group = trainer->desc.group;
    nn__window *window;
    uint64_t bytes = 0;
    nn_view view;
    if (nn_group_size(group) < 2 || group->head.nn != trainer->nn) return true;
    for (nn_node *node = NULL; (node = nn__window_next(trainer, node)) != NULL;)
        bytes += nn__window_bytes(node);
    if (!nn__window_suits(trainer) || bytes > SIZE_MAX / 2) bytes = 0;
    window = nn__window_open(group, (size_t)bytes, "nn_make_trainer");
    trainer->shards->exchange.window = window;
    if (!window || !window->own) return window != NULL;
    memset(&view, 0, sizeof view);
    view.handle = window->own;
    for (nn_node *node = NULL; (node = nn__window_next(trainer, node)) != NULL;) {
        view.shape = node->shape;
        view.dtype = node->dtype;
        node->tensor = nn__make_leaf_tensor(trainer->nn, node->name, trainer->loss->device, &view,
                                            trainer->site);
        if (!node->tensor) return false;
        view.offset += nn__window_bytes(node);
    }
    return true;
}

NN_PRIVATE nn_result nn__exchange_close_window(nn_trainer *trainer, const char *who) {
    nn__window *window = trainer->shards->exchange.window;
    nn__graph *tape = &trainer->tape;
    nn__leaf_block *block;
    nn_result result;
    if (!window || !window->own) return NN_OK;
    block = (nn__leaf_block *)nn__arena_take(&tape->arena, sizeof *block);
    if (!block) return nn__fail_memory(trainer->nn, who, sizeof *block);
    block->device = trainer->loss->device;
    block->bytes = window->bytes;
    result = nn__device_alloc(trainer->nn, block->device, block->bytes, who, &block->handle);
    if (result != NN_OK) return result;
    block->next = tape->blocks;
    tape->blocks = block;
    memcpy(block->handle, window->own, window->bytes);
    for (nn_node *node = NULL; (node = nn__window_next(trainer, node)) != NULL;)
        node->tensor->view.handle = block->handle;
    nn__window_drop(trainer->desc.group, window);
    trainer->shards->exchange.window = NULL;
#ifndef NN__ONE_PIECE
    if (trainer->plan) trainer->plan->process = 0;
#endif
    return NN_OK;
}

NN_PRIVATE nn_result nn__exchange_separate(nn_trainer *trainer, const char *who) {
    const nn__window *window = trainer->shards->exchange.window;
    if (!window || window->process == nn__helpers_process()) return NN_OK;
    return nn__exchange_close_window(trainer, who);
}

#undef NN__WINDOW_PIECE
#endif /* NN__NO_TRAINER */

typedef int nn__window_part_of_train; /* a part must not be empty under NN__NO_TRAINER */
