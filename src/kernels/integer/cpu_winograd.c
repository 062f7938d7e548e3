/* kernels/integer/cpu_winograd.c - convolutions of 8-bit integers with windows of 3 x 3 and a
   stride of 1, for sets that multiply 16-bit numbers. Winograd's F(2 x 2, 3 x 3) takes 16 products
   for four places instead of 36. Source: Lavin and Gray, "Fast Algorithms for Convolutional Neural
   Networks", 2015.

   All results are exact. The matrix G of the weights is doubled, so G g G' is four times as large
   as usual: integers of at most 9 * 128. A transformed tile has numbers of at most 4 * 128. The
   results are four times the sums of products, and below 2^31 for up to NN__WINOGRAD_DEPTH
   channels. They are divided by four before the bias is added. A zero point of x changes only
   number 5 of a transformed tile, by four times itself.

   A unit transforms some tiles of x, multiplies each of their 16 numbers by a panel of weights, and
   transforms the products back. */
#include "cpu/gemm.h"
#include "kernels/integer/cpu.h"

#ifndef NN_NO_SIMD

#define NN__WINOGRAD_TILES 54 /* tiles of a unit: their products with one panel take 54 KB */
#define NN__WINOGRAD_LEAST 24 /* with fewer tiles, reading the weights takes longer than it saves */
#define NN__WINOGRAD_DEPTH 1024 /* 4 * 9 * 1024 * 255 * 128 < 2^31 */

NN_PRIVATE bool nn__integer_has_winograd(const nn__integer_conv *c) {
    const nn_conv2d_params *p = &c->args->params;
    const int64_t tiles =
        c->args->y.shape.extent[0] * (int64_t)nn__ceil_div(c->OH, 2) * nn__ceil_div(c->OW, 2);
    return c->loops->tile_in && !c->args->transposed && p->groups == 1 && p->kernel_h == 3 &&
           p->kernel_w == 3 && p->stride_h == 1 && p->stride_w == 1 && p->dilation_h == 1 &&
           p->dilation_w == 1 && c->C >= 16 && c->C <= NN__WINOGRAD_DEPTH && c->K >= 16 &&
           tiles >= NN__WINOGRAD_LEAST;
}

/* Returns the length of a row: one number of a tile for all channels of x, padded. */
static size_t nn__squares_row(const nn__integer_conv *c) {
    const int unit = c->loops->step * c->loops->unroll;
    return (size_t)(nn__ceil_div(c->C, unit) * unit);
}
static int64_t nn__squares_tiles(const nn__integer_conv *c) {
    return c->args->y.shape.extent[0] * (int64_t)nn__ceil_div(c->OH, 2) * nn__ceil_div(c->OW, 2);
}

/* A panel has zeros, the starts of the sums of number 5, biases, and 16 parts of weights. */
NN_PRIVATE void nn__integer_cut_winograd(nn__integer_conv *c) {
    const int64_t tiles = nn__squares_tiles(c),
                  blocks = (tiles + NN__WINOGRAD_TILES - 1) / NN__WINOGRAD_TILES;
    const int each = (int)((tiles + blocks - 1) / blocks), height = c->loops->rows;
    c->rows = nn__ceil_div(each, height) * height;
    c->blocks = (tiles + c->rows - 1) / c->rows;
    c->panel_bytes =
        (size_t)c->loops->lanes * (3 * sizeof(int32_t) + 16 * nn__squares_row(c) * sizeof(int16_t));
}
/* Returns the bytes of a unit: transformed tiles, products, sums, a place of padding. */
NN_PRIVATE size_t nn__integer_winograd_own(const nn__integer_conv *c) {
    return (size_t)c->rows * (16 * nn__squares_row(c) * sizeof(int16_t) +
                              20 * (size_t)c->loops->lanes * sizeof(int32_t)) +
           (size_t)c->C;
}

