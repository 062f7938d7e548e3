/* kernels/linear_gradient/reference.h - the gradients of a linear layer as plain loops in
   double. */
#pragma once

static TEST_UNUSED void reference_case_linear_gradient(const nn_linear_gradient_args *a,
                                                       const reference_outputs *out) {
    reference_array dweight = reference_at(out, &a->dweight), dbias = reference_at(out, &a->dbias),
                    dx = reference_at(out, &a->dx);
    const float *dy = view_f32(&a->dy), *x = view_f32(&a->x), *weight = view_f32(&a->weight);
    const int64_t M = a->dy.shape.extent[0], N = a->dy.shape.extent[1], K = a->x.shape.extent[1];
    int64_t m, n, k;
    for (n = 0; n < N && a->dweight.dtype; n++)
        for (k = 0; k < K; k++) {
            double sum = 0, scale = 0;
            for (m = 0; m < M; m++) {
                const double product = (double)dy[m * N + n] * (double)x[m * K + k];
                sum += product;
                scale += fabs(product);
            }
            reference_set(dweight, n * K + k, sum, scale);
        }
    for (n = 0; n < N && a->dbias.dtype; n++) {
        double sum = 0, scale = 0;
        for (m = 0; m < M; m++) sum += (double)dy[m * N + n], scale += fabs((double)dy[m * N + n]);
        reference_set(dbias, n, sum, scale);
    }
    for (m = 0; m < M && a->dx.dtype; m++)
        for (k = 0; k < K; k++) {
            double sum = 0, scale = 0;
            for (n = 0; n < N; n++) {
                const double product = (double)dy[m * N + n] * (double)weight[n * K + k];
                sum += product;
                scale += fabs(product);
            }
            if (a->activation == NN_ACTIVATION_RELU && x[m * K + k] <= 0) sum = scale = 0;
            reference_set(dx, m * K + k, sum, scale);
        }
}
