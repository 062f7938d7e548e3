/* kernels/separable/cpu.c - a depthwise convolution between two others, depth first. In the
   middle, vectors hold channels: e and d are panels (place, lanes), each of which both products
   (kernels/conv2d/cpu_panel.h) and the depthwise rows read as they are; x and y keep their plain
   order. Nothing is copied, padded or turned over in the middle.

   A unit makes some rows of y of one picture. Of each panel it has just the rows of e that one or
   a few rows of d read, in a ring that stays in the first cache; some rows of d of all panels stay
   in the second one until y is made of them. Rows of e that two units read are made twice. Where
   there would be too few such units, the kernel is split: first one for each panel of d, which is
   stored; then y. Every number is the same sum in the same order in each of these, so that no way
   of cutting shows. */
#include "kernels/separable/cpu.h"

#ifndef NN_NO_REPORTS

#define NN__SEPARABLE_UNITS  4           /* for each worker, about */
#define NN__SEPARABLE_PLACES 56          /* of y at once, about */
#define NN__SEPARABLE_E      (8 * 1024)  /* floats of e of a panel that are made at once, about */
#define NN__SEPARABLE_D      (64 * 1024) /* floats of d that are made at once, about */
#define NN__SEPARABLE_STORED (128 * 1024) /* floats of d that are better stored than made twice */

typedef struct nn__separable {
    nn__separable_set set;
    int N, C, H, W, M, K, OH, OW; /* H and W: of e */
    int x_h, x_w;           /* of x */
    int inputs;             /* numbers of x that one of e is a sum of */
    int band_w;             /* of rows of x with the zeros around them; 0: x serves as it is */
    int reach;              /* rows of e from the first tap to the last */
    int m_panels, k_panels; /* of e and d; of y */
    bool split, packs;
    int band, bands;   /* rows of y in a unit */
    int chunk;         /* and of d of all panels at once */
    int few;           /* and of one panel */
    int ring;          /* rows of e that a panel has room for */
    int block, blocks; /* split: places of y in a unit of the second half */
    int places;        /* of y that a tile's worth of sums has at once, at most */
    ptrdiff_t depth_at, project_at; /* of the weights, which begin with those of expand */
    ptrdiff_t expand_floats, depth_floats, project_floats; /* of a panel, bias included */
    ptrdiff_t weight_floats, offset_floats, rows_floats, band_plane, band_floats, ring_floats,
        d_floats, sum_floats, turned_floats;
} nn__separable;

/* ---- the cut --------------------------------------------------------------------------------- */

/* Rows of e that so many rows of y read. */
static int nn__separable_rows(const nn__separable *s, const nn_separable_args *g, int outputs) {
    return nn__mini(s->H, (outputs - 1) * g->params.stride_h + s->reach + 1);
}

static void nn__separable_cut_units(nn__separable *s, const nn__cpu *cpu,
                                    const nn_separable_args *g) {
    /* Rows made twice are worth a sixth of the others at most; those of x are only copied. */
    const int twice = nn__maxi(0, s->reach + 1 - g->params.stride_h) * (g->expand.dtype ? 6 : 1),
              least = nn__maxi(1, nn__ceil_div(twice, g->params.stride_h)),
              wanted = cpu->workers == 1 ? 1 : NN__SEPARABLE_UNITS * nn__mini(cpu->workers, 64);
    const int64_t d = (int64_t)s->m_panels * s->set.lanes * s->OH * s->OW;
    s->bands = nn__maxi(1, nn__mini(s->OH / least, nn__ceil_div(wanted, nn__maxi(1, s->N))));
    s->band = nn__ceil_div(s->OH, s->bands);
    s->bands = nn__ceil_div(s->OH, s->band);
    s->split = s->m_panels > 1 && s->N < NN__SEPARABLE_UNITS &&
               ((cpu->workers > 1 &&
                 (int64_t)s->N * s->bands < nn__maxi(NN__SEPARABLE_UNITS, 2 * cpu->workers)) ||
                d <= NN__SEPARABLE_STORED);
    if (!s->split) return;
    s->bands = 1;
    s->band = s->OH;
    const int places = s->OH * s->OW;
    s->blocks = nn__maxi(1, nn__mini(nn__ceil_div(2 * wanted, s->N * s->k_panels),
                                     places * 2 / (s->set.rows * 3)));
    s->block = nn__ceil_div(places, s->blocks);
    s->blocks = nn__ceil_div(places, s->block);
}

