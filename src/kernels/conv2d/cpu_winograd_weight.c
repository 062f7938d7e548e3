/* kernels/conv2d/cpu_winograd_weight.c - backward_weight by kernels/conv2d/cpu_winograd.h:
     dweight = A^T (sum over the tiles of (G dy G^T) o (B^T x B)) A
   The tiles of all images are processed in passes, each with as many tiles as have transforms that
   fit into the caches. The first phase of a pass transforms x and dy into shared, and the second
   multiplies: a unit has a panel of channels of y and some channels of x, and adds 36 products (C,
   tiles) x (tiles, K) to the sums of earlier passes. After the last pass it turns the sums into
   dweight. The transforms also sum dbias, for each image. */
#include "kernels/conv2d/cpu_winograd.h"
#include "kernels/shard_sum/cpu.h"

#ifndef NN_NO_SIMD
#ifndef NN_NO_TRAINING

#define NN__WINOGRAD_PASS  (3 * 1024 * 1024) /* transforms of a pass in floats, approximately */
#define NN__WINOGRAD_DEPTH 128               /* tiles that are multiplied at once */
#define NN__WINOGRAD_BOTH  28                /* channels of x per unit, approximately */

typedef struct nn__winograd_sums {
    nn__conv conv;
    nn__winograd_tiles t;
    const nn__panel_set *tiles;
    int panels, parts, size;       /* panels of y; units that share x, and channels of each */
    int images, rows;              /* per pass: images, and rows of tiles of each image */
    int bands, passes;             /* passes per image, and in all */
    int count;                     /* tiles per pass */
    ptrdiff_t u_step;              /* floats between two of the 36 points of dy's transforms */
    ptrdiff_t m_step;
    size_t m_floats, start_floats;
} nn__winograd_sums;

static nn__winograd_sums nn__winograd_make_sums(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__winograd_sums s;
    memset(&s, 0, sizeof s);
    s.conv = nn__conv_forward_geometry(g);
    s.tiles = nn__panel_set_of(cpu);
    nn__winograd_cut_tiles(&s.t, cpu, &s.conv);
    s.panels = nn__ceil_div(s.conv.rows, s.t.lanes);
    const int each = s.t.tall * s.t.wide, images = s.conv.images;
    const ptrdiff_t floats = (ptrdiff_t)NN__WINOGRAD_POINTS * s.conv.groups *
                             (s.t.v_row + (ptrdiff_t)s.panels * s.t.lanes); /* of a tile */
    const int wanted = nn__maxi(1, (int)(NN__WINOGRAD_PASS / floats));
    s.images = s.bands = 1;
    s.rows = s.t.tall;
    if (each <= wanted) {
        s.images = nn__mini(images, wanted / each);
        s.images = nn__ceil_div(images, nn__ceil_div(images, s.images));
    } else {
        s.rows = nn__maxi(1, wanted / s.t.wide);
        s.rows = nn__ceil_div(s.t.tall, nn__ceil_div(s.t.tall, s.rows));
        s.bands = nn__ceil_div(s.t.tall, s.rows);
    }
    s.passes = nn__ceil_div(images, s.images) * s.bands;
    s.count = s.images * s.rows * s.t.wide;
    nn__winograd_cut_band(&s.t, s.rows);
    s.t.v_step = nn__spread(1) + s.t.v_row * s.count;
    s.u_step = nn__spread((ptrdiff_t)s.panels * s.count * s.t.lanes);
    s.parts = nn__ceil_div(s.conv.channels, NN__WINOGRAD_BOTH);
    if (s.conv.groups * s.panels * s.parts < NN__CONV_UNITS / 2)
        s.parts = nn__ceil_div(s.conv.channels, NN__WINOGRAD_BOTH / 2);
    s.size = nn__ceil_div(s.conv.channels, s.parts);
    s.parts = nn__ceil_div(s.conv.channels, s.size);
    s.m_step = nn__spread(s.size * s.t.lanes);
    s.m_floats = (size_t)(NN__WINOGRAD_POINTS * s.m_step);
    s.start_floats = (size_t)nn__spread(s.size) + (size_t)nn__spread(s.count);
    return s;
}

/* Compares the costs in vector multiplications, as kernels/conv2d/cpu_winograd_run.c does. Each
   pass also reads and writes the sums. */
