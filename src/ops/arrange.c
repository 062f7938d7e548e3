/* ops/arrange.c - permute, transpose, slice, concat, stack, chunk, pad, flip, roll and repeat: what
   they want of their input, builders and immediate calls. How they are copied:
   ops/arrange_pieces.c. */
#include "ops/arrange_private.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

/* An axis counted from the end becomes one counted from 0; false: there is no such axis. */
static bool nn__op_arrange_axis(nn__problem *problem, const char *field, nn_shape x, int axis,
                                int32_t *found) {
    char text[NN__SHAPE_TEXT];
    if (axis >= -x.rank && axis < x.rank) {
        *found = axis < 0 ? axis + x.rank : axis;
        return true;
    }
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("axes count from 0, negative ones from the end"),
                           NN__TEXT("%s is %d, but the input %s has %d axes"), field, axis,
                           nn__format_shape(x, text, sizeof text), (int)x.rank);
}

static bool nn__op_arrange_known(nn__problem *problem, const char *operation, nn_shape x,
                                 int axis) {
    char text[NN__SHAPE_TEXT];
    if (!nn__is_symbolic(x.extent[axis])) return true;
    return nn__problem_set(
        problem, NN_ERROR_SHAPE,
        NN__TEXT("give the plan another batch or time, or put what is cut on an axis of its own"),
        NN__TEXT("%s on axis %d of %s, whose extent depends on the %s"), operation, axis,
        nn__format_shape(x, text, sizeof text), nn__free_words(x.extent[axis]));
}

static bool nn__op_permute_check(nn_shape x, nn_axes order, nn__op_arrange *p,
                                 nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    unsigned seen = 0;
    p->kind = NN__PERMUTE;
    for (int i = 0; i < order.count && i < NN_MAX_RANK; i++) {
        if (!nn__op_arrange_axis(problem, "an axis of the order", x, order.axis[i], &p->order[i]))
            return false;
        seen |= 1u << p->order[i];
    }
    if (order.count == x.rank && seen == (1u << x.rank) - 1u) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("name every axis once: NN_AXES(0, 2, 3, 1)"),
                           NN__TEXT("the order has %d axes, %s; the input %s has %d"), order.count,
                           order.count == x.rank ? "one of them twice" : "not one for each",
                           nn__format_shape(x, text, sizeof text), (int)x.rank);
}

static nn_shape nn__op_permute_shape(nn_shape x, const nn__op_arrange *p) {
    nn_shape y = x;
    for (int i = 0; i < x.rank; i++) y.extent[i] = x.extent[p->order[i]];
    return y;
}

/* Python's meaning of start, stop and step; *count receives how many elements are left. */
static bool nn__op_slice_check(nn_shape x, const nn_slice_desc *desc, nn__op_arrange *p,
                               int32_t *count, nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    p->kind = NN__SLICE;
    p->step = desc->step ? desc->step : 1;
    if (!nn__op_arrange_axis(problem, "axis", x, desc->axis, &p->axis)) return false;
    if (p->step < 1)
        return nn__refuse_number(problem, "step", desc->step, "at least 1; nn_flip turns round");
    if (desc->start == 0 && desc->stop == 0 && p->step == 1) {
        *count = x.extent[p->axis];
        return true;
    }
    if (!nn__op_arrange_known(problem, "slice", x, p->axis)) return false;
    int64_t extent = x.extent[p->axis];
    int64_t start =
        desc->start < 0 ? nn__max64(0, desc->start + extent) : nn__min64(desc->start, extent);
    int64_t stop = desc->stop == 0  ? extent :
                   desc->stop < 0 ? nn__max64(0, desc->stop + extent) :
                                    nn__min64(desc->stop, extent);
    p->start = (int32_t)start;
    *count = (int32_t)(stop > start ? (stop - start + p->step - 1) / p->step : 0);
    if (*count > 0) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("check start and stop"),
                           NN__TEXT("elements %d to %d of axis %d of %s are none"), desc->start,
                           desc->stop, (int)p->axis, nn__format_shape(x, text, sizeof text));
}

