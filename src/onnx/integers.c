/* onnx/integers.c - quantised values and their products as layers of 8-bit integers:
   nn_onnx_integers. */
#include "onnx/integers.h"
#include "onnx/parts.h"

typedef struct nn__onnx_bytes_of nn__onnx_bytes_of;

/* ---- quantised values ------------------------------------------------------------------------ */

/* Returns the scale and the zero point as a constant. */
static nn_node *nn__onnx_range_node(nn__onnx_node *n, double scale, double zero) {
    float numbers[2];
    nn_shape pair;
    memset(&pair, 0, sizeof pair);
    pair.rank = 1;
    pair.extent[0] = 2;
    numbers[0] = (float)scale;
    numbers[1] = (float)zero;
    return nn__onnx_constant(n, numbers, pair);
}

/* Returns a computed scale and zero point as one node. */
static nn_node *nn__onnx_range_of(nn__onnx_node *n, nn_node *scale, nn_node *zero) {
    nn_node *both[2];
    nn_nodes list;
    nn_shape one;
    memset(&one, 0, sizeof one);
    one.rank = 1;
    one.extent[0] = 1;
    both[0] = nn__onnx_reshaped(n, scale, one);
    both[1] = nn__onnx_reshaped(n, zero, one);
    list.node = both;
    list.count = 2;
    return nn_concat_at(n->site, n->net, list, 0);
}

NN__ONNX_PRIVATE nn_node *nn__onnx_bytes_node(nn__onnx_node *n, nn__onnx_bytes_of *of) {
    if (!of->range)
        of->range = nn__onnx_range_node(n, of->numbers[0],
                                        of->numbers[1] - nn__onnx_byte_offset(of->type));
    if (!of->bytes && of->image) {
        static const int first[] = {0, 3, 1, 2};
        of->bytes = nn__onnx_ordered(n, of->image, first, 4);
    }
    if (!of->bytes) of->bytes = nn_quantize_even_at(n->site, n->net, of->x, of->range);
    return of->bytes;
}

static nn_node *nn__onnx_unit_range(nn__onnx_node *n, nn__onnx_bytes_of *of) {
    const double offset = nn__onnx_byte_offset(of->type);
    if (of->unit) return of->unit;
    of->unit = of->known ? nn__onnx_range_node(n, 1, of->numbers[1] - offset)
                         : nn__onnx_range_of(n, nn__onnx_number_node(n, 1),
                                             nn__onnx_express(n, "z: z - p", of->zero, NULL, NULL,
                                                              offset, 0));
    return of->unit;
}

/* Reads a known scale and zero point after operand 0. */
static bool nn__onnx_one_range(const nn__onnx_node *n, int scale, int zero, double *numbers) {
    numbers[1] = 0;
    if (!nn__onnx_scalar(n, scale, &numbers[0]) || nn__onnx_known(n, scale)->count != 1)
        return false;
    if (nn__onnx_has(n, zero) && (!nn__onnx_scalar(n, zero, &numbers[1]) ||
                                  nn__onnx_known(n, zero)->count != 1))
        return false;
    numbers[0] = (double)(float)numbers[0];
    return numbers[0] > 0 && numbers[0] <= 3e38;
}

/* True for an image of integers with this scale and zero point that was dequantised. */
static bool nn__onnx_same_range(const nn__onnx_value *value, const double *numbers,
                                nn__onnx_type type) {
    const nn__onnx_bytes_of *of = value->bytes;
    return of && value->is_real && of->exact && of->type == type &&
           of->numbers[0] == numbers[0] && of->numbers[1] == numbers[1];
}

static bool nn__onnx_integer_quantise(nn__onnx_node *n) {
    const nn__onnx_type type = nn__onnx_has(n, 2) ? nn__onnx_dtype(n, 2) : NN__ONNX_UINT8;
    nn__onnx_bytes_of *of;
    double numbers[2];
    if (!nn__onnx_is_byte(type) || nn__onnx_int(n, "output_dtype", 0) != 0 ||
        nn__onnx_int(n, "block_size", 0) != 0 || nn__onnx_known(n, 0) ||
        !nn__onnx_one_range(n, 1, 2, numbers) || !nn__onnx_wants(n, 0))
        return false;
    if (nn__onnx_same_range(n->operands[0], numbers, type)) { /* rounding again changes nothing */
        of = n->operands[0]->bytes;
        nn__onnx_give(n, 0, of->x, type);
        n->results[0]->bytes = of;
        n->results[0]->is_real = false;
        return true;
    }
    of = (nn__onnx_bytes_of *)nn__onnx_scratch(n, sizeof *of);
    if (!of) return true;
    of->x = nn__onnx_x(n, 0);
    of->type = type;
    of->known = true;
    of->numbers[0] = numbers[0];
    of->numbers[1] = numbers[1];
    nn__onnx_give(n, 0, of->x, type);
    n->results[0]->bytes = of;
    n->results[0]->is_real = false;
    return true;
}

