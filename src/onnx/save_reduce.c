/* onnx/save_reduce.c - reductions, running sums, sorting. */
#include "onnx/emit.h"

/* The axes of a reduction, and the shape with 1 in them or (flat) without them. */
typedef struct nn__onnx_axes {
    int32_t axis[NN_MAX_RANK];
    int count;
    nn_shape kept, flat;
} nn__onnx_axes;

static nn__onnx_axes nn__onnx_axes_in(const nn_shape *x, uint32_t bits) {
    nn__onnx_axes axes;
    memset(&axes, 0, sizeof axes);
    axes.kept = *x;
    for (int i = 0; i < x->rank; i++) {
        if (bits >> i & 1) {
            axes.axis[axes.count++] = i;
            axes.kept.extent[i] = 1;
        } else {
            axes.flat.extent[axes.flat.rank++] = x->extent[i];
        }
    }
    return axes;
}

NN__ONNX_PRIVATE const char *nn__onnx_axes_out(nn__onnx_emitter *e, const char *type,
                                               const char *x, const int32_t *axes, int count,
                                               bool keep, const char *out) {
    const bool operand = strcmp(type, "ReduceSum") == 0 || e->opset >= 18;
    const char *list = operand ? nn__onnx_wholes_out(e, axes, count) : "";
    nn__onnx_begin_op(e, type);
    nn__onnx_op_in(e, x);
    if (operand) nn__onnx_op_in(e, list);
    if (!operand) nn__onnx_op_ints(e, "axes", axes, count);
    if (!keep) nn__onnx_op_int(e, "keepdims", 0);
    return nn__onnx_op_end(e, out);
}

/* Emits one reduction. */
static const char *nn__onnx_reduce_out(nn__onnx_emitter *e, const char *type, const char *x,
                                       const nn__onnx_axes *axes, bool keep, const char *out) {
    if (strncmp(type, "Arg", 3) != 0)
        return nn__onnx_axes_out(e, type, x, axes->axis, axes->count, keep, out);
    nn__onnx_begin_op(e, type);
    nn__onnx_op_in(e, x);
    nn__onnx_op_int(e, "axis", axes->axis[0]);
    if (!keep) nn__onnx_op_int(e, "keepdims", 0);
    return nn__onnx_op_end(e, out);
}

static const char *nn__onnx_reduction_type(nn_reduction reduction) {
    switch ((int)reduction) {
    case NN_MEAN: return "ReduceMean";
    case NN_SUM: return "ReduceSum";
    case NN_MAX:
    case NN_ANY: return "ReduceMax";
    case NN_MIN:
    case NN_ALL: return "ReduceMin";
    case NN_PROD: return "ReduceProd";
    case NN_ARGMAX: return "ArgMax";
    case NN_ARGMIN: return "ArgMin";
    case NN_SUM_OF_SQUARES: return "ReduceSumSquare";
    case NN_NORM: return "ReduceL2";
    case NN_LOGSUMEXP: return "ReduceLogSumExp";
    default: return NULL;
    }
}

/* Emits a variance or a standard deviation, from the squares of the differences from the mean. */
static const char *nn__onnx_spread(nn__onnx_emitter *e, const nn_reduce_args *a, const char *x,
                                   const nn_shape *shape, const nn__onnx_axes *axes, bool keep) {
    nn_shape count;
    const char *divisor;
    memset(&count, 0, sizeof count);
    count.rank = 1;
    count.extent[0] = 1;
    for (int i = 0; i < axes->count; i++)
        count.extent[0] = nn_multiply_extents(count.extent[0], shape->extent[axes->axis[i]]);
    const char *mean = nn__onnx_reduce_out(e, "ReduceMean", x, axes, true, NULL);
    const char *left = nn__onnx_emit(e, "Sub", x, mean, NULL, NULL);
    const char *sum = nn__onnx_reduce_out(e, "ReduceSumSquare", left, axes, keep, NULL);
    if (count.extent[0] > 0) {
        const int32_t left_over = count.extent[0] - a->correction;
        divisor = nn__onnx_real_out(e, left_over > 0 ? left_over : 0);
    } else { /* an extent is symbolic: the elements are counted in each run */
        divisor = nn__onnx_emit(e, "Expand", nn__onnx_real_out(e, 1), nn__onnx_shape_out(e, &count),
                                NULL, NULL);
        nn__onnx_begin_op(e, "ReduceSum");
        nn__onnx_op_in(e, divisor);
        nn__onnx_op_int(e, "keepdims", 0);
        divisor = nn__onnx_op_end(e, NULL);
        divisor = nn__onnx_emit(e, "Sub", divisor, nn__onnx_real_out(e, (double)a->correction),
                                NULL, NULL);
        divisor = nn__onnx_emit(e, "Max", divisor, nn__onnx_real_out(e, 0), NULL, NULL);
    }
    sum = nn__onnx_emit(e, "Div", sum, divisor, NULL, NULL);
    return a->reduction == NN_STD ? nn__onnx_emit(e, "Sqrt", sum, NULL, NULL, NULL) : sum;
}

