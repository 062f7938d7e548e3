/* kernels/pool2d/cpu_halve.c - largest numbers of windows of two or three columns that lie two
   apart, as nets halve their pictures. A row of x first gives its largest numbers of two or three,
   once for all windows that it is in; then the rows of a window are compared, in their order: the
   first of equal numbers wins, as in plain loops. */
#include "kernels/pool2d/cpu.h"

#include <math.h>

#ifdef NN__VECTOR8

#define NN__POOL2D_WIDE 512 /* columns of y at a time */
#define NN__POOL2D_HIGH 4   /* rows of a window, at most */

/* The largest numbers of a few rows of x, each at the row's number modulo their count. */
typedef struct nn__pool2d_rows {
    float best[NN__POOL2D_HIGH][NN__POOL2D_WIDE];
    int32_t where[NN__POOL2D_HIGH][NN__POOL2D_WIDE];
} nn__pool2d_rows;

/* row: of columns [from, from + n) of y and of row h of x, which starts at x; false: there is a
   NaN. merge: those of rows [h0, h1) into n numbers of y, and their places into index, which may be
   NULL in both. */
#define NN__POOL2D_BODIES(name, target)                                                            \
    static target bool name##_row(const nn__pool2d_plane *p, const float *x, int h, int from,      \
                                  int n, float *best, int32_t *where) {                            \
        const bool three = p->kernel_w == 3;                                                       \
        bool good = true;                                                                          \
        for (int j = 0; j < n; j += NN__WIDE) {                                                    \
            const int c = 2 * (from + j) - p->padding_w, end = c + 2 * NN__WIDE;                   \
            const bool whole = c >= 0 && end + (three ? 2 : 0) <= p->w;                            \
            const NN__V a = whole ? NN__LOAD(x + c) : NN__SOME(x, c, p->w);                        \
            const NN__V b = whole ? NN__LOAD(x + c + NN__WIDE)                                     \
                                  : NN__SOME(x, c + NN__WIDE, p->w);                               \
            const NN__V first = NN__EVEN(a, b), second = NN__ODD(a, b);                            \
            NN__V third = first; /* is not above the larger of the two */                          \
            if (three) {                                                                           \
                const NN__V d = whole ? NN__LOAD(x + c + 2) : NN__SOME(x, c + 2, p->w);            \
                const NN__V e = whole ? NN__LOAD(x + c + 2 + NN__WIDE)                             \
                                      : NN__SOME(x, c + 2 + NN__WIDE, p->w);                       \
                third = NN__EVEN(d, e);                                                            \
            }                                                                                      \
            good = good && NN__ORDERED(first, second) && NN__ORDERED(third, third);                \
            if (!where) {                                                                          \
                NN__STORE(best + j, NN__MAX(third, NN__MAX(second, first)));                       \
                continue;                                                                          \
            }                                                                                      \
            const NN__I at = NN__PLACES(h * p->w + c);                                             \
            const NN__V two = NN__MAX(second, first);                                              \
            NN__I to = NN__CHOOSE(c < 0 ? NN__LATER(at, h * p->w) : at, NN__NEXT(at, 1), second,   \
                                  first);                                                          \
            to = NN__CHOOSE(to, NN__NEXT(at, 2), third, two);                                      \
            NN__STORE(best + j, NN__MAX(third, two));                                              \
            NN__KEEP(where + j, to);                                                               \
        }                                                                                          \
        return good;                                                                               \
    }                                                                                              \
    static target void name##_merge(const nn__pool2d_rows *rows, int h0, int h1, int n, float *y,  \
                                    int32_t *index) {                                              \
        for (int j = 0; j < n; j += NN__WIDE) {                                                    \
            NN__V best = NN__LOAD(rows->best[h0 % NN__POOL2D_HIGH] + j);                           \
            if (!index) {                                                                          \
                for (int h = h0 + 1; h < h1; h++)                                                  \
                    best = NN__MAX(NN__LOAD(rows->best[h % NN__POOL2D_HIGH] + j), best);           \
                NN__PUT(y + j, n - j, best);                                                       \
                continue;                                                                          \
            }                                                                                      \
            NN__I to = NN__HAS(rows->where[h0 % NN__POOL2D_HIGH] + j);                             \
            for (int h = h0 + 1; h < h1; h++) {                                                    \
                const NN__V value = NN__LOAD(rows->best[h % NN__POOL2D_HIGH] + j);                 \
                to = NN__CHOOSE(to, NN__HAS(rows->where[h % NN__POOL2D_HIGH] + j), value, best);   \
                best = NN__MAX(value, best);                                                       \
            }                                                                                      \
            NN__PUT(y + j, n - j, best);                                                           \
            NN__PUT_PLACES(index + j, n - j, to);                                                  \
        }                                                                                          \
    }

