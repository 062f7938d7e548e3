/* ops/pool.c - pools of signals, and adaptive pools of signals and images. They use the kernels
   of ops/pool2d.c, for which a signal (line) is an image with a height of 1. */
#include "ops/pool_shared.h"

/* The params of a node. */
typedef struct nn__op_window {
    nn_pool2d_desc desc;
    bool given, line, adaptive;
    bool streams; /* refused: ops/stream.c has other rules for it */
    int out[2];
} nn__op_window;

static nn__op_window nn__op_window_line(const nn_pool1d_desc *line) {
    nn__op_window p;
    memset(&p, 0, sizeof p);
    p.line = true;
    p.given = line != NULL;
    if (!line) return p;
    p.streams = line->streaming;
    /* The fields without a letter set the width, so messages name the fields of nn_pool1d_desc. */
    p.desc.kernel = line->kernel;
    p.desc.stride = line->stride;
    p.desc.padding = line->padding;
    p.desc.dilation = line->dilation;
    p.desc.kernel_h = p.desc.stride_h = p.desc.dilation_h = 1;
    p.desc.padding_h = NN_NONE;
    p.desc.ceil = line->ceil;
    p.desc.count_only_inside = line->count_only_inside;
    return p;
}

static nn__op_window nn__op_window_adaptive(bool line, int out_h, int out_w) {
    nn__op_window p;
    memset(&p, 0, sizeof p);
    p.given = p.adaptive = true;
    p.line = line;
    p.desc.kernel = 1;
    p.out[0] = out_h;
    p.out[1] = out_w;
    return p;
}

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_window_numbers(const nn__op_window *p, nn__problem *problem) {
    if (!p->given)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_pool1d_desc with .kernel"),
                               NN__TEXT("desc is NULL"));
    if (p->streams)
        return nn__problem_set(problem, NN_ERROR_UNSUPPORTED,
                               NN__TEXT("describe it with nn_max_pool1d or nn_avg_pool1d"),
                               NN__TEXT("only a described pool, built without NN_NO_RARE_OPTIONS, "
                                        "can stream"));
    if (p->desc.kernel != 0) return true; /* 1 in an adaptive pool */
    return nn__refuse_number(problem, "kernel", 0, "at least 1");
}

static bool nn__op_window_shares(nn__inference *inference, const nn__op_window *p,
                                 const char *source, nn_shape x) {
    nn__problem *problem = inference->problem;
    nn__type *y = &inference->outputs[0];
#ifdef NN_NO_RARE_OPTIONS
    return nn__problem_set(problem, NN_ERROR_UNSUPPORTED, "", "");
#endif
    y->dtype = NN_F32;
    y->shape = x;
    for (int i = 0; i < 2; i++) {
        if (p->out[i] == NN_NONE) continue;
        if (p->out[i] < 1)
            return nn__refuse_argument(problem,
                                       p->line ? "out"
                                       : i     ? "out_w"
                                               : "out_h",
                                       p->out[i], "at least 1, or NN_NONE to keep the extent of x");
        if (nn__is_symbolic(x.extent[2 + i]) && nn__extent_kind(x.extent[2 + i]) & NN__OF_BATCH)
            return nn__want_image(problem, inference->operation, source, x, 2);
        y->shape.extent[2 + i] = p->out[i];
    }
    return true;
}

static bool nn__op_window_infer(nn__inference *inference) {
    const nn__op_window *p = (const nn__op_window *)inference->params;
    const nn__type *inputs = inference->inputs;
    nn__type x = inputs[0];
    nn_shape *y = &inference->outputs[0].shape;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    bool fine;
    if (!nn__want_dtype(inference->problem, inference->operation, "input", x.dtype, NN_F32) ||
        !nn__op_window_numbers(p, inference->problem))
        return false;
    if (x.shape.rank != (p->line ? 3 : 4))
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; %s wants %s"), source,
                               nn__format_shape(x.shape, text, sizeof text), (int)x.shape.rank,
                               inference->operation,
                               p->line ? "3: (N, C, L)" : "4: (N, C, H, W)");
    if (p->line) {
        x.shape.rank = 4;
        x.shape.extent[3] = x.shape.extent[2];
        x.shape.extent[2] = 1;
    }
    if (p->adaptive) {
        fine = nn__op_window_shares(inference, p, source, x.shape);
    } else {
        inference->inputs = &x;
        inference->params = &p->desc;
        fine = nn__op_pool2d_infer(inference);
        inference->inputs = inputs;
        inference->params = p;
    }
    if (p->line) {
        y->rank = 3;
        y->extent[2] = y->extent[3];
        y->extent[3] = 0;
    }
    return fine;
}

