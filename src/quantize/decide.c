/* quantize/decide.c - finds which values of a net become integers. */
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

/* Lets a layer read integers; false if the value's integers have another form. */
static bool nn__integers_feeds(nn__integers *q, const nn__integers_node *layer) {
    nn__integers_node *x = &q->all[layer->x];
    const bool image = layer->way == NN__WAY_CONV;
    if (x->whole) return x->image == image;
    if (x->node->kind == NN__OPERATION && x->way == NN__WAY_PART) return false;
    x->whole = x->entry = true;
    x->image = image;
    return true;
}

static void nn__integers_decide_alias(nn__integers *q, nn__integers_node *of) {
    const nn__integers_node *x = &q->all[of->x];
    const nn_shape *from = &x->node->shape, *to = &of->node->shape;
    const bool point = to->rank == 4 && to->extent[2] == 1 && to->extent[3] == 1;
    bool equal = nn__equal_shapes(from, to);
    if (!x->whole) return;
    if (x->image && (to->rank == 3 || to->rank == 4)) /* places of other rows, or of a line */
        equal = from->extent[0] == to->extent[0] && from->extent[1] == to->extent[1];
    if (!equal && x->image) {
        if (to->rank != 2 || to->extent[0] != from->extent[0]) return;
        const nn_shape last = nn__integers_last(from);
        of->flat[0] = last.extent[3], of->flat[1] = last.extent[1], of->flat[2] = last.extent[2];
        if (of->flat[1] * of->flat[2] == 1) of->flat[0] = 0;
    } else if (!equal && x->flat[0]) {
        return;
    } else {
        memcpy(of->flat, x->flat, sizeof of->flat);
        of->image = x->image || (!equal && point); /* (N, C) as images of one place */
    }
    of->whole = true;
    of->same = of->x;
}

/* Marks the inputs of every operation that may compute in integers. A function of one number
   whose result nobody wants stays in f32, where it is more exact. */
static void nn__integers_want(nn__integers *q) {
    for (int i = q->count - 1; i >= 0; i--) {
        nn__integers_node *of = &q->all[i];
        const bool reads = of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR ||
                           of->way == NN__WAY_ADD || of->way == NN__WAY_MULTIPLY ||
                           of->way == NN__WAY_RECURRENT;
        const bool passes = of->way == NN__WAY_POOL || of->way == NN__WAY_ALIAS ||
                            of->way == NN__WAY_TABLE || of->way == NN__WAY_FAKE ||
                            of->way == NN__WAY_PART || of->way == NN__WAY_CONCAT ||
                            of->way == NN__WAY_SLICE || of->way == NN__WAY_RESIZE ||
                            of->way == NN__WAY_SOFTMAX;
        /* an output in integers wants its softmax, which is then no reason for floats */
        if (of->way == NN__WAY_SOFTMAX && q->all[of->value].output && q->desc.integer_outputs)
            of->wanted = q->all[of->value].wanted = true;
        if (!reads && !(passes && of->wanted)) continue;
        if (of->x >= 0) q->all[of->x].wanted = true;
        if (of->other >= 0) q->all[of->other].wanted = true;
        for (int k = 1; of->way == NN__WAY_CONCAT && k < of->node->input_count; k++)
            q->all[nn__integers_at_node(q, of->node->inputs[k])].wanted = true;
    }
}

static void nn__integers_decide_layer(nn__integers *q, nn__integers_node *of) {
    if (!nn__integers_feeds(q, of)) {
        nn__integers_part(q, (int)(of - q->all), "its input has another order of axes");
        return;
    }
    q->all[of->value].whole = true;
    q->all[of->value].image = of->way == NN__WAY_CONV;
}

static void nn__integers_decide_pair(nn__integers *q, nn__integers_node *of) {
    const nn__integers_node *a = &q->all[of->x], *b = &q->all[of->other];
    const bool same = nn_same_shape(a->node->shape, b->node->shape);
    if (a->whole && b->whole && !a->flat[0] && !b->flat[0] &&
        (same ? a->image == b->image : a->image)) {
        q->all[of->value].whole = true;
        q->all[of->value].image = a->image;
    } else {
        nn__integers_part(q, (int)(of - q->all), "an operand stays in f32");
    }
}

static void nn__integers_decide_table(nn__integers *q, nn__integers_node *of) {
    const nn__integers_node *x = &q->all[of->x];
    nn__integers_node *value = &q->all[of->value];
    if (!x->whole || (!value->wanted && !value->learned)) { /* nn_prepare_qat decided it */
        nn__integers_part(q, (int)(of - q->all),
                          x->whole ? "nothing that computes in integers reads it"
                                   : "its input stays in f32");
        return;
    }
    value->whole = true;
    value->image = x->image;
    memcpy(value->flat, x->flat, sizeof value->flat);
}

