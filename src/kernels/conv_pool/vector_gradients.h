/* kernels/conv_pool/vector_gradients.h - the loops of gradients: lists of maxima, and sums of the
   weights without lists. A part of kernels/conv_pool/vector.h. */
#ifdef NN__SET

/* ---- lists of maxima: kernels/conv_pool/cpu_lists.c ------------------------------------------ */

#ifndef NN__SET_PORTABLE_AVX512 /* its sum over the lanes is that of eight lanes */
static void NN__(conv_pool_list)(nn__conv_pool_list *list, const nn__conv_pool_maxima *m) {
    const NN__F32 zero = NN__(all)(0.0f);
    const NN__I32 three = NN__(int_all)(3);
    NN__F32 sum = zero;
    float move[8] = {0};
    int count = 0;
    memcpy(move, m->move, sizeof m->move);
    for (int i = 0; i < m->count; i += NN__LANES) {
        const int n = m->count - i;
        const NN__F32 dy = NN__(load_up_to)(m->dy + i, n, 0.0f);
        NN__B32 live = NN__(not)(NN__(equal)(dy, zero));
        if (m->relu)
            live = NN__(both)(live, NN__(not)(NN__(less_equal)(
                                        NN__(load_up_to)(m->y + i, n, 0.0f), zero)));
        const NN__I32 window =
            n >= NN__LANES ? NN__(int_load)(m->window + i) : NN__(int_load_some)(m->window + i, n);
        const NN__F32 moved =
            NN__(look_up8)(move, NN__(int_and)(NN__(int_load_u8_up_to)(m->place + i, n), three));
        sum = NN__(add)(sum, NN__(keep)(live, dy));
        NN__(int_pack)(list->at + count, live, NN__(int_add)(window, NN__(bits)(moved)));
        count += NN__(pack)(list->value + count, live, dy);
    }
    list->count = count;
    list->sum = NN__(sum)(sum);
}
#endif

/* Repeats X(r, v) for every row r and vector v of the largest piece of taps. */
#define NN__TAPS_OF_4(X)                                                                           \
    X(0, 0) X(0, 1) X(0, 2) X(0, 3) X(1, 0) X(1, 1) X(1, 2) X(1, 3) X(2, 0) X(2, 1) X(2, 2) X(2, 3)
#if NN__REGISTERS == 32
#define NN__TAPS(X) NN__TAPS_OF_4(X) X(0, 4) X(0, 5) X(1, 4) X(1, 5) X(2, 4) X(2, 5)
#else
#define NN__TAPS(X) NN__TAPS_OF_4(X)
#endif

/* from: where the piece begins in the taps. twice: a small piece is summed in two streams, because
   each addition waits for the one before it. */