static bool nn__op_window_average_infer(nn__inference *inference) {
    const nn__op_window *p = (const nn__op_window *)inference->params;
    if (p->desc.dilation > 1)
        return nn__refuse_number(inference->problem, "dilation", p->desc.dilation,
                                 "1: only the maximum of a window can leave places out");
    return nn__op_window_infer(inference);
}

static bool nn__op_window_largest_infer(nn__inference *inference) {
#ifndef NN_NO_RARE_OPTIONS
    const nn__op_window *p = (const nn__op_window *)inference->params;
    if (!nn__op_pool2d_largest(&p->desc, inference->problem)) return false;
#endif
    if (!nn__op_window_infer(inference)) return false;
    inference->outputs[1] = inference->outputs[0];
    inference->outputs[1].dtype = NN_I32;
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_window_args(nn_pool2d_args *args, const nn_view *y, const nn_view *x,
                               const nn_view *index, const void *params, nn_pool_kind kind) {
    const nn__op_window *p = (const nn__op_window *)params;
    const nn_view image = nn__op_conv_image(*y), source = nn__op_conv_image(*x);
    nn_view places;
    memset(&places, 0, sizeof places);
    if (index) places = nn__op_conv_image(*index);
    nn__op_pool2d_args(args, &image, &source, &places, &p->desc, kind);
    args->adaptive = p->adaptive;
}

static void nn__op_window_largest_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn__op_window_args(&args->pool2d_forward, &lowering->output, &lowering->inputs[0],
                       &lowering->more[0], node->params, NN_POOL_MAX);
}
static void nn__op_window_average_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn__op_window_args(&args->pool2d_forward, &lowering->output, &lowering->inputs[0],
                       &lowering->more[0], node->params, NN_POOL_AVERAGE);
}

#ifndef NN_NO_TRAINING
/* inputs: dy, and for max pools the index */
static void nn__op_window_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *args) {
    const bool largest = node->input_count > 1;
    nn__op_window_args(&args->pool2d_backward, &lowering->inputs[0], &lowering->output,
                       largest ? &lowering->inputs[1] : NULL, node->params,
                       largest ? NN_POOL_MAX : NN_POOL_AVERAGE);
}

static const nn__rule nn__rule_window_backward = {
    "pool_backward", NN_KERNEL_POOL2D_BACKWARD, 0,    NN_ACTIVATION_NONE,
    nn__op_window_backward_lower, nn__gradient_again, NULL, NULL, NULL};

static void nn__op_window_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *inputs[2];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = nn__output(node, 1);
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_window_backward, x, ".grad", inputs,
                                    inputs[1] ? 2 : 1, NN_F32, x->shape, node->params,
                                    sizeof(nn__op_window)));
}
#endif

#define NN__WINDOW_RULE(name, way)                                                                 \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             NN_KERNEL_POOL2D_FORWARD,                             \
                                             0,                                                    \
                                             NN_ACTIVATION_NONE,                                   \
                                             nn__op_window_##way##_lower,                          \
                                             NN__GRADIENT(nn__op_window_gradient),                 \
                                             NULL,                                                 \
                                             nn__op_window_##way##_infer,                          \
                                             NULL}
NN__WINDOW_RULE(max_pool1d, largest);
NN__WINDOW_RULE(avg_pool1d, average);
NN__WINDOW_RULE(adaptive_max_pool1d, largest);
NN__WINDOW_RULE(adaptive_avg_pool1d, average);
NN__WINDOW_RULE(adaptive_max_pool2d, largest);
NN__WINDOW_RULE(adaptive_avg_pool2d, average);
#undef NN__WINDOW_RULE

#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__op_window_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_pool_again(tape, node, dy, &nn__rule_avg_pool1d, sizeof(nn__op_window));
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

