/* onnx/save_recurrent.c - LSTM, GRU and RNN. A layer of a net is a product of the inputs and a node
   with the steps; ONNX has both in one operator, and the gates in another order. */
#include "onnx/emit.h"

/* The operands of one direction. */
typedef struct nn__onnx_cell_out {
    nn_recurrent_args a;
    const nn_node *x, *weight_x, *bias_x; /* of the product; bias_x may be NULL */
    const nn_node *weight_h, *bias_h;
    int gates, hidden, inputs;
} nn__onnx_cell_out;

/* An operator: one direction, or both. */
typedef struct nn__onnx_cells_out {
    nn__onnx_cell_out cell[2]; /* cell[1]: backwards */
    int directions;
} nn__onnx_cells_out;

/* Finds the product that the steps read. Returns NULL, or why there is none. */
static const char *nn__onnx_find_product(const nn_recurrent_args *a, nn__onnx_cell_out *cell) {
    const nn_node_description product = nn_describe_node(nn__onnx_node_at(&a->x));
    nn_shape shape;
    memset(cell, 0, sizeof *cell);
    cell->a = *a;
    cell->gates = NN_RECURRENT_GATES(a->cell);
    cell->weight_h = nn__onnx_stored(nn__onnx_node_at(&a->weight));
    cell->bias_h = a->bias.dtype ? nn__onnx_stored(nn__onnx_node_at(&a->bias)) : NULL;
    cell->hidden = a->weight.shape.extent[1];
    if (a->projection.dtype) return "it has a projection, which ONNX lacks";
    if (product.kernel != NN_KERNEL_GEMM || product.input_count < 2)
        return "its input does not come from the layer's own product";
    cell->x = product.inputs[0];
    cell->weight_x = nn__onnx_stored(product.inputs[1]);
    cell->bias_x = product.input_count > 2 ? nn__onnx_stored(product.inputs[2]) : NULL;
    shape = nn_node_shape(cell->weight_x);
    cell->inputs = shape.extent[1];
    return shape.rank != 2 || shape.extent[0] != cell->gates * cell->hidden ||
                   nn_node_shape(cell->x).rank != 3
               ? "its input does not come from the layer's own product"
               : NULL;
}

/* ---- two directions as one operator ---------------------------------------------------------- */

static void nn__onnx_keep_cell(void *user, nn_kernel kernel, const void *args) {
    if (kernel == NN_KERNEL_RECURRENT_FORWARD)
        *(nn_recurrent_args *)user = *(const nn_recurrent_args *)args;
}

/* Reads the steps of another node. False: it has none that can be written. */
static bool nn__onnx_cell_of(nn__onnx_emitter *e, const nn_node *node, nn__onnx_cell_out *cell) {
    nn_recurrent_args a;
    memset(&a, 0, sizeof a);
    if (nn_describe_node(node).kernel != NN_KERNEL_RECURRENT_FORWARD ||
        !*nn__onnx_text_of(&e->needed, node))
        return false;
    if (nn_node_call_at(e->call->site, node, NN__ONNX_B1, NN__ONNX_T1, nn__onnx_keep_cell, &a) !=
        NN_OK) {
        e->call->code = NN_ERROR_MEMORY; /* nn_error has the reason */
        return false;
    }
    return !nn__onnx_find_product(&a, cell);
}

/* True if `other` is "NAME.weight_hh_l0_reverse" where `one` is "NAME.weight_hh_l0". */
static bool nn__onnx_reverse_name(const nn_node *one, const nn_node *other) {
    const char *name = nn_node_name(one), *longer = nn_node_name(other);
    const size_t length = strlen(name);
    return strncmp(name, longer, length) == 0 && strcmp(longer + length, "_reverse") == 0;
}

