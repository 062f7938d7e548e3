/* onnx/fold_shapes.c - folds operators whose results are known at once or from shapes: constants,
   shapes, ranges.
 */
#include "onnx/fold.h"

/* Folds a Constant with value_float, value_ints ... */
static bool nn__onnx_fold_list(nn__onnx_node *n, const nn__onnx_attribute *found) {
    const bool real = found->type == 1 || found->type == 6, list = found->type >= 6;
    const int64_t extent = (int64_t)found->count;
    nn__onnx_made made;
    if (!nn__onnx_make_result(n, &made, real ? NN__ONNX_FLOAT : NN__ONNX_INT64, list, &extent,
                              false))
        return false;
    for (uint64_t i = 0; i < made.tensor->count; i++) {
        nn__onnx_number number;
        memset(&number, 0, sizeof number);
        number.real = list && real ? found->reals[i] : found->real;
        number.whole = list && !real ? found->wholes[i] : found->whole;
        nn__onnx_put(&made, i, &number);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

static bool nn__onnx_fold_constant(nn__onnx_node *n) {
    static const char *const names[] = {"value", "value_float", "value_int", "value_floats",
                                        "value_ints"};
    const nn__onnx_attribute *found = NULL;
    nn__onnx_tensor *tensor;
    for (int i = 0; i < 5 && !found; i++) found = nn__onnx_attribute_of(n, names[i]);
    if (!found) {
        nn__onnx_refuse(n, NULL, "it is not a dense tensor of numbers (text, or a sparse tensor)");
        return true;
    }
    if (!found->tensor) return nn__onnx_fold_list(n, found);
    tensor = (nn__onnx_tensor *)nn__onnx_scratch(n, sizeof *tensor);
    if (!tensor) return true;
    *tensor = *found->tensor;
    if (nn__onnx_wants(n, 0)) tensor->name = n->results[0]->name;
    nn__onnx_give_known(n, 0, tensor);
    return true;
}

/* Folds Identity, and Dropout of a net that infers. */
static bool nn__onnx_fold_identity(nn__onnx_node *n) {
    if (!nn__onnx_has(n, 0)) return false;
    nn__onnx_pass(n, 0, 0);
    return true;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Returns extent k of operand 0 as a number. */
static nn__onnx_number nn__onnx_extent_number(nn__onnx_node *n, int k) {
    const nn__onnx_tensor *known = nn__onnx_known(n, 0);
    nn__onnx_number number;
    number.powers = 0;
    number.whole = known ? known->extent[k]
                         : nn__onnx_split_extent(nn__onnx_shape(n, 0).extent[k], &number.powers);
    number.real = (double)number.whole;
    return number;
}

static int nn__onnx_clamp_axis(int64_t axis, int rank) {
    if (axis < 0) axis += rank;
    return axis < 0 ? 0 : axis > rank ? rank : (int)axis;
}

static bool nn__onnx_fold_shape(nn__onnx_node *n) {
    const int rank = nn__onnx_rank(n, 0);
    const int first = nn__onnx_clamp_axis(nn__onnx_int(n, "start", 0), rank);
    const int end = nn__onnx_clamp_axis(nn__onnx_int(n, "end", rank), rank);
    const int64_t count = end > first ? end - first : 0;
    nn__onnx_made made;
    if (!nn__onnx_has(n, 0) || !nn__onnx_make_result(n, &made, NN__ONNX_INT64, 1, &count, false))
        return false;
    for (int i = 0; i < (int)count; i++) {
        const nn__onnx_number number = nn__onnx_extent_number(n, first + i);
        nn__onnx_put(&made, (uint64_t)i, &number);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

static bool nn__onnx_fold_size(nn__onnx_node *n) {
    nn__onnx_number product = {1, 1, 0};
    nn__onnx_made made;
    if (!nn__onnx_has(n, 0)) return false;
    for (int i = 0; i < nn__onnx_rank(n, 0); i++)
        if (!nn__onnx_multiply(NN__ONNX_INT64, product, nn__onnx_extent_number(n, i), &product))
            return false;
    if (!nn__onnx_make_result(n, &made, NN__ONNX_INT64, 0, NULL, false)) return false;
    nn__onnx_put(&made, 0, &product);
    return nn__onnx_give_made(&made, 0, NULL);
}

/* ---- numbers from shapes --------------------------------------------------------------------- */

/* Writes known whole numbers without free extents, at most NN__ONNX_RANK. Returns -1 if they are
   not known. */
static int nn__onnx_plain_extents(const nn__onnx_tensor *tensor, int64_t *to) {
    if (!tensor || tensor->powers || tensor->count > NN__ONNX_RANK || tensor->rank > 1) return -1;
    for (uint64_t i = 0; i < tensor->count; i++) {
        to[i] = nn__onnx_whole(tensor, i);
        if (to[i] < 0) return -1;
    }
    return (int)tensor->count;
}

static bool nn__onnx_fold_constant_of_shape(nn__onnx_node *n) {
    const nn__onnx_attribute *value = nn__onnx_attribute_of(n, "value");
    const nn__onnx_tensor *one = value ? value->tensor : NULL;
    nn__onnx_number number = {0, 0, 0};
    int64_t extents[NN__ONNX_RANK];
    nn__onnx_made made;
    const int rank = nn__onnx_plain_extents(nn__onnx_known(n, 0), extents);
    if (rank < 0 || (one && (one->count != 1 || !one->data)) ||
        !nn__onnx_make_result(n, &made, one ? one->dtype : NN__ONNX_FLOAT, rank, extents, true))
        return false;
    if (one) number = nn__onnx_get(one, 0);
    nn__onnx_put(&made, 0, &number);
    return nn__onnx_give_made(&made, 0, NULL);
}

static bool nn__onnx_fold_range(nn__onnx_node *n) {
    nn__onnx_number start, limit, delta;
    double steps;
    int64_t count;
    nn__onnx_made made;
    if (!nn__onnx_all_known(n) || n->operand_count != 3) return false;
    for (int i = 0; i < 3; i++)
        if (!nn__onnx_known(n, i) || nn__onnx_known(n, i)->count != 1 ||
            nn__onnx_known(n, i)->powers)
            return false;
    start = nn__onnx_get(nn__onnx_known(n, 0), 0);
    limit = nn__onnx_get(nn__onnx_known(n, 1), 0);
    delta = nn__onnx_get(nn__onnx_known(n, 2), 0);
    steps = delta.real != 0 ? ceil((limit.real - start.real) / delta.real) : -1;
    if (!(steps < (double)NN__ONNX_FOLDED)) return false;
    count = steps > 0 ? (int64_t)steps : 0;
    if (!nn__onnx_make_result(n, &made, nn__onnx_dtype(n, 0), 1, &count, false)) return false;
    for (int64_t i = 0; i < count; i++) {
        nn__onnx_number number;
        number.powers = 0;
        number.whole = (int64_t)((uint64_t)start.whole + (uint64_t)i * (uint64_t)delta.whole);
        number.real = start.real + (double)i * delta.real;
        nn__onnx_put(&made, (uint64_t)i, &number);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

/* dtype 0 stands for the dtype of operand 0. */
static bool nn__onnx_fold_eye_like(nn__onnx_node *n) {
    const int64_t k = nn__onnx_int(n, "k", 0), dtype = nn__onnx_int(n, "dtype", 0);
    const nn__onnx_type type = dtype ? (nn__onnx_type)dtype : nn__onnx_dtype(n, 0);
    const nn_shape shape = nn__onnx_shape(n, 0);
    int64_t extents[2];
    nn__onnx_made made;
    if (shape.rank != 2 || shape.extent[0] < 0 || shape.extent[1] < 0) return false;
    for (int i = 0; i < 2; i++) extents[i] = shape.extent[i];
    if (!nn__onnx_make_result(n, &made, type, 2, extents, false)) return false;
    for (int64_t i = 0; i < extents[0]; i++) {
        const nn__onnx_number one = {1, 1, 0};
        const int64_t at = i + k;
        if (at >= 0 && at < extents[1]) nn__onnx_put(&made, (uint64_t)(i * extents[1] + at), &one);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_fold_shapes(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Constant", 1, 0, NULL, nn__onnx_fold_constant},
        {"", "ConstantOfShape", 9, 0, NULL, nn__onnx_fold_constant_of_shape},
        {"", "EyeLike", 9, 0, NULL, nn__onnx_fold_eye_like},
        {"", "Identity", 1, 0, NULL, nn__onnx_fold_identity},
        {"", "Range", 11, 0, NULL, nn__onnx_fold_range},
        {"", "Shape", 1, 0, NULL, nn__onnx_fold_shape},
        {"", "Size", 1, 0, NULL, nn__onnx_fold_size},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
