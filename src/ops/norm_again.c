/* ops/norm_again.c - gradients of the gradients of norms. The norm is composed of element-wise
   operations and means, differentiated once to get the gradients that the kernel computes, and
   differentiated again. */
#include "ops/more_private.h"
#include "ops/norm_private.h"
#include "ops/program.h"

#ifndef NN_NO_TRAINING

/* The nodes that a norm_backward reads; those that its norm lacks are NULL. */
typedef struct nn__op_norm_parts {
    nn_node *dy, *x, *rstd, *mean, *weight;
} nn__op_norm_parts;

static nn__op_norm_parts nn__op_norm_parts_of(const nn_node *node, const nn__op_norm_params *norm) {
    nn__op_norm_parts parts;
    int next = 3;
    memset(&parts, 0, sizeof parts);
    parts.dy = node->inputs[0];
    parts.x = node->inputs[1];
    parts.rstd = node->inputs[2];
    if (!norm->rms) parts.mean = node->inputs[next++];
    if (norm->affine) parts.weight = node->inputs[next++];
    return parts;
}

/* Returns a shape of x in which each set of a norm is a row or consists of whole axes, and these
   axes. */
static nn_shape nn__op_norm_rows(const nn__op_norm_params *norm, nn_shape x, uint32_t *axes) {
    const uint32_t all = (1u << x.rank) - 1u;
    nn_shape rows, rest;
    if (norm->kind == NN__OP_LAYER_NORM) {
        const int over = norm->normalized.rank ? norm->normalized.rank : 1;
        *axes = all & ~((1u << (x.rank - over)) - 1u);
        return x;
    }
    if (norm->kind == NN__OP_BATCH_NORM) {
        *axes = all & ~2u;
        return x;
    }
    memset(&rows, 0, sizeof rows);
    rest = x;
    rows.rank = 3;
    rows.extent[0] = x.extent[0];
    rows.extent[1] = norm->kind == NN__OP_GROUP_NORM ? norm->groups : x.extent[1];
    rest.extent[1] = x.extent[1] / rows.extent[1];
    nn__fold_extents(rest, 1, rest.rank, &rows.extent[2]);
    *axes = 4u;
    return rows;
}

/* Reshapes a node with one number for each channel so that it is broadcast to x. */
static nn_node *nn__op_norm_channel(nn__tape *tape, nn_node *of, nn_shape x) {
    nn_shape shape = x;
    shape.rank = x.rank - 1;
    shape.extent[0] = x.extent[1];
    for (int i = 1; i < shape.rank; i++) shape.extent[i] = 1;
    return nn__tape_reshape(tape, of, shape, of);
}

/* Returns y without its bias, as element-wise operations and means. */
static nn_node *nn__op_norm_compose(nn__tape *tape, const nn__op_norm_params *norm,
                                    const nn__op_norm_parts *parts) {
    nn_node *x = parts->x, *y, *square, *weight = parts->weight;
    const nn_shape whole = x->shape;
    uint32_t axes;
    if (norm->frozen) {
        y = nn__tape_binary(tape, nn__table_subtract(), x,
                            nn__op_norm_channel(tape, parts->mean, whole), x);
        y = nn__tape_binary(tape, nn__table_multiply(), y,
                            nn__op_norm_channel(tape, parts->rstd, whole), x);
    } else {
        const nn_shape rows = nn__op_norm_rows(norm, whole, &axes);
        const nn_shape kept = nn__keep_axes(rows, axes);
        y = nn__tape_reshape(tape, x, rows, x);
        if (!norm->rms)
            y = nn__tape_binary(tape, nn__table_subtract(), y,
                                nn__tape_reduce(tape, NN_MEAN, y, axes, kept, x), x);
        square = nn__tape_reduce(
            tape, NN_MEAN, nn__tape_unary(tape, nn__table_square(), y, 0.0f, x), axes, kept, x);
        square = nn__tape_unary(tape, nn__table_offset(), square, norm->epsilon, x);
        y = nn__tape_binary(tape, nn__table_divide(), y,
                            nn__tape_unary(tape, nn__table_sqrt(), square, 0.0f, x), x);
        y = nn__tape_reshape(tape, y, whole, x);
    }
    if (weight && norm->kind != NN__OP_LAYER_NORM)
        weight = nn__op_norm_channel(tape, weight, whole);
    return weight ? nn__tape_binary(tape, nn__table_multiply(), y, weight, x) : y;
}

