/* onnx/integers_lstm.c - DynamicQuantizeLSTM as layers of 8-bit integers. */
#include "onnx/integers.h"

/* What the file has: weights (D, C, 4 H) and (D, H, 4 H), scales (D) or (D, 4 H), biases (D, 8 H),
   with the gates i o f g. */
typedef struct nn__onnx_byte_lstm {
    const nn__onnx_tensor *w[2], *scale[2], *bias;
    int directions, hidden;
} nn__onnx_byte_lstm;

/* True if the operand is absent, or all its numbers are 0. */
static bool nn__onnx_all_zero(const nn__onnx_node *n, int i) {
    double number;
    return !nn__onnx_has(n, i) || (nn__onnx_scalar(n, i, &number) && number == 0);
}

/* Reads weight number i (0: of the inputs, 1: of the state). */
static bool nn__onnx_read_byte_weight(nn__onnx_node *n, nn__onnx_byte_lstm *l, int i, int64_t in) {
    const nn__onnx_tensor *w = nn__onnx_known(n, 1 + i), *s = nn__onnx_known(n, 8 + 2 * i);
    const uint64_t gates = 4 * (uint64_t)l->hidden, directions = (uint64_t)l->directions;
    l->w[i] = w;
    l->scale[i] = s;
    return w && s && w->rank == 3 && w->data && !w->uniform && w->dtype == NN__ONNX_INT8 &&
           w->extent[0] == l->directions && w->extent[1] == in &&
           w->extent[2] == (int64_t)gates && s->data && !s->powers && !s->uniform &&
           (s->count == 1 || s->count == directions || s->count == directions * gates) &&
           nn__onnx_all_zero(n, 9 + 2 * i);
}

static bool nn__onnx_read_byte_lstm(nn__onnx_node *n, nn__onnx_byte_lstm *l) {
    const char *direction = nn__onnx_string(n, "direction", "forward");
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int rank = nn__onnx_rank(n, 2);
    memset(l, 0, sizeof *l);
    if (nn__onnx_known(n, 0) || shape.rank != 3 || rank != 3 || shape.extent[2] < 1) return false;
    l->directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    l->hidden = nn__onnx_shape(n, 2).extent[1];
    l->bias = nn__onnx_known(n, 3);
    if (l->hidden < 1 || nn__onnx_int(n, "hidden_size", l->hidden) != l->hidden) return false;
    if (nn__onnx_has(n, 3) &&
        (!l->bias || !l->bias->data || l->bias->powers ||
         l->bias->count != 8 * (uint64_t)l->hidden * (uint64_t)l->directions))
        return false;
    return nn__onnx_read_byte_weight(n, l, 0, shape.extent[2]) &&
           nn__onnx_read_byte_weight(n, l, 1, l->hidden) && !nn__onnx_has(n, 7) &&
           !(nn__onnx_float(n, "clip", 0) > 0) && nn__onnx_int(n, "input_forget", 0) == 0 &&
           !nn__onnx_attribute_of(n, "activations");
}

/* Returns the column of the file for row `row` of a layer of nn.h: i f g o instead of i o f g. */
static uint64_t nn__onnx_gate_column(const nn__onnx_byte_lstm *l, int row) {
    static const int order[] = {0, 2, 3, 1};
    return (uint64_t)(order[row / l->hidden] * l->hidden + row % l->hidden);
}

/* Loads weight number i of a direction, and its scales, into the buffers of layer `name`. */
static void nn__onnx_load_byte_weight(nn__onnx_node *n, const nn__onnx_byte_lstm *l,
                                      const char *name, int i, int direction) {
    const nn__onnx_tensor *w = l->w[i], *s = l->scale[i];
    const int rows = 4 * l->hidden;
    const uint64_t in = (uint64_t)w->extent[1], all = (uint64_t)rows;
    int64_t extents[2];
    unsigned char *data, *scales;
    nn__onnx_tensor *made, *scale;
    extents[0] = rows;
    extents[1] = (int64_t)in;
    made = nn__onnx_new(n, NN__ONNX_INT8, 2, extents, &data);
    scale = nn__onnx_new(n, NN__ONNX_FLOAT, 1, extents, &scales);
    if (!made || !scale) return;
    made->name = w->name;
    for (int row = 0; row < rows; row++) {
        const uint64_t column = nn__onnx_gate_column(l, row);
        const uint64_t first = (uint64_t)direction * all, all_one = (uint64_t)l->directions;
        const uint64_t at = s->count == 1         ? 0
                            : s->count == all_one ? (uint64_t)direction
                                                  : first + column;
        nn__onnx_put_real(scales, NN__ONNX_FLOAT, (uint64_t)row, nn__onnx_real(s, at));
        for (uint64_t c = 0; c < in; c++)
            data[(uint64_t)row * in + c] = w->data[((uint64_t)direction * in + c) * all + column];
    }
    nn__onnx_load_buffer(n, name, i ? "weight_hh" : "weight_ih", made);
    nn__onnx_load_buffer(n, name, i ? "weight_hh_scale" : "weight_ih_scale", scale);
}

