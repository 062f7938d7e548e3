/* ops/recurrent.c - lstm, gru and rnn. Each layer and direction is one product of all inputs, as
   in nn_linear, and one node that loops over time (ops/recurrent_step.c). */
#include "ops/recurrent_private.h"

#include "ops/arrange.h"
#include "ops/pointwise.h"
#include "ops/cumsum.h"

#include <math.h>

/* ---- check ----------------------------------------------------------------------------------- */

static bool nn__op_recurrent_numbers(const nn__op_recurrent_layers *params,
                                     nn__inference *inference) {
    nn__problem *problem = inference->problem;
    if (params->missing)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("give a desc with .hidden_size"), NN__TEXT("desc is NULL"));
    if (params->hidden < 1 || params->hidden > INT32_MAX / 8)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .hidden_size"),
                               NN__TEXT("hidden_size is %d; it must be at least 1, below 2^28"),
                               params->hidden);
    if (params->layers < 1 || params->layers > NN__OP_RECURRENT_LAYERS)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out for 1"),
                               NN__TEXT("layers is %d; it must be 1 to %d"), params->layers,
                               NN__OP_RECURRENT_LAYERS);
    if (params->proj < 0 || params->proj >= params->hidden)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out for none"),
                               NN__TEXT("proj_size is %d; it must be less than hidden_size, %d"),
                               params->proj, params->hidden);
    if (!nn__want_fraction(problem, "dropout", params->dropout, NN__TEXT("leave it out for 0")))
        return false;
    if (params->nonlinearity == NN_ACTIVATION_TANH || params->nonlinearity == NN_ACTIVATION_RELU)
        return true;
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("leave it out for tanh"),
                           NN__TEXT("nonlinearity is %d; it must be NN_ACTIVATION_TANH or "
                                    "NN_ACTIVATION_RELU"),
                           (int)params->nonlinearity);
}

/* Checks that x is (N, T, C) and that C is known. */
static bool nn__op_recurrent_sequence(const nn__op_recurrent_layers *params,
                                      nn__inference *inference) {
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    nn__format_shape(x, text, sizeof text);
    if (x.rank != 3)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                               NN__TEXT("%s is %s; %s wants (N, T, C), the batch first"), source,
                               text, inference->operation);
    if (nn__is_symbolic(x.extent[2]))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_transpose puts the features last"),
                               NN__TEXT("the last extent of %s %s depends on the %s; it is "
                                        "input_size"),
                               source, text, nn__free_words(x.extent[2]));
    if (nn__free_extents(x, NN__OF_BATCH) > 1)
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("keep one extent of the batch"),
                               NN__TEXT("%d extents of %s %s depend on the batch; at most one may"),
                               nn__free_extents(x, NN__OF_BATCH), source, text);
    if (params->input_size && params->input_size != x.extent[2])
        return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave it out"),
                               NN__TEXT("input_size is %d, but %s %s has %d features"),
                               params->input_size, source, text, (int)x.extent[2]);
    return true;
}

/* Checks that the layer can keep its own state. */
static bool nn__op_recurrent_continues(const nn__op_recurrent_layers *params,
                                    nn__inference *inference) {
    nn__problem *problem = inference->problem;
    nn_shape samples = inference->inputs[0].shape;
    char name[NN__SOURCE_TEXT];
    if (!params->stateful) return true;
    if (params->directions == 2)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("leave .bidirectional or .stateful out"),
                               NN__TEXT("a stateful layer continues at its last step, and the "
                                        "reverse direction of a bidirectional one begins there"));
    if (params->given[1] || params->given[2])
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("leave one of the two out; an nn_state can be an h_0"),
                               NN__TEXT("a stateful layer has its own initial state, and %s is "
                                        "given"),
                               params->given[1] ? "h_0" : "c_0");
    samples.rank = 1;
    return nn__want_state_shape(problem, nn__first_input(inference, name, sizeof name), samples);
}

