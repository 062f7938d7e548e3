/* model/move.c - moves a model, or a model and its trainer, to another device.

   It allocates and copies everything on the new device, waits, swaps the storage, and then releases
   the old storage. The swap is the first change of the model, and cannot fail. Plans are not
   changed. They compare their generation with the model's and report that they are stale. */
#include "model/private.h"

/* host memory for copies between devices that the host cannot address */
#define NN__MOVE_STAGING ((uint64_t)4 << 20)

/* A node's place after the swap. */
struct nn__move_item {
    nn_node *node;
    nn_device device;
    int block; /* -1: a node without storage */
    void *handle;
    uint64_t offset;
};

/* A block's place after the swap. If all leaves of the block move, the block itself is replaced. If
   some leaves stay (nn_device_begin), or if the new device's allocations are too small, `fresh` is
   a new block for leaves that move. */
struct nn__move_block {
    nn__graph *graph;
    nn__leaf_block *block, *fresh;
    nn_device device;
    void *handle;
    uint64_t bytes;
    nn_device from; /* the device to wait for */
};

static bool nn__move_takes(const nn_node *node, nn_device device) {
    return node->moves && node->kind != NN__BORROWED && !nn_same_device(node->device, device);
}

static nn__leaf_block *nn__move_storage(const nn_node *node) {
    if (!nn__is_stored(node) || !node->tensor) return NULL;
    for (nn__leaf_block *block = node->graph->blocks; block; block = block->next) {
        if (block->handle == node->tensor->view.handle &&
            nn_same_device(block->device, node->tensor->device))
            return block;
    }
    return NULL;
}

/* ---- the list -------------------------------------------------------------------------------- */

static bool nn__move_make_room(nn__move *move) {
    nn__memory *memory = &move->net->nn->memory;
    int nodes = 0, blocks = 0;
    for (int g = 0; g < move->graph_count; g++) {
        for (const nn_node *node = move->graphs[g]->first; node; node = node->next) nodes++;
        for (const nn__leaf_block *block = move->graphs[g]->blocks; block; block = block->next)
            blocks++;
    }
    move->item_room = nn__maxi(nodes, 1);
    if (nn__largest_piece(move->net->nn, move->device) != UINT64_MAX) blocks += nodes;
    move->block_room = nn__maxi(blocks, 1);
    move->items =
        (nn__move_item *)nn__allocate(memory, sizeof *move->items * (size_t)move->item_room);
    move->blocks =
        (nn__move_block *)nn__allocate(memory, sizeof *move->blocks * (size_t)move->block_room);
    if (move->items && move->blocks) return true;
    nn__fail_memory(move->net->nn, "a list of what moves",
                    sizeof *move->items * (size_t)move->item_room);
    return false;
}

static int nn__move_new_block(nn__move *move, nn__graph *graph, nn__leaf_block *block) {
    nn__move_block *entry = &move->blocks[move->block_count];
    entry->graph = graph;
    entry->block = block;
    entry->device = move->device;
    entry->from = block->device;
    return move->block_count++;
}

static int nn__move_add_block(nn__move *move, nn__graph *graph, nn__leaf_block *block) {
    for (int i = 0; i < move->block_count; i++) {
        if (move->blocks[i].block == block) return i;
    }
    return nn__move_new_block(move, graph, block);
}

static bool nn__move_take_fresh(nn__move *move, int block) {
    nn__move_block *entry = &move->blocks[block];
    entry->fresh = (nn__leaf_block *)nn__arena_take(&entry->graph->arena, sizeof *entry->fresh);
    if (!entry->fresh)
        nn__fail_memory(move->net->nn, "a block of parameters", sizeof *entry->fresh);
    return entry->fresh != NULL;
}

/* Places the leaves of one block one after another, in this block and as many further ones as
   needed. */
static bool nn__move_pack(nn__move *move, int first, uint64_t most) {
    int last = first;
    move->blocks[first].bytes = 0;
    for (int k = 0; k < move->item_count; k++) {
        nn__move_item *item = &move->items[k];
        if (item->block != first) continue;
        const uint64_t bytes = nn__padded(item->node->tensor->bytes);
        if (move->blocks[last].bytes > most - bytes && move->blocks[last].bytes > 0) {
            last = nn__move_new_block(move, move->blocks[first].graph, move->blocks[first].block);
            if (!nn__move_take_fresh(move, last)) return false;
        }
        item->block = last;
        item->offset = move->blocks[last].bytes;
        move->blocks[last].bytes += bytes;
    }
    return true;
}

/* True if the block has leaves that stay. Then the leaves that move get a new block. */
static bool nn__move_mixed(const nn__move *move, const nn__move_block *entry) {
    for (const nn_node *node = entry->graph->first; node; node = node->next) {
        if (nn__move_storage(node) == entry->block && !nn__move_takes(node, move->device))
            return true;
    }
    return false;
}

