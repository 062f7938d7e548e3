/* kernels/sort/opencl.c - sorts lines on OpenCL. */
#include "opencl/private.h"

#define NN__SORT_BLOCK 2048            /* most keys in local memory: 16 KiB */
#define NN__SORT_CHUNK ((int64_t)1 << 20) /* keys that are sorted together in global memory */

typedef struct nn__opencl_sort_walk {
    int64_t length, kept, inner, lines;
    int64_t each;         /* lines per unit */
    uint32_t size, block; /* powers of two: keys of a line, and of a work-group */
} nn__opencl_sort_walk;

static nn__opencl_sort_walk nn__opencl_sort_plan(const nn__opencl *device,
                                                 const nn_sort_args *args) {
    const nn_shape *shape = &args->x.shape;
    nn__opencl_sort_walk walk;
    memset(&walk, 0, sizeof walk);
    walk.length = shape->extent[args->axis];
    walk.kept = args->y.shape.extent[args->axis];
    walk.inner = walk.size = 1;
    walk.block = NN__SORT_BLOCK;
    for (int i = args->axis + 1; i < shape->rank; i++) walk.inner *= shape->extent[i];
    walk.lines = nn__opencl_count(&args->x) / walk.length;
    while ((int64_t)walk.size < walk.length) walk.size *= 2;
    if (walk.size < 2) walk.size = 2;
    while (walk.block > 2 && walk.block * 16 > device->local_memory) walk.block /= 2;
    if (walk.block > walk.size) walk.block = walk.size;
    walk.each = walk.size > walk.block ? NN__SORT_CHUNK / walk.size
                                       : (1 << 22) / walk.length;
    if (walk.each > walk.lines) walk.each = walk.lines;
    if (walk.each < 1) walk.each = 1;
    return walk;
}
#undef NN__SORT_BLOCK
#undef NN__SORT_CHUNK

static uint64_t nn__opencl_sort_scratch(nn__opencl *device, const void *arguments) {
    const nn__opencl_sort_walk walk =
        nn__opencl_sort_plan(device, (const nn_sort_args *)arguments);
    return walk.size > walk.block ? (uint64_t)walk.each * walk.size * 8 : 0;
}

static int32_t nn__opencl_sort_units(nn__opencl *device, const void *arguments) {
    const nn__opencl_sort_walk walk =
        nn__opencl_sort_plan(device, (const nn_sort_args *)arguments);
    return nn__opencl_ceil_div(walk.lines, walk.each);
}

/* Runs `groups` work-groups, each with a block of keys in local memory. */
static nn_result nn__opencl_sort_run_groups(nn__opencl_launch *launch, uint64_t groups,
                                            uint32_t block) {
    size_t all = (size_t)groups, local = nn__opencl_group(launch, 256);
    while (local > 1 && local > block / 2) local /= 2;
    nn__opencl_local(launch, (size_t)block * 8);
    return nn__opencl_run(launch, 1, &all, &local);
}

static void nn__opencl_sort_put_x(nn__opencl_launch *launch, const nn_sort_args *args,
                                  const nn__opencl_sort_walk *walk, bool kept) {
    nn__opencl_ulong(launch, (uint64_t)walk->length);
    if (kept) nn__opencl_ulong(launch, (uint64_t)walk->kept);
    nn__opencl_ulong(launch, (uint64_t)walk->inner);
    nn__opencl_uint(launch, args->descending ? UINT32_MAX : 0);
}

/* Sorts lines that fit into local memory. */
static nn_result nn__opencl_sort_lines(nn__opencl *device, const nn_sort_args *args,
                                       const nn__opencl_sort_walk *walk, int64_t first,
                                       int64_t end) {
    nn__opencl_launch launch = nn__opencl_begin(device, "sort", "nn_sort_line", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->index);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_sort_put_x(&launch, args, walk, true);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_uint(&launch, walk->size);
    return nn__opencl_sort_run_groups(&launch, (uint64_t)(end - first), walk->size);
}

/* ---- lines longer than local memory ---------------------------------------------------------- */

