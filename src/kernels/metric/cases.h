/* kernels/metric/cases.h - small test cases of accuracy, confusion and totals for nn_self_test.
   No shape is a multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_accuracy(nn__self_test *test, int i) {
    nn_accuracy_args *args = &test->args.accuracy;
    const int classes = i ? 130 : 3;
    if (i >= 2) return false;
    float *logits = nn__self_test_numbers(test, &args->logits, false, 53, classes, 0, 0);
    for (int j = 0; j < 53 * classes; j++) logits[j] = (float)(int)(logits[j] * 3); /* ties */
    nn__self_test_labels(test, &args->label, classes, 53, 0);
    nn__self_test_numbers(test, &args->y, true, 1, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "(53, %d), with ties", classes);
    return true;
}

static bool nn__cases_confusion(nn__self_test *test, int i) {
    nn_confusion_args *args = &test->args.confusion;
    const int classes = i ? 11 : 3;
    if (i >= 4) return false;
    int32_t *counts = (int32_t *)(void *)nn__self_test_view_of(test, &args->counts, true, NN_I32,
                                                               classes, classes, 0, 0);
    for (int j = 0; j < classes * classes; j++) counts[j] = j % 4; /* counts are added to these */
    float *logits =
        nn__self_test_numbers(test, &args->logits, false, 53, classes, i == 1 ? 3 : 0, 0);
    for (int j = 0; j < 53 * classes; j++) logits[j] = (float)(int)(logits[j] * 3); /* ties */
    int32_t *label = nn__self_test_labels(test, &args->label, classes, 53, i == 1 ? 3 : 0);
    if (i == 2) label[0] = -1, label[31] = classes, label[52] = INT32_MIN;
    nn__self_test_status(test, &args->status, i == 3); /* if set, nothing may be counted */
    nn__format(test->what, sizeof test->what, "(53, %d%s)%s", classes, i == 1 ? ", 3" : "",
               i == 2   ? ", labels out of range"
               : i == 3 ? ", after a fault"
                        : ", with ties");
    return true;
}

static bool nn__cases_accumulate(nn__self_test *test, int i) {
    nn_accumulate_args *args = &test->args.accumulate;
    if (i >= 4) return false;
    args->weight = 64;
    args->check = i == 1 || i == 2;
    args->step = 1234;
    args->sums = i == 3 ? 70 : 0;
    nn__self_test_numbers(test, &args->total, true, i == 3 ? 140 : 2, 0, 0, 0);
    float *value = nn__self_test_numbers(test, &args->value, false, i == 3 ? 70 : 1, 0, 0, 0);
    uint32_t infinite = 0x7f800000u;
    if (i == 2) memcpy(value, &infinite, sizeof infinite);
    nn__self_test_status(test, &args->status, false);
    nn__format(test->what, sizeof test->what, "%s",
               i == 0   ? "plain"
               : i == 1 ? "checked"
               : i == 2 ? "infinite"
                        : "sums");
    return true;
}

#endif
