/* self_test/operands.h - helpers that make operands for the cases of nn_self_test, which are in
   kernels/<family>/cases.h. A case function fills test->args, the views and test->what for case i
   of a kernel. It returns false if there is no case i. */
#pragma once

#include "self_test/private.h"

#ifndef NN_NO_REPORTS

/* ---- operands -------------------------------------------------------------------------------- */

static inline NN__UNUSED float nn__self_test_unit(nn__self_test *test) { /* in [-1, 1) */
    uint32_t words[4];
    nn_random_words(17, 4, test->counter++, words);
    return nn_word_to_uniform(words[0]) * 2 - 1;
}

/* Sets up a view with the extents a to d (0 ends them), and gives it a place in the block. */
static inline NN__UNUSED char *nn__self_test_view_of(nn__self_test *test, nn_view *view,
    bool output, nn_dtype dtype, int a, int b,
                                   int c, int d) {
    nn__self_test_view *entry = &test->views[test->view_count++];
    const int extents[4] = {a, b, c, d};
    NN_ASSERT(test->view_count <= NN__COUNT(test->views));
    memset(view, 0, sizeof *view);
    view->dtype = dtype;
    while (view->shape.rank < 4 && extents[view->shape.rank]) {
        view->shape.extent[view->shape.rank] = extents[view->shape.rank];
        view->shape.rank++;
    }
    entry->view = view;
    entry->at = test->used;
    entry->output = output;
    test->used += nn__padded(nn__bytes(view)) + NN__ALIGNMENT;
    NN_ASSERT(test->used <= NN__SELF_TEST_BYTES);
    return test->block + entry->at;
}

/* Fills a view with numbers in [-1, 1). */
static inline NN__UNUSED float *nn__self_test_numbers(nn__self_test *test, nn_view *view,
    bool output, int a, int b, int c, int d) {
    float *numbers = (float *)(void *)nn__self_test_view_of(test, view, output, NN_F32, a, b, c, d);
    const int64_t count = nn__count(view);
    for (int64_t i = 0; i < count; i++) numbers[i] = nn__self_test_unit(test);
    return numbers;
}

static inline NN__UNUSED float *nn__self_test_positive(nn__self_test *test, nn_view *view, int a,
    int b, int c, int d) {
    float *numbers = nn__self_test_numbers(test, view, false, a, b, c, d);
    const int64_t count = nn__count(view);
    for (int64_t i = 0; i < count; i++) numbers[i] = 1.25f + numbers[i];
    return numbers;
}

/* Fills a view with whole numbers in [0, below). */
static inline NN__UNUSED int32_t *nn__self_test_labels(nn__self_test *test, nn_view *view,
    int below, int a, int b) {
    int32_t *labels =
        (int32_t *)(void *)nn__self_test_view_of(test, view, false, NN_I32, a, b, 0, 0);
    for (int64_t i = 0; i < nn__count(view); i++) labels[i] = (int32_t)(i * 7 % below);
    return labels;
}

static inline NN__UNUSED uint8_t *nn__self_test_pixels(nn__self_test *test, nn_view *view, int a,
    int b, int c, int d) {
    uint8_t *pixels =
        (uint8_t *)(void *)nn__self_test_view_of(test, view, false, NN_U8, a, b, c, d);
    for (int64_t i = 0; i < nn__count(view); i++)
        pixels[i] = (uint8_t)(128 + 127 * nn__self_test_unit(test));
    return pixels;
}

static inline NN__UNUSED void nn__self_test_status(nn__self_test *test, nn_view *view, bool set) {
    char *word = nn__self_test_view_of(test, view, true, NN_I32, 1, 0, 0, 0);
    uint32_t value = set ? 5u << 3 | (uint32_t)NN_FAULT_LOSS : 0;
    memcpy(word, &value, sizeof value);
}

typedef struct nn__self_test_window { /* of a convolution, or of a pool without K and groups */
    int N, C, H, W, K, R, S, stride, padding, dilation, groups;
} nn__self_test_window;

static inline NN__UNUSED int nn__self_test_out(int extent, int kernel,
    const nn__self_test_window *w) {
    return (extent + 2 * w->padding - w->dilation * (kernel - 1) - 1) / w->stride + 1;
}

#endif
