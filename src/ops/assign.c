/* ops/assign.c - writes into a buffer of the model at the end of a training step. plan/plan.c
   says when, and in which plans. */
#include "ops/private.h"

#ifndef NN_NO_TRAINING

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

static const nn__rule nn__rule_assign = {
    "assign",
    NN_KERNEL_STRIDED_COPY,
    NN__EFFECT | NN__STATUS | NN__TRAINING,
    NN_ACTIVATION_NONE,
    nn__op_assign_lower,
    NULL,
    NULL,
    NULL,
    nn__op_assign_writes};

static bool nn__op_assign_infer(nn__inference *inference) {
    const nn_node *buffer = inference->nodes[0], *value = inference->nodes[1];
    nn__problem *problem = inference->problem;
    inference->outputs[0] = inference->inputs[0];
    char have[NN__SHAPE_TEXT], want[NN__SHAPE_TEXT];
    if (buffer->kind != NN__BUFFER)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("describe it with nn_buffer"),
                               NN__TEXT("\"%s\" (%s) is not a buffer"), buffer->name,
                               nn__operation(buffer));
    if (buffer->dtype != NN_F32 && buffer->dtype != NN_I32)
        return nn__problem_set(problem, NN_ERROR_DTYPE, NN__TEXT("a buffer of f32 or i32"),
                               NN__TEXT("the buffer \"%s\" is %s, which no operation writes"),
                               buffer->name, nn_dtype_name(buffer->dtype));
    if (!nn__want_dtype(problem, "assign", "value", value->dtype, buffer->dtype)) return false;
    if (nn_same_shape(buffer->shape, value->shape)) return true;
    return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("reduce or reshape the value"),
                           NN__TEXT("value is %s, but the buffer \"%s\" is %s; they must be equal"),
                           nn__format_shape(value->shape, have, sizeof have), buffer->name,
                           nn__format_shape(buffer->shape, want, sizeof want));
}

/* Faults name the buffer; the node itself has no name. */
static const nn__rule nn__rule_assign_checks = NN__COMPOSED_RULE("assign", nn__op_assign_infer);

/* Assignments run last, one after the other. So if the value is itself a buffer, another
   assignment may already have written it: its old value is copied first. */
static nn_node *nn__op_assign_value(nn_model *net, nn_site site, nn_node *value) {
    const nn_node *leaf = value;
    while (leaf->kind == NN__OPERATION && (leaf->rule->flags & NN__ALIAS)) leaf = leaf->inputs[0];
    if (leaf->kind != NN__BUFFER) return value;
    nn_node *copy = nn__add_transfer(&net->graph, site, value, value->device);
    if (!copy->poisoned) nn__place_like(copy, value);
    return copy;
}

NN_API void nn_assign_at(nn_site site, nn_model *net, nn_node *buffer, nn_node *value) {
    static const char *const roles[] = {"buffer", "value"};
    const char *name = buffer ? buffer->name : NULL;
    nn_node *inputs[2], *node;
    inputs[0] = buffer;
    inputs[1] = value;
    node = nn__build(site, net, &nn__rule_assign_checks, NULL, name, inputs, roles, 2, NULL, 0);
    if (!node || node->poisoned) return;
    inputs[1] = nn__op_assign_value(net, site, value);
    if (inputs[1]->poisoned) return;
    nn__install_strided_copy(net->nn);
    node = nn__add_node(&net->graph, site, &nn__rule_assign, "assign", NULL, inputs, roles, 2,
                        buffer->dtype, buffer->shape, NULL, 0);
    nn__place_like(node, buffer);
}

#endif
