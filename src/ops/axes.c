/* ops/axes.c - the axes that a call names, checked against the shape of its input. */
#include "ops/private.h"

NN_PRIVATE bool nn__op_axes(nn_shape x, const nn_axes *axes, uint32_t *bits, nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    *bits = axes->count == 0 ? (1u << x.rank) - 1u : 0;
    if (axes->count < 0 || axes->count > NN_MAX_RANK)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use NN_AXES"),
                               NN__TEXT("axes.count is %d; at most %d"), axes->count, NN_MAX_RANK);
    for (int i = 0; i < axes->count; i++) {
        const int axis = axes->axis[i], at = axis < 0 ? axis + x.rank : axis;
        if (at < 0 || at >= x.rank)
            return nn__problem_set(
                problem, NN_ERROR_ARGUMENT,
                NN__TEXT("NN_AXES counts from 0, or back from -1, the last; NN_ALL_AXES: all"),
                NN__TEXT("there is no axis %d: the input %s has %d axes"), axis,
                nn__format_shape(x, text, sizeof text), (int)x.rank);
        if (*bits >> at & 1u)
            return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("name each axis once"),
                                   NN__TEXT("axis %d is given twice"), axis);
        *bits |= 1u << at;
    }
    return true;
}

NN_PRIVATE bool nn__want_axis(nn__problem *problem, const char *field, nn_shape x, int axis,
                              int32_t *found) {
    char text[NN__SHAPE_TEXT];
    *found = axis < 0 ? axis + x.rank : axis;
    if (*found >= 0 && *found < x.rank) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("axes count from 0, negative ones from the end"),
                           NN__TEXT("%s is %d, but the input %s has %d axes"), field, axis,
                           nn__format_shape(x, text, sizeof text), (int)x.rank);
}
