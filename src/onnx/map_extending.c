/* onnx/map_extending.c - padding, repetition, and blocks of images that become channels. */
#include "onnx/map_tools.h"

/* Reads the amounts before and after each axis: an attribute before opset 11, with axes from 18 on.
   False: refused. */
static bool nn__onnx_amounts(nn__onnx_node *n, int rank, int32_t *before, int32_t *after) {
    int32_t amounts[2 * NN_MAX_RANK], axes[NN_MAX_RANK];
    const int found = n->opset < 11 ? nn__onnx_ints(n, "pads", amounts, 2 * NN_MAX_RANK)
                                    : nn__onnx_wholes(n, 1, "pads", amounts, 2 * NN_MAX_RANK);
    int count = -1;
    if (n->refused) return false;
    if (nn__onnx_has(n, 3)) count = nn__onnx_axes_of(n, 3, rank, axes);
    if (n->refused) return false;
    if (count < 0)
        for (count = 0; count < rank; count++) axes[count] = count;
    if (found != 2 * count)
        return nn__onnx_refuse(n, NULL, "its pads does not have two numbers for each axis");
    memset(before, 0, NN_MAX_RANK * sizeof *before);
    memset(after, 0, NN_MAX_RANK * sizeof *after);
    for (int i = 0; i < count; i++) {
        before[axes[i]] = amounts[i];
        after[axes[i]] = amounts[i + count];
    }
    return true;
}