/* True if an operation that computes in integers reads a value, perhaps after operations that only
   pass it on. useful: the answers for later values. */
static bool nn__integers_is_useful(const nn__integers *q, int at, const bool *useful) {
    const nn_node *node = q->all[at].node;
    for (int k = at + 1; k < q->count; k++) {
        const nn__integers_node *of = &q->all[k];
        bool reads = false;
        for (int i = 0; i < of->node->input_count && !reads; i++)
            reads = of->node->inputs[i] == node;
        if (!reads || of->node->kind != NN__OPERATION) continue;
        const nn__integers_node *value = of->value >= 0 ? &q->all[of->value] : of;
        switch (of->way) {
        case NN__WAY_POOL:
        case NN__WAY_ALIAS:
        case NN__WAY_SLICE:
        case NN__WAY_RESIZE:
        case NN__WAY_TABLE:
        case NN__WAY_SOFTMAX:
            if (value->whole && useful[value - q->all]) return true;
            break;
        case NN__WAY_REAL:
        case NN__WAY_NORM: break;
        default:
            if (value->whole || of->way == NN__WAY_PART) return true;
            break;
        }
    }
    return false;
}

/* Lets a value that passes another one on stay in f32. */
static void nn__integers_pass_real(nn__integers_node *of) {
    of->whole = of->image = false;
    memset(of->flat, 0, sizeof of->flat);
    of->same = -1;
    of->why = "its input stays in f32";
}

/* A function of one number that was wanted by an operation that stays in f32 stays in f32, too,
   where it is more exact. */
static nn_result nn__integers_leave_useless(nn__integers *q) {
    bool *useful = (bool *)nn__integers_take(q, sizeof *useful * (size_t)q->count);
    if (!useful) return NN_ERROR_MEMORY;
    for (int i = q->count - 1; i >= 0; i--)
        if (q->all[i].whole) useful[i] = nn__integers_is_useful(q, i, useful);
    for (int i = 0; i < q->count; i++) {
        nn__integers_node *of = &q->all[i];
        if (of->way == NN__WAY_TABLE || of->way == NN__WAY_SOFTMAX) {
            nn__integers_node *value = &q->all[of->value];
            if (!value->whole || value->learned || useful[of->value]) continue;
            if (of->way == NN__WAY_SOFTMAX && value->output && q->desc.integer_outputs) continue;
            nn__integers_pass_real(value);
            if (of->way == NN__WAY_SOFTMAX)
                nn__integers_leave_softmax(q, of, "nothing that computes in integers reads it");
            else
                nn__integers_part(q, i, "nothing that computes in integers reads it");
        } else if ((of->way == NN__WAY_POOL || of->way == NN__WAY_ALIAS ||
                    of->way == NN__WAY_SLICE || of->way == NN__WAY_RESIZE) &&
                   of->whole && !of->entry && !q->all[of->x].whole) {
            nn__integers_pass_real(of);
        }
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__integers_decide(nn__integers *q) {
    nn__integers_want(q);
    for (int i = 0; i < q->count; i++) {
        nn__integers_node *of = &q->all[i];
        switch (of->way) {
        case NN__WAY_CONV:
        case NN__WAY_LINEAR:
        case NN__WAY_RECURRENT: nn__integers_decide_layer(q, of); break;
        case NN__WAY_ADD:
        case NN__WAY_MULTIPLY: nn__integers_decide_pair(q, of); break;
        case NN__WAY_TABLE: nn__integers_decide_table(q, of); break;
        case NN__WAY_SOFTMAX: nn__integers_decide_softmax(q, of); break;
        case NN__WAY_ALIAS: nn__integers_decide_alias(q, of); break;
        case NN__WAY_CONCAT: nn__integers_decide_concat(q, of); break;
        case NN__WAY_SLICE: nn__integers_decide_slice(q, of); break;
        case NN__WAY_POOL:
        case NN__WAY_RESIZE:
            if (q->all[of->x].whole && q->all[of->x].image && nn__integers_is_single(q, of)) {
                of->whole = of->image = true;
                of->same = of->x;
            } else {
                of->why = "its input stays in f32";
            }
            break;
        case NN__WAY_NORM:
            of->why = "it does not follow a quantised layer that could include it";
            break;
        default: break;
        }
    }
    return nn__integers_leave_useless(q);
}
#endif

typedef int nn__integers_decide_part; /* a part must not be empty under NN__NO_TRAINER */
