/* kernels/conv_pool/cpu_gather.c - what kernels/conv_pool/cpu_gather.h says, but for its vectors:
   which blocks go that way, the order of the work, and taps from sums of points. */
#include "kernels/conv_pool/cpu_gather.h"

#if defined(NN__VECTOR16) && !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)

#define NN__GATHER_CHANNELS 3  /* of x, at most: lists do more of them faster */
#define NN__GATHER_VECTORS  64 /* of windows, whose points stay in the second cache */
#define NN__GATHER_AHEAD    4  /* output channels */

/* The sums of a unit. */
typedef struct nn__conv_pool_gather {
    const nn_conv_pool_args *g;
    nn__conv_pool_cut cut; /* of a block: as many rows of windows as their points fit a cache */
    int k, rows;           /* output channels [k, k + rows) */
    int vectors;           /* of a row of windows */
    size_t channel;        /* floats of the points of one channel */
    float *points, *taken, *sums, *band;
} nn__conv_pool_gather;

/* Windows that fill three quarters of their vectors or more. */
NN_PRIVATE bool nn__conv_pool_gathers(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    const int32_t *weight = g->weight.shape.extent;
    const int width = g->y.shape.extent[3];
    return nn__vectors16(cpu) && !g->direct && weight[1] <= NN__GATHER_CHANNELS && weight[2] == 3 &&
           weight[3] == 3 &&
           width * 4 >= nn__ceil_div(width, NN__GATHER_LANES) * NN__GATHER_LANES * 3;
}

/* Of one output channel: of each channel a vector of each sum, and before these one for the bias.
 */
static size_t nn__conv_pool_gather_sums(const nn__conv_pool_gather *s) {
    return (size_t)(NN__GATHER_SUMS * s->cut.conv.channels + 1) * NN__GATHER_LANES;
}

/* Output channels are taken some at a time: the last ones may have nobody beside them. */
static size_t nn__conv_pool_gather_all_sums(const nn__conv_pool_gather *s) {
    return (size_t)nn__ceil_div(s->rows, NN__GATHER_COUNT) * NN__GATHER_COUNT *
           nn__conv_pool_gather_sums(s);
}

static nn__conv_pool_gather nn__conv_pool_make_gather(const nn__cpu *cpu,
                                                      const nn_conv_pool_args *g, int k, int rows) {
    nn__conv_pool_gather s;
    memset(&s, 0, sizeof s);
    s.g = g;
    s.k = k;
    s.rows = rows;
    s.cut = nn__conv_pool_make_cut(cpu, g);
    s.vectors = nn__ceil_div(s.cut.conv.w.outputs, NN__GATHER_LANES);
    s.cut.outputs = nn__maxi(1, nn__mini(NN__GATHER_VECTORS / s.vectors, s.cut.conv.h.outputs));
    s.cut.plane = nn__conv_plane(&s.cut.conv, s.cut.outputs);
    s.cut.channel = nn__conv_channel(&s.cut.conv, s.cut.outputs);
    s.cut.band_floats = nn__align_up(
        (size_t)s.cut.channel * (size_t)s.cut.conv.channels + 2 * NN__CONV_POOL_LANES, 16);
    s.channel = (size_t)(2 * s.cut.outputs + 2) * (size_t)(4 * s.vectors * NN__GATHER_LANES);
    return s;
}

static size_t nn__conv_pool_gather_taken(const nn__conv_pool_gather *s) {
    return nn__align_up((size_t)(s->cut.outputs * s->vectors * NN__GATHER_TAKEN), 16);
}

NN_PRIVATE size_t nn__conv_pool_gather_own(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                           int rows) {
    const nn__conv_pool_gather s = nn__conv_pool_make_gather(cpu, g, 0, rows);
    return (s.channel * (size_t)s.cut.conv.channels + nn__conv_pool_gather_taken(&s) +
            nn__conv_pool_gather_all_sums(&s) + s.cut.band_floats) *
           sizeof(float);
}

/* All points of a block; then the maxima of some output channels, for one channel of x after the
   other. */
