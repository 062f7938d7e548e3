/* ops/quantized.c - layers that multiply 8-bit integers between values in f32. */
#include "ops/quantized.h"
#include "kernels/install_quantize.h"
#include "ops/arrange.h"
#include "ops/matmul_private.h"
#include "ops/private.h"
#include "ops/table.h"

/* ---- check ----------------------------------------------------------------------------------- */

static const char *const nn__op_quantized_roles[] = {"input", "range", "h_0", "c_0"};

/* Checks the range, which is input 1. */
static bool nn__op_quantized_range(nn__inference *inference, nn_dtype dtype) {
    nn__problem *problem = inference->problem;
    const nn__type *in = inference->inputs;
    nn_shape pair;
    memset(&pair, 0, sizeof pair);
    pair.rank = 1;
    pair.extent[0] = 2;
    if (dtype == NN_I8 && in[0].dtype != NN_I8)
        return nn__problem_set(problem, NN_ERROR_DTYPE,
                               NN__TEXT("nn_quantize_even makes i8 of f32"),
                               NN__TEXT("input is %s; %s wants i8"), nn_dtype_name(in[0].dtype),
                               inference->operation);
    return (dtype == NN_I8 || nn__want_dtype(problem, inference->operation, "input", in[0].dtype,
                                             NN_F32)) &&
           nn__want_dtype(problem, inference->operation, "range", in[1].dtype, NN_F32) &&
           nn__want_role_shape(problem, "range", pair, in[1].shape);
}

static bool nn__op_quantize_even_infer(nn__inference *inference) {
    if (!nn__op_quantized_range(inference, NN_F32)) return false;
    inference->outputs[0].dtype = NN_I8;
    inference->outputs[0].shape = inference->inputs[0].shape;
    return true;
}

/* Checks `out`, which must be given, and the last extent of x, which must be known and equal `said`
   unless that is 0. rank: of x; 0: any. */
static bool nn__op_quantized_features(nn__inference *inference, const char *field, int out,
                                   const char *other, int said, int rank) {
    nn__problem *problem = inference->problem;
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    if (out < 1)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set it in the desc"),
                               NN__TEXT("%s is %d; it must be at least 1"), field, out);
    if (x.rank < 1 || (rank && x.rank != rank) || nn__is_symbolic(x.extent[x.rank - 1]))
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               rank ? NN__TEXT("input is %s; wanted (N, T, features), and a known "
                                               "number of features")
                                    : NN__TEXT("input is %s; wanted (..., features), and a known "
                                               "number of features"),
                               nn__format_shape(x, text, sizeof text));
    if (said != 0 && said != x.extent[x.rank - 1])
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave it out"),
                               NN__TEXT("%s is %d, but input has %d features"), other, said,
                               (int)x.extent[x.rank - 1]);
    return true;
}

static bool nn__op_quantized_linear_infer(nn__inference *inference) {
    const nn_quantized_linear_desc *desc = (const nn_quantized_linear_desc *)inference->params;
    return nn__op_quantized_range(inference, NN_I8) &&
           nn__op_quantized_features(inference, "out_features", desc ? desc->out_features : 0,
                                  "in_features", desc ? desc->in_features : 0, 0);
}

