/* kernels/matmul/reference.h - matrix products and batches of them, as plain loops in double. */
#pragma once

/* Returns number i of a matrix stored in f32, f16, bf16 or i8. */
static double reference_stored(const nn_view *view, int64_t i) {
    const char *at = (const char *)view->handle + view->offset;
    if (view->dtype == NN_F32) return (double)((const float *)(const void *)at)[i];
    if (view->dtype == NN_I8) return (double)((const int8_t *)at)[i];
    return value_of(view->dtype, ((const uint16_t *)(const void *)at)[i]);
}

/* Copies the (rows, columns) numbers from element `at` on, so that each is converted once.
   `turned`: they are stored as (columns, rows). */
static double *reference_matrix(const nn_view *view, int64_t at, int64_t rows, int64_t columns,
                                bool turned) {
    double *matrix = (double *)malloc(sizeof(double) * (size_t)(rows * columns));
    for (int64_t i = 0; i < rows; i++)
        for (int64_t l = 0; l < columns; l++)
            matrix[i * columns + l] =
                reference_stored(view, at + (turned ? l * rows + i : i * columns + l));
    return matrix;
}

/* Computes one product, whose matrices begin at these elements of y, a and b. */
static void reference_product(const nn_gemm_args *g, int64_t y_at, int64_t a_at, int64_t b_at,
                              reference_array y) {
    const float *bias = view_f32(&g->epilogue.bias);
    int64_t i, j, l, m = g->m, n = g->n, k = g->k;
    double *a = reference_matrix(&g->a, a_at, m, k, g->transpose_a),
           *b = reference_matrix(&g->b, b_at, n, k, !g->transpose_b);
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            int64_t to = y_at + i * n + j;
            double sum = 0, scale = 0;
            for (l = 0; l < k; l++) {
                double product = a[i * k + l] * b[j * k + l];
                sum += product;
                scale += fabs(product);
            }
            if (g->accumulate) {
                sum += (double)view_f32(&g->y)[to];
                scale += fabs((double)view_f32(&g->y)[to]);
            }
            if (bias) {
                sum += (double)bias[j];
                scale += fabs((double)bias[j]);
            }
            reference_set(y, to, reference_activate(g->epilogue.activation, sum), scale);
        }
    free(a);
    free(b);
}

static TEST_UNUSED void reference_gemm(const nn_gemm_args *g, reference_array y) {
    int64_t e[4], at[4], i, y_at = 0, m = g->m, n = g->n, k = g->k;
    for (i = 0; i < 4; i++) e[i] = g->batch[i] > 0 ? g->batch[i] : 1;
    for (at[0] = 0; at[0] < e[0]; at[0]++)
        for (at[1] = 0; at[1] < e[1]; at[1]++)
            for (at[2] = 0; at[2] < e[2]; at[2]++)
                for (at[3] = 0; at[3] < e[3]; at[3]++, y_at += m * n) {
                    int64_t a = 0, b = 0;
                    for (i = 0; i < 4; i++) {
                        a += at[i] * g->a_batch[i];
                        b += at[i] * g->b_batch[i];
                    }
                    reference_product(g, y_at, a * m * k, b * k * n, y);
                }
}

static TEST_UNUSED void reference_case_gemm(const nn_gemm_args *a, const reference_outputs *out) {
    reference_gemm(a, reference_at(out, &a->y));
}
