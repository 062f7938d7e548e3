/* kernels/conv2d/opencl_mma_copied.c - convolutions on matrix units whose operands are copied to
   local memory as they are (opencl_mma_copied.cl): which convolutions these are, where their packed
   operands lie in scratch, and the launches that pack them. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_CONV_COPIED_SIDE   128 /* positions of a tile; backward_weight: channels */
#define NN__OPENCL_CONV_COPIED_MARGIN 512 /* bytes after packed numbers that may be read */
#define NN__OPENCL_CONV_COPIED_ONES   128 /* words of the column of ones before a table */

/* Packing pays if moving its bytes takes less time than it saves, which is taken to be half of the
   product's time: the usual loop issues three times as many instructions. The rate is that of
   matmul/opencl_copied.c. Nothing here was measured. */
#define NN__OPENCL_CONV_COPIED_RATE  150
#define NN__OPENCL_CONV_COPIED_SAVES 2

/* How the packed images lie. Distances are in units of 16 bytes. */
typedef struct nn__opencl_conv_packed {
    int32_t above, before;      /* rows and columns of zeros before an image */
    int32_t padded_h, padded_w; /* extents of an image with its zeros */
    uint32_t pixel, row;
    uint64_t image;
} nn__opencl_conv_packed;

static int32_t nn__opencl_conv_copied_blocks(int32_t channels, nn__opencl_rounding rounding) {
    return nn__opencl_ceil_div(channels, rounding == NN__OPENCL_ROUND_BF16 ? 32 : 16);
}

/* Makes room for all places that one product reads along an axis. */
static void nn__opencl_conv_copied_reach(nn__opencl_conv_axis axis, int32_t *before,
                                         int32_t *padded, int32_t *after) {
    int32_t last;
    axis = nn__opencl_conv_turn(axis);
    last = (axis.outputs - 1) * axis.stride + axis.first + (axis.taps - 1) * axis.step + 1;
    if (axis.outputs < 1) return;
    if (-axis.first > *before) *before = -axis.first;
    if (last > *after) *after = last;
    *padded = *before + *after;
}

static nn__opencl_conv_packed nn__opencl_conv_packed_of(const nn_conv2d_args *a,
                                                        nn__opencl_conv_way way,
                                                        nn__opencl_rounding rounding) {
    const nn__opencl_conv first = nn__opencl_conv_of(a, way, 0);
    nn__opencl_conv_packed packed;
    int32_t after_h = first.h.source, after_w = first.w.source;
    memset(&packed, 0, sizeof packed);
    packed.padded_h = after_h;
    packed.padded_w = after_w;
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        if (c.h.outputs < 1 || c.w.outputs < 1) continue;
        nn__opencl_conv_copied_reach(c.h, &packed.above, &packed.padded_h, &after_h);
        nn__opencl_conv_copied_reach(c.w, &packed.before, &packed.padded_w, &after_w);
    }
    packed.pixel = 4 * (uint32_t)nn__opencl_conv_copied_blocks(first.channels, rounding);
    packed.row = (uint32_t)packed.padded_w * packed.pixel;
    packed.image = (uint64_t)packed.padded_h * (uint64_t)packed.row;
    return packed;
}

/* ---- bytes of scratch ------------------------------------------------------------------------ */

static int32_t nn__opencl_conv_copied_turns(const nn__opencl_conv *c,
                                            nn__opencl_rounding rounding) {
    return nn__opencl_conv_copied_blocks(c->channels, rounding) * c->h.taps * c->w.taps;
}

static uint64_t nn__opencl_conv_copied_weight_bytes(const nn__opencl_conv *c,
                                                    const nn__opencl_conv_mma *mma) {
    return (uint64_t)c->groups * (uint64_t)nn__opencl_ceil_div(c->rows, mma->tall) *
           (uint64_t)nn__opencl_conv_copied_turns(c, mma->rounding) * (uint64_t)mma->tall * 64;
}