/* Joins several axes of an ArgMax into one. They must be adjacent. */
static bool nn__onnx_join_axes(nn__onnx_emitter *e, const char **x, nn_shape *shape,
                               nn__onnx_axes *axes) {
    nn_shape joined = *shape;
    const int first = axes->axis[0];
    for (int i = 1; i < axes->count; i++) {
        if (axes->axis[i] != first + i)
            return nn__onnx_cannot(e, "its index runs over axes that are not adjacent");
        joined.extent[first] = nn_multiply_extents(joined.extent[first], shape->extent[first + i]);
    }
    if (axes->count < 2) return true;
    joined.rank = shape->rank - axes->count + 1;
    for (int i = first + 1; i < joined.rank; i++)
        joined.extent[i] = shape->extent[i + axes->count - 1];
    *x = nn__onnx_reshape_out(e, *x, shape, &joined, NULL);
    *shape = joined;
    *axes = nn__onnx_axes_in(shape, 1u << first);
    return true;
}

NN__ONNX_PRIVATE void nn__onnx_save_reduce(nn__onnx_emitter *e, const nn_reduce_args *a,
                                           const nn_reduce_args *b) {
    const nn_shape from = nn_node_shape(nn__onnx_node_at(&a->x)),
                   want = nn_node_shape(nn__onnx_node_at(&a->y));
    const bool logical = a->reduction == NN_ANY || a->reduction == NN_ALL;
    const bool arg = a->reduction == NN_ARGMAX || a->reduction == NN_ARGMIN;
    const char *type = nn__onnx_reduction_type(a->reduction), *out, *value;
    nn_shape shape = nn__onnx_shape_seen(e, &a->x, &b->x);
    nn__onnx_axes axes = nn__onnx_axes_in(&shape, a->axes);
    const char *x = nn__onnx_reshape_out(e, nn__onnx_in_x(e, &a->x), &from, &shape, NULL);
    bool keep, direct;
    if (a->accumulate) nn__onnx_cannot(e, "it adds to its result");
    if (arg && !nn__onnx_join_axes(e, &x, &shape, &axes)) return;
    if (logical) {
        x = nn__onnx_cast_to(e, x, NN_BOOL, NULL);
        x = nn__onnx_cast_to(e, x, NN_F32, NULL);
    }
    keep = nn_same_shape(want, axes.kept);
    direct = type && !arg && a->scale == 1.0f && (keep || nn_same_shape(want, axes.flat));
    out = nn__onnx_out(e, &a->y);
    value = type ? nn__onnx_reduce_out(e, type, x, &axes, keep, direct ? out : NULL)
                 : nn__onnx_spread(e, a, x, &shape, &axes, keep);
    if (direct) return;
    if (a->scale != 1.0f)
        value = nn__onnx_emit(e, "Mul", value, nn__onnx_real_out(e, (double)a->scale), NULL, NULL);
    if (arg) value = nn__onnx_cast_to(e, value, NN_I32, NULL);
    nn__onnx_reshape_out(e, value, keep ? &axes.kept : &axes.flat, &want, out);
}

/* ---- along an axis --------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__onnx_save_scan(nn__onnx_emitter *e, const nn_scan_args *a,
                                         const nn_scan_args *b) {
    const char *x = nn__onnx_seen_x(e, &a->x, &b->x), *axis = nn__onnx_whole_out(e, a->axis);
    if (a->kind != NN_SCAN_SUM) {
        nn__onnx_cannot(e, "ONNX has running sums, but no other running results");
        return;
    }
    nn__onnx_begin_op(e, "CumSum");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, axis);
    if (a->reverse) nn__onnx_op_int(e, "reverse", 1);
    nn__onnx_end_seen(e, &a->y, &b->y);
}

NN__ONNX_PRIVATE void nn__onnx_save_sort(nn__onnx_emitter *e, const nn_sort_args *a,
                                         const nn_sort_args *b) {
    const nn_shape y = nn__onnx_shape_seen(e, &a->y, &b->y);
    const bool indexed = nn__onnx_is_needed(e, &a->index);
    const char *x = nn__onnx_in_x(e, &a->x), *outs[2], *count;
    nn_shape one;
    memset(&one, 0, sizeof one);
    one.rank = 1;
    one.extent[0] = y.extent[a->axis];
    count = nn__onnx_shape_out(e, &one);
    outs[0] = nn__onnx_out(e, &a->y);
    outs[1] = nn__onnx_new_name(e, "index");
    nn__onnx_begin_op(e, "TopK");
    nn__onnx_op_in(e, x);
    nn__onnx_op_in(e, count);
    nn__onnx_op_int(e, "axis", a->axis);
    nn__onnx_op_int(e, "largest", a->descending);
    nn__onnx_op_end_all(e, outs, 2);
    if (indexed) nn__onnx_cast_to(e, outs[1], NN_I32, nn__onnx_out(e, &a->index));
}
