/* graph/inspect.c - what a model's nodes are and what they compute. Nothing else calls these
   functions, so a program that does not use them does not contain them. */
#include "graph/inspect.h"
#include "graph/private.h"

NN_API nn_node *nn_next_node(const nn_model *net, const nn_node *after) {
    if (after) return after->poisoned ? NULL : after->next;
    return nn__model_gone(net, nn__no_site(), "nn_next_node") ? NULL : net->graph.first;
}

static nn_node_kind nn__inspect_kind(const nn_node *node) {
    if (node->poisoned) return NN_NODE_NONE;
    switch (node->kind) {
    case NN__OPERATION: return NN_NODE_OPERATION;
    case NN__INPUT: return NN_NODE_INPUT;
    case NN__PARAMETER: return NN_NODE_PARAMETER;
    case NN__CONSTANT: return NN_NODE_CONSTANT;
    case NN__BORROWED: return NN_NODE_TENSOR;
    case NN__OUTPUT: return NN_NODE_OUTPUT;
    case NN__BUFFER: return NN_NODE_BUFFER;
    default: return NN_NODE_NONE; /* states are a trainer's */
    }
}

/* True if a plan that does not train has no kernel for the operation. */
static bool nn__inspect_alias(const nn_node *node) {
    return node->rule->kernel == NN_KERNEL_NONE ||
           (node->rule->flags & (NN__ALIAS | NN__WHEN_TRAINING));
}

static void nn__inspect_operation(const nn_node *node, nn_node_description *to) {
    const nn_node *of = node->owner ? node->owner : node;
    to->operation = of->rule->name;
#ifndef NN_NO_REPORTS
    to->operation = of->operation;
#endif
    to->owner = node->owner ? node->owner : (nn_node *)node;
    for (const nn_node *other = of; other != node && other; other = other->more) to->output++;
    if (node->owner) return;
    to->inputs = node->inputs;
    to->input_count = node->input_count;
    for (const nn_node *other = node; other; other = other->more) to->output_count++;
    to->alias = nn__inspect_alias(node);
    if (!to->alias) to->kernel = node->rule->kernel;
    to->effect = nn__has_effect(node);
    to->remembers = node->remembers;
}

NN_API nn_node_description nn_describe_node(const nn_node *node) {
    nn_node_description to;
    memset(&to, 0, sizeof to);
    to.operation = "";
    if (node) to.kind = nn__inspect_kind(node);
    if (to.kind == NN_NODE_NONE) return to;
    to.site = node->site;
    if (to.kind == NN_NODE_OPERATION || to.kind == NN_NODE_OUTPUT) {
        nn__inspect_operation(node, &to);
        return to;
    }
#ifndef NN_NO_REPORTS
    to.operation = node->operation;
#endif
    to.tensor = node->tensor;
    to.frozen = node->frozen;
    return to;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Fills in the view of a node's value, whose handle is the node. */
static void nn__inspect_view(const nn_node *node, const nn__run_values *run, nn_view *view) {
    nn__resolve_shape(&view->shape, &node->shape, run->batch, run->time);
    view->dtype = node->dtype;
    view->handle = (void *)node;
}

/* Room for the arguments of one call. */
typedef struct nn__inspect_room {
    nn__args args;
    nn__run_values run;
    nn__lowering lowering;
} nn__inspect_room;

static nn_result nn__inspect_call(nn_site site, const nn_node *node, int batch, int time,
                                  void (*each)(void *user, nn_kernel kernel, const void *args),
                                  void *user) {
    nn_context *nn = node->graph->nn;
    const size_t inputs = sizeof(nn_view) * (size_t)nn__maxi(1, node->input_count),
                 bytes = sizeof(nn__inspect_room) + inputs +
                         sizeof(nn_copy_piece) * (size_t)nn__piece_room(node);
    nn__inspect_room *room = (nn__inspect_room *)nn__allocate(&nn->memory, bytes);
    if (!room)
        return nn__fail_at(nn, site, NN_ERROR_MEMORY,
                           "nn_node_call: no memory for the arguments of %s \"%s\"",
                           nn__operation(node), node->name);
    nn_view *views = (nn_view *)(void *)(room + 1);
    room->run.batch = batch ? batch : 1;
    room->run.time = time ? time : 1;
    room->run.seed = node->graph->model->seed;
    for (int i = 0; i < node->input_count; i++)
        nn__inspect_view(node->inputs[i], &room->run, &views[i]);
    room->lowering.inputs = views;
    room->lowering.values = &room->run;
    room->lowering.pieces = (char *)views + inputs;
    nn__inspect_view(node, &room->run, &room->lowering.output);
    const nn_node *more = node->more;
    for (int k = 0; k < NN__MAX_OUTPUTS - 1 && more; k++, more = more->more)
        nn__inspect_view(more, &room->run, &room->lowering.more[k]);
    node->rule->lower(node, &room->lowering, &room->args);
    each(user, node->rule->kernel, &room->args);
    nn__release(&nn->memory, room, bytes);
    return NN_OK;
}

NN_API nn_result nn_node_call_at(nn_site site, const nn_node *node, int batch, int time,
                                 void (*each)(void *user, nn_kernel kernel, const void *args),
                                 void *user) {
    nn_context *nn = node ? node->graph->nn : NULL;
    if (!node || !each)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_node_call: %s is NULL",
                           node ? "each" : "node");
    const nn_node_description d = nn_describe_node(node);
    if (d.kernel == NN_KERNEL_NONE)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_node_call: \"%s\" (%s) has no kernel; nn_describe_node(node).kernel "
                           "says which nodes have one",
                           node->name, node->poisoned ? "a fault" : d.operation);
    if (batch < 0 || time < 0)
        return nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                           "nn_node_call: the batch is %d and the time %d; wanted numbers from 1 "
                           "on, or 0 for 1",
                           batch, time);
    return nn__inspect_call(site, node, batch, time, each, user);
}
