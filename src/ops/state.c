/* ops/state.c - states that a plan keeps from run to run. ops/assign.c continues them, plan/order.c
   says when, and plan/state.c clears, saves and moves them. */
#include "ops/state.h"
#include "ops/private.h"

NN_PRIVATE bool nn__want_state_shape(nn__problem *problem, const char *what, nn_shape shape) {
    char text[NN__SHAPE_TEXT];
    for (int i = 0; i < shape.rank; i++) {
        const unsigned kind = nn__extent_kind(shape.extent[i]);
        if (kind == 0 || !nn__is_symbolic(shape.extent[i])) continue;
        if (i == 0 && kind == NN__OF_BATCH) continue;
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("each sample has one state: the batch may be the first "
                                        "extent; no extent may be the time"),
                               NN__TEXT("%s %s depends on the %s in extent %d"), what,
                               nn__format_shape(shape, text, sizeof text),
                               nn__free_words(shape.extent[i]), i);
    }
    return true;
}

/* Adds the leaf. A layer that is applied twice (.shared) has a state for each application: a number
   makes its name unique. */
static nn_node *nn__op_state_add(nn_model *net, nn_site site, const char *name, nn_dtype dtype,
                              const nn_shape *shape) {
    char unique[NN_NAME_BYTES];
    bool taken = true;
    nn__format(unique, sizeof unique, "%s", name);
    for (int k = 2; taken; k++) {
        const nn_node *leaf = *nn__leaf_list(&net->graph, unique);
        while (leaf && !(leaf->kind == NN__INPUT && strcmp(leaf->name, unique) == 0))
            leaf = nn__next_leaf(leaf);
        taken = leaf != NULL;
        if (taken) nn__format(unique, sizeof unique, "%.*s_%d", NN_NAME_BYTES - 12, name, k);
    }
    nn_node *node = nn__add_leaf(&net->graph, site, NN__INPUT, unique, dtype, shape);
    if (node->poisoned) return node;
    node->remembers = true;
    nn__set_operation(node, "state");
    net->nn->cross = nn__cross; /* nn_replan moves the state with it */
    return node;
}

static const nn__states nn__states_calls = {nn__op_state_add, nn__add_continue};

NN_API void nn_use_states(nn_model *net) {
#ifndef NN__ONE_PIECE
    if (net && !nn__model_gone(net, nn__no_site(), "nn_use_states"))
        net->nn->states = &nn__states_calls;
#else
    (void)net, (void)nn__states_calls;
#endif
}

#ifndef NN__ONE_PIECE
static bool nn__op_state_infer(nn__inference *inference) {
    const nn__type *type = (const nn__type *)inference->params;
    if (type->dtype != NN_F32 && type->dtype != NN_I32)
        return nn__problem_set(inference->problem, NN_ERROR_DTYPE, NN__TEXT("NN_F32 or NN_I32"),
                               NN__TEXT("dtype is %s; operations write f32 and i32"),
                               nn_dtype_name(type->dtype));
    return nn__want_state_shape(inference->problem, "the state", type->shape);
}
#endif

NN_API nn_node *nn_state_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                            nn_shape shape) {
    nn__inference inference;
    nn__problem problem;
    nn__type type;
    nn_node *node = nn_input_at(site, net, name, dtype, shape); /* the same checks, and the leaf */
    if (!node || node->poisoned) return node;
    memset(&problem, 0, sizeof problem);
    memset(&inference, 0, sizeof inference);
    type.dtype = node->dtype;
    type.shape = shape;
    inference.params = &type;
    inference.problem = &problem;
#ifdef NN__ONE_PIECE
    nn__problem_set(&problem, NN_ERROR_UNSUPPORTED, "", "");
#else
    nn__op_state_infer(&inference);
#endif
    if (problem.code != NN_OK)
        return nn__poison_problem(net, site, "state", name, NULL, NULL, 0, &problem);
    node->remembers = true;
    net->nn->cross = nn__cross;
    nn__set_operation(node, "state");
    return node;
}
