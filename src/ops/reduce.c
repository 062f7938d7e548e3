/* ops/reduce.c - reductions over axes, and the summing of gradients over stretched axes.

   The divisor of a mean may depend on the batch, so it is computed when a run is lowered, not when
   it is planned. */
#include "ops/private.h"

typedef struct nn__op_reduce_params {
    uint32_t axes;
    nn_reduction reduction;
} nn__op_reduce_params;

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_reduce_check(nn_shape x, nn_dtype dtype, const nn_axes *axes, nn__op_reduce_params *params,
                                nn__problem *problem) {
    if (params->reduction == NN_REDUCTION_DEFAULT) params->reduction = NN_MEAN;
    if (params->reduction != NN_MEAN && params->reduction != NN_SUM && params->reduction != NN_MAX)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("use NN_MEAN, NN_SUM or NN_MAX"),
                               NN__TEXT("reduction is %d"), (int)params->reduction);
    if (!nn__op_axes(x, axes, &params->axes, problem)) return false;
    return nn__want_dtype(problem, "reduce", "input", dtype, NN_F32);
}

static nn_shape nn__op_drop_axes(nn_shape x, uint32_t axes) {
    nn_shape y;
    memset(&y, 0, sizeof y);
    for (int i = 0; i < x.rank; i++)
        if (!(axes >> i & 1u)) y.extent[y.rank++] = x.extent[i];
    return y;
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_reduce_args(nn_reduce_args *args, nn_view y, nn_view x, uint32_t axes,
                               nn_reduction reduction) {
    memset(args, 0, sizeof *args);
    if (x.shape.rank == 0) { /* one number: a row of one */
        x.shape.rank = 1;
        x.shape.extent[0] = 1;
        axes = 1;
    }
    args->x = x;
    args->y = y;
    args->y.shape = nn__keep_axes(x.shape, axes);
    args->axes = axes;
    args->reduction = reduction;
    args->scale = 1.0f;
}

static void nn__op_reduce_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn__op_reduce_args(&args->reduce, lowering->output, lowering->inputs[0], params->axes, params->reduction);
    args->reduce.scratch = lowering->scratch;
}

static NN__UNUSED double nn__op_reduce_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return (double)nn__count(&lowering->inputs[0]);
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
/* x / (number of elements in the axes): after the expansion of a mean's gradient. */
static void nn__op_mean_scale_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    double count = 1.0;
    for (int i = 0; i < lowering->output.shape.rank; i++)
        if (params->axes >> i & 1u) count *= (double)lowering->output.shape.extent[i];
    memset(&args->pointwise_forward, 0, sizeof args->pointwise_forward);
    args->pointwise_forward.y = lowering->output;
    args->pointwise_forward.a = lowering->inputs[0];
    args->pointwise_forward.op = NN_SCALE;
    args->pointwise_forward.scalar = (float)(1.0 / count);
}

static const nn__rule nn__rule_mean_scale = {"mean_scale",
                                             NN_KERNEL_POINTWISE_FORWARD,
                                             NN__IN_PLACE,
                                             NN_ACTIVATION_NONE,
                                             nn__op_mean_scale_lower,
                                             NULL,
                                             NULL, NULL, NULL};

/* The maxima share it evenly, as in torch.amax. */
static nn_node *nn__op_max_gradient(nn__tape *tape, nn_node *node, nn_node *dy, uint32_t axes) {
    nn_node *x = node->inputs[0];
    nn_node *y = nn__tape_reshape(tape, node, nn__keep_axes(x->shape, axes), node);
    nn_node *is_max = nn__tape_binary(tape, NN_EQUAL, x, y, x);
    nn_node *count = nn__tape_reduce(tape, NN_SUM, is_max, axes, y->shape, node);
    return nn__tape_binary(tape, NN_MULTIPLY, is_max, nn__tape_binary(tape, NN_DIVIDE, dy, count, node), x);
}

