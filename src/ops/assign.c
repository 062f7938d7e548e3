/* ops/assign.c - writes into a buffer of the model at the end of a training step, or into a state
   of the plan at the end of a run. plan/order.c says when, and in which plans. */
#include "ops/assign.h"
#include "ops/private.h"

/* inputs: the buffer, its new value. */
static void nn__op_assign_lower(const nn_node *node, const nn__lowering *lowering, nn__args *args) {
    (void)node;
    nn__op_copy_args(&args->strided_copy, (nn_copy_piece *)lowering->pieces, &lowering->inputs[0],
                     &lowering->inputs[1]);
    args->strided_copy.status = lowering->status;
}

static bool nn__op_assign_writes(const nn_node *node, int input) {
    (void)node;
    return input == 0;
}

#define NN__ASSIGN_RULE(flags)                                                                     \
    {                                                                                              \
        "assign", NN_KERNEL_STRIDED_COPY, NN__EFFECT | (flags), NN_ACTIVATION_NONE,                \
            nn__op_assign_lower, NULL, NULL, NULL, nn__op_assign_writes                            \
    }
#ifndef NN_NO_TRAINING
static const nn__rule nn__rule_assign = NN__ASSIGN_RULE(NN__STATUS | NN__TRAINING);
#endif
static const nn__rule nn__rule_continue = NN__ASSIGN_RULE(NN__CONTINUES);
#undef NN__ASSIGN_RULE

static bool nn__op_assign_target(const nn_node *buffer, nn__problem *problem) {
    if (nn__is_state(buffer) && buffer->continued)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("one nn_assign for each state; layers with .stateful or "
                                        ".streaming write their own"),
                               NN__TEXT("the state \"%s\" is continued already"), buffer->name);
    if (nn__is_state(buffer)) return true;
#ifndef NN_NO_TRAINING
    if (buffer->kind != NN__BUFFER)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                               NN__TEXT("describe it with nn_buffer or nn_state"),
                               NN__TEXT("\"%s\" (%s) is neither a buffer nor a state"),
                               buffer->name, nn__operation(buffer));
    if (buffer->dtype != NN_F32 && buffer->dtype != NN_I32)
        return nn__problem_set(problem, NN_ERROR_DTYPE, NN__TEXT("a buffer of f32 or i32"),
                               NN__TEXT("the buffer \"%s\" is %s, which no operation writes"),
                               buffer->name, nn_dtype_name(buffer->dtype));
    return true;
#else
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("describe it with nn_state"),
                           NN__TEXT("\"%s\" (%s) is not a state"), buffer->name,
                           nn__operation(buffer));
#endif
}

static bool nn__op_assign_infer(nn__inference *inference) {
    const nn_node *buffer = inference->nodes[0], *value = inference->nodes[1];
    nn__problem *problem = inference->problem;
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    inference->outputs[0] = inference->inputs[0];
    if (!nn__op_assign_target(buffer, problem)) return false;
    if (!nn__want_dtype(problem, "assign", "value", value->dtype, buffer->dtype)) return false;
    if (nn_same_shape(buffer->shape, value->shape)) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("reduce or reshape the value"),
                           NN__TEXT("value is %s, but the %s \"%s\" is %s; they must be equal"),
                           nn__format_shape(value->shape, have, sizeof have),
                           nn__is_state(buffer) ? "state" : "buffer", buffer->name,
                           nn__format_shape(buffer->shape, want, sizeof want));
}

/* Faults name the buffer; the node itself has no name. */
static const nn__rule nn__rule_assign_checks = NN__COMPOSED_RULE("assign", nn__op_assign_infer);

/* Assignments run last, one after the other. So if the value is itself a buffer or a state, another
   assignment may already have written it: its old value is copied first. */
NN_PRIVATE nn_node *nn__op_assign_value(nn_model *net, nn_site site, nn_node *value) {
    const nn_node *leaf = value;
    while (leaf->kind == NN__OPERATION && (leaf->rule->flags & NN__ALIAS)) leaf = leaf->inputs[0];
    if (leaf->kind != NN__BUFFER && !nn__is_state(leaf)) return value;
    nn_node *copy = nn__add_transfer(&net->graph, site, value, value->device);
    if (!copy->poisoned) nn__place_like(copy, value);
    return copy;
}

static void nn__op_assign_add(nn_model *net, nn_site site, const nn__rule *rule, nn_node *buffer,
                              nn_node *value) {
    static const char *const roles[] = {"buffer", "value"};
    nn_node *inputs[2], *node;
    inputs[0] = buffer;
    inputs[1] = nn__op_assign_value(net, site, value);
    if (inputs[1]->poisoned) return;
    nn__install_strided_copy(net->nn);
    node = nn__add_node(&net->graph, site, rule, "assign", NULL, inputs, roles, 2, buffer->dtype,
                        buffer->shape, NULL, 0);
    nn__place_like(node, buffer);
    if (nn__is_state(buffer)) buffer->continued = true;
}

NN_PRIVATE void nn__add_continue(nn_model *net, nn_site site, nn_node *state, nn_node *value) {
    if (!state->poisoned && !value->poisoned)
        nn__op_assign_add(net, site, &nn__rule_continue, state, value);
}

NN_API void nn_assign_at(nn_site site, nn_model *net, nn_node *buffer, nn_node *value) {
    static const char *const roles[] = {"buffer", "value"};
    const char *name = buffer ? buffer->name : NULL;
    nn_node *inputs[2], *node;
    inputs[0] = buffer;
    inputs[1] = value;
    node = nn__build(site, net, &nn__rule_assign_checks, NULL, name, inputs, roles, 2, NULL, 0);
    if (!node || node->poisoned) return;
#ifndef NN_NO_TRAINING
    if (!nn__is_state(buffer)) {
        nn__op_assign_add(net, site, &nn__rule_assign, buffer, value);
        return;
    }
#endif
    nn__op_assign_add(net, site, &nn__rule_continue, buffer, value);
}
