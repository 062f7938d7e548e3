/* kernels/conv2d/cpu_panel_run.c - forward and backward_input with the output channels in the
   vector: kernels/conv2d/cpu_panel.h. A unit has a block of positions and some panels. It takes
   some channels of x at a time, adds their products to its own array (panel, position, lane), and
   transposes that into y at the end. */
#include "kernels/conv2d/cpu_winograd.h"

#ifndef NN_NO_SIMD

#define NN__PANEL_PLACES 256         /* positions per block, approximately */
#define NN__PANEL_BAND   (24 * 1024) /* floats per band, approximately */
#define NN__PANEL_SUMS   (32 * 1024) /* floats of a unit's array, approximately */
#define NN__PANEL_LEAST  32          /* positions that make packing in each run worthwhile */
#define NN__PANEL_MANY   128         /* positions from which packing costs little */
#define NN__PANEL_PACKS  512         /* positions from which packing is negligible */
#define NN__PANEL_PAIRS  16          /* most pairs of classes of taps */
#define NN__PANEL_SHARED (2 * 1024 * 1024) /* most floats of bands that units share */
#define NN__PANEL_TAPS   9           /* most taps of a kernel that is transposed whole */

/* ---- the cut --------------------------------------------------------------------------------- */

NN_PRIVATE nn__panel_cut nn__panel_make_cut(const nn__cpu *cpu, const nn__conv *conv) {
    nn__panel_cut c;
    if (cpu->conv && conv == &cpu->conv->conv && cpu->conv->kind == NN__CONV_BY_PANELS)
        return cpu->conv->panel;
    const int depth = NN__DEPTH + 64;
    /* If one step takes all channels, no array of all panels is needed. So blocks may be larger,
       and fewer rows are read twice. */
    const bool flat = (int64_t)conv->channels * conv->h.taps * conv->w.taps <= depth;
    for (int places = NN__PANEL_PLACES * (flat ? 4 : 1);; places /= 2) {
        nn__panel_make_blocks(&c.b, cpu, conv, places, depth, NN__PANEL_BAND);
        if (places <= NN__PANEL_PLACES || c.b.blocks >= NN__CONV_UNITS) break;
    }
    const int lanes = c.b.tiles->lanes;
    const bool once = c.b.step >= conv->channels;
    c.panels = nn__ceil_div(conv->rows, lanes);
    c.size = once ? c.panels
                  : nn__maxi(1, nn__mini(c.panels, NN__PANEL_SUMS / (lanes * c.b.places)));
    while (c.size > 1 && (int64_t)c.b.blocks * conv->groups * nn__ceil_div(c.panels, c.size) <
                             NN__CONV_UNITS / 2)
        c.size = nn__ceil_div(c.size, 2);
    c.parts = nn__ceil_div(c.panels, c.size);
    c.size = nn__ceil_div(c.panels, c.parts);
    c.parts = nn__ceil_div(c.panels, c.size);
    c.offset_floats =
        nn__align_up((size_t)c.b.step * (size_t)conv->h.taps * (size_t)conv->w.taps, 16);
    c.place_floats = (size_t)nn__spread(c.b.places);
    c.sum_floats = (size_t)(once ? 1 : c.size) * (size_t)lanes * (size_t)c.b.places;
    c.turned_floats = (size_t)lanes * c.place_floats;
    c.steps = nn__ceil_div(conv->channels, c.b.step);
    /* With a stride, rows are copied number by number; and with packed weights, positions may be so
       few that copying is much of the work. Then the bands are filled once for all panels. */
    c.shares = !c.b.in_place && (conv->h.stride > 1 || conv->w.stride > 1 || conv->keep) &&
               c.parts > 1 &&
               (int64_t)c.b.blocks * conv->groups * c.steps * (int64_t)c.b.band_floats <=
                   NN__PANEL_SHARED;
    return c;
}

/* True if panels are faster than bands. A panel of which at most half is used costs 0.57 of a whole
   one. Packing the weights and transposing y cost as much as a few steps of the depth, and more
   compared with the band of a 1 x 1 convolution, which writes y directly. Measured with AVX2. */