/* If both operators have the same range, gives the value before the quantisation instead of a
   dequantised one. */
static bool nn__onnx_integer_dequantise(nn__onnx_node *n) {
    nn__onnx_bytes_of *of = nn__onnx_has(n, 0) ? n->operands[0]->bytes : NULL;
    double numbers[2];
    if (!of || n->operands[0]->is_real || !of->known || !nn__onnx_wants(n, 0) ||
        nn__onnx_int(n, "output_dtype", 0) != 0 || !nn__onnx_one_range(n, 1, 2, numbers) ||
        numbers[0] != of->numbers[0] || numbers[1] != of->numbers[1])
        return false;
    nn__onnx_give(n, 0, of->x, nn__onnx_dtype(n, 1));
    n->results[0]->bytes = of;
    n->results[0]->is_real = true;
    return true;
}

NN__ONNX_PRIVATE nn__onnx_bytes_of *nn__onnx_bytes_now(nn__onnx_node *n, nn_node *x) {
    nn__onnx_bytes_of *of = (nn__onnx_bytes_of *)nn__onnx_scratch(n, sizeof *of);
    if (!of) return NULL;
    of->x = x;
    of->type = NN__ONNX_UINT8;
    nn__onnx_range_now(n, x, &of->scale, &of->zero);
    of->range = nn__onnx_range_of(n, of->scale,
                                  nn__onnx_express(n, "z: z - p", of->zero, NULL, NULL, 128, 0));
    return of;
}

static bool nn__onnx_integer_now(nn__onnx_node *n) {
    nn__onnx_bytes_of *of;
    if (!nn__onnx_wants(n, 0)) return false;
    of = nn__onnx_bytes_now(n, nn__onnx_x(n, 0));
    if (!of) return true;
    nn__onnx_give(n, 0, of->x, NN__ONNX_UINT8);
    nn__onnx_give(n, 1, of->scale, NN__ONNX_FLOAT);
    nn__onnx_give(n, 2, of->zero, NN__ONNX_UINT8);
    n->results[0]->bytes = of;
    n->results[0]->is_real = false;
    return true;
}

static nn_node *nn__onnx_integer_form(nn__onnx_node *n, nn__onnx_value *value) {
    nn__onnx_bytes_of *of = value->bytes;
    nn_node *y;
    if (of->exact && value->is_real) return of->x;
    if (!of->scale) of->scale = nn__onnx_number_node(n, of->numbers[0]);
    if (!of->zero) of->zero = nn__onnx_number_node(n, of->numbers[1]);
    y = nn__onnx_quantised(n, of->x, of->scale, of->zero, of->type);
    return value->is_real ? nn__onnx_dequantised(n, y, of->scale, of->zero) : y;
}

/* ---- weights --------------------------------------------------------------------------------- */

/* The 8-bit weight of a layer. */
typedef struct nn__onnx_byte_weight {
    const nn__onnx_tensor *w, *scale, *zero; /* one number, or one for each output; or NULL */
    int out;                                 /* the axis of the outputs: 0 or 1 */
} nn__onnx_byte_weight;

/* True if there is one number, or one for each of `count` outputs. */
static bool nn__onnx_for_outputs(const nn__onnx_tensor *numbers, int64_t count) {
    return !numbers || (numbers->data && !numbers->powers && !numbers->uniform &&
                        (numbers->count == 1 || numbers->count == (uint64_t)count));
}