NN_PRIVATE bool nn__winograd_weight_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__conv conv = nn__conv_forward_geometry(g);
    if (!nn__present(&g->weight) || !nn__winograd_fits(cpu, g, &conv)) return false;
    const nn__winograd_sums s = nn__winograd_make_sums(cpu, g);
    const float half = (float)(s.t.lanes / 2), channels = (float)conv.channels,
                vectors = (float)nn__ceil_div(conv.rows, s.t.lanes / 2),
                in = (float)nn__ceil_div(conv.channels, s.t.lanes / 2),
                images = (float)conv.images, tiles = images * (float)(s.t.tall * s.t.wide);
    const float direct = 9.0f * images * (float)conv.h.outputs * (float)conv.w.outputs * channels *
                         (float)conv.rows / half;
    const float winograd = tiles * (36.0f * channels * vectors + 400.0f * in + 400.0f * vectors) +
                           (160.0f + 100.0f * (float)s.passes) * channels * vectors;
    return (int64_t)s.count * s.t.v_row < INT32_MAX / 4 && winograd < direct;
}

/* ---- phases ---------------------------------------------------------------------------------- */

static int nn__winograd_x_parts(const nn__winograd_sums *s) {
    return nn__ceil_div(s->conv.channels, s->t.lanes / 2);
}
static int nn__winograd_dy_parts(const nn__winograd_sums *s) {
    return s->panels * 2; /* halves of panels */
}

NN_PRIVATE int nn__winograd_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    const nn__winograd_sums s = nn__winograd_make_sums(cpu, g);
    if (phase >= 2 * s.passes) return 0;
    return phase % 2 ? s.conv.groups * s.panels * s.parts
                     : s.conv.groups * s.images *
                           (nn__winograd_x_parts(&s) + nn__winograd_dy_parts(&s));
}

/* Return the sizes in floats of the parts of shared, in order: the transforms of x and of dy of all
   groups, the sums of dy (image and band, K), and, with several passes, the sums of the units. */
static size_t nn__winograd_v_floats(const nn__winograd_sums *s) {
    return (size_t)s->conv.groups * (size_t)(NN__WINOGRAD_POINTS * s->t.v_step);
}
static size_t nn__winograd_u_floats(const nn__winograd_sums *s) {
    return (size_t)s->conv.groups * (size_t)(NN__WINOGRAD_POINTS * s->u_step);
}
static size_t nn__winograd_bias_floats(const nn__winograd_sums *s) {
    return nn__align_up((size_t)s->conv.images * (size_t)s->bands * (size_t)s->conv.groups *
                            (size_t)s->panels * (size_t)s->t.lanes,
                        16);
}

NN_PRIVATE size_t nn__winograd_weight_shared(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__winograd_sums s = nn__winograd_make_sums(cpu, g);
    const size_t units = (size_t)s.conv.groups * (size_t)s.panels * (size_t)s.parts;
    return (nn__winograd_v_floats(&s) + nn__winograd_u_floats(&s) + nn__winograd_bias_floats(&s) +
            (s.passes > 1 ? units * s.m_floats : 0)) *
           sizeof(float);
}

/* Returns the floats of the taps that a unit transposes at once. */
static size_t nn__winograd_turn_floats(const nn__winograd_sums *s) {
    return (size_t)s->size * 9 * (size_t)s->t.lanes;
}

NN_PRIVATE size_t nn__winograd_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__winograd_sums s = nn__winograd_make_sums(cpu, g);
    const size_t products =
        s.start_floats + 2 * nn__winograd_turn_floats(&s) + (s.passes > 1 ? 0 : s.m_floats);
    return (products > s.t.band_floats ? products : s.t.band_floats) * sizeof(float);
}

/* ---- transforms ------------------------------------------------------------------------------ */

typedef struct nn__winograd_pass {
    int n, images, row, rows; /* its first image, images, first row of tiles, and rows */
} nn__winograd_pass;

static nn__winograd_pass nn__winograd_pass_of(const nn__winograd_sums *s, int pass) {
    nn__winograd_pass l;
    l.n = pass / s->bands * s->images;
    l.images = nn__mini(s->images, s->conv.images - l.n);
    l.row = pass % s->bands * s->rows;
    l.rows = nn__mini(s->rows, s->t.tall - l.row);
    return l;
}

/* Computes G dy G^T for some rows of tiles of one image and a vector of channels. Adds the sums of
   dy to bias. */
