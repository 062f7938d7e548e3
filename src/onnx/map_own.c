/* onnx/map_own.c - functions of the domain "nn.h", which nn_save_onnx writes where ONNX has no
   operator. The file has bodies for them, of which ours are more exact. */
#include "onnx/map_tools.h"

static void nn__onnx_map_own(nn__onnx_node *n) {
    static const struct {
        const char *type, *text;
        int operands;
    } functions[] = {{"Atan2", "a, b: atan2(a, b)", 2},   {"Expm1", "x: expm1(x)", 1},
                     {"Fma", "a, b, c: fma(a, b, c)", 3}, {"Hypot", "a, b: hypot(a, b)", 2},
                     {"Log10", "x: log10(x)", 1},         {"Log1p", "x: log1p(x)", 1},
                     {"Log2", "x: log2(x)", 1},           {"Remainder", "a, b: remainder(a, b)", 2},
                     {"Trunc", "x: trunc(x)", 1}};
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++) {
        const int count = functions[i].operands;
        if (strcmp(functions[i].type, n->op->type) != 0) continue;
        nn__onnx_give(n, 0,
                      nn__onnx_express(n, functions[i].text, nn__onnx_x(n, 0),
                                       count > 1 ? nn__onnx_x(n, 1) : NULL,
                                       count > 2 ? nn__onnx_x(n, 2) : NULL, 0, 0),
                      NN__ONNX_FLOAT);
    }
}

static void nn__onnx_map_to_whole(nn__onnx_node *n) {
    const bool wide = strcmp(n->op->type, "ToInt32") == 0;
    const bool byte = strcmp(n->op->type, "ToUint8") == 0;
    nn__onnx_give(n, 0,
                  nn_cast_at(n->site, n->net, nn__onnx_x(n, 0),
                             wide   ? NN_I32
                             : byte ? NN_U8
                                    : NN_I8),
                  wide   ? NN__ONNX_INT32
                  : byte ? NN__ONNX_UINT8
                         : NN__ONNX_INT8);
}

/* Operands: x, weight, epsilon. */
static void nn__onnx_map_own_rms(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const nn__onnx_tensor *weight = nn__onnx_known(n, 1);
    nn_rms_norm_desc desc;
    const char *name;
    bool shared;
    double epsilon = 1e-5;
    nn_node *y;
    memset(&desc, 0, sizeof desc);
    nn__onnx_scalar(n, 2, &epsilon);
    name = nn__onnx_layer(n, weight ? 1 : -1, -1, &shared);
    desc.normalized_shape.rank = 1;
    desc.normalized_shape.extent[0] = shape.rank > 0 ? shape.extent[shape.rank - 1] : 0;
    desc.epsilon = epsilon == 0 ? (float)NN_NONE : (float)epsilon;
    desc.no_affine = !weight;
    desc.shared = shared;
    y = nn_rms_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc);
    if (weight && !shared) nn__onnx_load(n, name, "weight", weight, &desc.normalized_shape);
    if (!weight) y = nn_multiply_at(n->site, n->net, y, nn__onnx_x(n, 1));
    nn__onnx_give(n, 0, y, NN__ONNX_FLOAT);
}

/* Operands: x, weight, bias, epsilon, the shape with groups (0, groups, -1), (C, 1 ...). */
static void nn__onnx_map_own_group(nn__onnx_node *n) {
    const nn__onnx_tensor *weight = nn__onnx_known(n, 1), *bias = nn__onnx_known(n, 2);
    nn_group_norm_desc desc;
    int32_t grouped[3];
    const char *name;
    bool shared;
    double epsilon = 1e-5;
    if (nn__onnx_wholes(n, 4, "grouped", grouped, 3) != 3) return;
    if (!weight || !bias) {
        nn__onnx_refuse(n, NULL, "its weight or bias is not an initializer");
        return;
    }
    memset(&desc, 0, sizeof desc);
    nn__onnx_scalar(n, 3, &epsilon);
    name = nn__onnx_layer(n, 1, 2, &shared);
    desc.num_groups = grouped[1];
    desc.epsilon = epsilon == 0 ? (float)NN_NONE : (float)epsilon;
    desc.shared = shared;
    nn__onnx_give(n, 0, nn_group_norm_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc),
                  NN__ONNX_FLOAT);
    if (shared) return;
    nn__onnx_load(n, name, "weight", weight, NULL);
    nn__onnx_load(n, name, "bias", bias, NULL);
}

