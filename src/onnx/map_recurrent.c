/* onnx/map_recurrent.c - LSTM, GRU and RNN as layers of nn.h. ONNX has the time first and its own
   order of gates; a layer that only goes backwards becomes our layer between two flips. */
#include "onnx/recurrent.h"

static nn_node *nn__onnx_turn(nn__onnx_node *n, nn_node *x) {
    return nn_transpose_at(n->site, n->net, x, 0, 1);
}

/* Returns x, whose axes begin with the time, with the batch as first axis. */
static nn_node *nn__onnx_batch_first(nn__onnx_node *n) {
    static const int order[] = {1, 0, 2};
    const nn__onnx_arranged *arranged;
    nn_node *x = nn__onnx_x(n, 0);
    if (nn__onnx_raw(n, 0) != x) return nn__onnx_turn(n, x); /* it was cast */
    return nn__onnx_permuted(n, 0, order, &arranged);
}

/* True if the numbers of steps are known, and every sample has all steps. */
static bool nn__onnx_all_steps(const nn__onnx_node *n, int i, int32_t steps) {
    double number;
    return nn__onnx_scalar(n, i, &number) && number == steps;
}

NN__ONNX_PRIVATE bool nn__onnx_read_recurrent(nn__onnx_node *n, nn__onnx_recurrent *r) {
    const char *direction = nn__onnx_string(n, "direction", "forward"), *type = n->op->type;
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int rank = nn__onnx_rank(n, 2);
    r->cell = strstr(type, "LSTM")       ? NN__ONNX_LSTM
              : strcmp(type, "GRU") == 0 ? NN__ONNX_GRU
                                         : NN__ONNX_RNN;
    r->gates = r->cell == NN__ONNX_LSTM ? 4 : r->cell == NN__ONNX_GRU ? 3 : 1;
    r->directions = strcmp(direction, "bidirectional") == 0 ? 2 : 1;
    r->reverse = strcmp(direction, "reverse") == 0;
    r->batch_first = nn__onnx_int(n, "layout", 0) != 0;
    r->hidden = (int)nn__onnx_int(n, "hidden_size", 0);
    if (shape.rank != 3 || rank != 3)
        return nn__onnx_refuse(n, NULL, "its input and weights do not have three axes");
    if (r->hidden == 0) r->hidden = nn__onnx_shape(n, 2).extent[2];
    if (r->hidden < 1 || r->hidden > (1 << 24))
        return nn__onnx_refuse(n, NULL, "its hidden_size is not known, or too large");
    r->steps = shape.extent[r->batch_first ? 1 : 0];
    r->batch = shape.extent[r->batch_first ? 0 : 1];
    r->x = r->batch_first ? nn__onnx_x(n, 0) : nn__onnx_batch_first(n);
    if (nn__onnx_has(n, 4) && !nn__onnx_all_steps(n, 4, r->steps))
        r->lengths = nn__onnx_index(n, 4);
    if (nn__onnx_has(n, 5)) r->h = nn__onnx_x(n, 5);
    if (nn__onnx_has(n, 6) && r->cell == NN__ONNX_LSTM) r->c = nn__onnx_x(n, 6);
    if (r->batch_first && r->h) r->h = nn__onnx_turn(n, r->h);
    if (r->batch_first && r->c) r->c = nn__onnx_turn(n, r->c);
    return !n->refused;
}

