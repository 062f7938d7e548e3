/* opencl/chain.c - chains: several small kernels as one launch. Decides whether a chain pays,
   prepares its arguments and runs it. chain_judge.c decides which calls can be in a chain, and
   chain_text.c writes the kernel. */
#include "opencl/chain.h"
#include "opencl/lend.h"

/* Flops that one work-group does in the time of a launch. A chain in one work-group pays if it has
   at most this many for each of its calls. */
#define NN__CHAIN_WORK 2.5e5

/* ---- the keys of its texts ------------------------------------------------------------------- */

/* Hashes what the text depends on. Hashing each call's views also covers which optional views are
   present. */
static void nn__opencl_chain_keys(nn__opencl_chain *chain) {
    nn__opencl_chain_views views;
    int32_t words[NN__CHAIN_STORAGES + 1];
    uint64_t key = nn__opencl_hash_text(3, "chain");
    words[0] = chain->by_rows, words[1] = nn__opencl_chain_is_wide(chain->device);
    words[2] = 0, words[3] = chain->storage_count;
    words[4] = nn__opencl_present(&chain->status), words[5] = chain->count;
    key = nn__opencl_hash(key, words, 6 * sizeof words[0]);
    for (int i = 0; i < chain->count; i++) {
        nn__opencl_chain_list(&chain->calls[i], &views);
        for (int k = 0; k < views.count; k++)
            words[k] = nn__opencl_chain_find(chain, views.view[k]);
        words[views.count] = (int32_t)chain->calls[i].kernel;
        key = nn__opencl_hash(key, words, sizeof words[0] * (size_t)(views.count + 1));
        key = nn__opencl_chain_kind_of(&chain->calls[i])->key(chain, chain->calls[i].args, key);
    }
    for (int s = 0; s < chain->storage_count; s++)
        words[s] = (chain->storages[s].own ? 1 + chain->storages[s].buffer : 0) +
                   (chain->storages[s].aligned ? 64 : 0);
    key = nn__opencl_hash(key, words, sizeof words[0] * (size_t)chain->storage_count);
    words[0] = (int32_t)chain->piece;
    words[1] = (int32_t)nn__opencl_chain_room(chain->device, NN__PHASE_ALL);
    key = nn__opencl_hash(key, words, 2 * sizeof words[0]);
    if (!chain->by_rows)
        key = nn__opencl_hash(key, chain->most, sizeof chain->most[0] * (size_t)chain->count);
    for (int32_t phase = 0; phase < NN__CHAIN_PHASES; phase++)
        chain->keys[phase] = nn__opencl_hash(key, &phase, sizeof phase);
}

/* ---- slots ----------------------------------------------------------------------------------- */

/* Stores sizes at the largest batch, such as the rows that a work-group takes at once. */
static void nn__opencl_chain_measure(nn__opencl_chain *chain) {
    chain->piece = chain->rows > 8192 ? 64 : 32;
    for (int i = 0; i < chain->count; i++) {
        const nn_gemm_args *g = (const nn_gemm_args *)chain->calls[i].args;
        if (chain->calls[i].kernel == NN_KERNEL_GEMM)
            chain->most[i] = (uint32_t)(g->transpose_a ? g->k : g->m);
    }
}
static uint32_t nn__opencl_chain_groups(const nn__opencl_chain *chain) {
    const uint32_t pieces = (chain->rows - 1) / chain->piece + 1;
    return chain->parts && pieces > NN__CHAIN_GROUPS ? NN__CHAIN_GROUPS : pieces;
}

/* True if a single launch is faster. */
static bool nn__opencl_chain_pays(nn__opencl_chain *chain, const nn_call *calls, int count) {
    if (!chain->device->cut_chains && nn__opencl_chain_look(chain, calls, count, false) >= 2 &&
        chain->work <= NN__CHAIN_WORK * chain->count)
        return true;
    if (nn__opencl_chain_look(chain, calls, count, true) >= 3 &&
        chain->rows)
        return true;
    if (chain->count >= 2)
        chain->why = "it has more work than one work-group does in the time of a launch";
    return false;
}

static int32_t nn__opencl_chain_begin(void *state, const nn_call *calls, int32_t count,
                                      void **made, uint64_t *scratch_bytes, char *why,
                                      size_t why_bytes) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_chain *chain;
    void *cpu = NULL;
    *made = NULL;
    if (nn__opencl_lends(device, calls->kernel, calls->args, &cpu)) {
        if (why_bytes)
            nn__opencl_copy_text(why, why_bytes, "the CPU backend runs these operations");
        return 0;
    }
    chain = (nn__opencl_chain *)nn_take_memory(device->nn, sizeof *chain);
    if (!chain) return 0; /* without memory the calls run separately */
    memset(chain, 0, sizeof *chain);
    chain->device = device;
    const bool pays = nn__opencl_chain_pays(chain, calls, count);
    if (why_bytes) nn__opencl_copy_text(why, why_bytes, chain->why ? chain->why : "");
    if (!pays) {
        nn_give_memory(device->nn, chain, sizeof *chain);
        return 0;
    }
    *made = chain;
    nn__opencl_chain_measure(chain);
    *scratch_bytes =
        chain->by_rows && chain->parts
            ? (uint64_t)chain->parts * sizeof(float) * nn__opencl_chain_groups(chain)
            : 0;
    return chain->count;
}

