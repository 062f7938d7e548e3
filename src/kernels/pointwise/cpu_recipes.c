/* kernels/pointwise/cpu_recipes.c - optimizers that are programs (ops/optimizers.txt), each in one
   pass: all it reads of sixteen or eight parameters is read before anything is written, and what
   stands in between never leaves the registers. Instruction for instruction it is the program, none
   fused, so that the bytes are those of the interpreter and of plain C.

   An update waits for memory, and near the core for quotients and roots: on a Zen 4 one of them
   for sixteen numbers takes about ten cycles. */
#include "kernels/optimizers.h"
#include "kernels/pointwise/cpu_avx2.h"
#include "kernels/pointwise/cpu_avx512.h"

#if defined(NN__VECTOR8) && !defined(NN_NO_TRAINING)

/* Where the recipe's inputs and outputs stand, and its numbers, then those of what is before it. */
typedef struct nn__recipe_row {
    const float *from[NN_PROGRAM_INPUTS];
    float *to[NN_PROGRAM_OUTPUTS];
    float numbers[NN_PROGRAM_SCALARS], scale, before[NN_RECIPE_NUMBERS];
    unsigned steps; /* before the recipe: NN_RECIPE_SCALED ... */
} nn__recipe_row;

/* n: a multiple of the vectors' length. */
typedef void (*nn__recipe_function)(const nn__recipe_row *row, ptrdiff_t n);

/* ---- rows ------------------------------------------------------------------------------------ */

/* One text for vectors of eight and of sixteen. */
#define NN__V8               __m256
#define NN__V16              __m512
#define NN__ALL_OF8(number)  _mm256_set1_ps(number)
#define NN__ALL_OF16(number) _mm512_set1_ps(number)
#define NN__LOAD8(from)      _mm256_loadu_ps(from)
#define NN__LOAD16(from)     _mm512_loadu_ps(from)
#define NN__STORE8(to, v)    _mm256_storeu_ps(to, v)
#define NN__STORE16(to, v)   _mm512_storeu_ps(to, v)
#define NN__VALUE8(code, a, b, c)  nn__value8_##code(a, b, c)
#define NN__VALUE16(code, a, b, c) NN__VALUE16_##code(a, b, c)
#define NN__RECIPE_LOAD(lanes, count, k)                                                           \
    const NN__V##lanes i##k = count > k ? NN__LOAD##lanes(row->from[k] + i) : one;
#define NN__RECIPE_STORE(lanes, count, k, v) \
    if (count > k) NN__STORE##lanes(row->to[k] + i, v);
#define NN__RECIPE_ROW(lanes, target, line, inputs, outputs, o0, o1, o2, o3)                       \
    target static void nn__recipe##lanes##_##line(const nn__recipe_row *row, ptrdiff_t n) {        \
        const NN__V##lanes one = NN__ALL_OF##lanes(1.0f);                                          \
        const NN__V##lanes scale = NN__ALL_OF##lanes(row->scale),                                  \
                           decay = NN__ALL_OF##lanes(row->before[NN_RECIPE_DECAY]),                \
                           shrink = NN__ALL_OF##lanes(row->before[NN_RECIPE_SHRINK]),              \
                           low = NN__ALL_OF##lanes(row->before[NN_RECIPE_LOW]),                    \
                           high = NN__ALL_OF##lanes(row->before[NN_RECIPE_HIGH]);                  \
        const unsigned steps = row->steps;                                                         \
        NN__RECIPE_##line##_NUMBERS(NN__D) for (ptrdiff_t i = 0; i < n; i += lanes) {              \
            NN__V##lanes i0 = NN__LOAD##lanes(row->from[0] + i),                                   \
                         i1 = NN__LOAD##lanes(row->from[1] + i);                                   \
            NN__RECIPE_LOAD(lanes, inputs, 2)                                                      \
            NN__RECIPE_LOAD(lanes, inputs, 3)                                                      \
            NN__RECIPE_LOAD(lanes, inputs, 4)                                                      \
            (void)i2, (void)i3, (void)i4;                                                          \
            if (steps & NN_RECIPE_SCALED) i1 = NN__VALUE##lanes(MULTIPLY, i1, scale, one);         \
            if (steps & NN_RECIPE_CLAMPED) i1 = NN__VALUE##lanes(CLAMP, i1, low, high);            \
            if (steps & NN_RECIPE_DECAYED)                                                         \
                i1 = NN__VALUE##lanes(ADD, i1, NN__VALUE##lanes(MULTIPLY, decay, i0, one), one);   \
            if (steps & NN_RECIPE_SHRUNK) i0 = NN__VALUE##lanes(MULTIPLY, i0, shrink, one);        \
            NN__RECIPE_##line(NN__X, NN__N, NN__S, NN__C) NN__RECIPE_STORE(lanes, outputs, 0, o0)  \
            NN__RECIPE_STORE(lanes, outputs, 1, o1)                                                \
            NN__RECIPE_STORE(lanes, outputs, 2, o2)                                                \
            NN__RECIPE_STORE(lanes, outputs, 3, o3)                                                \
        }                                                                                          \
    }