static bool nn__onnx_same_layer(const nn__onnx_cell_out *one, const nn__onnx_cell_out *other) {
    const nn_recurrent_args *a = &one->a, *b = &other->a;
    return !a->reverse && b->reverse && a->cell == b->cell && one->hidden == other->hidden &&
           one->x == other->x && !one->bias_x == !other->bias_x && !one->bias_h == !other->bias_h &&
           !a->h0.dtype == !b->h0.dtype && !a->c0.dtype == !b->c0.dtype &&
           nn__onnx_node_at(&a->lengths) == nn__onnx_node_at(&b->lengths) &&
           nn__onnx_reverse_name(one->weight_h, other->weight_h);
}

/* True if the node reads the steps or their outputs. */
static bool nn__onnx_reads_steps(const nn_node *node, const nn_node *steps) {
    const nn_node_description d = nn_describe_node(node);
    for (int i = 0; i < d.input_count; i++)
        if (d.inputs[i] == steps || nn_describe_node(d.inputs[i]).owner == steps) return true;
    return false;
}

/* Finds the same layer in the other direction. forward: the current node is the forward one, whose
   values nothing may read before the other node. */
static bool nn__onnx_find_other(nn__onnx_emitter *e, const nn__onnx_cell_out *own,
                                nn__onnx_cell_out *other) {
    const bool forward = !own->a.reverse;
    nn_node *node = nn_next_node(e->net, forward ? e->current : NULL);
    for (; node && node != e->current; node = nn_next_node(e->net, node)) {
        if (nn__onnx_cell_of(e, node, other) &&
            (forward ? nn__onnx_same_layer(own, other) : nn__onnx_same_layer(other, own))) {
            nn_node *read = forward ? NULL : nn_next_node(e->net, node);
            while (read && read != e->current && !nn__onnx_reads_steps(read, node))
                read = nn_next_node(e->net, read);
            return forward || read == e->current;
        }
        if (forward && nn__onnx_reads_steps(node, e->current)) return false;
    }
    return false;
}

/* Returns the node that joins both directions to (N, T, 2 H); NULL: nothing needs it. */
static nn_node *nn__onnx_both_node(const nn__onnx_emitter *e, const nn__onnx_cells_out *cells) {
    nn_node *const one = nn__onnx_node_at(&cells->cell[0].a.y), *const two = nn__onnx_node_at(
                                                                    &cells->cell[1].a.y);
    for (nn_node *node = nn_next_node(e->net, two); node; node = nn_next_node(e->net, node)) {
        const nn_node_description d = nn_describe_node(node);
        const nn_shape shape = nn_node_shape(node);
        if (d.input_count == 2 && d.inputs[0] == one && d.inputs[1] == two &&
            strcmp(d.operation, "concat") == 0 && shape.rank == 3 &&
            shape.extent[2] == 2 * cells->cell[0].hidden && *nn__onnx_text_of(&e->needed, node))
            return node;
    }
    return NULL;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Copies rows of gates in ONNX's order: i o f g of an lstm, z r n of a gru. */
static void nn__onnx_put_gates(const nn__onnx_cell_out *cell, const float *from, int width,
                               float *to) {
    static const int orders[3][4] = {{0}, {1, 0, 2}, {0, 3, 1, 2}};
    const int *order = orders[cell->gates == 4 ? 2 : cell->gates == 3 ? 1 : 0];
    const size_t size = (size_t)cell->hidden * (size_t)width;
    for (int gate = 0; gate < cell->gates; gate++)
        memcpy(to + (size_t)gate * size, from + (size_t)order[gate] * size, size * sizeof *to);
}

/* Returns the shape (directions, rows, width); rank 2: (directions, rows). */
static nn_shape nn__onnx_cell_shape(const nn__onnx_cells_out *cells, int rank, int rows,
                                    int width) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    shape.extent[0] = cells->directions;
    shape.extent[1] = rows;
    shape.extent[2] = rank > 2 ? width : 0;
    return shape;
}

