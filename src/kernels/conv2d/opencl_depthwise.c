/* kernels/conv2d/opencl_depthwise.c - convolutions whose groups have one channel of x each, on
   GPUs: chooses the program, computes its numbers and launches it. The kernels are in
   opencl_depthwise.cl. Other filters use the kernels of few rows, and so does the weight's gradient
   of dilated ones. A unit is an image; in the weight's gradient it is a split, and a last unit adds
   the splits. All choices depend only on shapes. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_DEPTHWISE_TEAM 64 /* work-items per group in the weight's gradient */

#define NN__OPENCL_DEPTHWISE_DILATED 6 /* index of the first program with dilation */

/* Returns the index of the programs for this filter, or -1. */
static int nn__opencl_depthwise_which(const nn_conv2d_params *p) {
    static const int32_t sizes[9][2] = {{3, 1}, {3, 2}, {5, 1}, {5, 2}, {7, 1},
                                        {7, 2}, {3, 1}, {5, 1}, {7, 1}};
    const bool dilated = p->dilation_h != 1 || p->dilation_w != 1;
    int i;
    if (p->kernel_h != p->kernel_w || p->stride_h != p->stride_w || p->padding_h < 0 ||
        p->padding_w < 0)
        return -1;
    for (i = dilated ? NN__OPENCL_DEPTHWISE_DILATED : 0; i < 9; i++)
        if (p->kernel_h == sizes[i][0] && p->stride_h == sizes[i][1]) return i;
    return -1;
}

/* Returns the number of blocks of `run` rows that share rows of x. Each remainder modulo the
   dilation has its own blocks. */
static int32_t nn__opencl_depthwise_blocks(int32_t rows, int32_t dilation, int32_t run) {
    return dilation * nn__opencl_ceil_div(nn__opencl_ceil_div(rows, dilation), run);
}

NN__OPENCL_PRIVATE bool nn__opencl_depthwise_suits(nn__opencl *device, const nn_conv2d_args *a,
                                                   nn__opencl_conv_way way) {
    const nn__opencl_family family = nn__opencl_family_of(device);
    if (family == NN__OPENCL_PLAIN) return false;
    if (a->params.groups < 2 || a->x.shape.extent[1] != a->params.groups ||
        nn__opencl_depthwise_which(&a->params) < 0)
        return false;
    return way != NN__OPENCL_CONV_WEIGHT ||
           (nn__opencl_present(&a->weight) && device->group >= NN__OPENCL_DEPTHWISE_TEAM &&
            nn__opencl_depthwise_which(&a->params) < NN__OPENCL_DEPTHWISE_DILATED);
}

/* Passes the numbers of x, y and padding, in the order of all three kernels. */
static void nn__opencl_depthwise_numbers(nn__opencl_launch *launch, const nn_conv2d_args *a,
                                         int32_t channels) {
    const int32_t *x = a->x.shape.extent, *y = a->y.shape.extent;
    const int32_t numbers[] = {channels,
                               y[1] / x[1],
                               x[2],
                               x[3],
                               y[2],
                               y[3],
                               a->params.padding_h,
                               a->params.padding_w};
    nn__opencl_conv_ints(launch, numbers, 8);
}

/* Runs images [first, first + count) with `items` work-items each. */
static nn_result nn__opencl_depthwise_images(nn__opencl_launch *launch, int64_t items,
                                             int32_t count) {
    size_t groups[2], local[2] = {1, 1};
    local[0] = nn__opencl_group(launch, 64);
    groups[0] = (size_t)nn__opencl_ceil_div(items, (int64_t)local[0]);
    groups[1] = (size_t)count;
    return nn__opencl_run(launch, 2, groups, local);
}

/* ---- forward --------------------------------------------------------------------------------- */

NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_forward(nn__opencl *device,
                                                          const nn_conv2d_args *a, int32_t first,
                                                          int32_t count) {
    static const char *const names[9] = {
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8 -DNN_CONV_STEPS=1",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8 -DNN_CONV_STEPS=1",
        "-DNN_CONV_ONLY=7 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8 -DNN_CONV_STEPS=1"};
    const int which = nn__opencl_depthwise_which(&a->params);
    const int32_t *y = a->y.shape.extent, run = a->params.stride_h == 1 ? 8 : 4,
                  blocks = nn__opencl_depthwise_blocks(y[2], a->params.dilation_h, run);
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_depthwise", names[which]);
    nn__opencl_view(&launch, &a->y);
    nn__opencl_view(&launch, &a->x);
    nn__opencl_view(&launch, &a->weight);
    nn__opencl_view(&launch, &a->epilogue.bias);
    nn__opencl_depthwise_numbers(&launch, a, y[1]);
    nn__opencl_int(&launch, a->params.dilation_h);
    nn__opencl_int(&launch, a->params.dilation_w);
    nn__opencl_int(&launch, blocks);
    nn__opencl_conv_division(&launch, y[3]);
    nn__opencl_conv_division(&launch, blocks);
    nn__opencl_conv_division(&launch, y[1] / a->x.shape.extent[1]);
    nn__opencl_int(&launch, first);
    nn__opencl_int(&launch, a->accumulate ? 1 : 0);
    nn__opencl_int(&launch, (int32_t)a->epilogue.activation);
    return nn__opencl_depthwise_images(&launch, (int64_t)y[1] * blocks * y[3], count);
}

/* ---- backward_input -------------------------------------------------------------------------- */

