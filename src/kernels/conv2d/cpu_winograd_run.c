/* kernels/conv2d/cpu_winograd_run.c - forward and backward_input by kernels/conv2d/cpu_winograd.h.

   Tiles are processed in blocks: some images, or some rows of tiles of one image. If there are more
   tiles than channels of y, phase 0 transforms the weights into shared memory. A unit of phase 1
   then transforms the x of a block into its own memory and multiplies it with each panel of
   weights. If there are fewer tiles, phase 0 transforms x, and a unit of phase 1 transforms a panel
   of the weights and multiplies all blocks with it. Both ways add in the same order, and the result
   of an image does not depend on the others. */
#include "kernels/conv2d/cpu_winograd.h"
#include "kernels/conv2d/vector.h"

#ifndef NN_NO_SIMD

NN_PRIVATE const nn__winograd_set *nn__winograd_set_of(const nn__cpu *cpu) {
    const nn__winograd_set *set = NN__OF_SET(cpu, nn__winograd);
    return set->input ? set : NULL;
}

#define NN__WINOGRAD_TILES 28          /* least tiles of a block, if there are enough */
#define NN__WINOGRAD_OWN   (96 * 1024) /* floats of a block's transformed x, approximately */
#define NN__WINOGRAD_BAND  (8 * 1024)  /* floats of a band, approximately */
#define NN__WINOGRAD_CHUNK 16          /* channels of weights that are transformed at once */
#define NN__WINOGRAD_DEPTH 256         /* channels of x that are summed up at once */
#define NN__WINOGRAD_LEAST 4           /* least tiles of all images */
#define NN__WINOGRAD_KEPT  8           /* the same, if cached weights are read in each run */
#define NN__WINOGRAD_AHEAD 6           /* distance of prefetching, in rows of weights */

NN_PRIVATE void nn__winograd_cut_tiles(nn__winograd_tiles *t, const nn__cpu *cpu,
                                       const nn__conv *conv) {
    t->set = nn__gemm_set_of(cpu);
    t->transforms = nn__winograd_set_of(cpu);
    t->lanes = nn__panel_set_of(cpu)->lanes;
    t->tall = nn__ceil_div(conv->h.outputs, 4);
    t->wide = nn__ceil_div(conv->w.outputs, 4);
    t->v_row = nn__spread(conv->channels);
}

NN_PRIVATE void nn__winograd_cut_band(nn__winograd_tiles *t, int rows) {
    const ptrdiff_t line = (ptrdiff_t)(4 * t->wide + 2) * (t->lanes / 2);
    t->band_rows = nn__mini(rows, nn__maxi(1, (int)((NN__WINOGRAD_BAND / line - 2) / 4)));
    t->band_floats = (size_t)(4 * t->band_rows + 2) * (size_t)line;
}

NN_PRIVATE nn__winograd_cut nn__winograd_make_cut(const nn__cpu *cpu, const nn__conv *conv) {
    nn__winograd_cut c;
    if (cpu->conv && conv == &cpu->conv->conv && cpu->conv->kind == NN__CONV_BY_WINOGRAD)
        return cpu->conv->winograd;
    memset(&c, 0, sizeof c);
    nn__winograd_cut_tiles(&c.t, cpu, conv);
    c.tiles = nn__panel_set_of(cpu);
    const int lanes = c.t.lanes, tall = c.t.tall, wide = c.t.wide, each = tall * wide;
    const int64_t all = (int64_t)each * conv->images;
    c.panels = nn__ceil_div(conv->rows, lanes);
    c.by_panel = all <= conv->rows;
    const int fit = (int)(NN__WINOGRAD_OWN / (NN__WINOGRAD_POINTS * c.t.v_row)),
              wanted = nn__maxi(NN__WINOGRAD_TILES, fit);
    c.images = c.bands = 1;
    c.rows = tall;
    if (each * 2 <= wanted) {
        c.images = nn__mini(conv->images, wanted / each);
        c.images = nn__ceil_div(conv->images, nn__ceil_div(conv->images, c.images));
    } else if (each > wanted) {
        c.rows = nn__maxi(1, wanted / wide);
        while (c.rows > 1 && conv->images * nn__ceil_div(tall, c.rows) < NN__CONV_UNITS / 2)
            c.rows--;
        c.rows = nn__ceil_div(tall, nn__ceil_div(tall, c.rows));
        c.bands = nn__ceil_div(tall, c.rows);
    }
    c.blocks = nn__ceil_div(conv->images, c.images) * c.bands;
    const int count = c.images * c.rows * wide;
    nn__winograd_cut_band(&c.t, c.rows);
    c.t.v_step = nn__spread(1) + c.t.v_row * (ptrdiff_t)(c.by_panel ? all : count);
    c.u_step = nn__spread(conv->channels * lanes);
    c.m_step = nn__spread(count * lanes);
    c.u_floats = (size_t)(NN__WINOGRAD_POINTS * c.u_step);
    c.weight_floats = (size_t)(NN__WINOGRAD_CHUNK * 9 * lanes);
    c.place_floats = (size_t)nn__spread(c.images * 4 * c.rows * conv->w.outputs);
    c.start_floats = (size_t)nn__spread(count) + (size_t)nn__spread(conv->channels);
    return c;
}

