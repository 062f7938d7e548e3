/* reference.h: what every kernel means, as plain loops in double: the oracle of test_backends.c.

   The definitions are those of PyTorch 1.13. Views hold host pointers. Every function writes the
   expected `value` of each element of an output, and its `scale`: the sum of the absolute terms
   that went into it. A float kernel is right when it is within a few 1e-6 of `scale`. It is never
   fast. Include after "nn.h". */
#ifndef NN_REFERENCE_H
#define NN_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include "halves.h"
#include "test.h"

typedef struct reference_array { /* one output; NULL pointers: absent */
    double *value, *scale;
} reference_array;

/* ---- help ------------------------------------------------------------------------------------ */

static TEST_UNUSED float *view_f32(const nn_view *view) {
    return view->dtype ? (float *)(void *)((char *)view->handle + view->offset) : NULL;
}
static TEST_UNUSED int32_t *view_i32(const nn_view *view) {
    return view->dtype ? (int32_t *)(void *)((char *)view->handle + view->offset) : NULL;
}

static int64_t reference_count(const nn_view *view) {
    int64_t n = 1;
    int i;
    for (i = 0; i < view->shape.rank; i++) n *= view->shape.extent[i];
    return n;
}

static void reference_set(reference_array out, int64_t i, double value, double scale) {
    out.value[i] = value;
    out.scale[i] = scale + fabs(value);
}

/* Adds what was there, for accumulate. */
static void reference_add_old(reference_array out, int64_t i, const nn_view *view,
                              bool accumulate) {
    if (!accumulate) return;
    out.value[i] += (double)view_f32(view)[i];
    out.scale[i] += fabs((double)view_f32(view)[i]);
}

static double reference_sigmoid(double x) {
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}
static double reference_gelu(double x) { return 0.5 * x * (1 + erf(x * 0.70710678118654752440)); }
static double reference_gelu_slope(double x) {
    return 0.5 * (1 + erf(x * 0.70710678118654752440)) +
           x * exp(-0.5 * x * x) * 0.39894228040143267794;
}

static double reference_activate(nn_activation activation, double x) {
    switch (activation) {
        case NN_ACTIVATION_RELU: return x > 0 || x != x ? x : 0;
        case NN_ACTIVATION_SIGMOID: return reference_sigmoid(x);
        case NN_ACTIVATION_TANH: return tanh(x);
        case NN_ACTIVATION_GELU: return reference_gelu(x);
        case NN_ACTIVATION_NONE: case NN_ACTIVATION_COUNT: break;
    }
    return x;
}

/* Uniform number of element i of a random kernel. */
static double reference_uniform(uint64_t seed, uint64_t stream, uint64_t counter, int64_t i) {
    uint32_t words[4];
    nn_random_words(seed, stream, counter + (uint64_t)(i / 4), words);
    return (double)nn_word_to_uniform(words[i % 4]);
}

/* ---- products -------------------------------------------------------------------------------- */

/* Number i of a matrix stored in f32, f16 or bf16. */
static double reference_stored(const nn_view *view, int64_t i) {
    const char *at = (const char *)view->handle + view->offset;
    if (view->dtype == NN_F32) return (double)((const float *)(const void *)at)[i];
    return value_of(view->dtype, ((const uint16_t *)(const void *)at)[i]);
}

/* One product: its matrices stand at these elements of y, a and b. */
static void reference_product(const nn_gemm_args *g, int64_t y_at, int64_t a_at, int64_t b_at,
                              reference_array y) {
    const float *bias = view_f32(&g->epilogue.bias);
    int64_t i, j, l, m = g->m, n = g->n, k = g->k;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            int64_t to = y_at + i * n + j;
            double sum = 0, scale = 0;
            for (l = 0; l < k; l++) {
                double product =
                    reference_stored(&g->a, a_at + (g->transpose_a ? l * m + i : i * k + l)) *
                    reference_stored(&g->b, b_at + (g->transpose_b ? j * k + l : l * n + j));
                sum += product;
                scale += fabs(product);
            }
            if (g->accumulate) {
                sum += (double)view_f32(&g->y)[to];
                scale += fabs((double)view_f32(&g->y)[to]);
            }
            if (bias) {
                sum += (double)bias[j];
                scale += fabs((double)bias[j]);
            }
            reference_set(y, to, reference_activate(g->epilogue.activation, sum), scale);
        }
}

static TEST_UNUSED void reference_gemm(const nn_gemm_args *g, reference_array y) {
    int64_t e[4], at[4], i, y_at = 0, m = g->m, n = g->n, k = g->k;
    for (i = 0; i < 4; i++) e[i] = g->batch[i] > 0 ? g->batch[i] : 1;
    for (at[0] = 0; at[0] < e[0]; at[0]++)
        for (at[1] = 0; at[1] < e[1]; at[1]++)
            for (at[2] = 0; at[2] < e[2]; at[2]++)
                for (at[3] = 0; at[3] < e[3]; at[3]++, y_at += m * n) {
                    int64_t a = 0, b = 0;
                    for (i = 0; i < 4; i++) {
                        a += at[i] * g->a_batch[i];
                        b += at[i] * g->b_batch[i];
                    }
                    reference_product(g, y_at, a * m * k, b * k * n, y);
                }
}

/* ---- convolution: one loop nest, told what to do with each (y, x, weight) triple ------------- */

typedef enum reference_conv_way {
    REFERENCE_FORWARD,
    REFERENCE_INPUT,
    REFERENCE_WEIGHT
} reference_conv_way;

