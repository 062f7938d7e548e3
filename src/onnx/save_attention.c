/* onnx/save_attention.c - attention, written out, and rotary positions. */
#include "onnx/emit.h"

static nn_shape nn__onnx_four(int32_t a, int32_t b, int32_t c, int32_t d) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = 4;
    shape.extent[0] = a;
    shape.extent[1] = b;
    shape.extent[2] = c;
    shape.extent[3] = d;
    return shape;
}

/* 0, 1, 2 ... along one axis of a shape that is 1 elsewhere. A free extent needs a running sum, of
   which everyone knows the shape. */
static const char *nn__onnx_counted_out(nn__onnx_emitter *e, const nn_shape *shape, int axis,
                                        double first) {
    const char *ones = nn__onnx_emit(e, "Expand", nn__onnx_real_out(e, 1),
                                     nn__onnx_shape_out(e, shape), NULL, NULL);
    const char *sums = nn__onnx_emit(e, "CumSum", ones, nn__onnx_whole_out(e, axis), NULL, NULL);
    return nn__onnx_emit(e, "Add", sums, nn__onnx_real_out(e, first - 1), NULL, NULL);
}

/* i32 numbers of samples, or of samples and rows, as f32 (N, 1, L or 1, 1). */
static const char *nn__onnx_per_row(nn__onnx_emitter *e, const nn_view *a, int axis) {
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

/* condition and `more`, of which the first may be NULL. */
static const char *nn__onnx_both_hold(nn__onnx_emitter *e, const char *condition, const char *type,
                                      const char *a, const char *b) {
    const char *more = nn__onnx_emit(e, type, a, b, NULL, NULL);
    return condition ? nn__onnx_emit(e, "And", condition, more, NULL, NULL) : more;
}

/* Which keys are seen; NULL: all. */
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

/* Slopes of ALiBi, (1, H, 1, 1). */
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

/* What is added to the scores, one after the other. */
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

/* (N, K, S, E) with each head as often as queries share it: (N, H, S, E). */
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
    value = nn__onnx_emit(e, "MatMul", value, v, NULL, NULL);
    if (a->heads_inside) value = nn__onnx_transposed_axes(e, value, inside, 4, NULL);
    nn__onnx_name_out(e, &a->y, nn__onnx_reshape_out(e, value, &y, &want, NULL));
}

/* ---- rotary positions ------------------------------------------------------------------------ */

/* Returns the frequency of pair `pair`, as kernels/rotary/args.h says. */
static double nn__onnx_frequency(const nn_rotary_args *a, int pair) {
    const double f = pow((double)a->base, -2.0 * pair / a->width);
    const double slow = f / (double)a->factor;
    if (!a->original) return slow;
    const double turns = (double)a->original * f / 6.283185307179586;
    if (turns < (double)a->low) return slow;
    if (turns > (double)a->high) return f;
    const double part = (turns - (double)a->low) / ((double)a->high - (double)a->low);
    return (1 - part) * slow + part * f;
}

/* Cosines or sines of rows whose positions are known, from angles in double. */
static const char *nn__onnx_known_waves(nn__onnx_emitter *e, const nn_rotary_args *a, int32_t rows,
                                        bool sine) {
    const int half = a->width / 2;
    float *numbers =
        (float *)nn__onnx_take(e->call, &e->arena, sizeof(float) * (uint64_t)rows * (uint64_t)half);
    nn_shape shape = nn__onnx_four(1, 1, 1, half);
    if (!numbers) return "";
    for (int32_t i = 0; i < rows; i++)
        for (int k = 0; k < half; k++) {
            const double angle = ((double)a->offset + i) * nn__onnx_frequency(a, k);
            numbers[i * half + k] = (float)(sine ? sin(angle) : cos(angle));
        }
    shape.extent[a->heads_inside ? 1 : 2] = rows;
    return nn__onnx_emit_numbers(e, sine ? "sines" : "cosines", NN_F32, shape, numbers);
}

/* Cosines and sines of all rows and pairs. */
static void nn__onnx_waves(nn__onnx_emitter *e, const nn_rotary_args *a, const nn_shape *shape,
                           const char **waves) {
    const int row = a->heads_inside ? 1 : 2, half = a->width / 2;
    nn_shape places = nn__onnx_four(1, 1, 1, 1);
    const char *angles;
    float *numbers;
    places.extent[row] = shape->extent[row];
    if (!a->positions.dtype && places.extent[row] > 0) {
        for (int i = 0; i < 2; i++)
            waves[i] = nn__onnx_known_waves(e, a, places.extent[row], i == 1);
        return;
    }
    numbers = (float *)nn__onnx_take(e->call, &e->arena, sizeof(float) * (uint64_t)half);
    if (!numbers) return;
    for (int i = 0; i < half; i++) numbers[i] = (float)nn__onnx_frequency(a, i);
    if (!a->positions.dtype)
        angles = nn__onnx_counted_out(e, &places, row, (double)a->offset);
    else if (nn_node_shape(nn__onnx_node_at(&a->positions)).rank > 1)
        angles = nn__onnx_per_row(e, &a->positions, row);
    else
        angles = nn__onnx_emit(e, "Add", nn__onnx_counted_out(e, &places, row, 0),
                               nn__onnx_per_row(e, &a->positions, row), NULL, NULL);
    angles = nn__onnx_emit(
        e, "Mul", angles,
        nn__onnx_emit_numbers(e, "frequencies", NN_F32, nn__onnx_four(1, 1, 1, half), numbers),
        NULL, NULL);
    waves[0] = nn__onnx_emit(e, "Cos", angles, NULL, NULL, NULL);
    waves[1] = nn__onnx_emit(e, "Sin", angles, NULL, NULL, NULL);
}

