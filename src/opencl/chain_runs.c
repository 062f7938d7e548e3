/* opencl/chain_runs.c - several runs of a chain in one launch. This works for chains of one
   work-group, which need no other work-group's results. Arguments that differ from run to run
   (numbers, places of inputs) are written to a table, and the kernel reads one part of it for each
   run. Two host tables alternate, because the device may still be reading one. */
#include "opencl/chain.h"

#define NN__RUNS_WORDS 4096 /* 32-bit words of a table */
#define NN__RUNS_MOST  64   /* most runs of a launch, so that a display does not freeze */

/* The arguments that all runs of a launch share. */
typedef struct nn__opencl_runs_same {
    uint64_t key; /* of the text */
    const void *status, *buffers[NN__CHAIN_BUFFERS];
    uint64_t status_offset;
    uint32_t places[NN__CHAIN_STORAGES], place_count;
} nn__opencl_runs_same;

struct nn__opencl_runs {
    nn__opencl_runs_same same;
    uint64_t built; /* key of the text that was built */
    uint32_t *words[2];
    nn_fence fences[2];
    cl_mem table;
    int turn;       /* index of the table that is being written */
    uint32_t count; /* runs in the table */
    uint32_t each;  /* words of a run */
    nn_result lost; /* the error that kept collected runs from running */
    int32_t awaited; /* runs still to collect; 0: none are collected */
};

/* ---- what there is --------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_runs_free(nn__opencl_chain *chain) {
    nn__opencl_runs *runs = chain->runs;
    nn__opencl *device = chain->device;
    if (!runs) return;
    for (int i = 0; i < 2; i++) {
        if (runs->fences[i].value) nn__opencl_fence_wait(device, runs->fences[i]);
        if (runs->words[i])
            nn_give_memory(device->nn, runs->words[i], NN__RUNS_WORDS * sizeof(uint32_t));
    }
    if (runs->table) device->cl.ReleaseMemObject(runs->table);
    nn_give_memory(device->nn, runs, sizeof *runs);
    chain->runs = NULL;
}

/* False: no memory, and runs stay separate. */
static bool nn__opencl_runs_make(nn__opencl_chain *chain) {
    nn__opencl *device = chain->device;
    cl_int status = CL_SUCCESS;
    nn__opencl_runs *runs = (nn__opencl_runs *)nn_take_memory(device->nn, sizeof *runs);
    if (runs) memset(runs, 0, sizeof *runs);
    chain->runs = runs;
    for (int i = 0; runs && i < 2; i++)
        runs->words[i] =
            (uint32_t *)nn_take_memory(device->nn, NN__RUNS_WORDS * sizeof(uint32_t));
    if (runs && runs->words[0] && runs->words[1])
        runs->table = device->cl.CreateBuffer(device->context, CL_MEM_READ_ONLY,
                                              NN__RUNS_WORDS * sizeof(uint32_t), NULL, &status);
    if (runs && status != CL_SUCCESS) runs->table = NULL;
    if (runs && runs->table) return true;
    nn__opencl_runs_free(chain);
    return false;
}

static void nn__opencl_runs_same_of(const nn__opencl_chain *chain, nn__opencl_runs_same *same) {
    memset(same, 0, sizeof *same);
    same->key = chain->keys[NN__PHASE_RUNS];
    if (nn__opencl_present(&chain->status)) {
        same->status = chain->status.handle;
        same->status_offset = chain->status.offset;
    }
    for (int i = 0; i < chain->buffer_count; i++) same->buffers[i] = chain->buffers[i];
    for (int s = 0; s < chain->storage_count; s++)
        if (chain->storages[s].own)
            same->places[same->place_count++] = nn__opencl_chain_place(&chain->storages[s]);
}

/* Writes the arguments that differ from run to run, in the order of chain_text.c. Returns the
   number of words. */
static uint32_t nn__opencl_runs_write(const nn__opencl_chain *chain, uint32_t *words) {
    nn__opencl_launch launch;
    memset(&launch, 0, sizeof launch);
    launch.device = chain->device;
    launch.into = (unsigned char *)words;
    nn__opencl_uint(&launch, nn__opencl_chain_step(chain));
    for (int s = 0; s < chain->storage_count; s++)
        if (!chain->storages[s].own)
            nn__opencl_uint(&launch, nn__opencl_chain_place(&chain->storages[s]));
    for (int i = 0; i < chain->count; i++)
        nn__opencl_chain_kind_of(&chain->calls[i])->give(&launch, chain->calls[i].args);
    return (uint32_t)(launch.bytes / sizeof *words);
}

/* ---- running --------------------------------------------------------------------------------- */

