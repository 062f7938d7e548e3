/* kernels/conv2d/cpu_depthwise_small.c - depthwise convolutions of small planes, and their
   gradients. In planes of 2 x 2 or 4 x 4 a row is shorter than a vector, and the bands of
   kernels/conv2d/cpu_depthwise.c would be zeros for the most part. Here a vector has one place of
   eight channels: planes are transposed into a buffer (places, 4 pictures, 8 channels), and each
   sum runs over a list of the products that it has. Strides, dilations and what lies in the padding
   are in the lists alone, which are made once for a unit.

   A unit has some blocks of eight channels in four pictures; in backward_weight it has one block of
   channels in all pictures, in their order. Nothing depends on threads. */
#include "cpu/simd.h"
#include "kernels/conv2d/cpu.h"

#ifndef NN_NO_SIMD

#define NN__SMALL_PICTURES 4
#define NN__SMALL_STEP     (8 * NN__SMALL_PICTURES) /* floats between two places of a buffer */
#define NN__SMALL_PLACES   256                      /* of a plane of x or y, at most */
#define NN__SMALL_TAPS     49                       /* of a filter, at most */
#define NN__SMALL_PRODUCTS 4096                     /* in a list of all places and taps, at most */

typedef enum nn__small_way { NN__SMALL_FORWARD, NN__SMALL_INPUT, NN__SMALL_WEIGHT } nn__small_way;

/* One factor of each product: where it lies in the buffers a and b. */
typedef struct nn__small_pair {
    uint16_t a, b;
} nn__small_pair;

typedef struct nn__small {
    /* to[j * step + lane] = from[lane * plane + j]: lanes beyond the last repeat that one */
    void (*gather)(float *to, int step, const float *from, int plane, int lanes);
    /* the way back, into so many lanes */
    void (*scatter)(float *to, const float *from, int plane, int lanes, bool add);
    /* sum (4 pictures, 8) = bias + the products of weights (8) and x (4 pictures, 8) */
    void (*multiply)(float *sum, const float *bias, const float *a, const float *b,
                     const nn__small_pair *pair, int count);
    /* sum (8) = the products of a and b, added up over the pictures */
    void (*dot)(float *sum, const float *a, const float *b, const nn__small_pair *pair, int count);
    int sums, taps, x_places, y_places;
    int *count;           /* products of each sum */
    nn__small_pair *pair; /* (sums, most) */
    int most;
    float *a, *b, *result; /* weights or y; x or y; sums */
    size_t pairs, counts, a_size, b_size; /* words that each takes of a worker's memory */
} nn__small;

static int nn__small_places(const nn_view *view) {
    const int64_t places = (int64_t)view->shape.extent[2] * view->shape.extent[3];
    return places > NN__SMALL_PLACES ? NN__SMALL_PLACES + 1 : (int)places;
}

/* Planes between 8 x 8 and 16 x 16 win only where vectors are full of pictures and channels, or
   where strides break up the rows. */
NN_PRIVATE bool nn__depthwise_small(const nn_conv2d_args *g) {
    const int x = nn__small_places(&g->x), y = nn__small_places(&g->y),
              taps = g->params.kernel_h * g->params.kernel_w;
    const bool full = g->x.shape.extent[0] >= NN__SMALL_PICTURES && g->params.groups >= 8;
    const bool strided = g->params.stride_h > 1 || g->params.stride_w > 1;
    if (g->y.shape.extent[1] != g->params.groups || x < 1 || y < 1) return false;
    if (taps > NN__SMALL_TAPS || y * taps > NN__SMALL_PRODUCTS) return false;
    return nn__maxi(x, y) <= (full && strided ? NN__SMALL_PLACES : 64);
}

/* ---- vectors of eight channels --------------------------------------------------------------- */

static void nn__small_gather(float *to, int step, const float *from, int plane, int lanes) {
    for (int l = 0; l < 8; l++) {
        const float *x = from + (ptrdiff_t)nn__mini(l, lanes - 1) * plane;
        for (int j = 0; j < plane; j++) to[j * step + l] = x[j];
    }
}

static void nn__small_scatter(float *to, const float *from, int plane, int lanes, bool add) {
    for (int l = 0; l < lanes; l++, to += plane)
        for (int j = 0; j < plane; j++) {
            const float value = from[j * NN__SMALL_STEP + l];
            to[j] = add ? to[j] + value : value;
        }
}

