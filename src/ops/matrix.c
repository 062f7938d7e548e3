/* ops/matrix.c - split, diff, outer products and triangles, composed of slices, products and
   running sums. */
#include "ops/matrix.h"
#include "ops/arrange.h"
#include "ops/more_private.h"
#include "ops/private.h"
#include "ops/cumsum.h"
#include "ops/table.h"

/* ---- split ----------------------------------------------------------------------------------- */

typedef struct nn__op_split {
    const int *sizes;
    int count, axis;
} nn__op_split;

static bool nn__op_split_infer(nn__inference *inference) {
    const nn__op_split *p = (const nn__op_split *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    int64_t sum = 0;
    int32_t axis;
    if (!p->sizes || p->count < 1)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give `parts` and `sizes`, and how many there are"),
                               NN__TEXT("parts or sizes is NULL, or count is less than 1"));
    if (!nn__want_axis(inference->problem, "axis", x, p->axis, &axis)) return false;
    nn__format_shape(x, text, sizeof text);
    if (nn__is_symbolic(x.extent[axis]))
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("split along an axis whose extent is a number"),
                               NN__TEXT("axis %d of %s depends on the %s"), (int)axis, text,
                               nn__free_words(x.extent[axis]));
    for (int i = 0; i < p->count; i++) {
        if (p->sizes[i] < 1)
            return nn__refuse_argument(inference->problem, "sizes", p->sizes[i], "at least 1");
        sum += p->sizes[i];
    }
    if (sum == x.extent[axis]) return true;
    return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("give sizes that add up to the extent"),
                           NN__TEXT("the %d sizes add up to %lld, but axis %d of %s has %d"),
                           p->count, (long long)sum, (int)axis, text, (int)x.extent[axis]);
}
static const nn__rule nn__rule_split = NN__COMPOSED_RULE("split", nn__op_split_infer);

/* Returns elements [start, stop) of an axis. */
static nn_node *nn__op_piece(nn_site site, nn_model *net, nn_node *x, int axis, int start,
                             int stop) {
    nn_slice_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.axis = axis;
    desc.start = start;
    desc.stop = stop;
    return nn_slice_at(site, net, x, &desc);
}

NN_API nn_node *nn_split_at(nn_site site, nn_model *net, nn_node *x, nn_node **parts,
                            const int *sizes, int count, int axis) {
    nn__op_split p;
    int start = 0;
    p.sizes = parts ? sizes : NULL;
    p.count = parts && sizes ? count : 0;
    p.axis = axis;
    x = nn__build_unary(site, net, &nn__rule_split, NULL, x, &p, 0);
    for (int i = 0; i < p.count; i++) parts[i] = x;
    if (!x || x->poisoned) return x;
    for (int i = 0; i < count; start += sizes[i++])
        parts[i] = nn__op_piece(site, net, x, axis, start, start + sizes[i]);
    return parts[0];
}

/* ---- diff ------------------------------------------------------------------------------------ */

/* params: the axis, an int */
static bool nn__op_diff_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    int32_t axis;
    if (!nn__want_dtype(inference->problem, "diff", inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__want_axis(inference->problem, "axis", x, *(const int *)inference->params, &axis))
        return false;
    if (x.extent[axis] >= 2) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("give it an axis of two elements or more, as a number"),
                           NN__TEXT("axis %d of %s has fewer than two elements, or depends on "
                                    "the batch or the time"),
                           (int)axis, nn__format_shape(x, text, sizeof text));
}
static const nn__rule nn__rule_diff = NN__COMPOSED_RULE("diff", nn__op_diff_infer);

NN_API nn_node *nn_diff_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    x = nn__build_unary(site, net, &nn__rule_diff, NULL, x, &axis, 0);
    if (!x || x->poisoned) return x;
    const int extent = x->shape.extent[axis < 0 ? axis + x->shape.rank : axis];
    return nn_subtract_at(site, net, nn__op_piece(site, net, x, axis, 1, extent),
                          nn__op_piece(site, net, x, axis, 0, extent - 1));
}

