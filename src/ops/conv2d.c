/* ops/conv2d.c - two-dimensional convolution. The letters N C H W K R S G are those of
   kernels/conv2d/args.h. The backend chooses the algorithm. */
#include "ops/conv_private.h"

#include <math.h>

/* ---- check ----------------------------------------------------------------------------------- */

/* Returns the distance from the first place of a kernel to its last. Masking to 31 bits only avoids
   overflow: such kernels are refused with the extents. */
static int32_t nn__op_conv2d_reach(int32_t kernel, int32_t dilation) {
    return (int32_t)((uint32_t)dilation * (uint32_t)(kernel - 1) & INT32_MAX);
}

/* Fills in all but the kernel's extents, with the defaults. With a problem: checks them. */
static bool nn__op_conv2d_axes(const nn_conv2d_desc *desc, nn__problem *problem,
                               nn_conv2d_params *p) {
    int stride[2], padding[2], dilation[2];
    if (!nn__per_axis_2d(problem, "stride", NN__PER_AXIS_STEP, desc->stride, desc->stride_h,
                         desc->stride_w, stride) ||
        !nn__per_axis_2d(problem, "padding", NN__PER_AXIS_PADDING, desc->padding, desc->padding_h,
                         desc->padding_w, padding) ||
        !nn__per_axis_2d(problem, "dilation", NN__PER_AXIS_STEP, desc->dilation, desc->dilation_h,
                         desc->dilation_w, dilation))
        return false;
    p->stride_h = stride[0], p->stride_w = stride[1];
    p->padding_h = padding[0], p->padding_w = padding[1];
    p->dilation_h = dilation[0], p->dilation_w = dilation[1];
    p->groups = desc->groups ? desc->groups : 1;
    return true;
}

NN_PRIVATE void nn__op_conv2d_params(const nn_conv2d_desc *desc, const nn_shape *weight,
                                     nn_conv2d_params *p) {
    nn__op_conv2d_axes(desc, NULL, p);
    p->kernel_h = weight->extent[2];
    p->kernel_w = weight->extent[3];
    if (!desc->same) return;
    p->padding_h = nn__op_conv2d_reach(p->kernel_h, p->dilation_h) / 2;
    p->padding_w = nn__op_conv2d_reach(p->kernel_w, p->dilation_w) / 2;
}

/* Fills in the kernel's extents, in the shape of the weight. With a problem: checks them. */
static bool nn__op_conv2d_kernel(const nn_conv2d_desc *desc, nn__problem *problem,
                                 nn_shape *weight) {
    int kernel[2];
    if (!nn__per_axis_2d(problem, "kernel", NN__PER_AXIS_KERNEL, desc->kernel, desc->kernel_h,
                         desc->kernel_w, kernel))
        return false;
    weight->extent[2] = kernel[0];
    weight->extent[3] = kernel[1];
    return true;
}

/* Returns the padding after an axis: the given one, or else as much as before the axis. For `same`:
   what remains of the total. */
static int32_t nn__op_conv2d_end(const nn_conv2d_desc *desc, int said, int32_t before,
                                 int32_t kernel, int32_t dilation) {
    if (desc->same) return nn__op_conv2d_reach(kernel, dilation) - before;
    return said == NN_NONE ? 0 : said ? said : before;
}

static void nn__op_conv2d_ends(const nn_conv2d_desc *desc, const nn_conv2d_params *p,
                               int32_t end[2]) {
    end[0] = nn__op_conv2d_end(desc, desc->padding_bottom, p->padding_h, p->kernel_h,
                               p->dilation_h);
    end[1] = nn__op_conv2d_end(desc, desc->padding_right, p->padding_w, p->kernel_w,
                               p->dilation_w);
}

