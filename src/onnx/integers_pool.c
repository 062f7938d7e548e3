/* onnx/integers_pool.c - pools and concatenations between quantised images as operations on 8-bit
   integers. */
#include "onnx/integers_image.h"
#include "onnx/parts.h"

/* ---- max pools ------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE bool nn__onnx_integer_max_pool(nn__onnx_node *n, const nn_pool2d_desc *desc) {
    struct nn__onnx_bytes_of *of =
        nn__onnx_has(n, 0) ? nn__onnx_image_of(n->operands[0]) : NULL;
    int32_t zero[4];
    const int64_t four = 4;
    const char *name;
    bool shared;
    nn_node *y;
    if (!of || !of->image || nn__onnx_wants(n, 1)) return false;
    name = nn__onnx_layer(n, -1, -1, &shared);
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name) return true;
    y = nn_integer_max_pool2d_at(n->site, n->net, name, of->image, desc);
    zero[0] = zero[1] = (int32_t)(of->numbers[1] - nn__onnx_byte_offset(of->type));
    zero[2] = -128;
    zero[3] = 127;
    nn__onnx_load_wholes(n, name, "zero", zero, 1, &four);
    nn__onnx_give_image(n, name, y, of, true);
    return true;
}

/* ---- average pools --------------------------------------------------------------------------- */

/* An average pool is a convolution with weights of 1 in each channel. Its factor divides by the
   number of taps and leads to the scale of the result, so that a sum is rounded once. */
typedef struct nn__onnx_image_mean {
    nn_conv2d_desc desc;
    int32_t factor, limits[2];
    struct nn__onnx_bytes_of range;
} nn__onnx_image_mean;

/* Reads the windows. False: the taps that count differ from window to window, or the attributes say
   what no convolution does. */
static bool nn__onnx_mean_window(const nn__onnx_op *op, const nn_shape *x, nn_conv2d_desc *desc) {
    const nn__onnx_attribute *automatic = nn__onnx_own_attribute(op, "auto_pad"),
                             *ceil = nn__onnx_own_attribute(op, "ceil_mode"),
                             *all = nn__onnx_own_attribute(op, "count_include_pad");
    const bool global =
        strcmp(op->type, "GlobalAveragePool") == 0 || strcmp(op->type, "ReduceMean") == 0;
    int kernel[2], stride[2], dilation[2], pads[4];
    if (global) {
        desc->kernel_h = x->extent[2], desc->kernel_w = x->extent[3];
        return true;
    }
    if ((automatic && (*automatic->reference || strcmp(automatic->text, "NOTSET") != 0)) ||
        (ceil && (*ceil->reference || ceil->whole != 0)) || (all && *all->reference) ||
        !nn__onnx_image_list(op, "kernel_shape", 2, 0, kernel) ||
        !nn__onnx_image_list(op, "strides", 2, 1, stride) ||
        !nn__onnx_image_list(op, "dilations", 2, 1, dilation) ||
        !nn__onnx_image_list(op, "pads", 4, 0, pads))
        return false;
    for (int i = 0; i < 2; i++) {
        const int64_t span = (int64_t)dilation[i] * (kernel[i] - 1) + 1;
        const bool padded = pads[i] > 0 || pads[2 + i] > 0;
        if (kernel[i] < 1 || stride[i] < 1 || dilation[i] < 1 ||
            (padded && !(all && all->whole == 1)) || pads[i] >= span || pads[2 + i] >= span ||
            (int64_t)x->extent[2 + i] + pads[i] + pads[2 + i] < span)
            return false;
    }
    desc->kernel_h = kernel[0], desc->kernel_w = kernel[1];
    desc->stride_h = stride[0], desc->stride_w = stride[1];
    desc->dilation_h = dilation[0], desc->dilation_w = dilation[1];
    desc->padding_h = nn__onnx_or_none(pads[0]), desc->padding_w = nn__onnx_or_none(pads[1]);
    desc->padding_bottom = nn__onnx_or_none(pads[2]);
    desc->padding_right = nn__onnx_or_none(pads[3]);
    return true;
}

/* True if a ReduceMean takes the mean of each channel of an image and keeps its rank. Its axes are
   an attribute, or input 1 from opset 18 on. */
static bool nn__onnx_mean_axes(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope) {
    const nn__onnx_op *op = pattern->named;
    const nn__onnx_attribute *keeps = nn__onnx_own_attribute(op, "keepdims"),
                             *list = nn__onnx_own_attribute(op, "axes");
    const bool given = nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_W);
    const nn__onnx_value *value =
        given ? nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_W) : NULL;
    const nn__onnx_tensor *axes = value ? value->known : NULL;
    unsigned found = 0;
    if ((keeps && (*keeps->reference || keeps->whole != 1)) || (given ? !axes : !list) ||
        (given ? axes->count != 2 || !axes->data || axes->powers || axes->uniform
               : *list->reference || list->type != 7 || list->count != 2))
        return false;
    for (int i = 0; i < 2; i++) {
        const int64_t axis = given ? (int64_t)nn__onnx_real(axes, (uint64_t)i) : list->wholes[i],
                      place = axis < 0 ? axis + 4 : axis;
        if (place == 2 || place == 3) found |= 1u << (place - 2);
    }
    return found == 3;
}

