/* ops/loss_private.h - what losses and metrics share: their result is one number, their operands
   are checked alike. */
#pragma once

#include "ops/private.h"

NN_PRIVATE nn_shape nn__op_loss_number(void);
/* A weight of classes, or what a loss weighs by, fits. */
NN_PRIVATE bool nn__op_weight_check(const char *operation, const char *role, nn_shape weight,
                                    nn_dtype dtype, int32_t classes, nn__problem *problem);
/* Fills in the default and checks; false: what is wrong is in `problem`. */
NN_PRIVATE bool nn__op_loss_reduction(nn_reduction *reduction, nn__problem *problem);
/* Warns when the logits come from `squash`, which the loss applies itself. */
NN_PRIVATE void nn__op_warn_of(nn_model *net, nn_site site, const char *operation,
                               const nn_node *logits, const char *squash);
