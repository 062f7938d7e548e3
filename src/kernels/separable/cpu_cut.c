/* kernels/separable/cpu_cut.c - cuts a separable convolution on the CPU into units, and computes
   the scratch that they need: kernels/separable/cpu.c explains it. Compiled for size. */
#include "kernels/separable/cpu.h"

#ifndef NN_NO_SPEEDUPS

#define NN__SEPARABLE_UNITS  2           /* per worker, approximately */
#define NN__SEPARABLE_FEW    4           /* fewer images and units: split */
#define NN__SEPARABLE_PLACES 56          /* positions of y at once, approximately */
#define NN__SEPARABLE_E      (8 * 1024)  /* floats of e per panel at once, approximately */
#define NN__SEPARABLE_D      (64 * 1024) /* floats of d at once, approximately */
#define NN__SEPARABLE_STORED (128 * 1024) /* up to this number of floats of d, storing d is faster
                                             than computing rows twice */

/* Returns the rows of e that `outputs` rows of y read. */
static int nn__separable_rows(const nn__separable *s, const nn_separable_args *g, int outputs) {
    return nn__mini(s->H, (outputs - 1) * g->params.stride_h + s->reach + 1);
}

/* Returns the positions per unit of the second half. It chooses two to four units per worker so
   that the busiest worker has least to do: a tile costs a little more than its rows, and a unit
   more than its tiles. */
static int nn__separable_block(const nn__separable *s, int workers) {
    const int places = s->OH * s->OW, panels = s->N * s->k_panels, few = nn__mini(workers, 64),
              most = nn__mini(places, nn__ceil_div(4 * few, panels)),
              fewest = nn__mini(most, nn__ceil_div(2 * few, panels));
    int64_t least = INT64_MAX;
    int best = places;
    for (int blocks = fewest; blocks <= most && few > 1; blocks++) {
        const int block = nn__ceil_div(places, blocks);
        const int64_t turns = nn__ceil_div(panels * nn__ceil_div(places, block), workers),
                      time = turns * (2 * block + 3 * nn__ceil_div(block, s->set.rows) + 4);
        if (time < least) {
            least = time;
            best = block;
        }
    }
    return best;
}

static void nn__separable_cut_units(nn__separable *s, const nn__cpu *cpu,
                                    const nn_separable_args *g) {
    /* At most a sixth of the rows of e may be computed twice; rows of x are only copied. */
    const int twice = nn__maxi(0, s->reach + 1 - g->params.stride_h) * (g->expand.dtype ? 6 : 1),
              least = nn__maxi(1, nn__ceil_div(twice, g->params.stride_h)),
              wanted = cpu->workers == 1 ? 1 : NN__SEPARABLE_UNITS * nn__mini(cpu->workers, 64);
    const int64_t d = (int64_t)s->m_panels * s->set.lanes * s->OH * s->OW;
    s->bands = nn__maxi(1, nn__mini(s->OH / least, nn__ceil_div(wanted, nn__maxi(1, s->N))));
    s->band = nn__ceil_div(s->OH, s->bands);
    s->bands = nn__ceil_div(s->OH, s->band);
    s->split = s->m_panels > 1 && s->N < NN__SEPARABLE_FEW &&
               ((cpu->workers > 1 &&
                 (int64_t)s->N * s->bands < nn__maxi(NN__SEPARABLE_FEW, 2 * cpu->workers)) ||
                d <= NN__SEPARABLE_STORED);
    if (!s->split) return;
    s->bands = 1;
    s->band = s->OH;
    s->block = nn__separable_block(s, cpu->workers);
    s->blocks = nn__ceil_div(s->OH * s->OW, s->block);
}

/* Fills in the sizes of x, e and y, and how many numbers of x one number of e sums. */
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

NN_PRIVATE nn__separable nn__separable_make(const nn__cpu *cpu, const nn_separable_args *g) {
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

#undef NN__SEPARABLE_UNITS
#undef NN__SEPARABLE_FEW
#undef NN__SEPARABLE_PLACES
#undef NN__SEPARABLE_E
#undef NN__SEPARABLE_D
#undef NN__SEPARABLE_STORED
#endif

typedef int nn__separable_cut_part; /* a file must not be empty under NN_NO_SPEEDUPS */
