/* ops/norm_forward.c - the immediate calls of norms, forward and backward. */
#include "ops/norm_private.h"

typedef struct nn__op_norm_call {
    nn_tensor *y, *mean, *rstd, *variance;
    const nn_tensor *x, *weight, *bias, *running_mean, *running_var;
} nn__op_norm_call;

/* The checks of immediate calls, which get parameters as tensors. */
static const nn__rule nn__rule_layer_norm_call = {
    "layer_norm", NN_KERNEL_NONE,    NN__COMPOSED, NN_ACTIVATION_NONE, NULL, NULL,
    NULL,         nn__op_norm_infer, NULL};
static const nn__rule nn__rule_rms_norm_call = {
    "rms_norm", NN_KERNEL_NONE,    NN__COMPOSED, NN_ACTIVATION_NONE, NULL, NULL,
    NULL,       nn__op_norm_infer, NULL};
static const nn__rule nn__rule_group_norm_call = {
    "group_norm", NN_KERNEL_NONE,    NN__COMPOSED, NN_ACTIVATION_NONE, NULL, NULL,
    NULL,         nn__op_norm_infer, NULL};
static const nn__rule nn__rule_batch_norm_call = {
    "batch_norm", NN_KERNEL_NONE,    NN__COMPOSED, NN_ACTIVATION_NONE, NULL, NULL,
    NULL,         nn__op_norm_infer, NULL};

/* Ignores the desc's fields for parameters: the call checks the tensors. */
static nn__op_norm_params nn__op_norm_with(nn__op_norm_params params) {
    params.affine = true;
    params.bias = !params.rms;
    return params;
}

static nn_result nn__op_norm_want_sets(nn_site site, const char *who, nn_context *nn,
                                       const nn__op_norm_params *params, const nn_tensor *x,
                                       const char *role, const nn_tensor *tensor) {
    return nn__want_shape(nn, site, who, role, nn__op_norm_sets(params, x->view.shape), tensor);
}

static nn_result nn__op_norm_forward(nn_site site, const char *who, const nn__rule *rule,
                                     const nn__op_norm_params *params,
                                     const nn__op_norm_call *call) {
    const int out = NN__WRITTEN | NN__OPTIONAL, in = NN__OPTIONAL;
    const nn__given given[] = {{"y", call->y, NN__WRITTEN, NN_F32},
                               {"mean", call->mean, out, NN_F32},
                               {"rstd", call->rstd, out, NN_F32},
                               {"variance", call->variance, out, NN_F32},
                               {"x", call->x, 0, NN_F32},
                               {"weight", call->weight, in, NN_F32},
                               {"bias", call->bias, in, NN_F32},
                               {"running_mean", call->running_mean, in, NN_F32},
                               {"running_var", call->running_var, in, NN_F32}};
    const nn__given forward[] = {{"y", call->y, 0, NN_F32},
                                 {"x", call->x, 0, NN_F32},
                                 {"weight", call->weight, 0, NN_F32},
                                 {"bias", call->bias, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_norm_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, rule, forward, 1, NN__COUNT(forward), params);
    for (int i = 1; result == NN_OK && i < NN__COUNT(given); i++)
        if (i < 4 || i > 6)
            result = nn__op_norm_want_sets(site, who, nn, params, call->x, given[i].role,
                                           given[i].tensor);
    if (result == NN_OK && !call->running_mean != !call->running_var)
        result =
            nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                        "%s: one of running_mean and running_var is NULL; give both or none", who);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.y = nn__view_of(call->y);
    args.x = nn__view_of(call->x);
    args.weight = nn__view_of(call->weight);
    args.bias = nn__view_of(call->bias);
    args.mean = nn__view_of(call->mean);
    args.rstd = nn__view_of(call->rstd);
    args.variance = nn__view_of(call->variance);
    args.running_mean = nn__view_of(call->running_mean);
    args.running_var = nn__view_of(call->running_var);
    args.cut = nn__op_norm_cut(params, args.x.shape, false);
    args.epsilon = params->epsilon;
    args.rms = params->rms;
    nn__install_norm(nn);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_NORM_FORWARD, &args, &args.scratch);
}

