/* kernels/update/opencl.c - SGD, Adam, AdamW and gradient clipping, with the formulas and the order
   of kernels/update/cpu.c.

   All parameters are updated in one launch, if parameters, gradients and moments are in one buffer
   each. A unit is a range of blocks over all of them. The host reads nothing back: the kernels
   read the status word and the gradients' scale. */
#include "opencl/chain.h"

#include <math.h>

#define NN__UPDATE_ITEMS      256  /* most items of a launch */
#define NN__UPDATE_CLIP_BLOCK 4096 /* squares per partial sum */

/* Return the numbers per block, and the blocks per unit. */
static int64_t nn__opencl_update_block(void) {
    return 1024;
}
static int64_t nn__opencl_update_unit(void) { return 1024; }

static int64_t nn__opencl_update_blocks(const nn_update_item *items, int32_t count, int64_t block) {
    int64_t blocks = 0;
    for (int32_t i = 0; i < count; i++)
        blocks += nn__opencl_ceil_div(nn__opencl_count(&items[i].gradient), block);
    return blocks;
}

static int32_t nn__opencl_update_units(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_update_args *args = (const nn_update_args *)arguments;
    int64_t blocks =
        nn__opencl_update_blocks(args->items, args->count, nn__opencl_update_block());
    int32_t units = nn__opencl_ceil_div(blocks, nn__opencl_update_unit());
    return units > 0 ? units : 1;
}

/* Returns the decimal number that was written for a float. With 0.999f itself, 1 - beta would be
   wrong in its fifth digit; PyTorch computes with 0.999. */
static double nn__opencl_update_decimal(float number) {
    double decimal = floor((double)number * 1e7 + 0.5) / 1e7;
    return (float)decimal == number ? decimal : (double)number;
}

NN__OPENCL_PRIVATE void nn__opencl_update_numbers(nn__opencl_launch *launch,
                                                  const nn_update_args *args) {
    bool adam = args->optimizer == NN_ADAM || args->optimizer == NN_ADAMW,
         decoupled = args->optimizer == NN_ADAMW;
    nn__opencl_float(launch, decoupled ? 0.0f : args->weight_decay);
    if (!adam) {
        nn__opencl_float(launch, args->learning_rate);
        nn__opencl_float(launch, args->momentum);
        nn__opencl_float(launch, (float)(1.0 - nn__opencl_update_decimal(args->dampening)));
        nn__opencl_int(launch, args->nesterov);
        nn__opencl_int(launch, args->step <= 1);
        return;
    }
    double beta1 = nn__opencl_update_decimal(args->beta1),
           beta2 = nn__opencl_update_decimal(args->beta2), step = (double)args->step;
    nn__opencl_float(
        launch, (float)(nn__opencl_update_decimal(args->learning_rate) / (1.0 - pow(beta1, step))));
    nn__opencl_float(
        launch,
        decoupled ? (float)(1.0 - (double)args->learning_rate * (double)args->weight_decay) : 1.0f);
    nn__opencl_float(launch, args->beta1);
    nn__opencl_float(launch, (float)(1.0 - beta1));
    nn__opencl_float(launch, args->beta2);
    nn__opencl_float(launch, (float)(1.0 - beta2));
    nn__opencl_float(launch, (float)sqrt(1.0 - pow(beta2, step)));
    nn__opencl_float(launch, args->epsilon);
}

/* Returns how many of the first of `count` items share their buffers. */
static int32_t nn__opencl_update_together(const nn_update_item *items, int32_t count) {
    int32_t n = 1;
    while (n < count && n < NN__UPDATE_ITEMS &&
           items[n].parameter.handle == items->parameter.handle &&
           items[n].gradient.handle == items->gradient.handle &&
           items[n].moment1.handle == items->moment1.handle &&
           items[n].moment2.handle == items->moment2.handle)
        n++;
    return n;
}

/* Writes the first blocks of the items to the table. Returns the next place in the table. */
static uint64_t *nn__opencl_update_starts(uint64_t *table, const nn_update_item *items,
                                          int32_t count, int64_t block) {
    *table++ = 0;
    for (int32_t i = 0; i < count; i++, table++)
        *table = table[-1] +
                 (uint64_t)nn__opencl_ceil_div(nn__opencl_count(&items[i].gradient), block);
    return table;
}

