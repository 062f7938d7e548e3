/* ops/max_unpool.c - max_unpool: scatters the maxima back to their places in planes of zeros,
   with the kernels of ops/elements.c. */
#include "kernels/install_more.h"
#include "ops/max_unpool.h"
#include "ops/more_private.h"
#include "ops/pool_shared.h"
#include "ops/private.h"

/* ---- check ----------------------------------------------------------------------------------- */

/* The numbers of both axes, height first, with the defaults. */
typedef struct nn__op_unpool_axes {
    int kernel[2], stride[2], padding[2];
} nn__op_unpool_axes;

static bool nn__op_unpool_numbers(const nn_max_unpool2d_desc *desc, nn__problem *problem,
                                  nn__op_unpool_axes *a) {
    if (!nn__per_axis_2d(problem, "kernel", NN__PER_AXIS_KERNEL, desc->kernel, desc->kernel_h,
                         desc->kernel_w, a->kernel) ||
        !nn__per_axis_2d(problem, "stride", NN__PER_AXIS_POOL_STRIDE, desc->stride, desc->stride_h,
                         desc->stride_w, a->stride) ||
        !nn__per_axis_2d(problem, "padding", NN__PER_AXIS_PADDING, desc->padding, desc->padding_h,
                         desc->padding_w, a->padding))
        return false;
    for (int i = 0; i < 2; i++)
        if (a->stride[i] == 0) a->stride[i] = a->kernel[i];
    return true;
}

/* Computes the extent of y along H or W for the extent x. False: the numbers do not fit. */
static bool nn__op_unpool_extent(nn__inference *inference, const nn__op_unpool_axes *a, int which,
                                 int out, int32_t x, int32_t *y) {
    nn__problem *problem = inference->problem;
    const int kernel = a->kernel[which], stride = a->stride[which], padding = a->padding[which];
    if (padding > kernel / 2)
        return nn__refuse_number(problem, "padding", padding, "between 0 and half the kernel");
    if (nn__is_symbolic(x)) {
        if (out == 0 && kernel - 2 * padding == stride && nn__extent_multiply(x, stride, y))
            return true;
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("give it a fixed extent, or a stride as long as the kernel "
                                        "without its padding"),
                               NN__TEXT("an extent of %s depends on the %s"), inference->roles[0],
                               nn__free_words(x));
    }
    const int64_t usual = ((int64_t)x - 1) * stride - (int64_t)2 * padding + kernel,
                  wanted = out ? out : usual;
    *y = (int32_t)wanted;
    if (wanted >= 1 && wanted <= INT32_MAX / 2 && wanted > usual - stride &&
        wanted < usual + stride)
        return true;
    return nn__problem_set(
        problem, NN_ERROR_ARGUMENT, NN__TEXT("give the extent that the pool has read"),
        NN__TEXT("an extent of %lld becomes %lld; it must be at least 1 and less "
                 "than a stride of %d away from %lld"),
        (long long)x, (long long)wanted, stride, (long long)usual);
}

static bool nn__op_unpool_infer(nn__inference *inference) {
    const nn_max_unpool2d_desc *desc = (const nn_max_unpool2d_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    const bool line = inference->operation[sizeof "max_unpool" - 1] == '1';
    nn_shape *y = &inference->outputs[0].shape;
    char text[NN__SHAPE_TEXT];
    nn__op_unpool_axes axes;
    int32_t plane = 1;
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, i ? NN_I32 : NN_F32))
            return false;
    if (x.rank != (line ? 3 : 4))
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s is %s; %s wants %s"), inference->roles[0],
                               nn__format_shape(x, text, sizeof text), inference->operation,
                               line ? "(N, C, L)" : "(N, C, H, W)");
    if (!nn__want_role_shape(problem, inference->roles[1], x, inference->inputs[1].shape))
        return false;
    if (!nn__op_unpool_numbers(desc, problem, &axes)) return false;
    inference->outputs[0].dtype = NN_F32;
    *y = x;
    for (int i = 2; i < x.rank; i++) {
        const int which = line ? 1 : i - 2;
        if (!nn__op_unpool_extent(inference, &axes, which, which ? desc->out_w : desc->out_h,
                                  x.extent[i], &y->extent[i]))
            return false;
    }
    if (nn__fold_extents(*y, 2, y->rank, &plane)) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("make it smaller"),
                           NN__TEXT("the planes of the result %s have more places than 31 bits "
                                    "count"),
                           nn__format_shape(*y, text, sizeof text));
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Returns (N, C, H, W) as (N, C, H * W). */
static nn_view nn__op_unpool_planes(nn_view view) {
    if (view.shape.rank == 4) {
        view.shape.rank = 3;
        view.shape.extent[2] *= view.shape.extent[3];
    }
    return view;
}

