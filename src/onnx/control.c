/* onnx/control.c - If and calls of the file's own functions: their graphs are described in place
   of the node. */
#include "onnx/mapping.h"

NN__ONNX_PRIVATE const nn__onnx_graph *nn__onnx_graph_of(nn__onnx_node *n, const char *name) {
    const nn__onnx_attribute *found = nn__onnx_attribute_of(n, name);
    if (found && found->graph) return found->graph;
    nn__onnx_refuse(n, NULL, "it has no graph %s", name);
    return NULL;
}

NN__ONNX_PRIVATE void nn__onnx_give_value(nn__onnx_node *n, int k, const nn__onnx_value *value) {
    const char *name;
    if (!nn__onnx_wants(n, k) || n->refused) return;
    name = n->results[k]->name;
    *n->results[k] = *value;
    n->results[k]->name = name;
}

NN__ONNX_PRIVATE bool nn__onnx_bind_value(nn__onnx_node *n, nn__onnx_scope *scope, const char *name,
                                          const nn__onnx_value *from) {
    nn__onnx_value *value = nn__onnx_add_value(n->walk, scope, name);
    if (!value) return false;
    if (from)
        *value = *from;
    else
        value->absent = true;
    value->name = name;
    return true;
}

/* ---- If -------------------------------------------------------------------------------------- */

/* Writes the outputs of a branch. False: an error of the call, or the node is refused. */
static bool nn__onnx_branch(nn__onnx_node *n, const char *name, nn__onnx_value **outputs,
                            bool *refused) {
    const nn__onnx_graph *graph = nn__onnx_graph_of(n, name);
    nn__onnx_scope *scope = graph ? nn__onnx_begin_scope(n->walk, n, n->scope, graph) : NULL;
    if (!scope) return false;
    if (graph->output_count < n->result_count)
        return nn__onnx_refuse(n, NULL, "its graph %s has fewer outputs than the node", name);
    for (int k = 0; k < n->result_count; k++) {
        outputs[k] = nn__onnx_need(n->walk, scope, graph->outputs[k].name);
        if (!outputs[k]) return false;
        if (outputs[k]->refused) *refused = true;
    }
    return true;
}

/* Describes both branches. Each run chooses the result of one, so both must have one shape. */
static void nn__onnx_both(nn__onnx_node *n, nn__onnx_value **then, nn__onnx_value **otherwise) {
    for (int k = 0; k < n->result_count; k++) {
        nn_node *a = nn__onnx_node_of(n, then[k], NN_F32);
        nn_node *b = nn__onnx_node_of(n, otherwise[k], NN_F32);
        if (!a || !b || n->refused) return;
        if (!nn_same_shape(nn_node_shape(a), nn_node_shape(b))) {
            nn__onnx_refuse(n, "give the input that the condition depends on a value in .values",
                            "its two branches give results of different shapes, and the condition "
                            "is known only at run time");
            return;
        }
        nn__onnx_give(n, k, nn_where_at(n->site, n->net, nn__onnx_x(n, 0), a, b), then[k]->dtype);
    }
}

static void nn__onnx_do_if(nn__onnx_node *n) {
    const nn__onnx_tensor *condition = nn__onnx_known(n, 0);
    const uint64_t bytes = (uint64_t)n->result_count * sizeof(nn__onnx_value *);
    nn__onnx_value **then = (nn__onnx_value **)nn__onnx_scratch(n, bytes);
    nn__onnx_value **otherwise = (nn__onnx_value **)nn__onnx_scratch(n, bytes);
    bool refused = false;
    if (!then || !otherwise) return;
    if (condition && condition->count == 1 && condition->data) {
        const bool yes = nn__onnx_whole(condition, 0) != 0;
        if (!nn__onnx_branch(n, yes ? "then_branch" : "else_branch", then, &refused)) return;
        for (int k = 0; k < n->result_count; k++) nn__onnx_give_value(n, k, then[k]);
    } else if (!nn__onnx_has(n, 0)) {
        nn__onnx_refuse(n, NULL, "it has no condition");
    } else {
        if (!nn__onnx_branch(n, "then_branch", then, &refused) ||
            !nn__onnx_branch(n, "else_branch", otherwise, &refused))
            return;
        if (refused)
            n->refused = true; /* its reason is listed */
        else
            nn__onnx_both(n, then, otherwise);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

static const nn__onnx_function *nn__onnx_function_of(const nn__onnx_node *n) {
    const nn_onnx *file = n->walk->file;
    /* functions that nn_save_onnx wrote become the operations that they were */
    if (strcmp(n->op->domain, "nn.h") == 0 && nn__onnx_is_mapped("nn.h", n->op->type)) return NULL;
    for (int i = 0; i < file->function_count; i++)
        if (strcmp(file->functions[i].name, n->op->type) == 0 &&
            strcmp(file->functions[i].domain, n->op->domain) == 0)
            return &file->functions[i];
    return NULL;
}

/* The body sees its operands, and nothing of the graph around the call. */
static void nn__onnx_call_function(nn__onnx_node *n, const nn__onnx_function *function) {
    nn__onnx_scope *scope = nn__onnx_begin_scope(n->walk, n, NULL, &function->body);
    if (!scope) return;
    scope->call = n->op;
    scope->function = function;
    scope->caller = n->scope;
    scope->opset = function->opset;
    for (int i = 0; i < function->body.input_count; i++)
        if (!nn__onnx_bind_value(n, scope, function->body.inputs[i].name,
                                 nn__onnx_has(n, i) ? n->operands[i] : NULL))
            return;
    for (int k = 0; k < n->result_count && k < function->body.output_count; k++) {
        nn__onnx_value *value;
        if (!nn__onnx_wants(n, k)) continue;
        value = nn__onnx_need(n->walk, scope, function->body.outputs[k].name);
        if (!value) return;
        nn__onnx_give_value(n, k, value);
    }
}

NN__ONNX_PRIVATE bool nn__onnx_is_control(const nn__onnx_node *n) {
    const char *type = n->op->type;
    return nn__onnx_function_of(n) ||
           (!*n->op->domain &&
            (strcmp(type, "If") == 0 || strcmp(type, "Loop") == 0 || strcmp(type, "Scan") == 0));
}

NN__ONNX_PRIVATE bool nn__onnx_control(nn__onnx_node *n, bool *done) {
    const nn__onnx_function *function = nn__onnx_function_of(n);
    *done = true;
    if (function)
        nn__onnx_call_function(n, function);
    else if (*n->op->domain)
        *done = false;
    else if (strcmp(n->op->type, "If") == 0)
        nn__onnx_do_if(n);
    else if (strcmp(n->op->type, "Loop") == 0)
        nn__onnx_do_loop(n);
    else if (strcmp(n->op->type, "Scan") == 0)
        nn__onnx_do_scan(n);
    else
        *done = false;
    return n->walk->call->code == NN_OK;
}
