/* onnx/control.c - If, Loop, Scan and calls of the file's own functions: their graphs are described
   in the place of the node. */
#include "onnx/mapping.h"

/* Most runs of a loop that are described one after the other. */
#define NN__ONNX_RUNS 1024

static const nn__onnx_graph *nn__onnx_graph_of(nn__onnx_node *n, const char *name) {
    const nn__onnx_attribute *found = nn__onnx_attribute_of(n, name);
    if (found && found->graph) return found->graph;
    nn__onnx_refuse(n, NULL, "it has no graph %s", name);
    return NULL;
}

/* Lets result k be a value under its own name. */
static void nn__onnx_give_value(nn__onnx_node *n, int k, const nn__onnx_value *value) {
    const char *name;
    if (!nn__onnx_wants(n, k) || n->refused) return;
    name = n->results[k]->name;
    *n->results[k] = *value;
    n->results[k]->name = name;
}

/* Puts a value into a scope under another name. */
static bool nn__onnx_bind_value(nn__onnx_node *n, nn__onnx_scope *scope, const char *name,
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
        return nn__onnx_refuse(n, NULL, "its graph %s has too few outputs", name);
    for (int k = 0; k < n->result_count; k++) {
        outputs[k] = nn__onnx_need(n->walk, scope, graph->outputs[k].name);
        if (!outputs[k]) return false;
        if (outputs[k]->refused) *refused = true;
    }
    return true;
}

