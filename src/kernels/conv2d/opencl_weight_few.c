/* kernels/conv2d/opencl_weight_few.c - the gradient of a convolution's weight on GPUs if a group
   has at most four rows, or one channel of x for which opencl_depthwise.c has no program: chooses
   the program, computes its numbers and launches it. The kernel is in opencl_weight_few.cl. A unit
   is a split; a last unit adds the splits. */
#include "kernels/conv2d/opencl.h"

#define NN__OPENCL_WEIGHT_FEW_TEAM 64 /* work-items per group */
/* Most sums of a work-item; more do not fit the registers. With dilation the limit is half
   of that, because addresses take registers too. ONE: the limit for one row, because AMD's compiler
   then finds registers for only a few sums (gfx90a, which adds two numbers at a time). */
#define NN__OPENCL_WEIGHT_FEW_SUMS 60
#define NN__OPENCL_WEIGHT_FEW_ONE  16
#define NN__OPENCL_WEIGHT_FEW_WIDE 7  /* most taps of an axis per work-item */

/* The constants that are compiled into the program. */
typedef struct nn__opencl_weight_few_program {
    int32_t filters, taps_h, taps_w, stride;
    bool dilated;
    int32_t apart; /* distance of a work-item's rows of dy: their rows of x are whole taps apart */
} nn__opencl_weight_few_program;

/* Cuts the taps into as few equal parts as possible, of at most `most` each. Returns the size of a
   part. */
static int32_t nn__opencl_weight_few_part(int32_t taps, int32_t most) {
    return nn__opencl_ceil_div(taps, nn__opencl_ceil_div(taps, most));
}

static nn__opencl_weight_few_program nn__opencl_weight_few_program_of(const nn__opencl_conv *c) {
    const int32_t common = nn__opencl_conv_divisor(c->h.stride, c->h.step);
    nn__opencl_weight_few_program p;
    int32_t most = NN__OPENCL_WEIGHT_FEW_SUMS;
    p.filters = c->rows < 4 ? c->rows : 4;
    p.taps_w = nn__opencl_weight_few_part(c->w.taps, NN__OPENCL_WEIGHT_FEW_WIDE);
    p.stride = c->h.stride / common;
    p.apart = c->h.step / common;
    p.dilated = c->h.step != 1 || c->w.step != 1;
    if (p.dilated) most /= 2;
    if (p.filters == 1) most = NN__OPENCL_WEIGHT_FEW_ONE;
    most /= p.filters * p.taps_w;
    p.taps_h = nn__opencl_weight_few_part(
        c->h.taps, most < NN__OPENCL_WEIGHT_FEW_WIDE ? most : NN__OPENCL_WEIGHT_FEW_WIDE);
    return p;
}

NN__OPENCL_PRIVATE bool nn__opencl_weight_few_suits(nn__opencl *device, const nn_conv2d_args *a) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const nn__opencl_family family = nn__opencl_family_of(device);
    const int64_t most = (int64_t)1 << 30, planes = (int64_t)c.images * c.groups; /* 4 bytes each */
    if (family != NN__OPENCL_TILES && family != NN__OPENCL_SMALL_TILES) return false;
    if (nn__opencl_depthwise_suits(device, a, NN__OPENCL_CONV_WEIGHT)) return false;
    return nn__opencl_present(&a->weight) && (c.rows <= 4 || (c.channels == 1 &&
                            !nn__opencl_weight_patches_are_faster(device, &c, false, false))) &&
           nn__opencl_conv_work(&c) > NN__OPENCL_CONV_TINY &&
           planes * c.rows * c.h.outputs * c.w.outputs < most &&
           planes * c.channels * c.h.source * c.w.source < most &&
           c.h.stride <= 8 * nn__opencl_conv_divisor(c.h.stride, c.h.step) &&
           device->group >= NN__OPENCL_WEIGHT_FEW_TEAM &&
           device->local_memory >= 24 << 10; /* three sums take the space of four */
}

/* Returns the number of work-groups per split. */
static int64_t nn__opencl_weight_few_groups(const nn__opencl_conv *c,
                                            const nn__opencl_weight_few_program *p) {
    return (int64_t)c->groups * c->channels * nn__opencl_ceil_div(c->rows, p->filters) *
           nn__opencl_ceil_div(c->h.taps, p->taps_h) * nn__opencl_ceil_div(c->w.taps, p->taps_w);
}

