/* onnx/fold_reduce.c - folds reductions, NonZero and CumSum of known numbers. */
#include "onnx/fold.h"

/* Takes one step of a reduction. False: not supported. */
static bool nn__onnx_reduce_step(const char *type, nn__onnx_type dtype, nn__onnx_number x,
                                 nn__onnx_number *sum) {
    int order;
    if (strcmp(type, "ReduceProd") == 0) return nn__onnx_multiply(dtype, *sum, x, sum);
    if (strcmp(type, "ReduceSum") == 0 || strcmp(type, "ReduceMean") == 0)
        return nn__onnx_plus(dtype, *sum, x, sum);
    if (!nn__onnx_compare(dtype, x, *sum, &order)) return false;
    if (order == 2 ? x.real != x.real : (order > 0) == (type[7] == 'a') && order != 0) *sum = x;
    return true;
}

/* Marks the axes that are reduced. False: they are not known. */
static bool nn__onnx_reduced(nn__onnx_node *n, int rank, bool *marked) {
    const int since = strcmp(n->op->type, "ReduceSum") == 0 ? 13 : 18;
    const nn__onnx_tensor *known = nn__onnx_known(n, 1);
    int32_t axes[NN__ONNX_RANK];
    int count = -1;
    if (n->opset < since) {
        count = nn__onnx_ints(n, "axes", axes, NN__ONNX_RANK);
    } else if (nn__onnx_has(n, 1)) {
        if (!known || known->powers || known->count > NN__ONNX_RANK) return false;
        count = (int)known->count;
        for (int i = 0; i < count; i++) axes[i] = (int32_t)nn__onnx_whole(known, (uint64_t)i);
    }
    if (count == -2) return false;
    if (count == -1 || count == 0) {
        const bool none = nn__onnx_int(n, "noop_with_empty_axes", 0) != 0;
        for (int i = 0; i < NN__ONNX_RANK; i++) marked[i] = i < rank && !none;
        return true;
    }
    for (int i = 0; i < NN__ONNX_RANK; i++) marked[i] = false;
    for (int i = 0; i < count; i++) {
        const int axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (axis < 0 || axis >= rank) return false;
        marked[axis] = true;
    }
    return true;
}

/* Turns a sum into a mean. The mean of whole numbers is truncated. */
static void nn__onnx_to_mean(nn__onnx_number *sum, uint64_t count) {
    sum->whole /= (int64_t)count;
    sum->real /= (double)count;
}

