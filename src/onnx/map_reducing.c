/* onnx/map_reducing.c - reductions, running sums, softmax and its kin. */
#include "onnx/map_tools.h"
#include "onnx/patterns.h"

#define NN__ONNX_STACKED 8 /* most values of a stack that are compared one after the other */

/* ---- Reduce... ------------------------------------------------------------------------------- */

static nn_node *nn__onnx_reduce(nn__onnx_node *n, nn_node *x, nn_axes axes, bool keep) {
    static const struct {
        const char *type;
        nn_reduction reduction;
    } reductions[] = {{"ReduceL1", NN_SUM},     {"ReduceL2", NN_NORM},
                      {"ReduceLogSum", NN_SUM}, {"ReduceLogSumExp", NN_LOGSUMEXP},
                      {"ReduceMax", NN_MAX},    {"ReduceMean", NN_MEAN},
                      {"ReduceMin", NN_MIN},    {"ReduceProd", NN_PROD},
                      {"ReduceSum", NN_SUM},    {"ReduceSumSquare", NN_SUM_OF_SQUARES}};
    for (unsigned i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (strcmp(reductions[i].type, n->op->type) == 0)
            return nn_reduce_at(n->site, n->net, reductions[i].reduction, x, axes, keep);
    return NULL;
}

/* Fills in the inputs of the Concat that makes operand 0, if it joins them along this axis and each
   has one number there. Returns how many there are; 0: the operand is something else. */
static int nn__onnx_stack_of(const nn__onnx_node *n, int axis, nn_node **list) {
    const nn__onnx_op *concat = nn__onnx_made_by(n->scope, n->op->inputs[0], "Concat");
    const nn__onnx_attribute *along = concat ? nn__onnx_own_attribute(concat, "axis") : NULL;
    if (!along || *along->reference || concat->input_count < 2 ||
        concat->input_count > NN__ONNX_STACKED)
        return 0;
    for (int i = 0; i < concat->input_count; i++) {
        const nn__onnx_value *value = nn__onnx_see(n->scope, concat->inputs[i]);
        const int rank = nn__onnx_computed_rank(value);
        if (rank != nn__onnx_rank(n, 0) || nn_node_dtype(value->node) != NN_F32 || value->bytes ||
            (along->whole < 0 ? along->whole + rank : along->whole) != axis ||
            nn_node_shape(value->node).extent[axis] != 1)
            return 0;
        list[i] = value->node;
    }
    return concat->input_count;
}

/* Returns the largest or smallest of stacked values, computed by elements, without the stack. NULL:
   it is another reduction. */
static nn_node *nn__onnx_reduce_stack(nn__onnx_node *n, nn_axes axes, bool keep) {
    const bool largest = strcmp(n->op->type, "ReduceMax") == 0;
    nn_node *list[NN__ONNX_STACKED], *x;
    nn_shape shape;
    if (axes.count != 1 || (!largest && strcmp(n->op->type, "ReduceMin") != 0)) return NULL;
    const int count = nn__onnx_stack_of(n, axes.axis[0], list);
    if (count == 0) return NULL;
    x = list[0];
    for (int i = 1; i < count; i++)
        x = largest ? nn_maximum_at(n->site, n->net, x, list[i])
                    : nn_minimum_at(n->site, n->net, x, list[i]);
    shape = nn_node_shape(x);
    if (keep) return x;
    shape.rank--;
    for (int i = axes.axis[0]; i < shape.rank; i++) shape.extent[i] = shape.extent[i + 1];
    return nn__onnx_reshaped(n, x, shape);
}

/* Before opset 18 (ReduceSum: 13) the axes are an attribute. An empty list means all axes or, with
   noop_with_empty_axes, none. */
static void nn__onnx_map_reduce(nn__onnx_node *n) {
    const char *type = n->op->type;
    const nn__onnx_type dtype = nn__onnx_dtype(n, 0);
    const bool keep = nn__onnx_int(n, "keepdims", 1) != 0;
    int32_t list[NN_MAX_RANK];
    const int count = nn__onnx_axes_of(n, 1, nn__onnx_rank(n, 0), list);
    nn_node *x = nn__onnx_x(n, 0);
    nn_axes axes;
    if (count == -2) return;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < count; i++) axes.axis[axes.count++] = list[i];
    if (strcmp(type, "ReduceL1") == 0) x = nn_abs_at(n->site, n->net, x);
    nn_node *stack = nn__onnx_reduce_stack(n, axes, keep);
    if (stack)
        x = stack;
    else if (axes.count > 0 || nn__onnx_int(n, "noop_with_empty_axes", 0) == 0)
        x = nn__onnx_reduce(n, x, axes, keep);
    else if (strcmp(type, "ReduceSumSquare") == 0)
        x = nn_square_at(n->site, n->net, x);
    else if (strcmp(type, "ReduceL2") == 0)
        x = nn_abs_at(n->site, n->net, x);
    if (strcmp(type, "ReduceLogSum") == 0) x = nn_log_at(n->site, n->net, x);
    if (strcmp(type, "ReduceMean") == 0 && nn__onnx_is_whole(dtype))
        x = nn_trunc_at(n->site, n->net, x);
    nn__onnx_give(n, 0, x, dtype);
}