/* ---- choice ---------------------------------------------------------------------------------- */

/* Compares the costs for one image, in multiplications of vectors. Direct sums take 9 for each
   output and pair of channels. This algorithm takes 36 for a tile and pair of channels. The
   transforms are added to this: of x and y for each tile, of the weights once. The numbers were
   measured with AVX-512. */
static bool nn__winograd_pays(const nn__winograd_cut *c, const nn__conv *conv) {
    const float half = (float)(c->t.lanes / 2), channels = (float)conv->channels,
                vectors = (float)nn__ceil_div(conv->rows, c->t.lanes / 2),
                in = (float)nn__ceil_div(conv->channels, c->t.lanes / 2);
    const float tiles = (float)(c->t.tall * c->t.wide);
    const float direct = 9.0f * (float)conv->h.outputs * (float)conv->w.outputs * channels *
                         (float)conv->rows / half;
    const float winograd = tiles * (36.0f * channels * vectors + 400.0f * in + 600.0f * vectors) +
                           (conv->keep ? 0.0f
                                       : 160.0f * channels * vectors / (float)conv->images);
    return winograd < direct;
}

/* True if each output reads at least two inputs along an axis. Then the rounding errors of the
   tile's other outputs are small compared with it. */
static bool nn__winograd_sees(const nn__conv_axis *axis) {
    return axis->outputs > 0 && axis->source > 1 && axis->low >= -1 &&
           axis->low + axis->outputs + 2 <= axis->source + 1;
}

NN_PRIVATE bool nn__winograd_takes(const nn_conv2d_args *g, const nn__conv *conv) {
    const nn_conv2d_params *p = &g->params;
    return !g->direct && p->kernel_h == 3 && p->kernel_w == 3 && p->stride_h == 1 &&
           p->stride_w == 1 && p->dilation_h == 1 && p->dilation_w == 1 &&
           nn__winograd_sees(&conv->h) && nn__winograd_sees(&conv->w);
}

NN_PRIVATE bool nn__winograd_fits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                  const nn__conv *conv) {
    return nn__winograd_takes(g, conv) && nn__winograd_set_of(cpu) && conv->channels >= 8 &&
           conv->rows >= 8;
}

NN_PRIVATE bool nn__winograd_suits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                   const nn__conv *conv) {
    if (!nn__winograd_fits(cpu, g, conv)) return false;
    const nn__winograd_cut c = nn__winograd_make_cut(cpu, conv);
    const int64_t tiles = (int64_t)c.t.tall * c.t.wide * conv->images;
    return tiles >= (conv->keep ? NN__WINOGRAD_KEPT : NN__WINOGRAD_LEAST) &&
           tiles * c.t.v_row < INT32_MAX / 4 && nn__winograd_pays(&c, conv);
}

/* ---- transforms ------------------------------------------------------------------------------ */

/* Transforms channels [c, c + channels) of a panel of a group into u (36, channels, lanes). */
static void nn__winograd_weights(const nn__winograd_cut *w, const nn__conv *conv,
                                 const float *weight, int group, int panel, int c, int channels,
                                 float *space, float *u) {
    const int lanes = w->t.lanes, k = panel * lanes, rows = nn__mini(lanes, conv->rows - k);
    const bool back = conv->h.step < 0; /* (channels, rows, 9), with the taps in reverse */
    if (rows < lanes) memset(space, 0, w->weight_floats * sizeof(float));
    /* The pieces that are read are pages apart, so the next ones are prefetched. */
    if (back) {
        const ptrdiff_t row = (ptrdiff_t)conv->rows * 9;
        const float *from = weight + ((ptrdiff_t)group * conv->channels + c) * row + k * 9;
        for (int e = 0; e < channels; e++, from += row) {
            if (c + e + NN__WINOGRAD_AHEAD < conv->channels)
                nn__gemm_ahead(from + NN__WINOGRAD_AHEAD * row, rows * 9);
            w->t.set->transpose(space + e * 9 * lanes, lanes, from, 9, rows, 9);
        }
    } else {
        const ptrdiff_t row = (ptrdiff_t)conv->channels * 9;
        const float *from = weight + ((ptrdiff_t)group * conv->rows + k) * row + c * 9;
        const int more = nn__mini(channels, conv->channels - c - channels);
        for (int l = 0; l < rows && more > 0; l++)
            nn__gemm_ahead(from + l * row + channels * 9, more * 9);
        w->t.set->transpose(space, lanes, from, row, rows, channels * 9);
    }
    for (int e = 0; e < channels; e++)
        w->t.transforms->weight(space + (e * 9 + (back ? 8 : 0)) * lanes, back ? -lanes : lanes,
                              u + (ptrdiff_t)e * lanes, w->u_step);
}

