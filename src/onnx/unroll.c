/* onnx/unroll.c - recurrent layers step by step, for what nn.h's layers do not have: a GRU whose
   reset comes before the product, peepholes, coupled gates, limits, other functions, computed
   weights. */
#include "onnx/recurrent.h"

enum { NN__ONNX_UNROLLED = 4096 }; /* most steps */

/* One direction while it is written out. */
typedef struct nn__onnx_unrolled {
    nn__onnx_recurrent *r;
    nn_node *input;      /* (N, T, G H): the products with x, and the biases that are added */
    nn_node *recurrence; /* (G H, H) */
    nn_node *late;       /* the bias of a GRU's last gate that its reset multiplies; or NULL */
    nn_node *peepholes;  /* (3 H): of the gates i, o, f; or NULL */
    nn_node *h, *c;      /* (N, H) */
    const char *functions[3];
    double clip;
    bool coupled, before; /* input_forget; linear_before_reset */
} nn__onnx_unrolled;

static nn_node *nn__onnx_apply(nn__onnx_node *n, const nn__onnx_unrolled *u, int which,
                               nn_node *x) {
    static const char *const texts[][2] = {{"Sigmoid", "x: sigmoid(x)"},
                                           {"Tanh", "x: tanh(x)"},
                                           {"Relu", "x: relu(x)"},
                                           {"HardSigmoid", "x: clamp(0.2 * x + 0.5, 0, 1)"},
                                           {"LeakyRelu", "x: x < 0 ? 0.01 * x : x"},
                                           {"ThresholdedRelu", "x: x > 1 ? x : 0"},
                                           {"Elu", "x: elu(x, 1)"},
                                           {"Softsign", "x: x / (1 + abs(x))"},
                                           {"Softplus", "x: softplus(x)"}};
    if (u->clip > 0 && which < 2) /* not the cells on their way to the output */
        x = nn__onnx_express(n, "x: clamp(x, q, p)", x, NULL, NULL, u->clip, -u->clip);
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *a = texts[i][0], *b = u->functions[which];
        while (*a && *b && (*a | 32) == (*b | 32)) a++, b++;
        if (*a == *b) return nn__onnx_express(n, texts[i][1], x, NULL, NULL, 0, 0);
    }
    nn__onnx_refuse(n, NULL, "its activation %s is not supported", u->functions[which]);
    return NULL;
}

/* Returns gate g of (N, G H). */
static nn_node *nn__onnx_gate(nn__onnx_node *n, const nn__onnx_unrolled *u, nn_node *x, int g) {
    const int hidden = u->r->hidden;
    return u->r->gates == 1 ? x : nn__onnx_cut(n, x, 1, g * hidden, (g + 1) * hidden, 1);
}

/* Adds peephole p times the cells. */
static nn_node *nn__onnx_peep(nn__onnx_node *n, const nn__onnx_unrolled *u, nn_node *x, nn_node *c,
                              int p) {
    const int hidden = u->r->hidden;
    if (!u->peepholes) return x;
    return nn__onnx_express(n, "x, c, p: x + c * p", x, c,
                            nn__onnx_cut(n, u->peepholes, 0, p * hidden, (p + 1) * hidden, 1), 0,
                            0);
}

