/* ops/ctc.h - connectionist temporal classification: the loss of a label sequence without an
   alignment in time. torch.nn.CTCLoss. */
#pragma once

#include "graph/model.h"
#include "kernels/reduce/choices.h"
#include "tensor/tensor.h"

typedef struct nn_ctc_loss_desc {
    /* default: NN_MEAN, the mean of loss / target length (at least 1); or NN_SUM;
       NN_REDUCTION_NONE: the loss of each sample, (N) */
    nn_reduction reduction;
    int blank;          /* default: 0. The class that means no label */
    bool zero_infinity; /* default: false. true: a sample with too few rows for its targets has loss
                           0 and gradient 0, instead of infinity and NaN */
} nn_ctc_loss_desc;

/* The negative logarithm of the probability of the targets, summed over all alignments.
   log_probabilities (T, N, C), as nn_log_softmax gives them: nn_permute(net, x, NN_AXES(1, 0, 2))
   of (N, T, C). targets (N, S) i32, classes other than the blank; input_lengths and target_lengths
   (N) i32: the valid rows (0 to T) and targets (0 to S) of each sample. A value out of range is a
   fault of the step (NN_ERROR_LABEL), and the loss is NaN. A sample needs a row for each target and
   one between equal neighbours.

   As in PyTorch the gradient is correct only together with nn_log_softmax before it: it is
   exp(log_probability) minus the posterior of the alignments. */
NN_API nn_node *nn_ctc_loss_at(nn_site site, nn_model *net, nn_node *log_probabilities,
                               nn_node *targets, nn_node *input_lengths, nn_node *target_lengths,
                               const nn_ctc_loss_desc *desc);
#define nn_ctc_loss(...) nn_ctc_loss_at(NN_HERE, __VA_ARGS__)

/* ---- immediate: loss (N), without reduction. A value out of range is an error, and nothing is
   written. desc->reduction is ignored; desc may be NULL. */
NN_API nn_result nn_ctc_loss_forward_at(nn_site site, nn_tensor *loss,
                                        const nn_tensor *log_probabilities,
                                        const nn_tensor *targets, const nn_tensor *input_lengths,
                                        const nn_tensor *target_lengths,
                                        const nn_ctc_loss_desc *desc);
#define nn_ctc_loss_forward(...) nn_ctc_loss_forward_at(NN_HERE, __VA_ARGS__)
#ifndef NN_NO_TRAINING
/* dlog_probabilities (T, N, C) is overwritten. dloss (N); NULL: 1 for each sample. */
NN_API nn_result nn_ctc_loss_backward_at(nn_site site, nn_tensor *dlog_probabilities,
                                         const nn_tensor *dloss,
                                         const nn_tensor *log_probabilities,
                                         const nn_tensor *targets, const nn_tensor *input_lengths,
                                         const nn_tensor *target_lengths,
                                         const nn_ctc_loss_desc *desc);
#define nn_ctc_loss_backward(...) nn_ctc_loss_backward_at(NN_HERE, __VA_ARGS__)
#endif
