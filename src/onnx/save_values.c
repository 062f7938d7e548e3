/* onnx/save_values.c - constants, weights and shapes of a file that is being written. */
#include "onnx/emit.h"

/* ---- numbers --------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE const char *nn__onnx_emit_numbers(nn__onnx_emitter *e, const char *base,
                                                   nn_dtype dtype, nn_shape shape,
                                                   const void *data) {
    nn__onnx_numbers_out *made;
    if (!nn__onnx_writes_on(e)) return "";
    made = (nn__onnx_numbers_out *)nn__onnx_take(e->call, &e->arena, sizeof *made);
    if (!made) return "";
    made->name = nn__onnx_new_name(e, base);
    made->dtype = dtype;
    made->shape = shape;
    made->data = data;
    made->bytes = nn_dtype_size(dtype);
    for (int i = 0; i < shape.rank; i++) made->bytes *= (uint64_t)shape.extent[i];
    *e->last_numbers = made;
    e->last_numbers = &made->next;
    return made->name;
}

/* Writes a constant only once; `key` identifies it. data is copied. */
static const char *nn__onnx_shared_numbers(nn__onnx_emitter *e, const char *key, nn_dtype dtype,
                                           nn_shape shape, const void *data, size_t bytes) {
    const char *name = (const char *)nn__onnx_find(&e->shared, key);
    void *copy;
    if (name || !nn__onnx_writes_on(e)) return name ? name : "";
    copy = nn__onnx_take(e->call, &e->arena, bytes);
    key = nn__onnx_copy_text(e->call, &e->arena, key, strlen(key));
    if (!copy || !key) return "";
    if (bytes > 0) memcpy(copy, data, bytes);
    name = nn__onnx_emit_numbers(e, "const", dtype, shape, copy);
    nn__onnx_set(e->call, &e->shared, key, (void *)name);
    return name;
}

NN__ONNX_PRIVATE const char *nn__onnx_real_out(nn__onnx_emitter *e, double number) {
    const float rounded = (float)number;
    nn__onnx_message key;
    nn_shape shape;
    uint32_t bits;
    memset(&key, 0, sizeof key);
    memset(&shape, 0, sizeof shape);
    memcpy(&bits, &rounded, sizeof bits);
    nn__onnx_say(&key, "f %d", (int64_t)bits);
    return nn__onnx_shared_numbers(e, key.text, NN_F32, shape, &rounded, sizeof rounded);
}

/* Returns a list as a text, for a net that is printed. */
static const char *nn__onnx_list_text(nn__onnx_emitter *e, const int32_t *numbers, int count) {
    nn__onnx_message text;
    const char *copy;
    memset(&text, 0, sizeof text);
    for (int i = 0; i < count; i++) nn__onnx_say(&text, i ? ", %d" : "%d", (int64_t)numbers[i]);
    copy = nn__onnx_copy_text(e->call, &e->arena, text.text, text.length);
    return copy ? copy : "";
}

NN__ONNX_PRIVATE const char *nn__onnx_wholes_out(nn__onnx_emitter *e, const int32_t *numbers,
                                                 int count) {
    int64_t wide[4 * NN_MAX_RANK];
    nn__onnx_message key;
    nn_shape shape;
    if (e->end_op) return nn__onnx_list_text(e, numbers, count);
    memset(&key, 0, sizeof key);
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = count;
    for (int i = 0; i < count && i < 4 * NN_MAX_RANK; i++) {
        wide[i] = numbers[i];
        nn__onnx_say(&key, i ? " %d" : "i %d", wide[i]);
    }
    if (count == 0) nn__onnx_say(&key, "i");
    return nn__onnx_shared_numbers(e, key.text, NN_I64, shape, wide, sizeof *wide * (size_t)count);
}

NN__ONNX_PRIVATE const nn_node *nn__onnx_stored(const nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    const nn_node *leaf = d.input_count == 1 ? d.inputs[0] : NULL;
    if (!leaf || strcmp(d.operation, "cast") != 0 || nn_node_dtype(node) != NN_F32) return node;
    return nn_describe_node(leaf).kind == NN_NODE_PARAMETER &&
                   (nn_node_dtype(leaf) == NN_F16 || nn_node_dtype(leaf) == NN_BF16)
               ? leaf
               : node;
}