static void nn__onnx_lstm_step(nn__onnx_node *n, nn__onnx_unrolled *u, nn_node *x, nn_node **h,
                               nn_node **c) {
    nn_node *sum, *i, *o, *f, *g;
    sum = nn_add_at(n->site, n->net, x,
                    nn_matmul_at(n->site, n->net, u->h,
                                 nn_transpose_at(n->site, n->net, u->recurrence, 0, 1), NULL));
    i = nn__onnx_apply(n, u, 0, nn__onnx_peep(n, u, nn__onnx_gate(n, u, sum, 0), u->c, 0));
    f = u->coupled
            ? nn__onnx_express(n, "x: 1 - x", i, NULL, NULL, 0, 0)
            : nn__onnx_apply(n, u, 0, nn__onnx_peep(n, u, nn__onnx_gate(n, u, sum, 2), u->c, 2));
    g = nn__onnx_apply(n, u, 1, nn__onnx_gate(n, u, sum, 3));
    *c = nn_add_at(n->site, n->net, nn_multiply_at(n->site, n->net, f, u->c),
                   nn_multiply_at(n->site, n->net, i, g));
    o = nn__onnx_apply(n, u, 0, nn__onnx_peep(n, u, nn__onnx_gate(n, u, sum, 1), *c, 1));
    *h = nn_multiply_at(n->site, n->net, o, nn__onnx_apply(n, u, 2, *c));
}

/* Describes a step of a GRU: h = (1 - z) g + z h. The reset gate r multiplies h, or the product of
   h with its weight. */
static nn_node *nn__onnx_gru_step(nn__onnx_node *n, nn__onnx_unrolled *u, nn_node *x) {
    const int hidden = u->r->hidden;
    nn_matmul_desc turned;
    nn_node *two, *last, *product, *z, *r, *g;
    memset(&turned, 0, sizeof turned);
    turned.transpose_b = true;
    two = nn__onnx_cut(n, u->recurrence, 0, 0, 2 * hidden, 1);
    last = nn__onnx_cut(n, u->recurrence, 0, 2 * hidden, 3 * hidden, 1);
    product = nn_matmul_at(n->site, n->net, u->h, two, &turned);
    product = nn_add_at(n->site, n->net, nn__onnx_cut(n, x, 1, 0, 2 * hidden, 1), product);
    product = nn__onnx_apply(n, u, 0, product);
    z = nn__onnx_cut(n, product, 1, 0, hidden, 1);
    r = nn__onnx_cut(n, product, 1, hidden, 2 * hidden, 1);
    g = u->before ? u->h : nn_multiply_at(n->site, n->net, r, u->h);
    g = nn_matmul_at(n->site, n->net, g, last, &turned);
    if (u->late) g = nn_add_at(n->site, n->net, g, u->late);
    if (u->before) g = nn_multiply_at(n->site, n->net, r, g);
    g = nn__onnx_apply(n, u, 1, nn_add_at(n->site, n->net, nn__onnx_gate(n, u, x, 2), g));
    return nn__onnx_express(n, "z, g, h: (1 - z) * g + z * h", z, g, u->h, 0, 0);
}

static nn_node *nn__onnx_rnn_step(nn__onnx_node *n, nn__onnx_unrolled *u, nn_node *x) {
    nn_matmul_desc turned;
    nn_node *product;
    memset(&turned, 0, sizeof turned);
    turned.transpose_b = true;
    product = nn_matmul_at(n->site, n->net, u->h, u->recurrence, &turned);
    return nn__onnx_apply(n, u, 0, nn_add_at(n->site, n->net, x, product));
}

/* Describes the step at time t. Returns its row of y. */
static nn_node *nn__onnx_step_at(nn__onnx_node *n, nn__onnx_unrolled *u, int32_t t) {
    const nn__onnx_recurrent *r = u->r;
    nn_node *x = nn__onnx_cut(n, u->input, 1, t, t + 1, 1), *h, *c = NULL, *inside;
    int32_t extents[2];
    extents[0] = r->batch;
    extents[1] = r->gates * r->hidden;
    x = nn__onnx_shaped(n, x, 2, extents);
    if (r->cell == NN__ONNX_LSTM)
        nn__onnx_lstm_step(n, u, x, &h, &c);
    else
        h = r->cell == NN__ONNX_GRU ? nn__onnx_gru_step(n, u, x) : nn__onnx_rnn_step(n, u, x);
    if (!r->lengths) {
        u->h = h;
        u->c = c;
        return h;
    }
    extents[1] = 1;
    inside = nn_cast_at(n->site, n->net, r->lengths, NN_F32);
    inside = nn__onnx_express(n, "l: l > p ? 1 : 0", nn__onnx_shaped(n, inside, 2, extents), NULL,
                              NULL, (double)t, 0);
    u->h = nn__onnx_express(n, "i, x, y: i > 0 ? x : y", inside, h, u->h, 0, 0);
    if (c) u->c = nn__onnx_express(n, "i, x, y: i > 0 ? x : y", inside, c, u->c, 0, 0);
    return nn__onnx_express(n, "i, x: i > 0 ? x : 0", inside, h, NULL, 0, 0);
}