/* Writes the numbers of the window, and the extents of y to `out`. */
static bool nn__op_quantized_window(nn__problem *problem, const nn_quantized_conv2d_desc *d,
                                    const nn_shape *x, nn_conv2d_params *p, int32_t out[2]) {
    int kernel[2], stride[2], padding[2], dilation[2];
    if (!nn__per_axis_2d(problem, "kernel", NN__PER_AXIS_KERNEL, d->kernel, d->kernel_h,
                         d->kernel_w, kernel) ||
        !nn__per_axis_2d(problem, "stride", NN__PER_AXIS_STEP, d->stride, d->stride_h,
                         d->stride_w, stride) ||
        !nn__per_axis_2d(problem, "padding", NN__PER_AXIS_PADDING, d->padding, d->padding_h,
                         d->padding_w, padding) ||
        !nn__per_axis_2d(problem, "dilation", NN__PER_AXIS_STEP, d->dilation, d->dilation_h,
                         d->dilation_w, dilation))
        return false;
    p->kernel_h = kernel[0], p->kernel_w = kernel[1];
    p->stride_h = stride[0], p->stride_w = stride[1];
    p->padding_h = padding[0], p->padding_w = padding[1];
    p->dilation_h = dilation[0], p->dilation_w = dilation[1];
    p->groups = 1;
    for (int i = 0; i < 2; i++) {
        const int64_t extent = x->extent[2 + i],
                      span = (int64_t)dilation[i] * (kernel[i] - 1) + 1,
                      usual = (extent + 2 * (int64_t)padding[i] - span) / stride[i] + 1;
        const int said = i ? d->out_w : d->out_h;
        if (extent + 2 * (int64_t)padding[i] < span || span > INT32_MAX / 4 ||
            (int64_t)padding[i] >= span)
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("a smaller kernel or dilation, or padding that is less "
                                            "than the kernel"),
                                   NN__TEXT("a window of %d does not fit an extent of %d with a "
                                            "padding of %d"),
                                   (int)nn__min64(span, INT32_MAX), (int)extent, padding[i]);
        if (said < 0 || said > usual + span)
            return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave it out"),
                                   NN__TEXT("out_%s is %d; with the same padding it would be %d"),
                                   i ? "w" : "h", said, (int)usual);
        out[i] = said ? said : (int32_t)usual;
    }
    return true;
}

static bool nn__op_quantized_conv2d_infer(nn__inference *inference) {
    const nn_quantized_conv2d_desc *desc = (const nn_quantized_conv2d_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT];
    nn_conv2d_params params;
    int32_t out[2];
    if (!nn__op_quantized_range(inference, NN_I8)) return false;
    if (!desc || desc->out_channels < 1 || desc->out_channels > 1 << 24)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("set .out_channels"),
                               NN__TEXT("out_channels is %d; it must be 1 to 2^24"),
                               desc ? desc->out_channels : 0);
    if (x.rank != 4 || nn__is_symbolic(x.extent[1]) || nn__is_symbolic(x.extent[2]) ||
        nn__is_symbolic(x.extent[3]))
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("input is %s; wanted (N, C, H, W) with known C, H and W"),
                               nn__format_shape(x, text, sizeof text));
    if (!nn__op_quantized_window(inference->problem, desc, &x, &params, out)) return false;
    /* The kernel copies x into padded planes, which must not be too large. The left side is at
       least their size, because it counts whole strides. */
    if ((double)x.extent[1] *
            ((double)out[0] + params.kernel_h * (double)params.dilation_h) * params.stride_h *
            ((double)out[1] + params.kernel_w * (double)params.dilation_w) * params.stride_w <=
        INT32_MAX / 2)
        return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                           NN__TEXT("an image of %s with its padding has more than 2^30 numbers"),
                           nn__format_shape(x, text, sizeof text));
}

static bool nn__op_quantized_lstm_infer(nn__inference *inference) {
    const nn_quantized_lstm_desc *desc = (const nn_quantized_lstm_desc *)inference->params;
    const int hidden = desc ? desc->hidden_size : 0;
    nn_shape state;
    if (!nn__op_quantized_range(inference, NN_I8) ||
        !nn__op_quantized_features(inference, "hidden_size", hidden < 1 << 24 ? hidden : 0,
                                "input_size", desc ? desc->input_size : 0, 3))
        return false;
    memset(&state, 0, sizeof state);
    state.rank = 2;
    state.extent[0] = inference->inputs[0].shape.extent[0];
    state.extent[1] = hidden;
    for (int i = 2; i < inference->input_count; i++)
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32) ||
            !nn__want_role_shape(inference->problem, inference->roles[i], state,
                                 inference->inputs[i].shape))
            return false;
    return true;
}

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct nn__op_quantized_params {
    bool zeros;  /* the weight of a linear layer has zero points */
    bool h0, c0; /* of an LSTM */
    bool reverse;
} nn__op_quantized_params;

static void nn__op_quantize_even_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *all) {
    nn_quantize_even_args *args = &all->quantize_even;
    (void)node;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->range = lowering->inputs[1];
}

