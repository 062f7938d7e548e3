/* kernels/pool2d/cpu_halve.c - largest numbers of windows of two or three columns that lie two
   apart, as nets halve their pictures. Each row of a window gives its largest numbers of two or
   three; these are compared in the order of the rows: the first of equal numbers wins, as in plain
   loops. What a row gave stays in registers for the next window, which may begin with it. */
#include "kernels/pool2d/cpu.h"

#include <math.h>

#ifdef NN__VECTOR8

/* columns: as many columns of y as a vector has, from column `first` of x on; most and here: what
   the row that was looked at last gave, and its places. look: at a row, `at` numbers behind x.
   down: all rows, of `count` such columns from column j of y on. index may be NULL. False: there is
   a NaN, or a window of padding alone. */
#define NN__POOL2D_SIDE_BY_SIDE 16
#define NN__POOL2D_DOWN(name, target)                                                              \
    typedef struct name##_columns {                                                                \
        NN__M low, high;                                                                           \
        NN__I at0, at1, at2, here;                                                                 \
        NN__V most;                                                                                \
        NN__B bad;                                                                                 \
        int first;                                                                                 \
        bool whole, more, good;                                                                    \
    } name##_columns;                                                                              \
    static NN__ALWAYS_INLINE target void name##_begin(name##_columns *s,                           \
                                                      const nn__pool2d_plane *p, int j) {          \
        const int c = 2 * j - p->padding_w, next = c + NN__WIDE;                                   \
        s->low = NN__MASK(c, p->w), s->high = NN__MASK(next, p->w);                                \
        s->at0 = s->here = NN__LATER(NN__PLACES(c), 0);                                            \
        s->at1 = NN__PLACES(c + 1), s->at2 = NN__PLACES(c + 2);                                    \
        s->most = NN__ALL(-INFINITY), s->bad = NN__NOTHING, s->good = true;                        \
        s->first = c, s->whole = c >= 0 && next + NN__WIDE <= p->w;                                \
        s->more = p->kernel_w == 3 && next + NN__WIDE < p->w;                                      \
    }                                                                                              \
    static NN__ALWAYS_INLINE target void name##_look(name##_columns *s, const float *x, int at,    \
                                                     const bool three, const bool places) {        \
        const float *from = x + at + s->first;                                                     \
        const NN__V a = s->whole ? NN__LOAD(from) : NN__SOME(from, s->low);                        \
        const NN__V b = s->whole ? NN__LOAD(from + NN__WIDE) : NN__SOME(from + NN__WIDE, s->high); \
        const NN__V first = NN__EVEN(a, b), second = NN__ODD(a, b);                                \
        s->most = NN__MAX(second, first);                                                          \
        s->here = NN__CHOOSE(s->at0, s->at1, second, first);                                       \
        s->bad = NN__OR(s->bad, NN__UNORDERED(first, second));                                     \
        if (three) {                                                                               \
            const float last = s->more ? from[2 * NN__WIDE] : -INFINITY;                           \
            const NN__V third = NN__BEHIND(first, NN__ALL(last));                                  \
            s->here = NN__CHOOSE(s->here, s->at2, third, s->most);                                 \
            s->most = NN__MAX(third, s->most);                                                     \
            s->good &= last == last;                                                               \
        }                                                                                          \
        if (places) s->here = NN__NEXT(s->here, at);                                               \
    }                                                                                              \
    static NN__ALWAYS_INLINE target bool name##_down_body(                                         \
        const nn__pool2d_plane *p, int j, float *y, int32_t *index, const float *x, bool streams,  \
        const int count, const bool three, const bool places) {                                    \
        name##_columns s[NN__POOL2D_SIDE_BY_SIDE];                                                 \
        int done = -1; /* the row that was looked at last */                                       \
        bool good = true;                                                                          \
        for (int k = 0; k < count; k++) name##_begin(&s[k], p, j + k * NN__WIDE);                  \
        for (int i = 0; i < p->oh; i++) {                                                          \
            const int top = i * p->stride_h - p->padding_h, h0 = nn__maxi(top, 0);                 \
            const int h1 = nn__mini(top + p->kernel_h, p->h), from = i * p->ow + j;                \
            if (h0 >= h1) return false;                                                            \
            for (int k = 0; k < count; k++) {                                                      \
                const int at = from + k * NN__WIDE, n = p->ow - j - k * NN__WIDE;                  \
                if (h0 != done) name##_look(&s[k], x, h0 * p->w, three, places);                   \
                NN__V best = s[k].most;                                                            \
                NN__I to = s[k].here;                                                              \
                for (int h = h0 + 1; h < h1; h++) {                                                \
                    name##_look(&s[k], x, h * p->w, three, places);                                \
                    to = NN__CHOOSE(to, s[k].here, s[k].most, best);                               \
                    best = NN__MAX(s[k].most, best);                                               \
                }                                                                                  \
                if (streams)                                                                       \
                    NN__STREAM(y + at, best);                                                      \
                else                                                                               \
                    NN__PUT(y + at, n, best);                                                      \
                if (places && streams)                                                             \
                    NN__STREAM_PLACES(index + at, to);                                             \
                else if (places)                                                                   \
                    NN__PUT_PLACES(index + at, n, to);                                             \
            }                                                                                      \
            done = h1 - 1;                                                                         \
        }                                                                                          \
        for (int k = 0; k < count; k++) good = good && s[k].good && NN__IS_NOTHING(s[k].bad);      \
        return good;                                                                               \
    }                                                                                              \
    static target bool name##_down(const nn__pool2d_plane *p, int j, float *y, int32_t *index,     \
                                   const float *x, bool streams) {                                 \
        const int left = (p->ow - j + NN__WIDE - 1) / NN__WIDE;                                    \
        const int count = nn__mini(left, NN__POOL2D_SIDE_BY_SIDE);                                 \
        if (p->kernel_w != 3)                                                                      \
            return name##_down_body(p, j, y, index, x, streams, count, false, index != NULL);      \
        if (index && count == 1) /* what there is of it then stays in registers */                 \
            return name##_down_body(p, j, y, index, x, streams, 1, true, true);                    \
        return index ? name##_down_body(p, j, y, index, x, streams, count, true, true)             \
                     : name##_down_body(p, j, y, NULL, x, streams, count, true, false);            \
    }

