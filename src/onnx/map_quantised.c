/* onnx/map_quantised.c - QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear; com.microsoft's
   operators between quantised numbers. */
#include "onnx/integers.h"

/* ---- known numbers --------------------------------------------------------------------------- */

typedef struct nn__onnx_scales {
    const nn__onnx_tensor *x, *scale, *zero;
    int axis;
    uint64_t inner, block, places;
} nn__onnx_scales;

/* Returns the index of the scale of element i. */
static uint64_t nn__onnx_scale_place(const nn__onnx_scales *s, uint64_t i) {
    const uint64_t place = i / s->inner % (uint64_t)s->x->extent[s->axis];
    if (s->scale->count == 1) return 0;
    if (s->block == 0) return place;
    return (i / s->inner / (uint64_t)s->x->extent[s->axis] * s->places + place / s->block) *
               s->inner +
           i % s->inner;
}

/* Reads the scales of known numbers. False: they are not known, too many, or do not fit. */
static bool nn__onnx_known_scales(nn__onnx_node *n, nn__onnx_scales *s) {
    int64_t axis = nn__onnx_int(n, "axis", 1);
    memset(s, 0, sizeof *s);
    s->x = nn__onnx_known(n, 0);
    s->scale = nn__onnx_known(n, 1);
    s->zero = nn__onnx_known(n, 2);
    if (!s->x || !s->scale || (nn__onnx_has(n, 2) && !s->zero)) return false;
    if (!s->x->data || !s->scale->data || s->x->powers || s->x->count == 0 ||
        s->x->count > NN__ONNX_FOLDED / 4 || s->scale->count == 0)
        return false;
    if (s->x->rank == 0) return false;
    if (axis < 0) axis += s->x->rank;
    if (s->scale->count == 1) axis = 0;
    if (axis < 0 || axis >= s->x->rank) return false;
    s->axis = (int)axis;
    s->inner = 1;
    for (int k = s->axis + 1; k < s->x->rank; k++) s->inner *= (uint64_t)s->x->extent[k];
    s->block = (uint64_t)nn__onnx_int(n, "block_size", 0);
    if (s->scale->count > 1 && s->block > 0) {
        if (s->scale->rank != s->x->rank) return false;
        s->places = (uint64_t)s->scale->extent[s->axis];
        for (int k = 0; k < s->x->rank; k++)
            if (k == s->axis ? (uint64_t)s->x->extent[k] > s->places * s->block
                             : s->x->extent[k] != s->scale->extent[k])
                return false;
    } else if (s->scale->count > 1 && s->scale->count != (uint64_t)s->x->extent[s->axis]) {
        return false;
    }
    return !s->zero || (s->zero->data && s->zero->count == s->scale->count);
}

/* Returns the name of an 8-bit weight without the suffix that quantizers add. */
static const char *nn__onnx_plain_name(nn__onnx_node *n, const char *name) {
    static const char tail[] = "_quantized";
    const size_t length = strlen(name), more = sizeof tail - 1;
    if (length <= more || strcmp(name + length - more, tail) != 0) return name;
    return nn__onnx_copy_text(n->walk->call, n->walk->arena, name, length - more);
}

static void nn__onnx_scale_blocks(const nn__onnx_scales *s, unsigned char *data) {
    for (uint64_t i = 0; i < s->x->count; i++) {
        const uint64_t k = nn__onnx_scale_place(s, i);
        const double scale = nn__onnx_real(s->scale, k);
        const double zero = s->zero ? nn__onnx_real(s->zero, k) : 0;
        nn__onnx_put_scaled(data, s->x, i, 1, &zero, &scale, 0);
    }
}

