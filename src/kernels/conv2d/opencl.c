/* kernels/conv2d/opencl.c - chooses the kernels of a convolution, computes their numbers and
   launches them.

   forward is one product. backward_input is one product for each pair of classes of taps (see
   opencl.h). backward_weight is one product that is cut into splits (opencl_weight.c). The kernels
   read the image directly; no im2col matrix is built. A plain kernel computes tiny products.
   opencl_few.c launches convolutions with few rows, opencl_depthwise.c depthwise ones. Units: first
   clearing dx or preparing weights, then runs of positions. All choices depend only on shapes and
   device. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_CONV_UNIT 256  /* positions per unit */

/* ---- forward and backward_input: tiles and plain --------------------------------------------- */

static nn_result nn__opencl_conv_run_plain(nn__opencl *device, const nn_conv2d_args *a,
                                           const nn__opencl_conv *c, int32_t first,
                                           int32_t positions) {
    nn__opencl_launch launch =
        nn__opencl_conv_begin(device, c, "nn_conv2d_plain", "-DNN_CONV_ONLY=1");
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_conv_arguments(&launch, a, c, first);
    local[0] = nn__opencl_group(&launch, 64);
    if (NN__OPENCL_CONV_IS_POOLED(c)) positions /= 4; /* one work-item per window */
    groups[0] = (size_t)nn__opencl_ceil_div(positions, (int64_t)local[0]);
    groups[1] = (size_t)c->rows;
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* Tries smaller tiles until the device gives the kernel its work-groups; finally runs the plain
   kernel. most: for half arithmetic, the largest numbers of the operands, or NULL. */
static nn_result nn__opencl_conv_run_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                           const nn__opencl_conv *c, const nn_view *most,
                                           int32_t first, int32_t positions) {
    static const char *const names[7] = {
        "-DNN_CONV_ONLY=10 -DNN_CONV_SIDE=128",
        "-DNN_CONV_ONLY=10 -DNN_CONV_SIDE=64",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=16 -DNN_CONV_ACROSS=16 -DNN_CONV_HEIGHT=8",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=16 -DNN_CONV_ACROSS=16 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=32 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=4 -DNN_CONV_ACROSS=64 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=8 -DNN_CONV_HEIGHT=4"};
    static const int32_t items[7] = {256, 256, 256, 256, 256, 256, 64},
                         tall[7] = {128, 64, 128, 64, 32, 16, 32},
                         wide[7] = {128, 256, 64, 64, 128, 256, 32};
    int i = (int)nn__opencl_conv_tile_of(device, a, c) - NN__OPENCL_CONV_TILE_128_128;
    if (i > 6) i = 3; /* Winograd or patches turned out not to fit this device */
    for (; i < 7; i = i < 2 ? 3 : i < 6 ? 6 : 7) {
        bool half = i < 2 && most;
        nn__opencl_launch launch = nn__opencl_conv_half_begin(
            device, c, i < 2 ? "nn_conv2d_large" : "nn_conv2d_tiles", names[i], &half);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items[i]) < (size_t)items[i]) continue;
        nn__opencl_conv_arguments(&launch, a, c, first / wide[i]);
        if (half) nn__opencl_view(&launch, most);
        local[0] = (size_t)items[i];
        groups[0] = (size_t)nn__opencl_ceil_div(positions, wide[i]);
        groups[1] = (size_t)nn__opencl_ceil_div(c->rows, tall[i]);
        groups[2] = (size_t)c->groups;
        return nn__opencl_run(&launch, 3, groups, local);
    }
    return nn__opencl_conv_run_plain(device, a, c, first, positions);
}

/* ---- forward and backward_input: the plan ---------------------------------------------------- */

typedef struct nn__opencl_conv_plan {
    bool tiles, few;         /* neither: the plain kernel */
    bool winograd;           /* a kind of tiles */
    bool half;               /* large tiles use half arithmetic */
    nn__opencl_conv_mma mma; /* side 0: none */
    int32_t parts;           /* parts of the channels of patches; 0 for other tiles */
    nn__opencl_conv_cut cut; /* cut.parts 0 or 1: the depth is not cut */
    uint64_t source, weight, most; /* in bytes of scratch; most: of half arithmetic */
} nn__opencl_conv_plan;

