/* opencl/repeat.c - repeats the launches of a step whose arguments have not changed since its last
   run. Choosing the tile, the work-groups and the arguments costs the host more than the launch
   costs the driver, and the result is the same each time. So the launches of a prepared step are
   recorded, each with the kernel that has its arguments (opencl/prepared.c), and enqueued again as
   they are. */
#include "opencl/private.h"

#define NN__REPEAT_SETS     512 /* sets of steps, by the address of their arguments */
#define NN__REPEAT_WAYS     4   /* steps of a set */
#define NN__REPEAT_SLOTS    (NN__REPEAT_SETS * NN__REPEAT_WAYS)
#define NN__REPEAT_LAUNCHES 4
#define NN__REPEAT_VIEWS    32

typedef struct nn__opencl_repeat_launch {
    nn__opencl_prepared *kept;
    uint64_t key; /* to check that `kept` still belongs to this launch */
    const nn__opencl_program_kernel *found;
    int extents, view, views; /* its first view in the list of all launches, and how many */
    size_t global[3], local[3];
} nn__opencl_repeat_launch;

struct nn__opencl_repeat {
    const void *step;
    nn_kernel kernel;
    bool whole; /* all launches of the last run are recorded */
    uint64_t released, used; /* device->released at that time; device->kept_uses at the last use */
    size_t bytes;      /* of the arguments */
    unsigned char *args;
    int launch_count, view_count;
    nn__opencl_repeat_launch launches[NN__REPEAT_LAUNCHES];
    cl_mem views[NN__REPEAT_VIEWS];
};

/* Returns the size of the arguments, for kernels whose arguments contain no pointers to lists or
   programs; else 0. */
static size_t nn__opencl_repeat_bytes(nn_kernel kernel) {
    switch ((int)kernel) {
    case NN_KERNEL_GEMM: return sizeof(nn_gemm_args);
    case NN_KERNEL_CONV2D_FORWARD:
    case NN_KERNEL_CONV2D_BACKWARD_INPUT:
    case NN_KERNEL_CONV2D_BACKWARD_WEIGHT: return sizeof(nn_conv2d_args);
    case NN_KERNEL_CONV_POOL_FORWARD:
    case NN_KERNEL_CONV_POOL_BACKWARD_WEIGHT:
    case NN_KERNEL_CONV_POOL_BACKWARD_INPUT: return sizeof(nn_conv_pool_args);
    case NN_KERNEL_POOL2D_FORWARD:
    case NN_KERNEL_POOL2D_BACKWARD: return sizeof(nn_pool2d_args);
    case NN_KERNEL_REDUCE: return sizeof(nn_reduce_args);
    case NN_KERNEL_SOFTMAX_FORWARD:
    case NN_KERNEL_SOFTMAX_BACKWARD: return sizeof(nn_softmax_args);
    case NN_KERNEL_NORM_FORWARD: return sizeof(nn_norm_args);
    case NN_KERNEL_NORM_BACKWARD: return sizeof(nn_norm_backward_args);
    case NN_KERNEL_ATTENTION_FORWARD:
    case NN_KERNEL_ATTENTION_BACKWARD: return sizeof(nn_attention_args);
    case NN_KERNEL_LINEAR_GRADIENT: return sizeof(nn_linear_gradient_args);
    default: return 0;
    }
}

static nn__opencl_repeat **nn__opencl_repeat_set(nn__opencl *device, const void *step) {
    const uintptr_t place = (uintptr_t)step;
    const uint64_t hash = nn__opencl_hash(NN__OPENCL_HASH_START, &place, sizeof place);
    return device->repeats + (hash >> 32) % NN__REPEAT_SETS * NN__REPEAT_WAYS;
}

static nn__opencl_repeat *nn__opencl_repeat_of(nn__opencl *device, nn_kernel kernel,
                                               const void *step) {
    nn__opencl_repeat **set = device->repeats ? nn__opencl_repeat_set(device, step) : NULL;
    for (int i = 0; set && i < NN__REPEAT_WAYS; i++)
        if (set[i] && set[i]->step == step && set[i]->kernel == kernel) return set[i];
    return NULL;
}

/* Returns an empty place in the step's set, or the least recently used one. */
static nn__opencl_repeat **nn__opencl_repeat_place(nn__opencl *device, const void *step) {
    nn__opencl_repeat **set = nn__opencl_repeat_set(device, step), **place = set;
    for (int i = 0; i < NN__REPEAT_WAYS && *place; i++)
        if (!set[i] || set[i]->used < (*place)->used) place = &set[i];
    return place;
}

static void nn__opencl_repeat_empty(nn__opencl *device, nn__opencl_repeat **slot) {
    if (*slot) nn_give_memory(device->nn, *slot, sizeof **slot + (*slot)->bytes);
    *slot = NULL;
}

NN__OPENCL_PRIVATE void nn__opencl_repeats_free(nn__opencl *device) {
    if (!device->repeats) return;
    for (int i = 0; i < NN__REPEAT_SLOTS; i++)
        nn__opencl_repeat_empty(device, &device->repeats[i]);
    nn_give_memory(device->nn, device->repeats, NN__REPEAT_SLOTS * sizeof *device->repeats);
    device->repeats = NULL;
}

