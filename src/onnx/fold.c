/* onnx/fold.c - numbers with free extents: reading, storing, arithmetic, broadcasting. */
#include "onnx/fold.h"

NN__ONNX_PRIVATE bool nn__onnx_all_known(const nn__onnx_node *n) {
    for (int i = 0; i < n->operand_count; i++) {
        const nn__onnx_tensor *known = nn__onnx_known(n, i);
        if (!nn__onnx_has(n, i)) continue;
        if (!known || (!known->data && known->count > 0)) return false;
    }
    return true;
}

NN__ONNX_PRIVATE nn__onnx_number nn__onnx_get(const nn__onnx_tensor *tensor, uint64_t i) {
    nn__onnx_number number;
    if (nn__onnx_counts(tensor->dtype)) {
        number.whole = nn__onnx_whole(tensor, i);
        number.real = (double)number.whole;
    } else {
        number.real = nn__onnx_real(tensor, i);
        number.whole = 0;
    }
    number.powers = nn__onnx_power(tensor, i);
    return number;
}

NN__ONNX_PRIVATE bool nn__onnx_make_result(nn__onnx_node *n, nn__onnx_made *made,
                                           nn__onnx_type type, int32_t rank, const int64_t *extents,
                                           bool uniform) {
    uint64_t count;
    const uint32_t size = nn__onnx_type_size(type);
    memset(made, 0, sizeof *made);
    made->n = n;
    if (size == 0 || rank > NN__ONNX_RANK || !nn__onnx_count(rank, extents, &count)) return false;
    if (!uniform && count > NN__ONNX_FOLDED / size) return false;
    made->tensor =
        nn__onnx_make(n->walk->call, n->walk->arena, type, rank, extents, uniform, &made->data);
    made->good = made->tensor != NULL;
    return made->good;
}

NN__ONNX_PRIVATE void nn__onnx_put(nn__onnx_made *made, uint64_t i, const nn__onnx_number *number) {
    nn__onnx_tensor *tensor = made->tensor;
    if (nn__onnx_counts(tensor->dtype))
        nn__onnx_put_whole(made->data, tensor->dtype, i, number->whole);
    else
        nn__onnx_put_real(made->data, tensor->dtype, i, number->real);
    if (!number->powers) return;
    if (!made->powers)
        made->powers = (uint8_t *)nn__onnx_scratch(made->n, tensor->uniform ? 1 : tensor->count);
    if (made->powers)
        made->powers[i] = number->powers;
    else
        made->good = false;
}

NN__ONNX_PRIVATE bool nn__onnx_give_made(nn__onnx_made *made, int k, const nn__onnx_tensor *like) {
    nn__onnx_node *n = made->n;
    if (!made->good) return false;
    made->tensor->powers = made->powers;
    made->tensor->stored = true;
    if (like && *like->name)
        made->tensor->name = like->name;
    else if (nn__onnx_wants(n, k))
        made->tensor->name = n->results[k]->name;
    nn__onnx_give_known(n, k, made->tensor);
    return true;
}

/* ---- broadcasting ---------------------------------------------------------------------------- */

NN__ONNX_PRIVATE bool nn__onnx_broadcast(nn__onnx_steps *steps, const nn__onnx_tensor *const *x,
                                         int count) {
    memset(steps, 0, sizeof *steps);
    steps->count = count;
    for (int i = 0; i < count; i++)
        if (x[i]->rank > steps->rank) steps->rank = x[i]->rank;
    for (int k = 0; k < steps->rank; k++) {
        steps->extent[k] = 1;
        for (int i = 0; i < count; i++) {
            const int axis = k - (steps->rank - x[i]->rank);
            const int64_t extent = axis < 0 ? 1 : x[i]->extent[axis];
            if (extent == 1) continue;
            if (steps->extent[k] != 1 && steps->extent[k] != extent) return false;
            steps->extent[k] = extent;
        }
    }
    for (int i = 0; i < count; i++) {
        int64_t stride = 1;
        for (int axis = x[i]->rank - 1; axis >= 0; axis--) {
            const int k = axis + steps->rank - x[i]->rank;
            steps->stride[i][k] = x[i]->extent[axis] == 1 ? 0 : stride;
            stride *= x[i]->extent[axis];
        }
    }
    return true;
}

NN__ONNX_PRIVATE void nn__onnx_step(nn__onnx_steps *steps) {
    for (int k = steps->rank - 1; k >= 0; k--) {
        steps->at[k]++;
        for (int i = 0; i < steps->count; i++) steps->offset[i] += steps->stride[i][k];
        if (steps->at[k] < steps->extent[k]) return;
        for (int i = 0; i < steps->count; i++)
            steps->offset[i] -= steps->stride[i][k] * steps->extent[k];
        steps->at[k] = 0;
    }
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

NN__ONNX_PRIVATE bool nn__onnx_multiply(nn__onnx_type type, nn__onnx_number a, nn__onnx_number b,
                                        nn__onnx_number *to) {
    const bool counts = nn__onnx_counts(type);
    to->whole = counts ? (int64_t)((uint64_t)a.whole * (uint64_t)b.whole) : 0;
    to->real = counts ? (double)to->whole : a.real * b.real;
    to->powers = (uint8_t)(a.powers | b.powers);
    if (counts ? to->whole == 0 : to->real == 0)
        to->powers = 0; /* 0 * batch is 0 */
    else if (a.powers & b.powers)
        return false;
    if (!to->powers || !counts) return true;
    /* a product that wrapped around must not pass for a multiple of an extent */
    return a.whole == 0 || (to->whole / a.whole == b.whole && to->whole > INT32_MIN);
}

NN__ONNX_PRIVATE bool nn__onnx_plus(nn__onnx_type type, nn__onnx_number a, nn__onnx_number b,
                                    nn__onnx_number *to) {
    const bool counts = nn__onnx_counts(type);
    if (counts ? a.whole == 0 : a.real == 0) a.powers = b.powers;
    if (counts ? b.whole == 0 : b.real == 0) b.powers = a.powers;
    if (a.powers != b.powers) return false;
    to->whole = counts ? (int64_t)((uint64_t)a.whole + (uint64_t)b.whole) : 0;
    to->real = counts ? (double)to->whole : a.real + b.real;
    to->powers = (counts ? to->whole == 0 : to->real == 0) ? (uint8_t)0 : a.powers;
    return true;
}

/* True if a is above b for all values of the free extents, which are at least 1. For this, a must
   be a multiple of every extent of which b is one. */
static bool nn__onnx_above(nn__onnx_number a, nn__onnx_number b) {
    return (b.powers & ~a.powers) == 0 && a.real > 0 && a.real > b.real;
}

static bool nn__onnx_below(nn__onnx_number a, nn__onnx_number b) {
    return (b.powers & ~a.powers) == 0 && a.real < 0 && a.real < b.real;
}

NN__ONNX_PRIVATE bool nn__onnx_compare(nn__onnx_type type, nn__onnx_number a, nn__onnx_number b,
                                       int *order) {
    if (a.powers == b.powers) {
        if (nn__onnx_counts(type))
            *order = a.whole < b.whole ? -1 : a.whole > b.whole;
        else
            *order = a.real < b.real ? -1 : a.real > b.real ? 1 : a.real == b.real ? 0 : 2;
        return true;
    }
    if (nn__onnx_above(a, b) || nn__onnx_below(b, a))
        *order = 1;
    else if (nn__onnx_below(a, b) || nn__onnx_above(b, a))
        *order = -1;
    else
        return false;
    return true;
}