/* Loads the sum of both biases of a direction into the buffer "bias" of layer `name`. */
static void nn__onnx_load_byte_bias(nn__onnx_node *n, const nn__onnx_byte_lstm *l, const char *name,
                                    int direction) {
    const int rows = 4 * l->hidden;
    int64_t extent = rows;
    unsigned char *data;
    nn__onnx_tensor *made = nn__onnx_new(n, NN__ONNX_FLOAT, 1, &extent, &data);
    if (!made) return;
    made->name = l->bias->name;
    for (int row = 0; row < rows; row++) {
        const uint64_t at = (uint64_t)direction * 2 * (uint64_t)rows + nn__onnx_gate_column(l, row);
        nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)row,
                          nn__onnx_real(l->bias, at) +
                              nn__onnx_real(l->bias, at + (uint64_t)rows));
    }
    nn__onnx_load_buffer(n, name, "bias", made);
}

/* Returns a direction of a first state (D, N, H) as (N, H). */
static nn_node *nn__onnx_direction_of(nn__onnx_node *n, nn_node *state, int direction) {
    nn_axes first = nn__onnx_one_axis(0);
    if (!state) return NULL;
    return nn_squeeze_at(n->site, n->net,
                         nn__onnx_cut(n, state, 0, direction, direction + 1, 1), first);
}

static nn_node *nn__onnx_byte_direction(nn__onnx_node *n, const nn__onnx_byte_lstm *l,
                                        const nn__onnx_recurrent *r, const char *base,
                                        nn_node *bytes, nn_node *range, int direction) {
    nn_quantized_lstm_desc desc;
    nn__onnx_message text;
    const char *name;
    memset(&text, 0, sizeof text);
    nn__onnx_say(&text, direction ? "%s_reverse" : "%s", base);
    name = nn__onnx_copy_text(n->walk->call, n->walk->arena, text.text, text.length);
    if (!name) return NULL;
    memset(&desc, 0, sizeof desc);
    desc.hidden_size = l->hidden;
    desc.no_bias = !l->bias;
    desc.reverse = r->reverse || direction == 1;
    desc.h_0 = nn__onnx_direction_of(n, r->h, direction);
    desc.c_0 = nn__onnx_direction_of(n, r->c, direction);
    for (int i = 0; i < 2; i++) nn__onnx_load_byte_weight(n, l, name, i, direction);
    if (l->bias) nn__onnx_load_byte_bias(n, l, name, direction);
    return nn_quantized_lstm_at(n->site, n->net, name, bytes, range, &desc);
}

/* Stacks output k of both directions: (D, N, H). */
static nn_node *nn__onnx_stacked(nn__onnx_node *n, nn_node *const *y, int count, int k) {
    nn_node *states[2];
    nn_nodes list;
    for (int i = 0; i < count; i++) states[i] = nn_output_at(n->site, y[i], k);
    list.node = states;
    list.count = count;
    return nn_stack_at(n->site, n->net, list, 0);
}

NN__ONNX_PRIVATE bool nn__onnx_integer_lstm(nn__onnx_node *n) {
    struct nn__onnx_bytes_of *of;
    nn__onnx_byte_lstm l;
    nn__onnx_recurrent r;
    nn_node *y[2], *bytes;
    nn_nodes both;
    const char *name;
    bool shared;
    if (!nn__onnx_read_byte_lstm(n, &l)) return false;
    memset(&r, 0, sizeof r);
    if (!nn__onnx_read_recurrent(n, &r)) return true;
    if (r.lengths) return false;
    r.hidden = l.hidden;
    of = nn__onnx_bytes_now(n, r.x);
    if (!of) return true;
    bytes = nn__onnx_bytes_node(n, of);
    name = nn__onnx_layer(n, 1, 2, &shared);
    if (shared) name = nn__onnx_unique(n->walk, name);
    for (int i = 0; i < l.directions; i++) {
        y[i] = name ? nn__onnx_byte_direction(n, &l, &r, name, bytes, of->range, i) : NULL;
        if (!y[i]) return true;
    }
    both.node = y;
    both.count = l.directions;
    r.y = l.directions == 2 ? nn_concat_at(n->site, n->net, both, 2) : y[0];
    if (nn__onnx_wants(n, 1)) r.h_n = nn__onnx_stacked(n, y, l.directions, 1);
    if (nn__onnx_wants(n, 2)) r.c_n = nn__onnx_stacked(n, y, l.directions, 2);
    nn__onnx_give_recurrent(n, &r);
    return true;
}
