/* ops/loss_private.h - what losses and metrics share: the check of their operands, and the
   result of one number. */
#pragma once

#include "ops/program.h"

NN_PRIVATE nn_shape nn__op_loss_number(void);
/* Gives the node one output: an f32 scalar. */
NN_PRIVATE void nn__op_loss_infer(nn__inference *inference);
/* Checks input 2, a weight for each class. The logits, input 0, are already checked. */
NN_PRIVATE bool nn__op_weight_check(nn__inference *inference);
/* What the checks of a loss depend on: the params of its rule. */
typedef struct nn__loss_params {
    nn_reduction reduction;
    int alike;            /* the first `alike` inputs have one shape; the others broadcast to it */
    bool batch_mean;      /* NN_BATCH_MEAN is allowed */
    const char *field;    /* field of the desc that must be finite and at least 0; NULL: none */
    float number, second; /* second: the p of a distance */
} nn__loss_params;
NN_PRIVATE nn__loss_params nn__op_loss_params(nn_reduction reduction, int alike, const char *field,
                                              float number);
NN_PRIVATE bool nn__op_loss_reduction(nn_reduction reduction, bool batch_mean,
                                      nn__problem *problem);
NN_PRIVATE bool nn__op_loss_check(const nn__loss_params *params, nn__problem *problem);
/* params: nn__loss_params. */
NN_PRIVATE bool nn__op_targets_infer(nn__inference *inference);
/* Returns the mean or sum of `each` as the reduction says, or `each` itself. */
NN_PRIVATE nn_node *nn__op_loss_reduce(nn_model *net, nn_site site, const char *operation,
                                       const char *const *roles, nn_reduction reduction,
                                       nn_node *each);
/* Describes nn_cross_entropy with class probabilities as the target. */
NN_PRIVATE nn_node *nn__op_soft_entropy(nn_site site, nn_model *net, nn_node *logits,
                                        nn_node *target, const nn_cross_entropy_desc *desc);
/* Fills in the kernel's arguments for these options. */
NN_PRIVATE void nn__op_cross_entropy_args(nn_cross_entropy_args *args,
                                          const nn_cross_entropy_options *p, nn_view logits,
                                          nn_view label, nn_view weight);
/* Warns if the logits come from `squash`, which the loss itself applies. */
NN_PRIVATE void nn__op_warn_of(nn_model *net, nn_site site, const char *operation,
                               const nn_node *logits, const char *squash);
