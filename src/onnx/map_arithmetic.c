/* onnx/map_arithmetic.c - operators of two operands and more, comparisons, choices, casts. Whole
   numbers are computed in f32, where they are exact below 2^24. */
#include "onnx/map_tools.h"

typedef nn_node *nn__onnx_binary(nn_site site, nn_model *net, nn_node *a, nn_node *b);

/* A quotient of whole numbers is truncated, their power is computed by a logarithm, and 8-bit
   numbers wrap around. */
static nn_node *nn__onnx_whole_result(nn__onnx_node *n, nn_node *y, nn__onnx_type type) {
    if (!nn__onnx_is_whole(type) || !y) return y;
    if (strcmp(n->op->type, "Div") == 0) return nn_trunc_at(n->site, n->net, y);
    if (strcmp(n->op->type, "Pow") == 0) return nn_round_at(n->site, n->net, y);
    if (type == NN__ONNX_UINT8)
        return nn__onnx_express(n, "x: remainder(x, p)", y, NULL, NULL, 256, 0);
    if (type == NN__ONNX_INT8)
        return nn__onnx_express(n, "x: remainder(x + q, p) - q", y, NULL, NULL, 256, 128);
    return y;
}

/* Returns operand 1. Before opset 7 the attribute "axis" named the axis of operand 0 at which
   operand 1 begins. */
static nn_node *nn__onnx_second(nn__onnx_node *n) {
    const int rank = nn__onnx_rank(n, 0), own = nn__onnx_rank(n, 1);
    nn_node *x = nn__onnx_x(n, 1);
    nn_shape shape;
    int axis;
    if (n->opset >= 7 || !nn__onnx_attribute_of(n, "axis")) return x;
    axis = nn__onnx_axis(n, 0, rank);
    if (axis < 0 || axis + own >= rank) return x;
    shape = nn__onnx_shape(n, 1);
    for (shape.rank = own; shape.rank < rank - axis; shape.rank++) shape.extent[shape.rank] = 1;
    return nn__onnx_reshaped(n, x, shape);
}

/* Describes x and one number: nn_scale, nn_offset, nn_square ... NULL: it needs two operands. */
static nn_node *nn__onnx_with_number(nn__onnx_node *n) {
    const char *type = n->op->type;
    const int i =
        strcmp(type, "Add") == 0 || strcmp(type, "Mul") == 0 ? nn__onnx_known(n, 0) ? 0 : 1 : 1;
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    double number;
    if (!known || nn__onnx_known(n, 1 - i) || !nn__onnx_scalar(n, i, &number) ||
        known->count != 1 || known->rank > nn__onnx_rank(n, 1 - i))
        return NULL;
    if (strcmp(type, "Add") == 0)
        return nn_offset_at(n->site, n->net, nn__onnx_x(n, 1 - i), (float)number);
    if (strcmp(type, "Sub") == 0)
        return nn_offset_at(n->site, n->net, nn__onnx_x(n, 0), -(float)number);
    if (strcmp(type, "Mul") == 0)
        return nn_scale_at(n->site, n->net, nn__onnx_x(n, 1 - i), (float)number);
    if (strcmp(type, "Pow") == 0 && number == 2)
        return nn_square_at(n->site, n->net, nn__onnx_x(n, 0));
    if (strcmp(type, "Pow") == 0 && number == 0.5)
        return nn_sqrt_at(n->site, n->net, nn__onnx_x(n, 0));
    return NULL;
}

