/* kernels/recurrent_whole/vector.h - all steps of one sample of lstm, gru and rnn, with the product
   of the inputs before and a linear layer after, for every instruction set. Each sum is two chains
   of fused products, of the even and the odd numbers of the state: a step waits for the one before
   it, so the length of its chains determines its time. */
#ifndef NN__SET
#define NN__BODY "kernels/recurrent_whole/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/recurrent_whole/cpu.h"

/* Loads the states before the first step. */
NN__OP void NN__(whole_begin)(float *to, const float *from, int H) {
    for (int k = 0; k < H; k += NN__LANES)
        NN__(store)(to + k, from ? NN__(load_up_to)(from + k, H - k, 0.0f) : NN__(all)(0.0f));
}
/* Stores the states after the last step. */
NN__OP void NN__(whole_finish)(const nn__whole_walk *w) {
    for (int k = 0; w->h_last && k < w->H; k += NN__LANES)
        NN__(store_up_to)(w->h_last + k, w->H - k, NN__(load)(w->h + k));
    for (int k = 0; w->c_last && k < w->H; k += NN__LANES)
        NN__(store_up_to)(w->c_last + k, w->H - k, NN__(load)(w->c + k));
}

/* Ends a step: stores the state or the head's results, and exchanges both states. */
NN__OP void NN__(whole_end)(nn__whole_walk *w) {
    const int H = w->H, rows = (H + NN__LANES - 1) / NN__LANES * NN__LANES;
    float *h = w->next;
    const float *head = w->head;
    for (int k = 0; !head && k < H; k += NN__LANES)
        NN__(store_up_to)(w->y + k, H - k, NN__(load)(h + k));
    for (int o = 0; head && o < w->O; o++, head += rows) {
        NN__F32 sum = NN__(mul)(NN__(load)(head), NN__(load)(h));
        for (int k = NN__LANES; k < rows; k += NN__LANES)
            sum = NN__(fma)(NN__(load)(head + k), NN__(load)(h + k), sum);
        w->y[o] = NN__(sum)(sum) + w->head[(ptrdiff_t)w->O * rows + o];
    }
    w->next = w->h;
    w->h = h;
    w->x += w->x_step;
    w->y += w->y_step;
}

/* The polynomials of this file add terms in pairs: a step of the layer waits for two of them, so
   their latency counts, not the number of their operations. b + b1 r + r2 (c + c1 r) */
NN__OP NN__F32 NN__(whole_four)(NN__F32 r, NN__F32 r2, float b, float b1, float c, float c1) {
    return NN__(fma)(r2, NN__(fma)(NN__(all)(c1), r, NN__(all)(c)),
                     NN__(fma)(NN__(all)(b1), r, NN__(all)(b)));
}
/* exp(-x) + 1, by which sigmoid divides: at most 1 ulp of error. Below x = -88 it stays at e^88, so
   that sigmoid is at least 6e-39. NaN stays NaN. */
NN__OP NN__F32 NN__(whole_sigmoid)(NN__F32 x) {
    const NN__F32 add = NN__(all)(12582912.0f + 127.0f); /* 1.5 2^23 */
    x = NN__(sub)(NN__(all)(0.0f), x);
    x = NN__(larger)(NN__(all)(-87.0f), NN__(smaller)(NN__(all)(88.0f), x)); /* NaN passes */
    const NN__F32 whole = NN__(fma)(x, NN__(all)(1.44269504f), add);
    const NN__F32 r = NN__(less_ln2)(x, NN__(sub)(whole, add)), r2 = NN__(mul)(r, r);
    const NN__F32 low = NN__(fma)(r2, NN__(all)(0.499999940f), NN__(add)(NN__(all)(1.0f), r));
    const NN__F32 high = NN__(whole_four)(r, r2, 0.166665211f, 0.0416683890f, 0.00836873148f,
                                          0.00138145674f);
    const NN__F32 p = NN__(fma)(NN__(mul)(r, r2), high, low);
    return NN__(fma)(p, NN__(of_bits)(NN__(int_left)(NN__(bits)(whole), 23)), NN__(all)(1.0f));
}
/* tanh(x) sigmoid(a) with one division, s: whole_sigmoid(a). exp(2 |x|) - 1 as in tanh_power. */
NN__OP NN__F32 NN__(whole_tanh)(NN__F32 x, NN__F32 s) {
    const NN__F32 add = NN__(all)(12582912.0f + 127.0f);
    NN__F32 t = NN__(abs)(x);
    t = NN__(smaller)(NN__(all)(20.0f), NN__(add)(t, t)); /* NaN passes */
    const NN__F32 whole = NN__(fma)(t, NN__(all)(1.44269504f), add);
    const NN__F32 r = NN__(less_ln2)(t, NN__(sub)(whole, add)), r2 = NN__(mul)(r, r);
    const NN__F32 low = NN__(fma)(r2, NN__(fma)(NN__(all)(1.0f / 6.0f), r, NN__(all)(0.5f)), r);
    const NN__F32 high = NN__(fma)(r2, NN__(all)(1.0f / 5040.0f),
                                   NN__(fma)(NN__(all)(1.0f / 720.0f), r,
                                             NN__(all)(1.0f / 120.0f)));
    const NN__F32 p = NN__(fma)(NN__(mul)(r2, r2),
                                NN__(fma)(r, high, NN__(all)(1.0f / 24.0f)), low);
    const NN__F32 power = NN__(of_bits)(NN__(int_left)(NN__(bits)(whole), 23)); /* 2^k */
    const NN__F32 e = NN__(fma)(power, p, NN__(sub)(power, NN__(all)(1.0f)));
    return NN__(with_sign)(NN__(div)(e, NN__(mul)(NN__(add)(e, NN__(all)(2.0f)), s)), x);
}

