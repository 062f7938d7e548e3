/* kernels/conv_pool/cpu.c - the forward pass of a block. The four places of a window read R + 1
   rows and S + 1 columns of x, and the next window reads the same two columns further on. So the
   input is stored as the band of a convolution with a stride of two (kernels/conv2d/cpu.c). There,
   neighbouring windows read neighbouring numbers for each tap, and one vector computes as many
   windows as it has lanes.

   Each of the four places is a product (cpu/gemm.h) with the same weights and other offsets; only
   the largest of the four sums is stored. 3 x 3 filters with few channels use Winograd's F(2 x 2,
   3 x 3) instead (Lavin, Gray, "Fast algorithms for convolutional neural networks", 2016), whose
   tile is exactly a window. For one axis, with one sign moved from the points to the weights:
     B^T  0: x0 - x2    1: x1 + x2    2: x2 - x1    3: x1 - x3
     G    0: g0         1: (g0 + g1 + g2) / 2    2: (g0 - g1 + g2) / 2    3: -g2
     A^T  y0 = m0 + (m1 + m2)    y1 = (m1 - m2) + m3
   For a vector of windows the 16 points of a channel take 32 additions, once for all output
   channels. Each output channel then takes 16 products instead of 36. */
#include "kernels/conv_pool/cpu.h"
#include "cpu/gemm.h"
#include "kernels/conv_pool/vector.h"

#ifndef NN_NO_SPEEDUPS

#define NN__CONV_POOL_BAND     (64 * 1024) /* limit of a band, in floats */
#define NN__CONV_POOL_UNITS    16
#define NN__CONV_POOL_PRODUCT  16 /* output channels of a product */
#define NN__CONV_POOL_CHANNELS 16 /* most channels of x: their points stay in the L1 cache */

NN_PRIVATE const nn__conv_pool_loops *nn__conv_pool_loops_of(const nn__cpu *cpu) {
    return NN__OF_EVERY(cpu, nn__conv_pool_loops);
}

static nn__conv nn__conv_pool_geometry(const nn_conv_pool_args *g) {
    nn_conv2d_args windows;
    memset(&windows, 0, sizeof windows);
    windows.x = g->x;
    windows.y = g->y;
    windows.params.kernel_h = g->weight.shape.extent[2] + 1;
    windows.params.kernel_w = g->weight.shape.extent[3] + 1;
    windows.params.stride_h = windows.params.stride_w = 2;
    windows.params.padding_h = g->padding_h;
    windows.params.padding_w = g->padding_w;
    windows.params.dilation_h = windows.params.dilation_w = windows.params.groups = 1;
    return nn__conv_forward_geometry(&windows);
}

/* True if Winograd pays: with fewer output channels the points cost more than they save. */
static bool nn__conv_pool_by_points(const nn__conv_pool_loops *loops, const nn_conv_pool_args *g) {
    const int32_t *weight = g->weight.shape.extent;
    return loops->lanes > 1 && !g->direct && weight[2] == 3 && weight[3] == 3 &&
           weight[1] <= NN__CONV_POOL_CHANNELS && weight[0] >= NN__CONV_POOL_ROWS;
}

static void nn__conv_pool_cut_floats(nn__conv_pool_cut *cut) {
    const int C = cut->conv.channels,
              rows = cut->by_points ? cut->size : nn__mini(cut->size, NN__CONV_POOL_PRODUCT);
    cut->row = nn__spread(cut->outputs * cut->conv.row + NN__CONV_POOL_LANES);
    cut->offset_floats = nn__align_up((size_t)(C * (cut->R + 1) * (cut->S + 1)), 16);
    cut->table_floats = nn__align_up((size_t)cut->depth * 4, 16);
    cut->band_floats =
        nn__align_up((size_t)cut->band.channel * (size_t)C + 2 * NN__CONV_POOL_LANES, 16);
    /* products: four sums for each window; flat tiles: all maxima, then all places */
    cut->sum_floats = (size_t)cut->row * (size_t)rows * 4;
    if (!cut->by_points) return;
    cut->sum_floats = cut->flat ? nn__align_up((size_t)cut->row * (size_t)rows * 5 / 4, 16) : 0;
    cut->point_floats = (size_t)(16 * C * NN__CONV_POOL_LANES);
}

