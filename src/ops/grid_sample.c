/* ops/grid_sample.c - samples images at given places. The grid of an affine map is composed of
   other operations: it interpolates linearly between the four corners. */
#include "ops/grid_sample.h"
#include "ops/arrange.h"
#include "kernels/install_more.h"
#include "ops/private.h"
#include "ops/resize.h"
#include "ops/table.h"

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_grid_infer(nn__inference *inference) {
    const nn_grid_sample_desc *desc = (const nn_grid_sample_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape, grid = inference->inputs[1].shape;
    nn__problem *problem = inference->problem;
    nn_shape *y = &inference->outputs[0].shape;
    char one[NN__SHAPE_TEXT], other[NN__SHAPE_TEXT];
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32))
            return false;
    if (desc && (unsigned)desc->mode > NN_GRID_BICUBIC)
        return nn__refuse_number(problem, "mode", (int)desc->mode, "one of nn_grid_mode");
    if (desc && (unsigned)desc->padding_mode > NN_GRID_REFLECTION)
        return nn__refuse_number(problem, "padding_mode", (int)desc->padding_mode,
                                 "one of nn_grid_padding");
    nn__format_shape(x, one, sizeof one);
    nn__format_shape(grid, other, sizeof other);
    if (x.rank != 4)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s is %s; wanted (N, C, H, W)"), inference->roles[0], one);
    if (grid.rank != 4 || grid.extent[3] != 2 || grid.extent[0] != x.extent[0])
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("give two numbers, x and y, for each place of each sample"),
                               NN__TEXT("grid is %s; for %s it must be (N, OH, OW, 2) with the "
                                        "same N"),
                               other, one);
    inference->outputs[0].dtype = NN_F32;
    *y = x;
    y->extent[2] = grid.extent[1];
    y->extent[3] = grid.extent[2];
    if (nn__free_extents(*y, NN__OF_BATCH) < 2 && nn__free_extents(*y, NN__OF_TIME) < 2)
        return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("give one of them a fixed extent"),
                           NN__TEXT("two extents of the result of %s at %s would depend on the "
                                    "batch, or on the time"),
                           one, other);
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_grid_args(nn_grid_sample_args *args, const nn_view *y, const nn_view *grid,
                             const nn_grid_sample_desc *desc) {
    memset(args, 0, sizeof *args);
    args->y = *y;
    args->grid = *grid;
    if (!desc) return;
    args->mode = desc->mode;
    args->padding = desc->padding_mode;
    args->align_corners = desc->align_corners;
}

static void nn__op_grid_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    nn__op_grid_args(&args->grid_sample_forward, &lowering->output, &lowering->inputs[1],
                     (const nn_grid_sample_desc *)node->params);
    args->grid_sample_forward.x = lowering->inputs[0];
    args->grid_sample_forward.scratch = lowering->scratch;
}

#ifndef NN_NO_TRAINING
/* inputs: dy, grid */
static void nn__op_grid_dx_lower(const nn_node *node, const nn__lowering *lowering,
                                 nn__args *args) {
    nn_grid_sample_args *back = &args->grid_sample_backward;
    nn__op_grid_args(back, &lowering->inputs[0], &lowering->inputs[1],
                     (const nn_grid_sample_desc *)node->params);
    back->dx = lowering->output;
    back->scratch = lowering->scratch;
}
/* inputs: dy, grid, x */
static void nn__op_grid_dgrid_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn_grid_sample_args *back = &args->grid_sample_backward;
    nn__op_grid_args(back, &lowering->inputs[0], &lowering->inputs[1],
                     (const nn_grid_sample_desc *)node->params);
    back->dgrid = lowering->output;
    back->x = lowering->inputs[2];
    back->scratch = lowering->scratch;
}

#define NN__GRID_RULE(way)                                                                         \
    static const nn__rule nn__rule_grid_##way = {"grid_sample_backward",                           \
                                                 NN_KERNEL_GRID_SAMPLE_BACKWARD,                   \
                                                 0,                                                \
                                                 NN_ACTIVATION_NONE,                               \
                                                 nn__op_grid_##way##_lower,                        \
                                                 nn__gradient_again,                               \
                                                 NULL,                                             \
                                                 NULL,                                             \
                                                 NULL}
NN__GRID_RULE(dx);
NN__GRID_RULE(dgrid);
#undef NN__GRID_RULE

static void nn__op_grid_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *grid = node->inputs[1], *inputs[3];
    inputs[0] = dy;
    inputs[1] = grid;
    inputs[2] = x;
    if (nn__wants(x))
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, &nn__rule_grid_dx, x, ".grad", inputs, 2, NN_F32,
                                        x->shape, node->params, sizeof(nn_grid_sample_desc)));
    if (nn__wants(grid))
        nn__give_gradient(tape, grid,
                          nn__tape_node(tape, &nn__rule_grid_dgrid, grid, ".grad", inputs, 3,
                                        NN_F32, grid->shape, node->params,
                                        sizeof(nn_grid_sample_desc)));
}
#endif

static const nn__rule nn__rule_grid_sample = {"grid_sample",
                                              NN_KERNEL_GRID_SAMPLE_FORWARD,
                                              0,
                                              NN_ACTIVATION_NONE,
                                              nn__op_grid_lower,
                                              NN__GRADIENT(nn__op_grid_gradient),
                                              NULL,
                                              nn__op_grid_infer,
                                              NULL};

/* ---- builders -------------------------------------------------------------------------------- */

