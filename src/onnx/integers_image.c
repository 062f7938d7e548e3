/* onnx/integers_image.c - convolutions and additions between quantised images as layers of 8-bit
   integers: what is between two roundings of a file becomes one operation, whose numbers are
   never f32. Images have their channels last here. */
#include "onnx/integers_image.h"
#include "onnx/parts.h"

enum {
    NN__ONNX_IMAGE_DEPTH = 65536,       /* most products of a sum */
    NN__ONNX_IMAGE_BIAS_MOST = 1 << 30, /* of a rounded bias */
    NN__ONNX_IMAGE_WEIGHTS = 8192       /* with as many, a convolution alone becomes integers */
};

/* ---- images ---------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE nn_node *nn__onnx_image_node(nn__onnx_node *n, struct nn__onnx_bytes_of *of) {
    static const int last[] = {0, 2, 3, 1};
    if (!of->image) of->image = nn__onnx_ordered(n, nn__onnx_bytes_node(n, of), last, 4);
    return of->image;
}

NN__ONNX_PRIVATE void nn__onnx_load_wholes(nn__onnx_node *n, const char *layer, const char *part,
                                           const int32_t *numbers, int32_t rank,
                                           const int64_t *extents) {
    unsigned char *data;
    nn__onnx_tensor *made = nn__onnx_new(n, NN__ONNX_INT32, rank, extents, &data);
    if (!made) return;
    for (uint64_t i = 0; i < made->count; i++)
        nn__onnx_put_whole(data, NN__ONNX_INT32, i, numbers[i]);
    nn__onnx_load_buffer(n, layer, part, made);
}

NN__ONNX_PRIVATE void nn__onnx_give_image(nn__onnx_node *n, const char *layer, nn_node *image,
                                          const struct nn__onnx_bytes_of *range, bool real) {
    const double offset = nn__onnx_byte_offset(range->type);
    const int64_t two = 2;
    nn_quantize_per_tensor_desc desc;
    struct nn__onnx_bytes_of *of = (struct nn__onnx_bytes_of *)nn__onnx_scratch(n, sizeof *of);
    char text[2 * NN_NAME_BYTES];
    unsigned char *data;
    nn__onnx_tensor *scale = nn__onnx_new(n, NN__ONNX_FLOAT, 1, &two, &data);
    const char *name;
    if (!of || !scale || !image) return;
    memset(text, 0, sizeof text);
    strncpy(text, layer, NN_NAME_BYTES);
    memcpy(text + strlen(text), "_y", sizeof "_y");
    name = nn__onnx_unique(n->walk, text);
    if (!name) return;
    memset(&desc, 0, sizeof desc);
    desc.channels_last = true;
    of->type = range->type;
    of->known = true;
    of->exact = true;
    of->numbers[0] = range->numbers[0];
    of->numbers[1] = range->numbers[1];
    of->image = image;
    of->x = nn_dequantize_at(n->site, n->net, name, image, &desc);
    nn__onnx_put_real(data, NN__ONNX_FLOAT, 0, of->numbers[0]);
    nn__onnx_put_real(data, NN__ONNX_FLOAT, 1, of->numbers[1] - offset);
    nn__onnx_load_buffer(n, name, "scale", scale);
    nn__onnx_give(n, 0, of->x, real ? nn__onnx_dtype(n, 0) : of->type);
    n->results[0]->bytes = of;
    n->results[0]->is_real = real;
}

/* ---- the pattern ----------------------------------------------------------------------------- */

NN__ONNX_PRIVATE const nn__onnx_op *nn__onnx_image_source(const nn__onnx_walk *walk,
                                                          const nn__onnx_scope *scope,
                                                          const char *name, const char *type) {
    const nn__onnx_op *op = nn__onnx_made_by(scope, name, type);
    return op && op->input_count > 0 && nn__onnx_uses(walk, name) == 1 ? op : NULL;
}
static void nn__onnx_image_input(nn__onnx_pattern *pattern, int input, const nn__onnx_op *op,
                                 int operand) {
    if (operand >= op->input_count || !*op->inputs[operand]) return;
    pattern->inputs[input] = op->inputs[operand];
    pattern->kind |= 1 << input;
}

