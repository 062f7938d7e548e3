/* ops/separable.c - a depthwise convolution, the 1 x 1 convolution after it, optionally one
   before it (1 x 1, or with few inputs), and a residual, as one step of a plan that only infers.
   No builder makes these nodes: separable_fusion.c replaces the pattern by them, and they are in no
   graph. */
#include "ops/conv_private.h"
#include "ops/program.h"

#ifndef NN_NO_SPEEDUPS

typedef struct nn__op_separable_params {
    nn_conv2d_params expand, depth;
    int32_t middle_h, middle_w;  /* of the depthwise convolution's input */
    nn_activation first, second; /* after expand, after depth */
    bool expands, biases[3], adds;
} nn__op_separable_params;

static const nn__op_separable_params *nn__op_separable_params_of(const nn_node *node) {
    return (const nn__op_separable_params *)node->params;
}

/* inputs: x; weight and bias (if any) of each convolution; the residual (if any) */
static void nn__op_separable_lower(const nn_node *node, const nn__lowering *lowering,
                                   nn__args *all) {
    const nn__op_separable_params *params = nn__op_separable_params_of(node);
    const nn_view *input = lowering->inputs;
    nn_separable_args *args = &all->separable;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = *input++;
    if (params->expands) args->expand = *input++;
    if (params->biases[0]) args->expand_bias = *input++;
    args->depth = *input++;
    if (params->biases[1]) args->depth_bias = *input++;
    args->project = *input++;
    if (params->biases[2]) args->project_bias = *input++;
    if (params->adds) args->residual = *input++;
    args->first = params->expand;
    args->params = params->depth;
    args->expand_activation = params->first;
    args->depth_activation = params->second;
    args->project_activation = lowering->activation;
    args->scratch = lowering->scratch;
}

static double nn__op_separable_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_separable_params *params = nn__op_separable_params_of(node);
    const nn_view *y = &lowering->output;
    const double M = (double)params->depth.groups,
                 places = (double)y->shape.extent[0] * y->shape.extent[2] * y->shape.extent[3];
    double sum = places * M * 2.0 * params->depth.kernel_h * params->depth.kernel_w +
                 2.0 * (double)nn__count(y) * M;
    if (params->expands)
        sum += 2.0 * y->shape.extent[0] * params->middle_h * params->middle_w *
               (double)nn__count(&lowering->inputs[1]);
    if (params->adds) sum += (double)nn__count(y);
    return sum;
}

static const nn__rule nn__rule_separable = {
    "separable",        NN_KERNEL_SEPARABLE,    0,
    NN_ACTIVATION_NONE, nn__op_separable_lower, NULL,
    nn__op_separable_flops, NULL, NULL};

NN_PRIVATE int nn__op_separable_weights(const nn_node *node) {
    return node->input_count - nn__op_separable_params_of(node)->adds;
}

/* ---- for plans ------------------------------------------------------------------------------- */

static bool nn__op_separable_is_f32(const nn_node *conv) {
    for (int i = 0; i < conv->input_count; i++)
        if (conv->inputs[i]->dtype != NN_F32) return false;
    for (int i = 0; i < 4; i++)
        if ((i && (nn__is_symbolic(conv->shape.extent[i]) ||
                   nn__is_symbolic(conv->inputs[0]->shape.extent[i]))) ||
            nn__is_symbolic(conv->inputs[1]->shape.extent[i]))
            return false;
    return true;
}

/* True if x and y have the same height and width. */
static bool nn__op_separable_keeps_places(const nn_node *conv) {
    const int32_t *x = conv->inputs[0]->shape.extent, *y = conv->shape.extent;
    return x[2] == y[2] && x[3] == y[3];
}

NN_PRIVATE bool nn__op_is_point(const nn_node *conv) {
    nn_conv2d_params p;
    if (!nn__op_is_conv2d(conv) || !nn__op_separable_is_f32(conv))
        return false;
    nn__op_conv2d_numbers_of(conv, &p);
    return p.kernel_h == 1 && p.kernel_w == 1 && p.stride_h == 1 && p.stride_w == 1 &&
           p.padding_h == 0 && p.padding_w == 0 && p.groups == 1 &&
           nn__op_separable_keeps_places(conv) &&
           conv->shape.extent[1] >= 8;
}