#ifndef NN_NO_RARE_OPTIONS
static bool nn__op_window_streams(const nn_model *net, const nn_pool1d_desc *desc) {
    return net && desc && desc->streaming;
}
static nn_node *nn__op_window_stream(nn_site site, nn_model *net, nn_node *x,
                                     const nn_pool1d_desc *desc, bool largest) {
    const nn__streaming *streaming =
        nn__streaming_of(net, site, largest ? "max_pool1d" : "avg_pool1d", NULL);
    return streaming ? streaming->pool1d(site, net, x, desc, largest) : nn__poison(net);
}
#else
#define nn__op_window_streams(net, desc)                    false
#define nn__op_window_stream(site, net, x, desc, largest) (x)
#endif

static nn_node *nn__op_window_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                    const nn__op_window *p, bool index) {
    nn_node *node = nn__build_unary(site, net, rule, nn__install_pool2d, x, p, sizeof *p);
    if (index && node && !node->poisoned &&
        nn__add_output(node, "index", NN_I32, node->shape)->poisoned)
        return nn__poison(net);
    return node;
}

NN_API nn_node *nn_max_pool1d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool1d_desc *desc) {
    if (nn__op_window_streams(net, desc))
        return nn__op_window_stream(site, net, x, desc, true);
    const nn__op_window p = nn__op_window_line(desc);
    return nn__op_window_build(site, net, &nn__rule_max_pool1d, x, &p, true);
}
NN_API nn_node *nn_avg_pool1d_at(nn_site site, nn_model *net, nn_node *x,
                                 const nn_pool1d_desc *desc) {
    if (nn__op_window_streams(net, desc))
        return nn__op_window_stream(site, net, x, desc, false);
    const nn__op_window p = nn__op_window_line(desc);
    return nn__op_window_build(site, net, &nn__rule_avg_pool1d, x, &p, false);
}
NN_API nn_node *nn_adaptive_avg_pool2d_at(nn_site site, nn_model *net, nn_node *x, int out_h,
                                          int out_w) {
    const nn__op_window p = nn__op_window_adaptive(false, out_h, out_w);
    return nn__op_window_build(site, net, &nn__rule_adaptive_avg_pool2d, x, &p, false);
}
NN_API nn_node *nn_adaptive_max_pool2d_at(nn_site site, nn_model *net, nn_node *x, int out_h,
                                          int out_w) {
    const nn__op_window p = nn__op_window_adaptive(false, out_h, out_w);
    return nn__op_window_build(site, net, &nn__rule_adaptive_max_pool2d, x, &p, true);
}
NN_API nn_node *nn_adaptive_avg_pool1d_at(nn_site site, nn_model *net, nn_node *x, int out) {
    const nn__op_window p = nn__op_window_adaptive(true, NN_NONE, out);
    return nn__op_window_build(site, net, &nn__rule_adaptive_avg_pool1d, x, &p, false);
}
NN_API nn_node *nn_adaptive_max_pool1d_at(nn_site site, nn_model *net, nn_node *x, int out) {
    const nn__op_window p = nn__op_window_adaptive(true, NN_NONE, out);
    return nn__op_window_build(site, net, &nn__rule_adaptive_max_pool1d, x, &p, true);
}

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_max_pool1d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                          const nn_tensor *x, const nn_pool1d_desc *desc) {
    const nn__op_window p = nn__op_window_line(desc);
    return nn__op_pool_forward(site, "nn_max_pool1d_forward", &nn__rule_max_pool1d, NN_POOL_MAX, y,
                               index, x, &p);
}
NN_API nn_result nn_avg_pool1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                          const nn_pool1d_desc *desc) {
    const nn__op_window p = nn__op_window_line(desc);
    return nn__op_pool_forward(site, "nn_avg_pool1d_forward", &nn__rule_avg_pool1d, NN_POOL_AVERAGE,
                               y, NULL, x, &p);
}
NN_API nn_result nn_adaptive_avg_pool2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                   int out_h, int out_w) {
    const nn__op_window p = nn__op_window_adaptive(false, out_h, out_w);
    return nn__op_pool_forward(site, "nn_adaptive_avg_pool2d_forward",
                               &nn__rule_adaptive_avg_pool2d, NN_POOL_AVERAGE, y, NULL, x, &p);
}
NN_API nn_result nn_adaptive_max_pool2d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                                   const nn_tensor *x, int out_h, int out_w) {
    const nn__op_window p = nn__op_window_adaptive(false, out_h, out_w);
    return nn__op_pool_forward(site, "nn_adaptive_max_pool2d_forward",
                               &nn__rule_adaptive_max_pool2d, NN_POOL_MAX, y, index, x, &p);
}
NN_API nn_result nn_adaptive_avg_pool1d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                                   int out) {
    const nn__op_window p = nn__op_window_adaptive(true, NN_NONE, out);
    return nn__op_pool_forward(site, "nn_adaptive_avg_pool1d_forward",
                               &nn__rule_adaptive_avg_pool1d, NN_POOL_AVERAGE, y, NULL, x, &p);
}
NN_API nn_result nn_adaptive_max_pool1d_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                                   const nn_tensor *x, int out) {
    const nn__op_window p = nn__op_window_adaptive(true, NN_NONE, out);
    return nn__op_pool_forward(site, "nn_adaptive_max_pool1d_forward",
                               &nn__rule_adaptive_max_pool1d, NN_POOL_MAX, y, index, x, &p);
}

