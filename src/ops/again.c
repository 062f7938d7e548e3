/* ops/again.c - gradients of gradients: the list of the rules by which nodes that nn_gradient made
   are differentiated once more. Only nn_gradient reaches it. Gradients of pointwise programs,
   reductions, reshapes and rotations are nodes with rules of their own and are not listed. */
#include "ops/more_private.h"
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
    static const nn__gradients gradients = {nn__again, nn__tape_unpool, nn__op_arrange_own};
    return &gradients;
}

#endif /* NN_NO_TRAINING */

typedef int nn__again_part; /* a part must not be empty under NN_NO_TRAINING */
