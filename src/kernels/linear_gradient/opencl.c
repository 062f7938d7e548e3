/* kernels/linear_gradient/opencl.c - all gradients of a linear layer in one launch: some
   work-groups compute tiles of dweight, some tiles of dx, some numbers of dbias. On
   devices whose work-groups are too small for a tile, and on CPUs, whose plans keep the products
   separate, a work-item computes one number. A unit is a range of work-groups, or of numbers. */
#include "opencl/private.h"

#define NN__OPENCL_GRADIENT_ROWS    1024 /* most rows: the sum over them is not split */
#define NN__OPENCL_GRADIENT_GROUPS  512  /* work-groups per unit */
#define NN__OPENCL_GRADIENT_NUMBERS 32768
#define NN__OPENCL_GRADIENT_UNITS   128 /* least extents for matrix units */
#define NN__OPENCL_GRADIENT_LANES   16 /* columns of dbias per work-group */

/* Number of work-groups (or numbers) of each of the three results, in this order. */
typedef struct nn__opencl_gradient {
    int side; /* work-items along the side of a group; 0: no tiles */
    int64_t weight, input, bias, unit;
} nn__opencl_gradient;

/* Returns the number of tiles of `tile` x `tile`; 0: of single numbers. */
static int64_t nn__opencl_gradient_tiles(const nn_view *view, int32_t tile) {
    if (!nn__opencl_present(view)) return 0;
    if (tile == 0) return nn__opencl_count(view);
    return (int64_t)nn__opencl_ceil_div(view->shape.extent[0], tile) *
           nn__opencl_ceil_div(view->shape.extent[1], tile);
}

static nn__opencl_gradient nn__opencl_gradient_cut(const nn_linear_gradient_args *args, int side) {
    nn__opencl_gradient g;
    g.side = side;
    g.weight = nn__opencl_gradient_tiles(&args->dweight, 4 * side);
    g.input = nn__opencl_gradient_tiles(&args->dx, 4 * side);
    g.bias = nn__opencl_present(&args->dbias) ? args->dbias.shape.extent[0] : 0;
    if (side) g.bias = nn__opencl_ceil_div(g.bias, NN__OPENCL_GRADIENT_LANES);
    g.unit = side ? NN__OPENCL_GRADIENT_GROUPS : NN__OPENCL_GRADIENT_NUMBERS;
    return g;
}

/* Takes the larger tile if it still occupies the whole device. */
static nn__opencl_gradient nn__opencl_gradient_of(nn__opencl *device,
                                                  const nn_linear_gradient_args *args) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    const nn__opencl_gradient g = nn__opencl_gradient_cut(args, 16);
    if (family == NN__OPENCL_TILES && g.weight + g.input >= 2 * (int64_t)device->units) return g;
    return nn__opencl_gradient_cut(
        args, family == NN__OPENCL_TILES || family == NN__OPENCL_SMALL_TILES ? 8 : 0);
}

static int32_t nn__opencl_gradient_units(nn__opencl *device, const void *args) {
    const nn__opencl_gradient g =
        nn__opencl_gradient_of(device, (const nn_linear_gradient_args *)args);
    return nn__opencl_ceil_div(g.weight + g.input + g.bias, g.unit);
}

static void nn__opencl_gradient_arguments(nn__opencl_launch *launch,
                                          const nn_linear_gradient_args *args,
                                          const nn__opencl_gradient *g, int64_t first) {
    nn__opencl_view(launch, &args->dy);
    nn__opencl_view(launch, &args->x);
    nn__opencl_view(launch, &args->weight);
    nn__opencl_view(launch, &args->dweight);
    nn__opencl_view(launch, &args->dbias);
    nn__opencl_view(launch, &args->dx);
    nn__opencl_int(launch, args->dy.shape.extent[0]);
    nn__opencl_int(launch, args->dy.shape.extent[1]);
    nn__opencl_int(launch, args->x.shape.extent[1]);
    nn__opencl_int(launch, args->activation == NN_ACTIVATION_RELU);
    nn__opencl_ulong(launch, (uint64_t)g->weight);
    nn__opencl_ulong(launch, (uint64_t)(g->weight + g->input));
    nn__opencl_ulong(launch, (uint64_t)first);
}

