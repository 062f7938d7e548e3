/* kernels/update/cases.h - small test cases of optimizers and clipping for nn_self_test. No
   shape is a multiple of a tile, and a few are larger than one. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

static bool nn__cases_clip(nn__self_test *test, int i) {
    nn_clip_args *args = &test->args.clip;
    if (i >= 2) return false;
    args->items = test->items;
    args->count = 3;
    args->max_norm = i ? 1e6f : 0.5f;
    for (int j = 0; j < 3; j++)
        nn__self_test_numbers(test, &test->items[j].gradient, false, 1 + j * 501, 0, 0, 0);
    nn__self_test_numbers(test, &args->scale, true, 1, 0, 0, 0);
    nn__self_test_numbers(test, &args->norm, true, 1, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "3 gradients, %s", i ? "small" : "too large");
    return true;
}

static bool nn__cases_update(nn__self_test *test, int i) {
    static const nn_optimizer optimizers[] = {NN_SGD, NN_SGD, NN_SGD, NN_ADAM, NN_ADAMW, NN_ADAM};
    nn_update_args *args = &test->args.update;
    if (i >= NN__COUNT(optimizers)) return false;
    const bool adam = optimizers[i] != NN_SGD, momentum = i == 1 || i == 2;
    args->items = test->items;
    args->count = 3;
    args->optimizer = optimizers[i];
    args->learning_rate = 0.03f, args->weight_decay = i % 2 ? 0.1f : 0.0f;
    args->momentum = momentum ? 0.9f : 0.0f, args->dampening = i == 1 ? 0.3f : 0.0f;
    args->nesterov = i == 2;
    args->beta1 = 0.9f, args->beta2 = 0.999f, args->epsilon = 1e-8f;
    args->step = i == 5 ? 1000 : 4;
    for (int j = 0; j < 3; j++) {
        nn_update_item *item = &test->items[j];
        const int count = 1 + j * 501;
        nn__self_test_numbers(test, &item->parameter, true, count, 0, 0, 0);
        nn__self_test_numbers(test, &item->gradient, false, count, 0, 0, 0);
        if (adam || momentum) nn__self_test_numbers(test, &item->moment1, true, count, 0, 0, 0);
        if (!adam) continue;
        nn__self_test_positive(test, &item->moment2, count, 0, 0, 0);
        test->views[test->view_count - 1].output = true;
    }
    if (i >= 4) nn__self_test_positive(test, &args->gradient_scale, 1, 0, 0, 0);
    nn__self_test_status(test, &args->status, i == 5); /* if set, nothing may be updated */
    nn__format(test->what, sizeof test->what, "optimizer %d, case %d", (int)args->optimizer, i + 1);
    return true;
}

#endif
