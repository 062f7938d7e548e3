/* onnx/map_integers.c - products of whole numbers: MatMulInteger, ConvInteger, QLinearMatMul,
   QLinearConv, DynamicQuantizeMatMul, MatMulIntegerToFloat, DynamicQuantizeLSTM. */
#include "onnx/integers.h"

enum { NN__ONNX_TERMS = 4096 }; /* terms of 4 by 8 bits whose sum is below 2^24 */

/* Returns the exact product of whole numbers a (..., K) and b (..., K, N). */
static nn_node *nn__onnx_exact_matmul(nn__onnx_node *n, nn_node *a, nn_node *b, bool wide) {
    const nn_shape shape = nn_node_shape(a), shape_b = nn_node_shape(b);
    const int last = shape.rank - 1, axis = shape_b.rank > 1 ? shape_b.rank - 2 : 0;
    const int terms = last >= 0 ? shape.extent[last] : 0;
    nn_node *y = NULL, *high, *low;
    if (!wide) return nn_matmul_at(n->site, n->net, a, b, NULL);
    if (terms < 1) {
        nn__onnx_refuse(n, "give that extent a number in .extents",
                        "its sums are too large for f32, and their number is free");
        return NULL;
    }
    for (int i = 0; i < terms; i += NN__ONNX_TERMS) {
        const int end = terms - i < NN__ONNX_TERMS ? terms : i + NN__ONNX_TERMS;
        const bool all = i == 0 && end == terms;
        nn_node *part = all ? a : nn__onnx_cut(n, a, last, i, end, 1);
        nn_node *other = all ? b : nn__onnx_cut(n, b, axis, i, end, 1);
        nn__onnx_split(n, part, &high, &low);
        part = nn__onnx_unsplit(n, nn_matmul_at(n->site, n->net, high, other, NULL),
                                nn_matmul_at(n->site, n->net, low, other, NULL));
        y = y ? nn_add_at(n->site, n->net, y, part) : part;
    }
    return y;
}

/* Zero points of a are one number or one for each row, those of b one for each column. */
static nn_node *nn__onnx_whole_matmul(nn__onnx_node *n, int a, int az, int b, int bz) {
    const nn_shape shape = nn__onnx_shape(n, a), shape_b = nn__onnx_shape(n, b);
    const int columns = shape_b.rank > 1 ? shape_b.rank - 1 : 0;
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn_node *x, *y = integers ? integers->product(n, a, az, b, bz) : NULL;
    if (y) return y;
    x = nn__onnx_less_zero(n, a, az, shape.rank > 1 ? shape.rank - 2 : 0);
    y = nn__onnx_less_zero(n, b, bz, columns);
    return nn__onnx_exact_matmul(
        n, x, y,
        nn__onnx_is_wide(n, b, bz, columns, shape.rank ? shape.extent[shape.rank - 1] : 1));
}

static void nn__onnx_map_matmul_integer(nn__onnx_node *n) {
    nn__onnx_give(n, 0, nn__onnx_whole_matmul(n, 0, 2, 1, 3), NN__ONNX_INT32);
}

/* Returns the product of the scales a and b by that of y, in f32: (..., places) along `axis` of
   y. */
static nn_node *nn__onnx_joint_scale(nn__onnx_node *n, nn_node *a, nn_node *b, nn_node *y) {
    return nn__onnx_express(n, "a, b, y: a * b / y", a, b, y, 0, 0);
}

static void nn__onnx_requantise(nn__onnx_node *n, nn_node *sum, nn_node *scale, int zero) {
    const nn__onnx_type type = nn__onnx_dtype(n, zero);
    double least, most;
    if (!nn__onnx_limits_of(type, &least, &most)) {
        nn__onnx_refuse(n, NULL,
                        "its zero point has dtype %s; integers of 8 and 16 bits are supported",
                        nn__onnx_type_name(type));
        return;
    }
    /* with the limits of bytes in the text, nn.h computes it in one pass */
    nn__onnx_give(n, 0,
                  nn__onnx_express(
                      n,
                      type == NN__ONNX_UINT8  ? "x, s, z: clamp(round(x * s) + z, 0, 255)"
                      : type == NN__ONNX_INT8 ? "x, s, z: clamp(round(x * s) + z, -128, 127)"
                                              : "x, s, z: clamp(round(x * s) + z, p, q)",
                      sum, scale, nn__onnx_aligned(n, zero, nn_node_shape(sum), 1, 0), least, most),
                  type);
}

