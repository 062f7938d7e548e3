/* ops/arrange_private.h - what the builders of ops/arrange.c, the shapes of ops/arrange_infer.c,
   the pieces of ops/arrange_pieces.c and the immediate calls of ops/arrange_forward.c share. */
#pragma once

#include "ops/arrange.h"
#include "ops/private.h"

typedef enum nn__arrange_kind {
    NN__PERMUTE,
    NN__SLICE,
    NN__CONCAT,
    NN__PAD,
    NN__FLIP,
    NN__ROLL
} nn__arrange_kind;

/* The params of a node: what the user said, as it was said. */
typedef struct nn__op_arrange {
    nn__arrange_kind kind;
    int axis, shift; /* concat, roll */
    nn_axes axes;    /* permute: the order; flip */
    nn_slice_desc slice;
    nn_pad_desc pad;
    const nn_tensor *const *tensors; /* immediate concat: its inputs; NULL in a description */
    int64_t before;                  /* immediate concat: elements of the axis before this input */
    const nn_node *forward;          /* gradient: the node whose input `input` this belongs to */
    int32_t input;
} nn__op_arrange;

/* The same for an input of a known rank: axes counted from 0, every default filled in. */
typedef struct nn__op_arranged {
    int32_t axis, start, step, shift; /* slice, concat, roll */
    int32_t order[NN_MAX_RANK];       /* permute: the axis of x; flip: 1 for one turned round */
    int32_t before[3], after[3];      /* pad, on the last three axes */
} nn__op_arranged;

/* Checks what was said against the first input, and gives the shape of the result, except that a
   concat's is that of x. */
NN_PRIVATE bool nn__op_arrange_settle(const nn__op_arrange *p, nn__type x, nn__op_arranged *to,
                                      nn_shape *y, nn__problem *problem);
NN_PRIVATE bool nn__op_arrange_infer(nn__inference *inference);
/* The args of a forward copy of `inputs` inputs into y. pieces: room for two of one input, or one
   of each. */
NN_PRIVATE void nn__op_arrange_forward(const nn__op_arrange *p, nn_strided_copy_args *args,
                                       nn_copy_piece *pieces, nn_view y, const nn_view *x,
                                       int inputs);
NN_PRIVATE const nn__rule *nn__op_arrange_rule(nn__arrange_kind kind);
/* x with a new axis of 1, before axis `axis`; -1: behind the last one. False: none fits. */
NN_PRIVATE bool nn__op_stack_shape(nn_shape *shape, int axis);
/* Params with everything 0 but the kind. */
NN_PRIVATE nn__op_arrange nn__op_arrange_params(nn__arrange_kind kind);
/* nn_pad of another mode than zeros. */
NN_PRIVATE nn_node *nn__op_pad_joined(nn_site site, nn_model *net, nn_node *x,
                                      const nn_pad_desc *desc);
/* False: an axis whose extent depends on the batch or the time is cut. */
NN_PRIVATE bool nn__op_arrange_known(nn__problem *problem, const char *operation, nn_shape x,
                                     int axis);
/* False: an axis is padded whose extent depends on the batch or the time. */
NN_PRIVATE bool nn__op_pad_known(nn__problem *problem, nn_shape x, int axis);