/* Adds the part of one filter of each channel. */
static nn_result nn__opencl_depthwise_filter(nn__opencl *device, const nn_conv2d_args *a,
                                             int32_t filter, int32_t first, int32_t count) {
    static const char *const names[9] = {
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8 -DNN_CONV_STEPS=1",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8 -DNN_CONV_STEPS=1",
        "-DNN_CONV_ONLY=8 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8 -DNN_CONV_STEPS=1"};
    const nn_conv2d_params *p = &a->params;
    const int which = nn__opencl_depthwise_which(p);
    const int32_t *x = a->x.shape.extent, stride = p->stride_h, run = stride == 1 ? 8 : 4;
    const int32_t first_h = p->padding_h / stride, first_w = p->padding_w / stride,
                  squares = (x[2] - 1 + p->padding_h) / stride - first_h + 1,
                  columns = (x[3] - 1 + p->padding_w) / stride - first_w + 1,
                  blocks = nn__opencl_depthwise_blocks(squares, p->dilation_h, run),
                  filters = a->y.shape.extent[1] / x[1];
    nn_view bias = a->epilogue.bias;
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_depthwise_input", names[which]);
    if (filter > 0) memset(&bias, 0, sizeof bias);
    nn__opencl_view(&launch, &a->x);
    nn__opencl_view(&launch, &a->y);
    nn__opencl_view(&launch, &a->weight);
    nn__opencl_view(&launch, &bias);
    nn__opencl_depthwise_numbers(&launch, a, x[1]);
    nn__opencl_int(&launch, a->params.dilation_h);
    nn__opencl_int(&launch, a->params.dilation_w);
    nn__opencl_int(&launch, blocks);
    nn__opencl_int(&launch, columns);
    nn__opencl_conv_division(&launch, columns);
    nn__opencl_conv_division(&launch, blocks);
    nn__opencl_int(&launch, first_h);
    nn__opencl_int(&launch, first_w);
    nn__opencl_int(&launch, filter);
    nn__opencl_int(&launch, first);
    nn__opencl_int(&launch, a->accumulate || filter > 0 ? 1 : 0);
    nn__opencl_int(&launch,
                   (int32_t)(filter + 1 < filters ? NN_ACTIVATION_NONE : a->epilogue.activation));
    return nn__opencl_depthwise_images(&launch, (int64_t)x[1] * blocks * columns, count);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_input(nn__opencl *device,
                                                        const nn_conv2d_args *a, int32_t first,
                                                        int32_t count) {
    nn_result result = NN_OK;
    int32_t filter;
    for (filter = 0; filter < a->y.shape.extent[1] / a->x.shape.extent[1] && result >= 0; filter++)
        result = nn__opencl_depthwise_filter(device, a, filter, first, count);
    return result;
}

/* ---- backward_weight ------------------------------------------------------------------------- */

/* Chooses strips long enough for one or two work-groups, and splits that give a few thousand
   groups, or one strip per work-item. */
NN__OPENCL_PRIVATE nn__opencl_depthwise_cut
nn__opencl_depthwise_weight_cut(const nn_conv2d_args *a) {
    const int32_t *y = a->y.shape.extent;
    nn__opencl_depthwise_cut cut;
    int64_t wanted;
    cut.tall = y[2] < 32 ? y[2] : 32;
    while (cut.tall > 4 && (int64_t)y[0] * nn__opencl_ceil_div(y[2], cut.tall) * y[3] <
                               2 * NN__OPENCL_DEPTHWISE_TEAM)
        cut.tall = (cut.tall + 1) / 2;
    cut.blocks = nn__opencl_ceil_div(y[2], cut.tall);
    cut.strips = y[0] * cut.blocks * y[3];
    wanted = nn__opencl_ceil_div(4096, y[1]);
    if (wanted > 64) wanted = 64;
    if (wanted > nn__opencl_ceil_div(cut.strips, NN__OPENCL_DEPTHWISE_TEAM))
        wanted = nn__opencl_ceil_div(cut.strips, NN__OPENCL_DEPTHWISE_TEAM);
    cut.chunk = nn__opencl_ceil_div(cut.strips, wanted > 0 ? wanted : 1);
    cut.splits = cut.chunk > 0 ? nn__opencl_ceil_div(cut.strips, cut.chunk) : 0;
    return cut;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_depthwise_weight(nn__opencl *device,
                                                         const nn_conv2d_args *a,
                                                         const nn_view *partial, int32_t first,
                                                         int32_t splits, bool *fits) {
    static const char *const names[6] = {
        "-DNN_CONV_ONLY=9 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=9 -DNN_CONV_TAPS=3 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=9 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=9 -DNN_CONV_TAPS=5 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4",
        "-DNN_CONV_ONLY=9 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=1 -DNN_CONV_RUN=8",
        "-DNN_CONV_ONLY=9 -DNN_CONV_TAPS=7 -DNN_CONV_STRIDE=2 -DNN_CONV_RUN=4"};
    const int which = nn__opencl_depthwise_which(&a->params);
    const nn__opencl_depthwise_cut cut = nn__opencl_depthwise_weight_cut(a);
    const int32_t *y = a->y.shape.extent;
    const size_t team = NN__OPENCL_DEPTHWISE_TEAM;
    size_t groups[2], local[2] = {1, 1};
    nn__opencl_launch launch =
        nn__opencl_begin(device, "conv2d", "nn_conv2d_depthwise_weight", names[which]);
    *fits = launch.result < 0 || nn__opencl_group(&launch, team) == team;
    if (!*fits) return NN_OK;
    nn__opencl_view(&launch, partial);
    nn__opencl_view(&launch, &a->y);
    nn__opencl_view(&launch, &a->x);
    nn__opencl_depthwise_numbers(&launch, a, y[1]);
    nn__opencl_int(&launch, cut.strips);
    nn__opencl_int(&launch, cut.tall);
    nn__opencl_int(&launch, cut.blocks);
    nn__opencl_int(&launch, cut.chunk);
    nn__opencl_conv_division(&launch, y[3]);
    nn__opencl_conv_division(&launch, cut.blocks);
    nn__opencl_int(&launch, first);
    local[0] = team;
    groups[0] = (size_t)y[1];
    groups[1] = (size_t)splits;
    return nn__opencl_run(&launch, 2, groups, local);
}

#undef NN__OPENCL_DEPTHWISE_TEAM
#undef NN__OPENCL_DEPTHWISE_DILATED
