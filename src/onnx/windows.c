/* onnx/windows.c - the windows of convolutions and pools. */
#include "onnx/windows.h"

NN__ONNX_PRIVATE bool nn__onnx_each(nn__onnx_node *n, const char *name, int32_t absent, int32_t *to,
                                    int count) {
    int32_t numbers[NN__ONNX_RANK];
    const int found = nn__onnx_ints(n, name, numbers, NN__ONNX_RANK);
    for (int i = 0; i < count; i++) {
        to[i] = found == count ? numbers[i] : absent;
        if (to[i] < -NN__ONNX_WIDEST || to[i] > NN__ONNX_WIDEST)
            return nn__onnx_refuse(n, NULL, "its attribute %s has a number that is too large",
                                   name);
    }
    if (found == -1 || found == count) return true;
    return nn__onnx_refuse(n, NULL, "its attribute %s does not have one number for each axis",
                           name);
}

/* The padding of "auto_pad" makes y = ceil(x / stride); an odd rest is after x, or
   with `lower` before it. */
static bool nn__onnx_auto_pad(nn__onnx_node *n, nn__onnx_window *w, bool lower) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    for (int i = 0; i < w->count; i++) {
        uint8_t powers;
        const int64_t extent = nn__onnx_split_extent(shape.extent[i + 2], &powers);
        const int64_t stride = w->stride[i] > 0 ? w->stride[i] : 1;
        int64_t total = (int64_t)w->dilation[i] * (w->kernel[i] - 1) + 1;
        if (powers && extent % stride != 0)
            return nn__onnx_refuse(n, "give that extent a number in .extents",
                                   "auto_pad depends on a free extent");
        total -= extent % stride == 0 ? stride : extent % stride;
        if (total < 0) total = 0;
        w->before[i] = (int32_t)(lower ? total - total / 2 : total / 2);
        w->after[i] = (int32_t)(total - w->before[i]);
    }
    return true;
}

NN__ONNX_PRIVATE bool nn__onnx_window_of(nn__onnx_node *n, nn__onnx_window *w, int weight) {
    const char *mode = nn__onnx_string(n, "auto_pad", "NOTSET");
    int32_t pads[6];
    int found;
    memset(w, 0, sizeof *w);
    w->count = nn__onnx_rank(n, 0) - 2;
    if (strcmp(mode, "NOTSET") != 0 && strcmp(mode, "VALID") != 0 &&
        strcmp(mode, "SAME_UPPER") != 0 && strcmp(mode, "SAME_LOWER") != 0)
        return nn__onnx_refuse(n, NULL, "its auto_pad %q is not supported", mode);
    if (w->count < 1 || w->count > 3)
        return nn__onnx_refuse(n, NULL, "its windows have %d axes; 1 to 3 are supported",
                               (int64_t)w->count);
    if (!nn__onnx_each(n, "kernel_shape", 1, w->kernel, w->count) ||
        !nn__onnx_each(n, "strides", 1, w->stride, w->count) ||
        !nn__onnx_each(n, "dilations", 1, w->dilation, w->count))
        return false;
    if (weight < 0 && !nn__onnx_attribute_of(n, "kernel_shape"))
        return nn__onnx_refuse(n, NULL, "it has no kernel_shape");
    if (weight >= 0) {
        const nn_shape shape = nn__onnx_shape(n, weight);
        if (shape.rank != w->count + 2)
            return nn__onnx_refuse(n, NULL, "its weight has %d axes, but its input has %d",
                                   (int64_t)shape.rank, (int64_t)w->count + 2);
        for (int i = 0; i < w->count; i++) w->kernel[i] = shape.extent[i + 2];
    }
    for (int i = 0; i < w->count; i++)
        if (w->kernel[i] < 1 || w->stride[i] < 1 || w->dilation[i] < 1 ||
            (int64_t)w->dilation[i] * w->kernel[i] > NN__ONNX_WIDEST)
            return nn__onnx_refuse(n, NULL,
                                   "its kernel_shape, strides or dilations has a number below 1");
    if (strcmp(n->op->type, "ConvTranspose") == 0 && strncmp(mode, "SAME", 4) == 0) return true;
    if (strcmp(mode, "SAME_UPPER") == 0) return nn__onnx_auto_pad(n, w, false);
    if (strcmp(mode, "SAME_LOWER") == 0) return nn__onnx_auto_pad(n, w, true);
    found = strcmp(mode, "VALID") == 0 ? -1 : nn__onnx_ints(n, "pads", pads, 6);
    if (found == -2 || (found >= 0 && found != 2 * w->count))
        return nn__onnx_refuse(n, NULL,
                               "its attribute pads does not have two numbers for each axis");
    for (int i = 0; i < 2 * w->count && found >= 0; i++)
        if (pads[i] < -NN__ONNX_WIDEST || pads[i] > NN__ONNX_WIDEST)
            return nn__onnx_refuse(n, NULL, "its attribute pads has a number that is too large");
    for (int i = 0; i < w->count && found >= 0; i++) {
        w->before[i] = pads[i];
        w->after[i] = pads[i + w->count];
    }
    return true;
}

