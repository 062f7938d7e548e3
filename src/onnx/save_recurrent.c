/* onnx/save_recurrent.c - LSTM, GRU and RNN. A layer of a net is a product of the inputs and a node
   with the steps; ONNX has both in one operator, and the gates in another order. */
#include "onnx/emit.h"

/* Everything of one direction. */
typedef struct nn__onnx_cell_out {
    const nn_recurrent_args *a;
    const nn_node *x, *weight_x, *bias_x; /* of the product; bias_x may be NULL */
    const nn_node *weight_h, *bias_h;
    int gates, hidden, inputs;
} nn__onnx_cell_out;

/* Finds the product that the steps read. False: refused. */
static bool nn__onnx_find_product(nn__onnx_emitter *e, const nn_recurrent_args *a,
                                  nn__onnx_cell_out *cell) {
    const nn_node_description product = nn_describe_node(nn__onnx_node_at(&a->x));
    nn_shape shape;
    memset(cell, 0, sizeof *cell);
    cell->a = a;
    cell->gates = NN_RECURRENT_GATES(a->cell);
    cell->weight_h = nn__onnx_node_at(&a->weight);
    cell->bias_h = nn__onnx_node_at(&a->bias);
    cell->hidden = a->weight.shape.extent[1];
    if (a->projection.dtype) return nn__onnx_cannot(e, "it has a projection, which ONNX lacks");
    if (product.kernel != NN_KERNEL_GEMM || product.input_count < 2)
        return nn__onnx_cannot(e, "its input does not come from the layer's own product");
    cell->x = product.inputs[0];
    cell->weight_x = product.inputs[1];
    cell->bias_x = product.input_count > 2 ? product.inputs[2] : NULL;
    shape = nn_node_shape(cell->weight_x);
    cell->inputs = shape.extent[1];
    if (shape.rank != 2 || shape.extent[0] != cell->gates * cell->hidden ||
        nn_node_shape(cell->x).rank != 3)
        return nn__onnx_cannot(e, "its input does not come from the layer's own product");
    return true;
}

/* Copies rows of gates in ONNX's order: i o f g of an lstm, z r n of a gru. */
static void nn__onnx_put_gates(const nn__onnx_cell_out *cell, const float *from, int width,
                               float *to) {
    static const int orders[3][4] = {{0}, {1, 0, 2}, {0, 3, 1, 2}};
    const int *order = orders[cell->gates == 4 ? 2 : cell->gates == 3 ? 1 : 0];
    const size_t size = (size_t)cell->hidden * (size_t)width;
    for (int gate = 0; gate < cell->gates; gate++)
        memcpy(to + (size_t)gate * size, from + (size_t)order[gate] * size, size * sizeof *to);
}

static const char *nn__onnx_gate_weights(nn__onnx_emitter *e, const nn__onnx_cell_out *cell,
                                         const nn_node *weight, int width) {
    const float *from = nn__onnx_leaf_numbers(e, weight);
    float *to = (float *)nn__onnx_take(e->call, &e->arena,
                                       sizeof(float) * (uint64_t)cell->gates *
                                           (uint64_t)cell->hidden * (uint64_t)width);
    nn_shape shape;
    if (!from || !to) return "";
    nn__onnx_put_gates(cell, from, width, to);
    memset(&shape, 0, sizeof shape);
    shape.rank = 3;
    shape.extent[0] = 1;
    shape.extent[1] = cell->gates * cell->hidden;
    shape.extent[2] = width;
    return nn__onnx_emit_numbers(e, nn_node_name(weight), NN_F32, shape, to);
}

/* Both biases in a row; "": the layer has none. */
static const char *nn__onnx_gate_biases(nn__onnx_emitter *e, const nn__onnx_cell_out *cell) {
    const nn_node *parts[2];
    const int rows = cell->gates * cell->hidden;
    float *to;
    nn_shape shape;
    parts[0] = cell->bias_x;
    parts[1] = cell->bias_h;
    if (!parts[0] && !parts[1]) return "";
    to = (float *)nn__onnx_take(e->call, &e->arena, 2 * sizeof(float) * (uint64_t)rows);
    for (int i = 0; i < 2 && to; i++) {
        const float *from = parts[i] ? nn__onnx_leaf_numbers(e, parts[i]) : NULL;
        if (from) nn__onnx_put_gates(cell, from, 1, to + i * rows);
    }
    if (!to) return "";
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = 1;
    shape.extent[1] = 2 * rows;
    return nn__onnx_emit_numbers(e, nn_node_name(parts[0] ? parts[0] : parts[1]), NN_F32, shape,
                                 to);
}

