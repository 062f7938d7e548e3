/* kernels/conv2d/cpu.h - shared by forward and backward convolutions: the geometry of a band, and
   how the work is cut. kernels/conv2d/cpu.c explains bands. */
#pragma once

#include "cpu/gemm.h"

#include <math.h>

#define NN__CONV_UNITS 32 /* enough to keep 16 workers busy */

/* Through tap i, output t reads the source at t * stride + first + i * step, if that is inside. */
typedef struct nn__conv_axis {
    int source, outputs; /* extents */
    int taps, first, step, stride;
    int low, reach; /* first + i * step of the lowest tap; distance to the highest */
    int phases;                   /* remainders modulo the stride that the taps use */
    int weight, weight_step;      /* tap i is row weight + i * weight_step of the kernel */
    int place, place_step, whole; /* output t is stored at place + t * place_step of `whole` */
} nn__conv_axis;

typedef struct nn__conv {
    nn__conv_axis h, w;
    int groups, images;
    int channels, rows; /* channels of the source, rows of the product, per group */
    int row;            /* floats per row of a band, for one phase */
#ifndef NN_NO_SIMD
    nn_keeping keep; /* for a forward */
#endif
} nn__conv;

/* Completes an axis whose other fields are set. */
NN_PRIVATE void nn__conv_finish_axis(nn__conv_axis *axis);
NN_PRIVATE nn__conv nn__conv_forward_geometry(const nn_conv2d_args *g);
/* Returns the rows of outputs in a band. */
NN_PRIVATE int nn__conv_band_rows(const nn__conv *conv, int outputs);
/* Return the floats of one channel of a band for `outputs` rows: of one phase, and of all. */
NN_PRIVATE ptrdiff_t nn__conv_plane(const nn__conv *conv, int outputs);
NN_PRIVATE ptrdiff_t nn__conv_channel(const nn__conv *conv, int outputs);
/* Returns the channels that are processed together: the depth of a tile stays near NN__DEPTH, and
   the band in the L2 cache. */
NN_PRIVATE int nn__conv_step(const nn__conv *conv, int outputs, int depth);
/* Stores where each tap of each channel finds the input of the band's first output. */
NN_PRIVATE void nn__conv_fill_offsets(const nn__conv *conv, int channels, ptrdiff_t plane,
                                      ptrdiff_t channel, int32_t *offset);
/* Copies what the outputs [t, t + outputs) read from `channels` channels of x. */
NN_PRIVATE void nn__conv_fill_band(const nn__gemm_set *set, const nn__conv *conv, const float *x,
                                   int channels, int t, int outputs, float *band, ptrdiff_t plane,
                                   ptrdiff_t channel);

typedef enum nn__conv_way {
    NN__CONV_FLAT, /* the band's rows are y's rows: writes directly into y */
    NN__CONV_ROWS, /* row by row, directly into y */
    NN__CONV_COPY  /* into an array of this worker, then to y */
} nn__conv_way;

/* How one convolution (or one remainder of backward_input) is cut. */
typedef struct nn__conv_cut {
    const nn__gemm_set *set;
    nn__conv_way way;
    bool in_place;            /* no band: the image itself is read */
    bool copy_a;              /* copies the weights' rows, which are too far apart */
    bool late;                /* bias and activation come after all tiles, row by row, because
                                 tiles with few steps are many */
    int outputs, bands;       /* rows of y per band; number of bands */
    int size, parts;          /* rows of the product per unit; number of parts */
    int step;                 /* channels at a time */
    ptrdiff_t plane, channel; /* of the band */
    ptrdiff_t y_row, a_row;   /* row strides of this worker's arrays */
    size_t offset_floats, band_floats, a_floats, y_floats;
} nn__conv_cut;

NN_PRIVATE nn__conv_cut nn__conv_make_cut(const nn__cpu *cpu, const nn__conv *conv,
                                          ptrdiff_t weight_row);
#ifndef NN_NO_SIMD
/* Returns the approximate ratio of full-tile steps to the steps that y and the depth need; 1 is
   optimal. */
