/* kernels/conv2d/opencl.c - chooses the kernels of a convolution, fills their numbers, launches them.

   forward is one product, backward_input one for each pair of classes of taps, backward_weight one that is cut
   into splits. CPUs: the source is packed with zeros around (unless it can be read in place), then register
   tiles. GPUs: tiles in local memory that read the image itself. A plain kernel does what is tiny or depthwise.
   Nothing builds a column matrix. Units: forward, backward_input:
   packing, then images (CPUs) or runs of positions; backward_weight: packing, splits, the end. Everything
   depends on shapes and device only. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_CONV_TINY 8192 /* multiplications */
#define NN__OPENCL_CONV_UNIT 256  /* positions of a unit */

/* ---- launches that several ways share -------------------------------------------------------- */

/* A division by d as a product; see nn_conv_divide. */
static void nn__opencl_conv_division(nn__opencl_launch *launch, int32_t d) {
    uint32_t shift = 0;
    const uint64_t by = d > 0 ? (uint64_t)d : 1;
    while (((uint64_t)1 << shift) < by) shift++;
    nn__opencl_uint(launch, (uint32_t)((((uint64_t)1 << 32) * (((uint64_t)1 << shift) - by)) / by + 1));
    nn__opencl_uint(launch, shift);
}

/* That many int arguments. */
static void nn__opencl_conv_ints(nn__opencl_launch *launch, const int32_t *numbers, int count) {
    int i;
    for (i = 0; i < count; i++) nn__opencl_int(launch, numbers[i]);
}

static void nn__opencl_conv_axes(nn__opencl_launch *launch, const nn__opencl_conv *c) {
    const int32_t numbers[] = {c->rows,      c->channels,  c->images,   c->groups,  c->h.source, c->w.source,
                               c->h.outputs, c->w.outputs, c->h.taps,   c->w.taps,  c->h.first,  c->w.first,
                               c->h.step,    c->w.step,    c->h.stride, c->w.stride};
    nn__opencl_conv_ints(launch, numbers, 16);
}

static void nn__opencl_conv_weight_steps(nn__opencl_launch *launch, const nn__opencl_conv *c) {
    const int32_t numbers[] = {c->w_group,
                               c->w_row,
                               c->w_channel,
                               c->h.weight * c->w_width + c->w.weight,
                               c->h.weight_step * c->w_width,
                               c->w.weight_step};
    nn__opencl_conv_ints(launch, numbers, 6);
}

static nn_result nn__opencl_conv_pack(nn__opencl *device, const nn__opencl_conv *c, const nn_view *to) {
    const int32_t planes = c->images * c->groups * c->channels;
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_pack", "-DNN_CONV_ONLY=2");
    size_t groups = (size_t)planes, local = 1;
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, c->source);
    {
        const int32_t numbers[] = {planes,
                                   nn__opencl_conv_plane(c),
                                   nn__opencl_conv_slack(c),
                                   c->h.source,
                                   c->w.source,
                                   c->h.low,
                                   c->w.low,
                                   c->h.stride,
                                   c->w.stride,
                                   c->h.phases,
                                   c->w.phases,
                                   c->h.packed,
                                   c->w.packed};
        nn__opencl_conv_ints(&launch, numbers, 13);
    }
    return nn__opencl_run(&launch, 1, &groups, &local);
}

/* The weight in blocks of `tall` rows, and the offsets; weight absent: only these. */
static nn_result nn__opencl_conv_pack_weight(nn__opencl *device, const nn__opencl_conv *c,
                                             const nn_view *weight, int32_t tall, const nn_view *to,
                                             const nn_view *offsets) {
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_pack_weight", "-DNN_CONV_ONLY=2");
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, offsets);
    nn__opencl_view(&launch, weight);
    {
        const int32_t numbers[] = {c->rows, nn__opencl_conv_depth(c), tall, c->h.taps, c->w.taps};
        nn__opencl_conv_ints(&launch, numbers, 5);
    }
    nn__opencl_conv_weight_steps(&launch, c);
    {
        const int32_t numbers[] = {c->h.first,  c->w.first, c->h.step, c->w.step,   c->h.stride,
                                   c->w.stride, c->h.low,   c->w.low,  c->w.phases, nn__opencl_conv_plane(c),
                                   c->h.packed, c->w.packed};
        nn__opencl_conv_ints(&launch, numbers, 12);
    }
    groups[0] = (size_t)nn__opencl_conv_depth(c);
    groups[1] = nn__opencl_present(weight) ? (size_t)nn__opencl_ceil_div(c->rows, tall) : 1;
    groups[2] = nn__opencl_present(weight) ? (size_t)c->groups : 1;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* ---- forward and backward_input: tiles and plain --------------------------------------------- */