static void nn__winograd_gradients(const nn__winograd_sums *s, const float *dy, int channels,
                                   int row, int rows, float *band, float *u, float *bias) {
    const nn__winograd_tiles *t = &s->t;
    const int half = t->lanes / 2, across = 4 * t->wide, height = s->conv.h.outputs,
              width = s->conv.w.outputs;
    const ptrdiff_t plane = (ptrdiff_t)height * width, line = (ptrdiff_t)across * half;
    for (int l = 0; l < half; l++) bias[l] = 0;
    for (; rows > 0; row += t->band_rows, rows -= t->band_rows) {
        const int count = nn__mini(rows, t->band_rows),
                  inside = nn__mini(4 * count, height - 4 * row);
        if (channels < half || width < across || inside < 4 * count)
            memset(band, 0, (size_t)(4 * count) * (size_t)line * sizeof(float));
        for (int i = 0; i < inside; i++) {
            float *to = band + i * line;
            t->set->transpose(to, half, dy + (ptrdiff_t)(4 * row + i) * width, plane, channels,
                              width);
            t->transforms->add(bias, to, width);
        }
        for (int i = 0; i < count; i++)
            for (int j = 0; j < t->wide; j++, u += t->lanes)
                t->transforms->gradient(band + 4 * i * line + 4 * j * half, line, u, s->u_step);
    }
}

static void nn__winograd_prepare_pass(const nn__winograd_sums *s, const nn_conv2d_args *g, int pass,
                                      int unit, float *shared, float *band) {
    const nn__conv *conv = &s->conv;
    const nn__winograd_pass l = nn__winograd_pass_of(s, pass);
    const int half = s->t.lanes / 2, x_parts = nn__winograd_x_parts(s),
              parts = x_parts + nn__winograd_dy_parts(s), part = unit % parts,
              n = unit / parts % s->images, group = unit / parts / s->images;
    const ptrdiff_t x_plane = (ptrdiff_t)conv->h.source * conv->w.source,
                    y_plane = (ptrdiff_t)conv->h.outputs * conv->w.outputs,
                    picture = (ptrdiff_t)(l.n + n) * conv->groups + group,
                    first = (ptrdiff_t)n * l.rows * s->t.wide; /* tile */
    if (n >= l.images) return;
    if (part < x_parts) {
        const int c = part * half;
        nn__winograd_inputs(&s->t, conv,
                            nn__f32(&g->x) + (picture * conv->channels + c) * x_plane,
                            nn__mini(half, conv->channels - c), l.row, l.rows, band,
                            shared + group * NN__WINOGRAD_POINTS * s->t.v_step +
                                first * s->t.v_row + c);
        return;
    }
    const int k = (part - x_parts) * half, channels = nn__mini(half, conv->rows - k);
    float *u = shared + nn__winograd_v_floats(s) + group * NN__WINOGRAD_POINTS * s->u_step +
               ((ptrdiff_t)(k / s->t.lanes) * s->count + first) * s->t.lanes + k % s->t.lanes;
    float *bias = shared + nn__winograd_v_floats(s) + nn__winograd_u_floats(s) +
                  ((size_t)(picture * s->bands) + (size_t)(pass % s->bands)) * (size_t)s->panels *
                      (size_t)s->t.lanes +
                  k;
    if (channels > 0) /* else it is the second half of a panel, which nobody reads */
        nn__winograd_gradients(s, nn__f32(&g->y) + (picture * conv->rows + k) * y_plane, channels,
                               l.row, l.rows, band, u, bias);
}

/* ---- products -------------------------------------------------------------------------------- */

/* Transforms the products m into taps, `to` (channels, 9, lanes). */
static void nn__winograd_taps(const nn__winograd_sums *s, int columns, int channels,
                              const float *m, float *to) {
    const int lanes = s->t.lanes;
    for (int i = 0; i < channels; i++)
        s->t.transforms->taps(m + (ptrdiff_t)i * lanes, s->m_step, to + i * 9 * lanes,
                              columns * 2 <= lanes);
}

static void nn__winograd_put_weight(const nn__winograd_sums *s, const nn_conv2d_args *g, int group,
                                    int panel, int c, int channels, const float *m, float *space) {
    const nn__conv *conv = &s->conv;
    const int lanes = s->t.lanes, columns = nn__mini(lanes, conv->rows - panel * lanes);
    const ptrdiff_t depth = (ptrdiff_t)conv->channels * 9;
    float *y = nn__f32(&g->weight) +
               ((ptrdiff_t)group * conv->rows + panel * lanes) * depth + (ptrdiff_t)c * 9;
    float *turned = space + nn__winograd_turn_floats(s);
    nn__winograd_taps(s, columns, channels, m, space);
    if (!g->accumulate) {
        s->t.set->transpose(y, depth, space, lanes, channels * 9, columns);
        return;
    }
    s->t.set->transpose(turned, channels * 9, space, lanes, channels * 9, columns);
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < channels * 9; i++) y[k * depth + i] += turned[k * channels * 9 + i];
}

