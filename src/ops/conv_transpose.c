/* ops/conv_transpose.c - transposed convolutions in one and two dimensions. Forward is the
   kernel of a convolution's dx, with x as its dy. So dx is the forward kernel of a convolution,
   and dweight is its dweight with x and dy exchanged. */
#include "ops/conv_private.h"

/* The params of a node. A signal (line) is an image with a height of 1. */
typedef struct nn__op_transposed {
    nn_conv_transpose2d_desc desc;
    bool given, line;
} nn__op_transposed;

static nn__op_transposed nn__op_transposed_2d(const nn_conv_transpose2d_desc *desc) {
    nn__op_transposed p;
    memset(&p, 0, sizeof p);
    if (desc) p.desc = *desc;
    p.given = desc != NULL;
    return p;
}

static nn__op_transposed nn__op_transposed_1d(const nn_conv_transpose1d_desc *line) {
    nn__op_transposed p;
    memset(&p, 0, sizeof p);
    p.line = true;
    p.given = line != NULL;
    if (!line) return p;
    p.desc.out_channels = line->out_channels;
    p.desc.in_channels = line->in_channels;
    /* width has the fields without a letter, so messages name nn_conv_transpose1d_desc's fields */
    p.desc.kernel = line->kernel;
    p.desc.stride = line->stride;
    p.desc.padding = line->padding;
    p.desc.output_padding = line->output_padding;
    p.desc.dilation = line->dilation;
    p.desc.kernel_h = p.desc.stride_h = p.desc.dilation_h = 1;
    p.desc.padding_h = p.desc.output_padding_h = NN_NONE;
    p.desc.groups = line->groups;
    p.desc.no_bias = line->no_bias;
    p.desc.shared = line->shared;
    return p;
}

/* ---- check ----------------------------------------------------------------------------------- */

/* Returns the convolution whose gradient this is, with its defaults. */
static nn_conv2d_desc nn__op_transposed_conv(const nn__op_transposed *p) {
    nn_conv2d_desc conv;
    memset(&conv, 0, sizeof conv);
    conv.in_channels = p->desc.in_channels;
    conv.out_channels = p->desc.out_channels;
    conv.stride = p->desc.stride;
    conv.stride_h = p->desc.stride_h;
    conv.stride_w = p->desc.stride_w;
    conv.padding = p->desc.padding;
    conv.padding_h = p->desc.padding_h;
    conv.padding_w = p->desc.padding_w;
    conv.dilation = p->desc.dilation;
    conv.dilation_h = p->desc.dilation_h;
    conv.dilation_w = p->desc.dilation_w;
    conv.groups = p->desc.groups;
    return conv;
}

/* Fills in the settings of both axes, height first, with defaults. more: output_padding. */
typedef struct nn__op_transposed_axes {
    int kernel[2], stride[2], padding[2], dilation[2], more[2];
} nn__op_transposed_axes;

static bool nn__op_transposed_numbers(const nn__op_transposed *p, nn__problem *problem,
                                      nn__op_transposed_axes *a) {
    const nn_conv_transpose2d_desc *d = &p->desc;
    if (d->out_channels < 1)
        return nn__refuse_number(problem, "out_channels", d->out_channels, "at least 1");
    if (p->line && d->kernel == 0)
        return nn__refuse_number(problem, "kernel", d->kernel, "at least 1");
    if (d->groups < 0)
        return nn__refuse_number(problem, "groups", d->groups, "at least 1, or 0 for 1");
    return nn__per_axis_2d(problem, "kernel", NN__PER_AXIS_KERNEL, d->kernel, d->kernel_h,
                           d->kernel_w, a->kernel) &&
           nn__per_axis_2d(problem, "stride", NN__PER_AXIS_STEP, d->stride, d->stride_h,
                           d->stride_w, a->stride) &&
           nn__per_axis_2d(problem, "padding", NN__PER_AXIS_PADDING, d->padding, d->padding_h,
                           d->padding_w, a->padding) &&
           nn__per_axis_2d(problem, "output_padding", NN__PER_AXIS_PADDING, d->output_padding,
                           d->output_padding_h, d->output_padding_w, a->more) &&
           nn__per_axis_2d(problem, "dilation", NN__PER_AXIS_STEP, d->dilation, d->dilation_h,
                           d->dilation_w, a->dilation);
}

