/* ops/integer_build.c - what users call to describe inference in 8-bit integers. The checks are
   those of the layers in f32, which see an image (N, H, W, C) as (N, C, H, W). */
#include "ops/conv_private.h"
#include "ops/integer_private.h"
#include "ops/pool_shared.h"

#define NN__INTEGERS_MOST 65536 /* products of a sum: more might not fit into 32 bits */

/* The desc of a call, and what its check finds. */
typedef struct nn__integer_call {
    const void *desc;
    nn_shape y, weight;
    nn_conv2d_params window;
    nn_integer_pool2d_args pool;
} nn__integer_call;

/* params is a struct of the caller's, which is not constant. */
static nn__integer_call *nn__integer_call_of(const nn__inference *inference) {
    return (nn__integer_call *)(size_t)inference->params;
}

/* Turns (N, H, W, C) into (N, C, H, W), or back. */
static void nn__integer_channels(nn_shape *shape, bool first) {
    const nn_shape from = *shape;
    if (shape->rank != 4) return;
    for (int i = 1; i < 4; i++) shape->extent[i] = from.extent[first ? (i + 1) % 3 + 1 : i % 3 + 1];
}

/* Asks the layer in f32, with the channels of x first. */
static bool nn__integer_ask(nn__inference *inference, bool (*infer)(nn__inference *inference)) {
    nn__integer_call *call = nn__integer_call_of(inference);
    const nn__type *inputs = inference->inputs;
    nn__type x = inputs[0];
    if (!nn__want_dtype(inference->problem, inference->operation, "input", x.dtype, NN_I8))
        return false;
    if (x.shape.rank != 4)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("give an image (N, H, W, C), with the channels last"),
                               NN__TEXT("its input has the rank %d"), (int)x.shape.rank);
    nn__integer_channels(&x.shape, true);
    x.dtype = NN_F32;
    inference->inputs = &x;
    inference->params = call->desc;
    const bool fine = infer(inference);
    inference->inputs = inputs;
    inference->params = call;
    if (!fine) return false;
    call->y = inference->outputs[0].shape;
    nn__integer_channels(&call->y, false);
    inference->outputs[0].shape = call->y;
    inference->outputs[0].dtype = NN_I8;
    return true;
}

/* ---- conversions ----------------------------------------------------------------------------- */

/* Returns the buffer "name.scale", which a call before may have added. */
static nn_node *nn__integer_scale_of(nn_model *net, nn_site site, const char *name) {
    char text[2 * NN_NAME_BYTES];
    nn__join_text(text, sizeof text, name, ".", "scale");
    for (nn_node *leaf = *nn__leaf_list(&net->graph, text); leaf; leaf = nn__next_leaf(leaf))
        if (leaf->kind == NN__BUFFER && leaf->dtype == NN_F32 && leaf->shape.rank == 1 &&
            leaf->shape.extent[0] == 2 && strcmp(leaf->name, text) == 0)
            return leaf;
    return nn__integer_scale_leaf(net, site, name);
}

static bool nn__integer_convert_infer(nn__inference *inference, nn_dtype from, nn_dtype to) {
    nn__integer_call *call = nn__integer_call_of(inference);
    const nn_quantize_per_tensor_desc *desc = (const nn_quantize_per_tensor_desc *)call->desc;
    const nn_shape *x = &inference->inputs[0].shape;
    if (!nn__want_dtype(inference->problem, inference->operation, "input",
                        inference->inputs[0].dtype, from))
        return false;
    if (desc && desc->channels_last && x->rank != 4)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("leave .channels_last out, or give an image"),
                               NN__TEXT("channels_last is for images, but its input has the rank "
                                        "%d"),
                               (int)x->rank);
    call->y = *x;
    if (desc && desc->channels_last) nn__integer_channels(&call->y, to == NN_F32);
    inference->outputs[0].shape = call->y;
    inference->outputs[0].dtype = to;
    return true;
}
static bool nn__integer_quantize_infer(nn__inference *inference) {
    return nn__integer_convert_infer(inference, NN_F32, NN_I8);
}
static bool nn__integer_dequantize_infer(nn__inference *inference) {
    return nn__integer_convert_infer(inference, NN_I8, NN_F32);
}

