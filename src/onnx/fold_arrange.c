/* onnx/fold_arrange.c - computes known numbers in another order or shape: slices, gathers,
   shapes. */
#include "onnx/fold.h"

/* Copies number `from` of x. */
static void nn__onnx_copy(nn__onnx_made *made, uint64_t i, const nn__onnx_tensor *x,
                          uint64_t from) {
    const nn__onnx_number number = nn__onnx_get(x, from);
    nn__onnx_put(made, i, &number);
}

/* Returns the same numbers in another shape, without a copy. */
static bool nn__onnx_view(nn__onnx_node *n, const nn__onnx_tensor *x, int32_t rank,
                          const int64_t *extents) {
    nn__onnx_tensor *view;
    uint64_t count;
    if (rank > NN__ONNX_RANK || !nn__onnx_count(rank, extents, &count) || count != x->count)
        return false;
    view = (nn__onnx_tensor *)nn__onnx_scratch(n, sizeof *view);
    if (!view) return false;
    *view = *x;
    view->origin = NULL; /* the origin has the shape of x, not the new one */
    view->rank = rank;
    for (int i = 0; i < rank; i++) view->extent[i] = extents[i];
    nn__onnx_give_known(n, 0, view);
    return true;
}

/* Copies elements at offset + the sum of at[k] * stride[k]. steps has extents and strides. */
static bool nn__onnx_strided(nn__onnx_node *n, int k, const nn__onnx_tensor *x,
                             nn__onnx_steps *steps) {
    nn__onnx_made made;
    const bool uniform = x->uniform;
    steps->count = 1;
    if (!nn__onnx_make_result(n, &made, x->dtype, steps->rank, steps->extent, uniform))
        return false;
    for (uint64_t i = 0; i < (uniform && made.tensor->count > 0 ? 1 : made.tensor->count); i++) {
        nn__onnx_copy(&made, i, x, (uint64_t)steps->offset[0]);
        nn__onnx_step(steps);
    }
    return nn__onnx_give_made(&made, k, x);
}

/* Fills in steps that run through x in order. */
static void nn__onnx_dense(nn__onnx_steps *steps, const nn__onnx_tensor *x) {
    int64_t stride = 1;
    nn__onnx_broadcast(steps, &x, 1);
    for (int k = x->rank - 1; k >= 0; k--) {
        steps->stride[0][k] = stride;
        stride *= x->extent[k];
    }
}

/* Reads the numbers of an operand (from opset `since` on) or of an attribute (before), clamped to
   int32. -1: there is neither. -2: the operand is not known. */
static int nn__onnx_list(nn__onnx_node *n, int since, int i, const char *name, int32_t *to) {
    const nn__onnx_tensor *known = nn__onnx_known(n, i);
    if (n->opset < since) return nn__onnx_ints(n, name, to, NN__ONNX_RANK);
    if (!nn__onnx_has(n, i)) return -1;
    if (!known || known->powers || known->count > NN__ONNX_RANK) return -2;
    for (uint64_t k = 0; k < known->count; k++) {
        const int64_t number = nn__onnx_whole(known, k);
        to[k] = number > INT32_MAX ? INT32_MAX : number < INT32_MIN ? INT32_MIN : (int32_t)number;
    }
    return (int)known->count;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static bool nn__onnx_fold_reshape(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    const bool zero = nn__onnx_int(n, "allowzero", 0) != 0;
    int32_t wanted[NN__ONNX_RANK];
    int64_t extents[NN__ONNX_RANK], product = 1;
    const int count = nn__onnx_list(n, 5, 1, "shape", wanted);
    int rest = -1;
    if (!x || count < 0) return false;
    for (int i = 0; i < count; i++) {
        extents[i] = wanted[i];
        if (wanted[i] == 0 && !zero) extents[i] = i < x->rank ? x->extent[i] : 0;
        if (extents[i] < -1 || (extents[i] == -1 && rest >= 0)) return false;
        if (extents[i] == -1)
            rest = i;
        else if (extents[i] > 0 && product > INT64_MAX / extents[i])
            return false;
        else
            product *= extents[i];
    }
    if (rest >= 0) extents[rest] = product > 0 ? (int64_t)x->count / product : 0;
    return nn__onnx_view(n, x, count, extents);
}

/* Marks the axes. Returns false if an axis is out of range or occurs twice. */
static bool nn__onnx_mark(const int32_t *axes, int count, int rank, bool *marked) {
    memset(marked, 0, NN__ONNX_RANK * sizeof *marked);
    for (int i = 0; i < count; i++) {
        const int axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis < 0 || axis >= rank || marked[axis]) return false;
        marked[axis] = true;
    }
    return true;
}

