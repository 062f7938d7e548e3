/* kernels/conv2d/cpu_winograd_line.c - forward convolutions of single rows by Winograd's algorithm
   F(4, 3) along the row, for plans that cache weights. Four outputs of three taps take 6
   multiplications, where direct sums take 12. A longer filter is a sum of filters of three taps,
   whose last one may have fewer; they are added before the transform back:
     y = A^T sum over s of ((G w_s) o (B^T x_s)),      x_s: the inputs from tap 3 s on
   The points are those of kernels/conv2d/cpu_winograd.h. With a dilation d, the outputs of each
   remainder modulo d are a convolution of their own.

   Phase 0 transforms x into shared memory. Phase 1 has a unit for each panel of channels of y.
   A row must be short: a unit holds the products of whole images. */
#include "kernels/conv2d/cpu_winograd.h"

#ifndef NN_NO_SIMD

#define NN__LINE_POINTS 6
#define NN__LINE_TILES  14           /* tiles of a block, if an image has fewer */
#define NN__LINE_MOST   64           /* most tiles of an image */
#define NN__LINE_SHARED (512 * 1024) /* most floats of the transformed x of all images */
#define NN__LINE_DEPTH  256          /* products that are summed up at once */

typedef struct nn__conv_line {
    const nn__gemm_set *set;
    const nn__winograd_set *transforms;
    const nn__panel_set *tiles;
    int lanes, half;       /* of a panel */
    int each, wide, parts; /* tiles of a remainder and of an image; filters of three taps */
    int panels, depth;     /* panels of a group; products of a sum */
    int images, blocks;    /* images of a block; number of blocks */
    ptrdiff_t c_row;       /* floats of the channels of a tile and a filter */
    ptrdiff_t v_row, v_step, u_step, m_step; /* of a tile's x; of one of the points */
    size_t v_floats, u_floats, band_floats, place_floats, start_floats, weight_floats;
} nn__conv_line;

static nn__conv_line nn__conv_line_make(const nn__cpu *cpu, const nn__conv *conv) {
    nn__conv_line f;
    memset(&f, 0, sizeof f);
    f.set = nn__gemm_set_of(cpu);
    f.transforms = nn__winograd_set_of(cpu);
    f.tiles = nn__panel_set_of(cpu);
    f.lanes = f.tiles->lanes;
    f.half = f.lanes / 2;
    f.each = nn__ceil_div(nn__ceil_div(conv->w.outputs, conv->w.step), 4);
    f.wide = f.each * conv->w.step;
    f.parts = nn__ceil_div(conv->w.taps, 3);
    f.panels = nn__ceil_div(conv->rows, f.lanes);
    f.depth = f.parts * conv->channels;
    f.images = nn__mini(conv->images, nn__maxi(1, NN__LINE_TILES / f.wide));
    f.blocks = nn__ceil_div(conv->images, f.images);
    const int count = f.images * f.wide;
    f.c_row = (ptrdiff_t)nn__align_up((size_t)conv->channels, 16);
    f.v_row = nn__spread(f.parts * f.c_row);
    f.v_step = f.v_row * f.wide * conv->images + 16;
    f.u_step = (ptrdiff_t)f.depth * f.lanes;
    f.m_step = nn__spread(count * f.lanes);
    f.v_floats = (size_t)(NN__LINE_POINTS * f.v_step);
    f.u_floats = (size_t)(NN__LINE_POINTS * f.u_step);
    f.band_floats = (size_t)(conv->w.step * (4 * f.each + 3 * f.parts)) * (size_t)f.half;
    f.place_floats = (size_t)nn__spread(f.images * conv->w.outputs);
    f.start_floats = (size_t)nn__spread(count) + (size_t)nn__spread(f.depth);
    f.weight_floats = (size_t)(3 * f.parts * f.lanes);
    return f;
}

/* True if each output reads at least two inputs, as in nn__winograd_suits, and the transforms are
   small compared with the multiplications that they save. */
