/* ops/index_private.h - what operations with indices share. */
#pragma once

#include "ops/private.h"

/* Of an immediate call: is every index in [0, extent)? An error tells, and nothing was written.
   x: any tensor on the device with at least as many bytes as `extent`. */
NN_PRIVATE nn_result nn__op_index_look(nn_site site, const char *who, nn_context *nn,
                                       nn_device device, const nn_view *x, int32_t extent,
                                       const nn_view *index);
