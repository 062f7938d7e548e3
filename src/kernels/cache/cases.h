/* kernels/cache/cases.h - small test cases of writing into a cache, for nn_self_test and
   tests/kernels/test_backends.c. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Fills halves with any pattern that is not NaN or infinite. */
static void nn__cases_cache_view(nn__self_test *test, nn_view *view, bool output, nn_dtype dtype,
                                 const int *e) {
    if (dtype == NN_F32) {
        nn__self_test_numbers(test, view, output, e[0], e[1], e[2], e[3]);
        return;
    }
    uint16_t *halves = (uint16_t *)(void *)nn__self_test_view_of(test, view, output, dtype, e[0],
                                                                 e[1], e[2], e[3]);
    for (int64_t i = 0; i < nn__count(view); i++)
        halves[i] = (uint16_t)(0x3c00 + i % 701 + (i % 3 ? 0 : 0x8000));
}

static bool nn__cases_cache(nn__self_test *test, int i) {
    static const struct {
        short N, H, L, S, E;
        nn_dtype x, y;
        char inside, status, bad; /* status 1: clear, 2: set by another; bad 1: beyond the end, 2:
                                     below 0 */
    } cases[] = {{1, 1, 1, 1, 1, NN_F32, NN_F32, 0, 0, 0},
                 {3, 2, 5, 11, 7, NN_F32, NN_F32, 0, 1, 0},
                 {3, 5, 2, 9, 3, NN_F32, NN_F32, 1, 1, 0},
                 {1, 3, 90, 100, 130, NN_F32, NN_F16, 0, 1, 0},
                 {2, 7, 33, 40, 64, NN_F32, NN_BF16, 1, 0, 0},
                 {4, 2, 3, 8, 10, NN_F16, NN_F16, 0, 0, 0},
                 {2, 3, 1, 8, 5, NN_BF16, NN_BF16, 1, 1, 0},
                 {3, 2, 4, 9, 300, NN_F32, NN_F32, 0, 1, 1},
                 {3, 2, 4, 9, 6, NN_F32, NN_BF16, 1, 1, 2},
                 {2, 2, 3, 7, 4, NN_F32, NN_F32, 0, 0, 1},
                 {2, 3, 4, 9, 6, NN_F32, NN_F32, 0, 2, 0}};
    nn_cache_args *args = &test->args.cache;
    if (i >= NN__COUNT(cases)) return false;
    const int N = cases[i].N, H = cases[i].H, L = cases[i].L, S = cases[i].S, E = cases[i].E;
    const bool inside = cases[i].inside;
    const int x[4] = {N, inside ? L : H, inside ? H : L, E},
              y[4] = {N, inside ? S : H, inside ? H : S, E};
    nn__cases_cache_view(test, &args->y, true, cases[i].y, y);
    nn__cases_cache_view(test, &args->x, false, cases[i].x, x);
    int32_t *positions = nn__self_test_labels(test, &args->positions, S - L + 1, N, 0);
    if (N > 1) positions[N - 1] = S - L;
    if (cases[i].bad) positions[N - 1] = cases[i].bad == 1 ? S - L + 1 : -1;
    if (cases[i].status) nn__self_test_status(test, &args->status, cases[i].status == 2);
    args->heads_inside = inside;
    args->step = 77;
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d) of %s into %d rows of %s%s%s", x[0],
               x[1], x[2], E, nn_dtype_name(cases[i].x), S, nn_dtype_name(cases[i].y),
               inside ? ", heads inside" : "", cases[i].bad ? ", out of range" : "");
    return true;
}

#endif
