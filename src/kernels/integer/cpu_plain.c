/* kernels/integer/cpu_plain.c - convolutions and products of 8-bit integers in plain C. Weights are
   read where they stand, in flash for example; the only scratch is for two windows of x. Two
   channels of two places of y are computed together. ARM processors with instructions for pairs of
   16-bit numbers (Cortex-M4, M7, M33) multiply and add two pairs at once. A unit is some places
   of y, or some channels of them if there are few places. */
#include "cpu/gemm.h"
#include "kernels/integer/cpu_plain.h"

#define NN__PLAIN_PLACES   8  /* of a unit; even */
#define NN__PLAIN_CHANNELS 64 /* of a unit if there are fewer places than a unit has */

/* ---- windows --------------------------------------------------------------------------------- */

/* The taps of a window that are inside of x along one axis: first to end - 1. */
typedef struct nn__plain_taps {
    int first, end;
} nn__plain_taps;
static nn__plain_taps nn__plain_inside(int start, int taps, int dilation, int extent) {
    nn__plain_taps t;
    t.first = start < 0 ? nn__mini((-start + dilation - 1) / dilation, taps) : 0;
    t.end = start >= extent ? 0 : nn__mini((extent - start + dilation - 1) / dilation, taps);
    if (t.end < t.first) t.end = t.first;
    return t;
}

/* Describes the window of a position of y. */
typedef struct nn__plain_at {
    nn__plain_taps down, across;
    const int8_t *x; /* its first tap inside of x */
} nn__plain_at;
static nn__plain_at nn__plain_place(const nn__plain *a) {
    const nn_conv2d_params *p = &a->args->params;
    const int32_t *x = a->args->x.shape.extent;
    const int up = a->oh * p->stride_h - p->padding_h, left = a->ow * p->stride_w - p->padding_w;
    nn__plain_at at;
    at.down = nn__plain_inside(up, p->kernel_h, p->dilation_h, x[1]);
    at.across = nn__plain_inside(left, p->kernel_w, p->dilation_w, x[2]);
    at.x = nn__i8(&a->args->x) +
           ((a->n * x[1] + up + at.down.first * p->dilation_h) * (ptrdiff_t)x[2] + left +
            at.across.first * p->dilation_w) * x[3];
    return at;
}
static void nn__plain_next(nn__plain *a) {
    const int32_t *y = a->args->y.shape.extent;
    if (++a->ow < y[2]) return;
    a->ow = 0;
    if (++a->oh < y[1]) return;
    a->oh = 0;
    a->n++;
}

/* Copies the window of the place in a transposed convolution: places of x between the strides count
   as padding. */
static NN__APART void nn__plain_gaps(const nn__plain *a) {
    const nn_conv2d_params *p = &a->args->params;
    const int32_t *x = a->args->x.shape.extent;
    int8_t *to = a->bytes;
    for (int r = 0; r < p->kernel_h; r++) {
        const int h =
            nn__integer_source(a->oh + p->padding_h - r * p->dilation_h, p->stride_h, x[1]);
        for (int s = 0; s < p->kernel_w; s++, to += a->C) {
            const int w =
                nn__integer_source(a->ow + p->padding_w - s * p->dilation_w, p->stride_w, x[2]);
            if (h >= 0 && w >= 0)
                memcpy(to,
                       nn__i8(&a->args->x) + ((a->n * x[1] + h) * (ptrdiff_t)x[2] + w) * x[3] +
                           (ptrdiff_t)a->group * a->C,
                       (size_t)a->C);
            else
                memset(to, a->zero & 0xff, (size_t)a->C);
        }
    }
}

/* Copies the window of the place. Padding is the zero point of x. */
static void nn__plain_window(const nn__plain *a) {
    if (a->args->transposed) {
        nn__plain_gaps(a);
        return;
    }
    const nn_conv2d_params *p = &a->args->params;
    const int32_t *x = a->args->x.shape.extent;
    const nn__plain_at at = nn__plain_place(a);
    const int C = a->C, line = p->kernel_w * C;
    const int rows = at.down.end - at.down.first, columns = at.across.end - at.across.first;
    if (rows < p->kernel_h || columns < p->kernel_w)
        memset(a->bytes, a->zero & 0xff, (size_t)(p->kernel_h * line));
    for (int r = 0; r < rows; r++) {
        const int8_t *from = at.x + (ptrdiff_t)r * p->dilation_h * x[2] * x[3] + a->group * C;
        int8_t *to = a->bytes + (at.down.first + r) * line + at.across.first * C;
        const bool apart = p->dilation_w > 1 || C < x[3];
        if (!apart) memcpy(to, from, (size_t)(columns * C));
        for (int s = 0; s < columns && apart;
             s++, to += C, from += (ptrdiff_t)p->dilation_w * x[3])
            memcpy(to, from, (size_t)C);
    }
}

