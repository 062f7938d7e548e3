/* ops/pool2d.c - max and average pooling. The global average is a mean over H and W.

   Max pooling has a second output, the index of each maximum. A plan drops it if nothing reads
   it. */
#include "ops/pool_shared.h"

/* ---- check ----------------------------------------------------------------------------------- */

typedef struct nn__op_pool2d_numbers {
    int32_t kernel_h, kernel_w, stride_h, stride_w, padding_h, padding_w, dilation_h, dilation_w;
    int32_t height, width; /* of a window, with dilation */
} nn__op_pool2d_numbers;

#ifndef NN_NO_RARE_OPTIONS
/* Returns the extent of a window with dilation; INT32_MAX if it is more than an extent holds. */
static int32_t nn__op_pool2d_reach(int32_t kernel, int32_t dilation) {
    const int64_t reach = nn__maxi(dilation, 1) * ((int64_t)kernel - 1) + 1;
    return reach > INT32_MAX ? INT32_MAX : (int32_t)reach;
}
#endif

/* Fills in the numbers of both axes with the defaults. With a problem: checks them. */
static bool nn__op_pool2d_axes(const nn_pool2d_desc *desc, nn__problem *problem,
                               nn__op_pool2d_numbers *p) {
    int kernel[2], stride[2], padding[2], dilation[2];
    if (!nn__per_axis_2d(problem, "kernel", NN__PER_AXIS_KERNEL, desc->kernel, desc->kernel_h,
                         desc->kernel_w, kernel) ||
        !nn__per_axis_2d(problem, "stride", NN__PER_AXIS_POOL_STRIDE, desc->stride, desc->stride_h,
                         desc->stride_w, stride) ||
        !nn__per_axis_2d(problem, "padding", NN__PER_AXIS_PADDING, desc->padding, desc->padding_h,
                         desc->padding_w, padding) ||
        !nn__per_axis_2d(problem, "dilation", NN__PER_AXIS_STEP, desc->dilation, desc->dilation_h,
                         desc->dilation_w, dilation))
        return false;
    for (int i = 0; i < 2 && problem; i++)
        if (padding[i] > kernel[i] / 2)
            return nn__refuse_number(
                problem,
                i && desc->padding_w    ? "padding_w"
                : !i && desc->padding_h ? "padding_h"
                                        : "padding",
                padding[i], "between 0 and half the kernel");
    p->kernel_h = kernel[0], p->kernel_w = kernel[1];
    p->stride_h = stride[0] ? stride[0] : kernel[0];
    p->stride_w = stride[1] ? stride[1] : kernel[1];
    p->padding_h = padding[0], p->padding_w = padding[1];
    p->dilation_h = dilation[0], p->dilation_w = dilation[1];
    return true;
}

/* Fills in the defaults. */
static nn__op_pool2d_numbers nn__op_pool2d_defaults(const nn_pool2d_desc *desc) {
    nn__op_pool2d_numbers p;
    nn__op_pool2d_axes(desc, NULL, &p);
#ifdef NN_NO_RARE_OPTIONS /* dilation is always 1 */
    p.height = p.kernel_h, p.width = p.kernel_w;
#else
    p.height = nn__op_pool2d_reach(p.kernel_h, p.dilation_h);
    p.width = nn__op_pool2d_reach(p.kernel_w, p.dilation_w);
#endif
    return p;
}

static bool nn__op_pool2d_check(const nn_pool2d_desc *desc, const nn__op_pool2d_numbers *p,
                                nn__problem *problem) {
    nn__op_pool2d_numbers same;
    if (!nn__op_pool2d_axes(desc, problem, &same)) return false;
#ifdef NN_NO_RARE_OPTIONS
    if (p->dilation_h != 1 || p->dilation_w != 1)
        return nn__refuse_number(problem, "dilation", (int)nn__maxi(p->dilation_h, p->dilation_w),
                                 "1");
    if (desc->divisor) return nn__refuse_number(problem, "divisor", desc->divisor, "0");
#else
    (void)p;
    if (desc->divisor < 0)
        return nn__refuse_number(problem, "divisor", desc->divisor, "at least 1, or 0 for none");
#endif
    return true;
}

/* Returns the output extent; 0: there is none. With `ceil`, a window may reach past the image and
   its padding, even the only one; a last window that begins after the image and its left padding is
   dropped, as in PyTorch. A symbolic extent needs windows that keep or divide it whatever its
   value; with `ceil` that holds only if no window begins in the right padding. */
