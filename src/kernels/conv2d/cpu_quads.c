/* kernels/conv2d/cpu_quads.c - convolutions forward, and the gradient of their input, by
   kernels/conv2d/cpu_quads.h. Phase 0 makes the points of the weights; a unit of phase 1 makes some
   rows of one picture: it parts what these read into even and odd columns and rows, makes the
   points of a vector of quads, and has them multiplied for all output channels. */
#include "kernels/conv2d/cpu_quads.h"

#ifndef NN_NO_SIMD

#define NN__QUADS_BAND  (16 * 1024) /* floats of a band, about */
#define NN__QUADS_ROWS  4           /* of quads, in a unit, at least */
#define NN__QUADS_AHEAD 512         /* numbers of x */

static nn__conv_axis nn__quads_axis(const nn__conv_axis *of) {
    nn__conv_axis axis = *of;
    axis.outputs = axis.whole = nn__ceil_div(of->outputs, 2);
    axis.taps = 4;
    axis.first = of->low;
    axis.step = 1;
    axis.stride = 2;
    nn__conv_finish_axis(&axis);
    return axis;
}

NN_PRIVATE nn__conv nn__quads_geometry(const nn__conv *conv) {
    nn__conv quads = *conv;
    quads.h = nn__quads_axis(&conv->h);
    quads.w = nn__quads_axis(&conv->w);
    quads.row = quads.w.outputs + quads.w.reach / 2;
    return quads;
}

NN_PRIVATE size_t nn__quads_points(int channels) {
    return (size_t)(NN__QUAD_POINTS * NN__QUAD_LANES) * (size_t)channels;
}

NN_PRIVATE size_t nn__quads_weight_floats(int channels, int rows) {
    return (size_t)(NN__QUAD_POINTS * NN__QUAD_ROWS * nn__ceil_div(rows, NN__QUAD_ROWS)) *
           (size_t)channels;
}

/* Three numbers of one axis, to four. */
static void nn__quads_four(const float *from, ptrdiff_t step, float to[4]) {
    const float half = 0.5f * (from[0] + from[2 * step]);
    to[0] = from[0];
    to[1] = half + 0.5f * from[step];
    to[2] = half - 0.5f * from[step];
    to[3] = -from[2 * step];
}

NN_PRIVATE void nn__quads_weights(const float *weight, int rows, int channels, ptrdiff_t row,
                                  ptrdiff_t channel, ptrdiff_t tap, float *to) {
    for (int k = 0; k < rows; k++)
        for (int c = 0; c < channels; c++) {
            const float *from = weight + k * row + c * channel;
            float *tile = to + k % NN__QUAD_ROWS +
                          (ptrdiff_t)(k / NN__QUAD_ROWS) * NN__QUAD_POINTS * NN__QUAD_ROWS *
                              channels;
            float part[12], point[4]; /* part: (column of taps, row of points) */
            for (int s = 0; s < 3; s++) nn__quads_four(from + s * tap, 3 * tap, part + 4 * s);
            for (int i = 0; i < 4; i++) {
                nn__quads_four(part + i, 4, point);
                for (int j = 0; j < 4; j++)
                    tile[(NN__QUAD_POINTS * c + 4 * i + j) * NN__QUAD_ROWS] = point[j];
            }
        }
}

NN_PRIVATE void nn__quads_split(const nn__quads_set *set, const nn__conv *conv,
                                const nn__quad_band *b, const float *x, int t, int outputs,
                                float *band) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int rows = outputs + h->reach / 2, n = (int)b->row;
    for (int c = 0; c < b->channels; c++, x += (ptrdiff_t)h->source * w->source)
        for (int q = 0; q < 2 * rows; q++) {
            const int64_t at = 2 * (int64_t)t + q + h->low;
            float *even = band + c * b->channel + 2 * (q & 1) * b->plane + (q >> 1) * b->row,
                  *odd = even + b->plane;
            if (at < 0 || at >= h->source) {
                memset(even, 0, (size_t)n * sizeof(float));
                memset(odd, 0, (size_t)n * sizeof(float));
                continue;
            }
            /* the machine's own reading ahead ends at each page */
            nn__gemm_ahead(x + at * w->source + NN__QUADS_AHEAD, w->source);
            set->split(even, odd, x + at * w->source, w->low, w->source, n);
        }
}

