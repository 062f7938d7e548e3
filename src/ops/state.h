/* ops/state.h - a value that a run reads and the next run continues from. */
#pragma once

#include "ops/assign.h"

/* Describes a state: a value that every run reads and that the next run continues from, such as the
   h of a recurrent layer of your own. nn_assign says what it becomes at the end of a run; without
   one, making a plan is an error. The layers with a memory (.stateful, .streaming) describe their
   states themselves.

     nn_node *h = nn_state(net, "h", NN_F32, NN_SHAPE(NN_BATCH, 16));
     nn_node *y = nn_tanh(net, nn_add(net, nn_linear(net, "in", x, &wide),
                                      nn_linear(net, "again", h, &wide)));
     nn_assign(net, h, y);

   The first extent is NN_BATCH, and each sample has a state of its own (a "voice"); or no extent is
   free. dtype: f32 or i32. The state is memory of the plan (NN_MEMORY_STATE), as large as its
   .batch and 0 at first; two plans of one net have states of their own. A run with a smaller batch
   continues the first samples and leaves the others as they are. nn_upload and nn_download access
   it like an input; nn_clear_states, nn_save_states and nn_restore_states access all states.
   nn_replan keeps them.

   A trainer's steps and evaluations begin with zeros, unless nn_trainer_desc.carry_states is set.
   No gradient passes through a state. Not in firmware (NN_NO_TRAINING, NN_NO_REPORTS and
   NN_NO_THREADS together). */
NN_API nn_node *nn_state_at(nn_site site, nn_model *net, const char *name, nn_dtype dtype,
                            nn_shape shape);
#define nn_state(...) nn_state_at(NN_HERE, __VA_ARGS__)

/* Lets the layers of this context have states. The macros nn_lstm, nn_conv1d ... call it if their
   desc asks for a memory, so other programs do not contain it. Call it before nn_lstm_at and the
   like with .stateful or .streaming. */
NN_API void nn_use_states(nn_model *net);