static void nn__opencl_chain_end(void *state, void *made) {
    nn__opencl_runs_free((nn__opencl_chain *)made);
    nn_give_memory(((nn__opencl *)state)->nn, made, sizeof(nn__opencl_chain));
}

/* ---- running --------------------------------------------------------------------------------- */

static nn_result nn__opencl_chain_launch(nn__opencl_chain *chain, nn__opencl_phase phase,
                                         const nn_view *scratch) {
    nn__opencl *device = chain->device;
    nn__opencl_chain_text text;
    nn_view buffer, none;
    size_t groups = 1, local = 1;
    text.chain = chain;
    text.phase = phase;
    nn__opencl_launch launch = nn__opencl_begin_made(device, chain->keys[phase],
                                                     nn__opencl_chain_make, &text, "nn_chain");
    memset(&none, 0, sizeof none);
    memset(&buffer, 0, sizeof buffer);
    buffer.dtype = NN_F32;
    nn__opencl_view(&launch, &chain->status);
    if (chain->by_rows && chain->parts && nn__opencl_present(scratch))
        none = nn__opencl_part(scratch, 0, (uint64_t)chain->parts * sizeof(float));
    nn__opencl_view(&launch, &none);
    nn__opencl_uint(&launch, chain->rows);
    nn__opencl_uint(&launch, chain->piece);
    nn__opencl_uint(&launch, nn__opencl_chain_groups(chain));
    for (int i = 0; i < NN__CHAIN_BUFFERS; i++) {
        buffer.handle = i < chain->buffer_count ? (void *)(uintptr_t)chain->buffers[i] : NULL;
        nn__opencl_view(&launch, &buffer);
    }
    nn__opencl_uint(&launch, nn__opencl_chain_step(chain));
    for (int i = 0; i < chain->storage_count; i++)
        nn__opencl_uint(&launch, nn__opencl_chain_place(&chain->storages[i]));
    for (int i = 0; i < chain->count; i++)
        nn__opencl_chain_kind_of(&chain->calls[i])->give(&launch, chain->calls[i].args);
    local = nn__opencl_group(&launch, NN__CHAIN_LANES);
    if (phase == NN__PHASE_ROWS) groups = nn__opencl_chain_groups(chain);
    if (phase == NN__PHASE_REST) groups = chain->parts / local + 1;
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* True if work remains after the rows: sums to finish, or faults to report. */
static bool nn__opencl_chain_rests(const nn__opencl_chain *chain) {
    const nn_view *at;
    for (int i = 0; i < chain->count; i++)
        if (chain->link[i] != NN__LINK_ROWS ||
            nn__opencl_chain_fault_of(&chain->calls[i], &at))
            return true;
    return false;
}

static nn_result nn__opencl_chain_run(void *state, void *made, const nn_call *calls,
                                      const nn_view *scratch) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_chain *chain = (nn__opencl_chain *)made;
    nn_result result = NN_OK;
    chain->calls = calls;
    if (!device->dry && nn__opencl_runs_note(chain, &result)) return result;
    device->step = made;
    device->step_launches = 0;
    result = nn__opencl_chain_launch(chain, chain->by_rows ? NN__PHASE_ROWS : NN__PHASE_ALL,
                                     scratch);
    if (result == NN_OK && chain->by_rows && nn__opencl_chain_rests(chain))
        result = nn__opencl_chain_launch(chain, NN__PHASE_REST, scratch);
    device->step = NULL;
    return result;
}

static nn_result nn__opencl_chain_prepare(void *state, void *made, const nn_call *calls,
                                          const nn_view *scratch) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_chain *chain = (nn__opencl_chain *)made;
    const int count = chain->count;
    nn_result result;
    if (nn__opencl_chain_follow(chain, calls)) return NN_OK;
    if (nn__opencl_chain_look(chain, calls, count, chain->by_rows) < count ||
        (chain->by_rows && !chain->rows)) {
        chain->count = count;
        result = device->ahead ? NN_OK : nn__opencl_runs_end(chain);
        return result == NN_OK ? NN_ERROR_UNSUPPORTED : result;
    }
    nn__opencl_chain_keys(chain);
    device->dry = true;
    result = nn__opencl_chain_run(state, made, calls, scratch);
    device->dry = false;
    if (result == NN_OK && !device->ahead) nn__opencl_chain_know(chain);
    return result;
}

NN__OPENCL_PRIVATE void nn__opencl_fill_chains(nn_backend *backend) {
    backend->chain_make = nn__opencl_chain_begin;
    backend->chain_prepare = nn__opencl_chain_prepare;
    backend->chain_run = nn__opencl_chain_run;
    backend->chain_free = nn__opencl_chain_end;
    backend->chain_hold = nn__opencl_runs_hold;
}

#undef NN__CHAIN_WORK
