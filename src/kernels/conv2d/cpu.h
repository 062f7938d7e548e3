/* kernels/conv2d/cpu.h - what forward and backward convolutions share: the geometry of a band, and
   how the work is cut. Read kernels/conv2d/cpu.c, which explains bands. */
#pragma once

#include "cpu/gemm.h"

#include <math.h>

#define NN__CONV_UNITS 32 /* as many as keep 16 workers busy */

/* Output t reads, through tap i, the source at t * stride + first + i * step, if that lies
   inside. */
typedef struct nn__conv_axis {
    int source, outputs; /* extents */
    int taps, first, step, stride;
    int low, reach; /* the lowest tap's `first + i * step`; the distance to the highest */
    int phases;                   /* remainders modulo stride that a tap uses */
    int weight, weight_step;      /* tap i is row weight + i * weight_step of the kernel */
    int place, place_step, whole; /* output t stands at place + t * place_step of `whole` */
} nn__conv_axis;

typedef struct nn__conv {
    nn__conv_axis h, w;
    int groups, images;
    int channels, rows; /* of the source and of the product, per group */
    int row;            /* floats of a band's row, of one phase */
#ifndef NN_NO_SIMD
    nn_keeping keep; /* of a forward */
#endif
} nn__conv;

/* Of an axis whose other fields are set. */
NN_PRIVATE void nn__conv_finish_axis(nn__conv_axis *axis);
NN_PRIVATE nn__conv nn__conv_forward_geometry(const nn_conv2d_args *g);
/* Rows of outputs in a band. */
NN_PRIVATE int nn__conv_band_rows(const nn__conv *conv, int outputs);
/* Floats of one channel of a band that makes `outputs` rows: of one phase, of all. */
NN_PRIVATE ptrdiff_t nn__conv_plane(const nn__conv *conv, int outputs);
NN_PRIVATE ptrdiff_t nn__conv_channel(const nn__conv *conv, int outputs);
/* Channels that are worked on at once: the depth of a tile stays near NN__DEPTH, the band in the
   second cache. */
NN_PRIVATE int nn__conv_step(const nn__conv *conv, int outputs, int depth);
/* Where each tap of each channel finds the input of the band's first output. */
NN_PRIVATE void nn__conv_fill_offsets(const nn__conv *conv, int channels, ptrdiff_t plane,
                                      ptrdiff_t channel, int32_t *offset);
/* Copies what the outputs [t, t + outputs) read of `channels` channels of x. */
NN_PRIVATE void nn__conv_fill_band(const nn__gemm_set *set, const nn__conv *conv, const float *x,
                                   int channels, int t, int outputs, float *band, ptrdiff_t plane,
                                   ptrdiff_t channel);

typedef enum nn__conv_way {
    NN__CONV_FLAT, /* the band's rows are y's rows: straight into y */
    NN__CONV_ROWS, /* row by row, straight into y */
    NN__CONV_COPY  /* into an array of this worker, then to y */
} nn__conv_way;

/* How one convolution (or one remainder of backward_input) is cut. */
typedef struct nn__conv_cut {
    const nn__gemm_set *set;
    nn__conv_way way;
    bool in_place;            /* no band: the image itself serves */
    bool copy_a;              /* the rows of the weights lie too far apart */
    int outputs, bands;       /* rows of y in a band */
    int size, parts;          /* rows of the product in a unit */
    int step;                 /* channels at once */
    ptrdiff_t plane, channel; /* of the band */
    ptrdiff_t y_row, a_row;   /* of the arrays of this worker */
    size_t offset_floats, band_floats, a_floats, y_floats;
} nn__conv_cut;

NN_PRIVATE nn__conv_cut nn__conv_make_cut(const nn__cpu *cpu, const nn__conv *conv,
                                          ptrdiff_t weight_row);
#ifndef NN_NO_SIMD
/* Steps of full tiles for each one that y and the depth need, about: 1 is the best there is. */
NN_PRIVATE float nn__conv_band_cost(const nn__cpu *cpu, const nn__conv *conv);
#endif
NN_PRIVATE size_t nn__conv_own_bytes(const nn__conv_cut *cut);

/* What a unit works with. `weight`: rows of the product, weight_row apart, (channel, tap) side by
   side. */
