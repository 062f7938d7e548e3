/* kernels/update/cpu.c - SGD, Adam, AdamW and gradient clipping, in the formulas and the order of
   torch.optim 1.13.

   No schedule, no groups: one call updates a list of parameters with one set of numbers. All of it
   waits on memory, so each number is read and written once. */
#include "cpu/simd.h"

#include <float.h>
#include <math.h>

#ifndef NN_NO_TRAINING

/* Numbers of one parameter in a unit: at least, and at most. */
#define NN__UPDATE_UNIT 16384
#define NN__UPDATE_MOST 262144

/* ---- which numbers a unit has ---------------------------------------------------------------- */

/* A sixteenth of the parameter: memory is read fastest by threads that each go a long way. */
static int64_t nn__update_each(const nn_update_item *item) {
    const int64_t each = nn__count(&item->gradient) / 16;
    if (each <= NN__UPDATE_UNIT) return NN__UPDATE_UNIT;
    return each < NN__UPDATE_MOST ? each / NN__UPDATE_UNIT * NN__UPDATE_UNIT : NN__UPDATE_MOST;
}

static int nn__update_blocks(const nn_update_item *item) {
    const int64_t each = nn__update_each(item);
    return (int)((nn__count(&item->gradient) + each - 1) / each);
}

static int nn__update_all_blocks(const nn_update_item *items, int count) {
    int blocks = 0;
    for (int i = 0; i < count; i++) blocks += nn__update_blocks(&items[i]);
    return blocks;
}

/* The item of a unit, its first number and how many. */
static const nn_update_item *nn__update_find(const nn_update_item *items, int unit, int64_t *first,
                                             int *count) {
    while (unit >= nn__update_blocks(items)) unit -= nn__update_blocks(items++);
    *first = (int64_t)unit * nn__update_each(items);
    *count = (int)nn__min64(nn__update_each(items), nn__count(&items->gradient) - *first);
    return items;
}

/* How many of the items a unit of the step takes together, of which there are `count`: small ones
   that follow one another, so that its numbers are made once for them. */
static int nn__update_together(const nn_update_item *items, int count) {
    int64_t numbers = 0;
    int n = 0;
    while (n < count && (numbers += nn__count(&items[n].gradient)) <= NN__UPDATE_UNIT) n++;
    return nn__maxi(n, 1);
}

static int nn__update_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_update_args *args = (const nn_update_args *)arguments;
    int units = 0, together;
    (void)cpu;
    if (phase) return 0;
    for (int i = 0; i < args->count; i += together) {
        together = nn__update_together(&args->items[i], args->count - i);
        units += together > 1 ? 1 : nn__update_blocks(&args->items[i]);
    }
    return nn__maxi(1, units);
}

/* ---- SGD ------------------------------------------------------------------------------------- */

/* The numbers of one step, as floats, after what PyTorch computes in double. */
typedef struct nn__update_numbers {
    float scale, decay, rate; /* decay: Adam and SGD add decay * parameter to the gradient */
    float momentum, keep;     /* SGD; keep = 1 - dampening */
    float shrink;             /* AdamW: parameter *= shrink */
    float beta1, beta2, rest1, rest2; /* rest = 1 - beta */
    /* Adam: below the line stands sqrt(v) and no more, since that and the quotient are what steps
       wait for. rate and epsilon have sqrt(1 - beta2^step) as a factor, which sqrt(v) is divided by
       in the formula, and rate is divided by 1 - beta1^step. */
    float epsilon;
    float least; /* moments below it become 0 */
    bool nesterov, first;
} nn__update_numbers;

static void nn__update_sgd_plain(const nn__update_numbers *k, float *p, const float *gradient,
                                 float *moment, int i, int n) {
    for (; i < n; i++) {
        float g = gradient[i] * k->scale;
        if (k->decay != 0.0f) g = g + k->decay * p[i]; /* 0 * infinity would be NaN */
        if (moment) {
            float m = k->first ? g : moment[i] * k->momentum + k->keep * g;
            moment[i] = m;
            g = k->nesterov ? g + k->momentum * m : m;
        }
        p[i] = p[i] - k->rate * g;
    }
}

