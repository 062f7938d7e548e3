/* ops/pool_shared.h - what ops/pool.c and the other pools use from ops/pool2d.c. */
#pragma once

#include "ops/conv_private.h"
#include "ops/pool.h"

/* inputs[0] is an image; params: nn_pool2d_desc. */
NN_PRIVATE bool nn__op_pool2d_infer(nn__inference *inference);
#ifndef NN_NO_RARE_OPTIONS
/* Reports fields of the desc that only average pools have. */
NN_PRIVATE bool nn__op_pool2d_largest(const nn_pool2d_desc *desc, nn__problem *problem);
#endif
/* Does the same for an average pool, which has no dilation. */
NN_PRIVATE bool nn__op_avg_pool2d_infer(nn__inference *inference);
/* params: nn_pool2d_desc. index: NULL for none. */
NN_PRIVATE void nn__op_pool2d_args(nn_pool2d_args *args, const nn_view *y, const nn_view *x,
                                   const nn_view *index, const void *params, nn_pool_kind kind);

/* ---- immediate calls of any pool ------------------------------------------------------------- */

/* Fills the kernel's args; nn__op_pool2d_args is the one for images. */
typedef void (*nn__op_pool_fill)(nn_pool2d_args *args, const nn_view *y, const nn_view *x,
                                 const nn_view *index, const void *params, nn_pool_kind kind);
/* index: of the maxima; may be NULL. */
NN_PRIVATE nn_result nn__op_pool_forward(nn_site site, const char *who, const nn__rule *rule,
                                         nn_pool_kind kind, nn_tensor *y, nn_tensor *index,
                                         const nn_tensor *x, const void *params);
#ifndef NN_NO_TRAINING
/* index: of the maxima; NULL for averages. rule: of the forward call. */
NN_PRIVATE nn_result nn__op_pool_backward(nn_site site, const char *who, const nn__rule *rule,
                                          nn__op_pool_fill fill, nn_tensor *dx,
                                          const nn_tensor *dy, const nn_tensor *index,
                                          nn_pool_kind kind, const void *params);
#endif
