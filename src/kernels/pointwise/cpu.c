/* kernels/pointwise/cpu.c - every element-wise function, forward with broadcasting and backward for
   the unary ones.

   Not a compiler of expressions: one function per call, and fusing happens only in the epilogues of
   gemm and conv2d. The shapes are folded into rows in which each operand either advances by one or
       stands still;
   everything else is row functions. */
#include "cpu/simd.h"

#include <math.h>

/* ---- rows ------------------------------------------------------------------------------------ */

/* y[i] = op(a[i * a_step], b[i * b_step]) for n numbers; steps are 0 or 1. `at`: y's index in the
   whole tensor. */
typedef struct nn__pointwise_row {
    const nn_pointwise_args *args;
    float *y;
    const float *a, *b;
    int a_step, b_step, n;
    int64_t at;
} nn__pointwise_row;

static float nn__pointwise_keep(const nn_pointwise_args *args) {
    return args->scalar < 1.0f ? 1.0f / (1.0f - args->scalar) : 0.0f;
}

/* Numbers i to end - 1 of the row. */
static void nn__pointwise_dropout(const nn__pointwise_row *row, int i, int end) {
    const nn_pointwise_args *args = row->args;
    float keep = nn__pointwise_keep(args);
    uint32_t words[4] = {0, 0, 0, 0};
    bool drawn = false;
    for (; i < end; i++) {
        uint64_t at = (uint64_t)row->at + (uint64_t)i;
        if (!drawn || at % 4 == 0)
            nn_random_words(args->seed, args->stream, args->counter + at / 4, words);
        drawn = true;
        row->y[i] = nn_word_to_uniform(words[at % 4]) >= args->scalar
                        ? row->a[i * row->a_step] * keep
                        : 0.0f;
    }
}

static void nn__pointwise_copy(const nn__pointwise_row *row) {
    if (row->a_step == 1 && row->y != row->a)
        memmove(row->y, row->a, (size_t)row->n * sizeof(float));
    else if (row->a_step == 0)
        for (int i = 0; i < row->n; i++)
            memcpy(row->y + i, row->a, sizeof(float)); /* bits, not numbers: i32 as well */
}

static void nn__pointwise_activate(const nn__pointwise_row *row, nn__activate activate) {
    nn__pointwise_copy(row);
    activate(row->y, row->n);
}

#define NN__POINTWISE_UNARY(expression)                                                            \
    for (int i = 0; i < n; i++) {                                                                  \
        float p = a[i * a_step];                                                                   \
        y[i] = (expression);                                                                       \
    }                                                                                              \
    break
#define NN__POINTWISE_BINARY(expression)                                                           \
    for (int i = 0; i < n; i++) {                                                                  \
        float p = a[i * a_step], q = b[i * b_step];                                                \
        y[i] = (expression);                                                                       \
    }                                                                                              \
    break