/* Returns a gate's bias and products of inputs and state, in two chains. p: the gate's panel. */
NN__OP NN__F32 NN__(whole_gate)(const nn__whole_walk *w, const float *p) {
    const float *h = w->h;
    NN__F32 a = NN__(load)(p), a1 = NN__(all)(0.0f);
    p += NN__LANES;
    for (int q = 0; q < w->C; q++, p += NN__LANES)
        a = NN__(fma)(NN__(all)(w->x[q]), NN__(load)(p), a);
    int q = 0;
    for (; q + 2 <= w->H; q += 2, p += 2 * NN__LANES) {
        a = NN__(fma)(NN__(all)(h[q]), NN__(load)(p), a);
        a1 = NN__(fma)(NN__(all)(h[q + 1]), NN__(load)(p + NN__LANES), a1);
    }
    if (q < w->H) a = NN__(fma)(NN__(all)(h[q]), NN__(load)(p), a);
    return NN__(add)(a, a1);
}

/* The products of the last gate come after the activations of the others, whose latency hides
   them. */
static void NN__(whole_lstm)(nn__whole_walk *w) {
    const int H = w->H, C = w->C;
    NN__(whole_begin)(w->c, w->c0, H);
    NN__(whole_begin)(w->h, w->h0, H);
    for (int t = 0; t < w->T; t++, NN__(whole_end)(w)) {
        const float *p = w->packed, *h = w->h;
        for (int k = 0; k < H; k += NN__LANES) {
            NN__F32 i = NN__(load)(p), f = NN__(load)(p + NN__LANES);
            NN__F32 g = NN__(load)(p + 2 * NN__LANES);
            NN__F32 i1 = NN__(all)(0.0f), f1 = i1, g1 = i1;
            p += 3 * NN__LANES;
            for (int q = 0; q < C; q++, p += 3 * NN__LANES) {
                const NN__F32 x = NN__(all)(w->x[q]);
                i = NN__(fma)(x, NN__(load)(p), i), f = NN__(fma)(x, NN__(load)(p + NN__LANES), f);
                g = NN__(fma)(x, NN__(load)(p + 2 * NN__LANES), g);
            }
            int q = 0;
            for (; q + 2 <= H; q += 2, p += 6 * NN__LANES) {
                const NN__F32 x = NN__(all)(h[q]), z = NN__(all)(h[q + 1]);
                i = NN__(fma)(x, NN__(load)(p), i), f = NN__(fma)(x, NN__(load)(p + NN__LANES), f);
                g = NN__(fma)(x, NN__(load)(p + 2 * NN__LANES), g);
                i1 = NN__(fma)(z, NN__(load)(p + 3 * NN__LANES), i1);
                f1 = NN__(fma)(z, NN__(load)(p + 4 * NN__LANES), f1);
                g1 = NN__(fma)(z, NN__(load)(p + 5 * NN__LANES), g1);
            }
            if (q < H) {
                const NN__F32 x = NN__(all)(h[q]);
                i = NN__(fma)(x, NN__(load)(p), i), f = NN__(fma)(x, NN__(load)(p + NN__LANES), f);
                g = NN__(fma)(x, NN__(load)(p + 2 * NN__LANES), g);
                p += 3 * NN__LANES;
            }
            i = NN__(whole_sigmoid)(NN__(add)(i, i1)), f = NN__(whole_sigmoid)(NN__(add)(f, f1));
            NN__(store)(w->c + k, NN__(add)(NN__(div)(NN__(load)(w->c + k), f),
                                            NN__(whole_tanh)(NN__(add)(g, g1), i)));
        }
        for (int k = 0; k < H; k += NN__LANES, p += (1 + C + H) * NN__LANES) {
            const NN__F32 o = NN__(whole_sigmoid)(NN__(whole_gate)(w, p));
            NN__(store)(w->next + k, NN__(whole_tanh)(NN__(load)(w->c + k), o));
        }
    }
    NN__(whole_finish)(w);
}