NN_PRIVATE float nn__conv_band_cost(const nn__cpu *cpu, const nn__conv *conv);
#endif
NN_PRIVATE size_t nn__conv_own_bytes(const nn__conv_cut *cut);

/* The data of a unit. weight: rows of the product, weight_row apart, as (channel, tap). */
typedef struct nn__conv_job {
    const float *x, *weight; /* of this image and group; of the group */
    float *y;                /* of this image and group: (rows, h.whole, w.whole) */
    ptrdiff_t weight_row;
    const float *bias; /* of the group, or NULL */
#ifndef NN_NO_SPEEDUPS
    const float *slope; /* the same; with one, `activate` is NULL */
#endif
    nn__activate activate;
    bool accumulate;
#ifndef NN_NO_SIMD
    const float *bands; /* for panels: where all bands are; NULL: each unit fills its own */
    float *kept;        /* see nn_keeping */
#endif
} nn__conv_job;

#ifndef NN_NO_SIMD
/* Describes the whole arrays. */
NN_PRIVATE nn__conv_job nn__conv_whole_job(const nn__cpu *cpu, const nn_conv2d_args *g,
                                           const nn_view *from, const nn_view *to);
#endif

/* Let programs without speedups, which have no slopes, compile nothing for them. */
#ifndef NN_NO_SPEEDUPS
#define NN__IF_SLOPE(slope, action)                                                                \
    do {                                                                                           \
        if (slope) action;                                                                         \
    } while (0)
#define NN__SLOPE_OF(g, first) (nn__present(&(g)->slope) ? nn__f32(&(g)->slope) + (first) : NULL)
#else
#define NN__IF_SLOPE(slope, action) (void)0
#endif

/* Runs one band of one image for some rows of the product. */
NN_PRIVATE void nn__conv_run(const nn__conv *conv, const nn__conv_cut *cut, const nn__conv_job *job,
                             int band, int part, void *own);

/* For backward_input. Return the number of pairs of classes of taps; the product of a pair; and
   whether some positions of dx are reached by no tap. The others set these positions to
   activation(bias). */
NN_PRIVATE int nn__conv_pairs(const nn_conv2d_params *p);
NN_PRIVATE nn__conv nn__conv_backward_geometry(const nn_conv2d_args *g, int pair);
NN_PRIVATE bool nn__conv_leaves_gaps(const nn_conv2d_args *g);
NN_PRIVATE void nn__conv_clear_channel(const nn__cpu *cpu, const nn_conv2d_args *g, int channel);
NN_PRIVATE void nn__conv_clear_plane(const nn__cpu *cpu, const nn_conv2d_args *g, int channel,
                                     float *plane);

#ifndef NN_NO_SIMD
/* Copies n floats. Most rows are so short that a call of memcpy would take longer. */
static inline NN__UNUSED void nn__conv_copy(float *to, const float *from, int n) {
    int i = 0;
    if (n >= 48) {
        memcpy(to, from, (size_t)n * sizeof(float));
        return;
    }
    for (; i + 8 <= n; i += 8) memcpy(to + i, from + i, 8 * sizeof(float));
    if (n >= 8 && i < n) { /* copies some numbers twice */
        memcpy(to + n - 8, from + n - 8, 8 * sizeof(float));
        return;
    }
    for (; i < n; i++) to[i] = from[i];
}
/* Prefetches into the L2 cache, while the L1 cache is in use. It must be inline: gcc removes calls
   of functions that only prefetch. */
static NN__ALWAYS_INLINE NN__UNUSED void nn__conv_ahead(const void *from, int bytes) {
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
    for (int at = 0; at < bytes; at += 64) __builtin_prefetch((const char *)from + at, 0, 2);
#else
    (void)from, (void)bytes;
#endif
}
/* Does what nn__conv_fill_band does, for strides of one. Columns outside of the image are already
   zero and stay zero. */
NN_PRIVATE void nn__conv_fill_dense(const nn__conv *conv, const float *x, int channels, int t,
                                    int outputs, float *band, ptrdiff_t channel);
#endif