/* Sizes of x, e and y, and how many numbers of x one of e is a sum of. */
static void nn__separable_sizes(nn__separable *s, const nn_separable_args *g) {
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent;
    const nn_conv2d_params *p = &g->first;
    s->N = x[0], s->C = s->inputs = x[1], s->H = s->x_h = x[2], s->W = s->x_w = x[3];
    s->K = y[1], s->OH = y[2], s->OW = y[3];
    s->M = g->depth.shape.extent[0];
    if (!g->expand.dtype || (p->kernel_h == 1 && p->kernel_w == 1 && p->stride_h == 1 &&
                             p->stride_w == 1 && p->padding_h == 0 && p->padding_w == 0))
        return;
    s->inputs = s->C * p->kernel_h * p->kernel_w;
    s->H = (s->x_h + 2 * p->padding_h - p->kernel_h) / p->stride_h + 1;
    s->W = (s->x_w + 2 * p->padding_w - p->kernel_w) / p->stride_w + 1;
    s->band_w = (s->W - 1) * p->stride_w + p->kernel_w;
}

static nn__separable nn__separable_make(const nn__cpu *cpu, const nn_separable_args *g) {
    nn__separable s;
    memset(&s, 0, sizeof s);
    s.set = nn__separable_set_of(cpu);
    const int lanes = s.set.lanes, taps = g->params.kernel_h * g->params.kernel_w;
    nn__separable_sizes(&s, g);
    s.reach = (g->params.kernel_h - 1) * g->params.dilation_h;
    s.m_panels = nn__ceil_div(s.M, lanes);
    s.k_panels = nn__ceil_div(s.K, lanes);
    s.packs = g->keep != NN_KEEP_USES;
    nn__separable_cut_units(&s, cpu, g);
    s.chunk = s.band;
    if (!s.split)
        s.chunk = nn__mini(s.band, nn__maxi(nn__ceil_div(NN__SEPARABLE_PLACES, s.OW),
                                            NN__SEPARABLE_D / (s.m_panels * lanes * s.OW)));
    s.chunk = nn__ceil_div(s.band, nn__ceil_div(s.band, s.chunk));
    s.few = s.chunk;
    while (s.few > 1 &&
           (ptrdiff_t)nn__separable_rows(&s, g, s.few) * s.W * lanes > NN__SEPARABLE_E)
        s.few = nn__ceil_div(s.few, 2);
    s.ring = nn__separable_rows(&s, g, s.few);
    s.expand_floats = g->expand.dtype ? (ptrdiff_t)(s.inputs + 1) * lanes : 0;
    s.depth_floats = (ptrdiff_t)(taps + 1) * lanes;
    s.project_floats = (ptrdiff_t)(s.M + 1) * lanes;
    s.depth_at = s.m_panels * s.expand_floats;
    s.project_at = s.depth_at + s.m_panels * s.depth_floats;
    s.weight_floats = s.project_at + s.k_panels * s.project_floats;
    s.offset_floats = (ptrdiff_t)nn__align_up((size_t)(s.inputs + s.M), 16);
    s.rows_floats = (ptrdiff_t)nn__align_up((size_t)g->params.kernel_h * 2, 16); /* pointers */
    s.band_plane = ((s.ring - 1) * (ptrdiff_t)g->first.stride_h + g->first.kernel_h) * s.band_w;
    s.band_floats = (ptrdiff_t)nn__align_up((size_t)(s.C * s.band_plane), 16);
    s.ring_floats = (ptrdiff_t)s.ring * s.W * lanes;
    s.d_floats = (ptrdiff_t)(s.split ? s.band : s.chunk) * s.OW * lanes;
    const int places = s.split ? s.block : nn__mini(s.chunk * s.OW, 2 * NN__SEPARABLE_PLACES);
    s.places = places;
    s.sum_floats = (ptrdiff_t)places * lanes;
    s.turned_floats = nn__spread(places) * lanes;
    return s;
}

/* ---- the weights ----------------------------------------------------------------------------- */

/* A panel of (rows, depth) from row `first` on: its bias (lanes), then (depth, lanes). */
static void nn__separable_pack_panel(const nn__cpu *cpu, const nn__separable *s,
                                     const nn_view *weight, const nn_view *bias, int rows,
                                     int depth, int first, float *to) {
    const int lanes = s->set.lanes, count = nn__mini(lanes, rows - first);
    memset(to, 0, (size_t)(depth + 1) * (size_t)lanes * sizeof(float));
    if (nn__present(bias)) memcpy(to, nn__f32(bias) + first, (size_t)count * sizeof(float));
    nn__gemm_set_of(cpu)->transpose(to + lanes, lanes,
                                    nn__f32(weight) + (ptrdiff_t)first * depth, depth, count,
                                    depth);
}

