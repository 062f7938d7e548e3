/* ops/reduce.c - reductions over axes, and sums of gradients over broadcast axes.

   The divisor of a mean or a variance may depend on the batch. Then only the lowering of a run
   knows it. */
#include "ops/private.h"
#include "ops/program.h"

typedef struct nn__op_reduce_params {
    uint32_t axes;
    nn_reduction reduction;
    int32_t correction;
    bool keep_axes;
} nn__op_reduce_params;

/* ---- check ----------------------------------------------------------------------------------- */

static nn_shape nn__op_drop_axes(nn_shape x, uint32_t axes) {
    nn_shape y;
    memset(&y, 0, sizeof y);
    for (int i = 0; i < x.rank; i++)
        if (!(axes >> i & 1u)) y.extent[y.rank++] = x.extent[i];
    return y;
}

/* True for reductions of the kernel `fold`; means, sums and maxima have their own
   (kernels/reduce). */
static bool nn__op_is_fold(nn_reduction reduction) { return reduction > NN_MAX; }

static nn_dtype nn__op_reduce_dtype(nn_reduction reduction) {
    return reduction == NN_ARGMAX || reduction == NN_ARGMIN ? NN_I32 : NN_F32;
}

static bool nn__op_reduce_check(nn_shape x, const nn_axes *axes, nn__op_reduce_params *params,
                                nn__problem *problem) {
    if (params->reduction == NN_REDUCTION_DEFAULT) params->reduction = NN_MEAN;
    if ((int)params->reduction < NN_MEAN || params->reduction > NN_STD)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("use NN_MEAN, NN_SUM, NN_MAX or another of nn_reduction"),
                               NN__TEXT("reduction is %d"), (int)params->reduction);
    if (params->correction < 0)
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT, NN__TEXT("torch.var has 1, a whole population 0"),
            NN__TEXT("correction is %d; it must be at least 0"), (int)params->correction);
    return nn__op_axes(x, axes, &params->axes, problem);
}

static bool nn__op_reduce_infer(nn__inference *inference) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)inference->params;
    const nn__type *x = inference->inputs;
    if (!nn__want_dtype(inference->problem, "reduce", inference->roles[0], x->dtype, NN_F32))
        return false;
    inference->outputs[0].dtype = nn__op_reduce_dtype(params->reduction);
    inference->outputs[0].shape = params->keep_axes ? nn__keep_axes(x->shape, params->axes)
                                                    : nn__op_drop_axes(x->shape, params->axes);
    return true;
}

/* Checks axes and params and returns the type of the result in *y. */
static bool nn__op_reduce_type(nn__type x, const nn_axes *axes, nn__op_reduce_params *params,
                               nn__type *y, nn__problem *problem) {
    static const char *const roles[] = {"input"};
    nn__inference inference;
    memset(problem, 0, sizeof *problem);
    memset(&inference, 0, sizeof inference);
    inference.params = params;
    inference.inputs = &x;
    inference.roles = roles;
    inference.input_count = 1;
    inference.problem = problem;
    if (!nn__op_reduce_check(x.shape, axes, params, problem) || !nn__op_reduce_infer(&inference))
        return false;
    *y = inference.outputs[0];
    return true;
}

/* ---- lowering -------------------------------------------------------------------------------- */

static void nn__op_reduce_args(nn_reduce_args *args, nn_view y, nn_view x, uint32_t axes,
                               nn_reduction reduction) {
    memset(args, 0, sizeof *args);
    if (x.shape.rank == 0) { /* one number is a row of one */
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
    nn__op_reduce_args(&args->reduce, lowering->output, lowering->inputs[0], params->axes,
                       params->reduction);
    args->reduce.scratch = lowering->scratch;
    args->reduce.correction = params->correction;
}

static NN__UNUSED double nn__op_reduce_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return (double)nn__count(&lowering->inputs[0]);
}

/* ---- gradient -------------------------------------------------------------------------------- */

#ifndef NN_NO_TRAINING
typedef struct nn__op_mean_params {
    nn__op_reduce_params reduce;
    nn_shape x; /* the input of the reduction */
} nn__op_mean_params;

/* Multiplies dy by 1 / (number of elements), the gradient of a mean. For a variance the factor
   is 2 / (number - correction), for a standard deviation half of that; (x - mean) follows. */