NN__OPENCL_PRIVATE void nn__opencl_repeat_make(nn__opencl *device, nn_kernel kernel,
                                               const void *args) {
    const size_t bytes = nn__opencl_repeat_bytes(kernel);
    nn__opencl_repeat *made, **place;
    if (bytes == 0 || nn__opencl_repeat_of(device, kernel, args)) return;
    if (!device->repeats) {
        device->repeats = (nn__opencl_repeat **)nn_take_memory(
            device->nn, NN__REPEAT_SLOTS * sizeof *device->repeats);
        if (!device->repeats) return;
        memset(device->repeats, 0, NN__REPEAT_SLOTS * sizeof *device->repeats);
    }
    made = (nn__opencl_repeat *)nn_take_memory(device->nn, sizeof *made + bytes);
    if (!made) return; /* without memory the step runs normally */
    memset(made, 0, sizeof *made);
    made->step = args;
    made->kernel = kernel;
    made->bytes = bytes;
    made->args = (unsigned char *)(made + 1);
    made->used = ++device->kept_uses;
    place = nn__opencl_repeat_place(device, args);
    nn__opencl_repeat_empty(device, place);
    *place = made;
}

/* ---- a run that is remembered ---------------------------------------------------------------- */

NN__OPENCL_PRIVATE void nn__opencl_repeat_begin(nn__opencl *device, nn_kernel kernel,
                                                const void *args, bool whole) {
    nn__opencl_repeat *repeat = nn__opencl_repeat_of(device, kernel, args);
    if (repeat) {
        repeat->whole = false;
        repeat->launch_count = repeat->view_count = 0;
    }
    device->repeat = whole && !device->trying ? repeat : NULL;
}

NN__OPENCL_PRIVATE void nn__opencl_repeat_note(const nn__opencl_launch *launch, int extents,
                                               const size_t *global, const size_t *local) {
    nn__opencl *device = launch->device;
    nn__opencl_repeat *repeat = device->repeat;
    nn__opencl_repeat_launch *note;
    if (!repeat) return;
    if (!launch->kept || repeat->launch_count == NN__REPEAT_LAUNCHES ||
        launch->view_count > NN__OPENCL_VIEWS ||
        repeat->view_count + launch->view_count > NN__REPEAT_VIEWS) {
        device->repeat = NULL;
        return;
    }
    note = &repeat->launches[repeat->launch_count++];
    note->kept = launch->kept;
    note->key = launch->key;
    note->found = launch->found;
    note->extents = extents;
    note->view = repeat->view_count;
    note->views = launch->view_count;
    for (int i = 0; i < extents; i++) {
        note->global[i] = global[i];
        note->local[i] = local[i];
    }
    for (int i = 0; i < launch->view_count; i++)
        repeat->views[repeat->view_count++] = launch->views[i];
}

NN__OPENCL_PRIVATE void nn__opencl_repeat_end(nn__opencl *device, const void *args,
                                              nn_result result) {
    nn__opencl_repeat *repeat = device->repeat;
    device->repeat = NULL;
    if (!repeat || result != NN_OK || repeat->launch_count == 0) return;
    memcpy(repeat->args, args, repeat->bytes);
    repeat->released = device->released;
    repeat->whole = true;
}

/* ---- the same once more ---------------------------------------------------------------------- */

static bool nn__opencl_repeat_can(const nn__opencl *device, const nn__opencl_repeat *repeat,
                                  const void *args) {
    if (!repeat || !repeat->whole || repeat->released != device->released || device->lent_count ||
        device->trying || memcmp(repeat->args, args, repeat->bytes) != 0)
        return false;
    for (int i = 0; i < repeat->launch_count; i++) {
        const nn__opencl_repeat_launch *note = &repeat->launches[i];
        if (note->kept->key != note->key || !note->kept->given ||
            note->kept->released != device->released)
            return false;
    }
    return true;
}

NN__OPENCL_PRIVATE bool nn__opencl_run_again(nn__opencl *device, nn_kernel kernel, const void *args,
                                          nn_result *result) {
    nn__opencl_repeat *repeat = nn__opencl_repeat_of(device, kernel, args);
    *result = NN_OK;
    if (!nn__opencl_repeat_can(device, repeat, args)) return false;
    repeat->used = ++device->kept_uses;
    for (int i = 0; i < repeat->launch_count && *result == NN_OK; i++) {
        const nn__opencl_repeat_launch *note = &repeat->launches[i];
        int shared[NN__OPENCL_VIEWS], count = 0;
        for (int k = 0; k < note->views && device->shared_count; k++) {
            shared[count] = nn__opencl_find_shared(device, repeat->views[note->view + k]);
            if (shared[count] >= 0) count++;
        }
        note->kept->used = ++device->kept_uses;
        *result = nn__opencl_enqueue(device, note->kept->kernel, note->found->entry, note->extents,
                                     note->global, note->local, shared, count);
    }
    return true;
}

#undef NN__REPEAT_SETS
#undef NN__REPEAT_WAYS
#undef NN__REPEAT_SLOTS
#undef NN__REPEAT_LAUNCHES
#undef NN__REPEAT_VIEWS
