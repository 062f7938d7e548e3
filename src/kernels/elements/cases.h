/* kernels/elements/cases.h - small test cases of element-wise gather and scatter, for nn_self_test
   and tests/kernels/test_backends.c: every axis, a part smaller than the whole, indices that occur
   often or never, and some out of range. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* The whole (a, b, c), the part (p, q, r). */
typedef struct nn__elements_case {
    short a, b, c, p, q, r, axis;
    char status; /* 1: clear, 2: set by another */
    char way;    /* scatter: 1 a value, 2 replace, 4 no base; gather: 1 bytes */
    char combine; /* scatter, without 2: an nn_combination */
} nn__elements_case;

static inline NN__UNUSED const nn__elements_case *nn__elements_case_of(int i) {
    static const nn__elements_case cases[] = {
        {7, 5, 3, 11, 5, 3, 0, 0, 0, 0},
        {7, 5, 3, 4, 6, 2, 1, 1, 1, 0},
        {2, 3, 130, 2, 3, 67, 2, 0, 4, 0},
        {2, 9, 66, 2, 40, 66, 1, 0, 4, 0},
        {1, 1, 1, 1, 1, 1, 0, 1, 5, 0},
        {40, 3, 6, 40, 3, 1, 2, 2, 5, 0},
        {5, 4, 66, 3, 9, 66, 1, 1, 2, 0},
        {1, 1, 9, 1, 1, 2051, 2, 0, 0, 0},
        {9, 60, 12, 9, 60, 32, 2, 1, 2, 0},
        {8, 75, 28, 7, 75, 28, 2, 1, 0, 0},
        {7, 5, 3, 11, 5, 3, 0, 0, 0, NN_COMBINE_MAX},
        {9, 60, 12, 9, 60, 12, 2, 1, 0, NN_COMBINE_MIN},
        {5, 9, 66, 5, 9, 66, 1, 1, 0, NN_COMBINE_MULTIPLY}};
    return i < NN__COUNT(cases) ? &cases[i] : NULL;
}

static inline NN__UNUSED void nn__elements_case_index(nn__self_test *test, nn_view *index,
                                                      nn_view *status,
                                                      const nn__elements_case *one, int32_t count) {
    const int all = one->p * one->q * one->r;
    int32_t *number = nn__self_test_labels(test, index, count, all, 0);
    index->shape.rank = 3;
    index->shape.extent[0] = one->p;
    index->shape.extent[1] = one->q;
    index->shape.extent[2] = one->r;
    if (all > 8) number[1] = number[4], number[all / 2] = -1, number[all - 1] = count;
    if (one->status) nn__self_test_status(test, status, one->status == 2);
}

static inline NN__UNUSED void nn__elements_case_words(nn__self_test *test,
                                                      const nn__elements_case *one,
                                                      const char *more) {
    nn__format(test->what, sizeof test->what, "(%d, %d, %d) of (%d, %d, %d) along axis %d%s%s",
               one->p, one->q, one->r, one->a, one->b, one->c, one->axis, more,
               one->status ? ", checked" : "");
}

static bool nn__cases_gather_elements(nn__self_test *test, int i) {
    nn_gather_elements_args *args = &test->args.gather_elements;
    const nn__elements_case *one = nn__elements_case_of(i);
    if (!one) return false;
    args->axis = one->axis;
    args->step = 77;
    nn__self_test_view_of(test, &args->y, true, one->way == 1 ? NN_U8 : NN_F32, one->p, one->q,
                          one->r, 0);
    if (one->way == 1) nn__self_test_pixels(test, &args->x, one->a, one->b, one->c, 0);
    else nn__self_test_numbers(test, &args->x, false, one->a, one->b, one->c, 0);
    nn__elements_case_index(test, &args->index, &args->status, one,
                            args->x.shape.extent[one->axis]);
    nn__elements_case_words(test, one, one->way == 1 ? ", u8" : "");
    return true;
}

static bool nn__cases_scatter_elements(nn__self_test *test, int i) {
    nn_scatter_elements_args *args = &test->args.scatter_elements;
    const nn__elements_case *one = nn__elements_case_of(i);
    if (!one) return false;
    args->axis = one->axis;
    args->step = 77;
    args->value = 1.5f;
    args->combine = one->way & 2 ? NN_COMBINE_REPLACE : (nn_combination)one->combine;
    nn__self_test_numbers(test, &args->y, true, one->a, one->b, one->c, 0);
    if (!(one->way & 4))
        nn__self_test_numbers(test, &args->base, false, one->a, one->b, one->c, 0);
    if (!(one->way & 1)) nn__self_test_numbers(test, &args->x, false, one->p, one->q, one->r, 0);
    nn__elements_case_index(test, &args->index, &args->status, one,
                            args->y.shape.extent[one->axis]);
    nn__elements_case_words(test, one, args->combine == NN_COMBINE_REPLACE ? ", replaced"
                            : args->combine                     ? ", combined"
                                                                : "");
    return true;
}

#endif
