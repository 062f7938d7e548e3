/* ops/arrange_pieces.c - permute, slice, concat, pad, flip and roll as pieces of one strided
   copy: one rule for all of them.

   A piece says which rectangle of which input goes where in the result. The gradient of an input
   uses the same pieces with source and target exchanged; zeros fill what they do not cover.
   Pieces are made when a run is lowered, because only a run knows the batch. */
#include "ops/arrange_private.h"

/* At most this many slices of one tensor share one copy for their gradients. */
#define NN__SLICE_PARTS 8

/* ---- pieces ---------------------------------------------------------------------------------- */

static void nn__op_arrange_strides(nn_shape shape, int64_t stride[NN_COPY_AXES]) {
    int64_t step = 1;
    for (int i = shape.rank - 1; i >= 0; i--) {
        stride[i] = step;
        step *= shape.extent[i];
    }
}

/* Returns a piece that copies all of y from the same places of x. The caller changes it. Axes are
   aligned to the last one. */
static nn_copy_piece *nn__op_arrange_piece(nn_copy_piece *piece, nn_shape y,
                                           const int64_t *x_stride, const int64_t *y_stride) {
    memset(piece, 0, sizeof *piece);
    for (int i = 0; i < NN_COPY_AXES; i++) piece->extent[i] = 1;
    for (int i = 0; i < y.rank; i++) {
        int at = NN_COPY_AXES - y.rank + i;
        piece->extent[at] = y.extent[i];
        piece->x_stride[at] = x_stride[i];
        piece->y_stride[at] = y_stride[i];
    }
    return piece;
}

/* Returns the number of pieces: 0 if a shift is longer than the time of the run. */
static int nn__op_pad_piece(const nn__op_arranged *p, nn_copy_piece *piece, nn_shape x,
                            const int64_t *xs, const int64_t *ys) {
    for (int i = 0; i < 3; i++) {
        int axis = x.rank - 3 + i, at = NN_COPY_AXES - 3 + i;
        if (axis < 0) continue;
        int32_t cut_before = nn__maxi(0, -p->before[i]), cut_after = nn__maxi(0, -p->after[i]);
        piece->extent[at] = x.extent[axis] - cut_before - cut_after;
        if (piece->extent[at] < 1) return 0;
        piece->x_first += cut_before * xs[axis];
        piece->y_first += nn__maxi(0, p->before[i]) * ys[axis];
    }
    return 1;
}

/* The second piece is the part that wraps around. Returns the number of pieces. */
static int nn__op_roll_pieces(const nn__op_arranged *p, nn_copy_piece *pieces, nn_shape x,
                              const int64_t *xs, const int64_t *ys) {
    int at = NN_COPY_AXES - x.rank + p->axis;
    int32_t extent = x.extent[p->axis], shift = p->shift % extent;
    if (shift < 0) shift += extent;
    if (!shift) return 1;
    pieces[1] = pieces[0];
    pieces[0].extent[at] = extent - shift;
    pieces[0].y_first = shift * ys[p->axis];
    pieces[1].extent[at] = shift;
    pieces[1].x_first = (extent - shift) * xs[p->axis];
    return 2;
}

/* Fills in the pieces of one input. x: its shape; before: its offset along the axis of a concat.
   Returns the number of pieces. */
static int nn__op_arrange_pieces(nn__arrange_kind kind, const nn__op_arranged *p,
                                 nn_copy_piece *pieces, nn_shape x, nn_shape y, int64_t before) {
    int64_t xs[NN_COPY_AXES], ys[NN_COPY_AXES], turned[NN_COPY_AXES];
    nn_copy_piece *piece;
    nn__op_arrange_strides(x, xs);
    nn__op_arrange_strides(y, ys);
    if (kind == NN__PERMUTE) {
        for (int i = 0; i < x.rank; i++) turned[i] = xs[p->order[i]];
        nn__op_arrange_piece(pieces, y, turned, ys);
        return 1;
    }
    piece = nn__op_arrange_piece(pieces, kind == NN__CONCAT ? x : y, xs, ys);
    int at = NN_COPY_AXES - x.rank + p->axis;
    if (kind == NN__SLICE) {
        piece->x_first = p->start * xs[p->axis];
        piece->x_stride[at] *= p->step;
    } else if (kind == NN__CONCAT) {
        piece->y_first = before * ys[p->axis];
    } else if (kind == NN__PAD) {
        return nn__op_pad_piece(p, piece, x, xs, ys);
    } else if (kind == NN__ROLL) {
        return nn__op_roll_pieces(p, pieces, x, xs, ys);
    } else {
        for (int i = 0; i < x.rank; i++) {
            if (!p->order[i]) continue;
            piece->x_first += (x.extent[i] - 1) * xs[i];
            piece->x_stride[NN_COPY_AXES - x.rank + i] = -xs[i];
        }
    }
    return 1;
}