NN_PRIVATE bool nn__conv_line_suits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                    const nn__conv *conv) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    if (!conv->keep || g->direct || g->accumulate || !nn__winograd_set_of(cpu) || h->source != 1 ||
        h->outputs != 1 || h->taps != 1 || h->low != 0 || w->stride != 1 || w->taps < 3 ||
        w->outputs < 8 || w->step > w->outputs / 4 || conv->channels < 16 || conv->rows < 16)
        return false;
    if (w->source < 2 * w->step || w->low < (2 - w->taps) * w->step ||
        w->low + w->outputs > w->source - w->step)
        return false;
    const int wide = w->step * nn__ceil_div(nn__ceil_div(w->outputs, w->step), 4),
              parts = nn__ceil_div(w->taps, 3);
    const int64_t tiles = (int64_t)wide * conv->images * conv->groups,
                  depth = (int64_t)parts * conv->channels;
    return wide <= NN__LINE_MOST && NN__LINE_POINTS * tiles * depth <= NN__LINE_SHARED &&
           8 * parts * wide <= w->taps * w->outputs;
}

NN_PRIVATE int nn__conv_line_units(const nn__cpu *cpu, const nn__conv *conv, int phase) {
    const nn__conv_line f = nn__conv_line_make(cpu, conv);
    if (conv->keep == NN_KEEP_MAKES) return phase ? 0 : conv->groups * f.panels;
    if (phase == 0) return conv->images * conv->groups * nn__ceil_div(conv->channels, f.half);
    return phase == 1 ? conv->groups * f.panels : 0;
}

NN_PRIVATE size_t nn__conv_line_shared(const nn__cpu *cpu, const nn__conv *conv) {
    return conv->keep == NN_KEEP_MAKES
               ? 0
               : (size_t)conv->groups * nn__conv_line_make(cpu, conv).v_floats * sizeof(float);
}

NN_PRIVATE size_t nn__conv_line_cached(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__conv_line f = nn__conv_line_make(cpu, conv);
    return (size_t)conv->groups * (size_t)f.panels * f.u_floats * sizeof(float);
}

NN_PRIVATE size_t nn__conv_line_own(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__conv_line f = nn__conv_line_make(cpu, conv);
    const size_t sums = f.start_floats + (size_t)(NN__LINE_POINTS * f.m_step) +
                        2 * f.place_floats * (size_t)f.lanes;
    if (conv->keep == NN_KEEP_MAKES) return f.weight_floats * sizeof(float);
    return (sums > f.band_floats ? sums : f.band_floats) * sizeof(float);
}

/* Transforms a panel of all groups' weights. own: the taps of one channel, with zeros after the
   last. */
static void nn__conv_line_weights(const nn__conv_line *f, const nn__conv *conv,
                                  const float *weight, int panel, float *own, float *u) {
    const int taps = conv->w.taps, k = panel % f->panels * f->lanes,
              rows = nn__mini(f->lanes, conv->rows - k);
    const ptrdiff_t row = (ptrdiff_t)conv->channels * taps;
    const float *from = weight + ((ptrdiff_t)(panel / f->panels) * conv->rows + k) * row;
    memset(own, 0, f->weight_floats * sizeof(float));
    for (int c = 0; c < conv->channels; c++, from += taps) {
        f->set->transpose(own, f->lanes, from, row, rows, taps);
        for (int s = 0; s < f->parts; s++)
            f->transforms->line_weight(own + 3 * s * f->lanes, f->lanes,
                                       u + ((ptrdiff_t)s * conv->channels + c) * f->lanes,
                                       f->u_step);
    }
}

/* Transforms a vector of channels of one image. v: of the image's first tile and these channels. */
static void nn__conv_line_inputs(const nn__conv_line *f, const nn__conv *conv, const float *x,
                                 int channels, float *band, float *v) {
    const int before = nn__maxi(0, -conv->w.low), from = nn__maxi(0, conv->w.low),
              apart = conv->w.step, across = apart * (4 * f->each + 3 * f->parts),
              count = nn__mini(conv->w.source - from, across - before);
    memset(band, 0, f->band_floats * sizeof(float));
    f->set->transpose(band + before * f->half, f->half, x + from, conv->w.source, channels, count);
    for (int j = 0; j < f->wide; j++, v += f->v_row)
        for (int s = 0; s < f->parts; s++)
            f->transforms->line_input(
                band + (j / f->each + apart * (4 * (j % f->each) + 3 * s)) * f->half,
                apart * f->half, v + s * f->c_row, f->v_step);
}

