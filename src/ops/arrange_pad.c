/* ops/arrange_pad.c - nn_pad in the modes reflect, replicate and circular. Slices of x are
   flipped or repeated and joined with x, one axis after the other. The gradient follows from
   these nodes. */
#include "ops/arrange_private.h"
#include "ops/conv_private.h"

NN_PRIVATE const char *nn__padding_mode_name(nn_padding_mode mode) {
    return mode == NN_PADDING_REFLECT ? "reflect"
           : mode == NN_PADDING_CIRCULAR ? "circular"
                                         : "replicate";
}

/* Checks the padding of one axis. Negative padding cuts: PyTorch cuts first in circular mode,
   and last in the other modes. */
static bool nn__op_pad_axis_fits(nn__inference *inference, int axis, int before, int after,
                                 nn_padding_mode mode) {
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    if (!before && !after) return true;
    if (axis < 0)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("leave them 0"),
                               NN__TEXT("the input %s has no axis for %s"),
                               nn__format_shape(x, text, sizeof text),
                               axis == -1 && x.rank < 2 ? "top and bottom" : "front and back");
    if (!nn__op_pad_known(inference->problem, x, axis)) return false;
    const int64_t extent = x.extent[axis], left = extent + nn__mini(before, 0) + nn__mini(after, 0),
                  room = mode == NN_PADDING_CIRCULAR ? left : extent;
    const int64_t most = mode == NN_PADDING_REFLECT ? room - 1 : room;
    const bool wide = mode != NN_PADDING_REPLICATE && (before > most || after > most);
    if (!wide && extent + before + after >= 1 && left >= 1 && before <= 4096 && after <= 4096) {
        inference->outputs[0].shape.extent[axis] = (int32_t)(extent + before + after);
        return true;
    }
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE,
        NN__TEXT("reflect takes less than the extent, circular at most the extent, replicate at "
                 "most 4096, and what is cut must leave an element"),
        NN__TEXT("a padding of %d before and %d after axis %d of %s does not fit the mode "
                 "%s"), before, after, axis,
        nn__format_shape(x, text, sizeof text), nn__padding_mode_name(mode));
}

static bool nn__op_pad_joined_infer(nn__inference *inference) {
    const nn_pad_desc *desc = (const nn_pad_desc *)inference->params;
    const int rank = inference->inputs[0].shape.rank;
    if (desc->mode < 0 || desc->mode > NN_PADDING_CIRCULAR)
        return nn__refuse_number(inference->problem, "mode", (int)desc->mode, "an nn_padding_mode");
    if (desc->value != 0.0f)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out"),
                               NN__TEXT("value is %g, but the mode %s takes none"),
                               (double)desc->value, nn__padding_mode_name(desc->mode));
    inference->outputs[0] = inference->inputs[0];
    return nn__op_pad_axis_fits(inference, rank - 3, desc->front, desc->back, desc->mode) &&
           nn__op_pad_axis_fits(inference, rank - 2, desc->top, desc->bottom, desc->mode) &&
           nn__op_pad_axis_fits(inference, rank - 1, desc->left, desc->right, desc->mode);
}
static const nn__rule nn__rule_pad_joined = NN__COMPOSED_RULE("pad", nn__op_pad_joined_infer);

static nn_node *nn__op_pad_slice(nn_site site, nn_model *net, nn_node *x, int axis, int start,
                                 int stop) {
    nn_slice_desc desc;
    if (!x || x->poisoned || (start == 0 && stop == x->shape.extent[axis])) return x;
    memset(&desc, 0, sizeof desc);
    desc.axis = axis;
    desc.start = start;
    desc.stop = stop;
    return nn_slice_at(site, net, x, &desc);
}

/* Returns the `count` places of padding before the axis, or after it if at_end. */
static nn_node *nn__op_pad_side(nn_site site, nn_model *net, nn_node *x, int axis, int count,
                                bool at_end, nn_padding_mode mode) {
    const int extent = x->shape.extent[axis];
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    axes.count = 1;
    axes.axis[0] = axis;
    if (mode == NN_PADDING_CIRCULAR)
        return nn__op_pad_slice(site, net, x, axis, at_end ? 0 : extent - count,
                                at_end ? count : extent);
    if (mode == NN_PADDING_REFLECT)
        return nn_flip_at(site, net,
                          nn__op_pad_slice(site, net, x, axis, at_end ? extent - 1 - count : 1,
                                           at_end ? extent - 1 : 1 + count),
                          axes);
    nn_shape times = x->shape;
    for (int i = 0; i < times.rank; i++) times.extent[i] = i == axis ? count : 1;
    return nn_repeat_at(site, net,
                        nn__op_pad_slice(site, net, x, axis, at_end ? extent - 1 : 0,
                                         at_end ? extent : 1),
                        times);
}

static nn_node *nn__op_pad_axis(nn_site site, nn_model *net, nn_node *x, int axis, int before,
                                int after, nn_padding_mode mode) {
    nn_node *parts[3];
    nn_nodes list;
    const int cut_before = nn__maxi(0, -before), cut_after = nn__maxi(0, -after);
    if ((!before && !after) || !x || x->poisoned) return x;
    if (mode == NN_PADDING_CIRCULAR)
        x = nn__op_pad_slice(site, net, x, axis, cut_before, x->shape.extent[axis] - cut_after);
    if (!x || x->poisoned) return x;
    list.node = parts;
    list.count = 0;
    if (before > 0)
        parts[list.count++] = nn__op_pad_side(site, net, x, axis, before, false, mode);
    parts[list.count++] = x;
    if (after > 0) parts[list.count++] = nn__op_pad_side(site, net, x, axis, after, true, mode);
    if (list.count > 1) x = nn_concat_at(site, net, list, axis);
    if (mode == NN_PADDING_CIRCULAR || !x || x->poisoned) return x;
    return nn__op_pad_slice(site, net, x, axis, cut_before, x->shape.extent[axis] - cut_after);
}

#ifndef NN_NO_RARE_OPTIONS
NN_PRIVATE bool nn__want_known_padding(nn__inference *inference, nn_padding_mode mode, int axis,
                                      int padding) {
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    if (padding == 0 || !nn__is_symbolic(x.extent[axis])) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE,
        NN__TEXT("leave padding_mode out: zeros are never stored"),
        NN__TEXT("padding_mode is %s, and extent %d of %s %s depends on the %s: what stands "
                 "beside it would have to be stored, and an extent cannot be that plus a number"),
        nn__padding_mode_name(mode), axis, nn__first_input(inference, name, sizeof name),
        nn__format_shape(x, text, sizeof text), nn__free_words(x.extent[axis]));
}
#endif

NN_PRIVATE nn_node *nn__op_pad_joined(nn_site site, nn_model *net, nn_node *x,
                                      const nn_pad_desc *desc) {
    x = nn__build_unary(site, net, &nn__rule_pad_joined, NULL, x, desc, 0);
    if (!x || x->poisoned) return x;
    x = nn__op_pad_axis(site, net, x, x->shape.rank - 1, desc->left, desc->right, desc->mode);
    if (!x || x->poisoned) return x;
    x = nn__op_pad_axis(site, net, x, x->shape.rank - 2, desc->top, desc->bottom, desc->mode);
    if (!x || x->poisoned) return x;
    return nn__op_pad_axis(site, net, x, x->shape.rank - 3, desc->front, desc->back, desc->mode);
}