static void nn__opencl_conv_arguments(nn__opencl_launch *launch, const nn_conv2d_args *a,
                                      nn__opencl_conv_way way, const nn__opencl_conv *c, int32_t first) {
    const bool forward = way == NN__OPENCL_CONV_FORWARD;
    nn_view none;
    memset(&none, 0, sizeof none);
    nn__opencl_view(launch, c->y);
    nn__opencl_view(launch, c->source);
    nn__opencl_view(launch, &a->weight);
    nn__opencl_view(launch, forward ? &a->epilogue.bias : &none);
    nn__opencl_conv_axes(launch, c);
    nn__opencl_conv_weight_steps(launch, c);
    {
        const int32_t numbers[] = {c->h.place * c->y_width + c->w.place, c->h.place_step * c->y_width,
                                   c->w.place_step, c->y_plane};
        nn__opencl_conv_ints(launch, numbers, 4);
    }
    nn__opencl_conv_division(launch, c->h.outputs * c->w.outputs);
    nn__opencl_conv_division(launch, c->w.outputs);
    nn__opencl_conv_division(launch, c->h.taps * c->w.taps);
    nn__opencl_conv_division(launch, c->w.taps);
    nn__opencl_int(launch, first);
    nn__opencl_int(launch, !forward && a->accumulate ? 1 : 0);
    nn__opencl_int(launch, forward ? (int32_t)a->epilogue.activation : 0);
}

static nn_result nn__opencl_conv_run_plain(nn__opencl *device, const nn_conv2d_args *a,
                                           nn__opencl_conv_way way, const nn__opencl_conv *c, int32_t first,
                                           int32_t positions) {
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_plain", "-DNN_CONV_ONLY=1");
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_conv_arguments(&launch, a, way, c, first);
    local[0] = nn__opencl_group(&launch, 64);
    groups[0] = (size_t)nn__opencl_ceil_div(positions, (int64_t)local[0]);
    groups[1] = (size_t)c->rows;
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* From the largest tile that the rows fill, down to work-groups that the kernel gets; then plain. */
static nn_result nn__opencl_conv_run_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                           nn__opencl_conv_way way, const nn__opencl_conv *c, int32_t first,
                                           int32_t positions) {
    static const char *const names[5] = {
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=16 -DNN_CONV_ACROSS=16 -DNN_CONV_HEIGHT=8",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=16 -DNN_CONV_ACROSS=16 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=32 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=4 -DNN_CONV_ACROSS=64 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=5 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=8 -DNN_CONV_HEIGHT=4"};
    static const int32_t items[5] = {256, 256, 256, 256, 64}, tall[5] = {128, 64, 32, 16, 32},
                         wide[5] = {64, 64, 128, 256, 32};
    const int64_t outputs = (int64_t)c->images * c->groups * c->rows * c->h.outputs * c->w.outputs;
    int i = c->rows > 96 ? 0 : c->rows > 32 ? 1 : c->rows > 16 ? 2 : 3;
    if (i == 0 && outputs < (int64_t)device->units * 128 * 64) i = 1;
    if (outputs < (int64_t)device->units * 64 * 64) i = 4; /* too few large tiles to go round */
    if (nn__opencl_family_of(device) == NN__OPENCL_SMALL_TILES) i = 4;
    for (; i < 5; i = i < 4 ? 4 : 5) {
        nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_tiles", names[i]);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items[i]) < (size_t)items[i]) continue;
        nn__opencl_conv_arguments(&launch, a, way, c, first / wide[i]);
        local[0] = (size_t)items[i];
        groups[0] = (size_t)nn__opencl_ceil_div(positions, wide[i]);
        groups[1] = (size_t)nn__opencl_ceil_div(c->rows, tall[i]);
        groups[2] = (size_t)c->groups;
        return nn__opencl_run(&launch, 3, groups, local);
    }
    return nn__opencl_conv_run_plain(device, a, way, c, first, positions);
}

/* ---- forward and backward_input: CPUs -------------------------------------------------------- */

typedef struct nn__opencl_conv_plan {
    bool rows, tiles; /* else plain */
    bool in_place;
    int32_t tall;                     /* rows of a tile */
    uint64_t source, weight, offsets; /* bytes of scratch; weight and offsets: of all products */
} nn__opencl_conv_plan;

static uint64_t nn__opencl_conv_weight_bytes(const nn__opencl_conv *c, int32_t tall) {
    return nn__opencl_conv_aligned((uint64_t)c->groups * (uint64_t)nn__opencl_ceil_div(c->rows, tall) *
                                   (uint64_t)tall * (uint64_t)nn__opencl_conv_depth(c));
}
static int32_t nn__opencl_conv_positions(const nn__opencl_conv *c) {
    return (c->h.outputs - 1) * c->w.packed + c->w.outputs;
}

