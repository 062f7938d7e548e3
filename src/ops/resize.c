/* ops/resize.c - resizes signals, images and volumes. A signal (line) is an image with a height
   of 1. "area" is an adaptive average pool. A volume is resized as images with D times as many
   channels, then along D as images of D rows. */
#include "kernels/install_more.h"
#include "ops/pool3d.h"
#include "ops/pool_shared.h"
#include "ops/reshape.h"
#include "ops/resize.h"

#include <math.h>

/* Returns the desc's size for an axis. which: 0 is the first axis that is resized, 1 is W, 2 is H
   of a volume. */
static int nn__op_resize_size(const nn_resize_desc *desc, int which) {
    const int own = which == 1 ? desc->size_w : which ? desc->size_h : 0;
    return own ? own : desc->size;
}
static double nn__op_resize_scale(const nn_resize_desc *desc, int which) {
    const double own = which == 1 ? desc->scale_factor_w : which ? desc->scale_factor_h : 0.0;
    return own != 0.0 ? own : desc->scale_factor;
}
/* Converts axis i >= 2 of a shape to `which`. */
static int nn__op_resize_which(int rank, int i) {
    return i == 2 ? 0 : i == rank - 1 ? 1 : 2;
}
static bool nn__op_resize_smooths(const nn_resize_desc *desc) {
    return desc->mode == NN_RESIZE_LINEAR || desc->mode == NN_RESIZE_CUBIC;
}

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_resize_numbers(const nn_resize_desc *desc, int rank, nn__problem *problem) {
    static const char *const names[] = {"scale_factor", "scale_factor_w", "scale_factor_h"};
    const double scales[3] = {desc->scale_factor, desc->scale_factor_w, desc->scale_factor_h};
    const bool sized = desc->size || desc->size_w || desc->size_h,
               scaled = scales[0] != 0.0 || scales[1] != 0.0 || scales[2] != 0.0;
    if ((unsigned)desc->mode > NN_RESIZE_AREA)
        return nn__refuse_number(problem, "mode", (int)desc->mode, "one of nn_resize_mode");
    if (sized == scaled)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("set either .size or .scale_factor"),
                               sized ? NN__TEXT("both size and scale_factor are given")
                                     : NN__TEXT("neither size nor scale_factor is given"));
    if (sized && desc->size < 1)
        return nn__refuse_number(problem, "size", desc->size, "at least 1");
    if (desc->size_w < 0)
        return nn__refuse_number(problem, "size_w", desc->size_w, "at least 1, or 0 for size");
    if (desc->size_h < 0)
        return nn__refuse_number(problem, "size_h", desc->size_h, "at least 1, or 0 for size");
    for (int i = 0; scaled && i < 3; i++)
        if (!(scales[i] > 0.0 && scales[i] <= 1e9) && !(i > 0 && scales[i] == 0.0))
            return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("2 doubles the extent"),
                                   NN__TEXT("%s is %g; it must be above 0, and at most 1e9"),
                                   names[i], scales[i]);
    if (rank != 5 && (desc->size_h || scales[2] != 0.0))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("the height of an image is .size or .scale_factor"),
                               NN__TEXT("%s is given, but the input is no volume"),
                               desc->size_h ? "size_h" : names[2]);
    if (rank == 5 && (desc->antialias || desc->mode == NN_RESIZE_CUBIC))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("nearest, linear and area resize volumes"),
                               NN__TEXT("%s is for images and lines, and the input is a volume"),
                               desc->antialias ? "antialias" : "mode NN_RESIZE_CUBIC");
    if (rank == 3 && (desc->size_w || scales[1] != 0.0))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("a line has .size or .scale_factor only"),
                               NN__TEXT("%s is given for a line"),
                               desc->size_w ? "size_w" : "scale_factor_w");
    if ((desc->align_corners || desc->antialias) && !nn__op_resize_smooths(desc))
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("set .mode to NN_RESIZE_LINEAR or NN_RESIZE_CUBIC"),
                               NN__TEXT("%s is set, but mode is neither linear nor cubic"),
                               desc->align_corners ? "align_corners" : "antialias");
    return true;
}

