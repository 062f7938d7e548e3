/* kernels/conv2d/vector_depthwise.h - depthwise convolutions and their gradients. Bands serve
   filters of any shape. With 3 x 3 taps, a padding of one and a stride of one, a plane is processed
   as a single row: x is read once for each row of taps, and the sums of the three columns of taps
   (for dweight: the vectors of dy) are shifted by a column between registers. A mask hides the
   numbers that would come from another row. If a plane is smaller than a vector, a vector holds
   several channels, and the numbers for each tap are permuted. With a stride of two, two vectors of
   a row of x are sorted into even and odd columns. Part of kernels/conv2d/vector.h. */
#ifdef NN__SET

/* ---- bands ----------------------------------------------------------------------------------- */

/* Computes y[i] = bias + the sum over taps of weight[tap] x[offset[tap] + i] for whole runs.
   second: distance from the first half of a run to its second half, which is half a run, or a row
   below. */
static void NN__(depthwise_multiply)(float *y, const float *x, const int32_t *offset,
                                     const float *weight, int taps, int n, int second,
                                     float bias) {
    const int half = NN__DEPTHWISE_RUN / 2, next = NN__LANES < half ? NN__LANES : 0;
    for (int i = 0; i < n; i += NN__DEPTHWISE_RUN)
        for (int l = i; l < i + half; l += NN__LANES + next) {
            NN__F32 a = NN__(all)(bias), b = a, c = a, d = a;
            for (int tap = 0; tap < taps; tap++) {
                const NN__F32 w = NN__(all)(weight[tap]);
                const float *from = x + offset[tap] + l;
                a = NN__(fma)(w, NN__(load)(from), a);
                c = NN__(fma)(w, NN__(load)(from + second), c);
                if (next == 0) continue;
                b = NN__(fma)(w, NN__(load)(from + next), b);
                d = NN__(fma)(w, NN__(load)(from + second + next), d);
            }
            NN__(store)(y + l, a);
            NN__(store)(y + l + second, c);
            if (next == 0) continue;
            NN__(store)(y + l + next, b);
            NN__(store)(y + l + second + next, d);
        }
}

#ifndef NN_NO_TRAINING
/* sum[tap] += the products of y and x[offset[tap] ...], for whole runs. */
static void NN__(depthwise_dot)(double *sum, const float *y, const float *x, const int32_t *offset,
                                int taps, int n) {
    for (int tap = 0; tap < taps; tap++) {
        const float *from = x + offset[tap];
        NN__F32 a = NN__(all)(0.0f), b = a;
        for (int i = 0; i < n; i += 2 * NN__LANES) {
            a = NN__(fma)(NN__(load)(y + i), NN__(load)(from + i), a);
            b = NN__(fma)(NN__(load)(y + i + NN__LANES), NN__(load)(from + i + NN__LANES), b);
        }
        sum[tap] += (double)NN__(sum)(NN__(add)(a, b));
    }
}
#endif

#if NN__LANES > 1
typedef struct NN__(depthwise_nine) {
    NN__F32 w00, w01, w02, w10, w11, w12, w20, w21, w22;
} NN__(depthwise_nine);

NN__INLINE NN__(depthwise_nine) NN__(depthwise_taps)(const float *weight) {
    NN__(depthwise_nine) w;
    w.w00 = NN__(all)(weight[0]), w.w01 = NN__(all)(weight[1]), w.w02 = NN__(all)(weight[2]);
    w.w10 = NN__(all)(weight[3]), w.w11 = NN__(all)(weight[4]), w.w12 = NN__(all)(weight[5]);
    w.w20 = NN__(all)(weight[6]), w.w21 = NN__(all)(weight[7]), w.w22 = NN__(all)(weight[8]);
    return w;
}
NN__INLINE NN__(depthwise_nine) NN__(depthwise_load)(const float *x) {
    NN__(depthwise_nine) w;
    w.w00 = NN__(load)(x), w.w01 = NN__(load)(x + NN__LANES);
    w.w02 = NN__(load)(x + 2 * NN__LANES), w.w10 = NN__(load)(x + 3 * NN__LANES);
    w.w11 = NN__(load)(x + 4 * NN__LANES), w.w12 = NN__(load)(x + 5 * NN__LANES);
    w.w20 = NN__(load)(x + 6 * NN__LANES), w.w21 = NN__(load)(x + 7 * NN__LANES);
    w.w22 = NN__(load)(x + 8 * NN__LANES);
    return w;
}
NN__INLINE void NN__(depthwise_store)(float *y, NN__(depthwise_nine) w) {
    NN__(store)(y, w.w00), NN__(store)(y + NN__LANES, w.w01);
    NN__(store)(y + 2 * NN__LANES, w.w02), NN__(store)(y + 3 * NN__LANES, w.w10);
    NN__(store)(y + 4 * NN__LANES, w.w11), NN__(store)(y + 5 * NN__LANES, w.w12);
    NN__(store)(y + 6 * NN__LANES, w.w20), NN__(store)(y + 7 * NN__LANES, w.w21);
    NN__(store)(y + 8 * NN__LANES, w.w22);
}