/* A moment that is no more than subnormal is 0 where it changes no parameter: those of weights
   whose gradient has ended would else stay there, where processors take ten times as long. */
static float nn__update_moment(const nn__update_numbers *k, float moment) {
    return fabsf(moment) < k->least ? 0.0f : moment;
}

static void nn__update_adam_plain(const nn__update_numbers *k, float *p, const float *gradient,
                                  float *moment1, float *moment2, int i, int n) {
    for (; i < n; i++) {
        float g = gradient[i] * k->scale, value = p[i] * k->shrink;
        if (k->decay != 0.0f) g = g + k->decay * p[i]; /* 0 * infinity would be NaN */
        const float m = nn__update_moment(k, moment1[i] * k->beta1 + k->rest1 * g);
        const float v = nn__update_moment(k, moment2[i] * k->beta2 + k->rest2 * (g * g));
        moment1[i] = m, moment2[i] = v;
        p[i] = value - k->rate * m / (sqrtf(v) + k->epsilon);
    }
}

#ifdef NN__VECTOR8
/* The same operations in the same order, none fused: the bytes are those of the plain loops. */
NN__AVX2_UNFUSED static inline __m256 nn__update_stepped8(const float *p, const float *gradient,
                                                          __m256 scale, __m256 decay, __m256 rate,
                                                          bool decays) {
    const __m256 value = _mm256_loadu_ps(p);
    __m256 g = _mm256_mul_ps(_mm256_loadu_ps(gradient), scale);
    if (decays) g = _mm256_add_ps(g, _mm256_mul_ps(decay, value));
    return _mm256_sub_ps(value, _mm256_mul_ps(rate, g));
}
/* Return the numbers done. */
NN__AVX2_UNFUSED static int nn__update_sgd8(const nn__update_numbers *k, float *p,
                                            const float *gradient, float *moment, int n) {
    const __m256 scale = _mm256_set1_ps(k->scale), decay = _mm256_set1_ps(k->decay),
                 rate = _mm256_set1_ps(k->rate);
    const __m256 momentum = _mm256_set1_ps(k->momentum), keep = _mm256_set1_ps(k->keep);
    const bool nesterov = k->nesterov, start = k->first, decays = k->decay != 0.0f;
    int i = 0;
    /* Plain steps read four vectors before they write one: no read waits for a write's line. */
    for (; !moment && i + 32 <= n; i += 32) {
        const float *g = gradient + i;
        float *to = p + i;
        const __m256 a = nn__update_stepped8(to, g, scale, decay, rate, decays);
        const __m256 b = nn__update_stepped8(to + 8, g + 8, scale, decay, rate, decays);
        const __m256 c = nn__update_stepped8(to + 16, g + 16, scale, decay, rate, decays);
        const __m256 d = nn__update_stepped8(to + 24, g + 24, scale, decay, rate, decays);
        _mm256_storeu_ps(to, a), _mm256_storeu_ps(to + 8, b);
        _mm256_storeu_ps(to + 16, c), _mm256_storeu_ps(to + 24, d);
    }
    for (; i + 8 <= n; i += 8) {
        __m256 value = _mm256_loadu_ps(p + i);
        __m256 g = _mm256_mul_ps(_mm256_loadu_ps(gradient + i), scale);
        if (decays) g = _mm256_add_ps(g, _mm256_mul_ps(decay, value));
        if (moment) {
            __m256 m = g;
            if (!start)
                m = _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(moment + i), momentum),
                                  _mm256_mul_ps(keep, g));
            _mm256_storeu_ps(moment + i, m);
            g = nesterov ? _mm256_add_ps(g, _mm256_mul_ps(momentum, m)) : m;
        }
        _mm256_storeu_ps(p + i, _mm256_sub_ps(value, _mm256_mul_ps(rate, g)));
    }
    return i;
}