static bool nn__op_conv2d_numbers(const nn_conv2d_desc *desc, nn_shape *weight,
                                  nn__problem *problem) {
    nn_conv2d_params p;
    if (desc->out_channels <= 0)
        return nn__refuse_number(problem, "out_channels", desc->out_channels, "at least 1");
    if (!nn__op_conv2d_kernel(desc, problem, weight) || !nn__op_conv2d_axes(desc, problem, &p))
        return false;
    if (desc->groups < 0)
        return nn__refuse_number(problem, "groups", desc->groups, "at least 1, or 0 for 1");
    if (nn__is_negative(desc->padding_bottom))
        return nn__refuse_number(problem, "padding_bottom", desc->padding_bottom,
                                 "positive, NN_NONE, or 0 for the padding above");
    if (nn__is_negative(desc->padding_right))
        return nn__refuse_number(problem, "padding_right", desc->padding_right,
                                 "positive, NN_NONE, or 0 for the padding on the left");
    if (desc->same && (p.padding_h || p.padding_w || desc->padding_bottom || desc->padding_right ||
                       p.stride_h > 1 || p.stride_w > 1))
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT,
            NN__TEXT("leave stride and padding out, or give the padding in numbers"),
            NN__TEXT("same is for a stride of 1 and finds the padding itself; stride is %d x %d"),
            (int)p.stride_h, (int)p.stride_w);
    if (desc->padding_mode != NN_PADDING_ZEROS)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("nn_pad or nn_pad_forward first, then no padding here"),
                               NN__TEXT("padding_mode is %d, and only a description that was built "
                                        "with reports, and with nn_rare_conv2d(), pads with other "
                                        "numbers than zeros"),
                               (int)desc->padding_mode);
    return true;
}

NN_PRIVATE bool nn__op_conv2d_channels(nn_shape x, const char *source, const nn_conv2d_desc *desc,
                                       int groups, nn__problem *problem) {
    char fix[96];
    if (desc->in_channels != 0 && desc->in_channels != x.extent[1]) {
        if (nn__channels_last_words(x)[0])
            nn__explain(fix, sizeof fix, "put the channels before the height%s",
                        x.extent[3] == 1 ? ": nn_reshape can do it for one channel" : "");
        else
            nn__explain(fix, sizeof fix, ".in_channels = %d, or leave it out", (int)x.extent[1]);
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT(fix),
                               NN__TEXT("in_channels is %d, but %s has %d channels%s"),
                               desc->in_channels, source, (int)x.extent[1],
                               nn__channels_last_words(x));
    }
    if (x.extent[1] % groups != 0 || desc->out_channels % groups != 0)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("groups must divide both"),
                               NN__TEXT("groups is %d, with %d input and %d output channels"),
                               groups, (int)x.extent[1], desc->out_channels);
    return true;
}

#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__op_conv_want_filter(nn__problem *problem, const nn_shape *weight) {
    const int64_t channels = nn__maxi(weight->extent[0], weight->extent[1]),
                  taps = (int64_t)weight->extent[2] * nn__maxi(weight->extent[3], 1);
    if (taps < INT32_MAX && channels * taps < INT32_MAX) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("a smaller kernel, or fewer channels"),
                           NN__TEXT("%lld channels of %d x %d are 2^31 weights or more, which "
                                    "kernels cannot count"),
                           (long long)channels, (int)weight->extent[2],
                           (int)nn__maxi(weight->extent[3], 1));
}
#endif

/* Computes the extents of the result. False, and a problem, if there are none. */
static bool nn__op_conv2d_extents(nn_shape x, const char *source, const nn_conv2d_params *p,
                                  const int32_t end[2], const char *operation, nn_shape *y,
                                  nn__problem *problem) {
    const int64_t around_h = (int64_t)p->padding_h + end[0],
                  around_w = (int64_t)p->padding_w + end[1];
    const int64_t covers_h = (int64_t)p->dilation_h * (p->kernel_h - 1) + 1,
                  covers_w = (int64_t)p->dilation_w * (p->kernel_w - 1) + 1;
    if (!nn__count_windows(x.extent[2], around_h - covers_h, p->stride_h, &y->extent[2]) ||
        !nn__count_windows(x.extent[3], around_w - covers_w, p->stride_w, &y->extent[3])) {
        if (!nn__want_image(problem, operation, source, x, 2)) return false;
        return nn__problem_set(
            problem, NN_ERROR_SHAPE, NN__TEXT("a smaller kernel or dilation, or more padding"),
            NN__TEXT(
                "the kernel covers %lld x %lld, but %s with its padding has only %lld x %lld%s"),
            (long long)covers_h, (long long)covers_w, source, (long long)(x.extent[2] + around_h),
            (long long)(x.extent[3] + around_w), nn__channels_last_words(x));
    }
    return nn__want_padded(problem, source, x, around_h, around_w);
}