static void nn__op_quantized_linear_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *all) {
    nn_quantized_linear_args *args = &all->quantized_linear;
    memset(args, 0, sizeof *args);
    nn__op_matrix(&args->y, &lowering->output);
    nn__op_matrix(&args->x, &lowering->inputs[0]);
    args->weight = lowering->inputs[1];
    args->scale = lowering->inputs[2];
    args->range = lowering->inputs[3];
    if (((const nn__op_quantized_params *)node->params)->zeros)
        args->weight_zero = lowering->inputs[4];
    args->scratch = lowering->scratch;
}
static NN__UNUSED double nn__op_quantized_linear_flops(const nn_node *node,
                                                    const nn__lowering *lowering) {
    (void)node;
    return 2.0 * (double)nn__count(&lowering->output) *
           (double)lowering->inputs[1].shape.extent[1];
}

static void nn__op_quantized_conv2d_lower(const nn_node *node, const nn__lowering *lowering,
                                          nn__args *all) {
    nn_quantized_conv2d_args *args = &all->quantized_conv2d;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->weight = lowering->inputs[1];
    args->scale = lowering->inputs[2];
    args->range = lowering->inputs[3];
    if (node->input_count > 4) args->bias = lowering->inputs[4];
    args->scratch = lowering->scratch;
    args->params = *(const nn_conv2d_params *)node->params;
}
static NN__UNUSED double nn__op_quantized_conv2d_flops(const nn_node *node,
                                                       const nn__lowering *lowering) {
    const nn_view *weight = &lowering->inputs[1];
    (void)node;
    return 2.0 * (double)nn__count(&lowering->output) * (double)nn__count(weight) /
           (double)weight->shape.extent[0];
}

static void nn__op_quantized_lstm_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *all) {
    const nn__op_quantized_params *params = (const nn__op_quantized_params *)node->params;
    nn_quantized_lstm_args *args = &all->quantized_lstm;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->state = lowering->more[0];
    args->x = lowering->inputs[0];
    args->weight = lowering->inputs[1];
    args->scale = lowering->inputs[2];
    if (params->h0) args->h0 = lowering->inputs[3];
    if (params->c0) args->c0 = lowering->inputs[params->h0 ? 4 : 3];
    args->scratch = lowering->scratch;
    args->reverse = params->reverse;
}
static NN__UNUSED double nn__op_quantized_lstm_flops(const nn_node *node,
                                                  const nn__lowering *lowering) {
    (void)node;
    return 2.0 * (double)nn__count(&lowering->inputs[0]) *
           (double)lowering->inputs[1].shape.extent[1];
}

static const nn__rule nn__rule_quantize_even = {
    "quantize_even",   NN_KERNEL_QUANTIZE_EVEN, 0,
    NN_ACTIVATION_NONE,      nn__op_quantize_even_lower, NULL,
    NULL,                    nn__op_quantize_even_infer, NULL};
static const nn__rule nn__rule_bytes_linear = {
    "quantized_linear",      NN_KERNEL_QUANTIZED_LINEAR, NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,      nn__op_quantized_linear_lower, NULL,
    NN__FLOPS(nn__op_quantized_linear_flops), NULL,         NULL};
static const nn__rule nn__rule_bytes_conv2d = {
    "quantized_conv2d",      NN_KERNEL_QUANTIZED_CONV2D, NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,      nn__op_quantized_conv2d_lower, NULL,
    NN__FLOPS(nn__op_quantized_conv2d_flops), NULL,      NULL};
static const nn__rule nn__rule_bytes_lstm = {
    "quantized_lstm",        NN_KERNEL_QUANTIZED_LSTM, NN__ANY_DTYPE,
    NN_ACTIVATION_NONE,      nn__op_quantized_lstm_lower, NULL,
    NN__FLOPS(nn__op_quantized_lstm_flops), NULL,         NULL};
static const nn__rule nn__rule_linear_of_bytes =
    NN__COMPOSED_LAYER("quantized_linear", nn__op_quantized_linear_infer);
static const nn__rule nn__rule_conv2d_of_bytes =
    NN__COMPOSED_LAYER("quantized_conv2d", nn__op_quantized_conv2d_infer);
static const nn__rule nn__rule_lstm_of_bytes =
    NN__COMPOSED_LAYER("quantized_lstm", nn__op_quantized_lstm_infer);

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_quantize_even_at(nn_site site, nn_model *net, nn_node *x,
                                          nn_node *range) {
    nn_node *inputs[2] = {x, range};
    return nn__build(site, net, &nn__rule_quantize_even, nn__install_quantized, NULL, inputs,
                     nn__op_quantized_roles, 2, NULL, 0);
}