NN_API nn_node *nn_quantize_per_tensor_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                          const nn_quantize_per_tensor_desc *desc) {
    static const nn__rule rule =
        NN__COMPOSED_LAYER("quantize_per_tensor", nn__integer_quantize_infer);
    nn__integer_call call;
    call.desc = desc;
    nn_node *from = nn__build(site, net, &rule, NULL, name, &x, NULL, 1, &call, 0);
    if (!from || from->poisoned) return from;
    return nn__integer_quantize(net, site, name, x, nn__integer_scale_of(net, site, name),
                                desc && desc->channels_last, &call.y);
}
NN_API nn_node *nn_dequantize_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                 const nn_quantize_per_tensor_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_LAYER("dequantize", nn__integer_dequantize_infer);
    nn__integer_call call;
    call.desc = desc;
    nn_node *from = nn__build(site, net, &rule, NULL, name, &x, NULL, 1, &call, 0);
    if (!from || from->poisoned) return from;
    return nn__integer_dequantize(net, site, name, x, nn__integer_scale_of(net, site, name),
                                  desc && desc->channels_last, &call.y);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static bool nn__integer_owns(nn__problem *problem, bool no_bias, bool shared) {
    if (no_bias)
        return nn__refuse_number(problem, "no_bias", 1, "false: leave the bias at zeros instead");
    return !shared || nn__refuse_number(problem, "shared", 1, "false");
}
static bool nn__integer_depth(nn__problem *problem, int64_t depth) {
    if (depth <= NN__INTEGERS_MOST) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("compute this layer in f32"),
                           NN__TEXT("each sum has %lld products, and more than %d might not fit "
                                    "into 32 bits"),
                           (long long)depth, NN__INTEGERS_MOST);
}

static bool nn__integer_linear_infer(nn__inference *inference) {
    nn__integer_call *call = nn__integer_call_of(inference);
    nn__problem *problem = inference->problem;
    const nn_linear_desc *desc = (const nn_linear_desc *)call->desc;
    const nn_shape *x = &inference->inputs[0].shape;
    const int32_t C = x->rank > 0 ? x->extent[x->rank - 1] : 0;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_I8))
        return false;
    if (!desc || desc->out_features <= 0)
        return nn__refuse_number(problem, "out_features", desc ? desc->out_features : 0,
                                 "at least 1");
    if (C == 0 || nn__is_symbolic(C))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("give a last extent that does not depend on batch or time"),
                               NN__TEXT("the last extent of its input is not a known number"));
    if (desc->in_features != 0 && desc->in_features != C)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave .in_features out"),
                               NN__TEXT("in_features is %d, but the last extent of its input is "
                                        "%d"),
                               desc->in_features, (int)C);
    if (!nn__integer_owns(problem, desc->no_bias, desc->shared) || !nn__integer_depth(problem, C))
        return false;
    memset(&call->window, 0, sizeof call->window);
    call->window.kernel_h = call->window.kernel_w = call->window.stride_h = 1;
    call->window.stride_w = call->window.dilation_h = call->window.dilation_w = 1;
    call->window.groups = 1;
    memset(&call->weight, 0, sizeof call->weight);
    call->weight.rank = 4;
    call->weight.extent[0] = desc->out_features;
    call->weight.extent[1] = call->weight.extent[2] = 1;
    call->weight.extent[3] = C;
    call->y = *x;
    call->y.extent[x->rank - 1] = desc->out_features;
    inference->outputs[0].shape = call->y;
    inference->outputs[0].dtype = NN_I8;
    return true;
}