static nn__opencl_conv_plan nn__opencl_conv_plan_of(nn__opencl *device, const nn_conv2d_args *a,
                                                    nn__opencl_conv_way way) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    nn__opencl_conv_plan plan;
    int64_t work = 0;
    int32_t i;
    memset(&plan, 0, sizeof plan);
    for (i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv each = nn__opencl_conv_of(a, way, i);
        work += nn__opencl_conv_work(&each);
    }
    if (work <= NN__OPENCL_CONV_TINY || family == NN__OPENCL_PLAIN) return plan;
    plan.tiles = family != NN__OPENCL_ROWS && c.rows > 4;
    plan.rows = family == NN__OPENCL_ROWS;
    if (!plan.rows) return plan;
    if (c.rows == 1)
        plan.tall = 1;
    else if (nn__opencl_lanes(device) == 8)
        plan.tall = 4;
    else
        plan.tall = nn__opencl_ceil_div(c.rows, 12) * 12 <= nn__opencl_ceil_div(c.rows, 8) * 8 ? 12
                    : c.rows <= 4                                                              ? 4
                                                                                               : 8;
    plan.in_place = nn__opencl_conv_products(a, way) == 1 && c.h.stride == 1 && c.w.stride == 1 &&
                    c.h.low == 0 && c.w.low == 0 && c.h.packed == c.h.source && c.w.packed == c.w.source &&
                    nn__opencl_conv_positions(&c) >= 2 * nn__opencl_lanes(device);
    if (!plan.in_place)
        plan.source = nn__opencl_conv_aligned((uint64_t)c.images * (uint64_t)c.groups * (uint64_t)c.channels *
                                                  (uint64_t)nn__opencl_conv_plane(&c) +
                                              (uint64_t)nn__opencl_conv_slack(&c));
    for (i = 0; i < nn__opencl_conv_products(a, way); i++) {
        c = nn__opencl_conv_of(a, way, i);
        plan.weight += nn__opencl_conv_weight_bytes(&c, plan.tall);
        plan.offsets += nn__opencl_conv_aligned((uint64_t)nn__opencl_conv_depth(&c));
    }
    return plan;
}

/* Where weight and offsets of a product lie in scratch; *weight_at and *offsets_at go on to the next one's. */
static void nn__opencl_conv_parts(const nn_conv2d_args *a, const nn__opencl_conv_plan *plan,
                                  const nn__opencl_conv *c, uint64_t *weight_at, uint64_t *offsets_at,
                                  nn_view *weight, nn_view *offsets) {
    const uint64_t weight_bytes = nn__opencl_conv_weight_bytes(c, plan->tall),
                   offsets_bytes = nn__opencl_conv_aligned((uint64_t)nn__opencl_conv_depth(c));
    *weight = nn__opencl_part(&a->scratch, plan->source + *weight_at, weight_bytes);
    *offsets = nn__opencl_part(&a->scratch, plan->source + plan->weight + *offsets_at, offsets_bytes);
    *weight_at += weight_bytes;
    *offsets_at += offsets_bytes;
}

static nn_result nn__opencl_conv_run_packing(nn__opencl *device, const nn_conv2d_args *a,
                                             nn__opencl_conv_way way, const nn__opencl_conv_plan *plan) {
    const nn_view source = nn__opencl_part(&a->scratch, 0, plan->source);
    nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    nn_view weight, offsets;
    uint64_t weight_at = 0, offsets_at = 0;
    nn_result result = plan->in_place ? NN_OK : nn__opencl_conv_pack(device, &c, &source);
    int32_t i;
    for (i = 0; i < nn__opencl_conv_products(a, way) && result >= 0; i++) {
        c = nn__opencl_conv_of(a, way, i);
        nn__opencl_conv_parts(a, plan, &c, &weight_at, &offsets_at, &weight, &offsets);
        result = nn__opencl_conv_pack_weight(device, &c, &a->weight, plan->tall, &weight, &offsets);
    }
    return result;
}

