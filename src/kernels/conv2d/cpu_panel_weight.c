/* kernels/conv2d/cpu_panel_weight.c - backward_weight with the output channels in the vector:
   kernels/conv2d/cpu_panel.h. Here the rows of a tile are taps of channels, and its steps are
   positions:
     dweight^T (C R S, K)  =  band (C R S, positions)  x  dy^T (positions, K)
   All blocks of positions, in order, are divided among pieces, whose number depends on the shape.
   The sum of each piece is in shared as (piece, group, panel, C R S + 1, lanes); the last row is
   dbias. Phase 1 adds the pieces in ascending order and transposes them into dweight. */
#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD
#ifndef NN_NO_TRAINING

#define NN__PANEL_PLACES 256           /* positions per block, approximately */
#define NN__PANEL_BAND   (24 * 1024)   /* floats per band, approximately */
#define NN__PANEL_SUMS   (64 * 1024)   /* floats of a unit's sums, approximately */
#define NN__PANEL_PIECES (1024 * 1024) /* floats of all pieces, approximately */
#define NN__PANEL_WIDEST 8             /* most panels per unit */
#define NN__PANEL_FEW    64 /* up to this number of taps of all channels, reading dy dominates */
#define NN__PANEL_TURN   32            /* rows that phase 1 transposes at a time */

typedef struct nn__panel_sums {
    nn__conv conv;
    nn__panel_blocks b;
    int panels, size, k_parts; /* panels of a group and of a unit; units that share the channels */
    int c_parts, pieces, rows; /* rows: C R S + 1 */
    size_t offset_floats, place_floats, dy_floats;
} nn__panel_sums;

static nn__panel_sums nn__panel_make_sums(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__panel_sums s;
    s.conv = nn__conv_forward_geometry(g);
    const int taps = s.conv.h.taps * s.conv.w.taps, lanes = nn__panel_set_of(cpu)->lanes;
    s.panels = nn__ceil_div(s.conv.rows, lanes);
    s.k_parts = nn__ceil_div(s.panels, NN__PANEL_WIDEST);
    s.size = nn__ceil_div(s.panels, s.k_parts);
    nn__panel_make_blocks(&s.b, cpu, &s.conv, NN__PANEL_PLACES,
                          NN__PANEL_SUMS / (s.size * lanes), NN__PANEL_BAND);
    s.c_parts = nn__ceil_div(s.conv.channels, s.b.step);
    s.rows = s.conv.channels * taps + 1;
    const int64_t fit = NN__PANEL_PIECES /
                        ((int64_t)s.rows * s.panels * lanes * s.conv.groups),
                  wanted = NN__CONV_UNITS / ((int64_t)s.c_parts * s.k_parts * s.conv.groups);
    s.pieces = (int)nn__max64(1, nn__min64(s.b.blocks, nn__min64(fit, wanted)));
    s.offset_floats = nn__align_up((size_t)s.b.step * (size_t)taps, 16);
    s.place_floats = nn__align_up((size_t)s.b.places, 16);
    s.dy_floats = (size_t)s.b.places * (size_t)lanes;
    return s;
}

NN_PRIVATE bool nn__panel_weight_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    return nn__panel_set_of(cpu) && nn__present(&g->weight) &&
           g->y.shape.extent[1] / g->params.groups >= 8;
}

NN_PRIVATE size_t nn__panel_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__panel_sums s = nn__panel_make_sums(cpu, g);
    return (s.offset_floats + 2 * s.place_floats + s.b.band_floats +
            s.dy_floats * (size_t)s.size) * sizeof(float);
}

/* Returns the floats of a panel's sums of one piece. */
static size_t nn__panel_sum(const nn__panel_sums *s) {
    return (size_t)s->rows * (size_t)s->b.tiles->lanes;
}

NN_PRIVATE size_t nn__panel_weight_shared(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__panel_sums s = nn__panel_make_sums(cpu, g);
    return (size_t)s.pieces * (size_t)s.conv.groups * (size_t)s.panels * nn__panel_sum(&s) *
           sizeof(float);
}

static int nn__panel_turns(const nn__panel_sums *s) {
    return nn__mini(NN__CONV_UNITS, nn__ceil_div(s->rows, NN__PANEL_TURN));
}

NN_PRIVATE int nn__panel_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    if (phase > 1) return 0;
    const nn__panel_sums s = nn__panel_make_sums(cpu, g);
    return phase == 0 ? s.pieces * s.conv.groups * s.c_parts * s.k_parts
                      : s.conv.groups * s.panels * nn__panel_turns(&s);
}

