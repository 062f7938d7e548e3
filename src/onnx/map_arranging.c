/* onnx/map_arranging.c - the same numbers in other places: reshapes, joins, slices. */
#include "onnx/map_tools.h"

static void nn__onnx_map_transpose(nn__onnx_node *n) {
    const int rank = nn__onnx_rank(n, 0);
    int32_t given[NN_MAX_RANK];
    int order[NN_MAX_RANK];
    const int count = nn__onnx_ints(n, "perm", given, NN_MAX_RANK);
    const nn__onnx_arranged *arranged = NULL;
    nn_node *node;
    if (count >= 0 && count != rank) {
        nn__onnx_refuse(n, NULL, "its perm has %d axes, but its operand has %d", (int64_t)count,
                        (int64_t)rank);
        return;
    }
    for (int i = 0; i < rank && i < NN_MAX_RANK; i++)
        order[i] = count < 0 ? rank - 1 - i : (int)given[i];
    node = rank < 2 ? nn__onnx_raw(n, 0) : nn__onnx_permuted(n, 0, order, &arranged);
    nn__onnx_give(n, 0, node, nn__onnx_dtype(n, 0));
    nn__onnx_give_arranged(n, 0, arranged);
}

/* ---- reshapes -------------------------------------------------------------------------------- */

/* 0 keeps an extent, unless allowzero is set. -1 stands for the rest. */
static void nn__onnx_map_reshape(nn__onnx_node *n) {
    const nn_shape from = nn__onnx_shape(n, 0);
    const bool keeps = nn__onnx_int(n, "allowzero", 0) == 0;
    nn__onnx_product all = nn__onnx_multiply_all(&from, 0, from.rank), rest;
    nn_shape shape;
    bool plain[NN_MAX_RANK];
    int open = -1;
    memset(&shape, 0, sizeof shape);
    shape.rank = nn__onnx_extents(n, 1, "shape", shape.extent, plain, NN_MAX_RANK);
    if (shape.rank < 0) return;
    for (int i = 0; i < shape.rank; i++) {
        if (plain[i] && shape.extent[i] == 0 && keeps && i < from.rank)
            shape.extent[i] = from.extent[i];
        else if (plain[i] && shape.extent[i] == -1 && open < 0)
            open = i;
        else if (plain[i] && shape.extent[i] < 1) {
            nn__onnx_refuse(n, NULL, "extent %d of its new shape is %d", (int64_t)i,
                            (int64_t)shape.extent[i]);
            return;
        }
    }
    if (open >= 0) {
        shape.extent[open] = 1;
        rest = nn__onnx_multiply_all(&shape, 0, shape.rank);
        if (rest.number < 1 || all.number % rest.number != 0) {
            nn__onnx_refuse(n, NULL,
                            "%d elements cannot be reshaped: they are not a multiple of %d",
                            all.number, rest.number);
            return;
        }
        all.number /= rest.number;
        all.b -= rest.b;
        all.t -= rest.t;
        shape.extent[open] = nn__onnx_extent_of(all);
        if (shape.extent[open] == 0) {
            nn__onnx_refuse(n, "give free extents numbers in .extents",
                            "the extent for its -1 is not a multiple of batch and time");
            return;
        }
    }
    nn__onnx_give_reshaped(n, shape);
}

static void nn__onnx_map_flatten(nn__onnx_node *n) {
    const nn_shape from = nn__onnx_shape(n, 0);
    int64_t axis = nn__onnx_int(n, "axis", 1);
    nn_shape shape;
    if (axis < 0) axis += from.rank;
    if (axis < 0 || axis > from.rank) {
        nn__onnx_refuse(n, NULL, "its axis is out of range; its operand has %d axes",
                        (int64_t)from.rank);
        return;
    }
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = nn__onnx_joined(n, &from, 0, (int)axis);
    shape.extent[1] = nn__onnx_joined(n, &from, (int)axis, from.rank);
    if (!n->refused) nn__onnx_give_reshaped(n, shape);
}

