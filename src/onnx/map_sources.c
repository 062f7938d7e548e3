/* onnx/map_sources.c - values that come from shapes alone, but with free extents: ConstantOfShape
   and Range. */
#include "onnx/mapping.h"

/* Describes a value of this shape that has one number in every place. */
static nn_node *nn__onnx_filled(nn__onnx_node *n, double number, nn_shape shape) {
    const float one = (float)number;
    nn_shape single;
    memset(&single, 0, sizeof single);
    return nn_expand_at(n->site, n->net, nn__onnx_constant(n, &one, single), shape);
}

static void nn__onnx_map_constant_of_shape(nn__onnx_node *n) {
    const nn__onnx_attribute *value = nn__onnx_attribute_of(n, "value");
    const nn__onnx_tensor *one = value ? value->tensor : NULL;
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = nn__onnx_extents(n, 0, "input", shape.extent, NULL, NN_MAX_RANK);
    if (shape.rank < 0) return;
    if (one && (one->count != 1 || !one->data)) {
        nn__onnx_refuse(n, NULL, "its value is not a single number");
        return;
    }
    nn__onnx_give(n, 0, nn__onnx_filled(n, one ? nn__onnx_real(one, 0) : 0, shape),
                  one ? one->dtype : NN__ONNX_FLOAT);
}

/* Returns 0, 1 ... up to a free extent as running sums of ones. They are exact below 2^24. */
static void nn__onnx_map_range(nn__onnx_node *n) {
    const nn__onnx_tensor *limit = nn__onnx_numbers(n, 1, "limit");
    double start = 0, delta = 1;
    nn_shape shape;
    nn_node *y;
    memset(&shape, 0, sizeof shape);
    if (!limit) return;
    if (!nn__onnx_scalar(n, 0, &start) || !nn__onnx_scalar(n, 2, &delta) || delta != 1 ||
        start != 0 || limit->count != 1) {
        nn__onnx_refuse(
            n, "give the free extent a number in .extents",
            "its range depends on a free extent but does not go from 0 to it in steps of 1");
        return;
    }
    shape.rank = 1;
    shape.extent[0] = nn__onnx_join_extent(nn__onnx_whole(limit, 0), nn__onnx_power(limit, 0));
    y = nn_cumsum_at(n->site, n->net, nn__onnx_filled(n, 1, shape), 0);
    nn__onnx_give(n, 0, nn_add_at(n->site, n->net, y, nn__onnx_filled(n, -1, shape)),
                  nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_sources(void) {
    static const nn__onnx_operator lines[] = {
        {"", "ConstantOfShape", 9, 0, nn__onnx_map_constant_of_shape, NULL},
        {"", "Range", 11, 0, nn__onnx_map_range, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