#define NN__N(k, n) const __m256 v##k = i##n;
#define NN__S(k, n) const __m256 v##k = s##n;
#define NN__C(k, value) const __m256 v##k = _mm256_set1_ps(value);
#define NN__D(n) const __m256 s##n = _mm256_set1_ps(row->numbers[n]);
#define NN__X(k, code, a, b, c) const __m256 v##k = nn__value8_##code(v##a, v##b, v##c);
#define NN__R(line, inputs, outputs, o0, o1, o2, o3) \
    NN__RECIPE_ROW(8, NN__AVX2, line, inputs, outputs, v##o0, v##o1, v##o2, v##o3)
NN__RECIPES(NN__R)
#undef NN__N
#undef NN__S
#undef NN__C
#undef NN__D
#undef NN__X
#undef NN__R

#ifdef NN__VECTOR16
/* As in cpu/simd.h. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#endif
#define NN__N(k, n) const __m512 v##k = i##n;
#define NN__S(k, n) const __m512 v##k = s##n;
#define NN__C(k, value) const __m512 v##k = _mm512_set1_ps(value);
#define NN__D(n) const __m512 s##n = _mm512_set1_ps(row->numbers[n]);
#define NN__X(k, code, a, b, c) const __m512 v##k = NN__VALUE16_##code(v##a, v##b, v##c);
#define NN__R(line, inputs, outputs, o0, o1, o2, o3) \
    NN__RECIPE_ROW(16, NN__AVX512, line, inputs, outputs, v##o0, v##o1, v##o2, v##o3)
NN__RECIPES(NN__R)
#undef NN__N
#undef NN__S
#undef NN__C
#undef NN__D
#undef NN__X
#undef NN__R
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

/* ---- the whole ------------------------------------------------------------------------------- */

#define NN__RECIPE_LANES 16 /* at most */

static nn__recipe_function nn__recipe_row_of(const nn__cpu *cpu, int line) {
#define NN__R(k, inputs, outputs, o0, o1, o2, o3) nn__recipe8_##k,
    static const nn__recipe_function eight[] = {NN__RECIPES(NN__R)};
#undef NN__R
#ifdef NN__VECTOR16
#define NN__R(k, inputs, outputs, o0, o1, o2, o3) nn__recipe16_##k,
    static const nn__recipe_function sixteen[] = {NN__RECIPES(NN__R)};
#undef NN__R
    if (nn__vectors16(cpu)) return sixteen[line];
#endif
    (void)cpu;
    return eight[line];
}

/* The numbers behind the last whole vector: the row of a vector of copies. */
static void nn__recipe_tail(nn__recipe_function function, nn__recipe_row *row, int inputs,
                            int outputs, ptrdiff_t from, int n) {
    float read[NN_PROGRAM_INPUTS][NN__RECIPE_LANES], written[NN_PROGRAM_OUTPUTS][NN__RECIPE_LANES];
    nn__recipe_row rest = *row;
    for (int k = 0; k < inputs; k++) {
        for (int i = 0; i < NN__RECIPE_LANES; i++) read[k][i] = 1.0f;
        memcpy(read[k], row->from[k] + from, (size_t)n * sizeof(float));
        rest.from[k] = read[k];
    }
    for (int k = 0; k < outputs; k++) rest.to[k] = written[k];
    function(&rest, NN__RECIPE_LANES);
    for (int k = 0; k < outputs; k++)
        memcpy(row->to[k] + from, written[k], (size_t)n * sizeof(float));
}

/* False: it is nothing for vectors, and nothing was done. */
static bool nn__recipe_run(const nn__cpu *cpu, const nn_program_args *args, const nn_view *inputs,
                           const nn_view *outputs, int64_t first, int64_t end) {
    const nn_program_recipe *recipe = args->recipe;
    const int count = (int)(end - first), whole = count - count % NN__RECIPE_LANES;
    const nn__recipe_function function = nn__recipe_row_of(cpu, recipe->line);
    nn__recipe_row row;
    memset(&row, 0, sizeof row);
    row.steps = recipe->steps;
    for (int k = 0; k < args->program.input_count; k++) {
        const int to = recipe->input_of[k];
        if (inputs[k].dtype != NN_F32) return false;
        if (to < recipe->inputs)
            row.from[to] = nn__f32(&inputs[k]) + first;
        else
            row.scale = *nn__f32(&inputs[k]);
    }
    for (int k = 0; k < recipe->inputs; k++)
        if (!row.from[k]) return false; /* nothing reads it */
    for (int k = 0; k < args->program.output_count; k++) {
        if (outputs[k].dtype != NN_F32) return false;
        row.to[k] = nn__f32(&outputs[k]) + first;
    }
    for (int k = 0; k < args->program.scalar_count; k++) {
        const int to = recipe->scalar_of[k];
        *(to < recipe->scalars ? &row.numbers[to] : &row.before[to - recipe->scalars]) =
            args->scalars[k];
    }
    if (whole) function(&row, whole);
    if (whole < count)
        nn__recipe_tail(function, &row, recipe->inputs, args->program.output_count, whole,
                        count - whole);
    return true;
}

NN_PRIVATE void nn__install_recipes(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (cpu && nn__vectors(cpu)) cpu->programs.recipe = nn__recipe_run;
}

#elif !defined(NN_NO_TRAINING)

NN_PRIVATE void nn__install_recipes(nn_context *nn) { (void)nn; }

#endif
