/* ops/integer_recurrent.c - the node of an lstm or gru in 8-bit integers, which nn_quantize_net
   adds. It is one layer in one direction, and it has no gradient. */
#include "kernels/install_quantize.h"
#include "ops/integer_private.h"
#include "ops/private.h"

typedef struct nn__integer_recurrent_params {
    nn_recurrent_cell cell;
    bool reverse;
} nn__integer_recurrent_params;

static void nn__integer_recurrent_lower(const nn_node *node, const nn__lowering *lowering,
                                        nn__args *all) {
    const nn__integer_recurrent_params *params =
        (const nn__integer_recurrent_params *)node->params;
    nn_integer_recurrent_args *args = &all->integer_recurrent;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->state = lowering->more[0];
    args->x = lowering->inputs[0];
    args->weight_ih = lowering->inputs[1];
    args->weight_hh = lowering->inputs[2];
    args->bias = lowering->inputs[3];
    args->factor = lowering->inputs[4];
    args->numbers = lowering->inputs[5];
    args->scratch = lowering->scratch;
    args->cell = params->cell;
    args->reverse = params->reverse;
}
static NN__UNUSED double nn__integer_recurrent_flops(const nn_node *node,
                                                     const nn__lowering *lowering) {
    const int32_t *y = lowering->output.shape.extent;
    (void)node;
    return 2.0 * y[0] * y[1] *
           (double)(nn__count(&lowering->inputs[1]) + nn__count(&lowering->inputs[2]));
}

static const nn__rule nn__rule_integer_recurrent = {"integer_recurrent",
                                                    NN_KERNEL_INTEGER_RECURRENT,
                                                    NN__LAYER | NN__ANY_DTYPE,
                                                    NN_ACTIVATION_NONE,
                                                    nn__integer_recurrent_lower,
                                                    NULL,
                                                    NN__FLOPS(nn__integer_recurrent_flops),
                                                    NULL,
                                                    NULL};

static nn_node *nn__integer_recurrent_leaf(nn_model *net, nn_site site, const char *name,
                                           const char *part, nn_dtype dtype, int32_t rows,
                                           int32_t columns) {
    char text[2 * NN_NAME_BYTES];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = columns ? 2 : 1;
    shape.extent[0] = rows;
    shape.extent[1] = columns;
    nn__join_text(text, sizeof text, name, ".", part);
    nn__integer_check_files(net->nn);
    return nn_buffer_at(site, net, text, dtype, shape, 0.0);
}

NN_PRIVATE nn_node *nn__integer_cell_leaf(nn_model *net, nn_site site, const char *name) {
    return nn__integer_recurrent_leaf(net, site, name, "cell", NN_F32, 1, 0);
}

NN_PRIVATE nn_node *nn__integer_recurrent(nn_model *net, nn_site site, const char *name, nn_node *x,
                                          nn_recurrent_cell cell, bool reverse, int32_t hidden) {
    static const char *const roles[] = {"input", "weight_ih", "weight_hh",
                                        "bias",  "factor",    "numbers"};
    const int32_t gates = NN_RECURRENT_GATES(cell) * hidden;
    nn__integer_recurrent_params params;
    nn_shape shape = x->shape, state;
    nn_node *inputs[6];
    memset(&params, 0, sizeof params);
    params.cell = cell;
    params.reverse = reverse;
    inputs[0] = x;
    inputs[1] = nn__integer_recurrent_leaf(net, site, name, "weight_ih", NN_I8, gates,
                                           shape.extent[2]);
    inputs[2] = nn__integer_recurrent_leaf(net, site, name, "weight_hh", NN_I8, gates, hidden);
    inputs[3] = nn__integer_recurrent_leaf(net, site, name, "bias", NN_I32, 2, gates);
    inputs[4] = nn__integer_recurrent_leaf(net, site, name, "factor", NN_I32, 4, gates);
    inputs[5] = nn__integer_recurrent_leaf(net, site, name, "numbers", NN_I32,
                                           NN_INTEGER_RECURRENTS, 0);
    for (int i = 0; i < 6; i++)
        if (inputs[i]->poisoned) return inputs[i];
    nn__install_integer_recurrent(net->nn);
    shape.extent[2] = hidden;
    nn_node *node = nn__new_node(&net->graph, site, &nn__rule_integer_recurrent,
                                 "integer_recurrent", name, inputs, roles, 6, NN_I8, &shape,
                                 &params, sizeof params);
    if (node->poisoned) return node;
    memset(&state, 0, sizeof state);
    state.rank = 2;
    state.extent[0] = shape.extent[0];
    state.extent[1] = cell == NN_RECURRENT_LSTM ? 2 * hidden : hidden;
    return nn__add_output(node, "state", NN_I32, state)->poisoned ? nn__poison(net) : node;
}