NN_PRIVATE void nn__winograd_inputs(const nn__winograd_tiles *t, const nn__conv *conv,
                                    const float *x, int channels, int row, int rows, float *band,
                                    float *v) {
    const int half = t->lanes / 2, across = 4 * t->wide + 2, height = conv->h.source,
              width = conv->w.source;
    const ptrdiff_t plane = (ptrdiff_t)height * width, line = (ptrdiff_t)across * half;
    const int first = nn__maxi(0, -conv->w.low),
              last = nn__mini(across, width - conv->w.low); /* columns inside the image */
    for (; rows > 0; row += t->band_rows, rows -= t->band_rows) {
        const int count = nn__mini(rows, t->band_rows), top = 4 * row + conv->h.low;
        if (channels < half || first > 0 || last < across)
            memset(band, 0, (size_t)(4 * count + 2) * (size_t)line * sizeof(float));
        for (int i = 0; i < 4 * count + 2; i++) {
            float *to = band + i * line;
            if (top + i < 0 || top + i >= height || last <= first)
                memset(to, 0, (size_t)line * sizeof(float));
            else
                t->set->transpose(to + first * half, half,
                                  x + (ptrdiff_t)(top + i) * width + conv->w.low + first, plane,
                                  channels, last - first);
        }
        for (int i = 0; i < count; i++)
            for (int j = 0; j < t->wide; j++, v += t->v_row)
                t->transforms->input(band + 4 * i * line + 4 * j * half, line, v, t->v_step);
    }
}

/* The tiles of some images on which a unit works. */
typedef struct nn__winograd_part {
    int group, n, images, row, rows; /* row, rows: of tiles */
} nn__winograd_part;

static nn__winograd_part nn__winograd_part_of(const nn__winograd_cut *w, const nn__conv *conv,
                                              int group, int block) {
    nn__winograd_part part;
    part.group = group;
    part.n = block / w->bands * w->images;
    part.images = nn__mini(w->images, conv->images - part.n);
    part.row = block % w->bands * w->rows;
    part.rows = nn__mini(w->rows, w->t.tall - part.row);
    return part;
}

/* Transforms the 36 products of a block with a panel and stores y. m: the products, followed by
   scratch for sums and for transposed sums. */
static void nn__winograd_outputs(const nn__cpu *cpu, const nn__winograd_cut *w,
                                 const nn__conv *conv, const nn__conv_job *job,
                                 const nn__winograd_part *part, int panel, float *m) {
    const int lanes = w->t.lanes, k = part->group * conv->rows + panel * lanes, t = 4 * part->row,
              outputs = nn__mini(4 * part->rows, conv->h.outputs - t), width = conv->w.outputs;
    float *sum = m + NN__WINOGRAD_POINTS * w->m_step,
          *turned = sum + w->place_floats * (size_t)lanes;
    nn__panel_target to;
    to.images = part->images;
    to.t = t;
    to.outputs = outputs;
    to.columns = nn__mini(lanes, conv->rows - panel * lanes);
    NN__TARGET_SLOPE(&to, job, k);
    to.y = job->y +
           ((ptrdiff_t)part->n * conv->groups * conv->rows + k) * conv->h.whole * conv->w.whole;
    for (int n = 0; n < part->images; n++)
        for (int i = 0; i < part->rows; i++)
            for (int j = 0; j < w->t.wide; j++, m += lanes)
                w->t.transforms->output(
                    m, w->m_step,
                    sum + ((ptrdiff_t)(n * outputs + 4 * i) * width + 4 * j) * lanes,
                    (ptrdiff_t)width * lanes, nn__mini(4, outputs - 4 * i),
                    nn__mini(4, width - 4 * j), to.columns * 2 <= lanes);
    nn__panel_finish(cpu, conv, job, &to, job->bias ? job->bias + k : NULL, sum, turned);
}

