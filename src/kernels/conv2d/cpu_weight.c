/* kernels/conv2d/cpu_weight.c - the gradients of a convolution's weight and bias, as tiled products
   over the bands of kernels/conv2d/cpu.c:
     dweight^T (C R S, K)  =  band (C R S, outputs)  x  dy^T (outputs, K), and dbias */
#include "kernels/conv2d/cpu.h"
#include "kernels/conv2d/cpu_panel.h"
#include "kernels/conv2d/cpu_winograd.h"

#ifndef NN_NO_TRAINING
#define NN__IF_FLAT_WEIGHT(cpu, g, action)                                                         \
    NN__IF_FLAT(cpu, g, if (nn__present(&(g)->weight)) action)

/* All bands of all images, in order, are divided among pieces, whose number depends on the shape.
   The sum of each piece is in shared as (piece, group, C R S + 1, K); the last row is dbias, the
   product with a row of ones. Phase 1 adds the pieces. */

typedef struct nn__conv_sums {
    nn__conv conv;
    const nn__gemm_set *set;
    int outputs, bands, pieces;
    int step, parts; /* channels per unit; units per piece and group */
    int rows;        /* C R S + 1 */
    ptrdiff_t plane, channel, dy_row, sum_row;
    size_t offset_floats, band_floats, ones_floats, dy_floats;
} nn__conv_sums;

#define NN__CONV_SUMS (1024 * 1024) /* floats of all pieces, approximately */

static nn__conv_sums nn__conv_make_sums(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__conv_sums s;
    memset(&s, 0, sizeof s);
    s.conv = nn__conv_forward_geometry(g);
    s.set = nn__gemm_set_of(cpu);
    s.outputs = nn__conv_band_rows(&s.conv, s.conv.h.outputs);
    s.bands = nn__ceil_div(s.conv.h.outputs, s.outputs);
    const int taps = s.conv.h.taps * s.conv.w.taps, flat = s.outputs * s.conv.row;
    s.rows = s.conv.channels * taps + 1;
    s.plane = nn__conv_plane(&s.conv, s.outputs);
    s.channel = nn__conv_channel(&s.conv, s.outputs);
    s.step = nn__conv_step(&s.conv, s.outputs, 320);
    s.parts = nn__ceil_div(s.conv.channels, s.step);
    s.sum_row = (ptrdiff_t)nn__align_up((size_t)s.conv.rows, 16);
    s.dy_row = nn__spread(s.conv.rows);
    const int64_t fit = NN__CONV_SUMS / ((int64_t)s.rows * s.sum_row * s.conv.groups);
    const int64_t bands = (int64_t)s.conv.images * s.bands,
                  wanted = NN__CONV_UNITS / ((int64_t)s.parts * s.conv.groups);
    s.pieces = (int)nn__max64(1, nn__min64(bands, nn__min64(fit, wanted)));
    s.offset_floats = nn__align_up((size_t)s.step * (size_t)taps + 1, 16);
    s.band_floats = (size_t)s.channel * (size_t)s.step;
    s.ones_floats = nn__align_up((size_t)flat, 16);
    s.dy_floats = (size_t)s.dy_row * (size_t)flat;
    return s;
}

static size_t nn__conv2d_backward_weight_own(const nn__cpu *cpu, const void *args) {
    NN__IF_FLAT_WEIGHT(cpu, (const nn_conv2d_args *)args,
                       return cpu->depthwise->flat_own(cpu, (const nn_conv2d_args *)args));
    NN__IF_DEPTHWISE(cpu, (const nn_conv2d_args *)args,
                     return cpu->depthwise->weight_own(cpu, (const nn_conv2d_args *)args));
    NN__IF_WINOGRAD_WEIGHT(cpu, (const nn_conv2d_args *)args,
                           return nn__winograd_weight_own(cpu, (const nn_conv2d_args *)args));
    NN__IF_PANELS_WEIGHT(cpu, (const nn_conv2d_args *)args,
                         return nn__panel_weight_own(cpu, (const nn_conv2d_args *)args));
    const nn__conv_sums s = nn__conv_make_sums(cpu, (const nn_conv2d_args *)args);
    return (s.offset_floats + s.band_floats + s.ones_floats + s.dy_floats +
            nn__align_up(s.ones_floats, 16)) *
           sizeof(float);
}

