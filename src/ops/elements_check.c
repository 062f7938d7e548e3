/* ops/elements_check.c - what gather, scatter and one_hot ask of their inputs. */
#include "ops/elements_private.h"

/* Checks that the index is no longer than input `other` along every axis but this one. */
static bool nn__op_elements_fit(nn__inference *inference, int other, int axis) {
    const nn_shape x = inference->inputs[other].shape, index = inference->inputs[1].shape;
    char one[NN__SHAPE_TEXT], two[NN__SHAPE_TEXT];
    nn__format_shape(index, one, sizeof one);
    nn__format_shape(x, two, sizeof two);
    if (x.rank != index.rank)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape one of them; nn_index_select takes whole rows"),
                               NN__TEXT("index %s has %d axes, but %s %s has %d"), one,
                               (int)index.rank, inference->roles[other], two, (int)x.rank);
    for (int i = 0; i < x.rank; i++) {
        const int32_t own = index.extent[i], all = x.extent[i];
        if (i == axis || own == all || own == 1) continue;
        if (!nn__is_symbolic(own) && !nn__is_symbolic(all) && own < all) continue;
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_slice or nn_reshape the index"),
                               NN__TEXT("axis %d of index %s must be at most that of %s %s"), i,
                               one, inference->roles[other], two);
    }
    return true;
}

static bool nn__op_elements_axis(nn__inference *inference, int32_t *axis) {
    const nn__op_elements_params *params = (const nn__op_elements_params *)inference->params;
    return nn__want_dtype(inference->problem, inference->operation, "index",
                          inference->inputs[1].dtype, NN_I32) &&
           nn__want_axis(inference->problem, "axis", inference->inputs[0].shape, params->axis,
                         axis) &&
           nn__op_elements_fit(inference, 0, *axis);
}

NN_PRIVATE bool nn__op_gather_infer(nn__inference *inference) {
    int32_t axis;
    inference->outputs[0].dtype = inference->inputs[0].dtype;
    inference->outputs[0].shape = inference->inputs[1].shape;
    return nn__op_elements_axis(inference, &axis);
}

/* inputs: x, index, and src unless a number is scattered */
NN_PRIVATE bool nn__op_scatter_infer(nn__inference *inference) {
    int32_t axis;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = inference->inputs[0].shape;
    for (int i = 0; i < inference->input_count; i++)
        if (i != 1 && !nn__want_dtype(inference->problem, inference->operation,
                                      inference->roles[i], inference->inputs[i].dtype, NN_F32))
            return false;
    if (!nn__op_elements_axis(inference, &axis)) return false;
    return inference->input_count < 3 ||
           nn__want_role_shape(inference->problem, "src", inference->inputs[1].shape,
                               inference->inputs[2].shape);
}

NN_PRIVATE bool nn__op_scatter_reduce_infer(nn__inference *inference) {
    const nn_reduction reduction =
        ((const nn__op_elements_params *)inference->params)->reduction;
    if (reduction != NN_PROD && reduction != NN_MAX && reduction != NN_MIN)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give one of these four"),
                               NN__TEXT("reduction is %d; it must be NN_SUM, NN_PROD, NN_MAX or "
                                        "NN_MIN"),
                               (int)reduction);
    return nn__op_scatter_infer(inference);
}

NN_PRIVATE bool nn__op_one_hot_infer(nn__inference *inference) {
    const int32_t classes = ((const nn__op_elements_params *)inference->params)->classes;
    nn_shape y = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    if (!nn__want_dtype(inference->problem, "one_hot", inference->roles[0],
                        inference->inputs[0].dtype, NN_I32))
        return false;
    if (classes < 1)
        return nn__refuse_argument(inference->problem, "num_classes", classes, "at least 1");
    if (y.rank == NN_MAX_RANK)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it first"),
                               NN__TEXT("%s %s has %d axes; there is no room for another"),
                               inference->roles[0], nn__format_shape(y, text, sizeof text),
                               (int)y.rank);
    y.extent[y.rank++] = classes;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = y;
    return true;
}
