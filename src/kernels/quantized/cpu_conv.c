/* kernels/quantized/cpu_conv.c - convolutions of 8-bit integers between values in f32, on the CPU.

   The rows of a tile are output channels, and its lanes are places of y, so x and y keep their
   order (channels first). Phase 0 packs the weights; phase 1 copies x into planes with padding, one
   for each remainder of the stride. In a plane each tap of the window has the same distance from
   every place. Places are numbered along whole rows of the plane, so a few are beyond the rows of y
   and are dropped. Phase 2 gathers the windows of a block of places and multiplies them by all
   weights. */
#include "kernels/quantized/cpu.h"
#include "kernels/quantized/vector.h"

typedef struct nn__quantized_conv {
    const nn_quantized_conv2d_args *args;
    const nn__integer_loops *loops;
    int N, C, H, W, K, OH, OW, R, S, channels; /* channels: C in whole steps */
    int padded, height, width, blocks;         /* of a plane; blocks of places */
    size_t image, row, heads;                  /* bytes: all planes; a row of weights; their sums */
} nn__quantized_conv;

static nn__quantized_conv nn__quantized_conv_of(const nn__cpu *cpu,
                                                const nn_quantized_conv2d_args *args) {
    const nn_conv2d_params *p = &args->params;
    const int32_t *x = args->x.shape.extent, *y = args->y.shape.extent;
    nn__quantized_conv c;
    c.args = args;
    c.loops = nn__integer_loops_of(cpu);
    c.N = x[0], c.C = x[1], c.H = x[2], c.W = x[3];
    c.K = y[1], c.OH = y[2], c.OW = y[3], c.R = p->kernel_h, c.S = p->kernel_w;
    const int step = c.loops->step, unit = step * c.loops->unroll, lanes = c.loops->lanes;
    c.channels = nn__ceil_div(c.C, step) * step;
    c.padded = nn__ceil_div(c.R * c.S * c.channels, unit) * unit;
    c.height = c.OH + (c.R - 1) * p->dilation_h / p->stride_h;
    c.width = c.OW + (c.S - 1) * p->dilation_w / p->stride_w;
    c.blocks = nn__ceil_div((c.OH - 1) * c.width + c.OW, lanes);
    /* a block may read some places beyond the last plane */
    c.image = (size_t)p->stride_h * (size_t)p->stride_w * (size_t)c.C * (size_t)c.height *
                  (size_t)c.width +
              (size_t)lanes + NN__ALIGNMENT;
    c.image = (c.image + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    c.row = (size_t)c.padded * (size_t)c.loops->bytes;
    c.heads = ((size_t)c.K * sizeof(int32_t) + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
    return c;
}

/* Returns the bytes of the packed weights: the sum of each row, the rows, and one row of ones. */
static size_t nn__quantized_conv_weights(const nn__quantized_conv *c) {
    const size_t all = c->heads + (size_t)(c->K + 1) * c->row;
    return (all + NN__ALIGNMENT - 1) / NN__ALIGNMENT * NN__ALIGNMENT;
}
NN_PRIVATE uint64_t nn__quantized_conv_packed(const nn__cpu *cpu, const void *arguments) {
    const nn__quantized_conv c =
        nn__quantized_conv_of(cpu, (const nn_quantized_conv2d_args *)arguments);
    return nn__quantized_conv_weights(&c);
}

static int nn__quantized_conv_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_quantized_conv2d_args *args = (const nn_quantized_conv2d_args *)arguments;
    const nn__quantized_conv c = nn__quantized_conv_of(cpu, args);
    if (args->keep == NN_KEEP_MAKES && phase > 0) return 0;
    if (args->keep == NN_KEEP_USES) phase++;
    return phase == 0   ? c.K + 1
           : phase == 1 ? c.N * c.C
           : phase == 2 ? c.N * c.blocks
                        : 0;
}
static size_t nn__quantized_conv_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_conv2d_args *args = (const nn_quantized_conv2d_args *)arguments;
    const nn__quantized_conv c = nn__quantized_conv_of(cpu, args);
    if (args->keep == NN_KEEP_MAKES) return 0;
    return (args->keep == NN_KEEP_NOT ? nn__quantized_conv_weights(&c) : 0) +
           (size_t)c.N * c.image;
}
/* Returns the bytes of a panel of windows, and of the distance of each of its taps. */
static size_t nn__quantized_conv_own(const nn__cpu *cpu, const void *arguments) {
    const nn_quantized_conv2d_args *args = (const nn_quantized_conv2d_args *)arguments;
    const nn__quantized_conv c = nn__quantized_conv_of(cpu, args);
    if (args->keep == NN_KEEP_MAKES) return 0;
    return (size_t)c.padded * sizeof(int32_t) + c.row * (size_t)c.loops->lanes;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* Packs the weights of channel k: taps, then channels. Row K is ones. */
static void nn__quantized_conv_pack(const nn__quantized_conv *c, int k, char *packed) {
    char *row = packed + c->heads + (size_t)k * c->row;
    const int bytes = c->loops->bytes;
    int32_t sum = 0;
    int16_t *halves = (int16_t *)(void *)row;
    for (int i = 0; i < c->padded && k == c->K; i++) {
        if (bytes == 1) row[i] = 1;
        else halves[i] = 1;
    }
    if (k == c->K) return;
    const int8_t *w = nn__i8(&c->args->weight) + (ptrdiff_t)k * c->C * c->R * c->S;
    for (int i = 0; i < c->padded; i++) {
        const int tap = i / c->channels, channel = i % c->channels;
        const bool inside = tap < c->R * c->S && channel < c->C;
        const int8_t one = inside ? w[(ptrdiff_t)channel * c->R * c->S + tap] : (int8_t)0;
        sum += one;
        c->loops->widen(row + (ptrdiff_t)i * bytes, &one, 1);
    }
    ((int32_t *)(void *)packed)[k] = sum;
}

/* memcpy for rows that are often short: calls take longer than a few bytes. */
static void nn__quantized_copy(int8_t *to, const int8_t *from, int n) {
    int i = 0;
    for (; i + 16 <= n; i += 16) memcpy(to + i, from + i, 16);
    for (; i + 4 <= n; i += 4) memcpy(to + i, from + i, 4);
    for (; i < n; i++) to[i] = from[i];
}

/* Copies channel `channel` of image n into its planes. */
static void nn__quantized_conv_plane(const nn__quantized_conv *c, int n, int channel, int8_t *to) {
    const nn_conv2d_params *p = &c->args->params;
    const int8_t zero = (int8_t)nn__f32(&c->args->range)[1];
    const int8_t *x = nn__i8(&c->args->x) + ((ptrdiff_t)n * c->C + channel) * c->H * c->W;
    const ptrdiff_t plane = (ptrdiff_t)c->height * c->width;
    if (c->height == c->H && c->width == c->W && p->padding_h == 0 && p->padding_w == 0 &&
        p->stride_h == 1 && p->stride_w == 1) {
        memcpy(to + channel * plane, x, (size_t)plane);
        return;
    }
    for (int part = 0; part < p->stride_h * p->stride_w; part++) {
        int8_t *row = to + ((ptrdiff_t)part * c->C + channel) * plane;
        for (int i = 0; i < c->height; i++, row += c->width) {
            const int h = i * p->stride_h + part / p->stride_w - p->padding_h;
            const int first = part % p->stride_w - p->padding_w;
            if (h < 0 || h >= c->H) {
                memset(row, zero, (size_t)c->width);
                continue;
            }
            const int8_t *line = x + (ptrdiff_t)h * c->W;
            /* row[left] to row[end - 1] are inside of x */
            const int left =
                nn__mini(first < 0 ? nn__ceil_div(-first, p->stride_w) : 0, c->width);
            const int last = c->W > first ? nn__ceil_div(c->W - first, p->stride_w) : 0,
                      end = nn__maxi(left, nn__mini(c->width, last));
            for (int k = 0; k < left; k++) row[k] = zero;
            if (p->stride_w == 1)
                nn__quantized_copy(row + left, line + (first + left), end - left);
            else
                for (int k = left; k < end; k++) row[k] = line[first + k * p->stride_w];
            for (int k = end; k < c->width; k++) row[k] = zero;
        }
    }
}

/* Lists the distance of each tap of the window from a place. */
static void nn__quantized_conv_taps(const nn__quantized_conv *c, int32_t *offset) {
    const nn_conv2d_params *p = &c->args->params;
    const int plane = c->height * c->width;
    int at = 0;
    for (int r = 0; r < c->R; r++)
        for (int s = 0; s < c->S; s++) {
            const int h = r * p->dilation_h, w = s * p->dilation_w;
            const int part = h % p->stride_h * p->stride_w + w % p->stride_w;
            const int from = part * c->C * plane + h / p->stride_h * c->width + w / p->stride_w;
            for (int k = 0; k < c->channels; k++)
                offset[at++] = from + (k < c->C ? k : 0) * plane; /* channels from C on have weights
                                                                     of 0 */
        }
    while (at < c->padded) offset[at++] = 0;
}

/* ---- products -------------------------------------------------------------------------------- */

/* Stores some rows of sums, from channel k on, for the places of a block that lie in y. */
static void nn__quantized_conv_store(const nn__cpu *cpu, const nn__quantized_conv *c, int n,
                                     int first, const nn__integer_tile *t, int k,
                                     const int32_t *sums, const int32_t *less) {
    const nn_quantized_conv2d_args *a = c->args;
    const float *range = nn__f32(&a->range), *scale = nn__f32(&a->scale);
    const int lanes = c->loops->lanes;
    const ptrdiff_t plane = (ptrdiff_t)c->OH * c->OW;
    float *y = nn__f32(&a->y) + ((ptrdiff_t)n * c->K + k) * plane;
    float scales[NN__INTEGER_ROWS];
    int32_t more[NN__INTEGER_ROWS];
    for (int r = 0; r < t->rows; r++) {
        const uint32_t bias = nn__present(&a->bias) ? (uint32_t)nn__i32(&a->bias)[k + r] : 0;
        scales[r] = range[0] * scale[k + r];
        more[r] = (int32_t)(bias - (uint32_t)sums[k + r] * (uint32_t)(int32_t)range[1]);
    }
    for (int i = 0; i < lanes;) {
        const int h = (first + i) / c->width, w = (first + i) % c->width;
        const int count = nn__mini(lanes - i, c->width - w), inside = nn__mini(count, c->OW - w);
        if (h >= c->OH) return;
        if (inside > 0)
            NN__OF_SET(cpu, nn__quantized_loops)
                ->planes(y + (ptrdiff_t)h * c->OW + w, plane, t->sums + i, lanes, t->rows, less + i,
                         more, scales, inside);
        i += count;
    }
}

static void nn__quantized_conv_block(const nn__cpu *cpu, const nn__quantized_conv *c, int n,
                                     int block, const char *packed, const int8_t *image,
                                     char *own) {
    const nn__integer_loops *loops = c->loops;
    const int lanes = loops->lanes, first = block * lanes;
    int32_t sums[NN__INTEGER_ROWS * NN__INTEGER_LANES], less[NN__INTEGER_LANES],
        start[NN__INTEGER_LANES];
    int32_t *offset = (int32_t *)(void *)own;
    char *panel = own + (size_t)c->padded * sizeof *offset;
    nn__integer_tile t;
    nn__quantized_conv_taps(c, offset);
    NN__OF_SET(cpu, nn__quantized_loops)
        ->panel(panel, image + first, offset, c->padded / loops->step, lanes, loops->step,
                loops->bytes);
    memset(start, 0, sizeof start);
    memset(less, 0, sizeof less);
    t.w = panel;
    t.start = start;
    t.x_row = (ptrdiff_t)c->row;
    t.steps = c->padded / loops->step;
    t.sums = sums;
    if (loops->offset) { /* the weights have an offset: less = offset * (sum of x) */
        t.rows = 1;
        t.x = packed + c->heads + (size_t)c->K * c->row;
        loops->tile(&t);
        for (int i = 0; i < lanes; i++)
            less[i] = (int32_t)((uint32_t)sums[i] * (uint32_t)loops->offset);
    }
    for (int k = 0; k < c->K; k += t.rows) {
        t.rows = nn__mini(loops->rows, c->K - k);
        t.x = packed + c->heads + (size_t)k * c->row;
        loops->tile(&t);
        nn__quantized_conv_store(cpu, c, n, first, &t, k, (const int32_t *)(const void *)packed,
                                 less);
    }
}

static void nn__quantized_conv_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                    void *shared, void *own) {
    const nn_quantized_conv2d_args *args = (const nn_quantized_conv2d_args *)arguments;
    const nn__quantized_conv c = nn__quantized_conv_of(cpu, args);
    const bool kept = args->keep != NN_KEEP_NOT;
    char *packed = kept ? (char *)args->kept : (char *)shared;
    int8_t *images = (int8_t *)shared + (kept ? 0 : nn__quantized_conv_weights(&c));
    if (args->keep == NN_KEEP_USES) phase++;
    if (phase == 0)
        nn__quantized_conv_pack(&c, unit, packed);
    else if (phase == 1)
        nn__quantized_conv_plane(&c, unit / c.C, unit % c.C,
                                 images + (size_t)(unit / c.C) * c.image);
    else
        nn__quantized_conv_block(cpu, &c, unit / c.blocks, unit % c.blocks, packed,
                                 images + (size_t)(unit / c.blocks) * c.image, (char *)own);
}

static const nn__cpu_kernel nn__quantized_conv_kernel = {
    nn__quantized_conv_units, nn__quantized_conv_unit, nn__quantized_conv_shared,
    nn__quantized_conv_own, NULL};

NN_PRIVATE const nn__cpu_kernel *nn__quantized_conv_functions(void) {
    return &nn__quantized_conv_kernel;
}
