/* opencl/chain_judge.c - decides which calls can be part of a chain: layers of at most 128
   features, the loss, gradients and the update. Each kind of call (chain_kinds.c) has its own
   conditions. */
#include "opencl/chain.h"

/* ---- views ----------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_chain_add(nn__opencl_chain_views *views, const nn_view *view,
                                             bool written) {
    if (!nn__opencl_present(view)) return;
    if (views->count < NN__CHAIN_STORAGES) {
        views->view[views->count] = view;
        views->written[views->count] = written;
    }
    views->count++;
}

/* ---- storages -------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE int nn__opencl_chain_find(const nn__opencl_chain *chain, const nn_view *view) {
    if (!nn__opencl_present(view)) return -1;
    for (int i = 0; i < chain->storage_count; i++)
        if (chain->storages[i].handle == view->handle && chain->storages[i].offset == view->offset)
            return i;
    return -1;
}

/* Adds the storage of a view. halves: it may be f16 or bf16. False: there are too many, or its type
   is not supported. */
static bool nn__opencl_chain_note(nn__opencl_chain *chain, const nn_view *view, bool halves) {
    nn__opencl_storage *storage = &chain->storages[chain->storage_count];
    int buffer = 0;
    if (!nn__opencl_present(view)) return true;
    if ((view->dtype != NN_F32 && view->dtype != NN_I32 &&
         !(halves && nn__opencl_stored(view))) || view->offset % 4 != 0 ||
        view->offset / 4 >> NN__CHAIN_PLACE || nn__opencl_count(view) < 1) {
        chain->why = "it has a dtype other than f32 and i32, or a tensor without elements";
        return false;
    }
    if (nn__opencl_chain_find(chain, view) >= 0) return true;
    while (buffer < chain->buffer_count && chain->buffers[buffer] != view->handle) buffer++;
    if (chain->storage_count == NN__CHAIN_STORAGES || buffer == NN__CHAIN_BUFFERS) {
        chain->why = "it needs more tensors than one kernel takes";
        return false;
    }
    if (buffer == chain->buffer_count) chain->buffers[chain->buffer_count++] = view->handle;
    memset(storage, 0, sizeof *storage);
    storage->handle = view->handle;
    storage->offset = view->offset;
    storage->buffer = (int8_t)buffer;
    chain->storage_count++;
    return true;
}

NN__OPENCL_PRIVATE nn__opencl_link nn__opencl_chain_made(const nn__opencl_chain *chain,
                                                         const nn_view *view) {
    const int i = nn__opencl_chain_find(chain, view);
    return i < 0 ? NN__LINK_NONE : (nn__opencl_link)chain->storages[i].made;
}

/* True if every work-group may read the whole view, which must then come from outside. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_whole(nn__opencl_chain *chain, const nn_view *view) {
    const int i = nn__opencl_chain_find(chain, view);
    if (i >= 0) chain->storages[i].whole = true;
    return !chain->by_rows || nn__opencl_chain_made(chain, view) == NN__LINK_NONE;
}
/* True if a work-group writes rows that others may still read whole: a plan lets a value's last
   reader overwrite it. parted: checks values with partial sums or marks instead. */
static bool nn__opencl_chain_overwrites(nn__opencl_chain *chain,
                                        const nn__opencl_chain_views *views, bool parted) {
    for (int i = 0; chain->by_rows && i < views->count; i++) {
        const nn__opencl_storage *at =
            &chain->storages[nn__opencl_chain_find(chain, views->view[i])];
        if (views->written[i] && (parted ? at->parted : at->whole)) return true;
    }
    return false;
}
/* True if a work-group may read its own rows of the view. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_rows(const nn__opencl_chain *chain, const nn_view *view) {
    const nn__opencl_link made = nn__opencl_chain_made(chain, view);
    return !chain->by_rows || made == NN__LINK_NONE || made == NN__LINK_ROWS;
}
NN__OPENCL_PRIVATE bool nn__opencl_chain_number(const nn__opencl_chain *chain,
                                                const nn_view *view) {
    const nn__opencl_link made = nn__opencl_chain_made(chain, view);
    return !chain->by_rows || made == NN__LINK_NONE || made == NN__LINK_NUMBER;
}

/* Records that the call writes the view, as `link`, with this number of partial sums. */
NN__OPENCL_PRIVATE void nn__opencl_chain_makes(nn__opencl_chain *chain, const nn_view *view,
                                               nn__opencl_link link, int64_t parts) {
    const int i = nn__opencl_chain_find(chain, view);
    if (i < 0) return;
    chain->storages[i].made = (uint8_t)link;
    if (parts == 0) return;
    chain->storages[i].parted = true;
    chain->storages[i].part = (int32_t)chain->parts;
    chain->parts += (uint32_t)(parts + 3) / 4 * 4; /* rounds up to whole float4 */
}

