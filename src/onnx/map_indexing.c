/* onnx/map_indexing.c - numbers by their indices, read and written. */
#include "onnx/map_tools.h"

/* ---- Gather ---------------------------------------------------------------------------------- */

/* True if the table is a known weight, so that an embedding can read it. */
static bool nn__onnx_is_lookup(nn__onnx_node *n, int axis) {
    const nn__onnx_tensor *table = nn__onnx_known(n, 0);
    return table && table->stored && table->rank == 2 && axis == 0 && !table->powers &&
           nn__onnx_is_float(table->dtype) && !nn__onnx_known(n, 1);
}

static void nn__onnx_map_table(nn__onnx_node *n) {
    const nn__onnx_tensor *table = nn__onnx_known(n, 0);
    nn_embedding_desc desc;
    const char *name;
    bool shared;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = (int)table->extent[0];
    desc.embedding_dim = (int)table->extent[1];
    name = nn__onnx_layer(n, 0, -1, &shared);
    desc.shared = shared;
    nn__onnx_give(
        n, 0,
        nn_embedding_at(n->site, n->net, name, nn__onnx_counted(n, 1, desc.num_embeddings), &desc),
        nn__onnx_dtype(n, 0));
    if (!shared) nn__onnx_load(n, name, "weight", table, NULL);
}

/* Computes the shape of the result: the shape of the indices replaces the axis. False: refused. */
static bool nn__onnx_gathered(nn__onnx_node *n, int axis, nn_shape *shape) {
    const nn_shape from = nn__onnx_shape(n, 0), index = nn__onnx_shape(n, 1);
    memset(shape, 0, sizeof *shape);
    if (from.rank - 1 + index.rank > NN_MAX_RANK)
        return nn__onnx_refuse(n, NULL, "its output has too many axes");
    for (int i = 0; i < from.rank; i++) {
        for (int k = 0; k < index.rank && i == axis; k++)
            shape->extent[shape->rank++] = index.extent[k];
        if (i != axis) shape->extent[shape->rank++] = from.extent[i];
    }
    return true;
}