/* Writes known numbers times their scales, which are one, or one for each place of the axis. */
static bool nn__onnx_scale_known(nn__onnx_node *n, const nn__onnx_scales *s, unsigned char *data) {
    const uint64_t places = s->scale->count;
    const uint64_t run = places == 1 ? s->x->count : s->inner == 1 ? places : s->inner;
    double *scales = (double *)nn__onnx_scratch(n, 2 * places * sizeof *scales);
    double *zeros = scales ? scales + places : NULL;
    uint64_t place = 0;
    if (!scales) return false;
    for (uint64_t k = 0; k < places; k++) {
        scales[k] = nn__onnx_real(s->scale, k);
        zeros[k] = s->zero ? nn__onnx_real(s->zero, k) : 0;
    }
    for (uint64_t i = 0; i < s->x->count; i += run) {
        nn__onnx_put_scaled(data, s->x, i, run, zeros + place, scales + place,
                            places > 1 && s->inner == 1);
        if (s->inner > 1) place = place + 1 < places ? place + 1 : 0;
    }
    return true;
}

/* Remembers the 8-bit numbers that a tensor was made of. */
static void nn__onnx_keep_origin(nn__onnx_node *n, nn__onnx_tensor *made,
                                 const nn__onnx_scales *s) {
    struct nn__onnx_origin *origin =
        (struct nn__onnx_origin *)nn__onnx_scratch(n, sizeof *origin);
    if (!origin) return;
    origin->x = s->x;
    origin->scale = s->scale;
    origin->zero = s->zero;
    origin->axis = s->axis;
    made->origin = origin;
}

static bool nn__onnx_fold_dequantise(nn__onnx_node *n) {
    nn__onnx_scales s;
    unsigned char *data;
    nn__onnx_tensor *made;
    if (!nn__onnx_known_scales(n, &s)) return false;
    made = nn__onnx_new(n, NN__ONNX_FLOAT, s.x->rank, s.x->extent, &data);
    if (!made) return true;
    made->name = nn__onnx_plain_name(n, s.x->name);
    if (s.scale->count > 1 && s.block > 0)
        nn__onnx_scale_blocks(&s, data);
    else if (!nn__onnx_scale_known(n, &s, data))
        return true;
    if (n->walk->file->integers && s.block == 0) nn__onnx_keep_origin(n, made, &s);
    nn__onnx_give_known(n, 0, made);
    return true;
}

static nn__onnx_type nn__onnx_quantised_type(const nn__onnx_node *n) {
    const nn__onnx_type wanted = (nn__onnx_type)nn__onnx_int(n, "output_dtype", 0);
    return nn__onnx_has(n, 2) ? nn__onnx_dtype(n, 2) : wanted ? wanted : NN__ONNX_UINT8;
}

static bool nn__onnx_fold_quantise(nn__onnx_node *n) {
    const nn__onnx_type type = nn__onnx_quantised_type(n);
    nn__onnx_scales s;
    unsigned char *data;
    nn__onnx_tensor *made;
    double least, most;
    if (!nn__onnx_limits_of(type, &least, &most) || !nn__onnx_type_size(type) ||
        !nn__onnx_known_scales(n, &s))
        return false;
    made = nn__onnx_new(n, type, s.x->rank, s.x->extent, &data);
    if (!made) return true;
    made->name = s.x->name;
    for (uint64_t i = 0; i < s.x->count; i++) {
        const uint64_t k = nn__onnx_scale_place(&s, i);
        const float ratio = (float)nn__onnx_real(s.x, i) / (float)nn__onnx_real(s.scale, k);
        double number = floor((double)ratio + 0.5);
        if (number - (double)ratio == 0.5 && fmod(number, 2) != 0) number -= 1; /* halves to even */
        number += s.zero ? nn__onnx_real(s.zero, k) : 0;
        nn__onnx_put_whole(data, type, i,
                           (int64_t)(number < least  ? least
                                     : number > most ? most
                                                     : number));
    }
    nn__onnx_give_known(n, 0, made);
    return true;
}

/* ---- computed numbers ------------------------------------------------------------------------ */

/* Returns the axis of the scales; -1 after a refusal. */
static int nn__onnx_scale_axis(nn__onnx_node *n, const nn_shape *shape) {
    if (shape->rank == 0 || nn_shape_count(nn__onnx_shape(n, 1)) == 1) return 0;
    return nn__onnx_axis(n, 1, shape->rank);
}