/* True if the product has too much work for the plain kernel. */
static bool nn__opencl_conv_is_worth(nn__opencl *device, const nn_conv2d_args *a,
                                     nn__opencl_conv_way way) {
    int64_t work = 0;
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv each = nn__opencl_conv_of(a, way, i);
        work += nn__opencl_conv_work(&each);
    }
    return work > NN__OPENCL_CONV_TINY && nn__opencl_family_of(device) != NN__OPENCL_PLAIN;
}

NN__OPENCL_PRIVATE bool nn__opencl_conv_has_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                                  nn__opencl_conv_way way) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    if (way == NN__OPENCL_CONV_WEIGHT && nn__opencl_weight_few_suits(device, a)) return false;
    return nn__opencl_present(&a->weight) && nn__opencl_conv_is_worth(device, a, way) &&
           !nn__opencl_depthwise_suits(device, a, way) && c.rows > 4;
}

static nn__opencl_conv_plan nn__opencl_conv_plan_of(nn__opencl *device, const nn_conv2d_args *a,
                                                    nn__opencl_conv_way way) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    nn__opencl_conv_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.mma = nn__opencl_conv_mma_of(device, a, way);
    if (plan.mma.side) {
        plan.weight = nn__opencl_conv_mma_bytes(a, way, &plan.mma);
        plan.tiles = true;
        return plan;
    }
    if (!nn__opencl_conv_is_worth(device, a, way)) return plan;
    plan.tiles = c.rows > 4;
    plan.few = !plan.tiles;
    plan.winograd = plan.tiles && nn__opencl_conv_tile_of(device, a, &c) ==
                                      NN__OPENCL_CONV_TILE_WINOGRAD;
    if (plan.winograd) plan.weight = nn__opencl_gpu_winograd_bytes(&c);
    if (plan.tiles &&
        nn__opencl_conv_tile_of(device, a, &c) == NN__OPENCL_CONV_TILE_PATCHES_SMALL) {
        plan.parts = nn__opencl_patches_parts(device, a, &c);
        plan.source = nn__opencl_patches_bytes(&c, plan.parts);
    } else if (plan.tiles) {
        plan.cut = nn__opencl_conv_cut_of(device, a, &c);
        plan.source = plan.cut.bytes;
    }
    plan.half = nn__opencl_conv_half_of(device, a, way);
    if (plan.half) plan.most = nn__opencl_conv_aligned(NN__OPENCL_HALF_BYTES / 4);
    return plan;
}

/* ---- forward and backward_input: units ------------------------------------------------------- */

static uint64_t nn__opencl_conv_scratch_bytes(nn__opencl *device, const nn_conv2d_args *a,
                                              nn__opencl_conv_way way) {
    const nn__opencl_conv_plan plan = nn__opencl_conv_plan_of(device, a, way);
    if (nn__opencl_depthwise_suits(device, a, way)) return 0;
    return plan.source + plan.weight + plan.most;
}

/* Returns the number of units of one product. */
static int32_t nn__opencl_conv_pieces(nn__opencl *device, const nn_conv2d_args *a,
                                      const nn__opencl_conv_plan *plan, const nn__opencl_conv *c) {
    if (c->h.outputs == 0 || c->w.outputs == 0) return 0;
    if (plan->winograd) return nn__opencl_gpu_winograd_pieces(c);
    if (plan->tiles && !plan->mma.side &&
        nn__opencl_conv_is_patches(nn__opencl_conv_tile_of(device, a, c)))
        return nn__opencl_patches_pieces(c);
    return nn__opencl_ceil_div((int64_t)c->images * c->h.outputs * c->w.outputs,
                               NN__OPENCL_CONV_UNIT);
}

/* True if a unit before the products prepares weights or clears dx. */
static bool nn__opencl_conv_prepares(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                     const nn__opencl_conv_plan *plan) {
    return plan->winograd || plan->mma.side || plan->half ||
           nn__opencl_conv_leaves_gaps(a, way);
}

