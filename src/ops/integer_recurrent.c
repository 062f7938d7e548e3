/* ops/integer_recurrent.c - the node of an lstm or gru in 8-bit integers, which nn_quantize_net,
   nn_integer_lstm and nn_integer_gru add. It is one layer in one direction, and it has no
   gradient. */
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

/* ---- what users call ------------------------------------------------------------------------- */

#define NN__INTEGERS_MOST 65536 /* products of a sum: more might not fit into 32 bits */

static bool nn__integer_recurrent_infer(nn__inference *inference) {
    const nn_integer_recurrent_desc *desc = (const nn_integer_recurrent_desc *)inference->params;
    nn__problem *problem = inference->problem;
    const nn_shape *x = &inference->inputs[0].shape;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_I8))
        return false;
    if (x->rank != 3 || nn__is_symbolic(x->extent[2]) || x->extent[2] > NN__INTEGERS_MOST)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("give (N, T, C) with a known C of at most 65,536"),
                               NN__TEXT("its input has the rank %d, or another last extent"),
                               (int)x->rank);
    if (desc->hidden_size < 1 || desc->hidden_size > NN__INTEGERS_MOST)
        return nn__refuse_number(problem, "hidden_size", desc->hidden_size, "from 1 to 65536");
    inference->outputs[0].shape = *x;
    inference->outputs[0].shape.extent[2] = desc->hidden_size;
    inference->outputs[0].dtype = NN_I8;
    return true;
}

static nn_node *nn__integer_recurrent_layer(nn_site site, nn_model *net, const nn__rule *rule,
                                            const char *name, nn_node *x,
                                            const nn_integer_recurrent_desc *desc,
                                            nn_recurrent_cell cell) {
    nn_integer_recurrent_desc copy;
    memset(&copy, 0, sizeof copy);
    if (desc) copy = *desc;
    nn_node *from = nn__build(site, net, rule, NULL, name, &x, NULL, 1, &copy, 0);
    if (!from || from->poisoned) return from;
    return nn__integer_recurrent(net, site, name, x, cell, copy.reverse, copy.hidden_size);
}

NN_API nn_node *nn_integer_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                   const nn_integer_recurrent_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_lstm", nn__integer_recurrent_infer);
    return nn__integer_recurrent_layer(site, net, &rule, name, x, desc, NN_RECURRENT_LSTM);
}
NN_API nn_node *nn_integer_gru_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                  const nn_integer_recurrent_desc *desc) {
    static const nn__rule rule = NN__COMPOSED_LAYER("integer_gru", nn__integer_recurrent_infer);
    return nn__integer_recurrent_layer(site, net, &rule, name, x, desc, NN_RECURRENT_GRU);
}
#undef NN__INTEGERS_MOST
