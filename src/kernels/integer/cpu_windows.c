/* kernels/integer/cpu_windows.c - convolutions of 8-bit integers that read windows in place. A unit
   copies the rows of x that some rows of y need, with padding. The product then reads each line of
   a window from this copy. The last half tile of a row of y overlaps the one before it, so rows of
   NN__INTEGER_HALF and more places need no smaller tile. */
#include "cpu/gemm.h"
#include "kernels/integer/cpu.h"

#ifndef NN_NO_SIMD

#define NN__WINDOWS_BYTES                                                                          \
    49152                    /* of a unit's rows of x, which share the L2 cache with a panel */
#define NN__WINDOWS_SLACK 64 /* a padded line may end after the last row */

/* The rows of x that a unit reads, from row `first` of y on. */
typedef struct nn__integer_picture {
    int64_t image;
    int first, rows;  /* of y */
    int width;        /* places of a copied row */
    ptrdiff_t across; /* bytes of a copied row */
    const char *x;    /* the copied rows */
} nn__integer_picture;

NN_PRIVATE bool nn__integer_has_windows(const nn__integer_conv *c) {
    const nn_conv2d_params *p = &c->args->params;
    return c->loops->windows && !c->args->transposed && p->groups == 1 && p->dilation_w == 1 &&
           c->OW >= NN__INTEGER_HALF;
}

static int nn__windows_width(const nn__integer_conv *c) {
    return (c->OW - 1) * c->args->params.stride_w + c->args->params.kernel_w;
}
/* Returns the number of rows of x that `rows` rows of y read. */
static int nn__windows_height(const nn__integer_conv *c, int rows) {
    const nn_conv2d_params *p = &c->args->params;
    return (rows - 1) * p->stride_h + (p->kernel_h - 1) * p->dilation_h + 1;
}

NN_PRIVATE void nn__integer_cut_windows(nn__integer_conv *c) {
    const nn_conv2d_params *p = &c->args->params;
    const int fit = NN__WINDOWS_BYTES / (nn__windows_width(c) * c->C * c->loops->bytes),
              rest = fit - nn__windows_height(c, 1),
              most = nn__mini(1 + nn__maxi(rest, 0) / p->stride_h, c->OH),
              blocks = nn__ceil_div(c->OH, most);
    c->rows = nn__ceil_div(c->OH, blocks);
    c->blocks = c->args->y.shape.extent[0] * (int64_t)nn__ceil_div(c->OH, c->rows);
}
NN_PRIVATE size_t nn__integer_windows_own(const nn__integer_conv *c) {
    return (size_t)nn__windows_height(c, c->rows) * (size_t)nn__windows_width(c) * (size_t)c->C *
               (size_t)c->loops->bytes +
           NN__WINDOWS_SLACK;
}

/* Copies the rows of x with their padding. */
static void nn__windows_copy(const nn__integer_conv *c, const nn__integer_picture *picture,
                             char *to) {
    const nn_conv2d_params *p = &c->args->params;
    const nn__integer_loops *loops = c->loops;
    const int32_t zero = nn__i32(&c->args->zero)[NN_INTEGER_X];
    const int top = picture->first * p->stride_h - p->padding_h, width = picture->width,
              left = nn__mini(p->padding_w, width),
              inside = nn__maxi(nn__mini(c->W, width - left), 0), bytes = c->C * loops->bytes;
    const int height = nn__windows_height(c, picture->rows);
    for (int i = 0; i < height; i++, to += picture->across) {
        const int h = top + i;
        if (h < 0 || h >= c->H) {
            nn__integer_fill(loops, to, zero, width * c->C);
            continue;
        }
        nn__integer_fill(loops, to, zero, left * c->C);
        loops->widen(to + (ptrdiff_t)left * bytes,
                     nn__i8(&c->args->x) + ((picture->image * c->H + h) * c->W) * (ptrdiff_t)c->C,
                     inside * c->C);
        nn__integer_fill(loops, to + (ptrdiff_t)(left + inside) * bytes, zero,
                         (width - left - inside) * c->C);
    }
    memset(to, 0, NN__WINDOWS_SLACK);
}

