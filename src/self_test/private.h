/* self_test/private.h - a case of a kernel, and the function that finds it. */
#pragma once

#include "plan/private.h"

#ifndef NN_NO_REPORTS

typedef struct nn__self_test_view {
    nn_view *view; /* a view in args or items */
    uint64_t at;   /* offset in the block */
    bool output;
} nn__self_test_view;

/* One case: arguments, and the contents of their views in one block of host memory, with a gap
   after each view. */
typedef struct nn__self_test {
    nn_kernel kernel;
    nn__args args;
    nn_update_item items[3];
    nn_norm_track_item tracks[2];
    nn_copy_piece pieces[2];
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn__self_test_view views[16];
    int view_count;
    uint64_t used;
    uint64_t counter; /* counter of the random numbers */
    char *block;      /* NN__SELF_TEST_BYTES long */
    char what[80];
} nn__self_test;

#define NN__SELF_TEST_BYTES ((size_t)1 << 18)
/* Describes case i of test->kernel and fills the block. False: there is no case i. */
NN_PRIVATE bool nn__self_test_describe(nn__self_test *test, int i);

#endif