static void reference_conv2d_loops(const nn_conv2d_args *c, reference_conv_way way,
                                   reference_array out) {
    const float *y = view_f32(&c->y), *x = view_f32(&c->x), *w = view_f32(&c->weight);
    const nn_conv2d_params *p = &c->params;
    const int32_t *xs = c->x.shape.extent, *ys = c->y.shape.extent;
    int64_t N = xs[0], C = xs[1], H = xs[2], W = xs[3], K = ys[1], OH = ys[2], OW = ys[3];
    int64_t R = p->kernel_h, S = p->kernel_w, G = p->groups, CG = C / G, KG = K / G, n, k, oh, ow,
            cg, r, s;
    for (n = 0; n < N; n++)
    for (k = 0; k < K; k++)
    for (oh = 0; oh < OH; oh++)
    for (ow = 0; ow < OW; ow++)
    for (cg = 0; cg < CG; cg++)
    for (r = 0; r < R; r++)
    for (s = 0; s < S; s++) {
        int64_t h = oh * p->stride_h - p->padding_h + r * p->dilation_h;
        int64_t v = ow * p->stride_w - p->padding_w + s * p->dilation_w;
        int64_t yi = ((n * K + k) * OH + oh) * OW + ow,
                xi = ((n * C + k / KG * CG + cg) * H + h) * W + v;
        int64_t wi = ((k * CG + cg) * R + r) * S + s, to;
        double product;
        if (h < 0 || h >= H || v < 0 || v >= W) continue; /* zeros outside */
        if (way == REFERENCE_FORWARD) { product = (double)x[xi] * (double)w[wi]; to = yi; }
        else if (way == REFERENCE_INPUT) { product = (double)y[yi] * (double)w[wi]; to = xi; }
        else { product = (double)y[yi] * (double)x[xi]; to = wi; }
        out.value[to] += product;
        out.scale[to] += fabs(product);
    }
}

static void reference_clear(reference_array out, const nn_view *view, bool accumulate) {
    int64_t i, count = reference_count(view);
    for (i = 0; i < count; i++) {
        out.value[i] = out.scale[i] = 0;
        reference_add_old(out, i, view, accumulate);
    }
}

static TEST_UNUSED void reference_conv2d_forward(const nn_conv2d_args *c, reference_array y) {
    const float *bias = view_f32(&c->epilogue.bias);
    int64_t i, count = reference_count(&c->y),
               plane = (int64_t)c->y.shape.extent[2] * c->y.shape.extent[3];
    reference_clear(y, &c->y, false);
    reference_conv2d_loops(c, REFERENCE_FORWARD, y);
    for (i = 0; i < count; i++) {
        double b = bias ? (double)bias[i / plane % c->y.shape.extent[1]] : 0;
        reference_set(y, i, reference_activate(c->epilogue.activation, y.value[i] + b),
                      y.scale[i] + fabs(b));
    }
}

static TEST_UNUSED void reference_conv2d_backward_input(const nn_conv2d_args *c,
                                                        reference_array dx) {
    reference_clear(dx, &c->x, c->accumulate);
    reference_conv2d_loops(c, REFERENCE_INPUT, dx);
}

static TEST_UNUSED void reference_conv2d_backward_weight(const nn_conv2d_args *c,
                                                         reference_array dweight,
                                                         reference_array dbias) {
    if (c->weight.dtype) {
        reference_clear(dweight, &c->weight, c->accumulate);
        reference_conv2d_loops(c, REFERENCE_WEIGHT, dweight);
    }
    if (c->epilogue.bias.dtype) {
        const float *dy = view_f32(&c->y);
        int64_t i, count = reference_count(&c->y),
                   plane = (int64_t)c->y.shape.extent[2] * c->y.shape.extent[3];
        reference_clear(dbias, &c->epilogue.bias, c->accumulate);
        for (i = 0; i < count; i++) {
            dbias.value[i / plane % c->y.shape.extent[1]] += (double)dy[i];
            dbias.scale[i / plane % c->y.shape.extent[1]] += fabs((double)dy[i]);
        }
    }
}

/* ---- pools ----------------------------------------------------------------------------------- */

typedef struct reference_window {
    int64_t h0, h1, w0, w1, divisor;
} reference_window; /* inside the image */

static reference_window reference_pool_window(const nn_pool2d_args *p, int64_t oh, int64_t ow) {
    int64_t H = p->x.shape.extent[2], W = p->x.shape.extent[3];
    int64_t h = oh * p->stride_h - p->padding_h, w = ow * p->stride_w - p->padding_w;
    int64_t h1 = h + p->kernel_h, w1 = w + p->kernel_w;
    reference_window window;
    if (h1 > H + p->padding_h)
        h1 = H + p->padding_h; /* ceil mode: beyond the padding nothing counts */
    if (w1 > W + p->padding_w) w1 = W + p->padding_w;
    window.divisor = (h1 - h) * (w1 - w);
    window.h0 = h < 0 ? 0 : h;
    window.w0 = w < 0 ? 0 : w;
    window.h1 = h1 > H ? H : h1;
    window.w1 = w1 > W ? W : w1;
    if (p->count_only_inside) window.divisor = (window.h1 - window.h0) * (window.w1 - window.w0);
    return window;
}