static nn_result nn__opencl_conv_run_rows(nn__opencl *device, const nn_conv2d_args *a,
                                          nn__opencl_conv_way way, const nn__opencl_conv_plan *plan,
                                          const nn__opencl_conv *product, const nn_view *weight,
                                          const nn_view *offsets, int32_t first, int32_t images) {
    static const char *const names[2][4] = {
        {"-DNN_CONV_ONLY=3 -DNN_CONV_LANES=8 -DNN_CONV_ROWS=1",
         "-DNN_CONV_ONLY=3 -DNN_CONV_LANES=8 -DNN_CONV_ROWS=4", "", ""},
        {"-DNN_CONV_ONLY=3 -DNN_CONV_ROWS=1", "-DNN_CONV_ONLY=3 -DNN_CONV_ROWS=4",
         "-DNN_CONV_ONLY=3 -DNN_CONV_ROWS=8", "-DNN_CONV_ONLY=3 -DNN_CONV_ROWS=12"}};
    const nn__opencl_conv c = *product;
    const nn_view source = nn__opencl_part(&a->scratch, 0, plan->source);
    const int lanes = nn__opencl_lanes(device);
    const int32_t positions = nn__opencl_conv_positions(&c), blocks = nn__opencl_ceil_div(c.rows, plan->tall);
    const uint64_t group =
        (uint64_t)c.channels * (uint64_t)nn__opencl_conv_plane(&c); /* in place: the source's own plane */
    const bool forward = way == NN__OPENCL_CONV_FORWARD;
    /* Neither rows nor columns have gaps, in the source or in y: the image is one long row. */
    const bool flat = c.w.outputs == c.w.packed && c.w.place_step == 1 && c.h.place_step == 1 &&
                      c.y_width == c.w.outputs;
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_rows",
                                                names[lanes == 16][plan->tall == 1   ? 0
                                                                   : plan->tall == 4 ? 1
                                                                   : plan->tall == 8 ? 2
                                                                                     : 3]);
    size_t groups[3], local[3] = {1, 1, 1};
    nn_view none;
    /* Rows that fill panels are cut into them; others run on over the padding. */
    int32_t row_panels = nn__opencl_ceil_div(c.w.outputs, 2 * lanes);
    if (flat || row_panels * 2 * lanes > c.w.packed || (plan->in_place && c.w.outputs % (2 * lanes) != 0))
        row_panels = 0;
    memset(&none, 0, sizeof none);
    nn__opencl_view(&launch, c.y);
    nn__opencl_view(&launch, plan->in_place ? c.source : &source);
    nn__opencl_view(&launch, weight);
    nn__opencl_view(&launch, offsets);
    nn__opencl_view(&launch, forward ? &a->epilogue.bias : &none);
    {
        const int32_t numbers[] = {c.rows,
                                   nn__opencl_conv_depth(&c),
                                   c.groups,
                                   blocks,
                                   positions,
                                   flat ? positions : c.w.packed,
                                   flat ? positions : c.w.outputs,
                                   row_panels};
        nn__opencl_conv_ints(&launch, numbers, 8);
    }
    nn__opencl_ulong(&launch, group * (uint64_t)c.groups);
    nn__opencl_ulong(&launch, group);
    {
        const int32_t numbers[] = {c.h.place * c.y_width + c.w.place,
                                   c.h.place_step * c.y_width,
                                   c.w.place_step,
                                   c.y_plane,
                                   plan->in_place ? 1 : 0,
                                   first,
                                   !forward && a->accumulate ? 1 : 0,
                                   forward ? (int32_t)a->epilogue.activation : 0};
        nn__opencl_conv_ints(&launch, numbers, 8);
    }
    groups[0] = (size_t)(row_panels ? row_panels * c.h.outputs : nn__opencl_ceil_div(positions, 2 * lanes));
    groups[1] = (size_t)blocks * (size_t)c.groups;
    groups[2] = (size_t)images;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* ---- forward and backward_input: units ------------------------------------------------------- */

static uint64_t nn__opencl_conv_scratch_bytes(nn__opencl *device, const nn_conv2d_args *a,
                                              nn__opencl_conv_way way) {
    const nn__opencl_conv_plan plan = nn__opencl_conv_plan_of(device, a, way);
    return plan.source + plan.weight + plan.offsets;
}

/* Units of one product. */
static int32_t nn__opencl_conv_pieces(const nn__opencl_conv_plan *plan, const nn__opencl_conv *c) {
    if (c->h.outputs == 0 || c->w.outputs == 0) return 0;
    if (plan->rows) return c->images;
    return nn__opencl_ceil_div((int64_t)c->images * c->h.outputs * c->w.outputs, NN__OPENCL_CONV_UNIT);
}

/* Before the products comes one unit, if there is something to pack or to clear. */
static bool nn__opencl_conv_prepares(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                     const nn__opencl_conv_plan *plan) {
    return plan->rows || nn__opencl_conv_leaves_gaps(a, way);
}

static nn_result nn__opencl_conv_prepare(nn__opencl *device, const nn_conv2d_args *a, nn__opencl_conv_way way,
                                         const nn__opencl_conv_plan *plan) {
    nn_result result = NN_OK;
    if (nn__opencl_conv_leaves_gaps(a, way) && !device->dry)
        result = nn__opencl_fill(device, a->x.handle, a->x.offset,
                                 (uint64_t)nn__opencl_count(&a->x) * sizeof(float), 0);
    if (result >= 0 && plan->rows) result = nn__opencl_conv_run_packing(device, a, way, plan);
    return result;
}

static int32_t nn__opencl_conv_units(nn__opencl *device, const nn_conv2d_args *a, nn__opencl_conv_way way) {
    const nn__opencl_conv_plan plan = nn__opencl_conv_plan_of(device, a, way);
    int32_t i, units = nn__opencl_conv_prepares(a, way, &plan) ? 1 : 0;
    for (i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        units += nn__opencl_conv_pieces(&plan, &c);
    }
    return units;
}