/* Returns the buffer "name.part" with `rows` numbers, or (rows, columns). */
static nn_node *nn__op_quantized_leaf(nn_model *net, nn_site site, const char *name,
                                      const char *part, nn_dtype dtype, int32_t rows,
                                      int32_t columns, double value) {
    char text[2 * NN_NAME_BYTES];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = columns ? 2 : 1;
    shape.extent[0] = rows;
    shape.extent[1] = columns;
    nn__join_text(text, sizeof text, name, ".", part);
    return nn_buffer_at(site, net, text, dtype, shape, value);
}

/* Adds the product of x and the weight "name.part" as the node `node`, and then the bias, unless it
   is NULL. */
static nn_node *nn__op_quantized_product(nn_model *net, nn_site site, const char *operation,
                                      const char *name, const char *node, const char *part,
                                      nn_node *x, nn_node *range, int out, bool zeros,
                                      nn_node *bias) {
    static const char *const roles[] = {"input", "weight", "weight_scale", "range",
                                        "weight_zero_point"};
    char text[64];
    nn__op_quantized_params params;
    nn_node *inputs[5], *y;
    nn_shape shape = x->shape;
    const int32_t features = shape.extent[shape.rank - 1];
    memset(&params, 0, sizeof params);
    params.zeros = zeros;
    shape.extent[shape.rank - 1] = out;
    inputs[0] = x;
    inputs[1] = nn__op_quantized_leaf(net, site, name, part, NN_I8, out, features, 0);
    nn__join_text(text, sizeof text, part, "_scale", "");
    inputs[2] = nn__op_quantized_leaf(net, site, name, text, NN_F32, out, 0, 1);
    inputs[3] = range;
    nn__join_text(text, sizeof text, part, "_zero_point", "");
    if (zeros) inputs[4] = nn__op_quantized_leaf(net, site, name, text, NN_I32, out, 0, 0);
    for (int i = 0; i < 4 + zeros; i++)
        if (inputs[i]->poisoned) return inputs[i];
    if (bias && bias->poisoned) return bias;
    nn__install_quantized(net->nn);
    y = nn__new_node(&net->graph, site, &nn__rule_bytes_linear, operation, node, inputs, roles,
                     4 + zeros, NN_F32, &shape, &params, sizeof params);
    return bias && !y->poisoned ? nn_add_at(site, net, y, bias) : y;
}

NN_API nn_node *nn_quantized_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       nn_node *range, const nn_quantized_linear_desc *desc) {
    const nn__rule *rule = &nn__rule_linear_of_bytes;
    nn_node *inputs[2] = {x, range}, *bias = NULL;
    nn_node *y = nn__build(site, net, rule, NULL, name, inputs, nn__op_quantized_roles, 2, desc, 0);
    if (!y || y->poisoned) return y;
    if (!desc->no_bias)
        bias = nn__op_quantized_leaf(net, site, name, "bias", NN_F32, desc->out_features, 0, 0);
    return nn__op_quantized_product(net, site, rule->name, name, name, "weight", x, range,
                                 desc->out_features, desc->weight_zero_points, bias);
}

NN_API nn_node *nn_quantized_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       nn_node *range, const nn_quantized_conv2d_desc *desc) {
    static const char *const roles[] = {"input", "weight", "weight_scale", "range", "bias"};
    const nn__rule *rule = &nn__rule_conv2d_of_bytes;
    char text[2 * NN_NAME_BYTES];
    nn_node *inputs[5];
    nn_shape shape, weight;
    nn_conv2d_params params;
    nn__problem none;
    inputs[0] = x;
    inputs[1] = range;
    nn_node *y = nn__build(site, net, rule, NULL, name, inputs, nn__op_quantized_roles, 2, desc, 0);
    if (!y || y->poisoned) return y;
    memset(&none, 0, sizeof none);
    shape = weight = x->shape;
    nn__op_quantized_window(&none, desc, &x->shape, &params, &shape.extent[2]);
    shape.extent[1] = weight.extent[0] = desc->out_channels;
    weight.extent[1] = x->shape.extent[1];
    weight.extent[2] = params.kernel_h;
    weight.extent[3] = params.kernel_w;
    nn__join_text(text, sizeof text, name, ".", "weight");
    inputs[1] = nn_buffer_at(site, net, text, NN_I8, weight, 0);
    inputs[2] =
        nn__op_quantized_leaf(net, site, name, "weight_scale", NN_F32, weight.extent[0], 0, 1);
    inputs[3] = range;
    if (desc->bias)
        inputs[4] = nn__op_quantized_leaf(net, site, name, "bias", NN_I32, weight.extent[0], 0, 0);
    for (int i = 1; i < 4 + desc->bias; i++)
        if (inputs[i]->poisoned) return inputs[i];
    nn__install_quantized(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_bytes_conv2d, rule->name, name, inputs, roles,
                        4 + desc->bias, NN_F32, &shape, &params, sizeof params);
}