static TEST_UNUSED void reference_pool2d_forward(const nn_pool2d_args *p, reference_array y,
                                                 reference_array index) {
    const float *x = view_f32(&p->x);
    int64_t planes = (int64_t)p->x.shape.extent[0] * p->x.shape.extent[1], H = p->x.shape.extent[2],
            W = p->x.shape.extent[3];
    int64_t OH = p->y.shape.extent[2], OW = p->y.shape.extent[3], plane, oh, ow, h, w;
    for (plane = 0; plane < planes; plane++)
    for (oh = 0; oh < OH; oh++)
    for (ow = 0; ow < OW; ow++) {
        reference_window window = reference_pool_window(p, oh, ow);
        int64_t i = (plane * OH + oh) * OW + ow, best = window.h0 * W + window.w0;
        double maximum = -INFINITY, sum = 0, scale = 0;
        for (h = window.h0; h < window.h1; h++)
            for (w = window.w0; w < window.w1; w++) {
                double v = (double)x[(plane * H + h) * W + w];
                sum += v;
                scale += fabs(v);
                if (v > maximum || v != v) { maximum = v; best = h * W + w; }
            }
        if (p->kind == NN_POOL_AVERAGE)
            reference_set(y, i, sum / (double)window.divisor, scale / (double)window.divisor);
        else {
            y.value[i] = maximum; /* exactly */
            y.scale[i] = 0;
            if (p->index.dtype) { index.value[i] = (double)best; index.scale[i] = 0; }
        }
    }
}

static TEST_UNUSED void reference_pool2d_backward(const nn_pool2d_args *p, reference_array dx) {
    const float *dy = view_f32(&p->y);
    const int32_t *index = view_i32(&p->index);
    int64_t planes = (int64_t)p->x.shape.extent[0] * p->x.shape.extent[1], H = p->x.shape.extent[2],
            W = p->x.shape.extent[3];
    int64_t OH = p->y.shape.extent[2], OW = p->y.shape.extent[3], plane, oh, ow, h, w;
    reference_clear(dx, &p->x, p->accumulate);
    for (plane = 0; plane < planes; plane++)
    for (oh = 0; oh < OH; oh++)
    for (ow = 0; ow < OW; ow++) {
        reference_window window = reference_pool_window(p, oh, ow);
        int64_t i = (plane * OH + oh) * OW + ow;
        double d = (double)dy[i];
        if (p->kind == NN_POOL_MAX) {
            if (index[i] < 0 || index[i] >= H * W) continue; /* outside of its plane: left out */
            dx.value[plane * H * W + index[i]] += d;
            dx.scale[plane * H * W + index[i]] += fabs(d);
            continue;
        }
        for (h = window.h0; h < window.h1; h++)
            for (w = window.w0; w < window.w1; w++) {
                dx.value[(plane * H + h) * W + w] += d / (double)window.divisor;
                dx.scale[(plane * H + h) * W + w] += fabs(d) / (double)window.divisor;
            }
    }
}

/* ---- pointwise ------------------------------------------------------------------------------- */

static bool reference_keeps(const nn_pointwise_args *p, int64_t i) {
    return reference_uniform(p->seed, p->stream, p->counter, i) >= (double)p->scalar;
}

static double reference_pointwise_value(const nn_pointwise_args *p, double a, double b, int64_t i,
                                        double *scale) {
    double s = (double)p->scalar;
    *scale = 0;
    switch (p->op) {
        case NN_COPY: return a;
        case NN_RELU: return a > 0 || a != a ? a : 0;
        case NN_SIGMOID: return reference_sigmoid(a);
        case NN_TANH: return tanh(a);
        case NN_GELU: *scale = fabs(a); return reference_gelu(a);
        case NN_LEAKY_RELU: return a > 0 ? a : s * a;
        case NN_EXP: *scale = fabs(a) * exp(a); return exp(a);
        case NN_LOG: *scale = 1; return log(a);
        case NN_SQRT: return sqrt(a);
        case NN_SQUARE: return a * a;
        case NN_ABS: return fabs(a);
        case NN_NEGATE: return -a;
        case NN_SOFTPLUS: return (a > 0 ? a : 0) + log1p(exp(-fabs(a)));
        case NN_SCALE: return a * s;
        case NN_OFFSET: *scale = fabs(a) + fabs(s); return a + s;
        case NN_DROPOUT: return reference_keeps(p, i) ? a / (1 - s) : 0;
        case NN_ADD: *scale = fabs(a) + fabs(b); return a + b;
        case NN_SUBTRACT: *scale = fabs(a) + fabs(b); return a - b;
        case NN_MULTIPLY: return a * b;
        case NN_DIVIDE: return a / b;
        case NN_MAXIMUM: return a != a || b != b ? NAN : a > b ? a : b;
        case NN_MINIMUM: return a != a || b != b ? NAN : a < b ? a : b;
        case NN_EQUAL: return a == b ? 1 : 0;
        case NN_POINTWISE_COUNT: break;
    }
    return NAN;
}

/* Element of `view` that meets element i of y: extents of 1 (or absent ones, on the left) are
   repeated. */
static int64_t reference_broadcast(const nn_view *view, const nn_shape *y, int64_t i) {
    int64_t stride = 1, at = 0;
    int axis, own;
    for (axis = y->rank - 1; axis >= 0; axis--) {
        int64_t position = i % y->extent[axis];
        i /= y->extent[axis];
        own = axis - (y->rank - view->shape.rank);
        if (own < 0) continue;
        if (view->shape.extent[own] != 1) at += position * stride;
        stride *= view->shape.extent[own];
    }
    return at;
}

static TEST_UNUSED void reference_pointwise_forward(const nn_pointwise_args *p, reference_array y) {
    const float *a = view_f32(&p->a), *b = view_f32(&p->b);
    int64_t i, count = reference_count(&p->y);
    for (i = 0; i < count; i++) {
        double scale, left = (double)a[reference_broadcast(&p->a, &p->y.shape, i)];
        double right = b && p->op >= NN_BINARY_FIRST_
                           ? (double)b[reference_broadcast(&p->b, &p->y.shape, i)]
                           : 0;
        double value = reference_pointwise_value(p, left, right, i, &scale);
        reference_set(y, i, value, scale);
        reference_add_old(y, i, &p->y, p->accumulate);
    }
}

