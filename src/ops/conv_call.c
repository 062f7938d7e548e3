/* ops/conv_call.c - what the immediate calls of all convolutions share. Each operation has its
   desc and its rule in a file of its own. */
#include "ops/conv_private.h"

NN_PRIVATE bool nn__op_conv_want_weight(nn__inference *inference, int rank, const char *wanted) {
    const nn_shape weight = inference->inputs[1].shape;
    char have[NN__SHAPE_TEXT];
    bool known = weight.rank == rank;
    for (int i = 0; i < weight.rank && known; i++) known = !nn__is_symbolic(weight.extent[i]);
    if (known) return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, "",
                           NN__TEXT("weight has the shape %s; wanted %s"),
                           nn__format_shape(weight, have, sizeof have), wanted);
}

NN_PRIVATE bool nn__op_conv_one_bias(nn__inference *inference, bool no_bias) {
    if (!no_bias || inference->input_count < 3) return true;
    return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("pass NULL for the bias, or leave no_bias out"),
                           NN__TEXT("no_bias is true, and a bias is given"));
}

NN_PRIVATE bool nn__op_conv_holds(nn__inference *inference) {
    for (int i = 1; i < inference->input_count; i++)
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32) ||
            !nn__want_role_shape(inference->problem, inference->roles[i],
                                 inference->parameters[i - 1], inference->inputs[i].shape))
            return false;
    inference->parameter_count = 0; /* the parameters exist */
    return true;
}

NN_PRIVATE nn_result nn__op_conv_forward(nn_site site, const char *who,
                                         const nn__op_conv_call *call, nn_tensor *y,
                                         const nn_tensor *x, const nn_tensor *weight,
                                         const nn_tensor *bias) {
    const nn__given given[] = {{"y", y, NN__WRITTEN, NN_F32},
                               {"x", x, false, NN_F32},
                               {"weight", weight, false, NN_F32},
                               {"bias", bias, true, NN_F32}};
    return nn__immediate(site, who, call->rule, call->install, given, 1, NN__COUNT(given),
                         call->params);
}

/* Fills in the views. A transposed convolution exchanges x and y. */
static void nn__op_conv_call_args(nn_conv2d_args *args, const nn__op_conv_call *call,
                                  const nn_tensor *y, const nn_tensor *x,
                                  const nn_tensor *weight) {
    nn__op_conv_args(args, call->transposed ? x->view : y->view,
                     call->transposed ? y->view : x->view, weight->view, &call->desc);
}

/* Returns the scratch that a kernel needs, in bytes; 0 if the device cannot run it. */
static uint64_t nn__op_conv_kernel_scratch(const nn__open_device *on, nn_kernel kernel,
                                           const nn_conv2d_args *args) {
    char reason[160];
    if (!nn__has_kernel(on->backend, kernel)) return 0;
    if (!nn__supports(on, kernel, args, reason, sizeof reason)) return 0;
    return on->backend->scratch_bytes(on->state, kernel, args);
}

NN_PRIVATE uint64_t nn__op_conv_scratch(const nn__op_conv_call *call, const nn_tensor *y,
                                        const nn_tensor *x, const nn_tensor *weight) {
    const nn__given given[] = {
        {"y", y, 0, NN_F32}, {"x", x, 0, NN_F32}, {"weight", weight, 0, NN_F32}};
    nn_conv2d_args args;
    nn__problem problem;
    nn__open_device *on;
    uint64_t forward, input, weights;
    if (!y || !x || !weight) return 0;
    if (!nn__shapes_fit(call->rule, given, 1, NN__COUNT(given), call->params, &problem)) return 0;
    on = nn__find_device(x->nn, x->device);
    if (!on) return 0;
    call->install(x->nn);
    nn__op_conv_call_args(&args, call, y, x, weight);
    forward = nn__op_conv_kernel_scratch(on, NN_KERNEL_CONV2D_FORWARD, &args);
    input = nn__op_conv_kernel_scratch(on, NN_KERNEL_CONV2D_BACKWARD_INPUT, &args);
    weights = nn__op_conv_kernel_scratch(on, NN_KERNEL_CONV2D_BACKWARD_WEIGHT, &args);
    if (input < weights) input = weights;
    return forward < input ? input : forward;
}