/* ---- outer ----------------------------------------------------------------------------------- */

static bool nn__op_outer_infer(nn__inference *inference) {
    char text[NN__SHAPE_TEXT];
    for (int i = 0; i < 2; i++) {
        const nn__type *x = &inference->inputs[i];
        if (!nn__want_dtype(inference->problem, "outer", inference->roles[i], x->dtype, NN_F32))
            return false;
        if (x->shape.rank != 1)
            return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                                   NN__TEXT("nn_reshape it; nn_einsum multiplies other shapes"),
                                   NN__TEXT("%s is %s; wanted one axis"), inference->roles[i],
                                   nn__format_shape(x->shape, text, sizeof text));
    }
    nn_shape y = inference->inputs[0].shape;
    y.extent[y.rank++] = inference->inputs[1].shape.extent[0];
    return nn__want_one_batch(inference->problem, y, inference->inputs[0].shape,
                              inference->inputs[1].shape);
}
static const nn__rule nn__rule_outer = NN__COMPOSED_RULE("outer", nn__op_outer_infer);

NN_API nn_node *nn_outer_at(nn_site site, nn_model *net, nn_node *a, nn_node *b) {
    static const char *const roles[] = {"a", "b"};
    nn_node *inputs[2] = {a, b}, *x;
    x = nn__build(site, net, &nn__rule_outer, NULL, NULL, inputs, roles, 2, NULL, 0);
    if (!x || x->poisoned) return x;
    nn_shape column = a->shape;
    column.extent[column.rank++] = 1;
    return nn_multiply_at(site, net, nn_reshape_at(site, net, a, column), b);
}

/* ---- triangles ------------------------------------------------------------------------------- */

static bool nn__op_triangle_infer(nn__inference *inference) {
    const nn__type *x = inference->inputs;
    char text[NN__SHAPE_TEXT];
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0], x->dtype,
                        NN_F32))
        return false;
    if (x->shape.rank >= 2) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("nn_reshape it to this shape"),
                           NN__TEXT("%s is %s; wanted at least two axes"), inference->roles[0],
                           nn__format_shape(x->shape, text, sizeof text));
}
static const nn__rule nn__rule_tril = NN__COMPOSED_RULE("tril", nn__op_triangle_infer);
static const nn__rule nn__rule_triu = NN__COMPOSED_RULE("triu", nn__op_triangle_infer);

NN_PRIVATE nn_node *nn__op_counted_along(nn_site site, nn_model *net, nn_node *x, int axis) {
    const int other = axis == -1 ? -2 : -1;
    x = nn_detach_at(site, net, x);
    if (x->poisoned) return x;
    if (!nn__is_symbolic(x->shape.extent[x->shape.rank + other]))
        x = nn__op_piece(site, net, x, other, 0, 1);
    x = nn__add_text(site, net, "ones", "x: isnan(x) || x == x", x, NULL, NULL, NULL, NULL);
    return nn_cumsum_at(site, net, x, axis);
}

static nn_node *nn__op_triangle(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                const char *text, int diagonal) {
    const float numbers[3] = {(float)diagonal, 0.0f, 0.0f};
    x = nn__build_unary(site, net, rule, NULL, x, NULL, 0);
    if (!x || x->poisoned) return x;
    nn_node *rows = nn__op_counted_along(site, net, x, -2);
    return nn__add_text(site, net, rule->name, text, x, rows,
                        nn__op_counted_along(site, net, x, -1), NULL, numbers);
}

NN_API nn_node *nn_tril_at(nn_site site, nn_model *net, nn_node *x, int diagonal) {
    return nn__op_triangle(site, net, &nn__rule_tril, x, "x, r, c: c - r <= p ? x : 0", diagonal);
}
NN_API nn_node *nn_triu_at(nn_site site, nn_model *net, nn_node *x, int diagonal) {
    return nn__op_triangle(site, net, &nn__rule_triu, x, "x, r, c: c - r >= p ? x : 0", diagonal);
}