NN_API nn_result nn_layer_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *mean,
                                          nn_tensor *rstd, const nn_tensor *x,
                                          const nn_tensor *weight, const nn_tensor *bias,
                                          const nn_layer_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_norm_with(nn__op_layer_norm_params(desc));
    const nn__op_norm_call call = {y, mean, rstd, NULL, x, weight, bias, NULL, NULL};
    return nn__op_norm_forward(site, "nn_layer_norm_forward", &nn__rule_layer_norm_call, &params,
                               &call);
}

NN_API nn_result nn_rms_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *rstd,
                                        const nn_tensor *x, const nn_tensor *weight,
                                        const nn_rms_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_norm_with(nn__op_rms_norm_params(desc));
    const nn__op_norm_call call = {y, NULL, rstd, NULL, x, weight, NULL, NULL, NULL};
    return nn__op_norm_forward(site, "nn_rms_norm_forward", &nn__rule_rms_norm_call, &params,
                               &call);
}

NN_API nn_result nn_group_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *mean,
                                          nn_tensor *rstd, const nn_tensor *x,
                                          const nn_tensor *weight, const nn_tensor *bias,
                                          const nn_group_norm_desc *desc) {
    const nn__op_norm_params params = nn__op_norm_with(nn__op_group_norm_params(desc));
    const nn__op_norm_call call = {y, mean, rstd, NULL, x, weight, bias, NULL, NULL};
    return nn__op_norm_forward(site, "nn_group_norm_forward", &nn__rule_group_norm_call, &params,
                               &call);
}

static nn__op_norm_params nn__op_batch_norm_call(float epsilon) {
    nn__op_norm_params params = nn__op_norm_start(NN__OP_BATCH_NORM, epsilon);
    params.least = 2;
    params.most = 5;
    return params;
}

NN_API nn_result nn_batch_norm_forward_at(nn_site site, nn_tensor *y, nn_tensor *mean,
                                          nn_tensor *rstd, nn_tensor *variance, const nn_tensor *x,
                                          const nn_tensor *weight, const nn_tensor *bias,
                                          const nn_tensor *running_mean,
                                          const nn_tensor *running_var, float epsilon) {
    const nn__op_norm_params params = nn__op_batch_norm_call(epsilon);
    const nn__op_norm_call call = {y,      mean, rstd,         variance,   x,
                                   weight, bias, running_mean, running_var};
    return nn__op_norm_forward(site, "nn_batch_norm_forward", &nn__rule_batch_norm_call, &params,
                               &call);
}

#ifndef NN_NO_TRAINING
typedef struct nn__op_norm_back_call {
    nn_tensor *dx, *dweight, *dbias;
    const nn_tensor *dy, *x, *weight, *mean, *rstd;
} nn__op_norm_back_call;