/* Returns the bits of a value in a dtype. Values that the dtype cannot hold were refused before. */
static uint64_t nn__op_arrange_bits(nn_dtype dtype, float value) {
    uint32_t bits;
    if (dtype != NN_F32) return (uint64_t)(int64_t)value;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#ifndef NN_NO_TRAINING
/* Exchanges source and target: the gradient writes what the piece read. */
static void nn__op_arrange_turn(nn_copy_piece *piece) {
    for (int i = 0; i < NN_COPY_AXES; i++) {
        int64_t stride = piece->x_stride[i];
        piece->x_stride[i] = piece->y_stride[i];
        piece->y_stride[i] = stride;
    }
    int64_t first = piece->x_first;
    piece->x_first = piece->y_first;
    piece->y_first = first;
}
#endif

NN_PRIVATE void nn__op_copy_args(nn_strided_copy_args *args, nn_copy_piece *piece,
                                 const nn_view *y, const nn_view *x) {
    int64_t stride[NN_COPY_AXES];
    memset(args, 0, sizeof *args);
    nn__op_arrange_strides(y->shape, stride);
    nn__op_arrange_piece(piece, y->shape, stride, stride);
    piece->x = *x;
    args->y = *y;
    args->pieces = piece;
    args->count = 1;
}

/* ---- lowering -------------------------------------------------------------------------------- */

/* Repeats the checks, which have passed before, with the extents of this run. */
static nn__op_arranged nn__op_arrange_again(const nn__op_arrange *p, nn_shape x) {
    nn__op_arranged arranged;
    nn__problem problem;
    nn__type type;
    nn_shape y;
    type.dtype = NN_F32; /* does not matter here */
    type.shape = x;
    nn__op_arrange_settle(p, type, &arranged, &y, &problem);
    return arranged;
}

NN_PRIVATE void nn__op_arrange_forward(const nn__op_arrange *p, nn_strided_copy_args *args,
                                       nn_copy_piece *pieces, nn_view y, const nn_view *x,
                                       int inputs) {
    const nn__op_arranged arranged = nn__op_arrange_again(p, x->shape);
    int64_t before = p->before;
    memset(args, 0, sizeof *args);
    args->y = y;
    args->pieces = pieces;
    for (int i = 0; i < inputs; i++) {
        int count = nn__op_arrange_pieces(p->kind, &arranged, pieces, x[i].shape, y.shape, before);
        for (int k = 0; k < count; k++) (pieces++)->x = x[i];
        args->count += count;
        before += x[i].shape.rank ? x[i].shape.extent[arranged.axis] : 0;
    }
    args->fill = p->kind == NN__PAD;
    args->value = nn__op_arrange_bits(y.dtype, p->pad.value);
}

static void nn__op_arrange_lower(const nn_node *node, const nn__lowering *lowering,
                                 nn__args *args) {
    nn__op_arrange_forward((const nn__op_arrange *)node->params, &args->strided_copy,
                           (nn_copy_piece *)lowering->pieces, lowering->output, lowering->inputs,
                           node->input_count);
}

#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__op_is_last_slice(const nn_node *node, int32_t *first) {
    const nn__op_arrange *p = (const nn__op_arrange *)node->params;
    if (node->kind != NN__OPERATION || node->rule != nn__op_arrange_rule(NN__SLICE)) return false;
    const nn__op_arranged slice = nn__op_arrange_again(p, node->inputs[0]->shape);
    *first = slice.start;
    return slice.step == 1 && slice.axis == node->shape.rank - 1;
}
#endif

#ifndef NN_NO_TRAINING
/* Copies between an input of the forward node, of the shape x, and the node's result y. turned:
   from y to x, for the gradient; else from x to y. Everything that is not copied becomes 0. */
static void nn__op_arrange_one(const nn_node *node, const nn__lowering *lowering,
                               nn_strided_copy_args *args, nn_shape x, nn_shape y, bool turned) {
    const nn__op_arrange *p = (const nn__op_arrange *)node->params;
    const nn__op_arranged arranged = nn__op_arrange_again(p, x);
    int64_t before = 0, covered = 0;
    for (int i = 0; i < p->input; i++)
        before += nn__resolve_extent(p->forward->inputs[i]->shape.extent[arranged.axis],
                                     lowering->values->batch, lowering->values->time);
    memset(args, 0, sizeof *args);
    nn_copy_piece *pieces = (nn_copy_piece *)lowering->pieces;
    args->y = lowering->output;
    args->pieces = pieces;
    args->count = nn__op_arrange_pieces(p->kind, &arranged, pieces, x, y, before);
    for (int i = 0; i < args->count; i++) {
        int64_t elements = 1;
        for (int k = 0; k < NN_COPY_AXES; k++) elements *= pieces[i].extent[k];
        covered += elements;
        if (turned) nn__op_arrange_turn(&pieces[i]);
        pieces[i].x = lowering->inputs[0];
    }
    args->fill = covered < nn__count(&args->y); /* no two pieces of one input overlap */
}