/* Returns one extent of the result. more: output_padding. */
static bool nn__op_transposed_extent(int32_t x, int32_t kernel, int32_t stride, int32_t padding,
                                     int32_t dilation, int32_t more, int32_t *y) {
    const int64_t rest = (int64_t)dilation * (kernel - 1) + more + 1 - stride -
                         2 * (int64_t)padding;
    if (nn__is_symbolic(x)) return rest == 0 && nn__extent_multiply(x, stride, y);
    const int64_t extent = (int64_t)x * stride + rest;
    *y = (int32_t)nn__min64(extent, INT32_MAX);
    return extent > 0;
}

/* x and y are images. */
static bool nn__op_transposed_extents(const nn__op_transposed_axes *a, nn_shape x,
                                      const char *source, const char *operation, nn_shape *y,
                                      nn__problem *problem) {
    const int *kernel = a->kernel, *stride = a->stride, *padding = a->padding,
              *dilation = a->dilation, *more = a->more;
    for (int i = 0; i < 2; i++) {
        if (more[i] >= stride[i] && more[i] >= dilation[i])
            return nn__problem_set(
                problem, NN_ERROR_ARGUMENT,
                NN__TEXT("output_padding only chooses among extents from which a convolution makes "
                         "the same extent"),
                NN__TEXT("output_padding is %d; it must be less than stride (%d) or dilation (%d)"),
                more[i], stride[i], dilation[i]);
        if (nn__op_transposed_extent(x.extent[2 + i], kernel[i], stride[i], padding[i], dilation[i],
                                     more[i], &y->extent[2 + i]))
            continue;
        if (!nn__want_image(problem, operation, source, x, 2)) return false;
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("less padding"),
                               NN__TEXT("the extent %d of %s would become 0 or less with a "
                                        "kernel of %d, a stride of %d and a padding of %d"),
                               (int)x.extent[2 + i], source, kernel[i], stride[i], padding[i]);
    }
    return nn__want_padded(problem, source, *y, 2 * (int64_t)padding[0], 2 * (int64_t)padding[1]) &&
           nn__want_padded(problem, source, x, 0, 0);
}

static bool nn__op_transposed_rank(const nn__inference *inference, const char *source, bool line,
                                   nn_shape *x) {
    char text[NN__SHAPE_TEXT];
    nn__problem *problem = inference->problem;
    if (line && x->rank == 3) {
        x->rank = 4;
        x->extent[3] = x->extent[2];
        x->extent[2] = 1;
    } else if (line) {
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; %s wants 3: (N, C, L)"), source,
                               nn__format_shape(*x, text, sizeof text), (int)x->rank,
                               inference->operation);
    }
    if (!nn__want_image(problem, inference->operation, source, *x, 4)) return false;
    return !nn__is_symbolic(x->extent[1]) ||
           nn__want_image(problem, inference->operation, source, *x, 1);
}

static bool nn__op_transposed_infer(nn__inference *inference) {
    const nn__op_transposed *p = (const nn__op_transposed *)inference->params;
    nn__problem *problem = inference->problem;
    nn_shape x = inference->inputs[0].shape;
    nn_shape *weight = &inference->parameters[0], *y = &inference->outputs[0].shape;
    char name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    const int groups = p->desc.groups ? p->desc.groups : 1;
    const nn_conv2d_desc conv = nn__op_transposed_conv(p);
    nn__op_transposed_axes axes;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_F32))
        return false;
    if (!p->given)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give a desc with .out_channels and .kernel"),
                               NN__TEXT("desc is NULL"));
    if (!nn__op_transposed_numbers(p, problem, &axes) ||
        !nn__op_transposed_rank(inference, source, p->line, &x) ||
        !nn__op_conv2d_channels(x, source, &conv, groups, problem))
        return false;
    *y = x;
    if (!nn__op_transposed_extents(&axes, x, source, inference->operation, y, problem))
        return false;
    weight->rank = 4;
    weight->extent[0] = x.extent[1];
    y->extent[1] = p->desc.out_channels;
    weight->extent[1] = p->desc.out_channels / groups;
    weight->extent[2] = axes.kernel[0];
    weight->extent[3] = axes.kernel[1];
    if (p->line) {
        y->rank = weight->rank = 3;
        y->extent[2] = y->extent[3];
        weight->extent[2] = weight->extent[3];
        y->extent[3] = weight->extent[3] = 0;
    }
    if (!nn__op_conv_want_filter(problem, weight)) return false;
    inference->parameters[1].rank = 1;
    inference->parameters[1].extent[0] = p->desc.out_channels;
    inference->parameter_count = p->desc.no_bias ? 1 : 2;
    inference->shared = p->desc.shared;
    return true;
}

