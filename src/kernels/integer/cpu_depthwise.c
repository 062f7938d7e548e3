/* kernels/integer/cpu_depthwise.c - depthwise convolutions and pools of 8-bit integers on the CPU.
   Both read a list of taps for each place of y: pointers to the channels of a place of x, or to
   padding. A unit is a row of places of y. */
#include "kernels/integer/cpu.h"
#include "kernels/integer/vector.h"

/* The windows of a convolution or pool. */
typedef struct nn__integer_windows {
    int N, H, W, C, OH, OW;
    int R, S, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w;
} nn__integer_windows;

static nn__integer_windows nn__integer_extents(const nn_view *x, const nn_view *y) {
    nn__integer_windows w;
    w.N = y->shape.extent[0];
    w.H = x->shape.extent[1], w.W = x->shape.extent[2], w.C = x->shape.extent[3];
    w.OH = y->shape.extent[1], w.OW = y->shape.extent[2];
    return w;
}
static nn__integer_windows nn__integer_pool_windows(const nn_integer_pool2d_args *args) {
    nn__integer_windows w = nn__integer_extents(&args->x, &args->y);
    w.R = args->kernel_h, w.S = args->kernel_w;
    w.stride_h = args->stride_h, w.stride_w = args->stride_w;
    w.padding_h = args->padding_h, w.padding_w = args->padding_w;
    w.dilation_h = w.dilation_w = 1;
    return w;
}

/* Lists the taps of a place of y in the order of the window and returns the number of those inside
   of x. padding: what stands for the others; NULL: they are left out. */
static int nn__integer_taps(const nn__integer_windows *w, const int8_t *x, int oh, int ow,
                            const int8_t *padding, const int8_t **taps) {
    int count = 0, inside = 0;
    for (int r = 0; r < w->R; r++) {
        const int h = oh * w->stride_h - w->padding_h + r * w->dilation_h;
        for (int s = 0; s < w->S; s++) {
            const int at = ow * w->stride_w - w->padding_w + s * w->dilation_w;
            if (h >= 0 && h < w->H && at >= 0 && at < w->W) {
                taps[count++] = x + ((ptrdiff_t)h * w->W + at) * w->C;
                inside++;
            } else if (padding) {
                taps[count++] = padding;
            }
        }
    }
    return inside;
}

/* True if all taps of places ow and ow - 1 of row oh are inside x. Then the taps of ow are those of
   ow - 1, moved by the stride. */
static bool nn__integer_goes_on(const nn__integer_windows *w, int oh, int ow) {
    const int h = oh * w->stride_h - w->padding_h, at = (ow - 1) * w->stride_w - w->padding_w;
    return ow > 0 && h >= 0 && h + (w->R - 1) * w->dilation_h < w->H && at >= 0 &&
           at + w->stride_w + (w->S - 1) * w->dilation_w < w->W;
}

/* Returns the bytes of a worker's scratch: taps, sums, padding. */
static size_t nn__integer_own_bytes(const nn__integer_windows *w) {
    return (size_t)w->R * (size_t)w->S * sizeof(void *) +
           (size_t)w->C * (sizeof(int32_t) + sizeof(int8_t));
}

/* ---- depthwise convolution ------------------------------------------------------------------- */

#ifndef NN_NO_SIMD
static nn__integer_windows nn__integer_conv_windows(const nn_integer_conv2d_args *args) {
    nn__integer_windows w = nn__integer_extents(&args->x, &args->y);
    w.R = args->params.kernel_h, w.S = args->params.kernel_w;
    w.stride_h = args->params.stride_h, w.stride_w = args->params.stride_w;
    w.padding_h = args->params.padding_h, w.padding_w = args->params.padding_w;
    w.dilation_h = args->params.dilation_h, w.dilation_w = args->params.dilation_w;
    return w;
}
NN_PRIVATE int nn__integer_depthwise_units(const nn__cpu *cpu, const nn_integer_conv2d_args *args,
                                           int phase) {
    if (nn__integer_has_three(cpu, args)) return nn__integer_three_units(args, phase);
    return phase == 0 ? 1 : phase == 1 ? args->y.shape.extent[0] * args->y.shape.extent[1] : 0;
}
/* True if the loops for nine taps can compute all channels, unless a weight is -128. */
static bool nn__integer_has_nine(const nn__cpu *cpu, const nn__integer_windows *w) {
    return nn__integer_loops_of(cpu)->nine && w->R * w->S == 9 && w->C >= 16;
}
/* Returns the number of places from ow on, in a row of y, for which the columns of all taps are
   inside x; at least 1. */