static bool nn__onnx_weight_fits(const nn__onnx_byte_weight *w, int64_t in) {
    return w->w && w->w->rank == 2 && w->w->data && !w->w->powers && !w->w->uniform &&
           nn__onnx_is_byte(w->w->dtype) && w->w->count > 0 && w->w->count <= NN__ONNX_FOLDED / 4 &&
           w->w->extent[1 - w->out] == in && nn__onnx_for_outputs(w->scale, w->w->extent[w->out]) &&
           nn__onnx_for_outputs(w->zero, w->w->extent[w->out]) &&
           (!w->zero || w->zero->dtype == w->w->dtype);
}

static double nn__onnx_of_output(const nn__onnx_tensor *numbers, int64_t k, double absent) {
    return numbers ? nn__onnx_real(numbers, numbers->count > 1 ? (uint64_t)k : 0) : absent;
}

/* Loads these weights into the layer's buffers. True if they have zero points. */
static bool nn__onnx_load_bytes(nn__onnx_node *n, const char *name, const nn__onnx_byte_weight *w) {
    const double offset = nn__onnx_byte_offset(w->w->dtype);
    const int64_t out = w->w->extent[w->out], in = w->w->extent[1 - w->out];
    unsigned char *data, *scales, *zeros;
    int64_t extents[2];
    nn__onnx_tensor *made, *scale, *zero;
    bool any = false;
    extents[0] = out;
    extents[1] = in;
    made = nn__onnx_new(n, NN__ONNX_INT8, 2, extents, &data);
    scale = nn__onnx_new(n, NN__ONNX_FLOAT, 1, extents, &scales);
    zero = nn__onnx_new(n, NN__ONNX_INT32, 1, extents, &zeros);
    if (!made || !scale || !zero) return false;
    made->name = w->w->name;
    for (int64_t k = 0; k < out; k++) {
        const int64_t from = (int64_t)nn__onnx_of_output(w->zero, k, 0) - (int64_t)offset;
        nn__onnx_put_real(scales, NN__ONNX_FLOAT, (uint64_t)k, nn__onnx_of_output(w->scale, k, 1));
        nn__onnx_put_whole(zeros, NN__ONNX_INT32, (uint64_t)k, from);
        any = any || from != 0;
        for (int64_t c = 0; c < in; c++) {
            const int64_t at = w->out == 0 ? k * in + c : c * out + k;
            /* from 0 to 255 less 128 is the byte with its highest bit inverted */
            data[k * in + c] = (unsigned char)(w->w->data[at] ^ (offset > 0 ? 128 : 0));
        }
    }
    nn__onnx_load_buffer(n, name, "weight", made);
    nn__onnx_load_buffer(n, name, "weight_scale", scale);
    if (any) nn__onnx_load_buffer(n, name, "weight_zero_point", zero);
    return any;
}

/* ---- products -------------------------------------------------------------------------------- */

/* Describes a layer of bytes x without a bias. */
static nn_node *nn__onnx_bytes_layer(nn__onnx_node *n, nn_node *x, nn_node *range, int weight,
                                     const nn__onnx_byte_weight *w, int bias) {
    bool shared;
    const char *name = nn__onnx_layer(n, weight, bias, &shared);
    nn_quantized_linear_desc desc;
    if (shared) name = nn__onnx_unique(n->walk, name);
    if (!name) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.out_features = (int)w->w->extent[w->out];
    desc.no_bias = bias < 0;
    desc.weight_zero_points = nn__onnx_load_bytes(n, name, w);
    if (bias >= 0) nn__onnx_load_buffer(n, name, "bias", nn__onnx_known(n, bias));
    return nn_quantized_linear_at(n->site, n->net, name, x, range, &desc);
}

