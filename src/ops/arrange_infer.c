/* ops/arrange_infer.c - the checks and shapes of permute, slice, concat, pad, flip and roll.
   Lowering calls them again, because only a run knows the batch. */
#include "ops/arrange_private.h"

NN_PRIVATE bool nn__op_arrange_known(nn__problem *problem, const char *operation, nn_shape x,
                                     int axis) {
    char text[NN__SHAPE_TEXT];
    if (!nn__is_symbolic(x.extent[axis])) return true;
    return nn__problem_set(
        problem, NN_ERROR_SHAPE,
        NN__TEXT("give the plan another batch or time, or put what is cut on an axis of its own"),
        NN__TEXT("%s on axis %d of %s, whose extent depends on the %s"), operation, axis,
        nn__format_shape(x, text, sizeof text), nn__free_words(x.extent[axis]));
}

NN_PRIVATE bool nn__op_pad_known(nn__problem *problem, nn_shape x, int axis) {
    char text[NN__SHAPE_TEXT];
    if (!nn__is_symbolic(x.extent[axis])) return true;
    return nn__problem_set(
        problem, NN_ERROR_SHAPE,
        NN__TEXT("a convolution or pool along it pads with zeros by itself (.same, .padding), and "
                 "nn_pad with a value moves along it (.left = 2, .right = -2)"),
        NN__TEXT("axis %d of %s depends on the %s, and an extent cannot be that plus a number"),
        axis, nn__format_shape(x, text, sizeof text), nn__free_words(x.extent[axis]));
}

static bool nn__op_permute_check(nn_shape x, const nn_axes *order, nn__op_arranged *to, nn_shape *y,
                                 nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    unsigned seen = 0;
    for (int i = 0; i < order->count && i < NN_MAX_RANK; i++) {
        if (!nn__want_axis(problem, "an axis of the order", x, order->axis[i], &to->order[i]))
            return false;
        y->extent[i] = x.extent[to->order[i]];
        seen |= 1u << to->order[i];
    }
    if (order->count == x.rank && seen == (1u << x.rank) - 1u) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("name every axis once: NN_AXES(0, 2, 3, 1)"),
                           NN__TEXT("the order has %d axes, %s; the input %s has %d"), order->count,
                           order->count == x.rank ? "one of them twice" : "not one for each",
                           nn__format_shape(x, text, sizeof text), (int)x.rank);
}

/* start, stop and step have Python's meaning. */
static bool nn__op_slice_check(nn_shape x, const nn_slice_desc *desc, nn__op_arranged *p,
                               nn_shape *y, nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    p->step = desc->step ? desc->step : 1;
    if (!nn__want_axis(problem, "axis", x, desc->axis, &p->axis)) return false;
    if (p->step < 1)
        return nn__refuse_number(problem, "step", desc->step, "at least 1; nn_flip reverses");
    if (desc->start == 0 && desc->stop == 0 && p->step == 1) return true;
    if (!nn__op_arrange_known(problem, "slice", x, p->axis)) return false;
    int64_t extent = x.extent[p->axis];
    int64_t start =
        desc->start < 0 ? nn__max64(0, desc->start + extent) : nn__min64(desc->start, extent);
    int64_t stop = desc->stop == 0  ? extent
                   : desc->stop < 0 ? nn__max64(0, desc->stop + extent)
                                    : nn__min64(desc->stop, extent);
    p->start = (int32_t)start;
    y->extent[p->axis] = (int32_t)(stop > start ? (stop - start + p->step - 1) / p->step : 0);
    if (y->extent[p->axis] > 0) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("check start and stop"),
                           NN__TEXT("the slice from %d to %d of axis %d of %s is "
                                    "empty"), desc->start,
                           desc->stop, (int)p->axis, nn__format_shape(x, text, sizeof text));
}

static bool nn__op_pad_check(nn_shape x, nn_dtype dtype, const nn_pad_desc *desc,
                             nn__op_arranged *p, nn_shape *y, nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    bool fits =
        desc->value >= 0.0f && desc->value <= 127.0f && desc->value == (float)(int)desc->value;
    bool whole = dtype != NN_F16 && dtype != NN_BF16 && dtype != NN_F64;
    if (desc->mode != NN_PADDING_ZEROS)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("describe it with nn_pad, or join slices of your own"),
                               NN__TEXT("mode is %d; the immediate call pads with a value only"),
                               (int)desc->mode);
    if (dtype != NN_F32 && desc->value != 0.0f && !(whole && fits))
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT,
            NN__TEXT("pad with 0, f32 with any number, whole numbers with 0 to 127"),
            NN__TEXT("%g cannot fill %s"), (double)desc->value, nn_dtype_name(dtype));
    p->before[0] = desc->front, p->after[0] = desc->back;
    p->before[1] = desc->top, p->after[1] = desc->bottom;
    p->before[2] = desc->left, p->after[2] = desc->right;
    for (int i = 0; i < 3; i++) {
        int axis = x.rank - 3 + i;
        if (!p->before[i] && !p->after[i]) continue;
        if (axis < 0)
            return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave them 0"),
                                   NN__TEXT("the input %s has no axis for %s"),
                                   nn__format_shape(x, text, sizeof text),
                                   i == 2 ? "left and right"
                                   : i ? "top and bottom" : "front and back");
        /* it cuts as much as it adds, which is a shift: this works for any extent */
        if (nn__is_symbolic(x.extent[axis]) && (int64_t)p->before[i] + p->after[i] == 0) continue;
        if (!nn__op_pad_known(problem, x, axis)) return false;
        int64_t extent = (int64_t)x.extent[axis] + p->before[i] + p->after[i];
        if (extent < 1 || extent > INT32_MAX || (int64_t)p->before[i] <= -(int64_t)x.extent[axis] ||
            (int64_t)p->after[i] <= -(int64_t)x.extent[axis])
            return nn__problem_set(
                problem, NN_ERROR_SHAPE, NN__TEXT("leave at least one element of the axis"),
                NN__TEXT("a padding of %d before and %d after axis %d of %s leaves nothing, or "
                         "more than 2^31 - 1"),
                (int)p->before[i], (int)p->after[i], axis, nn__format_shape(x, text, sizeof text));
        y->extent[axis] = (int32_t)extent;
    }
    return true;
}