static void nn__op_mean_scale_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                          {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                          {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}};
    static const nn_program program = {code, 3, 1, 1, 1, {2}};
    const nn__op_reduce_params *params = &((const nn__op_mean_params *)node->params)->reduce;
    const nn_shape x = ((const nn__op_mean_params *)node->params)->x;
    nn_program_args *to = &args->pointwise;
    double count = 1.0;
    for (int i = 0; i < x.rank; i++)
        if (params->axes >> i & 1u)
            count *= (double)nn__resolve_extent(x.extent[i], lowering->values->batch,
                                                lowering->values->time);
    count -= (double)params->correction;
    if (params->reduction == NN_VAR) count *= 0.5;
    memset(to, 0, sizeof *to);
    to->program = program;
    to->inputs[0] = lowering->inputs[0];
    to->outputs[0] = lowering->output;
    to->scratch = lowering->scratch;
    to->scalars[0] = (float)(1.0 / (count > 0.0 ? count : 0.0));
}

static const nn__rule nn__rule_mean_scale = {"mean_scale",
                                             NN_KERNEL_POINTWISE,
                                             NN__IN_PLACE,
                                             NN_ACTIVATION_NONE,
                                             nn__op_mean_scale_lower,
                                             nn__gradient_again,
                                             NULL, NULL, NULL};

/* Scales dy before it is broadcast to x, when it has fewer elements. */
static nn_node *nn__op_mean_scale(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_mean_params params;
    if (dy->poisoned) return dy;
    params.reduce = *(const nn__op_reduce_params *)node->params;
    params.x = node->inputs[0]->shape;
    nn__install_code_multiply(tape->nn);
    return nn__tape_node(tape, &nn__rule_mean_scale, node, ".grad", &dy, 1, NN_F32, dy->shape,
                         &params, sizeof params);
}

NN_PRIVATE void nn__op_mean_scale_again(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0];
    if (nn__wants(x))
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, &nn__rule_mean_scale, x, ".grad", &dy, 1, NN_F32,
                                        dy->shape, node->params, sizeof(nn__op_mean_params)));
}

/* ---- gradients along the last axes: one kernel ---- */

NN_PRIVATE bool nn__op_slope_args(nn_reduce_backward_args *args, nn_reduction reduction,
                                  nn_shape x, uint32_t axes, int correction) {
    int first = 0;
    memset(args, 0, sizeof *args);
    while (first < x.rank && !(axes >> first & 1u)) first++;
    args->reduction = reduction;
    args->correction = correction;
    return axes && axes >> first == (1u << (x.rank - first)) - 1u && reduction >= NN_MAX;
}

/* inputs: dy and y, with one number for each row, and x */
static void nn__op_slope_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn_reduce_backward_args *to = &args->reduce_backward;
    nn__op_slope_args(to, params->reduction, lowering->inputs[2].shape, params->axes,
                      params->correction);
    to->dx = lowering->output;
    to->dy = lowering->inputs[0];
    to->y = lowering->inputs[1];
    to->x = lowering->inputs[2];
    to->scratch = lowering->scratch;
}

static const nn__rule nn__rule_slope = {
    "reduce_backward",  NN_KERNEL_REDUCE_BACKWARD, 0,    NN_ACTIVATION_NONE,
    nn__op_slope_lower, nn__gradient_again,        NULL, NULL, NULL};

/* Adds the gradient as one kernel. False: the axes are not the last ones. */
static bool nn__op_slope(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn_node *x = node->inputs[0], *inputs[3];
    nn_reduce_backward_args args;
    if (dy->poisoned || tape->singly ||
        !nn__op_slope_args(&args, params->reduction, x->shape, params->axes, params->correction))
        return false;
    inputs[0] = dy;
    inputs[1] = node;
    inputs[2] = x;
    nn__install_reduce_backward(tape->nn);
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_slope, x, ".grad", inputs, 3, NN_F32, x->shape,
                                    params, sizeof *params));
    return true;
}

/* ---- gradients along other axes: composed ---------------------------------------------------- */

/* Equal maxima share the gradient evenly, as in torch.amax. */
static nn_node *nn__op_max_gradient(nn__tape *tape, nn_node *node, nn_node *dy, uint32_t axes) {
    nn_node *x = node->inputs[0];
    nn_node *y = nn__tape_reshape(tape, node, nn__keep_axes(x->shape, axes), node);
    nn_node *is_max = nn__tape_binary(tape, nn__table_equal(), x, y, x);
    nn_node *count = nn__tape_reduce(tape, NN_SUM, is_max, axes, y->shape, node);
    return nn__tape_binary(tape, nn__table_multiply(), is_max,
                           nn__tape_binary(tape, nn__table_divide(), dy, count, node), x);
}