static void nn__op_arrange_backward_lower(const nn_node *node, const nn__lowering *lowering,
                                          nn__args *args) {
    nn__op_arrange_one(node, lowering, &args->strided_copy, lowering->output.shape,
                       lowering->inputs[0].shape, true);
}

static const nn__rule nn__rule_arrange_backward = {"arrange_backward",
                                                   NN_KERNEL_STRIDED_COPY,
                                                   0,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_arrange_backward_lower,
                                                   nn__gradient_again,
                                                   NULL,
                                                   NULL,
                                                   NULL};

/* The gradient of slices that do not overlap: one copy of all their gradients, not a sum of
   copies that are each filled up with zeros. */
typedef struct nn__op_parts {
    int32_t axis, count;
    const nn_node *forward[NN__SLICE_PARTS]; /* the slices; input i is the gradient of slice i */
} nn__op_parts;

static void nn__op_parts_lower(const nn_node *node, const nn__lowering *lowering,
                               nn__args *arguments) {
    const nn__op_parts *p = (const nn__op_parts *)node->params;
    nn_strided_copy_args *args = &arguments->strided_copy;
    nn_copy_piece *pieces = (nn_copy_piece *)lowering->pieces;
    int64_t covered = 0;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->pieces = pieces;
    args->count = p->count;
    for (int i = 0; i < p->count; i++) {
        nn__op_arranged slice = nn__op_arrange_again((const nn__op_arrange *)p->forward[i]->params,
                                                     lowering->output.shape);
        nn__op_arrange_pieces(NN__SLICE, &slice, &pieces[i], lowering->output.shape,
                              lowering->inputs[i].shape, 0);
        nn__op_arrange_turn(&pieces[i]);
        pieces[i].x = lowering->inputs[i];
        covered += nn__count(&lowering->inputs[i]);
    }
    args->fill = covered < nn__count(&args->y);
}

static const nn__rule nn__rule_parts_backward = {"slices_backward",
                                                 NN_KERNEL_STRIDED_COPY,
                                                 0,
                                                 NN_ACTIVATION_NONE,
                                                 nn__op_parts_lower,
                                                 nn__gradient_again,
                                                 NULL,
                                                 NULL,
                                                 NULL};

#ifndef NN_NO_SPEEDUPS
NN_PRIVATE const nn_node *nn__op_slice_of(const nn_node *node, int input) {
    return node->rule == &nn__rule_parts_backward
               ? ((const nn__op_parts *)node->params)->forward[input]
               : NULL;
}
#endif

/* Adds the slice `node` to the slices whose gradients x already has. NULL: they overlap, or x
   has another gradient. */
static nn_node *nn__op_parts_join(nn__tape *tape, nn_node *node, nn_node *dy) {
    nn_node *x = node->inputs[0], *joined = x->gradient, *inputs[NN__SLICE_PARTS];
    const nn__op_arranged added =
        nn__op_arrange_again((const nn__op_arrange *)node->params, x->shape);
    const int32_t end = added.start + node->shape.extent[added.axis];
    nn__op_parts parts;
    if (added.step != 1 || node->shape.extent[added.axis] < 1) return NULL;
    memset(&parts, 0, sizeof parts);
    parts.axis = added.axis;
    if (joined) {
        if (joined->rule != &nn__rule_parts_backward) return NULL;
        parts = *(const nn__op_parts *)joined->params;
        if (parts.axis != added.axis || parts.count == NN__SLICE_PARTS) return NULL;
    }
    for (int i = 0; i < parts.count; i++) {
        const nn_node *other = parts.forward[i];
        const int32_t start =
            nn__op_arrange_again((const nn__op_arrange *)other->params, x->shape).start;
        if (start < end && added.start < start + other->shape.extent[added.axis]) return NULL;
        inputs[i] = joined->inputs[i];
    }
    inputs[parts.count] = dy;
    parts.forward[parts.count++] = node;
    return nn__tape_node(tape, &nn__rule_parts_backward, x, ".grad", inputs, parts.count, NN_F32,
                         x->shape, &parts, sizeof parts);
}

