/* kernels/update/vector.h - the loops of SGD and Adam, for every instruction set. No product is
   fused with a sum, so all sets give the same bytes. */
#ifndef NN__SET
#define NN__BODY "kernels/update/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_WIDE) /* NN__OF_NARROW */
#include "cpu/vector.h"
#include "kernels/update/cpu.h"

#ifndef NN_NO_TRAINING
/* Returns the gradient of a vector of parameters, with weight decay. Without decay the product is
   skipped, because 0 * infinity would be NaN. */
NN__OP NN__F32 NN__(update_gradient)(NN__F32 gradient, NN__F32 parameter, NN__F32 scale,
                                     NN__F32 decay, bool decays) {
    const NN__F32 g = NN__(mul)(gradient, scale);
    return decays ? NN__(add)(g, NN__(mul)(decay, parameter)) : g;
}

/* SGD without momentum, four vectors at a time: all are read before one is written, so that no load
   waits for the cache line of a store. Returns the number of parameters done. */
static int NN__(update_steps)(const nn__update_numbers *k, float *p, const float *gradient, int n) {
    const NN__F32 scale = NN__(all)(k->scale), decay = NN__(all)(k->decay),
                  rate = NN__(all)(k->rate);
    const bool decays = k->decay != 0.0f;
    int i = 0;
    for (; i + 4 * NN__LANES <= n; i += 4 * NN__LANES) {
        const float *from = gradient + i;
        float *to = p + i;
        const NN__F32 a = NN__(load)(to), b = NN__(load)(to + NN__LANES),
                      c = NN__(load)(to + 2 * NN__LANES), d = NN__(load)(to + 3 * NN__LANES);
        NN__F32 e = NN__(load)(from), f = NN__(load)(from + NN__LANES),
                g = NN__(load)(from + 2 * NN__LANES), h = NN__(load)(from + 3 * NN__LANES);
        e = NN__(update_gradient)(e, a, scale, decay, decays);
        f = NN__(update_gradient)(f, b, scale, decay, decays);
        g = NN__(update_gradient)(g, c, scale, decay, decays);
        h = NN__(update_gradient)(h, d, scale, decay, decays);
        NN__(store)(to, NN__(sub)(a, NN__(mul)(rate, e)));
        NN__(store)(to + NN__LANES, NN__(sub)(b, NN__(mul)(rate, f)));
        NN__(store)(to + 2 * NN__LANES, NN__(sub)(c, NN__(mul)(rate, g)));
        NN__(store)(to + 3 * NN__LANES, NN__(sub)(d, NN__(mul)(rate, h)));
    }
    return i;
}

static void NN__(update_momentum)(const nn__update_numbers *k, float *p, const float *gradient,
                                  float *moment, int n) {
    const NN__F32 scale = NN__(all)(k->scale), decay = NN__(all)(k->decay),
                  rate = NN__(all)(k->rate), momentum = NN__(all)(k->momentum),
                  keep = NN__(all)(k->keep);
    const bool decays = k->decay != 0.0f, first = k->first, nesterov = k->nesterov;
    for (int i = 0; i < n; i += NN__LANES) {
        const int left = n - i;
        const NN__F32 value = NN__(load_up_to)(p + i, left, 0.0f);
        NN__F32 g = NN__(load_up_to)(gradient + i, left, 0.0f), m;
        g = NN__(update_gradient)(g, value, scale, decay, decays);
        m = g;
        if (!first) {
            m = NN__(mul)(NN__(load_up_to)(moment + i, left, 0.0f), momentum);
            m = NN__(add)(m, NN__(mul)(keep, g));
        }
        NN__(store_up_to)(moment + i, left, m);
        g = nesterov ? NN__(add)(g, NN__(mul)(momentum, m)) : m;
        NN__(store_up_to)(p + i, left, NN__(sub)(value, NN__(mul)(rate, g)));
    }
}

