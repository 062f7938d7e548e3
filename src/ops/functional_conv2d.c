/* ops/functional_conv2d.c - a convolution whose weight and bias are nodes that the caller gives. */
#include "ops/conv_private.h"

NN_PRIVATE bool nn__op_conv2d_call_infer(nn__inference *inference) {
    const nn_shape weight = inference->inputs[1].shape;
    const void *params = inference->params;
    nn_conv2d_desc desc = *(const nn_conv2d_desc *)params;
    if (!nn__op_conv_want_weight(inference, 4, "(K, C / groups, R, S)")) return false;
    if (desc.out_channels == 0) desc.out_channels = weight.extent[0];
    if (desc.kernel == 0 && desc.kernel_h == 0) desc.kernel_h = weight.extent[2];
    if (desc.kernel == 0 && desc.kernel_w == 0) desc.kernel_w = weight.extent[3];
    inference->params = &desc;
    const bool fine = nn__op_conv2d_infer(inference);
    inference->params = params;
    inference->parameter_count = inference->input_count - 1;
    return fine;
}

static bool nn__op_functional_conv2d_infer(nn__inference *inference) {
    const nn_conv2d_desc *desc = (const nn_conv2d_desc *)inference->params;
    return nn__op_conv_one_bias(inference, desc->no_bias) && nn__op_conv2d_call_infer(inference) &&
           nn__op_conv_holds(inference);
}
static const nn__rule nn__rule_functional_conv2d = {"conv2d",
                                                    NN_KERNEL_CONV2D_FORWARD,
                                                    NN__EPILOGUE,
                                                    NN_ACTIVATION_NONE,
                                                    nn__op_conv2d_lower,
                                                    NN__GRADIENT(nn__op_conv2d_gradient),
                                                    NN__FLOPS(nn__op_conv2d_flops),
                                                    nn__op_functional_conv2d_infer,
                                                    NULL};

NN_API nn_node *nn_functional_conv2d_at(nn_site site, nn_model *net, nn_node *x, nn_node *weight,
                                        nn_node *bias, const nn_conv2d_desc *desc) {
    static const char *const roles[] = {"input", "weight", "bias"};
    const int count = bias ? 3 : 2;
    nn_node *inputs[3];
    nn_conv2d_desc given;
    memset(&given, 0, sizeof given);
    if (desc) given = *desc;
    inputs[0] = x;
    inputs[1] = weight;
    inputs[2] = bias;
#ifndef NN_NO_RARE_OPTIONS
    if (given.padding_mode != NN_PADDING_ZEROS && weight && weight->shape.rank == 4) {
        /* checked before the padding uses them, so that one mistake is one fault */
        if (!nn__check_inputs(net, site, nn__rule_functional_conv2d.name, NULL, inputs, roles,
                              count))
            return nn__poison(net);
        if (given.out_channels == 0) given.out_channels = weight->shape.extent[0];
        if (given.kernel == 0 && given.kernel_h == 0) given.kernel_h = weight->shape.extent[2];
        if (given.kernel == 0 && given.kernel_w == 0) given.kernel_w = weight->shape.extent[3];
        inputs[0] = nn_rare_conv2d()->pad(site, net, NULL, x, &given);
    }
#endif
    return nn__build(site, net, &nn__rule_functional_conv2d, nn_rare_conv2d()->install, NULL,
                     inputs, roles, count, &given, sizeof given);
}
