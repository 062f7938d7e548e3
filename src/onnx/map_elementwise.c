/* onnx/map_elementwise.c - functions of one operand, and those with numbers as attributes. */
#include "onnx/map_tools.h"

typedef nn_node *nn__onnx_unary(nn_site site, nn_model *net, nn_node *x);

/* A function of nn.h, or an expression where it has none. truth: the result is 1 or 0. */
typedef struct nn__onnx_function_of_one {
    const char *type;
    nn__onnx_unary *build;
    const char *text;
    bool truth;
} nn__onnx_function_of_one;

static nn_node *nn__onnx_softplus(nn_site site, nn_model *net, nn_node *x) {
    return nn_softplus_at(site, net, x, NULL);
}

static const nn__onnx_function_of_one *nn__onnx_find_unary(const char *type) {
    static const nn__onnx_function_of_one functions[] = {
        {"Abs", nn_abs_at, NULL, false},
        {"Acos", NULL, "x: atan2(sqrt((1 - x) * (1 + x)), x)", false},
        {"Acosh", NULL, "x: log(x + sqrt((x - 1) * (x + 1)))", false},
        {"Asin", NULL, "x: atan2(x, sqrt((1 - x) * (1 + x)))", false},
        {"Asinh", NULL, "x: sign(x) * log1p(abs(x) + x * x / (1 + sqrt(1 + x * x)))", false},
        {"Atan", nn_atan_at, NULL, false},
        {"Atanh", NULL, "x: 0.5 * (log1p(x) - log1p(-x))", false},
        {"Ceil", nn_ceil_at, NULL, false},
        {"Cos", nn_cos_at, NULL, false},
        {"Cosh", nn_cosh_at, NULL, false},
        {"Erf", nn_erf_at, NULL, false},
        {"Exp", nn_exp_at, NULL, false},
        {"Floor", nn_floor_at, NULL, false},
        {"HardSwish", nn_hardswish_at, NULL, false},
        {"IsNaN", nn_isnan_at, NULL, true},
        {"Log", nn_log_at, NULL, false},
        {"Mish", nn_mish_at, NULL, false},
        {"Neg", nn_negate_at, NULL, false},
        {"Not", nn_logical_not_at, NULL, true},
        {"Reciprocal", nn_reciprocal_at, NULL, false},
        {"Relu", nn_relu_at, NULL, false},
        {"Round", nn_round_at, NULL, false},
        {"Sigmoid", nn_sigmoid_at, NULL, false},
        {"Sign", nn_sign_at, NULL, false},
        {"Sin", nn_sin_at, NULL, false},
        {"Sinh", nn_sinh_at, NULL, false},
        {"Softplus", nn__onnx_softplus, NULL, false},
        {"Softsign", nn_softsign_at, NULL, false},
        {"Sqrt", nn_sqrt_at, NULL, false},
        {"Tan", nn_tan_at, NULL, false},
        {"Tanh", nn_tanh_at, NULL, false},
    };
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].type, type) == 0) return &functions[i];
    return NULL;
}

static void nn__onnx_map_unary(nn__onnx_node *n) {
    const nn__onnx_function_of_one *function = nn__onnx_find_unary(n->op->type);
    nn_node *x = nn__onnx_x(n, 0);
    if (!function || !x) return;
    nn__onnx_give(n, 0,
                  function->build ? function->build(n->site, n->net, x)
                                  : nn__onnx_express(n, function->text, x, NULL, NULL, 0, 0),
                  function->truth ? NN__ONNX_BOOL : nn__onnx_dtype(n, 0));
}

/* ---- functions with attributes --------------------------------------------------------------- */

/* Returns a number of a file for a desc, where 0 would be the default. */
static float nn__onnx_desc_number(double number) {
    return number == 0 ? (float)NN_NONE : (float)number;
}

static nn_node *nn__onnx_elu(nn__onnx_node *n, nn_node *x, double alpha) {
    nn_elu_desc desc;
    desc.alpha = nn__onnx_desc_number(alpha);
    return nn_elu_at(n->site, n->net, x, &desc);
}