/* ---- planes as one row ----------------------------------------------------------------------- */

/* Loads lanes [low, high) of the vector at x; the others are 0. */
NN__INLINE NN__F32 NN__(shift_some)(const float *x, int low, int high) {
    const NN__I32 lanes = NN__(int_lanes)(), from = NN__(int_all)(low);
    const NN__F32 v = NN__(load_up_to)(low > 0 ? x + low : x, nn__maxi(high - nn__maxi(low, 0), 0),
                                       0.0f);
    if (low <= 0) return v;
    return NN__(permute)(v, NN__(int_pick)(NN__(int_less)(lanes, from), NN__(int_all)(NN__LANES),
                                        NN__(int_sub)(lanes, from)));
}

/* Stores the masks of the vectors of a period: without lanes of first columns, without lanes of
   last ones. */
static void NN__(shift_masks)(void *masks, int period, int width) {
    NN__B32 *to = (NN__B32 *)masks;
    int32_t column[NN__LANES];
    const NN__I32 one = NN__(int_all)(1), last = NN__(int_all)(width - 1);
    for (int i = 0; i < period; i++, to += 2) {
        for (int l = 0; l < NN__LANES; l++) column[l] = (i * NN__LANES + l) % width;
        const NN__I32 at = NN__(int_load)(column);
        to[0] = NN__(not)(NN__(int_less)(at, one));
        to[1] = NN__(int_less)(at, last);
    }
}

/* The sums of the left, the middle and the right column of taps, at the places that they read. */
typedef struct NN__(shift_sums) {
    NN__F32 l, m, r;
} NN__(shift_sums);

NN__INLINE NN__(shift_sums) NN__(shift_columns)(NN__F32 a, NN__F32 b, NN__F32 c,
                                                const NN__(depthwise_nine) *w, NN__F32 start) {
    NN__(shift_sums) s;
    s.l = NN__(fma)(c, w->w20, NN__(fma)(b, w->w10, NN__(mul)(a, w->w00)));
    s.m = NN__(fma)(c, w->w21, NN__(fma)(b, w->w11, NN__(fma)(a, w->w01, start)));
    s.r = NN__(fma)(c, w->w22, NN__(fma)(b, w->w12, NN__(mul)(a, w->w02)));
    return s;
}
NN__INLINE NN__(shift_sums) NN__(shift_part)(const nn__shift *f, const float *x, int at,
                                             const NN__(depthwise_nine) *w, NN__F32 start) {
    const int n = f->n, width = f->width;
    return NN__(shift_columns)(NN__(shift_some)(x + at - width, width - at, n + width - at),
                               NN__(shift_some)(x + at, 0, n - at),
                               NN__(shift_some)(x + at + width, 0, n - width - at), w, start);
}

/* The values that a plane needs besides x and y, kept in registers. */
typedef struct NN__(shift_run) {
    NN__(depthwise_nine) w;
    NN__F32 start, before;
    NN__(shift_sums) s; /* of the vector that is next */
    const NN__B32 *mask, *masks, *end;
} NN__(shift_run);

/* Returns the results of a vector from its own sums and from the sums of the vectors before and
   after it. */
NN__INLINE NN__F32 NN__(shift_add)(NN__(shift_run) *r, NN__(shift_sums) next) {
    const NN__B32 *mask = r->mask;
    const NN__F32 left = NN__(keep)(mask[0], NN__(before)(r->before, r->s.l));
    const NN__F32 right = NN__(keep)(mask[1], NN__(after)(r->s.r, next.r));
    const NN__F32 sum = NN__(add)(NN__(add)(r->s.m, left), right);
    r->mask = mask + 2 == r->end ? r->masks : mask + 2;
    r->before = r->s.l, r->s = next;
    return sum;
}

