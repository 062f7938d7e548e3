/* kernels/conv2d/opencl_cpu_winograd.c - convolutions by Winograd's way on OpenCL's CPUs: which of
   them, their scratch, their launches. Forward, and the gradient of x, which is the same with the
   taps turned around. The kernels: opencl_cpu_winograd.cl. Units: the weight, then images. All
   depends on shapes and device only. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_WINOGRAD_POINTS 36

typedef struct nn__opencl_winograd {
    int32_t low_h, low_w;              /* the source's place of the first output's first tap */
    int32_t w_start, w_down, w_across; /* of taps in that order */
    int32_t height, width; /* rows of tiles; positions of a row: the last is no tile */
    int32_t panels, tall, panel, blocks;
    uint64_t weight, local; /* bytes */
} nn__opencl_winograd;

static nn__opencl_winograd nn__opencl_winograd_of(nn__opencl *device, const nn__opencl_conv *c) {
    const int32_t down = c->h.weight_step * c->w_width, across = c->w.weight_step;
    const int32_t lanes = device->lanes;
    nn__opencl_winograd w;
    int32_t strip;
    memset(&w, 0, sizeof w);
    w.low_h = c->h.step > 0 ? c->h.first : c->h.first - 2;
    w.low_w = c->w.step > 0 ? c->w.first : c->w.first - 2;
    w.w_down = c->h.step > 0 ? down : -down;
    w.w_across = c->w.step > 0 ? across : -across;
    w.w_start = c->h.weight * c->w_width + c->w.weight + (c->h.step > 0 ? 0 : 2 * down) +
                (c->w.step > 0 ? 0 : 2 * across);
    w.height = nn__opencl_ceil_div(c->h.outputs, 4);
    w.width = nn__opencl_ceil_div(c->w.outputs, 4) + 1;
    w.tall = lanes == 16 ? 8 : 4;
    w.panel = 2 * lanes;
    w.panels = nn__opencl_ceil_div((int64_t)w.height * w.width - 1, w.panel);
    w.blocks = nn__opencl_ceil_div(c->rows, w.tall);
    w.weight = nn__opencl_conv_aligned((uint64_t)c->groups * (uint64_t)w.blocks *
                                       (uint64_t)w.tall * (uint64_t)c->channels *
                                       NN__OPENCL_WINOGRAD_POINTS);
    strip = w.panel / w.width + 3; /* rows of tiles that a panel touches, and one more */
    w.local = 4 * ((uint64_t)(NN__OPENCL_WINOGRAD_POINTS * w.panel + lanes) *
                       (uint64_t)c->channels +
                   (uint64_t)(NN__OPENCL_WINOGRAD_POINTS * w.panel) * (uint64_t)w.tall +
                   16 * (uint64_t)strip * (uint64_t)w.width + (uint64_t)w.panel + 2);
    return w;
}

/* An output sees two places of x or more along an axis, as kernels/conv2d/cpu_winograd_run.c asks:
   what a tile's other places leave behind is then small beside it. */
static bool nn__opencl_winograd_sees(const nn__opencl_conv_axis *axis) {
    const int32_t low = axis->step > 0 ? axis->first : axis->first - 2;
    return axis->taps == 3 && axis->stride == 1 && axis->place_step == 1 &&
           (axis->step == 1 || axis->step == -1) && axis->outputs > 0 && axis->source > 1 &&
           low >= -1 && low + axis->outputs + 2 <= axis->source + 1;
}

/* Vector instructions of a panel and of the direct sums beside it: as measured, a channel's
   transform takes as many as 250 multiplications, and that of a row 400. */
static bool nn__opencl_winograd_pays(const nn__opencl *device, const nn__opencl_conv *c,
                                     const nn__opencl_winograd *w) {
    const int64_t positions = (int64_t)(c->h.outputs - 1) * (c->w.outputs + 2) + c->w.outputs,
                  channels = c->channels, rows = c->rows;
    const int64_t here = w->panels * (36 * channels * w->blocks * w->tall + 250 * channels +
                                      400 * rows);
    return here * 10 < 9 * nn__opencl_ceil_div(positions, w->panel) * 9 * channels * rows &&
           (int64_t)w->panels * c->images * c->groups >= 2 * (int64_t)device->units;
}