static int32_t nn__op_pool2d_extent(int32_t x, int32_t kernel, int32_t stride, int32_t padding,
                                    bool ceil) {
    const int64_t room = x + 2 * (int64_t)padding - kernel + (ceil ? stride - 1 : 0);
    int64_t y;
#ifndef NN_NO_RARE_OPTIONS
    int32_t windows;
    if (nn__is_symbolic(x))
        return !(ceil && padding && 2 * padding - kernel != -stride) &&
                       nn__count_windows(x, 2 * (int64_t)padding - kernel, stride, &windows)
                   ? windows
                   : 0;
#endif
    if (room < 0) return 0;
    y = room / stride + 1;
    if (ceil && (y - 1) * stride >= (int64_t)x + padding) y--;
    return (int32_t)y;
}

NN_PRIVATE bool nn__op_pool2d_infer(nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const nn_pool2d_desc *desc = (const nn_pool2d_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    char name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_F32))
        return false;
    if (!desc)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_pool2d_desc with .kernel"),
                               NN__TEXT("desc is NULL"));
    const nn__op_pool2d_numbers p = nn__op_pool2d_defaults(desc);
    if (!nn__op_pool2d_check(desc, &p, problem) ||
        !nn__want_image(problem, "pooling", source, x, 4))
        return false;
    nn__type *y = &inference->outputs[0];
    y->dtype = NN_F32;
    y->shape = x;
    for (int i = 0; i < 2; i++) {
        const int32_t extent = nn__op_pool2d_extent(
            x.extent[2 + i], i ? p.width : p.height, i ? p.stride_w : p.stride_h,
            i ? p.padding_w : p.padding_h, desc->ceil);
        if (extent == 0)
            return nn__want_image(problem, "pooling", source, x, 2) &&
                   nn__problem_set(
                       problem, NN_ERROR_SHAPE, NN__TEXT("a smaller kernel, or more padding"),
                       NN__TEXT(
                           "the kernel is %d x %d, but %s with its padding has only %lld x %lld%s"),
                       (int)p.height, (int)p.width, source,
                       (long long)x.extent[2] + 2LL * p.padding_h,
                       (long long)x.extent[3] + 2LL * p.padding_w, nn__channels_last_words(x));
        y->shape.extent[2 + i] = extent;
    }
    if (!nn__want_padded(problem, source, x, 2 * p.padding_h, 2 * p.padding_w)) return false;
    return true;
}

#ifndef NN_NO_RARE_OPTIONS
NN_PRIVATE bool nn__op_pool2d_largest(const nn_pool2d_desc *desc, nn__problem *problem) {
    if (desc->divisor)
        return nn__refuse_number(problem, "divisor", desc->divisor,
                                 "0: a maximum divides by nothing");
    if (!desc->count_only_inside) return true;
    return nn__refuse_number(problem, "count_only_inside", 1,
                             "false: a maximum counts no places");
}
#endif

NN_PRIVATE bool nn__op_avg_pool2d_infer(nn__inference *inference) {
#ifndef NN_NO_RARE_OPTIONS
    const nn_pool2d_desc *desc = (const nn_pool2d_desc *)inference->params;
    const int dilation =
        desc ? nn__maxi(desc->dilation, nn__maxi(desc->dilation_h, desc->dilation_w)) : 0;
    if (dilation > 1)
        return nn__refuse_number(inference->problem, "dilation", dilation,
                                 "1: only the maximum of a window can leave places out");
#endif
    return nn__op_pool2d_infer(inference);
}

static bool nn__op_max_pool2d_infer(nn__inference *inference) {
#ifndef NN_NO_RARE_OPTIONS
    const nn_pool2d_desc *desc = (const nn_pool2d_desc *)inference->params;
    if (desc && !nn__op_pool2d_largest(desc, inference->problem)) return false;
#endif
    if (!nn__op_pool2d_infer(inference)) return false;
    inference->outputs[1] = inference->outputs[0];
    inference->outputs[1].dtype = NN_I32;
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

NN_PRIVATE void nn__op_pool2d_args(nn_pool2d_args *args, const nn_view *y, const nn_view *x,
                                   const nn_view *index, const void *params, nn_pool_kind kind) {
    const nn_pool2d_desc *desc = (const nn_pool2d_desc *)params;
    const nn__op_pool2d_numbers p = nn__op_pool2d_defaults(desc);
    memset(args, 0, sizeof *args);
    args->y = *y;
    args->x = *x;
    if (index) args->index = *index;
    args->kind = kind;
    args->kernel_h = p.height;
    args->kernel_w = p.width;
#ifndef NN_NO_RARE_OPTIONS
    args->dilation_h = p.dilation_h;
    args->dilation_w = p.dilation_w;
#endif
    args->stride_h = p.stride_h;
    args->stride_w = p.stride_w;
    args->padding_h = p.padding_h;
    args->padding_w = p.padding_w;
    args->count_only_inside = desc->count_only_inside;
    args->divisor = desc->divisor;
}

static void nn__op_max_pool2d_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn__op_pool2d_args(&args->pool2d_forward, &lowering->output, &lowering->inputs[0],
                       &lowering->more[0], node->params, NN_POOL_MAX);
}