typedef struct nn__conv_job {
    const float *x, *weight; /* of this image and group; of the group */
    float *y;                /* of this image and group: (rows, h.whole, w.whole) */
    ptrdiff_t weight_row;
    const float *bias; /* of the group, or NULL */
    nn__activate activate;
    bool accumulate;
#ifndef NN_NO_SIMD
    const float *bands; /* of panels: where all bands are; NULL: each unit fills its own */
    float *kept;        /* nn_keeping */
#endif
} nn__conv_job;

#ifndef NN_NO_SIMD
/* Of the whole arrays, as they are. */
NN_PRIVATE nn__conv_job nn__conv_whole_job(const nn__cpu *cpu, const nn_conv2d_args *g,
                                           const nn_view *from, const nn_view *to);
#endif

/* One band of one image, some rows of the product. */
NN_PRIVATE void nn__conv_run(const nn__conv *conv, const nn__conv_cut *cut, const nn__conv_job *job,
                             int band, int part, void *own);

/* Of backward_input: the pairs of classes of taps, the product of one, and whether places of dx are
   reached by none, which are then cleared to what bias and activation make of a zero. */
NN_PRIVATE int nn__conv_pairs(const nn_conv2d_params *p);
NN_PRIVATE nn__conv nn__conv_backward_geometry(const nn_conv2d_args *g, int pair);
NN_PRIVATE bool nn__conv_leaves_gaps(const nn_conv2d_args *g);
NN_PRIVATE void nn__conv_clear_channel(const nn__cpu *cpu, const nn_conv2d_args *g, int channel);
NN_PRIVATE void nn__conv_clear_plane(const nn__cpu *cpu, const nn_conv2d_args *g, int channel,
                                     float *plane);

#ifndef NN_NO_SIMD
/* to[i] = from[i], i in [0, n): for rows that are mostly so short that a call of memcpy would take
   longer. */
static inline NN__UNUSED void nn__conv_copy(float *to, const float *from, int n) {
    int i = 0;
    if (n >= 48) {
        memcpy(to, from, (size_t)n * sizeof(float));
        return;
    }
    for (; i + 8 <= n; i += 8) memcpy(to + i, from + i, 8 * sizeof(float));
    if (n >= 8 && i < n) { /* some once more */
        memcpy(to + n - 8, from + n - 8, 8 * sizeof(float));
        return;
    }
    for (; i < n; i++) to[i] = from[i];
}
/* Asks for what is read soon, into the second cache, where the first one is needed meanwhile.
   Always inline: gcc takes calls away whose functions do nothing but ask. */
static NN__ALWAYS_INLINE NN__UNUSED void nn__conv_ahead(const void *from, int bytes) {
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
    for (int at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)from + at, 0, 2);
#else
    (void)from, (void)bytes;
#endif
}
/* nn__conv_fill_band with strides of one; the columns that lie outside the picture are zeros and
   stay so. */
NN_PRIVATE void nn__conv_fill_dense(const nn__conv *conv, const float *x, int channels, int t,
                                    int outputs, float *band, ptrdiff_t channel);
#endif

#ifndef NN_NO_SIMD
#define NN__WINOGRAD_POINTS 36

/* The transforms of Winograd's convolutions (kernels/conv2d/cpu_winograd.h). A vector has half as
   many numbers as a panel has lanes; a distance between the 36 is called step. */
typedef struct nn__winograd_set {
    /* to = B^T from B, of a vector of channels: from (6, 6) vectors, whose rows lie `row` apart */
    void (*input)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step);
    /* to = G from G^T, of `lanes` filters: the taps of from lie `tap` apart */
    void (*weight)(const float *from, ptrdiff_t tap, float *to, ptrdiff_t step);
    /* to = A^T from A, of `lanes` channels, or of the first half of them: rows x columns places */
    void (*output)(const float *from, ptrdiff_t step, float *to, ptrdiff_t row, int rows,
                   int columns, bool half);