static size_t nn__conv2d_backward_weight_shared(const nn__cpu *cpu, const void *args) {
    NN__IF_DEPTHWISE(cpu, (const nn_conv2d_args *)args, return 0);
    NN__IF_WINOGRAD_WEIGHT(cpu, (const nn_conv2d_args *)args,
                           return nn__winograd_weight_shared(cpu, (const nn_conv2d_args *)args));
    NN__IF_PANELS_WEIGHT(cpu, (const nn_conv2d_args *)args,
                         return nn__panel_weight_shared(cpu, (const nn_conv2d_args *)args));
    const nn__conv_sums s = nn__conv_make_sums(cpu, (const nn_conv2d_args *)args);
    return (size_t)s.pieces * (size_t)s.conv.groups * (size_t)s.rows * (size_t)s.sum_row *
           sizeof(float);
}

static int nn__conv2d_backward_weight_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    NN__IF_FLAT_WEIGHT(cpu, g, return cpu->depthwise->flat_weight_units(cpu, g, phase));
    NN__IF_DEPTHWISE(cpu, g, return cpu->depthwise->weight_units(cpu, g, phase));
    NN__IF_WINOGRAD_WEIGHT(cpu, g, return nn__winograd_weight_units(cpu, g, phase));
    NN__IF_PANELS_WEIGHT(cpu, g, return nn__panel_weight_units(cpu, g, phase));
    if (phase > 1) return 0;
    const nn__conv_sums s = nn__conv_make_sums(cpu, g);
    if (phase == 0) return s.pieces * s.conv.groups * s.parts;
    return s.conv.groups * nn__mini(NN__CONV_UNITS, nn__ceil_div(s.rows, 16));
}

static void nn__conv_sum_piece(const nn__conv_sums *s, const nn_conv2d_args *g, int unit,
                               float *shared, void *own) {
    const nn__conv *conv = &s->conv;
    const int part = unit % s->parts, group = unit / s->parts % conv->groups,
              piece = unit / s->parts / conv->groups;
    const int taps = conv->h.taps * conv->w.taps, c = part * s->step,
              channels = nn__mini(s->step, conv->channels - c);
    const int64_t bands = (int64_t)conv->images * s->bands;
    const int from = (int)(bands * piece / s->pieces), to = (int)(bands * (piece + 1) / s->pieces);
    const int height = conv->h.outputs, width = conv->w.outputs, row = conv->row;
    const ptrdiff_t y_plane = (ptrdiff_t)height * width,
                    image = (ptrdiff_t)conv->h.source * conv->w.source;
    const bool with_weight = nn__present(&g->weight),
               with_bias = part == s->parts - 1 && nn__present(&g->epilogue.bias);
    int32_t *offset = (int32_t *)own;
    float *band = (float *)own + s->offset_floats, *ones = band + s->band_floats,
          *dy = ones + s->ones_floats;
    int32_t *dy_offset = (int32_t *)(void *)(dy + s->dy_floats);
    nn__product p;
    if (!with_weight && !with_bias) return;
    memset(&p, 0, sizeof p);
    nn__conv_fill_offsets(conv, channels, s->plane, s->channel, offset);
    offset[channels * taps] = (int32_t)(ones - band);
    for (int i = 0; i < s->outputs * row; i++) {
        ones[i] = 1;
        dy_offset[i] = (int32_t)(i * s->dy_row);
        if (i % row >= width) memset(dy + i * s->dy_row, 0, (size_t)conv->rows * sizeof(float));
    }
    p.a = band;
    p.a_step = 1;
    p.a_offset = with_weight ? offset : offset + channels * taps;
    p.b = dy;
    p.b_offset = dy_offset;
    p.rows = (with_weight ? channels * taps : 0) + with_bias;
    p.columns = conv->rows;
    p.y = shared + ((ptrdiff_t)(piece * conv->groups + group) * s->rows +
                    (with_weight ? c * taps : s->rows - 1)) *
                       s->sum_row;
    p.y_row = s->sum_row;
    for (int e = from; e < to; e++, p.add = true) {
        const int t = e % s->bands * s->outputs, outputs = nn__mini(s->outputs, height - t);
        const ptrdiff_t block = (ptrdiff_t)(e / s->bands) * conv->groups + group;
        const float *y = nn__f32(&g->y) + block * conv->rows * y_plane + (ptrdiff_t)t * width;
        const float *x = nn__f32(&g->x) + (block * conv->channels + c) * image;
        for (int q = 0; q < outputs; q++)
            s->set->transpose(dy + (ptrdiff_t)q * row * s->dy_row, s->dy_row,
                              y + (ptrdiff_t)q * width, y_plane, conv->rows, width);
        if (with_weight)
            nn__conv_fill_band(s->set, conv, x, channels, t, outputs, band, s->plane, s->channel);
        p.depth = (outputs - 1) * row + width;
        nn__multiply_tiles(s->set, &p);
    }
}

