/* bandwidth.h: rows of bench_ops.c that measure the memory's bandwidth. One plain pass over all
   threads reads 1, 2 or 3 tensors of x's size and writes one, or none; "_past": the stores bypass
   the caches, which is faster for tensors that the caches cannot hold. pytorch_ops.py divides the
   time of the faster one by that of an operation that reads and writes as much. Without vectors it
   is the compiler's loop. */
#include "../nn.h"

#define MEMORY_UNIT 262144 /* numbers of a unit: each thread reads a long run */

typedef struct memory_pass {
    const float *f, *g, *h;
    float *to;
} memory_pass;

#if NN__HAS_AVX2
#ifdef __GNUC__
#define MEMORY_AVX2 __attribute__((target("avx2")))
#else
#define MEMORY_AVX2
#endif
#define MEMORY_LOAD(from, j)   _mm256_loadu_ps(from + i + (j))
#define MEMORY_OF_NONE(j)      one
#define MEMORY_OF_ONE(j)       _mm256_add_ps(MEMORY_LOAD(f, j), one)
#define MEMORY_OF_TWO(j)       _mm256_add_ps(MEMORY_LOAD(f, j), MEMORY_LOAD(g, j))
#define MEMORY_OF_THREE(j)     _mm256_add_ps(MEMORY_OF_TWO(j), MEMORY_LOAD(h, j))
#define MEMORY_KEEP(j, v)      _mm256_storeu_ps(to + i + (j), v)
#define MEMORY_PAST(j, v)      _mm256_stream_ps(to + i + (j), v)
#define MEMORY_PASS(name, value, store)                                                            \
    MEMORY_AVX2 static void name(void *data, int unit, int worker) {                                  \
        const memory_pass *pass = (const memory_pass *)data;                                       \
        const size_t at = (size_t)unit * MEMORY_UNIT;                                              \
        const float *f = pass->f + at, *g = pass->g + at, *h = pass->h + at;                       \
        const __m256 one = _mm256_set1_ps(1.0f);                                                   \
        float *to = pass->to + at;                                                                 \
        (void)worker, (void)f, (void)g, (void)h, (void)one;                                                \
        for (int i = 0; i < MEMORY_UNIT; i += 32) {                                                \
            const __m256 a = value(0), b = value(8), c = value(16), d = value(24);                 \
            store(0, a), store(8, b), store(16, c), store(24, d);                                  \
        }                                                                                          \
        nn__all_streamed();                                                                            \
    }
MEMORY_PASS(memory_none, MEMORY_OF_NONE, MEMORY_KEEP)
MEMORY_PASS(memory_none_past, MEMORY_OF_NONE, MEMORY_PAST)
MEMORY_PASS(memory_one, MEMORY_OF_ONE, MEMORY_KEEP)
MEMORY_PASS(memory_two, MEMORY_OF_TWO, MEMORY_KEEP)
MEMORY_PASS(memory_three, MEMORY_OF_THREE, MEMORY_KEEP)
MEMORY_PASS(memory_one_past, MEMORY_OF_ONE, MEMORY_PAST)
MEMORY_PASS(memory_two_past, MEMORY_OF_TWO, MEMORY_PAST)
MEMORY_PASS(memory_three_past, MEMORY_OF_THREE, MEMORY_PAST)
MEMORY_AVX2 static void memory_read(void *data, int unit, int worker) {
    const float *f = ((const memory_pass *)data)->f + (size_t)unit * MEMORY_UNIT;
    __m256 a = _mm256_setzero_ps(), b = a, c = a, d = a;
    (void)worker;
    for (int i = 0; i < MEMORY_UNIT; i += 32) {
        a = _mm256_add_ps(a, MEMORY_LOAD(f, 0)), b = _mm256_add_ps(b, MEMORY_LOAD(f, 8));
        c = _mm256_add_ps(c, MEMORY_LOAD(f, 16)), d = _mm256_add_ps(d, MEMORY_LOAD(f, 24));
    }
    _mm256_storeu_ps(((const memory_pass *)data)->to + 8 * unit,
                     _mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)));
}
static const nn__work memory_passes[2][5] = {
    {memory_read, memory_one, memory_two, memory_three, memory_none},
    {memory_read, memory_one_past, memory_two_past, memory_three_past, memory_none_past}};
#else
static void memory_plain(const memory_pass *pass, int unit, int reads) {
    const size_t at = (size_t)unit * MEMORY_UNIT;
    const float *f = pass->f + at, *g = pass->g + at, *h = pass->h + at;
    float *to = pass->to + at, sum = 0.0f;
    for (int i = 0; reads == 0 && i < MEMORY_UNIT; i++) sum += f[i];
    for (int i = 0; reads == 1 && i < MEMORY_UNIT; i++) to[i] = f[i] + 1.0f;
    for (int i = 0; reads == 2 && i < MEMORY_UNIT; i++) to[i] = f[i] + g[i];
    for (int i = 0; reads == 3 && i < MEMORY_UNIT; i++) to[i] = f[i] + g[i] + h[i];
    for (int i = 0; reads == 4 && i < MEMORY_UNIT; i++) to[i] = 1.0f;
    if (reads == 0) pass->to[8 * unit] = sum;
}
#define MEMORY_PASS(name, reads)                                                                   \
    static void name(void *data, int unit, int worker) {                                           \
        (void)worker;                                                                              \
        memory_plain((const memory_pass *)data, unit, reads);                                      \
    }
MEMORY_PASS(memory_read, 0)
MEMORY_PASS(memory_one, 1)
MEMORY_PASS(memory_two, 2)
MEMORY_PASS(memory_three, 3)
MEMORY_PASS(memory_none, 4)
static const nn__work memory_passes[2][5] = {
    {memory_read, memory_one, memory_two, memory_three, memory_none},
    {memory_read, memory_one, memory_two, memory_three, memory_none}};
#endif

/* Makes one pass. p: how many tensors are read besides the one that is written (0: one is only
   read, 4: one is only written); whether stores bypass the caches. */
static nn_result memory_row(bench *b) {
    const nn_view x = nn_tensor_view(b->x), w = nn_tensor_view(b->w), m = nn_tensor_view(b->mean),
                  y = nn_tensor_view(b->y);
    memory_pass pass = {nn__f32(&x), nn__f32(&w), nn__f32(&m), nn__f32(&y)};
    nn__parallel(b->nn->pool, 0, (int)(nn_shape_count(x.shape) / MEMORY_UNIT),
                 memory_passes[b->p[1]][b->p[0]], &pass);
    return NN_OK;
}
#define MEMORY_ROW(name, reads, past)                                                              \
    {name, memory_row, FLAT, FLAT, FLAT, FLAT, {reads, past}, 0, FORWARD_ONLY, 0}
#define MEMORY_ROWS                                                                                \
    MEMORY_ROW("memory_0", 0, 0), MEMORY_ROW("memory_1", 1, 0), MEMORY_ROW("memory_2", 2, 0),      \
        MEMORY_ROW("memory_3", 3, 0), MEMORY_ROW("memory_1_past", 1, 1),                           \
        MEMORY_ROW("memory_2_past", 2, 1), MEMORY_ROW("memory_3_past", 3, 1),                      \
        MEMORY_ROW("memory_written", 4, 0), MEMORY_ROW("memory_written_past", 4, 1)
