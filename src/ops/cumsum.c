/* ops/cumsum.c - running sums along an axis, and what all scans share. The gradient of a running
   sum is the running sum of dy from the end. */
#include "ops/cumsum.h"
#include "ops/scan_private.h"

NN_PRIVATE bool nn__op_scan_infer(nn__inference *inference) {
    const nn__op_scan_params *params = (const nn__op_scan_params *)inference->params;
    const nn__type *x = inference->inputs;
    int32_t axis;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[1].dtype = NN_I32; /* for extremes */
    inference->outputs[0].shape = inference->outputs[1].shape = x->shape;
    return nn__want_dtype(inference->problem, inference->operation, inference->roles[0], x->dtype,
                          NN_F32) &&
           nn__want_axis(inference->problem, "axis", x->shape, params->axis, &axis);
}

NN_PRIVATE void nn__op_scan_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *args) {
    const nn__op_scan_params *params = (const nn__op_scan_params *)node->params;
    memset(&args->scan, 0, sizeof args->scan);
    args->scan.y = lowering->output;
    args->scan.x = lowering->inputs[0];
    args->scan.axis = params->axis + (params->axis < 0 ? lowering->output.shape.rank : 0);
    args->scan.reverse = params->reverse;
    args->scan.kind = params->kind;
    if (params->kind >= NN_SCAN_MAX) args->scan.index = lowering->more[0];
}

#ifndef NN_NO_TRAINING
static void nn__op_scan_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn__op_scan_params params = *(const nn__op_scan_params *)node->params;
    nn_node *x = node->inputs[0];
    params.reverse = !params.reverse;
    if (nn__wants(x))
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, node->rule, x, ".grad", &dy, 1, NN_F32, x->shape,
                                        &params, sizeof params));
}
#endif

static const nn__rule nn__rule_cumsum = {"cumsum",
                                         NN_KERNEL_SCAN,
                                         NN__IN_PLACE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_scan_lower,
                                         NN__GRADIENT(nn__op_scan_gradient),
                                         NULL,
                                         nn__op_scan_infer,
                                         NULL};

NN_PRIVATE nn__op_scan_params nn__op_scan_params_of(int axis, bool reverse, nn_scan kind) {
    nn__op_scan_params params;
    memset(&params, 0, sizeof params);
    params.axis = axis;
    params.reverse = reverse;
    params.kind = kind;
    return params;
}

NN_PRIVATE nn_node *nn__op_scan_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                      int axis, nn_scan kind) {
    const nn__op_scan_params params = nn__op_scan_params_of(axis, false, kind);
    nn_node *node =
        nn__build_unary(site, net, rule, nn__install_scan, x, &params, sizeof params);
    if (kind >= NN_SCAN_MAX && node && !node->poisoned &&
        nn__add_output(node, "index", NN_I32, node->shape)->poisoned)
        return nn__poison(net);
    return node;
}

NN_API nn_node *nn_cumsum_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    return nn__op_scan_build(site, net, &nn__rule_cumsum, x, axis, NN_SCAN_SUM);
}

NN_API nn_result nn_cumsum_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                      bool reverse) {
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"x", x, 0, NN_F32}};
    const nn__op_scan_params params = nn__op_scan_params_of(axis, reverse, NN_SCAN_SUM);
    return nn__immediate(site, "nn_cumsum_forward", &nn__rule_cumsum, nn__install_scan, given, 1,
                         NN__COUNT(given), &params);
}