static void nn__op_avg_pool2d_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn__op_pool2d_args(&args->pool2d_forward, &lowering->output, &lowering->inputs[0],
                       &lowering->more[0], node->params, NN_POOL_AVERAGE);
}

static NN__UNUSED double nn__op_pool2d_flops(const nn_node *node, const nn__lowering *lowering) {
    const nn__op_pool2d_numbers p = nn__op_pool2d_defaults((const nn_pool2d_desc *)node->params);
    return (double)nn__count(&lowering->output) * p.kernel_h * p.kernel_w;
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* inputs: dy, and for max pools the index */
static void nn__op_pool2d_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *args) {
    const bool largest = node->input_count > 1;
    nn__op_pool2d_args(&args->pool2d_backward, &lowering->inputs[0], &lowering->output,
                       largest ? &lowering->inputs[1] : NULL, node->params,
                       largest ? NN_POOL_MAX : NN_POOL_AVERAGE);
}

static const nn__rule nn__rule_pool2d_backward = {"pool2d_backward",
                                                  NN_KERNEL_POOL2D_BACKWARD,
                                                  0,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_pool2d_backward_lower,
                                                  nn__gradient_again,
                                                  NULL, NULL, NULL};

static void nn__op_pool2d_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *inputs[2];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = nn__output(node, 1);
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_pool2d_backward, x, ".grad", inputs,
                                    inputs[1] ? 2 : 1, NN_F32, x->shape, node->params,
                                    sizeof(nn_pool2d_desc)));
}
#endif

static const nn__rule nn__rule_max_pool2d = {
    "max_pool2d",       NN_KERNEL_POOL2D_FORWARD, 0,
    NN_ACTIVATION_NONE, nn__op_max_pool2d_lower,  NN__GRADIENT(nn__op_pool2d_gradient),
    NN__FLOPS(nn__op_pool2d_flops), nn__op_max_pool2d_infer, NULL};
#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__op_is_pairs(const nn_node *node) {
    if (node->kind != NN__OPERATION) return false;
    bool fits = node->rule == &nn__rule_max_pool2d;
#ifndef NN_NO_TRAINING
    fits = fits || (node->rule == &nn__rule_pool2d_backward && node->input_count == 2);
#endif
    if (!fits) return false;
    const nn__op_pool2d_numbers p = nn__op_pool2d_defaults((const nn_pool2d_desc *)node->params);
    return p.kernel_h == 2 && p.kernel_w == 2 && p.stride_h == 2 && p.stride_w == 2 &&
           p.padding_h == 0 && p.padding_w == 0 && p.dilation_h == 1 && p.dilation_w == 1;
}
#endif

static const nn__rule nn__rule_avg_pool2d = {
    "avg_pool2d",       NN_KERNEL_POOL2D_FORWARD, 0,
    NN_ACTIVATION_NONE, nn__op_avg_pool2d_lower,  NN__GRADIENT(nn__op_pool2d_gradient),
    NN__FLOPS(nn__op_pool2d_flops), nn__op_avg_pool2d_infer, NULL};

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__op_pool_again(nn__tape *tape, nn_node *node, nn_node *dy,
                                  const nn__rule *average, size_t params_bytes) {
    nn_node *of = node->inputs[0], *index = node->input_count > 1 ? node->inputs[1] : NULL;
    if (!nn__wants(of)) return;
    nn__give_gradient(tape, of,
                      index ? tape->unpool(tape, dy, index, of)
                            : nn__tape_node(tape, average, of, ".grad", &dy, 1, NN_F32, of->shape,
                                            node->params, params_bytes));
}

NN_PRIVATE void nn__op_pool2d_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_pool_again(tape, node, dy, &nn__rule_avg_pool2d, sizeof(nn_pool2d_desc));
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

#ifdef NN_NO_SPEEDUPS
#define nn__op_max_pool2d_install nn__install_pool2d
#else
/* plans may fuse it with the convolution before it */
static void nn__op_max_pool2d_install(nn_context *nn) {
    nn__install_pool2d(nn);
    nn__install_conv_pool(nn);
    nn__add_fusion(nn, NN__FUSION_POOL, nn__op_block_fusion());
}
#endif

NN_API nn_node *nn_max_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool2d_desc *desc) {
    nn_node *node =
        nn__build_unary(site, net, &nn__rule_max_pool2d, nn__op_max_pool2d_install, x, desc,
                        sizeof *desc);
    if (node && !node->poisoned && nn__add_output(node, "index", NN_I32, node->shape)->poisoned)
        return nn__poison(net);
    return node;
}