#ifndef NN_NO_TRAINING
/* dbias is the sum of dy over all axes but the channels. The kernel of dweight computes it too,
   except for a transposed convolution, where its operand dy is x. */
static nn_result nn__op_conv_dbias(nn_site site, const char *who, nn_context *nn, nn_device device,
                                   nn_tensor *dbias, const nn_tensor *dy, bool accumulate) {
    nn_reduce_args args;
    memset(&args, 0, sizeof args);
    args.x = args.y = nn__op_conv_image(dy->view);
    args.y = dbias->view;
    args.y.shape = nn__keep_axes(args.x.shape, 1u | 4u | 8u);
    args.axes = 1u | 4u | 8u;
    args.reduction = NN_SUM;
    args.scale = 1.0f;
    args.accumulate = accumulate;
    nn__install_reduce(nn);
    return nn__run_immediate(site, who, nn, device, NN_KERNEL_REDUCE, &args, &args.scratch);
}

static nn_result nn__op_conv_dweight(nn_site site, const char *who, nn_context *nn,
                                     nn_device device, const nn__op_conv_call *call,
                                     const nn__op_conv_gradients *to, const nn_tensor *dy,
                                     const nn_tensor *x, const nn_tensor *weight) {
    nn_conv2d_args args;
    nn_result result = NN_OK;
    nn__op_conv_call_args(&args, call, dy, x, weight);
    args.weight = nn__op_conv_image(nn__view_of(to->dweight));
    if (!call->transposed) args.epilogue.bias = nn__view_of(to->dbias);
    args.accumulate = to->accumulate;
    if (to->dweight || (to->dbias && !call->transposed))
        result = nn__run_immediate(site, who, nn, device, NN_KERNEL_CONV2D_BACKWARD_WEIGHT, &args,
                                   &args.scratch);
    if (result == NN_OK && to->dbias && call->transposed)
        result = nn__op_conv_dbias(site, who, nn, device, to->dbias, dy, to->accumulate);
    return result;
}

NN_PRIVATE nn_result nn__op_conv_backward(nn_site site, const char *who,
                                          const nn__op_conv_call *call,
                                          const nn__op_conv_gradients *to, const nn_tensor *dy,
                                          const nn_tensor *x, const nn_tensor *weight) {
    const nn__given given[] = {{"dx", to->dx, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dweight", to->dweight, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dbias", to->dbias, NN__WRITTEN | NN__OPTIONAL, NN_F32},
                               {"dy", dy, false, NN_F32},
                               {"x", x, false, NN_F32},
                               {"weight", weight, false, NN_F32}};
    const nn__given forward[] = {{"dy", dy, 0, NN_F32},
                                 {"x", x, 0, NN_F32},
                                 {"weight", weight, 0, NN_F32},
                                 {"dbias", to->dbias, 0, NN_F32}};
    nn_context *nn;
    nn_device device;
    nn_conv2d_args args;
    nn_result result = nn__check_given(site, who, given, NN__COUNT(given), &nn, &device);
    if (result == NN_OK)
        result = nn__check_shapes(site, who, nn, call->rule, forward, 1, NN__COUNT(forward),
                                  call->params);
    if (result == NN_OK) result = nn__want_shape(nn, site, who, "dx", x->view.shape, to->dx);
    if (result == NN_OK)
        result = nn__want_shape(nn, site, who, "dweight", weight->view.shape, to->dweight);
    if (result != NN_OK) return result;
    nn__install_conv2d(nn);
    result = nn__op_conv_dweight(site, who, nn, device, call, to, dy, x, weight);
    if (result != NN_OK || !to->dx) return result;
    nn__op_conv_call_args(&args, call, dy, to->dx, weight);
    args.accumulate = to->accumulate;
    return nn__run_immediate(
        site, who, nn, device,
        call->transposed ? NN_KERNEL_CONV2D_FORWARD : NN_KERNEL_CONV2D_BACKWARD_INPUT, &args,
        &args.scratch);
}
#endif
