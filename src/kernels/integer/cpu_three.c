/* kernels/integer/cpu_three.c - depthwise convolutions of 3 x 3 of 8-bit integers, several places
   at a time, for sets with loops of their own.

   The channels are divided into blocks of NN__INTEGER_THREE_LANES lanes. The last block, if it has
   fewer channels, computes several groups of places at the same time: with 16 channels, each
   quarter of a row of y has 16 lanes. A unit is a block for some rows of y. It copies the rows of x
   that it needs, with padding, one after the other into a ring of three. */
#include "cpu/gemm.h"
#include "kernels/integer/cpu.h"

#ifndef NN_NO_SIMD

#define NN__THREE_UNITS    16 /* with at most half of it, rows of y are divided among units ... */
#define NN__THREE_ROWS     4  /* ... that have this many each, since each copies two rows more */
#define NN__THREE_CHANNELS 8  /* with fewer, places are copied in too small pieces */
#define NN__THREE_LANES    NN__INTEGER_THREE_LANES

NN_PRIVATE bool nn__integer_has_three(const nn__cpu *cpu, const nn_integer_conv2d_args *args) {
    const nn_conv2d_params *p = &args->params;
    return nn__integer_loops_of(cpu)->three && p->kernel_h == 3 && p->kernel_w == 3 &&
           p->dilation_h == 1 && p->dilation_w == 1 && p->stride_w <= 2 &&
           args->y.shape.extent[3] >= NN__THREE_CHANNELS;
}

/* A block of channels. */
typedef struct nn__integer_block {
    int first, channels; /* of y */
    int groups, places;  /* of a row of y: groups of adjacent places, and the size of the first */
    int columns;         /* of a row in the ring */
} nn__integer_block;

static int nn__three_blocks(const nn_integer_conv2d_args *args) {
    return nn__ceil_div(args->y.shape.extent[3], NN__THREE_LANES);
}
static nn__integer_block nn__three_block(const nn_integer_conv2d_args *args, int i) {
    nn__integer_block b;
    b.first = i * NN__THREE_LANES;
    b.channels = nn__mini(args->y.shape.extent[3] - b.first, NN__THREE_LANES);
    b.groups = NN__THREE_LANES / b.channels;
    b.places = nn__ceil_div(args->y.shape.extent[2], b.groups);
    b.columns = (nn__ceil_div(b.places, 4) * 4 - 1) * args->params.stride_w + 3;
    return b;
}

static int nn__three_parts(const nn_integer_conv2d_args *args) {
    const int32_t *y = args->y.shape.extent;
    const int whole = y[0] * nn__three_blocks(args);
    return nn__mini(nn__maxi(NN__THREE_UNITS / whole, 1), nn__ceil_div(y[1], NN__THREE_ROWS));
}
NN_PRIVATE int nn__integer_three_units(const nn_integer_conv2d_args *args, int phase) {
    const int blocks = nn__three_blocks(args);
    return phase == 0 ? blocks
           : phase == 1 ? args->y.shape.extent[0] * blocks * nn__three_parts(args)
                        : 0;
}
/* Packed weights of a block: the starts of the sums, then the weights. */
static size_t nn__three_bytes(void) {
    return NN__THREE_LANES * sizeof(int32_t) + 2 * NN__INTEGER_THREE_HALF;
}
NN_PRIVATE size_t nn__integer_three_packed(const nn_integer_conv2d_args *args) {
    return nn__three_bytes() * (size_t)nn__three_blocks(args);
}
/* Returns the bytes of a row of the ring. The first block has the longest rows. */
static size_t nn__three_across(const nn_integer_conv2d_args *args) {
    return (size_t)nn__three_block(args, 0).columns * NN__THREE_LANES;
}
/* The ring, and a row of y. */
NN_PRIVATE size_t nn__integer_three_own(const nn_integer_conv2d_args *args) {
    return 3 * nn__three_across(args) + (size_t)args->y.shape.extent[2] * NN__THREE_LANES;
}

static void nn__three_pack(const nn_integer_conv2d_args *args, int i, char *to) {
    const nn__integer_block b = nn__three_block(args, i);
    const int C = args->y.shape.extent[3];
    const int8_t *weight = nn__i8(&args->weight);
    const int32_t *bias = nn__i32(&args->bias);
    const uint32_t offset = (uint32_t)nn__i32(&args->zero)[NN_INTEGER_X] + 128;
    int32_t *start = (int32_t *)(void *)to;
    int8_t *w = (int8_t *)(start + NN__THREE_LANES);
    memset(to, 0, nn__three_bytes());
    for (int k = 0; k < NN__THREE_LANES; k++) {
        const int lane = nn__integer_three_lane(k), c = b.first + lane % b.channels;
        uint32_t sum = 0;
        if (lane >= b.groups * b.channels) continue;
        for (int r = 0; r < 3; r++) {
            int8_t *four = w + k / 32 * NN__INTEGER_THREE_HALF + r * 256 + k % 32 * 4;
            for (int s = 0; s < 3; s++) {
                const int32_t one = weight[(ptrdiff_t)(3 * r + s) * C + c];
                four[s] = four[128 + s + 1] = (int8_t)one;
                sum += (uint32_t)one;
            }
        }
        start[k] = (int32_t)((uint32_t)bias[c] - sum * offset);
    }
}