NN__ONNX_PRIVATE bool nn__onnx_image_range(const nn__onnx_pattern *pattern,
                                           const nn__onnx_scope *scope,
                                           struct nn__onnx_bytes_of *range) {
    const nn__onnx_value *zero = nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_ZERO);
    memset(range, 0, sizeof *range);
    range->type = NN__ONNX_UINT8;
    if (!nn__onnx_one_number(nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_SCALE),
                             &range->numbers[0]))
        return false;
    range->numbers[0] = (double)(float)range->numbers[0];
    if (nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_ZERO)) {
        if (!nn__onnx_one_number(zero, &range->numbers[1])) return false;
        range->type = zero->dtype;
    }
    return nn__onnx_is_byte(range->type) && range->numbers[0] > 0 && range->numbers[0] <= 3e38;
}
/* Returns a number in the scale of the result, from -128 to 127. */
static int32_t nn__onnx_image_limit(const struct nn__onnx_bytes_of *range, double number) {
    const double whole = rint(number / range->numbers[0]) + range->numbers[1] -
                         nn__onnx_byte_offset(range->type);
    return (int32_t)(whole < -128 ? -128 : whole > 127 ? 127 : whole);
}
NN__ONNX_PRIVATE bool nn__onnx_image_limits(const nn__onnx_pattern *pattern,
                                            const nn__onnx_scope *scope,
                                            const struct nn__onnx_bytes_of *range,
                                            int32_t *limits) {
    limits[0] = nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_RELU)
                    ? nn__onnx_image_limit(range, 0)
                    : -128;
    limits[1] = 127;
    for (int i = 0; i < 2; i++) {
        const int input = i ? NN__ONNX_IMAGE_MAX : NN__ONNX_IMAGE_MIN;
        double number;
        if (!nn__onnx_image_has(pattern->kind, input)) continue;
        if (!nn__onnx_one_number(nn__onnx_input_of(pattern, scope, input), &number) ||
            !(number >= -3e38 && number <= 3e38))
            return false;
        limits[i] = nn__onnx_image_limit(range, number);
    }
    return limits[0] <= limits[1];
}

NN__ONNX_PRIVATE struct nn__onnx_bytes_of *nn__onnx_image_of(const nn__onnx_value *value) {
    struct nn__onnx_bytes_of *of = value ? value->bytes : NULL;
    if (!of || !value->is_real || !of->known || nn_node_shape(value->node).rank != 4) return NULL;
    for (int i = 1; i < 4; i++)
        if (nn_node_shape(value->node).extent[i] < 1) return NULL;
    return of;
}

/* ---- convolutions ---------------------------------------------------------------------------- */

typedef struct nn__onnx_image_conv {
    nn__onnx_byte_conv weights;
    nn_conv2d_desc desc;
    double x_scale;
} nn__onnx_image_conv;

NN__ONNX_PRIVATE bool nn__onnx_image_list(const nn__onnx_op *op, const char *name, int count,
                                          int64_t absent, int *to) {
    const nn__onnx_attribute *list = nn__onnx_own_attribute(op, name);
    if (list && (*list->reference || list->type != 7 || list->count != (uint32_t)count))
        return false;
    for (int i = 0; i < count; i++) {
        const int64_t number = list ? list->wholes[i] : absent;
        if (number < 0 || number > NN__ONNX_WIDEST) return false;
        to[i] = (int)number;
    }
    return true;
}

/* Reads the attributes. False: it is no convolution that an integer layer computes. */
static bool nn__onnx_image_window(const nn__onnx_op *op, const nn_shape *x,
                                  const nn__onnx_tensor *w, nn_conv2d_desc *desc) {
    const nn__onnx_attribute *automatic = nn__onnx_own_attribute(op, "auto_pad"),
                             *group = nn__onnx_own_attribute(op, "group");
    int kernel[2], stride[2], dilation[2], pads[4];
    const int64_t groups = group ? group->whole : 1;
    memset(desc, 0, sizeof *desc);
    if ((automatic && (*automatic->reference || strcmp(automatic->text, "NOTSET") != 0)) ||
        (group && *group->reference) || w->rank != 4 || groups < 1 ||
        !nn__onnx_image_list(op, "kernel_shape", 2, 0, kernel) ||
        !nn__onnx_image_list(op, "strides", 2, 1, stride) ||
        !nn__onnx_image_list(op, "dilations", 2, 1, dilation) ||
        !nn__onnx_image_list(op, "pads", 4, 0, pads))
        return false;
    if (groups > x->extent[1] || w->extent[1] * groups != x->extent[1] ||
        w->extent[0] % groups != 0 ||
        w->extent[1] * w->extent[2] * w->extent[3] > NN__ONNX_IMAGE_DEPTH)
        return false;
    for (int i = 0; i < 2; i++) {
        const int64_t span = dilation[i] * (w->extent[2 + i] - 1) + 1;
        if ((kernel[i] != 0 && kernel[i] != w->extent[2 + i]) || stride[i] < 1 ||
            dilation[i] < 1 || (int64_t)x->extent[2 + i] + pads[i] + pads[2 + i] < span ||
            pads[i] >= span || pads[2 + i] >= span)
            return false;
    }
    desc->out_channels = (int)w->extent[0];
    desc->kernel_h = (int)w->extent[2], desc->kernel_w = (int)w->extent[3];
    desc->stride_h = stride[0], desc->stride_w = stride[1];
    desc->dilation_h = dilation[0], desc->dilation_w = dilation[1];
    desc->padding_h = nn__onnx_or_none(pads[0]), desc->padding_w = nn__onnx_or_none(pads[1]);
    desc->padding_bottom = nn__onnx_or_none(pads[2]);
    desc->padding_right = nn__onnx_or_none(pads[3]);
    desc->groups = (int)groups;
    return true;
}