static void nn__winograd_put_bias(const nn__winograd_sums *s, const nn_conv2d_args *g, int group,
                                  int panel, const float *sums) {
    const nn__conv *conv = &s->conv;
    const int lanes = s->t.lanes, columns = nn__mini(lanes, conv->rows - panel * lanes);
    const size_t row = (size_t)s->panels * (size_t)lanes,
                 picture = (size_t)conv->groups * (size_t)s->bands * row;
    sums += (size_t)group * (size_t)s->bands * row + (size_t)(panel * lanes);
    for (int l = 0; l < columns; l++) {
        float value = 0, *to = nn__f32(&g->epilogue.bias) + group * conv->rows + panel * lanes + l;
        for (int n = 0; n < conv->images; n++)
            for (int b = 0; b < s->bands; b++)
                value += sums[(size_t)n * picture + (size_t)b * row + (size_t)l];
        *to = g->accumulate ? *to + value : value;
    }
}

/* The part of a pass that a unit multiplies. */
typedef struct nn__winograd_block {
    int group, panel, part, c, channels;
} nn__winograd_block;

static nn__winograd_block nn__winograd_block_of(const nn__winograd_sums *s, int unit) {
    nn__winograd_block b;
    b.part = unit % s->parts;
    b.panel = unit / s->parts % s->panels;
    b.group = unit / s->parts / s->panels;
    b.c = b.part * s->size;
    b.channels = nn__mini(s->size, s->conv.channels - b.c);
    return b;
}

/* Computes where the rows of v and u begin, for nn__winograd_multiply. start has s->start_floats
   elements. */
static void nn__winograd_fill_starts(const nn__winograd_sums *s, int channels, int32_t *start) {
    int32_t *offset = start + nn__spread(s->size);
    for (int i = 0; i < channels; i++) start[i] = i;
    for (int i = 0; i < NN__WINOGRAD_DEPTH && i < s->count; i++)
        offset[i] = (int32_t)(i * s->t.v_row);
}

/* Computes the 36 products of `count` tiles into m; add: adds them to m. */
static void nn__winograd_multiply(const nn__winograd_sums *s, const nn__winograd_block *b,
                                  int count, bool add, const float *shared, const int32_t *start,
                                  float *m) {
    const int lanes = s->t.lanes;
    const float *v = shared + b->group * NN__WINOGRAD_POINTS * s->t.v_step + b->c,
                *u = shared + nn__winograd_v_floats(s) +
                     b->group * NN__WINOGRAD_POINTS * s->u_step +
                     (ptrdiff_t)b->panel * s->count * lanes;
    nn__tile tile;
    memset(&tile, 0, sizeof tile);
    tile.columns = s->conv.rows - b->panel * lanes;
    tile.offset = start + nn__spread(s->size);
    for (int point = 0; point < NN__WINOGRAD_POINTS; point++)
        for (int i = 0; i < count; i += NN__WINOGRAD_DEPTH) {
            tile.depth = nn__mini(NN__WINOGRAD_DEPTH, count - i);
            tile.add = add || i > 0;
            tile.b = u + point * s->u_step + (ptrdiff_t)i * lanes;
            tile.y = m + point * s->m_step;
            nn__panel_multiply(s->tiles, &tile, v + point * s->t.v_step + i * s->t.v_row, start,
                               b->channels);
        }
}

static void nn__winograd_multiply_pass(const nn__winograd_sums *s, const nn_conv2d_args *g,
                                       int pass, int unit, float *shared, float *own) {
    const nn__winograd_pass l = nn__winograd_pass_of(s, pass);
    const nn__winograd_block b = nn__winograd_block_of(s, unit);
    const float *sums = shared + nn__winograd_v_floats(s) + nn__winograd_u_floats(s);
    int32_t *start = (int32_t *)(void *)own;
    float *space = own + s->start_floats,
          *m = s->passes > 1 ? shared + nn__winograd_v_floats(s) + nn__winograd_u_floats(s) +
                                   nn__winograd_bias_floats(s) + (size_t)unit * s->m_floats
                             : space + 2 * nn__winograd_turn_floats(s);
    nn__winograd_fill_starts(s, b.channels, start);
    nn__winograd_multiply(s, &b, l.images * l.rows * s->t.wide, pass > 0, shared, start, m);
    if (pass < s->passes - 1) return;
    nn__winograd_put_weight(s, g, b.group, b.panel, b.c, b.channels, m, space);
    if (b.part == 0 && nn__present(&g->epilogue.bias))
        nn__winograd_put_bias(s, g, b.group, b.panel, sums);
}

