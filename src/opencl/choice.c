/* opencl/choice.c - the results of nn_opencl_tune by shape, and the choice of a tile for a product
   or convolution. It measures nothing and reads no file. */
#include "opencl/lend.h"

/* largest factor between extents of a shape and of a usual shape that stands for it */
#define NN__OPENCL_CHOICE_NEAR 3 / 2

/* ---- shapes as numbers ----------------------------------------------------------------------- */

/* Describes the shape by numbers. gemm: m n k, transposes, dtypes, batch, a_batch, b_batch. conv2d:
   extents of x, extents of y except the first, the parameters, whether there is a weight. */
NN__OPENCL_PRIVATE bool nn__opencl_shape_of(nn_kernel kernel, const void *args,
                                            nn__opencl_shape *shape) {
    int32_t *to = shape->numbers;
    memset(shape, 0, sizeof *shape);
    shape->kernel = kernel;
    if (kernel == NN_KERNEL_GEMM) {
        const nn_gemm_args *g = (const nn_gemm_args *)args;
        *to++ = g->m;
        *to++ = g->n;
        *to++ = g->k;
        *to++ = (g->transpose_a ? 1 : 0) + (g->transpose_b ? 2 : 0);
        *to++ = (int32_t)g->a.dtype;
        *to++ = (int32_t)g->b.dtype;
        for (int i = 0; i < NN_GEMM_BATCH; i++) {
            *to++ = g->batch[i] > 0 ? g->batch[i] : 1;
            *to++ = g->batch[i] > 1 ? g->a_batch[i] : 0;
            *to++ = g->batch[i] > 1 ? g->b_batch[i] : 0;
        }
        return true;
    }
    if (kernel == NN_KERNEL_CONV2D_FORWARD || kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT ||
        kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT) {
        const nn_conv2d_args *a = (const nn_conv2d_args *)args;
        for (int i = 0; i < 4; i++) *to++ = a->x.shape.extent[i];
        for (int i = 1; i < 4; i++) *to++ = a->y.shape.extent[i];
        memcpy(to, &a->params, sizeof a->params);
        to[sizeof a->params / sizeof *to] = nn__opencl_present(&a->weight);
        return true;
    }
    return false;
}

static void nn__opencl_choice_view(nn_view *view, nn_dtype dtype, const int32_t *extents,
                                   int rank) {
    view->dtype = dtype;
    view->shape = nn_make_shape(extents, rank);
}

static void nn__opencl_choice_gemm_args(const int32_t *from, nn_gemm_args *g) {
    int32_t a_matrices = 1, b_matrices = 1, products = 1;
    g->m = from[0];
    g->n = from[1];
    g->k = from[2];
    g->transpose_a = (from[3] & 1) != 0;
    g->transpose_b = (from[3] & 2) != 0;
    for (int i = 0; i < NN_GEMM_BATCH; i++) {
        g->batch[i] = from[6 + 3 * i];
        g->a_batch[i] = from[7 + 3 * i];
        g->b_batch[i] = from[8 + 3 * i];
        products *= g->batch[i];
        a_matrices += (g->batch[i] - 1) * g->a_batch[i];
        b_matrices += (g->batch[i] - 1) * g->b_batch[i];
    }
    {
        const int32_t a[] = {a_matrices, g->m, g->k}, b[] = {b_matrices, g->k, g->n},
                      y[] = {products, g->m, g->n};
        nn__opencl_choice_view(&g->a, (nn_dtype)from[4], a, 3);
        nn__opencl_choice_view(&g->b, (nn_dtype)from[5], b, 3);
        nn__opencl_choice_view(&g->y, NN_F32, y, 3);
    }
}

