/* kernels/conv2d/cpu_dots.c - backward_weight of 1x1 convolutions of large pictures. Rows of x and
   of dy are long there, and
     dweight (K, C)  =  dy (K, places)  x  x^T (places, C)
   is sums along both of them, which need nothing turned over. The side with fewer rows is copied
   piece by piece, so that it stays in the first cache, and its rows do not meet in one set of it.
   All pictures, in order, are dealt to a number of pieces that depends on the shape; each piece's
   sum lies in shared as (piece, group, K, C), and phase 1 adds the pieces in ascending order. */
#include "kernels/conv2d/cpu_panel.h"

#if !defined(NN_NO_SIMD) && !defined(NN_NO_TRAINING)

#define NN__DOTS_PLACES 256         /* of a picture, at least */
#define NN__DOTS_COPY   (8 * 1024)  /* floats that are copied at once, about */
#define NN__DOTS_SUMS   (256 * 1024) /* floats of all pieces, about */
#define NN__DOTS_BLOCK  4096        /* numbers of dweight that a unit of phase 1 adds */

typedef struct nn__conv_dots {
    int places, few, many; /* of a picture; rows of the two sides, per group */
    bool swapped;          /* x is the side with many rows */
    int step, pieces;      /* places at once */
    ptrdiff_t row;         /* of the copy */
    int64_t sums;          /* of dweight */
} nn__conv_dots;

static nn__conv_dots nn__dots_cut(const nn_conv2d_args *g) {
    const int channels = g->x.shape.extent[1] / g->params.groups,
              filters = g->y.shape.extent[1] / g->params.groups;
    nn__conv_dots d;
    d.places = g->x.shape.extent[2] * g->x.shape.extent[3];
    d.swapped = channels > filters;
    d.few = nn__mini(channels, filters);
    d.many = nn__maxi(channels, filters);
    d.step = nn__mini(d.places, nn__maxi(NN__DOTS_PLACES, NN__DOTS_COPY / d.few / 16 * 16));
    d.row = nn__spread(d.step);
    d.sums = (int64_t)g->y.shape.extent[1] * channels;
    d.pieces = (int)nn__max64(
        1, nn__min64(nn__min64(g->x.shape.extent[0], NN__CONV_UNITS), NN__DOTS_SUMS / d.sums));
    return d;
}

/* Few rows, or the copy is larger than the cache and panels win. */
NN_PRIVATE bool nn__dots_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent;
    const int few = nn__mini(x[1], y[1]) / p->groups;
    return nn__panel_set_of(cpu) && nn__present(&g->weight) && !nn__present(&g->epilogue.bias) &&
           p->kernel_h == 1 && p->kernel_w == 1 && p->stride_h == 1 && p->stride_w == 1 &&
           p->padding_h == 0 && p->padding_w == 0 && x[2] == y[2] && x[3] == y[3] && few >= 4 &&
           few <= 32 && (int64_t)x[2] * x[3] >= NN__DOTS_PLACES &&
           (int64_t)x[2] * x[3] <= INT32_MAX / 2 &&
           (int64_t)y[1] * (x[1] / p->groups) <= NN__DOTS_SUMS;
}

NN_PRIVATE size_t nn__dots_own(const nn_conv2d_args *g) {
    const nn__conv_dots d = nn__dots_cut(g);
    return (size_t)d.few * (size_t)d.row * sizeof(float);
}
NN_PRIVATE size_t nn__dots_shared(const nn_conv2d_args *g) {
    const nn__conv_dots d = nn__dots_cut(g);
    return (size_t)d.pieces * (size_t)d.sums * sizeof(float);
}
NN_PRIVATE int nn__dots_units(const nn_conv2d_args *g, int phase) {
    const nn__conv_dots d = nn__dots_cut(g);
    return phase == 0 ? d.pieces * g->params.groups
                      : phase == 1 ? (int)((d.sums + NN__DOTS_BLOCK - 1) / NN__DOTS_BLOCK) : 0;
}

static void nn__dots_piece(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, float *shared,
                           float *copy) {
    const nn__conv_dots d = nn__dots_cut(g);
    const nn__gemm_set *set = nn__gemm_set_of(cpu);
    const int groups = g->params.groups, piece = unit / groups, group = unit % groups,
              images = g->x.shape.extent[0], channels = d.swapped ? d.many : d.few;
    const int from = (int)((int64_t)images * piece / d.pieces),
              to = (int)((int64_t)images * (piece + 1) / d.pieces);
    const nn_view *many = d.swapped ? &g->x : &g->y, *few = d.swapped ? &g->y : &g->x;
    float *sum = shared + (ptrdiff_t)piece * d.sums + d.sums / groups * group;
    nn__dots dots;
    memset(&dots, 0, sizeof dots);
    dots.a_row = d.places;
    dots.b_row = d.row;
    dots.b = copy;
    dots.columns = d.few;
    dots.y_row = d.swapped ? 1 : channels; /* a step along the side with many rows */
    dots.y_step = d.swapped ? channels : 1;
    for (int n = from; n < to; n++) {
        const ptrdiff_t picture = (ptrdiff_t)n * groups + group;
        const float *a = nn__f32(many) + picture * d.many * d.places,
                    *b = nn__f32(few) + picture * d.few * d.places;
        for (int at = 0; at < d.places; at += d.step, dots.add = true) {
            dots.depth = nn__mini(d.step, d.places - at);
            for (int r = 0; r < d.few; r++)
                memcpy(copy + r * d.row, b + (ptrdiff_t)r * d.places + at,
                       (size_t)dots.depth * sizeof(float));
            for (int r = 0; r < d.many; r += 4) {
                dots.rows = nn__mini(4, d.many - r);
                for (int i = 4; i < 8 && r + i < d.many; i++)
                    nn__conv_ahead(a + (ptrdiff_t)(r + i) * d.places + at, 4 * dots.depth);
                dots.a = a + (ptrdiff_t)r * d.places + at;
                dots.y = sum + r * dots.y_row;
                set->dot(&dots);
            }
        }
    }
}

NN_PRIVATE void nn__dots_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase, int unit,
                              float *shared, void *own) {
    if (phase == 0) {
        nn__dots_piece(cpu, g, unit, shared, (float *)own);
        return;
    }
    const nn__conv_dots d = nn__dots_cut(g);
    const int64_t first = (int64_t)unit * NN__DOTS_BLOCK,
                  end = nn__min64(first + NN__DOTS_BLOCK, d.sums);
    float *to = nn__f32(&g->weight);
    for (int64_t i = first; i < end; i++) {
        float value = shared[i];
        for (int e = 1; e < d.pieces; e++) value += shared[e * d.sums + i];
        to[i] = g->accumulate ? to[i] + value : value;
    }
}

#undef NN__DOTS_PLACES
#undef NN__DOTS_COPY
#undef NN__DOTS_SUMS
#undef NN__DOTS_BLOCK
#endif

typedef int nn__conv2d_dots_part; /* a part must not be empty under NN_NO_SIMD */