static nn_result nn__move_list(nn__move *move, nn_site site, const char *who) {
    const uint64_t most = nn__largest_piece(move->net->nn, move->device);
    int blocks;
    for (int g = 0; g < move->graph_count; g++) {
        for (nn_node *node = move->graphs[g]->first; node; node = node->next) {
            nn__move_item *item = &move->items[move->item_count];
            nn__leaf_block *block = nn__move_storage(node);
            if (!nn__move_takes(node, move->device)) continue;
            move->item_count++;
            item->node = node;
            item->device = move->device;
            item->block = block ? nn__move_add_block(move, move->graphs[g], block) : -1;
            if (!block) continue;
            item->offset = node->tensor->view.offset;
            if (nn__is_mapped(node->tensor)) return nn__fail_mapped(node->tensor, site, who);
            if (node->tensor->bytes > most)
                return nn__fail_at(
                    move->net->nn, site, NN_ERROR_MEMORY,
                    "%s: \"%s\" has %llu bytes; the largest allocation on %s is %llu; nothing was "
                    "moved",
                    who, node->name, (unsigned long long)node->tensor->bytes,
                    nn__find_device(move->net->nn, move->device)->limits.name,
                    (unsigned long long)most);
        }
    }
    blocks = move->block_count;
    for (int i = 0; i < blocks; i++) {
        nn__move_block *entry = &move->blocks[i];
        bool mixed = nn__move_mixed(move, entry);
        entry->bytes = entry->block->bytes;
        if (!mixed && entry->bytes <= most) continue;
        if (mixed && !nn__move_take_fresh(move, i)) return NN_ERROR_MEMORY;
        if (!nn__move_pack(move, i, most)) return NN_ERROR_MEMORY;
    }
    return NN_OK;
}

/* ---- copying --------------------------------------------------------------------------------- */

static nn_result nn__move_finish(nn_context *nn, nn_device device, nn_site site, const char *who) {
    const nn__open_device *on = nn__find_device(nn, device);
    char name[32];
    nn_result result;
    if (!on) return nn__fail_not_open(nn, site, who, device);
    result = on->backend->finish(on->state);
    if ((int)result >= 0) return NN_OK;
    return nn__fail_at(nn, site, result, "%s: waiting for %s: %s; nothing was moved", who,
                       nn_format_device(on->device, name, sizeof name), nn_result_text(result));
}

static nn_result nn__move_copy(nn__move *move, nn_site site, const char *who) {
    nn_context *nn = move->net->nn;
    const nn__open_device *target = nn__find_device(nn, move->device);
    uint64_t staging_bytes = 0;
    void *staging = NULL;
    nn_result result = NN_OK;
    for (int i = 0; i < move->block_count; i++) {
        nn__move_block *entry = &move->blocks[i];
        const nn__open_device *source = nn__find_device(nn, entry->from);
        result = nn__device_alloc(nn, move->device, entry->bytes, who, &entry->handle);
        if (result != NN_OK) return result;
        if (source && !source->limits.host_memory && !target->limits.host_memory) {
            staging_bytes =
                (uint64_t)nn__max64((int64_t)staging_bytes,
                                    nn__min64((int64_t)entry->bytes, (int64_t)NN__MOVE_STAGING));
        }
    }
    if (staging_bytes > 0) {
        staging = nn__allocate(&nn->memory, (size_t)staging_bytes);
        if (!staging) return nn__fail_memory(nn, who, staging_bytes);
    }
    for (int i = 0; i < move->item_count && result == NN_OK; i++) {
        nn__move_item *item = &move->items[i];
        const nn_tensor *tensor = item->node->tensor;
        nn_view to;
        if (item->block < 0) continue;
        item->handle = move->blocks[item->block].handle;
        to = tensor->view;
        to.handle = item->handle;
        to.offset = item->offset;
        result = nn__cross(nn, move->device, &to, tensor->device, &tensor->view, tensor->bytes,
                           staging, (size_t)staging_bytes, item->node->name, site);
    }
    nn__release(&nn->memory, staging, (size_t)staging_bytes);
    if (result == NN_OK && move->block_count > 0)
        result = nn__move_finish(nn, move->device, site, who);
    for (int i = 0; i < move->block_count && result == NN_OK; i++)
        result = nn__move_finish(nn, move->blocks[i].from, site, who);
    return result;
}

/* ---- the swap: done twice, it changes nothing ------------------------------------------------ */

static void nn__move_swap_device(nn_device *a, nn_device *b) {
    nn_device kept = *a;
    *a = *b;
    *b = kept;
}

