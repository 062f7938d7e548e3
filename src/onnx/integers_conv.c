/* onnx/integers_conv.c - Conv between quantised values, ConvInteger and QLinearConv as convolutions
   of 8-bit integers. */
#include "onnx/integers.h"

enum {
    NN__ONNX_PLACES = 16, /* with fewer, most lanes of a kernel are empty */
    NN__ONNX_WEIGHTS = 8192 /* with fewer, rounding costs more time than VNNI saves */
};

static bool nn__onnx_of_channels(const nn__onnx_tensor *numbers, int64_t count) {
    return !numbers || (numbers->data && !numbers->powers && !numbers->uniform &&
                        (numbers->count == 1 || numbers->count == (uint64_t)count));
}

NN__ONNX_PRIVATE bool nn__onnx_conv_weight(const nn__onnx_byte_conv *c) {
    const double offset = c->w->dtype == NN__ONNX_UINT8 ? 128 : 0;
    if ((c->w->dtype != NN__ONNX_UINT8 && c->w->dtype != NN__ONNX_INT8) || !c->w->data ||
        c->w->powers || c->w->uniform || c->w->count == 0 || c->w->count > NN__ONNX_FOLDED / 4 ||
        !nn__onnx_of_channels(c->scale, c->w->extent[0]) ||
        !nn__onnx_of_channels(c->zero, c->w->extent[0]) || (!c->zero && offset > 0) ||
        (c->zero && c->zero->dtype != c->w->dtype))
        return false;
    for (uint64_t k = 0; c->zero && k < c->zero->count; k++)
        if (nn__onnx_real(c->zero, k) != offset) return false;
    return true;
}

/* Completes c, whose weight, scale and zero point are set. `weight`: its operand. */
static bool nn__onnx_conv_fits(nn__onnx_node *n, nn__onnx_byte_conv *c, int weight) {
    const nn_shape x = nn__onnx_shape(n, 0);
    const int axes = x.rank - 2;
    int64_t places = 1;
    if (!c->w || c->w->rank != x.rank || c->w->count < NN__ONNX_WEIGHTS || axes < 1 || axes > 2 ||
        nn__onnx_int(n, "group", 1) != 1 || c->w->extent[1] != x.extent[1] ||
        !nn__onnx_conv_weight(c) || !nn__onnx_window_of(n, &c->window, weight))
        return false;
    c->outputs = c->w->extent[0];
    c->in = c->w->extent[1];
    for (int i = 0; i < axes; i++) {
        const int64_t span = (int64_t)c->window.dilation[i] * (c->window.kernel[i] - 1) + 1,
                      all = (int64_t)x.extent[2 + i] + c->window.before[i] + c->window.after[i];
        if (x.extent[2 + i] < 1 || all < span || c->window.before[i] < 0 ||
            c->window.after[i] < 0 || c->window.before[i] >= span || c->window.after[i] >= span)
            return false;
        c->out[i] = (int32_t)((all - span) / c->window.stride[i] + 1);
        places *= c->out[i];
    }
    return places >= NN__ONNX_PLACES;
}

static void nn__onnx_load_conv(nn__onnx_node *n, const char *name, const nn__onnx_byte_conv *c) {
    const unsigned char flip = c->w->dtype == NN__ONNX_UINT8 ? 128 : 0;
    unsigned char *data, *scales;
    nn__onnx_tensor *made, *scale;
    made = nn__onnx_new(n, NN__ONNX_INT8, c->w->rank, c->w->extent, &data);
    scale = nn__onnx_new(n, NN__ONNX_FLOAT, 1, &c->outputs, &scales);
    if (!made || !scale) return;
    made->name = c->w->name;
    for (uint64_t i = 0; i < c->w->count; i++) data[i] = (unsigned char)(c->w->data[i] ^ flip);
    for (uint64_t k = 0; k < scale->count; k++)
        nn__onnx_put_real(scales, NN__ONNX_FLOAT, k,
                          c->scale ? nn__onnx_real(c->scale, c->scale->count > 1 ? k : 0) : 1);
    nn__onnx_load_buffer(n, name, "weight", made);
    nn__onnx_load_buffer(n, name, "weight_scale", scale);
}

NN__ONNX_PRIVATE const nn__onnx_tensor *nn__onnx_whole_bias(const nn__onnx_tensor *bias,
                                                            const nn__onnx_byte_conv *c,
                                                            double x_scale) {
    const struct nn__onnx_origin *origin = bias ? bias->origin : NULL;
    if (!origin || origin->x->dtype != NN__ONNX_INT32 || origin->x->rank != 1 ||
        origin->x->count != (uint64_t)c->outputs || origin->x->uniform || origin->x->powers ||
        !nn__onnx_of_channels(origin->scale, c->outputs) || !c->scale)
        return NULL;
    for (uint64_t k = 0; k < origin->x->count; k++) {
        const double sums = x_scale * nn__onnx_real(c->scale, c->scale->count > 1 ? k : 0),
                     own = nn__onnx_real(origin->scale, origin->scale->count > 1 ? k : 0);
        const uint64_t at = origin->zero && origin->zero->count > 1 ? k : 0;
        if (!(fabs(own - sums) <= 1e-6 * sums) ||
            (origin->zero && nn__onnx_real(origin->zero, at) != 0))
            return NULL;
    }
    return origin->x;
}