/* A stem sums at most this many products: computing a sum twice costs less than storing it. */
#define NN__SEPARABLE_STEM_PRODUCTS 64

NN_PRIVATE bool nn__op_is_stem(const nn_node *conv) {
    nn_conv2d_params p;
    if (!nn__op_is_conv2d(conv) || !nn__op_separable_is_f32(conv))
        return false;
    const int32_t *x = conv->inputs[0]->shape.extent, *y = conv->shape.extent;
    nn__op_conv2d_numbers_of(conv, &p);
    return p.groups == 1 && p.dilation_h == 1 && p.dilation_w == 1 && y[1] >= 8 &&
           (int64_t)x[1] * p.kernel_h * p.kernel_w <= NN__SEPARABLE_STEM_PRODUCTS &&
           y[2] == (x[2] + 2 * p.padding_h - p.kernel_h) / p.stride_h + 1 &&
           y[3] == (x[3] + 2 * p.padding_w - p.kernel_w) / p.stride_w + 1;
}

NN_PRIVATE bool nn__op_is_depthwise(const nn_node *conv) {
    nn_conv2d_params p;
    if (!nn__op_is_conv2d(conv) || !nn__op_separable_is_f32(conv))
        return false;
    nn__op_conv2d_numbers_of(conv, &p);
    return p.groups == conv->shape.extent[1] && p.groups == conv->inputs[0]->shape.extent[1] &&
           p.groups >= 8 && p.kernel_h * p.kernel_w >= 2;
}

NN_PRIVATE bool nn__op_is_addition(const nn_node *node) {
    return nn__is_program(node) && node->input_count == 2 && node->dtype == NN_F32 &&
           ((const nn__program_params *)node->params)->line == nn__table_add() &&
           nn_same_shape(node->shape, node->inputs[0]->shape) &&
           nn_same_shape(node->shape, node->inputs[1]->shape) && node->inputs[0]->dtype == NN_F32 &&
           node->inputs[1]->dtype == NN_F32;
}

NN_PRIVATE nn_node *nn__op_separable(nn__arena *arena, const nn__separable_parts *parts) {
    nn_node *node = (nn_node *)nn__arena_take(arena, sizeof *node);
    nn__op_separable_params *params =
        (nn__op_separable_params *)nn__arena_take(arena, sizeof *params);
    nn_node **inputs = (nn_node **)nn__arena_take(arena, sizeof *inputs * NN__SEPARABLE_INPUTS);
    const nn_node *convs[3];
    int count = 0;
    if (!node || !params || !inputs) return NULL;
    convs[0] = parts->expand;
    convs[1] = parts->depth;
    convs[2] = parts->project;
    memset(params, 0, sizeof *params);
    nn__op_conv2d_numbers_of(parts->depth, &params->depth);
    if (parts->expand) nn__op_conv2d_numbers_of(parts->expand, &params->expand);
    params->expands = parts->expand != NULL;
    params->middle_h = parts->depth->inputs[0]->shape.extent[2];
    params->middle_w = parts->depth->inputs[0]->shape.extent[3];
    params->adds = parts->residual != NULL;
    params->first = parts->first;
    params->second = parts->second;
    inputs[count++] = (parts->expand ? parts->expand : parts->depth)->inputs[0];
    for (int i = 0; i < 3; i++)
        for (int k = 1; convs[i] && k < convs[i]->input_count; k++) {
            if (k == 2) params->biases[i] = true;
            inputs[count++] = convs[i]->inputs[k];
        }
    if (parts->residual) inputs[count++] = parts->residual;
    *node = *parts->project;
    node->rule = &nn__rule_separable;
    node->operation = nn__rule_separable.name;
    node->params = params;
    node->inputs = inputs;
    node->input_count = count;
    node->roles = NULL;
    node->more = NULL;
    return node;
}

#undef NN__SEPARABLE_STEM_PRODUCTS
#endif

typedef int nn__ops_separable_part; /* a part must not be empty under NN_NO_SPEEDUPS */
