/* onnx/need.c - finds what a value needs, in any order of the file's nodes, without recursion: only
   graphs inside graphs nest. */
#include "onnx/patterns.h"

NN__ONNX_PRIVATE nn__onnx_value *nn__onnx_see(const nn__onnx_scope *scope, const char *name) {
    nn__onnx_value *value = NULL;
    for (; scope && !value; scope = scope->outer)
        value = (nn__onnx_value *)nn__onnx_find(&scope->values, name);
    return value;
}

NN__ONNX_PRIVATE nn__onnx_value *nn__onnx_add_value(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                                    const char *name) {
    nn__onnx_value *value = (nn__onnx_value *)nn__onnx_take(walk->call, walk->arena, sizeof *value);
    if (!value || !nn__onnx_set(walk->call, &scope->values, name, value)) return NULL;
    value->name = name;
    return value;
}

NN__ONNX_PRIVATE nn__onnx_scope *nn__onnx_begin_scope(nn__onnx_walk *walk, nn__onnx_node *n,
                                                      nn__onnx_scope *outer,
                                                      const nn__onnx_graph *graph) {
    nn__onnx_scope *scope = (nn__onnx_scope *)nn__onnx_take(walk->call, walk->arena, sizeof *scope);
    if (!scope) return NULL;
    scope->outer = outer;
    scope->graph = graph;
    scope->values.arena = walk->arena;
    scope->depth = n ? n->scope->depth + 1 : 0;
    if (outer) {
        scope->opset = outer->opset;
        scope->call = outer->call;
        scope->function = outer->function;
        scope->caller = outer->caller;
    }
    if (scope->depth > NN__ONNX_NESTED) {
        nn__onnx_refuse(n, NULL, "graphs and functions are nested more than %d deep",
                        (int64_t)NN__ONNX_NESTED);
        return NULL;
    }
    scope->states = (uint8_t *)nn__onnx_take(walk->call, walk->arena, (uint64_t)graph->op_count);
    if (!scope->states) return NULL;
    for (int32_t i = 0; i < graph->initializer_count; i++) {
        nn__onnx_tensor *tensor = graph->initializers[i];
        nn__onnx_value *value = nn__onnx_add_value(walk, scope, tensor->name);
        if (!value) return NULL;
        value->known = tensor;
        value->dtype = tensor->dtype;
    }
    return scope;
}

/* ---- the stack ------------------------------------------------------------------------------- */

typedef struct nn__onnx_asked {
    nn__onnx_scope *scope;
    const nn__onnx_op *op;
} nn__onnx_asked;

typedef struct nn__onnx_stack {
    nn__onnx_walk *walk;
    nn__onnx_asked *items;
    uint32_t count, size;
} nn__onnx_stack;

static bool nn__onnx_push(nn__onnx_stack *stack, nn__onnx_scope *scope, const nn__onnx_op *op) {
    if (stack->count == stack->size) {
        const uint32_t size = stack->size ? stack->size * 2 : 64;
        nn__onnx_asked *items = (nn__onnx_asked *)nn__onnx_take(
            stack->walk->call, stack->walk->arena, (uint64_t)size * sizeof *items);
        if (!items) return false;
        if (stack->count > 0) memcpy(items, stack->items, stack->count * sizeof *items);
        stack->items = items;
        stack->size = size;
    }
    stack->items[stack->count].scope = scope;
    stack->items[stack->count++].op = op;
    return true;
}

/* Pushes the node that makes a value, unless it is there already. `inner`: the name may also be one
   of a graph inside, or one that is refused when it is read. */