/* Entries of the table of a product: one for each turn and one more. In backward_weight: one for
   each position, and for one more turn. */
static int32_t nn__opencl_conv_copied_entries(const nn__opencl_conv *c, nn__opencl_conv_way way,
                                              nn__opencl_rounding rounding) {
    return way == NN__OPENCL_CONV_WEIGHT ? c->images * c->h.outputs * c->w.outputs + 96
                                         : nn__opencl_conv_copied_turns(c, rounding) + 1;
}

static uint64_t nn__opencl_conv_copied_table_bytes(const nn__opencl_conv *c,
                                                   nn__opencl_conv_way way,
                                                   nn__opencl_rounding rounding) {
    const int32_t ones = way == NN__OPENCL_CONV_WEIGHT ? NN__OPENCL_CONV_COPIED_ONES : 0;
    return nn__opencl_conv_aligned(
        (uint64_t)ones + (uint64_t)nn__opencl_conv_copied_entries(c, way, rounding));
}

/* Returns the place of the weights and of the table of product `pair`. For the number of products
   it returns the place of the packed images. */
static uint64_t nn__opencl_conv_copied_at(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                          const nn__opencl_conv_mma *mma, int32_t pair) {
    uint64_t bytes = 0;
    for (int32_t i = 0; i < pair; i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        if (way != NN__OPENCL_CONV_WEIGHT) bytes += nn__opencl_conv_copied_weight_bytes(&c, mma);
        bytes += nn__opencl_conv_copied_table_bytes(&c, way, mma->rounding);
    }
    return bytes;
}

static uint64_t nn__opencl_conv_copied_image_bytes(const nn_conv2d_args *a,
                                                   nn__opencl_conv_way way,
                                                   nn__opencl_rounding rounding) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    const nn__opencl_conv_packed packed = nn__opencl_conv_packed_of(a, way, rounding);
    return (uint64_t)c.images * (uint64_t)c.groups * packed.image * 16 +
           NN__OPENCL_CONV_COPIED_MARGIN;
}

/* True on NVIDIA in TF32: dy is packed in stages. */
NN__OPENCL_PRIVATE bool nn__opencl_conv_copied_pairs(const nn__opencl *device,
                                                     nn__opencl_rounding rounding) {
    return rounding == NN__OPENCL_ROUND_TF32 && (device->mma == NN__OPENCL_MMA_NVIDIA ||
                                                 device->mma == NN__OPENCL_MMA_EMULATED);
}

/* Returns the groups of four words of dy in stages. */
static uint64_t nn__opencl_conv_copied_dy_fours(const nn__opencl_conv *c) {
    return (uint64_t)c->groups * (uint64_t)nn__opencl_ceil_div(c->rows, 128) *
           (uint64_t)nn__opencl_ceil_div((int64_t)c->images * c->h.outputs * c->w.outputs, 16) *
           512;
}

static uint64_t nn__opencl_conv_copied_dy_bytes(const nn_conv2d_args *a,
                                                const nn__opencl_conv_mma *mma) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    if (mma->pairs) return 16 * nn__opencl_conv_copied_dy_fours(&c);
    return (uint64_t)c.images * (uint64_t)(c.groups * c.h.outputs * c.w.outputs) *
               (uint64_t)nn__opencl_conv_copied_blocks(c.rows, mma->rounding) * 64 +
           NN__OPENCL_CONV_COPIED_MARGIN;
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_conv_copied_bytes(const nn_conv2d_args *a,
                                                         nn__opencl_conv_way way,
                                                         const nn__opencl_conv_mma *mma) {
    return nn__opencl_conv_copied_at(a, way, mma, nn__opencl_conv_products(a, way)) +
           nn__opencl_conv_copied_image_bytes(a, way, mma->rounding) +
           (way == NN__OPENCL_CONV_WEIGHT ? nn__opencl_conv_copied_dy_bytes(a, mma) : 0);
}