/* Returns 1 where x is 0, else 0 (also for NaN). */
static nn_node *nn__op_is_zero(nn__tape *tape, nn_node *x, const nn_node *like) {
    return nn__tape_binary(tape, nn__table_equal(), x,
                           nn__tape_unary(tape, nn__table_negate(), x, 0.0f, like), like);
}

/* Returns a / b, or a where b is 0. */
static nn_node *nn__op_safe_quotient(nn__tape *tape, nn_node *a, nn_node *b, const nn_node *like) {
    b = nn__tape_binary(tape, nn__table_add(), b, nn__op_is_zero(tape, b, like), like);
    return nn__tape_binary(tape, nn__table_divide(), a, b, like);
}

static nn_node *nn__op_product(nn__tape *tape, nn_node *x, uint32_t axes, nn_shape shape);

/* Returns the product of all other elements of the row. Let p be the product of all elements but
   zeros. Without a zero, the answer is p / x; with one zero, it is p there and 0 elsewhere; with
   several, 0. So it is p / (x, or 1 for a zero) where [x is 0] equals the number of zeros. */
static nn_node *nn__op_prod_gradient(nn__tape *tape, nn_node *x, uint32_t axes) {
    const nn_shape kept = nn__keep_axes(x->shape, axes);
    nn_node *zero = nn__op_is_zero(tape, x, x),
            *safe = nn__tape_binary(tape, nn__table_add(), x, zero, x);
    nn_node *zeros = nn__tape_reduce(tape, NN_SUM, zero, axes, kept, x);
    nn_node *all = nn__op_product(tape, safe, axes, kept);
    nn_node *others = nn__tape_binary(tape, nn__table_divide(), all, safe, x);
    return nn__tape_binary(tape, nn__table_multiply(), others,
                           nn__tape_binary(tape, nn__table_equal(), zeros, zero, x), x);
}

static nn_node *nn__op_deviation(nn__tape *tape, nn_node *node) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn_node *x = node->inputs[0];
    nn_node *mean =
        nn__tape_reduce(tape, NN_MEAN, x, params->axes, nn__keep_axes(x->shape, params->axes), x);
    return nn__tape_binary(tape, nn__table_subtract(), x, mean, x);
}

/* Multiplies dy (with the axes kept) by the derivative of the reduction. */
static void nn__op_fold_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn_node *x = node->inputs[0], *slope;
    if (!nn__wants(x) || nn__op_slope(tape, node, dy)) return;
    const nn_shape kept = nn__keep_axes(x->shape, params->axes);
    nn_node *y = nn__tape_reshape(tape, node, kept, node);
    dy = nn__tape_reshape(tape, dy, kept, node);
    if (params->reduction == NN_VAR || params->reduction == NN_STD)
        dy = nn__op_mean_scale(tape, node, dy);
    switch (params->reduction) {
    case NN_MIN:
        nn__give_gradient(tape, x, nn__op_max_gradient(tape, node, dy, params->axes));
        return;
    case NN_PROD: slope = nn__op_prod_gradient(tape, x, params->axes); break;
    case NN_SUM_OF_SQUARES: slope = nn__tape_unary(tape, nn__table_scale(), x, 2.0f, x); break;
    case NN_NORM: slope = nn__op_safe_quotient(tape, x, y, x); break;
    case NN_LOGSUMEXP:
        slope = nn__tape_unary(tape, nn__table_exp(),
                               nn__tape_binary(tape, nn__table_subtract(), x, y, x), 0.0f, x);
        break;
    case NN_STD: slope = nn__op_safe_quotient(tape, nn__op_deviation(tape, node), y, x); break;
    default: slope = nn__op_deviation(tape, node); break;
    }
    nn__give_gradient(tape, x, nn__tape_binary(tape, nn__table_multiply(), slope, dy, x));
}

static void nn__op_reduce_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    nn_node *x = node->inputs[0];
    if (!nn__wants(x) || (params->reduction == NN_MAX && nn__op_slope(tape, node, dy))) return;
    dy = nn__tape_reshape(tape, dy, nn__keep_axes(x->shape, params->axes), node);
    if (params->reduction == NN_MAX) {
        nn__give_gradient(tape, x, nn__op_max_gradient(tape, node, dy, params->axes));
        return;
    }
    if (params->reduction == NN_MEAN) dy = nn__op_mean_scale(tape, node, dy);
    nn__give_gradient(tape, x, nn__tape_expand(tape, dy, x->shape, x));
}
#endif