/* Returns the weights of the inputs or, if `hidden` is set, of the states. */
static const char *nn__onnx_gate_weights(nn__onnx_emitter *e, const nn__onnx_cells_out *cells,
                                         bool hidden) {
    const nn__onnx_cell_out *cell = cells->cell;
    const int width = hidden ? cell->hidden : cell->inputs, rows = cell->gates * cell->hidden;
    const uint64_t size = (uint64_t)rows * (uint64_t)width;
    float *to = (float *)nn__onnx_take(e->call, &e->arena,
                                       sizeof(float) * size * (uint64_t)cells->directions);
    for (int d = 0; d < cells->directions && to; d++) {
        const float *from = nn__onnx_leaf_numbers(e, hidden ? cell[d].weight_h : cell[d].weight_x);
        if (!from) return "";
        nn__onnx_put_gates(cell, from, width, to + (uint64_t)d * size);
    }
    if (!to) return "";
    return nn__onnx_emit_numbers(e, nn_node_name(hidden ? cell->weight_h : cell->weight_x), NN_F32,
                                 nn__onnx_cell_shape(cells, 3, rows, width), to);
}

/* Returns both biases, one after the other; "": the layer has none. */
static const char *nn__onnx_gate_biases(nn__onnx_emitter *e, const nn__onnx_cells_out *cells) {
    const nn__onnx_cell_out *cell = cells->cell;
    const int rows = cell->gates * cell->hidden;
    float *to;
    if (!cell->bias_x && !cell->bias_h) return "";
    to = (float *)nn__onnx_take(e->call, &e->arena,
                                2 * sizeof(float) * (uint64_t)rows * (uint64_t)cells->directions);
    if (!to) return "";
    for (int i = 0; i < 2 * cells->directions; i++) {
        const nn__onnx_cell_out *of = &cell[i / 2];
        const nn_node *part = i % 2 ? of->bias_h : of->bias_x;
        const float *from = part ? nn__onnx_leaf_numbers(e, part) : NULL;
        if (from) nn__onnx_put_gates(cell, from, 1, to + i * rows);
    }
    return nn__onnx_emit_numbers(e, nn_node_name(cell->bias_x ? cell->bias_x : cell->bias_h),
                                 NN_F32, nn__onnx_cell_shape(cells, 2, 2 * rows, 0), to);
}

/* Returns elements [from, from + count) along `axis`. */
static const char *nn__onnx_part_out(nn__onnx_emitter *e, const char *x, int32_t from,
                                     int32_t count, int axis, const char *out) {
    const char *lists[3];
    lists[0] = nn__onnx_whole_out(e, from);
    lists[1] = nn__onnx_whole_out(e, from + count);
    lists[2] = nn__onnx_whole_out(e, axis);
    nn__onnx_begin_op(e, "Slice");
    nn__onnx_op_in(e, x);
    for (int i = 0; i < 3; i++) nn__onnx_op_in(e, lists[i]);
    return nn__onnx_op_end(e, out);
}

/* Returns the first h or c of one direction as (1, N, H). Both of an lstm may be in one node (N, 2
   H). */
static const char *nn__onnx_first_state(nn__onnx_emitter *e, const nn__onnx_cell_out *cell,
                                        bool c) {
    const bool lstm = cell->gates == 4;
    const nn_view *view = c && cell->a.c0.dtype ? &cell->a.c0 : &cell->a.h0;
    const char *value;
    nn_shape from, to;
    if (!view->dtype || (c && !lstm)) return "";
    from = nn_node_shape(nn__onnx_node_at(view));
    value = nn__onnx_in_x(e, view);
    if (from.rank == 2 && from.extent[1] == 2 * cell->hidden) {
        value = nn__onnx_part_out(e, value, c ? cell->hidden : 0, cell->hidden, 1, NULL);
        from.extent[1] = cell->hidden;
    } else if (c && !cell->a.c0.dtype) {
        return "";
    }
    memset(&to, 0, sizeof to);
    to.rank = 3;
    to.extent[0] = 1;
    to.extent[1] = nn_node_shape(cell->x).extent[0];
    to.extent[2] = cell->hidden;
    return nn__onnx_reshape_out(e, value, &from, &to, NULL);
}