static bool nn__onnx_fold_reduce(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    const bool keep = nn__onnx_int(n, "keepdims", 1) != 0;
    int64_t extents[NN__ONNX_RANK], strides[NN__ONNX_RANK];
    bool marked[NN__ONNX_RANK];
    nn__onnx_steps steps;
    nn__onnx_number *sums;
    nn__onnx_made made;
    int rank = 0;
    int64_t stride = 1;
    if (!x || !x->data || x->count == 0 || !nn__onnx_reduced(n, x->rank, marked)) return false;
    for (int i = 0; i < x->rank; i++)
        if (keep || !marked[i]) extents[rank++] = marked[i] ? 1 : x->extent[i];
    nn__onnx_broadcast(&steps, &x, 1);
    for (int i = x->rank - 1; i >= 0; i--) { /* steps.offset[0] is the place in the result */
        strides[i] = marked[i] ? 0 : stride;
        if (!marked[i]) stride *= x->extent[i];
        steps.stride[0][i] = strides[i];
    }
    if (!nn__onnx_make_result(n, &made, x->dtype, rank, extents, false)) return false;
    sums = (nn__onnx_number *)nn__onnx_scratch(n, made.tensor->count * (sizeof *sums + 1));
    if (!sums) return false;
    for (uint64_t i = 0; i < x->count; i++) {
        bool *seen = (bool *)(sums + made.tensor->count) + steps.offset[0];
        nn__onnx_number *sum = sums + steps.offset[0];
        const nn__onnx_number one = nn__onnx_get(x, i);
        if (!*seen)
            *sum = one;
        else if (!nn__onnx_reduce_step(n->op->type, x->dtype, one, sum))
            return false;
        *seen = true;
        nn__onnx_step(&steps);
    }
    for (uint64_t i = 0; i < made.tensor->count; i++) {
        if (strcmp(n->op->type, "ReduceMean") == 0)
            nn__onnx_to_mean(&sums[i], x->count / made.tensor->count);
        nn__onnx_put(&made, i, &sums[i]);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

/* Folds NonZero to the (rank, count) indices of the numbers that are not 0. */
static bool nn__onnx_fold_non_zero(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0);
    int64_t extents[2] = {0, 0};
    nn__onnx_steps steps;
    nn__onnx_made made;
    if (!x || !nn__onnx_all_known(n)) return false;
    for (uint64_t i = 0; i < x->count; i++) {
        const nn__onnx_number number = nn__onnx_get(x, i);
        if (nn__onnx_counts(x->dtype) ? number.whole != 0 : number.real != 0) extents[1]++;
    }
    extents[0] = x->rank;
    if (!nn__onnx_make_result(n, &made, NN__ONNX_INT64, 2, extents, false)) return false;
    nn__onnx_broadcast(&steps, &x, 1);
    for (uint64_t i = 0, found = 0; i < x->count; i++) {
        const nn__onnx_number number = nn__onnx_get(x, i);
        const bool there = nn__onnx_counts(x->dtype) ? number.whole != 0 : number.real != 0;
        for (int k = 0; there && k < x->rank; k++) {
            nn__onnx_number at;
            memset(&at, 0, sizeof at);
            at.whole = steps.at[k];
            nn__onnx_put(&made, (uint64_t)(k * extents[1]) + found, &at);
        }
        found += there;
        nn__onnx_step(&steps);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

static bool nn__onnx_fold_cumsum(nn__onnx_node *n) {
    const nn__onnx_tensor *x = nn__onnx_known(n, 0), *axis = nn__onnx_known(n, 1);
    const bool exclusive = nn__onnx_int(n, "exclusive", 0) != 0;
    nn__onnx_made made;
    uint64_t inner = 1;
    int at;
    if (!x || !axis || axis->count != 1 || !nn__onnx_all_known(n) || x->powers ||
        nn__onnx_int(n, "reverse", 0) != 0)
        return false;
    at = (int)nn__onnx_whole(axis, 0);
    if (at < 0) at += x->rank;
    if (at < 0 || at >= x->rank ||
        !nn__onnx_make_result(n, &made, x->dtype, x->rank, x->extent, false))
        return false;
    for (int i = at + 1; i < x->rank; i++) inner *= (uint64_t)x->extent[i];
    for (uint64_t i = 0; i < x->count; i++) {
        const bool first = i / inner % (uint64_t)x->extent[at] == 0;
        nn__onnx_number one = nn__onnx_get(x, exclusive ? (first ? i : i - inner) : i), sum = one;
        if (first && exclusive) memset(&sum, 0, sizeof sum);
        made.tensor->powers = NULL;
        if (!first && !nn__onnx_plus(x->dtype, nn__onnx_get(made.tensor, i - inner), one, &sum))
            return false;
        nn__onnx_put(&made, i, &sum);
    }
    return nn__onnx_give_made(&made, 0, NULL);
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_fold_reduce(void) {
    static const nn__onnx_operator lines[] = {{"", "CumSum", 11, 0, NULL, nn__onnx_fold_cumsum},
                                              {"", "NonZero", 9, 0, NULL, nn__onnx_fold_non_zero},
                                              {"", "ReduceMax", 1, 0, NULL, nn__onnx_fold_reduce},
                                              {"", "ReduceMean", 1, 0, NULL, nn__onnx_fold_reduce},
                                              {"", "ReduceMin", 1, 0, NULL, nn__onnx_fold_reduce},
                                              {"", "ReduceProd", 1, 0, NULL, nn__onnx_fold_reduce},
                                              {"", "ReduceSum", 1, 0, NULL, nn__onnx_fold_reduce},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