NN__ONNX_PRIVATE int32_t nn__onnx_image_factor(double factor) {
    const double whole = rint(factor * 2147483648.0);
    if (!(whole >= 32768.0 && whole < 2147483648.0)) return 0;
    return ((int32_t)whole & 0x1fffff) != 0 ? (int32_t)whole : 0;
}

/* Returns the scale of the sums of channel k. */
static float nn__onnx_image_unit(const nn__onnx_image_conv *c, uint64_t k) {
    const nn__onnx_tensor *scale = c->weights.scale;
    return (float)c->x_scale * (float)nn__onnx_real(scale, scale->count > 1 ? k : 0);
}
static int32_t nn__onnx_image_conv_factor(const nn__onnx_image_conv *c, double y_scale,
                                          uint64_t k) {
    const float factor = nn__onnx_image_unit(c, k) / (float)y_scale;
    return nn__onnx_image_factor((double)factor);
}

/* Gives the bias in the scales of the sums. Floats are rounded, halves to even, as onnxruntime
   rounds them. to: NULL: only checks. False: there is no such bias, or it is too large. */
static bool nn__onnx_image_bias(const nn__onnx_tensor *bias, const nn__onnx_image_conv *c,
                                int32_t *to) {
    const nn__onnx_tensor *whole = nn__onnx_whole_bias(bias, &c->weights, c->x_scale);
    const uint64_t count = (uint64_t)c->weights.outputs;
    if (!whole && (!bias || bias->origin || bias->dtype != NN__ONNX_FLOAT || bias->rank != 1 ||
                   bias->count != count || !bias->data || bias->powers || bias->uniform))
        return false;
    for (uint64_t k = 0; k < count; k++) {
        const double number =
            whole ? nn__onnx_real(whole, k)
                  : rint((double)((float)nn__onnx_real(bias, k) / nn__onnx_image_unit(c, k)));
        if (!whole && !(fabs(number) <= (double)NN__ONNX_IMAGE_BIAS_MOST)) return false;
        if (to) to[k] = (int32_t)number;
    }
    return true;
}

static bool nn__onnx_image_conv_of(const nn__onnx_pattern *pattern, const nn__onnx_value *x,
                                   const nn__onnx_value *w, const nn__onnx_value *bias,
                                   const struct nn__onnx_bytes_of *range,
                                   nn__onnx_image_conv *conv) {
    const struct nn__onnx_bytes_of *of = nn__onnx_image_of(x);
    const struct nn__onnx_origin *origin = w && w->known ? w->known->origin : NULL;
    nn__onnx_byte_conv *c = &conv->weights;
    nn_shape shape;
    memset(conv, 0, sizeof *conv);
    if (!of || !origin || !origin->scale || (origin->scale->count > 1 && origin->axis != 0))
        return false;
    c->w = origin->x;
    c->scale = origin->scale;
    c->zero = origin->zero;
    c->outputs = c->w->extent[0];
    conv->x_scale = of->numbers[0];
    shape = nn_node_shape(x->node);
    if (!nn__onnx_image_window(pattern->named, &shape, c->w, &conv->desc) ||
        !nn__onnx_conv_weight(c) ||
        (nn__onnx_image_has(pattern->kind, NN__ONNX_IMAGE_BIAS) &&
         (!bias || !nn__onnx_image_bias(bias->known, conv, NULL))))
        return false;
    for (int64_t k = 0; k < c->outputs; k++)
        if (nn__onnx_image_conv_factor(conv, range->numbers[0], (uint64_t)k) == 0) return false;
    return true;
}