NN_PRIVATE bool nn__op_conv_transpose2d_infer(nn__inference *inference) {
    const nn__op_transposed p =
        nn__op_transposed_2d((const nn_conv_transpose2d_desc *)inference->params);
    const void *params = inference->params;
    inference->params = &p;
    const bool fine = nn__op_transposed_infer(inference);
    inference->params = params;
    return fine;
}
NN_PRIVATE void nn__op_conv_transpose2d_params(const nn_conv_transpose2d_desc *desc,
                                               const nn_shape *weight, nn_conv2d_params *p) {
    const nn__op_transposed transposed = nn__op_transposed_2d(desc);
    const nn_conv2d_desc conv = nn__op_transposed_conv(&transposed);
    nn__op_conv2d_params(&conv, weight, p);
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* For the kernel, dy is our x and dx is our y. */
static void nn__op_transposed_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    const nn_conv2d_desc conv =
        nn__op_transposed_conv((const nn__op_transposed *)node->params);
    nn_conv2d_args *a = &args->conv2d_backward_input;
    nn__op_conv_args(a, lowering->inputs[0], lowering->output, lowering->inputs[1], &conv);
    if (node->input_count > 2) a->epilogue.bias = lowering->inputs[2];
    a->epilogue.activation = lowering->activation;
    a->scratch = lowering->scratch;
}

/* Returns two operations for each product: the elements of x times the weights that each one
   meets. */
static NN__UNUSED double nn__op_transposed_flops(const nn_node *node,
                                                 const nn__lowering *lowering) {
    const nn_view *weight = &lowering->inputs[1];
    (void)node;
    return 2.0 * (double)nn__count(&lowering->inputs[0]) * (double)nn__count(weight) /
           (double)weight->shape.extent[0];
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* inputs: dy, weight; output: dx */
static void nn__op_transposed_input_lower(const nn_node *node, const nn__lowering *lowering,
                                          nn__args *args) {
    nn__op_conv_args(&args->conv2d_forward, lowering->output, lowering->inputs[0],
                     lowering->inputs[1], node->params);
    args->conv2d_forward.scratch = lowering->scratch;
}

/* inputs: x, dy; output: dweight */
static void nn__op_transposed_weight_lower(const nn_node *node, const nn__lowering *lowering,
                                           nn__args *args) {
    nn__op_conv_args(&args->conv2d_backward_weight, lowering->inputs[0], lowering->inputs[1],
                     lowering->output, node->params);
    args->conv2d_backward_weight.scratch = lowering->scratch;
}

static const nn__rule nn__rule_transposed_input = {
    "conv_transpose_input", NN_KERNEL_CONV2D_FORWARD,      0,    NN_ACTIVATION_NONE,
    nn__op_transposed_input_lower, nn__gradient_again,     NULL, NULL, NULL};
static const nn__rule nn__rule_transposed_weight = {
    "conv_transpose_weight", NN_KERNEL_CONV2D_BACKWARD_WEIGHT, 0,    NN_ACTIVATION_NONE,
    nn__op_transposed_weight_lower, nn__gradient_again,        NULL, NULL, NULL};

static void nn__op_transposed_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn_conv2d_desc conv =
        nn__op_transposed_conv((const nn__op_transposed *)node->params);
    nn_node *x = node->inputs[0], *weight = node->inputs[1],
            *bias = node->input_count > 2 ? node->inputs[2] : NULL, *inputs[2];
    nn__install_conv2d(tape->nn);
    if (nn__wants(weight)) {
        inputs[0] = x;
        inputs[1] = dy;
        nn__give_gradient(tape, weight,
                          nn__tape_node(tape, &nn__rule_transposed_weight, weight, ".grad", inputs,
                                        2, NN_F32, weight->shape, &conv, sizeof conv));
    }
    if (nn__wants(bias))
        nn__give_gradient(tape, bias,
                          nn__tape_reduce(tape, NN_SUM, dy,
                                          dy->shape.rank == 4 ? 1u | 4u | 8u : 1u | 4u,
                                          bias->shape, bias));
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = weight;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_transposed_input, x, ".grad", inputs, 2, NN_F32,
                                    x->shape, &conv, sizeof conv));
}
#endif

