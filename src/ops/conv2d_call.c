/* ops/conv2d_call.c - the immediate calls of two-dimensional convolution. ops/conv_call.c has
   what they share with the other convolutions. */
#include "ops/conv_private.h"

static const nn__rule nn__rule_conv2d_call = {
    "conv2d", NN_KERNEL_CONV2D_FORWARD, 0,   NN_ACTIVATION_NONE, nn__op_conv2d_lower, NULL,
    NULL,     nn__op_conv2d_call_infer, NULL};

static void nn__op_conv2d_call(nn__op_conv_call *call, const nn_conv2d_desc *desc) {
    memset(call, 0, sizeof *call);
    if (desc) call->desc = *desc;
    call->rule = &nn__rule_conv2d_call;
    call->install = nn__install_conv2d;
    call->params = &call->desc;
}

NN_API nn_result nn_conv2d_forward_at(nn_site site, nn_tensor *y, const nn_tensor *x,
                                      const nn_tensor *weight, const nn_tensor *bias,
                                      const nn_conv2d_desc *desc) {
    nn__op_conv_call call;
    nn__op_conv2d_call(&call, desc);
    return nn__op_conv_forward(site, "nn_conv2d_forward", &call, y, x, weight, bias);
}

NN_API uint64_t nn_conv2d_scratch_bytes(const nn_tensor *y, const nn_tensor *x,
                                        const nn_tensor *weight, const nn_conv2d_desc *desc) {
    nn__op_conv_call call;
    nn__op_conv2d_call(&call, desc);
    return nn__op_conv_scratch(&call, y, x, weight);
}

#ifndef NN_NO_TRAINING
NN_API nn_result nn_conv2d_backward_at(nn_site site, nn_tensor *dx, nn_tensor *dweight,
                                       nn_tensor *dbias, const nn_tensor *dy, const nn_tensor *x,
                                       const nn_tensor *weight, const nn_conv2d_desc *desc,
                                       bool accumulate) {
    nn__op_conv_call call;
    const nn__op_conv_gradients to = {dx, dweight, dbias, accumulate};
    nn__op_conv2d_call(&call, desc);
    return nn__op_conv_backward(site, "nn_conv2d_backward", &call, &to, dy, x, weight);
}
#endif