/* Returns the node of which both first states are slices; NULL: there is none. */
static const nn_node *nn__onnx_states_node(const nn__onnx_cells_out *cells, bool c) {
    const nn_node *whole[2];
    for (int d = 0; d < 2; d++) {
        const nn_recurrent_args *a = &cells->cell[d].a;
        const nn_node_description slice = nn_describe_node(nn__onnx_node_at(c ? &a->c0 : &a->h0));
        whole[d] = slice.input_count == 1 && strcmp(slice.operation, "slice") == 0 ? slice.inputs[0]
                                                                                   : NULL;
    }
    return whole[0] && whole[0] == whole[1] && nn_node_shape(whole[0]).rank == 3 &&
                   nn_node_shape(whole[0]).extent[0] == 2
               ? whole[0]
               : NULL;
}

/* Returns the first h or c as (directions, N, H). */
static const char *nn__onnx_first_states(nn__onnx_emitter *e, const nn__onnx_cells_out *cells,
                                         bool c) {
    const nn_node *whole = cells->directions == 2 ? nn__onnx_states_node(cells, c) : NULL;
    const char *parts[2];
    if (whole) return nn__onnx_value_of(e, whole);
    for (int d = 0; d < cells->directions; d++)
        parts[d] = nn__onnx_first_state(e, &cells->cell[d], c);
    if (cells->directions == 1 || !*parts[0]) return parts[0];
    nn__onnx_begin_op(e, "Concat");
    for (int d = 0; d < 2; d++) nn__onnx_op_in(e, parts[d]);
    nn__onnx_op_int(e, "axis", 0);
    return nn__onnx_op_end(e, NULL);
}