/* ---- channels -------------------------------------------------------------------------------- */

/* Computes channels first to end - 1 of one or two adjacent places at y. */
static NN__PLAIN_HOT void nn__plain_channels(const nn__plain *a, int8_t *y, bool two, int first,
                                             int end) {
    int32_t sums[2 * NN__PLAIN_SUMS] = {0};
    for (int k = first; k < end; k += NN__PLAIN_SUMS) {
        const int n = nn__mini(NN__PLAIN_SUMS, end - k);
        for (int i = 0; i < n; i++) sums[i] = sums[NN__PLAIN_SUMS + i] = a->bias[k + i];
#if NN__INTEGER_MVE
        nn__mve_dots(sums, NN__PLAIN_SUMS, a->rows, a->w + (ptrdiff_t)k * a->depth, a->depth, n,
                     two, a->zero);
#else
        nn__plain_dots(sums, a->rows, a->w + (ptrdiff_t)k * a->depth, a->depth, n, two);
#endif
        nn__plain_put(y + k, sums, &a->out, k, n);
        if (two) nn__plain_put(y + a->K + k, sums + NN__PLAIN_SUMS, &a->out, k, n);
    }
}

/* ---- depthwise ------------------------------------------------------------------------------- */

/* The taps of a window that are inside of x, and the distances between them in numbers. */
typedef struct nn__plain_area {
    int rows, columns;
    ptrdiff_t x_row, x_column, w_row, w_column;
} nn__plain_area;

/* Adds the products of all taps to the sums of n channels. */
static NN__APART void nn__plain_taps_of(int32_t *sums, const int8_t *w, const int8_t *x,
                                        const nn__plain_area *area, int32_t zero, int n) {
#if NN__INTEGER_MVE
    nn__mve_taps(sums, w, x, area->rows, area->columns, area->x_row, area->x_column, area->w_row,
                 area->w_column, zero, n);
#else
    for (int i = 0; i < n; i++) {
        uint32_t sum = (uint32_t)sums[i];
        for (int r = 0; r < area->rows; r++)
            for (int s = 0; s < area->columns; s++)
                sum += (uint32_t)((x[r * area->x_row + s * area->x_column + i] - zero) *
                                  w[r * area->w_row + s * area->w_column + i]);
        sums[i] = (int32_t)sum;
    }
#endif
}
#if NN__INTEGER_PAIRS
/* Adds the products of all taps to the sums of four channels. Most kernels are three wide. */
static NN__PLAIN_HOT void nn__plain_taps_of_four(int32_t *sums, const int8_t *w, const int8_t *x,
                                                 const nn__plain_area *area, int32_t less) {
    const ptrdiff_t x_column = area->x_column, w_column = area->w_column;
    const int columns = area->columns;
    int32_t s = sums[0], t = sums[1], u = sums[2], v = sums[3];
    for (int r = area->rows; r > 0; r--, w += area->w_row, x += area->x_row) {
        const int8_t *from = x, *by = w;
        if (columns == 3) {
            nn__plain_tap(&s, &t, &u, &v, by, from, less);
            nn__plain_tap(&s, &t, &u, &v, by + w_column, from + x_column, less);
            nn__plain_tap(&s, &t, &u, &v, by + 2 * w_column, from + 2 * x_column, less);
            continue;
        }
        for (int c = columns; c > 0; c--, from += x_column, by += w_column)
            nn__plain_tap(&s, &t, &u, &v, by, from, less);
    }
    sums[0] = s, sums[1] = t, sums[2] = u, sums[3] = v;
}
#endif