static bool nn__op_concat_check(const nn_shape *x, int count, int axis, nn__op_arrange *p,
                                nn_shape *y, nn__problem *problem) {
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    int32_t sum;
    p->kind = NN__CONCAT;
    if (!nn__op_arrange_axis(problem, "axis", x[0], axis, &p->axis)) return false;
    *y = x[0];
    sum = x[0].extent[p->axis];
    for (int i = 1; i < count; i++) {
        nn_shape same = x[i];
        bool fits = same.rank == y->rank &&
                    nn__extent_kind(same.extent[p->axis]) == nn__extent_kind(y->extent[p->axis]);
        if (fits) same.extent[p->axis] = x[0].extent[p->axis];
        if (!fits || !nn_same_shape(same, x[0]))
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("nn_reshape, nn_slice or nn_pad make them fit"),
                                   NN__TEXT("input 0 is %s and input %d is %s; all extents but "
                                            "that of axis %d must be equal"),
                                   nn__format_shape(x[0], one, sizeof one), i,
                                   nn__format_shape(x[i], other, sizeof other), (int)p->axis);
        if (!nn__extent_add(sum, x[i].extent[p->axis], &sum))
            return nn__problem_set(
                problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                NN__TEXT("axis %d would have %lld elements at least; an extent has 31 bits"),
                (int)p->axis,
                (long long)nn__extent_factor(sum) + nn__extent_factor(x[i].extent[p->axis]));
    }
    y->extent[p->axis] = sum;
    return true;
}

static bool nn__op_pad_check(nn_shape x, nn_dtype dtype, const nn_pad_desc *desc, nn__op_arrange *p,
                             nn_shape *y, nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    p->kind = NN__PAD;
    p->value = desc->value;
    bool fits =
        desc->value >= 0.0f && desc->value <= 127.0f && desc->value == (float)(int)desc->value;
    bool whole = dtype != NN_F16 && dtype != NN_BF16 && dtype != NN_F64;
    if (dtype != NN_F32 && desc->value != 0.0f && !(whole && fits))
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT,
            NN__TEXT("pad with 0, f32 with any number, whole numbers with 0 to 127"),
            NN__TEXT("%g cannot fill %s"), (double)desc->value, nn_dtype_name(dtype));
    p->before[0] = desc->top, p->after[0] = desc->bottom;
    p->before[1] = desc->left, p->after[1] = desc->right;
    *y = x;
    for (int i = 0; i < 2; i++) {
        int axis = x.rank - 2 + i;
        if (!p->before[i] && !p->after[i]) continue;
        if (axis < 0)
            return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave top and bottom 0"),
                                   NN__TEXT("the input %s has no axis for %s"),
                                   nn__format_shape(x, text, sizeof text),
                                   i ? "left and right" : "top and bottom");
        if (!nn__op_arrange_known(problem, "pad", x, axis)) return false;
        int64_t extent = (int64_t)x.extent[axis] + p->before[i] + p->after[i];
        if (extent < 1 || extent > INT32_MAX || (int64_t)p->before[i] <= -(int64_t)x.extent[axis] ||
            (int64_t)p->after[i] <= -(int64_t)x.extent[axis])
            return nn__problem_set(
                problem, NN_ERROR_SHAPE, NN__TEXT("leave at least one element of it"),
                NN__TEXT("%d and %d around axis %d of %s leave nothing, or more than 31 bits hold"),
                (int)p->before[i], (int)p->after[i], axis, nn__format_shape(x, text, sizeof text));
        y->extent[axis] = (int32_t)extent;
    }
    return true;
}

static bool nn__op_flip_check(nn_shape x, nn_axes axes, nn__op_arrange *p, nn__problem *problem) {
    uint32_t bits;
    p->kind = NN__FLIP;
    if (!nn__op_axes(x, &axes, &bits, problem)) return false;
    for (int i = 0; i < x.rank; i++) p->order[i] = (int32_t)(bits >> i & 1u);
    return true;
}

/* ---- builders -------------------------------------------------------------------------------- */

static nn_node *nn__op_arrange_problem(nn_model *net, nn_site site, const char *operation,
                                       nn_nodes x, const nn__problem *problem) {
    static const char *const roles[] = {"input", "input", "input", "input"};
    return nn__poison_problem(net, site, operation, NULL, x.node, roles,
                              nn__mini(x.count, NN__COUNT(roles)), problem);
}

static nn_node *nn__op_arrange_add(nn_model *net, nn_site site, nn_nodes x, nn_shape y,
                                   nn__op_arrange *p) {
    const nn__rule *rule = nn__op_arrange_rule(p->kind);
    nn__install_strided_copy(net->nn);
    return nn__add_node(&net->graph, site, rule, rule->name, NULL, x.node, NULL, x.count,
                        x.node[0]->dtype, y, p, sizeof *p);
}