/* Returns columns [first, first + count) of a state. */
static nn_node *nn__op_quantized_state(nn_site site, nn_model *net, nn_node *state, int first,
                                    int count) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = 1;
    slice.start = first;
    slice.stop = first + count;
    return nn_slice_at(site, net, state, &slice);
}

static nn_node *nn__op_quantized_steps(nn_model *net, nn_site site, const char *operation,
                                    const char *name, nn_node *x,
                                    const nn_quantized_lstm_desc *desc) {
    static const char *const roles[] = {"input", "weight", "weight_scale", "state", "cell"};
    const int32_t hidden = desc->hidden_size;
    nn__op_quantized_params params;
    nn_node *inputs[5], *y;
    nn_shape shape = x->shape, state;
    int count = 3;
    memset(&params, 0, sizeof params);
    params.h0 = desc->h_0 != NULL;
    params.c0 = desc->c_0 != NULL;
    params.reverse = desc->reverse;
    inputs[0] = x;
    inputs[1] = nn__op_quantized_leaf(net, site, name, "weight_hh", NN_I8, 4 * hidden, hidden, 0);
    inputs[2] = nn__op_quantized_leaf(net, site, name, "weight_hh_scale", NN_F32, 4 * hidden, 0, 1);
    if (desc->h_0) inputs[count++] = desc->h_0;
    if (desc->c_0) inputs[count++] = desc->c_0;
    for (int i = 0; i < count; i++)
        if (inputs[i]->poisoned) return inputs[i];
    shape.extent[2] = hidden;
    nn__install_quantized(net->nn);
    y = nn__new_node(&net->graph, site, &nn__rule_bytes_lstm, operation, name, inputs, roles,
                     count, NN_F32, &shape, &params, sizeof params);
    memset(&state, 0, sizeof state);
    state.rank = 2;
    state.extent[0] = shape.extent[0];
    state.extent[1] = 2 * hidden;
    if (y->poisoned || nn__add_output(y, "state", NN_F32, state)->poisoned) return nn__poison(net);
    nn__add_result(y, 1, nn__op_quantized_state(site, net, nn__output(y, 1), 0, hidden));
    nn__add_result(y, 2, nn__op_quantized_state(site, net, nn__output(y, 1), hidden, hidden));
    return y;
}

NN_API nn_node *nn_quantized_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     nn_node *range, const nn_quantized_lstm_desc *desc) {
    const nn__rule *rule = &nn__rule_lstm_of_bytes;
    char text[2 * NN_NAME_BYTES];
    const char *roles[4];
    nn_node *inputs[4], *bias = NULL, *y;
    int count = 2;
    inputs[0] = x;
    inputs[1] = range;
    for (int i = 0; i < 2; i++) roles[i] = nn__op_quantized_roles[i];
    for (int i = 2; i < 4; i++) {
        nn_node *first = !desc ? NULL : i == 2 ? desc->h_0 : desc->c_0;
        roles[count] = nn__op_quantized_roles[i];
        if (first) inputs[count++] = first;
    }
    y = nn__build(site, net, rule, NULL, name, inputs, roles, count, desc, 0);
    if (!y || y->poisoned) return y;
    if (!desc->no_bias)
        bias = nn__op_quantized_leaf(net, site, name, "bias", NN_F32, 4 * desc->hidden_size, 0, 0);
    nn__join_text(text, sizeof text, name, ".", "input");
    y = nn__op_quantized_product(net, site, rule->name, name, text, "weight_ih", x, range,
                              4 * desc->hidden_size, false, bias);
    if (!y || y->poisoned) return y;
    return nn__op_quantized_steps(net, site, rule->name, name, y, desc);
}
