/* kernels/conv2d/cpu_panel_fill.c - the blocks of positions of kernels/conv2d/cpu_panel.h, and the
   bands of x that their taps read: dense rows, or with a stride, rows with sorted columns. */
#include "kernels/conv2d/cpu_panel.h"

#ifndef NN_NO_SIMD

#define NN__PANEL_PHASES 4 /* phases of a stride whose columns are computed once */

NN_PRIVATE void nn__panel_make_blocks(nn__panel_blocks *b, const nn__cpu *cpu,
                                      const nn__conv *conv, int places, int depth,
                                      ptrdiff_t most) {
    const int taps = conv->h.taps * conv->w.taps, height = conv->h.outputs,
              width = conv->w.outputs;
    const ptrdiff_t whole = (ptrdiff_t)conv->h.source * conv->w.source;
    b->set = nn__gemm_set_of(cpu);
    b->tiles = nn__panel_set_of(cpu);
    b->images = b->bands = 1;
    b->outputs = height;
    if ((int64_t)height * width * 2 <= places) {
        b->images = nn__mini(conv->images, places / (height * width));
        b->images = nn__ceil_div(conv->images, nn__ceil_div(conv->images, b->images));
    } else if ((int64_t)height * width > places) {
        b->bands = nn__ceil_div(height, nn__maxi(1, (places + width / 2) / width));
        b->outputs = nn__ceil_div(height, b->bands);
        b->bands = nn__ceil_div(height, b->outputs);
    }
    b->blocks = nn__ceil_div(conv->images, b->images) * b->bands;
    b->places = b->images * b->outputs * width;
    /* Planes whose size is a multiple of 512 bytes share few cache sets, so they are copied. */
    b->in_place = conv->h.stride == 1 && conv->w.stride == 1 && conv->h.low == 0 &&
                  conv->w.low == 0 && conv->row == conv->w.source &&
                  height + conv->h.reach == conv->h.source && whole % 128 != 0 &&
                  whole * conv->channels * conv->groups * b->images < INT32_MAX;
    b->plane = nn__conv_plane(conv, b->outputs);
    b->image = b->plane * conv->h.phases * conv->w.phases;
    b->channel = nn__spread(b->image * b->images);
    if (b->in_place) {
        b->image = whole * conv->channels * conv->groups;
        b->channel = whole;
    }
    const int fits = b->in_place ? conv->channels
                                 : (int)nn__max64(1, nn__min64(conv->channels, most / b->channel));
    const int wanted = nn__maxi(1, nn__mini(fits, depth / taps));
    b->step = nn__ceil_div(conv->channels, nn__ceil_div(conv->channels, wanted));
    b->band_floats =
        b->in_place ? 0 : nn__align_up((size_t)b->channel * (size_t)b->step, 16);
}

NN_PRIVATE int nn__panel_fill_places(const nn__panel_blocks *b, const nn__conv *conv, int images,
                                     int outputs, int32_t *place) {
    int count = 0;
    for (int n = 0; n < images; n++)
        for (int q = 0; q < outputs; q++)
            for (int u = 0; u < conv->w.outputs; u++)
                place[count++] = (int32_t)(n * b->image + (ptrdiff_t)q * conv->row + u);
    return count;
}

NN_PRIVATE void nn__conv_fill_dense(const nn__conv *conv, const float *x, int channels, int t,
                                    int outputs, float *band, ptrdiff_t channel) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int before = nn__mini(conv->row, nn__maxi(0, -w->low)),
              end = nn__maxi(before, nn__mini(conv->row, w->source - w->low)),
              rows = outputs + h->reach, at = t + h->low;
    const int first = nn__mini(rows, nn__maxi(0, -at)),
              last = nn__maxi(first, nn__mini(rows, h->source - at));
    const size_t row = (size_t)conv->row * sizeof(float);
    for (int c = 0; c < channels; c++, x += (ptrdiff_t)h->source * w->source, band += channel) {
        const float *from = x + (ptrdiff_t)(at + first) * w->source + before + w->low;
        float *to = band + (ptrdiff_t)first * conv->row + before;
        if (first > 0) memset(band, 0, (size_t)first * row);
        if (end - before == w->source && conv->row == w->source) { /* rows are consecutive */
            memcpy(to, from, (size_t)(last - first) * row);
        } else {
            for (int q = first; q < last; q++, from += w->source, to += conv->row)
                nn__conv_copy(to, from, end - before);
        }
        if (last < rows)
            memset(band + (ptrdiff_t)last * conv->row, 0, (size_t)(rows - last) * row);
    }
}