/* Computes one position, at y. */
static void nn__plain_depthwise(const nn__plain *a, int8_t *y) {
    const nn_conv2d_params *p = &a->args->params;
    const int32_t *extent = a->args->x.shape.extent;
    const nn__plain_at at = nn__plain_place(a);
    const int C = a->K;
    const int8_t *w = a->w + (at.down.first * p->kernel_w + at.across.first) * (ptrdiff_t)C;
    int32_t sums[NN__PLAIN_SUMS];
    nn__plain_area area;
    area.rows = at.down.end - at.down.first;
    area.columns = at.across.end - at.across.first;
    area.x_row = (ptrdiff_t)p->dilation_h * extent[2] * C;
    area.x_column = (ptrdiff_t)p->dilation_w * C;
    area.w_row = (ptrdiff_t)p->kernel_w * C;
    area.w_column = C;
    for (int k = 0; k < C; k += NN__PLAIN_SUMS) {
        const int n = nn__mini(NN__PLAIN_SUMS, C - k);
        int i = 0;
        for (; i < n; i++) sums[i] = a->bias[k + i];
        i = 0;
#if NN__INTEGER_PAIRS
        for (; i + 4 <= n; i += 4)
            nn__plain_taps_of_four(sums + i, w + k + i, at.x + k + i, &area,
                                   nn__plain_less(a->zero));
#endif
        nn__plain_taps_of(sums + i, w + k + i, at.x + k + i, &area, a->zero, n - i);
        nn__plain_put(y + k, sums, &a->out, k, n);
    }
}

/* ---- units ----------------------------------------------------------------------------------- */

static int64_t nn__plain_places(const nn_integer_conv2d_args *args) {
    const int32_t *y = args->y.shape.extent;
    return (int64_t)y[0] * y[1] * y[2];
}
static int nn__plain_parts(const nn_integer_conv2d_args *args) {
    return args->params.groups == 1 && nn__plain_places(args) < NN__PLAIN_PLACES
               ? nn__ceil_div(args->y.shape.extent[3], NN__PLAIN_CHANNELS)
               : 1;
}
NN_PRIVATE int nn__integer_plain_units(const nn_integer_conv2d_args *args, int phase) {
    const int64_t places = nn__plain_places(args);
    return phase > 0 ? 0
                     : (int)((places + NN__PLAIN_PLACES - 1) / NN__PLAIN_PLACES) *
                           nn__plain_parts(args);
}
/* Returns the number of elements of a window, rounded up to groups of four. */
static size_t nn__plain_depth(const nn_integer_conv2d_args *args) {
    const int C = args->x.shape.extent[3] / args->params.groups;
    return (size_t)(args->params.kernel_h * args->params.kernel_w * C + 3) / 4 * 4;
}
NN_PRIVATE size_t nn__integer_plain_own(const nn_integer_conv2d_args *args) {
    return nn__integer_is_depthwise(args) ? 0 : nn__plain_depth(args) * (1 + 2 * sizeof(int16_t));
}

/* Reads the windows of one or two places. */
static void nn__plain_two(nn__plain *a, bool two) {
    for (int i = 0; i <= two; i++) {
        nn__plain_window(a);
        nn__plain_widen(a, i);
        nn__plain_next(a);
    }
}
/* Computes all channels of one or two places, group by group. */
static NN__APART void nn__plain_by_groups(nn__plain *a, int8_t *y, bool two) {
    const int groups = a->args->params.groups, each = a->K / groups, oh = a->oh, ow = a->ow;
    const ptrdiff_t n = a->n;
    for (a->group = 0; a->group < groups; a->group++) {
        a->oh = oh, a->ow = ow, a->n = n;
        nn__plain_two(a, two);
        nn__plain_channels(a, y, two, a->group * each, (a->group + 1) * each);
    }
}

/* Prepares the sums of the places from `place` on. */
static void nn__plain_prepare(nn__plain *a, const nn_integer_conv2d_args *args, int64_t place,
                              void *own) {
    const int32_t *zero = nn__i32(&args->zero), *factor = nn__i32(&args->factor);
    a->args = args;
    a->K = args->y.shape.extent[3];
    a->C = args->x.shape.extent[3] / args->params.groups;
    a->depth = args->params.kernel_h * args->params.kernel_w * a->C;
    a->group = 0;
    a->rows = (nn__plain_x *)own;
    a->bytes = nn__integer_is_depthwise(args)
                  ? NULL
                  : (int8_t *)own + nn__plain_depth(args) * 2 * sizeof(int16_t);
    a->w = nn__i8(&args->weight);
    a->bias = nn__i32(&args->bias);
    a->zero = zero[NN_INTEGER_X];
    a->out.multiplier = factor, a->out.shift = factor + a->K;
    a->out.zero = zero[NN_INTEGER_Y];
    a->out.low = zero[NN_INTEGER_LOW], a->out.high = zero[NN_INTEGER_HIGH];
    a->ow = (int)(place % args->y.shape.extent[2]);
    a->oh = (int)(place / args->y.shape.extent[2] % args->y.shape.extent[1]);
    a->n = (ptrdiff_t)(place / args->y.shape.extent[2] / args->y.shape.extent[1]);
}

