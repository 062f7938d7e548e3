/* opencl/ahead.c - builds the programs of a plan on several threads before its steps are prepared.
   While device->ahead is set, launches only note the program that they need (opencl/launch.c). Then
   all noted programs are built, each by one call on some thread. A program that fails is dropped:
   the step that needs it builds it again and reports the error. */
#include "opencl/private.h"

#define NN__AHEAD_KEYS 1024 /* size of the hash table; at most half of it is used */

typedef struct nn__opencl_noted {
    uint64_t key;
    nn__opencl_source source;
    char options[NN__OPENCL_OPTIONS];
    nn__opencl_built built;
    struct nn__opencl_noted *next;
} nn__opencl_noted;

struct nn__opencl_ahead {
    nn__opencl *device;
    int count, key_count;
    nn__opencl_noted *first, **end;
    uint64_t keys[NN__AHEAD_KEYS]; /* a hash table; 0: free */
};

/* ---- noting ---------------------------------------------------------------------------------- */

/* Adds a key. Returns false if it is there already or there is no room. */
static bool nn__opencl_ahead_enter(nn__opencl_ahead *ahead, uint64_t key) {
    uint64_t at = key % NN__AHEAD_KEYS;
    while (ahead->keys[at] && ahead->keys[at] != key) at = (at + 1) % NN__AHEAD_KEYS;
    if (ahead->keys[at] || !key || ahead->key_count >= NN__AHEAD_KEYS / 2) return false;
    ahead->keys[at] = key;
    ahead->key_count++;
    return true;
}

NN__OPENCL_PRIVATE bool nn__opencl_ahead_wants(nn__opencl *device, uint64_t key) {
    for (const nn__opencl_program *one = device->programs; one; one = one->next)
        if (one->key == key) return false;
    return nn__opencl_ahead_enter(device->ahead, key);
}

NN__OPENCL_PRIVATE void nn__opencl_ahead_note(nn__opencl *device, uint64_t key, const char *part,
                                              const char *user_source, const char *options) {
    nn__opencl_ahead *ahead = device->ahead;
    nn__opencl_noted *noted = (nn__opencl_noted *)nn_take_memory(device->nn, sizeof *noted);
    if (!noted) return;
    noted->key = key;
    if (!nn__opencl_program_options(options, noted->options) ||
        nn__opencl_program_source(device, part, user_source, noted->options, &noted->source) !=
            NN_OK) {
        nn_give_memory(device->nn, noted, sizeof *noted);
        return;
    }
    noted->built.file_key =
        nn__opencl_program_file_key(device, &noted->source, noted->options);
    noted->built.binary =
        nn__opencl_cache_read(device, noted->built.file_key, &noted->built.binary_bytes);
    *ahead->end = noted;
    ahead->end = &noted->next;
    ahead->count++;
}

/* ---- building -------------------------------------------------------------------------------- */

/* Builds one program. It runs on any thread and calls only the driver. */
static void nn__opencl_ahead_build(void *data, int i) {
    nn__opencl_noted **list = (nn__opencl_noted **)data, *noted = list[i];
    nn__opencl_build(noted->built.device, noted->source.text, noted->options, &noted->built);
    if (noted->built.status == CL_SUCCESS || !noted->built.program) return;
    noted->built.device->cl.ReleaseProgram(noted->built.program);
    noted->built.program = NULL;
}

/* Adds the program to those of the device if it was built. */
static void nn__opencl_ahead_keep(nn__opencl *device, nn__opencl_noted *noted) {
    nn__opencl_program *program;
    if (!noted->built.program) return;
    program = (nn__opencl_program *)nn_take_memory(device->nn, sizeof *program);
    if (!program) {
        device->cl.ReleaseProgram(noted->built.program);
        return;
    }
    program->key = noted->key;
    program->file_key = noted->built.file_key;
    program->program = noted->built.program;
    program->cached = noted->built.cached;
    program->next = device->programs;
    device->programs = program;
}

static void nn__opencl_ahead_end(nn__opencl *device) {
    nn__opencl_ahead *ahead = device->ahead;
    const size_t bytes = (size_t)ahead->count * sizeof(nn__opencl_noted *);
    nn__opencl_noted **list = (nn__opencl_noted **)nn_take_memory(device->nn, bytes);
    int count = 0;
    device->ahead = NULL;
    for (nn__opencl_noted *one = ahead->first; list && one; one = one->next) {
        one->built.device = device;
        list[count++] = one;
    }
    nn_run_items(device->nn, device->build_threads, count, nn__opencl_ahead_build, list);
    while (ahead->first) {
        nn__opencl_noted *one = ahead->first;
        ahead->first = one->next;
        nn__opencl_ahead_keep(device, one);
        nn_give_memory(device->nn, one->built.binary, one->built.binary_bytes);
        nn_give_memory(device->nn, one->source.text, one->source.bytes);
        nn_give_memory(device->nn, one, sizeof *one);
    }
    nn_give_memory(device->nn, list, bytes);
    nn_give_memory(device->nn, ahead, sizeof *ahead);
}

NN__OPENCL_PRIVATE bool nn__opencl_collect(void *state, bool begins) {
    nn__opencl *device = (nn__opencl *)state;
    const nn_desc *desc = nn_context_desc(device->nn);
    int threads = device->build_threads ? device->build_threads : nn_thread_count(device->nn);
    if (!begins && device->ahead) nn__opencl_ahead_end(device);
    if (!begins || device->lends || threads < 2 || desc->block || desc->jobs.run) return false;
    device->ahead = (nn__opencl_ahead *)nn_take_memory(device->nn, sizeof *device->ahead);
    if (!device->ahead) return false;
    device->ahead->device = device;
    device->ahead->end = &device->ahead->first;
    return true;
}

#undef NN__AHEAD_KEYS