static bool nn__onnx_fold_squeeze(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t axes[NN__ONNX_RANK];
    int64_t extents[NN__ONNX_RANK];
    bool marked[NN__ONNX_RANK];
    const int count = nn__onnx_list(n, 13, 1, "axes", axes);
    int rank = 0;
    if (!x || count < -1 || !nn__onnx_mark(axes, count, x->rank, marked)) return false;
    for (int i = 0; i < x->rank; i++)
        if (!(count < 0 ? x->extent[i] == 1 : marked[i])) extents[rank++] = x->extent[i];
    return nn__onnx_view(n, x, rank, extents);
}

static bool nn__onnx_fold_unsqueeze(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t axes[NN__ONNX_RANK];
    int64_t extents[NN__ONNX_RANK];
    bool marked[NN__ONNX_RANK];
    const int count = nn__onnx_list(n, 13, 1, "axes", axes);
    if (!x || count < 0 || x->rank + count > NN__ONNX_RANK ||
        !nn__onnx_mark(axes, count, x->rank + count, marked))
        return false;
    for (int i = 0, k = 0; i < x->rank + count; i++) extents[i] = marked[i] ? 1 : x->extent[k++];
    return nn__onnx_view(n, x, x->rank + count, extents);
}

static bool nn__onnx_fold_flatten(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int64_t extents[2] = {1, 1};
    int axis;
    if (!x) return false;
    axis = (int)nn__onnx_int(n, "axis", 1);
    if (axis < 0) axis += x->rank;
    for (int i = 0; i < x->rank; i++) extents[i >= axis] *= x->extent[i];
    return nn__onnx_view(n, x, 2, extents);
}

/* ---- strided --------------------------------------------------------------------------------- */

static bool nn__onnx_fold_transpose(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t order[NN__ONNX_RANK];
    bool marked[NN__ONNX_RANK];
    nn__onnx_steps from, to;
    const int count = nn__onnx_ints(n, "perm", order, NN__ONNX_RANK);
    if (!x || count == -2 || (count >= 0 && count != x->rank)) return false;
    for (int i = 0; i < x->rank && count < 0; i++) order[i] = x->rank - 1 - i;
    if (!nn__onnx_mark(order, x->rank, x->rank, marked)) return false;
    nn__onnx_dense(&from, x);
    to = from;
    for (int i = 0; i < x->rank; i++) {
        const int axis = order[i] < 0 ? order[i] + x->rank : order[i];
        to.extent[i] = from.extent[axis];
        to.stride[0][i] = from.stride[0][axis];
    }
    return nn__onnx_strided(n, 0, x, &to);
}

static bool nn__onnx_fold_expand(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t wanted[NN__ONNX_RANK];
    nn__onnx_tensor shape;
    const nn__onnx_tensor *both[2];
    nn__onnx_steps steps;
    const int count = nn__onnx_list(n, 1, 1, "shape", wanted);
    if (!x || count < 0) return false;
    memset(&shape, 0, sizeof shape);
    shape.rank = count;
    for (int i = 0; i < count; i++) {
        if (wanted[i] < 0) return false;
        shape.extent[i] = wanted[i];
    }
    both[0] = x;
    both[1] = &shape;
    return nn__onnx_broadcast(&steps, both, 2) && nn__onnx_strided(n, 0, x, &steps);
}

/* Clamps start and end of a slice as ONNX says. Returns the number of elements. */
static int64_t nn__onnx_clamp_slice(int64_t *start, int64_t end, int64_t step, int64_t extent) {
    const int64_t low = step < 0 ? -1 : 0, high = step < 0 ? extent - 1 : extent;
    if (extent == 0) return 0;
    if (*start < 0) *start += extent;
    if (end < 0) end += extent;
    *start = *start < 0 ? 0 : *start > high ? high : *start;
    end = end < low ? low : end > extent ? extent : end;
    if (step > 0) return end > *start ? (end - *start + step - 1) / step : 0;
    return *start > end ? (*start - end - step - 1) / -step : 0;
}

