/* ops/conv1d.c - one-dimensional convolution: ops/conv2d.c with a height of 1, and with messages
   of its own. */
#include "ops/conv_private.h"

NN_PRIVATE nn_conv2d_desc nn__op_conv1d_as_2d(const nn_conv1d_desc *line) {
    nn_conv2d_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.out_channels = line->out_channels;
    desc.in_channels = line->in_channels;
    /* width has the fields without a letter, so messages name the fields of nn_conv1d_desc */
    desc.kernel = line->kernel;
    desc.stride = line->stride;
    desc.padding = line->padding;
    desc.dilation = line->dilation;
    desc.kernel_h = desc.stride_h = desc.dilation_h = 1;
    desc.padding_h = desc.padding_bottom = NN_NONE;
    desc.padding_right = line->padding_right;
    desc.groups = line->groups;
    desc.same = line->same;
    /* left out: `same` computes the padding, 0 for a height of 1 */
    if (desc.same) desc.padding_bottom = 0;
    desc.padding_mode = line->padding_mode;
    desc.no_bias = line->no_bias;
    desc.shared = line->shared;
    return desc;
}

NN_PRIVATE bool nn__op_conv1d_numbers(const nn_conv1d_desc *desc, nn__problem *problem) {
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_conv1d_desc with .out_channels and .kernel"),
                               NN__TEXT("desc is NULL"));
    return desc->kernel > 0 || nn__refuse_number(problem, "kernel", desc->kernel, "at least 1");
}

NN_PRIVATE bool nn__op_conv1d_ask(nn__inference *inference, const nn_conv2d_desc *desc) {
    const nn__type *inputs = inference->inputs;
    const void *params = inference->params;
    nn__type x = inputs[0];
    nn_shape *y = &inference->outputs[0].shape, *weight = &inference->parameters[0];
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    if (x.shape.rank != 3)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape; nn_conv2d is for images"),
                               NN__TEXT("%s %s has %d extents; conv1d wants 3: (N, C, L)"),
                               nn__first_input(inference, name, sizeof name),
                               nn__format_shape(x.shape, text, sizeof text), (int)x.shape.rank);
    x.shape.rank = 4;
    x.shape.extent[3] = x.shape.extent[2];
    x.shape.extent[2] = 1;
    inference->inputs = &x;
    inference->params = desc;
    const bool fine = nn__op_conv2d_infer(inference);
    inference->inputs = inputs;
    inference->params = params;
    y->rank = weight->rank = 3;
    y->extent[2] = y->extent[3];
    weight->extent[2] = weight->extent[3];
    y->extent[3] = weight->extent[3] = 0;
    return fine;
}

static bool nn__op_conv1d_infer(nn__inference *inference) {
    const nn_conv1d_desc *desc = (const nn_conv1d_desc *)inference->params;
    if (!nn__op_conv1d_numbers(desc, inference->problem)) return false;
    if (desc->streaming) /* a description has another rule */
        return nn__problem_set(inference->problem, NN_ERROR_UNSUPPORTED,
                               NN__TEXT("describe it with nn_conv1d"),
                               NN__TEXT("only a described convolution, built without "
                                        "NN_NO_RARE_OPTIONS, can stream"));
    const nn_conv2d_desc picture = nn__op_conv1d_as_2d(desc);
    return nn__op_conv1d_ask(inference, &picture);
}

static void nn__op_conv1d_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *args) {
    nn_conv2d_desc desc = nn__op_conv1d_as_2d((const nn_conv1d_desc *)node->params);
    nn__op_conv_args(&args->conv2d_forward, lowering->output, lowering->inputs[0],
                     lowering->inputs[1], &desc);
    if (node->input_count > 2) args->conv2d_forward.epilogue.bias = lowering->inputs[2];
    args->conv2d_forward.epilogue.activation = lowering->activation;
    args->conv2d_forward.scratch = lowering->scratch;
}

#ifndef NN_NO_TRAINING
static void nn__op_conv1d_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_conv2d_desc desc = nn__op_conv1d_as_2d((const nn_conv1d_desc *)node->params);
    nn__op_conv2d_give(tape, node, dy, &desc);
}
#endif

static const nn__rule nn__rule_conv1d = {
    "conv1d",           NN_KERNEL_CONV2D_FORWARD, NN__EPILOGUE | NN__LAYER | NN__FOLDED,
    NN_ACTIVATION_NONE, nn__op_conv1d_lower,      NN__GRADIENT(nn__op_conv1d_gradient),
    NN__FLOPS(nn__op_conv2d_flops), nn__op_conv1d_infer, NULL};

/* ---- builder --------------------------------------------------------------------------------- */