static bool nn__panel_pays(const nn__cpu *cpu, const nn__conv *conv) {
    const int lanes = nn__panel_set_of(cpu)->lanes, taps = conv->h.taps * conv->w.taps,
              rest = conv->rows % lanes;
    const float panels = (float)(conv->rows / lanes) + (rest == 0           ? 0.0f
                                                        : rest * 2 <= lanes ? 0.57f
                                                                            : 1.0f);
    const int64_t places = (int64_t)conv->images * conv->h.outputs * conv->w.outputs;
    const bool kept = conv->keep && places < NN__PANEL_PACKS;
    const float more = (taps == 1 ? 3.5f : 1.5f) - (kept ? 1.0f : 0.0f),
                packing = !kept && places < NN__PANEL_MANY ? 12.0f / (float)places : 0.0f;
    return panels * (float)lanes / (float)conv->rows *
               (1.0f + packing + more / (float)(conv->channels * taps)) <=
           nn__conv_band_cost(cpu, conv);
}

NN_PRIVATE bool nn__panel_suits(const nn__cpu *cpu, const nn__conv *conv) {
    return nn__panel_set_of(cpu) && conv->rows >= 8 &&
           (int64_t)conv->channels * conv->h.taps * conv->w.taps >= 16 &&
           (conv->keep || (int64_t)conv->images * conv->h.outputs * conv->w.outputs >=
                              NN__PANEL_LEAST) &&
           nn__panel_pays(cpu, conv);
}

NN_PRIVATE size_t nn__panel_weight_floats(const nn__cpu *cpu, const nn__conv *conv) {
    const int lanes = nn__panel_set_of(cpu)->lanes;
    return (size_t)conv->groups * (size_t)nn__ceil_div(conv->rows, lanes) * (size_t)lanes *
           (size_t)conv->channels * (size_t)conv->h.taps * (size_t)conv->w.taps;
}

NN_PRIVATE int nn__panel_count(const nn__cpu *cpu, const nn__conv *conv) {
    return conv->groups * nn__ceil_div(conv->rows, nn__panel_set_of(cpu)->lanes);
}

NN_PRIVATE void nn__panel_pack(const nn__cpu *cpu, const nn_conv2d_args *g, const nn__conv *conv,
                               int panel, float *to) {
    const int lanes = nn__panel_set_of(cpu)->lanes, panels = nn__ceil_div(conv->rows, lanes),
              k = panel % panels * lanes, rows = nn__mini(lanes, conv->rows - k);
    const int depth = conv->channels * conv->h.taps * conv->w.taps;
    const float *from =
        nn__f32(&g->weight) + ((ptrdiff_t)(panel / panels) * conv->rows + k) * depth;
    to += (ptrdiff_t)panel * depth * lanes;
    if (rows < lanes) memset(to, 0, (size_t)depth * (size_t)lanes * sizeof(float));
    nn__gemm_set_of(cpu)->transpose(to, lanes, from, depth, rows, depth);
}

NN_PRIVATE void nn__panel_pack_back(const nn__cpu *cpu, const nn_conv2d_args *g,
                                    const nn__conv *conv, int panel, float *to) {
    const int lanes = nn__panel_set_of(cpu)->lanes, panels = nn__ceil_div(conv->rows, lanes),
              c = panel % panels * lanes, rows = nn__mini(lanes, conv->rows - c);
    const int width = g->params.kernel_w, kernel = g->params.kernel_h * width,
              taps = conv->h.taps * conv->w.taps;
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    float turned[NN__PANEL_TAPS * NN__PANEL_LANES]; /* (kernel, lanes) */
    to += (ptrdiff_t)panel * conv->channels * taps * lanes;
    for (int k = 0; k < conv->channels; k++) {
        const float *from =
            nn__f32(&g->weight) +
            ((ptrdiff_t)(panel / panels * conv->channels + k) * conv->rows + c) * kernel;
        if (k + 6 < conv->channels) /* rows that are pages apart */
            nn__gemm_ahead(from + 6 * (ptrdiff_t)conv->rows * kernel, rows * kernel);
        if (kernel == 1) { /* channels of x are neighbours */
            nn__conv_copy(to, from, rows);
            for (int l = rows; l < lanes; l++) to[l] = 0;
            to += lanes;
            continue;
        }
        if (taps == kernel) { /* a single class has all taps, in order */
            if (rows < lanes) memset(to, 0, (size_t)taps * (size_t)lanes * sizeof(float));
            set->transpose(to, lanes, from, kernel, rows, taps);
            to += taps * lanes;
            continue;
        }
        if (kernel <= NN__PANEL_TAPS) {
            if (k == 0) memset(turned, 0, sizeof turned);
            set->transpose(turned, lanes, from, kernel, rows, kernel);
        }
        for (int i = 0; i < conv->h.taps; i++)
            for (int j = 0; j < conv->w.taps; j++, to += lanes) {
                const int at = (conv->h.weight + i * conv->h.weight_step) * width +
                               conv->w.weight + j * conv->w.weight_step;
                if (kernel <= NN__PANEL_TAPS)
                    memcpy(to, turned + at * lanes, (size_t)lanes * sizeof(float));
                else
                    for (int l = 0; l < lanes; l++)
                        to[l] = l < rows ? from[at + (ptrdiff_t)l * kernel] : 0;
            }
    }
}