NN__AVX2_UNFUSED static inline __m256 nn__update_moment8(__m256 moment, __m256 least) {
    const __m256 size = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), moment);
    return _mm256_and_ps(moment, _mm256_cmp_ps(size, least, _CMP_NLT_UQ));
}

NN__AVX2_UNFUSED static int nn__update_adam8(const nn__update_numbers *k, float *p,
                                             const float *gradient, float *moment1, float *moment2,
                                             int n) {
    const __m256 scale = _mm256_set1_ps(k->scale), decay = _mm256_set1_ps(k->decay),
                 rate = _mm256_set1_ps(k->rate);
    const __m256 beta1 = _mm256_set1_ps(k->beta1), rest1 = _mm256_set1_ps(k->rest1),
                 shrink = _mm256_set1_ps(k->shrink);
    const __m256 beta2 = _mm256_set1_ps(k->beta2), rest2 = _mm256_set1_ps(k->rest2);
    const __m256 epsilon = _mm256_set1_ps(k->epsilon), least = _mm256_set1_ps(k->least);
    const bool decays = k->decay != 0.0f;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256 value = _mm256_loadu_ps(p + i);
        __m256 g = _mm256_mul_ps(_mm256_loadu_ps(gradient + i), scale);
        if (decays) g = _mm256_add_ps(g, _mm256_mul_ps(decay, value));
        __m256 m = _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(moment1 + i), beta1),
                                 _mm256_mul_ps(rest1, g));
        __m256 v = _mm256_add_ps(_mm256_mul_ps(_mm256_loadu_ps(moment2 + i), beta2),
                                 _mm256_mul_ps(rest2, _mm256_mul_ps(g, g)));
        m = nn__update_moment8(m, least), v = nn__update_moment8(v, least);
        _mm256_storeu_ps(moment1 + i, m);
        _mm256_storeu_ps(moment2 + i, v);
        __m256 change =
            _mm256_div_ps(_mm256_mul_ps(rate, m), _mm256_add_ps(_mm256_sqrt_ps(v), epsilon));
        _mm256_storeu_ps(p + i, _mm256_sub_ps(_mm256_mul_ps(value, shrink), change));
    }
    return i;
}
#endif

#ifdef NN__VECTOR16
/* The same on twice as many: roots and quotients are what it waits for. Multiplied by the
   masked form, which gcc does not fuse with the sum behind it, as clang does neither unless it is
   told -ffp-contract=fast. */
NN__AVX512 static inline __m512 nn__update_times16(__m512 a, __m512 b) {
    return _mm512_maskz_mul_ps(NN__ALL16, a, b);
}

NN__AVX512 static inline __m512 nn__update_moment16(__m512 moment, __m512 least) {
    const __m512 size = _mm512_castsi512_ps(
        _mm512_and_epi32(_mm512_castps_si512(moment), _mm512_set1_epi32(0x7fffffff)));
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(size, least, _CMP_NLT_UQ), moment);
}

NN__AVX512 static int nn__update_adam16(const nn__update_numbers *k, float *p,
                                        const float *gradient, float *moment1, float *moment2,
                                        int n) {
    const __m512 scale = _mm512_set1_ps(k->scale), decay = _mm512_set1_ps(k->decay),
                 rate = _mm512_set1_ps(k->rate);
    const __m512 beta1 = _mm512_set1_ps(k->beta1), rest1 = _mm512_set1_ps(k->rest1),
                 shrink = _mm512_set1_ps(k->shrink);
    const __m512 beta2 = _mm512_set1_ps(k->beta2), rest2 = _mm512_set1_ps(k->rest2);
    const __m512 epsilon = _mm512_set1_ps(k->epsilon), least = _mm512_set1_ps(k->least);
    const bool decays = k->decay != 0.0f;
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        __m512 value = _mm512_loadu_ps(p + i);
        __m512 g = nn__update_times16(_mm512_loadu_ps(gradient + i), scale);
        if (decays) g = _mm512_add_ps(g, nn__update_times16(decay, value));
        __m512 m = _mm512_add_ps(nn__update_times16(_mm512_loadu_ps(moment1 + i), beta1),
                                 nn__update_times16(rest1, g));
        __m512 v = _mm512_add_ps(nn__update_times16(_mm512_loadu_ps(moment2 + i), beta2),
                                 nn__update_times16(rest2, nn__update_times16(g, g)));
        m = nn__update_moment16(m, least), v = nn__update_moment16(v, least);
        _mm512_storeu_ps(moment1 + i, m);
        _mm512_storeu_ps(moment2 + i, v);
        __m512 change =
            _mm512_div_ps(nn__update_times16(rate, m),
                          _mm512_add_ps(_mm512_maskz_sqrt_ps(NN__ALL16, v), epsilon));
        _mm512_storeu_ps(p + i, _mm512_sub_ps(nn__update_times16(value, shrink), change));
    }
    return i;
}
#endif