NN_PRIVATE void nn__winograd_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                         int unit, float *shared, void *own) {
    const nn__winograd_sums s = nn__winograd_make_sums(cpu, g);
    if (phase % 2 == 0)
        nn__winograd_prepare_pass(&s, g, phase / 2, unit, shared, (float *)own);
    else
        nn__winograd_multiply_pass(&s, g, phase / 2, unit, shared, (float *)own);
}

/* ---- all shards at once ----------------------------------------------------------------------

   shared holds the transforms of all shards, one after another. A unit computes its part of each
   shard's gradient in turn and adds it to the pending sums of the binary tree, which all stay in a
   cache near the core. dweight is transposed and written only once. */

#define NN__WINOGRAD_LEVELS 11 /* most pending sums, and the current one */

static nn_conv2d_args nn__winograd_shard(const nn_shard_conv2d_args *a, int shard, int images) {
    nn_conv2d_args g;
    memset(&g, 0, sizeof g);
    nn__shard_conv2d_one(a, shard, images, &g);
    return g;
}

/* Returns the division of a full shard into passes and units, which all shards use. */
static nn__winograd_sums nn__winograd_shard_sums(const nn__cpu *cpu,
                                                 const nn_shard_conv2d_args *a) {
    const nn_conv2d_args g = nn__winograd_shard(a, 0, a->images);
    return nn__winograd_make_sums(cpu, &g);
}

static const char *nn__winograd_shards_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_shard_conv2d_args *a = (const nn_shard_conv2d_args *)arguments;
    const nn_conv2d_args g = nn__winograd_shard(a, 0, a->images);
    const int rest = a->total % nn__maxi(a->images, 1);
    const nn_conv2d_args last = nn__winograd_shard(a, 0, rest);
    if (a->images < 1 || !nn__winograd_weight_suits(cpu, &g) ||
        nn__winograd_shard_sums(cpu, a).passes > 1 ||
        (rest > 0 && !nn__winograd_weight_suits(cpu, &last)))
        return NN__TEXT("a weight gradient over shards needs Winograd's algorithm and all images "
                        "of a shard at once");
    return NULL;
}

static size_t nn__winograd_shard_floats(const nn__winograd_sums *s) {
    return nn__winograd_v_floats(s) + nn__winograd_u_floats(s) + nn__winograd_bias_floats(s);
}

static size_t nn__winograd_shards_shared(const nn__cpu *cpu, const void *arguments) {
    const nn_shard_conv2d_args *a = (const nn_shard_conv2d_args *)arguments;
    const nn__winograd_sums s = nn__winograd_shard_sums(cpu, a);
    return (size_t)a->shards * nn__winograd_shard_floats(&s) * sizeof(float);
}

static int nn__winograd_levels(int shards) {
    int levels = 1;
    while (shards >> levels) levels++;
    return levels;
}

static size_t nn__winograd_shards_own(const nn__cpu *cpu, const void *arguments) {
    const nn_shard_conv2d_args *a = (const nn_shard_conv2d_args *)arguments;
    const nn__winograd_sums s = nn__winograd_shard_sums(cpu, a);
    const size_t products = s.start_floats + s.m_floats + (size_t)nn__winograd_levels(a->shards) *
                                                              nn__winograd_turn_floats(&s);
    return (products > s.t.band_floats ? products : s.t.band_floats) * sizeof(float);
}

static int nn__winograd_shards_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_shard_conv2d_args *a = (const nn_shard_conv2d_args *)arguments;
    const nn_conv2d_args g = nn__winograd_shard(a, 0, a->images);
    const int units = phase > 1 ? 0 : nn__winograd_weight_units(cpu, &g, phase);
    return phase == 0 ? units * a->shards : units;
}

