/* kernels/conv2d/cpu_few.c - backward_weight from few channels to few filters, as nets begin.
   Places of a row lie in the lanes of a vector, so that neither x nor dy is turned over:
     sum (filter, tap, lane) += dy (filter, place) * band (tap, place)
   A tile has a few filters and three taps, whose sums stay in registers for some rows of a picture.
   All blocks of rows, in order, are dealt to a number of pieces that depends on the shape. What a
   piece has summed lies in shared as (piece, group, K, C R S + 1); the last number of a filter is
   dbias, whose tap reads ones. Phase 1 adds the pieces in ascending order. */
#include "kernels/conv2d/cpu_panel.h"

#include "cpu/simd.h"

#if !defined(NN_NO_SIMD) && !defined(NN_NO_TRAINING)

#define NN__FEW_PLACES  512         /* of a block, about */
#define NN__FEW_BAND    (16 * 1024) /* floats of a band, at most */
#define NN__FEW_TAPS    3           /* of a tile */
#define NN__FEW_WIDEST  8           /* filters of a tile, at most */
#define NN__FEW_DEPTH   64          /* taps of all channels, at most */
#define NN__FEW_FILTERS 32          /* of a group, at most */
#define NN__FEW_BLOCKS  4           /* of a piece, at least: then adding lanes up takes no time */
#define NN__FEW_LEAST   1024        /* places of y for which it is worth while */

/* sum (filters, NN__FEW_TAPS, lanes) (+)= dy (filters, rows, width) * x (taps, rows, width) */
typedef struct nn__few_tile {
    const float *x[NN__FEW_TAPS], *dy[NN__FEW_WIDEST];
    ptrdiff_t x_row; /* rows of dy lie behind each other */
    float *sum;
    int rows, width;
    bool add;
} nn__few_tile;

typedef struct nn__few_set {
    int lanes, filters;
    void (*three)(const nn__few_tile *tile);
    void (*one)(const nn__few_tile *tile); /* of the first tap alone */
} nn__few_set;

/* ---- the tiles ------------------------------------------------------------------------------- */

#ifdef NN__HAVE_X86

#define NN__FEW_4(X) X(0) X(1) X(2) X(3)
#define NN__FEW_8(X) NN__FEW_4(X) X(4) X(5) X(6) X(7)

/* Read once into a register: compilers would read it for each of its three products, which takes
   longer than these where it lies across two lines of the cache. */
#if defined(__GNUC__) || defined(__clang__)
#define NN__FEW_KEEP(v) __asm__("" : "+x"(v))
#else
#define NN__FEW_KEEP(v) (void)0
#endif
/* Accumulators have names, since compilers keep arrays of vectors in memory. */
#define NN__FEW_START(i)                                                                           \
    const float *y##i = t->dy[i];                                                                  \
    NN__V a##i = NN__ZERO, b##i = NN__ZERO, c##i = NN__ZERO;                                       \
    if (t->add) {                                                                                  \
        a##i = NN__LOAD(sum + (3 * i) * NN__WIDE);                                                 \
        if (taps == 3) b##i = NN__LOAD(sum + (3 * i + 1) * NN__WIDE);                              \
        if (taps == 3) c##i = NN__LOAD(sum + (3 * i + 2) * NN__WIDE);                              \
    }
#define NN__FEW_ADD(i)                                                                             \
    a##i = NN__FMA(v, x0, a##i);                                                                   \
    if (taps == 3) b##i = NN__FMA(v, x1, b##i);                                                    \
    if (taps == 3) c##i = NN__FMA(v, x2, c##i);