NN__ONNX_PRIVATE bool nn__onnx_even(const nn__onnx_window *w) {
    for (int i = 0; i < w->count; i++)
        if (w->before[i] != w->after[i] || w->before[i] < 0) return false;
    return true;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_pad_window(nn__onnx_node *n, nn_node *x, nn__onnx_window *w,
                                              double value) {
    int32_t before[NN_MAX_RANK], after[NN_MAX_RANK];
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    for (int i = 0; i < w->count; i++) {
        before[i + 2] = w->before[i];
        after[i + 2] = w->after[i];
        w->before[i] = w->after[i] = 0;
    }
    return nn__onnx_padded(n, x, before, after, value, NN_PADDING_ZEROS);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_add_bias(nn__onnx_node *n, nn_node *y, nn_node *bias) {
    nn_shape shape = nn_node_shape(y);
    for (int i = 0; i < shape.rank; i++)
        if (i != 1) shape.extent[i] = 1;
    if (!bias || shape.rank < 2) return y;
    return nn_add_at(n->site, n->net, y, nn_reshape_at(n->site, n->net, bias, shape));
}

/* ---- convolutions of nodes ------------------------------------------------------------------- */

/* Convolves along one or two axes of a window, from axis `first` on. */
static nn_node *nn__onnx_convolve_picture(nn__onnx_node *n, nn_node *x, nn_node *weight,
                                          const nn__onnx_window *w, int first, int groups) {
    const nn_shape shape = nn_node_shape(weight);
    const int last = w->count - 1;
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = shape.rank > 0 ? shape.extent[0] : 1;
    desc.kernel = first < last ? w->kernel[first] : 1;
    desc.kernel_w = w->kernel[last];
    desc.stride = first < last ? w->stride[first] : 1;
    desc.stride_w = w->stride[last];
    desc.dilation = first < last ? w->dilation[first] : 1;
    desc.dilation_w = w->dilation[last];
    desc.padding = first < last ? w->before[first] : 0;
    desc.padding_w = nn__onnx_or_none(w->before[last]);
    desc.padding_bottom = nn__onnx_or_none(first < last ? w->after[first] : 0);
    desc.padding_right = nn__onnx_or_none(w->after[last]);
    desc.groups = groups;
    desc.no_bias = true;
    desc.direct = w->exact;
    return nn_functional_conv2d_at(n->site, n->net, x, weight, NULL, &desc);
}

/* Turns volumes (N, C, D, H, W) into images (N D, C, H, W). */
static nn_node *nn__onnx_planes_of(nn__onnx_node *n, nn_node *x) {
    nn_axes order;
    nn_shape shape, planes;
    memset(&order, 0, sizeof order);
    order.count = 5;
    order.axis[1] = 2;
    order.axis[2] = 1;
    order.axis[3] = 3;
    order.axis[4] = 4;
    x = nn_permute_at(n->site, n->net, x, order);
    shape = nn_node_shape(x);
    memset(&planes, 0, sizeof planes);
    planes.rank = 4;
    planes.extent[0] = nn__onnx_joined(n, &shape, 0, 2);
    for (int i = 1; i < 4; i++) planes.extent[i] = shape.extent[i + 1];
    return nn__onnx_reshaped(n, x, planes);
}

/* Convolves a volume: the sum of convolutions of images over the depth of the kernel. */
static nn_node *nn__onnx_convolve_volume(nn__onnx_node *n, nn_node *x, nn_node *weight,
                                         nn__onnx_window *w, int groups) {
    nn_shape shape = nn_node_shape(weight), volume, y_shape;
    nn_node *y = NULL;
    int depth;
    nn_axes order;
    x = nn__onnx_pad_window(n, x, w, 0);
    volume = nn_node_shape(x);
    if (volume.rank != 5 || shape.rank != 5) return NULL;
    if (volume.extent[2] < 0) {
        nn__onnx_refuse(n, "give the depth a number in .extents",
                        "its weight is not an initializer, and the depth of its input is free");
        return NULL;
    }
    depth = (volume.extent[2] - w->dilation[0] * (w->kernel[0] - 1) - 1) / w->stride[0] + 1;
    for (int i = 0; i < w->kernel[0]; i++) {
        const int start = i * w->dilation[0];
        nn_shape flat = shape;
        nn_node *part =
            nn__onnx_cut(n, x, 2, start, start + (depth - 1) * w->stride[0] + 1, w->stride[0]);
        flat.rank = 4;
        flat.extent[2] = shape.extent[3];
        flat.extent[3] = shape.extent[4];
        part = nn__onnx_convolve_picture(
            n, nn__onnx_planes_of(n, part),
            nn__onnx_reshaped(n, nn__onnx_cut(n, weight, 2, i, i + 1, 1), flat), w, 1, groups);
        y = y ? nn_add_at(n->site, n->net, y, part) : part;
    }
    y_shape = nn_node_shape(y);
    volume.extent[1] = depth;
    for (int i = 2; i < 5; i++) volume.extent[i] = y_shape.extent[i - 1];
    memset(&order, 0, sizeof order);
    order.count = 5;
    order.axis[1] = 2;
    order.axis[2] = 1;
    order.axis[3] = 3;
    order.axis[4] = 4;
    return nn_permute_at(n->site, n->net, nn__onnx_reshaped(n, y, volume), order);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_convolve(nn__onnx_node *n, nn_node *x, nn_node *weight,
                                            const nn__onnx_window *window, int groups) {
    nn__onnx_window w = *window;
    if (w.count == 3) return nn__onnx_convolve_volume(n, x, weight, &w, groups);
    if (w.count == 1) { /* an image of one row */
        nn_shape shape = nn_node_shape(weight);
        nn_node *y;
        if (shape.rank != 3) return NULL;
        shape.rank = 4;
        shape.extent[3] = shape.extent[2];
        shape.extent[2] = 1;
        y = nn__onnx_convolve_picture(n, nn_unsqueeze_at(n->site, n->net, x, 2),
                                      nn__onnx_reshaped(n, weight, shape), &w, 0, groups);
        return nn_squeeze_at(n->site, n->net, y, nn__onnx_one_axis(2));
    }
    return nn__onnx_convolve_picture(n, x, weight, &w, 0, groups);
}