static const nn__rule nn__rule_conv_transpose2d = {"conv_transpose2d",
                                                   NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                                   NN__EPILOGUE | NN__LAYER,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_transposed_lower,
                                                   NN__GRADIENT(nn__op_transposed_gradient),
                                                   NN__FLOPS(nn__op_transposed_flops),
                                                   nn__op_transposed_infer,
                                                   NULL};
static const nn__rule nn__rule_conv_transpose1d = {"conv_transpose1d",
                                                   NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                                   NN__EPILOGUE | NN__LAYER,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_transposed_lower,
                                                   NN__GRADIENT(nn__op_transposed_gradient),
                                                   NN__FLOPS(nn__op_transposed_flops),
                                                   nn__op_transposed_infer,
                                                   NULL};

/* ---- builders -------------------------------------------------------------------------------- */

static nn_node *nn__op_transposed_build(nn_site site, nn_model *net, const nn__rule *rule,
                                        const char *name, nn_node *x, const nn__op_transposed *p) {
    static const char *const roles[] = {"input", "weight", "bias"};
    return nn__build(site, net, rule, nn__install_conv_transpose, name, &x, roles, 1, p, sizeof *p);
}

NN_API nn_node *nn_conv_transpose2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       const nn_conv_transpose2d_desc *desc) {
    const nn__op_transposed p = nn__op_transposed_2d(desc);
    return nn__op_transposed_build(site, net, &nn__rule_conv_transpose2d, name, x, &p);
}

NN_API nn_node *nn_conv_transpose1d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                       const nn_conv_transpose1d_desc *desc) {
    const nn__op_transposed p = nn__op_transposed_1d(desc);
    return nn__op_transposed_build(site, net, &nn__rule_conv_transpose1d, name, x, &p);
}

/* ---- immediate ------------------------------------------------------------------------------- */

/* Infers the shape of y for immediate calls. Fields that the desc leaves out are taken from the
   weight. */
static bool nn__op_transposed_call_infer(nn__inference *inference) {
    const nn_shape weight = inference->inputs[1].shape;
    const void *params = inference->params;
    nn__op_transposed p = *(const nn__op_transposed *)params;
    if (!nn__op_conv_want_weight(inference, p.line ? 3 : 4,
                                 p.line ? "(C, K / groups, R)" : "(C, K / groups, R, S)"))
        return false;
    if (p.desc.out_channels == 0)
        p.desc.out_channels =
            (int)nn__min64((int64_t)weight.extent[1] * nn__maxi(p.desc.groups, 1), INT32_MAX);
    if (p.line) {
        p.desc.kernel_h = p.desc.stride_h = p.desc.dilation_h = 1; /* the desc may be NULL */
        p.desc.padding_h = p.desc.output_padding_h = NN_NONE;
        if (p.desc.kernel == 0) p.desc.kernel = weight.extent[2];
    } else if (p.desc.kernel == 0) {
        if (p.desc.kernel_h == 0) p.desc.kernel_h = weight.extent[2];
        if (p.desc.kernel_w == 0) p.desc.kernel_w = weight.extent[3];
    }
    p.given = true;
    inference->params = &p;
    const bool fine = nn__op_transposed_infer(inference);
    inference->params = params;
    inference->parameter_count = inference->input_count - 1;
    return fine;
}

static bool nn__op_transposed_with_infer(nn__inference *inference) {
    const nn__op_transposed *p = (const nn__op_transposed *)inference->params;
    return nn__op_conv_one_bias(inference, p->desc.no_bias) &&
           nn__op_transposed_call_infer(inference) && nn__op_conv_holds(inference);
}
static const nn__rule nn__rule_functional_conv_transpose2d = {
    "conv_transpose2d",
    NN_KERNEL_CONV2D_BACKWARD_INPUT,
    NN__EPILOGUE,
    NN_ACTIVATION_NONE,
    nn__op_transposed_lower,
    NN__GRADIENT(nn__op_transposed_gradient),
    NN__FLOPS(nn__op_transposed_flops),
    nn__op_transposed_with_infer,
    NULL};