NN__INLINE void NN__(conv_pool_piece)(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                                      int lists, int row, int first, const int rows,
                                      const int vectors, const bool twice) {
    const ptrdiff_t tap_row = t->tap_row, band_row = t->band_row, from = row * tap_row + first;
    const float *band = t->band + row * band_row + first;
    const int rest = t->floats - first - NN__LANES * (vectors - 1);
    for (; lists > 0; lists--, list++) {
        const float *value = list->value;
        const int32_t *at = list->at;
        const int count = list->count;
        float *taps = list->taps + from;
        int i = 0;
        if (!count) continue;
#define NN__X(r, v)                                                                                \
        NN__F32 s##r##v = NN__(all)(0.0f), u##r##v = s##r##v;                                      \
        if (r < rows && v < vectors) s##r##v = NN__(load)(taps + r * tap_row + v * NN__LANES);
        NN__TAPS(NN__X)
#undef NN__X
        for (; twice && i + 2 <= count; i += 2) {
            const float *x0 = band + at[i], *x1 = band + at[i + 1];
            const NN__F32 d0 = NN__(all)(value[i]), d1 = NN__(all)(value[i + 1]);
#define NN__X(r, v)                                                                                \
            if (twice && r < rows && v < vectors) {                                                \
                s##r##v = NN__(fma)(d0, NN__(load)(x0 + r * band_row + v * NN__LANES), s##r##v);   \
                u##r##v = NN__(fma)(d1, NN__(load)(x1 + r * band_row + v * NN__LANES), u##r##v);   \
            }
            NN__TAPS(NN__X)
#undef NN__X
        }
        for (; i < count; i++) {
            const float *x0 = band + at[i];
            const NN__F32 d0 = NN__(all)(value[i]);
#define NN__X(r, v)                                                                                \
            if (r < rows && v < vectors)                                                           \
                s##r##v = NN__(fma)(d0, NN__(load)(x0 + r * band_row + v * NN__LANES), s##r##v);
            NN__TAPS(NN__X)
#undef NN__X
        }
#define NN__X(r, v)                                                                                \
        if (r < rows && v < vectors) {                                                             \
            if (twice) s##r##v = NN__(add)(s##r##v, u##r##v);                                      \
            if (v < vectors - 1)                                                                   \
                NN__(store)(taps + r * tap_row + v * NN__LANES, s##r##v);                          \
            else                                                                                   \
                NN__(store_up_to)(taps + r * tap_row + v * NN__LANES, rest, s##r##v);              \
        }
        NN__TAPS(NN__X)
#undef NN__X
    }
}

#ifdef NN__SET_PORTABLE_AVX512
/* Uses the same pieces as vectors with eight lanes do, so that the same ones are summed in two
   streams. */
static void NN__(conv_pool_sum)(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                                int lists) {
    for (int r = 0, rows; r < t->rows; r += rows) {
        rows = t->rows - r >= 3 ? 3 : 1;
        for (int f = 0, eights; f < t->floats; f += 8 * eights) {
            eights = nn__mini(nn__ceil_div(t->floats - f, 8), 4);
            if (rows == 1 && eights <= 2)
                NN__(conv_pool_piece)(t, list, lists, r, f, 1, 1, true);
            else if (rows == 1) NN__(conv_pool_piece)(t, list, lists, r, f, 1, 2, true);
            else if (eights == 1) NN__(conv_pool_piece)(t, list, lists, r, f, 3, 1, true);
            else if (eights == 2) NN__(conv_pool_piece)(t, list, lists, r, f, 3, 1, false);
            else NN__(conv_pool_piece)(t, list, lists, r, f, 3, 2, false);
        }
    }
}
#else
/* Cuts the taps into pieces with as many rows and vectors as there are registers. */
static void NN__(conv_pool_sum)(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                                int lists) {
    for (int r = 0, rows; r < t->rows; r += rows) {
        rows = t->rows - r >= 3 ? 3 : 1;
        for (int f = 0, vectors; f < t->floats; f += vectors * NN__LANES) {
            const int left = nn__ceil_div(t->floats - f, NN__LANES);
            vectors = nn__mini(left, 4);
#if NN__REGISTERS == 32
            if (left >= 6) vectors = 6;
#endif
            switch (8 * rows + vectors) {
#define NN__X(rows, vectors)                                                                       \
            case 8 * rows + vectors:                                                               \
                NN__(conv_pool_piece)(t, list, lists, r, f, rows, vectors,                         \
                                      NN__LANES > 1 && (rows) * (vectors) <= 4);                   \
                break;
            NN__X(1, 1) NN__X(1, 2) NN__X(1, 3) NN__X(1, 4)
            NN__X(3, 1) NN__X(3, 2) NN__X(3, 3) NN__X(3, 4)
#if NN__REGISTERS == 32
            NN__X(1, 6) NN__X(3, 6)
#endif
#undef NN__X
            default: break;
            }
        }
    }
}
#endif
#undef NN__TAPS_OF_4
#undef NN__TAPS

/* ---- gradients without lists: kernels/conv_pool/cpu_gather.c --------------------------------- */

#if NN__LANES == 16 && !defined(NN__SET_PORTABLE_AVX512)
/* Loads columns 2 i - padding to 2 i + 3 - padding of each window i. With a padding of 1 the first
   is the odd column of the window before. */
static void NN__(conv_pool_line_points)(const float *x, int padding, int width, int vectors,
                                        float *to) {
    NN__F32 even, odd, next_even, next_odd, last_odd = NN__(all)(0.0f);
    NN__(conv_pool_part)(x, width, &even, &odd);
    for (int v = 0; v < vectors; v++, to += 4 * NN__LANES) {
        const int at = nn__mini(2 * NN__LANES * (v + 1), width);
        NN__(conv_pool_part)(x + at, width - at, &next_even, &next_odd);
        const NN__F32 x0 = padding ? NN__(before)(last_odd, odd) : even,
                      x1 = padding ? even : odd,
                      x2 = padding ? odd : NN__(after)(even, next_even),
                      x3 = padding ? NN__(after)(even, next_even) : NN__(after)(odd, next_odd);
        NN__(store)(to, NN__(sub)(x0, x2));
        NN__(store)(to + NN__LANES, NN__(add)(x1, x2));
        NN__(store)(to + 2 * NN__LANES, NN__(sub)(x2, x1));
        NN__(store)(to + 3 * NN__LANES, NN__(sub)(x1, x3));
        last_odd = odd, even = next_even, odd = next_odd;
    }
}

/* Stores for each vector the gradients and four masks: the windows with a gradient, and of these
   the windows whose maximum is on the left, on the right, and in the lower row. */
static void NN__(conv_pool_take)(const nn__conv_pool_gather *g, const nn__conv_pool_maxima *m,
                                 int which, float *total) {
    const NN__F32 zero = NN__(all)(0.0f);
    const NN__I32 one = NN__(int_all)(1), two = NN__(int_all)(2);
    NN__F32 sum = NN__(load)(total);
    float *to = g->taken + which * NN__LANES;
    const ptrdiff_t one_mask = (ptrdiff_t)sizeof(NN__B32);
    char *mask = (char *)g->masks + 4 * which * one_mask;
    for (int t = 0; t < g->rows; t++)
        for (int q = 0; q < g->width; q += NN__LANES, to += 2 * NN__LANES) {
            const int at = t * g->width + q, n = g->width - q;
            const NN__F32 d = NN__(load_up_to)(m->dy + at, n, 0.0f);
            NN__B32 live = NN__(not)(NN__(equal)(d, zero));
            if (m->relu)
                live = NN__(both)(live, NN__(not)(NN__(less_equal)(
                                            NN__(load_up_to)(m->y + at, n, 0.0f), zero)));
            const NN__I32 places = NN__(int_load_u8_up_to)(m->place + at, n);
            const NN__B32 right = NN__(int_equal)(NN__(int_and)(places, one), one);
            sum = NN__(add)(sum, NN__(keep)(live, d));
            NN__(store)(to, d);
            NN__(store_mask)(mask, live);
            NN__(store_mask)(mask + one_mask, NN__(both)(live, NN__(not)(right)));
            NN__(store_mask)(mask + 2 * one_mask, NN__(both)(live, right));
            NN__(store_mask)(mask + 3 * one_mask,
                             NN__(int_equal)(NN__(int_and)(places, two), two));
            mask += 8 * one_mask;
        }
    NN__(store)(total, sum);
}

#define NN__GATHER_ALL(X, k)                                                                       \
    X(k, 0, 0) X(k, 0, 1) X(k, 0, 2) X(k, 0, 3) X(k, 1, 0) X(k, 1, 1) X(k, 1, 2) X(k, 1, 3)        \
    X(k, 2, 0) X(k, 2, 1) X(k, 2, 2) X(k, 2, 3)
#define NN__GATHER_BEGIN(k, r, j)                                                                  \
    NN__F32 s##k##r##j = NN__(load)(sums + (k)*g->next_sums + ((r)*4 + (j)) * NN__LANES);
#define NN__GATHER_END(k, r, j)                                                                    \
    NN__(store)(sums + (k)*g->next_sums + ((r)*4 + (j)) * NN__LANES, s##k##r##j);
/* Adds to the sums of point j for one row of taps. A window reads the upper row of x if its maximum
   is in the upper row. Lanes outside the mask keep their sums; AVX-512 does this in the same
   instruction. */
#define NN__GATHER_TAP(s, k, fma, up, down)                                                        \
    s = NN__(pick)(some##k, NN__(fma)(NN__(pick)(below##k, down, up), d##k, s), s);
#define NN__GATHER_POINT(j, fma)                                                                   \
    {                                                                                              \
        const NN__F32 x0 = NN__(load_once)(x + (j)*NN__LANES),                                     \
                      x1 = NN__(load_once)(x + row + (j)*NN__LANES),                               \
                      x2 = NN__(load_once)(x + 2 * row + (j)*NN__LANES),                           \
                      x3 = NN__(load_once)(x + 3 * row + (j)*NN__LANES);                           \
        NN__GATHER_TAP(s00##j, 0, fma, x0, x1)                                                     \
        NN__GATHER_TAP(s01##j, 0, fma, x1, x2)                                                     \
        NN__GATHER_TAP(s02##j, 0, fma, x2, x3)                                                     \
        NN__GATHER_TAP(s10##j, 1, fma, x0, x1)                                                     \
        NN__GATHER_TAP(s11##j, 1, fma, x1, x2)                                                     \
        NN__GATHER_TAP(s12##j, 1, fma, x2, x3)                                                     \
    }
#define NN__GATHER_MASK(i) NN__(load_mask)(mask + (i) * (ptrdiff_t)sizeof(NN__B32))
static void NN__(conv_pool_gather)(const nn__conv_pool_gather *g) {
    const float *taken = g->taken, *x = g->points;
    const char *mask = (const char *)g->masks;
    const ptrdiff_t row = (ptrdiff_t)g->vectors * 4 * NN__LANES;
    float *sums = g->sums;
    NN__GATHER_ALL(NN__GATHER_BEGIN, 0)
    NN__GATHER_ALL(NN__GATHER_BEGIN, 1)
    for (int t = 0; t < g->rows; t++, x += row)
        for (int v = 0; v < g->vectors; v++, x += 4 * NN__LANES) {
            const NN__F32 zero = NN__(all)(0.0f);
            const NN__B32 below0 = NN__GATHER_MASK(3), below1 = NN__GATHER_MASK(7),
                          right0 = NN__GATHER_MASK(2), right1 = NN__GATHER_MASK(6);
            NN__F32 d0 = NN__(load_once)(taken), d1 = NN__(load_once)(taken + NN__LANES);
            NN__B32 some0 = NN__GATHER_MASK(0), some1 = NN__GATHER_MASK(4);
            NN__GATHER_POINT(1, fma)
            d0 = NN__(pick)(right0, NN__(sub)(zero, d0), d0);
            d1 = NN__(pick)(right1, NN__(sub)(zero, d1), d1);
            NN__GATHER_POINT(2, fma)
            some0 = NN__GATHER_MASK(1), some1 = NN__GATHER_MASK(5);
            NN__GATHER_POINT(0, fma)
            some0 = right0, some1 = right1;
            NN__GATHER_POINT(3, fnma) /* its sign was changed */
            taken += 2 * NN__LANES;
            mask += 8 * (ptrdiff_t)sizeof(NN__B32);
        }
    NN__GATHER_ALL(NN__GATHER_END, 0)
    NN__GATHER_ALL(NN__GATHER_END, 1)
}
#undef NN__GATHER_ALL
#undef NN__GATHER_BEGIN
#undef NN__GATHER_END
#undef NN__GATHER_TAP
#undef NN__GATHER_MASK
#undef NN__GATHER_POINT

static void NN__(conv_pool_add_up)(const float *from, int count, float *to) {
    for (int i = 0; i < count; i++) to[i] = NN__(sum)(NN__(load)(from + NN__LANES * i));
}
#endif
#endif