/* True if this is the chain's number of rows. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_height(nn__opencl_chain *chain, int64_t rows) {
    if (!chain->by_rows) return rows <= NN__CHAIN_ROWS;
    if (chain->rows == 0 && rows < INT32_MAX) chain->rows = (uint32_t)rows;
    return (int64_t)chain->rows == rows;
}

NN__OPENCL_PRIVATE bool nn__opencl_chain_status(nn__opencl_chain *chain, const nn_view *status) {
    if (!nn__opencl_present(status)) return true;
    if (!nn__opencl_present(&chain->status)) chain->status = *status;
    return chain->status.handle == status->handle && chain->status.offset == status->offset;
}

/* ---- calls: may it be a link, and which one? NONE: it may not -------------------------------- */

static nn__opencl_link nn__opencl_chain_judge(nn__opencl_chain *chain, const nn_call *call) {
    const nn__opencl_chain_kind *kind = nn__opencl_chain_kind_of(call);
    nn__opencl_chain_views views;
    if (!kind) {
        chain->why = "its operation is not supported in a joined kernel";
        return NN__LINK_NONE;
    }
    /* rows by their numbers may be halves, and programs may read such rows */
    const bool halves =
        call->kernel == NN_KERNEL_GATHER || call->kernel == NN_KERNEL_POINTWISE;
    nn__opencl_chain_list(call, &views);
    if (views.count > NN__CHAIN_STORAGES) {
        chain->why = "it needs more tensors than one kernel takes";
        return NN__LINK_NONE;
    }
    for (int i = 0; i < views.count; i++)
        if (!nn__opencl_chain_note(chain, views.view[i], halves)) return NN__LINK_NONE;
    const bool parted = nn__opencl_chain_overwrites(chain, &views, true);
    const nn__opencl_link link = kind->judge(chain, call->args);
    if (link == NN__LINK_NONE ||
        !(parted || (link == NN__LINK_ROWS && nn__opencl_chain_overwrites(chain, &views, false))))
        return link;
    chain->why = "it overwrites values that other rows still read";
    return NN__LINK_NONE;
}

/* OpenCL guarantees 1024 bytes of arguments. */
static bool nn__opencl_chain_fits(nn__opencl_chain *chain, const nn_call *call) {
    unsigned char numbers[NN__OPENCL_PARAMETERS];
    nn__opencl_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.device = chain->device;
    launch.into = numbers;
    nn__opencl_chain_kind_of(call)->give(&launch, call->args);
    chain->numbers += (int)launch.bytes;
    if (call->kernel == NN_KERNEL_POINTWISE) chain->numbers += 4; /* a seed is aligned to 8 bytes */
    return 96 + 16 * NN__CHAIN_BUFFERS + 4 * chain->storage_count + chain->numbers <=
           NN__OPENCL_PARAMETERS;
}

/* Gives written buffers the first numbers, in the order in which they are written, because their
   numbers are in the text. Inputs can be bound to any buffer without new text. */
static void nn__opencl_chain_number_buffers(nn__opencl_chain *chain) {
    const void *old[NN__CHAIN_BUFFERS];
    int8_t number[NN__CHAIN_BUFFERS], next = 0;
    memcpy(old, chain->buffers, sizeof old);
    memset(number, -1, sizeof number);
    for (int pass = 0; pass < 2; pass++)
        for (int s = 0; s < chain->storage_count; s++) {
            nn__opencl_storage *storage = &chain->storages[s];
            storage->own = storage->made != NN__LINK_NONE;
            if (number[storage->buffer] >= 0 || (pass == 0 && !storage->own)) continue;
            chain->buffers[next] = old[storage->buffer];
            number[storage->buffer] = next++;
        }
    for (int s = 0; s < chain->storage_count; s++)
        chain->storages[s].buffer = number[chain->storages[s].buffer];
}

NN__OPENCL_PRIVATE int nn__opencl_chain_look(nn__opencl_chain *chain, const nn_call *calls,
                                             int count, bool by_rows) {
    nn__opencl *device = chain->device;
    const uint32_t piece = chain->piece;
    nn__opencl_runs *const runs = chain->runs;
    uint32_t most[NN__CHAIN_CALLS];
    memcpy(most, chain->most, sizeof most);
    memset(chain, 0, sizeof *chain);
    memcpy(chain->most, most, sizeof most);
    chain->piece = piece;
    chain->runs = runs;
    chain->device = device;
    chain->calls = calls;
    chain->by_rows = by_rows;
    for (int i = 0; i < count && i < NN__CHAIN_CALLS; i++) {
        chain->link[i] = (uint8_t)nn__opencl_chain_judge(chain, &calls[i]);
        if (chain->link[i] != NN__LINK_NONE && !nn__opencl_chain_fits(chain, &calls[i])) {
            chain->link[i] = NN__LINK_NONE;
            chain->why = "it needs more arguments than OpenCL 1.2 guarantees";
        }
        if (chain->link[i] == NN__LINK_NONE) break;
        chain->count++;
    }
    if (chain->count == count) chain->why = NULL;
    if (by_rows && nn__opencl_present(&chain->status)) {
        chain->fault = chain->parts;
        chain->parts += 4;
    }
    nn__opencl_chain_number_buffers(chain);
    return chain->count;
}
