/* opencl/chain_follow.c - updates a chain whose inputs moved, as a loader's batches do. If nothing
   else changed, the calls need not be judged again. */
#include "opencl/chain.h"

NN__OPENCL_PRIVATE void nn__opencl_chain_know(nn__opencl_chain *chain) {
    nn__opencl_chain_views views;
    chain->known_count = 0;
    for (int i = 0; i < chain->count; i++) {
        nn__opencl_chain_list(&chain->calls[i], &views);
        for (int k = 0; k < views.count; k++) {
            nn__opencl_known *known = &chain->known[chain->known_count];
            if (chain->known_count == NN__CHAIN_KNOWN) {
                chain->known_count = 0;
                return;
            }
            known->view = views.view[k];
            known->shape = known->view->shape;
            known->storage = nn__opencl_chain_find(chain, known->view);
            chain->known_count++;
        }
    }
}

/* True if the storage may use another buffer: the chain only reads it, nothing else uses the old
   buffer, and the new one is not in use. */
static bool nn__opencl_chain_may_change(const nn__opencl_chain *chain, int storage,
                                        const void *handle) {
    const nn__opencl_storage *mine = &chain->storages[storage];
    if (mine->own) return false;
    for (int s = 0; s < chain->storage_count; s++)
        if (s != storage && chain->storages[s].buffer == mine->buffer) return false;
    for (int i = 0; i < chain->buffer_count; i++)
        if (chain->buffers[i] == handle) return false;
    return true;
}

/* True if storage s may move to this place, while the others are at the places in `at`. */
static bool nn__opencl_chain_may_move(const nn__opencl_chain *chain, int s, const nn_view *to,
                                      const nn_view *const *at) {
    const nn__opencl_storage *storage = &chain->storages[s];
    if (storage->own || to->offset % 16 != storage->offset % 16 ||
        to->offset / 4 >> NN__CHAIN_PLACE)
        return false;
    for (int t = 0; t < chain->storage_count; t++)
        if (t != s && at[t]->handle == to->handle && at[t]->offset == to->offset) return false;
    return true;
}

NN__OPENCL_PRIVATE bool nn__opencl_chain_follow(nn__opencl_chain *chain, const nn_call *calls) {
    const nn_view *at[NN__CHAIN_STORAGES];
    if (chain->known_count == 0 || chain->calls != calls) return false;
    for (int i = 0; i < chain->count; i++) {
        uint32_t step;
        const nn_view *status = nn__opencl_chain_status_of(&calls[i], &step);
        if (status && nn__opencl_present(status) &&
            (status->handle != chain->status.handle || status->offset != chain->status.offset))
            return false;
    }
    memset(at, 0, sizeof at[0] * (size_t)chain->storage_count);
    for (int k = 0; k < chain->known_count; k++) {
        const nn__opencl_known *known = &chain->known[k];
        const nn_view *view = known->view, **first = &at[known->storage];
        if (!nn_same_shape(view->shape, known->shape)) return false;
        if (!*first) *first = view;
        if ((*first)->handle != view->handle || (*first)->offset != view->offset) return false;
    }
    for (int s = 0; s < chain->storage_count; s++) {
        const nn__opencl_storage *storage = &chain->storages[s];
        if (at[s]->handle == storage->handle && at[s]->offset == storage->offset) continue;
        if (!nn__opencl_chain_may_move(chain, s, at[s], at) ||
            (at[s]->handle != storage->handle &&
             !nn__opencl_chain_may_change(chain, s, at[s]->handle)))
            return false;
    }
    for (int s = 0; s < chain->storage_count; s++) {
        nn__opencl_storage *storage = &chain->storages[s];
        if (at[s]->handle != storage->handle) chain->buffers[storage->buffer] = at[s]->handle;
        storage->handle = at[s]->handle;
        storage->offset = at[s]->offset;
    }
    return true;
}