NN_PRIVATE bool nn__op_conv2d_infer(nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const nn_shape x = inference->inputs[0].shape;
    nn_shape *weight = &inference->parameters[0], *y = &inference->outputs[0].shape;
    const nn_conv2d_desc *desc = (const nn_conv2d_desc *)inference->params;
    nn_conv2d_params p;
    int32_t end[2];
    char name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_F32))
        return false;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_conv2d_desc with .out_channels and .kernel"),
                               NN__TEXT("desc is NULL"));
    if (!nn__op_conv2d_numbers(desc, weight, problem) ||
        !nn__want_image(problem, inference->operation, source, x, 4) ||
        (nn__is_symbolic(x.extent[1]) &&
         !nn__want_image(problem, inference->operation, source, x, 1)))
        return false;
    weight->rank = 4;
    nn__op_conv2d_params(desc, weight, &p);
    nn__op_conv2d_ends(desc, &p, end);
    *y = x;
    if (!nn__op_conv2d_channels(x, source, desc, p.groups, problem) ||
        !nn__op_conv2d_extents(x, source, &p, end, inference->operation, y, problem))
        return false;
    y->extent[1] = weight->extent[0] = desc->out_channels;
    weight->extent[1] = x.extent[1] / p.groups;
    if (!nn__op_conv_want_filter(problem, weight)) return false;
    inference->parameters[1].rank = 1;
    inference->parameters[1].extent[0] = desc->out_channels;
    inference->parameter_count = desc->no_bias ? 1 : 2;
    inference->shared = desc->shared;
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_conv2d_args(nn_conv2d_args *args, const nn_view *y, const nn_view *x,
                               const nn_view *weight, const void *desc) {
    memset(args, 0, sizeof *args);
    args->y = *y;
    args->x = *x;
    args->weight = *weight;
    nn__op_conv2d_params((const nn_conv2d_desc *)desc, &weight->shape, &args->params);
}

NN_PRIVATE nn_view nn__op_conv_image(nn_view view) {
    nn_shape *shape = &view.shape;
    if (shape->rank != 3) return view;
    shape->rank = 4;
    shape->extent[3] = shape->extent[2];
    shape->extent[2] = 1;
    return view;
}

NN_PRIVATE void nn__op_conv_args(nn_conv2d_args *args, nn_view y, nn_view x, nn_view weight,
                                 const void *desc) {
    y = nn__op_conv_image(y);
    x = nn__op_conv_image(x);
    weight = nn__op_conv_image(weight);
    nn__op_conv2d_args(args, &y, &x, &weight, desc);
}

NN_PRIVATE void nn__op_conv2d_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn__op_conv2d_args(&args->conv2d_forward, &lowering->output, &lowering->inputs[0],
                       &lowering->inputs[1], node->params);
    if (node->input_count > 2) args->conv2d_forward.epilogue.bias = lowering->inputs[2];
    args->conv2d_forward.epilogue.activation = lowering->activation;
    args->conv2d_forward.scratch = lowering->scratch;
    args->conv2d_forward.direct = ((const nn_conv2d_desc *)node->params)->direct;
}

/* Returns two operations for each product: the elements of y times the weights of one filter. Both
   gradients cost the same. */
static NN__UNUSED double nn__op_conv2d_work(const nn_view *y, const nn_view *weight) {
    return 2.0 * (double)nn__count(y) * (double)nn__count(weight) / (double)weight->shape.extent[0];
}

