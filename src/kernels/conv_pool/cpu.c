/* kernels/conv_pool/cpu.c - blocks forward. What a window and all its taps read is a picture of
   R + 1 rows and S + 1 columns, two further on for each window: that is the band of a convolution
   with a stride of two (kernels/conv2d/cpu.c), in which windows side by side find what any tap
   reads side by side. So a vector holds as many windows, and each weight is multiplied with four of
   them, one for each place, of which only the largest sum leaves the registers. Of 3 x 3 taps and
   few channels the tile reads points instead, which are sums of what the taps read
   (kernels/conv_pool/cpu_quads.h).

   Where there are no such tiles, the four places are four products (cpu/gemm.h) with the same
   weights and other distances. */
#include "kernels/conv_pool/cpu_few.h"

#ifndef NN_NO_REPORTS /* without, no plan chooses blocks */

#define NN__CONV_POOL_BAND  (64 * 1024) /* floats of a band, about */
#define NN__CONV_POOL_UNITS 16
#define NN__CONV_POOL_PLAIN 8 /* rows of the products where there are no tiles */
#define NN__CONV_POOL_GROUP 64  /* output channels whose own rows a worker holds, at most */

NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_set_of(const nn__cpu *cpu) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) return nn__conv_pool_avx512();
#endif
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) return nn__conv_pool_avx2();
#endif
    (void)cpu;
    return NULL;
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

NN_PRIVATE nn__conv_pool_cut nn__conv_pool_make_cut(const nn__cpu *cpu,
                                                    const nn_conv_pool_args *g) {
    nn__conv_pool_cut cut;
    memset(&cut, 0, sizeof cut);
    cut.conv = nn__conv_pool_geometry(g);
    cut.set = nn__conv_pool_set_of(cpu);
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
    cut.quads = nn__quads_set_of(cpu);
    cut.few = nn__conv_pool_few_suits(cut.set, g);
    if (cut.set) {
        const int lanes = cut.set->lanes, whole = nn__ceil_div(width, lanes) * lanes;
        cut.flat = cut.few ? cut.conv.row * 4 < whole * 3 : cut.conv.row * 16 < whole * 15;
    } else {
        cut.flat = true;
    }
    if (!cut.flat) /* what is read is aligned, but for one column */
        cut.conv.row = (int)nn__align_up((size_t)cut.conv.row, NN__CONV_POOL_LANES);
    cut.plane = nn__conv_plane(&cut.conv, cut.outputs);
    cut.channel = nn__conv_channel(&cut.conv, cut.outputs);
    cut.row = nn__spread(cut.outputs * cut.conv.row + NN__CONV_POOL_LANES);
    const size_t windows = (size_t)(C * (cut.R + 1) * (cut.S + 1));
    cut.offset_floats = nn__align_up(windows, 16);
    cut.table_floats = nn__align_up((size_t)cut.depth * 4, 16);
    cut.band_floats =
        nn__align_up((size_t)cut.channel * (size_t)C + 2 * NN__CONV_POOL_LANES, 16);
    cut.group = nn__mini(cut.size, NN__CONV_POOL_GROUP);
    if (cut.few)
        cut.few_floats = nn__quads_points(C) + nn__quads_weight_floats(C, cut.size);
    /* of tiles a row has its numbers and, behind those of all rows, its places */
    if (cut.set)
        cut.sum_floats = cut.flat ? (size_t)cut.row * (size_t)cut.group * 5 / 4 : 0;
    else
        cut.sum_floats = (size_t)cut.row * 4 * NN__CONV_POOL_PLAIN;
    cut.sum_floats = nn__align_up(cut.sum_floats, 16);
    return cut;
}

/* For each place of a window, what each tap reads: the place's row and column further on. */
static void nn__conv_pool_fill_table(const nn__conv_pool_cut *cut, int32_t *offset,
                                     int32_t *table) {
    const int width = cut->S + 1;
    nn__conv_fill_offsets(&cut->conv, cut->conv.channels, cut->plane, cut->channel, offset);
    for (int place = 0; place < 4; place++) {
        const int32_t *from = offset + (place >> 1) * width + (place & 1);
        for (int c = 0; c < cut->conv.channels; c++, from += (cut->R + 1) * width)
            for (int r = 0; r < cut->R; r++)
                for (int s = 0; s < cut->S; s++) *table++ = from[r * width + s];
    }
}