/* The slice is given by operands from opset 10 on, and by attributes before. */
static bool nn__onnx_fold_slice(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t start[NN__ONNX_RANK], end[NN__ONNX_RANK], axes[NN__ONNX_RANK], step[NN__ONNX_RANK];
    nn__onnx_steps steps;
    const int count = nn__onnx_list(n, 10, 1, "starts", start);
    const int ends = nn__onnx_list(n, 10, 2, "ends", end);
    const int of_axes = nn__onnx_list(n, 10, 3, "axes", axes);
    const int of_steps = n->opset < 10 ? -1 : nn__onnx_list(n, 10, 4, "steps", step);
    if (!x || count < 0 || ends != count || of_axes < -1 || of_steps < -1 ||
        (of_axes >= 0 && of_axes != count) || (of_steps >= 0 && of_steps != count))
        return false;
    nn__onnx_dense(&steps, x);
    for (int i = 0; i < count; i++) {
        int axis = of_axes < 0 ? i : axes[i] < 0 ? axes[i] + x->rank : axes[i];
        const int64_t stride = of_steps < 0 ? 1 : step[i];
        int64_t first = start[i];
        if (axis < 0 || axis >= x->rank || stride == 0) return false;
        steps.extent[axis] = nn__onnx_clamp_slice(&first, end[i], stride, x->extent[axis]);
        if (steps.extent[axis] > 0) steps.offset[0] += first * steps.stride[0][axis];
        steps.stride[0][axis] *= stride;
    }
    return nn__onnx_strided(n, 0, x, &steps);
}

/* Reads the parts from the operand (opset 13 on) or the attribute. Without them there is one equal
   part for each result. */
static bool nn__onnx_fold_split(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t sizes[NN__ONNX_RANK];
    const int count = nn__onnx_list(n, 13, 1, "split", sizes);
    int axis;
    int64_t first = 0;
    if (!x || count < -1 || x->rank == 0 || (count >= 0 && count != n->result_count)) return false;
    axis = nn__onnx_axis(n, 0, x->rank);
    if (axis < 0) return true;
    for (int k = 0; k < n->result_count; k++) {
        const int64_t share = (x->extent[axis] + n->result_count - 1) / n->result_count;
        const int64_t rest = x->extent[axis] - first;
        nn__onnx_steps steps;
        nn__onnx_dense(&steps, x);
        steps.extent[axis] = count >= 0 ? sizes[k] : share < rest ? share : rest;
        if (steps.extent[axis] < 0 || steps.extent[axis] > rest) return false;
        steps.offset[0] = first * steps.stride[0][axis];
        first += steps.extent[axis];
        if (!nn__onnx_strided(n, k, x, &steps)) return false;
    }
    return true;
}

