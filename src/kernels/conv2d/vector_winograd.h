/* kernels/conv2d/vector_winograd.h - the transforms of Winograd's convolutions
   (kernels/conv2d/cpu_winograd.h), for every instruction set with vectors. Part of
   kernels/conv2d/vector.h.

   Along one axis, with a = sqrt(1/2) and b = sqrt(2), so that 2 a = b:
     B^T  0: x0 - 5/2 x2 + x4          G   0: g0
         +a: -b x1 - 2 x2 + a x3 + x4     +-a: (g0 +- a g1 + g2 / 2) / -3/2
         -a:  b x1 - 2 x2 - a x3 + x4     +-b: (g0 +- b g1 + 2 g2) / 6
         +b: -a x1 - x2 / 2 + b x3 + x4   inf: g2
         -b:  a x1 - x2 / 2 - b x3 + x4
        inf: x1 - 5/2 x3 + x5
     A^T  y0 = m0 + (m1 + m2) + (m3 + m4)      y1 = a (m1 - m2) + b (m3 - m4)
          y2 = (m1 + m2) / 2 + 2 (m3 + m4)     y3 = a/2 (m1 - m2) + 2 b (m3 - m4) + m5
   For the gradient of the weights B^T is the same, y2 has m5 and there is no y3, and G has
     0: d0   +-a: (d0 + d2 / 2 +- a (d1 + d3 / 2)) / -3/2   +-b: (d0 + 2 d2 +- b (d1 + 2 d3)) / 6
     inf: d3

   Numbers of neighbouring channels lie side by side, NN__WINOGRAD_WIDE of them: half a panel. */
#if defined(NN__SET) && NN__LANES > 1

#define NN__WINOGRAD_WIDE (NN__PANEL_WIDE * NN__LANES / 2)
#define NN__WINOGRAD_A    0.70710678118654752f
#define NN__WINOGRAD_B    1.41421356237309505f

/* Transforms six vectors at `from`, `gap` apart, into six at `to`, `step` apart. */
NN__INLINE void NN__(winograd_b)(const float *from, ptrdiff_t gap, float *to, ptrdiff_t step) {
    const NN__F32 a = NN__(all)(NN__WINOGRAD_A), b = NN__(all)(NN__WINOGRAD_B),
                  two = NN__(all)(2.0f), half = NN__(all)(0.5f), more = NN__(all)(2.5f);
    const NN__F32 x0 = NN__(load)(from), x1 = NN__(load)(from + gap),
                  x2 = NN__(load)(from + 2 * gap), x3 = NN__(load)(from + 3 * gap),
                  x4 = NN__(load)(from + 4 * gap), x5 = NN__(load)(from + 5 * gap);
    const NN__F32 even_a = NN__(fnma)(two, x2, x4), odd_a = NN__(fnma)(two, x1, x3),
                  even_b = NN__(fnma)(half, x2, x4), odd_b = NN__(fnma)(half, x1, x3);
    NN__(store)(to, NN__(fnma)(more, x2, NN__(add)(x0, x4)));
    NN__(store)(to + step, NN__(fma)(a, odd_a, even_a));
    NN__(store)(to + 2 * step, NN__(fnma)(a, odd_a, even_a));
    NN__(store)(to + 3 * step, NN__(fma)(b, odd_b, even_b));
    NN__(store)(to + 4 * step, NN__(fnma)(b, odd_b, even_b));
    NN__(store)(to + 5 * step, NN__(fnma)(more, x3, NN__(add)(x1, x5)));
}

/* Writes G times weights or gradients: at the six points, from the first and the last number, the
   one of even degree, and the two sums of odd degree. */
NN__INLINE void NN__(winograd_spread)(NN__F32 first, NN__F32 even, NN__F32 last, NN__F32 sum_a,
                                      NN__F32 sum_b, float *to, ptrdiff_t step) {
    const NN__F32 two = NN__(all)(2.0f), half = NN__(all)(0.5f), third = NN__(all)(-2.0f / 3.0f),
                  sixth = NN__(all)(1.0f / 6.0f),
                  odd_a = NN__(all)(NN__WINOGRAD_A * (-2.0f / 3.0f)),
                  odd_b = NN__(all)(NN__WINOGRAD_B * (1.0f / 6.0f));
    const NN__F32 even_a = NN__(mul)(third, NN__(fma)(half, even, first)),
                  even_b = NN__(mul)(sixth, NN__(fma)(two, even, first));
    NN__(store)(to, first);
    NN__(store)(to + step, NN__(fma)(odd_a, sum_a, even_a));
    NN__(store)(to + 2 * step, NN__(fnma)(odd_a, sum_a, even_a));
    NN__(store)(to + 3 * step, NN__(fma)(odd_b, sum_b, even_b));
    NN__(store)(to + 4 * step, NN__(fnma)(odd_b, sum_b, even_b));
    NN__(store)(to + 5 * step, last);
}

