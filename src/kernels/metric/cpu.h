/* kernels/metric/cpu.h - how accuracy and confusion matrix walk over logits (N, C, ...): in units
   of some positions, each with one logit for each class. */
#pragma once

#include "cpu/private.h"

#define NN__METRIC_UNIT 16384 /* logits per unit, approximately */

static inline NN__UNUSED int64_t nn__metric_positions(const nn_view *logits) {
    return nn__count(logits) / logits->shape.extent[1];
}

static inline NN__UNUSED int64_t nn__metric_rows(const nn_view *logits) {
    return nn__max64(1, NN__METRIC_UNIT / logits->shape.extent[1]);
}
#undef NN__METRIC_UNIT

static inline NN__UNUSED int nn__metric_row_units(const nn_view *logits) {
    int64_t rows = nn__metric_rows(logits);
    return (int)((nn__metric_positions(logits) + rows - 1) / rows);
}

/* Returns the first logit of a position; its others follow at distances of *inner. */
static inline NN__UNUSED const float *nn__metric_row(const nn_view *logits, int64_t at,
                                                     int64_t *inner) {
    *inner = nn__metric_positions(logits) / logits->shape.extent[0];
    return nn__f32(logits) + at / *inner * logits->shape.extent[1] * *inner + at % *inner;
}