/* ---- which convolutions ---------------------------------------------------------------------- */

/* True if packing takes less time than it saves. */
static bool nn__opencl_conv_copied_pays(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                        const nn__opencl_conv_mma *mma) {
    const nn_view *source = way == NN__OPENCL_CONV_INPUT ? &a->y : &a->x;
    const nn_view *other = way == NN__OPENCL_CONV_WEIGHT ? &a->y : &a->weight;
    const double read =
        (double)nn__opencl_count(source) * (double)nn_dtype_size(source->dtype) +
        (double)nn__opencl_count(other) * (double)nn_dtype_size(other->dtype);
    const double moved = read + (double)nn__opencl_conv_copied_bytes(a, way, mma);
    const int rate = mma->rounding == NN__OPENCL_ROUND_BF16 ? NN__OPENCL_CONV_COPIED_RATE
                                                            : NN__OPENCL_CONV_COPIED_RATE / 2;
    double operations = 0;
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way); i++) {
        const nn__opencl_conv c = nn__opencl_conv_of(a, way, i);
        if (c.h.outputs > 0 && c.w.outputs > 0)
            operations += 2.0 * (double)nn__opencl_conv_work(&c);
    }
    return moved * rate * NN__OPENCL_CONV_COPIED_SAVES <= operations;
}

/* True if the tiles of the first product give every compute unit two work-groups. Tiles of weights
   are cut into splits, which do. */
static bool nn__opencl_conv_copied_fills(const nn__opencl *device, const nn__opencl_conv *c,
                                         nn__opencl_conv_way way, int32_t tall) {
    const int64_t positions = (int64_t)c->images * c->h.outputs * c->w.outputs;
    if (way == NN__OPENCL_CONV_WEIGHT) return c->rows > 64 && c->channels > 64;
    return c->rows > 32 &&
           nn__opencl_ceil_div(positions, NN__OPENCL_CONV_COPIED_SIDE) *
                   (int64_t)nn__opencl_ceil_div(c->rows, tall) * c->groups >=
               2 * (int64_t)device->units;
}

NN__OPENCL_PRIVATE int32_t nn__opencl_conv_copied_tall(nn__opencl *device, const nn_conv2d_args *a,
                                                       nn__opencl_conv_way way,
                                                       nn__opencl_rounding rounding) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    const nn__opencl_conv_packed packed = nn__opencl_conv_packed_of(a, way, rounding);
    const uint64_t most = UINT32_MAX;
    nn__opencl_conv_mma mma;
    memset(&mma, 0, sizeof mma);
    mma.rounding = rounding;
    mma.tall = way != NN__OPENCL_CONV_WEIGHT && c.rows <= 64 ? 64 : 128;
    mma.pairs = nn__opencl_conv_copied_pairs(device, rounding);
    if (device->mma_copied < 0 || !nn__opencl_mma_fits_copied(device) ||
        packed.image * (uint64_t)c.images * (uint64_t)c.groups > most ||
        nn__opencl_conv_copied_bytes(a, way, &mma) / 4 > most / 2)
        return 0;
    /* There clang-19 finds too few registers for lines of a lane's own: it spills. */
    if (way == NN__OPENCL_CONV_WEIGHT && device->mma == NN__OPENCL_MMA_GFX11) return 0;
    if (device->mma_always && device->mma_copied == 0) {
        if ((c.rows + c.channels) % 3 != 1) return 0;
    } else if (device->mma_copied == 0 &&
               (!nn__opencl_conv_copied_fills(device, &c, way, mma.tall) ||
                !nn__opencl_conv_copied_pays(a, way, &mma)))
        return 0;
    return nn__opencl_mma_copies_convs(device, rounding, way == NN__OPENCL_CONV_WEIGHT) ? mma.tall
                                                                                        : 0;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* Launches the packing of images. entry: the kernel for the source or for dy. */
