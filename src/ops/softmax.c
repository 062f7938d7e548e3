/* ops/softmax.c - softmax and log_softmax: a kernel for the last axis, with transposes around it
   for other axes. As a loss, use nn_cross_entropy (ops/cross_entropy.c): it never computes the
   probabilities, so nothing overflows or rounds to 0. */
#include "ops/softmax.h"
#include "ops/arrange.h"
#include "ops/program.h"
#include "ops/table.h"

typedef struct nn__op_softmax_params {
    bool logarithm;
} nn__op_softmax_params;

static bool nn__op_softmax_infer(nn__inference *inference) {
    const nn__type *x = inference->inputs;
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0], x->dtype,
                        NN_F32))
        return false;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = x->shape;
    if (x->shape.rank > 0) return true;
    return nn__problem_set(
        inference->problem, NN_ERROR_SHAPE, NN__TEXT("give it at least one extent"),
        NN__TEXT("the input is one number; %s works over the last axis"), inference->operation);
}

static void nn__op_softmax_args(nn_softmax_args *args, nn_view y, nn_view x, nn_view dy,
                                bool logarithm) {
    memset(args, 0, sizeof *args);
    args->y = y;
    args->x = x;
    args->dy = dy;
    args->logarithm = logarithm;
}

static void nn__op_softmax_lower(const nn_node *node, const nn__lowering *lowering,
                                 nn__args *args) {
    nn_view absent;
    memset(&absent, 0, sizeof absent);
    nn__op_softmax_args(&args->softmax_forward, lowering->output, lowering->inputs[0], absent,
                        ((const nn__op_softmax_params *)node->params)->logarithm);
}

static NN__UNUSED double nn__op_softmax_flops(const nn_node *node, const nn__lowering *lowering) {
    (void)node;
    return 4.0 * (double)nn__count(&lowering->output); /* maximum, exp, sum, division */
}

#ifndef NN_NO_TRAINING
/* inputs: dy, y */
static void nn__op_softmax_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                          nn__args *args) {
    nn__op_softmax_args(&args->softmax_backward, lowering->inputs[1], lowering->output,
                        lowering->inputs[0],
                        ((const nn__op_softmax_params *)node->params)->logarithm);
}

static const nn__rule nn__rule_softmax_backward = {"softmax_backward",
                                                   NN_KERNEL_SOFTMAX_BACKWARD,
                                                   0,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_softmax_backward_lower,
                                                   nn__gradient_again,
                                                   NN__FLOPS(nn__op_softmax_flops),
                                                   NULL,
                                                   NULL};

static void nn__op_softmax_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *inputs[2];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = node;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_softmax_backward, x, ".grad", inputs, 2, NN_F32,
                                    x->shape, node->params, sizeof(nn__op_softmax_params)));
}

/* Composes dx and differentiates that: dx = y (dy - sum(y dy)), and dx = dy - exp(y) sum(dy) for a
   logarithm. */
NN_PRIVATE void nn__op_softmax_again(nn__tape *tape, nn_node *node, nn_node *g) {
    nn_node *dy = node->inputs[0], *y = node->inputs[1], *before = tape->graph->last, *dx;
    const bool logarithm = ((const nn__op_softmax_params *)node->params)->logarithm;
    const uint32_t axis = 1u << (y->shape.rank - 1);
    nn_node *part = logarithm ? dy : nn__tape_binary(tape, nn__table_multiply(), y, dy, y);
    nn_node *sum = nn__tape_reduce(tape, NN_SUM, part, axis, nn__keep_axes(y->shape, axis), y);
    if (logarithm) {
        nn_node *p = nn__tape_unary(tape, nn__table_exp(), y, 0.0f, y);
        dx = nn__tape_binary(tape, nn__table_subtract(), dy,
                             nn__tape_binary(tape, nn__table_multiply(), p, sum, y), y);
    } else {
        dx = nn__tape_binary(tape, nn__table_multiply(), y,
                             nn__tape_binary(tape, nn__table_subtract(), dy, sum, y), y);
    }
    nn__backward_through(tape, before, &dx, &g, 1);
}
#endif

static const nn__rule nn__rule_softmax = {"softmax",
                                          NN_KERNEL_SOFTMAX_FORWARD,
                                          0,
                                          NN_ACTIVATION_NONE,
                                          nn__op_softmax_lower,
                                          NN__GRADIENT(nn__op_softmax_gradient),
                                          NN__FLOPS(nn__op_softmax_flops),
                                          nn__op_softmax_infer,
                                          NULL};