NN__ONNX_PRIVATE float *nn__onnx_leaf_numbers(nn__onnx_emitter *e, const nn_node *leaf) {
    const nn_node_description d = nn_describe_node(leaf);
    const nn_dtype dtype = nn_node_dtype(leaf);
    const size_t bytes = d.tensor ? nn_tensor_bytes(d.tensor) : 0;
    nn__onnx_tensor halves;
    float *to;
    void *from;
    if (!d.tensor || (dtype != NN_F32 && dtype != NN_F16 && dtype != NN_BF16)) {
        nn__onnx_cannot(e, "%q is not a float tensor with data of its own", nn_node_name(leaf));
        return NULL;
    }
    from = nn__onnx_take(e->call, &e->arena, bytes);
    if (!from) return NULL;
    if (nn_download_tensor(d.tensor, from, bytes) != NN_OK) {
        e->call->code = NN_ERROR_BACKEND; /* which nn_error tells */
        return NULL;
    }
    if (dtype == NN_F32) return (float *)from;
    memset(&halves, 0, sizeof halves);
    halves.dtype = (nn__onnx_type)nn__onnx_type_of(dtype);
    halves.data = (const unsigned char *)from;
    to = (float *)nn__onnx_take(e->call, &e->arena, bytes / 2 * sizeof *to);
    for (size_t i = 0; to && i < bytes / 2; i++) to[i] = (float)nn__onnx_real(&halves, i);
    return to;
}

