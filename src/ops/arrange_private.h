/* ops/arrange_private.h - what the builders of ops/arrange.c and the pieces of ops/arrange_pieces.c
   share. */
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

/* What the user said, with axes counted from 0 and every default filled in. */
typedef struct nn__op_arrange {
    nn__arrange_kind kind;
    int32_t axis, start, step, shift;   /* slice, concat, roll */
    int32_t
        order[NN_MAX_RANK]; /* permute: the axis of x; flip: 1 for an axis that is turned round */
    int32_t before[2],
        after[2]; /* pad: of the last axis but one, of the last; slice: negative ones cut */
    float value;                        /* pad */
    const nn_node *forward;             /* gradient: the node whose input `input` this belongs to */
    int32_t input;
    int64_t
        before_inputs; /* immediate concat: elements of the axis in the inputs that stand before */
    nn_copy_piece *pieces; /* room for two, or for one of each input; of the plan or the caller */
} nn__op_arrange;

/* The args of a forward copy of `inputs` inputs into y, with pieces in p->pieces. */
NN_PRIVATE void nn__op_arrange_forward(const nn__op_arrange *p, nn_strided_copy_args *args,
                                       nn_view y, const nn_view *x, int inputs);
NN_PRIVATE const nn__rule *nn__op_arrange_rule(nn__arrange_kind kind);