/* Finds half tile i of a unit: NN__INTEGER_HALF places of one row. Returns its first place in y,
   and sets *x to the window of that place. */
static ptrdiff_t nn__windows_half(const nn__integer_conv *c, const nn__integer_picture *picture,
                                  int i, const char **x) {
    const nn_conv2d_params *p = &c->args->params;
    const int halves = nn__ceil_div(c->OW, NN__INTEGER_HALF), row = i / halves,
              at = nn__mini(i % halves * NN__INTEGER_HALF, c->OW - NN__INTEGER_HALF);
    *x = picture->x + row * p->stride_h * picture->across +
         (ptrdiff_t)at * p->stride_w * c->C * c->loops->bytes;
    return ((ptrdiff_t)picture->image * c->OH + picture->first + row) * c->OW + at;
}

/* Computes the channels of a panel for all places of a unit. */
static void nn__windows_panel(const nn__integer_conv *c, const nn__integer_picture *picture,
                              const char *packed, int panel) {
    const nn_integer_conv2d_args *args = c->args;
    const int lanes = c->loops->lanes, k = panel * lanes, n = nn__mini(lanes, c->each - k),
              halves = picture->rows * nn__ceil_div(c->OW, NN__INTEGER_HALF);
    const int32_t *factor = nn__i32(&args->factor), *zero = nn__i32(&args->zero);
    int8_t *y = (int8_t *)(void *)nn__i32(&args->y) + k;
    int32_t sums[NN__INTEGER_ROWS * NN__INTEGER_LANES];
    int64_t factors[NN__INTEGER_FACTORS];
    nn__integer_out out;
    nn__integer_windows_tile t;
    out.multiplier = factor + k, out.shift = factor + c->K + k;
    out.zero = zero[NN_INTEGER_Y];
    out.low = zero[NN_INTEGER_LOW], out.high = zero[NN_INTEGER_HIGH];
    out.factors = NULL;
    if (c->loops->prepare && c->loops->prepare(factors, &out, n))
        out.factors = factors;
    t.start = (const int32_t *)(const void *)(packed + c->panel_bytes * (size_t)panel);
    t.w = (const char *)(t.start + lanes);
    t.sums = sums;
    t.lines = c->lines;
    t.steps = c->line / c->loops->step;
    t.x_row = (ptrdiff_t)args->params.stride_w * c->C * c->loops->bytes;
    t.x_line = args->params.dilation_h * picture->across;
    for (int i = 0; i < halves; i += 2) {
        const ptrdiff_t place = nn__windows_half(c, picture, i, &t.x[0]);
        t.x[1] = NULL;
        const ptrdiff_t other = i + 1 < halves ? nn__windows_half(c, picture, i + 1, &t.x[1]) : 0;
        c->loops->windows(&t);
        c->loops->requantize(y + place * c->K, c->K, sums, lanes, NN__INTEGER_HALF, &out, n);
        if (t.x[1])
            c->loops->requantize(y + other * c->K, c->K, sums + NN__INTEGER_HALF * lanes, lanes,
                                 NN__INTEGER_HALF, &out, n);
    }
}

NN_PRIVATE void nn__integer_windows_unit(const nn__integer_conv *c, int unit, const char *packed,
                                         char *own) {
    const int block = unit / c->parts, part = unit % c->parts,
              blocks = nn__ceil_div(c->OH, c->rows);
    const int from = (int)((int64_t)c->panels * part / c->parts),
              end = (int)((int64_t)c->panels * (part + 1) / c->parts);
    nn__integer_picture picture;
    picture.image = block / blocks;
    picture.first = block % blocks * c->rows;
    picture.rows = nn__mini(c->rows, c->OH - picture.first);
    picture.width = nn__windows_width(c);
    picture.across = (ptrdiff_t)picture.width * c->C * c->loops->bytes;
    picture.x = own;
    nn__windows_copy(c, &picture, own);
    for (int panel = from; panel < end; panel++) nn__windows_panel(c, &picture, packed, panel);
}
#undef NN__WINDOWS_BYTES
#undef NN__WINDOWS_SLACK
#endif

typedef int nn__integer_windows_part; /* a part must not be empty under NN_NO_SIMD */