NN__ONNX_PRIVATE void nn__onnx_name_out(nn__onnx_emitter *e, const nn_view *view,
                                        const char *value) {
    const nn_node *node = nn__onnx_node_at(view);
    const char *name = nn__onnx_value_of(e, node);
    if (*name && !e->end_op)
        nn__onnx_emit(e, "Identity", value, NULL, NULL, name);
    else
        nn__onnx_set_value(e, node, value);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE int32_t nn__onnx_extent_seen(int64_t first, int64_t second) {
    static const int32_t sizes[4][2] = {{1, 1},
                                        {NN__ONNX_B1, NN__ONNX_B2},
                                        {NN__ONNX_T1, NN__ONNX_T2},
                                        {NN__ONNX_B1 * NN__ONNX_T1, NN__ONNX_B2 * NN__ONNX_T2}};
    for (int i = 0; i < 4; i++)
        if (first * sizes[i][1] == second * sizes[i][0] && first % sizes[i][0] == 0)
            return nn__onnx_join_extent(first / sizes[i][0], (uint8_t)i);
    return 0;
}

NN__ONNX_PRIVATE nn_shape nn__onnx_shape_seen(nn__onnx_emitter *e, const nn_view *first,
                                              const nn_view *second) {
    nn_shape shape = first->shape;
    for (int i = 0; i < shape.rank; i++) {
        shape.extent[i] = nn__onnx_extent_seen(first->shape.extent[i], second->shape.extent[i]);
        if (shape.extent[i] == 0)
            nn__onnx_cannot(e, "extent %d of a value is not a multiple of batch and time",
                            (int64_t)i);
    }
    return shape;
}

/* Returns the batch (power 1) or time (2) as a list of one int64, taken from an input that has
   it. */
static const char *nn__onnx_size_out(nn__onnx_emitter *e, int power) {
    const char *shape;
    if (e->sizes[power - 1]) return e->sizes[power - 1];
    for (nn_node *node = nn_next_node(e->net, NULL); node; node = nn_next_node(e->net, node)) {
        const nn_shape s = nn_node_shape(node);
        const char *value = nn__onnx_value_of(e, node);
        if (nn_describe_node(node).kind != NN_NODE_INPUT || !*value) continue;
        for (int i = 0; i < s.rank; i++) {
            uint8_t powers;
            if (nn__onnx_split_extent(s.extent[i], &powers) != 1 || powers != power) continue;
            shape = nn__onnx_emit(e, "Shape", value, NULL, NULL, NULL);
            return e->sizes[power - 1] =
                       nn__onnx_emit(e, "Gather", shape, nn__onnx_whole_out(e, i), NULL,
                                     nn__onnx_new_name(e, power == 1 ? "batch" : "time"));
        }
    }
    nn__onnx_cannot(e, "a shape depends on the %s, which no input of the written file has",
                    power == 1 ? "batch" : "time");
    return "";
}

/* Returns one extent as a list of one int64. */
static const char *nn__onnx_extent_out(nn__onnx_emitter *e, int32_t extent) {
    uint8_t powers;
    const int64_t number = nn__onnx_split_extent(extent, &powers);
    const char *value = NULL;
    if (powers == 0) return nn__onnx_whole_out(e, extent);
    for (int power = 1; power < 3; power++) {
        if (!(powers & power)) continue;
        const char *size = nn__onnx_size_out(e, power);
        value = value ? nn__onnx_emit(e, "Mul", value, size, NULL, NULL) : size;
    }
    if (number == 1) return value;
    return nn__onnx_emit(e, "Mul", value, nn__onnx_whole_out(e, (int32_t)number), NULL, NULL);
}

NN__ONNX_PRIVATE const char *nn__onnx_shape_out(nn__onnx_emitter *e, const nn_shape *shape) {
    const char *parts[NN_MAX_RANK];
    bool free = false;
    if (e->end_op) return nn__onnx_list_text(e, shape->extent, shape->rank);
    for (int i = 0; i < shape->rank; i++) free = free || shape->extent[i] < 0;
    if (!free) return nn__onnx_wholes_out(e, shape->extent, shape->rank);
    for (int i = 0; i < shape->rank; i++) parts[i] = nn__onnx_extent_out(e, shape->extent[i]);
    if (shape->rank == 1) return parts[0];
    nn__onnx_begin_op(e, "Concat");
    for (int i = 0; i < shape->rank; i++) nn__onnx_op_in(e, parts[i]);
    nn__onnx_op_int(e, "axis", 0);
    return nn__onnx_op_end(e, NULL);
}

/* Expresses the shape of a Reshape as numbers: 0 keeps the extent of that axis, -1 is the rest.
   False: numbers are not enough. */
static bool nn__onnx_plain_shape(const nn_shape *from, const nn_shape *to, int32_t *numbers) {
    int left = 0;
    for (int i = 0; i < to->rank; i++) {
        numbers[i] = to->extent[i];
        if (to->extent[i] > 0) continue;
        numbers[i] = i < from->rank && from->extent[i] == to->extent[i] ? 0 : -1;
        left += numbers[i] == -1;
    }
    return left < 2;
}

NN__ONNX_PRIVATE const char *nn__onnx_reshape_out(nn__onnx_emitter *e, const char *x,
                                                  const nn_shape *from, const nn_shape *to,
                                                  const char *out) {
    int32_t numbers[NN_MAX_RANK];
    if (nn_same_shape(*from, *to) && !out) return x;
    if (nn_same_shape(*from, *to)) return nn__onnx_emit(e, "Identity", x, NULL, NULL, out);
    return nn__onnx_emit(e, "Reshape", x,
                         !e->end_op && nn__onnx_plain_shape(from, to, numbers)
                             ? nn__onnx_wholes_out(e, numbers, to->rank)
                             : nn__onnx_shape_out(e, to),
                         NULL, out);
}

static const char *nn__onnx_reshaped_in(nn__onnx_emitter *e, const char *value, const nn_view *a,
                                        const nn_view *b) {
    nn_shape from, to;
    if (!a->dtype) return "";
    from = nn_node_shape(nn__onnx_node_at(a));
    to = nn__onnx_shape_seen(e, a, b);
    return nn__onnx_reshape_out(e, value, &from, &to, NULL);
}

NN__ONNX_PRIVATE const char *nn__onnx_seen(nn__onnx_emitter *e, const nn_view *a,
                                           const nn_view *b) {
    return nn__onnx_reshaped_in(e, nn__onnx_in(e, a), a, b);
}

NN__ONNX_PRIVATE const char *nn__onnx_seen_x(nn__onnx_emitter *e, const nn_view *a,
                                             const nn_view *b) {
    return nn__onnx_reshaped_in(e, nn__onnx_in_x(e, a), a, b);
}

NN__ONNX_PRIVATE void nn__onnx_end_seen(nn__onnx_emitter *e, const nn_view *a, const nn_view *b) {
    const nn_shape from = nn__onnx_shape_seen(e, a, b), to = nn_node_shape(nn__onnx_node_at(a));
    if (nn_same_shape(from, to)) {
        nn__onnx_op_end(e, nn__onnx_out(e, a));
        return;
    }
    nn__onnx_name_out(e, a, nn__onnx_reshape_out(e, nn__onnx_op_end(e, NULL), &from, &to, NULL));
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE int nn__onnx_type_of(nn_dtype dtype) {
    static const unsigned char types[NN_DTYPE_COUNT] = {0,
                                                        NN__ONNX_FLOAT,
                                                        NN__ONNX_INT32,
                                                        NN__ONNX_UINT8,
                                                        NN__ONNX_FLOAT16,
                                                        NN__ONNX_BFLOAT16,
                                                        NN__ONNX_DOUBLE,
                                                        NN__ONNX_INT64,
                                                        NN__ONNX_INT16,
                                                        NN__ONNX_INT8,
                                                        NN__ONNX_BOOL};
    return types[dtype];
}

NN__ONNX_PRIVATE const char *nn__onnx_cast_to(nn__onnx_emitter *e, const char *x, nn_dtype dtype,
                                              const char *out) {
    nn__onnx_begin_op(e, "Cast");
    nn__onnx_op_in(e, x);
    nn__onnx_op_int(e, "to", nn__onnx_type_of(dtype));
    return nn__onnx_op_end(e, out);
}