NN_PRIVATE double nn__op_conv2d_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return nn__op_conv2d_work(&lowering->output, &lowering->inputs[1]);
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* inputs: dy, weight; output: dx */
static void nn__op_conv2d_input_lower(const nn_node *node, const nn__lowering *lowering,
                                      nn__args *args) {
    nn__op_conv_args(&args->conv2d_backward_input, lowering->inputs[0], lowering->output,
                     lowering->inputs[1], node->params);
    args->conv2d_backward_input.scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_conv2d_input_flops(const nn_node *node,
                                                   const nn__lowering *lowering) {
    (void)node;
    return nn__op_conv2d_work(&lowering->inputs[0], &lowering->inputs[1]);
}

/* inputs: dy, x; output: dweight; output 1: dbias */
static void nn__op_conv2d_weight_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    nn__op_conv_args(&args->conv2d_backward_weight, lowering->inputs[0], lowering->inputs[1],
                     lowering->output, node->params);
    args->conv2d_backward_weight.epilogue.bias = lowering->more[0];
    args->conv2d_backward_weight.scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_conv2d_weight_flops(const nn_node *node,
                                                    const nn__lowering *lowering) {
    (void)node;
    return nn__op_conv2d_work(&lowering->inputs[0], &lowering->output);
}

static const nn__rule nn__rule_conv2d_input = {
    "conv2d_backward_input",  NN_KERNEL_CONV2D_BACKWARD_INPUT, 0,
    NN_ACTIVATION_NONE,       nn__op_conv2d_input_lower,       nn__gradient_again,
    NN__FLOPS(nn__op_conv2d_input_flops), NULL, NULL};
static const nn__rule nn__rule_conv2d_weight = {
    "conv2d_backward_weight",  NN_KERNEL_CONV2D_BACKWARD_WEIGHT, 0,
    NN_ACTIVATION_NONE,        nn__op_conv2d_weight_lower,       nn__gradient_again,
    NN__FLOPS(nn__op_conv2d_weight_flops), NULL, NULL};

NN_PRIVATE bool nn__op_shard_conv2d(const nn_node *node, nn_shard_conv2d_args *args) {
    nn_shard_conv2d_args made;
    const nn_conv2d_params *p = &made.params;
    if (node->kind != NN__OPERATION || node->rule != &nn__rule_conv2d_weight || node->more ||
        node->shape.rank != 4)
        return false;
    const nn_shape *y = &node->inputs[0]->shape, *x = &node->inputs[1]->shape;
    for (int i = 1; i < 4; i++)
        if (nn__extent_kind(y->extent[i]) || nn__extent_kind(x->extent[i])) return false;
    memset(&made, 0, sizeof made);
    made.weight.dtype = NN_F32;
    made.weight.shape = node->shape;
    made.y_h = y->extent[2];
    made.y_w = y->extent[3];
    made.x_h = x->extent[2];
    made.x_w = x->extent[3];
    nn__op_conv2d_params((const nn_conv2d_desc *)node->params, &node->shape, &made.params);
    if (args) *args = made;
    return p->kernel_h == 3 && p->kernel_w == 3 && p->stride_h == 1 && p->stride_w == 1 &&
           p->dilation_h == 1 && p->dilation_w == 1;
}

NN_PRIVATE void nn__op_conv2d_give(nn__tape *tape, nn_node *node, nn_node *dy,
                                   const nn_conv2d_desc *desc) {
    nn_node *x = node->inputs[0], *weight = node->inputs[1],
            *bias = node->input_count > 2 ? node->inputs[2] : NULL;
    nn_node *inputs[2], *dweight;
    inputs[0] = dy;
    if (nn__wants(weight)) {
        inputs[1] = x;
        dweight = nn__tape_node(tape, &nn__rule_conv2d_weight, weight, ".grad", inputs, 2, NN_F32,
                                weight->shape, desc, sizeof *desc);
        nn__give_gradient(tape, weight, dweight);
        if (nn__wants(bias) && !dweight->poisoned)
            nn__give_gradient(tape, bias, nn__add_output(dweight, "bias", NN_F32, bias->shape));
    } else if (nn__wants(bias)) {
        nn__give_gradient(
            tape, bias,
            nn__tape_reduce(tape, NN_SUM, dy, dy->shape.rank == 4 ? 1u | 4u | 8u : 1u | 4u,
                            bias->shape, bias)); /* over all axes but the channels */
    }
    if (!nn__wants(x)) return;
    inputs[1] = weight;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_conv2d_input, x, ".grad", inputs, 2, NN_F32,
                                    x->shape, desc, sizeof *desc));
}

NN_PRIVATE void nn__op_conv2d_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_conv2d_give(tape, node, dy, (const nn_conv2d_desc *)node->params);
}
#endif

#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__op_is_conv2d(const nn_node *node) {
    if (node->kind != NN__OPERATION || node->shape.rank != 4) return false;
#ifndef NN_NO_TRAINING
    if (node->rule->lower == nn__op_conv2d_weight_lower ||
        node->rule->lower == nn__op_conv2d_input_lower)
        return true;
#endif
    return node->rule->lower == nn__op_conv2d_lower;
}

NN_PRIVATE void nn__op_conv2d_numbers_of(const nn_node *conv, nn_conv2d_params *params) {
    nn__op_conv2d_params((const nn_conv2d_desc *)conv->params, &conv->inputs[1]->shape, params);
}
#endif

static const nn__rule nn__rule_conv2d = {
    "conv2d",           NN_KERNEL_CONV2D_FORWARD, NN__EPILOGUE | NN__LAYER | NN__FOLDED,
    NN_ACTIVATION_NONE, nn__op_conv2d_lower,      NN__GRADIENT(nn__op_conv2d_gradient),
    NN__FLOPS(nn__op_conv2d_flops), nn__op_conv2d_infer, NULL};

/* ---- builder --------------------------------------------------------------------------------- */