static const nn__rule nn__rule_reduce = {
    "reduce",           NN_KERNEL_REDUCE,    0,
    NN_ACTIVATION_NONE, nn__op_reduce_lower, NN__GRADIENT(nn__op_reduce_gradient),
    NN__FLOPS(nn__op_reduce_flops), nn__op_reduce_infer, NULL};
static const nn__rule nn__rule_fold = {
    "fold",             NN_KERNEL_FOLD,      0,
    NN_ACTIVATION_NONE, nn__op_reduce_lower, NN__GRADIENT(nn__op_fold_gradient),
    NN__FLOPS(nn__op_reduce_flops), nn__op_reduce_infer, NULL};
/* any, all, argmax, argmin */
static const nn__rule nn__rule_fold_flat = {
    "fold",             NN_KERNEL_FOLD,      0,
    NN_ACTIVATION_NONE, nn__op_reduce_lower, NULL,
    NN__FLOPS(nn__op_reduce_flops), nn__op_reduce_infer, NULL};

static const nn__rule *nn__op_reduce_rule(nn_reduction reduction) {
    if (!nn__op_is_fold(reduction)) return &nn__rule_reduce;
    return reduction >= NN_ANY && reduction <= NN_ARGMIN ? &nn__rule_fold_flat : &nn__rule_fold;
}

static void nn__op_reduce_install(nn_context *nn, nn_reduction reduction) {
    if (nn__op_is_fold(reduction))
        nn__install_fold(nn);
    else
        nn__install_reduce(nn);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

NN_PRIVATE nn_node *nn__add_reduce(nn__graph *graph, nn_site site, const char *operation,
                                   const char *const *roles, nn_reduction reduction, nn_node *x,
                                   uint32_t axes, nn_shape shape) {
    nn__op_reduce_params params;
    if (x->poisoned) return x;
    memset(&params, 0, sizeof params);
    params.axes = axes;
    params.reduction = reduction;
    nn__install_reduce(graph->nn);
    return nn__add_node(graph, site, &nn__rule_reduce, operation, NULL, &x, roles, 1, NN_F32, shape,
                        &params, sizeof params);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__is_reduction(const nn_node *node, nn_reduction *reduction) {
    if (node->kind != NN__OPERATION || node->rule->lower != nn__op_reduce_lower) return false;
    *reduction = ((const nn__op_reduce_params *)node->params)->reduction;
    return true;
}

static nn_node *nn__op_tape_rule(nn__tape *tape, const nn__rule *rule, nn_reduction reduction,
                                 nn_node *x, uint32_t axes, nn_shape shape, const nn_node *like) {
    nn__op_reduce_params params;
    if (x->poisoned) return x;
    memset(&params, 0, sizeof params);
    params.axes = axes;
    params.reduction = reduction;
    return nn__tape_node(tape, rule, like, ".grad", &x, 1, NN_F32, shape, &params, sizeof params);
}

static nn_node *nn__op_product(nn__tape *tape, nn_node *x, uint32_t axes, nn_shape shape) {
    nn__install_fold(tape->nn);
    return nn__op_tape_rule(tape, &nn__rule_fold, NN_PROD, x, axes, shape, x);
}

/* Without gradients of gradients, these sums need no rule that has a gradient. */
#ifdef NN_NO_TRAINING_OPTIONS
static const nn__rule nn__rule_tape_sum = {
    "reduce",           NN_KERNEL_REDUCE, 0,   NN_ACTIVATION_NONE,
    nn__op_reduce_lower, NULL,            NULL, NULL, NULL};
#else
#define nn__rule_tape_sum nn__rule_reduce
#endif
NN_PRIVATE nn_node *nn__tape_reduce(nn__tape *tape, nn_reduction reduction, nn_node *x,
                                    uint32_t axes, nn_shape shape, const nn_node *like) {
    nn__install_reduce(tape->nn);
    return nn__op_tape_rule(tape, &nn__rule_tape_sum, reduction, x, axes, shape, like);
}

NN_PRIVATE nn_node *nn__tape_make_sum(nn__tape *tape, nn_node *dy, const nn_node *x) {
    uint32_t axes = 0;
    int missing = dy->shape.rank - x->shape.rank;
    if (dy->poisoned || nn_same_shape(dy->shape, x->shape)) return dy;
    for (int i = 0; i < dy->shape.rank; i++)
        if (i < missing || (x->shape.extent[i - missing] == 1 && dy->shape.extent[i] != 1))
            axes |= 1u << i;
    return nn__tape_reduce(tape, NN_SUM, dy, axes, x->shape, x);
}
#endif

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_TRAINING)
NN_PRIVATE bool nn__op_is_sum_of_rows(const nn_node *node) {
    const nn__op_reduce_params *params = (const nn__op_reduce_params *)node->params;
    if (node->kind != NN__OPERATION || node->rule->kernel != NN_KERNEL_REDUCE) return false;
    const nn_shape x = node->inputs[0]->shape;
    return params->reduction == NN_SUM && node->shape.rank == 1 &&
           params->axes == (1u << (x.rank - 1)) - 1u;
}
#endif

/* ---- builders -------------------------------------------------------------------------------- */

static const char *nn__op_reduce_name(nn_reduction reduction) {
    return nn__nth_text("mean\0mean\0sum\0amax\0amin\0prod\0any\0all\0argmax\0argmin\0"
                        "sum_of_squares\0norm\0logsumexp\0var\0std\0mean",
                        (int)reduction >= 0 && reduction <= NN_STD ? (int)reduction : 0);
}

static nn_node *nn__op_reduce_build(nn_site site, nn_model *net, nn__op_reduce_params params,
                                    nn_node *x, const nn_axes *axes) {
    static const char *const roles[] = {"input"};
    const char *operation = nn__op_reduce_name(params.reduction);
    nn__problem problem;
    nn__type given, y;
    if (!nn__check_inputs(net, site, operation, NULL, &x, roles, 1)) return nn__poison(net);
    given.dtype = x->dtype;
    given.shape = x->shape;
    if (!nn__op_reduce_type(given, axes, &params, &y, &problem))
        return nn__poison_problem(net, site, operation, NULL, &x, roles, 1, &problem);
    nn__op_reduce_install(net->nn, params.reduction);
    return nn__add_node(&net->graph, site, nn__op_reduce_rule(params.reduction), operation, NULL,
                        &x, roles, 1, y.dtype, y.shape, &params, sizeof params);
}

static nn__op_reduce_params nn__op_reduce_params_of(nn_reduction reduction, bool keep_axes,
                                                    int correction) {
    nn__op_reduce_params params;
    memset(&params, 0, sizeof params);
    params.reduction = reduction;
    params.keep_axes = keep_axes;
    params.correction = reduction == NN_VAR || reduction == NN_STD ? correction : 0;
    return params;
}

NN_API nn_node *nn_reduce_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x,
                             nn_axes axes, bool keep_axes) {
    return nn__op_reduce_build(site, net, nn__op_reduce_params_of(reduction, keep_axes, 1), x,
                               &axes);
}

