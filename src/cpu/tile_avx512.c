/* cpu/tile_avx512.c - tiles of 14 rows and 32 columns for AVX-512F. kernels/matmul/cpu.c cuts
   matrices into such tiles; cpu/gemm_plain.c does the same in plain C and is easier to read. */
#include "cpu/gemm.h"

#ifdef NN__HAVE_X86

#define NN__GEMM_AVX512 NN__TARGET("avx512f")

/* As in cpu/gemm_avx512.c. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

/* Row i, and the largest row count that still has it, for every row of a tile. Accumulators have
   names, since compilers keep arrays of vectors in memory. */
#define NN__GEMM_ROWS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13)

/* Each line once: what asks takes turns with the sums. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 const char *nn__avx512_ask(const nn__ahead *ahead,
                                                                    const char *at, int rows) {
    for (int e = 0; e < rows; e++, at += ahead->row)
        for (const char *line = at - ((uintptr_t)at & 63); line < at + ahead->bytes; line += 64)
            _mm_prefetch(line, _MM_HINT_T1);
    return at;
}

/* copies: b comes from rows of a matrix that are from_row apart, and is left in its strip. */
static NN__ALWAYS_INLINE NN__GEMM_AVX512 void nn__avx512_body(const nn__tile *t,
                                                              const nn__ahead *ahead,
                                                              const int rows,
                                                              const nn__avx512_width width,
                                                              const bool copies,
                                                              const bool asks, const bool even,
                                                              float *strip,
                                                              const float *from,
                                                              ptrdiff_t from_row) {
    const __mmask16 all = (__mmask16)0xffff;
    const bool wide = width != NN__AVX512_NARROW, whole = width == NN__AVX512_WHOLE;
    const int columns = whole ? 32 : t->columns, narrow = nn__mini(columns, 16);
    const __mmask16 mask0 =
        whole || (wide && !copies) ? all : (__mmask16)((1u << narrow) - 1u);
    const __mmask16 mask1 = whole  ? all
                            : wide ? (__mmask16)((1u << (columns - narrow)) - 1u)
                                   : (__mmask16)0;
    const int32_t *offset = t->b_offset;
    const float *b = t->b;
    const ptrdiff_t a_step = t->a_step, y_row = t->y_row, wanted = t->wanted;
    const int depth = t->depth;
    float *y = t->y;
    ptrdiff_t q = 0;
    const int size = (int)sizeof(float);
    const ptrdiff_t once = even ? t->a_row * size : 0, step = a_step * size;
    ptrdiff_t thrice = 3 * once;
    const char *first = (const char *)t->a[0], *sixth = first + 5 * once,
               *eleventh = sixth + 5 * once;
    NN__KEEP_REGISTER(thrice);
    /* when the sums are done, y is near; if short rows, it is small and near already */
    if (!asks && (depth >= NN__DEEP || (depth >= 32 && y_row >= 256)))
        for (int i = 0; i < rows; i++) {
            _mm_prefetch((const char *)(y + i * y_row), _MM_HINT_T0);
            if (wide) _mm_prefetch((const char *)(y + i * y_row + 16), _MM_HINT_T0);
            _mm_prefetch((const char *)(y + i * y_row + columns - 1), _MM_HINT_T0);
        }
    /* the same in turns with the sums: all at once would fill the machine's list of lines that are
       on their way */
    const int parts = asks ? (depth + 15) / 16 : 1;
    const int visits = asks ? (rows + parts - 1) / parts : 0;
    const char *at[2] = {NULL, NULL};
    int visit = 0, each[2] = {0, 0};
    for (int w = 0; asks && w < 2; w++) {
        at[w] = ahead[w].at;
        each[w] = (ahead[w].rows + parts - 1) / parts;
    }
#define NN__X(i)                                                                                   \
    const float *a##i = even ? NULL : t->a[i < rows ? i : 0];                                      \
    __m512 low##i = _mm512_setzero_ps(), high##i = low##i;
    NN__GEMM_ROWS(NN__X)
#undef NN__X
    for (int p = 0; p < depth;) {
        const int stop = asks ? nn__mini(depth, p + 16) : depth;
        for (int e = 0; e < visits && visit < rows; e++, visit++) {
            const char *line = (const char *)(y + visit * y_row);
            _mm_prefetch(line, _MM_HINT_T0);
            if (wide) _mm_prefetch(line + 64, _MM_HINT_T0);
            _mm_prefetch(line + (columns - 1) * size, _MM_HINT_T0);
        }
        for (int w = 0; asks && w < 2; w++)
            at[w] = nn__avx512_ask(ahead + w, at[w], each[w]);
        for (; p < stop; p++, q += a_step) {
            if (even) {
                NN__KEEP_REGISTER(first);
                if (rows > 5) NN__KEEP_REGISTER(sixth);
                if (rows > 10) NN__KEEP_REGISTER(eleventh);
            }
            const float *row = copies ? from : b + offset[p];
            const __m512 b0 = _mm512_maskz_loadu_ps(mask0, row);
            const __m512 b1 = wide ? _mm512_maskz_loadu_ps(mask1, row + 16) : b0;
            if (copies) {
                _mm_prefetch((const char *)(from + NN__TILE_AHEAD * from_row), _MM_HINT_T0);
                _mm_prefetch((const char *)(from + NN__TILE_AHEAD * from_row + 31), _MM_HINT_T0);
                _mm512_storeu_ps(strip, b0);
                _mm512_storeu_ps(strip + 16, b1);
                strip += 32;
                from += from_row;
            } else if (wide && rows <= 8 && wanted) {
                _mm_prefetch((const char *)(row + wanted), _MM_HINT_T0);
                _mm_prefetch((const char *)(row + wanted + 16), _MM_HINT_T0);
            }
#define NN__X(i)                                                                                   \
        if (i < rows) {                                                                            \
            const __m512 value =                                                                   \
                even ? nn__avx512_value(i < 5 ? first : i < 10 ? sixth : eleventh, once, thrice,   \
                                        i % 5)                                                     \
                     : _mm512_set1_ps(a##i[q]);                                                    \
            low##i = _mm512_fmadd_ps(value, b0, low##i);                                           \
            if (wide) high##i = _mm512_fmadd_ps(value, b1, high##i);                               \
        }
            NN__GEMM_ROWS(NN__X)
#undef NN__X
            first += step, sixth += step, eleventh += step;
        }
    }
    if (t->add) {
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        low##i = _mm512_add_ps(low##i, _mm512_maskz_loadu_ps(mask0, y + i * y_row));               \
        if (wide)                                                                                  \
            high##i = _mm512_add_ps(high##i, _mm512_maskz_loadu_ps(mask1, y + i * y_row + 16));    \
    }
        NN__GEMM_ROWS(NN__X)
#undef NN__X
    }
#define NN__X(i)                                                                                   \
    if (i < rows) {                                                                                \
        _mm512_mask_storeu_ps(y + i * y_row, mask0, low##i);                                       \
        if (wide && mask1 == all) /* what is written without a mask can be read back at once */    \
            _mm512_storeu_ps(y + i * y_row + 16, high##i);                                         \
        else if (wide)                                                                             \
            _mm512_mask_storeu_ps(y + i * y_row + 16, mask1, high##i);                             \
    }
    NN__GEMM_ROWS(NN__X)
#undef NN__X
}

/* Tiles of a matrix's last columns have a pointer to each row of a: so there are fewer kinds. */
#define NN__X(i)                                                                                   \
    static NN__GEMM_AVX512 void nn__avx512_narrow##i(const nn__tile *t) {                          \
        nn__avx512_body(t, NULL, i + 1, NN__AVX512_NARROW, false, false, false, NULL, NULL, 0);    \
    }                                                                                              \
    static NN__GEMM_AVX512 void nn__avx512_edge##i(const nn__tile *t) {                            \
        nn__avx512_body(t, NULL, i + 1, NN__AVX512_EDGE, false, false, false, NULL, NULL, 0);      \
    }                                                                                              \
    static NN__GEMM_AVX512 void nn__avx512_wide##i(const nn__tile *t) {                            \
        if (i >= 5 && t->a_row)                                                                    \
            nn__avx512_body(t, NULL, i + 1, NN__AVX512_WHOLE, false, false, true, NULL, NULL, 0);  \
        else                                                                                       \
            nn__avx512_body(t, NULL, i + 1, NN__AVX512_WHOLE, false, false, false, NULL, NULL, 0); \
    }