static void nn__small_multiply(float *sum, const float *bias, const float *a, const float *b,
                               const nn__small_pair *pair, int count) {
    float part[NN__SMALL_STEP];
    for (int l = 0; l < NN__SMALL_STEP; l++) part[l] = bias[l % 8];
    for (int i = 0; i < count; i++) {
        const float *w = a + pair[i].a, *x = b + pair[i].b;
        for (int p = 0; p < NN__SMALL_STEP; p += 8)
            for (int l = 0; l < 8; l++) part[p + l] += w[l] * x[p + l];
    }
    memcpy(sum, part, sizeof part);
}

static void nn__small_dot(float *sum, const float *a, const float *b, const nn__small_pair *pair,
                          int count) {
    float part[NN__SMALL_STEP] = {0};
    for (int i = 0; i < count; i++) {
        const float *y = a + pair[i].a, *x = b + pair[i].b;
        for (int l = 0; l < NN__SMALL_STEP; l++) part[l] += y[l] * x[l];
    }
    for (int l = 0; l < 8; l++) sum[l] = (part[l] + part[8 + l]) + (part[16 + l] + part[24 + l]);
}

#ifdef NN__VECTOR8
/* 4 x 4 blocks in both halves of the vectors. */
NN__AVX2 static inline void nn__small_turn8(__m256 *r) {
    const __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]),
                 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(a, c, 0x44);
    r[1] = _mm256_shuffle_ps(a, c, 0xee);
    r[2] = _mm256_shuffle_ps(b, d, 0x44);
    r[3] = _mm256_shuffle_ps(b, d, 0xee);
}

NN__AVX2 static void nn__small_gather8(float *to, int step, const float *from, int plane,
                                       int lanes) {
    const float *x[8];
    for (int l = 0; l < 8; l++) x[l] = from + (ptrdiff_t)nn__mini(l, lanes - 1) * plane;
    for (int j = 0; j < plane; j += 4, to += 4 * (ptrdiff_t)step) {
        const int some = nn__mini(4, plane - j);
        const __m128i mask = _mm256_castsi256_si128(nn__first8(some));
        __m256 r[4];
        for (int l = 0; l < 4; l++) {
            const __m128 low = some == 4 ? _mm_loadu_ps(x[l] + j) : _mm_maskload_ps(x[l] + j, mask);
            const __m128 high =
                some == 4 ? _mm_loadu_ps(x[l + 4] + j) : _mm_maskload_ps(x[l + 4] + j, mask);
            r[l] = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
        }
        nn__small_turn8(r);
        for (int k = 0; k < some; k++) _mm256_storeu_ps(to + (ptrdiff_t)k * step, r[k]);
    }
}

NN__AVX2 static inline void nn__small_put4(float *to, __m128 value, __m128i mask, bool add) {
    if (add) value = _mm_add_ps(_mm_maskload_ps(to, mask), value);
    _mm_maskstore_ps(to, mask, value);
}

NN__AVX2 static void nn__small_scatter8(float *to, const float *from, int plane, int lanes,
                                        bool add) {
    for (int j = 0; j < plane; j += 4, from += 4 * NN__SMALL_STEP) {
        const int some = nn__mini(4, plane - j);
        const __m128i mask = _mm256_castsi256_si128(nn__first8(some));
        const bool plain = some == 4 && !add;
        __m256 r[4];
        for (int k = 0; k < 4; k++)
            r[k] = k < some ? _mm256_loadu_ps(from + k * NN__SMALL_STEP) : _mm256_setzero_ps();
        nn__small_turn8(r);
        for (int l = 0; l < 4; l++) {
            float *low = to + (ptrdiff_t)l * plane + j, *high = low + 4 * (ptrdiff_t)plane;
            const __m128 first = _mm256_castps256_ps128(r[l]),
                         second = _mm256_extractf128_ps(r[l], 1);
            if (l < lanes && plain) _mm_storeu_ps(low, first);
            if (l < lanes && !plain) nn__small_put4(low, first, mask, add);
            if (l + 4 < lanes && plain) _mm_storeu_ps(high, second);
            if (l + 4 < lanes && !plain) nn__small_put4(high, second, mask, add);
        }
    }
}

