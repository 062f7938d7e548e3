/* ops/reduce_backward.c - the immediate gradients of reductions, made of immediate calls: sums
   along the axes and expressions over the elements. The same formulas as the gradients of the nodes
   in ops/reduce.c. */
#include "ops/expression.h"
#include "ops/private.h"

#ifndef NN_NO_TRAINING

typedef struct nn__reduce_call {
    nn_site site;
    nn_tensor *dx; /* also what lies between two steps */
    const nn_tensor *dy, *x, *y;
    nn_tensor *a, *b; /* temporary, of dy's shape; NULL: not wanted */
    nn_reduction reduction;
    nn_axes axes;
    double count; /* numbers of each result, less the correction */
} nn__reduce_call;

static nn_result nn__reduce_scale(const nn__reduce_call *c, double factor) {
    return nn_unary_forward_at(c->site, c->dx, NN_SCALE, c->dx, (float)factor);
}

/* Each x gets its dy. */
static nn_result nn__reduce_spread(const nn__reduce_call *c) {
    nn_result result = nn_fill_zero(c->dx);
    return result == NN_OK ? nn_binary_forward_at(c->site, c->dx, NN_ADD, c->dx, c->dy) : result;
}

/* The extremes share dy evenly, as in torch.amax. */
static nn_result nn__reduce_share(const nn__reduce_call *c) {
    nn_result result = nn_binary_forward_at(c->site, c->dx, NN_EQUAL, c->x, c->y);
    if (result == NN_OK) result = nn_reduce_forward_at(c->site, c->a, NN_SUM, c->dx, c->axes);
    if (result == NN_OK) result = nn_binary_forward_at(c->site, c->a, NN_DIVIDE, c->dy, c->a);
    if (result == NN_OK) result = nn_binary_forward_at(c->site, c->dx, NN_MULTIPLY, c->dx, c->a);
    return result;
}

/* dy times the product of the others. a: how many are 0; b: the product of all that are not. */
static nn_result nn__reduce_others(const nn__reduce_call *c) {
    nn_tensor *const end = NULL;
    nn_result result = nn_expression_forward_at(c->site, "y, t, x", c->dx, "x: x == 0", c->x, end);
    if (result == NN_OK) result = nn_reduce_forward_at(c->site, c->a, NN_SUM, c->dx, c->axes);
    if (result == NN_OK)
        result =
            nn_expression_forward_at(c->site, "y, t, x", c->dx, "x: x + (x == 0)", c->x, end);
    if (result == NN_OK) result = nn_reduce_forward_at(c->site, c->b, NN_PROD, c->dx, c->axes);
    if (result != NN_OK) return result;
    return nn_expression_forward_at(
        c->site, "y, t, x, zeros, p, dy", c->dx,
        "x, zeros, p, dy: p / (x + (x == 0)) * ((x == 0) == zeros) * dy", c->x, c->a, c->b, c->dy,
        end);
}

/* NN_VAR and NN_STD. a: the mean. */
static nn_result nn__reduce_deviation(const nn__reduce_call *c) {
    const double over = 1.0 / (c->count > 0.0 ? c->count : 0.0);
    nn_tensor *const end = NULL;
    nn_result result = nn_reduce_forward_at(c->site, c->a, NN_MEAN, c->x, c->axes);
    if (result != NN_OK) return result;
    if (c->reduction == NN_VAR)
        result = nn_expression_forward_at(c->site, "y, t, x, m, dy", c->dx,
                                          "x, m, dy: (x - m) * dy", c->x, c->a, c->dy, end);
    else
        result = nn_expression_forward_at(c->site, "y, t, x, m, y, dy", c->dx,
                                          "x, m, y, dy: (x - m) / (y + (y == 0)) * dy", c->x, c->a,
                                          c->y, c->dy, end);
    return result == NN_OK ? nn__reduce_scale(c, c->reduction == NN_VAR ? 2.0 * over : over)
                           : result;
}

static nn_result nn__reduce_gradient_of(const nn__reduce_call *c) {
    nn_tensor *const end = NULL;
    nn_result result;
    switch (c->reduction) {
    case NN_SUM: return nn__reduce_spread(c);
    case NN_MAX:
    case NN_MIN: return nn__reduce_share(c);
    case NN_PROD: return nn__reduce_others(c);
    case NN_VAR:
    case NN_STD: return nn__reduce_deviation(c);
    case NN_SUM_OF_SQUARES:
        result = nn_binary_forward_at(c->site, c->dx, NN_MULTIPLY, c->x, c->dy);
        return result == NN_OK ? nn__reduce_scale(c, 2.0) : result;
    case NN_NORM:
        return nn_expression_forward_at(c->site, "y, t, x, y, dy", c->dx,
                                        "x, y, dy: x / (y + (y == 0)) * dy", c->x, c->y, c->dy,
                                        end);
    case NN_LOGSUMEXP:
        return nn_expression_forward_at(c->site, "y, t, x, y, dy", c->dx,
                                        "x, y, dy: exp(x - y) * dy", c->x, c->y, c->dy, end);
    default: /* mean */
        result = nn__reduce_spread(c);
        return result == NN_OK ? nn__reduce_scale(c, 1.0 / c->count) : result;
    }
}

