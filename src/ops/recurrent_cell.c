/* ops/recurrent_cell.c - lstm_cell, gru_cell and rnn_cell: a layer that runs one step, without a
   time axis. */
#include "ops/recurrent_cell.h"
#include "ops/arrange.h"
#include "ops/recurrent_private.h"
#include "ops/reshape.h"

/* Checks x (N, C) and the states as nn_lstm, nn_gru or nn_rnn checks (N, 1, C) and (1, N, H). */
static bool nn__op_cell_infer(nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    nn__type wide[4], *const y = &inference->outputs[0];
    const nn__type *given = inference->inputs;
    char text[NN__SHAPE_TEXT];
    for (int i = 0; i < inference->input_count && i < 4; i++) {
        const nn_shape s = given[i].shape;
        if (s.rank != 2)
            return nn__problem_set(
                inference->problem, NN_ERROR_SHAPE, NN__TEXT("one step has no time axis"),
                NN__TEXT("%s is %s; wanted %s"), inference->roles[i],
                nn__format_shape(s, text, sizeof text), i ? "(N, hidden_size)" : "(N, input_size)");
        wide[i] = given[i];
        wide[i].shape.rank = 3;
        wide[i].shape.extent[0] = i ? 1 : s.extent[0];
        wide[i].shape.extent[1] = i ? s.extent[0] : 1;
        wide[i].shape.extent[2] = s.extent[1];
    }
    inference->inputs = wide;
    const bool fine = nn__op_recurrent_infer(inference);
    inference->inputs = given;
    y->dtype = NN_F32;
    y->shape = x;
    return fine;
}
static const nn__rule nn__rule_cells[] = {NN__COMPOSED_LAYER("lstm_cell", nn__op_cell_infer),
                                          NN__COMPOSED_LAYER("gru_cell", nn__op_cell_infer),
                                          NN__COMPOSED_LAYER("rnn_cell", nn__op_cell_infer)};

/* Reshapes (N, H) to (1, N, H). */
static nn_node *nn__op_cell_state(nn_site site, nn_model *net, nn_node *state) {
    return state ? nn_unsqueeze_at(site, net, state, 0) : NULL;
}

/* Returns the cell states in an lstm's state (N, 2 H). */
static nn_node *nn__op_cell_cells(nn_site site, nn_model *net, nn_node *state, int hidden) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = 1;
    slice.start = hidden;
    return nn_slice_at(site, net, state, &slice);
}

static nn_node *nn__op_cell_build(nn_site site, nn_model *net, int which, const char *name,
                                  nn_node *x, nn__op_recurrent_layers *params) {
    static const char *const names[] = {"input", "h_0", "c_0"};
    const nn__rule *rule = &nn__rule_cells[which];
    const char *roles[3];
    nn_node *inputs[3] = {x, params->h0, params->c0}, *y;
    int count = 0;
    params->layers = params->directions = 1;
    params->one_step = true;
    for (int i = 0; i < 3; i++) {
        if (i > 0 && !inputs[i]) continue;
        roles[count] = names[i];
        inputs[count++] = inputs[i];
    }
    y = nn__build(site, net, rule, NULL, name, inputs, roles, count, params, 0);
    if (!y || y->poisoned) return y;
    params->h0 = nn__op_cell_state(site, net, params->h0);
    params->c0 = nn__op_cell_state(site, net, params->c0);
    y = nn__op_recurrent_one(site, net, rule->name, name, nn_unsqueeze_at(site, net, y, 1), params,
                             0);
    if (!y || y->poisoned) return y;
    nn_node *const state = nn__output(y, 1);
    y = nn_flatten_at(site, net, y);
    if (!y || y->poisoned || params->cell != NN_RECURRENT_LSTM) return y;
    nn__add_result(y, 1, nn__op_cell_cells(site, net, state, params->hidden));
    return y;
}

/* Copies the fields that all three descs have. */
#define NN__OP_CELL_COPY(params, desc)                                                             \
    ((params).missing = false, (params).input_size = (desc)->input_size,                           \
     (params).hidden = (desc)->hidden_size, (params).no_bias = (desc)->no_bias,                    \
     (params).shared = (desc)->shared, (params).h0 = (desc)->h_0,                                  \
     (params).given[1] = (desc)->h_0 != NULL, (params).stateful = (desc)->stateful)

NN_API nn_node *nn_lstm_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                                const nn_lstm_cell_desc *desc) {
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(NN_RECURRENT_LSTM);
    if (desc) {
        NN__OP_CELL_COPY(params, desc);
        params.c0 = desc->c_0;
        params.given[2] = desc->c_0 != NULL;
    }
    return nn__op_cell_build(site, net, 0, name, x, &params);
}

NN_API nn_node *nn_gru_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_gru_cell_desc *desc) {
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(NN_RECURRENT_GRU);
    if (desc) NN__OP_CELL_COPY(params, desc);
    return nn__op_cell_build(site, net, 1, name, x, &params);
}

NN_API nn_node *nn_rnn_cell_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                               const nn_rnn_cell_desc *desc) {
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(NN_RECURRENT_TANH);
    if (desc) {
        NN__OP_CELL_COPY(params, desc);
        if (desc->nonlinearity) params.nonlinearity = desc->nonlinearity;
        if (desc->nonlinearity == NN_ACTIVATION_RELU) params.cell = NN_RECURRENT_RELU;
    }
    return nn__op_cell_build(site, net, 2, name, x, &params);
}
#undef NN__OP_CELL_COPY
