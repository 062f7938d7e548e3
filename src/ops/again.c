/* ops/again.c - gradients of gradients: the list of the rules by which nodes that nn_gradient made
   are differentiated once more. Only nn_gradient reaches it. Gradients of pointwise programs,
   reductions, reshapes and rotations are nodes with rules of their own and are not listed. */
#include "ops/program.h"

#ifndef NN_NO_TRAINING

static const struct {
    char rule[24];
    void (*gradient)(nn__tape *tape, nn_node *node, nn_node *dy);
} nn__again_rules[] = {
    {"product", nn__op_product_again},
    {"matmul_product", nn__op_matmul_again},
    {"mean_scale", nn__op_mean_scale_again},
    {"conv2d_forward", nn__op_conv_again},
    {"conv2d_backward_input", nn__op_conv_again},
    {"conv2d_backward_weight", nn__op_conv_again},
    {"conv_transpose_input", nn__op_conv_again},
    {"conv_transpose_weight", nn__op_conv_again},
    {"pool2d_backward", nn__op_pool2d_again},
    {"pool_backward", nn__op_window_again},
    {"softmax_backward", nn__op_softmax_again},
    {"cross_entropy_backward", nn__op_cross_entropy_again},
    {"norm_backward", nn__op_norm_again},
    {"arrange_backward", nn__op_arrange_again_gradient},
    {"arrange_twice", nn__op_arrange_again_gradient},
    {"slices_backward", nn__op_arrange_again_gradient},
    {"gather_backward", nn__op_elements_again},
    {"scatter_backward", nn__op_elements_again},
    {"scatter_source", nn__op_elements_again},
    {"index_backward", nn__op_index_again},
};
static const struct {
    char rule[24];
    nn__again_more which;
} nn__again_more_rules[] = {{"unfold_backward", NN__AGAIN_WINDOWS},
                            {"fold_backward", NN__AGAIN_WINDOWS},
                            {"resize_backward", NN__AGAIN_RESIZE},
                            {"above_backward", NN__AGAIN_ABOVE}};

NN_PRIVATE void nn__again_ends(nn__tape *tape, const nn_node *node, const char *why) {
    nn__fault *fault = nn__add_node_fault(tape->faults, NN__FAULT_UNSUPPORTED, node);
    tape->failed = true;
    nn__fault_cause(tape->faults, fault,
                    NN__TEXT("this gradient (%s) is not differentiable again%s%s"),
                    node->rule->name, why ? ": " : "", why ? why : "");
    nn__fault_fix(tape->faults, fault,
                  NN__TEXT("nn_detach the gradient to use it as a constant; docs/gradients.md "
                           "lists the operations that have second gradients"));
}

static void nn__again(nn__tape *tape, nn_node *node, nn_node *dy) {
    for (size_t i = 0; i < NN__COUNT(nn__again_rules); i++) {
        if (strcmp(nn__again_rules[i].rule, node->rule->name) != 0) continue;
        nn__again_rules[i].gradient(tape, node, dy);
        return;
    }
    for (size_t i = 0; i < NN__COUNT(nn__again_more_rules); i++) {
        if (strcmp(nn__again_more_rules[i].rule, node->rule->name) != 0) continue;
        tape->nn->again[nn__again_more_rules[i].which](tape, node, dy);
        return;
    }
    nn__again_ends(tape, node, NULL);
}

NN_PRIVATE const nn__gradients *nn__gradients_again(void) {
    static const nn__gradients gradients = {nn__again, nn__op_arrange_own};
    return &gradients;
}

/* A pointwise node gets its extents from an input, so there is one. */
static const nn_instruction nn__filled_code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                                 {NN_CODE_SCALAR, 0, 0, 0, 0.0f}};
static const nn__rule nn__rule_filled = {"filled",
                                         NN_KERNEL_POINTWISE,
                                         NN__IN_PLACE | NN__ANY_DTYPE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_program_lower,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL};

NN_PRIVATE nn_node *nn__tape_filled(nn__tape *tape, nn_node *x, float value) {
    nn__program_params params;
    if (x->poisoned) return x;
    memset(&params, 0, sizeof params);
    params.program.code = nn__filled_code;
    params.program.count = NN__COUNT(nn__filled_code);
    params.program.input_count = params.program.output_count = params.program.scalar_count = 1;
    params.program.output[0] = 1;
    params.scalars[0] = value;
    nn__install_program(tape->nn);
    nn__install_program_general(tape->nn);
    nn__op_program_dtypes(tape->nn, &x, 1);
    return nn__tape_node(tape, &nn__rule_filled, x, ".grad", &x, 1, NN_F32, x->shape, &params,
                         NN__PROGRAM_PARAMS_BYTES(&params));
}

#endif /* NN_NO_TRAINING */

typedef int nn__again_part; /* a part must not be empty under NN_NO_TRAINING */