static void nn__pointwise_plain(const nn__pointwise_row *row) {
    float *y = row->y, scalar = row->args->scalar;
    const float *a = row->a, *b = row->b;
    int n = row->n, a_step = row->a_step, b_step = row->b_step;
    switch (row->args->op) {
    case NN_COPY: nn__pointwise_copy(row); break;
    case NN_RELU: NN__POINTWISE_UNARY(0.0f > p ? 0.0f : p); /* NaN stays */
    case NN_SIGMOID: nn__pointwise_activate(row, nn__sigmoid); break;
    case NN_TANH: nn__pointwise_activate(row, nn__tanh); break;
    case NN_GELU: nn__pointwise_activate(row, nn__gelu); break;
    case NN_LEAKY_RELU: NN__POINTWISE_UNARY(p > 0.0f ? p : scalar * p);
    case NN_EXP: NN__POINTWISE_UNARY(expf(p));
    case NN_LOG: NN__POINTWISE_UNARY(logf(p));
    case NN_SQRT: NN__POINTWISE_UNARY(sqrtf(p));
    case NN_SQUARE: NN__POINTWISE_UNARY(p * p);
    case NN_ABS: NN__POINTWISE_UNARY(fabsf(p));
    case NN_NEGATE: NN__POINTWISE_UNARY(-p);
    case NN_SOFTPLUS: NN__POINTWISE_UNARY(p > 0.0f ? p + log1pf(expf(-p)) : log1pf(expf(p)));
    case NN_SCALE: NN__POINTWISE_UNARY(p * scalar);
    case NN_OFFSET: NN__POINTWISE_UNARY(p + scalar);
    case NN_DROPOUT: nn__pointwise_dropout(row, 0, n); break;
    case NN_ADD: NN__POINTWISE_BINARY(p + q);
    case NN_SUBTRACT: NN__POINTWISE_BINARY(p - q);
    case NN_MULTIPLY: NN__POINTWISE_BINARY(p * q);
    case NN_DIVIDE: NN__POINTWISE_BINARY(p / q);
    case NN_MAXIMUM: NN__POINTWISE_BINARY(p != p || p > q ? p : q);
    case NN_MINIMUM: NN__POINTWISE_BINARY(p != p || p < q ? p : q);
    case NN_EQUAL: NN__POINTWISE_BINARY(p == q ? 1.0f : 0.0f);
    case NN_POINTWISE_COUNT: break;
    }
}

#ifdef NN__VECTOR8
/* One function for each vector expression; a switch inside the loop would cost more than the
   arithmetic. */
#define NN__POINTWISE_ROW8(name, expression)                                                       \
    NN__AVX2 static void nn__pointwise_##name##8(const nn__pointwise_row *row) {                   \
        const float *a = row->a, *b = row->b;                                                      \
        const __m256 zero = _mm256_setzero_ps(), sign = _mm256_set1_ps(-0.0f),                     \
                     s = _mm256_set1_ps(row->args->scalar);                                        \
        __m256 p = _mm256_set1_ps(*a), q = b ? _mm256_set1_ps(*b) : zero;                          \
        float *y = row->y;                                                                         \
        int i = 0, left = row->n % 8, whole = row->n - left, a_step = row->a_step,                 \
            b_step = row->b_step;                                                                  \
        for (; i < whole; i += 8) {                                                                \
            if (a_step) p = _mm256_loadu_ps(a + i);                                                \
            if (b_step) q = _mm256_loadu_ps(b + i);                                                \
            _mm256_storeu_ps(y + i, expression);                                                   \
        }                                                                                          \
        if (!left) return;                                                                         \
        if (a_step) p = nn__load_tail8(a + i, left, 1.0f);                                         \
        if (b_step) q = nn__load_tail8(b + i, left, 1.0f);                                         \
        nn__store_tail8(y + i, left, expression);                                                  \
        (void)zero, (void)sign, (void)s, (void)q;                                                  \
    }
#define NN__POINTWISE_PICK(no, yes, compare) _mm256_blendv_ps(no, yes, compare)
NN__POINTWISE_ROW8(relu, _mm256_max_ps(zero, p))
NN__POINTWISE_ROW8(leaky,
                   NN__POINTWISE_PICK(_mm256_mul_ps(s, p), p, _mm256_cmp_ps(p, zero, _CMP_GT_OQ)))
NN__POINTWISE_ROW8(sigmoid, nn__sigmoid8(p))
NN__POINTWISE_ROW8(tanh, nn__tanh8(p))
NN__POINTWISE_ROW8(exp, nn__exp8(p))
NN__POINTWISE_ROW8(sqrt, _mm256_sqrt_ps(p))
NN__POINTWISE_ROW8(square, _mm256_mul_ps(p, p))
NN__POINTWISE_ROW8(abs, _mm256_andnot_ps(sign, p))
NN__POINTWISE_ROW8(negate, _mm256_xor_ps(sign, p))
NN__POINTWISE_ROW8(scale, _mm256_mul_ps(p, s))
NN__POINTWISE_ROW8(offset, _mm256_add_ps(p, s))
NN__POINTWISE_ROW8(add, _mm256_add_ps(p, q))
NN__POINTWISE_ROW8(subtract, _mm256_sub_ps(p, q))
NN__POINTWISE_ROW8(multiply, _mm256_mul_ps(p, q))
NN__POINTWISE_ROW8(divide, _mm256_div_ps(p, q))
NN__POINTWISE_ROW8(maximum,
                   NN__POINTWISE_PICK(_mm256_max_ps(p, q), p, _mm256_cmp_ps(p, p, _CMP_UNORD_Q)))