/* Describes the layer for the bytes of operand 0. x_scale: 0 if it is not known. */
static nn_node *nn__onnx_bytes_conv(nn__onnx_node *n, const nn__onnx_byte_conv *c, nn_node *bytes,
                                    nn_node *range, int weight, int bias, double x_scale) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const bool flat = shape.rank == 3;
    const int w = flat ? 0 : 1; /* the axis of `window` that is our width */
    const nn__onnx_tensor *whole = nn__onnx_whole_bias(nn__onnx_known(n, bias), c, x_scale);
    nn_quantized_conv2d_desc desc;
    int32_t extents[4];
    bool shared;
    const char *name = nn__onnx_layer(n, weight, bias, &shared);
    nn_node *y;
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = (int)c->outputs;
    desc.kernel_h = flat ? 1 : c->window.kernel[0];
    desc.kernel_w = c->window.kernel[w];
    desc.stride_h = flat ? 1 : c->window.stride[0];
    desc.stride_w = c->window.stride[w];
    desc.padding_h = nn__onnx_or_none(flat ? 0 : c->window.before[0]);
    desc.padding_w = nn__onnx_or_none(c->window.before[w]);
    desc.dilation_h = flat ? 1 : c->window.dilation[0];
    desc.dilation_w = c->window.dilation[w];
    desc.out_h = flat ? 1 : c->out[0];
    desc.out_w = c->out[w];
    desc.bias = whole != NULL;
    nn__onnx_load_conv(n, name, c);
    if (whole) nn__onnx_load_buffer(n, name, "bias", whole);
    extents[0] = shape.extent[0];
    extents[1] = shape.extent[1];
    extents[2] = 1;
    extents[3] = shape.extent[2];
    if (flat) bytes = nn__onnx_shaped(n, bytes, 4, extents);
    y = nn_quantized_conv2d_at(n->site, n->net, name, bytes, range, &desc);
    extents[1] = (int32_t)c->outputs;
    extents[2] = c->out[0];
    if (flat) y = nn__onnx_shaped(n, y, 3, extents);
    return nn__onnx_has(n, bias) && !whole ? nn__onnx_add_bias(n, y, nn__onnx_x(n, bias)) : y;
}

NN__ONNX_PRIVATE bool nn__onnx_integer_conv(nn__onnx_node *n) {
    const nn__onnx_value *x = nn__onnx_has(n, 0) ? n->operands[0] : NULL;
    const nn__onnx_tensor *known = nn__onnx_known(n, 1);
    const struct nn__onnx_origin *origin = known ? known->origin : NULL;
    nn__onnx_byte_conv c;
    nn_node *bytes;
    if (!x || !x->bytes || !x->is_real || !origin) return false;
    memset(&c, 0, sizeof c);
    c.w = origin->x;
    c.scale = origin->scale;
    c.zero = origin->zero;
    if ((origin->scale->count > 1 && origin->axis != 0) || !nn__onnx_conv_fits(n, &c, 1))
        return false;
    bytes = nn__onnx_bytes_node(n, x->bytes);
    nn__onnx_give(n, 0,
                  nn__onnx_bytes_conv(n, &c, bytes, x->bytes->range, 1, 2,
                                      x->bytes->known ? x->bytes->numbers[0] : 0),
                  nn__onnx_dtype(n, 0));
    return true;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_integer_conv_sum(nn__onnx_node *n, int xz, int weight, int wz) {
    const nn__onnx_type type = nn__onnx_dtype(n, 0);
    nn__onnx_byte_conv c;
    nn_node *bytes, *range;
    if (!nn__onnx_has(n, 0) || nn__onnx_known(n, 0) ||
        (type != NN__ONNX_UINT8 && type != NN__ONNX_INT8) ||
        (nn__onnx_has(n, wz) && !nn__onnx_known(n, wz)))
        return NULL;
    memset(&c, 0, sizeof c);
    c.w = nn__onnx_known(n, weight);
    c.zero = nn__onnx_known(n, wz);
    if (!nn__onnx_conv_fits(n, &c, weight)) return NULL;
    bytes = nn__onnx_operand_bytes(n, 0, xz, &range);
    return bytes ? nn__onnx_bytes_conv(n, &c, bytes, range, weight, -1, 0) : NULL;
}
