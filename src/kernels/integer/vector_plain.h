/* kernels/integer/vector_plain.h - the loops of integer kernels in plain C. */
#ifdef NN__SET_PLAIN
/* A tile of this set has one row. */
static void NN__(integer_tile)(const nn__integer_tile *t) {
    const int8_t *x = (const int8_t *)t->x, *w = (const int8_t *)t->w;
    int32_t a = t->start[0], b = t->start[1], c = t->start[2], d = t->start[3];
    for (int p = 0; p < t->steps; p++, w += 4) {
        const int32_t v = x[p];
        /* the sum wraps */
        a = (int32_t)((uint32_t)a + (uint32_t)(v * w[0]));
        b = (int32_t)((uint32_t)b + (uint32_t)(v * w[1]));
        c = (int32_t)((uint32_t)c + (uint32_t)(v * w[2]));
        d = (int32_t)((uint32_t)d + (uint32_t)(v * w[3]));
    }
    t->sums[0] = a, t->sums[1] = b, t->sums[2] = c, t->sums[3] = d;
}

static void NN__(integer_widen)(void *to, const int8_t *x, int n) {
    memcpy(to, x, (size_t)n);
}

static void NN__(integer_requantize)(int8_t *y, ptrdiff_t y_row, const int32_t *sums, int lanes,
                                     int rows, const nn__integer_out *out, int n) {
    int i = 0;
    for (; i < n; i++)
        for (int r = 0; r < rows; r++)
            y[r * y_row + i] = nn__integer_one(sums[r * lanes + i], out, i);
}

static void NN__(integer_depthwise)(int32_t *sums, const int32_t *start,
                                    const int8_t *const *taps, const int16_t *w, ptrdiff_t w_row,
                                    int count, int n) {
    for (int c = 0; c < n; c++) {
        uint32_t sum = (uint32_t)start[c];
        for (int t = 0; t < count; t++) sum += (uint32_t)(taps[t][c] * w[t * w_row + c]);
        sums[c] = (int32_t)sum;
    }
}

static void NN__(integer_largest)(int8_t *y, const int8_t *const *taps, int count, int n) {
    for (int c = 0; c < n; c++) {
        int8_t largest = taps[0][c];
        for (int t = 1; t < count; t++)
            if (taps[t][c] > largest) largest = taps[t][c];
        y[c] = largest;
    }
}

static void NN__(integer_add)(int8_t *y, const int8_t *a, const int8_t *b, const int32_t *numbers,
                              int n) {
    for (int i = 0; i < n; i++) y[i] = nn__integer_add_one(a[i], b[i], numbers);
}

static const nn__integer_loops NN__(integer_loops) = {
    1, 4, 1, 1, 1, 0, NN__(integer_tile), NN__(integer_widen), NN__(integer_requantize),
    NN__(integer_depthwise), NN__(integer_largest), NN__(integer_add), NN__(integer_quantize),
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
#endif