NN__AVX2 static void nn__small_multiply8(float *sum, const float *bias, const float *a,
                                         const float *b, const nn__small_pair *pair, int count) {
    __m256 p = _mm256_loadu_ps(bias), q = p, r = p, s = p;
    for (int i = 0; i < count; i++) {
        const __m256 w = _mm256_loadu_ps(a + pair[i].a);
        const float *x = b + pair[i].b;
        p = _mm256_fmadd_ps(w, _mm256_loadu_ps(x), p);
        q = _mm256_fmadd_ps(w, _mm256_loadu_ps(x + 8), q);
        r = _mm256_fmadd_ps(w, _mm256_loadu_ps(x + 16), r);
        s = _mm256_fmadd_ps(w, _mm256_loadu_ps(x + 24), s);
    }
    _mm256_storeu_ps(sum, p);
    _mm256_storeu_ps(sum + 8, q);
    _mm256_storeu_ps(sum + 16, r);
    _mm256_storeu_ps(sum + 24, s);
}

NN__AVX2 static void nn__small_dot8(float *sum, const float *a, const float *b,
                                    const nn__small_pair *pair, int count) {
    __m256 p = _mm256_setzero_ps(), q = p, r = p, s = p;
    for (int i = 0; i < count; i++) {
        const float *y = a + pair[i].a, *x = b + pair[i].b;
        p = _mm256_fmadd_ps(_mm256_loadu_ps(y), _mm256_loadu_ps(x), p);
        q = _mm256_fmadd_ps(_mm256_loadu_ps(y + 8), _mm256_loadu_ps(x + 8), q);
        r = _mm256_fmadd_ps(_mm256_loadu_ps(y + 16), _mm256_loadu_ps(x + 16), r);
        s = _mm256_fmadd_ps(_mm256_loadu_ps(y + 24), _mm256_loadu_ps(x + 24), s);
    }
    _mm256_storeu_ps(sum, _mm256_add_ps(_mm256_add_ps(p, q), _mm256_add_ps(r, s)));
}
#endif

/* ---- lists ----------------------------------------------------------------------------------- */

/* Puts the product of place y of y, place x of x and a tap into the list of its sum. */
static void nn__small_put(nn__small *s, nn__small_way way, int y, int x, int tap) {
    const int sum = way == NN__SMALL_FORWARD ? y : way == NN__SMALL_INPUT ? x : tap;
    nn__small_pair *pair = s->pair + sum * s->most + s->count[sum]++;
    pair->a = (uint16_t)(way == NN__SMALL_WEIGHT ? y * NN__SMALL_STEP : tap * 8);
    pair->b = (uint16_t)((way == NN__SMALL_INPUT ? y : x) * NN__SMALL_STEP);
}

static void nn__small_fill(nn__small *s, const nn_conv2d_args *g, nn__small_way way) {
    const nn_conv2d_params *p = &g->params;
    const int32_t *x = g->x.shape.extent, *y = g->y.shape.extent;
    memset(s->count, 0, (size_t)s->sums * sizeof *s->count);
    for (int u = 0; u < y[2]; u++)
        for (int i = 0; i < p->kernel_h; i++) {
            const int64_t h = (int64_t)u * p->stride_h - p->padding_h + (int64_t)i * p->dilation_h;
            if (h < 0 || h >= x[2]) continue;
            for (int v = 0; v < y[3]; v++)
                for (int j = 0; j < p->kernel_w; j++) {
                    const int64_t w =
                        (int64_t)v * p->stride_w - p->padding_w + (int64_t)j * p->dilation_w;
                    if (w < 0 || w >= x[3]) continue;
                    nn__small_put(s, way, u * y[3] + v, (int)h * x[3] + (int)w,
                                  i * p->kernel_w + j);
                }
        }
}

