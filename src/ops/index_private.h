/* ops/index_private.h - what operations with indices share. */
#pragma once

#include "ops/index.h"
#include "ops/private.h"

/* For immediate calls: fails, before anything is written, if an index lies outside [0, extent).
   x: any tensor on the device with at least `extent` bytes. */
NN_PRIVATE nn_result nn__op_index_look(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, const nn_view *x, int32_t extent,
                                       const nn_view *index);
/* Does the same for a caller that words its own error: *inside is the answer. */
NN_PRIVATE nn_result nn__op_index_inside(nn_site site, const char *who, nn_context *nn,
                                         nn_device device, const nn_view *x, int32_t extent,
                                         const nn_view *index, bool *inside);

NN_PRIVATE void nn__op_embedding_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *args);

#ifndef NN_NO_TRAINING
/* Sets the first values of the table: normal, with zeros in the padding row. A layer that shares
   the table and has no padding leaves that row as it is. A different padding row is a fault;
   then returns false. */
NN_PRIVATE bool nn__op_embedding_start(nn_model *net, nn_site site, nn_node *node,
                                       const nn_embedding_desc *desc);
#endif