NN__OPENCL_PRIVATE bool nn__opencl_winograd_suits(nn__opencl *device, const nn_conv2d_args *a,
                                                  nn__opencl_conv_way way) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    nn__opencl_winograd w;
    if (way == NN__OPENCL_CONV_WEIGHT || a->direct || nn__opencl_conv_products(a, way) != 1 ||
        nn__opencl_family_of(device) != NN__OPENCL_ROWS || c.channels < 8 || c.rows < 8 ||
        !nn__opencl_winograd_sees(&c.h) || !nn__opencl_winograd_sees(&c.w))
        return false;
    w = nn__opencl_winograd_of(device, &c);
    return w.local <= device->local_memory / 2 &&
           (device->forced == NN__OPENCL_ROWS || nn__opencl_winograd_pays(device, &c, &w));
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_winograd_scratch(nn__opencl *device, const nn_conv2d_args *a,
                                                        nn__opencl_conv_way way) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    const nn__opencl_winograd w = nn__opencl_winograd_of(device, &c);
    return w.weight;
}

static const char *nn__opencl_winograd_options(const nn__opencl_winograd *w) {
    return w->tall == 8 ? "-DNN_CONV_ONLY=20"
                        : "-DNN_CONV_ONLY=20 -DNN_CONV_LANES=8 -DNN_CONV_ROWS=4";
}

static nn_result nn__opencl_winograd_pack(nn__opencl *device, const nn_conv2d_args *a,
                                          const nn__opencl_conv *c, const nn__opencl_winograd *w,
                                          const nn_view *weight) {
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_winograd_weight",
                                                nn__opencl_winograd_options(w));
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_view(&launch, weight);
    nn__opencl_view(&launch, &a->weight);
    {
        const int32_t numbers[] = {c->rows,      c->channels, c->w_group, c->w_row,
                                   c->w_channel, w->w_start,  w->w_down,  w->w_across};
        nn__opencl_conv_ints(&launch, numbers, 8);
    }
    groups[0] = (size_t)c->channels;
    groups[1] = (size_t)w->blocks;
    groups[2] = (size_t)c->groups;
    return nn__opencl_run(&launch, 3, groups, local);
}

/* Images [first, first + count). */
static nn_result nn__opencl_winograd_images(nn__opencl *device, const nn_conv2d_args *a,
                                            const nn__opencl_conv *c, const nn__opencl_winograd *w,
                                            const nn_view *weight, int32_t first, int32_t count) {
    nn__opencl_launch launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_winograd_rows",
                                                nn__opencl_winograd_options(w));
    const int32_t numbers[] = {c->rows,      c->channels, c->groups, c->images,
                               c->h.source,  c->w.source, w->low_h,  w->low_w,
                               w->height,    w->width,    c->h.outputs,
                               c->w.outputs, first,       a->accumulate ? 1 : 0,
                               (int32_t)a->epilogue.activation};
    size_t groups[3], local[3] = {1, 1, 1};
    nn__opencl_view(&launch, c->y);
    nn__opencl_view(&launch, c->source);
    nn__opencl_view(&launch, weight);
    nn__opencl_view(&launch, &a->epilogue.bias);
    nn__opencl_conv_ints(&launch, numbers, 15);
    nn__opencl_local(&launch, (size_t)w->local);
    groups[0] = (size_t)w->panels;
    groups[1] = (size_t)c->groups;
    groups[2] = (size_t)count;
    return nn__opencl_run(&launch, 3, groups, local);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_winograd_run(nn__opencl *device, const nn_conv2d_args *a,
                                                     nn__opencl_conv_way way, int32_t first,
                                                     int32_t count) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, way, 0);
    const nn__opencl_winograd w = nn__opencl_winograd_of(device, &c);
    const nn_view weight = nn__opencl_part(&a->scratch, 0, w.weight);
    const int32_t from = first > 1 ? first - 1 : 0, to = first + count - 1;
    nn_result result = NN_OK;
    if (first == 0 && count > 0) result = nn__opencl_winograd_pack(device, a, &c, &w, &weight);
    if (result >= 0 && from < to)
        result = nn__opencl_winograd_images(device, a, &c, &w, &weight, from, to - from);
    return result;
}

#undef NN__OPENCL_WINOGRAD_POINTS
