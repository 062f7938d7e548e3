/* reference.h: the meaning of every kernel, as plain loops in double: the oracle of
   test_backends.c. The loops are in src/kernels/<family>/reference.h; this file has their common
   parts.

   The definitions are those of PyTorch 1.13. Views hold host pointers. Every function writes the
   expected `value` of each element of an output, and its `scale`: the sum of the absolute terms of
   the value. A float kernel is right if its error is at most a few 1e-6 times `scale`. Speed does
   not matter. Include after "nn.h". */
#ifndef NN_REFERENCE_H
#define NN_REFERENCE_H

#include <math.h>
#include <stdlib.h>

#include "halves.h"
#include "test.h"

typedef struct reference_array { /* one output; NULL pointers: absent */
    double *value, *scale;
} reference_array;

/* ---- helpers --------------------------------------------------------------------------------- */

static TEST_UNUSED float *view_f32(const nn_view *view) {
    return view->dtype ? (float *)(void *)((char *)view->handle + view->offset) : NULL;
}
static TEST_UNUSED int32_t *view_i32(const nn_view *view) {
    return view->dtype ? (int32_t *)(void *)((char *)view->handle + view->offset) : NULL;
}

static int64_t reference_count(const nn_view *view) {
    int64_t n = 1;
    int i;
    for (i = 0; i < view->shape.rank; i++) n *= view->shape.extent[i];
    return n;
}

static void reference_set(reference_array out, int64_t i, double value, double scale) {
    out.value[i] = value;
    out.scale[i] = scale + fabs(value);
}

/* Adds the old contents, for accumulate. */
static void reference_add_old(reference_array out, int64_t i, const nn_view *view,
                              bool accumulate) {
    if (!accumulate) return;
    out.value[i] += (double)view_f32(view)[i];
    out.scale[i] += fabs((double)view_f32(view)[i]);
}

static double reference_sigmoid(double x) {
    return x >= 0 ? 1 / (1 + exp(-x)) : exp(x) / (1 + exp(x));
}
static double reference_gelu(double x) { return 0.5 * x * (1 + erf(x * 0.70710678118654752440)); }

static double reference_activate(nn_activation activation, double x) {
    switch (activation) {
        case NN_ACTIVATION_RELU: return x > 0 || x != x ? x : 0;
        case NN_ACTIVATION_SIGMOID: return reference_sigmoid(x);
        case NN_ACTIVATION_TANH: return tanh(x);
        case NN_ACTIVATION_GELU: return reference_gelu(x);
        case NN_ACTIVATION_RELU6: return x <= 0 ? 0 : x > 6 ? 6 : x;
        case NN_ACTIVATION_NONE: case NN_ACTIVATION_COUNT: break;
    }
    return x;
}

/* Returns the uniform number of element i of a random kernel. */
static double reference_uniform(uint64_t seed, uint64_t stream, uint64_t counter, int64_t i) {
    uint32_t words[4];
    nn_random_words(seed, stream, counter + (uint64_t)(i / 4), words);
    return (double)nn_word_to_uniform(words[i % 4]);
}

/* log(sum(exp(x))) over `count` numbers `stride` apart. */
static double reference_log_sum(const float *x, int64_t count, int64_t stride) {
    double maximum = -INFINITY, sum = 0;
    int64_t i;
    for (i = 0; i < count; i++)
        if ((double)x[i * stride] > maximum) maximum = (double)x[i * stride];
    for (i = 0; i < count; i++) sum += exp((double)x[i * stride] - maximum);
    return maximum + log(sum);
}

typedef struct reference_classes {
    int64_t N, C, D;
} reference_classes; /* logits (N, C, D), labels (N, D) */

static reference_classes reference_class_extents(const nn_view *logits) {
    reference_classes e;
    e.N = logits->shape.extent[0];
    e.C = logits->shape.extent[1];
    e.D = reference_count(logits) / (e.N * e.C);
    return e;
}

static double reference_status(const nn_view *status, uint32_t step, nn_fault_code code,
                               bool fault) {
    uint32_t old = (uint32_t)view_i32(status)[0];
    return (double)(int32_t)(old ? old : fault ? (step << 3) | (uint32_t)code : 0);
}

/* Element i of a view as a number. */
static double reference_number(const nn_view *view, int64_t i) {
    const char *first = (const char *)view->handle + view->offset;
    switch (view->dtype) {
        case NN_U8: return (double)((const uint8_t *)first)[i];
        case NN_I32: return (double)((const int32_t *)(const void *)first)[i];
        case NN_F16: case NN_BF16:
            return value_of(view->dtype, ((const uint16_t *)(const void *)first)[i]);
        default: return (double)((const float *)(const void *)first)[i];
    }
}

/* ---- the references of all kernels ----------------------------------------------------------- */

/* The arrays for a case's outputs: each belongs to a view among its arguments. */
typedef struct reference_outputs {
    nn_view *const *views;
    const reference_array *arrays;
    int count;
} reference_outputs;

static reference_array reference_at(const reference_outputs *out, const nn_view *view) {
    reference_array none = {NULL, NULL};
    int i;
    for (i = 0; i < out->count; i++)
        if (out->views[i] == view) return out->arrays[i];
    return none;
}

/* src/kernels/<family>/reference.h: reference_case_<kernel>(arguments, outputs) for each kernel. */
#include "build/gen/kernels/reference.h"

#endif /* NN_REFERENCE_H */
