/* kernels/recurrent/vector.h - one step of one sample of lstm, gru and rnn, and its gradient, for
   every instruction set. */
#ifndef NN__SET
#define NN__BODY "kernels/recurrent/vector.h"
#include "cpu/for_each_set.h"
#elif !defined(NN__SET_PORTABLE_AVX512) /* NN__OF_SET */
#include "cpu/vector.h"
#include "kernels/recurrent/cpu.h"

/* Loads or stores up to a vector of numbers, and touches none beyond. Masks cost nothing in
   AVX-512. */
NN__OP NN__F32 NN__(step_load)(const float *x, int n) {
#ifdef NN__SET_AVX512
    return NN__(load_some)(x, n, 0.0f);
#else
    return NN__(load_up_to)(x, n, 0.0f);
#endif
}
NN__OP void NN__(step_store)(float *y, int n, NN__F32 v) {
#ifdef NN__SET_AVX512
    NN__(store_some)(y, n, v);
#else
    NN__(store_up_to)(y, n, v);
#endif
}

/* step_product returns weight h + bias from number `at` on; step_gate adds the input's products. */
NN__OP NN__F32 NN__(step_product)(const nn__recurrent_row *r, int at, int n) {
    const NN__F32 q = NN__(step_load)(r->q + at, n);
    return r->bias ? NN__(add)(q, NN__(step_load)(r->bias + at, n)) : q;
}
NN__OP NN__F32 NN__(step_gate)(const nn__recurrent_row *r, int at, int n) {
    return NN__(add)(NN__(step_load)(r->x + at, n), NN__(step_product)(r, at, n));
}

static void NN__(lstm_step)(const nn__recurrent_row *r) {
    const int H = r->H;
    for (int k = 0; k < H; k += NN__LANES) {
        const int n = H - k < NN__LANES ? H - k : NN__LANES;
        const NN__F32 i = NN__(sigmoid)(NN__(step_gate)(r, k, n));
        const NN__F32 f = NN__(sigmoid)(NN__(step_gate)(r, H + k, n));
        const NN__F32 g = NN__(tanh)(NN__(step_gate)(r, 2 * H + k, n));
        const NN__F32 o = NN__(sigmoid)(NN__(step_gate)(r, 3 * H + k, n));
        const NN__F32 c = NN__(fma)(f, NN__(step_load)(r->c + k, n), NN__(mul)(i, g));
        NN__(step_store)(r->c + k, n, c);
        NN__(step_store)(r->h + k, n, NN__(mul)(o, NN__(tanh)(c)));
        if (!r->kept) continue;
        NN__(step_store)(r->kept + k, n, i);
        NN__(step_store)(r->kept + H + k, n, f);
        NN__(step_store)(r->kept + 2 * H + k, n, g);
        NN__(step_store)(r->kept + 3 * H + k, n, o);
        NN__(step_store)(r->kept + 4 * H + k, n, c);
    }
}

static void NN__(gru_step)(const nn__recurrent_row *row) {
    const int H = row->H;
    for (int k = 0; k < H; k += NN__LANES) {
        const int n = H - k < NN__LANES ? H - k : NN__LANES;
        const NN__F32 r = NN__(sigmoid)(NN__(step_gate)(row, k, n));
        const NN__F32 z = NN__(sigmoid)(NN__(step_gate)(row, H + k, n));
        const NN__F32 last = NN__(step_product)(row, 2 * H + k, n);
        const NN__F32 fresh =
            NN__(tanh)(NN__(fma)(r, last, NN__(step_load)(row->x + 2 * H + k, n)));
        const NN__F32 share = NN__(mul)(NN__(sub)(NN__(all)(1.0f), z), fresh);
        NN__(step_store)(row->h + k, n, NN__(fma)(z, NN__(step_load)(row->h + k, n), share));
        if (!row->kept) continue;
        NN__(step_store)(row->kept + k, n, r);
        NN__(step_store)(row->kept + H + k, n, z);
        NN__(step_store)(row->kept + 2 * H + k, n, fresh);
        NN__(step_store)(row->kept + 3 * H + k, n, last);
    }
}

static void NN__(rnn_step)(const nn__recurrent_row *r) {
    for (int k = 0; k < r->H; k += NN__LANES) {
        const int n = r->H - k < NN__LANES ? r->H - k : NN__LANES;
        NN__(step_store)(r->h + k, n, NN__(tanh)(NN__(step_gate)(r, k, n)));
    }
}

static void NN__(relu_step)(const nn__recurrent_row *r) {
    const NN__F32 zero = NN__(all)(0.0f);
    for (int k = 0; k < r->H; k += NN__LANES) {
        const int n = r->H - k < NN__LANES ? r->H - k : NN__LANES;
        const NN__F32 x = NN__(step_gate)(r, k, n);
        NN__(step_store)(r->h + k, n, NN__(drop)(NN__(less)(x, zero), x)); /* NaN stays */
    }
}