/* Returns a first state as (1, N, H). */
static const char *nn__onnx_first_state(nn__onnx_emitter *e, const nn__onnx_cell_out *cell,
                                        const nn_view *view) {
    nn_shape from, to;
    if (!view->dtype) return "";
    from = nn_node_shape(nn__onnx_node_at(view));
    memset(&to, 0, sizeof to);
    to.rank = 3;
    to.extent[0] = 1;
    to.extent[1] = nn_node_shape(cell->x).extent[0];
    to.extent[2] = cell->hidden;
    return nn__onnx_reshape_out(e, nn__onnx_in_x(e, view), &from, &to, NULL);
}

/* Returns the layer's name: that of its weight before ".weight_hh". */
static const char *nn__onnx_cell_name(nn__onnx_emitter *e, const nn__onnx_cell_out *cell) {
    const char *name = nn_node_name(cell->weight_h), *end = strstr(name, ".weight");
    return end ? nn__onnx_copy_text(e->call, &e->arena, name, (size_t)(end - name)) : name;
}

/* The state after the last step: (N, H), of an lstm with the cell behind it. */
static void nn__onnx_last_state(nn__onnx_emitter *e, const nn__onnx_cell_out *cell,
                                const char *const *outs) {
    const char *axes = nn__onnx_whole_out(e, 0), *parts[2];
    const char *out = nn__onnx_out(e, &cell->a->state);
    if (cell->gates != 4) {
        nn__onnx_emit(e, "Squeeze", outs[1], axes, NULL, out);
        return;
    }
    parts[0] = nn__onnx_emit(e, "Squeeze", outs[1], axes, NULL, NULL);
    parts[1] = nn__onnx_emit(e, "Squeeze", outs[2], axes, NULL, NULL);
    nn__onnx_begin_op(e, "Concat");
    nn__onnx_op_in(e, parts[0]);
    nn__onnx_op_in(e, parts[1]);
    nn__onnx_op_int(e, "axis", 1);
    nn__onnx_op_end(e, out);
}

NN__ONNX_PRIVATE void nn__onnx_save_recurrent(nn__onnx_emitter *e, const nn_recurrent_args *a,
                                              const nn_recurrent_args *b) {
    static const char *const types[] = {"RNN", "RNN", "GRU", "LSTM"};
    static const int32_t turned[] = {1, 0, 2};
    const char *operands[7], *outs[3], *relu = "Relu", *y;
    nn__onnx_cell_out cell;
    (void)b;
    if (!nn__onnx_find_product(e, a, &cell)) return;
    operands[0] = nn__onnx_value_of(e, cell.x);
    if (nn_node_dtype(cell.x) != NN_F32)
        operands[0] = nn__onnx_cast_to(e, operands[0], NN_F32, NULL);
    operands[0] = nn__onnx_transposed_axes(e, operands[0], turned, 3, NULL);
    operands[1] = nn__onnx_gate_weights(e, &cell, cell.weight_x, cell.inputs);
    operands[2] = nn__onnx_gate_weights(e, &cell, cell.weight_h, cell.hidden);
    operands[3] = nn__onnx_gate_biases(e, &cell);
    operands[4] = nn__onnx_in(e, &a->lengths);
    operands[5] = nn__onnx_first_state(e, &cell, &a->h0);
    operands[6] = nn__onnx_first_state(e, &cell, &a->c0);
    for (int i = 0; i < 3; i++) outs[i] = nn__onnx_new_name(e, "steps");
    nn__onnx_begin_op(e, types[a->cell]);
    nn__onnx_op_layer(e, nn__onnx_cell_name(e, &cell));
    for (int i = 0; i < 7; i++) nn__onnx_op_in(e, operands[i]);
    nn__onnx_op_int(e, "hidden_size", cell.hidden);
    if (a->reverse) nn__onnx_op_text(e, "direction", "reverse");
    if (a->cell == NN_RECURRENT_RELU) nn__onnx_op_texts(e, "activations", &relu, 1);
    if (a->cell == NN_RECURRENT_GRU) nn__onnx_op_int(e, "linear_before_reset", 1);
    nn__onnx_op_end_all(e, outs, cell.gates == 4 ? 3 : 2);
    y = nn__onnx_emit(e, "Squeeze", outs[0], nn__onnx_whole_out(e, 1), NULL, NULL);
    nn__onnx_transposed_axes(e, y, turned, 3, nn__onnx_out(e, &a->y));
    if (nn__onnx_is_needed(e, &a->state)) nn__onnx_last_state(e, &cell, outs);
    if (nn__onnx_is_needed(e, &a->kept) || nn__onnx_is_needed(e, &a->raw))
        nn__onnx_cannot(e, "another operation reads values inside its steps");
}