/* The decimal number that a float was written as: 1 - 0.999f would be wrong in its fifth digit, and
   PyTorch has 0.999. */
static double nn__update_decimal(float number) {
    double decimal = floor((double)number * 1e7 + 0.5) / 1e7;
    return (float)decimal == number ? decimal : (double)number;
}

static nn__update_numbers nn__update_make_numbers(const nn_update_args *args) {
    nn__update_numbers k;
    bool adam = args->optimizer == NN_ADAM || args->optimizer == NN_ADAMW,
         decoupled = args->optimizer == NN_ADAMW;
    memset(&k, 0, sizeof k);
    k.scale = nn__present(&args->gradient_scale) ? *nn__f32(&args->gradient_scale) : 1.0f;
    k.decay = decoupled ? 0.0f : args->weight_decay;
    k.rate = args->learning_rate;
    k.momentum = args->momentum;
    k.keep = (float)(1.0 - nn__update_decimal(args->dampening));
    k.nesterov = args->nesterov;
    k.first = args->step <= 1;
    k.shrink =
        decoupled ? (float)(1.0 - (double)args->learning_rate * (double)args->weight_decay) : 1.0f;
    if (!adam) return k;
    double beta1 = nn__update_decimal(args->beta1), beta2 = nn__update_decimal(args->beta2),
           step = (double)args->step;
    k.beta1 = args->beta1, k.beta2 = args->beta2;
    k.rest1 = (float)(1.0 - beta1), k.rest2 = (float)(1.0 - beta2);
    const double root = sqrt(1.0 - pow(beta2, step));
    k.rate = (float)(nn__update_decimal(args->learning_rate) * root / (1.0 - pow(beta1, step)));
    k.epsilon = (float)((double)args->epsilon * root);
    /* the root of FLT_MIN is less than half of the last bit of this */
    k.least = k.epsilon >= 1e-11f ? FLT_MIN : 0.0f;
    return k;
}

/* n numbers of an item, from `first` on. */
static void nn__update_some(const nn__cpu *cpu, const nn_update_args *args,
                            const nn__update_numbers *k, const nn_update_item *item, int64_t first,
                            int n) {
    float *p = nn__f32(&item->parameter) + first;
    const float *g = nn__f32(&item->gradient) + first;
    float *moment1 = nn__present(&item->moment1) ? nn__f32(&item->moment1) + first : NULL;
    int done = 0;
    (void)cpu;
    if (args->optimizer == NN_ADAM || args->optimizer == NN_ADAMW) {
        float *moment2 = nn__f32(&item->moment2) + first;
#ifdef NN__VECTOR16
        if (nn__vectors16(cpu)) done = nn__update_adam16(k, p, g, moment1, moment2, n);
#endif
#ifdef NN__VECTOR8
        if (nn__vectors(cpu))
            done +=
                nn__update_adam8(k, p + done, g + done, moment1 + done, moment2 + done, n - done);
#endif
        nn__update_adam_plain(k, p, g, moment1, moment2, done, n);
        return;
    }
    if (args->momentum == 0.0f) moment1 = NULL; /* as PyTorch: no buffer, no nesterov */
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) done = nn__update_sgd8(k, p, g, moment1, n);
#endif
    nn__update_sgd_plain(k, p, g, moment1, done, n);
}

