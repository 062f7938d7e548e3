/* kernels/matmul/cpu_small.c - the matrix product without instruction sets (NN_NO_SIMD), for small
   machines. A second kernel handles batches, halves and bytes. It replaces the plain kernel only in
   programs that use them, so a plain layer does not link it. */
#include "cpu/gemm.h"

#ifdef NN_NO_SIMD

/* ---- one product of f32 ---------------------------------------------------------------------- */

static const char *nn__gemm_refuses(const nn__cpu *cpu, const void *args) {
#ifndef NN_NO_REPORTS
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    if (nn__gemm_products(g) > 1 || g->a.dtype != NN_F32 || g->b.dtype != NN_F32)
        return "this program has installed only the CPU's product of two f32 matrices; call "
               "nn_use_all_kernels(nn)";
#endif
    return nn__refuses_activation(cpu, ((const nn_gemm_args *)args)->epilogue.activation);
}

static int nn__gemm_units(const nn__cpu *cpu, const void *args, int phase) {
    (void)cpu;
    return phase ? 0 : ((const nn_gemm_args *)args)->m;
}

/* Computes one row of y, four columns at a time. */
static void nn__gemm_row(const nn__cpu *cpu, const void *args, int phase, int i, void *shared,
                          void *own) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    const int n = g->n, k = g->k;
    const ptrdiff_t a_step = g->transpose_a ? g->m : 1, b_step = g->transpose_b ? 1 : n,
                    b_next = g->transpose_b ? k : 1;
    const float *b = nn__f32(&g->b);
    float *y = nn__f32(&g->y) + (ptrdiff_t)i * n;
    const nn__activate activate = cpu->activations[g->epilogue.activation];
    (void)phase, (void)shared, (void)own;
    for (int j = 0; j < n; j += 4) {
        const int count = nn__mini(4, n - j);
        const float *a = nn__f32(&g->a) + (g->transpose_a ? (ptrdiff_t)i : (ptrdiff_t)i * k);
        const float *b0 = b + j * b_next, *b1 = count > 1 ? b0 + b_next : b0,
                    *b2 = count > 2 ? b1 + b_next : b0;
        const float *b3 = count > 3 ? b2 + b_next : b0;
        float sum[4] = {0, 0, 0, 0}, s0 = 0, s1 = 0, s2 = 0, s3 = 0;
        for (int p = 0; p < k; p++) {
            const ptrdiff_t at = p * b_step;
            const float value = *a;
            s0 += value * b0[at], s1 += value * b1[at], s2 += value * b2[at], s3 += value * b3[at];
            a += a_step;
        }
        sum[0] = s0, sum[1] = s1, sum[2] = s2, sum[3] = s3;
        for (int e = 0; e < count; e++) {
            float value = g->accumulate ? y[j + e] + sum[e] : sum[e];
            if (nn__present(&g->epilogue.bias)) value += nn__f32(&g->epilogue.bias)[j + e];
            y[j + e] = value;
        }
    }
    if (activate) activate(y, n);
}

static const nn__cpu_kernel nn__gemm_kernel = {nn__gemm_units, nn__gemm_row, NULL, NULL,
                                               nn__gemm_refuses};

NN_PRIVATE void nn__install_matmul(nn_context *nn) {
    NN__CPU_INSTALL(nn, GEMM, gemm, &nn__gemm_kernel);
}

/* ---- batches, halves and bytes --------------------------------------------------------------- */

static const char *nn__gemm_general_refuses(const nn__cpu *cpu, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    const char *why = nn__refuses_dtypes(g);
    return why ? why : nn__refuses_activation(cpu, g->epilogue.activation);
}

static int nn__gemm_general_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    (void)cpu;
    return phase ? 0 : (int)(nn__gemm_products(g) * g->m);
}

/* Reads `n` numbers of a matrix, `step` apart, as f32. */
static void nn__gemm_fetch(const nn__cpu *cpu, const nn_view *matrix, ptrdiff_t at, ptrdiff_t step,
                           int n, float *to) {
    const size_t size = nn_dtype_size(matrix->dtype);
    const char *from = (const char *)matrix->handle + matrix->offset;
    for (int i = 0; i < n; i += step == 1 ? n : 1, at += step) {
        const int count = step == 1 ? n : 1;
        if (matrix->dtype == NN_F32)
            memcpy(to + i, from + (size_t)at * size, (size_t)count * size);
        else
            cpu->programs.widen(matrix->dtype, from + (size_t)at * size, to + i, count);
    }
}

/* Computes one row of y. The row of a is widened once, b four columns at a time. */
static void nn__gemm_general_row(const nn__cpu *cpu, const void *args, int phase, int unit,
                                 void *shared, void *own) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    const int i = unit % g->m, k = g->k, n = g->n;
    float *a = (float *)own, *b = a + k;
    nn_gemm_args one = *g;
    nn__gemm_select(&one, g, unit / g->m);
    if (!own) {
        nn__gemm_row(cpu, &one, phase, i, shared, own);
        return;
    }
    const nn_view from = one.b;
    nn__gemm_fetch(cpu, &one.a, g->transpose_a ? (ptrdiff_t)i : (ptrdiff_t)i * k,
                   g->transpose_a ? g->m : 1, k, a);
    one.a.handle = a;
    one.b.handle = b;
    one.a.offset = one.b.offset = 0;
    one.m = 1;
    one.transpose_a = false;
    one.transpose_b = true;
    one.y.offset += (size_t)i * (size_t)n * sizeof(float);
    for (int j = 0; j < n; j += 4) {
        one.n = nn__mini(4, n - j);
        for (int e = 0; e < one.n; e++)
            nn__gemm_fetch(cpu, &from, g->transpose_b ? (ptrdiff_t)(j + e) * k : (ptrdiff_t)j + e,
                           g->transpose_b ? 1 : n, k, b + (ptrdiff_t)e * k);
        nn__gemm_row(cpu, &one, phase, 0, shared, own);
        one.y.offset += 4 * sizeof(float);
        if (nn__present(&one.epilogue.bias)) one.epilogue.bias.offset += 4 * sizeof(float);
    }
}

static size_t nn__gemm_general_own_bytes(const nn__cpu *cpu, const void *args) {
    const nn_gemm_args *g = (const nn_gemm_args *)args;
    (void)cpu;
    return g->a.dtype == NN_F32 && g->b.dtype == NN_F32 ? 0 : (size_t)g->k * 5 * sizeof(float);
}

static const nn__cpu_kernel nn__gemm_general_kernel = {
    nn__gemm_general_units, nn__gemm_general_row, NULL, nn__gemm_general_own_bytes,
    nn__gemm_general_refuses};

NN_PRIVATE void nn__install_matmul_general(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    nn__install_program_dtypes(nn); /* the conversions of halves and bytes to f32 */
    nn__install_matmul(nn);
    if (cpu) cpu->kernels[NN_KERNEL_GEMM] = &nn__gemm_general_kernel;
}
#endif