/* Before opset 13 the axes are an attribute. */
static void nn__onnx_map_squeeze(nn__onnx_node *n) {
    const nn_shape from = nn__onnx_shape(n, 0);
    int32_t axes[NN_MAX_RANK];
    const int count = nn__onnx_axes_of(n, 1, from.rank, axes);
    nn_shape shape;
    if (count == -2) return;
    memset(&shape, 0, sizeof shape);
    for (int i = 0; i < from.rank; i++) {
        bool removed = count < 0 && from.extent[i] == 1;
        for (int k = 0; k < count; k++) removed = removed || axes[k] == i;
        if (removed && from.extent[i] != 1) {
            nn__onnx_refuse(n, "give a free extent its number in .extents",
                            "the extent of axis %d, which it removes, is not 1", (int64_t)i);
            return;
        }
        if (!removed) shape.extent[shape.rank++] = from.extent[i];
    }
    nn__onnx_give_reshaped(n, shape);
}

static void nn__onnx_map_unsqueeze(nn__onnx_node *n) {
    const nn_shape from = nn__onnx_shape(n, 0);
    int32_t axes[NN_MAX_RANK];
    const int more = nn__onnx_has(n, 1) ? nn__onnx_wholes(n, 1, "axes", axes, NN_MAX_RANK)
                                        : nn__onnx_ints(n, "axes", axes, NN_MAX_RANK);
    const int rank = from.rank + (more > 0 ? more : 0);
    const int count = nn__onnx_axes_of(n, 1, rank, axes);
    nn_shape shape;
    int next = 0;
    if (count < 0 || rank > NN_MAX_RANK) {
        nn__onnx_refuse(n, NULL, count < 0 ? "it has no axes" : "its output has too many axes");
        return;
    }
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    for (int i = 0; i < count; i++) shape.extent[axes[i]] = 1;
    for (int i = 0; i < rank; i++)
        if (shape.extent[i] == 0 && next < from.rank) shape.extent[i] = from.extent[next++];
    nn__onnx_give_reshaped(n, shape);
}

/* ---- joins ----------------------------------------------------------------------------------- */

/* Operands without elements are left out. The others are joined as they are if they have one dtype,
   else as f32. */
static void nn__onnx_map_concat(nn__onnx_node *n) {
    const int axis = nn__onnx_axis(n, 1, nn__onnx_rank(n, 0));
    nn_node **list = (nn_node **)nn__onnx_scratch(n, (uint64_t)n->operand_count * sizeof *list);
    nn_dtype dtype = NN_DTYPE_DEFAULT;
    bool same = true;
    nn_nodes nodes;
    if (axis < 0 || !list) return;
    for (int i = 0; i < n->operand_count && !n->refused; i++) {
        const nn__onnx_value *value = n->operands[i];
        if (!value || value->known) continue;
        if (dtype == NN_DTYPE_DEFAULT) dtype = nn_node_dtype(value->node);
        same = same && nn_node_dtype(value->node) == dtype;
    }
    same = same && (dtype == NN_F32 || dtype == NN_I32);
    nodes.count = 0;
    for (int i = 0; i < n->operand_count && !n->refused; i++) {
        if (!nn__onnx_has(n, i)) continue;
        if (nn__onnx_known(n, i) && nn__onnx_known(n, i)->count == 0) continue;
        list[nodes.count++] = same && dtype == NN_I32 ? nn__onnx_index(n, i) : nn__onnx_x(n, i);
    }
    nodes.node = list;
    if (nodes.count == 0)
        nn__onnx_refuse(n, NULL, "all of its inputs are empty");
    else
        nn__onnx_give(n, 0, nodes.count == 1 ? list[0] : nn_concat_at(n->site, n->net, nodes, axis),
                      nn__onnx_dtype(n, 0));
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Gives a result without elements, which counts as known. */
static void nn__onnx_give_empty(nn__onnx_node *n, int k, nn_shape shape) {
    int64_t extents[NN_MAX_RANK];
    unsigned char *data;
    for (int i = 0; i < shape.rank; i++) {
        extents[i] = shape.extent[i];
        if (extents[i] >= 0) continue;
        nn__onnx_refuse(n, "give free extents numbers in .extents",
                        "an output without elements has a free extent");
        return;
    }
    nn__onnx_give_known(n, k, nn__onnx_new(n, nn__onnx_dtype(n, 0), shape.rank, extents, &data));
}

/* Reads the extents of the parts: listed (an attribute before opset 13), or equal except for the
   last one. False: refused. */
static bool nn__onnx_parts(nn__onnx_node *n, int32_t extent, int32_t *sizes) {
    const int count = n->result_count;
    int found = nn__onnx_has(n, 1) ? nn__onnx_wholes(n, 1, "split", sizes, count)
                                   : nn__onnx_ints(n, "split", sizes, count);
    int64_t each, left = extent;
    if (n->refused) return false;
    if (extent < 0)
        return nn__onnx_refuse(n, "give it a number in .extents", "it cuts a free extent");
    if (found >= 0 && found != count)
        return nn__onnx_refuse(n, NULL, "its split does not have one size for each output");
    for (int k = 0; k < found; k++) left = sizes[k] < 0 ? -1 : left - sizes[k];
    if (found >= 0 && left != 0)
        return nn__onnx_refuse(n, NULL, "the sizes of its split do not add up to the extent %d",
                               (int64_t)extent);
    if (found >= 0) return true;
    each = ((int64_t)extent + count - 1) / count;
    for (int k = 0; k < count; k++, left -= each)
        sizes[k] = (int32_t)(left < 0 ? 0 : left < each ? left : each);
    return true;
}

static void nn__onnx_map_split(nn__onnx_node *n) {
    nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, 0, shape.rank);
    int32_t *sizes = (int32_t *)nn__onnx_scratch(n, (uint64_t)n->result_count * sizeof *sizes);
    int64_t start = 0;
    if (axis < 0 || !sizes || n->result_count < 1) return;
    if (n->result_count == 1) {
        nn__onnx_pass(n, 0, 0);
        return;
    }
    if (!nn__onnx_parts(n, shape.extent[axis], sizes)) return;
    for (int k = 0; k < n->result_count && !n->refused; k++) {
        if (sizes[k] == 0) {
            nn_shape empty = shape;
            empty.extent[axis] = 0;
            nn__onnx_give_empty(n, k, empty);
        } else {
            nn__onnx_give(
                n, k,
                nn__onnx_cut(n, nn__onnx_raw(n, 0), axis, (int)start, (int)(start + sizes[k]), 1),
                nn__onnx_dtype(n, 0));
        }
        start += sizes[k];
    }
}

