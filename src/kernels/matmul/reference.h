/* kernels/matmul/reference.h - the product of two matrices, as plain loops in double: what every
   device is compared with. */
#pragma once

static TEST_UNUSED void reference_gemm(const nn_gemm_args *g, reference_array y) {
    const float *a = view_f32(&g->a), *b = view_f32(&g->b), *bias = view_f32(&g->epilogue.bias);
    int64_t i, j, l, m = g->m, n = g->n, k = g->k;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            double sum = 0, scale = 0;
            for (l = 0; l < k; l++) {
                double product = (double)a[g->transpose_a ? l * m + i : i * k + l] *
                                 (double)b[g->transpose_b ? j * k + l : l * n + j];
                sum += product;
                scale += fabs(product);
            }
            if (g->accumulate) {
                sum += (double)view_f32(&g->y)[i * n + j];
                scale += fabs((double)view_f32(&g->y)[i * n + j]);
            }
            if (bias) {
                sum += (double)bias[j];
                scale += fabs((double)bias[j]);
            }
            reference_set(y, i * n + j, reference_activate(g->epilogue.activation, sum), scale);
        }
}

static TEST_UNUSED void reference_case_gemm(const nn_gemm_args *a, const reference_outputs *out) {
    reference_gemm(a, reference_at(out, &a->y));
}
