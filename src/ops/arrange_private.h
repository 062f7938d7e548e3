/* ops/arrange_private.h - what the builders (ops/arrange.c), shapes (ops/arrange_infer.c),
   pieces (ops/arrange_pieces.c) and immediate calls (ops/arrange_forward.c) share. */
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

/* The params of a node, as the user gave them. */
typedef struct nn__op_arrange {
    nn__arrange_kind kind;
    int axis, shift; /* axis: of concat and roll; shift: of roll */
    nn_axes axes;    /* permute: the order; flip: the axes */
    nn_slice_desc slice;
    nn_pad_desc pad;
    const nn_tensor *const *tensors; /* immediate concat: its inputs; NULL in a description */
    int64_t before;                  /* immediate concat: offset of this input along the axis */
    /* gradient: the forward node; this is the gradient of its input `input` */
    const nn_node *forward;
    int32_t input;
} nn__op_arrange;

/* The same with every default filled in and axes counted from 0, for an input of known rank. */
typedef struct nn__op_arranged {
    int32_t axis, start, step, shift; /* slice, concat, roll */
    int32_t order[NN_MAX_RANK];       /* permute: the axis of x; flip: 1 for a flipped axis */
    int32_t before[3], after[3];      /* pad, on the last three axes */
} nn__op_arranged;

/* Checks the params against the first input. Stores the settled params in *to and the shape of the
   result in *y; for concat, *y is the shape of the first input. */
NN_PRIVATE bool nn__op_arrange_settle(const nn__op_arrange *p, nn__type x, nn__op_arranged *to,
                                      nn_shape *y, nn__problem *problem);
NN_PRIVATE bool nn__op_arrange_infer(nn__inference *inference);
/* Fills in the args of a forward copy of `inputs` inputs into y. `pieces` has room for two pieces
   if there is one input, else for one per input. */
NN_PRIVATE void nn__op_arrange_forward(const nn__op_arrange *p, nn_strided_copy_args *args,
                                       nn_copy_piece *pieces, nn_view y, const nn_view *x,
                                       int inputs);
NN_PRIVATE const nn__rule *nn__op_arrange_rule(nn__arrange_kind kind);
/* Inserts an axis of 1 before axis `axis`; -1: after the last one. False if it does not fit. */
NN_PRIVATE bool nn__op_stack_shape(nn_shape *shape, int axis);
/* Returns params that are zero except for the kind. */
NN_PRIVATE nn__op_arrange nn__op_arrange_params(nn__arrange_kind kind);
/* Builds nn_pad with a mode other than zeros. */
NN_PRIVATE nn_node *nn__op_pad_joined(nn_site site, nn_model *net, nn_node *x,
                                      const nn_pad_desc *desc);
/* Reports an axis whose extent depends on the batch or the time: such an axis cannot be cut. */
NN_PRIVATE bool nn__op_arrange_known(nn__problem *problem, const char *operation, nn_shape x,
                                     int axis);
/* Does the same for an axis that is to be padded. */
NN_PRIVATE bool nn__op_pad_known(nn__problem *problem, nn_shape x, int axis);
