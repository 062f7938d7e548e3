/* onnx/map_conv.c - Conv, ConvTranspose, Col2Im. */
#include "onnx/integers.h"

/* ---- layers ---------------------------------------------------------------------------------- */

static nn_node *nn__onnx_conv1d(nn__onnx_node *n, const char *name, nn_node *x,
                                const nn__onnx_window *w, int channels, bool bias, bool shared) {
    nn_conv1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = channels;
    desc.kernel = w->kernel[0];
    desc.stride = w->stride[0];
    desc.dilation = w->dilation[0];
    desc.padding = w->before[0];
    desc.padding_right = nn__onnx_or_none(w->after[0]);
    desc.groups = (int)nn__onnx_int(n, "group", 1);
    desc.no_bias = !bias;
    desc.shared = shared;
    return nn_conv1d_at(n->site, n->net, name, x, &desc);
}

static nn_node *nn__onnx_conv2d(nn__onnx_node *n, const char *name, nn_node *x,
                                const nn__onnx_window *w, int channels, bool bias, bool shared) {
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = channels;
    desc.kernel = w->kernel[0];
    desc.kernel_w = w->kernel[1];
    desc.stride = w->stride[0];
    desc.stride_w = w->stride[1];
    desc.dilation = w->dilation[0];
    desc.dilation_w = w->dilation[1];
    desc.padding = w->before[0];
    desc.padding_w = nn__onnx_or_none(w->before[1]);
    desc.padding_bottom = nn__onnx_or_none(w->after[0]);
    desc.padding_right = nn__onnx_or_none(w->after[1]);
    desc.groups = (int)nn__onnx_int(n, "group", 1);
    desc.no_bias = !bias;
    desc.shared = shared;
    return nn_conv2d_at(n->site, n->net, name, x, &desc);
}

static nn_node *nn__onnx_conv3d(nn__onnx_node *n, const char *name, nn_node *x, nn__onnx_window w,
                                int channels, bool bias, bool shared) {
    nn_conv3d_desc desc;
    if (!nn__onnx_even(&w)) x = nn__onnx_pad_window(n, x, &w, 0);
    memset(&desc, 0, sizeof desc);
    desc.out_channels = channels;
    desc.kernel = w.kernel[0];
    desc.kernel_h = w.kernel[1];
    desc.kernel_w = w.kernel[2];
    desc.stride = w.stride[0];
    desc.stride_h = w.stride[1];
    desc.stride_w = w.stride[2];
    desc.dilation = w.dilation[0];
    desc.dilation_h = w.dilation[1];
    desc.dilation_w = w.dilation[2];
    desc.padding = w.before[0];
    desc.padding_h = nn__onnx_or_none(w.before[1]);
    desc.padding_w = nn__onnx_or_none(w.before[2]);
    desc.groups = (int)nn__onnx_int(n, "group", 1);
    desc.no_bias = !bias;
    desc.shared = shared;
    return nn_conv3d_at(n->site, n->net, name, x, &desc);
}