/* Adds the gradient of dbias, the sum of dy over everything but the weight's axes. */
static void nn__op_norm_bias_again(nn__tape *tape, const nn__op_norm_params *norm, nn_node *dy,
                                   nn_node *g) {
    if (!g || !nn__wants(dy)) return;
    if (norm->kind != NN__OP_LAYER_NORM) g = nn__op_norm_channel(tape, g, dy->shape);
    if (g->shape.rank < dy->shape.rank) {
        nn_shape shape = dy->shape;
        const int missing = dy->shape.rank - g->shape.rank;
        for (int i = 0; i < shape.rank; i++)
            shape.extent[i] = i < missing ? 1 : g->shape.extent[i - missing];
        g = nn__tape_reshape(tape, g, shape, dy);
    }
    nn__give_gradient(tape, dy, nn__tape_expand(tape, g, dy->shape, dy));
}

/* The gradient and `wanted` of a node, saved while the node serves another tape. */
typedef struct nn__op_norm_saved {
    nn_node *node, *gradient;
    bool wanted;
} nn__op_norm_saved;

static void nn__op_norm_save(nn__op_norm_saved *saved, nn_node *node, bool wanted) {
    saved->node = node;
    if (!node) return;
    saved->gradient = node->gradient;
    saved->wanted = node->wanted;
    node->gradient = NULL;
    node->wanted = wanted;
}

static void nn__op_norm_restore(const nn__op_norm_saved *saved) {
    for (int i = 0; i < 2; i++) {
        if (!saved[i].node) continue;
        saved[i].node->gradient = saved[i].gradient;
        saved[i].node->wanted = saved[i].wanted;
    }
}

NN_PRIVATE void nn__op_norm_again(nn__tape *tape, nn_node *node, nn_node *g) {
    const nn__op_norm_back *back = (const nn__op_norm_back *)node->params;
    const nn__op_norm_params *norm = &back->norm;
    const nn__op_norm_parts parts = nn__op_norm_parts_of(node, norm);
    nn_node *before = tape->graph->last, *results[2], *gradients[2], *made[3];
    nn__op_norm_saved saved[4];
    int count = 0;
    (void)g; /* output 0 is one of back->gives */
    memset(saved, 0, sizeof saved);
    if (norm->tracked && (!norm->frozen || norm->kind != NN__OP_BATCH_NORM)) {
        nn__again_ends(tape, node,
                       NN__TEXT("a norm with running statistics is another function in "
                                "a plan that trains than in one that does not"));
        return;
    }
    nn__op_norm_save(&saved[0], parts.x, true);
    nn__op_norm_save(&saved[1], parts.weight, true);
    nn__op_norm_save(&saved[2], parts.rstd, false);
    nn__op_norm_save(&saved[3], parts.mean, false);
    nn_node *y = nn__op_norm_compose(tape, norm, &parts), *dy = parts.dy;
    nn__backward_through(tape, before, &y, &dy, 1);
    made[NN__OP_NORM_DX] = parts.x->gradient;
    made[NN__OP_NORM_DWEIGHT] = parts.weight ? parts.weight->gradient : NULL;
    nn__op_norm_restore(saved);
    for (int i = 0; i < back->count && !tape->failed; i++) {
        nn_node *given = nn__gradient_of(node, i);
        if (back->gives[i] == NN__OP_NORM_DBIAS) {
            nn__op_norm_bias_again(tape, norm, parts.dy, given);
            continue;
        }
        results[count] = made[back->gives[i]];
        gradients[count++] = given;
    }
    nn__backward_through(tape, before, results, gradients, count);
    nn__op_norm_restore(saved + 2);
}

#endif /* NN_NO_TRAINING */

typedef int nn__norm_again_part; /* a part must not be empty under NN_NO_TRAINING */
