/* kernels/ctc/args.h - connectionist temporal classification and its gradient;
   on the CPU in nn_more.h. */
#pragma once

#include "device/types.h"

/* torch.nn.functional.ctc_loss without reduction. Sample n uses its first input_lengths[n] rows and
   its first target_lengths[n] targets. A sample without a possible path has the loss infinity and
   the gradient NaN, or with zero_infinity 0 and 0. The gradient is PyTorch's: with respect to the
   logits before log_softmax, exp(log_probability) - posterior. A target outside [0, C) or equal to
   blank, or a length out of range, sets the status word; the sample's loss is then NaN and its
   gradient 0. */
typedef struct nn_ctc_args {
    nn_view loss;              /* (N) */
    nn_view log_probabilities; /* (T, N, C) */
    nn_view targets;           /* (N, S) i32 */
    nn_view input_lengths, target_lengths; /* (N) i32 */
    nn_view dlog_probabilities;            /* backward only */
    nn_view dloss;                         /* backward only: (N); absent: 1 */
    int32_t blank;
    bool zero_infinity;
    nn_view scratch, status;
    uint32_t step; /* for the status word */
} nn_ctc_args;

/* Views and numbers: see kernels/list.h. */
#define NN_CTC_FORWARD_VIEWS(VIEW, ITEM)                                                           \
    VIEW(OUT, loss, 1) VIEW(IN, log_probabilities, 1) VIEW(IN, targets, 1)                         \
    VIEW(IN, input_lengths, 1) VIEW(IN, target_lengths, 1) VIEW(SCRATCH, scratch, 1)               \
    VIEW(CHANGED, status, 1)
#define NN_CTC_BACKWARD_VIEWS(VIEW, ITEM)                                                          \
    VIEW(OUT, dlog_probabilities, 1) VIEW(IN, dloss, 1) VIEW(IN, log_probabilities, 1)             \
    VIEW(IN, targets, 1) VIEW(IN, input_lengths, 1) VIEW(IN, target_lengths, 1)                    \
    VIEW(SCRATCH, scratch, 1)
#define NN_CTC_FORWARD_NUMBERS(INT, REAL, OTHER)                                                   \
    INT(blank) INT(zero_infinity) OTHER(step) OTHER(loss) OTHER(status) OTHER(dlog_probabilities)  \
    OTHER(dloss)
#define NN_CTC_BACKWARD_NUMBERS(INT, REAL, OTHER) NN_CTC_FORWARD_NUMBERS(INT, REAL, OTHER)