/* ---- the cut --------------------------------------------------------------------------------- */

typedef struct nn__quads_cut {
    const nn__quads_set *set;
    nn__conv conv; /* of quads */
    nn__quad_band band;
    int outputs, bands; /* rows of quads in a unit */
    size_t band_floats, weight_floats; /* of a group */
} nn__quads_cut;

static nn__quads_cut nn__quads_make_cut(const nn__cpu *cpu, const nn__conv *conv) {
    nn__quads_cut cut;
    cut.set = nn__quads_set_of(cpu);
    cut.conv = nn__quads_geometry(conv);
    cut.conv.row = (int)nn__align_up((size_t)cut.conv.row, NN__QUAD_LANES);
    const int C = conv->channels, height = cut.conv.h.outputs;
    const int64_t planes = nn__max64(1, (int64_t)conv->images * conv->groups);
    cut.outputs = height;
    while (cut.outputs > NN__QUADS_ROWS &&
           (planes * nn__ceil_div(height, cut.outputs) < NN__CONV_UNITS ||
            nn__conv_channel(&cut.conv, cut.outputs) * C > NN__QUADS_BAND))
        cut.outputs = nn__ceil_div(cut.outputs, 2);
    cut.bands = nn__ceil_div(height, nn__maxi(cut.outputs, 1));
    cut.band.channels = C;
    cut.band.row = cut.conv.row;
    cut.band.plane = nn__conv_plane(&cut.conv, cut.outputs);
    cut.band.channel = nn__conv_channel(&cut.conv, cut.outputs);
    cut.band_floats = nn__align_up((size_t)cut.band.channel * (size_t)C + NN__QUAD_LANES, 16);
    cut.weight_floats = nn__quads_weight_floats(C, conv->rows);
    return cut;
}

/* Quads must fill three quarters of their vectors. */
NN_PRIVATE bool nn__quads_fit(const nn__cpu *cpu, const nn_conv2d_args *g, const nn__conv *conv) {
    const nn__quads_set *set = nn__quads_set_of(cpu);
    const int wide = nn__ceil_div(conv->w.outputs, 2);
    return set && nn__winograd_takes(g, conv) && conv->channels <= NN__QUAD_CHANNELS &&
           (int64_t)wide * 4 >= (int64_t)nn__ceil_div(wide, set->lanes) * set->lanes * 3;
}

/* Measured beside the other ways: with AVX-512 1.1 to 1.9 times as fast, with 8 channels or more
   where these are few as well (those of F(4 x 4, 3 x 3) overtake then). With AVX2, where a number
   that all lanes take is read by itself, 0.9 to 1.6 times. */
static bool nn__quads_pay(int lanes, int channels, int rows) {
    if (lanes == 16) return rows >= 3 && (channels < 8 || channels * rows <= 128);
    return rows >= 8 && channels >= 3 && (channels < 8 || channels * rows <= 64);
}

NN_PRIVATE bool nn__quads_suits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                const nn__conv *conv) {
    return nn__quads_fit(cpu, g, conv) && !g->accumulate &&
           nn__quads_pay(nn__quads_set_of(cpu)->lanes, conv->channels, conv->rows);
}

NN_PRIVATE int nn__quads_units(const nn__cpu *cpu, const nn__conv *conv, int phase) {
    if (phase == 0) return conv->groups;
    const nn__quads_cut cut = nn__quads_make_cut(cpu, conv);
    return phase == 1 ? conv->images * conv->groups * cut.bands : 0;
}

NN_PRIVATE size_t nn__quads_shared(const nn__conv *conv) {
    return nn__quads_weight_floats(conv->channels, conv->rows) * (size_t)conv->groups *
           sizeof(float);
}

