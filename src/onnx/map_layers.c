/* onnx/map_layers.c - convolutions and pools. */
#include "onnx/mapping.h"

/* What Conv and the pools say of their windows, of one axis after the other. */
typedef struct nn__onnx_window {
    int count; /* of axes: 1 to 3 */
    int32_t kernel[3], stride[3], dilation[3], before[3], after[3];
} nn__onnx_window;

static bool nn__onnx_three(nn__onnx_node *n, const char *name, int32_t *to, int count) {
    int32_t numbers[3];
    const int found = nn__onnx_ints(n, name, numbers, 3);
    for (int i = 0; i < count; i++) to[i] = found == count ? numbers[i] : 1;
    if (found == -1 || found == count) return true;
    return nn__onnx_refuse(n, NULL, "its attribute %s has not one number for each axis", name);
}

/* Padding of "auto_pad": y = ceil(x / stride), an odd rest after or before. */
static bool nn__onnx_auto_pad(nn__onnx_node *n, nn__onnx_window *w, bool lower) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    for (int i = 0; i < w->count; i++) {
        const int32_t extent = shape.extent[i + 2], stride = w->stride[i];
        int64_t total = (int64_t)w->dilation[i] * (w->kernel[i] - 1) + 1;
        if (extent < 0 && stride != 1)
            return nn__onnx_refuse(n, "give that extent a number in .extents",
                                   "auto_pad depends on a free extent");
        total = stride == 1
                    ? total - 1
                    : ((int64_t)(extent + stride - 1) / stride - 1) * stride + total - extent;
        if (total < 0) total = 0;
        w->before[i] = (int32_t)(lower ? total - total / 2 : total / 2);
        w->after[i] = (int32_t)(total - w->before[i]);
    }
    return true;
}

/* weight: the operand whose last extents are the kernel, if the attribute is absent; -1: none. */
static bool nn__onnx_window_of(nn__onnx_node *n, nn__onnx_window *w, int weight) {
    const char *mode = nn__onnx_string(n, "auto_pad", "NOTSET");
    int32_t pads[6];
    int found;
    memset(w, 0, sizeof *w);
    w->count = nn__onnx_rank(n, 0) - 2;
    if (w->count < 1 || w->count > 3)
        return nn__onnx_refuse(n, NULL, "its windows have %d axes, not 1 to 3", (int64_t)w->count);
    if (!nn__onnx_three(n, "kernel_shape", w->kernel, w->count) ||
        !nn__onnx_three(n, "strides", w->stride, w->count) ||
        !nn__onnx_three(n, "dilations", w->dilation, w->count))
        return false;
    if (weight >= 0) {
        const nn_shape shape = nn__onnx_shape(n, weight);
        for (int i = 0; i < w->count; i++) w->kernel[i] = shape.extent[i + 2];
    }
    if (strcmp(mode, "SAME_UPPER") == 0) return nn__onnx_auto_pad(n, w, false);
    if (strcmp(mode, "SAME_LOWER") == 0) return nn__onnx_auto_pad(n, w, true);
    found = strcmp(mode, "VALID") == 0 ? -1 : nn__onnx_ints(n, "pads", pads, 6);
    if (found == -2 || (found >= 0 && found != 2 * w->count))
        return nn__onnx_refuse(n, NULL, "its attribute pads has not two numbers for each axis");
    for (int i = 0; i < w->count && found >= 0; i++) {
        w->before[i] = pads[i];
        w->after[i] = pads[i + w->count];
    }
    return true;
}

static int nn__onnx_or_none(int32_t number) { return number == 0 ? NN_NONE : (int)number; }

static void nn__onnx_map_conv(nn__onnx_node *n) {
    const nn__onnx_tensor *weight = nn__onnx_numbers(n, 1, "W");
    nn__onnx_window w;
    nn_conv2d_desc desc;
    const char *name;
    bool shared;
    if (!weight || !nn__onnx_window_of(n, &w, 1)) return;
    if (w.count != 2) {
        nn__onnx_refuse(n, NULL, "only two axes are mapped yet");
        return;
    }
    memset(&desc, 0, sizeof desc);
    desc.out_channels = (int)weight->extent[0];
    desc.kernel = w.kernel[0];
    desc.kernel_w = w.kernel[1];
    desc.stride = w.stride[0];
    desc.stride_w = w.stride[1];
    desc.dilation = w.dilation[0];
    desc.dilation_w = w.dilation[1];
    desc.padding = w.before[0];
    desc.padding_w = nn__onnx_or_none(w.before[1]);
    desc.padding_bottom = nn__onnx_or_none(w.after[0]);
    desc.padding_right = nn__onnx_or_none(w.after[1]);
    desc.groups = (int)nn__onnx_int(n, "group", 1);
    desc.no_bias = !nn__onnx_has(n, 2);
    name = nn__onnx_layer(n, 1, 2, &shared);
    desc.shared = shared;
    nn__onnx_give(n, 0, nn_conv2d_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc),
                  nn__onnx_dtype(n, 0));
    if (shared) return;
    nn__onnx_load(n, name, "weight", weight, NULL);
    if (nn__onnx_has(n, 2)) nn__onnx_load(n, name, "bias", nn__onnx_numbers(n, 2, "B"), NULL);
}

static void nn__onnx_map_max_pool(nn__onnx_node *n) {
    nn__onnx_window w;
    nn_pool2d_desc desc;
    nn_pad_desc pad;
    nn_node *x = nn__onnx_x(n, 0);
    if (!nn__onnx_window_of(n, &w, -1)) return;
    if (w.count != 2) {
        nn__onnx_refuse(n, NULL, "only two axes are mapped yet");
        return;
    }
    memset(&desc, 0, sizeof desc);
    memset(&pad, 0, sizeof pad);
    desc.kernel = w.kernel[0];
    desc.kernel_w = w.kernel[1];
    desc.stride = w.stride[0];
    desc.stride_w = w.stride[1];
    desc.dilation = w.dilation[0];
    desc.dilation_w = w.dilation[1];
    desc.ceil = nn__onnx_int(n, "ceil_mode", 0) != 0;
    if (w.before[0] || w.before[1] || w.after[0] || w.after[1]) {
        pad.top = w.before[0];
        pad.left = w.before[1];
        pad.bottom = w.after[0];
        pad.right = w.after[1];
        pad.value = -INFINITY;
        x = nn_pad_at(n->site, n->net, x, &pad);
    }
    nn__onnx_give(n, 0, nn_max_pool2d_at(n->site, n->net, x, &desc), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_layers(void) {
    static const nn__onnx_operator lines[] = {{"", "Conv", 1, 0, nn__onnx_map_conv, NULL},
                                              {"", "MaxPool", 1, 0, nn__onnx_map_max_pool, NULL},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