static nn_result nn__opencl_conv_run(nn__opencl *device, const nn_conv2d_args *a, nn__opencl_conv_way way,
                                     int32_t first, int32_t count) {
    const nn__opencl_conv_plan plan = nn__opencl_conv_plan_of(device, a, way);
    const int32_t end = first + count;
    uint64_t weight_at = 0, offsets_at = 0;
    int32_t i, unit = nn__opencl_conv_prepares(a, way, &plan) ? 1 : 0;
    nn_view weight, offsets;
    nn_result result = NN_OK;
    if (unit > 0 && first == 0 && count > 0) result = nn__opencl_conv_prepare(device, a, way, &plan);
    for (i = 0; i < nn__opencl_conv_products(a, way) && result >= 0; i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        const int32_t pieces = nn__opencl_conv_pieces(&plan, &c);
        const int32_t from = first > unit ? first - unit : 0, to = end - unit < pieces ? end - unit : pieces;
        unit += pieces;
        if (plan.rows) nn__opencl_conv_parts(a, &plan, &c, &weight_at, &offsets_at, &weight, &offsets);
        if (from >= to) continue;
        if (plan.rows)
            result = nn__opencl_conv_run_rows(device, a, way, &plan, &c, &weight, &offsets, from, to - from);
        else {
            const int64_t all = (int64_t)c.images * c.h.outputs * c.w.outputs,
                          stop = (int64_t)to * NN__OPENCL_CONV_UNIT;
            const int32_t at = from * NN__OPENCL_CONV_UNIT,
                          positions = (int32_t)(stop < all ? stop : all) - at;
            result = plan.tiles ? nn__opencl_conv_run_tiles(device, a, way, &c, at, positions)
                                : nn__opencl_conv_run_plain(device, a, way, &c, at, positions);
        }
    }
    return result;
}

/* ---- backward_weight ------------------------------------------------------------------------- */

typedef struct nn__opencl_conv_weight_plan {
    bool dots, tiles, in_place;
    int32_t splits, chunk;                 /* chunk: images (dots) or outputs */
    int32_t spread;                        /* floats of a spread plane of dy */
    uint64_t partial, source, dy, offsets; /* bytes of scratch */
} nn__opencl_conv_weight_plan;

static nn__opencl_conv_weight_plan nn__opencl_conv_weight_plan_of(nn__opencl *device,
                                                                  const nn_conv2d_args *a) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const nn__opencl_family family = nn__opencl_family_of(device);
    const int32_t depth = nn__opencl_conv_depth(&c), lanes = nn__opencl_lanes(device),
                  positions = c.h.outputs * c.w.outputs;
    const int64_t outputs = (int64_t)c.images * positions;
    const uint64_t planes = (uint64_t)c.images * (uint64_t)c.groups;
    int64_t wanted, tiles, longest;
    nn__opencl_conv_weight_plan plan;
    memset(&plan, 0, sizeof plan);
    if (nn__opencl_conv_work(&c) > NN__OPENCL_CONV_TINY && nn__opencl_present(&a->weight) &&
        family != NN__OPENCL_PLAIN) {
        plan.dots = family == NN__OPENCL_ROWS;
        plan.tiles = !plan.dots && c.rows > 4;
    }
    if (plan.dots) {
        tiles = (int64_t)nn__opencl_ceil_div(depth, lanes == 16 ? 6 : 2) * nn__opencl_ceil_div(c.rows, 4) *
                c.groups;
        wanted = (32 + tiles - 1) / tiles;
        longest = c.images;
    } else if (plan.tiles) {
        tiles = (int64_t)nn__opencl_ceil_div(depth + 1, 64) * nn__opencl_ceil_div(c.rows, 64) * c.groups;
        wanted = (4 * (int64_t)device->units + tiles - 1) / tiles;
        longest = outputs / 256;
    } else {
        tiles = (int64_t)c.rows * c.groups * (nn__opencl_present(&a->weight) ? depth + 1 : 1);
        wanted = (32768 + tiles - 1) / tiles;
        longest = outputs / 256;
    }
    if (wanted > longest) wanted = longest;
    if (wanted > 1024) wanted = 1024;
    if (wanted < 1) wanted = 1;
    plan.chunk = nn__opencl_ceil_div(plan.dots ? c.images : outputs, wanted);
    if (plan.tiles) plan.chunk = (plan.chunk + 15) / 16 * 16;
    plan.splits = nn__opencl_ceil_div(plan.dots ? c.images : outputs, plan.chunk);
    plan.partial = nn__opencl_conv_aligned((uint64_t)plan.splits * (uint64_t)(c.groups * c.rows) *
                                           (uint64_t)(depth + 1));
    if (!plan.dots) return plan;
    plan.offsets = nn__opencl_conv_aligned((uint64_t)depth);
    plan.spread = nn__opencl_ceil_div(c.h.outputs * c.w.packed, lanes) * lanes;
    plan.in_place = c.h.phases * c.w.phases == 1 && c.h.stride == 1 && c.w.stride == 1 && c.h.low == 0 &&
                    c.w.low == 0 && c.h.packed == c.h.source && c.w.packed == c.w.outputs &&
                    c.w.packed == c.w.source && c.h.packed == c.h.outputs && positions % lanes == 0;
    if (plan.in_place) return plan;
    plan.source =
        nn__opencl_conv_aligned(planes * (uint64_t)c.channels * (uint64_t)nn__opencl_conv_plane(&c) +
                                (uint64_t)nn__opencl_conv_slack(&c));
    plan.dy = nn__opencl_conv_aligned(planes * (uint64_t)c.rows * (uint64_t)plan.spread);
    return plan;
}