/* Applies A^T to six vectors, which become four or, for the gradient of the weights, three. */
NN__INLINE void NN__(winograd_a)(const float *from, ptrdiff_t gap, float *to, ptrdiff_t step,
                                 const bool taps) {
    const NN__F32 a = NN__(all)(NN__WINOGRAD_A), b = NN__(all)(NN__WINOGRAD_B),
                  two = NN__(all)(2.0f), half = NN__(all)(0.5f),
                  a2 = NN__(all)(NN__WINOGRAD_A * 0.5f), b2 = NN__(all)(NN__WINOGRAD_B * 2.0f);
    const NN__F32 m0 = NN__(load)(from), m1 = NN__(load)(from + gap),
                  m2 = NN__(load)(from + 2 * gap), m3 = NN__(load)(from + 3 * gap),
                  m4 = NN__(load)(from + 4 * gap), m5 = NN__(load)(from + 5 * gap);
    const NN__F32 sum_a = NN__(add)(m1, m2), sum_b = NN__(add)(m3, m4), odd_a = NN__(sub)(m1, m2),
                  odd_b = NN__(sub)(m3, m4);
    NN__(store)(to, NN__(add)(NN__(add)(m0, sum_a), sum_b));
    NN__(store)(to + step, NN__(fma)(a, odd_a, NN__(mul)(b, odd_b)));
    if (taps) {
        NN__(store)(to + 2 * step, NN__(fma)(two, sum_b, NN__(fma)(half, sum_a, m5)));
        return;
    }
    NN__(store)(to + 2 * step, NN__(fma)(two, sum_b, NN__(mul)(half, sum_a)));
    NN__(store)(to + 3 * step, NN__(fma)(a2, odd_a, NN__(fma)(b2, odd_b, m5)));
}

static void NN__(winograd_input)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step) {
    float part[NN__WINOGRAD_POINTS * NN__LANES];
    for (int l = 0; l < NN__WINOGRAD_WIDE; l += NN__LANES) {
        for (int i = 0; i < 6; i++)
            NN__(winograd_b)(from + i * row + l, NN__WINOGRAD_WIDE, part + i * 6 * NN__LANES,
                             NN__LANES);
        for (int j = 0; j < 6; j++)
            NN__(winograd_b)(part + j * NN__LANES, 6 * NN__LANES, to + j * step + l, 6 * step);
    }
}

NN__INLINE void NN__(winograd_g3)(const float *from, ptrdiff_t gap, float *to, ptrdiff_t step) {
    const NN__F32 g1 = NN__(load)(from + gap), g2 = NN__(load)(from + 2 * gap);
    NN__(winograd_spread)(NN__(load)(from), g2, g2, g1, g1, to, step);
}

static void NN__(winograd_weight)(const float *from, ptrdiff_t tap, float *to, ptrdiff_t step) {
    float part[18 * NN__LANES];
    for (int l = 0; l < 2 * NN__WINOGRAD_WIDE; l += NN__LANES) {
        for (int i = 0; i < 3; i++)
            NN__(winograd_g3)(from + 3 * i * tap + l, tap, part + i * 6 * NN__LANES, NN__LANES);
        for (int j = 0; j < 6; j++)
            NN__(winograd_g3)(part + j * NN__LANES, 6 * NN__LANES, to + j * step + l, 6 * step);
    }
}

static void NN__(winograd_output)(const float *from, ptrdiff_t step, float *to, ptrdiff_t row,
                                  int rows, int columns, bool first) {
    float part[24 * NN__LANES], last[4 * NN__LANES];
    for (int l = 0; l < (first ? 1 : 2) * NN__WINOGRAD_WIDE; l += NN__LANES) {
        for (int i = 0; i < 6; i++)
            NN__(winograd_a)(from + 6 * i * step + l, step, part + i * NN__LANES, 6 * NN__LANES,
                             false);
        for (int j = 0; j < columns; j++) { /* part: (column, row of m) */
            const float *at = part + 6 * j * NN__LANES;
            float *place = to + j * 2 * NN__WINOGRAD_WIDE + l;
            if (rows == 4) {
                NN__(winograd_a)(at, NN__LANES, place, row, false);
                continue;
            }
            NN__(winograd_a)(at, NN__LANES, last, NN__LANES, false);
            for (int i = 0; i < rows; i++)
                NN__(store)(place + i * row, NN__(load)(last + i * NN__LANES));
        }
    }
}