/* Columns of one remainder modulo the stride. Column u of a band's row comes from column from + u *
   stride of x; those outside [before, end) are zeros. */
typedef struct nn__panel_columns {
    int from, before, end;
} nn__panel_columns;

static void nn__panel_columns_row(const nn__gemm_set *set, const nn__panel_columns *columns,
                                  const float *x, int stride, int row, float *to) {
    const int before = columns->before, end = columns->end;
    const float *from = x + (columns->from + (ptrdiff_t)before * stride);
    for (int u = 0; u < before; u++) to[u] = 0;
    if (end - before < 16) /* a call would take longer */
        for (int u = before; u < end; u++, from += stride) to[u] = *from;
    else
        set->pick(to + before, from, stride, end - before);
    for (int u = end; u < row; u++) to[u] = 0;
}

/* Does what nn__conv_fill_band does, but computes only once what does not depend on the channel. */
static void nn__panel_fill_strided(const nn__gemm_set *set, const nn__conv *conv, const float *x,
                                   int channels, int t, int outputs, float *band, ptrdiff_t plane,
                                   ptrdiff_t channel) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    const int rows = outputs + h->reach / h->stride, row = conv->row;
    const ptrdiff_t image = (ptrdiff_t)h->source * w->source;
    const bool halves = set->halve && w->stride == 2 && w->phases == 2;
    nn__panel_columns columns[NN__PANEL_PHASES];
    if (w->phases > NN__PANEL_PHASES) {
        nn__conv_fill_band(set, conv, x, channels, t, outputs, band, plane, channel);
        return;
    }
    for (int b = 0; b < w->phases; b++) {
        const int from = b + w->low;
        const int inside =
            from >= w->source ? 0 : nn__mini(row, (w->source - 1 - from) / w->stride + 1);
        columns[b].from = from;
        columns[b].before = nn__mini(row, from >= 0 ? 0 : nn__ceil_div(-from, w->stride));
        columns[b].end = nn__maxi(columns[b].before, inside);
    }
    for (int c = 0; c < channels; c++, x += image, band += channel)
        for (int a = 0; a < h->phases; a++)
            for (int q = 0; q < rows; q++) {
                const int at = (t + q) * h->stride + a + h->low;
                float *to = band + a * w->phases * plane + (ptrdiff_t)q * row;
                if (at < 0 || at >= h->source) {
                    for (int b = 0; b < w->phases; b++)
                        for (int u = 0; u < row; u++) to[b * plane + u] = 0;
                    continue;
                }
                const float *from = x + (ptrdiff_t)at * w->source;
                if (c + 1 < channels) nn__gemm_ahead(from + image, w->source);
                if (halves) {
                    set->halve(to, to + plane, from, w->low, w->source, row);
                    continue;
                }
                for (int b = 0; b < w->phases; b++)
                    nn__panel_columns_row(set, &columns[b], from, w->stride, row, to + b * plane);
            }
}

NN_PRIVATE const float *nn__panel_fill_band(const nn__panel_blocks *b, const nn__conv *conv,
                                            const float *x, int images, int channels, int t,
                                            int outputs, float *band, bool fresh) {
    const ptrdiff_t picture =
        (ptrdiff_t)conv->h.source * conv->w.source * conv->channels * conv->groups;
    const bool dense = conv->h.stride == 1 && conv->w.stride == 1;
    if (b->in_place) return x + (ptrdiff_t)t * conv->w.source;
    if (fresh && dense) memset(band, 0, b->band_floats * sizeof(float));
    for (int n = 0; n < images; n++, x += picture)
        if (dense)
            nn__conv_fill_dense(conv, x, channels, t, outputs, band + n * b->image, b->channel);
        else
            nn__panel_fill_strided(b->set, conv, x, channels, t, outputs, band + n * b->image,
                                   b->plane, b->channel);
    return band;
}

#undef NN__PANEL_PHASES
#endif

typedef int nn__conv2d_panel_fill_part; /* a file must not be empty under NN_NO_SIMD */