static bool nn__onnx_integer_linear(nn__onnx_node *n, bool transposed, int bias) {
    const nn__onnx_value *x = nn__onnx_has(n, 0) ? n->operands[0] : NULL;
    const nn__onnx_tensor *known = nn__onnx_known(n, 1);
    const struct nn__onnx_origin *origin = known ? known->origin : NULL;
    nn__onnx_byte_weight w;
    nn_shape shape;
    nn_node *bytes;
    if (!x || !x->bytes || !x->is_real || !origin) return false;
    shape = nn_node_shape(x->node);
    w.w = origin->x;
    w.scale = origin->scale;
    w.zero = origin->zero;
    w.out = transposed ? 0 : 1;
    if (shape.rank < 2 || (origin->scale->count > 1 && origin->axis != w.out) ||
        !nn__onnx_weight_fits(&w, shape.extent[shape.rank - 1]))
        return false;
    bytes = nn__onnx_bytes_node(n, x->bytes);
    nn__onnx_give(n, 0, nn__onnx_bytes_layer(n, bytes, x->bytes->range, 1, &w, bias),
                  nn__onnx_dtype(n, 0));
    return true;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_operand_bytes(nn__onnx_node *n, int a, int az, nn_node **range) {
    nn__onnx_value *value = n->operands[a];
    nn__onnx_bytes_of *of = value->is_real ? NULL : value->bytes;
    double zero = 0;
    const bool one = !nn__onnx_has(n, az) || (nn__onnx_scalar(n, az, &zero) &&
                                              nn__onnx_known(n, az)->count == 1);
    if (of && (of->known ? one && zero == of->numbers[1]
                         : nn__onnx_has(n, az) && n->operands[az]->node == of->zero)) {
        *range = nn__onnx_unit_range(n, of);
        return nn__onnx_bytes_node(n, of);
    }
    if (!one) return NULL;
    *range = nn__onnx_range_node(n, 1, zero - nn__onnx_byte_offset(value->dtype));
    return nn_quantize_even_at(
        n->site, n->net, nn__onnx_x(n, a),
        nn__onnx_range_node(n, 1, -nn__onnx_byte_offset(value->dtype)));
}

static nn_node *nn__onnx_integer_product(nn__onnx_node *n, int a, int az, int b, int bz) {
    nn__onnx_byte_weight w;
    nn_node *bytes, *range;
    nn_shape shape;
    if (!nn__onnx_has(n, a) || nn__onnx_known(n, a) || !nn__onnx_is_byte(nn__onnx_dtype(n, a)) ||
        (nn__onnx_has(n, bz) && !nn__onnx_known(n, bz)))
        return NULL;
    shape = nn__onnx_shape(n, a);
    w.w = nn__onnx_known(n, b);
    w.scale = NULL;
    w.zero = nn__onnx_known(n, bz);
    w.out = 1;
    if (shape.rank < 2 || !nn__onnx_weight_fits(&w, shape.extent[shape.rank - 1])) return NULL;
    bytes = nn__onnx_operand_bytes(n, a, az, &range);
    return bytes ? nn__onnx_bytes_layer(n, bytes, range, b, &w, -1) : NULL;
}

/* The operands are A, B, scale of B, its zero point, bias. A is quantised as it is now. */
static bool nn__onnx_integer_dynamic(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    nn__onnx_byte_weight w;
    nn__onnx_bytes_of *of;
    nn_node *y;
    w.w = nn__onnx_known(n, 1);
    w.scale = nn__onnx_known(n, 2);
    w.zero = nn__onnx_known(n, 3);
    w.out = 1;
    if (nn__onnx_known(n, 0) || !w.scale || (nn__onnx_has(n, 3) && !w.zero) || shape.rank < 2 ||
        !nn__onnx_weight_fits(&w, shape.extent[shape.rank - 1]))
        return false;
    of = nn__onnx_bytes_now(n, nn__onnx_x(n, 0));
    if (!of) return true;
    y = nn__onnx_bytes_layer(n, nn__onnx_bytes_node(n, of), of->range, 1, &w, -1);
    if (y && nn__onnx_has(n, 4)) y = nn_add_at(n->site, n->net, y, nn__onnx_x(n, 4));
    nn__onnx_give(n, 0, y, NN__ONNX_FLOAT);
    return true;
}

/* ---- the call -------------------------------------------------------------------------------- */

NN_API nn_result nn_onnx_integers_at(nn_site site, nn_onnx *file) {
    static const struct nn__onnx_integers integers = {
        nn__onnx_integer_quantise, nn__onnx_integer_dequantise, nn__onnx_integer_now,
        nn__onnx_integer_form,     nn__onnx_integer_linear,     nn__onnx_integer_product,
        nn__onnx_integer_dynamic,  nn__onnx_integer_lstm,       nn__onnx_integer_conv,
        nn__onnx_integer_conv_sum, nn__onnx_integer_max_pool,   nn__onnx_find_image};
    (void)site;
    if (!file) return NN_ERROR_ARGUMENT;
    file->integers = &integers;
    return NN_OK;
}