NN_PRIVATE bool nn__op_recurrent_infer(nn__inference *inference) {
    const nn__op_recurrent_layers *params = (const nn__op_recurrent_layers *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    int next = 1;
    if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[0],
                        inference->inputs[0].dtype, NN_F32) ||
        !nn__op_recurrent_numbers(params, inference) ||
        !nn__op_recurrent_sequence(params, inference) ||
        !nn__op_recurrent_continues(params, inference))
        return false;
    for (int i = 0; i < 3; i++) { /* lengths, h_0, c_0 */
        nn_shape wanted;
        if (!params->given[i]) continue;
        memset(&wanted, 0, sizeof wanted);
        wanted.rank = i == 0 ? 1 : 3;
        wanted.extent[0] = i == 0 ? x.extent[0] : params->layers * params->directions;
        wanted.extent[1] = i == 0 ? 0 : x.extent[0];
        wanted.extent[2] = i == 0 ? 0 : i == 1 && params->proj ? params->proj : params->hidden;
        const nn__type *type = &inference->inputs[next];
        const char *role = inference->roles[next++];
        if (!nn__want_dtype(inference->problem, inference->operation, role, type->dtype,
                            i == 0 ? NN_I32 : NN_F32) ||
            !nn__want_role_shape(inference->problem, role, wanted, type->shape))
            return false;
    }
    return true;
}

static const nn__rule nn__rule_lstm = NN__COMPOSED_LAYER("lstm", nn__op_recurrent_infer);
static const nn__rule nn__rule_gru = NN__COMPOSED_LAYER("gru", nn__op_recurrent_infer);
static const nn__rule nn__rule_rnn = NN__COMPOSED_LAYER("rnn", nn__op_recurrent_infer);

/* ---- parts ----------------------------------------------------------------------------------- */

/* Returns x with zeros after each sample's last step, so that the values there affect no
   gradient. */
static nn_node *nn__op_recurrent_masked(nn_site site, nn_model *net, nn_node *x, nn_node *lengths) {
    nn_slice_desc first;
    nn_shape shape = x->shape;
    nn_node *place;
    memset(&first, 0, sizeof first);
    first.axis = 2;
    first.stop = 1;
    place = nn__add_text(site, net, NULL, "x: x == x || x != x", /* 1 for any x */
                         nn_slice_at(site, net, x, &first), NULL, NULL, NULL, NULL);
    place = nn_cumsum_at(site, net, place, 1);
    if (!place || place->poisoned) return place;
    shape.extent[1] = shape.extent[2] = 1;
    lengths =
        nn_reshape_at(site, net, nn__add_cast(&net->graph, site, NULL, lengths, NN_F32), shape);
    return nn__add_text(site, net, NULL, "x, place, length: place <= length ? x : 0", x,
                        nn_detach_at(site, net, place), lengths, NULL, NULL);
}

/* Adds the parameter "name.part_l0" or "name.part_l0_reverse". columns 0: a vector. */
static nn_node *nn__op_recurrent_parameter(nn_site site, nn_model *net, const char *name,
                                           const char *part, const char *layer,
                                           const nn__op_recurrent_layers *params, int32_t rows,
                                           int32_t columns) {
    char text[40];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = columns ? 2 : 1;
    shape.extent[0] = rows;
    shape.extent[1] = columns;
    nn__join_text(text, sizeof text, part, layer, "");
    return nn__add_parameter(net, site, name, text, &shape, nn__fan_bound(params->hidden),
                             params->shared);
}

/* Returns number `at` of the given first states; NULL: none were given. */
static nn_node *nn__op_recurrent_first(nn_site site, nn_model *net, nn_node *all, int at) {
    nn_slice_desc slice;
    if (!all || all->shape.extent[0] == 1) return all;
    memset(&slice, 0, sizeof slice);
    slice.start = at;
    slice.stop = at + 1;
    return nn_slice_at(site, net, all, &slice);
}