/* Row i of y, of windows of 2 x 2 none of which is cut. */
#define NN__POOL2D_PAIRS(name, target)                                                             \
    static NN__ALWAYS_INLINE target bool name##_pairs_body(                                        \
        const nn__pool2d_plane *p, int i, float *y, int32_t *index, const float *x,                \
        const bool streams) {                                                                      \
        const float *top = x + (ptrdiff_t)2 * i * p->w, *bottom = top + p->w;                      \
        bool good = true;                                                                          \
        for (int j = 0; j < p->ow; j += NN__WIDE) {                                                \
            const int c = 2 * j, n = p->ow - j, next = c + NN__WIDE;                               \
            const bool whole = next + NN__WIDE <= p->w;                                            \
            NN__V a, b, d, e;                                                                      \
            if (whole) {                                                                           \
                a = NN__LOAD(top + c), b = NN__LOAD(top + next);                                   \
                d = NN__LOAD(bottom + c), e = NN__LOAD(bottom + next);                             \
            } else {                                                                               \
                const NN__M ma = NN__MASK(c, p->w), mb = NN__MASK(next, p->w);                     \
                a = NN__SOME(top + c, ma), b = NN__SOME(top + next, mb);                           \
                d = NN__SOME(bottom + c, ma), e = NN__SOME(bottom + next, mb);                     \
            }                                                                                      \
            const NN__V first = NN__EVEN(a, b), second = NN__ODD(a, b);                            \
            const NN__V third = NN__EVEN(d, e), fourth = NN__ODD(d, e);                            \
            const NN__V two = NN__MAX(second, first), three = NN__MAX(third, two);                 \
            good = good && NN__ORDERED(first, second) && NN__ORDERED(third, fourth);               \
            if (streams)                                                                           \
                NN__STREAM(y + j, NN__MAX(fourth, three));                                         \
            else                                                                                   \
                NN__PUT(y + j, n, NN__MAX(fourth, three));                                         \
            if (!index) continue;                                                                  \
            const NN__I at = NN__PLACES(2 * i * p->w + c);                                         \
            NN__I to = NN__CHOOSE(at, NN__NEXT(at, 1), second, first);                             \
            to = NN__CHOOSE(to, NN__NEXT(at, p->w), third, two);                                   \
            to = NN__CHOOSE(to, NN__NEXT(at, p->w + 1), fourth, three);                            \
            if (streams)                                                                           \
                NN__STREAM_PLACES(index + j, to);                                                  \
            else                                                                                   \
                NN__PUT_PLACES(index + j, n, to);                                                  \
        }                                                                                          \
        return good;                                                                               \
    }                                                                                              \
    static target bool name##_pairs(const nn__pool2d_plane *p, int i, float *y, int32_t *index,    \
                                    const float *x, bool streams) {                                \
        return streams ? name##_pairs_body(p, i, y, index, x, true)                                \
                       : name##_pairs_body(p, i, y, index, x, false);                              \
    }