static void nn__separable_pack(const nn__cpu *cpu, const nn__separable *s,
                               const nn_separable_args *g, int unit, float *to) {
    const int lanes = s->set.lanes, p = unit - s->m_panels;
    if (p >= 0) {
        nn__separable_pack_panel(cpu, s, &g->project, &g->project_bias, s->K, s->M, p * lanes,
                                 to + s->project_at + p * s->project_floats);
        return;
    }
    if (g->expand.dtype)
        nn__separable_pack_panel(cpu, s, &g->expand, &g->expand_bias, s->M, s->inputs, unit * lanes,
                                 to + unit * s->expand_floats);
    nn__separable_pack_panel(cpu, s, &g->depth, &g->depth_bias, s->M,
                             g->params.kernel_h * g->params.kernel_w, unit * lanes,
                             to + s->depth_at + unit * s->depth_floats);
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* What a unit works with. */
typedef struct nn__separable_job {
    const nn__cpu *cpu;
    const nn__separable *s;
    const nn_separable_args *g;
    const float *x, *residual; /* of the picture */
    float *y;
    const float *weight; /* packed */
    int32_t *offset;     /* of the numbers of x that one of e reads; of the channels of d */
    const float **rows;  /* R of them */
    float *band, *rings, *d, *sum, *turned;
    ptrdiff_t d_step; /* floats from one panel of d to the next */
} nn__separable_job;

static bool nn__separable_half(int columns, int lanes) { return columns * 2 <= lanes; }

/* y (places, lanes) = a panel of weights times places whose numbers lie `step` apart, and the
   activation. */
static void nn__separable_multiply(const nn__separable_job *job, const float *panel,
                                   const int32_t *offset, int depth, int columns,
                                   nn_activation activation, const float *a, ptrdiff_t step,
                                   int places, float *y) {
    const nn__separable_set *set = &job->s->set;
    const nn__activate activate = job->cpu->activations[activation];
    const int levels = nn__ceil_div(places, set->rows);
    const int size = levels ? places / levels : 0, larger = levels ? places % levels : 0;
    nn__panel_tile t;
    memset(&t, 0, sizeof t);
    t.offset = offset;
    t.start = panel;
    t.b = panel + set->lanes;
    t.y = y;
    t.depth = depth;
    t.columns = columns;
    t.clamp = nn__clamp_of(activate);
    for (int level = 0; level < levels; level++) {
        t.rows = size + (level < larger);
        for (int r = 0; r < t.rows; r++, a += step) t.a[r] = a;
        set->tile(&t);
        t.y += (ptrdiff_t)t.rows * set->lanes;
    }
    if (!activate || t.clamp) return;
    for (int i = 0; i < places; i++) activate(y + (ptrdiff_t)i * set->lanes,
                                              nn__mini(columns, set->lanes));
}

/* The rows of x that rows [row, end) of e read, with the zeros around them, into the band. */
static void nn__separable_fill_band(const nn__separable_job *job, int row, int end) {
    const nn__separable *s = job->s;
    const nn_conv2d_params *p = &job->g->first;
    const int rows = (end - row - 1) * p->stride_h + p->kernel_h, before = p->padding_w,
              inside = nn__mini(s->x_w, s->band_w - before), after = s->band_w - before - inside;
    for (int c = 0; c < s->C; c++) {
        const float *x = job->x + (ptrdiff_t)c * s->x_h * s->x_w;
        float *to = job->band + c * s->band_plane;
        for (int q = 0, h = row * p->stride_h - p->padding_h; q < rows; q++, h++) {
            if (h < 0 || h >= s->x_h || inside <= 0) {
                memset(to, 0, (size_t)s->band_w * sizeof(float));
            } else {
                memset(to, 0, (size_t)before * sizeof(float));
                memcpy(to + before, x + (ptrdiff_t)h * s->x_w, (size_t)inside * sizeof(float));
                memset(to + before + inside, 0, (size_t)after * sizeof(float));
            }
            to += s->band_w;
        }
    }
}

/* Rows [row, end) of e of panel m, which lie behind each other in its ring. */
static void nn__separable_expand_rows(const nn__separable_job *job, int m, int row, int end,
                                      float *to) {
    const nn__separable *s = job->s;
    const nn_conv2d_params *p = &job->g->first;
    const int columns = nn__mini(s->set.lanes, s->M - m * s->set.lanes);
    const float *panel = job->weight + m * s->expand_floats;
    if (!s->band_w) {
        nn__separable_multiply(job, panel, job->offset, s->C, columns, job->g->expand_activation,
                               job->x + (ptrdiff_t)row * s->W, 1, (end - row) * s->W, to);
        return;
    }
    nn__separable_fill_band(job, row, end);
    for (int q = 0; q < end - row; q++, to += (ptrdiff_t)s->W * s->set.lanes)
        nn__separable_multiply(job, panel, job->offset, s->inputs, columns,
                               job->g->expand_activation,
                               job->band + (ptrdiff_t)q * p->stride_h * s->band_w, p->stride_w,
                               s->W, to);
}

/* Rows [first, last) of e of panel m, into its ring. */
static void nn__separable_expand(const nn__separable_job *job, int m, int first, int last,
                                 float *ring) {
    const nn__separable *s = job->s;
    const int lanes = s->set.lanes, columns = nn__mini(lanes, s->M - m * lanes);
    const ptrdiff_t plane = (ptrdiff_t)s->H * s->W;
    for (int row = nn__maxi(0, first), end; row < last; row = end) {
        const int slot = row % s->ring;
        const float *x = job->x + (ptrdiff_t)row * s->W;
        float *to = ring + (ptrdiff_t)slot * s->W * lanes;
        end = nn__mini(last, row + s->ring - slot);
        if (job->g->expand.dtype)
            nn__separable_expand_rows(job, m, row, end, to);
        else
            nn__gemm_set_of(job->cpu)->transpose(to, lanes, x + m * lanes * plane, plane, columns,
                                                 (end - row) * s->W);
    }
}

/* Rows [t, end) of d of panel m, to d, from a ring that has what they read. */
static void nn__separable_depth(const nn__separable_job *job, int m, int t, int end,
                                const float *ring, float *d) {
    const nn__separable *s = job->s;
    const nn_conv2d_params *p = &job->g->params;
    const nn__activate activate = job->cpu->activations[job->g->depth_activation];
    const int lanes = s->set.lanes, columns = nn__mini(lanes, s->M - m * lanes);
    nn__separable_row row;
    row.e = job->rows;
    row.bias = job->weight + s->depth_at + m * s->depth_floats;
    row.weight = row.bias + lanes;
    row.R = p->kernel_h, row.S = p->kernel_w, row.W = s->W, row.OW = s->OW;
    row.stride = p->stride_w, row.padding = p->padding_w, row.dilation = p->dilation_w;
    row.half = nn__separable_half(columns, lanes);
    row.clamp = nn__clamp_of(activate);
    for (; t < end; t++, d += (ptrdiff_t)s->OW * lanes) {
        for (int r = 0; r < row.R; r++) {
            const int h = t * p->stride_h - p->padding_h + r * p->dilation_h;
            job->rows[r] = h < 0 || h >= s->H
                               ? NULL
                               : ring + (ptrdiff_t)(h % s->ring) * s->W * lanes;
        }
        row.d = d;
        s->set.row(&row);
        for (int u = 0; activate && !row.clamp && u < s->OW; u++)
            activate(d + (ptrdiff_t)u * lanes, columns);
    }
}

/* Places [at, at + places) of y's panel k, from d, whose first place that is. */
static void nn__separable_project(const nn__separable_job *job, int k, const float *d, int at,
                                  int places) {
    const nn__separable *s = job->s;
    const nn__gemm_set *gemm = nn__gemm_set_of(job->cpu);
    const int lanes = s->set.lanes, columns = nn__mini(lanes, s->K - k * lanes);
    const ptrdiff_t plane = (ptrdiff_t)s->OH * s->OW, row = nn__spread(places),
                    to = (ptrdiff_t)k * lanes * plane + at;
    nn__separable_multiply(job, job->weight + s->project_at + k * s->project_floats,
                           job->offset + s->inputs, s->M, columns, job->g->project_activation, d,
                           lanes, places, job->sum);
    gemm->transpose(job->turned, row, job->sum, lanes, places, columns);
    for (int c = 0; c < columns; c++) {
        float *y = job->y + to + c * plane;
        memcpy(y, job->turned + c * row, (size_t)places * sizeof(float));
        if (job->residual)
            gemm->finish(y, places, 1, places, NULL, job->residual + to + c * plane,
                         NN__CLAMP_NOT);
    }
}

/* The row of e behind the last one that rows of d before `end` read. */
static int nn__separable_need(const nn__separable *s, const nn_conv2d_params *p, int end) {
    return nn__mini(s->H, (end - 1) * p->stride_h - p->padding_h + s->reach + 1);
}

/* Where a place finds the numbers of x, and those of d. */
static void nn__separable_fill_offsets(const nn__separable *s, int width, int32_t *offset, bool x,
                                       bool d) {
    const int kernel = s->inputs / s->C;
    const ptrdiff_t plane = s->band_w ? s->band_plane : (ptrdiff_t)s->H * s->W;
    for (int i = 0; i < s->inputs && x; i++) {
        const int tap = i % kernel;
        offset[i] = (int32_t)(i / kernel * plane + tap / width * s->band_w + tap % width);
    }
    offset += s->inputs;
    for (int m = 0, panel = 0; m < s->M && d; m += s->set.lanes, panel++)
        for (int l = 0; l < nn__mini(s->set.lanes, s->M - m); l++)
            offset[m + l] = (int32_t)(panel * s->d_floats) + l;
}

/* Rows [t, end) of d of panel m, whose rows of e below `made` its ring has had. */
static void nn__separable_panel(const nn__separable_job *job, int m, int t, int end, int made,
                                float *ring, float *d) {
    const nn__separable *s = job->s;
    const nn_conv2d_params *p = &job->g->params;
    for (int q = t; q < end; q += s->few) {
        const int stop = nn__mini(end, q + s->few),
                  low = nn__maxi(made, q * p->stride_h - p->padding_h),
                  need = nn__separable_need(s, p, stop);
        nn__separable_expand(job, m, low, need, ring);
        nn__separable_depth(job, m, q, stop, ring, d + (ptrdiff_t)(q - t) * s->OW * s->set.lanes);
        made = nn__maxi(made, need);
    }
}

/* Rows [t, end) of d of panels [first, last), and of y unless the kernel is split. */
static void nn__separable_run(const nn__separable_job *job, int first, int last, int t, int end) {
    const nn__separable *s = job->s;
    const bool once = s->chunk >= end - t; /* no panel's rows of e are read again */
    int made = 0;
    for (int q = t; q < end; q += s->chunk) {
        const int stop = nn__mini(end, q + s->chunk);
        for (int m = first; m < last; m++)
            nn__separable_panel(job, m, q, stop, made,
                                job->rings + (once ? 0 : (m - first) * s->ring_floats),
                                job->d + (m - first) * job->d_step);
        made = nn__separable_need(s, &job->g->params, stop);
        for (int at = q * s->OW, places; at < stop * s->OW && !s->split; at += places) {
            places = nn__mini(s->places, stop * s->OW - at);
            for (int k = 0; k < s->k_panels; k++)
                nn__separable_project(job, k, job->d + (ptrdiff_t)(at - q * s->OW) * s->set.lanes,
                                      at, places);
        }
    }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static int nn__separable_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_separable_args *g = (const nn_separable_args *)args;
    const nn__separable s = nn__separable_make(cpu, g);
    if (s.packs && phase == 0) return s.m_panels + s.k_panels;
    if (g->keep == NN_KEEP_MAKES) return 0;
    phase -= s.packs;
    if (phase == 0) return s.N * (s.split ? s.m_panels : s.bands);
    return phase == 1 && s.split ? s.N * s.k_panels * s.blocks : 0;
}

/* Rings, and sums, which a unit of a split kernel's second half has in their place. */
static size_t nn__separable_own(const nn__cpu *cpu, const void *args) {
    const nn__separable s = nn__separable_make(cpu, (const nn_separable_args *)args);
    const ptrdiff_t sums = s.sum_floats + s.turned_floats, panels = s.split ? 1 : s.m_panels;
    ptrdiff_t floats = panels * s.ring_floats;
    if (!s.split) floats += panels * s.d_floats + sums;
    if (floats < sums) floats = sums;
    return (size_t)(s.offset_floats + s.rows_floats + s.band_floats + floats) * sizeof(float);
}

static size_t nn__separable_shared(const nn__cpu *cpu, const void *args) {
    const nn_separable_args *g = (const nn_separable_args *)args;
    const nn__separable s = nn__separable_make(cpu, g);
    return (size_t)((s.packs && g->keep != NN_KEEP_MAKES ? s.weight_floats : 0) +
                    (s.split && g->keep != NN_KEEP_MAKES ? s.N * s.m_panels * s.d_floats : 0)) *
           sizeof(float);
}

static void nn__separable_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                               void *shared, void *own) {
    const nn_separable_args *g = (const nn_separable_args *)args;
    const nn__separable s = nn__separable_make(cpu, g);
    float *weight = g->keep ? g->kept : (float *)shared;
    if (s.packs && phase == 0) {
        nn__separable_pack(cpu, &s, g, unit, weight);
        return;
    }
    const bool second = phase > (s.packs ? 1 : 0);
    const int each = !s.split ? s.bands : second ? s.k_panels * s.blocks : s.m_panels,
              n = unit / each, part = unit % each;
    float *stored = (float *)shared + (s.packs ? s.weight_floats : 0) +
                    n * s.m_panels * s.d_floats;
    nn__separable_job job;
    job.cpu = cpu;
    job.s = &s;
    job.g = g;
    job.weight = weight;
    job.x = nn__f32(&g->x) + (ptrdiff_t)n * s.C * s.x_h * s.x_w;
    job.y = nn__f32(&g->y) + (ptrdiff_t)n * s.K * s.OH * s.OW;
    job.residual = nn__present(&g->residual)
                       ? nn__f32(&g->residual) + (ptrdiff_t)n * s.K * s.OH * s.OW
                       : NULL;
    job.offset = (int32_t *)own;
    job.rows = (const float **)(void *)((float *)own + s.offset_floats);
    job.band = (float *)own + s.offset_floats + s.rows_floats;
    job.rings = job.band + s.band_floats;
    job.d = s.split ? stored : job.rings + s.m_panels * s.ring_floats;
    job.d_step = s.d_floats;
    job.sum = s.split ? job.rings : job.d + s.m_panels * s.d_floats;
    job.turned = job.sum + s.sum_floats;
    nn__separable_fill_offsets(&s, s.band_w ? g->first.kernel_w : 1, job.offset,
                               !second && g->expand.dtype, second || !s.split);
    if (second) {
        const int at = part % s.blocks * s.block;
        nn__separable_project(&job, part / s.blocks, stored + (ptrdiff_t)at * s.set.lanes, at,
                              nn__mini(s.block, s.OH * s.OW - at));
        return;
    }
    if (s.split) job.d += part * s.d_floats;
    const int t = s.split ? 0 : part * s.band;
    nn__separable_run(&job, s.split ? part : 0, s.split ? part + 1 : s.m_panels, t,
                      nn__mini(s.OH, t + s.band));
}