static bool nn__onnx_image_mean_of(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope,
                                   const nn__onnx_value *x, nn__onnx_image_mean *mean) {
    const struct nn__onnx_bytes_of *of = nn__onnx_image_of(x);
    nn_shape shape;
    memset(mean, 0, sizeof *mean);
    if (!of || !of->image || !nn__onnx_image_range(pattern, scope, &mean->range) ||
        !nn__onnx_image_limits(pattern, scope, &mean->range, mean->limits) ||
        (strcmp(pattern->named->type, "ReduceMean") == 0 && !nn__onnx_mean_axes(pattern, scope)))
        return false;
    shape = nn_node_shape(x->node);
    mean->desc.out_channels = mean->desc.groups = shape.extent[1];
    if (!nn__onnx_mean_window(pattern->named, &shape, &mean->desc)) return false;
    mean->factor = nn__onnx_image_factor(
        of->numbers[0] / (mean->range.numbers[0] * mean->desc.kernel_h * mean->desc.kernel_w));
    return mean->factor != 0;
}
static bool nn__onnx_image_mean_fits(const nn__onnx_pattern *pattern,
                                     const nn__onnx_scope *scope) {
    nn__onnx_image_mean mean;
    return nn__onnx_image_mean_of(pattern, scope,
                                  nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_X), &mean);
}

/* Loads weights of 1: (R, S, C), or (1, R, S, 1) for one channel. */
static void nn__onnx_load_ones(nn__onnx_node *n, const char *name, const nn_conv2d_desc *desc) {
    const bool apart = desc->groups > 1;
    int64_t extents[4];
    unsigned char *data;
    nn__onnx_tensor *made;
    extents[0] = apart ? desc->kernel_h : 1;
    extents[1] = apart ? desc->kernel_w : desc->kernel_h;
    extents[2] = apart ? desc->groups : desc->kernel_w;
    extents[3] = 1;
    made = nn__onnx_new(n, NN__ONNX_INT8, apart ? 3 : 4, extents, &data);
    if (!made) return;
    memset(data, 1, made->count);
    nn__onnx_load_buffer(n, name, "weight", made);
}

static void nn__onnx_map_image_mean(nn__onnx_node *n) {
    const nn__onnx_pattern pattern = nn__onnx_image_again(n);
    struct nn__onnx_bytes_of *x = n->operands[NN__ONNX_IMAGE_X]->bytes;
    nn__onnx_image_mean mean;
    int32_t zero[4], *numbers;
    int64_t extents[2];
    const char *name;
    bool shared;
    nn_node *y;
    if (!nn__onnx_image_mean_of(&pattern, n->scope, n->operands[NN__ONNX_IMAGE_X], &mean)) return;
    extents[0] = 2;
    extents[1] = mean.desc.out_channels;
    numbers = (int32_t *)nn__onnx_scratch(n, 2 * (uint64_t)extents[1] * sizeof *numbers);
    name = nn__onnx_layer(n, -1, -1, &shared);
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name || !numbers) return;
    y = nn_integer_conv2d_at(n->site, n->net, name, x->image, &mean.desc);
    nn__onnx_load_ones(n, name, &mean.desc);
    nn__onnx_load_wholes(n, name, "bias", numbers, 1, extents + 1); /* zeros */
    for (int64_t k = 0; k < extents[1]; k++) numbers[k] = mean.factor;
    nn__onnx_load_wholes(n, name, "factor", numbers, 2, extents);
    zero[0] = (int32_t)(x->numbers[1] - nn__onnx_byte_offset(x->type));
    zero[1] = (int32_t)(mean.range.numbers[1] - nn__onnx_byte_offset(mean.range.type));
    zero[2] = mean.limits[0];
    zero[3] = mean.limits[1];
    extents[0] = 4;
    nn__onnx_load_wholes(n, name, "zero", zero, 1, extents);
    nn__onnx_give_image(n, name, y, &mean.range, false);
}

/* ---- concatenations -------------------------------------------------------------------------- */

enum { NN__ONNX_IMAGE_PARTS = NN__ONNX_PATTERN_INPUTS - 2 };

/* Returns the input of the pattern that is part i: scale and zero point are between them. */
static int nn__onnx_image_part(int i) {
    return i < NN__ONNX_IMAGE_SCALE ? i : i + NN__ONNX_IMAGE_MIN - NN__ONNX_IMAGE_SCALE;
}

/* Returns the axis of a concatenation of images (N, C, H, W); -1: it is none. */
static int nn__onnx_image_axis(const nn__onnx_op *op) {
    const nn__onnx_attribute *axis = nn__onnx_own_attribute(op, "axis");
    if (!axis || *axis->reference || axis->whole < -4 || axis->whole > 3) return -1;
    return (int)(axis->whole < 0 ? axis->whole + 4 : axis->whole);
}