NN__ONNX_PRIVATE void nn__onnx_give_recurrent(nn__onnx_node *n, const nn__onnx_recurrent *r) {
    static const int order[] = {1, 2, 0, 3};
    const nn__onnx_type dtype = nn__onnx_dtype(n, 0);
    if (nn__onnx_wants(n, 0)) {
        int32_t extents[4];
        nn_shape shape;
        nn_node *y;
        extents[0] = r->batch;
        extents[1] = r->steps;
        extents[2] = r->directions;
        extents[3] = r->hidden;
        y = nn__onnx_shaped(n, r->y, 4, extents);
        shape = y ? nn_node_shape(y) : nn__onnx_shape(n, 0);
        nn__onnx_give(n, 0, r->batch_first ? y : nn__onnx_ordered(n, y, order, 4), dtype);
        if (!r->batch_first && shape.rank == 4)
            nn__onnx_give_arranged(n, 0, nn__onnx_arranged_as(n, r->y, &shape, order));
    }
    if (nn__onnx_wants(n, 1))
        nn__onnx_give(n, 1, r->batch_first ? nn__onnx_turn(n, r->h_n) : r->h_n, dtype);
    if (nn__onnx_wants(n, 2) && r->c_n)
        nn__onnx_give(n, 2, r->batch_first ? nn__onnx_turn(n, r->c_n) : r->c_n, dtype);
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Sets a parameter to the gates of one direction, in PyTorch's order: rows from `first` on of
   `from`, each of `width` numbers. */
static void nn__onnx_load_gates(nn__onnx_node *n, const nn__onnx_recurrent *r, const char *layer,
                                const char *part, int direction, const nn__onnx_tensor *from,
                                int first) {
    static const int orders[3][4] = {{0, 2, 3, 1}, {1, 0, 2}, {0}};
    const int rows = r->gates * r->hidden;
    const uint64_t width = from->rank == 3 ? (uint64_t)from->extent[2] : 1;
    const uint64_t all = (uint64_t)from->extent[1];
    int64_t extents[2];
    unsigned char *data;
    nn__onnx_message name;
    nn__onnx_tensor *made;
    extents[0] = rows;
    extents[1] = (int64_t)width;
    made = nn__onnx_new(n, NN__ONNX_FLOAT, from->rank == 3 ? 2 : 1, extents, &data);
    if (!made) return;
    made->name = from->name;
    for (int row = 0; row < rows; row++) {
        const int gate = orders[r->cell][row / r->hidden];
        const uint64_t at =
            (uint64_t)direction * all + (uint64_t)(first + gate * r->hidden + row % r->hidden);
        for (uint64_t k = 0; k < width; k++)
            nn__onnx_put_real(data, NN__ONNX_FLOAT, (uint64_t)row * width + k,
                              nn__onnx_real(from, at * width + k));
    }
    memset(&name, 0, sizeof name);
    nn__onnx_say(&name, "%s_l0%s", part, direction ? "_reverse" : "");
    nn__onnx_load(n, layer,
                  nn__onnx_copy_text(n->walk->call, n->walk->arena, name.text, name.length), made,
                  NULL);
}

static bool nn__onnx_fits(const nn__onnx_tensor *t, int rank, int64_t a, int64_t b, int64_t c) {
    return t->rank == rank && t->data && t->extent[0] == a && t->extent[1] == b &&
           (rank < 3 || t->extent[2] == c);
}

static bool nn__onnx_recurrent_weights(nn__onnx_node *n, const nn__onnx_recurrent *r,
                                       const char *name, bool shared) {
    const int64_t rows = (int64_t)r->gates * r->hidden;
    const int64_t width = nn_node_shape(r->x).extent[2];
    if (!nn__onnx_fits(r->w, 3, r->directions, rows, width) ||
        !nn__onnx_fits(r->r, 3, r->directions, rows, r->hidden) ||
        (r->b && !nn__onnx_fits(r->b, 2, r->directions, 2 * rows, 0)))
        return nn__onnx_refuse(n, NULL, "the shapes of its weights do not match its gates");
    for (int k = 0; k < r->directions && !shared; k++) {
        nn__onnx_load_gates(n, r, name, "weight_ih", k, r->w, 0);
        nn__onnx_load_gates(n, r, name, "weight_hh", k, r->r, 0);
        if (!r->b) continue;
        nn__onnx_load_gates(n, r, name, "bias_ih", k, r->b, 0);
        nn__onnx_load_gates(n, r, name, "bias_hh", k, r->b, (int)rows);
    }
    return true;
}

/* ---- layers ---------------------------------------------------------------------------------- */

static nn_node *nn__onnx_describe_lstm(nn__onnx_node *n, const nn__onnx_recurrent *r,
                                       const char *name, nn_node *x, bool shared) {
    nn_lstm_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.hidden_size = r->hidden;
    desc.no_bias = !r->b;
    desc.bidirectional = r->directions == 2;
    desc.lengths = r->lengths;
    desc.h_0 = r->h;
    desc.c_0 = r->c;
    desc.shared = shared;
    return nn_lstm_at(n->site, n->net, name, x, &desc);
}

static nn_node *nn__onnx_describe_gru(nn__onnx_node *n, const nn__onnx_recurrent *r,
                                      const char *name, nn_node *x, bool shared) {
    nn_gru_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.hidden_size = r->hidden;
    desc.no_bias = !r->b;
    desc.bidirectional = r->directions == 2;
    desc.lengths = r->lengths;
    desc.h_0 = r->h;
    desc.shared = shared;
    return nn_gru_at(n->site, n->net, name, x, &desc);
}

static nn_node *nn__onnx_describe_rnn(nn__onnx_node *n, const nn__onnx_recurrent *r,
                                      const char *name, nn_node *x, bool shared) {
    nn_rnn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.hidden_size = r->hidden;
    desc.nonlinearity = r->relu ? NN_ACTIVATION_RELU : NN_ACTIVATION_TANH;
    desc.no_bias = !r->b;
    desc.bidirectional = r->directions == 2;
    desc.lengths = r->lengths;
    desc.h_0 = r->h;
    desc.shared = shared;
    return nn_rnn_at(n->site, n->net, name, x, &desc);
}

NN__ONNX_PRIVATE void nn__onnx_recurrent_layer(nn__onnx_node *n, nn__onnx_recurrent *r) {
    bool shared;
    const char *name = nn__onnx_layer(n, 1, 2, &shared);
    nn_node *x = r->x, *y;
    if (!nn__onnx_recurrent_weights(n, r, name, shared)) return;
    if (r->reverse) x = nn_flip_at(n->site, n->net, x, nn__onnx_one_axis(1));
    y = r->cell == NN__ONNX_LSTM  ? nn__onnx_describe_lstm(n, r, name, x, shared)
        : r->cell == NN__ONNX_GRU ? nn__onnx_describe_gru(n, r, name, x, shared)
                                  : nn__onnx_describe_rnn(n, r, name, x, shared);
    r->y = r->reverse ? nn_flip_at(n->site, n->net, y, nn__onnx_one_axis(1)) : y;
    r->h_n = nn_output_at(n->site, y, 1);
    if (r->cell == NN__ONNX_LSTM) r->c_n = nn_output_at(n->site, y, 2);
}

/* ---- which way ------------------------------------------------------------------------------- */

static bool nn__onnx_same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a | 32) != (*b | 32)) return false;
    return *a == *b;
}