static uint64_t nn__opencl_conv_weight_scratch_bytes(nn__opencl *device, const void *args) {
    const nn__opencl_conv_weight_plan plan =
        nn__opencl_conv_weight_plan_of(device, (const nn_conv2d_args *)args);
    return plan.partial + plan.source + plan.dy + plan.offsets;
}

static int32_t nn__opencl_conv_weight_units(nn__opencl *device, const void *args) {
    const nn__opencl_conv_weight_plan plan =
        nn__opencl_conv_weight_plan_of(device, (const nn_conv2d_args *)args);
    return (plan.dots ? 1 : 0) + plan.splits + 1;
}

/* dy over the rows of the packed source, with zeros in the gaps. */
static nn_result nn__opencl_conv_spread(nn__opencl *device, const nn__opencl_conv *c, const nn_view *dy,
                                        int32_t plane, const nn_view *to) {
    const int32_t planes = c->images * c->groups * c->rows;
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_pack", "-DNN_CONV_ONLY=2");
    size_t groups = (size_t)planes, local = 1;
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, dy);
    {
        const int32_t numbers[] = {planes, plane, 0, c->h.outputs, c->w.outputs, 0, 0, 1,
                                   1,      1,     1, c->h.outputs, c->w.packed};
        nn__opencl_conv_ints(&launch, numbers, 13);
    }
    return nn__opencl_run(&launch, 1, &groups, &local);
}

static nn_result nn__opencl_conv_weight_packing(nn__opencl *device, const nn_conv2d_args *a,
                                                const nn__opencl_conv *c,
                                                const nn__opencl_conv_weight_plan *plan) {
    const nn_view source = nn__opencl_part(&a->scratch, plan->partial, plan->source);
    const nn_view dy = nn__opencl_part(&a->scratch, plan->partial + plan->source, plan->dy);
    const nn_view offsets =
        nn__opencl_part(&a->scratch, plan->partial + plan->source + plan->dy, plan->offsets);
    nn_result result;
    nn_view none;
    memset(&none, 0, sizeof none);
    result = nn__opencl_conv_pack_weight(device, c, &none, 1, &none, &offsets);
    if (plan->in_place || result < 0) return result;
    result = nn__opencl_conv_pack(device, c, &source);
    return result < 0 ? result : nn__opencl_conv_spread(device, c, &a->y, plan->spread, &dy);
}

static nn_result nn__opencl_conv_weight_dots(nn__opencl *device, const nn_conv2d_args *a,
                                             const nn__opencl_conv *c,
                                             const nn__opencl_conv_weight_plan *plan, int32_t first,
                                             int32_t splits) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial);
    const nn_view source = nn__opencl_part(&a->scratch, plan->partial, plan->source);
    const nn_view dy = nn__opencl_part(&a->scratch, plan->partial + plan->source, plan->dy);
    const nn_view offsets =
        nn__opencl_part(&a->scratch, plan->partial + plan->source + plan->dy, plan->offsets);
    const bool wide = nn__opencl_lanes(device) == 16;
    const char *options = wide ? "-DNN_CONV_ONLY=4" : "-DNN_CONV_ONLY=4 -DNN_CONV_LANES=8";
    const int32_t depth = nn__opencl_conv_depth(c), blocks = nn__opencl_ceil_div(c->rows, 4);
    const uint64_t group = (uint64_t)c->channels * (uint64_t)nn__opencl_conv_plane(c);
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_dots", options);
    size_t groups[3], local[3] = {1, 1, 1};
    nn_result result;
    nn__opencl_view(&launch, &partial);
    nn__opencl_view(&launch, plan->in_place ? &a->y : &dy);
    nn__opencl_view(&launch, plan->in_place ? &a->x : &source);
    nn__opencl_view(&launch, &offsets);
    {
        const int32_t numbers[] = {c->rows, depth, c->images, c->groups, blocks, plan->spread};
        nn__opencl_conv_ints(&launch, numbers, 6);
    }
    nn__opencl_ulong(&launch, group * (uint64_t)c->groups);
    nn__opencl_ulong(&launch, group);
    nn__opencl_int(&launch, plan->chunk);
    nn__opencl_int(&launch, first);
    groups[0] = (size_t)nn__opencl_ceil_div(depth, wide ? 6 : 2);
    groups[1] = (size_t)blocks * (size_t)c->groups;
    groups[2] = (size_t)splits;
    result = nn__opencl_run(&launch, 3, groups, local);
    if (result < 0 || !nn__opencl_present(&a->epilogue.bias)) return result;
    launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_bias", options);
    nn__opencl_view(&launch, &partial);
    nn__opencl_view(&launch, &a->y);
    {
        const int32_t numbers[] = {c->groups * c->rows, c->images, c->h.outputs * c->w.outputs, depth,
                                   plan->chunk,         first};
        nn__opencl_conv_ints(&launch, numbers, 6);
    }
    groups[0] = (size_t)(c->groups * c->rows);
    groups[1] = (size_t)splits;
    return nn__opencl_run(&launch, 2, groups, local);
}