NN_PRIVATE int nn__panel_units(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__panel_cut c = nn__panel_make_cut(cpu, conv);
    return c.b.blocks * conv->groups * c.parts;
}

NN_PRIVATE size_t nn__panel_own(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__panel_cut c = nn__panel_make_cut(cpu, conv);
    return (c.offset_floats + c.place_floats + (c.shares ? 0 : c.b.band_floats) + c.sum_floats +
            c.turned_floats) *
           sizeof(float);
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* Copies rows [t, t + outputs) of one image from `from` (columns, outputs * width) to y. */
static void nn__panel_place(const nn__conv *conv, const nn__panel_target *to, const float *from,
                            ptrdiff_t from_row, float *y, bool add) {
    const nn__conv_axis *h = &conv->h, *w = &conv->w;
    for (int k = 0; k < to->columns; k++, from += from_row, y += (ptrdiff_t)h->whole * w->whole)
        for (int q = 0; q < to->outputs; q++) {
            const float *row = from + (ptrdiff_t)q * w->outputs;
            float *at = y +
                        ((ptrdiff_t)h->place + (ptrdiff_t)(to->t + q) * h->place_step) * w->whole +
                        w->place;
            if (add)
                for (int u = 0; u < w->outputs; u++) at[(ptrdiff_t)u * w->place_step] += row[u];
            else
                for (int u = 0; u < w->outputs; u++) at[(ptrdiff_t)u * w->place_step] = row[u];
        }
}

NN_PRIVATE bool nn__panel_is_straight(const nn__conv *conv) {
    return conv->w.place_step == 1 && conv->h.place_step == 1 && conv->w.whole == conv->w.outputs;
}

/* Applies expensive activations, then transposes the sums. */
static void nn__panel_turn(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                           const nn__panel_target *to, float *sum, float *turned) {
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    const int lanes = nn__panel_set_of(cpu)->lanes, places = to->outputs * conv->w.outputs,
              all = to->images * places;
    const ptrdiff_t plane = (ptrdiff_t)conv->h.whole * conv->w.whole,
                    picture = plane * conv->rows * conv->groups;
    const nn__clamp clamp = nn__clamp_of(job->activate);
    if (job->activate && !clamp && to->columns * 2 > lanes) /* the unused lanes are finite too */
        job->activate(sum, all * lanes);
    else if (job->activate && !clamp)
        for (int i = 0; i < all; i++) job->activate(sum + (ptrdiff_t)i * lanes, to->columns);
    NN__IF_SLOPE(to->slope, set->bend_columns(sum, lanes, all, to->columns, to->slope));
    const ptrdiff_t row = nn__spread(places);
    for (int n = 0; n < to->images; n++) {
        const float *from = sum + (ptrdiff_t)n * places * lanes;
        float *y = to->y + n * picture;
        const bool straight = nn__panel_is_straight(conv) && !job->accumulate;
        if (straight) y += (ptrdiff_t)to->t * conv->w.whole;
        if (straight && plane % 256 != 0) { /* else the rows of y map to the same cache set */
            set->transpose(y, plane, from, lanes, places, to->columns);
            continue;
        }
        set->transpose(turned, row, from, lanes, places, to->columns);
        if (!straight) nn__panel_place(conv, to, turned, row, y, job->accumulate);
        for (int k = 0; straight && k < to->columns; k++)
            memcpy(y + k * plane, turned + k * row, (size_t)places * sizeof(float));
    }
}

NN_PRIVATE void nn__panel_finish(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                                 const nn__panel_target *to, const float *bias, float *sum,
                                 float *turned) {
    const nn__clamp clamp = nn__clamp_of(job->activate);
    if (bias || clamp)
        nn__gemm_set_of(cpu)->finish(sum, nn__panel_set_of(cpu)->lanes,
                                     to->images * to->outputs * conv->w.outputs, to->columns, NULL,
                                     bias, clamp);
    nn__panel_turn(cpu, conv, job, to, sum, turned);
}

NN_PRIVATE void nn__panel_run(const nn__cpu *cpu, const nn__conv *conv, const nn__conv_job *job,
                              int unit, void *own) {
    const nn__panel_cut c = nn__panel_make_cut(cpu, conv);
    const int lanes = c.b.tiles->lanes, taps = conv->h.taps * conv->w.taps;
    const int part = unit % c.parts, block = unit / c.parts % c.b.blocks,
              group = unit / c.parts / c.b.blocks;
    const int n = block / c.b.bands * c.b.images, t = block % c.b.bands * c.b.outputs,
              first = part * c.size, last = nn__mini(first + c.size, c.panels);
    const ptrdiff_t x_plane = (ptrdiff_t)conv->h.source * conv->w.source,
                    y_plane = (ptrdiff_t)conv->h.whole * conv->w.whole,
                    depth = (ptrdiff_t)conv->channels * taps;
    const float *x = job->x + ((ptrdiff_t)n * conv->groups + group) * conv->channels * x_plane;
    int32_t *offset = (int32_t *)own, *place = offset + c.offset_floats;
    float *band = (float *)own + c.offset_floats + c.place_floats,
          *sums = band + (c.shares ? 0 : c.b.band_floats), *turned = sums + c.sum_floats;
    float start[NN__PANEL_LANES] = {0};
    const nn__clamp clamp = nn__clamp_of(job->activate);
    nn__panel_target to;
    nn__tile tile;
    memset(&tile, 0, sizeof tile);
    to.images = nn__mini(c.b.images, conv->images - n);
    to.t = t;
    to.outputs = nn__mini(c.b.outputs, conv->h.outputs - t);
    if (group >= conv->groups || to.outputs <= 0) return;
    nn__conv_fill_offsets(conv, c.b.step, c.b.plane, c.b.channel, offset);
    const int places = nn__panel_fill_places(&c.b, conv, to.images, to.outputs, place);
    tile.offset = offset;
    for (int channel = 0; channel < conv->channels; channel += c.b.step) {
        const int channels = nn__mini(c.b.step, conv->channels - channel);
        const float *a =
            job->bands ? job->bands + ((ptrdiff_t)(group * c.b.blocks + block) * c.steps +
                                       channel / c.b.step) * (ptrdiff_t)c.b.band_floats
                       : nn__panel_fill_band(&c.b, conv, x + channel * x_plane, to.images,
                                             channels, t, to.outputs, band, channel == 0);
        tile.depth = channels * taps;
        tile.add = channel > 0;
        const bool ends = channel + channels >= conv->channels;
        for (int panel = first; panel < last; panel++) {
            const int k = group * conv->rows + panel * lanes;
            float *sum = sums + (ptrdiff_t)(c.b.step < conv->channels ? panel - first : 0) *
                                    lanes * c.b.places;
            to.columns = nn__mini(lanes, conv->rows - panel * lanes);
            tile.columns = to.columns;
            tile.b = job->weight + ((group * (ptrdiff_t)c.panels + panel) * depth +
                                    (ptrdiff_t)channel * taps) * lanes;
            tile.y = sum;
            tile.start = job->bias && channel == 0 ? start : NULL;
            tile.clamp = ends ? clamp : NN__CLAMP_NOT;
            for (int l = 0; tile.start && l < to.columns; l++) start[l] = job->bias[k + l];
            nn__panel_multiply(c.b.tiles, &tile, a, place, places);
            if (!ends) continue;
            to.y = job->y + ((ptrdiff_t)n * conv->groups * conv->rows + k) * y_plane;
            NN__TARGET_SLOPE(&to, job, k);
            nn__panel_turn(cpu, conv, job, &to, sum, turned);
        }
    }
}

/* ---- forward --------------------------------------------------------------------------------- */

static int nn__panel_band_units(const nn__conv *conv, const nn__panel_cut *c) {
    return c->shares ? conv->groups * c->b.blocks * c->steps : 0;
}

static size_t nn__panel_bands_at(const nn__cpu *cpu, const nn__conv *conv) {
    if (conv->keep == NN_KEEP_USES) return 0;
    return nn__align_up(nn__panel_weight_floats(cpu, conv), 16);
}

NN_PRIVATE size_t nn__panel_forward_shared(const nn__cpu *cpu, const nn__conv *conv) {
    const nn__panel_cut c = nn__panel_make_cut(cpu, conv);
    if (conv->keep == NN_KEEP_MAKES) return 0;
    return (nn__panel_bands_at(cpu, conv) +
            (size_t)nn__panel_band_units(conv, &c) * c.b.band_floats) *
           sizeof(float);
}

/* If nothing is packed or shared, the first phase is the second one. */
static int nn__panel_phase(const nn__conv *conv, const nn__panel_cut *c, int phase) {
    return conv->keep == NN_KEEP_USES && nn__panel_band_units(conv, c) == 0 ? phase + 1 : phase;
}

NN_PRIVATE int nn__panel_phase_units(const nn__cpu *cpu, const nn__conv *conv, int phase) {
    const nn__panel_cut c = nn__panel_make_cut(cpu, conv);
    const int panels = conv->keep == NN_KEEP_USES ? 0 : nn__panel_count(cpu, conv);
    if (conv->keep == NN_KEEP_MAKES) return phase == 0 ? panels : 0;
    phase = nn__panel_phase(conv, &c, phase);
    if (phase == 0) return panels + nn__panel_band_units(conv, &c);
    return phase == 1 ? c.b.blocks * conv->groups * c.parts : 0;
}

/* Fills band `unit` of all groups, blocks and steps. */
static void nn__panel_fill_shared(const nn__conv *conv, const nn__panel_cut *c, const float *x,
                                  int unit, float *bands) {
    const int step = unit % c->steps, block = unit / c->steps % c->b.blocks,
              group = unit / c->steps / c->b.blocks, channel = step * c->b.step,
              n = block / c->b.bands * c->b.images, t = block % c->b.bands * c->b.outputs,
              outputs = nn__mini(c->b.outputs, conv->h.outputs - t);
    if (outputs <= 0) return;
    nn__panel_fill_band(&c->b, conv,
                        x + (((ptrdiff_t)n * conv->groups + group) * conv->channels + channel) *
                                conv->h.source * conv->w.source,
                        nn__mini(c->b.images, conv->images - n),
                        nn__mini(c->b.step, conv->channels - channel), t, outputs,
                        bands + (size_t)unit * c->b.band_floats, true);
}

NN_PRIVATE void nn__panel_forward_unit(const nn__cpu *cpu, const nn_conv2d_args *g,
                                       const nn__conv *conv, int phase, int unit, float *shared,
                                       void *own) {
    const nn__panel_cut c = nn__panel_make_cut(cpu, conv);
    const int panels = conv->keep == NN_KEEP_USES ? 0 : nn__panel_count(cpu, conv);
    /* a call that only packs weights has no shared bands */
    float *bands = c.shares && shared ? shared + nn__panel_bands_at(cpu, conv) : NULL;
    nn__conv_job job;
    if (nn__panel_phase(conv, &c, phase) == 0) {
        if (unit < panels)
            nn__panel_pack(cpu, g, conv, unit, conv->keep ? g->kept : shared);
        else
            nn__panel_fill_shared(conv, &c, nn__f32(&g->x), unit - panels, bands);
        return;
    }
    job = nn__conv_whole_job(cpu, g, &g->x, &g->y);
    job.weight = conv->keep ? g->kept : shared;
    job.bands = bands;
    nn__panel_run(cpu, conv, &job, unit, own);
}

/* ---- backward_input: a product for each pair of classes of taps ------------------------------ */

static bool nn__panel_back_pays(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__conv conv = nn__conv_backward_geometry(g, 0);
    return nn__panel_pays(cpu, &conv);
}

NN_PRIVATE bool nn__panel_back_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    const int pairs = nn__conv_pairs(p);
    const int32_t *x = g->x.shape.extent;
    return nn__panel_set_of(cpu) && pairs <= NN__PANEL_PAIRS && x[1] / p->groups >= 8 &&
           (int64_t)g->y.shape.extent[1] / p->groups * p->kernel_h * p->kernel_w >= 16 * pairs &&
           (int64_t)x[0] * x[2] * x[3] >=
               (int64_t)NN__PANEL_MANY * p->stride_h * p->stride_w &&
           (pairs > 1 || nn__panel_back_pays(cpu, g));
}