/* Finds the new extent *y of axis `which`, whose extent is x. */
static bool nn__op_resize_extent(const nn__inference *inference, const nn_resize_desc *desc,
                                 const char *source, int which, int32_t x, int32_t *y) {
    nn__problem *problem = inference->problem;
    const double scale = nn__op_resize_scale(desc, which);
    char text[NN__SHAPE_TEXT];
    if (nn__is_symbolic(x)) {
        if (scale >= 1.0 && scale == floor(scale) && scale < INT32_MAX && !desc->align_corners &&
            !desc->antialias && desc->mode != NN_RESIZE_AREA &&
            nn__extent_multiply(x, (int32_t)scale, y))
            return true;
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("give it a fixed extent, or a whole .scale_factor without "
                                        "align_corners, antialias and area"),
                               NN__TEXT("an extent of %s %s depends on the %s"), source,
                               nn__format_shape(inference->inputs[0].shape, text, sizeof text),
                               nn__free_words(x));
    }
    const double wanted = scale != 0.0 ? floor((double)x * scale) : nn__op_resize_size(desc, which);
    if (wanted >= 1.0 && wanted < INT32_MAX / 2 && x >= 1 && x < INT32_MAX / 2) {
        *y = (int32_t)wanted;
        return true;
    }
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("another .scale_factor or .size"),
                           NN__TEXT("an extent of %s %s would be %.0f; it must be at least 1, and "
                                    "below 2^30"),
                           source,
                           nn__format_shape(inference->inputs[0].shape, text, sizeof text), wanted);
}

static bool nn__op_resize_infer(nn__inference *inference) {
    const nn_resize_desc *desc = (const nn_resize_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn_shape *y = &inference->outputs[0].shape;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    if (!nn__want_dtype(inference->problem, inference->operation, "input",
                        inference->inputs[0].dtype, NN_F32))
        return false;
    if (!desc)
        return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give an nn_resize_desc with .size or .scale_factor"),
                               NN__TEXT("desc is NULL"));
    if (x.rank < 3 || x.rank > 5)
        return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s %s has %d extents; %s wants 3, 4 or 5: (N, C, L), "
                                        "(N, C, H, W) or (N, C, D, H, W)"),
                               source, nn__format_shape(x, text, sizeof text), (int)x.rank,
                               inference->operation);
    if (!nn__op_resize_numbers(desc, x.rank, inference->problem)) return false;
    inference->outputs[0].dtype = NN_F32;
    *y = x;
    for (int i = 2; i < x.rank; i++)
        if (!nn__op_resize_extent(inference, desc, source, nn__op_resize_which(x.rank, i),
                                  x.extent[i], &y->extent[i]))
            return false;
    return true;
}

/* The check of the kernel: only the builder takes volumes. */
static bool nn__op_resize_plane_infer(nn__inference *inference) {
    char text[NN__SHAPE_TEXT];
    if (inference->inputs[0].shape.rank != 5) return nn__op_resize_infer(inference);
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE, NN__TEXT("nn_resize in a model takes it"),
        NN__TEXT("the immediate call takes lines and images, not the volume %s"),
        nn__format_shape(inference->inputs[0].shape, text, sizeof text));
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Returns the distance in x between neighbouring places of y. */
static float nn__op_resize_step(const nn_resize_desc *desc, int x, int y, double scale) {
    if (desc->align_corners) return y > 1 ? (float)(x - 1) / (float)(y - 1) : 0.0f;
    if (scale != 0.0 && !desc->recompute_scale_factor) return (float)(1.0 / scale);
    return (float)x / (float)y;
}

/* Returns the largest number of places that one result reads: the width of the filter in places of
   x. back: the largest number of results that read one place of x; here the width is divided by the
   step. */
static int32_t nn__op_resize_taps(const nn_resize_desc *desc, int x, int y, float step, bool back) {
    const double wide = desc->antialias && step > 1.0f ? (double)step : 1.0;
    double reach = desc->mode == NN_RESIZE_CUBIC    ? 2.0 * wide
                   : desc->mode == NN_RESIZE_LINEAR ? wide
                                                    : 0.0,
           taps;
    if (back) {
        if (desc->antialias) reach += 0.5;
        taps = step > 0.0f ? ceil((2.0 * reach + 1.0) / (double)step) + 3.0 : (double)y;
        return taps < (double)y ? (int32_t)taps : y;
    }
    if (x == 1 && y == 1) return 1;
    if (desc->antialias) { /* at most the places of x */
        taps = ceil(reach) * 2.0 + 1.0;
        return taps < (double)x ? (int32_t)taps : x;
    }
    return desc->mode == NN_RESIZE_CUBIC ? 4 : desc->mode == NN_RESIZE_LINEAR ? 2 : 1;
}