static TEST_UNUSED void reference_pointwise_backward(const nn_pointwise_args *p,
                                                     reference_array dx) {
    const float *a = view_f32(&p->a), *b = view_f32(&p->b);
    double s = (double)p->scalar;
    int64_t i, count = reference_count(&p->y);
    for (i = 0; i < count; i++) {
        double dy = (double)a[i], v = b ? (double)b[i] : 0, d = 0,
               scale = 0; /* v: y or x, see args.h */
        switch (p->op) {
            case NN_COPY: d = dy; break;
            case NN_RELU: d = v <= 0 ? 0 : dy; break;
            case NN_SIGMOID: d = dy * v * (1 - v); scale = fabs(dy * v); break;
            case NN_TANH: d = dy * (1 - v * v); scale = fabs(dy); break;
            case NN_GELU: d = dy * reference_gelu_slope(v); scale = fabs(dy); break;
            case NN_LEAKY_RELU: d = v > 0 ? dy : s * dy; break;
            case NN_EXP: d = dy * v; break;
            case NN_LOG: d = dy / v; break;
            case NN_SQRT: d = dy / (2 * v); break;
            case NN_SQUARE: d = 2 * v * dy; break;
            case NN_ABS: d = v > 0 ? dy : v < 0 ? -dy : 0; break;
            case NN_NEGATE: d = -dy; break;
            case NN_SOFTPLUS: d = dy * reference_sigmoid(v); break;
            case NN_SCALE: d = dy * s; break;
            case NN_OFFSET: d = dy; break;
            case NN_DROPOUT: d = reference_keeps(p, i) ? dy / (1 - s) : 0; break;
            default: d = NAN; break;
        }
        reference_set(dx, i, d, scale);
        reference_add_old(dx, i, &p->y, p->accumulate);
    }
}

/* ---- reduce, softmax ------------------------------------------------------------------------- */

static TEST_UNUSED void reference_reduce(const nn_reduce_args *r, reference_array y) {
    const float *x = view_f32(&r->x);
    int64_t i, count = reference_count(&r->x), outputs = reference_count(&r->y),
               each = count / outputs;
    for (i = 0; i < outputs; i++) {
        y.value[i] = r->reduction == NN_MAX ? -INFINITY : 0;
        y.scale[i] = 0;
    }
    for (i = 0; i < count; i++) {
        int64_t to = reference_broadcast(&r->y, &r->x.shape, i);
        double v = (double)x[i];
        if (r->reduction == NN_MAX) {
            if (v > y.value[to] || v != v) y.value[to] = v;
        } else {
            y.value[to] += v;
            y.scale[to] += fabs(v);
        }
    }
    for (i = 0; i < outputs; i++) {
        double factor = (double)r->scale;
        if (r->reduction == NN_MEAN || r->reduction == NN_REDUCTION_DEFAULT) factor /= (double)each;
        y.value[i] *= factor;
        y.scale[i] = y.scale[i] * fabs(factor) + fabs(y.value[i]);
        reference_add_old(y, i, &r->y, r->accumulate);
    }
}

/* Is x before `best` for argmax or argmin? NaN comes first, and then nothing does. */
static bool reference_beats(double x, double best, bool smallest) {
    if (x != x) return best == best;
    return smallest ? x < best : x > best;
}

/* One result: x[0 .. n) in their order. */
static void reference_fold_one(const nn_reduce_args *r, const double *x, int64_t n, double *value,
                               double *scale) {
    const nn_reduction op = r->reduction;
    double v = op == NN_MIN                    ? INFINITY
               : op == NN_PROD || op == NN_ALL ? 1
                                               : 0,
           s = 0, largest = -INFINITY, mean = 0;
    int64_t i, best = 0;
    for (i = 0; i < n; i++) {
        mean += x[i] / (double)n;
        if (x[i] > largest) largest = x[i];
        if (reference_beats(x[i], x[best], op == NN_ARGMIN)) best = i;
        if (op == NN_MIN && (x[i] < v || x[i] != x[i])) v = x[i];
        if (op == NN_PROD) v *= x[i];
        if (op == NN_ANY && x[i] != 0) v = 1;
        if (op == NN_ALL && x[i] == 0) v = 0;
        if (op == NN_SUM_OF_SQUARES || op == NN_NORM) v += x[i] * x[i];
    }
    if (fabs(largest) == INFINITY) largest = 0;
    for (i = 0; i < n; i++) {
        if (op == NN_LOGSUMEXP) v += exp(x[i] - largest);
        if (op == NN_VAR || op == NN_STD) v += (x[i] - mean) * (x[i] - mean);
        if (op == NN_VAR || op == NN_STD)
            s += fabs(x[i] - mean) * (fabs(x[i] - mean) + fabs(x[i]) + fabs(mean));
    }
    if (op == NN_VAR || op == NN_STD) {
        double divisor = n > r->correction ? (double)(n - r->correction) : 0;
        v /= divisor, s /= divisor;
    }
    if (op == NN_LOGSUMEXP) v = log(v) + largest, s = fabs(largest) + 1;
    if (op == NN_STD && v > 0) s /= 2 * sqrt(v);
    if (op == NN_STD || op == NN_NORM) v = sqrt(v);
    if (op == NN_ARGMAX || op == NN_ARGMIN) v = (double)best;
    *value = v;
    *scale = s + fabs(v) * (op == NN_PROD ? (double)n : 1);
}

