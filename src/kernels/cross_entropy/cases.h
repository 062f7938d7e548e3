/* kernels/cross_entropy/cases.h - small test cases of cross entropy for nn_self_test. No shape
   is a multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

/* Prepares a case of any of the three kernels, whose structs begin with the same fields. */
static bool nn__cases_of_cross_entropy(nn__self_test *test, int i) {
    const bool head = test->kernel == NN_KERNEL_CROSS_ENTROPY_HEAD,
               forward = head || test->kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD;
    nn_cross_entropy_args *args = &test->args.cross_entropy_forward;
    const int rows = 37, classes = i == 2 || i == 5 ? 3 : i % 2 ? 130 : 10;
    const bool each = i >= 5;
    if (i >= (head ? 5 : 8)) return false;
    int32_t *label;
    args->reduction = each ? NN_REDUCTION_NONE : i == 3 ? NN_SUM : NN_MEAN;
    args->log_probabilities = i >= 6;
    args->label_smoothing = i >= 2 && i < 6 ? 0.1f : 0.0f;
    args->ignore = i >= 1;
    args->ignore_index = -100;
    args->step = 77;
    nn__self_test_numbers(test, &args->logits, false, rows, classes, 0, 0);
    label = nn__self_test_labels(test, &args->label, classes, rows, 0);
    if (args->ignore) label[5] = label[36] = -100;
    if (i == 4 && forward) label[7] = classes; /* out of range */
    if (i >= 2) nn__self_test_positive(test, &args->weight, classes, 0, 0, 0);
    nn__self_test_status(test, &args->status, false);
    if (forward) {
        nn__self_test_numbers(test, &args->loss, true, each ? rows : 1, 0, 0, 0);
    }
    if (head || !forward) {
        nn__self_test_numbers(test, &args->dlogits, true, rows, classes, 0, 0);
        nn__self_test_numbers(test, &args->dloss, false, each ? rows : 1, 0, 0, 0);
    }
    if (head) {
        nn_cross_entropy_head_args *all = &test->args.cross_entropy_head;
        if (i != 2) nn__self_test_numbers(test, &all->total, true, 2, 0, 0, 0);
        all->weight = 37.0f;
        all->check = i != 3;
    }
    nn__format(
        test->what, sizeof test->what, "(37, %d)%s%s%s%s", classes, i >= 2 ? ", weights" : "",
        i >= 6   ? ", no softmax"
        : i >= 2 ? ", smoothing"
                 : "",
        args->ignore ? ", some ignored" : "", i == 4 && forward ? ", a label out of range" : "");
    return true;
}

static bool nn__cases_cross_entropy_forward(nn__self_test *test, int i) {
    return nn__cases_of_cross_entropy(test, i);
}
static bool nn__cases_cross_entropy_backward(nn__self_test *test, int i) {
    return nn__cases_of_cross_entropy(test, i);
}
static bool nn__cases_cross_entropy_head(nn__self_test *test, int i) {
    return nn__cases_of_cross_entropy(test, i);
}

#endif