/* Row i of y, of windows of 2 x 2 none of which is cut. */
#define NN__POOL2D_PAIRS(name, target)                                                             \
    static target bool name##_pairs(const nn__pool2d_plane *p, int i, float *y, int32_t *index,    \
                                    const float *x) {                                              \
        const float *top = x + (ptrdiff_t)2 * i * p->w, *bottom = top + p->w;                      \
        bool good = true;                                                                          \
        for (int j = 0; j < p->ow; j += NN__WIDE) {                                                \
            const int c = 2 * j, n = p->ow - j, next = c + NN__WIDE;                               \
            const bool whole = next + NN__WIDE <= p->w;                                            \
            const NN__V a = whole ? NN__LOAD(top + c) : NN__SOME(top, c, p->w);                    \
            const NN__V b = whole ? NN__LOAD(top + next) : NN__SOME(top, next, p->w);              \
            const NN__V d = whole ? NN__LOAD(bottom + c) : NN__SOME(bottom, c, p->w);              \
            const NN__V e = whole ? NN__LOAD(bottom + next) : NN__SOME(bottom, next, p->w);        \
            const NN__V first = NN__EVEN(a, b), second = NN__ODD(a, b);                            \
            const NN__V third = NN__EVEN(d, e), fourth = NN__ODD(d, e);                            \
            const NN__V two = NN__MAX(second, first), three = NN__MAX(third, two);                 \
            good = good && NN__ORDERED(first, second) && NN__ORDERED(third, fourth);               \
            NN__PUT(y + j, n, NN__MAX(fourth, three));                                             \
            if (!index) continue;                                                                  \
            const NN__I at = NN__PLACES(2 * i * p->w + c);                                         \
            NN__I to = NN__CHOOSE(at, NN__NEXT(at, 1), second, first);                             \
            to = NN__CHOOSE(to, NN__NEXT(at, p->w), third, two);                                   \
            to = NN__CHOOSE(to, NN__NEXT(at, p->w + 1), fourth, three);                            \
            NN__PUT_PLACES(index + j, n, to);                                                      \
        }                                                                                          \
        return good;                                                                               \
    }

/* Columns [c, c + 8) of a row of w, those outside as if they were the least there is. */
NN__AVX2 static inline __m256 nn__pool2d_some8(const float *x, int c, int w) {
    const __m256i at = _mm256_add_epi32(_mm256_set1_epi32(c),
                                        _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    const __m256i mask = _mm256_and_si256(_mm256_cmpgt_epi32(at, _mm256_set1_epi32(-1)),
                                          _mm256_cmpgt_epi32(_mm256_set1_epi32(w), at));
    return _mm256_blendv_ps(_mm256_set1_ps(-INFINITY), _mm256_maskload_ps(x + c, mask),
                            _mm256_castsi256_ps(mask));
}
NN__AVX2 static inline __m256 nn__pool2d_order8(__m256 v) { /* quarters 0 2 1 3 */
    return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(v), 0xd8));
}
NN__AVX2 static inline __m256i nn__pool2d_places8(int first) { /* first, first + 2, ... */
    return _mm256_add_epi32(_mm256_set1_epi32(first),
                            _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14));
}
NN__AVX2 static inline __m256i nn__pool2d_choose8(__m256i a, __m256i b, __m256 x, __m256 y) {
    return _mm256_blendv_epi8(a, b, _mm256_castps_si256(_mm256_cmp_ps(x, y, _CMP_GT_OQ)));
}
NN__AVX2 static inline bool nn__pool2d_ordered8(__m256 a, __m256 b) {
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q)) == 0;
}
#define NN__V              __m256
#define NN__I              __m256i
#define NN__WIDE           8
#define NN__LOAD(p)        _mm256_loadu_ps(p)
#define NN__SOME(x, c, w)  nn__pool2d_some8(x, c, w)
#define NN__STORE(p, v)    _mm256_storeu_ps(p, v)
#define NN__HAS(p)         _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define NN__KEEP(p, v)     _mm256_storeu_si256((__m256i *)(void *)(p), v)
#define NN__PUT(p, n, v)                                                                           \
    ((n) >= 8 ? _mm256_storeu_ps(p, v) : _mm256_maskstore_ps(p, nn__first8(n), v))