/* clamps, add: the results are clamped, or added to y. */
NN__INLINE void NN__(shift_body)(const nn__shift *f, float *y, const float *x, const float *weight,
                                 float bias, nn__clamp clamp, const bool clamps, const bool add) {
    const int n = f->n, width = f->width;
    /* whole vectors whose taps are all inside: [first, last) */
    const int first = (width + NN__LANES - 1) / NN__LANES * NN__LANES;
    const int last = n < width ? 0 : (n - width) / NN__LANES * NN__LANES;
    NN__(shift_run) r;
    r.w = NN__(depthwise_taps)(weight);
    r.start = NN__(all)(bias), r.before = NN__(all)(0.0f);
    r.mask = r.masks = (const NN__B32 *)f->masks, r.end = r.mask + 2 * f->period;
    r.s = NN__(shift_part)(f, x, 0, &r.w, r.start);
    for (int i = 0; i < n; i += NN__LANES) {
        const int stop = i + NN__LANES >= first ? last - NN__LANES : i;
        for (; i < stop; i += NN__LANES) {
            const float *from = x + i + NN__LANES;
            NN__F32 sum = NN__(shift_add)(
                &r, NN__(shift_columns)(NN__(load_once)(from - width), NN__(load_once)(from),
                                        NN__(load_once)(from + width), &r.w, r.start));
            NN__(ahead)(x + i + NN__SHIFT_AHEAD);
            if (add) sum = NN__(add)(sum, NN__(load)(y + i));
            NN__(store)(y + i, clamps ? NN__(clamped)(sum, clamp) : sum);
        }
        NN__F32 sum =
            NN__(shift_add)(&r, NN__(shift_part)(f, x, i + NN__LANES, &r.w, r.start));
        NN__(ahead)(x + i + NN__SHIFT_AHEAD);
        if (add) sum = NN__(add)(sum, NN__(load_up_to)(y + i, n - i, 0.0f));
        NN__(store_up_to)(y + i, n - i, clamps ? NN__(clamped)(sum, clamp) : sum);
    }
}
static void NN__(shift_plane)(const nn__shift *f, float *y, const float *x, const float *weight,
                              float bias, bool add, nn__clamp clamp) {
    if (add)
        NN__(shift_body)(f, y, x, weight, bias, clamp, true, true);
    else if (clamp)
        NN__(shift_body)(f, y, x, weight, bias, clamp, true, false);
    else
        NN__(shift_body)(f, y, x, weight, bias, NN__CLAMP_NOT, false, false);
}

#ifndef NN_NO_TRAINING
/* The products of a vector of dy with the inputs of a row of taps. The leftmost tap uses positions
   of y to the right of x. */
typedef struct NN__(shift_dots) {
    NN__(depthwise_nine) s;
    NN__F32 before, d, after;
    const NN__B32 *mask, *masks, *end;
} NN__(shift_dots);
NN__INLINE void NN__(shift_above)(NN__(shift_dots) *r, NN__F32 x) {
    r->s.w00 = NN__(fma)(x, r->after, r->s.w00), r->s.w01 = NN__(fma)(x, r->d, r->s.w01);
    r->s.w02 = NN__(fma)(x, r->before, r->s.w02);
}
NN__INLINE void NN__(shift_inside)(NN__(shift_dots) *r, NN__F32 x) {
    r->s.w10 = NN__(fma)(x, r->after, r->s.w10), r->s.w11 = NN__(fma)(x, r->d, r->s.w11);
    r->s.w12 = NN__(fma)(x, r->before, r->s.w12);
}
NN__INLINE void NN__(shift_below)(NN__(shift_dots) *r, NN__F32 x) {
    r->s.w20 = NN__(fma)(x, r->after, r->s.w20), r->s.w21 = NN__(fma)(x, r->d, r->s.w21);
    r->s.w22 = NN__(fma)(x, r->before, r->s.w22);
}
/* Moves on to the next vector of dy. */
NN__INLINE void NN__(shift_next)(NN__(shift_dots) *r, NN__F32 next) {
    r->before = NN__(keep)(r->mask[0], NN__(before)(r->d, next));
    r->d = next;
}
/* Loads the numbers that follow in the row. Called before shift_next. */
NN__INLINE void NN__(shift_after)(NN__(shift_dots) *r, NN__F32 next) {
    r->after = NN__(keep)(r->mask[1], NN__(after)(r->d, next));
    r->mask = r->mask + 2 == r->end ? r->masks : r->mask + 2;
}