/* Of equal numbers the first counts, or the last: then the axis is reversed. */
static void nn__onnx_map_arg(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, 0, shape.rank);
    const bool keep = nn__onnx_int(n, "keepdims", 1) != 0;
    const bool last = nn__onnx_int(n, "select_last_index", 0) != 0;
    const nn_reduction reduction = strcmp(n->op->type, "ArgMax") == 0 ? NN_ARGMAX : NN_ARGMIN;
    nn_node *x = nn__onnx_x(n, 0);
    if (axis < 0) return;
    if (last && shape.extent[axis] < 0) {
        nn__onnx_refuse(n, "give it a number in .extents",
                        "its select_last_index is 1, and the extent of its axis is free");
        return;
    }
    if (last) x = nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(axis));
    x = nn_reduce_at(n->site, n->net, reduction, x, nn__onnx_one_axis(axis), keep);
    if (last)
        x = nn__onnx_express(n, "i: p - i", nn_cast_at(n->site, n->net, x, NN_F32), NULL, NULL,
                             shape.extent[axis] - 1, 0);
    nn__onnx_give(n, 0, x, NN__ONNX_INT64);
}

/* ---- running sums and products --------------------------------------------------------------- */

/* For products without the last number, a 1 is put before the others. */
static nn_node *nn__onnx_one_before(nn__onnx_node *n, nn_node *x, int axis) {
    const nn_shape shape = x ? nn_node_shape(x) : nn__onnx_shape(n, 0);
    const nn_slice_desc none = {axis, 0, 1, 1};
    nn_node *first = nn_slice_at(n->site, n->net, x, &none), *both[2];
    nn_nodes nodes;
    if (shape.extent[axis] == 1)
        return nn__onnx_express(n, "x: 0 * x == 0 || 1", x, NULL, NULL, 0, 0);
    both[0] = nn__onnx_express(n, "x: 0 * x == 0 || 1", first, NULL, NULL, 0, 0);
    both[1] = nn__onnx_cut(n, x, axis, 0, shape.extent[axis] - 1, 1);
    nodes.node = both;
    nodes.count = 2;
    return nn_concat_at(n->site, n->net, nodes, axis);
}

static void nn__onnx_map_cumulative(nn__onnx_node *n) {
    const bool sum = strcmp(n->op->type, "CumSum") == 0;
    const bool exclusive = nn__onnx_int(n, "exclusive", 0) != 0;
    const bool reverse = nn__onnx_int(n, "reverse", 0) != 0;
    const int rank = nn__onnx_rank(n, 0);
    int32_t axis = 0;
    nn_node *x = nn__onnx_x(n, 0), *y;
    if (nn__onnx_wholes(n, 1, "axis", &axis, 1) < 1) return;
    if (axis < -rank || axis >= rank) {
        nn__onnx_refuse(n, NULL, "its axis %d is out of range; its operand has %d axes",
                        (int64_t)axis, (int64_t)rank);
        return;
    }
    if (axis < 0) axis += rank;
    if (reverse) x = nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(axis));
    if (exclusive && !sum) x = nn__onnx_one_before(n, x, axis);
    y = sum ? nn_cumsum_at(n->site, n->net, x, axis) : nn_cumprod_at(n->site, n->net, x, axis);
    if (exclusive && sum) y = nn_subtract_at(n->site, n->net, y, x);
    if (reverse) y = nn_flip_at(n->site, n->net, y, nn__onnx_one_axis(axis));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- softmax --------------------------------------------------------------------------------- */

/* Returns 1 at the first of the largest numbers along an axis, else 0. */
static nn_node *nn__onnx_largest(nn__onnx_node *n, nn_node *x, int axis) {
    const nn_shape shape = x ? nn_node_shape(x) : nn__onnx_shape(n, 0);
    nn_shape places;
    if (shape.extent[axis] < 0) {
        nn__onnx_refuse(n, "give it a number in .extents", "the extent of its axis is free");
        return NULL;
    }
    memset(&places, 0, sizeof places);
    places.rank = shape.rank;
    for (int i = 0; i < shape.rank; i++) places.extent[i] = i == axis ? shape.extent[i] : 1;
    x = nn_reduce_at(n->site, n->net, NN_ARGMAX, x, nn__onnx_one_axis(axis), true);
    x = nn_cast_at(n->site, n->net, x, NN_F32);
    return nn_equal_at(n->site, n->net, x, nn__onnx_numbered(n, shape.extent[axis], places));
}