NN_PRIVATE nn__conv_pool_cut nn__conv_pool_make_cut(const nn__cpu *cpu,
                                                    const nn_conv_pool_args *g) {
    nn__conv_pool_cut cut;
    memset(&cut, 0, sizeof cut);
    cut.conv = nn__conv_pool_geometry(g);
    cut.loops = nn__conv_pool_loops_of(cpu);
    cut.gemm = nn__gemm_set_of(cpu);
    cut.R = cut.conv.h.taps - 1;
    cut.S = cut.conv.w.taps - 1;
    const int C = cut.conv.channels, height = cut.conv.h.outputs, width = cut.conv.w.outputs;
    const int wanted = nn__ceil_div(NN__CONV_POOL_UNITS, nn__maxi(cut.conv.images, 1));
    cut.depth = C * cut.R * cut.S;
    cut.outputs = nn__ceil_div(height, nn__mini(wanted, nn__maxi(1, height / 4)));
    while (cut.outputs > 1 &&
           nn__conv_channel(&cut.conv, cut.outputs) * C > NN__CONV_POOL_BAND)
        cut.outputs = nn__ceil_div(cut.outputs, 2);
    cut.bands = nn__ceil_div(height, nn__maxi(cut.outputs, 1));
    cut.parts = nn__mini(nn__ceil_div(wanted, nn__maxi(cut.bands, 1)),
                         nn__ceil_div(cut.conv.rows, NN__CONV_POOL_UNITS));
    cut.size = nn__ceil_div(cut.conv.rows, cut.parts);
    cut.size = nn__ceil_div(cut.size, NN__CONV_POOL_ROWS) * NN__CONV_POOL_ROWS;
    cut.parts = nn__ceil_div(cut.conv.rows, cut.size);
    cut.by_points = nn__conv_pool_by_points(cut.loops, g);
    const int lanes = cut.loops->lanes, whole = nn__ceil_div(width, lanes) * lanes;
    cut.flat = !cut.by_points || cut.conv.row * 4 < whole * 3;
    if (!cut.flat) /* then all loads but those of one column are aligned */
        cut.conv.row = (int)nn__align_up((size_t)cut.conv.row, NN__CONV_POOL_LANES);
    cut.band.channels = C;
    cut.band.channel = nn__conv_channel(&cut.conv, cut.outputs);
    cut.band.plane = nn__conv_plane(&cut.conv, cut.outputs);
    cut.band.row = cut.conv.row;
    nn__conv_pool_cut_floats(&cut);
    return cut;
}

NN_PRIVATE void nn__conv_pool_fill_band(const nn__conv_pool_cut *cut, const float *x, int t,
                                        int outputs, float *band) {
    const nn__conv_pool_band *b = &cut->band;
#ifdef NN_NO_SIMD
    nn__conv_fill_band(cut->gemm, &cut->conv, x, b->channels, t, outputs, band, b->plane,
                       b->channel);
#else
    const nn__conv_axis *h = &cut->conv.h, *w = &cut->conv.w;
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
            /* the processor's prefetcher stops at each page */
            nn__gemm_ahead(x + at * w->source + 512, w->source);
            cut->loops->split(even, odd, x + at * w->source, -w->low, w->source, n);
        }
#endif
}

/* What a unit works on. */
typedef struct nn__conv_pool_job {
    const nn__conv_pool_cut *cut;
    const float *weight; /* of its first output channel, or the points of them */
    const float *band;
    nn__conv_pool_end end; /* of its first output channel and row */
    float *sums;
    ptrdiff_t y_plane;
    int rows, outputs; /* output channels; rows of windows */
} nn__conv_pool_job;