#ifndef NN_NO_TRAINING
    /* for the gradient of the weights, F(3 x 3, 4 x 4) by the same points: dy is the filter.
       to = G from G^T, of a vector of channels: from (4, 4) vectors, whose rows lie `row` apart */
    void (*gradient)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step);
    /* to (9, lanes) = A^T from A, of `lanes` channels, or of the first half of them */
    void (*taps)(const float *from, ptrdiff_t step, float *to, bool half);
    /* sum += n vectors that lie behind each other */
    void (*add)(float *sum, const float *from, int n);
#endif
} nn__winograd_set;
#endif

/* Depthwise convolutions have a way of their own: kernels/conv2d/cpu_depthwise.c. Not with
   NN_NO_SIMD, which is for programs that must be small. */
#ifndef NN_NO_SIMD
NN_PRIVATE bool nn__depthwise_suits(const nn_conv2d_args *g);
NN_PRIVATE int nn__depthwise_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE size_t nn__depthwise_forward_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE void nn__depthwise_forward_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                           void *own);
NN_PRIVATE size_t nn__depthwise_input_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE void nn__depthwise_input_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                         void *own);
#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__depthwise_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE size_t nn__depthwise_weight_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE void nn__depthwise_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                          void *own);
#endif
/* What clamps a vector of them, with NN__SET of that file: of a NaN each gives the NaN, and to what
   relu6 makes 0 is added, which makes 0 of -0. */
#define NN__CONV_LIMITS(clamp)                                                                     \
    const NN__V least = NN__SET((clamp) ? 0.0f : -INFINITY),                                       \
                most = NN__SET((clamp) == NN__CLAMP_RELU6 ? 6.0f : INFINITY),                      \
                zero = NN__SET((clamp) == NN__CLAMP_RELU6 ? 0.0f : -0.0f);
/* And those of 3 x 3 taps that keep or halve a picture: kernels/conv2d/cpu_depthwise_flat.c. */
NN_PRIVATE bool nn__flat_suits(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE int nn__flat_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE size_t nn__flat_own(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE void nn__flat_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, bool input,
                              void *own);
#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__flat_weight_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
NN_PRIVATE void nn__flat_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                     void *own);
#endif
/* A plane of 3 x 3 taps and strides of one, as one row. */
typedef struct nn__shift {
    int n, width;      /* places of a plane, columns */
    ptrdiff_t ahead;   /* how far away a plane lies whose products are added next */
    int period;        /* vectors after which columns lie in lanes as before */
    const void *masks; /* of those: without lanes of first columns, without lanes of last ones */
} nn__shift;
/* The same of planes that one vector holds, with several channels beside each other. */
typedef struct nn__turns {
    const int32_t *at; /* (9 taps, lanes): the lane that a tap finds, or NN__LANES for none */
    ptrdiff_t apart;   /* from one picture to the next one */
} nn__turns;
#define NN__DEPTHWISE_RUN 32   /* places that a multiplication along a band does at once */
#define NN__SHIFT_AHEAD   2048 /* numbers: how far ahead a plane asks for lines of memory */
/* kernels/conv2d/vector_depthwise.h says what they do. Planes of plain C go along bands, where the
   other functions are NULL. sums: ten vectors, nine of taps and one of dy. */
typedef struct nn__depthwise_loops {
    int lanes, mask_bytes;
    void (*multiply)(float *y, const float *x, const int32_t *offset, const float *weight,
                     int taps, int n, int second, float bias);
    void (*masks)(void *masks, int period, int width);
    void (*shift)(const nn__shift *f, float *y, const float *x, const float *weight, float bias,
                  bool add, nn__clamp clamp);
    void (*turn)(float *y, const float *x, const nn__turns *f, const float *weight, int n,
                 int images, nn__clamp clamp);
    void (*halve)(float *y, const float *x, const float *weight, float bias, int height, int width,
                  nn__clamp clamp);
    void (*halve_input)(float *dx, const float *dy, const float *weight, float bias, int height,
                        int width, bool add);
#ifndef NN_NO_TRAINING
    void (*dot)(double *sum, const float *y, const float *x, const int32_t *offset, int taps,
                int n);
    void (*shift_dot)(const nn__shift *f, float *sums, const float *x, const float *dy, bool bias);
    void (*turn_dot)(float *sums, const float *x, const nn__turns *f, const float *dy, int n,
                     int images);
    void (*halve_dot)(float *sums, const float *x, const float *dy, int height, int width);
#endif
} nn__depthwise_loops;
NN_PRIVATE const nn__depthwise_loops *nn__depthwise_loops_of(const nn__cpu *cpu);
#define NN__IF_FLAT(cpu, g, action)                                                                \
    do {                                                                                           \
        if (nn__flat_suits(cpu, g)) action;                                                        \
    } while (0)
