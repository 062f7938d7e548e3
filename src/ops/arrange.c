/* ops/arrange.c - the builders permute, transpose, slice, concat, stack, chunk, pad, flip, roll
   and repeat. Their checks are in ops/arrange_infer.c, the copies in ops/arrange_pieces.c, and
   the immediate calls in ops/arrange_forward.c. */
#include "ops/arrange_private.h"

NN_PRIVATE nn__op_arrange nn__op_arrange_params(nn__arrange_kind kind) {
    nn__op_arrange p;
    memset(&p, 0, sizeof p);
    p.kind = kind;
    return p;
}

static nn_nodes nn__op_arrange_list(nn_node *const *nodes, int count) {
    nn_nodes list;
    list.node = nodes;
    list.count = nodes && count > 0 ? count : 0;
    return list;
}

static nn_node *nn__op_arrange_build(nn_site site, nn_model *net, nn_nodes x, nn__op_arrange *p) {
    return nn__build(site, net, nn__op_arrange_rule(p->kind), nn__install_strided_copy, NULL,
                     x.node, NULL, x.count, p, sizeof *p);
}

NN_API nn_node *nn_permute_at(nn_site site, nn_model *net, nn_node *x, nn_axes order) {
    nn__op_arrange p = nn__op_arrange_params(NN__PERMUTE);
    p.axes = order;
    return nn__op_arrange_build(site, net, nn__op_arrange_list(&x, 1), &p);
}

NN_API nn_node *nn_slice_at(nn_site site, nn_model *net, nn_node *x, const nn_slice_desc *desc) {
    nn__op_arrange p = nn__op_arrange_params(NN__SLICE);
    if (desc) p.slice = *desc;
    return nn__op_arrange_build(site, net, nn__op_arrange_list(&x, 1), &p);
}

NN_API nn_node *nn_concat_at(nn_site site, nn_model *net, nn_nodes inputs, int axis) {
    nn__op_arrange p = nn__op_arrange_params(NN__CONCAT);
    p.axis = axis;
    return nn__op_arrange_build(site, net, nn__op_arrange_list(inputs.node, inputs.count), &p);
}

NN_API nn_node *nn_pad_at(nn_site site, nn_model *net, nn_node *x, const nn_pad_desc *desc) {
    nn__op_arrange p = nn__op_arrange_params(NN__PAD);
    if (desc && desc->mode != NN_PADDING_ZEROS) return nn__op_pad_joined(site, net, x, desc);
    if (desc) p.pad = *desc;
    return nn__op_arrange_build(site, net, nn__op_arrange_list(&x, 1), &p);
}

NN_API nn_node *nn_flip_at(nn_site site, nn_model *net, nn_node *x, nn_axes axes) {
    nn__op_arrange p = nn__op_arrange_params(NN__FLIP);
    p.axes = axes;
    return nn__op_arrange_build(site, net, nn__op_arrange_list(&x, 1), &p);
}

NN_API nn_node *nn_roll_at(nn_site site, nn_model *net, nn_node *x, int shift, int axis) {
    nn__op_arrange p = nn__op_arrange_params(NN__ROLL);
    p.shift = shift;
    p.axis = axis;
    return nn__op_arrange_build(site, net, nn__op_arrange_list(&x, 1), &p);
}

/* ---- composed operations --------------------------------------------------------------------- */