static bool nn__onnx_image_concat_fits(const nn__onnx_pattern *pattern,
                                       const nn__onnx_scope *scope) {
    const int axis = nn__onnx_image_axis(pattern->named);
    struct nn__onnx_bytes_of range;
    nn_shape first;
    bool any = false;
    memset(&first, 0, sizeof first);
    if (axis < 0 || !nn__onnx_image_range(pattern, scope, &range)) return false;
    for (int i = 0; i < pattern->named->input_count; i++) {
        const nn__onnx_value *value =
            nn__onnx_input_of(pattern, scope, nn__onnx_image_part(i));
        const struct nn__onnx_bytes_of *of = nn__onnx_image_of(value);
        nn_shape shape;
        if (!of) return false;
        any = any || of->image;
        shape = nn_node_shape(value->node);
        if (i == 0) first = shape;
        for (int k = 0; k < 4; k++)
            if (k != axis && shape.extent[k] != first.extent[k]) return false;
    }
    return any;
}

/* Returns an image in another scale, each number rounded as the file rounds it. */
static nn_node *nn__onnx_image_in_scale(nn__onnx_node *n, const char *layer,
                                        const struct nn__onnx_bytes_of *from,
                                        const struct nn__onnx_bytes_of *to, nn_node *image) {
    const double from_offset = nn__onnx_byte_offset(from->type),
                 to_offset = nn__onnx_byte_offset(to->type);
    const int64_t count = 256;
    const char *name;
    unsigned char *data;
    nn__onnx_tensor *table;
    if (from->numbers[0] == to->numbers[0] &&
        from->numbers[1] - from_offset == to->numbers[1] - to_offset)
        return image;
    name = nn__onnx_unique(n->walk, layer);
    table = nn__onnx_new(n, NN__ONNX_INT8, 1, &count, &data);
    if (!name || !table) return NULL;
    for (int i = 0; i < 256; i++) {
        const float real =
            (float)(i - 128 + from_offset - from->numbers[1]) * (float)from->numbers[0];
        const double whole =
            rint((double)(real / (float)to->numbers[0])) + to->numbers[1] - to_offset;
        nn__onnx_put_whole(data, NN__ONNX_INT8, (uint64_t)i,
                           (int64_t)(whole < -128 ? -128 : whole > 127 ? 127 : whole));
    }
    image = nn_integer_table_at(n->site, n->net, name, image);
    nn__onnx_load_buffer(n, name, "table", table);
    return image;
}

static void nn__onnx_map_image_concat(nn__onnx_node *n) {
    static const int axes[] = {0, 3, 1, 2};
    const nn__onnx_pattern pattern = nn__onnx_image_again(n);
    const int count = pattern.named->input_count;
    nn_node *parts[NN__ONNX_IMAGE_PARTS];
    struct nn__onnx_bytes_of range;
    nn_nodes list;
    bool shared;
    const char *name = nn__onnx_layer(n, -1, -1, &shared);
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name) return;
    nn__onnx_image_range(&pattern, n->scope, &range);
    for (int i = 0; i < count; i++) {
        struct nn__onnx_bytes_of *of = n->operands[nn__onnx_image_part(i)]->bytes;
        parts[i] = nn__onnx_image_in_scale(n, name, of, &range, nn__onnx_image_node(n, of));
        if (!parts[i]) return;
    }
    list.node = parts;
    list.count = count;
    nn__onnx_give_image(
        n, name,
        nn_concat_at(n->site, n->net, list, axes[nn__onnx_image_axis(pattern.named)]), &range,
        false);
}

/* ---- all of them ----------------------------------------------------------------------------- */

NN__ONNX_PRIVATE const nn__onnx_op *nn__onnx_find_image_pool(const nn__onnx_walk *walk,
                                                             const nn__onnx_scope *scope,
                                                             const char *name,
                                                             nn__onnx_pattern *pattern) {
    const nn__onnx_op *op = nn__onnx_image_source(walk, scope, name, "GlobalAveragePool");
    if (!op) op = nn__onnx_image_source(walk, scope, name, "AveragePool");
    if (!op) op = nn__onnx_image_source(walk, scope, name, "ReduceMean");
    if (op) {
        pattern->map = nn__onnx_map_image_mean;
        pattern->fits = nn__onnx_image_mean_fits;
        return op;
    }
    op = nn__onnx_image_source(walk, scope, name, "Concat");
    if (!op || op->input_count > NN__ONNX_IMAGE_PARTS ||
        nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_RELU) ||
        nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_MIN) ||
        nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_MAX))
        return NULL;
    pattern->map = nn__onnx_map_image_concat;
    pattern->fits = nn__onnx_image_concat_fits;
    for (int i = 0; i < op->input_count; i++)
        pattern->inputs[nn__onnx_image_part(i)] = op->inputs[i];
    pattern->count = nn__onnx_image_part(op->input_count - 1) + 1;
    return op;
}