static void nn__onnx_map_elu(nn__onnx_node *n) {
    nn__onnx_give(n, 0, nn__onnx_elu(n, nn__onnx_x(n, 0), nn__onnx_float(n, "alpha", 1)),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_celu(nn__onnx_node *n) {
    nn_celu_desc desc;
    desc.alpha = nn__onnx_desc_number(nn__onnx_float(n, "alpha", 1));
    nn__onnx_give(n, 0, nn_celu_at(n->site, n->net, nn__onnx_x(n, 0), &desc), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_selu(nn__onnx_node *n) {
    const bool usual = !nn__onnx_attribute_of(n, "alpha") && !nn__onnx_attribute_of(n, "gamma");
    const double alpha = nn__onnx_float(n, "alpha", 1.67326319217681884765625);
    const double gamma = nn__onnx_float(n, "gamma", 1.05070102214813232421875);
    nn_node *x = nn__onnx_x(n, 0);
    x = usual ? nn_selu_at(n->site, n->net, x)
              : nn_scale_at(n->site, n->net, nn__onnx_elu(n, x, alpha), (float)gamma);
    nn__onnx_give(n, 0, x, nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_gelu(nn__onnx_node *n) {
    nn_node *x = nn__onnx_x(n, 0);
    nn__onnx_give(n, 0,
                  nn__onnx_is(n, "approximate", "none", "tanh")
                      ? nn_gelu_tanh_at(n->site, n->net, x)
                      : nn_gelu_at(n->site, n->net, x),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_leaky_relu(nn__onnx_node *n) {
    nn_leaky_relu_desc desc;
    desc.negative_slope = nn__onnx_desc_number(nn__onnx_float(n, "alpha", 0.01));
    nn__onnx_give(n, 0, nn_leaky_relu_at(n->site, n->net, nn__onnx_x(n, 0), &desc),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_thresholded_relu(nn__onnx_node *n) {
    nn__onnx_give(
        n, 0,
        nn_threshold_at(n->site, n->net, nn__onnx_x(n, 0), (float)nn__onnx_float(n, "alpha", 1), 0),
        nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_hard_sigmoid(nn__onnx_node *n) {
    nn__onnx_give(n, 0,
                  nn__onnx_express(n, "x: clamp(p * x + q, 0, 1)", nn__onnx_x(n, 0), NULL, NULL,
                                   nn__onnx_float(n, "alpha", 0.2), nn__onnx_float(n, "beta", 0.5)),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_shrink(nn__onnx_node *n) {
    nn__onnx_give(n, 0,
                  nn__onnx_express(n, "x: x < -p ? x + q : x > p ? x - q : 0", nn__onnx_x(n, 0),
                                   NULL, NULL, nn__onnx_float(n, "lambd", 0.5),
                                   nn__onnx_float(n, "bias", 0)),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_swish(nn__onnx_node *n) {
    const double alpha = nn__onnx_float(n, "alpha", 1);
    nn_node *x = nn__onnx_x(n, 0);
    nn__onnx_give(n, 0,
                  alpha == 1
                      ? nn_silu_at(n->site, n->net, x)
                      : nn__onnx_express(n, "x: x * sigmoid(p * x)", x, NULL, NULL, alpha, 0),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_swiglu(nn__onnx_node *n) {
    nn__onnx_give(n, 0,
                  nn__onnx_express(n, "gate, x: gate * sigmoid(p * gate) * x", nn__onnx_x(n, 0),
                                   nn__onnx_x(n, 1), NULL, nn__onnx_float(n, "alpha", 1), 0),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_is_inf(nn__onnx_node *n) {
    const bool positive = nn__onnx_int(n, "detect_positive", 1) != 0;
    const bool negative = nn__onnx_int(n, "detect_negative", 1) != 0;
    nn_node *x = nn__onnx_x(n, 0);
    if (positive && negative)
        x = nn_isinf_at(n->site, n->net, x);
    else
        x = nn__onnx_express(n,
                             positive   ? "x: x == inf"
                             : negative ? "x: x == -inf"
                                        : "x: 0 * (x == 0)",
                             x, NULL, NULL, 0, 0);
    nn__onnx_give(n, 0, x, NN__ONNX_BOOL);
}

/* Limits are attributes before opset 11, then operands. */
static void nn__onnx_map_clip(nn__onnx_node *n) {
    nn_node *x = nn__onnx_x(n, 0);
    if (n->opset < 11) {
        if (nn__onnx_attribute_of(n, "min"))
            x = nn_clamp_min_at(n->site, n->net, x, (float)nn__onnx_float(n, "min", 0));
        if (nn__onnx_attribute_of(n, "max"))
            x = nn_clamp_max_at(n->site, n->net, x, (float)nn__onnx_float(n, "max", 0));
    }
    for (int i = 1; i < 3 && n->opset >= 11; i++) {
        double limit;
        if (!nn__onnx_has(n, i)) continue;
        if (nn__onnx_scalar(n, i, &limit))
            x = i == 1 ? nn_clamp_min_at(n->site, n->net, x, (float)limit)
                       : nn_clamp_max_at(n->site, n->net, x, (float)limit);
        else
            x = i == 1 ? nn_maximum_at(n->site, n->net, x, nn__onnx_x(n, i))
                       : nn_minimum_at(n->site, n->net, x, nn__onnx_x(n, i));
    }
    nn__onnx_give(n, 0, x, nn__onnx_dtype(n, 0));
}

/* Describes a layer if the slopes are known: one for all, or one for each channel. Before opset 7
   there are no other slopes. */
static void nn__onnx_map_prelu(nn__onnx_node *n) {
    const nn__onnx_tensor *slope = nn__onnx_known(n, 1);
    const nn_shape shape = nn__onnx_shape(n, 0);
    nn_prelu_desc desc;
    const char *name;
    bool shared, layer = slope != NULL && slope->count > 0 && shape.rank > 0;
    for (int i = 0; layer && i < slope->rank; i++) /* its last axes are those of x */
        if (slope->extent[i] != 1 && n->opset >= 7 && i + shape.rank - slope->rank != 1)
            layer = false;
    if (layer && slope->count > 1 && (shape.rank < 2 || slope->count != (uint64_t)shape.extent[1]))
        layer = false;
    if (!layer && n->opset < 7) {
        nn__onnx_refuse(n, "convert the file to opset 7 or newer",
                        "its slopes, which opset 6 takes from another place, are not supported");
        return;
    }
    if (!layer) {
        nn__onnx_give(n, 0,
                      nn__onnx_express(n, "x, slope: x > 0 ? x : slope * x", nn__onnx_x(n, 0),
                                       nn__onnx_x(n, 1), NULL, 0, 0),
                      nn__onnx_dtype(n, 0));
        return;
    }
    memset(&desc, 0, sizeof desc);
    desc.num_parameters = (int)slope->count;
    name = nn__onnx_layer(n, 1, -1, &shared);
    desc.shared = shared;
    nn__onnx_give(n, 0, nn_prelu_at(n->site, n->net, name, nn__onnx_x(n, 0), &desc),
                  nn__onnx_dtype(n, 0));
    if (!shared) nn__onnx_load(n, name, "weight", slope, NULL);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_elementwise(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Abs", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Acos", 7, 0, nn__onnx_map_unary, NULL},
        {"", "Acosh", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Asin", 7, 0, nn__onnx_map_unary, NULL},
        {"", "Asinh", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Atan", 7, 0, nn__onnx_map_unary, NULL},
        {"", "Atanh", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Ceil", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Celu", 12, 0, nn__onnx_map_celu, NULL},
        {"", "Clip", 1, 0, nn__onnx_map_clip, NULL},
        {"", "Cos", 7, 0, nn__onnx_map_unary, NULL},
        {"", "Cosh", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Elu", 1, 0, nn__onnx_map_elu, NULL},
        {"", "Erf", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Exp", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Floor", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Gelu", 20, 0, nn__onnx_map_gelu, NULL},
        {"", "HardSigmoid", 1, 0, nn__onnx_map_hard_sigmoid, NULL},
        {"", "HardSwish", 14, 0, nn__onnx_map_unary, NULL},
        {"", "IsInf", 10, 0, nn__onnx_map_is_inf, NULL},
        {"", "IsNaN", 9, 0, nn__onnx_map_unary, NULL},
        {"", "LeakyRelu", 1, 0, nn__onnx_map_leaky_relu, NULL},
        {"", "Log", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Mish", 18, 0, nn__onnx_map_unary, NULL},
        {"", "Neg", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Not", 1, 0, nn__onnx_map_unary, NULL},
        {"", "PRelu", 1, 0, nn__onnx_map_prelu, NULL},
        {"", "Reciprocal", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Relu", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Round", 11, 0, nn__onnx_map_unary, NULL},
        {"", "Selu", 6, 0, nn__onnx_map_selu, NULL},
        {"", "Shrink", 9, 0, nn__onnx_map_shrink, NULL},
        {"", "Sigmoid", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Sign", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Sin", 7, 0, nn__onnx_map_unary, NULL},
        {"", "Sinh", 9, 0, nn__onnx_map_unary, NULL},
        {"", "Softplus", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Softsign", 1, 0, nn__onnx_map_unary, NULL},
        {"", "Sqrt", 1, 0, nn__onnx_map_unary, NULL},
        {"", "SwiGLU", 1, 0, nn__onnx_map_swiglu, NULL},
        {"", "Swish", 24, 0, nn__onnx_map_swish, NULL},
        {"", "Tan", 7, 0, nn__onnx_map_unary, NULL},
        {"", "Tanh", 1, 0, nn__onnx_map_unary, NULL},
        {"", "ThresholdedRelu", 10, 0, nn__onnx_map_thresholded_relu, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
