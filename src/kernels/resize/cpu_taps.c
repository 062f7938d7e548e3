/* kernels/resize/cpu_taps.c - computes which elements each output reads along one axis, and with
   which weights, as a table. */
#include "kernels/resize/cpu.h"

#include <math.h>

/* The elements of x that output i reads: first to first + count - 1, clamped. */
typedef struct nn__resize_taps {
    int first, count;
    float t;            /* linear, cubic: distance beyond `first` (cubic: beyond first + 1) */
    float start, scale; /* antialias: argument of the filter function */
    float total;
} nn__resize_taps;

/* Keys' function at x, with slope `a` at 1. Source: R. Keys, "Cubic convolution interpolation for
   digital image processing", 1981. */
static float nn__resize_keys(float x, float a) {
    if (x < 1.0f) return ((a + 2.0f) * x - (a + 3.0f)) * x * x + 1.0f;
    if (x < 2.0f) return ((a * x - 5.0f * a) * x + 8.0f * a) * x - 4.0f * a;
    return 0.0f;
}

static float nn__resize_filter(const nn__resize_axis *axis, const nn__resize_taps *place, int k) {
    float x = ((float)k + place->start) * place->scale;
    if (x < 0.0f) x = -x;
    if (axis->mode == NN_RESIZE_CUBIC) return nn__resize_keys(x, axis->cubic);
    return x < 1.0f ? 1.0f - x : 0.0f;
}

static nn__resize_taps nn__resize_smooth(const nn__resize_axis *axis, int i) {
    const float wide = axis->step >= 1.0f ? axis->step : 1.0f,
                support = (axis->mode == NN_RESIZE_CUBIC ? 2.0f : 1.0f) * wide,
                centre = axis->step * ((float)i + 0.5f), high = centre + support + 0.5f;
    nn__resize_taps place;
    const int end = high < (float)axis->x ? nn__mini((int)high, axis->x) : axis->x;
    memset(&place, 0, sizeof place);
    place.first = nn__maxi((int)(centre - support + 0.5f), 0);
    place.count = nn__maxi(nn__mini(end - place.first, axis->taps), 1);
    place.start = (float)place.first - centre + 0.5f;
    place.scale = 1.0f / wide;
    for (int k = 0; k < place.count; k++) place.total += nn__resize_filter(axis, &place, k);
    return place;
}

static nn__resize_taps nn__resize_at(const nn__resize_axis *axis, int i) {
    nn__resize_taps place;
    float s;
    int below;
    if (axis->antialias) return nn__resize_smooth(axis, i);
    memset(&place, 0, sizeof place);
    place.count = 1;
    if (axis->mode == NN_RESIZE_NEAREST || axis->mode == NN_RESIZE_NEAREST_EXACT) {
        s = ((float)i + (axis->mode == NN_RESIZE_NEAREST ? 0.0f : 0.5f)) * axis->step;
        place.first = s < (float)axis->x ? nn__mini((int)s, axis->x - 1) : axis->x - 1;
        return place;
    }
    if (axis->x == 1 && axis->y == 1) return place;
    s = axis->align_corners ? (float)i * axis->step : ((float)i + 0.5f) * axis->step - 0.5f;
    if (axis->mode == NN_RESIZE_LINEAR && s < 0.0f) s = 0.0f;
    below = s < (float)axis->x ? nn__mini((int)floorf(s), axis->x - 1) : axis->x - 1;
    place.t = s - (float)below;
    if (place.t > 1.0f) place.t = 1.0f;
    place.count = 2;
    place.first = below;
    if (axis->mode == NN_RESIZE_LINEAR) {
        if (axis->x == axis->y) place.first = i, place.t = 0.0f;
        return place;
    }
    place.first--;
    place.count = 4;
    return place;
}

static float nn__resize_weight(const nn__resize_axis *axis, const nn__resize_taps *place, int k) {
    const float t = place->t;
    if (axis->antialias) {
        const float weight = nn__resize_filter(axis, place, k);
        return place->total != 0.0f ? weight / place->total : weight;
    }
    if (place->count == 1) return 1.0f;
    if (axis->mode == NN_RESIZE_LINEAR) return k ? t : 1.0f - t;
    return nn__resize_keys(k == 0 ? t + 1.0f : k == 1 ? t : k == 2 ? 1.0f - t : 2.0f - t,
                           axis->cubic);
}

/* Returns the element of x of tap k. With equal extents, linear reads x[i] only. */
static int nn__resize_source(const nn__resize_axis *axis, const nn__resize_taps *place, int k) {
    if (axis->mode == NN_RESIZE_LINEAR && axis->x == axis->y && !axis->antialias) k = 0;
    return nn__mini(nn__maxi(place->first + k, 0), axis->x - 1);
}

NN_PRIVATE void nn__resize_gathers(const nn__resize_axis *axis, nn__resize_table *table) {
    for (int i = 0; i < axis->y; i++) {
        const nn__resize_taps place = nn__resize_at(axis, i);
        for (int k = 0; k < axis->taps; k++) {
            const int64_t at = (int64_t)k * axis->y + i;
            table->index[at] = k < place.count ? nn__resize_source(axis, &place, k) : -1;
            table->weight[at] = k < place.count ? nn__resize_weight(axis, &place, k) : 0.0f;
        }
    }
    table->length = axis->y;
    table->taps = axis->taps;
    table->from = axis->x;
}

#ifndef NN_NO_TRAINING
/* For each element j of x, lists the outputs i that read it, in order. An i that reads it twice,
   because of clamping, is listed once. */
NN_PRIVATE void nn__resize_spreads(const nn__resize_axis *axis, nn__resize_table *table) {
    nn__resize_axis forward = *axis;
    const int n = axis->x;
    int32_t *count = table->count, most = 1;
    forward.taps = INT32_MAX; /* the forward kernel's limit is not known here */
    for (int64_t at = 0; at < (int64_t)n * axis->taps; at++) {
        table->index[at] = -1;
        table->weight[at] = 0.0f;
    }
    for (int j = 0; j < n; j++) count[j] = 0;
    for (int i = 0; i < axis->y; i++) {
        const nn__resize_taps place = nn__resize_at(&forward, i);
        for (int k = 0; k < place.count; k++) {
            const int j = nn__resize_source(&forward, &place, k);
            int64_t at = (int64_t)(count[j] - 1) * n + j;
            if (count[j] == 0 || table->index[at] != i) {
                NN_ASSERT(count[j] < axis->taps);
                if (count[j] >= axis->taps) continue;
                at = (int64_t)count[j]++ * n + j;
                table->index[at] = i;
                most = nn__maxi(most, count[j]);
            }
            table->weight[at] += nn__resize_weight(&forward, &place, k);
        }
    }
    table->length = n;
    table->taps = most;
    table->from = axis->y;
}
#endif