/* params: the two axes */
static bool nn__op_transpose_infer(nn__inference *inference) {
    const nn_axes *pair = (const nn_axes *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__type *y = &inference->outputs[0];
    int32_t a = 0, b = 0;
    if (!nn__want_axis(inference->problem, "an axis", x, pair->axis[0], &a) ||
        !nn__want_axis(inference->problem, "an axis", x, pair->axis[1], &b))
        return false;
    *y = inference->inputs[0];
    y->shape.extent[a] = x.extent[b];
    y->shape.extent[b] = x.extent[a];
    return true;
}
static const nn__rule nn__rule_transpose = NN__COMPOSED_RULE("transpose", nn__op_transpose_infer);

NN_API nn_node *nn_transpose_at(nn_site site, nn_model *net, nn_node *x, int axis, int other) {
    nn_axes order;
    memset(&order, 0, sizeof order);
    order.axis[0] = axis;
    order.axis[1] = other;
    x = nn__build_unary(site, net, &nn__rule_transpose, NULL, x, &order, 0);
    if (!x || x->poisoned) return x;
    const int32_t rank = x->shape.rank, a = axis < 0 ? axis + rank : axis,
                  b = other < 0 ? other + rank : other;
    for (order.count = 0; order.count < rank; order.count++)
        order.axis[order.count] = order.count == a ? b : order.count == b ? a : order.count;
    return nn_permute_at(site, net, x, order);
}

NN_PRIVATE bool nn__op_stack_shape(nn_shape *shape, int axis) {
    const int at = axis < 0 ? axis + shape->rank + 1 : axis;
    if (shape->rank >= NN_MAX_RANK || at < 0 || at > shape->rank) return false;
    for (int k = shape->rank++; k > at; k--) shape->extent[k] = shape->extent[k - 1];
    shape->extent[at] = 1;
    return true;
}
/* params: the axis, an int */
static bool nn__op_stack_infer(nn__inference *inference) {
    const int axis = *(const int *)inference->params;
    if (inference->input_count < 1)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT, NN__TEXT("NN_NODES(a, b, c)"),
                               NN__TEXT("there are no inputs"));
    for (int i = 0; i < inference->input_count; i++) {
        nn_shape shape = inference->nodes[i]->shape;
        if (!nn__op_stack_shape(&shape, axis))
            return nn__problem_set(
                inference->problem, NN_ERROR_ARGUMENT,
                NN__TEXT("the new axis may stand before, between or after the existing ones"),
                NN__TEXT("axis is %d, and an input has %d axes; wanted at most %d"), axis,
                (int)shape.rank, NN_MAX_RANK - 1);
    }
    return true;
}
static const nn__rule nn__rule_stack = NN__COMPOSED_RULE("stack", nn__op_stack_infer);

/* Returns room for a list of nodes in the graph's arena; NULL: no memory, which is a fault. */
static nn_node **nn__op_arrange_room(nn_model *net, const char *operation, int count) {
    const size_t bytes = (size_t)count * sizeof(nn_node *);
    nn_node **nodes = (nn_node **)nn__arena_take(&net->graph.arena, bytes);
    if (!nodes) nn__poison_memory(net, operation, bytes);
    return nodes;
}

NN_API nn_node *nn_stack_at(nn_site site, nn_model *net, nn_nodes inputs, int axis) {
    nn_node **nodes, *first;
    inputs = nn__op_arrange_list(inputs.node, inputs.count);
    first = nn__build(site, net, &nn__rule_stack, NULL, NULL, inputs.node, NULL, inputs.count,
                      &axis, 0);
    if (!first || first->poisoned) return first;
    nodes = nn__op_arrange_room(net, "stack", inputs.count);
    if (!nodes) return nn__poison(net);
    for (int i = 0; i < inputs.count; i++) {
        nn_shape shape = inputs.node[i]->shape;
        nn__op_stack_shape(&shape, axis);
        nodes[i] = nn_reshape_at(site, net, inputs.node[i], shape);
    }
    return nn_concat_at(site, net, nn__op_arrange_list(nodes, inputs.count), axis);
}

typedef struct nn__op_chunk {
    int axis, count;
} nn__op_chunk;
/* Returns the extent of all parts but the last: a / b, rounded up. */
static int32_t nn__op_chunk_extent(int32_t a, int32_t b) { return a / b + (a % b != 0); }
static bool nn__op_chunk_infer(nn__inference *inference) {
    const nn__op_chunk *p = (const nn__op_chunk *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__type *y = &inference->outputs[0];
    char text[NN__SHAPE_TEXT];
    int32_t axis;
    if (!nn__want_axis(inference->problem, "axis", x, p->axis, &axis) ||
        !nn__op_arrange_known(inference->problem, "chunk", x, axis))
        return false;
    const int32_t each = p->count < 1 ? 0 : nn__op_chunk_extent(x.extent[axis], p->count),
                  pieces = each ? nn__op_chunk_extent(x.extent[axis], each) : 0;
    if (pieces != p->count || p->count < 1)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("another count, or nn_slice for parts of your own"),
                               NN__TEXT("axis %d of %s cannot be cut into %d parts: with %d "
                                        "elements each there are %d"),
                               (int)axis, nn__format_shape(x, text, sizeof text), p->count,
                               (int)each, (int)pieces);
    *y = inference->inputs[0];
    y->shape.extent[axis] = each;
    return true;
}
static const nn__rule nn__rule_chunk = NN__COMPOSED_RULE("chunk", nn__op_chunk_infer);