/* The views are images or signals. */
static void nn__op_resize_args(nn_resize_args *args, nn_view y, nn_view x,
                               const nn_resize_desc *desc, bool back) {
    const bool line = x.shape.rank == 3;
    memset(args, 0, sizeof *args);
    args->y = nn__op_conv_image(y);
    args->x = nn__op_conv_image(x);
    args->mode = desc->mode;
    args->align_corners = desc->align_corners;
    args->antialias = desc->antialias;
    args->cubic = desc->cubic != 0.0f ? desc->cubic : desc->antialias ? -0.5f : -0.75f;
    for (int i = 0; i < 2; i++) {
        const int in = args->x.shape.extent[2 + i], out = args->y.shape.extent[2 + i];
        const double scale = line && i == 0 ? 1.0 : nn__op_resize_scale(desc, line ? 0 : i);
        const float step = nn__op_resize_step(desc, in, out, scale);
        *(i ? &args->step_w : &args->step_h) = step;
        *(i ? &args->taps_w : &args->taps_h) = nn__op_resize_taps(desc, in, out, step, back);
    }
}

static void nn__op_resize_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *args) {
    nn__op_resize_args(&args->resize_forward, lowering->output, lowering->inputs[0],
                       (const nn_resize_desc *)node->params, false);
    args->resize_forward.scratch = lowering->scratch;
}

/* Fills in the arguments of "area" in immediate calls. */
static void nn__op_resize_area_args(nn_pool2d_args *args, nn_view y, nn_view x) {
    memset(args, 0, sizeof *args);
    args->y = nn__op_conv_image(y);
    args->x = nn__op_conv_image(x);
    args->kind = NN_POOL_AVERAGE;
    args->adaptive = true;
}
static void nn__op_resize_area_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *args) {
    (void)node;
    nn__op_resize_area_args(&args->pool2d_forward, lowering->output, lowering->inputs[0]);
}

#ifndef NN_NO_TRAINING
static void nn__op_resize_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *args) {
    nn__op_resize_args(&args->resize_backward, lowering->inputs[0], lowering->output,
                       (const nn_resize_desc *)node->params, true);
    args->resize_backward.scratch = lowering->scratch;
}

static const nn__rule nn__rule_resize_backward = {"resize_backward",
                                                  NN_KERNEL_RESIZE_BACKWARD,
                                                  0,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_resize_backward_lower,
                                                  nn__gradient_again,
                                                  NULL,
                                                  NULL,
                                                  NULL};

static void nn__op_resize_again(nn__tape *tape, nn_node *node, nn_node *dy);
static void nn__op_resize_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0];
    tape->nn->again[NN__AGAIN_RESIZE] = nn__op_resize_again;
    if (!nn__wants(x)) return;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_resize_backward, x, ".grad", &dy, 1, NN_F32,
                                    x->shape, node->params, sizeof(nn_resize_desc)));
}
#endif

static const nn__rule nn__rule_resize = {"resize",
                                         NN_KERNEL_RESIZE_FORWARD,
                                         0,
                                         NN_ACTIVATION_NONE,
                                         nn__op_resize_lower,
                                         NN__GRADIENT(nn__op_resize_gradient),
                                         NULL,
                                         nn__op_resize_plane_infer,
                                         NULL};
#ifndef NN_NO_TRAINING
static void nn__op_resize_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *of = node->inputs[0];
    if (nn__wants(of))
        nn__give_gradient(tape, of,
                          nn__tape_node(tape, &nn__rule_resize, of, ".grad", &dy, 1, NN_F32,
                                        of->shape, node->params, sizeof(nn_resize_desc)));
}
#endif
static const nn__rule nn__rule_resize_area = {"resize",
                                              NN_KERNEL_POOL2D_FORWARD,
                                              0,
                                              NN_ACTIVATION_NONE,
                                              nn__op_resize_area_lower,
                                              NULL,
                                              NULL,
                                              nn__op_resize_plane_infer,
                                              NULL};
static const nn__rule nn__rule_resize_composed = NN__COMPOSED_RULE("resize", nn__op_resize_infer);

static bool nn__op_resize_is_area(const nn_resize_desc *desc) {
    return desc && desc->mode == NN_RESIZE_AREA;
}

/* ---- builder --------------------------------------------------------------------------------- */

/* Describes "area", an adaptive average pool. */
static nn_node *nn__op_resize_area(nn_site site, nn_model *net, nn_node *x,
                                   const nn_resize_desc *desc) {
    const int rank = x->shape.rank;
    int out[3];
    for (int i = 2; i < rank; i++) {
        const int which = nn__op_resize_which(rank, i);
        const double scale = nn__op_resize_scale(desc, which);
        out[i - 2] = scale != 0.0 ? (int)floor((double)x->shape.extent[i] * scale)
                                  : nn__op_resize_size(desc, which);
    }
    return rank == 3   ? nn_adaptive_avg_pool1d_at(site, net, x, out[0])
           : rank == 4 ? nn_adaptive_avg_pool2d_at(site, net, x, out[0], out[1])
                       : nn_adaptive_avg_pool3d_at(site, net, x, out[0], out[1], out[2]);
}