/* Runs units [first, first + count). *fits is set to false if nothing was done, because the device
   gives the kernel smaller work-groups than it needs. */
static nn_result nn__opencl_gradient_range(nn__opencl *device, const nn_linear_gradient_args *args,
                                           const nn__opencl_gradient *g, int32_t first,
                                           int64_t count, bool *fits) {
    static const char *const names[2][3] = {
        {"", "-DNN_GRADIENT_SIDE=8", "-DNN_GRADIENT_SIDE=16"},
        {"", "-DNN_GRADIENT_SIDE=8 -DNN_GRADIENT_DEEP=32",
         "-DNN_GRADIENT_SIDE=16 -DNN_GRADIENT_DEEP=32"}};
    /* there is enough local memory */
    const bool roomy = nn__opencl_family_of(device) == NN__OPENCL_TILES;
    const int64_t all = g->weight + g->input + g->bias, from = first * g->unit,
                  to = from + count * g->unit, end = to < all ? to : all;
    const size_t items = (size_t)(g->side * g->side);
    nn__opencl_launch launch = nn__opencl_begin(
        device, "linear_gradient", g->side ? "nn_linear_gradient" : "nn_linear_gradient_plain",
        names[roomy][g->side / 8]);
    *fits = !g->side || launch.result < 0 || nn__opencl_group(&launch, items) == items;
    if (!*fits || launch.result < 0 || from >= end) return launch.result;
    nn__opencl_gradient_arguments(&launch, args, g, from);
    if (g->side) {
        const size_t groups = (size_t)(end - from);
        return nn__opencl_run(&launch, 1, &groups, &items);
    }
    nn__opencl_ulong(&launch, (uint64_t)end);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - from), 64);
}

static nn_result nn__opencl_gradient_run(nn__opencl *device, const void *arguments, int32_t first,
                                         int32_t count) {
    const nn_linear_gradient_args *args = (const nn_linear_gradient_args *)arguments;
    nn__opencl_gradient g = nn__opencl_gradient_of(device, args);
    bool fits;
    nn_result result = nn__opencl_gradient_range(device, args, &g, first, count, &fits);
    if (fits) return result;
    g = nn__opencl_gradient_cut(args, 0); /* everything at once */
    return first == 0 && count > 0
               ? nn__opencl_gradient_range(device, args, &g, 0, INT32_MAX, &fits)
               : NN_OK;
}

static const char *nn__opencl_gradient_refuses(nn__opencl *device, const void *arguments) {
    const nn_linear_gradient_args *args = (const nn_linear_gradient_args *)arguments;
    const bool large = args->dy.shape.extent[0] >= NN__OPENCL_GRADIENT_UNITS &&
                       args->dy.shape.extent[1] >= NN__OPENCL_GRADIENT_UNITS &&
                       args->x.shape.extent[1] >= NN__OPENCL_GRADIENT_UNITS;
    if (large && nn__opencl_rounding_of(device, args->precision) != NN__OPENCL_ROUND_NOT)
        return "the gradients of a linear layer are faster as separate steps on matrix units";
    if (args->activation != NN_ACTIVATION_NONE && args->activation != NN_ACTIVATION_RELU)
        return "the joined gradients of a linear layer support no activation but relu";
    return args->dy.shape.extent[0] <= NN__OPENCL_GRADIENT_ROWS
               ? NULL
               : "with more than 1024 rows the gradients of a linear layer are faster as separate "
                 "steps";
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_linear_gradient(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_gradient_refuses, NULL,
                                             nn__opencl_gradient_units, nn__opencl_gradient_run,
                                             NULL};
    return &kernel;
}

#undef NN__OPENCL_GRADIENT_ROWS
#undef NN__OPENCL_GRADIENT_GROUPS
#undef NN__OPENCL_GRADIENT_NUMBERS
#undef NN__OPENCL_GRADIENT_UNITS
#undef NN__OPENCL_GRADIENT_LANES
