/* ops/assign.h - writes a buffer of the model at the end of a training step, or a state of the plan
   at the end of a run. */
#pragma once

#include "graph/model.h"

/* For a state (nn_state): `value`, of the same shape and dtype, becomes the state of the next run.
   The whole run reads the value from before it, wherever the call is in the description. A state
   has one such call.

   For a buffer (nn_buffer; not with NN_NO_TRAINING): sets `buffer` to `value`, of the same shape
   and dtype (f32 or i32), at the end of every training step that has the inputs of `value`. The
   whole step reads the old value, wherever the call is in the description. Plans that do not train,
   and a trainer's evaluation, only read the buffer. With nn_trainer_desc.gradients it is written at
   the end of each nn_backward, or of each nn_update if `value` depends on no input. A step that
   faults (a label out of range, a NaN loss) does not change the buffer. A running mean:
   nn_assign(net, mean, nn_add(net, nn_scale(...mean, 0.9), nn_scale(...batch_mean, 0.1))). */
NN_API void nn_assign_at(nn_site site, nn_model *net, nn_node *buffer, nn_node *value);
#define nn_assign(...) nn_assign_at(NN_HERE, __VA_ARGS__)