/* True if all that reads a value has one of these operators, up to NULL. */
static bool nn__onnx_image_readers(const nn__onnx_scope *scope, const char *name,
                                   const char *const *types,
                                   bool (*further)(const nn__onnx_scope *, const nn__onnx_op *)) {
    const nn__onnx_graph *graph = scope->graph;
    for (int32_t i = 0; i < graph->op_count; i++) {
        const nn__onnx_op *op = graph->ops + i;
        bool reads = false, listed = false;
        for (int32_t k = 0; k < op->input_count; k++)
            reads = reads || strcmp(op->inputs[k], name) == 0;
        if (!reads) continue;
        for (int k = 0; types[k]; k++) listed = listed || strcmp(op->type, types[k]) == 0;
        if (!listed || *op->domain || (further && !further(scope, op))) return false;
    }
    return true;
}
static bool nn__onnx_image_goes_on(const nn__onnx_scope *scope, const nn__onnx_op *op) {
    static const char *const types[] = {"Conv",   "Add", "MaxPool", "AveragePool", "ReduceMean",
                                        "GlobalAveragePool", "Concat", NULL};
    return op->output_count == 1 &&
           nn__onnx_image_readers(scope, op->outputs[0], types, NULL);
}

/* Conversions between f32 and integers take longer than a small convolution saves. So one side of
   it must be an image of integers anyway. */
static bool nn__onnx_image_pays(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope,
                                const nn__onnx_image_conv *conv) {
    static const char *const types[] = {"DequantizeLinear", NULL};
    const struct nn__onnx_bytes_of *of =
        nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_X)->bytes;
    return of->image ||
           (conv->desc.groups == 1 && conv->weights.w->count >= NN__ONNX_IMAGE_WEIGHTS) ||
           nn__onnx_image_readers(scope, pattern->last->outputs[0], types, nn__onnx_image_goes_on);
}

static bool nn__onnx_image_conv_fits(const nn__onnx_pattern *pattern,
                                     const nn__onnx_scope *scope) {
    nn__onnx_image_conv conv;
    struct nn__onnx_bytes_of range;
    int32_t limits[2];
    return nn__onnx_image_range(pattern, scope, &range) &&
           nn__onnx_image_limits(pattern, scope, &range, limits) &&
           nn__onnx_image_conv_of(pattern, nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_X),
                                  nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_W),
                                  nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_BIAS), &range,
                                  &conv) &&
           nn__onnx_image_pays(pattern, scope, &conv);
}

/* Loads the weights in the order of an integer layer: (K, R, S, C / groups), or (R, S, K) if each
   channel has a window of its own. */
static void nn__onnx_load_image_weight(nn__onnx_node *n, const char *name,
                                       const nn__onnx_image_conv *conv, int32_t channels) {
    const nn__onnx_tensor *w = conv->weights.w;
    const unsigned char flip = w->dtype == NN__ONNX_UINT8 ? 128 : 0;
    const int64_t K = w->extent[0], C = w->extent[1], taps = w->extent[2] * w->extent[3];
    const bool apart = conv->desc.groups > 1 && C == 1 && K == channels;
    int64_t extents[4];
    unsigned char *data;
    nn__onnx_tensor *made;
    extents[0] = apart ? w->extent[2] : K;
    extents[1] = apart ? w->extent[3] : w->extent[2];
    extents[2] = apart ? K : w->extent[3];
    extents[3] = C;
    made = nn__onnx_new(n, NN__ONNX_INT8, apart ? 3 : 4, extents, &data);
    if (!made) return;
    made->name = w->name;
    for (int64_t k = 0; k < K; k++)
        for (int64_t c = 0; c < C; c++)
            for (int64_t tap = 0; tap < taps; tap++)
                data[apart ? tap * K + k : (k * taps + tap) * C + c] =
                    (unsigned char)(w->data[(k * C + c) * taps + tap] ^ flip);
    nn__onnx_load_buffer(n, name, "weight", made);
}

