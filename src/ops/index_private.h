/* ops/index_private.h - what operations with indices share. */
#pragma once

#include "ops/private.h"

/* Of an immediate call: is every index in [0, extent)? An error tells, and nothing was written.
   x: any tensor on the device with at least as many bytes as `extent`. */
NN_PRIVATE nn_result nn__op_index_look(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, const nn_view *x, int32_t extent,
                                       const nn_view *index);
/* The same where the caller has words of its own: *inside tells. */
NN_PRIVATE nn_result nn__op_index_inside(nn_site site, const char *who, nn_context *nn,
                                         nn_device device, const nn_view *x, int32_t extent,
                                         const nn_view *index, bool *inside);

#ifndef NN_NO_TRAINING
/* Gives x the gradient dy, each element where `index` says along the axis. */
NN_PRIVATE void nn__op_elements_spread(nn__tape *tape, nn_node *x, nn_node *dy, nn_node *index,
                                       int axis);
#endif
