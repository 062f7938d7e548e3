/* ops/conv_private.h - what ops/conv2d.c, conv1d.c and conv_transpose.c share. A signal (N, C,
   L) is convolved as an image with a height of 1. */
#pragma once

#include "ops/arrange.h"
#include "ops/conv1d.h"
#include "ops/conv_transpose.h"
#include "ops/private.h"

/* Checks that x is (N, C, H, W) and that its channels fit `groups` and the desc. */
NN_PRIVATE bool nn__op_conv2d_channels(nn_shape x, const char *source, const nn_conv2d_desc *desc,
                                       int groups, nn__problem *problem);
/* True if kernels can count the weights of a filter (K, C / groups, R, S) or (K, C / groups, R). */
#ifndef NN_NO_REPORTS
NN_PRIVATE bool nn__op_conv_want_filter(nn__problem *problem, const nn_shape *weight);
#else
static inline NN__UNUSED bool nn__op_conv_want_filter(nn__problem *problem,
                                                      const nn_shape *weight) {
    (void)problem, (void)weight;
    return true;
}
#endif
/* ops/conv1d.c: the convolution of an image with a height of 1. */
NN_PRIVATE nn_conv2d_desc nn__op_conv1d_as_2d(const nn_conv1d_desc *line);
/* Checks that there is a desc with a kernel. A wrong kernel is reported here, because conv2d would
   call it kernel_w. */
NN_PRIVATE bool nn__op_conv1d_numbers(const nn_conv1d_desc *desc, nn__problem *problem);
/* Calls conv2d's `infer` for the image and converts its answer. */
NN_PRIVATE bool nn__op_conv1d_ask(nn__inference *inference, const nn_conv2d_desc *desc);
/* inputs[0] is an image; params: nn_conv2d_desc. */
NN_PRIVATE bool nn__op_conv2d_infer(nn__inference *inference);
/* The same for a transposed convolution; params: nn_conv_transpose2d_desc. */
NN_PRIVATE bool nn__op_conv_transpose2d_infer(nn__inference *inference);
/* Fills in the defaults. weight: (C, K / groups, R, S). */
NN_PRIVATE void nn__op_conv_transpose2d_params(const nn_conv_transpose2d_desc *desc,
                                               const nn_shape *weight, nn_conv2d_params *p);
/* Fills in the defaults. The kernel's extents are those of the weight (K, C / groups, R, S). */
NN_PRIVATE void nn__op_conv2d_params(const nn_conv2d_desc *desc, const nn_shape *weight,
                                     nn_conv2d_params *p);
#ifndef NN_NO_SPEEDUPS
/* `conv` is a node for which nn__op_is_conv2d is true. */
NN_PRIVATE void nn__op_conv2d_numbers_of(const nn_node *conv, nn_conv2d_params *params);
#endif
/* Turns views (N, C, L) into (N, C, 1, L). Images stay as they are. */
NN_PRIVATE nn_view nn__op_conv_image(nn_view view);
/* desc: nn_conv2d_desc. The views are images or signals. */
NN_PRIVATE void nn__op_conv_args(nn_conv2d_args *args, nn_view y, nn_view x, nn_view weight,
                                 const void *desc);
/* Inputs: x, weight and optionally bias. */
NN_PRIVATE void nn__op_conv2d_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args);
NN_PRIVATE double nn__op_conv2d_flops(const nn_node *node, const nn__lowering *lowering);
/* Functions that only a few convolutions need. Padding with values other than 0 links nn_pad and
   its copies; groups link the fusions of a depthwise convolution with its neighbours. */
struct nn_conv2d_calls {
    nn__install install;
    /* Adds the desc's padding as a node before the convolution; NULL under NN_NO_RARE_OPTIONS. */
    nn_node *(*pad)(nn_site site, nn_model *net, const char *name, nn_node *x,
                    nn_conv2d_desc *desc);
};
#ifndef NN_NO_TRAINING
NN_PRIVATE void nn__op_conv2d_gradient(nn__tape *tape, nn_node *node, nn_node *dy); /* the rule's */
/* Adds the gradients of a convolution with this desc. */
NN_PRIVATE void nn__op_conv2d_give(nn__tape *tape, nn_node *node, nn_node *dy,
                                   const nn_conv2d_desc *desc);
#endif

/* ---- immediate calls: ops/conv_call.c -------------------------------------------------------- */

/* What distinguishes the calls. */
typedef struct nn__op_conv_call {
    const nn__rule *rule;
    nn__install install;
    const void *params;  /* the rule's */
    nn_conv2d_desc desc; /* of the convolution whose kernels run */
    nn_conv1d_desc line; /* the params of conv1d */
    bool transposed;     /* x and y change places in the kernels */
} nn__op_conv_call;

/* Reports a bias that is given although the desc says no_bias. */
NN_PRIVATE bool nn__op_conv_one_bias(nn__inference *inference, bool no_bias);
/* Checks that the second input has `rank` extents and none is symbolic. wanted: their names, for
   the message. */
NN_PRIVATE bool nn__op_conv_want_weight(nn__inference *inference, int rank, const char *wanted);
/* Infers the shape of y for calls of conv2d. Fields that the desc leaves out are taken from the
   weight. */
NN_PRIVATE bool nn__op_conv2d_call_infer(nn__inference *inference);
/* True if weight and bias match the parameter shapes that the rule of the call has found. */
NN_PRIVATE bool nn__op_conv_holds(nn__inference *inference);
/* bias may be NULL. */
NN_PRIVATE nn_result nn__op_conv_forward(nn_site site, const char *who,
                                         const nn__op_conv_call *call, nn_tensor *y,
                                         const nn_tensor *x, const nn_tensor *weight,
                                         const nn_tensor *bias);
/* Returns the largest scratch of the forward and backward kernels, in bytes; 0 if the shapes do not
   fit. */
NN_PRIVATE uint64_t nn__op_conv_scratch(const nn__op_conv_call *call, const nn_tensor *y,
                                        const nn_tensor *x, const nn_tensor *weight);
#ifndef NN_NO_TRAINING
/* Each may be NULL: then it is not computed. */
typedef struct nn__op_conv_gradients {
    nn_tensor *dx, *dweight, *dbias;
    bool accumulate;
} nn__op_conv_gradients;

NN_PRIVATE nn_result nn__op_conv_backward(nn_site site, const char *who,
                                          const nn__op_conv_call *call,
                                          const nn__op_conv_gradients *to, const nn_tensor *dy,
                                          const nn_tensor *x, const nn_tensor *weight);
#endif

#ifndef NN_NO_RARE_OPTIONS
NN_PRIVATE const char *nn__padding_mode_name(nn_padding_mode mode);
/* False if the mode would have to store `padding` places beside an axis whose extent depends on
   the batch or the time. (ops/arrange_pad.c) */
NN_PRIVATE bool nn__want_known_padding(nn__inference *inference, nn_padding_mode mode, int axis,
                                       int padding);
#endif