/* Adds the state (N, P) of a layer, of an lstm (N, P + H): its cells follow. */
static nn_node *nn__op_recurrent_keeps(nn_site site, nn_model *net, const char *operation,
                                       const char *name, const char *layer, const nn_node *x,
                                       const nn__op_recurrent_layers *params) {
    const nn__states *states = nn__states_of(net);
    char text[2 * NN_NAME_BYTES];
    nn__problem problem;
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    memset(&problem, 0, sizeof problem);
    if (!states) {
        nn__problem_set(&problem, NN_ERROR_UNSUPPORTED,
                        NN__TEXT("call nn_use_states(net) first, as the macros do"),
                        NN__TEXT("this program has no states"));
        return nn__poison_problem(net, site, operation, name, NULL, NULL, 0, &problem);
    }
    shape.rank = 2;
    shape.extent[0] = x->shape.extent[0];
    shape.extent[1] = (params->proj ? params->proj : params->hidden) +
                      (params->cell == NN_RECURRENT_LSTM ? params->hidden : 0);
    nn__join_text(text, sizeof text, name, ".state", layer);
    return states->add(net, site, text, NN_F32, &shape);
}

NN_PRIVATE nn_node *nn__op_recurrent_one(nn_site site, nn_model *net, const char *operation,
                                         const char *name, nn_node *x,
                                         const nn__op_recurrent_layers *params, int at) {
    const bool reverse = at % params->directions == 1;
    const int32_t gates = params->hidden * NN_RECURRENT_GATES(params->cell),
                  wide = params->proj ? params->proj : params->hidden;
    char layer[32], text[2 * NN_NAME_BYTES];
    nn_node *all[7], *weight, *bias = NULL, *node;
    if (x->poisoned) return x;
    nn__format(layer, sizeof layer, "_l%d%s", at / params->directions, reverse ? "_reverse" : "");
    if (params->one_step) layer[0] = 0;
    weight = nn__op_recurrent_parameter(site, net, name, "weight_ih", layer, params, gates,
                                        x->shape.extent[2]);
    all[1] = nn__op_recurrent_parameter(site, net, name, "weight_hh", layer, params, gates, wide);
    all[2] = all[3] = NULL;
    if (!params->no_bias) {
        bias = nn__op_recurrent_parameter(site, net, name, "bias_ih", layer, params, gates, 0);
        all[2] = nn__op_recurrent_parameter(site, net, name, "bias_hh", layer, params, gates, 0);
    }
    if (params->proj)
        all[3] = nn__op_recurrent_parameter(site, net, name, "weight_hr", layer, params, wide,
                                            params->hidden);
    all[4] = params->lengths;
    all[5] = nn__op_recurrent_first(site, net, params->h0, at);
    all[6] = nn__op_recurrent_first(site, net, params->c0, at);
    if (params->stateful)
        all[5] = nn__op_recurrent_keeps(site, net, operation, name, layer, x, params);
    for (int i = 1; i < 7; i++)
        if (all[i] && all[i]->poisoned) return all[i];
    if (weight->poisoned || (bias && bias->poisoned)) return nn__poison(net);
    nn__join_text(text, sizeof text, name, layer, ".input");
    all[0] = nn__add_linear(&net->graph, site, operation, text, x, weight, bias);
    if (all[0]->poisoned) return all[0];
    nn__join_text(text, sizeof text, name, layer, "");
    node = nn__add_recurrent(net, site, operation, text, params->cell, reverse, all);
    if (params->stateful && !node->poisoned)
        nn__states_of(net)->continues(net, site, all[5], nn__output(node, 1));
    return node;
}

/* Stacks the states of all nodes: (count, N, columns), where `columns` columns from `start` on
   are taken. */
static nn_node *nn__op_recurrent_states(nn_site site, nn_model *net, nn_node *const *nodes,
                                        int count, int start, int columns) {
    nn_node *states[2 * NN__OP_RECURRENT_LAYERS];
    nn_nodes list;
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = 1;
    slice.start = start;
    slice.stop = start + columns;
    for (int i = 0; i < count; i++) {
        states[i] = nn__output(nodes[i], 1);
        if (states[i]->shape.extent[1] != columns)
            states[i] = nn_slice_at(site, net, states[i], &slice);
    }
    list.node = states;
    list.count = count;
    return nn_stack_at(site, net, list, 0);
}

