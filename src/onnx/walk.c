/* onnx/walk.c - does one node of a graph: computes it, describes it, or refuses it. */
#include "onnx/patterns.h"

NN__ONNX_PRIVATE bool nn__onnx_add_refusal(nn__onnx_walk *walk, const char *type,
                                           const char *subject, const char *cause,
                                           const char *fix) {
    nn__onnx_refusal *refusal;
    for (refusal = walk->refusals; refusal && *type; refusal = refusal->next) {
        if (strcmp(refusal->type, type) != 0 || strcmp(refusal->cause, cause) != 0) continue;
        refusal->more++;
        walk->refusal_count++;
        return false;
    }
    refusal = (nn__onnx_refusal *)nn__onnx_take(walk->call, walk->arena, sizeof *refusal);
    if (!refusal) return false;
    refusal->type = type;
    refusal->subject = nn__onnx_copy_text(walk->call, walk->arena, subject, strlen(subject));
    refusal->cause = nn__onnx_copy_text(walk->call, walk->arena, cause, strlen(cause));
    refusal->fix = fix ? nn__onnx_copy_text(walk->call, walk->arena, fix, strlen(fix)) : NULL;
    if (!refusal->subject || !refusal->cause) return false;
    *walk->last_refusal = refusal;
    walk->last_refusal = &refusal->next;
    walk->refusal_count++;
    return false;
}

NN__ONNX_PRIVATE bool nn__onnx_refuse(nn__onnx_node *n, const char *fix, const char *cause, ...) {
    nn__onnx_message subject, words;
    va_list arguments;
    if (n->refused) return false;
    n->refused = true;
    memset(&subject, 0, sizeof subject);
    memset(&words, 0, sizeof words);
    if (*n->op->domain) nn__onnx_say(&subject, "%s.", n->op->domain);
    nn__onnx_say(&subject, "%s %q", n->op->type,
                 *n->op->name || n->op->output_count == 0 ? n->op->name : n->op->outputs[0]);
    if (n->opset > 0) nn__onnx_say(&subject, " (opset %d)", (int64_t)n->opset);
    va_start(arguments, cause);
    nn__onnx_say_with(&words, cause, &arguments);
    va_end(arguments);
    return nn__onnx_add_refusal(n->walk, n->op->type, subject.text, words.text, fix);
}

/* The opset of a domain in this scope. */
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

/* Collects the newest fault of a report: "  2. conv2d", lines of operands, "     cause: ...". */
typedef struct nn__onnx_fault {
    char line[512];
    size_t length;
    nn__onnx_message cause, fix;
} nn__onnx_fault;

static void nn__onnx_fault_line(nn__onnx_fault *fault) {
    const char *line = fault->line;
    fault->line[fault->length] = 0;
    if (fault->length > 3 && line[2] >= '1' && line[2] <= '9') { /* another fault */
        const char *name = strstr(line, ". ");
        memset(&fault->cause, 0, sizeof fault->cause);
        memset(&fault->fix, 0, sizeof fault->fix);
        if (name) {
            char operation[64];
            size_t length = strcspn(name + 2, " \"");
            if (length >= sizeof operation) length = sizeof operation - 1;
            memcpy(operation, name + 2, length);
            operation[length] = 0;
            nn__onnx_say(&fault->cause, "nn_%s: ", operation);
        }
    } else if (strncmp(line, "     cause: ", 12) == 0) {
        nn__onnx_say(&fault->cause, "%s", line + 12);
    } else if (strncmp(line, "     fix:   ", 12) == 0) {
        nn__onnx_say(&fault->fix, "%s", line + 12);
    }
    fault->length = 0;
}

static void nn__onnx_fault_write(void *user, const char *text, size_t length) {
    nn__onnx_fault *fault = (nn__onnx_fault *)user;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            nn__onnx_fault_line(fault);
        else if (fault->length + 1 < sizeof fault->line)
            fault->line[fault->length++] = text[i];
    }
}

/* Refuses a node because of the newest fault of the trial's model. */
static void nn__onnx_refuse_fault(nn__onnx_node *n) {
    nn__onnx_fault fault;
    nn_writer writer;
    memset(&fault, 0, sizeof fault);
    writer.function = nn__onnx_fault_write;
    writer.user = &fault;
    nn_write_faults(n->net, writer);
    nn__onnx_refuse(n, fault.fix.length > 0 ? fault.fix.text : NULL, "%s",
                    fault.cause.length > 0 ? fault.cause.text : "nn.h finds a mistake in it");
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
    else if (found)
        nn__onnx_refuse(n, "if it follows from an input, fix that one in .values",
                        "its operands are not known while the file is read");
    else if (nn__onnx_is_mapped(op->domain, op->type))
        nn__onnx_refuse(n, NULL, "this operator is another one in opset %d", (int64_t)n->opset);
    else
        nn__onnx_refuse(n, "name values before it in .outputs", "nn.h has no such operator");
    if (nn_fault_count(n->net) > faults && n->walk->trial) nn__onnx_refuse_fault(n);
}

static void nn__onnx_map_group(nn__onnx_node *n, const nn__onnx_pattern *pattern) {
    const int faults = nn_fault_count(n->net);
    pattern->map(n);
    if (nn_fault_count(n->net) > faults && n->walk->trial) nn__onnx_refuse_fault(n);
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
    const bool group = nn__onnx_match(walk, scope, op, &pattern) == NN__ONNX_MATCH;
    bool refused, done = false;
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
        nn__onnx_map_group(&n, &pattern);
    } else if (!refused) {
        if (!nn__onnx_control(&n, &done)) return false;
        if (!done) nn__onnx_map_op(&n);
    }
    for (int32_t i = 0; i < op->output_count; i++) {
        nn__onnx_value *value = n.results[i];
        if (!value || value->refused || (value->known && !n.refused)) continue;
        if (refused || n.refused)
            value->refused = true;
        else if (!value->node) {
            nn__onnx_refuse(&n, NULL, "its result %q cannot be had", value->name);
            value->refused = true;
        }
    }
    return walk->call->code == NN_OK;
}