static nn_result nn__opencl_sort_blocks(nn__opencl *device, const nn_sort_args *args,
                                        const nn__opencl_sort_walk *walk, const nn_view *all,
                                        int64_t first, int64_t lines, uint32_t from, uint32_t to) {
    nn__opencl_launch launch = nn__opencl_begin(device, "sort", "nn_sort_blocks", "");
    nn__opencl_view(&launch, all);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_sort_put_x(&launch, args, walk, false);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_uint(&launch, walk->size);
    nn__opencl_uint(&launch, walk->block);
    nn__opencl_uint(&launch, from);
    nn__opencl_uint(&launch, to);
    return nn__opencl_sort_run_groups(&launch, (uint64_t)lines * (walk->size / walk->block),
                                      walk->block);
}

static nn_result nn__opencl_sort_step(nn__opencl *device, const nn__opencl_sort_walk *walk,
                                      const nn_view *all, int64_t lines, uint32_t run,
                                      uint32_t apart) {
    const uint64_t pairs = (uint64_t)lines * (walk->size / 2);
    nn__opencl_launch launch = nn__opencl_begin(device, "sort", "nn_sort_step", "");
    nn__opencl_view(&launch, all);
    nn__opencl_uint(&launch, walk->size);
    nn__opencl_uint(&launch, run);
    nn__opencl_uint(&launch, apart);
    nn__opencl_ulong(&launch, pairs);
    return nn__opencl_run_flat(&launch, pairs, 256);
}

static nn_result nn__opencl_sort_results(nn__opencl *device, const nn_sort_args *args,
                                         const nn__opencl_sort_walk *walk, const nn_view *all,
                                         int64_t first, int64_t lines) {
    const uint64_t count = (uint64_t)(lines * walk->kept);
    nn__opencl_launch launch = nn__opencl_begin(device, "sort", "nn_sort_results", "");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->index);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, all);
    nn__opencl_ulong(&launch, (uint64_t)walk->length);
    nn__opencl_ulong(&launch, (uint64_t)walk->kept);
    nn__opencl_ulong(&launch, (uint64_t)walk->inner);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_uint(&launch, walk->size);
    nn__opencl_ulong(&launch, count);
    return nn__opencl_run_flat(&launch, count, 256);
}

/* Runs one unit: sorts the blocks separately, then merges them into runs of twice the length until
   one is left. Only the steps between blocks are separate launches. */
static nn_result nn__opencl_sort_chunk(nn__opencl *device, const nn_sort_args *args,
                                       const nn__opencl_sort_walk *walk, int64_t first,
                                       int64_t lines) {
    nn_view all = args->scratch;
    nn_result result;
    all.dtype = NN_I64;
    result = nn__opencl_sort_blocks(device, args, walk, &all, first, lines, 2, walk->block);
    for (uint32_t run = walk->block * 2; run && run <= walk->size && result >= 0; run *= 2) {
        for (uint32_t apart = run / 2; apart >= walk->block && result >= 0; apart /= 2)
            result = nn__opencl_sort_step(device, walk, &all, lines, run, apart);
        if (result >= 0)
            result = nn__opencl_sort_blocks(device, args, walk, &all, first, lines, run, run);
    }
    if (result < 0) return result;
    return nn__opencl_sort_results(device, args, walk, &all, first, lines);
}

static nn_result nn__opencl_sort_units_run(nn__opencl *device, const void *arguments,
                                           int32_t first_unit, int32_t count) {
    const nn_sort_args *args = (const nn_sort_args *)arguments;
    const nn__opencl_sort_walk walk = nn__opencl_sort_plan(device, args);
    int64_t first = first_unit * walk.each, end = first + count * walk.each;
    nn_result result = NN_OK;
    if (end > walk.lines) end = walk.lines;
    if (first >= end) return NN_OK;
    if (walk.size <= walk.block) return nn__opencl_sort_lines(device, args, &walk, first, end);
    for (; first < end && result >= 0; first += walk.each) {
        const int64_t rest = end - first;
        result = nn__opencl_sort_chunk(device, args, &walk, first,
                                       rest < walk.each ? rest : walk.each);
        if (device->dry) break; /* the other units need the same kernels */
    }
    return result;
}

static const nn__opencl_kernel nn__opencl_sort_kernel = {
    NULL, nn__opencl_sort_scratch, nn__opencl_sort_units, nn__opencl_sort_units_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_sort(void) {
    return &nn__opencl_sort_kernel;
}