static void nn__op_reduce_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn_node *x = node->inputs[0], *dx;
    if (!nn__wants(x)) return;
    dy = nn__tape_reshape(tape, dy, nn__keep_axes(x->shape, params->axes), node);
    if (params->reduction == NN_MAX) {
        nn__give_gradient(tape, x, nn__op_max_gradient(tape, node, dy, params->axes));
        return;
    }
    dx = nn__tape_expand(tape, dy, x->shape, x);
    if (params->reduction == NN_MEAN && !dx->poisoned)
        dx = nn__tape_node(tape, &nn__rule_mean_scale, x, ".grad", &dx, 1, NN_F32, x->shape, params,
                           sizeof *params);
    nn__give_gradient(tape, x, dx);
}
#endif

static const nn__rule nn__rule_reduce = {
    "reduce",           NN_KERNEL_REDUCE,    0,
    NN_ACTIVATION_NONE, nn__op_reduce_lower, NN__GRADIENT(nn__op_reduce_gradient),
    NN__FLOPS(nn__op_reduce_flops), NULL, NULL};

/* ---- nodes ----------------------------------------------------------------------------------- */

NN_PRIVATE nn_node *nn__add_reduce(nn__graph *graph, nn_site site, const char *operation,
                                   const char *const *roles, nn_reduction reduction, nn_node *x,
                                   uint32_t axes, nn_shape shape) {
    nn__op_reduce_params params;
    if (x->poisoned) return x;
    params.axes = axes;
    params.reduction = reduction;
    nn__install_reduce(graph->nn);
    return nn__add_node(graph, site, &nn__rule_reduce, operation, NULL, &x, roles, 1, NN_F32, shape, &params,
                        sizeof params);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_node *nn__tape_reduce(nn__tape *tape, nn_reduction reduction, nn_node *x, uint32_t axes,
                                    nn_shape shape, const nn_node *like) {
    nn__op_reduce_params params;
    if (x->poisoned) return x;
    params.axes = axes;
    params.reduction = reduction;
    nn__install_reduce(tape->nn);
    return nn__tape_node(tape, &nn__rule_reduce, like, ".grad", &x, 1, NN_F32, shape, &params, sizeof params);
}

NN_PRIVATE nn_node *nn__tape_sum_to(nn__tape *tape, nn_node *dy, const nn_node *x) {
    uint32_t axes = 0;
    int missing = dy->shape.rank - x->shape.rank;
    if (dy->poisoned || nn_same_shape(dy->shape, x->shape)) return dy;
    for (int i = 0; i < dy->shape.rank; i++)
        if (i < missing || (x->shape.extent[i - missing] == 1 && dy->shape.extent[i] != 1)) axes |= 1u << i;
    return nn__tape_reduce(tape, NN_SUM, dy, axes, x->shape, x);
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

static const char *nn__op_reduce_name(nn_reduction reduction) {
    return reduction == NN_SUM ? "sum" : reduction == NN_MAX ? "amax" : "mean";
}

NN_API nn_node *nn_reduce_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x, nn_axes axes,
                             bool keep_axes) {
    static const char *const roles[] = {"input"};
    const char *operation = nn__op_reduce_name(reduction);
    nn__op_reduce_params params;
    nn__problem problem;
    if (!nn__check_inputs(net, site, operation, NULL, &x, roles, 1)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    params.reduction = reduction;
    if (!nn__op_reduce_check(x->shape, x->dtype, &axes, &params, &problem))
        return nn__poison_problem(net, site, operation, NULL, &x, roles, 1, &problem);
    return nn__add_reduce(&net->graph, site, operation, roles, params.reduction, x, params.axes,
                          keep_axes ? nn__keep_axes(x->shape, params.axes)
                                    : nn__op_drop_axes(x->shape, params.axes));
}

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_reduce_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction, const nn_tensor *x,
                                      nn_axes axes) {
    const char *who = "nn_reduce_forward";
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32}, {"x", x, false, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_reduce_args args;
    nn__op_reduce_params params;
    nn__problem problem;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    memset(&problem, 0, sizeof problem);
    params.reduction = reduction;
    if (!nn__op_reduce_check(x->view.shape, NN_F32, &axes, &params, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    result = nn__want_shape(nn, site, who, "y", nn__keep_axes(x->view.shape, params.axes), y);
    if (result != NN_OK) return result;
    nn__install_reduce(nn);
    nn__op_reduce_args(&args, y->view, x->view, params.axes, params.reduction);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_REDUCE, &args, &args.scratch);
}