#define NN__PUT_PLACES(p, n, v)                                                                    \
    _mm256_maskstore_epi32((int *)(p), nn__first8((n) < 8 ? (n) : 8), v)
#define NN__EVEN(a, b)     nn__pool2d_order8(_mm256_shuffle_ps(a, b, 0x88))
#define NN__ODD(a, b)      nn__pool2d_order8(_mm256_shuffle_ps(a, b, 0xdd))
#define NN__MAX(a, b)      _mm256_max_ps(a, b) /* of equal numbers the second */
#define NN__ORDERED(a, b)  nn__pool2d_ordered8(a, b)
#define NN__PLACES(first)  nn__pool2d_places8(first)
#define NN__NEXT(at, n)    _mm256_add_epi32(at, _mm256_set1_epi32(n))
#define NN__LATER(at, n)   _mm256_max_epi32(at, _mm256_set1_epi32(n))
#define NN__CHOOSE(a, b, x, y) nn__pool2d_choose8(a, b, x, y) /* x > y ? b : a */
NN__POOL2D_BODIES(nn__pool2d_halve8, NN__AVX2)
NN__POOL2D_PAIRS(nn__pool2d_halve8, NN__AVX2)
#undef NN__V
#undef NN__I
#undef NN__WIDE
#undef NN__LOAD
#undef NN__SOME
#undef NN__STORE
#undef NN__HAS
#undef NN__KEEP
#undef NN__PUT
#undef NN__PUT_PLACES
#undef NN__EVEN
#undef NN__ODD
#undef NN__MAX
#undef NN__ORDERED
#undef NN__PLACES
#undef NN__NEXT
#undef NN__LATER
#undef NN__CHOOSE

#ifdef NN__VECTOR16
static inline __mmask16 nn__pool2d_first16(int n) {
    return (__mmask16)(n >= 16 ? 0xffffu : n > 0 ? (1u << n) - 1u : 0u);
}
NN__AVX512 static inline __m512 nn__pool2d_some16(const float *x, int c, int w) {
    const __mmask16 mask = (__mmask16)(nn__pool2d_first16(w - c) & ~nn__pool2d_first16(-c));
    return _mm512_mask_loadu_ps(_mm512_set1_ps(-INFINITY), mask, x + c);
}
NN__AVX512 static inline __m512i nn__pool2d_places16(int first) { /* first, first + 2, ... */
    return _mm512_add_epi32(
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
        _mm512_set1_epi32(first));
}
NN__AVX512 static inline __m512i nn__pool2d_choose16(__m512i a, __m512i b, __m512 x, __m512 y) {
    return _mm512_mask_blend_epi32(_mm512_cmp_ps_mask(x, y, _CMP_GT_OQ), a, b);
}
#define NN__V              __m512
#define NN__I              __m512i
#define NN__WIDE           16
#define NN__LOAD(p)        _mm512_loadu_ps(p)
#define NN__SOME(x, c, w)  nn__pool2d_some16(x, c, w)
#define NN__STORE(p, v)    _mm512_storeu_ps(p, v)
#define NN__HAS(p)         _mm512_loadu_si512((const void *)(p))
#define NN__KEEP(p, v)     _mm512_storeu_si512((void *)(p), v)
#define NN__PUT(p, n, v)   _mm512_mask_storeu_ps(p, nn__pool2d_first16(n), v)
#define NN__PUT_PLACES(p, n, v) _mm512_mask_storeu_epi32((void *)(p), nn__pool2d_first16(n), v)
#define NN__EVEN(a, b)     _mm512_permutex2var_ps(a, nn__pool2d_places16(0), b)
#define NN__ODD(a, b)      _mm512_permutex2var_ps(a, nn__pool2d_places16(1), b)
#define NN__MAX(a, b)      _mm512_maskz_max_ps(NN__ALL16, a, b) /* of equal numbers the second */
#define NN__ORDERED(a, b)  (_mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q) == 0)
#define NN__PLACES(first)  nn__pool2d_places16(first)
#define NN__NEXT(at, n)    _mm512_add_epi32(at, _mm512_set1_epi32(n))
#define NN__LATER(at, n)   _mm512_maskz_max_epi32(NN__ALL16, at, _mm512_set1_epi32(n))
#define NN__CHOOSE(a, b, x, y) nn__pool2d_choose16(a, b, x, y)
NN__POOL2D_BODIES(nn__pool2d_halve16, NN__AVX512)
NN__POOL2D_PAIRS(nn__pool2d_halve16, NN__AVX512)
#undef NN__V
#undef NN__I
#undef NN__WIDE
#undef NN__LOAD
#undef NN__SOME
#undef NN__STORE
#undef NN__HAS
#undef NN__KEEP
#undef NN__PUT
#undef NN__PUT_PLACES
#undef NN__EVEN
#undef NN__ODD
#undef NN__MAX
#undef NN__ORDERED
#undef NN__PLACES
#undef NN__NEXT
#undef NN__LATER
#undef NN__CHOOSE
#endif
#undef NN__POOL2D_BODIES
#undef NN__POOL2D_PAIRS