/* Transposes dy of a block into panels (position, lanes). dy: the first image and channel. */
static void nn__panel_turn_dy(const nn__panel_sums *s, const float *dy, int k, int images, int t,
                              int outputs, float *to) {
    const int lanes = s->b.tiles->lanes, width = s->conv.w.outputs, places = outputs * width,
              end = nn__mini(s->conv.rows, k + s->size * lanes);
    const ptrdiff_t plane = (ptrdiff_t)s->conv.h.outputs * width;
    for (; k < end; k += lanes, to += s->dy_floats) {
        const int columns = nn__mini(lanes, end - k);
        /* if half of a panel is used, the other half is never read */
        if (columns < lanes && columns * 2 != lanes)
            memset(to, 0, (size_t)images * (size_t)places * (size_t)lanes * 4);
        for (int n = 0; n < images; n++)
            s->b.set->transpose(to + (ptrdiff_t)n * places * lanes, lanes,
                                dy + ((ptrdiff_t)n * s->conv.groups * s->conv.rows + k) * plane +
                                    (ptrdiff_t)t * width,
                                plane, columns, places);
    }
}

/* Prefetches what block e reads of dy while the block before is multiplied. Its rows lie planes
   apart, and if x has few channels, reading them takes as long as the products. */
static void nn__panel_ahead(const nn__panel_sums *s, const nn_conv2d_args *g, int e, int group) {
    const nn__conv *conv = &s->conv;
    const int n = e / s->b.bands * s->b.images, t = e % s->b.bands * s->b.outputs,
              images = nn__mini(s->b.images, conv->images - n), width = conv->w.outputs,
              outputs = nn__mini(s->b.outputs, conv->h.outputs - t);
    const ptrdiff_t plane = (ptrdiff_t)conv->h.outputs * width,
                    picture = plane * conv->rows * conv->groups;
    const float *dy = nn__f32(&g->y) + n * picture + plane * conv->rows * group +
                      (ptrdiff_t)t * width;
    for (int i = 0; i < images; i++)
        for (int k = 0; k < conv->rows; k++)
            nn__gemm_ahead(dy + i * picture + k * plane, outputs * width);
}

static void nn__panel_sum_piece(const nn__panel_sums *s, const nn_conv2d_args *g, int unit,
                                float *shared, void *own) {
    const nn__conv *conv = &s->conv;
    const int k_part = unit % s->k_parts, c_part = unit / s->k_parts % s->c_parts,
              block = unit / s->k_parts / s->c_parts, group = block % conv->groups,
              piece = block / conv->groups;
    const int lanes = s->b.tiles->lanes, taps = conv->h.taps * conv->w.taps,
              c = c_part * s->b.step, channels = nn__mini(s->b.step, conv->channels - c),
              first = k_part * s->size, last = nn__mini(first + s->size, s->panels);
    const int from = (int)((int64_t)s->b.blocks * piece / s->pieces),
              to = (int)((int64_t)s->b.blocks * (piece + 1) / s->pieces);
    const bool bias = c_part == s->c_parts - 1 && nn__present(&g->epilogue.bias);
    const ptrdiff_t x_plane = (ptrdiff_t)conv->h.source * conv->w.source,
                    y_plane = (ptrdiff_t)conv->h.outputs * conv->w.outputs;
    const bool few = s->c_parts == 1 && s->k_parts == 1 && conv->channels * taps <= NN__PANEL_FEW;
    const float one = 1.0f;
    int rows = 0; /* rows of y in the last block whose positions were computed */
    int32_t *offset = (int32_t *)own, *place = offset + s->offset_floats,
            *zeros = place + s->place_floats;
    float *band = (float *)(void *)(zeros + s->place_floats), *dy = band + s->b.band_floats;
    nn__tile tile;
    memset(&tile, 0, sizeof tile);
    if (first >= last || channels <= 0) return;
    nn__conv_fill_offsets(conv, channels, s->b.plane, s->b.channel, offset);
    memset(zeros, 0, s->place_floats * sizeof *zeros);
    for (int e = from; e < to; e++) {
        const int n = e / s->b.bands * s->b.images, t = e % s->b.bands * s->b.outputs,
                  images = nn__mini(s->b.images, conv->images - n),
                  outputs = nn__mini(s->b.outputs, conv->h.outputs - t);
        const ptrdiff_t picture = (ptrdiff_t)n * conv->groups + group;
        const float *a = nn__panel_fill_band(
            &s->b, conv, nn__f32(&g->x) + (picture * conv->channels + c) * x_plane, images,
            channels, t, outputs, band, e == from);
        nn__panel_turn_dy(s, nn__f32(&g->y) + picture * conv->rows * y_plane, first * lanes,
                          images, t, outputs, dy);
        if (few && e + 1 < to) nn__panel_ahead(s, g, e + 1, group);
        if (images * outputs != rows) { /* else the positions are the same */
            tile.depth = nn__panel_fill_places(&s->b, conv, images, outputs, place);
            rows = images * outputs;
        }
        tile.add = e > from;
        for (int panel = first; panel < last; panel++) {
            float *sum = shared + (((size_t)piece * (size_t)conv->groups + (size_t)group) *
                                       (size_t)s->panels +
                                   (size_t)panel) * nn__panel_sum(s);
            tile.columns = conv->rows - panel * lanes;
            tile.b = dy + (size_t)(panel - first) * s->dy_floats;
            tile.offset = place;
            tile.y = sum + (ptrdiff_t)c * taps * lanes;
            nn__panel_multiply(s->b.tiles, &tile, a, offset, channels * taps);
            if (!bias) continue;
            tile.offset = zeros;
            tile.y = sum + (ptrdiff_t)(s->rows - 1) * lanes;
            nn__panel_multiply(s->b.tiles, &tile, &one, zeros, 1);
        }
    }
}