/* Fills dx as if no tap reached it: activation(bias). */
static nn_result nn__opencl_conv_fill(nn__opencl *device, const nn_conv2d_args *a) {
    const int32_t *x = a->x.shape.extent;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_fill", "-DNN_CONV_ONLY=2");
    nn__opencl_view(&launch, &a->x);
    nn__opencl_view(&launch, &a->epilogue.bias);
    nn__opencl_int(&launch, x[1]);
    nn__opencl_int(&launch, x[2] * x[3]);
    nn__opencl_int(&launch, (int32_t)a->epilogue.activation);
    nn__opencl_uint(&launch, (uint32_t)(x[0] * x[1]));
    return nn__opencl_run_flat(&launch, (uint64_t)x[0] * (uint64_t)x[1], 64);
}

/* Returns the part of scratch that holds the largest numbers of the operands. */
static nn_view nn__opencl_conv_most(const nn_conv2d_args *a, const nn__opencl_conv_plan *plan) {
    return nn__opencl_part(&a->scratch, plan->source + plan->weight, plan->most);
}

static nn_result nn__opencl_conv_prepare(nn__opencl *device, const nn_conv2d_args *a,
                                         nn__opencl_conv_way way,
                                         const nn__opencl_conv_plan *plan) {
    nn_result result = NN_OK;
    if (nn__opencl_conv_leaves_gaps(a, way) &&
        (nn__opencl_present(&a->epilogue.bias) || a->epilogue.activation != NN_ACTIVATION_NONE))
        result = nn__opencl_conv_fill(device, a);
    else if (nn__opencl_conv_leaves_gaps(a, way) && !device->dry)
        result = nn__opencl_fill(device, a->x.handle, a->x.offset,
                                 (uint64_t)nn__opencl_count(&a->x) * sizeof(float), 0);
    if (result >= 0 && plan->mma.side)
        result = nn__opencl_conv_mma_sort(device, a, way, &plan->mma);
    if (result >= 0 && plan->winograd) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
        result = nn__opencl_gpu_winograd_prepare(device, a, &c);
    }
    if (result >= 0 && plan->half) {
        const nn_view most = nn__opencl_conv_most(a, plan);
        result = nn__opencl_conv_half_find(device, a, way, &most);
    }
    return result;
}

/* Runs pieces [from, to) of one product, by any kernel. */
static nn_result nn__opencl_conv_run_pieces(nn__opencl *device, const nn_conv2d_args *a,
                                            const nn__opencl_conv_plan *plan,
                                            const nn__opencl_conv *c, nn__opencl_conv_way way,
                                            int32_t pair, int32_t from, int32_t to) {
    const int64_t all = (int64_t)c->images * c->h.outputs * c->w.outputs;
    int64_t at = (int64_t)from * NN__OPENCL_CONV_UNIT, stop = (int64_t)to * NN__OPENCL_CONV_UNIT;
    const nn__opencl_conv_tile tile =
        plan->tiles && !plan->mma.side ? nn__opencl_conv_tile_of(device, a, c)
                                       : NN__OPENCL_CONV_JUDGED;
    const nn_view most = nn__opencl_conv_most(a, plan);
    if (plan->winograd || nn__opencl_conv_is_patches(tile)) {
        const int64_t pieces = nn__opencl_conv_pieces(device, a, plan, c),
                      units = nn__opencl_ceil_div(all, NN__OPENCL_CONV_UNIT);
        bool fits;
        const nn_result result =
            plan->winograd ? nn__opencl_gpu_winograd_run(device, a, c, from, to - from, &fits)
                           : nn__opencl_patches_run(device, a, c,
                                                    tile == NN__OPENCL_CONV_TILE_PATCHES_SMALL,
                                                    from, to - from, &fits);
        if (fits) return result;
        at = from * units / pieces * NN__OPENCL_CONV_UNIT;
        stop = to * units / pieces * NN__OPENCL_CONV_UNIT;
    }
    if (stop > all) stop = all;
    if (at >= stop) return NN_OK;
    if (plan->mma.side) {
        bool fits;
        const nn_result result =
            nn__opencl_conv_mma_run(device, a, c, way, pair, &plan->mma, (int32_t)at,
                                    (int32_t)(stop - at), &fits);
        if (fits) return result;
        if (nn__opencl_conv_has_halves(a)) return nn__opencl_conv_halves_fail(device);
    }
    if (plan->cut.parts > 1) {
        bool fits;
        const nn_result result = nn__opencl_conv_cut_run(device, a, c, &plan->cut, (int32_t)at,
                                                         (int32_t)(stop - at), &fits);
        if (fits) return result;
    }
    if (plan->few && nn__opencl_conv_few_suits(device, c)) {
        bool fits;
        const nn_result result =
            nn__opencl_conv_few_run(device, a, c, (int32_t)at, (int32_t)(stop - at), &fits);
        if (fits) return result;
    }
    return plan->tiles
               ? nn__opencl_conv_run_tiles(device, a, c, plan->half ? &most : NULL, (int32_t)at,
                                           (int32_t)(stop - at))
               : nn__opencl_conv_run_plain(device, a, c, (int32_t)at, (int32_t)(stop - at));
}

