/* kernels/norm/cases.h - small test cases of norms for nn_self_test, tests/kernels/test_backends.c
   and the benchmark: contiguous sets and sets across, short and long lines, one number per channel,
   and few channels with many numbers each. */
#pragma once

#include "self_test/operands.h"

#ifndef NN_NO_REPORTS

typedef struct nn__norm_case {
    int outer, groups, channels, inner;
    bool across, affine, rms, given; /* given: uses running statistics */
    bool only;                       /* forward: computes only statistics */
} nn__norm_case;

static const nn__norm_case *nn__norm_case_at(int i) {
    static const nn__norm_case cases[] = {
        {7, 1, 77, 1, false, true, false, false, false},   /* layer_norm */
        {3, 1, 5, 1, false, false, false, false, false},   /* without weights */
        {70, 1, 9, 1, false, true, true, false, false},    /* rms_norm */
        {2, 3, 2, 35, false, true, false, false, false},   /* group_norm */
        {3, 5, 1, 6, false, true, false, false, false},    /* instance_norm */
        {2, 1, 1, 9001, false, true, false, false, false}, /* long sets */
        {9, 13, 1, 1, true, true, false, false, false},    /* batch_norm1d of (N, C) */
        {70, 3, 1, 7, true, true, false, false, false},    /* batch_norm2d of small images */
        {3, 4, 1, 300, true, false, false, false, false},  /* of larger images */
        {5, 7, 1, 3, true, true, false, true, false},      /* with running statistics */
        {2, 2, 1, 261, true, true, false, true, false},
        {33, 2, 1, 261, true, true, false, true, false}, /* in pieces */
        {201, 2, 1, 41, true, true, false, false, false}, /* in pieces */
        {1, 3, 1, 5, true, true, false, false, false},    /* lines of one number */
        {9, 13, 1, 1, true, false, false, false, true},
        {201, 2, 1, 41, true, false, false, false, true},
    };
    return i < NN__COUNT(cases) ? &cases[i] : NULL;
}

static nn_norm_cut nn__norm_case_cut(const nn__norm_case *c) {
    nn_norm_cut cut;
    memset(&cut, 0, sizeof cut);
    cut.outer = c->outer;
    cut.inner = c->inner;
    cut.groups = c->groups;
    cut.channels = c->channels;
    cut.across = c->across;
    return cut;
}

static void nn__norm_case_what(nn__self_test *test, const nn__norm_case *c) {
    nn__format(test->what, sizeof test->what, "(%d, %d, %d, %d)%s%s%s%s", c->outer, c->groups,
               c->channels, c->inner, c->across ? ", across" : "", c->affine ? ", weights" : "",
               c->rms ? ", rms" : "", c->given ? ", given statistics" : "");
}

static bool nn__cases_norm_forward(nn__self_test *test, int i) {
    const nn__norm_case *c = nn__norm_case_at(i / 2);
    nn_norm_args *args = &test->args.norm_forward;
    if (!c) return false;
    const int all = c->groups * c->channels, sets = c->across ? all : c->outer * c->groups,
              size = c->outer * all * c->inner;
    args->cut = nn__norm_case_cut(c);
    args->rms = c->rms;
    args->epsilon = 1e-5f;
    if (!c->only) nn__self_test_numbers(test, &args->y, true, c->outer, all, c->inner, 0);
    float *x = nn__self_test_numbers(test, &args->x, false, c->outer, all, c->inner, 0);
    for (int j = 0; i % 2 && j < size; j++) x[j] += 20.0f; /* a mean far from 0 */
    if (c->affine) nn__self_test_numbers(test, &args->weight, false, all, 0, 0, 0);
    if (c->affine && !c->rms) nn__self_test_numbers(test, &args->bias, false, all, 0, 0, 0);
    if (!c->rms) nn__self_test_numbers(test, &args->mean, true, sets, 0, 0, 0);
    nn__self_test_numbers(test, &args->rstd, true, sets, 0, 0, 0);
    if (!c->rms && !c->given) nn__self_test_numbers(test, &args->variance, true, sets, 0, 0, 0);
    if (c->given) {
        nn__self_test_numbers(test, &args->running_mean, false, all, 0, 0, 0);
        nn__self_test_positive(test, &args->running_var, all, 0, 0, 0);
    }
    if (i % 4 == 3) args->activation = NN_ACTIVATION_RELU;
    nn__norm_case_what(test, c);
    return true;
}