/* Multiplies (a, b, c) by the doubled matrix of the weights. */
static void nn__squares_four(int32_t *to, int32_t a, int32_t b, int32_t c) {
    to[0] = 2 * a, to[1] = a + b + c, to[2] = a - b + c, to[3] = 2 * c;
}
/* Transforms a window whose taps are `apart` numbers apart. */
static void nn__squares_weights(int32_t *to, const int8_t *w, ptrdiff_t apart) {
    int32_t columns[3][4], four[4];
    for (int s = 0; s < 3; s++)
        nn__squares_four(columns[s], w[s * apart], w[(3 + s) * apart], w[(6 + s) * apart]);
    for (int i = 0; i < 4; i++) {
        nn__squares_four(four, columns[0][i], columns[1][i], columns[2][i]);
        memcpy(to + (ptrdiff_t)i * 4, four, sizeof four);
    }
}
NN_PRIVATE void nn__integer_winograd_pack(const nn__integer_conv *c, int panel, char *to) {
    const int lanes = c->loops->lanes, step = c->loops->step, first = panel * lanes;
    const int32_t *bias = nn__i32(&c->args->bias);
    const uint32_t zero = (uint32_t)nn__i32(&c->args->zero)[NN_INTEGER_X];
    const ptrdiff_t part = (ptrdiff_t)nn__squares_row(c) * lanes;
    int32_t *start = (int32_t *)(void *)to + lanes, *biases = start + lanes, numbers[16];
    int16_t *w = (int16_t *)(void *)(biases + lanes);
    memset(to, 0, c->panel_bytes);
    for (int lane = 0; lane < lanes && first + lane < c->K; lane++) {
        const int8_t *from = nn__i8(&c->args->weight) + (ptrdiff_t)(first + lane) * c->depth;
        uint32_t sum = 0;
        biases[lane] = bias[first + lane];
        for (int p = 0; p < c->C; p++) {
            nn__squares_weights(numbers, from + p, c->C);
            for (int t = 0; t < 16; t++)
                w[t * part + ((ptrdiff_t)(p / step) * lanes + lane) * step + p % step] =
                    (int16_t)numbers[t];
            sum += (uint32_t)numbers[5];
        }
        start[lane] = (int32_t)(0 - 4 * zero * sum);
    }
}

/* Transforms tile number `tile` of x. */
static void nn__squares_take(const nn__integer_conv *c, int64_t tile, int16_t *to,
                             const int8_t *padding) {
    const nn_conv2d_params *p = &c->args->params;
    const int across = nn__ceil_div(c->OW, 2), down = nn__ceil_div(c->OH, 2);
    const int left = (int)(tile % across) * 2 - p->padding_w,
              top = (int)(tile / across % down) * 2 - p->padding_h;
    const size_t row = nn__squares_row(c);
    const int8_t *x = nn__i8(&c->args->x) + (ptrdiff_t)(tile / across / down) * c->H * c->W * c->C;
    const int8_t *places[16];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) {
            const int h = top + i, w = left + k;
            places[4 * i + k] = h >= 0 && h < c->H && w >= 0 && w < c->W
                                    ? x + ((ptrdiff_t)h * c->W + w) * c->C
                                    : padding;
        }
    c->loops->tile_in(to, (ptrdiff_t)c->rows * (ptrdiff_t)row, places, c->C);
    for (int t = 0; t < 16; t++)
        for (size_t i = (size_t)c->C; i < row; i++) to[(size_t)t * (size_t)c->rows * row + i] = 0;
}