/* The sizes of a worker's memory: pairs, counts, then the buffers; returns all of it in bytes. */
static size_t nn__small_sizes(nn__small *s, const nn_conv2d_args *g, nn__small_way way) {
    const bool weights = way == NN__SMALL_WEIGHT;
    size_t result;
    s->x_places = nn__small_places(&g->x);
    s->y_places = nn__small_places(&g->y);
    s->taps = g->params.kernel_h * g->params.kernel_w;
    s->sums = weights ? s->taps : way == NN__SMALL_INPUT ? s->x_places : s->y_places;
    s->most = weights ? s->y_places : s->taps;
    s->pairs = nn__align_up((size_t)s->sums * (size_t)s->most, 16);
    s->counts = nn__align_up((size_t)s->sums, 16);
    s->a_size = weights ? (size_t)s->y_places * NN__SMALL_STEP : (size_t)s->taps * 8;
    s->b_size = (size_t)(way == NN__SMALL_INPUT ? s->y_places : s->x_places) * NN__SMALL_STEP;
    result = weights ? 8 : (size_t)s->sums * NN__SMALL_STEP;
    return (s->pairs + s->counts + s->a_size + s->b_size + result) * sizeof(float);
}

static void nn__small_begin(nn__small *s, const nn__cpu *cpu, const nn_conv2d_args *g,
                            nn__small_way way, void *own) {
    s->gather = nn__small_gather;
    s->scatter = nn__small_scatter;
    s->multiply = nn__small_multiply;
    s->dot = nn__small_dot;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        s->gather = nn__small_gather8;
        s->scatter = nn__small_scatter8;
        s->multiply = nn__small_multiply8;
        s->dot = nn__small_dot8;
    }
#endif
    (void)cpu;
    nn__small_sizes(s, g, way);
    s->pair = (nn__small_pair *)own;
    s->count = (int *)(void *)(s->pair + s->pairs);
    s->a = (float *)(void *)(s->count + s->counts);
    s->b = s->a + s->a_size;
    s->result = s->b + s->b_size;
    nn__small_fill(s, g, way);
}

/* Eight channels of the pictures from n on into a buffer; where a picture is missing, the first one
   stands in its place in a product that nobody reads, or zeros do in one that is added up. */
static void nn__small_take(const nn__small *s, float *to, const nn_view *view, int channel, int n,
                           int places, bool zeros) {
    const int channels = view->shape.extent[1], lanes = nn__mini(8, channels - channel),
              pictures = nn__mini(NN__SMALL_PICTURES, view->shape.extent[0] - n);
    const float *from = nn__f32(view) + ((ptrdiff_t)n * channels + channel) * places;
    if (zeros && pictures < NN__SMALL_PICTURES)
        memset(to, 0, (size_t)places * NN__SMALL_STEP * sizeof(float));
    for (int p = 0; p < (zeros ? pictures : NN__SMALL_PICTURES); p++)
        s->gather(to + 8 * p, NN__SMALL_STEP,
                  from + (ptrdiff_t)(p < pictures ? p : 0) * channels * places, places, lanes);
}

/* ---- forward, and backward_input, which has x and y in each other's places ------------------- */

/* Blocks of a unit: about 64 KB, and enough of them that a list is worth its while. */
static int nn__small_each(const nn_conv2d_args *g) {
    const int places = nn__maxi(nn__small_places(&g->x), nn__small_places(&g->y));
    return nn__maxi(4, 16384 / (NN__SMALL_STEP * places));
}
static int nn__small_blocks(const nn_conv2d_args *g) {
    return nn__ceil_div(g->x.shape.extent[0], NN__SMALL_PICTURES) *
           nn__ceil_div(g->params.groups, 8);
}

NN_PRIVATE int nn__small_units(const nn_conv2d_args *g, int phase) {
    return phase > 0 ? 0 : nn__ceil_div(nn__small_blocks(g), nn__small_each(g));
}

NN_PRIVATE size_t nn__small_own(const nn_conv2d_args *g, bool input) {
    nn__small s;
    return nn__small_sizes(&s, g, input ? NN__SMALL_INPUT : NN__SMALL_FORWARD);
}