#ifndef NN_NO_RARE_OPTIONS
/* Checks everything but the padding mode. */
static bool nn__op_conv1d_inside_infer(nn__inference *inference) {
    const nn_conv1d_desc *desc = (const nn_conv1d_desc *)inference->params;
    if (!nn__op_conv1d_numbers(desc, inference->problem)) return false;
    if (desc->padding_mode < 0 || desc->padding_mode > NN_PADDING_CIRCULAR)
        return nn__refuse_number(inference->problem, "padding_mode", (int)desc->padding_mode,
                                 "an nn_padding_mode");
    if (inference->inputs[0].shape.rank == 3 &&
        !nn__want_known_padding(inference, desc->padding_mode, 2,
                                desc->same || desc->padding || desc->padding_right > 0))
        return false;
    nn_conv2d_desc picture = nn__op_conv1d_as_2d(desc);
    picture.padding_mode = NN_PADDING_ZEROS;
    return nn__op_conv1d_ask(inference, &picture);
}
static const nn__rule nn__rule_conv1d_inside =
    NN__COMPOSED_RULE("conv1d", nn__op_conv1d_inside_infer);

/* Adds the desc's padding as a node before the convolution, and clears it in the desc. */
static nn_node *nn__op_conv1d_pad(nn_site site, nn_model *net, const char *name, nn_node *x,
                                  nn_conv1d_desc *desc) {
    static const char *const roles[] = {"input"};
    nn_pad_desc pad;
    x = nn__build(site, net, &nn__rule_conv1d_inside, NULL, name, &x, roles, 1, desc, 0);
    if (!x || x->poisoned) return x;
    memset(&pad, 0, sizeof pad);
    const int reach = (desc->dilation ? desc->dilation : 1) * (desc->kernel - 1);
    pad.mode = desc->padding_mode;
    pad.left = desc->same ? reach / 2 : desc->padding;
    pad.right = desc->same                       ? reach - reach / 2
                : desc->padding_right == NN_NONE ? 0
                : desc->padding_right            ? desc->padding_right
                                                 : desc->padding;
    desc->padding = desc->padding_right = 0;
    desc->same = false;
    desc->padding_mode = NN_PADDING_ZEROS;
    return nn_pad_at(site, net, x, &pad);
}
#endif

NN_API nn_node *nn_conv1d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv1d_desc *desc) {
    static const char *const roles[] = {"input", "weight", "bias"};
#ifndef NN_NO_RARE_OPTIONS
    nn_conv1d_desc inside;
    if (net && desc && desc->streaming) {
        const nn__streaming *streaming = nn__streaming_of(net, site, "conv1d", name);
        return streaming ? streaming->conv1d(site, net, name, x, desc) : nn__poison(net);
    }
    if (desc && desc->padding_mode != NN_PADDING_ZEROS) {
        inside = *desc;
        x = nn__op_conv1d_pad(site, net, name, x, &inside);
        desc = &inside;
    }
#endif
    return nn__build(site, net, &nn__rule_conv1d, nn__install_conv2d, name, &x, roles, 1, desc,
                     sizeof *desc);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* Infers the shape of y for immediate calls. Fields that the desc leaves out are taken from the
   weight. */
static bool nn__op_conv1d_call_infer(nn__inference *inference) {
    const nn_shape weight = inference->inputs[1].shape;
    const void *params = inference->params;
    nn_conv1d_desc desc = *(const nn_conv1d_desc *)params;
    if (!nn__op_conv_want_weight(inference, 3, "(K, C / groups, R)")) return false;
    if (desc.out_channels == 0) desc.out_channels = weight.extent[0];
    if (desc.kernel == 0) desc.kernel = weight.extent[2];
    inference->params = &desc;
    const bool fine = nn__op_conv1d_infer(inference);
    inference->params = params;
    inference->parameter_count = inference->input_count - 1;
    return fine;
}

static const nn__rule nn__rule_conv1d_call = {
    "conv1d", NN_KERNEL_CONV2D_FORWARD, 0,   NN_ACTIVATION_NONE, nn__op_conv1d_lower, NULL,
    NULL,     nn__op_conv1d_call_infer, NULL};

static void nn__op_conv1d_call(nn__op_conv_call *call, const nn_conv1d_desc *desc) {
    memset(call, 0, sizeof *call);
    if (desc) call->line = *desc;
    call->desc = nn__op_conv1d_as_2d(&call->line);
    call->rule = &nn__rule_conv1d_call;
    call->install = nn__install_conv2d;
    call->params = &call->line;
}

NN_API nn_result nn_conv1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias,
                                      const nn_conv1d_desc *desc) {
    nn__op_conv_call call;
    nn__op_conv1d_call(&call, desc);
    return nn__op_conv_forward(site, "nn_conv1d_forward", &call, y, x, weight, bias);
}

NN_API uint64_t nn_conv1d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                        const nn_tensor *weight, const nn_conv1d_desc *desc) {
    nn__op_conv_call call;
    nn__op_conv1d_call(&call, desc);
    return nn__op_conv_scratch(&call, y, x, weight);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_conv1d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, const nn_conv1d_desc *desc,
                                       bool accumulate) {
    const nn__op_conv_gradients to = {dx, dweight, dbias, accumulate};
    nn__op_conv_call call;
    nn__op_conv1d_call(&call, desc);
    return nn__op_conv_backward(site, "nn_conv1d_backward", &call, &to, dy, x, weight);
}
#endif
