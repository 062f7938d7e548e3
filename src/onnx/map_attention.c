/* onnx/map_attention.c - Attention, RotaryEmbedding. */
#include "onnx/parts.h"

/* The operands and extents of an Attention node. */
typedef struct nn__onnx_attention {
    nn_node *q, *k, *v; /* (N, H, L, E), (N, Hk, S, E), or with the heads inside */
    nn_node *bias;      /* what is added to the scores; NULL: nothing */
    int32_t queries, keys, batch;
    bool flat, inside;
} nn__onnx_attention;

/* Returns 0, 1 ... along one axis of a shape of `rank` axes. All other extents are 1. */
static nn_node *nn__onnx_along(nn__onnx_node *n, int32_t extent, int rank, int axis) {
    nn_shape shape;
    nn_node *ones;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    for (int i = 0; i < rank; i++) shape.extent[i] = 1;
    shape.extent[axis] = extent;
    if (extent >= 0) return nn__onnx_numbered(n, extent, shape);
    ones = nn_expand_at(n->site, n->net, nn__onnx_number_node(n, 1), shape);
    ones = nn_cumsum_at(n->site, n->net, ones, axis);
    return nn__onnx_express(n, "x: x - 1", ones, NULL, NULL, 0, 0);
}

/* Returns operand i as (N, H, L, E), or with the heads inside as (N, L, H, E). */
static nn_node *nn__onnx_heads(nn__onnx_node *n, int i, bool flat, bool inside) {
    static const int order[] = {0, 2, 1, 3};
    const nn_shape shape = nn__onnx_shape(n, i);
    const int64_t heads = nn__onnx_int(n, i == 0 ? "q_num_heads" : "kv_num_heads", 0);
    int32_t extents[4];
    nn_node *x = nn__onnx_x(n, i);
    if (!flat) return x;
    if (heads < 1 || shape.rank != 3 || shape.extent[2] < 1 || shape.extent[2] % heads != 0) {
        nn__onnx_refuse(n, NULL,
                        "operand %d is not (batch, length, heads * size) for its number of heads",
                        (int64_t)i);
        return NULL;
    }
    extents[0] = shape.extent[0];
    extents[1] = shape.extent[1];
    extents[2] = (int32_t)heads;
    extents[3] = (int32_t)(shape.extent[2] / heads);
    x = nn__onnx_shaped(n, x, 4, extents);
    return inside ? x : nn__onnx_ordered(n, x, order, 4);
}

/* Joins keys or values to those of the past. Result k receives all of them. */
static nn_node *nn__onnx_with_past(nn__onnx_node *n, nn_node *x, int past, int k) {
    if (nn__onnx_has(n, past)) {
        nn_node *both[2];
        nn_nodes list;
        both[0] = nn__onnx_x(n, past);
        both[1] = x;
        list.node = both;
        list.count = 2;
        x = nn_concat_at(n->site, n->net, list, 2);
    }
    nn__onnx_give(n, k, x, nn__onnx_dtype(n, k));
    return x;
}

/* Returns the mask as numbers that are added to the scores. If the mask is shorter than the keys,
   the remaining keys are masked. NULL: there is none. */
static nn_node *nn__onnx_mask(nn__onnx_node *n, const nn__onnx_attention *a) {
    const nn_shape shape = nn__onnx_shape(n, 3);
    int32_t before[NN_MAX_RANK], after[NN_MAX_RANK];
    nn_node *mask;
    if (!nn__onnx_has(n, 3)) return NULL;
    mask = nn__onnx_x(n, 3);
    if (nn__onnx_dtype(n, 3) == NN__ONNX_BOOL)
        mask = nn__onnx_express(n, "x: x != 0 ? 0 : -inf", mask, NULL, NULL, 0, 0);
    if (shape.rank == 0 || shape.extent[shape.rank - 1] == a->keys) return mask;
    memset(before, 0, sizeof before);
    memset(after, 0, sizeof after);
    after[shape.rank - 1] = a->keys - shape.extent[shape.rank - 1];
    if (a->keys < 0 || shape.extent[shape.rank - 1] < 0) {
        nn__onnx_refuse(n, "give the extents of the keys numbers in .extents",
                        "its mask is shorter than the keys, and an extent is free");
        return NULL;
    }
    return nn__onnx_padded(n, mask, before, after, -INFINITY, NN_PADDING_ZEROS);
}