NN__POINTWISE_ROW8(minimum,
                   NN__POINTWISE_PICK(_mm256_min_ps(p, q), p, _mm256_cmp_ps(p, p, _CMP_UNORD_Q)))

NN__AVX2 static void nn__pointwise_dropout8(const nn__pointwise_row *row) {
    const nn_pointwise_args *args = row->args;
    const __m256 keep = _mm256_set1_ps(nn__pointwise_keep(args)),
                 drop = _mm256_set1_ps(args->scalar);
    int start = nn__mini((int)((4 - row->at % 4) % 4), row->n), i = start;
    nn__pointwise_dropout(row, 0, start); /* up to the first word of a counter */
    for (; row->a_step && i + 64 <= row->n; i += 64) {
        float u[64];
        nn__uniform64(args->seed, args->stream, args->counter + (uint64_t)(row->at + i) / 4, u, 0);
        for (int j = 0; j < 8; j++) {
            __m256 value = _mm256_mul_ps(_mm256_loadu_ps(row->a + i + 8 * j), keep);
            _mm256_storeu_ps(
                row->y + i + 8 * j,
                _mm256_and_ps(value, _mm256_cmp_ps(_mm256_loadu_ps(u + 8 * j), drop, _CMP_GE_OQ)));
        }
    }
    nn__pointwise_dropout(row, i, row->n);
}

static bool nn__pointwise_vector(const nn__pointwise_row *row) {
    switch (row->args->op) {
    case NN_RELU: nn__pointwise_relu8(row); return true;
    case NN_SIGMOID: nn__pointwise_sigmoid8(row); return true;
    case NN_TANH: nn__pointwise_tanh8(row); return true;
    case NN_LEAKY_RELU: nn__pointwise_leaky8(row); return true;
    case NN_EXP: nn__pointwise_exp8(row); return true;
    case NN_SQRT: nn__pointwise_sqrt8(row); return true;
    case NN_SQUARE: nn__pointwise_square8(row); return true;
    case NN_ABS: nn__pointwise_abs8(row); return true;
    case NN_NEGATE: nn__pointwise_negate8(row); return true;
    case NN_SCALE: nn__pointwise_scale8(row); return true;
    case NN_OFFSET: nn__pointwise_offset8(row); return true;
    case NN_DROPOUT: nn__pointwise_dropout8(row); return true;
    case NN_ADD: nn__pointwise_add8(row); return true;
    case NN_SUBTRACT: nn__pointwise_subtract8(row); return true;
    case NN_MULTIPLY: nn__pointwise_multiply8(row); return true;
    case NN_DIVIDE: nn__pointwise_divide8(row); return true;
    case NN_MAXIMUM: nn__pointwise_maximum8(row); return true;
    case NN_MINIMUM: nn__pointwise_minimum8(row); return true;
    default: return false;
    }
}
#endif

static void nn__pointwise_forward_row(const nn__cpu *cpu, const nn__pointwise_row *row) {
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu) && nn__pointwise_vector(row)) return;
#endif
    nn__pointwise_plain(row);
}

