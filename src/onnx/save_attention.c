/* onnx/save_attention.c - attention, written out. */
#include "onnx/emit.h"

NN__ONNX_PRIVATE nn_shape nn__onnx_four(int32_t a, int32_t b, int32_t c, int32_t d) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 4;
    shape.extent[0] = a;
    shape.extent[1] = b;
    shape.extent[2] = c;
    shape.extent[3] = d;
    return shape;
}

/* For a free extent the positions are a running sum of ones, whose shape every reader knows. */
NN__ONNX_PRIVATE const char *nn__onnx_counted_out(nn__onnx_emitter *e, const nn_shape *shape,
                                                  int axis, double first) {
    const char *ones = nn__onnx_emit(e, "Expand", nn__onnx_real_out(e, 1),
                                     nn__onnx_shape_out(e, shape), NULL, NULL);
    const char *sums = nn__onnx_emit(e, "CumSum", ones, nn__onnx_whole_out(e, axis), NULL, NULL);
    return nn__onnx_emit(e, "Add", sums, nn__onnx_real_out(e, first - 1), NULL, NULL);
}

NN__ONNX_PRIVATE const char *nn__onnx_per_row(nn__onnx_emitter *e, const nn_view *a, int axis) {
    const nn_shape from = nn_node_shape(nn__onnx_node_at(a));
    nn_shape to = nn__onnx_four(from.extent[0], 1, 1, 1);
    if (from.rank > 1) to.extent[axis] = from.extent[1];
    return nn__onnx_reshape_out(e, nn__onnx_in_x(e, a), &from, &to, NULL);
}

/* ---- attention ------------------------------------------------------------------------------- */

typedef struct nn__onnx_attended {
    nn__onnx_emitter *e;
    const nn_attention_args *a;
    int32_t batch, heads, queries, keys; /* N, H, L, S */
    const char *rows, *columns;          /* positions (.., L, 1) and (1, 1, 1, S), once needed */
} nn__onnx_attended;

static const char *nn__onnx_query_places(nn__onnx_attended *t) {
    const nn_shape shape = nn__onnx_four(1, 1, t->queries, 1);
    if (t->rows) return t->rows;
    t->rows = nn__onnx_counted_out(t->e, &shape, 2, (double)t->a->offset);
    if (t->a->positions.dtype)
        t->rows = nn__onnx_emit(t->e, "Add", t->rows, nn__onnx_per_row(t->e, &t->a->positions, 2),
                                NULL, NULL);
    return t->rows;
}

static const char *nn__onnx_key_places(nn__onnx_attended *t) {
    const nn_shape shape = nn__onnx_four(1, 1, 1, t->keys);
    if (!t->columns) t->columns = nn__onnx_counted_out(t->e, &shape, 3, 0);
    return t->columns;
}

/* Returns `condition` and `more`. condition may be NULL. */
static const char *nn__onnx_both_hold(nn__onnx_emitter *e, const char *condition, const char *type,
                                      const char *a, const char *b) {
    const char *more = nn__onnx_emit(e, type, a, b, NULL, NULL);
    return condition ? nn__onnx_emit(e, "And", condition, more, NULL, NULL) : more;
}

/* Returns the mask of the visible keys; NULL: all keys. */
static const char *nn__onnx_seen_keys(nn__onnx_attended *t) {
    const nn_attention_args *a = t->a;
    nn__onnx_emitter *e = t->e;
    const char *seen = NULL, *distance;
    if (a->mask.dtype && a->mask.dtype != NN_F32)
        seen = nn__onnx_cast_to(e, nn__onnx_in(e, &a->mask), NN_BOOL, NULL);
    if (a->causal)
        seen = nn__onnx_both_hold(e, seen, "LessOrEqual", nn__onnx_key_places(t),
                                  nn__onnx_query_places(t));
    if (a->lengths.dtype)
        seen = nn__onnx_both_hold(e, seen, "Less", nn__onnx_key_places(t),
                                  nn__onnx_per_row(e, &a->lengths, 2));
    if (a->starts.dtype)
        seen = nn__onnx_both_hold(e, seen, "GreaterOrEqual", nn__onnx_key_places(t),
                                  nn__onnx_per_row(e, &a->starts, 2));
    if (a->window > 0) {
        distance =
            nn__onnx_emit(e, "Sub", nn__onnx_query_places(t), nn__onnx_key_places(t), NULL, NULL);
        distance = nn__onnx_emit(e, "Abs", distance, NULL, NULL, NULL);
        seen =
            nn__onnx_both_hold(e, seen, "Less", distance, nn__onnx_real_out(e, (double)a->window));
    }
    return seen;
}

/* Returns the slopes of ALiBi, (1, H, 1, 1). */
static const char *nn__onnx_slopes(nn__onnx_attended *t) {
    float *slopes =
        (float *)nn__onnx_take(t->e->call, &t->e->arena, sizeof(float) * (uint64_t)t->heads);
    int power = 1;
    while (2 * power <= t->heads) power *= 2;
    for (int h = 0; h < t->heads && slopes; h++)
        slopes[h] = (float)(h < power ? exp2(-8.0 * (h + 1) / power)
                                      : exp2(-4.0 * (2 * (h - power) + 1) / power));
    return slopes ? nn__onnx_emit_numbers(t->e, "slopes", NN_F32, nn__onnx_four(1, t->heads, 1, 1),
                                          slopes)
                  : "";
}

