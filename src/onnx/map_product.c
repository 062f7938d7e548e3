/* onnx/map_product.c - Gemm, MatMul, Einsum, Det. */
#include "onnx/integers.h"

/* A known matrix on the right is the weight of a layer: (K, N), or (N, K) if it is transposed. */
static nn_node *nn__onnx_linear(nn__onnx_node *n, nn_node *x, int weight, bool transposed,
                                int bias) {
    const nn__onnx_tensor *w = nn__onnx_known(n, weight);
    nn_linear_desc desc;
    const char *name;
    nn_node *y;
    bool shared;
    name = nn__onnx_layer(n, weight, bias, &shared);
    memset(&desc, 0, sizeof desc);
    desc.out_features = (int)w->extent[transposed ? 0 : 1];
    desc.in_features = (int)w->extent[transposed ? 1 : 0];
    desc.no_bias = bias < 0;
    desc.shared = shared;
    y = transposed ? nn_linear_at(n->site, n->net, name, x, &desc)
                   : nn_linear_transposed_at(n->site, n->net, name, x, &desc);
    if (shared) return y;
    nn__onnx_load(n, name, "weight", w, NULL);
    if (bias >= 0) {
        nn_shape shape;
        memset(&shape, 0, sizeof shape);
        shape.rank = 1;
        shape.extent[0] = desc.out_features;
        nn__onnx_load(n, name, "bias", nn__onnx_known(n, bias), &shape);
    }
    return y;
}

static bool nn__onnx_is_matrix(const nn__onnx_node *n, int i) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    return known && known->rank == 2 && known->count > 0 && known->data &&
           nn__onnx_is_float(known->dtype);
}

static nn_node *nn__onnx_multiplied(nn__onnx_node *n, nn_node *a, nn_node *b, bool transpose_a,
                                    bool transpose_b) {
    nn_matmul_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.transpose_a = transpose_a;
    desc.transpose_b = transpose_b;
    return nn_matmul_at(n->site, n->net, a, b, &desc);
}

static nn_node *nn__onnx_scaled(nn__onnx_node *n, nn_node *x, double factor) {
    return factor == 1 ? x : nn_scale_at(n->site, n->net, x, (float)factor);
}

/* True if operand 2 is one known number for each output of a known matrix. */
static bool nn__onnx_is_bias(const nn__onnx_node *n, bool transposed) {
    const nn__onnx_tensor *w = nn__onnx_known(n, 1), *c = nn__onnx_known(n, 2);
    return w && w->rank == 2 && c && c->data && c->rank > 0 &&
           (int64_t)c->count == w->extent[transposed ? 0 : 1] &&
           c->extent[c->rank - 1] == (int64_t)c->count;
}