#ifndef NN_NO_TRAINING
/* a: dy; b: y or x of the forward, see nn_pointwise_args. */
static void nn__pointwise_plain_backward(const nn__pointwise_row *row) {
    float *y = row->y, scalar = row->args->scalar;
    const float *a = row->a, *b = row->b;
    int n = row->n, a_step = row->a_step, b_step = row->b_step;
    switch (row->args->op) {
    case NN_RELU: NN__POINTWISE_BINARY(q <= 0.0f ? 0.0f : p);
    case NN_SIGMOID: NN__POINTWISE_BINARY(p * (1.0f - q) * q);
    case NN_TANH: NN__POINTWISE_BINARY(p * (1.0f - q * q));
    case NN_GELU:
        NN__POINTWISE_BINARY(
            p * (0.5f * (1.0f + erff(q * 0.70710678f)) + q * 0.39894228f * expf(-0.5f * q * q)));
    case NN_LEAKY_RELU: NN__POINTWISE_BINARY(q > 0.0f ? p : p * scalar);
    case NN_EXP: NN__POINTWISE_BINARY(p * q);
    case NN_LOG: NN__POINTWISE_BINARY(p / q);
    case NN_SQRT: NN__POINTWISE_BINARY(p / (2.0f * q));
    case NN_SQUARE: NN__POINTWISE_BINARY(p * (2.0f * q));
    case NN_ABS: NN__POINTWISE_BINARY(q > 0.0f ? p : q < 0.0f ? -p : 0.0f * p);
    case NN_NEGATE: NN__POINTWISE_UNARY(-p);
    case NN_SOFTPLUS: NN__POINTWISE_BINARY(p / (1.0f + expf(-q)));
    case NN_SCALE: NN__POINTWISE_UNARY(p * scalar);
    case NN_DROPOUT: nn__pointwise_dropout(row, 0, n); break;
    default: nn__pointwise_copy(row); break; /* NN_COPY, NN_OFFSET */
    }
}

#ifdef NN__VECTOR8
NN__POINTWISE_ROW8(relu_backward, _mm256_and_ps(p, _mm256_cmp_ps(q, zero, _CMP_NLE_UQ)))
NN__POINTWISE_ROW8(sigmoid_backward,
                   _mm256_mul_ps(_mm256_mul_ps(p, _mm256_sub_ps(_mm256_set1_ps(1.0f), q)), q))
NN__POINTWISE_ROW8(tanh_backward,
                   _mm256_mul_ps(p, _mm256_sub_ps(_mm256_set1_ps(1.0f), _mm256_mul_ps(q, q))))
NN__POINTWISE_ROW8(leaky_backward,
                   NN__POINTWISE_PICK(_mm256_mul_ps(p, s), p, _mm256_cmp_ps(q, zero, _CMP_GT_OQ)))
NN__POINTWISE_ROW8(softplus_backward, _mm256_mul_ps(p, nn__sigmoid8(q)))

static bool nn__pointwise_vector_backward(const nn__pointwise_row *row) {
    switch (row->args->op) {
    case NN_RELU: nn__pointwise_relu_backward8(row); return true;
    case NN_SIGMOID: nn__pointwise_sigmoid_backward8(row); return true;
    case NN_TANH: nn__pointwise_tanh_backward8(row); return true;
    case NN_LEAKY_RELU: nn__pointwise_leaky_backward8(row); return true;
    case NN_EXP: nn__pointwise_multiply8(row); return true;
    case NN_LOG: nn__pointwise_divide8(row); return true;
    case NN_SOFTPLUS: nn__pointwise_softplus_backward8(row); return true;
    case NN_SCALE: nn__pointwise_scale8(row); return true;
    case NN_NEGATE: nn__pointwise_negate8(row); return true;
    case NN_DROPOUT: nn__pointwise_dropout8(row); return true;
    default: return false;
    }
}
#endif

static void nn__pointwise_backward_row(const nn__cpu *cpu, const nn__pointwise_row *row) {
    (void)cpu;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu) && nn__pointwise_vector_backward(row)) return;
#endif
    nn__pointwise_plain_backward(row);
}
#endif
#ifdef NN__VECTOR8
#undef NN__POINTWISE_ROW8
#undef NN__POINTWISE_PICK
#endif
#undef NN__POINTWISE_UNARY
#undef NN__POINTWISE_BINARY