static bool nn__onnx_fold_tile(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int32_t times[NN__ONNX_RANK];
    nn__onnx_steps steps;
    nn__onnx_made made;
    const int count = nn__onnx_list(n, 6, 1, "repeats", times);
    if (!x || count != x->rank) return false;
    nn__onnx_dense(&steps, x);
    for (int i = 0; i < count; i++) {
        if (times[i] < 0 || (times[i] > 0 && x->extent[i] > INT32_MAX / times[i])) return false;
        steps.extent[i] = x->extent[i] * times[i];
    }
    if (!nn__onnx_make_result(n, &made, x->dtype, x->rank, steps.extent, false)) return false;
    for (uint64_t i = 0; i < made.tensor->count; i++) {
        int64_t from = 0;
        for (int k = 0; k < x->rank; k++) from += steps.at[k] % x->extent[k] * steps.stride[0][k];
        nn__onnx_copy(&made, i, x, (uint64_t)from);
        nn__onnx_step(&steps);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

/* ---- several operands ------------------------------------------------------------------------ */

/* Multiplies the extents before the axis into *outer, and the extents after it into *inner. */
static void nn__onnx_around(const nn__onnx_tensor *x, int axis, uint64_t *outer, uint64_t *inner) {
    *outer = *inner = 1;
    for (int i = 0; i < axis; i++) *outer *= (uint64_t)x->extent[i];
    for (int i = axis + 1; i < x->rank; i++) *inner *= (uint64_t)x->extent[i];
}

static bool nn__onnx_fold_concat(nn__onnx_node *n) {
    const nn__onnx_tensor *first = nn__onnx_known(n, 0);
    int64_t extents[NN__ONNX_RANK], at = 0;
    uint64_t outer, inner;
    nn__onnx_made made;
    int axis;
    if (!first || first->rank == 0 || !nn__onnx_all_known(n)) return false;
    axis = nn__onnx_axis(n, 1, first->rank);
    if (axis < 0) return true;
    for (int i = 0; i < first->rank; i++) extents[i] = i == axis ? 0 : first->extent[i];
    for (int i = 0; i < n->operand_count; i++) {
        const nn__onnx_tensor *x = nn__onnx_known(n, i);
        if (!x || x->rank != first->rank || x->extent[axis] > INT64_MAX - extents[axis])
            return false;
        for (int k = 0; k < x->rank; k++)
            if (k != axis && x->extent[k] != extents[k]) return false;
        extents[axis] += x->extent[axis];
    }
    if (!nn__onnx_make_result(n, &made, first->dtype, first->rank, extents, false)) return false;
    nn__onnx_around(first, axis, &outer, &inner);
    for (int i = 0; i < n->operand_count; i++) {
        const nn__onnx_tensor *x = nn__onnx_known(n, i);
        const uint64_t run = (uint64_t)x->extent[axis] * inner;
        for (uint64_t k = 0; k < outer; k++)
            for (uint64_t m = 0; m < run; m++)
                nn__onnx_copy(&made, (k * (uint64_t)extents[axis] + (uint64_t)at) * inner + m, x,
                              k * run + m);
        at += x->extent[axis];
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

/* A table that may be trained, such as embeddings of positions, is left to the net. */
static bool nn__onnx_is_table(const nn__onnx_tensor *x) {
    return x && nn__onnx_is_float(x->dtype) && x->rank == 2 && x->count > 1024 && !x->uniform;
}

static bool nn__onnx_fold_gather(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0), *index = nn__onnx_known(n, 1);
    int64_t extents[2 * NN__ONNX_RANK];
    uint64_t outer, inner;
    nn__onnx_made made;
    int axis, rank = 0;
    if (!x || !index || index->powers || x->rank == 0 || !nn__onnx_all_known(n) ||
        nn__onnx_is_table(x))
        return false;
    axis = nn__onnx_axis(n, 0, x->rank);
    if (axis < 0) return true;
    if (x->rank - 1 + index->rank > NN__ONNX_RANK) return false;
    for (int i = 0; i < axis; i++) extents[rank++] = x->extent[i];
    for (int i = 0; i < index->rank; i++) extents[rank++] = index->extent[i];
    for (int i = axis + 1; i < x->rank; i++) extents[rank++] = x->extent[i];
    if (!nn__onnx_make_result(n, &made, x->dtype, rank, extents, false)) return false;
    nn__onnx_around(x, axis, &outer, &inner);
    for (uint64_t k = 0; k < outer && made.tensor->count > 0; k++) {
        for (uint64_t j = 0; j < index->count; j++) {
            int64_t from = nn__onnx_whole(index, j);
            if (from < 0) from += x->extent[axis];
            if (from < 0 || from >= x->extent[axis]) {
                nn__onnx_refuse(n, NULL, "its index %d is out of range; the axis has %d elements",
                                nn__onnx_whole(index, j), x->extent[axis]);
                return true;
            }
            for (uint64_t m = 0; m < inner; m++)
                nn__onnx_copy(&made, (k * index->count + j) * inner + m, x,
                              (k * (uint64_t)x->extent[axis] + (uint64_t)from) * inner + m);
        }
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_fold_arrange(void) {
    static const nn__onnx_operator lines[] = {
        {"", "Concat", 4, 0, NULL, nn__onnx_fold_concat},
        {"", "Expand", 8, 0, NULL, nn__onnx_fold_expand},
        {"", "Flatten", 1, 0, NULL, nn__onnx_fold_flatten},
        {"", "Gather", 1, 0, NULL, nn__onnx_fold_gather},
        {"", "Reshape", 5, 0, NULL, nn__onnx_fold_reshape},
        {"", "Slice", 1, 0, NULL, nn__onnx_fold_slice},
        {"", "Split", 2, 0, NULL, nn__onnx_fold_split},
        {"", "Squeeze", 1, 0, NULL, nn__onnx_fold_squeeze},
        {"", "Tile", 6, 0, NULL, nn__onnx_fold_tile},
        {"", "Transpose", 1, 0, NULL, nn__onnx_fold_transpose},
        {"", "Unsqueeze", 1, 0, NULL, nn__onnx_fold_unsqueeze},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
