/* quantize/join.c - concatenations and slices of quantised values. A slice keeps the scale of
   its input. The inputs of a concatenation are brought to its scale: a value that nothing else
   reads is computed in that scale at once, and any other one passes through a table of its 256
   numbers in the other scale. */
#include "ops/arrange_private.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE void nn__integers_see_copy(nn__integers *q, nn__integers_node *of) {
    const nn_node *node = of->node;
    const bool joins = node->rule == nn__op_arrange_rule(NN__CONCAT);
    if (!joins && node->rule != nn__op_arrange_rule(NN__SLICE)) return;
    for (int i = 0; i < node->input_count; i++)
        if (node->inputs[i]->dtype != NN_F32) return;
    const nn__op_arrange *p = (const nn__op_arrange *)node->params;
    const int axis = joins ? p->axis : p->slice.axis;
    of->x = nn__integers_at_node(q, node->inputs[0]);
    of->axis = axis < 0 ? axis + node->shape.rank : axis;
    of->way = joins ? NN__WAY_CONCAT : NN__WAY_SLICE;
    of->why = "its input stays in f32";
}

NN_PRIVATE int nn__integers_axis(const nn__integers_node *of) {
    if (!of->image || of->axis == 0) return of->axis;
    return of->axis == 1 ? 3 : of->node->shape.rank == 3 ? 2 : of->axis - 1;
}

NN_PRIVATE void nn__integers_decide_slice(nn__integers *q, nn__integers_node *of) {
    const nn__integers_node *x = &q->all[of->x];
    if (!x->whole || x->flat[0]) return;
    of->whole = true;
    of->image = x->image;
    of->same = of->x;
}

/* Returns the value whose scale input i can take over from the concatenation at no cost; -1:
   others read that scale. In a model of nn_prepare_qat, both have one scale already. */
static int nn__integers_shares(const nn__integers *q, const nn__integers_node *of, int i) {
    int at = nn__integers_at_node(q, of->node->inputs[i]);
    const nn__integers_node *x = &q->all[at], *value = &q->all[of->value];
    if (q->net->prepared) {
        x = nn__integers_scaled(q, at);
        return x != value && x->learned && x->node->inputs[1] == value->node->inputs[1]
                   ? (int)(x - q->all)
                   : -1;
    }
    for (;; x = &q->all[at]) {
        if (x->readers != 1 || x->output || !nn__integers_is_single(q, x)) return -1;
        if (x->same < 0) return at;
        at = x->same;
    }
}

NN_PRIVATE void nn__integers_decide_concat(nn__integers *q, nn__integers_node *of) {
    const nn_node *node = of->node;
    nn__integers_node *value = &q->all[of->value];
    const nn__integers_node *first = NULL;
    const char *why = NULL;
    for (int i = 0; i < node->input_count && !first; i++) {
        const nn__integers_node *x = &q->all[nn__integers_at_node(q, node->inputs[i])];
        if (x->whole) first = x;
    }
    if (!first) why = "its inputs stay in f32";
    else if (!value->wanted && !value->learned) why = "nothing that computes in integers reads it";
    for (int i = 0; i < node->input_count && !why; i++) {
        const nn__integers_node *x = &q->all[nn__integers_at_node(q, node->inputs[i])];
        if (x->whole ? x->image != first->image || x->flat[0]
                     : x->node->kind == NN__OPERATION && x->way == NN__WAY_PART)
            why = "its inputs have different orders of axes";
    }
    if (why) {
        nn__integers_part(q, (int)(of - q->all), why);
        return;
    }
    value->image = first->image;
    for (int i = 0; i < node->input_count; i++) {
        nn__integers_node *x = &q->all[nn__integers_at_node(q, node->inputs[i])];
        if (!x->whole) x->whole = x->entry = true, x->image = value->image;
    }
    value->whole = true;
    for (int i = 0; i < node->input_count; i++) {
        const int root = nn__integers_shares(q, of, i);
        if (root >= 0) q->all[root].same = of->value;
    }
}

/* Fills a table that converts integers from the scale of x to that of y. They are rounded to the
   nearest, halves away from zero. */
static nn_result nn__integers_rescale(nn__integers *q, const nn__integers_node *x,
                                      const nn__integers_node *y, nn_node *made) {
    int8_t *table = (int8_t *)nn__integers_take(q, 256);
    if (!table) return NN_ERROR_MEMORY;
    for (int i = 0; i < 256; i++) {
        const double value = (double)x->scale * (i - 128 - x->zero) / (double)y->scale;
        const double whole = value < 0.0 ? -floor(0.5 - value) : floor(value + 0.5);
        table[i] = (int8_t)(whole + y->zero < -128.0  ? -128
                            : whole + y->zero > 127.0 ? 127
                                                      : (int)whole + y->zero);
    }
    return nn__integers_fill(q, made->inputs[1], table, 256);
}

NN_PRIVATE nn_result nn__integers_build_concat(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    const nn__integers_node *y = nn__integers_scaled(q, of->value);
    const int count = of->node->input_count;
    const nn_site site = of->node->site;
    nn_node **inputs = (nn_node **)nn__integers_take(q, sizeof *inputs * (size_t)count);
    char name[2 * NN_NAME_BYTES];
    nn_nodes list;
    if (!inputs) return NN_ERROR_MEMORY;
    for (int i = 0; i < count; i++) {
        const int at = nn__integers_at_node(q, of->node->inputs[i]);
        const nn__integers_node *x = nn__integers_scaled(q, at);
        inputs[i] = nn__integers_whole(q, at);
        if (!inputs[i]) return NN_ERROR_MEMORY;
        if (x == y) continue;
        nn__format(name, sizeof name, "%s.input%d", of->node->name, i);
        inputs[i] = nn__integer_table(q->to, site, name, inputs[i]);
        if (inputs[i]->poisoned || nn__integers_rescale(q, x, y, inputs[i]) != NN_OK)
            return NN_ERROR_MEMORY;
    }
    list.node = inputs;
    list.count = count;
    nn__integers_node turned = *of;
    turned.image = value->image;
    value->made = nn_concat_at(site, q->to, list, nn__integers_axis(&turned));
    return value->made->poisoned ? NN_ERROR_MEMORY
                                 : nn__integers_own_scale(q, value, of->node->name);
}

NN_PRIVATE nn_result nn__integers_build_slice(nn__integers *q, nn__integers_node *of, nn_node *x) {
    nn_slice_desc desc = ((const nn__op_arrange *)of->node->params)->slice;
    desc.axis = nn__integers_axis(of);
    of->made = nn_slice_at(of->node->site, q->to, x, &desc);
    return of->made->poisoned ? NN_ERROR_MEMORY : NN_OK;
}
#endif

typedef int nn__integers_join_part; /* a part must not be empty under NN__NO_TRAINER */
