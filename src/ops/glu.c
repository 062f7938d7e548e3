/* ops/glu.c - a gated linear unit: two slices and an expression. */
#include "ops/glu.h"
#include "ops/arrange.h"
#include "ops/private.h"

/* params: the axis, an int */
static bool nn__op_glu_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    int32_t axis;
    if (!nn__want_dtype(inference->problem, "glu", inference->roles[0], inference->inputs[0].dtype,
                        NN_F32) ||
        !nn__want_axis(inference->problem, "axis", x, *(const int *)inference->params, &axis))
        return false;
    if (!nn__is_symbolic(x.extent[axis]) && x.extent[axis] % 2 == 0) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("an axis whose extent is an even number"),
                           NN__TEXT("axis %d of %s has no two halves"), (int)axis,
                           nn__format_shape(x, text, sizeof text));
}
static const nn__rule nn__rule_glu = NN__COMPOSED_RULE("glu", nn__op_glu_infer);

NN_API nn_node *nn_glu_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    nn_node *parts[2];
    x = nn__build_unary(site, net, &nn__rule_glu, NULL, x, &axis, 0);
    if (!x || x->poisoned) return x;
    nn_chunk_at(site, net, x, parts, 2, axis);
    return nn__add_text(site, net, "glu", "a, b: a * sigmoid(b)", parts[0], parts[1], NULL, NULL,
                        NULL);
}