static int nn__integer_run(const nn__integer_windows *w, int ow) {
    const int at = ow * w->stride_w - w->padding_w,
              room = w->W - 1 - (w->S - 1) * w->dilation_w - at;
    return at < 0 || room < 0 ? 1 : nn__mini(room / w->stride_w + 1, w->OW - ow);
}
/* Returns the numbers of padding that the taps of a row of y may read outside of x. */
static size_t nn__integer_nine_padding(const nn__integer_windows *w) {
    return ((size_t)(w->OW - 1) * (size_t)w->stride_w + 1) * (size_t)w->C;
}
/* Returns the bytes of the starts of the sums, of the weights as 16-bit numbers, and of a number
   that is not 0 if a weight is -128. */
NN_PRIVATE size_t nn__integer_depthwise_packed(const nn__cpu *cpu,
                                               const nn_integer_conv2d_args *args) {
    if (nn__integer_has_three(cpu, args)) return nn__integer_three_packed(args);
    const size_t taps = (size_t)args->params.kernel_h * (size_t)args->params.kernel_w;
    return (size_t)args->y.shape.extent[3] * (sizeof(int32_t) + taps * sizeof(int16_t)) +
           sizeof(int16_t);
}
NN_PRIVATE size_t nn__integer_depthwise_own(const nn__cpu *cpu,
                                            const nn_integer_conv2d_args *args) {
    if (nn__integer_has_three(cpu, args)) return nn__integer_three_own(args);
    const nn__integer_windows w = nn__integer_conv_windows(args);
    return nn__integer_own_bytes(&w) +
           (nn__integer_has_nine(cpu, &w) ? nn__integer_nine_padding(&w) : 0);
}

static void nn__integer_depthwise_pack(const nn_integer_conv2d_args *args, int taps, int C,
                                       void *shared) {
    const int8_t *from = nn__i8(&args->weight);
    const uint32_t zero = (uint32_t)nn__i32(&args->zero)[NN_INTEGER_X];
    int32_t *start = (int32_t *)shared;
    int16_t *to = (int16_t *)(void *)(start + C);
    for (int c = 0; c < C; c++) {
        uint32_t sum = 0;
        for (int t = 0; t < taps; t++) {
            const int32_t one = from[(ptrdiff_t)t * C + c];
            sum += (uint32_t)one;
        }
        start[c] = (int32_t)((uint32_t)nn__i32(&args->bias)[c] - sum * zero);
    }
    int16_t least = 0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)taps * C; i++) {
        to[i] = from[i];
        if (from[i] == -128) least = 1;
    }
    to[(ptrdiff_t)taps * C] = least;
}

/* Computes a row of y. list: room for nine taps; padding: of nn__integer_nine_padding numbers. */
static void nn__integer_nine_row(const nn__integer_windows *w, const nn_integer_conv2d_args *args,
                                 const int8_t *x, nn__integer_nine *t, int oh,
                                 const nn__integer_loops *loops, int8_t *padding,
                                 const int8_t **list) {
    const int h = oh * w->stride_h - w->padding_h;
    const bool inside = h >= 0 && h + (w->R - 1) * w->dilation_h < w->H;
    memset(padding, nn__i32(&args->zero)[NN_INTEGER_X] & 0xff,
           inside ? (size_t)w->C : nn__integer_nine_padding(w));
    t->taps = list;
    t->place = (ptrdiff_t)w->stride_w * w->C;
    t->w = nn__i8(&args->weight), t->w_row = w->C;
    t->y_row = t->n = w->C;
    for (int ow = 0; ow < w->OW; ow += t->places) {
        nn__integer_taps(w, x, oh, ow, padding, list);
        t->places = nn__integer_run(w, ow);
        loops->nine(t);
        t->y += t->places * t->y_row;
    }
}