#ifndef NN_NO_SIMD
#define NN__WINOGRAD_POINTS 36

/* The transforms of Winograd's convolutions (kernels/conv2d/cpu_winograd.h). A vector has half as
   many numbers as a panel has lanes. step: distance between two of the 36 points. */
typedef struct nn__winograd_set {
    /* to = B^T from B for a vector of channels; from has (6, 6) vectors, with rows `row` apart */
    void (*input)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step);
    /* to = G from G^T for `lanes` filters; the taps of from are `tap` apart */
    void (*weight)(const float *from, ptrdiff_t tap, float *to, ptrdiff_t step);
    /* to = A^T from A for `lanes` channels or, with half, for the first half; to has rows x columns
       positions */
    void (*output)(const float *from, ptrdiff_t step, float *to, ptrdiff_t row, int rows,
                   int columns, bool half);
    /* the same along one axis: of 6 vectors, 3 taps, and 6 points; neighbouring inputs and outputs
       are `gap` apart, and there are `columns` outputs */
    void (*line_input)(const float *from, ptrdiff_t gap, float *to, ptrdiff_t step);
    void (*line_weight)(const float *from, ptrdiff_t tap, float *to, ptrdiff_t step);
    void (*line_output)(const float *from, ptrdiff_t step, float *to, ptrdiff_t gap, int columns,
                        bool half);
#ifndef NN_NO_TRAINING
    /* For the gradient of the weights, F(3 x 3, 4 x 4) with the same points and dy as the filter:
       to = G from G^T for a vector of channels; from has (4, 4) vectors, with rows `row` apart */
    void (*gradient)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step);
    /* to (9, lanes) = A^T from A for `lanes` channels or, with half, for the first half */
    void (*taps)(const float *from, ptrdiff_t step, float *to, bool half);
    /* sum += n consecutive vectors */
    void (*add)(float *sum, const float *from, int n);
#endif
} nn__winograd_set;
#endif

/* Depthwise convolutions have their own kernels (kernels/conv2d/cpu_depthwise.c), except with
   NN_NO_SIMD, where programs must be small. */
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
/* Depthwise filters of 3 x 3 that keep or halve an image: kernels/conv2d/cpu_depthwise_flat.c. */
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
/* The functions of depthwise convolutions (kernels/conv2d/cpu_depthwise_flat.c). Convolutions call
   them only through this table, and only nn__install_conv2d sets the table. So a program whose
   convolutions have no groups does not contain them. */