/* If device->dry is set, only builds the kernel. */
static nn_result nn__opencl_runs_launch(nn__opencl_chain *chain) {
    nn__opencl *device = chain->device;
    nn__opencl_runs *runs = chain->runs;
    const nn__opencl_runs_same *same = &runs->same;
    nn__opencl_chain_text text;
    nn_view view;
    size_t groups = 1, local = 1;
    text.chain = chain;
    text.phase = NN__PHASE_RUNS;
    device->step = chain;
    device->step_launches = 0;
    nn__opencl_launch launch =
        nn__opencl_begin_made(device, same->key, nn__opencl_chain_make, &text, "nn_chain");
    memset(&view, 0, sizeof view);
    view.dtype = same->status ? NN_I32 : NN_DTYPE_DEFAULT;
    view.handle = (void *)(uintptr_t)same->status;
    view.offset = same->status_offset;
    nn__opencl_view(&launch, &view);
    view.dtype = NN_F32;
    view.offset = 0;
    for (int i = 0; i < NN__CHAIN_BUFFERS; i++) {
        view.handle = (void *)(uintptr_t)same->buffers[i];
        nn__opencl_view(&launch, &view);
    }
    for (uint32_t i = 0; i < same->place_count; i++) nn__opencl_uint(&launch, same->places[i]);
    nn__opencl_bytes(&launch, sizeof runs->table, &runs->table);
    nn__opencl_uint(&launch, runs->count);
    local = nn__opencl_group(&launch, NN__CHAIN_LANES);
    const nn_result result = nn__opencl_run(&launch, 1, &groups, &local);
    device->step = NULL;
    return result;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_runs_end(nn__opencl_chain *chain) {
    nn__opencl *device = chain->device;
    nn__opencl_runs *runs = chain->runs;
    nn_result result;
    if (!runs || runs->count == 0) return NN_OK;
    result = nn__opencl_upload_next(device, runs->table, runs->words[runs->turn],
                                    (uint64_t)runs->count * runs->each * sizeof(uint32_t),
                                    &runs->fences[runs->turn]);
    if (result == NN_OK) result = nn__opencl_runs_launch(chain);
    runs->turn = 1 - runs->turn;
    runs->count = 0;
    if (result != NN_OK) runs->lost = result;
    return result;
}

static nn_result nn__opencl_runs_build(nn__opencl_chain *chain) {
    nn__opencl *device = chain->device;
    nn__opencl_runs *runs = chain->runs;
    nn_result result = NN_OK;
    nn__opencl_runs_same_of(chain, &runs->same);
    if (runs->built == runs->same.key) return NN_OK;
    device->dry = true;
    result = nn__opencl_runs_launch(chain);
    device->dry = false;
    if (result == NN_OK) runs->built = runs->same.key;
    return result;
}

/* Prepares the first run of a launch: builds the kernel, and waits until the table is free. */
static nn_result nn__opencl_runs_begin(nn__opencl_chain *chain) {
    nn_fence *fence = &chain->runs->fences[chain->runs->turn];
    nn_result result = nn__opencl_runs_build(chain);
    if (result == NN_OK && fence->value) result = nn__opencl_fence_wait(chain->device, *fence);
    fence->value = 0;
    return result;
}

NN__OPENCL_PRIVATE bool nn__opencl_runs_note(nn__opencl_chain *chain, nn_result *result) {
    nn__opencl_runs *runs = chain->runs;
    nn__opencl_runs_same same;
    if (!runs || runs->awaited == 0) return false;
    runs->awaited--;
    nn__opencl_runs_same_of(chain, &same);
    *result = NN_OK;
    if (runs->count > 0 && memcmp(&same, &runs->same, sizeof same) != 0)
        *result = nn__opencl_runs_end(chain);
    if (*result == NN_OK && runs->count == 0) *result = nn__opencl_runs_begin(chain);
    if (*result != NN_OK) return true;
    runs->each = nn__opencl_runs_write(
        chain, runs->words[runs->turn] + (size_t)runs->count * runs->each);
    if (++runs->count == NN__RUNS_MOST || (runs->count + 1) * runs->each > NN__RUNS_WORDS)
        *result = nn__opencl_runs_end(chain);
    return true;
}

NN__OPENCL_PRIVATE int32_t nn__opencl_runs_hold(void *state, void *made, int32_t runs) {
    nn__opencl_chain *chain = (nn__opencl_chain *)made;
    uint32_t words[NN__OPENCL_PARAMETERS / sizeof(uint32_t)];
    nn_result result = NN_OK;
    (void)state;
    if (runs == 0) {
        result = nn__opencl_runs_end(chain);
        if (chain->runs) {
            if (result == NN_OK) result = chain->runs->lost;
            chain->runs->awaited = 0;
            chain->runs->lost = NN_OK;
        }
        return (int32_t)result;
    }
    if (chain->by_rows || (!chain->runs && !nn__opencl_runs_make(chain))) return 0;
    chain->runs->count = 0; /* there may be runs left after an error */
    result = nn__opencl_runs_build(chain);
    if (result != NN_OK) return (int32_t)result;
    const uint32_t most = NN__RUNS_WORDS / nn__opencl_runs_write(chain, words);
    chain->runs->awaited = runs;
    return (int32_t)(most < NN__RUNS_MOST ? most : NN__RUNS_MOST);
}

#undef NN__RUNS_WORDS
#undef NN__RUNS_MOST