NN_API nn_node *nn_variance_at(nn_site site, nn_model *net, nn_reduction reduction, nn_node *x,
                               nn_axes axes, bool keep_axes, int correction) {
    return nn__op_reduce_build(site, net, nn__op_reduce_params_of(reduction, keep_axes, correction),
                               x, &axes);
}

/* ---- immediate ------------------------------------------------------------------------------- */

static nn_result nn__op_reduce_forward(nn_site site, const char *who, nn__op_reduce_params params,
                                       nn_tensor *y, const nn_tensor *x, const nn_axes *axes) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, nn__op_reduce_dtype(params.reduction)},
                               {"x", x, false, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_reduce_args args;
    nn__problem problem;
    nn__type from, to;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    from.dtype = NN_F32;
    from.shape = x->view.shape;
    if (!nn__op_reduce_type(from, axes, &params, &to, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    result = nn__want_shape(nn, site, who, "y", to.shape, y);
    if (result != NN_OK) return result;
    nn__op_reduce_install(nn, params.reduction);
    nn__op_reduce_args(&args, y->view, x->view, params.axes, params.reduction);
    args.correction = params.correction;
    return nn__run_immediate(site, who, nn, device, nn__op_reduce_rule(params.reduction)->kernel,
                             &args, &args.scratch);
}

NN_API nn_result nn_reduce_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction,
                                      const nn_tensor *x, nn_axes axes) {
    return nn__op_reduce_forward(site, "nn_reduce_forward",
                                 nn__op_reduce_params_of(reduction, true, 1), y, x, &axes);
}

NN_API nn_result nn_variance_forward_at(nn_site site, nn_tensor *y, nn_reduction reduction,
                                        const nn_tensor *x, nn_axes axes, int correction) {
    return nn__op_reduce_forward(site, "nn_variance_forward",
                                 nn__op_reduce_params_of(reduction, true, correction), y, x, &axes);
}