static nn__tile nn__winograd_tile(const nn__winograd_cut *w, const nn__conv *conv, int panel,
                                        const int32_t *start) {
    nn__tile tile;
    memset(&tile, 0, sizeof tile);
    tile.columns = conv->rows - panel * w->t.lanes;
    tile.offset = start + nn__spread(w->images * w->rows * w->t.wide);
    return tile;
}

/* Multiplies a block with a panel, over all channels of x, and stores y. */
static void nn__winograd_products(const nn__cpu *cpu, const nn__winograd_cut *w,
                                  const nn__conv *conv, const nn__conv_job *job,
                                  const nn__winograd_part *part, int panel, const float *u,
                                  const float *v, const int32_t *start, float *space) {
    const int count = part->images * part->rows * w->t.wide;
    nn__tile tile = nn__winograd_tile(w, conv, panel, start);
    for (int point = 0; point < NN__WINOGRAD_POINTS; point++)
        for (int c = 0; c < conv->channels; c += NN__WINOGRAD_DEPTH) {
            tile.depth = nn__mini(NN__WINOGRAD_DEPTH, conv->channels - c);
            tile.add = c > 0;
            tile.b = u + point * w->u_step + (ptrdiff_t)c * w->t.lanes;
            tile.y = space + point * w->m_step;
            nn__panel_multiply(w->tiles, &tile, v + point * w->t.v_step + c, start, count);
        }
    nn__winograd_outputs(cpu, w, conv, job, part, panel, space);
}

/* ---- units ----------------------------------------------------------------------------------- */

static int nn__winograd_chunks(const nn__conv *conv) {
    return nn__ceil_div(conv->channels, NN__WINOGRAD_CHUNK);
}

/* The first phase transforms x if by_panel, else the weights, unless they are cached. */
static int nn__winograd_phase(const nn__winograd_cut *w, const nn__conv *conv, int phase) {
    return conv->keep == NN_KEEP_USES && !w->by_panel ? phase + 1 : phase;
}

NN_PRIVATE int nn__winograd_units(const nn__cpu *cpu, const nn__conv *conv, int phase) {
    const nn__winograd_cut w = nn__winograd_make_cut(cpu, conv);
    if (conv->keep == NN_KEEP_MAKES)
        return phase ? 0 : conv->groups * w.panels * nn__winograd_chunks(conv);
    phase = nn__winograd_phase(&w, conv, phase);
    if (phase > 1) return 0;
    if (w.by_panel)
        return conv->groups * (phase ? w.panels
                                     : conv->images * nn__ceil_div(conv->channels, w.t.lanes / 2));
    return conv->groups * (phase ? w.blocks : w.panels * nn__winograd_chunks(conv));
}

NN_PRIVATE size_t nn__winograd_shared(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__winograd_cut w = nn__winograd_make_cut(cpu, conv);
    if (conv->keep == NN_KEEP_MAKES || (conv->keep && !w.by_panel)) return 0;
    return (size_t)conv->groups * sizeof(float) *
           (w.by_panel ? (size_t)(NN__WINOGRAD_POINTS * w.t.v_step)
                       : (size_t)w.panels * w.u_floats);
}

NN_PRIVATE size_t nn__winograd_cached(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__winograd_cut w = nn__winograd_make_cut(cpu, conv);
    return (size_t)conv->groups * (size_t)w.panels * w.u_floats * sizeof(float);
}

/* Returns the floats of the scratch of nn__winograd_products. */
static size_t nn__winograd_space(const nn__winograd_cut *w) {
    return (size_t)(NN__WINOGRAD_POINTS * w->m_step) + 2 * w->place_floats * (size_t)w->t.lanes;
}

NN_PRIVATE size_t nn__winograd_own(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__winograd_cut w = nn__winograd_make_cut(cpu, conv);
    const size_t more = !w.by_panel
                            ? (size_t)(NN__WINOGRAD_POINTS * w.t.v_step) + w.t.band_floats
                        : conv->keep ? 0
                                     : w.u_floats + w.weight_floats;
    if (conv->keep == NN_KEEP_MAKES) return w.weight_floats * sizeof(float);
    const size_t phase0 = w.by_panel ? w.t.band_floats : w.weight_floats,
                 phase1 = w.start_floats + nn__winograd_space(&w) + more;
    return (phase0 > phase1 ? phase0 : phase1) * sizeof(float);
}