/* Returns where channel k and row i of the unit's windows are stored. */
static nn__conv_pool_end nn__conv_pool_end_at(const nn__conv_pool_job *job, int k, int i) {
    const ptrdiff_t at = k * job->y_plane + (ptrdiff_t)i * job->cut->conv.w.outputs;
    nn__conv_pool_end end = job->end;
    end.y += at;
    if (end.place) end.place += at;
    if (end.bias) end.bias += k;
    return end;
}

/* ---- by products ----------------------------------------------------------------------------- */

/* Fills in, for each place of a window, the offset that each tap reads. */
static void nn__conv_pool_fill_table(const nn__conv_pool_cut *cut, int32_t *offset,
                                     int32_t *table) {
    const int width = cut->S + 1;
    nn__conv_fill_offsets(&cut->conv, cut->band.channels, cut->band.plane, cut->band.channel,
                          offset);
    for (int place = 0; place < 4; place++) {
        const int32_t *from = offset + (place >> 1) * width + (place & 1);
        for (int c = 0; c < cut->band.channels; c++, from += (cut->R + 1) * width)
            for (int r = 0; r < cut->R; r++)
                for (int s = 0; s < cut->S; s++) *table++ = from[r * width + s];
    }
}

static void nn__conv_pool_products(const nn__conv_pool_job *job, const int32_t *table) {
    const nn__conv_pool_cut *cut = job->cut;
    const int most = nn__mini(cut->size, NN__CONV_POOL_PRODUCT);
    nn__product p;
    memset(&p, 0, sizeof p);
    p.a_step = 1;
    p.a_row = p.depth = cut->depth;
    p.b = job->band;
    p.y_row = cut->row;
    p.columns = (job->outputs - 1) * cut->conv.row + cut->conv.w.outputs;
    for (int k = 0; k < job->rows; k += most) {
        p.rows = nn__mini(most, job->rows - k);
        p.a = job->weight + (ptrdiff_t)k * cut->depth;
        for (int place = 0; place < 4; place++) {
            p.b_offset = table + place * cut->depth;
            p.y = job->sums + place * most * cut->row;
            nn__multiply_tiles(cut->gemm, &p);
        }
        for (int r = 0; r < p.rows; r++)
            for (int i = 0; i < job->outputs; i++) {
                const nn__conv_pool_end end = nn__conv_pool_end_at(job, k + r, i);
                cut->loops->four(&end, job->sums + r * cut->row + (ptrdiff_t)i * cut->conv.row,
                                 most * cut->row, cut->conv.w.outputs);
            }
    }
}

/* ---- by points ------------------------------------------------------------------------------- */

#ifndef NN_NO_SIMD
/* Transforms the three weights of one axis into four points. */
static NN__ALWAYS_INLINE void nn__conv_pool_four(const float *from, ptrdiff_t step, float to[4]) {
    const float half = 0.5f * (from[0] + from[2 * step]);
    to[0] = from[0];
    to[1] = half + 0.5f * from[step];
    to[2] = half - 0.5f * from[step];
    to[3] = -from[2 * step];
}

/* Returns the number of floats of all transformed weights. */
static size_t nn__conv_pool_weight_floats(const nn__conv_pool_cut *cut) {
    return (size_t)nn__ceil_div(cut->conv.rows, NN__CONV_POOL_ROWS) * 16 * NN__CONV_POOL_ROWS *
           (size_t)cut->band.channels;
}

/* Transforms the weights. to: for each group of NN__CONV_POOL_ROWS output channels (channel, point,
   output channel); the last group is filled with zeros. Each unit does some of the groups. */