static bool nn__cases_norm_backward(nn__self_test *test, int i) {
    const nn__norm_case *c = nn__norm_case_at(i / 2);
    nn_norm_backward_args *args = &test->args.norm_backward;
    if (!c) return false;
    const int all = c->groups * c->channels, sets = c->across ? all : c->outer * c->groups;
    const bool dx = i % 2 == 0 || !c->affine;
    args->cut = nn__norm_case_cut(c);
    args->fixed = c->given;
    args->accumulate = i % 4 == 1;
    if (dx) nn__self_test_numbers(test, &args->dx, true, c->outer, all, c->inner, 0);
    if (c->affine) nn__self_test_numbers(test, &args->dweight, true, all, 0, 0, 0);
    if (c->affine && !c->rms) nn__self_test_numbers(test, &args->dbias, true, all, 0, 0, 0);
    nn__self_test_numbers(test, &args->dy, false, c->outer, all, c->inner, 0);
    nn__self_test_numbers(test, &args->x, false, c->outer, all, c->inner, 0);
    if (c->affine) nn__self_test_numbers(test, &args->weight, false, all, 0, 0, 0);
    if (!c->rms) nn__self_test_numbers(test, &args->mean, false, sets, 0, 0, 0);
    nn__self_test_positive(test, &args->rstd, sets, 0, 0, 0);
    nn__norm_case_what(test, c);
    return true;
}

static bool nn__cases_norm_track(nn__self_test *test, int i) {
    nn_norm_track_args *args = &test->args.norm_track;
    if (i >= 6) return false;
    const int channels = i % 2 ? 5 : 131, n = i == 3 ? 7 : 1;
    args->momentum = 0.25f;
    args->cumulative = i == 2 || i == 3 || i == 5;
    args->items = test->tracks;
    args->item_count = i == 5 ? NN__COUNT(test->tracks) : 1;
    for (int k = 0; k < args->item_count; k++) {
        nn_norm_track_item *item = &test->tracks[k];
        nn__self_test_numbers(test, &item->running_mean, true, channels + k, 0, 0, 0);
        nn__self_test_numbers(test, &item->running_var, true, channels + k, 0, 0, 0);
        if (i != 4) {
            char *word = nn__self_test_view_of(test, &item->count, true, NN_I32, 2, 0, 0, 0);
            const int64_t count = i ? 3 * (int64_t)i + k : 0xffffffff;
            memcpy(word, &count, sizeof count);
        }
        nn__self_test_numbers(test, &item->mean, false, n, channels + k, 0, 0);
        nn__self_test_numbers(test, &item->variance, false, n, channels + k, 0, 0);
    }
    if (i != 2) nn__self_test_status(test, &args->status, i == 1);
    nn__format(test->what, sizeof test->what, "%d channels, the mean of %d%s%s", channels, n,
               args->cumulative ? ", cumulative" : "", i == 1 ? ", after a fault" : "");
    return true;
}

static bool nn__cases_norm_fold(nn__self_test *test, int i) {
    nn_norm_fold_args *args = &test->args.norm_fold;
    if (i >= 3) return false;
    const int channels = i == 1 ? 70 : 5, in = i == 2 ? 1 : 7, side = i == 1 ? 0 : 3;
    args->epsilon = 1e-5f;
    nn__self_test_numbers(test, &args->weight, true, channels, in, side, side);
    nn__self_test_numbers(test, &args->bias, true, channels, 0, 0, 0);
    nn__self_test_numbers(test, &args->from, false, channels, in, side, side);
    if (i) nn__self_test_numbers(test, &args->from_bias, false, channels, 0, 0, 0);
    if (i != 1) nn__self_test_numbers(test, &args->norm_weight, false, channels, 0, 0, 0);
    if (i != 1) nn__self_test_numbers(test, &args->norm_bias, false, channels, 0, 0, 0);
    nn__self_test_numbers(test, &args->running_mean, false, channels, 0, 0, 0);
    nn__self_test_positive(test, &args->running_var, channels, 0, 0, 0);
    nn__format(test->what, sizeof test->what, "%d channels of %d%s", channels, in,
               i ? "" : ", no bias");
    return true;
}

#endif