static void nn__onnx_map_q_matmul(nn__onnx_node *n) {
    const nn_shape a = nn__onnx_shape(n, 0), b = nn__onnx_shape(n, 3);
    nn_node *sum = nn__onnx_whole_matmul(n, 0, 2, 3, 5);
    nn_node *scale = nn__onnx_joint_scale(
        n, nn__onnx_aligned(n, 1, a, a.rank > 1 ? a.rank - 2 : 0, 0),
        nn__onnx_aligned(n, 4, b, b.rank - 1, 0),
        nn__onnx_aligned(n, 6, nn_node_shape(sum), nn_node_shape(sum).rank - 2, 0));
    nn__onnx_requantise(n, sum, scale, 7);
}

/* ---- convolutions ---------------------------------------------------------------------------- */

/* The operands are x, its zero point, weight, its zero point; attributes give the window. */
static nn_node *nn__onnx_whole_conv(nn__onnx_node *n, int xz, int weight, int wz) {
    const nn_shape shape = nn__onnx_shape(n, weight);
    const int groups = (int)nn__onnx_int(n, "group", 1);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    int64_t terms = 1;
    nn__onnx_window w;
    nn_node *x, *y = integers ? integers->conv_sum(n, xz, weight, wz) : NULL, *high, *low;
    if (y || n->refused) return y;
    if (!nn__onnx_window_of(n, &w, weight)) return NULL;
    w.exact = true;
    for (int i = 1; i < shape.rank; i++) terms *= shape.extent[i];
    x = nn__onnx_less_zero(n, 0, xz, 1);
    y = nn__onnx_less_zero(n, weight, wz, 0);
    if (!nn__onnx_is_wide(n, weight, wz, 0, terms)) return nn__onnx_convolve(n, x, y, &w, groups);
    nn__onnx_split(n, x, &high, &low);
    return nn__onnx_unsplit(n, nn__onnx_convolve(n, high, y, &w, groups),
                            nn__onnx_convolve(n, low, y, &w, groups));
}

static void nn__onnx_map_conv_integer(nn__onnx_node *n) {
    nn__onnx_give(n, 0, nn__onnx_whole_conv(n, 2, 1, 3), NN__ONNX_INT32);
}

static void nn__onnx_map_q_conv(nn__onnx_node *n) {
    nn_node *sum = nn__onnx_whole_conv(n, 2, 3, 5), *scale;
    const nn_shape shape = nn_node_shape(sum);
    if (!sum) return;
    if (nn__onnx_has(n, 8)) sum = nn__onnx_add_bias(n, sum, nn__onnx_x(n, 8));
    scale = nn__onnx_joint_scale(n, nn__onnx_aligned(n, 1, shape, 1, 0),
                                 nn__onnx_aligned(n, 4, shape, 1, 0),
                                 nn__onnx_aligned(n, 6, shape, 1, 0));
    nn__onnx_requantise(n, sum, scale, 7);
}

/* ---- com.microsoft --------------------------------------------------------------------------- */

/* The operands are A, B, scale of B, its zero point, bias. A is quantised with the range of its
   current numbers. */
static void nn__onnx_map_dynamic_matmul(nn__onnx_node *n) {
    const nn_shape b = nn__onnx_shape(n, 1), a = nn__onnx_shape(n, 0);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn_node *scale, *zero, *x, *y;
    if (integers && integers->dynamic_product(n)) return;
    x = nn__onnx_quantise_now(n, nn__onnx_x(n, 0), &scale, &zero);
    x = nn_subtract_at(n->site, n->net, x, zero);
    y = nn__onnx_exact_matmul(
        n, x, nn__onnx_less_zero(n, 1, 3, b.rank - 1),
        nn__onnx_is_wide(n, 1, 3, b.rank - 1, a.rank ? a.extent[a.rank - 1] : 1));
    y = nn__onnx_express(n, "x, a, b: x * (a * b)", y, scale,
                         nn__onnx_aligned(n, 2, b, b.rank - 1, 0), 0, 0);
    if (nn__onnx_has(n, 4)) y = nn_add_at(n->site, n->net, y, nn__onnx_x(n, 4));
    nn__onnx_give(n, 0, y, NN__ONNX_FLOAT);
}

/* The operands are A, B, their scales, their zero points, bias. */
static void nn__onnx_map_matmul_to_float(nn__onnx_node *n) {
    const nn_shape a = nn__onnx_shape(n, 0), b = nn__onnx_shape(n, 1);
    nn_node *y = nn__onnx_whole_matmul(n, 0, 4, 1, 5);
    y = nn__onnx_express(n, "x, a, b: x * (a * b)", y,
                         nn__onnx_aligned(n, 2, a, a.rank > 1 ? a.rank - 2 : 0, 0),
                         nn__onnx_aligned(n, 3, b, b.rank - 1, 0), 0, 0);
    if (nn__onnx_has(n, 6)) y = nn_add_at(n->site, n->net, y, nn__onnx_x(n, 6));
    nn__onnx_give(n, 0, y, NN__ONNX_FLOAT);
}