static TEST_UNUSED void reference_fold(const nn_reduce_args *r, reference_array y) {
    const float *x = view_f32(&r->x);
    int64_t i, count = reference_count(&r->x), outputs = reference_count(&r->y),
               each = count / outputs;
    double *own = (double *)malloc(sizeof(double) * (size_t)count);
    int64_t *used = (int64_t *)calloc((size_t)outputs, sizeof(int64_t));
    for (i = 0; i < count; i++) {
        int64_t to = reference_broadcast(&r->y, &r->x.shape, i);
        own[to * each + used[to]++] = (double)x[i];
    }
    for (i = 0; i < outputs; i++) {
        reference_fold_one(r, own + i * each, each, &y.value[i], &y.scale[i]);
        if (r->reduction == NN_ARGMAX || r->reduction == NN_ARGMIN) continue;
        y.value[i] *= (double)r->scale;
        y.scale[i] *= fabs((double)r->scale);
        reference_add_old(y, i, &r->y, r->accumulate);
    }
    free(own);
    free(used);
}

/* log(sum(exp(x))) over `count` numbers `stride` apart. */
static double reference_log_sum(const float *x, int64_t count, int64_t stride) {
    double maximum = -INFINITY, sum = 0;
    int64_t i;
    for (i = 0; i < count; i++)
        if ((double)x[i * stride] > maximum) maximum = (double)x[i * stride];
    for (i = 0; i < count; i++) sum += exp((double)x[i * stride] - maximum);
    return maximum + log(sum);
}

static TEST_UNUSED void reference_softmax_forward(const nn_softmax_args *s, reference_array y) {
    const float *x = view_f32(&s->x);
    int64_t length = s->x.shape.extent[s->x.shape.rank - 1], rows = reference_count(&s->x) / length,
            row, i;
    for (row = 0; row < rows; row++) {
        double total = reference_log_sum(x + row * length, length, 1);
        for (i = 0; i < length; i++) {
            double v = (double)x[row * length + i], logarithm = v - total;
            if (s->logarithm)
                reference_set(y, row * length + i, logarithm, fabs(v) + fabs(total) + 1);
            else
                reference_set(y, row * length + i, exp(logarithm),
                              exp(logarithm) * (1 + fabs(logarithm)));
        }
    }
}

static TEST_UNUSED void reference_softmax_backward(const nn_softmax_args *s, reference_array dx) {
    const float *y = view_f32(&s->y), *dy = view_f32(&s->dy);
    int64_t length = s->y.shape.extent[s->y.shape.rank - 1], rows = reference_count(&s->y) / length,
            row, i;
    for (row = 0; row < rows; row++) {
        double sum = 0, scale = 0;
        for (i = 0; i < length; i++) {
            double term =
                (double)dy[row * length + i] * (s->logarithm ? 1 : (double)y[row * length + i]);
            sum += term;
            scale += fabs(term);
        }
        for (i = 0; i < length; i++) {
            double v = (double)y[row * length + i], d = (double)dy[row * length + i];
            if (s->logarithm)
                reference_set(dx, row * length + i, d - exp(v) * sum,
                              fabs(d) + exp(v) * scale * (1 + fabs(v)));
            else reference_set(dx, row * length + i, v * (d - sum), fabs(v) * (fabs(d) + scale));
        }
    }
}

/* ---- cross entropy, accuracy ----------------------------------------------------------------- */

typedef struct reference_classes {
    int64_t N, C, D;
} reference_classes; /* logits (N, C, D), labels (N, D) */

static reference_classes reference_class_extents(const nn_view *logits) {
    reference_classes e;
    e.N = logits->shape.extent[0];
    e.C = logits->shape.extent[1];
    e.D = reference_count(logits) / (e.N * e.C);
    return e;
}

/* The label of position i, or -1 when it is ignored; *bad when it is out of range and not ignored
   on purpose. */
static int64_t reference_label(const nn_cross_entropy_args *c, int64_t i, int64_t C, bool *bad) {
    int64_t label = view_i32(&c->label)[i];
    if (c->ignore && label == c->ignore_index) return -1;
    if (label >= 0 && label < C) return label;
    *bad = true;
    return -1;
}

/* What mean divides by: the summed weights of the labels that count (PyTorch 1.13: for the smooth
   term, too). */
static double reference_divisor(const nn_cross_entropy_args *c, reference_classes e, bool *bad) {
    const float *weight = view_f32(&c->weight);
    double divisor = 0;
    int64_t i;
    for (i = 0; i < e.N * e.D; i++) {
        int64_t label = reference_label(c, i, e.C, bad);
        if (label >= 0) divisor += weight ? (double)weight[label] : 1;
    }
    return c->reduction == NN_SUM ? 1 : divisor;
}

static double reference_status(const nn_view *status, uint32_t step, nn_fault_code code,
                               bool fault) {
    uint32_t old = (uint32_t)view_i32(status)[0];
    return (double)(int32_t)(old ? old : fault ? (step << 3) | (uint32_t)code : 0);
}

static TEST_UNUSED void reference_cross_entropy_forward(const nn_cross_entropy_args *c,
                                                        reference_array loss,
                                                        reference_array status) {
    const float *x = view_f32(&c->logits), *weight = view_f32(&c->weight);
    reference_classes e = reference_class_extents(&c->logits);
    bool bad = false;
    double divisor = reference_divisor(c, e, &bad), sum = 0, scale = 0,
           smoothing = (double)c->label_smoothing;
    int64_t n, d, k;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            const float *row = x + n * e.C * e.D + d;
            int64_t label = reference_label(c, n * e.D + d, e.C, &bad);
            double total;
            if (label < 0) continue;
            total = reference_log_sum(row, e.C, e.D);
            for (k = 0; k < e.C; k++) {
                double part = smoothing / (double)e.C + (k == label ? 1 - smoothing : 0);
                double term =
                    (weight ? (double)weight[k] : 1) * part * (total - (double)row[k * e.D]);
                if (part == 0) continue;
                sum += term;
                scale += (weight ? fabs((double)weight[k]) : 1) * part *
                         (fabs(total) + fabs((double)row[k * e.D]) + 1);
            }
        }
    /* not as in PyTorch, which stops the program: other devices of the step see the loss only */
    reference_set(loss, 0, bad ? (double)NAN : sum / divisor,
                  divisor != 0 ? scale / fabs(divisor) : 0);
    if (c->status.dtype) {
        status.value[0] = reference_status(&c->status, c->step, NN_FAULT_LABEL, bad);
        status.scale[0] = 0;
    }
}