/* A computed weight is an operand, and a known weight is the parameter of a layer. */
static void nn__onnx_map_conv(nn__onnx_node *n) {
    const nn__onnx_tensor *weight = nn__onnx_known(n, 1), *bias = nn__onnx_known(n, 2);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn__onnx_window w;
    nn_node *x, *y;
    const char *name;
    bool shared;
    int channels;
    if (integers && integers->conv(n)) return;
    if (!nn__onnx_window_of(n, &w, 1)) return;
    x = nn__onnx_x(n, 0);
    if (!weight) {
        y = nn__onnx_convolve(n, x, nn__onnx_x(n, 1), &w, (int)nn__onnx_int(n, "group", 1));
        if (nn__onnx_has(n, 2)) y = nn__onnx_add_bias(n, y, nn__onnx_x(n, 2));
        nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
        return;
    }
    channels = (int)weight->extent[0];
    name = nn__onnx_layer(n, 1, bias ? 2 : -1, &shared);
    y = w.count == 1   ? nn__onnx_conv1d(n, name, x, &w, channels, bias != NULL, shared)
        : w.count == 2 ? nn__onnx_conv2d(n, name, x, &w, channels, bias != NULL, shared)
                       : nn__onnx_conv3d(n, name, x, w, channels, bias != NULL, shared);
    if (!shared) nn__onnx_load(n, name, "weight", weight, NULL);
    if (!shared && bias) nn__onnx_load(n, name, "bias", bias, NULL);
    if (nn__onnx_has(n, 2) && !bias) y = nn__onnx_add_bias(n, y, nn__onnx_x(n, 2));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- ConvTranspose --------------------------------------------------------------------------- */

typedef struct nn__onnx_transposed {
    nn__onnx_window w; /* before and after: what is cut off */
    int32_t front[3];  /* what is cut off before y in addition */
    int32_t more[3];   /* output_padding, after y */
    int channels;
    bool bias, shared;
} nn__onnx_transposed;

static nn_node *nn__onnx_transposed1d(nn__onnx_node *n, const char *name, nn_node *x,
                                      const nn__onnx_transposed *t) {
    nn_conv_transpose1d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = t->channels;
    desc.kernel = t->w.kernel[0];
    desc.stride = t->w.stride[0];
    desc.dilation = t->w.dilation[0];
    desc.padding = t->w.before[0];
    desc.output_padding = t->more[0];
    desc.groups = (int)nn__onnx_int(n, "group", 1);
    desc.no_bias = !t->bias;
    desc.shared = t->shared;
    return nn_conv_transpose1d_at(n->site, n->net, name, x, &desc);
}

static void nn__onnx_transposed2d(nn__onnx_node *n, const nn__onnx_transposed *t,
                                  nn_conv_transpose2d_desc *desc) {
    memset(desc, 0, sizeof *desc);
    desc->out_channels = t->channels;
    desc->kernel = t->w.kernel[0];
    desc->kernel_w = t->w.kernel[1];
    desc->stride = t->w.stride[0];
    desc->stride_w = t->w.stride[1];
    desc->dilation = t->w.dilation[0];
    desc->dilation_w = t->w.dilation[1];
    desc->padding = t->w.before[0];
    desc->padding_w = nn__onnx_or_none(t->w.before[1]);
    desc->output_padding = t->more[0];
    desc->output_padding_w = nn__onnx_or_none(t->more[1]);
    desc->groups = (int)nn__onnx_int(n, "group", 1);
    desc->no_bias = !t->bias;
    desc->shared = t->shared;
}

static nn_node *nn__onnx_transposed3d(nn__onnx_node *n, const char *name, nn_node *x,
                                      const nn__onnx_transposed *t) {
    nn_conv_transpose3d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = t->channels;
    desc.kernel = t->w.kernel[0];
    desc.kernel_h = t->w.kernel[1];
    desc.kernel_w = t->w.kernel[2];
    desc.stride = t->w.stride[0];
    desc.stride_h = t->w.stride[1];
    desc.stride_w = t->w.stride[2];
    desc.dilation = t->w.dilation[0];
    desc.dilation_h = t->w.dilation[1];
    desc.dilation_w = t->w.dilation[2];
    desc.padding = t->w.before[0];
    desc.padding_h = nn__onnx_or_none(t->w.before[1]);
    desc.padding_w = nn__onnx_or_none(t->w.before[2]);
    desc.output_padding = t->more[0];
    desc.output_padding_h = nn__onnx_or_none(t->more[1]);
    desc.output_padding_w = nn__onnx_or_none(t->more[2]);
    desc.groups = (int)nn__onnx_int(n, "group", 1);
    desc.no_bias = !t->bias;
    desc.shared = t->shared;
    return nn_conv_transpose3d_at(n->site, n->net, name, x, &desc);
}

/* Works out what is cut off: pads, or what output_shape and auto_pad leave. A negative number adds
   zeros after y. False: refused. */
static bool nn__onnx_transposed_pads(nn__onnx_node *n, nn__onnx_transposed *t) {
    const char *mode = nn__onnx_string(n, "auto_pad", "NOTSET");
    const bool same = strncmp(mode, "SAME", 4) == 0, upper = strcmp(mode, "SAME_UPPER") == 0;
    const nn_shape shape = nn__onnx_shape(n, 0);
    int32_t wanted[NN__ONNX_RANK];
    const int found = nn__onnx_ints(n, "output_shape", wanted, NN__ONNX_RANK);
    const int count = t->w.count;
    if (found == -2) return false;
    if (found < count && !same) return true;
    for (int i = 0; i < count; i++) {
        const int32_t stride = t->w.stride[i];
        uint8_t powers;
        const int64_t extent = nn__onnx_split_extent(shape.extent[i + 2], &powers);
        const int64_t span = (int64_t)t->w.dilation[i] * (t->w.kernel[i] - 1) + 1 + t->more[i];
        int64_t total = span - stride; /* the padding makes y = x * stride */
        if (found >= count && powers)
            return nn__onnx_refuse(n, "give that extent a number in .extents",
                                   "it has output_shape, and an extent of its input is free");
        if (found >= count) total = stride * (extent - 1) + span - wanted[found - count + i];
        if (total < 0) { /* zeros after y, but onnxruntime lets SAME alone be shorter */
            t->w.before[i] = 0;
            t->w.after[i] = found >= count ? (int32_t)total : 0;
            continue;
        }
        t->w.before[i] = (int32_t)(upper ? total / 2 : total - total / 2);
        t->w.after[i] = (int32_t)(total - t->w.before[i]);
    }
    return true;
}

/* Our layers cut equally before and after, and have output_padding, which is less than a stride or
   a dilation. The rest is cut off or filled with zeros: w->after, front. */
static void nn__onnx_transposed_rest(nn__onnx_transposed *t) {
    nn__onnx_window *w = &t->w;
    for (int i = 0; i < w->count; i++) {
        const int32_t most = (w->stride[i] > w->dilation[i] ? w->stride[i] : w->dilation[i]) - 1;
        int32_t rest = t->more[i] + w->before[i] - w->after[i]; /* what y lacks at its end */
        if (rest > most) {
            t->front[i] = rest - most < w->before[i] ? rest - most : w->before[i];
            w->before[i] -= t->front[i];
            rest -= t->front[i];
        }
        t->more[i] = rest < 0 ? 0 : rest < most ? rest : most;
        w->after[i] = t->more[i] - rest;
    }
}

static nn_node *nn__onnx_transposed_layer(nn__onnx_node *n, nn__onnx_transposed *t, nn_node *x,
                                          const nn__onnx_tensor *weight,
                                          const nn__onnx_tensor *bias) {
    const char *name = nn__onnx_layer(n, 1, bias ? 2 : -1, &t->shared);
    nn_conv_transpose2d_desc desc;
    nn_node *y;
    t->bias = bias != NULL;
    nn__onnx_transposed2d(n, t, &desc);
    y = t->w.count == 1   ? nn__onnx_transposed1d(n, name, x, t)
        : t->w.count == 2 ? nn_conv_transpose2d_at(n->site, n->net, name, x, &desc)
                          : nn__onnx_transposed3d(n, name, x, t);
    if (!t->shared) nn__onnx_load(n, name, "weight", weight, NULL);
    if (!t->shared && bias) nn__onnx_load(n, name, "bias", bias, NULL);
    return y;
}

/* Describes the operation with a computed weight. */
static nn_node *nn__onnx_transposed_with(nn__onnx_node *n, nn__onnx_transposed *t, nn_node *x) {
    nn_conv_transpose2d_desc desc;
    nn_node *weight = nn__onnx_x(n, 1), *y;
    nn__onnx_transposed flat = *t;
    if (t->w.count == 3) {
        nn__onnx_refuse(
            n, "make the weight an initializer",
            "the weight of this transposed convolution in three dimensions is not an initializer");
        return NULL;
    }
    if (t->w.count == 2) {
        nn__onnx_transposed2d(n, t, &desc);
        return nn_functional_conv_transpose2d_at(n->site, n->net, x, weight, NULL, &desc);
    }
    flat.w.kernel[1] = t->w.kernel[0];
    flat.w.stride[1] = t->w.stride[0];
    flat.w.dilation[1] = t->w.dilation[0];
    flat.w.before[1] = t->w.before[0];
    flat.more[1] = t->more[0];
    flat.w.kernel[0] = flat.w.stride[0] = flat.w.dilation[0] = 1;
    flat.w.before[0] = flat.more[0] = 0;
    nn__onnx_transposed2d(n, &flat, &desc);
    y = nn_functional_conv_transpose2d_at(n->site, n->net, nn_unsqueeze_at(n->site, n->net, x, 2),
                                          nn_unsqueeze_at(n->site, n->net, weight, 2), NULL, &desc);
    return nn_squeeze_at(n->site, n->net, y, nn__onnx_one_axis(2));
}

static void nn__onnx_map_conv_transpose(nn__onnx_node *n) {
    const nn__onnx_tensor *weight = nn__onnx_known(n, 1), *bias = nn__onnx_known(n, 2);
    int32_t before[NN_MAX_RANK], after[NN_MAX_RANK];
    nn__onnx_transposed t;
    nn_node *x, *y;
    memset(&t, 0, sizeof t);
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    if (!nn__onnx_window_of(n, &t.w, 1) ||
        !nn__onnx_each(n, "output_padding", 0, t.more, t.w.count) ||
        !nn__onnx_transposed_pads(n, &t))
        return;
    nn__onnx_transposed_rest(&t);
    t.channels = (int)(nn__onnx_shape(n, 1).extent[1] * nn__onnx_int(n, "group", 1));
    x = nn__onnx_x(n, 0);
    for (int i = 0; i < t.w.count; i++) {
        before[i + 2] = -t.front[i];
        after[i + 2] = -t.w.after[i];
    }
    for (int i = 0; i < t.w.count; i++)
        if (t.w.after[i] < 0) bias = NULL; /* the bias is added to the zeros, too */
    y = weight ? nn__onnx_transposed_layer(n, &t, x, weight, bias)
               : nn__onnx_transposed_with(n, &t, x);
    y = nn__onnx_padded(n, y, before, after, 0, NN_PADDING_ZEROS);
    if (nn__onnx_has(n, 2) && (!weight || !bias)) y = nn__onnx_add_bias(n, y, nn__onnx_x(n, 2));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- Col2Im ---------------------------------------------------------------------------------- */

/* The blocks of a Col2Im, of two axes; one axis is an image of one row. */
typedef struct nn__onnx_blocks {
    nn__onnx_transposed t;
    int count; /* of axes in the file */
    int32_t image[3], pads[6], counts[2], before[NN_MAX_RANK], after[NN_MAX_RANK];
    int64_t size, places; /* numbers of a block; number of blocks */
} nn__onnx_blocks;

static bool nn__onnx_blocks_of(nn__onnx_node *n, nn__onnx_blocks *b) {
    nn__onnx_window *w = &b->t.w;
    const int count = nn__onnx_wholes(n, 1, "image_shape", b->image, 3), first = 2 - count;
    memset(&b->t, 0, sizeof b->t);
    if (count < 0) return false;
    if (count < 1 || count > 2 || nn__onnx_rank(n, 0) != 3)
        return nn__onnx_refuse(n, NULL, "its blocks have %d axes; 1 or 2 are supported",
                               (int64_t)count);
    if (nn__onnx_wholes(n, 2, "block_shape", w->kernel + first, count) != count ||
        !nn__onnx_each(n, "strides", 1, w->stride + first, count) ||
        !nn__onnx_each(n, "dilations", 1, w->dilation + first, count) ||
        !nn__onnx_each(n, "pads", 0, b->pads, 2 * count))
        return false;
    if (count == 1) {
        b->image[1] = b->image[0];
        b->pads[3] = b->pads[1];
        b->pads[1] = b->pads[0];
        b->image[0] = w->kernel[0] = w->stride[0] = w->dilation[0] = 1;
        b->pads[0] = b->pads[2] = 0;
    }
    b->count = count;
    w->count = 2;
    b->size = b->places = 1;
    for (int i = 0; i < 2; i++) {
        const int64_t span = (int64_t)w->dilation[i] * (w->kernel[i] - 1) + 1;
        const int64_t all = (int64_t)b->image[i] + b->pads[i] + b->pads[2 + i];
        b->counts[i] = (int32_t)(w->stride[i] > 0 ? (all - span) / w->stride[i] + 1 : 0);
        b->before[i + 2] = -b->pads[i];
        b->after[i + 2] =
            (int32_t)(all - (int64_t)(b->counts[i] - 1) * w->stride[i] - span) - b->pads[2 + i];
        b->size *= w->kernel[i];
        b->places *= b->counts[i];
    }
    return true;
}

/* Describes torch.nn.Fold as a transposed convolution with a group for each channel. Its kernel has
   a one for each place of a block. */
static void nn__onnx_map_col2im(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    int64_t extents[4];
    unsigned char *data;
    nn__onnx_tensor *ones;
    nn_conv_transpose2d_desc desc;
    nn__onnx_blocks b;
    nn_node *x;
    nn_shape grid = shape;
    memset(&b, 0, sizeof b);
    if (!nn__onnx_blocks_of(n, &b)) return;
    if (b.size < 1 || shape.extent[1] < b.size || shape.extent[1] % b.size ||
        b.places != shape.extent[2]) {
        nn__onnx_refuse(n, NULL, "its blocks do not match the size of the image");
        return;
    }
    extents[0] = shape.extent[1];
    extents[1] = 1;
    extents[2] = b.t.w.kernel[0];
    extents[3] = b.t.w.kernel[1];
    ones = nn__onnx_new(n, NN__ONNX_FLOAT, 4, extents, &data);
    for (int64_t i = 0; ones && i < shape.extent[1]; i++)
        nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)(i * b.size + i % b.size), 1);
    b.t.channels = (int)(shape.extent[1] / b.size);
    nn__onnx_transposed2d(n, &b.t, &desc);
    desc.groups = b.t.channels;
    grid.rank = 4;
    grid.extent[2] = b.counts[0];
    grid.extent[3] = b.counts[1];
    x = nn__onnx_reshaped(n, nn__onnx_x(n, 0), grid);
    x = nn_functional_conv_transpose2d_at(n->site, n->net, x, nn__onnx_constant_of(n, ones, NN_F32),
                                          NULL, &desc);
    x = nn__onnx_padded(n, x, b.before, b.after, 0, NN_PADDING_ZEROS);
    if (b.count == 1) x = nn_squeeze_at(n->site, n->net, x, nn__onnx_one_axis(2));
    nn__onnx_give(n, 0, x, nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_conv(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Conv", 1, 0, nn__onnx_map_conv, NULL},
        {"", "ConvTranspose", 1, 0, nn__onnx_map_conv_transpose, NULL},
        {"", "Col2Im", 18, 0, nn__onnx_map_col2im, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