/* Adds the pieces of some rows of one panel, and stores them. */
static void nn__panel_add_pieces(const nn__panel_sums *s, const nn_conv2d_args *g, int unit,
                                 const float *shared) {
    const int turns = nn__panel_turns(s), turn = unit % turns, panel = unit / turns % s->panels,
              group = unit / turns / s->panels, lanes = s->b.tiles->lanes,
              columns = nn__mini(lanes, s->conv.rows - panel * lanes), depth = s->rows - 1;
    const int from = (int)((int64_t)s->rows * turn / turns),
              to = (int)((int64_t)s->rows * (turn + 1) / turns);
    const size_t piece = (size_t)s->conv.groups * (size_t)s->panels * nn__panel_sum(s);
    const ptrdiff_t k = (ptrdiff_t)group * s->conv.rows + panel * lanes;
    float sum[NN__PANEL_TURN * NN__PANEL_LANES], turned[NN__PANEL_LANES * NN__PANEL_TURN];
    shared += ((size_t)group * (size_t)s->panels + (size_t)panel) * nn__panel_sum(s);
    for (int i = from; i < to; i += NN__PANEL_TURN) {
        const int rows = nn__mini(NN__PANEL_TURN, nn__mini(to, depth) - i), all = rows * lanes;
        const float *at = shared + (ptrdiff_t)i * lanes;
        float *y = nn__f32(&g->weight) + k * depth + i;
        if (rows <= 0) break;
        for (int j = 0; j < all; j++) sum[j] = at[j];
        for (int e = 1; e < s->pieces; e++)
            for (int j = 0; j < all; j++) sum[j] += at[(size_t)e * piece + (size_t)j];
        if (!g->accumulate) {
            s->b.set->transpose(y, depth, sum, lanes, rows, columns);
            continue;
        }
        s->b.set->transpose(turned, NN__PANEL_TURN, sum, lanes, rows, columns);
        for (int l = 0; l < columns; l++)
            for (int j = 0; j < rows; j++)
                y[(ptrdiff_t)l * depth + j] += turned[l * NN__PANEL_TURN + j];
    }
    if (to < s->rows || !nn__present(&g->epilogue.bias)) return;
    for (int l = 0; l < columns; l++) {
        const float *at = shared + (ptrdiff_t)depth * lanes + l;
        float *y = nn__f32(&g->epilogue.bias) + k + l, value = *at;
        for (int e = 1; e < s->pieces; e++) value += at[(size_t)e * piece];
        *y = g->accumulate ? *y + value : value;
    }
}

NN_PRIVATE void nn__panel_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                      int unit, float *shared, void *own) {
    const nn__panel_sums s = nn__panel_make_sums(cpu, g);
    if (phase == 0)
        nn__panel_sum_piece(&s, g, unit, shared, own);
    else
        nn__panel_add_pieces(&s, g, unit, shared);
}

#undef NN__PANEL_PLACES
#undef NN__PANEL_BAND
#undef NN__PANEL_SUMS
#undef NN__PANEL_PIECES
#undef NN__PANEL_WIDEST
#undef NN__PANEL_FEW
#undef NN__PANEL_TURN
#endif
#endif

typedef int nn__conv2d_panel_weight_part; /* a file must not be empty under NN_NO_TRAINING */
