/* self_test/cases.c - finds the cases of a kernel, which are in the folder of its family, for
   self_test/self_test.c. */
#include "kernels/cases.h"

#ifndef NN_NO_REPORTS

NN_PRIVATE bool nn__self_test_describe(nn__self_test *test, int i) {
    memset(&test->args, 0, sizeof test->args);
    memset(test->items, 0, sizeof test->items);
    memset(test->tracks, 0, sizeof test->tracks);
    memset(test->block, 0xa5, NN__SELF_TEST_BYTES);
    test->view_count = 0;
    test->used = NN__ALIGNMENT; /* a gap before the first view too */
    switch (test->kernel) {
#define NN__X(number, upper, lower, args_type, family) \
    case NN_KERNEL_##upper: return nn__cases_##lower(test, i);
        NN_KERNELS(NN__X)
#undef NN__X
    default: return false;
    }
}

#endif