/* The activations of z come last: the others' latency hides them. */
static void NN__(whole_gru)(nn__whole_walk *w) {
    const NN__F32 one = NN__(all)(1.0f);
    const int H = w->H, C = w->C;
    NN__(whole_begin)(w->h, w->h0, H);
    for (int t = 0; t < w->T; t++, NN__(whole_end)(w)) {
        const float *p = w->packed, *h = w->h;
        for (int k = 0; k < H; k += NN__LANES) {
            NN__F32 r = NN__(load)(p), z = NN__(load)(p + NN__LANES);
            NN__F32 n = NN__(load)(p + 2 * NN__LANES), m = NN__(load)(p + 3 * NN__LANES);
            NN__F32 r1 = NN__(all)(0.0f), z1 = r1, m1 = r1;
            p += 4 * NN__LANES;
            for (int q = 0; q < C; q++, p += 3 * NN__LANES) {
                const NN__F32 x = NN__(all)(w->x[q]);
                r = NN__(fma)(x, NN__(load)(p), r), z = NN__(fma)(x, NN__(load)(p + NN__LANES), z);
                n = NN__(fma)(x, NN__(load)(p + 2 * NN__LANES), n);
            }
            int q = 0;
            for (; q + 2 <= H; q += 2, p += 6 * NN__LANES) {
                const NN__F32 x = NN__(all)(h[q]), v = NN__(all)(h[q + 1]);
                r = NN__(fma)(x, NN__(load)(p), r), z = NN__(fma)(x, NN__(load)(p + NN__LANES), z);
                m = NN__(fma)(x, NN__(load)(p + 2 * NN__LANES), m);
                r1 = NN__(fma)(v, NN__(load)(p + 3 * NN__LANES), r1);
                z1 = NN__(fma)(v, NN__(load)(p + 4 * NN__LANES), z1);
                m1 = NN__(fma)(v, NN__(load)(p + 5 * NN__LANES), m1);
            }
            if (q < H) {
                const NN__F32 x = NN__(all)(h[q]);
                r = NN__(fma)(x, NN__(load)(p), r), z = NN__(fma)(x, NN__(load)(p + NN__LANES), z);
                m = NN__(fma)(x, NN__(load)(p + 2 * NN__LANES), m);
                p += 3 * NN__LANES;
            }
            r = NN__(whole_sigmoid)(NN__(add)(r, r1));
            n = NN__(whole_tanh)(NN__(add)(n, NN__(div)(NN__(add)(m, m1), r)), one);
            z = NN__(div)(one, NN__(whole_sigmoid)(NN__(add)(z, z1)));
            NN__(store)(w->next + k,
                        NN__(fma)(z, NN__(load)(h + k), NN__(mul)(NN__(sub)(one, z), n)));
        }
    }
    NN__(whole_finish)(w);
}

NN__INLINE void NN__(whole_rnn)(nn__whole_walk *w, const bool relu) {
    const NN__F32 zero = NN__(all)(0.0f);
    const int H = w->H;
    NN__(whole_begin)(w->h, w->h0, H);
    for (int t = 0; t < w->T; t++, NN__(whole_end)(w)) {
        const float *p = w->packed;
        for (int k = 0; k < H; k += NN__LANES, p += (1 + w->C + H) * NN__LANES) {
            NN__F32 a = NN__(whole_gate)(w, p);
            if (relu) a = NN__(drop)(NN__(less)(a, zero), a); /* NaN stays */
            else a = NN__(whole_tanh)(a, NN__(all)(1.0f));
            NN__(store)(w->next + k, a);
        }
    }
    NN__(whole_finish)(w);
}
static void NN__(whole_tanh_rnn)(nn__whole_walk *w) { NN__(whole_rnn)(w, false); }
static void NN__(whole_relu_rnn)(nn__whole_walk *w) { NN__(whole_rnn)(w, true); }

static const nn__whole_set NN__(whole_set) = {
    NN__LANES,
    {NN__(whole_tanh_rnn), NN__(whole_relu_rnn), NN__(whole_gru), NN__(whole_lstm)}};
#endif