/* A tensor like another one, for the length of the call. */
static nn_tensor *nn__reduce_temporary(nn_site site, const nn_tensor *like, nn_result *result) {
    nn_tensor_desc desc;
    if (*result != NN_OK) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.name = "temporary";
    desc.shape = like->view.shape;
    desc.device = like->device;
    nn_tensor *tensor = nn_make_tensor_at(site, like->nn, &desc);
    if (!tensor) *result = like->nn->last_code;
    return tensor;
}

/* With what the gradient needs between its steps. */
static nn_result nn__reduce_gradient_run(nn__reduce_call *c, bool accumulate) {
    nn_tensor *sum = c->dx, *own = NULL;
    nn_result result = NN_OK;
    const bool extreme = c->reduction == NN_MAX || c->reduction == NN_MIN;
    const bool product = c->reduction == NN_PROD;
    if (accumulate) own = c->dx = nn__reduce_temporary(c->site, c->x, &result);
    if (extreme || product || c->reduction == NN_VAR || c->reduction == NN_STD)
        c->a = nn__reduce_temporary(c->site, c->dy, &result);
    if (product) c->b = nn__reduce_temporary(c->site, c->dy, &result);
    if (result == NN_OK) result = nn__reduce_gradient_of(c);
    if (result == NN_OK && own) result = nn_binary_forward_at(c->site, sum, NN_ADD, sum, own);
    nn_free_tensor(c->a);
    nn_free_tensor(c->b);
    nn_free_tensor(own);
    return result;
}

/* Does the gradient read the result? */
static bool nn__reduce_reads_result(nn_reduction reduction) {
    return reduction == NN_MAX || reduction == NN_MIN || reduction == NN_NORM ||
           reduction == NN_LOGSUMEXP || reduction == NN_STD;
}

static nn_result nn__reduce_backward(nn_site site, const char *who, nn_tensor *dx,
                                     nn_reduction reduction, const nn_tensor *dy,
                                     const nn_tensor *x, const nn_tensor *y, nn_axes axes,
                                     int correction, bool accumulate) {
    const int wanted = nn__reduce_reads_result(reduction) ? 0 : (int)NN__OPTIONAL;
    const nn__given given[] = {{"dx", dx, NN__WRITTEN, NN_F32},
                               {"dy", dy, false, NN_F32},
                               {"x", x, false, NN_F32},
                               {"y", y, wanted, NN_F32}};
    nn__reduce_call call;
    nn__problem problem;
    nn_context *nn;
    nn_device device;
    uint32_t bits;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    if (reduction == NN_REDUCTION_DEFAULT) reduction = NN_MEAN;
    if ((int)reduction < NN_MEAN || reduction > NN_STD ||
        (reduction >= NN_ANY && reduction <= NN_ARGMIN))
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: reduction %d has no gradient; those of any, all, argmax and argmin "
                           "are 0 everywhere",
                           who, (int)reduction);
    if (correction < 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "%s: correction is %d; it must be at least 0", who, correction);
    memset(&problem, 0, sizeof problem);
    if (!nn__op_axes(x->view.shape, &axes, &bits, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    const nn_shape kept = nn__keep_axes(x->view.shape, bits);
    result = nn__want_shape(nn, site, who, "dx", x->view.shape, dx);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dy", kept, dy);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "y", kept, y);
    if (result != NN_OK) return result;
    memset(&call, 0, sizeof call);
    call.site = site;
    call.dx = dx;
    call.dy = dy;
    call.x = x;
    call.y = y;
    call.reduction = reduction;
    call.axes = axes;
    call.count = (double)nn__count(&x->view) / (double)nn__count(&dy->view);
    if (reduction == NN_VAR || reduction == NN_STD) call.count -= (double)correction;
    return nn__reduce_gradient_run(&call, accumulate);
}

NN_API nn_result nn_reduce_backward_at(nn_site site, nn_tensor *dx, nn_reduction reduction,
                                       const nn_tensor *dy, const nn_tensor *x, const nn_tensor *y,
                                       nn_axes axes, bool accumulate) {
    return nn__reduce_backward(site, "nn_reduce_backward", dx, reduction, dy, x, y, axes, 1,
                               accumulate);
}

NN_API nn_result nn_variance_backward_at(nn_site site, nn_tensor *dx, nn_reduction reduction,
                                         const nn_tensor *dy, const nn_tensor *x,
                                         const nn_tensor *y, nn_axes axes, int correction,
                                         bool accumulate) {
    return nn__reduce_backward(site, "nn_variance_backward", dx, reduction, dy, x, y, axes,
                               correction, accumulate);
}

#endif /* NN_NO_TRAINING */

typedef int nn__reduce_backward_part; /* a part must not be empty under NN_NO_TRAINING */