NN_PRIVATE void nn__integer_plain_unit(const nn_integer_conv2d_args *args, int unit, void *own) {
    const int parts = nn__plain_parts(args), from = unit % parts * NN__PLAIN_CHANNELS;
    int64_t place = (int64_t)(unit / parts) * NN__PLAIN_PLACES;
    const int64_t last = nn__min64(place + NN__PLAIN_PLACES, nn__plain_places(args));
    nn__plain a;
    nn__plain_prepare(&a, args, place, own);
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + place * a.K;
    for (int two; place < last; place += 1 + two, y += (ptrdiff_t)(1 + two) * a.K) {
        two = !nn__integer_is_depthwise(args) && place + 1 < last;
        if (nn__integer_is_depthwise(args)) {
            nn__plain_depthwise(&a, y);
            nn__plain_next(&a);
        } else if (args->params.groups > 1) {
            nn__plain_by_groups(&a, y, two);
        } else {
            nn__plain_two(&a, two);
            nn__plain_channels(&a, y, two, from,
                               parts == 1 ? a.K : nn__mini(from + NN__PLAIN_CHANNELS, a.K));
        }
    }
}

/* ---- packed weights -------------------------------------------------------------------------- */

#ifndef NN__PLAIN_SIGNED /* 0 to 15 becomes -8 to 7 in each of four bytes */
#define NN__PLAIN_SIGNED(halves) (((halves) + 0x78787878u) ^ 0x80808080u)
#endif
/* Unpacks weights, and up to seven more. */
static NN__UNUSED NN__PLAIN_HOT void nn__plain_unpack(int8_t *to, const uint8_t *from, int count) {
    for (int8_t *const end = to + count; to < end; to += 8, from += 4) {
        uint32_t four, less, more;
        memcpy(&four, from, sizeof four);
        less = four & 0x0f0f0f0fu, more = four >> 4 & 0x0f0f0f0fu;
        less = NN__PLAIN_SIGNED(less), more = NN__PLAIN_SIGNED(more);
        memcpy(to, &less, sizeof less);
        memcpy(to + 4, &more, sizeof more);
    }
}

static NN__UNUSED int nn__integer_packed_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu, (void)args;
    return phase == 0;
}
static NN__UNUSED size_t nn__integer_packed_own(const nn__cpu *cpu, const void *arguments) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    const int depth =
        args->params.kernel_h * args->params.kernel_w * args->x.shape.extent[3];
    (void)cpu;
    return nn__integer_plain_own(args) +
           (size_t)NN_INTEGER_PACKED_SCRATCH(args->y.shape.extent[3], depth);
}
/* Some channels are unpacked, and computed for all places; then the next ones. */
static NN__UNUSED void nn__integer_packed_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                               int unit, void *shared, void *own) {
    const nn_integer_conv2d_args *args = (const nn_integer_conv2d_args *)arguments;
    int8_t *weights = (int8_t *)own + nn__integer_plain_own(args),
           *y = (int8_t *)(void *)nn__i32(&args->y);
    const int64_t places = nn__plain_places(args);
    const int K = args->y.shape.extent[3];
    (void)cpu, (void)phase, (void)unit, (void)shared;
    for (int k = 0, n; k < K; k += n) {
        nn__plain a;
        nn__plain_prepare(&a, args, 0, own);
        n = nn__mini(NN_INTEGER_PACKED_CHANNELS(a.depth), K - k);
        nn__plain_unpack(weights, (const uint8_t *)a.w + (ptrdiff_t)k * a.depth / 2, n * a.depth);
        a.w = weights;
        a.bias += k, a.out.multiplier += k, a.out.shift += k;
        for (int64_t place = 0; place < places; place += 2) {
            const bool two = place + 1 < places;
            if (k == 0 || places > 2) nn__plain_two(&a, two); /* else the windows are there */
            nn__plain_channels(&a, y + place * K + k, two, 0, n);
        }
    }
}
/* Of plans of constants, which name it. */
static NN__UNUSED const nn__cpu_kernel nn__integer_packed_kernel = {
    nn__integer_packed_units, nn__integer_packed_unit, NULL, nn__integer_packed_own, NULL};

#undef NN__INTEGER_PAIRS
#undef NN__PLAIN_SIGNED
#undef NN__PLAIN_PLACES
#undef NN__PLAIN_SUMS
#undef NN__PLAIN_HOT
#undef NN__PLAIN_CHANNELS
#undef NN__PLAIN_USUAL
#undef NN__PLAIN_FOURS