static void NN__(update_sgd)(const nn__update_numbers *k, float *p, const float *gradient,
                             float *moment, int n) {
    if (moment) {
        NN__(update_momentum)(k, p, gradient, moment, n);
        return;
    }
    const NN__F32 scale = NN__(all)(k->scale), decay = NN__(all)(k->decay),
                  rate = NN__(all)(k->rate);
    const bool decays = k->decay != 0.0f;
    for (int i = NN__(update_steps)(k, p, gradient, n); i < n; i += NN__LANES) {
        const NN__F32 value = NN__(load_up_to)(p + i, n - i, 0.0f);
        NN__F32 g = NN__(load_up_to)(gradient + i, n - i, 0.0f);
        g = NN__(update_gradient)(g, value, scale, decay, decays);
        NN__(store_up_to)(p + i, n - i, NN__(sub)(value, NN__(mul)(rate, g)));
    }
}

/* Sets a subnormal moment to 0 where it changes no parameter. Otherwise the moments of weights
   whose gradient has become 0 stay subnormal, which takes processors ten times as long. */
NN__OP NN__F32 NN__(update_moment)(NN__F32 moment, NN__F32 least) {
    return NN__(drop)(NN__(less)(NN__(abs)(moment), least), moment);
}

/* The numbers of a step in every lane. */
struct NN__(update_lanes) {
    NN__F32 scale, decay, rate, shrink, beta1, rest1, beta2, rest2, epsilon, least;
};

/* Updates `left` numbers, or a vector of them. */
NN__INLINE void NN__(update_adam_some)(const struct NN__(update_lanes) *k, float *p,
                                       const float *gradient, float *moment1, float *moment2,
                                       const int left, const bool decays) {
    const NN__F32 value = NN__(load_up_to)(p, left, 0.0f);
    NN__F32 g = NN__(load_up_to)(gradient, left, 0.0f), m = NN__(load_up_to)(moment1, left, 0.0f),
            v = NN__(load_up_to)(moment2, left, 0.0f);
    g = NN__(update_gradient)(g, value, k->scale, k->decay, decays);
    m = NN__(add)(NN__(mul)(m, k->beta1), NN__(mul)(k->rest1, g));
    v = NN__(add)(NN__(mul)(v, k->beta2), NN__(mul)(k->rest2, NN__(mul)(g, g)));
    m = NN__(update_moment)(m, k->least);
    v = NN__(update_moment)(v, k->least);
    NN__(store_up_to)(moment1, left, m);
    NN__(store_up_to)(moment2, left, v);
    const NN__F32 below = NN__(add)(NN__(sqrt)(v), k->epsilon);
    const NN__F32 change = NN__(div)(NN__(mul)(k->rate, m), below);
    NN__(store_up_to)(p, left, NN__(sub)(NN__(mul)(value, k->shrink), change));
}

static void NN__(update_adam)(const nn__update_numbers *k, float *p, const float *gradient,
                              float *moment1, float *moment2, int n) {
    const bool decays = k->decay != 0.0f;
    struct NN__(update_lanes) all;
    int i = 0;
    all.scale = NN__(all)(k->scale), all.decay = NN__(all)(k->decay);
    all.rate = NN__(all)(k->rate), all.shrink = NN__(all)(k->shrink);
    all.beta1 = NN__(all)(k->beta1), all.rest1 = NN__(all)(k->rest1);
    all.beta2 = NN__(all)(k->beta2), all.rest2 = NN__(all)(k->rest2);
    all.epsilon = NN__(all)(k->epsilon), all.least = NN__(all)(k->least);
    for (; i + NN__LANES <= n; i += NN__LANES)
        NN__(update_adam_some)(&all, p + i, gradient + i, moment1 + i, moment2 + i, NN__LANES,
                               decays);
    if (i < n)
        NN__(update_adam_some)(&all, p + i, gradient + i, moment1 + i, moment2 + i, n - i, decays);
}

static double NN__(update_squares)(const float *x, int n) { return NN__(row_squares)(x, n); }

static const nn__update_loops NN__(update_loops) = {NN__(update_sgd), NN__(update_adam),
                                                    NN__(update_squares)};
#endif
#endif