/* Returns direction k of an operand whose first axis counts directions, without that axis. */
static nn_node *nn__onnx_part(nn__onnx_node *n, nn_node *x, int k, int directions) {
    if (directions > 1) x = nn__onnx_cut(n, x, 0, k, k + 1, 1);
    return nn_squeeze_at(n->site, n->net, x, nn__onnx_one_axis(0));
}

static nn_node *nn__onnx_zero_state(nn__onnx_node *n, const nn__onnx_recurrent *r) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 2;
    shape.extent[0] = r->batch;
    shape.extent[1] = r->hidden;
    return nn_expand_at(n->site, n->net, nn__onnx_number_node(n, 0), shape);
}

/* Sets u->input to the products with x for all steps at once, with both biases. The second bias of
   a GRU's last gate becomes u->late instead. */
static void nn__onnx_unrolled_input(nn__onnx_node *n, nn__onnx_unrolled *u, nn_node *w,
                                    nn_node *b) {
    const nn__onnx_recurrent *r = u->r;
    const int rows = r->gates * r->hidden, most = r->cell == NN__ONNX_GRU ? 2 * r->hidden : rows;
    nn_matmul_desc turned;
    memset(&turned, 0, sizeof turned);
    turned.transpose_b = true;
    u->input = nn_matmul_at(n->site, n->net, r->x, w, &turned);
    if (!b) return;
    u->input = nn_add_at(n->site, n->net, u->input, nn__onnx_cut(n, b, 0, 0, rows, 1));
    if (r->cell == NN__ONNX_GRU) {
        nn_node *parts[2];
        nn_nodes list;
        u->late = nn__onnx_cut(n, b, 0, rows + most, 2 * rows, 1);
        parts[0] = nn__onnx_cut(n, b, 0, rows, rows + most, 1);
        parts[1] = nn__onnx_express(n, "x: 0 * x", u->late, NULL, NULL, 0, 0);
        list.node = parts;
        list.count = 2;
        b = nn_concat_at(n->site, n->net, list, 0);
    } else {
        b = nn__onnx_cut(n, b, 0, rows, 2 * rows, 1);
    }
    u->input = nn_add_at(n->site, n->net, u->input, b);
}

/* Reads the functions of direction k. False: refused. */
static bool nn__onnx_functions(nn__onnx_node *n, nn__onnx_unrolled *u, int k) {
    static const char *const usual[3][3] = {
        {"Sigmoid", "Tanh", "Tanh"}, {"Sigmoid", "Tanh", "Tanh"}, {"Tanh", "Tanh", "Tanh"}};
    const uint32_t count = u->r->cell == NN__ONNX_LSTM ? 3 : u->r->cell == NN__ONNX_GRU ? 2 : 1;
    const nn__onnx_attribute *given = nn__onnx_attribute_of(n, "activations");
    if (nn__onnx_attribute_of(n, "activation_alpha") || nn__onnx_attribute_of(n, "activation_beta"))
        return nn__onnx_refuse(n, NULL, "its activation_alpha or activation_beta is not supported");
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t at = (uint32_t)k * count + i;
        u->functions[i] = usual[u->r->cell][i];
        if (given && given->texts && i < count && at < given->count)
            u->functions[i] = given->texts[at];
    }
    return true;
}