/* True if one more unit, the last one, adds partial sums. */
static bool nn__opencl_conv_finishes(const nn__opencl_conv_plan *plan) {
    return plan->parts > 1 || (plan->cut.parts > 1 && !plan->cut.gathers);
}

NN__OPENCL_PRIVATE int32_t nn__opencl_conv_units(nn__opencl *device, const nn_conv2d_args *a,
                                                 nn__opencl_conv_way way) {
    const nn__opencl_conv_plan plan = nn__opencl_conv_plan_of(device, a, way);
    int32_t i, units = nn__opencl_conv_prepares(a, way, &plan) ? 1 : 0;
    if (nn__opencl_depthwise_suits(device, a, way)) return a->x.shape.extent[0];
    for (i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        units += nn__opencl_conv_pieces(device, a, &plan, &c);
    }
    return units + (nn__opencl_conv_finishes(&plan) ? 1 : 0);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_run(nn__opencl *device, const nn_conv2d_args *a,
                                                 const nn_conv_pool_args *block,
                                                 nn__opencl_conv_way way, int32_t first,
                                                 int32_t count) {
    const nn__opencl_conv_plan plan = nn__opencl_conv_plan_of(device, a, way);
    const int32_t end = first + count;
    int32_t i, unit = nn__opencl_conv_prepares(a, way, &plan) ? 1 : 0;
    nn_result result = NN_OK;
    nn__opencl_begins(device);
    if (nn__opencl_depthwise_suits(device, a, way))
        return way == NN__OPENCL_CONV_FORWARD
                   ? nn__opencl_depthwise_forward(device, a, first, count)
                   : nn__opencl_depthwise_input(device, a, first, count);
    if (unit > 0 && first == 0 && count > 0)
        result = nn__opencl_conv_prepare(device, a, way, &plan);
    for (i = 0; i < nn__opencl_conv_products(a, way) && result >= 0; i++) {
        nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        const int32_t pieces = nn__opencl_conv_pieces(device, a, &plan, &c);
        const int32_t from = first > unit ? first - unit : 0,
                      to = end - unit < pieces ? end - unit : pieces;
        unit += pieces;
        c.block = block;
        if (from < to) result = nn__opencl_conv_run_pieces(device, a, &plan, &c, way, i, from, to);
    }
    if (result >= 0 && nn__opencl_conv_finishes(&plan) && end > unit && first <= unit) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
        result = plan.parts > 1 ? nn__opencl_patches_finish(device, a, &c, plan.parts)
                                : nn__opencl_conv_cut_finish(device, a, &c, &plan.cut);
    }
    return result;
}

/* Returns the extent of an axis with padding, in forward or backward, whichever is larger. */
static double nn__opencl_conv_around(int32_t x, int32_t y, int32_t taps, int32_t stride,
                                     int32_t dilation) {
    const double reach = (double)dilation * (taps - 1);
    const double forward = (y + reach / stride) * (stride < reach + 1 ? stride : reach + 1),
                 backward = x + reach + 2;
    return forward > backward ? forward : backward;
}

/* Kernels count the positions of all images, the numbers of an image with its padding, and the
   weights as int. */