static nn_result nn__op_norm_backward(nn_site site, const char *who, const nn__rule *rule,
                                      const nn__op_norm_params *params,
                                      const nn__op_norm_back_call *call, bool fixed,
                                      bool accumulate) {
    const int out = NN__WRITTEN | NN__OPTIONAL, in = NN__OPTIONAL;
    const nn__given given[] = {{"dx", call->dx, out, NN_F32},
                               {"dweight", call->dweight, out, NN_F32},
                               {"dbias", call->dbias, out, NN_F32},
                               {"dy", call->dy, 0, NN_F32},
                               {"x", call->x, 0, NN_F32},
                               {"weight", call->weight, in, NN_F32},
                               {"mean", call->mean, params->rms ? in : 0, NN_F32},
                               {"rstd", call->rstd, 0, NN_F32}};
    const nn__given forward[] = {{"dy", call->dy, 0, NN_F32},
                                 {"x", call->x, 0, NN_F32},
                                 {"weight", call->weight, 0, NN_F32},
                                 {"bias", NULL, 0, NN_F32}};
    const nn__given gradients[] = {{"dx", call->dx, 0, NN_F32},
                                   {"x", call->x, 0, NN_F32},
                                   {"dweight", call->dweight, 0, NN_F32},
                                   {"dbias", call->dbias, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_norm_backward_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, rule, forward, 1, NN__COUNT(forward), params);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, rule, gradients, 1, NN__COUNT(gradients), params);
    if (result == NN_OK)
        result = nn__op_norm_want_sets(site, who, nn, params, call->x, "mean", call->mean);
    if (result == NN_OK)
        result = nn__op_norm_want_sets(site, who, nn, params, call->x, "rstd", call->rstd);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.dx = nn__view_of(call->dx);
    args.dweight = nn__view_of(call->dweight);
    args.dbias = nn__view_of(call->dbias);
    args.dy = nn__view_of(call->dy);
    args.x = nn__view_of(call->x);
    args.weight = nn__view_of(call->weight);
    args.mean = nn__view_of(call->mean);
    args.rstd = nn__view_of(call->rstd);
    args.cut = nn__op_norm_cut(params, args.x.shape, false);
    args.fixed = fixed;
    args.accumulate = accumulate;
    nn__install_norm(nn);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_NORM_BACKWARD, &args, &args.scratch);
}

NN_API nn_result nn_layer_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                           nn_tensor *dbias, const nn_tensor *dy,
                                           const nn_tensor *x, const nn_tensor *weight,
                                           const nn_tensor *mean, const nn_tensor *rstd,
                                           const nn_layer_norm_desc *desc, bool accumulate) {
    const nn__op_norm_params params = nn__op_norm_with(nn__op_layer_norm_params(desc));
    const nn__op_norm_back_call call = {dx, dweight, dbias, dy, x, weight, mean, rstd};
    return nn__op_norm_backward(site, "nn_layer_norm_backward", &nn__rule_layer_norm_call, &params,
                                &call, false, accumulate);
}

NN_API nn_result nn_rms_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                         const nn_tensor *dy, const nn_tensor *x,
                                         const nn_tensor *weight, const nn_tensor *rstd,
                                         const nn_rms_norm_desc *desc, bool accumulate) {
    const nn__op_norm_params params = nn__op_norm_with(nn__op_rms_norm_params(desc));
    const nn__op_norm_back_call call = {dx, dweight, NULL, dy, x, weight, NULL, rstd};
    return nn__op_norm_backward(site, "nn_rms_norm_backward", &nn__rule_rms_norm_call, &params,
                                &call, false, accumulate);
}

NN_API nn_result nn_group_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                           nn_tensor *dbias, const nn_tensor *dy,
                                           const nn_tensor *x, const nn_tensor *weight,
                                           const nn_tensor *mean, const nn_tensor *rstd,
                                           const nn_group_norm_desc *desc, bool accumulate) {
    const nn__op_norm_params params = nn__op_norm_with(nn__op_group_norm_params(desc));
    const nn__op_norm_back_call call = {dx, dweight, dbias, dy, x, weight, mean, rstd};
    return nn__op_norm_backward(site, "nn_group_norm_backward", &nn__rule_group_norm_call, &params,
                                &call, false, accumulate);
}

NN_API nn_result nn_batch_norm_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                           nn_tensor *dbias, const nn_tensor *dy,
                                           const nn_tensor *x, const nn_tensor *weight,
                                           const nn_tensor *mean, const nn_tensor *rstd,
                                           bool frozen, bool accumulate) {
    const nn__op_norm_params params = nn__op_batch_norm_call(0.0f);
    const nn__op_norm_back_call call = {dx, dweight, dbias, dy, x, weight, mean, rstd};
    return nn__op_norm_backward(site, "nn_batch_norm_backward", &nn__rule_batch_norm_call, &params,
                                &call, frozen, accumulate);
}
#endif
