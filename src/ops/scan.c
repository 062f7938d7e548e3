/* ops/scan.c - running sums along an axis. The gradient is the running sum of dy from the end. */
#include "ops/private.h"
#include "ops/scan.h"

typedef struct nn__op_scan_params {
    int32_t axis;
    bool reverse;
} nn__op_scan_params;

static bool nn__op_scan_check(nn_shape x, nn_dtype dtype, int axis, nn__op_scan_params *params,
                              nn__problem *problem) {
    char text[NN__SHAPE_TEXT];
    if (!nn__want_dtype(problem, "cumsum", "input", dtype, NN_F32)) return false;
    params->axis = axis < 0 ? axis + x.rank : axis;
    if (params->axis >= 0 && params->axis < x.rank) return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("axes count from 0, negative ones from the end"),
                           NN__TEXT("axis is %d, but the input %s has %d axes"), axis,
                           nn__format_shape(x, text, sizeof text), (int)x.rank);
}

static void nn__op_scan_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    const nn__op_scan_params *params = (const nn__op_scan_params *)node->params;
    memset(&args->scan, 0, sizeof args->scan);
    args->scan.y = lowering->output;
    args->scan.x = lowering->inputs[0];
    args->scan.axis = params->axis;
    args->scan.reverse = params->reverse;
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
                                         NULL,
                                         NULL};

NN_API nn_node *nn_cumsum_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    static const char *const roles[] = {"input"};
    nn__op_scan_params params;
    nn__problem problem;
    if (!nn__check_inputs(net, site, "cumsum", NULL, &x, roles, 1)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    memset(&params, 0, sizeof params);
    if (!nn__op_scan_check(x->shape, x->dtype, axis, &params, &problem))
        return nn__poison_problem(net, site, "cumsum", NULL, &x, roles, 1, &problem);
    nn__install_scan(net->nn);
    return nn__add_node(&net->graph, site, &nn__rule_cumsum, "cumsum", NULL, &x, roles, 1, NN_F32,
                        x->shape, &params, sizeof params);
}

NN_API nn_result nn_cumsum_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x, int axis,
                                      bool reverse) {
    const char *who = "nn_cumsum_forward";
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"x", x, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_scan_args args;
    nn__op_scan_params params;
    nn__problem problem;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    memset(&problem, 0, sizeof problem);
    if (!nn__op_scan_check(x->view.shape, NN_F32, axis, &params, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    result = nn__want_shape(nn, site, who, "y", x->view.shape, y);
    if (result != NN_OK) return result;
    nn__install_scan(nn);
    memset(&args, 0, sizeof args);
    args.y = y->view;
    args.x = x->view;
    args.axis = params.axis;
    args.reverse = reverse;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_SCAN, &args, NULL);
}