/* Both branches, of which each run takes one result: they must have one shape. */
static void nn__onnx_both(nn__onnx_node *n, nn__onnx_value **then, nn__onnx_value **otherwise) {
    for (int k = 0; k < n->result_count; k++) {
        nn_node *a = nn__onnx_node_of(n, then[k], NN_F32);
        nn_node *b = nn__onnx_node_of(n, otherwise[k], NN_F32);
        if (!a || !b || n->refused) return;
        if (!nn_same_shape(nn_node_shape(a), nn_node_shape(b))) {
            nn__onnx_refuse(n, "fix the input that the condition follows from in .values",
                            "a run would choose between results of different shapes");
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

/* ---- Loop ------------------------------------------------------------------------------------ */

/* A list of what a loop makes in its runs: values of `width` scan outputs for each run. */
typedef struct nn__onnx_runs {
    nn__onnx_value **values;
    int count, width;
} nn__onnx_runs;

/* Joins the values of all runs along a new axis (or `axis`, of Scan), and gives result k. */
static void nn__onnx_join_runs(nn__onnx_node *n, const nn__onnx_runs *runs, int which, int k,
                               int axis, bool reverse) {
    nn_node **nodes;
    nn_nodes list;
    nn__onnx_type dtype;
    if (!nn__onnx_wants(n, k) || n->refused) return;
    if (runs->count == 0) {
        nn__onnx_refuse(n, NULL, "it runs 0 times, and its result %q is empty",
                        n->results[k]->name);
        return;
    }
    nodes = (nn_node **)nn__onnx_scratch(n, (uint64_t)runs->count * sizeof *nodes);
    if (!nodes) return;
    for (int i = 0; i < runs->count; i++) {
        nn__onnx_value *value =
            runs->values[(reverse ? runs->count - 1 - i : i) * runs->width + which];
        nodes[i] = nn__onnx_node_of(n, value, NN_F32);
    }
    dtype = runs->values[which]->dtype;
    list.node = nodes;
    list.count = runs->count;
    if (!n->refused) nn__onnx_give(n, k, nn_stack_at(n->site, n->net, list, axis), dtype);
}

/* One run of a body. in: its operands; out receives its outputs. */
static bool nn__onnx_run_body(nn__onnx_node *n, const nn__onnx_graph *body,
                              nn__onnx_value *const *in, nn__onnx_value **out) {
    nn__onnx_scope *scope = nn__onnx_begin_scope(n->walk, n, n->scope, body);
    if (!scope) return false;
    for (int i = 0; i < body->input_count; i++)
        if (!nn__onnx_bind_value(n, scope, body->inputs[i].name, in[i])) return false;
    for (int i = 0; i < body->output_count; i++) {
        out[i] = nn__onnx_need(n->walk, scope, body->outputs[i].name);
        if (!out[i]) return false;
        if (out[i]->refused) {
            n->refused = true;
            return false;
        }
    }
    return true;
}

/* A whole number or a truth value of the walk's own. */
static nn__onnx_value *nn__onnx_number_value(nn__onnx_node *n, nn__onnx_type type, int64_t number) {
    unsigned char *data;
    nn__onnx_tensor *tensor = nn__onnx_new(n, type, 0, NULL, &data);
    nn__onnx_value *value = (nn__onnx_value *)nn__onnx_scratch(n, sizeof *value);
    if (!tensor || !value) return NULL;
    nn__onnx_put_whole(data, type, 0, number);
    value->name = "";
    value->dtype = type;
    value->known = tensor;
    return value;
}

/* Returns how often a loop runs at most; -1 after a refusal. */
static int64_t nn__onnx_most_runs(nn__onnx_node *n) {
    const nn__onnx_tensor *count = nn__onnx_known(n, 0);
    if (!nn__onnx_has(n, 0)) return INT64_MAX;
    if (!count || count->count != 1) {
        nn__onnx_refuse(n, "if it follows from an input, fix that one in .values",
                        "how often it runs depends on numbers that only a run knows");
        return -1;
    }
    if (nn__onnx_power(count, 0)) {
        nn__onnx_refuse(n, "give that extent a number in .extents",
                        "how often it runs depends on a free extent");
        return -1;
    }
    return nn__onnx_whole(count, 0);
}

/* True if a loop goes on; after a refusal false. */
static bool nn__onnx_goes_on(nn__onnx_node *n, const nn__onnx_value *condition) {
    if (!condition) return true;
    if (!condition->known || condition->known->count != 1 || !condition->known->data)
        return nn__onnx_refuse(n, "if it follows from an input, fix that one in .values",
                               "when it ends depends on numbers that only a run knows");
    return nn__onnx_whole(condition->known, 0) != 0;
}

static void nn__onnx_do_loop(nn__onnx_node *n) {
    const nn__onnx_graph *body = nn__onnx_graph_of(n, "body");
    const int carried = n->operand_count - 2;
    const int64_t most = body ? nn__onnx_most_runs(n) : -1;
    nn__onnx_value **in, **out;
    nn__onnx_runs runs;
    if (most < 0 || carried < 0) return;
    if (body->input_count != carried + 2 || body->output_count < carried + 1 ||
        body->output_count - 1 < n->result_count) {
        nn__onnx_refuse(n, NULL, "its graph has other inputs and outputs than it");
        return;
    }
    memset(&runs, 0, sizeof runs);
    runs.width = body->output_count;
    runs.values = (nn__onnx_value **)nn__onnx_scratch(
        n, (uint64_t)NN__ONNX_RUNS * (uint64_t)runs.width * sizeof *runs.values);
    in = (nn__onnx_value **)nn__onnx_scratch(n, (uint64_t)body->input_count * sizeof *in);
    if (!in || !runs.values) return;
    in[1] = nn__onnx_has(n, 1) ? n->operands[1] : nn__onnx_number_value(n, NN__ONNX_BOOL, 1);
    for (int i = 0; i < carried; i++) in[i + 2] = n->operands[i + 2];
    while (runs.count < most && nn__onnx_goes_on(n, in[1])) {
        if (runs.count == NN__ONNX_RUNS) {
            nn__onnx_refuse(n, NULL, "it runs more than %d times", (int64_t)NN__ONNX_RUNS);
            return;
        }
        out = runs.values + runs.count * runs.width;
        in[0] = nn__onnx_number_value(n, NN__ONNX_INT64, runs.count);
        if (!in[0] || !nn__onnx_run_body(n, body, in, out)) return;
        for (int i = 0; i <= carried; i++) in[i + 1] = out[i];
        runs.count++;
    }
    if (n->refused) return;
    for (int k = 0; k < n->result_count; k++) {
        if (k >= carried)
            nn__onnx_join_runs(n, &runs, k + 1, k, 0, false);
        else if (in[k + 2])
            nn__onnx_give_value(n, k, in[k + 2]);
    }
}

/* ---- functions ------------------------------------------------------------------------------- */

static const nn__onnx_function *nn__onnx_function_of(const nn__onnx_node *n) {
    const nn_onnx *file = n->walk->file;
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
    else
        *done = false;
    return n->walk->call->code == NN_OK;
}
