/* onnx/arranged.c - values that are other nodes with their elements in another order. ONNX has the
   time first in recurrent layers, so files are full of Transposes that undo each other, with
   Reshapes between them. Each value that Transpose and Reshape make remembers the node at the
   beginning; where its elements are in their order again, the value is that node. */
#include "onnx/map_tools.h"

enum { NN__ONNX_FACTORS = 12 };

/* A value whose elements are those of `source`. The shape of the source is divided into factors,
   without those of 1; the value has the factors in another order, some of them joined to axes. */
struct nn__onnx_arranged {
    nn_node *source;
    int count;
    int32_t extent[NN__ONNX_FACTORS]; /* in the order of the source */
    uint8_t order[NN__ONNX_FACTORS];  /* factors of the value, from its first axis on */
};

/* Returns x / y, or 0 if y does not divide x. */
static int32_t nn__onnx_divided(int32_t x, int32_t y) {
    uint8_t of_x, of_y;
    const int64_t a = nn__onnx_split_extent(x, &of_x), b = nn__onnx_split_extent(y, &of_y);
    if (b == 0 || a % b != 0 || (of_x & of_y) != of_y) return 0;
    return nn__onnx_join_extent(a / b, (uint8_t)(of_x & ~of_y));
}

/* Divides the factor at place `at` of the order into `first` and what is left of it. */
static bool nn__onnx_divide_factor(nn__onnx_arranged *a, int at, int32_t first) {
    const int factor = a->order[at];
    const int32_t left = nn__onnx_divided(a->extent[factor], first);
    if (left == 0 || left == 1 || a->count == NN__ONNX_FACTORS) return false;
    for (int i = 0; i < a->count; i++)
        if (a->order[i] > factor) a->order[i]++;
    for (int i = a->count; i > factor + 1; i--) a->extent[i] = a->extent[i - 1];
    for (int i = a->count; i > at + 1; i--) a->order[i] = a->order[i - 1];
    a->extent[factor] = first;
    a->extent[factor + 1] = left;
    a->order[at + 1] = (uint8_t)(factor + 1);
    a->count++;
    return true;
}

/* Finds the factors of each axis of a shape: those of axis i end before ends[i]. Divides factors
   where the shape divides them. False: the shape has axes that are no products of factors. */
static bool nn__onnx_fit_factors(nn__onnx_arranged *a, const nn_shape *shape, int *ends) {
    int at = 0;
    for (int i = 0; i < shape->rank; i++) {
        int32_t left = shape->extent[i];
        while (left != 1) {
            int32_t next;
            if (at == a->count || left == 0) return false;
            next = nn__onnx_divided(left, a->extent[a->order[at]]);
            if (next == 0) {
                if (!nn__onnx_divide_factor(a, at, left)) return false;
                next = 1;
            }
            at++;
            left = next;
        }
        ends[i] = at;
    }
    return at == a->count;
}

/* Returns the arrangement of a node that is the source itself, in this shape. */
static nn__onnx_arranged *nn__onnx_arranged_node(nn__onnx_node *n, nn_node *source,
                                                 const nn_shape *shape) {
    nn__onnx_arranged *a = (nn__onnx_arranged *)nn__onnx_scratch(n, sizeof *a);
    if (!a || !source || shape->rank > NN_MAX_RANK) return NULL;
    memset(a, 0, sizeof *a);
    a->source = source;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->extent[i] == 1) continue;
        a->order[a->count] = (uint8_t)a->count;
        a->extent[a->count++] = shape->extent[i];
    }
    return a;
}

/* Returns a copy of an operand's arrangement. NULL: its node has a form of its own. */
static nn__onnx_arranged *nn__onnx_arranged_copy(nn__onnx_node *n, int i, nn_node *raw) {
    const nn__onnx_value *value = n->operands[i];
    const nn_shape shape = nn_node_shape(raw);
    const nn__onnx_arranged *from = value->arranged;
    nn__onnx_arranged *copy;
    if (value->bytes || !raw || n->refused) return NULL;
    if (!from) from = nn__onnx_arranged_node(n, raw, &shape);
    copy = from ? (nn__onnx_arranged *)nn__onnx_scratch(n, sizeof *copy) : NULL;
    if (copy) *copy = *from;
    return copy;
}