/* Adds the biases to the scores, one after the other. */
static const char *nn__onnx_masked_scores(nn__onnx_attended *t, const char *scores) {
    const nn_attention_args *a = t->a;
    nn__onnx_emitter *e = t->e;
    const char *seen = nn__onnx_seen_keys(t), *term;
    if (a->alibi) {
        term =
            nn__onnx_emit(e, "Sub", nn__onnx_query_places(t), nn__onnx_key_places(t), NULL, NULL);
        term = nn__onnx_emit(e, "Abs", term, NULL, NULL, NULL);
        term = nn__onnx_emit(e, "Mul", term, nn__onnx_slopes(t), NULL, NULL);
        scores = nn__onnx_emit(e, "Sub", scores, term, NULL, NULL);
    }
    if (a->mask.dtype == NN_F32)
        scores = nn__onnx_emit(e, "Add", scores, nn__onnx_in(e, &a->mask), NULL, NULL);
    if (!seen) return scores;
    term = nn__onnx_emit(e, "Where", seen, nn__onnx_real_out(e, 0),
                         nn__onnx_real_out(e, -(double)INFINITY), NULL);
    return nn__onnx_emit(e, "Add", scores, term, NULL, NULL);
}

/* Repeats each head of (N, K, S, E) for the query heads that share it: (N, H, S, E). */
static const char *nn__onnx_repeated_heads(nn__onnx_attended *t, const char *x, int32_t heads,
                                           int32_t width) {
    nn_shape from, to;
    if (heads == t->heads) return x;
    from = nn__onnx_four(t->batch, heads, t->keys, width);
    memset(&to, 0, sizeof to);
    to.rank = 5;
    to.extent[0] = t->batch;
    to.extent[1] = heads;
    to.extent[2] = 1;
    to.extent[3] = t->keys;
    to.extent[4] = width;
    x = nn__onnx_reshape_out(t->e, x, &from, &to, NULL);
    to.extent[2] = t->heads / heads;
    x = nn__onnx_emit(t->e, "Expand", x, nn__onnx_shape_out(t->e, &to), NULL, NULL);
    from = nn__onnx_four(t->batch, t->heads, t->keys, width);
    return nn__onnx_reshape_out(t->e, x, &to, &from, NULL);
}

NN__ONNX_PRIVATE void nn__onnx_save_attention(nn__onnx_emitter *e, const nn_attention_args *a,
                                              const nn_attention_args *b) {
    static const int32_t inside[] = {0, 2, 1, 3}, keys_inside[] = {0, 2, 3, 1},
                         keys[] = {0, 1, 3, 2};
    const int head = a->heads_inside ? 2 : 1, row = a->heads_inside ? 1 : 2;
    const char *q = nn__onnx_seen_x(e, &a->q, &b->q), *k = nn__onnx_seen_x(e, &a->k, &b->k);
    const char *v = nn__onnx_seen_x(e, &a->v, &b->v), *value;
    const nn_shape query = nn__onnx_shape_seen(e, &a->q, &b->q),
                   key = nn__onnx_shape_seen(e, &a->k, &b->k),
                   want = nn_node_shape(nn__onnx_node_at(&a->y)),
                   y = nn__onnx_shape_seen(e, &a->y, &b->y);
    nn__onnx_attended t;
    memset(&t, 0, sizeof t);
    t.e = e;
    t.a = a;
    t.batch = query.extent[0];
    t.heads = query.extent[head];
    t.queries = query.extent[row];
    t.keys = key.extent[row];
    if (nn__onnx_is_needed(e, &a->log_sum))
        nn__onnx_cannot(e, "another operation reads its log_sum, which an ONNX file cannot give");
    if (a->heads_inside) q = nn__onnx_transposed_axes(e, q, inside, 4, NULL);
    if (a->heads_inside) v = nn__onnx_transposed_axes(e, v, inside, 4, NULL);
    v = nn__onnx_repeated_heads(&t, v, key.extent[head], a->v.shape.extent[3]);
    if (key.extent[head] != t.heads) {
        if (a->heads_inside) k = nn__onnx_transposed_axes(e, k, inside, 4, NULL);
        k = nn__onnx_repeated_heads(&t, k, key.extent[head], key.extent[3]);
    }
    k = nn__onnx_transposed_axes(
        e, k, a->heads_inside && key.extent[head] == t.heads ? keys_inside : keys, 4, NULL);
    value = nn__onnx_emit(e, "MatMul", q, k, NULL, NULL);
    value = nn__onnx_emit(e, "Mul", value, nn__onnx_real_out(e, (double)a->scale), NULL, NULL);
    value = nn__onnx_masked_scores(&t, value);
    nn__onnx_begin_op(e, "Softmax");
    nn__onnx_op_in(e, value);
    nn__onnx_op_int(e, "axis", -1);
    value = nn__onnx_op_end(e, NULL);
    /* where all keys are masked, the softmax of ONNX is 0 / 0, and ours is 0 */
    if (a->mask.dtype || a->lengths.dtype || a->starts.dtype || a->window > 0)
        value = nn__onnx_emit(e, "Where", nn__onnx_emit(e, "IsNaN", value, NULL, NULL, NULL),
                              nn__onnx_real_out(e, 0), value, NULL);
    value = nn__onnx_emit(e, "MatMul", value, v, NULL, NULL);
    if (a->heads_inside) value = nn__onnx_transposed_axes(e, value, inside, 4, NULL);
    nn__onnx_name_out(e, &a->y, nn__onnx_reshape_out(e, value, &y, &want, NULL));
}