static const nn__rule nn__rule_log_softmax = {"log_softmax",
                                              NN_KERNEL_SOFTMAX_FORWARD,
                                              0,
                                              NN_ACTIVATION_NONE,
                                              nn__op_softmax_lower,
                                              NN__GRADIENT(nn__op_softmax_gradient),
                                              NN__FLOPS(nn__op_softmax_flops),
                                              nn__op_softmax_infer,
                                              NULL};

static const nn__rule *nn__op_softmax_rule(bool logarithm) {
    return logarithm ? &nn__rule_log_softmax : &nn__rule_softmax;
}

/* ---- builders -------------------------------------------------------------------------------- */

static nn_node *nn__op_softmax_build(nn_site site, nn_model *net, nn_node *x, bool logarithm) {
    nn__op_softmax_params params;
    params.logarithm = logarithm;
    return nn__build_unary(site, net, nn__op_softmax_rule(logarithm), nn__install_softmax, x,
                           &params, sizeof params);
}

NN_API nn_node *nn_softmax_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__op_softmax_build(site, net, x, false);
}

NN_API nn_node *nn_log_softmax_at(nn_site site, nn_model *net, nn_node *x) {
    return nn__op_softmax_build(site, net, x, true);
}

NN_API nn_node *nn_softmin_at(nn_site site, nn_model *net, nn_node *x) {
    return nn_softmin_over_at(site, net, x, -1);
}

/* params: the axis, an int */
static bool nn__op_softmax_over_infer(nn__inference *inference) {
    int32_t axis;
    return nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                          inference->inputs[0].dtype, NN_F32) &&
           nn__want_axis(inference->problem, "axis", inference->inputs[0].shape,
                         *(const int *)inference->params, &axis);
}
static const nn__rule nn__rule_softmax_over =
    NN__COMPOSED_RULE("softmax", nn__op_softmax_over_infer);
static const nn__rule nn__rule_log_softmax_over =
    NN__COMPOSED_RULE("log_softmax", nn__op_softmax_over_infer);
static const nn__rule nn__rule_softmin = NN__COMPOSED_RULE("softmin", nn__op_softmax_over_infer);

static nn_node *nn__op_softmax_over(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                    int axis) {
    const bool logarithm = rule == &nn__rule_log_softmax_over;
    x = nn__build_unary(site, net, rule, NULL, x, &axis, 0);
    if (!x || x->poisoned) return x;
    if (rule == &nn__rule_softmin) x = nn_negate_at(site, net, x);
    if (axis == -1 || axis == x->shape.rank - 1)
        return nn__op_softmax_build(site, net, x, logarithm);
    x = nn__op_softmax_build(site, net, nn_transpose_at(site, net, x, axis, -1), logarithm);
    return nn_transpose_at(site, net, x, axis, -1);
}

NN_API nn_node *nn_softmax_over_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_softmax_over(site, net, &nn__rule_softmax_over, x, axis);
}
NN_API nn_node *nn_log_softmax_over_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_softmax_over(site, net, &nn__rule_log_softmax_over, x, axis);
}
NN_API nn_node *nn_softmin_over_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_softmax_over(site, net, &nn__rule_softmin, x, axis);
}

/* ---- immediate ------------------------------------------------------------------------------- */

NN_API nn_result nn_softmax_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                       bool logarithm) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32}, {"x", x, false, NN_F32}};
    nn__op_softmax_params params;
    params.logarithm = logarithm;
    return nn__immediate(site, "nn_softmax_forward", nn__op_softmax_rule(logarithm),
                         nn__install_softmax, given, 1, NN__COUNT(given), &params);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_softmax_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                        const nn_tensor *y, bool logarithm) {
    const char *who = "nn_softmax_backward";
    const nn__given given[] = {
        {"dx", dx, NN__WRITTEN, NN_F32}, {"dy", dy, false, NN_F32}, {"y", y, false, NN_F32}};
    const nn__given forward[] = {{"dy", dy, 0, NN_F32}, {"y", y, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_softmax_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, nn__op_softmax_rule(logarithm), forward, 1,
                                  NN__COUNT(forward), NULL);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dx", y->view.shape, dx);
    if (result != NN_OK) return result;
    nn__install_softmax(nn);
    nn__op_softmax_args(&args, y->view, dx->view, dy->view, logarithm);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_SOFTMAX_BACKWARD, &args, NULL);
}
#endif