#ifdef NN_NO_SPEEDUPS
#define nn__op_conv2d_install nn__install_conv2d
#else
/* plans may fuse it with its neighbours */
static void nn__op_conv2d_install(nn_context *nn) {
    nn__install_conv2d(nn);
    nn__install_separable(nn);
    nn__add_fusion(nn, NN__FUSION_SEPARABLE, nn__op_separable_fusion());
}
#endif

#ifndef NN_NO_RARE_OPTIONS
/* Checks everything but the padding mode. */
static bool nn__op_conv2d_inside_infer(nn__inference *inference) {
    const void *params = inference->params;
    nn_conv2d_desc desc = *(const nn_conv2d_desc *)params;
    if (desc.padding_mode < 0 || desc.padding_mode > NN_PADDING_CIRCULAR)
        return nn__refuse_number(inference->problem, "padding_mode", (int)desc.padding_mode,
                                 "an nn_padding_mode");
    const bool some = desc.same || desc.padding || desc.padding_h > 0 || desc.padding_w > 0 ||
                      desc.padding_bottom > 0 || desc.padding_right > 0;
    for (int i = 2; i < 4 && inference->inputs[0].shape.rank == 4; i++)
        if (!nn__want_known_padding(inference, desc.padding_mode, i, some))
            return false;
    desc.padding_mode = NN_PADDING_ZEROS;
    inference->params = &desc;
    const bool fine = nn__op_conv2d_infer(inference);
    inference->params = params;
    return fine;
}
static const nn__rule nn__rule_conv2d_inside =
    NN__COMPOSED_RULE("conv2d", nn__op_conv2d_inside_infer);

/* Adds the desc's padding as a node before the convolution, and clears it in the desc. */
static nn_node *nn__op_conv2d_pad(nn_site site, nn_model *net, const char *name, nn_node *x,
                                  nn_conv2d_desc *desc) {
    static const char *const roles[] = {"input"};
    nn_conv2d_params p;
    nn_pad_desc pad;
    nn_shape weight;
    int32_t end[2];
    x = nn__build(site, net, &nn__rule_conv2d_inside, NULL, name, &x, roles, 1, desc, 0);
    if (!x || x->poisoned) return x;
    memset(&pad, 0, sizeof pad);
    nn__op_conv2d_kernel(desc, NULL, &weight);
    nn__op_conv2d_params(desc, &weight, &p);
    nn__op_conv2d_ends(desc, &p, end);
    pad.mode = desc->padding_mode;
    pad.top = p.padding_h, pad.bottom = end[0];
    pad.left = p.padding_w, pad.right = end[1];
    desc->padding = desc->padding_h = desc->padding_w = 0;
    desc->padding_bottom = desc->padding_right = 0;
    desc->same = false;
    desc->padding_mode = NN_PADDING_ZEROS;
    return nn_pad_at(site, net, x, &pad);
}
#endif

NN_API const nn_conv2d_calls *nn_rare_conv2d(void) {
#ifdef NN_NO_RARE_OPTIONS
    static const nn_conv2d_calls calls = {nn__op_conv2d_install, NULL};
#else
    static const nn_conv2d_calls calls = {nn__op_conv2d_install, nn__op_conv2d_pad};
#endif
    return &calls;
}

NN_API nn_node *nn_conv2d_using_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_conv2d_desc *desc, const nn_conv2d_calls *rare) {
    static const char *const roles[] = {"input", "weight", "bias"};
#ifndef NN_NO_RARE_OPTIONS
    nn_conv2d_desc inside;
    if (rare && desc && desc->padding_mode != NN_PADDING_ZEROS) {
        inside = *desc;
        x = rare->pad(site, net, name, x, &inside);
        desc = &inside;
    }
#endif
    nn_node *node =
        nn__build(site, net, &nn__rule_conv2d, rare ? rare->install : nn__install_dense_conv2d,
                  name, &x, roles, 1, desc, sizeof *desc);
#ifndef NN_NO_REPORTS
    if (node && !node->poisoned && x->kind == NN__INPUT && desc->in_channels == 0 &&
        nn__channels_last_words(x->shape)[0])
        nn__warn(net, site, "conv2d", name,
                 "the images \"%s\" have %d channels of %d x %d and look like NHWC; here they "
                 "are (N, C, H, W)",
                 x->name, (int)x->shape.extent[1], (int)x->shape.extent[2],
                 (int)x->shape.extent[3]);
#endif
    return node;
}

NN_API nn_node *nn_conv2d_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                             const nn_conv2d_desc *desc) {
    return nn_conv2d_using_at(site, net, name, x, desc, nn_rare_conv2d());
}
