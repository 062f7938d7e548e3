/* quantize/softmax.c - a softmax in integers: whether it becomes one, its node and its table. */
#include "ops/arrange_private.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE void nn__integers_see_softmax(nn__integers *q, nn__integers_node *of,
                                         const nn_softmax_args *args) {
    of->x = nn__integers_view(q, &args->x);
    of->axis = of->node->shape.rank - 1;
    of->why = NULL;
    if (args->logarithm)
        of->why = "log_softmax has no form in integers; read the integers before it";
    else if (of->x >= 0)
        of->way = NN__WAY_SOFTMAX;
}

/* Returns the axis that a node swaps with the last one; -1: it is another operation. */
static int nn__integers_swapped(const nn_node *node) {
    const int last = node->shape.rank - 1;
    int swapped = -1;
    if (node->kind != NN__OPERATION || node->rule != nn__op_arrange_rule(NN__PERMUTE)) return -1;
    const nn_axes *axes = &((const nn__op_arrange *)node->params)->axes;
    for (int i = 0; i <= last; i++) {
        const int from = axes->axis[i] < 0 ? axes->axis[i] + last + 1 : axes->axis[i];
        if (from == i) continue;
        if (from == last) swapped = i;
        else if (i != last) return -1;
    }
    return swapped;
}

/* nn_softmax over another axis is described as a transposition, a softmax over the last axis and
   the transposition back. In integers it is one operation over that axis. */
NN_PRIVATE void nn__integers_join_softmax(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at], *before = &q->all[of->x];
    const int next = of->readers == 1 && !of->output ? of->reader : -1,
              axis = nn__integers_swapped(before->node);
    if (q->train || q->net->prepared || next < 0 || axis < 0 || before->readers != 1 ||
        before->output || nn__integers_swapped(q->all[next].node) != axis)
        return;
    of->x = nn__integers_at_node(q, before->node->inputs[0]);
    of->axis = axis;
    of->value = next;
    before->way = q->all[next].way = NN__WAY_PART;
    q->all[next].x = at;
}

NN_PRIVATE void nn__integers_leave_softmax(nn__integers *q, nn__integers_node *of,
                                           const char *why) {
    const int input = nn__integers_at_node(q, of->node->inputs[0]);
    if (input != of->x) q->all[input].way = NN__WAY_REAL;
    nn__integers_part(q, (int)(of - q->all), why);
}

NN_PRIVATE void nn__integers_decide_softmax(nn__integers *q, nn__integers_node *of) {
    const nn__integers_node *x = &q->all[of->x];
    nn__integers_node *value = &q->all[of->value];
    const char *why = NULL;
    if (!x->whole)
        why = "its input stays in f32";
    else if (!value->wanted && !value->learned)
        why = "nothing that computes in integers reads it (.integer_outputs keeps its integers)";
    else if (x->flat[0] && of->node->shape.rank != 2)
        why = "its input has another order of axes";
    if (why) {
        nn__integers_leave_softmax(q, of, why);
        return;
    }
    value->whole = true;
    value->image = x->image;
    memcpy(value->flat, x->flat, sizeof value->flat);
}

/* Computes the exponentials and the factor that kernels/integer/args.h states. */
static nn_result nn__integers_fill_softmax(nn__integers *q, const nn__integers_node *of,
                                           nn_node *made) {
    const nn__integers_node *x = nn__integers_scaled(q, of->x),
                            *y = nn__integers_scaled(q, of->value);
    const size_t bytes = NN_INTEGER_SOFTMAXES * sizeof(int32_t);
    int32_t *table = (int32_t *)nn__integers_take(q, 256 * sizeof *table),
            *numbers = (int32_t *)nn__integers_take(q, bytes);
    if (!table || !numbers) return NN_ERROR_MEMORY;
    for (int i = 0; i < 256; i++) {
        const double power = (double)x->scale * i;
        /* nn__exp: the same table on every machine */
        table[i] = power > 40.0 ? 0 : (int32_t)floor(1073741824.0 * nn__exp(-power) + 0.5);
    }
    int32_t *multiplier = &numbers[NN_INTEGER_SOFTMAX_MULTIPLIER],
            *shift = &numbers[NN_INTEGER_SOFTMAX_SHIFT];
    numbers[NN_INTEGER_SOFTMAX_ZERO] = y->zero;
    nn__integers_factor(1.0 / (1073741824.0 * (double)y->scale), multiplier, shift);
    /* a scale such as 1/256 needs no shift: results are rounded once */
    while (*shift < 0 && *multiplier > 0 && *multiplier % 2 == 0) *multiplier /= 2, ++*shift;
    const nn_result result = nn__integers_fill(q, made->inputs[1], table, 256 * sizeof *table);
    return result == NN_OK ? nn__integers_fill(q, made->inputs[2], numbers, bytes) : result;
}

NN_PRIVATE nn_result nn__integers_build_softmax(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    nn_node *x = nn__integers_whole(q, of->x);
    if (!x) return NN_ERROR_MEMORY;
    nn__integers_node turned = *value;
    turned.axis = of->axis;
    value->made = nn__integer_softmax(q->to, of->node->site, of->node->name, x,
                                      nn__integers_axis(&turned));
    if (value->made->poisoned) return NN_ERROR_MEMORY;
    const nn_result result = nn__integers_fill_softmax(q, of, value->made);
    return result == NN_OK ? nn__integers_own_scale(q, value, of->node->name) : result;
}
#endif

typedef int nn__integers_softmax_part; /* a part must not be empty under NN__NO_TRAINER */
