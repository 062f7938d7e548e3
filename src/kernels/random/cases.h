/* kernels/random/cases.h - small test cases of random numbers for nn_self_test. No shape is a
   multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_random(nn__self_test *test, int i) {
    nn_random_args *args = &test->args.random;
    if (i >= 1) return false;
    args->seed = 11, args->stream = 13, args->counter = 0xfffffffeu;
    args->low = -0.5f, args->high = 2.0f;
    nn__self_test_numbers(test, &args->y, true, 1031, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "1031 numbers");
    return true;
}

#endif