/* Reshapes x to (a, b, c, d). */
static nn_node *nn__op_resize_planes(nn_site site, nn_model *net, nn_node *x, int32_t a, int32_t b,
                                     int32_t c, int32_t d) {
    int32_t extents[4];
    extents[0] = a, extents[1] = b, extents[2] = c, extents[3] = d;
    return nn_reshape_at(site, net, x, nn_make_shape(extents, 4));
}

/* Resizes rows and columns of (N C, D, H, W), then D of (N, C, D, OH OW), whose last axis stays. */
static nn_node *nn__op_resize_volume(nn_site site, nn_model *net, nn_node *x,
                                     const nn_resize_desc *desc) {
    nn_shape shape = x->shape;
    int32_t *e = shape.extent, all;
    nn_resize_desc plane = *desc, deep = *desc;
    plane.size = nn__op_resize_size(desc, 2);
    plane.scale_factor = nn__op_resize_scale(desc, 2);
    plane.size_w = nn__op_resize_size(desc, 1); /* set, so that it does not default to the height */
    plane.scale_factor_w = nn__op_resize_scale(desc, 1);
    plane.size_h = deep.size_h = 0;
    plane.scale_factor_h = deep.scale_factor_h = 0.0;
    x = nn__op_resize_planes(site, net, x, nn_multiply_extents(e[0], e[1]), e[2], e[3], e[4]);
    x = nn_resize_at(site, net, x, &plane);
    if (!x || x->poisoned) return x;
    e[3] = x->shape.extent[2], e[4] = x->shape.extent[3];
    all = nn_multiply_extents(e[3], e[4]);
    deep.size_w = desc->size ? all : 0;
    deep.scale_factor_w = desc->size ? 0.0 : 1.0;
    x = nn__op_resize_planes(site, net, x, e[0], e[1], e[2], all);
    x = nn_resize_at(site, net, x, &deep);
    if (!x || x->poisoned) return x;
    e[2] = x->shape.extent[2];
    return nn_reshape_at(site, net, x, shape);
}

NN_API nn_node *nn_resize_at(nn_site site, nn_model *net, nn_node *x, const nn_resize_desc *desc) {
    const bool area = nn__op_resize_is_area(desc), volume = x && x->shape.rank == 5;
    if (!area && !volume)
        return nn__build_unary(site, net, &nn__rule_resize, nn__install_resize, x, desc,
                               sizeof *desc);
    x = nn__build_unary(site, net, &nn__rule_resize_composed, NULL, x, desc, 0);
    if (!x || x->poisoned) return x;
    return area ? nn__op_resize_area(site, net, x, desc)
                : nn__op_resize_volume(site, net, x, desc);
}

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_resize_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_resize_desc *desc) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32}, {"x", x, 0, NN_F32}};
    const bool area = nn__op_resize_is_area(desc);
    return nn__immediate(site, "nn_resize_forward", area ? &nn__rule_resize_area : &nn__rule_resize,
                         area ? nn__install_pool2d : nn__install_resize, given, 1,
                         NN__COUNT(given), desc);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_resize_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                       const nn_resize_desc *desc, bool accumulate) {
    const char *who = "nn_resize_backward";
    const nn__given given[] = {{"dx", dx, NN__WRITTEN, NN_F32}, {"dy", dy, 0, NN_F32}};
    const nn__given forward[] = {{"dy", dy, 0, NN_F32}, {"dx", dx, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_resize_args args;
    nn_pool2d_args area;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, &nn__rule_resize, forward, 1, NN__COUNT(forward),
                                  desc);
    if (result != NN_OK) return result;
    if (nn__op_resize_is_area(desc)) {
        nn__install_pool2d(nn);
        nn__op_resize_area_args(&area, dy->view, dx->view);
        area.accumulate = accumulate;
        return nn__run_immediate(site, who, nn, device, NN_KERNEL_POOL2D_BACKWARD, &area, NULL);
    }
    nn__install_resize(nn);
    nn__op_resize_args(&args, dy->view, dx->view, desc, true);
    args.accumulate = accumulate;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_RESIZE_BACKWARD, &args,
                             &args.scratch);
}
#endif