/* ---- shapes folded into rows ----------------------------------------------------------------- */

typedef struct nn__pointwise_walk {
    int rank; /* at least 1; the last axis is the row */
    int64_t extent[NN_MAX_RANK];
    int64_t a[NN_MAX_RANK], b[NN_MAX_RANK]; /* steps, 0 where an operand stands still */
} nn__pointwise_walk;

/* Steps of a view along the axes of y, right-aligned; 0 for an axis that it lacks or has with
   extent 1. */
static void nn__pointwise_steps(const nn_view *view, const nn_shape *y, int64_t *steps) {
    int64_t step = 1;
    int missing = y->rank - view->shape.rank;
    for (int i = y->rank - 1; i >= 0; i--) {
        int32_t extent = i >= missing && nn__present(view) ? view->shape.extent[i - missing] : 1;
        steps[i] = extent == 1 ? 0 : step;
        step *= extent;
    }
}

static nn__pointwise_walk nn__pointwise_fold(const nn_pointwise_args *args) {
    const nn_shape *y = &args->y.shape;
    nn__pointwise_walk walk;
    int64_t a[NN_MAX_RANK], b[NN_MAX_RANK];
    nn__pointwise_steps(&args->a, y, a);
    nn__pointwise_steps(&args->b, y, b);
    walk.rank = 0;
    for (int i = 0; i < y->rank; i++) {
        int64_t extent = y->extent[i];
        int last = walk.rank - 1;
        if (extent == 1) continue;
        if (last >= 0 && walk.a[last] == a[i] * extent &&
            walk.b[last] == b[i] * extent) { /* one axis with the outer one */
            walk.extent[last] *= extent;
            walk.a[last] = a[i], walk.b[last] = b[i];
            continue;
        }
        walk.extent[walk.rank] = extent;
        walk.a[walk.rank] = a[i], walk.b[walk.rank] = b[i];
        walk.rank++;
    }
    if (walk.rank == 0) walk.rank = 1, walk.extent[0] = 1, walk.a[0] = 0, walk.b[0] = 0;
    return walk;
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Numbers of a unit: fewer where each costs an exp or a word of Philox. */
static int64_t nn__pointwise_unit_size(const nn_pointwise_args *args) {
    switch (args->op) {
    case NN_SIGMOID:
    case NN_TANH:
    case NN_GELU:
    case NN_EXP:
    case NN_LOG:
    case NN_SOFTPLUS:
    case NN_DROPOUT: return 8192;
    default: return 32768;
    }
}

static int nn__pointwise_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    int64_t size = nn__pointwise_unit_size(args);
    (void)cpu;
    return phase == 0 ? (int)((nn__count(&args->y) + size - 1) / size) : 0;
}

#define NN__POINTWISE_CHUNK 512
typedef void (*nn__pointwise_run)(const nn__cpu *cpu, const nn__pointwise_row *row);

/* y += goes through a small buffer, so that no row function knows of it. */
static void nn__pointwise_add_row(const nn__cpu *cpu, nn__pointwise_row row,
                                  nn__pointwise_run run) {
    float buffer[NN__POINTWISE_CHUNK];
    float *y = row.y;
    int n = row.n;
    for (int done = 0; done < n; done += NN__POINTWISE_CHUNK) {
        row.n = nn__mini(NN__POINTWISE_CHUNK, n - done);
        row.y = buffer;
        run(cpu, &row);
        for (int i = 0; i < row.n; i++) y[done + i] += buffer[i];
        row.a += row.n * row.a_step, row.at += row.n;
        if (row.b) row.b += row.n * row.b_step;
    }
}

