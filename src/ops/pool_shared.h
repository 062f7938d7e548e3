/* ops/pool_shared.h - what ops/pool.c needs of ops/pool2d.c. */
#pragma once

#include "ops/conv_private.h"
#include "ops/pool.h"

/* Of inference->inputs[0], a picture; params: nn_pool2d_desc. */
NN_PRIVATE bool nn__op_pool2d_infer(nn__inference *inference);
/* params: nn_pool2d_desc. index: NULL for none. */
NN_PRIVATE void nn__op_pool2d_args(nn_pool2d_args *args, const nn_view *y, const nn_view *x,
                                   const nn_view *index, const void *params, nn_pool_kind kind);