/* Returns the number for a direction and column, where a tensor has one number, one for each
   direction, or one for each column. */
static double nn__onnx_lstm_number(const nn__onnx_tensor *of, const nn__onnx_tensor *w,
                                   uint64_t direction, uint64_t column) {
    const uint64_t wide = direction * (uint64_t)w->extent[2] + column;
    if (of->count == 1) return nn__onnx_real(of, 0);
    return nn__onnx_real(of, of->count == (uint64_t)w->extent[0] ? direction : wide % of->count);
}

/* Returns weights (D, C, G H) of 8 bits with one scale for each direction or each column as (D, G
   H, C).
 */
static nn__onnx_tensor *nn__onnx_lstm_weight(nn__onnx_node *n, int i, int scale, int zero) {
    const nn__onnx_tensor *w = nn__onnx_numbers(n, i, "weight"), *s, *z;
    int64_t extents[3];
    uint64_t rows, columns, to = 0;
    unsigned char *data;
    nn__onnx_tensor *made;
    if (!w || !(s = nn__onnx_numbers(n, scale, "scale"))) return NULL;
    z = nn__onnx_known(n, zero);
    if (w->rank != 3 || w->count == 0 || s->count == 0 || !w->data || !s->data) return NULL;
    if (z && (z->count == 0 || !z->data)) return NULL;
    rows = (uint64_t)w->extent[1];
    columns = (uint64_t)w->extent[2];
    extents[0] = w->extent[0];
    extents[1] = w->extent[2];
    extents[2] = w->extent[1];
    made = nn__onnx_new(n, NN__ONNX_FLOAT, 3, extents, &data);
    if (!made) return NULL;
    made->name = w->name;
    for (uint64_t direction = 0; direction < (uint64_t)w->extent[0]; direction++)
        for (uint64_t column = 0; column < columns; column++) {
            const double of = nn__onnx_lstm_number(s, w, direction, column);
            const double from = z ? nn__onnx_lstm_number(z, w, direction, column) : 0;
            uint64_t at = direction * rows * columns + column;
            for (uint64_t row = 0; row < rows; row++, at += columns)
                nn__onnx_put_real(data, NN__ONNX_FLOAT, to++, (nn__onnx_real(w, at) - from) * of);
        }
    return made;
}

/* x is rounded to 8 bits as onnxruntime does; the states are not: which of them onnxruntime rounds
   together depends on its threads. */
static void nn__onnx_map_dynamic_lstm(nn__onnx_node *n) {
    nn__onnx_recurrent r;
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn_node *scale, *zero;
    if (integers && integers->lstm(n)) return;
    memset(&r, 0, sizeof r);
    if (!nn__onnx_read_recurrent(n, &r)) return;
    r.hidden = (int)nn__onnx_int(n, "hidden_size", r.hidden);
    r.w = nn__onnx_lstm_weight(n, 1, 8, 9);
    r.r = nn__onnx_lstm_weight(n, 2, 10, 11);
    r.b = nn__onnx_has(n, 3) ? nn__onnx_numbers(n, 3, "B") : NULL;
    if (!r.w || !r.r) {
        nn__onnx_refuse(n, NULL, "its weights do not have three axes");
        return;
    }
    if (nn__onnx_has(n, 7) || nn__onnx_float(n, "clip", 0) > 0 || (r.reverse && r.lengths) ||
        nn__onnx_int(n, "input_forget", 0) != 0 || nn__onnx_attribute_of(n, "activations")) {
        nn__onnx_refuse(n, "use the file before quantisation",
                        "it has peepholes, a clip, other activations, or sequence_lens in reverse; "
                        "these are not supported");
        return;
    }
    r.x = nn__onnx_quantise_now(n, r.x, &scale, &zero);
    r.x = nn__onnx_dequantised(n, r.x, scale, zero);
    nn__onnx_recurrent_layer(n, &r);
    if (!n->refused) nn__onnx_give_recurrent(n, &r);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_integers(void) {
    static const char microsoft[] = "com.microsoft";
    static const nn__onnx_operator lines[] = {
        {"", "MatMulInteger", 10, 0, nn__onnx_map_matmul_integer, NULL},
        {"", "ConvInteger", 10, 0, nn__onnx_map_conv_integer, NULL},
        {"", "QLinearMatMul", 10, 0, nn__onnx_map_q_matmul, NULL},
        {"", "QLinearConv", 10, 0, nn__onnx_map_q_conv, NULL},
        {microsoft, "DynamicQuantizeMatMul", 1, 0, nn__onnx_map_dynamic_matmul, NULL},
        {microsoft, "MatMulIntegerToFloat", 1, 0, nn__onnx_map_matmul_to_float, NULL},
        {microsoft, "DynamicQuantizeLSTM", 1, 0, nn__onnx_map_dynamic_lstm, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