static nn_node *nn__onnx_soft(nn__onnx_node *n, nn_node *x, int axis) {
    if (strcmp(n->op->type, "Softmax") == 0) return nn_softmax_over_at(n->site, n->net, x, axis);
    if (strcmp(n->op->type, "LogSoftmax") == 0)
        return nn_log_softmax_over_at(n->site, n->net, x, axis);
    return nn__onnx_largest(n, x, axis);
}

/* Describes a softmax along one axis, from opset 13 on. */
static void nn__onnx_map_soft(nn__onnx_node *n) {
    const int axis = nn__onnx_axis(n, -1, nn__onnx_rank(n, 0));
    if (axis >= 0)
        nn__onnx_give(n, 0, nn__onnx_soft(n, nn__onnx_x(n, 0), axis), nn__onnx_dtype(n, 0));
}

/* Describes a softmax before opset 13: over all axes from this one on, as one. */
static void nn__onnx_map_old_soft(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, 1, shape.rank);
    nn_shape flat;
    nn_node *x = nn__onnx_x(n, 0);
    if (axis < 0) return;
    if (axis == shape.rank - 1) {
        nn__onnx_give(n, 0, nn__onnx_soft(n, x, axis), nn__onnx_dtype(n, 0));
        return;
    }
    memset(&flat, 0, sizeof flat);
    flat.rank = 2;
    flat.extent[0] = nn__onnx_joined(n, &shape, 0, axis);
    flat.extent[1] = nn__onnx_joined(n, &shape, axis, shape.rank);
    if (n->refused) return;
    x = nn__onnx_soft(n, nn__onnx_reshaped(n, x, flat), 1);
    nn__onnx_give(n, 0, nn__onnx_reshaped(n, x, shape), nn__onnx_dtype(n, 0));
}

/* ---- norms that are no layers ---------------------------------------------------------------- */

static void nn__onnx_map_lp_normalization(nn__onnx_node *n) {
    const int axis = nn__onnx_axis(n, -1, nn__onnx_rank(n, 0));
    const int64_t p = nn__onnx_int(n, "p", 2);
    nn_node *x = nn__onnx_x(n, 0), *length = x;
    if (axis < 0) return;
    if (p != 1 && p != 2) {
        nn__onnx_refuse(n, NULL, "its p is %d, not 1 or 2", p);
        return;
    }
    if (p == 1) length = nn_abs_at(n->site, n->net, x);
    length = nn_reduce_at(n->site, n->net, p == 1 ? NN_SUM : NN_NORM, length,
                          nn__onnx_one_axis(axis), true);
    nn__onnx_give(n, 0, nn__onnx_express(n, "x, l: l == 0 ? 0 : x / l", x, length, NULL, 0, 0),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_mean_variance(nn__onnx_node *n) {
    int32_t list[NN_MAX_RANK] = {0, 2, 3};
    int count = nn__onnx_axes_of(n, -1, nn__onnx_rank(n, 0), list);
    nn_node *x = nn__onnx_x(n, 0), *deviation;
    nn_axes axes;
    if (count == -2) return;
    if (count == -1) count = 3;
    memset(&axes, 0, sizeof axes);
    for (int i = 0; i < count; i++) axes.axis[axes.count++] = list[i];
    x = nn_subtract_at(n->site, n->net, x, nn_reduce_at(n->site, n->net, NN_MEAN, x, axes, true));
    deviation = nn_square_at(n->site, n->net, x);
    deviation = nn_reduce_at(n->site, n->net, NN_MEAN, deviation, axes, true);
    deviation = nn_sqrt_at(n->site, n->net, deviation);
    nn__onnx_give(n, 0, nn_divide_at(n->site, n->net, x, deviation), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_reducing(void) {
    static const nn__onnx_operator lines[] = {
        {"", "ArgMax", 1, 0, nn__onnx_map_arg, NULL},
        {"", "ArgMin", 1, 0, nn__onnx_map_arg, NULL},
        {"", "CumProd", 26, 0, nn__onnx_map_cumulative, NULL},
        {"", "CumSum", 11, 0, nn__onnx_map_cumulative, NULL},
        {"", "Hardmax", 1, 12, nn__onnx_map_old_soft, NULL},
        {"", "Hardmax", 13, 0, nn__onnx_map_soft, NULL},
        {"", "LogSoftmax", 1, 12, nn__onnx_map_old_soft, NULL},
        {"", "LogSoftmax", 13, 0, nn__onnx_map_soft, NULL},
        {"", "LpNormalization", 1, 0, nn__onnx_map_lp_normalization, NULL},
        {"", "MeanVarianceNormalization", 9, 0, nn__onnx_map_mean_variance, NULL},
        {"", "ReduceL1", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceL2", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceLogSum", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceLogSumExp", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceMax", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceMean", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceMin", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceProd", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceSum", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "ReduceSumSquare", 1, 0, nn__onnx_map_reduce, NULL},
        {"", "Softmax", 1, 12, nn__onnx_map_old_soft, NULL},
        {"", "Softmax", 13, 0, nn__onnx_map_soft, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