/* An ignored position has the gradient zero, also when all are ignored and the loss is NaN (as in
   PyTorch). */
static TEST_UNUSED void reference_cross_entropy_backward(const nn_cross_entropy_args *c,
                                                         reference_array dlogits,
                                                         reference_array status) {
    const float *x = view_f32(&c->logits), *weight = view_f32(&c->weight);
    reference_classes e = reference_class_extents(&c->logits);
    bool bad = false;
    double divisor = reference_divisor(c, e, &bad), smoothing = (double)c->label_smoothing;
    double dloss = (double)view_f32(&c->dloss)[0];
    int64_t n, d, k;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            int64_t start = n * e.C * e.D + d, label = reference_label(c, n * e.D + d, e.C, &bad);
            double total = label < 0 ? 0 : reference_log_sum(x + start, e.C, e.D), all = 0;
            for (k = 0; label >= 0 && k < e.C;
                 k++) /* the sum of what each class's logarithm is multiplied by */
                all += (weight ? (double)weight[k] : 1) *
                       (smoothing / (double)e.C + (k == label ? 1 - smoothing : 0));
            for (k = 0; k < e.C; k++) {
                double part, probability;
                if (label < 0) { reference_set(dlogits, start + k * e.D, 0, 0); continue; }
                part = (weight ? (double)weight[k] : 1) *
                       (smoothing / (double)e.C + (k == label ? 1 - smoothing : 0));
                probability = exp((double)x[start + k * e.D] - total);
                reference_set(dlogits, start + k * e.D,
                              dloss / divisor * (probability * all - part),
                              fabs(dloss / divisor) *
                                  (probability * fabs(all) * (1 + fabs(total)) + fabs(part)));
            }
        }
    if (c->status.dtype) {
        status.value[0] = reference_status(&c->status, c->step, NN_FAULT_LABEL, bad);
        status.scale[0] = 0;
    }
}

/* How many classes come before k when a row is sorted downwards; a NaN before every number, equals
   in their order. */
static int64_t reference_rank(const float *row, reference_classes e, int64_t k) {
    int64_t j, before = 0;
    for (j = 0; j < e.C; j++) {
        float a = row[j * e.D], b = row[k * e.D];
        bool larger = a > b || (isnan(a) && !isnan(b)), equal = a == b || (isnan(a) && isnan(b));
        before += larger || (equal && j < k);
    }
    return before;
}

static TEST_UNUSED void reference_accuracy(const nn_accuracy_args *a, reference_array y) {
    reference_classes e = reference_class_extents(&a->logits);
    int64_t n, d, right = 0;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            int64_t label = view_i32(&a->label)[n * e.D + d];
            if (label < 0 || label >= e.C) continue;
            right += reference_rank(view_f32(&a->logits) + n * e.C * e.D + d, e, label) <
                     (a->top > 1 ? a->top : 1);
        }
    reference_set(y, 0, (double)right / (double)(e.N * e.D), 0);
}

static TEST_UNUSED void reference_confusion(const nn_confusion_args *a, reference_array counts) {
    reference_classes e = reference_class_extents(&a->logits);
    int64_t n, d, k;
    for (k = 0; k < e.C * e.C; k++) reference_set(counts, k, (double)view_i32(&a->counts)[k], 0);
    if (a->status.dtype && view_i32(&a->status)[0]) return;
    for (n = 0; n < e.N; n++)
        for (d = 0; d < e.D; d++) {
            int64_t label = view_i32(&a->label)[n * e.D + d];
            for (k = 0; k < e.C; k++)
                if (label >= 0 && label < e.C &&
                    reference_rank(view_f32(&a->logits) + n * e.C * e.D + d, e, k) == 0)
                    counts.value[label * e.C + k]++;
        }
}

/* ---- training -------------------------------------------------------------------------------- */

static TEST_UNUSED void reference_clip(const nn_clip_args *c, reference_array scale,
                                       reference_array norm) {
    double sum = 0, factor;
    int64_t j;
    int i;
    for (i = 0; i < c->count; i++)
        for (j = 0; j < reference_count(&c->items[i].gradient); j++) {
            double g = (double)view_f32(&c->items[i].gradient)[j];
            sum += g * g;
        }
    factor = (double)c->max_norm / (sqrt(sum) + 1e-6);
    reference_set(scale, 0, factor < 1 || factor != factor ? factor : 1, 0);
    if (c->norm.dtype) reference_set(norm, 0, sqrt(sum), 0);
}

/* The number that the user wrote: PyTorch keeps 0.999 in double, and 1 - 0.999f would differ in the
   fifth digit. */
static double reference_decimal(float number) {
    double decimal = floor((double)number * 1e7 + 0.5) / 1e7;
    return (float)decimal == number ? decimal : (double)number;
}

