/* kernels/random/cpu.c - a tensor of uniform numbers: Philox's words, the same on every device, in
   any order.

   Not for dropout, whose program draws its own (RANDOM). The generator: base/random.h. */
#include "cpu/simd.h"

#define NN__RANDOM_UNIT 16384 /* numbers; a multiple of 4 */

static int nn__random_units(const nn__cpu *cpu, const void *arguments, int phase) {
    const nn_random_args *args = (const nn_random_args *)arguments;
    (void)cpu;
    return phase == 0 ? (int)((nn__count(&args->y) + NN__RANDOM_UNIT - 1) / NN__RANDOM_UNIT) : 0;
}

/* Numbers [i, end); i is a multiple of 4. The sum may round up to high, which is not ours to give:
   then it is low. */
NN__UNFUSED_BEGIN
static void nn__random_fill(const nn_random_args *args, float *y, int64_t i, int64_t end) {
    const float width = args->high - args->low;
    while (i < end) {
        uint32_t words[4];
        nn_random_words(args->seed, args->stream, args->counter + (uint64_t)i / 4, words);
        for (int j = 0; j < 4 && i < end; j++, i++) {
            float step = nn_word_to_uniform(words[j]) * width, value = args->low + step;
            y[i] = value < args->high ? value : args->low;
        }
    }
}
NN__UNFUSED_END

#ifdef NN__VECTOR8
NN__AVX2_UNFUSED static int64_t nn__random_fill8(const nn_random_args *args, float *y, int64_t i,
                                                 int64_t end) {
    const __m256 low = _mm256_set1_ps(args->low), high = _mm256_set1_ps(args->high);
    const __m256 width = _mm256_set1_ps(args->high - args->low);
    while (i + 32 <= end) {
        const int n = i + 64 <= end ? 64 : 32;
        nn__uniform64(args->seed, args->stream, args->counter + (uint64_t)i / 4, y + i, n == 32);
        for (int j = 0; j < n; j += 8) {
            __m256 u = _mm256_loadu_ps(y + i + j);
            __m256 value = _mm256_add_ps(low, _mm256_mul_ps(u, width));
            value = _mm256_blendv_ps(low, value, _mm256_cmp_ps(value, high, _CMP_LT_OQ));
            _mm256_storeu_ps(y + i + j, value);
        }
        i += n;
    }
    return i;
}
#endif

static void nn__random_unit(const nn__cpu *cpu, const void *arguments, int phase, int unit,
                            void *shared, void *own) {
    const nn_random_args *args = (const nn_random_args *)arguments;
    int64_t i = (int64_t)unit * NN__RANDOM_UNIT,
            end = nn__min64(i + NN__RANDOM_UNIT, nn__count(&args->y));
    (void)cpu, (void)phase, (void)shared, (void)own;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) i = nn__random_fill8(args, nn__f32(&args->y), i, end);
#endif
    nn__random_fill(args, nn__f32(&args->y), i, end);
}
#undef NN__RANDOM_UNIT

static const nn__cpu_kernel nn__random_kernel = {nn__random_units, nn__random_unit, NULL, NULL,
                                                 NULL};

NN_PRIVATE void nn__install_random(nn_context *nn) {
    NN__CPU_INSTALL(nn, RANDOM, random, &nn__random_kernel);
}
