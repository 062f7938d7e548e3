/* ops/conv_again.c - gradients of the gradients of convolutions. A convolution is a sum of products
   of x, weight and y's gradient, so the derivative of each of its three forms (y, dx, dweight) with
   respect to one operand is again one of the forms. A transposed convolution has the same three. */
#include "ops/conv_private.h"
#include "ops/more_private.h"

#ifndef NN_NO_TRAINING

/* inputs: x, weight; output: y */
static void nn__op_conv_again_forward(const nn_node *node, const nn__lowering *lowering,
                                      nn__args *args) {
    nn__op_conv_args(&args->conv2d_forward, lowering->output, lowering->inputs[0],
                     lowering->inputs[1], node->params);
    args->conv2d_forward.scratch = lowering->scratch;
}

/* inputs: dy, weight; output: dx */
static void nn__op_conv_again_input(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    nn__op_conv_args(&args->conv2d_backward_input, lowering->inputs[0], lowering->output,
                     lowering->inputs[1], node->params);
    args->conv2d_backward_input.scratch = lowering->scratch;
}

/* inputs: dy, x; output: dweight */
static void nn__op_conv_again_weight(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *args) {
    nn__op_conv_args(&args->conv2d_backward_weight, lowering->inputs[0], lowering->inputs[1],
                     lowering->output, node->params);
    args->conv2d_backward_weight.scratch = lowering->scratch;
}

static const nn__rule nn__rule_conv_again_forward = {"conv2d_forward",
                                                     NN_KERNEL_CONV2D_FORWARD,
                                                     0,
                                                     NN_ACTIVATION_NONE,
                                                     nn__op_conv_again_forward,
                                                     nn__gradient_again,
                                                     NULL,
                                                     NULL,
                                                     NULL};
static const nn__rule nn__rule_conv_again_input = {"conv2d_backward_input",
                                                   NN_KERNEL_CONV2D_BACKWARD_INPUT,
                                                   0,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_conv_again_input,
                                                   nn__gradient_again,
                                                   NULL,
                                                   NULL,
                                                   NULL};
static const nn__rule nn__rule_conv_again_weight = {"conv2d_backward_weight",
                                                    NN_KERNEL_CONV2D_BACKWARD_WEIGHT,
                                                    0,
                                                    NN_ACTIVATION_NONE,
                                                    nn__op_conv_again_weight,
                                                    nn__gradient_again,
                                                    NULL,
                                                    NULL,
                                                    NULL};

static void nn__op_conv_again_give(nn__tape *tape, const nn_node *node, nn_node *to,
                                   const nn__rule *rule, nn_node *a, nn_node *b) {
    nn_node *inputs[2];
    if (!nn__wants(to)) return;
    inputs[0] = a;
    inputs[1] = b;
    nn__give_gradient(tape, to,
                      nn__tape_node(tape, rule, to, ".grad", inputs, 2, NN_F32, to->shape,
                                    node->params, sizeof(nn_conv2d_desc)));
}

/* Adds the gradient of dbias, the sum of dy over everything but the channels. */
static void nn__op_conv_again_bias(nn__tape *tape, nn_node *dy, nn_node *g) {
    nn_shape shape = dy->shape;
    if (!g || !nn__wants(dy)) return;
    for (int i = 0; i < shape.rank; i++)
        if (i != 1) shape.extent[i] = 1;
    nn__give_gradient(tape, dy,
                      nn__tape_expand(tape, nn__tape_reshape(tape, g, shape, dy), dy->shape, dy));
}

NN_PRIVATE void nn__op_conv_again(nn__tape *tape, nn_node *node, nn_node *g) {
    nn_node *first = node->inputs[0], *second = node->inputs[1];
    const nn__rule *forward = &nn__rule_conv_again_forward, *input = &nn__rule_conv_again_input,
                   *weight = &nn__rule_conv_again_weight;
    if (g && node->rule->kernel == NN_KERNEL_CONV2D_FORWARD) { /* x, weight */
        nn__op_conv_again_give(tape, node, first, input, g, second);
        nn__op_conv_again_give(tape, node, second, weight, g, first);
    } else if (g && node->rule->kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT) { /* dy, weight */
        nn__op_conv_again_give(tape, node, first, forward, g, second);
        nn__op_conv_again_give(tape, node, second, weight, first, g);
    } else if (g) { /* dy, x */
        nn__op_conv_again_give(tape, node, first, forward, second, g);
        nn__op_conv_again_give(tape, node, second, input, first, g);
    }
    nn__op_conv_again_bias(tape, first, nn__gradient_of(node, 1));
}

#endif /* NN_NO_TRAINING */

typedef int nn__conv_again_part; /* a part must not be empty under NN_NO_TRAINING */