/* Operands: x, and matrices of means, (W, new W) and (new H, H). */
static void nn__onnx_map_own_pool(nn__onnx_node *n) {
    const nn__onnx_tensor *width = nn__onnx_known(n, 1), *height = nn__onnx_known(n, 2);
    nn_node *x = nn__onnx_x(n, 0);
    if (!width || width->rank != 2 || (height && height->rank != 2)) {
        nn__onnx_refuse(n, NULL, "its matrices are not initializers");
        return;
    }
    nn__onnx_give(n, 0,
                  height ? nn_adaptive_avg_pool2d_at(n->site, n->net, x, (int)height->extent[0],
                                                     (int)width->extent[1])
                         : nn_adaptive_avg_pool1d_at(n->site, n->net, x, (int)width->extent[1]),
                  NN__ONNX_FLOAT);
}

/* Operands: logits, label, [k], [1]. */
static void nn__onnx_map_own_accuracy(nn__onnx_node *n) {
    int32_t top;
    if (nn__onnx_wholes(n, 2, "top", &top, 1) != 1) return;
    nn__onnx_give(n, 0,
                  nn_top_k_accuracy_at(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_index(n, 1),
                                       top),
                  NN__ONNX_FLOAT);
}

/* Operand 0 is x and 9 are the positions; the attributes say the rest. */
static void nn__onnx_map_own_rotary(nn__onnx_node *n) {
    nn_rotary_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.base = (float)nn__onnx_float(n, "base", 10000);
    desc.rotary_dim = (int)nn__onnx_int(n, "width", 0);
    desc.interleaved = strcmp(n->op->type, "RotaryPairs") == 0;
    desc.heads_inside = nn__onnx_int(n, "heads_inside", 0) != 0;
    desc.offset = (int)nn__onnx_int(n, "offset", 0);
    desc.factor = (float)nn__onnx_float(n, "factor", 1);
    desc.original_max_position_embeddings = (int)nn__onnx_int(n, "original", 0);
    desc.low_freq_factor = (float)nn__onnx_float(n, "low", 1);
    desc.high_freq_factor = (float)nn__onnx_float(n, "high", 4);
    if (nn__onnx_has(n, 9)) desc.positions = nn__onnx_index(n, 9);
    nn__onnx_give(n, 0, nn_rotary_embedding_at(n->site, n->net, nn__onnx_x(n, 0), &desc),
                  NN__ONNX_FLOAT);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_own(void) {
    static const nn__onnx_operator lines[] = {
        {"nn.h", "Accuracy", 1, 0, nn__onnx_map_own_accuracy, NULL},
        {"nn.h", "AdaptiveAveragePool1d", 1, 0, nn__onnx_map_own_pool, NULL},
        {"nn.h", "AdaptiveAveragePool2d", 1, 0, nn__onnx_map_own_pool, NULL},
        {"nn.h", "Atan2", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Expm1", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Fma", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Hypot", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Log10", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Log1p", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Log2", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Rotary", 1, 0, nn__onnx_map_own_rotary, NULL},
        {"nn.h", "RotaryPairs", 1, 0, nn__onnx_map_own_rotary, NULL},
        {"nn.h", "RotaryPart", 1, 0, nn__onnx_map_own_rotary, NULL},
        {"nn.h", "RmsNorm", 1, 0, nn__onnx_map_own_rms, NULL},
        {"nn.h", "GroupNorm", 1, 0, nn__onnx_map_own_group, NULL},
        {"nn.h", "Remainder", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "Trunc", 1, 0, nn__onnx_map_own, NULL},
        {"nn.h", "ToInt32", 1, 0, nn__onnx_map_to_whole, NULL},
        {"nn.h", "ToInt8", 1, 0, nn__onnx_map_to_whole, NULL},
        {"nn.h", "ToUint8", 1, 0, nn__onnx_map_to_whole, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