/* A slice of one axis, as ONNX has it. */
typedef struct nn__onnx_range {
    int64_t start, stop, step;
    bool whole; /* stop is the free extent itself */
} nn__onnx_range;

/* Reads starts, ends, axes and steps of a Slice, which are attributes before opset 10. Returns
   their number; -1: refused.
 */
static int nn__onnx_ranges(nn__onnx_node *n, nn_shape shape, nn__onnx_range *ranges,
                           int32_t *axes) {
    const bool operands = n->opset >= 10;
    int32_t starts[NN_MAX_RANK], ends[NN_MAX_RANK], steps[NN_MAX_RANK];
    bool plain[NN_MAX_RANK];
    int count, more, listed, with_steps = -1;
    for (int i = 0; i < NN_MAX_RANK; i++) plain[i] = true;
    count = operands ? nn__onnx_wholes(n, 1, "starts", starts, NN_MAX_RANK)
                     : nn__onnx_ints(n, "starts", starts, NN_MAX_RANK);
    if (n->refused) return -1;
    more = operands ? nn__onnx_extents(n, 2, "ends", ends, plain, NN_MAX_RANK)
                    : nn__onnx_ints(n, "ends", ends, NN_MAX_RANK);
    if (n->refused) return -1;
    listed = nn__onnx_axes_of(n, operands ? 3 : -1, shape.rank, axes);
    for (int i = 0; i < NN_MAX_RANK && listed == -1; i++) axes[i] = i;
    if (operands && nn__onnx_has(n, 4))
        with_steps = nn__onnx_wholes(n, 4, "steps", steps, NN_MAX_RANK);
    if (count < 0 || count != more || (with_steps >= 0 && with_steps != count) ||
        (listed >= 0 && listed != count)) {
        nn__onnx_refuse(n, NULL, "its starts, ends, axes and steps differ in length");
        return -1;
    }
    for (int i = 0; i < count; i++) {
        ranges[i].start = starts[i];
        ranges[i].step = with_steps < 0 ? 1 : steps[i];
        ranges[i].whole = !plain[i] && axes[i] < shape.rank && ends[i] == shape.extent[axes[i]];
        ranges[i].stop = plain[i] || ranges[i].whole ? ends[i] : 0;
        if (!plain[i] && !ranges[i].whole) {
            nn__onnx_refuse(n, "give that extent a number in .extents",
                            "one of its ends depends on a free extent");
            return -1;
        }
    }
    return n->refused ? -1 : count;
}