NN_API nn_node *nn_functional_conv_transpose2d_at(nn_site site, nn_model *net, nn_node *x,
                                                  nn_node *weight, nn_node *bias,
                                                  const nn_conv_transpose2d_desc *desc) {
    static const char *const roles[] = {"input", "weight", "bias"};
    const nn__op_transposed p = nn__op_transposed_2d(desc);
    nn_node *inputs[3];
    inputs[0] = x;
    inputs[1] = weight;
    inputs[2] = bias;
    return nn__build(site, net, &nn__rule_functional_conv_transpose2d, nn__install_conv_transpose,
                     NULL, inputs, roles, bias ? 3 : 2, &p, sizeof p);
}

static const nn__rule nn__rule_transposed_call = {"conv_transpose",
                                                  NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                                  0,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_transposed_lower,
                                                  NULL,
                                                  NULL,
                                                  nn__op_transposed_call_infer,
                                                  NULL};

static void nn__op_transposed_call(nn__op_conv_call *call, const nn__op_transposed *p) {
    memset(call, 0, sizeof *call);
    call->desc = nn__op_transposed_conv(p);
    call->rule = &nn__rule_transposed_call;
    call->install = nn__install_conv_transpose;
    call->params = p;
    call->transposed = true;
}

NN_API nn_result nn_conv_transpose2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                const nn_tensor *weight, const nn_tensor *bias,
                                                const nn_conv_transpose2d_desc *desc) {
    const nn__op_transposed p = nn__op_transposed_2d(desc);
    nn__op_conv_call call;
    nn__op_transposed_call(&call, &p);
    return nn__op_conv_forward(site, "nn_conv_transpose2d_forward", &call, y, x, weight, bias);
}

NN_API uint64_t nn_conv_transpose2d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                                  const nn_tensor *weight,
                                                  const nn_conv_transpose2d_desc *desc) {
    const nn__op_transposed p = nn__op_transposed_2d(desc);
    nn__op_conv_call call;
    nn__op_transposed_call(&call, &p);
    return nn__op_conv_scratch(&call, y, x, weight);
}

NN_API nn_result nn_conv_transpose1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                const nn_tensor *weight, const nn_tensor *bias,
                                                const nn_conv_transpose1d_desc *desc) {
    const nn__op_transposed p = nn__op_transposed_1d(desc);
    nn__op_conv_call call;
    nn__op_transposed_call(&call, &p);
    return nn__op_conv_forward(site, "nn_conv_transpose1d_forward", &call, y, x, weight, bias);
}

NN_API uint64_t nn_conv_transpose1d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                                  const nn_tensor *weight,
                                                  const nn_conv_transpose1d_desc *desc) {
    const nn__op_transposed p = nn__op_transposed_1d(desc);
    nn__op_conv_call call;
    nn__op_transposed_call(&call, &p);
    return nn__op_conv_scratch(&call, y, x, weight);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_conv_transpose2d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                                 nn_tensor *dbias, const nn_tensor *dy,
                                                 const nn_tensor *x, const nn_tensor *weight,
                                                 const nn_conv_transpose2d_desc *desc,
                                                 bool accumulate) {
    const nn__op_transposed p = nn__op_transposed_2d(desc);
    const nn__op_conv_gradients to = {dx, dweight, dbias, accumulate};
    nn__op_conv_call call;
    nn__op_transposed_call(&call, &p);
    return nn__op_conv_backward(site, "nn_conv_transpose2d_backward", &call, &to, dy, x, weight);
}

NN_API nn_result nn_conv_transpose1d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                                 nn_tensor *dbias, const nn_tensor *dy,
                                                 const nn_tensor *x, const nn_tensor *weight,
                                                 const nn_conv_transpose1d_desc *desc,
                                                 bool accumulate) {
    const nn__op_transposed p = nn__op_transposed_1d(desc);
    const nn__op_conv_gradients to = {dx, dweight, dbias, accumulate};
    nn__op_conv_call call;
    nn__op_transposed_call(&call, &p);
    return nn__op_conv_backward(site, "nn_conv_transpose1d_backward", &call, &to, dy, x, weight);
}
#endif