static void nn__onnx_map_gather(nn__onnx_node *n) {
    const nn_shape from = nn__onnx_shape(n, 0), places = nn__onnx_shape(n, 1);
    const int axis = nn__onnx_axis(n, 0, from.rank);
    const nn__onnx_tensor *known = nn__onnx_known(n, 1);
    nn_shape shape, flat;
    nn_node *index, *y;
    if (axis < 0) return;
    if (nn__onnx_is_lookup(n, axis)) {
        nn__onnx_map_table(n);
        return;
    }
    if (!nn__onnx_gathered(n, axis, &shape)) return;
    if (known && known->count == 1 && from.extent[axis] > 0 && !known->powers) {
        int64_t place = nn__onnx_whole(known, 0);
        if (place < 0) place += from.extent[axis];
        if (place < 0 || place >= from.extent[axis]) {
            nn__onnx_refuse(n, NULL, "its index is out of range; the axis has %d elements",
                            (int64_t)from.extent[axis]);
            return;
        }
        y = nn__onnx_cut(n, nn__onnx_raw(n, 0), axis, (int)place, (int)place + 1, 1);
    } else {
        memset(&flat, 0, sizeof flat);
        flat.rank = 1;
        flat.extent[0] = nn__onnx_joined(n, &places, 0, places.rank);
        if (n->refused) return;
        index = nn__onnx_counted(n, 1, from.extent[axis]);
        y = nn_index_select_at(n->site, n->net, nn__onnx_raw(n, 0), axis,
                               nn__onnx_reshaped(n, index, flat));
    }
    nn__onnx_give(n, 0, nn__onnx_reshaped(n, y, shape), nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_gather_elements(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, 0, shape.rank);
    if (axis >= 0)
        nn__onnx_give(n, 0,
                      nn_gather_at(n->site, n->net, nn__onnx_raw(n, 0), axis,
                                   nn__onnx_counted(n, 1, shape.extent[axis])),
                      nn__onnx_dtype(n, 0));
}

/* ---- lists of indices ------------------------------------------------------------------------ */

/* Lists of indices, each of `depth` numbers at the end of operand 1, that name blocks of a tensor:
   axes [batch, batch + depth) of operand 0. */
typedef struct nn__onnx_lists {
    nn_shape shape, index;
    int batch, depth;
    int32_t samples, each; /* the batch axes as one, and the number of lists in each */
    int32_t rows, block;   /* the tensor as a matrix: a row for each possible list */
} nn__onnx_lists;

static bool nn__onnx_find_lists(nn__onnx_node *n, nn__onnx_lists *lists) {
    memset(lists, 0, sizeof *lists);
    lists->shape = nn__onnx_shape(n, 0);
    lists->index = nn__onnx_shape(n, 1);
    lists->batch = (int)nn__onnx_int(n, "batch_dims", 0);
    if (!nn__onnx_no_free(n, &lists->shape) || !nn__onnx_no_free(n, &lists->index)) return false;
    if (lists->index.rank < 1 || lists->batch < 0 || lists->batch >= lists->index.rank)
        return nn__onnx_refuse(n, NULL, "its indices have too few axes");
    lists->depth = lists->index.extent[lists->index.rank - 1];
    if (lists->depth < 1 || lists->batch + lists->depth > lists->shape.rank)
        return nn__onnx_refuse(n, NULL,
                               "its indices have %d numbers each, but its input has %d axes",
                               (int64_t)lists->depth, (int64_t)lists->shape.rank);
    lists->samples = nn__onnx_joined(n, &lists->index, 0, lists->batch);
    lists->each = nn__onnx_joined(n, &lists->index, lists->batch, lists->index.rank - 1);
    lists->rows = nn__onnx_joined(n, &lists->shape, 0, lists->batch + lists->depth);
    lists->block =
        nn__onnx_joined(n, &lists->shape, lists->batch + lists->depth, lists->shape.rank);
    return !n->refused;
}

/* Returns the rows of known lists, as numbers of a tensor. NULL: refused. */
static nn__onnx_tensor *nn__onnx_row_numbers(nn__onnx_node *n, const nn__onnx_lists *lists,
                                             const nn__onnx_tensor *known) {
    const int64_t count = (int64_t)lists->samples * lists->each;
    unsigned char *data;
    nn__onnx_tensor *made = nn__onnx_new(n, NN__ONNX_INT32, 1, &count, &data);
    if (!made) return NULL;
    for (int64_t i = 0; i < count; i++) {
        int64_t row = i / lists->each;
        for (int k = 0; k < lists->depth; k++) {
            const int64_t extent = lists->shape.extent[lists->batch + k];
            int64_t place = nn__onnx_whole(known, (uint64_t)(i * lists->depth + k));
            if (place < 0) place += extent;
            if (place < 0 || place >= extent) {
                nn__onnx_refuse(n, NULL, "an index is out of range; the axis has %d elements",
                                extent);
                return NULL;
            }
            row = row * extent + place;
        }
        nn__onnx_put_whole(data, NN__ONNX_INT32, (uint64_t)i, row);
    }
    return made;
}

/* Returns the row of each list, i32 (samples * each). Computed lists become rows by arithmetic,
   exact below 2^24. */
static nn_node *nn__onnx_rows(nn__onnx_node *n, const nn__onnx_lists *lists) {
    float extents[NN_MAX_RANK], strides[NN_MAX_RANK];
    nn_shape of_list, matrix, first;
    nn_node *x;
    float stride = 1;
    if (nn__onnx_known(n, 1) && !nn__onnx_known(n, 1)->powers) {
        const nn__onnx_tensor *made = nn__onnx_row_numbers(n, lists, nn__onnx_known(n, 1));
        return made ? nn__onnx_constant_of(n, made, NN_I32) : NULL;
    }
    memset(&of_list, 0, sizeof of_list);
    memset(&matrix, 0, sizeof matrix);
    of_list.rank = 1;
    of_list.extent[0] = lists->depth;
    matrix.rank = 3;
    matrix.extent[0] = lists->samples;
    matrix.extent[1] = lists->each;
    matrix.extent[2] = lists->depth;
    for (int k = lists->depth - 1; k >= 0; k--) {
        extents[k] = (float)lists->shape.extent[lists->batch + k];
        strides[k] = stride;
        stride *= extents[k];
    }
    x = nn__onnx_express(
        n, "i, e, s: (i < 0 ? i + e : i) * s", nn__onnx_reshaped(n, nn__onnx_x(n, 1), matrix),
        nn__onnx_constant(n, extents, of_list), nn__onnx_constant(n, strides, of_list), 0, 0);
    x = nn_reduce_at(n->site, n->net, NN_SUM, x, nn__onnx_one_axis(2), false);
    first = matrix;
    first.rank = 2;
    first.extent[1] = 1;
    if (lists->samples > 1)
        x = nn__onnx_express(n, "x, s: x + s * p", x, nn__onnx_numbered(n, lists->samples, first),
                             NULL, (double)stride, 0);
    first.rank = 1;
    first.extent[0] = (int32_t)nn_multiply_extents(lists->samples, lists->each);
    return nn_cast_at(n->site, n->net, nn__onnx_reshaped(n, x, first), NN_I32);
}

static void nn__onnx_map_gather_nd(nn__onnx_node *n) {
    nn__onnx_lists lists;
    nn_shape matrix, result;
    nn_node *x;
    if (!nn__onnx_find_lists(n, &lists)) return;
    memset(&matrix, 0, sizeof matrix);
    matrix.rank = 2;
    matrix.extent[0] = lists.rows;
    matrix.extent[1] = lists.block;
    result = lists.index;
    result.rank--;
    for (int i = lists.batch + lists.depth; i < lists.shape.rank; i++) {
        if (result.rank == NN_MAX_RANK) {
            nn__onnx_refuse(n, NULL, "its output has too many axes");
            return;
        }
        result.extent[result.rank++] = lists.shape.extent[i];
    }
    for (int i = result.rank; i < NN_MAX_RANK; i++) result.extent[i] = 0;
    x = nn__onnx_reshaped(n, nn__onnx_raw(n, 0), matrix);
    x = nn_index_select_at(n->site, n->net, x, 0, nn__onnx_rows(n, &lists));
    nn__onnx_give(n, 0, nn__onnx_reshaped(n, x, result), nn__onnx_dtype(n, 0));
}

/* ---- Scatter --------------------------------------------------------------------------------- */

/* Describes nn_scatter or nn_scatter_reduce, as the attribute says. */
static nn_node *nn__onnx_scattered(nn__onnx_node *n, nn_node *x, int axis, nn_node *index,
                                   nn_node *updates) {
    static const struct {
        const char *name;
        nn_reduction reduction;
    } reductions[] = {{"add", NN_SUM}, {"mul", NN_PROD}, {"max", NN_MAX}, {"min", NN_MIN}};
    const char *reduction = nn__onnx_string(n, "reduction", "none");
    if (strcmp(reduction, "none") == 0)
        return nn_scatter_at(n->site, n->net, x, axis, index, updates);
    for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
        if (strcmp(reduction, reductions[i].name) == 0)
            return nn_scatter_reduce_at(n->site, n->net, x, axis, index, updates,
                                        reductions[i].reduction);
    nn__onnx_refuse(n, "name the values before it in .outputs",
                    "its reduction is %q; wanted none, add, mul, min or max", reduction);
    return NULL;
}

static void nn__onnx_map_scatter_elements(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int axis = nn__onnx_axis(n, 0, shape.rank);
    if (axis >= 0)
        nn__onnx_give(n, 0,
                      nn__onnx_scattered(n, nn__onnx_x(n, 0), axis,
                                         nn__onnx_counted(n, 1, shape.extent[axis]),
                                         nn__onnx_x(n, 2)),
                      nn__onnx_dtype(n, 0));
}

/* Scatters rows of the tensor, seen as a matrix. Each list of indices names a row. */
static void nn__onnx_map_scatter_nd(nn__onnx_node *n) {
    nn__onnx_lists lists;
    nn_shape matrix, places;
    nn_node *x, *rows, *updates;
    if (!nn__onnx_find_lists(n, &lists)) return;
    memset(&matrix, 0, sizeof matrix);
    matrix.rank = 2;
    matrix.extent[0] = lists.rows;
    matrix.extent[1] = lists.block;
    x = nn__onnx_reshaped(n, nn__onnx_x(n, 0), matrix);
    places = matrix;
    places.extent[0] = lists.each;
    updates = nn__onnx_reshaped(n, nn__onnx_x(n, 2), places);
    places.extent[1] = 1;
    rows = nn__onnx_reshaped(n, nn__onnx_rows(n, &lists), places);
    if (lists.block > 1) {
        places.extent[0] = 1;
        places.extent[1] = lists.block;
        rows = nn_repeat_at(n->site, n->net, rows, places);
    }
    x = nn__onnx_scattered(n, x, 0, rows, updates);
    nn__onnx_give(n, 0, nn__onnx_reshaped(n, x, lists.shape), nn__onnx_dtype(n, 0));
}

/* Writes the update of each sample from a start of its own. In mode "circular" it wraps around at
   the end. */
static void nn__onnx_map_tensor_scatter(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0), update = nn__onnx_shape(n, 1);
    const int axis = nn__onnx_axis(n, -2, shape.rank);
    const bool circle = nn__onnx_is(n, "mode", "linear", "circular");
    const nn__onnx_tensor *first = nn__onnx_known(n, 2);
    int64_t extents[NN_MAX_RANK], before = 1, after = 1, each;
    unsigned char *data;
    nn__onnx_tensor *made;
    if (axis < 0 || !nn__onnx_no_free(n, &shape) || !nn__onnx_no_free(n, &update)) return;
    if (nn__onnx_has(n, 2) && !(first = nn__onnx_numbers(n, 2, "write_indices"))) return;
    if (update.rank != shape.rank || axis < 1 ||
        (first && first->count != (uint64_t)update.extent[0])) {
        nn__onnx_refuse(n, NULL, "the shapes of its operands do not match");
        return;
    }
    for (int i = 0; i < update.rank; i++) {
        extents[i] = update.extent[i];
        before *= i < axis ? update.extent[i] : 1;
        after *= i > axis ? update.extent[i] : 1;
    }
    made = nn__onnx_new(n, NN__ONNX_INT32, update.rank, extents, &data);
    if (!made) return;
    each = before / update.extent[0]; /* rows of a sample before the axis */
    for (int64_t i = 0; i < (int64_t)made->count; i++) {
        const int64_t sample = i / (each * update.extent[axis] * after);
        int64_t place =
            i / after % update.extent[axis] + (first ? nn__onnx_whole(first, (uint64_t)sample) : 0);
        if (circle) place %= shape.extent[axis];
        if (place < 0 || place >= shape.extent[axis]) {
            nn__onnx_refuse(n, NULL, "it writes beyond the end of axis %d", (int64_t)axis);
            return;
        }
        nn__onnx_put_whole(data, NN__ONNX_INT32, (uint64_t)i, place);
    }
    nn__onnx_give(n, 0,
                  nn_scatter_at(n->site, n->net, nn__onnx_x(n, 0), axis,
                                nn__onnx_constant_of(n, made, NN_I32), nn__onnx_x(n, 1)),
                  nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_indexing(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Gather", 1, 0, nn__onnx_map_gather, NULL},
        {"", "GatherElements", 11, 0, nn__onnx_map_gather_elements, NULL},
        {"", "GatherND", 11, 0, nn__onnx_map_gather_nd, NULL},
        {"", "Scatter", 9, 0, nn__onnx_map_scatter_elements, NULL},
        {"", "ScatterElements", 11, 0, nn__onnx_map_scatter_elements, NULL},
        {"", "ScatterND", 11, 0, nn__onnx_map_scatter_nd, NULL},
        {"", "TensorScatter", 24, 0, nn__onnx_map_tensor_scatter, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
