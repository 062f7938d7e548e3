/* onnx/map_bits.c - operations on the bits of whole numbers that the net computes. They are f32
   here, so numbers of 8 and 16 bits are exact, and wider ones are refused; known numbers of any
   width are computed while reading (fold_elements.c). */
#include "onnx/map_tools.h"

/* Returns the number of bits of a type: 8 or 16; 0: refused. */
static int nn__onnx_width(nn__onnx_node *n) {
    const nn__onnx_type type = nn__onnx_dtype(n, 0);
    if (type == NN__ONNX_UINT8 || type == NN__ONNX_INT8) return 8;
    if (type == NN__ONNX_UINT16 || type == NN__ONNX_INT16) return 16;
    nn__onnx_refuse(n, "name the values before it in .outputs",
                    "its numbers have more than 16 bits; computed ones are exact below 2^24 only");
    return 0;
}

static bool nn__onnx_signed(const nn__onnx_node *n) {
    const nn__onnx_type type = nn__onnx_dtype(n, 0);
    return type == NN__ONNX_INT8 || type == NN__ONNX_INT16 || type == NN__ONNX_INT32 ||
           type == NN__ONNX_INT64;
}

/* Returns an operand as a number that is not negative: its two's complement. */
static nn_node *nn__onnx_unsigned(nn__onnx_node *n, int i, double range) {
    nn_node *x = nn__onnx_x(n, i);
    return nn__onnx_signed(n)
               ? nn__onnx_express(n, "x: x < 0 ? x + p : x", x, NULL, NULL, range, 0)
               : x;
}

static void nn__onnx_give_bits(nn__onnx_node *n, nn_node *y, double range) {
    if (nn__onnx_signed(n))
        y = nn__onnx_express(n, "x: x >= q ? x - p : x", y, NULL, NULL, range, range / 2);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* Describes And, Or and Xor bit by bit. p is the value of the bit, q is 1 / p. */
static void nn__onnx_map_bitwise(nn__onnx_node *n) {
    const char *type = n->op->type;
    const char *text =
        strcmp(type, "BitwiseAnd") == 0
            ? "y, a, b: y + p * min(floor(a * q) - 2 * floor(a * q / 2), "
              "floor(b * q) - 2 * floor(b * q / 2))"
        : strcmp(type, "BitwiseOr") == 0
            ? "y, a, b: y + p * max(floor(a * q) - 2 * floor(a * q / 2), "
              "floor(b * q) - 2 * floor(b * q / 2))"
            : "y, a, b: y + p * abs(floor(a * q) - 2 * floor(a * q / 2) - "
              "(floor(b * q) - 2 * floor(b * q / 2)))";
    const int width = nn__onnx_width(n);
    const double range = width == 8 ? 256 : 65536;
    nn_node *a, *b, *y;
    if (width == 0) return;
    a = nn__onnx_unsigned(n, 0, range);
    b = nn__onnx_unsigned(n, 1, range);
    y = nn__onnx_number_node(n, 0);
    for (double bit = 1; bit < range; bit *= 2)
        y = nn__onnx_express(n, text, y, a, b, bit, 1 / bit);
    nn__onnx_give_bits(n, y, range);
}

static void nn__onnx_map_bitwise_not(nn__onnx_node *n) {
    if (nn__onnx_signed(n)) /* -1 - x: as exact as other arithmetic, for any width */
        nn__onnx_give(n, 0,
                      nn__onnx_express(n, "x: -1 - x", nn__onnx_x(n, 0), NULL, NULL, 0, 0),
                      nn__onnx_dtype(n, 0));
    else if (nn__onnx_width(n) != 0)
        nn__onnx_give(n, 0,
                      nn__onnx_express(n, "x: p - x", nn__onnx_x(n, 0), NULL, NULL,
                                       nn__onnx_width(n) == 8 ? 255 : 65535, 0),
                      nn__onnx_dtype(n, 0));
}

/* Shifts by known numbers multiply by powers of two. A shift by more than the width, or by less
   than 0, leaves no bit but that of the sign. */
static void nn__onnx_map_bit_shift(nn__onnx_node *n) {
    const bool left = nn__onnx_is(n, "direction", "", "LEFT");
    const int width = nn__onnx_width(n);
    const double range = width == 8 ? 256 : 65536;
    const nn__onnx_tensor *by = width ? nn__onnx_numbers(n, 1, "the number of places") : NULL;
    unsigned char *data;
    nn__onnx_tensor *factors;
    nn_node *y;
    if (!by) return;
    factors = nn__onnx_new(n, NN__ONNX_FLOAT, by->rank, by->extent, &data);
    if (!factors) return;
    for (uint64_t i = 0; i < factors->count; i++) {
        const int64_t places = nn__onnx_whole(by, i);
        const bool none = places < 0 || places >= width;
        nn__onnx_put_real(data, NN__ONNX_FLOAT, i,
                          left ? (none ? 0 : ldexp(1, (int)places))
                               : ldexp(1, none ? -20 : -(int)places));
    }
    y = left ? nn__onnx_unsigned(n, 0, range) : nn__onnx_x(n, 0);
    y = nn__onnx_express(n,
                         left ? "x, f: x * f - floor(x * f / p) * p" : "x, f: floor(x * f)", y,
                         nn__onnx_constant_of(n, factors, NN_F32), NULL, range, 0);
    if (left) nn__onnx_give_bits(n, y, range);
    else nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_bits(void) {
    static const nn__onnx_operator lines[] = {
        {"", "BitShift", 11, 0, nn__onnx_map_bit_shift, NULL},
        {"", "BitwiseAnd", 18, 0, nn__onnx_map_bitwise, NULL},
        {"", "BitwiseNot", 18, 0, nn__onnx_map_bitwise_not, NULL},
        {"", "BitwiseOr", 18, 0, nn__onnx_map_bitwise, NULL},
        {"", "BitwiseXor", 18, 0, nn__onnx_map_bitwise, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