NN_PRIVATE void nn__integer_depthwise_unit(const nn__cpu *cpu, const nn_integer_conv2d_args *args,
                                           int phase, int unit, void *shared, void *own) {
    if (nn__integer_has_three(cpu, args)) {
        nn__integer_three_unit(cpu, args, phase, unit, shared, own);
        return;
    }
    const nn__integer_loops *loops = nn__integer_loops_of(cpu);
    const nn__integer_windows w = nn__integer_conv_windows(args);
    const int taps = w.R * w.S, C = w.C;
    const int32_t *factor = nn__i32(&args->factor), *zero = nn__i32(&args->zero);
    const int32_t *start = (const int32_t *)shared;
    const int8_t **list = (const int8_t **)own;
    int32_t *sums = (int32_t *)(void *)(list + taps);
    int8_t *padding = (int8_t *)(sums + C);
    nn__integer_out out;
    if (phase == 0) {
        nn__integer_depthwise_pack(args, taps, C, shared);
        return;
    }
    memset(padding, zero[NN_INTEGER_X] & 0xff, (size_t)C);
    out.multiplier = factor, out.shift = factor + C;
    out.zero = zero[NN_INTEGER_Y];
    out.low = zero[NN_INTEGER_LOW], out.high = zero[NN_INTEGER_HIGH];
    out.factors = NULL;
    const int8_t *x = nn__i8(&args->x) + (ptrdiff_t)(unit / w.OH) * w.H * w.W * C;
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + (ptrdiff_t)unit * w.OW * C;
    const int16_t *weights = (const int16_t *)(const void *)(start + C);
    if (nn__integer_has_nine(cpu, &w) && !weights[(ptrdiff_t)taps * C]) {
        nn__integer_nine t;
        t.start = start, t.out = &out, t.y = y;
        nn__integer_nine_row(&w, args, x, &t, unit % w.OH, loops, padding, list);
        return;
    }
    for (int ow = 0; ow < w.OW; ow++, y += C) {
        if (nn__integer_goes_on(&w, unit % w.OH, ow))
            for (int t = 0; t < taps; t++) list[t] += w.stride_w * C;
        else
            nn__integer_taps(&w, x, unit % w.OH, ow, padding, list);
        loops->depthwise(sums, start, list, weights, C, taps, C);
        loops->requantize(y, 0, sums, 0, 1, &out, C);
    }
}

#endif

/* ---- pools ----------------------------------------------------------------------------------- */

static int nn__integer_pool_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_view *y = &((const nn_integer_pool2d_args *)arguments)->y;
    (void)cpu;
    return phase == 0 ? y->shape.extent[0] * y->shape.extent[1] : 0;
}
static size_t nn__integer_pool_own(const nn__cpu *cpu, const void *arguments) {
    const nn__integer_windows w =
        nn__integer_pool_windows((const nn_integer_pool2d_args *)arguments);
    (void)cpu;
    return nn__integer_own_bytes(&w) + (size_t)w.C * (sizeof(int32_t) + sizeof(int16_t));
}

/* sums / count, rounded, halves away from zero. */
static void nn__integer_means(int8_t *y, const int32_t *sums, int count, int C) {
    for (int c = 0; c < C; c++) {
        const int32_t sum = sums[c];
        y[c] = (int8_t)(sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count);
    }
}

static void nn__integer_pool_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                  void *shared, void *own) {
    const nn_integer_pool2d_args *args = (const nn_integer_pool2d_args *)arguments;
    const nn__integer_loops *loops = nn__integer_loops_of(cpu);
    const nn__integer_windows w = nn__integer_pool_windows(args);
    const int taps = w.R * w.S, C = w.C;
    const bool mean = args->kind == NN_POOL_AVERAGE;
    const int8_t **list = (const int8_t **)own;
    int32_t *sums = (int32_t *)(void *)(list + taps), *start = sums + C;
    int16_t *ones = (int16_t *)(void *)(start + C);
    int8_t *padding = (int8_t *)(ones + C);
    const int8_t *x = nn__i8(&args->x) + (ptrdiff_t)(unit / w.OH) * w.H * w.W * C;
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + (ptrdiff_t)unit * w.OW * C;
    (void)phase, (void)shared;
    memset(padding, nn__i32(&args->zero)[NN_INTEGER_X] & 0xff, (size_t)C);
    memset(start, 0, (size_t)C * sizeof *start);
    for (int c = 0; c < C; c++) ones[c] = 1;
    int inside = 0;
    for (int ow = 0; ow < w.OW; ow++, y += C) {
        const bool pads = mean && !args->count_only_inside;
        if (nn__integer_goes_on(&w, unit % w.OH, ow))
            for (int t = 0; t < taps; t++) list[t] += w.stride_w * C;
        else
            inside = nn__integer_taps(&w, x, unit % w.OH, ow, pads ? padding : NULL, list);
        const int count = pads ? taps : inside;
        if (count == 0) {
            memcpy(y, padding, (size_t)C);
        } else if (mean) {
            loops->depthwise(sums, start, list, ones, 0, count, C);
            nn__integer_means(y, sums, count, C);
        } else {
            loops->largest(y, list, count, C);
        }
    }
}

static const nn__cpu_kernel nn__integer_pool_kernel = {
    nn__integer_pool_units, nn__integer_pool_unit, NULL, nn__integer_pool_own, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__integer_pool_functions(void) {
    return &nn__integer_pool_kernel;
}