static void nn__opencl_conv_weight_arguments(nn__opencl_launch *launch, const nn_conv2d_args *a,
                                             const nn__opencl_conv *c,
                                             const nn__opencl_conv_weight_plan *plan, int32_t first) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial);
    nn_view none;
    memset(&none, 0, sizeof none);
    nn__opencl_view(launch, &partial);
    nn__opencl_view(launch, &a->y);
    nn__opencl_view(launch, nn__opencl_present(&a->weight) ? &a->x : &none);
    nn__opencl_conv_axes(launch, c);
    nn__opencl_int(launch, plan->chunk);
    nn__opencl_conv_division(launch, c->h.outputs * c->w.outputs);
    nn__opencl_conv_division(launch, c->w.outputs);
    nn__opencl_int(launch, first);
}

static nn_result nn__opencl_conv_weight_plain(nn__opencl *device, const nn_conv2d_args *a,
                                              const nn__opencl_conv *c,
                                              const nn__opencl_conv_weight_plan *plan, int32_t first,
                                              int32_t splits) {
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_weight_plain", "-DNN_CONV_ONLY=1");
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_conv_weight_arguments(&launch, a, c, plan, first);
    local[0] = nn__opencl_present(&a->weight) ? nn__opencl_group(&launch, 16) : 1;
    groups[0] = nn__opencl_present(&a->weight)
                    ? (size_t)nn__opencl_ceil_div(nn__opencl_conv_depth(c) + 1, (int64_t)local[0])
                    : 1;
    groups[1] = (size_t)c->rows;
    groups[2] = (size_t)(c->groups * splits);
    return nn__opencl_run(&launch, 3, groups, local);
}

static nn_result nn__opencl_conv_weight_tiles(nn__opencl *device, const nn_conv2d_args *a,
                                              const nn__opencl_conv *c,
                                              const nn__opencl_conv_weight_plan *plan, int32_t first,
                                              int32_t splits) {
    static const char *const names[2] = {
        "-DNN_CONV_ONLY=6 -DNN_CONV_DOWN=16 -DNN_CONV_ACROSS=16 -DNN_CONV_HEIGHT=4",
        "-DNN_CONV_ONLY=6 -DNN_CONV_DOWN=8 -DNN_CONV_ACROSS=8 -DNN_CONV_HEIGHT=4"};
    int i = nn__opencl_family_of(device) == NN__OPENCL_SMALL_TILES || c->rows <= 32 ||
                    nn__opencl_conv_depth(c) < 32
                ? 1
                : 0;
    for (; i < 2; i++) {
        const int32_t items = i == 0 ? 256 : 64, side = i == 0 ? 64 : 32;
        nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_weight_tiles", names[i]);
        size_t groups[3], local[3] = {1, 1, 1};
        if (launch.result < 0) return launch.result;
        if (nn__opencl_group(&launch, (size_t)items) < (size_t)items) continue;
        nn__opencl_conv_weight_arguments(&launch, a, c, plan, first);
        local[0] = (size_t)items;
        groups[0] = (size_t)nn__opencl_ceil_div(nn__opencl_conv_depth(c) + 1, side);
        groups[1] = (size_t)nn__opencl_ceil_div(c->rows, side);
        groups[2] = (size_t)(c->groups * splits);
        return nn__opencl_run(&launch, 3, groups, local);
    }
    return nn__opencl_conv_weight_plain(device, a, c, plan, first, splits);
}