#define NN__FEW_STEP(i)                                                                            \
    {                                                                                              \
        NN__V v = NN__LOAD(y##i + at);                                                             \
        NN__FEW_KEEP(v);                                                                           \
        NN__FEW_ADD(i)                                                                             \
    }
#define NN__FEW_REST(i)                                                                            \
    {                                                                                              \
        const NN__V v = NN__LOAD_FIRST(y##i + at);                                                 \
        NN__FEW_ADD(i)                                                                             \
    }
#define NN__FEW_STORE(i)                                                                           \
    NN__STORE(sum + (3 * i) * NN__WIDE, a##i);                                                     \
    if (taps == 3) NN__STORE(sum + (3 * i + 1) * NN__WIDE, b##i);                                  \
    if (taps == 3) NN__STORE(sum + (3 * i + 2) * NN__WIDE, c##i);
/* Lanes beyond a row's end are zeros on both sides: what lies there may be no number. */
#define NN__FEW_BODY(name, target)                                                                 \
    static NN__ALWAYS_INLINE target void name##_body(const nn__few_tile *t, const int taps) {      \
        const float *from0 = t->x[0], *from1 = t->x[1], *from2 = t->x[2];                          \
        const int whole = t->width / NN__WIDE * NN__WIDE, rest = t->width - whole;                 \
        const NN__FIRST first = NN__MAKE_FIRST(rest);                                              \
        float *sum = t->sum;                                                                       \
        ptrdiff_t at = 0;                                                                          \
        NN__FEW_EACH(NN__FEW_START)                                                                \
        for (int q = 0; q < t->rows; q++) {                                                        \
            int u = 0;                                                                             \
            for (; u < whole; u += NN__WIDE, at += NN__WIDE) {                                     \
                const NN__V x0 = NN__LOAD(from0 + u),                                              \
                            x1 = taps == 3 ? NN__LOAD(from1 + u) : x0,                             \
                            x2 = taps == 3 ? NN__LOAD(from2 + u) : x0;                             \
                (void)x1, (void)x2;                                                                \
                NN__FEW_EACH(NN__FEW_STEP)                                                         \
            }                                                                                      \
            if (rest) {                                                                            \
                const NN__V x0 = NN__LOAD_FIRST(from0 + u),                                        \
                            x1 = taps == 3 ? NN__LOAD_FIRST(from1 + u) : x0,                       \
                            x2 = taps == 3 ? NN__LOAD_FIRST(from2 + u) : x0;                       \
                (void)x1, (void)x2;                                                                \
                NN__FEW_EACH(NN__FEW_REST)                                                         \
                at += rest;                                                                        \
            }                                                                                      \
            from0 += t->x_row, from1 += t->x_row, from2 += t->x_row;                               \
        }                                                                                          \
        NN__FEW_EACH(NN__FEW_STORE)                                                                \
    }                                                                                              \
    static target void name##_three(const nn__few_tile *t) { name##_body(t, 3); }                  \
    static target void name##_one(const nn__few_tile *t) { name##_body(t, 1); }

#define NN__V                   __m256
#define NN__WIDE                8
#define NN__ZERO                _mm256_setzero_ps()
#define NN__LOAD(p)             _mm256_loadu_ps(p)
#define NN__FIRST               __m256i
#define NN__MAKE_FIRST(n)       nn__first8(n)
#define NN__LOAD_FIRST(p)       _mm256_maskload_ps(p, first)
#define NN__FMA(a, b, c)        _mm256_fmadd_ps(a, b, c)
#define NN__STORE(p, v)         _mm256_storeu_ps(p, v)
#define NN__FEW_EACH            NN__FEW_4
NN__FEW_BODY(nn__few_avx2, NN__TARGET("avx2,fma"))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__FIRST
#undef NN__MAKE_FIRST
#undef NN__LOAD_FIRST
#undef NN__FMA
#undef NN__STORE
#undef NN__FEW_EACH

#define NN__V                   __m512
#define NN__WIDE                16
#define NN__ZERO                _mm512_setzero_ps()
#define NN__LOAD(p)             _mm512_loadu_ps(p)
#define NN__FIRST               __mmask16
#define NN__MAKE_FIRST(n)       nn__lanes16(0, n)
#define NN__LOAD_FIRST(p)       _mm512_maskz_loadu_ps(first, p)
#define NN__FMA(a, b, c)        _mm512_fmadd_ps(a, b, c)
#define NN__STORE(p, v)         _mm512_storeu_ps(p, v)
#define NN__FEW_EACH            NN__FEW_8
NN__FEW_BODY(nn__few_avx512, NN__TARGET("avx512f,fma"))
#undef NN__V
#undef NN__WIDE
#undef NN__ZERO
#undef NN__LOAD
#undef NN__FIRST
#undef NN__MAKE_FIRST
#undef NN__LOAD_FIRST
#undef NN__FMA
#undef NN__STORE
#undef NN__FEW_EACH
#undef NN__FEW_4
#undef NN__FEW_8
#undef NN__FEW_START
#undef NN__FEW_KEEP
#undef NN__FEW_ADD
#undef NN__FEW_STEP
#undef NN__FEW_REST
#undef NN__FEW_STORE
#undef NN__FEW_BODY
#endif

/* NULL: this instruction set has none. */
static const nn__few_set *nn__few_set_of(const nn__cpu *cpu) {
#ifdef NN__HAVE_X86
    static const nn__few_set avx512 = {16, 8, nn__few_avx512_three, nn__few_avx512_one},
                             avx2 = {8, 4, nn__few_avx2_three, nn__few_avx2_one};
    if (cpu->instructions == NN_INSTRUCTIONS_AVX512) return &avx512;
    if (cpu->instructions == NN_INSTRUCTIONS_AVX2) return &avx2;
#endif
    (void)cpu;
    return NULL;
}

/* ---- the cut --------------------------------------------------------------------------------- */

typedef struct nn__few_sums {
    nn__conv conv;
    nn__panel_blocks b;
    const nn__few_set *set;
    int depth, rows; /* C R S; with the one of dbias */
    int tall, wide;  /* tiles: of filters, of taps */
    int pieces;
    size_t offset_floats, ones_floats, sum_floats;
} nn__few_sums;

static nn__few_sums nn__few_make_sums(const nn__cpu *cpu, const nn_conv2d_args *g) {
    nn__few_sums s;
    s.conv = nn__conv_forward_geometry(g);
    s.set = nn__few_set_of(cpu);
    s.depth = s.conv.channels * s.conv.h.taps * s.conv.w.taps;
    s.rows = s.depth + 1;
    /* of twice as many where all pieces get enough: sums are put aside half as often */
    for (int places = 2 * NN__FEW_PLACES;; places /= 2) {
        nn__panel_make_blocks(&s.b, cpu, &s.conv, places, s.depth, NN__FEW_BAND);
        if (places <= NN__FEW_PLACES || (s.b.blocks >= NN__CONV_UNITS * NN__FEW_BLOCKS &&
                                         s.b.step == s.conv.channels))
            break;
    }
    s.tall = nn__ceil_div(s.conv.rows, s.set->filters);
    s.wide = nn__ceil_div(s.rows, NN__FEW_TAPS);
    s.pieces = nn__maxi(1, nn__mini(s.b.blocks / NN__FEW_BLOCKS, NN__CONV_UNITS / s.conv.groups));
    s.offset_floats = nn__align_up((size_t)s.depth, 16);
    s.ones_floats = nn__align_up((size_t)s.b.outputs * (size_t)s.conv.row, 16);
    s.sum_floats = (size_t)s.tall * (size_t)s.wide *
                   (size_t)(s.set->filters * NN__FEW_TAPS * s.set->lanes);
    return s;
}

/* Beside panels, measured: 1.3 to 2.2 times as fast with 8 filters, of which these leave most of a
   vector unused; 1.05 to 1.2 with 16 to 32, but 0.7 to 0.9 where an eighth of a row's lanes is
   unused, and 1.0 with strides. */
NN_PRIVATE bool nn__few_suits(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn_conv2d_params *p = &g->params;
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent;
    const nn__few_set *set = nn__few_set_of(cpu);
    const int filters = y[1] / p->groups;
    if (!set || !nn__present(&g->weight) || filters < 4 || filters > NN__FEW_FILTERS ||
        p->groups > NN__CONV_UNITS || p->stride_h > 1 || p->stride_w > 1 ||
        (int64_t)x[1] / p->groups * p->kernel_h * p->kernel_w > NN__FEW_DEPTH ||
        (int64_t)y[0] * y[2] * y[3] < NN__FEW_LEAST)
        return false;
    const int64_t lanes = ((int64_t)y[3] + set->lanes - 1) / set->lanes * set->lanes;
    if (filters > 8 ? lanes * 15 > (int64_t)y[3] * 16 : lanes * 4 > (int64_t)y[3] * 5) return false;
    const nn__few_sums s = nn__few_make_sums(cpu, g);
    return s.b.step == s.conv.channels;
}

NN_PRIVATE size_t nn__few_own(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__few_sums s = nn__few_make_sums(cpu, g);
    return (s.offset_floats + s.ones_floats + s.sum_floats + s.b.band_floats) * sizeof(float);
}

NN_PRIVATE size_t nn__few_shared(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const nn__few_sums s = nn__few_make_sums(cpu, g);
    return (size_t)s.pieces * (size_t)s.conv.groups * (size_t)s.conv.rows * (size_t)s.rows *
           sizeof(float);
}

NN_PRIVATE int nn__few_units(const nn__cpu *cpu, const nn_conv2d_args *g, int phase) {
    if (phase > 1) return 0;
    const nn__few_sums s = nn__few_make_sums(cpu, g);
    return phase == 0 ? s.pieces * s.conv.groups : s.conv.groups;
}

/* ---- a unit ---------------------------------------------------------------------------------- */

/* What a block reads of one picture. */
typedef struct nn__few_block {
    const float *dy;              /* of the first filter */
    int rows;                     /* of y */
    bool bias, add;
} nn__few_block;

/* All tiles of one picture's rows. */
static void nn__few_picture(const nn__few_sums *s, const nn__few_block *block, const float *band,
                            const int32_t *offset, const float *ones, float *sum) {
    const nn__conv *conv = &s->conv;
    const int filters = s->set->filters, rows = s->depth + block->bias,
              tiles = s->tall * s->wide, width = conv->w.outputs;
    const ptrdiff_t plane = (ptrdiff_t)conv->h.outputs * width;
    nn__few_tile tile;
    tile.x_row = conv->row;
    tile.rows = block->rows;
    tile.width = width;
    tile.add = block->add;
    for (int e = 0; e < tiles; e++) {
        const int k = e / s->wide * filters, i = e % s->wide * NN__FEW_TAPS;
        if (i >= rows) continue;
        for (int j = 0; j < NN__FEW_TAPS; j++) {
            const int tap = nn__mini(i + j, rows - 1);
            tile.x[j] = tap < s->depth ? band + offset[tap] : ones;
        }
        for (int j = 0; j < filters; j++)
            tile.dy[j] = block->dy + nn__mini(k + j, conv->rows - 1) * plane;
        tile.sum = sum + (ptrdiff_t)e * filters * NN__FEW_TAPS * s->set->lanes;
        (rows - i == 1 ? s->set->one : s->set->three)(&tile);
    }
}

/* The lanes' sums, in pairs. */
static void nn__few_finish(const nn__few_sums *s, int rows, float *sum, float *to) {
    const int filters = s->set->filters, lanes = s->set->lanes;
    for (int k = 0; k < s->conv.rows; k++)
        for (int i = 0; i < rows; i++) {
            const int tile = k / filters * s->wide + i / NN__FEW_TAPS;
            float *v = sum + (ptrdiff_t)((tile * filters + k % filters) * NN__FEW_TAPS +
                                         i % NN__FEW_TAPS) * lanes;
            for (int half = lanes / 2; half > 0; half /= 2)
                for (int l = 0; l < half; l++) v[l] += v[l + half];
            to[k * s->rows + i] = v[0];
        }
}

static void nn__few_sum_piece(const nn__few_sums *s, const nn_conv2d_args *g, int unit,
                              float *shared, void *own) {
    const nn__conv *conv = &s->conv;
    const int group = unit % conv->groups, piece = unit / conv->groups;
    const int from = (int)((int64_t)s->b.blocks * piece / s->pieces),
              to = (int)((int64_t)s->b.blocks * (piece + 1) / s->pieces);
    const ptrdiff_t width = conv->w.outputs, y_picture = conv->rows * conv->h.outputs * width,
                    x_picture = (ptrdiff_t)conv->channels * conv->h.source * conv->w.source;
    const float *x = nn__f32(&g->x), *dy = nn__f32(&g->y);
    int32_t *offset = (int32_t *)own;
    float *ones = (float *)own + s->offset_floats, *sum = ones + s->ones_floats,
          *band = sum + s->sum_floats;
    nn__few_block block;
    block.bias = nn__present(&g->epilogue.bias);
    block.add = false;
    nn__conv_fill_offsets(conv, conv->channels, s->b.plane, s->b.channel, offset);
    for (int i = 0; block.bias && i < s->b.outputs * conv->row; i++) ones[i] = 1;
    for (int e = from; e < to; e++) {
        const int n = e / s->b.bands * s->b.images, t = e % s->b.bands * s->b.outputs,
                  images = nn__mini(s->b.images, conv->images - n);
        const ptrdiff_t picture = (ptrdiff_t)n * conv->groups + group;
        block.rows = nn__mini(s->b.outputs, conv->h.outputs - t);
        const float *a = nn__panel_fill_band(&s->b, conv, x + picture * x_picture, images,
                                             conv->channels, t, block.rows, band, e == from);
        for (int m = n; m < n + images; m++, a += s->b.image, block.add = true) {
            block.dy = dy + ((ptrdiff_t)m * conv->groups + group) * y_picture + t * width;
            nn__few_picture(s, &block, a, offset, ones, sum);
        }
    }
    nn__few_finish(s, s->depth + block.bias, sum,
                   shared + (ptrdiff_t)unit * conv->rows * s->rows);
}

NN_PRIVATE void nn__few_add_pieces(const nn__conv *conv, const nn_conv2d_args *g, int pieces,
                                   int group, const float *shared) {
    const int filters = conv->rows, depth = conv->channels * conv->h.taps * conv->w.taps;
    const ptrdiff_t piece = (ptrdiff_t)conv->groups * filters * (depth + 1);
    shared += (ptrdiff_t)group * filters * (depth + 1);
    for (int k = 0; k < filters; k++)
        for (int i = 0; i <= depth; i++, shared++) {
            const int channel = group * filters + k;
            if (i == depth && !nn__present(&g->epilogue.bias)) continue;
            float *to = i == depth ? nn__f32(&g->epilogue.bias) + channel
                                   : nn__f32(&g->weight) + (ptrdiff_t)channel * depth + i,
                  value = *shared;
            for (int e = 1; e < pieces; e++) value += shared[e * piece];
            *to = g->accumulate ? *to + value : value;
        }
}

NN_PRIVATE void nn__few_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int phase, int unit,
                             float *shared, void *own) {
    const nn__few_sums s = nn__few_make_sums(cpu, g);
    if (phase == 0)
        nn__few_sum_piece(&s, g, unit, shared, own);
    else
        nn__few_add_pieces(&s.conv, g, s.pieces, unit, shared);
}

#undef NN__FEW_PLACES
#undef NN__FEW_BAND
#undef NN__FEW_TAPS
#undef NN__FEW_WIDEST
#undef NN__FEW_DEPTH
#undef NN__FEW_FILTERS
#undef NN__FEW_BLOCKS
#undef NN__FEW_LEAST
#endif

typedef int nn__conv2d_few_part; /* a part must not be empty under NN_NO_SIMD */
