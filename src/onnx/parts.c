/* onnx/parts.c - functions that the mappings of several layers use. */
#include "onnx/parts.h"

NN__ONNX_PRIVATE nn_node *nn__onnx_trained(nn__onnx_node *n, int i, const char *layer,
                                           const char *part) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    nn__onnx_value *value = nn__onnx_has(n, i) ? n->operands[i] : NULL;
    if (!known || value->as_f32 || !nn__onnx_is_float(known->dtype)) return nn__onnx_x(n, i);
    value->as_f32 = nn__onnx_parameter(n, layer, part, known);
    return value->as_f32;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_ordered(nn__onnx_node *n, nn_node *x, const int *order,
                                           int rank) {
    nn_axes axes;
    bool moved = false;
    memset(&axes, 0, sizeof axes);
    axes.count = rank;
    for (int i = 0; i < rank; i++) {
        axes.axis[i] = order[i];
        moved = moved || order[i] != i;
    }
    return moved ? nn_permute_at(n->site, n->net, x, axes) : x;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_shaped(nn__onnx_node *n, nn_node *x, int rank,
                                          const int32_t *extents) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    for (int i = 0; i < rank; i++) shape.extent[i] = extents[i];
    return nn__onnx_reshaped(n, x, shape);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_channels(nn__onnx_node *n, nn_node *vector, int rank, int axis) {
    const nn_shape from = nn_node_shape(vector);
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    for (int i = 0; i < rank; i++) shape.extent[i] = 1;
    if (axis < rank && from.rank > 0) shape.extent[axis] = from.extent[from.rank - 1];
    return from.rank == 0 ? vector : nn__onnx_reshaped(n, vector, shape);
}