static void nn__onnx_map_dequantise(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_scale_axis(n, &shape);
    const int block = (int)nn__onnx_int(n, "block_size", 0);
    const nn__onnx_type wanted = (nn__onnx_type)nn__onnx_int(n, "output_dtype", 0);
    const nn__onnx_type from = nn__onnx_dtype(n, 0);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    if (axis < 0 || (integers && integers->dequantise(n))) return;
    if ((int)from >= (int)NN__ONNX_FLOAT8 && from != NN__ONNX_UINT4 && from != NN__ONNX_INT4) {
        nn__onnx_refuse(n, NULL, "it reads dtype %s, which nn.h does not have",
                        nn__onnx_type_name(from));
        return;
    }
    nn__onnx_give(n, 0,
                  nn__onnx_dequantised(
                      n, nn__onnx_x(n, 0), nn__onnx_aligned(n, 1, shape, axis, block),
                      nn__onnx_has(n, 2) ? nn__onnx_aligned(n, 2, shape, axis, block) : NULL),
                  wanted                                  ? wanted
                  : nn__onnx_dtype(n, 1) != NN__ONNX_NONE ? nn__onnx_dtype(n, 1)
                                                          : NN__ONNX_FLOAT);
}

static void nn__onnx_map_quantise(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_scale_axis(n, &shape);
    const int block = (int)nn__onnx_int(n, "block_size", 0);
    const nn__onnx_type type = nn__onnx_quantised_type(n);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    if (axis < 0 || (integers && integers->quantise(n))) return;
    nn__onnx_give(n, 0,
                  nn__onnx_quantised(n, nn__onnx_x(n, 0),
                                     nn__onnx_aligned(n, 1, shape, axis, block),
                                     nn__onnx_aligned(n, 2, shape, axis, block), type),
                  type);
}

static void nn__onnx_map_dynamic_quantise(nn__onnx_node *n) {
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn_node *scale, *zero, *y;
    if (integers && integers->quantise_now(n)) return;
    y = nn__onnx_quantise_now(n, nn__onnx_x(n, 0), &scale, &zero);
    nn__onnx_give(n, 0, y, NN__ONNX_UINT8);
    nn__onnx_give(n, 1, scale, NN__ONNX_FLOAT);
    nn__onnx_give(n, 2, zero, NN__ONNX_UINT8);
}

/* ---- com.microsoft --------------------------------------------------------------------------- */

/* Returns operand i as numbers, with the scale and zero point that follow it. */
static nn_node *nn__onnx_numbers_of(nn__onnx_node *n, int i) {
    const nn_shape shape = nn__onnx_shape(n, i);
    return nn__onnx_dequantised(n, nn__onnx_x(n, i), nn__onnx_aligned(n, i + 1, shape, 1, 0),
                                nn__onnx_has(n, i + 2) ? nn__onnx_aligned(n, i + 2, shape, 1, 0)
                                                       : NULL);
}

/* Quantises numbers by the scale of operand i and the zero point after it, and gives the result. */
static void nn__onnx_give_quantised(nn__onnx_node *n, nn_node *y, int i) {
    const nn_shape shape = nn_node_shape(y);
    const nn__onnx_type type = nn__onnx_dtype(n, nn__onnx_has(n, i + 1) ? i + 1 : 0);
    nn__onnx_give(n, 0,
                  nn__onnx_quantised(n, y, nn__onnx_aligned(n, i, shape, 1, 0),
                                     nn__onnx_aligned(n, i + 1, shape, 1, 0), type),
                  type);
}

static void nn__onnx_map_q_binary(nn__onnx_node *n) {
    nn_node *a = nn__onnx_numbers_of(n, 0), *b = nn__onnx_numbers_of(n, 3);
    nn__onnx_give_quantised(n,
                            strcmp(n->op->type, "QLinearAdd") == 0
                                ? nn_add_at(n->site, n->net, a, b)
                                : nn_multiply_at(n->site, n->net, a, b),
                            6);
}