/* Adds the products of dy with the inputs of each tap to sums (10 vectors); with bias, also adds dy
   itself to the last one. */
static void NN__(shift_dot)(const nn__shift *f, float *sums, const float *x, const float *dy,
                            bool bias) {
    const int n = f->n, width = f->width;
    const ptrdiff_t ahead = f->ahead;
    const int first = (width + NN__LANES - 1) / NN__LANES * NN__LANES;
    const int last = n < width ? 0 : (n - width) / NN__LANES * NN__LANES;
    NN__(shift_dots) r;
    NN__F32 next;
    r.s = NN__(depthwise_load)(sums);
    r.d = NN__(load_up_to)(dy, n, 0.0f);
    r.mask = r.masks = (const NN__B32 *)f->masks, r.end = r.mask + 2 * f->period;
    r.before = NN__(keep)(r.mask[0], NN__(before)(NN__(all)(0.0f), r.d));
    for (int i = 0; i < n; i += NN__LANES) {
        const float *from = x + i;
        const int stop = i >= first ? last - NN__LANES : i;
        for (; i < stop; i += NN__LANES) {
            from = x + i;
            /* one row after the other, because registers hold no more */
            NN__(shift_after)(&r, NN__(load)(dy + i + NN__LANES));
            NN__(shift_above)(&r, NN__(load_once)(from - width));
            NN__(shift_inside)(&r, NN__(load_once)(from));
            NN__(shift_below)(&r, NN__(load_once)(from + width));
            NN__(shift_next)(&r, NN__(load)(dy + i + NN__LANES));
            NN__(ahead)(from + ahead);
            NN__(ahead)(dy + i + ahead);
        }
        from = x + i;
        next = NN__(shift_some)(dy + i + NN__LANES, 0, n - i - NN__LANES);
        NN__(shift_after)(&r, next);
        NN__(shift_above)(&r, NN__(shift_some)(from - width, width - i, n + width - i));
        NN__(shift_inside)(&r, NN__(shift_some)(from, 0, n - i));
        NN__(shift_below)(&r, NN__(shift_some)(from + width, 0, n - width - i));
        NN__(shift_next)(&r, next);
    }
    NN__(depthwise_store)(sums, r.s);
    if (!bias) return;
    NN__F32 even = NN__(load)(sums + 9 * NN__LANES), odd = NN__(all)(0.0f);
    for (int i = 0; i < n; i += 2 * NN__LANES) {
        even = NN__(add)(even, NN__(load_up_to)(dy + i, n - i, 0.0f));
        odd = NN__(add)(odd, NN__(shift_some)(dy + i + NN__LANES, 0, n - i - NN__LANES));
    }
    NN__(store)(sums + 9 * NN__LANES, NN__(add)(even, odd));
}
#endif

/* ---- planes of less than a vector ------------------------------------------------------------ */

/* y = bias + the sum over taps of weight times input, for n positions of each image. The nine
   weights and the bias, the tenth, have a vector each, and so have the lanes that each tap
   reads. */
#define NN__TURN_9(X)                                                                              \
    X(00, 0) X(01, 1) X(02, 2) X(10, 3) X(11, 4) X(12, 5) X(20, 6) X(21, 7) X(22, 8)
