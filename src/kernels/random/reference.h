/* kernels/random/reference.h - uniform random numbers, as plain loops in double. */
#pragma once

static TEST_UNUSED void reference_random(const nn_random_args *r, reference_array y) {
    int64_t i;
    for (i = 0; i < reference_count(&r->y); i++)
        reference_set(y, i,
                      (double)r->low + ((double)r->high - (double)r->low) *
                                           reference_uniform(r->seed, r->stream, r->counter, i),
                      fabs((double)r->low) + fabs((double)r->high));
}

static TEST_UNUSED void reference_case_random(const nn_random_args *a,
                                              const reference_outputs *out) {
    reference_random(a, reference_at(out, &a->y));
}