/* Runs blocks [first, end) of items that share their buffers. */
static nn_result nn__opencl_update_launch(nn__opencl *device, const nn_update_args *args,
                                          const nn_update_item *items, int32_t count, int64_t first,
                                          int64_t end) {
    bool adam = args->optimizer == NN_ADAM || args->optimizer == NN_ADAMW;
    bool momentum = adam || args->momentum != 0.0f; /* as in PyTorch: without momentum no buffer and
                                                       no nesterov */
    const int64_t block = nn__opencl_update_block();
    uint64_t table[6 * NN__UPDATE_ITEMS + 1];
    uint64_t *entry = nn__opencl_update_starts(table, items, count, block);
    nn_view base[4];
    size_t groups = (size_t)(end - first), local;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "update", adam ? "nn_adam" : "nn_sgd", "");
    memset(base, 0, sizeof base);
    base[0] = nn__opencl_base(&items->parameter);
    base[1] = nn__opencl_base(&items->gradient);
    if (momentum) base[2] = nn__opencl_base(&items->moment1);
    if (adam) base[3] = nn__opencl_base(&items->moment2);
    for (int32_t i = 0; i < count; i++) {
        *entry++ = nn__opencl_offset(&items[i].parameter);
        *entry++ = nn__opencl_offset(&items[i].gradient);
        *entry++ = nn__opencl_offset(&items[i].moment1);
        *entry++ = nn__opencl_offset(&items[i].moment2);
        *entry++ = (uint64_t)nn__opencl_count(&items[i].gradient);
    }
    for (int i = 0; i < 4; i++) nn__opencl_view(&launch, &base[i]);
    nn__opencl_table(&launch, table, (size_t)(entry - table));
    nn__opencl_uint(&launch, (uint32_t)count);
    nn__opencl_uint(&launch, (uint32_t)first);
    nn__opencl_uint(&launch, (uint32_t)block);
    nn__opencl_view(&launch, &args->gradient_scale);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_update_numbers(&launch, args);
    local = nn__opencl_group(&launch, 256);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

static nn_result nn__opencl_update_run(nn__opencl *device, const void *arguments,
                                       int32_t first_unit, int32_t count) {
    const nn_update_args *args = (const nn_update_args *)arguments;
    int64_t unit = nn__opencl_update_unit(), first = first_unit * unit,
            end = first + count * unit;
    for (int32_t at = 0, some; at < args->count; at += some) {
        some = nn__opencl_update_together(args->items + at, args->count - at);
        int64_t blocks =
            nn__opencl_update_blocks(args->items + at, some, nn__opencl_update_block());
        int64_t from = first > 0 ? first : 0, stop = end < blocks ? end : blocks;
        first -= blocks, end -= blocks; /* relative to the next items */
        if (from >= stop) continue;
        nn_result result =
            nn__opencl_update_launch(device, args, args->items + at, some, from, stop);
        if (result != NN_OK) return result;
    }
    return NN_OK;
}

static const char *nn__opencl_update_refuses(nn__opencl *device, const void *arguments) {
    const nn_update_args *args = (const nn_update_args *)arguments;
    bool fits = true;
    (void)device;
    for (int32_t i = 0; i < args->count; i++)
        fits = fits && nn__opencl_count(&args->items[i].gradient) < (int64_t)1 << 38;
    return fits ? NULL : "a parameter has more than 2^38 numbers";
}

static const nn__opencl_kernel nn__opencl_update_kernel = {
    nn__opencl_update_refuses, NULL, nn__opencl_update_units, nn__opencl_update_run, NULL};

/* ---- clipping: one unit for the squares, one for the end ------------------------------------- */

static uint64_t nn__opencl_clip_scratch(nn__opencl *device, const void *arguments) {
    const nn_clip_args *args = (const nn_clip_args *)arguments;
    (void)device;
    return (uint64_t)(nn__opencl_update_blocks(args->items, args->count, NN__UPDATE_CLIP_BLOCK) +
                      1) *
           sizeof(float);
}