NN__OPENCL_PRIVATE const char *nn__opencl_conv_refuses(nn__opencl *device, const void *args) {
    const nn_conv2d_args *a = (const nn_conv2d_args *)args;
    const nn_conv2d_params *p = &a->params;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const double most = 2147483647.0, taps = (double)p->kernel_h * p->kernel_w;
    const double around =
        nn__opencl_conv_around(x[2], y[2], p->kernel_h, p->stride_h, p->dilation_h) *
        nn__opencl_conv_around(x[3], y[3], p->kernel_w, p->stride_w, p->dilation_w);
    if ((double)x[0] * x[2] * x[3] > most - 65536 || (double)y[0] * y[2] * y[3] > most - 65536)
        return "all images together have more than 2^31 pixels";
    if ((double)x[1] * around > most || (double)y[1] * y[2] * y[3] > most)
        return "an image has more than 2^31 numbers";
    if ((double)y[1] * (x[1] / p->groups) * taps > most)
        return "a weight has more than 2^31 numbers";
    if (nn__opencl_conv_has_halves(a) &&
        nn__opencl_conv_mma_of(device, a, NN__OPENCL_CONV_FORWARD).side == 0)
        return "convolutions of f16 and bf16 need matrix units";
    return NULL;
}
static const char *nn__opencl_conv_forward_refuses(nn__opencl *device, const void *args) {
#ifndef NN_NO_SPEEDUPS
    if (nn__opencl_present(&((const nn_conv2d_args *)args)->slope))
        return "convolutions have no slopes here; the prelu after one is a kernel of its own";
#endif
    return nn__opencl_conv_refuses(device, args);
}

/* ---- the three kernels ----------------------------------------------------------------------- */

static uint64_t nn__opencl_conv_forward_scratch_bytes(nn__opencl *device, const void *args) {
    return nn__opencl_conv_scratch_bytes(device, (const nn_conv2d_args *)args,
                                         NN__OPENCL_CONV_FORWARD);
}
static int32_t nn__opencl_conv_forward_units(nn__opencl *device, const void *args) {
    return nn__opencl_conv_units(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_FORWARD);
}
static nn_result nn__opencl_conv_forward_run(nn__opencl *device, const void *args, int32_t first,
                                             int32_t count) {
    return nn__opencl_conv_run(device, (const nn_conv2d_args *)args, NULL, NN__OPENCL_CONV_FORWARD,
                               first, count);
}
static uint64_t nn__opencl_conv_input_scratch_bytes(nn__opencl *device, const void *args) {
    return nn__opencl_conv_scratch_bytes(device, (const nn_conv2d_args *)args,
                                         NN__OPENCL_CONV_INPUT);
}
static int32_t nn__opencl_conv_input_units(nn__opencl *device, const void *args) {
    return nn__opencl_conv_units(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_INPUT);
}
static nn_result nn__opencl_conv_input_run(nn__opencl *device, const void *args, int32_t first,
                                           int32_t count) {
    return nn__opencl_conv_run(device, (const nn_conv2d_args *)args, NULL, NN__OPENCL_CONV_INPUT,
                               first, count);
}
static nn_result nn__opencl_conv_backward_weight_run(nn__opencl *device, const void *args,
                                                     int32_t first, int32_t count) {
    return nn__opencl_conv_weight_run(device, (const nn_conv2d_args *)args, NULL, first, count);
}

static bool nn__opencl_conv_forward_halves(nn__opencl *device, const void *args) {
    return nn__opencl_conv_halves(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_FORWARD);
}
static bool nn__opencl_conv_input_halves(nn__opencl *device, const void *args) {
    return nn__opencl_conv_halves(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_INPUT);
}
static bool nn__opencl_conv_weight_halves(nn__opencl *device, const void *args) {
    return nn__opencl_conv_halves(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_WEIGHT);
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv2d_forward(void) {
    static const nn__opencl_kernel kernel = {
        nn__opencl_conv_forward_refuses, nn__opencl_conv_forward_scratch_bytes,
        nn__opencl_conv_forward_units, nn__opencl_conv_forward_run,
        nn__opencl_conv_forward_halves};
    return &kernel;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv2d_backward_input(void) {
    static const nn__opencl_kernel kernel = {
        nn__opencl_conv_refuses, nn__opencl_conv_input_scratch_bytes, nn__opencl_conv_input_units,
        nn__opencl_conv_input_run, nn__opencl_conv_input_halves};
    return &kernel;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv2d_backward_weight(void) {
    static const nn__opencl_kernel kernel = {
        nn__opencl_conv_refuses, nn__opencl_conv_weight_scratch_bytes, nn__opencl_conv_weight_units,
        nn__opencl_conv_backward_weight_run, nn__opencl_conv_weight_halves};
    return &kernel;
}

#undef NN__OPENCL_CONV_UNIT