NN_PRIVATE void nn__small_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit, bool input,
                               void *own) {
    const nn_view *from = input ? &g->y : &g->x, *to = input ? &g->x : &g->y;
    const int channels = g->params.groups, images = g->x.shape.extent[0],
              eights = nn__ceil_div(channels, 8), each = nn__small_each(g), first = unit * each,
              end = nn__mini(first + each, nn__small_blocks(g));
    const nn__activate activate = cpu->activations[g->epilogue.activation];
    const bool with_bias = nn__present(&g->epilogue.bias);
    float bias[8] = {0};
    nn__small s;
    nn__small_begin(&s, cpu, g, input ? NN__SMALL_INPUT : NN__SMALL_FORWARD, own);
    const int places = input ? s.y_places : s.x_places;
    for (int block = first; block < end; block++) {
        const int channel = block % eights * 8, n = block / eights * NN__SMALL_PICTURES,
                  lanes = nn__mini(8, channels - channel);
        s.gather(s.a, 8, nn__f32(&g->weight) + (ptrdiff_t)channel * s.taps, s.taps, lanes);
        for (int l = 0; with_bias && l < lanes; l++)
            bias[l] = nn__f32(&g->epilogue.bias)[channel + l];
        nn__small_take(&s, s.b, from, channel, n, places, false);
        for (int i = 0; i < s.sums; i++)
            s.multiply(s.result + (ptrdiff_t)i * NN__SMALL_STEP, bias, s.a, s.b,
                       s.pair + i * s.most, s.count[i]);
        if (activate) activate(s.result, s.sums * NN__SMALL_STEP);
        for (int p = 0; p < nn__mini(NN__SMALL_PICTURES, images - n); p++)
            s.scatter(nn__f32(to) + ((ptrdiff_t)(n + p) * channels + channel) * s.sums,
                      s.result + 8 * p, s.sums, lanes, g->accumulate);
    }
}

/* ---- backward_weight: a unit is a block of channels ------------------------------------------ */

#ifndef NN_NO_TRAINING
NN_PRIVATE int nn__small_weight_units(const nn_conv2d_args *g, int phase) {
    return phase > 0 ? 0 : nn__ceil_div(g->params.groups, 8);
}

NN_PRIVATE size_t nn__small_weight_own(const nn_conv2d_args *g) {
    nn__small s;
    return nn__small_sizes(&s, g, NN__SMALL_WEIGHT);
}

/* Adds the sums of dy's places, of all pictures in the buffer, to sum (8). */
static void nn__small_add_bias(const nn__small *s, double *sum) {
    float part[NN__SMALL_STEP] = {0};
    for (int i = 0; i < s->y_places; i++)
        for (int l = 0; l < NN__SMALL_STEP; l++) part[l] += s->a[i * NN__SMALL_STEP + l];
    for (int l = 0; l < NN__SMALL_STEP; l++) sum[l % 8] += (double)part[l];
}

NN_PRIVATE void nn__small_weight_unit(const nn__cpu *cpu, const nn_conv2d_args *g, int unit,
                                      void *own) {
    const int channel = unit * 8, lanes = nn__mini(8, g->params.groups - channel);
    const bool with_weight = nn__present(&g->weight), with_bias = nn__present(&g->epilogue.bias);
    double sum[(NN__SMALL_TAPS + 1) * 8]; /* (taps and the bias, 8) */
    nn__small s;
    nn__small_begin(&s, cpu, g, NN__SMALL_WEIGHT, own);
    memset(sum, 0, sizeof sum);
    for (int n = 0; n < g->x.shape.extent[0]; n += NN__SMALL_PICTURES) {
        nn__small_take(&s, s.a, &g->y, channel, n, s.y_places, true);
        if (with_weight) nn__small_take(&s, s.b, &g->x, channel, n, s.x_places, true);
        for (int i = 0; with_weight && i < s.taps; i++) {
            s.dot(s.result, s.a, s.b, s.pair + i * s.most, s.count[i]);
            for (int l = 0; l < 8; l++) sum[i * 8 + l] += (double)s.result[l];
        }
        if (with_bias) nn__small_add_bias(&s, sum + s.taps * 8);
    }
    for (int l = 0; l < lanes; l++) {
        float *to = with_weight ? nn__f32(&g->weight) + (ptrdiff_t)(channel + l) * s.taps : NULL;
        for (int i = 0; to && i < s.taps; i++)
            to[i] = (g->accumulate ? to[i] : 0.0f) + (float)sum[i * 8 + l];
        if (!with_bias) continue;
        to = nn__f32(&g->epilogue.bias) + channel + l;
        *to = (g->accumulate ? *to : 0.0f) + (float)sum[s.taps * 8 + l];
    }
}
#endif

#undef NN__SMALL_PICTURES
#undef NN__SMALL_STEP
#undef NN__SMALL_PLACES
#undef NN__SMALL_TAPS
#undef NN__SMALL_PRODUCTS
#endif

typedef int nn__conv2d_depthwise_small_part; /* a part must not be empty under NN_NO_SIMD */