static void nn__move_swap_item(nn__move_item *item) {
    nn_tensor *tensor = item->node->tensor;
    void *handle;
    uint64_t offset;
    nn__move_swap_device(&item->node->device, &item->device);
    if (item->block < 0) return;
    handle = tensor->view.handle;
    offset = tensor->view.offset;
    tensor->device = item->node->device;
    tensor->view.handle = item->handle;
    tensor->view.offset = item->offset;
    item->handle = handle;
    item->offset = offset;
}

static void nn__move_swap_block(nn__move_block *entry) {
    if (entry->fresh) {
        nn__leaf_block **at = &entry->graph->blocks;
        while (*at && *at != entry->fresh) at = &(*at)->next;
        if (*at) { /* listed already: this swap undoes the first one */
            *at = entry->fresh->next;
            return;
        }
        entry->fresh->device = entry->device;
        entry->fresh->handle = entry->handle;
        entry->fresh->bytes = entry->bytes;
        entry->fresh->next = entry->graph->blocks;
        entry->graph->blocks = entry->fresh;
    } else {
        void *handle = entry->block->handle;
        uint64_t bytes = entry->block->bytes;
        nn__move_swap_device(&entry->block->device, &entry->device);
        entry->block->handle = entry->handle;
        entry->handle = handle;
        entry->block->bytes = entry->bytes;
        entry->bytes = bytes;
    }
}

static void nn__move_swap(nn__move *move) {
    nn_model *net = move->net;
    nn_site moved = net->moved;
    const char *mover = net->mover;
    uint32_t generation = net->generation;
    for (int i = 0; i < move->item_count; i++) nn__move_swap_item(&move->items[i]);
    for (int i = 0; i < move->block_count; i++) nn__move_swap_block(&move->blocks[i]);
    nn__move_swap_device(&net->device, &move->device);
    net->generation = move->generation;
    net->moved = move->moved;
    net->mover = move->mover;
    move->generation = generation;
    move->moved = moved;
    move->mover = mover;
}

static void nn__move_end(nn__move *move, bool committed) {
    nn_context *nn = move->net->nn;
    for (int i = 0; i < move->block_count; i++) {
        nn__move_block *entry = &move->blocks[i];
        /* after a move, a fresh block owns the handle in use, and there is no old one */
        if (entry->fresh && committed) continue;
        nn__device_release(nn, entry->device, entry->handle, entry->bytes);
    }
    nn__release(&nn->memory, move->items, sizeof *move->items * (size_t)move->item_room);
    nn__release(&nn->memory, move->blocks, sizeof *move->blocks * (size_t)move->block_room);
    memset(move, 0, sizeof *move);
}

NN_PRIVATE nn_result nn__move_begin(nn__move *move, nn_model *net, nn__graph *second,
                                    nn_device device, nn_site site, const char *who) {
    nn_context *nn = net->nn;
    const nn__open_device *on = nn__find_device(nn, device);
    nn_result result = NN_ERROR_MEMORY;
    memset(move, 0, sizeof *move);
    if (!on) return nn__fail_not_open(nn, site, who, nn__resolve_device(nn, device));
    result = nn__check_slicing(nn, net->slicing, NULL, true, site, who);
    if (result != NN_OK) return result;
    result = NN_ERROR_MEMORY;
    move->net = net;
    move->graphs[0] = &net->graph;
    move->graphs[1] = second;
    move->graph_count = second ? 2 : 1;
    move->device = on->device;
    move->generation = net->generation + 1;
    move->moved = site;
    move->mover = who;
    if (nn__move_make_room(move)) result = nn__move_list(move, site, who);
    if (result == NN_OK) result = nn__move_copy(move, site, who);
    if (result != NN_OK) {
        nn__move_end(move, false);
        return result;
    }
    nn__move_swap(move);
    return NN_OK;
}

NN_PRIVATE void nn__move_commit(nn__move *move) { nn__move_end(move, true); }

NN_PRIVATE void nn__move_undo(nn__move *move) {
    nn__move_swap(move);
    nn__move_end(move, false);
}

NN_PRIVATE nn_result nn__move_graphs(nn_model *net, nn__graph *second, nn_device device,
                                     nn_site site, const char *who) {
    nn__move move;
    nn_result result = nn__move_begin(&move, net, second, device, site, who);
    if (result == NN_OK) nn__move_commit(&move);
    return result;
}

static nn_result nn__inside_move_model(nn_site site, nn_model *net, nn_device device) {
    if (nn__model_gone(net, site, "nn_move_model")) return NN_ERROR_ARGUMENT;
    if (nn_same_device(nn__resolve_device(net->nn, device), net->device)) return NN_OK;
    return nn__move_graphs(net, NULL, device, site, "nn_move_model");
}

NN_API nn_result nn_move_model_at(nn_site site, nn_model *net, nn_device device) {
    return NN__ALONE(net ? net->nn : NULL, "nn_move_model", site,
                     nn__inside_move_model(site, net, device));
}

#undef NN__MOVE_STAGING
