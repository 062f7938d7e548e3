/* onnx/save_rotary.c - rotary positions: a function of the domain "nn.h", which other runtimes
   compute from its body and ours reads as its own operation. */
#include "onnx/emit.h"

/* Returns the frequency of pair `pair` by the formula in kernels/rotary/args.h. */
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

/* Emits cosines or sines of rows with known positions, from angles in double. */
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

/* Emits the cosines and sines of all rows and pairs. */
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

/* Emits a slice of the last axis: columns [from, to), every `step`-th of them. */
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

/* Emits a function. Our reader needs only its attributes; other readers use its operands, the
   cosines and sines. */
static void nn__onnx_rotary_function(nn__onnx_emitter *e, const nn_rotary_args *a,
                                     const nn_rotary_args *b, const nn_shape *shape, const char *x,
                                     const char *const *wave) {
    static const char *const names[] = {"Rotary", "RotaryPart", "RotaryPairs"};
    const int kind = a->interleaved ? 2 : shape->extent[3] > a->width ? 1 : 0;
    const char *positions = nn__onnx_in(e, &a->positions), *lists[6];
    lists[0] = nn__onnx_whole_out(e, 0);
    lists[1] = nn__onnx_whole_out(e, kind == 2 ? 1 : a->width / 2);
    lists[2] = nn__onnx_whole_out(e, a->width);
    lists[3] = nn__onnx_whole_out(e, shape->extent[3]);
    lists[4] = nn__onnx_whole_out(e, kind == 2 ? 4 : 3);
    lists[5] = nn__onnx_whole_out(e, kind == 2 ? 2 : 1);
    nn__onnx_begin_function(e, names[kind]);
    nn__onnx_op_in(e, x);
    for (int i = 0; i < 2; i++) nn__onnx_op_in(e, wave[i]);
    for (int i = 0; i < 6; i++) nn__onnx_op_in(e, lists[i]);
    nn__onnx_op_in(e, positions);
    nn__onnx_op_int(e, "width", a->width);
    nn__onnx_op_int(e, "offset", a->offset);
    nn__onnx_op_int(e, "heads_inside", a->heads_inside);
    nn__onnx_op_int(e, "original", a->original);
    nn__onnx_op_real(e, "base", (double)a->base);
    nn__onnx_op_real(e, "factor", (double)a->factor);
    nn__onnx_op_real(e, "low", (double)a->low);
    nn__onnx_op_real(e, "high", (double)a->high);
    nn__onnx_end_seen(e, &a->y, &b->y);
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
    if (a->x.dtype && !a->inverse && !(a->interleaved && shape.extent[3] > a->width)) {
        nn__onnx_rotary_function(e, a, b, &shape, x, wave);
        return;
    }
    for (int i = 0; i < 2 && a->x.dtype; i++)
        pair[i] = a->interleaved ? nn__onnx_columns(e, x, i, a->width, 2)
                                 : nn__onnx_columns(e, x, i * half, (i + 1) * half, 1);
    for (int i = 0; i < 2; i++) { /* a cos - b sin, b cos + a sin */
        product[0] = nn__onnx_emit(e, "Mul", pair[i], wave[0], NULL, NULL);
        product[1] = nn__onnx_emit(e, "Mul", pair[1 - i], wave[1], NULL, NULL);
        turned[i] = nn__onnx_emit(e, (i == 0) != a->inverse ? "Sub" : "Add", product[0], product[1],
                                  NULL, NULL);
    }
    if (a->interleaved) { /* the two alternate */
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