static bool nn__integer_conv2d_infer(nn__inference *inference) {
    nn__integer_call *call = nn__integer_call_of(inference);
    nn__problem *problem = inference->problem;
    const nn_conv2d_desc *desc = (const nn_conv2d_desc *)call->desc;
    if (!nn__integer_ask(inference, nn__op_conv2d_infer)) return false;
    const nn_shape weight = inference->parameters[0];
    const int32_t channels = inference->inputs[0].shape.extent[3];
    inference->parameter_count = 0;
    inference->shared = false;
    nn__op_conv2d_params(desc, &weight, &call->window);
    if (!nn__integer_owns(problem, desc->no_bias, desc->shared)) return false;
    memset(&call->weight, 0, sizeof call->weight);
    call->weight.rank = 4;
    call->weight.extent[0] = weight.extent[0];
    call->weight.extent[1] = weight.extent[2];
    call->weight.extent[2] = weight.extent[3];
    call->weight.extent[3] = weight.extent[1];
    if (call->window.groups > 1 && call->window.groups == channels &&
        desc->out_channels == channels) {
        call->weight.rank = 3;
        for (int i = 0; i < 2; i++) call->weight.extent[i] = weight.extent[2 + i];
        call->weight.extent[2] = channels;
        call->weight.extent[3] = 0;
    }
    return nn__integer_depth(problem,
                             (int64_t)weight.extent[1] * weight.extent[2] * weight.extent[3]);
}

static bool nn__integer_transposed_infer(nn__inference *inference) {
    nn__integer_call *call = nn__integer_call_of(inference);
    const nn_conv_transpose2d_desc *desc = (const nn_conv_transpose2d_desc *)call->desc;
    if (!nn__integer_ask(inference, nn__op_conv_transpose2d_infer)) return false;
    const nn_shape weight = inference->parameters[0];
    inference->parameter_count = 0;
    inference->shared = false;
    nn__op_conv_transpose2d_params(desc, &weight, &call->window);
    if (!nn__integer_owns(inference->problem, desc->no_bias, desc->shared)) return false;
    memset(&call->weight, 0, sizeof call->weight);
    call->weight.rank = 4;
    call->weight.extent[0] = desc->out_channels;
    call->weight.extent[1] = weight.extent[2];
    call->weight.extent[2] = weight.extent[3];
    call->weight.extent[3] = weight.extent[0] / call->window.groups;
    return nn__integer_depth(inference->problem, (int64_t)call->weight.extent[3] *
                                                     weight.extent[2] * weight.extent[3]);
}

static nn_node *nn__integer_layer(nn_site site, nn_model *net, const nn__rule *rule,
                                  const char *name, nn_node *x, const void *desc) {
    nn__integer_call call;
    call.desc = desc;
    nn_node *from = nn__build(site, net, rule, NULL, name, &x, NULL, 1, &call, 0);
    if (!from || from->poisoned) return from;
    return nn__integer_conv2d(net, site, name, x, &call.weight, &call.window,
                              rule->infer == nn__integer_linear_infer       ? NN__INTEGER_LINEAR
                              : rule->infer == nn__integer_transposed_infer ? NN__INTEGER_TRANSPOSED
                                                                            : NN__INTEGER_CONV,
                              &call.y);
}

NN_API nn_node *nn_integer_linear_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_linear_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_linear", nn__integer_linear_infer);
    return nn__integer_layer(site, net, &rule, name, x, desc);
}
NN_API nn_node *nn_integer_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                     const nn_conv2d_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_conv2d", nn__integer_conv2d_infer);
    return nn__integer_layer(site, net, &rule, name, x, desc);
}

NN_API nn_node *nn_integer_conv_transpose2d_at(nn_site site, nn_model *net, const char *name,
                                               nn_node *x, const nn_conv_transpose2d_desc *desc) {
    static const nn__rule rule =
        NN__COMPOSED_LAYER("integer_conv_transpose2d", nn__integer_transposed_infer);
    return nn__integer_layer(site, net, &rule, name, x, desc);
}