/* Describes alpha * A B + beta * C. */
static void nn__onnx_map_gemm(nn__onnx_node *n) {
    const double alpha = nn__onnx_float(n, "alpha", 1), beta = nn__onnx_float(n, "beta", 1);
    const bool turn_a = nn__onnx_int(n, "transA", 0) != 0;
    const bool turn_b = nn__onnx_int(n, "transB", 0) != 0;
    const nn__onnx_tensor *c = nn__onnx_known(n, 2);
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    bool bias = nn__onnx_has(n, 2) && beta != 0;
    nn_node *a, *y;
    if (integers && !turn_a && alpha == 1 &&
        (!bias || (beta == 1 && nn__onnx_is_bias(n, turn_b))) &&
        integers->linear(n, turn_b, bias ? 2 : -1))
        return;
    a = nn__onnx_x(n, 0);
    if (nn__onnx_is_matrix(n, 1)) {
        const nn__onnx_tensor *w = nn__onnx_known(n, 1);
        const bool inside = bias && c && alpha == 1 && beta == 1 &&
                            (int64_t)c->count == w->extent[turn_b ? 0 : 1] && c->rank > 0 &&
                            c->extent[c->rank - 1] == (int64_t)c->count;
        if (turn_a) a = nn_transpose_at(n->site, n->net, a, 0, 1);
        y = nn__onnx_linear(n, a, 1, turn_b, inside ? 2 : -1);
        if (inside) bias = false;
    } else {
        y = nn__onnx_multiplied(n, a, nn__onnx_x(n, 1), turn_a, turn_b);
    }
    y = nn__onnx_scaled(n, y, alpha);
    if (bias) {
        const char *name;
        bool shared;
        name = c ? nn__onnx_layer(n, -1, 2, &shared) : "";
        y = nn_add_at(n->site, n->net, y,
                      nn__onnx_scaled(n, nn__onnx_trained(n, 2, name, "bias"), beta));
    }
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* Any other known operand becomes a parameter of its own. */
static nn_node *nn__onnx_factor(nn__onnx_node *n, int i) {
    bool shared;
    if (!nn__onnx_known(n, i) || !nn__onnx_is_float(nn__onnx_dtype(n, i))) return nn__onnx_x(n, i);
    return nn__onnx_trained(n, i, nn__onnx_layer(n, i, -1, &shared), "weight");
}

static void nn__onnx_map_matmul(nn__onnx_node *n) {
    const struct nn__onnx_integers *integers = n->walk->file->integers;
    nn_node *y;
    if (integers && integers->linear(n, false, -1)) return;
    if (!nn__onnx_known(n, 0) && nn__onnx_is_matrix(n, 1) && nn__onnx_rank(n, 0) > 1)
        y = nn__onnx_linear(n, nn__onnx_x(n, 0), 1, false, -1);
    else if (nn__onnx_known(n, 0) && nn__onnx_known(n, 1))
        y = nn__onnx_multiplied(n, nn__onnx_x(n, 0), nn__onnx_x(n, 1), false, false);
    else
        y = nn__onnx_multiplied(n, nn__onnx_factor(n, 0), nn__onnx_factor(n, 1), false, false);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* com.microsoft: MatMul with a factor, and operands that are transposed. */
static void nn__onnx_map_fused_matmul(nn__onnx_node *n) {
    nn_node *y;
    if (nn__onnx_int(n, "transBatchA", 0) != 0 || nn__onnx_int(n, "transBatchB", 0) != 0) {
        nn__onnx_refuse(n, NULL, "its batch axes are transposed");
        return;
    }
    y = nn__onnx_multiplied(n, nn__onnx_factor(n, 0), nn__onnx_factor(n, 1),
                            nn__onnx_int(n, "transA", 0) != 0, nn__onnx_int(n, "transB", 0) != 0);
    nn__onnx_give(n, 0, nn__onnx_scaled(n, y, nn__onnx_float(n, "alpha", 1)), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_einsum(nn__onnx_node *n) {
    const char *equation = nn__onnx_string(n, "equation", "");
    char text[256];
    nn_node *operands[8];
    nn_nodes inputs;
    size_t length = 0;
    if (n->operand_count > 8 || strlen(equation) >= sizeof text) {
        nn__onnx_refuse(
            n, NULL, "it has more than 8 operands, or its equation has more than 255 characters");
        return;
    }
    for (; *equation; equation++)
        if (*equation != ' ') text[length++] = *equation;
    text[length] = 0;
    for (int i = 0; i < n->operand_count; i++) operands[i] = nn__onnx_x(n, i);
    if (n->refused) return;
    inputs.node = operands;
    inputs.count = n->operand_count;
    nn__onnx_give(n, 0, nn_einsum_at(n->site, n->net, text, inputs), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_det(nn__onnx_node *n) {
    nn__onnx_refuse(n, "name the values before it in .outputs, and compute it in C",
                    "nn.h has no determinant");
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_product(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Gemm", 7, 0, nn__onnx_map_gemm, NULL},
        {"", "MatMul", 1, 0, nn__onnx_map_matmul, NULL},
        {"", "Einsum", 12, 0, nn__onnx_map_einsum, NULL},
        {"", "Det", 11, 0, nn__onnx_map_det, NULL},
        {"com.microsoft", "FusedMatMul", 1, 0, nn__onnx_map_fused_matmul, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