/* Adds all layers; h_n and c_n become further outputs of the last one. */
static nn_node *nn__op_recurrent_build(nn_site site, nn_model *net, const nn__rule *rule,
                                       const char *name, nn_node *x,
                                       const nn__op_recurrent_layers *params) {
    static const char *const names[] = {"input", "lengths", "h_0", "c_0"};
    const char *roles[4];
    nn_node *inputs[4], *nodes[2 * NN__OP_RECURRENT_LAYERS];
    const int wide = params->proj ? params->proj : params->hidden;
    int count = 0;
    for (int i = 0; i < 4; i++) {
        nn_node *const input = i == 0   ? x
                               : i == 1 ? params->lengths
                               : i == 2 ? params->h0
                                        : params->c0;
        if (!input && i > 0) continue;
        inputs[count] = input;
        roles[count++] = names[i];
    }
    nn_node *y = nn__build(site, net, rule, NULL, name, inputs, roles, count, params, 0);
    if (!y || y->poisoned) return y;
    if (params->lengths) y = nn__op_recurrent_masked(site, net, y, params->lengths);
    count = 0;
    for (int layer = 0; layer < params->layers; layer++) {
        nn_node *const from = y;
        nn_nodes both;
        for (int i = 0; i < params->directions; i++, count++) {
            nodes[count] = nn__op_recurrent_one(site, net, rule->name, name, from, params, count);
            if (!nodes[count] || nodes[count]->poisoned) return nodes[count];
        }
        y = nodes[count - 1];
        both.node = nodes + count - 2;
        both.count = 2;
        if (params->directions == 2) y = nn_concat_at(site, net, both, 2);
        if (params->dropout > 0.0f && layer + 1 < params->layers)
            y = nn_dropout_at(site, net, y, params->dropout);
    }
    nn__add_result(y, 1, nn__op_recurrent_states(site, net, nodes, count, 0, wide));
    if (params->cell == NN_RECURRENT_LSTM)
        nn__add_result(y, 2,
                       nn__op_recurrent_states(site, net, nodes, count, wide, params->hidden));
    return y;
}

/* ---- builders -------------------------------------------------------------------------------- */

NN_PRIVATE nn__op_recurrent_layers nn__op_recurrent_defaults(nn_recurrent_cell cell) {
    nn__op_recurrent_layers params;
    memset(&params, 0, sizeof params);
    params.cell = cell;
    params.missing = true;
    params.nonlinearity = NN_ACTIVATION_TANH;
    return params;
}

/* Copies the fields that all three descs have. */
#define NN__OP_RECURRENT_COPY(params, desc)                                                        \
    ((params).missing = false, (params).input_size = (desc)->input_size,                           \
     (params).hidden = (desc)->hidden_size, (params).layers = (desc)->layers ? (desc)->layers : 1, \
     (params).directions = (desc)->bidirectional ? 2 : 1, (params).dropout = (desc)->dropout,      \
     (params).no_bias = (desc)->no_bias, (params).shared = (desc)->shared,                         \
     (params).lengths = (desc)->lengths, (params).h0 = (desc)->h_0,                                \
     (params).given[0] = (desc)->lengths != NULL, (params).given[1] = (desc)->h_0 != NULL,         \
     (params).stateful = (desc)->stateful)

NN_API nn_node *nn_lstm_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                           const nn_lstm_desc *desc) {
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(NN_RECURRENT_LSTM);
    if (desc) {
        NN__OP_RECURRENT_COPY(params, desc);
        params.proj = desc->proj_size;
        params.c0 = desc->c_0;
        params.given[2] = desc->c_0 != NULL;
    }
    return nn__op_recurrent_build(site, net, &nn__rule_lstm, name, x, &params);
}

NN_API nn_node *nn_gru_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_gru_desc *desc) {
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(NN_RECURRENT_GRU);
    if (desc) NN__OP_RECURRENT_COPY(params, desc);
    return nn__op_recurrent_build(site, net, &nn__rule_gru, name, x, &params);
}

NN_API nn_node *nn_rnn_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                          const nn_rnn_desc *desc) {
    nn__op_recurrent_layers params = nn__op_recurrent_defaults(NN_RECURRENT_TANH);
    if (desc) {
        NN__OP_RECURRENT_COPY(params, desc);
        if (desc->nonlinearity) params.nonlinearity = desc->nonlinearity;
        if (desc->nonlinearity == NN_ACTIVATION_RELU) params.cell = NN_RECURRENT_RELU;
    }
    return nn__op_recurrent_build(site, net, &nn__rule_rnn, name, x, &params);
}
#undef NN__OP_RECURRENT_COPY