static nn_node *nn__onnx_masked_by(nn__onnx_node *n, nn_node *bias, const char *text, nn_node *i,
                                   nn_node *j, nn_node *first, double p) {
    nn_node *more = nn__onnx_express(n, text, i, j, first, p, 0);
    return bias ? nn_add_at(n->site, n->net, bias, more) : more;
}

/* Adds the masks of causality and of windows to the bias. first: the position of query 0. */
static void nn__onnx_limits(nn__onnx_node *n, nn__onnx_attention *a, nn_node *first, bool causal) {
    const int64_t left = nn__onnx_int(n, "left_window_size", -1);
    const int64_t right = nn__onnx_int(n, "right_window_size", -1);
    nn_node *i, *j;
    if (!causal && left < 0 && right < 0) return;
    i = nn__onnx_along(n, a->queries, 4, 2);
    j = nn__onnx_along(n, a->keys, 4, 3);
    if (causal)
        a->bias = nn__onnx_masked_by(n, a->bias, "i, j, f: j <= i + f ? 0 : -inf", i, j, first, 0);
    if (left >= 0)
        a->bias = nn__onnx_masked_by(n, a->bias, "i, j, f: i + f - j <= p ? 0 : -inf", i, j, first,
                                     (double)left);
    if (right >= 0)
        a->bias = nn__onnx_masked_by(n, a->bias, "i, j, f: j - i - f <= p ? 0 : -inf", i, j, first,
                                     (double)right);
}

/* Returns the position of query 0 among the keys: the number of past keys, or of valid keys before
   the last queries. */
static nn_node *nn__onnx_first(nn__onnx_node *n, const nn__onnx_attention *a) {
    int32_t extents[4] = {1, 1, 1, 1};
    int32_t past = 0;
    if (nn__onnx_has(n, 6)) {
        nn_node *lengths = nn__onnx_x(n, 6);
        if (a->queries < 0) {
            nn__onnx_refuse(n, "give the extent of the queries a number in .extents",
                            "its positions depend on the number of queries, which is free");
            return NULL;
        }
        lengths = nn__onnx_express(n, "x: x - p", lengths, NULL, NULL, (double)a->queries, 0);
        extents[0] = a->batch;
        return nn__onnx_shaped(n, lengths, 4, extents);
    }
    if (nn__onnx_has(n, 4)) past = nn__onnx_shape(n, 4).extent[2];
    if (past < 0) {
        nn__onnx_refuse(n, "give the extent of the past a number in .extents",
                        "its positions depend on the number of past keys, which is free");
        return NULL;
    }
    return nn__onnx_number_node(n, (double)past);
}

/* Writes attention out in single operations, for softcap or if the scores are a result. */
static nn_node *nn__onnx_attend(nn__onnx_node *n, nn__onnx_attention *a, double scale) {
    const double softcap = nn__onnx_float(n, "softcap", 0);
    const int64_t mode = nn__onnx_int(n, "qk_matmul_output_mode", 0);
    const int heads = nn_node_shape(a->q).extent[1], own = nn_node_shape(a->k).extent[1];
    nn_node *scores, *weights, *most;
    nn_matmul_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.transpose_b = true;
    if (own > 0 && heads > own) {
        a->k = nn_repeat_interleave_at(n->site, n->net, a->k, heads / own, 1);
        a->v = nn_repeat_interleave_at(n->site, n->net, a->v, heads / own, 1);
    }
    scores = nn_matmul_at(n->site, n->net, a->q, a->k, &desc);
    scores = softcap > 0
                 ? nn__onnx_express(n, "x: tanh(x * p / q) * q", scores, NULL, NULL, scale, softcap)
                 : nn__onnx_express(n, "x: x * p", scores, NULL, NULL, scale, 0);
    if (mode < 2) nn__onnx_give(n, 3, scores, nn__onnx_dtype(n, 0));
    if (a->bias) scores = nn_add_at(n->site, n->net, scores, a->bias);
    if (mode == 2) nn__onnx_give(n, 3, scores, nn__onnx_dtype(n, 0));
    weights = nn_softmax_over_at(n->site, n->net, scores, 3);
    if (a->bias) { /* a query that sees no key gives zeros */
        most = nn_reduce_at(n->site, n->net, NN_MAX, scores, nn__onnx_one_axis(3), true);
        weights = nn__onnx_express(n, "x, m: m == -inf ? 0 : x", weights, most, NULL, 0, 0);
    }
    if (mode == 3) nn__onnx_give(n, 3, weights, nn__onnx_dtype(n, 0));
    return nn_matmul_at(n->site, n->net, weights, a->v, NULL);
}

