/* onnx/map_microsoft.c - operators of com.microsoft that onnxruntime's optimiser puts into files.
 */
#include "onnx/parts.h"

static void nn__onnx_map_bias_gelu(nn__onnx_node *n) {
    const bool fast = strcmp(n->op->type, "FastGelu") == 0;
    nn_node *x = nn__onnx_x(n, 0);
    const char *name;
    bool shared;
    if (nn__onnx_has(n, 1)) {
        name = nn__onnx_layer(n, -1, 1, &shared);
        x = nn_add_at(n->site, n->net, x, nn__onnx_trained(n, 1, name, "bias"));
    }
    nn__onnx_give(n, 0, fast ? nn_gelu_tanh_at(n->site, n->net, x) : nn_gelu_at(n->site, n->net, x),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_quick_gelu(nn__onnx_node *n) {
    nn__onnx_give(n, 0,
                  nn__onnx_express(n, "x: x * sigmoid(p * x)", nn__onnx_x(n, 0), NULL, NULL,
                                   nn__onnx_float(n, "alpha", 1.702), 0),
                  nn__onnx_dtype(n, 0));
}

/* Returns a norm over the last axis, with parameters that are operands `scale` and `bias` (-1:
   none). */
static nn_node *nn__onnx_last_norm(nn__onnx_node *n, nn_node *x, bool rms, int scale, int bias) {
    const float epsilon = nn__onnx_epsilon(nn__onnx_float(n, "epsilon", rms ? 1e-5 : 1e-12));
    bool shared;
    const char *name = nn__onnx_layer(n, scale, bias, &shared);
    nn_layer_norm_desc layer;
    nn_rms_norm_desc square;
    nn_node *y;
    memset(&layer, 0, sizeof layer);
    memset(&square, 0, sizeof square);
    layer.epsilon = square.epsilon = epsilon;
    layer.no_affine = square.no_affine = true;
    y = rms ? nn_rms_norm_at(n->site, n->net, name, x, &square)
            : nn_layer_norm_at(n->site, n->net, name, x, &layer);
    y = nn_multiply_at(n->site, n->net, y, nn__onnx_trained(n, scale, name, "weight"));
    return bias < 0 ? y : nn_add_at(n->site, n->net, y, nn__onnx_trained(n, bias, name, "bias"));
}

/* The operands are input, skip, gamma, beta (not of Simplified), bias. Gives the norm of input +
   skip + bias; that sum is result 3.
 */
static void nn__onnx_map_skip_norm(nn__onnx_node *n) {
    const bool rms = strcmp(n->op->type, "SkipSimplifiedLayerNormalization") == 0;
    const int bias = rms ? 3 : 4;
    nn_node *sum = nn_add_at(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_x(n, 1));
    if (nn__onnx_wants(n, 1) || nn__onnx_wants(n, 2)) {
        nn__onnx_refuse(
            n, NULL, "its mean or standard deviation is used as an output, which is not supported");
        return;
    }
    if (nn__onnx_has(n, bias)) sum = nn_add_at(n->site, n->net, sum, nn__onnx_x(n, bias));
    nn__onnx_give(n, 3, sum, nn__onnx_dtype(n, 0));
    nn__onnx_give(n, 0, nn__onnx_last_norm(n, sum, rms, 2, !rms && nn__onnx_has(n, 3) ? 3 : -1),
                  nn__onnx_dtype(n, 0));
}

/* In files of onnxruntime this one is in ONNX's own domain. */
static void nn__onnx_map_simplified_norm(nn__onnx_node *n) {
    const int rank = nn__onnx_rank(n, 0), axis = nn__onnx_axis(n, -1, rank);
    if (axis < 0) return;
    if (axis != rank - 1 || nn__onnx_wants(n, 1)) {
        nn__onnx_refuse(
            n, NULL,
            "it normalizes more than the last axis, or its mean or standard deviation is used");
        return;
    }
    nn__onnx_give(n, 0, nn__onnx_last_norm(n, nn__onnx_x(n, 0), true, 1, -1), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_microsoft(void) {
    static const char microsoft[] = "com.microsoft";
    static const nn__onnx_operator lines[] = {
        {microsoft, "Gelu", 1, 0, nn__onnx_map_bias_gelu, NULL},
        {microsoft, "FastGelu", 1, 0, nn__onnx_map_bias_gelu, NULL},
        {microsoft, "BiasGelu", 1, 0, nn__onnx_map_bias_gelu, NULL},
        {microsoft, "QuickGelu", 1, 0, nn__onnx_map_quick_gelu, NULL},
        {microsoft, "SkipLayerNormalization", 1, 0, nn__onnx_map_skip_norm, NULL},
        {microsoft, "SkipSimplifiedLayerNormalization", 1, 0, nn__onnx_map_skip_norm, NULL},
        {"", "SimplifiedLayerNormalization", 1, 0, nn__onnx_map_simplified_norm, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