NN_PRIVATE nn__quad_band nn__conv_pool_quads(const nn__conv_pool_cut *cut) {
    const nn__quad_band band = {cut->conv.channels, cut->channel, cut->plane, cut->conv.row};
    return band;
}

NN_PRIVATE void nn__conv_pool_split(const nn__conv_pool_cut *cut, const float *x, int t,
                                    int outputs, float *band) {
    const nn__quad_band quads = nn__conv_pool_quads(cut);
    (void)x, (void)t, (void)outputs, (void)band;
    nn__quads_split(cut->quads, &cut->conv, &quads, x, t, outputs, band);
}

/* What a unit works on. */
typedef struct nn__conv_pool_job {
    const nn__conv_pool_cut *cut;
    const float *weight, *bias; /* of its first channel; bias: or NULL */
    const float *band;
    const int32_t *table;
    float *y, *sums; /* y: of its first channel and row */
    uint8_t *place;  /* the same, or NULL */
    float *points, *few_weight; /* of quads */
    ptrdiff_t y_plane;
    int rows, outputs; /* channels; rows of windows */
    bool relu;
} nn__conv_pool_job;

/* ---- by products ----------------------------------------------------------------------------- */

/* The largest of the places of each window, in rows of y. sums: four times `step` floats. */
static void nn__conv_pool_largest(const nn__conv_pool_job *job, const float *sums, ptrdiff_t step,
                                  float bias, float *y, uint8_t *place) {
    const int width = job->cut->conv.w.outputs;
    for (int i = 0; i < job->outputs; i++, sums += job->cut->conv.row)
        for (int j = 0; j < width; j++, y++) {
            float best = sums[j];
            int where = 0;
            for (int e = 1; e < 4; e++) {
                const float value = sums[e * step + j];
                if (value > best || value != value) best = value, where = e;
            }
            best += bias;
            *y = job->relu && best <= 0.0f ? 0.0f : best;
            if (place) *place++ = (uint8_t)where;
        }
}

static void nn__conv_pool_products(const nn__conv_pool_job *job, const nn__gemm_set *set) {
    const nn__conv_pool_cut *cut = job->cut;
    const ptrdiff_t step = cut->row * NN__CONV_POOL_PLAIN;
    nn__product p;
    memset(&p, 0, sizeof p);
    p.a_step = 1;
    p.a_row = p.depth = cut->depth;
    p.b = job->band;
    p.y_row = cut->row;
    p.columns = (job->outputs - 1) * cut->conv.row + cut->conv.w.outputs;
    for (int k = 0; k < job->rows; k += NN__CONV_POOL_PLAIN) {
        p.rows = nn__mini(NN__CONV_POOL_PLAIN, job->rows - k);
        p.a = job->weight + (ptrdiff_t)k * cut->depth;
        for (int e = 0; e < 4; e++) {
            p.b_offset = job->table + e * cut->depth;
            p.y = job->sums + e * step;
            nn__multiply_tiles(set, &p);
        }
        for (int r = 0; r < p.rows; r++)
            nn__conv_pool_largest(job, job->sums + r * cut->row, step,
                                  job->bias ? job->bias[k + r] : 0.0f,
                                  job->y + (k + r) * job->y_plane,
                                  job->place ? job->place + (k + r) * job->y_plane : NULL);
    }
}

/* ---- by tiles -------------------------------------------------------------------------------- */

/* The channels from k on of the windows that the tile is at: of points, or of the band. */
static void nn__conv_pool_make_tile(const nn__conv_pool_job *job, nn__conv_pool_tile *tile, int k) {
    const nn__conv_pool_cut *cut = job->cut;
    tile->rows = nn__mini(NN__CONV_POOL_ROWS, job->rows - k);
    tile->bias = job->bias ? job->bias + k : NULL;
    if (cut->few) {
        tile->weight = job->few_weight + (ptrdiff_t)k * NN__QUAD_POINTS * tile->depth;
        cut->set->few(tile);
    } else {
        tile->weight = job->weight + (ptrdiff_t)k * cut->depth;
        cut->set->tile(tile);
    }
}