static void nn__onnx_attention_operands(nn__onnx_node *n, nn__onnx_attention *a, bool written) {
    nn_shape shape;
    a->flat = nn__onnx_rank(n, 0) == 3;
    a->inside = a->flat && !written && !nn__onnx_has(n, 4) && !nn__onnx_wants(n, 1) &&
                !nn__onnx_wants(n, 2);
    a->q = nn__onnx_heads(n, 0, a->flat, a->inside);
    a->k = nn__onnx_with_past(n, nn__onnx_heads(n, 1, a->flat, a->inside), 4, 1);
    a->v = nn__onnx_with_past(n, nn__onnx_heads(n, 2, a->flat, a->inside), 5, 2);
    shape = nn_node_shape(a->q);
    a->batch = shape.extent[0];
    a->queries = shape.extent[a->inside ? 1 : 2];
    a->keys = nn_node_shape(a->k).extent[a->inside ? 1 : 2];
}

static void nn__onnx_map_attention(nn__onnx_node *n) {
    static const int order[] = {0, 2, 1, 3};
    const bool window = nn__onnx_int(n, "left_window_size", -1) >= 0 ||
                        nn__onnx_int(n, "right_window_size", -1) >= 0;
    const bool written = nn__onnx_float(n, "softcap", 0) > 0 || nn__onnx_wants(n, 3);
    bool causal = nn__onnx_int(n, "is_causal", 0) != 0, same;
    double scale = nn__onnx_float(n, "scale", 0);
    nn__onnx_attention a;
    nn_scaled_dot_product_attention_desc desc;
    nn_node *y;
    memset(&a, 0, sizeof a);
    memset(&desc, 0, sizeof desc);
    nn__onnx_attention_operands(n, &a, written);
    if (n->refused) return;
    a.bias = nn__onnx_mask(n, &a);
    same =
        nn__onnx_shape(n, 0).extent[a.flat ? 1 : 2] == nn__onnx_shape(n, 1).extent[a.flat ? 1 : 2];
    if (causal && !written && !window && !nn__onnx_has(n, 6) && (!nn__onnx_has(n, 4) || same)) {
        desc.is_causal = true;
        desc.lower_right = nn__onnx_has(n, 4);
        causal = false;
    }
    if (causal || window) nn__onnx_limits(n, &a, nn__onnx_first(n, &a), causal);
    if (nn__onnx_has(n, 6) && written) {
        int32_t extents[4] = {1, 1, 1, 1};
        extents[0] = a.batch;
        a.bias =
            nn__onnx_masked_by(n, a.bias, "j, l: j < l ? 0 : -inf", nn__onnx_along(n, a.keys, 4, 3),
                               nn__onnx_shaped(n, nn__onnx_x(n, 6), 4, extents), NULL, 0);
    }
    if (scale == 0) scale = 1 / sqrt((double)nn_node_shape(a.q).extent[3]);
    desc.attn_mask = a.bias;
    desc.scale = (float)scale;
    desc.heads_inside = a.inside;
    if (nn__onnx_has(n, 6)) desc.lengths = nn__onnx_index(n, 6);
    y = written ? nn__onnx_attend(n, &a, scale)
                : nn_scaled_dot_product_attention_at(n->site, n->net, a.q, a.k, a.v, &desc);
    if (a.flat) {
        nn_shape shape;
        if (!a.inside) y = nn__onnx_ordered(n, y, order, 4);
        shape = nn_node_shape(y);
        shape.extent[2] = shape.extent[2] * shape.extent[3];
        shape.rank = 3;
        y = nn__onnx_reshaped(n, y, shape);
    }
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

/* ---- RotaryEmbedding ------------------------------------------------------------------------- */

/* Returns a table of cosines or sines as (N, L, 1, half), or (1, L, 1, half). */
static nn_node *nn__onnx_rotary_table(nn__onnx_node *n, int i, int half) {
    nn_node *table = nn__onnx_x(n, i);
    nn_shape shape;
    if (nn__onnx_has(n, 3)) {
        const nn_shape places = nn__onnx_shape(n, 3);
        nn_shape line;
        memset(&line, 0, sizeof line);
        line.rank = 1;
        line.extent[0] = nn__onnx_joined(n, &places, 0, places.rank);
        table = nn_index_select_at(n->site, n->net, table, 0,
                                   nn__onnx_reshaped(n, nn__onnx_index(n, 3), line));
        shape = places;
    } else {
        shape = nn__onnx_shape(n, i);
    }
    shape.rank = 4;
    shape.extent[2] = 1;
    shape.extent[3] = half;
    return nn__onnx_reshaped(n, table, shape);
}

/* Rotates the pairs (x1, x2) by the angles of the tables. x1 and x2 are the halves of a row, or its
   even and odd numbers. */
static nn_node *nn__onnx_turned(nn__onnx_node *n, nn_node *x, int turned, bool interleaved) {
    const int half = turned / 2;
    nn_node *x1 =
        interleaved ? nn__onnx_cut(n, x, 3, 0, turned - 1, 2) : nn__onnx_cut(n, x, 3, 0, half, 1);
    nn_node *x2 =
        interleaved ? nn__onnx_cut(n, x, 3, 1, turned, 2) : nn__onnx_cut(n, x, 3, half, turned, 1);
    nn_node *c = nn__onnx_rotary_table(n, 1, half), *s = nn__onnx_rotary_table(n, 2, half);
    nn_node *parts[2];
    nn_nodes list;
    nn_shape shape = nn_node_shape(x);
    nn_node *y;
    parts[0] = nn_subtract_at(n->site, n->net, nn_multiply_at(n->site, n->net, c, x1),
                              nn_multiply_at(n->site, n->net, s, x2));
    parts[1] = nn_add_at(n->site, n->net, nn_multiply_at(n->site, n->net, s, x1),
                         nn_multiply_at(n->site, n->net, c, x2));
    list.node = parts;
    list.count = 2;
    if (!interleaved) return nn_concat_at(n->site, n->net, list, 3);
    shape.extent[3] = turned;
    y = nn_stack_at(n->site, n->net, list, 4);
    return nn__onnx_reshaped(n, y, shape);
}

static void nn__onnx_map_rotary(nn__onnx_node *n) {
    static const int order[] = {0, 2, 1, 3};
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int64_t heads = nn__onnx_int(n, "num_heads", 0);
    int64_t turned = nn__onnx_int(n, "rotary_embedding_dim", 0);
    nn_shape wide = shape;
    nn_node *x = nn__onnx_x(n, 0), *y;
    if (shape.rank == 3) {
        if (heads < 1 || shape.extent[2] < heads || shape.extent[2] % heads != 0) {
            nn__onnx_refuse(n, NULL, "its num_heads does not divide the channels of its input");
            return;
        }
        wide.rank = 4;
        wide.extent[2] = (int32_t)heads;
        wide.extent[3] = (int32_t)(shape.extent[2] / heads);
        x = nn__onnx_reshaped(n, x, wide);
    } else {
        x = nn__onnx_ordered(n, x, order, 4);
        wide = nn_node_shape(x);
    }
    if (turned == 0) turned = wide.extent[3];
    if (turned < 2 || turned > wide.extent[3] || turned % 2 != 0) {
        nn__onnx_refuse(n, NULL,
                        "its rotary_embedding_dim is not an even number up to the size of a head");
        return;
    }
    y = nn__onnx_turned(n, x, (int)turned, nn__onnx_int(n, "interleaved", 0) != 0);
    if (turned < wide.extent[3]) {
        nn_node *parts[2];
        nn_nodes list;
        parts[0] = y;
        parts[1] = nn__onnx_cut(n, x, 3, (int)turned, wide.extent[3], 1);
        list.node = parts;
        list.count = 2;
        y = nn_concat_at(n->site, n->net, list, 3);
    }
    y = shape.rank == 3 ? nn__onnx_reshaped(n, y, shape) : nn__onnx_ordered(n, y, order, 4);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_attention(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Attention", 23, 0, nn__onnx_map_attention, NULL},
        {"", "RotaryEmbedding", 23, 0, nn__onnx_map_rotary, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
