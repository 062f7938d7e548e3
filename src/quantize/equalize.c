/* quantize/equalize.c - equalisation across layers: the factors of the channels between two
   layers that are joined by a relu or nothing. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

#define NN__INTEGERS_SWEEPS 20 /* over all pairs; in a chain, one pair changes the next */

/* Returns the layer that alone reads the result of a layer, if a factor may stand between them;
   NULL: there is none. */
static nn__integers_node *nn__integers_partner(const nn__integers *q, const nn__integers_node *of) {
    const bool first = of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR;
    if (!first || of->value < 0 || !q->all[of->value].whole) return NULL;
    const nn__integers_node *value = &q->all[of->value];
    const bool linear =
        of->clamp < 0 || ((of->low == 0.0f || of->low < -1e29f) && of->high > 1e29f);
    if (!linear || value->readers != 1 || value->output || !nn__integers_is_single(q, value))
        return NULL;
    nn__integers_node *next = &q->all[value->reader];
    return next->way == of->way && next->x == of->value ? next : NULL;
}

typedef struct nn__integers_balance {
    float *weight, *bias;
    size_t K, depth;
} nn__integers_balance;

/* largest[c]: the largest absolute weight of channel c of y, or of x. */
static void nn__integers_largest(const nn__integers_node *layer, const nn__integers_balance *b,
                                 bool inputs, double *largest) {
    for (size_t k = 0; k < b->K; k++)
        for (size_t p = 0; p < b->depth; p++) {
            const size_t c = inputs ? nn__integers_channel_of(layer, k, p, b->depth, b->K) : k;
            const double w =
                fabs((double)b->weight[nn__integers_place(layer, k, p, b->depth, b->K)]);
            if (w > largest[c]) largest[c] = w;
        }
}

static nn_result nn__integers_load(nn__integers *q, const nn__integers_node *layer,
                                   nn__integers_balance *b) {
    b->K = (size_t)nn__integers_outputs(q, layer);
    b->depth = nn__node_bytes(q->all[layer->weight].node, 1, 1) / sizeof(float) / b->K;
    return nn__integers_weights(q, layer, b->depth, &b->weight, &b->bias);
}

/* Multiplies the factors between two layers by those of equation 11. */
static nn_result nn__integers_balance_two(nn__integers *q, nn__integers_node *first,
                                           nn__integers_node *second, bool *changed) {
    nn__integers_balance a, b;
    nn_result result = nn__integers_load(q, first, &a);
    if (result == NN_OK) result = nn__integers_load(q, second, &b);
    double *large = result == NN_OK
                        ? (double *)nn__integers_take(q, 2 * a.K * sizeof *large)
                        : NULL;
    if (!large) return result == NN_OK ? NN_ERROR_MEMORY : result;
    nn__integers_largest(first, &a, false, large);
    nn__integers_largest(second, &b, true, large + a.K);
    for (size_t k = 0; k < a.K; k++) {
        if (!(large[k] > 1e-20 && large[a.K + k] > 1e-20)) continue;
        const double factor = sqrt(large[k] / large[a.K + k]);
        if (fabs(factor - 1.0) > 1e-3) *changed = true;
        first->outputs[k] *= factor;
        second->inputs[k] *= factor;
    }
    return NN_OK;
}
/* Does the same in memory of its own, which is given back. */
static nn_result nn__integers_balance_pair(nn__integers *q, nn__integers_node *first,
                                           nn__integers_node *second, bool *changed) {
    const nn__arena kept = q->arena;
    memset(&q->arena, 0, sizeof q->arena);
    q->arena.memory = kept.memory;
    const nn_result result = nn__integers_balance_two(q, first, second, changed);
    nn__arena_free(&q->arena);
    q->arena = kept;
    return result;
}

static double *nn__integers_ones(nn__integers *q, size_t count) {
    double *ones = (double *)nn__integers_take(q, count * sizeof *ones);
    for (size_t i = 0; i < count && ones; i++) ones[i] = 1.0;
    return ones;
}

NN_PRIVATE nn_result nn__integers_equalize(nn__integers *q) {
    bool changed = true;
    for (int i = 0; i < q->count; i++) {
        nn__integers_node *first = &q->all[i], *second = nn__integers_partner(q, first);
        if (!second) continue;
        const size_t channels = (size_t)nn__integers_outputs(q, first);
        first->outputs = nn__integers_ones(q, channels);
        second->inputs = nn__integers_ones(q, channels);
        if (!first->outputs || !second->inputs) return NN_ERROR_MEMORY;
        q->all[first->value].by = first->outputs;
    }
    for (int sweep = 0; sweep < NN__INTEGERS_SWEEPS && changed; sweep++) {
        changed = false;
        for (int i = 0; i < q->count; i++) {
            nn__integers_node *first = &q->all[i], *second = nn__integers_partner(q, first);
            const nn_result result =
                second ? nn__integers_balance_pair(q, first, second, &changed) : NN_OK;
            if (result != NN_OK) return result;
        }
    }
    return NN_OK;
}

NN_PRIVATE void nn__integers_divide_by(const nn__integers_node *of, float *numbers, size_t count) {
    const nn_shape *shape = &of->node->shape;
    size_t plane = 1, channels;
    if (!of->by) return;
    channels = (size_t)shape->extent[of->image ? 1 : shape->rank - 1];
    for (int i = 2; i < shape->rank && of->image; i++) plane *= (size_t)shape->extent[i];
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)((double)numbers[i] / of->by[i / plane % channels]);
}
#undef NN__INTEGERS_SWEEPS
#endif

typedef int nn__integers_equalize_part; /* a part must not be empty under NN__NO_TRAINER */