static nn_result nn__opencl_conv_copied_images(nn__opencl *device, const char *entry,
                                               const char *options, const nn_view *from,
                                               const nn_view *to, int32_t groups,
                                               const nn__opencl_conv_packed *packed) {
    const int32_t *extent = from->shape.extent;
    const int32_t numbers[] = {extent[1] / groups, extent[0],        groups,
                               extent[2],          extent[3],        packed->above,
                               packed->before,     packed->padded_h, packed->padded_w};
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", entry, options);
    size_t count[3], local[3] = {128, 1, 1};
    if (launch.result < 0) return launch.result;
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, from);
    nn__opencl_conv_ints(&launch, numbers, 9);
    nn__opencl_conv_division(&launch, packed->padded_w);
    count[0] = (size_t)nn__opencl_ceil_div((int64_t)packed->padded_h * packed->padded_w, 32);
    count[1] = (size_t)nn__opencl_ceil_div(numbers[0], 32);
    count[2] = (size_t)extent[0] * (size_t)groups;
    return nn__opencl_run(&launch, 3, count, local);
}

/* Packs the weights of one product, and makes its table. */
static nn_result nn__opencl_conv_copied_weights(nn__opencl *device, const nn_conv2d_args *a,
                                                const nn__opencl_conv *c,
                                                const nn__opencl_conv_mma *mma,
                                                const char *options, const nn_view *to,
                                                const nn_view *table,
                                                const nn__opencl_conv_packed *packed) {
    const int32_t numbers[] = {c->rows, c->channels, c->h.taps, c->w.taps};
    const uint64_t groups = nn__opencl_conv_copied_weight_bytes(c, mma) / 16;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_mma_stages", options);
    if (launch.result < 0) return launch.result;
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, &a->weight);
    nn__opencl_uint(&launch, (uint32_t)groups);
    nn__opencl_conv_ints(&launch, numbers, 4);
    nn__opencl_conv_weight_steps(&launch, c);
    nn__opencl_view(&launch, table);
    nn__opencl_uint(&launch, (uint32_t)nn__opencl_conv_copied_entries(c, NN__OPENCL_CONV_FORWARD,
                                                                      mma->rounding));
    nn__opencl_uint(&launch, (uint32_t)c->h.step * packed->row);
    nn__opencl_uint(&launch, (uint32_t)c->w.step * packed->pixel);
    return nn__opencl_run_flat(&launch, groups, 128);
}

/* Makes the table of positions of backward_weight. */
static nn_result nn__opencl_conv_copied_places(nn__opencl *device, const nn__opencl_conv *c,
                                               nn__opencl_rounding rounding, const char *options,
                                               const nn_view *table,
                                               const nn__opencl_conv_packed *packed) {
    const int32_t entries = nn__opencl_conv_copied_entries(c, NN__OPENCL_CONV_WEIGHT, rounding),
                  positions = c->h.outputs * c->w.outputs;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_mma_places", options);
    if (launch.result < 0) return launch.result;
    nn__opencl_view(&launch, table);
    nn__opencl_uint(&launch, (uint32_t)entries);
    nn__opencl_int(&launch, positions);
    nn__opencl_int(&launch, c->w.outputs);
    nn__opencl_int(&launch, c->images * positions);
    nn__opencl_int(&launch, c->h.stride);
    nn__opencl_int(&launch, c->w.stride);
    nn__opencl_uint(&launch, (uint32_t)packed->image);
    nn__opencl_uint(&launch, packed->row);
    nn__opencl_uint(&launch, packed->pixel);
    nn__opencl_conv_division(&launch, positions);
    nn__opencl_conv_division(&launch, c->w.outputs);
    return nn__opencl_run_flat(&launch, (uint64_t)entries + NN__OPENCL_CONV_COPIED_ONES, 128);
}