static bool nn__onnx_push_name(nn__onnx_stack *stack, nn__onnx_scope *scope, const char *name,
                               bool inner) {
    nn__onnx_walk *walk = stack->walk;
    if (!*name) return true;
    for (; scope; scope = scope->outer) {
        const nn__onnx_op *op;
        if (nn__onnx_find(&scope->values, name)) return true;
        op = (const nn__onnx_op *)nn__onnx_find(&scope->graph->producers, name);
        if (!op) continue;
        if (scope->states[op->index] == 0) return nn__onnx_push(stack, scope, op);
        if (scope->states[op->index] == 1 && !inner)
            return nn__onnx_fail(walk->call, NN_ERROR_FORMAT,
                                 "the value %q of %q depends on itself", name, walk->file->label);
        return true;
    }
    if (inner) return true;
    return nn__onnx_fail(walk->call, NN_ERROR_FORMAT,
                         "%q is damaged: the value %q is neither an input nor the output of a node",
                         walk->file->label, name);
}

/* Pushes what the nodes of a graph inside read of the graphs around it. */
static bool nn__onnx_push_captured(nn__onnx_stack *stack, nn__onnx_scope *scope,
                                   const nn__onnx_graph *graph) {
    for (int32_t i = 0; i < graph->output_count; i++)
        if (!nn__onnx_push_name(stack, scope, graph->outputs[i].name, true)) return false;
    for (int32_t i = 0; i < graph->op_count; i++) {
        const nn__onnx_op *op = graph->ops + i;
        for (int32_t k = 0; k < op->input_count; k++)
            if (!nn__onnx_push_name(stack, scope, op->inputs[k], true)) return false;
        for (int32_t k = 0; k < op->attribute_count; k++)
            if (op->attributes[k].graph &&
                !nn__onnx_push_captured(stack, scope, op->attributes[k].graph))
                return false;
    }
    return true;
}

/* Pushes all that a node reads and that is not there yet. Of an If whose condition is known, only
   what its branch reads. */
static bool nn__onnx_push_needs(nn__onnx_stack *stack, nn__onnx_scope *scope,
                                const nn__onnx_op *op) {
    const uint32_t before = stack->count;
    const nn__onnx_value *first;
    const char *branch = NULL;
    nn__onnx_pattern pattern;
    const nn__onnx_match_state state = nn__onnx_match(stack->walk, scope, op, &pattern);
    if (state != NN__ONNX_NO_MATCH) {
        for (int i = pattern.count - 1; i >= 0; i--)
            if (!nn__onnx_push_name(stack, scope, pattern.inputs[i], false)) return false;
        return true;
    }
    for (int32_t i = op->input_count - 1; i >= 0; i--)
        if (!nn__onnx_push_name(stack, scope, op->inputs[i], false)) return false;
    if (stack->count > before) return true;
    first = op->input_count > 0 ? nn__onnx_see(scope, op->inputs[0]) : NULL;
    if (strcmp(op->type, "If") == 0 && first && first->known && first->known->count > 0)
        branch = nn__onnx_whole(first->known, 0) ? "then_branch" : "else_branch";
    for (int32_t i = 0; i < op->attribute_count; i++) {
        const nn__onnx_attribute *attribute = op->attributes + i;
        if (!attribute->graph || (branch && strcmp(attribute->name, branch) != 0)) continue;
        if (!nn__onnx_push_captured(stack, scope, attribute->graph)) return false;
    }
    return true;
}

NN__ONNX_PRIVATE nn__onnx_value *nn__onnx_need(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                               const char *name) {
    nn__onnx_stack stack;
    memset(&stack, 0, sizeof stack);
    stack.walk = walk;
    if (!*name) {
        nn__onnx_fail(walk->call, NN_ERROR_FORMAT,
                      "%q is damaged: a node or output names a value \"\"", walk->file->label);
        return NULL;
    }
    if (!nn__onnx_push_name(&stack, scope, name, false)) return NULL;
    while (stack.count > 0) {
        const nn__onnx_asked top = stack.items[stack.count - 1];
        uint8_t *state = &top.scope->states[top.op->index];
        const uint32_t before = stack.count;
        if (*state == 2) {
            stack.count--;
            continue;
        }
        *state = 1;
        if (!nn__onnx_push_needs(&stack, top.scope, top.op)) return NULL;
        if (stack.count > before) continue;
        if (!nn__onnx_do(walk, top.scope, top.op)) return NULL;
        *state = 2;
        stack.count--;
    }
    return nn__onnx_see(scope, name);
}