static nn_result nn__opencl_conv_weight_finish(nn__opencl *device, const nn_conv2d_args *a,
                                               const nn__opencl_conv *c,
                                               const nn__opencl_conv_weight_plan *plan) {
    const nn_view partial = nn__opencl_part(&a->scratch, 0, plan->partial);
    const int32_t depth = nn__opencl_conv_depth(c);
    const uint64_t elements = (uint64_t)(c->groups * c->rows) * (uint64_t)(depth + 1);
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_finish", "-DNN_CONV_ONLY=1");
    nn__opencl_view(&launch, &a->weight);
    nn__opencl_view(&launch, &a->epilogue.bias);
    nn__opencl_view(&launch, &partial);
    nn__opencl_uint(&launch, (uint32_t)elements);
    nn__opencl_uint(&launch, (uint32_t)depth);
    nn__opencl_int(&launch, plan->splits);
    nn__opencl_int(&launch, a->accumulate ? 1 : 0);
    return nn__opencl_run_flat(&launch, elements, 64);
}

static nn_result nn__opencl_conv_weight_run(nn__opencl *device, const void *args, int32_t first,
                                            int32_t count) {
    const nn_conv2d_args *a = (const nn_conv2d_args *)args;
    const nn__opencl_conv_weight_plan plan = nn__opencl_conv_weight_plan_of(device, a);
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const int32_t before = plan.dots ? 1 : 0, end = first + count;
    const int32_t from = first > before ? first - before : 0,
                  to = end - before < plan.splits ? end - before : plan.splits;
    nn_result result = NN_OK;
    if (plan.dots && first == 0 && count > 0) result = nn__opencl_conv_weight_packing(device, a, &c, &plan);
    if (result >= 0 && from < to) {
        if (plan.dots)
            result = nn__opencl_conv_weight_dots(device, a, &c, &plan, from, to - from);
        else if (plan.tiles)
            result = nn__opencl_conv_weight_tiles(device, a, &c, &plan, from, to - from);
        else
            result = nn__opencl_conv_weight_plain(device, a, &c, &plan, from, to - from);
    }
    if (result >= 0 && end > before + plan.splits)
        result = nn__opencl_conv_weight_finish(device, a, &c, &plan);
    return result;
}

/* Kernels count places in an image, and outputs of all images, as int. */
static const char *nn__opencl_conv_refuses(nn__opencl *device, const void *args) {
    const nn_conv2d_args *a = (const nn_conv2d_args *)args;
    const nn_conv2d_params *p = &a->params;
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const double most = 2147483647.0, taps = (double)p->kernel_h * p->kernel_w;
    const double high = (double)x[2] + 2.0 * p->padding_h, wide = (double)x[3] + 2.0 * p->padding_w;
    const double around =
        (high + (p->stride_h < high ? p->stride_h : high)) * (wide + (p->stride_w < wide ? p->stride_w : wide));
    (void)device;
    if ((double)x[0] * x[2] * x[3] > most - 65536 || (double)y[0] * y[2] * y[3] > most - 65536)
        return "more than 2^31 places in all images";
    if ((double)x[1] * around > most || (double)y[1] * y[2] * y[3] > most)
        return "an image of more than 2^31 numbers";
    if ((double)y[1] * (x[1] / p->groups) * taps > most) return "a weight of more than 2^31 numbers";
    return NULL;
}

/* ---- the three kernels ----------------------------------------------------------------------- */

static uint64_t nn__opencl_conv_forward_scratch_bytes(nn__opencl *device, const void *args) {
    return nn__opencl_conv_scratch_bytes(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_FORWARD);
}
static int32_t nn__opencl_conv_forward_units(nn__opencl *device, const void *args) {
    return nn__opencl_conv_units(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_FORWARD);
}
static nn_result nn__opencl_conv_forward_run(nn__opencl *device, const void *args, int32_t first,
                                             int32_t count) {
    return nn__opencl_conv_run(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_FORWARD, first, count);
}
static uint64_t nn__opencl_conv_input_scratch_bytes(nn__opencl *device, const void *args) {
    return nn__opencl_conv_scratch_bytes(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_INPUT);
}
static int32_t nn__opencl_conv_input_units(nn__opencl *device, const void *args) {
    return nn__opencl_conv_units(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_INPUT);
}
static nn_result nn__opencl_conv_input_run(nn__opencl *device, const void *args, int32_t first,
                                           int32_t count) {
    return nn__opencl_conv_run(device, (const nn_conv2d_args *)args, NN__OPENCL_CONV_INPUT, first, count);
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv2d_forward(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_conv_refuses, nn__opencl_conv_forward_scratch_bytes,
                                             nn__opencl_conv_forward_units, nn__opencl_conv_forward_run};
    return &kernel;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv2d_backward_input(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_conv_refuses, nn__opencl_conv_input_scratch_bytes,
                                             nn__opencl_conv_input_units, nn__opencl_conv_input_run};
    return &kernel;
}

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_conv2d_backward_weight(void) {
    static const nn__opencl_kernel kernel = {nn__opencl_conv_refuses, nn__opencl_conv_weight_scratch_bytes,
                                             nn__opencl_conv_weight_units, nn__opencl_conv_weight_run};
    return &kernel;
}

#undef NN__OPENCL_CONV_TINY
#undef NN__OPENCL_CONV_UNIT
