/* onnx/walk.c - processes one node of a graph: computes it, describes it, or refuses it. */
#include "onnx/patterns.h"

/* Returns the opset of a domain in this scope. */
static int32_t nn__onnx_opset_of(const nn__onnx_walk *walk, const nn__onnx_scope *scope,
                                 const char *domain) {
    if (!*domain && scope->opset > 0) return scope->opset;
    for (int32_t i = 0; i < walk->file->opset_count; i++)
        if (strcmp(walk->file->opsets[i].domain, domain) == 0)
            return walk->file->opsets[i].version < 1000000 ? (int32_t)walk->file->opsets[i].version
                                                           : 1000000;
    return 1;
}

/* Fills in operands, which may be those of a pattern, and results. False: no memory. */
static bool nn__onnx_ready(nn__onnx_node *n, const char *const *inputs, int32_t count,
                           bool *refused) {
    nn__onnx_walk *walk = n->walk;
    const nn__onnx_op *op = n->op;
    *refused = false;
    n->operand_count = count;
    n->result_count = op->output_count;
    n->operands = (nn__onnx_value **)nn__onnx_take(walk->call, walk->arena,
                                                   (uint64_t)count * sizeof *n->operands);
    n->results = (nn__onnx_value **)nn__onnx_take(walk->call, walk->arena,
                                                  (uint64_t)op->output_count * sizeof *n->results);
    if (!n->operands || !n->results) return false;
    for (int32_t i = 0; i < count; i++) {
        if (!*inputs[i]) continue;
        n->operands[i] = nn__onnx_see(n->scope, inputs[i]);
        if (!n->operands[i] || n->operands[i]->refused)
            *refused = true;
        else if (n->operands[i]->absent)
            n->operands[i] = NULL;
    }
    for (int32_t i = 0; i < op->output_count; i++) {
        if (!*op->outputs[i]) continue;
        n->results[i] = nn__onnx_add_value(walk, n->scope, op->outputs[i]);
        if (!n->results[i]) return false;
    }
    return true;
}

static void nn__onnx_map_op(nn__onnx_node *n) {
    const int faults = nn_fault_count(n->net);
    const nn__onnx_op *op = n->op;
    const nn__onnx_operator *found = nn__onnx_lookup(op->domain, op->type, n->opset, true);
    if (found && found->fold(n)) return;
    if (n->refused || n->walk->call->code != NN_OK) return;
    if (!found || nn__onnx_lookup(op->domain, op->type, n->opset, false))
        found = nn__onnx_lookup(op->domain, op->type, n->opset, false);
    if (found && found->map)
        found->map(n);
    else
        nn__onnx_refuse_foreign(n);
    if (nn_fault_count(n->net) > faults && n->walk->trial) nn__onnx_refuse_fault(n);
}

static void nn__onnx_map_group(nn__onnx_node *n, const nn__onnx_pattern *pattern) {
    const int faults = nn_fault_count(n->net);
    pattern->map(n);
    if (nn_fault_count(n->net) > faults && n->walk->trial) nn__onnx_refuse_fault(n);
}

/* Reports a node after a refused one as a further reason, if it would be refused with any
   operands. */
static void nn__onnx_say_foreign(nn__onnx_node *n) {
    const nn__onnx_op *op = n->op;
    if (nn__onnx_lookup(op->domain, op->type, n->opset, false) || nn__onnx_is_control(n)) return;
    if (nn__onnx_foreign_kind(op) || !nn__onnx_lookup(op->domain, op->type, n->opset, true))
        nn__onnx_refuse_foreign(n);
}

NN__ONNX_PRIVATE int64_t nn__onnx_uses(const nn__onnx_walk *walk, const char *name) {
    int64_t uses = (int64_t)(uintptr_t)nn__onnx_find(&walk->file->uses, name);
    for (int32_t i = 0; i < walk->output_count && walk->outputs[i]; i++)
        uses += strcmp(walk->outputs[i], name) == 0;
    return uses;
}

NN__ONNX_PRIVATE bool nn__onnx_do(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                  const nn__onnx_op *op) {
    nn__onnx_node n;
    nn__onnx_pattern pattern;
    const bool within = nn__onnx_within_limits(walk);
    const bool group = within && nn__onnx_match(walk, scope, op, &pattern) == NN__ONNX_MATCH;
    bool refused, done = false;
    if (!within) return false;
    memset(&n, 0, sizeof n);
    n.walk = walk;
    n.net = walk->net;
    n.site = walk->site;
    n.op = op;
    n.scope = scope;
    n.opset = nn__onnx_opset_of(walk, scope, op->domain);
    if (!nn__onnx_ready(&n, group ? pattern.inputs : op->inputs,
                        group ? pattern.count : op->input_count, &refused))
        return false;
    if (group) {
        n.op = pattern.named;
        n.pattern_kind = pattern.kind;
        n.pattern_inputs = pattern.inputs;
        nn__onnx_map_group(&n, &pattern);
    } else if (refused) {
        nn__onnx_say_foreign(&n);
    } else {
        if (!nn__onnx_control(&n, &done)) return false;
        if (!done) nn__onnx_map_op(&n);
    }
    for (int32_t i = 0; i < op->output_count; i++) {
        nn__onnx_value *value = n.results[i];
        if (!value || value->refused || (value->known && !n.refused)) continue;
        if (refused || n.refused)
            value->refused = true;
        else if (!value->node) {
            nn__onnx_refuse(&n, NULL, "its output %q is not supported", value->name);
            value->refused = true;
        }
    }
    return walk->call->code == NN_OK;
}