/* Returns the source in this shape if its elements are in their order, else NULL. */
static nn_node *nn__onnx_in_order(nn__onnx_node *n, const nn__onnx_arranged *a, nn_shape shape) {
    for (int i = 0; i < a->count; i++)
        if (a->order[i] != i) return NULL;
    return nn__onnx_reshaped(n, a->source, shape);
}

static bool nn__onnx_permute_factors(nn__onnx_arranged *a, const nn_shape *shape,
                                     const int *order) {
    nn__onnx_arranged made;
    int ends[NN_MAX_RANK], count = 0;
    if (!nn__onnx_fit_factors(a, shape, ends)) return false;
    made = *a;
    for (int i = 0; i < shape->rank; i++)
        for (int k = order[i] > 0 ? ends[order[i] - 1] : 0; k < ends[order[i]]; k++)
            made.order[count++] = a->order[k];
    *a = made;
    return true;
}

NN__ONNX_PRIVATE nn_node *nn__onnx_permuted(nn__onnx_node *n, int i, const int *order,
                                            const nn__onnx_arranged **arranged) {
    nn_node *raw = nn__onnx_raw(n, i), *node = NULL;
    nn__onnx_arranged *a = raw ? nn__onnx_arranged_copy(n, i, raw) : NULL;
    nn_shape shape, from;
    nn_axes axes;
    *arranged = NULL;
    if (!raw) return NULL;
    from = nn_node_shape(raw);
    shape = from;
    memset(&axes, 0, sizeof axes);
    axes.count = from.rank;
    for (int k = 0; k < from.rank; k++) {
        axes.axis[k] = order[k];
        /* a wrong order becomes a fault of nn_permute */
        if (order[k] < 0 || order[k] >= from.rank) a = NULL;
        for (int j = 0; j < k; j++)
            if (order[j] == order[k]) a = NULL;
        if (a) shape.extent[k] = from.extent[order[k]];
    }
    if (a && nn__onnx_permute_factors(a, &from, order)) {
        *arranged = a;
        node = nn__onnx_in_order(n, a, shape);
    }
    return node ? node : nn_permute_at(n->site, n->net, raw, axes);
}

NN__ONNX_PRIVATE void nn__onnx_give_reshaped(nn__onnx_node *n, nn_shape shape) {
    nn_node *raw = nn__onnx_raw(n, 0), *node = NULL;
    nn__onnx_arranged *a = raw ? nn__onnx_arranged_copy(n, 0, raw) : NULL;
    int ends[NN_MAX_RANK];
    if (a && !nn__onnx_fit_factors(a, &shape, ends)) a = NULL;
    if (a) node = nn__onnx_in_order(n, a, shape);
    nn__onnx_give(n, 0, node ? node : nn__onnx_reshaped(n, raw, shape), nn__onnx_dtype(n, 0));
    nn__onnx_give_arranged(n, 0, a);
}

NN__ONNX_PRIVATE const nn__onnx_arranged *nn__onnx_arranged_as(nn__onnx_node *n, nn_node *source,
                                                               const nn_shape *shape,
                                                               const int *order) {
    nn__onnx_arranged *a = source ? nn__onnx_arranged_node(n, source, shape) : NULL;
    return a && nn__onnx_permute_factors(a, shape, order) ? a : NULL;
}

NN__ONNX_PRIVATE void nn__onnx_give_arranged(nn__onnx_node *n, int k,
                                             const nn__onnx_arranged *arranged) {
    if (nn__onnx_wants(n, k) && !n->refused) n->results[k]->arranged = arranged;
}