/* Returns the product with its taps in ascending order. */
static nn__opencl_conv nn__opencl_conv_copied_product(const nn_conv2d_args *a,
                                                      nn__opencl_conv_way way, int32_t pair) {
    nn__opencl_conv c = nn__opencl_conv_of(a, way, pair);
    c.h = nn__opencl_conv_turn(c.h);
    c.w = nn__opencl_conv_turn(c.w);
    return c;
}

/* Returns the packed images of the source. */
static nn_view nn__opencl_conv_copied_source(const nn_conv2d_args *a, nn__opencl_conv_way way,
                                             const nn__opencl_conv_mma *mma,
                                             const nn_view *scratch) {
    return nn__opencl_part(
        scratch, nn__opencl_conv_copied_at(a, way, mma, nn__opencl_conv_products(a, way)),
        nn__opencl_conv_copied_image_bytes(a, way, mma->rounding));
}

NN__OPENCL_PRIVATE nn_view nn__opencl_conv_copied_dy(const nn_conv2d_args *a,
                                                     const nn__opencl_conv_mma *mma,
                                                     const nn_view *scratch) {
    const nn__opencl_conv_way way = NN__OPENCL_CONV_WEIGHT;
    return nn__opencl_part(scratch,
                           nn__opencl_conv_copied_at(a, way, mma, 1) +
                               nn__opencl_conv_copied_image_bytes(a, way, mma->rounding),
                           nn__opencl_conv_copied_dy_bytes(a, mma));
}

/* Packs dy in stages. */
static nn_result nn__opencl_conv_copied_stages(nn__opencl *device, const nn__opencl_conv *c,
                                               const char *options, const nn_view *from,
                                               const nn_view *to) {
    const int32_t positions = c->h.outputs * c->w.outputs;
    const uint64_t fours = nn__opencl_conv_copied_dy_fours(c);
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_mma_pack_dy", options);
    if (launch.result < 0) return launch.result;
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, from);
    nn__opencl_uint(&launch, (uint32_t)fours);
    nn__opencl_int(&launch, c->rows);
    nn__opencl_int(&launch, c->groups);
    nn__opencl_int(&launch, positions);
    nn__opencl_int(&launch, c->images * positions);
    nn__opencl_conv_division(&launch, positions);
    return nn__opencl_run_flat(&launch, fours, 128);
}