/* The end that tf2onnx writes for "all". No batch or time is that long. */
#define NN__ONNX_ALL 1000000000

/* Cuts a free extent, which may only be kept or reversed. */
static nn_node *nn__onnx_slice_free(nn__onnx_node *n, nn_node *x, int axis,
                                    const nn__onnx_range *range) {
    if (range->step == 1 && range->start == 0 && (range->whole || range->stop >= NN__ONNX_ALL))
        return x;
    if (range->step == -1 && range->start == -1 && range->stop <= -INT32_MAX)
        return nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(axis));
    nn__onnx_refuse(n, "give it a number in .extents", "it cuts the free extent of axis %d",
                    (int64_t)axis);
    return x;
}

static int64_t nn__onnx_clamped(int64_t number, int64_t low, int64_t high) {
    return number < low ? low : number > high ? high : number;
}

/* Cuts an axis. *empty: no element is left. A negative step cuts the reversed axis, where element i
   is at extent - 1 - i. */
static nn_node *nn__onnx_slice_axis(nn__onnx_node *n, nn_node *x, int axis, int32_t extent,
                                    nn__onnx_range range, bool *empty) {
    const bool back = range.step < 0;
    if (range.step == 0) {
        nn__onnx_refuse(n, NULL, "its step is 0");
        return x;
    }
    if (range.start < 0) range.start += extent;
    if (range.stop < 0) range.stop += extent;
    range.start = nn__onnx_clamped(range.start, back ? -1 : 0, back ? extent - 1 : extent);
    range.stop = nn__onnx_clamped(range.stop, back ? -1 : 0, back ? extent - 1 : extent);
    if (back) {
        range.start = extent - 1 - range.start;
        range.stop = extent - 1 - range.stop;
        range.step = -range.step;
    }
    *empty = range.start >= range.stop;
    if (*empty) return x;
    if (back) x = nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(axis));
    if (range.start == 0 && range.stop == extent && range.step == 1) return x;
    return nn__onnx_cut(n, x, axis, (int)range.start, (int)range.stop, (int)range.step);
}

static void nn__onnx_map_slice(nn__onnx_node *n) {
    nn_shape shape = nn__onnx_shape(n, 0);
    nn__onnx_range ranges[NN_MAX_RANK];
    int32_t axes[NN_MAX_RANK];
    const int count = nn__onnx_ranges(n, shape, ranges, axes);
    nn_node *x = nn__onnx_raw(n, 0);
    bool any_empty = false;
    for (int i = 0; i < count && !n->refused; i++) {
        const int axis = axes[i];
        bool empty = false;
        if (axis >= shape.rank)
            nn__onnx_refuse(n, NULL, "it has more starts than axes");
        else if (shape.extent[axis] < 0)
            x = nn__onnx_slice_free(n, x, axis, &ranges[i]);
        else
            x = nn__onnx_slice_axis(n, x, axis, shape.extent[axis], ranges[i], &empty);
        if (empty) {
            shape.extent[axis] = 0;
            any_empty = true;
        } else if (!n->refused && x && !any_empty) {
            shape = nn_node_shape(x);
        }
    }
    if (any_empty)
        nn__onnx_give_empty(n, 0, shape);
    else
        nn__onnx_give(n, 0, x, nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_arranging(void) {
    static const nn__onnx_operator lines[] = {{"", "Concat", 4, 0, nn__onnx_map_concat, NULL},
                                              {"", "Flatten", 1, 0, nn__onnx_map_flatten, NULL},
                                              {"", "Reshape", 5, 0, nn__onnx_map_reshape, NULL},
                                              {"", "Slice", 1, 0, nn__onnx_map_slice, NULL},
                                              {"", "Split", 2, 0, nn__onnx_map_split, NULL},
                                              {"", "Squeeze", 1, 0, nn__onnx_map_squeeze, NULL},
                                              {"", "Transpose", 1, 0, nn__onnx_map_transpose, NULL},
                                              {"", "Unsqueeze", 1, 0, nn__onnx_map_unsqueeze, NULL},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