NN__GEMM_ROWS(NN__X)
#undef NN__X

static NN__GEMM_AVX512 void nn__avx512_copy_edge(const nn__tile *t, const nn__ahead *ahead,
                                                 float *strip, const float *from,
                                                 ptrdiff_t from_row) {
    nn__avx512_body(t, ahead, 14, NN__AVX512_EDGE, true, true, true, strip, from, from_row);
}

static NN__GEMM_AVX512 void nn__avx512_copy_whole(const nn__tile *t, const nn__ahead *ahead,
                                                  float *strip, const float *from,
                                                  ptrdiff_t from_row) {
    nn__avx512_body(t, ahead, 14, NN__AVX512_WHOLE, true, true, true, strip, from, from_row);
}

NN_PRIVATE void nn__avx512_tile_copy(const nn__tile *t, const nn__ahead *ahead, float *strip,
                                     const float *from, ptrdiff_t from_row) {
    (t->columns == 32 ? nn__avx512_copy_whole : nn__avx512_copy_edge)(t, ahead, strip, from,
                                                                      from_row);
}

NN_PRIVATE void nn__avx512_tile(const nn__tile *t) {
    switch (t->rows * 3 + (t->columns > 16) + (t->columns == 32)) {
#define NN__X(i)                                                                                   \
    case 3 * i + 3: nn__avx512_narrow##i(t); break;                                                \
    case 3 * i + 4: nn__avx512_edge##i(t); break;                                                  \
    case 3 * i + 5: nn__avx512_wide##i(t); break;
        NN__GEMM_ROWS(NN__X)
#undef NN__X
    default: break;
    }
}

/* The heights that the tiles of large products have. */
#define NN__TALL(X) X(11) X(12) X(13)
#define NN__X(i)                                                                                   \
    static NN__GEMM_AVX512 void nn__avx512_tall##i(const nn__tile *t, const nn__ahead *ahead) {    \
        nn__avx512_body(t, ahead, i + 1, NN__AVX512_WHOLE, false, true, true, NULL, NULL, 0);      \
    }
NN__TALL(NN__X)
#undef NN__X

NN_PRIVATE void nn__avx512_tile_ahead(const nn__tile *t, const nn__ahead *ahead) {
    switch (t->depth < NN__DEEP || t->columns < 32 ? 0 : t->rows) {
#define NN__X(i) case i + 1: nn__avx512_tall##i(t, ahead); break;
        NN__TALL(NN__X)
#undef NN__X
    default: nn__avx512_tile(t); break;
    }
}
#undef NN__TALL

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#undef NN__GEMM_AVX512
#undef NN__GEMM_ROWS
#else
typedef int nn__avx512_tile_empty; /* ISO C wants something in a file */
#endif
