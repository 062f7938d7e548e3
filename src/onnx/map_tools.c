/* onnx/map_tools.c - what several mappings need. */
#include "onnx/map_tools.h"

NN__ONNX_PRIVATE nn_node *nn__onnx_express(nn__onnx_node *n, const char *text, nn_node *a,
                                           nn_node *b, nn_node *c, double p, double q) {
    static const char *const names[] = {"p", "q"};
    const float numbers[] = {(float)p, (float)q};
    nn_expression_desc desc;
    nn_node *inputs[3];
    memset(&desc, 0, sizeof desc);
    desc.text = text;
    inputs[0] = a, inputs[1] = b, inputs[2] = c;
    desc.inputs.node = inputs;
    while (desc.inputs.count < 3 && inputs[desc.inputs.count]) desc.inputs.count++;
    desc.number_names.text = names;
    desc.numbers.number = numbers;
    desc.number_names.count = desc.numbers.count = 2;
    return nn_make_expression_at(n->site, n->net, &desc);
}

NN__ONNX_PRIVATE int nn__onnx_axes_of(nn__onnx_node *n, int operand, int rank, int32_t *to) {
    const int count = nn__onnx_has(n, operand)
                          ? nn__onnx_wholes(n, operand, "axes", to, NN_MAX_RANK)
                          : nn__onnx_ints(n, "axes", to, NN_MAX_RANK);
    if (n->refused) return -2;
    for (int i = 0; i < count; i++) {
        if (to[i] < -rank || to[i] >= rank) {
            nn__onnx_refuse(n, NULL, "its axis %d is out of range; its operand has %d axes",
                            (int64_t)to[i], (int64_t)rank);
            return -2;
        }
        if (to[i] < 0) to[i] += rank;
    }
    return count;
}

NN__ONNX_PRIVATE nn_axes nn__onnx_one_axis(int axis) {
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    axes.axis[axes.count++] = axis;
    return axes;
}

/* ---- extents --------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE nn__onnx_product nn__onnx_multiply_all(const nn_shape *shape, int first, int end) {
    nn__onnx_product product;
    product.number = 1;
    product.b = product.t = 0;
    for (int i = first; i < end; i++) {
        uint8_t powers;
        const int64_t number = nn__onnx_split_extent(shape->extent[i], &powers);
        if (powers & NN__ONNX_B) product.b++;
        if (powers & NN__ONNX_T) product.t++;
        product.number =
            number > 0 && product.number > INT64_MAX / number ? INT64_MAX : product.number * number;
    }
    return product;
}

NN__ONNX_PRIVATE int32_t nn__onnx_extent_of(nn__onnx_product product) {
    if (product.b < 0 || product.b > 1 || product.t < 0 || product.t > 1) return 0;
    return nn__onnx_join_extent(
        product.number, (uint8_t)((product.b ? NN__ONNX_B : 0) | (product.t ? NN__ONNX_T : 0)));
}

NN__ONNX_PRIVATE int32_t nn__onnx_joined(nn__onnx_node *n, const nn_shape *shape, int first,
                                         int end) {
    const int32_t extent = nn__onnx_extent_of(nn__onnx_multiply_all(shape, first, end));
    if (extent == 0)
        nn__onnx_refuse(n, "give a free extent a number in .extents",
                        "a product of extents is not a multiple of batch and time");
    return extent;
}

NN__ONNX_PRIVATE bool nn__onnx_no_free(nn__onnx_node *n, const nn_shape *shape) {
    for (int i = 0; i < shape->rank; i++) {
        if (shape->extent[i] < 0)
            return nn__onnx_refuse(n, "give it a number in .extents",
                                   "the extent of axis %d is free", (int64_t)i);
        if (shape->extent[i] == 0)
            return nn__onnx_refuse(n, NULL, "the extent of axis %d is 0", (int64_t)i);
    }
    return !n->refused;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE nn_node *nn__onnx_reshaped(nn__onnx_node *n, nn_node *x, nn_shape shape) {
    if (!x || n->refused) return x;
    if (nn_same_shape(nn_node_shape(x), shape)) return x;
    return nn_reshape_at(n->site, n->net, x, shape);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_cut(nn__onnx_node *n, nn_node *x, int axis, int start, int stop,
                                       int step) {
    nn_slice_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.axis = axis;
    desc.start = start;
    desc.stop = stop;
    desc.step = step;
    return nn_slice_at(n->site, n->net, x, &desc);
}

/* Describes nn_pad on the last two axes. */
static nn_node *nn__onnx_pad_two(nn__onnx_node *n, nn_node *x, const int32_t *before,
                                 const int32_t *after, int row, int column, double value,
                                 nn_padding_mode mode) {
    nn_pad_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.left = before[column];
    desc.right = after[column];
    if (row >= 0) {
        desc.top = before[row];
        desc.bottom = after[row];
    }
    desc.value = (float)value;
    desc.mode = mode;
    return nn_pad_at(n->site, n->net, x, &desc);
}

