/* quantize/prepared.c - what nn_quantize_net reads of a model that nn_prepare_qat made: which
   values are rounded, and with which scales. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE int nn__integers_unrounded(const nn__integers *q, int at) {
    const nn_node *node = at < 0 ? NULL : q->all[at].node;
    return node && q->net->prepared && nn__is_fake_quantize(node)
               ? nn__integers_at_node(q, node->inputs[0])
               : at;
}

/* The operations that make a scale are parts of the rounding. Returns the parameter that they read
   first. */
static int nn__integers_scale_parts(nn__integers *q, const nn_node *node) {
    int at = nn__integers_at_node(q, node), first = -1;
    if (node->kind != NN__OPERATION) return at;
    q->all[at].way = NN__WAY_PART;
    for (int i = 0; i < node->input_count; i++) {
        const int leaf = nn__integers_scale_parts(q, node->inputs[i]);
        if (i == 0) first = leaf;
    }
    return first;
}

/* True if pools and resizing read numbers that are rounded with this scale: rounding their result
   changes nothing. */
static bool nn__integers_is_rounded(const nn__integers *q, int at, const nn_node *scale) {
    while (q->all[at].way == NN__WAY_POOL || q->all[at].way == NN__WAY_RESIZE ||
           q->all[at].way == NN__WAY_SLICE || q->all[at].way == NN__WAY_ALIAS)
        at = q->all[at].x;
    return q->all[at].learned && q->all[at].node->inputs[1] == scale;
}

NN_PRIVATE nn_result nn__integers_see_rounding(nn__integers *q, nn__integers_node *of) {
    const nn_node *node = of->node, *x = node->inputs[0], *scale = node->inputs[1];
    const int log_scale = nn__integers_scale_parts(q, scale),
              zero = nn__integers_scale_parts(q, node->inputs[2]);
    const bool weight = x->kind != NN__OPERATION && x->kind != NN__INPUT;
    of->way = NN__WAY_PART;
    if (weight) return NN_OK;
    of->x = nn__integers_at_node(q, x);
    of->way = NN__WAY_FAKE;
    if ((q->all[of->x].way == NN__WAY_POOL || q->all[of->x].way == NN__WAY_RESIZE) &&
        nn__integers_is_rounded(q, of->x, scale))
        of->way = NN__WAY_ALIAS;
    const float *numbers = nn__integers_read(q, log_scale, 1, 0.0f),
                *zeros = numbers ? nn__integers_read(q, zero, 1, 0.0f) : NULL;
    if (!zeros) return nn_error_code(q->nn) < 0 ? nn_error_code(q->nn) : NN_ERROR_MEMORY;
    of->learned = true;
    of->scale = (float)nn__exp((double)*numbers);
    of->zero = (int)floorf(*zeros + 0.5f);
    if (of->scale > 1e-30f && of->scale < 1e30f && of->zero >= -128 && of->zero <= 127)
        return NN_OK;
    return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                       "%s: \"%s\" is %g and \"%s\" is %g; a scale e^x must be from 1e-30 to 1e30, "
                       "and a zero point from -128 to 127; train with a smaller learning rate",
                       q->call, q->all[log_scale].node->name, (double)*numbers,
                       q->all[zero].node->name, (double)*zeros);
}
#endif

typedef int nn__integers_prepared_part; /* a part must not be empty under NN__NO_TRAINER */