NN_API nn_node *nn_chunk_at(nn_site site, nn_model *net, nn_node *x, nn_node **parts, int count,
                            int axis) {
    nn__op_chunk p;
    p.axis = axis;
    p.count = parts ? count : 0;
    for (int i = 0; i < p.count; i++) parts[i] = nn__poison(net);
    x = nn__build_unary(site, net, &nn__rule_chunk, NULL, x, &p, 0);
    if (!x || x->poisoned) return x;
    const int32_t extent = x->shape.extent[axis < 0 ? axis + x->shape.rank : axis],
                  each = nn__op_chunk_extent(extent, count);
    for (int i = 0; i < count; i++) {
        nn_slice_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.axis = axis;
        desc.start = each * i;
        desc.stop = i == count - 1 ? extent : desc.start + each;
        parts[i] = nn_slice_at(site, net, x, &desc);
    }
    return parts[0];
}

/* params: the number of copies along each axis, an nn_shape */
static bool nn__op_repeat_infer(nn__inference *inference) {
    const nn_shape *times = (const nn_shape *)inference->params, x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    bool fits = times->rank >= x.rank && times->rank <= NN_MAX_RANK;
    for (int i = 0; i < times->rank && fits; i++)
        fits = times->extent[i] >= 1 && times->extent[i] <= 4096;
    if (fits) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_ARGUMENT,
        NN__TEXT("a count of copies for each axis, 1 for none"),
        NN__TEXT("times must have a number from 1 to 4096 for each axis of the input %s, and may "
                 "have more of them before these"),
        nn__format_shape(x, text, sizeof text));
}
static const nn__rule nn__rule_repeat = NN__COMPOSED_RULE("repeat", nn__op_repeat_infer);

NN_API nn_node *nn_repeat_at(nn_site site, nn_model *net, nn_node *x, nn_shape times) {
    x = nn__build_unary(site, net, &nn__rule_repeat, NULL, x, &times, 0);
    if (!x || x->poisoned) return x;
    if (times.rank > x->shape.rank) { /* new axes of 1 before the others */
        nn_shape wide = x->shape;
        for (int i = 0; i < times.rank; i++)
            wide.extent[i] = i < times.rank - x->shape.rank
                                 ? 1
                                 : x->shape.extent[i - times.rank + x->shape.rank];
        wide.rank = times.rank;
        x = nn_reshape_at(site, net, x, wide);
    }
    for (int i = 0; i < times.rank && x && !x->poisoned; i++) {
        if (times.extent[i] == 1) continue;
        nn_node **copies = nn__op_arrange_room(net, "repeat", times.extent[i]);
        if (!copies) return nn__poison(net);
        for (int k = 0; k < times.extent[i]; k++) copies[k] = x;
        x = nn_concat_at(site, net, nn__op_arrange_list(copies, times.extent[i]), i);
    }
    return x;
}

/* params: repeats, axis */
static bool nn__op_interleave_infer(nn__inference *inference) {
    const int *params = (const int *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    int32_t axis, extent;
    if (!nn__want_axis(inference->problem, "axis", x, params[1], &axis)) return false;
    if (params[0] < 1 || params[0] > 4096)
        return nn__refuse_argument(inference->problem, "repeats", params[0], "from 1 to 4096");
    nn__format_shape(x, text, sizeof text);
    if (x.rank == NN_MAX_RANK)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape first"),
                               NN__TEXT("%s has %d axes; one more is needed"), text, NN_MAX_RANK);
    if (nn__extent_multiply(x.extent[axis], params[0], &extent)) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("fewer repeats"),
                           NN__TEXT("axis %d of %s times %d is more than an extent can be"),
                           (int)axis, text, params[0]);
}
static const nn__rule nn__rule_interleave =
    NN__COMPOSED_RULE("repeat_interleave", nn__op_interleave_infer);

NN_API nn_node *nn_repeat_interleave_at(nn_site site, nn_model *net, nn_node *x, int repeats,
                                        int axis) {
    const int params[2] = {repeats, axis};
    nn_shape wide, y, times;
    x = nn__build_unary(site, net, &nn__rule_interleave, NULL, x, params, 0);
    if (!x || x->poisoned || repeats == 1) return x;
    const int at = axis < 0 ? axis + x->shape.rank : axis;
    wide = y = x->shape;
    nn__op_stack_shape(&wide, at + 1);
    nn__extent_multiply(x->shape.extent[at], repeats, &y.extent[at]);
    memset(&times, 0, sizeof times);
    times.rank = wide.rank;
    for (int i = 0; i < wide.rank; i++) times.extent[i] = i == at + 1 ? repeats : 1;
    x = nn_repeat_at(site, net, nn_reshape_at(site, net, x, wide), times);
    return nn_reshape_at(site, net, x, y);
}