NN_API nn_node *nn_avg_pool2d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool2d_desc *desc) {
    return nn__build_unary(site, net, &nn__rule_avg_pool2d, nn__install_pool2d, x, desc,
                           sizeof *desc);
}

enum { NN__OP_PLANES = 4 | 8 }; /* the axes H and W, as bits */

static bool nn__op_global_avg_pool2d_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = nn__keep_axes(x, NN__OP_PLANES);
    if (x.rank == 4)
        return nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                              inference->inputs[0].dtype, NN_F32);
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                           NN__TEXT("nn_reduce takes any rank"),
                           NN__TEXT("%s %s has %d extents; pooling wants 4: (N, C, H, W)"),
                           nn__first_input(inference, name, sizeof name),
                           nn__format_shape(x, text, sizeof text), (int)x.rank);
}

static const nn__rule nn__rule_global_avg_pool2d =
    NN__COMPOSED_RULE("global_avg_pool2d", nn__op_global_avg_pool2d_infer);

NN_API nn_node *nn_global_avg_pool2d_at(nn_site site, nn_model *net, nn_node *x) {
    static const char *const roles[] = {"input"};
    const nn__rule *rule = &nn__rule_global_avg_pool2d;
    x = nn__build_unary(site, net, rule, NULL, x, NULL, 0);
    if (!x || x->poisoned) return x;
    return nn__add_reduce(&net->graph, site, rule->name, roles, NN_MEAN, x, NN__OP_PLANES,
                          nn__keep_axes(x->shape, NN__OP_PLANES));
}

/* ---- immediate ------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__op_pool_forward(nn_site site, const char *who, const nn__rule *rule,
                                         nn_pool_kind kind, nn_tensor *y, nn_tensor *index,
                                         const nn_tensor *x, const void *params) {
    const nn__given largest[] = {{"y", y, NN__WRITTEN, NN_F32},
                                 {"index", index, NN__WRITTEN | NN__OPTIONAL, NN_I32},
                                 {"x", x, 0, NN_F32}};
    const nn__given average[] = {{"y", y, NN__WRITTEN, NN_F32}, {"x", x, 0, NN_F32}};
    const bool two = kind == NN_POOL_MAX;
    return nn__immediate(site, who, rule, nn__install_pool2d, two ? largest : average, two ? 2 : 1,
                         two ? 3 : 2, params);
}

NN_API nn_result nn_max_pool2d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                          const nn_tensor *x, const nn_pool2d_desc *desc) {
    return nn__op_pool_forward(site, "nn_max_pool2d_forward", &nn__rule_max_pool2d, NN_POOL_MAX, y,
                               index, x, desc);
}

NN_API nn_result nn_avg_pool2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                          const nn_pool2d_desc *desc) {
    return nn__op_pool_forward(site, "nn_avg_pool2d_forward", &nn__rule_avg_pool2d,
                               NN_POOL_AVERAGE, y, NULL, x, desc);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__op_pool_backward(nn_site site, const char *who, const nn__rule *rule,
                                          nn__op_pool_fill fill, nn_tensor *dx,
                                          const nn_tensor *dy, const nn_tensor *index,
                                          nn_pool_kind kind, const void *params) {
    const nn__given given[] = {
        {"dx", dx, NN__WRITTEN, NN_F32},
        {"dy", dy, 0, NN_F32},
        {"index", index, kind == NN_POOL_AVERAGE ? NN__OPTIONAL : 0, NN_I32}};
    const nn__given forward[] = {
        {"dy", dy, 0, NN_F32}, {"index", index, 0, NN_I32}, {"dx", dx, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_pool2d_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, rule, forward, 2, NN__COUNT(forward), params);
    if (result != NN_OK) return result;
    nn__install_pool2d(nn);
    fill(&args, &dy->view, &dx->view, index ? &index->view : NULL, params, kind);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_POOL2D_BACKWARD, &args, NULL);
}

NN_API nn_result nn_max_pool2d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_tensor *index, const nn_pool2d_desc *desc) {
    return nn__op_pool_backward(site, "nn_max_pool2d_backward", &nn__rule_max_pool2d,
                                nn__op_pool2d_args, dx, dy, index, NN_POOL_MAX, desc);
}

NN_API nn_result nn_avg_pool2d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_pool2d_desc *desc) {
    return nn__op_pool_backward(site, "nn_avg_pool2d_backward", &nn__rule_avg_pool2d,
                                nn__op_pool2d_args, dx, dy, NULL, NN_POOL_AVERAGE, desc);
}
#endif