static void nn__update_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_update_args *args = (const nn_update_args *)arguments;
    const nn_update_item *items = args->items, *end = items + args->count;
    (void)phase, (void)shared, (void)own;
    if (nn__present(&args->status) && args->status.handle && *nn__status(&args->status) != 0)
        return;
    while (items < end) {
        const int together = nn__update_together(items, (int)(end - items)),
                  units = together > 1 ? 1 : nn__update_blocks(items);
        if (unit >= units) {
            unit -= units;
            items += together;
            continue;
        }
        const nn__update_numbers k = nn__update_make_numbers(args);
        for (int i = 0; i < together; i++) {
            int64_t first;
            int n;
            const nn_update_item *item = nn__update_find(items + i, unit, &first, &n);
            nn__update_some(cpu, args, &k, item, first, n);
        }
        return;
    }
}

static const nn__cpu_kernel nn__update_kernel = {nn__update_units, nn__update_unit, NULL, NULL,
                                                 NULL};

/* ---- clipping: sums of squares in double, then the scale ------------------------------------- */

static int nn__update_clip_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_clip_args *args = (const nn_clip_args *)arguments;
    (void)cpu;
    if (phase == 0) return nn__maxi(1, nn__update_all_blocks(args->items, args->count));
    return phase == 1 ? 1 : 0;
}

static size_t nn__update_clip_shared_bytes(const nn__cpu *cpu, const void *args) {
    return (size_t)nn__update_clip_units(cpu, args, 0) * sizeof(double);
}

static double nn__update_squares_plain(const float *x, int i, int n) {
    double sum = 0.0;
    for (; i < n; i++) sum += (double)x[i] * (double)x[i];
    return sum;
}

#ifdef NN__VECTOR8
NN__AVX2 static double nn__update_squares8(const float *x, int n) {
    __m256d low = _mm256_setzero_pd(), high = _mm256_setzero_pd();
    double lanes[4];
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        __m256d a = _mm256_cvtps_pd(_mm_loadu_ps(x + i)),
                b = _mm256_cvtps_pd(_mm_loadu_ps(x + i + 4));
        low = _mm256_fmadd_pd(a, a, low);
        high = _mm256_fmadd_pd(b, b, high);
    }
    _mm256_storeu_pd(lanes, _mm256_add_pd(low, high));
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + nn__update_squares_plain(x, i, n);
}
#endif

static void nn__update_clip_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                                 void *shared, void *own) {
    const nn_clip_args *args = (const nn_clip_args *)arguments;
    double *sums = (double *)shared, total = 0.0;
    int blocks = nn__update_all_blocks(args->items, args->count);
    (void)cpu, (void)own;
    if (phase == 1) {
        for (int i = 0; i < blocks; i++) total += sums[i];
        float norm = (float)sqrt(total), scale = args->max_norm / (norm + 1e-6f);
        if (nn__present(&args->norm)) *nn__f32(&args->norm) = norm;
        *nn__f32(&args->scale) = scale > 1.0f ? 1.0f : scale; /* NaN stays */
        return;
    }
    if (blocks == 0) return;
    int64_t first;
    int n;
    const nn_update_item *item = nn__update_find(args->items, unit, &first, &n);
    const float *g = nn__f32(&item->gradient) + first;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) {
        sums[unit] = nn__update_squares8(g, n);
        return;
    }
#endif
    sums[unit] = nn__update_squares_plain(g, 0, n);
}

static const nn__cpu_kernel nn__update_clip = {nn__update_clip_units, nn__update_clip_unit,
                                               nn__update_clip_shared_bytes, NULL, NULL};
#undef NN__UPDATE_UNIT
#undef NN__UPDATE_MOST

NN_PRIVATE void nn__install_update(nn_context *nn) {
    NN__CPU_INSTALL(nn, UPDATE, update, &nn__update_kernel);
    NN__CPU_INSTALL(nn, CLIP, clip, &nn__update_clip);
}

#else

NN_PRIVATE void nn__install_update(nn_context *nn) { (void)nn; }

#endif