static void nn__op_arrange_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    for (int i = 0; i < node->input_count; i++) {
        nn__op_arrange p = *(const nn__op_arrange *)node->params;
        nn_node *x = node->inputs[i], *joined = NULL;
        if (!nn__wants(x)) continue;
        if (p.kind == NN__SLICE) joined = nn__op_parts_join(tape, node, dy);
        if (joined) {
            x->gradient = joined; /* replaces the gradient that it includes */
            continue;
        }
        p.forward = node;
        p.input = i;
        nn__give_gradient(tape, x,
                          nn__tape_node(tape, &nn__rule_arrange_backward, x, ".grad", &dy, 1,
                                        NN_F32, x->shape, &p, sizeof p));
    }
}

/* ---- gradients of gradients ---- */

static void nn__op_arrange_twice_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args) {
    nn__op_arrange_one(node, lowering, &args->strided_copy, lowering->inputs[0].shape,
                       lowering->output.shape, false);
}
/* The gradient of arrange_backward: copies as the forward node copies this one input. */
static const nn__rule nn__rule_arrange_twice = {"arrange_twice",
                                                NN_KERNEL_STRIDED_COPY,
                                                0,
                                                NN_ACTIVATION_NONE,
                                                nn__op_arrange_twice_lower,
                                                nn__gradient_again,
                                                NULL,
                                                NULL,
                                                NULL};

static void nn__op_arrange_give(nn__tape *tape, nn_node *to, const nn__rule *rule, nn_node *g,
                                const nn__op_arrange *params) {
    if (nn__wants(to))
        nn__give_gradient(tape, to,
                          nn__tape_node(tape, rule, to, ".grad", &g, 1, NN_F32, to->shape, params,
                                        sizeof *params));
}

NN_PRIVATE void nn__op_arrange_again_gradient(nn__tape *tape, nn_node *node, nn_node *g) {
    const nn__op_parts *parts = (const nn__op_parts *)node->params;
    if (node->rule != &nn__rule_parts_backward) {
        nn__op_arrange_give(tape, node->inputs[0],
                            node->rule == &nn__rule_arrange_twice ? &nn__rule_arrange_backward
                                                                  : &nn__rule_arrange_twice,
                            g, (const nn__op_arrange *)node->params);
        return;
    }
    for (int i = 0; i < parts->count; i++) {
        nn__op_arrange p = *(const nn__op_arrange *)parts->forward[i]->params;
        p.forward = parts->forward[i];
        p.input = 0;
        nn__op_arrange_give(tape, node->inputs[i], &nn__rule_arrange_twice, g, &p);
    }
}

NN_PRIVATE void nn__op_arrange_own(nn_node *node,
                                   nn_node *(*copy_of)(const void *copy, const nn_node *node),
                                   const void *copy) {
    if (node->rule == &nn__rule_arrange_backward || node->rule == &nn__rule_arrange_twice) {
        nn__op_arrange *p = (nn__op_arrange *)node->params;
        p->forward = copy_of(copy, p->forward);
    } else if (node->rule == &nn__rule_parts_backward) {
        nn__op_parts *parts = (nn__op_parts *)node->params;
        for (int i = 0; i < parts->count; i++)
            parts->forward[i] = copy_of(copy, parts->forward[i]);
    }
}
#endif

#define NN__ARRANGE_RULE(name)                                                                     \
    static const nn__rule nn__rule_##name = {#name,                                                \
                                             NN_KERNEL_STRIDED_COPY,                               \
                                             NN__DYNAMIC | NN__ANY_DTYPE,                          \
                                             NN_ACTIVATION_NONE,                                   \
                                             nn__op_arrange_lower,                                 \
                                             NN__GRADIENT(nn__op_arrange_gradient),                \
                                             NULL,                                                 \
                                             nn__op_arrange_infer,                                 \
                                             NULL}
NN__ARRANGE_RULE(permute);
NN__ARRANGE_RULE(slice);
NN__ARRANGE_RULE(concat);
NN__ARRANGE_RULE(pad);
NN__ARRANGE_RULE(flip);
NN__ARRANGE_RULE(roll);
#undef NN__ARRANGE_RULE

NN_PRIVATE const nn__rule *nn__op_arrange_rule(nn__arrange_kind kind) {
    switch (kind) {
    case NN__PERMUTE: return &nn__rule_permute;
    case NN__SLICE: return &nn__rule_slice;
    case NN__CONCAT: return &nn__rule_concat;
    case NN__PAD: return &nn__rule_pad;
    case NN__FLIP: return &nn__rule_flip;
    default: return &nn__rule_roll;
    }
}