/* Returns the floats of the packed weights of the pairs before `pair`. */
static size_t nn__panel_back_at(const nn__cpu *cpu, const nn_conv2d_args *g, int pair) {
    size_t floats = 0;
    for (int e = 0; e < pair; e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e);
        floats += nn__panel_weight_floats(cpu, &conv);
    }
    return floats;
}

NN_PRIVATE size_t nn__panel_back_shared(const nn__cpu *cpu, const nn_conv2d_args *g) {
    return nn__panel_back_at(cpu, g, nn__conv_pairs(&g->params)) * sizeof(float);
}

NN_PRIVATE size_t nn__panel_back_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    size_t most = 0;
    for (int e = 0; e < nn__conv_pairs(&g->params); e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e);
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        const size_t bytes = nn__panel_own(cpu, &conv);
        most = most > bytes ? most : bytes;
    }
    return most;
}

/* Phase 0 has a unit for each panel of dx. Then every pair gets as many units as the one that needs
   most. */
NN_PRIVATE int nn__panel_back_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    const int pairs = nn__conv_pairs(&g->params);
    const nn__conv any = nn__conv_backward_geometry(g, 0);
    int most = 0;
    if (phase == 0) return nn__panel_count(cpu, &any);
    for (int e = 0; e < pairs; e++) {
        const nn__conv conv = nn__conv_backward_geometry(g, e);
        if (conv.h.outputs == 0 || conv.w.outputs == 0) continue;
        most = nn__maxi(most, nn__panel_units(cpu, &conv));
    }
    return most * pairs;
}