static bool nn__op_flip_check(nn_shape x, const nn_axes *axes, nn__op_arranged *to,
                              nn__problem *problem) {
    uint32_t bits;
    if (!nn__op_axes(x, axes, &bits, problem)) return false;
    for (int i = 0; i < x.rank; i++) to->order[i] = (int32_t)(bits >> i & 1u);
    return true;
}

NN_PRIVATE bool nn__op_arrange_settle(const nn__op_arrange *p, nn__type x, nn__op_arranged *to,
                                      nn_shape *y, nn__problem *problem) {
    memset(to, 0, sizeof *to);
    *y = x.shape;
    switch (p->kind) {
    case NN__PERMUTE: return nn__op_permute_check(x.shape, &p->axes, to, y, problem);
    case NN__SLICE: return nn__op_slice_check(x.shape, &p->slice, to, y, problem);
    case NN__PAD: return nn__op_pad_check(x.shape, x.dtype, &p->pad, to, y, problem);
    case NN__FLIP: return nn__op_flip_check(x.shape, &p->axes, to, problem);
    default:
        to->shift = p->shift;
        return nn__want_axis(problem, "axis", x.shape, p->axis, &to->axis);
    }
}

/* Returns the type and the name of input i of a concat, which has any number of inputs. */
static nn__type nn__op_arrange_type(const nn__inference *inference, int i, const char **name) {
    const nn_tensor *const *tensors = ((const nn__op_arrange *)inference->params)->tensors;
    nn__type type;
    *name = tensors ? tensors[i]->name : inference->nodes[i]->name;
    if (!tensors) return nn__type_of(inference->nodes[i]);
    type.dtype = tensors[i]->view.dtype;
    type.shape = tensors[i]->view.shape;
    return type;
}

/* Checks that input i fits the first one; *sum is the extent of the axis so far. */
static bool nn__op_concat_joins(const nn__inference *inference, int i, int32_t axis, int32_t *sum) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    const char *name;
    const nn__type first = nn__op_arrange_type(inference, 0, &name),
                   next = nn__op_arrange_type(inference, i, &name);
    nn_shape same = next.shape;
    if (next.dtype != first.dtype)
        return nn__problem_set(
            inference->problem, NN_ERROR_DTYPE, NN__TEXT("nn_cast one of them"),
            NN__TEXT("the first input is %s, \"%s\" is %s; concat wants one dtype"),
            nn_dtype_name(first.dtype), name, nn_dtype_name(next.dtype));
    const bool fits =
        same.rank == first.shape.rank &&
        nn__extent_kind(same.extent[axis]) == nn__extent_kind(first.shape.extent[axis]);
    if (fits) same.extent[axis] = first.shape.extent[axis];
    if (!fits || !nn_same_shape(same, first.shape))
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape, nn_slice or nn_pad make them fit"),
                               NN__TEXT("input 0 is %s and input %d is %s; all extents but "
                                        "that of axis %d must be equal"),
                               nn__format_shape(first.shape, one, sizeof one), i,
                               nn__format_shape(next.shape, other, sizeof other), (int)axis);
    if (nn__extent_add(*sum, next.shape.extent[axis], sum)) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
        NN__TEXT("axis %d would have %lld elements at least; an extent has 31 bits"), (int)axis,
        (long long)nn__extent_factor(*sum) + nn__extent_factor(next.shape.extent[axis]));
}

NN_PRIVATE bool nn__op_arrange_infer(nn__inference *inference) {
    const nn__op_arrange *p = (const nn__op_arrange *)inference->params;
    nn__type *y = &inference->outputs[0];
    nn__op_arranged arranged;
    const char *name;
    if (inference->input_count < 1)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT, NN__TEXT("NN_NODES(a, b, c)"),
                               NN__TEXT("there are no inputs"));
    *y = p->kind == NN__CONCAT ? nn__op_arrange_type(inference, 0, &name) : inference->inputs[0];
    if (!nn__op_arrange_settle(p, *y, &arranged, &y->shape, inference->problem)) return false;
    for (int i = 1; i < inference->input_count; i++)
        if (!nn__op_concat_joins(inference, i, arranged.axis, &y->shape.extent[arranged.axis]))
            return false;
    return true;
}
