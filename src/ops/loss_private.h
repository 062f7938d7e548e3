/* ops/loss_private.h - what losses and metrics share: their result is one number, their operands
   are checked alike. */
#pragma once

#include "ops/private.h"

NN_PRIVATE nn_shape nn__op_loss_number(void);
/* One output, one number of f32. */
NN_PRIVATE void nn__op_loss_infer(nn__inference *inference);
/* Input 2 is a weight for each class of the logits, input 0, which were checked. */
NN_PRIVATE bool nn__op_weight_check(nn__inference *inference);
NN_PRIVATE bool nn__op_loss_reduction(nn_reduction reduction, nn__problem *problem);
/* Warns when the logits come from `squash`, which the loss applies itself. */
NN_PRIVATE void nn__op_warn_of(nn_model *net, nn_site site, const char *operation,
                               const nn_node *logits, const char *squash);