static void nn__onnx_map_arithmetic(nn__onnx_node *n) {
    static const struct {
        const char *type;
        nn__onnx_binary *build;
    } functions[] = {{"Add", nn_add_at},
                     {"Sub", nn_subtract_at},
                     {"Mul", nn_multiply_at},
                     {"Div", nn_divide_at},
                     {"Pow", nn_pow_at}};
    nn_node *y = nn__onnx_with_number(n);
    for (unsigned i = 0; i < sizeof functions / sizeof *functions && !y; i++)
        if (strcmp(functions[i].type, n->op->type) == 0)
            y = functions[i].build(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_second(n));
    nn__onnx_give(n, 0, nn__onnx_whole_result(n, y, nn__onnx_dtype(n, 0)), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_mod(nn__onnx_node *n) {
    nn_node *a = nn__onnx_x(n, 0), *b = nn__onnx_x(n, 1);
    nn__onnx_give(n, 0,
                  nn__onnx_int(n, "fmod", 0) ? nn_fmod_at(n->site, n->net, a, b)
                                             : nn_remainder_at(n->site, n->net, a, b),
                  nn__onnx_dtype(n, 0));
}

/* Describes comparisons and other operators whose result is 1 or 0. */
static void nn__onnx_map_truth(nn__onnx_node *n) {
    static const struct {
        const char *type;
        nn__onnx_binary *build;
    } functions[] = {{"Equal", nn_equal_at},
                     {"Greater", nn_greater_at},
                     {"GreaterOrEqual", nn_greater_equal_at},
                     {"Less", nn_less_at},
                     {"LessOrEqual", nn_less_equal_at},
                     {"And", nn_logical_and_at},
                     {"Or", nn_logical_or_at},
                     {"Xor", nn_logical_xor_at}};
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].type, n->op->type) == 0)
            nn__onnx_give(n, 0,
                          functions[i].build(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_second(n)),
                          NN__ONNX_BOOL);
}

