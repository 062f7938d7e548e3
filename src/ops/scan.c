/* ops/scan.c - running products, log-sum-exps and extremes along an axis. The gradient of an
   extreme goes to its place. */
#include "ops/scan.h"
#include "ops/index_private.h"
#include "ops/more_private.h"
#include "ops/scan_private.h"

#ifndef NN_NO_TRAINING
/* inputs: dy, x, y */
static void nn__op_scan_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    const nn__op_scan_params *params = (const nn__op_scan_params *)node->params;
    memset(&args->scan_backward, 0, sizeof args->scan_backward);
    args->scan_backward.dx = lowering->output;
    args->scan_backward.dy = lowering->inputs[0];
    args->scan_backward.x = lowering->inputs[1];
    args->scan_backward.y = lowering->inputs[2];
    args->scan_backward.axis = params->axis + (params->axis < 0 ? lowering->output.shape.rank : 0);
    args->scan_backward.kind = params->kind;
}

static const nn__rule nn__rule_scan_backward = {
    "scan_backward", NN_KERNEL_SCAN_BACKWARD, NN__IN_PLACE, NN_ACTIVATION_NONE,
    nn__op_scan_backward_lower, nn__gradient_again, NULL,   NULL, NULL};

static void nn__op_running_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *inputs[3];
    if (!nn__wants(x)) return;
    inputs[0] = dy;
    inputs[1] = x;
    inputs[2] = node;
    nn__give_gradient(tape, x,
                      nn__tape_node(tape, &nn__rule_scan_backward, x, ".grad", inputs, 3, NN_F32,
                                    x->shape, node->params, sizeof(nn__op_scan_params)));
}

static void nn__op_extremes_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    if (dy)
        nn__op_elements_spread(tape, node->inputs[0], dy, nn__output(node, 1),
                               ((const nn__op_scan_params *)node->params)->axis);
}
#endif

#define NN__SCAN_RULE(name, way)                                                                   \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             NN_KERNEL_SCAN,                                       \
                                             NN__IN_PLACE,                                         \
                                             NN_ACTIVATION_NONE,                                   \
                                             nn__op_scan_lower,                                    \
                                             NN__GRADIENT(nn__op_##way##_gradient),                \
                                             NULL,                                                 \
                                             nn__op_scan_infer,                                    \
                                             NULL}
NN__SCAN_RULE(cumprod, running);
NN__SCAN_RULE(logcumsumexp, running);
NN__SCAN_RULE(cummax, extremes);
NN__SCAN_RULE(cummin, extremes);
#undef NN__SCAN_RULE

NN_API nn_node *nn_cumprod_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_scan_build(site, net, &nn__rule_cumprod, x, axis, NN_SCAN_PRODUCT);
}
NN_API nn_node *nn_logcumsumexp_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_scan_build(site, net, &nn__rule_logcumsumexp, x, axis, NN_SCAN_LOGSUMEXP);
}
NN_API nn_node *nn_cummax_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_scan_build(site, net, &nn__rule_cummax, x, axis, NN_SCAN_MAX);
}
NN_API nn_node *nn_cummin_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_scan_build(site, net, &nn__rule_cummin, x, axis, NN_SCAN_MIN);
}

/* Is the immediate call of all kinds. index: the places of extremes, or NULL. */
static nn_result nn__op_scan_forward(nn_site site, const char *who, const nn__rule *rule,
                                     nn_tensor *y, nn_tensor *index, const nn_tensor *x, int axis,
                                     nn_scan kind) {
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"index", index, NN__WRITTEN | NN__OPTIONAL, NN_I32},
                               {"x", x, 0, NN_F32}};
    const nn__op_scan_params params = nn__op_scan_params_of(axis, false, kind);
    return nn__immediate(site, who, rule, nn__install_scan, given, 2, NN__COUNT(given), &params);
}
NN_API nn_result nn_cumprod_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis) {
    return nn__op_scan_forward(site, "nn_cumprod_forward", &nn__rule_cumprod, y, NULL, x, axis,
                               NN_SCAN_PRODUCT);
}
NN_API nn_result nn_logcumsumexp_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                            int axis) {
    return nn__op_scan_forward(site, "nn_logcumsumexp_forward", &nn__rule_logcumsumexp, y, NULL, x,
                               axis, NN_SCAN_LOGSUMEXP);
}
NN_API nn_result nn_cummax_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                      const nn_tensor *x, int axis) {
    return nn__op_scan_forward(site, "nn_cummax_forward", &nn__rule_cummax, y, index, x, axis,
                               NN_SCAN_MAX);
}
NN_API nn_result nn_cummin_forward_at(nn_site site, nn_tensor *y, nn_tensor *index,
                                      const nn_tensor *x, int axis) {
    return nn__op_scan_forward(site, "nn_cummin_forward", &nn__rule_cummin, y, index, x, axis,
                               NN_SCAN_MIN);
}

#ifndef NN_NO_TRAINING
static nn_result nn__op_scan_backward(nn_site site, const char *who, const nn__rule *rule,
                                      nn_tensor *dx, const nn_tensor *dy, const nn_tensor *x,
                                      const nn_tensor *y, int axis, nn_scan kind) {
    const nn__given given[] = {{"dx", dx, NN__WRITTEN, NN_F32},
                               {"dy", dy, 0, NN_F32},
                               {"x", x, 0, NN_F32},
                               {"y", y, 0, NN_F32}};
    const nn__op_scan_params params = nn__op_scan_params_of(axis, false, kind);
    nn_scan_backward_args args;
    nn__given shapes[2];
    nn_context *nn;
    nn_device device;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    for (int i = 0; i < 4 && result == NN_OK; i += 1 + (i == 1)) { /* dx, dy, y: shaped like x */
        shapes[0] = given[i];
        shapes[1] = given[2];
        result = nn__check_shapes(site, who, nn, rule, shapes, 1, 2, &params);
    }
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.dx = nn__view_of(dx);
    args.dy = nn__view_of(dy);
    args.x = nn__view_of(x);
    args.y = nn__view_of(y);
    args.axis = axis < 0 ? axis + args.x.shape.rank : axis;
    args.kind = kind;
    nn__install_scan(nn);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_SCAN_BACKWARD, &args, NULL);
}
NN_API nn_result nn_cumprod_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                        const nn_tensor *x, const nn_tensor *y, int axis) {
    return nn__op_scan_backward(site, "nn_cumprod_backward", &nn__rule_cumprod, dx, dy, x, y, axis,
                                NN_SCAN_PRODUCT);
}
NN_API nn_result nn_logcumsumexp_backward_at(nn_site site, nn_tensor *dx, const nn_tensor *dy,
                                             const nn_tensor *x, const nn_tensor *y, int axis) {
    return nn__op_scan_backward(site, "nn_logcumsumexp_backward", &nn__rule_logcumsumexp, dx, dy,
                                x, y, axis, NN_SCAN_LOGSUMEXP);
}
#endif