static int32_t nn__opencl_clip_units(nn__opencl *device, const void *args) {
    (void)device, (void)args;
    return 2;
}

/* Begins the variant for work-groups of 64 if the device has them. */
static nn__opencl_launch nn__opencl_clip_begin(nn__opencl *device, const char *items,
                                               const char *group, bool *groups) {
    *groups = device->group >= 64;
    if (*groups) {
        nn__opencl_launch launch = nn__opencl_begin(device, "update", group, "");
        if (launch.result != NN_OK || nn__opencl_group(&launch, 64) == 64) return launch;
        *groups = false;
    }
    return nn__opencl_begin(device, "update", items, "");
}

/* Sums the squares of items that share their buffer. Their parts begin at *part, which is moved to
   the next free part. */
static nn_result nn__opencl_clip_squares(nn__opencl *device, const nn_clip_args *args,
                                         const nn_update_item *items, int32_t count,
                                         int64_t *part) {
    bool group;
    uint64_t table[3 * NN__UPDATE_ITEMS + 1];
    uint64_t *entry = nn__opencl_update_starts(table, items, count, NN__UPDATE_CLIP_BLOCK);
    const nn_view base = nn__opencl_base(&items->gradient);
    size_t groups = (size_t)entry[-1], one = 1, local = 64;
    nn_view to = nn__opencl_part(&args->scratch, (uint64_t)*part * sizeof(float),
                                 (uint64_t)groups * sizeof(float));
    nn__opencl_launch launch =
        nn__opencl_clip_begin(device, "nn_clip_squares", "nn_clip_squares_group", &group);
    for (int32_t i = 0; i < count; i++) {
        *entry++ = nn__opencl_offset(&items[i].gradient);
        *entry++ = (uint64_t)nn__opencl_count(&items[i].gradient);
    }
    nn__opencl_view(&launch, &to);
    nn__opencl_view(&launch, &base);
    nn__opencl_table(&launch, table, (size_t)(entry - table));
    nn__opencl_uint(&launch, (uint32_t)count);
    nn__opencl_uint(&launch, NN__UPDATE_CLIP_BLOCK);
    *part += (int64_t)groups;
    return nn__opencl_run(&launch, 1, &groups, group ? &local : &one);
}

static nn_result nn__opencl_clip_finish(nn__opencl *device, const nn_clip_args *args,
                                        int64_t parts) {
    bool group;
    size_t one = 1, local = 64;
    nn_view part = nn__opencl_part(&args->scratch, 0, (uint64_t)(parts + 1) * sizeof(float));
    nn__opencl_launch launch =
        nn__opencl_clip_begin(device, "nn_clip_finish", "nn_clip_finish_group", &group);
    nn__opencl_view(&launch, &args->scale);
    nn__opencl_view(&launch, &args->norm);
    nn__opencl_view(&launch, &part);
    nn__opencl_uint(&launch, (uint32_t)parts);
    nn__opencl_float(&launch, args->max_norm);
    return nn__opencl_run(&launch, 1, &one, group ? &local : &one);
}

static nn_result nn__opencl_clip_run(nn__opencl *device, const void *arguments, int32_t first,
                                     int32_t count) {
    const nn_clip_args *args = (const nn_clip_args *)arguments;
    int64_t part = 0;
    for (int32_t at = 0, some; first == 0 && at < args->count; at += some) {
        some = nn__opencl_update_together(args->items + at, args->count - at);
        nn_result result =
            nn__opencl_clip_squares(device, args, args->items + at, some, &part);
        if (result != NN_OK) return result;
    }
    if (first + count < 2) return NN_OK;
    part = nn__opencl_update_blocks(args->items, args->count, NN__UPDATE_CLIP_BLOCK);
    return nn__opencl_clip_finish(device, args, part);
}
#undef NN__UPDATE_ITEMS
#undef NN__UPDATE_CLIP_BLOCK

static const nn__opencl_kernel nn__opencl_clip_kernel = {
    NULL, nn__opencl_clip_scratch, nn__opencl_clip_units, nn__opencl_clip_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_update(void) {
    return &nn__opencl_update_kernel;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_clip(void) {
    return &nn__opencl_clip_kernel;
}