/* Stores the sums of `tiles` tiles as numbers of y. sums: (2, 2 c->rows, lanes). */
static void nn__squares_put(const nn__integer_conv *c, int64_t first, int tiles,
                            const int32_t *sums, const nn__integer_out *out, int8_t *y, int n) {
    const int across = nn__ceil_div(c->OW, 2), down = nn__ceil_div(c->OH, 2);
    const int lanes = c->loops->lanes;
    for (int done = 0; done < tiles;) {
        const int64_t tile = first + done;
        const int column = (int)(tile % across) * 2, row = (int)(tile / across % down) * 2;
        const int run = nn__mini(across - column / 2, tiles - done),
                  places = nn__mini(2 * run, c->OW - column);
        const ptrdiff_t place = ((ptrdiff_t)(tile / across / down) * c->OH + row) * c->OW + column;
        for (int i = 0; i < 2 && row + i < c->OH; i++)
            c->loops->requantize(y + (place + (ptrdiff_t)i * c->OW) * c->K, c->K,
                                 sums + (ptrdiff_t)(i * c->rows + done) * 2 * lanes, lanes, places,
                                 out, n);
        done += run;
    }
}

NN_PRIVATE void nn__integer_winograd_unit(const nn__integer_conv *c, int unit, const char *packed,
                                          char *own) {
    const int block = unit / c->parts, share = unit % c->parts, lanes = c->loops->lanes;
    const int from = (int)((int64_t)c->panels * share / c->parts),
              end = (int)((int64_t)c->panels * (share + 1) / c->parts);
    const int64_t first = (int64_t)block * c->rows;
    const int tiles = (int)nn__min64(c->rows, nn__squares_tiles(c) - first);
    const int32_t *factor = nn__i32(&c->args->factor), *zero = nn__i32(&c->args->zero);
    const ptrdiff_t row = (ptrdiff_t)nn__squares_row(c), across = (ptrdiff_t)c->rows * lanes;
    int32_t *m = (int32_t *)(void *)own, *sums = m + 16 * across;
    int16_t *x = (int16_t *)(void *)(sums + 4 * across);
    int8_t *padding = (int8_t *)(x + 16 * c->rows * row);
    nn__integer_tile t;
    nn__integer_out out;
    memset(padding, zero[NN_INTEGER_X] & 0xff, (size_t)c->C);
    for (int i = 0; i < tiles; i++) nn__squares_take(c, first + i, x + i * row, padding);
    t.x_row = row * (ptrdiff_t)sizeof *x;
    t.steps = (int)row / c->loops->step;
    out.zero = zero[NN_INTEGER_Y];
    out.low = zero[NN_INTEGER_LOW], out.high = zero[NN_INTEGER_HIGH];
    out.factors = NULL;
    for (int panel = from; panel < end; panel++) {
        const int k = panel * lanes;
        const int32_t *none =
            (const int32_t *)(const void *)(packed + c->panel_bytes * (size_t)panel);
        const int16_t *w = (const int16_t *)(const void *)(none + 3 * lanes);
        for (int number = 0; number < 16; number++) {
            t.w = (const char *)(w + number * row * lanes);
            t.start = number == 5 ? none + lanes : none;
            for (int i = 0; i < tiles; i += t.rows) {
                t.rows = nn__mini(c->loops->rows, tiles - i);
                t.x = (const char *)(x + (number * (ptrdiff_t)c->rows + i) * row);
                t.sums = m + number * across + (ptrdiff_t)i * lanes;
                c->loops->tile(&t);
            }
        }
        for (int i = 0; i < tiles; i++)
            c->loops->tile_out(sums + (ptrdiff_t)i * 2 * lanes, 2 * across,
                               m + (ptrdiff_t)i * lanes, across, none + 2 * lanes);
        out.multiplier = factor + k, out.shift = factor + c->K + k;
        nn__squares_put(c, first, tiles, sums, &out, (int8_t *)(void *)nn__i32(&c->args->y) + k,
                        nn__mini(lanes, c->K - k));
    }
}
#undef NN__WINOGRAD_TILES
#undef NN__WINOGRAD_LEAST
#undef NN__WINOGRAD_DEPTH
#endif

typedef int nn__integer_winograd_part; /* a part must not be empty under NN_NO_SIMD */
