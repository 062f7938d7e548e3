/* ops/similarity.c - cosine similarity: vectors are divided by their norms, multiplied and
   summed. */
#include "ops/similarity.h"
#include "ops/private.h"
#include "ops/table.h"

/* params: an int, an axis of the broadcast shape, which the result lacks */
static bool nn__op_cosine_infer(nn__inference *inference) {
    const nn_shape a = inference->inputs[0].shape, b = inference->inputs[1].shape;
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    nn__problem *problem = inference->problem;
    int32_t axis;
    nn_shape y;
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32))
            return false;
    nn__format_shape(a, one, sizeof one);
    nn__format_shape(b, other, sizeof other);
    if (!nn__broadcast_shapes(a, b, &y))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("make extents equal, or one of them 1"),
                               NN__TEXT("a is %s and b is %s, which do not fit each other"), one,
                               other);
    if (!nn__want_axis(problem, "axis", y, *(const int *)inference->params, &axis)) return false;
    const int a_axis = axis - (y.rank - a.rank), b_axis = axis - (y.rank - b.rank);
    if (a_axis >= 0 && b_axis >= 0 && a.extent[a_axis] == b.extent[b_axis])
        return nn__want_one_batch(problem, y, a, b);
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("give vectors of one length"),
                           NN__TEXT("a is %s and b is %s; along axis %d of the result they must be "
                                    "equally long"),
                           one, other, (int)axis);
}
static const nn__rule nn__rule_cosine =
    NN__COMPOSED_RULE("cosine_similarity", nn__op_cosine_infer);

/* Returns x divided by the norm of its vectors. */
static nn_node *nn__op_directions(nn_site site, nn_model *net, nn_node *x, nn_axes axes) {
    nn_node *length = nn_reduce_at(site, net, NN_NORM, x, axes, true);
    length = nn_clamp_min_at(site, net, length, 1e-8f);
    return nn_divide_at(site, net, x, length);
}

NN_API nn_node *nn_cosine_similarity_at(nn_site site, nn_model *net, nn_node *a, nn_node *b,
                                        int axis) {
    static const char *const roles[] = {"a", "b"};
    nn_node *inputs[2] = {a, b}, *node;
    nn_axes axes;
    node = nn__build(site, net, &nn__rule_cosine, NULL, NULL, inputs, roles, 2, &axis, 0);
    if (!node || node->poisoned) return node;
    memset(&axes, 0, sizeof axes);
    axes.count = 1; /* from the end, where broadcasting aligns the axes */
    axes.axis[0] = axis < 0 ? axis : axis - nn__maxi(a->shape.rank, b->shape.rank);
    node = nn_multiply_at(site, net, nn__op_directions(site, net, a, axes),
                          nn__op_directions(site, net, b, axes));
    return nn_reduce_at(site, net, NN_SUM, node, axes, false);
}