static void nn__pointwise_run_unit(const nn__cpu *cpu, const nn_pointwise_args *args, int unit,
                                   nn__pointwise_run run) {
    nn__pointwise_walk walk = nn__pointwise_fold(args);
    int last = walk.rank - 1;
    int64_t size = nn__pointwise_unit_size(args), at = unit * size,
            end = nn__min64(at + size, nn__count(&args->y));
    nn__pointwise_row row;
    row.args = args;
    row.a_step = walk.a[last] != 0, row.b_step = walk.b[last] != 0;
    while (at < end) {
        int64_t a = 0, b = 0, rest = at / walk.extent[last], column = at % walk.extent[last];
        for (int i = last - 1; i >= 0; i--) {
            int64_t where = rest % walk.extent[i];
            rest /= walk.extent[i];
            a += where * walk.a[i], b += where * walk.b[i];
        }
        row.n = (int)nn__min64(walk.extent[last] - column, end - at);
        row.y = nn__f32(&args->y) + at;
        row.a = nn__f32(&args->a) + a + column * row.a_step;
        row.b = nn__present(&args->b) ? nn__f32(&args->b) + b + column * row.b_step : NULL;
        row.at = at;
        if (args->accumulate)
            nn__pointwise_add_row(cpu, row, run);
        else
            run(cpu, &row);
        at += row.n;
    }
}
#undef NN__POINTWISE_CHUNK

static void nn__pointwise_forward_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                       void *shared, void *own) {
    (void)phase, (void)shared, (void)own;
    nn__pointwise_run_unit(cpu, (const nn_pointwise_args *)args, unit, nn__pointwise_forward_row);
}

static const char *nn__pointwise_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    bool numbers = args->y.dtype == NN_F32 && args->a.dtype == NN_F32;
    (void)cpu;
    if (args->op >= NN_BINARY_FIRST_)
        return numbers && args->b.dtype == NN_F32 ? NULL
                                                  : NN__TEXT("pointwise computes with f32 only");
    if (args->op == NN_COPY && !args->accumulate && args->y.dtype == NN_I32 &&
        args->a.dtype == NN_I32)
        return NULL;
    return numbers ? NULL : NN__TEXT("pointwise computes with f32 only (copy: i32 as well)");
}

static const nn__cpu_kernel nn__pointwise_forward = {
    nn__pointwise_units, nn__pointwise_forward_unit, NULL, NULL, nn__pointwise_refuses};

#ifndef NN_NO_TRAINING
static void nn__pointwise_backward_unit(const nn__cpu *cpu, const void *args, int phase, int unit,
                                        void *shared, void *own) {
    (void)phase, (void)shared, (void)own;
    nn__pointwise_run_unit(cpu, (const nn_pointwise_args *)args, unit, nn__pointwise_backward_row);
}

static const char *nn__pointwise_backward_refuses(const nn__cpu *cpu, const void *arguments) {
    const nn_pointwise_args *args = (const nn_pointwise_args *)arguments;
    if (args->op >= NN_BINARY_FIRST_)
        return NN__TEXT("pointwise backward is for the unary functions");
    return nn__pointwise_refuses(cpu, arguments);
}

static const nn__cpu_kernel nn__pointwise_backward = {
    nn__pointwise_units, nn__pointwise_backward_unit, NULL, NULL, nn__pointwise_backward_refuses};
#endif

NN_PRIVATE void nn__install_pointwise(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu) return;
    cpu->activations[NN_ACTIVATION_RELU] = nn__relu;
    cpu->activations[NN_ACTIVATION_SIGMOID] = nn__sigmoid;
    cpu->activations[NN_ACTIVATION_TANH] = nn__tanh;
    cpu->activations[NN_ACTIVATION_GELU] = nn__gelu;
    cpu->kernels[NN_KERNEL_POINTWISE_FORWARD] = NULL; /* in place of the one for activations only */
    NN__CPU_INSTALL(nn, POINTWISE_FORWARD, pointwise_forward, &nn__pointwise_forward);
#ifndef NN_NO_TRAINING
    NN__CPU_INSTALL(nn, POINTWISE_BACKWARD, pointwise_backward, &nn__pointwise_backward);
#endif
}