/* nn_pad pads only the last axes, so the other axes change places with them, two at a time. */
NN__ONNX_PRIVATE nn_node *nn__onnx_padded(nn__onnx_node *n, nn_node *x, const int32_t *before,
                                          const int32_t *after, double value,
                                          nn_padding_mode mode) {
    const int rank = x ? nn_node_shape(x).rank : 0;
    int touched[NN_MAX_RANK], count = 0;
    for (int i = 0; i < rank; i++)
        if (before[i] != 0 || after[i] != 0) touched[count++] = i;
    while (count > 0) {
        const int column = touched[--count], row = count > 0 ? touched[--count] : -1;
        nn_axes order, back;
        bool moved = false;
        memset(&order, 0, sizeof order);
        memset(&back, 0, sizeof back);
        for (int i = 0; i < rank; i++)
            if (i != row && i != column) order.axis[order.count++] = i;
        if (row >= 0) order.axis[order.count++] = row;
        order.axis[order.count++] = column;
        back.count = rank;
        for (int i = 0; i < rank; i++) {
            back.axis[order.axis[i]] = i;
            moved = moved || order.axis[i] != i;
        }
        if (moved) x = nn_permute_at(n->site, n->net, x, order);
        x = nn__onnx_pad_two(n, x, before, after, row, column, value, mode);
        if (moved) x = nn_permute_at(n->site, n->net, x, back);
    }
    return x;
}

/* ---- indices --------------------------------------------------------------------------------- */

/* Returns known indices with the negative ones counted from the start. NULL: refused, or no
   memory. */
static const nn__onnx_tensor *nn__onnx_from_start(nn__onnx_node *n, const nn__onnx_tensor *index,
                                                  int32_t extent) {
    unsigned char *data;
    nn__onnx_tensor *made;
    bool negative = false;
    if (index->count > NN__ONNX_FOLDED / 4) {
        nn__onnx_refuse(n, NULL, "it has too many indices, %d", (int64_t)index->count);
        return NULL;
    }
    for (uint64_t i = 0; i < index->count; i++) {
        const int64_t number = nn__onnx_whole(index, i);
        negative = negative || number < 0;
        if (extent >= 0 && (number < -(int64_t)extent || number >= extent)) {
            nn__onnx_refuse(n, NULL, "its index %d is out of range; the axis has %d elements",
                            number, (int64_t)extent);
            return NULL;
        }
    }
    if (!negative) return index;
    if (extent < 0) {
        nn__onnx_refuse(n, "give it a number in .extents",
                        "an index is negative, and the extent that it counts back from is free");
        return NULL;
    }
    made = nn__onnx_new(n, NN__ONNX_INT32, index->rank, index->extent, &data);
    if (!made) return NULL;
    made->name = index->name;
    for (uint64_t i = 0; i < index->count; i++) {
        const int64_t number = nn__onnx_whole(index, i);
        nn__onnx_put_whole(data, NN__ONNX_INT32, i, number < 0 ? number + extent : number);
    }
    return made;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_counted(nn__onnx_node *n, int i, int32_t extent) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    nn_node *y;
    if (known && !known->powers && known->data) {
        const nn__onnx_tensor *index = nn__onnx_from_start(n, known, extent);
        if (!index) return NULL;
        return index == known ? nn__onnx_index(n, i) : nn__onnx_constant_of(n, index, NN_I32);
    }
    if (extent < 0) return nn__onnx_index(n, i);
    y = nn__onnx_express(n, "i: i < 0 ? i + p : i", nn__onnx_x(n, i), NULL, NULL, extent, 0);
    return nn_cast_at(n->site, n->net, y, NN_I32);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_numbered(nn__onnx_node *n, int32_t count, nn_shape shape) {
    float *numbers = (float *)nn__onnx_scratch(n, (uint64_t)count * sizeof *numbers);
    if (!numbers) return NULL;
    for (int32_t i = 0; i < count; i++) numbers[i] = (float)i;
    return nn__onnx_constant(n, numbers, shape);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_number_node(nn__onnx_node *n, double number) {
    const float one = (float)number;
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    return nn__onnx_constant(n, &one, shape);
}