static const char *nn__separable_refuses(const nn__cpu *cpu, const void *args) {
    const nn_separable_args *g = (const nn_separable_args *)args;
    const int64_t x = (int64_t)g->x.shape.extent[1] * g->x.shape.extent[2] * g->x.shape.extent[3],
                  d = ((int64_t)g->depth.shape.extent[0] + 31) * g->y.shape.extent[2] *
                      g->y.shape.extent[3];
    const char *why = nn__refuses_activation(cpu, g->expand_activation);
    if (!why) why = nn__refuses_activation(cpu, g->depth_activation);
    if (!why) why = nn__refuses_activation(cpu, g->project_activation);
    if (!why && (x > INT32_MAX || d > INT32_MAX))
        why = NN__TEXT("its pictures are too large for one step");
    return why;
}

static const nn__cpu_kernel nn__separable_kernel = {nn__separable_units, nn__separable_unit,
                                                    nn__separable_shared, nn__separable_own,
                                                    nn__separable_refuses};

NN_PRIVATE uint64_t nn__separable_kept(const nn__cpu *cpu, const nn_separable_args *g) {
    const nn__separable s = nn__separable_make(cpu, g);
    return (uint64_t)s.weight_floats * sizeof(float);
}

#undef NN__SEPARABLE_UNITS
#undef NN__SEPARABLE_PLACES
#undef NN__SEPARABLE_E
#undef NN__SEPARABLE_D
#undef NN__SEPARABLE_STORED
#endif

NN_PRIVATE void nn__install_separable(nn_context *nn) {
#ifndef NN_NO_REPORTS
    NN__CPU_INSTALL(nn, SEPARABLE, separable, &nn__separable_kernel);
#else
    (void)nn;
#endif
}