/* Describes operators of one or more operands. */
static void nn__onnx_map_variadic(nn__onnx_node *n) {
    const char *type = n->op->type;
    nn_node *y = nn__onnx_x(n, 0);
    for (int i = 1; i < n->operand_count && !n->refused; i++) {
        nn_node *x = nn__onnx_x(n, i);
        y = strcmp(type, "Max") == 0   ? nn_maximum_at(n->site, n->net, y, x)
            : strcmp(type, "Min") == 0 ? nn_minimum_at(n->site, n->net, y, x)
                                       : nn_add_at(n->site, n->net, y, x);
    }
    if (strcmp(type, "Mean") == 0 && n->operand_count > 1)
        y = nn_scale_at(n->site, n->net, y, (float)(1.0 / n->operand_count));
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_where(nn__onnx_node *n) {
    nn__onnx_give(
        n, 0, nn_where_at(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_x(n, 1), nn__onnx_x(n, 2)),
        nn__onnx_dtype(n, 1));
}

/* ---- casts ----------------------------------------------------------------------------------- */

/* Returns the bytes as C casts them: of a whole number the last 8 bits are kept. */
static nn_node *nn__onnx_to_byte(nn__onnx_node *n, nn__onnx_type to) {
    nn_node *x = nn__onnx_x(n, 0);
    if (nn__onnx_is_whole(nn__onnx_dtype(n, 0)))
        return nn__onnx_express(
            n, to == NN__ONNX_UINT8 ? "x: remainder(x, p)" : "x: remainder(x + q, p) - q", x, NULL,
            NULL, 256, 128);
    return nn_cast_at(n->site, n->net, x, to == NN__ONNX_UINT8 ? NN_U8 : NN_I8);
}

static void nn__onnx_map_cast(nn__onnx_node *n) {
    const bool like = strcmp(n->op->type, "CastLike") == 0;
    const int64_t number = like ? (int64_t)nn__onnx_dtype(n, 1) : nn__onnx_int(n, "to", 0);
    const nn__onnx_type from = nn__onnx_dtype(n, 0), to = (nn__onnx_type)number;
    if (number < NN__ONNX_FLOAT || number > NN__ONNX_BFLOAT16 || to == NN__ONNX_STRING ||
        nn__onnx_type_size(to) == 0) {
        nn__onnx_refuse(n, "name the values before it in .outputs",
                        "its output dtype is %s, which nn.h does not have",
                        number > 0 && number <= NN__ONNX_FLOAT4 ? nn__onnx_type_name(to)
                                                                : "unknown");
        return;
    }
    if (from == to) {
        nn__onnx_pass(n, 0, 0);
    } else if (nn__onnx_is_float(to)) {
        nn__onnx_give(n, 0, nn__onnx_x(n, 0), to);
    } else if (to == NN__ONNX_BOOL) {
        nn__onnx_give(n, 0, nn__onnx_express(n, "x: x != 0", nn__onnx_x(n, 0), NULL, NULL, 0, 0),
                      to);
    } else if (to == NN__ONNX_UINT8 || to == NN__ONNX_INT8) {
        nn__onnx_give(n, 0, nn__onnx_to_byte(n, to), to);
    } else {
        nn__onnx_give(n, 0, nn__onnx_is_float(from) ? nn__onnx_index(n, 0) : nn__onnx_raw(n, 0),
                      to);
    }
}

/* A trainer's steps are the training mode. The mask can only be given outside of it. */
static void nn__onnx_map_dropout(nn__onnx_node *n) {
    double training = 0, ratio = n->opset < 12 ? nn__onnx_float(n, "ratio", 0.5) : 0.5;
    if (n->opset >= 12 && nn__onnx_has(n, 2) && !nn__onnx_scalar(n, 2, &training)) {
        nn__onnx_refuse(n, "give the input that it depends on a value in .values",
                        "its training_mode is known only at run time");
        return;
    }
    if (training != 0 && nn__onnx_has(n, 1) && !nn__onnx_scalar(n, 1, &ratio)) {
        nn__onnx_refuse(n, "give the input that it depends on a value in .values",
                        "its ratio is known only at run time");
        return;
    }
    if (training != 0 && ratio != 0 && nn__onnx_wants(n, 1)) {
        nn__onnx_refuse(n, NULL, "its mask is used, which nn_dropout does not return");
        return;
    }
    if (training != 0 && ratio != 0)
        nn__onnx_give(n, 0, nn_dropout_at(n->site, n->net, nn__onnx_x(n, 0), (float)ratio),
                      nn__onnx_dtype(n, 0));
    else
        nn__onnx_pass(n, 0, 0);
    if (nn__onnx_wants(n, 1))
        nn__onnx_give(n, 1,
                      nn__onnx_express(n, "x: x == x || 1", nn__onnx_x(n, 0), NULL, NULL, 0, 0),
                      NN__ONNX_BOOL);
}

static void nn__onnx_map_bit_cast(nn__onnx_node *n) {
    nn__onnx_refuse(n, "name the values before it in .outputs",
                    "it reads the bits of numbers as another type, which nn.h cannot");
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_arithmetic(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Add", 1, 0, nn__onnx_map_arithmetic, NULL},
        {"", "And", 1, 0, nn__onnx_map_truth, NULL},
        {"", "BitCast", 1, 0, nn__onnx_map_bit_cast, NULL},
        {"", "Cast", 6, 0, nn__onnx_map_cast, NULL},
        {"", "CastLike", 15, 0, nn__onnx_map_cast, NULL},
        {"", "Div", 1, 0, nn__onnx_map_arithmetic, NULL},
        {"", "Dropout", 7, 0, nn__onnx_map_dropout, NULL},
        {"", "Equal", 1, 0, nn__onnx_map_truth, NULL},
        {"", "Greater", 1, 0, nn__onnx_map_truth, NULL},
        {"", "GreaterOrEqual", 12, 0, nn__onnx_map_truth, NULL},
        {"", "Less", 1, 0, nn__onnx_map_truth, NULL},
        {"", "LessOrEqual", 12, 0, nn__onnx_map_truth, NULL},
        {"", "Max", 6, 0, nn__onnx_map_variadic, NULL},
        {"", "Mean", 6, 0, nn__onnx_map_variadic, NULL},
        {"", "Min", 6, 0, nn__onnx_map_variadic, NULL},
        {"", "Mod", 10, 0, nn__onnx_map_mod, NULL},
        {"", "Mul", 1, 0, nn__onnx_map_arithmetic, NULL},
        {"", "Or", 1, 0, nn__onnx_map_truth, NULL},
        {"", "Pow", 1, 0, nn__onnx_map_arithmetic, NULL},
        {"", "Sub", 1, 0, nn__onnx_map_arithmetic, NULL},
        {"", "Sum", 6, 0, nn__onnx_map_variadic, NULL},
        {"", "Where", 9, 0, nn__onnx_map_where, NULL},
        {"", "Xor", 1, 0, nn__onnx_map_truth, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
