/* kernels/separable/cpu.c - a depthwise convolution between two others, computed depth first. In
   the middle, vectors hold channels: e and d are panels (position, lanes), which both products
   (kernels/conv2d/cpu_panel.h) and the depthwise rows read directly. x and y keep their usual
   layout. Nothing in the middle is copied, padded or transposed.

   A unit computes some rows of y of one image. Of each panel it holds only the rows of e that one
   or a few rows of d read, in a ring that stays in the L1 cache. Some rows of d of all panels stay
   in the L2 cache until y is computed from them. Rows of e that two units read are computed twice.
   If there would be too few such units, the kernel is split: first a unit for each panel of d,
   which is stored; then y. Each number is the same sum in the same order in all cases, so the cuts
   do not change the bytes. Compiled for size. */
#include "kernels/separable/cpu.h"

#ifndef NN_NO_SPEEDUPS

/* ---- the weights ----------------------------------------------------------------------------- */

/* Packs a panel of (rows, depth) from row `first` on: its bias (lanes), then (depth, lanes). */
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

/* The data of a unit. */
typedef struct nn__separable_job {
    const nn__cpu *cpu;
    const nn__separable *s;
    const nn_separable_args *g;
    const float *x, *residual; /* of the image */
    float *y;
    const float *weight; /* packed */
    int32_t *offset;     /* of the numbers of x that one of e reads; then of the channels of d */
    const float **rows;  /* R pointers */
    float *band, *rings, *d, *sum, *turned;
    ptrdiff_t d_step; /* floats between two panels of d */
} nn__separable_job;

static bool nn__separable_half(int columns, int lanes) { return columns * 2 <= lanes; }

/* Computes y (places, lanes) = activation(a panel of weights times positions whose numbers are
   `step` apart). */
static void nn__separable_multiply(const nn__separable_job *job, const float *panel,
                                   const int32_t *offset, int depth, int columns,
                                   nn_activation activation, const float *a, ptrdiff_t step,
                                   int places, float *y) {
    const nn__separable_set *set = &job->s->set;
    const nn__activate activate = job->cpu->activations[activation];
    const int levels = nn__ceil_div(places, set->rows);
    const int size = levels ? places / levels : 0, larger = levels ? places % levels : 0;
    nn__tile t;
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

/* Copies the rows of x that rows [row, end) of e read, with zeros around them, to the band. */
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

/* Computes rows [row, end) of e of panel m, which are consecutive in its ring. */
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

/* Computes rows [first, last) of e of panel m into its ring. */
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

/* Computes rows [t, end) of d of panel m from a ring that has the rows that they read. */
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

/* Computes positions [at, at + places) of panel k of y. d: begins at position `at`. */
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

/* Returns the end of the rows of e that rows of d before `end` read. */
static int nn__separable_need(const nn__separable *s, const nn_conv2d_params *p, int end) {
    return nn__mini(s->H, (end - 1) * p->stride_h - p->padding_h + s->reach + 1);
}

/* Fills the offsets of the numbers of x that a position reads, and those of d. */
static void nn__separable_fill_offsets(const nn__separable *s, const nn_conv2d_params *first,
                                       int32_t *offset, bool x, bool d) {
    const ptrdiff_t plane = s->band_w ? s->band_plane : (ptrdiff_t)s->H * s->W;
    const int rows = s->band_w ? first->kernel_h : 1, width = s->band_w ? first->kernel_w : 1;
    int32_t *to = offset;
    for (int c = 0; c < s->C && x; c++)
        for (int r = 0; r < rows; r++)
            for (int l = 0; l < width; l++)
                *to++ = (int32_t)(c * plane + (ptrdiff_t)r * s->band_w + l);
    offset += s->inputs;
    for (int m = 0, panel = 0; m < s->M && d; m += s->set.lanes, panel++)
        for (int l = 0; l < nn__mini(s->set.lanes, s->M - m); l++)
            offset[m + l] = (int32_t)(panel * s->d_floats) + l;
}

/* Computes rows [t, end) of d of panel m. Its ring already had the rows of e before `made`. */
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

/* Computes rows [t, end) of d of panels [first, last), and of y unless the kernel is split. */
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

/* Returns the bytes of the rings and sums of a unit. Units of a split kernel's second half need
   only the sums. */
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
    float *stored = s.split ? (float *)shared + (s.packs ? s.weight_floats : 0) +
                                  n * s.m_panels * s.d_floats
                            : NULL;
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
    nn__separable_fill_offsets(&s, &g->first, job.offset, !second && g->expand.dtype,
                               second || !s.split);
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
        why = NN__TEXT("its images are too large for one step");
    return why;
}

static const nn__cpu_kernel nn__separable_kernel = {nn__separable_units, nn__separable_unit,
                                                    nn__separable_shared, nn__separable_own,
                                                    nn__separable_refuses};

#ifndef NN_NO_REPORTS
static uint64_t nn__separable_cached(const nn_context *nn, const void *args) {
    if (!nn->cpu) return 0;
    const nn__separable s =
        nn__separable_make((const nn__cpu *)nn->cpu, (const nn_separable_args *)args);
    return (uint64_t)s.weight_floats * sizeof(float);
}
#endif

#endif

NN_PRIVATE void nn__install_separable(nn_context *nn) {
#ifndef NN_NO_SPEEDUPS
    NN__CPU_INSTALL(nn, SEPARABLE, separable, &nn__separable_kernel);
#ifndef NN_NO_REPORTS
    nn->cached_separable = nn__separable_cached;
#endif
#else
    (void)nn;
#endif
}