static void NN__(turn_multiply)(float *y, const float *x, const nn__turns *f, const float *weight,
                                int n, int images, nn__clamp clamp) {
    const NN__(depthwise_nine) w = NN__(depthwise_load)(weight);
    const NN__F32 start = NN__(load)(weight + 9 * NN__LANES);
    for (; images > 0; images--, x += f->apart, y += f->apart) {
        const NN__F32 v = NN__(load_up_to)(x, n, 0.0f);
        NN__F32 sum = start;
#define NN__TURN(t, i)                                                                             \
    sum = NN__(fma)(NN__(permute)(v, NN__(int_load)(f->at + i * NN__LANES)), w.w##t, sum);
        NN__TURN_9(NN__TURN)
#undef NN__TURN
        NN__(store_up_to)(y, n, NN__(clamped)(sum, clamp));
    }
}

#ifndef NN_NO_TRAINING
static void NN__(turn_dot)(float *sums, const float *x, const nn__turns *f, const float *dy, int n,
                           int images) {
    NN__(depthwise_nine) s = NN__(depthwise_load)(sums);
    NN__F32 all = NN__(load)(sums + 9 * NN__LANES);
    for (; images > 0; images--, x += f->apart, dy += f->apart) {
        const NN__F32 v = NN__(load_up_to)(x, n, 0.0f), d = NN__(load_up_to)(dy, n, 0.0f);
        all = NN__(add)(all, d);
#define NN__TURN(t, i)                                                                             \
    s.w##t = NN__(fma)(NN__(permute)(v, NN__(int_load)(f->at + i * NN__LANES)), d, s.w##t);
        NN__TURN_9(NN__TURN)
#undef NN__TURN
    }
    NN__(depthwise_store)(sums, s);
    NN__(store)(sums + 9 * NN__LANES, all);
}
#endif
#undef NN__TURN_9

/* ---- strides of two -------------------------------------------------------------------------- */

/* A row of x from column 2 u on: the even columns, the odd ones, and the odd one before each even
   column. */
typedef struct NN__(halve_row) {
    NN__F32 e, o, s;
} NN__(halve_row);

NN__INLINE NN__(halve_row) NN__(halve_take)(const float *row, int u, int left) {
    NN__(halve_row) v;
    const NN__F32 a = NN__(load_up_to)(row + 2 * u, 2 * left, 0.0f);
    const NN__F32 b = NN__(load_up_to)(row + 2 * u + NN__LANES, nn__maxi(2 * left - NN__LANES, 0),
                                       0.0f);
    v.e = NN__(evens)(a, b), v.o = NN__(odds)(a, b);
    v.s = NN__(before)(NN__(all)(u > 0 ? row[2 * u - 1] : 0.0f), v.o);
    return v;
}

/* Prefetches n numbers of the next plane, because the hardware prefetcher stops at the end of each
   plane. */
NN__INLINE void NN__(halve_ahead)(const float *x, int n) {
    for (int i = 0; i < n; i += 16) NN__(ahead)(x + i);
}

/* Computes a plane of y (height, width) from one of x (2 height, 2 width). */
static void NN__(halve_forward)(float *y, const float *x, const float *weight, float bias,
                                int height, int width, nn__clamp clamp) {
    const NN__(depthwise_nine) w = NN__(depthwise_taps)(weight);
    const NN__F32 start = NN__(all)(bias);
    for (int u = 0; u < width; u += NN__LANES) {
        NN__(halve_row) r0, r1, r2;
        const float *from = x;
        r0.e = r0.o = r0.s = NN__(all)(0.0f);
        for (int q = 0; q < height; q++, from += 4 * (ptrdiff_t)width) {
            NN__F32 sum = NN__(fma)(r0.s, w.w00, start);
            if (u == 0) NN__(halve_ahead)(from + 4 * (ptrdiff_t)height * width, 4 * width);
            sum = NN__(fma)(r0.e, w.w01, sum), sum = NN__(fma)(r0.o, w.w02, sum);
            r1 = NN__(halve_take)(from, u, width - u);
            sum = NN__(fma)(r1.s, w.w10, sum), sum = NN__(fma)(r1.e, w.w11, sum);
            sum = NN__(fma)(r1.o, w.w12, sum);
            r2 = NN__(halve_take)(from + 2 * (ptrdiff_t)width, u, width - u);
            sum = NN__(fma)(r2.o, w.w22, sum), sum = NN__(fma)(r2.e, w.w21, sum);
            sum = NN__(fma)(r2.s, w.w20, sum);
            r0 = r2;
            NN__(store_up_to)(y + (ptrdiff_t)q * width + u, width - u,
                              NN__(clamped)(sum, clamp));
        }
    }
}

NN__INLINE void NN__(halve_put)(float *y, NN__F32 even, NN__F32 odd, int left, bool add) {
    const int more = nn__maxi(2 * left - NN__LANES, 0);
    NN__F32 a = NN__(zip_low)(even, odd), b = NN__(zip_high)(even, odd);
    if (add) {
        a = NN__(add)(a, NN__(load_up_to)(y, 2 * left, 0.0f));
        b = NN__(add)(b, NN__(load_up_to)(y + NN__LANES, more, 0.0f));
    }
    NN__(store_up_to)(y, 2 * left, a);
    NN__(store_up_to)(y + NN__LANES, more, b);
}

/* Computes dx from dy, or adds it to dx. */
static void NN__(halve_input)(float *dx, const float *dy, const float *weight, float bias,
                              int height, int width, bool add) {
    const NN__(depthwise_nine) w = NN__(depthwise_taps)(weight);
    const NN__F32 start = NN__(all)(bias), zero = NN__(all)(0.0f);
    for (int u = 0; u < width; u += NN__LANES) {
        const int left = width - u;
        NN__F32 v0 = NN__(load_up_to)(dy + u, left, 0.0f), v1,
                t0 = NN__(load_up_to)(dy + u + 1, left - 1, 0.0f), t1;
        for (int q = 0; q < height; q++, v0 = v1, t0 = t1) {
            const float *from = dy + ((ptrdiff_t)q + 1) * width + u;
            float *to = dx + 4 * (ptrdiff_t)q * width + 2 * u;
            NN__F32 even = NN__(fma)(v0, w.w11, start),
                    odd = NN__(fma)(t0, w.w10, NN__(fma)(v0, w.w12, start));
            if (u == 0) NN__(halve_ahead)(from + ((ptrdiff_t)height - 1) * width, width);
            v1 = q + 1 < height ? NN__(load_up_to)(from, left, 0.0f) : zero;
            t1 = q + 1 < height ? NN__(load_up_to)(from + 1, left - 1, 0.0f) : zero;
            NN__(halve_put)(to, even, odd, left, add);
            even = NN__(fma)(v1, w.w01, NN__(fma)(v0, w.w21, start));
            odd = NN__(fma)(t0, w.w20, NN__(fma)(v0, w.w22, start));
            odd = NN__(fma)(t1, w.w00, NN__(fma)(v1, w.w02, odd));
            NN__(halve_put)(to + 2 * (ptrdiff_t)width, even, odd, left, add);
        }
    }
}

#ifndef NN_NO_TRAINING
/* sums (10 vectors) += the products of dy with the input of each tap, and dy itself. */
static void NN__(halve_dot)(float *sums, const float *x, const float *dy, int height, int width) {
    NN__(depthwise_nine) d = NN__(depthwise_load)(sums);
    NN__F32 all = NN__(load)(sums + 9 * NN__LANES);
    for (int u = 0; u < width; u += NN__LANES) {
        NN__(halve_row) r0, r1;
        const float *from = x;
        r0.e = r0.o = r0.s = NN__(all)(0.0f);
        for (int q = 0; q < height; q++, from += 4 * (ptrdiff_t)width) {
            const NN__F32 y = NN__(load_up_to)(dy + (ptrdiff_t)q * width + u, width - u, 0.0f);
            all = NN__(add)(all, y);
            d.w00 = NN__(fma)(r0.s, y, d.w00), d.w01 = NN__(fma)(r0.e, y, d.w01);
            d.w02 = NN__(fma)(r0.o, y, d.w02);
            r1 = NN__(halve_take)(from, u, width - u);
            d.w10 = NN__(fma)(r1.s, y, d.w10), d.w11 = NN__(fma)(r1.e, y, d.w11);
            d.w12 = NN__(fma)(r1.o, y, d.w12);
            r0 = NN__(halve_take)(from + 2 * (ptrdiff_t)width, u, width - u);
            d.w20 = NN__(fma)(r0.s, y, d.w20), d.w21 = NN__(fma)(r0.e, y, d.w21);
            d.w22 = NN__(fma)(r0.o, y, d.w22);
        }
    }
    NN__(depthwise_store)(sums, d);
    NN__(store)(sums + 9 * NN__LANES, all);
}
#endif
#endif

static const nn__depthwise_loops NN__(depthwise_loops) = {
    NN__LANES, sizeof(NN__B32), NN__(depthwise_multiply),
#if NN__LANES > 1
    NN__(shift_masks), NN__(shift_plane), NN__(turn_multiply), NN__(halve_forward),
    NN__(halve_input),
#else
    NULL, NULL, NULL, NULL, NULL,
#endif
#ifndef NN_NO_TRAINING
    NN__(depthwise_dot),
#if NN__LANES > 1
    NN__(shift_dot), NN__(turn_dot), NN__(halve_dot)
#else
    NULL, NULL, NULL
#endif
#endif
};
#endif
