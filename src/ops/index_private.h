/* ops/index_private.h - what operations with indices share. */
#pragma once

#include "ops/index.h"
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

NN_PRIVATE void nn__op_embedding_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args);

#ifndef NN_NO_TRAINING
/* What the table starts as: normal, with zeros in the padding row. A layer that shares the table
   without padding leaves the row as it is; one with another row is a fault, and the answer is
   false. */
NN_PRIVATE bool nn__op_embedding_start(nn_model *net, nn_site site, nn_node *node,
                                       const nn_embedding_desc *desc);
/* Gives x the gradient dy, each element where `index` says along the axis. */
NN_PRIVATE void nn__op_elements_spread(nn__tape *tape, nn_node *x, nn_node *dy, nn_node *index,
                                       int axis);
#endif