static void nn__onnx_map_q_unary(nn__onnx_node *n) {
    nn_node *x = nn__onnx_numbers_of(n, 0);
    x = strcmp(n->op->type, "QLinearSigmoid") == 0
            ? nn_sigmoid_at(n->site, n->net, x)
            : nn__onnx_express(n, "x: x < 0 ? x * p : x", x, NULL, NULL,
                               nn__onnx_float(n, "alpha", 0.01), 0);
    nn__onnx_give_quantised(n, x, 3);
}

/* Before opset 13, all axes from this one on count as one axis. */
static void nn__onnx_map_q_softmax(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, -1, shape.rank);
    nn_node *x = nn__onnx_numbers_of(n, 0);
    nn_shape flat = shape;
    if (axis < 0) return;
    if (nn__onnx_int(n, "opset", 13) < 13) {
        flat.rank = axis + 1;
        flat.extent[axis] = nn__onnx_joined(n, &shape, axis, shape.rank);
    }
    x = nn_softmax_over_at(n->site, n->net, nn__onnx_reshaped(n, x, flat), axis);
    nn__onnx_give_quantised(n, nn__onnx_reshaped(n, x, shape), 3);
}

static void nn__onnx_map_q_global_average(nn__onnx_node *n) {
    const int rank = nn__onnx_rank(n, 0);
    const bool last = nn__onnx_int(n, "channels_last", 0) != 0;
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    for (int i = last ? 1 : 2; i < (last ? rank - 1 : rank); i++) axes.axis[axes.count++] = i;
    nn__onnx_give_quantised(
        n, nn_reduce_at(n->site, n->net, NN_MEAN, nn__onnx_numbers_of(n, 0), axes, true), 3);
}

static void nn__onnx_map_q_concat(nn__onnx_node *n) {
    const int count = (n->operand_count - 2) / 3, axis = nn__onnx_axis(n, 0, nn__onnx_rank(n, 2));
    nn_node **parts;
    nn_nodes list;
    if (count < 1 || axis < 0) return;
    parts = (nn_node **)nn__onnx_scratch(n, (uint64_t)count * sizeof *parts);
    for (int i = 0; parts && i < count; i++) parts[i] = nn__onnx_numbers_of(n, 2 + 3 * i);
    if (!parts || n->refused) return;
    list.node = parts;
    list.count = count;
    nn__onnx_give_quantised(n, nn_concat_at(n->site, n->net, list, axis), 0);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_quantised(void) {
    static const char microsoft[] = "com.microsoft";
    static const nn__onnx_operator lines[] = {
        {"", "QuantizeLinear", 10, 0, nn__onnx_map_quantise, nn__onnx_fold_quantise},
        {"", "DequantizeLinear", 10, 0, nn__onnx_map_dequantise, nn__onnx_fold_dequantise},
        {"", "DynamicQuantizeLinear", 11, 0, nn__onnx_map_dynamic_quantise, NULL},
        {microsoft, "QuantizeLinear", 1, 0, nn__onnx_map_quantise, nn__onnx_fold_quantise},
        {microsoft, "DequantizeLinear", 1, 0, nn__onnx_map_dequantise, nn__onnx_fold_dequantise},
        {microsoft, "QLinearAdd", 1, 0, nn__onnx_map_q_binary, NULL},
        {microsoft, "QLinearMul", 1, 0, nn__onnx_map_q_binary, NULL},
        {microsoft, "QLinearSigmoid", 1, 0, nn__onnx_map_q_unary, NULL},
        {microsoft, "QLinearLeakyRelu", 1, 0, nn__onnx_map_q_unary, NULL},
        {microsoft, "QLinearSoftmax", 1, 0, nn__onnx_map_q_softmax, NULL},
        {microsoft, "QLinearGlobalAveragePool", 1, 0, nn__onnx_map_q_global_average, NULL},
        {microsoft, "QLinearConcat", 1, 0, nn__onnx_map_q_concat, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