/* What the tiles of the windows from `band` on read. */
static const float *nn__conv_pool_see(const nn__conv_pool_job *job, const float *band) {
#ifndef NN_NO_SIMD
    const nn__conv_pool_cut *cut = job->cut;
    const nn__quad_band quads = nn__conv_pool_quads(cut);
    if (cut->few) {
        cut->quads->points(&quads, band, job->points);
        return job->points;
    }
#endif
    (void)job;
    return band;
}

/* Into rows of their own, and from there to where they belong; some channels at a time. */
static void nn__conv_pool_flat(const nn__conv_pool_job *job, nn__conv_pool_tile tile) {
    const nn__conv_pool_cut *cut = job->cut;
    const int width = cut->conv.w.outputs,
              columns = (job->outputs - 1) * cut->conv.row + width;
    uint8_t *places = (uint8_t *)(job->sums + cut->group * cut->row);
    tile.y_row = cut->row;
    for (int first = 0; first < job->rows; first += cut->group) {
        const int end = nn__mini(first + cut->group, job->rows);
        for (int q = 0; q < columns; q += cut->set->lanes) {
            tile.band = nn__conv_pool_see(job, job->band + q);
            tile.columns = nn__mini(cut->set->lanes, columns - q);
            for (int k = first; k < end; k += NN__CONV_POOL_ROWS) {
                tile.y = job->sums + (k - first) * cut->row + q;
                tile.place = job->place ? places + (k - first) * cut->row + q : NULL;
                nn__conv_pool_make_tile(job, &tile, k);
            }
        }
        for (int k = first; k < end; k++)
            for (int i = 0; i < job->outputs; i++) {
                const ptrdiff_t from = (k - first) * cut->row + (ptrdiff_t)i * cut->conv.row,
                                to = k * job->y_plane + (ptrdiff_t)i * width;
                memcpy(job->y + to, job->sums + from, (size_t)width * sizeof(float));
                if (job->place) memcpy(job->place + to, places + from, (size_t)width);
            }
    }
}

/* Row by row, straight into y: what some windows read stays in the first cache for all channels. */
static void nn__conv_pool_rows(const nn__conv_pool_job *job, nn__conv_pool_tile tile) {
    const nn__conv_pool_cut *cut = job->cut;
    const int width = cut->conv.w.outputs;
    tile.y_row = job->y_plane;
    for (int i = 0; i < job->outputs; i++)
        for (int j = 0; j < width; j += cut->set->lanes) {
            tile.band = nn__conv_pool_see(job, job->band + (ptrdiff_t)i * cut->conv.row + j);
            tile.columns = nn__mini(cut->set->lanes, width - j);
            for (int k = 0; k < job->rows; k += NN__CONV_POOL_ROWS) {
                const ptrdiff_t to = k * job->y_plane + (ptrdiff_t)i * width + j;
                tile.y = job->y + to;
                tile.place = job->place ? job->place + to : NULL;
                nn__conv_pool_make_tile(job, &tile, k);
            }
        }
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static int nn__conv_pool_forward_units(const nn__cpu *cpu, const void *args, int phase) {
    const int large = nn__conv_pool_large_units(cpu, (const nn_conv_pool_args *)args, phase);
    if (large >= 0) return large;
    if (phase > 0) return 0;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, (const nn_conv_pool_args *)args);
    return cut.conv.images * cut.bands * cut.parts;
}

static size_t nn__conv_pool_forward_shared(const nn__cpu *cpu, const void *args) {
    return nn__conv_pool_large_shared(cpu, (const nn_conv_pool_args *)args);
}

static size_t nn__conv_pool_forward_own(const nn__cpu *cpu, const void *args) {
    const size_t large = nn__conv_pool_large_own(cpu, (const nn_conv_pool_args *)args);
    if (large) return large;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, (const nn_conv_pool_args *)args);
    return (cut.offset_floats + cut.table_floats + cut.band_floats + cut.sum_floats +
            cut.few_floats) * sizeof(float);
}