/* Item i; m1 and m2 may be absent. */
static TEST_UNUSED void reference_update_item(const nn_update_args *u, int i, reference_array p,
                                              reference_array m1, reference_array m2) {
    const nn_update_item *item = &u->items[i];
    const float *parameter = view_f32(&item->parameter), *gradient = view_f32(&item->gradient);
    const float *moment1 = view_f32(&item->moment1), *moment2 = view_f32(&item->moment2);
    bool stopped = u->status.dtype && view_i32(&u->status)[0] != 0;
    double factor = u->gradient_scale.dtype ? (double)view_f32(&u->gradient_scale)[0] : 1;
    double lr = reference_decimal(u->learning_rate), decay = reference_decimal(u->weight_decay);
    double b1 = reference_decimal(u->beta1), b2 = reference_decimal(u->beta2);
    int64_t j;
    for (j = 0; j < reference_count(&item->parameter); j++) {
        double w = (double)parameter[j], g = (double)gradient[j] * factor, step, scale;
        if (stopped) {
            p.value[j] = w; p.scale[j] = 0;
            if (moment1) { m1.value[j] = (double)moment1[j]; m1.scale[j] = 0; }
            if (moment2) { m2.value[j] = (double)moment2[j]; m2.scale[j] = 0; }
            continue;
        }
        scale = fabs(w) + fabs(g);
        if (u->optimizer == NN_ADAMW) w *= 1 - lr * decay;
        else if (decay != 0) g += decay * w; /* not 0 * infinity */
        if (u->optimizer == NN_ADAM || u->optimizer == NN_ADAMW) {
            double m = b1 * (double)moment1[j] + (1 - b1) * g,
                   v = b2 * (double)moment2[j] + (1 - b2) * g * g;
            double unit = 1 / (1 - pow(b1, (double)u->step));
            double root = sqrt(v) / sqrt(1 - pow(b2, (double)u->step)) + (double)u->epsilon;
            step = lr * unit * m / root;
            /* m may be a difference of near equals: its error, divided by root, is part of the
               scale */
            scale += lr * unit *
                     (b1 * fabs((double)moment1[j]) +
                      (1 - b1) * (fabs(g) + (decay != 0 ? fabs(decay * w) : 0))) /
                     root;
            reference_set(m1, j, m,
                          fabs((double)moment1[j]) + fabs(g) + (decay != 0 ? fabs(decay * w) : 0));
            reference_set(m2, j, v, 0);
        } else {
            if (moment1) {
                double m = u->step == 1 ? g
                                        : (double)u->momentum * (double)moment1[j] +
                                              (1 - (double)u->dampening) * g;
                reference_set(m1, j, m, fabs((double)u->momentum * (double)moment1[j]) + fabs(g));
                g = u->nesterov ? g + (double)u->momentum * m : m;
            }
            step = lr * g;
        }
        reference_set(p, j, w - step, scale + fabs(step));
    }
}

static TEST_UNUSED void reference_accumulate(const nn_accumulate_args *a, reference_array total,
                                             reference_array status) {
    double value = (double)view_f32(&a->value)[0], weight = (double)a->weight, word = 0;
    if (a->status.dtype) {
        word = reference_status(&a->status, a->step, NN_FAULT_LOSS,
                                a->check && !(fabs(value) < INFINITY));
        status.value[0] = word;
        status.scale[0] = 0;
    }
    if (!a->total.dtype) return;
    total.value[0] = (double)view_f32(&a->total)[0];
    total.value[1] = (double)view_f32(&a->total)[1];
    total.scale[0] = total.scale[1] = 0;
    if (word != 0) return;
    total.scale[0] = fabs(total.value[0]) + fabs(value * weight);
    total.scale[1] = fabs(total.value[1]) + fabs(weight);
    total.value[0] += value * weight;
    total.value[1] += weight;
}