#ifndef NN_NO_TRAINING
/* Returns the params of an adaptive pool whose result has the extents of dy. */
static nn__op_window nn__op_window_of(bool line, const nn_tensor *dy) {
    const int32_t *extent = dy ? dy->view.shape.extent : NULL;
    const int rank = dy ? dy->view.shape.rank : 0;
    if (line) return nn__op_window_adaptive(true, NN_NONE, rank == 3 ? extent[2] : 1);
    return nn__op_window_adaptive(false, rank == 4 ? extent[2] : 1, rank == 4 ? extent[3] : 1);
}

NN_API nn_result nn_max_pool1d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_tensor *index, const nn_pool1d_desc *desc) {
    const nn__op_window p = nn__op_window_line(desc);
    return nn__op_pool_backward(site, "nn_max_pool1d_backward", &nn__rule_max_pool1d,
                                nn__op_window_args, dx, dy, index, NN_POOL_MAX, &p);
}
NN_API nn_result nn_avg_pool1d_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                           const nn_pool1d_desc *desc) {
    const nn__op_window p = nn__op_window_line(desc);
    return nn__op_pool_backward(site, "nn_avg_pool1d_backward", &nn__rule_avg_pool1d,
                                nn__op_window_args, dx, dy, NULL, NN_POOL_AVERAGE, &p);
}
NN_API nn_result nn_adaptive_avg_pool2d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy) {
    const nn__op_window p = nn__op_window_of(false, dy);
    return nn__op_pool_backward(site, "nn_adaptive_avg_pool2d_backward",
                                &nn__rule_adaptive_avg_pool2d, nn__op_window_args, dx, dy, NULL,
                                NN_POOL_AVERAGE, &p);
}
NN_API nn_result nn_adaptive_max_pool2d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy, const nn_tensor *index) {
    const nn__op_window p = nn__op_window_of(false, dy);
    return nn__op_pool_backward(site, "nn_adaptive_max_pool2d_backward",
                                &nn__rule_adaptive_max_pool2d, nn__op_window_args, dx, dy, index,
                                NN_POOL_MAX, &p);
}
NN_API nn_result nn_adaptive_avg_pool1d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy) {
    const nn__op_window p = nn__op_window_of(true, dy);
    return nn__op_pool_backward(site, "nn_adaptive_avg_pool1d_backward",
                                &nn__rule_adaptive_avg_pool1d, nn__op_window_args, dx, dy, NULL,
                                NN_POOL_AVERAGE, &p);
}
NN_API nn_result nn_adaptive_max_pool1d_backward_at(nn_site site, nn_tensor *dx,
                                                    const nn_tensor *dy, const nn_tensor *index) {
    const nn__op_window p = nn__op_window_of(true, dy);
    return nn__op_pool_backward(site, "nn_adaptive_max_pool1d_backward",
                                &nn__rule_adaptive_max_pool1d, nn__op_window_args, dx, dy, index,
                                NN_POOL_MAX, &p);
}
#endif
