/* quantize/bits.c - which layers have weights of 4 bits: from -7 to 7. */
#include "ops/program.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

enum { NN__INTEGERS_SMALL = 7, NN__INTEGERS_LARGE = 127 };

static bool nn__integers_is_layer(const nn__integers_node *of) {
    return of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR;
}

/* Returns the largest weight that nn_prepare_qat lets a layer have. */
static int nn__integers_prepared_levels(const nn__integers_node *of) {
    const nn_node *rounded = of->node->inputs[1];
    if (!nn__is_fake_quantize(rounded)) return NN__INTEGERS_LARGE;
    return ((const nn__program_params *)rounded->params)->scalars[1] < 8.0f ? NN__INTEGERS_SMALL
                                                                           : NN__INTEGERS_LARGE;
}

/* True for an operation with a matrix or a kernel of weights, in integers or not. */
static bool nn__integers_has_weights(const nn__integers *q, const nn__integers_node *of) {
    return of->node->kind == NN__OPERATION && of->weight >= 0 &&
           q->all[of->weight].node->shape.rank > 1;
}

/* Marks the nodes that follow an operation with weights. */
static void nn__integers_mark_later(const nn__integers *q, bool *later) {
    for (int i = 0; i < q->count; i++) {
        const nn_node *node = q->all[i].node;
        for (int k = 0; k < node->input_count; k++) {
            const int from = nn__integers_at_node(q, node->inputs[k]);
            if (from >= 0 && (later[from] || nn__integers_has_weights(q, &q->all[from])))
                later[i] = true;
        }
        if (node->owner && later[nn__integers_at_node(q, node->owner)]) later[i] = true;
    }
}

static bool nn__integers_is_named_large(const nn__integers *q, const nn__integers_node *of,
                                        bool *fitted) {
    bool large = false;
    for (int i = 0; i < q->desc.weight_bits_8.count; i++)
        if (nn__layer_fits(q->desc.weight_bits_8.text[i], of->node->name)) large = fitted[i] = true;
    return large;
}

static nn_result nn__integers_check_bits(const nn__integers *q) {
    const int bits = q->desc.weight_bits, names = q->desc.weight_bits_8.count;
    if (bits != 0 && bits != 4 && bits != 8)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: weight_bits is %d; wanted 4 or 8 (0: 8)", q->call, bits);
    if (q->net->prepared && (bits || names))
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: .weight_bits belongs to nn_prepare_qat here: the model \"%s\" was "
                           "trained with the bits that it has; leave it out",
                           q->call, q->net->name);
    if (names && bits != 4)
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: .weight_bits_8 names layers, but all weights have 8 bits; set "
                           ".weight_bits = 4",
                           q->call);
    return nn__check_list(q->nn, q->site, q->call, "weight_bits_8", q->desc.weight_bits_8.text,
                          names, true)
               ? NN_OK
               : NN_ERROR_ARGUMENT;
}

NN_PRIVATE nn_result nn__integers_choose_bits(nn__integers *q) {
    const int names = q->desc.weight_bits_8.count;
    const nn_result result = nn__integers_check_bits(q);
    if (result != NN_OK) return result;
    bool *later = (bool *)nn__integers_take(q, sizeof *later * (size_t)q->count),
         *fitted = later ? (bool *)nn__integers_take(q, sizeof *fitted * (size_t)names) : NULL;
    if (!fitted) return NN_ERROR_MEMORY;
    nn__integers_mark_later(q, later);
    for (int i = 0; i < q->count; i++) {
        nn__integers_node *of = &q->all[i];
        of->levels = NN__INTEGERS_LARGE;
        const bool layer = nn__integers_is_layer(of);
        if ((layer || of->way == NN__WAY_RECURRENT) && nn__integers_is_named_large(q, of, fitted))
            continue;
        if (!layer) continue;
        if (q->net->prepared)
            of->levels = nn__integers_prepared_levels(of);
        else if (q->desc.weight_bits == 4 && of->window.groups == 1 && (names || later[i]))
            of->levels = NN__INTEGERS_SMALL;
    }
    for (int i = 0; i < names; i++)
        if (!fitted[i])
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: weight_bits_8 \"%s\" fits no quantised layer with weights; "
                               "give a whole name, its end after a dot, or stars for any text",
                               q->call, q->desc.weight_bits_8.text[i]);
    return NN_OK;
}

NN_PRIVATE bool nn__integers_any_small(const nn__integers *q) {
    for (int i = 0; i < q->count; i++)
        if (nn__integers_is_layer(&q->all[i]) && q->all[i].levels == NN__INTEGERS_SMALL)
            return true;
    return false;
}
#endif

typedef int nn__integers_bits_part; /* a part must not be empty under NN__NO_TRAINER */
