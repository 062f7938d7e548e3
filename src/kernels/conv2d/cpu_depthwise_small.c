/* kernels/conv2d/cpu_depthwise_small.c - depthwise convolutions of small planes, and their
   gradients. In planes of 2 x 2 or 4 x 4 a row is shorter than a vector, and the bands of
   kernels/conv2d/cpu_depthwise.c would be zeros for the most part. Here a vector has one place of
   eight channels: planes are transposed into a buffer (places, 4 pictures, 8 channels), and each
   sum runs over a list of the products that it has. Strides, dilations and what lies in the padding
   are in the lists alone, which are made once for a unit. It serves machines without the vectors of
   x86, which have kernels/conv2d/cpu_depthwise_flat.c and bands that are fast enough for the rest.

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
NN_PRIVATE bool nn__depthwise_small(const nn__cpu *cpu, const nn_conv2d_args *g) {
    const int x = nn__small_places(&g->x), y = nn__small_places(&g->y),
              taps = g->params.kernel_h * g->params.kernel_w;
    const bool full = g->x.shape.extent[0] >= NN__SMALL_PICTURES && g->params.groups >= 8;
    const bool strided = g->params.stride_h > 1 || g->params.stride_w > 1;
    if (nn__vectors(cpu)) return false;
    if (g->y.shape.extent[1] != g->params.groups || x < 1 || y < 1) return false;
    if (taps > NN__SMALL_TAPS || y * taps > NN__SMALL_PRODUCTS) return false;
    return nn__maxi(x, y) <= (full && strided ? NN__SMALL_PLACES : 64);
}

/* ---- vectors of eight channels --------------------------------------------------------------- */

/* to[j * step + lane] = from[lane * plane + j]; lanes beyond the last repeat that one. */
static void nn__small_gather(float *to, int step, const float *from, int plane, int lanes) {
    for (int l = 0; l < 8; l++) {
        const float *x = from + (ptrdiff_t)nn__mini(l, lanes - 1) * plane;
        for (int j = 0; j < plane; j++) to[j * step + l] = x[j];
    }
}

/* The way back, into so many lanes. */
static void nn__small_scatter(float *to, const float *from, int plane, int lanes, bool add) {
    for (int l = 0; l < lanes; l++, to += plane)
        for (int j = 0; j < plane; j++) {
            const float value = from[j * NN__SMALL_STEP + l];
            to[j] = add ? to[j] + value : value;
        }
}

/* sum (4 pictures, 8) = bias + the products of weights (8) and x (4 pictures, 8). */
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

/* sum (8) = the products of a and b, added up over the pictures. */
static void nn__small_dot(float *sum, const float *a, const float *b, const nn__small_pair *pair,
                          int count) {
    float part[NN__SMALL_STEP] = {0};
    for (int i = 0; i < count; i++) {
        const float *y = a + pair[i].a, *x = b + pair[i].b;
        for (int l = 0; l < NN__SMALL_STEP; l++) part[l] += y[l] * x[l];
    }
    for (int l = 0; l < 8; l++) sum[l] = (part[l] + part[8 + l]) + (part[16 + l] + part[24 + l]);
}

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

static void nn__small_begin(nn__small *s, const nn_conv2d_args *g, nn__small_way way, void *own) {
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
static void nn__small_take(float *to, const nn_view *view, int channel, int n, int places,
                           bool zeros) {
    const int channels = view->shape.extent[1], lanes = nn__mini(8, channels - channel),
              pictures = nn__mini(NN__SMALL_PICTURES, view->shape.extent[0] - n);
    const float *from = nn__f32(view) + ((ptrdiff_t)n * channels + channel) * places;
    if (zeros && pictures < NN__SMALL_PICTURES)
        memset(to, 0, (size_t)places * NN__SMALL_STEP * sizeof(float));
    for (int p = 0; p < (zeros ? pictures : NN__SMALL_PICTURES); p++)
        nn__small_gather(to + 8 * p, NN__SMALL_STEP,
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
    nn__small_begin(&s, g, input ? NN__SMALL_INPUT : NN__SMALL_FORWARD, own);
    const int places = input ? s.y_places : s.x_places;
    for (int block = first; block < end; block++) {
        const int channel = block % eights * 8, n = block / eights * NN__SMALL_PICTURES,
                  lanes = nn__mini(8, channels - channel);
        nn__small_gather(s.a, 8, nn__f32(&g->weight) + (ptrdiff_t)channel * s.taps, s.taps, lanes);
        for (int l = 0; with_bias && l < lanes; l++)
            bias[l] = nn__f32(&g->epilogue.bias)[channel + l];
        nn__small_take(s.b, from, channel, n, places, false);
        for (int i = 0; i < s.sums; i++)
            nn__small_multiply(s.result + (ptrdiff_t)i * NN__SMALL_STEP, bias, s.a, s.b,
                       s.pair + i * s.most, s.count[i]);
        if (activate) activate(s.result, s.sums * NN__SMALL_STEP);
        for (int p = 0; p < nn__mini(NN__SMALL_PICTURES, images - n); p++)
            nn__small_scatter(nn__f32(to) + ((ptrdiff_t)(n + p) * channels + channel) * s.sums,
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

NN_PRIVATE void nn__small_weight_unit(const nn_conv2d_args *g, int unit, void *own) {
    const int channel = unit * 8, lanes = nn__mini(8, g->params.groups - channel);
    const bool with_weight = nn__present(&g->weight), with_bias = nn__present(&g->epilogue.bias);
    double sum[(NN__SMALL_TAPS + 1) * 8]; /* (taps and the bias, 8) */
    nn__small s;
    nn__small_begin(&s, g, NN__SMALL_WEIGHT, own);
    memset(sum, 0, sizeof sum);
    for (int n = 0; n < g->x.shape.extent[0]; n += NN__SMALL_PICTURES) {
        nn__small_take(s.a, &g->y, channel, n, s.y_places, true);
        if (with_weight) nn__small_take(s.b, &g->x, channel, n, s.x_places, true);
        for (int i = 0; with_weight && i < s.taps; i++) {
            nn__small_dot(s.result, s.a, s.b, s.pair + i * s.most, s.count[i]);
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