static void nn__onnx_map_pad(nn__onnx_node *n) {
    const char *word = nn__onnx_string(n, "mode", "constant");
    const bool constant = strcmp(word, "constant") == 0;
    const nn_padding_mode mode = strcmp(word, "reflect") == 0 ? NN_PADDING_REFLECT
                                 : strcmp(word, "edge") == 0  ? NN_PADDING_REPLICATE
                                 : strcmp(word, "wrap") == 0  ? NN_PADDING_CIRCULAR
                                                              : NN_PADDING_ZEROS;
    int32_t before[NN_MAX_RANK], after[NN_MAX_RANK];
    double value = n->opset < 11 ? nn__onnx_float(n, "value", 0) : 0;
    if (!constant && mode == NN_PADDING_ZEROS) {
        nn__onnx_refuse(n, NULL, "its mode %q is unknown", word);
        return;
    }
    if (!nn__onnx_amounts(n, nn__onnx_shape(n, 0).rank, before, after)) return;
    if (constant && n->opset >= 11 && nn__onnx_has(n, 2)) {
        if (!nn__onnx_numbers(n, 2, "constant_value")) return;
        nn__onnx_scalar(n, 2, &value);
    }
    nn__onnx_give(n, 0,
                  nn__onnx_padded(n, nn__onnx_raw(n, 0), before, after, constant ? value : 0, mode),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_center_crop_pad(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    int32_t wanted[NN_MAX_RANK], axes[NN_MAX_RANK], before[NN_MAX_RANK], after[NN_MAX_RANK];
    const int count = nn__onnx_wholes(n, 1, "shape", wanted, NN_MAX_RANK);
    int listed;
    if (count < 0) return;
    listed = nn__onnx_axes_of(n, -1, shape.rank, axes);
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    if (listed < 0)
        for (int i = 0; i < NN_MAX_RANK; i++) axes[i] = i;
    for (int i = 0; i < count && !n->refused; i++) {
        const int axis = axes[i];
        const bool fits = axis < shape.rank && shape.extent[axis] > 0 && wanted[i] > 0;
        const int32_t more = fits ? wanted[i] - shape.extent[axis] : 0;
        if (!fits || (listed >= 0 && listed != count)) {
            nn__onnx_refuse(n, "give free extents numbers in .extents",
                            "the shape that it pads or crops to does not fit its axes");
            return;
        }
        before[axis] = more > 0 ? more / 2 : -(-more / 2);
        after[axis] = more - before[axis];
    }
    nn__onnx_give(n, 0, nn__onnx_padded(n, nn__onnx_raw(n, 0), before, after, 0, NN_PADDING_ZEROS),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_tile(nn__onnx_node *n) {
    nn_shape times;
    bool repeats = false;
    memset(&times, 0, sizeof times);
    times.rank = nn__onnx_wholes(n, 1, "repeats", times.extent, NN_MAX_RANK);
    if (times.rank < 0) return;
    for (int i = 0; i < times.rank; i++) repeats = repeats || times.extent[i] != 1;
    if (repeats)
        nn__onnx_give(n, 0, nn_repeat_at(n->site, n->net, nn__onnx_raw(n, 0), times),
                      nn__onnx_dtype(n, 0));
    else
        nn__onnx_pass(n, 0, 0);
}

/* Expand: x and the given shape are broadcast to each other. */
static void nn__onnx_map_expand(nn__onnx_node *n) {
    const nn_shape from = nn__onnx_shape(n, 0);
    int32_t to[NN_MAX_RANK];
    bool plain[NN_MAX_RANK];
    const int count = nn__onnx_extents(n, 1, "shape", to, plain, NN_MAX_RANK);
    nn_shape shape;
    if (count < 0) return;
    memset(&shape, 0, sizeof shape);
    shape.rank = count > from.rank ? count : from.rank;
    for (int i = 0; i < shape.rank; i++) {
        const int k = i - (shape.rank - count), j = i - (shape.rank - from.rank);
        const int32_t x = j < 0 ? 1 : from.extent[j], y = k < 0 ? 1 : to[k];
        shape.extent[i] = y == 1 ? x : y;
        if (k >= 0 && plain[k] && y < 1) {
            nn__onnx_refuse(n, NULL, "extent %d of its new shape is %d", (int64_t)k, (int64_t)y);
            return;
        }
    }
    if (nn_same_shape(shape, from))
        nn__onnx_pass(n, 0, 0);
    else
        nn__onnx_give(n, 0, nn_expand_at(n->site, n->net, nn__onnx_x(n, 0), shape),
                      nn__onnx_dtype(n, 0));
}

/* ---- blocks and channels --------------------------------------------------------------------- */

static nn_shape nn__onnx_six(const int32_t *extents) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 6;
    memcpy(shape.extent, extents, 6 * sizeof *extents);
    return shape;
}

/* Checks what both operators need. Returns the block; 0: refused. */
static int32_t nn__onnx_block_of(nn__onnx_node *n, const nn_shape *shape, int first, int end,
                                 bool squared) {
    const int64_t block = nn__onnx_int(n, "blocksize", 0);
    if (shape->rank != 4 || block < 1 || block > 1024) {
        nn__onnx_refuse(
            n, NULL,
            "its operand does not have four axes, or its blocksize is not a number from 1 to 1024");
        return 0;
    }
    for (int i = first; i < end; i++)
        if (shape->extent[i] < 0 || shape->extent[i] % (squared ? block * block : block) != 0) {
            nn__onnx_refuse(n, "give free extents numbers in .extents",
                            "the extent of axis %d does not divide into blocks", (int64_t)i);
            return 0;
        }
    return (int32_t)block;
}

static void nn__onnx_map_depth_to_space(nn__onnx_node *n) {
    static const int order[] = {0, 3, 4, 1, 5, 2};
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int32_t block = nn__onnx_block_of(n, &shape, 1, 2, true);
    nn_shape result = shape;
    nn_axes axes;
    nn_node *x = nn__onnx_raw(n, 0);
    if (block == 0) return;
    if (nn__onnx_is(n, "mode", "DCR", "CRD")) {
        nn__onnx_give(n, 0, nn_pixel_shuffle_at(n->site, n->net, x, block), nn__onnx_dtype(n, 0));
        return;
    }
    memset(&axes, 0, sizeof axes);
    axes.count = 6;
    memcpy(axes.axis, order, sizeof order);
    {
        const int32_t split[] = {shape.extent[0], block,
                                 block,           shape.extent[1] / (block * block),
                                 shape.extent[2], shape.extent[3]};
        x = nn_reshape_at(n->site, n->net, x, nn__onnx_six(split));
    }
    result.extent[1] /= block * block;
    result.extent[2] = nn_multiply_extents(shape.extent[2], block);
    result.extent[3] = nn_multiply_extents(shape.extent[3], block);
    x = nn_permute_at(n->site, n->net, x, axes);
    nn__onnx_give(n, 0, nn_reshape_at(n->site, n->net, x, result), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_space_to_depth(nn__onnx_node *n) {
    static const int order[] = {0, 3, 5, 1, 2, 4};
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int32_t block = nn__onnx_block_of(n, &shape, 2, 4, false);
    nn_shape result = shape;
    nn_axes axes;
    nn_node *x = nn__onnx_raw(n, 0);
    if (block == 0) return;
    if (nn__onnx_is(n, "mode", "DCR", "CRD")) {
        nn__onnx_give(n, 0, nn_pixel_unshuffle_at(n->site, n->net, x, block), nn__onnx_dtype(n, 0));
        return;
    }
    memset(&axes, 0, sizeof axes);
    axes.count = 6;
    memcpy(axes.axis, order, sizeof order);
    {
        const int32_t split[] = {shape.extent[0], shape.extent[1],         shape.extent[2] / block,
                                 block,           shape.extent[3] / block, block};
        x = nn_reshape_at(n->site, n->net, x, nn__onnx_six(split));
    }
    result.extent[1] = nn_multiply_extents(shape.extent[1], block * block);
    result.extent[2] /= block;
    result.extent[3] /= block;
    x = nn_permute_at(n->site, n->net, x, axes);
    nn__onnx_give(n, 0, nn_reshape_at(n->site, n->net, x, result), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_extending(void) {
    static const nn__onnx_operator lines[] = {
        {"", "CenterCropPad", 18, 0, nn__onnx_map_center_crop_pad, NULL},
        {"", "DepthToSpace", 1, 0, nn__onnx_map_depth_to_space, NULL},
        {"", "Expand", 8, 0, nn__onnx_map_expand, NULL},
        {"", "Pad", 2, 0, nn__onnx_map_pad, NULL},
        {"", "SpaceToDepth", 1, 0, nn__onnx_map_space_to_depth, NULL},
        {"", "Tile", 6, 0, nn__onnx_map_tile, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