typedef struct nn__depthwise_ways {
    bool (*suits)(const nn_conv2d_args *g);
    int (*units)(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
    size_t (*forward_own)(const nn__cpu *cpu, const nn_conv2d_args *g);
    void (*forward_unit)(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, void *own);
    size_t (*input_own)(const nn__cpu *cpu, const nn_conv2d_args *g);
    void (*input_unit)(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, void *own);
    bool (*flat_suits)(const nn__cpu *cpu, const nn_conv2d_args *g);
    int (*flat_units)(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
    size_t (*flat_own)(const nn__cpu *cpu, const nn_conv2d_args *g);
    void (*flat_unit)(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, bool input, void *own);
#ifndef NN_NO_TRAINING
    int (*weight_units)(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
    size_t (*weight_own)(const nn__cpu *cpu, const nn_conv2d_args *g);
    void (*weight_unit)(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, void *own);
    int (*flat_weight_units)(const nn__cpu *cpu, const nn_conv2d_args *g, int phase);
    void (*flat_weight_unit)(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, void *own);
#endif
} nn__depthwise_ways;
NN_PRIVATE const nn__depthwise_ways *nn__depthwise_all(void);
/* A plane for 3 x 3 taps with strides of one, as one long row. */
typedef struct nn__shift {
    int n, width;      /* positions of a plane; columns */
    ptrdiff_t ahead;   /* distance of the plane that is processed next */
    int period;        /* vectors after which columns are in the same lanes again */
    const void *masks; /* per vector of a period: without the lanes of first columns, and without
                          those of last columns */
} nn__shift;
/* The same for planes that fit into a vector, several channels side by side. */
typedef struct nn__turns {
    const int32_t *at; /* (9 taps, lanes): the lane that a tap reads, or NN__LANES for none */
    ptrdiff_t apart;   /* distance between two images */
} nn__turns;
#define NN__DEPTHWISE_RUN 32   /* positions per step of a multiplication along a band */
#define NN__SHIFT_AHEAD   2048 /* distance of prefetches, in numbers */
/* kernels/conv2d/vector_depthwise.h describes the functions. Plain C uses bands, and the other
   functions are NULL. sums: ten vectors, nine for taps and one for dy. */
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
        if ((cpu)->depthwise && (cpu)->depthwise->flat_suits(cpu, g)) action;                      \
    } while (0)
#define NN__IF_DEPTHWISE(cpu, g, action)                                                           \
    do {                                                                                           \
        if ((cpu)->depthwise && (cpu)->depthwise->suits(g)) action;                                \
    } while (0)
/* Convolutions with the output channels in the vector: kernels/conv2d/cpu_panel.h. */
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
/* 3 x 3 convolutions by Winograd's algorithm: kernels/conv2d/cpu_winograd.h. conv: of a forward, or
   of the first pair of classes of a backward_input. */
NN_PRIVATE bool nn__winograd_suits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                   const nn__conv *conv);
/* The conditions of both Winograd directions: 3 x 3 taps, strides of one, and each position of y
   reads enough of x. */
NN_PRIVATE bool nn__winograd_takes(const nn_conv2d_args *g, const nn__conv *conv);
#define NN__IF_WINOGRAD(cpu, g, conv, action)                                                      \
    do {                                                                                           \
        if (nn__winograd_suits(cpu, g, conv)) action;                                              \
    } while (0)
/* Forward convolutions of single rows by Winograd's algorithm, with cached weights:
   kernels/conv2d/cpu_winograd_line.c. */
NN_PRIVATE bool nn__conv_line_suits(const nn__cpu *cpu, const nn_conv2d_args *g,
                                    const nn__conv *conv);
#define NN__IF_LINE(cpu, g, conv, action)                                                          \
    do {                                                                                           \
        if (nn__conv_line_suits(cpu, g, conv)) action;                                             \
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
#define NN__IF_DEPTHWISE(cpu, g, action)     (void)0
#define NN__IF_PANELS(cpu, conv, action)     (void)0
#define NN__IF_PANELS_BACK(cpu, g, action)   (void)0
#define NN__IF_WINOGRAD(cpu, g, conv, action)      (void)0
#define NN__IF_LINE(cpu, g, conv, action)          (void)0
#define NN__IF_WINOGRAD_BACK(cpu, g, conv, action) (void)0
#define NN__IF_PANELS_WEIGHT(cpu, g, action) (void)0
#define NN__IF_WINOGRAD_WEIGHT(cpu, g, action) (void)0
#endif

NN_PRIVATE void nn__install_conv2d_input(nn_context *nn);
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__install_conv2d_backward(nn_context *nn);
#endif
#ifdef NN_NO_SIMD
#define NN__INSTALL_DEPTHWISE(nn) (void)(nn)
#else
#define NN__INSTALL_DEPTHWISE(nn)                                                                  \
    do {                                                                                           \
        if ((nn)->cpu) ((nn__cpu *)(nn)->cpu)->depthwise = nn__depthwise_all();                    \
    } while (0)
#endif
/* kernels/conv2d/cpu_way.c: the text that describes the algorithm for these arguments, and the
   bytes of packed weights. */
#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__conv2d_way(const nn_context *nn, nn_device device, nn_kernel kernel,
                                      const void *args);
NN_PRIVATE uint64_t nn__conv2d_cached(const nn_context *nn, nn_kernel kernel, const void *args);
#define NN__INSTALL_CONV2D_WAY(nn)                                                                 \
    ((nn)->way = nn__conv2d_way, (nn)->cached_bytes = nn__conv2d_cached)
#else
#define NN__INSTALL_CONV2D_WAY(nn) (void)0
#endif