/* Adds the pieces in ascending order, and transposes (C R S, K) into (K, C R S). */
static void nn__conv_add_pieces(const nn__conv_sums *s, const nn_conv2d_args *g, int unit,
                                const float *shared) {
    const nn__conv *conv = &s->conv;
    const int units = nn__mini(NN__CONV_UNITS, nn__ceil_div(s->rows, 16)), group = unit / units,
              block = unit % units;
    const int from = (int)((int64_t)s->rows * block / units),
              to = (int)((int64_t)s->rows * (block + 1) / units);
    const ptrdiff_t piece = (ptrdiff_t)conv->groups * s->rows * s->sum_row;
    for (int k = 0; k < conv->rows; k++) {
        const ptrdiff_t channel = (ptrdiff_t)group * conv->rows + k;
        for (int i = from; i < to; i++) {
            const nn_view *view = i == s->rows - 1 ? &g->epilogue.bias : &g->weight;
            if (!nn__present(view)) continue;
            const float *sum = shared + ((ptrdiff_t)group * s->rows + i) * s->sum_row + k;
            float *y = nn__f32(view) + (i == s->rows - 1 ? channel : channel * (s->rows - 1) + i);
            float value = *sum;
            for (int e = 1; e < s->pieces; e++) value += sum[e * piece];
            *y = g->accumulate ? *y + value : value;
        }
    }
}

static void nn__conv2d_backward_weight_unit(const nn__cpu *cpu, const void *args, int phase,
                                            int unit, void *shared, void *own) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    NN__IF_FLAT_WEIGHT(cpu, g, {
        cpu->depthwise->flat_weight_unit(cpu, g, unit, own);
        return;
    });
    NN__IF_DEPTHWISE(cpu, g, {
        cpu->depthwise->weight_unit(cpu, g, unit, own);
        return;
    });
    NN__IF_WINOGRAD_WEIGHT(cpu, g, {
        nn__winograd_weight_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    NN__IF_PANELS_WEIGHT(cpu, g, {
        nn__panel_weight_unit(cpu, g, phase, unit, (float *)shared, own);
        return;
    });
    const nn__conv_sums s = nn__conv_make_sums(cpu, g);
    if (phase == 0)
        nn__conv_sum_piece(&s, g, unit, (float *)shared, own);
    else
        nn__conv_add_pieces(&s, g, unit, (const float *)shared);
}

static const nn__cpu_kernel nn__conv2d_backward_weight_kernel = {
    nn__conv2d_backward_weight_units, nn__conv2d_backward_weight_unit,
    nn__conv2d_backward_weight_shared, nn__conv2d_backward_weight_own, NULL};
#undef NN__CONV_SUMS

NN_PRIVATE void nn__install_conv2d_backward(nn_context *nn) {
    nn__install_conv2d_input(nn);
    NN__CPU_INSTALL(nn, CONV2D_BACKWARD_WEIGHT, conv2d_backward_weight,
                    &nn__conv2d_backward_weight_kernel);
}
#endif /* NN_NO_TRAINING */

typedef int nn__conv2d_weight_part; /* a file must not be empty under NN_NO_TRAINING */