static void nn__conv_pool_weights(const nn__conv_pool_cut *cut, const float *weight, int unit,
                                  float *to) {
    static const float none[9] = {0};
    const int C = cut->band.channels, K = cut->conv.rows,
              tiles = nn__ceil_div(K, NN__CONV_POOL_ROWS),
              units = nn__mini(NN__CONV_POOL_UNITS, tiles);
    const int first = tiles * unit / units * NN__CONV_POOL_ROWS,
              end = tiles * (unit + 1) / units * NN__CONV_POOL_ROWS;
    for (int k = first; k < end; k++)
        for (int c = 0; c < C; c++) {
            const float *from = k < K ? weight + ((ptrdiff_t)k * C + c) * 9 : none;
            float *tile = to + k % NN__CONV_POOL_ROWS +
                          ((ptrdiff_t)(k / NN__CONV_POOL_ROWS) * C + c) * 16 * NN__CONV_POOL_ROWS;
            float part[12], point[4]; /* part: (column of taps, row of points) */
            for (int s = 0; s < 3; s++) nn__conv_pool_four(from + s, 3, part + 4 * s);
            for (int i = 0; i < 4; i++) {
                nn__conv_pool_four(part + i, 4, point);
                for (int j = 0; j < 4; j++) tile[(4 * i + j) * NN__CONV_POOL_ROWS] = point[j];
            }
        }
}

/* Computes the windows row by row into y or, if flat, as one long row that is copied to y later. */
static void nn__conv_pool_tiles(const nn__conv_pool_job *job, float *points) {
    const nn__conv_pool_cut *cut = job->cut;
    const int width = cut->conv.w.outputs, C = cut->band.channels, lanes = cut->loops->lanes,
              lines = cut->flat ? 1 : job->outputs,
              columns = cut->flat ? (job->outputs - 1) * (int)cut->band.row + width : width;
    nn__conv_pool_tile tile;
    tile.points = points;
    tile.channels = C;
    tile.y_row = cut->flat ? cut->row : job->y_plane;
    for (int i = 0; i < lines; i++)
        for (int j = 0; j < columns; j += lanes) {
            cut->loops->points(&cut->band, job->band + i * cut->band.row + j, points);
            tile.columns = nn__mini(lanes, columns - j);
            for (int k = 0; k < job->rows; k += NN__CONV_POOL_ROWS) {
                tile.end = nn__conv_pool_end_at(job, k, i);
                if (cut->flat) {
                    tile.end.y = job->sums + k * cut->row;
                    if (tile.end.place)
                        tile.end.place =
                            (uint8_t *)(job->sums + cut->size * cut->row) + k * cut->row;
                }
                tile.end.y += j;
                if (tile.end.place) tile.end.place += j;
                tile.rows = nn__mini(NN__CONV_POOL_ROWS, job->rows - k);
                tile.weight = job->weight + (ptrdiff_t)k * 16 * C;
                cut->loops->tile(&tile);
            }
        }
}

static void nn__conv_pool_place(const nn__conv_pool_job *job) {
    const nn__conv_pool_cut *cut = job->cut;
    const uint8_t *places = (const uint8_t *)(job->sums + cut->size * cut->row);
    const size_t width = (size_t)cut->conv.w.outputs;
    for (int k = 0; k < job->rows; k++)
        for (int i = 0; i < job->outputs; i++) {
            const nn__conv_pool_end end = nn__conv_pool_end_at(job, k, i);
            const ptrdiff_t from = k * cut->row + i * cut->band.row;
            memcpy(end.y, job->sums + from, width * sizeof(float));
            if (end.place) memcpy(end.place, places + from, width);
        }
}
#endif

/* ---- the kernel ------------------------------------------------------------------------------ */

static int nn__conv_pool_forward_units(const nn__cpu *cpu, const void *args, int phase) {
    const int large = nn__conv_pool_large_units(cpu, (const nn_conv_pool_args *)args, phase);
    if (large >= 0) return large;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, (const nn_conv_pool_args *)args);
    if (cut.by_points && phase-- == 0)
        return nn__mini(NN__CONV_POOL_UNITS, nn__ceil_div(cut.conv.rows, NN__CONV_POOL_ROWS));
    return phase == 0 ? cut.conv.images * cut.bands * cut.parts : 0;
}

static size_t nn__conv_pool_forward_shared(const nn__cpu *cpu, const void *args) {
    const size_t large = nn__conv_pool_large_shared(cpu, (const nn_conv_pool_args *)args);
#ifndef NN_NO_SIMD
    if (large) return large;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, (const nn_conv_pool_args *)args);
    if (cut.by_points) return nn__conv_pool_weight_floats(&cut) * sizeof(float);