NN__ONNX_PRIVATE nn__onnx_pattern nn__onnx_image_again(const nn__onnx_node *n) {
    nn__onnx_pattern pattern;
    memset(&pattern, 0, sizeof pattern);
    pattern.named = n->op;
    pattern.kind = n->pattern_kind;
    pattern.count = n->operand_count;
    for (int i = 0; i < pattern.count; i++) pattern.inputs[i] = n->pattern_inputs[i];
    return pattern;
}

static void nn__onnx_map_image_conv(nn__onnx_node *n) {
    const nn__onnx_pattern pattern = nn__onnx_image_again(n);
    nn__onnx_image_conv conv;
    struct nn__onnx_bytes_of range, *x = n->operands[NN__ONNX_IMAGE_X]->bytes;
    const char *name;
    int32_t zero[4], *factor;
    int64_t extents[2];
    bool shared;
    nn_node *y;
    nn__onnx_image_range(&pattern, n->scope, &range);
    nn__onnx_image_limits(&pattern, n->scope, &range, zero + 2);
    if (!nn__onnx_image_conv_of(&pattern, n->operands[NN__ONNX_IMAGE_X],
                                n->operands[NN__ONNX_IMAGE_W], n->operands[NN__ONNX_IMAGE_BIAS],
                                &range, &conv))
        return;
    extents[0] = 2;
    extents[1] = conv.weights.outputs;
    factor = (int32_t *)nn__onnx_scratch(n, 2 * (uint64_t)extents[1] * sizeof *factor);
    name = nn__onnx_layer(n, NN__ONNX_IMAGE_W,
                          nn__onnx_image_has(pattern.kind, NN__ONNX_IMAGE_BIAS)
                              ? NN__ONNX_IMAGE_BIAS
                              : -1,
                          &shared);
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name || !factor) return;
    y = nn_integer_conv2d_at(n->site, n->net, name, nn__onnx_image_node(n, x), &conv.desc);
    nn__onnx_load_image_weight(n, name, &conv, nn__onnx_shape(n, 0).extent[1]);
    if (nn__onnx_image_has(pattern.kind, NN__ONNX_IMAGE_BIAS)) /* else factor is 0 until now */
        nn__onnx_image_bias(nn__onnx_known(n, NN__ONNX_IMAGE_BIAS), &conv, factor);
    nn__onnx_load_wholes(n, name, "bias", factor, 1, extents + 1);
    for (int64_t k = 0; k < extents[1]; k++)
        factor[k] = nn__onnx_image_conv_factor(&conv, range.numbers[0], (uint64_t)k);
    nn__onnx_load_wholes(n, name, "factor", factor, 2, extents);
    zero[0] = (int32_t)(x->numbers[1] - nn__onnx_byte_offset(x->type));
    zero[1] = (int32_t)(range.numbers[1] - nn__onnx_byte_offset(range.type));
    extents[0] = 4;
    nn__onnx_load_wholes(n, name, "zero", zero, 1, extents);
    nn__onnx_give_image(n, name, y, &range, false);
}

/* ---- additions ------------------------------------------------------------------------------- */

static bool nn__onnx_image_add_fits(const nn__onnx_pattern *pattern, const nn__onnx_scope *scope) {
    const nn__onnx_value *value[2];
    struct nn__onnx_bytes_of range;
    nn_shape a, b;
    int32_t limits[2];
    bool any = false;
    if (!nn__onnx_image_range(pattern, scope, &range) ||
        !nn__onnx_image_limits(pattern, scope, &range, limits))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct nn__onnx_bytes_of *of;
        value[i] = nn__onnx_input_of(pattern, scope, NN__ONNX_IMAGE_X + i);
        of = nn__onnx_image_of(value[i]);
        if (!of) return false;
        any = any || of->image;
    }
    a = nn_node_shape(value[0]->node);
    b = nn_node_shape(value[1]->node);
    return any && memcmp(a.extent, b.extent, 4 * sizeof a.extent[0]) == 0;
}

/* Writes factor = multiplier * 2^(shift - 31), with a multiplier of at least 2^30. */
static void nn__onnx_put_factor(double factor, int32_t *multiplier, int32_t *shift) {
    int exponent;
    double part = floor(frexp(factor, &exponent) * 2147483648.0 + 0.5);
    if (part >= 2147483648.0) part /= 2, exponent++;
    if (exponent < -31) part = 0, exponent = 0;
    if (exponent > 30) part = 2147483647.0, exponent = 30;
    *multiplier = (int32_t)part;
    *shift = exponent;
}

