/* ops/assign.h - writing into a buffer of the model at the end of a training step. */
#pragma once

#include "graph/model.h"

#ifndef NN_NO_TRAINING
/* At the end of every training step `buffer` (nn_buffer) becomes `value`, which has its shape and
   dtype (f32 or i32). All of a step reads the old value, wherever it stands in the description;
   plans that do not train, and a trainer's evaluation, only read. It happens in each step that is
   given the inputs that `value` depends on; with nn_trainer_desc.gradients, at the end of each
   nn_backward, or of each nn_update where `value` depends on no input. A step that faults (a label
   out of range, a loss that is no number) leaves the buffer as it was. A running mean:
   nn_assign(net, mean, nn_add(net, nn_scale(...mean, 0.9), nn_scale(...batch_mean, 0.1))). */
NN_API void nn_assign_at(nn_site site, nn_model *net, nn_node *buffer, nn_node *value);
#define nn_assign(...) nn_assign_at(NN_HERE, __VA_ARGS__)
#endif