/* inputs: x, index */
static void nn__op_unpool_lower(const nn_node *node, const nn__lowering *lowering,
                                nn__args *args) {
    nn_scatter_elements_args *to = &args->scatter_elements;
    (void)node;
    memset(to, 0, sizeof *to);
    to->y = nn__op_unpool_planes(lowering->output);
    to->x = nn__op_unpool_planes(lowering->inputs[0]);
    to->index = nn__op_unpool_planes(lowering->inputs[1]);
    to->axis = 2;
    to->combine = NN_COMBINE_REPLACE;
    to->status = lowering->status;
    to->step = (uint32_t)lowering->values->step;
}

#ifndef NN_NO_TRAINING
/* inputs: dy, index */
static void nn__op_unpool_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                         nn__args *args) {
    nn_gather_elements_args *to = &args->gather_elements;
    (void)node;
    memset(to, 0, sizeof *to);
    to->y = nn__op_unpool_planes(lowering->output);
    to->x = nn__op_unpool_planes(lowering->inputs[0]);
    to->index = nn__op_unpool_planes(lowering->inputs[1]);
    to->axis = 2;
}

static const nn__rule nn__rule_unpool_backward = {"max_unpool_backward",
                                                  NN_KERNEL_GATHER_ELEMENTS,
                                                  0,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_unpool_backward_lower,
                                                  nn__gradient_again,
                                                  NULL,
                                                  NULL,
                                                  NULL};

NN_PRIVATE nn_node *nn__tape_unpool(nn__tape *tape, nn_node *dy, nn_node *index,
                                    const nn_node *like) {
    nn_node *inputs[2];
    inputs[0] = dy;
    inputs[1] = index;
    nn__install_elements(tape->nn);
    return nn__tape_node(tape, &nn__rule_unpool_backward, like, ".grad", inputs, 2, NN_F32,
                         index->shape, NULL, 0);
}

static void nn__op_unpool_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0];
    if (nn__wants(x)) nn__give_gradient(tape, x, nn__tape_unpool(tape, dy, node->inputs[1], x));
}
#endif

#define NN__UNPOOL_RULE(name)                                                                      \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             NN_KERNEL_SCATTER_ELEMENTS,                           \
                                             NN__DYNAMIC | NN__STATUS,                             \
                                             NN_ACTIVATION_NONE,                                   \
                                             nn__op_unpool_lower,                                  \
                                             NN__GRADIENT(nn__op_unpool_gradient),                 \
                                             NULL,                                                 \
                                             nn__op_unpool_infer,                                  \
                                             NULL}
NN__UNPOOL_RULE(max_unpool1d);
NN__UNPOOL_RULE(max_unpool2d);
#undef NN__UNPOOL_RULE

/* For volumes as flat rows: ops/pool3d.c has checked everything else. */
static bool nn__op_unpool_flat_infer(nn__inference *inference) {
    inference->outputs[0] = inference->inputs[0];
    inference->outputs[0].shape.extent[2] =
        ((const nn_max_unpool2d_desc *)inference->params)->out_w;
    return true;
}
static const nn__rule nn__rule_max_unpool_flat = {"max_unpool3d",
                                                  NN_KERNEL_SCATTER_ELEMENTS,
                                                  NN__DYNAMIC | NN__STATUS,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_unpool_lower,
                                                  NN__GRADIENT(nn__op_unpool_gradient),
                                                  NULL,
                                                  nn__op_unpool_flat_infer,
                                                  NULL};

/* ---- builders -------------------------------------------------------------------------------- */

static nn_node *nn__op_unpool_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                    nn_node *index, const nn_max_unpool2d_desc *desc) {
    static const char *const roles[] = {"input", "index"};
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = index;
    return nn__build(site, net, rule, nn__install_elements, NULL, inputs, roles, 2, desc,
                     sizeof *desc);
}

NN_PRIVATE nn_node *nn__op_unpool_flat(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                       int32_t places) {
    nn_max_unpool2d_desc given;
    memset(&given, 0, sizeof given);
    given.out_w = places;
    return nn__op_unpool_build(site, net, &nn__rule_max_unpool_flat, x, index, &given);
}

NN_API nn_node *nn_max_unpool2d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool2d_desc *desc) {
    nn_max_unpool2d_desc given;
    memset(&given, 0, sizeof given); /* without a desc, the check reports a missing kernel */
    if (desc) given = *desc;
    return nn__op_unpool_build(site, net, &nn__rule_max_unpool2d, x, index, &given);
}

NN_API nn_node *nn_max_unpool1d_at(nn_site site, nn_model *net, nn_node *x, nn_node *index,
                                   const nn_max_unpool1d_desc *desc) {
    nn_max_unpool2d_desc given;
    memset(&given, 0, sizeof given);
    if (desc) {
        given.kernel = desc->kernel;
        given.stride = desc->stride;
        given.padding = desc->padding;
        given.out_w = desc->out;
    }
    return nn__op_unpool_build(site, net, &nn__rule_max_unpool1d, x, index, &given);
}