static TEST_UNUSED void reference_random(const nn_random_args *r, reference_array y) {
    int64_t i;
    for (i = 0; i < reference_count(&r->y); i++)
        reference_set(y, i,
                      (double)r->low + ((double)r->high - (double)r->low) *
                                           reference_uniform(r->seed, r->stream, r->counter, i),
                      fabs((double)r->low) + fabs((double)r->high));
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Element i of a view as a number. */
static double reference_number(const nn_view *view, int64_t i) {
    const char *first = (const char *)view->handle + view->offset;
    switch (view->dtype) {
        case NN_U8: return (double)((const uint8_t *)first)[i];
        case NN_I32: return (double)((const int32_t *)(const void *)first)[i];
        default: return (double)((const float *)(const void *)first)[i];
    }
}

static TEST_UNUSED void reference_gather(const nn_gather_args *g, reference_array y) {
    int64_t i, j, row = reference_count(&g->y) / g->y.shape.extent[0];
    for (i = 0; i < g->y.shape.extent[0]; i++) {
        int32_t from = view_i32(&g->index)[i];
        bool there = from >= 0 && from < g->x.shape.extent[0];
        for (j = 0; j < row; j++) {
            y.value[i * row + j] = there ? reference_number(&g->x, from * row + j) : 0;
            y.scale[i * row + j] = 0;
        }
    }
}

static double reference_clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
static int64_t reference_whole(float value) {
    return value > -1e9f && value < 1e9f ? (int64_t)value : 1 << 30;
}

static double reference_bright(const nn_augment_args *a, int64_t n, int64_t i) {
    double v = reference_number(&a->x, i) * (double)a->scale + (double)a->offset;
    double factor = (double)view_f32(&a->table)[n * NN_AUGMENT_COLUMNS + NN_AUGMENT_BRIGHTNESS];
    return factor != 1 ? reference_clamp(v * factor) : v;
}

/* The mean of sample n's grey pixels after brightness. */
static double reference_grey(const nn_augment_args *a, int64_t n) {
    int64_t c, i, C = a->x.shape.extent[1],
                  plane = (int64_t)a->x.shape.extent[2] * a->x.shape.extent[3];
    double sum = 0;
    for (c = 0; c < C; c++)
        for (i = 0; i < plane; i++)
            sum += reference_bright(a, n, (n * C + c) * plane + i) *
                   (C != 3 ? 1.0 / (double)C : c == 0 ? 0.2989 : c == 1 ? 0.587 : 0.114);
    return sum / (double)plane;
}

/* Pixel (h, w) of the crop, 0 outside. */
static double reference_crop(const nn_augment_args *a, double grey, int64_t n, int64_t c, int64_t h,
                             int64_t w) {
    const float *row = view_f32(&a->table) + n * NN_AUGMENT_COLUMNS;
    int64_t C = a->x.shape.extent[1], H = a->x.shape.extent[2], W = a->x.shape.extent[3],
            OW = a->y.shape.extent[3];
    double v, factor = (double)row[NN_AUGMENT_CONTRAST];
    if (h < 0 || h >= a->y.shape.extent[2] || w < 0 || w >= OW) return 0;
    if (row[NN_AUGMENT_FLIP] == 1.0f) w = OW - 1 - w;
    h += reference_whole(row[NN_AUGMENT_TOP]);
    w += reference_whole(row[NN_AUGMENT_LEFT]);
    if (h < 0 || h >= H || w < 0 || w >= W) return 0;
    v = reference_bright(a, n, ((n * C + c) * H + h) * W + w);
    return a->contrast && factor != 1 ? reference_clamp(v * factor + grey * (1 - factor)) : v;
}

/* Positions are f32 by definition, in this order; the rest is double. */
static double reference_augmented(const nn_augment_args *a, double grey, int64_t n, int64_t c,
                                  int64_t h, int64_t w) {
    const float *row = view_f32(&a->table) + n * NN_AUGMENT_COLUMNS, *m = row + NN_AUGMENT_MATRIX;
    int64_t OH = a->y.shape.extent[2], OW = a->y.shape.extent[3], C = a->x.shape.extent[1];
    float cx = (float)(OW - 1) / 2, cy = (float)(OH - 1) / 2, p = (float)w - cx, q = (float)h - cy;
    volatile float x0 = m[0] * p, x1 = m[1] * q, y0 = m[3] * p, y1 = m[4] * q, x2 = m[2] + cx,
                   y2 = m[5] + cy;
    volatile float x3 = x0 + x1, y3 = y0 + y1;
    volatile float x = x3 + x2, y = y3 + y2;
    double mean = c < 4 ? (double)a->mean[c] : 0, std = c < 4 ? (double)a->std[c] : 1, v = 0;
    if (h >= reference_whole(row[NN_AUGMENT_CUT_TOP]) &&
        h < reference_whole(row[NN_AUGMENT_CUT_BOTTOM]) &&
        w >= reference_whole(row[NN_AUGMENT_CUT_LEFT]) &&
        w < reference_whole(row[NN_AUGMENT_CUT_RIGHT]))
        return (double)a->fill;
    if (x > -1 && x < (float)OW && y > -1 && y < (float)OH) {
        int64_t i = (int64_t)floor((double)y), j = (int64_t)floor((double)x);
        double below = (double)y - (double)i, right = (double)x - (double)j;
        v = (1 - below) * ((1 - right) * reference_crop(a, grey, n, c, i, j) +
                           right * reference_crop(a, grey, n, c, i, j + 1)) +
            below * ((1 - right) * reference_crop(a, grey, n, c, i + 1, j) +
                     right * reference_crop(a, grey, n, c, i + 1, j + 1));
    }
    if (a->normalize.dtype) {
        mean = (double)view_f32(&a->normalize)[c];
        std = (double)view_f32(&a->normalize)[C + c];
    }
    return (v - mean) / std;
}

static TEST_UNUSED void reference_augment(const nn_augment_args *a, reference_array y) {
    int64_t n, c, h, w, i = 0, N = a->x.shape.extent[0], count = reference_count(&a->y);
    bool pictures = a->x.shape.rank == 4;
    int64_t C = pictures ? a->x.shape.extent[1] : 1, plane = pictures ? count / N / C : count;
    double *grey;
    for (; i < count && !a->table.dtype; i++) { /* a conversion */
        double v = reference_number(&a->x, i) * (double)a->scale + (double)a->offset;
        c = i / plane % C;
        if (a->y.dtype == NN_I32)
            v = fabs(v) < 2147483648.0 ? floor(fabs(v) + 0.5) * (v < 0 ? -1 : 1) : INT32_MIN;
        else if (a->normalize.dtype)
            v = (v - (double)view_f32(&a->normalize)[c]) / (double)view_f32(&a->normalize)[C + c];
        else if (c < 4) v = (v - (double)a->mean[c]) / (double)a->std[c];
        reference_set(y, i, v, 1);
    }
    if (!a->table.dtype) return;
    grey = (double *)calloc((size_t)N, sizeof *grey);
    for (n = 0; n < N && a->contrast; n++) grey[n] = reference_grey(a, n);
    for (n = 0; n < N; n++)
        for (c = 0; c < C; c++)
            for (h = 0; h < a->y.shape.extent[2]; h++)
                for (w = 0; w < a->y.shape.extent[3]; w++, i++) {
                    const float *row = view_f32(&a->table) + n * NN_AUGMENT_COLUMNS;
                    double lambda = (double)row[NN_AUGMENT_LAMBDA];
                    int64_t other = reference_whole(row[NN_AUGMENT_PARTNER]);
                    double v = reference_augmented(a, grey[n], n, c, h, w);
                    if (other < 0 || other >= N) other = n;
                    if (lambda != 1)
                        v = lambda * v +
                            (1 - lambda) * reference_augmented(a, grey[other], other, c, h, w);
                    reference_set(y, i, v, 1);
                }
    free(grey);
}

#endif /* NN_REFERENCE_H */