static void nn__conv_pool_gather_block(nn__conv_pool_gather *s, int n, int t, int rows) {
    const nn__conv_pool_cut *cut = &s->cut;
    const nn_conv_pool_args *g = s->g;
    const int C = cut->conv.channels, width = cut->conv.w.outputs;
    const ptrdiff_t y_plane = (ptrdiff_t)cut->conv.h.outputs * width;
    const size_t sums = nn__conv_pool_gather_sums(s);
    nn__conv_pool_taking taking;
    nn__conv_pool_gathering m;
    for (int c = 0; c < C; c++)
        for (int q = 0; q < 2 * rows + 2; q++) {
            const float *even = s->band + c * cut->channel + 2 * (q & 1) * cut->plane +
                                (ptrdiff_t)(q >> 1) * cut->conv.row;
            nn__conv_pool_gather_points16(even, even + cut->plane, s->vectors,
                                          s->points + (size_t)c * s->channel +
                                              (ptrdiff_t)q * 4 * s->vectors * NN__GATHER_LANES);
        }
    taking.ahead = NN__GATHER_AHEAD * y_plane;
    taking.rows = m.rows = rows;
    taking.width = width;
    taking.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    m.taken = taking.taken = s->taken;
    m.next_sums = (ptrdiff_t)sums;
    m.vectors = s->vectors;
    for (int k = 0; k < s->rows; k += NN__GATHER_COUNT) {
        const ptrdiff_t from =
            ((ptrdiff_t)n * cut->conv.rows + s->k + k) * y_plane + (ptrdiff_t)t * width;
        taking.dy = nn__f32(&g->dy) + from;
        taking.y = nn__f32(&g->y) + from;
        taking.place = (const uint8_t *)g->place.handle + g->place.offset + from;
        taking.next = k + 1 < s->rows ? y_plane : 0; /* twice the last one: one is not read */
        taking.total = s->sums + (size_t)k * sums;
        taking.next_total = (ptrdiff_t)sums;
        nn__conv_pool_take16(&taking);
        for (int c = 0; c < C; c++) {
            m.points = s->points + (size_t)c * s->channel;
            m.sums = taking.total + (1 + c * NN__GATHER_SUMS) * NN__GATHER_LANES;
            nn__conv_pool_gather16(&m);
        }
    }
}

/* The sums of vectors and points, to taps. */
static void nn__conv_pool_gather_end(const nn__conv_pool_gather *s, float *taps, ptrdiff_t tap_row,
                                     float *bias) {
    const int C = s->cut.conv.channels;
    const size_t sums = nn__conv_pool_gather_sums(s);
    float sum[NN__GATHER_SUMS * NN__GATHER_CHANNELS + 1];
    for (int k = 0; k < s->rows; k++, taps += 3 * tap_row) {
        nn__conv_pool_add_up16(s->sums + (size_t)k * sums, NN__GATHER_SUMS * C + 1, sum);
        bias[k] = sum[0];
        for (int c = 0; c < C; c++)
            for (int r = 0; r < 3; r++) {
                const float *at = sum + 1 + c * NN__GATHER_SUMS + 4 * r;
                const float half = 0.5f * (at[1] + at[2]);
                float *to = taps + r * tap_row + c;
                to[0] = at[0] + half;
                to[C] = 0.5f * (at[1] - at[2]);
                to[2 * C] = half - at[3];
            }
    }
}

NN_PRIVATE void nn__conv_pool_gather_sum(const nn__cpu *cpu, const nn_conv_pool_args *g, int k,
                                         int rows, int64_t from, int64_t to, float *taps,
                                         ptrdiff_t tap_row, float *bias, float *own) {
    nn__conv_pool_gather s = nn__conv_pool_make_gather(cpu, g, k, rows);
    const nn__conv_axis *h = &s.cut.conv.h;
    const ptrdiff_t picture = (ptrdiff_t)s.cut.conv.channels * h->source * s.cut.conv.w.source;
    s.points = own;
    s.taken = s.points + s.channel * (size_t)s.cut.conv.channels;
    s.sums = s.taken + nn__conv_pool_gather_taken(&s);
    s.band = s.sums + nn__conv_pool_gather_all_sums(&s);
    memset(s.sums, 0, nn__conv_pool_gather_all_sums(&s) * sizeof(float));
    /* vectors read on behind the last windows: a NaN there would not vanish beside a 0 */
    memset(s.band, 0, s.cut.band_floats * sizeof(float));
    while (from < to) {
        const int n = (int)(from / h->outputs), t = (int)(from % h->outputs),
                  rest = (int)nn__min64(h->outputs - t, to - from),
                  some = nn__mini(s.cut.outputs, rest);
        nn__conv_pool_split(&s.cut, nn__f32(&g->x) + n * picture, t, some, s.band);
        nn__conv_pool_gather_block(&s, n, t, some);
        from += some;
    }
    nn__conv_pool_gather_end(&s, taps, tap_row, bias);
}

#undef NN__GATHER_CHANNELS
#undef NN__GATHER_VECTORS
#undef NN__GATHER_AHEAD
#endif

typedef int nn__conv_pool_gather_part; /* a part must not be empty on other machines */