/* One input, already checked; `check` was asked for y and filled p. */
static nn_nodes nn__op_arrange_one(nn_node *const *x) {
    nn_nodes nodes;
    nodes.node = x;
    nodes.count = 1;
    return nodes;
}

static bool nn__op_arrange_begin(nn_model *net, nn_site site, const char *operation, nn_nodes x,
                                 nn__op_arrange *p, nn__problem *problem) {
    static const char *const roles[] = {"input"};
    memset(p, 0, sizeof *p);
    memset(problem, 0, sizeof *problem);
    for (int i = 0; i < x.count; i++)
        if (!nn__check_inputs(net, site, operation, NULL, x.node + i, roles, 1)) return false;
    return net != NULL;
}

static nn_node *nn__op_arrange_end(nn_model *net, nn_site site, const char *operation, nn_nodes x,
                                   nn_shape y, nn__op_arrange *p, const nn__problem *problem) {
    if (problem->code != NN_OK) return nn__op_arrange_problem(net, site, operation, x, problem);
    return nn__op_arrange_add(net, site, x, y, p);
}

NN_API nn_node *nn_permute_at(nn_site site, nn_model *net, nn_node *x, nn_axes order) {
    nn__op_arrange p;
    nn__problem problem;
    nn_shape y;
    if (!nn__op_arrange_begin(net, site, "permute", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    y = x->shape;
    if (nn__op_permute_check(x->shape, order, &p, &problem)) y = nn__op_permute_shape(x->shape, &p);
    return nn__op_arrange_end(net, site, "permute", nn__op_arrange_one(&x), y, &p, &problem);
}

NN_API nn_node *nn_transpose_at(nn_site site, nn_model *net, nn_node *x, int axis, int other) {
    nn__op_arrange p;
    nn__problem problem;
    int32_t a = 0, b = 0;
    if (!nn__op_arrange_begin(net, site, "transpose", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    if (!nn__op_arrange_axis(&problem, "an axis", x->shape, axis, &a) ||
        !nn__op_arrange_axis(&problem, "an axis", x->shape, other, &b))
        return nn__op_arrange_problem(net, site, "transpose", nn__op_arrange_one(&x), &problem);
    for (int i = 0; i < x->shape.rank; i++) p.order[i] = i == a ? b : i == b ? a : i;
    return nn__op_arrange_end(net, site, "transpose", nn__op_arrange_one(&x),
                              nn__op_permute_shape(x->shape, &p), &p, &problem);
}

NN_API nn_node *nn_slice_at(nn_site site, nn_model *net, nn_node *x, const nn_slice_desc *desc) {
    static const nn_slice_desc whole = {0, 0, 0, 0};
    nn__op_arrange p;
    nn__problem problem;
    nn_shape y;
    int32_t count = 0;
    if (!nn__op_arrange_begin(net, site, "slice", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    y = x->shape;
    if (nn__op_slice_check(x->shape, desc ? desc : &whole, &p, &count, &problem))
        y.extent[p.axis] = count;
    return nn__op_arrange_end(net, site, "slice", nn__op_arrange_one(&x), y, &p, &problem);
}

/* No node at all: a fault of its own. */
static nn_node *nn__op_arrange_none(nn_model *net, nn_site site, const char *operation) {
    nn__problem problem;
    if (!net) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("NN_NODES(a, b, c)"),
                    NN__TEXT("there are no inputs"));
    return nn__poison_problem(net, site, operation, NULL, NULL, NULL, 0, &problem);
}

static bool nn__op_concat_dtypes(nn_nodes inputs, nn__problem *problem) {
    for (int i = 1; i < inputs.count; i++)
        if (inputs.node[i]->dtype != inputs.node[0]->dtype)
            return nn__problem_set(
                problem, NN_ERROR_DTYPE, NN__TEXT("nn_cast one of them"),
                NN__TEXT("the first input is %s, \"%s\" is %s; concat wants one dtype"),
                nn_dtype_name(inputs.node[0]->dtype), inputs.node[i]->name,
                nn_dtype_name(inputs.node[i]->dtype));
    return true;
}

NN_API nn_node *nn_concat_at(nn_site site, nn_model *net, nn_nodes inputs, int axis) {
    nn__op_arrange p;
    nn__problem problem;
    nn_shape y, *shapes;
    if (!inputs.node || inputs.count < 1) return nn__op_arrange_none(net, site, "concat");
    if (!nn__op_arrange_begin(net, site, "concat", inputs, &p, &problem)) return nn__poison(net);
    shapes = (nn_shape *)nn__arena_take(&net->graph.arena, (size_t)inputs.count * sizeof *shapes);
    if (!shapes) {
        nn__fail_memory(net->nn, "concat", (uint64_t)inputs.count * sizeof *shapes);
        return nn__poison(net);
    }
    for (int i = 0; i < inputs.count; i++) shapes[i] = inputs.node[i]->shape;
    y = shapes[0];
    if (nn__op_concat_dtypes(inputs, &problem))
        nn__op_concat_check(shapes, inputs.count, axis, &p, &y, &problem);
    return nn__op_arrange_end(net, site, "concat", inputs, y, &p, &problem);
}

NN_API nn_node *nn_stack_at(nn_site site, nn_model *net, nn_nodes inputs, int axis) {
    nn__op_arrange p;
    nn__problem problem;
    nn_nodes thin;
    nn_node **nodes;
    if (!inputs.node || inputs.count < 1) return nn__op_arrange_none(net, site, "stack");
    if (!nn__op_arrange_begin(net, site, "stack", inputs, &p, &problem)) return nn__poison(net);
    nodes = (nn_node **)nn__arena_take(&net->graph.arena, (size_t)inputs.count * sizeof *nodes);
    if (!nodes) {
        nn__fail_memory(net->nn, "stack", (uint64_t)inputs.count * sizeof *nodes);
        return nn__poison(net);
    }
    for (int i = 0; i < inputs.count; i++) {
        nn_shape shape = inputs.node[i]->shape;
        int at = axis < 0 ? axis + shape.rank + 1 : axis;
        if (shape.rank >= NN_MAX_RANK || at < 0 || at > shape.rank) {
            nn__problem_set(
                &problem, NN_ERROR_ARGUMENT,
                NN__TEXT("the new axis may stand before, between or behind those there are"),
                NN__TEXT("axis is %d, but an input has %d axes, of at most %d"), axis,
                (int)shape.rank, NN_MAX_RANK - 1);
            return nn__op_arrange_problem(net, site, "stack", inputs, &problem);
        }
        for (int k = shape.rank++; k > at; k--) shape.extent[k] = shape.extent[k - 1];
        shape.extent[at] = 1;
        nodes[i] = nn_reshape_at(site, net, inputs.node[i], shape);
    }
    thin.node = nodes;
    thin.count = inputs.count;
    return nn_concat_at(site, net, thin, axis);
}

NN_API nn_node *nn_chunk_at(nn_site site, nn_model *net, nn_node *x, nn_node **parts, int count,
                            int axis) {
    char text[NN__SHAPE_TEXT];
    nn__op_arrange p;
    nn__problem problem;
    nn_slice_desc desc;
    nn_nodes one = nn__op_arrange_one(&x);
    bool fits = nn__op_arrange_begin(net, site, "chunk", one, &p, &problem);
    for (int i = 0; parts && i < count; i++) parts[i] = nn__poison(net);
    if (!fits) return nn__poison(net);
    if (nn__op_arrange_axis(&problem, "axis", x->shape, axis, &p.axis) &&
        nn__op_arrange_known(&problem, "chunk", x->shape, p.axis) &&
        (!parts || count < 1 || x->shape.extent[p.axis] % count))
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("nn_slice cuts unequal parts"),
                        NN__TEXT("axis %d of %s cannot be cut into %d equal parts"), (int)p.axis,
                        nn__format_shape(x->shape, text, sizeof text), count);
    if (problem.code != NN_OK) return nn__op_arrange_problem(net, site, "chunk", one, &problem);
    memset(&desc, 0, sizeof desc);
    desc.axis = p.axis;
    for (int i = 0; i < count; i++) {
        desc.start = x->shape.extent[p.axis] / count * i;
        desc.stop = desc.start + x->shape.extent[p.axis] / count;
        parts[i] = nn_slice_at(site, net, x, &desc);
    }
    return parts[0];
}

NN_API nn_node *nn_pad_at(nn_site site, nn_model *net, nn_node *x, const nn_pad_desc *desc) {
    static const nn_pad_desc none = {0, 0, 0, 0, 0.0f};
    nn__op_arrange p;
    nn__problem problem;
    nn_shape y;
    if (!nn__op_arrange_begin(net, site, "pad", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    y = x->shape;
    nn__op_pad_check(x->shape, x->dtype, desc ? desc : &none, &p, &y, &problem);
    return nn__op_arrange_end(net, site, "pad", nn__op_arrange_one(&x), y, &p, &problem);
}

NN_API nn_node *nn_flip_at(nn_site site, nn_model *net, nn_node *x, nn_axes axes) {
    nn__op_arrange p;
    nn__problem problem;
    if (!nn__op_arrange_begin(net, site, "flip", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    nn__op_flip_check(x->shape, axes, &p, &problem);
    return nn__op_arrange_end(net, site, "flip", nn__op_arrange_one(&x), x->shape, &p, &problem);
}

NN_API nn_node *nn_roll_at(nn_site site, nn_model *net, nn_node *x, int shift, int axis) {
    nn__op_arrange p;
    nn__problem problem;
    if (!nn__op_arrange_begin(net, site, "roll", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    p.kind = NN__ROLL;
    p.shift = shift;
    nn__op_arrange_axis(&problem, "axis", x->shape, axis, &p.axis);
    return nn__op_arrange_end(net, site, "roll", nn__op_arrange_one(&x), x->shape, &p, &problem);
}

NN_API nn_node *nn_repeat_at(nn_site site, nn_model *net, nn_node *x, nn_shape times) {
    char text[NN__SHAPE_TEXT];
    nn__op_arrange p;
    nn__problem problem;
    nn_node *y = x;
    if (!nn__op_arrange_begin(net, site, "repeat", nn__op_arrange_one(&x), &p, &problem))
        return nn__poison(net);
    bool fits = times.rank == x->shape.rank;
    for (int i = 0; i < times.rank && fits; i++)
        fits = times.extent[i] >= 1 && times.extent[i] <= 4096;
    if (!fits) {
        nn__problem_set(
            &problem, NN_ERROR_ARGUMENT, NN__TEXT("a count of copies for each axis, 1 for none"),
            NN__TEXT("times must have a number from 1 to 4096 for each axis of the input %s"),
            nn__format_shape(x->shape, text, sizeof text));
        return nn__op_arrange_problem(net, site, "repeat", nn__op_arrange_one(&x), &problem);
    }
    for (int i = 0; i < times.rank; i++) {
        nn_node **copies;
        nn_nodes list;
        if (times.extent[i] == 1) continue;
        copies =
            (nn_node **)nn__arena_take(&net->graph.arena, (size_t)times.extent[i] * sizeof *copies);
        if (!copies) {
            nn__fail_memory(net->nn, "repeat", (uint64_t)times.extent[i] * sizeof *copies);
            return nn__poison(net);
        }
        for (int k = 0; k < times.extent[i]; k++) copies[k] = y;
        list.node = copies;
        list.count = times.extent[i];
        y = nn_concat_at(site, net, list, i);
    }
    return y;
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* One or more inputs; `shape`: of y. The pieces lie in the caller's memory. */
static nn_result nn__op_arrange_immediate(nn_site site, const char *who, nn_tensor *y,
                                          const nn_tensor *const *x, int count, nn_shape shape,
                                          nn__op_arrange *p, nn__problem *problem) {
    nn_context *nn = x[0]->nn;
    nn_strided_copy_args args;
    nn_result result = NN_OK;
    if (problem->code != NN_OK) return nn__fail_problem(nn, site, who, problem);
    result = nn__want_shape(nn, site, who, "y", shape, y);
    if (result != NN_OK) return result;
    nn__install_strided_copy(nn);
    int64_t before = 0;
    for (int i = 0; i < count; i++) {
        nn_copy_piece pieces[2];
        nn__op_arrange one = *p;
        one.pieces = pieces;
        one.before_inputs = before;
        nn__op_arrange_forward(&one, &args, y->view, &x[i]->view, 1);
        result = nn__run_immediate(site, who, nn, y->device, NN_KERNEL_STRIDED_COPY, &args, NULL);
        if (result != NN_OK) return result;
        before += x[i]->view.shape.rank ? x[i]->view.shape.extent[p->axis] : 0;
    }
    return NN_OK;
}

static nn_result nn__op_arrange_given(nn_site site, const char *who, nn_tensor *y,
                                      const nn_tensor *x, nn__op_arrange *p, nn__problem *problem) {
    nn__given given[2];
    nn_context *nn;
    nn_device device;
    memset(given, 0, sizeof given);
    memset(p, 0, sizeof *p);
    memset(problem, 0, sizeof *problem);
    given[0].role = "y";
    given[0].tensor = y;
    given[0].flags = NN__WRITTEN;
    given[1].role = "x";
    given[1].tensor = x;
    given[1].dtype = y ? y->view.dtype : NN_DTYPE_DEFAULT;
    return nn__check_given(site, who, given, 2, &nn, &device);
}

NN_API nn_result nn_permute_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                       nn_axes order) {
    nn__op_arrange p;
    nn__problem problem;
    nn_result result = nn__op_arrange_given(site, "nn_permute_forward", y, x, &p, &problem);
    if (result != NN_OK) return result;
    nn__op_permute_check(x->view.shape, order, &p, &problem);
    return nn__op_arrange_immediate(site, "nn_permute_forward", y, &x, 1,
                                    nn__op_permute_shape(x->view.shape, &p), &p, &problem);
}

NN_API nn_result nn_slice_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                     const nn_slice_desc *desc) {
    static const nn_slice_desc whole = {0, 0, 0, 0};
    nn__op_arrange p;
    nn__problem problem;
    int32_t count = 0;
    nn_result result = nn__op_arrange_given(site, "nn_slice_forward", y, x, &p, &problem);
    if (result != NN_OK) return result;
    nn_shape shape = x->view.shape;
    if (nn__op_slice_check(shape, desc ? desc : &whole, &p, &count, &problem))
        shape.extent[p.axis] = count;
    return nn__op_arrange_immediate(site, "nn_slice_forward", y, &x, 1, shape, &p, &problem);
}

NN_API nn_result nn_concat_forward_at(nn_site site, nn_tensor *y, const nn_tensor *const *x,
                                      int count, int axis) {
    const char *who = "nn_concat_forward";
    nn__op_arrange p;
    nn__problem problem;
    nn_shape shape;
    if (!x || count < 1)
        return nn__fail_at(y ? y->nn : NULL, site, NN_ERROR_ARGUMENT, "%s: there are no inputs",
                           who);
    for (int i = count - 1; i >= 0; i--) {
        nn_result result = nn__op_arrange_given(site, who, y, x[i], &p, &problem);
        if (result != NN_OK) return result;
    }
    nn_shape two[2];
    shape = two[0] = x[0]->view.shape;
    for (int i = 1; i < count && problem.code == NN_OK;
         i++) { /* pair by pair: the sum so far, and the next */
        two[0] = shape;
        two[1] = x[i]->view.shape;
        nn__op_concat_check(two, 2, axis, &p, &shape, &problem);
    }
    if (count == 1) nn__op_concat_check(two, 1, axis, &p, &shape, &problem);
    return nn__op_arrange_immediate(site, who, y, x, count, shape, &p, &problem);
}

NN_API nn_result nn_pad_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                   const nn_pad_desc *desc) {
    static const nn_pad_desc none = {0, 0, 0, 0, 0.0f};
    nn__op_arrange p;
    nn__problem problem;
    nn_result result = nn__op_arrange_given(site, "nn_pad_forward", y, x, &p, &problem);
    if (result != NN_OK) return result;
    nn_shape shape = x->view.shape;
    nn__op_pad_check(shape, x->view.dtype, desc ? desc : &none, &p, &shape, &problem);
    return nn__op_arrange_immediate(site, "nn_pad_forward", y, &x, 1, shape, &p, &problem);
}

NN_API nn_result nn_flip_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, nn_axes axes) {
    nn__op_arrange p;
    nn__problem problem;
    nn_result result = nn__op_arrange_given(site, "nn_flip_forward", y, x, &p, &problem);
    if (result != NN_OK) return result;
    nn__op_flip_check(x->view.shape, axes, &p, &problem);
    return nn__op_arrange_immediate(site, "nn_flip_forward", y, &x, 1, x->view.shape, &p, &problem);
}

NN_API nn_result nn_roll_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int shift,
                                    int axis) {
    nn__op_arrange p;
    nn__problem problem;
    nn_result result = nn__op_arrange_given(site, "nn_roll_forward", y, x, &p, &problem);
    if (result != NN_OK) return result;
    p.kind = NN__ROLL;
    p.shift = shift;
    nn__op_arrange_axis(&problem, "axis", x->view.shape, axis, &p.axis);
    return nn__op_arrange_immediate(site, "nn_roll_forward", y, &x, 1, x->view.shape, &p, &problem);
}