/* Which of columns [c, c + 8) are inside of a row of w. */
NN__AVX2 static inline __m256i nn__pool2d_mask8(int c, int w) {
    const __m256i at = _mm256_add_epi32(_mm256_set1_epi32(c),
                                        _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    return _mm256_and_si256(_mm256_cmpgt_epi32(at, _mm256_set1_epi32(-1)),
                            _mm256_cmpgt_epi32(_mm256_set1_epi32(w), at));
}
/* Those outside are as if they were the least there is. */
NN__AVX2 static inline __m256 nn__pool2d_some8(const float *x, __m256i mask) {
    return _mm256_blendv_ps(_mm256_set1_ps(-INFINITY), _mm256_maskload_ps(x, mask),
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
/* All numbers of a but the first, then one of `last`. */
NN__AVX2 static inline __m256 nn__pool2d_behind8(__m256 a, __m256 last) {
    const __m256i at = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    return _mm256_blend_ps(_mm256_permutevar8x32_ps(a, at), last, 0x80);
}
NN__AVX2 static inline bool nn__pool2d_ordered8(__m256 a, __m256 b) {
    return _mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_UNORD_Q)) == 0;
}
#define NN__V              __m256
#define NN__I              __m256i
#define NN__WIDE           8
#define NN__M              __m256i
#define NN__ALL(x)         _mm256_set1_ps(x)
#define NN__MASK(c, w)     nn__pool2d_mask8(c, w)
#define NN__LOAD(p)        _mm256_loadu_ps(p)
#define NN__SOME(x, mask)  nn__pool2d_some8(x, mask)
#define NN__STREAM(p, v)   _mm256_stream_ps(p, v)
#define NN__STREAM_PLACES(p, v) _mm256_stream_si256((__m256i *)(void *)(p), v)
#define NN__PUT(p, n, v)                                                                           \
    ((n) >= 8 ? _mm256_storeu_ps(p, v) : _mm256_maskstore_ps(p, nn__first8(n), v))
#define NN__PUT_PLACES(p, n, v)                                                                    \
    _mm256_maskstore_epi32((int *)(p), nn__first8((n) < 8 ? (n) : 8), v)
#define NN__EVEN(a, b)     nn__pool2d_order8(_mm256_shuffle_ps(a, b, 0x88))
#define NN__ODD(a, b)      nn__pool2d_order8(_mm256_shuffle_ps(a, b, 0xdd))
#define NN__MAX(a, b)      _mm256_max_ps(a, b) /* of equal numbers the second */
#define NN__ORDERED(a, b)  nn__pool2d_ordered8(a, b)
#define NN__B              __m256
#define NN__NOTHING        _mm256_setzero_ps()
#define NN__IS_NOTHING(b)  (_mm256_movemask_ps(b) == 0)
#define NN__OR(a, b)       _mm256_or_ps(a, b)
#define NN__UNORDERED(a, b) _mm256_cmp_ps(a, b, _CMP_UNORD_Q)
#define NN__BEHIND(a, last) nn__pool2d_behind8(a, last)
#define NN__PLACES(first)  nn__pool2d_places8(first)
#define NN__NEXT(at, n)    _mm256_add_epi32(at, _mm256_set1_epi32(n))
#define NN__LATER(at, n)   _mm256_max_epi32(at, _mm256_set1_epi32(n))
#define NN__CHOOSE(a, b, x, y) nn__pool2d_choose8(a, b, x, y) /* x > y ? b : a */
NN__POOL2D_DOWN(nn__pool2d_halve8, NN__AVX2)
NN__POOL2D_PAIRS(nn__pool2d_halve8, NN__AVX2)
#undef NN__V
#undef NN__I
#undef NN__WIDE
#undef NN__M
#undef NN__ALL
#undef NN__MASK
#undef NN__LOAD
#undef NN__SOME
#undef NN__B
#undef NN__NOTHING
#undef NN__IS_NOTHING
#undef NN__OR
#undef NN__UNORDERED
#undef NN__BEHIND
#undef NN__STREAM
#undef NN__STREAM_PLACES
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
static inline __mmask16 nn__pool2d_mask16(int c, int w) {
    return (__mmask16)(nn__pool2d_first16(w - c) & ~nn__pool2d_first16(-c));
}
NN__AVX512 static inline __m512i nn__pool2d_places16(int first) { /* first, first + 2, ... */
    return _mm512_add_epi32(
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
        _mm512_set1_epi32(first));
}
NN__AVX512 static inline __m512 nn__pool2d_behind16(__m512 a, __m512 last) {
    const __m512i at = _mm512_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    return _mm512_permutex2var_ps(a, at, last);
}
NN__AVX512 static inline __m512i nn__pool2d_choose16(__m512i a, __m512i b, __m512 x, __m512 y) {
    return _mm512_mask_blend_epi32(_mm512_cmp_ps_mask(x, y, _CMP_GT_OQ), a, b);
}
#define NN__V              __m512
#define NN__I              __m512i
#define NN__WIDE           16
#define NN__M              __mmask16
#define NN__ALL(x)         _mm512_set1_ps(x)
#define NN__MASK(c, w)     nn__pool2d_mask16(c, w)
#define NN__LOAD(p)        _mm512_loadu_ps(p)
#define NN__SOME(x, mask)  _mm512_mask_loadu_ps(_mm512_set1_ps(-INFINITY), mask, x)
#define NN__STREAM(p, v)   _mm512_stream_ps(p, v)
#define NN__STREAM_PLACES(p, v) _mm512_stream_si512((__m512i *)(void *)(p), v)
#define NN__PUT(p, n, v)   _mm512_mask_storeu_ps(p, nn__pool2d_first16(n), v)
#define NN__PUT_PLACES(p, n, v) _mm512_mask_storeu_epi32((void *)(p), nn__pool2d_first16(n), v)
#define NN__EVEN(a, b)     _mm512_permutex2var_ps(a, nn__pool2d_places16(0), b)
#define NN__ODD(a, b)      _mm512_permutex2var_ps(a, nn__pool2d_places16(1), b)
#define NN__MAX(a, b)      _mm512_maskz_max_ps(NN__ALL16, a, b) /* of equal numbers the second */
#define NN__B              __mmask16
#define NN__NOTHING        0
#define NN__IS_NOTHING(b)  ((b) == 0)
#define NN__OR(a, b)       (__mmask16)((a) | (b))
#define NN__UNORDERED(a, b) _mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q)
#define NN__BEHIND(a, last) nn__pool2d_behind16(a, last)
#define NN__ORDERED(a, b)  (_mm512_cmp_ps_mask(a, b, _CMP_UNORD_Q) == 0)
#define NN__PLACES(first)  nn__pool2d_places16(first)
#define NN__NEXT(at, n)    _mm512_add_epi32(at, _mm512_set1_epi32(n))
#define NN__LATER(at, n)   _mm512_maskz_max_epi32(NN__ALL16, at, _mm512_set1_epi32(n))
#define NN__CHOOSE(a, b, x, y) nn__pool2d_choose16(a, b, x, y)
NN__POOL2D_DOWN(nn__pool2d_halve16, NN__AVX512)
NN__POOL2D_PAIRS(nn__pool2d_halve16, NN__AVX512)
#undef NN__V
#undef NN__I
#undef NN__WIDE
#undef NN__M
#undef NN__ALL
#undef NN__MASK
#undef NN__LOAD
#undef NN__SOME
#undef NN__B
#undef NN__NOTHING
#undef NN__IS_NOTHING
#undef NN__OR
#undef NN__UNORDERED
#undef NN__BEHIND
#undef NN__STREAM
#undef NN__STREAM_PLACES
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
#undef NN__POOL2D_DOWN
#undef NN__POOL2D_PAIRS

static bool nn__pool2d_halve_pairs(const nn__cpu *cpu, const nn__pool2d_plane *p, int i, float *y,
                                   int32_t *index, const float *x, bool streams) {
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) return nn__pool2d_halve16_pairs(p, i, y, index, x, streams);
#endif
    (void)cpu;
    return nn__pool2d_halve8_pairs(p, i, y, index, x, streams);
}