/* Columns [from, to) of the last axis, each `step` of them. */
static const char *nn__onnx_columns(nn__onnx_emitter *e, const char *x, int32_t from, int32_t to,
                                    int32_t step) {
    const char *lists[4];
    lists[0] = nn__onnx_whole_out(e, from);
    lists[1] = nn__onnx_whole_out(e, to);
    lists[2] = nn__onnx_whole_out(e, 3);
    lists[3] = nn__onnx_whole_out(e, step);
    nn__onnx_begin_op(e, "Slice");
    nn__onnx_op_in(e, x);
    for (int i = 0; i < 4; i++) nn__onnx_op_in(e, lists[i]);
    return nn__onnx_op_end(e, NULL);
}

/* Joins along an axis. */
static const char *nn__onnx_side_by_side(nn__onnx_emitter *e, const char *const *parts, int count,
                                         int axis) {
    nn__onnx_begin_op(e, "Concat");
    for (int i = 0; i < count; i++) nn__onnx_op_in(e, parts[i]);
    nn__onnx_op_int(e, "axis", axis);
    return nn__onnx_op_end(e, NULL);
}

NN__ONNX_PRIVATE void nn__onnx_save_rotary(nn__onnx_emitter *e, const nn_rotary_args *a,
                                           const nn_rotary_args *b) {
    const nn_shape shape = nn__onnx_shape_seen(e, &a->y, &b->y),
                   want = nn_node_shape(nn__onnx_node_at(&a->y));
    const int32_t half = a->width / 2;
    const char *x, *pair[2], *turned[3], *wave[2] = {"", ""}, *product[2], *value;
    x = nn__onnx_seen_x(e, &a->x, &b->x);
    if (!a->x.dtype) { /* a table of sines: pairs (0, 1) everywhere */
        nn_shape flat = shape;
        flat.extent[3] = half;
        pair[0] = nn__onnx_emit(e, "Expand", nn__onnx_real_out(e, 0), nn__onnx_shape_out(e, &flat),
                                NULL, NULL);
        pair[1] = nn__onnx_emit(e, "Add", pair[0], nn__onnx_real_out(e, 1), NULL, NULL);
    }
    nn__onnx_waves(e, a, &shape, wave);
    for (int i = 0; i < 2 && a->x.dtype; i++)
        pair[i] = a->interleaved ? nn__onnx_columns(e, x, i, a->width, 2)
                                 : nn__onnx_columns(e, x, i * half, (i + 1) * half, 1);
    for (int i = 0; i < 2; i++) { /* a cos - b sin, b cos + a sin */
        product[0] = nn__onnx_emit(e, "Mul", pair[i], wave[0], NULL, NULL);
        product[1] = nn__onnx_emit(e, "Mul", pair[1 - i], wave[1], NULL, NULL);
        turned[i] = nn__onnx_emit(e, (i == 0) != a->inverse ? "Sub" : "Add", product[0], product[1],
                                  NULL, NULL);
    }
    if (a->interleaved) { /* one of each in turns */
        nn_shape flat = shape;
        flat.extent[3] = a->width;
        for (int i = 0; i < 2; i++)
            turned[i] =
                nn__onnx_emit(e, "Unsqueeze", turned[i], nn__onnx_whole_out(e, 4), NULL, NULL);
        value = nn__onnx_side_by_side(e, turned, 2, 4);
        turned[0] = nn__onnx_emit(e, "Reshape", value, nn__onnx_shape_out(e, &flat), NULL, NULL);
        turned[1] = turned[2] = NULL;
    }
    const int parts = a->interleaved ? 1 : 2;
    const bool rest = shape.extent[3] > a->width;
    if (rest) turned[parts] = nn__onnx_columns(e, x, a->width, shape.extent[3], 1);
    value = parts + rest > 1 ? nn__onnx_side_by_side(e, turned, parts + rest, 3) : turned[0];
    nn__onnx_name_out(e, &a->y, nn__onnx_reshape_out(e, value, &shape, &want, NULL));
}
