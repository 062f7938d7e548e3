/* kernels/ctc/args.h - connectionist temporal classification and its gradient. */
#pragma once

#include "device/types.h"

/* torch.nn.functional.ctc_loss without reduction. Of sample n the first input_lengths[n] rows count
   and the first target_lengths[n] targets. A sample for which no path exists loses infinity, or 0
   where zero_infinity says so, and has the gradient NaN, or 0. The gradient is PyTorch's: that by
   logits of which log_probabilities are the log_softmax, exp(log_probability) less the posterior. A
   target outside [0, C) or equal to blank, and a length that does not fit, set the status word; the
   sample's loss is NaN then, its gradient 0. */
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

/* Views and what the kernel does with them: kernels/list.h says how to read this. */
#define NN_CTC_FORWARD_VIEWS(VIEW, ITEM)                                                           \
    VIEW(OUT, loss, 1) VIEW(IN, log_probabilities, 1) VIEW(IN, targets, 1)                         \
    VIEW(IN, input_lengths, 1) VIEW(IN, target_lengths, 1) VIEW(SCRATCH, scratch, 1)               \
    VIEW(CHANGED, status, 1)
#define NN_CTC_BACKWARD_VIEWS(VIEW, ITEM)                                                          \
    VIEW(OUT, dlog_probabilities, 1) VIEW(IN, dloss, 1) VIEW(IN, log_probabilities, 1)             \
    VIEW(IN, targets, 1) VIEW(IN, input_lengths, 1) VIEW(IN, target_lengths, 1)                    \
    VIEW(SCRATCH, scratch, 1)

/* What else it is told: kernels/list.h. */
#define NN_CTC_FORWARD_NUMBERS(INT, REAL, OTHER)                                                   \
    INT(blank) INT(zero_infinity) OTHER(step) OTHER(loss) OTHER(status) OTHER(dlog_probabilities)  \
    OTHER(dloss)
#define NN_CTC_BACKWARD_NUMBERS(INT, REAL, OTHER) NN_CTC_FORWARD_NUMBERS(INT, REAL, OTHER)