/* Computes a unit's part of one shard's gradient, which is zero if the shard has no images. */
static void nn__winograd_shard_part(const nn__cpu *cpu, const nn__winograd_sums *s,
                                    const nn_shard_conv2d_args *a, const nn__winograd_block *b,
                                    int shard, const float *shared, const int32_t *start, float *m,
                                    float *to) {
    const int lanes = s->t.lanes, n = b->channels * 9 * lanes,
              columns = nn__mini(lanes, s->conv.rows - b->panel * lanes),
              images = nn__shard_conv2d_images(a, shard);
    if (images == 0 || columns * 2 <= lanes) /* the other half is added as well */
        memset(to, 0, (size_t)n * sizeof(float));
    if (images == 0) return;
    nn__winograd_multiply(s, b, images * s->t.tall * s->t.wide, false,
                          shared + (size_t)shard * nn__winograd_shard_floats(s), start, m);
    nn__winograd_taps(s, columns, b->channels, m, to);
    if (nn__present(&a->weights))
        nn__shard_weigh(cpu, to, nn__f32(&a->weights)[(ptrdiff_t)shard * a->weight_step], n);
}

static void nn__winograd_join_shards(const nn__cpu *cpu, const nn__winograd_sums *s,
                                     const nn_shard_conv2d_args *a, int unit, const float *shared,
                                     float *own) {
    const nn__winograd_block b = nn__winograd_block_of(s, unit);
    const int lanes = s->t.lanes, levels = nn__winograd_levels(a->shards),
              columns = nn__mini(lanes, s->conv.rows - b.panel * lanes);
    const ptrdiff_t depth = (ptrdiff_t)s->conv.channels * 9;
    int32_t *start = (int32_t *)(void *)own;
    float *m = own + s->start_floats, *sums[NN__WINOGRAD_LEVELS];
    for (int k = 0; k < levels; k++)
        sums[k] = m + s->m_floats + (size_t)k * nn__winograd_turn_floats(s);
    nn__winograd_fill_starts(s, b.channels, start);
    for (int shard = 0; shard < a->shards; shard++) {
        float *sum = sums[levels - 1]; /* the free one */
        int level = 0;
        nn__winograd_shard_part(cpu, s, a, &b, shard, shared, start, m, sum);
        for (; shard >> level & 1; level++)
            nn__shard_add_row(cpu, sum, sums[level], sum, b.channels * 9 * lanes);
        sums[levels - 1] = sums[level]; /* it is pending, or the sum of all */
        sums[level] = sum;
    }
    s->t.set->transpose(nn__f32(&a->weight) +
                            ((ptrdiff_t)b.group * s->conv.rows + b.panel * lanes) * depth +
                            (ptrdiff_t)b.c * 9,
                        depth, sums[levels - 1], lanes, b.channels * 9, columns);
}

static void nn__winograd_shards_unit(const nn__cpu *cpu, const void *arguments, int phase,
                                     int unit, void *shared, void *own) {
    const nn_shard_conv2d_args *a = (const nn_shard_conv2d_args *)arguments;
    nn__winograd_sums s = nn__winograd_shard_sums(cpu, a);
    if (phase == 1) {
        nn__winograd_join_shards(cpu, &s, a, unit, (const float *)shared, (float *)own);
        return;
    }
    const int units = nn__winograd_shards_units(cpu, arguments, 0) / a->shards;
    const int shard = unit / units;
    const nn_conv2d_args g = nn__winograd_shard(a, shard, nn__shard_conv2d_images(a, shard));
    float *room = (float *)shared + (size_t)shard * nn__winograd_shard_floats(&s);
    s.conv.images = g.y.shape.extent[0];
    nn__winograd_prepare_pass(&s, &g, 0, unit % units, room, (float *)own);
}

static const nn__cpu_kernel nn__shard_conv2d_kernel = {
    nn__winograd_shards_units, nn__winograd_shards_unit, nn__winograd_shards_shared,
    nn__winograd_shards_own, nn__winograd_shards_refuses};

NN_PRIVATE void nn__install_shard_conv2d(nn_context *nn) {
    NN__CPU_INSTALL(nn, SHARD_CONV2D, shard_conv2d, &nn__shard_conv2d_kernel);
}

#undef NN__WINOGRAD_LEVELS
#undef NN__WINOGRAD_PASS
#undef NN__WINOGRAD_DEPTH
#undef NN__WINOGRAD_BOTH
#endif
#endif

typedef int nn__conv2d_winograd_weight_part; /* a part must not be empty under NN_NO_SIMD */