/* Multiplies the tiles of a block with a panel and stores y. u, v: of the group. */
static void nn__conv_line_block(const nn__cpu *cpu, const nn__conv_line *f, const nn__conv *conv,
                                const nn__conv_job *job, int unit, int block, const float *u,
                                const float *v, float *own) {
    const int panel = unit % f->panels, n = block * f->images,
              k = unit / f->panels * conv->rows + panel * f->lanes, width = conv->w.outputs,
              apart = conv->w.step;
    int32_t *start = (int32_t *)(void *)own, *offset = start + nn__spread(f->images * f->wide);
    float *m = own + f->start_floats, *sum = m + NN__LINE_POINTS * f->m_step,
          *turned = sum + f->place_floats * (size_t)f->lanes;
    nn__panel_target to;
    nn__tile tile;
    memset(&tile, 0, sizeof tile);
    to.images = nn__mini(f->images, conv->images - n);
    to.t = 0;
    to.outputs = 1;
    to.columns = tile.columns = nn__mini(f->lanes, conv->rows - panel * f->lanes);
    NN__TARGET_SLOPE(&to, job, k);
    to.y = job->y + ((ptrdiff_t)n * conv->groups * conv->rows + k) * conv->w.whole;
    v += (ptrdiff_t)n * f->wide * f->v_row;
    for (int point = 0; point < NN__LINE_POINTS; point++)
        for (int p = 0; p < f->depth; p += NN__LINE_DEPTH) {
            tile.offset = offset + p;
            tile.depth = nn__mini(NN__LINE_DEPTH, f->depth - p);
            tile.add = p > 0;
            tile.b = u + point * f->u_step + (ptrdiff_t)p * f->lanes;
            tile.y = m + point * f->m_step;
            nn__panel_multiply(f->tiles, &tile, v + point * f->v_step, start,
                               to.images * f->wide);
        }
    for (int i = 0; i < to.images; i++)
        for (int j = 0; j < f->wide; j++, m += f->lanes) {
            const int first = j / f->each + 4 * apart * (j % f->each);
            f->transforms->line_output(m, f->m_step, sum + (i * width + first) * f->lanes,
                                       apart * f->lanes,
                                       nn__mini(4, nn__ceil_div(width - first, apart)),
                                       to.columns * 2 <= f->lanes);
        }
    nn__panel_finish(cpu, conv, job, &to, job->bias ? job->bias + k : NULL, sum, turned);
}

NN_PRIVATE void nn__conv_line_unit(const nn__cpu *cpu, const nn__conv *conv,
                                   const nn__conv_job *job, int phase, int unit, float *shared,
                                   void *own) {
    const nn__conv_line f = nn__conv_line_make(cpu, conv);
    if (conv->keep == NN_KEEP_MAKES) {
        nn__conv_line_weights(&f, conv, job->weight, unit, (float *)own,
                         job->kept + (size_t)unit * f.u_floats);
        return;
    }
    if (phase == 0) {
        const int vectors = nn__ceil_div(conv->channels, f.half), c = unit % vectors * f.half,
                  n = unit / vectors % conv->images, group = unit / vectors / conv->images;
        nn__conv_line_inputs(
            &f, conv,
            job->x + (((ptrdiff_t)n * conv->groups + group) * conv->channels + c) * conv->w.source,
            nn__mini(f.half, conv->channels - c), (float *)own,
            shared + (size_t)group * f.v_floats + (ptrdiff_t)n * f.wide * f.v_row + c);
        return;
    }
    int32_t *start = (int32_t *)own, *offset = start + nn__spread(f.images * f.wide);
    for (int i = 0; i < f.images * f.wide; i++) start[i] = (int32_t)(i * f.v_row);
    for (int s = 0; s < f.parts; s++)
        for (int c = 0; c < conv->channels; c++) *offset++ = (int32_t)(s * f.c_row + c);
    for (int block = 0; block < f.blocks; block++)
        nn__conv_line_block(cpu, &f, conv, job, unit, block, job->kept + (size_t)unit * f.u_floats,
                       shared + (size_t)(unit / f.panels) * f.v_floats, (float *)own);
}

#undef NN__LINE_POINTS
#undef NN__LINE_TILES
#undef NN__LINE_MOST
#undef NN__LINE_SHARED
#undef NN__LINE_DEPTH
#endif

typedef int nn__conv2d_winograd_line_part; /* a part must not be empty under NN_NO_SIMD */