static void nn__winograd_prepare(const nn__winograd_cut *w, const nn__conv *conv,
                                 const nn__conv_job *job, int unit, float *shared, float *own) {
    const ptrdiff_t plane = (ptrdiff_t)conv->h.source * conv->w.source;
    if (w->by_panel && conv->keep != NN_KEEP_MAKES) {
        const int half = w->t.lanes / 2, parts = nn__ceil_div(conv->channels, half),
                  c = unit % parts * half, n = unit / parts % conv->images,
                  group = unit / parts / conv->images;
        nn__winograd_inputs(
            &w->t, conv,
            job->x + (((ptrdiff_t)n * conv->groups + group) * conv->channels + c) * plane,
            nn__mini(half, conv->channels - c), 0, w->t.tall, own,
            shared + group * NN__WINOGRAD_POINTS * w->t.v_step +
                (ptrdiff_t)n * w->t.tall * w->t.wide * w->t.v_row + c);
        return;
    }
    const int chunks = nn__winograd_chunks(conv), c = unit % chunks * NN__WINOGRAD_CHUNK,
              panel = unit / chunks; /* counted through all groups */
    nn__winograd_weights(w, conv, job->weight, panel / w->panels, panel % w->panels, c,
                         nn__mini(NN__WINOGRAD_CHUNK, conv->channels - c), own,
                         (conv->keep ? job->kept : shared) + (size_t)panel * w->u_floats +
                             (ptrdiff_t)c * w->t.lanes);
}

NN_PRIVATE void nn__winograd_unit(const nn__cpu *cpu, const nn__conv *conv,
                                  const nn__conv_job *job, int phase, int unit, float *shared,
                                  void *own) {
    const nn__winograd_cut w = nn__winograd_make_cut(cpu, conv);
    const ptrdiff_t plane = (ptrdiff_t)conv->h.source * conv->w.source;
    if (nn__winograd_phase(&w, conv, phase) == 0) {
        nn__winograd_prepare(&w, conv, job, unit, shared, (float *)own);
        return;
    }
    int32_t *start = (int32_t *)own;
    float *space = (float *)own + w.start_floats, *more = space + nn__winograd_space(&w);
    const int count = w.images * w.rows * w.t.wide;
    for (int i = 0; i < count; i++) start[i] = (int32_t)(i * w.t.v_row);
    for (int c = 0; c < conv->channels; c++) start[nn__spread(count) + c] = c;
    if (w.by_panel) {
        const int group = unit / w.panels, panel = unit % w.panels;
        const float *u = conv->keep ? job->kept + (size_t)unit * w.u_floats : more;
        for (int c = 0; c < conv->channels && !conv->keep; c += NN__WINOGRAD_CHUNK)
            nn__winograd_weights(&w, conv, job->weight, group, panel, c,
                                 nn__mini(NN__WINOGRAD_CHUNK, conv->channels - c),
                                 more + w.u_floats, more + (ptrdiff_t)c * w.t.lanes);
        for (int block = 0; block < w.blocks; block++) {
            const nn__winograd_part part = nn__winograd_part_of(&w, conv, group, block);
            const ptrdiff_t first = ((ptrdiff_t)part.n * w.t.tall + part.row) * w.t.wide;
            nn__winograd_products(cpu, &w, conv, job, &part, panel, u,
                                  shared + group * NN__WINOGRAD_POINTS * w.t.v_step +
                                      first * w.t.v_row,
                                  start, space);
        }
        return;
    }
    const nn__winograd_part part = nn__winograd_part_of(&w, conv, unit / w.blocks, unit % w.blocks);
    float *v = more, *band = v + NN__WINOGRAD_POINTS * w.t.v_step;
    for (int n = 0; n < part.images; n++)
        for (int c = 0; c < conv->channels; c += w.t.lanes / 2)
            nn__winograd_inputs(
                &w.t, conv,
                job->x + (((ptrdiff_t)(part.n + n) * conv->groups + part.group) * conv->channels +
                          c) * plane,
                nn__mini(w.t.lanes / 2, conv->channels - c), part.row, part.rows, band,
                v + (ptrdiff_t)n * part.rows * w.t.wide * w.t.v_row + c);
    for (int panel = 0; panel < w.panels; panel++)
        nn__winograd_products(cpu, &w, conv, job, &part, panel,
                              (conv->keep ? job->kept : shared) +
                                  ((size_t)part.group * (size_t)w.panels + (size_t)panel) *
                                           w.u_floats,
                              v, start, space);
}

#undef NN__WINOGRAD_TILES
#undef NN__WINOGRAD_OWN
#undef NN__WINOGRAD_BAND
#undef NN__WINOGRAD_CHUNK
#undef NN__WINOGRAD_DEPTH
#undef NN__WINOGRAD_LEAST
#undef NN__WINOGRAD_KEPT
#undef NN__WINOGRAD_AHEAD

#endif

typedef int nn__conv2d_winograd_run_part; /* a part must not be empty under NN_NO_SIMD */
