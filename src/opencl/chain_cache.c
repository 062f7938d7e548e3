/* opencl/chain_cache.c - manages local memory as a cache while the text of a chain is written,
   since all accesses are known then. An operand is loaded for the first product that reads it, and
   stays until its room is needed for an operand that is read sooner. The result of a product is
   also stored in local memory, if a later product reads it. */
#include "opencl/chain.h"

#define NN__CHAIN_ROOM_ALL  48u /* in KiB; at most what the device has */
#define NN__CHAIN_ROOM_ROWS 36u

NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_room(const nn__opencl *device,
                                                  nn__opencl_phase phase) {
    const cl_ulong most =
        (nn__opencl_phase_is_whole(phase) ? NN__CHAIN_ROOM_ALL : NN__CHAIN_ROOM_ROWS) * 1024;
    const cl_ulong all = device->local_memory < most ? device->local_memory : most;
    const cl_ulong others = NN__CHAIN_LANES * sizeof(float) + 64;
    return device->local_is_far || all < others
               ? 0
               : (uint32_t)((all - others) / sizeof(float));
}

/* ---- barriers -------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_chain_put_next(nn__opencl_chain_writer *w) {
    NN__OPENCL_PUT(&w->out, "    NN_NEXT\n");
    for (int s = 0; s < w->chain->storage_count; s++)
        w->chain->storages[s].read = w->chain->storages[s].written = false;
    w->touch_count = 0;
}

/* True if an access to the range conflicts with accesses since the last barrier. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_meets(const nn__opencl_chain_writer *w, uint32_t begin,
                                               uint32_t end, bool writes) {
    for (int i = 0; i < w->touch_count; i++)
        if (w->touches[i].begin < end && begin < w->touches[i].end &&
            (writes || w->touches[i].written))
            return true;
    return false;
}

NN__OPENCL_PRIVATE void nn__opencl_chain_touch(nn__opencl_chain_writer *w, uint32_t begin,
                                               uint32_t end, bool writes) {
    w->touches[w->touch_count].begin = begin;
    w->touches[w->touch_count].end = end;
    w->touches[w->touch_count++].written = writes;
}

/* ---- the cache ------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_stride(uint32_t width) {
    const uint32_t vectors = (width + 3) / 4;
    return 4 * (vectors % 2 ? vectors : vectors + 1);
}

/* Returns the first product from call `from` on that has the storage as an operand. */
NN__OPENCL_PRIVATE int nn__opencl_chain_next_use(const nn__opencl_chain_writer *w, int storage,
                                                 int from) {
    const nn__opencl_chain *chain = w->chain;
    for (int i = from; i < chain->count; i++) {
        if (chain->calls[i].kernel != NN_KERNEL_GEMM) continue;
        const nn_gemm_args *g = (const nn_gemm_args *)chain->calls[i].args;
        if (nn__opencl_chain_find(chain, &g->a) == storage ||
            nn__opencl_chain_find(chain, &g->b) == storage)
            return i;
    }
    return NN__CHAIN_CALLS;
}

NN__OPENCL_PRIVATE nn__opencl_chain_entry *nn__opencl_chain_entry_of(nn__opencl_chain_writer *w,
                                                                     int storage, uint32_t width) {
    for (int i = 0; i < w->entry_count; i++)
        if (w->entries[i].storage == storage && w->entries[i].width == width)
            return &w->entries[i];
    return NULL;
}

NN__OPENCL_PRIVATE void nn__opencl_chain_forget(nn__opencl_chain_writer *w, const nn_view *view) {
    const int storage = nn__opencl_chain_find(w->chain, view);
    for (int i = 0; i < w->entry_count; i++)
        if (w->entries[i].storage == storage) w->entries[i--] = w->entries[--w->entry_count];
}

/* Returns the first hole of this size; UINT32_MAX: there is none. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_hole(const nn__opencl_chain_writer *w,
                                                  uint32_t floats) {
    uint32_t at = 0;
    for (int i = 0; i < w->entry_count; i++) {
        const nn__opencl_chain_entry *e = &w->entries[i];
        if (at < e->at + e->floats && e->at < at + floats) at = e->at + e->floats, i = -1;
    }
    return at + floats <= w->room ? at : UINT32_MAX;
}

/* Finds room for an operand or result of call `call` by evicting entries whose next use is after
   `use`. UINT32_MAX: no room. */
static uint32_t nn__opencl_chain_make_room(nn__opencl_chain_writer *w, uint32_t floats, int call,
                                           int use) {
    while (floats <= w->room) {
        const uint32_t at = nn__opencl_chain_hole(w, floats);
        int last = -1, latest = use;
        if (at != UINT32_MAX) return at;
        for (int i = 0; i < w->entry_count; i++) {
            const int next = nn__opencl_chain_next_use(w, w->entries[i].storage, call);
            if (w->entries[i].held != call && next > latest) latest = next, last = i;
        }
        if (last < 0) break;
        w->entries[last] = w->entries[--w->entry_count];
    }
    return UINT32_MAX;
}

NN__OPENCL_PRIVATE nn__opencl_chain_entry *nn__opencl_chain_enter(nn__opencl_chain_writer *w,
                                                                  int storage, uint32_t rows,
                                                                  uint32_t width, int call,
                                                                  int use) {
    const uint32_t stride = nn__opencl_chain_stride(width);
    const uint32_t floats = (rows + 3) / 4 * 4 * stride;
    nn__opencl_chain_entry *e;
    if (storage < 0 || w->entry_count == NN__CHAIN_ENTRIES || floats > w->room) return NULL;
    const uint32_t at = nn__opencl_chain_make_room(w, floats, call, use);
    if (at == UINT32_MAX) return NULL;
    e = &w->entries[w->entry_count++];
    e->storage = storage, e->at = at, e->floats = floats;
    e->stride = stride, e->width = width, e->held = call;
    if (w->deepest < at + floats) w->deepest = at + floats;
    return e;
}

#undef NN__CHAIN_ROOM_ALL
#undef NN__CHAIN_ROOM_ROWS
