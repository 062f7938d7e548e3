/* ops/squeeze.c - unflatten, squeeze and unsqueeze: reshapes that compute the shape themselves. */
#include "ops/arrange_private.h"
#include "ops/reshape.h"

/* params: for unflatten the axis and its sizes, for squeeze the axes, for unsqueeze the axis */
typedef struct nn__op_squeeze {
    nn_shape sizes;
    nn_axes axes;
    int axis;
} nn__op_squeeze;

/* Computes the shape of unflatten's result; false: there is none. */
static bool nn__op_unflattened(nn_shape x, int32_t axis, nn_shape sizes, nn_shape *y) {
    *y = x;
    y->rank = x.rank - 1 + sizes.rank;
    if (sizes.rank < 1 || y->rank > NN_MAX_RANK) return false;
    for (int i = 0; i < sizes.rank; i++) y->extent[axis + i] = sizes.extent[i];
    for (int i = axis + 1; i < x.rank; i++) y->extent[i - 1 + sizes.rank] = x.extent[i];
    return true;
}

static bool nn__op_unflatten_infer(nn__inference *inference) {
    const nn__op_squeeze *p = (const nn__op_squeeze *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT], sizes[NN__SHAPE_TEXT];
    int32_t axis, product;
    nn_shape y;
    if (!nn__want_axis(inference->problem, "axis", x, p->axis, &axis)) return false;
    bool fits = p->sizes.rank >= 0 && p->sizes.rank <= NN_MAX_RANK;
    nn__format_shape(x, text, sizeof text);
    if (fits) nn__format_shape(p->sizes, sizes, sizeof sizes);
    for (int i = 0; i < p->sizes.rank && fits; i++)
        fits = p->sizes.extent[i] >= 1 || nn__is_symbolic(p->sizes.extent[i]);
    if (fits && nn__op_unflattened(x, axis, p->sizes, &y) &&
        nn__fold_extents(p->sizes, 0, p->sizes.rank, &product) && product == x.extent[axis])
        return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("give sizes whose product is the extent; none is inferred"),
                           NN__TEXT("axis %d of %s is not the product of %s, or the result has "
                                    "more than %d axes"),
                           (int)axis, text, fits ? sizes : "sizes", NN_MAX_RANK);
}

static bool nn__op_squeeze_infer(nn__inference *inference) {
    const nn__op_squeeze *p = (const nn__op_squeeze *)inference->params;
    uint32_t bits;
    return nn__op_axes(inference->inputs[0].shape, &p->axes, &bits, inference->problem);
}

static bool nn__op_unsqueeze_infer(nn__inference *inference) {
    const nn__op_squeeze *p = (const nn__op_squeeze *)inference->params;
    nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    if (nn__op_stack_shape(&x, p->axis)) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_ARGUMENT,
        NN__TEXT("the new axis may stand before, between or after the existing ones"),
        NN__TEXT("axis is %d, and the input %s has %d axes; wanted at most %d"), p->axis,
        nn__format_shape(x, text, sizeof text), (int)x.rank, NN_MAX_RANK - 1);
}

static const nn__rule nn__rule_unflatten = NN__COMPOSED_RULE("unflatten", nn__op_unflatten_infer);
static const nn__rule nn__rule_squeeze = NN__COMPOSED_RULE("squeeze", nn__op_squeeze_infer);
static const nn__rule nn__rule_unsqueeze = NN__COMPOSED_RULE("unsqueeze", nn__op_unsqueeze_infer);

NN_API nn_node *nn_unflatten_at(nn_site site, nn_model *net, nn_node *x, int axis, nn_shape sizes) {
    nn__op_squeeze p;
    nn_shape y;
    memset(&p, 0, sizeof p);
    p.axis = axis;
    p.sizes = sizes;
    x = nn__build_unary(site, net, &nn__rule_unflatten, NULL, x, &p, 0);
    if (!x || x->poisoned) return x;
    nn__op_unflattened(x->shape, axis < 0 ? axis + x->shape.rank : axis, sizes, &y);
    return nn_reshape_at(site, net, x, y);
}

NN_API nn_node *nn_squeeze_at(nn_site site, nn_model *net, nn_node *x, nn_axes axes) {
    nn__op_squeeze p;
    nn__problem problem;
    uint32_t bits = 0;
    nn_shape y;
    memset(&p, 0, sizeof p);
    p.axes = axes;
    x = nn__build_unary(site, net, &nn__rule_squeeze, NULL, x, &p, 0);
    if (!x || x->poisoned) return x;
    nn__op_axes(x->shape, &axes, &bits, &problem);
    memset(&y, 0, sizeof y);
    for (int i = 0; i < x->shape.rank; i++)
        if (x->shape.extent[i] != 1 || !(bits >> i & 1)) y.extent[y.rank++] = x->shape.extent[i];
    return nn_reshape_at(site, net, x, y);
}

NN_API nn_node *nn_unsqueeze_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    nn__op_squeeze p;
    memset(&p, 0, sizeof p);
    p.axis = axis;
    x = nn__build_unary(site, net, &nn__rule_unsqueeze, NULL, x, &p, 0);
    if (!x || x->poisoned) return x;
    nn_shape y = x->shape;
    nn__op_stack_shape(&y, axis);
    return nn_reshape_at(site, net, x, y);
}
