/* kernels/shard_sum/reference.h - sums of shards as plain loops. */
#pragma once

/* Returns the bf16 nearest to x, halves to even: rounds x to a multiple of the last bit. */
static TEST_UNUSED double reference_shard_sum_closest(double x) {
    int power;
    frexp(x, &power);
    return x == 0.0 ? x : ldexp(nearbyint(ldexp(x, 8 - power)), power - 8);
}

static TEST_UNUSED double reference_shard_sum_round(const nn_shard_sum_args *a,
                                                    const reference_outputs *out, int k, int64_t i,
                                                    double x) {
    if (i >= a->rounded || !a->rests[k].dtype) return x;
    const double whole = x + (double)view_f32(&a->rests[k])[i], closest =
        reference_shard_sum_closest(whole);
    reference_set(reference_at(out, &a->rests[k]), i, whole - closest, 0);
    return closest;
}

/* f32 holds the sums of the cases exactly. */
static TEST_UNUSED void reference_case_shard_sum(const nn_shard_sum_args *a,
                                                 const reference_outputs *out) {
    const reference_array to = reference_at(out, &a->to), narrow = reference_at(out, &a->narrow);
    for (int64_t i = 0; i < reference_count(&a->to); i++) {
        double x = reference_shard_sum_round(a, out, 0, i, (double)view_f32(&a->x)[i]);
        for (int k = 0; k < a->count; k++) {
            x = (double)view_f32(&a->sums[k])[i] + x;
            x = reference_shard_sum_round(a, out, k + 1, i, x);
        }
        reference_set(to, i, x, 0);
        if (i < a->rounded && a->narrow.dtype) reference_set(narrow, i, x, 0);
    }
}

static TEST_UNUSED void reference_case_shard_product(const nn_shard_product_args *a,
                                                     const reference_outputs *out) {
    const reference_array y = reference_at(out, &a->y);
    for (int i = 0; i < a->m; i++)
        for (int j = 0; j < a->n; j++) {
            double sum = 0, scale = 0;
            for (int row = 0; row < a->shards * a->rows; row++) { /* row by row of each shard */
                const int64_t s = row / a->rows, p = row % a->rows;
                if (a->counts.dtype
                        ? p >= (int64_t)view_f32(&a->counts)[s * a->weight_step] * a->count_rows
                        : row >= a->total)
                    continue;
                const double weight =
                    a->weights.dtype ? (double)view_f32(&a->weights)[s * a->weight_step] : 1.0;
                const double product =
                    weight * (double)view_f32(&a->a)[s * a->a_step + p * a->a_row + i] *
                    (double)view_f32(&a->b)[s * a->b_step + p * a->n + j];
                sum += product;
                scale += fabs(product);
            }
            reference_set(y, (int64_t)i * a->n + j, sum, scale);
        }
}