static void nn__onnx_unroll_direction(nn__onnx_node *n, nn__onnx_unrolled *u, int k,
                                      nn_node **rows) {
    const nn__onnx_recurrent *r = u->r;
    const bool back = r->reverse || k == 1;
    u->h = r->h ? nn__onnx_part(n, r->h, k, r->directions) : nn__onnx_zero_state(n, r);
    u->c = r->cell != NN__ONNX_LSTM ? NULL
           : r->c                   ? nn__onnx_part(n, r->c, k, r->directions)
                                    : nn__onnx_zero_state(n, r);
    for (int32_t i = 0; i < r->steps && nn__onnx_within_limits(n->walk); i++) {
        const int32_t t = back ? r->steps - 1 - i : i;
        rows[t] = nn__onnx_step_at(n, u, t);
    }
}

/* Joins nodes along a new axis, or along an old one. */
static nn_node *nn__onnx_joined_rows(nn__onnx_node *n, nn_node **rows, int count, int axis,
                                     bool fresh) {
    nn_nodes list;
    list.node = rows;
    list.count = count;
    if (count == 1) return fresh ? nn_unsqueeze_at(n->site, n->net, rows[0], axis) : rows[0];
    return fresh ? nn_stack_at(n->site, n->net, list, axis)
                 : nn_concat_at(n->site, n->net, list, axis);
}

NN__ONNX_PRIVATE void nn__onnx_unroll(nn__onnx_node *n, nn__onnx_recurrent *r) {
    nn_node *w, *hh, *b, *p, *y[2], *h[2], *c[2], **rows;
    const char *name;
    bool shared;
    if (r->steps < 1 || r->steps > NN__ONNX_UNROLLED) {
        nn__onnx_refuse(n, "give the extent of the time a number in .extents",
                        r->steps < 0
                            ? "it must be unrolled, and the extent of its time axis is free"
                            : "it must be unrolled, and has too many steps");
        return;
    }
    rows = (nn_node **)nn__onnx_scratch(n, (uint64_t)r->steps * sizeof *rows);
    name = nn__onnx_layer(n, 1, 2, &shared);
    w = nn__onnx_trained(n, 1, name, "weight_ih");
    hh = nn__onnx_trained(n, 2, name, "weight_hh");
    b = nn__onnx_has(n, 3) ? nn__onnx_trained(n, 3, name, "bias") : NULL;
    p = r->cell == NN__ONNX_LSTM && nn__onnx_has(n, 7) ? nn__onnx_trained(n, 7, name, "peephole")
                                                       : NULL;
    for (int k = 0; k < r->directions && rows && !n->refused; k++) {
        nn__onnx_unrolled u;
        memset(&u, 0, sizeof u);
        u.r = r;
        u.clip = nn__onnx_float(n, "clip", 0);
        u.coupled = nn__onnx_int(n, "input_forget", 0) != 0;
        u.before = nn__onnx_int(n, "linear_before_reset", 0) != 0;
        if (!nn__onnx_functions(n, &u, k)) return;
        u.recurrence = nn__onnx_part(n, hh, k, r->directions);
        u.peepholes = p ? nn__onnx_part(n, p, k, r->directions) : NULL;
        nn__onnx_unrolled_input(n, &u, nn__onnx_part(n, w, k, r->directions),
                                b ? nn__onnx_part(n, b, k, r->directions) : NULL);
        nn__onnx_unroll_direction(n, &u, k, rows);
        y[k] = nn__onnx_joined_rows(n, rows, r->steps, 1, true);
        h[k] = u.h;
        c[k] = u.c;
    }
    if (n->refused || !rows) return;
    r->y = nn__onnx_joined_rows(n, y, r->directions, 2, false);
    r->h_n = nn__onnx_joined_rows(n, h, r->directions, 0, true);
    if (r->cell == NN__ONNX_LSTM) r->c_n = nn__onnx_joined_rows(n, c, r->directions, 0, true);
}