#ifndef NN_NO_TRAINING
/* a (1 - a), and a (1 - b b) */
NN__OP NN__F32 NN__(sigmoid_slope)(NN__F32 a) { return NN__(fnma)(a, a, a); }
NN__OP NN__F32 NN__(tanh_slope)(NN__F32 a, NN__F32 b) {
    return NN__(mul)(a, NN__(fnma)(b, b, NN__(all)(1.0f)));
}

NN__OP NN__F32 NN__(step_slope)(const nn__recurrent_back *b, int k, int n) {
    const NN__F32 dh = NN__(step_load)(b->dh + k, n);
    return b->dy ? NN__(add)(dh, NN__(step_load)(b->dy + k, n)) : dh;
}

static void NN__(lstm_back)(const nn__recurrent_back *b) {
    const int H = b->H;
    for (int k = 0; k < H; k += NN__LANES) {
        const int n = H - k < NN__LANES ? H - k : NN__LANES;
        const float *kept = b->kept + k;
        const NN__F32 i = NN__(step_load)(kept, n), f = NN__(step_load)(kept + H, n);
        const NN__F32 g = NN__(step_load)(kept + 2 * H, n), o = NN__(step_load)(kept + 3 * H, n);
        const NN__F32 t = NN__(tanh)(NN__(step_load)(kept + 4 * H, n));
        const NN__F32 dh = NN__(step_slope)(b, k, n);
        const NN__F32 c = b->c ? NN__(step_load)(b->c + k, n) : NN__(all)(0.0f);
        const NN__F32 dc = NN__(add)(NN__(step_load)(b->dc + k, n),
                                     NN__(tanh_slope)(NN__(mul)(dh, o), t));
        const NN__F32 down = NN__(mul)(NN__(mul)(dh, t), NN__(sigmoid_slope)(o));
        NN__(step_store)(b->d + k, n, NN__(mul)(NN__(mul)(dc, g), NN__(sigmoid_slope)(i)));
        NN__(step_store)(b->d + H + k, n, NN__(mul)(NN__(mul)(dc, c), NN__(sigmoid_slope)(f)));
        NN__(step_store)(b->d + 2 * H + k, n, NN__(tanh_slope)(NN__(mul)(dc, i), g));
        NN__(step_store)(b->d + 3 * H + k, n, down);
        NN__(step_store)(b->dc + k, n, NN__(mul)(dc, f));
    }
}

static void NN__(gru_back)(const nn__recurrent_back *b) {
    const int H = b->H;
    for (int k = 0; k < H; k += NN__LANES) {
        const int n = H - k < NN__LANES ? H - k : NN__LANES;
        const float *kept = b->kept + k;
        const NN__F32 r = NN__(step_load)(kept, n), z = NN__(step_load)(kept + H, n);
        const NN__F32 fresh = NN__(step_load)(kept + 2 * H, n);
        const NN__F32 q = NN__(step_load)(kept + 3 * H, n), dh = NN__(step_slope)(b, k, n);
        const NN__F32 h = b->before ? NN__(step_load)(b->before + k, n) : NN__(all)(0.0f);
        const NN__F32 dn = NN__(tanh_slope)(NN__(fnma)(dh, z, dh), fresh);
        const NN__F32 dr = NN__(mul)(NN__(mul)(dn, q), NN__(sigmoid_slope)(r));
        const NN__F32 dz = NN__(mul)(NN__(mul)(dh, NN__(sub)(h, fresh)), NN__(sigmoid_slope)(z));
        NN__(step_store)(b->d + k, n, dr);
        NN__(step_store)(b->d + H + k, n, dz);
        NN__(step_store)(b->d + 2 * H + k, n, NN__(mul)(dn, r));
        NN__(step_store)(b->carry + k, n, NN__(mul)(dh, z));
        if (!b->dx) continue;
        NN__(step_store)(b->dx + k, n, dr);
        NN__(step_store)(b->dx + H + k, n, dz);
        NN__(step_store)(b->dx + 2 * H + k, n, dn);
    }
}

static void NN__(rnn_back)(const nn__recurrent_back *b) {
    for (int k = 0; k < b->H; k += NN__LANES) {
        const int n = b->H - k < NN__LANES ? b->H - k : NN__LANES;
        NN__(step_store)(b->d + k, n, NN__(tanh_slope)(NN__(step_slope)(b, k, n),
                                                        NN__(step_load)(b->y + k, n)));
    }
}

static void NN__(relu_back)(const nn__recurrent_back *b) {
    const NN__F32 zero = NN__(all)(0.0f);
    for (int k = 0; k < b->H; k += NN__LANES) {
        const int n = b->H - k < NN__LANES ? b->H - k : NN__LANES;
        const NN__F32 y = NN__(step_load)(b->y + k, n);
        NN__(step_store)(b->d + k, n,
                          NN__(keep)(NN__(less)(zero, y), NN__(step_slope)(b, k, n)));
    }
}
#endif

static const nn__recurrent_steps NN__(recurrent_steps) = {
    {NN__(rnn_step), NN__(relu_step), NN__(gru_step), NN__(lstm_step)},
#ifndef NN_NO_TRAINING
    {NN__(rnn_back), NN__(relu_back), NN__(gru_back), NN__(lstm_back)}
#endif
};
#endif