NN_PRIVATE void nn__panel_back_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase,
                                    int unit, float *shared, void *own) {
    const int pairs = nn__conv_pairs(&g->params), lanes = nn__panel_set_of(cpu)->lanes;
    nn__conv_job job;
    if (phase == 0) {
        const int rows = g->x.shape.extent[1] / g->params.groups,
                  panels = nn__ceil_div(rows, lanes), c = unit % panels * lanes;
        for (int l = c; l < nn__mini(c + lanes, rows); l++)
            nn__conv_clear_channel(cpu, g, unit / panels * rows + l);
        for (int e = 0; e < pairs; e++) {
            const nn__conv conv = nn__conv_backward_geometry(g, e);
            nn__panel_pack_back(cpu, g, &conv, unit, shared + nn__panel_back_at(cpu, g, e));
        }
        return;
    }
    const nn__conv conv = nn__conv_backward_geometry(g, unit % pairs);
    if (conv.h.outputs == 0 || conv.w.outputs == 0 ||
        unit / pairs >= nn__panel_units(cpu, &conv))
        return;
    job = nn__conv_whole_job(cpu, g, &g->y, &g->x);
    job.weight = shared + nn__panel_back_at(cpu, g, unit % pairs);
    nn__panel_run(cpu, &conv, &job, unit / pairs, own);
}

#undef NN__PANEL_PLACES
#undef NN__PANEL_BAND
#undef NN__PANEL_SUMS
#undef NN__PANEL_LEAST
#undef NN__PANEL_PACKS
#undef NN__PANEL_MANY
#undef NN__PANEL_PAIRS
#undef NN__PANEL_SHARED
#undef NN__PANEL_TAPS
#endif

typedef int nn__conv2d_panel_run_part; /* a file must not be empty under NN_NO_SIMD */