/* Chooses strips long enough for one or two work-groups, and splits that give a few thousand
   groups, or one strip per work-item. */
NN__OPENCL_PRIVATE nn__opencl_depthwise_cut nn__opencl_weight_few_cut_of(const nn_conv2d_args *a) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const nn__opencl_weight_few_program p = nn__opencl_weight_few_program_of(&c);
    const int32_t column = nn__opencl_ceil_div(c.h.outputs, p.apart);
    nn__opencl_depthwise_cut cut;
    int64_t wanted, most;
    cut.tall = column < 32 ? column : 32;
    while (cut.tall > 4 && (int64_t)c.images * p.apart * nn__opencl_ceil_div(column, cut.tall) *
                                   c.w.outputs < 2 * NN__OPENCL_WEIGHT_FEW_TEAM)
        cut.tall = (cut.tall / 2 + 3) / 4 * 4;
    cut.blocks = p.apart * nn__opencl_ceil_div(column, cut.tall);
    cut.strips = c.images * cut.blocks * c.w.outputs;
    wanted = 4096 / nn__opencl_weight_few_groups(&c, &p) + 1;
    most = nn__opencl_ceil_div(cut.strips, NN__OPENCL_WEIGHT_FEW_TEAM);
    if (wanted > 64) wanted = 64;
    if (wanted > most) wanted = most;
    cut.chunk = nn__opencl_ceil_div(cut.strips, wanted > 0 ? wanted : 1);
    cut.splits = cut.chunk > 0 ? nn__opencl_ceil_div(cut.strips, cut.chunk) : 0;
    return cut;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_weight_few(nn__opencl *device, const nn_conv2d_args *a,
                                                   const nn_view *partial, int32_t first,
                                                   int32_t splits, bool *fits) {
    const nn__opencl_conv c = nn__opencl_conv_of(a, NN__OPENCL_CONV_WEIGHT, 0);
    const nn__opencl_weight_few_program p = nn__opencl_weight_few_program_of(&c);
    const nn__opencl_depthwise_cut cut = nn__opencl_weight_few_cut_of(a);
    const int32_t numbers[] = {c.rows,     c.channels,  c.groups,  c.h.source, c.w.source,
                               c.h.outputs, c.w.outputs, c.h.taps,  c.w.taps,   c.h.first,
                               c.w.first,  c.h.step,    c.w.step,  c.h.stride, c.w.stride,
                               p.apart,    cut.strips,  cut.tall,  cut.blocks, cut.chunk};
    size_t groups[2], local[2] = {NN__OPENCL_WEIGHT_FEW_TEAM, 1};
    nn__opencl_launch launch;
    char options[160];
    nn__opencl_format(options, sizeof options,
                      "-DNN_CONV_ONLY=14 -DNN_CONV_FILTERS=%d -DNN_CONV_TAPS_H=%d "
                      "-DNN_CONV_TAPS_W=%d -DNN_CONV_STRIDE=%d -DNN_CONV_DILATED=%d",
                      (int)p.filters, (int)p.taps_h, (int)p.taps_w, (int)p.stride,
                      p.dilated ? 1 : 0);
    launch = nn__opencl_begin(device, "conv2d", "nn_conv2d_weight_few", options);
    *fits = launch.result < 0 || nn__opencl_group(&launch, local[0]) == local[0];
    if (!*fits) return NN_OK;
    nn__opencl_view(&launch, partial);
    nn__opencl_view(&launch, &a->y);
    nn__opencl_view(&launch, &a->x);
    nn__opencl_conv_ints(&launch, numbers, 20);
    nn__opencl_conv_division(&launch, c.w.outputs);
    nn__opencl_conv_division(&launch, cut.blocks);
    nn__opencl_int(&launch, first);
    groups[0] = (size_t)nn__opencl_weight_few_groups(&c, &p);
    groups[1] = (size_t)splits;
    return nn__opencl_run(&launch, 2, groups, local);
}

#undef NN__OPENCL_WEIGHT_FEW_TEAM
#undef NN__OPENCL_WEIGHT_FEW_SUMS
#undef NN__OPENCL_WEIGHT_FEW_ONE
#undef NN__OPENCL_WEIGHT_FEW_WIDE