/* ---- sums and pools -------------------------------------------------------------------------- */

static bool nn__integer_add_infer(nn__inference *inference) {
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_I8))
            return false;
    inference->outputs[0] = inference->inputs[0];
    return nn__want_role_shape(inference->problem, inference->roles[1], inference->inputs[0].shape,
                               inference->inputs[1].shape);
}
NN_API nn_node *nn_integer_add_at(nn_site site, nn_model *net, const char *name, nn_node *a,
                                  nn_node *b) {
    static const char *const roles[] = {"a", "b"};
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_add", nn__integer_add_infer);
    nn_node *inputs[2];
    inputs[0] = a;
    inputs[1] = b;
    nn_node *from = nn__build(site, net, &rule, NULL, name, inputs, roles, 2, NULL, 0);
    return !from || from->poisoned ? from : nn__integer_add(net, site, name, a, b);
}

static bool nn__integer_multiply_infer(nn__inference *inference) {
    const nn_shape *a = &inference->inputs[0].shape, *b = &inference->inputs[1].shape;
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_I8))
            return false;
    inference->outputs[0] = inference->inputs[0];
    if (a->rank == 4 && b->rank == 4 && b->extent[0] == a->extent[0] && b->extent[1] == 1 &&
        b->extent[2] == 1 && b->extent[3] == a->extent[3])
        return true;
    return nn__want_role_shape(inference->problem, inference->roles[1], *a, *b);
}
NN_API nn_node *nn_integer_multiply_at(nn_site site, nn_model *net, const char *name, nn_node *a,
                                       nn_node *b) {
    static const char *const roles[] = {"a", "b"};
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_multiply", nn__integer_multiply_infer);
    nn_node *inputs[2];
    inputs[0] = a;
    inputs[1] = b;
    nn_node *from = nn__build(site, net, &rule, NULL, name, inputs, roles, 2, NULL, 0);
    return !from || from->poisoned ? from : nn__integer_multiply(net, site, name, a, b);
}

static bool nn__integer_table_infer(nn__inference *inference) {
    inference->outputs[0] = inference->inputs[0];
    return nn__want_dtype(inference->problem, inference->operation, "input",
                          inference->inputs[0].dtype, NN_I8);
}
NN_API nn_node *nn_integer_table_at(nn_site site, nn_model *net, const char *name, nn_node *x) {
    static const char *const roles[] = {"input"};
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_table", nn__integer_table_infer);
    nn_node *from = nn__build(site, net, &rule, NULL, name, &x, roles, 1, NULL, 0);
    return !from || from->poisoned ? from : nn__integer_table(net, site, name, x);
}

/* params: height and width */
static bool nn__integer_resize2d_infer(nn__inference *inference) {
    const int *size = (const int *)inference->params;
    nn__problem *problem = inference->problem;
    nn_shape *y = &inference->outputs[0].shape;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_I8))
        return false;
    inference->outputs[0] = inference->inputs[0];
    if (y->rank != 4)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("give an image (N, H, W, C), with the channels last"),
                               NN__TEXT("its input has the rank %d"), (int)y->rank);
    for (int i = 0; i < 2; i++) {
        if (size[i] < 1)
            return nn__refuse_number(problem, i ? "width" : "height", size[i], "at least 1");
        y->extent[1 + i] = size[i];
    }
    return true;
}
NN_API nn_node *nn_integer_resize2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       int height, int width) {
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_resize2d", nn__integer_resize2d_infer);
    int size[2];
    size[0] = height;
    size[1] = width;
    nn_node *from = nn__build(site, net, &rule, NULL, name, &x, NULL, 1, size, 0);
    if (!from || from->poisoned) return from;
    nn_shape shape = x->shape;
    shape.extent[1] = height;
    shape.extent[2] = width;
    return nn__integer_resize2d(net, site, name, x, &shape);
}

