/* onnx/emit.c - operators and values of a file that is being written. */
#include "onnx/proto.h"

NN__ONNX_PRIVATE bool nn__onnx_cannot(nn__onnx_emitter *e, const char *cause, ...) {
    const nn_node_description d = nn_describe_node(e->current);
    va_list arguments;
    if (!nn__onnx_writes_on(e)) return false;
    e->refusal_count++;
    nn__onnx_say(&e->refusals, "\n  %s %q: ", d.operation, nn_node_name(e->current));
    va_start(arguments, cause);
    nn__onnx_say_with(&e->refusals, cause, &arguments);
    va_end(arguments);
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint32_t nn__onnx_slot_of_node(const nn__onnx_node_table *table, const nn_node *node) {
    uint32_t i = (uint32_t)((uintptr_t)node >> 4) * 2654435761u & (table->slots - 1);
    while (table->keys[i] && table->keys[i] != node) i = (i + 1) & (table->slots - 1);
    return i;
}

static bool nn__onnx_more_slots(nn__onnx_emitter *e, nn__onnx_node_table *table) {
    nn__onnx_node_table larger;
    larger.slots = table->slots ? 2 * table->slots : 64;
    larger.used = table->used;
    larger.keys =
        (const nn_node **)nn__onnx_take(e->call, &e->arena, larger.slots * sizeof *larger.keys);
    larger.texts =
        (const char **)nn__onnx_take(e->call, &e->arena, larger.slots * sizeof *larger.texts);
    if (!larger.keys || !larger.texts) return false;
    for (uint32_t i = 0; i < table->slots; i++) {
        if (!table->keys[i]) continue;
        const uint32_t at = nn__onnx_slot_of_node(&larger, table->keys[i]);
        larger.keys[at] = table->keys[i];
        larger.texts[at] = table->texts[i];
    }
    *table = larger;
    return true;
}

NN__ONNX_PRIVATE bool nn__onnx_set_text(nn__onnx_emitter *e, nn__onnx_node_table *table,
                                        const nn_node *node, const char *text) {
    uint32_t at;
    if (e->call->code != NN_OK) return false;
    if (2 * table->used >= table->slots && !nn__onnx_more_slots(e, table)) return false;
    at = nn__onnx_slot_of_node(table, node);
    if (!table->keys[at]) table->used++;
    table->keys[at] = node;
    table->texts[at] = text;
    return true;
}

NN__ONNX_PRIVATE const char *nn__onnx_text_of(const nn__onnx_node_table *table,
                                              const nn_node *node) {
    const char *text =
        node && table->slots ? table->texts[nn__onnx_slot_of_node(table, node)] : NULL;
    return text ? text : "";
}

NN__ONNX_PRIVATE bool nn__onnx_set_value(nn__onnx_emitter *e, const nn_node *node,
                                         const char *value) {
    return nn__onnx_set_text(e, &e->values, node, value);
}

NN__ONNX_PRIVATE const char *nn__onnx_value_of(nn__onnx_emitter *e, const nn_node *node) {
    return nn__onnx_text_of(&e->values, node);
}

NN__ONNX_PRIVATE bool nn__onnx_is_needed(const nn__onnx_emitter *e, const nn_view *view) {
    return view->dtype && *nn__onnx_text_of(&e->needed, nn__onnx_node_at(view));
}

/* Returns a name that a table does not have yet. */
static const char *nn__onnx_name_in(nn__onnx_emitter *e, nn__onnx_map *map, const char *base) {
    for (int64_t i = 1; e->call->code == NN_OK; i++) {
        nn__onnx_message text;
        const char *copy;
        memset(&text, 0, sizeof text);
        nn__onnx_say(&text, "%s", *base ? base : "value");
        if (i > 1) nn__onnx_say(&text, "_%d", i);
        if (nn__onnx_find(map, text.text)) continue;
        copy = nn__onnx_copy_text(e->call, &e->arena, text.text, text.length);
        if (copy && nn__onnx_set(e->call, map, copy, (void *)e)) return copy;
    }
    return "";
}

NN__ONNX_PRIVATE const char *nn__onnx_new_name(nn__onnx_emitter *e, const char *base) {
    return nn__onnx_name_in(e, &e->names, base);
}

NN__ONNX_PRIVATE const char *nn__onnx_in(nn__onnx_emitter *e, const nn_view *view) {
    return nn__onnx_value_of(e, nn__onnx_node_at(view));
}

NN__ONNX_PRIVATE const char *nn__onnx_in_x(nn__onnx_emitter *e, const nn_view *view) {
    const char *value = nn__onnx_in(e, view);
    if (!*value || view->dtype == NN_F32) return value;
    return nn__onnx_cast_to(e, value, NN_F32, NULL);
}

NN__ONNX_PRIVATE const char *nn__onnx_out(nn__onnx_emitter *e, const nn_view *view) {
    const nn_node *node = nn__onnx_node_at(view);
    const char *name;
    if (!node) return "";
    name = nn__onnx_value_of(e, node);
    if (*name) return name;
    name = nn__onnx_new_name(e, nn_node_name(node));
    nn__onnx_set_value(e, node, name);
    return name;
}

/* ---- operators ------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE void nn__onnx_begin_op(nn__onnx_emitter *e, const char *type) {
    e->op_inputs = 0;
    e->op_type = type;
    e->op_name = NULL;
    e->node.size = 0;
}

NN__ONNX_PRIVATE void nn__onnx_begin_function(nn__onnx_emitter *e, const char *type) {
    nn__onnx_begin_op(e, type);
    nn__onnx_field_text(&e->node, 7, "nn.h");
    nn__onnx_set(e->call, &e->functions, type, (void *)e);
}

NN__ONNX_PRIVATE void nn__onnx_op_in(nn__onnx_emitter *e, const char *value) {
    if (e->op_inputs == NN__ONNX_OP_NAMES) {
        nn__onnx_cannot(e, "it has more than %d operands", (int64_t)NN__ONNX_OP_NAMES);
        return;
    }
    e->op_names[e->op_inputs++] = value;
}

NN__ONNX_PRIVATE void nn__onnx_op_layer(nn__onnx_emitter *e, const char *name) {
    e->op_name = nn__onnx_name_in(e, &e->layers, name);
}

/* Types of attributes: AttributeProto.AttributeType. */
enum {
    NN__ONNX_A_REAL = 1,
    NN__ONNX_A_INT,
    NN__ONNX_A_TEXT,
    NN__ONNX_A_INTS = 7,
    NN__ONNX_A_TEXTS
};

static void nn__onnx_begin_attribute(nn__onnx_emitter *e, const char *name, int type) {
    e->piece.size = 0;
    nn__onnx_field_text(&e->piece, 1, name);
    nn__onnx_field_int(&e->piece, 20, type);
}

NN__ONNX_PRIVATE void nn__onnx_op_int(nn__onnx_emitter *e, const char *name, int64_t number) {
    e->op_axis = (int32_t)number;
    nn__onnx_begin_attribute(e, name, NN__ONNX_A_INT);
    nn__onnx_field_int(&e->piece, 3, number);
    nn__onnx_field_message(&e->node, 5, &e->piece);
}

NN__ONNX_PRIVATE void nn__onnx_op_real(nn__onnx_emitter *e, const char *name, double number) {
    nn__onnx_begin_attribute(e, name, NN__ONNX_A_REAL);
    nn__onnx_field_real(&e->piece, 2, (float)number);
    nn__onnx_field_message(&e->node, 5, &e->piece);
}

NN__ONNX_PRIVATE void nn__onnx_op_text(nn__onnx_emitter *e, const char *name, const char *text) {
    nn__onnx_begin_attribute(e, name, NN__ONNX_A_TEXT);
    nn__onnx_field_text(&e->piece, 4, text);
    nn__onnx_field_message(&e->node, 5, &e->piece);
}

NN__ONNX_PRIVATE void nn__onnx_op_ints(nn__onnx_emitter *e, const char *name,
                                       const int32_t *numbers, int count) {
    e->op_order_count = 0;
    for (int i = 0; i < count && i < 2 * NN_COPY_AXES; i++)
        e->op_order[e->op_order_count++] = numbers[i];
    nn__onnx_begin_attribute(e, name, NN__ONNX_A_INTS);
    for (int i = 0; i < count; i++) nn__onnx_field_int(&e->piece, 8, numbers[i]);
    nn__onnx_field_message(&e->node, 5, &e->piece);
}

NN__ONNX_PRIVATE void nn__onnx_op_texts(nn__onnx_emitter *e, const char *name,
                                        const char *const *texts, int count) {
    nn__onnx_begin_attribute(e, name, NN__ONNX_A_TEXTS);
    for (int i = 0; i < count; i++) nn__onnx_field_text(&e->piece, 9, texts[i]);
    nn__onnx_field_message(&e->node, 5, &e->piece);
}

static nn__onnx_emitted *nn__onnx_add_op(nn__onnx_emitter *e) {
    if (e->op_count == e->op_room) {
        const int32_t room = e->op_room ? 2 * e->op_room : 64;
        nn__onnx_emitted *ops =
            (nn__onnx_emitted *)nn__onnx_take(e->call, &e->arena, (uint64_t)room * sizeof *ops);
        if (!ops) return NULL;
        if (e->op_count > 0) memcpy(ops, e->ops, (size_t)e->op_count * sizeof *ops);
        e->ops = ops;
        e->op_room = room;
    }
    return &e->ops[e->op_count++];
}

NN__ONNX_PRIVATE void nn__onnx_op_end_all(nn__onnx_emitter *e, const char *const *out, int count) {
    nn__onnx_emitted *op;
    if (!nn__onnx_writes_on(e)) return;
    while (e->op_inputs > 0 && !*e->op_names[e->op_inputs - 1]) e->op_inputs--;
    op = nn__onnx_add_op(e);
    if (!op) return;
    op->inputs = e->op_inputs;
    op->outputs = count;
    op->needed = false;
    op->names = (const char **)nn__onnx_take(e->call, &e->arena,
                                             (uint64_t)(op->inputs + count) * sizeof *op->names);
    if (!op->names) return;
    for (int i = 0; i < op->inputs; i++) {
        op->names[i] = e->op_names[i];
        nn__onnx_field_text(&e->node, 1, e->op_names[i]);
    }
    for (int i = 0; i < count; i++) {
        op->names[op->inputs + i] = out[i];
        nn__onnx_field_text(&e->node, 2, out[i]);
    }
    for (int i = 0; i < count && !e->op_name; i++)
        if (*out[i]) e->op_name = out[i];
    nn__onnx_field_text(&e->node, 3, e->op_name ? e->op_name : "");
    nn__onnx_field_text(&e->node, 4, e->op_type);
    op->from = e->nodes.size;
    nn__onnx_field_message(&e->nodes, 1, &e->node);
    op->size = e->nodes.size - op->from;
    if (e->nodes.failed || e->node.failed || e->piece.failed)
        nn__onnx_fail(e->call, NN_ERROR_MEMORY, "no memory for the file");
}

NN__ONNX_PRIVATE const char *nn__onnx_op_end(nn__onnx_emitter *e, const char *out) {
    if (!nn__onnx_writes_on(e)) return "";
    if (e->end_op) {
        e->end_op(e);
        return e->op_made;
    }
    if (!out) {
        nn__onnx_message text;
        memset(&text, 0, sizeof text);
        nn__onnx_say(&text, "%s/%s", e->current ? nn_node_name(e->current) : "net", e->op_type);
        out = nn__onnx_new_name(e, text.text);
    }
    nn__onnx_op_end_all(e, &out, 1);
    return out;
}

NN__ONNX_PRIVATE const char *nn__onnx_emit(nn__onnx_emitter *e, const char *type, const char *a,
                                           const char *b, const char *c, const char *out) {
    nn__onnx_begin_op(e, type);
    nn__onnx_op_in(e, a);
    if (b) nn__onnx_op_in(e, b);
    if (c) nn__onnx_op_in(e, c);
    return nn__onnx_op_end(e, out);
}

NN__ONNX_PRIVATE const char *nn__onnx_transposed_axes(nn__onnx_emitter *e, const char *x,
                                                      const int32_t *order, int rank,
                                                      const char *out) {
    nn__onnx_begin_op(e, "Transpose");
    nn__onnx_op_in(e, x);
    nn__onnx_op_ints(e, "perm", order, rank);
    return nn__onnx_op_end(e, out);
}