/* Returns the layer's name: that of its weight before ".weight_hh". */
static const char *nn__onnx_cell_name(nn__onnx_emitter *e, const nn__onnx_cell_out *cell) {
    const char *name = nn_node_name(cell->weight_h), *end = strstr(name, ".weight");
    return end ? nn__onnx_copy_text(e->call, &e->arena, name, (size_t)(end - name)) : name;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Gives the state after the last step: (N, H); for an lstm, the cell follows it. */
static void nn__onnx_last_state(nn__onnx_emitter *e, const nn__onnx_cells_out *cells, int d,
                                const char *const *outs) {
    const nn__onnx_cell_out *cell = &cells->cell[d];
    const char *axes = nn__onnx_whole_out(e, 0), *parts[2];
    const char *out = nn__onnx_out(e, &cell->a.state);
    const int count = cell->gates == 4 ? 2 : 1;
    for (int i = 0; i < count; i++) {
        parts[i] = outs[1 + i];
        if (cells->directions == 2) parts[i] = nn__onnx_part_out(e, parts[i], d, 1, 0, NULL);
        parts[i] = nn__onnx_emit(e, "Squeeze", parts[i], axes, NULL, count == 1 ? out : NULL);
    }
    if (count == 1) return;
    nn__onnx_begin_op(e, "Concat");
    nn__onnx_op_in(e, parts[0]);
    nn__onnx_op_in(e, parts[1]);
    nn__onnx_op_int(e, "axis", 1);
    nn__onnx_op_end(e, out);
}

/* Gives y, which is (T, directions, N, H), as (N, T, directions H) and for each direction alone. */
static void nn__onnx_steps_out(nn__onnx_emitter *e, const nn__onnx_cells_out *cells,
                               const char *steps) {
    static const int32_t turned[] = {1, 0, 2}, sides[] = {2, 0, 1, 3}, flat[] = {0, 0, -1};
    const int hidden = cells->cell[0].hidden;
    nn_node *both;
    const char *y;
    if (cells->directions == 1) {
        y = nn__onnx_emit(e, "Squeeze", steps, nn__onnx_whole_out(e, 1), NULL, NULL);
        nn__onnx_transposed_axes(e, y, turned, 3, nn__onnx_out(e, &cells->cell[0].a.y));
        return;
    }
    both = nn__onnx_both_node(e, cells);
    y = nn__onnx_transposed_axes(e, steps, sides, 4, NULL);
    y = nn__onnx_emit(e, "Reshape", y, nn__onnx_wholes_out(e, flat, 3), NULL,
                      both && *nn__onnx_value_of(e, both) ? nn__onnx_value_of(e, both) : NULL);
    if (both) {
        nn__onnx_set_value(e, both, y);
        nn__onnx_set_text(e, &e->needed, both, NN__ONNX_WRITTEN);
    }
    for (int d = 0; d < 2; d++)
        nn__onnx_part_out(e, y, d * hidden, hidden, 2, nn__onnx_out(e, &cells->cell[d].a.y));
}

static void nn__onnx_write_cells(nn__onnx_emitter *e, const nn__onnx_cells_out *cells) {
    static const char *const types[] = {"RNN", "RNN", "GRU", "LSTM"};
    static const int32_t turned[] = {1, 0, 2};
    const nn__onnx_cell_out *cell = cells->cell;
    const nn_recurrent_args *a = &cell->a;
    const char *operands[7], *outs[3], *relus[2] = {"Relu", "Relu"};
    operands[0] = nn__onnx_value_of(e, cell->x);
    if (nn_node_dtype(cell->x) != NN_F32)
        operands[0] = nn__onnx_cast_to(e, operands[0], NN_F32, NULL);
    operands[0] = nn__onnx_transposed_axes(e, operands[0], turned, 3, NULL);
    operands[1] = nn__onnx_gate_weights(e, cells, false);
    operands[2] = nn__onnx_gate_weights(e, cells, true);
    operands[3] = nn__onnx_gate_biases(e, cells);
    operands[4] = nn__onnx_in(e, &a->lengths);
    operands[5] = nn__onnx_first_states(e, cells, false);
    operands[6] = nn__onnx_first_states(e, cells, true);
    for (int i = 0; i < 3; i++) outs[i] = nn__onnx_new_name(e, "steps");
    nn__onnx_begin_op(e, types[a->cell]);
    nn__onnx_op_layer(e, nn__onnx_cell_name(e, cell));
    for (int i = 0; i < 7; i++) nn__onnx_op_in(e, operands[i]);
    nn__onnx_op_int(e, "hidden_size", cell->hidden);
    if (cells->directions == 2)
        nn__onnx_op_text(e, "direction", "bidirectional");
    else if (a->reverse)
        nn__onnx_op_text(e, "direction", "reverse");
    if (a->cell == NN_RECURRENT_RELU) nn__onnx_op_texts(e, "activations", relus, cells->directions);
    if (a->cell == NN_RECURRENT_GRU) nn__onnx_op_int(e, "linear_before_reset", 1);
    nn__onnx_op_end_all(e, outs, cell->gates == 4 ? 3 : 2);
    nn__onnx_steps_out(e, cells, outs[0]);
    for (int d = 0; d < cells->directions; d++) {
        const nn_recurrent_args *of = &cell[d].a;
        if (nn__onnx_is_needed(e, &of->state)) nn__onnx_last_state(e, cells, d, outs);
        if (nn__onnx_is_needed(e, &of->kept) || nn__onnx_is_needed(e, &of->raw))
            nn__onnx_cannot(e, "another operation reads values inside its steps");
    }
}

/* Both directions of a layer are written at the node of the second one. */
NN__ONNX_PRIVATE void nn__onnx_save_recurrent(nn__onnx_emitter *e, const nn_recurrent_args *a,
                                              const nn_recurrent_args *b) {
    nn__onnx_cells_out cells;
    const char *cause = nn__onnx_find_product(a, &cells.cell[0]);
    (void)b;
    if (cause) {
        nn__onnx_cannot(e, cause);
        return;
    }
    cells.directions = 1;
    if (nn__onnx_find_other(e, &cells.cell[0], &cells.cell[1])) {
        const nn__onnx_cell_out forward = cells.cell[1];
        if (!a->reverse) {
            nn__onnx_out(e, &a->y); /* y gets its name now, and its operator later */
            return;
        }
        cells.cell[1] = cells.cell[0];
        cells.cell[0] = forward;
        cells.directions = 2;
    }
    nn__onnx_write_cells(e, &cells);
}
