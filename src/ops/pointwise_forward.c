/* ops/pointwise_forward.c - the immediate calls of operations element by element. */
#include "ops/private.h"

static nn_result nn__op_unary_ready(nn_context *nn, nn_site site, const char *who,
                                    nn_pointwise_op op, nn_dtype dtype) {
    nn__problem problem;
    memset(&problem, 0, sizeof problem);
    if (!nn__op_unary_check(op, dtype, 0.0f, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    if (nn__is_half(dtype))
        return nn__fail_at(nn, site, NN_ERROR_DTYPE, "%s: x is %s; wanted f32: nn_cast_forward",
                           who, nn_dtype_name(dtype));
    if (op == NN_DROPOUT)
        return nn__fail_at(
            nn, site, NN_ERROR_ARGUMENT,
            "%s: dropout has no immediate call: its mask belongs to a trainer's step", who);
    nn__install_pointwise(nn);
    return NN_OK;
}

NN_API nn_result nn_unary_forward_at(nn_site site, nn_tensor *y, nn_pointwise_op op,
                                     const nn_tensor *x, float scalar) {
    const char *who = "nn_unary_forward";
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_DTYPE_DEFAULT},
                               {"x", x, false, NN_DTYPE_DEFAULT}};
    nn_context *nn;
    nn_device device;
    nn_pointwise_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK) result = nn__op_unary_ready(nn, site, who, op, x->view.dtype);
    if (result == NN_OK && y->view.dtype != x->view.dtype)
        result = nn__fail_at(nn, site, NN_ERROR_DTYPE, "%s: y \"%s\" is %s; wanted %s", who,
                             y->name, nn_dtype_name(y->view.dtype), nn_dtype_name(x->view.dtype));
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "y", x->view.shape, y);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.y = y->view;
    args.a = x->view;
    args.op = op;
    args.scalar = scalar;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_POINTWISE_FORWARD, &args, NULL);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_unary_backward_at(nn_site site, nn_tensor *dx, nn_pointwise_op op,
                                      const nn_tensor *dy, const nn_tensor *saved, float scalar,
                                      bool accumulate) {
    const char *who = "nn_unary_backward";
    const nn__given given[] = {
        {"dx", dx, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
        {"dy", dy, false, NN_F32},
        {"saved", saved, false, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_pointwise_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK) result = nn__op_unary_ready(nn, site, who, op, NN_F32);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dy", saved->view.shape, dy);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dx", saved->view.shape, dx);
    if (result != NN_OK) return result;
    memset(&args, 0, sizeof args);
    args.y = dx->view;
    args.a = dy->view;
    args.b = saved->view;
    args.op = op;
    args.scalar = scalar;
    args.accumulate = accumulate;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_POINTWISE_BACKWARD, &args, NULL);
}
#endif

NN_API nn_result nn_binary_forward_at(nn_site site, nn_tensor *y, nn_pointwise_op op,
                                      const nn_tensor *a, const nn_tensor *b) {
    const char *who = "nn_binary_forward";
    const nn__given given[] = {{"y", y, NN__WRITTEN | NN__IN_ITS_PLACE, NN_F32},
                               {"a", a, false, NN_F32},
                               {"b", b, false, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_pointwise_args args;
    nn__problem problem;
    nn_shape wanted;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result != NN_OK) return result;
    memset(&problem, 0, sizeof problem);
    if (!nn__op_binary_check(op, a->view.shape, NN_F32, b->view.shape, NN_F32, &wanted, &problem))
        return nn__fail_problem(nn, site, who, &problem);
    result = nn__want_shape(nn, site, who, "y", wanted, y);
    if (result != NN_OK) return result;
    nn__install_pointwise(nn);
    memset(&args, 0, sizeof args);
    args.y = y->view;
    args.a = a->view;
    args.b = b->view;
    args.op = op;
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_POINTWISE_FORWARD, &args, NULL);
}