NN_PRIVATE size_t nn__quads_own(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__quads_cut cut = nn__quads_make_cut(cpu, conv);
    return (nn__quads_points(conv->channels) + cut.band_floats) * sizeof(float);
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* The points of a group's weights; of a gradient the taps are read backwards. */
static void nn__quads_prepare(const nn__conv *conv, const float *weight, int group, float *to) {
    const ptrdiff_t C = conv->channels, K = conv->rows;
    weight += group * K * C * 9;
    if (conv->h.step > 0)
        nn__quads_weights(weight, conv->rows, conv->channels, 9 * C, 9, 1, to);
    else
        nn__quads_weights(weight + 8, conv->rows, conv->channels, 9, 9 * K, -1, to);
}

/* One row of quads: two rows of all output channels, or one at the end. The last vector of a row
   has some quads that the one before it has, too: masks take long. */
static void nn__quads_row(const nn__quads_cut *cut, nn__quad_tile tile, int rows, int width,
                          const float *band, const float *weight, float *points) {
    const int C = cut->conv.channels, lanes = cut->set->lanes, wide = cut->conv.w.outputs;
    const float *bias = tile.bias;
    float *y = tile.y;
    tile.points = points;
    tile.channels = C;
    for (int i = 0; i < wide; i += lanes) {
        const int at = nn__maxi(0, nn__mini(i, wide - lanes)), j = 2 * at;
        cut->set->points(&cut->band, band + at, points, 0);
        tile.columns = nn__mini(2 * lanes, width - j);
        for (int k = 0; k < rows; k += NN__QUAD_ROWS) {
            tile.weight = weight + (ptrdiff_t)k * NN__QUAD_POINTS * C;
            tile.bias = bias ? bias + k : NULL;
            tile.rows = nn__mini(NN__QUAD_ROWS, rows - k);
            tile.y = y + k * tile.y_plane + j;
            cut->set->tile(&tile);
        }
    }
}

NN_PRIVATE void nn__quads_unit(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                               int phase, int unit, float *shared, void *own) {
    const nn__quads_cut cut = nn__quads_make_cut(cpu, conv);
    if (phase == 0) {
        nn__quads_prepare(conv, job->weight, unit, shared + (size_t)unit * cut.weight_floats);
        return;
    }
    const int t = unit % cut.bands * cut.outputs, block = unit / cut.bands,
              group = block % conv->groups, width = conv->w.outputs, K = conv->rows,
              outputs = nn__mini(cut.outputs, cut.conv.h.outputs - t);
    const ptrdiff_t source = (ptrdiff_t)conv->h.source * conv->w.source;
    const nn__clamp clamp = nn__clamp_of(job->activate);
    float *points = (float *)own, *band = points + nn__quads_points(conv->channels);
    nn__quad_tile tile;
    memset(&tile, 0, sizeof tile);
    tile.y_row = width;
    tile.y_plane = (ptrdiff_t)conv->h.outputs * width;
    tile.bias = job->bias ? job->bias + (ptrdiff_t)group * K : NULL;
    tile.relu = clamp == NN__CLAMP_RELU;
    float *y = job->y + (ptrdiff_t)block * K * tile.y_plane;
    nn__quads_split(cut.set, &cut.conv, &cut.band, job->x + block * conv->channels * source, t,
                    outputs, band);
    memset(band + cut.band.channel * conv->channels, 0, NN__QUAD_LANES * sizeof(float));
    for (int i = 0; i < outputs; i++) {
        tile.y = y + (ptrdiff_t)(2 * (t + i)) * width;
        tile.tall = nn__mini(2, conv->h.outputs - 2 * (t + i));
        nn__quads_row(&cut, tile, K, width, band + i * cut.band.row,
                      shared + (size_t)group * cut.weight_floats, points);
        for (int k = 0; job->activate && !tile.relu && k < K; k++)
            job->activate(tile.y + k * tile.y_plane, tile.tall * width);
    }
}

#undef NN__QUADS_BAND
#undef NN__QUADS_ROWS
#undef NN__QUADS_AHEAD
#endif

typedef int nn__conv2d_quads_part; /* a part must not be empty under NN_NO_SIMD */