static void nn__onnx_map_image_add(nn__onnx_node *n) {
    const nn__onnx_pattern pattern = nn__onnx_image_again(n);
    struct nn__onnx_bytes_of range, *of[2];
    int32_t numbers[NN_INTEGER_ADDS], *multiplier = numbers + NN_INTEGER_ADD_MULTIPLIER,
                                      *shift = numbers + NN_INTEGER_ADD_SHIFT;
    const int64_t count = NN_INTEGER_ADDS;
    double twice;
    bool shared;
    const char *name = nn__onnx_layer(n, -1, -1, &shared);
    nn_node *image[2], *y;
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name) return;
    nn__onnx_image_range(&pattern, n->scope, &range);
    nn__onnx_image_limits(&pattern, n->scope, &range, numbers + NN_INTEGER_ADD_LOW);
    for (int i = 0; i < 2; i++) {
        of[i] = n->operands[NN__ONNX_IMAGE_X + i]->bytes;
        image[i] = nn__onnx_image_node(n, of[i]);
        numbers[i] = (int32_t)(of[i]->numbers[1] - nn__onnx_byte_offset(of[i]->type));
    }
    numbers[2] = (int32_t)(range.numbers[1] - nn__onnx_byte_offset(range.type));
    twice = 2 * (of[0]->numbers[0] > of[1]->numbers[0] ? of[0]->numbers[0] : of[1]->numbers[0]);
    for (int i = 0; i < 2; i++)
        nn__onnx_put_factor(of[i]->numbers[0] / twice, multiplier + i, shift + i);
    nn__onnx_put_factor(twice / (1048576.0 * range.numbers[0]), multiplier + 2, shift + 2);
    y = nn_integer_add_at(n->site, n->net, name, image[0], image[1]);
    nn__onnx_load_wholes(n, name, "numbers", numbers, 1, &count);
    nn__onnx_give_image(n, name, y, &range, false);
}

/* ---- all of them ----------------------------------------------------------------------------- */

NN__ONNX_PRIVATE bool nn__onnx_find_image(const nn__onnx_walk *walk, const nn__onnx_scope *scope,
                                          const nn__onnx_op *op, nn__onnx_pattern *pattern) {
    const nn__onnx_op *clip = NULL, *source;
    const char *name;
    if (strcmp(op->type, "QuantizeLinear") != 0 || op->input_count < 2 ||
        nn__onnx_own_attribute(op, "output_dtype") || nn__onnx_own_attribute(op, "block_size") ||
        nn__onnx_own_attribute(op, "precision"))
        return false;
    name = op->inputs[0];
    nn__onnx_image_input(pattern, NN__ONNX_IMAGE_SCALE, op, 1);
    nn__onnx_image_input(pattern, NN__ONNX_IMAGE_ZERO, op, 2);
    source = nn__onnx_image_source(walk, scope, name, "Relu");
    if (source) {
        pattern->kind |= 1 << NN__ONNX_IMAGE_RELU;
    } else {
        source = clip = nn__onnx_image_source(walk, scope, name, "Clip");
        if (clip && clip->attribute_count > 0) return false; /* its limits were attributes once */
    }
    if (clip) {
        nn__onnx_image_input(pattern, NN__ONNX_IMAGE_MIN, clip, 1);
        nn__onnx_image_input(pattern, NN__ONNX_IMAGE_MAX, clip, 2);
    }
    if (source) name = source->inputs[0];
    source = nn__onnx_image_source(walk, scope, name, "Conv");
    pattern->map = nn__onnx_map_image_conv;
    pattern->fits = nn__onnx_image_conv_fits;
    if (!source) {
        source = nn__onnx_image_source(walk, scope, name, "Add");
        pattern->map = nn__onnx_map_image_add;
        pattern->fits = nn__onnx_image_add_fits;
    }
    if (!source || source->input_count < 2 || !*source->inputs[0] || !*source->inputs[1]) {
        source = nn__onnx_find_image_pool(walk, scope, name, pattern);
        if (!source) return false;
    }
    for (int i = 0; i < 3; i++) nn__onnx_image_input(pattern, NN__ONNX_IMAGE_X + i, source, i);
    pattern->named = source;
    pattern->last = op;
    if (pattern->count < NN__ONNX_IMAGE_INPUTS) pattern->count = NN__ONNX_IMAGE_INPUTS;
    for (int i = 0; i < pattern->count; i++)
        if (!pattern->inputs[i]) pattern->inputs[i] = source->inputs[0];
    return true;
}