static bool nn__pool2d_halve_down(const nn__cpu *cpu, const nn__pool2d_plane *p, float *y,
                                  int32_t *index, const float *x, bool streams) {
    bool good = true;
    (void)cpu;
#ifdef NN__VECTOR16
    if (nn__vectors16(cpu)) {
        for (int j = 0; j < p->ow && good; j += 16 * NN__POOL2D_SIDE_BY_SIDE)
            good = nn__pool2d_halve16_down(p, j, y, index, x, streams);
        return good;
    }
#endif
    for (int j = 0; j < p->ow && good; j += 8 * NN__POOL2D_SIDE_BY_SIDE)
        good = nn__pool2d_halve8_down(p, j, y, index, x, streams);
    return good;
}

NN_PRIVATE bool nn__pool2d_halve(const nn__cpu *cpu, const nn__pool2d_plane *p, float *y,
                                 int32_t *index, const float *x, bool streams) {
    bool good = true;
    if (!p->pairs && (p->adaptive || p->dilation_h > 1 || p->dilation_w > 1 || p->kernel_w < 2 ||
                      p->kernel_w > 3 || p->stride_w != 2 || p->padding_w > 1 || p->ow < 2))
        return false;
    if (!p->pairs) return nn__pool2d_halve_down(cpu, p, y, index, x, streams);
    for (int i = 0; i < p->oh && good; i++) {
        const ptrdiff_t at = (ptrdiff_t)i * p->ow;
        good = nn__pool2d_halve_pairs(cpu, p, i, y + at, index ? index + at : NULL, x, streams);
    }
    return good;
}

#endif

typedef int nn__pool2d_halve_part; /* a part must not be empty under NN_NO_SIMD */