NN_API nn_node *nn_grid_sample_at(nn_site site, nn_model *net, nn_node *x, nn_node *grid,
                                  const nn_grid_sample_desc *desc) {
    static const char *const roles[] = {"input", "grid"};
    nn_grid_sample_desc given;
    nn_node *inputs[2];
    memset(&given, 0, sizeof given);
    if (desc) given = *desc;
    inputs[0] = x;
    inputs[1] = grid;
    return nn__build(site, net, &nn__rule_grid_sample, nn__install_grid_sample, NULL, inputs, roles,
                     2, &given, sizeof given);
}

/* params: height and width, two ints */
static bool nn__op_affine_infer(nn__inference *inference) {
    const int *size = (const int *)inference->params;
    const nn_shape theta = inference->inputs[0].shape;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32))
        return false;
    for (int i = 0; i < 2; i++)
        if (size[i] < 1 || size[i] > INT32_MAX / 2)
            return nn__refuse_argument(inference->problem, i ? "width" : "height", size[i],
                                       "at least 1, and below 2^30");
    if (theta.rank == 3 && theta.extent[1] == 2 && theta.extent[2] == 3) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
        NN__TEXT("%s is %s; wanted (N, 2, 3)"), nn__first_input(inference, name, sizeof name),
        nn__format_shape(theta, text, sizeof text));
}
static const nn__rule nn__rule_affine = NN__COMPOSED_RULE("affine_grid", nn__op_affine_infer);

/* Returns the distance of the first and the last place from 0. */
static float nn__op_affine_reach(int size, bool align_corners) {
    if (size == 1) return 0.0f;
    return align_corners ? 1.0f : (float)(size - 1) / (float)size;
}

NN_API nn_node *nn_affine_grid_at(nn_site site, nn_model *net, nn_node *theta, int height,
                                  int width, bool align_corners) {
    const int size[2] = {height, width};
    nn_node *part[3], *corner[4], *side;
    nn_resize_desc resize;
    nn_slice_desc slice;
    nn_nodes corners;
    nn_shape shape;
    nn_axes order;
    theta = nn__build_unary(site, net, &nn__rule_affine, NULL, theta, size, 0);
    if (!theta || theta->poisoned) return theta;
    memset(&slice, 0, sizeof slice);
    slice.axis = 2;
    for (int i = 0; i < 3; i++) { /* (N, 2, 1): the factors of x, y and 1 */
        slice.start = i;
        slice.stop = i + 1;
        part[i] = nn_slice_at(site, net, theta, &slice);
        if (i < 2)
            part[i] =
                nn_scale_at(site, net, part[i], nn__op_affine_reach(size[1 - i], align_corners));
    }
    for (int i = 0; i < 4; i++) { /* top left, top right, bottom left, bottom right */
        side = i & 2 ? nn_add_at(site, net, part[2], part[1])
                     : nn_subtract_at(site, net, part[2], part[1]);
        corner[i] =
            i & 1 ? nn_add_at(site, net, side, part[0]) : nn_subtract_at(site, net, side, part[0]);
    }
    corners.node = corner;
    corners.count = 4;
    memset(&shape, 0, sizeof shape);
    shape.rank = 4;
    shape.extent[0] = theta->shape.extent[0];
    shape.extent[1] = shape.extent[2] = shape.extent[3] = 2;
    memset(&resize, 0, sizeof resize);
    resize.size = height;
    resize.size_w = width;
    resize.mode = NN_RESIZE_LINEAR;
    resize.align_corners = true;
    theta = nn_reshape_at(site, net, nn_concat_at(site, net, corners, 2), shape);
    theta = nn_resize_at(site, net, theta, &resize);
    memset(&order, 0, sizeof order);
    order.count = 4; /* (N, height, width, 2) */
    order.axis[1] = 2;
    order.axis[2] = 3;
    order.axis[3] = 1;
    return nn_permute_at(site, net, theta, order);
}

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_grid_sample_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                           const nn_tensor *grid, const nn_grid_sample_desc *desc) {
    const nn__given given[] = {
        {"y", y, NN__WRITTEN, NN_F32}, {"x", x, 0, NN_F32}, {"grid", grid, 0, NN_F32}};
    return nn__immediate(site, "nn_grid_sample_forward", &nn__rule_grid_sample,
                         nn__install_grid_sample, given, 1, NN__COUNT(given), desc);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_grid_sample_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dgrid,
                                            const nn_tensor *dy, const nn_tensor *x,
                                            const nn_tensor *grid, const nn_grid_sample_desc *desc,
                                            bool accumulate) {
    const char *who = "nn_grid_sample_backward";
    const nn__given given[] = {{"dx", dx, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dgrid", dgrid, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dy", dy, 0, NN_F32},
                               {"x", x, 0, NN_F32},
                               {"grid", grid, 0, NN_F32}};
    const nn__given forward[] = {
        {"dy", dy, 0, NN_F32}, {"x", x, 0, NN_F32}, {"grid", grid, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_grid_sample_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, &nn__rule_grid_sample, forward, 1,
                                  NN__COUNT(forward), desc);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dx", x->view.shape, dx);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dgrid", grid->view.shape, dgrid);
    if (result != NN_OK || (!dx && !dgrid)) return result;
    nn__install_grid_sample(nn);
    nn__op_grid_args(&args, &dy->view, &grid->view, desc);
    args.x = x->view;
    args.dx = nn__view_of(dx);
    args.dgrid = nn__view_of(dgrid);
    args.accumulate = accumulate;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_GRID_SAMPLE_BACKWARD, &args,
                             &args.scratch);
}
#endif