#define NN__IF_DEPTHWISE(g, action)                                                                \
    do {                                                                                           \
        if (nn__depthwise_suits(g)) action;                                                        \
    } while (0)
/* So have those whose output channels lie in the vector: kernels/conv2d/cpu_panel.h. */
NN_PRIVATE bool nn__panel_suits(const nn__cpu *cpu, const nn__conv *conv);
#define NN__IF_PANELS(cpu, conv, action)                                                           \
    do {                                                                                           \
        if (nn__panel_suits(cpu, conv)) action;                                                    \
    } while (0)
NN_PRIVATE bool nn__panel_back_suits(const nn__cpu *cpu, const nn_conv2d_args *g);
#define NN__IF_PANELS_BACK(cpu, g, action)                                                         \
    do {                                                                                           \
        if (nn__panel_back_suits(cpu, g)) action;                                                  \
    } while (0)
/* And those of 3 x 3 taps that few multiplications do: kernels/conv2d/cpu_winograd.h. conv: of a
   forward, or of the first pair of classes of a backward_input. */
NN_PRIVATE bool nn__winograd_suits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                   const nn__conv *conv);
/* What both of Winograd's ways do: 3 x 3 taps, strides of one, each place of y sees enough of x. */
NN_PRIVATE bool nn__winograd_takes(const nn_conv2d_args *g, const nn__conv *conv);
#define NN__IF_WINOGRAD(cpu, g, conv, action)                                                      \
    do {                                                                                           \
        if (nn__winograd_suits(cpu, g, conv)) action;                                              \
    } while (0)
#define NN__IF_WINOGRAD_BACK(cpu, g, conv, action)                                                 \
    do {                                                                                           \
        const nn__conv conv = nn__conv_backward_geometry(g, 0);                                    \
        if (nn__winograd_suits(cpu, g, &conv)) action;                                             \
    } while (0)
#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__panel_weight_suits(const nn__cpu *cpu, const nn_conv2d_args *g);
NN_PRIVATE bool nn__winograd_weight_suits(const nn__cpu *cpu, const nn_conv2d_args *g);
#endif
#define NN__IF_WINOGRAD_WEIGHT(cpu, g, action)                                                     \
    do {                                                                                           \
        if (nn__winograd_weight_suits(cpu, g)) action;                                             \
    } while (0)
#define NN__IF_PANELS_WEIGHT(cpu, g, action)                                                       \
    do {                                                                                           \
        if (nn__panel_weight_suits(cpu, g)) action;                                                \
    } while (0)
#else
#define NN__IF_FLAT(cpu, g, action)          (void)0
#define NN__IF_DEPTHWISE(g, action)          (void)0
#define NN__IF_PANELS(cpu, conv, action)     (void)0
#define NN__IF_PANELS_BACK(cpu, g, action)   (void)0
#define NN__IF_WINOGRAD(cpu, g, conv, action)      (void)0
#define NN__IF_WINOGRAD_BACK(cpu, g, conv, action) (void)0
#define NN__IF_PANELS_WEIGHT(cpu, g, action) (void)0
#define NN__IF_WINOGRAD_WEIGHT(cpu, g, action) (void)0
#endif

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_conv2d_backward(nn_context *nn);
#endif
/* kernels/conv2d/cpu_way.c: how it is done with these arguments, in words; how much it keeps. */
#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__conv2d_way(const nn_context *nn, nn_device device, nn_kernel kernel,
                                      const void *args);
NN_PRIVATE uint64_t nn__conv2d_kept(const nn_context *nn, nn_kernel kernel, const void *args);
#define NN__INSTALL_CONV2D_WAY(nn) ((nn)->way = nn__conv2d_way, (nn)->kept_bytes = nn__conv2d_kept)
#else
#define NN__INSTALL_CONV2D_WAY(nn) (void)0
#endif