static void nn__conv_pool_forward_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                       void *shared, void *own) {
    const nn_conv_pool_args *g = (const nn_conv_pool_args *)args;
    if (nn__conv_pool_large_unit(cpu, g, phase, unit, (float *)shared, own)) return;
    const nn__conv_pool_cut cut = nn__conv_pool_make_cut(cpu, g);
    const nn__conv *conv = &cut.conv;
    const nn__gemm_set *gemm = nn__gemm_set_of(cpu);
    const int part = unit % cut.parts, t = unit / cut.parts % cut.bands * cut.outputs,
              n = unit / cut.parts / cut.bands, k = part * cut.size;
    int32_t *offset = (int32_t *)own, *table = offset + cut.offset_floats;
    float *band = (float *)(void *)(table + cut.table_floats);
    nn__conv_pool_job job;
    (void)phase;
    job.cut = &cut;
    job.outputs = nn__mini(cut.outputs, conv->h.outputs - t);
    job.rows = nn__mini(cut.size, conv->rows - k);
    if (job.outputs <= 0 || job.rows <= 0) return;
    job.y_plane = (ptrdiff_t)conv->h.outputs * conv->w.outputs;
    const ptrdiff_t to = ((ptrdiff_t)n * conv->rows + k) * job.y_plane +
                         (ptrdiff_t)t * conv->w.outputs;
    job.weight = nn__f32(&g->weight) + (ptrdiff_t)k * cut.depth;
    job.bias = nn__present(&g->epilogue.bias) ? nn__f32(&g->epilogue.bias) + k : NULL;
    job.band = band;
    job.table = table;
    job.y = nn__f32(&g->y) + to;
    job.sums = band + cut.band_floats;
    job.points = job.sums + cut.sum_floats;
    job.few_weight = job.points + nn__quads_points(conv->channels);
    job.place = nn__present(&g->place)
                    ? (uint8_t *)g->place.handle + g->place.offset + to
                    : NULL;
    job.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    const float *x =
        nn__f32(&g->x) + (ptrdiff_t)n * conv->channels * conv->h.source * conv->w.source;
    if (!cut.few) nn__conv_pool_fill_table(&cut, offset, table);
    if (cut.set)
        nn__conv_pool_split(&cut, x, t, job.outputs, band);
    else
        nn__conv_fill_band(gemm, conv, x, conv->channels, t, job.outputs, band, cut.plane,
                           cut.channel);
    if (!cut.set) {
        nn__conv_pool_products(&job, gemm);
        return;
    }
    nn__conv_pool_tile tile;
    memset(&tile, 0, sizeof tile);
    tile.offset = table;
    tile.depth = cut.few ? conv->channels : cut.depth;
    tile.relu = job.relu;
    if (cut.few)
        nn__quads_weights(job.weight, job.rows, conv->channels, (ptrdiff_t)9 * conv->channels, 9, 1,
                          job.few_weight);
    if (cut.flat)
        nn__conv_pool_flat(&job, tile);
    else
        nn__conv_pool_rows(&job, tile);
}

static const char *nn__conv_pool_refuses(const nn__cpu *cpu, const void *args) {
    const nn_activation activation = ((const nn_conv_pool_args *)args)->epilogue.activation;
    (void)cpu;
    return activation == NN_ACTIVATION_NONE || activation == NN_ACTIVATION_RELU
               ? NULL
               : NN__TEXT("a block has no other activation than relu");
}

static const nn__cpu_kernel nn__conv_pool_forward_kernel = {
    nn__conv_pool_forward_units, nn__conv_pool_forward_unit, nn__conv_pool_forward_shared,
    nn__conv_pool_forward_own, nn__conv_pool_refuses};

#undef NN__CONV_POOL_BAND
#undef NN__CONV_POOL_UNITS
#undef NN__CONV_POOL_PLAIN
#undef NN__CONV_POOL_GROUP
#endif

NN_PRIVATE void nn__install_conv_pool(nn_context *nn) {
#ifndef NN_NO_REPORTS
    NN__CPU_INSTALL(nn, CONV_POOL_FORWARD, conv_pool_forward, &nn__conv_pool_forward_kernel);
#ifndef NN_NO_TRAINING
    nn__install_conv_pool_backward(nn);
#endif
#else
    (void)nn;
#endif
}