/* True if the functions are those of our layers. */
static bool nn__onnx_usual_functions(nn__onnx_node *n, nn__onnx_recurrent *r) {
    static const char *const usual[3][3] = {
        {"Sigmoid", "Tanh", "Tanh"}, {"Sigmoid", "Tanh", NULL}, {"Tanh", NULL, NULL}};
    const nn__onnx_attribute *given = nn__onnx_attribute_of(n, "activations");
    const uint32_t count = r->cell == NN__ONNX_LSTM ? 3 : r->cell == NN__ONNX_GRU ? 2 : 1;
    if (!given || given->count == 0 || !given->texts) return true;
    r->relu = r->cell == NN__ONNX_RNN && nn__onnx_same_word(given->texts[0], "Relu");
    for (uint32_t i = 0; i < given->count; i++) {
        const char *wanted = r->relu ? "Relu" : usual[r->cell][i % count];
        if (!nn__onnx_same_word(given->texts[i], wanted)) return false;
    }
    return given->count == count * (uint32_t)r->directions;
}

static void nn__onnx_map_recurrent(nn__onnx_node *n) {
    nn__onnx_recurrent r;
    bool layer;
    memset(&r, 0, sizeof r);
    if (!nn__onnx_read_recurrent(n, &r)) return;
    r.w = nn__onnx_known(n, 1);
    r.r = nn__onnx_known(n, 2);
    r.b = nn__onnx_known(n, 3);
    layer = nn__onnx_usual_functions(n, &r) && r.w && r.r && (r.b || !nn__onnx_has(n, 3)) &&
            nn__onnx_float(n, "clip", 0) == 0 && !nn__onnx_has(n, 7) &&
            nn__onnx_int(n, "input_forget", 0) == 0 && !(r.reverse && r.lengths);
    if (r.cell == NN__ONNX_GRU && nn__onnx_int(n, "linear_before_reset", 0) == 0) layer = false;
    if (layer)
        nn__onnx_recurrent_layer(n, &r);
    else
        nn__onnx_unroll(n, &r);
    if (!n->refused) nn__onnx_give_recurrent(n, &r);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_recurrent(void) {
    static const nn__onnx_operator lines[] = {{"", "LSTM", 1, 0, nn__onnx_map_recurrent, NULL},
                                              {"", "GRU", 7, 0, nn__onnx_map_recurrent, NULL},
                                              {"", "RNN", 7, 0, nn__onnx_map_recurrent, NULL},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