static bool nn__pool2d_halve_row(const nn__cpu *cpu, const nn__pool2d_plane *p, const float *x,
                                 int h, int from, int n, nn__pool2d_rows *rows, bool places) {
    float *best = rows->best[h % NN__POOL2D_HIGH];
    int32_t *where = places ? rows->where[h % NN__POOL2D_HIGH] : NULL;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu))
        return nn__pool2d_halve16_row(p, x + (ptrdiff_t)h * p->w, h, from, n, best, where);
#endif
    (void)cpu;
    return nn__pool2d_halve8_row(p, x + (ptrdiff_t)h * p->w, h, from, n, best, where);
}

static void nn__pool2d_halve_merge(const nn__cpu *cpu, const nn__pool2d_rows *rows, int h0, int h1,
                                   int n, float *y, int32_t *index) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        nn__pool2d_halve16_merge(rows, h0, h1, n, y, index);
        return;
    }
#endif
    (void)cpu;
    nn__pool2d_halve8_merge(rows, h0, h1, n, y, index);
}

static bool nn__pool2d_halve_pairs(const nn__cpu *cpu, const nn__pool2d_plane *p, float *y,
                                   int32_t *index, const float *x) {
    bool good = true;
    for (int i = 0; i < p->oh && good; i++) {
        float *to = y + (ptrdiff_t)i * p->ow;
        int32_t *places = index ? index + (ptrdiff_t)i * p->ow : NULL;
#ifdef NN__VECTOR16
        if (nn__vectors16(cpu)) {
            good = nn__pool2d_halve16_pairs(p, i, to, places, x);
            continue;
        }
#endif
        good = nn__pool2d_halve8_pairs(p, i, to, places, x);
    }
    (void)cpu;
    return good;
}

/* Columns [from, from + n) of y. */
static bool nn__pool2d_halve_columns(const nn__cpu *cpu, const nn__pool2d_plane *p, int from, int n,
                                     float *y, int32_t *index, const float *x) {
    nn__pool2d_rows rows;
    int done = -1; /* the last row of x that is in rows */
    for (int i = 0; i < p->oh; i++, y += p->ow) {
        const nn__pool2d_window v = nn__pool2d_at(p, i, 0);
        if (v.h0 >= v.h1) return false;
        for (int h = nn__maxi(v.h0, done + 1); h < v.h1; h++)
            if (!nn__pool2d_halve_row(cpu, p, x, h, from, n, &rows, index != NULL)) return false;
        done = nn__maxi(done, v.h1 - 1);
        nn__pool2d_halve_merge(cpu, &rows, v.h0, v.h1, n, y + from, index ? index + from : NULL);
        if (index) index += p->ow;
    }
    return true;
}

NN_PRIVATE bool nn__pool2d_halve(const nn__cpu *cpu, const nn__pool2d_plane *p, float *y,
                                 int32_t *index, const float *x) {
    if (p->pairs) return nn__pool2d_halve_pairs(cpu, p, y, index, x);
    if (p->adaptive || p->dilation_h > 1 || p->dilation_w > 1 || p->kernel_w < 2 ||
        p->kernel_w > 3 || p->stride_w != 2 || p->padding_w > 1 ||
        p->kernel_h > NN__POOL2D_HIGH || p->ow < 2)
        return false;
    for (int from = 0; from < p->ow; from += NN__POOL2D_WIDE)
        if (!nn__pool2d_halve_columns(cpu, p, from, nn__mini(NN__POOL2D_WIDE, p->ow - from), y,
                                      index, x))
            return false;
    return true;
}

#undef NN__POOL2D_WIDE
#undef NN__POOL2D_HIGH

#endif

typedef int nn__pool2d_halve_part; /* a part must not be empty under NN_NO_SIMD */