#endif
    return large;
}

static size_t nn__conv_pool_forward_own(const nn__cpu *cpu, const void *args) {
    const size_t large = nn__conv_pool_large_own(cpu, (const nn_conv_pool_args *)args);
    if (large) return large;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, (const nn_conv_pool_args *)args);
    return (cut.offset_floats + cut.table_floats + cut.band_floats + cut.sum_floats +
            cut.point_floats) * sizeof(float);
}

static void nn__conv_pool_forward_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                       void *shared, void *own) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    if (nn__conv_pool_large_unit(cpu, g, phase, unit, (float *)shared, own)) return;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, g);
    const nn__conv *conv = &cut.conv;
    const int part = unit % cut.parts, t = unit / cut.parts % cut.bands * cut.outputs,
              n = unit / cut.parts / cut.bands, k = part * cut.size;
    int32_t *offset = (int32_t *)own, *table = offset + cut.offset_floats;
    float *band = (float *)(void *)(table + cut.table_floats);
    nn__conv_pool_job job;
#ifndef NN_NO_SIMD
    if (cut.by_points && phase == 0) {
        nn__conv_pool_weights(&cut, nn__f32(&g->weight), unit, (float *)shared);
        return;
    }
#endif
    job.cut = &cut;
    job.outputs = nn__mini(cut.outputs, conv->h.outputs - t);
    job.rows = nn__mini(cut.size, conv->rows - k);
    if (job.outputs <= 0 || job.rows <= 0) return;
    job.y_plane = (ptrdiff_t)conv->h.outputs * conv->w.outputs;
    const ptrdiff_t to = ((ptrdiff_t)n * conv->rows + k) * job.y_plane +
                         (ptrdiff_t)t * conv->w.outputs;
    job.weight = nn__f32(&g->weight) + (ptrdiff_t)k * cut.depth;
    job.band = band;
    job.sums = band + cut.band_floats;
    job.end.y = nn__f32(&g->y) + to;
    job.end.bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) + k : NULL;
    job.end.place =
        nn__present(&g->place) ? (uint8_t *)g->place.handle + g->place.offset + to : NULL;
    job.end.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    nn__conv_pool_fill_band(
        &cut, nn__f32(&g->x) + (ptrdiff_t)n * conv->channels * conv->h.source * conv->w.source, t,
        job.outputs, band);
#ifndef NN_NO_SIMD
    if (cut.by_points) {
        job.weight = (const float *)shared + (ptrdiff_t)k * 16 * conv->channels;
        nn__conv_pool_tiles(&job, job.sums + cut.sum_floats);
        if (cut.flat) nn__conv_pool_place(&job);
        return;
    }
#endif
    nn__conv_pool_fill_table(&cut, offset, table);
    nn__conv_pool_products(&job, table);
}

static const char *nn__conv_pool_refuses(const nn__cpu *cpu, const void *args) {
    const nn_activation activation = ((const nn_conv_pool_args *)args)->epilogue.activation;
    (void)cpu;
    return activation == NN_ACTIVATION_NONE || activation == NN_ACTIVATION_RELU
               ? NULL
               : NN__TEXT("a joined block of convolutions supports no activation but relu");
}

static const nn__cpu_kernel nn__conv_pool_forward_kernel = {
    nn__conv_pool_forward_units, nn__conv_pool_forward_unit, nn__conv_pool_forward_shared,
    nn__conv_pool_forward_own, nn__conv_pool_refuses};

#undef NN__CONV_POOL_BAND
#undef NN__CONV_POOL_UNITS
#undef NN__CONV_POOL_PRODUCT
#undef NN__CONV_POOL_CHANNELS
#endif

NN_PRIVATE void nn__install_conv_pool(nn_context *nn) {
#ifndef NN_NO_SPEEDUPS
    NN__CPU_INSTALL(nn, CONV_POOL_FORWARD, conv_pool_forward, &nn__conv_pool_forward_kernel);
#ifndef NN_NO_TRAINING
    nn__install_conv_pool_backward(nn);
#endif
#else
    (void)nn;
#endif
}