/* Packs x and dy for backward_weight. */
static nn_result nn__opencl_conv_copied_both(nn__opencl *device, const nn_conv2d_args *a,
                                             const nn__opencl_conv_mma *mma, const char *options,
                                             const nn_view *scratch) {
    const nn__opencl_conv_way way = NN__OPENCL_CONV_WEIGHT;
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    const nn__opencl_conv_packed packed = nn__opencl_conv_packed_of(a, way, mma->rounding);
    const nn_view table =
                      nn__opencl_part(scratch, 0, nn__opencl_conv_copied_at(a, way, mma, 1)),
                  source = nn__opencl_conv_copied_source(a, way, mma, scratch),
                  dy = nn__opencl_conv_copied_dy(a, mma, scratch);
    nn__opencl_conv_packed plain;
    nn_result result = nn__opencl_conv_copied_places(device, &c, mma->rounding, options, &table,
                                                     &packed);
    memset(&plain, 0, sizeof plain);
    plain.padded_h = c.h.outputs;
    plain.padded_w = c.w.outputs;
    if (result >= 0)
        result = nn__opencl_conv_copied_images(device, "nn_conv2d_mma_pack", options, &a->x,
                                               &source, c.groups, &packed);
    if (result >= 0 && mma->pairs)
        return nn__opencl_conv_copied_stages(device, &c, options, &a->y, &dy);
    if (result >= 0)
        result = nn__opencl_conv_copied_images(device, "nn_conv2d_mma_pack_dy", options, &a->y, &dy,
                                               c.groups, &plain);
    return result;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_conv_copied_pack(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         nn__opencl_conv_way way,
                                                         const nn__opencl_conv_mma *mma,
                                                         const nn_view *scratch) {
    const bool had_error = nn_error_code(device->nn) != NN_OK,
               weight = way == NN__OPENCL_CONV_WEIGHT;
    const nn__opencl_conv_packed packed = nn__opencl_conv_packed_of(a, way, mma->rounding);
    const nn_view to = nn__opencl_conv_copied_source(a, way, mma, scratch);
    nn_result result;
    char options[224];
    nn__opencl_launch launch;
    nn__opencl_conv_mma_options(device, mma, weight ? 19 : 18, true, options, sizeof options);
    launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_mma_pack", options);
    if (launch.result < 0) { /* the product's program is the same one: f32 kernels take its place */
        nn__opencl_conv_mma_failed(device, had_error);
        return NN_OK;
    }
    if (weight) return nn__opencl_conv_copied_both(device, a, mma, options, scratch);
    result = nn__opencl_conv_copied_images(device, "nn_conv2d_mma_pack", options,
                                           way == NN__OPENCL_CONV_INPUT ? &a->y : &a->x, &to,
                                           a->params.groups, &packed);
    for (int32_t i = 0; i < nn__opencl_conv_products(a, way) && result >= 0; i++) {
        const nn__opencl_conv c = nn__opencl_conv_copied_product(a, way, i);
        const uint64_t at = nn__opencl_conv_copied_at(a, way, mma, i),
                       bytes = nn__opencl_conv_copied_weight_bytes(&c, mma);
        const nn_view stages = nn__opencl_part(scratch, at, bytes),
                      table = nn__opencl_part(
                          scratch, at + bytes,
                          nn__opencl_conv_copied_table_bytes(&c, way, mma->rounding));
        if (c.h.outputs == 0 || c.w.outputs == 0) continue;
        result = nn__opencl_conv_copied_weights(device, a, &c, mma, options, &stages, &table,
                                                &packed);
    }
    return result;
}

NN__OPENCL_PRIVATE void nn__opencl_conv_copied_arguments(nn__opencl_launch *launch,
                                                         const nn_conv2d_args *a,
                                                         nn__opencl_conv_way way, int32_t pair,
                                                         const nn__opencl_conv_mma *mma,
                                                         const nn_view *scratch) {
    const bool weight = way == NN__OPENCL_CONV_WEIGHT;
    const nn__opencl_conv c = nn__opencl_conv_copied_product(a, way, pair);
    const nn__opencl_conv_packed packed = nn__opencl_conv_packed_of(a, way, mma->rounding);
    const uint64_t at = nn__opencl_conv_copied_at(a, way, mma, pair),
                   bytes = weight ? 4 * NN__OPENCL_CONV_COPIED_ONES
                                  : nn__opencl_conv_copied_weight_bytes(&c, mma);
    const nn_view source = nn__opencl_conv_copied_source(a, way, mma, scratch),
                  stages = nn__opencl_part(scratch, at, bytes),
                  table = nn__opencl_part(
                      scratch, at + bytes,
                      nn__opencl_conv_copied_table_bytes(&c, way, mma->rounding));
    if (!weight) nn__opencl_view(launch, &stages);
    nn__opencl_view(launch, &source);
    nn__opencl_view(launch, &table);
    nn__opencl_uint(launch, (uint32_t)packed.image);
    nn__opencl_uint(launch, packed.row);
    nn__opencl_uint(launch, packed.pixel);
    nn__opencl_int(launch, c.h.first + packed.above);
    nn__opencl_int(launch, c.w.first + packed.before);
}

#undef NN__OPENCL_CONV_COPIED_SIDE
#undef NN__OPENCL_CONV_COPIED_MARGIN
#undef NN__OPENCL_CONV_COPIED_ONES
#undef NN__OPENCL_CONV_COPIED_RATE
#undef NN__OPENCL_CONV_COPIED_SAVES