/* Copies a row of x into the ring. h: may be outside of x */
static void nn__three_copy(const nn_integer_conv2d_args *args, const nn__integer_loops *loops,
                           const nn__integer_block *b, int image, int h, uint8_t *to) {
    const int32_t *x = args->x.shape.extent;
    const int W = x[2], C = x[3], padding = (nn__i32(&args->zero)[NN_INTEGER_X] + 128) & 0xff;
    if (h < 0 || h >= x[1]) {
        memset(to, padding, (size_t)b->columns * NN__THREE_LANES);
        return;
    }
    const int8_t *row = nn__i8(&args->x) + ((ptrdiff_t)image * x[1] + h) * W * C + b->first;
    for (int g = 0; g < b->groups; g++, to += b->channels) {
        const int left = g * b->places * args->params.stride_w - args->params.padding_w,
                  from = nn__mini(nn__maxi(-left, 0), b->columns),
                  end = nn__maxi(nn__mini(W - left, b->columns), from);
        for (int i = 0; i < from; i++)
            memset(to + i * NN__THREE_LANES, padding, (size_t)b->channels);
        if (end > from)
            loops->three_copy(to + from * NN__THREE_LANES, row + (ptrdiff_t)(left + from) * C, C,
                              end - from, b->channels);
        for (int i = end; i < b->columns; i++)
            memset(to + i * NN__THREE_LANES, padding, (size_t)b->channels);
    }
}

/* Copies the groups of a row of y to their places: n channels each. */
static NN__ALWAYS_INLINE void nn__three_spread_some(const nn__integer_block *b, int8_t *y,
                                                    const int8_t *from, int OW, int C, size_t n) {
    for (int g = 0; g < b->groups; g++, from += n) {
        const int first = g * b->places, places = nn__mini(b->places, OW - first);
        int8_t *to = y + (ptrdiff_t)first * C;
        for (int i = 0; i < places; i++, to += C) memcpy(to, from + i * NN__THREE_LANES, n);
    }
}
static void nn__three_spread(const nn__integer_block *b, int8_t *y, const int8_t *from, int OW,
                             int C) {
    if (b->channels == 32)
        nn__three_spread_some(b, y, from, OW, C, 32);
    else if (b->channels == 16)
        nn__three_spread_some(b, y, from, OW, C, 16);
    else if (b->channels == 8)
        nn__three_spread_some(b, y, from, OW, C, 8);
    else
        nn__three_spread_some(b, y, from, OW, C, (size_t)b->channels);
}

NN_PRIVATE void nn__integer_three_unit(const nn__cpu *cpu, const nn_integer_conv2d_args *args,
                                       int phase, int unit, void *shared, void *own) {
    const nn__integer_loops *loops = nn__integer_loops_of(cpu);
    const int32_t *extent = args->y.shape.extent, *zero = nn__i32(&args->zero),
                  *factor = nn__i32(&args->factor);
    const int OH = extent[1], OW = extent[2], C = extent[3], parts = nn__three_parts(args),
              blocks = nn__three_blocks(args), i = phase == 0 ? unit : unit / parts % blocks,
              image = unit / parts / blocks, part = unit % parts;
    const nn__integer_block b = nn__three_block(args, i);
    char *packed = (char *)shared + nn__three_bytes() * (size_t)i;
    if (phase == 0) {
        nn__three_pack(args, i, packed);
        return;
    }
    int32_t multiplier[NN__THREE_LANES], shift[NN__THREE_LANES];
    int64_t factors[NN__INTEGER_THREE_FACTORS];
    for (int k = 0; k < NN__THREE_LANES; k++) {
        const int c = b.first + nn__integer_three_lane(k) % b.channels;
        multiplier[k] = factor[c], shift[k] = factor[C + c];
    }
    const size_t across = nn__three_across(args);
    uint8_t *ring = (uint8_t *)own;
    int8_t *places = (int8_t *)(void *)(ring + 3 * across);
    const bool whole = b.channels == NN__THREE_LANES;
    nn__integer_three t;
    t.start = (const int32_t *)(const void *)packed;
    t.w = (const int8_t *)(t.start + NN__THREE_LANES);
    t.factors = factors;
    t.zero = zero[NN_INTEGER_Y];
    t.usual = loops->three_prepare(factors, multiplier, shift, t.zero);
    t.places = b.places;
    t.strided = args->params.stride_w == 2;
    t.low = nn__maxi(zero[NN_INTEGER_LOW], -128), t.high = nn__mini(zero[NN_INTEGER_HIGH], 127);
    t.y_row = whole ? C : NN__THREE_LANES;
    const int end = (int)((int64_t)OH * (part + 1) / parts);
    for (int oh = (int)((int64_t)OH * part / parts), next = 0; oh < end; oh++) {
        int8_t *y = (int8_t *)(void *)nn__i32(&args->y) +
                    ((ptrdiff_t)image * OH + oh) * OW * C + b.first;
        for (int r = 0; r < 3; r++) {
            const int h = oh * args->params.stride_h + r; /* with padding */
            uint8_t *to = ring + (size_t)(h % 3) * across;
            if (h >= next) nn__three_copy(args, loops, &b, image, h - args->params.padding_h, to);
            t.x[r] = to;
        }
        next = oh * args->params.stride_h + 3;
        t.y = whole ? y : places;
        loops->three(&t);
        if (!whole) nn__three_spread(&b, y, places, OW, C);
    }
}
#undef NN__THREE_UNITS
#undef NN__THREE_ROWS
#undef NN__THREE_CHANNELS
#undef NN__THREE_LANES
#endif

typedef int nn__integer_three_part; /* a part must not be empty under NN_NO_SIMD */