NN__OPENCL_PRIVATE void nn__opencl_args_of(const nn__opencl_shape *shape,
                                           nn__opencl_shape_args *args) {
    const int32_t *from = shape->numbers;
    memset(args, 0, sizeof *args);
    if (shape->kernel == NN_KERNEL_GEMM) {
        nn__opencl_choice_gemm_args(from, &args->gemm);
        return;
    }
    memcpy(&args->conv.params, from + 7, sizeof args->conv.params);
    {
        const nn_conv2d_params *p = &args->conv.params;
        const int32_t x[] = {from[0], from[1], from[2], from[3]},
                      y[] = {from[0], from[4], from[5], from[6]},
                      weight[] = {from[4], from[1] / (p->groups > 0 ? p->groups : 1), p->kernel_h,
                                  p->kernel_w};
        nn__opencl_choice_view(&args->conv.x, NN_F32, x, 4);
        nn__opencl_choice_view(&args->conv.y, NN_F32, y, 4);
        if (from[7 + sizeof *p / sizeof *from])
            nn__opencl_choice_view(&args->conv.weight, NN_F32, weight, 4);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static uint32_t nn__opencl_choice_hash(const nn__opencl_shape *shape) {
    uint32_t hash = 2166136261u ^ (uint32_t)shape->kernel;
    for (int i = 0; i < NN__OPENCL_SHAPE_NUMBERS; i++)
        hash = (hash ^ (uint32_t)shape->numbers[i]) * 16777619u;
    return hash;
}

static bool nn__opencl_choice_same(const nn__opencl_shape *a, const nn__opencl_shape *b) {
    return a->kernel == b->kernel && memcmp(a->numbers, b->numbers, sizeof a->numbers) == 0;
}

NN__OPENCL_PRIVATE nn__opencl_entry *nn__opencl_find_entry(const nn__opencl *device,
                                                           const nn__opencl_shape *shape) {
    const uint32_t hash = nn__opencl_choice_hash(shape);
    for (int i = 0; i < device->entry_count; i++)
        if (device->entries[i].hash == hash &&
            nn__opencl_choice_same(&device->entries[i].shape, shape))
            return &device->entries[i];
    return NULL;
}

NN__OPENCL_PRIVATE nn__opencl_entry *nn__opencl_add_entry(nn__opencl *device,
                                                          const nn__opencl_shape *shape) {
    nn__opencl_entry *entry = nn__opencl_find_entry(device, shape);
    if (entry) return entry;
    if (device->entry_count >= NN__OPENCL_ENTRIES) return NULL;
    if (device->entry_count == device->entry_room) {
        const int room = device->entry_room ? 2 * device->entry_room : 32;
        nn__opencl_entry *more =
            (nn__opencl_entry *)nn_take_memory(device->nn, (size_t)room * sizeof *more);
        if (!more) return NULL;
        if (device->entry_count)
            memcpy(more, device->entries, (size_t)device->entry_count * sizeof *more);
        nn_give_memory(device->nn, device->entries, (size_t)device->entry_room * sizeof *more);
        device->entries = more;
        device->entry_room = room;
    }
    entry = &device->entries[device->entry_count++];
    memset(entry, 0, sizeof *entry);
    entry->shape = *shape;
    entry->hash = nn__opencl_choice_hash(shape);
    return entry;
}

NN__OPENCL_PRIVATE void nn__opencl_free_entries(nn__opencl *device) {
    nn_give_memory(device->nn, device->entries,
                   (size_t)device->entry_room * sizeof *device->entries);
    device->entries = NULL;
    device->entry_count = device->entry_room = 0;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Returns the ratio of two extents in 1/1000; 0: too far apart. */
static int64_t nn__opencl_choice_distance(int64_t a, int64_t b) {
    const int64_t low = a < b ? a : b, high = a < b ? b : a;
    return low < 1 || high > low * NN__OPENCL_CHOICE_NEAR ? 0 : high * 1000 / low;
}

/* Writes the three extents of a product, or of the product that computes a convolution. */
static void nn__opencl_choice_extents(const nn__opencl_shape *shape, int64_t *extents) {
    const int32_t *n = shape->numbers;
    if (shape->kernel == NN_KERNEL_GEMM) {
        extents[0] = n[0];
        extents[1] = n[1];
        extents[2] = n[2];
    } else {
        extents[0] = n[4];                         /* channels of y */
        extents[1] = n[1];                         /* channels of x */
        extents[2] = (int64_t)n[0] * n[5] * n[6]; /* positions of y */
    }
}

/* True if all numbers but the extents are equal. */
static bool nn__opencl_choice_alike(const nn__opencl_shape *a, const nn__opencl_shape *b) {
    const int first = a->kernel == NN_KERNEL_GEMM ? 3 : 7;
    return a->kernel == b->kernel &&
           memcmp(a->numbers + first, b->numbers + first,
                  (size_t)(NN__OPENCL_SHAPE_NUMBERS - first) * sizeof *a->numbers) == 0;
}

/* Returns the nearest usual shape that was measured; the first of equally near ones. */
static const nn__opencl_entry *nn__opencl_choice_near(const nn__opencl *device,
                                                      const nn__opencl_shape *shape) {
    const nn__opencl_entry *best = NULL;
    int64_t mine[3], other[3], least = 0;
    nn__opencl_choice_extents(shape, mine);
    for (int i = 0; i < device->entry_count; i++) {
        const nn__opencl_entry *entry = &device->entries[i];
        int64_t sum = 0;
        bool near_enough = entry->usual && entry->counts;
        if (!near_enough || !nn__opencl_choice_alike(&entry->shape, shape)) continue;
        nn__opencl_choice_extents(&entry->shape, other);
        for (int k = 0; k < 3 && near_enough; k++) {
            const int64_t apart = nn__opencl_choice_distance(mine[k], other[k]);
            near_enough = apart > 0;
            sum += apart;
        }
        if (!near_enough || (best && sum >= least)) continue;
        best = entry;
        least = sum;
    }
    return best;
}

NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_choose(const nn__opencl *device, nn_kernel kernel,
                                                       const void *args) {
    const nn__opencl_choice judged = {0, 0};
    const nn__opencl_entry *entry;
    nn__opencl_shape shape;
    if (device->trying) return device->trial;
    if (!device->entry_count || !nn__opencl_shape_of(kernel, args, &shape)) return judged;
    entry = nn__opencl_find_entry(device, &shape);
    if (!entry || !entry->counts) entry = nn__opencl_choice_near(device, &shape);
    return entry ? entry->now : judged;
}

/* ---- all families ---------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE const char *const *nn__opencl_tile_names(nn_kernel kernel, int *count) {
    return kernel == NN_KERNEL_GEMM ? nn__opencl_gemm_tile_names(count)
                                    : nn__opencl_conv_tile_names(kernel, count);
}

NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_taken(nn__opencl *device, nn_kernel kernel,
                                                      const void *args) {
    return kernel == NN_KERNEL_GEMM
               ? nn__opencl_gemm_taken(device, (const nn_gemm_args *)args)
               : nn__opencl_conv_taken(device, kernel, (const nn_conv2d_args *)args);
}

NN__OPENCL_PRIVATE bool nn__opencl_fits(nn__opencl *device, nn_kernel kernel, const void *args,
                                        int32_t tile) {
    return kernel == NN_KERNEL_GEMM
               ? nn__opencl_gemm_fits(device, (const nn_gemm_args *)args, tile)
               : nn__opencl_conv_fits(device, kernel, (const nn_conv2d_args *)args, tile);
}

/* Describes the choice for the plan's report. */
NN__OPENCL_PRIVATE const char *nn__opencl_way(void *state, nn_kernel kernel, const void *args,
                                              char *text, size_t bytes) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_shape shape;
    nn__opencl_choice taken, chosen;
    const char *const *names;
    char sums[40];
    void *cpu = NULL;
    int count = 0;
    if (nn__opencl_lends(device, kernel, args, &cpu)) return "by the CPU backend";
    if (!nn__opencl_shape_of(kernel, args, &shape)) return NULL;
    names = nn__opencl_tile_names(kernel, &count);
    taken = nn__opencl_taken(device, kernel, args);
    chosen = nn__opencl_choose(device, kernel, args);
    sums[0] = 0;
    if (taken.splits > 1)
        nn__opencl_format(sums, sizeof sums, ", %d sums", (int)taken.splits);
    nn__opencl_format(text, bytes, "%s%s, %s",
                      taken.tile < 0 || taken.tile >= count ? "the one kernel for it"
                                                            : names[taken.tile],
                      sums,
                      chosen.tile && chosen.tile == taken.tile ? "measured" : "judged");
    return text;
}

#undef NN__OPENCL_CHOICE_NEAR