/* Does the same along one axis (kernels/conv2d/cpu_winograd_line.c). */
static void NN__(winograd_line_input)(const float *from, ptrdiff_t gap, float *to,
                                      ptrdiff_t step) {
    for (int l = 0; l < NN__WINOGRAD_WIDE; l += NN__LANES)
        NN__(winograd_b)(from + l, gap, to + l, step);
}
static void NN__(winograd_line_weight)(const float *from, ptrdiff_t tap, float *to,
                                       ptrdiff_t step) {
    for (int l = 0; l < 2 * NN__WINOGRAD_WIDE; l += NN__LANES)
        NN__(winograd_g3)(from + l, tap, to + l, step);
}
static void NN__(winograd_line_output)(const float *from, ptrdiff_t step, float *to, ptrdiff_t gap,
                                       int columns, bool first) {
    float last[4 * NN__LANES];
    for (int l = 0; l < (first ? 1 : 2) * NN__WINOGRAD_WIDE; l += NN__LANES) {
        if (columns == 4) {
            NN__(winograd_a)(from + l, step, to + l, gap, false);
            continue;
        }
        NN__(winograd_a)(from + l, step, last, NN__LANES, false);
        for (int j = 0; j < columns; j++)
            NN__(store)(to + l + j * gap, NN__(load)(last + j * NN__LANES));
    }
}

#ifndef NN_NO_TRAINING
NN__INLINE void NN__(winograd_g4)(const float *from, ptrdiff_t gap, float *to, ptrdiff_t step) {
    const NN__F32 d1 = NN__(load)(from + gap), d3 = NN__(load)(from + 3 * gap);
    NN__(winograd_spread)(NN__(load)(from), NN__(load)(from + 2 * gap), d3,
                          NN__(fma)(NN__(all)(0.5f), d3, d1), NN__(fma)(NN__(all)(2.0f), d3, d1),
                          to, step);
}

static void NN__(winograd_gradient)(const float *from, ptrdiff_t row, float *to, ptrdiff_t step) {
    float part[24 * NN__LANES];
    for (int l = 0; l < NN__WINOGRAD_WIDE; l += NN__LANES) {
        for (int i = 0; i < 4; i++)
            NN__(winograd_g4)(from + i * row + l, NN__WINOGRAD_WIDE, part + i * 6 * NN__LANES,
                              NN__LANES);
        for (int j = 0; j < 6; j++)
            NN__(winograd_g4)(part + j * NN__LANES, 6 * NN__LANES, to + j * step + l, 6 * step);
    }
}

static void NN__(winograd_taps)(const float *from, ptrdiff_t step, float *to, bool first) {
    float part[18 * NN__LANES];
    for (int l = 0; l < (first ? 1 : 2) * NN__WINOGRAD_WIDE; l += NN__LANES) {
        for (int i = 0; i < 6; i++)
            NN__(winograd_a)(from + 6 * i * step + l, step, part + i * NN__LANES, 6 * NN__LANES,
                             true);
        for (int j = 0; j < 3; j++) /* part: (column, row of m) */
            NN__(winograd_a)(part + 6 * j * NN__LANES, NN__LANES,
                             to + j * 2 * NN__WINOGRAD_WIDE + l, 6 * NN__WINOGRAD_WIDE, true);
    }
}

static void NN__(winograd_add)(float *sum, const float *from, int n) {
    for (int l = 0; l < NN__WINOGRAD_WIDE; l += NN__LANES) {
        NN__F32 total = NN__(load)(sum + l);
        for (int i = 0; i < n; i++)
            total = NN__(add)(total, NN__(load)(from + i * NN__WINOGRAD_WIDE + l));
        NN__(store)(sum + l, total);
    }
}
#endif

static const nn__winograd_set NN__(winograd) = {
    NN__(winograd_input), NN__(winograd_weight), NN__(winograd_output),
    NN__(winograd_line_input), NN__(winograd_line_weight), NN__(winograd_line_output),
#ifndef NN_NO_TRAINING
    NN__(winograd_gradient), NN__(winograd_taps), NN__(winograd_add)
#endif
};

#undef NN__WINOGRAD_WIDE
#undef NN__WINOGRAD_A
#undef NN__WINOGRAD_B
#elif defined(NN__SET)
static const nn__winograd_set NN__(winograd) = {NULL, NULL, NULL, NULL, NULL, NULL,
#ifndef NN_NO_TRAINING
                                                NULL, NULL, NULL
#endif
}; /* plain C uses direct sums only */
#endif
