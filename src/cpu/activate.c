/* cpu/activate.c - activations as plain functions on an array, for epilogues. An activation that is
   not an epilogue, and every gradient, is a pointwise program. */
#include "cpu/gemm.h"
#include "cpu/simd.h"

#include <math.h>

/* Gives the bytes of plain C: a NaN is not below 0 and stays, and so does -0. Compilers make a
   branch of the plain loop; for random signs it is mispredicted half of the time. */
NN_PRIVATE void nn__relu(float *x, int n) {
    int i = 0;
#if defined(NN__HAVE_X86)
    for (; i + 4 <= n; i += 4) /* for a NaN or two zeros, max returns its second operand */
        _mm_storeu_ps(x + i, _mm_max_ps(_mm_setzero_ps(), _mm_loadu_ps(x + i)));
#elif defined(NN__HAVE_NEON)
    const float32x4_t zero = vdupq_n_f32(0);
    for (; i + 4 <= n; i += 4) {
        const float32x4_t v = vld1q_f32(x + i);
        vst1q_f32(x + i, vbslq_f32(vcltq_f32(v, zero), zero, v));
    }
#endif
    for (; i < n; i++) x[i] = x[i] < 0 ? 0 : x[i];
}

/* clamp(x, 0, 6) as in pointwise programs: a NaN stays, -0 becomes 0. */
NN_PRIVATE void nn__relu6(float *x, int n) {
    int i = 0;
#if defined(NN__HAVE_X86)
    const __m128 zero = _mm_setzero_ps(), six = _mm_set1_ps(6.0f);
    for (; i + 4 <= n; i += 4) {
        const __m128 v = _mm_min_ps(six, _mm_max_ps(zero, _mm_loadu_ps(x + i)));
        _mm_storeu_ps(x + i, _mm_add_ps(v, zero));
    }
#elif defined(NN__HAVE_NEON)
    const float32x4_t zero = vdupq_n_f32(0), six = vdupq_n_f32(6);
    for (; i + 4 <= n; i += 4) {
        const float32x4_t v = vld1q_f32(x + i), low = vbslq_f32(vcleq_f32(v, zero), zero, v);
        vst1q_f32(x + i, vbslq_f32(vcgtq_f32(low, six), six, low));
    }
#endif
    for (; i < n; i++) x[i] = x[i] <= 0 ? 0 : x[i] > 6 ? 6 : x[i];
}

NN_PRIVATE void nn__sigmoid(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = 1.0f / (1.0f + expf(-x[i]));
}

NN_PRIVATE void nn__tanh(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = tanhf(x[i]);
}

NN_PRIVATE void nn__gelu(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678118654752f));
}

#ifdef NN__VECTOR8
/* Give the same bits as the pointwise programs, at any position of an array. */
NN__AVX2 static inline __m256 nn__gelu8(__m256 x) {
    const __m256 erf = nn__erf8(_mm256_mul_ps(x, _mm256_set1_ps(0.707106769f)));
    return _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), x),
                         _mm256_add_ps(_mm256_set1_ps(1.0f), erf));
}
#define NN__ACTIVATE8(name, function)                                                              \
    NN__AVX2 static void name(float *x, int n) {                                                   \
        int i = 0;                                                                                 \
        for (; i + 8 <= n; i += 8) _mm256_storeu_ps(x + i, function(_mm256_loadu_ps(x + i)));      \
        if (i < n) nn__store_tail8(x + i, n - i, function(nn__load_tail8(x + i, n - i, 0.0f)));    \
    }
NN__ACTIVATE8(nn__sigmoid_row8, nn__sigmoid8)
NN__ACTIVATE8(nn__tanh_row8, nn__tanh8)
NN__ACTIVATE8(nn__gelu_row8, nn__gelu8)
#undef NN__ACTIVATE8
#define NN__ACTIVATE_WITH(vectors) , vectors
#else
#define NN__ACTIVATE_WITH(vectors)
#endif

NN_PRIVATE const char *nn__refuses_activation(const nn__cpu *cpu, nn_activation activation) {
    if (activation == NN_ACTIVATION_NONE || cpu->activations[activation]) return NULL;
    return NN__TEXT("this program did not install the activation; call nn_use_all_kernels(nn)");
}

static void nn__activate_install(nn_context *nn, nn_activation activation, nn__activate plain
#ifdef NN__VECTOR8
                                 ,
                                 nn__activate vectors
#endif
) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    if (!cpu) return;
    cpu->activations[activation] = plain;
#ifdef NN__VECTOR8
    if (nn__vectors(cpu)) cpu->activations[activation] = vectors;
#endif
}

NN_PRIVATE void nn__install_relu(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_RELU, nn__relu NN__ACTIVATE_WITH(nn__relu));
}
NN_PRIVATE void nn__install_sigmoid(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_SIGMOID,
                         nn__sigmoid NN__ACTIVATE_WITH(nn__sigmoid_row8));
}
NN_PRIVATE void nn__install_tanh(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_TANH, nn__tanh NN__ACTIVATE_WITH(nn__tanh_row8));
}
NN_PRIVATE void nn__install_gelu(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_GELU, nn__gelu NN__ACTIVATE_WITH(nn__gelu_row8));
}
NN_PRIVATE void nn__install_relu6(nn_context *nn) {
    nn__activate_install(nn, NN_ACTIVATION_RELU6, nn__relu6 NN__ACTIVATE_WITH(nn__relu6));
}
#undef NN__ACTIVATE_WITH