static bool nn__integer_pool_infer(nn__inference *inference, nn_pool_kind kind) {
    nn__integer_call *call = nn__integer_call_of(inference);
    nn__problem *problem = inference->problem;
    const nn_pool2d_desc *desc = (const nn_pool2d_desc *)call->desc;
    nn_integer_pool2d_args *p = &call->pool;
    int kernel[2], stride[2], padding[2];
    if (!nn__integer_ask(inference, nn__op_pool2d_infer)) return false;
    if (desc->divisor) return nn__refuse_number(problem, "divisor", desc->divisor, "0");
    if (nn__maxi(desc->dilation, nn__maxi(desc->dilation_h, desc->dilation_w)) > 1)
        return nn__refuse_number(problem, "dilation", desc->dilation, "0 or 1");
    nn__per_axis_2d(NULL, "kernel", NN__PER_AXIS_KERNEL, desc->kernel, desc->kernel_h,
                    desc->kernel_w, kernel);
    nn__per_axis_2d(NULL, "stride", NN__PER_AXIS_POOL_STRIDE, desc->stride, desc->stride_h,
                    desc->stride_w, stride);
    nn__per_axis_2d(NULL, "padding", NN__PER_AXIS_PADDING, desc->padding, desc->padding_h,
                    desc->padding_w, padding);
    const nn_shape *x = &inference->inputs[0].shape, *y = &call->y;
    memset(p, 0, sizeof *p);
    p->kind = kind;
    p->kernel_h = kernel[0], p->kernel_w = kernel[1];
    p->stride_h = stride[0] ? stride[0] : kernel[0];
    p->stride_w = stride[1] ? stride[1] : kernel[1];
    p->padding_h = padding[0], p->padding_w = padding[1];
    p->count_only_inside = desc->count_only_inside;
    /* such windows count different numbers of elements */
    for (int i = 0; i < 2 && kind == NN_POOL_AVERAGE && !desc->count_only_inside; i++)
        if (desc->ceil &&
            (nn__is_symbolic(x->extent[1 + i]) ||
             ((int64_t)y->extent[1 + i] - 1) * (i ? p->stride_w : p->stride_h) + kernel[i] >
                 (int64_t)x->extent[1 + i] + 2 * padding[i]))
            return nn__refuse_number(problem, "ceil", 1,
                                     "false, or .count_only_inside: a window reaches beyond the "
                                     "padding");
    return true;
}
static bool nn__integer_max_pool2d_infer(nn__inference *inference) {
    return nn__integer_pool_infer(inference, NN_POOL_MAX);
}
static bool nn__integer_avg_pool2d_infer(nn__inference *inference) {
    return nn__integer_pool_infer(inference, NN_POOL_AVERAGE);
}

static nn_node *nn__integer_pool(nn_site site, nn_model *net, const nn__rule *rule,
                                 const char *name, nn_node *x, const nn_pool2d_desc *desc) {
    nn__integer_call call;
    call.desc = desc;
    nn_node *from = nn__build(site, net, rule, NULL, name, &x, NULL, 1, &call, 0);
    if (!from || from->poisoned) return from;
    return nn__integer_pool2d(net, site, name, x, &call.pool, &call.y);
}

NN_API nn_node *nn_integer_max_pool2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                         const nn_pool2d_desc *desc) {
    static const nn__rule rule =
        NN__COMPOSED_LAYER("integer_max_pool2d", nn__integer_max_pool2d_infer);
    return nn__integer_pool(site, net, &rule, name, x, desc);
}
NN_API nn_node *nn_integer_avg_pool2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                         const nn_pool2d_desc *desc) {
    static const nn__rule rule =
        NN__COMPOSED_LAYER("integer_avg_pool2d", nn__integer_avg_pool2d_infer);
    return nn__integer_pool(site, net, &rule, name, x, desc);
}
#undef NN__INTEGERS_MOST
