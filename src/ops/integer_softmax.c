/* ops/integer_softmax.c - the node of a softmax in 8-bit integers, which nn_quantize_net and
   nn_integer_softmax add. It has no gradient. */
#include "kernels/install_quantize.h"
#include "ops/integer_private.h"
#include "ops/private.h"

static void nn__integer_softmax_lower(const nn_node *node, const nn__lowering *lowering,
                                      nn__args *all) {
    nn_integer_softmax_args *args = &all->integer_softmax;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->table = lowering->inputs[1];
    args->numbers = lowering->inputs[2];
    args->axis = *(const int32_t *)node->params;
}

static const nn__rule nn__rule_integer_softmax = {"integer_softmax",
                                                  NN_KERNEL_INTEGER_SOFTMAX,
                                                  NN__ANY_DTYPE,
                                                  NN_ACTIVATION_NONE,
                                                  nn__integer_softmax_lower,
                                                  NULL,
                                                  NULL,
                                                  NULL,
                                                  NULL};

static nn_node *nn__integer_softmax_leaf(nn_model *net, nn_site site, const char *name,
                                         const char *part, int32_t count) {
    char text[2 * NN_NAME_BYTES];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = count;
    nn__join_text(text, sizeof text, name, ".", part);
    nn__integer_check_files(net->nn);
    return nn_buffer_at(site, net, text, NN_I32, shape, 0.0);
}

NN_PRIVATE nn_node *nn__integer_softmax(nn_model *net, nn_site site, const char *name, nn_node *x,
                                        int axis) {
    static const char *const roles[] = {"input", "table", "numbers"};
    const int32_t over = axis;
    nn_node *inputs[3];
    inputs[0] = x;
    inputs[1] = nn__integer_softmax_leaf(net, site, name, "table", 256);
    inputs[2] = nn__integer_softmax_leaf(net, site, name, "numbers", NN_INTEGER_SOFTMAXES);
    if (x->poisoned || inputs[1]->poisoned || inputs[2]->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_integer_softmax, "integer_softmax", name,
                        inputs, roles, 3, NN_I8, &x->shape, &over, sizeof over);
}

/* params: the axis, an int */
static bool nn__integer_softmax_infer(nn__inference *inference) {
    int32_t axis;
    inference->outputs[0] = inference->inputs[0];
    return nn__want_dtype(inference->problem, inference->operation, "input",
                          inference->inputs[0].dtype, NN_I8) &&
           nn__want_axis(inference->problem, "axis", inference->inputs[0].shape,
                         *(const int *)inference->params, &axis);
}

NN_API nn_node *nn_integer_softmax_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                      int axis) {
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_softmax", nn__integer_softmax_infer);
    nn_node *from = nn__build(site, net, &rule, NULL, name, &x, NULL, 1, &axis, 0);
    if (!from || from->poisoned) return from;
    return nn__integer_softmax(net, site, name, x, axis < 0 ? axis + x->shape.rank : axis);
}
