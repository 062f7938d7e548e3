/* graph/operation.c - the common part of all builders: asks the operation's rule for the types of
   its outputs, and makes a node or a fault. */
#include "graph/private.h"

#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__first_input(const nn__inference *inference, char *text, size_t size) {
    if (!inference->nodes) return inference->roles[0];
    nn__format(text, size, "\"%s\"", inference->nodes[0]->name);
    return text;
}
#endif

/* Adds the parameters that the rule wants, after the `count` inputs. False: one of them is
   poisoned. */
static bool nn__operation_parameters(nn_model *net, nn_site site, const char *name,
                                     const nn__inference *inference, nn_node **inputs, int count) {
    static const char *const parts[] = {"weight", "bias"};
    const nn_shape *weight = &inference->parameters[0];
    int64_t fan_in = 1;
    for (int i = 1; i < weight->rank; i++) fan_in *= weight->extent[i];
    const float bound = nn__fan_bound(fan_in);
    for (int i = 0; i < inference->parameter_count; i++) {
        inputs[count + i] = nn__add_parameter(net, site, name, parts[i], &inference->parameters[i],
                                              bound, inference->shared);
        if (inputs[count + i]->poisoned) return false;
    }
    return true;
}

NN_PRIVATE bool nn__infer_same(nn__inference *inference) {
    inference->outputs[0] = inference->inputs[0];
    return true;
}

NN_PRIVATE nn_node *nn__build(nn_site site, nn_model *net, const nn__rule *rule,
                              void (*install)(nn_context *nn), const char *name,
                              nn_node *const *inputs, const char *const *roles, int count,
                              const void *params, size_t params_bytes) {
    nn_node *all[NN__INFERRED];
    nn__type types[NN__INFERRED];
    nn__inference inference;
    nn__problem problem;
    if (!nn__check_inputs(net, site, rule->name, name, inputs, roles, count))
        return nn__poison(net);
    memset(&inference, 0, sizeof inference);
    memset(&problem, 0, sizeof problem);
    for (int i = 0; i < count && i < NN__INFERRED; i++) {
        all[i] = inputs[i];
        types[i].dtype = inputs[i]->dtype;
        types[i].shape = inputs[i]->shape;
    }
    inference.operation = rule->name;
    inference.params = params;
    inference.inputs = types;
    inference.roles = roles;
    inference.nodes = inputs;
    inference.input_count = count;
    inference.problem = &problem;
    if (rule->flags & NN__LAYER && !(name && name[0]))
        nn__problem_set(
            &problem, NN_ERROR_ARGUMENT,
            NN__TEXT("name it: its parameters become \"name.weight\" and \"name.bias\""),
            NN__TEXT("the layer has no name"));
    else if (!rule->infer(&inference) && problem.code == NN_OK) /* no shape was checked */
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("other operands"),
                        NN__TEXT("its rule refuses these without a word"));
    if (problem.code != NN_OK)
        return nn__poison_problem(net, site, rule->name, name, inputs, roles, count, &problem);
    if (rule->flags & NN__COMPOSED) return inputs[0];
    if (install) install(net->nn);
    if (inference.parameter_count) {
        if (!nn__operation_parameters(net, site, name, &inference, all, count))
            return nn__poison(net);
        count += inference.parameter_count;
        inputs = all;
    }
    return nn__new_node(&net->graph, site, rule, rule->name, name, inputs, roles, count,
                        inference.outputs[0].dtype, &inference.outputs[0].shape, params,
                        params_bytes);
}

NN_PRIVATE nn_node *nn__build_unary(nn_site site, nn_model *net, const nn__rule *rule,
                                    void (*install)(nn_context *nn), nn_node *x, const void *params,
                                    size_t params_bytes) {
    static const char *const roles[] = {"input"};
    return nn__build(site, net, rule, install, NULL, &x, roles, 1, params, params_bytes);
}
